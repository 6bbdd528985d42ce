//! JSON of sysstat: `iostat -o JSON` and `sadf -j`, which share their frame.
//!
//! `sysstat.hosts[].statistics[]`: iostat puts `avg-cpu` and `disk` (device `disk_device`) there, sadf `timestamp`,
//! `cpu-load`, `io`, `memory` and `disk` (`disk-device`). Figures are known by name; their order differs from that of the
//! text. sadf's restarts are passed on with their instant, so that no interval spans one.
//!
//! Ignores: all other statistics.

use std::io::BufRead;

use dw_observe::{Common, CpuInterval, DiskInterval, Fact, Reading, Role, Span, Stamp};
use dw_units::Duration;
use serde_json::Value;

use super::CounterError;
use super::disk_columns::Column;
use super::json_items::{Piece, pieces};
use super::out::Out;
use super::sections::memory;
use super::stamp::{Stamps, date_and_time};

struct State {
    common: Common,
    stamps: Stamps,
    reports: u64,
    cpus: Option<u32>,
    first: bool,
    named: bool,
}

/// Reads to the end; the last line.
pub(super) fn read(input: &mut dyn BufRead, out: &mut Out<'_>) -> Result<u64, CounterError> {
    let common = Common::at(Stamp::Report { index: 0 });
    let mut state = State { common, stamps: Stamps::default(), reports: 0, cpus: None, first: true, named: false };
    let name = out.options.name;
    pieces(input, name, &["statistics", "restarts"], &mut |piece| state.piece(piece, out))
}

impl State {
    fn piece(&mut self, piece: Piece, out: &mut Out<'_>) -> Result<(), CounterError> {
        match piece {
            Piece::Scalar { key, text, .. } => self.scalar(&key, &text, out),
            Piece::Bad { line, what } => out.fault(line, what, "nothing of this report is used".into()),
            Piece::Item { array, line, value, cut, .. } => {
                if cut {
                    let what = "the file ends inside a report".to_string();
                    out.fault(line, what, "what is complete of it is used; copy the file again".into())?;
                }
                if array == "restarts" {
                    if let Some(stamp) = value.get("boot").and_then(stamp_of) {
                        let common = Common { stamp, interval: None, ..self.common.clone() };
                        out.take(line, &common, Reading::Restart);
                    }
                    return Ok(());
                }
                self.report(&value, line, out)
            }
        }
    }

    fn scalar(&mut self, key: &str, text: &str, out: &mut Out<'_>) -> Result<(), CounterError> {
        match key {
            "nodename" => {
                let name = out.name(text.as_bytes());
                self.common.machine = Some(name.clone());
                self.first = true;
                out.machine(1, &name)?;
            }
            "release" => {
                let kernel = out.name(text.as_bytes());
                out.fact(1, &self.common, Fact::Kernel(kernel));
            }
            "number-of-cpus" => {
                self.cpus = text.parse().ok();
                if let Some(cpus) = self.cpus {
                    out.fact(1, &self.common, Fact::Cpus(cpus));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn report(&mut self, value: &Value, line: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        if !std::mem::replace(&mut self.named, true) {
            // Only sadf has an object there; iostat has text, or nothing.
            let sadf = value.get("timestamp").is_some_and(Value::is_object);
            out.fact(line, &self.common, Fact::Tool(if sadf { "sadf -j" } else { "iostat, JSON" }.into()));
        }
        self.common.stamp = Stamp::Report { index: self.reports };
        self.common.interval = None;
        self.common.span = Span::Interval;
        match value.get("timestamp") {
            Some(Value::String(text)) => {
                let words: Vec<&str> = text.split_whitespace().collect();
                match self.stamps.read(&words, line, out)? {
                    Some(stamp) => self.common.stamp = stamp,
                    None => out.fault(
                        line,
                        format!("`{text}` is not a date and time"),
                        "the report is used without it".into(),
                    )?,
                }
            }
            Some(object @ Value::Object(_)) => {
                match stamp_of(object) {
                    Some(stamp) => self.common.stamp = stamp,
                    None => out.fault(
                        line,
                        format!("`{object}` is not a date and time"),
                        "the report is used without it".into(),
                    )?,
                }
                let seconds = object.get("interval").and_then(Value::as_f64).filter(|s| *s > 0.0);
                self.common.interval = seconds.map(|s| Duration::from_ns((s * 1e9) as u64));
                self.first = false;
            }
            _ => {}
        }
        if std::mem::take(&mut self.first) {
            self.common.span = Span::First;
        }
        self.reports += 1;
        out.stamp(line, self.common.stamp)?;
        if let Some(cpu) = value.get("avg-cpu") {
            self.cpu(cpu, line, out);
        }
        for cpu in array(value, "cpu-load") {
            if cpu.get("cpu").and_then(Value::as_str) == Some("all") {
                self.cpu(cpu, line, out);
            }
        }
        if let Some(io) = value.get("io") {
            let mut host = DiskInterval::default();
            let nested = ["io-reads", "io-writes", "io-discard"].into_iter().filter_map(|key| io.get(key));
            for object in std::iter::once(io).chain(nested) {
                fill(&mut host, object);
            }
            out.take(line, &self.common, Reading::Host(host));
        }
        if let Some(found) = value.get("memory") {
            let figure = |key: &str| found.get(key).and_then(Value::as_f64);
            if figure("memfree").is_some() {
                let memory = memory(
                    figure("memfree"),
                    figure("avail"),
                    figure("memused"),
                    figure("memused-percent"),
                    figure("buffers"),
                    figure("cached"),
                );
                out.take(line, &self.common, Reading::Memory(memory));
            }
        }
        for found in array(value, "disk") {
            let name = found.get("disk_device").or_else(|| found.get("disk-device")).and_then(Value::as_str);
            let Some(name) = name else { continue };
            let mut disk = DiskInterval::default();
            if let Some(key) = fill(&mut disk, found) {
                let what = format!("`{key}` of `{name}` is below zero: a counter was reset");
                out.fault(line, what, "nothing of this device is used".into())?;
                continue;
            }
            // iostat puts a blank before the name of a group (`-g`), whose figures are sums.
            let role = if name.starts_with(' ') { Role::Total } else { Role::Unknown };
            let device = out.name(name.trim().as_bytes());
            out.take(line, &self.common, Reading::Disk { device, role, disk });
        }
        Ok(())
    }

    fn cpu(&self, found: &Value, line: u64, out: &mut Out<'_>) {
        let figure = |key: &str| found.get(key).and_then(Value::as_f64);
        let (iowait_percent, steal_percent) = (figure("iowait"), figure("steal"));
        let busy_percent = figure("idle").map(|idle| (100.0 - idle - iowait_percent.unwrap_or(0.0)).max(0.0));
        out.take(
            line,
            &self.common,
            Reading::Cpu(CpuInterval { busy_percent, iowait_percent, steal_percent, cpus: self.cpus }),
        );
    }
}

fn array<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn stamp_of(value: &Value) -> Option<Stamp> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let utc = value.get("utc").and_then(Value::as_i64) == Some(1) || matches!(text("tz"), Some("UTC" | "GMT"));
    date_and_time(text("date")?, text("time")?, utc)
}

/// Puts the figures of an object in their places; the first key that is below zero.
fn fill(disk: &mut DiskInterval, object: &Value) -> Option<String> {
    let object = object.as_object()?;
    let merges_bare = !object.contains_key("rrqm/s");
    let mut below = None;
    for (key, value) in object {
        let (Some(column), Some(value)) = (Column::of(key.as_bytes(), merges_bare), value.as_f64()) else { continue };
        if value < 0.0 {
            below.get_or_insert(key.clone());
            continue;
        }
        column.put(disk, column.base(value, None));
    }
    below
}
