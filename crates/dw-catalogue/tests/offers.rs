//! What can be chosen about a disk and a VM size, and what is refused with which words.

use dw_catalogue::{Catalogue, DiskOptions, LookupError, Sold, Thing, VmSize, Whose};
use dw_stack::{DiskSpec, RateSpec};
use dw_units::{Bytes, Iops, Throughput};

/// `P30 edition=2023-03 tier=P50 on_demand plus size=1TiB iops=5000 throughput=200MB/s`.
fn disk(text: &str) -> Result<DiskSpec, String> {
    let mut words = text.split_whitespace();
    let (sku, mut edition, mut options) = (words.next().unwrap(), None, DiskOptions::default());
    for word in words {
        match word.split_once('=') {
            None if word == "on_demand" => options.on_demand_bursting = true,
            None if word == "plus" => options.performance_plus = true,
            Some(("edition", value)) => edition = Some(value),
            Some(("tier", value)) => options.tier = Some(value.to_string()),
            Some(("size", value)) => options.size = Some(value.parse().unwrap()),
            Some(("iops", value)) => options.iops = Some(Iops::new(value.parse().unwrap())),
            Some(("throughput", value)) => options.throughput = Some(value.parse().unwrap()),
            _ => panic!("`{word}`"),
        }
    }
    let offer = Catalogue::embedded().disk(sku, edition).map_err(|e| format!("{e}; {}", e.hint()))?;
    offer.disk_spec("disk", &options).map_err(|e| format!("{}: {e}; {}", e.option, e.hint))
}

fn rate(rate: RateSpec) -> String {
    match rate.burst {
        None => rate.rate.to_string(),
        Some(burst) => format!("{} burst {} credits {}", rate.rate, burst.rate, burst.credits),
    }
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let found = match disk(text) {
        Err(error) => error,
        Ok(spec) => {
            let target = spec.usage_base.map_or(String::new(), |base| format!(", target {}", base.iops));
            format!(
                "{}, {} IOPS, {} B/s{target}",
                spec.size,
                rate(spec.limits.iops.unwrap()),
                rate(spec.limits.throughput.unwrap())
            )
        }
    };
    assert_eq!(found, expected, "{text}");
}

#[test]
fn a_fixed_disk_has_the_limits_of_its_size() {
    check("P30", "1 TiB, 5000 IOPS, 200000000 B/s");
    check("p30 edition=2017-02", "1 TiB, 5000 IOPS, 200000000 B/s");
    check("P50 size=4095GiB", "4095 GiB, 7500 IOPS, 250000000 B/s");
    check("S30", "1 TiB, 500 IOPS, 60000000 B/s");
    check("P30 size=512GiB", "size: a disk of 512 GiB is not sold as P30; P30 is from 513 GiB to 1 TiB");
    check(
        "P30 iops=9000",
        "iops: iops cannot be chosen for P30: its size determines them; set a performance tier, take a larger disk, or premium SSD v2",
    );
}

#[test]
fn small_disks_burst_on_credits_for_half_an_hour() {
    check("P10", "128 GiB, 500 burst 3500 credits 5400000 IOPS, 100000000 burst 170000000 credits 126000000000 B/s");
    check("P4", "32 GiB, 120 burst 3500 credits 6084000 IOPS, 25000000 burst 170000000 credits 261000000000 B/s");
    check("P20", "512 GiB, 2300 burst 3500 credits 2160000 IOPS, 150000000 burst 170000000 credits 36000000000 B/s");
    check("E30", "1 TiB, 500 burst 1000 credits 900000 IOPS, 100000000 burst 250000000 credits 270000000000 B/s");
    check("E40", "2 TiB, 500 IOPS, 100000000 B/s");
    check("P10 edition=2018-06", "128 GiB, 500 IOPS, 100000000 B/s");
}

#[test]
fn a_tier_is_not_below_the_disks_own_and_ends_at_p50_up_to_4_tib() {
    check("P10 tier=P30", "128 GiB, 5000 IOPS, 200000000 B/s");
    check(
        "P10 tier=P15",
        "128 GiB, 1100 burst 3500 credits 4320000 IOPS, 125000000 burst 170000000 credits 81000000000 B/s",
    );
    check("P50 tier=P50", "4 TiB, 7500 IOPS, 250000000 B/s");
    check("P60 tier=P80", "8 TiB, 20000 IOPS, 900000000 B/s");
    let hint = "not below its own, at most P50 up to 4 TiB and P80 above";
    check("P30 tier=P20", &format!("tier: P30 cannot be set to tier `P20`; it supports P30 to P50: {hint}"));
    check("P30 tier=P60", &format!("tier: P30 cannot be set to tier `P60`; it supports P30 to P50: {hint}"));
    check("P60 tier=P50", &format!("tier: P60 cannot be set to tier `P50`; it supports P60 to P80: {hint}"));
    check(
        "E30 tier=E40",
        "tier: E30 cannot be set to tier `E40`; performance tiers are for premium SSD, edition 2023-03 and later",
    );
    check(
        "P10 edition=2018-06 tier=P30",
        "tier: P10 cannot be set to tier `P30`; performance tiers are for premium SSD, edition 2023-03 and later",
    );
}

#[test]
fn on_demand_bursting_is_for_premium_above_512_gib() {
    check("P30 on_demand", "1 TiB, 30000 IOPS, 1000000000 B/s, target 5000");
    check("P30 on_demand edition=2023-03", "1 TiB, 30000 IOPS, 1000000000 B/s, target 5000");
    check("P30 tier=P50 on_demand", "1 TiB, 30000 IOPS, 1000000000 B/s, target 7500");
    check(
        "P20 on_demand",
        "on_demand_bursting: P20 of edition api-2026-08 has no on-demand bursting; it bursts on credits by default; on-demand bursting is for premium SSD above 512 GiB",
    );
    check(
        "E60 on_demand",
        "on_demand_bursting: E60 of edition api-2026-08 has no on-demand bursting; on-demand bursting is for premium SSD above 512 GiB, edition 2023-03 and later",
    );
}

#[test]
fn performance_plus_has_its_own_limits() {
    check("P30 plus", "1 TiB, 8000 IOPS, 300000000 B/s");
    check("P80 plus", "32767 GiB, 20000 IOPS, 900000000 B/s");
    check("E30 plus", "1 TiB, 1500 IOPS, 150000000 B/s");
    check(
        "S30 plus",
        "performance_plus: the effect of performance plus on S30 is unknown; no source has its figures for standard HDD (2026: at most 3,000 IOPS); omit it, or use E30 or larger",
    );
    check(
        "P20 plus",
        "performance_plus: P20 of edition api-2026-08 has no performance plus; performance plus is for disks above 512 GiB: P30 and E30 upwards, edition 2023-03 and later",
    );
    check(
        "P30 plus tier=P40",
        "performance_plus: P30: performance plus together with a performance tier is not documented; choose one of the two",
    );
}

#[test]
fn premium_v2_is_bounded_by_its_size() {
    check("PremiumV2 size=100GiB", "100 GiB, 3000 IOPS, 125000000 B/s");
    check("PremiumV2 size=6GiB iops=3000", "6 GiB, 3000 IOPS, 125000000 B/s");
    check("PremiumV2 size=7GiB iops=3500", "7 GiB, 3500 IOPS, 125000000 B/s");
    check(
        "PremiumV2 size=6GiB iops=3001",
        "iops: PremiumV2 of 6 GiB cannot have 3001 IOPS; from 3000 to 3000 (500 per GiB)",
    );
    check("PremiumV2 size=160GiB iops=80000 throughput=2000MB/s", "160 GiB, 80000 IOPS, 2000000000 B/s");
    check(
        "PremiumV2 size=1TiB iops=80001",
        "iops: PremiumV2 of 1 TiB cannot have 80001 IOPS; from 3000 to 80000 (500 per GiB)",
    );
    check(
        "PremiumV2 size=1TiB throughput=800MB/s",
        "throughput: PremiumV2 with 3000 IOPS cannot have 800 MB/s; from 125 MB/s to 750 MB/s (250000 B/s per IOPS)",
    );
    check(
        "PremiumV2 edition=2025-10 size=1TiB iops=80000 throughput=1300MB/s",
        "throughput: PremiumV2 with 80000 IOPS cannot have 1300 MB/s; from 125 MB/s to 1200 MB/s (250000 B/s per IOPS)",
    );
    check("PremiumV2", "size: PremiumV2 has no size of its own; give one from 1 GiB to 64 TiB");
    check("PremiumV2 size=65TiB", "size: PremiumV2 cannot be 65 TiB; PremiumV2 is from 1 GiB to 64 TiB");
    check("PremiumV2 size=1TiB tier=P30", "tier: PremiumV2 has no tier; set its `iops` and `throughput` instead");
}

#[test]
fn an_ultra_disk_is_bounded_by_its_size() {
    check("Ultra size=1TiB iops=50000 throughput=1000MB/s", "1 TiB, 50000 IOPS, 1000000000 B/s");
    check(
        "Ultra size=4GiB iops=4001 throughput=1MB/s",
        "iops: Ultra of 4 GiB cannot have 4001 IOPS; from 100 to 4000 (1 to 1000 per GiB, 100 at least)",
    );
    check("Ultra size=1TiB", "iops: Ultra has no IOPS of its own; give 1024 to 400000 for 1 TiB");
    check(
        "Ultra size=1TiB iops=2000",
        "throughput: Ultra has no throughput of its own; give 8 MB/s to 500 MB/s for 2000 IOPS",
    );
    // A GiB needs an IOPS, and an IOPS 4 kB/s.
    check(
        "Ultra size=1023GiB iops=1000 throughput=100MB/s",
        "iops: Ultra of 1023 GiB cannot have 1000 IOPS; from 1023 to 400000 (1 to 1000 per GiB, 100 at least)",
    );
    check("Ultra size=1023GiB iops=1023 throughput=5MB/s", "1023 GiB, 1023 IOPS, 5000000 B/s");
    check(
        "Ultra size=4GiB iops=4000 throughput=15MB/s",
        "throughput: Ultra with 4000 IOPS cannot have 15 MB/s; from 16 MB/s to 1000 MB/s (4000 to 250000 B/s per IOPS)",
    );
    check(
        "Ultra edition=2019-2021 size=1TiB iops=1024 throughput=1MB/s",
        "iops: Ultra of 1 TiB cannot have 1024 IOPS; from 2048 to 160000 (2 to 300 per GiB, 100 at least)",
    );
    check(
        "Ultra edition=2019-2021 size=4GiB iops=1200 throughput=4MB/s",
        "throughput: Ultra with 1200 IOPS cannot have 4 MB/s; from 4.915 MB/s to 314.572 MB/s (4096 to 262144 B/s per IOPS)",
    );
}

#[test]
fn an_unknown_name_says_what_was_probably_meant() {
    check("P31", "unknown disk `P31`; did you mean `P30`? (or `P3`; `diskwright catalogue list --disks` shows all)");
    check("P60 edition=2018-06", "disk `P60` is not in edition `2018-06`; editions of P60: 2023-03, api-2026-08");
    let error = Catalogue::embedded().vm("Standard_DS14v2", None).unwrap_err();
    assert_eq!(error.nearest.first().map(String::as_str), Some("Standard_DS14_v2"));
    let error = Catalogue::embedded().vm("D8ds_v4", Some("2022")).unwrap_err();
    assert_eq!(error.to_string(), "VM size `D8ds_v4` is not in edition `2022`");
    assert_eq!(error.hint(), "editions of D8ds_v4: 2021, api-2025-03, api-2026-08, 2024-2026");
}

#[test]
fn the_host_cache_takes_disks_up_to_4095_gib() {
    let catalogue = Catalogue::embedded();
    let cases = [
        ("P50", Bytes::gib(4_095), true),
        ("P50", Bytes::gib(4_096), false),
        ("P30", Bytes::tib(1), true),
        ("S80", Bytes::gib(32_767), false),
        ("PremiumV2", Bytes::gib(100), false),
        ("Ultra", Bytes::gib(100), false),
    ];
    for (sku, size, expected) in cases {
        assert_eq!(catalogue.disk(sku, None).unwrap().cacheable(size), expected, "{sku} of {size}");
    }
}

#[test]
fn a_vm_size_becomes_a_spec() {
    let catalogue = Catalogue::embedded();
    let ds14 = catalogue.vm("standard_ds14", Some("2017-01")).unwrap().limits(Default::default());
    assert_eq!(ds14.uncached.iops, Some(RateSpec::plain(51_200)));
    assert_eq!(ds14.uncached.throughput, Some(RateSpec::plain(524_288_000)));
    assert_eq!(ds14.cached.iops, Some(RateSpec::plain(64_000)));
    assert_eq!(ds14.host_cache.unwrap().capacity, Bytes::gib(576));

    let d2s_v3 = catalogue.vm("D2s_v3", None).unwrap().limits(Default::default());
    let burst = d2s_v3.uncached.iops.unwrap().burst.unwrap();
    assert_eq!((burst.rate, burst.credits), (4_000, 800 * 1_800));
    let burst = d2s_v3.uncached.throughput.unwrap().burst.unwrap();
    assert_eq!((burst.rate, burst.credits), (200_000_000, 152_000_000 * 1_800));

    // The burst of this row is known to be wrong.
    let wrong = catalogue.vm("D96ds_v7", None).unwrap();
    let second = wrong.premium2.unwrap();
    assert_eq!((second.iops, second.burst_iops), (Some(Iops::new(240_000)), Some(Iops::new(205_000))));
    assert_eq!(wrong.limits(Default::default()).uncached_premium2.unwrap().iops, Some(RateSpec::plain(240_000)));

    for name in [
        "L8s_v2",
        "L8s_v3",
        "L96s_v4",
        "L4s",
        "D14",
        "E112ias_v5",
        "L8s_v4",
        "D8s_v5",
        "E8as_v5",
        "D8ads_v6",
        "E8bs_v5",
    ] {
        assert!(catalogue.vm(name, None).unwrap().limits(Default::default()).host_cache.is_none(), "{name}");
    }
    for name in ["D8ds_v5", "E8ds_v4", "D2as_v6", "M8ms", "FX4mds", "DS14-4_v2", "E32-16ds_v4"] {
        let vm = catalogue.vm(name, None).unwrap();
        let spec = vm.limits(Default::default());
        assert!(spec.host_cache.is_some() && spec.cached.iops.is_some(), "{name}");
    }
    assert!(catalogue.vm("D2ds_v6", None).unwrap().limits(Default::default()).uncached_premium2.is_some());
}

#[test]
fn a_size_with_no_document_is_told_by_its_records_alone() {
    let vm = Catalogue::embedded().vm("NC4as_T4_v3", None).unwrap();
    assert_eq!((vm.edition.as_str(), vm.premium, vm.is_complete()), ("api-2026-08", Some(true), true));
    assert_eq!(vm.uncached.throughput(), Some(Throughput::mib_per_second(703)));
    assert_eq!((vm.memory_mib, vm.cached, vm.premium2), (Some(28 * 1_024), None, None));
}

/// A constrained size has the storage of the size that it is cut from, with fewer vCPU.
#[test]
fn a_constrained_size_has_the_storage_of_its_parent() {
    let catalogue = Catalogue::embedded();
    for (name, parent) in [("E4-2ds_v6", "E4ds_v6"), ("E96-24ads_v5", "E96ads_v5"), ("FX4-2ms_v2", "FX4ms_v2")] {
        let (vm, parent) = (catalogue.vm(name, None).unwrap(), catalogue.vm(parent, None).unwrap());
        assert!(vm.vcpu < parent.vcpu, "{name}");
        assert!(vm.is_complete(), "{vm:?}");
        let storage = |vm: &VmSize| {
            (vm.uncached, vm.premium2, vm.cached, vm.temp, vm.host_caching, vm.memory_mib, vm.max_data_disks)
        };
        assert_eq!(storage(vm), storage(parent), "{name}: {vm:#?} {parent:#?}");
    }
}

#[test]
fn where_a_size_is_sold_and_until_when() {
    let catalogue = Catalogue::embedded();
    let here =
        |zones: &[&str], closed| Sold::Here { zones: zones.iter().map(|zone| zone.to_string()).collect(), closed };
    let cases = [
        ("D8s_v5", "swedencentral", here(&["1", "2", "3"], false)),
        ("Standard_D8s_v5", "Sweden Central", here(&["1", "2", "3"], false)),
        ("M416ds_6_v3", "westindia", Sold::NotHere),
        ("Basic_A0", "eastus", Sold::NotHere),
        ("D8s_v5", "usgovvirginia", Sold::Unknown),
    ];
    for (name, region, expected) in cases {
        assert_eq!(catalogue.sold(name, region), expected, "{name} {region}");
    }
    assert_eq!(catalogue.retires("DS14_v2"), Some("2028-05-01"));
    assert_eq!(catalogue.retires("D8s_v5"), None);
    assert_eq!(catalogue.regions_with_records().len(), 45);
}

#[test]
fn requirements_that_name_an_unknown_region_are_told_the_nearest() {
    for (asked, hint) in [
        ("estus", "did you mean `eastus`? "),
        ("West-Europe", "did you mean `westeurope`?"),
        ("us-east-9", "did you mean `us-east-1`? (or us-east-2, eastus, eastus2"),
        ("eu-central-9", "did you mean `eu-central-1`? (or eu-central-2; `diskwright catalogue coverage --vendor aws`"),
        // Whose it is decides who is asked; here it is not.
        ("us-east-1", "it is a region of AWS; of Azure, write for example `eastus`"),
        ("mars", "write for example `australiacentral` or"),
        ("cn-north-1", "the regions of China are billed in CNY, and only prices in USD are read"),
    ] {
        // Whose names those are nobody can say: of these no more is wrong.
        let text = format!(
            "schema_version = 1\n[plan]\nregion = \"{asked}\"\nvms = [\"m7i.*\", \"D8s_v5\"]\nnot_disks = [\"gp3\"]\n\
             [[volume]]\nname = \"sdb\"\ncapacity = \"1 TiB\"\n"
        );
        let catalogue: &Catalogue = Catalogue::embedded();
        let error = dw_demand::read_for_plan("r.toml", &text, catalogue).expect_err(asked);
        assert!(error.hint.starts_with(hint), "{asked}: {}", error.hint);
        assert!(error.also.is_empty(), "{asked}: {:?}", error.also);
    }
}

#[test]
fn requirements_that_name_what_is_not_sold_are_told_what_was_meant() {
    for (line, what, hint) in [
        (
            "prices = \"1999\"",
            "no price in eastus is as old as 1999; the oldest is from 2017-article",
            "write a later year",
        ),
        (
            "prices = \"soon\"",
            "no price in eastus is as old as soon; the oldest is from 2017-article",
            "write a later year",
        ),
        (
            "vms = [\"m5.large\"]",
            "no VM size is called `m5.large`",
            "this is a name of AWS, not of Azure: write a region of AWS, or `vendor = \"aws\"`",
        ),
        ("vms = [\"E8dss_v5\"]", "no VM size is called `E8dss_v5`", "did you mean `Standard_E8ds_v5`?"),
        ("disks = [\"P31\"]", "no disk is called `P31`", "did you mean `P30`?"),
        (
            "not_disks = [\"Premium_LRS\"]",
            "no disk is called `Premium_LRS`",
            "premium SSDs are named by their size, `P30` is 1 TiB",
        ),
        ("disks = [\"Q*\"]", "no disk is called `Q*`", "`diskwright catalogue list --disks` shows all; `*`"),
    ] {
        let text = format!("schema_version = 1\n[plan]\n{line}\n[[volume]]\nname = \"sdb\"\ncapacity = \"1 TiB\"\n");
        let catalogue: &Catalogue = Catalogue::embedded();
        let error = dw_demand::read_for_plan("r.toml", &text, catalogue).expect_err(line);
        assert_eq!(error.what, what);
        assert!(error.hint.starts_with(hint), "{line}: {}", error.hint);
    }
}

#[test]
fn everything_that_was_chosen_is_billed() {
    let none = DiskOptions::default();
    let sized = |gib| DiskOptions { size: Some(Bytes::gib(gib)), ..none.clone() };
    let rates = |gib, iops, mb| DiskOptions {
        iops: Some(Iops::new(iops)),
        throughput: Some(Throughput::mb_per_second(mb)),
        ..sized(gib)
    };
    let tier = |name: &str| DiskOptions { tier: Some(name.into()), ..none.clone() };
    let bursting = DiskOptions { on_demand_bursting: true, ..none.clone() };
    let cases = [
        ("P30", none.clone(), "1 whole P30"),
        ("P30", sized(600), "1 whole P30"),
        ("P30", tier("p50"), "1 whole P50"),
        ("P30", bursting.clone(), "1 whole P30, 1 burst PremiumSSD"),
        ("P30", DiskOptions { on_demand_bursting: true, ..tier("P40") }, "1 whole P40, 1 burst PremiumSSD"),
        ("P30", DiskOptions { performance_plus: true, ..none.clone() }, "1 whole P30"),
        ("E30", none.clone(), "1 whole E30"),
        ("PremiumV2", sized(100), "100 gib PremiumV2, 0 iops PremiumV2, 0 mb_per_s PremiumV2"),
        ("PremiumV2", rates(100, 3_500, 126), "100 gib PremiumV2, 500 iops PremiumV2, 1 mb_per_s PremiumV2"),
        ("Ultra", rates(100, 2_000, 50), "128 gib Ultra, 2000 iops Ultra, 50 mb_per_s Ultra"),
        ("Ultra", rates(1_205, 2_711, 23), "2048 gib Ultra, 2711 iops Ultra, 23 mb_per_s Ultra"),
        ("Ultra 2019-2021", rates(100, 2_000, 50), "128 gib Ultra, 2000 iops Ultra, 50 mb_per_s Ultra"),
        ("Ultra 2019-2021", rates(1_025, 2_000, 50), "2048 gib Ultra, 2000 iops Ultra, 50 mb_per_s Ultra"),
    ];
    for (disk, options, expected) in cases {
        let (sku, edition) = disk.split_once(' ').map_or((disk, None), |(sku, edition)| (sku, Some(edition)));
        let parts = Catalogue::embedded().disk(sku, edition).unwrap().billed(&options);
        let shown = parts.iter().map(|part| format!("{} {} {}", part.count, part.meter.id(), part.of));
        assert_eq!(shown.collect::<Vec<_>>().join(", "), expected, "{disk}: {options:?}");
    }
}

#[test]
fn kinds_of_sizes_that_are_not_chosen_unasked() {
    let catalogue = Catalogue::embedded();
    for (size, burstable, confidential) in [
        ("Standard_B8as_v2", true, false),
        ("Standard_B1ls", true, false),
        ("Standard_B2pts_v2", true, false),
        ("Standard_DC4as_v5", false, true),
        ("Standard_EC20ads_v5", false, true),
        ("Standard_NCC40ads_H100_v5", false, true),
        ("Standard_D8ds_v5", false, false),
        ("Standard_E16-4ds_v5", false, false),
        ("Standard_NC24ads_A100_v4", false, false),
        ("Basic_A1", false, false),
    ] {
        assert_eq!(catalogue.is_burstable(size), burstable, "{size}");
        assert_eq!(catalogue.is_confidential(size), confidential, "{size}");
    }
}

#[test]
fn no_name_is_one_of_another_cloud() {
    let catalogue = Catalogue::embedded();
    let vms = catalogue.vm_sizes().map(|vm| vm.short_name());
    for name in vms.chain(catalogue.disks().map(|disk| disk.sku.as_str())) {
        let error = LookupError {
            thing: Thing::Any,
            name: name.into(),
            edition: None,
            nearest: Vec::new(),
            editions: Vec::new(),
            whose: Box::new(Whose { name: "Azure", ..Whose::default() }),
        };
        assert!(!error.is_of_another_cloud(), "{name}");
    }
}
