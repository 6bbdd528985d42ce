//! The estimate without events against the run with them.
//!
//! The grid is of rigs that people build; the random rigs are of everything that a stack can be. `ESTIMATE_RIGS=2000` makes as many of
//! those, `ESTIMATE_SHOW=1` fails with every one that is off,
//! `ESTIMATE_SEED=72` makes that one alone.

#[path = "support/estimated.rs"]
mod estimated;

use dw_estimate::{Flow, Hits, Kind, Load, LoadEstimate, Order, estimate, phases, warming};
use dw_stack::{BurstSpec, CacheMode, Fill, LimitId, VolumeId};
use dw_units::{Bytes, Duration};
use dw_workload::rng::Stream;
use estimated::{Exact, Rig, cached_vm, disk, gate, kin, run_for, simulated, volume};

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

#[test]
fn credits_run_dry_when_the_estimate_says() {
    let mut small = disk((500, 100_000_000), "premium-ssd");
    small.limits.iops.as_mut().unwrap().burst = Some(BurstSpec { rate: 3_500, credits: 90_000 });
    let rig = Rig { vm: gate(None), volumes: vec![volume(1, small)] };
    for depth in [4, 64] {
        let loads = [Load::closed(0, depth, Kind::random_read(8_192))];
        let phases = phases(&rig.stack(), &loads);
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
fn a_cold_cache_warms_as_the_estimate_says() {
    let mut vm = cached_vm((16_000, 262_144_000), (12_800, 200_000_000));
    vm.host_cache.as_mut().unwrap().fill = Fill::Sectors;
    let mut rig = Rig { vm, volumes: vec![volume(1, disk(P30, "premium-ssd"))] };
    rig.volumes[0].host_cache = CacheMode::ReadOnly;
    rig.volumes[0].disks[0].size = Bytes::gib(1);
    let loads = [Load::closed(0, 64, Kind::random_read(16_384))];
    let steps = warming(&rig.stack(), &loads, 0, Bytes::gib(1));
    let (_, series) = run_for(&rig, &loads, Duration::from_secs(20));
    // Requests by the end of each second: the integral of the rate.
    let (mut expected, mut found, mut worst) = (0.0, 0.0, 0.0f64);
    for (second, ios) in series.into_iter().enumerate() {
        let rate = |at: f64| steps.iter().rev().find(|step| step.at_s <= at).map_or(0.0, |step| step.per_second);
        expected += (0..20).map(|i| rate(second as f64 + f64::from(i) / 20.0)).sum::<f64>() / 20.0;
        found += ios as f64;
        worst = worst.max((expected / found - 1.0).abs());
    }
    assert!(worst < 0.03, "{:.1} % off", worst * 100.0);
}

/// Random numbers for rigs.
struct Dice(Stream);

impl Dice {
    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.0.below(all.len() as u64) as usize]
    }
    fn one_in(&mut self, n: u64) -> bool {
        self.0.below(n) == 0
    }
}

const DISKS: [((u64, u64), &str); 7] = [
    ((500, 100_000_000), "premium-ssd"),
    ((2_300, 150_000_000), "premium-ssd"),
    ((5_000, 200_000_000), "premium-ssd"),
    ((7_500, 250_000_000), "premium-ssd"),
    ((3_000, 125_000_000), "premium-ssd-v2"),
    ((20_000, 600_000_000), "premium-ssd-v2"),
    ((500, 60_000_000), "standard-hdd"),
];
const VMS: [(u64, u64); 6] = [
    (3_200, 48_000_000),
    (6_400, 96_000_000),
    (12_800, 192_000_000),
    (25_600, 384_000_000),
    (51_200, 768_000_000),
    (80_000, 1_200_000_000),
];

fn random_rig(seed: u64) -> (Rig, Vec<Load>) {
    let mut dice = Dice(Stream::new(seed, 1));
    let vm = dice.of(&VMS);
    let mut rig = Rig { vm: cached_vm(dice.of(&VMS), vm), volumes: Vec::new() };
    let mut loads = Vec::new();
    for place in 0..dice.of(&[1u16, 1, 1, 2, 2, 3]) {
        let (figures, latency) = dice.of(&DISKS);
        let count = dice.of(&[1usize, 1, 2, 3, 4, 8, 12]);
        let mut volume = volume(count, disk(figures, latency));
        let is_cached = dice.one_in(4) && rig.volumes.iter().all(|v| v.host_cache == CacheMode::None);
        if is_cached {
            volume.host_cache = CacheMode::ReadOnly;
        }
        rig.volumes.push(volume);
        // What a cache serves is measured by volume, so that requests of a cached one are alike.
        let number = if is_cached { 1 } else { dice.of(&[1, 1, 1, 2]) };
        loads.extend((0..number).map(|_| random_load(&mut dice, place, is_cached)));
    }
    (rig, loads)
}

fn random_load(dice: &mut Dice, place: u16, is_cached: bool) -> Load {
    let depth = dice.of(&[1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256]);
    let order = |dice: &mut Dice, size: u32| match dice.of(&[0, 0, 0, 0, 1, 2]) {
        0 => Order::Random { align: size },
        1 => Order::Random { align: 4_096 },
        _ => Order::Sequential,
    };
    let size = dice.of(&[4_096, 8_192, 8_192, 16_384, 32_768, 49_152, 65_536, 65_536, 131_072, 262_144]);
    let size = if is_cached { size.min(65_536) } else { size };
    let order = if is_cached { Order::Random { align: size } } else { order(dice, size) };
    let kind = Kind { share: 1.0, writes: dice.one_in(2), size, order, hits: Hits::default() };
    let mut requests = vec![kind];
    if dice.one_in(4) {
        // A mix of directions.
        let writes = f64::from(dice.of(&[10u8, 30, 50]));
        requests = vec![
            Kind { share: 1.0 - writes / 100.0, writes: false, ..kind },
            Kind { share: writes / 100.0, writes: true, ..kind },
        ];
    } else if dice.one_in(4) && order != Order::Sequential && !is_cached {
        // A mix of sizes.
        let order = Order::Random { align: 4_096 };
        requests = vec![
            Kind { share: 0.7, order, ..kind },
            Kind { share: 0.3, size: dice.of(&[4_096, 65_536, 131_072]), order, ..kind },
        ];
    }
    Load { volume: VolumeId(place), flow: Flow::Closed { queue_depth: depth }, requests }
}

/// How many there were and how many were right, and those that were not.
#[derive(Default)]
struct Score {
    rates: (u32, u32),
    bottlenecks: (u32, u32),
    means: (u32, u32),
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
    fn load(&mut self, found: &LoadEstimate, exact: &Exact, what: &dyn Fn() -> String) {
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

    /// Several loads of a volume may have several bottlenecks; the simulator names one.
    fn volume(&mut self, found: &[Option<LimitId>], exact: Option<LimitId>, what: &dyn Fn() -> String) {
        let is_same = found.iter().any(|found| match (*found, exact) {
            (Some(found), Some(exact)) => kin(found, exact),
            (found, exact) => found == exact,
        });
        let miss = || format!("LIMIT {found:?} for {exact:?}: {}", what());
        Score::count(&mut self.bottlenecks, is_same, &mut self.misses, miss);
    }

    fn share((right, all): (u32, u32)) -> f64 {
        f64::from(right) / f64::from(all.max(1))
    }
}

#[test]
fn random_rigs_have_the_rates_bottlenecks_and_latencies_of_the_simulator() {
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse::<u64>().unwrap());
    let seeds = match number("ESTIMATE_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("ESTIMATE_RIGS").unwrap_or(100),
    };
    let mut score = Score::default();
    for seed in seeds {
        let (rig, mut loads) = random_rig(seed);
        let exact = simulated(&rig, &loads, 20_000);
        for load in &mut loads {
            for kind in load.requests.iter_mut().filter(|kind| !kind.writes) {
                kind.hits = exact.hits[usize::from(load.volume.0)];
            }
        }
        let found = estimate(&rig.stack(), &loads).loads;
        for (k, (found, exact)) in found.iter().zip(&exact.loads).enumerate() {
            score.load(found, exact, &|| format!("seed {seed} load {k}: {}", brief(&rig, &loads)));
        }
        for (v, exact) in exact.bottlenecks.iter().enumerate() {
            let mine = found.iter().zip(&loads).filter(|(_, load)| usize::from(load.volume.0) == v);
            let mine: Vec<_> = mine.map(|(found, _)| found.bottleneck).collect();
            score.volume(&mine, *exact, &|| format!("seed {seed} volume {v}: {}", brief(&rig, &loads)));
        }
    }
    let said = format!("rates {:?}, bottlenecks {:?}, means {:?}", score.rates, score.bottlenecks, score.means);
    assert!(number("ESTIMATE_SHOW").is_none(), "{}\n{said}", score.misses.join("\n"));
    // As docs/model/estimate.md has it of a thousand, with room for what a hundred of them are by chance.
    assert!(Score::share(score.rates) > 0.80, "{said}");
    assert!(Score::share(score.bottlenecks) > 0.93, "{said}");
    assert!(Score::share(score.means) > 0.94, "{said}");
}

/// A rig and its loads on one line.
fn brief(rig: &Rig, loads: &[Load]) -> String {
    let volumes = rig.volumes.iter().map(|v| {
        let limits = v.disks[0].limits;
        format!(
            "{}x{}/{}M {:?}",
            v.disks.len(),
            limits.iops.unwrap().rate,
            limits.throughput.unwrap().rate / 1_000_000,
            v.host_cache
        )
    });
    let loads = loads.iter().map(|l| {
        let kinds = l.requests.iter().map(|k| {
            format!(
                "{}{:.0}%{}k{:?}h{:.2}",
                if k.writes { "w" } else { "r" },
                k.share * 100.0,
                k.size >> 10,
                k.order,
                k.hits.all()
            )
        });
        format!("v{} {:?} {}", l.volume.0, l.flow, kinds.collect::<Vec<_>>().join("+"))
    });
    let gates: Vec<String> = rig
        .vm
        .gates
        .iter()
        .map(|g| format!("{}/{}M", g.limits.iops.unwrap().rate, g.limits.throughput.unwrap().rate / 1_000_000))
        .collect();
    format!("{gates:?} {} | {}", volumes.collect::<Vec<_>>().join(", "), loads.collect::<Vec<_>>().join("; "))
}
