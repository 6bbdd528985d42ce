//! A disk whose data have to be fetched first: rates by formula, and limits that give what they would without.

use dw_stack::*;
use dw_units::{Bytes, Duration, Instant, Throughput};

use crate::harness::*;

const BLOCK: u64 = 512 << 10;

fn touched(fetch_ms: u64, background: Option<Throughput>, limits: LimitSpec) -> DiskSpec {
    let (block, fetch) = (Bytes::new(BLOCK), Duration::from_ms(fetch_ms));
    let first_touch = Some(FirstTouch { block, fetch, there: Bytes::ZERO, background });
    DiskSpec { first_touch, limits, ..disk(1_000_000) }
}

fn stack(disk: DiskSpec) -> Stack {
    Stack::new(one_disk(disk)).expect("it is whole")
}

/// Bytes a second of `depth` readers of neighbouring pieces.
fn sequential(system: &mut Stack, depth: u64, len: u64, seconds: u64) -> f64 {
    let done = closed_loop(system, depth, seconds * SECOND, |n| read(n * len, len as u32));
    rate(&done, 0, seconds * SECOND) * len as f64
}

#[test]
fn a_block_costs_its_fetch_once_however_it_is_read() {
    // depth, length; bytes a second = what is read per fetch over fetch and service times of 99 ms and 1 ms.
    let cases = [
        // One block at a time: 512 KiB in 100 ms.
        (1, BLOCK, BLOCK as f64 / 0.1),
        // Four pieces of it: one waits, three do not.
        (1, BLOCK / 4, BLOCK as f64 / 0.103),
        // Two blocks in one request are fetched at the same time, and so are those of eight readers.
        (1, 2 * BLOCK, 2.0 * BLOCK as f64 / 0.1),
        (8, BLOCK, 8.0 * BLOCK as f64 / 0.1),
    ];
    for (depth, len, expected) in cases {
        let mut system = stack(touched(99, None, LimitSpec::default()));
        let found = sequential(&mut system, depth, len, 103);
        close(&format!("{depth} of {len}"), found, expected, 1e-2).unwrap();
        // Then nothing waits: a piece takes its service time.
        let again = open_loop(&mut system, [(200 * SECOND, read(0, 4096))]);
        assert_eq!(again[0].latency(), Duration::from_ms(1));
    }
}

#[test]
fn data_that_come_by_themselves_are_waited_for_at_most_until_then() {
    // 16 MiB a second: 32 blocks. A reader of one thread starts behind it and stays there.
    let mut system = stack(touched(400, Some(Throughput::mib_per_second(16)), LimitSpec::default()));
    let found = sequential(&mut system, 1, BLOCK, 60);
    close("a reader behind it", found, 16.0 * 1_048_576.0, 1e-2).unwrap();
    let tally = system.tally(Instant::from_ns(60 * SECOND)).volumes.remove(0).touched.unwrap();
    assert_eq!(tally.left, Bytes::tib(1) - Bytes::mib(960));
    assert_eq!(tally.whole_at, Some(Instant::from_ns(65_536 * SECOND)));
}

#[test]
fn limits_before_and_behind_give_to_the_token_what_they_give_without_fetches() {
    // Two volumes behind one gate: half of the reads of the first have to wait, and come to the gate out of turn.
    for gate in [5_000, 700] {
        let vm = VmSpec::with(LimitSpec::default(), iops(gate));
        let fetched = touched(20, None, iops(1_000));
        let volumes =
            [fetched, with_limits(iops(1_000), disk(1_000_000))].map(|disk| volume(vec![disk], CacheMode::None));
        let mut system = Stack::new(spec(vm, volumes.into())).expect("it is whole");
        let done = closed_loop(&mut system, 400, 20 * SECOND, |n| {
            let offset = if n % 4 == 0 { n * BLOCK } else { 4_096 };
            Request { volume: VolumeId((n % 2) as u16), ..read(offset, 4_096) }
        });
        let touches = done.iter().filter(|done| done.cache == CacheOutcome::FirstTouch).count();
        assert!(touches > 100, "{touches}");
        let tally = system.tally(Instant::from_ns(40 * SECOND));
        let granted = |volume: u16| {
            let of = tally.limits.iter().find(|row| row.id.volume() == Some(VolumeId(volume)));
            of.expect("it has a limit").granted
        };
        assert_eq!(granted(0) + granted(1), done.len() as u64);
        let behind = tally.limits.iter().find(|row| row.id.volume().is_none()).expect("there is a gate");
        assert_eq!(behind.granted, done.len() as u64);
        for volume in [0, 1] {
            let done: Vec<Completion> = done.iter().filter(|done| done.volume.0 == volume).copied().collect();
            assert!(rate(&done, SECOND, 20 * SECOND) <= f64::from(gate.min(1_000) as u32) + 2.0);
        }
        let all = rate(&done, SECOND, 20 * SECOND);
        close("what passes", all, f64::from(gate.min(2_000) as u32), 1e-2).unwrap();
    }
}

#[test]
fn what_no_disk_can_have_is_refused() {
    let with = |touch: FirstTouch| DiskSpec { first_touch: Some(touch), ..disk(1_000) };
    let plain =
        FirstTouch { block: Bytes::kib(512), fetch: Duration::from_ms(1), there: Bytes::ZERO, background: None };
    let odd = FirstTouch { block: Bytes::kib(500), ..plain };
    let slow = FirstTouch { background: Some(Throughput::bytes_per_second(0)), ..plain };
    let local = VolumeSpec { path: Path::local(), ..volume(vec![with(plain)], CacheMode::None) };
    for (volume, what) in [
        (volume(vec![with(odd)], CacheMode::None), "no power of two"),
        (volume(vec![with(slow)], CacheMode::None), "0 B/s"),
        (local, "local or has host caching"),
    ] {
        let error = Stack::new(spec(VmSpec::default(), vec![volume])).err().expect("it is refused");
        assert!(error.what.contains(what) && error.at == "volumes[0].disks[0].first_touch", "{error}");
    }
}
