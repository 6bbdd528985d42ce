//! The one door to the stack for these tests: short descriptions, a closed and an open loop, statistics.

use std::sync::Arc;

use dw_stack::*;
use dw_units::{Bytes, Duration, Instant, NS_PER_SECOND};

/// Anything that takes requests and gives completions in order of time.
pub trait System {
    fn submit(&mut self, now: Instant, request: Request);
    fn poll(&mut self, until: Instant) -> Option<Completion>;
}

impl System for Stack {
    fn submit(&mut self, now: Instant, request: Request) {
        Stack::submit(self, now, request);
    }
    fn poll(&mut self, until: Instant) -> Option<Completion> {
        self.poll_completion(until)
    }
}

pub const SECOND: u64 = NS_PER_SECOND;

/// A disk without limits and with a constant service time.
pub fn disk(latency_ns: u32) -> DiskSpec {
    DiskSpec {
        name: "disk".into(),
        size: Bytes::tib(1),
        limits: LimitSpec::default(),
        io_unit: None,
        more: Vec::new(),
        read: ServiceTime::constant(latency_ns),
        write: ServiceTime::constant(latency_ns),
        usage_base: None,
        first_touch: None,
        by_direction: Default::default(),
    }
}

pub fn iops(rate: u64) -> LimitSpec {
    LimitSpec { iops: Some(RateSpec::plain(rate)), throughput: None }
}

pub fn both(rate: u64, bytes: u64) -> LimitSpec {
    LimitSpec { iops: Some(RateSpec::plain(rate)), throughput: Some(RateSpec::plain(bytes)) }
}

pub fn with_limits(limits: LimitSpec, disk: DiskSpec) -> DiskSpec {
    DiskSpec { limits, ..disk }
}

pub fn volume(disks: Vec<DiskSpec>, host_cache: CacheMode) -> VolumeSpec {
    VolumeSpec { name: "volume".into(), disks, stripe_unit: Bytes::kib(64), host_cache, path: Path::default() }
}

pub fn spec(vm: VmSpec, volumes: Vec<VolumeSpec>) -> StackSpec {
    StackSpec { vm, volumes, credits: Credits::Full, seed: 1 }
}

pub fn one_disk(disk: DiskSpec) -> StackSpec {
    spec(VmSpec::default(), vec![volume(vec![disk], CacheMode::None)])
}

/// One cached disk.
pub fn cached_volume(host_cache: HostCacheSpec, mode: CacheMode, disk: DiskSpec) -> Stack {
    let vm = VmSpec { host_cache: Some(host_cache), ..VmSpec::default() };
    Stack::new(spec(vm, vec![volume(vec![disk], mode)])).unwrap()
}

/// A cache of `blocks` blocks of 4 KiB, `ram` of them in RAM, hits in 100 µs (RAM) and 200 µs (SSD).
pub fn cache(blocks: u64, ram: u64) -> HostCacheSpec {
    HostCacheSpec {
        ram: Bytes::kib(4 * ram),
        capacity: Bytes::kib(4 * blocks),
        block_size: Bytes::kib(4),
        fill: Fill::Sectors,
        write_allocate: true,
        eviction: Eviction::Lru,
        ram_hit: ServiceTime::constant(100_000),
        ssd_read: ServiceTime::constant(200_000),
        ssd_write: ServiceTime::constant(200_000),
        miss_penalty: None,
        write_back: WriteBackSpec {
            dirty_max: Bytes::kib(4 * blocks),
            destage_depth: 32,
            destage_after: Duration::ZERO,
        },
    }
}

/// A lognormal distribution as a quantile table.
pub fn lognormal(median_ns: f64, sigma: f64) -> ServiceTime {
    let table = QuantileTable::from_quantiles(|tail| {
        (median_ns
            * (sigma * normal_quantile(1.0 - tail as f64 / TAIL_ONE as f64, tail as f64 / TAIL_ONE as f64)).exp())
            as u64
    });
    ServiceTime { table: Arc::new(table), bandwidth: None }
}

/// Quantile of the normal distribution for probability `p`, `tail = 1 − p` given apart so that both ends are exact.
pub fn normal_quantile(p: f64, tail: f64) -> f64 {
    if p < 0.5 {
        return -normal_quantile(tail, p);
    }
    // Newton's method on the survival function, from a rational starting point (Abramowitz and Stegun 26.2.23).
    let tail = tail.max(1e-13);
    let t = (-2.0 * tail.ln()).sqrt();
    let mut x = t
        - (2.515517 + 0.802853 * t + 0.010328 * t * t) / (1.0 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t.powi(3));
    for _ in 0..4 {
        let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
        x += (normal_survival(x) - tail) / density;
    }
    x
}

/// P(N > x), by a continued fraction for large x and a series for small.
pub fn normal_survival(x: f64) -> f64 {
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if x > 3.0 {
        let mut fraction = 0.0;
        for k in (1..60).rev() {
            fraction = f64::from(k) / (x + fraction);
        }
        return density / (x + fraction);
    }
    let (mut term, mut sum, mut k) = (x, x, 1.0);
    while term.abs() > 1e-17 {
        k += 2.0;
        term *= x * x / k;
        sum += term;
    }
    0.5 - density * sum
}

/// A small generator for the tests' own draws.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// Uniform in (0, 1].
    pub fn unit(&mut self) -> f64 {
        ((self.next() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }
}

pub fn read(offset: u64, len: u32) -> Request {
    Request { volume: VolumeId(0), op: Op::Read, fua: false, offset, len, user: 0 }
}

/// Keeps `depth` requests outstanding until `until` (ns), then lets them drain; all completions.
pub fn closed_loop(
    system: &mut dyn System,
    depth: u64,
    until: u64,
    mut next: impl FnMut(u64) -> Request,
) -> Vec<Completion> {
    let mut n = 0;
    let mut done = Vec::new();
    let mut submit = |system: &mut dyn System, now: Instant| {
        let request = next(n);
        system.submit(now, Request { user: n, ..request });
        n += 1;
    };
    for _ in 0..depth {
        submit(system, Instant::START);
    }
    while let Some(completion) = system.poll(Instant::NEVER) {
        // A mutant without a limit would run for ever.
        if completion.finished.ns() < until && done.len() < 3_000_000 {
            submit(system, completion.finished);
        }
        done.push(completion);
    }
    done
}

/// Hands in each request at its time; all completions.
pub fn open_loop(system: &mut dyn System, arrivals: impl IntoIterator<Item = (u64, Request)>) -> Vec<Completion> {
    let mut done = Vec::new();
    for (user, (at, request)) in arrivals.into_iter().enumerate() {
        // The arrival comes before what happens at the same instant: poll only up to the instant before.
        while let Some(completion) = system.poll(Instant::from_ns(at.saturating_sub(1))) {
            done.push(completion);
        }
        system.submit(Instant::from_ns(at), Request { user: user as u64, ..request });
    }
    while let Some(completion) = system.poll(Instant::NEVER) {
        done.push(completion);
    }
    done
}

/// Completions a second among those that finished in [from, to).
pub fn rate(done: &[Completion], from: u64, to: u64) -> f64 {
    let count = done.iter().filter(|c| (from..to).contains(&c.finished.ns())).count();
    count as f64 * SECOND as f64 / (to - from) as f64
}

pub fn mean_latency(done: &[Completion]) -> f64 {
    done.iter().map(|c| c.latency().ns() as f64).sum::<f64>() / done.len() as f64
}

/// Batch means over 32 batches: (mean, 99 % half-width by Student's t with 31 degrees of freedom).
pub fn batch_means(values: &[f64]) -> (f64, f64) {
    const T_31: f64 = 2.744;
    let size = values.len() / 32;
    let means: Vec<f64> = values.chunks_exact(size).take(32).map(|b| b.iter().sum::<f64>() / size as f64).collect();
    let mean = means.iter().sum::<f64>() / 32.0;
    let variance = means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / 31.0;
    (mean, T_31 * (variance / 32.0).sqrt())
}

/// Fails unless `expected` lies within the interval, with a little more for sixty intervals at once.
pub fn within_interval(name: &str, values: &[f64], expected: f64) -> Result<(), String> {
    let (mean, half) = batch_means(values);
    let allowed = 1.6 * half;
    if (mean - expected).abs() <= allowed {
        Ok(())
    } else {
        Err(format!("{name}: {mean} ± {half}, expected {expected}"))
    }
}

pub fn close(name: &str, found: f64, expected: f64, relative: f64) -> Result<(), String> {
    if (found - expected).abs() <= relative * expected.abs() {
        Ok(())
    } else {
        Err(format!("{name}: {found}, expected {expected} ± {relative}"))
    }
}
