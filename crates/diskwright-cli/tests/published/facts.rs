//! What the catalogue says of a volume, a kind or an instance, as one figure: `volume gp2 100: base_iops`.
//!
//! `volume KIND GIB [IOPS [MIB]]`, `kind KIND[@EDITION]`, `instance TYPE`, each with a property; `less A / B`, `share A / B`, `plus A / B`,
//! `least A / B` of two.

use dw_aws::changes::{self, Change};
use dw_aws::gates::{self, Weighting};
use dw_aws::instances::{InstanceType, instance};
use dw_aws::kinds::{KINDS, VolumeKind, kind};
use dw_aws::prices;
use dw_aws::volume::{Asked, Volume};
use dw_units::{Bytes, Instant, Iops, Throughput};

/// The figure; a fact that nobody understands is a fault of the table.
pub fn value(text: &str) -> f64 {
    for (word, of) in [
        ("less ", (|a, b| a - b) as fn(f64, f64) -> f64),
        ("share ", |a, b| a / b),
        ("plus ", |a, b| a + b),
        ("least ", f64::min),
    ] {
        if let Some(rest) = text.strip_prefix(word) {
            let (first, second) = rest.split_once(" / ").unwrap_or_else(|| panic!("{text}: two are compared"));
            return of(value(first), value(second));
        }
    }
    if let Some(rest) = text.strip_prefix("cheapest ") {
        return cheapest(rest);
    }
    let (subject, property) = text.split_once(": ").unwrap_or_else(|| panic!("{text}: no property"));
    let words: Vec<&str> = subject.split(' ').collect();
    let (property, argument) = property.split_once(' ').unwrap_or((property, ""));
    match words.as_slice() {
        ["volume", name, rest @ ..] => of_volume(&volume(name, rest), property, argument),
        ["kind", name] => of_kind(the_kind(name), property, number(argument)),
        ["instance", name] => of_instance(instance(name).unwrap_or_else(|| panic!("no {name}")), property, argument),
        ["restore"] => prices::FAST_RESTORE_HOUR.amount() * number(argument) as f64,
        ["changes"] => of_changes(property),
        _ => panic!("{text}: no such subject"),
    }
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is no number"))
}

fn the_kind(name: &str) -> &'static VolumeKind {
    let (name, edition) = name.split_once('@').map_or((name, None), |(name, edition)| (name, Some(edition)));
    kind(name, edition).unwrap_or_else(|| panic!("no kind {name}"))
}

fn volume(name: &str, rest: &[&str]) -> Volume {
    let figure = |at: usize| rest.get(at).map(|word| number(word));
    let asked = Asked {
        size: figure(0).map(Bytes::gib),
        iops: figure(1).map(Iops::new),
        throughput: figure(2).map(Throughput::mib_per_second),
    };
    Volume::new(the_kind(name), &asked).unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn of_volume(volume: &Volume, property: &str, region: &str) -> f64 {
    let mib = |rate: Option<Throughput>| rate.expect("it is known").get() as f64 / f64::from(1 << 20);
    match property {
        "base_iops" => volume.base_iops().expect("it is known") as f64,
        "burst_iops" => volume.burst_iops().expect("it bursts") as f64,
        "base_mib" => mib(volume.base_throughput()),
        "peak_mib" => mib(volume.peak_throughput()),
        "usd" => prices::month(region, volume).expect("it has a price").amount.amount(),
        _ => panic!("no property {property} of a volume"),
    }
}

/// The least of something that a kind takes for so much of another.
fn of_kind(kind: &VolumeKind, property: &str, wanted: u64) -> f64 {
    let (least, most) = kind.gib;
    let iops_of = |gib: u64| kind.iops_max(gib).unwrap_or(0);
    let found = match property {
        "iops_max" => kind.iops_max(wanted),
        "mib_max" => kind.mib_max(wanted),
        "gib_for_iops" => (least..=most).find(|gib| iops_of(*gib) >= wanted),
        "iops_for_mib" => (1..=iops_of(most)).find(|iops| kind.mib_max(*iops).unwrap_or(0) >= wanted),
        "gib_for_mib" => (least..=most).find(|gib| kind.mib_max(iops_of(*gib)).unwrap_or(0) >= wanted),
        _ => panic!("no property {property} of a kind"),
    };
    found.expect("the kind has it") as f64
}

fn of_instance(row: &InstanceType, property: &str, argument: &str) -> f64 {
    let limit =
        |of: fn(dw_aws::instances::EbsLimits) -> dw_aws::instances::EbsLimit| of(row.ebs.expect("it has limits"));
    let (base, maximum) = (limit(|ebs| ebs.base), limit(|ebs| ebs.maximum));
    let store = |of: fn(&dw_aws::instances::StoreShape) -> Option<u64>| {
        of(&row.store.expect("it has a store")).expect("it is known") as f64
    };
    match property {
        "base_mbps" => base.throughput.get() as f64 / 125_000.0,
        "max_mbps" => maximum.throughput.get() as f64 / 125_000.0,
        "base_mb" => base.throughput.get() as f64 / 1e6,
        "max_mb" => maximum.throughput.get() as f64 / 1e6,
        "base_iops" => base.iops.get() as f64,
        "max_iops" => maximum.iops.get() as f64,
        "weighted_mbps" => {
            let (_, weighting) =
                Weighting::ALL.into_iter().find(|(word, _)| *word == argument).expect("it is a weighting");
            let weighted = row.ebs_weighted(weighting).unwrap_or_else(|why| panic!("{why}"));
            weighted.expect("it has limits").base.throughput.get() as f64 / 125_000.0
        }
        "volumes" => f64::from(row.volumes_with(number(argument) as u32)),
        "store_read" => store(|store| store.read_iops),
        "store_write" => store(|store| store.write_iops),
        "usd_thousandths" => prices::hour(argument, &row.name).expect("it has a price").amount.amount() * 1e3,
        "burst_s" => gates::BURST_SECONDS as f64,
        _ => panic!("no property {property} of an instance"),
    }
}

fn of_changes(property: &str) -> f64 {
    let hour = |hours: u64| Instant::from_ns(hours * 3_600 * 1_000_000_000);
    let done = |begun: u64| Change { begun: hour(begun), completed: Some(hour(begun)) };
    match property {
        // As many as are taken within one day, each completed at once.
        "day" => {
            let mut behind = Vec::new();
            while changes::may_change(&behind, hour(1)).is_ok() {
                behind.push(done(1));
            }
            behind.len() as f64
        }
        "wait_h" => (0..24).find(|wait| changes::may_change(&[done(0)], hour(*wait)).is_ok()).expect("some day") as f64,
        _ => panic!("no property {property} of changes"),
    }
}

/// A month of the cheapest volume of a region that has so many GiB, IOPS and MiB/s for good.
fn cheapest(text: &str) -> f64 {
    let words: Vec<&str> = text.split(' ').collect();
    let [region, gib, iops, mib] = words.as_slice() else { panic!("{text}: region, GiB, IOPS, MiB/s") };
    let [gib, iops, mib] = [gib, iops, mib].map(|word| number(word));
    let whole = |volume: &Volume| {
        let base = volume.base_throughput().map_or(0, Throughput::get);
        volume.base_iops().unwrap_or(0) >= iops && base >= mib << 20
    };
    let sizes = |kind: &'static VolumeKind| {
        let asked = move |gib: u64| Asked {
            size: Some(Bytes::gib(gib)),
            iops: kind.iops_max(gib).map(|most| Iops::new(most.min(iops.max(3_000)))),
            throughput: kind.mib_max(3_000).map(|_| Throughput::mib_per_second(mib.max(125))),
        };
        (gib.max(kind.gib.0)..=kind.gib.1).filter_map(move |gib| Volume::new(kind, &asked(gib)).ok())
    };
    let first = |kind: &'static VolumeKind| sizes(kind).find(whole).and_then(|volume| prices::month(region, &volume));
    let all = KINDS.iter().filter_map(first).map(|price| price.amount.amount());
    all.min_by(f64::total_cmp).expect("one is cheapest")
}
