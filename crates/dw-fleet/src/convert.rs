//! What recordings hold, as rows of counters.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use arrow_schema::{DataType, Field, Schema};
use diskwright::dw_observe::{
    Common, DeviceInterval, Fault, HostInterval, Name, Origin, Reading, Sink, SourceIntervals,
};
use diskwright::{Error, Result};

use crate::rows::{COUNTERS, HOST, UNPARTED};
use crate::synth::counters_schema;

/// Takes the names of machines from readings, and nothing else: which recordings belong together is known by them.
#[derive(Clone, Debug, Default)]
pub struct Machines(BTreeSet<Name>);

impl Machines {
    /// Those that were named, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|name| &**name)
    }
}

impl Sink for Machines {
    fn take(&mut self, _: Origin, common: Common, _: Reading) {
        if let Some(machine) = common.machine.filter(|machine| !self.0.contains(machine)) {
            self.0.insert(machine);
        }
    }
    fn fault(&mut self, _: Origin, _: Fault) {}
}

/// Who the rows are of, and when.
#[derive(Clone, Copy, Debug)]
pub struct Whose<'a> {
    /// The VM, whatever the recording calls it.
    pub vm: Option<&'a str>,
    /// The VM where the recording does not say it.
    pub otherwise: &'a str,
    /// When recordings without a date begin, in microseconds since 1970.
    pub start_us: Option<i64>,
}

/// One row, of a device or of the whole VM.
struct Row<'a> {
    vm: &'a str,
    ts: i64,
    span: i64,
    of: Result<&'a DeviceInterval, &'a HostInterval>,
}

impl Row<'_> {
    fn device(&self) -> Option<&str> {
        self.of.as_ref().ok().map(|device| &*device.device)
    }
}

/// Rows of counters of what was recorded, in the order of vm, ts, device; and what of it is not among them, as sentences.
///
/// # Errors
/// Of kind `Input` where a recording has no dates and nobody says when it began, where there is nothing of any disk, or where one VM is
/// named for recordings of several machines.
pub fn counters(sources: &[SourceIntervals], whose: Whose<'_>) -> Result<(RecordBatch, Vec<String>)> {
    let mut notices = Vec::new();
    let vms = by_vm(sources, whose)?;
    let (mut rows, mut without): (Vec<Row<'_>>, Vec<String>) = Default::default();
    for (vm, its) in &vms {
        // Several tools that saw the same disks are not added up: the finest says it.
        let finest = its.iter().filter(|source| !source.devices.is_empty()).min_by_key(|source| usual(source));
        let Some(finest) = finest else {
            without.push(format!("`{vm}`"));
            continue;
        };
        // One tool may have two sources: a machine whose name was written in two ways.
        let is_used = |source: &SourceIntervals| source.tool == finest.tool && source.is_dated == finest.is_dated;
        for other in its.iter().filter(|other| !other.devices.is_empty() && !is_used(other)) {
            let (used, not) = (&finest.tool, &other.tool);
            notices.push(format!(
                "the disks of VM `{vm}` are those of {used}, whose intervals are finer; {not} is not used"
            ));
        }
        let shift = shift(finest, whose.start_us)?;
        for device in its.iter().filter(|source| is_used(source)).flat_map(|source| &source.devices) {
            rows.push(Row { vm, ts: shift(device.at), span: ns(device.span), of: Ok(device) });
        }
        if let Some(source) = its.iter().find(|source| !source.host.is_empty() && source.is_dated == finest.is_dated) {
            rows.extend(source.host.iter().map(|host| Row {
                vm,
                ts: shift(host.at),
                span: ns(host.span),
                of: Err(host),
            }));
        }
    }
    if !without.is_empty() {
        let what = format!("no interval of any disk was found for VM {}", without.join(", "));
        if rows.is_empty() {
            return Err(Error::input(what));
        }
        notices.push(what);
    }
    rows.sort_by(|a, b| (a.vm, a.ts, a.device()).cmp(&(b.vm, b.ts, b.device())));
    Ok((batch(&rows), notices))
}

/// Sources by the VM that they are of; names that differ in their case alone are one.
fn by_vm<'a>(sources: &'a [SourceIntervals], whose: Whose<'_>) -> Result<BTreeMap<String, Vec<&'a SourceIntervals>>> {
    let mut spelled: BTreeMap<String, String> = BTreeMap::new();
    for name in sources.iter().filter_map(|source| source.machine.as_deref()) {
        spelled.entry(name.to_lowercase()).or_insert_with(|| name.to_string());
    }
    if let Some(vm) = whose.vm.filter(|_| spelled.len() > 1) {
        let names: Vec<String> = spelled.values().map(|name| format!("`{name}`")).collect();
        let what = format!("these are samples of {} machines, not only of `{vm}`: {}", names.len(), names.join(", "));
        return Err(Error::input(what).hint("omit `--vm`: the recordings name their machines"));
    }
    let mut vms: BTreeMap<String, Vec<&SourceIntervals>> = BTreeMap::new();
    for source in sources {
        let own = source.machine.as_deref().map(|name| spelled[&name.to_lowercase()].as_str());
        vms.entry(whose.vm.or(own).unwrap_or(whose.otherwise).to_string()).or_default().push(source);
    }
    Ok(vms)
}

fn ns(span: diskwright::dw_units::Duration) -> i64 {
    i64::try_from(span.ns()).unwrap_or(i64::MAX)
}

/// The usual length of an interval.
fn usual(source: &SourceIntervals) -> i64 {
    let mut spans: Vec<i64> = source.devices.iter().map(|device| ns(device.span)).collect();
    let middle = spans.len() / 2;
    *spans.select_nth_unstable(middle).1
}

/// Microseconds since 1970 of an instant on the axis of a source.
fn shift(source: &SourceIntervals, start_us: Option<i64>) -> Result<impl Fn(i64) -> i64> {
    let from = match (source.is_dated, start_us) {
        (true, _) => 0,
        (false, Some(start)) => {
            // Its first interval begins then.
            let first = source.devices.iter().map(|device| device.at.saturating_sub(ns(device.span))).min();
            start.saturating_sub(first.unwrap_or(0) / 1_000)
        }
        (false, None) => {
            return Err(Error::input(format!("this recording of {} has no dates", source.tool))
                .hint("give its start time: --start 2026-11-01T00:00:00Z"));
        }
    };
    Ok(move |at: i64| from.saturating_add(at / 1_000))
}

fn batch(rows: &[Row<'_>]) -> RecordBatch {
    let numbers =
        |of: &dyn Fn(&Row<'_>) -> Option<i64>| Arc::new(rows.iter().map(of).collect::<Int64Array>()) as ArrayRef;
    let statistic = |row: &Row<'_>| if row.of.as_ref().is_ok_and(|device| device.is_peak) { "max" } else { "mean" };
    let mut columns: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| row.vm))),
        Arc::new(rows.iter().map(|row| row.device()).collect::<StringArray>()),
        Arc::new(TimestampMicrosecondArray::from_iter_values(rows.iter().map(|row| row.ts)).with_timezone("UTC")),
        numbers(&|row| Some(row.span)),
    ];
    columns.extend((0..COUNTERS.len()).map(|place| numbers(&|row| row.of.as_ref().ok()?.figures[place])));
    columns.push(Arc::new(StringArray::from_iter_values(rows.iter().map(statistic))));
    let host = |of: &dyn Fn(&HostInterval) -> Option<i64>| numbers(&|row| of(row.of.as_ref().err()?));
    columns.push(host(&|host| Some(host.cpu_ns?.0)));
    columns.push(host(&|host| Some(host.cpu_ns?.1)));
    columns.push(host(&|host| host.memory_used));
    columns.push(host(&|host| host.transactions));
    columns.push(host(&|host| host.memory_available));
    let unparted = COUNTERS.len()..COUNTERS.len() + UNPARTED.len();
    columns.extend(unparted.map(|place| numbers(&|row| row.of.as_ref().ok()?.figures[place])));
    let fields = counters_schema().fields().iter().cloned().collect::<Vec<_>>();
    let others = HOST.into_iter().chain(UNPARTED);
    let others = others.map(|name| Arc::new(Field::new(name, DataType::Int64, true)));
    let schema = Schema::new(fields.into_iter().chain(others).collect::<Vec<_>>());
    RecordBatch::try_new(Arc::new(schema), columns).expect("columns are those of the schema")
}
