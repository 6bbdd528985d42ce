//! Platform metrics of a VM or of a managed disk: what `az monitor metrics list` prints, and what diagnostic settings export.
//!
//! `{interval, value: [{id, name{value}, timeseries: [{metadatavalues, data: [{timeStamp, average, maximum, total}]}]}]}`, or
//! records `{time, resourceId, metricName, timeGrain, average, maximum, total}`, in an array or one a line.
//! A metric of a VM is one series a LUN; one of a disk (`Composite Disk ...`) belongs to the disk that its id names. Readings of
//! a disk join its metrics by time, so memory grows with the file. A stamp is where its minute begins; readings carry where it
//! ends. A key that is missing is no data, never zero. Averages are means, maxima peaks: they stay apart.
//!
//! Source: Azure Monitor's tables of metrics of `Microsoft.Compute/virtualMachines` and `Microsoft.Compute/disks`.
//!
//! Ignores: minimum and count; credits, targets and bursts; metrics of other resources.

use std::collections::BTreeMap;
use std::io::BufRead;

use dw_observe::{
    Common, CpuInterval, DiskInterval, Fact, Memory, Name, ProviderLimit, Reading, Role, Stamp, Statistic,
};
use dw_units::{Bytes, Duration, Throughput};
use serde_json::Value;

use super::CounterError;
use super::error::shown;
use super::input::Lines;
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
    /// Bytes read and written within the interval.
    totals: [Option<f64>; 2],
}

/// One point of a metric.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Point<'a> {
    /// The metric, as the portal or the REST interface calls it.
    pub metric: &'a str,
    /// The LUN, where the metric is parted by it.
    pub lun: Option<&'a str>,
    /// The id of the resource, or its name.
    pub resource: Option<&'a str>,
    /// Where its interval begins, in nanoseconds since 1970.
    pub begins_ns: i64,
    /// The mean over the interval.
    pub average: Option<f64>,
    /// The largest reading within it.
    pub maximum: Option<f64>,
    /// The sum over it.
    pub total: Option<f64>,
}

/// Points of all metrics, joined by disk and time.
#[derive(Default)]
pub(super) struct State {
    pub interval_ns: Option<u64>,
    /// Minutes that the stamps are ahead of UTC, where somebody says it; the vendor's own are UTC.
    pub local: bool,
    machine: Option<Name>,
    places: BTreeMap<Place, Joined>,
}

/// Reads to the end; the last line.
pub(super) fn read(input: &mut dyn BufRead, head: &[u8], out: &mut Out<'_>) -> Result<u64, CounterError> {
    let mut state = State::default();
    let has = |key: &str| memchr::memmem::find(head, key.as_bytes()).is_some();
    if head.trim_ascii_start().starts_with(b"{") && has("\"metricName\"") && !has("\"records\"") && !has("\"value\"") {
        return records_by_line(input, state, out);
    }
    let name = out.options.name;
    // The outermost array has no key.
    let last = pieces(input, name, &["value", "records", ""], &mut |piece| match piece {
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
            match value.get("metricName").or_else(|| value.get("MetricName")) {
                Some(_) => state.record(&value, line, out),
                None => state.metric(&value, line, out),
            }
        }
    })?;
    state.flush(out)?;
    Ok(last)
}

/// Records one a line, as diagnostic settings write them to a storage account.
fn records_by_line(input: &mut dyn BufRead, mut state: State, out: &mut Out<'_>) -> Result<u64, CounterError> {
    let mut lines = Lines::new(input, out.options.name, None);
    while lines.advance()? {
        if lines.bytes().trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice::<Value>(lines.bytes()) {
            Ok(value) => state.record(&value, lines.number(), out)?,
            Err(_) => out.damaged(&lines, format_args!("`{}` is not JSON", shown(lines.bytes())))?,
        }
    }
    state.flush(out)?;
    Ok(lines.number())
}

/// `PT1M`, `PT1H`, `P1D`.
pub(super) fn span(text: &str) -> Option<u64> {
    let span: jiff::SignedDuration =
        if text == "P1D" { jiff::SignedDuration::from_hours(24) } else { text.parse().ok()? };
    u64::try_from(span.as_nanos()).ok().filter(|&ns| ns > 0)
}

impl State {
    fn metric(&mut self, value: &Value, line: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        let Some(name) = value.pointer("/name/value").and_then(Value::as_str) else {
            return out.fault(line, "a metric without a name".into(), "nothing of it is used".into());
        };
        let resource = value.get("id").and_then(Value::as_str);
        for series in value.get("timeseries").and_then(Value::as_array).into_iter().flatten() {
            let lun = series.get("metadatavalues").and_then(Value::as_array).into_iter().flatten().find(|v| {
                v.pointer("/name/value").and_then(Value::as_str).is_some_and(|n| n.eq_ignore_ascii_case("lun"))
            });
            let lun = lun.and_then(|v| v.get("value")).and_then(Value::as_str);
            for point in series.get("data").and_then(Value::as_array).into_iter().flatten() {
                let stamp = point.get("timeStamp").and_then(Value::as_str);
                let Some(begins_ns) = stamp.and_then(utc) else {
                    let found = stamp.unwrap_or("nothing");
                    out.fault(line, format!("`{found}` is not a date and time"), "this point is not used".into())?;
                    continue;
                };
                let figure = |key: &str| point.get(key).and_then(Value::as_f64);
                let [average, maximum, total] = ["average", "maximum", "total"].map(figure);
                self.point(line, &Point { metric: name, lun, resource, begins_ns, average, maximum, total }, out)?;
            }
        }
        Ok(())
    }

    /// `{time, resourceId, metricName, timeGrain, average, ...}`.
    fn record(&mut self, value: &Value, line: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        let field = |key: &str| {
            value
                .as_object()
                .into_iter()
                .flatten()
                .find(|(name, _)| name.eq_ignore_ascii_case(key))
                .map(|(_, value)| value)
        };
        let text = |key: &str| field(key).and_then(Value::as_str);
        let figure = |key: &str| field(key).and_then(Value::as_f64);
        let stamp = text("time").or_else(|| text("TimeGenerated")).or_else(|| text("timeStamp"));
        let (Some(metric), Some(begins_ns)) = (text("metricName"), stamp.and_then(utc)) else {
            let what = "a record without a metric or without a date and time".to_string();
            return out.fault(line, what, "nothing of it is used".into());
        };
        self.interval_ns = text("timeGrain").and_then(span).or(self.interval_ns);
        let resource = text("resourceId").or_else(|| text("_ResourceId"));
        let [average, maximum, total] = ["average", "maximum", "total"].map(figure);
        self.point(line, &Point { metric, lun: None, resource, begins_ns, average, maximum, total }, out)
    }

    /// Puts one point in its place.
    pub fn point(&mut self, line: u64, point: &Point<'_>, out: &mut Out<'_>) -> Result<(), CounterError> {
        if let Some(machine) = point.resource.and_then(|id| named(id, "virtualMachines")) {
            let machine = out.name(machine.as_bytes());
            out.machine(line, &machine)?;
            self.machine = Some(machine);
        }
        let name = point.metric.to_ascii_lowercase();
        let (device, metric) = if let Some(metric) = name.strip_prefix("data disk ") {
            (Some(point.lun.map_or("data disks".to_string(), |lun| format!("LUN {lun}"))), metric)
        } else if let Some(metric) = name.strip_prefix("os disk ") {
            (Some("OS disk".into()), metric)
        } else if let Some(metric) = name.strip_prefix("temp disk ") {
            (Some("temp disk".into()), metric)
        } else if let Some(metric) = name.strip_prefix("composite disk ") {
            let disk = point.resource.and_then(|id| named(id, "disks").or(Some(id).filter(|id| !id.contains('/'))));
            (Some(disk.unwrap_or("disk").to_string()), metric)
        } else {
            (None, name.as_str())
        };
        let device = device.map(|device| out.name(device.as_bytes()));
        for (value, peak) in [(point.average, false), (point.maximum, true)] {
            let Some(value) = value else { continue };
            let joined = self.places.entry((point.begins_ns, device.clone(), peak)).or_default();
            joined.put(line, metric, device.as_ref(), value);
        }
        let totals = ["disk read bytes", "disk write bytes"].iter().position(|total| *total == metric);
        if let (Some(total), Some(at)) = (point.total, totals) {
            let joined = self.places.entry((point.begins_ns, device, false)).or_default();
            joined.totals[at] = Some(total);
            (joined.line, joined.any) = (line, true);
        }
        Ok(())
    }

    /// The shortest time between two points, where no one said the interval; a minute where there is only one.
    fn interval(&self) -> u64 {
        let begins: Vec<i64> = self.places.keys().map(|(ns, ..)| *ns).collect();
        let apart = begins.windows(2).filter_map(|pair| u64::try_from(pair[1].saturating_sub(pair[0])).ok());
        self.interval_ns.or_else(|| apart.filter(|&ns| ns > 0).min()).unwrap_or(60_000_000_000)
    }

    /// Passes on what was joined.
    pub fn flush(self, out: &mut Out<'_>) -> Result<(), CounterError> {
        let interval = self.interval();
        let mut common = Common::at(Stamp::Report { index: 0 });
        common.machine = self.machine;
        common.interval = Some(Duration::from_ns(interval));
        out.fact(1, &common, Fact::Tool("Azure Monitor".into()));
        for ((begins_ns, device, peak), mut joined) in self.places {
            let ns = begins_ns.saturating_add(i64::try_from(interval).unwrap_or(i64::MAX));
            common.stamp = Stamp::Wall { ns, utc_offset_min: (!self.local).then_some(0) };
            common.statistic = if peak { Statistic::Max } else { Statistic::Mean };
            let rate =
                |total: f64| Throughput::bytes_per_second((total.max(0.0) / (interval as f64 / 1e9)).round() as u64);
            let [read, write] = joined.totals;
            joined.disk.read_throughput = read.map(rate).or(joined.disk.read_throughput);
            joined.disk.write_throughput = write.map(rate).or(joined.disk.write_throughput);
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
        Ok(())
    }
}

/// A stamp in UTC, in nanoseconds since 1970; one without a zone is UTC too.
fn utc(text: &str) -> Option<i64> {
    match iso(text)? {
        Stamp::Wall { ns, utc_offset_min } => {
            Some(ns.saturating_sub(i64::from(utc_offset_min.unwrap_or(0)) * 60_000_000_000))
        }
        _ => None,
    }
}

/// The name behind `virtualMachines` or `disks` in the id of a resource.
fn named<'a>(id: &'a str, kind: &str) -> Option<&'a str> {
    let mut parts = id.split('/').skip_while(|part| !part.eq_ignore_ascii_case(kind));
    parts.nth(1).filter(|name| !name.is_empty())
}

/// Whether a metric of this name says something of disks, processors or memory.
pub(super) fn is_metric(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let of_disks =
        ["data disk ", "os disk ", "temp disk ", "composite disk ", "disk "].iter().any(|kind| name.starts_with(kind));
    let figure =
        ["operations/sec", "bytes/sec", "bytes", "queue depth", "latency"].iter().any(|end| name.ends_with(end));
    of_disks && figure
        || name.ends_with("consumed percentage")
        || matches!(name.as_str(), "percentage cpu" | "available memory bytes" | "available memory percentage")
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
