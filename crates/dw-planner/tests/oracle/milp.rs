//! The exact search against a MILP: `milp_model.rs` has the programme.

use dw_catalogue::Money;
use dw_planner::solve;

use crate::oracle::milp_model::milp;
use crate::oracle::random::{Shape, problem};
use crate::oracle::seeds;

fn compare(seed: u64, shape: Shape) -> bool {
    let problem = problem(seed, shape);
    let found = solve(&problem).plans.first().map(|plan| plan.cost);
    assert_eq!(found, milp(&problem).map(Money::micros), "DW_SEED={seed}, {} volumes", shape.volumes);
    found.is_some()
}

#[test]
fn three_volumes_are_as_cheap_as_the_milp() {
    let shape = Shape { volumes: 3, vms: 10, disks: 5, stripe: 6, free: false, full: false };
    let feasible = seeds(150).into_iter().filter(|seed| compare(*seed, shape)).count();
    assert!(feasible > 40 || seeds(150).len() == 1, "{feasible} of 150 have a plan");
}

#[test]
fn four_volumes_are_as_cheap_as_the_milp() {
    let shape = Shape { volumes: 4, vms: 12, disks: 4, stripe: 4, free: false, full: false };
    let feasible = seeds(100).into_iter().filter(|seed| compare(*seed, shape)).count();
    assert!(feasible > 20 || seeds(100).len() == 1, "{feasible} of 100 have a plan");
}
