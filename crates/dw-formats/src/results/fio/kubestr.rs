//! What `kubestr fio` prints: fio's figures of each job, in words of its own.
//!
//! Rates are fio's, throughput is KiB/s. No group is printed, so nothing says which jobs ran together: each is a test of its own, and a
//! note says so.
//!
//! Source: kubestr's `pkg/fio`. Its JSON holds fio's own, which `json.rs` finds.
//!
//! Ignores: the statistics of disks.

use dw_messages::say;

use super::only;
use crate::results::number::{count, decimal, option_size};
use crate::results::text::Lines;
use crate::results::{Entry, Figures, Load, MeasuredRun, ResultFormat, Scope, Spread, Tool, Wrong, shown, wrong};

/// Whether a line begins its results.
pub(in crate::results) fn begins(line: &str) -> bool {
    line.starts_with("FIO version - ") || line.starts_with("JobName: ")
}

/// The number behind `key=`.
fn after(text: &str, key: &str) -> Option<f64> {
    let word = text.split_whitespace().find_map(|word| word.strip_prefix(key))?;
    decimal(word)
}

/// Reads every job.
pub(in crate::results) fn read(text: &str) -> Result<MeasuredRun, Wrong> {
    let mut run = MeasuredRun::new(ResultFormat::FioText, Tool::Fio);
    let (mut engine, mut direct) = (None, None);
    let mut writes = false;
    let mut end = 1;
    for line in Lines::new(text) {
        end = line.number;
        let said = line.text.trim();
        let option = |key: &str| said.split_whitespace().find_map(|word| word.strip_prefix(key)).map(str::to_string);
        if let Some(version) = said.strip_prefix("FIO version - ") {
            run.version = Some(version.to_string());
        } else if said.starts_with("Global options - ") {
            engine = option("ioengine=").filter(|text| !text.is_empty());
            direct = option("direct=").map(|text| text == "1");
        } else if let Some(name) = said.strip_prefix("JobName: ") {
            let mut entry = Entry::new(name, Scope::Job, line.number);
            entry.test = u32::try_from(run.entries.len()).unwrap_or(u32::MAX - 1);
            run.entries.push(entry);
        } else if said.starts_with("Disk stats") {
            break;
        } else if let Some(entry) = run.entries.last_mut() {
            if said.starts_with("blocksize=") {
                let pattern = option("rw=").filter(|text| !text.is_empty());
                entry.load = Load {
                    read_percent: pattern.as_deref().and_then(only),
                    random_percent: pattern.as_deref().map(|p| if p.starts_with("rand") { 100.0 } else { 0.0 }),
                    io_bytes: option("blocksize=").as_deref().and_then(option_size),
                    queue_depth: option("iodepth=").as_deref().and_then(count),
                    target_bytes: option("filesize=").as_deref().and_then(option_size),
                    pattern,
                    engine: engine.clone(),
                    direct,
                    workers: Some(1),
                    ..Load::default()
                };
            } else if matches!(said, "read:" | "write:") {
                writes = said == "write:";
            } else if said.starts_with("IOPS=") {
                let (Some(iops), Some(kib)) = (after(said, "IOPS="), after(said, "BW(KiB/s)=")) else {
                    let what = format!("IOPS and BW cannot be read in `{}`", shown(said));
                    return wrong(line.number, what, "give kubestr's unmodified output");
                };
                let figures = Figures { iops: Some(iops), bytes_per_s: Some(kib * 1024.0), ..Figures::default() };
                *(if writes { &mut entry.write } else { &mut entry.read }) = Some(figures);
            } else if let Some(spread) = said.strip_prefix("iops:") {
                let part = if writes { &mut entry.write } else { &mut entry.read };
                if let Some(figures) = part {
                    let [min, max, mean] = ["min=", "max=", "avg="].map(|key| after(spread, key));
                    figures.iops_samples = Some(Spread { min, max, mean, stddev: None, samples: None });
                }
            }
        }
    }
    if run.entries.iter().all(|entry| entry.read.is_none() && entry.write.is_none()) {
        return wrong(end, "names its jobs but has no results", "let kubestr finish: it prints results last");
    }
    if run.entries.len() > 1 {
        let text = "kubestr prints no groups: each job is read as a test of its own, though jobs without `stonewall` ran together";
        run.note(1, say!(Plain { text }));
    }
    Ok(run)
}
