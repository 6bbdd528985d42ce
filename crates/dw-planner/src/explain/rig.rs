//! A configuration as it is, in the planner's terms: its own VM and disks as offers, the limits being those of the model.
//!
//! The limits are read from the stack's description, not from the catalogue, so that what a scenario overrides counts.
//!
//! Ignores: stripes of unequal disks are as fast as so many of their slowest.

use dw_catalogue::bill::Billed;
use dw_catalogue::gate::{GATES_MOST, GateList, ROUTES_MOST, Route, Tags};
use dw_catalogue::{Attachment, DiskOffer as DiskRow, Money, Vendor, VmLimits, VmSize, route_of};
use dw_demand::wishes::Role;
use dw_stack::sharing::Sharing;
use dw_stack::{DiskSpec, Limit, LimitSpec, Quantity, ServiceTime, StackSpec, VolumeSpec};
use dw_units::{Bytes, Direction, Throughput};

use crate::free::Provisioned;
use crate::problem::{
    CacheLatency, DiskKind, DiskOffer, Local, ONE, Purchase, Quantiles, Rate, Rates, RouteId, VmOffer,
};

/// More data disks than any VM takes, for a VM that no catalogue knows.
const SLOTS: u32 = 64;

/// What a machine that exists lets pass, and how its volumes are attached.
#[derive(Clone, Debug)]
pub struct Passing {
    pub vendor: &'static dyn Vendor,
    pub gates: [Rates; GATES_MOST],
    pub routes: [Option<Route>; ROUTES_MOST],
    /// How its two limits on remote disks are read, and with them those of other sizes.
    pub sharing: Sharing,
    /// How each volume is attached.
    pub classes: Vec<RouteId>,
    /// Of each volume whether its disks are of the second kind that gates tell apart.
    pub second: Vec<bool>,
}

impl Passing {
    /// Of limits as pages print them and of these kinds of disks.
    pub fn printed(stack: &StackSpec, limits: &VmLimits, kinds: &[Attachment]) -> Passing {
        let local = stack.volumes.iter().find(|volume| volume.path.local);
        let printed = limits.printed(local);
        let of = |(spec, kind): (&VolumeSpec, &Attachment)| route_of(*kind, spec.host_cache, limits);
        Passing {
            vendor: dw_catalogue::vendor(),
            gates: printed.gates(),
            routes: printed.routes(),
            sharing: printed.sharing,
            classes: stack.volumes.iter().zip(kinds).map(of).collect(),
            second: kinds.iter().map(|kind| kind.is_second()).collect(),
        }
    }

    /// Of gates as the stack has them, by the names that a vendor gives them.
    pub fn of_gates(stack: &StackSpec, vendor: &'static dyn Vendor) -> Passing {
        let (names, all) = (vendor.gates(), vendor.routes());
        let number = |name: &str| names.iter().position(|gate| gate.name == name);
        let mut gates = [Rates::default(); GATES_MOST];
        for gate in &stack.vm.gates {
            if let Some(number) = number(&gate.name) {
                gates[number] = rates(gate.limits, &gate.more);
            }
        }
        let local = stack.volumes.iter().find(|volume| volume.path.local);
        let mut routes = [None; ROUTES_MOST];
        for (own, any) in routes.iter_mut().zip(all.iter()) {
            let there = |gate: &usize| gates[*gate] != Rates::default();
            let behind: Vec<usize> = any.behind.iter().filter(there).collect();
            *own = (!any.is_local || local.is_some()).then(|| Route { behind: GateList::new(&behind), ..*any });
        }
        if let (Some(volume), Some(route)) = (local, all.iter().find(|route| route.is_local)) {
            let (each, n) = (volume.disks.first(), volume.disks.len() as u64);
            for gate in route.behind.iter() {
                let of = each.map(|disk| match names[gate].direction {
                    Some(Direction::Reads) => disk.by_direction.reads.unwrap_or_default(),
                    Some(Direction::Writes) => disk.by_direction.writes.unwrap_or_default(),
                    None => disk.limits,
                });
                gates[gate] = Rates::from(of.unwrap_or_default()).times(n);
            }
            routes[RouteId::to_local(&all).map_or(0, RouteId::place)] = Some(*route);
        }
        let class = |spec: &VolumeSpec| {
            let passed = spec.path.remote.first().and_then(|gate| number(&stack.vm.gates.get(gate.0 as usize)?.name));
            let fits = |id: &RouteId| {
                let route = all[id.place()];
                route.is_local == spec.path.local && passed.is_none_or(|gate| route.behind.has(gate))
            };
            RouteId::first(all.len()).find(fits).unwrap_or(RouteId::new(0))
        };
        let classes = stack.volumes.iter().map(class).collect();
        Passing {
            vendor,
            gates,
            routes,
            sharing: Sharing::default(),
            classes,
            second: vec![false; stack.volumes.len()],
        }
    }
}

/// What limits give, those with an accounting of their own among them.
fn rates(limits: LimitSpec, more: &[Limit]) -> Rates {
    let mut all = Rates::from(limits);
    for limit in more.iter().filter(|limit| limit.accounting.only().is_none()) {
        let rate = Some(Rate { base: limit.rate, burst: limit.credits.map(|credits| (credits.peak, credits.size)) });
        match limit.quantity {
            Quantity::Iops => all.iops = rate,
            Quantity::Throughput => all.bytes = rate,
        }
    }
    all
}

/// A VM with its disks.
#[derive(Clone, Debug)]
pub struct Rig {
    /// Whose machine it is.
    pub(crate) vendor: &'static dyn Vendor,
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

    /// What a stack describes, whose machine lets this pass; `vm` and `disks` are the catalogue's rows where
    /// there are any, a disk for each volume, with what all of its disks are billed by.
    pub fn of(
        stack: &StackSpec,
        passing: &Passing,
        vm: Option<&VmSize>,
        disks: &[(Option<&DiskRow>, Option<Vec<Billed>>)],
    ) -> Rig {
        let volumes: Vec<RigVolume> = stack
            .volumes
            .iter()
            .enumerate()
            .map(|(place, spec)| {
                let row = disks.get(place).and_then(|disk| disk.0);
                let count = spec.disks.len() as u32;
                RigVolume {
                    name: spec.name.clone(),
                    class: passing.classes[place],
                    disk: disk(&spec.disks, row, passing.second[place]),
                    count,
                    stripe_unit: spec.stripe_unit,
                    size: Bytes::new(spec.disks.iter().map(|disk| disk.size.get()).sum()),
                    is_sold: row.is_some(),
                    billed: disks.get(place).and_then(|disk| disk.1.clone()),
                    each: row.and_then(|row| row.free_form).and_then(|rules| bought(&spec.disks, rules.unit.bytes())),
                    is_unequal: spec.disks.windows(2).any(|two| {
                        let of = |disk: &DiskSpec| (disk.size, rates(disk.limits, &disk.more));
                        of(&two[0]) != of(&two[1])
                    }),
                    role: None,
                }
            })
            .collect();
        let local = stack.volumes.iter().find(|volume| volume.path.local);
        let cache = stack.vm.host_cache.as_ref();
        let mean = |time: &dw_stack::ServiceTime| time.table.mean();
        Rig {
            vendor: passing.vendor,
            vm: VmOffer {
                name: vm.map_or_else(|| "this VM".into(), |vm| vm.name.clone()),
                edition: vm.map_or_else(String::new, |vm| vm.edition.clone()),
                // What is chosen of it is in its gates.
                options: &[],
                price: Money::ZERO,
                licences: Money::ZERO,
                barred: None,
                by_list: false,
                vcpu: vm.map_or(0, |vm| vm.vcpu),
                speed: ONE,
                memory_mib: vm.and_then(|vm| vm.memory_mib),
                slots: vm.map_or(SLOTS, |vm| vm.max_data_disks),
                has: vm.map_or(Tags::ALL, VmSize::has_in_use),
                gates: passing.gates,
                routes: passing.routes,
                cache: cache.map_or(Bytes::ZERO, |cache| cache.capacity),
                local: local.map(local_of),
            },
            sharing: passing.sharing,
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
    let slowest = disks.iter().min_by_key(|spec| base(spec))?;
    let own = rates(slowest.limits, &slowest.more);
    Some(Provisioned { gib: slowest.size.get() >> 30, iops: own.iops?.base, mb: own.bytes?.base / unit, unit })
}

/// I/Os per second that a disk sustains.
fn base(spec: &DiskSpec) -> u64 {
    rates(spec.limits, &spec.more).iops.map_or(u64::MAX, |rate| rate.base)
}

fn disk(disks: &[DiskSpec], row: Option<&DiskRow>, second: bool) -> DiskOffer {
    let slowest = disks.iter().min_by_key(|spec| base(spec));
    let own = slowest.map(|spec| rates(spec.limits, &spec.more)).unwrap_or_default();
    DiskOffer {
        name: row.map_or_else(|| "a disk".into(), |row| row.sku.clone()),
        edition: row.map_or_else(String::new, |row| row.edition.clone()),
        purchase: Purchase::default(),
        of_kind: row.map(DiskRow::kind),
        needs: row.map_or(Tags::NONE, |row| row.kind().needs),
        usage: None,
        shared: None,
        second,
        io_unit: slowest.and_then(|spec| spec.io_unit.or(row.and_then(DiskRow::io_unit))),
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
