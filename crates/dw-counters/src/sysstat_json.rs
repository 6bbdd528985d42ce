//! JSON of sysstat: `iostat -o JSON` and `sadf -j`, which share their frame.
//!
//! `sysstat.hosts[].statistics[]`: iostat puts `avg-cpu` and `disk` (device `disk_device`) there, sadf `timestamp`,
//! `cpu-load`, `io`, `memory` and `disk` (`disk-device`). Figures are known by name; their order differs from that of the
//! text. sadf's restarts are passed on with their instant, so that no interval spans one.
//!
//! Ignores: all other statistics.

use std::collections::BTreeSet;
use std::io::BufRead;

use dw_observe::{Common, CpuInterval, DiskInterval, Fact, Memory, Reading, Role, Span, Stamp};
use dw_units::Duration;
use serde_json::Value;

use super::CounterError;
use super::disk_columns::Column;
use super::json_items::{Piece, pieces};
use super::number::{from_zero, whole};
use super::out::Out;
use super::sections::memory;
use super::stamp::{Stamps, date_and_time};

struct State {
    /// Keys of disks that are not known and were said to be that.
    unknown: BTreeSet<String>,
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
    let (unknown, stamps) = (BTreeSet::new(), Stamps::default());
    let mut state = State { unknown, common, stamps, reports: 0, cpus: None, first: true, named: false };
    let name = out.options.name;
    pieces(input, name, &["statistics", "restarts"], &mut |piece| state.piece(piece, out))
}

impl State {
    fn piece(&mut self, piece: Piece, out: &mut Out<'_>) -> Result<(), CounterError> {
        match piece {
            Piece::Scalar { key, text, .. } => self.scalar(&key, &text, out),
            Piece::Bad { line, what } => out.fault(line, what, "this report is ignored".into()),
            Piece::Item { array, line, value, cut, .. } => {
                if cut {
                    let what = "the file ends inside a report".to_string();
                    out.fault(line, what, "its complete part is used; copy the file again".into())?;
                }
                if array == "restarts" {
                    let Some(stamp) = value.get("boot").and_then(stamp_of) else {
                        let what = format!("`{value}` is not a date and time");
                        return out.fault(line, what, "a restart without it is not used".into());
                    };
                    let common = Common { stamp, interval: None, ..self.common.clone() };
                    out.take(line, &common, Reading::Restart);
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
                match self.cpus {
                    Some(cpus) => out.fact(1, &self.common, Fact::Cpus(cpus)),
                    None => {
                        let what = format!("`{text}` is not a number of CPUs");
                        out.fault(1, what, "the number of CPUs is not taken from it".into())?;
                    }
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
                let seconds = match figure(object, "interval") {
                    Ok(seconds) => seconds.filter(|s| *s > 0.0),
                    Err(what) => {
                        out.fault(line, what, "the report is used without the length of its interval".into())?;
                        None
                    }
                };
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
        let unused = |what: String, of: &str| (what, format!("nothing of {of} is used"));
        let mut wrong = Vec::new();
        let cpus = array(value, "cpu-load").iter().filter_map(|cpu| match cpu.get("cpu").and_then(Value::as_str) {
            Some("all") => Some(Ok(cpu)),
            // One of them.
            Some(number) if whole(number.as_bytes()).is_some() => None,
            None if cpu.get("cpu").is_some_and(Value::is_number) => None,
            _ => Some(Err(format!("`{}` is no processor", cpu.get("cpu").unwrap_or(&Value::Null)))),
        });
        for cpu in value.get("avg-cpu").map(Ok).into_iter().chain(cpus) {
            if let Err(what) = cpu.and_then(|cpu| self.cpu(cpu, line, out)) {
                wrong.push(unused(what, "these processors"));
            }
        }
        if let Some(io) = value.get("io") {
            let mut host = DiskInterval::default();
            let nested = ["io-reads", "io-writes", "io-discard"].into_iter().filter_map(|key| io.get(key));
            let mut parts = std::iter::once(io).chain(nested);
            match parts.try_for_each(|object| fill(&mut host, object).map(|_| ())) {
                Ok(()) => out.take(line, &self.common, Reading::Host(host)),
                Err(what) => wrong.push(unused(what, "these transfers")),
            }
        }
        if let Some(found) = value.get("memory") {
            match memory_of(found) {
                Ok(memory) => {
                    memory.into_iter().for_each(|memory| out.take(line, &self.common, Reading::Memory(memory)));
                }
                Err(what) => wrong.push(unused(what, "this memory")),
            }
        }
        for found in array(value, "disk") {
            let name = found.get("disk_device").or_else(|| found.get("disk-device")).and_then(Value::as_str);
            let Some(name) = name else {
                wrong.push(unused("a disk without a name".into(), "it"));
                continue;
            };
            let mut disk = DiskInterval::default();
            match fill(&mut disk, found) {
                Ok(None) => {}
                Ok(Some(key)) if self.unknown.len() >= MOST_UNKNOWN || self.unknown.contains(key) => {}
                Ok(Some(key)) => {
                    let what = format!("`{key}` of a disk is not known");
                    wrong.push((what, "the other values are used; is this the output of iostat, or of sadf?".into()));
                    self.unknown.insert(key.to_string());
                }
                Err(what) => {
                    wrong.push(unused(format!("of `{name}` {what}"), "this device"));
                    continue;
                }
            }
            // iostat puts a blank before the name of a group (`-g`), whose figures are sums.
            let role = if name.starts_with(' ') { Role::Total } else { Role::Unknown };
            let device = out.device(line, name.trim().as_bytes())?;
            out.take(line, &self.common, Reading::Disk { device, role, disk });
        }
        wrong.into_iter().try_for_each(|(what, hint)| out.fault(line, what, hint))
    }

    fn cpu(&self, found: &Value, line: u64, out: &mut Out<'_>) -> Result<(), String> {
        let (idle, iowait, steal) = (figure(found, "idle")?, figure(found, "iowait")?, figure(found, "steal")?);
        out.take(line, &self.common, Reading::Cpu(CpuInterval::from_idle(idle, iowait, steal, self.cpus)));
        Ok(())
    }
}

/// Keys that are said to be unknown; a damaged file can have millions.
const MOST_UNKNOWN: usize = 16;

/// A number from zero; none where it is not there, or null.
fn figure(found: &Value, key: &str) -> Result<Option<f64>, String> {
    found.get(key).map_or(Ok(None), |value| number(key, value))
}

/// The number of a key.
fn number(key: &str, value: &Value) -> Result<Option<f64>, String> {
    let number = from_zero(value.as_f64());
    if number.is_none() && !value.is_null() {
        return Err(format!("`{key}` is {value}, not a number from zero"));
    }
    Ok(number)
}

/// Memory, where this is a report of it and not of swap.
fn memory_of(found: &Value) -> Result<Option<Memory>, String> {
    let Some(free) = figure(found, "memfree")? else { return Ok(None) };
    let [available, used, percent, buffers, cached] =
        ["avail", "memused", "memused-percent", "buffers", "cached"].map(|key| figure(found, key));
    Ok(Some(memory(Some(free), available?, used?, percent?, buffers?, cached?)))
}

fn array<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn stamp_of(value: &Value) -> Option<Stamp> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let utc = match value.get("utc") {
        None => false,
        Some(utc) => utc.as_i64().filter(|utc| (0..=1).contains(utc))? == 1,
    };
    date_and_time(text("date")?, text("time")?, utc || matches!(text("tz"), Some("UTC" | "GMT")))
}

/// Puts the figures of an object in their places; the first key of a number that is not known.
fn fill<'a>(disk: &mut DiskInterval, object: &'a Value) -> Result<Option<&'a str>, String> {
    let Some(fields) = object.as_object() else { return Ok(None) };
    let merges_bare = !fields.contains_key("rrqm/s");
    let mut unknown = None;
    for (key, value) in fields {
        match Column::named(key.as_bytes(), merges_bare) {
            Some(column) => {
                if let Some(value) = number(key, value)? {
                    column.put(disk, column.base(value, None));
                }
            }
            None if value.is_number() => unknown = unknown.or(Some(key.as_str())),
            None => {}
        }
    }
    Ok(unknown)
}
