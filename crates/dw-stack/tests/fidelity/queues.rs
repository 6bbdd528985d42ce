//! Against queueing theory: random service, random arrivals, serialising servers, stripes.

use dw_stack::*;

use super::harness::*;

fn stack(spec: StackSpec) -> Stack {
    Stack::new(spec).unwrap()
}

/// Distance between tokens in these tests, ns.
const D: u64 = 100_000;
const R: u64 = SECOND / D;

fn ok(result: Result<(), String>) {
    result.unwrap();
}

#[test]
fn a2_random_latency_without_a_limit() {
    // Lognormal, median 0.5 ms, sigma 0.4: mean 0.5 × e^0.08.
    let spec = one_disk(DiskSpec { read: lognormal(500_000.0, 0.4), ..disk(0) });
    let done = closed_loop(&mut stack(spec), 1_024, SECOND / 2, |_| read(0, 4096));
    let latencies: Vec<f64> = done.iter().map(|c| c.latency().ns() as f64).collect();
    ok(within_interval("mean latency", &latencies, 500_000.0 * 0.08f64.exp()));
    ok(close("IOPS", rate(&done, SECOND / 10, SECOND / 2), 1.8906e6, 2e-3));
    // Kolmogorov-Smirnov at 1 % for n draws: sup |F_n − F| < 1.63 / √n.
    let mut sorted = latencies;
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let worst = sorted.iter().enumerate().step_by(97).fold(0.0f64, |worst, (i, x)| {
        let cdf = 1.0 - normal_survival((x / 500_000.0).ln() / 0.4);
        worst.max((cdf - (i as f64 + 0.5) / n).abs())
    });
    assert!(worst < 1.63 / n.sqrt(), "KS distance {worst} with {n} samples");
}

fn served(discipline: Discipline, latency: ServiceTime, clients: u64, seconds: u64) -> Vec<Completion> {
    let spec = one_disk(DiskSpec { read: latency, ..with_limits(iops(R), disk(0)) });
    let mut stack = stack(spec);
    stack.set_discipline(VolumeId(0), 0, Stage::DiskIops, discipline, 7);
    closed_loop(&mut stack, clients, seconds * SECOND, |_| read(0, 4096))
}

#[test]
fn a3_a_serialising_server_with_constant_times() {
    for (clients, expected) in [(4, 0.36364), (10, 0.90909), (20, 1.0)] {
        let done = served(Discipline::Server, ServiceTime::constant(10 * D as u32), clients, 20);
        let found = rate(&done, SECOND, 20 * SECOND) / R as f64;
        ok(close(&format!("{clients} clients"), found, expected, 1e-5));
    }
}

#[test]
fn a5_an_exponential_server_is_insensitive_to_the_shape_of_the_delay() {
    // Machine-repairman model; the delay has mean 10 D and any shape.
    for (clients, expected) in [(10, 0.78542), (20, 0.99813)] {
        for sigma in [0.3, 0.8] {
            let median = 10.0 * D as f64 / (sigma * sigma / 2.0f64).exp();
            let done = served(Discipline::ExponentialServer, lognormal(median, sigma), clients, 120);
            let found = rate(&done, 2 * SECOND, 120 * SECOND) / R as f64;
            ok(close(&format!("{clients} clients, sigma {sigma}"), found, expected, 3e-3));
        }
    }
}

#[test]
fn a6_a_constant_server_lies_between_its_bounds() {
    let median = 10.0 * D as f64 / 0.125f64.exp();
    let done = served(Discipline::Server, lognormal(median, 0.5), 10, 200);
    let found = rate(&done, 2 * SECOND, 200 * SECOND) / R as f64;
    assert!((0.78542..0.90909).contains(&found));
    ok(close("knee", found, 0.8340, 1e-3));
}

/// Open loop, Poisson arrivals at `load` × R of the given sizes; waits in units of D after a warm-up.
fn poisson_waits(
    spec: StackSpec,
    load: f64,
    n: u64,
    discipline: Discipline,
    size: impl Fn(&mut Random) -> u32,
) -> Vec<f64> {
    let mut stack = stack(spec);
    stack.set_discipline(VolumeId(0), 0, Stage::DiskIops, discipline, 3);
    let mut random = Random(11);
    let mut at = 0.0;
    let arrivals: Vec<(u64, Request)> = (0..n)
        .map(|_| {
            at += -random.unit().ln() * D as f64 / load;
            (at as u64, read(0, size(&mut random)))
        })
        .collect();
    let done = open_loop(&mut stack, arrivals);
    let mut waits: Vec<(u64, f64)> =
        done.iter().map(|c| (c.user, c.spent.queued.iter().map(|d| d.ns()).sum::<u64>() as f64 / D as f64)).collect();
    waits.sort_by_key(|w| w.0);
    waits.into_iter().skip(n as usize / 20).map(|w| w.1).collect()
}

fn share(waits: &[f64], most: f64) -> Vec<f64> {
    waits.iter().map(|&w| f64::from(u8::from(w <= most))).collect()
}

#[test]
fn a7_poisson_arrivals_at_a_strict_bucket() {
    let waits = poisson_waits(one_disk(with_limits(iops(R), disk(0))), 0.8, 2_000_000, Discipline::Paced, |_| 4096);
    ok(within_interval("mean wait", &waits, 2.0));
    for (most, expected) in [(1.0, 0.44511), (3.0, 0.76210), (8.0, 0.97241)] {
        ok(within_interval(&format!("P(W <= {most} D)"), &share(&waits, most + 1e-9), expected));
    }
}

#[test]
fn a8_poisson_arrivals_at_a_bucket_with_depth() {
    let rate = RateSpec { rate: R, depth: 5, burst: None };
    let limits = LimitSpec { iops: Some(rate), throughput: None };
    let waits = poisson_waits(one_disk(with_limits(limits, disk(0))), 0.8, 2_000_000, Discipline::Paced, |_| 4096);
    ok(within_interval("P(no delay)", &share(&waits, 1e-4), 0.84538));
    ok(within_interval("mean delay", &waits, 0.35881));
}

#[test]
fn a9_an_exponential_server_under_poisson_arrivals() {
    let waits =
        poisson_waits(one_disk(with_limits(iops(R), disk(0))), 0.8, 2_000_000, Discipline::ExponentialServer, |_| 4096);
    // Time in the system: service 1 D and wait rho / (1 − rho) = 4 D.
    ok(within_interval("mean time in the system", &waits, 5.0));
}

#[test]
fn a10_mixed_sizes_at_a_throughput_limit() {
    // 75 % of one unit, 25 % of sixteen: mean 4.75 units, load 0.7.
    let unit = 4096.0;
    let bytes_per_second = (4.75 * unit * R as f64) as u64;
    let limits = LimitSpec { iops: None, throughput: Some(RateSpec::plain(bytes_per_second)) };
    let waits = poisson_waits(one_disk(with_limits(limits, disk(0))), 0.7, 3_000_000, Discipline::Paced, |random| {
        if random.below(4) == 0 { 65_536 } else { 4_096 }
    });
    ok(within_interval("mean wait in mean costs", &waits, 3.34811));
}

#[test]
fn a17_two_limits_that_bind_alike_meet_as_depth_grows() {
    // Both limits bind on average. Shapers in series lose less the more is outstanding; two strict buckets that must
    // admit together would stay at 0.628.
    for (depth, expected) in [(1, 0.707), (8, 0.909), (64, 0.986), (1_024, 0.999)] {
        let limits = both(R, (4.75 * 4096.0 * R as f64) as u64);
        let mut random = Random(4);
        let done = closed_loop(&mut stack(one_disk(with_limits(limits, disk(0)))), depth, 60 * SECOND, |_| {
            read(0, if random.below(4) == 0 { 65_536 } else { 4_096 })
        });
        let found = rate(&done, SECOND, 60 * SECOND) / R as f64;
        ok(close(&format!("depth {depth}"), found, expected, 2e-3));
    }
}

#[test]
fn a20_a_stripe_is_as_slow_as_its_slowest_part() {
    for (disks, mean, p50, p99) in
        [(2u32, 1.32454, 1.24356, 2.80102), (4, 1.57161, 1.49072, 3.07200), (8, 1.82254, 1.74034, 3.34948)]
    {
        let member = || DiskSpec { read: lognormal(500_000.0, 0.4), ..disk(0) };
        let volume = volume((0..disks).map(|_| member()).collect(), CacheMode::None);
        let done = closed_loop(&mut stack(spec(VmSpec::default(), vec![volume])), 64, 2 * SECOND, |_| {
            read(0, disks * (64 << 10))
        });
        let latencies: Vec<f64> = done.iter().map(|c| c.latency().ns() as f64 / 500_000.0).collect();
        ok(within_interval(&format!("{disks} disks: mean"), &latencies, mean));
        for (quantile, expected) in [(p50, 0.5), (p99, 0.01)] {
            let above: Vec<f64> = latencies.iter().map(|&l| f64::from(u8::from(l > quantile))).collect();
            ok(within_interval(&format!("{disks} disks: P(latency > {quantile})"), &above, expected));
        }
    }
}

#[test]
fn a28_two_classes_mix_in_proportion() {
    let vm = VmSpec { host_cache: Some(cache(800, 0)), ..VmSpec::default() };
    let mut stack = stack(spec(vm, vec![volume(vec![disk(1_000_000)], CacheMode::ReadOnly)]));
    let mut random = Random(8);
    let done = closed_loop(&mut stack, 1, 200 * SECOND, |_| read(random.below(1_000) * 4096, 4096));
    let steady: Vec<f64> = done[10_000..].iter().map(|c| c.latency().ns() as f64).collect();
    ok(within_interval("mean latency", &steady, 0.8 * 200_000.0 + 0.2 * 1_000_000.0));
    assert!(steady.iter().all(|&l| l == 200_000.0 || l == 1_000_000.0));
}

#[test]
fn littles_law_below_the_limit() {
    // Outstanding = rate × latency, as an integral over the run: A4 in integers.
    let spec = one_disk(DiskSpec { read: lognormal(700_000.0, 0.6), ..with_limits(iops(20_000), disk(0)) });
    let done = closed_loop(&mut stack(spec), 10, 5 * SECOND, |_| read(0, 4096));
    let mut events: Vec<(u64, i64)> =
        done.iter().flat_map(|c| [(c.submitted.ns(), 1), (c.finished.ns(), -1)]).collect();
    events.sort_unstable();
    let (mut outstanding, mut integral, mut last) = (0i64, 0u128, 0);
    for (at, change) in events {
        integral += outstanding as u128 * u128::from(at - last);
        (outstanding, last) = (outstanding + change, at);
    }
    assert_eq!(integral, done.iter().map(|c| u128::from(c.latency().ns())).sum::<u128>());
}
