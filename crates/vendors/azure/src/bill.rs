//! What a month of a disk is billed by: which meters, of what, how much of each. Whoever says what disks cost asks here: the planner
//! of what it would buy, `plan diff` of what a scenario has.
//!
//! A disk of a fixed size is billed as the performance tier that it is set to; on-demand bursting costs a fee for being switched
//! on; a disk sized freely is billed by GiB, IOPS and MB/s, less the part that is free with every disk; the size of an ultra disk in steps.
//!
//! Source: the vendor's page on disk billing, its pages on on-demand bursting, on performance tiers and on performance plus (2026-09-16).
//!
//! What is billed by use follows from a load: `Catalogue::operations` says how those of standard disks are counted. Performance
//! plus costs nothing.
//!
//! Of ultra disks sources disagree: the price page and the tables of sizes have steps, and a size between costs as the next one; pages of
//! 2025-10 and 2026-08 bill them by the GiB. The dearer is taken, and a plan buys no size between.
//!
//! Ignores: shared disks, snapshots.

use dw_units::Bytes;

use crate::disk::{DiskFamily, DiskOffer};
use crate::disk_spec::DiskOptions;
use dw_vendor::free::Follow;
use dw_vendor::price::Meter;

/// What the price of on-demand bursting is the price of: it is the same for every disk of this family.
pub const BURSTING: &str = "PremiumSSD";

/// What the price of a GiB of a snapshot is the price of, whatever disk it is of.
pub const SNAPSHOT: &str = "Snapshot";

/// Behind the name of a disk whose price is that of three zones.
pub const ZONE_REDUNDANT: &str = "_ZRS";

/// How the operations of a disk are billed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operations {
    /// The disk whose price of operations counts.
    pub of: String,
    /// A larger operation is billed as several of this size; absent = once.
    pub unit: Option<Bytes>,
    /// One operation is billed as so many at most.
    pub units_max: Option<u64>,
    /// No more than so many an hour are billed, where a limit is published.
    pub hourly_max: Option<u64>,
}

/// So much of a meter of something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Billed {
    /// What, as prices name it.
    pub of: String,
    /// Which meter.
    pub meter: Meter,
    /// How much a month.
    pub count: u64,
}

/// A disk sized freely, less what is `free` (IOPS, MB/s).
pub fn provisioned(gib: u64, iops: u64, mb: u64, free: (u64, u64)) -> [(Meter, u64); 3] {
    [(Meter::GiB, gib), (Meter::Iops, iops.saturating_sub(free.0)), (Meter::MbPerSecond, mb.saturating_sub(free.1))]
}

/// The size that is billed of an ultra disk: powers of two from 4 GiB to 1 TiB, then whole TiB.
pub fn step(gib: u64) -> u64 {
    if gib <= 1_024 { gib.next_power_of_two().max(4) } else { gib.next_multiple_of(1_024) }
}

impl DiskOffer {
    /// Whether its size is offered and billed in steps.
    pub fn billed_in_steps(&self) -> bool {
        self.family() == Some(DiskFamily::Ultra)
    }
    /// Of one such disk with what was chosen for it, which [`DiskOffer::disk_spec`] has taken.
    pub fn billed(&self, options: &DiskOptions) -> Vec<Billed> {
        let part = |of: &str, meter, count| Billed { of: of.to_string(), meter, count };
        let Some(rules) = self.free_form.filter(|_| self.base.is_none()) else {
            let tier = |asked: &String| self.tiers.iter().find(|tier| tier.sku.eq_ignore_ascii_case(asked.trim()));
            let sku = options.tier.as_ref().and_then(tier).map_or(&self.sku, |tier| &tier.sku);
            let mut parts = vec![part(sku, Meter::Whole, 1)];
            if options.on_demand_bursting {
                parts.push(part(BURSTING, Meter::Burst, 1));
            }
            return parts;
        };
        let free = rules.free.map_or((0, 0), |(iops, mb)| (iops.get(), mb));
        let gib = options.size.map_or(0, Bytes::get).div_ceil(1 << 30);
        let gib = if self.billed_in_steps() { step(gib) } else { gib };
        let iops = options.iops.map_or(free.0, |iops| iops.get());
        let mb = options.throughput.map_or(free.1, |rate| rate.get().div_ceil(rules.unit.bytes()));
        let mut parts: Vec<Billed> =
            provisioned(gib, iops, mb, free).into_iter().map(|(meter, count)| part(&self.sku, meter, count)).collect();
        // What follows from the rest is billed with it.
        parts.retain(|part| match part.meter {
            Meter::Iops => rules.follow != Follow::Both,
            Meter::MbPerSecond => rules.follow == Follow::Nothing,
            _ => true,
        });
        if !rules.bands.is_empty() {
            parts.retain(|part| part.meter != Meter::Iops);
            let banded = rules.banded(self.kind.id, iops).into_iter();
            parts.extend(banded.map(|(of, count)| part(of, Meter::Iops, count)));
        }
        parts
    }
}
