//! What names and sizes in a file are checked against: whoever knows what is sold.

use dw_units::{Bytes, CacheMode};

use crate::VendorKeys;
use crate::wishes::Role;

/// What is on offer, as far as a file of requirements speaks of it.
pub trait Offers {
    /// What vendors bring to the keys of `[plan]`.
    fn vendor(&self) -> &'static VendorKeys;
    /// Regions with prices.
    fn regions(&self) -> Vec<&str>;
    /// What to write in place of a region that has none.
    fn region_hint(&self, asked: &str) -> String;
    /// What is wrong with a zone of a region, and what to write or do; nothing where it may be planned for.
    fn refuses_zone(&self, zone: &str, region: &str) -> Option<[String; 2]>;
    /// Currencies of prices.
    fn currencies(&self) -> Vec<&str>;
    /// Editions of limits and prices.
    fn editions(&self) -> Vec<&str>;
    /// The oldest edition of prices of a region, where an edition is older than all of them.
    fn prices_begin_after(&self, edition: &str, region: &str) -> Option<&str>;
    /// Sizes of VMs, without what all their names begin with.
    fn vms(&self) -> Vec<&str>;
    /// What to write in place of a name that no size has.
    fn vm_hint(&self, asked: &str) -> Option<String>;
    fn disks(&self) -> Vec<&str>;
    /// What to write in place of a name that no disk has.
    fn disk_hint(&self, asked: &str) -> Option<String>;
    /// Whether a pattern, `*` for any letters, means a name.
    fn fits(&self, pattern: &str, name: &str) -> bool;
    /// Whether a VM size or a disk is called so.
    fn has(&self, name: &str) -> bool;
    /// By what a price may be metered.
    fn meters(&self) -> Vec<&'static str>;
    /// Why a volume of this role must not have such a host cache, where it must not, and what to do.
    fn refuses_cache(&self, role: Role, mode: CacheMode) -> Option<[&'static str; 2]>;
    /// Whether volumes can be striped so.
    fn is_stripe_unit(&self, unit: Bytes) -> bool;
}
