//! What a key of `[plan]` does to the answer, or why its value is refused: a line a value.

use dw_catalogue::Catalogue;
use dw_demand::read_for_plan;
use dw_planner::{build, solve};

/// The VM size of the plan for what is read 100 times a second beside 12 GiB of memory in use, or why there is none, from its beginning.
fn check(rows: &[(&str, &str)]) {
    let catalogue: &Catalogue = Catalogue::embedded();
    for (keys, expected) in rows {
        let text = format!(
            "schema_version = 1\n[memory]\nused = {{ p50 = '8 GiB', p90 = '9 GiB', p99 = '10 GiB', max = '12 GiB' }}\n\
             [plan]\nvms = ['D2s_v3', 'D4s_v3', 'D8s_v3']\ndisks = ['P10']\n{keys}\n\
             [[volume]]\nname = 'data'\ncapacity = '100 GiB'\nread_size = '8 KiB'\n\
             read_iops = {{ p50 = 100, p90 = 100, p99 = 100, max = 100 }}\n"
        );
        let found = match read_for_plan("r.toml", &text, catalogue) {
            Err(error) => format!("{}: {}", error.what, error.hint),
            Ok((requirements, wishes)) => match build(&requirements, &wishes, catalogue) {
                Err(error) => error.to_string(),
                Ok(built) => {
                    let answer = solve(&built.problem);
                    answer.plans.first().map_or("nothing".into(), |plan| built.problem.vms[plan.vm].name.clone())
                }
            },
        };
        assert!(found.starts_with(expected), "{keys}: {found}");
    }
}

#[test]
fn processors_and_memory_are_at_least_what_was_asked_for() {
    check(&[
        ("", "Standard_D4s_v3"),
        ("vcpu_min = 8", "Standard_D8s_v3"),
        ("vcpu_min = 9", "nothing"),
        ("vcpu_min = -1", "`vcpu_min = -1` is out of range"),
        ("memory_min = '17 GiB'", "Standard_D8s_v3"),
        ("memory_min = '33 GiB'", "nothing"),
        (
            "memory_min = 48",
            "`memory_min = 48` is a whole number, but a string is expected: write it in quotes and with its unit",
        ),
        ("memory_min = 'much'", "`memory_min = \"much\"` is not a size"),
    ]);
}

/// D8s_v3 costs 0.147 an hour for three years in eastus, D4s_v3 0.192 as it goes; savings plans of these have no known price.
#[test]
fn a_size_is_bought_under_a_commitment_where_that_has_a_price() {
    check(&[
        ("reservation = '3y'\nvcpu_min = 4", "Standard_D4s_v3"),
        ("reservation = '3y'\nregion = 'germanywestcentral'", "Standard_D4s_v3"),
        ("savings_plan = '1y'", "Standard_D4s_v3"),
        ("reservation = '1y'\nsavings_plan = '1y'", "`savings_plan` and `reservation` cannot both be given"),
        ("savings_plan = '2y'", "`savings_plan = \"2y\"` is not known"),
    ]);
}

/// At 730 hours D4s_v3 costs 140.16 and P10 19.71; at 220 the VM costs 42.24.
#[test]
fn a_vm_is_paid_for_the_hours_that_it_runs_and_its_disks_for_all() {
    check(&[
        ("cost_max = 100", "nothing"),
        ("cost_max = 160", "Standard_D4s_v3"),
        ("cost_max = 62\nhours_per_month = 220", "Standard_D4s_v3"),
        ("cost_max = 60\nhours_per_month = 220", "nothing"),
        ("cost_max = 70\nschedule = 'mon-fri 08:00-18:00'", "Standard_D4s_v3"),
        ("hours_per_month = 731", "`hours_per_month = 731` is out of range"),
        ("schedule = 'weekdays'", "`schedule`: `weekdays` is not days and times"),
        ("hours_per_month = 9\nschedule = 'mon 08:00-09:00'", "`schedule` and `hours_per_month` cannot both be given"),
    ]);
}

#[test]
fn no_vm_size_has_more_processors_than_were_asked_for_at_most() {
    let price = "price = [{ name = 'D8s_v3', monthly = 1.0 }]";
    check(&[
        (price, "Standard_D8s_v3"),
        (&format!("{price}\nvcpu_max = 8"), "Standard_D8s_v3"),
        (&format!("{price}\nvcpu_max = 7"), "Standard_D4s_v3"),
        ("vcpu_max = 2", "nothing"),
        ("vcpu_max = 4\nvcpu_min = 8", "nothing"),
        (
            "vcpu_max = 1",
            "no VM size that `vms` names may be chosen: Standard_D2s_v3: it has 2 vCPU, and `vcpu_max` allows 1",
        ),
        ("vcpu_max = 0", "`vcpu_max = 0` is out of range: write a whole number from 1 to 10000"),
        ("vcpu_max = -1", "`vcpu_max = -1` is out of range: write a whole number from 1 to 10000"),
        ("vcpu_max = 2.5", "`vcpu_max = 2.5` is "),
        ("vcpu_max = 'four'", "`vcpu_max = 'four'` is a string"),
        ("vcpus_max = 4", "unknown key `vcpus_max`: did you mean `vcpu_max`?"),
    ]);
}

#[test]
fn memory_stays_free_beside_what_is_in_use() {
    check(&[
        ("memory_headroom = '20 %'", "Standard_D4s_v3"),
        ("memory_headroom = '30%'", "Standard_D8s_v3"),
        ("memory_headroom = '4 GiB'", "Standard_D4s_v3"),
        ("memory_headroom = '4.25 GiB'", "Standard_D8s_v3"),
        // Headroom of rates is none of the memory's.
        ("headroom_percent = 50", "Standard_D4s_v3"),
        ("memory_headroom = '1 GiB'\nmemory_min = '17 GiB'", "Standard_D8s_v3"),
        ("memory_headroom = '90 %'", "nothing"),
        (
            "memory_headroom = '91 %'",
            "`memory_headroom = \"91 %\"` is not a share of memory: write from `0 %` to `90 %`",
        ),
        ("memory_headroom = '-1 %'", "`memory_headroom = \"-1 %\"` is not a share of memory"),
        ("memory_headroom = 'some %'", "`memory_headroom = \"some %\"` is not a share of memory"),
        ("memory_headroom = 'some'", "`memory_headroom = \"some\"` is not a size"),
        ("memory_headroom = 25", "`memory_headroom = 25` is a whole number, but a string is expected"),
        ("memory_headrom = '1 GiB'", "unknown key `memory_headrom`: did you mean `memory_headroom`?"),
    ]);
}

#[test]
fn licences_are_paid_by_core() {
    check(&[
        ("licence = { price = '6000 a year' }", "Standard_D4s_v3"),
        (
            "licence = [{ name = 'a', price = '500 a month' }, { name = 'b', per = 'core', price = '7 / month' }]",
            "Standard_D4s_v3",
        ),
        ("price = [{ name = 'D8s_v3', monthly = 1.0 }]\nlicence = { price = '1 per month' }", "Standard_D8s_v3"),
        ("price = [{ name = 'D8s_v3', monthly = 1.0 }]\nlicence = { price = '1,200.50 per year' }", "Standard_D4s_v3"),
        (
            "price = [{ name = 'D8s_v3', monthly = 1.0 }]\nlicence = { price = '500 a month', minimum = 8 }",
            "Standard_D8s_v3",
        ),
        ("licence = { price = 500 }", "`price = 500` is a whole number, but a string is expected"),
        ("licence = { price = '500' }", "`price = \"500\"` lacks its period: write a number above zero and its time"),
        ("licence = { price = '500 a core' }", "`price = \"500 a core\"` has an unknown period"),
        (
            "licence = { price = '1,5 a month' }",
            "`price = \"1,5 a month\"` has a comma that does not separate thousands",
        ),
        ("licence = { price = '0 a month' }", "`price = \"0 a month\"` is not a price"),
        ("licence = { price = 'much a month' }", "`price = \"much a month\"` does not begin with a number"),
        ("licence = { per = 'socket', price = '1 a month' }", "`per = \"socket\"`: a licence is counted by core"),
        (
            "licence = [{ price = '1 a month' }, { price = '2 a month' }]",
            "two licences are called `licence`: give each its own `name`",
        ),
        (
            "licence = { price = '1 a month', minimum = 0 }",
            "`minimum = 0` is out of range: write a whole number from 1 to 10000",
        ),
        (
            "nodes = 2\nlicence = { price = '1 a month', nodes = 3 }",
            "`nodes = 3` of a licence, and [plan] has `nodes = 2`: write at most 2",
        ),
        ("licence = { price = '1 a month', nodes = 2 }", "`nodes = 2` of a licence, and [plan] has `nodes = 1`"),
        ("nodes = 2\nlicence = { price = '1 a month', nodes = 2 }", "Standard_D4s_v3"),
        ("licence = { name = 'SQL' }", "`price` is missing"),
        ("license = { price = '1 a month' }", "unknown key `license`: did you mean `licence`?"),
    ]);
}

/// 12 GiB are in use at most, and 16 are those of a D4s_v3.
#[test]
fn memory_of_a_database_is_what_it_was_given() {
    let catalogue: &Catalogue = Catalogue::embedded();
    for (role, used, total, keys, expected) in [
        ("data", 12, "", "", 15 << 10),
        ("data", 14, "", "", 17_920),
        // What the machine has today is enough today.
        ("data", 14, "total = '16 GiB'", "", 16 << 10),
        ("data", 14, "total = '16 GiB'", "comfort_factor = 2.0", 32 << 10),
        ("data", 8, "total = '64 GiB'", "", 10 << 10),
        ("data", 14, "total = '16 GiB'", "memory_headroom = '20 %'", 17_920),
        ("log", 14, "", "", 14 << 10),
        ("tempdb", 14, "total = '256 GiB'", "", 14 << 10),
        ("log", 14, "", "memory_headroom = '2 GiB'", 16 << 10),
        ("log", 14, "", "memory_min = '24 GiB'", 24 << 10),
    ] {
        let text = format!(
            "schema_version = 1\n[memory]\n{total}\nused = {{ p50 = '1 GiB', p90 = '1 GiB', p99 = '1 GiB', max = '{used} GiB' }}\n\
             [plan]\n{keys}\n[[volume]]\nname = 'v'\nrole = '{role}'\ncapacity = '100 GiB'\nwrite_size = '8 KiB'\n\
             write_iops = {{ p50 = 100, p90 = 100, p99 = 100, max = 100 }}\n"
        );
        let (requirements, wishes) = read_for_plan("r.toml", &text, catalogue).unwrap();
        let found = build(&requirements, &wishes, catalogue).unwrap().problem.memory_mib;
        assert_eq!(found, expected, "{role} {used} {total} {keys}");
    }
}

/// 82 % of 8 vCPUs at 80 % are 8.2 of a D8s_v3, and 7.99 of a D8s_v4: 195 to 210 against 160 to 190. Nobody has published the speed of a v5.
#[test]
fn processors_count_by_their_published_speed_where_both_sizes_have_one() {
    let catalogue: &Catalogue = Catalogue::embedded();
    for (vms, keys, expected) in [
        ("'D8s_v4', 'D16s_v4'", "", Some("Standard_D16s_v4")),
        ("'D8s_v4', 'D16s_v4'", "cpu_recorded_on = 'D8s_v3'", Some("Standard_D8s_v4")),
        ("'D8s_v3', 'D16s_v3'", "cpu_recorded_on = 'D8s_v3'", Some("Standard_D16s_v3")),
        ("'D8s_v5', 'D16s_v5'", "cpu_recorded_on = 'D8s_v3'", Some("Standard_D16s_v5")),
        ("'D8s_v4', 'D16s_v4'", "cpu_recorded_on = 'D8s_v5'", Some("Standard_D16s_v4")),
        // 160 by 260: sixteen count as 9.8.
        ("'D8s_v4', 'D16s_v3'", "cpu_recorded_on = 'D8as_v4'", Some("Standard_D16s_v3")),
        ("'D8s_v4'", "cpu_recorded_on = 'D8s_v3'\nvcpu_min = 9", None),
        ("'D8s_v4'", "cpu_recorded_on = 'D8s_v3'\nvcpu_min = 8", Some("Standard_D8s_v4")),
    ] {
        let text = format!(
            "schema_version = 1\n[cpu]\nprocessors = 8\nbusy_percent = {{ p50 = 40, p90 = 60, p99 = 82, max = 90 }}\n\
             [plan]\nvms = [{vms}]\ndisks = ['P10']\n{keys}\n[[volume]]\nname = 'data'\ncapacity = '100 GiB'\nread_size = '8 KiB'\n\
             read_iops = {{ p50 = 100, p90 = 100, p99 = 100, max = 100 }}\n"
        );
        let (requirements, wishes) = read_for_plan("r.toml", &text, catalogue).unwrap();
        let built = build(&requirements, &wishes, catalogue).unwrap();
        let plan = solve(&built.problem).plans.into_iter().next();
        assert_eq!(plan.map(|plan| built.problem.vms[plan.vm].name.as_str()), expected, "{vms}, {keys}");
    }
    check(&[("cpu_recorded_on = 'D9s_v3'", "no VM size is called `D9s_v3`")]);
}
