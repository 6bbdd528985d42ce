//! The tables: whole, unequivocal, each row with what it needs.

use dw_aws::instances::{Check, Hypervisor, all, instance};
use dw_aws::prices::{hour, hour_reserved, month, regions};
use dw_aws::volume::{Asked, Volume};
use dw_aws::{kinds, sources};
use dw_units::{Bytes, Iops};

#[test]
fn every_type_is_there_once_with_limits_or_a_reason() {
    let mut names: Vec<&str> = all().iter().map(|row| &*row.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all().len());
    let count = |check: Check| all().iter().filter(|row| row.checked == check).count();
    // A second copy of the vendor's page: what both have agrees but for the types of which it prints one of two cards.
    assert_eq!([Check::Agrees, Check::Differs, Check::NotThere, Check::Nothing].map(count), [1_155, 6, 193, 19]);
    assert_eq!((all().len(), all().iter().filter(|row| row.is_current).count()), (1_373, 1_255));
    for row in all() {
        assert_eq!(row.ebs.is_some(), row.checked != Check::Nothing, "{}", row.name);
        assert!(row.ebs.is_some() || row.why_no_ebs().is_some_and(|why| why.contains(&*row.name)), "{}", row.name);
        assert!(row.vcpu > 0 && row.memory > Bytes::ZERO && row.volumes_most > 0, "{}", row.name);
        if let Some(ebs) = row.ebs {
            assert!(ebs.base.iops <= ebs.maximum.iops && ebs.base.throughput <= ebs.maximum.throughput, "{}", row.name);
            let parts = u64::from(row.cards);
            assert!(ebs.maximum.iops.get() % parts == 0 && ebs.base.throughput.get() % parts == 0, "{}", row.name);
        }
        let store = row.store.filter(|store| store.read_iops.is_some());
        assert!(store.is_none_or(|store| store.write_iops.is_some() && store.grade.is_some()), "{}", row.name);
    }
    let stores = |known: fn(u64) -> bool| {
        let known = |row: &&dw_aws::instances::InstanceType| row.store.is_some_and(|s| known(s.read_iops.unwrap_or(0)));
        all().iter().filter(known).count()
    };
    assert_eq!([stores(|_| true), stores(|iops| iops > 0)], [572, 465]);
    assert_eq!(all().iter().filter(|row| row.cards == 2).count(), 33);
}

#[test]
fn figures_of_some_types_are_those_of_the_page() {
    // Name, base and maximum IOPS, base and maximum Mb/s, volumes with one interface.
    let cases = [
        ("m5.large", 3_600, 18_750, 650, 4_750, 27),
        ("M5.LARGE", 3_600, 18_750, 650, 4_750, 27),
        ("t3.nano", 250, 11_800, 43, 2_085, 27),
        ("i3.large", 3_000, 3_000, 425, 425, 40),
        ("r6i.16xlarge", 80_000, 80_000, 20_000, 20_000, 27),
        ("u-6tb1.112xlarge", 160_000, 160_000, 38_000, 38_000, 27),
    ];
    for (name, base, maximum, base_mbps, maximum_mbps, volumes) in cases {
        let row = instance(name).unwrap_or_else(|| panic!("{name} is there"));
        let ebs = row.ebs.expect("it has limits");
        let mbps = |bytes: u64| bytes / 125_000;
        let seen = (
            ebs.base.iops.get(),
            ebs.maximum.iops.get(),
            mbps(ebs.base.throughput.get()),
            mbps(ebs.maximum.throughput.get()),
        );
        assert_eq!((seen, row.volumes_most), ((base, maximum, base_mbps, maximum_mbps), volumes), "{name}");
    }
    assert_eq!(instance("i3.large").map(|row| row.hypervisor), Some(Hypervisor::Xen));
    assert!(instance("Standard_D8s_v5").is_none());
}

#[test]
fn every_current_type_is_offered_somewhere() {
    let nowhere: Vec<&str> =
        all().iter().filter(|row| row.is_current && row.places() == Some(&[])).map(|row| &*row.name).collect();
    assert!(nowhere.len() <= 30, "{nowhere:?}");
    let places = instance("m5.large").expect("it is there").places().expect("it is shipped");
    assert!(places.iter().any(|(region, zones)| *region == "us-east-1" && zones.contains('1')), "{places:?}");
}

#[test]
fn what_cites_a_source_cites_one_that_is_there() {
    let cited = kinds::KINDS.iter().map(|kind| kind.source).chain([
        sources::STORE_IOPS,
        sources::STORE_MEASURED,
        sources::EBS_OPTIMIZED,
        sources::EBS_REFILL,
        sources::WEIGHTING,
        sources::MODIFY_2026,
    ]);
    for id in cited {
        assert!(sources::source(id).is_some_and(|source| !source.page.is_empty()), "{id}");
    }
    let mut ids: Vec<String> = sources::sources().into_iter().map(|source| source.id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), sources::sources().len(), "an id stands for two sources");
}

#[test]
fn prices_are_those_of_the_list_and_say_their_age() {
    assert!(regions().len() >= 30, "{} regions", regions().len());
    let cents = |region, name| hour(region, name).map(|price| (price.amount.get(), price.date));
    assert_eq!(cents("us-east-1", "m5.large"), Some((96_000, "2026-07-20")));
    assert_eq!(cents("eu-west-1", "m7i.large"), Some((112_350, "2025-04-04")));
    assert_eq!(cents("eu-west-1", "m99.large"), None);
    assert_eq!(cents("nowhere-1", "m5.large"), None);
    let reserved = [1, 3, 2].map(|years| hour_reserved("us-east-1", "m5.large", years).map(|price| price.amount));
    assert!(reserved[0] > reserved[1] && reserved[1].is_some() && reserved[2].is_none(), "{reserved:?}");
    let priced = all().iter().filter(|row| regions().iter().any(|region| hour(region, &row.name).is_some())).count();
    assert!(priced >= 1_300, "{priced} types have a price somewhere");
    let volume = |kind: &str, gib, iops: Option<u64>, mib: Option<u64>| {
        let throughput = mib.map(dw_units::Throughput::mib_per_second);
        let asked = Asked { size: Some(Bytes::gib(gib)), iops: iops.map(Iops::new), throughput };
        Volume::new(kinds::kind(kind, None).expect("it is there"), &asked).expect("it can be bought")
    };
    for (volume, region, micros) in [
        (volume("gp3", 500, Some(6_000), Some(400)), "eu-central-1", Some(78_690_000)),
        (volume("gp3", 160, Some(80_000), Some(125)), "us-east-1", Some(12_800_000 + 385_000_000)),
        (volume("gp3", 100, None, None), "us-east-1", Some(8_000_000)),
        (volume("gp2", 100, None, None), "us-east-1", Some(10_000_000)),
        // 0.065 to 32,000, 0.0455 to 64,000, 0.03185 above.
        (
            volume("io2", 100, Some(100_000), None),
            "us-east-1",
            Some(12_500_000 + 2_080_000_000 + 1_456_000_000 + 1_146_600_000),
        ),
        (volume("io2", 100, Some(100_000), None), "af-south-1", None),
        (volume("st1", 1_024, None, None), "us-east-1", Some(46_080_000)),
    ] {
        assert_eq!(month(region, &volume).map(|price| price.amount.get()), micros, "{volume} in {region}");
    }
}
