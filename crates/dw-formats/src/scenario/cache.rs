//! Overrides of the host cache.

use std::ops::Range;

use dw_stack::HostCacheSpec;
use dw_units::{Bytes, Duration};
use serde_spanned::Spanned;

use super::file::HostCacheFile;
use super::reader::Reader;
use super::scalar::Field;
use super::words;

pub(super) fn apply(reader: &mut Reader, cache: &mut HostCacheSpec, file: &HostCacheFile) {
    if let Some(capacity) = reader.quantity::<Bytes>("capacity", &file.capacity) {
        // Tiers that the catalogue derives from the capacity keep fitting into it.
        cache.ram = cache.ram.min(capacity);
        cache.write_back.dirty_max = cache.write_back.dirty_max.min(capacity);
        cache.capacity = capacity;
    }
    if let Some(ram) = reader.quantity::<Bytes>("ram", &file.ram) {
        if ram > cache.capacity {
            let hint = format!("the tiers are inclusive: write at most the capacity, {}", cache.capacity);
            reader.error(span_of(&file.ram), format!("a RAM tier of {ram} is larger than the cache"), hint);
        } else {
            cache.ram = ram;
        }
    }
    if let Some(size) = reader.quantity::<Bytes>("block_size", &file.block_size) {
        let bytes = size.get();
        if !bytes.is_power_of_two() || !(4_096..=1 << 20).contains(&bytes) {
            let what = format!("a cache block of {size} is not a power of two from 4 KiB to 1 MiB");
            reader.error(span_of(&file.block_size), what, "write for example `block_size = \"64 KiB\"`");
        } else {
            cache.block_size = size;
        }
    }
    if cache.capacity < cache.block_size {
        let at = if file.capacity.is_some() { &file.capacity } else { &file.block_size };
        let what = format!("a cache of {} is smaller than one block of {}", cache.capacity, cache.block_size);
        reader.error(
            span_of(at),
            what,
            "write a larger `capacity`; a VM without cache has volumes with `host_cache = \"None\"`",
        );
    }
    if let Some(fill) = reader.choice("fill", &file.fill, &words::FILLS) {
        cache.fill = fill;
    }
    if let Some(allocate) = reader.flag("write_allocate", &file.write_allocate) {
        cache.write_allocate = allocate;
    }
    if let Some(eviction) = reader.choice("eviction", &file.eviction, &words::EVICTIONS) {
        cache.eviction = eviction;
    }
    if reader.flag("miss_penalty", &file.miss_penalty) == Some(false) {
        cache.miss_penalty = None;
    }
    let Some(write_back) = &file.write_back else { return };
    if let Some(dirty_max) = reader.quantity::<Bytes>("dirty_max", &write_back.dirty_max) {
        if dirty_max > cache.capacity {
            let hint = format!("write at most the capacity, {}", cache.capacity);
            reader.error(span_of(&write_back.dirty_max), format!("{dirty_max} of dirty bytes do not fit"), hint);
        } else {
            cache.write_back.dirty_max = dirty_max;
        }
    }
    if let Some(depth) = reader.count("destage_depth", &write_back.destage_depth, 1..65_536) {
        cache.write_back.destage_depth = u32::try_from(depth).unwrap_or(u32::MAX);
    }
    if let Some(after) = reader.quantity::<Duration>("destage_after", &write_back.destage_after) {
        cache.write_back.destage_after = after;
    }
}

/// What is resident when a run begins. The stack begins cold; [`super::Scenario::warm_for`] says with what it is warmed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheStart {
    /// Nothing, as after a reboot.
    #[default]
    Cold,
    /// What the load will touch.
    Warm,
}

impl CacheStart {
    /// The emptier first.
    pub const ALL: [CacheStart; 2] = [CacheStart::Cold, CacheStart::Warm];

    /// As files, documents and the command line have it.
    pub const fn name(self) -> &'static str {
        match self {
            CacheStart::Cold => "cold",
            CacheStart::Warm => "warm",
        }
    }
}

fn span_of(field: &Field) -> Range<usize> {
    field.as_ref().map(Spanned::span).unwrap_or_default()
}
