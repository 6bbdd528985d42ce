//! Whether a load fits into the memory of this machine: asked before anything is allocated, since a machine that runs out of
//! memory says nothing useful.
//!
//! What grows with a job's files is its random map, a bit a block for each clone, and, of a job that reads back what it wrote, a
//! note of each write. Everything else is small.

use dw_error::{Error, Result};
use dw_workload::{Generator, Job, Workload};

/// Bytes of the note of a write that is to be read back, in a tree by offset.
const WRITE_BYTES: u64 = 64;
/// What a clone issues a second at most on the disks of a VM.
const CLONE_IOPS_MAX: u64 = 200_000;
/// Where the system says nothing: what any machine of today has left.
const UNKNOWN: u64 = 2 << 30;

/// Refuses a load whose random maps do not fit.
pub fn check(workload: &Workload) -> Result<()> {
    let mut needs = Needs::default();
    needs.add(workload);
    needs.check(1)
}

/// What loads need that are not all there at once.
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
    /// Refuses them when the maps of so many at a time do not fit.
    pub fn check(mut self, at_a_time: usize) -> Result<()> {
        self.each.sort_unstable();
        let need = self.each.iter().rev().take(at_a_time).fold(0, |sum: u64, n| sum.saturating_add(*n));
        // Small ones are not worth a look.
        if need < 64 << 20 {
            return Ok(());
        }
        let available = available();
        match &self.largest {
            Some((_, workload)) if need > available => Err(refusal(workload, need, available)),
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
            "job `{}` reads back what it wrote, and to remember that takes {} for each of its clones ({clones}); \
             this machine has {} left",
            job.name,
            gib(each),
            gib(available)
        );
        return Error::input(what).hint("write a smaller `size=`, or verify_backlog= to read back in between");
    }
    let what = format!(
        "job `{}` draws every block of {} once, and the map of the used ones takes {} for each of its clones ({clones}); \
         all maps together take {}, this machine has {} left",
        job.name,
        gib(files),
        gib(each),
        gib(need),
        gib(available)
    );
    let hint = "write `norandommap=1` into the job (or give `--norandommap`): blocks are then drawn without a map, some \
                twice; or write a smaller `size=`";
    Error::input(what).hint(hint)
}

fn gib(bytes: u64) -> String {
    format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30))
}

/// Bytes that may still be taken: the least that the kernel, the control group and the limits of this process allow.
fn available() -> u64 {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let group = |file: &str| read(&format!("/sys/fs/cgroup/memory.{file}"));
    let group = left_of_group(&group("max"), &group("current"), &group("stat"));
    #[cfg(unix)]
    let space = rustix::process::getrlimit(rustix::process::Resource::As).current;
    #[cfg(not(unix))]
    let space = None;
    [meminfo(&read("/proc/meminfo")), group, space].into_iter().flatten().min().unwrap_or(UNKNOWN)
}

fn meminfo(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.split_ascii_whitespace().next()?.parse::<u64>().ok()? << 10)
}

/// What a control group leaves, file pages that can be dropped counted as free; nothing when its limit is `max`.
fn left_of_group(max: &str, current: &str, stat: &str) -> Option<u64> {
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let droppable = stat.lines().find_map(|line| line.strip_prefix("inactive_file ")).and_then(number).unwrap_or(0);
    Some(number(max)?.saturating_sub(number(current).unwrap_or(0).saturating_sub(droppable)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_says_is_read() {
        assert_eq!(meminfo("MemTotal: 9 kB\nMemAvailable:       16 kB\n"), Some(16_384));
        assert_eq!(meminfo("MemTotal: 9 kB\n"), None);
        assert_eq!(left_of_group("4096\n", "96\n", "anon 1\ninactive_file 0\n"), Some(4_000));
        assert_eq!(left_of_group("4096\n", "5000\n", "anon 1\n"), Some(0));
        assert_eq!(left_of_group("4096\n", "4000\n", "inactive_file 1904\n"), Some(2_000));
        assert_eq!(left_of_group("max\n", "5000\n", ""), None);
    }
}
