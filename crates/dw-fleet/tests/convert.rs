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
        recordings.iter().map(|(name, text)| Recording::of(name, text.as_bytes())).collect();
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
    assert_eq!(refused, "these are readings of 2 machines, not of `mine` alone: `app-01`, `app-02`");
    // Windows and its tools write one name in capitals and not.
    let (found, _) = rows(&[("a.txt", &a), ("c.txt", &c)], None).unwrap();
    assert_eq!(vms(&found), of(&[("app-01", 6)]));
    let mut named = Machines::default();
    let both = [Recording::of("a.txt", a.as_bytes()), Recording::of("b.txt", b.as_bytes())];
    session().record(&both, &ObserveOptions::default(), &mut named).unwrap();
    assert_eq!(named.names().collect::<Vec<_>>(), ["app-01", "app-02"]);
}

#[test]
fn what_a_tool_does_not_part_is_kept() {
    let (found, _) = rows(&[("a.txt", &iostat("app-01", 100))], None).unwrap();
    assert_eq!((sum(&found, "reads"), sum(&found, "ios")), (None, Some(3_000)));
    assert_eq!((sum(&found, "read_bytes"), sum(&found, "bytes")), (Some(3 * 10 * 4_000 * 1_024), None));
}
