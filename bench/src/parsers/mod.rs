//! How fast recordings are read: our importers next to pandas, polars, jc and blkparse, on the same files; and the memory of a
//! gigabyte.
//!
//! "read" ends at the readings, as the others end at their tables; "to the checklist" is all of `observe`. Times are processor
//! time: of this thread for us, of the process and its threads for the others, without their start and imports.
//!
//! Ignores: disks, because files are read once before, and stay in memory.

mod files;

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::process::Command;

use dw_counters::{self as counters, Options};
use dw_observe::{Common, Fault, Origin, Reading, Recorder, RecorderOptions, Settings, Sink};
use files::Kind;

use crate::bench::{Bench, Row, Sample, Size, Unit};
use crate::{clock, peers::python};

/// Readings that the program keeps.
const KEPT: usize = diskwright::observe::READINGS;

pub fn bench() -> Bench {
    let row = |name, run| Row { name, unit: Unit::MegabytesPerSecond, target: None, peer: None, run };
    let against = |peer, name, run| Row { peer: Some(peer), ..row(name, run) };
    Bench {
        name: "parsers",
        is_for: "how long recordings of gigabytes take, next to the parsers in use; the memory they need",
        not_for: "how fast a disk can read them; awkward files, which the fixtures have",
        rows: vec![
            against("parsers/iostat, jc", "iostat, read", |s| ours(Kind::Iostat, s)),
            row("iostat, to the checklist", |s| checklist(Kind::Iostat, s)),
            row("iostat, jc", |s| theirs("jc", Kind::Iostat, s.pick(20_000, 4 << 20))),
            against("parsers/PerfMon, polars", "PerfMon, read", |s| ours(Kind::Perfmon, s)),
            row("PerfMon, to the checklist", |s| checklist(Kind::Perfmon, s)),
            row("PerfMon, pandas", |s| theirs("pandas", Kind::Perfmon, bytes(s))),
            row("PerfMon, polars", |s| theirs("polars", Kind::Perfmon, bytes(s))),
            against("parsers/blktrace, blkparse", "blktrace, read", |s| ours(Kind::Blktrace, s)),
            row("blktrace, to the checklist", |s| checklist(Kind::Blktrace, s)),
            row("blktrace, blkparse", |s| theirs("blkparse", Kind::Blktrace, bytes(s))),
            Row { unit: Unit::Megabytes, ..row("memory of 1 GB of iostat", |s| memory(Kind::Iostat, s)) },
            Row { unit: Unit::Megabytes, ..row("memory of 1 GB of PerfMon", |s| memory(Kind::Perfmon, s)) },
            Row { unit: Unit::Megabytes, ..row("memory of 1 GB of blktrace", |s| memory(Kind::Blktrace, s)) },
        ],
    }
}

fn bytes(size: Size) -> u64 {
    size.pick(200_000, 64 << 20)
}

/// Counts readings and keeps none.
#[derive(Debug, Default)]
struct Count(u64, u64);

impl Sink for Count {
    fn take(&mut self, _: Origin, _: Common, reading: Reading) {
        std::hint::black_box(reading);
        self.0 += 1;
    }
    fn fault(&mut self, _: Origin, _: Fault) {
        self.1 += 1;
    }
}

/// A file of this kind and its size; it is gone with its folder.
fn written(kind: Kind, bytes: u64) -> Result<(tempfile::TempDir, std::path::PathBuf, u64), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let path = folder.path().join("sdb.blktrace.0");
    let length = files::write(kind, &path, bytes)?;
    Ok((folder, path, length))
}

fn read(path: &Path, sink: &mut dyn Sink) -> Result<counters::Summary, String> {
    let file = File::open(path).map_err(|e| e.to_string())?;
    let options = Options { name: "file", ..Options::default() };
    counters::read(BufReader::with_capacity(1 << 18, file), &options, sink).map_err(|e| e.to_string())
}

fn ours(kind: Kind, size: Size) -> Result<Sample, String> {
    let (_folder, path, length) = written(kind, bytes(size))?;
    let mut count = Count::default();
    let (result, time) = clock::timed(|| read(&path, &mut count));
    result?;
    if count.1 > 0 { Err(format!("{} damaged lines", count.1)) } else { Ok(Sample::timed(length, time)) }
}

fn checklist(kind: Kind, size: Size) -> Result<Sample, String> {
    let (_folder, path, length) = written(kind, bytes(size))?;
    let (result, time) = clock::timed(|| observe(&path));
    result.map(|_| Sample::timed(length, time))
}

/// What `diskwright observe` does with one file.
pub fn observe(path: &Path) -> Result<dw_observe::Observation, String> {
    let settings = Settings::default();
    let mut recorder = Recorder::bounded(RecorderOptions::default(), &settings, KEPT);
    read(path, &mut recorder)?;
    dw_observe::observe(recorder, &settings).map_err(|e| e.to_string())
}

fn theirs(tool: &str, kind: Kind, bytes: u64) -> Result<Sample, String> {
    let (_folder, path, _) = written(kind, bytes)?;
    python::script("bench/peers/parsers.py", &[tool, &path.display().to_string()])
}

/// The largest memory of a process of its own, and the bytes of its file.
fn memory(kind: Kind, size: Size) -> Result<Sample, String> {
    let (_folder, path, length) = written(kind, size.pick(200_000, 1_000_000_000))?;
    let this = std::env::current_exe().map_err(|e| e.to_string())?;
    // Under test this is the test's binary, which knows no such option: it measures itself.
    if cfg!(test) {
        observe(&path)?;
        return Ok(Sample { amount: peak()?, ..Sample::timed(length, std::time::Duration::ZERO) });
    }
    let output = Command::new(this).arg("--observe").arg(&path).output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let amount = text.trim().parse().map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned())?;
    Ok(Sample { amount, ..Sample::timed(length, std::time::Duration::ZERO) })
}

/// The largest memory of this process so far, in bytes.
pub fn peak() -> Result<f64, String> {
    let status = std::fs::read_to_string("/proc/self/status").map_err(|e| e.to_string())?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib: Option<f64> = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok());
    kib.map(|kib| kib * 1024.0).ok_or_else(|| "the kernel does not say how much memory was used".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_whole() {
        for (kind, least) in [(Kind::Iostat, 900), (Kind::Perfmon, 1_200), (Kind::Blktrace, 4_000)] {
            let (_folder, path, length) = written(kind, 200_000).unwrap();
            let mut count = Count::default();
            read(&path, &mut count).unwrap();
            assert!(count.0 > least && count.1 == 0 && length >= 200_000, "{kind:?}: {count:?}");
            let observation = observe(&path).unwrap();
            assert!(!observation.volumes.is_empty() && observation.damaged_lines == 0, "{kind:?}");
        }
    }

    #[test]
    fn memory_is_that_of_a_process() {
        assert!(peak().unwrap() > 1e6);
    }
}
