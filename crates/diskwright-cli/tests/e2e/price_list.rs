//! `catalogue import` of another vendor's price list: what plans, audits and lists say after it.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::support::{Ran, diskwright_at, folder, run};

/// The program with a layer in its folder.
pub fn layered(at: &Path, args: &[&str]) -> Ran {
    let command = &mut Command::new(env!("CARGO_BIN_EXE_diskwright"));
    run(command.args(args).current_dir(at).env("DISKWRIGHT_CATALOGUE", "layer.toml"))
}

/// A product with its price on demand.
fn offer(family: &str, attributes: &[(&str, &str)], usd: &str, unit: &str) -> Value {
    let mut own = json!({ "regionCode": "eu-central-1", "locationType": "AWS Region" });
    for (key, value) in attributes {
        own[*key] = json!(value);
    }
    let term = json!({ "effectiveDate": "2026-10-01T00:00:00Z", "termAttributes": {},
        "priceDimensions": { "1": { "unit": unit, "pricePerUnit": { "USD": usd } } } });
    json!({ "product": { "productFamily": family, "attributes": own }, "publicationDate": "2026-10-22T17:04:00Z",
        "terms": { "OnDemand": { "1": term } } })
}

fn offers() -> Vec<Value> {
    let own = |system| {
        [("instanceType", "m7i.large"), ("operatingSystem", system), ("tenancy", "Shared"), ("preInstalledSw", "NA")]
    };
    let volume =
        |family, kind, usage, usd, unit| offer(family, &[("volumeApiName", kind), ("usagetype", usage)], usd, unit);
    vec![
        offer("Compute Instance", &own("Linux"), "0.2000000000", "Hrs"),
        offer("Compute Instance", &own("Windows"), "0.3000000000", "Hrs"),
        offer("Compute Instance", &own("SUSE"), "0.2500000000", "Hrs"),
        volume("Storage", "gp3", "EUC1-EBS:VolumeUsage.gp3", "0.0900000000", "GB-Mo"),
        volume("Storage", "gp2", "EUC1-EBS:VolumeUsage.gp2", "0.1000000000", "GB-Mo"),
        volume("System Operation", "gp3", "EUC1-EBS:VolumeP-IOPS.gp3", "0.0050000000", "IOPS-Mo"),
        volume("Provisioned Throughput", "gp3", "EUC1-EBS:VolumeP-Throughput.gp3", "40.9600000000", "GiBps-mo"),
    ]
}

/// As `aws pricing get-products` prints them: each offer is a text.
fn page() -> String {
    let texts: Vec<Value> = offers().iter().map(|offer| json!(offer.to_string())).collect();
    json!({ "FormatVersion": "aws_v1", "PriceList": texts }).to_string()
}

/// The same as the price list of a region in one file.
fn index() -> String {
    let (mut products, mut terms) = (json!({}), json!({ "OnDemand": {} }));
    for (number, offer) in offers().iter().enumerate() {
        let sku = format!("SKU{number}");
        products[&sku] = offer["product"].clone();
        terms["OnDemand"][&sku] = offer["terms"]["OnDemand"].clone();
    }
    json!({ "formatVersion": "v1.0", "offerCode": "AmazonEC2", "publicationDate": "2026-10-22T17:04:00Z",
        "products": products, "terms": terms })
    .to_string()
}

const DEMAND: &str = "schema_version = 1\n[plan]\nregion = \"eu-central-1\"\nvms = [\"m7i.large\"]\ndisks = [\"gp3\"]\n[[volume]]\n\
    name = \"data\"\ncapacity = \"100 GiB\"\nread_size = \"8 KiB\"\nread_iops = { p50 = 100, p90 = 500, p99 = 900, max = 1000 }\n";
const VOLUMES: &str = r#"{"Volumes": [{"VolumeId": "vol-0a1b2c3d4e5f60718", "VolumeType": "gp2", "Size": 1000, "Iops": 3000,
    "AvailabilityZone": "eu-central-1a", "State": "available", "Attachments": []}]}"#;

#[test]
fn a_plan_after_the_import_has_the_new_prices_and_their_month() {
    for (name, text) in [("offers.json", page()), ("index.json", index())] {
        let folder = folder(&[(name, &text), ("requirements.toml", DEMAND), ("volumes.json", VOLUMES)]);
        let at = folder.path();
        let plan = ["plan", "requirements.toml", "--format", "json"];
        let before = diskwright_at(at, &plan);
        assert!(before.stderr.contains("the price of gp3 is from 2024-07, "), "{}", before.stderr);

        let import = ["catalogue", "import", name, "--date", "2026-11-21"];
        let tried = layered(at, &[&import[..], &["--dry-run"]].concat());
        assert!(tried.code == 0 && tried.stdout.contains("would be written to layer.toml"), "{}", tried.stderr);
        assert!(!at.join("layer.toml").exists());
        let ran = layered(at, &import);
        assert!(
            ran.stdout.starts_with("0 VM sizes, 0 disks, 6 prices, 0 regions with zones written to"),
            "{}{}",
            ran.stdout,
            ran.stderr
        );
        for said in [
            "m7i.large  price in eu-central-1  0.12075 USD per hour (2025-04)  0.2 USD per hour",
            "left out: 1 instances with another operating system, software, licence or tenancy",
        ] {
            assert!(ran.stdout.contains(said), "{said}: {}", ran.stdout);
        }
        let layer = std::fs::read_to_string(at.join("layer.toml")).unwrap();
        assert_eq!(layered(at, &import).code, 0);
        assert_eq!(std::fs::read_to_string(at.join("layer.toml")).unwrap(), layer, "importing twice changes nothing");

        let after = layered(at, &plan);
        assert!(!after.stderr.contains("months old"), "{}", after.stderr);
        let found: Value = serde_json::from_str(&after.stdout).unwrap_or_else(|e| panic!("{e}: {}", after.stderr));
        assert_eq!(found["plan"]["monthly"], 156.62, "730 h at 0.2, and 118 GiB at 0.09: an eighth of them stays free");
        assert!(after.stdout.contains("2026-10") && !after.stdout.contains("2024-07"), "{}", after.stdout);

        // No price of Windows is shipped, and the licence is paid as it goes beside what is reserved.
        let windows = DEMAND.replace("vms =", "os = \"windows\"\nvms =");
        std::fs::write(at.join("windows.toml"), windows).unwrap();
        let plan = ["plan", "windows.toml", "--format", "json"];
        let before = diskwright_at(at, &plan);
        assert!(before.code != 0 && before.stderr.contains("no price of Windows on m7i.large"), "{}", before.stderr);
        let ran = layered(at, &plan);
        let found: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}", ran.stderr));
        assert_eq!(found["plan"]["monthly"], 229.62, "730 h at 0.3");

        let show = layered(at, &["catalogue", "show", "gp3"]).stdout;
        let line = show.lines().find(|line| line.starts_with("eu-central-1 ")).unwrap();
        assert!(line.contains("2026-10") && line.contains("gib 0.09, mib_s 0.04, iops 0.005 USD a month"), "{show}");
        assert!(show.contains(&format!("price list, imported from {name}, 2026-10-22")), "{show}");
        let check = layered(at, &["catalogue", "check"]).stdout;
        assert!(check.lines().any(|line| line.starts_with("AWS ") && line.ends_with("to 2026-10")), "{check}");

        let audit: Value =
            serde_json::from_str(&layered(at, &["audit", "volumes.json", "--format", "json"]).stdout).unwrap();
        let finding = &audit["findings"][0];
        let figures = ["code", "monthly", "prices_of"].map(|key| finding[key].clone());
        assert_eq!(figures, [json!("DW203"), json!(100.0), json!("2026-10")], "{audit:#}");
    }
}

#[test]
fn files_of_two_vendors_are_imported_together() {
    let item = json!({ "currencyCode": "USD", "tierMinimumUnits": 0, "retailPrice": 122.88, "armRegionName": "eastus",
        "meterName": "P30 LRS Disk", "productName": "Premium SSD Managed Disks", "serviceName": "Storage",
        "unitOfMeasure": "1/Month", "type": "Consumption", "armSkuName": "" });
    // As a shell of Windows writes it.
    let wide: Vec<u8> = std::iter::once(0xFEFF).chain(page().encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let folder = folder(&[("prices.json", &json!({ "Items": [item] }).to_string()), ("index.json", &index())]);
    std::fs::write(folder.path().join("wide.json"), wide).unwrap();
    let args =
        ["catalogue", "import", "prices.json", "index.json", "wide.json", "--date", "2026-11-21", "--format", "json"];
    let ran = layered(folder.path(), &args);
    let found: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}", ran.stderr));
    assert_eq!((&found["imported"]["prices"], &found["written"]), (&json!(7), &json!(true)));
    let layer = std::fs::read_to_string(folder.path().join("layer.toml")).unwrap();
    assert_eq!(layer.matches("vendor = \"aws\"").count(), 2, "{layer}");
}

#[test]
fn what_is_no_price_list_is_refused_with_what_to_do() {
    let cut = index();
    let types = json!({ "InstanceTypes": [{ "InstanceType": "m99.large", "MemoryInfo": { "SizeInMiB": 8192 } }] });
    let shipped = json!({ "InstanceTypes": [{ "InstanceType": "m7i.large", "VCpuInfo": { "DefaultVCpus": 2 },
        "MemoryInfo": { "SizeInMiB": 8192 } }] });
    let other = json!({ "offerCode": "AmazonRDS", "products": { "A": { "productFamily": "Database Instance", "attributes": {} } }, "terms": {} });
    for (text, code, said) in [
        (cut[..cut.len() / 2].to_string(), 3, "x.json:1: is not valid JSON: it ends in the middle"),
        (VOLUMES.to_string(), 3, "hint: `diskwright audit x.json` judges them"),
        (
            other.to_string(),
            3,
            "x.json: holds no VM size, disk or price that is known here; left out: 1 products of other families",
        ),
        (json!({ "PriceList": [] }).to_string(), 3, "x.json: holds no VM size, disk or price"),
        ("\"FormatVersion\",\"v1.0\"\n".into(), 3, "hint: fetch it as JSON"),
        (json!({ "PriceList": ["{"] }).to_string(), 3, "x.json:1: offer 1: is not valid JSON"),
        (types.to_string(), 3, "x.json:1: instance type 1: `m99.large` has no `VCpuInfo.DefaultVCpus`"),
        (
            shipped.to_string(),
            0,
            "nothing to write\n1 VM sizes compared with the shipped catalogue, 0 of them differ\n",
        ),
        ("{}".into(), 3, "aws pricing get-products"),
    ] {
        let folder = folder(&[("x.json", &text)]);
        let ran = layered(folder.path(), &["catalogue", "import", "x.json", "--date", "2026-11-21"]);
        let out = format!("{}{}", ran.stdout, ran.stderr);
        assert!(ran.code == code && out.contains(said), "{said}: {} {out}", ran.code);
        assert!(!folder.path().join("layer.toml").exists(), "{said}");
    }
}
