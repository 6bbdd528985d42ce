//! Devices above others: their requests are those of the disks below, and count once.

use dw_demand::Severity;
use dw_observe::audit::Pitfall;
use dw_observe::checklist::RowId;
use dw_observe::*;

use crate::support::*;

/// Ninety instants of devices with their reads per second at each.
fn record(recorder: Recorder, devices: &[(&str, &dyn Fn(i64) -> f64)]) -> Recorder {
    let mut recording = Recording::into(recorder);
    for i in 1..=90 {
        for (name, reads) in devices {
            recording.disk(utc(MONDAY + i * SECOND), name, load(reads(i), 1.0));
        }
    }
    recording.recorder
}

/// What is counted; and what is said of it, as a warning.
fn check(devices: &[(&str, &dyn Fn(i64) -> f64)], counted: &str, saying: &[&str]) {
    let settings = Settings::default();
    let kept = observe(record(Recorder::new(RecorderOptions::default()), devices), &settings).unwrap();
    let folded =
        observe(record(Recorder::bounded(RecorderOptions::default(), &settings, 120), devices), &settings).unwrap();
    for observation in [kept, folded] {
        let each = if observation.volumes.len() > 1 { &observation.volumes[1..] } else { &observation.volumes[..] };
        let names: Vec<&str> = each.iter().map(|v| v.name.as_str()).collect();
        assert_eq!(names.join(" "), counted);
        let warned = |f: &&audit::Finding| f.pitfall == Pitfall::DoubleCounting && f.severity == Severity::Warning;
        let said: Vec<&str> = observation.findings.iter().filter(warned).map(|f| f.what.text.as_str()).collect();
        assert_eq!(said, saying);
    }
}

fn uneven(i: i64) -> f64 {
    100.0 + (i * 37 % 91) as f64
}

#[test]
fn layers_with_a_name_are_left_out_without_a_word_of_warning() {
    let part = |i| uneven(i) / 2.0;
    for name in
        ["rhel-root", "luks-1f2e3d", "docker-8:1-131-pool", "dm-0", "mpatha", "emcpowera", "VxVM12", "bcache0", "zd0"]
    {
        check(&[("sda", &uneven), (name, &part)], "sda", &[]);
    }
}

#[test]
fn a_layer_that_moves_more_than_the_disks_is_not_on_them() {
    check(
        &[("sda", &|_| 150.0), ("mpathb", &|_| 3_000.0)],
        "mpathb sda",
        &["counted: mpathb: 95 % of its I/O exceeds that of sda at the same time: it is not part of them"],
    );
}

#[test]
fn a_name_that_says_nothing_is_judged_by_what_it_did() {
    let same = ["not counted: redo01: it moves the same bytes as sda, sdb, which are counted"];
    let both = |i: i64| uneven(i) + uneven(i + 7) + 1.0;
    check(&[("sda", &uneven), ("sdb", &|i| uneven(i + 7)), ("redo01", &both)], "sda sdb", &same);
    let half = ["not counted: redo01: its I/O rises and falls with that of sda, and is never more"];
    check(&[("sda", &uneven), ("redo01", &|i| uneven(i) / 2.0)], "sda", &half);
    let more =
        ["counted: redo01: its name is no help, and 84 % of its I/O exceeds that of sda: treated as a separate disk"];
    check(&[("sda", &|_| 150.0), ("redo01", &|_| 1_000.0)], "redo01 sda", &more);
    let apart = ["counted: redo01: its name is no help, and its I/O does not rise and fall with that of sda"];
    check(&[("sda", &uneven), ("redo01", &|i| (200.0 - uneven(i)).max(0.0) / 2.0)], "redo01 sda", &apart);
}

#[test]
fn volumes_alone_that_move_the_same_bytes_are_one() {
    // Mirrors are two, though they move the same.
    check(&[("mpatha", &uneven), ("mpathb", &uneven)], "mpatha mpathb", &[]);
    let said = ["not counted: rhel-root: it moves the same bytes as luks-1f2e, which is counted"];
    check(
        &[("rhel-root", &uneven), ("luks-1f2e", &uneven), ("rhel-home", &|i| uneven(i + 7))],
        "luks-1f2e rhel-home",
        &said,
    );
}

#[test]
fn multipath_devices_are_the_disks_where_their_paths_are_not_recorded() {
    let each = |i: i64| uneven(i);
    let other = |i: i64| uneven(i + 7);
    // A volume striped over both, with the I/O of both; and parts of one.
    let both = |i: i64| uneven(i) + uneven(i + 7) + 1.0;
    let half = |i: i64| uneven(i) / 2.0;
    for (a, b) in [("mpatha", "mpathb"), ("emcpowera", "emcpowerb")] {
        check(&[(a, &each), (b, &other), ("vg-data", &both)], &format!("{a} {b}"), &[]);
        check(&[(a, &each), (b, &other), ("dm-7", &both), ("vg-root", &half)], &format!("{a} {b}"), &[]);
        check(&[(a, &each), (&format!("{a}1"), &each), ("vg-root", &half)], a, &[]);
    }
    // A part of a multipath device that is not recorded itself.
    let said = ["mpatha and mpathbp1 are counted together, although one may be part of the other"];
    check(&[("mpatha", &each), ("mpathbp1", &other), ("vg-data", &both)], "mpatha mpathbp1", &said);
    let said = ["not counted: redo01: it moves the same bytes as mpatha, mpathb, which are counted"];
    check(&[("mpatha", &each), ("mpathb", &other), ("redo01", &both)], "mpatha mpathb", &said);
}

#[test]
fn names_that_are_words_are_no_disks() {
    // `sd` and three letters, as people call their volumes.
    let said = |name: &str| format!("not counted: {name}: its I/O rises and falls with that of sda, and is never more");
    for name in ["sdata", "sdlog"] {
        check(&[("sda", &uneven), (name, &|i| uneven(i) / 2.0)], "sda", &[&said(name)]);
    }
    // A machine that has come to three letters has used up two.
    let names: Vec<String> = ('a'..='z').map(|c| format!("sdb{c}")).chain(["sdcaa".to_string()]).collect();
    let half = |i: i64| uneven(i) / 2.0;
    let devices: Vec<(&str, &dyn Fn(i64) -> f64)> = names.iter().map(|n| (n.as_str(), &half as _)).collect();
    check(&devices, &names.join(" "), &[]);
}

#[test]
fn what_is_excluded_is_not_counted_and_the_rest_goes_by_its_names() {
    let record = |volumes: &[&str]| {
        let volumes = volumes.iter().map(|v| v.parse().unwrap()).collect();
        let devices: [(&str, &dyn Fn(i64) -> f64); 3] = [("sda", &uneven), ("sdb", &uneven), ("redo01", &|_| 1_000.0)];
        let recorder = record(Recorder::new(RecorderOptions::default()), &devices);
        observe(recorder, &Settings { volumes, ..Settings::default() }).unwrap()
    };
    let iops = |o: &Observation| row(o, RowId::ReadIops).mean.unwrap();
    assert!((iops(&record(&[])) - iops(&record(&["exclude=redo01"])) - 1_000.0).abs() < 1e-6);
    assert_eq!(record(&["exclude=redo01,sdb"]).volumes[0].name, "sda");
}
