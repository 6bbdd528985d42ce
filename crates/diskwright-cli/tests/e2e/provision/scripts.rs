//! The scripts, read by the parsers of their languages.
//!
//! Needs shellcheck; Bicep, PowerShell and HCL are parsed by crates. The Linux script runs for real in the guest (see the tests
//! of `emulate`), the Azure CLI script in `cloud.rs`.

use std::collections::BTreeSet;
use std::process::Command;

use super::{REQUIREMENTS, planned, target};
use crate::e2e::support::{folder, run, tool};

/// Plans with disks of every kind, in stripes and cached, with names that are hard to quote.
pub(super) fn plans() -> Vec<tempfile::TempDir> {
    let awkward = REQUIREMENTS.replace("\"SQL data\"", "\"l'été \\\"$(reboot)\\\" ${x} `y` %{z} #{q}\"");
    let system = format!(
        "{}\n[[volume]]\nname = \"system\"\nrole = \"os\"\ncapacity = \"64 GiB\"\nread_size = \"8 KiB\"\n\
         read_iops = {{ p50 = 10, p90 = 20, p99 = 30, max = 40 }}\n",
        REQUIREMENTS
    );
    let free = free("PremiumV2");
    let ultra = free.replace("PremiumV2", "Ultra");
    let plus =
        REQUIREMENTS.replace("disk_options = []", "disk_options = [\"performance-plus\"]\nredundancy = \"zone\"");
    [REQUIREMENTS, &awkward, &system, &free, &ultra, &plus].map(planned).into()
}

/// The same with disks of a kind that is sized freely.
pub(super) fn free(kind: &str) -> String {
    let prices = [("gib", "0.08"), ("iops", "0.005"), ("mb_per_s", "0.04")].map(|(meter, monthly)| {
        format!("[[plan.price]]\nname = \"{kind}\"\nmeter = \"{meter}\"\nmonthly = {monthly}\n")
    });
    let chosen = format!("vms = [\"E4bs_v5\"]\ndisks = [\"{kind}\"]\n{}", prices.concat());
    REQUIREMENTS.replace("vms = [\"E8ds_v5\"]\ndisks = [\"P10\", \"P15\", \"P20\", \"P30\", \"P40\"]\n", &chosen)
}

#[test]
fn shell_scripts_have_no_fault_that_shellcheck_knows() {
    let Some(shellcheck) = tool("shellcheck") else { return };
    // Plans differ in the values of their scripts; a script that another plan has, too, is checked once.
    let mut scripts = BTreeSet::new();
    for folder in plans() {
        for (name, more) in
            [("az", &[][..]), ("linux", &[]), ("linux", &["--filesystem", "ext4"]), ("linux", &["--lvm"])]
        {
            scripts.insert(target(folder.path(), name, more));
        }
    }
    let names: Vec<String> = (0..scripts.len()).map(|n| format!("{n}.sh")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(scripts.iter().map(String::as_str)).collect();
    let folder = folder(&files);
    let ran = run(Command::new(&shellcheck).arg("--severity=style").args(&names).current_dir(folder.path()));
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
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
