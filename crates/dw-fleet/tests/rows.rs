//! What the kernel says of rows that are not as they must be, and that the rest of a VM is as if they were not there.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use arrow_schema::Schema;
use diskwright::{Catalogue, Session};
use dw_fleet::rows::COUNTERS;
use dw_fleet::synth::counters_schema;
use dw_fleet::{Estate, Inventory, Job, Kernel};

const ESTATE: Estate = Estate { seed: 7, vms: 2, days: 1, disks: 2, every_s: 600, faults: false };

/// VM, status, code, rows used and dropped, monthly cost.
type Found = (String, String, Option<String>, i64, i64, Option<i64>);

fn results(batches: &[RecordBatch]) -> Vec<Found> {
    let session = Session::new(Catalogue::embedded().clone());
    let job = Job::of(r#"{ "job_id": "test", "documents": false }"#).unwrap();
    let mut kernel = Kernel::new(job, Inventory::of(&[ESTATE.inventory()]).unwrap());
    batches.iter().for_each(|batch| kernel.feed(&session, batch).unwrap());
    kernel.finish(&session).unwrap();
    let rows = kernel.take();
    let texts = |name: &str| rows.column_by_name(name).unwrap().as_any().downcast_ref::<StringArray>().unwrap().clone();
    let numbers =
        |name: &str| rows.column_by_name(name).unwrap().as_any().downcast_ref::<Int64Array>().unwrap().clone();
    let (vm, status, code) = (texts("vm"), texts("status"), texts("code"));
    let (used, dropped, cost) = (numbers("rows_used"), numbers("rows_dropped"), numbers("monthly_micros"));
    (0..rows.num_rows())
        .map(|row| {
            let code = code.is_valid(row).then(|| code.value(row).to_string());
            let cost = cost.is_valid(row).then(|| cost.value(row));
            (vm.value(row).into(), status.value(row).into(), code, used.value(row), dropped.value(row), cost)
        })
        .collect()
}

/// A batch with other values in some rows of a column of numbers.
fn with(batch: &RecordBatch, column: &str, change: impl Fn(usize, i64) -> Option<i64>) -> RecordBatch {
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
    RecordBatch::try_new(batch.schema(), columns).unwrap()
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
        let job = Job::of(r#"{ "job_id": "test" }"#).unwrap();
        let mut kernel = Kernel::new(job, Inventory::of(&[ESTATE.inventory()]).unwrap());
        kernel.feed(&session, batch).unwrap_err().what
    };
    let fields: Vec<_> =
        counters_schema().fields().iter().filter(|field| field.name() != COUNTERS[2]).cloned().collect();
    let columns = fields.iter().map(|field| good.column_by_name(field.name()).unwrap().clone()).collect();
    let without = RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).unwrap();
    assert!(refused(&without).starts_with("there is no column `read_bytes`; there are vm, device"));
    assert_eq!(
        refused(&with(&good, "ts", |row, n| Some(n - row as i64 * 700_000_000))),
        "rows of VM `vm-000000` are not sorted by `ts`"
    );
    assert!(Job::of(r#"{ "job_id": "x", "window": "a", "windoes": [] }"#).unwrap_err().what.contains("windoes"));
    assert!(
        Job::of(r#"{ "job_id": "x", "windows": ["noon"] }"#)
            .unwrap_err()
            .what
            .starts_with("`windows`: `noon` is not a valid window")
    );
}
