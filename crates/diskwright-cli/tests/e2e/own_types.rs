//! Instance types that a person imported: what plans, scenarios, scripts and audits say of a type that the release does not have.

use std::path::Path;

use serde_json::{Value, json};

use super::price_list::layered;
use super::support::folder;

const NEW: &str = "m99.xlarge";

/// As `aws ec2 describe-instance-types` prints a type of 4 vCPUs and 32 GiB.
fn of_type(name: &str) -> Value {
    json!({
        "InstanceType": name, "CurrentGeneration": true, "BareMetal": false, "Hypervisor": "nitro",
        "BurstablePerformanceSupported": false, "SupportedUsageClasses": ["on-demand", "spot"],
        "ProcessorInfo": { "SupportedArchitectures": ["x86_64"] },
        "VCpuInfo": { "DefaultVCpus": 4 }, "MemoryInfo": { "SizeInMiB": 32_768 },
        "EbsInfo": {
            "EbsOptimizedSupport": "default", "NvmeSupport": "required", "MaximumEbsAttachments": 64,
            "AttachmentLimitType": "dedicated",
            "EbsOptimizedInfo": { "BaselineBandwidthInMbps": 2_000, "BaselineIops": 12_000,
                "MaximumBandwidthInMbps": 20_000, "MaximumIops": 60_000 },
        },
        "InstanceStorageSupported": false,
        "NetworkInfo": { "NetworkCards": [{ "BaselineBandwidthInGbps": 1.875, "PeakBandwidthInGbps": 15.0 }] },
    })
}

fn types(records: &[Value]) -> String {
    json!({ "InstanceTypes": records }).to_string()
}

/// Hours of types in the price list of a month.
fn prices(of: &[(&str, &str)]) -> String {
    let (mut products, mut terms) = (json!({}), json!({}));
    for (name, usd) in of {
        products[*name] = json!({ "productFamily": "Compute Instance", "attributes": { "regionCode": "eu-central-1",
            "instanceType": name, "operatingSystem": "Linux", "tenancy": "Shared", "preInstalledSw": "NA" } });
        terms[*name] = json!({ "T": { "effectiveDate": "2026-11-01T00:00:00Z", "termAttributes": {},
            "priceDimensions": { "1": { "unit": "Hrs", "pricePerUnit": { "USD": usd } } } } });
    }
    json!({ "formatVersion": "v1.0", "offerCode": "AmazonEC2", "publicationDate": "2026-11-12T00:00:00Z",
        "products": products, "terms": { "OnDemand": terms } })
    .to_string()
}

const DEMAND: &str = "schema_version = 1\n[plan]\nregion = \"eu-central-1\"\nvcpu_min = 4\nmemory_min = \"32 GiB\"\n[[volume]]\n\
    name = \"data\"\ncapacity = \"500 GiB\"\nread_size = \"8 KiB\"\nread_iops = { p50 = 500, p90 = 4000, p99 = 9000, max = 9500 }\n";

fn import(at: &Path, files: &[&str]) -> String {
    let ran = layered(at, &[&["catalogue", "import"], files, &["--date", "2026-11-21"]].concat());
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    ran.stdout
}

/// The document that a command prints.
fn document(at: &Path, args: &[&str]) -> Value {
    let ran = layered(at, &[args, &["--format", "json"]].concat());
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}: {}{}", ran.stdout, ran.stderr))
}

#[test]
fn a_type_that_the_release_does_not_have_is_planned_simulated_built_and_audited() {
    let folder = folder(&[
        ("types.json", &types(&[of_type(NEW)])),
        ("prices.json", &prices(&[(NEW, "0.0500000000")])),
        ("requirements.toml", DEMAND),
        (
            "reads.fio",
            "[data]\nfilename=/srv/data/f\nioengine=libaio\ndirect=1\nrw=randread\nbs=8k\niodepth=64\nruntime=60\ntime_based\nsize=400g\n",
        ),
    ]);
    let at = folder.path();
    let said = import(at, &["types.json"]);
    for line in [
        "1 VM sizes, 0 disks, 0 prices, 0 regions with zones written to layer.toml",
        "note: not in the shipped catalogue, and known from now on: `m99.xlarge`",
        "note: without a price in any region, so in no plan until one is imported: `m99.xlarge`",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let priced = import(at, &["prices.json"]);
    assert!(priced.contains("0 VM sizes, 0 disks, 1 prices"), "{priced}");
    let layer = std::fs::read_to_string(at.join("layer.toml")).unwrap();
    import(at, &["types.json", "prices.json"]);
    assert_eq!(std::fs::read_to_string(at.join("layer.toml")).unwrap(), layer, "importing twice changes nothing");

    // It is the cheapest of all, and no list of the demand names it.
    let plan = document(at, &["plan", "requirements.toml"]);
    assert_eq!(
        (&plan["plan"]["vm"], &plan["plan"]["vm_edition"]),
        (&json!(NEW), &json!("2026-11-imported")),
        "{plan:#}"
    );
    std::fs::write(at.join("plan.json"), plan.to_string()).unwrap();

    // 12,000 IOPS for good, of the type; the volume has 9,500 and more.
    let rig = layered(at, &["provision", "plan.json", "--target", "rig"]);
    assert!(rig.stdout.contains("size = \"m99.xlarge\""), "{}{}", rig.stdout, rig.stderr);
    std::fs::write(at.join("rig.toml"), rig.stdout).unwrap();
    let ran = layered(at, &["simulate", "rig.toml", "reads.fio", "--output-format", "json"]);
    let run: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}", ran.stderr));
    let iops = run["jobs"][0]["read"]["iops"].as_f64().unwrap();
    assert!((9_000.0..=12_100.0).contains(&iops), "{iops}");

    let built = layered(at, &["provision", "plan.json", "-o", "build"]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    for (file, written) in [
        ("aws.sh", "'m99.xlarge'"),
        ("cloudformation.json", "\"InstanceType\": \"m99.xlarge\""),
        ("main.tf", "\"m99.xlarge\""),
        ("rig.toml", "size = \"m99.xlarge\""),
    ] {
        let text = std::fs::read_to_string(at.join("build").join(file)).unwrap();
        assert!(text.contains(written), "{file}: {text}");
    }
    let show = layered(at, &["catalogue", "show", NEW]).stdout;
    for line in [
        "m99.xlarge, edition 2026-11-imported (of 2026-11-imported)",
        "machine records, imported from types.json, 2026-11-21",
    ] {
        assert!(show.contains(line), "{line}: {show}");
    }

    // Two gp3 of 20,000 IOPS behind 12,000.
    let disk = |name: &str| {
        json!({ "VolumeId": format!("vol-0a1b2c3d4e5f6071{name}"), "VolumeType": "gp3", "Size": 500, "Iops": 20_000, "Throughput": 500,
            "AvailabilityZone": "eu-central-1a", "State": "in-use",
            "Attachments": [{ "InstanceId": "i-0123456789abcdef0", "Device": format!("/dev/sd{name}"), "State": "attached" }] })
    };
    let instance = json!({ "InstanceId": "i-0123456789abcdef0", "InstanceType": NEW, "State": { "Name": "running" },
        "Placement": { "AvailabilityZone": "eu-central-1a" } });
    std::fs::write(
        at.join("i.json"),
        json!({ "Reservations": [{ "ReservationId": "r-0", "Instances": [instance] }] }).to_string(),
    )
    .unwrap();
    std::fs::write(at.join("v.json"), json!({ "Volumes": [disk("f"), disk("a")] }).to_string()).unwrap();
    let audit = document(at, &["audit", "i.json", "v.json"]);
    let codes: Vec<&str> =
        audit["findings"].as_array().unwrap().iter().filter_map(|one| one["code"].as_str()).collect();
    assert!(codes.contains(&"DW117") || codes.contains(&"DW201"), "{audit:#}");

    // Without the layer nobody knows it.
    std::fs::remove_file(at.join("layer.toml")).unwrap();
    std::fs::write(at.join("layer.toml"), "").unwrap();
    let unknown = layered(at, &["simulate", "rig.toml", "reads.fio"]);
    assert!(unknown.code == 3 && unknown.stderr.contains("m99.xlarge"), "{}{}", unknown.code, unknown.stderr);
}

#[test]
fn a_record_without_what_a_plan_needs_keeps_its_type_out_and_says_why() {
    let mut lacking = of_type("m98.xlarge");
    lacking["EbsInfo"].as_object_mut().unwrap().remove("EbsOptimizedInfo");
    let folder = folder(&[
        ("types.json", &types(&[of_type(NEW), lacking])),
        ("prices.json", &prices(&[(NEW, "0.0500000000"), ("m98.xlarge", "0.0100000000")])),
        ("requirements.toml", DEMAND),
        ("listed.toml", &DEMAND.replace("vcpu_min", "vms = [\"m98.xlarge\", \"m99.xlarge\"]\nvcpu_min")),
    ]);
    let at = folder.path();
    const WHY: &str = "the imported record of m98.xlarge has no `EbsInfo.EbsOptimizedInfo`";
    let said = import(at, &["types.json", "prices.json"]);
    assert!(said.contains(&format!("note: in no plan: {WHY}")), "{said}");
    // The cheaper one is unknown, and what is unknown never wins.
    assert_eq!(document(at, &["plan", "requirements.toml"])["plan"]["vm"], NEW);
    let listed = document(at, &["plan", "listed.toml"]);
    assert!(listed["plan"]["vm"] == NEW && listed.to_string().contains(WHY), "{listed:#}");
    let asked = layered(at, &["plan", "requirements.toml", "--why-not", "m98.xlarge"]);
    assert!(asked.code == 3 && asked.stderr.contains(WHY), "{} {}", asked.code, asked.stderr);
}

#[test]
fn a_shipped_type_that_was_imported_counts_with_its_record() {
    let mut other = of_type("r7i.2xlarge");
    other["EbsInfo"]["EbsOptimizedInfo"]["BaselineIops"] = json!(100);
    let folder = folder(&[
        ("layer.toml", ""),
        ("types.json", &types(&[other])),
        ("requirements.toml", &DEMAND.replace("vcpu_min", "vms = [\"r7i.2xlarge\"]\nvcpu_min")),
    ]);
    let at = folder.path();
    assert_eq!(document(at, &["plan", "requirements.toml"])["plan"]["vm"], "r7i.2xlarge", "as it is shipped it serves");
    let said = import(at, &["types.json"]);
    let line = said.lines().find(|line| line.starts_with("r7i.2xlarge  EBS  ")).unwrap_or_else(|| panic!("{said}"));
    assert!(line.contains("(2026-08)") && line.contains("100 IOPS and 250 MB/s, at most 60000 IOPS"), "{line}");
    assert!(said.contains("imported values are used from now on"), "{said}");
    let after = layered(at, &["plan", "requirements.toml"]);
    assert_eq!(after.code, 4, "with 100 IOPS for good nothing is planned: {}{}", after.stdout, after.stderr);
}
