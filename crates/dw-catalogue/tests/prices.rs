//! Prices: what is there, what is not, and from where.

use std::collections::{BTreeMap, BTreeSet};

use dw_catalogue::{Catalogue, Meter, Money};

/// `name / region / edition` gives `price from region edition`, or the error and its hint.
fn check(asked: &str, expected: &str) {
    let parts: Vec<&str> = asked.split(" / ").collect();
    let meter = |text: &str| Meter::from_id(text).unwrap();
    let (name, meter) = parts[0].split_once(':').map_or((parts[0], Meter::Whole), |(name, id)| (name, meter(id)));
    let answer = match Catalogue::embedded().price(name, meter, parts[1], parts.get(2).copied()) {
        Ok(price) => format!("{price} from {} {}", price.region, price.edition),
        Err(error) => format!("{error}; {}", error.hint()),
    };
    assert_eq!(answer, expected, "{asked}");
}

#[test]
fn a_price_is_the_newest_of_its_region() {
    check("DS13 / eastus", "0.771 USD per hour from eastus 2026-08");
    check("standard_ds13 / West Europe", "0.885 USD per hour from westeurope 2026-08");
    check("P10 / eastus", "19.71 USD per month from eastus 2026-09");
    check("E30 / eastus", "76.8 USD per month from eastus 2026");
}

#[test]
fn a_region_without_a_price_of_its_own_has_that_of_its_area_and_says_so() {
    check("P30 / us", "136.085 USD per month from us 2017-article");
}

#[test]
fn an_edition_asks_for_prices_up_to_it() {
    check("P30 / us / 2015", "135.17 USD per month from us 2015");
    check("P30 / us / 2018-07", "136.085 USD per month from us 2017-article");
    check("DS13 / eastus / 2017-article", "1003.66 USD per month from us 2017-article");
    check("standard-1TB / us", "51.2 USD per month from us 2017-article");
}

#[test]
fn what_is_sized_freely_has_a_price_for_each_meter() {
    check("Ultra:gib / eastus", "0.000164 USD per hour from eastus 2026");
    check("Ultra:iops / eastus", "0.000068 USD per hour from eastus 2026");
    check("Ultra:mb_per_s / eastus", "0.000479 USD per hour from eastus 2026");
    let monthly = |meter, n| Catalogue::embedded().price("Ultra", meter, "eastus", None).unwrap().monthly() * n;
    assert_eq!(monthly(Meter::GiB, 2_048).to_string(), "245.19");
    assert_eq!(monthly(Meter::Iops, 4_000).to_string(), "198.56");
    assert_eq!(monthly(Meter::MbPerSecond, 20).to_string(), "6.99");
}

#[test]
fn a_missing_price_is_an_error_that_names_it() {
    check(
        "P40 / usgovvirginia",
        "no price of P40 in usgovvirginia; prices of P40: southeastasia 2026-09, swedensouth 2026-09, uksouth 2026-09, westus2 2026-09, westus3 2026-09, 55 more",
    );
    check(
        "PremiumV2:iops / koreasouth",
        "no price of an IOPS of PremiumV2 in koreasouth; prices of PremiumV2: westcentralus 2026-09, westus 2026-09, westus2 2026-09, westus3 2026-09, canadacentral 2026-10, 50 more",
    );
    check(
        "DS13 / eastus / 2016-01",
        "no price of DS13 in eastus up to edition 2016-01; prices of DS13: ukwest 2026-08, westeurope 2026-08, westindia 2026-08, westus 2026-08, westus3 2026-08, 28 more",
    );
}

#[test]
fn every_price_is_of_something_in_the_catalogue() {
    let catalogue = Catalogue::embedded();
    let known = |name: &str| !catalogue.editions_of_vm(name).is_empty() || !catalogue.editions_of_disk(name).is_empty();
    let names: BTreeSet<String> = catalogue.prices().map(|price| price.name).collect();
    let others: BTreeSet<&str> =
        names.iter().map(String::as_str).filter(|name| !known(name.trim_end_matches("_ZRS"))).collect();
    // On-demand bursting costs the same for every disk of its family, a snapshot whatever it is of; the others are priced by their source as a whole:
    // unmanaged disks, and a sum that the meters of ultra disks were taken from.
    assert_eq!(others, BTreeSet::from(["PremiumSSD", "PremiumSSD_ZRS", "Snapshot", "standard-1TB", "ultra-2048GiB"]));
    assert!(catalogue.prices().all(|price| price.amount > Money::ZERO && price.currency == "USD"));
    let is_collected = |source: &str| ["vm-prices-2026-08", "confidential-prices-2026-09"].contains(&source);
    let count = |meter| catalogue.prices().filter(|price| price.meter == meter && is_collected(&price.source)).count();
    assert_eq!([Meter::Whole, Meter::Windows, Meter::Spot].map(count), [58_015, 39_059, 40_809]);
}

/// One series in one region has one price of a vCPU, except for rows that a mark or the vendor's own list sets apart.
#[test]
fn a_series_in_a_region_has_one_price_of_a_vcpu() {
    let catalogue = Catalogue::embedded();
    // Sizes of a series with more memory for a vCPU cost more.
    let mut series: BTreeMap<(String, u64, String), Vec<(f64, String)>> = BTreeMap::new();
    for vm in catalogue.vm_sizes_as_of(None) {
        // Constrained sizes cost what their parents cost.
        let (Some(name), false) = (&vm.series, vm.name.contains('-')) else { continue };
        for price in catalogue.prices_of(&vm.name) {
            if price.meter == Meter::Whole && price.edition == "2026-08" && price.commitment.is_none() {
                let of_vcpu = price.amount.get() as f64 / f64::from(vm.vcpu);
                series
                    .entry((name.clone(), vm.memory_mib.unwrap_or(0) / u64::from(vm.vcpu) / 512, price.region))
                    .or_default()
                    .push((of_vcpu, vm.name.clone()));
            }
        }
    }
    let (mut compared, mut apart) = (0, Vec::new());
    for ((name, _, region), sizes) in &series {
        let mut prices: Vec<f64> = sizes.iter().map(|(price, _)| *price).collect();
        prices.sort_by(f64::total_cmp);
        let middle = prices[prices.len() / 2];
        for (price, size) in sizes {
            compared += 1;
            // Twice a Linux rate is what a Windows rate looks like.
            if (price / middle - 1.0).abs() > 0.25 {
                apart.push(format!("{name} {region} {size} {:.2}", price / middle));
            }
        }
    }
    let odd: BTreeSet<&str> = apart.iter().filter_map(|line| line.split(' ').next()).collect();
    assert!(compared > 40_000, "{compared}");
    // B sizes are priced by their baseline, not by the vCPU.
    assert_eq!(
        odd,
        BTreeSet::from(["Basv2", "Bpsv2", "Bsv2"]),
        "{} of {compared}: {:?}",
        apart.len(),
        &apart[..apart.len().min(30)]
    );
}

/// The prices that earlier editions had wrong, Windows rates under the name of Linux, from a list of what they should be.
#[test]
fn windows_rates_are_not_called_linux() {
    let cases = [
        ("D2ads_v5", "eastus", "0.103"),
        ("D16ads_v5", "eastus", "0.824"),
        ("D32ads_v5", "eastus", "1.648"),
        ("D48ads_v5", "eastus", "2.472"),
    ];
    for (name, region, expected) in cases {
        let price = |meter| Catalogue::embedded().price(name, meter, region, None).unwrap().amount;
        assert_eq!(price(Meter::Whole), Money::parse(expected).unwrap(), "{name} {region}");
        assert!(price(Meter::Windows) > price(Meter::Whole) && price(Meter::Spot) < price(Meter::Whole), "{name}");
    }
}
