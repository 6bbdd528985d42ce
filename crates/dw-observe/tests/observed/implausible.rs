//! Figures that no machine has: said, and not planned with in silence.

use dw_observe::*;
use dw_units::Throughput;

use crate::support::*;

fn rates(reads: f64, read_bytes: u64, writes: f64, write_bytes: u64) -> DiskInterval {
    DiskInterval {
        reads_per_s: Some(reads),
        writes_per_s: Some(writes),
        read_throughput: Some(Throughput::bytes_per_second(read_bytes)),
        write_throughput: Some(Throughput::bytes_per_second(write_bytes)),
        ..DiskInterval::default()
    }
}

/// What is said of it, if anything.
fn said(disk: &DiskInterval) -> Option<String> {
    let mut recording = Recording::new();
    recording.disks("sda", 100, |_| disk.clone());
    let observation = recording.observe();
    let finding = observation.findings.iter().find(|f| f.what.to_string().contains("values that no disk can have"));
    finding.map(|finding| finding.what.to_string())
}

#[test]
fn rates_and_sizes_that_no_disk_has_are_said() {
    let cases = [
        ("4 KiB reads and writes", rates(5_000.0, 20_480_000, 2_000.0, 8_192_000), None),
        ("20 million writes of 4 kB/s", rates(1.0, 4_096, 20_000_000.0, 4_096), Some("sda: 20000000 writes/s")),
        ("reads of 100 bytes", rates(1_000.0, 100_000, 1.0, 4_096), Some("sda: 100 bytes per read")),
        ("flushes among the writes", rates(1.0, 4_096, 1_000.0, 40_960), None),
        ("writes of 4 bytes", rates(1.0, 4_096, 1_000.0, 4_096), Some("sda: 4.1 bytes per write")),
        ("few requests, rounded", rates(10.0, 1_024, 10.0, 10), None),
        ("bytes that are rounded away", rates(100.0, 0, 100.0, 0), None),
    ];
    for (name, disk, expected) in cases {
        let found = said(&disk);
        assert_eq!(found.is_some(), expected.is_some(), "{name}: {found:?}");
        assert!(expected.is_none_or(|expected| found.unwrap_or_default().contains(expected)), "{name}");
    }
}

#[test]
fn processors_that_cannot_be_are_left_out_and_said() {
    let cases = [
        (Some(20.0), Some(5.0), Some(75.0)),
        // Whole percents: 99 and 2 are all of it.
        (Some(99.0), Some(2.0), Some(0.0)),
        (Some(-5.0), None, None),
        (Some(9_600_000.0), None, None),
        (Some(60.0), Some(70.0), None),
    ];
    for (idle, iowait, busy) in cases {
        let mut recording = Recording::new();
        recording.disks("sda", 10, |_| load(10.0, 10.0));
        recording
            .take(Common::at(utc(MONDAY + SECOND)), Reading::Cpu(CpuInterval::from_idle(idle, iowait, None, None)));
        let observation = recording.observe();
        let seen: Vec<f64> = observation.cpu.iter().map(|(_, percent)| *percent).collect();
        assert_eq!(seen, busy.into_iter().collect::<Vec<_>>(), "{idle:?} {iowait:?}");
        assert_eq!(codes(&observation).contains(&"P2"), busy.is_none(), "{idle:?} {iowait:?}");
    }
}

#[test]
fn series_of_many_volumes_do_not_grow_with_the_square_of_their_number() {
    // A device a report, as `iostat -z` prints them: the others were idle.
    let points = |n: i64| -> usize {
        let mut recording = Recording::new();
        recording.fact(Fact::IdleHidden);
        for device in 0..n {
            recording.disk(utc(MONDAY + (device + 1) * SECOND), &format!("sd{device}"), load(1.0, 1.0));
        }
        let observation = recording.observe();
        let each = observation.volumes[1..].iter().map(|volume| volume.series.points.len());
        assert_eq!(observation.volumes[0].series.points.len(), n as usize, "the sum has them all");
        each.sum()
    };
    assert_eq!(points(60), 60 * 60);
    assert!(points(1_000) <= 1 << 16, "{}", points(1_000));
}
