//! The search against the check alone, where there is too much to try everything: what one says of a plan the other says, too.

use std::collections::BTreeSet;

use dw_catalogue::Money;
use dw_planner::{by_disks, check, solve};

use crate::oracle::random::{Shape, problem};
use crate::oracle::seeds;

#[test]
fn the_check_finds_what_the_search_claims() {
    let mut checked = BTreeSet::new();
    for seed in seeds(400) {
        let volumes = 1 + seed as usize % 4;
        let problem = problem(seed, Shape { volumes, vms: 8, disks: 6, stripe: 6, free: seed % 3 == 0, full: true });
        let answer = solve(&problem);
        let (plans, certificate) = (answer.plans, answer.certificate);
        assert_eq!(certificate.bound, certificate.cost, "DW_SEED={seed}: of a few volumes the cheapest is proved");
        let fewer = plans.first().map_or(Vec::new(), |cheapest| by_disks(&problem, cheapest, Money::MAX));
        for plan in plans.iter().chain(&fewer) {
            let found = check(&problem, plan);
            assert_eq!(
                (found.failing, found.faults, found.holds),
                (plan.failing.clone(), vec![], true),
                "DW_SEED={seed}"
            );
            checked.extend(plan.volumes.iter().map(|volume| (volume.class, plan.failing.len())));
        }
    }
    assert!(checked.len() > 10 || seeds(400).len() == 1, "{checked:?}");
}

/// What thirty devices of a recording are: more ways to attach them than can be gone through.
#[test]
fn of_many_volumes_there_is_an_answer_whose_bound_is_true() {
    let (mut planned, mut proved) = (0, 0);
    for seed in seeds(24) {
        let volumes = [12, 20, 30, 40][seed as usize % 4];
        let shape = Shape { volumes, vms: 6, disks: 6, stripe: 4, free: seed % 3 == 0, full: seed % 2 == 0 };
        let mut problem = problem(seed, shape);
        problem.vms.iter_mut().for_each(|vm| vm.slots = 64);
        let answer = solve(&problem);
        let Some(best) = answer.plans.first() else { continue };
        assert!(check(&problem, best).holds, "DW_SEED={seed}");
        assert!(answer.certificate.bound <= best.cost, "DW_SEED={seed}");
        planned += 1;
        proved += usize::from(answer.certificate.bound == best.cost);
        // With more to choose from nothing may cost less than the bound says.
        for doubled in 1..3 {
            let mut fewer = problem.clone();
            fewer.vms.retain(|vm| vm.vcpu >= 1 << doubled);
            let cost = solve(&fewer).plans.first().map_or(Money::MAX, |plan| plan.cost);
            assert!(cost >= answer.certificate.bound, "DW_SEED={seed}");
        }
    }
    assert!(planned > 3 && proved > 1 || seeds(24).len() == 1, "{planned} planned, {proved} proved");
}
