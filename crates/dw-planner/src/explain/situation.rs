//! A rig and what could replace its parts, as one problem: the rig's own offers come first, the catalogue's after them.
//!
//! Limits count whole, without headroom, and bursts over a series as far as credits last: the question is what the rig does,
//! not what would be prudent. Its processors and memory are what another VM must have at least.

use dw_catalogue::{Catalogue, Meter, Money, Vendor};
use dw_demand::wishes::{LatencyMax, Role, Wishes};
use dw_stack::sharing::Sharing;
use dw_units::{CacheMode, Duration};

use super::rig::{Rig, RigVolume};
use crate::free::Provisioned;
use crate::hit;
use crate::market::{self, Market};
use crate::plan::{Disks, Plan, VolumePlan};
use crate::problem::{DiskKind, ONE, Problem, RouteId, Sample, VmOffer, Volume};
use crate::usage;

/// What is asked of a rig's volumes, one for each.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    pub(crate) volumes: Vec<Volume>,
    pub(crate) stamps: usize,
    pub(crate) interval: Duration,
    pub(crate) allowed: usize,
}

/// A rig under a load.
#[derive(Clone, Debug)]
pub(crate) struct Situation {
    pub(crate) problem: Problem,
    /// The rig as it is.
    pub(crate) plan: Plan,
    /// Whether the price of each VM offer is known.
    pub(crate) vm_priced: Vec<bool>,
    /// What of each disk has no price: which meter, of what.
    pub(crate) disk_unpriced: Vec<Vec<(Meter, String)>>,
    /// What each volume's disks were bought with, where that is chosen freely.
    pub(crate) bought: Vec<Option<Provisioned>>,
    /// What each volume is for, where somebody says it.
    pub(crate) roles: Vec<Option<Role>>,
}

/// What one of the disks of each volume costs, and what of it has no price.
pub(crate) fn own_prices(rig: &Rig, catalogue: &Catalogue, wishes: &Wishes) -> Vec<(Money, Vec<(Meter, String)>)> {
    let price = |volume: &RigVolume| match &volume.billed {
        None => (Money::ZERO, vec![(Meter::Whole, volume.disk.name.clone())]),
        Some(billed) => {
            let (all, unpriced) = market::monthly(catalogue, wishes, billed);
            let each = Money::micros(all.get() / u64::from(volume.count.max(1)));
            (each, unpriced.into_iter().map(|e| (e.meter, e.name)).collect())
        }
    };
    rig.volumes.iter().map(price).collect()
}

/// A volume that nothing is asked of.
pub(crate) fn quiet(vendor: &dyn Vendor, name: &str, stamps: usize) -> Volume {
    Volume {
        name: name.to_string(),
        capacity_gib: 0,
        samples: vec![Sample::default(); stamps].into(),
        classes: plain_and_reads(vendor),
        hits: None,
        latency_max: [LatencyMax::default(); 2],
        disks_min: 1,
        disks_max: 64,
        stripe_unit: dw_units::Bytes::kib(64),
        sequential: false,
        hit_max: ONE,
        slow: Vec::new(),
        disks: Vec::new(),
        usual: Sample::default(),
    }
}

/// The usual routes of remote disks without a host cache and with one for reads.
fn plain_and_reads(vendor: &dyn Vendor) -> Vec<RouteId> {
    let routes = vendor.routes();
    [CacheMode::None, CacheMode::ReadOnly].into_iter().filter_map(|mode| RouteId::with_cache(&routes, mode)).collect()
}

/// A size read so that limits which may be one budget are one, or several.
fn read_as(vendor: &dyn Vendor, vm: &VmOffer, sharing: Sharing) -> VmOffer {
    let mut read = vm.clone();
    vendor.read_as(sharing, &mut read.gates, &mut read.routes);
    read
}

impl Situation {
    /// `own` are the prices of its own disks, by [`own_prices`].
    pub(crate) fn new(rig: &Rig, market: &Market, own: &[(Money, Vec<(Meter, String)>)], load: Load) -> Situation {
        let known = |names: &mut dyn Iterator<Item = (Money, bool)>| names.next().filter(|(_, known)| *known);
        let mut vm = rig.vm.clone();
        let same_vm = market.vms.iter().zip(&market.vm_prices).filter(|(other, _)| other.name == vm.name);
        let vm_price = known(&mut same_vm.map(|(other, origin)| (other.price, origin.is_known())));
        vm.price = vm_price.map_or(Money::ZERO, |(price, _)| price);
        // A local disk that no volume of the rig is on is there all the same.
        if let Some(same) = market.vms.iter().find(|other| other.name == vm.name) {
            vm.licences = same.licences;
            vm.with_local_of(same);
        }
        let mut vm_priced = vec![vm_price.is_some()];
        vm_priced.extend(market.vm_prices.iter().map(|origin| origin.is_known()));
        let (mut disks, mut disk_unpriced) = (Vec::new(), Vec::new());
        for (volume, (found, unpriced)) in rig.volumes.iter().zip(own) {
            let mut own = volume.disk.clone();
            if let (DiskKind::Fixed { price, .. }, true) = (&mut own.kind, unpriced.is_empty()) {
                *price = *found;
            }
            own.usage = market.disks.iter().find(|disk| disk.name == own.name).and_then(|disk| disk.usage);
            disks.push(own);
            disk_unpriced.push(unpriced.clone());
        }
        disks.extend(market.disks.iter().cloned());
        let named = market.disks.iter().zip(&market.disk_unpriced);
        disk_unpriced.extend(named.map(|(disk, meters)| meters.iter().map(|&m| (m, disk.name.clone())).collect()));
        let mut volumes = load.volumes;
        for (volume, own) in volumes.iter_mut().zip(&rig.volumes) {
            volume.disks = (0..disks.len()).collect();
            volume.stripe_unit = own.stripe_unit;
            if volume.capacity_gib == 0 {
                volume.capacity_gib = own.size.get() >> 30;
            }
        }
        let problem = Problem {
            volumes,
            stamps: load.stamps,
            interval: load.interval,
            violations_allowed: load.allowed,
            utilisation: ONE,
            os_disks: 0,
            // One figure is asked all the time: credits do not carry that.
            bursting: load.stamps > 1,
            cpu_milli: 0,
            vcpu_min: vm.vcpu,
            memory_mib: vm.memory_mib.unwrap_or(0),
            cost_max: None,
            cache_latency: rig.cache_latency,
            // Other sizes are read as the rig is.
            vms: std::iter::once(vm.clone())
                .chain(market.vms.iter().map(|other| read_as(rig.vendor, other, rig.sharing)))
                .collect(),
            gates: rig.vendor.gates(),
            routes: rig.vendor.routes(),
            disks,
        };
        let plan = Plan { vm: 0, volumes: Vec::new(), cost: Money::ZERO, failing: Vec::new() };
        let bought = rig.volumes.iter().map(|own| own.each).collect();
        let roles = rig.volumes.iter().map(|own| own.role).collect();
        let mut situation = Situation { problem, plan, vm_priced, disk_unpriced, bought, roles };
        let parts = rig.volumes.iter().enumerate();
        let is_local = |class: RouteId| situation.problem.route(class).is_local;
        let parts = parts.map(|(place, own)| (own.class, (!is_local(own.class)).then_some((place, own.count))));
        let parts: Vec<_> = parts.collect();
        situation.plan = situation.plan_of(0, &parts);
        situation
    }

    /// Whether what a volume holds may be lost with the local disk: somebody said so, or it is made anew at every start.
    pub(crate) fn may_be_lost(&self, volume: usize) -> bool {
        self.problem.volumes[volume].classes.iter().any(|class| self.problem.route(*class).is_local)
            || self.roles[volume] == Some(Role::Tempdb)
    }

    /// A plan of these parts: how each volume is attached, its disk and how many.
    pub(crate) fn plan_of(&self, vm: usize, parts: &[(RouteId, Option<(usize, u32)>)]) -> Plan {
        let hits = self.hits(vm, parts);
        let volumes = parts.iter().zip(hits).enumerate().map(|(place, (&(class, disks), hit))| {
            let disks = disks.map(|(offer, count)| {
                let price = match self.problem.disks[offer].kind {
                    DiskKind::Fixed { price, .. } => price,
                    DiskKind::Free(_) => Money::ZERO,
                };
                let usage = usage::of_disks(&self.problem, place, hit, offer, count);
                Disks { offer, count, each: None, cost: price * u64::from(count) + usage, usage }
            });
            VolumePlan { class, hit, disks }
        });
        let volumes: Vec<VolumePlan> = volumes.collect();
        let disks: Money = volumes.iter().filter_map(|v| v.disks.as_ref()).map(|disks| disks.cost).sum();
        Plan { vm, volumes, cost: self.problem.vms[vm].price + disks, failing: Vec::new() }
    }

    /// What of a disk has no price, as a person says it.
    pub(crate) fn unpriced(&self, disk: usize) -> Vec<String> {
        self.disk_unpriced[disk].iter().map(|(meter, name)| format!("{}{name}", meter.of())).collect()
    }

    /// The parts of a plan, to be changed.
    pub(crate) fn parts(plan: &Plan) -> Vec<(RouteId, Option<(usize, u32)>)> {
        let of = |volume: &VolumePlan| (volume.class, volume.disks.as_ref().map(|disks| (disks.offer, disks.count)));
        plan.volumes.iter().map(of).collect()
    }

    fn hits(&self, vm: usize, parts: &[(RouteId, Option<(usize, u32)>)]) -> Vec<u32> {
        let mut hits = vec![0; parts.len()];
        let volumes = self.problem.volumes.iter().zip(parts).enumerate();
        let shared = volumes.filter(|(_, (_, part))| self.problem.route(part.0).has_cache());
        let shared: Vec<_> = shared.filter_map(|(place, (v, _))| Some((place, v, v.hits.as_ref()?))).collect();
        let curves: Vec<_> = shared.iter().map(|(_, volume, curve)| (*curve, hit::touched(volume))).collect();
        let cache = self.problem.vms[vm].cache.get();
        if cache > 0 {
            for ((place, _, _), hit) in shared.iter().zip(hit::ratios(cache, &curves)) {
                hits[*place] = hit;
            }
        }
        hits
    }
}
