//! `audit` and `rig`: inventories in, findings in every form and a scenario out.

use serde_json::Value;

use crate::e2e::support::{diskwright_at, folder, root};

mod ci;
mod ebs;
mod metrics;
mod out;

/// `az vm list -d -o json` of two machines: a disk that its machine cannot drive, a cache that holds writes back.
const VMS: &str = r#"[
 {"id": "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/web", "name": "web", "location": "eastus", "zones": ["1"],
  "type": "Microsoft.Compute/virtualMachines", "powerState": "VM running", "hardwareProfile": {"vmSize": "Standard_D2s_v5"},
  "securityProfile": {"encryptionAtHost": true}, "brandNew": 1,
  "storageProfile": {"osDisk": {"osType": "Linux", "name": "web-os", "caching": "ReadWrite", "diskSizeGb": 64, "managedDisk": {"storageAccountType": "Premium_LRS"}},
   "dataDisks": [{"lun": 0, "name": "web-data", "caching": "None", "diskSizeGb": 8192, "managedDisk": {"storageAccountType": "Premium_LRS"}}]}},
 {"id": "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/db", "name": "NAME", "location": "REGION", "zones": ["1"],
  "type": "Microsoft.Compute/virtualMachines", "powerState": "VM running", "hardwareProfile": {"vmSize": "Standard_D8s_v5"},
  "securityProfile": {"encryptionAtHost": true},
  "storageProfile": {"osDisk": {"osType": "Linux", "name": "db-os", "caching": "ReadWrite", "diskSizeGb": 64, "managedDisk": {"storageAccountType": "Premium_LRS"}},
   "dataDisks": [{"lun": 0, "name": "data0", "caching": "ReadWrite", "diskSizeGb": 1024, "managedDisk": {"storageAccountType": "Premium_LRS"}},
                 {"lun": 1, "name": "data1", "caching": "ReadWrite", "diskSizeGb": 1024, "managedDisk": {"storageAccountType": "Premium_LRS"}}]}}]"#;

fn vms(name: &str) -> String {
    VMS.replace("NAME", &name.replace('\\', "\\\\").replace('"', "\\\"")).replace("REGION", "eastus")
}

/// What attacks whoever shows it: a terminal, a page, a comment, a spreadsheet.
const ATTACK: &str = "=cmd|' /C calc'!A0<script>alert(1)</script>[x](http://e)|@all";

#[test]
fn two_commands_lead_from_nothing_to_findings() {
    let at = folder(&[("vms.json", &vms("db"))]);
    let ran = diskwright_at(at.path(), &["audit", "vms.json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for expected in [
        "machines: 2, disks: 5; errors: 0, warnings: ",
        "DW103",
        "can never be used at once",
        "ReadWrite on a data disk",
        "fields not read: 1, of 1 kinds (machine.brandNew)",
    ] {
        assert!(ran.stdout.contains(expected), "{expected}\n{}", ran.stdout);
    }
    for (level, code) in [("note", 5), ("warning", 5), ("error", 0)] {
        assert_eq!(diskwright_at(at.path(), &["audit", "vms.json", "--fail-on", level]).code, code, "{level}");
    }
    // The folder is its files.
    let of_folder = diskwright_at(at.path(), &["audit", "."]);
    assert_eq!(of_folder.stdout.lines().next(), ran.stdout.lines().next());
}

/// As people write them: comments, a region that the resource group has.
#[test]
fn a_template_with_comments_has_prices_where_its_region_is_told() {
    let template = r#"// Two disks on nothing.
{
  "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", /* as "it" is */
  "contentVersion": "1.0.0.0",
  "parameters": { // none, yet
  },
  "resources": [
    { "type": "Microsoft.Compute/virtualMachines", "apiVersion": "2024-03-01", "name": "vm", // "size": "Standard_D2s_v5", {
      "location": "[resourceGroup().location]",
      "properties": { "hardwareProfile": { "vmSize": "Standard_D8s_v5" }, "storageProfile": {
        "osDisk": { "createOption": "FromImage", "diskSizeGB": 64, "managedDisk": { "storageAccountType": "Premium_LRS" } },
        "dataDisks": [ { "lun": 0, "diskSizeGB": 1024, "caching": "None", "createOption": "Empty", "managedDisk": { "storageAccountType": "Premium_LRS" } } ] } } }
  ]
}"#;
    let at = folder(&[("azuredeploy.json", template)]);
    let json = |more: &[&str]| {
        let ran = diskwright_at(at.path(), &[&["audit", "azuredeploy.json", "--format", "json"], more].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        serde_json::from_str::<Value>(&ran.stdout).unwrap()
    };
    let lacks = |document: &Value| {
        let all = document["not_judged"].as_array().unwrap().iter();
        all.map(|one| one["lacks"].as_str().unwrap().to_string()).collect::<Vec<_>>()
    };
    let without = json(&[]);
    assert_eq!((without["machines"].as_u64(), without["disks"].as_u64()), (Some(1), Some(2)), "{without:#}");
    assert!(without["cost"]["monthly"] == 0.0 && lacks(&without).contains(&"the region".to_string()), "{without:#}");
    let with = json(&["--region", "West Europe"]);
    assert!(with["cost"]["monthly"].as_f64().unwrap() > 300.0 && !lacks(&with).contains(&"the region".to_string()));
    assert_eq!(with["estate"][0]["region"], "westeurope");
    for (arguments, said) in [
        (["--region", "westeurop"], "no price is known in region `westeurop`"),
        (["--only", "DW999"], "no rule is called `DW999`"),
        (["--only", "DW305,DW301"], "no rule is called `DW305,DW301`"),
    ] {
        let ran = diskwright_at(at.path(), &[&["audit", "azuredeploy.json"][..], &arguments].concat());
        assert!(ran.code == 2 && ran.stderr.contains(said), "{said}: {}", ran.stderr);
    }
}

/// Disks on nothing in several regions, one of which nobody has prices of.
#[test]
fn every_region_is_audited_for_itself() {
    let disk = |name: &str, region: &str| {
        serde_json::json!({ "id": format!("/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/disks/{name}"), "name": name,
            "type": "Microsoft.Compute/disks", "location": region, "sku": { "name": "Premium_LRS" }, "diskSizeGB": 1024,
            "diskState": "Unattached", "managedBy": null })
    };
    let list = serde_json::json!([disk("a", "eastus"), disk("b", "West Europe"), disk("c", "atlantis")]).to_string();
    let at = folder(&[("disks.json", &list)]);
    let ran = diskwright_at(at.path(), &["audit", "disks.json", "--format", "json"]);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    let found: Vec<(String, bool, String)> = document["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let says = one["says"]["text"].as_str().unwrap().to_string();
            (one["disk"].as_str().unwrap().into(), one["monthly"].is_number(), says)
        })
        .collect();
    let of = |name: &str| found.iter().find(|(disk, ..)| disk == name).unwrap().clone();
    assert_eq!(found.len(), 3, "{found:?}");
    for (name, has_price, region) in [("a", true, "eastus"), ("b", true, "westeurope"), ("c", false, "atlantis")] {
        let (_, priced, says) = of(name);
        assert!(priced == has_price && says.contains(region), "{name}: {says}");
    }
    assert_eq!(document["cost"]["unpriced"], 1);
}

#[test]
fn a_baseline_leaves_what_is_made_worse() {
    let at = folder(&[
        ("main.json", &vms("db").replace("\"diskSizeGb\": 8192", "\"diskSizeGb\": 1024")),
        ("plan.json", &vms("db")),
    ]);
    let ran = diskwright_at(
        at.path(),
        &["audit", "plan.json", "--baseline", "main.json", "--format", "json", "--fail-on", "warning"],
    );
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    let codes: Vec<&str> =
        document["findings"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect();
    assert!(codes.contains(&"DW103") && !codes.contains(&"DW301"), "{codes:?}");
    let same = diskwright_at(at.path(), &["audit", "plan.json", "--baseline", "plan.json", "--fail-on", "note"]);
    assert_eq!(same.code, 0, "{}", same.stdout);
}

#[test]
fn every_form_is_whole_and_no_name_attacks() {
    let terminal = "\u{1b}]0;x\u{7}";
    let name = format!("{ATTACK}{}", terminal.replace('\u{1b}', "\\u001b").replace('\u{7}', "\\u0007"));
    let json = VMS.replace("NAME", &name).replace("REGION", "eastus");
    let at = folder(&[("a b.json", &json)]);
    let of = |format: &str| {
        let ran = diskwright_at(at.path(), &["audit", "a b.json", "--format", format]);
        assert_eq!(ran.code, 0, "{format}: {}", ran.stderr);
        assert!(!ran.stdout.contains('\u{1b}') && !ran.stdout.contains('\u{7}'), "{format}");
        ran.stdout
    };
    of("table");
    let markdown = of("markdown");
    assert!(
        markdown.lines().count() <= 40 && !markdown.contains("<script>") && !markdown.contains("[x]("),
        "{markdown}"
    );
    assert!(!markdown.contains("@all"), "{markdown}");
    let csv = of("csv");
    assert!(csv.contains("'=cmd") && !csv.contains("\n=cmd") && !csv.contains(",=cmd"), "{csv}");
    let html = of("html");
    assert!(html.contains("&lt;script&gt;alert(1)") && !html.contains("<script>alert"), "{html}");
    let junit = of("junit");
    assert!(junit.starts_with("<?xml") && !junit.contains("<script>"), "{junit}");
    assert_eq!(junit.matches("<testcase").count(), junit.matches("<testcase ").count());
    assert!(junit.contains("<failure type=\"warning\""), "{junit}");
    let document: Value = serde_json::from_str(&of("json")).unwrap();
    assert_eq!(document["machines"], 2);
    let schema = std::fs::read_to_string(root().join("schemas/audit.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let errors: Vec<String> = validator.iter_errors(&document).map(|e| e.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert!(
        schema == diskwright_at(at.path(), &["schema", "audit"]).stdout,
        "schemas/audit.schema.json is stale: run `cargo xtask gen`"
    );

    // What the schema of SARIF 2.1.0 asks of a run.
    let sarif: Value = serde_json::from_str(&of("sarif")).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(rules.len() >= 30 && run["tool"]["driver"]["name"] == "diskwright");
    for result in run["results"].as_array().unwrap() {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["note", "warning", "error"].contains(&result["level"].as_str().unwrap()));
        assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()));
        assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a%20b.json");
    }
}

/// What no language but English has of English: what a change takes, what is lacking, what limits are called.
#[test]
fn effort_and_what_is_lacking_are_in_the_language_of_the_rest() {
    let at = folder(&[("vms.json", &vms("db").replace("\"powerState\": \"VM running\",", ""))]);
    for (language, said) in [
        (
            "en",
            [
                "the disk is detached and attached again with its host-cache setting",
                "for want of whether it runs",
                "uncached IOPS of",
            ],
        ),
        ("sv", ["disken kopplas från och ansluts igen", "i brist på om den kör", "ocachade IOPS för"]),
        ("ru", ["диск отключается и подключается снова", "работает ли она", "IOPS без кэша"]),
        ("ja", ["ディスクを切断し、", "実行中かどうか", "キャッシュなしの IOPS"]),
        ("zh-Hans", ["磁盘分离后", "是否在运行", "无缓存 IOPS"]),
    ] {
        let ran = diskwright_at(at.path(), &["audit", "vms.json", "--lang", language]);
        assert!(ran.code == 0 && said.iter().all(|said| ran.stdout.contains(said)), "{language}: {}", ran.stdout);
        let english = ["the disk is", "whether it", "uncached"].iter().any(|word| ran.stdout.contains(word));
        assert_eq!(english, language == "en", "{language}: {}", ran.stdout);
    }
}

/// Cells as a spreadsheet may have them: nothing that is a formula, nothing that a terminal obeys.
#[test]
fn a_cell_is_no_formula_and_has_no_control_character() {
    for (name, cell) in [
        ("plain", "plain"),
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        (" =1+1", "' =1+1"),
        ("＝1+1", "'＝1+1"),
        ("\t=1+1", "␉=1+1"),
        ("\r=1+1", "␍=1+1"),
        ("\n=1", "␊=1"),
        ("\u{1b}[2J", "␛[2J"),
        ("a\u{0}b", "a␀b"),
        ("a\u{202e}b", "a�b"),
        ("a,\"b\"", "\"a,\"\"b\"\"\""),
    ] {
        let name = serde_json::Value::from(name).to_string();
        let at = folder(&[("vms.json", &VMS.replace("\"NAME\"", &name).replace("REGION", "eastus"))]);
        let ran = diskwright_at(at.path(), &["audit", "vms.json", "--format", "csv"]);
        let is_there = ran.stdout.lines().any(|line| line.contains(&format!("warning,{cell},/subscriptions")));
        assert!(ran.code == 0 && is_there, "{name}: {}", ran.stdout);
        assert!(!ran.stdout.chars().any(|c| c.is_control() && c != '\n'), "{name}: {:?}", ran.stdout);
    }
}

/// Sizes, kinds and regions that nobody knows are repeated in sentences.
#[test]
fn what_a_source_calls_things_attacks_nobody() {
    let evil = format!("{ATTACK}\\u001b[2J\\u202e");
    let list = vms(&evil)
        .replace("Standard_D2s_v5", &evil)
        .replace("\"Premium_LRS\"", &format!("\"{evil}\""))
        .replace("eastus", &format!("{evil}{evil}"));
    // What reads as a link to whoever shows it, unless it is escaped.
    let at = folder(&[("vms.json", &list)]);
    for format in ["table", "json", "csv", "markdown", "sarif", "junit"] {
        let ran = diskwright_at(at.path(), &["audit", "vms.json", "--format", format]);
        assert_eq!(ran.code, 0, "{format}: {}", ran.stderr);
        let text = &ran.stdout;
        assert!(text.contains("DW116") && text.contains("DW119"), "{format}: {text}");
        assert!(!text.contains('\u{1b}'), "{format}: {text}");
        if format == "markdown" || format == "junit" {
            assert!(!text.contains("<script>"), "{format}: {text}");
        }
        if format == "markdown" {
            assert!(!text.contains("[x](") && !text.contains("@all"), "{text}");
        }
        if format == "csv" {
            assert!(
                text.lines().flat_map(|line| line.split(',')).all(|cell| !cell.trim_matches('"').starts_with('=')),
                "{text}"
            );
        }
        if format == "sarif" {
            let sarif: Value = serde_json::from_str(text).unwrap();
            let said = sarif["runs"][0]["results"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one["message"]["text"].as_str().unwrap());
            assert!(said.clone().all(|text| !text.contains("[x](") && !text.contains('\u{1b}')), "{text}");
        }
    }
}

#[test]
fn waivers_have_an_end() {
    let waiver =
        |until: &str| format!("[[waiver]]\ncode = 'DW301'\nowner = 'dba'\nreason = 'scratch'\nuntil = '{until}'\n");
    let at =
        folder(&[("vms.json", &vms("db")), ("long.toml", &waiver("9999-12-31")), ("over.toml", &waiver("2020-01-01"))]);
    let of = |file: &str| diskwright_at(at.path(), &["audit", "vms.json", "--waivers", file, "--format", "csv"]).stdout;
    assert!(
        of("long.toml").contains("\"dba, until 9999-12-31: scratch\"") && !of("long.toml").contains("DW001"),
        "{}",
        of("long.toml")
    );
    assert!(of("over.toml").contains("DW001,warning"), "{}", of("over.toml"));
}

#[test]
fn the_hint_at_an_empty_list_is_of_whoever_prints_it() {
    for (text, has, lacks) in [
        (r#"{"Reservations": []}"#, "aws ec2 describe-instances", "az vm list"),
        (r#"{"Volumes": [], "NextToken": null}"#, "aws ec2 describe-volumes", "az vm list"),
        (r#"{"count": 0, "data": [], "skip_token": null, "total_records": 0}"#, "az vm list", "aws ec2"),
        (r#"{"apiVersion": "v1", "kind": "List", "items": []}"#, "kubectl get nodes,pv,pvc,sc", "az vm list"),
        (
            r#"{"format_version": "1.2", "planned_values": {"root_module": {}}}"#,
            "terraform show -json plan.out",
            "az vm list",
        ),
        ("[]", "az vm list", "nothing"),
        ("[]", "aws ec2 describe-instances", "nothing"),
    ] {
        let at = folder(&[("list.json", text)]);
        let ran = diskwright_at(at.path(), &["audit", "list.json"]);
        let hint = ran.stderr.lines().find(|line| line.starts_with("hint:")).unwrap_or_default();
        assert!(ran.code == 3 && hint.contains(has) && !hint.contains(lacks), "{text}: {}", ran.stderr);
    }
}

/// What is named and is not there: in what was typed a name is an error, what a pattern or a file names is a warning, in every form.
#[test]
fn what_fits_nothing_is_told() {
    let stripe = |machine: &str, disk: &str| {
        format!("[[stripe]]\nmachine = '{machine}'\nvolume = 'v'\ndisks = ['data0', '{disk}']\n")
    };
    let waiver = "[[waiver]]\ncode = 'DW3O1'\nowner = 'dba'\nreason = 'scratch'\nuntil = '9999-12-31'\n";
    let at = folder(&[
        ("vms.json", &vms("db")),
        ("good.toml", &stripe("db", "data1")),
        ("disk.toml", &stripe("db", "data9")),
        ("machine.toml", &stripe("sql", "data1")),
        ("waivers.toml", waiver),
    ]);
    for (arguments, code, said) in [
        (&["--only", "DW999"][..], 2, "no rule is called `DW999`\nhint: "),
        (&["--only", "DW3O1"], 2, "no rule is called `DW3O1`\nhint: did you mean `DW301`"),
        (&["--only", "DW301:dbb"], 2, "no machine is called `dbb`\nhint: did you mean `db`?"),
        (&["--only", "DW301:nothing"], 2, "no machine is called `nothing`"),
        (&["--only", "DW301:sql-*"], 0, "warning: `--only DW301:sql-*` fits no machine of these inventories"),
        (&["--only", "DW301:db:log*"], 0, "warning: `--only DW301:db:log*` fits no disk of these inventories"),
        (&["--stripes", "machine.toml"], 0, "warning: machine.toml: no machine of these inventories is called `sql`"),
        (&["--stripes", "disk.toml"], 0, "warning: disk.toml: `db` has no disk called `data9`"),
        (&["--waivers", "waivers.toml"], 3, "waivers.toml:2: no rule is called `DW3O1`\nhint: did you mean `DW301`"),
    ] {
        let ran = diskwright_at(at.path(), &[&["audit", "vms.json"], arguments].concat());
        let text = format!("{}{}", ran.stdout, ran.stderr);
        assert!(ran.code == code && text.contains(said), "{arguments:?}: {} {text}", ran.code);
    }
    // What is there and has no finding is no fault.
    for arguments in [&["--only", "DW301:web"][..], &["--only", "DW3*:d*:data1"], &["--stripes", "good.toml"]] {
        let ran = diskwright_at(at.path(), &[&["audit", "vms.json"], arguments].concat());
        assert!(ran.code == 0 && !ran.stdout.contains("warning: "), "{arguments:?}: {}{}", ran.stdout, ran.stderr);
    }
    for format in ["table", "json", "csv", "markdown", "html", "sarif", "junit"] {
        let ran = diskwright_at(at.path(), &["audit", "vms.json", "--stripes", "machine.toml", "--format", format]);
        assert!(ran.code == 0 && ran.stdout.contains("no machine of these inventories is called"), "{format}");
    }
}

#[test]
fn every_form_says_that_an_inventory_is_a_part() {
    let part = format!("{{\"count\": 2, \"data\": {}, \"skip_token\": \"x\", \"total_records\": 5000}}", vms("db"));
    let at = folder(&[("graph.json", &part)]);
    for format in ["table", "json", "csv", "markdown", "html", "sarif", "junit"] {
        let ran = diskwright_at(at.path(), &["audit", "graph.json", "--format", format]);
        let said = ran.stdout.contains("graph.json has only 2 of 5,000 records")
            || ran.stdout.contains("graph.json has only 2 of 5000 records");
        assert!(ran.code == 0 && said && ran.stdout.contains("DW103"), "{format}: {}", ran.stdout);
    }
    let table = diskwright_at(at.path(), &["audit", "graph.json"]).stdout;
    assert!(table.lines().take(3).any(|line| line.starts_with("warning: graph.json has only 2 of 5,000")), "{table}");
}

#[test]
fn a_bad_inventory_is_told_and_the_rest_is_audited() {
    let whole = vms("db");
    let cut = &whole[..whole.len() - 60];
    let elsewhere = VMS.replace("NAME", "db").replace("REGION", "atlantis");
    let pages = format!("{{\"value\": {whole}, \"nextLink\": \"https://example\"}}");
    let graph = format!("{{\"count\": 2, \"data\": {whole}, \"skip_token\": \"abc\"}}");
    // One machine, as `az vm show` prints it, and the same without its last brace, as a page of the vendor's shows it.
    let show = whole.trim_start_matches('[').split(",\n {\"id\"").next().unwrap();
    let open = &show[..show.trim_end().len() - 1];
    let mixed =
        format!("{whole}\n{pages}\n{{\"kind\": \"Deployment\", \"apiVersion\": \"apps/v1\", \"metadata\": {{}}}}");
    let damaged = whole.replacen("\"lun\": 0", "\"lun\": zero", 1);
    let at = folder(&[
        ("cut.json", cut),
        ("else.json", &elsewhere),
        ("page.json", &pages),
        ("graph.json", &graph),
        ("show.json", show),
        ("open.json", open),
        ("mixed.json", &mixed),
        ("damaged.json", &damaged),
        ("empty.json", ""),
        ("text.json", "hello"),
        ("vms.json", &whole),
    ]);
    for (files, code, expected) in [
        (&["cut.json"][..], 0, "ends before it is closed"),
        (&["else.json"], 0, "no price is known in atlantis"),
        (&["page.json"], 0, "is one page of several"),
        (&["graph.json"], 0, "skip_token"),
        (&["show.json"], 0, "machines: 1, disks: 2"),
        (&["open.json"], 0, "ends before it is closed"),
        (&["open.json"], 0, "machines: 1, disks: 2"),
        (&["mixed.json"], 0, "machines: 2, disks: 5"),
        (&["mixed.json"], 0, "records that are no machine and no disk: 1"),
        (&["damaged.json"], 0, "a record that is not valid JSON (line "),
        (&["damaged.json"], 0, "machines: 1, disks: 3"),
        (&["vms.json", "empty.json"], 0, "empty.json has no machine and no disk"),
        (&["vms.json", "text.json"], 0, "text.json has no machine and no disk"),
        (&["empty.json"], 3, "empty.json has no machine and no disk"),
        (&["missing.json"], 3, "missing.json"),
    ] {
        let ran = diskwright_at(at.path(), &[&["audit"], files].concat());
        assert_eq!(ran.code, code, "{files:?}: {}{}", ran.stdout, ran.stderr);
        assert!(format!("{}{}", ran.stdout, ran.stderr).contains(expected), "{files:?}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn the_rig_of_a_machine_is_simulated_and_explained() {
    let job = "[r]\nfilename=/dev/data\nrw=randread\nbs=8k\niodepth=64\nioengine=libaio\ndirect=1\nruntime=5\ntime_based\nsize=1g\n";
    let at = folder(&[("vms.json", &vms("db")), ("job.fio", job)]);
    let ran = diskwright_at(at.path(), &["rig", "vms.json", "--machine", "db", "-o", "rig.toml"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let rig = std::fs::read_to_string(at.path().join("rig.toml")).unwrap();
    assert!(
        rig.contains("# proposed as one stripe") && rig.contains("# host_cache = \"ReadWrite\" is left out"),
        "{rig}"
    );
    let simulated = diskwright_at(at.path(), &["simulate", "rig.toml", "job.fio"]);
    assert_eq!(simulated.code, 0, "{}", simulated.stderr);
    let unknown = diskwright_at(at.path(), &["rig", "vms.json", "--machine", "bd"]);
    assert_eq!(unknown.code, 3);
    assert!(
        unknown.stderr.contains("did you mean `db`") || unknown.stderr.contains("2 machines"),
        "{}",
        unknown.stderr
    );
}
