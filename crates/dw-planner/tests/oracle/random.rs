//! Random problems from a seed: small enough to try everything, rich enough that every limit binds somewhere.

use dw_catalogue::Money;
use dw_catalogue::azure::{self, LocalGates, Printed};
use dw_catalogue::free::Follow;
use dw_demand::wishes::{LatencyMax, LatencyOf};
use dw_planner::problem::*;
use dw_stack::sharing::Sharing;
use dw_units::{Bytes, Duration};

/// Draws that are functions of a seed and a counter.
pub struct Draws(u64);

impl Draws {
    pub fn new(seed: u64) -> Draws {
        Draws(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D)
    }
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// From `low` to `high`, both included.
    pub fn range(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }
    pub fn chance(&mut self, percent: u64) -> bool {
        self.range(1, 100) <= percent
    }
}

/// What kind of problems.
#[derive(Clone, Copy)]
pub struct Shape {
    pub volumes: usize,
    pub vms: u64,
    pub disks: u64,
    /// Disks in a stripe at most.
    pub stripe: u64,
    /// Whether disks sized freely are offered.
    pub free: bool,
    /// Whether hit ratios depend on the VM, temp disks are there, stamps may fail and credits count.
    pub full: bool,
}

pub fn problem(seed: u64, shape: Shape) -> Problem {
    let mut draws = Draws::new(seed);
    let d = &mut draws;
    let stamps = if shape.full { d.range(1, 8) as usize } else { 1 };
    let mut disks: Vec<DiskOffer> = (0..shape.disks).map(|n| fixed(d, n, shape.full)).collect();
    if shape.free {
        disks.push(free(d));
    }
    let mut vms: Vec<VmOffer> = (0..shape.vms).map(|n| vm(d, n, shape.full)).collect();
    licensed(&mut Draws::new(seed ^ 0x11CE_0CE5), &mut vms);
    vms.sort_by_key(|vm| vm.price);
    sold_more_ways(&mut Draws::new(seed ^ 0x0FFE_0FFE), &mut vms, &mut disks, shape.full);
    let violations_allowed = if shape.full && d.chance(50) { d.range(0, stamps as u64 / 2) as usize } else { 0 };
    let mut problem = Problem {
        volumes: (0..shape.volumes).map(|n| volume(d, n, stamps, disks.len(), shape)).map(with_a_mean).collect(),
        stamps,
        interval: Duration::from_secs(d.range(1, 600)),
        violations_allowed,
        os_disks: 0,
        utilisation: if d.chance(50) { ONE } else { 800_000 },
        bursting: shape.full && d.chance(40),
        cpu_milli: d.range(0, 8_000),
        vcpu_min: 0,
        memory_mib: d.range(0, 40_000),
        cost_max: d.chance(10).then(|| Money::micros(d.range(100, 900) * 1_000_000)),
        cache_latency: CacheLatency {
            hit_ns: 280_000,
            write_ns: 230_000,
            miss_ns: 560_000,
            hit: tailed(280_000),
            write: tailed(230_000),
            miss: tailed(560_000),
        },
        gates: azure::gates(),
        routes: azure::routes(),
        vms,
        disks,
    };
    asks_percentiles(&mut Draws::new(seed ^ 0x0095_0099), &mut problem);
    has_floors(&mut Draws::new(seed ^ 0xC01D_C01D), &mut problem);
    problem
}

/// Some software is paid by core: a larger VM that costs less may be the dearer plan. From draws of their own.
fn licensed(d: &mut Draws, vms: &mut [VmOffer]) {
    let (each, minimum) = (d.range(1, 40) * 5_000_000, d.range(1, 8));
    if d.chance(40) {
        for vm in vms {
            vm.licences = Money::micros(each * u64::from(vm.vcpu).max(minimum));
            vm.price += vm.licences;
        }
    }
}

/// A latency whose tail is as those of disks are.
pub fn tailed(mean_ns: u64) -> Quantiles {
    let knots = [(500_000, 9), (900_000, 14), (950_000, 18), (990_000, 28), (1_000_000, 150)];
    Quantiles::of(&knots.map(|(ppm, tenths)| (ppm, mean_ns * tenths / 10)))
}

/// Some volumes are asked percentiles. From draws of their own.
fn asks_percentiles(d: &mut Draws, problem: &mut Problem) {
    for most in problem.volumes.iter_mut().flat_map(|volume| &mut volume.latency_max) {
        for of in [LatencyOf::P95, LatencyOf::P99] {
            *most.of_mut(of) = d.chance(5).then(|| Duration::from_us(d.range(2_000, 15_000)));
        }
        most.reserve = if d.chance(20) { 100_000 } else { 0 };
    }
}

/// Of some volumes a part of the reads must be served while the cache is cold. From draws of their own.
fn has_floors(d: &mut Draws, problem: &mut Problem) {
    for volume in &mut problem.volumes {
        if d.chance(15) {
            volume.hit_max = d.range(0, 10) as u32 * 100_000;
        }
    }
}

/// Ultra disks and the sizes that take them; what is billed by use. From draws of their own.
fn sold_more_ways(d: &mut Draws, vms: &mut [VmOffer], disks: &mut [DiskOffer], full: bool) {
    vms.iter_mut().for_each(|vm| vm.has = vm.has.and(azure::ULTRA, d.chance(70)));
    for disk in disks {
        disk.needs = disk.needs.and(azure::ULTRA, d.chance(10));
        let DiskKind::Fixed { iops, bytes, .. } = &disk.kind else { continue };
        let price = Money::micros(d.range(1, 60) * 100);
        let part = d.range(10, 90);
        disk.usage = match d.range(1, 10) {
            1..=3 => Some(Usage::Operations {
                price,
                unit: d.chance(70).then(|| Bytes::kib(1 << d.range(4, 8))),
                units_max: d.chance(30).then(|| d.range(1, 16)),
                hourly_max: d.chance(50).then(|| d.range(1, 2_000) * 1_000),
            }),
            4..=5 if full => Some(Usage::Burst { price, iops: iops.base * part / 100, bytes: bytes.base * part / 100 }),
            _ => None,
        };
    }
}

/// What it asks on average is the mean of its samples.
fn with_a_mean(volume: Volume) -> Volume {
    let stamps = volume.samples.len().max(1) as u64;
    let mean = |of: fn(&Sample) -> u64| volume.samples.iter().map(of).sum::<u64>() * 1_000 / stamps;
    let usual = Sample {
        reads: mean(|s| s.reads),
        writes: mean(|s| s.writes),
        read_bytes: mean(|s| s.read_bytes),
        write_bytes: mean(|s| s.write_bytes),
    };
    Volume { usual, ..volume }
}

fn rate(d: &mut Draws, base: u64, bursts: bool) -> Rate {
    let burst = (bursts && d.chance(40)).then(|| (base * d.range(2, 4), base * d.range(10, 2_000)));
    Rate { base, burst }
}

/// One disk of five is attached to two VMs or to three, at a price that three do not divide.
fn shared(drawn: u64) -> Option<Shared> {
    drawn.is_multiple_of(5).then(|| Shared { vms: 2 + (drawn / 5 % 2) as u32, mount: Money::micros(drawn * 700 + 1) })
}

fn fixed(d: &mut Draws, n: u64, full: bool) -> DiskOffer {
    let gib = 1 << d.range(5, 12);
    let iops = d.range(120, 8_000);
    let bytes = d.range(25, 400) * 1_000_000;
    let second = full && d.chance(15);
    let (needs_premium, io_unit) = (d.chance(60), d.chance(60).then(|| Bytes::kib(256)));
    let (read, write) = (d.range(400, 5_000) * 1_000, d.range(400, 5_000) * 1_000);
    DiskOffer {
        name: format!("D{n}"),
        edition: "test".into(),
        purchase: Purchase::default(),
        of_kind: None,
        needs: azure::tags(needs_premium, false),
        usage: None,
        shared: shared(iops),
        second,
        io_unit,
        latency_ns: (read, write),
        quantiles: [tailed(read), tailed(write)],
        bandwidth: n.is_multiple_of(2).then_some(500_000_000),
        kind: DiskKind::Fixed {
            gib,
            iops: rate(d, iops, full),
            bytes: rate(d, bytes, full),
            // Few prices, so that ties happen.
            price: Money::micros(d.range(1, 40) * 5_000_000),
        },
    }
}

fn free(d: &mut Draws) -> DiskOffer {
    let iops_per_gib = d.range(20, 500);
    let follow = [Follow::Nothing, Follow::Nothing, Follow::Throughput][d.range(0, 2) as usize];
    let shared = shared(iops_per_gib);
    DiskOffer {
        name: "Free".into(),
        edition: "test".into(),
        purchase: Purchase::default(),
        of_kind: None,
        needs: azure::PREMIUM,
        usage: None,
        shared,
        second: d.chance(50),
        io_unit: None,
        latency_ns: (640_000, 810_000),
        quantiles: [tailed(640_000), tailed(810_000)],
        bandwidth: Some(1_000_000_000),
        kind: DiskKind::Free(FreeDisk {
            gib: (1, 4_000),
            stepped: d.chance(30),
            iops_per_gib,
            iops_min_per_gib: d.range(0, 2),
            iops: (d.range(100, 3_000), d.range(8_000, 40_000)),
            bytes_per_iops: 250_000,
            bytes_min_per_iops: d.range(0, 1) * 4_096,
            mb: (1, d.range(200, 1_200)),
            free: (d.range(0, 3_000), d.range(0, 125)),
            besides: if shared.is_some() { (100, 1) } else { (0, 0) },
            price: (
                Money::micros(d.range(50_000, 150_000)),
                Money::micros(d.range(3_000, 50_000)),
                if follow == Follow::Nothing { Money::micros(d.range(30_000, 400_000)) } else { Money::ZERO },
            ),
            base: Money::micros(d.range(0, 1) * 2_000_000),
            unit: if d.chance(50) { 1_000_000 } else { 1 << 20 },
            follow,
            bytes_per_gib: d.chance(20).then(|| d.range(200_000, 2_000_000)),
            burst: None,
        }),
    }
}

fn gate(d: &mut Draws, full: bool, iops: (u64, u64), mb: (u64, u64)) -> Rates {
    let (iops, mb) = (d.range(iops.0, iops.1), d.range(mb.0, mb.1) * 1_000_000);
    Rates { iops: Some(rate(d, iops, full)), bytes: Some(rate(d, mb, full)) }
}

fn vm(d: &mut Draws, n: u64, full: bool) -> VmOffer {
    let cached = gate(d, full, (2_000, 60_000), (50, 900));
    let mut vm = VmOffer {
        name: format!("V{n}"),
        edition: "test".into(),
        options: &[],
        price: Money::micros(d.range(5, 80) * 10_000_000),
        licences: Money::ZERO,
        barred: d.chance(10).then(|| "not allowed".to_string()),
        by_list: false,
        vcpu: 1 << d.range(0, 5),
        // Every third has processors of another speed.
        speed: [ONE, ONE, 1_300_001 - 500_000 * (n % 2) as u32][n as usize % 3],
        memory_mib: d.chance(90).then(|| d.range(2_000, 200_000)),
        slots: d.range(2, 24) as u32,
        has: azure::tags(d.chance(75), false),
        gates: Default::default(),
        routes: Default::default(),
        cache: Bytes::ZERO,
        local: None,
    };
    let mut printed = Printed {
        cached,
        uncached: gate(d, full, (1_000, 40_000), (60, 1_200)),
        second: (full && d.chance(30)).then(|| gate(d, full, (1_000, 60_000), (30, 1_000))),
        sharing: if d.chance(70) { Sharing::Shared } else { Sharing::Separate },
        local: None,
    };
    vm.cache = if d.chance(70) { Bytes::gib(d.range(20, 600)) } else { Bytes::ZERO };
    vm.local = (full && d.chance(50)).then(|| {
        let gib = d.range(16, 800);
        let shares_cached = d.chance(60);
        printed.local = Some(LocalGates { shares_cached, all: temp_gate(d), read: temp_gate(d), write: temp_gate(d) });
        Local {
            gib,
            latency_ns: (280_000, 230_000),
            quantiles: [tailed(280_000), tailed(230_000)],
            bandwidth: Some(2_000_000_000),
        }
    });
    (vm.gates, vm.routes) = (printed.gates(), printed.routes());
    vm
}

/// A limit of the temp disk's own, perhaps.
fn temp_gate(d: &mut Draws) -> Rates {
    if d.chance(40) { gate(d, false, (2_000, 60_000), (50, 900)) } else { Rates::default() }
}

fn volume(d: &mut Draws, n: usize, stamps: usize, disks: usize, shape: Shape) -> Volume {
    let (read_size, write_size) = (d.range(4, 512) * 1_024, d.range(4, 128) * 1_024);
    // Several volumes share what one might have alone.
    let part = shape.volumes as u64;
    let (reads, writes) = (d.range(0, 6_000) / part, d.range(0, 3_000) / part);
    let sample = |d: &mut Draws| {
        let (reads, writes) = (reads * d.range(20, 100) / 100, writes * d.range(20, 100) / 100);
        let bytes = |n: u64, size: u64| (n * size).min(700_000_000);
        Sample { reads, writes, read_bytes: bytes(reads, read_size), write_bytes: bytes(writes, write_size) }
    };
    let samples = (0..stamps).map(|_| sample(d)).collect();
    let mut classes = vec![azure::UNCACHED];
    if d.chance(60) {
        classes.push(azure::READ_ONLY);
    }
    if d.chance(20) {
        classes.push(azure::READ_WRITE);
    }
    if shape.full && d.chance(20) {
        classes.push(azure::TEMP);
    }
    let latency = |d: &mut Draws| LatencyMax {
        mean: d.chance(15).then(|| Duration::from_us(d.range(300, 4_000))),
        ..LatencyMax::default()
    };
    // With one curve end far below any cache the hit ratio does not depend on the VM.
    let constant = HitCurve::measured(vec![(1 << 20, d.range(0, 10) as u32 * 100_000)]);
    let needed = d.range(1, 4) as u32;
    let parts = Parts {
        reads: d.range(0, 10) as u32 * 100_000,
        read: d.range(1, 16) as u32 * 62_500,
        write: d.range(0, 16) as u32 * 62_500 / needed,
        writes_a_read: needed,
    };
    let by_cache = HitCurve::working_set(Bytes::gib(d.range(10, 800)), parts);
    Volume {
        name: format!("v{n}"),
        capacity_gib: d.range(1, 3_000) / part,
        samples,
        classes,
        hits: d.chance(80).then_some(if shape.full { by_cache } else { constant }),
        hit_max: ONE,
        latency_max: [latency(d), latency(d)],
        // A volume of nine has two disks at least.
        disks_min: 1 + u32::from(shape.stripe > 2 && needed == 1 && reads.is_multiple_of(3)),
        disks_max: shape.stripe as u32,
        stripe_unit: if d.chance(50) { Bytes::kib(64) } else { Bytes::kib(256) },
        sequential: n == 1 || stamps.is_multiple_of(3),
        slow: Vec::new(),
        disks: (0..disks).filter(|_| d.chance(90)).collect(),
        usual: Sample::default(),
    }
}
