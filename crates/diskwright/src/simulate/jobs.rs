//! What each job came to, where they do not all run at the same time or were asked for a rate: the table of the volumes adds up what
//! ran one after the other, and says nothing of what was asked.

use dw_sim::{DirectionResult, EntryResult};
use dw_workload::{Direction, Job, Mix, Rate, Workload};

use super::Run;
use super::build::latency;
use super::summary::JobLine;

/// A job reaches its rate at this share of it: fio paces by whole requests and microseconds.
const REACHED: f64 = 0.98;

/// A line per job, or nothing where all run together and none has a rate.
pub fn lines(run: &Run) -> Vec<JobLine> {
    let workload = &run.jobs.workload;
    let phases = workload.jobs.iter().any(|job| job.phase != workload.jobs[0].phase || job.wait_for.is_some());
    let paced = workload.jobs.iter().any(|job| Direction::ALL.iter().any(|d| job.rate.get(*d).is_some()));
    if !phases && !paced {
        return Vec::new();
    }
    run.result.entries.iter().map(|entry| line(workload, entry)).collect()
}

/// Nanoseconds in which any of these jobs ran, where they are bound to times and not all to the same: the steps of a replay, which report as
/// a group. Over the time of one of them the I/Os of all would be a rate that never was.
fn apart(jobs: &[&Job]) -> Option<u64> {
    let time = |job: &&Job| {
        let from = job.start_delay.0.ns();
        Some((
            from,
            from + job.stop.runtime.filter(|_| job.stop.time_based && job.start_delay.0 == job.start_delay.1)?.ns(),
        ))
    };
    let mut times: Vec<(u64, u64)> = jobs.iter().map(time).collect::<Option<_>>()?;
    times.sort_unstable();
    times.dedup();
    let (mut all, mut until) = (0, 0);
    for (from, to) in &times {
        all += to.saturating_sub(*from.max(&until));
        until = until.max(*to);
    }
    (times.len() > 1 && all > 0).then_some(all)
}

fn line(workload: &Workload, entry: &EntryResult) -> JobLine {
    let members: Vec<&Job> = entry.members.iter().map(|&job| &workload.jobs[job]).collect();
    let whole = apart(&members);
    let parts = || Direction::ALL.map(|d| (d, entry.load.get(d)));
    let per_second = |count: u64, of: &DirectionResult| {
        let seconds = whole.unwrap_or(of.runtime.ns()) as f64 / 1e9;
        if seconds > 0.0 { count as f64 / seconds } else { 0.0 }
    };
    let total =
        |count: fn(&DirectionResult) -> u64| parts().map(|(_, of)| per_second(count(of), of)).iter().sum::<f64>();
    let stats: Vec<_> = parts().map(|(_, of)| &of.lat).into_iter().collect();
    let (mut asked_iops, mut asked_bytes, mut reached) = (None, None, None);
    for (direction, of) in parts() {
        // A rate is written for every direction; it is asked of those that the job has. What it reads to verify has none.
        let has = |mix: Mix| match mix {
            Mix::Only(only) => only == direction,
            Mix::ReadWrite { .. } => direction != Direction::Trim,
            Mix::TrimThenWrite => direction != Direction::Read,
        };
        let idle = of.ios == 0 && parts().iter().any(|(_, other)| other.ios > 0);
        let (mut requests, mut bytes) = (None, None);
        for job in members.iter().filter(|job| !idle && has(job.mix)) {
            let Some(rate) = *job.rate.get(direction) else { continue };
            // Of jobs at different times each counts for its part of the time.
            let part = |whole: u64| job.stop.runtime.map_or(1.0, |own| own.ns() as f64 / whole as f64);
            let part = whole.map_or(1.0, part);
            let (sum, asked) = match rate {
                Rate::Iops(n) => (&mut requests, n as f64),
                Rate::BytesPerSecond(n) => (&mut bytes, n as f64),
            };
            *sum = Some(sum.unwrap_or(0.0) + asked * part);
        }
        for (sum, asked, found) in [(&mut asked_iops, requests, of.ios), (&mut asked_bytes, bytes, of.bytes)] {
            if let Some(asked) = asked {
                *sum = Some(sum.unwrap_or(0.0) + asked);
                reached = Some(reached.unwrap_or(true) && per_second(found, of) >= REACHED * asked);
            }
        }
    }
    JobLine {
        name: match whole {
            Some(_) => format!("{} and {} more at other times, on average", entry.name, members.len() - 1),
            None => entry.name.clone(),
        },
        phase: workload.jobs[entry.members[0]].phase,
        iops: total(|of| of.ios),
        bytes_per_s: total(|of| of.bytes),
        latency_ns: latency(&stats),
        asked_iops,
        asked_bytes_per_s: asked_bytes,
        reached,
    }
}
