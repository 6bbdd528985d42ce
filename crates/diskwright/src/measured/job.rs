//! What a raw result says was asked for, as a fio job on the model's volumes: what predictions of it are made with.
//!
//! The record has each tool's pattern, size and depth; where fio printed its options, its rates, pauses and distributions are
//! kept as they were. It runs on the whole volume, without a map of used blocks: that needs no memory, and where the file was does
//! not matter without a cache.

use std::fmt::Write as _;

use dw_formats::results::{Entry, MeasuredRun, Setting};

/// Options of fio that change the load beyond pattern, size and depth.
const KEPT: [&str; 19] = [
    "rate",
    "rate_iops",
    "rate_process",
    "thinktime",
    "thinktime_blocks",
    "thinktime_blocks_type",
    "thinktime_spin",
    "bsrange",
    "bssplit",
    "blockalign",
    "percentage_random",
    "random_distribution",
    "iodepth_batch",
    "iodepth_low",
    "iodepth_batch_complete_min",
    "iodepth_batch_complete_max",
    "fsync",
    "fdatasync",
    "io_submit_mode",
];
/// Longest time that a prediction simulates: latency below a limit settles much earlier.
const SECONDS_MAX: f64 = 30.0;

/// The job of a test whose entries are on these volumes; nothing when the result does not say what was asked for.
pub fn text(run: &MeasuredRun, entries: &[(&Entry, &str)]) -> Option<String> {
    let mut out = String::from("[global]\nioengine=libaio\ndirect=1\ntime_based\nnorandommap\n");
    for (number, (entry, volume)) in entries.iter().enumerate() {
        let alike = entries.iter().filter(|(e, v)| e.name == entry.name && v == volume).count() as u64;
        let _ = writeln!(out, "[job{number}]\nfilename=/dev/{volume}");
        section(&mut out, run, entry, alike)?;
    }
    Some(out)
}

fn section(out: &mut String, run: &MeasuredRun, entry: &Entry, alike: u64) -> Option<()> {
    let load = &entry.load;
    let figures = entry.read.as_ref().or(entry.write.as_ref())?;
    let size = load.io_bytes.or_else(|| Some(figures.bytes? / figures.ios?.max(1)))?;
    let depth = load.queue_depth?;
    // Clones that report apart are entries of their own, each of which says how many there are.
    let clones = (load.workers.unwrap_or(1) / alike.max(1)).max(1);
    let seconds = entry.elapsed_s.unwrap_or(SECONDS_MAX).clamp(1.0, SECONDS_MAX);
    let _ = writeln!(out, "rw={}\nbs={size}\niodepth={depth}\nnumjobs={clones}", pattern(entry)?);
    let _ = writeln!(out, "runtime={}ms", (seconds * 1e3).round());
    if let Some(percent) = load.read_percent.filter(|p| *p > 0.0 && *p < 100.0) {
        let _ = writeln!(out, "rwmixread={}", percent.round());
    }
    let all = run.options.iter().chain(&entry.options);
    for Setting { name, value } in all.filter(|s| KEPT.contains(&s.name.as_str())) {
        let _ = if value.is_empty() { writeln!(out, "{name}") } else { writeln!(out, "{name}={value}") };
    }
    Some(())
}

/// In fio's words; from the shares of reads and of random requests where the tool prints those.
fn pattern(entry: &Entry) -> Option<String> {
    let load = &entry.load;
    if load.pattern.is_some() {
        return load.pattern.clone();
    }
    let word = match load.read_percent? {
        p if p >= 100.0 => "read",
        p if p <= 0.0 => "write",
        _ => "rw",
    };
    Some(if load.random_percent? > 0.0 { format!("rand{word}") } else { word.into() })
}
