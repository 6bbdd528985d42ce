//! Records as people fetch them: what the real AWS CLI prints of instance types, offers in the form of the price list, and a region's price
//! list as one file.

use std::io::{Cursor, Read};
use std::sync::Arc;

use dw_aws::Ec2;
use dw_aws::import::{Meter, Records, TypeRecord, differences};
use dw_aws::instances::{EDITION, instance};
use dw_units::Bytes;
use dw_vendor::fetched::{Brought, BroughtMachine, Figure, Own, OwnMachine};
use dw_vendor::goods::{Goods, Sort};
use dw_vendor::rate::Rate;
use dw_vendor::rig::{Machine, MachineAsked};
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
    let with = |key: &'static str, value: &'static str| {
        let others = LINUX.into_iter().filter(|(own, _)| *own != key);
        others.chain([(key, value)]).collect::<Vec<_>>()
    };
    let windows = with("operatingSystem", "Windows");
    // A reservation of it is not taken: what is reserved is the hour of Linux, and the licence is paid as it goes.
    let mut of_windows = on_demand("0.2127500000", "Hrs");
    of_windows["Reserved"] = terms["Reserved"].clone();
    let own_licence = [&windows[..], &[("licenseModel", "Bring your own license")]].concat();
    let text = page(&[
        offer("Compute Instance", &LINUX, &terms),
        offer("Compute Instance", &windows, &of_windows),
        offer("Compute Instance", &own_licence, &on_demand("0.12075", "Hrs")),
        offer("Compute Instance", &with("operatingSystem", "SUSE"), &on_demand("0.2", "Hrs")),
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
        ("m7i.large", Meter::HourOfWindows, 212_750_000),
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
    let others = ("instances with another operating system, software, licence or tenancy", 2);
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
        (page(&[offer("Compute Instance", &LINUX, &no_price)]), "`m7i.large` has no price in USD, but in CNY: prices in USD alone"),
        (page(&[offer("Compute Instance", &LINUX, &on_demand("dear", "Hrs"))]), "is `dear`, not a number"),
        (page(&[offer("Compute Instance", &LINUX[1..], &on_demand("1", "Hrs"))]), "offer 1: has no `instanceType`"),
        (page(&["no offer".into()]), "offer 1: is not valid JSON"),
        (String::new(), "is empty"),
        ("[]".into(), "is neither a list of instance types nor a page of the price list"),
        ("3".into(), "invalid type: integer `3`, expected the output of a call, or an offer file"),
        (page(&[offer("Compute Instance", &LINUX, &on_demand("1", "Hrs"))])[..200].into(), "it ends in the middle"),
        (json!({ "PriceList": {} }).to_string(), "expected a list of records"),
        ("\"FormatVersion\",\"v1.0\"\n".into(), "is the price list as CSV"),
        (
            json!({ "InstanceTypeOfferings": [{ "InstanceType": "m7i.large", "LocationType": "region", "Location": "us-east-1" }] }).to_string(),
            "lists which types are offered where, no limits and no prices",
        ),
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

/// A type as `describe-instance-types` prints it.
fn record(name: &str) -> Value {
    json!({
        "InstanceType": name, "CurrentGeneration": true, "BareMetal": false, "Hypervisor": "nitro",
        "BurstablePerformanceSupported": false, "SupportedUsageClasses": ["on-demand", "spot"],
        "ProcessorInfo": { "SupportedArchitectures": ["x86_64"] },
        "VCpuInfo": { "DefaultVCpus": 4 }, "MemoryInfo": { "SizeInMiB": 16_384 },
        "EbsInfo": {
            "EbsOptimizedSupport": "default", "EncryptionSupport": "supported", "NvmeSupport": "required",
            "MaximumEbsAttachments": 64, "AttachmentLimitType": "dedicated",
            "EbsOptimizedInfo": {
                "BaselineBandwidthInMbps": 2_000, "BaselineThroughputInMBps": 250.0, "BaselineIops": 12_000,
                "MaximumBandwidthInMbps": 20_000, "MaximumThroughputInMBps": 2_500.0, "MaximumIops": 60_000,
            },
        },
        "InstanceStorageSupported": true,
        "InstanceStorageInfo": { "TotalSizeInGB": 237, "Disks": [{ "SizeInGB": 237, "Count": 1, "Type": "ssd" }], "NvmeSupport": "required" },
        "NetworkInfo": {
            "NetworkPerformance": "Up to 15 Gigabit", "BandwidthWeightings": ["default", "ebs-1", "vpc-1"],
            "NetworkCards": [{ "NetworkCardIndex": 0, "BaselineBandwidthInGbps": 1.875, "PeakBandwidthInGbps": 15.0 }],
        },
    })
}

/// The record with something else at a path, or without it.
fn with(mut record: Value, path: &str, value: Option<Value>) -> Value {
    let (parent, key) = path.rsplit_once('/').unwrap();
    let parent = record.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    match value {
        Some(value) => parent.insert(key.into(), value),
        None => parent.remove(key),
    };
    record
}

fn brought(records: &[Value]) -> Brought {
    let text = json!({ "InstanceTypes": records }).to_string();
    Ec2::default().fetched().read("types.json", &mut text.as_bytes()).unwrap()
}

/// What is sold with what was brought, as the file of imports has it.
fn sold(brought: &Brought) -> Arc<dyn Goods> {
    let own = |BroughtMachine { name, figures }: &BroughtMachine| OwnMachine {
        name: name.clone(),
        figures: figures.clone(),
        edition: MONTH.into(),
        source: "imported".into(),
    };
    let own = Own { machines: brought.machines.iter().map(own).collect(), prices: Vec::new() };
    Ec2::default().with_own(own).unwrap()
}

const MONTH: &str = "2026-11-imported";

#[test]
fn a_type_that_is_not_shipped_is_known_by_its_record() {
    let found = brought(&[record("m99d.xlarge")]);
    assert_eq!((found.compared, found.differences.len(), found.agreeing.len()), (1, 0, 0));
    assert_eq!(
        found.notes,
        [
            "not in the shipped catalogue, and known from now on: `m99d.xlarge`",
            "no record has the IOPS of the instance store of m99d.xlarge: no plan uses it"
        ]
    );
    let sold = sold(&found);
    let rows = sold.machines();
    let row = rows.iter().find(|row| row.name == "m99d.xlarge").unwrap();
    assert_eq!((row.series, row.edition, row.source, row.vcpu, row.slots), ("m99d", MONTH, "imported", 4, 63));
    assert_eq!((row.memory, row.limits), (Bytes::gib(16), Some((12_000, 250_000_000))));
    let passes = sold.passes("m99d.xlarge", MONTH).unwrap();
    let rate = |base, top| Some(Rate { base, burst: Some((top, (top - base) * 1_800)) });
    assert_eq!(passes.gates[0].iops, rate(12_000, 60_000));
    assert_eq!(passes.gates[0].bytes, rate(250_000_000, 2_500_000_000));
    let asked = |options| MachineAsked { name: "M99d.xlarge", edition: None, options };
    let machine = sold.rigs().machine(&asked(&[])).unwrap();
    assert_eq!((machine.name.as_str(), machine.edition.as_str(), machine.disks_most), ("m99d.xlarge", MONTH, 64));
    let rate_of = |machine: Machine| machine.gates[0].more.iter().map(|limit| limit.rate).collect::<Vec<_>>();
    assert_eq!(rate_of(machine), [12_000, 250_000_000]);
    // Weighted as its record allows, though no list of families has it.
    let weighted = sold.rigs().machine(&asked(&[("bandwidth", "ebs-1")])).unwrap();
    assert_eq!(rate_of(weighted), [12_000, 312_500_000]);
    for sort in [Sort::Arm, Sort::Burstable, Sort::Previous, Sort::Metal] {
        assert!(!sold.is("m99d.xlarge", sort), "{sort:?}");
    }
    // No record says where it is offered, and what its disks do.
    assert_eq!(sold.zones_of("m99d.xlarge", "eu-central-1"), None);
    assert!(sold.local("m99d.xlarge", MONTH, Default::default()).is_none());
    assert_eq!(sold.why_unplanned("m99d.xlarge", MONTH), None);
    let said = sold.describe("m99d.xlarge", None).unwrap();
    assert!(said.fields.contains(&("instance store", "1 x 237 GB SSD, NVMe".into(), "imported".into())), "{said:?}");
    assert!(said.notes.iter().any(|note| note.starts_with("no record has the IOPS")), "{:?}", said.notes);
    assert!(Ec2::default().passes("m99d.xlarge", MONTH).is_none(), "as it is shipped nobody knows it");
}

#[test]
fn what_a_record_does_not_say_keeps_a_new_type_out_of_plans() {
    let cards = |each: &[(u64, u64)]| {
        let card = |(index, (mbps, iops)): (usize, &(u64, u64))| {
            json!({ "EbsCardIndex": index, "BaselineBandwidthInMbps": mbps, "BaselineIops": iops,
                "MaximumBandwidthInMbps": mbps * 10, "MaximumIops": iops * 5 })
        };
        Some(Value::Array(each.iter().enumerate().map(card).collect()))
    };
    let lacks = "the imported record of m99.large has no ";
    for (path, value, expected) in [
        (
            "/EbsInfo",
            None,
            format!(
                "{lacks}`EbsInfo.EbsOptimizedInfo`, `EbsInfo.MaximumEbsAttachments`, `EbsInfo.AttachmentLimitType`"
            ),
        ),
        ("/EbsInfo/EbsOptimizedInfo/MaximumIops", None, format!("{lacks}`EbsInfo.EbsOptimizedInfo`")),
        ("/EbsInfo/MaximumEbsAttachments", Some(Value::Null), format!("{lacks}`EbsInfo.MaximumEbsAttachments`")),
        ("/Hypervisor", None, format!("{lacks}`Hypervisor`")),
        (
            "/ProcessorInfo/SupportedArchitectures",
            Some(json!(["riscv64"])),
            format!("{lacks}`ProcessorInfo.SupportedArchitectures`"),
        ),
        ("/CurrentGeneration", None, format!("{lacks}`CurrentGeneration`")),
        ("/BurstablePerformanceSupported", None, format!("{lacks}`BurstablePerformanceSupported`")),
        ("/SupportedUsageClasses", None, format!("{lacks}`SupportedUsageClasses`")),
        ("/SupportedUsageClasses", Some(json!(["capacity-block"])), "m99.large is not sold on demand".into()),
        ("/EbsInfo/EbsCards", cards(&[(1_500, 9_000), (500, 3_000)]), "the EBS cards of m99.large are unequal".into()),
        (
            "/EbsInfo/EbsCards",
            cards(&[(2_000, 12_000), (2_000, 12_000)]),
            "the EBS cards of m99.large are unequal".into(),
        ),
        ("/EbsInfo/EbsCards", cards(&[(500, 3_000); 4]), "m99.large has 4 EBS cards, and plans know 2".into()),
        // What no plan needs.
        ("/EbsInfo/EbsCards", cards(&[(1_000, 6_000); 2]), String::new()),
        ("/NetworkInfo", None, String::new()),
        ("/InstanceStorageInfo", None, String::new()),
    ] {
        let found = brought(&[with(record("m99.large"), path, value)]);
        let sold = sold(&found);
        let why = sold.why_unplanned("m99.large", MONTH).unwrap_or_default();
        assert!(why.starts_with(&expected) && why.is_empty() == expected.is_empty(), "{path}: {why}");
        assert_eq!(sold.passes("m99.large", MONTH).is_none(), !expected.is_empty(), "{path}");
        assert_eq!(
            found.notes.iter().any(|note| *note == format!("in no plan: {why}")),
            !expected.is_empty(),
            "{path}"
        );
    }
}

/// Of a shipped type what its record does not say is as shipped, with that source; of another it is not known, and has no line.
#[test]
fn what_a_record_does_not_say_is_not_shown_as_imported() {
    let shown = |name: &str, path: &str, field: &str| {
        let said = sold(&brought(&[with(record(name), path, None)])).describe(name, None).unwrap();
        let found = said.fields.into_iter().find(|(what, ..)| *what == field);
        found.map(|(_, value, source)| (value, source))
    };
    for (path, field) in [
        ("/Hypervisor", "hypervisor"),
        ("/CurrentGeneration", "current generation"),
        ("/ProcessorInfo/SupportedArchitectures", "architecture"),
        ("/EbsInfo/EbsOptimizedInfo/BaselineIops", "EBS baseline"),
        ("/EbsInfo/EbsOptimizedInfo/BaselineIops", "EBS maximum"),
        ("/EbsInfo", "EBS volumes"),
    ] {
        assert_eq!(shown("m99.large", path, field), None, "{field}");
        let (_, source) = shown("m99.large", "/GpuInfo", field).unwrap_or_else(|| panic!("{field}"));
        assert_eq!(source, "imported", "{field}");
        let (value, source) = shown("m5.large", path, field).unwrap_or_else(|| panic!("{field}"));
        let as_shipped = Ec2::default().describe("m5.large", None).unwrap();
        assert!(as_shipped.fields.contains(&(field, value, source.clone())), "{field}: {source}");
        assert_ne!(source, "imported", "{field}");
    }
}

#[test]
fn figures_that_cannot_be_are_told_by_record_and_field() {
    for (path, value, expected) in [
        ("/VCpuInfo/DefaultVCpus", json!("two"), "`VCpuInfo.DefaultVCpus` of `m99.large` is `\"two\"`, not a count"),
        ("/VCpuInfo/DefaultVCpus", json!(0), "`VCpuInfo.DefaultVCpus` of `m99.large` is 0, and can be 1 to "),
        ("/MemoryInfo/SizeInMiB", json!(-1), "`MemoryInfo.SizeInMiB` of `m99.large` is `-1`, not a count"),
        (
            "/EbsInfo/EbsOptimizedInfo/MaximumIops",
            json!(100),
            "MaximumIops` of `m99.large` is 100, and can be 12000 to ",
        ),
        (
            "/EbsInfo/EbsOptimizedInfo/MaximumBandwidthInMbps",
            json!(1_000_000_000_000_u64),
            "MaximumBandwidthInMbps` of `m99.large` is 1000000000000, and can be ",
        ),
        (
            "/NetworkInfo/NetworkCards/0/BaselineBandwidthInGbps",
            json!(1e15),
            "BaselineBandwidthInGbps, in Mb/s,` of `m99.large` is 1000000000000000000, and can be 0 to ",
        ),
        ("/EbsInfo/MaximumEbsCards", json!(99), "`EbsInfo.MaximumEbsCards` of `m99.large` is 99, and can be 1 to 16"),
        ("/BareMetal", json!("no"), "`BareMetal` of `m99.large` is `\"no\"`, not `true` or `false`"),
        (
            "/InstanceStorageInfo/Disks",
            json!([{ "Count": 1 }]),
            "`m99.large` has no `InstanceStorageInfo.Disks.SizeInGB`",
        ),
        ("/InstanceType", json!("m99 large"), "`m99 large` is not the name of an instance type"),
    ] {
        let text = json!({ "InstanceTypes": [record("m5.large"), with(record("m99.large"), path, Some(value))] });
        let refused = Records::default().add("types.json", &text.to_string()).unwrap_err();
        assert!(
            refused.what.starts_with("instance type 2: ") && refused.what.contains(expected),
            "{expected}: {refused:?}"
        );
    }
}

/// Of a shipped type the imported figures count, and what its record does not say stays.
#[test]
fn a_shipped_type_has_the_figures_of_its_record() {
    let shipped = instance("m5d.xlarge").unwrap();
    let same = |cut: &str| {
        let limits = json!({ "BaselineBandwidthInMbps": 1_150, "BaselineIops": 6_000, "MaximumBandwidthInMbps": 4_750, "MaximumIops": 18_750 });
        let mut own = with(record("m5d.xlarge"), "/EbsInfo/EbsOptimizedInfo", Some(limits));
        for (path, value) in [
            ("/EbsInfo/MaximumEbsAttachments", json!(26)),
            ("/EbsInfo/AttachmentLimitType", json!("shared")),
            ("/InstanceStorageInfo/Disks/0/SizeInGB", json!(150)),
            ("/NetworkInfo/NetworkCards/0/BaselineBandwidthInGbps", json!(1.25)),
            ("/NetworkInfo/NetworkCards/0/PeakBandwidthInGbps", json!(10.0)),
            ("/NetworkInfo/BandwidthWeightings", json!(["default"])),
        ] {
            *own.pointer_mut(path).unwrap() = value;
        }
        if cut.is_empty() { own } else { with(own, cut, None) }
    };
    for cut in ["", "/EbsInfo", "/InstanceStorageInfo", "/NetworkInfo", "/SupportedUsageClasses", "/Hypervisor"] {
        let found = brought(&[same(cut)]);
        assert_eq!(
            (found.agreeing, found.machines, found.differences),
            (vec!["m5d.xlarge".into()], vec![], vec![]),
            "{cut}"
        );
    }
    // A command that does not know cards says nothing of them.
    let older = brought(&[record("m8gn.48xlarge")]);
    assert!(!older.differences.is_empty() && older.differences.iter().all(|one| one.field != "EBS cards"));
    let other = with(same(""), "/EbsInfo/EbsOptimizedInfo/MaximumIops", Some(json!(20_000)));
    let found = brought(&[with(other, "/MemoryInfo/SizeInMiB", Some(json!(16_000)))]);
    let lines: Vec<_> =
        found.differences.iter().map(|d| (d.field, d.shipped.as_str(), d.edition, d.fetched.as_str())).collect();
    let ebs = |most| format!("6000 IOPS and 143.75 MB/s, at most {most} IOPS and 593.75 MB/s");
    assert_eq!(lines, [("memory", "16 GiB", EDITION, "16000 MiB"), ("EBS", &*ebs(18_750), EDITION, &*ebs(20_000))]);
    let sold = sold(&found);
    let top = |edition| sold.passes("m5d.xlarge", edition).unwrap().gates[0].iops.unwrap().burst.unwrap().0;
    assert_eq!((top(EDITION), top(MONTH)), (18_750, 20_000), "both editions stay");
    let machine = sold.rigs().machine(&MachineAsked { name: "m5d.xlarge", edition: None, options: &[] }).unwrap();
    assert_eq!(machine.edition, MONTH, "the imported one counts where nobody asks for another");
    // Its disks are the same, so what pages say of them holds; so does where it is offered.
    let local = |edition| sold.local("m5d.xlarge", edition, Default::default()).map(|own| (own.count, own.size));
    assert_eq!((local(MONTH), local(EDITION)), (Some((1, Bytes::new(150_000_000_000))), local(MONTH)));
    assert_eq!(sold.zones_of("m5d.xlarge", "eu-central-1").unwrap().concat(), "123");
    assert_eq!(shipped.ebs.unwrap().maximum.iops.get(), 18_750);
}

#[test]
fn a_row_of_the_file_of_imports_is_its_record() {
    let mut found = Records::default();
    found.add("types.json", &json!({ "InstanceTypes": [record("m99d.xlarge")] }).to_string()).unwrap();
    let own = &found.types[0];
    assert_eq!(TypeRecord::from_figures(&own.name, &own.figures()).as_ref(), Ok(own));
    let mut figures = own.figures();
    figures.insert("vcpus".into(), Figure::Count(4));
    let refused = TypeRecord::from_figures(&own.name, &figures).unwrap_err();
    assert!(refused.starts_with("instance type `m99d.xlarge`: unknown field `vcpus`"), "{refused}");
    figures = own.figures();
    figures.insert("vcpu".into(), Figure::Count(0));
    assert!(TypeRecord::from_figures(&own.name, &figures).unwrap_err().contains("is 0, and can be 1 to "));
}

/// A page of several is told, and one that ends in the middle is refused.
#[test]
fn pages_of_types_are_told_and_cut_ones_refused() {
    let text = json!({ "InstanceTypes": [record("m99.large")], "NextToken": "eyJ2Ijog" }).to_string();
    let mut found = Records::default();
    found.add("page.json", &text).unwrap();
    assert_eq!(found.types.len(), 1);
    assert!(
        found.notes[0].starts_with("page.json has further pages, which its `NextToken` leads to"),
        "{:?}",
        found.notes
    );
    let refused = Records::default().add("page.json", &text[..text.len() / 2]).unwrap_err();
    assert!(
        refused.what.contains("ends in the middle") && refused.hint.contains("describe-instance-types"),
        "{refused:?}"
    );
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
            differences(shipped, &record.over(Some(shipped), "", ""))
                .into_iter()
                .filter(|(what, ..)| !NEWER.contains(what))
                .map(|(what, ours, theirs)| format!("{} {what}: {ours} shipped, {theirs} imported", record.name))
        })
        .collect();
    assert_eq!((known.len() > 1_300, other), (true, Vec::new()));
    let brought = Ec2::default().fetched().read("types.json", &mut out.as_bytes()).unwrap();
    assert_eq!((brought.compared, brought.prices), (found.types.len(), Vec::new()));
    for (record, shipped) in known {
        let own = (record.arch.unwrap(), record.hypervisor.unwrap());
        assert_eq!(own, (shipped.arch, shipped.hypervisor), "{}", record.name);
        assert!(record.weighting.is_some() || !shipped.takes_weighting(), "{}", record.name);
    }
    let sold = sold(&Ec2::default().fetched().read("types.json", &mut out.as_bytes()).unwrap());
    let new: Vec<_> = sold.machines().into_iter().filter(|row| instance(row.name).is_none()).collect();
    assert!(new.iter().all(|row| sold.passes(row.name, row.edition).is_some()), "{new:?}");
}

/// What another copy of the records has of another day: the generation, bandwidth of several network cards, families with weighting.
const NEWER: [&str; 3] = ["current generation", "network", "bandwidth weighting"];
