//! What disks cost: of those that several VMs attach the part of one; by use an operation at a time, where the search has sums.

use dw_catalogue::Money;
use dw_planner::problem::*;

use super::carried::disk_ios;

/// A month of `n` disks of a volume that hits so often.
pub fn by_use(problem: &Problem, volume: &Volume, disk: &DiskOffer, n: u64, hit: u32) -> Money {
    let missing = |n: u64| n - (u128::from(n) * u128::from(hit) / 1_000_000) as u64;
    let pieces = |s: &Sample, own: Option<u64>| -> u64 {
        let of = |requests: u64, moved: u64| disk_ios(requests, moved, n, volume.stripe_unit.get(), own);
        of(missing(s.reads), missing(s.read_bytes)) + of(s.writes, s.write_bytes)
    };
    let (price, operations) = match (disk.usage, &disk.kind) {
        (Some(Usage::Operations { price, unit, units_max, hourly_max }), _) => {
            let of = |requests: u64, moved: u64| {
                let ios = |own: Option<u64>| disk_ios(requests, moved, n, volume.stripe_unit.get(), own);
                ios(unit.map(|unit| unit.get())).min(units_max.map_or(u64::MAX, |most| most * ios(None)))
            };
            let usual = &volume.usual;
            let billed = of(missing(usual.reads), missing(usual.read_bytes)) + of(usual.writes, usual.write_bytes);
            let month = u128::from(billed) * 2_628;
            (price, hourly_max.map_or(month, |most| month.min(u128::from(most) * 730 * u128::from(n))))
        }
        (Some(Usage::Burst { price, iops, bytes }), DiskKind::Fixed { iops: top, bytes: widest, .. }) => {
            let unit = disk.io_unit.map(|unit| unit.get());
            let billed = |s: &Sample| {
                let requests = pieces(s, unit).min(n * top.base).saturating_sub(n * iops);
                let moved = (missing(s.read_bytes) + s.write_bytes).min(n * widest.base).saturating_sub(n * bytes);
                u128::from(requests.max(moved.div_ceil(250_000)))
            };
            let all: u128 = volume.samples.iter().map(billed).sum();
            (price, (all * 2_628_000).div_ceil(problem.stamps as u128))
        }
        _ => return Money::ZERO,
    };
    divided(disk, (u128::from(price.get()) * operations).div_ceil(10_000) as u64)
}

/// What one VM pays of `n` disks of which each costs so much, but for use.
pub fn paid(disk: &DiskOffer, n: u64, each: Money) -> Money {
    let mounts: u64 = disk.shared.map_or(0, |shared| (0..shared.vms).map(|_| shared.mount.get()).sum());
    divided(disk, (each.get() + mounts) * n)
}

fn divided(disk: &DiskOffer, all: u64) -> Money {
    let vms = disk.shared.map_or(1, |shared| u64::from(shared.vms));
    Money::micros(all / vms + u64::from(!all.is_multiple_of(vms)))
}
