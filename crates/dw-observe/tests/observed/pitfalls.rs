//! One case a known pitfall; and a quiet recording that raises none of them.

use dw_demand::Severity;
use dw_observe::audit::Pitfall;
use dw_observe::*;
use dw_units::{Bytes, Duration};

use crate::support::*;

/// The recording raises the pitfall, and says something that holds `saying`.
fn check(pitfall: Pitfall, saying: &str, record: impl Fn(&mut Recording)) {
    let mut recording = Recording::new();
    record(&mut recording);
    let observation = recording.observe();
    let found: Vec<&str> =
        observation.findings.iter().filter(|f| f.pitfall == pitfall).map(|f| f.what.text.as_str()).collect();
    let name = pitfall.title();
    assert!(found.iter().any(|what| what.contains(saying)), "{name}: `{saying}` not in {found:#?}");
}

/// Uneven, and long enough for a p99: nothing to doubt but memory, which counters never know.
fn healthy(r: &mut Recording) {
    r.disks("sda", 600, |i| load(100.0 + (i * 37 % 100) as f64, 50.0 + (i * 17 % 100) as f64));
}

#[test]
fn a_healthy_recording_raises_no_alarm() {
    let mut recording = Recording::new();
    healthy(&mut recording);
    // Ten minutes are not a day, and one disk with reads and small writes may be data and log.
    assert_eq!(codes(&recording.observe()), ["D", "H", "P14"]);
}

#[test]
fn p1_since_boot_reports_are_left_out() {
    check(Pitfall::SinceBoot, "1 line of first reports ignored: 9999 requests/s since boot", |r| {
        let common = Common { span: Span::First, ..Common::at(utc(MONDAY)) };
        r.take(common, Reading::Disk { device: "sda".into(), role: Role::Unknown, disk: load(9_999.0, 0.0) });
        healthy(r);
    });
}

#[test]
fn p2_resets_restarts_garbage_and_devices_that_come_and_go() {
    let counters = |r: &mut Recording, i: i64, reads: f64| {
        let counters = DiskCounters { reads: Some(reads), ..DiskCounters::default() };
        let reading = Reading::DiskCounters { device: "sda".into(), role: Role::Unknown, counters };
        r.take(Common::at(utc(MONDAY + i * SECOND)), reading);
    };
    check(Pitfall::Reset, "sda: reads completed went back", |r| {
        [10.0, 20.0, 5.0, 15.0].iter().zip(0..).for_each(|(n, i)| counters(r, i, *n));
    });
    check(Pitfall::Reset, "restarted, 1 time", |r| {
        counters(r, 0, 10.0);
        counters(r, 1, 20.0);
        r.take(Common::at(utc(MONDAY + SECOND)), Reading::Restart);
        counters(r, 2, 5.0);
        counters(r, 3, 9.0);
    });
    check(Pitfall::Reset, "sda: 9.680e12 reads/s", |r| {
        healthy(r);
        r.disk(utc(MONDAY), "sda", load(9.68e12, 0.0));
    });
    check(Pitfall::Reset, "4 processors, then 8", |r| {
        r.fact(Fact::Cpus(4));
        healthy(r);
        r.fact(Fact::Cpus(8));
    });
    check(Pitfall::Reset, "sdb appeared later; sdc disappeared", |r| {
        healthy(r);
        (300..=600).for_each(|i| r.disk(utc(MONDAY + i * SECOND), "sdb", load(1.0, 1.0)));
        (1..=300).for_each(|i| r.disk(utc(MONDAY + i * SECOND), "sdc", load(1.0, 1.0)));
    });
}

#[test]
fn p3_long_intervals_and_peaks() {
    check(Pitfall::Coarse, "samples are 60 s averages", |r| {
        (1..=600).for_each(|i| r.disk(utc(MONDAY + i * 60 * SECOND), "sda", load((i % 7) as f64 * 100.0, 1.0)));
    });
    let peak = |r: &mut Recording, i: i64| {
        let common = Common { statistic: Statistic::Max, ..Common::at(utc(MONDAY + i * SECOND)) };
        r.take(common, Reading::Disk { device: "sda".into(), role: Role::Unknown, disk: load(900.0, 0.0) });
    };
    check(Pitfall::Coarse, "appear next to averages and are ignored", |r| {
        healthy(r);
        (1..=600).for_each(|i| peak(r, i));
    });
    check(Pitfall::Coarse, "without averages", |r| (1..=600).for_each(|i| peak(r, i)));
    check(Pitfall::Coarse, "far from the usual", |r| {
        healthy(r);
        let common = Common { interval: Some(Duration::from_secs(5)), ..Common::at(utc(MONDAY + 605 * SECOND)) };
        r.take(common, Reading::Disk { device: "sda".into(), role: Role::Unknown, disk: load(1.0, 0.0) });
    });
}

#[test]
fn p4_means_of_means_are_not_the_mean() {
    check(
        Pitfall::LatencyMeans,
        "the mean over all I/Os is 1.09 ms; the mean of interval means would be 5.50 ms",
        |r| {
            r.disks("sda", 600, |i| match i % 2 {
                0 => load(1_000.0, 0.0),
                _ => DiskInterval { read_latency: ms(10.0), queue_depth: None, ..load(10.0, 0.0) },
            });
        },
    );
}

#[test]
fn p5_to_p8_fields_that_mislead() {
    let kernel = |r: &mut Recording| r.fact(Fact::Kernel("5.4.0-135-generic".into()));
    let busy = |percent| move |_| DiskInterval { utilisation_percent: Some(percent), ..load(10.0, 1.0) };
    check(Pitfall::Utilisation, "it was not used", |r| r.disks("sda", 9, busy(99.0)));
    check(Pitfall::UtilisationInflated, "exceeds 100 %", |r| r.disks("sda", 9, busy(102.0)));
    check(Pitfall::UtilisationInflated, "5.4.0-135-generic", |r| {
        kernel(r);
        r.disks("sda", 9, busy(9.0));
    });
    check(Pitfall::ServiceTime, "svctm", |r| {
        r.disks("sda", 9, |_| DiskInterval { service_time: ms(0.1), ..load(10.0, 1.0) });
    });
    check(Pitfall::QueueField, "(a bug of Linux 5.0 to 5.6): printed 0.00, Little's law gives 0.25", |r| {
        kernel(r);
        r.disks("sda", 9, |_| DiskInterval { queue_depth: Some(0.0), ..load(200.0, 50.0) });
    });
}

#[test]
fn p9_units_that_do_not_agree() {
    check(Pitfall::UnitsMixed, "1.024 times", |r| {
        // Throughput was taken for KiB/s, and is kB/s.
        let disk = |_| DiskInterval {
            read_throughput: kib(8_192.0),
            read_size: Some(Bytes::new(8_000)),
            ..load(1_024.0, 0.0)
        };
        r.disks("sda", 9, disk);
    });
}

#[test]
fn p10_the_same_request_in_several_lines() {
    check(Pitfall::DoubleCounting, "sda1 is a partition of sda", |r| {
        healthy(r);
        r.disks("sda1", 600, |_| load(1.0, 1.0));
    });
    let mut recording = Recording::new();
    healthy(&mut recording);
    recording.disks("dm-0", 600, |_| load(1.0, 1.0));
    let volumes = vec!["all=sda,dm-0".parse().unwrap()];
    let observation = recording.observe_as(&Settings { volumes, ..Settings::default() });
    assert!(codes(&observation).contains(&"P10"));
}

#[test]
fn p11_merged_requests() {
    check(Pitfall::MergesCount, "50 % of the application's requests were merged", |r| {
        r.disks("sda", 9, |_| DiskInterval { write_merges_per_s: Some(100.0), ..load(0.0, 100.0) });
    });
}

#[test]
fn p12_a_source_at_its_limit() {
    // Demand is uneven, and cut off at 500; at the limit it waits.
    let cut = |i: i64| match i * 37 % 100 {
        n if n >= 50 => DiskInterval { read_latency: ms(20.0), queue_depth: None, ..load(500.0, 0.0) },
        n => load(n as f64 * 10.0, 0.0),
    };
    check(Pitfall::Throttled, "51.0 % of the time within 2 % of the largest IOPS", |r| r.disks("sda", 600, cut));
    check(
        Pitfall::Throttled,
        "VM Uncached IOPS Consumed Percentage was at 95 % or more in 1 of 2 samples, 99 % at most",
        |r| {
            healthy(r);
            for percent in [40.0, 99.0] {
                let limit = ProviderLimit { is_credits: false, gate: Some(1), in_bytes: false };
                let metric = "VM Uncached IOPS Consumed Percentage".into();
                let reading = Reading::Consumed { device: None, limit, metric, percent };
                r.take(Common::at(utc(MONDAY)), reading);
            }
        },
    );
}

#[test]
fn credits_begin_at_the_earliest_reading_and_a_device_is_called_as_it_is() {
    let mut recording = Recording::new();
    recording.fact(Fact::Called { device: "nvme1n1".into(), name: "vol-0a1b2c3d".into() });
    for at in 1..=9 {
        recording.disk(utc(MONDAY + at * SECOND), "nvme1n1", load(10.0, 1.0));
        recording.disk(utc(MONDAY + at * SECOND), "nvme1n1p1", load(10.0, 1.0));
        recording.disk(utc(MONDAY + at * SECOND), "nvme2n1", load(1.0, 1.0));
    }
    // The readings of a file may be in any order.
    for (at, percent) in [(2, 35.0), (1, 20.0), (3, 30.0)] {
        let limit = ProviderLimit { is_credits: true, gate: None, in_bytes: true };
        let reading = Reading::Consumed { device: Some("nvme1n1".into()), limit, metric: "used bytes".into(), percent };
        recording.take(Common::at(utc(MONDAY + at * SECOND)), reading);
    }
    let found = recording.observe();
    let expected = Credits {
        metric: "used bytes".into(),
        device: Some("vol-0a1b2c3d".into()),
        in_bytes: true,
        left_at_start: 80.0,
        left_least: 65.0,
    };
    assert_eq!(found.credits, [expected]);
    let names: Vec<&str> = found.volumes.iter().map(|volume| volume.name.as_str()).collect();
    assert_eq!(names, ["all volumes", "nvme2n1", "vol-0a1b2c3d"]);
}

#[test]
fn p13_to_p15_what_the_machine_did_besides() {
    check(Pitfall::ClosedLoop, "20.0 ms per request with 8.0 outstanding", |r| {
        r.disks("sda", 9, |_| DiskInterval { read_latency: ms(20.0), queue_depth: None, ..load(400.0, 0.0) });
    });
    check(Pitfall::PageCache, "is unknown", healthy);
    check(Pitfall::Batch, "10.0 % of the intervals move requests of 256 KiB and more, first at 2026-11-23", |r| {
        r.disks("sda", 600, |i| match i > 540 {
            true => DiskInterval { read_throughput: kib(512.0 * 200.0), ..load(200.0, 0.0) },
            false => load((i % 100) as f64, 10.0),
        });
    });
}

#[test]
fn p16_and_p17_clocks() {
    let local = |at: i64| Stamp::Wall { ns: at, utc_offset_min: None };
    check(Pitfall::Zone, "times are local, without a zone", |r| {
        (1..=9).for_each(|i| r.disk(local(MONDAY + i * SECOND), "sda", load(1.0, 1.0)));
    });
    check(Pitfall::Zone, "of a time that already had one", |r| {
        // The hour after clocks went back.
        (1..=7_200).for_each(|i| r.disk(local(MONDAY + (i % 3_600) * SECOND), "sda", load(i as f64, 1.0)));
    });
    check(Pitfall::Zone, "no time in common", |r| {
        healthy(r);
        r.file("vmstat");
        r.take(Common::at(Stamp::Report { index: 1 }), Reading::Memory(Memory::default()));
    });
    check(Pitfall::Gap, "3599 s are missing in 1 gap (", |r| {
        healthy(r);
        (4_200..=4_210).for_each(|i| r.disk(utc(MONDAY + i * SECOND), "sda", load(1.0, 1.0)));
    });
    check(Pitfall::Gap, "time goes back 1 time (by 599 s)", |r| {
        healthy(r);
        r.disk(utc(MONDAY + SECOND), "sda", load(1.0, 1.0));
    });
}

#[test]
fn p18_to_p20() {
    check(Pitfall::Locale, "comma", |r| {
        r.fact(Fact::DecimalComma);
        healthy(r);
    });
    check(Pitfall::Idle, "IOPS are below 5 % of the peak for 90 % of the time", |r| {
        r.disks("sda", 600, |i| load(if i > 540 { 1_000.0 + (i % 9) as f64 * 50.0 } else { 1.0 }, 0.0));
    });
    check(Pitfall::FlushDiscard, "9 lines have flushes, 0 have discards", |r| {
        r.disks("sda", 9, |_| DiskInterval { flushes_per_s: Some(3.0), ..load(1.0, 1.0) });
    });
    check(Pitfall::FlushDiscard, "up to 40 % of the writes that the kernel counts are flushes without data", |r| {
        r.disks("sda", 9, |_| DiskInterval { flushes_per_s: Some(80.0), ..load(1.0, 200.0) });
    });
    check(Pitfall::FlushDiscard, "requests/s include discards", |r| {
        let disk =
            |_| DiskInterval { transfers_per_s: Some(9.0), discard_throughput: kib(64.0), ..DiskInterval::default() };
        r.disks("sda", 9, disk);
    });
}

#[test]
fn what_a_recording_lacks_to_be_planned_from() {
    let long = |r: &mut Recording, minutes: i64| {
        (0..minutes).for_each(|i| r.disk(utc(MONDAY + i * 60 * SECOND), "sda", load(9.0, 1.0)));
    };
    // Of less than an hour no plan is simply met.
    let cases: [(&str, i64, &str, Severity); 3] = [
        ("two minutes", 3, "too short to plan from", Severity::Critical),
        ("an afternoon", 300, "h recorded, 2026-11-23", Severity::Warning),
        ("a day", 1_440, "", Severity::Warning),
    ];
    for (name, minutes, saying, severity) in cases {
        let mut recording =
            Recording::with(RecorderOptions { every: Some(Duration::from_secs(60)), ..Default::default() });
        long(&mut recording, minutes);
        let observation = recording.observe();
        let found: Vec<&str> =
            observation.findings.iter().filter(|f| f.pitfall == Pitfall::Hours).map(|f| f.what.text.as_str()).collect();
        assert_eq!(found.len(), usize::from(!saying.is_empty()), "{name}: {found:?}");
        assert!(found.iter().all(|what| what.contains(saying)), "{name}: {found:?}");
        let mut hours = observation.findings.iter().filter(|f| f.pitfall == Pitfall::Hours);
        assert!(hours.all(|finding| finding.severity == severity), "{name}: {:?}", observation.findings);
    }
}

#[test]
fn a_bottleneck_beside_the_disks_and_volumes_that_are_one() {
    let processors = |busy: i64, expected: bool| {
        let mut recording = Recording::new();
        healthy(&mut recording);
        recording.file("vmstat");
        for i in 0..600 {
            let cpu = CpuInterval { busy_percent: Some(if i < busy { 99.0 } else { 40.0 }), ..CpuInterval::default() };
            recording.take(Common::at(utc(MONDAY + i * SECOND)), Reading::Cpu(cpu));
        }
        assert_eq!(codes(&recording.observe()).contains(&"C"), expected, "{busy} of 600");
    };
    processors(0, false);
    processors(3, false);
    processors(60, true);
    let volumes = |name: &str, expected: bool, disks: &[(&str, f64, f64, f64)]| {
        let mut recording = Recording::new();
        for (device, reads, writes, size) in disks {
            recording
                .disks(device, 60, |_| DiskInterval { write_throughput: kib(size * writes), ..load(*reads, *writes) });
        }
        assert_eq!(codes(&recording.observe()).contains(&"D"), expected, "{name}");
    };
    volumes("reads and small writes on one", true, &[("sda", 500.0, 300.0, 8.0)]);
    volumes("another that is all but idle", true, &[("sda", 500.0, 300.0, 8.0), ("sdb", 0.0, 2.0, 8.0)]);
    volumes("a log of its own", false, &[("sda", 500.0, 30.0, 8.0), ("sdb", 0.0, 300.0, 8.0)]);
    volumes("reads alone", false, &[("sda", 500.0, 1.0, 8.0)]);
    volumes("a backup", false, &[("sda", 500.0, 300.0, 512.0)]);
}

#[test]
fn too_few_disagreements_and_damaged_lines() {
    check(Pitfall::TooFew, "9 samples", |r| r.disks("sda", 9, |_| load(1.0, 1.0)));
    check(Pitfall::Disagree, "iostat reports 100.0 IOPS and 0.82 MB/s, sar reports 140.0 IOPS", |r| {
        r.disks("sda", 60, |_| load(100.0, 0.0));
        r.file("sar");
        r.disks("sda", 60, |_| load(140.0, 0.0));
    });
    check(Pitfall::Disagree, "they agree within 5 %", |r| {
        r.disks("sda", 60, |_| load(100.0, 0.0));
        r.file("sar");
        r.disks("sda", 60, |_| load(101.0, 0.0));
    });
    check(Pitfall::DamagedLines, "1 line was not understood", |r| {
        healthy(r);
        r.recorder.fault(Origin::default(), Fault { what: "x".into(), hint: String::new() });
    });
    check(Pitfall::IntervalUnknown, "one second is assumed", |r| {
        (0..9).for_each(|index| r.disk(Stamp::Report { index }, "sda", load(1.0, 1.0)));
    });
    check(Pitfall::IntervalUnknown, "the interval, 2 s, is inferred", |r| {
        (0..99).for_each(|index| r.disk(Stamp::Report { index }, "sda", load(index as f64 / 2.0, 1.5)));
    });
}
