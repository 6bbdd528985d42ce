//! The default host cache of a size: its capacity is published, everything else about it is an assumption (grade D).
//!
//! | parameter | default | reason |
//! |---|---|---|
//! | RAM tier | 1/64 of the capacity | the cache is "host RAM and local SSD"; the share is not published |
//! | block | 64 KiB | not published; a compromise between 4 KiB database pages and 1 MiB scans |
//! | fill | the sectors that were read | not published; reads "update the cache" |
//! | write-allocate | yes | "writes trigger an update on the VM read-only cache"; measured in 2019 |
//! | eviction | least recently used | not published |
//! | dirty bytes | 1/8 of the capacity | not published |
//! | destage | after 1 s, 16 at a time per disk | "lazily"; not published |
//!
//! Source: catalogue sources of the size for the capacity; chapter `docs/model/host-cache.md`.
//!
//! Ignores: that other VMs of the same host share the medium.

use dw_stack::{Eviction, Fill, HostCacheSpec, WriteBackSpec};
use dw_units::{Bytes, Duration};

use dw_vendor::latency::{self, LatencySetting};

/// Share of the capacity that is RAM: one part in this many.
const RAM_SHARE: u64 = 64;
/// Share of the capacity that may be dirty: one part in this many.
const DIRTY_SHARE: u64 = 8;
/// Unit of residence and eviction.
pub const BLOCK: Bytes = Bytes::kib(64);

/// The default cache of that capacity.
pub fn spec(capacity: Bytes, setting: LatencySetting) -> HostCacheSpec {
    let blocks = |share: u64| BLOCK * (capacity / BLOCK / share);
    let [ram, ssd, penalty] = ["ram-hit", "ssd-hit", "cache-miss-penalty"].map(latency::builtin);
    HostCacheSpec {
        ram: blocks(RAM_SHARE),
        capacity: blocks(1),
        block_size: BLOCK,
        fill: Fill::Sectors,
        write_allocate: true,
        eviction: Eviction::Lru,
        ram_hit: ram.read(setting).clone(),
        ssd_read: ssd.read(setting).clone(),
        ssd_write: ssd.write(setting).clone(),
        miss_penalty: Some(penalty.read(setting).clone()),
        write_back: WriteBackSpec {
            dirty_max: blocks(DIRTY_SHARE),
            destage_depth: 16,
            destage_after: Duration::from_secs(1),
        },
    }
}
