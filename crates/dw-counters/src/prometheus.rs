//! `query_range` of Prometheus over the counters of node_exporter or windows_exporter.
//!
//! `{data: {resultType: "matrix", result: [{metric: {__name__, instance, device}, values: [[seconds, "n"], ...]}]}}`. The
//! counters themselves are read, not `rate()` of them, whose result has no name and hides resets; the series of a disk are
//! joined by time, so memory grows with the file. Seconds and bytes. A machine is called as `instance` says, or the label that
//! stands for it where a relabelling took that away; two series that differ in nothing that is known here are said to be several machines.
//!
//! Ignores: other metrics; `device` of file systems.

use std::collections::BTreeMap;
use std::io::BufRead;

use dw_observe::{Common, CpuCounters, DiskCounters, Fact, Memory, Name, Reading, Role, Stamp};
use dw_units::Bytes;
use serde_json::Value;

use super::CounterError;
use super::json_items::{Piece, pieces};
use super::out::{MOST_JOINED, Out};
use super::stamp::unix;

#[derive(Default)]
struct Instant {
    line: u64,
    disks: BTreeMap<Name, DiskCounters>,
    cpu: Option<CpuCounters>,
    memory: Memory,
}

/// Machine, metric, device, and what else parts series.
type Series = (Option<Name>, Name, Name, Name);

/// Series of one key: the values, of which none may have two at one time, and the labels of each with its first and last time.
#[derive(Default)]
struct Known {
    values: BTreeMap<i64, f64>,
    labels: Vec<(BTreeMap<String, String>, i64, i64)>,
}

impl Known {
    /// The label in which another series differs that goes on at the same time. One that follows another is the same machine, started
    /// again under another name of its pod.
    fn differs(&self, labels: &BTreeMap<String, String>, begins: i64, ends: i64) -> Option<String> {
        let at_once = |(known, from, to): &&(BTreeMap<String, String>, i64, i64)| {
            known != labels && begins <= *to && *from <= ends
        };
        let (known, ..) = self.labels.iter().find(at_once)?;
        let mut keys = known.keys().chain(labels.keys());
        keys.find(|key| known.get(*key) != labels.get(*key)).cloned()
    }
}

#[derive(Default)]
struct State {
    /// By machine and nanosecond.
    instants: BTreeMap<(Option<Name>, i64), Instant>,
    processors: BTreeMap<(Option<Name>, String), ()>,
    known: BTreeMap<Series, Known>,
    pairs: u64,
    twice: bool,
    unnamed: bool,
}

/// How metrics of disks begin.
const DISKS: [&str; 3] = ["node_disk_", "windows_logical_disk_", "windows_physical_disk_"];

/// What processors do, of both exporters.
const MODES: [&str; 14] = [
    "user",
    "nice",
    "system",
    "idle",
    "iowait",
    "irq",
    "softirq",
    "steal",
    "guest",
    "guest_nice",
    "dpc",
    "interrupt",
    "privileged",
    "",
];

/// Labels that name a machine, the surest first.
const MACHINE: [&str; 8] = ["instance", "nodename", "node", "hostname", "host", "kubernetes_node", "vm", "pod"];

/// Reads to the end; the last line.
pub(super) fn read(input: &mut dyn BufRead, out: &mut Out<'_>) -> Result<u64, CounterError> {
    let mut state = State::default();
    let name = out.options.name;
    let last = pieces(input, name, &["result"], &mut |piece| match piece {
        Piece::Scalar { .. } => Ok(()),
        Piece::Bad { line, what } => out.fault(line, what, "this series is ignored".into()),
        Piece::Item { line, value, cut, .. } => {
            if cut {
                let hint = "its complete part is used; copy the file again".to_string();
                out.fault(line, "the file ends inside a series".into(), hint)?;
            }
            state.series(&value, line, out)
        }
    })?;
    state.flush(out)?;
    Ok(last)
}

impl State {
    fn series(&mut self, value: &Value, line: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        let label = |key: &str| value.get("metric").and_then(|m| m.get(key)).and_then(Value::as_str);
        let Some(name) = label("__name__") else {
            if !std::mem::replace(&mut self.unnamed, true) {
                let what = "a series without a name: `rate()` drops it, and hides resets".to_string();
                let hint =
                    "query the counter itself: {__name__=~\"node_disk_.*|node_cpu_seconds_total|node_memory_Mem.*\"}";
                out.fault(line, what, hint.into())?;
            }
            return Ok(());
        };
        let machine = MACHINE.iter().find_map(|key| label(key));
        let machine = machine.map(|i| i.rsplit_once(':').map_or(i, |(host, _)| host));
        let machine = machine.map(|machine| out.name(machine.as_bytes()));
        let device = label("device").or_else(|| label("volume")).or_else(|| label("disk"));
        let is_disk = DISKS.iter().any(|prefix| name.starts_with(prefix));
        let device = match device {
            Some(device) if is_disk => Some(out.device(line, device.as_bytes())?),
            Some(device) => Some(out.name(device.as_bytes())),
            None if is_disk => {
                let what = format!("a series of `{name}` has no device");
                return out.fault(line, what, "it is not used; do not sum over the label `device`".into());
            }
            None => None,
        };
        if matches!(name, "node_cpu_seconds_total" | "windows_cpu_time_total")
            && let Some(cpu) = label("cpu").or_else(|| label("core"))
        {
            self.processors.insert((machine.clone(), cpu.into()), ());
        }
        let mode = label("mode").unwrap_or_default();
        if matches!(name, "node_cpu_seconds_total" | "windows_cpu_time_total") && !MODES.contains(&mode) {
            let what = format!("`{mode}` is not a CPU mode");
            return out.fault(line, what, "this series is ignored".into());
        }
        let part = label("cpu").or_else(|| label("core")).unwrap_or_default();
        let part = out.name(format!("{part} {mode}").as_bytes());
        let series = (machine.clone(), out.name(name.as_bytes()), device.clone().unwrap_or_default(), part);
        let pairs = value.get("values").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let time = |pair: &Value| match pair.get(0).and_then(Value::as_f64).and_then(unix) {
            Some(Stamp::Wall { ns, .. }) => Some(ns),
            _ => None,
        };
        if let (true, Some(begins), Some(ends)) =
            (is_read(name), pairs.iter().filter_map(time).min(), pairs.iter().filter_map(time).max())
        {
            let labels = value.get("metric").and_then(Value::as_object).into_iter().flatten();
            let labels: BTreeMap<String, String> =
                labels.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_string()))).collect();
            let known = self.known.entry(series.clone()).or_default();
            if let Some(label) = known.differs(&labels, begins, ends) {
                if !std::mem::replace(&mut self.twice, true) {
                    let of = device.as_deref().map_or(String::new(), |device| format!(" of {device}"));
                    let what = format!("`{name}`{of} is there twice, with another `{label}`: two machines in one file");
                    let hint = "the first is used; query one machine: `{instance=\"HOST:9100\"}`";
                    out.fault(line, what, hint.into())?;
                }
                return Ok(());
            }
            known.labels.push((labels, begins, ends));
        }
        for pair in pairs {
            let seconds = pair.get(0).and_then(Value::as_f64);
            let number = pair.get(1).and_then(|v| v.as_f64().or_else(|| v.as_str()?.parse().ok()));
            let (Some(Stamp::Wall { ns, .. }), Some(number)) = (seconds.and_then(unix), number) else {
                out.fault(line, format!("`{pair}` is not a pair of time and value"), "it is not used".into())?;
                continue;
            };
            if !number.is_finite() {
                continue;
            }
            if number.is_sign_negative() {
                out.fault(line, format!("`{name}` is {number}, below zero"), "it is not used".into())?;
                continue;
            }
            self.pairs += 1;
            if self.pairs > MOST_JOINED {
                return Err(out.too_much(line));
            }
            if let Some(first) = self.known.entry(series.clone()).or_default().values.insert(ns, number)
                && first != number
            {
                if !std::mem::replace(&mut self.twice, true) {
                    let of = device.as_deref().map_or(String::new(), |device| format!(" of {device}"));
                    let what = format!(
                        "`{name}`{of} has two values at one time, {first} and {number}: two machines in one file"
                    );
                    out.fault(line, what, "query one machine: `{instance=\"HOST:9100\"}`".into())?;
                }
                continue;
            }
            let instant = self.instants.entry((machine.clone(), ns)).or_default();
            instant.put(name, device.as_ref(), mode, number);
            if instant.line == 0 {
                instant.line = line;
            }
        }
        Ok(())
    }

    fn flush(self, out: &mut Out<'_>) -> Result<(), CounterError> {
        let mut common = Common::at(Stamp::Report { index: 0 });
        out.fact(1, &common, Fact::Tool("Prometheus".into()));
        for ((machine, ns), instant) in self.instants {
            if let Some(name) = &machine {
                out.machine(instant.line, name)?;
            }
            let cpus = self
                .processors
                .range((machine.clone(), String::new())..)
                .take_while(|((m, _), ())| *m == machine)
                .count();
            common.machine = machine;
            common.stamp = Stamp::Wall { ns, utc_offset_min: Some(0) };
            for (device, counters) in instant.disks {
                out.take(instant.line, &common, Reading::DiskCounters { device, role: Role::Unknown, counters });
            }
            if let Some(cpu) = instant.cpu {
                let cpus = u32::try_from(cpus).ok().filter(|&n| n > 0);
                out.take(instant.line, &common, Reading::CpuCounters(CpuCounters { cpus, ..cpu }));
            }
            if instant.memory != Memory::default() {
                out.take(instant.line, &common, Reading::Memory(instant.memory));
            }
        }
        Ok(())
    }
}

/// Whether a metric is one that is read here.
fn is_read(name: &str) -> bool {
    DISKS.iter().any(|prefix| name.starts_with(prefix))
        || matches!(
            name,
            "node_memory_MemTotal_bytes"
                | "node_memory_MemAvailable_bytes"
                | "windows_memory_available_bytes"
                | "windows_memory_physical_free_bytes"
                | "windows_memory_physical_total_bytes"
                | "windows_cs_physical_memory_bytes"
                | "node_cpu_seconds_total"
                | "windows_cpu_time_total"
        )
}

impl Instant {
    fn put(&mut self, name: &str, device: Option<&Name>, mode: &str, value: f64) {
        if let Some(name) = name.strip_prefix("node_memory_") {
            match name {
                "MemTotal_bytes" => self.memory.total = Some(Bytes::new(value as u64)),
                "MemAvailable_bytes" => self.memory.available = Some(Bytes::new(value as u64)),
                _ => {}
            }
            return;
        }
        match name {
            "windows_memory_available_bytes" | "windows_memory_physical_free_bytes" => {
                self.memory.available = Some(Bytes::new(value as u64));
            }
            "windows_memory_physical_total_bytes" | "windows_cs_physical_memory_bytes" => {
                self.memory.total = Some(Bytes::new(value as u64));
            }
            "node_cpu_seconds_total" | "windows_cpu_time_total" => {
                // Guests are counted in user time too.
                if mode.starts_with("guest") {
                    return;
                }
                let cpu = self.cpu.get_or_insert_with(CpuCounters::default);
                cpu.total_ns += value * 1e9;
                match mode {
                    "idle" => cpu.idle_ns += value * 1e9,
                    "iowait" => cpu.iowait_ns = Some(cpu.iowait_ns.unwrap_or(0.0) + value * 1e9),
                    "steal" => cpu.steal_ns = Some(cpu.steal_ns.unwrap_or(0.0) + value * 1e9),
                    _ => {}
                }
            }
            _ => {
                if let Some(device) = device {
                    self.put_disk(name, device, value);
                }
            }
        }
    }

    fn put_disk(&mut self, name: &str, device: &Name, value: f64) {
        let Some(metric) = DISKS.iter().find_map(|prefix| name.strip_prefix(prefix)) else { return };
        let mut counters = self.disks.get(device).copied().unwrap_or_default();
        let ns = Some(value * 1e9);
        let value = Some(value);
        match metric {
            "reads_completed_total" | "reads_total" => counters.reads = value,
            "writes_completed_total" | "writes_total" => counters.writes = value,
            "read_bytes_total" => counters.read_bytes = value,
            "written_bytes_total" | "write_bytes_total" => counters.write_bytes = value,
            "reads_merged_total" => counters.read_merges = value,
            "writes_merged_total" => counters.write_merges = value,
            "read_time_seconds_total" | "read_latency_seconds_total" => counters.read_time_ns = ns,
            "write_time_seconds_total" | "write_latency_seconds_total" => counters.write_time_ns = ns,
            "io_time_seconds_total" => counters.busy_time_ns = ns,
            "io_time_weighted_seconds_total" => counters.queue_time_ns = ns,
            "io_now" | "requests_queued" => counters.queue_depth_now = value,
            "discards_completed_total" => counters.discards = value,
            "discarded_sectors_total" => counters.discard_bytes = value.map(|sectors| sectors * 512.0),
            "discard_time_seconds_total" => counters.discard_time_ns = ns,
            "flush_requests_total" => counters.flushes = value,
            "flush_requests_time_seconds_total" => counters.flush_time_ns = ns,
            _ => return,
        }
        self.disks.insert(device.clone(), counters);
    }
}
