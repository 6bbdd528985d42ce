//! What must be true of every answer, whatever the offers.

use dw_catalogue::Money;
use dw_planner::problem::*;
use dw_planner::{Limit, Plan, Planner, WhyNot, cheaper_but_for, check, solve, why_infeasible, why_not};

use crate::oracle::random::{Draws, Shape, problem};
use crate::oracle::seeds;

const SHAPE: Shape = Shape { volumes: 2, vms: 12, disks: 5, stripe: 6, free: true, full: true };

fn cost(problem: &Problem) -> Option<Money> {
    solve(problem).plans.first().map(|plan| plan.cost)
}

/// No plan is dearer than any.
fn dear(cost: Option<Money>) -> Money {
    cost.unwrap_or(Money::MAX)
}

/// Requests wait at a gate in the stamps that it holds: a lower load, which it holds in more of them, may wait longer in one.
fn unhurried_where_stamps_may_fail(problem: &mut Problem) {
    if problem.violations_allowed > 0 {
        problem.volumes.iter_mut().for_each(|volume| volume.latency_max = Default::default());
    }
}

#[test]
fn less_demand_is_never_dearer() {
    for seed in seeds(150) {
        // Loads only: with credits a lower load also earns less time to be judged by, and shares of the cache move with it.
        let mut more = problem(seed, SHAPE);
        more.volumes.iter_mut().for_each(|v| v.hits = None);
        unhurried_where_stamps_may_fail(&mut more);
        let mut less = more.clone();
        for sample in less.volumes.iter_mut().flat_map(|v| v.samples_mut()) {
            for value in [&mut sample.reads, &mut sample.writes, &mut sample.read_bytes, &mut sample.write_bytes] {
                *value = *value * 9 / 10;
            }
        }
        // The size of an I/O stays what it was, to the rounding; without units it does not matter.
        for p in [&mut more, &mut less] {
            p.disks.iter_mut().for_each(|disk| disk.io_unit = None);
            p.volumes.iter_mut().for_each(|v| v.stripe_unit = dw_units::Bytes::gib(1));
        }
        assert!(dear(cost(&less)) <= dear(cost(&more)), "DW_SEED={seed}");
    }
}

#[test]
fn more_offers_are_never_dearer_and_losing_the_answer_is_never_cheaper() {
    for seed in seeds(150) {
        let all = problem(seed, SHAPE);
        let mut fewer = all.clone();
        fewer.vms.remove(Draws::new(seed).range(0, fewer.vms.len() as u64 - 1) as usize);
        assert!(dear(cost(&all)) <= dear(cost(&fewer)), "DW_SEED={seed}");
        let answer = solve(&all);
        let Some(best) = answer.plans.first() else { continue };
        let mut without = all.clone();
        without.vms.remove(best.vm);
        let next = cost(&without);
        assert!(dear(next) >= best.cost, "DW_SEED={seed}");
        assert_eq!(answer.certificate.runner_up, next, "DW_SEED={seed}: the runner-up is the best on another VM size");
    }
}

#[test]
fn prices_that_double_double_the_cost() {
    for seed in seeds(150) {
        let mut once = problem(seed, SHAPE);
        once.cost_max = None;
        // What is billed by use, and what several VMs divide, is rounded once.
        once.disks.iter_mut().for_each(|disk| (disk.usage, disk.shared) = (None, None));
        let mut twice = once.clone();
        twice.vms.iter_mut().for_each(|vm| vm.price = vm.price * 2);
        for disk in &mut twice.disks {
            match &mut disk.kind {
                DiskKind::Fixed { price, .. } => *price = *price * 2,
                DiskKind::Free(free) => {
                    free.price = (free.price.0 * 2, free.price.1 * 2, free.price.2 * 2);
                    free.base = free.base * 2;
                }
            }
        }
        assert_eq!(cost(&once).map(|cost| cost * 2), cost(&twice), "DW_SEED={seed}");
    }
}

#[test]
fn the_order_of_volumes_does_not_matter() {
    for seed in seeds(150) {
        let one = problem(seed, Shape { volumes: 3, ..SHAPE });
        let mut other = one.clone();
        other.volumes.rotate_left(1);
        assert_eq!(cost(&one), cost(&other), "DW_SEED={seed}");
    }
}

#[test]
fn a_volume_that_asks_nothing_more_is_never_cheaper_to_add() {
    for seed in seeds(100) {
        let mut two = problem(seed, SHAPE);
        unhurried_where_stamps_may_fail(&mut two);
        let mut one = two.clone();
        one.volumes.pop();
        one.volumes.iter_mut().for_each(|v| v.hits = None);
        let mut both = two.clone();
        both.volumes.iter_mut().for_each(|v| v.hits = None);
        assert!(dear(cost(&one)) <= dear(cost(&both)), "DW_SEED={seed}");
    }
}

#[test]
fn the_certificate_is_below_every_plan() {
    for seed in seeds(150) {
        let answer = solve(&problem(seed, SHAPE));
        for plan in &answer.plans {
            assert!(answer.certificate.bound <= plan.cost, "DW_SEED={seed}");
        }
        if let Some(best) = answer.plans.first() {
            assert_eq!(answer.certificate.bound, best.cost, "DW_SEED={seed}: the search proves what it finds");
        }
    }
}

/// The limit that is named is exceeded by the plan that ignores it, and by nothing else.
#[test]
fn why_not_names_a_limit_that_binds() {
    let (mut binding, mut cheaper) = (0, 0);
    for seed in seeds(60) {
        let problem = problem(seed, SHAPE);
        let best = cost(&problem);
        let vms: Vec<usize> = (0..problem.vms.len()).collect();
        for (vm, limit, plan) in best.map(|best| cheaper_but_for(&problem, &vms, best)).unwrap_or_default() {
            let alone = WhyNot::Binds { limit, plan: plan.clone() };
            assert!(Some(plan.cost) < best && !check(&problem, &plan).holds, "DW_SEED={seed}: {vm} {limit:?}");
            // Another limit may bind where the plan without it costs more than the answer.
            cheaper += usize::from(why_not(&problem, &[vm], best)[0] == alone);
        }
        for why in why_not(&problem, &vms, best) {
            match why {
                WhyNot::Costs { plan, .. } => assert!(check(&problem, &plan).holds && Some(plan.cost) >= best),
                WhyNot::Cheaper { plan, .. } => {
                    panic!("DW_SEED={seed}: nothing is cheaper than the cheapest: {plan:?}")
                }
                WhyNot::Binds { limit, plan } => {
                    let checked = check(&problem, &plan);
                    assert!(!checked.holds, "DW_SEED={seed}: {limit:?} does not bind {plan:?}");
                    let over: Vec<Limit> = checked.uses.iter().filter(|u| u.failing > 0).map(|u| u.limit).collect();
                    // What is exceeded is waited at, which a latency sees, too.
                    let over_alone =
                        over.iter().all(|o| *o == limit || o.is_latency()) || problem.violations_allowed > 0;
                    assert!(over_alone, "DW_SEED={seed}: {limit:?}, exceeded {over:?}");
                    binding += 1;
                }
                WhyNot::Conflict(limits) => assert!(!limits.is_empty(), "DW_SEED={seed}"),
                WhyNot::Unknown => panic!("DW_SEED={seed}: so few ways are gone through"),
            }
        }
    }
    assert!(binding > 50 && cheaper > 5 || seeds(60).len() == 1, "{binding}");
}

/// A search that ends early blames no limit where there is a plan.
#[test]
fn what_was_not_gone_through_is_unknown() {
    let mut unknown = 0;
    for seed in seeds(60) {
        let problem = problem(seed, SHAPE);
        let vms: Vec<usize> = (0..problem.vms.len()).collect();
        let all = why_not(&problem, &vms, None);
        for work in [0, 40, 400] {
            let found = Planner::new(&problem).working(work).why_not(&vms, None);
            for (found, all) in found.iter().zip(&all) {
                match found {
                    WhyNot::Unknown => unknown += 1,
                    // A plan that costs more may be the best that was found.
                    WhyNot::Costs { .. } | WhyNot::Cheaper { .. } => {
                        assert!(matches!(all, WhyNot::Costs { .. } | WhyNot::Cheaper { .. }), "DW_SEED={seed}: {work}");
                    }
                    WhyNot::Binds { .. } | WhyNot::Conflict(_) => {
                        assert!(
                            matches!(all, WhyNot::Binds { .. } | WhyNot::Conflict(_)),
                            "DW_SEED={seed}: {work}, {all:?}"
                        );
                    }
                }
            }
        }
    }
    assert!(unknown > 20 || seeds(60).len() == 1, "{unknown}");
}

/// A search that ends early says of which plans it does not know that nothing is cheaper.
#[test]
fn what_is_proved_of_fewer_disks_is_so() {
    let mut unknown = 0;
    for seed in seeds(100) {
        let problem = problem(seed, SHAPE);
        let Some(cheapest) = solve(&problem).plans.into_iter().next() else { continue };
        let all = Planner::new(&problem).curve(&cheapest, true, Money::MAX);
        assert!(all.proved.iter().all(|proved| *proved), "DW_SEED={seed}");
        for work in [0, 40, 400] {
            let found = Planner::new(&problem).working(work).curve(&cheapest, true, Money::MAX);
            // Fewer than none there are not.
            let mut most = Some(u32::MAX);
            let is_within = |plan: &Plan, most: Option<u32>| most.is_some_and(|most| plan.disk_count() <= most);
            for (plan, proved) in found.plans.iter().zip(&found.proved) {
                let least = all.plans.iter().filter(|plan| is_within(plan, most)).map(|plan| plan.cost).min();
                assert!(!proved || least == Some(plan.cost), "DW_SEED={seed}: {work}, {plan:?}");
                most = plan.disk_count().checked_sub(1);
                unknown += usize::from(!proved);
            }
            let fewer = all.plans.iter().any(|plan| is_within(plan, most));
            assert!(found.proved.last() == Some(&false) || !fewer, "DW_SEED={seed}: {work}");
        }
    }
    assert!(unknown > 5 || seeds(100).len() == 1, "{unknown}");
}

/// A limit of a conflict whose absence alone makes a plan possible comes with that plan.
#[test]
fn a_conflict_is_small_and_the_nearest_miss_holds_what_it_says() {
    let mut seen = 0;
    for seed in seeds(200) {
        let problem = problem(seed, SHAPE);
        if cost(&problem).is_some() {
            continue;
        }
        let conflict = why_infeasible(&problem);
        assert!(!conflict.limits.is_empty(), "DW_SEED={seed}");
        assert_eq!(conflict.limits.len(), conflict.without.len());
        if let Some(miss) = &conflict.miss {
            // What it does not meet is what was eased, and a share is one of a load.
            let has_rate = miss.broken.iter().any(|used| used.limit.is_rate());
            assert_eq!(miss.share < ONE, has_rate, "DW_SEED={seed}: {miss:?}");
            // A cost is no limit that a check knows.
            let is_dearer = miss.eased == [Limit::Cost];
            assert!(!miss.eased.is_empty() && miss.broken.is_empty() == is_dearer, "DW_SEED={seed}: {miss:?}");
            // Where less load was asked for so that requests wait less, what it misses of all is latencies.
            let late: Vec<Limit> =
                miss.broken.iter().map(|used| used.limit).filter(|limit| limit.is_latency()).collect();
            let of_conflict = miss.eased.iter().all(|limit| conflict.limits.contains(limit));
            assert!(of_conflict || miss.eased == late, "DW_SEED={seed}: {conflict:?}");
        }
        seen += 1;
    }
    assert!(seen > 5 || seeds(200).len() == 1, "{seen}");
}
