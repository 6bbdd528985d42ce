//! Rates over time, of the stack itself in virtual time: a bucket is not a formula that repeats itself.

use dw_aws::gates::{Refill, Weighting};
use dw_aws::instances::instance;
use dw_aws::kinds::kind;
use dw_aws::volume::{Asked, Volume};
use dw_stack::{
    CacheMode, Credits, DiskSpec, GateId, Op, Path, Request, ServiceTime, Stack, StackSpec, VmSpec, VolumeId,
    VolumeSpec,
};
use dw_units::{Bytes, Duration, Instant, Iops, NS_PER_SECOND, Throughput};
use dw_vendor::latency::LatencySetting;

fn disk(name: &str, gib: u64, iops: Option<u64>, mib: Option<u64>) -> DiskSpec {
    let throughput = mib.map(Throughput::mib_per_second);
    let asked = Asked { size: Some(Bytes::gib(gib)), iops: iops.map(Iops::new), throughput };
    let volume = Volume::new(kind(name, None).expect("it is there"), &asked).expect("it can be bought");
    let spec = volume.disk_spec("d", LatencySetting::Typical).expect("it has rates");
    DiskSpec { read: ServiceTime::constant(500_000), write: ServiceTime::constant(500_000), ..spec }
}

/// One volume on an instance; without one, on nothing that limits.
fn stack(disk: DiskSpec, on: Option<(&str, Refill)>) -> Stack {
    let gates = on.map_or_else(Vec::new, |(name, refill)| {
        instance(name).expect("it is there").gates(refill, Weighting::Even).expect("it has limits")
    });
    let remote = (0..gates.len() as u8).map(GateId).collect();
    let vm = VmSpec { gates, host_cache: None, throttle_interval: Duration::ZERO };
    let volume = VolumeSpec {
        name: "v".into(),
        disks: vec![disk],
        stripe_unit: Bytes::kib(64),
        host_cache: CacheMode::None,
        path: Path { front: None, remote, local: false },
    };
    Stack::new(StackSpec { vm, volumes: vec![volume], credits: Credits::Full, seed: 1 }).expect("it is whole")
}

/// A load that always has so many requests of `len` bytes in flight, at places that never follow each other or always do.
struct Load {
    stack: Stack,
    len: u32,
    sequential: bool,
    op: Op,
    next: u64,
    size: u64,
    now: Instant,
}

impl Load {
    fn new(stack: Stack, size: Bytes, len: Bytes, sequential: bool) -> Load {
        let len = len.get() as u32;
        Load { stack, len, sequential, op: Op::Read, next: 0, size: size.get(), now: Instant::START }
    }

    fn submit(&mut self) {
        let places = self.size / u64::from(self.len);
        // A stride that is odd comes to all places and never to the next one.
        self.next = (self.next + if self.sequential { 1 } else { 7_919 }) % places;
        let offset = self.next * u64::from(self.len);
        let request = Request { volume: VolumeId(0), op: self.op, fua: false, offset, len: self.len, user: 0 };
        self.stack.submit(self.now, request);
    }

    /// Requests completed each second, for so many seconds, with a full queue.
    fn run(&mut self, seconds: u64, depth: u32) -> Vec<u64> {
        let end = Instant::from_ns(self.now.ns() + seconds * NS_PER_SECOND);
        let begin = self.now.ns() / NS_PER_SECOND;
        let mut done = vec![0; seconds as usize + 1];
        for _ in 0..depth {
            self.submit();
        }
        while let Some(completion) = self.stack.poll_completion(end) {
            self.now = completion.finished;
            if let Some(count) = done.get_mut((self.now.ns() / NS_PER_SECOND - begin) as usize) {
                *count += 1;
            }
            self.submit();
        }
        self.now = end;
        done.truncate(seconds as usize);
        done
    }
}

/// The first second whose rate is well below the first one's.
fn falls_at(rates: &[u64]) -> Option<u64> {
    rates.iter().position(|rate| rate * 10 < rates[1] * 9).map(|second| second as u64)
}

fn mean(rates: &[u64]) -> f64 {
    rates.iter().sum::<u64>() as f64 / rates.len() as f64
}

#[track_caller]
fn is_near(seen: f64, expected: f64, percent: f64) {
    assert!((seen / expected - 1.0).abs() * 100.0 <= percent, "{seen} is not {expected} within {percent} %");
}

#[test]
fn gp2_runs_dry_when_the_page_says_and_fills_again() {
    for (gib, base, dry_s, fill_s) in [(33, 100, 1_862, 54_000), (100, 300, 2_000, 18_000), (334, 1_002, 2_703, 5_389)]
    {
        let disk = disk("gp2", gib, None, None);
        let mut load = Load::new(stack(disk.clone(), None), disk.size, Bytes::kib(16), false);
        let rates = load.run(dry_s + 60, 32);
        let fell = falls_at(&rates).expect("it runs dry");
        assert!(fell.abs_diff(dry_s) <= 1, "{gib} GiB: dry at {fell} s, {dry_s} s expected");
        is_near(mean(&rates[1..dry_s as usize - 2]), 3_000.0, 0.1);
        is_near(mean(&rates[dry_s as usize + 5..]), base as f64, 0.5);
        // At rest until it is full; as long again it bursts.
        let mut load =
            Load { now: Instant::from_ns((load.now.ns() / NS_PER_SECOND + fill_s + 60) * NS_PER_SECOND), ..load };
        while load.stack.poll_completion(load.now).is_some() {}
        let again = load.run(dry_s + 60, 32);
        let fell = falls_at(&again).expect("it runs dry again");
        assert!(fell.abs_diff(dry_s) <= 1, "{gib} GiB: dry again after {fell} s, {dry_s} s expected");
    }
}

#[test]
fn an_instance_falls_to_its_baseline_after_half_an_hour() {
    let disk = disk("gp3", 500, Some(16_000), Some(1_000));
    let mut load =
        Load::new(stack(disk.clone(), Some(("m5.large", Refill::Cautious))), disk.size, Bytes::kib(128), false);
    let rates = load.run(1_860, 64);
    let mb = |rates: &[u64]| mean(rates) * 131_072.0 / 1e6;
    let fell = falls_at(&rates).expect("the burst ends");
    assert!(fell.abs_diff(1_800) <= 1, "it fell at {fell} s");
    is_near(mb(&rates[1..1_798]), 593.75, 0.1);
    is_near(mb(&rates[1_805..]), 81.25, 0.5);
}

#[test]
fn a_daily_refill_bursts_once_a_day_and_a_cautious_one_never_again() {
    for (refill, bursts) in [(Refill::Daily, 3), (Refill::Cautious, 1)] {
        let disk = disk("gp3", 500, Some(16_000), Some(1_000));
        let mut load = Load::new(stack(disk.clone(), Some(("t3.nano", refill))), disk.size, Bytes::mib(1), false);
        let rates = load.run(49 * 3_600, 8);
        // Tens of MB/s in a second are a burst, 5.375 are not.
        let fast: Vec<bool> = rates.iter().map(|rate| *rate > 20).collect();
        let starts: Vec<usize> = (0..fast.len()).filter(|&at| fast[at] && (at == 0 || !fast[at - 1])).collect();
        assert_eq!(starts.len(), bursts, "{refill:?}: bursts begin at {starts:?}");
        assert!(starts.windows(2).all(|pair| (pair[1] - pair[0]).abs_diff(86_400) <= 2), "{starts:?}");
    }
}

#[test]
fn what_is_merged_counts_once_and_what_is_large_several_times() {
    // Kind, IOPS, bytes of a request, sequential, requests a second.
    for (name, iops, len, sequential, expected) in [
        ("gp3", None, Bytes::kib(16), false, 3_000.0),
        ("gp3", None, Bytes::kib(16), true, 8_000.0),
        ("gp3", None, Bytes::mib(1), false, 125.0),
        ("st1", None, Bytes::mib(1), true, 250.0),
        ("st1", None, Bytes::kib(4), false, 250.0),
        ("st1", None, Bytes::kib(64), true, 4_000.0),
        ("io2", Some(16_000), Bytes::kib(512), false, 8_000.0),
    ] {
        let disk = disk(name, 1_024, iops, None);
        let mut load = Load::new(stack(disk.clone(), None), disk.size, len, sequential);
        let rates = load.run(20, 256);
        is_near(mean(&rates[2..]), expected, 0.5);
    }
}

#[test]
fn a_hard_disk_scans_as_its_page_says() {
    for (name, tib, hours) in [("st1", 1, 1.17), ("st1", 2, 1.17), ("sc1", 1, 3.64), ("st1", 5, 2.91)] {
        let disk = disk(name, tib * 1_024, None, None);
        let mut load = Load::new(stack(disk.clone(), None), disk.size, Bytes::mib(1), true);
        let all = tib << 20;
        let rates = load.run((hours * 3_600.0) as u64 + 120, 8);
        let mut sum = 0;
        let seconds = rates.iter().position(|rate| {
            sum += rate;
            sum >= all
        });
        is_near(seconds.expect("it ends") as f64 / 3_600.0, hours, 0.5);
    }
}
