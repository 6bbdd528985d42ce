//! The planner on the full current catalogue, next to a MILP solver on the same problem.
//!
//! Every VM size with complete limits and every disk is offered. Most disks have no known price, and what is measured is the
//! search, so all get one from their size and their limits: plausible, and said by nobody.

use std::sync::Arc;

use diskwright::{Demand, PlanOptions, Session};
use dw_catalogue::Catalogue;
use dw_catalogue::azure;
use dw_demand::wishes::{OwnPrice, Role, VolumeWishes, Wishes};
use dw_demand::{DemandSeries, Levels, Provenance, Requirements, VolumeRequirements};
use dw_planner::problem::{DiskKind, HitCurve, Problem, Sample};
use dw_planner::{Planner, build, check, solve};
use dw_units::{Bytes, CacheMode, Duration, Throughput};

use crate::bench::{Bench, Row, Sample as Measured, Size, Target, Unit};
use crate::clock;

// The programme of the tests, so that both are measured on what was shown to agree.
#[path = "../../crates/dw-planner/tests/oracle/carried.rs"]
mod carried;
#[path = "../../crates/dw-planner/tests/oracle/milp_model.rs"]
mod milp_model;
#[path = "../../crates/dw-planner/tests/oracle/used.rs"]
mod used;

pub fn bench() -> Bench {
    let row = |name, goal: Option<f64>, peer, run| {
        let target = goal.map(|goal| Target::Figure { goal, floor: f64::INFINITY });
        Row { name, unit: Unit::Milliseconds, target, peer, run }
    };
    Bench {
        name: "planner",
        is_for: "how long a plan takes on everything that is on sale",
        not_for: "reading the catalogue and the requirements; prices that no source gives are made up",
        rows: vec![
            row("1 volume", Some(50.0), None, |size| Ok(one_stamp(size, 1))),
            row("2 volumes", Some(50.0), None, |size| Ok(one_stamp(size, 2))),
            row("3 volumes", Some(50.0), None, |size| Ok(one_stamp(size, 3))),
            row("4 volumes", Some(50.0), None, |size| Ok(one_stamp(size, 4))),
            row("6 volumes", Some(1_000.0), None, |size| Ok(one_stamp(size, 6))),
            row("8 volumes", Some(500.0), None, |size| Ok(one_stamp(size, 8))),
            row("16 volumes", Some(20.0), None, |size| Ok(one_stamp(size, 16))),
            row("30 volumes", Some(50.0), None, |size| Ok(one_stamp(size, 30))),
            row("4 volumes, every type of the other vendor", Some(5.0), None, |size| Ok(of_the_other_vendor(size, 4))),
            row("4 volumes, 30 days of minutes", Some(50.0), None, |size| Ok(a_month(size, 4))),
            row("30 volumes, a day at ten seconds", Some(200.0), None, |size| Ok(timed(&a_day(size).0))),
            row("30 volumes, a day, limits of cheaper sizes", Some(500.0), None, |size| Ok(cheaper_sizes(size))),
            row("30 volumes, a day, all there is to choose", Some(2_500.0), None, all_choices),
            // Ten seconds on two processors, measured on one.
            row("10,000 single volumes", Some(20_000.0), None, |size| Ok(fleet(size))),
            row("2 volumes, linear", None, Some("planner/2 volumes, MILP"), |size| Ok(linear(size, 2, false))),
            row("2 volumes, MILP", None, None, |size| Ok(linear(size, 2, true))),
            row("4 volumes, linear", None, Some("planner/4 volumes, MILP"), |size| Ok(linear(size, 4, false))),
            row("4 volumes, MILP", None, None, |size| Ok(linear(size, 4, true))),
        ],
    }
}

/// What volume `n` asks, and how it may be served.
fn volume(n: usize, scale: u64) -> (VolumeRequirements, VolumeWishes) {
    let flat = |value: f64| {
        Some(Levels { p50: value, p90: value, p95: None, p99: value, max: value, from: Provenance::Asked })
    };
    let n64 = n as u64;
    let (reads, writes) = ((4_000 - 500 * n64.min(6)) * scale / 10, (900 + 150 * n64) * scale / 10);
    let bytes = |rate: u64| {
        let t = Throughput::bytes_per_second(rate * 8_192);
        Some(Levels { p50: t, p90: t, p95: None, p99: t, max: t, from: Provenance::Asked })
    };
    let required = VolumeRequirements {
        name: format!("v{n}"),
        read_iops: flat(reads as f64),
        write_iops: flat(writes as f64),
        read_throughput: bytes(reads),
        write_throughput: bytes(writes),
        ..VolumeRequirements::default()
    };
    // Logs are not cached, all others may be.
    let host_cache = if n % 3 == 1 { vec![CacheMode::None] } else { vec![CacheMode::None, CacheMode::ReadOnly] };
    let wished = VolumeWishes {
        host_cache,
        working_set: Some(Bytes::gib(80 + 60 * n64)),
        ..VolumeWishes::of(Role::Data, Bytes::gib(100 + 300 * n64))
    };
    (required, wished)
}

/// One of so many: of many each asks little, and six kinds come again and again.
fn volume_of(n: usize, volumes: usize) -> (VolumeRequirements, VolumeWishes) {
    if volumes <= 8 {
        return volume(n, 10);
    }
    let (required, wished) = volume(n % 6, 1);
    (VolumeRequirements { name: format!("v{n}"), ..required }, wished)
}

fn asked(volumes: usize) -> (Requirements, Wishes) {
    let (required, wished) = (0..volumes).map(|n| volume_of(n, volumes)).unzip();
    let requirements = Requirements {
        machine: None,
        window: "whole".into(),
        growth: 1.0,
        processors: None,
        cpu_percent: None,
        memory_total: None,
        memory_used: None,
        transactions: None,
        findings: Vec::new(),
        volumes: required,
    };
    let catalogue = Catalogue::embedded();
    let price = |name: &str, meter: &str, micros: u64| OwnPrice {
        name: name.into(),
        meter: meter.into(),
        monthly_micros: micros,
    };
    let mut own_prices = Vec::new();
    for disk in catalogue.disks_as_of(None) {
        let gib = disk.size.max.get() >> 30;
        let iops = disk.base.map_or(0, |base| base.iops.get());
        own_prices.push(price(&disk.sku, "whole", gib * 60_000 + iops * 9_000));
        for (meter, micros) in [("gib", 90_000), ("iops", 6_000), ("mb_per_s", 45_000)] {
            own_prices.push(price(&disk.sku, meter, micros));
        }
    }
    for vm in catalogue.vm_sizes_as_of(None).into_iter().filter(|vm| vm.is_complete()) {
        let known = catalogue.price(&vm.name, dw_catalogue::Meter::Whole, "eastus", None).is_ok();
        if !known {
            let memory = vm.memory_mib.unwrap_or(0);
            own_prices.push(price(&vm.name, "whole", u64::from(vm.vcpu) * 30_000_000 + memory * 3_000));
        }
    }
    let wishes = Wishes {
        vcpu_min: 4,
        memory_min: Bytes::gib(32),
        own_prices,
        volumes: wished,
        ..dw_catalogue::PLAN_KEYS.wishes_in("eastus")
    };
    (requirements, wishes)
}

fn problem(volumes: usize) -> Problem {
    let (requirements, wishes) = asked(volumes);
    build(&requirements, &wishes, Catalogue::embedded()).expect("everything has a price").problem
}

/// Solves once, and checks the plan outside of the time.
fn timed(problem: &Problem) -> Measured {
    let (answer, time) = clock::timed(|| solve(problem));
    let best = answer.plans.first().expect("the demand is small");
    assert!(check(problem, best).holds);
    Measured::timed(problem.vms.len() as u64, time)
}

fn one_stamp(size: Size, volumes: usize) -> Measured {
    timed(&problem(size.pick(if volumes > 8 { 9 } else { volumes.min(2) }, volumes)))
}

/// Everything that the vendor sells whose goods are behind the catalogue's door, whatever key keeps it out, at its own prices.
fn of_the_other_vendor(size: Size, volumes: usize) -> Measured {
    let vendor = dw_catalogue::vendors().into_iter().find(|vendor| vendor.id() != dw_catalogue::vendor().id());
    let id = vendor.expect("there are two").id();
    let catalogue = Catalogue::of_vendor(id).expect("it has goods");
    let keys = dw_catalogue::vendor_keys(id).expect("it has keys");
    let (requirements, own) = asked(size.pick(2, volumes));
    let plain = |volume: VolumeWishes| VolumeWishes { host_cache: vec![CacheMode::None], ..volume };
    let mut wishes = Wishes {
        vcpu_min: own.vcpu_min,
        memory_min: own.memory_min,
        arm: true,
        burstable: true,
        volumes: own.volumes.into_iter().map(plain).collect(),
        ..keys.wishes()
    };
    for key in keys.keys.iter().filter(|key| key.words.is_empty()) {
        wishes.chosen.insert(key.key.name, dw_demand::TRUE);
    }
    let problem = build(&requirements, &wishes, catalogue).expect("its region has prices").problem;
    let open = problem.vms.iter().filter(|vm| vm.barred.is_none()).count();
    assert!(open * 10 > catalogue.vm_sizes_as_of(None).len() * 5, "{open} types may be chosen");
    timed(&problem)
}

fn a_month(size: Size, volumes: usize) -> Measured {
    let (mut requirements, wishes) = asked(size.pick(2, volumes));
    over_time(&mut requirements, size.pick(1_440, 43_200), Duration::from_secs(60));
    timed(&build(&requirements, &wishes, Catalogue::embedded()).expect("everything has a price").problem)
}

/// A day of thirty volumes at ten seconds, and what is asked in it.
fn a_day(size: Size) -> (Problem, Requirements, Wishes) {
    let (mut requirements, wishes) = asked(size.pick(9, 30));
    over_time(&mut requirements, size.pick(144, 8_640), Duration::from_secs(10));
    let built = build(&requirements, &wishes, Catalogue::embedded()).expect("everything has a price");
    (built.problem, requirements, wishes)
}

/// Which limit rules out each size that costs less than the plan.
fn cheaper_sizes(size: Size) -> Measured {
    let (problem, ..) = a_day(size);
    let planner = Planner::new(&problem);
    let best = planner.solve().plans.first().expect("the demand is small").cost;
    let cheaper: Vec<usize> = (0..problem.vms.len()).filter(|vm| problem.vms[*vm].price < best).collect();
    let (_, time) = clock::timed(|| planner.cheaper_but_for(&cheaper, best));
    Measured::timed(cheaper.len() as u64, time)
}

/// A plan with designs, curves, what each requirement costs and what stands against other sizes, on one processor.
fn all_choices(size: Size) -> Result<Measured, String> {
    let (_, requirements, wishes) = a_day(size);
    let session = Session::new(Catalogue::embedded().clone());
    let options = PlanOptions { simulate: false, ..PlanOptions::default() };
    let demand = Demand::new(requirements, wishes);
    let (planned, time) = clock::timed(|| session.plan_with(&demand, &options));
    let designs = planned.map_err(|error| error.what)?.document.designs.len();
    Ok(Measured::timed(designs as u64, time))
}

/// Gives every volume a daily wave, each with its own peak hour.
fn over_time(requirements: &mut Requirements, stamps: usize, interval: Duration) {
    let a_day = (86_400_000_000_000 / interval.ns()) as usize;
    for (n, volume) in requirements.volumes.iter_mut().enumerate() {
        let peak = volume.read_iops.map_or(0.0, |levels| levels.max);
        let rate = |t: usize| {
            let minute = (t * 1_440 / a_day + 240 * n) % 1_440;
            let wave = 300 + minute.min(1_440 - minute) * 600 / 720 + (t * 7_919 + n * 104_729) % 101;
            peak * wave as f64 / 1_000.0
        };
        let reads: Vec<f64> = (0..stamps).map(rate).collect();
        let bytes = |share: f64| reads.iter().map(|r| (r * share * 8_192.0) as u64).collect::<Vec<u64>>();
        volume.series = Some(Arc::new(DemandSeries {
            interval,
            write_iops: reads.iter().map(|r| r * 0.3).collect(),
            read_bytes_per_s: bytes(1.0),
            write_bytes_per_s: bytes(0.3),
            read_iops: reads.clone(),
        }));
    }
}

/// Single volumes of every size, one after the other on one processor.
fn fleet(size: Size) -> Measured {
    let mut problem = problem(1);
    let count = size.pick(5, 10_000);
    let base = problem.volumes[0].samples[0];
    let (feasible, time) = clock::timed(|| {
        let mut feasible = 0u64;
        for n in 0..count {
            let scale = 10 + n * 7_919 % 400;
            let part = |value: u64| value * scale / 100;
            problem.volumes[0].samples_mut()[0] = Sample {
                reads: part(base.reads),
                writes: part(base.writes),
                read_bytes: part(base.read_bytes),
                write_bytes: part(base.write_bytes),
            };
            problem.volumes[0].capacity_gib = 50 + n * 31 % 4_000;
            feasible += u64::from(!solve(&problem).plans.is_empty());
        }
        feasible
    });
    assert_eq!(feasible, count, "every one has a plan");
    Measured::timed(count, time)
}

/// What a MILP can say as well: fixed disks, hits that do not depend on the VM, at most eight disks in a stripe.
fn linear(size: Size, volumes: usize, milp: bool) -> Measured {
    let mut problem = problem(size.pick(2, volumes));
    let fixed: Vec<usize> =
        (0..problem.disks.len()).filter(|&d| matches!(problem.disks[d].kind, DiskKind::Fixed { .. })).collect();
    for volume in &mut problem.volumes {
        volume.disks = size.pick(fixed.iter().copied().step_by(7).collect(), fixed.clone());
        volume.disks_max = size.pick(2, 8);
        volume.hits = volume.hits.as_ref().map(|_| HitCurve::measured(vec![(1 << 20, 600_000)]));
        debug_assert!(volume.classes.contains(&azure::UNCACHED));
    }
    problem.vms.retain(|vm| {
        let [first, cached] = [azure::FIRST, azure::CACHED].map(|gate| vm.gates[gate]);
        first.iops.is_some() && cached.iops.is_some() && cached.bytes.is_some()
    });
    if size == Size::Tiny {
        problem.vms.truncate(40);
    }
    let search = |problem: &Problem| solve(problem).plans.first().map(|plan| plan.cost.get());
    let (found, time) = clock::timed(|| if milp { milp_model::milp(&problem) } else { search(&problem) });
    assert_eq!(found, search(&problem), "the search and the MILP agree");
    Measured::timed(problem.vms.len() as u64, time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_comes_to_a_plan() {
        for row in bench().rows {
            assert!((row.run)(Size::Tiny).unwrap().work > 0, "{}", row.name);
        }
    }
}
