//! Trying everything: every VM, every way to attach, every disk and number; the independent check alone decides what holds.
//!
//! It also decides what is not gone on with: what it finds broken in a part of a plan is broken in the whole. A way to attach the volumes is
//! checked without disks, then with those of one volume at a time, and only what is left is put together.

use std::collections::{BTreeMap, BTreeSet};

use dw_catalogue::{Money, azure};
use dw_planner::free::Provisioned;
use dw_planner::latency::{Served, Waits, disk_wait_ns, on_disks};
use dw_planner::problem::*;
use dw_planner::{Disks, Plan, Planner, Rule, VolumePlan, by_disks, check, hit, simpler, solve};

use crate::oracle::carried::{disk_ios, gate_waits};
use crate::oracle::random::{Shape, problem};
use crate::oracle::seeds;
use crate::oracle::used::{by_use, paid};

/// What a volume may have, whatever it is asked, cheapest first; less what is beaten, by its number of disks and the least it costs.
fn options(
    problem: &Problem,
    volume: &Volume,
    vm: &VmOffer,
    (class, waits): (RouteId, (u64, u64)),
    hit: u32,
    is_beaten: &dyn Fn(u32, Money) -> bool,
) -> Vec<Option<Disks>> {
    if class == azure::TEMP {
        return vec![None];
    }
    let mut all = Vec::new();
    for &offer in &volume.disks {
        let disk = &problem.disks[offer];
        if disk.shared.is_some() && problem.route(class).has_cache() {
            continue;
        }
        if (class == azure::UNCACHED_V2) != (disk.second && vm.route(azure::UNCACHED_V2).is_some())
            || (problem.route(class).has_cache() && disk.second)
        {
            continue;
        }
        for count in volume.disks_min..=volume.disks_max {
            let n = u64::from(count);
            match &disk.kind {
                DiskKind::Fixed { price, .. } if is_beaten(count, paid(disk, n, *price)) => {}
                DiskKind::Fixed { price, .. } => {
                    let usage = by_use(problem, volume, disk, n, hit);
                    let cost = paid(disk, n, *price) + usage;
                    all.push(Some(Disks { offer, count, each: None, cost, usage }));
                }
                DiskKind::Free(free) => {
                    // Whoever buys more pays more.
                    let least = free.provision(volume.capacity_gib.div_ceil(n), 0, 0);
                    if least.is_none_or(|least| is_beaten(count, paid(disk, n, free.cost(least)))) {
                        continue;
                    }
                    for each in purchases(problem, volume, disk, (free, class, waits), n, hit) {
                        let cost = paid(disk, n, free.cost(each));
                        all.push(Some(Disks { offer, count, each: Some(each), cost, usage: Money::ZERO }));
                    }
                }
            }
        }
    }
    all.sort_by_key(|disks: &Option<Disks>| disks.as_ref().map(|disks| disks.cost));
    all
}

/// A purchase for every load that occurs, of IOPS and of bytes, those of `n` disks.
/// Where a latency is asked for, also the least IOPS and bytes with which it is held in any of them.
fn purchases(
    problem: &Problem,
    volume: &Volume,
    disk: &DiskOffer,
    (free, class, (front, behind)): (&FreeDisk, RouteId, (u64, u64)),
    n: u64,
    hit: u32,
) -> Vec<Provisioned> {
    let missing = |n: u64| n - (u128::from(n) * u128::from(hit) / 1_000_000) as u64;
    let mut iops = vec![0];
    let mut bytes = vec![0];
    for s in volume.samples.iter() {
        let (reads, read_bytes) = (missing(s.reads), missing(s.read_bytes));
        let times = |requests: u64, moved: u64| disk_ios(requests, moved, n, volume.stripe_unit.get(), None);
        iops.push(times(reads, read_bytes) + times(s.writes, s.write_bytes));
        bytes.push(read_bytes + s.write_bytes);
    }
    let each =
        |load: u64| (u128::from(load) * 1_000_000).div_ceil(u128::from(n) * u128::from(problem.utilisation)) as u64;
    let gib = volume.capacity_gib.div_ceil(n);
    let served = |sample: &Sample| Served {
        cache: problem.route(class).cache,
        hit,
        service: on_disks(disk, volume, n as u32, sample.streams()),
    };
    let is_fast = |served: &Served, gate: Rates, sample: &Sample, load: (u64, u64)| {
        let wait = disk_wait_ns(problem, volume, gate, n as u32, load, sample.streams());
        served.holds(problem, volume, sample, Waits { front, behind: behind + wait }, |_, _| false)
    };
    // More of a limit never makes a wait longer.
    let least = |is_enough: &dyn Fn(u64) -> bool| {
        let (mut low, mut high) = (0u64, 1u64 << 40);
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            if is_enough(middle) { high = middle } else { low = middle }
        }
        high.div_ceil(n)
    };
    let (mut fast_iops, mut fast_bytes) = (Vec::new(), Vec::new());
    if volume.has_latency_max() {
        for ((sample, &i), &b) in volume.samples.iter().zip(&iops[1..]).zip(&bytes[1..]) {
            let served = served(sample);
            let of_iops = |rate| Rates { iops: Some(Rate::plain(rate)), bytes: None };
            let of_bytes = |rate| Rates { iops: None, bytes: Some(Rate::plain(rate)) };
            fast_iops.push(least(&|rate| rate > i && is_fast(&served, of_iops(rate), sample, (i, b))));
            fast_bytes.push(least(&|rate| rate > b && is_fast(&served, of_bytes(rate), sample, (i, b))));
        }
    }
    // No more stamps fail than may, so each purchase carries the highest load but for so many.
    let levels = |mut loads: Vec<u64>, fast: Vec<u64>| {
        loads.sort_unstable_by(|a, b| b.cmp(a));
        let least = loads.get(problem.violations_allowed).map_or(0, |&load| each(load));
        let mut levels: Vec<u64> = loads.into_iter().map(each).chain(fast).filter(|&level| level >= least).collect();
        levels.sort_unstable();
        levels.dedup();
        levels
    };
    let (iops, bytes) = (levels(iops, fast_iops), levels(bytes, fast_bytes));
    let pairs = iops.iter().flat_map(|i| bytes.iter().map(move |b| (*i, *b)));
    let mut all: Vec<Provisioned> = pairs.filter_map(|(i, b)| free.provision(gib, i, b)).collect();
    all.sort_by_key(|each| (each.gib, each.iops, each.mb));
    all.dedup();
    all
}

/// The cheapest plan for each number of disks.
fn brute_force(problem: &Problem) -> BTreeMap<u32, Money> {
    let mut best = BTreeMap::new();
    for (index, vm) in problem.vms.iter().enumerate() {
        let mut vectors: Vec<Vec<RouteId>> = vec![vec![]];
        for volume in &problem.volumes {
            let mut classes = volume.classes.clone();
            classes.push(azure::UNCACHED_V2);
            let temp = |class: &RouteId| *class != azure::TEMP || vm.local.is_some();
            vectors = vectors
                .iter()
                .flat_map(|v| {
                    classes.iter().filter(|c| temp(c)).map(|c| [v.as_slice(), &[*c]].concat()).collect::<Vec<_>>()
                })
                .collect();
        }
        for classes in vectors {
            try_all(problem, index, &classes, &mut best);
        }
    }
    best
}

/// Disks of a volume, and the stamps that fail in every plan with them.
type Part = (Option<Disks>, Vec<u32>);

fn try_all(problem: &Problem, vm: usize, classes: &[RouteId], best: &mut BTreeMap<u32, Money>) {
    let offer = &problem.vms[vm];
    // Each volume that is not on the temp disk has a disk.
    let fewest = |without: Option<usize>| -> u32 {
        (0..classes.len()).filter(|&j| Some(j) != without && classes[j] != azure::TEMP).count() as u32
    };
    if is_beaten(best, fewest(None), offer.price) {
        return;
    }
    let hits = hits(problem, offer, classes);
    // A volume without disks has no latency.
    let mut unhurried = problem.clone();
    unhurried.volumes.iter_mut().for_each(|volume| volume.latency_max = Default::default());
    // The check takes longer to fill the cache than for all else, and no disk changes what it finds: once for each way to attach is enough.
    let mut settled = unhurried.clone();
    for (volume, &hit) in settled.volumes.iter_mut().zip(&hits) {
        volume.hits = volume.hits.take().map(|_| HitCurve::measured(vec![(0, hit)]));
    }
    let plan = |disks: &dyn Fn(usize) -> Option<Disks>| {
        let of = |j: usize| VolumePlan { class: classes[j], hit: hits[j], disks: disks(j) };
        let volumes: Vec<VolumePlan> = (0..classes.len()).map(of).collect();
        let cost: Money = volumes.iter().filter_map(|v| v.disks.as_ref()).map(|d| d.cost).sum();
        Plan { vm, volumes, cost: offer.price + cost, failing: Vec::new() }
    };
    let bare = plan(&|_| None);
    let Some(failing) = failing_with(&settled, &bare).and_then(|_| failing_with(&unhurried, &bare)) else { return };
    let waits = gate_waits(problem, offer, classes, &hits);
    let mut lists: Vec<Vec<Part>> = Vec::new();
    for j in 0..classes.len() {
        let beaten = |count: u32, cost: Money| is_beaten(best, fewest(Some(j)) + count, offer.price + cost);
        let mut list: Vec<Part> = Vec::new();
        settled.volumes[j].latency_max = problem.volumes[j].latency_max;
        for disks in options(problem, &problem.volumes[j], offer, (classes[j], waits[j]), hits[j], &beaten) {
            let count = |disks: &Option<Disks>| disks.as_ref().map_or(0, |disks| disks.count);
            // One that costs no more, has no more disks and fails nothing of its own does as well, whatever the other volumes have.
            let does = |other: &Part| count(&other.0) <= count(&disks) && other.1 == failing;
            if disks.as_ref().is_some_and(|disks| beaten(disks.count, disks.cost)) || list.iter().any(does) {
                continue;
            }
            let part = plan(&|k| disks.clone().filter(|_| k == j));
            if let Some(failing) = failing_with(&settled, &part) {
                list.push((disks, failing));
            }
        }
        settled.volumes[j].latency_max = Default::default();
        if list.is_empty() {
            return;
        }
        lists.push(list);
    }
    for (volume, asked) in settled.volumes.iter_mut().zip(&problem.volumes) {
        volume.latency_max = asked.latency_max;
    }
    let mut place = vec![0; lists.len()];
    loop {
        let disks = || lists.iter().zip(&place).filter_map(|(list, &place)| list[place].0.as_ref());
        let cost = offer.price + disks().map(|disks| disks.cost).sum();
        let count = disks().map(|disks| disks.count).sum();
        if !is_beaten(best, count, cost) {
            let plan = plan(&|j| lists[j][place[j]].0.clone());
            if check(&settled, &plan).holds && check(problem, &plan).holds {
                best.insert(count, cost);
            }
        }
        let Some(j) = (0..lists.len()).find(|&j| place[j] + 1 < lists[j].len()) else { return };
        place[j] += 1;
        place[..j].fill(0);
    }
}

/// Whether a plan is known with no more disks that costs no more.
fn is_beaten(best: &BTreeMap<u32, Money>, count: u32, cost: Money) -> bool {
    best.range(..=count).any(|(_, known)| *known <= cost)
}

/// The stamps that fail in every plan of which this one is a part; nothing where the check lets none of them hold: what is broken but for
/// disks that are missing stays broken with any.
fn failing_with(problem: &Problem, part: &Plan) -> Option<Vec<u32>> {
    let checked = check(problem, part);
    let is_missing = |rule: Rule| matches!(rule, Rule::Disks(j) if part.volumes[j].disks.is_none());
    let may_hold = match checked.faults.is_empty() {
        true => checked.holds,
        false => {
            checked.failing.len() <= problem.violations_allowed && checked.faults.iter().all(|f| is_missing(f.rule))
        }
    };
    may_hold.then_some(checked.failing)
}

fn hits(problem: &Problem, vm: &VmOffer, classes: &[RouteId]) -> Vec<u32> {
    let shared: Vec<usize> = (0..classes.len())
        .filter(|&j| problem.route(classes[j]).has_cache() && problem.volumes[j].hits.is_some())
        .collect();
    let touched = |j: usize| {
        let volume = &problem.volumes[j];
        // What fills whole blocks of the cache takes a block for each request.
        let block = volume.hits.as_ref().and_then(|curve| curve.parts).map_or(0, |_| 65_536);
        let used = |s: &Sample| s.read_bytes.max(s.reads * block) + s.write_bytes.max(s.writes * block);
        volume.samples.iter().map(|s| used(s) as f64).sum::<f64>() / problem.stamps as f64
    };
    let curves: Vec<_> = shared.iter().map(|&j| (problem.volumes[j].hits.as_ref().unwrap(), touched(j))).collect();
    let mut hits = vec![0; classes.len()];
    for (j, hit) in shared.iter().zip(hit::ratios(vm.cache.get(), &curves)) {
        hits[*j] = hit.min(problem.volumes[*j].hit_max);
    }
    hits
}

/// What of a band is looked at.
const BAND_PERCENT: f64 = 10.0;

#[track_caller]
fn compare(seed: u64, shape: Shape) -> bool {
    let problem = problem(seed, shape);
    let expected = compare_of(&problem, seed, shape);
    // Of some what may be chosen of a VM, at no cost.
    if seed % 4 == 1 {
        let set = with_options(&problem, seed);
        compare_of(&set, seed, shape);
        are_worth_it(&problem, &set, seed);
    }
    expected
}

/// Every second VM once more behind itself, with more throughput at its gates for the same money.
fn with_options(problem: &Problem, seed: u64) -> Problem {
    let mut set = problem.clone();
    let more = |(place, vm): (usize, &VmOffer)| {
        let mut other = VmOffer { options: &[("bandwidth", "more")], ..vm.clone() };
        for rate in other.gates.iter_mut().filter_map(|rates| rates.bytes.as_mut()) {
            rate.base += rate.base / 4;
            rate.burst = rate.burst.map(|(peak, size)| (peak.max(rate.base), size));
        }
        let is_set = (place as u64 + seed / 4).is_multiple_of(2);
        std::iter::once(vm.clone()).chain(is_set.then_some(other)).collect::<Vec<_>>()
    };
    set.vms = problem.vms.iter().enumerate().flat_map(more).collect();
    set
}

/// A plan has something chosen of its VM only where the VM as it comes has none for the money; each size is there once.
#[track_caller]
fn are_worth_it(plain: &Problem, set: &Problem, seed: u64) {
    let (answer, without) = (solve(set), solve(plain));
    let on = |vm: &str| without.plans.iter().find(|plan| plain.vms[plan.vm].name == vm).map(|plan| plan.cost);
    let name = |plan: &Plan| set.vms[plan.vm].name.clone();
    let mut seen = BTreeSet::new();
    for plan in &answer.plans {
        assert!(seen.insert(name(plan)), "DW_SEED={seed}: {} twice", name(plan));
        let known = on(&name(plan));
        match set.vms[plan.vm].is_set() {
            true => assert!(known.is_none_or(|cost| plan.cost < cost), "DW_SEED={seed}: {plan:?}"),
            false => assert!(known.is_none_or(|cost| plan.cost == cost), "DW_SEED={seed}: {plan:?}"),
        }
    }
    // Nobody gives up a network for fewer disks.
    let is_set = |answer: &dw_planner::Answer| answer.plans.first().is_some_and(|plan| set.vms[plan.vm].is_set());
    assert!(is_set(&answer) || !is_set(&simpler(set, answer.clone(), BAND_PERCENT)), "DW_SEED={seed}");
    assert_eq!(answer.certificate.offered, without.certificate.offered, "DW_SEED={seed}");
    assert!(answer.certificate.cost <= without.certificate.cost, "DW_SEED={seed}");
}

#[track_caller]
fn compare_of(problem: &Problem, seed: u64, shape: Shape) -> bool {
    let (answer, expected) = (solve(problem), brute_force(problem));
    // From the fewest disks on, each that is cheaper than all before.
    let mut curve: Vec<(u32, Money)> = Vec::new();
    for (disks, cost) in expected {
        if curve.last().is_none_or(|last| cost < last.1) {
            curve.push((disks, cost));
        }
    }
    curve.reverse();
    let found = answer.plans.first().map_or(Vec::new(), |cheapest| by_disks(problem, cheapest, Money::MAX));
    let mut costs: Vec<(u32, Money)> = found.iter().map(|plan| (plan.disk_count(), plan.cost)).collect();
    // Of two VM sizes at one cost the smaller comes first, whatever the number of disks on it.
    costs.dedup_by(|fewer, more| {
        fewer.1 == more.1 && {
            *more = *fewer;
            true
        }
    });
    assert_eq!(costs, curve, "DW_SEED={seed}, {} volumes: {:?}", shape.volumes, answer.plans.first());
    // Of the band every plan may be bought, and the cheapest with each number of disks is in it.
    let planner = Planner::new(problem);
    let band = answer.plans.first().map_or(Vec::new(), |cheapest| planner.within_band(cheapest, BAND_PERCENT));
    let most = answer.certificate.cost.get() as f64 * (1.0 + BAND_PERCENT / 100.0);
    let is_within = |cost: Money| cost.get() as f64 <= most;
    assert!(band.iter().all(|plan| is_within(plan.cost)), "DW_SEED={seed}");
    let is_there =
        |(disks, cost): &(u32, Money)| band.iter().any(|plan| (plan.disk_count(), plan.cost) == (*disks, *cost));
    let licensed = problem.vms.iter().any(|vm| vm.licences > Money::ZERO);
    assert!(licensed || costs.iter().filter(|(_, cost)| is_within(*cost)).all(is_there), "DW_SEED={seed}");
    for plan in answer.plans.iter().chain(&found).chain(&band) {
        let checked = check(problem, plan);
        assert!(checked.holds, "DW_SEED={seed}: {plan:?}: {:?}", checked.faults);
        assert_eq!(checked.failing, plan.failing, "DW_SEED={seed}");
    }
    !found.is_empty()
}

#[test]
fn one_volume_is_as_cheap_as_trying_everything() {
    let shape = Shape { volumes: 1, vms: 8, disks: 6, stripe: 8, free: true, full: true };
    let feasible = seeds(800).into_iter().filter(|seed| compare(*seed, shape)).count();
    assert!(feasible > 400 || seeds(800).len() == 1, "{feasible} of 800 have a plan");
}

#[test]
fn two_volumes_are_as_cheap_as_trying_everything() {
    let free = |seed| seed % 25 == 0;
    let shape = |seed| Shape {
        volumes: 2,
        vms: 4,
        disks: 3,
        stripe: if free(seed) { 2 } else { 3 },
        free: free(seed),
        full: true,
    };
    let feasible = seeds(300).into_iter().filter(|seed| compare(*seed, shape(*seed))).count();
    // Local disks that hold a latency, and percentiles, leave 57.
    assert!(feasible > 50 || seeds(300).len() == 1, "{feasible} of 300 have a plan");
}
