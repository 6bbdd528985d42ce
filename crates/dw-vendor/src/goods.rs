//! What a vendor sells, as planners and whoever looks it up by name take it: the door through which a catalogue, which names no vendor,
//! comes to a vendor's folder.
//!
//! Invariant: a price that is not in the data is absent, never zero.

use std::sync::Arc;

use dw_demand::Commitment;
use dw_demand::VendorKeys;
use dw_units::{Bytes, CacheMode, Throughput};

use crate::facts::Facts;
use crate::fetched::{Fetched, Own};
use crate::free::FreeForm;
use crate::gate::{GATES_MOST, ROUTES_MOST, Route};
use crate::kind::Kind;
use crate::latency::LatencySetting;
use crate::moves::MoveRow;
use crate::price::{Meter, Price};
use crate::provision::Scripts;
use crate::rate::Rates;
use crate::rig::{Description, Rigs};
use crate::source::Source;

/// A vendor of which the catalogue holds no rows of its own: what is shipped, or that with a person's machines and prices over it.
pub trait Goods: std::fmt::Debug + Send + Sync {
    /// Who reads what people fetch of it.
    fn fetched(&self) -> &'static dyn Fetched;
    /// The same with these machines and prices over those that are shipped.
    ///
    /// # Errors
    /// A sentence that names the price that is none, or the machine with a figure that cannot be.
    fn with_own(&self, own: Own) -> Result<Arc<dyn Goods>, String>;
    /// Who makes what scenarios name of these machines and disks.
    fn rigs(&self) -> &dyn Rigs;
    /// Who writes what builds a plan of them.
    fn scripts(&self) -> &dyn Scripts;
    /// What judges of an estate ask, at these prices.
    fn facts(&self) -> &dyn Facts;
    /// What is known of one of its machines or disks, as the newest edition up to the one that is asked for has it.
    fn describe(&self, name: &str, edition: Option<&str>) -> Option<Description>;
    /// What it brings to the keys of `[plan]`.
    fn keys(&self) -> &'static VendorKeys;
    /// All machines, an edition each.
    fn machines(&self) -> Vec<MachineRow<'_>>;
    /// All disks, an edition each.
    fn disks(&self) -> Vec<DiskRow>;
    /// What each gate of a machine gives, by number, and its ways to attach a volume, in an edition; absent where a limit is not known.
    fn passes(&self, machine: &str, edition: &str) -> Option<Passes>;
    /// The setting of a machine with which it passes more to disks for the same money; absent where it has none.
    fn setting(&self, _machine: &str, _edition: &str) -> Option<Setting> {
        None
    }
    /// Why no plan takes a machine: a sentence that names what is not known of it.
    fn why_unplanned(&self, machine: &str, edition: &str) -> Option<String>;
    /// The machine's own disks; absent where it has none, or their limits are not known.
    fn local(&self, machine: &str, edition: &str, setting: LatencySetting) -> Option<LocalRow>;
    /// What a scenario chooses of disks that pass these gates, by key and value.
    fn attach_options(&self, gates: &[String]) -> Vec<(&'static str, &'static str)>;
    /// What a plan of a machine rests on that only this vendor has, as sentences.
    fn rests_on(&self, machine: &str, edition: &str, bursting: bool, zone: Option<&str>) -> Vec<String>;
    /// What changes of machines and disks take.
    fn moves(&self) -> Vec<MoveRow>;
    /// The zones of a region that have a machine; absent where no record of the region is known, empty where it has none.
    fn zones_of(&self, machine: &str, region: &str) -> Option<Vec<String>>;
    /// What is wrong with a zone of a region that somebody asks for, and what to write; absent where it can be planned for.
    fn refuses_zone(&self, zone: &str, region: &str) -> Option<[String; 2]>;
    /// Whether records tell a zone that is called so from others.
    fn records_zone(&self, zone: &str) -> bool;
    /// Whether a machine is of this sort.
    fn is(&self, machine: &str, sort: Sort) -> bool;
    /// What a meter of a thing costs in a region, the newest up to an edition of prices; in US dollars.
    fn price(
        &self,
        name: &str,
        meter: Meter,
        region: &str,
        to: Option<Commitment>,
        edition: Option<&str>,
    ) -> Option<Price>;
    /// All prices of a thing, oldest first.
    fn prices_of(&self, name: &str) -> Vec<Price>;
    /// Regions with prices of machines and of disks, sorted.
    fn regions(&self) -> Vec<&str>;
    /// Why a region that is its own has no price here, and what to do; absent of regions that are not, or have one.
    fn unpriced_region(&self, _region: &str) -> Option<String> {
        None
    }
    /// All that ids of sources mean.
    fn sources(&self) -> Vec<Source>;
    /// Why a volume of such a cache setting cannot be had, and what to do.
    fn refuses_cache(&self, mode: CacheMode) -> Option<[&'static str; 2]>;
}

/// What about a machine keeps it out of plans unless a key allows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Arm,
    /// Its processors have a baseline, above which they run on credits or as far as others leave some.
    Burstable,
    Confidential,
    /// The vendor counts it among previous generations.
    Previous,
    /// Without a hypervisor: a whole host.
    Metal,
}

/// A machine.
#[derive(Clone, Debug)]
pub struct MachineRow<'a> {
    pub name: &'a str,
    pub series: &'a str,
    pub edition: &'a str,
    /// The id of the source of its figures.
    pub source: &'a str,
    pub vcpu: u32,
    pub memory: Bytes,
    /// Most disks that take a place, beside the one that it starts from.
    pub slots: u32,
    /// What it passes to disks that are not its own, I/Os and bytes per second for good; absent where no source says.
    pub limits: Option<(u64, u64)>,
}

/// What a machine passes.
#[derive(Clone, Copy, Debug)]
pub struct Passes {
    pub gates: [Rates; GATES_MOST],
    pub routes: [Option<Route>; ROUTES_MOST],
}

/// What is chosen of a machine, by the keys of scenarios, and costs nothing.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    pub options: &'static [(&'static str, &'static str)],
    pub gates: [Rates; GATES_MOST],
    /// What all gates of disks that are not its own pass for good, as it comes and so.
    pub disks: [Throughput; 2],
    /// What its network loses of what it has for good.
    pub network_loses: Throughput,
    /// What its network has for good as it comes; absent where no source says.
    pub network: Option<Throughput>,
}

/// The machine's own disks, all together.
#[derive(Clone, Copy, Debug)]
pub struct LocalRow {
    /// What a scenario calls one.
    pub name: &'static str,
    pub count: u32,
    pub size: Bytes,
    pub latency_model: &'static str,
}

/// A kind of disks that are sized freely, in one edition.
#[derive(Clone, Copy, Debug)]
pub struct DiskRow {
    pub name: &'static str,
    pub kind: &'static Kind,
    pub edition: &'static str,
    /// The id of the source of its figures.
    pub source: &'static str,
    /// The smallest and the largest.
    pub size: (Bytes, Bytes),
    pub rates: FreeForm,
    /// So many machines may share one.
    pub shares_most: u32,
}
