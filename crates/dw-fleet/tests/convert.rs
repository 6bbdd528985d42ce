//! Recordings become rows of the machines that they name, and nothing of them is lost without a word.

use arrow_array::{Array, Int64Array, RecordBatch, StringArray};
use diskwright::dw_observe::{Recorder, RecorderOptions, intervals};
use diskwright::{Catalogue, ObserveOptions, Recording, Session};
use dw_fleet::convert::{self, Machines, Whose};

fn session() -> Session {
    Session::new(Catalogue::embedded().clone())
}

/// Rows of recordings, with what is said of those that are not used; or why there are none.
fn rows(recordings: &[(&str, &str)], vm: Option<&str>) -> Result<(RecordBatch, Vec<String>), String> {
    let mut recorder = Recorder::new(RecorderOptions::default());
    let recordings: Vec<Recording> =
        recordings.iter().map(|(name, text)| Recording::from_bytes(name, text.as_bytes())).collect();
    session().record(&recordings, &ObserveOptions::default(), &mut recorder).map_err(|e| e.what)?;
    let whose = Whose { vm, otherwise: "stem", start_us: Some(0) };
    convert::counters(&intervals(recorder), whose).map_err(|e| e.what)
}

fn vms(batch: &RecordBatch) -> Vec<(String, usize)> {
    let column = batch.column_by_name("vm").unwrap().as_any().downcast_ref::<StringArray>().unwrap();
    let mut counts = std::collections::BTreeMap::new();
    column.iter().flatten().for_each(|vm| *counts.entry(vm.to_string()).or_default() += 1);
    counts.into_iter().collect()
}

fn sum(batch: &RecordBatch, name: &str) -> Option<i64> {
    let column = batch.column_by_name(name).unwrap().as_any().downcast_ref::<Int64Array>().unwrap();
    (column.null_count() < column.len()).then(|| column.iter().flatten().sum())
}

fn iostat(host: &str, tps: u32) -> String {
    let report = |second: u32| {
        format!(
            "2026-11-23T12:00:{second:02}+0000\nDevice tps kB_read/s kB_wrtn/s kB_read kB_wrtn\nsdc {tps}.00 4000.00 400.00 40000 4000\n\n"
        )
    };
    let banner = format!("Linux 6.1.0 ({host}) \t2026-11-23 \t_x86_64_\t(4 CPU)\n\n");
    banner + &(0..4).map(|n| report(n * 10)).collect::<String>()
}

#[test]
fn machines_stay_apart_however_their_recordings_come() {
    let (a, b, c) = (iostat("app-01", 100), iostat("app-02", 200), iostat("APP-01", 300));
    let of = |names: &[(&str, usize)]| names.iter().map(|(vm, rows)| (vm.to_string(), *rows)).collect::<Vec<_>>();
    let (found, _) = rows(&[("a.txt", &a), ("b.txt", &b)], None).unwrap();
    assert_eq!(vms(&found), of(&[("app-01", 3), ("app-02", 3)]));
    let (found, _) = rows(&[("a.txt", &a)], Some("mine")).unwrap();
    assert_eq!(vms(&found), of(&[("mine", 3)]));
    let refused = rows(&[("a.txt", &a), ("b.txt", &b)], Some("mine")).unwrap_err();
    assert_eq!(refused, "these are samples of 2 machines, not only of `mine`: `app-01`, `app-02`");
    // Windows and its tools write one name in capitals and not.
    let (found, _) = rows(&[("a.txt", &a), ("c.txt", &c)], None).unwrap();
    assert_eq!(vms(&found), of(&[("app-01", 6)]));
    let mut named = Machines::default();
    let both = [Recording::from_bytes("a.txt", a.as_bytes()), Recording::from_bytes("b.txt", b.as_bytes())];
    session().record(&both, &ObserveOptions::default(), &mut named).unwrap();
    assert_eq!(named.names().collect::<Vec<_>>(), ["app-01", "app-02"]);
}

#[test]
fn what_a_tool_does_not_part_is_kept() {
    let (found, _) = rows(&[("a.txt", &iostat("app-01", 100))], None).unwrap();
    assert_eq!((sum(&found, "reads"), sum(&found, "ios")), (None, Some(3_000)));
    assert_eq!((sum(&found, "read_bytes"), sum(&found, "bytes")), (Some(3 * 10 * 4_000 * 1_024), None));
}

/// Ten minutes of one metric of a VM, as the command line prints it.
fn metric(vm: &str, name: &str, lun: bool, figure: f64) -> serde_json::Value {
    let data = (0..10)
        .map(|minute| serde_json::json!({ "timeStamp": format!("2026-11-23T10:{minute:02}:00Z"), "average": figure }));
    let lun = lun.then(|| serde_json::json!({ "name": { "value": "lun" }, "value": "0" }));
    serde_json::json!({
        "id": format!("/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/{vm}/providers/Microsoft.Insights/metrics/x"),
        "name": { "value": name },
        "timeseries": [{ "metadatavalues": lun.into_iter().collect::<Vec<_>>(), "data": data.collect::<Vec<_>>() }],
    })
}

#[test]
fn platform_metrics_of_azure_keep_what_they_do_not_part() {
    let of = |vm: &str, scale: f64| {
        let figures = [
            ("Data Disk Read Operations/sec", 10.0),
            ("Data Disk Write Operations/sec", 30.0),
            ("Data Disk Latency", 5.0),
            ("Data Disk Queue Depth", 0.25),
        ];
        let disks = figures.map(|(name, figure)| metric(vm, name, true, figure * scale));
        disks.into_iter().chain([metric(vm, "Available Memory Bytes", false, 1e9 * scale)]).collect::<Vec<_>>()
    };
    let one = |vm: &str, scale| serde_json::json!({ "interval": "PT1M", "value": of(vm, scale) }).to_string();
    let (a, b) = (one("app-01", 1.0), one("app-02", 2.0));
    let (found, _) = rows(&[("a.json", &a)], None).unwrap();
    // 40 requests a second of 5 ms for ten minutes; 0.25 outstanding.
    assert_eq!(sum(&found, "io_time_ns"), Some(10 * 60 * 40 * 5_000_000));
    assert_eq!(sum(&found, "queue_time_ns"), Some(10 * 15_000_000_000));
    assert_eq!(
        (sum(&found, "read_time_ns"), sum(&found, "ios")),
        (None, None),
        "reads and writes are parted, their times are not"
    );
    assert_eq!((sum(&found, "memory_available"), sum(&found, "memory_used")), (Some(10_000_000_000), None));
    let devices = |batch: &RecordBatch| {
        let column = batch.column_by_name("device").unwrap();
        column.len() - column.null_count()
    };
    assert_eq!(devices(&found), 10);
    let both = format!("{a}\n{b}");
    for recordings in [vec![("a.json", a.as_str()), ("b.json", b.as_str())], vec![("all.json", both.as_str())]] {
        let (found, _) = rows(&recordings, None).unwrap();
        let names: Vec<String> = vms(&found).into_iter().map(|(vm, _)| vm).collect();
        assert_eq!((names.as_slice(), devices(&found)), (["app-01".to_string(), "app-02".to_string()].as_slice(), 20));
        assert_eq!(sum(&found, "reads"), Some(10 * 60 * 10 + 10 * 60 * 20));
    }
}
