//! What a key of a volume does to the plan of it: growth of its own, and a floor after a reboot.

use dw_catalogue::Catalogue;
use dw_demand::read_for_plan;
use dw_planner::problem::Problem;
use dw_planner::{Limit, build, check, solve};

fn problem(plan: &str, volumes: &str) -> Problem {
    let text = format!("schema_version = 1\n[plan]\n{plan}\n{volumes}");
    let catalogue: &Catalogue = Catalogue::embedded();
    let (requirements, wishes) =
        read_for_plan("r.toml", &text, catalogue).unwrap_or_else(|e| panic!("{text}: {}: {}", e.what, e.hint));
    build(&requirements, &wishes, catalogue).unwrap_or_else(|e| panic!("{text}: {e}")).problem
}

fn volume(name: &str, keys: &str) -> String {
    format!(
        "[[volume]]\nname = '{name}'\ncapacity = '100 GiB'\nread_size = '8 KiB'\n\
         read_iops = {{ p50 = 1000, p90 = 1000, p99 = 1000, max = 1000 }}\n{keys}\n"
    )
}

#[test]
fn a_volume_grows_as_it_says_and_an_operating_system_not_at_all() {
    let plan =
        "years = 1\ngrowth_percent_per_year = 10\ncapacity_growth_percent_per_year = 20\ncapacity_headroom_percent = 0";
    for (keys, gib, reads) in [
        ("", 120, 1_100),
        ("growth_percent_per_year = 50", 120, 1_500),
        ("capacity_growth_percent_per_year = 0", 100, 1_100),
        ("capacity_growth_percent_per_year = 100\ngrowth_percent_per_year = 0", 200, 1_000),
        ("role = 'os'", 100, 1_000),
        ("role = 'os'\ncapacity_growth_percent_per_year = 20", 120, 1_000),
    ] {
        let problem = problem(plan, &volume("v", keys));
        let found = (problem.volumes[0].capacity_gib, problem.volumes[0].samples[0].reads);
        assert_eq!(found, (gib, reads), "{keys}");
    }
}

/// A cache that holds all serves every read once it is warm; a floor leaves so many of them to the disks.
#[test]
fn a_floor_after_a_reboot_is_what_the_disks_must_serve_alone() {
    let plan = "vms = ['E16ds_v5']\ndisks = ['P*']\ndisk_options = []\nheadroom_percent = 0";
    let reads = |keys: &str| {
        format!(
            "[[volume]]\nname = 'v'\ncapacity = '100 GiB'\nread_size = '8 KiB'\nhost_cache = ['ReadOnly']\nworking_set = '20 GiB'\n\
             read_iops = {{ p50 = 9000, p90 = 9000, p99 = 9000, max = 9000 }}\n{keys}\n"
        )
    };
    for (keys, hit, reads_alone) in [
        ("", 1_000_000, 0),
        ("after_reboot_share_min = 50", 500_000, 4_500),
        ("after_reboot_share_min = 100", 0, 9_000),
        ("after_reboot_latency_max = '20 ms'", 0, 9_000),
    ] {
        let problem = problem(plan, &reads(keys));
        let plan = solve(&problem).plans.remove(0);
        assert!(check(&problem, &plan).holds, "{keys}");
        let uses = check(&problem, &plan).uses;
        // Disks of which nothing is asked have no limit that carries anything.
        let of_disks = uses.into_iter().find(|used| used.limit == Limit::DiskIops(0));
        let (load, capacity) = of_disks.map_or((0, 0), |used| (used.load[3], used.capacity));
        assert_eq!((plan.volumes[0].hit, load), (hit, reads_alone), "{keys}");
        assert!(capacity >= reads_alone, "{keys}: {capacity}");
    }
}
