//! The Linux script of a plan, run for real in the guest, on the disks of that same plan.

use std::path::Path;
use std::process::Command;

use dw_catalogue::provision::linux::Options;
use dw_catalogue::provision::{Build, Disks, Place, Scripts as _, Volume};
use dw_units::Bytes;
use serde_json::Value;

use super::{Guest, wanted};
use crate::emulate::support::{Emulator, run};

/// Small disks of a kind that is sized freely: two in a stripe, and one.
const REQUIREMENTS: &str = r#"schema_version = 1
[plan]
vms = ["E4bs_v5"]
disks = ["PremiumV2"]

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
capacity = "6 GiB"
read_size = "8 KiB"
read_iops = { p50 = 5500, p90 = 5500, p99 = 5500, max = 5500 }

[[volume]]
name = "log"
role = "log"
capacity = "2 GiB"
write_size = "32 KiB"
write_iops = { p50 = 100, p90 = 100, p99 = 100, max = 100 }
"#;

fn diskwright(folder: &Path, args: &[&str]) -> String {
    run(Command::new(env!("CARGO_BIN_EXE_diskwright")).args(args).current_dir(folder)).ok()
}

/// The run of the script with this name.
#[track_caller]
fn check_run(said: &[Value], name: &str, code: u64, does: bool, error: &str) {
    let found = said.iter().find(|value| value["run"] == name).unwrap_or_else(|| panic!("{name}: {said:#?}"));
    let steps = found["steps"].as_u64().unwrap();
    assert_eq!((found["code"].as_u64(), steps > 0), (Some(code), does), "{found}");
    assert!(found["error"].as_str().unwrap().contains(error), "{found}");
}

/// Mounted volumes, lines of fstab, udev rules, arrays, files that were kept.
#[track_caller]
fn check_state(said: &[Value], name: &str, expected: [u64; 5]) {
    let found = said.iter().find(|value| value["state"] == name).unwrap_or_else(|| panic!("{name}: {said:#?}"));
    let figures = ["mounted", "in_fstab", "rules", "arrays", "kept"].map(|key| found[key].as_u64().unwrap());
    assert_eq!(figures, expected, "{found}");
}

/// Builds, refuses, keeps and undoes.
fn check_script(more: &[&str], options: &str) {
    if !wanted() {
        return;
    }
    let folder = planned();
    let script = diskwright(folder.path(), &[&["provision", "plan.json", "--target", "linux"], more].concat());
    check(&folder, &script, "", options);
}

/// The plan, in a folder of its own.
fn planned() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("requirements.toml"), REQUIREMENTS).unwrap();
    diskwright(folder.path(), &["plan", "requirements.toml", "--format", "json", "--output", "plan.json"]);
    folder
}

/// A script on the disks of the plan, which have these ids where it finds them so.
fn check(folder: &tempfile::TempDir, script: &str, ids: &str, options: &str) {
    let rig = diskwright(folder.path(), &["provision", "plan.json", "--target", "rig"]);
    std::fs::write(folder.path().join("script.sh"), script).unwrap();

    let emulator = Emulator::start(&rig);
    let file = [("script", folder.path().join("script.sh"))];
    let set = [("DISKS", "data.0 data.1 log"), ("PLACE", "/srv/data"), ("VOLUMES", ids)];
    let said = Guest::boot_with(&emulator, &["data.0", "data.1", "log"], &set, &file, "provision").finish();

    check_run(&said, "dry", 0, true, "");
    check_state(&said, "dry", [0, 0, 0, 0, 0]);
    check_run(&said, "file-system", 1, false, "has data on it (ext4)");
    check_run(&said, "bytes", 1, false, "has data on it (of no known kind)");
    check_run(&said, "end", 1, false, "has data on it (of no known kind)");
    check_state(&said, "refused", [0, 0, 0, 0, 0]);
    check_run(&said, "apply", 0, true, "");
    check_state(&said, "applied", [2, 2, 2, 1, 1]);
    let built = said.iter().find(|value| value["options"].is_string()).unwrap();
    assert!(built["options"].as_str().unwrap().contains(options), "{built}");
    assert_eq!(built["read_ahead_kib"], 8, "{built}");
    check_run(&said, "again", 0, false, "");
    check_state(&said, "again", [2, 2, 2, 1, 1]);
    check_state(&said, "mounted", [2, 2, 2, 1, 1]);
    check_run(&said, "undo", 0, true, "");
    check_state(&said, "undone", [0, 0, 0, 0, 0]);
    check_run(&said, "back", 0, true, "");
    check_state(&said, "back", [2, 2, 2, 1, 1]);
    check_run(&said, "deleted", 0, true, "");
    check_state(&said, "deleted", [0, 0, 0, 0, 0]);
    check_run(&said, "again", 0, true, "");
    check_state(&said, "again", [2, 2, 2, 1, 0]);
}

#[test]
fn an_mdadm_stripe_under_xfs_is_built_once_and_undone() {
    // XFS says its stripe in sectors: 64 KiB, and twice as much.
    check_script(&[], "sunit=128,swidth=256");
}

#[test]
fn a_stripe_of_lvm_under_ext4_is_built_once_and_undone() {
    check_script(&["--lvm", "--filesystem", "ext4"], "stripe=32");
}

/// Where the ids of volumes are the serial numbers of their devices.
#[test]
fn a_stripe_of_volumes_that_are_found_by_their_ids_is_built_once_and_undone() {
    if !wanted() {
        return;
    }
    let folder = planned();
    let plan: Value = serde_json::from_str(&std::fs::read_to_string(folder.path().join("plan.json")).unwrap()).unwrap();
    let volume = |number: usize, name: &str| {
        let row = &plan["plan"]["volumes"][number];
        let disks = Disks {
            kind: "gp3".into(),
            count: row["disks"].as_u64().unwrap() as u32,
            gib: row["disk_gib"].as_u64().unwrap(),
            iops: None,
            mib_per_s: None,
            stripe_unit: Bytes::kib(64),
            shared_by: None,
            options: Vec::new(),
        };
        let mount = format!("/srv/{name}");
        Volume { name: name.into(), safe: name.into(), mount, read_ahead_kib: 8, place: Place::Data(disks) }
    };
    let build = Build {
        answer: "m7i.large".into(),
        machine: "m7i.large".into(),
        options: Vec::new(),
        region: "eu-central-1".into(),
        zone: Some("a".into()),
        windows: false,
        local_nvme: false,
        volumes: vec![volume(0, "data"), volume(1, "log")],
    };
    let script = dw_aws::shipped().text("linux", &build, Options::default()).unwrap();
    check(&folder, &script, "vol-0a1 vol-0b2 vol-0c3", "sunit=128,swidth=256");
}
