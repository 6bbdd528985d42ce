//! A configuration as it is, in the planner's terms: its own VM and disks as offers, the limits being those of the model.
//!
//! The limits are read from the stack's description, not from the catalogue, so that what a scenario overrides counts.
//!
//! Ignores: stripes of unequal disks are as fast as so many of their slowest.

use dw_catalogue::bill::Billed;
use dw_catalogue::gate::Tags;
use dw_catalogue::{Attachment, DiskOffer as DiskRow, Money, VmLimits, VmSize, route_of};
use dw_demand::wishes::Role;
use dw_stack::sharing::Sharing;
use dw_stack::{DiskSpec, ServiceTime, StackSpec, VolumeSpec};
use dw_units::{Bytes, Throughput};

use crate::free::Provisioned;
use crate::problem::{
    CacheLatency, DiskKind, DiskOffer, Local, ONE, Purchase, Quantiles, Rate, Rates, RouteId, VmOffer,
};

/// More data disks than any VM takes, for a VM that no catalogue knows.
const SLOTS: u32 = 64;

/// A VM with its disks.
#[derive(Clone, Debug)]
pub struct Rig {
    /// The VM; without a price.
    pub vm: VmOffer,
    /// How its two limits on remote disks are read, and with them those of other sizes.
    pub(crate) sharing: Sharing,
    pub volumes: Vec<RigVolume>,
    /// Latencies of its host cache.
    pub cache_latency: CacheLatency,
    /// Whether a miss brings in the whole block.
    pub fills_blocks: bool,
}

/// A volume as it is.
#[derive(Clone, Debug)]
pub struct RigVolume {
    pub name: String,
    /// How it is attached.
    pub class: RouteId,
    /// One of its disks; without a price.
    pub disk: DiskOffer,
    pub count: u32,
    /// Bytes on one disk before the next.
    pub stripe_unit: Bytes,
    /// What all of them hold.
    pub size: Bytes,
    /// Whether the catalogue sells such disks.
    pub is_sold: bool,
    /// What a month of all of them is billed by; absent where one of them is the user's own.
    pub billed: Option<Vec<Billed>>,
    /// What each was bought with, where that is chosen freely; of unequal ones the slowest.
    pub each: Option<Provisioned>,
    /// Its disks differ in size or rates.
    pub is_unequal: bool,
    /// What it is for, where somebody says it.
    pub role: Option<Role>,
}

impl Rig {
    /// The place of the volume that stands for one of a demand of `asked` volumes: by its name, and one for one without.
    pub(crate) fn place_of(&self, name: &str, asked: usize) -> Option<usize> {
        let is_only = asked == 1 && self.volumes.len() == 1;
        self.volumes.iter().position(|own| own.name == name).or(is_only.then_some(0))
    }

    /// What a stack describes, made of these limits and of these kinds of disks; `vm` and `disks` are the catalogue's rows where
    /// there are any, a disk for each volume, with what all of its disks are billed by.
    pub fn of(
        stack: &StackSpec,
        (limits, kinds): (&VmLimits, &[Attachment]),
        vm: Option<&VmSize>,
        disks: &[(Option<&DiskRow>, Option<Vec<Billed>>)],
    ) -> Rig {
        let volumes: Vec<RigVolume> = stack
            .volumes
            .iter()
            .enumerate()
            .map(|(place, spec)| {
                let row = disks.get(place).and_then(|disk| disk.0);
                let kind = kinds[place];
                let count = spec.disks.len() as u32;
                RigVolume {
                    name: spec.name.clone(),
                    class: route_of(kind, spec.host_cache, limits),
                    disk: disk(&spec.disks, row, kind.is_second()),
                    count,
                    stripe_unit: spec.stripe_unit,
                    size: Bytes::new(spec.disks.iter().map(|disk| disk.size.get()).sum()),
                    is_sold: row.is_some(),
                    billed: disks.get(place).and_then(|disk| disk.1.clone()),
                    each: row.and_then(|row| row.free_form).and_then(|rules| bought(&spec.disks, rules.unit.bytes())),
                    is_unequal: spec.disks.windows(2).any(|two| {
                        let of = |disk: &DiskSpec| (disk.size, disk.limits.iops, disk.limits.throughput);
                        of(&two[0]) != of(&two[1])
                    }),
                    role: None,
                }
            })
            .collect();
        let local = stack.volumes.iter().find(|volume| volume.path.local);
        let printed = limits.printed(local);
        let cache = stack.vm.host_cache.as_ref();
        let mean = |time: &dw_stack::ServiceTime| time.table.mean();
        Rig {
            vm: VmOffer {
                name: vm.map_or_else(|| "this VM".into(), |vm| vm.name.clone()),
                edition: vm.map_or_else(String::new, |vm| vm.edition.clone()),
                price: Money::ZERO,
                licences: Money::ZERO,
                barred: None,
                by_list: false,
                vcpu: vm.map_or(0, |vm| vm.vcpu),
                speed: ONE,
                memory_mib: vm.and_then(|vm| vm.memory_mib),
                slots: vm.map_or(SLOTS, |vm| vm.max_data_disks),
                has: vm.map_or(Tags::ALL, VmSize::has_in_use),
                gates: printed.gates(),
                routes: printed.routes(),
                cache: cache.map_or(Bytes::ZERO, |cache| cache.capacity),
                local: local.map(local_of),
            },
            sharing: printed.sharing,
            volumes,
            fills_blocks: cache.is_some_and(|cache| cache.fill == dw_stack::Fill::Block),
            cache_latency: cache.map_or_else(CacheLatency::default, |cache| CacheLatency {
                hit_ns: mean(&cache.ssd_read),
                write_ns: mean(&cache.ssd_write),
                miss_ns: cache.miss_penalty.as_ref().map_or(0, mean),
                hit: quantiles(&cache.ssd_read),
                write: quantiles(&cache.ssd_write),
                miss: cache.miss_penalty.as_ref().map_or_else(Quantiles::default, quantiles),
            }),
        }
    }
}

fn quantiles(time: &ServiceTime) -> Quantiles {
    Quantiles::of_table(&time.table)
}

/// All its disks together.
fn local_of(volume: &VolumeSpec) -> Local {
    let each = volume.disks.first();
    Local {
        gib: volume.disks.iter().map(|disk| disk.size.get()).sum::<u64>() >> 30,
        latency_ns: each.map_or((0, 0), |disk| (disk.read.table.mean(), disk.write.table.mean())),
        quantiles: each.map_or_else(Default::default, |disk| [quantiles(&disk.read), quantiles(&disk.write)]),
        bandwidth: each.and_then(|disk| disk.read.bandwidth).map(Throughput::get),
    }
}

/// A rate that never binds, for a disk without a limit.
const UNLIMITED: Rate = Rate::plain(u64::MAX / 1_000_000);

/// What the slowest of disks that are sized freely was bought with.
fn bought(disks: &[DiskSpec], unit: u64) -> Option<Provisioned> {
    let slowest = disks.iter().min_by_key(|spec| spec.limits.iops.map_or(u64::MAX, |rate| rate.rate))?;
    Some(Provisioned {
        gib: slowest.size.get() >> 30,
        iops: slowest.limits.iops?.rate,
        mb: slowest.limits.throughput?.rate / unit,
        unit,
    })
}

fn disk(disks: &[DiskSpec], row: Option<&DiskRow>, second: bool) -> DiskOffer {
    let base = |spec: &DiskSpec| spec.limits.iops.map_or(u64::MAX, |rate| rate.rate);
    let slowest = disks.iter().min_by_key(|spec| base(spec));
    let own = slowest.map(|spec| Rates::from(spec.limits)).unwrap_or_default();
    DiskOffer {
        name: row.map_or_else(|| "a disk".into(), |row| row.sku.clone()),
        edition: row.map_or_else(String::new, |row| row.edition.clone()),
        purchase: Purchase::default(),
        of_kind: row.map(DiskRow::kind),
        needs: row.map_or(Tags::NONE, |row| row.kind().needs),
        usage: None,
        shared: None,
        second,
        io_unit: slowest.and_then(|spec| spec.io_unit),
        latency_ns: slowest.map_or((0, 0), |spec| (spec.read.table.mean(), spec.write.table.mean())),
        quantiles: slowest.map_or_else(Default::default, |spec| [quantiles(&spec.read), quantiles(&spec.write)]),
        bandwidth: slowest.and_then(|spec| spec.read.bandwidth).map(Throughput::get),
        kind: DiskKind::Fixed {
            gib: disks.iter().map(|spec| spec.size.get() >> 30).min().unwrap_or(0),
            iops: own.iops.unwrap_or(UNLIMITED),
            bytes: own.bytes.unwrap_or(UNLIMITED),
            price: Money::ZERO,
        },
    }
}
