//! What a vendor behind its door says to planners is what it says to scenarios: gates, disks, prices.

use dw_aws::instances;
use dw_aws::volume::{Asked, Volume};
use dw_catalogue::free::{BurstBytes, Follow};
use dw_catalogue::gate::RouteId;
use dw_catalogue::rate::Rate;
use dw_catalogue::rig::{MachineAsked, Rigs};
use dw_catalogue::{Catalogue, Meter};
use dw_stack::Quantity;
use dw_units::{Bytes, Iops, Throughput};

fn aws() -> &'static Catalogue {
    Catalogue::of_vendor("aws").expect("it is there")
}

#[test]
fn a_planner_sees_the_gates_that_a_scenario_has() {
    let wishes = dw_catalogue::vendor_keys("aws").expect("it has keys").wishes();
    let names = dw_catalogue::Catalogue::of_vendor("aws").unwrap().vendor().gates();
    let mut compared = 0;
    for row in aws().vm_sizes() {
        let Some(passes) = aws().passes(row, &wishes) else { continue };
        let asked = MachineAsked { name: &row.name, edition: None, options: &[] };
        let machine = dw_aws::shipped().machine(&asked).expect("it is one");
        for gate in &machine.gates {
            let number = names.iter().position(|own| own.name == gate.name).expect("planners know it");
            for limit in &gate.more {
                let given = match limit.quantity {
                    Quantity::Iops => passes.gates[number].iops,
                    Quantity::Throughput => passes.gates[number].bytes,
                };
                let burst = limit.credits.map(|credits| (credits.peak, credits.size));
                assert_eq!(given, Some(Rate { base: limit.rate, burst }), "{} {}", row.name, gate.name);
                compared += 1;
            }
        }
        // Each gate has a route, and each route to volumes one gate.
        let routes = RouteId::first(passes.routes.len()).filter_map(|id| passes.routes[id.place()]);
        let remote: Vec<usize> = routes.filter(|route| !route.is_local).flat_map(|route| route.gates()).collect();
        assert_eq!(remote.len(), machine.gates.len(), "{}", row.name);
        let most = instances::instance(&row.name).expect("it is one").volumes_with(1);
        assert_eq!(row.max_data_disks + 1, most.max(1), "{}", row.name);
    }
    assert!(compared > 2_600, "{compared}");
}

/// A setting that plans take is the scenario's, gives more to volumes, and says what it takes.
#[test]
fn a_setting_of_a_size_is_what_a_scenario_has_with_it() {
    let names = aws().vendor().gates();
    let mut compared = 0;
    for row in aws().vm_sizes() {
        let Some(setting) = aws().setting((&row.name, &row.edition)) else { continue };
        let of = |options: &[(&str, &str)]| {
            let asked = MachineAsked { name: &row.name, edition: None, options };
            dw_aws::shipped().machine(&asked).expect("it is one").gates
        };
        for (gate, plain) in of(setting.options).iter().zip(of(&[])) {
            let number = names.iter().position(|own| own.name == gate.name).expect("planners know it");
            for (limit, plain) in gate.more.iter().zip(&plain.more) {
                let given = match limit.quantity {
                    Quantity::Iops => setting.gates[number].iops,
                    Quantity::Throughput => setting.gates[number].bytes,
                };
                let burst = limit.credits.map(|credits| (credits.peak, credits.size));
                assert_eq!(given, Some(Rate { base: limit.rate, burst }), "{} {}", row.name, gate.name);
                assert!(limit.rate > plain.rate || limit.quantity == Quantity::Iops, "{}", row.name);
            }
        }
        let [plain, more] = setting.disks.map(Throughput::get);
        assert_eq!(more, plain + plain / 4, "{}", row.name);
        assert_eq!(setting.network_loses.get(), more - plain, "{}", row.name);
        assert!(setting.network.is_none_or(|network| network > setting.network_loses), "{}", row.name);
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

/// Purchases that the rules of a planner allow are sold, give no less, and cost what the price list says.
#[test]
fn what_a_planner_may_buy_is_sold_and_costs_what_it_says() {
    let cases = [
        ("gp3", 1, 3_000, 125),
        ("gp3", 160, 80_000, 2_000),
        ("gp3", 65_536, 6_000, 1_400),
        ("io2", 100, 31_999, 0),
        ("io2", 100, 48_000, 0),
        ("io2", 400, 256_000, 0),
        ("io1", 1_000, 20_000, 0),
        ("gp2", 10, 0, 0),
        ("gp2", 900, 0, 0),
        ("gp2", 16_384, 0, 0),
        ("st1", 125, 0, 0),
        ("st1", 16_384, 0, 0),
        ("sc1", 4_096, 0, 0),
    ];
    for (name, gib, iops, mib) in cases {
        let row = aws().disk(name, None).expect("it is sold");
        let rules = row.free_form.expect("it is sized freely");
        let follow = rules.follow;
        let iops = match follow {
            Follow::Both => (rules.iops_per_gib * gib).clamp(rules.iops_min.get(), rules.iops_max.get()),
            Follow::Nothing | Follow::Throughput => iops,
        };
        let mib = if follow == Follow::Nothing { mib } else { rules.following(gib, iops) };
        let asked = Asked {
            size: Some(Bytes::gib(gib)),
            iops: (follow != Follow::Both).then(|| Iops::new(iops)),
            throughput: (follow == Follow::Nothing).then(|| Throughput::mib_per_second(mib)),
        };
        let kind = dw_aws::kinds::kind(name, None).expect("it is one");
        let volume = Volume::new(kind, &asked).unwrap_or_else(|e| panic!("{name} of {gib}: {e}"));
        assert!(volume.base_iops() >= Some(iops), "{name} of {gib}: {:?}, {iops}", volume.base_iops());
        let gives = volume.base_throughput().expect("it is known").get();
        assert!(gives >= mib << 20, "{name} of {gib}: {gives}, {mib} MiB/s");
        // What follows is no less than a MiB/s below what it gives.
        assert!(
            follow == Follow::Nothing || name == "io1" || gives < (mib + 1) << 20,
            "{name} of {gib}: {gives}, {mib}"
        );
        for region in ["us-east-1", "eu-central-1", "ap-southeast-2"] {
            let price = |of: &str, meter, count: u64| match count {
                0 => 0,
                _ => {
                    let price = aws().find_price("USD", of, meter, region, None, None);
                    price.unwrap_or_else(|| panic!("{of} {region}")).monthly().get() * count
                }
            };
            let mut sum = price(name, Meter::GiB, gib);
            if follow != Follow::Both {
                sum += rules.banded(kind.id, iops).into_iter().map(|(of, n)| price(of, Meter::Iops, n)).sum::<u64>();
            }
            if follow == Follow::Nothing {
                sum += price(name, Meter::MbPerSecond, mib.saturating_sub(rules.free.map_or(0, |free| free.1)));
            }
            let listed = dw_aws::prices::month(region, &volume).expect("it has a price").amount.get();
            // Prices of an IOPS are of millionths here, and of less there.
            assert!(sum.abs_diff(listed) <= iops + gib, "{name} of {gib} in {region}: {sum}, {listed}");
        }
    }
}

/// What a planner counts on of bursts is what the volume of a scenario has.
#[test]
fn what_a_planner_counts_of_bursts_is_what_is_simulated() {
    for (name, sizes) in [
        ("gp2", [1, 33, 100, 170, 171, 334, 999, 1_000, 5_334]),
        ("st1", [125, 500, 1_024, 2_047, 2_048, 5_000, 12_799, 12_800, 16_384]),
        ("sc1", [125, 500, 1_024, 3_199, 3_200, 5_000, 12_799, 12_800, 16_384]),
    ] {
        let row = aws().disk(name, None).expect("it is sold");
        let burst = row.free_form.and_then(|rules| rules.burst).expect("it bursts");
        for gib in sizes {
            let asked = Asked { size: Some(Bytes::gib(gib)), ..Asked::default() };
            let volume = Volume::new(dw_aws::kinds::kind(name, None).expect("it is one"), &asked).expect("it is sold");
            let [iops, bytes] = volume.rates().expect("they are known");
            let own = |rate: dw_stack::RateSpec| rate.burst.map(|burst| (burst.rate, burst.credits));
            let above = |base: u64, burst: Option<(u64, u64)>| burst.filter(|(top, _)| *top > base);
            assert_eq!(own(iops), above(iops.rate, burst.iops), "{name} of {gib}: I/Os");
            match burst.bytes {
                BurstBytes::Plain { mb, small_gib, small_mb } => {
                    let most = if gib <= small_gib { small_mb } else { mb };
                    assert_eq!((bytes.rate, own(bytes)), (most << 20, None), "{name} of {gib}: bytes");
                }
                BurstBytes::Credits { bytes_per_gib, mb, credits_per_gib } => {
                    let (top, credits) = ((bytes_per_gib * gib).min(mb << 20), credits_per_gib * gib);
                    assert_eq!(own(bytes), above(bytes.rate, Some((top, credits))), "{name} of {gib}: bytes");
                }
            }
        }
    }
}

#[test]
fn regions_tell_whose_requirements_are() {
    let own = Catalogue::embedded();
    for (text, vendor) in [
        ("", "azure"),
        ("[plan]\nregion = 'westeurope'", "azure"),
        ("[plan]\nregion = 'eu-central-1'", "aws"),
        ("[plan]\nregion = 'EU-Central-1'", "aws"),
        ("[plan]\nvendor = 'aws'", "aws"),
        ("[plan]\nvendor = 'aws'\nregion = 'westeurope'", "aws"),
        ("[plan]\nregion = 'nowhere'", "azure"),
        ("[plan]\nvendor = 'nobody'", "azure"),
        ("not = [toml", "azure"),
    ] {
        assert_eq!(dw_catalogue::for_requirements(own, text).vendor().id(), vendor, "{text}");
    }
}

/// A file of imports: these rows of a table of prices, and a source.
fn imported(edition: &str, region: &str, per: &str, rows: &[(&str, &str, &str)]) -> String {
    let rows: String = rows
        .iter()
        .map(|(name, meter, price)| {
            let meter = if meter.is_empty() { String::new() } else { format!("meter = \"{meter}\"\n") };
            format!("[[price.rows]]\nname = \"{name}\"\n{meter}price = \"{price}\"\n")
        })
        .collect();
    format!(
        "[[source]]\nid = \"mine\"\npage = \"price list, imported from x.json\"\ndate = \"2026-11-21\"\n[[price]]\nvendor = \"aws\"\n\
         edition = \"{edition}\"\nregion = \"{region}\"\ncurrency = \"USD\"\nsource = \"mine\"\nper = \"{per}\"\n{rows}"
    )
}

#[test]
fn prices_that_a_person_imported_lie_over_those_that_are_shipped() {
    let price = |text: &str, name: &str, meter, region: &str, up_to| {
        let own = Catalogue::with_imported(text).unwrap_or_else(|e| panic!("{e}"));
        let aws = own.other("aws").expect("it is there");
        let found = aws.find_price("USD", name, meter, region, up_to, None)?;
        Some((found.monthly().to_string(), found.edition, found.source))
    };
    let hour = |edition: &str, region: &str| imported(edition, region, "hour", &[("m7i.large", "", "0.2")]);
    let gib = imported(
        "2026-11",
        "eu-central-1",
        "month",
        &[("gp3", "gib", "0.09"), ("io2 above 32,000 IOPS", "iops", "0.05")],
    );
    let new = |amount: &str| Some((amount.to_string(), "2026-11".to_string(), "mine".to_string()));
    let shipped = |amount: &str, edition: &str, source: &str| Some((amount.into(), edition.into(), source.into()));
    let old_hour = shipped("88.15", "2025-04", "ec2-prices-2025-04");
    for (text, name, meter, region, up_to, expected) in [
        (&hour("2026-11", "eu-central-1"), "m7i.large", Meter::Whole, "eu-central-1", None, new("146.00")),
        (
            &hour("2026-11", "eu-central-1"),
            "m7i.large",
            Meter::Whole,
            "eu-central-1",
            Some("2026-01"),
            old_hour.clone(),
        ),
        // Older than what is shipped: that stays.
        (&hour("2024-01", "eu-central-1"), "m7i.large", Meter::Whole, "eu-central-1", None, old_hour.clone()),
        (&hour("2026-11", "eu-west-1"), "m7i.large", Meter::Whole, "eu-central-1", None, old_hour),
        // A region that nobody has yet.
        (&hour("2026-11", "eu-new-1"), "m7i.large", Meter::Whole, "eu-new-1", None, new("146.00")),
        (&gib, "gp3", Meter::GiB, "eu-central-1", None, new("0.09")),
        (&gib, "io2 above 32,000 IOPS", Meter::Iops, "eu-central-1", None, new("0.05")),
        (&gib, "gp3", Meter::MbPerSecond, "eu-central-1", None, shipped("0.05", "2024-07", "ebs-prices-2024-07")),
    ] {
        assert_eq!(price(text, name, meter, region, up_to), expected, "{name} {region} {up_to:?}");
    }
    let own = Catalogue::with_imported(&gib).unwrap();
    let described = own.other("aws").unwrap().describe("gp3", None).expect("it is known");
    let here: Vec<&str> =
        described.prices.iter().filter(|row| row.0 == "eu-central-1").map(|(_, price, ..)| price.as_str()).collect();
    assert!(here[0].starts_with("gib 0.09 USD a month") && here.len() == 2, "{here:?}");
    assert!(described.sources.iter().any(|source| source.id == "mine"), "{:?}", described.sources);
    // Nothing of another catalogue changed.
    assert_eq!(aws().find_price("USD", "gp3", Meter::GiB, "eu-central-1", None, None).unwrap().edition, "2024-07");
}

#[test]
fn what_a_file_of_imports_has_wrong_of_another_vendor_is_told() {
    let row = [("gp3", "gib", "0.09")];
    let good = imported("2026-11", "eu-central-1", "month", &row);
    for (text, expected) in [
        (good.replace("\"aws\"", "\"nobody\""), "`vendor` is `nobody`, of which nothing is known"),
        (good.replace("\"USD\"", "\"EUR\""), "prices of AWS are in EUR, and USD is read"),
        (good.replace("id = \"mine\"", "id = \"another\""), "unknown source `mine`"),
        (good.replace("0.09", "dear"), "the price of `gp3` of gib in eu-central-1 is `dear`"),
        (good.replace("\"gib\"", "\"acre\""), "the price of `gp3` has an unknown `meter`"),
        (good.replace("\"gp3\"", "\"gp9\""), "nothing here is billed by `gp9` of gib"),
    ] {
        let error = Catalogue::with_imported(&text).expect_err(expected);
        assert!(error.what.contains(expected), "{expected}: {error}");
    }
}
