//! What can be bought, with the source of every figure.
//!
//! Lives here: what the vendors sell, together: VM sizes and disks by name, edition and region, their prices, what was imported over them.
//! Never here: behaviour, figures (`crates/vendors/`), what a gate or a route is (`dw-vendor`), files read at run time.
//! Read next: `catalogue.rs`.
//!
//! ```
//! use dw_catalogue::Catalogue;
//! let catalogue = Catalogue::embedded();
//! let ds14 = catalogue.vm("DS14", Some("2017-01")).unwrap();
//! assert_eq!(ds14.uncached.throughput().unwrap().get(), 524_288_000);
//! ```

#![forbid(unsafe_code)]

use std::sync::{Arc, LazyLock};

use dw_aws::{Aws, Ec2, plan_keys::WHOSE, shipped};

mod behind_door;
mod catalogue;
mod conflict;
mod flags;
mod lifecycle;
mod moving;
mod offers;
mod resize;

pub use dw_azure::{bill, disk, field, file, gates, host_cache, metrics, plan_keys, routes as azure, rows, vm};
pub use dw_vendor::{
    Vendor, facts, fetched, free, gate, goods, kind, latency, moves, price, provision, rate, rig, services, sharing,
    speed,
};

pub use catalogue::Catalogue;
pub use conflict::Conflict;
pub use dw_azure::asked::route_to;
pub use dw_azure::disk::{DiskFamily, DiskOffer};
pub use dw_azure::disk_spec::{DiskOptions, OfferError, Way};
pub use dw_azure::field::{Field, FieldValue};
pub use dw_azure::file::{Stage, StageRow};
pub use dw_azure::gates::{Attachment, VmLimits};
pub use dw_azure::host_cache::spec as default_host_cache;
pub use dw_azure::load::LoadError;
pub use dw_azure::plan_keys::PLAN_KEYS;
pub use dw_azure::routes::{Printed, route_of};
pub use dw_azure::sold::Sold;
pub use dw_azure::vm::{Controller, LocalLimits, TempDisk, TempKind, VmLimit, VmSize, series_and_generation};
pub use dw_vendor::edition::Month;
pub use dw_vendor::kind::Kind;
pub use dw_vendor::latency::{LatencyModel, LatencySetting};
pub use dw_vendor::lookup::{LookupError, Thing, Whose, fits, fits_disk, nearest};
pub use dw_vendor::price::{Meter, Money, MoneyChange, Price, PriceError, Term, years_of};
pub use dw_vendor::printed::{MbUnit, PrintedMb};
pub use dw_vendor::source::Source;
pub use flags::{Flag, flags};
pub use lifecycle::Placing;
pub use resize::Obstacle;

/// Who understands records of inventories: one for each vendor.
pub fn inventories() -> [&'static dyn dw_estate::Records; 2] {
    let [own, other] = vendors();
    [other.records(), own.records()]
}

/// The vendor that is asked through its door.
const OWN: &Aws = &Aws;

/// Vendors that make what scenarios name of theirs themselves, as it is shipped.
pub fn rigs() -> [&'static dyn rig::Rigs; 1] {
    [shipped()]
}

/// Who writes changes of a vendor's machines and disks; of one that nobody named the catalogue's.
pub fn orders(of: &str) -> &'static dyn dw_estate::Orders {
    vendors().into_iter().find(|vendor| vendor.id() == of).unwrap_or(vendor()).orders()
}

/// Vendors that write themselves what builds a plan of theirs, as it is shipped.
pub fn scripts() -> [&'static dyn provision::Scripts; 1] {
    [shipped()]
}

/// Vendors that answer for what they sell themselves, as it is shipped.
pub fn goods() -> [(&'static dyn Vendor, Arc<dyn goods::Goods>); 1] {
    [(OWN, Arc::new(Ec2::default()))]
}

/// All vendors whose machines and disks plans may choose.
pub fn vendors() -> [&'static dyn Vendor; 2] {
    [vendor(), OWN]
}

/// The keys of `[plan]` of a vendor, by its word.
pub fn vendor_keys(id: &str) -> Option<&'static dw_demand::VendorKeys> {
    Catalogue::of_vendor(id).map(|catalogue| dw_demand::Offers::vendor(&**catalogue))
}

/// The keys of `[plan]` of the vendor that requirements name, or whose region they name.
pub fn keys_of(text: &str) -> &'static dw_demand::VendorKeys {
    dw_demand::Offers::vendor(&**for_requirements(Catalogue::embedded(), text))
}

/// Keys of `[plan]` of all vendors together, for whoever describes them.
pub fn all_keys() -> &'static dw_demand::VendorKeys {
    static ALL: LazyLock<dw_demand::VendorKeys> = LazyLock::new(|| {
        let others = goods().map(|(_, goods)| goods.keys().keys).concat();
        let keys = [&[WHOSE], PLAN_KEYS.keys, &others].concat();
        dw_demand::VendorKeys { keys: keys.leak(), ..PLAN_KEYS }
    });
    &ALL
}

/// The catalogue of whose vendor requirements name, or whose region; `own` where they name neither, or one that is not known.
pub fn for_requirements<'a>(own: &'a Arc<Catalogue>, text: &str) -> &'a Arc<Catalogue> {
    match dw_demand::vendor_and_region(text) {
        (Some(id), _) if id != own.vendor().id() => own.other(&id).unwrap_or(own),
        (None, Some(region)) => of_region(own, &region),
        _ => own,
    }
}

/// The catalogue of the vendor that has a region: `own` where that has it, or nobody.
pub fn of_region<'a>(own: &'a Arc<Catalogue>, region: &str) -> &'a Arc<Catalogue> {
    other_with(own, region).unwrap_or(own)
}

/// The same of one that is not shared.
pub fn at_region<'a>(own: &'a Catalogue, region: &str) -> &'a Catalogue {
    other_with(own, region).map_or(own, |other| &**other)
}

fn other_with<'a>(own: &'a Catalogue, region: &str) -> Option<&'a Arc<Catalogue>> {
    let has = |catalogue: &Catalogue| {
        catalogue.price_regions().into_iter().any(|one| dw_vendor::lookup::is_same_region(one, region))
    };
    if has(own) {
        return None;
    }
    own.others().find(|other| has(other))
}

/// The vendor for which something is wished.
pub fn vendor_of(wishes: &dw_demand::wishes::Wishes) -> &'static dyn Vendor {
    vendors().into_iter().find(|vendor| vendor.id() == wishes.vendor.id).unwrap_or(vendor())
}

/// Whose machine was recorded, by the tools that recorded it; nothing where these are of no vendor's monitor, or of several.
pub fn vendor_of_tools<'a>(tools: impl Iterator<Item = &'a str>) -> Option<&'static dyn Vendor> {
    let of_tool = |tool: &str| vendors().into_iter().find(|vendor| vendor.monitors().contains(&tool));
    let mut found = tools.filter_map(of_tool);
    let first = found.next()?;
    found.all(|other| other.id() == first.id()).then_some(first)
}

/// The vendor of what the catalogue holds where nobody names another.
pub fn vendor() -> &'static dyn Vendor {
    &dw_azure::Azure
}
