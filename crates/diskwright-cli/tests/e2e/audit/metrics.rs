//! `--metrics`: recordings that are matched to their machines, and what each machine comes to.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::e2e::support::{Ran, diskwright_at, folder};

fn id(group: &str, name: &str) -> String {
    format!("/subscriptions/S/resourceGroups/{group}/providers/Microsoft.Compute/virtualMachines/{name}")
}

/// A machine with data disks of so many GiB each, on LUN 0 and on.
fn vm(group: &str, name: &str, size: &str, data: &[u64]) -> Value {
    let data: Vec<Value> = data.iter().enumerate().map(|(lun, gib)| {
        json!({ "lun": lun, "name": format!("{name}-{}", ["data", "log", "more"][lun]), "caching": "None", "diskSizeGb": gib,
            "managedDisk": { "id": format!("/subscriptions/S/resourceGroups/{group}/providers/Microsoft.Compute/disks/{name}-d{lun}"),
                "storageAccountType": "Premium_LRS" } })
    }).collect();
    json!({ "id": id(group, name), "name": name, "type": "Microsoft.Compute/virtualMachines", "location": "eastus", "zones": ["1"],
        "powerState": "VM running", "hardwareProfile": { "vmSize": size }, "securityProfile": { "encryptionAtHost": true },
        "storageProfile": { "osDisk": { "osType": "Linux", "name": format!("{name}-os"), "caching": "ReadWrite", "diskSizeGb": 64,
            "managedDisk": { "storageAccountType": "Premium_LRS" } }, "dataDisks": data } })
}

/// An hour of metrics of a machine by minutes, as `az monitor metrics list` prints them: what its LUNs did, and its processors.
fn metrics(vm: &str, luns: &[Option<u64>], iops: u64) -> Value {
    let stamps = || (0..60).map(|minute| format!("2026-08-03T10:{minute:02}:00Z"));
    let data = |value: f64| stamps().map(|stamp| json!({ "timeStamp": stamp, "average": value })).collect::<Vec<_>>();
    let lun = |lun: &Option<u64>| {
        lun.map_or(json!([]), |lun| json!([{ "name": { "value": "LUN" }, "value": lun.to_string() }]))
    };
    let of_luns = |name: &str, value: f64| {
        json!({ "id": format!("{vm}/providers/Microsoft.Insights/metrics/{name}"), "name": { "value": name },
        "timeseries": luns.iter().map(|own| json!({ "metadatavalues": lun(own), "data": data(value) })).collect::<Vec<_>>() })
    };
    let iops = iops as f64;
    json!({ "interval": "PT1M", "value": [
        of_luns("Data Disk Read Operations/Sec", iops), of_luns("Data Disk Write Operations/Sec", iops / 4.0),
        of_luns("Data Disk Read Bytes/sec", iops * 8192.0), of_luns("Data Disk Write Bytes/sec", iops * 2048.0),
        of_luns("Data Disk Queue Depth", 2.0),
        json!({ "id": format!("{vm}/providers/Microsoft.Insights/metrics/Percentage CPU"), "name": { "value": "Percentage CPU" },
            "timeseries": [{ "metadatavalues": [], "data": data(20.0) }] }) ] })
}

/// A guest's own recording.
fn iostat(devices: &[(&str, u64)]) -> String {
    let mut text = String::new();
    for minute in 0..30 {
        let _ = write!(
            text,
            "2026-08-03T10:{minute:02}:00+0000\nDevice             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\n"
        );
        for (device, iops) in devices {
            let _ = writeln!(text, "{device} {iops}.00 {}.00 0.00 {} 0", iops * 8, iops * 8 * 60);
        }
        text.push('\n');
    }
    text
}

fn audit(at: &Path, more: &[&str]) -> Ran {
    diskwright_at(at, &[&["audit", "vms.json", "--metrics", "metrics"], more].concat())
}

fn planned(at: &Path, more: &[&str]) -> Value {
    document(at, more)["planned"].clone()
}

fn document(at: &Path, more: &[&str]) -> Value {
    let ran = audit(at, &[&["--format", "json"], more].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    serde_json::from_str::<Value>(&ran.stdout).unwrap()
}

fn write(at: &Path, files: &[(&str, String)]) {
    for (name, text) in files {
        let path = at.join("metrics").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

#[test]
fn recordings_are_matched_by_id_and_lun_then_by_name() {
    let vms = json!([
        vm("A", "db", "Standard_D16s_v5", &[1024, 128]),
        vm("A", "web", "Standard_D8s_v5", &[128]),
        vm("A", "twin", "Standard_D8s_v5", &[128]),
        vm("B", "twin", "Standard_D8s_v5", &[128]),
        vm("A", "guest", "Standard_D8s_v5", &[128]),
        vm("A", "sum", "Standard_D8s_v5", &[128, 64]),
        vm("A", "one", "Standard_D8s_v5", &[512]),
        vm("A", "silent", "Standard_D8s_v5", &[128]),
        vm("A", "db-2", "Standard_D8s_v5", &[128])
    ]);
    let stripes = "[[stripe]]\nmachine = 'guest'\nvolume = 'data'\ndisks = ['guest-data']\ndevices = ['sdc']\n";
    let at = folder(&[("vms.json", &vms.to_string()), ("stripes.toml", stripes)]);
    let both =
        format!("{}\n{}\n", metrics(&id("A", "twin"), &[Some(0)], 100), metrics(&id("B", "twin"), &[Some(0)], 200));
    write(
        at.path(),
        &[
            // By its id, whatever its file is called.
            ("web.json", metrics(&id("a", "DB"), &[Some(0), Some(1)], 300).to_string()),
            // Two machines of one name in one file.
            ("all.json", both),
            // By the folder, and by the name of the file up to its first separator.
            ("guest/day.txt", iostat(&[("sda", 5), ("sdc", 300)])),
            ("web-2026-08-03.txt", iostat(&[("sda", 5), ("sdb", 300)])),
            // The longest name counts: this is no recording of `db`.
            ("db-2.monday.txt", iostat(&[("sda", 5)])),
            // Not split by LUN: of one disk it is known which, of two it is not.
            ("one.json", metrics(&id("A", "one"), &[None], 300).to_string()),
            ("sum.json", metrics(&id("A", "sum"), &[None], 300).to_string()),
            // Of nobody, of two, and no recordings.
            ("gone.json", metrics(&id("A", "gone"), &[Some(0)], 300).to_string()),
            ("twin.txt", iostat(&[("sdc", 5)])),
            ("README.md", "what this is\n".into()),
            (".hidden", "x".into()),
        ],
    );
    let found = planned(at.path(), &["--stripes", "stripes.toml"]);
    let machines = found["machines"].as_array().unwrap();
    let of = |name: &str, group: &str| {
        machines.iter().find(|one| {
            one["machine"] == name
                && one["machine_id"].as_str().unwrap().contains(&format!("/{}/", group.to_ascii_lowercase()))
        })
    };
    let names = |one: &Value| {
        one["recordings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap().replace('\\', "/"))
            .collect::<Vec<_>>()
    };
    for (name, group, recording, why) in [
        ("db", "A", "metrics/web.json", ""),
        ("twin", "A", "metrics/all.json", ""),
        ("twin", "B", "metrics/all.json", ""),
        ("guest", "A", "metrics/guest/day.txt", ""),
        ("one", "A", "metrics/one.json", ""),
        ("sum", "A", "metrics/sum.json", "its metrics are of all data disks together; export them split by LUN"),
        ("web", "A", "metrics/web-2026-08-03.txt", "none of its disks is in the recording, whose devices are sda, sdb"),
        ("db-2", "A", "metrics/db-2.monday.txt", "none of its disks is in the recording, whose devices are sda"),
    ] {
        let one = of(name, group).unwrap_or_else(|| panic!("{name} {group}: {found:#}"));
        assert_eq!(names(one), [recording], "{one:#}");
        assert!(
            one["why_not"].as_str().unwrap_or_default().starts_with(why) && one["why_not"].is_null() == why.is_empty(),
            "{one:#}"
        );
        assert_eq!(
            one["planned_monthly"].is_number() && one["monthly"].is_number() && one["wave"].is_string(),
            why.is_empty(),
            "{one:#}"
        );
    }
    assert_eq!(machines.len(), 8, "{found:#}");
    assert_eq!(found["unrecorded"], json!(["silent"]));
    let unmatched: Vec<String> = found["unmatched"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            format!("{}: {}", one["recording"].as_str().unwrap().replace('\\', "/"), one["why"].as_str().unwrap())
        })
        .collect();
    for expected in [
        "metrics/gone.json: no machine of the inventory is called `gone`",
        "metrics/twin.txt: 2 machines are called like it",
        "metrics/README.md: ",
    ] {
        assert!(unmatched.iter().any(|line| line.starts_with(expected)), "{expected}: {unmatched:?}");
    }
    assert_eq!(unmatched.len(), 3, "{unmatched:?}");

    // What is planned with more than is asked for costs less, and disks without a recording are kept and named.
    let db = of("db", "A").unwrap();
    assert!(db["planned_monthly"].as_f64().unwrap() < db["monthly"].as_f64().unwrap(), "{db:#}");
    assert_eq!((&db["unrecorded"], db["minutes"].as_u64()), (&json!(["db-os"]), Some(60)), "{db:#}");
}

#[test]
fn a_summary_says_today_and_planned_by_what_moves_need() {
    let vms = json!([vm("A", "db", "Standard_D16s_v5", &[1024, 128]), vm("A", "silent", "Standard_D8s_v5", &[128])]);
    let at = folder(&[("vms.json", &vms.to_string())]);
    write(
        at.path(),
        &[("db.json", metrics(&id("A", "db"), &[Some(0), Some(1)], 300).to_string()), ("x.md", "# x\n".into())],
    );
    let ran = audit(at.path(), &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for expected in [
        "machines planned by their recordings: 1; today they cost ",
        "machines without a recording: 1 (silent)",
        "recordings that fit no machine: 1",
        "what it needs",
        "db-data disks: ",
        "metrics/x.md",
    ] {
        assert!(ran.stdout.contains(expected), "{expected}\n{}", ran.stdout);
    }
    let markdown = audit(at.path(), &["--format", "markdown"]).stdout;
    assert!(
        markdown.contains("machines planned by their recordings: 1") && markdown.lines().count() <= 40,
        "{markdown}"
    );
    let page = audit(at.path(), &["--format", "html"]).stdout;
    for expected in ["<h2", "Planned by recordings", "Findings by rule", "today a month"] {
        assert!(page.contains(expected), "{expected}");
    }
    assert_eq!(
        (page.matches("<script").count(), page.matches("<script type=\"application/json\"").count()),
        (3, 2),
        "two tables, one script"
    );
    assert!(page.contains("script-src 'sha256-"), "nothing else runs");
    std::fs::remove_dir_all(at.path().join("metrics")).unwrap();
    assert_eq!(audit(at.path(), &[]).code, 3);
    std::fs::create_dir(at.path().join("metrics")).unwrap();
    assert!(audit(at.path(), &[]).stderr.contains("the folder has no file"));
}

/// How full disks are is in no recording: a plan makes them no larger for a share that is to stay free.
#[test]
fn a_plan_keeps_the_size_of_disks() {
    let mut one = vm("A", "db", "Standard_D16s_v5", &[512]);
    let disk = &mut one["storageProfile"]["dataDisks"][0];
    disk["managedDisk"]["storageAccountType"] = "PremiumV2_LRS".into();
    (disk["diskIOPSReadWrite"], disk["diskMBpsReadWrite"]) = (json!(30_000), json!(400));
    let at = folder(&[("vms.json", &json!([one]).to_string())]);
    write(at.path(), &[("db.json", metrics(&id("A", "db"), &[Some(0)], 300).to_string())]);
    let found = planned(at.path(), &[]);
    let changes = found["machines"][0]["changes"].as_array().unwrap_or_else(|| panic!("{found:#}"));
    let of_data = changes.iter().filter_map(|row| row.as_str()?.strip_prefix("db-data disks: ")?.split_once(" to "));
    let then: Vec<&str> = of_data.map(|(_, then)| then).collect();
    assert!(then.len() == 1 && then[0].contains("of 512 GiB"), "{found:#}");
}

/// Metrics of days by hours, as a guest's rates with the same load all the time.
fn days(vm: &str, lun: u64, iops: u64, days: u64) -> Value {
    let stamps = || (0..days * 24).map(|hour| format!("2026-08-{:02}T{:02}:00:00Z", 1 + hour / 24, hour % 24));
    let data = |value: u64| stamps().map(|stamp| json!({ "timeStamp": stamp, "average": value })).collect::<Vec<_>>();
    let of = |name: &str, value: u64| {
        json!({ "id": format!("{vm}/providers/Microsoft.Insights/metrics/{name}"), "name": { "value": name }, "timeseries": [
            { "metadatavalues": [{ "name": { "value": "LUN" }, "value": lun.to_string() }], "data": data(value) }] })
    };
    json!({ "interval": "PT1H", "value": [of("Data Disk Read Operations/Sec", iops), of("Data Disk Write Operations/Sec", 0),
        of("Data Disk Read Bytes/sec", iops * 8192), of("Data Disk Write Bytes/sec", 0)] })
}

#[test]
fn recordings_settle_findings() {
    let mut bought = vm("A", "v2", "Standard_D8s_v5", &[512]);
    let disk = &mut bought["storageProfile"]["dataDisks"][0];
    disk["managedDisk"]["storageAccountType"] = "PremiumV2_LRS".into();
    (disk["diskIopsReadWrite"], disk["diskMBpsReadWrite"]) = (12_000.into(), 200.into());
    let vms = json!([
        bought,
        vm("A", "quiet-db", "Standard_D2s_v5", &[8192]),
        vm("A", "busy", "Standard_D2s_v5", &[8192]),
        vm("A", "silent", "Standard_D2s_v5", &[8192])
    ]);
    let at = folder(&[("vms.json", &vms.to_string())]);
    write(
        at.path(),
        &[
            ("v2.json", days(&id("A", "v2"), 0, 2000, 10).to_string()),
            ("quiet-db.json", days(&id("A", "quiet-db"), 0, 200, 10).to_string()),
            ("busy.json", days(&id("A", "busy"), 0, 3740, 10).to_string()),
        ],
    );
    let found = document(at.path(), &[]);
    let of = |machine: &str, code: &str| {
        let all =
            found["findings"].as_array().unwrap().iter().find(|one| one["machine"] == machine && one["code"] == code);
        all.map(|one| {
            let seen = one["seen"]["text"].as_str().unwrap_or("-").to_string();
            (one["level"].as_str().unwrap().to_string(), one["confidence"].as_str().unwrap().to_string(), seen)
        })
    };
    let expect = |level: &str, seen: &str| Some((level.to_string(), "certain".to_string(), seen.to_string()));
    assert_eq!(
        of("quiet-db", "DW103"),
        expect(
            "warning",
            "recorded at most 200 IOPS of 3,750 IOPS in 10 d (means of 60 min), without quiet-db-os, of which nothing is recorded"
        )
    );
    assert_eq!(
        of("busy", "DW103"),
        expect("warning", "recorded at 3,750 IOPS or above for 100 % of 10 d (means of 60 min)")
    );
    assert_eq!(of("silent", "DW103"), expect("warning", "-"));
    assert_eq!(of("v2", "DW221"), expect("warning", "-"));

    // A baseline has the same recordings: what they change is nothing new.
    let same = document(at.path(), &["--baseline", "vms.json"]);
    assert_eq!(same["findings"], json!([]), "{same:#}");

    // Each form has what was seen, and what ends it can be done.
    let text = audit(at.path(), &["--format", "csv"]).stdout;
    assert!(text.contains("; recorded at 3,750 IOPS or above"), "{text}");
    let commands = audit(at.path(), &["--only", "DW221", "--commands"]).stdout;
    assert!(commands.contains("--disk-iops-read-write 3000"), "{commands}");
    for format in ["sarif", "junit"] {
        let ran = audit(at.path(), &["--format", format]);
        assert!(ran.code == 0 && ran.stdout.contains("recorded at 3,750 IOPS"), "{format}: {}", ran.stderr);
    }
}
