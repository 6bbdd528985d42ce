//! Real catalogues of every vendor against trying everything: a few sizes, one or two volumes, a figure each.

use dw_catalogue::{Catalogue, Money, vendors};
use dw_demand::read_for_plan;
use dw_planner::problem::{DiskKind, Problem, RouteId, VmOffer};
use dw_planner::{Disks, Plan, VolumePlan, build, check, solve};

use crate::oracle::random::Draws;

/// A demand of which nothing is unusual but its figures.
fn demand(seed: u64, vendor: &str, region: &str, vms: &[String]) -> String {
    let mut d = Draws::new(seed);
    let volumes = d.range(1, 2);
    let mut text = format!(
        "schema_version = 1\n[plan]\nvendor = '{vendor}'\nregion = '{region}'\nvms = {vms:?}\nhorizon_years = 0\n\
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
            let text = demand(seed, vendor.id(), region, &["*".to_string()]);
            let priced: Vec<String> = {
                let sizes = catalogue.vm_sizes_as_of(None);
                let has_price = |name: &str| {
                    catalogue.find_price("USD", name, dw_catalogue::Meter::Whole, region, None, None).is_some()
                };
                sizes.iter().map(|vm| vm.name.clone()).filter(|name| has_price(name)).collect()
            };
            if priced.is_empty() {
                continue;
            }
            let few: Vec<String> =
                (0..5).map(|_| priced[d.range(0, priced.len() as u64 - 1) as usize].clone()).collect();
            let text = text.replace("[\"*\"]", &format!("{few:?}"));
            let (requirements, wishes) =
                read_for_plan("r.toml", &text, &**catalogue).unwrap_or_else(|e| panic!("{text}\n{e}"));
            let Ok(built) = build(&requirements, &wishes, catalogue) else { continue };
            let mut problem = built.problem;
            problem.vms.retain(|vm| vm.barred.is_none());
            for volume in &mut problem.volumes {
                volume.disks.retain(|disk| problem.disks[*disk].usage.is_none());
            }
            let found = solve(&problem).plans.first().map(|plan| plan.cost);
            assert_eq!(found, cheapest(&problem), "{} seed {seed}\n{text}", vendor.name());
            planned += usize::from(found.is_some());
        }
        assert!(planned > EACH as usize / 3, "{}: {planned} of {EACH} have a plan", vendor.name());
    }
}
