//! What disks cost by use, counted anew: operation by operation where the search has sums.

use crate::plan::VolumePlan;
use crate::problem::{DiskKind, DiskOffer, Problem, Usage, Volume};

use super::{Dealt, remote_reads};

/// Hours of a month.
const HOURS: u128 = 730;

/// Millionths a month, of a volume whose disks get these requests and bytes stamp by stamp.
pub(super) fn monthly(
    problem: &Problem,
    volume: &Volume,
    chosen: &VolumePlan,
    offer: &DiskOffer,
    disks: u64,
    (requests, moved): (&[u64], &[u64]),
) -> u64 {
    let (price, operations) = match (offer.usage, &offer.kind) {
        (Some(Usage::Operations { price, unit, units_max, hourly_max }), _) => {
            let (mut dealt, mut once) =
                (Dealt::new(disks, volume.stripe_unit, unit), Dealt::new(disks, volume.stripe_unit, None));
            let mut billed = |requests: u64, bytes: u64| {
                let most = units_max.map_or(u64::MAX, |most| once.ios(requests, bytes).saturating_mul(most));
                dealt.ios(requests, bytes).min(most)
            };
            let (reads, read_bytes) = remote_reads(&volume.usual, chosen);
            let asked = billed(reads, read_bytes) + billed(volume.usual.writes, volume.usual.write_bytes);
            // Of a thousand seconds to a month.
            let month = u128::from(asked) * HOURS * 36 / 10;
            let most = hourly_max.map_or(u128::MAX, |most| u128::from(most) * u128::from(disks) * HOURS);
            (price, month.min(most))
        }
        (Some(Usage::Burst { price, iops, bytes }), DiskKind::Fixed { iops: top, bytes: widest, .. }) => {
            let mut all = 0u128;
            for (requests, moved) in requests.iter().zip(moved) {
                let requests = (*requests).min(top.base * disks).saturating_sub(iops * disks);
                let moved = (*moved).min(widest.base * disks).saturating_sub(bytes * disks);
                // Four transactions a MB.
                all += u128::from(requests).max((u128::from(moved) * 4).div_ceil(1_000_000));
            }
            (price, (all * HOURS * 3_600).div_ceil(problem.stamps.max(1) as u128))
        }
        _ => return 0,
    };
    (u128::from(price.get()) * operations).div_ceil(10_000) as u64
}
