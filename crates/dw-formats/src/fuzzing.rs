//! Doors for fuzzers: plain functions over bytes that must return whatever comes.

use crate::diskspd::{self, DiskSpdInput, Source};
use crate::fio::{FioErrors, FioInput, FioJobs, ReadOptions, VolumeMap, read};
use crate::{iometer, results, vdbench};

/// Reads arbitrary bytes as a fio job file on two volumes.
///
/// # Panics
/// When an error names no line, or a job that is accepted reaches beyond its volume: what the fuzzer looks for.
pub fn fio_job(bytes: &[u8]) -> Result<FioJobs, FioErrors> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let lines = text.lines().count().max(1);
    let volume = |index, name: &str, mount: &str, size| VolumeMap {
        index,
        name: name.into(),
        mount: Some(mount.into()),
        device: Some(format!("/dev/{name}0")),
        size,
    };
    let volumes = [volume(0, "data", "/mnt/data", 1 << 40), volume(1, "log", "/mnt/log", 1 << 36)];
    let input = FioInput {
        files: &[("fuzz.fio".into(), text)],
        overrides: &[],
        env: &|name| (name == "SIZE").then(|| "1g".into()),
        volumes: &volumes,
        options: ReadOptions::default(),
        seed: 1,
    };
    let result = read(&input);
    match &result {
        Ok(jobs) => {
            for job in &jobs.workload.jobs {
                assert!(job.queue_depth > 0 && !job.files.is_empty(), "a job without depth or file: {job:?}");
                for file in job.files.iter().filter(|_| !job.null_engine) {
                    let end = file.start.checked_add(file.offset).and_then(|s| s.checked_add(file.len));
                    let size = volumes.iter().find(|v| v.index == file.volume).map(|v| v.size);
                    assert!(end <= size && file.len > 0, "a file beyond its volume: {file:?}");
                }
            }
        }
        Err(errors) => {
            assert!(!errors.0.is_empty(), "refused without an error");
            for error in &errors.0 {
                assert!(
                    (1..=lines).contains(&error.line) && !error.what.is_empty(),
                    "an error without a line: {error:?}"
                );
            }
        }
    }
    result
}

/// Reads arbitrary bytes as a DiskSpd command line, as a profile, and as an Iometer configuration.
///
/// # Panics
/// When an error names no place, or a job that is accepted reaches beyond its volume: what the fuzzer looks for.
pub fn other_loads(bytes: &[u8]) -> usize {
    let text = String::from_utf8_lossy(bytes);
    let volume = |index, name: &str, mount: &str, size| VolumeMap {
        index,
        name: name.into(),
        mount: Some(mount.into()),
        device: None,
        size,
    };
    let volumes = [volume(0, "data", "F:", 1 << 40), volume(1, "log", "/mnt/log", 1 << 36)];
    let read_profile = &|_: &str| Ok(text.to_string());
    let as_diskspd = |source| diskspd::read(&DiskSpdInput { source, volumes: &volumes, seed: 1, read_profile });
    let results = [
        as_diskspd(Source::CommandLine(&text)),
        as_diskspd(Source::Profile { name: "fuzz.xml", text: &text }),
        iometer::read("fuzz.icf", &text, &volumes, 1),
        vdbench::read("fuzz.parm", &text, &volumes, 1),
    ];
    let _ = (diskspd::is_profile(&text), iometer::is_icf(&text), vdbench::is_parameters(&text));
    let accepted = results.iter().filter(|result| result.is_ok()).count();
    for result in results {
        match result {
            Ok(jobs) => {
                for file in jobs.workload.jobs.iter().flat_map(|job| &job.files) {
                    let end = file.start.checked_add(file.offset).and_then(|s| s.checked_add(file.len));
                    let size = volumes.iter().find(|v| v.index == file.volume).map(|v| v.size);
                    assert!(end.is_some() && end <= size && file.len > 0, "a file beyond its volume: {file:?}");
                }
            }
            Err(errors) => {
                assert!(!errors.0.is_empty(), "refused without an error");
                let named = |e: &crate::fio::FioError| e.line > 0 && !e.what.is_empty() && !e.hint.is_empty();
                assert!(errors.0.iter().all(named), "an error without a place or a hint: {errors:?}");
            }
        }
    }
    accepted
}

/// Reads an arbitrary text as a result of a benchmark.
///
/// # Panics
/// When an error names no line of the text or no hint, or a result is not valid JSON, or an entry is part of one that is not there:
/// what the fuzzer looks for.
pub fn result(text: &str) -> bool {
    match results::read("fuzz", text) {
        Ok(run) => {
            assert!(serde_json::to_string(&run).is_ok(), "no JSON");
            for (n, entry) in run.entries.iter().enumerate() {
                assert!(entry.line > 0, "an entry without a line");
                let within = entry.included_in;
                assert!(within.is_none_or(|at| at != n && at < run.entries.len()), "part of nothing: {entry:?}");
                let _ = entry.total();
            }
            true
        }
        Err(error) => {
            assert!(error.line > 0 && !error.what.is_empty() && !error.hint.is_empty(), "no place: {error:?}");
            false
        }
    }
}
