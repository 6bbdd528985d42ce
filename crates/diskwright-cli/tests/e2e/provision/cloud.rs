//! The script of Azure CLI commands: run with a stand-in for `az` that keeps what was made in files, and every command that it
//! gives read by the argument parser of the real `az`.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::scripts::{free, plans};
use super::{REQUIREMENTS, planned, target};
use crate::e2e::support::{Ran, run, test_tool};

/// A stand-in for `az`: what is made is a file, every command is a line of `calls`.
const AZ: &str = r#"#!/usr/bin/env bash
set -eu
echo "$*" >>"$STATE/calls"
printf '%s\037' "$@" >>"$STATE/words"
printf '\036' >>"$STATE/words"
value() { local want=$1; shift; while [ $# -gt 1 ]; do if [ "$1" = "$want" ]; then echo "$2"; return; fi; shift; done; }
case "$1 $2" in
"account show") ;;
"group show") [ -e "$STATE/group" ] && echo id || { echo "ResourceGroupNotFound" >&2; exit 3; } ;;
"group create") touch "$STATE/group" ;;
"vm create") value --size "$@" >"$STATE/vm" ;;
"vm show")
    [ -e "$STATE/vm" ] || { echo "(ResourceNotFound) The Resource was not found" >&2; exit 3; }
    case $(value --query "$@") in
    hardwareProfile*) cat "$STATE/vm" ;;
    tags*) echo diskwright ;;
    id) echo id ;;
    *lun==*) lun=$(value --query "$@" | sed 's/.*`\([0-9]*\)`.*/\1/'); cat "$STATE/lun.$lun" 2>/dev/null || true ;;
    esac ;;
"disk show")
    name=$(value --name "$@")
    [ -e "$STATE/disk.$name" ] || { echo "(ResourceNotFound) The Resource was not found" >&2; exit 3; }
    case $(value --query "$@") in
    tags*) echo diskwright ;;
    id) echo id ;;
    *) cat "$STATE/disk.$name" ;;
    esac ;;
"disk create")
    # Disks of a tier have figures of their own, which are none of a script's business.
    tier=$(value --tier "$@") iops=$(value --disk-iops-read-write "$@") mbps=$(value --disk-mbps-read-write "$@")
    plus=$(value --performance-plus "$@") burst=$(value --enable-bursting "$@")
    echo "$(value --sku "$@") $(value --size-gb "$@") ${tier:--} ${iops:-5000} ${mbps:-200} diskwright ${plus:-false} ${burst:-false}" >"$STATE/disk.$(value --name "$@")" ;;
"disk update")
    disk=$STATE/disk.$(value --name "$@")
    read -r sku gib tier iops mbps tag rest <"$disk"
    set=$(value --set "$@") new_iops=$(value --disk-iops-read-write "$@") new_mbps=$(value --disk-mbps-read-write "$@")
    [ -z "$set" ] || tier=${set#tier=}
    echo "$sku $gib $tier ${new_iops:-$iops} ${new_mbps:-$mbps} $tag $rest" >"$disk" ;;
"disk delete") rm "$STATE/disk.$(value --name "$@")" ;;
"vm disk") printf '%s %s\n' "$(value --name "$@")" "$(value --caching "$@")" >"$STATE/lun.$(value --lun "$@")" ;;
"vm delete") rm "$STATE/vm" "$STATE"/lun.* ;;
*) echo "no command $*" >&2; exit 2 ;;
esac
"#;

struct Cloud(tempfile::TempDir);

impl Cloud {
    fn new(script: &str) -> Cloud {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("az.sh", script), ("az", AZ)] {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        Cloud(folder)
    }
    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }
    /// The parameters that the script must have: a zone where its disks need one, as no plan here names one.
    fn needs(&self) -> &'static [(&'static str, &'static str)] {
        let script = std::fs::read_to_string(self.path("az.sh")).unwrap();
        if script.contains("NEEDS_ZONE=true") { &[("ZONE", "1")] } else { &[] }
    }
    /// Runs the script; what it said, and the commands that change something.
    fn run(&self, args: &[&str]) -> (Ran, Vec<String>) {
        self.run_with(args, self.needs())
    }
    /// The same with parameters.
    fn run_with(&self, args: &[&str], set: &[(&str, &str)]) -> (Ran, Vec<String>) {
        let _ = std::fs::remove_file(self.path("calls"));
        let path = format!("{}:{}", self.0.path().display(), std::env::var("PATH").unwrap());
        let mut script = Command::new("bash");
        script.arg(self.path("az.sh")).args(args).env("PATH", path).env("STATE", self.0.path());
        let ran = run(script.envs(set.iter().copied()));
        let calls = std::fs::read_to_string(self.path("calls")).unwrap_or_default();
        let changes = calls.lines().filter(|line| !line.contains(" show ")).map(String::from).collect();
        (ran, changes)
    }
}

fn count(files: &Path, start: &str) -> usize {
    let names = std::fs::read_dir(files).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(start)).count()
}

#[test]
fn the_cloud_script_shows_makes_keeps_and_undoes() {
    for folder in plans() {
        let script = target(folder.path(), "az", &[]);
        let disks = script.lines().filter(|line| line.starts_with("    disk ")).count();
        let cloud = Cloud::new(&script);
        let (ran, changes) = cloud.run(&[]);
        assert_eq!((ran.code, changes.len()), (0, 0), "{}{}", ran.stdout, ran.stderr);
        assert_eq!(ran.stdout.matches("would run: az").count(), 2 + 2 * disks, "{}", ran.stdout);
        let (ran, changes) = cloud.run(&["--apply"]);
        assert_eq!((ran.code, changes.len()), (0, 2 + 2 * disks), "{}{}", ran.stdout, ran.stderr);
        assert_eq!((count(cloud.0.path(), "disk."), count(cloud.0.path(), "lun.")), (disks, disks));
        let (ran, changes) = cloud.run(&["--apply"]);
        assert_eq!((ran.code, changes), (0, vec![]), "{}{}", ran.stdout, ran.stderr);
        let (ran, _) = cloud.run(&["--undo", "--apply"]);
        assert_eq!((ran.code, count(cloud.0.path(), "disk.")), (0, disks), "{}{}", ran.stdout, ran.stderr);
        let (ran, changes) = cloud.run(&["--apply"]);
        assert_eq!((ran.code, changes.len()), (0, 1 + disks), "VM and attachments: {}{}", ran.stdout, ran.stderr);
        let (ran, _) = cloud.run(&["--undo", "--delete-data", "--apply"]);
        assert_eq!((ran.code, count(cloud.0.path(), "disk.")), (0, 0), "{}{}", ran.stdout, ran.stderr);
    }
}

/// The only file that begins so.
fn one(files: &Path, start: &str) -> std::path::PathBuf {
    let mut all: Vec<_> = std::fs::read_dir(files).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all.into_iter().find(|path| path.file_name().unwrap().to_string_lossy().starts_with(start)).unwrap()
}

#[test]
fn what_is_there_otherwise_is_refused_before_anything_is_made() {
    // The disk sized as the plan says, what is there, what is said, what --update runs.
    let cases = [
        ("", "Premium_LRS 7 {tier} 5000 200", ", 7 GiB (plan: {gib}): give another PREFIX, or change the disk", None),
        ("", "Standard_LRS {gib} - 500 60", ", SKU Standard_LRS (plan: Premium_LRS), tier - (plan: {tier})", None),
        (
            "",
            "Premium_LRS {gib} P80 7500 250",
            ", tier P80 (plan: {tier}): --update sets them",
            Some("--set tier={tier}"),
        ),
        ("PremiumV2", "PremiumV2_LRS {gib} - 1 {mbps}", ", 1 IOPS (plan: {iops}): --update", Some("{bought}")),
        ("PremiumV2", "PremiumV2_LRS {gib} - {iops} 999", ", 999 MB/s (plan: {mbps}): --update", Some("{bought}")),
        ("PremiumV2", "PremiumV2_LRS {gib} - 1 2", ", 1 IOPS (plan: {iops}), 2 MB/s (plan: {mbps})", Some("{bought}")),
    ];
    for (kind, there, said, update) in cases {
        let folder = planned(&if kind.is_empty() { REQUIREMENTS.into() } else { free(kind) });
        let script = target(folder.path(), "az", &[]);
        let cloud = Cloud::new(&script);
        assert_eq!(cloud.run(&["--apply"]).0.code, 0);
        let disk = one(cloud.0.path(), "disk.");
        let planned = std::fs::read_to_string(&disk).unwrap();
        let planned: Vec<&str> = planned.split_whitespace().collect();
        let [_, gib, tier, iops, mbps, ..] = planned[..] else { panic!("{planned:?}") };
        let bought = "--disk-iops-read-write {iops} --disk-mbps-read-write {mbps}";
        let filled = |text: &str| {
            let text = text.replace("{bought}", bought);
            text.replace("{gib}", gib).replace("{tier}", tier).replace("{iops}", iops).replace("{mbps}", mbps)
        };
        let (there, said) = (filled(there), filled(said));
        std::fs::write(&disk, format!("{there} diskwright\n")).unwrap();
        // Another disk and the VM are gone: they would be made, if it came to that.
        std::fs::remove_file(cloud.path("vm")).unwrap();

        for args in [&[][..], &["--apply"]] {
            let (ran, changes) = cloud.run(args);
            assert_eq!((ran.code, changes), (1, vec![]), "{there}: {}", ran.stdout);
            assert!(
                ran.stderr.contains(&said) && ran.stderr.ends_with("error: nothing was changed\n"),
                "{}",
                ran.stderr
            );
        }
        let (ran, changes) = cloud.run(&["--update", "--apply"]);
        let Some(update) = update.map(filled) else {
            assert_eq!((ran.code, changes), (1, vec![]), "{there}: {}", ran.stdout);
            continue;
        };
        let updates: Vec<&String> = changes.iter().filter(|line| line.starts_with("disk update")).collect();
        assert!(ran.code == 0 && updates.len() == 1 && updates[0].contains(&update), "{changes:?} {}", ran.stderr);
        assert_eq!(cloud.run(&["--apply"]).1, Vec::<String>::new());

        // Somebody else's disk of that name is nobody's to change.
        std::fs::write(&disk, format!("{there} other\n")).unwrap();
        let (ran, changes) = cloud.run(&["--update", "--apply"]);
        assert_eq!((ran.code, changes), (1, vec![]));
        assert!(ran.stderr.contains("is not of this script, it has no tag diskwright=diskwright"), "{}", ran.stderr);
    }
}

#[test]
fn other_sizes_of_vm_and_other_disks_at_a_lun_are_refused_together() {
    let cloud = Cloud::new(&target(planned(REQUIREMENTS).path(), "az", &[]));
    assert_eq!(cloud.run(&["--apply"]).0.code, 0);
    std::fs::write(cloud.path("vm"), "Standard_D2s_v5\n").unwrap();
    std::fs::write(cloud.path("lun.0"), "mine None\n").unwrap();
    let (ran, changes) = cloud.run(&["--apply"]);
    assert_eq!((ran.code, changes), (1, vec![]));
    for said in
        ["is there and is a Standard_D2s_v5, the plan says Standard_E8ds_v5", "LUN 0 of diskwright-vm has the disk"]
    {
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
}

#[test]
fn options_that_do_not_go_together_are_usage() {
    let cloud = Cloud::new(&target(planned(REQUIREMENTS).path(), "az", &[]));
    for args in [&["--delete-data"][..], &["--undo", "--update"], &["--aply"]] {
        let (ran, changes) = cloud.run(args);
        assert!(ran.code == 2 && changes.is_empty() && ran.stderr.contains("--help"), "{args:?}: {}", ran.stderr);
    }
}

/// What the real parser answers, one for each question; nothing where it is not installed.
pub fn asked(questions: &[Value]) -> Option<Vec<Value>> {
    let python = test_tool("azure-cli/bin/python")?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/e2e/provision/az_parser.py");
    let mut parser = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines: String = questions.iter().map(|question| format!("{question}\n")).collect();
    parser.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let done = parser.wait_with_output().unwrap();
    let said = String::from_utf8(done.stdout).unwrap();
    let answers: Vec<Value> = said.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert_eq!(answers.len(), questions.len(), "{}", String::from_utf8_lossy(&done.stderr));
    Some(answers)
}

/// The commands that the script gave since the stand-in was made, each as its words.
fn commands(cloud: &Cloud) -> BTreeSet<Vec<String>> {
    let words = std::fs::read_to_string(cloud.path("words")).unwrap();
    let split = |command: &str| command.split_terminator('\u{1f}').map(String::from).collect();
    words.split_terminator('\u{1e}').map(split).collect()
}

#[test]
fn a_zone_that_disks_need_and_no_plan_names_is_asked_for() {
    let folder = planned(&free("Ultra"));
    let cloud = Cloud::new(&target(folder.path(), "az", &[]));
    let (ran, changes) = cloud.run_with(&["--apply"], &[]);
    assert!(ran.code != 0 && changes.is_empty(), "{}", ran.stdout);
    assert!(ran.stderr.contains("disks of the plan are in a zone, and it names none"), "{}", ran.stderr);
    let (ran, changes) = cloud.run_with(&["--apply"], &[("ZONE", "2")]);
    assert!(ran.code == 0 && changes.iter().any(|line| line.contains("--zone 2")), "{changes:?} {}", ran.stderr);
}

#[test]
fn every_command_is_one_of_the_azure_cli() {
    let mut all = BTreeSet::new();
    for (n, folder) in plans().iter().enumerate() {
        let script = target(folder.path(), "az", &[]);
        let all_set: &[(&str, &str)] =
            &[("SSH_KEY", ""), ("SUBNET", "/subscriptions/s/subnets/x"), ("ZONE", "2"), ("IMAGE", "Win2022Datacenter")];
        // Settings change the VM's commands, not the disks': two plans, of disks with tiers and of disks without, have all of them.
        let own = Cloud::new(&script).needs();
        let settings: &[&[(&str, &str)]] = if [0, 3].contains(&n) { &[own, all_set] } else { &[own] };
        for &set in settings {
            let cloud = Cloud::new(&script);
            for args in [&[][..], &["--apply"], &["--undo"], &["--undo", "--apply"], &["--apply"]] {
                assert_eq!(cloud.run_with(args, set).0.code, 0, "{args:?} {set:?}");
            }
            let disk = one(cloud.0.path(), "disk.");
            let text = std::fs::read_to_string(&disk).unwrap().replace(" P", " P1").replace(" - ", " - 1");
            std::fs::write(&disk, text).unwrap();
            assert_eq!(cloud.run_with(&["--update", "--apply"], set).0.code, 0);
            assert_eq!(cloud.run_with(&["--undo", "--delete-data", "--apply"], set).0.code, 0);
            all.extend(commands(&cloud));
        }
    }
    let kinds: BTreeSet<String> = all
        .iter()
        .map(|words| words.iter().take_while(|word| !word.starts_with('-')).cloned().collect::<Vec<_>>().join(" "))
        .collect();
    let expected = "account show|disk create|disk delete|disk show|disk update|group create|group show|vm create|vm delete|vm disk attach|vm show";
    assert_eq!(kinds.into_iter().collect::<Vec<_>>().join("|"), expected);
    for word in ["PremiumV2_LRS", "UltraSSD_LRS", "Premium_LRS", "ReadOnly", "2"] {
        assert!(all.iter().flatten().any(|found| found == word), "{word}");
    }

    // The same with a fault: an argument that nobody has, a word that is not a choice, a number that is none, one that is missing.
    let wrong = |from: &str, to: &str| {
        let command = all.iter().find(|words| words.iter().any(|word| word == from)).unwrap().clone();
        let at = command.iter().position(|word| word == from).unwrap();
        let mut command = command;
        match to.split_once('=') {
            Some((name, value)) => command.splice(at..at + 2, [name.to_string(), value.to_string()]).count(),
            None => command.splice(at..at + 2, []).count(),
        };
        command
    };
    let faults = [
        (wrong("--sku", "--skew=Premium_LRS"), "unrecognized arguments: --skew Premium_LRS"),
        (wrong("--sku", "--sku=PremiumV3_LRS"), "'PremiumV3_LRS' is not a valid value for '--sku'"),
        (wrong("--caching", "--caching=Write"), "'Write' is not a valid value for '--caching'"),
        (wrong("--disk-iops-read-write", "--disk-iops-read-write=many"), "invalid int value: 'many'"),
        (wrong("--lun", "--moon=1"), "unrecognized arguments: --moon 1"),
        (wrong("--name", ""), "the following arguments are required: --name"),
        (wrong("--query", "--query=[?x"), "--query"),
    ];
    let questions: Vec<Value> =
        all.iter().chain(faults.iter().map(|fault| &fault.0)).map(|words| json!({ "args": words })).collect();
    let Some(answers) = asked(&questions) else { return };
    let (fine, refused) = answers.split_at(all.len());
    for (words, answer) in all.iter().zip(fine) {
        assert_eq!(answer["refused"], Value::Null, "az {}", words.join(" "));
    }
    for ((words, said), answer) in faults.iter().zip(refused) {
        let refused = answer["refused"].as_str().unwrap_or_default();
        assert!(refused.contains(said), "az {}: {refused}", words.join(" "));
    }
}

/// What `az` prints for the questions of the script, on records as it shows them.
#[test]
fn the_questions_of_the_script_are_answered_as_the_stand_in_does() {
    let script = target(planned(REQUIREMENTS).path(), "az", &[]);
    let about = script.split_once("ABOUT_DISK=\"").unwrap().1.split_once('"').unwrap().0;
    let at_lun = "storageProfile.dataDisks[?lun==`1`].join(' ', [name, caching]) | [0]";
    assert!(script.contains(&at_lun.replace("`1`", "\\`$lun\\`")));
    let premium = json!({ "sku": { "name": "Premium_LRS", "tier": "Premium" }, "diskSizeGB": 1024, "tier": "P30",
        "diskIOPSReadWrite": 5000, "diskMBpsReadWrite": 200, "tags": { "diskwright": "x" } });
    let chosen = json!({ "sku": { "name": "Premium_ZRS" }, "diskSizeGB": 1024, "tier": "P30", "diskIOPSReadWrite": 8000,
        "diskMBpsReadWrite": 300, "tags": null, "burstingEnabled": true, "creationData": { "performancePlus": true } });
    let free = json!({ "sku": { "name": "PremiumV2_LRS" }, "diskSizeGb": 100, "tier": null, "diskIopsReadWrite": 3000,
        "diskMbpsReadWrite": 125, "tags": null });
    let vm = json!({ "storageProfile": { "dataDisks": [{ "lun": 0, "name": "a", "caching": "None" },
        { "lun": 1, "name": "b", "caching": "ReadOnly" }] } });
    let bare = json!({ "storageProfile": { "dataDisks": [] } });
    let cases = [
        (about, &premium, "Premium_LRS 1024 P30 5000 200 x false false\n"),
        (about, &chosen, "Premium_ZRS 1024 P30 8000 300 - true true\n"),
        (about, &free, "PremiumV2_LRS 100 - 3000 125 - false false\n"),
        (at_lun, &vm, "b ReadOnly\n"),
        (at_lun, &bare, ""),
    ];
    let questions: Vec<Value> =
        cases.iter().map(|(query, document, _)| json!({ "query": query, "document": document })).collect();
    let Some(answers) = asked(&questions) else { return };
    for ((query, _, expected), answer) in cases.iter().zip(answers) {
        assert_eq!(answer["tsv"], *expected, "{query}");
    }
}
