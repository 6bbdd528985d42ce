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

mod catalogue;
mod conflict;
mod flags;
mod lifecycle;
mod moving;
mod offers;
mod resize;

pub use dw_azure::{bill, disk, field, file, gates, host_cache, metrics, plan_keys, routes as azure, rows, vm};
pub use dw_vendor::{Vendor, gate, kind, latency, moves, price, rate, rig, services, sharing, speed};

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
pub use dw_vendor::kind::Kind;
pub use dw_vendor::latency::{LatencyModel, LatencySetting};
pub use dw_vendor::lookup::{LookupError, Thing, fits, fits_disk, nearest};
pub use dw_vendor::price::{Meter, Money, MoneyChange, Price, PriceError, Term, years_of};
pub use dw_vendor::printed::{MbUnit, PrintedMb};
pub use dw_vendor::source::Source;
pub use flags::{Flag, flags};
pub use lifecycle::Placing;
pub use resize::Obstacle;

/// Who understands records of inventories: one for each vendor.
pub fn inventories() -> [&'static dyn dw_estate::Records; 2] {
    [&dw_aws::Inventory, vendor().records()]
}

/// Vendors that make what scenarios name of theirs themselves.
pub fn rigs() -> [&'static dyn rig::Rigs; 1] {
    [&dw_aws::Aws]
}

/// The vendor of what the catalogue holds.
pub fn vendor() -> &'static dyn Vendor {
    &dw_azure::Azure
}
