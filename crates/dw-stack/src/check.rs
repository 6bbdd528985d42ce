//! What makes a description not a stack.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use dw_units::{Bytes, CacheMode, Duration};

use crate::host_cache::CACHEABLE_MAX;
use crate::request::{Op, Quantity};
use crate::spec::{
    Accounting, DiskSpec, FirstTouch, HostCacheSpec, Limit, LimitSpec, Path, StackSpec, VolumeSpec, Weight,
};

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
/// Gates are counted in 8 bits, from 1.
const GATES_MAX: usize = 255;
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
            return fault(at, "two gates have this name", "give each its own name");
        }
        limit(&at, &gate.limits)?;
        each(&at, &gate.more)?;
        // A limit of a gate is known by its quantity, and both of a gate are passed by the same requests.
        alone(&at, gate.all_limits(), |limit| limit.quantity, "describe two gates, one after the other")?;
        let mut directions = gate.all_limits().map(|limit| limit.accounting.only());
        let first = directions.next().flatten();
        if directions.any(|only| only != first) {
            let what = "its limits charge requests of different directions";
            return fault(at, what, "describe two gates, one after the other");
        }
        let before_cache = |volume: &VolumeSpec| volume.path.front.is_some_and(|id| usize::from(id.0) == index);
        if first.is_some() && spec.volumes.iter().any(before_cache) {
            let what = "it is before the host cache, and lets one direction pass uncounted";
            return fault(at, what, "describe it behind the disks, or the limit as one of each disk");
        }
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
            return fault(format!("{at}.{name}"), "the rate is zero", "give at least 1, or omit the limit");
        }
        if rate.burst.is_some_and(|burst| burst.rate < rate.rate) {
            return fault(
                format!("{at}.{name}"),
                "the burst rate is below the base rate",
                "a burst rate is the limit while credits last; make it at least the base rate",
            );
        }
    }
    Ok(())
}

/// Limits with an accounting of their own.
fn each(at: &str, limits: &[Limit]) -> Result<(), SpecError> {
    for (index, limit) in limits.iter().enumerate() {
        let at = format!("{at}.more[{index}]");
        if limit.rate == 0 {
            return fault(at, "the rate is zero", "give at least 1, or omit the limit");
        }
        if let Some(credits) = limit.credits {
            if credits.peak < limit.rate {
                return fault(
                    at,
                    "the peak rate is below the rate",
                    "make it at least the rate, or leave the credits out",
                );
            }
            if let Some(level) = credits.level.filter(|&level| level > credits.size) {
                let what = format!("it starts with {level} credits but holds only {}", credits.size);
                return fault(at, what, "start with at most as many as it holds");
            }
            if credits.top_up.is_some_and(|after| after == Duration::ZERO) {
                return fault(at, "it always refills at once", "remove the top-up, or make the peak the rate");
            }
        }
        accounting(&at, limit.quantity, &limit.accounting)?;
        let largest =
            limit.credits.map_or(0, |credits| credits.size.max(credits.peak)).max(limit.rate).max(limit.depth);
        if largest > u64::MAX / limit.accounting.scale() {
            return fault(
                at,
                format!("{largest} is too large to be weighted"),
                "give a smaller rate, depth and credits",
            );
        }
    }
    Ok(())
}

fn accounting(at: &str, quantity: Quantity, accounting: &Accounting) -> Result<(), SpecError> {
    let Accounting { unit, floor, merge, read, write } = *accounting;
    let zero = |bytes: Option<Bytes>| bytes == Some(Bytes::ZERO);
    if zero(unit) {
        return fault(at, "requests are split above 0 B", "omit the unit to charge each as one");
    }
    if zero(merge) {
        return fault(at, "requests are merged up to 0 B", "omit `merge` to charge each separately");
    }
    if let (Some(floor), Quantity::Iops) = (floor, quantity) {
        let what = format!("an I/O is charged as at least {floor}, but the limit counts I/Os");
        return fault(at, what, "leave the floor out, or limit bytes");
    }
    if let (Some(floor), Some(unit)) = (floor, unit)
        && floor > unit
    {
        let what = format!("requests are split above {unit} and charged as at least {floor}");
        return fault(at, what, "make the floor at most the unit");
    }
    let max = Weight::NUMBER_MAX;
    for (name, weight) in [("read", read), ("write", write)] {
        if weight.per == 0 {
            return fault(
                at,
                format!("the weight of a {name} is divided by 0"),
                "give it as a fraction, such as 29/25",
            );
        }
        if weight.times.max(weight.per) > max {
            let what = format!("the weight of a {name} is {}/{}", weight.times, weight.per);
            return fault(at, what, format!("use numbers up to {max}"));
        }
    }
    if read.times == 0 && write.times == 0 {
        return fault(at, "neither reads nor writes are charged", "leave the limit out");
    }
    let parts = accounting.parts();
    if let Some(more) = parts.into_iter().chain([accounting.scale()]).find(|&parts| parts > u64::from(max)) {
        let what = format!("the weights of a read and a write need {more} parts of a token");
        return fault(at, what, format!("round them so that {max} do"));
    }
    let ios = unit.map_or(1, |unit| u64::from(u32::MAX).div_ceil(unit.get())) * parts[0].max(parts[1]);
    if quantity == Quantity::Iops && ios > u64::from(u32::MAX) {
        return fault(at, format!("a request of 4 GiB is charged as {ios} parts of an I/O"), "make the unit larger");
    }
    Ok(())
}

/// Each of these limits has a `key` of its own, and there are few.
fn alone<K: PartialEq>(
    at: &str,
    limits: impl Iterator<Item = Limit>,
    key: impl Fn(&Limit) -> K,
    hint: &str,
) -> Result<(), SpecError> {
    let limits: Vec<Limit> = limits.collect();
    if limits.len() > Limit::COUNT_MAX {
        return fault(at, format!("it has {} limits", limits.len()), format!("describe at most {}", Limit::COUNT_MAX));
    }
    for (index, limit) in limits.iter().enumerate() {
        if limits[..index].iter().any(|other| key(other) == key(limit)) {
            let counted = if limit.quantity == Quantity::Iops { "the I/Os" } else { "the bytes" };
            let of = match limit.accounting.only() {
                None => "",
                Some(Op::Read) => " of reads",
                Some(_) => " of writes",
            };
            return fault(at, format!("two limits count {counted}{of}"), hint);
        }
    }
    Ok(())
}

fn host_cache(cache: &HostCacheSpec) -> Result<(), SpecError> {
    let at = "vm.host_cache";
    if cache.capacity < cache.block_size {
        return fault(at, format!("the capacity {} is below one block", cache.capacity), "omit the cache instead");
    }
    if cache.ram > cache.capacity {
        let what = format!("the RAM tier {} is larger than the whole cache {}", cache.ram, cache.capacity);
        return fault(at, what, "the capacity covers all tiers: data in RAM is also on the SSD");
    }
    if cache.write_back.dirty_max > cache.capacity {
        let what = format!("up to {} may be dirty, but the cache holds {}", cache.write_back.dirty_max, cache.capacity);
        return fault(at, what, "make dirty_max at most the capacity");
    }
    Ok(())
}

/// Data that have to be fetched first.
fn first_touch(at: &str, volume: &VolumeSpec, disk: &DiskSpec, touch: &FirstTouch) -> Result<(), SpecError> {
    let (at, block) = (format!("{at}.first_touch"), touch.block.get());
    if !block.is_power_of_two() || !(4 << 10..=1 << 30).contains(&block) {
        let what = format!("blocks of {} are no power of two from 4 KiB to 1 GiB", touch.block);
        return fault(at, what, "give for example 512 KiB");
    }
    if touch.background.is_some_and(|rate| rate.get() == 0) {
        return fault(at, "data come by themselves at 0 B/s", "omit the rate where they do not come by themselves");
    }
    if volume.path.local || volume.host_cache != CacheMode::None {
        let what = format!("disk `{}` is local or has host caching, and its data have to be fetched first", disk.name);
        return fault(at, what, "leave one of the two out");
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
        if let Some(touch) = &disk.first_touch {
            first_touch(&at, volume, disk, touch)?;
        }
        if disk.io_unit == Some(Bytes::ZERO) {
            return fault(format!("{at}.io_unit"), "I/Os are counted in units of 0 B", "omit it to count each once");
        }
        each(&at, &disk.more)?;
        let key = |limit: &Limit| (limit.quantity, limit.accounting.only());
        alone(&at, disk.all_limits(), key, "describe one, with the narrower rate")?;
        for service in [&disk.read, &disk.write] {
            if service.bandwidth.is_some_and(|bandwidth| bandwidth.get() == 0) {
                return fault(at, "the stream bandwidth is zero", "omit it if size does not matter");
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
