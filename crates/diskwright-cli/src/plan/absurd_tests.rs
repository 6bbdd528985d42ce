//! Any number of a plan or of requirements may have been changed to anything: every command that reads them says so or copes.

use std::sync::OnceLock;

use dw_formats::fio::VolumeMap;
use proptest::prelude::*;

use crate::exit::Exit;

const REQUIREMENTS: &str = r#"schema_version = 1
growth = 1.0

[cpu]
processors = 8
busy_percent = { p50 = 21.0, p90 = 38.0, p99 = 52.0, max = 71.0 }

[memory]
used = { p50 = "20 GiB", p90 = "22 GiB", p99 = "24 GiB", max = "26 GiB" }

[plan]
percentile = 99.0
headroom_percent = 10.0
years = 2
growth_percent_per_year = 15.0
capacity_growth_percent_per_year = 10.0
cost_max = 5000.0
vcpu_min = 2
vms = ["DS*"]
bursting = true
[[plan.price]]
name = "PremiumV2"
meter = "gib"
monthly = 0.08
[[plan.price]]
name = "PremiumV2"
meter = "iops"
monthly = 0.005
[[plan.price]]
name = "PremiumV2"
meter = "mb_per_s"
monthly = 0.04

[[volume]]
name = "data"
capacity = "750 GiB"
working_set = "400 GiB"
read_size = "8 KiB"
stripe_unit = "64 KiB"
disks_max = 8
read_latency_max = "5 ms"
[volume.series]
interval = "60 s"
read_iops = [3000.0, 2000.0, 2500.0]
write_iops = [300.0, 200.0, 250.0]
read_bytes_per_s = [24576000, 16384000, 20480000]
write_bytes_per_s = [2457600, 1638400, 2048000]

[[volume]]
name = "log"
role = "log"
capacity = "100 GiB"
hit_curve = [{ cache = "64 GiB", percent = 60.0 }]
write_size = "32 KiB"
write_iops = { p50 = 100.0, p90 = 200.0, p99 = 300.0, max = 450.0 }
"#;

const RIG: &str = "[vm]\nsize = \"Standard_DS13\"\n[[volume]]\nname = \"data\"\ndisks = \"2 x P30\"\nhost_cache = \"ReadOnly\"\n\
                   [[volume]]\nname = \"log\"\ndisks = \"P10\"\n";

/// What a hand may write in place of a number.
const NUMBERS: [&str; 16] = [
    "18446744073709551615",
    "18446744073709551616",
    "9223372036854775807",
    "4294967296",
    "4294967295",
    "1e300",
    "1e19",
    "1e-300",
    "-1",
    "-9223372036854775808",
    "0",
    "0.5",
    "65",
    "1000000000000",
    "nan",
    "inf",
];

/// Where the numbers of a text are.
fn numbers(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    let is_of = |c: char| c.is_ascii_digit() || c == '.';
    while let Some(start) = text[from..].find(|c: char| c.is_ascii_digit()).map(|at| from + at) {
        let end = text[start..].find(|c| !is_of(c)).map_or(text.len(), |at| start + at);
        // The digits of a name are no number.
        let is_name = text[..start].ends_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !is_name {
            found.push(start..end);
        }
        from = end;
    }
    found
}

/// The key that a number stands under, in TOML or JSON.
fn key_of(text: &str, number: &std::ops::Range<usize>) -> String {
    let before = text[..number.start].trim_end_matches(|c: char| c.is_whitespace() || "[:=\"-".contains(c));
    before.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or_default().to_string()
}

/// What a hand changes: a number, or every number under its key, for only so does a sum over volumes overflow.
#[derive(Clone, Debug)]
struct Change {
    place: usize,
    number: usize,
    all_of_key: bool,
}

fn changed(text: &str, changes: &[Change]) -> String {
    let mut text = text.to_string();
    for change in changes {
        let all = numbers(&text);
        let chosen = &all[change.place % all.len()];
        let key = key_of(&text, chosen);
        let is_changed = |at: &std::ops::Range<usize>| at == chosen || change.all_of_key && key_of(&text, at) == key;
        let places: Vec<_> = all.iter().filter(|at| is_changed(at)).cloned().collect();
        for at in places.into_iter().rev() {
            text.replace_range(at, NUMBERS[change.number]);
        }
    }
    text
}

/// A command in this process; a panic is the failure that this searches for, an unexpected exit another.
fn run(args: &[&str]) {
    let mut out = Vec::new();
    let args = std::iter::once("diskwright").chain(args.iter().copied()).map(String::from).collect();
    assert_ne!(crate::run(args, &mut out), Exit::Unexpected);
}

/// A plan for the requirements, as JSON.
fn plan() -> &'static str {
    static PLAN: OnceLock<String> = OnceLock::new();
    PLAN.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.toml");
        std::fs::write(&path, REQUIREMENTS).unwrap();
        let mut out = Vec::new();
        let args = ["diskwright", "plan", path.to_str().unwrap(), "--format", "json"].map(String::from).to_vec();
        assert_eq!(crate::run(args, &mut out), Exit::Ok);
        String::from_utf8(out).unwrap()
    })
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = (0usize..10_000, 0..NUMBERS.len(), any::<bool>()).prop_map(|(place, number, all_of_key)| Change {
        place,
        number,
        all_of_key,
    });
    proptest::collection::vec(change, 1..3)
}

#[test]
fn all_numbers_of_a_key_are_changed() {
    let all = Change { place: 1, number: 0, all_of_key: true };
    let text = "\"disks\": 1, \"gib\": [2, 3], \"disks\": 4";
    let most = NUMBERS[0];
    assert_eq!(
        changed(text, &[Change { place: 3, ..all.clone() }]),
        format!("\"disks\": {most}, \"gib\": [2, 3], \"disks\": {most}")
    );
    assert_eq!(
        changed(text, &[Change { place: 3, all_of_key: false, ..all }]),
        format!("\"disks\": 1, \"gib\": [2, 3], \"disks\": {most}")
    );
}

#[test]
fn the_disks_of_volumes_may_be_more_than_a_number_holds() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (bad, out) = (path("changed.json"), path("report.md"));
    let place = numbers(plan()).iter().position(|at| key_of(plan(), at) == "disks").unwrap();
    let number = NUMBERS.iter().position(|number| *number == "4294967295").unwrap();
    std::fs::write(&bad, changed(plan(), &[Change { place, number, all_of_key: true }])).unwrap();
    run(&["report", &bad, "--format", "markdown", "--output", &out, "--quiet"]);
    assert!(std::fs::read_to_string(out).unwrap().contains("8589934590"));
    let mut said = Vec::new();
    let args = ["diskwright", "provision", &bad, "--target", "az"].map(String::from).to_vec();
    assert_eq!(crate::run(args, &mut said), Exit::Input);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_reader_of_a_plan_survives_any_number(changes in changes()) {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
        let (good, bad, out) = (path("plan.json"), path("changed.json"), path("report.md"));
        std::fs::write(&good, plan()).unwrap();
        std::fs::write(&bad, changed(plan(), &changes)).unwrap();
        run(&["plan", "diff", &good, &bad]);
        run(&["plan", "diff", &bad, &good, "--format", "json"]);
        if std::env::var("REPORT").is_ok() { run(&["report", &bad, "--format", "markdown", "--output", &out, "--quiet"]); }
        for target in ["az", "bicep", "terraform", "linux", "windows", "fio", "diskspd", "rig"] {
            run(&["provision", &bad, "--target", target]);
        }
        run(&["provision", &bad, "--target", "database", "--database", "postgresql"]);
    }

    #[test]
    fn every_reader_of_requirements_survives_any_number(changes in changes()) {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
        let (asked, rig) = (path("requirements.toml"), path("rig.toml"));
        let text = changed(REQUIREMENTS, &changes);
        std::fs::write(&asked, &text).unwrap();
        std::fs::write(&rig, RIG).unwrap();
        run(&["plan", &asked, "--no-simulate"]);
        run(&["plan", &asked, "--format", "json"]);
        run(&["explain", &rig, "--demand", &asked]);
        let volumes: Vec<VolumeMap> = ["data", "log"]
            .into_iter()
            .zip(0..)
            .map(|(name, index)| VolumeMap { index, name: name.into(), mount: None, device: None, size: 1 << 40 })
            .collect();
        if let Ok(read) = dw_demand::read("requirements.toml", &text, &dw_catalogue::PLAN_KEYS) {
            let _ = dw_formats::over_time(&read, &volumes, &|_| None);
        }
    }
}
