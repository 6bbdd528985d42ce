//! One disk: constants, limits, bursts, sizes, a cache. Runs on the stack, on its twin, and must fail on each mutant.

use dw_stack::*;
use dw_units::{Bytes, Instant};

use super::harness::*;
use super::twin::{Fault, Twin};

/// Builds the system under test from a description and its constant service time.
pub type Make<'a> = &'a dyn Fn(StackSpec, u64) -> Box<dyn System>;
type Check = fn(Make) -> Result<(), String>;

pub const CHECKS: &[(&str, Check)] = &[
    ("A1 a closed loop without a limit runs at N / Z", a1),
    ("A3 a closed loop under a limit", a3),
    ("A11 no window sees more than the limit", a11),
    ("A12 no remainder is lost", a12),
    ("A13 a burst lasts C / (demand − base)", a13),
    ("A14 IOPS and throughput credits are apart", a14),
    ("A18 the two limits of a P30 meet at 40,000 bytes", a18),
    ("A19 an I/O above the unit counts as several", a19),
    ("A22 the hit ratio of a uniform load is C / n", a22),
    ("A25 a scan longer than an LRU never hits", a25),
    ("a re-read of a hot block keeps it in an LRU", hot_block),
    ("a written block is found by the next read", written_block),
    ("a hit does not wait for the disk's limit", hits_are_free),
];

#[test]
fn the_stack_passes() {
    for (name, check) in CHECKS {
        let make = |spec: StackSpec, _| Box::new(Stack::new(spec).unwrap()) as Box<dyn System>;
        check(&make).unwrap_or_else(|why| panic!("{name}: {why}"));
    }
}

#[test]
fn the_twin_passes() {
    for (name, check) in CHECKS {
        let make = |spec: StackSpec, latency| Box::new(Twin::new(&spec, latency, Fault::None)) as Box<dyn System>;
        check(&make).unwrap_or_else(|why| panic!("{name}: {why}"));
    }
}

fn a1(make: Make) -> Result<(), String> {
    let mut system = make(one_disk(disk(500_000)), 500_000);
    let done = closed_loop(&mut *system, 32, SECOND, |_| read(0, 4096));
    let counted = done.iter().filter(|c| c.finished.ns() <= SECOND).count();
    if counted == 64_000 { Ok(()) } else { Err(format!("{counted} I/Os in a second instead of 64,000")) }
}

fn a3(make: Make) -> Result<(), String> {
    for (depth, rate_expected, latency) in [(32, 20_000.0, 1_600_000.0), (5, 10_000.0, 500_000.0)] {
        let mut system = make(one_disk(with_limits(iops(20_000), disk(500_000))), 500_000);
        let done = closed_loop(&mut *system, depth, 2 * SECOND, |_| read(0, 4096));
        close("IOPS", rate(&done, SECOND, 2 * SECOND), rate_expected, 1e-6)?;
        let steady: Vec<Completion> =
            done.into_iter().filter(|c| (SECOND..2 * SECOND).contains(&c.submitted.ns())).collect();
        close("latency", mean_latency(&steady), latency, 1e-4)?;
    }
    Ok(())
}

fn a11(make: Make) -> Result<(), String> {
    // Constant latency: completions leave in the order and at the distances of the grants.
    let mut random = Random(3);
    let mut system = make(one_disk(with_limits(iops(1_000), disk(1_000))), 1_000);
    let mut at = 0;
    let arrivals: Vec<(u64, Request)> = (0..20_000)
        .map(|_| {
            at += if random.below(50) == 0 { random.below(SECOND / 10) } else { random.below(SECOND / 2_000) };
            (at, read(0, 4096))
        })
        .collect();
    let done = open_loop(&mut *system, arrivals);
    for window in [1u64, 2, 10, 100] {
        for pair in done.windows(window as usize + 1) {
            let time = pair[window as usize].finished.ns() - pair[0].finished.ns();
            if time + 1 < window * SECOND / 1_000 {
                return Err(format!("{} I/Os within {time} ns at 1,000 IOPS", window + 1));
            }
        }
    }
    Ok(())
}

fn a12(make: Make) -> Result<(), String> {
    let mut system = make(one_disk(with_limits(iops(7_500), disk(1_000))), 1_000);
    let done = closed_loop(&mut *system, 64, 120 * SECOND, |_| read(0, 4096));
    let counted = done.iter().filter(|c| c.finished.ns() <= 120 * SECOND).count();
    if counted.abs_diff(900_000) <= 1 { Ok(()) } else { Err(format!("{counted} I/Os in 120 s instead of 900,000")) }
}

/// A P10 with the credits of half a minute instead of half an hour.
fn bursting() -> LimitSpec {
    let rate = |rate, burst: u64| RateSpec {
        rate,
        depth: 0,
        burst: Some(BurstSpec { rate: burst, credits: (burst - rate) * 30 }),
    };
    LimitSpec { iops: Some(rate(500, 3_500)), throughput: Some(rate(100_000_000, 170_000_000)) }
}

fn a13(make: Make) -> Result<(), String> {
    for (demand, seconds) in [(9_000u64, 30u64), (2_000, 60), (1_000, 180)] {
        let mut system = make(one_disk(with_limits(bursting(), disk(1_000))), 1_000);
        let done = open_loop(&mut *system, (0..demand * (seconds + 5)).map(|n| (n * SECOND / demand, read(0, 512))));
        // Credits of 90,000 I/Os and what the base rate earns meanwhile, each I/O counted where it is done.
        let burst = demand.min(3_500) * seconds;
        within_one("I/Os while credits last", finished(&done, 0, seconds * SECOND), burst)?;
        within_one("I/Os after", finished(&done, seconds * SECOND, (seconds + 4) * SECOND), 2_000)?;
    }
    Ok(())
}

fn finished(done: &[Completion], from: u64, to: u64) -> u64 {
    done.iter().filter(|c| (from..to).contains(&c.finished.ns())).count() as u64
}

fn within_one(what: &str, found: u64, expected: u64) -> Result<(), String> {
    if found.abs_diff(expected) <= 1 { Ok(()) } else { Err(format!("{what}: {found} instead of {expected}")) }
}

fn a14(make: Make) -> Result<(), String> {
    // 64 KiB: throughput bursts (170 MB/s = 2,594 IOPS) and runs out, while IOPS credits would have lasted longer.
    let mut system = make(one_disk(with_limits(bursting(), disk(1_000))), 1_000);
    let done = closed_loop(&mut *system, 64, 60 * SECOND, |_| read(0, 65_536));
    within_one("burst", finished(&done, SECOND, 29 * SECOND), 28 * 170_000_000 / 65_536)?;
    let later = finished(&done, 31 * SECOND, 40 * SECOND);
    within_one("after the throughput credits", later, 9 * 100_000_000 / 65_536)?;
    // The IOPS credits last 90,000 / (2,594 − 500) … then at 1,526 IOPS: all gone after 56 s.
    within_one("after both", finished(&done, 58 * SECOND, 60 * SECOND), 1_000)
}

fn p30() -> DiskSpec {
    DiskSpec { io_unit: Some(Bytes::kib(256)), ..with_limits(both(5_000, 200_000_000), disk(1_000)) }
}

fn a18(make: Make) -> Result<(), String> {
    for (size, expected) in
        [(8 << 10, 5_000.0), (32 << 10, 5_000.0), (40_000, 5_000.0), (40_960, 4882.8125), (64 << 10, 3051.7578)]
    {
        let mut system = make(one_disk(p30()), 1_000);
        let done = closed_loop(&mut *system, 64, 5 * SECOND, |_| read(0, size));
        // One I/O more or less in four seconds.
        close(&format!("{size} bytes"), rate(&done, SECOND, 5 * SECOND), expected, 0.26 / expected)?;
    }
    Ok(())
}

fn a19(make: Make) -> Result<(), String> {
    let disk = || DiskSpec { io_unit: Some(Bytes::kib(256)), ..with_limits(iops(1_000), disk(1_000)) };
    for (size, ios) in [(256 << 10, 1.0), (257 << 10, 2.0), (1 << 20, 4.0), (1_100 << 10, 5.0), (2 << 20, 8.0)] {
        let mut system = make(one_disk(disk()), 1_000);
        let done = closed_loop(&mut *system, 8, 21 * SECOND, |_| read(0, size));
        // One I/O more or less in twenty seconds.
        close(&format!("{size} bytes"), rate(&done, SECOND, 21 * SECOND), 1_000.0 / ios, 0.051 * ios / 1_000.0)?;
    }
    Ok(())
}

fn cached(blocks: u64) -> StackSpec {
    let vm = VmSpec { host_cache: Some(cache(blocks, 0)), ..VmSpec::default() };
    spec(vm, vec![volume(vec![disk(1_000_000)], CacheMode::ReadOnly)])
}

fn hits(done: &[Completion]) -> f64 {
    let hits = done.iter().filter(|c| matches!(c.cache, CacheOutcome::HitRam | CacheOutcome::HitSsd)).count();
    hits as f64 / done.len() as f64
}

fn a22(make: Make) -> Result<(), String> {
    let mut system = make(cached(80), 1_000_000);
    let mut random = Random(5);
    let done = closed_loop(&mut *system, 1, 300 * SECOND, |_| read(random.below(100) * 4096, 4096));
    let found = hits(&done[2_000..]);
    if (found - 0.8).abs() < 0.001 { Ok(()) } else { Err(format!("hit ratio {found} instead of 0.8")) }
}

fn a25(make: Make) -> Result<(), String> {
    for (blocks, expected) in [(101u64, 0.0), (100, 1.0)] {
        let mut system = make(cached(100), 1_000_000);
        let done = closed_loop(&mut *system, 1, 3 * SECOND, |n| read(n % blocks * 4096, 4096));
        let found = hits(&done[blocks as usize..]);
        if found != expected {
            return Err(format!("a scan of {blocks} blocks over 100 hits {found}"));
        }
    }
    Ok(())
}

fn hot_block(make: Make) -> Result<(), String> {
    // Every second read is of block 0, the others scan: an LRU keeps block 0, a FIFO loses it every hundred.
    let mut system = make(cached(100), 1_000_000);
    let done = closed_loop(&mut *system, 1, 3 * SECOND, |n| read(if n % 2 == 0 { 0 } else { n * 4096 }, 4096));
    let missed = done.iter().filter(|c| c.user % 2 == 0 && c.cache == CacheOutcome::Miss).count();
    if missed == 1 { Ok(()) } else { Err(format!("block 0 was missed {missed} times")) }
}

fn written_block(make: Make) -> Result<(), String> {
    let mut system = make(cached(100), 1_000_000);
    system.submit(Instant::START, Request { op: Op::Write, ..read(4096, 4096) });
    let written = system.poll(Instant::NEVER).ok_or("the write is lost")?;
    system.submit(written.finished, read(4096, 4096));
    let found = system.poll(Instant::NEVER).ok_or("the read is lost")?;
    if found.cache == CacheOutcome::HitSsd { Ok(()) } else { Err(format!("{:?}", found.cache)) }
}

fn hits_are_free(make: Make) -> Result<(), String> {
    let vm = VmSpec { host_cache: Some(cache(100, 0)), ..VmSpec::default() };
    let spec = spec(vm, vec![volume(vec![with_limits(iops(100), disk(1_000_000))], CacheMode::ReadOnly)]);
    let mut system = make(spec, 1_000_000);
    let done = closed_loop(&mut *system, 4, 3 * SECOND, |_| read(0, 4096));
    close("IOPS of hits", rate(&done, SECOND, 3 * SECOND), 4.0 / 200e-6, 1e-3)
}
