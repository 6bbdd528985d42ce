//! The disks of a volume: what they hold, give and cost, as they come or as they were bought.
//!
//! Source: `docs/model/planning.md`, "Ways to buy a disk"; `docs/model/token-bucket.md` for bursts.
//!
//! Ignores: that billed operations are cut off by the hour, not over the month.

use dw_catalogue::free::{BurstBytes, Follow};
use dw_units::Bytes;

use super::stripe::Stripe;
use crate::free::Provisioned;
use crate::plan::VolumePlan;
use crate::problem::{DiskKind, DiskOffer, FreeDisk, Problem, Rate, Rates, Stream, Usage, Volume};

const HOURS: u128 = 730;
const SECONDS: u128 = HOURS * 3_600;
/// A price is of so many operations.
const PRICED: u128 = 10_000;
/// Bytes of a burst that are billed as one operation.
const BURST_UNIT: u64 = 250_000;

/// Disks that are all alike.
pub(super) struct Bought<'a> {
    pub(super) offer: &'a DiskOffer,
    pub(super) count: u64,
    pub(super) is_for_sale: bool,
    /// Of each.
    pub(super) gib: u64,
    iops: Rate,
    bytes: Rate,
    /// Millionths a month.
    price: u64,
}

impl Bought<'_> {
    /// Those of a volume; nothing without any, or where nothing was chosen for them.
    pub(super) fn of<'a>(problem: &'a Problem, chosen: &VolumePlan) -> Option<Bought<'a>> {
        let disks = chosen.disks.as_ref()?;
        let offer = &problem.disks[disks.offer];
        let (is_for_sale, gib, iops, bytes, price) = match (&offer.kind, disks.each) {
            (DiskKind::Fixed { gib, iops, bytes, price }, _) => (true, *gib, *iops, *bytes, price.get()),
            (DiskKind::Free(free), each) => {
                let each = each?;
                let (iops, bytes) = given(problem, free, each);
                (is_for_sale(free, each), each.gib, iops, bytes, price(free, each))
            }
        };
        Some(Bought { offer, count: disks.count.into(), is_for_sale, gib, iops, bytes, price })
    }

    pub(super) fn hold_gib(&self) -> u64 {
        self.gib * self.count
    }

    pub(super) fn give(&self) -> Rates {
        let times = |value: u64| value.saturating_mul(self.count);
        let all = |rate: Rate| Rate {
            base: times(rate.base),
            burst: rate.burst.map(|(top, credits)| (times(top), times(credits))),
        };
        Rates { iops: Some(all(self.iops)), bytes: Some(all(self.bytes)) }
    }

    /// Millionths a month that one VM pays, but for what is billed by use: of a disk that several attach, each mount is paid, and the sum
    /// is divided.
    pub(super) fn cost(&self) -> u64 {
        let (vms, mount) = self.offer.shared.map_or((1, 0), |shared| (u64::from(shared.vms), shared.mount.get()));
        self.price.saturating_add(mount.saturating_mul(vms)).saturating_mul(self.count).div_ceil(vms)
    }

    /// Millionths a month by use that one VM pays, of a volume whose disks carry this.
    pub(super) fn by_use(&self, problem: &Problem, volume: &Volume, missed: [Stream; 2], loads: &[Stream]) -> u64 {
        let (price, operations) = match self.offer.usage {
            Some(Usage::Operations { price, unit, units_max, hourly_max }) => {
                let ios = |unit: Option<Bytes>, stream| Stripe::new(self.count, volume.stripe_unit, unit).ios(stream);
                let most = |stream| units_max.map_or(u64::MAX, |most| ios(None, stream).saturating_mul(most));
                let billed: u64 = missed.iter().map(|stream| ios(unit, *stream).min(most(*stream))).sum();
                // What is usual is of a thousand seconds.
                let month = u128::from(billed) * SECONDS / 1_000;
                let hourly = hourly_max.map(|most| u128::from(most) * u128::from(self.count) * HOURS);
                (price, hourly.map_or(month, |most| month.min(most)))
            }
            Some(Usage::Burst { price, iops, bytes }) => {
                let beyond =
                    |load: u64, top: u64, own: u64| (load.min(top * self.count)).saturating_sub(own * self.count);
                let billed = loads.iter().map(|load| {
                    let units = beyond(load.bytes, self.bytes.base, bytes).div_ceil(BURST_UNIT);
                    u128::from(beyond(load.requests, self.iops.base, iops).max(units))
                });
                (price, (billed.sum::<u128>() * SECONDS).div_ceil(problem.stamps.max(1) as u128))
            }
            None => return 0,
        };
        let all = (u128::from(price.get()) * operations).div_ceil(PRICED) as u64;
        all.div_ceil(self.offer.shared.map_or(1, |shared| shared.vms.into()))
    }
}

/// What a disk gives of requests and of bytes a second: what was bought, or what its size brings, with credits where those count.
fn given(problem: &Problem, free: &FreeDisk, each: Provisioned) -> (Rate, Rate) {
    let sustained = (each.iops, each.mb * each.unit);
    let Some(burst) = free.burst.filter(|_| problem.bursting) else {
        return (Rate::plain(sustained.0), Rate::plain(sustained.1));
    };
    // A bucket of a rate that is not above what is sustained is none.
    let on_credits = |base: u64, top: u64, credits: u64| match top > base {
        true => Rate { base, burst: Some((top, credits)) },
        false => Rate::plain(base),
    };
    let iops = burst.iops.map_or(Rate::plain(sustained.0), |(top, credits)| on_credits(sustained.0, top, credits));
    let bytes = match burst.bytes {
        BurstBytes::Plain { mb, small_gib, small_mb } => {
            let is_small = each.gib <= small_gib;
            Rate::plain(if is_small { small_mb } else { mb } * each.unit)
        }
        BurstBytes::Credits { bytes_per_gib, mb, credits_per_gib } => {
            let top = if each.gib * bytes_per_gib > mb * each.unit { mb * each.unit } else { each.gib * bytes_per_gib };
            on_credits(sustained.1, top, each.gib * credits_per_gib)
        }
    };
    (iops, bytes)
}

/// Whether a disk can be had like that: each of its figures within bounds of its own, and within those that the others set.
fn is_for_sale(free: &FreeDisk, each: Provisioned) -> bool {
    let Provisioned { gib, iops, mb, unit } = each;
    let is_step = gib >= 4 && (gib.is_power_of_two() || gib.is_multiple_of(1_024));
    let iops_most = (free.iops_per_gib * gib).max(free.iops.0).min(free.iops.1);
    let iops_least = (free.iops_min_per_gib * gib).min(free.iops.1).max(free.iops.0);
    let bytes_least = (free.bytes_min_per_iops * iops).min(free.mb.1 * unit);
    let bytes_most = (free.bytes_per_iops * iops).min(free.bytes_per_gib.map_or(u64::MAX, |bytes| bytes * gib));
    (free.gib.0..=free.gib.1).contains(&gib)
        && (is_step || !free.stepped)
        && (iops_least..=iops_most).contains(&iops)
        && (free.mb.0..=free.mb.1).contains(&mb)
        && (bytes_least..=bytes_most).contains(&(mb * unit))
        && unit == free.unit
        && follows(free, each, (iops_most, bytes_most))
}

/// Whether rates that nobody buys are as high as they come.
fn follows(free: &FreeDisk, each: Provisioned, most: (u64, u64)) -> bool {
    let bytes = each.mb + 1 > free.mb.1 || (each.mb + 1) * each.unit > most.1;
    match free.follow {
        Follow::Nothing => true,
        Follow::Throughput => bytes,
        Follow::Both => bytes && each.iops == most.0,
    }
}

/// Millionths a month for a disk: what of each figure is beyond those that come with it.
fn price(free: &FreeDisk, each: Provisioned) -> u64 {
    let (gib, iops, mb) = free.price;
    let (own, besides) = (free.free, free.besides);
    let paid = [(gib, each.gib, 0), (iops, each.iops + besides.0, own.0), (mb, each.mb + besides.1, own.1)];
    let paid = paid.map(|(price, bought, own)| price.get().saturating_mul(bought.saturating_sub(own)));
    paid.into_iter().fold(free.base.get(), u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use dw_catalogue::Money;

    use super::*;

    #[test]
    fn each_figure_has_bounds_of_its_own_and_of_the_others() {
        let free = FreeDisk {
            gib: (1, 4_096),
            stepped: false,
            iops_per_gib: 500,
            iops_min_per_gib: 1,
            iops: (3_000, 80_000),
            bytes_per_iops: 250_000,
            bytes_min_per_iops: 4_096,
            mb: (125, 1_200),
            free: (3_000, 125),
            besides: (100, 1),
            price: (Money::micros(81_000), Money::micros(5_000), Money::micros(40_000)),
            ..FreeDisk::PLAIN
        };
        let cases = [
            ("as little as there is", (1, 3_000, 125), true),
            ("as many IOPS as a GiB may have", (10, 5_000, 200), true),
            ("more", (9, 5_000, 200), false),
            ("fewer than any disk has", (1, 2_000, 125), false),
            ("fewer than so many GiB have", (4_000, 3_000, 125), false),
            ("more bytes than an IOPS may have", (8, 4_000, 1_001), false),
            ("fewer than it has", (160, 80_000, 125), false),
            ("more MB/s than any disk", (100, 50_000, 1_201), false),
            ("more GiB", (4_097, 4_097, 125), false),
        ];
        for (name, (gib, iops, mb), expected) in cases {
            let each = Provisioned { gib, iops, mb, unit: 1_000_000 };
            assert_eq!(is_for_sale(&free, each), expected, "{name}");
            assert!(!expected || free.provision(gib, iops, mb * 1_000_000) == Some(each), "{name}");
        }
        for (gib, expected) in [(10, false), (16, true), (1_536, false), (2_048, true)] {
            let stepped = FreeDisk { stepped: true, ..free };
            assert_eq!(
                is_for_sale(&stepped, Provisioned { gib, iops: 5_000, mb: 200, unit: 1_000_000 }),
                expected,
                "{gib} GiB in steps"
            );
        }
        assert_eq!(
            price(&free, Provisioned { gib: 10, iops: 5_000, mb: 200, unit: 1_000_000 }),
            810_000 + 2_100 * 5_000 + 76 * 40_000
        );
    }
}
