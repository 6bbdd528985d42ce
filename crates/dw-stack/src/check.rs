//! What makes a description not a stack.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use dw_units::{Bytes, CacheMode};

use crate::host_cache::CACHEABLE_MAX;
use crate::spec::{HostCacheSpec, LimitSpec, Path, StackSpec, VolumeSpec};

/// Why a description is not a stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// Where, for example `volumes[1].disks[0]`.
    pub at: String,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub hint: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}\nhint: {}", self.at, self.what, self.hint)
    }
}

impl core::error::Error for SpecError {}

impl From<SpecError> for dw_error::Error {
    fn from(error: SpecError) -> Self {
        dw_error::Error::of(dw_error::Kind::Input, error)
    }
}

fn fault(at: impl Into<String>, what: impl Into<String>, hint: impl Into<String>) -> Result<(), SpecError> {
    Err(SpecError { at: at.into(), what: what.into(), hint: hint.into() })
}

/// Requests are at most 4 GiB, volumes and disks are counted in 16 bits.
const DISKS_MAX: usize = 4_096;
/// Gates are counted in 8 bits.
const GATES_MAX: usize = 256;
const STRIPE_UNIT_MIN: u64 = 512;

pub(crate) fn check(spec: &StackSpec) -> Result<(), SpecError> {
    if spec.volumes.is_empty() {
        return fault("volumes", "there is no volume", "describe at least one volume with one disk");
    }
    if spec.volumes.iter().map(|volume| volume.disks.len()).sum::<usize>() > DISKS_MAX {
        return fault("volumes", format!("there are more than {DISKS_MAX} disks"), "use fewer disks");
    }
    gates(spec)?;
    if let Some(cache) = &spec.vm.host_cache {
        host_cache(cache)?;
    }
    for (index, volume) in spec.volumes.iter().enumerate() {
        self::volume(&format!("volumes[{index}]"), volume, spec.vm.host_cache.is_some())?;
    }
    Ok(())
}

fn gates(spec: &StackSpec) -> Result<(), SpecError> {
    let gates = &spec.vm.gates;
    if gates.len() > GATES_MAX {
        return fault("vm.gates", format!("there are {} gates", gates.len()), format!("describe at most {GATES_MAX}"));
    }
    for (index, gate) in gates.iter().enumerate() {
        let at = format!("vm.{}", gate.name);
        if gates[..index].iter().any(|other| other.name == gate.name) {
            return fault(at, "two gates have this name", "give each a name of its own");
        }
        limit(&at, &gate.limits)?;
    }
    let passes = |of: &dyn Fn(&Path) -> bool| spec.volumes.iter().any(|volume| of(&volume.path));
    for (index, volume) in spec.volumes.iter().enumerate() {
        let (at, path) = (format!("volumes[{index}]"), &volume.path);
        if let Some(missing) = path.front.iter().chain(&path.remote).find(|gate| usize::from(gate.0) >= gates.len()) {
            let what = format!("`{}` passes gate {}, but the VM has {}", volume.name, missing.0, gates.len());
            return fault(at, what, "describe the gate in vm.gates");
        }
        if (1..path.remote.len()).any(|at| path.remote[..at].contains(&path.remote[at])) {
            let what = format!("`{}` passes one gate twice", volume.name);
            return fault(at, what, "name each gate once in `path.remote`");
        }
        if path.remote.len() > Path::GATES_MAX {
            let what = format!("`{}` passes {} gates behind its disks", volume.name, path.remote.len());
            return fault(at, what, format!("at most {} can follow each other", Path::GATES_MAX));
        }
        if let Some(both) = path.front.filter(|gate| passes(&|path| path.remote.contains(gate))) {
            let what = format!(
                "`{}` is before the cache for some volumes and behind the disks for others",
                gates[usize::from(both.0)].name
            );
            return fault(at, what, "describe two gates");
        }
    }
    Ok(())
}

fn limit(at: &str, spec: &LimitSpec) -> Result<(), SpecError> {
    for (name, rate) in [("iops", spec.iops), ("throughput", spec.throughput)] {
        let Some(rate) = rate else { continue };
        if rate.rate == 0 {
            return fault(format!("{at}.{name}"), "the rate is zero", "give at least 1, or leave the limit out");
        }
        if rate.burst.is_some_and(|burst| burst.rate < rate.rate) {
            return fault(
                format!("{at}.{name}"),
                "the burst rate is below the base rate",
                "a burst rate is what the limit becomes while credits last; make it at least the base rate",
            );
        }
    }
    Ok(())
}

fn host_cache(cache: &HostCacheSpec) -> Result<(), SpecError> {
    let at = "vm.host_cache";
    if cache.capacity < cache.block_size {
        return fault(at, format!("the capacity {} is below one block", cache.capacity), "leave the cache out instead");
    }
    if cache.ram > cache.capacity {
        let what = format!("the RAM tier {} is larger than the whole cache {}", cache.ram, cache.capacity);
        return fault(at, what, "the capacity counts all tiers: what is in RAM is also on the SSD");
    }
    if cache.write_back.dirty_max > cache.capacity {
        let what = format!("up to {} may be dirty, but the cache holds {}", cache.write_back.dirty_max, cache.capacity);
        return fault(at, what, "make dirty_max at most the capacity");
    }
    Ok(())
}

fn volume(at: &str, volume: &VolumeSpec, has_cache: bool) -> Result<(), SpecError> {
    let name = &volume.name;
    if volume.disks.is_empty() {
        return fault(at, format!("volume `{name}` has no disk"), "give it at least one disk");
    }
    if volume.disks.len() > 1 {
        let unit = volume.stripe_unit.get();
        if unit < STRIPE_UNIT_MIN || !unit.is_multiple_of(STRIPE_UNIT_MIN) {
            return fault(
                at,
                format!("the stripe unit of `{name}` is {}", volume.stripe_unit),
                "give a multiple of 512 B, for example 64 KiB",
            );
        }
        if let Some(small) = volume.disks.iter().position(|disk| disk.size < volume.stripe_unit) {
            let what = format!("disk {small} of `{name}` is smaller than one stripe unit");
            return fault(at, what, "use a smaller stripe unit or larger disks");
        }
    }
    for (index, disk) in volume.disks.iter().enumerate() {
        let at = format!("{at}.disks[{index}]");
        if disk.size == Bytes::ZERO {
            return fault(at, format!("disk `{}` has no size", disk.name), "give its capacity");
        }
        limit(&format!("{at}.limits"), &disk.limits)?;
        for (name, own) in [("reads", &disk.by_direction.reads), ("writes", &disk.by_direction.writes)] {
            own.as_ref().map_or(Ok(()), |own| limit(&format!("{at}.by_direction.{name}"), own))?;
        }
        for service in [&disk.read, &disk.write] {
            if service.bandwidth.is_some_and(|bandwidth| bandwidth.get() == 0) {
                return fault(at, "the stream bandwidth is zero", "leave it out if size does not matter");
            }
        }
        if volume.host_cache != CacheMode::None && disk.size.get() > CACHEABLE_MAX {
            return fault(
                at,
                format!("disk `{}` is {}: host caching ends at 4,095 GiB", disk.name, disk.size),
                "set the host cache of this volume to None, or stripe smaller disks",
            );
        }
    }
    if volume.host_cache == CacheMode::None {
        return Ok(());
    }
    match (volume.path.local, volume.path.front) {
        (true, _) => fault(
            at,
            format!("`{name}` is on local disks, which the host cache does not serve"),
            "set its host cache to None",
        ),
        (false, None) => {
            fault(at, format!("`{name}` is on disks without host caching"), "set its host cache to None".to_string())
        }
        (false, Some(_)) if !has_cache => fault(
            at,
            format!("`{name}` wants host caching, but this VM has no host cache"),
            "set its host cache to None, or choose a size with a host cache",
        ),
        (false, Some(_)) => Ok(()),
    }
}
