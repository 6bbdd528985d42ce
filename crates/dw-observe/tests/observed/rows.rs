//! One case a row of the checklist and kind of source.

use dw_demand::Provenance;
use dw_observe::checklist::RowId;
use dw_observe::checklist::RowId::*;
use dw_observe::*;
use dw_units::{Bytes, Duration, Throughput};
use dw_workload::Direction;

use crate::support::*;

/// A row's p50, p99, mean and how it is known; `None` where there is no figure.
type Expected = (Option<f64>, Option<f64>, Option<f64>, Provenance);

fn check(source: &str, record: impl Fn(&mut Recording), cases: &[(RowId, Expected)]) {
    let mut recording = Recording::new();
    record(&mut recording);
    let observation = recording.observe_as(&Settings { memory_total: Some(gib(16)), ..Settings::default() });
    for (id, (p50, p99, mean, provenance)) in cases {
        let row = row(&observation, *id);
        let name = format!("{source}, {}: {row:?}", id.label());
        let same = |found: Option<f64>, expected: Option<f64>| match (found, expected) {
            (Some(found), Some(expected)) => (found - expected).abs() <= 1e-6 * expected.abs().max(1e-9),
            (found, expected) => found == expected,
        };
        assert_eq!(row.provenance, *provenance, "{name}");
        assert!(same(row.p50.map(|c| c.value), *p50), "p50 of {name}");
        assert!(same(row.p99.map(|c| c.value), *p99), "p99 of {name}");
        assert!(same(row.mean, *mean), "mean of {name}");
    }
}

const M: Provenance = Provenance::Measured;
const D: Provenance = Provenance::Derived;
const E: Provenance = Provenance::Estimated;
const UNKNOWN: Expected = (None, None, None, Provenance::Unknown);

fn one(value: f64, provenance: Provenance) -> Expected {
    (Some(value), Some(value), Some(value), provenance)
}

/// Ninety-nine intervals of 100 reads and 300 writes, then one of 1,000 and 0 that is ten times slower.
fn extended(i: i64) -> DiskInterval {
    if i < 100 {
        return load(100.0, 300.0);
    }
    DiskInterval { read_latency: ms(10.0), read_throughput: kib(64_000.0), ..load(1_000.0, 0.0) }
}

#[test]
fn iostat_extended() {
    let (ios, seconds) = (400.0 * 99.0 + 1_000.0, (400.0 * 99.0 * 0.001) + 1_000.0 * 0.01);
    let bytes = 400.0 * 99.0 * 8_192.0 + 64_000.0 * 1_024.0;
    check(
        "iostat -x",
        |r| r.disks("sdb", 100, extended),
        &[
            // Largest of each minute: one of 400 (60 s), one of 1,000 (40 s).
            (Transactions, (Some(400.0), Some(1_000.0), Some(640.0), E)),
            (ReadShare, (Some(25.0), Some(25.0), Some(100.0 * (100.0 * 99.0 + 1_000.0) / ios), D)),
            (WriteShare, (Some(75.0), Some(75.0), Some(100.0 * 300.0 * 99.0 / ios), D)),
            (Random, UNKNOWN),
            (Sequential, UNKNOWN),
            (IoSize, (Some(8_192.0), Some(8_192.0), Some(bytes / ios), D)),
            (ThroughputAverage, (Some(3_276_800.0), Some(3_276_800.0), Some(bytes / 100.0), M)),
            (ThroughputMax, (Some(3_276_800.0), Some(65_536_000.0), Some(0.6 * 3_276_800.0 + 0.4 * 65_536_000.0), M)),
            (LatencyMin, (Some(0.001), Some(0.001), Some(0.001), D)),
            (LatencyAverage, (Some(0.001), Some(0.001), Some(seconds / ios), D)),
            (QueueDepth, (Some(0.4), Some(0.4), Some(seconds / 100.0), D)),
            (ReadIops, (Some(100.0), Some(100.0), Some(109.0), M)),
            (WriteIops, (Some(300.0), Some(300.0), Some(297.0), M)),
            (ReadSize, (Some(8_192.0), Some(8_192.0), Some((9_900.0 * 8_192.0 + 65_536_000.0) / 10_900.0), D)),
            (CpuMax, UNKNOWN),
            (MemoryMax, UNKNOWN),
            (Discards, UNKNOWN),
        ],
    );
}

#[test]
fn a_list_without_times_has_shares_and_sizes_and_no_rates() {
    let list = |r: &mut Recording| {
        for (i, (direction, offset, len)) in
            [(Direction::Write, 0, 4_096), (Direction::Write, 4_096, 4_096), (Direction::Read, 1 << 30, 16_384)]
                .into_iter()
                .enumerate()
        {
            let (offset, len) = (Some(offset), Bytes::new(len));
            let event = IoEvent { action: Action::Queue, direction, flush: false, offset, len, latency: None };
            r.take(Common::at(Stamp::Report { index: i as u64 }), Reading::Io { device: "/dev/sdb".into(), event });
        }
    };
    check(
        "an iolog of version 2",
        list,
        &[
            (ReadShare, one(100.0 / 3.0, D)),
            (WriteShare, one(200.0 / 3.0, D)),
            (Random, one(200.0 / 3.0, M)),
            (IoSize, one(8_192.0, D)),
            (ReadSize, one(16_384.0, D)),
            (Transactions, UNKNOWN),
            (Iops, UNKNOWN),
            (ThroughputAverage, UNKNOWN),
            (ThroughputMax, UNKNOWN),
            (LatencyAverage, UNKNOWN),
            (QueueDepth, UNKNOWN),
        ],
    );
}

#[test]
fn a_tool_without_latencies_says_nothing_of_the_queue() {
    let basic = |i: i64| DiskInterval {
        transfers_per_s: Some(if i % 2 == 0 { 0.0 } else { 50.0 }),
        throughput: kib(400.0),
        ..DiskInterval::default()
    };
    check("iostat", |r| r.disks("sdb", 100, basic), &[(QueueDepth, UNKNOWN), (LatencyAverage, UNKNOWN)]);
    // Writes alone, of which no latency is known, next to reads that are none.
    let writes = |_| DiskInterval { reads_per_s: Some(0.0), writes_per_s: Some(50.0), ..DiskInterval::default() };
    check("a log", |r| r.disks("sdb", 100, writes), &[(QueueDepth, UNKNOWN), (LatencyMin, UNKNOWN)]);
}

#[test]
fn sar_knows_no_directions_of_a_device() {
    let disk = |_| DiskInterval {
        transfers_per_s: Some(50.0),
        throughput: kib(800.0),
        latency: ms(4.0),
        ..DiskInterval::default()
    };
    check(
        "sar -d",
        |r| r.disks("sda", 20, disk),
        &[
            (Iops, one(50.0, M)),
            (IoSize, one(16_384.0, D)),
            (ThroughputAverage, one(819_200.0, M)),
            (LatencyAverage, one(0.004, D)),
            (QueueDepth, one(0.2, D)),
            (ReadShare, UNKNOWN),
            (ReadIops, UNKNOWN),
            (ReadLatency, UNKNOWN),
        ],
    );
    let host = |r: &mut Recording| {
        r.disks("sda", 20, disk);
        for i in 1..=20 {
            r.take(Common::at(utc(MONDAY + i * SECOND)), Reading::Host(load(10.0, 40.0)));
        }
    };
    check("sar -d and -b", host, &[(ReadShare, one(20.0, D)), (Iops, one(50.0, M))]);
}

#[test]
fn azure_comes_one_metric_at_a_time() {
    let record = |r: &mut Recording| {
        let each = |r: &mut Recording, disk: DiskInterval| {
            for i in 1..=30 {
                let common =
                    Common { interval: Some(Duration::from_secs(60)), ..Common::at(utc(MONDAY + i * 60 * SECOND)) };
                let reading = Reading::Disk { device: "LUN 0".into(), role: Role::Disk, disk: disk.clone() };
                r.take(common, reading);
            }
        };
        each(r, DiskInterval { reads_per_s: Some(30.0), ..DiskInterval::default() });
        each(r, DiskInterval { writes_per_s: Some(10.0), ..DiskInterval::default() });
        each(r, DiskInterval { read_throughput: kib(240.0), ..DiskInterval::default() });
        each(r, DiskInterval { latency: ms(2.0), ..DiskInterval::default() });
    };
    check(
        "Azure Monitor",
        record,
        &[
            (ReadShare, one(75.0, D)),
            (Iops, one(40.0, M)),
            (ReadSize, one(8_192.0, D)),
            (WriteSize, UNKNOWN),
            (LatencyAverage, one(0.002, D)),
            (ReadLatency, UNKNOWN),
            (QueueDepth, one(0.08, D)),
        ],
    );
}

#[test]
fn vmstat_knows_throughput_and_memory_of_the_host() {
    let record = |r: &mut Recording| {
        for i in 1..=10 {
            let at = Common::at(utc(MONDAY + i * SECOND));
            let disk =
                DiskInterval { read_throughput: kib(100.0), write_throughput: kib(300.0), ..DiskInterval::default() };
            r.take(at.clone(), Reading::Host(disk));
            r.take(at.clone(), Reading::Cpu(CpuInterval { busy_percent: Some(7.0), ..CpuInterval::default() }));
            let memory = Memory { available: Some(gib(4)), estimated: true, ..Memory::default() };
            r.take(at, Reading::Memory(memory));
        }
    };
    let used = (12u64 << 30) as f64;
    check(
        "vmstat",
        record,
        &[
            (ThroughputAverage, one(409_600.0, M)),
            (Iops, UNKNOWN),
            (Transactions, UNKNOWN),
            (IoSize, UNKNOWN),
            (LatencyAverage, UNKNOWN),
            (CpuMax, one(7.0, M)),
            (CpuAverage, one(7.0, M)),
            (MemoryMax, one(used, E)),
            (MemoryAverage, one(used, E)),
        ],
    );
}

#[test]
fn perfmon_counts_transactions_beside_its_disks() {
    let record = |r: &mut Recording| {
        for i in 1..=10 {
            let at = Common::at(utc(MONDAY + i * SECOND));
            let of = |role, device: &str| Reading::Disk { device: device.into(), role, disk: load(10.0, 10.0) };
            r.take(at.clone(), of(Role::Disk, "0 C:"));
            r.take(at.clone(), of(Role::Total, "_Total"));
            r.take(at.clone(), of(Role::Volume, "C:"));
            let counter = |instance: &str, per_s| {
                Reading::Transactions(sample::Transactions {
                    counter: "Transactions/sec".into(),
                    instance: Some(instance.into()),
                    per_s,
                })
            };
            r.take(at.clone(), counter("sales", 30.0));
            r.take(at.clone(), counter("tempdb", 12.0));
            r.take(at, counter("_Total", 42.0));
        }
    };
    check("PerfMon", record, &[(Iops, one(20.0, M)), (Transactions, one(42.0, M))]);
}

#[test]
fn counters_are_subtracted() {
    let record = |r: &mut Recording| {
        for i in 0..=10 {
            let n = i as f64;
            let counters = DiskCounters {
                reads: Some(1e9 + 200.0 * n),
                writes: Some(50.0 * n),
                read_bytes: Some(4_096.0 * 200.0 * n),
                write_bytes: Some(8_192.0 * 50.0 * n),
                read_time_ns: Some(1e6 * 100.0 * n),
                write_time_ns: Some(1e6 * 100.0 * n),
                discards: Some(2.0 * n),
                flushes: Some(n),
                times_wrap_at_u32_ms: true,
                ..DiskCounters::default()
            };
            let reading = Reading::DiskCounters { device: "vda".into(), role: Role::Unknown, counters };
            r.take(Common::at(utc(MONDAY + i * 2 * SECOND)), reading);
        }
    };
    check(
        "/proc/diskstats",
        record,
        &[
            (ReadIops, one(100.0, M)),
            (WriteIops, one(25.0, M)),
            (ReadLatency, one(0.0005, M)),
            (WriteLatency, one(0.002, M)),
            (QueueDepth, one(0.1, D)),
            (IoSize, one((4_096.0 * 200.0 + 8_192.0 * 50.0) / 250.0, D)),
            (Discards, one(1.0, M)),
            (Flushes, one(0.5, M)),
        ],
    );
}

#[test]
fn a_trace_knows_random_from_sequential() {
    let record = |r: &mut Recording| {
        // A hundred requests per second: three of four follow each other, every fourth is somewhere else.
        let mut next = 1 << 30;
        for i in 0..1_000i64 {
            let at = MONDAY + i * SECOND / 100;
            let random = i % 4 == 0;
            let offset = if random { (i as u64 * 7_919 + 13) * (1 << 32) } else { next };
            let io = |action| IoEvent {
                action,
                direction: Direction::Read,
                flush: false,
                offset: Some(offset),
                len: Bytes::kib(8),
                latency: None,
            };
            let take = |r: &mut Recording, at, action| {
                r.take(Common::at(utc(at)), Reading::Io { device: "sdb".into(), event: io(action) });
            };
            take(r, at, Action::Issue);
            take(r, at + 2_000_000, Action::Complete);
            if !random {
                next += 8_192;
            }
        }
    };
    // The first of the stream has nothing to follow.
    let random = 100.0 * 251.0 / 1_000.0;
    check(
        "a trace",
        record,
        &[
            (Random, (Some(25.0), Some(26.0), Some(random), M)),
            (Sequential, (Some(75.0), Some(75.0), Some(100.0 - random), M)),
            (ReadIops, (Some(100.0), Some(100.0), Some(100.0), M)),
            (ReadLatency, one(0.002, M)),
            (ReadSize, one(8_192.0, D)),
            (QueueDepth, one(0.2, D)),
        ],
    );
}

#[test]
fn the_sum_of_volumes_is_taken_before_its_percentiles() {
    let mut recording = Recording::new();
    // Two disks that are busy in turn: each has a p99 of 1,000, both together never more than 1,010.
    recording.disks("sda", 200, |i| load(if i % 2 == 0 { 1_000.0 } else { 10.0 }, 0.0));
    recording.disks("sdb", 200, |i| load(if i % 2 == 0 { 10.0 } else { 1_000.0 }, 0.0));
    let observation = recording.observe();
    let p99 = |volume: usize| observation.volumes[volume].checklists[0].row(Iops).unwrap().p99.unwrap().value;
    assert_eq!((p99(0), p99(1), p99(2)), (1_010.0, 1_000.0, 1_000.0));
}

#[test]
fn windows_take_their_own_percentiles() {
    let mut recording = Recording::new();
    recording.disks("sda", 1_200, |i| load(if (300..=600).contains(&i) { 1_000.0 } else { 10.0 }, 0.0));
    let windows = ["load", "early=08:00-08:05", "rest=rest"].map(|w| windows::Window::parse(w).unwrap()).concat();
    let observation = recording.observe_as(&Settings { windows, ..Settings::default() });
    let of = |name: &str| observation.volumes[0].checklists.iter().find(|c| c.window == name).unwrap();
    let median = |name: &str| of(name).row(Iops).unwrap().p50.map(|c| c.value);
    assert_eq!(median("peak"), Some(1_000.0));
    assert_eq!(median("off-hours"), Some(10.0));
    assert_eq!(of("early").covered, Duration::from_secs(300));
    let parts = ["peak", "normal", "off-hours"].map(|n| of(n).covered.ns()).iter().sum::<u64>();
    assert_eq!(parts, of("whole").covered.ns());
    assert_eq!(of("rest").covered, Duration::ZERO);
}

#[test]
fn what_the_user_says_is_marked_as_asked() {
    let mut recording = Recording::new();
    recording.disks("sda", 10, |_| load(1.0, 1.0));
    let observation = recording.observe_as(&Settings { random_percent: Some(70.0), ..Settings::default() });
    let (random, sequential) = (row(&observation, Random), row(&observation, Sequential));
    assert_eq!((random.mean, random.provenance), (Some(70.0), Provenance::Asked));
    assert_eq!(sequential.mean, Some(30.0));
}

/// Ten seconds of a sequential trace, a hundred requests per second.
fn trace(recording: &mut Recording, device: &str) {
    for i in 0..1_000 {
        let event = IoEvent {
            action: Action::Complete,
            direction: Direction::Read,
            flush: false,
            offset: Some(i as u64 * 8_192),
            len: Bytes::kib(8),
            latency: ms(1.0),
        };
        recording.take(Common::at(utc(MONDAY + i * SECOND / 100)), Reading::Io { device: device.into(), event });
    }
}

#[test]
fn what_the_recording_says_is_not_the_users_to_say() {
    let check = |record: &dyn Fn(&mut Recording), settings: Settings, utc_offset_min, expected: &str| {
        let mut recording = Recording::with(RecorderOptions { utc_offset_min, ..RecorderOptions::default() });
        record(&mut recording);
        let found = observe(recording.recorder, &settings).map_or_else(|error| error.to_string(), |_| String::new());
        assert_eq!(found, expected);
    };
    let disks = |r: &mut Recording| r.disks("sda", 10, |_| load(1.0, 1.0));
    let memory = |r: &mut Recording| {
        disks(r);
        r.file("sysstat");
        r.fact(Fact::MemoryTotal(gib(16)));
    };
    let total = |n| Settings { memory_total: Some(gib(n)), ..Settings::default() };
    check(&disks, total(64), None, "");
    check(&memory, total(16), None, "");
    check(&memory, total(64), None, "`memory_total` is 64 GiB, but the recording contains 16 GiB");

    let random = Settings { random_percent: Some(70.0), ..Settings::default() };
    let of_one = |r: &mut Recording| trace(r, "sda");
    let said = "`random` is 70 %, but the recording contains 0.1 %, in the requests that it has";
    check(&disks, random.clone(), None, "");
    check(&of_one, random, None, said);

    let local = |r: &mut Recording| {
        disks(r);
        r.disk(Stamp::Wall { ns: MONDAY + 11 * SECOND, utc_offset_min: None }, "sda", load(1.0, 1.0));
    };
    let said = "`utc_offset` is -05:30, but the recording contains +00:00";
    check(&disks, Settings::default(), Some(-330), said);
    check(&disks, Settings::default(), Some(0), "");
    check(&local, Settings::default(), Some(-330), "");
}

#[test]
fn what_is_measured_of_one_volume_is_asked_of_the_others() {
    let mut recording = Recording::new();
    for device in ["sda", "sdb"] {
        recording.disks(device, 10, |_| load(50.0, 50.0));
    }
    recording.file("blkparse");
    trace(&mut recording, "sda");
    let observation = recording.observe_as(&Settings { random_percent: Some(70.0), ..Settings::default() });
    let random = |volume: usize| observation.volumes[volume].checklists[0].row(Random).unwrap().clone();
    assert_eq!((random(1).mean, random(1).provenance), (Some(0.1), Provenance::Measured));
    assert_eq!((random(2).mean, random(2).provenance), (Some(70.0), Provenance::Asked));
}

#[test]
fn nothing_to_see_is_said() {
    let check = |record: &dyn Fn(&mut Recording), settings: Settings, expected: &str| {
        let mut recording = Recording::new();
        record(&mut recording);
        let error = observe(recording.recorder, &settings).unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    let disks = |r: &mut Recording| r.disks("sda", 3, |_| load(1.0, 1.0));
    let two = |r: &mut Recording| {
        for machine in ["a", "b"] {
            let common = Common { machine: Some(machine.into()), ..Common::at(utc(MONDAY)) };
            r.take(common, Reading::Disk { device: "sda".into(), role: Role::Unknown, disk: load(1.0, 1.0) });
        }
    };
    let first = |r: &mut Recording| {
        let common = Common { span: Span::First, ..Common::at(Stamp::Report { index: 0 }) };
        r.take(common, Reading::Disk { device: "sda".into(), role: Role::Unknown, disk: load(1.0, 1.0) });
    };
    let none = Settings::default;
    check(&|_| {}, none(), "there is no interval for any disk in it");
    check(
        &first,
        none(),
        "there is no interval for any disk: its 1 lines belong to a first report, which counts since boot",
    );
    check(&two, none(), "these are samples of 2 machines: `a`, `b`");
    check(
        &two,
        Settings { machine: Some("c".into()), ..none() },
        "there are no samples of machine `c`; there are `a`, `b`",
    );
    let volume = vec!["data=sdz".parse().unwrap()];
    check(&disks, Settings { volumes: volume, ..none() }, "volume `data`: there is no device `sdz`; there are `sda`");
    let windows = windows::Window::parse("exclude=0s..1h").unwrap();
    check(&disks, Settings { windows, ..none() }, "the excluded windows cover every interval");
}

#[test]
fn figures_keep_their_unit() {
    let throughput = Throughput::mb_per_second(200);
    let mut recording = Recording::new();
    let disk = DiskInterval { write_throughput: Some(throughput), ..load(0.0, 1_000.0) };
    recording.disks("sda", 10, |_| disk.clone());
    assert_eq!(row(&recording.observe(), WriteThroughput).max, Some(2e8));
}
