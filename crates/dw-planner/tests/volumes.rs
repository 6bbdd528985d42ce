//! What a key of a volume does to the plan of it: growth of its own, a floor after a reboot, a set of figures by name, disks that nodes
//! share.

use dw_catalogue::Catalogue;
use dw_demand::read_for_plan;
use dw_planner::problem::Problem;
use dw_planner::{Limit, build, check, once, solve};
use dw_units::{Bytes, Duration};

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

/// What a set of figures asks is the load where the requirements have none, and its latency a matter of the kind of disk; what they say wins.
#[test]
fn a_set_of_figures_gives_what_the_requirements_leave_out() {
    let own = "write_size = '16 KiB'\nwrite_iops = { p50 = 900, p90 = 900, p99 = 900, max = 900 }\n";
    let of = |kpi: &str, more: &str| format!("[[volume]]\nname = 'v'\ncapacity = '100 GiB'\nkpi = '{kpi}'\n{more}");
    let ms = |ms: u64| Some(Duration::from_ms(ms));
    for (kpi, more, writes, bytes, mean, unit) in [
        ("hana-log", "", 250, 250_000_000, None, 64),
        ("hana-log", "write_size = '500 KB'\n", 500, 250_000_000, None, 64),
        ("hana-log", own, 900, 900 << 14, ms(1), 64),
        (
            "hana-log",
            &format!("{own}write_latency_max = '3 ms'\nstripe_unit = '128 KiB'\n"),
            900,
            900 << 14,
            ms(3),
            128,
        ),
        ("sql-log", own, 900, 900 << 14, ms(10), 64),
        ("etcd", "", 500, 4_000_000, None, 64),
    ] {
        let problem = problem("years = 3\ngrowth_percent_per_year = 0", &of(kpi, more));
        let (found, sample) = (&problem.volumes[0], problem.volumes[0].samples[0]);
        assert_eq!((sample.writes, sample.write_bytes, sample.reads), (writes, bytes, 0), "{kpi} {more}");
        assert_eq!(found.latency_max[1].mean, mean, "{kpi} {more}");
        assert_eq!(found.stripe_unit, Bytes::kib(unit), "{kpi} {more}");
        assert!(found.sequential, "{kpi} is a log");
        assert_eq!(found.latency_max[1].p99.is_some(), kpi == "etcd", "{kpi}");
        let slowest = found.disks.iter().map(|&disk| problem.disks[disk].latency_ns.1).max().unwrap();
        assert!(kpi != "hana-log" || slowest <= 1_000_000, "{kpi}: {slowest} ns");
    }
    // It does not grow with the load of anybody.
    let grown = problem("years = 3\ngrowth_percent_per_year = 50", &of("hana-log", ""));
    assert_eq!(grown.volumes[0].samples[0].writes, 250);
    let reads = problem("", &of("hana-data", "")).volumes[0].samples[0];
    assert_eq!((reads.reads, reads.read_bytes, reads.writes), (25, 400_000_000, 0));

    let text = format!("schema_version = 1\n[plan]\ndisks = ['P*']\n{}", of("hana-log", ""));
    let catalogue: &Catalogue = Catalogue::embedded();
    let (requirements, wishes) = read_for_plan("r.toml", &text, catalogue).unwrap();
    let error = build(&requirements, &wishes, catalogue).unwrap_err().to_string();
    assert!(
        error.contains("`kpi = \"hana-log\"` of volume `v` asks") && error.contains("small writes within 1 ms"),
        "{error}"
    );
}

/// The kinds of disks that a volume in us-east-1 may be on, in the order of offers, or why it is on none.
fn kinds_on_aws(plan: &str, keys: &str) -> Result<Vec<&'static str>, String> {
    let text = format!(
        "schema_version = 1\n[plan]\nregion = 'us-east-1'\nvms = ['m7i.xlarge']\ncapacity_headroom_percent = 0\n{plan}\n[[volume]]\n\
         name = 'v'\nread_iops = {{ p50 = 50, p90 = 50, p99 = 50, max = 50 }}\n{keys}\n"
    );
    let catalogue: &Catalogue = Catalogue::of_vendor("aws").unwrap();
    let (requirements, wishes) =
        read_for_plan("r.toml", &text, catalogue).unwrap_or_else(|e| panic!("{text}: {}: {}", e.what, e.hint));
    let problem = build(&requirements, &wishes, catalogue).map_err(|error| error.to_string())?.problem;
    assert!(!solve(&problem).plans.is_empty(), "{text}");
    let kinds = problem.volumes[0].disks.iter().filter_map(|&disk| Some(problem.disks[disk].of_kind?.id));
    let mut kinds: Vec<&str> = kinds.collect();
    kinds.dedup();
    Ok(kinds)
}

/// st1 and sc1 boot nothing, and no volume that boots has more than 16 TiB.
#[test]
fn an_operating_system_is_on_any_disk_from_which_its_vm_starts() {
    let no = "no disk that may be chosen can hold one";
    for (plan, capacity, expected) in [
        ("", "30 GiB", Ok(&["gp3", "io2"][..])),
        ("hdd = true", "30 GiB", Ok(&["gp3", "io2", "gp2", "io1"])),
        ("disks = ['gp2', 'io1', 'st1']", "30 GiB", Ok(&["gp2", "io1"])),
        ("", "16 TiB", Ok(&["gp3", "io2"])),
        ("", "17 TiB", Err(format!("{no}: it needs 17408 GiB, and those that can have at most 16384 GiB"))),
        ("disks = ['st1']", "200 GiB", Err(format!("{no}: st1 and sc1 volumes cannot"))),
    ] {
        let found = kinds_on_aws(plan, &format!("role = 'os'\ncapacity = '{capacity}'\nread_size = '16 KiB'"));
        match (found, expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{plan} {capacity}"),
            (Err(found), Err(expected)) => assert!(found.ends_with(&expected), "{plan} {capacity}: {found}"),
            (found, expected) => panic!("{plan} {capacity}: {found:?}, {expected:?}"),
        }
    }
}

/// A hard disk takes a small or random request for a large one: it is for what says that it is in order, by its role or in so many words.
#[test]
fn a_hard_disk_is_for_whatever_is_read_from_front_to_back() {
    let usual = &["gp3", "io2"][..];
    let (ssd, all) = (&["gp3", "io2", "gp2", "io1"][..], &["gp3", "io2", "gp2", "io1", "st1", "sc1"][..]);
    let in_order = "st1: only for what is read and written from front to back (`role` log or backup, or `random_percent = 0`) in requests of 1 MiB and more";
    let named = "disks = ['st1']";
    for (plan, keys, size, expected) in [
        ("", "random_percent = 0", "1 MiB", Ok(usual)),
        ("", "role = 'backup'", "1 MiB", Ok(all)),
        ("hdd = true", "random_percent = 0", "1 MiB", Ok(all)),
        ("hdd = true", "role = 'log'", "1 MiB", Ok(all)),
        ("hdd = true", "", "1 MiB", Ok(ssd)),
        ("hdd = true", "random_percent = 5", "1 MiB", Ok(ssd)),
        ("hdd = true", "random_percent = 0", "512 KiB", Ok(ssd)),
        (named, "random_percent = 0", "1 MiB", Ok(&["st1"])),
        (named, "", "1 MiB", Err(in_order)),
        ("disks = ['st1']\nhdd = true", "role = 'log'", "64 KiB", Err(in_order)),
        (
            "not_disks = ['gp*', 'io*']",
            "random_percent = 0",
            "1 MiB",
            Err("st1 and sc1 are for backups unless `hdd = true`"),
        ),
    ] {
        let found = kinds_on_aws(plan, &format!("capacity = '2 TiB'\nread_size = '{size}'\n{keys}"));
        match (found, expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{plan} {keys} {size}"),
            (Err(found), Err(expected)) => {
                let expected = format!("no disk that may be chosen suits volume `v`: {expected}");
                assert_eq!(found, expected, "{plan} {keys} {size}");
            }
            (found, expected) => panic!("{plan} {keys} {size}: {found:?}, {expected:?}"),
        }
    }
}

/// In westeurope P30 costs 148.68, E30 76.80 and a mount of either 8.541; P20 may be shared by three, P30 by five. In eastus no mount has a
/// price.
#[test]
fn disks_that_nodes_share_are_bought_once_and_each_node_pays_its_part() {
    let shared = volume("v", "shared = true");
    let cheapest = |plan: &str| {
        let plan = format!("disk_options = []\nheadroom_percent = 0\ncapacity_headroom_percent = 0\n{plan}");
        let problem = problem(&plan, &shared);
        assert!(problem.volumes[0].classes.iter().all(|class| !problem.route(*class).has_cache()), "{plan}");
        let plan = solve(&problem).plans.into_iter().next()?;
        let (checked, disks) = (check(&problem, &plan), plan.volumes[0].disks.clone()?);
        assert!(checked.holds && plan.volumes[0].hit == 0, "{:?}", checked.faults);
        let once = once(&problem, &disks).expect("they are shared");
        Some((problem.disks[disks.offer].name.clone(), disks.cost.get(), once.all.get(), once.mounts.get()))
    };
    let named =
        |disks: &str, nodes: u32| cheapest(&format!("region = 'westeurope'\ndisks = ['{disks}']\nnodes = {nodes}"));
    assert_eq!(named("P30", 2), Some(("P30".into(), 82_881_000, 165_762_000, 17_082_000)));
    // Three nodes do not divide it: each pays a millionth more.
    assert_eq!(named("P30", 3), Some(("P30".into(), 58_101_000, 174_303_000, 25_623_000)));
    // 100 GiB and 1,000 IOPS come with every premium SSD v2; 100 IOPS of those that only read are within what is free.
    let v2 = named("PremiumV2", 2).unwrap();
    assert_eq!((v2.3, v2.1 * 2), (0, v2.2), "{v2:?}");
    for (keys, expected) in [
        ("region = 'westeurope'\ndisks = ['P20']\nnodes = 4", "no disk that may be chosen suits volume `v`"),
        ("region = 'eastus'\ndisks = ['P30']\nnodes = 2", "no price of a further VM that shares P30 in eastus"),
        ("region = 'westeurope'\ndisks = ['S30']\nnodes = 2", "no disk that may be chosen suits volume `v`"),
    ] {
        let text = format!("schema_version = 1\n[plan]\n{keys}\n{shared}");
        let catalogue: &Catalogue = Catalogue::embedded();
        let (requirements, wishes) = read_for_plan("r.toml", &text, catalogue).unwrap();
        let found = build(&requirements, &wishes, catalogue).err().map(|error| error.to_string());
        assert!(found.as_ref().is_some_and(|found| found.contains(expected)), "{keys}: {found:?}");
    }
}

#[test]
fn what_one_vm_has_for_itself_is_not_shared() {
    for (keys, expected) in [
        ("shared = true", "`nodes` is 1"),
        ("shared = true\nrole = 'os'", "of an operating system"),
        ("shared = true\nlocal_disk = true", "a local disk is that of one VM"),
        ("shared = true\nhost_cache = ['ReadOnly']", "which shared disks cannot have"),
    ] {
        let nodes = if expected.contains("nodes") { "" } else { "[plan]\nnodes = 2\n" };
        let text = format!("schema_version = 1\n{nodes}{}", volume("v", keys));
        let error = read_for_plan("r.toml", &text, Catalogue::embedded() as &Catalogue).unwrap_err();
        assert!(error.what.contains(expected), "{keys}: {}", error.what);
    }
}
