//! The same problems as a mixed-integer linear programme, solved by another's solver.
//!
//! One stamp, disks of fixed size, and hit ratios that do not depend on the VM: then every limit is linear. A binary for each
//! VM, and one for each volume, disk, number of disks and way to attach; one VM, one choice a volume, the VM's limits as rows.

use super::used::{by_use, paid};
use dw_catalogue::azure;
use dw_catalogue::gate::Tags;
use dw_planner::latency::{Served, Waits, disk_wait_ns, on_disks};
use dw_planner::problem::*;

use super::carried::{disk_ios, gate_waits};
use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, Variable};

/// What a choice puts on the uncached and on the cached limit, in IOPS and bytes, and on the disks.
struct Column {
    price: u64,
    slots: u32,
    uncached: (u64, u64),
    cached: (u64, u64),
    needs: Tags,
    is_cached: bool,
}

/// With one curve end far below any cache the hit ratio does not depend on the VM.
fn hit(problem: &Problem, volume: &Volume, class: RouteId) -> u32 {
    let curve = volume.hits.as_ref().filter(|_| problem.route(class).has_cache());
    curve.map_or(0, |curve| curve.points[0].1.min(volume.hit_max))
}

/// The ways to serve a volume that is attached so, each with what its requests wait at the VM's limits.
fn columns(problem: &Problem, volume: &Volume, ways: &[(RouteId, (u64, u64))]) -> Vec<Column> {
    let s = volume.samples[0];
    let mut all = Vec::new();
    for &(class, (front, behind)) in ways {
        let hit = hit(problem, volume, class);
        let missing = |n: u64| (u128::from(n) * u128::from(1_000_000 - hit)).div_ceil(1_000_000) as u64;
        let (reads, read_bytes) = (missing(s.reads), missing(s.read_bytes));
        for &offer in &volume.disks {
            let disk = &problem.disks[offer];
            let DiskKind::Fixed { gib, iops, bytes, price } = &disk.kind else { continue };
            if problem.route(class).has_cache() && (*gib > 4_095 || disk.shared.is_some()) {
                continue;
            }
            for n in u64::from(volume.disks_min)..=u64::from(volume.disks_max) {
                let pieces = |requests: u64, moved: u64| {
                    disk_ios(requests, moved, n, volume.stripe_unit.get(), disk.io_unit.map(|unit| unit.get()))
                };
                let load = pieces(reads, read_bytes) + pieces(s.writes, s.write_bytes);
                let gate = Rates { iops: Some(iops.times(n)), bytes: Some(bytes.times(n)) };
                let carried = (load, read_bytes + s.write_bytes);
                let streams = s.streams();
                let wait = disk_wait_ns(problem, volume, gate, n as u32, carried, streams);
                let served = Served {
                    cache: problem.route(class).cache,
                    hit,
                    service: on_disks(disk, volume, n as u32, streams),
                };
                if !served.holds(problem, volume, &s, Waits { front, behind: behind + wait }, |_, _| false) {
                    continue;
                }
                let usable = |base: u64| u128::from(base * n) * u128::from(problem.utilisation) / 1_000_000;
                if u128::from(load) > usable(iops.base)
                    || u128::from(read_bytes + s.write_bytes) > usable(bytes.base)
                    || gib * n < volume.capacity_gib
                {
                    continue;
                }
                let all_of_it = (s.reads + s.writes, s.read_bytes + s.write_bytes);
                all.push(Column {
                    price: (paid(disk, n, *price) + by_use(problem, volume, disk, n, hit)).get(),
                    slots: n as u32,
                    uncached: (reads + s.writes, read_bytes + s.write_bytes),
                    cached: if problem.route(class).has_cache() { all_of_it } else { (0, 0) },
                    needs: disk.needs,
                    is_cached: problem.route(class).has_cache(),
                });
            }
        }
    }
    all
}

/// The least cost, in millionths; nothing when nothing meets the demand. Where a latency is asked for, the waits at the VM's limits
/// depend on the VM and on how all volumes are attached: a programme for each of those.
pub fn milp(problem: &Problem) -> Option<u64> {
    let will_do = |vm: &&VmOffer| {
        vm.barred.is_none()
            && u128::from(vm.vcpu) * 1_000 * u128::from(vm.speed) >= u128::from(problem.cpu_milli) * 1_000_000
            && vm.vcpu >= problem.vcpu_min
            && vm.memory_mib.unwrap_or(0) >= problem.memory_mib
    };
    let vms: Vec<&VmOffer> = problem.vms.iter().filter(will_do).collect();
    if !problem.volumes.iter().any(Volume::has_latency_max) {
        let ways = |v: &Volume| v.classes.iter().map(|class| (*class, (0, 0))).collect();
        return least(problem, &vms, &problem.volumes.iter().map(ways).collect::<Vec<_>>(), u64::MAX);
    }
    let mut attached: Vec<Vec<RouteId>> = vec![vec![]];
    for volume in &problem.volumes {
        let longer = |start: &Vec<RouteId>| {
            let with = |class: &RouteId| [start.as_slice(), &[*class]].concat();
            volume.classes.iter().map(with).collect::<Vec<_>>()
        };
        attached = attached.iter().flat_map(longer).collect();
    }
    let mut best: Option<u64> = None;
    for vm in &vms {
        for classes in &attached {
            let hits: Vec<u32> =
                problem.volumes.iter().zip(classes).map(|(v, class)| hit(problem, v, *class)).collect();
            let waits = gate_waits(problem, vm, classes, &hits);
            let ways: Vec<Vec<_>> = classes.iter().copied().zip(waits).map(|way| vec![way]).collect();
            best = least(problem, &[vm], &ways, best.unwrap_or(u64::MAX)).or(best);
        }
    }
    best
}

/// The least cost with these VMs and ways to attach each volume, where it is below `known`.
fn least(problem: &Problem, vms: &[&VmOffer], ways: &[Vec<(RouteId, (u64, u64))>], known: u64) -> Option<u64> {
    if vms.iter().all(|vm| vm.price.get() >= known) {
        return None;
    }
    let mut lp = microlp::Problem::new(OptimizationDirection::Minimize);
    let dollars = |micros: u64| micros as f64 / 1e6;
    let vms: Vec<(&VmOffer, Variable)> =
        vms.iter().map(|vm| (*vm, lp.add_binary_var(dollars(vm.price.get())))).collect();
    let volumes: Vec<Vec<(Column, Variable)>> = problem
        .volumes
        .iter()
        .zip(ways)
        .map(|(v, ways)| {
            columns(problem, v, ways)
                .into_iter()
                .map(|c| {
                    let x = lp.add_binary_var(dollars(c.price));
                    (c, x)
                })
                .collect()
        })
        .collect();
    // Nothing costs less than the cheapest of each, and most ways to attach need not be solved to see that they are dearer.
    let vm = vms.iter().map(|(vm, _)| vm.price.get()).min()?;
    let cheapest = volumes.iter().map(|list| list.iter().map(|(column, _)| column.price).min());
    if cheapest.sum::<Option<u64>>()? + vm >= known {
        return None;
    }
    let one = |expr: LinearExpr, lp: &mut microlp::Problem| lp.add_constraint(expr, ComparisonOp::Eq, 1.0);
    let mut sum = LinearExpr::empty();
    vms.iter().for_each(|(_, y)| sum.add(*y, 1.0));
    one(sum, &mut lp);
    for list in &volumes {
        let mut sum = LinearExpr::empty();
        list.iter().for_each(|(_, x)| sum.add(*x, 1.0));
        one(sum, &mut lp);
    }
    // Σ load ≤ Σ capacity of the chosen VM; scaled so that rows are of one magnitude.
    type Take = (fn(&Column) -> f64, fn(&VmOffer, f64) -> f64);
    let rows: [Take; 5] = [
        (|c| f64::from(c.slots), |vm, _| f64::from(vm.slots)),
        (|c| c.uncached.0 as f64, |vm, u| (vm.gates[azure::FIRST].iops.unwrap().base as f64 * u).floor()),
        (|c| c.uncached.1 as f64 / 1e4, |vm, u| (vm.gates[azure::FIRST].bytes.unwrap().base as f64 * u).floor() / 1e4),
        (|c| c.cached.0 as f64, |vm, u| (vm.gates[azure::CACHED].iops.unwrap().base as f64 * u).floor()),
        (|c| c.cached.1 as f64 / 1e4, |vm, u| (vm.gates[azure::CACHED].bytes.unwrap().base as f64 * u).floor() / 1e4),
    ];
    let used = f64::from(problem.utilisation) / 1e6;
    for (load, capacity) in rows {
        let mut row = LinearExpr::empty();
        volumes.iter().flatten().for_each(|(c, x)| row.add(*x, load(c)));
        vms.iter().for_each(|(vm, y)| row.add(*y, -capacity(vm, used)));
        lp.add_constraint(row, ComparisonOp::Le, 0.0);
    }
    for list in &volumes {
        for (needs, has) in [
            (
                (|c: &Column| c.needs.cover(azure::PREMIUM)) as fn(&Column) -> bool,
                (|vm: &VmOffer| vm.has.cover(azure::PREMIUM)) as fn(&VmOffer) -> bool,
            ),
            (|c| c.needs.cover(azure::ULTRA), |vm| vm.has.cover(azure::ULTRA)),
            (|c| c.is_cached, |vm| vm.cache.get() > 0),
        ] {
            let mut row = LinearExpr::empty();
            list.iter().filter(|(c, _)| needs(c)).for_each(|(_, x)| row.add(*x, 1.0));
            vms.iter().filter(|(vm, _)| has(vm)).for_each(|(_, y)| row.add(*y, -1.0));
            lp.add_constraint(row, ComparisonOp::Le, 0.0);
        }
    }
    let microlp::SolveOutcome::Solution(solution) = lp.solve().ok()? else { return None };
    let cost = (solution.objective() * 1e6).round() as u64;
    (cost < known && problem.cost_max.is_none_or(|most| cost <= most.get())).then_some(cost)
}
