//! What rules ask of sizes and disks, in no vendor's words: whether one passes and holds what another does, and what a setting is.

use dw_units::{Bytes, CacheMode};
use dw_vendor::gate::{RouteId, Tags};
use dw_vendor::kind::Kind;

use crate::disk_spec::DiskOptions;
use crate::gates::{Attachment, VmLimits};
use crate::routes::route_of;
use crate::vm::{VmLimit, VmSize};

impl VmSize {
    /// What it has that disks need; nothing where no source says which disks it takes.
    pub fn has_where_told(&self) -> Option<Tags> {
        self.premium.map(|_| self.has_in_use())
    }
    /// What its local disks hold together.
    pub fn local_capacity(&self) -> Option<Bytes> {
        self.temp.map(|local| local.size * u64::from(local.count.max(1)))
    }
    /// Whether each of its gates to remote disks sustains so much: I/Os per second, or with `quantity` 1 bytes.
    pub fn sustains(&self, quantity: usize, needed: u64) -> bool {
        let wide = |limit: VmLimit| {
            let limit = limit.limit_spec();
            [limit.iops, limit.throughput][quantity].is_none_or(|rate| rate.rate >= needed)
        };
        wide(self.uncached) && self.premium2.is_none_or(wide)
    }
    /// Whether its remote disks get no less than those of another.
    pub fn is_as_wide(&self, own: &VmSize) -> bool {
        is_as_wide(self.uncached, own.uncached)
    }
    /// What it is made for, as its name begins: a size of another class lacks what these have (a GPU, its model, an FPGA, InfiniBand, terabytes of
    /// memory, large local disks). Empty of all others.
    pub fn class(&self) -> String {
        let mut parts = self.short_name().split('_');
        let first = parts.next().unwrap_or_default();
        let letters: String = first.chars().take_while(char::is_ascii_alphabetic).collect();
        match letters.as_bytes() {
            // The model of the GPU, or where the name has none its version.
            [b'N', _, ..] => {
                let rest: Vec<&str> = parts.collect();
                let models: Vec<&str> = rest.iter().copied().filter(|part| !is_version(part)).collect();
                [&letters[..2], &if models.is_empty() { rest.join("_") } else { models.join("_") }].join("_")
            }
            [b'H' | b'P', _, ..] => letters[..2].to_string(),
            [b'L' | b'M', ..] => letters[..1].to_string(),
            _ => String::new(),
        }
    }
    /// What its host cache holds.
    pub fn host_cache_capacity(&self) -> Option<Bytes> {
        self.cache.filter(|_| self.host_caching == Some(true))
    }
    /// Whether it passes all that another does, takes its disks, and has its caches and local disks.
    pub fn covers(&self, own: &VmSize) -> bool {
        self.passes(own)
            && self.host_cache_capacity() >= own.host_cache_capacity()
            && self.local_capacity() >= own.local_capacity()
    }
    /// Whether it passes all that another does, and takes its disks.
    pub fn passes(&self, own: &VmSize) -> bool {
        let wide = |other: Option<VmLimit>, own: Option<VmLimit>| match (other, own) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(other), Some(own)) => is_as_wide(other, own),
        };
        self.is_as_wide(own)
            && wide(self.cached, own.cached)
            && wide(self.premium2.or(own.premium2.map(|_| self.uncached)), own.premium2)
            && self.premium >= own.premium
    }
}

/// `v3`
fn is_version(part: &str) -> bool {
    part.strip_prefix('v').is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_as_wide(other: VmLimit, own: VmLimit) -> bool {
    other.iops >= own.iops && other.throughput() >= own.throughput()
}

impl DiskOptions {
    /// With bursts that are paid by use, or without.
    pub fn with_bursts_by_use(self, on: bool) -> DiskOptions {
        DiskOptions { on_demand_bursting: on, ..self }
    }
    pub fn has_bursts_by_use(&self) -> bool {
        self.on_demand_bursting
    }
    /// With higher rates that cost nothing, or without.
    pub fn with_more_rates(self, on: bool) -> DiskOptions {
        DiskOptions { performance_plus: on, ..self }
    }
}

/// The route to a disk of a kind that is not the machine's own.
pub fn route_to(kind: &Kind, cache: CacheMode, vm: &VmLimits) -> RouteId {
    route_of(if kind.second { Attachment::Premium2 } else { Attachment::Remote }, cache, vm)
}
