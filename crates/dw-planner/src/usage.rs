//! What a month of disks costs by use.
//!
//! Operations of standard disks: every one that reaches them, at the mean rate, one that a stripe splits as several; one larger than the
//! unit of billing, where there is one, as several, up to a number; of each disk no more in an hour than are billed. Bursts on demand: in every stamp what exceeds the
//! rates of the disks, requests or bytes in units of 256 KB, whichever are more; what exceeds the burst, too, is not served and costs
//! nothing.
//!
//! Source: the vendor's pages on disk types and on disk bursting; `docs/model/token-bucket.md` for the same sum in the simulator.
//!
//! Ignores: that an hour above the limit of what is billed and one below it cost less than two of their mean.

use dw_catalogue::Money;
use dw_catalogue::price::HOURS_A_MONTH;
use dw_units::Bytes;

use crate::load::{Load, Loads, missing};
use crate::plan::{Disks, Plan};
use crate::problem::{DiskKind, DiskOffer, Problem, Usage};
use crate::split::Split;

/// Bytes that are billed as one transaction of a burst.
const BURST_UNIT: u64 = 250_000;
/// Seconds of a month.
const SECONDS: u64 = HOURS_A_MONTH * 3_600;
/// Operations that a price is of.
const PRICED: u128 = 10_000;

/// What a month of `count` disks costs one VM by use, whose load is `load`.
pub(crate) fn monthly(problem: &Problem, volume: usize, hit: u32, disk: &DiskOffer, count: u32, load: &Load) -> Money {
    let all = match (disk.usage, &disk.kind) {
        (Some(Usage::Operations { price, .. }), _) => of(price, billed(problem, volume, hit, disk, count)),
        (Some(Usage::Burst { price, iops, bytes }), DiskKind::Fixed { iops: top_iops, bytes: top_bytes, .. }) => {
            let n = u64::from(count);
            let beyond = |load: u64, free: u64, top: u64| load.min(top * n).saturating_sub(free * n);
            let peaks = load.peaks.iter().map(|&(ops, moved)| {
                let of_bytes = beyond(moved, bytes, top_bytes.base).div_ceil(BURST_UNIT);
                u128::from(beyond(ops, iops, top_iops.base).max(of_bytes))
            });
            let all: u128 = peaks.sum();
            of(price, (all * u128::from(SECONDS)).div_ceil(problem.stamps.max(1) as u128))
        }
        _ => Money::ZERO,
    };
    disk.part(all)
}

/// Operations a month of a volume's disks that are billed under a plan.
pub fn operations(problem: &Problem, plan: &Plan, volume: usize) -> u128 {
    let chosen = &plan.volumes[volume];
    chosen
        .disks
        .as_ref()
        .map_or(0, |disks| billed(problem, volume, chosen.hit, &problem.disks[disks.offer], disks.count))
}

fn billed(problem: &Problem, volume: usize, hit: u32, disk: &DiskOffer, count: u32) -> u128 {
    let Some(Usage::Operations { unit, units_max, hourly_max, .. }) = disk.usage else { return 0 };
    let volume = &problem.volumes[volume];
    let once = Split { disks: u64::from(count), unit: volume.stripe_unit.get(), io_unit: None };
    let split = Split { io_unit: unit.map(Bytes::get), ..once };
    let ios = |requests: u64, bytes: u64| {
        let most = units_max.map_or(u64::MAX, |most| once.ios(requests, bytes).saturating_mul(most));
        split.ios(requests, bytes).min(most)
    };
    let asked = volume.usual;
    let reads = ios(missing(asked.reads, hit), missing(asked.read_bytes, hit));
    let writes = ios(asked.writes, asked.write_bytes);
    let month = u128::from(reads + writes) * u128::from(SECONDS) / 1_000;
    let most = hourly_max.map(|most| u128::from(most) * u128::from(HOURS_A_MONTH) * u128::from(count));
    most.map_or(month, |most| month.min(most))
}

fn of(price: Money, operations: u128) -> Money {
    Money::micros((u128::from(price.get()) * operations).div_ceil(PRICED) as u64)
}

/// What a month of the disks of a volume costs by use.
pub(crate) fn of_disks(problem: &Problem, volume: usize, hit: u32, offer: usize, count: u32) -> Money {
    let disk = &problem.disks[offer];
    if disk.usage.is_none() {
        return Money::ZERO;
    }
    let load = Loads::of(problem, None).on_disks(problem, volume, hit, disk, count);
    monthly(problem, volume, hit, disk, count, &load)
}

/// The plan at the prices and under the load of a problem.
pub(crate) fn priced(problem: &Problem, mut plan: Plan) -> Plan {
    let mut sum = problem.vms[plan.vm].price;
    for (place, volume) in plan.volumes.iter_mut().enumerate() {
        let Some(disks) = &mut volume.disks else { continue };
        disks.usage = of_disks(problem, place, volume.hit, disks.offer, disks.count);
        let all = each(problem, disks) * u64::from(disks.count);
        disks.cost = problem.disks[disks.offer].paid(disks.count, all) + disks.usage;
        sum += disks.cost;
    }
    plan.cost = sum;
    plan
}

fn each(problem: &Problem, disks: &Disks) -> Money {
    match (&problem.disks[disks.offer].kind, disks.each) {
        (DiskKind::Fixed { price, .. }, _) => *price,
        (DiskKind::Free(free), Some(each)) => free.cost(each),
        (DiskKind::Free(_), None) => Money::ZERO,
    }
}

/// Disks that several VMs attach: what they cost all of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Once {
    pub vms: u32,
    /// A month of them, with their mounts and what is billed by use.
    pub all: Money,
    /// What of it is for mounts.
    pub mounts: Money,
}

/// What disks cost that are bought once for several VMs; nothing where one VM has them.
pub fn once(problem: &Problem, disks: &Disks) -> Option<Once> {
    let offer = &problem.disks[disks.offer];
    let shared = offer.shared?;
    let (vms, count) = (u64::from(shared.vms), u64::from(disks.count));
    let mounts = shared.mount * vms * count;
    let all = each(problem, disks) * count + mounts + disks.usage * vms;
    Some(Once { vms: shared.vms, all, mounts })
}
