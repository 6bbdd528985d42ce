//! Licences by core against the obvious twin: the best plan of each VM size without them, and what its cores cost added by hand.

use dw_catalogue::{Catalogue, Money};
use dw_demand::Requirements;
use dw_demand::read_for_plan;
use dw_demand::wishes::Wishes;
use dw_planner::{build, check, solve};

const SIZES: &str = "['E16s_v5', 'E32s_v5', 'E32-8s_v5', 'E32-16s_v5', 'E20s_v5', 'E64-16s_v5', 'E16s_v4', 'D32s_v5']";

/// What is asked: so many reads a second and so much memory, of these sizes.
fn asked(sizes: &str, reads: u32, memory_gib: u32, keys: &str) -> (Requirements, Wishes) {
    let text = format!(
        "schema_version = 1\n[plan]\nvms = {sizes}\ndisks = ['P*']\nmemory_min = '{memory_gib} GiB'\n{keys}\n[[volume]]\n\
         name = 'data'\ncapacity = '2 TiB'\nread_size = '8 KiB'\nhost_cache = ['None']\n\
         read_iops = {{ p50 = {reads}, p90 = {reads}, p99 = {reads}, max = {reads} }}\n"
    );
    read_for_plan("r.toml", &text, Catalogue::embedded().as_ref()).unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

/// The cost of the best plan, and its VM size.
fn best((requirements, wishes): &(Requirements, Wishes)) -> Option<(Money, String)> {
    let built = build(requirements, wishes, Catalogue::embedded()).unwrap();
    let plan = solve(&built.problem).plans.into_iter().next()?;
    assert!(check(&built.problem, &plan).holds);
    Some((plan.cost, built.problem.vms[plan.vm].name.clone()))
}

fn licence(price: u64, minimum: u32) -> String {
    format!("licence = {{ price = '{price} a month', minimum = {minimum} }}")
}

/// The same by hand: each size by itself, without licences.
fn best_slowly(reads: u32, memory_gib: u32, price: u64, minimum: u32) -> Option<Money> {
    let catalogue = Catalogue::embedded();
    let sizes = SIZES.split('\'').filter(|size| size.starts_with(['E', 'D']));
    let costs = sizes.filter_map(|size| {
        let (cost, name) = best(&asked(&format!("['{size}']"), reads, memory_gib, ""))?;
        let vcpu = catalogue.vm(&name, None).unwrap().vcpu;
        Some(cost + Money::micros(price * 1_000_000 * u64::from(vcpu.max(minimum))))
    });
    costs.min()
}

#[test]
fn the_search_finds_the_cheapest_with_its_licences() {
    for (reads, memory_gib) in [(5_000, 64), (15_000, 128), (30_000, 200), (45_000, 300)] {
        for (price, minimum) in [(1, 1), (25, 4), (500, 4), (500, 24), (2_000, 1)] {
            let found = best(&asked(SIZES, reads, memory_gib, &licence(price, minimum)));
            let expected = best_slowly(reads, memory_gib, price, minimum);
            assert_eq!(found.map(|found| found.0), expected, "{reads} {memory_gib} {price} {minimum}");
        }
    }
}

/// A node that only waits needs none: what is paid for one of two is shared by both, and of one node nothing is saved.
#[test]
fn what_is_licensed_for_some_nodes_is_shared_by_all() {
    let cost = |keys: &str| best(&asked(SIZES, 15_000, 128, keys)).unwrap();
    for (keys, same) in [
        ("nodes = 2\nlicence = { price = '500 a month', nodes = 1 }", "nodes = 2\nlicence = { price = '250 a month' }"),
        ("nodes = 3\nlicence = { price = '600 a month', nodes = 2 }", "nodes = 3\nlicence = { price = '400 a month' }"),
        ("licence = { price = '500 a month', nodes = 1 }", "licence = { price = '500 a month' }"),
    ] {
        assert_eq!(cost(keys), cost(same), "{keys}");
    }
}

/// A constrained size costs what the full one does: it has the cores that are asked for, and no more are paid.
#[test]
fn of_sizes_at_one_price_the_one_with_fewer_cores_is_taken() {
    let sizes = "['E32s_v5', 'E32-16s_v5', 'E32-8s_v5']";
    for (keys, expected) in [
        ("", "Standard_E32-8s_v5"),
        ("vcpu_min = 9", "Standard_E32-16s_v5"),
        ("vcpu_min = 17", "Standard_E32s_v5"),
        ("vcpu_min = 9\nlicence = { price = '500 a month' }", "Standard_E32-16s_v5"),
    ] {
        let found = best(&asked(sizes, 5_000, 128, keys)).unwrap();
        assert_eq!(found.1, expected, "{keys}");
    }
}

#[test]
fn the_most_that_a_plan_may_cost_counts_licences() {
    let without = best(&asked("['E32-16s_v5']", 5_000, 128, "")).unwrap().0;
    for (licence, is_met) in [("1 a month", true), ("12 a year", true), ("100 a month", false)] {
        // Room for sixteen times one and a half.
        let most = without.amount() + 24.0;
        let keys = format!("cost_max = {most}\nlicence = {{ price = '{licence}' }}");
        assert_eq!(best(&asked("['E32-16s_v5']", 5_000, 128, &keys)).is_some(), is_met, "{licence}");
    }
}

/// Its name says how many of the processors of a constrained size are enabled, and those are paid.
#[test]
fn constrained_sizes_have_the_cores_of_their_names() {
    let catalogue = Catalogue::embedded();
    let constrained =
        catalogue.vm_sizes_as_of(None).into_iter().filter(|vm| catalogue.constrained_from(&vm.name).is_some());
    let cores = |name: &str| name.split_once('-')?.1.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok();
    let found: Vec<(&str, Option<u32>)> = constrained.map(|vm| (vm.name.as_str(), Some(vm.vcpu))).collect();
    assert!(found.len() > 50 && found.iter().all(|(name, vcpu)| cores(name) == *vcpu), "{found:?}");
}
