//! What the kernel says of rows that are not as they must be, and that the rest of a VM is as if they were not there.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use arrow_schema::Schema;
use diskwright::{Catalogue, Session};
use dw_fleet::rows::COUNTERS;
use dw_fleet::synth::counters_schema;
use dw_fleet::{Estate, Inventory, Job, Kernel};

pub const ESTATE: Estate = Estate { seed: 7, vms: 2, days: 1, disks: 2, every_s: 600, faults: false };

/// VM, status, code, rows used and dropped, monthly cost.
pub type Found = (String, String, Option<String>, i64, i64, Option<i64>);

fn results(batches: &[RecordBatch]) -> Vec<Found> {
    let (rows, _) = results_of(batches, &ESTATE.inventory());
    rows
}

/// The same of another inventory, with the messages.
pub fn results_of(batches: &[RecordBatch], inventory: &RecordBatch) -> (Vec<Found>, Vec<String>) {
    let session = Session::new(Catalogue::embedded().clone());
    let job = Job::from_json(r#"{ "job_id": "test", "documents": false }"#).unwrap();
    let mut kernel = Kernel::new(job, Inventory::from_batches(std::slice::from_ref(inventory)).unwrap());
    batches.iter().for_each(|batch| kernel.feed(&session, batch).unwrap());
    kernel.finish(&session).unwrap();
    let rows = kernel.take();
    let texts = |name: &str| rows.column_by_name(name).unwrap().as_any().downcast_ref::<StringArray>().unwrap().clone();
    let numbers =
        |name: &str| rows.column_by_name(name).unwrap().as_any().downcast_ref::<Int64Array>().unwrap().clone();
    let (vm, status, code, message) = (texts("vm"), texts("status"), texts("code"), texts("message"));
    let (used, dropped, cost) = (numbers("rows_used"), numbers("rows_dropped"), numbers("monthly_micros"));
    let found = (0..rows.num_rows())
        .map(|row| {
            let code = code.is_valid(row).then(|| code.value(row).to_string());
            let cost = cost.is_valid(row).then(|| cost.value(row));
            (vm.value(row).into(), status.value(row).into(), code, used.value(row), dropped.value(row), cost)
        })
        .collect();
    (found, message.iter().map(|message| message.unwrap_or_default().to_string()).collect())
}

/// A batch with other values in some rows of a column of numbers.
pub fn with(batch: &RecordBatch, column: &str, change: impl Fn(usize, i64) -> Option<i64>) -> RecordBatch {
    let place = batch.schema().index_of(column).unwrap();
    let mut columns = batch.columns().to_vec();
    let changed =
        |values: &[i64]| values.iter().enumerate().map(|(row, value)| change(row, *value)).collect::<Vec<_>>();
    columns[place] = if column == "ts" {
        let old = columns[place].as_any().downcast_ref::<TimestampMicrosecondArray>().unwrap();
        Arc::new(TimestampMicrosecondArray::from(changed(old.values())).with_timezone("UTC")) as ArrayRef
    } else {
        let old = columns[place].as_any().downcast_ref::<Int64Array>().unwrap();
        Arc::new(Int64Array::from(changed(old.values())))
    };
    nullable(batch, columns)
}

/// A batch with these columns, each of which may have nulls.
fn nullable(batch: &RecordBatch, columns: Vec<ArrayRef>) -> RecordBatch {
    let schema = batch.schema();
    let names = schema.fields().iter().map(|field| field.name().as_str());
    RecordBatch::try_from_iter_with_nullable(names.zip(columns).map(|(name, column)| (name, column, true))).unwrap()
}

#[test]
fn rows_that_cannot_be_are_dropped_counted_and_named() {
    let good = ESTATE.counters(0);
    let check = |name: &str, batch: RecordBatch, status: &str, code: Option<&str>, dropped: i64| {
        let found = results(&[batch]);
        let (vm, found_status, found_code, used, found_dropped, _) = &found[0];
        assert_eq!((vm.as_str(), found_status.as_str()), ("vm-000000", status), "{name}: {found:?}");
        assert_eq!((found_code.as_deref(), *found_dropped, used + found_dropped), (code, dropped, 288), "{name}");
    };
    check("as it was", good.clone(), "planned", None, 0);
    check(
        "one reset",
        with(&good, "reads", |row, n| Some(if row == 9 { -n } else { n })),
        "planned",
        Some("counter_reset"),
        1,
    );
    check(
        "negative bytes",
        with(&good, "write_bytes", |row, n| Some(if row < 2 { -1 } else { n })),
        "planned",
        Some("counter_reset"),
        2,
    );
    check("all reset", with(&good, "reads", |_, _| Some(-1)), "failed", Some("counter_reset"), 288);
    check(
        "a fifth is believed",
        with(&good, "reads", |row, n| Some(if row < 57 { -1 } else { n })),
        "planned",
        Some("counter_reset"),
        57,
    );
    check(
        "more is not",
        with(&good, "reads", |row, n| Some(if row < 58 { -1 } else { n })),
        "failed",
        Some("counter_reset"),
        58,
    );
    check("no length", with(&good, "span_ns", |row, n| (row != 4).then_some(n)), "planned", Some("no_interval"), 1);
    check(
        "a length of zero",
        with(&good, "span_ns", |row, n| Some(if row == 4 { 0 } else { n })),
        "planned",
        Some("no_interval"),
        1,
    );
    check("no time", with(&good, "ts", |row, n| (row != 4).then_some(n)), "planned", Some("no_interval"), 1);
    // Two disks: rows 10 and 11 end where 8 and 9 did.
    check(
        "twice",
        with(&good, "ts", |row, n| Some(if row / 2 == 5 { n - 600_000_000 } else { n })),
        "planned",
        Some("clock_jump"),
        2,
    );
    check("jitter", with(&good, "ts", |row, n| Some(n + (row / 2 % 3) as i64 * 90_000_000)), "planned", None, 0);
    check("unknown", with(&good, "queue_time_ns", |_, _| None), "planned", None, 0);
    let few = |row: usize| row < 4;
    let changed = |column: &str, change: &dyn Fn(i64) -> i64| {
        with(&good, column, |row, n| Some(if few(row) { change(n) } else { n }))
    };
    let all = |column: &str, change: &dyn Fn(i64) -> i64| with(&good, column, |_, n| Some(change(n)));
    for (name, batch) in [
        ("reads without bytes", changed("read_bytes", &|_| 0)),
        ("bytes in KiB", changed("write_bytes", &|n| n >> 10)),
        ("bytes without reads", changed("reads", &|_| 0)),
        ("latency in milliseconds", changed("read_time_ns", &|n| n / 1_000_000)),
        ("latency in picoseconds", changed("read_time_ns", &|n| n * 1_000_000)),
        ("a queue of other units", changed("queue_time_ns", &|n| n * 1_000)),
        ("a thousand times the latency that its queue says", changed("write_time_ns", &|n| n * 1_000)),
        ("busy five times its interval", changed("busy_ns", &|_| 3_000_000_000_000)),
        ("an interval of 60 ns", changed("span_ns", &|_| 60)),
        ("the longest interval there is", changed("span_ns", &|_| i64::MAX)),
        ("more reads than any disk serves", changed("reads", &|_| i64::MAX)),
    ] {
        check(name, batch, "planned", Some("implausible"), 4);
    }
    let century = 100 * 365 * 86_400 * 1_000_000;
    for (name, batch) in [
        ("the year 1926", all("ts", &|n| n - century)),
        ("the year 2126", all("ts", &|n| n + century)),
        ("intervals in milliseconds", all("span_ns", &|n| n / 1_000_000)),
        ("no bytes at all", all("read_bytes", &|_| 0)),
    ] {
        check(name, batch, "failed", Some("implausible"), 288);
    }
    // A kernel that counts its queue in ticks (Linux 5.0 to 5.6) misses requests that are faster.
    check("a queue in ticks", all("queue_time_ns", &|_| 0), "planned", None, 0);
    // A rate that was rounded away moved a request's bytes.
    check("rounded", with(&all("reads", &|_| 0), "read_bytes", |_, _| Some(65_536)), "planned", None, 0);
    let swapped = |row: usize, n: i64| Some(if row == 20 { n - 6_000_000_000 } else { n });
    check("one row too late", with(&good, "ts", swapped), "planned", Some("unsorted"), 1);
    let reversed = |row: usize, n: i64| Some(n - row as i64 * 700_000_000);
    check("upside down", with(&good, "ts", reversed), "failed", Some("unsorted"), 287);
    let statistic = |word: &str| text(&good, "statistic", &|_, _| Some(word.to_string()));
    check("a percentile", statistic("p95"), "failed", Some("statistic"), 288);
    check("nothing said", text(&good, "statistic", &|_, _| None), "planned", None, 0);
}

/// A batch with other values in a column of text.
pub fn text(batch: &RecordBatch, column: &str, change: &dyn Fn(usize, &str) -> Option<String>) -> RecordBatch {
    let place = batch.schema().index_of(column).unwrap();
    let mut columns = batch.columns().to_vec();
    let old = columns[place].as_any().downcast_ref::<StringArray>().unwrap().clone();
    let changed = (0..old.len()).map(|row| change(row, if old.is_valid(row) { old.value(row) } else { "" }));
    columns[place] = Arc::new(changed.collect::<StringArray>());
    nullable(batch, columns)
}

#[test]
fn rows_of_nobody_are_a_row_and_nothing_to_the_others() {
    let (a, b) = (ESTATE.counters(0), ESTATE.counters(1));
    let whole = results(&[a.clone(), b.clone()]);
    let nobody = text(&ESTATE.counters(0).slice(0, 7), "vm", &|_, _| None);
    for batches in [[nobody.clone(), a.clone(), b.clone()], [a.clone(), nobody.clone(), b.clone()], [a, b, nobody]] {
        let found = results(&batches);
        assert_eq!(found[..2], whole[..]);
        assert_eq!(found[2..], [(String::new(), "failed".into(), Some("no_vm".into()), 0, 7, None)]);
    }
}

#[test]
fn a_vm_is_the_same_wherever_batches_cut_it() {
    let (a, b) = (ESTATE.counters(0), ESTATE.counters(1));
    let whole = results(&[a.clone(), b.clone()]);
    assert_eq!(whole.len(), 2);
    for length in [1, 7, 100] {
        let cut = |batch: &RecordBatch| -> Vec<RecordBatch> {
            let starts = (0..batch.num_rows()).step_by(length);
            starts.map(|start| batch.slice(start, length.min(batch.num_rows() - start))).collect()
        };
        assert_eq!(results(&[cut(&a), cut(&b)].concat()), whole, "{length} rows a batch");
    }
    assert_eq!(results(&[b]), whole[1..], "whoever else is in the stream");
}

#[test]
fn what_is_no_table_of_counters_is_refused() {
    let session = Session::new(Catalogue::embedded().clone());
    let good = ESTATE.counters(0);
    let refused = |batch: &RecordBatch| {
        let job = Job::from_json(r#"{ "job_id": "test" }"#).unwrap();
        let mut kernel = Kernel::new(job, Inventory::from_batches(&[ESTATE.inventory()]).unwrap());
        kernel.feed(&session, batch).unwrap_err().what
    };
    let fields: Vec<_> =
        counters_schema().fields().iter().filter(|field| field.name() != COUNTERS[2]).cloned().collect();
    let columns = fields.iter().map(|field| good.column_by_name(field.name()).unwrap().clone()).collect();
    let without = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).unwrap();
    assert!(refused(&without).starts_with("column `read_bytes` is missing; the table has vm, device"));
    assert!(Job::from_json(r#"{ "job_id": "x", "window": "a", "windoes": [] }"#).unwrap_err().what.contains("windoes"));
    assert!(
        Job::from_json(r#"{ "job_id": "x", "windows": ["noon"] }"#)
            .unwrap_err()
            .what
            .starts_with("`windows`: `noon` is not a valid window")
    );
}
