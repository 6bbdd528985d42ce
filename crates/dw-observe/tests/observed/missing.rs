//! What nobody says is not zero: it stays missing through every sum, and is named.

use dw_demand::Provenance;
use dw_observe::audit::Pitfall;
use dw_observe::checklist::RowId;
use dw_observe::checklist::RowId::*;
use dw_observe::*;
use dw_units::{Duration, Throughput};
use proptest::prelude::*;

use crate::support::*;

fn said(observation: &Observation) -> Vec<&str> {
    observation.findings.iter().filter(|f| f.pitfall == Pitfall::Missing).map(|f| f.what.text.as_str()).collect()
}

/// Which of these rows of the first volume are unknown, and which are not.
fn check(observation: &Observation, unknown: &[RowId], known: &[RowId]) {
    for id in unknown {
        assert_eq!(row(observation, *id).provenance, Provenance::Unknown, "{id:?} {:?}", row(observation, *id));
    }
    for id in known {
        assert_ne!(row(observation, *id).provenance, Provenance::Unknown, "{id:?}");
    }
}

#[test]
fn a_tool_without_latencies_says_nothing_of_an_idle_disk_beside_a_busy_one() {
    let mut recording = Recording::new();
    let basic =
        |tps| DiskInterval { transfers_per_s: Some(tps), throughput: kib(tps * 8.0), ..DiskInterval::default() };
    recording.disks("sda", 60, |_| basic(10.0));
    recording.disks("sdb", 60, |_| basic(0.0));
    let observation = recording.observe();
    check(&observation, &[LatencyMin, LatencyAverage, QueueDepth, ReadShare], &[Iops, IoSize, ThroughputAverage]);
    let required = observation.requirements("whole").unwrap();
    assert!(required.volumes[0].queue_depth.is_none() && required.volumes[0].series.is_none());
}

#[test]
fn reads_alone_are_no_total_and_no_share() {
    let mut recording = Recording::new();
    recording.disks("0 C:", 60, |_| DiskInterval {
        reads_per_s: Some(30.0),
        read_throughput: kib(240.0),
        read_latency: ms(2.0),
        ..DiskInterval::default()
    });
    let observation = recording.observe();
    check(
        &observation,
        &[ReadShare, WriteShare, Iops, Transactions, IoSize, ThroughputAverage, QueueDepth, LatencyAverage, WriteIops],
        &[ReadIops, ReadThroughput, ReadLatency, ReadSize],
    );
    assert_eq!(said(&observation), ["writes/s: the recording has none, though it has reads/s"]);
    let required = observation.requirements("whole").unwrap();
    let volume = &required.volumes[0];
    assert_eq!((volume.unknown.as_slice(), volume.read_iops.is_some()), (&["write_iops".to_string()][..], true));
    assert!(volume.write_iops.is_none() && volume.iops.is_none() && volume.series.is_none());
}

#[test]
fn what_is_left_of_all_requests_is_the_other_direction() {
    let mut recording = Recording::new();
    recording.disks("0 C:", 60, |_| DiskInterval {
        transfers_per_s: Some(40.0),
        reads_per_s: Some(30.0),
        ..DiskInterval::default()
    });
    let observation = recording.observe();
    assert_eq!((row(&observation, WriteIops).mean, row(&observation, ReadShare).mean), (Some(10.0), Some(75.0)));
}

#[test]
fn the_latency_of_one_disk_is_not_that_of_two() {
    let mut recording = Recording::new();
    recording.disks("sda", 60, |_| load(100.0, 0.0));
    recording.disks("sdb", 60, |_| DiskInterval { read_latency: None, queue_depth: None, ..load(100.0, 0.0) });
    let observation = recording.observe();
    check(&observation, &[LatencyAverage, LatencyMin, QueueDepth, ReadLatency], &[Iops, IoSize]);
    let of = |volume: usize| observation.volumes[volume].checklists[0].row(LatencyAverage).unwrap().mean;
    assert!((of(1).unwrap() - 0.001).abs() < 1e-9 && of(2).is_none());
    assert_eq!(said(&observation), ["latency of reads: sdb has none"]);
}

#[test]
fn a_minute_without_writes_is_no_minute_of_reads_alone() {
    let mut recording = Recording::new();
    recording.disks("LUN 0", 30, |i| {
        let whole = load(30.0, 10.0);
        if i == 7 { DiskInterval { writes_per_s: None, write_throughput: None, ..whole } } else { whole }
    });
    let observation = recording.observe();
    let iops = row(&observation, Iops);
    assert_eq!((iops.n, iops.min, row(&observation, ReadShare).p99.unwrap().value), (29, Some(40.0), 75.0));
    assert_eq!(said(&observation)[0], "writes/s: LUN 0 lacks it in 1 of 30 intervals");
    let series = observation.requirements("whole").unwrap().volumes[0].series.clone().unwrap();
    assert_eq!((&series.read_iops, &series.write_iops), (&vec![30.0; 29], &vec![10.0; 29]));
}

#[test]
fn the_line_of_a_disk_that_is_lost_makes_no_sum_smaller() {
    let mut recording = Recording::new();
    recording.file("PerfMon");
    for i in 1..=30 {
        for device in ["0 C:", "1 D:"].into_iter().filter(|device| (*device, i) != ("1 D:", 9)) {
            recording.disk(utc(MONDAY + i * SECOND), device, load(10.0, 10.0));
        }
    }
    let observation = recording.observe();
    let iops = row(&observation, Iops);
    assert_eq!((iops.n, iops.min, iops.max), (29, Some(40.0), Some(40.0)));
    let lost = observation.findings.iter().find(|f| f.pitfall == Pitfall::Reset).unwrap();
    assert_eq!(lost.what.text, "1 line of a device is missing between others: counted as unknown then");
    let required = observation.requirements("whole").unwrap();
    for volume in required.volumes {
        assert_eq!(volume.series.unwrap().read_iops, vec![10.0; 29]);
    }
}

#[test]
fn iostat_leaves_out_idle_disks_and_they_count_as_idle() {
    let mut recording = Recording::new();
    for i in 1..=30 {
        for device in ["sda", "sdb"].into_iter().filter(|device| (*device, i % 3) != ("sdb", 0)) {
            recording.disk(utc(MONDAY + i * SECOND), device, load(10.0, 0.0));
        }
    }
    let observation = recording.observe();
    let iops = row(&observation, Iops);
    assert_eq!((iops.n, iops.min, iops.max), (30, Some(10.0), Some(20.0)));
    let own = |name: &str| {
        let volume = observation.volumes.iter().find(|volume| volume.name == name).expect("is there");
        let iops = volume.checklists[0].row(Iops).expect("is there");
        (iops.n, iops.min, iops.max)
    };
    assert_eq!((own("sda"), own("sdb")), ((30, Some(10.0), Some(10.0)), (30, Some(0.0), Some(10.0))));
}

#[test]
fn a_recording_that_prints_idle_disks_leaves_none_out() {
    let mut recording = Recording::new();
    for i in 1..=30 {
        recording.disk(utc(MONDAY + i * SECOND), "sda", load(if i % 2 == 0 { 10.0 } else { 0.0 }, 0.0));
        if !(10..=20).contains(&i) {
            recording.disk(utc(MONDAY + i * SECOND), "sdb", load(10.0, 0.0));
        }
    }
    let observation = recording.observe();
    let sdb = observation.volumes.iter().find(|volume| volume.name == "sdb").expect("is there");
    let iops = sdb.checklists[0].row(Iops).expect("is there");
    assert_eq!((iops.n, iops.min), (19, Some(10.0)));
}

/// Reports of `iostat -z` in which sdb is left out of each third, with a line that is not understood before the given line of
/// a report (0: sda's, 1: sdb's, or what stands for it; 2: behind them); how many intervals are known, and what is said.
fn check_damaged(damaged: Option<(i64, u8)>, known: usize, said: &str) {
    for most in [usize::MAX, 20] {
        let settings = Settings::default();
        let mut recording = Recording::into(Recorder::bounded(RecorderOptions::default(), &settings, most));
        for i in 1..=31 {
            for (device, place) in [("sda", 0), ("sdb", 1), ("", 2)] {
                if damaged == Some((i, place)) {
                    recording.damaged();
                }
                if place < 2 && (device, i % 3) != ("sdb", 0) {
                    recording.disk(utc(MONDAY + i * SECOND), device, load(10.0, 0.0));
                }
            }
        }
        let observation = recording.observe();
        let iops = row(&observation, Iops);
        assert_eq!((iops.n, iops.min, iops.max), (known, Some(10.0), Some(20.0)), "{damaged:?}");
        let found = observation.findings.iter().find(|f| f.pitfall == Pitfall::Reset).unwrap();
        assert_eq!(
            found.what.text,
            format!("10 lines of idle devices are not in the recording (`-z`): counted as {said}")
        );
    }
}

#[test]
fn a_damaged_line_makes_unknown_what_it_may_have_said_and_nothing_else() {
    check_damaged(None, 31, "idle");
    // The file was cut; and a line of somebody else among reports that have all disks.
    check_damaged(Some((31, 2)), 31, "idle");
    check_damaged(Some((8, 1)), 31, "idle");
    for place in [(8, 2), (9, 0), (9, 1), (9, 2), (10, 0)] {
        check_damaged(Some(place), 30, "idle, 1 of them as unknown: a line was not understood there");
    }
}

#[test]
fn the_demand_of_all_volumes_is_on_one_grid_of_recorded_time() {
    let mut recording = Recording::new();
    recording.disks("sda", 10, |_| load(100.0, 0.0));
    // Seven hours later, with a disk more.
    for i in 25_200..25_210 {
        recording.disk(utc(MONDAY + i * SECOND), "sda", load(200.0, 0.0));
        recording.disk(utc(MONDAY + i * SECOND), "sdb", load(0.0, 50.0));
    }
    let required = recording.observe().requirements("whole").unwrap();
    let series: Vec<_> = required.volumes.iter().map(|v| v.series.clone().unwrap()).collect();
    assert_eq!(series[0].read_iops, [[100.0; 10], [200.0; 10]].concat());
    assert_eq!(series[1].write_iops, [[0.0; 10], [50.0; 10]].concat());
    assert_eq!(series[0].interval, Duration::from_secs(1));
}

/// A volume of requirements is a file and an export, too; a recording calls its disks as it likes.
#[test]
fn a_disk_whose_name_no_volume_may_have_gets_one_and_is_found_by_its_own() {
    let mut recording = Recording::new();
    recording.disks("cciss/c0d0", 10, |_| load(100.0, 0.0));
    recording.disks("sdb", 10, |_| load(0.0, 50.0));
    let required = recording.observe().requirements("whole").unwrap();
    let names: Vec<(&str, &[String])> = required.volumes.iter().map(|v| (v.name.as_str(), &v.devices[..])).collect();
    assert_eq!(names, [("cciss-c0d0", &["cciss/c0d0".to_string()][..]), ("sdb", &["sdb".to_string()][..])]);
    for name in ["cciss/c0d0", "cciss-c0d0"] {
        let found: Vec<bool> = required.volumes.iter().map(|volume| volume.is_called(name)).collect();
        assert_eq!(found, [true, false], "{name}");
    }
    let refused = "a/b=sdb".parse::<volumes::VolumeChoice>().unwrap_err();
    assert_eq!(refused, "`a/b` has a `/`, which separates directories: give the volume another name");
    assert!(
        "/dev/sdb".parse::<volumes::VolumeChoice>().is_ok(),
        "a volume called like its device is one of a recording"
    );
}

#[test]
fn transactions_of_one_database_are_not_those_of_two() {
    let mut recording = Recording::new();
    recording.disks("sda", 30, |_| load(1.0, 1.0));
    for i in 1..=30 {
        for (instance, per_s) in [("sales", 30.0), ("stock", 12.0)].into_iter().filter(|(n, _)| (*n, i) != ("stock", 9))
        {
            let of =
                sample::Transactions { counter: "Transactions/sec".into(), instance: Some(instance.into()), per_s };
            recording.take(Common::at(utc(MONDAY + i * SECOND)), Reading::Transactions(of));
        }
    }
    assert_eq!(row(&recording.observe(), Transactions).min, Some(42.0));
}

/// Figures of an interval, some of them left out: by bit reads, writes, bytes of each, latencies of each, all requests.
fn some(of: u8) -> DiskInterval {
    let has = |bit: u8| of & (1 << bit) == 0;
    DiskInterval {
        reads_per_s: has(0).then_some(20.0),
        writes_per_s: has(1).then_some(5.0),
        read_throughput: has(2).then(|| Throughput::bytes_per_second(81_920)),
        write_throughput: has(3).then(|| Throughput::bytes_per_second(20_480)),
        read_latency: ms(4.0).filter(|_| has(4)),
        write_latency: ms(4.0).filter(|_| has(5)),
        transfers_per_s: (!has(6)).then_some(25.0),
        ..DiskInterval::default()
    }
}

proptest! {
    #[test]
    fn a_figure_is_whole_or_unknown_whatever_is_left_out(a in prop::collection::vec(0..128u8, 1..24), b in 0..128u8) {
        let mut recording = Recording::new();
        for (i, of) in (1..).zip(&a) {
            recording.disk(utc(MONDAY + i * SECOND), "sda", some(*of));
            recording.disk(utc(MONDAY + i * SECOND), "sdb", some(b));
        }
        let observation = recording.observe();
        let whole = [(Iops, 50.0), (ReadIops, 40.0), (WriteIops, 10.0), (ReadShare, 80.0), (LatencyAverage, 0.004),
            (QueueDepth, 0.2), (IoSize, 4_096.0), (ThroughputAverage, 204_800.0), (ReadLatency, 0.004)];
        for (id, value) in whole {
            let row = row(&observation, id);
            for found in [row.min, row.mean, row.max].into_iter().flatten() {
                prop_assert!((found - value).abs() < 1e-9 * value, "{:?}: {}", id, found);
            }
        }
        for finding in &observation.findings {
            prop_assert!(!finding.what.text.contains("NaN") && !finding.effect.text.contains("NaN"), "{:?}", finding);
        }
        for volume in observation.requirements("whole").unwrap().volumes {
            let rates = volume.series.map_or_else(Vec::new, |series| series.read_iops.clone());
            prop_assert!(rates.iter().all(|rate| *rate == 20.0), "{:?}", rates);
        }
    }
}
