//! What pooled and file services carry, by hand.

use dw_catalogue::Catalogue;
use dw_catalogue::services::{Bought, Need, named};
use dw_units::Money;

fn need(gib: u64, iops: u64, mb: u64) -> Need {
    Need { gib, iops, bytes_per_second: mb * 1_000_000 }
}

/// The example of the page: ten workloads of 2 TiB that need 60,000 IOPS together cost 12 TiB of base and 8 TiB of capacity alone.
#[test]
fn the_example_of_the_page_of_elastic_san() {
    let catalogue = Catalogue::embedded();
    let volumes = vec![need(2_048, 6_000, 0); 10];
    let all = named(catalogue.services(), "eastus", &volumes);
    let (san, bought) = all.iter().find(|(service, _)| service.name == "Elastic SAN").unwrap();
    assert_eq!(*bought, Bought { gib: vec![12 * 1_024], further_gib: 8 * 1_024 });
    let (monthly, _) = san.monthly(bought, "East US", "USD").unwrap();
    assert_eq!(monthly, Money::parse("1474.56").unwrap());
    assert_eq!(san.monthly(bought, "westus2", "USD"), None);
}

#[test]
fn a_service_is_named_where_its_printed_limits_carry_the_volumes() {
    let catalogue = Catalogue::embedded();
    for (what, region, volumes, expected) in [
        (
            "little",
            "westus",
            vec![need(500, 2_000, 50)],
            &["Elastic SAN 1024+0", "NetApp Files, level Premium 1024+0", "Azure Files premium 500+0"][..],
        ),
        // 81,000 IOPS are more than a volume may have, not more than a share may.
        (
            "one volume too fast",
            "westus",
            vec![need(10_000, 81_000, 400)],
            &["NetApp Files, level Premium 10240+0", "Azure Files premium 78000+0"],
        ),
        ("a share too fast", "westus", vec![need(10_000, 110_000, 0)], &["NetApp Files, level Standard 10240+0"]),
        // No page says that it is there.
        (
            "elsewhere",
            "chilecentral",
            vec![need(500, 2_000, 10)],
            &["NetApp Files, level Standard 1024+0", "Azure Files premium 500+0"],
        ),
        ("nothing", "westus", vec![], &[]),
    ] {
        let found: Vec<String> = named(catalogue.services(), region, &volumes)
            .iter()
            .map(|(service, bought)| {
                format!("{} {}+{}", service.label(), bought.gib.iter().sum::<u64>(), bought.further_gib)
            })
            .collect();
        assert_eq!(found, expected, "{what}");
    }
}
