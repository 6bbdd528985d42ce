//! Real catalogues of every vendor against trying everything: a few sizes, one or two volumes, a figure each.

use std::sync::Arc;

use dw_catalogue::{Catalogue, Money, vendors};
use dw_demand::read_for_plan;
use dw_planner::problem::{DiskKind, Problem, RouteId, VmOffer};
use dw_planner::{Disks, Limit, Plan, Planner, VolumePlan, WhyNot, Without, build, check, solve, use_of, why_not};

use crate::oracle::random::Draws;

/// A demand of which nothing is unusual but its figures.
fn demand(seed: u64, vendor: &str, region: &str) -> String {
    let mut d = Draws::new(seed);
    let volumes = d.range(1, 2);
    let mut text = format!(
        "schema_version = 1\n[plan]\nvendor = '{vendor}'\nregion = '{region}'\nvms = ['*']\nhorizon_years = 0\n\
         disk_options = []\nindifference_percent = 0\n"
    );
    for n in 0..volumes {
        let role = ["data", "log", "backup"][d.range(0, 2) as usize];
        let (reads, writes) = (d.range(0, 12) * d.range(1, 1_000), d.range(1, 4_000));
        let (read, write) = (1 << d.range(2, 8), 1 << d.range(2, 8));
        text += &format!(
            "[[volume]]\nname = 'v{n}'\nrole = '{role}'\nhost_cache = ['None']\ncapacity = '{} GiB'\ndisks_max = 3\n\
             read_size = '{read} KiB'\nwrite_size = '{write} KiB'\n\
             read_iops = {{ p50 = {reads}, p90 = {reads}, p99 = {reads}, max = {reads} }}\n\
             write_iops = {{ p50 = {writes}, p90 = {writes}, p99 = {writes}, max = {writes} }}\n",
            d.range(1, 3_000),
        );
    }
    text
}

/// The same of one volume over a day with busy quarters of an hour, so that credits decide.
fn bursty(seed: u64, vendor: &str, region: &str, disks: &[String]) -> String {
    let mut d = Draws::new(seed);
    // What counts as a whole mebibyte is asked so, from front to back.
    let (role, size) = [("data", 1_u64 << d.range(12, 18)), ("backup", 1 << 20)][d.range(0, 1) as usize];
    let (begin, long) = (d.range(0, 90), d.range(1, 6));
    let (quiet, busy) = match role {
        "data" => (d.range(0, 300), d.range(100, 3_500)),
        _ => (d.range(0, 30), d.range(10, 400)),
    };
    let day: Vec<u64> = (0..96).map(|at| if (begin..begin + long).contains(&at) { busy } else { quiet }).collect();
    let bytes: Vec<u64> = day.iter().map(|ios| ios * size).collect();
    let none = vec![0; 96];
    format!(
        "schema_version = 1\n[plan]\nvendor = '{vendor}'\nregion = '{region}'\nvms = ['*']\nhorizon_years = 0\ndisks = {disks:?}\n\
         bursting = true\npercentile = 100\ndisk_options = []\nindifference_percent = 0\n[[volume]]\nname = 'v'\n\
         role = '{role}'\nhost_cache = ['None']\ncapacity = '{} GiB'\ndisks_max = 3\n[volume.series]\ninterval = '15 min'\n\
         read_iops = {day:?}\nread_bytes_per_s = {bytes:?}\nwrite_iops = {none:?}\nwrite_bytes_per_s = {none:?}\n",
        d.range(1, 1_500),
    )
}

/// The least that any VM with any disks costs, whatever the search thinks; only the check decides.
fn cheapest(problem: &Problem) -> Option<Money> {
    let mut best: Option<Money> = None;
    for (vm, offer) in problem.vms.iter().enumerate() {
        let routes: Vec<RouteId> = problem
            .route_ids()
            .filter(|id| offer.route(*id).is_some_and(|route| !route.has_cache() && !route.is_local))
            .collect();
        let ways = routes.len().pow(problem.volumes.len() as u32);
        for way in 0..ways {
            let class = |j: usize| routes[way / routes.len().pow(j as u32) % routes.len()];
            let lists: Vec<Vec<Disks>> =
                (0..problem.volumes.len()).map(|j| options(problem, vm, j, class(j))).collect();
            try_all(problem, vm, &class, &lists, &mut best);
        }
    }
    best
}

/// Every disk and number that holds a volume alone, cheapest first.
fn options(problem: &Problem, vm: usize, j: usize, class: RouteId) -> Vec<Disks> {
    let volume = &problem.volumes[j];
    let takes = problem.vms[vm].route(class).map(|route| route.takes).unwrap_or_default();
    let mut all = Vec::new();
    for &offer in volume.disks.iter().filter(|offer| takes.have(problem.disks[**offer].second)) {
        let disk = &problem.disks[offer];
        for count in volume.disks_min..=volume.disks_max {
            let n = u64::from(count);
            match &disk.kind {
                // What is billed by use is the search's alone.
                DiskKind::Fixed { .. } if disk.usage.is_some() => {}
                DiskKind::Fixed { price, .. } => {
                    all.push(Disks { offer, count, each: None, cost: *price * n, usage: Money::ZERO })
                }
                // Its size decides what it gives for how long.
                DiskKind::Free(free) if problem.bursting && free.burst.is_some() => {
                    let bought = |gib: u64| {
                        let each = free.provision(gib, 0, 0)?;
                        let cost = free.cost(each) * n;
                        Some(Disks { offer, count, each: Some(each), cost, usage: Money::ZERO })
                    };
                    let is_enough =
                        |gib: &u64| bought(*gib).is_none_or(|disks| holds_alone(problem, vm, j, class, disks));
                    // The smallest with which the check lets it hold alone.
                    let least = volume.capacity_gib.div_ceil(n).max(free.gib.0);
                    let (mut low, mut high) = (least, free.gib.1 + 1);
                    while low < high {
                        let middle = (low + high) / 2;
                        if is_enough(&middle) { high = middle } else { low = middle + 1 }
                    }
                    all.extend(bought(high).filter(|_| high <= free.gib.1));
                }
                DiskKind::Free(free) => {
                    let sample = volume.samples[0];
                    let bytes = ((sample.read_bytes + sample.write_bytes) * 5).div_ceil(4).div_ceil(n);
                    let bought = |ios: u64| {
                        let each = free.provision(volume.capacity_gib.div_ceil(n), ios, bytes)?;
                        let cost = free.cost(each) * n;
                        Some(Disks { offer, count, each: Some(each), cost, usage: Money::ZERO })
                    };
                    // The fewest IOPS with which the check lets it hold alone: how requests are split is not for this twin to say.
                    let is_enough =
                        |ios: u64| bought(ios).is_none_or(|disks| holds_alone(problem, vm, j, class, disks));
                    let (mut low, mut high) = (0, 1 << 20);
                    while low < high {
                        let middle = (low + high) / 2;
                        if is_enough(middle) { high = middle } else { low = middle + 1 }
                    }
                    all.extend(bought(high));
                }
            }
        }
    }
    all.sort_by_key(|disks| disks.cost);
    all
}

fn holds_alone(problem: &Problem, vm: usize, j: usize, class: RouteId, disks: Disks) -> bool {
    // On a VM without limits, which asks nothing of the disks.
    let wide = VmOffer { gates: Default::default(), ..problem.vms[vm].clone() };
    let cost = wide.price + disks.cost;
    let alone = Problem {
        volumes: vec![problem.volumes[j].clone()],
        vms: vec![wide],
        cpu_milli: 0,
        vcpu_min: 0,
        memory_mib: 0,
        ..problem.clone()
    };
    let volumes = vec![VolumePlan { class, hit: 0, disks: Some(disks) }];
    check(&alone, &Plan { vm: 0, volumes, cost, failing: Vec::new() }).holds
}

fn try_all(
    problem: &Problem,
    vm: usize,
    class: &dyn Fn(usize) -> RouteId,
    lists: &[Vec<Disks>],
    best: &mut Option<Money>,
) {
    let price = problem.vms[vm].price;
    let mut place = vec![0; lists.len()];
    if lists.iter().any(Vec::is_empty) {
        return;
    }
    loop {
        let of = |j: usize| VolumePlan { class: class(j), hit: 0, disks: Some(lists[j][place[j]].clone()) };
        let volumes: Vec<VolumePlan> = (0..lists.len()).map(of).collect();
        let cost = price + volumes.iter().flat_map(|v| &v.disks).map(|disks| disks.cost).sum();
        let is_better = best.is_none_or(|best| cost < best);
        if is_better && check(problem, &Plan { vm, volumes, cost, failing: Vec::new() }).holds {
            *best = Some(cost);
        }
        // Lists are sorted: what is dearer with this place is dearer with all behind it.
        let Some(j) = (0..lists.len()).find(|&j| (is_better || j > 0) && place[j] + 1 < lists[j].len()) else { return };
        place[j] += 1;
        place[..j].fill(0);
    }
}

/// What a text asks among five sizes of its region that have a price; nothing where there are none, or nothing to choose.
fn problem_of(catalogue: &'static Arc<Catalogue>, region: &str, d: &mut Draws, text: &str) -> Option<Problem> {
    let sizes = catalogue.vm_sizes_as_of(None);
    let has_price =
        |name: &str| catalogue.find_price("USD", name, dw_catalogue::Meter::Whole, region, None, None).is_some();
    let priced: Vec<String> = sizes.iter().map(|vm| vm.name.clone()).filter(|name| has_price(name)).collect();
    if priced.is_empty() {
        return None;
    }
    let few: Vec<String> = (0..5).map(|_| priced[d.range(0, priced.len() as u64 - 1) as usize].clone()).collect();
    let text = text.replace("['*']", &format!("{few:?}"));
    let (requirements, wishes) = read_for_plan("r.toml", &text, &**catalogue).unwrap_or_else(|e| panic!("{text}\n{e}"));
    let mut problem = build(&requirements, &wishes, catalogue).ok()?.problem;
    problem.vms.retain(|vm| vm.barred.is_none());
    for volume in &mut problem.volumes {
        volume.disks.retain(|disk| problem.disks[*disk].usage.is_none());
    }
    Some(problem)
}

#[test]
fn of_every_vendor_the_cheapest_of_a_few_sizes_is_what_trying_everything_finds() {
    const EACH: u64 = 40;
    for vendor in vendors() {
        let catalogue = Catalogue::of_vendor(vendor.id()).expect("it has one");
        let regions = catalogue.price_regions();
        let mut planned = 0;
        for seed in 0..EACH {
            let mut d = Draws::new(seed ^ 0x5eed);
            let region = regions[d.range(0, regions.len() as u64 - 1) as usize];
            let text = demand(seed, vendor.id(), region);
            let Some(problem) = problem_of(catalogue, region, &mut d, &text) else { continue };
            let found = solve(&problem).plans.first().map(|plan| plan.cost);
            assert_eq!(found, cheapest(&problem), "{} seed {seed}\n{text}", vendor.name());
            planned += usize::from(found.is_some());
        }
        assert!(planned > EACH as usize / 3, "{}: {planned} of {EACH} have a plan", vendor.name());
    }
}

/// Throughputs about what the smallest sizes of these families pass: as they come, with the weighting, or not at all.
#[test]
fn a_setting_of_a_size_is_taken_where_trying_everything_finds_it_cheaper() {
    let catalogue = Catalogue::of_vendor("aws").expect("it is there");
    let few = ["m8g.large", "m8g.xlarge", "c8g.large", "r8i.large", "m7i.large", "m7i.2xlarge"];
    let (mut set, mut plain) = (0, 0);
    for asked in (8..30).map(|step| step * 20) {
        let text = format!(
            "schema_version = 1\n[plan]\nvendor = 'aws'\nregion = 'us-east-1'\nvms = {few:?}\nhorizon_years = 0\n\
             indifference_percent = 0\n[[volume]]\nname = 'v'\nrole = 'data'\ncapacity = '100 GiB'\ndisks_max = 2\n\
             read_size = '256 KiB'\nread_iops = {{ p50 = {asked}, p90 = {asked}, p99 = {asked}, max = {asked} }}\n"
        );
        let (requirements, wishes) = read_for_plan("r.toml", &text, &**catalogue).unwrap_or_else(|e| panic!("{e}"));
        let mut problem = build(&requirements, &wishes, catalogue).expect("there are offers").problem;
        problem.vms.retain(|vm| vm.barred.is_none());
        assert_eq!(problem.vms.iter().filter(|vm| vm.is_set()).count(), 4);
        let best = solve(&problem).plans.into_iter().next();
        assert_eq!(best.as_ref().map(|plan| plan.cost), cheapest(&problem), "{asked}");
        let Some(best) = best else { continue };
        let mut without = problem.clone();
        without.vms.retain(|vm| !vm.is_set());
        let as_they_come = cheapest(&without);
        match problem.vms[best.vm].is_set() {
            true => assert!(as_they_come.is_none_or(|cost| best.cost < cost), "{asked}"),
            false => assert_eq!(as_they_come, Some(best.cost), "{asked}"),
        }
        *(if problem.vms[best.vm].is_set() { &mut set } else { &mut plain }) += 1;
        if problem.vms[best.vm].is_set() {
            let name = &problem.vms[best.vm].name;
            let mut own = without.clone();
            own.vms.retain(|vm| vm.name == *name);
            let expected = cheapest(&own);
            match Planner::new(&problem).without_options(&best) {
                Without::Plan(plan) => assert_eq!(Some(plan.cost), expected, "{asked}"),
                Without::Nothing => assert_eq!(expected, None, "{asked}"),
                Without::Unknown => panic!("{asked}: so few choices are all looked at"),
            }
        }
    }
    assert!(set > 0 && plain > 0, "{set} set, {plain} as they come");
}

/// Who has not looked at every plan says so, or what is so. Two cards make ways enough that a look is not all.
#[test]
fn without_a_setting_nothing_is_said_of_plans_that_were_not_looked_at() {
    let catalogue = Catalogue::of_vendor("aws").expect("it is there");
    let (mut known, mut unknown) = (0, 0);
    for asked in (1..=12).map(|step| step * 2_500) {
        let mut text = "schema_version = 1\n[plan]\nvendor = 'aws'\nregion = 'us-east-1'\nvms = ['m8gn.48xlarge']\n\
            horizon_years = 0\nindifference_percent = 0\n"
            .to_string();
        for n in 0..3 {
            let asked = asked + n * 1_000;
            text += &format!(
                "[[volume]]\nname = 'v{n}'\nrole = 'data'\ncapacity = '100 GiB'\nread_size = '256 KiB'\n\
                 read_iops = {{ p50 = {asked}, p90 = {asked}, p99 = {asked}, max = {asked} }}\n"
            );
        }
        let (requirements, wishes) = read_for_plan("r.toml", &text, &**catalogue).unwrap_or_else(|e| panic!("{e}"));
        let mut problem = build(&requirements, &wishes, catalogue).expect("there are offers").problem;
        problem.vms.retain(|vm| vm.barred.is_none());
        let [plain] = &problem.vms[..] else { panic!("it is sold once") };
        problem.vms.push(VmOffer { options: &[("bandwidth", "ebs-1")], ..plain.clone() });
        let so = Plan { vm: 1, volumes: Vec::new(), cost: Money::ZERO, failing: Vec::new() };
        let whole = Planner::new(&problem).without_options(&so);
        match Planner::new(&problem).working(0).without_options(&so) {
            Without::Unknown => unknown += 1,
            found => {
                assert_eq!(found, whole, "{asked}");
                known += 1;
            }
        }
    }
    assert!(known > 0 && unknown > 0, "{known} known, {unknown} unknown");
}

/// What rules a size out does so with what may be chosen of it, and its figure is that.
#[test]
fn a_size_is_ruled_out_only_where_its_setting_is_no_help() {
    let catalogue = Catalogue::of_vendor("aws").expect("it is there");
    for (asked, expected) in [(200, None), (260, None), (400, Some(78_750_000 * 5 / 4))] {
        let text = format!(
            "schema_version = 1\n[plan]\nvendor = 'aws'\nregion = 'us-east-1'\nvms = ['m8g.*']\nhorizon_years = 0\n\
             [[volume]]\nname = 'v'\nrole = 'data'\ncapacity = '100 GiB'\nread_size = '256 KiB'\n\
             read_iops = {{ p50 = {asked}, p90 = {asked}, p99 = {asked}, max = {asked} }}\n"
        );
        let (requirements, wishes) = read_for_plan("r.toml", &text, &**catalogue).unwrap_or_else(|e| panic!("{e}"));
        let problem = build(&requirements, &wishes, catalogue).expect("there are offers").problem;
        let large = problem.vms.iter().position(|vm| vm.name == "m8g.large").expect("it is on offer");
        let whys = why_not(&problem, &[large], None);
        match (&whys[0], expected) {
            (WhyNot::Costs { .. }, None) => {}
            (WhyNot::Binds { limit, plan }, Some(expected)) => {
                let used = use_of(&problem, plan, *limit).expect("it carries something");
                assert_eq!(used.capacity, expected, "{asked}");
            }
            (why, _) => panic!("{asked}: {why:?}"),
        }
    }
}

#[test]
fn disks_whose_size_brings_their_bursts_are_the_cheapest_that_trying_everything_finds() {
    const EACH: u64 = 40;
    for vendor in vendors() {
        let catalogue = Catalogue::of_vendor(vendor.id()).expect("it has one");
        let bursts = |disk: &&dw_catalogue::DiskOffer| disk.free_form.is_some_and(|rules| rules.burst.is_some());
        let disks: Vec<String> =
            catalogue.disks_as_of(None).into_iter().filter(bursts).map(|disk| disk.sku.clone()).collect();
        if disks.is_empty() {
            continue;
        }
        let regions = catalogue.price_regions();
        let (mut planned, mut on_credits) = (0, 0);
        for seed in 0..EACH {
            let mut d = Draws::new(seed ^ 0xb0257);
            let region = regions[d.range(0, regions.len() as u64 - 1) as usize];
            let text = bursty(seed, vendor.id(), region, &disks);
            let Some(problem) = problem_of(catalogue, region, &mut d, &text) else { continue };
            assert!(problem.bursting);
            let best = solve(&problem).plans.into_iter().next();
            let found = best.as_ref().map(|plan| plan.cost);
            assert_eq!(found, cheapest(&problem), "{} seed {seed}\n{text}", vendor.name());
            // Without credits it is never cheaper.
            let without = solve(&Problem { bursting: false, ..problem.clone() }).plans.first().map(|plan| plan.cost);
            assert!(without.is_none_or(|cost| found.is_some_and(|found| found <= cost)), "seed {seed}: {without:?}");
            let Some(best) = best else { continue };
            let of_disks = |limit: Limit| matches!(limit, Limit::DiskIops(_) | Limit::DiskThroughput(_));
            let mut uses = check(&problem, &best).uses.into_iter();
            on_credits += usize::from(uses.any(|used| of_disks(used.limit) && used.burst.is_some()));
            planned += 1;
        }
        let name = vendor.name();
        assert!(
            planned > EACH / 3 && on_credits > 5,
            "{name}: {planned} of {EACH} have a plan, {on_credits} on credits"
        );
    }
}
