//! What recordings hold, as rows of counters.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use arrow_schema::{DataType, Field, Schema};
use diskwright::dw_observe::{DeviceInterval, HostInterval, SourceIntervals};
use diskwright::{Error, Result};

use crate::rows::{COUNTERS, HOST};
use crate::synth::counters_schema;

/// Who the rows are of, and when.
#[derive(Clone, Copy, Debug)]
pub struct Whose<'a> {
    /// The VM, whatever the recording says.
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

/// Rows of counters of what was recorded, in the order of vm, ts, device.
///
/// # Errors
/// Of kind `Input` where a recording has no dates and nobody says when it began, or nothing of any disk.
pub fn counters(sources: &[SourceIntervals], whose: Whose<'_>) -> Result<RecordBatch> {
    let vm_of = |source: &SourceIntervals| -> String {
        whose.vm.or(source.machine.as_deref()).unwrap_or(whose.otherwise).to_string()
    };
    let mut vms: Vec<String> = sources.iter().map(vm_of).collect();
    vms.sort();
    vms.dedup();
    let mut rows: Vec<Row<'_>> = Vec::new();
    for vm in &vms {
        let its: Vec<&SourceIntervals> = sources.iter().filter(|source| vm_of(source) == *vm).collect();
        // Several tools that saw the same disks are not added up: the finest says it.
        let finest = its.iter().filter(|source| !source.devices.is_empty()).min_by_key(|source| usual(source));
        let finest =
            finest.ok_or_else(|| Error::input(format!("the recordings of VM `{vm}` have no disk intervals")))?;
        let shift = shift(finest, whose.start_us)?;
        for device in &finest.devices {
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
    rows.sort_by(|a, b| (a.vm, a.ts, a.device()).cmp(&(b.vm, b.ts, b.device())));
    Ok(batch(&rows))
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
                .hint("say when it began: --start 2026-11-01T00:00:00Z"));
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
    let fields = counters_schema().fields().iter().cloned().collect::<Vec<_>>();
    let host = HOST.map(|name| Arc::new(Field::new(name, DataType::Int64, true)));
    let schema = Schema::new(fields.into_iter().chain(host).collect::<Vec<_>>());
    RecordBatch::try_new(Arc::new(schema), columns).expect("columns are those of the schema")
}
