//! Records as people fetch them: what the real AWS CLI prints of instance types, and offers in the form of the price list.

use dw_aws::import::{Meter, Records};
use dw_aws::instances::instance;
use serde_json::{Value, json};

use crate::provision::services::Services;

/// An offer as the list has it: a text.
fn offer(family: &str, attributes: &[(&str, &str)], terms: &Value) -> Value {
    let mut own = json!({ "regionCode": "eu-central-1" });
    for (key, value) in attributes {
        own[*key] = json!(value);
    }
    let offer = json!({ "product": { "productFamily": family, "attributes": own }, "terms": terms });
    Value::String(offer.to_string())
}

fn term(usd: &str, unit: &str, more: &Value) -> Value {
    json!({ "effectiveDate": "2026-11-01T00:00:00Z", "termAttributes": more,
        "priceDimensions": { "X.Y.Z": { "unit": unit, "pricePerUnit": { "USD": usd } } } })
}

fn on_demand(usd: &str, unit: &str) -> Value {
    json!({ "OnDemand": { "X.Y": term(usd, unit, &json!({})) } })
}

fn page(offers: &[Value]) -> String {
    json!({ "FormatVersion": "aws_v1", "PriceList": offers }).to_string()
}

const LINUX: [(&str, &str); 4] =
    [("instanceType", "m7i.large"), ("operatingSystem", "Linux"), ("tenancy", "Shared"), ("preInstalledSw", "NA")];

#[test]
fn offers_become_prices_of_the_units_that_plans_have() {
    let reserved = |length: &str, option: &str, class: &str, usd: &str| {
        let more = json!({ "LeaseContractLength": length, "PurchaseOption": option, "OfferingClass": class });
        term(usd, "Hrs", &more)
    };
    let mut terms = on_demand("0.1207500000", "Hrs");
    terms["Reserved"] = json!({
        "a": reserved("3yr", "No Upfront", "standard", "0.0527600000"),
        "b": reserved("1yr", "No Upfront", "standard", "0.0761000000"),
        "c": reserved("1yr", "All Upfront", "standard", "0.0000000000"),
        "d": reserved("1yr", "No Upfront", "convertible", "0.0875000000"),
    });
    let gp3 = |family, more: &[(&str, &str)], usd: &str, unit: &str| {
        let attributes = [&[("volumeApiName", "gp3")], more].concat();
        offer(family, &attributes, &on_demand(usd, unit))
    };
    let io2 = |group: &str, usd: &str| {
        let attributes = [("volumeApiName", "io2"), ("group", group), ("usagetype", "EUC1-EBS:VolumeP-IOPS.io2")];
        offer("System Operation", &attributes, &on_demand(usd, "IOPS-Mo"))
    };
    let windows = [LINUX[0], ("operatingSystem", "Windows"), LINUX[2], LINUX[3]];
    let text = page(&[
        offer("Compute Instance", &LINUX, &terms),
        offer("Compute Instance", &windows, &on_demand("0.2", "Hrs")),
        gp3("Storage", &[("usagetype", "EUC1-EBS:VolumeUsage.gp3")], "0.0952000000", "GB-Mo"),
        gp3(
            "System Operation",
            &[("usagetype", "EUC1-EBS:VolumeP-IOPS.gp3"), ("group", "EBS IOPS")],
            "0.0060000000",
            "IOPS-Mo",
        ),
        gp3("Provisioned Throughput", &[("usagetype", "EUC1-EBS:VolumeP-Throughput.gp3")], "49.1520000000", "GiBps-mo"),
        io2("EBS IOPS", "0.078"),
        io2("EBS IOPS Tier 2", "0.0546"),
        io2("EBS IOPS Tier 3", "0.0382"),
        offer("Storage Snapshot", &[], &on_demand("0.054", "GB-Mo")),
        offer("Compute Instance", &LINUX, &on_demand("0.0000000000", "Hrs")),
    ]);
    let mut found = Records::default();
    found.add("offers.json", &text).unwrap();
    let rows: Vec<(&str, Meter, u64)> =
        found.prices.iter().map(|price| (price.name.as_str(), price.meter, price.billionths)).collect();
    let expected = [
        ("m7i.large", Meter::Hour, 120_750_000),
        ("m7i.large", Meter::HourOfYear, 76_100_000),
        ("m7i.large", Meter::HourOfThreeYears, 52_760_000),
        ("gp3", Meter::Gib, 95_200_000),
        ("gp3", Meter::Iops(1), 6_000_000),
        // 49.152 a GiB/s are 0.048 a MiB/s.
        ("gp3", Meter::MibPerS, 48_000_000),
        ("io2", Meter::Iops(1), 78_000_000),
        ("io2", Meter::Iops(2), 54_600_000),
        ("io2", Meter::Iops(3), 38_200_000),
    ];
    assert_eq!(rows, expected);
    assert!(found.prices.iter().all(|price| price.region == "eu-central-1" && price.date == "2026-11-01"));
    let left_out: Vec<(&str, usize)> = found.left_out.iter().map(|(why, count)| (*why, *count)).collect();
    let others = ("instances with another operating system, software or tenancy", 1);
    assert_eq!(left_out, [others, ("products of other families", 1)]);
}

#[test]
fn damaged_records_are_told_by_number() {
    let no_price = json!({ "OnDemand": { "X.Y": { "priceDimensions": { "Z": { "pricePerUnit": { "CNY": "1" } } } } } });
    let type_without = |key: &str| {
        let mut record = json!({ "InstanceType": "m7i.large", "VCpuInfo": { "DefaultVCpus": 2 }, "MemoryInfo": { "SizeInMiB": 8192 } });
        record.as_object_mut().unwrap().remove(key);
        json!({ "InstanceTypes": [record] }).to_string()
    };
    for (text, expected) in [
        ("{".to_string(), "is not valid JSON"),
        ("{}".into(), "is neither a list of instance types nor a page of the price list"),
        (type_without("InstanceType"), "instance type 1: has no `InstanceType`"),
        (type_without("VCpuInfo"), "instance type 1: `m7i.large` has no `VCpuInfo.DefaultVCpus`"),
        (type_without("MemoryInfo"), "instance type 1: `m7i.large` has no `MemoryInfo.SizeInMiB`"),
        (page(&[offer("Compute Instance", &LINUX, &no_price)]), "offer 1: `m7i.large` has no price in USD"),
        (page(&[offer("Compute Instance", &LINUX, &on_demand("dear", "Hrs"))]), "is `dear`, not a number"),
        (page(&[offer("Compute Instance", &LINUX[1..], &on_demand("1", "Hrs"))]), "offer 1: has no `instanceType`"),
        (page(&["no offer".into()]), "offer 1: is not valid JSON"),
    ] {
        let refused = Records::default().add("file.json", &text).unwrap_err();
        assert!(refused.what.contains(expected), "{expected}: {refused:?}");
    }
}

/// What the real command line prints of all types that moto knows, against what is shipped.
#[test]
fn types_that_the_real_command_line_prints_are_those_that_are_shipped() {
    let Some(services) = Services::start() else { return };
    let (code, out, err) =
        services.call(&["ec2", "describe-instance-types", "--region", "us-east-1", "--output", "json"]);
    assert_eq!(code, 0, "{err}");
    let mut found = Records::default();
    found.add("types.json", &out).unwrap();
    assert!(found.types.len() > 500, "{}", found.types.len());
    let known: Vec<_> = found.types.iter().filter_map(|record| Some((record, instance(&record.name)?))).collect();
    let other: Vec<String> = known
        .iter()
        .flat_map(|(record, shipped)| {
            record
                .differences(shipped)
                .into_iter()
                .map(|(what, ours, theirs)| format!("{} {what}: {ours} shipped, {theirs} imported", record.name))
        })
        .collect();
    assert_eq!((known.len() > 1_300, other), (true, Vec::new()));
    for (record, shipped) in known {
        assert_eq!((record.arch, record.hypervisor), (shipped.arch, shipped.hypervisor), "{}", record.name);
    }
}
