//! Findings out again: commands that the real Azure CLI's parser reads, and patches that git applies.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::e2e::provision::cloud::asked;
use crate::e2e::support::{diskwright_at, folder, run, tool};

fn id(kind: &str, name: &str) -> String {
    format!("/subscriptions/S/resourceGroups/RG/providers/Microsoft.Compute/{kind}/{name}")
}

/// A machine with one data disk and what is special about both.
fn vm(name: &str, size: &str, os: &str, disk: Option<Value>, more: Value) -> [Value; 2] {
    let mut own = json!({ "id": id("virtualMachines", name), "name": name, "type": "Microsoft.Compute/virtualMachines", "location": "eastus",
        "zones": ["1"], "powerState": "VM running", "hardwareProfile": { "vmSize": size }, "securityProfile": { "encryptionAtHost": true },
        "storageProfile": { "osDisk": { "osType": "Linux", "name": format!("{name}-os"), "caching": "ReadWrite", "diskSizeGb": 64,
            "managedDisk": { "id": id("disks", &format!("{name}-os")), "storageAccountType": os } } } });
    own.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let Some(mut disk) = disk else { return [own, Value::Null] };
    let disk_id = id("disks", &format!("{name}-data"));
    own["storageProfile"]["dataDisks"] = json!([{ "lun": 3, "name": format!("{name}-data"), "caching": disk["caching"].take(),
        "managedDisk": { "id": disk_id } }]);
    disk.as_object_mut().unwrap().remove("caching");
    disk.as_object_mut().unwrap().extend(
        json!({ "id": disk_id, "name": format!("{name}-data"), "type": "Microsoft.Compute/disks",
        "location": "eastus", "zones": ["1"], "diskState": "Attached", "managedBy": id("virtualMachines", name) })
        .as_object()
        .unwrap()
        .clone(),
    );
    [own, disk]
}

/// A machine for each setting that ends a finding, and a disk on nothing.
fn inventory() -> String {
    let premium = |caching: &str| json!({ "sku": { "name": "Premium_LRS" }, "diskSizeGB": 1024, "caching": caching });
    let second = |iops: u64, mb: u64, caching: &str| {
        json!({ "sku": { "name": "PremiumV2_LRS" }, "diskSizeGB": 512, "caching": caching,
        "diskIOPSReadWrite": iops, "diskMBpsReadWrite": mb })
    };
    let with = |mut disk: Value, key: &str, value: Value| {
        disk[key] = value;
        disk
    };
    let d8 = |name: &str, disk| vm(name, "Standard_D8s_v5", "Premium_LRS", Some(disk), json!({}));
    let mut all: Vec<Value> = [
        d8("iops", second(30_000, 200, "None")),
        d8("it's $(touch x)", second(8_000, 1_500, "None")),
        d8("cache", premium("ReadWrite")),
        d8("never", second(3_000, 125, "ReadOnly")),
        d8("closed", with(second(3_000, 125, "None"), "sku", json!({ "name": "UltraSSD_LRS" }))),
        vm("os", "Standard_D8s_v5", "Standard_LRS", None, json!({})),
        vm(
            "open",
            "Standard_D8s_v5",
            "Premium_LRS",
            None,
            json!({ "additionalCapabilities": { "ultraSSDEnabled": true } }),
        ),
        vm("off", "Standard_D8s_v5", "Premium_LRS", None, json!({ "powerState": "VM stopped" })),
        vm("tier", "Standard_B2s", "Premium_LRS", Some(with(premium("None"), "tier", json!("P50"))), json!({})),
        vm(
            "burst",
            "Standard_B2s",
            "Premium_LRS",
            Some(with(premium("None"), "burstingEnabled", json!(true))),
            json!({}),
        ),
        vm("size", "Standard_D16ds_v6", "Premium_LRS", None, json!({})),
    ]
    .concat();
    all.retain(|record| !record.is_null());
    all.push(
        json!({ "id": id("disks", "lost"), "name": "lost", "type": "Microsoft.Compute/disks", "location": "eastus",
        "sku": { "name": "Premium_LRS" }, "diskSizeGB": 128, "diskState": "Unattached" }),
    );
    json!({ "data": all }).to_string()
}

/// The commands that a script gives a stand-in for `az`, each as its words, and what it printed.
fn given(at: &Path, args: &[&str]) -> (String, Vec<Vec<String>>) {
    let az = at.join("az");
    std::fs::write(&az, "#!/bin/sh\nfor word; do printf '%s\\037' \"$word\" >>words; done\nprintf '\\036' >>words\n")
        .unwrap();
    std::fs::set_permissions(az, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", at.display(), std::env::var("PATH").unwrap());
    let ran = run(Command::new("bash").arg("changes.sh").args(args).current_dir(at).env("PATH", path));
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let words = std::fs::read_to_string(at.join("words")).unwrap_or_default();
    let split = |command: &str| command.split_terminator('\u{1f}').map(String::from).collect();
    (ran.stdout, words.split_terminator('\u{1e}').map(split).collect())
}

#[test]
fn every_command_is_one_of_the_azure_cli_and_runs_only_when_told_to() {
    let at = folder(&[("all.json", &inventory())]);
    let ran = diskwright_at(at.path(), &["audit", "all.json", "--commands", "-o", "changes.sh"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let script = std::fs::read_to_string(at.path().join("changes.sh")).unwrap();
    if let Some(shellcheck) = tool("shellcheck") {
        let checked = run(Command::new(shellcheck).arg("--severity=style").arg("changes.sh").current_dir(at.path()));
        assert_eq!((checked.code, checked.stdout.as_str()), (0, ""), "{script}");
    }
    // Data are deleted by nobody who did not take the mark away.
    let lost = "# This deletes data: take the mark of the comment away to run it.\n# run az disk delete --subscription s --resource-group rg --name lost --yes\n";
    assert!(script.contains(lost), "{script}");
    let (said, commands) = given(at.path(), &[]);
    assert!(commands.is_empty() && said.lines().all(|line| line.starts_with("  would run: az ")), "{said}");
    let shown = said.lines().count();
    let (_, commands) = given(at.path(), &["--apply"]);
    assert!(!at.path().join("x").exists());
    // What runs is what was shown: no option that only one vendor's program has comes to it.
    assert!(said.contains("az disk update") && commands.len() == shown, "{said}");
    assert!(
        commands.iter().flatten().all(|word| !word.starts_with("--only-show") && word != "--output"),
        "{commands:?}"
    );
    let short = |words: &Vec<String>| {
        let rest = words.iter().position(|word| word == "--name").map_or(0, |at| at + 1);
        format!("{} {}", words[..2].join(" "), words[rest..].join(" "))
    };
    let found: BTreeSet<String> = commands.iter().map(short).collect();
    let expected = [
        "disk update burst-data --enable-bursting false",
        "disk update iops-data --disk-iops-read-write 12800",
        "disk update it's $(touch x)-data --disk-mbps-read-write 290",
        "disk update os-os --sku StandardSSD_LRS",
        "disk update tier-data --set tier=P30",
        "vm deallocate closed",
        "vm deallocate off",
        "vm deallocate open",
        "vm deallocate os",
        "vm start closed",
        "vm start open",
        "vm start os",
        "vm update cache --disk-caching 3=ReadOnly",
        "vm update closed --ultra-ssd-enabled true",
        "vm update never --disk-caching 3=None",
        "vm update open --ultra-ssd-enabled false",
    ];
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected, "{script}");

    // Notes are changed where they are asked for.
    let ran = diskwright_at(at.path(), &["audit", "all.json", "--commands", "--only", "dw210:si*"]);
    let resize = "run az vm resize --subscription s --resource-group rg --name size --size Standard_D16ads_v7\n";
    assert!(ran.code == 0 && ran.stdout.ends_with(resize), "{}{}", ran.stdout, ran.stderr);
    let mut questions: Vec<Value> = commands.iter().map(|words| json!({ "args": words })).collect();
    let words = |line: &str| json!({ "args": line.split_whitespace().collect::<Vec<_>>() });
    questions.push(words(resize.trim_start_matches("run az ")));
    questions.push(words("disk delete --subscription s --resource-group rg --name lost --yes"));
    questions.push(words("vm update --subscription s --resource-group rg --name vm --disk-cashing 3=None"));
    let Some(answers) = asked(&questions) else { return };
    let (wrong, fine) = answers.split_last().unwrap();
    for (question, answer) in questions.iter().zip(fine) {
        assert_eq!(answer["refused"], Value::Null, "{question}");
    }
    assert!(wrong["refused"].as_str().unwrap().contains("--disk-cashing"), "{wrong}");
}

#[test]
fn what_is_asked_for_is_what_is_written() {
    let at = folder(&[("all.json", &inventory())]);
    let of = |more: &[&str]| diskwright_at(at.path(), &[&["audit", "all.json"], more].concat());
    let codes = |more: &[&str]| {
        let csv = of(&[more, &["--format", "csv"]].concat()).stdout;
        csv.lines().skip(1).map(|line| line[..5].to_string()).collect::<BTreeSet<_>>()
    };
    assert_eq!(codes(&["--only", "DW301", "--only", "DW2*:iops"]), BTreeSet::from(["DW201".into(), "DW301".into()]));
    assert_eq!(codes(&["--only", "DW201:iops:iops-os"]), BTreeSet::new());
    // A disk that no machine has is a line without a code.
    assert_eq!(codes(&["--only", "DW201:iops:other"]), BTreeSet::from([",warn".into()]));
    for (more, code, expected) in [
        (&["--only", "301"][..], 2, "begins with no code"),
        (&["--commands", "--format", "json"], 2, "cannot be used with"),
        (&["--commands", "--patch", "."], 2, "cannot be used with"),
        (&["--patch", "."], 3, "the folder has no Terraform file"),
        (&["--only", "DW201", "--commands", "--fail-on", "warning"], 5, ""),
        (&["--only", "DW301", "--commands", "--fail-on", "error"], 0, ""),
    ] {
        let ran = of(more);
        assert!(ran.code == code && ran.stderr.contains(expected), "{more:?}: {} {}", ran.code, ran.stderr);
    }
    // What a plan alone knows has no id, and no command.
    let plan = folder(&[("plan.json", &plan())]);
    let ran = diskwright_at(plan.path(), &["audit", "plan.json", "--commands"]);
    assert!(ran.stdout.contains("# By hand: ") && !ran.stdout.contains("\nrun az"), "{}", ran.stdout);
}

/// Two machines that a plan builds: one whose disk is bought too fast and cached, one of a module.
fn plan() -> String {
    let vm = |address: &str, name: &str, size: &str| {
        json!({ "address": address, "mode": "managed", "type": "azurerm_linux_virtual_machine",
        "values": { "name": name, "size": size, "location": "eastus", "zone": "1",
            "os_disk": [{ "caching": "ReadWrite", "storage_account_type": "Premium_LRS", "disk_size_gb": 64, "name": format!("{name}-os") }] } })
    };
    let disk = |address: &str, name: &str, kind: &str, iops: Option<u64>| {
        json!({ "address": address, "mode": "managed", "type": "azurerm_managed_disk",
        "values": { "name": name, "storage_account_type": kind, "disk_size_gb": 512, "disk_iops_read_write": iops,
            "disk_mbps_read_write": iops.map(|_| 200), "location": "eastus", "zone": "1" } })
    };
    let on = |address: &str, lun: u64, caching: &str| {
        json!({ "address": address, "mode": "managed",
        "type": "azurerm_virtual_machine_data_disk_attachment", "values": { "lun": lun, "caching": caching } })
    };
    let refers = |address: &str, disk: &str, vm: &str| {
        json!({ "address": address, "type": "azurerm_virtual_machine_data_disk_attachment",
        "expressions": { "managed_disk_id": { "references": [format!("{disk}.id"), disk] }, "virtual_machine_id": { "references": [format!("{vm}.id"), vm] } } })
    };
    let (data, log, many) = ("azurerm_managed_disk.data", "azurerm_managed_disk.log", "azurerm_managed_disk.many[0]");
    let at = |name: &str| format!("azurerm_virtual_machine_data_disk_attachment.{name}");
    let own = "azurerm_linux_virtual_machine.db";
    json!({ "format_version": "1.2", "planned_values": { "root_module": { "resources": [
            vm(own, "db", "Standard_D8s_v5"), vm("azurerm_linux_virtual_machine.web", "web", "Standard_D8s_v5"),
            disk(data, "d", "PremiumV2_LRS", Some(30_000)), disk(log, "l", "Premium_LRS", None), disk(many, "m", "PremiumV2_LRS", Some(30_000)),
            on(&at("data"), 0, "None"), on(&at("log"), 1, "ReadWrite"), on(&at("many[0]"), 0, "None")],
        "child_modules": [{ "address": "module.m", "resources": [
            vm("module.m.azurerm_linux_virtual_machine.v", "v", "Standard_D8s_v5"), disk("module.m.azurerm_managed_disk.w", "w", "Premium_LRS", None),
            on(&format!("module.m.{}", at("w")), 0, "ReadWrite")] }] } },
        "configuration": { "root_module": { "resources": [refers(&at("data"), data, own), refers(&at("log"), log, own),
                refers(&at("many"), "azurerm_managed_disk.many", "azurerm_linux_virtual_machine.web")],
            "module_calls": { "m": { "source": "./m", "module": { "resources": [refers(&at("w"), "azurerm_managed_disk.w", "azurerm_linux_virtual_machine.v")] } } } } } })
    .to_string()
}

const MAIN: &str = "variable \"n\" {}\r\n\r\nresource \"azurerm_managed_disk\" \"data\" {\r\n  name                 = \"${var.n}-d\"\r\n  disk_iops_read_write = 30000   # as before\r\n  disk_mbps_read_write = 200\r\n}\r\n";
const REST: &str = "resource \"azurerm_managed_disk\" \"log\" {\n  name = \"l\"\n}\n\nresource \"azurerm_managed_disk\" \"many\" {\n  count = 1\n  name = \"m\"\n  disk_iops_read_write = 30000\n}\n\n\
    resource \"azurerm_virtual_machine_data_disk_attachment\" \"log\" {\n  managed_disk_id = azurerm_managed_disk.log.id\n  caching = \"ReadWrite\" # it's <script>\n}";

#[test]
fn a_patch_changes_literals_and_git_applies_it() {
    if tool("git").is_none() {
        return;
    }
    let at = folder(&[("plan.json", &plan()), ("main.tf", MAIN), ("a b.tf", REST), ("broken.tf", "resource {{")]);
    let ran = diskwright_at(at.path(), &["audit", "plan.json", "--patch", ".", "-o", "audit.patch"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let patch = std::fs::read_to_string(at.path().join("audit.patch")).unwrap();
    for expected in [
        "# not in it: DW301 v/w: no block of it is in these files",
        "# not in it: broken.tf:1: the file is not read: ",
        "# not in it: DW201 web/m: its block has `count` and stands for several",
        "--- a/a b.tf\t\n+++ b/a b.tf\t\n",
    ] {
        assert!(patch.contains(expected), "{expected}\n{patch}");
    }
    // Nothing was changed by us.
    let text = |name: &str| std::fs::read_to_string(at.path().join(name)).unwrap();
    assert!(text("main.tf") == MAIN && text("a b.tf") == REST);
    for args in [&["init", "-q"][..], &["apply", "--check", "audit.patch"], &["apply", "audit.patch"]] {
        let git = run(Command::new("git").args(["-c", "core.autocrlf=false"]).args(args).current_dir(at.path()));
        assert_eq!(git.code, 0, "{args:?}: {}\n{patch}", git.stderr);
    }
    assert_eq!(text("main.tf"), MAIN.replace("= 30000 ", "= 12800 "));
    assert_eq!(text("a b.tf"), REST.replace("caching = \"ReadWrite\"", "caching = \"ReadOnly\""));
    // What is as it is to be needs no change.
    let again = diskwright_at(at.path(), &["audit", "plan.json", "--patch", ".", "--only", "DW201:db"]);
    assert!(!again.stdout.contains("@@"), "{}", again.stdout);
}
