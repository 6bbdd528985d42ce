//! Takes record batches, cuts them into VMs, and gives a row for each.
//!
//! Rows of a VM are together and in the order of time; where batches begin and end says nothing.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::RecordBatch;
use diskwright::dw_observe::{Name, Recorder, RecorderOptions, Settings};
use diskwright::observe::READINGS;
use diskwright::{Error, Result, Session};

use crate::assess::{self, Failure};
use crate::columns::text;
use crate::inventory::Inventory;
use crate::job::Job;
use crate::results::{self, Outcome, ResultRow};
use crate::rows::{Columns, Reader, Tally};

/// Assesses every VM of a stream.
pub struct Kernel {
    job: Job,
    inventory: Inventory,
    current: Option<Vm>,
    done: Vec<ResultRow>,
}

/// The VM whose rows are coming.
struct Vm {
    name: Name,
    last_at: i64,
    reader: Reader,
    /// Where it is recorded; or why it will not be planned, whatever its rows say.
    recording: Result<(Recorder, Settings), Failure>,
}

impl Kernel {
    /// Nothing taken yet.
    pub fn new(job: Job, inventory: Inventory) -> Kernel {
        Kernel { job, inventory, current: None, done: Vec::new() }
    }

    /// Takes a batch.
    ///
    /// # Errors
    /// Of kind `Input` where a column is missing or of another type, or rows are not in order; `Interrupted` where the observer of the
    /// session wants to stop.
    pub fn feed(&mut self, session: &Session, batch: &RecordBatch) -> Result<()> {
        let columns = Columns::of(batch)?;
        for row in 0..batch.num_rows() {
            let vm = text(columns.vm, row)
                .ok_or_else(|| Error::input("a row has no `vm`").hint("leave such rows out: they belong to nobody"))?;
            if self.current.as_ref().is_none_or(|current| &*current.name != vm) {
                self.next(session, vm)?;
            }
            if let Some(current) = &mut self.current {
                current.take(&columns, row)?;
            }
        }
        Ok(())
    }

    /// No more rows will come.
    ///
    /// # Errors
    /// As `feed`.
    pub fn finish(&mut self, session: &Session) -> Result<()> {
        let Some(current) = self.current.take() else { return Ok(()) };
        let row = current.finish(session, &self.job, &self.inventory)?;
        self.done.push(row);
        Ok(())
    }

    /// Rows that were not taken yet.
    pub fn take(&mut self) -> RecordBatch {
        results::batch(&self.job.job_id, &std::mem::take(&mut self.done))
    }

    fn next(&mut self, session: &Session, vm: &str) -> Result<()> {
        let before = self.current.as_ref().map(|current| current.name.clone());
        self.finish(session)?;
        if let Some(before) = before.filter(|before| vm < &**before) {
            return Err(Error::input(format!("VM `{vm}` comes after `{before}`: rows are not in the order of `vm`"))
                .hint("sort by vm, ts, device"));
        }
        self.current = Some(Vm::begin(vm, &self.job, &self.inventory)?);
        Ok(())
    }
}

impl Vm {
    fn begin(vm: &str, job: &Job, inventory: &Inventory) -> Result<Vm> {
        let name: Name = vm.into();
        let machine = inventory.machine(vm);
        let (reader, recording) = match assess::check(vm, machine) {
            Err(failure) => (Reader::default(), Err(failure)),
            Ok(machine) => {
                let settings = job.settings(machine)?;
                let mut recorder = Recorder::bounded(RecorderOptions::default(), &settings, READINGS);
                let reader = Reader::begin(0, vm, machine.vcpu, machine.memory_bytes, &mut recorder);
                (reader, Ok((recorder, settings)))
            }
        };
        Ok(Vm { name, last_at: i64::MIN, reader, recording })
    }

    fn take(&mut self, columns: &Columns<'_>, row: usize) -> Result<()> {
        let at = columns.at(row);
        // A row without a time may stand anywhere, and is left out.
        if at != i64::MIN && at < self.last_at {
            return Err(Error::input(format!("rows of VM `{}` are not in the order of `ts`", self.name))
                .hint("sort by vm, ts, device"));
        }
        self.last_at = self.last_at.max(at);
        match &mut self.recording {
            Ok((recorder, _)) => self.reader.take(&self.name, columns, row, recorder),
            Err(_) => self.reader.skip(),
        }
        Ok(())
    }

    fn finish(self, session: &Session, job: &Job, inventory: &Inventory) -> Result<ResultRow> {
        let Vm { name, reader, recording, .. } = self;
        let tally: Tally = reader.tally().clone();
        let outcome = match (recording, inventory.machine(&name)) {
            (Ok((recorder, settings)), Some(machine)) => {
                let work = || assess::assess(session, job, (&name, machine), (recorder, &settings), &tally);
                // One VM's fault is that VM's: nothing of it is used by others.
                catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Ok(of_panic(&*panic)))?
            }
            (Err(failure), _) => assess::failed(failure, Outcome::default()),
            (Ok(_), None) => unreachable!("only machines of the inventory are recorded"),
        };
        let count = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        let (used, dropped) = (tally.rows - tally.dropped(), tally.dropped());
        Ok(ResultRow { vm: name.to_string(), outcome, rows_used: count(used), rows_dropped: count(dropped) })
    }
}

fn of_panic(panic: &(dyn Any + Send)) -> Outcome {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    let text = text.unwrap_or("a fault without words");
    assess::failed(Failure::of("unexpected", format!("a fault of diskwright: {text}")), Outcome::default())
}
