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
        let plans = solve(&problem).plans;
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
