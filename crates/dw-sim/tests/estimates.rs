//! The estimate without events against the run with them.
//!
//! The grid is of rigs that people build; the random rigs are of everything that a stack can be, each simulated with two seeds.
//! `ESTIMATE_RIGS=2000` makes as many of those, `ESTIMATE_FROM=4000000` begins with that one, `ESTIMATE_SHOW=1` fails with every one that
//! is off, `ESTIMATE_SEED=72` makes that one alone.

#[path = "support/estimated.rs"]
mod estimated;
#[path = "support/random_rigs.rs"]
mod random_rigs;

use dw_estimate::{Cold, Flow, Hits, Kind, Load, LoadEstimate, Order, Phase, Step, along, estimate, over_time};
use dw_stack::{BurstSpec, CacheMode, Fill, FirstTouch, LimitId, VolumeId, VolumeSpec};
use dw_units::{Bytes, Duration, Throughput};
use estimated::{Exact, Rig, cached_vm, disk, gate, kin, run_for, run_for_from, simulated, simulated_from, volume};
use random_rigs::{brief, random_rig};

const P30: (u64, u64) = (5_000, 200_000_000);
const DS14: (u64, u64) = (51_200, 524_288_000);

/// IOPS and bytes per second.
type Figures = (u64, u64);

#[test]
fn rates_over_the_grid_are_within_three_percent() {
    let depths = [1, 2, 4, 8, 12, 16, 32, 64, 96, 128, 256, 512, 1_024];
    let rigs: [(usize, Option<Figures>); 7] = [
        (1, None),
        (2, None),
        (4, None),
        (10, None),
        (4, Some((12_800, 192_000_000))),
        (10, Some(DS14)),
        (12, Some(DS14)),
    ];
    for (disks, vm) in rigs {
        for depth in depths.into_iter().filter(|&n| n >= disks as u32 / 2 && n <= 128 * disks as u32) {
            for kind in [Kind::random_read(8_192), Kind::random_write(65_536)] {
                let spec = Rig { vm: gate(vm), volumes: vec![volume(disks, disk(P30, "premium-ssd"))] };
                let loads = [Load::closed(0, depth, kind)];
                let found = estimate(&spec.stack(), &loads).loads[0].per_second;
                let exact = simulated(&spec, &loads, 40_000).loads[0].per_second;
                let name = format!("{disks} x P30 under {vm:?}, {depth} outstanding of {} bytes", kind.size);
                assert!((found / exact - 1.0).abs() < 0.03, "{name}: {found:.0} for {exact:.0}");
            }
        }
    }
}

#[test]
fn a_load_paced_at_its_rate_reaches_it_with_the_depth_that_is_advised() {
    let rigs: [(usize, Option<Figures>, f64); 6] = [
        (1, None, 5_000.0),
        (4, None, 20_000.0),
        (10, None, 50_000.0),
        (10, Some((51_200, 524_288_000)), 50_000.0),
        (12, Some((51_200, 524_288_000)), 51_200.0),
        (4, Some((12_800, 192_000_000)), 12_800.0),
    ];
    for (disks, vm, most) in rigs {
        for percent in [60.0, 90.0, 98.0, 100.0] {
            let spec = Rig { vm: gate(vm), volumes: vec![volume(disks, disk(P30, "premium-ssd"))] };
            let per_second = (most * percent / 100.0f64).floor();
            let mut loads = [Load::closed(0, 1, Kind::random_read(8_192))];
            loads[0].flow = Flow::Open { per_second };
            let queue_depth = dw_estimate::queue_depths(&spec.stack(), &loads)[0];
            loads[0].flow = Flow::Paced { queue_depth, per_second };
            let found = estimate(&spec.stack(), &loads).loads[0].reads.unwrap();
            let exact = simulated(&spec, &loads, (per_second * 20.0) as u64);
            let share = exact.loads[0].per_second / per_second;
            let took = exact.loads[0].latency[0].unwrap();
            let name = format!("{disks} x P30 under {vm:?} at {percent} %, {queue_depth} outstanding");
            assert!(share > 0.99, "{name}: {:.2} %", share * 100.0);
            let off = found.latency.mean / took - 1.0;
            assert!(off.abs() < 0.06, "{name}: {:.3} ms for {:.3}", found.latency.mean * 1e3, took * 1e3);
        }
    }
}

/// Loads at their rates, on rigs with a cache, with several volumes, with requests that are cut.
#[test]
fn advised_depths_reach_the_rate_on_caches_and_beside_other_volumes() {
    let p30s = |disks| volume(disks, disk(P30, "premium-ssd"));
    let random = |size| Kind { order: Order::Random { align: 4_096 }, ..Kind::random_write(size) };
    let hits = |ram, ssd| Kind { hits: Hits { ram, ssd }, ..Kind::random_read(8_192) };
    let mut small = p30s(1);
    small.disks[0].size = Bytes::gib(1);
    small.host_cache = CacheMode::ReadOnly;
    let half = VolumeSpec { host_cache: CacheMode::ReadOnly, ..p30s(1) };
    let cached = || cached_vm((16_000, 128_000_000), (12_800, 192_000_000));
    type Asked = (u16, Kind, f64);
    let cases: [(&str, Rig, Vec<Asked>); 6] = [
        (
            "all reads hit",
            Rig { vm: cached(), volumes: vec![small] },
            vec![(0, hits(1.0 / 16.0, 15.0 / 16.0), 9_000.0)],
        ),
        (
            "half of them hit",
            Rig { vm: cached(), volumes: vec![half] },
            vec![(0, hits(1.0 / 32.0, 15.0 / 32.0), 6_000.0)],
        ),
        (
            "reads and writes of one volume",
            Rig { vm: gate(None), volumes: vec![p30s(4)] },
            vec![(0, Kind::random_read(8_192), 11_000.0), (0, Kind::random_write(8_192), 5_000.0)],
        ),
        (
            "a log beside data",
            Rig { vm: gate(Some((12_800, 192_000_000))), volumes: vec![p30s(4), p30s(1)] },
            vec![(0, Kind::random_read(8_192), 8_000.0), (1, Kind::random_write(65_536), 1_000.0)],
        ),
        (
            "a backup beside data",
            Rig { vm: gate(Some((12_800, 192_000_000))), volumes: vec![p30s(4), p30s(2)] },
            vec![(0, Kind::random_read(8_192), 5_000.0), (1, Kind::random_read(262_144), 400.0)],
        ),
        ("requests that are cut", Rig { vm: gate(None), volumes: vec![p30s(3)] }, vec![(0, random(65_536), 5_000.0)]),
    ];
    for (name, rig, asked) in cases {
        let load = |&(volume, kind, per_second): &Asked| Load {
            volume: VolumeId(volume),
            flow: Flow::Open { per_second },
            requests: vec![kind],
        };
        let mut loads: Vec<Load> = asked.iter().map(load).collect();
        let depths = dw_estimate::queue_depths(&rig.stack(), &loads);
        for ((load, queue_depth), &(.., per_second)) in loads.iter_mut().zip(depths).zip(&asked) {
            load.flow = Flow::Paced { queue_depth, per_second };
        }
        let found = estimate(&rig.stack(), &loads).loads;
        let exact = simulated(&rig, &loads, 300_000).loads;
        for (((found, exact), load), (.., per_second)) in found.iter().zip(exact).zip(&loads).zip(&asked) {
            let share = exact.per_second / per_second;
            assert!(share > 0.995, "{name}, {:?}: {:.2} %", load.flow, share * 100.0);
            for (served, took) in [found.reads, found.writes].into_iter().zip(exact.latency) {
                let (Some(served), Some(took)) = (served, took) else { continue };
                assert!(took <= served.latency.high, "{name}: {:.3} ms for {:?}", took * 1e3, served.latency);
            }
        }
    }
}

#[test]
fn credits_run_dry_when_the_estimate_says() {
    let mut small = disk((500, 100_000_000), "premium-ssd");
    small.limits.iops.as_mut().unwrap().burst = Some(BurstSpec { rate: 3_500, credits: 90_000 });
    let rig = Rig { vm: gate(None), volumes: vec![volume(1, small)] };
    for depth in [4, 64] {
        let loads = [Load::closed(0, depth, Kind::random_read(8_192))];
        let phases = over_time(&rig.stack(), &loads, &[]);
        let [first, last] = &phases[..] else { panic!("{phases:?}") };
        let (result, _) = run_for(&rig, &loads, Duration::from_secs(150));
        let dry = result.tally.limits.iter().find_map(|row| row.credits_out).unwrap().ns() as f64 / 1e9;
        assert!((last.from_s / dry - 1.0).abs() < 0.02, "{depth}: dry after {dry} s, estimated {:.1}", last.from_s);
        let (before, after) = (first.gives.loads[0].per_second, last.gives.loads[0].per_second);
        let ios = before * dry + after * (150.0 - dry);
        let exact = result.total.directions.read.ios as f64;
        assert!((ios / exact - 1.0).abs() < 0.02, "{depth}: {exact} requests, estimated {ios:.0}");
    }
}

#[test]
fn along_steps_credits_are_spent_and_earned() {
    let mut small = disk((500, 100_000_000), "premium-ssd");
    small.limits.iops.as_mut().unwrap().burst = Some(BurstSpec { rate: 3_500, credits: 90_000 });
    let rig = Rig { vm: gate(None), volumes: vec![volume(1, small)] };
    let busy = [Load::closed(0, 64, Kind::random_read(8_192))];
    let step = |lasts_s: f64, loads: &[Load]| Step { lasts_s, loads: loads.to_vec() };
    // One long step is what a constant load comes to.
    let (phases, constant) = (along(&rig.stack(), &[step(150.0, &busy)]), over_time(&rig.stack(), &busy, &[]));
    assert_eq!(phases, constant);
    // However it is cut.
    let cut = along(&rig.stack(), &[step(10.0, &busy), step(20.0, &busy), step(120.0, &busy)]);
    let dry = |phases: &[Phase]| phases.iter().find(|p| p.gives.loads[0].per_second < 600.0).map(|p| p.from_s);
    assert!((dry(&cut).unwrap() / constant[1].from_s - 1.0).abs() < 1e-9, "{cut:?}");
    // 100 s of idleness earn 100 s of the base rate, which burst again.
    let idle = [Load { flow: Flow::Open { per_second: 1.0 }, ..busy[0].clone() }];
    let again = along(&rig.stack(), &[step(60.0, &busy), step(100.0, &idle), step(60.0, &busy)]);
    let third: Vec<&Phase> = again.iter().filter(|p| p.from_s >= 160.0 - 1e-9).collect();
    let [burst, base] = third[..] else { panic!("{again:?}") };
    assert!((burst.credits[0].left / (100.0 * 499.0) - 1.0).abs() < 0.01, "{burst:?}");
    let drain = burst.gives.loads[0].per_second - 500.0;
    assert!(((base.from_s - 160.0) / (100.0 * 499.0 / drain) - 1.0).abs() < 0.01, "{base:?}");
}

#[test]
fn a_cold_cache_warms_as_the_estimate_says() {
    let mut vm = cached_vm((16_000, 262_144_000), (12_800, 200_000_000));
    vm.host_cache.as_mut().unwrap().fill = Fill::Sectors;
    let mut rig = Rig { vm, volumes: vec![volume(1, disk(P30, "premium-ssd"))] };
    rig.volumes[0].host_cache = CacheMode::ReadOnly;
    rig.volumes[0].disks[0].size = Bytes::gib(1);
    let loads = [Load::closed(0, 64, Kind::random_read(16_384))];
    let cold = Cold { load: 0, working_set: Bytes::gib(1) };
    let steps = over_time(&rig.stack(), &loads, &[cold]);
    let (_, series) = run_for(&rig, &loads, Duration::from_secs(20));
    // Requests by the end of each second: the integral of the rate.
    let (mut expected, mut found, mut worst) = (0.0, 0.0, 0.0f64);
    for (second, ios) in series.into_iter().enumerate() {
        let rate = |at: f64| {
            steps.iter().rev().find(|step| step.from_s <= at).map_or(0.0, |step| step.gives.loads[0].per_second)
        };
        expected += (0..20).map(|i| rate(second as f64 + f64::from(i) / 20.0)).sum::<f64>() / 20.0;
        found += ios as f64;
        worst = worst.max((expected / found - 1.0).abs());
    }
    assert!(worst < 0.03, "{:.1} % off", worst * 100.0);
}

/// A volume of 1 GiB of which the data have to be fetched, and its loads.
struct Fetched {
    name: &'static str,
    disks: usize,
    /// Share that is there at the start, and what comes by itself in MiB/s to each disk.
    there: f64,
    comes: Option<u64>,
    loads: Vec<Load>,
}

fn phase_at(phases: &[Phase], seconds: f64) -> &Phase {
    phases.iter().rev().find(|phase| phase.from_s <= seconds).unwrap_or(&phases[0])
}

/// Requests a second of all loads at a time.
fn rate_at(phases: &[Phase], seconds: f64) -> f64 {
    phase_at(phases, seconds).gives.loads.iter().map(|load| load.per_second).sum()
}

/// Requests that are under way, by Little's law.
fn under_way(phase: &Phase) -> f64 {
    let served = phase.gives.loads.iter().flat_map(|load| [load.reads, load.writes]).flatten();
    served.map(|served| served.per_second * served.latency.mean).sum()
}

impl Fetched {
    fn rig(&self) -> Rig {
        let mut disk = disk(P30, "premium-ssd");
        let size = (1 << 30) / self.disks as u64;
        (disk.size, disk.io_unit) = (Bytes::new(size), None);
        disk.first_touch = Some(FirstTouch {
            block: Bytes::kib(512),
            fetch: Duration::from_ms(60),
            there: Bytes::new((size as f64 * self.there) as u64),
            background: self.comes.map(Throughput::mib_per_second),
        });
        Rig { vm: gate(None), volumes: vec![volume(self.disks, disk)] }
    }

    /// Requests by the end of each second, estimated and simulated: the largest error. A rate says how many there are between those that
    /// are done and those that are begun. Simulated four times, as chance alone moves what comes at random by 1.6 %.
    fn off(&self) -> f64 {
        let rig = self.rig();
        let phases = over_time(&rig.stack(), &self.loads, &[]);
        assert!(phases.len() < 100, "{}: {} phases", self.name, phases.len());
        let mut series = [0.0; 24];
        for seed in 0..4 {
            let (_, one) = run_for_from(seed, &rig, &self.loads, Duration::from_secs(24));
            series.iter_mut().zip(one).for_each(|(sum, ios)| *sum += ios as f64 / 4.0);
        }
        let (mut expected, mut found, mut worst) = (0.0, 0.0, 0.0f64);
        for (second, ios) in series.into_iter().enumerate() {
            expected += (0..20).map(|i| rate_at(&phases, second as f64 + f64::from(i) / 20.0)).sum::<f64>() / 20.0;
            found += ios;
            let begun = found + under_way(phase_at(&phases, second as f64 + 1.0));
            let off = (expected / begun - 1.0f64).max(1.0 - expected / found).max(0.0);
            // With fewer the estimate is within its first step, which has one rate. Where there are never more, all of them count.
            if found > 500.0 || second == 23 {
                worst = worst.max(off);
            }
        }
        worst
    }
}

fn in_sequence(size: u32, depth: u32) -> Load {
    Load::closed(0, depth, Kind { order: Order::Sequential, ..Kind::random_read(size) })
}

fn paced(load: Load, queue_depth: u32, per_second: f64) -> Load {
    Load { flow: Flow::Paced { queue_depth, per_second }, ..load }
}

#[test]
fn data_that_have_to_be_fetched_come_as_the_estimate_says() {
    let random = |size, depth| Load::closed(0, depth, Kind::random_read(size));
    let writes = |load: Load| Load { requests: vec![Kind { writes: true, ..load.requests[0] }], ..load };
    let unaligned =
        |size, depth| Load::closed(0, depth, Kind { order: Order::Random { align: 4_096 }, ..Kind::random_read(size) });
    let half = |writes| Kind { share: 0.5, writes, ..Kind::random_read(16_384) };
    let mixed = Load { requests: vec![half(false), half(true)], ..random(16_384, 16) };
    let case = |name, loads| Fetched { name, disks: 1, there: 0.0, comes: None, loads };
    let striped = |name, loads| Fetched { disks: 4, ..case(name, loads) };
    let comes = |rate, name, loads| Fetched { comes: Some(rate), ..case(name, loads) };
    let cases = [
        case("4 KiB at random", vec![random(4_096, 8)]),
        Fetched { there: 0.5, ..case("half is there", vec![random(16_384, 64)]) },
        comes(60, "it comes by itself", vec![random(4_096, 4)]),
        case("reads and writes at random", vec![mixed]),
        case("requests of two blocks at times", vec![unaligned(131_072, 8)]),
        case("whole blocks are written", vec![writes(random(524_288, 4)), random(4_096, 4)]),
        case("at a rate", vec![paced(random(8_192, 1), 32, 200.0)]),
        striped("four disks at random", vec![random(65_536, 16)]),
        striped("requests of all disks", vec![random(262_144, 8)]),
        case("512 KiB in sequence", vec![in_sequence(524_288, 1)]),
        case("64 KiB in sequence", vec![in_sequence(65_536, 2)]),
        case("one at a time", vec![in_sequence(16_384, 1)]),
        case("several blocks outstanding", vec![in_sequence(131_072, 32)]),
        case("parts of blocks are written", vec![writes(in_sequence(65_536, 4))]),
        Fetched { there: 0.4, ..case("the rest in sequence", vec![in_sequence(262_144, 4)]) },
        comes(60, "with what comes by itself", vec![in_sequence(262_144, 4)]),
        comes(10, "before what comes by itself", vec![in_sequence(262_144, 8)]),
        case("in sequence at a rate", vec![paced(in_sequence(65_536, 1), 8, 80.0)]),
        striped("four disks, one at a time", vec![in_sequence(65_536, 1)]),
        striped("four disks side by side", vec![in_sequence(65_536, 16)]),
        case("at random beside one in sequence", vec![random(8_192, 8), in_sequence(131_072, 2)]),
    ];
    let off: Vec<(&Fetched, f64)> = cases.iter().map(|case| (case, case.off())).collect();
    let said = |(case, off): &(&Fetched, f64)| format!("{}: {:.1} % off", case.name, off * 100.0);
    let show = std::env::var("ESTIMATE_SHOW").is_ok();
    let misses: Vec<String> = off.iter().filter(|(_, off)| *off >= 0.03 || show).map(said).collect();
    assert!(misses.is_empty(), "{misses:#?}");
}

#[test]
fn along_steps_data_come_as_at_once() {
    let case = |comes, loads| Fetched { name: "", disks: 1, there: 0.25, comes, loads };
    let cases = [
        case(None, vec![Load::closed(0, 8, Kind::random_read(4_096))]),
        case(Some(60), vec![in_sequence(262_144, 4)]),
        case(None, vec![Load::closed(0, 8, Kind::random_read(8_192)), in_sequence(131_072, 2)]),
    ];
    for case in cases {
        let stack = case.rig().stack();
        let steps = vec![Step { lasts_s: 0.5, loads: case.loads.clone() }; 40];
        let (cut, at_once) = (along(&stack, &steps), over_time(&stack, &case.loads, &[]));
        for seconds in [5, 10, 20] {
            let sum = |phases: &[Phase]| (0..seconds * 50).map(|i| rate_at(phases, f64::from(i) / 50.0)).sum::<f64>();
            let off = sum(&cut) / sum(&at_once) - 1.0;
            assert!(off.abs() < 0.01, "{:?} by {seconds} s: {:.2} %", case.loads, off * 100.0);
        }
    }
}

#[test]
fn what_is_not_known_of_data_that_have_to_be_fetched_is_said() {
    let case = |comes, loads| Fetched { name: "", disks: 1, there: 0.0, comes, loads };
    let random = Load::closed(0, 8, Kind::random_read(4_096));
    let part = |order| Kind { share: 0.5, order, ..Kind::random_read(4_096) };
    let partly =
        Load { requests: vec![part(Order::Random { align: 4_096 }), part(Order::Sequential)], ..random.clone() };
    let known = |case: &Fetched| {
        let phases = over_time(&case.rig().stack(), &case.loads, &[]);
        phases.iter().map(|phase| phase.gives.loads[0].fetches.is_some()).collect::<Vec<bool>>()
    };
    // Two streams, each of which may be ahead; one that goes on from wherever it was.
    for loads in [vec![in_sequence(65_536, 1), in_sequence(65_536, 4)], vec![partly]] {
        assert_eq!(known(&case(None, loads.clone())), [false]);
        // By then all has come by itself.
        let phases = over_time(&case(Some(64), loads.clone()).rig().stack(), &loads, &[]);
        assert_eq!(known(&case(Some(64), loads)), [false, true]);
        assert!((phases[1].from_s - 16.0).abs() < 0.01, "{}", phases[1].from_s);
    }
    assert!(known(&case(None, vec![random.clone()])).iter().all(|known| *known));
    // All of it is there: nothing waits, and that is known.
    let there = Fetched { there: 1.0, ..case(None, vec![random]) };
    assert_eq!(over_time(&there.rig().stack(), &there.loads, &[])[0].gives.loads[0].fetches, Some(0.0));
}

/// How many there were and how many were right, and those that were not.
#[derive(Default)]
struct Score {
    rates: (u32, u32),
    bottlenecks: (u32, u32),
    /// Of bottlenecks of which two seeds of the simulator name different ones.
    undecided: (u32, u32),
    means: (u32, u32),
    /// Rates of which two seeds of the simulator are as near to each other as the estimate has to be.
    twins: (u32, u32),
    misses: Vec<String>,
}

impl Score {
    fn count(of: &mut (u32, u32), is_right: bool, misses: &mut Vec<String>, miss: impl Fn() -> String) {
        *of = (of.0 + u32::from(is_right), of.1 + 1);
        if !is_right {
            misses.push(miss());
        }
    }

    /// What chance may do to a simulation of this length counts as right.
    fn load(&mut self, found: &LoadEstimate, exact: &Exact, twin: &Exact, what: &dyn Fn() -> String) {
        let is_near = (twin.per_second / exact.per_second - 1.0).abs() < 0.03 + 2.0 * exact.noise;
        Score::count(&mut self.twins, is_near, &mut Vec::new(), String::new);
        let off = found.per_second / exact.per_second - 1.0;
        let miss =
            || format!("RATE {:.0} for {:.0} {:+.1} %: {}", found.per_second, exact.per_second, off * 100.0, what());
        Score::count(&mut self.rates, off.abs() < 0.03 + 2.0 * exact.noise, &mut self.misses, miss);
        for (served, took) in [found.reads, found.writes].into_iter().zip(exact.latency) {
            let (Some(served), Some(took)) = (served, took) else { continue };
            let chance = 2.0 * exact.noise * took;
            let is_inside = served.latency.low - chance <= took && took <= served.latency.high + chance;
            let miss = || format!("MEAN {:.3} ms for {:.3}: {}", served.latency.mean * 1e3, took * 1e3, what());
            Score::count(&mut self.means, is_inside, &mut self.misses, miss);
        }
    }

    /// Several loads of a volume may have several bottlenecks; the simulator names one. Where two seeds of it name two, either is right,
    /// and counted apart.
    fn volume(&mut self, found: &[Option<LimitId>], exact: [Option<LimitId>; 2], what: &dyn Fn() -> String) {
        let is_same = |a: Option<LimitId>, b: Option<LimitId>| match (a, b) {
            (Some(a), Some(b)) => kin(a, b),
            (a, b) => a == b,
        };
        let is_found = exact.iter().any(|exact| found.iter().any(|found| is_same(*found, *exact)));
        let miss = || format!("LIMIT {found:?} for {exact:?}: {}", what());
        let of = if is_same(exact[0], exact[1]) { &mut self.bottlenecks } else { &mut self.undecided };
        Score::count(of, is_found, &mut self.misses, miss);
    }

    fn share((right, all): (u32, u32)) -> f64 {
        f64::from(right) / f64::from(all.max(1))
    }
}

#[test]
fn random_rigs_have_the_rates_bottlenecks_and_latencies_of_the_simulator() {
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse::<u64>().unwrap());
    // None of these was looked at when the formulas were made.
    let from = number("ESTIMATE_FROM").unwrap_or(5_000_000);
    let seeds = match number("ESTIMATE_SEED") {
        Some(seed) => seed..seed + 1,
        None => from..from + number("ESTIMATE_RIGS").unwrap_or(100),
    };
    let mut score = Score::default();
    for seed in seeds {
        let (rig, mut loads) = random_rig(seed);
        let [exact, twin] = [0, 1].map(|seed| simulated_from(seed, &rig, &loads, 20_000));
        for load in &mut loads {
            for kind in load.requests.iter_mut().filter(|kind| !kind.writes) {
                kind.hits = exact.hits[usize::from(load.volume.0)];
            }
        }
        let found = estimate(&rig.stack(), &loads).loads;
        for (k, found) in found.iter().enumerate() {
            let what = || format!("seed {seed} load {k}: {}", brief(&rig, &loads));
            score.load(found, &exact.loads[k], &twin.loads[k], &what);
        }
        for (v, exact) in exact.bottlenecks.iter().copied().zip(twin.bottlenecks).map(<[_; 2]>::from).enumerate() {
            let mine = found.iter().zip(&loads).filter(|(_, load)| usize::from(load.volume.0) == v);
            let mine: Vec<_> = mine.map(|(found, _)| found.bottleneck).collect();
            score.volume(&mine, exact, &|| format!("seed {seed} volume {v}: {}", brief(&rig, &loads)));
        }
    }
    let Score { rates, bottlenecks, undecided, means, twins, .. } = score;
    let said = format!(
        "rates {rates:?}, those of two seeds {twins:?}, bottlenecks {bottlenecks:?}, undecided {undecided:?}, means {means:?}"
    );
    assert!(number("ESTIMATE_SHOW").is_none(), "{}\n{said}", score.misses.join("\n"));
    // As docs/model/estimate.md has it of a thousand, with room for what a hundred of them are by chance.
    assert!(Score::share(rates) > 0.82, "{said}");
    assert!(Score::share(bottlenecks) > 0.95, "{said}");
    assert!(undecided.1 * 20 < bottlenecks.1, "{said}");
    assert!(Score::share(means) > 0.95, "{said}");
}
