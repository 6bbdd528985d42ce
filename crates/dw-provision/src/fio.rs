//! The fio job file that verifies a plan: every volume alone, then all together.
//!
//! Requests come at the rate that the plan promises, so the plan holds when every job reaches its `rate_iops`; latency is then
//! what it is at that load. Volumes that the host cache serves are read once from front to back before.

use std::fmt::Write as _;

use dw_units::{Bytes, Duration};

use super::quote::comment;
use super::setup::{Demand, Setup, Volume};
use super::streams::{Stream, file_size, streams, warm_size};

/// Seconds that count.
pub(super) const RUNTIME_S: u64 = 60;
/// Seconds before they count.
pub(super) const RAMP_S: u64 = 10;

/// The job file.
pub fn text(setup: &Setup) -> String {
    let mut lines = setup.heading("Verifies a plan: it holds when every job reaches its rate_iops.");
    lines.extend([
        String::new(),
        "Run it on the VM after its volumes are mounted: `fio verify.fio`. Before, at any time and without a VM:".into(),
        "`diskwright simulate rig.toml verify.fio`. It writes files called diskwright.test and leaves them there; remove them."
            .into(),
    ]);
    let mut out = comment(";", &lines) + GLOBAL;
    for (number, volume) in setup.volumes.iter().enumerate().filter(|(_, volume)| volume.is_cached()) {
        warm_up(setup, number, volume, &mut out);
    }
    let jobs = jobs(setup);
    out + &written(setup, &jobs, &RUNTIME_S.to_string(), &RAMP_S.to_string())
}

/// The same jobs without what fills the caches, for as long each: what a simulation runs that begins with a warm cache.
pub fn rehearsal(setup: &Setup, jobs: &[Job], runtime: Duration, ramp: Duration) -> String {
    let ms = |time: Duration| format!("{}ms", time.ns() / 1_000_000);
    GLOBAL.to_string() + &written(setup, jobs, &ms(runtime), &ms(ramp))
}

/// What all jobs have alike.
const GLOBAL: &str = "\n[global]\nioengine=libaio\ndirect=1\nnorandommap=1\nrandrepeat=0\n";

/// A job that verifies a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its section.
    pub name: String,
    /// Number of its volume.
    pub volume: usize,
    /// It runs with all volumes together, rather than with those of its own volume alone.
    pub together: bool,
    /// It waits for the jobs before it.
    pub waits: bool,
    /// Its requests.
    pub stream: Stream,
}

/// The jobs that count, in their order: every volume alone, then, where there are several, all together.
pub fn jobs(setup: &Setup) -> Vec<Job> {
    let alone = setup.volumes.iter().enumerate().map(|(n, volume)| phase(setup, false, &[(n, volume, volume.demand)]));
    let mut jobs: Vec<Job> = alone.flatten().collect();
    if setup.volumes.len() > 1 {
        let all: Vec<_> = setup.volumes.iter().enumerate().map(|(n, volume)| (n, volume, volume.together)).collect();
        jobs.extend(phase(setup, true, &all));
    }
    jobs
}

fn warm_up(setup: &Setup, number: usize, volume: &Volume, out: &mut String) {
    let name = setup.names.get(number).map_or("", String::as_str);
    let _ = write!(
        out,
        "\n; Fills the host cache of {name}.\n[warm-{name}]\nstonewall\nfilename={}\nsize={}\nrw=read\nbs=1m\niodepth=16\n",
        file(setup, number),
        short(warm_size(volume)),
    );
}

/// Streams that run at the same time, after everything before them.
fn phase(setup: &Setup, together: bool, volumes: &[(usize, &Volume, Demand)]) -> Vec<Job> {
    let mut jobs = Vec::new();
    for &(volume, of, demand) in volumes {
        let name = setup.names.get(volume).map_or("", String::as_str);
        for stream in streams(of, demand) {
            let name = format!("{}{name}-{}", if together { "all-" } else { "" }, stream.name());
            jobs.push(Job { name, volume, together, waits: jobs.is_empty(), stream });
        }
    }
    jobs
}

fn written(setup: &Setup, jobs: &[Job], runtime: &str, ramp: &str) -> String {
    let mut out = String::new();
    for job in jobs {
        if job.together && job.waits {
            out += "\n; All volumes together, when they are busiest.";
        }
        let _ = write!(
            out,
            "\n[{}]\n{}filename={}\nsize={}\nrw={}\nbs={}\niodepth={}\nrate_iops={}\n\
             time_based=1\nruntime={runtime}\nramp_time={ramp}\n",
            job.name,
            if job.waits { "stonewall\n" } else { "" },
            file(setup, job.volume),
            setup.volumes.get(job.volume).map_or(String::new(), |volume| short(file_size(volume))),
            direction(&job.stream),
            short(job.stream.size),
            job.stream.queue_depth,
            job.stream.iops,
        );
    }
    out
}

fn direction(stream: &Stream) -> &'static str {
    match (stream.sequential, stream.writes) {
        (true, true) => "write",
        (true, false) => "read",
        (false, true) => "randwrite",
        (false, false) => "randread",
    }
}

/// `8k`, `400g`.
fn short(size: Bytes) -> String {
    let units = [("t", 1u64 << 40), ("g", 1 << 30), ("m", 1 << 20), ("k", 1 << 10)];
    let unit = units.into_iter().find(|(_, unit)| size.get().is_multiple_of(*unit) && size.get() > 0);
    unit.map_or(size.get().to_string(), |(letter, unit)| format!("{}{letter}", size.get() / unit))
}

fn file(setup: &Setup, volume: usize) -> String {
    let mount = setup.mount(volume);
    format!("{}/diskwright.test", mount.trim_end_matches('/'))
}
