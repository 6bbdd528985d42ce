//! What a vendor's folder gives to everything that names no vendor.

use std::sync::Arc;

use dw_demand::wishes::Wishes;
use dw_estate::{Orders, Records};
use dw_stack::sharing::Sharing;

use crate::gate::{GATES_MOST, Gate, ROUTES_MOST, Route};
use crate::kind::{Kind, Promise};
use crate::rate::Rates;

/// A vendor of machines and disks: what is the same in all its regions and editions.
pub trait Vendor: std::fmt::Debug + Sync {
    /// The word by which a scenario asks for it.
    fn id(&self) -> &'static str;
    /// Its name in sentences.
    fn name(&self) -> &'static str;
    /// All gates of its machines, in order of a request's path.
    fn gates(&self) -> Arc<[Gate]>;
    /// All ways to attach a volume, by number: each with all that any machine has of it.
    fn routes(&self) -> Arc<[Route]>;
    /// Kinds of disks, in the order in which they are listed.
    fn kinds(&self) -> &'static [Kind];
    /// What its monitor calls figures of disks and machines: the emulator's metric, what of it, the vendor's name.
    fn metrics(&self) -> &'static [(&'static str, &'static str, &'static str)];
    /// A zone of a region, as its users write it.
    fn place(&self, region: &str, zone: &str) -> String {
        format!("{region}-{zone}")
    }
    /// Its monitors, as recordings of counters name their tool: what they recorded is a machine of its own.
    fn monitors(&self) -> &'static [&'static str];
    /// What the limit is called that a plan meets whose disks need what the machine lacks.
    fn tags_limit(&self) -> &'static str;
    /// Which disks hold no operating system, as a sentence ends.
    fn no_os(&self) -> &'static str;
    /// What two or more machines are promised together, of which one can be reached.
    fn promised_together(&self) -> &'static [Promise];
    /// Who understands its records of machines and disks.
    fn records(&self) -> &'static dyn Records;
    /// Who writes changes of machines and disks in its words.
    fn orders(&self) -> &'static dyn Orders;
    /// Whether kinds that are chosen on request alone may be chosen for every volume.
    fn takes_all_kinds(&self, wishes: &Wishes) -> bool;
    /// Makes it so.
    fn take_all_kinds(&self, wishes: &mut Wishes);
    /// Works gates and routes out anew, with limits on remote disks that are one budget, or several.
    fn read_as(&self, sharing: Sharing, given: &mut [Rates; GATES_MOST], routes: &mut [Option<Route>; ROUTES_MOST]);
}
