//! What each job came to, where they do not all run at the same time or were asked for a rate: the table of the volumes adds up what
//! ran one after the other, and says nothing of what was asked.

use dw_sim::{DirectionResult, EntryResult};
use dw_workload::{Direction, Mix, Rate, Workload};

use super::Run;
use super::build::latency;
use super::summary::JobLine;
use dw_documents::format::{columns, iops, mega, milliseconds};

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

fn line(workload: &Workload, entry: &EntryResult) -> JobLine {
    let parts = || Direction::ALL.map(|d| (d, entry.load.get(d)));
    let per_second = |count: u64, of: &DirectionResult| {
        let seconds = of.runtime.ns() as f64 / 1e9;
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
        let jobs = entry.members.iter().map(|&job| &workload.jobs[job]).filter(|job| !idle && has(job.mix));
        let (mut requests, mut bytes) = (None, None);
        for rate in jobs.filter_map(|job| *job.rate.get(direction)) {
            let (sum, asked) = match rate {
                Rate::Iops(n) => (&mut requests, n as f64),
                Rate::BytesPerSecond(n) => (&mut bytes, n as f64),
            };
            *sum = Some(sum.unwrap_or(0.0) + asked);
        }
        for (sum, asked, found) in [(&mut asked_iops, requests, of.ios), (&mut asked_bytes, bytes, of.bytes)] {
            if let Some(asked) = asked {
                *sum = Some(sum.unwrap_or(0.0) + asked);
                reached = Some(reached.unwrap_or(true) && per_second(found, of) >= REACHED * asked);
            }
        }
    }
    JobLine {
        name: entry.name.clone(),
        phase: workload.jobs[entry.members[0]].phase,
        iops: total(|of| of.ios),
        bytes_per_s: total(|of| of.bytes),
        latency_ns: latency(&stats),
        asked_iops,
        asked_bytes_per_s: asked_bytes,
        reached,
    }
}

/// The table with its verdict; empty without lines.
pub fn text(lines: &[JobLine]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let ms = |value: Option<f64>| value.map_or("-".to_string(), milliseconds);
    let head = ["job", "IOPS", "MB/s", "asked", "mean ms", "p99 ms", ""];
    let mut rows = vec![head.map(str::to_string).to_vec()];
    for line in lines {
        let asked = match (line.asked_iops, line.asked_bytes_per_s) {
            (Some(asked), _) => format!("{} IOPS", iops(asked)),
            (None, Some(asked)) => format!("{} MB/s", mega(asked, 1e6)),
            (None, None) => "-".into(),
        };
        let verdict = match line.reached {
            Some(true) => "reached",
            Some(false) => "NOT REACHED",
            None => "",
        };
        rows.push(vec![
            line.name.clone(),
            iops(line.iops),
            mega(line.bytes_per_s, 1e6),
            asked,
            ms(line.latency_ns.as_ref().map(|l| l.mean)),
            ms(line.latency_ns.as_ref().map(|l| l.p99 as f64)),
            verdict.into(),
        ]);
    }
    let mut out = columns(&rows, &[0, 6]);
    let short: Vec<&str> = lines.iter().filter(|l| l.reached == Some(false)).map(|l| l.name.as_str()).collect();
    if !short.is_empty() {
        out += &format!("NOT REACHED by {}\n", short.join(", "));
    } else if lines.iter().any(|line| line.reached.is_some()) {
        out += "every job reaches the rate that it asks for\n";
    }
    out.push('\n');
    if lines.iter().any(|line| line.phase != lines[0].phase) {
        out += "Jobs ran one after the other; what follows adds all of them up.\n\n";
    }
    out
}
