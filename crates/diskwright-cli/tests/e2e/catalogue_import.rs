//! `catalogue import` and `check`: what people fetch themselves, laid over the shipped catalogue.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::e2e::support::{Ran, folder, run};

/// The program in a folder, with a layer of its own there.
fn layered(at: &Path, args: &[&str]) -> Ran {
    let command = &mut Command::new(env!("CARGO_BIN_EXE_diskwright"));
    run(command.args(args).current_dir(at).env("DISKWRIGHT_CATALOGUE", "data/layer.toml"))
}

/// A record of a VM size: name, uncached IOPS and bytes per second.
fn vm(name: &str, iops: u64, bytes: u64) -> Value {
    let figures = [
        ("vCPUs", "8".to_string()),
        ("MemoryGB", "32".into()),
        ("MaxDataDiskCount", "16".into()),
        ("PremiumIO", "True".into()),
        ("UncachedDiskIOPS", iops.to_string()),
        ("UncachedDiskBytesPerSecond", bytes.to_string()),
        ("CombinedTempDiskAndCachedIOPS", "38000".into()),
        ("CombinedTempDiskAndCachedReadBytesPerSecond", "500000000".into()),
        ("CachedDiskBytes", (200u64 << 30).to_string()),
        ("MaxResourceVolumeMB", "307200".into()),
    ];
    let capabilities: Vec<Value> =
        figures.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
    json!({ "resourceType": "virtualMachines", "name": name, "locations": ["EastUS"], "capabilities": capabilities })
}

fn skus() -> Value {
    let disk = |size: &str, gib: u64, iops: u64, mb: u64| {
        let figures = [("MaxSizeGiB", gib), ("MaxIOps", iops), ("MaxBandwidthMBps", mb)];
        let capabilities: Vec<Value> =
            figures.iter().map(|(name, value)| json!({ "name": name, "value": value.to_string() })).collect();
        json!({ "resourceType": "disks", "name": "Premium_LRS", "size": size, "capabilities": capabilities })
    };
    let other = json!({ "resourceType": "availabilitySets", "name": "Aligned", "capabilities": [] });
    json!([
        vm("Standard_D8ds_v5", 13_000, 290_000_000),
        vm("Standard_X8new_v9", 20_000, 400_000_000),
        disk("P30", 1_024, 5_000, 200),
        other
    ])
}

/// An item of the price list: service, product, meter, unit, SKU, price.
fn item(service: &str, product: &str, meter: &str, unit: &str, sku: &str, price: f64) -> Value {
    json!({ "currencyCode": "USD", "tierMinimumUnits": 0, "retailPrice": price, "armRegionName": "eastus", "meterName": meter,
        "productName": product, "serviceName": service, "unitOfMeasure": unit, "type": "Consumption", "armSkuName": sku })
}

fn prices() -> Value {
    json!({ "BillingCurrency": "USD", "Items": [
        item("Virtual Machines", "Virtual Machines Ddsv5 Series", "D8ds v5", "1 Hour", "Standard_D8ds_v5", 0.5),
        item("Virtual Machines", "Virtual Machines X Series", "X8new v9", "1 Hour", "Standard_X8new_v9", 0.01),
        item("Virtual Machines", "Virtual Machines Ddsv5 Series Windows", "D8ds v5", "1 Hour", "Standard_D8ds_v5", 0.9),
        item("Virtual Machines", "Virtual Machines Ddsv5 Series", "D8ds v5 Spot", "1 Hour", "Standard_D8ds_v5", 0.1),
        item("Storage", "Premium SSD Managed Disks", "P30 LRS Disk", "1/Month", "", 122.88),
        item("Storage", "Azure Premium SSD v2", "Premium LRS Provisioned Capacity", "1 GiB/Hour", "", 0.000_11),
    ], "NextPageLink": "https://example.invalid/next" })
}

const IMPORT: [&str; 6] = ["catalogue", "import", "skus.json", "prices.json", "--date", "2026-11-21"];

fn two_files() -> tempfile::TempDir {
    folder(&[("skus.json", &skus().to_string()), ("prices.json", &prices().to_string())])
}

#[test]
fn what_is_imported_is_reported_with_its_conflicts_and_used_from_then_on() {
    let folder = two_files();
    let at = folder.path();
    let ran = layered(at, &[&IMPORT[..], &["--format", "json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        report["imported"],
        json!({ "VM sizes": 2, "disks": 1, "prices": 6, "regions with zones": 0 }),
        "{report:#}"
    );
    let conflict = |name: &str, words: &str| {
        let all = report["conflicts"].as_array().unwrap();
        all.iter().any(|c| c["name"] == name && c["field"].as_str().unwrap().contains(words))
    };
    assert!(conflict("Standard_D8ds_v5", "uncached") && conflict("P30", "price in eastus"), "{report:#}");
    assert!(!conflict("P30", "iops"), "{report:#}");
    let windows = layered(at, &["catalogue", "show", "D8ds_v5"]).stdout;
    assert!(windows.contains("Windows on 0.9 USD") && windows.contains("spot 0.1 USD"), "{windows}");
    assert!(report["notes"][0].as_str().unwrap().contains("further pages"), "{report:#}");
    // list, show, plan and simulate all see it.
    let show = layered(at, &["catalogue", "show", "D8ds_v5"]).stdout;
    assert!(show.contains("edition 2026-11-imported") && show.contains("13,000"), "{show}");
    assert!(show.contains("resource SKUs, imported from skus.json"), "{show}");
    assert!(layered(at, &["catalogue", "list", "X8new"]).stdout.contains("Standard_X8new_v9"));
    let asks = "schema_version = 1\n[plan]\nvms = [\"D8ds_v5\", \"X8new_v9\"]\ndisks = [\"P30\"]\n[[volume]]\nname = \"data\"\ncapacity = \"100 GiB\"\nread_size = \"8 KiB\"\n\
                read_iops = { p50 = 100, p90 = 500, p99 = 900, max = 1000 }\n";
    std::fs::write(at.join("requirements.toml"), asks).unwrap();
    let plan: Value =
        serde_json::from_str(&layered(at, &["plan", "requirements.toml", "--format", "json"]).stdout).unwrap();
    assert_eq!(plan["plan"]["vm"], "Standard_X8new_v9", "{plan:#}");
    assert_eq!(plan["plan"]["monthly"], json!(130.18), "0.01 x 730 + 122.88");
    std::fs::write(
        at.join("rig.toml"),
        "[vm]\nsize = \"X8new_v9\"\n[[volume]]\nname = \"data\"\nmount = \"/d\"\ndisks = \"8 x P30\"\n",
    )
    .unwrap();
    std::fs::write(
        at.join("job.fio"),
        "[r]\nfilename=/d/f\nsize=1g\nrw=randread\nbs=4k\niodepth=256\nioengine=libaio\nruntime=5\ntime_based\n",
    )
    .unwrap();
    let simulated = layered(at, &["simulate", "rig.toml", "job.fio", "--quiet"]);
    assert!(simulated.stdout.contains("20,000"), "{}{}", simulated.stdout, simulated.stderr);
}

#[test]
fn importing_twice_changes_nothing_and_a_dry_run_writes_nothing() {
    let folder = two_files();
    let at = folder.path();
    let dry = layered(at, &[&IMPORT[..], &["--dry-run"]].concat());
    assert!(dry.code == 0 && dry.stdout.contains("would be written"), "{}{}", dry.stdout, dry.stderr);
    assert!(!at.join("data").exists());
    layered(at, &IMPORT);
    let once = std::fs::read_to_string(at.join("data/layer.toml")).unwrap();
    let again = layered(at, &IMPORT);
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert_eq!(once, std::fs::read_to_string(at.join("data/layer.toml")).unwrap());
    assert_eq!(std::fs::read_dir(at.join("data")).unwrap().count(), 1, "no temporary file is left");
    let check = layered(at, &["catalogue", "check"]);
    assert!(check.code == 0 && check.stdout.contains("layer.toml"), "{}{}", check.stdout, check.stderr);
}

#[test]
fn damaged_records_are_told_exactly_and_nothing_is_written() {
    let mut no_disks = vm("Standard_D8ds_v5", 1, 1_000_000);
    no_disks["capabilities"].as_array_mut().unwrap().retain(|one| one["name"] != "MaxDataDiskCount");
    let mut no_number = vm("Standard_D8ds_v5", 1, 1_000_000);
    no_number["capabilities"][4]["value"] = json!("many");
    let mut unknown = item("Storage", "Premium SSD Managed Disks", "P30 LRS Disk", "1/Month", "", 1.0);
    unknown["currencyCode"] = json!("euro");
    let free = item("Storage", "Premium SSD Managed Disks", "P30 LRS Disk", "1/Month", "", 0.0);
    let cases = [
        ("cut off", "[{\"resourceType\": \"disks\",\n \"name\"".to_string(), "file.json:2:"),
        ("empty", String::new(), "file.json: is empty"),
        ("something else", "{\"a\": 1}".into(), "is neither a list of SKUs nor a page of prices"),
        ("no kind", "[{\"name\": \"x\"}]".into(), "record 1: has no `resourceType`"),
        ("no name", "[{\"resourceType\": \"virtualMachines\"}]".into(), "record 1: has no `name`"),
        ("no figure", json!([no_disks]).to_string(), "record 1 (`Standard_D8ds_v5`): has no `MaxDataDiskCount`"),
        ("no number", json!([no_number]).to_string(), "`UncachedDiskIOPS` is `many`, not a number"),
        ("no currency", json!({ "Items": [unknown] }).to_string(), "item 1 (`P30 LRS Disk`): `currencyCode` is `euro`"),
        ("no price", json!({ "Items": [free] }).to_string(), "`retailPrice` is 0.0, not a price"),
    ];
    for (name, text, words) in cases {
        let folder = folder(&[("file.json", &text)]);
        let ran = layered(folder.path(), &["catalogue", "import", "file.json"]);
        assert_eq!(ran.code, 3, "{name}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains(words) && ran.stdout.is_empty(), "{name}: {}", ran.stderr);
        assert!(!folder.path().join("data").exists(), "{name}: nothing is written");
    }
    let folder = folder(&[("file.json", "[]")]);
    assert_eq!(layered(folder.path(), &["catalogue", "import", "file.json", "--date", "yesterday"]).code, 2);
    std::fs::create_dir(folder.path().join("data")).unwrap();
    std::fs::write(folder.path().join("data/layer.toml"), "half a li").unwrap();
    let ran = layered(folder.path(), &["catalogue", "list", "P30"]);
    assert!(ran.code == 3 && ran.stderr.contains("layer.toml: the imported layer"), "{}", ran.stderr);
    // What helps is said, and helps; who looks nothing up is not stopped.
    assert!(ran.stderr.contains("remove or move data/layer.toml, then import again"), "{}", ran.stderr);
    for args in [&["schema", "plan"][..], &["completions", "bash"], &["observe", "--help"]] {
        assert_eq!(layered(folder.path(), args).code, 0, "{args:?}");
    }
    std::fs::write(folder.path().join("skus.json"), skus().to_string()).unwrap();
    let again = ["catalogue", "import", "skus.json", "--date", "2026-11-21"];
    let ran = layered(folder.path(), &again);
    assert!(ran.code == 3 && ran.stderr.contains("data/layer.toml: the imported layer"), "{}", ran.stderr);
    std::fs::remove_file(folder.path().join("data/layer.toml")).unwrap();
    assert_eq!(layered(folder.path(), &again).code, 0);
    assert_eq!(layered(folder.path(), &["catalogue", "list", "P30"]).code, 0);
}

#[test]
fn a_layer_that_is_named_and_not_there_is_an_error() {
    let folder = folder(&[]);
    let ran = layered(folder.path(), &["catalogue", "list", "P30"]);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stderr.starts_with("error: DISKWRIGHT_CATALOGUE=data/layer.toml: there is no such file"),
        "{}",
        ran.stderr
    );
    let command = &mut Command::new(env!("CARGO_BIN_EXE_diskwright"));
    let unnamed = command.args(["catalogue", "list", "P30"]).env_remove("DISKWRIGHT_CATALOGUE");
    assert_eq!(run(unnamed.env("XDG_DATA_HOME", folder.path())).code, 0, "nothing was imported yet");
}

#[test]
fn a_digest_of_sizes_by_name_is_imported_like_their_records() {
    let figures: serde_json::Map<String, Value> = vm("x", 13_000, 290_000_000)["capabilities"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["name"].as_str().unwrap().to_string(), one["value"].clone()))
        .collect();
    let digest =
        json!({ "source": "a list", "skus": { "Standard_D8ds_v5": { "region": "eastus", "capabilities": figures } } });
    let folder = folder(&[("digest.json", &digest.to_string())]);
    let ran = layered(folder.path(), &["catalogue", "import", "digest.json", "--date", "2026-11-21"]);
    assert!(ran.code == 0 && ran.stdout.starts_with("1 VM sizes, 0 disks"), "{}{}", ran.stdout, ran.stderr);
    assert!(layered(folder.path(), &["catalogue", "show", "D8ds_v5"]).stdout.contains("13,000"));
    // What is not a whole number of any MB is rounded, and said.
    let odd = json!([vm("Standard_D8ds_v5", 13_000, 22_500_000)]);
    std::fs::write(folder.path().join("odd.json"), odd.to_string()).unwrap();
    let ran = layered(folder.path(), &["catalogue", "import", "odd.json", "--dry-run"]);
    assert!(ran.stdout.contains("of 22500000 is kept as 22 MB/s, rounded down"), "{}{}", ran.stdout, ran.stderr);
}

/// Requirements of one volume, with these lines in `[plan]`.
fn asks(plan: &str) -> String {
    format!(
        "schema_version = 1\n[plan]\nvms = [\"D8ds_v5\", \"X8new_v9\"]\ndisks = [\"P30\"]\n{plan}\n[[volume]]\nname = \"data\"\n\
         capacity = \"100 GiB\"\nread_size = \"8 KiB\"\nread_iops = {{ p50 = 100, p90 = 500, p99 = 900, max = 1000 }}\n"
    )
}

/// The sizes of [`skus`], where they are offered; and prices of both, one reserved and in a savings plan.
fn in_zones() -> [(&'static str, String); 2] {
    let place = |zones: &[&str]| json!([{ "location": "EastUS", "zones": zones, "zoneDetails": [] }]);
    let mut sizes = skus();
    sizes[0]["locationInfo"] = place(&["3", "1", "2"]);
    sizes[0]["restrictions"] = json!([{ "type": "Zone", "values": ["EastUS"], "reasonCode": "NotAvailableForSubscription",
        "restrictionInfo": { "locations": ["EastUS"], "zones": ["3"] } }]);
    sizes[1]["locationInfo"] = place(&["2", "3"]);
    let mut list = prices();
    let mut reserved = |term: &str, price: f64| {
        let mut one =
            item("Virtual Machines", "Virtual Machines Ddsv5 Series", "D8ds v5", "1 Hour", "Standard_D8ds_v5", price);
        (one["type"], one["reservationTerm"]) = (json!("Reservation"), json!(term));
        list["Items"].as_array_mut().unwrap().push(one);
    };
    reserved("1 Year", 2_400.0);
    reserved("3 Years", 5_400.0);
    reserved("5 Years", 1.0);
    let plan = |term: &str, price: f64| json!({ "term": term, "unitPrice": price, "retailPrice": price });
    list["Items"][0]["savingsPlan"] = json!([plan("3 Years", 0.3), plan("5 Years", 0.2)]);
    list["Items"][2]["savingsPlan"] = json!([plan("3 Years", 0.7)]);
    let mut disk = item("Storage", "Premium SSD Managed Disks", "P30 LRS Disk", "1 Hour", "", 1_200.0);
    (disk["type"], disk["reservationTerm"]) = (json!("Reservation"), json!("1 Year"));
    list["Items"].as_array_mut().unwrap().push(disk);
    [("skus.json", sizes.to_string()), ("prices.json", list.to_string())]
}

#[test]
fn a_zone_takes_what_its_records_offer_there_and_is_written_into_every_script() {
    let files = in_zones();
    let folder = folder(&[(files[0].0, &files[0].1), (files[1].0, &files[1].1)]);
    let at = folder.path();
    assert_eq!(layered(at, &IMPORT).code, 0);
    let planned = |zone: &str| {
        std::fs::write(at.join("requirements.toml"), asks(&format!("zone = \"{zone}\""))).unwrap();
        layered(at, &["plan", "requirements.toml", "--format", "json"])
    };
    // The cheaper size is in zones 2 and 3, the other in 1 and 2: a restriction took its third away.
    for (zone, vm) in [("1", "Standard_D8ds_v5"), ("2", "Standard_X8new_v9"), ("3", "Standard_X8new_v9")] {
        let ran = planned(zone);
        let plan: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}", ran.stderr));
        assert_eq!((&plan["plan"]["vm"], &plan["zone"]), (&json!(vm), &json!(zone)), "{plan:#}");
        std::fs::write(at.join("plan.json"), ran.stdout).unwrap();
        for (target, words) in [
            ("az", format!("${{ZONE={zone}}}")),
            ("bicep", format!("param zone string = '{zone}'")),
            ("terraform", format!("default     = \"{zone}\"")),
        ] {
            let script = layered(at, &["provision", "plan.json", "--target", target]);
            assert!(script.stdout.contains(&words), "{target}: {}{}", script.stdout, script.stderr);
        }
    }
    let text = layered(at, &["plan", "requirements.toml", "--why-not", "D8ds_v5"]).stdout;
    assert!(text.contains("it is not offered in zone 3 of eastus"), "{text}");
    let ran = planned("7");
    assert!(ran.code == 3 && ran.stderr.contains("no VM size is offered there in eastus"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("requirements.toml:5:") && ran.stderr.contains("its zones are 1, 2, 3"),
        "{}",
        ran.stderr
    );
    // A zone that was changed by hand.
    let changed =
        std::fs::read_to_string(at.join("plan.json")).unwrap().replace("\"zone\": \"3\"", "\"zone\": \"$(x)\"");
    std::fs::write(at.join("plan.json"), changed).unwrap();
    let ran = layered(at, &["provision", "plan.json", "--target", "az"]);
    assert!(ran.code == 3 && ran.stderr.contains("`$(x)` is not a zone"), "{}", ran.stderr);
}

#[test]
fn a_commitment_has_the_price_of_its_term_and_what_has_none_is_pay_as_you_go_and_marked() {
    let files = in_zones();
    let folder = folder(&[(files[0].0, &files[0].1), (files[1].0, &files[1].1)]);
    let at = folder.path();
    let report: Value =
        serde_json::from_str(&layered(at, &[&IMPORT[..], &["--format", "json"]].concat()).stdout).unwrap();
    let left_out = &report["left_out"];
    assert_eq!(left_out["reservations for other terms than 1 year and 3 years"], 1, "{report:#}");
    assert_eq!(left_out["savings plans for other terms than 1 year and 3 years"], 1, "{report:#}");
    assert_eq!(left_out["savings plans for anything but Linux VM sizes"], 1, "{report:#}");
    let planned = |more: &str| {
        std::fs::write(at.join("requirements.toml"), asks(more)).unwrap();
        layered(at, &["plan", "requirements.toml", "--format", "json"])
    };
    // 2,400 over 12 months, 5,400 over 36; 0.3 an hour of the plan; the disk is 122.88, and 1,200 over 12 months.
    let cases = [
        ("reservation = \"1y\"", 200.0, 100.0, "reserved_years", 1, "of that term, and so is P30"),
        ("reservation = \"3y\"", 150.0, 122.88, "reserved_years", 3, "; disks are pay-as-you-go"),
        ("savings_plan = \"3y\"", 219.0, 122.88, "savings_plan_years", 3, "in a savings plan of 3 years"),
    ];
    for (term, vm_monthly, disk_monthly, key, years, said) in cases {
        let ran = planned(&format!("not_vms = [\"X8new_v9\"]\n{term}"));
        let plan: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}", ran.stderr));
        assert_eq!(plan["plan"]["vm"], "Standard_D8ds_v5", "{plan:#}");
        assert_eq!((&plan["plan"]["vm_monthly"], &plan[key]), (&json!(vm_monthly), &json!(years)));
        assert_eq!(plan["plan"]["monthly"], json!(vm_monthly + disk_monthly));
        assert!(plan["assumptions"].to_string().contains(said), "{plan:#}");
        // 365 a month as it goes, 487.88 with the disk: 3,600 are 7.4 months of that, 5,400 of the VM alone 14.8, 7,884 are 21.6.
        let months: Vec<Option<u64>> =
            plan["commitments"].as_array().unwrap().iter().map(|row| row["break_even_month"].as_u64()).collect();
        assert_eq!(months, [None, Some(8), Some(15), None, Some(22)], "{plan:#}");
        assert_eq!(plan["commitments"][3]["vm_monthly"], Value::Null, "{plan:#}");
        for (row, disks, unreserved) in [(0, 122.88, 0), (1, 100.0, 0), (2, 122.88, 1), (4, 122.88, 0)] {
            let row = &plan["commitments"][row];
            let names = row["disks_unreserved"].as_array().map_or(0, Vec::len);
            assert_eq!((&row["disks_monthly"], names), (&json!(disks), unreserved), "{term}: {row:#}");
        }
    }
    // The size without such a price is there, costs what it costs, and nobody takes it for reserved.
    for term in ["reservation = \"3y\"", "savings_plan = \"1y\""] {
        let plan: Value = serde_json::from_str(&planned(term).stdout).unwrap();
        let row = &plan["plan"];
        assert_eq!((&row["vm"], &row["uncommitted"]), (&json!("Standard_X8new_v9"), &json!(true)), "{plan:#}");
        let answer = plan["answer"]["text"].as_str().unwrap();
        assert!(answer.contains(&format!("pay as you go: its price under `{term}` is unknown")), "{answer}");
    }
    planned("not_vms = [\"X8new_v9\"]\nreservation = \"1y\"");
    let text = layered(at, &["plan", "requirements.toml", "--full"]).stdout;
    assert!(text.contains("not known") && text.contains("month 8"), "{text}");
    let show = layered(at, &["catalogue", "show", "D8ds_v5"]).stdout;
    for price in [
        "150 USD per month, reserved for 3 years",
        "0.3 USD per hour, in a savings plan of 3 years",
        "0.5 USD per hour",
    ] {
        assert!(show.contains(price), "{price}: {show}");
    }
    assert!(layered(at, &["catalogue", "show", "P30"]).stdout.contains("100 USD per month, reserved for 1 year"));
    let show: Value =
        serde_json::from_str(&layered(at, &["catalogue", "show", "D8ds_v5", "--format", "json"]).stdout).unwrap();
    let terms =
        show["prices"].as_array().unwrap().iter().map(|price| {
            [&price["reserved_years"], &price["savings_plan_years"]].map(|years| years.as_u64().unwrap_or(0))
        });
    let terms: std::collections::BTreeSet<[u64; 2]> = terms.collect();
    assert_eq!(terms, [[0, 0], [1, 0], [3, 0], [0, 3]].into());
    for (lines, words) in [
        ("reservation = \"2y\"", "`reservation = \"2y\"` is not known"),
        ("reservation = \"1y\"\nsavings_plan = \"1y\"", "`savings_plan` and `reservation` cannot both be given"),
    ] {
        let ran = planned(lines);
        assert!(ran.code == 3 && ran.stderr.contains(words), "{lines}: {} {}{}", ran.code, ran.stdout, ran.stderr);
    }
}

#[test]
fn a_zone_of_which_nothing_was_imported_is_never_taken() {
    let folder = folder(&[(
        "requirements.toml",
        &asks("region = \"norwaywest\"\nzone = \"1\"").replace("\"D8ds_v5\", \"X8new_v9\"", "\"D8ds_v5\""),
    )]);
    let ran = crate::e2e::support::diskwright_at(folder.path(), &["plan", "requirements.toml"]);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("does not know which sizes norwaywest offers in which zone"), "{}", ran.stderr);
    assert!(ran.stderr.contains("az vm list-skus --location norwaywest --all -o json > skus.json"), "{}", ran.stderr);
}

/// An answer without anything in it is not a layer: the shipped figures would be thought to be replaced.
#[test]
fn an_empty_answer_is_refused_and_nothing_is_written() {
    let other = json!({ "Items": [item("Bandwidth", "x", "Data Transfer", "1 GB", "", 0.1)] }).to_string();
    let cases = [
        ("[]", "holds no VM size, disk or price"),
        ("{\"value\": []}", "holds no VM size, disk or price"),
        ("{\"Items\": []}", "holds no VM size, disk or price"),
        (other.as_str(), "holds no VM size, disk or price that is known here; left out: 1 other services"),
    ];
    for (text, what) in cases {
        let folder = folder(&[("answer.json", text)]);
        let ran = layered(folder.path(), &["catalogue", "import", "answer.json", "--date", "2026-11-21"]);
        let first = ran.stderr.lines().next().unwrap_or_default();
        assert!(
            ran.code == 3 && first == format!("error: answer.json: {what}"),
            "{text}: {} {}",
            ran.stderr,
            ran.stdout
        );
        assert!(ran.stderr.contains("\nhint: "), "{}", ran.stderr);
        assert!(!folder.path().join("data").exists(), "nothing is written");
    }
    // The last page of several may be empty, and says so.
    let folder = two_files();
    std::fs::write(folder.path().join("last.json"), "{\"Items\": []}").unwrap();
    let args = ["catalogue", "import", "skus.json", "prices.json", "last.json", "--date", "2026-11-21"];
    let ran = layered(folder.path(), &args);
    assert!(ran.code == 0 && ran.stdout.contains("note: last.json: holds no VM size, disk or price"), "{}", ran.stdout);
}

/// A page in another currency is taken whole; its prices count for plans in that currency, and for no other.
#[test]
fn prices_of_two_currencies_stay_apart() {
    let mut page = prices();
    for item in page["Items"].as_array_mut().unwrap() {
        item["currencyCode"] = json!("EUR");
    }
    let requirements = |keys: &str| {
        format!(
            "schema_version = 1\n[plan]\nvms = [\"D8ds_v5\"]\ndisks = [\"P30\"]\n{keys}\n[[volume]]\nname = \"data\"\n\
             capacity = \"500 GiB\"\nread_size = \"8 KiB\"\nread_iops = {{ p50 = 500, p90 = 900, p99 = 1000, max = 1100 }}\n"
        )
    };
    let (dollars, euros) = (requirements(""), requirements("currency = \"EUR\""));
    let folder = folder(&[("page.json", &page.to_string()), ("usd.toml", &dollars), ("eur.toml", &euros)]);
    let at = folder.path();
    let plan = |file: &str| layered(at, &["plan", file, "--format", "json"]);
    let shipped = |file: &str| {
        let command = &mut Command::new(env!("CARGO_BIN_EXE_diskwright"));
        run(command.args(["plan", file, "--format", "json"]).current_dir(at).env("DISKWRIGHT_CATALOGUE", "none"))
    };
    let before: Value = serde_json::from_str(&shipped("usd.toml").stdout).unwrap();
    assert_eq!(shipped("eur.toml").code, 3, "no price is in euros yet");

    let ran = layered(at, &["catalogue", "import", "page.json", "--date", "2026-11-21"]);
    assert!(ran.code == 0 && ran.stdout.contains("6 prices"), "{}{}", ran.stdout, ran.stderr);
    let show = layered(at, &["catalogue", "show", "D8ds_v5"]).stdout;
    assert!(show.contains("0.5 EUR per hour") && show.contains("365.00 EUR"), "{show}");

    let found: Value = serde_json::from_str(&plan("eur.toml").stdout).unwrap();
    assert_eq!(found["currency"], "EUR");
    assert_eq!(found["plan"]["monthly"], 365.0 + 122.88, "{found:#}");
    let after: Value = serde_json::from_str(&plan("usd.toml").stdout).unwrap();
    assert_eq!((&after["currency"], &after["plan"]["monthly"]), (&json!("USD"), &before["plan"]["monthly"]));
}
