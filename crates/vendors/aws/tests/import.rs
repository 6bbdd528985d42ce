//! Records as people fetch them: what the real AWS CLI prints of instance types, offers in the form of the price list, and a region's price
//! list as one file.

use std::io::{Cursor, Read};

use dw_aws::Ec2;
use dw_aws::import::{Meter, Records};
use dw_aws::instances::instance;
use dw_vendor::goods::Goods as _;
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

fn product(family: &str, attributes: &[(&str, &str)]) -> Value {
    let mut own = json!({ "regionCode": "eu-central-1", "locationType": "AWS Region" });
    for (key, value) in attributes {
        own[*key] = json!(value);
    }
    json!({ "productFamily": family, "attributes": own })
}

/// An offer file of these products, by their numbers.
fn list(products: &[(&str, Value)], terms: &Value) -> String {
    let mut all = json!({});
    for (sku, product) in products {
        all[*sku] = product.clone();
    }
    json!({ "formatVersion": "v1.0", "offerCode": "AmazonEC2", "version": "1", "publicationDate": "2026-10-22T17:04:00Z",
        "products": all, "terms": terms, "savingsPlans": {} })
    .to_string()
}

/// The same as one file: products first, then terms by their numbers.
#[test]
fn a_price_list_of_a_region_has_the_prices_of_its_offers() {
    let gp3 = [("volumeApiName", "gp3"), ("usagetype", "EUC1-EBS:VolumeUsage.gp3")];
    let mut away = product("Compute Instance", &LINUX);
    away["attributes"]["locationType"] = json!("AWS Local Zone");
    let products = [
        ("A", product("Compute Instance", &LINUX)),
        ("B", product("Storage", &gp3)),
        ("C", product("Data Transfer", &[])),
        ("D", away),
    ];
    let of = |usd: &str, unit: &str| on_demand(usd, unit)["OnDemand"].clone();
    let year = json!({ "LeaseContractLength": "1yr", "PurchaseOption": "No Upfront", "OfferingClass": "standard" });
    let terms = json!({
        "OnDemand": { "A": of("0.12", "Hrs"), "B": of("0.09", "GB-Mo"), "C": of("0.02", "GB"), "D": of("0.2", "Hrs") },
        "Reserved": { "A": { "A.1": term("0.08", "Hrs", &year) } },
        "FlatRate": {},
    });
    let mut found = Records::default();
    found.add("index.json", &list(&products, &terms)).unwrap();
    let rows: Vec<_> = found.prices.iter().map(|price| (price.name.as_str(), price.meter, price.billionths)).collect();
    let expected = [
        ("m7i.large", Meter::Hour, 120_000_000),
        ("gp3", Meter::Gib, 90_000_000),
        ("m7i.large", Meter::HourOfYear, 80_000_000),
    ];
    assert_eq!(rows, expected);
    assert!(found.prices.iter().all(|price| price.published.as_deref() == Some("2026-10-22")));
    let left_out: Vec<(&str, usize)> = found.left_out.iter().map(|(why, count)| (*why, *count)).collect();
    let unread = ("fields beside the records that nothing here reads", 1);
    assert_eq!(left_out, [unread, ("products of local zones and outposts", 1), ("products of other families", 1)]);
}

/// So many bytes of it were read.
struct Counting<R>(R, usize);

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let read = self.0.read(into)?;
        self.1 += read;
        Ok(read)
    }
}

/// Hundreds of megabytes are not waited for: what is wrong with the third product is told before the rest is read.
#[test]
fn a_price_list_is_read_as_a_stream() {
    let others = (0..8_000)
        .map(|n| format!("\"Z{n}\": {}", product("Data Transfer", &[("group", "some hundred bytes of a product")])));
    let wrong = product("Compute Instance", &LINUX[1..]);
    let all: Vec<String> = std::iter::once(format!("\"A\": {wrong}")).chain(others).collect();
    let text = format!("{{\"offerCode\": \"AmazonEC2\", \"products\": {{{}}}}}", all.join(","));
    let mut counting = Counting(Cursor::new(text.as_bytes()), 0);
    let refused = Records::default().read("index.json", &mut counting).unwrap_err();
    assert!(refused.what.starts_with("product A: has no `instanceType`"), "{refused:?}");
    assert!(text.len() > 1_000_000 && counting.1 < text.len() / 2, "{} of {}", counting.1, text.len());
}

/// Pages one behind the other, as `>>` leaves them.
#[test]
fn pages_in_one_file_are_read_all() {
    let one = |usd: &str| page(&[offer("Compute Instance", &LINUX, &on_demand(usd, "Hrs"))]);
    let next = json!({ "PriceList": [], "NextToken": "x" }).to_string();
    let mut found = Records::default();
    found.add("pages.json", &format!("\u{feff}{}\n{}\n{next}\n", one("0.1"), one("0.2"))).unwrap();
    assert_eq!(found.prices.len(), 2);
    assert!(found.notes[0].starts_with("pages.json has further pages"), "{:?}", found.notes);
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
        (String::new(), "is empty"),
        ("[]".into(), "is neither a list of instance types nor a page of the price list"),
        ("3".into(), "invalid type: integer `3`, expected the output of a call, or an offer file"),
        (page(&[offer("Compute Instance", &LINUX, &on_demand("1", "Hrs"))])[..200].into(), "it ends in the middle"),
        (json!({ "PriceList": {} }).to_string(), "expected a list of records"),
        ("\"FormatVersion\",\"v1.0\"\n".into(), "is the price list as CSV"),
        (json!({ "Volumes": [] }).to_string(), "holds volumes or instances of an estate, no prices"),
        (json!({ "terms": {}, "products": {} }).to_string(), "its `terms` stand before its `products`"),
        (list(&[("A", product("Compute Instance", &LINUX[1..]))], &json!({})), "product A: has no `instanceType`"),
        (
            list(
                &[("A", product("Compute Instance", &LINUX))],
                &json!({ "OnDemand": { "A": on_demand("x", "Hrs")["OnDemand"] } }),
            ),
            "product A: the price of `m7i.large` is `x`, not a number",
        ),
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
    let brought = Ec2::default().fetched().read("types.json", &mut out.as_bytes()).unwrap();
    assert_eq!((brought.compared, brought.differences, brought.prices), (found.types.len(), Vec::new(), Vec::new()));
    for (record, shipped) in known {
        assert_eq!((record.arch, record.hypervisor), (shipped.arch, shipped.hypervisor), "{}", record.name);
    }
}
