//! What disks carry of requests, and what these wait at the limits of a VM: dealt out slowly.

use dw_catalogue::azure;
use dw_planner::problem::{Problem, Rate, Rates, RouteId, Sample, VmOffer};
use dw_planner::wait_ns;

/// What requests of each volume wait at the limits of a VM to which they are attached so: all of them, and those that go on to disks.
pub fn gate_waits(problem: &Problem, vm: &VmOffer, classes: &[RouteId], hits: &[u32]) -> Vec<(u64, u64)> {
    let is_first = |class: RouteId| matches!(class, azure::UNCACHED | azure::READ_ONLY | azure::READ_WRITE);
    let shares = vm.route(azure::TEMP).is_some_and(|route| route.front.has(azure::CACHED));
    let in_front = |class: RouteId| problem.route(class).has_cache() || class == azure::TEMP && shares;
    let loads = |passes: &dyn Fn(RouteId) -> bool, after_cache: bool, of: fn(&Sample) -> (u64, u64)| -> Vec<u64> {
        let at = |stamp: usize| -> u64 {
            let here = problem.volumes.iter().zip(classes).zip(hits).filter(|((_, class), _)| passes(**class));
            here.map(|((volume, _), hit)| {
                let (read, written) = of(&volume.samples[stamp]);
                let hit = if after_cache { u128::from(*hit) } else { 0 };
                (u128::from(read) * (1_000_000 - hit)).div_ceil(1_000_000) as u64 + written
            })
            .sum()
        };
        (0..problem.stamps).map(at).collect()
    };
    // The highest load of the stamps that the limit carries.
    let both_ways = |gate: Rates, requests: Vec<u64>, bytes: Vec<u64>| {
        let failed = [failing(problem, gate.iops, &requests), failing(problem, gate.bytes, &bytes)];
        let held = |load: &[u64]| {
            (0..load.len()).filter(|&t| !failed[0][t] && !failed[1][t]).map(|t| load[t]).max().unwrap_or(0)
        };
        wait_ns(problem, gate, 1, (held(&requests), held(&bytes)))
    };
    let wait = |gate: Rates, passes: &dyn Fn(RouteId) -> bool, after_cache: bool| {
        let requests = loads(passes, after_cache, |s| (s.reads, s.writes));
        both_ways(gate, requests, loads(passes, after_cache, |s| (s.read_bytes, s.write_bytes)))
    };
    let has = |passes: &dyn Fn(RouteId) -> bool| classes.iter().any(|class| passes(*class));
    let is_second = |class: RouteId| class == azure::UNCACHED_V2;
    let (mut first, mut second, mut all) = (vm.gates[azure::FIRST], vm.gates[azure::SECOND], Rates::default());
    let is_one_budget = vm.gates[azure::ALL] != Rates::default();
    if is_one_budget && has(&is_first) && has(&is_second) {
        // The wider of the two is of all, the other of its own kind.
        let narrow = |a: &mut Option<Rate>, b: &mut Option<Rate>| {
            let top = |rate: &Option<Rate>| rate.map(|rate| (rate.base, rate.burst.map_or(rate.base, |burst| burst.0)));
            let wider = if top(a) < top(b) { *b } else { *a };
            let (of_a, of_b) = (top(a), top(b));
            *a = a.filter(|_| of_a < of_b);
            *b = b.filter(|_| of_b < of_a);
            wider
        };
        all.iops = narrow(&mut first.iops, &mut second.iops);
        all.bytes = narrow(&mut first.bytes, &mut second.bytes);
    }
    let both = wait(all, &|class| is_first(class) || is_second(class), true);
    let steps = |ns: u64| ns.div_ceil(20_000) * 20_000;
    let (front, own) =
        (steps(wait(vm.gates[azure::CACHED], &in_front, false)), steps(wait(first, &is_first, true) + both));
    let other = steps(wait(second, &is_second, true) + both);
    let is_temp = |class: RouteId| class == azure::TEMP;
    let of_reads = both_ways(
        vm.gates[azure::LOCAL_READS],
        loads(&is_temp, false, |s| (s.reads, 0)),
        loads(&is_temp, false, |s| (s.read_bytes, 0)),
    );
    let of_writes = both_ways(
        vm.gates[azure::LOCAL_WRITES],
        loads(&is_temp, false, |s| (0, s.writes)),
        loads(&is_temp, false, |s| (0, s.write_bytes)),
    );
    let local = steps(wait(vm.gates[azure::LOCAL], &is_temp, false) + of_reads.max(of_writes));
    let of = |class: &RouteId| match *class {
        azure::UNCACHED => (0, own),
        azure::READ_ONLY | azure::READ_WRITE => (front, own),
        azure::UNCACHED_V2 => (0, other),
        _ => (if in_front(azure::TEMP) { front } else { 0 }, local),
    };
    classes.iter().map(of).collect()
}

/// Stamps in which a rate is exceeded, its credits spent a stamp at a time, twice over.
fn failing(problem: &Problem, rate: Option<Rate>, loads: &[u64]) -> Vec<bool> {
    let Some(rate) = rate else { return vec![false; loads.len()] };
    let usable = |rate: u64| (u128::from(rate) * u128::from(problem.utilisation) / 1_000_000) as i128;
    let base = usable(rate.base);
    let (top, full) = match rate.burst.filter(|_| problem.bursting) {
        Some((top, credits)) => (usable(top).max(base), i128::from(credits) * 1_000_000_000),
        None => (base, 0),
    };
    let (mut left, mut failed) = (full, vec![false; loads.len()]);
    for t in (0..loads.len()).chain(0..loads.len()) {
        let change = (base - i128::from(loads[t]).min(top)) * i128::from(problem.interval.ns());
        failed[t] |= i128::from(loads[t]) > top || left + change < 0;
        left = (left + change).clamp(0, full);
    }
    failed
}

/// I/Os that the disks of a stripe get of requests, which begin at every multiple of 4 KiB that they can come to.
pub fn disk_ios(requests: u64, moved: u64, disks: u64, unit: u64, own: Option<u64>) -> u64 {
    const PAGE: u64 = 4_096;
    let one = |size: u64| -> (u64, u64) {
        let begins = (0..unit / PAGE).map(|turn| turn * size % unit);
        let touched = |begin: u64| if disks > 1 { ((begin + size).div_ceil(unit)).min(disks) } else { 1 };
        let counted = own.map_or(1, |own| size.div_ceil(own));
        let turns = unit / PAGE;
        (begins.map(touched).sum::<u64>().max(counted * turns), turns)
    };
    if requests == 0 {
        return 0;
    }
    let small = (moved / requests / PAGE).max(1) * PAGE;
    let larger = moved.saturating_sub(small * requests).div_ceil(PAGE).min(requests);
    let ((a, turns), (b, _)) = (one(small), one(small + PAGE));
    ((requests - larger) * a + larger * b).div_ceil(turns)
}
