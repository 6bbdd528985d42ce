//! Prices: what is there, what is not, and from where.

use std::collections::BTreeSet;

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
    check("DS13 / eastus", "0.771 USD per hour from eastus 2026-06");
    check("standard_ds13 / West Europe", "0.885 USD per hour from westeurope 2026-06");
    check("P10 / eastus", "19.71 USD per month from eastus 2026-08");
    check("E30 / eastus", "76.8 USD per month from eastus 2024");
}

#[test]
fn a_region_without_a_price_of_its_own_has_that_of_its_area_and_says_so() {
    check("P30 / eastus", "136.085 USD per month from us 2017-article");
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
    check("Ultra:gib / eastus", "0.000164 USD per hour from eastus 2024");
    check("Ultra:iops / eastus", "0.000068 USD per hour from eastus 2024");
    check("Ultra:mb_per_s / eastus", "0.000479 USD per hour from eastus 2024");
    let monthly = |meter, n| Catalogue::embedded().price("Ultra", meter, "eastus", None).unwrap().monthly() * n;
    assert_eq!(monthly(Meter::GiB, 2_048).to_string(), "245.19");
    assert_eq!(monthly(Meter::Iops, 4_000).to_string(), "198.56");
    assert_eq!(monthly(Meter::MbPerSecond, 20).to_string(), "6.99");
}

#[test]
fn a_missing_price_is_an_error_that_names_it() {
    check(
        "P40 / eastus",
        "there is no price of P40 in eastus; no edition of the catalogue has a price for it: give one, with its source",
    );
    check("P4 / westeurope", "there is no price of P4 in westeurope; prices of P4: eastus 2024");
    check(
        "PremiumV2:iops / eastus",
        "there is no price of an IOPS of PremiumV2 in eastus; no edition of the catalogue has a price for it: give one, with its source",
    );
    check(
        "DS13 / eastus / 2016-01",
        "there is no price of DS13 in eastus up to edition 2016-01; prices of DS13: us 2017-article, eastus 2026-06, westeurope 2026-06",
    );
}

#[test]
fn every_price_is_of_something_in_the_catalogue() {
    let catalogue = Catalogue::embedded();
    let known = |name: &str| !catalogue.editions_of_vm(name).is_empty() || !catalogue.editions_of_disk(name).is_empty();
    let others: BTreeSet<&str> = catalogue.prices().map(|p| p.name.as_str()).filter(|name| !known(name)).collect();
    // Priced by their source as a whole: unmanaged disks, and a sum that the meters of ultra disks were taken from.
    assert_eq!(others, BTreeSet::from(["standard-1TB", "ultra-2048GiB"]));
    assert!(catalogue.prices().all(|price| price.amount > Money::ZERO && price.currency == "USD"));
    assert_eq!(catalogue.prices().count(), 556 + 9 + 2 + 2 + 3);
}
