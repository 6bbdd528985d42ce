//! Whether a load fits into the memory that is left: asked before anything is allocated, since a machine that runs out of memory
//! says nothing useful. How much is left, the caller knows: [`Session::with_memory`].
//!
//! What grows with a job's files is its random map, a bit a block for each clone, and, of a job that verifies its writes, a
//! note of each write. Everything else is small.

use dw_error::{Error, Result};
use dw_workload::{Generator, Job, Workload};

use crate::session::Session;

/// Bytes of the note of a write that is to be read back, in a tree by offset.
const WRITE_BYTES: u64 = 64;
/// What a clone issues a second at most on the disks of a VM.
const CLONE_IOPS_MAX: u64 = 200_000;

/// What loads need that are not all there at once.
///
/// ```
/// use diskwright::{Catalogue, LoadOptions, Needs, Session, Texts};
/// use dw_units::Bytes;
/// let session = Session::new(Catalogue::embedded().clone()).with_memory(|| Some(Bytes::mib(16)));
/// let rig = "[vm]\nsize = 'Standard_DS14'\n[[volume]]\nname = 'data'\nmount = '/data'\ndisks = 'P30'\n";
/// let job = "[reads]\nfilename=/data/file\nsize=500g\nrw=randread\nbs=512\nioengine=libaio\ndirect=1\n";
/// let run = session.load(session.scenario("rig.toml", rig)?, &Texts::single("reads.fio", job.into()), &LoadOptions::default())?;
/// let mut needs = Needs::default();
/// needs.add(&run.jobs.workload);
/// assert!(needs.check(1, &session).unwrap_err().what.starts_with("job `reads` draws every block"));
/// # Ok::<(), diskwright::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Needs {
    each: Vec<u64>,
    /// Of the one that needs most.
    largest: Option<(u64, Workload)>,
}

impl Needs {
    /// Adds a load.
    pub fn add(&mut self, workload: &Workload) {
        let need = need(workload);
        self.each.push(need);
        if self.largest.as_ref().is_none_or(|(most, _)| need > *most) {
            self.largest = Some((need, workload.clone()));
        }
    }
    /// Refuses them when the maps of so many at a time do not fit into what the session has left.
    ///
    /// # Errors
    /// Of kind `Input`, about the job that needs most.
    pub fn check(mut self, at_a_time: usize, session: &Session) -> Result<()> {
        self.each.sort_unstable();
        let need = self.each.iter().rev().take(at_a_time).fold(0, |sum: u64, n| sum.saturating_add(*n));
        // Small ones are not worth a look.
        if need < 64 << 20 {
            return Ok(());
        }
        match (&self.largest, session.memory_left()) {
            (Some((_, workload)), Some(left)) if need > left.get() => Err(refusal(workload, need, left.get())),
            _ => Ok(()),
        }
    }
}

fn need(workload: &Workload) -> u64 {
    workload.jobs.iter().map(of_job).fold(0, u64::saturating_add)
}

/// What a clone needs: its map, and its writes that wait to be read back.
fn of_job(job: &Job) -> u64 {
    let Some(verify) = job.verify else { return Generator::map_bytes(job) };
    let by_size = job.stop.bytes / job.sizes.write.min().max(1);
    let by_time =
        job.stop.runtime.map_or(u64::MAX, |time| (time.ns() / 1_000_000_000 + 1).saturating_mul(CLONE_IOPS_MAX));
    let writes = if job.stop.time_based { by_time } else { by_size.min(by_time) };
    let most = if verify.backlog > 0 { verify.backlog.saturating_add(1) } else { writes };
    Generator::map_bytes(job).saturating_add(most.min(writes).saturating_mul(WRITE_BYTES))
}

fn refusal(workload: &Workload, need: u64, available: u64) -> Error {
    let of = |job: &&Job| workload.jobs.iter().filter(|j| j.name == job.name).map(of_job).sum::<u64>();
    let Some(job) = workload.jobs.iter().max_by_key(of) else { return Error::unexpected("a map without a job") };
    let clones = workload.jobs.iter().filter(|j| j.name == job.name).count();
    let each = of_job(job);
    let files = job.files.iter().map(|file| file.len).sum::<u64>();
    if job.verify.is_some() && each > 2 * Generator::map_bytes(job) {
        let what = format!(
            "job `{}` verifies its writes, and remembering them takes {} for each of its clones ({clones}); \
             this machine has {} left",
            job.name,
            gib(each),
            gib(available)
        );
        return Error::input(what).hint("reduce `size=`, or use verify_backlog= to verify in between");
    }
    let what = format!(
        "job `{}` draws every block of {} once, and the map of used blocks takes {} for each of its clones ({clones}); \
         all maps together take {}, this machine has {} left",
        job.name,
        gib(files),
        gib(each),
        gib(need),
        gib(available)
    );
    let hint = "add `norandommap=1` to the job (or give `--norandommap`), so that blocks may repeat and no map is needed; or \
                reduce `size=`";
    Error::input(what).hint(hint)
}

fn gib(bytes: u64) -> String {
    format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30))
}
