//! Metrics of EBS volumes, of EC2 instances and of RDS databases: what `aws cloudwatch get-metric-data` and `get-metric-statistics` print, and
//! what a metric stream delivers.
//!
//! `{MetricDataResults: [{Id, Label, Timestamps, Values}]}` says neither whose a metric is nor which statistic and period it has: a label does
//! (`vol-0a1b2c3d VolumeReadOps Sum 60`), or the queries themselves, which may stand before the results in the same file. `{Label, Datapoints:
//! [{Timestamp, Sum, ...}]}` is one metric, in no order of time, without its dimensions: the name of the file says them. A stream has a point a
//! line: `{metric_name, dimensions, timestamp, value: {count, sum, min, max}}`.
//!
//! A period that nobody says is the longest that divides the times between the points of a metric. A stamp is where its period begins;
//! readings carry where it ends. Points of a metric are joined by time, so memory grows with the file. What a volume does in a period is
//! passed on as it is counted, so that latencies are those of all its I/Os (`VolumeTotalReadTime` over `VolumeReadOps`), also where each
//! metric comes in a file of its own. What stands twice with two values is said, and the first is used.
//!
//! Source: the API reference of Amazon CloudWatch (GetMetricData, GetMetricStatistics), "CloudWatch metric stream output in JSON
//! format", 2026. Names and units: `cloudwatch_names.rs`.
//!
//! Ignores: percentiles, metric math, streams as OpenTelemetry; metrics of other services.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;

use dw_observe::{
    Common, CpuInterval, DiskGrowth, DiskInterval, Fact, Memory, Name, ProviderLimit, Reading, Role, Stamp,
};
use dw_units::{Bytes, Duration, Throughput};
use serde_json::Value;

use super::CounterError;
use super::cloudwatch_names::{Figure, Metric, Of, Said, Sense, Statistic, by_name};
use super::error::shown;
use super::json_items::{Piece, by_line, pieces};
use super::out::{MOST_JOINED, Out};
use super::stamp::iso;

/// The storage of a database, as a device of its metrics.
const STORAGE: &str = "storage";
/// A volume that nobody names.
const UNNAMED: &str = "volume";
/// The machine of volumes of which nobody says where they are attached, in a file with databases.
const VOLUMES: &str = "unattached";
/// The balance that volumes have, besides databases.
const BURST_BALANCE: &str = "BurstBalance";
/// The gate of an instance that its metrics are of.
const INSTANCE: u8 = 0;
const SECOND: f64 = 1e9;
const QUERIES_FIRST: &str = "put the queries before the results: `cat queries.json results.json > recording.json`";

/// Whose a metric is.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Target {
    machine: Option<String>,
    device: Option<String>,
}

/// The metrics of one thing, by their figure and what they are called.
type Series = (Target, Figure, &'static str);

/// What is known of a period, by statistic.
#[derive(Clone, Debug, Default)]
struct Point {
    line: u64,
    values: [Option<f64>; 5],
}

impl Point {
    fn get(&self, statistic: Statistic) -> Option<f64> {
        self.values[statistic as usize]
    }
    /// The sum of its samples.
    fn total(&self) -> Option<f64> {
        let of_mean = || Some(self.get(Statistic::Average)? * self.get(Statistic::SampleCount)?);
        self.get(Statistic::Sum).or_else(of_mean)
    }
    /// Their mean.
    fn mean(&self) -> Option<f64> {
        let of_sum = || Some(self.get(Statistic::Sum)? / self.get(Statistic::SampleCount).filter(|n| *n > 0.0)?);
        self.get(Statistic::Average).or_else(of_sum)
    }
    /// What it says of a metric.
    fn value(&self, metric: &Metric) -> Option<f64> {
        let extreme = || self.get(Statistic::Minimum).or_else(|| self.get(Statistic::Maximum));
        match metric.sense {
            Sense::Total => self.total(),
            // Of a balance that a minute changes little any of its samples tells.
            Sense::Mean if matches!(metric.figure, Figure::Balance { .. }) => self.mean().or_else(extreme),
            Sense::Mean => self.mean(),
            Sense::Any => {
                let most = self.get(Statistic::Maximum).or_else(|| self.mean()).or_else(|| self.get(Statistic::Sum));
                most.map(|most| if most > 0.0 { 1.0 } else { 0.0 })
            }
        }
    }
    fn said(&self) -> String {
        let names = Statistic::ALL.into_iter().filter(|s| self.get(*s).is_some()).map(Statistic::name);
        names.collect::<Vec<_>>().join(" and ")
    }
}

/// A metric and its points.
#[derive(Debug)]
struct Points {
    metric: &'static Metric,
    period_ns: Option<u64>,
    by_time: BTreeMap<i64, Point>,
}

/// Points of all metrics.
#[derive(Default)]
pub(super) struct State {
    /// Stamps are those of somebody's clock; the interface's own are UTC.
    pub local: bool,
    of_file: Said,
    queries: BTreeMap<String, Query>,
    series: BTreeMap<Series, Points>,
    points: u64,
    /// Machines that are databases.
    databases: BTreeSet<String>,
    /// What was said once, and is not said again.
    said: BTreeSet<String>,
}

/// What a query asks for.
#[derive(Clone, Debug)]
enum Query {
    Metric(Said),
    /// What is to be said of its results, if anything.
    Unread(Option<String>),
}

/// Reads to the end; the last line.
pub(super) fn read(input: &mut dyn BufRead, head: &[u8], out: &mut Out<'_>) -> Result<u64, CounterError> {
    let mut state = State::new(out.options.name);
    if memchr::memmem::find(head, b"\"metric_name\"").is_some() {
        return stream(input, state, out);
    }
    let name = out.options.name;
    let arrays = ["MetricDataResults", "MetricDataQueries", "Datapoints", "Messages", ""];
    // A label may stand behind its points.
    let mut labels: BTreeMap<u64, String> = BTreeMap::new();
    let mut waiting: Vec<(u64, u64, Value)> = Vec::new();
    let last = pieces(input, name, &arrays, &mut |piece| match piece {
        Piece::Scalar { key, text, object } => {
            match key.as_str() {
                "Label" => drop(labels.insert(object, text)),
                "NextToken" if !matches!(text.as_str(), "" | "null") => {
                    let hint = "fetch them, too: without `--no-paginate` and `--max-items` the command line does";
                    out.fault(1, "there are more pages of these metrics (`NextToken`)".into(), hint.into())?;
                }
                _ => {}
            }
            Ok(())
        }
        Piece::Bad { line, what } => out.fault(line, what, "this metric is ignored".into()),
        Piece::Item { array, line, value, cut, within } => {
            if cut {
                let hint = "its complete part is used; copy the file again".to_string();
                out.fault(line, "the file ends inside a metric".into(), hint)?;
            }
            match array.as_str() {
                "Datapoints" => waiting.push((within.last().copied().unwrap_or(0), line, value)),
                "Messages" => state.message(&value, line, out)?,
                _ => state.item(&value, line, out)?,
            }
            Ok(())
        }
    })?;
    for (object, line, value) in waiting {
        let label = labels.get(&object).map_or("", String::as_str);
        state.datapoint(label, &value, line, out)?;
    }
    state.flush(out)?;
    Ok(last)
}

/// Points one a line.
fn stream(input: &mut dyn BufRead, mut state: State, out: &mut Out<'_>) -> Result<u64, CounterError> {
    let last = by_line(input, out, |value, line, out| state.streamed(value, line, out))?;
    state.flush(out)?;
    Ok(last)
}

/// When a period begins, in nanoseconds since 1970: a date, or seconds as the interface has them.
fn begins(value: Option<&Value>) -> Result<i64, String> {
    let plain = |seconds: f64| (0.0..9.2e9).contains(&seconds).then_some((seconds * SECOND) as i64);
    let found = match value {
        Some(Value::Number(number)) => number.as_f64().and_then(plain),
        Some(Value::String(text)) => match iso(text) {
            Some(Stamp::Wall { ns, utc_offset_min }) => {
                Some(ns.saturating_sub(i64::from(utc_offset_min.unwrap_or(0)) * 60_000_000_000))
            }
            _ => None,
        },
        _ => None,
    };
    let text = value.map_or("nothing".into(), |value| value.as_str().map_or(value.to_string(), str::to_string));
    found.ok_or_else(|| format!("`{}` is not a date and time", shown(text.as_bytes())))
}

impl State {
    /// Of a file of this name.
    pub fn new(file: &str) -> State {
        State { of_file: Said::from_file(file), ..State::default() }
    }

    /// A query, a result, or a whole document in an array of them.
    fn item(&mut self, value: &Value, line: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        if value.get("MetricStat").is_some() || value.get("Expression").is_some() {
            self.query(value);
            return Ok(());
        }
        if value.get("Values").is_some() || value.get("Timestamps").is_some() {
            return self.result(value, line, out);
        }
        let list = |key: &str| value.get(key).and_then(Value::as_array).into_iter().flatten();
        for inner in list("MetricDataQueries").chain(list("MetricDataResults")) {
            self.item(inner, line, out)?;
        }
        let label = value.get("Label").and_then(Value::as_str).unwrap_or_default();
        list("Datapoints").try_for_each(|point| self.datapoint(label, point, line, out))
    }

    fn query(&mut self, value: &Value) {
        let text = |at: &str| value.pointer(at).and_then(Value::as_str);
        let Some(id) = text("/Id") else { return };
        let of_label = text("/Label").map(Said::from_text).unwrap_or_default();
        let query = match text("/Expression") {
            // A search finds metrics as they are; its results say by their labels whose each is.
            Some(expression) if expression.trim_start().starts_with("SEARCH(") => {
                let Said { metric, statistic, period_ns, .. } = Said::from_text(expression);
                Query::Metric(Said { metric, statistic, period_ns, ..of_label })
            }
            Some(_) => Query::Unread(Some(format!("`{}` is metric math", shown(id.as_bytes())))),
            None => {
                let mut said =
                    Said { metric: text("/MetricStat/Metric/MetricName").and_then(by_name), ..Said::default() };
                let statistic = text("/MetricStat/Stat").unwrap_or_default();
                said.statistic = Statistic::by_name(statistic);
                let seconds = value.pointer("/MetricStat/Period").and_then(Value::as_u64);
                said.period_ns = seconds.and_then(|s| s.checked_mul(1_000_000_000)).filter(|ns| *ns > 0);
                let dimensions = value.pointer("/MetricStat/Metric/Dimensions").and_then(Value::as_array);
                for dimension in dimensions.into_iter().flatten() {
                    let text = |key: &str| dimension.get(key).and_then(Value::as_str).unwrap_or_default();
                    said.dimension(text("Name"), text("Value"));
                }
                match (said.metric, said.statistic) {
                    (None, _) => Query::Unread(None),
                    (Some(metric), None) => {
                        Query::Unread(Some(format!("{} of `{}`", shown(statistic.as_bytes()), metric.known_as())))
                    }
                    _ => Query::Metric(said),
                }
            }
        };
        self.queries.insert(id.to_string(), query);
    }

    /// `{Id, Label, Timestamps, Values, StatusCode}`.
    fn result(&mut self, value: &Value, line: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
        let (id, label) = (text("Id"), text("Label"));
        for message in value.get("Messages").and_then(Value::as_array).into_iter().flatten() {
            self.message(message, line, out)?;
        }
        if matches!(text("StatusCode"), "PartialData" | "InternalError" | "Forbidden") {
            let what =
                format!("`{}` is {}: some of its points are not here", shown(label.as_bytes()), text("StatusCode"));
            out.fault(line, what, "those that are there are used; query it again".into())?;
        }
        let said = match self.queries.get(id) {
            Some(Query::Unread(None)) => return Ok(()),
            Some(Query::Unread(Some(what))) => {
                let what = format!("{what}, which is not read");
                return self.once(
                    &what.clone(),
                    line,
                    what,
                    "query the `Sum` of counts, the `Average` of all else".into(),
                    out,
                );
            }
            Some(Query::Metric(said)) => said.clone(),
            None => Said::default(),
        };
        let said = said.or(&Said::from_text(label)).or(&Said { name: None, ..Said::from_text(id) }).or(&self.of_file);
        let [times, values] = ["Timestamps", "Values"].map(|key| value.get(key).and_then(Value::as_array));
        let (times, values) = (times.map_or(&[][..], Vec::as_slice), values.map_or(&[][..], Vec::as_slice));
        let Some(metric) = said.metric else {
            return self.unknown(if label.is_empty() { id } else { label }, line, out);
        };
        if times.len() != values.len() {
            let what = format!("`{}` has {} times and {} values", shown(label.as_bytes()), times.len(), values.len());
            return out.fault(line, what, "this metric is ignored".into());
        }
        if times.is_empty() {
            return Ok(());
        }
        let Some(statistic) = said.statistic else { return self.without_statistic(metric, line, out) };
        for (time, value) in times.iter().zip(values) {
            let values = [(statistic, Some(value))];
            self.point(&said, metric, begins(Some(time)), &values, line, out)?;
        }
        Ok(())
    }

    /// `{Timestamp, Sum, Average, SampleCount, Minimum, Maximum, Unit}` of what a label calls.
    fn datapoint(&mut self, label: &str, value: &Value, line: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        let said = Said::from_text(label).or(&self.of_file);
        let Some(metric) = said.metric else { return self.unknown(label, line, out) };
        if !self.has_unit(metric, value.get("Unit"), line, out)? {
            return Ok(());
        }
        let values = Statistic::ALL.map(|statistic| (statistic, value.get(statistic.name())));
        self.point(&said, metric, begins(value.get("Timestamp")), &values, line, out)
    }

    /// `{metric_name, dimensions, timestamp, value: {count, sum, max, min}, unit}`.
    fn streamed(&mut self, value: &Value, line: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        let name = value.get("metric_name").and_then(Value::as_str);
        let (Some(name), Some(of)) = (name, value.get("value")) else {
            let what = "a record without a metric or without a value".to_string();
            return out.fault(line, what, "it is ignored".into());
        };
        let namespace = value.get("namespace").and_then(Value::as_str).unwrap_or("AWS/EBS");
        let Some(metric) = by_name(name).filter(|_| matches!(namespace, "AWS/EBS" | "AWS/EC2" | "AWS/RDS")) else {
            return Ok(());
        };
        let mut said = Said::default();
        for (name, value) in value.get("dimensions").and_then(Value::as_object).into_iter().flatten() {
            said.dimension(name, value.as_str().unwrap_or_default());
        }
        // Sums over all instances, or over those of a size, are stream's metrics as well.
        if said == Said::default() {
            return Ok(());
        }
        if !self.has_unit(metric, value.get("unit"), line, out)? {
            return Ok(());
        }
        let time = value.get("timestamp");
        let ns = time.and_then(Value::as_i64).filter(|ms| *ms > 0).and_then(|ms| ms.checked_mul(1_000_000));
        let begins = ns.ok_or(()).or_else(|()| begins(time));
        let keys = [
            (Statistic::Sum, "sum"),
            (Statistic::Minimum, "min"),
            (Statistic::Maximum, "max"),
            (Statistic::SampleCount, "count"),
        ];
        let values = keys.map(|(statistic, key)| (statistic, of.get(key)));
        self.point(&said, metric, begins, &values, line, out)
    }

    /// `{Code, Value}`
    fn message(&mut self, value: &Value, line: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
        let what = format!("the interface says `{}`", shown(format!("{}: {}", text("Code"), text("Value")).as_bytes()));
        out.fault(line, what, "the points that are there are used".into())
    }

    /// Something that is said once of a file.
    fn once(
        &mut self,
        key: &str,
        line: u64,
        what: String,
        hint: String,
        out: &mut Out<'_>,
    ) -> Result<(), CounterError> {
        if self.said.insert(key.to_string()) { out.fault(line, what, hint) } else { Ok(()) }
    }

    /// A metric of which only its values are known: they may be sums, means or anything else.
    pub fn without_statistic(&mut self, metric: &Metric, line: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        let name = metric.known_as();
        let what = format!("nothing says which statistic of `{name}` this is");
        let wanted = if metric.sense == Sense::Total { Statistic::Sum } else { Statistic::Average };
        let hint =
            format!("{QUERIES_FIRST}, or say it in its label or in the name of the file: `{name} {}`", wanted.name());
        self.once("statistic", line, what, hint, out)
    }

    /// A metric of another service is passed over; a label that names none may be of any.
    fn unknown(&mut self, label: &str, line: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        let is_name = |word: &str| word.len() > 3 && word.starts_with(|c: char| c.is_ascii_uppercase());
        if label.split_whitespace().any(|word| is_name(word) && Statistic::by_name(word).is_none()) {
            return Ok(());
        }
        let what = format!("`{}` does not say which metric it is", shown(label.as_bytes()));
        self.once("metric", line, what, format!("{QUERIES_FIRST}, or name the metric in its label"), out)
    }

    fn has_unit(
        &mut self,
        metric: &Metric,
        unit: Option<&Value>,
        line: u64,
        out: &mut Out<'_>,
    ) -> Result<bool, CounterError> {
        let Some(unit) = unit.and_then(Value::as_str) else { return Ok(true) };
        if unit.eq_ignore_ascii_case(metric.unit) || unit == "None" || metric.unit == "None" {
            return Ok(true);
        }
        let what = format!("`{}` in `{}`, where it has `{}`", metric.known_as(), shown(unit.as_bytes()), metric.unit);
        self.once(&what.clone(), line, what, "this metric is ignored".into(), out)?;
        Ok(false)
    }

    /// Puts a point in its place.
    fn point(
        &mut self,
        said: &Said,
        metric: &'static Metric,
        begins: Result<i64, String>,
        values: &[(Statistic, Option<&Value>)],
        line: u64,
        out: &mut Out<'_>,
    ) -> Result<(), CounterError> {
        let begins_ns = match begins {
            Ok(ns) => ns,
            Err(what) => return out.fault(line, what, "this point is not used".into()),
        };
        let mut known = Vec::new();
        for (statistic, value) in values {
            match value {
                None | Some(Value::Null) => {}
                Some(value) => match value.as_f64().filter(|number| !number.is_sign_negative()) {
                    Some(number) => known.push((*statistic, number)),
                    None => {
                        let what = format!("`{}` of `{}` is {value}", statistic.name(), metric.known_as());
                        return out.fault(line, what, "a number from zero is expected; this point is not used".into());
                    }
                },
            }
        }
        self.add(said, metric, begins_ns, &known, line, out)
    }

    /// The same of numbers.
    pub fn add(
        &mut self,
        said: &Said,
        metric: &'static Metric,
        begins_ns: i64,
        values: &[(Statistic, f64)],
        line: u64,
        out: &mut Out<'_>,
    ) -> Result<(), CounterError> {
        self.points += 1;
        if self.points > MOST_JOINED {
            return Err(out.too_much(line));
        }
        let target = self.target(said, metric, line, out)?;
        let place = (target, metric.figure, metric.known_as());
        let new = || Points { metric, period_ns: None, by_time: BTreeMap::new() };
        let points = self.series.entry(place).or_insert_with(new);
        points.period_ns = points.period_ns.or(said.period_ns);
        let point = points.by_time.entry(begins_ns).or_insert_with(|| Point { line, ..Point::default() });
        let mut twice = None;
        for (statistic, value) in values {
            match &mut point.values[*statistic as usize] {
                place @ None => *place = Some(*value),
                Some(first) if first == value => {}
                Some(first) => twice = Some((*first, point.line, *value)),
            }
        }
        if let Some((first, before, value)) = twice {
            let what =
                format!("`{}` has two values at one time: {first} (line {before}) and {value}", metric.known_as());
            let hint = "the first is used; are they two volumes, of which none is named?";
            return self.once("twice", line, what, hint.into(), out);
        }
        Ok(())
    }

    /// Whose a metric is; what nobody says is said to be missing.
    fn target(&mut self, said: &Said, metric: &Metric, line: u64, out: &mut Out<'_>) -> Result<Target, CounterError> {
        let of = match metric.of {
            Of::Whichever if said.volume.is_some() => Of::Volume,
            Of::Whichever if said.database.is_some() => Of::Database,
            Of::Whichever if metric.name == BURST_BALANCE && said.instance.is_none() => Of::Volume,
            Of::Whichever => Of::Instance,
            of => of,
        };
        let named = |name: &Option<String>| name.clone().or_else(|| said.name.clone());
        let missing = |what: &str, example: &str| {
            let name = metric.known_as();
            let hint = format!("name the file after it (`{example}-{name}.json`), or put its id into the label");
            (format!("nothing says which {what} `{name}` is of"), hint)
        };
        Ok(match of {
            Of::Volume => {
                let volume = named(&said.volume);
                if volume.is_none() {
                    let (what, hint) = missing("volume", "vol-0123456789abcdef0");
                    self.once("volume", line, what, format!("it is called `{UNNAMED}`; {hint}"), out)?;
                }
                Target { machine: said.instance.clone(), device: Some(volume.unwrap_or(UNNAMED.into())) }
            }
            Of::Database => {
                let is_of_storage = metric.of == Of::Database || metric.name == BURST_BALANCE;
                let machine = named(&said.database);
                self.databases.extend(machine.clone());
                Target { machine, device: is_of_storage.then(|| STORAGE.into()) }
            }
            _ => Target { machine: named(&said.instance), device: None },
        })
    }

    /// Passes on what was joined, one machine after the other.
    pub fn flush(mut self, out: &mut Out<'_>) -> Result<(), CounterError> {
        self.of_databases();
        self.of_one_machine(out)?;
        let shortest = self.series.values().filter_map(Points::period).min();
        // By time within a machine: of a long recording what is past is folded, and what comes late is not joined with it.
        let mut joined: BTreeMap<Place, Joined> = BTreeMap::new();
        for ((target, figure, name), points) in std::mem::take(&mut self.series) {
            let period = points.period().or(shortest);
            let metric = points.metric;
            if metric.sense == Sense::Total && period.is_none() {
                let line = points.by_time.values().next().map_or(1, |point| point.line);
                let what = format!("one point of `{name}`: nothing says how long its period is");
                out.fault(line, what, format!("{QUERIES_FIRST}, or say it in the label: `{name} Sum 300`"))?;
                continue;
            }
            for (begins_ns, point) in points.by_time {
                let Some(value) = point.value(metric) else {
                    let said = point.said();
                    let (is, record) = match metric.sense {
                        Sense::Total => ("no rate: it is of the samples of a period", Statistic::Sum),
                        _ => ("no mean", Statistic::Average),
                    };
                    let what = format!("{said} of `{name}` is {is}");
                    let hint = format!("record `{}` of it; this metric is ignored", record.name());
                    self.once(name, point.line, what, hint, out)?;
                    continue;
                };
                let (machine, device) = (target.machine.clone(), target.device.clone());
                let length = i64::try_from(period.unwrap_or(0)).unwrap_or(i64::MAX);
                let place = joined.entry((machine, begins_ns.saturating_add(length), device, period)).or_default();
                place.line = if place.line == 0 { point.line } else { place.line };
                place.values.push((metric, figure, value));
            }
        }
        let Some(((machine, ..), _)) = joined.first_key_value() else { return Ok(()) };
        let mut common = Common::at(Stamp::Report { index: 0 });
        common.machine = machine.as_ref().map(|name| out.name(name.as_bytes()));
        out.fact(1, &common, Fact::Tool("CloudWatch".into()));
        let mut before: Option<String> = None;
        for ((machine, ns, device, period), joined) in joined {
            let name = machine.as_ref().map(|name| out.name(name.as_bytes()));
            if let Some(name) = name.as_ref().filter(|_| machine != before) {
                out.machine(joined.line, name)?;
            }
            before = machine;
            common.machine = name;
            common.interval = period.map(Duration::from_ns);
            common.stamp = Stamp::Wall { ns, utc_offset_min: (!self.local).then_some(0) };
            let device = device.as_ref().map(|name| out.device(joined.line, name.as_bytes())).transpose()?;
            joined.pass_on(&common, device, period.unwrap_or(0), out);
        }
        Ok(())
    }

    /// A label with the name of a database says so of its balances, too, which volumes and instances also have.
    fn of_databases(&mut self) {
        let is_database = |target: &Target| target.device.as_deref() == Some(STORAGE);
        let names =
            self.series.keys().filter(|(target, ..)| is_database(target)).map(|(target, ..)| target.machine.clone());
        let names: BTreeSet<String> = names.flatten().collect();
        let is_theirs = |(target, ..): &Series| {
            target.machine.is_none() && target.device.as_ref().is_some_and(|name| names.contains(name))
        };
        let theirs: Vec<Series> = self.series.keys().filter(|series| is_theirs(series)).cloned().collect();
        for series in theirs {
            if let Some(points) = self.series.remove(&series) {
                let target = Target { machine: series.0.device, device: Some(STORAGE.into()) };
                self.series.insert((target, series.1, series.2), points);
            }
        }
    }

    /// Of the only instance that is named is what names none, too: a volume does not say where it is attached. A database is no instance:
    /// its volumes are in its storage, and nobody attaches others.
    fn of_one_machine(&mut self, out: &mut Out<'_>) -> Result<(), CounterError> {
        let named = self.series.keys().filter_map(|(target, ..)| target.machine.clone());
        let (databases, instances): (BTreeSet<String>, BTreeSet<String>) =
            named.partition(|name| self.databases.contains(name));
        let is_volume = |target: &Target| target.machine.is_none() && target.device.is_some();
        let volume = self.series.iter().find(|((target, ..), _)| is_volume(target));
        let unattached = volume.and_then(|((target, ..), points)| Some((target.device.clone()?, points.first_line())));
        let instances: Vec<String> = instances.into_iter().collect();
        let of_volumes = match (&instances[..], unattached) {
            ([only], _) => Some(only.clone()),
            ([], Some((volume, line))) if !databases.is_empty() => {
                let what = format!("nothing says to which instance `{volume}` is attached, and a database is none");
                let hint = format!("volumes without an instance are of the machine `{VOLUMES}`");
                out.fault(line, what, hint)?;
                Some(VOLUMES.to_string())
            }
            (several @ [_, _, ..], Some((volume, line))) => {
                let what = format!("nothing says to which of {} instances `{volume}` is attached", several.len());
                out.fault(line, what, "record the volumes of one instance at a time, with its metrics".into())?;
                (!databases.is_empty()).then(|| VOLUMES.to_string())
            }
            _ => None,
        };
        // What is of no volume is of the only machine there is.
        let of_others = match (&instances[..], databases.len()) {
            ([only], _) => Some(only.clone()),
            ([], 1) => databases.into_iter().next(),
            _ => None,
        };
        for ((target, figure, name), points) in std::mem::take(&mut self.series) {
            let whose = if target.device.is_some() { &of_volumes } else { &of_others };
            let target = Target { machine: target.machine.or_else(|| whose.clone()), ..target };
            match self.series.entry((target, figure, name)) {
                std::collections::btree_map::Entry::Vacant(place) => drop(place.insert(points)),
                std::collections::btree_map::Entry::Occupied(mut place) => {
                    place.get_mut().by_time.extend(points.by_time);
                }
            }
        }
        Ok(())
    }
}

impl Points {
    /// Where its first point stands.
    fn first_line(&self) -> u64 {
        self.by_time.values().next().map_or(1, |point| point.line)
    }

    /// The length of a period: as it is said, or else the longest that divides the times between points.
    fn period(&self) -> Option<u64> {
        let times: Vec<i64> = self.by_time.keys().copied().collect();
        let apart = times.windows(2).map(|pair| pair[1].abs_diff(pair[0]));
        self.period_ns.or_else(|| apart.reduce(divisor))
    }
}

/// The greatest common divisor.
fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// Machine, end in ns, device and period in ns of what was measured.
type Place = (Option<String>, i64, Option<String>, Option<u64>);

/// What is known of one thing in one period.
#[derive(Default)]
struct Joined {
    line: u64,
    values: Vec<(&'static Metric, Figure, f64)>,
}

impl Joined {
    fn pass_on(self, common: &Common, device: Option<Name>, period: u64, out: &mut Out<'_>) {
        let (mut growth, mut disk) = (DiskGrowth::default(), DiskInterval::default());
        let mut others = Vec::new();
        let seconds = period as f64 / SECOND;
        let rate = |value: f64| Some(Throughput::bytes_per_second(value.round() as u64));
        let time = |value: f64| Some(Duration::from_ns((value * SECOND).round() as u64));
        for (metric, figure, value) in self.values {
            // A volume's counts are passed on as counts; of a machine, and of what is a rate, there are rates.
            let is_counted = metric.of == Of::Volume;
            let per_second = if metric.sense == Sense::Total { value / seconds } else { value };
            match figure {
                Figure::Reads if is_counted => growth.reads = Some(value),
                Figure::Writes if is_counted => growth.writes = Some(value),
                Figure::ReadBytes if is_counted => growth.read_bytes = Some(value),
                Figure::WriteBytes if is_counted => growth.write_bytes = Some(value),
                Figure::Reads => disk.reads_per_s = Some(per_second),
                Figure::Writes => disk.writes_per_s = Some(per_second),
                Figure::ReadBytes => disk.read_throughput = rate(per_second),
                Figure::WriteBytes => disk.write_throughput = rate(per_second),
                Figure::ReadTime => growth.read_time_ns = Some(value * SECOND),
                Figure::WriteTime => growth.write_time_ns = Some(value * SECOND),
                Figure::IdleTime => growth.busy_time_ns = Some((period as f64 - value * SECOND).max(0.0)),
                Figure::Queue if is_counted => growth.queue_time_ns = Some(value * period as f64),
                Figure::Queue => disk.queue_depth = Some(value),
                Figure::ReadLatency => disk.read_latency = time(value),
                Figure::WriteLatency => disk.write_latency = time(value),
                Figure::Cpu => {
                    let cpu = CpuInterval { busy_percent: Some(value), ..CpuInterval::default() };
                    others.push(Reading::Cpu(cpu));
                }
                Figure::Available => {
                    let available = Some(Bytes::new(value.round() as u64));
                    others.push(Reading::Memory(Memory { available, ..Memory::default() }));
                }
                Figure::Balance { in_bytes } => {
                    let limit = ProviderLimit { is_credits: true, gate: gate(metric), in_bytes };
                    let metric = format!("100 % - {}", named(metric, device.as_deref())).into();
                    let percent = (100.0 - value).max(0.0);
                    others.push(Reading::Consumed { device: device.clone(), limit, metric, percent });
                }
                Figure::Exceeded { in_bytes } => {
                    let limit = ProviderLimit { is_credits: false, gate: gate(metric), in_bytes };
                    let metric = named(metric, device.as_deref()).into();
                    others.push(Reading::Consumed { device: device.clone(), limit, metric, percent: 100.0 * value });
                }
            }
        }
        if let Some(device) = device.clone().filter(|_| growth != DiskGrowth::default()) {
            out.take(self.line, common, Reading::DiskGrowth { device, role: Role::Disk, growth });
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

/// The gate that a metric is of: none of an instance is one of its volumes'.
fn gate(metric: &Metric) -> Option<u8> {
    let of_volume = metric.of == Of::Volume || metric.name == BURST_BALANCE;
    (!of_volume).then_some(INSTANCE)
}

/// A metric with what it is of.
fn named(metric: &Metric, device: Option<&str>) -> String {
    device.map_or(metric.known_as().into(), |device| format!("{} ({device})", metric.known_as()))
}
