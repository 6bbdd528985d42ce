//! Estates: record batches of counters in, a row for each VM out.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use arrow_pyarrow::PyArrowType;
use diskwright::dw_observe::{Recorder, RecorderOptions, intervals};
use diskwright::{ObserveOptions, Recording, Result, Session};
use diskwright_cli::recording;
use dw_fleet::convert::{self, Machines, Whose};
use dw_fleet::summary::{Fact, Summary};
use dw_fleet::{AuditKernel, Estate, Inventory, Job, Kernel};
use pyo3::prelude::*;

use crate::catalogue::Catalogue;
use crate::observe::interval;
use crate::table::{Table, texts};
use crate::{error, work};

/// Assesses every VM of a stream of record batches that is in the order of vm, ts, device.
#[pyclass(frozen, module = "diskwright")]
pub struct FleetKernel {
    kernel: Mutex<Kernel>,
    catalogue: Py<Catalogue>,
}

#[pymethods]
impl FleetKernel {
    /// `job`: what is asked of every VM, as JSON. `inventory`: a table with a row for each volume.
    #[new]
    fn new(
        py: Python<'_>,
        job: &str,
        inventory: PyArrowType<RecordBatchStreamReader>,
        catalogue: Py<Catalogue>,
    ) -> PyResult<FleetKernel> {
        let job = Job::from_json(job).map_err(|error| error::raise(py, &error))?;
        work::with_session(py, Some(catalogue.get()), None, |session| job.check(&session))?;
        let inventory = Inventory::from_batches(&all(py, inventory.0)?).map_err(|error| error::raise(py, &error))?;
        Ok(FleetKernel { kernel: Mutex::new(Kernel::new(job, inventory)), catalogue })
    }

    /// Takes a batch; the rows of VMs that ended in it.
    fn feed(&self, py: Python<'_>, batch: PyArrowType<RecordBatch>) -> PyResult<Table> {
        self.with(py, |kernel, session| kernel.feed(session, &batch.0))
    }

    /// No more batches come; the row of the last VM.
    fn finish(&self, py: Python<'_>) -> PyResult<Table> {
        self.with(py, |kernel, session| kernel.finish(session))
    }
}

impl FleetKernel {
    fn with(&self, py: Python<'_>, work: impl FnOnce(&mut Kernel, &Session) -> Result<()> + Send) -> PyResult<Table> {
        let rows = work::with_session(py, Some(self.catalogue.get()), None, |session| {
            let mut kernel = self.kernel.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut kernel, &session.without_notices())?;
            Ok(kernel.take())
        })?;
        Ok(Table::of_batch(rows))
    }
}

/// Finds what is wrong with every machine of a stream of records that is in the order of vm.
#[pyclass(frozen, module = "diskwright")]
pub struct FleetAudit {
    kernel: Mutex<AuditKernel>,
    catalogue: Py<Catalogue>,
}

#[pymethods]
impl FleetAudit {
    /// `stripes`: the text of a file that says which disks are one volume, or nothing.
    #[new]
    fn new(py: Python<'_>, stripes: &str, catalogue: Py<Catalogue>) -> PyResult<FleetAudit> {
        let kernel = AuditKernel::new(stripes).map_err(|error| error::raise(py, &error))?;
        Ok(FleetAudit { kernel: Mutex::new(kernel), catalogue })
    }

    /// Takes a batch; the findings of machines that ended in it.
    fn feed(&self, py: Python<'_>, batch: PyArrowType<RecordBatch>) -> PyResult<Table> {
        self.with(py, |kernel, session| kernel.feed(session, &batch.0))
    }

    /// No more batches come; the findings of the last machine.
    fn finish(&self, py: Python<'_>) -> PyResult<Table> {
        self.with(py, |kernel, session| kernel.finish(session))
    }
}

impl FleetAudit {
    fn with(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut AuditKernel, &Session) -> Result<()> + Send,
    ) -> PyResult<Table> {
        let rows = work::with_session(py, Some(self.catalogue.get()), None, |session| {
            let mut kernel = self.kernel.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut kernel, &session.without_notices())?;
            Ok(kernel.take())
        })?;
        Ok(Table::of_batch(rows))
    }
}

/// Records of a list that a cloud's command printed, as rows: whose they are, the file, the record.
#[pyfunction]
pub fn fleet_records(py: Python<'_>, file: &str) -> PyResult<Table> {
    let rows = work::with_session(py, None, None, |_| {
        let opened = std::fs::File::open(file).map_err(|e| diskwright::Error::input(e.to_string()).of_file(file))?;
        dw_fleet::audit::records(file, std::io::BufReader::new(opened))
    })?;
    Ok(Table::of_batch(rows))
}

/// A made-up estate whose answers are known.
#[pyclass(frozen, module = "diskwright")]
pub struct FleetSynth(Estate);

#[pymethods]
impl FleetSynth {
    #[new]
    #[pyo3(signature = (*, vms, days, disks, every_s, seed, faults))]
    fn new(vms: usize, days: usize, disks: usize, every_s: usize, seed: u64, faults: bool) -> FleetSynth {
        FleetSynth(Estate { seed, vms, days, disks, every_s, faults })
    }

    /// Names of all VMs.
    fn names(&self) -> Vec<String> {
        (0..self.0.len()).map(|vm| self.0.name(vm)).collect()
    }

    /// The counters of a VM, by its place among the names.
    fn counters(&self, py: Python<'_>, vm: usize) -> Table {
        Table::of_batch(py.detach(|| self.0.counters(vm)))
    }

    /// What the VMs have.
    fn inventory(&self) -> Table {
        Table::of_batch(self.0.inventory())
    }

    /// What an assessment must find.
    fn expected(&self, py: Python<'_>) -> Table {
        Table::of_batch(py.detach(|| self.0.expected()))
    }
}

/// What an estate comes to.
#[pyclass(frozen, module = "diskwright")]
pub struct FleetSummary(Summary);

#[pymethods]
impl FleetSummary {
    /// `results`, `inventory`: tables.
    #[new]
    fn new(
        py: Python<'_>,
        results: PyArrowType<RecordBatchStreamReader>,
        inventory: PyArrowType<RecordBatchStreamReader>,
        currency: &str,
    ) -> PyResult<FleetSummary> {
        let (results, inventory) = (all(py, results.0)?, all(py, inventory.0)?);
        let summary =
            Summary::from_results(&results, &inventory, currency).map_err(|error| error::raise(py, &error))?;
        Ok(FleetSummary(summary))
    }

    /// For a terminal.
    fn text(&self, title: &str) -> String {
        self.0.text(title)
    }

    /// As one page.
    fn html(&self, title: &str) -> String {
        self.0.html(title)
    }

    /// Its figures, a row for each.
    fn facts(&self) -> Table {
        let facts = self.0.facts();
        let numbers =
            |of: fn(&Fact) -> Option<i64>| -> ArrayRef { Arc::new(facts.iter().map(of).collect::<Int64Array>()) };
        Table::new(vec![
            ("part", texts(facts.iter().map(|fact| Some(fact.part)))),
            ("item", texts(facts.iter().map(|fact| Some(&fact.item)))),
            ("vms", numbers(|fact| fact.vms)),
            ("today_micros", numbers(|fact| fact.today_micros)),
            ("planned_micros", numbers(|fact| fact.planned_micros)),
            ("message", texts(facts.iter().map(|fact| fact.message.as_ref()))),
        ])
    }
}

/// All batches of a stream.
fn all(py: Python<'_>, stream: RecordBatchStreamReader) -> PyResult<Vec<RecordBatch>> {
    let batches: std::result::Result<Vec<RecordBatch>, _> = py.detach(|| stream.collect());
    batches.map_err(|e| error::usage(py, format!("the table cannot be read: {e}"), ""))
}

/// The machines that recordings name, of each in order.
#[pyfunction]
pub fn fleet_machines(py: Python<'_>, file: &str) -> PyResult<Vec<String>> {
    work::with_session(py, None, None, |session| {
        let mut machines = Machines::default();
        match recording::is_one(file) {
            true => recording::read(file, 0, &mut machines)?,
            // What it says of itself is said when it is converted.
            false => {
                session.without_notices().record(&[Recording::file(file)], &ObserveOptions::default(), &mut machines)?
            }
        }
        Ok(machines.names().map(str::to_string).collect())
    })
}

/// Rows of counters of recordings of one VM, or of those that a recording names. `start`: when recordings without a date begin.
#[pyfunction]
pub fn fleet_rows(
    py: Python<'_>,
    files: Vec<String>,
    machine: Option<&str>,
    stem: &str,
    every: Option<&str>,
    start: Option<i64>,
) -> PyResult<Table> {
    let options = ObserveOptions {
        recorder: RecorderOptions {
            every: every.map(|text| interval(py, text)).transpose()?,
            ..RecorderOptions::default()
        },
        ..ObserveOptions::default()
    };
    let whose = Whose { vm: machine, otherwise: stem, start_us: start };
    let named = || files.join(", ");
    let rows = work::with_session(py, None, None, |session| {
        let mut recorder = Recorder::new(options.recorder);
        let (ours, others): (Vec<_>, Vec<_>) = files.iter().zip(0..).partition(|(file, _)| recording::is_one(file));
        for (file, index) in ours {
            recording::read(file, index, &mut recorder)?;
        }
        let others: Vec<Recording> = others.iter().map(|(file, _)| Recording::file(file)).collect();
        session.record(&others, &options, &mut recorder)?;
        session.say_faults(&files, &recorder);
        let (rows, left_out) = convert::counters(&intervals(recorder), whose).map_err(|e| e.of_file(named()))?;
        left_out.into_iter().for_each(|said| session.notice(said, ""));
        Ok(rows)
    })?;
    Ok(Table::of_batch(rows))
}
