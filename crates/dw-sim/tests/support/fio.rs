//! The same job file through real fio and through ours.
#![allow(dead_code)]

use dw_formats::fio::{FioInput, Keywords, ReadOptions, VolumeMap, read};
use dw_sim::{EntryResult, Progress, RunOptions, RunResult, run};
use dw_stack::StackSpec;
use dw_units::Duration;
use dw_workload::{Direction, Workload};
use std::process::{Command, Stdio};

/// What one entry of a result says, whoever wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub name: String,
    pub ios: [f64; 3],
    pub bytes: [f64; 3],
    /// Seconds.
    pub runtime: [f64; 3],
    /// Mean completion latency, seconds.
    pub clat: [f64; 3],
    pub syncs: f64,
    /// Share of depths by class, percent.
    pub depths: [f64; 7],
}

impl Entry {
    pub fn iops(&self, d: usize) -> f64 {
        if self.runtime[d] == 0.0 { 0.0 } else { self.ios[d] / self.runtime[d] }
    }
}

/// Whether this fio can be compared with; says so aloud when not.
pub fn can_run(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        eprintln!("SKIPPED: {program} is not installed");
    }
    found
}

/// Real fio's entries.
pub fn real(text: &str) -> Vec<Entry> {
    real_in(&tempfile::tempdir().unwrap(), text)
}

/// Real fio's entries, run in this folder.
pub fn real_in(folder: &tempfile::TempDir, text: &str) -> Vec<Entry> {
    let file = folder.path().join("job.fio");
    std::fs::write(&file, text).unwrap();
    let output = Command::new("fio").arg("--output-format=json").arg(&file).current_dir(folder).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let start = text.find("\n{").map_or_else(|| text.find('{'), |at| Some(at + 1));
    let start = start.unwrap_or_else(|| panic!("no JSON: {text}\n{}", String::from_utf8_lossy(&output.stderr)));
    let json: serde_json::Value = serde_json::from_str(&text[start..]).unwrap();
    let entry = |job: &serde_json::Value| {
        let of = |key: &str| ["read", "write", "trim"].map(|d| job[d][key].as_f64().unwrap());
        let level = |key| job["iodepth_level"][key].as_f64().unwrap();
        Entry {
            name: job["jobname"].as_str().unwrap().into(),
            ios: of("total_ios"),
            bytes: of("io_bytes"),
            runtime: of("runtime").map(|ms| ms / 1e3),
            clat: ["read", "write", "trim"].map(|d| job[d]["clat_ns"]["mean"].as_f64().unwrap() / 1e9),
            syncs: job["sync"]["total_ios"].as_f64().unwrap_or(0.0),
            depths: ["1", "2", "4", "8", "16", "32", ">=64"].map(level),
        }
    };
    json["jobs"].as_array().unwrap().iter().map(entry).collect()
}

/// Our result of the same job file; its files are on a volume mounted at `/data`.
pub fn virtual_run(spec: StackSpec, text: &str) -> RunResult {
    let workload = workload(&spec, text);
    run(spec, &workload, &RunOptions::default(), &Progress::default()).unwrap_or_else(|e| panic!("{text}\n{e}"))
}

/// What we read in a job file whose files are on the first volume, mounted at `/data`.
pub fn workload(spec: &StackSpec, text: &str) -> Workload {
    workload_of(spec, text, 1)
}

/// The same with this seed.
pub fn workload_of(spec: &StackSpec, text: &str, seed: u64) -> Workload {
    let files = [("job.fio".to_string(), text.to_string())];
    let size = spec.volumes[0].disks[0].size.get();
    let volumes = [VolumeMap { index: 0, name: "data".into(), mount: Some("/data".into()), device: None, size }];
    let input = FioInput {
        files: &files,
        overrides: &[],
        env: &|_| None,
        volumes: &volumes,
        options: ReadOptions { keywords: Keywords::default(), ..ReadOptions::default() },
        seed,
    };
    read(&input).unwrap_or_else(|errors| panic!("{text}\n{errors:?}")).workload
}

pub fn entry(result: &EntryResult) -> Entry {
    let of = |f: &dyn Fn(Direction) -> f64| Direction::ALL.map(f);
    let seconds = |d: Duration| d.ns() as f64 / 1e9;
    let depths: u64 = result.depth_levels.iter().sum();
    Entry {
        name: result.name.clone(),
        ios: of(&|d| result.load.get(d).ios as f64),
        bytes: of(&|d| result.load.get(d).bytes as f64),
        runtime: of(&|d| seconds(result.load.get(d).runtime)),
        clat: of(&|d| {
            let clat = &result.load.get(d).clat;
            if clat.count == 0 { 0.0 } else { clat.sum as f64 / clat.count as f64 / 1e9 }
        }),
        syncs: result.sync.count as f64,
        depths: result.depth_levels.map(|n| if depths == 0 { 0.0 } else { n as f64 * 100.0 / depths as f64 }),
    }
}

/// What `check` finds wrong with each of the cases, tried on several threads.
pub fn in_parallel<T: Sync>(threads: usize, cases: &[T], check: impl Fn(&T) -> Vec<String> + Sync) -> Vec<String> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let wrong = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                    wrong.lock().unwrap().extend(check(case));
                }
            });
        }
    });
    wrong.into_inner().unwrap()
}
