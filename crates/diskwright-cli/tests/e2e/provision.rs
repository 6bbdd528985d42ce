//! `diskwright provision`, as a person runs it: every target of one plan, checked by the tools that will read it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use serde_json::Value;

use crate::e2e::support::{Ran, diskwright, diskwright_at, folder};

pub mod cloud;
mod files;
mod quoting;
mod scripts;
mod verify;

/// Two volumes with a stripe, one of them cached, of disks sized freely and of disks that are not.
const REQUIREMENTS: &str = r#"schema_version = 1
[plan]
region = "eastus"
headroom_percent = 0
capacity_headroom_percent = 0
disk_options = []
vms = ["E8ds_v5"]
disks = ["P10", "P15", "P20", "P30", "P40"]

[[volume]]
name = "SQL data"
capacity = "900 GiB"
working_set = "40 GiB"
disks_max = 4
read_size = "8 KiB"
write_size = "8 KiB"
read_iops = { p50 = 3000, p90 = 7000, p99 = 9000, max = 11000 }
write_iops = { p50 = 500, p90 = 2000, p99 = 6000, max = 7000 }

[[volume]]
name = "log"
role = "log"
capacity = "100 GiB"
write_size = "10 KiB"
write_latency_max = "3 ms"
write_iops = { p50 = 100, p90 = 250, p99 = 400, max = 480 }
"#;

/// The plan of requirements, as a file in a folder of its own. The same requirements are planned once for all tests.
fn planned(requirements: &str) -> tempfile::TempDir {
    static PLANS: Mutex<BTreeMap<String, Arc<OnceLock<String>>>> = Mutex::new(BTreeMap::new());
    let plan = PLANS.lock().unwrap().entry(requirements.into()).or_default().clone();
    let plan = plan.get_or_init(|| {
        let folder = folder(&[("requirements.toml", requirements)]);
        let ran = diskwright_at(folder.path(), &["plan", "requirements.toml", "--format", "json"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout
    });
    folder(&[("requirements.toml", requirements), ("plan.json", plan)])
}

/// The same with something changed in the plan.
fn changed(folder: &Path, change: impl FnOnce(&mut Value)) {
    let path = folder.join("plan.json");
    let mut plan: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    change(&mut plan);
    std::fs::write(path, serde_json::to_string_pretty(&plan).unwrap()).unwrap();
}

fn provision(folder: &Path, args: &[&str]) -> Ran {
    diskwright_at(folder, &[&["provision", "plan.json"], args].concat())
}

/// What a target prints.
#[track_caller]
fn target(folder: &Path, name: &str, more: &[&str]) -> String {
    let ran = provision(folder, &[&["--target", name], more].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{name}");
    ran.stdout
}

#[test]
fn every_target_of_a_plan_is_as_it_was() {
    let folder = planned(REQUIREMENTS);
    for name in ["az", "bicep", "terraform", "linux", "windows", "fio", "diskspd", "rig", "rig-windows"] {
        insta::assert_snapshot!(format!("target_{name}"), target(folder.path(), name, &[]));
    }
    for database in ["sqlserver", "oracle", "postgresql", "mysql"] {
        insta::assert_snapshot!(database, target(folder.path(), "database", &["--database", database]));
    }
}

/// Linux takes as many volumes as a VM has disks.
#[test]
fn more_volumes_than_windows_has_letters_are_built_on_linux() {
    let volume = |number: u32| {
        format!(
            "[[volume]]\nname = \"v{number}\"\ncapacity = \"8 GiB\"\nread_size = \"8 KiB\"\n\
             read_iops = {{ p50 = 5, p90 = 9, p99 = 20, max = 25 }}\n"
        )
    };
    let requirements = "schema_version = 1\n".to_string() + &(0..22).map(volume).collect::<String>();
    let folder = planned(&requirements);
    let ran = provision(folder.path(), &["--output", "built"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let letters = "there are 22 volumes on disks, and Windows has 21 letters";
    for file in ["windows.ps1", "verify.xml", "rig-windows.toml"] {
        assert!(ran.stderr.contains(&format!("note: left out: {file}: {letters}")), "{}", ran.stderr);
        assert!(!ran.stdout.contains(file), "{}", ran.stdout);
    }
    let readme = std::fs::read_to_string(folder.path().join("built/README.md")).unwrap();
    assert!(
        readme.contains("| v21 | ") && !readme.contains("indows.ps1") && !readme.contains("verify.xml"),
        "{readme}"
    );
    let refused = provision(folder.path(), &["--target", "windows"]);
    assert!(refused.code == 3 && refused.stdout.is_empty() && refused.stderr.contains(letters), "{}", refused.stderr);
}

/// A plan with Windows and its licence is built with an image of Windows.
#[test]
fn the_operating_system_that_the_plan_priced_is_the_one_that_is_built() {
    let image = ["az", "bicep", "terraform"];
    let linux = ["IMAGE:=Ubuntu2404", "param windows bool = false", "default     = false"];
    let windows = ["IMAGE:=Win2022Datacenter", "param windows bool = true", "default     = true"];
    let folder = planned(REQUIREMENTS);
    for (name, words) in image.into_iter().zip(linux) {
        assert!(target(folder.path(), name, &[]).contains(words), "{name}: {words}");
    }
    changed(folder.path(), |plan| plan["os"] = "windows".into());
    for (name, words) in image.into_iter().zip(windows) {
        let text = target(folder.path(), name, &[]);
        assert!(text.contains(words) && !text.to_lowercase().contains("ubuntu"), "{name}: {text}");
    }
    changed(folder.path(), |plan| plan["plan"]["monthly"] = 2e12.into());
    assert_eq!(provision(folder.path(), &["--target", "az"]).code, 0, "a price of one's own may be that high");
}

/// What was wished for, and what each target says of it.
#[test]
fn what_is_chosen_for_a_disk_is_in_every_target() {
    let cases: [(&str, [(&str, &str); 4]); 3] = [
        (
            "disk_options = [\"performance-plus\"]",
            [
                ("az", "Premium_LRS 1024 ReadOnly - - - yes -"),
                ("bicep", "performancePlus: true"),
                ("terraform", "plus = true, burst = null"),
                ("rig", "performance_plus = true"),
            ],
        ),
        (
            "disk_options = [\"tier\"]\nnot_disks = [\"P15\", \"P20\"]",
            [
                ("az", " P40 - - - -"),
                ("bicep", "tier: 'P40'"),
                ("terraform", "tier = \"P40\""),
                ("rig", "tier = \"P40\""),
            ],
        ),
        (
            "disk_options = []\nredundancy = \"zone\"",
            [
                ("az", "Premium_ZRS"),
                ("bicep", "sku: 'Premium_ZRS'"),
                ("terraform", "sku = \"Premium_ZRS\""),
                ("rig", "host_cache"),
            ],
        ),
    ];
    for (keys, targets) in cases {
        let mut text = REQUIREMENTS.replace("disk_options = []", keys);
        if keys.contains("tier") {
            // One disk of 100 GiB that must be as fast as one of 2 TiB.
            text = text.replace("disks = [\"P10\", \"P15\", \"P20\", \"P30\", \"P40\"]", "disks = [\"P10\"]");
            text = text.replace("900 GiB", "100 GiB").replace("disks_max = 4", "disks_max = 2");
        }
        let folder = planned(&text);
        for (name, said) in targets {
            let text = target(folder.path(), name, &[]);
            assert!(text.contains(said), "{keys}, {name}: {text}");
        }
        std::fs::write(folder.path().join("rig.toml"), target(folder.path(), "rig", &[])).unwrap();
        std::fs::write(folder.path().join("verify.fio"), target(folder.path(), "fio", &[])).unwrap();
        let ran = diskwright_at(folder.path(), &["simulate", "rig.toml", "verify.fio", "--quiet"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
}

/// What was changed in the plan, the exit code, what is said.
#[test]
fn what_is_no_plan_is_refused_by_name_line_and_fix() {
    type Change = fn(&mut Value);
    let cases: [(Change, i32, &str); 20] = [
        (|plan| plan["redundancy"] = "region".into(), 3, "`redundancy` is `region`"),
        (|plan| plan["plan"]["volumes"][0]["disk_tier"] = "P4".into(), 3, "cannot be set to tier `P4`"),
        (
            |plan| plan["plan"]["volumes"][1]["performance_plus"] = true.into(),
            3,
            "volume `log`: P15 of edition api-2026-08 has no performance plus",
        ),
        (|plan| plan["schema_version"] = 2.into(), 3, "plan.json:2: `schema_version` is 2, but this program reads 1"),
        (|plan| plan["plan"] = Value::Null, 4, "plan.json: it has no plan: "),
        (|plan| plan["plan"]["vm"] = "Standard_X9".into(), 3, "unknown VM size `Standard_X9`"),
        (|plan| plan["plan"]["volumes"][0]["disk"] = "P31".into(), 3, "unknown disk `P31`"),
        (|plan| plan["plan"]["volumes"][1]["role"] = "logs".into(), 3, "volume `log`: `logs` is not a role"),
        (
            |plan| plan["plan"]["volumes"][0]["disks"] = 77.into(),
            3,
            "its volumes have 78 data disks, but Standard_E8ds_v5 takes at most 16",
        ),
        (
            |plan| plan["plan"]["volumes"][1]["name"] = "a\nb".into(),
            3,
            "volume 2: its name has the control character U+000A",
        ),
        (
            |plan| plan["plan"]["volumes"][1]["name"] = "a/b".into(),
            3,
            "volume 2: its name has a `/`, which separates directories\nhint: call it `a-b` in the requirements",
        ),
        (
            |plan| plan["plan"]["volumes"][1]["name"] = "SQL data".into(),
            3,
            "volume 2: its name is also the name of volume 1",
        ),
        (
            |plan| plan["plan"]["volumes"][1]["name"] = "SQL data.0".into(),
            3,
            "volume 2: its name is the name of a disk of volume `SQL data`",
        ),
        (|plan| plan["region"] = "x\ny".into(), 3, "`region` is `x\u{240a}y`, which has no known prices"),
        (|plan| plan["region"] = "eastuss".into(), 3, "`region` is `eastuss`, which has no known prices"),
        (|plan| plan["os"] = "beos".into(), 3, "`os` is `beos`\nhint: write `windows` or `linux`, or omit it"),
        (|plan| plan["latency"] = "\u{202e}".into(), 3, "`latency` is `\u{fffd}`\nhint: write `"),
        (|plan| plan["uncached_sharing"] = "x".into(), 3, "`uncached_sharing` is `x`\nhint: write `separate`"),
        (|plan| plan["plan"]["volumes"][1]["host_cache"] = "Some".into(), 3, "`Some` is not a host-cache setting"),
        (|plan| plan["plan"]["size"] = 1.into(), 3, "is not a plan: unknown key `size`"),
    ];
    for (change, code, expected) in cases {
        let folder = planned(REQUIREMENTS);
        changed(folder.path(), change);
        let ran = provision(folder.path(), &["--target", "rig"]);
        assert!(ran.stderr.contains(expected) && ran.stderr.contains("hint: "), "{expected}: {}", ran.stderr);
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "{expected}");
    }
}

#[test]
fn what_is_no_json_is_refused_with_its_line() {
    let folder = folder(&[("plan.json", "{\n  \"schema_version\": 1,\n  nothing\n}"), ("rig.toml", "[vm]")]);
    let ran = provision(folder.path(), &["--target", "rig"]);
    assert!(
        ran.code == 3 && ran.stderr.starts_with("error: plan.json:3: is not valid JSON: key must be a string"),
        "{}",
        ran.stderr
    );
    let ran = diskwright_at(folder.path(), &["provision", "rig.toml", "--target", "rig"]);
    assert!(ran.code == 3 && ran.stderr.contains("rig.toml:1: is not valid JSON"), "{}", ran.stderr);
    let ran = diskwright_at(folder.path(), &["provision", "gone.json", "--target", "rig"]);
    assert!(ran.code == 3 && ran.stderr.contains("gone.json"), "{}", ran.stderr);
}

#[test]
fn help_of_provision() {
    insta::assert_snapshot!(diskwright(&["provision", "--help"]).stdout);
}
