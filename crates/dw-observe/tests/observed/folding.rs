//! Recordings longer than memory: what is folded away gives the same checklist as what is kept.

use dw_demand::Provenance;
use dw_observe::checklist::RowId;
use dw_observe::sample::Transactions;
use dw_observe::windows::Window;
use dw_observe::*;
use dw_units::{Bytes, Duration, Throughput};

use crate::support::*;

/// Three hours of two disks and a processor, with a busy hour in the middle and a pause.
fn record(recorder: Recorder) -> Recorder {
    let mut recording = Recording::into(recorder);
    for i in (1..=10_800i64).filter(|i| !(5_000..5_040).contains(i)) {
        let drawn = |n: i64| (i * 7_919 + n * 104_729) % 1_000;
        let busy = if (3_600..7_200).contains(&i) { 10.0 } else { 1.0 };
        for (n, name) in [(1, "sda"), (2, "sdb")] {
            let disk = DiskInterval {
                reads_per_s: Some(drawn(n) as f64 * busy),
                writes_per_s: Some(drawn(n + 5) as f64 / 4.0),
                read_throughput: Some(Throughput::bytes_per_second(drawn(n + 7) as u64 * 8_192)),
                write_throughput: Some(Throughput::bytes_per_second(drawn(n + 9) as u64 * 4_096)),
                read_latency: Some(Duration::from_us(100 + drawn(n + 11) as u64)),
                write_latency: Some(Duration::from_us(50 + drawn(n + 13) as u64)),
                ..DiskInterval::default()
            };
            recording.disk(utc(MONDAY + i * SECOND), name, disk);
        }
        let cpu = CpuInterval { busy_percent: Some(drawn(17) as f64 / 10.0), ..CpuInterval::default() };
        recording.take(Common::at(utc(MONDAY + i * SECOND)), Reading::Cpu(cpu));
        let memory = Memory {
            total: Some(Bytes::gib(8)),
            available: Some(Bytes::mib(1_000 + drawn(19) as u64)),
            ..Memory::default()
        };
        recording.take(Common::at(utc(MONDAY + i * SECOND)), Reading::Memory(memory));
    }
    recording.recorder
}

fn assert_same(kept: &Observation, folded: &Observation) {
    for (a, b) in kept.volumes.iter().zip(&folded.volumes) {
        assert_eq!((&a.name, &a.devices, a.checklists.len()), (&b.name, &b.devices, b.checklists.len()));
        assert_eq!(a.series.covered(), b.series.covered());
        for (a, b) in a.checklists.iter().zip(&b.checklists) {
            assert_eq!((&a.window, a.covered), (&b.window, b.covered));
            for (a, b) in a.rows.iter().zip(&b.rows) {
                assert_eq!((a.p50, a.p90, a.p99, a.min, a.max, a.n), (b.p50, b.p90, b.p99, b.min, b.max, b.n), "{a:?}");
                assert_eq!((a.provenance, &a.note), (b.provenance, &b.note));
                let (x, y) = (a.mean.unwrap_or(0.0), b.mean.unwrap_or(0.0));
                assert!((x - y).abs() <= 1e-9 * x.abs(), "{a:?}: {y}");
            }
        }
    }
    let gaps = |o: &Observation| {
        let of = |p| o.findings.iter().filter(move |f| f.pitfall == p).map(|f| f.what.clone());
        of(audit::Pitfall::Gap).chain(of(audit::Pitfall::Reset)).collect::<Vec<_>>()
    };
    assert_eq!(gaps(kept), gaps(folded));
}

fn windows(texts: &[&str]) -> Settings {
    let windows = texts.iter().flat_map(|t| Window::parse(t).unwrap()).collect();
    Settings { windows, ..Settings::default() }
}

#[test]
fn what_is_folded_gives_the_same_checklist() {
    for texts in [&[][..], &["normal=mon-fri 08:00-09:30", "off=rest"], &["exclude=09:00-09:10", "run=60s..9000s"]] {
        let settings = windows(texts);
        let kept = observe(record(Recorder::new(RecorderOptions::default())), &settings).unwrap();
        let mut bounded = record(Recorder::bounded(RecorderOptions::default(), &settings, 1_000));
        assert!(bounded.second_reading().is_none());
        let folded = observe(bounded, &settings).unwrap();
        assert!(folded.findings.iter().any(|f| f.pitfall == audit::Pitfall::Folded));
        assert_same(&kept, &folded);
    }
}

/// As sar writes: processors, the host, memory, then the disks, each to its end; on the second day again.
fn tables(recorder: Recorder) -> Recorder {
    let mut recording = Recording::into(recorder);
    recording.file("sar");
    for day in 0..2 {
        let at = |i: i64| Common::at(utc(MONDAY + (day * 86_400 + i * 10) * SECOND));
        let drawn = |i: i64, n: i64| ((i + day) * 7_919 + n * 104_729) % 1_000;
        for i in 1..=2_000 {
            let cpu = CpuInterval { busy_percent: Some(drawn(i, 1) as f64 / 10.0), ..CpuInterval::default() };
            recording.take(at(i), Reading::Cpu(cpu));
        }
        for i in 1..=2_000 {
            let (reads, writes) = (Some(drawn(i, 2) as f64), Some(drawn(i, 3) as f64));
            let host = DiskInterval { reads_per_s: reads, writes_per_s: writes, ..DiskInterval::default() };
            recording.take(at(i), Reading::Host(host));
        }
        for i in 1..=2_000 {
            let available = Some(Bytes::mib(1_000 + drawn(i, 4) as u64));
            recording
                .take(at(i), Reading::Memory(Memory { total: Some(Bytes::gib(8)), available, ..Memory::default() }));
        }
        for i in 1..=2_000 {
            let ios = (drawn(i, 2) + drawn(i, 3)) as f64;
            for (name, part) in [("sda", 0.25), ("sdb", 0.75)] {
                let disk = DiskInterval {
                    transfers_per_s: Some(ios * part),
                    throughput: Some(Throughput::bytes_per_second((ios * part) as u64 * 8_192)),
                    latency: Some(Duration::from_us(100 + drawn(i, 5) as u64)),
                    ..DiskInterval::default()
                };
                recording.take(at(i), Reading::Disk { device: name.into(), role: Role::Unknown, disk });
            }
        }
    }
    recording.recorder
}

#[test]
fn tables_one_after_the_other_are_folded_when_the_disks_come() {
    for texts in [&[][..], &["normal=mon-fri 08:00-10:00", "off=rest"], &["exclude=09:00-09:10"]] {
        let settings = windows(texts);
        let kept = observe(tables(Recorder::new(RecorderOptions::default())), &settings).unwrap();
        let bounded = tables(Recorder::bounded(RecorderOptions::default(), &settings, 1_000));
        let folded = observe(bounded, &settings).unwrap();
        assert!(folded.findings.iter().any(|f| f.pitfall == audit::Pitfall::Folded));
        assert_same(&kept, &folded);
        let reads = folded.volumes[0].checklists[0].row(RowId::ReadIops).unwrap();
        assert!(reads.n > 3_000, "the host's reads are those of all disks: {reads:?}");
    }
}

#[test]
fn windows_by_load_are_placed_by_a_second_reading() {
    let settings = windows(&["load"]);
    let mut first = record(Recorder::bounded(RecorderOptions::default(), &settings, 1_000));
    let mut second = record(first.second_reading().expect("blocks by load need all of the recording"));
    assert!(second.second_reading().is_none());
    let folded = observe(second, &settings).unwrap();
    let kept = observe(record(Recorder::new(RecorderOptions::default())), &settings).unwrap();
    let busy = |o: &Observation| o.volumes[0].checklists[1].covered.ns() as f64 / 3.6e12;
    // Blocks are of whole minutes here, and a forty-eighth of the recording there.
    assert!(
        (busy(&folded) - 1.0).abs() < 0.07 && (busy(&kept) - 1.0).abs() < 0.07,
        "{} {}",
        busy(&folded),
        busy(&kept)
    );
}

/// An hour in which the last ten minutes are a backup, a hundred times what else there is.
fn with_backup(recorder: Recorder) -> Recorder {
    let mut recording = Recording::into(recorder);
    recording.disks("sda", 3_600, |i| {
        load(
            if i > 3_000 {
                10_000.0
            } else if i > 1_500 {
                100.0
            } else {
                10.0
            },
            0.0,
        )
    });
    recording.recorder
}

#[test]
fn what_is_excluded_makes_no_block_a_peak() {
    let settings = windows(&["load", "exclude=08:50-09:00", "run=60s..120s"]);
    let kept = observe(with_backup(Recorder::new(RecorderOptions::default())), &settings).unwrap();
    let mut first = with_backup(Recorder::bounded(RecorderOptions::default(), &settings, 500));
    let folded = observe(with_backup(first.second_reading().unwrap()), &settings).unwrap();
    for observation in [kept, folded] {
        let seconds = |window: &str| {
            let checklist = observation.volumes[0].checklists.iter().find(|c| c.window == window).unwrap();
            checklist.covered.ns() / 1_000_000_000
        };
        let peak = seconds("peak");
        // A block may lie across the step.
        assert!((1_440..=1_560).contains(&peak), "{peak} s of 1,500 s of work");
        assert_eq!((seconds("whole"), seconds("run")), (3_000, 60));
    }
}

#[test]
fn every_interval_has_its_load_wherever_the_last_folding_was() {
    let settings = windows(&["load"]);
    // Of 43,000 readings: folded once, at 60 % of them, and several times.
    for most in [26_000, 9_000] {
        let mut first = record(Recorder::bounded(RecorderOptions::default(), &settings, most));
        let folded = observe(record(first.second_reading().unwrap()), &settings).unwrap();
        for volume in &folded.volumes {
            let covered: Vec<u64> = volume.checklists.iter().map(|c| c.covered.ns()).collect();
            assert_eq!(covered[0], covered[1..].iter().sum::<u64>(), "{most}: {covered:?}");
        }
    }
}

#[test]
fn files_in_another_order_than_their_times_are_said_once_folded() {
    let settings = windows(&["run=0s..60s"]);
    let record = |recorder| {
        let mut recording = Recording::into(recorder);
        for from in [3_600, 0] {
            for i in from + 1..=from + 3_600 {
                recording.disk(utc(MONDAY + i * SECOND), "sda", load((i % 97) as f64, 1.0));
            }
            recording.file("iostat");
        }
        observe(recording.recorder, &settings).unwrap()
    };
    let kept = record(Recorder::new(RecorderOptions::default()));
    let folded = record(Recorder::bounded(RecorderOptions::default(), &settings, 1_000));
    let said = |o: &Observation, part: &str| o.findings.iter().filter(|f| f.what.text.contains(part)).count();
    assert_eq!((said(&kept, "already aggregated"), said(&folded, "already aggregated")), (0, 1));
    assert_eq!((said(&kept, "are missing"), said(&folded, "are missing")), (0, 0));
    for (a, b) in kept.volumes[0].checklists.iter().zip(&folded.volumes[0].checklists) {
        assert_eq!((&a.window, a.covered), (&b.window, b.covered));
    }
    let (a, b) = (row(&kept, RowId::ReadIops), row(&folded, RowId::ReadIops));
    assert_eq!((a.p50, a.p99, a.n), (b.p50, b.p99, b.n));
}

#[test]
fn one_counter_of_transactions_is_folded() {
    let settings = Settings::default();
    let mut recording = Recording::into(Recorder::bounded(RecorderOptions::default(), &settings, 1_000));
    for i in 1..=3_600i64 {
        recording.disk(utc(MONDAY + i * SECOND), "sda", load(10.0, 1.0));
        // Batches are the busier ones after the first folding.
        for (counter, per_s) in [("Transactions/sec", 50.0), ("Batch Requests/sec", if i < 900 { 1.0 } else { 900.0 })]
        {
            let transactions = Transactions { counter: counter.into(), instance: None, per_s };
            recording.take(Common::at(utc(MONDAY + i * SECOND)), Reading::Transactions(transactions));
        }
    }
    let row = row(&recording.observe(), RowId::Transactions);
    assert_eq!((row.min, row.max), (Some(50.0), Some(50.0)));
    assert!(row.note.as_ref().is_some_and(|note| note.text.starts_with("Transactions/sec")), "{row:?}");
}

#[test]
fn a_short_recording_is_kept_whole() {
    let settings = Settings::default();
    let bounded = record(Recorder::bounded(RecorderOptions::default(), &settings, 1_000_000));
    let bounded = observe(bounded, &settings).unwrap();
    let kept = observe(record(Recorder::new(RecorderOptions::default())), &settings).unwrap();
    assert_same(&kept, &bounded);
    assert!(bounded.findings.iter().all(|f| f.pitfall != audit::Pitfall::Folded));
}

/// An hour of a disk whose memory is only bounded by what is free.
fn estimated(recorder: Recorder) -> Recorder {
    let mut recording = Recording::into(recorder);
    for i in 1..=3_600i64 {
        let disk = DiskInterval { reads_per_s: Some((i % 97) as f64), ..DiskInterval::default() };
        recording.disk(utc(MONDAY + i * SECOND), "sda", disk);
        let memory = Memory {
            total: Some(Bytes::gib(8)),
            available: Some(Bytes::mib(1_000 + i as u64 % 89)),
            estimated: true,
            ..Memory::default()
        };
        recording.take(Common::at(utc(MONDAY + i * SECOND)), Reading::Memory(memory));
    }
    recording.recorder
}

#[test]
fn memory_that_is_estimated_stays_so() {
    let settings = Settings::default();
    let kept = observe(estimated(Recorder::new(RecorderOptions::default())), &settings).unwrap();
    let folded =
        observe(estimated(Recorder::bounded(RecorderOptions::default(), &settings, 1_000)), &settings).unwrap();
    let memory = kept.volumes[0].checklists[0].row(RowId::MemoryMax).unwrap();
    assert_eq!(memory.provenance, Provenance::Estimated);
    assert_same(&kept, &folded);
}
