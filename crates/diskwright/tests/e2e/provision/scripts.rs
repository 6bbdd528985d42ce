//! The scripts, read by the parsers of their languages and run where that is possible.
//!
//! Needs shellcheck; Bicep, PowerShell and HCL are parsed by crates. The Linux script runs for real in the guest (see the tests
//! of `emulate`), the Azure CLI script with a stand-in for `az` that keeps what was made in files.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use super::{REQUIREMENTS, planned, target};
use crate::support::{Ran, run, tool};

/// Disks of every kind, with names that are hard to quote.
fn plans() -> Vec<tempfile::TempDir> {
    let awkward = REQUIREMENTS.replace("\"SQL data\"", "\"l'été \\\"$(reboot)\\\" ${x} `y` %{z} #{q}\"");
    let free = REQUIREMENTS.replace("vms = [\"E8ds_v5\"]", "vms = [\"E4bs_v5\"]\ndisks = [\"PremiumV2\"]\n[[plan.price]]\nname = \"PremiumV2\"\nmeter = \"gib\"\nmonthly = 0.08\n[[plan.price]]\nname = \"PremiumV2\"\nmeter = \"iops\"\nmonthly = 0.005\n[[plan.price]]\nname = \"PremiumV2\"\nmeter = \"mb_per_s\"\nmonthly = 0.04\n");
    [REQUIREMENTS, &awkward, &free].map(planned).into()
}

#[test]
fn shell_scripts_have_no_fault_that_shellcheck_knows() {
    let Some(shellcheck) = tool("shellcheck") else { return };
    for folder in plans() {
        for (name, more) in
            [("az", &[][..]), ("linux", &[]), ("linux", &["--filesystem", "ext4"]), ("linux", &["--lvm"])]
        {
            std::fs::write(folder.path().join("script.sh"), target(folder.path(), name, more)).unwrap();
            let ran = run(Command::new(&shellcheck).args(["--severity=style", "script.sh"]).current_dir(folder.path()));
            assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{name} {more:?}");
        }
    }
}

/// Every node of a tree that is an error or is missing, with its line.
pub(super) fn faults(language: tree_sitter::Language, text: &str) -> Vec<String> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&language).unwrap();
    let tree = parser.parse(text, None).unwrap();
    let mut found = Vec::new();
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        if node.is_error() || node.is_missing() {
            let line = text.lines().nth(node.start_position().row).unwrap_or_default();
            found.push(format!("{}: {line}", node.start_position().row + 1));
        }
        open.extend((0..node.child_count()).filter_map(|n| node.child(n as _)));
    }
    found
}

#[test]
fn bicep_and_powershell_parse() {
    for folder in plans() {
        let bicep = target(folder.path(), "bicep", &[]);
        assert_eq!(faults(tree_sitter_bicep::LANGUAGE.into(), &bicep), Vec::<String>::new());
        let windows = target(folder.path(), "windows", &[]);
        assert_eq!(faults(tree_sitter_powershell::LANGUAGE.into(), &windows), Vec::<String>::new());
    }
    // The parsers do find faults.
    assert!(!faults(tree_sitter_bicep::LANGUAGE.into(), "param x string = {").is_empty());
    assert!(!faults(tree_sitter_powershell::LANGUAGE.into(), "if ($x { }").is_empty());
}

#[test]
fn terraform_parses_and_has_the_disks_of_the_script() {
    for folder in plans() {
        let body: hcl::Body = hcl::from_str(&target(folder.path(), "terraform", &[])).unwrap();
        let locals = body.blocks().find(|block| block.identifier() == "locals").unwrap();
        let disks = locals.body().attributes().find(|attribute| attribute.key() == "data_disks").unwrap();
        let hcl::Expression::Object(disks) = disks.expr() else { panic!("{disks:?}") };
        let script = target(folder.path(), "az", &[]);
        let in_script = script.lines().filter(|line| line.starts_with("    disk ")).count();
        assert_eq!(disks.len(), in_script);
        let kinds: Vec<&str> =
            body.blocks().map(|block| block.labels().first().map_or("", |label| label.as_str())).collect();
        for kind in ["azurerm_managed_disk", "azurerm_virtual_machine_data_disk_attachment"] {
            assert!(kinds.contains(&kind), "{kinds:?}");
        }
    }
}

/// A stand-in for `az`: what is made is a file, every command is a line of `calls`.
const AZ: &str = r#"#!/usr/bin/env bash
set -eu
echo "$*" >>"$STATE/calls"
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
"disk create") printf '%s\t%s\n' "$(value --sku "$@")" "$(value --size-gb "$@")" >"$STATE/disk.$(value --name "$@")" ;;
"disk delete") rm "$STATE/disk.$(value --name "$@")" ;;
"vm disk") printf '%s\t%s\n' "$(value --name "$@")" "$(value --caching "$@")" >"$STATE/lun.$(value --lun "$@")" ;;
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
    /// Runs the script; what it said, and the commands that change something.
    fn run(&self, args: &[&str]) -> (Ran, Vec<String>) {
        let _ = std::fs::remove_file(self.path("calls"));
        let path = format!("{}:{}", self.0.path().display(), std::env::var("PATH").unwrap());
        let ran =
            run(Command::new("bash").arg(self.path("az.sh")).args(args).env("PATH", path).env("STATE", self.0.path()));
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

#[test]
fn the_cloud_script_refuses_what_is_there_otherwise() {
    let folder = planned(REQUIREMENTS);
    let cloud = Cloud::new(&target(folder.path(), "az", &[]));
    assert_eq!(cloud.run(&["--apply"]).0.code, 0);
    let disk = std::fs::read_dir(cloud.0.path()).unwrap().map(|entry| entry.unwrap().path());
    let disk = disk.into_iter().find(|path| path.to_string_lossy().contains("disk.")).unwrap();
    std::fs::write(&disk, "Premium_LRS\t7\n").unwrap();
    let (ran, changes) = cloud.run(&["--apply"]);
    assert!(ran.code == 1 && changes.is_empty() && ran.stderr.contains("is there with SKU and GiB"), "{}", ran.stderr);
}
