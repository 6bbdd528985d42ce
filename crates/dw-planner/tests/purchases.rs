//! Ways to buy a disk beyond its size, what is billed by use, and what deploys: plans over the catalogue.

use std::sync::Arc;

use dw_catalogue::azure;
use dw_catalogue::plan_keys::{PAID_BURSTS, STANDARD_HDD, TIER};
use dw_catalogue::{Catalogue, Meter, Money};
use dw_demand::wishes::{Role, VolumeWishes, Ways, Wishes};
use dw_demand::{DemandSeries, Levels, Provenance, Requirements, VolumeRequirements};
use dw_planner::market::monthly_of_vm;
use dw_planner::problem::Usage;
use dw_planner::{Answer, BuildError, Built, Limit, Reason, build, check, solve};
use dw_units::{Bytes, CacheMode, Duration, Throughput};

/// A volume that always reads so often, 8 KiB each.
fn reads(iops: u64) -> Requirements {
    let flat = |value: f64| {
        Some(Levels { p50: value, p90: value, p99: value, max: value, from: Provenance::Asked, p95: None })
    };
    let bytes = Throughput::bytes_per_second(iops * 8_192);
    let volume = VolumeRequirements {
        name: "data".into(),
        read_iops: flat(iops as f64),
        read_throughput: Some(Levels {
            p50: bytes,
            p90: bytes,
            p99: bytes,
            max: bytes,
            from: Provenance::Asked,
            p95: None,
        }),
        ..VolumeRequirements::default()
    };
    Requirements {
        machine: None,
        window: "whole".into(),
        growth: 1.0,
        processors: None,
        cpu_percent: None,
        memory_total: None,
        memory_used: None,
        transactions: None,
        findings: Vec::new(),
        volumes: vec![volume],
    }
}

/// A day of minutes, one of them busier.
fn one_busy_minute(usual: u64, busy: u64) -> Requirements {
    let mut requirements = reads(usual);
    let rate = |t: u64| if t == 700 { busy } else { usual };
    requirements.volumes[0].series = Some(Arc::new(DemandSeries {
        interval: Duration::from_secs(60),
        read_iops: (0..1_440).map(|t| rate(t) as f64).collect(),
        write_iops: vec![0.0; 1_440],
        read_bytes_per_s: (0..1_440).map(|t| rate(t) * 8_192).collect(),
        write_bytes_per_s: vec![0; 1_440],
    }));
    requirements
}

fn wishes(region: &str, disks: &[&str], gib: u64) -> Wishes {
    let volume = VolumeWishes { host_cache: vec![CacheMode::None], ..VolumeWishes::of(Role::Data, Bytes::gib(gib)) };
    Wishes {
        headroom_percent: 0.0,
        capacity_headroom_percent: 0.0,
        percentile: 100.0,
        vms: vec!["E16ds_v5".into()],
        disks: disks.iter().map(|name| name.to_string()).collect(),
        volumes: vec![volume],
        ..dw_catalogue::PLAN_KEYS.wishes_in(region)
    }
}

fn plan(requirements: &Requirements, wishes: &Wishes) -> (Built, Answer) {
    let built = build(requirements, wishes, Catalogue::embedded()).unwrap();
    let answer = solve(&built.problem);
    for plan in &answer.plans {
        let checked = check(&built.problem, plan);
        assert!(checked.holds, "{}: {:?}", plan.describe(&built.problem), checked.faults);
    }
    (built, answer)
}

/// The disks of the answer as they are said, and what is billed by use.
fn bought(requirements: &Requirements, wishes: &Wishes) -> (String, Money) {
    let (built, answer) = plan(requirements, wishes);
    let disks = answer.plans[0].volumes[0].disks.as_ref().unwrap();
    (format!("{} x {}", disks.count, built.problem.disks[disks.offer].label()), disks.usage)
}

#[test]
fn the_cheapest_way_to_buy_is_found() {
    let none = Ways::NONE;
    let tier = Ways::only([TIER]);
    let burst = Ways::only([PAID_BURSTS]);
    let all = Ways::ALL;
    let day = one_busy_minute(4_000, 12_000);
    let mut one = wishes("eastus", &["P10"], 100);
    one.volumes[0].disks_max = Some(1);
    let pair = wishes("eastus", &["P30", "P40"], 900);
    let far = wishes("westeurope", &["P30", "P40", "P50"], 900);
    let mut os = pair.clone();
    os.volumes[0].role = Role::Os;
    let cases = [
        ("performance plus costs nothing", reads(7_000), &pair, &all, "1 x P30 with performance plus"),
        ("and is not taken where nobody needs it", reads(5_000), &pair, &all, "1 x P30"),
        ("without it a larger disk", reads(7_000), &pair, &none, "1 x P40"),
        ("which an operating system needs anyway", reads(7_000), &os, &all, "1 x P40"),
        ("a tier is as dear as its disk", reads(7_000), &pair, &tier, "1 x P40"),
        ("and serves where that may not be had", reads(2_000), &one, &tier, "1 x P10 at tier P20"),
        ("no series, no bursts on demand", reads(12_000), &far, &burst, "3 x P30"),
        ("a minute of bursts is cheaper than a disk", day.clone(), &far, &all, "1 x P30 with on-demand bursting"),
        ("where it has a price", day, &pair, &burst, "3 x P30"),
    ];
    for (name, asked, wished, ways, expected) in cases {
        let wished = Wishes { ways: ways.clone(), ..wished.clone() };
        assert_eq!(bought(&asked, &wished).0, expected, "{name}");
    }
}

/// 400 operations a second are 1,051.2 million a month.
#[test]
fn operations_of_standard_disks_are_billed() {
    let cases = [
        // 0.002 a ten thousand, 8 KiB are one operation.
        ("E30", 400, 8_192, 210_240_000),
        // Once, whatever its size.
        ("S30", 400, 8_192, 52_560_000),
        ("S30", 400, 65_536, 52_560_000),
        // Of 16 KiB each: 64 KiB are four, 512 KiB no more than sixteen.
        ("S70", 400, 65_536, 210_240_000),
        ("S70", 400, 524_288, 840_960_000),
        // No more than 450,000 an hour.
        ("S4", 400, 8_192, 16_425_000),
        // No list has operations of E3: those of E4.
        ("E3", 400, 8_192, 210_240_000),
    ];
    for (disk, iops, size, micros) in cases {
        let mut asked = reads(iops);
        let bytes = Throughput::bytes_per_second(iops * size);
        asked.volumes[0].read_throughput =
            Some(Levels { p50: bytes, p90: bytes, p99: bytes, max: bytes, from: Provenance::Asked, p95: None });
        let (said, usage) = bought(&asked, &wishes("eastus", &[disk], 10));
        assert_eq!((said, usage), (format!("1 x {disk}"), Money::micros(micros)), "{disk}, {size}");
    }
    // Premium SSD costs less than the operations of standard disks, once they are counted.
    let mut wished = wishes("eastus", &["E*", "S*", "P*"], 1_000);
    wished.chosen.insert(STANDARD_HDD, "true");
    assert_eq!(bought(&reads(400), &Wishes { disks: vec!["E30".into(), "P30".into()], ..wished }).0, "1 x P30");
}

#[test]
fn a_burst_is_billed_by_what_exceeds_the_disk() {
    let wished = wishes("westeurope", &["P30"], 900);
    let catalogue = Catalogue::embedded();
    let (built, answer) = plan(&one_busy_minute(4_000, 12_000), &wished);
    let disks = answer.plans[0].volumes[0].disks.as_ref().unwrap();
    let price = |of, meter| catalogue.price(of, meter, "westeurope", None).unwrap().monthly();
    let each = price("PremiumSSD", Meter::BurstOperations);
    // 7,000 of 60 seconds a day, 30 days and 10 hours.
    let operations = 7_000 * 60 * 730 / 24;
    assert_eq!(disks.usage.get().abs_diff(each.get() * operations / 10_000), 0);
    let fee = price("PremiumSSD", Meter::Burst);
    assert_eq!(disks.cost, price("P30", Meter::Whole) + fee + disks.usage);
    assert!(matches!(built.problem.disks[disks.offer].usage, Some(Usage::Burst { iops: 5_000, .. })));
}

#[test]
fn zone_redundant_disks_have_their_own_price_kinds_and_regions() {
    let catalogue = Catalogue::embedded();
    let zones = |region: &str, disks: &[&str]| Wishes { zone_redundant: true, ..wishes(region, disks, 900) };
    let (_, answer) = plan(&reads(4_000), &zones("eastus", &["P30"]));
    let price = catalogue.price("P30_ZRS", Meter::Whole, "eastus", None).unwrap().monthly();
    assert_eq!(answer.plans[0].volumes[0].disks.as_ref().unwrap().cost, price);
    let (built, _) = plan(&reads(4_000), &zones("eastus", &[]));
    let local = built.market.left_out.iter().filter(|left| left.why == Reason::Redundancy);
    let local: Vec<&str> = local.map(|left| left.name.as_str()).collect();
    assert!(local.contains(&"PremiumV2") && local.contains(&"Ultra") && local.contains(&"S30"), "{local:?}");
    let anywhere = Wishes { vms: vec![], ..zones("australiacentral", &["P30"]) };
    match build(&reads(4_000), &anywhere, catalogue) {
        Err(BuildError::Price(error)) => assert_eq!(error.name, "P30_ZRS"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn ultra_disks_are_for_sizes_that_take_them() {
    let wished = Wishes { vms: vec![], ..wishes("westeurope", &["Ultra"], 900) };
    let (built, answer) = plan(&reads(4_000), &wished);
    assert!(!answer.plans.is_empty());
    for plan in &answer.plans {
        let vm = &built.problem.vms[plan.vm];
        let row = Catalogue::embedded().vm(&vm.name, Some(&vm.edition)).unwrap();
        assert_eq!(row.ultra, Some(true), "{}", vm.name);
    }
    let cheaper = built
        .problem
        .vms
        .iter()
        .take(answer.plans[0].vm)
        .filter(|vm| vm.barred.is_none() && !vm.has.cover(azure::ULTRA));
    assert!(cheaper.count() > 0, "sizes that do not take them cost less");
}

/// The disk that a VM starts from has a place of its own.
#[test]
fn the_disk_of_the_system_is_no_data_disk() {
    let mut wished = wishes("westeurope", &["P10"], 400);
    wished.vms = vec!["Standard_D2s_v5".into()];
    (wished.volumes[0].disks_max, wished.capacity_headroom_percent, wished.indifference_percent) = (Some(4), 0.0, 0.0);
    wished.volumes[0].capacity = Bytes::gib(512);
    let data = reads(1_500);
    let mut system = VolumeWishes::of(Role::Os, Bytes::gib(100));
    system.host_cache = wished.volumes[0].host_cache.clone();
    let (mut with_system, mut both) = (wished.clone(), data.clone());
    with_system.volumes.push(system);
    both.volumes.push(reads(100).volumes[0].clone());
    both.volumes[1].name = "system".into();
    // D2s_v5 takes four data disks.
    for (asked, wished, disks) in [(&data, &wished, 4), (&both, &with_system, 5)] {
        let built = build(asked, wished, Catalogue::embedded()).unwrap();
        let plan = solve(&built.problem).plans.into_iter().next().expect("a plan");
        assert_eq!(plan.disk_count(), disks);
        let slots = check(&built.problem, &plan).uses.into_iter().find(|used| used.limit == Limit::Slots).unwrap();
        assert_eq!((slots.load[3], slots.capacity), (4, 4));
    }
}

/// A price list of one's own may have the reservation of a size and not its price by the hour.
#[test]
fn a_size_with_a_price_under_a_commitment_alone_is_bought_under_it() {
    let list = "[[source]]\nid = 'mine'\npage = 'a list of mine'\ndate = '2026-11'\n[[price]]\nedition = '2026-11'\n\
                region = 'eastus'\ncurrency = 'SEK'\nsource = 'mine'\nper = 'month'\nreserved_years = 3\n\
                rows = [{ name = 'Standard_D8s_v5', price = '1000' }]\n";
    let catalogue = Catalogue::with_imported(list).unwrap();
    let wishes = |years, windows| Wishes {
        reserved_years: years,
        windows,
        currency: Some("SEK".into()),
        ..dw_catalogue::PLAN_KEYS.wishes_in("eastus")
    };
    let price = |years, windows| monthly_of_vm(&catalogue, &wishes(years, windows), "Standard_D8s_v5").ok();
    assert_eq!(price(Some(3), false), Some(Money::micros(1_000_000_000)));
    // What Windows costs more is not known; nor is any other term.
    for (years, windows) in [(Some(3), true), (Some(1), false), (None, false)] {
        assert_eq!(price(years, windows), None, "{years:?} {windows}");
    }
}
