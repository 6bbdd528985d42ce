//! Takes record batches, cuts them into VMs, and gives a row for each.
//!
//! Rows of a VM are together and in the order of time; where batches begin and end says nothing. Rows of nobody may stand anywhere, and
//! are together a row of results of a VM without a name.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::RecordBatch;
use diskwright::{Error, Result, Session};

use crate::assess::{self, Failure};
use crate::code::Code;
use crate::columns::text;
use crate::inventory::Inventory;
use crate::job::Job;
use crate::results::{self, Outcome, ResultRow};
use crate::rows::{Columns, Rows};

/// Assesses every VM of a stream.
pub struct Kernel {
    job: Job,
    inventory: Inventory,
    current: Option<Vm>,
    /// Rows that name no VM.
    of_nobody: u64,
    done: Vec<ResultRow>,
}

/// The VM whose rows are coming.
struct Vm {
    name: String,
    rows: Rows,
    /// Why it will not be planned, whatever its rows say.
    failure: Option<Failure>,
}

impl Kernel {
    /// Nothing taken yet.
    pub fn new(job: Job, inventory: Inventory) -> Kernel {
        Kernel { job, inventory, current: None, of_nobody: 0, done: Vec::new() }
    }

    /// Takes a batch.
    ///
    /// # Errors
    /// Of kind `Input` where a column is missing or of another type, or VMs are not in order; `Interrupted` where the observer of the
    /// session wants to stop.
    pub fn feed(&mut self, session: &Session, batch: &RecordBatch) -> Result<()> {
        let columns = Columns::from_batch(batch)?;
        let mut from = 0;
        while from < batch.num_rows() {
            let vm = text(columns.vm, from).unwrap_or_default();
            let until = (from + 1..batch.num_rows()).find(|row| text(columns.vm, *row).unwrap_or_default() != vm);
            let until = until.unwrap_or(batch.num_rows());
            if vm.is_empty() {
                self.of_nobody += (until - from) as u64;
                from = until;
                continue;
            }
            if self.current.as_ref().is_none_or(|current| current.name != vm) {
                self.next(session, vm)?;
            }
            match &mut self.current {
                Some(Vm { rows, failure: None, .. }) => rows.take(&columns, from..until),
                Some(Vm { rows, .. }) => rows.skip(&columns, from..until),
                None => {}
            }
            from = until;
        }
        Ok(())
    }

    /// No more rows will come.
    ///
    /// # Errors
    /// As `feed`.
    pub fn finish(&mut self, session: &Session) -> Result<()> {
        self.end(session)?;
        let rows = std::mem::take(&mut self.of_nobody);
        if rows > 0 {
            let failure = Failure::new(Code::NoVm, format!("{rows} rows have no `vm` and are part of no plan"));
            let outcome = assess::failed(failure, Outcome::default());
            self.done.push(ResultRow { vm: String::new(), outcome, rows_used: 0, rows_dropped: count(rows) });
        }
        Ok(())
    }

    /// No more rows of the current VM will come.
    fn end(&mut self, session: &Session) -> Result<()> {
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
        self.end(session)?;
        if let Some(before) = before.filter(|before| vm < before.as_str()) {
            return Err(Error::input(format!("VM `{vm}` comes after `{before}`: rows are not sorted by `vm`"))
                .hint("sort by vm, ts, device"));
        }
        self.inventory.size(vm, session.catalogue());
        let machine = self.inventory.machine(vm);
        let rows = Rows::new(vm, machine.and_then(|m| m.vcpu), machine.and_then(|m| m.memory_bytes));
        self.current = Some(Vm { name: vm.to_string(), rows, failure: assess::check(vm, machine).err() });
        Ok(())
    }
}

impl Vm {
    fn finish(self, session: &Session, job: &Job, inventory: &Inventory) -> Result<ResultRow> {
        let Vm { name, rows, failure } = self;
        let tally = rows.tally().clone();
        let outcome = match (failure, inventory.machine(&name)) {
            (None, Some(machine)) => {
                let work = || assess::assess(session, job, (&name, machine), rows);
                // One VM's fault is that VM's: nothing of it is used by others.
                catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Ok(of_panic(&*panic)))?
            }
            (Some(failure), _) => assess::failed(failure, Outcome::default()),
            (None, None) => unreachable!("what is not in the inventory has a failure"),
        };
        let (used, dropped) = (tally.rows - tally.dropped(), tally.dropped());
        Ok(ResultRow { vm: name, outcome, rows_used: count(used), rows_dropped: count(dropped) })
    }
}

fn count(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

fn of_panic(panic: &(dyn Any + Send)) -> Outcome {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    let text = text.unwrap_or("a fault without words");
    assess::failed(Failure::new(Code::Unexpected, format!("an internal error: {text}")), Outcome::default())
}
