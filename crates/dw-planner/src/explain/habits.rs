//! Settings that are wrong whatever the load: known anti-patterns, named while nothing binds yet.
//!
//! | what | why |
//! |---|---|
//! | ReadOnly on what is hardly read | writes pass the cache by, and each makes room in it |
//! | ReadWrite under data | a host that fails loses what was not written back; the vendor has it for disks of an operating system |
//! | one request in flight on a stripe | one disk works at a time |
//! | unequal disks in a stripe | each counts as the slowest |
//! | a stripe unit smaller than requests | a request is several I/Os, and each counts |
//! | a hard disk under anything but backups | several milliseconds a request, 500 IOPS up to 4 TiB, at most 2,000 |
//! | a load on the disk of the operating system | what the system does waits behind it |
//!
//! Source: the vendor's guidelines for SQL Server on VMs (storage) and for premium storage performance; `docs/model/striping.md`.
//!
//! Ignores: how much each costs at this load (limits and changes say that).

use std::ops::RangeInclusive;

use dw_demand::wishes::Role;
use dw_stack::CacheMode;
use dw_units::Bytes;

use super::measured::Measured;
use super::rig::{Rig, RigVolume};
use crate::hit::mean_sizes;
use crate::problem::Volume;

/// A share of reads up to which a volume is hardly read, of a hundred requests.
const HARDLY_READ_PERCENT: u64 = 5;
/// About so many requests in flight are one after the other; with fewer the volume is idle for much of the time.
const ONE_IN_FLIGHT: RangeInclusive<f64> = 0.7..=1.5;
/// A smaller stripe unit makes several I/Os of almost any request.
const UNIT_MIN: Bytes = Bytes::kib(16);

/// A setting that is wrong whatever the load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Habit {
    /// ReadOnly on a volume that is hardly read.
    HardlyRead,
    /// ReadWrite under data.
    WriteBack,
    /// One request in flight on a stripe of so many disks.
    OneInFlight(u32),
    /// Unequal disks in a stripe.
    Unequal,
    /// A stripe unit that makes several I/Os of a request.
    SmallUnit(Bytes),
    /// A hard disk under data.
    Spinning,
    /// A load on the disk of the operating system.
    OsDisk,
}

/// Those of a rig, with the volume of each.
pub(super) fn of(
    rig: &Rig,
    volumes: &[Volume],
    measured: &[Measured],
    in_flight: &[Option<f64>],
) -> Vec<(usize, Habit)> {
    let mut found = Vec::new();
    for (place, (own, volume)) in rig.volumes.iter().zip(volumes).enumerate() {
        // What was told to ask no more says nothing about what it could keep in flight.
        let mut loads = measured.iter().filter(|one| one.volume == place && !one.is_paced);
        let depth = loads.next().map_or(in_flight[place], depth_of);
        found.extend(of_volume(rig, own, volume, depth).into_iter().map(|habit| (place, habit)));
    }
    found
}

/// Requests in flight: what the load is set to, else what was measured.
fn depth_of(measured: &Measured) -> Option<f64> {
    measured.queue_depth.map(|depth| depth as f64).or(measured.outstanding())
}

fn of_volume(rig: &Rig, own: &RigVolume, volume: &Volume, depth: Option<f64>) -> Vec<Habit> {
    let sum = |of: fn(&crate::problem::Sample) -> u64| volume.samples.iter().map(of).sum::<u64>();
    let (reads, writes) = (sum(|s| s.reads), sum(|s| s.writes));
    let is_asked = reads + writes > 0;
    let hardly_read = is_asked && reads * 100 <= (reads + writes) * HARDLY_READ_PERCENT;
    let is_written_role = matches!(own.role, Some(Role::Log | Role::Backup));
    let is_os = own.role == Some(Role::Os);
    let (read_size, write_size) = mean_sizes(&volume.samples);
    let is_small = own.stripe_unit < UNIT_MIN
        || own.stripe_unit.get() < read_size.max(write_size) && own.stripe_unit < Bytes::kib(64);
    let cache = rig.vm.route(own.class).unwrap_or_default().cache;
    let all = [
        (cache == CacheMode::ReadOnly && (hardly_read || is_written_role), Habit::HardlyRead),
        (cache == CacheMode::ReadWrite && !is_os, Habit::WriteBack),
        (own.count > 1 && depth.is_some_and(|depth| ONE_IN_FLIGHT.contains(&depth)), Habit::OneInFlight(own.count)),
        (own.is_unequal, Habit::Unequal),
        (own.count > 1 && is_small, Habit::SmallUnit(own.stripe_unit)),
        (own.disk.is_spinning() && own.role != Some(Role::Backup), Habit::Spinning),
        (is_os && is_asked && rig.volumes.len() == 1, Habit::OsDisk),
    ];
    all.into_iter().filter(|(is, _)| *is).map(|(_, habit)| habit).collect()
}
