//! What each vendor sells, as lists of the page have it: regions, VM sizes with their limits, disks with the bounds of what is chosen of
//! them, the terms that have prices, the files that build a plan.

use diskwright::Session;
use diskwright::dw_catalogue::price::CURRENCY;
use diskwright::dw_catalogue::{Catalogue, DiskOffer, MbUnit, Meter, VmSize, vendors};
use diskwright::dw_demand::{Commitment, Offers};
use diskwright::provision::Target;
use serde_json::{Value, json};

/// The session's own vendor first.
pub(super) fn all(session: &Session) -> Vec<Value> {
    let own = session.catalogue().vendor().id();
    let (first, others): (Vec<_>, Vec<_>) = vendors().into_iter().partition(|vendor| vendor.id() == own);
    first.into_iter().chain(others).map(|vendor| shown(session.of_vendor(vendor.id()).catalogue())).collect()
}

fn shown(catalogue: &Catalogue) -> Value {
    let (vendor, region) = (catalogue.vendor(), Offers::vendor(catalogue).region);
    // Newer editions of a size stand for older ones; without the host cache, as a table of sizes has it.
    let sizes = catalogue.vm_sizes_as_of(None);
    let disks: Vec<Value> = catalogue.disks_as_of(None).into_iter().map(disk).collect();
    let has = |meter, to: Option<Commitment>| {
        let is_known = |size: &&VmSize| catalogue.find_price(CURRENCY, &size.name, meter, region, None, to).is_some();
        sizes.iter().any(is_known)
    };
    let commitments = Commitment::ALL.into_iter().filter(|to| has(Meter::Whole, Some(*to))).map(word);
    json!({
        "id": vendor.id(), "name": vendor.name(), "region": region, "regions": catalogue.price_regions(),
        "host_caches": catalogue.has_host_caches(), "windows": has(Meter::Windows, None),
        "commitments": commitments.collect::<Vec<_>>(), "scripts": Target::files_of(vendor.id()), "disks": disks,
        "sizes": sizes.iter().map(|size| self::size(size)).collect::<Vec<_>>(),
    })
}

/// `reservation 1y`, as the page's choice has it.
fn word(to: Commitment) -> String {
    to.key().replace(" = \"", " ").replace('"', "")
}

fn size(vm: &VmSize) -> Value {
    json!({
        "name": vm.name, "iops": vm.uncached.iops.map(|iops| iops.get()),
        "mb_per_s": vm.uncached.printed.map(|printed| printed.throughput().get() as f64 / 1e6),
    })
}

/// Bounds are of any size; those of one size its reader has.
fn disk(disk: &DiskOffer) -> Value {
    let freely = disk.free_form.map(|form| {
        json!({
            "gib": [disk.size.min.get() >> 30, disk.size.max.get() >> 30],
            "iops": [form.iops_min.get(), form.iops_max.get()], "mb": [form.mb_min, form.mb_max],
            "unit": if form.unit == MbUnit::Mebi { "MiB/s" } else { "MB/s" },
        })
    });
    json!({ "name": disk.sku, "family": disk.kind().name, "freely": freely })
}
