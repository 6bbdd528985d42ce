//! Wrong designs as people ask about them: which limit is the culprit, the cheapest change that is enough, what is wrong at any load.

use std::cell::RefCell;

use dw_demand::wishes::Wishes;
use dw_documents::explain::{Needs, Proof};
use dw_planner::explain::{Edit, Measured, Question, Shown, Syncs, Trial, explain};
use dw_planner::problem::Sample;

use super::Evidence;
use crate::{Catalogue, Session};

#[path = "../../tests/pinned.rs"]
mod pinned;
use pinned::Pinned;

/// A demand: rates of reads and writes, the size of both in KiB, more keys of the volume.
#[derive(Clone, Copy)]
struct Asks(u64, u64, u64, &'static str);

/// What is known of a design.
#[derive(Clone)]
enum Known {
    Demand(Asks),
    Measured(Measured),
}

struct Case {
    name: &'static str,
    /// VM size, and the keys of the one volume.
    vm: &'static str,
    volume: &'static str,
    known: Known,
    /// What binds first, or what a measurement shows.
    culprit: &'static str,
    /// Part of the cheapest change that is enough, and of the cheapest of those for which no data move.
    cheapest: &'static str,
    in_place: &'static str,
    /// Part of what is wrong at any load.
    habit: &'static str,
}

fn measured(reads: u64, writes: u64, kib: u64, ns: u64, depth: u64) -> Measured {
    Measured {
        rates: Sample { reads, writes, read_bytes: reads * kib * 1_024, write_bytes: writes * kib * 1_024 },
        read_ns: (reads > 0).then_some(ns),
        write_ns: (writes > 0).then_some(ns),
        queue_depth: Some(depth),
        ..Measured::default()
    }
}

fn cases() -> Vec<Case> {
    let demand = |reads, writes, kib, keys| Known::Demand(Asks(reads, writes, kib, keys));
    let synced = Measured {
        syncs: Some(Syncs { per_write: 1.0, mean_ns: 9_400_000.0, p99_ns: Some(22_500_000.0), workers: 1 }),
        ..measured(0, 106, 2, 10_000, 1)
    };
    vec![
        Case {
            name: "a stripe of 4 KiB units under 64 KiB reads",
            vm: "Standard_D32s_v5",
            volume: "name = 'data'\ndisks = '8 x P30'\nstripe_unit = '4 KiB'",
            known: demand(6_000, 0, 64, ""),
            culprit: "data disk IOPS",
            cheapest: "a stripe unit of 64 KiB instead of 4 KiB",
            in_place: "",
            habit: "a stripe unit of 4 KiB",
        },
        Case {
            name: "tempdb on a remote disk",
            vm: "Standard_E16ds_v5",
            volume: "name = 'tempdb'\ndisks = 'P20'",
            known: demand(4_000, 4_000, 8, "role = 'tempdb'\ncapacity = '200 GiB'"),
            culprit: "tempdb disk IOPS",
            cheapest: "the VM's local disk instead of P20",
            in_place: "",
            habit: "",
        },
        Case {
            name: "PostgreSQL on a standard HDD",
            vm: "Standard_D8s_v5",
            volume: "name = 'pgdata'\ndisks = 'S30'",
            known: demand(700, 300, 8, ""),
            culprit: "pgdata disk IOPS",
            cheapest: "PremiumV2 with ",
            in_place: "",
            habit: "a hard disk (S30)",
        },
        Case {
            name: "a log with a ReadOnly cache",
            vm: "Standard_E16ds_v5",
            volume: "name = 'log'\ndisks = 'P30'\nhost_cache = 'ReadOnly'",
            known: demand(0, 6_000, 4, "role = 'log'"),
            culprit: "log disk IOPS",
            cheapest: "PremiumV2 with ",
            in_place: "PremiumV2 with 1,024 GiB",
            habit: "ReadOnly host cache on a volume with hardly any reads",
        },
        Case {
            name: "a ReadOnly log that has room",
            vm: "Standard_E16ds_v5",
            volume: "name = 'log'\ndisks = 'P30'\nhost_cache = 'ReadOnly'",
            known: demand(0, 600, 4, "role = 'log'"),
            culprit: "",
            cheapest: "",
            in_place: "",
            habit: "set it to None",
        },
        Case {
            name: "ReadWrite under a database",
            vm: "Standard_E16ds_v5",
            volume: "name = 'data'\ndisks = 'P30'\nhost_cache = 'ReadWrite'",
            known: demand(500, 500, 8, ""),
            culprit: "",
            cheapest: "",
            in_place: "",
            habit: "ReadWrite host cache under data",
        },
        Case {
            name: "a VM that is smaller than its disks",
            vm: "Standard_D4s_v3",
            volume: "name = 'data'\ndisks = '4 x P30'",
            known: demand(9_000, 2_000, 8, ""),
            culprit: "vm uncached IOPS",
            cheapest: "Standard_",
            in_place: "",
            habit: "",
        },
        Case {
            name: "reads of a small working set without a host cache",
            vm: "Standard_D16ds_v5",
            volume: "name = 'data'\ndisks = 'P30'",
            known: demand(8_000, 500, 8, "working_set = '100 GiB'"),
            culprit: "data disk IOPS",
            cheapest: "host cache ReadOnly instead of None",
            in_place: "host cache ReadOnly instead of None",
            habit: "",
        },
        Case {
            name: "small disks in every place that the size has",
            vm: "Standard_D4s_v5",
            volume: "name = 'data'\ndisks = '8 x P10'",
            known: demand(3_500, 1_000, 8, ""),
            culprit: "data disk IOPS",
            cheapest: "PremiumV2 with ",
            in_place: "8 x PremiumV2 with 128 GiB",
            habit: "",
        },
        Case {
            name: "one request at a time on a stripe",
            vm: "Standard_D16s_v5",
            volume: "name = 'data'\ndisks = '4 x P30'",
            known: Known::Measured(measured(322, 0, 8, 3_100_000, 1)),
            culprit: "the queue depth is too low",
            cheapest: "62 requests in flight on data",
            in_place: "62 requests in flight on data",
            habit: "one request in flight on a stripe of 4 disks",
        },
        Case {
            name: "reads and writes on a ReadOnly cache",
            vm: "Standard_E16ds_v5",
            volume: "name = 'data'\ndisks = 'P30'\nhost_cache = 'ReadOnly'",
            known: Known::Measured(measured(5_110, 5_099, 8, 65_000_000, 2_048)),
            culprit: "data disk IOPS",
            cheapest: "PremiumV2 with ",
            in_place: "PremiumV2 with 1,024 GiB",
            habit: "",
        },
        Case {
            name: "etcd on a small disk",
            vm: "Standard_D4s_v3",
            volume: "name = 'etcd'\ndisks = 'P10'",
            known: Known::Measured(synced),
            culprit: "each write waits for its sync. A cycle takes 9.41 ms, so 106 per second",
            cheapest: "",
            in_place: "",
            habit: "",
        },
        Case {
            name: "containers on the OS disk of a node",
            vm: "Standard_D8ds_v5",
            volume: "name = 'os'\nmount = '/'\ndisks = 'P10'",
            known: demand(400, 1_000, 16, "role = 'os'"),
            culprit: "os disk IOPS",
            cheapest: "tier P20 for P10",
            in_place: "tier P20 for P10",
            habit: "the load runs on the OS disk",
        },
    ]
}

#[test]
fn wrong_designs_have_their_culprit_and_the_cheapest_remedy() {
    let session = Session::new(Catalogue::embedded().clone());
    let mut wrong: Vec<String> = Vec::new();
    let mut pinned = Pinned::open("designs.txt");
    for case in cases() {
        let (vm, volume) = (case.vm, case.volume);
        let rig = format!("[vm]\nsize = '{vm}'\n[[volume]]\n{volume}\n");
        let rig = session.scenario("rig.toml", &rig).unwrap_or_else(|e| panic!("{}: {e}", case.name));
        let evidence = match case.known.clone() {
            Known::Measured(measured) => Evidence { measured: vec![measured], ..Evidence::default() },
            Known::Demand(Asks(reads, writes, kib, keys)) => {
                let name = &rig.volumes[0].name;
                let levels = |rate: u64| format!("{{ p50 = {rate}, p90 = {rate}, p99 = {rate}, max = {rate} }}");
                let text = format!(
                    "schema_version = 1\n[[volume]]\nname = '{name}'\nread_size = '{kib} KiB'\nwrite_size = '{kib} KiB'\n\
                     read_iops = {}\nwrite_iops = {}\n{keys}\n",
                    levels(reads),
                    levels(writes)
                );
                let demand = session.requirements_of_existing("requirements.toml", &text);
                Evidence {
                    demand: Some(demand.unwrap_or_else(|e| panic!("{}: {e}", case.name))),
                    ..Evidence::default()
                }
            }
        };
        let found = session.explain(&rig, evidence).unwrap();
        pinned.check(case.name, &found);
        let shown: Vec<&str> = found.measured.iter().map(|row| row.sentence.text.as_str()).collect();
        let culprit = found.binding.first().map_or(shown.join(" "), String::clone);
        let enough = || found.changes.iter().filter(|change| change.enough);
        let first = enough().next().map_or("", |change| change.change.text.as_str());
        let moves = |change: &&dw_documents::explain::ChangeRow| change.needs == Some(Needs::Migration);
        let in_place = enough().find(|change| !moves(change)).map_or("", |change| change.change.text.as_str());
        let habits = found.anti_patterns.iter().map(|habit| habit.text.as_str()).collect::<Vec<_>>().join(" ");
        let is_right = culprit.contains(case.culprit)
            && first.contains(case.cheapest)
            && in_place.contains(case.in_place)
            && habits.contains(case.habit)
            && habits.is_empty() == case.habit.is_empty();
        let changes: Vec<&str> = found.changes.iter().map(|change| change.change.text.as_str()).collect();
        let unproved = enough().filter(|change| change.simulated != Some(Proof::Served));
        let unproved: Vec<&str> = unproved.map(|change| change.change.text.as_str()).collect();
        assert!(unproved.is_empty(), "{}: {unproved:#?}", case.name);
        if !is_right {
            wrong.push(format!("{}: {} // {changes:#?} // {habits}", case.name, found.finding));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    pinned.end();
}

/// `docs/accuracy.md` has this file.
#[test]
fn the_page_of_accuracy_has_these_designs() {
    let page = include_str!("designs.md");
    let cell = |text: &str| if text.trim().is_empty() { "-".to_string() } else { text.trim().to_string() };
    let row = |case: &Case| {
        let (vm, volume) =
            (case.vm.trim_start_matches("Standard_"), case.volume.replace('\n', "; ").replace('\'', "\""));
        let found = [case.culprit, case.cheapest, case.in_place, case.habit].map(cell).join(" | ");
        format!("| {} | {vm} | `{volume}` | {found} |", case.name)
    };
    let rows: Vec<String> = cases().iter().map(row).collect();
    let listed: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert_eq!(listed, rows);
}

/// A volume whose kind is changed while it is used keeps its size, and what is an SSD is called no hard disk.
#[test]
fn another_kind_of_a_volume_as_large_is_a_change_in_place() {
    for (disk, expected) in [
        ("sku = 'gp2', size = '500 GiB'", "gp3 with 500 GiB, 3,000 IOPS, 125 MiB/s instead of gp2 for data"),
        (
            "sku = 'io1', size = '500 GiB', iops = 1000",
            "gp3 with 500 GiB, 3,000 IOPS, 125 MiB/s instead of io1 for data",
        ),
        ("sku = 'st1', size = '500 GiB'", "gp3 with 500 GiB, 3,000 IOPS, 125 MiB/s instead of st1 for data"),
    ] {
        let rig =
            format!("vendor = 'aws'\n[vm]\nsize = 'm5.xlarge'\n[[volume]]\nname = 'data'\ndisks = [{{ {disk} }}]\n");
        let document = explained(&rig, &levels("data", 2_500, 0, ""));
        let in_place = document.changes.iter().filter(|change| change.enough && change.needs == Some(Needs::Nothing));
        let cheapest = in_place.min_by(|a, b| a.monthly.unwrap().total_cmp(&b.monthly.unwrap()));
        let found = cheapest.map(|change| change.change.to_string());
        let found = found.unwrap_or_default();
        assert!(found.starts_with(&format!("{expected} (")), "{disk}: {found}");
        let said = document.anti_patterns.iter().any(|habit| habit.to_string().contains("a hard disk"));
        assert_eq!(said, disk.contains("st1"), "{disk}");
    }
}

/// A volume of a demand over time: so many minutes each of so many reads and bytes of reads.
fn volume(name: &str, runs: &[(usize, u64, u64)]) -> String {
    let list = |of: fn(&(usize, u64, u64)) -> u64| {
        let all = runs.iter().flat_map(|run| std::iter::repeat_n(of(run).to_string(), run.0));
        all.collect::<Vec<_>>().join(", ")
    };
    let (ops, bytes, none) = (list(|run| run.1), list(|run| run.2), list(|_| 0));
    format!(
        "[[volume]]\nname = '{name}'\ncapacity = '60 GiB'\n[volume.series]\ninterval = '1 min'\nread_iops = [{ops}]\n\
         read_bytes_per_s = [{bytes}]\nwrite_iops = [{none}]\nwrite_bytes_per_s = [{none}]\n"
    )
}

/// What is known of a rig.
enum Evident {
    Asked(String),
    Measured(Measured),
}

fn explained(rig: &str, evident: &Evident) -> dw_documents::explain::ExplainDocument {
    let session = Session::new(Catalogue::embedded().clone());
    let scenario = session.scenario("rig.toml", rig).unwrap_or_else(|e| panic!("{rig}: {e}"));
    let evidence = match evident {
        Evident::Measured(measured) => Evidence { measured: vec![measured.clone()], ..Evidence::default() },
        Evident::Asked(volumes) => {
            let text = format!("schema_version = 1\n{volumes}");
            let demand = session.requirements_of_existing("requirements.toml", &text);
            Evidence { demand: Some(demand.unwrap_or_else(|e| panic!("{text}: {e}"))), ..Evidence::default() }
        }
    };
    session.explain(&scenario, evidence).unwrap()
}

fn levels(name: &str, reads: u64, writes: u64, keys: &str) -> Evident {
    let of = |rate: u64| format!("{{ p50 = {rate}, p90 = {rate}, p99 = {rate}, max = {rate} }}");
    Evident::Asked(format!(
        "[[volume]]\nname = '{name}'\ncapacity = '60 GiB'\nread_size = '8 KiB'\nwrite_size = '8 KiB'\nread_iops = {}\n\
         write_iops = {}\n{keys}\n",
        of(reads),
        of(writes)
    ))
}

#[test]
fn a_cached_volume_at_the_limit_of_its_host_has_a_remedy() {
    let rigs = [("Standard_D4s_v3", "", "P30"), ("Standard_D4s_v3", "", "P20"), ("Standard_DS14", "2017-03", "P30")];
    for (size, edition, disk) in rigs {
        let edition = if edition.is_empty() { String::new() } else { format!("edition = '{edition}'\n") };
        let rig = format!(
            "[vm]\nsize = '{size}'\n{edition}[[volume]]\nname = 'data'\ndisks = '{disk}'\nhost_cache = 'ReadOnly'\n"
        );
        let (reads, kib) = if size == "Standard_DS14" { (63_900, 4) } else { (7_995, 8) };
        for writes in [0, 400] {
            let mut result = measured(reads, 0, kib, 8_000_000, 64);
            (result.rates.writes, result.rates.write_bytes) = (writes, writes * kib * 1_024);
            let found = explained(&rig, &Evident::Measured(result));
            assert_eq!(found.binding, ["vm cached IOPS"], "{rig}");
            let enough: Vec<&str> =
                found.changes.iter().filter(|one| one.enough).map(|one| one.change.text.as_str()).collect();
            assert!(enough.iter().any(|one| one.starts_with("Standard_")), "{rig} {writes}: {enough:?}");
        }
    }
}

#[test]
fn a_disk_of_an_operating_system_is_none_that_it_cannot_start_from() {
    for disk in ["P10", "E10"] {
        let rig = format!("[vm]\nsize = 'Standard_D16ds_v5'\n[[volume]]\nname = 'data'\ndisks = '{disk}'\n");
        let large = |role: &str| {
            let found = explained(&rig, &levels("data", 4_000, 4_000, role));
            let texts: Vec<String> = found.changes.iter().map(|one| one.change.text.clone()).collect();
            let is_large = |text: &&String| ["60 instead", "70 instead", "80 instead"].iter().any(|l| text.contains(l));
            (texts.iter().filter(is_large).count(), texts)
        };
        let (of_os, texts) = large("role = 'os'");
        assert!(of_os == 0 && !texts.is_empty(), "{texts:?}");
        let (of_data, texts) = large("");
        assert!(of_data > 0, "{texts:?}");
    }
}

#[test]
fn a_disk_grows_while_it_is_attached_unless_it_crosses_4_tib() {
    for (from, reads, to, needs) in [
        ("P60", 17_000, "P70 instead of P60", Needs::Nothing),
        ("P50", 15_000, "P60 instead of P50", Needs::Restart),
        ("P30", 7_000, "P40 instead of P30", Needs::Nothing),
    ] {
        let rig = format!("[vm]\nsize = 'Standard_D32s_v5'\n[[volume]]\nname = 'data'\ndisks = '{from}'\n");
        let found = explained(&rig, &levels("data", reads, 0, ""));
        let change = found.changes.iter().find(|one| one.change.text.starts_with(to));
        assert_eq!(change.map(|one| one.needs), Some(Some(needs)), "{to}: {:#?}", found.changes);
    }
}

#[test]
fn a_recording_that_was_cut_off_has_its_level_and_a_remedy() {
    let even = |minutes: usize, reads: u64| (minutes, reads, reads * 8_192);
    let one = |disk: &str| format!("name = 'data'\ndisks = '{disk}'");
    let two = |log: &str| format!("name = 'data'\ndisks = 'P30'\n[[volume]]\nname = 'log'\ndisks = '{log}'");
    let cut = volume("data", &[even(20, 5_000), even(40, 1_000)]);
    // What binds, its level, a change that is enough.
    let rows = [
        (
            "the stamp with the most requests is not at the throughput that was cut off",
            one("P30"),
            volume("data", &[(20, 800, 200_000_000), (10, 200, 50_000_000), even(1, 1_500), (29, 200, 50_000_000)]),
            "data disk throughput (800 IOPS, 200 MB/s)",
            "performance tier P40 for P30",
        ),
        (
            "another volume lives on bursts",
            two("P10"),
            cut.clone() + &volume("log", &[even(40, 100), even(1, 900), even(19, 100)]),
            "data disk IOPS (5,000 IOPS",
            "performance tier P40 for P30",
        ),
        (
            "another volume is quiet",
            two("P10"),
            cut + &volume("log", &[even(60, 100)]),
            "data disk IOPS (5,000 IOPS",
            "performance tier P40 for P30",
        ),
        (
            "what a disk sustains, a little above",
            one("P6"),
            volume("data", &[even(20, 130), even(10, 640), even(10, 245)]),
            "data disk IOPS (240 IOPS",
            "for data",
        ),
        (
            "what a disk sustains, a little below",
            one("P6"),
            volume("data", &[even(20, 130), even(10, 640), even(10, 230)]),
            "data disk IOPS (240 IOPS",
            "for data",
        ),
    ];
    for (name, disks, demand, level, change) in rows {
        let rig = format!("[vm]\nsize = 'Standard_D16s_v5'\n[[volume]]\n{disks}\n");
        let found = explained(&rig, &Evident::Asked(demand));
        let said = &found.finding.text;
        assert!(said.starts_with(&format!("the recording was throttled at {level}")), "{name}: {said}");
        let enough = found.changes.iter().filter(|one| one.enough).any(|one| one.change.text.contains(change));
        assert!(enough, "{name}: {:#?}", found.changes);
    }
}

#[test]
fn one_request_in_flight_is_wrong_where_it_is_in_flight() {
    let depth = |name: &str, depth: f64| {
        levels(name, 10, 0, &format!("queue_depth = {{ p50 = {depth}, p90 = {depth}, p99 = {depth}, max = {depth} }}"))
    };
    let paced = Measured { is_paced: true, ..measured(100, 0, 8, 3_000_000, 1) };
    let unset = |reads: u64| Measured { queue_depth: None, ..measured(reads, 0, 8, 3_000_000, 1) };
    for (name, evident, is_wrong) in [
        ("idle", depth("data", 0.03), false),
        ("one", depth("data", 1.0), true),
        ("one, of the only volume", depth("db", 1.0), true),
        ("four", depth("data", 4.0), false),
        ("paced", Evident::Measured(paced), false),
        ("set to many, of which few wait", Evident::Measured(measured(300, 0, 8, 3_000_000, 32)), false),
        ("set to one, which waits half of the time", Evident::Measured(measured(150, 0, 8, 3_000_000, 1)), true),
        ("one is measured", Evident::Measured(unset(320)), true),
        ("less than one is measured", Evident::Measured(unset(32)), false),
    ] {
        let rig = "[vm]\nsize = 'Standard_D16s_v5'\n[[volume]]\nname = 'data'\ndisks = '2 x P30'\n";
        let found = explained(rig, &evident);
        let habits: Vec<&str> = found.anti_patterns.iter().map(|habit| habit.text.as_str()).collect();
        let says = habits.iter().any(|habit| habit.contains("one request in flight"));
        assert_eq!(says, is_wrong, "{name}: {habits:?}");
    }
}

/// What the planner proposes for a P30 that is asked for 7,000 reads, under trials that somebody else makes; with what they were of.
fn tried(simulate: impl Fn(&Trial) -> Option<Shown>) -> (Vec<dw_planner::explain::Change>, Vec<Edit>) {
    let session = Session::new(Catalogue::embedded().clone());
    let rig = session.scenario("rig.toml", P30).unwrap();
    let Evident::Asked(asked) = levels("data", 7_000, 0, "") else { unreachable!() };
    let demand = session.requirements_of_existing("r.toml", &format!("schema_version = 1\n{asked}")).unwrap();
    let rig = super::rig_of(&rig, session.catalogue());
    let wishes = Wishes { headroom_percent: 0.0, capacity_headroom_percent: 0.0, ..demand.wishes };
    let catalogue = session.catalogue();
    let question =
        Question { rig: &rig, catalogue, wishes: &wishes, demand: Some(&demand.requirements), measured: &[] };
    let made = RefCell::new(Vec::new());
    let note = |trial: &Trial| {
        made.borrow_mut().push(trial.edit);
        simulate(trial)
    };
    let changes = explain(&question, &note).unwrap().changes;
    (changes, made.into_inner())
}

const P30: &str = "[vm]\nsize = 'Standard_D32s_v5'\n[[volume]]\nname = 'data'\ndisks = 'P30'\n";

#[test]
fn a_change_that_falls_short_gives_way_to_the_next_of_its_kind() {
    let served = Some(Shown { served: true, share: 1_000_000 });
    let short = Some(Shown { served: false, share: 960_000 });
    let larger = |changes: &[dw_planner::explain::Change]| {
        changes.iter().find(|one| matches!(one.edit, Edit::Disk(..))).cloned().unwrap()
    };
    let (all, made) = tried(|_| served);
    let first = larger(&all);
    assert!(first.holds && first.shown == served);
    // Each was tried once.
    let twice = made.iter().enumerate().find(|(place, edit)| made[..*place].contains(edit));
    assert_eq!(twice, None);
    let next = larger(&tried(|trial| if trial.edit == first.edit { short } else { served }).0);
    assert!(next.holds && next.edit != first.edit && next.monthly > first.monthly, "{next:?}");
    // Where all fall short the kind is given up, and the nearest of it is said to be not enough.
    let (none, made) = tried(|_| short);
    assert!(none.iter().all(|one| !one.holds));
    let least = larger(&none);
    assert_eq!((least.edit, least.carried, least.shown), (first.edit, 960_000, short));
    assert_eq!(made.iter().filter(|edit| matches!(edit, Edit::Disk(..))).count(), 3);
    // Whom nobody can simulate is judged by the limits.
    let unknown = larger(&tried(|_| None).0);
    assert!(unknown.holds && unknown.edit == first.edit && unknown.shown.is_none());
}

/// The simulation is of the changed configuration, not of what the planner thinks of it.
#[test]
fn a_change_is_simulated_on_the_configuration_that_is_there() {
    let session = Session::new(Catalogue::embedded().clone());
    let vm = "size = 'Standard_D32s_v5'\n";
    for (limit, share) in [("", 1.0), ("uncached = { iops = 3500 }\n", 0.5), ("uncached = { iops = 1750 }\n", 0.25)] {
        let rig = session.scenario("rig.toml", &P30.replace(vm, &format!("{vm}{limit}"))).unwrap();
        let trials = super::trial::Trials::new(&session, &rig);
        let seen = RefCell::new(Vec::new());
        tried(|trial| {
            let shown = trials.simulate(trial);
            // Another VM is the catalogue's, and what hits does not pass the limit.
            let is_there = !matches!(trial.edit, Edit::Vm(_) | Edit::Cache(..));
            seen.borrow_mut().extend(shown.filter(|_| is_there));
            shown
        });
        let seen = seen.into_inner();
        assert!(seen.len() > 2, "{limit}{seen:?}");
        for Shown { served, share: got } in seen {
            assert_eq!(served, share == 1.0, "{limit}{got}");
            assert!((f64::from(got) / 1e6 - share).abs() < 0.02, "{limit}{got}");
        }
    }
}

#[test]
fn a_change_says_whether_it_was_simulated() {
    let text = |rig: &str, evident: &Evident| -> Vec<(Option<Proof>, String)> {
        let changes = explained(rig, evident).changes;
        changes.into_iter().map(|one| (one.simulated, one.change.text)).collect()
    };
    let asked = levels("data", 7_000, 0, "");
    // Of a VM of one's own nobody knows which local disk it has.
    let own = "[vm]\nuncached = { iops = 50000 }\n[[volume]]\nname = 'data'\ndisks = 'P30'\n";
    for rig in [P30, own] {
        for (proof, text) in text(rig, &asked) {
            let said = match proof {
                Some(Proof::Served) => "; simulated)",
                Some(Proof::FallsShort) => "; falls short in simulation)",
                Some(Proof::NotSimulated) => "; not simulated)",
                None => continue,
            };
            assert!(text.ends_with(said), "{proof:?}: {text}");
        }
    }
    assert!(text(P30, &asked).iter().filter(|(proof, _)| *proof == Some(Proof::Served)).count() > 2);
}

#[test]
fn a_vm_that_cannot_be_resized_is_said_to_be_a_new_one() {
    let rig = |size: &str| format!("[vm]\nsize = '{size}'\n[[volume]]\nname = 'data'\ndisks = '4 x P30'\n");
    // The VM binds; sizes that may be chosen instead, what they need and why.
    for (size, vms, needs, why) in [
        ("Standard_D4s_v5", "D8s_v5", Needs::Restart, "the VM must be stopped and started"),
        ("Standard_D4s_v5", "D8s_v6", Needs::Migration, "from SCSI to NVMe"),
        ("Standard_D4s_v5", "D8ds_v6", Needs::Migration, "from SCSI to NVMe"),
        ("Standard_D4s_v6", "D16s_v5", Needs::Migration, "from NVMe to SCSI"),
        ("Standard_D4s_v6", "D16s_v7", Needs::Restart, "the VM must be stopped and started"),
        ("Standard_D4s_v5", "D8ds_v5", Needs::Migration, "with and without a local disk"),
        ("Standard_D4ps_v5", "D16s_v5", Needs::Migration, "Arm and x64"),
        ("Standard_DC4as_v5", "D16s_v5", Needs::Migration, "confidential"),
    ] {
        let keys = format!("[plan]\nvms = ['{vms}']\n");
        let Evident::Asked(asked) = levels("data", 10_000, 0, "") else { unreachable!() };
        let found = explained(&rig(size), &Evident::Asked(keys + &asked));
        let change = found.changes.iter().find(|one| one.change.text.starts_with(&format!("Standard_{vms} ")));
        let change = change.unwrap_or_else(|| panic!("{size}: {:#?}", found.changes));
        assert_eq!(change.needs, Some(needs), "{}", change.change);
        assert!(change.change.text.contains(why), "{}", change.change);
    }
}
