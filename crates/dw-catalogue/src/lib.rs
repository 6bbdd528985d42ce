//! What can be bought, with the source of every figure.
//!
//! Lives here: VM sizes and disks of all editions, their prices and sources, the default latency models; as `dw-stack`
//! specs.
//! Never here: behaviour, prices without a source, files read at run time.
//! Read next: `catalogue.rs` for looking things up, `derive.rs` for what no page prints, `data/azure/` for the data.
//!
//! ```
//! use dw_catalogue::Catalogue;
//! let catalogue = Catalogue::embedded();
//! let ds14 = catalogue.vm("DS14", Some("2017-01")).unwrap();
//! assert_eq!(ds14.uncached.throughput().unwrap().get(), 524_288_000);
//! ```

#![forbid(unsafe_code)]

pub mod azure;
pub mod bill;
mod catalogue;
mod conflict;
mod derive;
pub mod disk;
mod disk_spec;
mod edition;
pub mod field;
pub mod file;
mod flags;
pub mod gate;
pub mod gates;
pub mod host_cache;
mod index;
pub mod kind;
mod kinds;
pub mod latency;
mod load;
mod lookup;
pub mod metrics;
mod offers;
mod packed;
pub mod plan_keys;
pub mod price;
mod printed;
pub mod rate;
mod region_prices;
mod regions;
mod resize;
pub mod rows;
mod rules;
mod sold;
mod source;
pub mod vm;

pub use azure as vendor;
pub use catalogue::Catalogue;
pub use conflict::Conflict;
pub use disk::{DiskFamily, DiskOffer};
pub use disk_spec::{DiskOptions, OfferError, Way};
pub use field::{Field, FieldValue};
pub use flags::{Flag, flags};
pub use gates::{Attachment, VmLimits};
pub use host_cache::spec as default_host_cache;
pub use kind::Kind;
pub use latency::{LatencyModel, LatencySetting};
pub use load::LoadError;
pub use lookup::{LookupError, Thing, fits, fits_disk, nearest};
pub use plan_keys::PLAN_KEYS;
pub use price::{Meter, Money, MoneyChange, Price, PriceError, Term, years_of};
pub use printed::{MbUnit, PrintedMb};
pub use resize::Obstacle;
pub use sold::Sold;
pub use source::Source;
pub use vm::{Controller, LocalLimits, TempDisk, TempKind, VmLimit, VmSize, series_and_generation};
