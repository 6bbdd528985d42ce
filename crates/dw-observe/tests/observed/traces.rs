//! Traces whose stamps say anything: silence, gaps, one event, more time than there is memory.

use dw_demand::Provenance;
use dw_observe::audit::Pitfall;
use dw_observe::checklist::RowId;
use dw_observe::*;
use dw_units::{Bytes, Duration};
use dw_workload::Direction;

use crate::support::*;

/// Reads of 4 KiB that a tracer saw complete, at these milliseconds.
fn trace(events: impl IntoIterator<Item = (&'static str, u64)>) -> Observation {
    let mut recording = Recording::new();
    for (device, ms) in events {
        let event = IoEvent {
            action: Action::Complete,
            direction: Direction::Read,
            flush: false,
            offset: Some(ms.wrapping_mul(8_192)),
            len: Bytes::kib(4),
            latency: Some(Duration::from_us(200)),
        };
        let common = Common::at(Stamp::Since { ns: ms.saturating_mul(1_000_000) });
        recording.take(common, Reading::Io { device: device.into(), event });
    }
    recording.observe()
}

fn found(observation: &Observation, pitfall: Pitfall) -> Vec<String> {
    observation.findings.iter().filter(|f| f.pitfall == pitfall).map(|f| f.what.to_string()).collect()
}

/// Requests that the intervals of the first volume come to.
fn requests(observation: &Observation) -> f64 {
    let iops = row(observation, RowId::Iops);
    iops.mean.unwrap() * observation.volumes[0].checklists[0].covered.ns() as f64 / 1e9
}

#[test]
fn a_gap_of_years_is_no_interval_for_every_second_of_it() {
    let observation = trace((0..4).map(|i| ("sda", i * 10_000_000_000)));
    let iops = row(&observation, RowId::Iops);
    assert_eq!((iops.n, iops.p50.unwrap().value, iops.max), (3, 1.0, Some(1.0)));
    assert_eq!(
        found(&observation, Pitfall::Gap),
        [
            "no device received a request for 19999998 s in 2 stretches of more than 10 min (9999999 s without a reading)"
        ]
    );
}

#[test]
fn one_damaged_stamp_leaves_the_other_seconds_what_they_are() {
    let even = (0..100_000).step_by(10).map(|ms| ("sda", ms));
    for far in [1 << 40, (1 << 62) / 1_000_000, u64::MAX] {
        let observation = trace(even.clone().chain([("sda", far)]));
        let iops = row(&observation, RowId::Iops);
        assert_eq!((iops.p50.unwrap().value, iops.max), (100.0, Some(100.0)), "{far}");
        let said = found(&observation, Pitfall::Gap).len() + found(&observation, Pitfall::Reset).len();
        assert_eq!(said, 1, "{far}: {:?}", observation.findings);
    }
}

#[test]
fn silence_of_some_minutes_is_idle_time() {
    let burst = |from: u64| (from..from + 10_000).step_by(10).map(|ms| ("sda", ms));
    let observation = trace(burst(0).chain(burst(310_000)));
    let iops = row(&observation, RowId::Iops);
    assert_eq!((iops.n, iops.p50.unwrap().value, iops.max), (320, 0.0, Some(100.0)));
    assert_eq!(found(&observation, Pitfall::Gap), [""; 0]);
}

#[test]
fn a_device_is_idle_while_its_tracer_sees_others() {
    let busy = (0..7_200_000).step_by(500).map(|ms| ("sda", ms));
    let seldom = [0, 1_000, 5_000_000].map(|ms| ("sdb", ms));
    let observation = trace(busy.chain(seldom));
    assert_eq!(found(&observation, Pitfall::Gap), [""; 0]);
    let of = |volume: usize| observation.volumes[volume].checklists[0].row(RowId::Iops).unwrap().clone();
    assert_eq!([of(0).n, of(1).n, of(2).n], [7_200; 3]);
    assert_eq!((of(2).p99.unwrap().value, of(2).max), (0.0, Some(1.0)));
}

#[test]
fn a_rate_needs_a_duration() {
    for (events, why) in [
        (vec![5_000], "all requests have the same time: a rate needs a duration"),
        (vec![5_000; 9], "all requests have the same time: a rate needs a duration"),
        ((0..20).collect(), "the trace lasts 19 ms: a rate needs a tenth of an interval of 1 s"),
    ] {
        let observation = trace(events.into_iter().map(|ms| ("sda", ms)));
        for id in [RowId::Iops, RowId::Transactions, RowId::ThroughputMax, RowId::QueueDepth, RowId::ReadIops] {
            let row = row(&observation, id);
            assert_eq!(
                (row.provenance, row.note.as_ref().map(|note| note.text.as_str())),
                (Provenance::Unknown, Some(why)),
                "{id:?}"
            );
        }
        assert!((row(&observation, RowId::IoSize).mean.unwrap() - 4_096.0).abs() < 0.01);
        assert!((row(&observation, RowId::LatencyAverage).mean.unwrap() - 0.0002).abs() < 1e-12);
        assert_eq!(found(&observation, Pitfall::TooFew), [why]);
        let required = observation.requirements("whole").unwrap();
        assert!(required.volumes[0].read_iops.is_none() && required.volumes[0].series.is_none());
    }
}

#[test]
fn a_trace_of_more_seconds_than_are_kept_has_longer_intervals_and_loses_nothing() {
    // One request every five minutes for a year; and one of eight disks every second for eighteen hours.
    let years = (0..100_000u64).map(|i| ("sda", i * 300_000));
    const DISKS: [&str; 8] = ["sda", "sdb", "sdc", "sdd", "sde", "sdf", "sdg", "sdh"];
    let day = (0..66_000u64).flat_map(|s| DISKS.map(|disk| (disk, s * 1_000)));
    for (observation, n) in [(trace(years), 100_000.0), (trace(day), 8.0 * 66_000.0)] {
        let intervals: usize = observation.volumes.iter().map(|v| v.series.points.len()).sum();
        assert!((10_000..=600_000).contains(&intervals), "{intervals}");
        assert!((requests(&observation) - n).abs() <= n * 0.001, "{}", requests(&observation));
        let said = found(&observation, Pitfall::Folded);
        assert!(said[0].starts_with("the trace is too long for intervals of"), "{said:?}");
    }
}

#[test]
fn the_largest_size_and_latency_have_a_bucket() {
    let mut recording = Recording::new();
    for second in 1..=3 {
        let event = IoEvent {
            action: Action::Complete,
            direction: Direction::Read,
            flush: false,
            offset: None,
            len: Bytes::new(u64::MAX),
            latency: Some(Duration::from_ns(u64::MAX)),
        };
        recording.take(Common::at(utc(MONDAY + second * SECOND)), Reading::Io { device: "sda".into(), event });
    }
    let observation = recording.observe();
    for what in ["io_size", "latency"] {
        let distribution = observation.volumes[0].distributions.iter().find(|d| d.what == what).unwrap();
        let [(from, to, share)] = distribution.buckets[..] else { panic!("{distribution:?}") };
        assert!(from < to && share == 1.0, "{distribution:?}");
    }
}

#[test]
fn more_names_than_any_machine_has_devices_are_refused() {
    let mut recording = Recording::new();
    for i in 1..=20_000 {
        recording.disk(utc(MONDAY + SECOND), &format!("sd{i}x"), load(1.0, 1.0));
    }
    let error = observe(recording.recorder, &Settings::default()).unwrap_err();
    assert!(error.to_string().contains("more than 1024 devices on one machine: one more is `sd1025x`"), "{error}");
}

/// A completion: first byte, KiB, a flush.
type Completion = (u64, u64, bool);

/// A disk of which the kernel counts so many writes a second for ten seconds, and a trace of its completions in the third of them: a
/// journal's commits flush with data, `fsync` without.
fn fsyncs(counted: f64, traced: impl IntoIterator<Item = Completion>) -> Observation {
    let mut recording = Recording::new();
    recording.disks("sda", 10, |_| DiskInterval { flushes_per_s: Some(counted / 2.0), ..load(0.0, counted) });
    for (at, (offset, kib, flush)) in (0..).zip(traced) {
        let event = IoEvent {
            action: Action::Complete,
            direction: Direction::Write,
            flush,
            offset: Some(offset),
            len: Bytes::kib(kib),
            latency: None,
        };
        let common = Common::at(utc(MONDAY + 2 * SECOND + at * 1_000_000));
        recording.take(common, Reading::Io { device: "sda".into(), event });
    }
    recording.observe()
}

#[test]
fn writes_that_only_flush_are_taken_off_where_a_trace_tells_them() {
    // The kernel's own events of an `fsync`: the data, the flush, and the write of nothing that asked for it; of a commit, whose flush
    // belongs to a write of data; and of a commit as a FUA write on a disk without FUA: flushed before and after, and then
    // the write completes once more, without data. LVM maps the write of nothing to where its volume begins.
    let fsync: [Completion; 3] = [(136_318_976, 8, false), (0, 0, true), (0, 0, false)];
    let commit: [Completion; 2] = [(2_013_298_688, 4, true), (0, 0, true)];
    let at = 2_013_298_688;
    let forced: [Completion; 4] = [(0, 0, true), (at, 4, false), (0, 0, true), (at, 0, false)];
    let mapped: [Completion; 3] = [(136_318_976, 8, false), (0, 0, true), (1_048_576, 0, false)];
    for (name, events, writes, said) in [
        (
            "a write for each fsync",
            fsync.repeat(3),
            100.0,
            "50 % of the writes that the kernel counted are flushes without data",
        ),
        ("a commit for each", [&fsync[..], &commit[..]].concat(), 200.0 * 2.0 / 3.0, "33 % of the writes"),
        ("commits alone", commit.repeat(3), 200.0, "10 lines have flushes"),
        ("a write for each fsync, on LVM", mapped.repeat(3), 100.0, "50 % of the writes"),
        ("FUA commits alone", forced.repeat(3), 200.0, "10 lines have flushes"),
        ("a FUA commit for each", [&fsync[..], &forced[..]].concat(), 200.0 * 2.0 / 3.0, "33 % of the writes"),
    ] {
        let observation = fsyncs(200.0, events);
        let found = found(&observation, Pitfall::FlushDiscard);
        let seen = row(&observation, RowId::WriteIops).p50.unwrap().value;
        assert!((seen - writes).abs() < 1e-9, "{name}: {seen}");
        assert!(
            found.iter().any(|what| what.starts_with(said)) && !found.iter().any(|f| f.contains("up to")),
            "{name}: {found:?}"
        );
    }
}
