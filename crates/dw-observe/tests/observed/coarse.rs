//! Devices of several intervals are taken over the coarsest.

use dw_observe::*;
use dw_units::Duration;

use super::support::*;

const MINUTE: i64 = 60 * SECOND;

/// Rows that end every `every` minutes up to minute 60, `late` minutes after that, with so many requests in a second.
fn record(
    r: &mut Recording,
    device: &str,
    (every, late): (i64, i64),
    counted: bool,
    figures: impl Fn(i64) -> (f64, f64),
) {
    for end in (1..=60 / every).map(|i| i * every) {
        let span = Duration::from_secs(60 * every.unsigned_abs());
        let common = Common { interval: Some(span), ..Common::at(utc(MONDAY + (end + late) * MINUTE)) };
        let (reads, writes) = figures(end);
        let seconds = span.ns() as f64 / 1e9;
        let reading = if counted {
            let growth = DiskGrowth {
                reads: Some(reads * seconds),
                writes: Some(writes * seconds),
                read_bytes: Some(reads * seconds * 8192.0),
                write_bytes: Some(writes * seconds * 8192.0),
                read_time_ns: Some(reads * seconds * 1e6),
                write_time_ns: Some(writes * seconds * 1e6),
                ..DiskGrowth::default()
            };
            Reading::DiskGrowth { device: device.into(), role: Role::Disk, growth }
        } else {
            Reading::Disk { device: device.into(), role: Role::Disk, disk: load(reads, writes) }
        };
        r.take(common, reading);
    }
}

/// 100 reads a second, in minutes 20 to 40 2,500.
fn burst(minute: i64) -> (f64, f64) {
    (if (21..=40).contains(&minute) { 2_500.0 } else { 100.0 }, 0.0)
}

fn said(observation: &Observation) -> Vec<&str> {
    let coarse = observation.findings.iter().filter(|f| f.pitfall.code() == "P3").map(|f| f.what.text.as_str());
    coarse.filter(|what| !what.starts_with("samples are")).collect()
}

#[test]
fn an_idle_volume_of_longer_intervals_takes_no_time_from_the_others() {
    for counted in [false, true] {
        let mut recording = Recording::new();
        record(&mut recording, "vol-a", (1, 0), counted, burst);
        record(&mut recording, "vol-b", (5, 0), counted, |_| (0.0, 10.0));
        let observation = recording.observe();
        let text = "vol-b is recorded every 300 s, other figures every 60 s: all are averaged over 300 s";
        assert_eq!(said(&observation), [text], "counted: {counted}");
        assert!(!codes(&observation).contains(&"P2"), "{:?}", observation.findings);
        let required = observation.requirements("whole").unwrap();
        let [a, b] = [0, 1].map(|i| required.volumes[i].series.clone().unwrap());
        assert_eq!((a.interval, b.interval), (Duration::from_secs(300), Duration::from_secs(300)));
        assert_eq!(a.read_iops, [[100.0; 4], [2_500.0; 4], [100.0; 4]].concat(), "counted: {counted}");
        assert_eq!(b.write_iops, [10.0; 12], "counted: {counted}");
        assert_eq!(a.read_bytes_per_s[4], 2_500 * 8_192);
    }
}

#[test]
fn what_happened_in_several_intervals_is_shared_out_by_their_time() {
    let mut recording = Recording::new();
    record(&mut recording, "vol-a", (5, 0), true, |end| (if end == 30 { 500.0 } else { 0.0 }, 0.0));
    record(&mut recording, "vol-b", (1, 0), true, |_| (1.0, 0.0));
    // Begins and ends two minutes later: of each of its intervals three minutes are in the one and two in the next.
    record(&mut recording, "vol-c", (5, 2), true, |end| (if end == 30 { 500.0 } else { 0.0 }, 0.0));
    let required = recording.observe().requirements("whole").unwrap();
    let series: Vec<Vec<f64>> = required.volumes.iter().map(|v| v.series.clone().unwrap().read_iops.clone()).collect();
    let total = |index: usize| series[index].iter().sum::<f64>();
    assert_eq!((total(0), total(2)), (500.0, 500.0), "{series:?}");
    assert_eq!((series[0][5], series[2][5], series[2][6]), (500.0, 300.0, 200.0), "{series:?}");
}

#[test]
fn figures_of_one_volume_may_differ_in_their_intervals() {
    let mut recording = Recording::new();
    for (every, is_reads) in [(1_i64, true), (5, false)] {
        for end in (1..=60 / every).map(|i| i * every) {
            let span = Duration::from_secs(60 * every.unsigned_abs());
            let common = Common { interval: Some(span), ..Common::at(utc(MONDAY + end * MINUTE)) };
            let of = |asked: bool, each: f64| asked.then_some(each * (span.ns() as f64 / 1e9));
            let growth = DiskGrowth {
                reads: of(is_reads, 20.0),
                read_bytes: of(is_reads, 81_920.0),
                writes: of(!is_reads, 30.0),
                write_bytes: of(!is_reads, 122_880.0),
                ..DiskGrowth::default()
            };
            recording.take(common, Reading::DiskGrowth { device: "vol-a".into(), role: Role::Disk, growth });
        }
    }
    let required = recording.observe().requirements("whole").unwrap();
    let series = required.volumes[0].series.clone().unwrap();
    assert_eq!((&series.read_iops[..], &series.write_iops[..]), (&[20.0; 12][..], &[30.0; 12][..]));
    assert_eq!(series.interval, Duration::from_secs(300));
}

/// A line that stands for several since others were lost, and a recording that goes on with another interval, make nothing coarse.
#[test]
fn one_long_line_and_another_interval_later_are_not_coarse() {
    let mut recording = Recording::new();
    record(&mut recording, "vol-a", (1, 0), true, burst);
    record(&mut recording, "vol-b", (1, 0), true, burst);
    record(&mut recording, "vol-b", (60, 60), true, |_| (1.0, 1.0));
    let observation = recording.observe();
    assert!(said(&observation).iter().all(|what| !what.contains("averaged")), "{:?}", said(&observation));
    let required = observation.requirements("whole").unwrap();
    assert_eq!(required.volumes[0].series.clone().unwrap().interval, Duration::from_secs(60));
}

/// A recording that is folded on its way has the same intervals: of what is not whole yet the rest is waited for.
#[test]
fn a_folded_recording_of_several_intervals_is_taken_over_the_coarsest() {
    let taken = |mut recording: Recording| {
        for minute in 1..=60 {
            record_one(&mut recording, "vol-a", 1, minute, burst(minute).0);
            if minute % 5 == 0 {
                record_one(&mut recording, "vol-b", 5, minute, 10.0);
            }
        }
        recording.recorder
    };
    let settings = Settings::default();
    let kept = observe(taken(Recording::new()), &settings).unwrap();
    let text = "vol-b is recorded every 300 s, other figures every 60 s: all are averaged over 300 s";
    for most in [12, 23, 37] {
        let folded =
            observe(taken(Recording::into(Recorder::bounded(RecorderOptions::default(), &settings, most))), &settings)
                .unwrap();
        assert!(folded.findings.iter().any(|f| f.pitfall == audit::Pitfall::Folded));
        assert_eq!(said(&folded), [text], "{most}");
        assert!(!codes(&folded).contains(&"P2"), "{most}: {:?}", folded.findings);
        for (a, b) in kept.volumes.iter().zip(&folded.volumes) {
            assert_eq!(a.series.covered(), b.series.covered(), "{most}: {}", a.name);
            for (a, b) in a.checklists[0].rows.iter().zip(&b.checklists[0].rows) {
                assert_eq!((a.p50, a.p99, a.max, a.n), (b.p50, b.p99, b.max, b.n), "{most}: {a:?}");
            }
        }
    }
}

/// One row that ends at a minute.
fn record_one(r: &mut Recording, device: &str, every: i64, end: i64, reads: f64) {
    let span = Duration::from_secs(60 * every.unsigned_abs());
    let common = Common { interval: Some(span), ..Common::at(utc(MONDAY + end * MINUTE)) };
    r.take(common, Reading::Disk { device: device.into(), role: Role::Disk, disk: load(reads, 0.0) });
}
