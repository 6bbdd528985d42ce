//! Several runs in one file, one after the other: a script that appends, `tee -a`, `cat *.txt`.
//!
//! Each run is read as a file of its own would be, in the lines where it stands; its tests follow those of the runs before.

use dw_error::line_of;
use dw_messages::say;

use super::{MeasuredRun, Wrong};

/// Reads a text run by run; runs begin at `starts` (in bytes, the first of them before anything of a run). A run without a result is noted
/// where others have one.
pub(super) fn each(
    text: &str,
    starts: &[usize],
    read: impl Fn(&str) -> Result<MeasuredRun, Wrong>,
) -> Result<MeasuredRun, Wrong> {
    if starts.len() < 2 {
        return read(text);
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let (mut runs, mut failed): (Vec<MeasuredRun>, Vec<Wrong>) = (Vec::new(), Vec::new());
    for (number, (&start, end)) in starts.iter().zip(ends).enumerate() {
        // What stands before the first run belongs to it.
        let start = if number == 0 { 0 } else { start };
        // Empty lines keep the numbers of those that follow.
        let before = "\n".repeat(line_of(text, start) as usize - 1);
        match read(&(before + &text[start..end])) {
            Ok(run) => runs.push(run),
            Err(wrong) => failed.push(wrong),
        }
    }
    match joined(runs) {
        Some(mut run) => {
            for Wrong { line, what, .. } in failed {
                run.note(line, say!(Plain { text: what }));
            }
            Ok(run)
        }
        None => Err(failed.remove(0)),
    }
}

/// Runs as one record: their tests are consecutive.
pub(super) fn joined(runs: Vec<MeasuredRun>) -> Option<MeasuredRun> {
    let mut runs = runs.into_iter();
    let mut all = runs.next()?;
    for run in runs {
        let (tests, entries) = (all.tests(), all.entries.len());
        let options = run.options;
        if options != all.options {
            // What one run has for all of its entries is not said of those of another.
            let before = std::mem::take(&mut all.options);
            all.entries.iter_mut().for_each(|entry| drop(entry.options.splice(0..0, before.iter().cloned())));
        }
        let own = if options == all.options { Vec::new() } else { options };
        for mut entry in run.entries {
            entry.test = entry.test.saturating_add(tests).min(u32::MAX - 1);
            entry.included_in = entry.included_in.map(|at| at + entries);
            entry.options.splice(0..0, own.iter().cloned());
            all.entries.push(entry);
        }
        all.documents = all.documents.saturating_add(run.documents);
        all.version = run.version.or(all.version);
        for disk in run.disks {
            if all.disks.iter().all(|known| known.name != disk.name) {
                all.disks.push(disk);
            }
        }
        all.notes.extend(run.notes);
    }
    Some(all)
}
