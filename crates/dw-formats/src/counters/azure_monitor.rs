//! Platform metrics of a VM: what `az monitor metrics list` prints.
//!
//! `{interval, value: [{id, name{value}, timeseries: [{metadatavalues, data: [{timeStamp, average, maximum, total}]}]}]}`.
//! A metric is one series a LUN; readings of a disk join its metrics by time, so memory grows with the file. A stamp is where
//! its minute begins; readings carry where it ends. A key that is missing is no data, never zero. Averages are means, maxima
//! peaks: they stay apart.
//!
//! Source: Azure Monitor's table of metrics of `Microsoft.Compute/virtualMachines`.
//!
//! Ignores: minimum and count; credits, targets and bursts; metrics of other resources.

use std::collections::BTreeMap;
use std::io::BufRead;

use dw_units::{Bytes, Duration, Throughput};
use dw_workload::observed::{
    Common, CpuInterval, DiskInterval, Fact, Memory, Name, ProviderLimit, Reading, Role, Stamp, Statistic,
};
use serde_json::Value;

use super::CounterError;
use super::json_items::{Piece, pieces};
use super::out::Out;
use super::stamp::iso;

/// Where a value belongs: time, disk (none for the VM), statistic.
type Place = (i64, Option<Name>, bool);

#[derive(Default)]
struct Joined {
    line: u64,
    disk: DiskInterval,
    any: bool,
    others: Vec<Reading>,
}

#[derive(Default)]
struct State {
    interval_ns: Option<u64>,
    machine: Option<Name>,
    places: BTreeMap<Place, Joined>,
}

/// Reads to the end; the last line.
pub(super) fn read(input: &mut dyn BufRead, out: &mut Out<'_>) -> Result<u64, CounterError> {
    let mut state = State::default();
    let name = out.options.name;
    let last = pieces(input, name, &["value"], &mut |piece| match piece {
        Piece::Scalar { key, text } => {
            if key == "interval" {
                state.interval_ns = span(&text);
            }
            Ok(())
        }
        Piece::Bad { line, what } => out.fault(line, what, "nothing of this metric is used".into()),
        Piece::Item { line, value, cut, .. } => {
            if cut {
                let hint = "what is complete of it is used; copy the file again".to_string();
                out.fault(line, "the file ends inside a metric".into(), hint)?;
            }
            state.metric(&value, line, out)
        }
    })?;
    state.flush(out);
    Ok(last)
}

/// `PT1M`, `PT1H`, `P1D`.
fn span(text: &str) -> Option<u64> {
    let span: jiff::SignedDuration =
        if text == "P1D" { jiff::SignedDuration::from_hours(24) } else { text.parse().ok()? };
    u64::try_from(span.as_nanos()).ok().filter(|&ns| ns > 0)
}

impl State {
    fn metric(&mut self, value: &Value, line: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        let Some(name) = value.pointer("/name/value").and_then(Value::as_str) else {
            return out.fault(line, "a metric without a name".into(), "nothing of it is used".into());
        };
        let name = name.to_ascii_lowercase();
        if let Some(machine) = value.get("id").and_then(Value::as_str).and_then(machine) {
            let machine = out.name(machine.as_bytes());
            out.machine(line, &machine)?;
            self.machine = Some(machine);
        }
        for series in value.get("timeseries").and_then(Value::as_array).into_iter().flatten() {
            let lun = series.get("metadatavalues").and_then(Value::as_array).into_iter().flatten().find(|v| {
                v.pointer("/name/value").and_then(Value::as_str).is_some_and(|n| n.eq_ignore_ascii_case("lun"))
            });
            let lun = lun.and_then(|v| v.get("value")).and_then(Value::as_str);
            let (device, metric) = if let Some(metric) = name.strip_prefix("data disk ") {
                (Some(lun.map_or("data disks".to_string(), |lun| format!("LUN {lun}"))), metric)
            } else if let Some(metric) = name.strip_prefix("os disk ") {
                (Some("OS disk".into()), metric)
            } else if let Some(metric) = name.strip_prefix("temp disk ") {
                (Some("temp disk".into()), metric)
            } else {
                (None, name.as_str())
            };
            let device = device.map(|device| out.name(device.as_bytes()));
            for point in series.get("data").and_then(Value::as_array).into_iter().flatten() {
                let stamp = point.get("timeStamp").and_then(Value::as_str);
                let Some(Stamp::Wall { ns, .. }) = stamp.and_then(iso) else {
                    let found = stamp.unwrap_or("nothing");
                    out.fault(line, format!("`{found}` is no date and time"), "this point is not used".into())?;
                    continue;
                };
                let end = ns.saturating_add(self.interval_ns.unwrap_or(60_000_000_000) as i64);
                let total = point.get("total").and_then(Value::as_f64);
                for (key, peak) in [("average", false), ("maximum", true)] {
                    if let Some(value) = point.get(key).and_then(Value::as_f64) {
                        let joined = self.places.entry((end, device.clone(), peak)).or_default();
                        joined.put(line, metric, device.as_ref(), value);
                    }
                }
                if let Some(total) = total {
                    let seconds = self.interval_ns.unwrap_or(60_000_000_000) as f64 / 1e9;
                    let joined = self.places.entry((end, device.clone(), false)).or_default();
                    joined.put_total(line, metric, total / seconds);
                }
            }
        }
        Ok(())
    }

    fn flush(self, out: &mut Out<'_>) {
        let mut common = Common::at(Stamp::Report { index: 0 });
        common.machine = self.machine;
        common.interval = self.interval_ns.map(Duration::from_ns);
        out.fact(1, &common, Fact::Tool("Azure Monitor".into()));
        for ((ns, device, peak), joined) in self.places {
            common.stamp = Stamp::Wall { ns, utc_offset_min: Some(0) };
            common.statistic = if peak { Statistic::Max } else { Statistic::Mean };
            if joined.any {
                let reading = match device {
                    Some(device) => Reading::Disk { device, role: Role::Disk, disk: joined.disk },
                    None => Reading::Host(joined.disk),
                };
                out.take(joined.line, &common, reading);
            }
            for reading in joined.others {
                out.take(joined.line, &common, reading);
            }
        }
    }
}

/// The name of the VM in the id of a resource.
fn machine(id: &str) -> Option<&str> {
    let mut parts = id.split('/').skip_while(|part| !part.eq_ignore_ascii_case("virtualMachines"));
    parts.nth(1).filter(|name| !name.is_empty())
}

impl Joined {
    fn put(&mut self, line: u64, metric: &str, device: Option<&Name>, value: f64) {
        if value < 0.0 {
            return;
        }
        let at = if self.line == 0 { line } else { self.line };
        let disk = &mut self.disk;
        let rate = || Some(Throughput::bytes_per_second(value.round() as u64));
        let whole_vm = device.is_none();
        match metric.strip_prefix("disk ").filter(|_| whole_vm).unwrap_or(metric) {
            "read operations/sec" => disk.reads_per_s = Some(value),
            "write operations/sec" => disk.writes_per_s = Some(value),
            "read bytes/sec" => disk.read_throughput = rate(),
            "write bytes/sec" => disk.write_throughput = rate(),
            "queue depth" => disk.queue_depth = Some(value),
            "latency" => disk.latency = Some(Duration::from_ns((value * 1e6).round() as u64)),
            other => {
                let bytes = || Some(Bytes::new(value.round() as u64));
                let reading = match (other, whole_vm) {
                    ("percentage cpu", true) => {
                        Reading::Cpu(CpuInterval { busy_percent: Some(value), ..CpuInterval::default() })
                    }
                    ("available memory bytes", true) => {
                        Reading::Memory(Memory { available: bytes(), ..Memory::default() })
                    }
                    ("available memory percentage", true) => {
                        Reading::Memory(Memory { used_percent: Some((100.0 - value).max(0.0)), ..Memory::default() })
                    }
                    (other, _) => match limit(other, whole_vm) {
                        Some(limit) => Reading::Consumed { device: device.cloned(), limit, percent: value },
                        None => return,
                    },
                };
                self.line = at;
                self.others.push(reading);
                return;
            }
        }
        (self.line, self.any) = (at, true);
    }

    /// Sums over the interval, by now a second.
    fn put_total(&mut self, line: u64, metric: &str, per_second: f64) {
        let rate = Some(Throughput::bytes_per_second(per_second.max(0.0).round() as u64));
        match metric {
            "disk read bytes" => self.disk.read_throughput = rate,
            "disk write bytes" => self.disk.write_throughput = rate,
            _ => return,
        }
        (self.line, self.any) = (line, true);
    }
}

fn limit(metric: &str, whole_vm: bool) -> Option<ProviderLimit> {
    use ProviderLimit::*;
    Some(match (metric, whole_vm) {
        ("iops consumed percentage", false) => DiskIops,
        ("bandwidth consumed percentage", false) => DiskThroughput,
        ("vm cached iops consumed percentage", true) => VmCachedIops,
        ("vm cached bandwidth consumed percentage", true) => VmCachedThroughput,
        ("vm uncached iops consumed percentage", true) => VmUncachedIops,
        ("vm uncached bandwidth consumed percentage", true) => VmUncachedThroughput,
        _ => return None,
    })
}
