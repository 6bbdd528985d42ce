//! Recordings in a few words.

use dw_observe::checklist::{Row, RowId};
use dw_observe::*;
use dw_units::{Bytes, Duration, Throughput};

/// A recording that is being written.
pub struct Recording {
    pub recorder: Recorder,
    line: u64,
    file: u32,
}

pub const SECOND: i64 = 1_000_000_000;
/// 2026-11-23, a Monday, 08:00 UTC.
pub const MONDAY: i64 = 1_795_420_800 * SECOND;

pub fn utc(at: i64) -> Stamp {
    Stamp::Wall { ns: at, utc_offset_min: Some(0) }
}

impl Recording {
    pub fn new() -> Recording {
        Recording::with(RecorderOptions::default())
    }
    pub fn with(options: RecorderOptions) -> Recording {
        Recording::into(Recorder::new(options))
    }
    /// Into a recorder.
    pub fn into(recorder: Recorder) -> Recording {
        let mut recording = Recording { recorder, line: 0, file: 0 };
        recording.tool("iostat");
        recording
    }
    /// What follows is another file.
    pub fn file(&mut self, tool: &str) {
        self.file += 1;
        self.line = 0;
        self.tool(tool);
    }
    fn tool(&mut self, tool: &str) {
        self.fact(Fact::Tool(tool.into()));
    }
    pub fn fact(&mut self, fact: Fact) {
        self.take(Common::at(Stamp::Report { index: 0 }), Reading::Fact(fact));
    }
    pub fn take(&mut self, common: Common, reading: Reading) {
        self.line += 1;
        self.recorder.take(Origin { file: self.file, line: self.line }, common, reading);
    }
    /// A line that is not understood.
    pub fn damaged(&mut self) {
        self.line += 1;
        let fault = Fault { what: "x".into(), hint: String::new() };
        self.recorder.fault(Origin { file: self.file, line: self.line }, fault);
    }
    pub fn disk(&mut self, stamp: Stamp, device: &str, disk: DiskInterval) {
        self.take(Common::at(stamp), Reading::Disk { device: device.into(), role: Role::Unknown, disk });
    }
    /// `n` intervals of a second from Monday 08:00.
    pub fn disks(&mut self, device: &str, n: i64, disk: impl Fn(i64) -> DiskInterval) {
        for i in 1..=n {
            self.disk(utc(MONDAY + i * SECOND), device, disk(i));
        }
    }
    pub fn observe(self) -> Observation {
        self.observe_as(&Settings::default())
    }
    pub fn observe_as(self, settings: &Settings) -> Observation {
        observe(self.recorder, settings).unwrap()
    }
}

pub fn ms(ms: f64) -> Option<Duration> {
    Some(Duration::from_ns((ms * 1e6) as u64))
}

pub fn kib(n: f64) -> Option<Throughput> {
    Some(Throughput::bytes_per_second((n * 1024.0) as u64))
}

/// Reads and writes of 8 KiB at 1 ms, with a queue length that agrees.
pub fn load(reads: f64, writes: f64) -> DiskInterval {
    DiskInterval {
        reads_per_s: Some(reads),
        writes_per_s: Some(writes),
        read_throughput: kib(reads * 8.0),
        write_throughput: kib(writes * 8.0),
        read_latency: ms(1.0),
        write_latency: ms(1.0),
        queue_depth: Some((reads + writes) / 1000.0),
        ..DiskInterval::default()
    }
}

pub fn row(observation: &Observation, id: RowId) -> Row {
    observation.volumes[0].checklists[0].row(id).unwrap().clone()
}

/// The codes of what is doubted, each once.
pub fn codes(observation: &Observation) -> Vec<&'static str> {
    let mut codes: Vec<&str> = observation.findings.iter().map(|f| f.pitfall.code()).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

pub fn gib(n: u64) -> Bytes {
    Bytes::gib(n)
}
