//! What is not known of a VM is never planned as if it were nothing: it has a code, and no share in what an estate saves.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use dw_fleet::results::{self, ResultRow};
use dw_fleet::summary::Summary;
use dw_fleet::{Code, synth};
use dw_fleet::{Estate, Inventory, Job, Kernel, Outcome, Status};

use crate::rows::{ESTATE, results_of, text, with};

/// The first VM of an estate as an inventory and counters have it: status, code, whether it has a cost, and what is said.
fn check(name: &str, inventory: &RecordBatch, counters: &RecordBatch, expected: (&str, Option<&str>), says: &str) {
    let (found, messages) = results_of(std::slice::from_ref(counters), inventory);
    let (vm, status, code, _, _, cost) = &found[0];
    assert_eq!(
        (vm.as_str(), status.as_str(), code.as_deref()),
        ("vm-000000", expected.0, expected.1),
        "{name}: {messages:?}"
    );
    assert_eq!(cost.is_some(), expected.0 == "planned", "{name}");
    assert!(messages[0].contains(says), "{name}: {}", messages[0]);
}

fn without(batch: &RecordBatch, columns: &[&str]) -> RecordBatch {
    let kept = |name: &String| !columns.contains(&name.as_str());
    let names: Vec<String> = batch.schema().fields().iter().map(|field| field.name().clone()).filter(kept).collect();
    let columns = names.into_iter().map(|name| {
        let column = batch.column_by_name(&name).unwrap().clone();
        (name, column)
    });
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true))).unwrap()
}

/// The same rows of another size of today.
fn of_size(batch: &RecordBatch, size: &str) -> RecordBatch {
    text(batch, "vm_size", &|_, _| Some(size.into()))
}

#[test]
fn what_an_inventory_lacks_is_a_code() {
    let (known, counters) = (ESTATE.inventory(), ESTATE.counters(0));
    let null = |batch: &RecordBatch, column: &str| with(batch, column, |_, _| None);
    let unsized_ = of_size(&null(&null(&known, "vcpu"), "memory_bytes"), "Standard_Nothing_v9");
    check("as it is", &known, &counters, ("planned", None), "");
    check("no size", &unsized_, &counters, ("failed", Some("no_size")), "`vcpu` and `memory_bytes`");
    check(
        "no size column",
        &without(&unsized_, &["vm_size", "vcpu", "memory_bytes"]),
        &counters,
        ("failed", Some("no_size")),
        "host rows",
    );
    check(
        "no processors",
        &of_size(&null(&known, "vcpu"), "?"),
        &counters,
        ("failed", Some("no_size")),
        "fill `vcpu` or `vm_size`",
    );
    check(
        "no memory",
        &of_size(&null(&known, "memory_bytes"), "?"),
        &counters,
        ("failed", Some("no_size")),
        "fill `memory_bytes` or `vm_size`",
    );
    // What the catalogue knows of its size is known.
    check("its size of today", &of_size(&unsized_, "Standard_D4as_v5"), &counters, ("planned", None), "");
    let no_region = text(&known, "region", &|_, _| None);
    check("no region", &no_region, &counters, ("planned", Some("no_region")), "priced in eastus");
    check("no region column", &without(&known, &["region"]), &counters, ("planned", Some("no_region")), "`region`");
    let in_region = |region: &'static str| text(&known, "region", &|_, _| Some(region.into()));
    check("a region of another vendor", &in_region("eu-central-1"), &counters, ("planned", None), "");
    check("a region that is none", &in_region("us-east-9"), &counters, ("failed", Some("no_price")), "us-east-1");
    for (column, value, says) in [
        ("memory_bytes", 16, "16 GiB are 17179869184"),
        ("memory_bytes", 16_384, "`memory_bytes` is 16384"),
        ("memory_bytes", 0, "`memory_bytes` is 0"),
        ("capacity_bytes", 512, "`capacity_bytes` of volume `data` is 512"),
        ("capacity_bytes", 1, "bytes are expected"),
        ("vcpu", 0, "`vcpu` is 0"),
    ] {
        let wrong = with(&known, column, |_, _| Some(value));
        check(column, &wrong, &counters, ("failed", Some("implausible")), says);
    }
}

#[test]
fn a_disk_that_no_volume_names_is_a_code() {
    let (known, counters) = (ESTATE.inventory(), ESTATE.counters(0));
    let partial = ("planned", Some("partial_inventory"));
    // Each VM has a volume of data and one of logs.
    check(
        "a volume missing",
        &known.slice(0, 1),
        &counters,
        partial,
        "the inventory has no volume for `disk01`, with 50 % of the I/O",
    );
    let unnamed = text(&known, "volume", &|row, name| (row != 1).then(|| name.to_string()));
    check(
        "a volume without a name",
        &unnamed,
        &counters,
        partial,
        "`volume` is missing in 1 of its rows in the inventory",
    );
    let renamed = |names: [&str; 2]| text(&counters, "device", &|row, _| Some(names[row % 2].to_string()));
    let one = |name: &str| {
        let volume = text(&known.slice(0, 1), "volume", &|_, _| Some(name.to_string()));
        without(&volume, &["devices"])
    };
    check("a part of a disk that is named", &one("sdc"), &renamed(["sdc", "sdc1"]), ("planned", None), "");
    check("the local disk of an Azure VM", &one("LUN 0"), &renamed(["LUN 0", "temp disk"]), ("planned", None), "");
    check("a mount point", &one("/data"), &renamed(["/data", "temp disk"]), ("planned", None), "");
    check("its system disk", &one("LUN 0"), &renamed(["LUN 0", "OS disk"]), partial, "`OS disk`");
    check("the disk of a volume of device-mapper", &one("dm-0"), &renamed(["dm-0", "sdc"]), ("planned", None), "");
    let idle = |row: usize, n: i64| Some(if row % 2 == 1 { n / 1_000 } else { n });
    let little = ["reads", "writes", "read_bytes", "write_bytes"]
        .iter()
        .fold(counters.clone(), |batch, column| with(&batch, column, idle));
    let little = ["read_time_ns", "write_time_ns", "queue_time_ns"]
        .iter()
        .fold(little, |batch, column| with(&batch, column, |_, _| None));
    check("next to nothing", &known.slice(0, 1), &little, ("planned", None), "");
}

#[test]
fn minutes_are_no_month() {
    let (known, counters) = (ESTATE.inventory(), ESTATE.counters(0));
    let short = ("planned", Some("short"));
    check("one interval", &known, &counters.slice(0, 2), short, "10 min: too short to plan from");
    check("two intervals a day apart", &known, &both(&counters.slice(0, 2), &counters.slice(286, 2)), short, "20 min");
    check("an hour", &known, &counters.slice(0, 12), ("planned", None), "");
}

fn both(a: &RecordBatch, b: &RecordBatch) -> RecordBatch {
    let columns = (0..a.num_columns()).map(|place| {
        let (a, b) = (a.column(place), b.column(place));
        concat(a, b)
    });
    RecordBatch::try_new(a.schema(), columns.collect()).unwrap()
}

/// The rows of one array, then those of another.
fn concat(a: &ArrayRef, b: &ArrayRef) -> ArrayRef {
    use arrow_array::{Array, Int64Array, TimestampMicrosecondArray};
    if let (Some(a), Some(b)) = (a.as_any().downcast_ref::<Int64Array>(), b.as_any().downcast_ref::<Int64Array>()) {
        return Arc::new(a.iter().chain(b.iter()).collect::<Int64Array>());
    }
    if let (Some(a), Some(b)) = (a.as_any().downcast_ref::<StringArray>(), b.as_any().downcast_ref::<StringArray>()) {
        return Arc::new(a.iter().chain(b.iter()).collect::<StringArray>());
    }
    let of = |array: &ArrayRef| array.as_any().downcast_ref::<TimestampMicrosecondArray>().unwrap().values().to_vec();
    Arc::new(TimestampMicrosecondArray::from([of(a), of(b)].concat()).with_timezone("UTC"))
}

#[test]
fn an_unsure_plan_has_no_share_in_the_savings() {
    let estate = Estate { vms: Code::ALL.len() + 1, ..ESTATE };
    let row = |vm: usize, dropped: i64| {
        let code = vm.checked_sub(1).map(|index| Code::ALL[index].word().to_string());
        let outcome =
            Outcome { status: Some(Status::Planned), code, monthly_micros: Some(500_000_000), ..Outcome::default() };
        ResultRow { vm: estate.name(vm), outcome, rows_used: 1_000 - dropped, rows_dropped: dropped }
    };
    // Three codes, and rows that cannot be where they are more than a hundredth.
    for (dropped, unsure, said) in [(1, 3, "1,500.00"), (10, 3, "1,500.00"), (11, 4, "2,000.00")] {
        let rows: Vec<ResultRow> = (0..estate.len()).map(|vm| row(vm, dropped)).collect();
        let summary = Summary::from_results(&[results::batch("job", &rows)], &[estate.inventory()], "USD").unwrap();
        let facts = summary.facts();
        let of = |part: &str| facts.iter().find(|fact| fact.part == part).unwrap().clone();
        assert_eq!(of("unsure").vms, Some(unsure), "{dropped}");
        assert_eq!(of("cost").vms, Some(rows.len() as i64 - unsure));
        assert_eq!(of("cost").today_micros, Some(1_500_000_000 * (rows.len() as i64 - unsure)));
        assert_eq!(facts.iter().filter(|fact| fact.part == "saving").count() as i64, rows.len() as i64 - unsure);
        let text = summary.text("Estate");
        let line = format!("{unsure} VMs planned from incomplete data, at {said} USD per month: not in the savings.");
        assert!(text.contains(&line), "{text}");
    }
}

#[test]
fn names_that_differ_in_case_alone_are_told_to_be_one() {
    let row = |vm: &str, code: Code| {
        let outcome = Outcome { code: Some(code.word().into()), message: Some("none".into()), ..Outcome::default() };
        ResultRow { vm: vm.into(), outcome, rows_used: 0, rows_dropped: 0 }
    };
    let rows = [row("APP-02", Code::NoInventory), row("app-02", Code::NoCounters), row("web", Code::NoCounters)];
    let summary = Summary::from_results(&[results::batch("job", &rows)], &[ESTATE.inventory()], "USD").unwrap();
    let facts = summary.facts();
    let said = |vm: &str| facts.iter().find(|fact| fact.item == vm).unwrap().message.clone().unwrap();
    for vm in ["APP-02", "app-02"] {
        assert!(
            said(vm).ends_with("none; the counters have `APP-02`, the inventory `app-02`: use the same name in both"),
            "{}",
            said(vm)
        );
    }
    assert!(said("web").ends_with(": none"));
}

#[test]
fn figures_of_both_directions_are_planned_as_those_of_each() {
    let counters = ESTATE.counters(0);
    let number = |name: &str| counters.column_by_name(name).unwrap().clone();
    let sum = |names: [&str; 2]| {
        let [a, b] = names.map(&number);
        let of = |array: &ArrayRef| array.as_any().downcast_ref::<arrow_array::Int64Array>().unwrap().values().to_vec();
        Arc::new(of(&a).iter().zip(of(&b)).map(|(a, b)| Some(a + b)).collect::<arrow_array::Int64Array>()) as ArrayRef
    };
    let unparted = |hidden: &[&str], added: &[(&str, ArrayRef)]| {
        let rest = hidden.iter().fold(counters.clone(), |batch, column| with(&batch, column, |_, _| None));
        let names: Vec<String> = rest.schema().fields().iter().map(|field| field.name().clone()).collect();
        let columns = names.into_iter().zip(rest.columns().iter().cloned());
        let added = added.iter().map(|(name, column)| (name.to_string(), column.clone()));
        RecordBatch::try_from_iter_with_nullable(columns.chain(added).map(|(name, column)| (name, column, true)))
            .unwrap()
    };
    let times = ["read_time_ns", "write_time_ns"];
    let depth = |batch: &RecordBatch| {
        let session = diskwright::Session::new(diskwright::Catalogue::embedded().clone());
        let job = Job::from_json(r#"{ "job_id": "test" }"#).unwrap();
        let mut kernel = Kernel::new(job, Inventory::from_batches(&[ESTATE.inventory()]).unwrap());
        kernel.feed(&session, batch).unwrap();
        kernel.finish(&session).unwrap();
        let rows = kernel.take();
        let documents =
            rows.column_by_name("checklist_json").unwrap().as_any().downcast_ref::<StringArray>().unwrap().clone();
        let document: serde_json::Value = serde_json::from_str(documents.value(0)).unwrap();
        let rows = document["volumes"][0]["windows"][0]["rows"].as_array().unwrap().clone();
        let of = |name: &str| {
            let row = rows.iter().find(|row| row["row"] == name).unwrap_or_else(|| panic!("{name}: {rows:?}"));
            row["mean"].as_f64()
        };
        (of("iops"), of("queue_depth"), of("latency_average"))
    };
    let whole = depth(&counters);
    assert!(whole.0.is_some() && whole.1.is_some() && whole.2.is_some(), "{whole:?}");
    let one_latency = unparted(&[times[0], times[1], "queue_time_ns"], &[("io_time_ns", sum(times))]);
    assert_eq!(depth(&one_latency), whole, "one latency of both directions");
    assert_eq!(depth(&unparted(&times, &[])), whole, "the queue alone");
    let unknown = depth(&unparted(&[times[0], times[1], "queue_time_ns"], &[]));
    assert_eq!((unknown.1, unknown.2), (None, None), "nobody says it");
    let hidden = ["reads", "writes", "read_bytes", "write_bytes", times[0], times[1], "queue_time_ns"];
    let all = unparted(
        &hidden,
        &[("ios", sum(["reads", "writes"])), ("bytes", sum(["read_bytes", "write_bytes"])), ("io_time_ns", sum(times))],
    );
    assert_eq!(depth(&all), whole, "nothing is parted");
    assert_eq!(synth::counters_schema().fields().len(), 16, "files of before have these columns");
}
