//! Platform metrics of VMs or of managed disks: what `az monitor metrics list` prints, what `metrics:getBatch` answers, and what
//! diagnostic settings export.
//!
//! `{interval, value: [{id, name{value}, timeseries: [{metadatavalues, data: [{timeStamp, average, maximum, total}]}]}]}`, one
//! after the other or in `values` or an array; or records `{time, resourceId, metricName, timeGrain, average, maximum, total}`,
//! in an array or one a line.
//! A metric of a VM belongs to the VM that its id names, one series a LUN; one of a disk (`Composite Disk ...`) belongs to the
//! disk that its id names. Readings of a disk join its metrics by time, so memory grows with the file. A stamp is where its
//! minute begins; readings carry where it ends. A key that is missing is no data, never zero. Averages are means, maxima peaks:
//! they stay apart. What stands twice with two values is said, and the first is used.
//!
//! Source: Azure Monitor's tables of metrics of `Microsoft.Compute/virtualMachines` and `Microsoft.Compute/disks`.
//!
//! Tables of a log workspace come as JSON too: an array of records whose numbers are texts (`az monitor log-analytics query`), or
//! `tables` of columns and rows (the REST interface). Rows of `Perf` and `InsightsMetrics` are read by `perfmon_samples.rs`.
//!
//! Ignores: minimum and count; targets and bursts; metrics of other resources.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;

use dw_observe::{
    ALL_LUNS, Common, CpuInterval, DiskInterval, Fact, Memory, Name, ProviderLimit, Reading, Role, Stamp, Statistic,
};
use dw_units::{Bytes, Duration, Throughput};
use serde_json::Value;

use super::CounterError;
use super::error::shown;
use super::json_items::{Piece, by_line, pieces};
use super::number::{decimal, whole};
use super::out::{MOST_JOINED, Out};
use super::perfmon_samples::Samples;
use super::stamp::iso;

/// Where values belong: VM (its place in the list of those that were named), beginning, disk (none for the VM), statistic.
type Place = (Option<usize>, i64, Option<Name>, bool);

/// The local disk of a VM, as a device of its metrics.
pub const LOCAL_DISK: &str = "temp disk";
/// The disk of a VM's operating system, likewise.
pub const OS_DISK: &str = "OS disk";
/// The gates of a VM that metrics are of.
const CACHED: u8 = 0;
const UNCACHED: u8 = 1;

/// What metrics are parted by.
const DIMENSIONS: [&str; 3] = ["LUN", "Microsoft.ResourceId", "VMName"];

/// What a metric says.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Figure {
    Reads,
    Writes,
    ReadThroughput,
    WriteThroughput,
    /// Bytes within the interval.
    ReadBytes,
    WriteBytes,
    Queue,
    Latency,
    Cpu,
    Available,
    AvailablePercent,
    Consumed(ProviderLimit),
}

#[derive(Default)]
struct Joined {
    line: u64,
    interval_ns: Option<u64>,
    values: Vec<(Figure, f64)>,
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
    /// The resource group, where it stands apart from the name.
    pub group: Option<&'a str>,
    /// Where its interval begins, in nanoseconds since 1970.
    pub begins_ns: i64,
    /// How long its interval is, where it says so.
    pub interval_ns: Option<u64>,
    /// The mean over the interval.
    pub average: Option<f64>,
    /// The largest reading within it.
    pub maximum: Option<f64>,
    /// The sum over it.
    pub total: Option<f64>,
}

/// A VM that metrics belong to.
struct Machine {
    name: String,
    group: Option<String>,
    /// Its whole id in small letters, where it is known.
    id: Option<String>,
    line: u64,
}

/// What a document says of its points.
#[derive(Clone, Default)]
struct Said {
    interval_ns: Option<u64>,
    resource: Option<String>,
}

/// Metrics of the document that is being read: what is said of them may stand behind them.
#[derive(Default)]
struct Waiting {
    /// What each object says, by its number.
    said: BTreeMap<u64, Said>,
    /// The objects that these metrics are in.
    within: Vec<u64>,
    metrics: Vec<(u64, Value)>,
}

impl Waiting {
    fn pass_on(&mut self, state: &mut State, out: &mut Out<'_>) -> Result<(), CounterError> {
        let mut said = Said::default();
        for inner in self.within.iter().rev().filter_map(|object| self.said.get(object)) {
            said.interval_ns = said.interval_ns.or(inner.interval_ns);
            said.resource = said.resource.or_else(|| inner.resource.clone());
        }
        std::mem::take(&mut self.metrics).iter().try_for_each(|(line, metric)| state.metric(metric, &said, *line, out))
    }
}

/// Points of all metrics, joined by VM, disk and time.
#[derive(Default)]
pub(super) struct State {
    /// Minutes that the stamps are ahead of UTC, where somebody says it; the vendor's own are UTC.
    pub local: bool,
    machines: Vec<Machine>,
    places: BTreeMap<Place, Joined>,
    points: u64,
    /// Rows of `Perf` and `InsightsMetrics`.
    pub samples: Samples,
    /// Whether two values of one metric at one time were said to be that.
    twice: bool,
}

/// Reads to the end; the last line.
pub(super) fn read(input: &mut dyn BufRead, head: &[u8], out: &mut Out<'_>) -> Result<u64, CounterError> {
    let mut state = State::default();
    let has = |key: &str| memchr::memmem::find(head, key.as_bytes()).is_some();
    let of_records = has("\"metricName\"") || has("\"MetricName\"") || has("\"CounterName\"") || has("\"Val\"");
    let in_array = has("\"records\"") || has("\"value\"") || has("\"Results\"") || has("\"tables\"");
    if head.trim_ascii_start().starts_with(b"{") && of_records && !in_array {
        return records_by_line(input, state, out);
    }
    if has("\"tables\"") && has("\"rows\"") {
        return tables(input, state, out);
    }
    let name = out.options.name;
    // The outermost array has no key.
    let mut waiting = Waiting::default();
    let last = pieces(input, name, &["value", "records", "Results", ""], &mut |piece| match piece {
        Piece::Scalar { key, text, object } => {
            match key.to_ascii_lowercase().as_str() {
                "interval" if !matches!(text.as_str(), "" | "null") => {
                    let interval_ns = span(&text);
                    waiting.said.entry(object).or_default().interval_ns = interval_ns;
                    if interval_ns.is_none() {
                        let what = format!("`{}` is not the length of an interval", shown(text.as_bytes()));
                        out.fault(1, what, "it is derived from the times of the points".into())?;
                    }
                }
                "resourceid" => waiting.said.entry(object).or_default().resource = Some(text),
                _ => {}
            }
            Ok(())
        }
        Piece::Bad { line, what } => out.fault(line, what, "this metric is ignored".into()),
        Piece::Item { line, value, cut, within, .. } => {
            if cut {
                let hint = "its complete part is used; copy the file again".to_string();
                out.fault(line, "the file ends inside a metric".into(), hint)?;
            }
            if is_record(&value) || value.get("value").is_some() {
                return state.item(&value, line, out);
            }
            if waiting.within != within {
                waiting.pass_on(&mut state, out)?;
                waiting.within = within;
            }
            waiting.metrics.push((line, value));
            Ok(())
        }
    })?;
    waiting.pass_on(&mut state, out)?;
    state.flush(out)?;
    Ok(last)
}

/// Records one a line, as diagnostic settings write them to a storage account.
fn records_by_line(input: &mut dyn BufRead, mut state: State, out: &mut Out<'_>) -> Result<u64, CounterError> {
    let last = by_line(input, out, |value, line, out| state.record(value, line, out))?;
    state.flush(out)?;
    Ok(last)
}

/// `{tables: [{name, columns: [{name, type}], rows: [[...], ...]}]}`, as the REST interface of a log workspace answers.
fn tables(input: &mut dyn BufRead, mut state: State, out: &mut Out<'_>) -> Result<u64, CounterError> {
    let file = out.options.name;
    let document: Value = serde_json::from_reader(input).map_err(|e| CounterError {
        file: file.into(),
        line: e.line().max(1) as u64,
        what: format!("this is not valid JSON: {e}"),
        hint: "copy the file again".into(),
    })?;
    let list = |value: &Value, key: &str| value.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    for table in list(&document, "tables") {
        let columns = list(&table, "columns");
        let names = columns.iter().map(|c| c.get("name").or(c.get("ColumnName")).unwrap_or(c));
        let names: Vec<String> = names.map(|name| name.as_str().unwrap_or_default().to_string()).collect();
        for row in list(&table, "rows") {
            let cells = row.as_array().into_iter().flatten().cloned();
            let record: serde_json::Map<String, Value> = names.iter().cloned().zip(cells).collect();
            // The parser does not say in which line a row stands.
            state.item(&Value::Object(record), 1, out)?;
        }
    }
    state.flush(out)?;
    Ok(1)
}

/// `PT1M`, `PT1H`, `P1D`; `0:01:00` where the command line prints it.
fn span(text: &str) -> Option<u64> {
    if let [hours, minutes, seconds] = text.split(':').collect::<Vec<_>>().as_slice() {
        let (days, hours) = hours.split_once(" day").unwrap_or(("0", hours));
        let hours = hours.trim_start_matches('s').trim_start_matches(',').trim();
        let [days, hours, minutes, seconds] =
            [days, hours, minutes, seconds].map(|n| whole(n.as_bytes()).filter(|n| *n < 10_000));
        let ns = (((days? * 24 + hours?) * 60 + minutes?) * 60 + seconds?) * 1_000_000_000;
        return Some(ns).filter(|&ns| ns > 0);
    }
    let span: jiff::SignedDuration =
        if text == "P1D" { jiff::SignedDuration::from_hours(24) } else { text.parse().ok()? };
    u64::try_from(span.as_nanos()).ok().filter(|&ns| ns > 0)
}

/// How long the interval of a point is, where it says so.
pub(super) fn grain(text: Option<&str>) -> Result<Option<u64>, String> {
    let known = |text: &str| span(text).ok_or_else(|| format!("`{}` is not a time grain", shown(text.as_bytes())));
    text.map(known).transpose()
}

/// Average, maximum and total of a point; each may be missing.
fn figures<'a>(field: &dyn Fn(&str) -> Option<&'a Value>) -> Result<[Option<f64>; 3], String> {
    let figure = |key: &str| match field(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if matches!(text.as_str(), "" | "NaN" | "None") => Ok(None),
        // The command line prints all numbers of a query as texts.
        Some(value) => match value.as_f64().or_else(|| decimal(value.as_str()?.as_bytes())) {
            Some(number) => Ok(Some(number)),
            None => Err(format!("`{key}` is {value}, not a number")),
        },
    };
    Ok([figure("average")?, figure("maximum")?, figure("total")?])
}

/// Whether an element is a record of a table.
fn is_record(value: &Value) -> bool {
    ["metricName", "MetricName", "CounterName", "Val"].iter().any(|key| value.get(key).is_some())
}

impl State {
    /// A record, a metric, or a whole document in an array of them.
    fn item(&mut self, value: &Value, line: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        if is_record(value) {
            return self.record(value, line, out);
        }
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        let said =
            Said { interval_ns: text("interval").and_then(span), resource: text("resourceid").map(str::to_string) };
        match value.get("value").and_then(Value::as_array) {
            Some(metrics) => metrics.iter().try_for_each(|metric| self.metric(metric, &said, line, out)),
            None => self.metric(value, &said, line, out),
        }
    }

    fn metric(&mut self, value: &Value, said: &Said, line: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        let Some(metric_name) = value.pointer("/name/value").and_then(Value::as_str) else {
            return out.fault(line, "a metric without a name".into(), "it is ignored".into());
        };
        let own = value.get("id").and_then(Value::as_str).map(str::to_string).or_else(|| said.resource.clone());
        let interval_ns = said.interval_ns;
        for series in value.get("timeseries").and_then(Value::as_array).into_iter().flatten() {
            let dimensions = series.get("metadatavalues").and_then(Value::as_array).into_iter().flatten();
            let dimensions = dimensions.filter_map(|v| v.pointer("/name/value").and_then(Value::as_str));
            let is_known = |name: &&str| DIMENSIONS.iter().any(|known| known.eq_ignore_ascii_case(name));
            if let Some(name) = dimensions.clone().find(|name| is_metric(metric_name) && !is_known(name)) {
                let what = format!("`{metric_name}` is split by `{}`, which is unknown", shown(name.as_bytes()));
                out.fault(line, what, "it is used as if it were not split".into())?;
            }
            let dimension = |name: &str| {
                let mut all = series.get("metadatavalues").and_then(Value::as_array).into_iter().flatten();
                let of_name = |v: &&Value| {
                    v.pointer("/name/value").and_then(Value::as_str).is_some_and(|n| n.eq_ignore_ascii_case(name))
                };
                all.find(of_name).and_then(|v| v.get("value")).and_then(Value::as_str)
            };
            let lun = dimension("LUN");
            // Of a subscription or a scale set, a series names the VM that it is of.
            let resource = dimension("Microsoft.ResourceId").or_else(|| dimension("VMName")).or(own.as_deref());
            for point in series.get("data").and_then(Value::as_array).into_iter().flatten() {
                let stamp = point.get("timeStamp").and_then(Value::as_str);
                let Some(begins_ns) = stamp.and_then(utc) else {
                    let found = stamp.unwrap_or("nothing");
                    out.fault(line, format!("`{found}` is not a date and time"), "this point is not used".into())?;
                    continue;
                };
                let [average, maximum, total] = match figures(&|key| point.get(key)) {
                    Ok(figures) => figures,
                    Err(what) => {
                        out.fault(line, what, "this point is not used".into())?;
                        continue;
                    }
                };
                let metric = metric_name;
                let point =
                    Point { metric, lun, resource, group: None, begins_ns, interval_ns, average, maximum, total };
                self.point(line, &point, out)?;
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
        let stamp = ["time", "TimeGenerated", "timeStamp", "TimeGenerated [UTC]", "CollectionTime"];
        let stamp = stamp.iter().find_map(|key| text(key));
        if let (None, Some(ns)) = (text("metricName"), stamp.and_then(utc)) {
            let plain =
                |key: &str| field(key).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_string));
            return self.samples.log_row((line, ns), &plain, out);
        }
        let (Some(metric), Some(begins_ns)) = (text("metricName"), stamp.and_then(utc)) else {
            let what = "a record without a metric or without a date and time".to_string();
            return out.fault(line, what, "it is ignored".into());
        };
        let filled = |key: &str| text(key).filter(|text| !text.is_empty());
        let interval_ns = match grain(filled("timeGrain")) {
            Ok(interval_ns) => interval_ns,
            Err(what) => return out.fault(line, what, "this record is ignored".into()),
        };
        let resource = filled("_ResourceId").or_else(|| filled("resourceId")).or_else(|| filled("Resource"));
        let (lun, group) = (filled("LUN"), filled("ResourceGroup"));
        let [average, maximum, total] = match figures(&field) {
            Ok(figures) => figures,
            Err(what) => return out.fault(line, what, "this record is ignored".into()),
        };
        let point = Point { metric, lun, resource, group, begins_ns, interval_ns, average, maximum, total };
        self.point(line, &point, out)
    }

    /// Puts one point in its place.
    pub fn point(&mut self, line: u64, point: &Point<'_>, out: &mut Out<'_>) -> Result<(), CounterError> {
        let name = point.metric.to_ascii_lowercase();
        let mut of_vm = true;
        let (device, metric) = if let Some(metric) = name.strip_prefix("data disk ") {
            (Some(point.lun.map_or(ALL_LUNS.to_string(), |lun| format!("LUN {lun}"))), metric)
        } else if let Some(metric) = name.strip_prefix("os disk ") {
            (Some(OS_DISK.into()), metric)
        } else if let Some(metric) = name.strip_prefix("temp disk ") {
            (Some(LOCAL_DISK.into()), metric)
        } else if let Some(metric) = name.strip_prefix("composite disk ") {
            of_vm = false;
            let disk = point.resource.and_then(|id| named(id, "disks").or(Some(id).filter(|id| !id.contains('/'))));
            (Some(disk.unwrap_or("disk").to_string()), metric)
        } else {
            (None, name.as_str())
        };
        let whole_vm = device.is_none();
        let (figure, total) = (figure(metric, whole_vm), total(metric).filter(|_| whole_vm));
        // What belongs to other resources names no VM.
        if figure.is_none() && total.is_none() {
            return Ok(());
        }
        let machine = point.resource.filter(|_| of_vm).and_then(|resource| self.machine(resource, point.group, line));
        let device = device.map(|device| out.device(line, device.as_bytes())).transpose()?;
        self.points += 1;
        if self.points > MOST_JOINED {
            return Err(out.too_much(line));
        }
        for (figure, value, peak) in
            [(figure, point.average, false), (figure, point.maximum, true), (total, point.total, false)]
        {
            let (Some(figure), Some(value)) = (figure, value) else { continue };
            if value.is_sign_negative() {
                let what = format!("`{}` is {value}, below zero", point.metric);
                out.fault(line, what, "this value is not used".into())?;
                continue;
            }
            let joined = self.places.entry((machine, point.begins_ns, device.clone(), peak)).or_default();
            if joined.line == 0 {
                joined.line = line;
            }
            joined.interval_ns = joined.interval_ns.or(point.interval_ns);
            match joined.values.iter().find(|(known, _)| *known == figure) {
                None => joined.values.push((figure, value)),
                Some((_, first)) if *first == value => {}
                Some((_, first)) if !std::mem::replace(&mut self.twice, true) => {
                    let what = format!(
                        "`{}` has two values at one time: {first} (line {}) and {value}",
                        point.metric, joined.line
                    );
                    let hint = "the first is used; is the VM, the LUN or the time grain of each row missing?".into();
                    out.fault(line, what, hint)?;
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// The place in the list of the VM of this id or name; `None` for an id that names nothing.
    fn machine(&mut self, resource: &str, group: Option<&str>, line: u64) -> Option<usize> {
        let lower = resource.to_ascii_lowercase();
        let id = &resource[..lower.find("/providers/microsoft.insights").unwrap_or(resource.len())];
        let id = id.trim_end_matches('/');
        let name = match (named(id, "virtualMachineScaleSets"), named(id, "virtualMachines")) {
            // An instance of a scale set is called by its number.
            (Some(set), Some(vm)) if vm.bytes().all(|b| b.is_ascii_digit()) => format!("{set}_{vm}"),
            (_, Some(vm)) => vm.to_string(),
            (Some(set), None) => set.to_string(),
            (None, None) => id.rsplit('/').next().filter(|name| !name.is_empty())?.to_string(),
        };
        let group = group.or_else(|| named(id, "resourceGroups")).map(str::to_string);
        let id = id.contains('/').then(|| id.to_ascii_lowercase());
        // A name alone is the VM of that name; two ids are two VMs, whatever their names.
        let same = |machine: &Machine| {
            let groups = machine.group.as_ref().zip(group.as_ref());
            machine.name.eq_ignore_ascii_case(&name)
                && machine
                    .id
                    .as_ref()
                    .zip(id.as_ref())
                    .map_or_else(|| groups.is_none_or(|(a, b)| a.eq_ignore_ascii_case(b)), |(known, id)| known == id)
        };
        if let Some(at) = self.machines.iter().position(same) {
            return Some(at);
        }
        self.machines.push(Machine { name, group, id, line });
        Some(self.machines.len() - 1)
    }

    /// The names that the VMs are called by, with their groups where names alone do not tell them apart.
    fn names(&self, out: &mut Out<'_>) -> Vec<(Name, u64)> {
        let named = |machine: &Machine| {
            let alike = self.machines.iter().filter(|other| other.name.eq_ignore_ascii_case(&machine.name)).count();
            let name = match &machine.group {
                Some(group) if alike > 1 => format!("{group}/{}", machine.name),
                _ => machine.name.clone(),
            };
            (name, machine.line)
        };
        let names: Vec<(String, u64)> = self.machines.iter().map(named).collect();
        names.into_iter().map(|(name, line)| (out.name(name.as_bytes()), line)).collect()
    }

    /// The shortest time between two points, where no one said the interval; a minute where there is only one.
    fn interval(&self) -> u64 {
        let begins: BTreeSet<i64> = self.places.keys().map(|(_, ns, ..)| *ns).collect();
        let begins: Vec<i64> = begins.into_iter().collect();
        let apart = begins.windows(2).filter_map(|pair| u64::try_from(pair[1].saturating_sub(pair[0])).ok());
        apart.min().unwrap_or(60_000_000_000)
    }

    /// Passes on what was joined, one VM after the other.
    pub fn flush(mut self, out: &mut Out<'_>) -> Result<(), CounterError> {
        let mut samples = std::mem::take(&mut self.samples);
        if !samples.is_empty() {
            if self.local {
                samples.set_local();
            }
            samples.flush("Azure Monitor", out)?;
        }
        if self.places.is_empty() {
            return Ok(());
        }
        let usual = self.interval();
        let names = self.names(out);
        // Of one VM is what names none, too.
        if names.len() == 1 {
            let named = self.places.split_off(&(Some(0), i64::MIN, None, false));
            let unnamed = std::mem::replace(&mut self.places, named);
            for ((_, begins_ns, device, peak), joined) in unnamed {
                let place = self.places.entry((Some(0), begins_ns, device, peak)).or_default();
                place.line = if place.line == 0 { joined.line } else { place.line };
                place.interval_ns = place.interval_ns.or(joined.interval_ns);
                place.values.extend(joined.values);
            }
        }
        let mut common = Common::at(Stamp::Report { index: 0 });
        common.machine = names.first().map(|(name, _)| name.clone());
        common.interval = Some(Duration::from_ns(usual));
        out.fact(1, &common, Fact::Tool("Azure Monitor".into()));
        let mut before = None;
        for ((machine, begins_ns, device, peak), joined) in self.places {
            if machine != before
                && let Some((name, line)) = machine.map(|at| &names[at])
            {
                out.machine(*line, name)?;
            }
            before = machine;
            let interval = joined.interval_ns.unwrap_or(usual);
            common.machine = machine.map(|at| names[at].0.clone());
            common.interval = Some(Duration::from_ns(interval));
            let ns = begins_ns.saturating_add(i64::try_from(interval).unwrap_or(i64::MAX));
            common.stamp = Stamp::Wall { ns, utc_offset_min: (!self.local).then_some(0) };
            common.statistic = if peak { Statistic::Max } else { Statistic::Mean };
            joined.pass_on(&common, device, interval, out);
        }
        Ok(())
    }
}

/// A stamp in UTC, in nanoseconds since 1970; one without a zone is UTC too. PowerShell 5 writes `/Date(1773352800000)/`.
fn utc(text: &str) -> Option<i64> {
    if let Some(ms) = text.trim_start_matches('\\').strip_prefix("/Date(") {
        let ms = whole(ms.split(')').next()?.as_bytes())?;
        return i64::try_from(ms).ok()?.checked_mul(1_000_000);
    }
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
        || name.ends_with("credits percentage")
        || matches!(name.as_str(), "percentage cpu" | "available memory bytes" | "available memory percentage")
}

/// What a metric says, without the kind of its disk; `whole_vm` where it has none.
fn figure(metric: &str, whole_vm: bool) -> Option<Figure> {
    Some(match metric.strip_prefix("disk ").filter(|_| whole_vm).unwrap_or(metric) {
        "read operations/sec" => Figure::Reads,
        "write operations/sec" => Figure::Writes,
        "read bytes/sec" => Figure::ReadThroughput,
        "write bytes/sec" => Figure::WriteThroughput,
        "queue depth" => Figure::Queue,
        "latency" => Figure::Latency,
        "percentage cpu" if whole_vm => Figure::Cpu,
        "available memory bytes" if whole_vm => Figure::Available,
        "available memory percentage" if whole_vm => Figure::AvailablePercent,
        other => Figure::Consumed(limit(other, whole_vm)?),
    })
}

/// What the sum of a metric over its interval says.
fn total(metric: &str) -> Option<Figure> {
    match metric {
        "disk read bytes" => Some(Figure::ReadBytes),
        "disk write bytes" => Some(Figure::WriteBytes),
        _ => None,
    }
}

impl Joined {
    fn pass_on(self, common: &Common, device: Option<Name>, interval: u64, out: &mut Out<'_>) {
        let mut disk = DiskInterval::default();
        let mut others = Vec::new();
        let rate = |value: f64| Some(Throughput::bytes_per_second(value.round() as u64));
        let sum = |value: f64| rate(value / (interval as f64 / 1e9));
        // Sums come last: they say more than means.
        let (sums, values): (Vec<_>, Vec<_>) =
            self.values.into_iter().partition(|(f, _)| matches!(f, Figure::ReadBytes | Figure::WriteBytes));
        for (figure, value) in values.into_iter().chain(sums) {
            others.push(match figure {
                Figure::Cpu => Reading::Cpu(CpuInterval { busy_percent: Some(value), ..CpuInterval::default() }),
                Figure::Available => {
                    Reading::Memory(Memory { available: Some(Bytes::new(value.round() as u64)), ..Memory::default() })
                }
                Figure::AvailablePercent => {
                    Reading::Memory(Memory { used_percent: Some((100.0 - value).max(0.0)), ..Memory::default() })
                }
                Figure::Consumed(limit) => {
                    let metric = metric_of(limit, device.as_deref()).into();
                    Reading::Consumed { device: device.clone(), limit, metric, percent: value }
                }
                of_disk => {
                    match of_disk {
                        Figure::Reads => disk.reads_per_s = Some(value),
                        Figure::Writes => disk.writes_per_s = Some(value),
                        Figure::ReadThroughput => disk.read_throughput = rate(value),
                        Figure::WriteThroughput => disk.write_throughput = rate(value),
                        Figure::ReadBytes => disk.read_throughput = sum(value),
                        Figure::WriteBytes => disk.write_throughput = sum(value),
                        Figure::Queue => disk.queue_depth = Some(value),
                        _ => disk.latency = Some(Duration::from_ns((value * 1e6).round() as u64)),
                    }
                    continue;
                }
            });
        }
        if disk != DiskInterval::default() {
            let reading = match device {
                Some(device) => Reading::Disk { device, role: Role::Disk, disk },
                None => Reading::Host(disk),
            };
            out.take(self.line, common, reading);
        }
        for reading in others {
            out.take(self.line, common, reading);
        }
    }
}

/// The limit that a metric in small letters is of. The REST interface calls the cached limit local and the uncached one remote.
fn limit(metric: &str, whole_vm: bool) -> Option<ProviderLimit> {
    let (gate, metric) = match metric.strip_prefix("vm ").filter(|_| whole_vm) {
        Some(metric) => {
            let (gate, metric) = metric.split_once(' ')?;
            (Some(gate), metric)
        }
        None if whole_vm => return None,
        None => (None, metric),
    };
    let (is_credits, in_bytes) = match metric {
        "iops consumed percentage" => (false, false),
        "bandwidth consumed percentage" => (false, true),
        "used burst io credits percentage" => (true, false),
        "used burst bps credits percentage" => (true, true),
        _ => return None,
    };
    let gate = match gate {
        None => None,
        Some("cached") => Some(CACHED),
        Some("uncached") => Some(UNCACHED),
        Some("local") if is_credits => Some(CACHED),
        Some("remote") if is_credits => Some(UNCACHED),
        Some(_) => return None,
    };
    Some(ProviderLimit { is_credits, gate, in_bytes })
}

/// The metric of a limit, as the portal calls it; of a disk with its kind.
fn metric_of(limit: ProviderLimit, device: Option<&str>) -> String {
    let what = match (limit.is_credits, limit.in_bytes) {
        (false, false) => "IOPS Consumed Percentage",
        (false, true) => "Bandwidth Consumed Percentage",
        (true, false) => "Used Burst IO Credits Percentage",
        (true, true) => "Used Burst BPS Credits Percentage",
    };
    match (limit.gate, device) {
        (Some(CACHED), _) => format!("VM Cached {what}"),
        (Some(_), _) => format!("VM Uncached {what}"),
        (None, Some(OS_DISK)) => format!("OS Disk {what}"),
        (None, Some(LOCAL_DISK)) => format!("Temp Disk {what}"),
        (None, Some(lun)) if lun.starts_with("LUN ") => format!("Data Disk {what} ({lun})"),
        (None, Some(ALL_LUNS) | None) => format!("Data Disk {what}"),
        (None, Some(disk)) => format!("Disk {what} ({disk})"),
    }
}
