//! What is to be decided, in plain integers: volumes with their demand, offers with their limits and prices.
//!
//! A problem knows no catalogue and no file; tests build small ones by hand. Everything that a person asked for has been
//! applied: growth, the window, lists of offers. An offer that may not be chosen keeps its reason, so that "why not" can
//! answer.
//!
//! Invariant: every volume has `stamps` samples; prices are for a month.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use dw_catalogue::free::{Follow, FreeBurst};
pub use dw_catalogue::gate::RouteId;
use dw_catalogue::gate::{self, GATES_MOST, Gate, GateSet, ROUTES_MOST, Route, Tags};
pub use dw_catalogue::rate::{Rate, Rates};
use dw_catalogue::{DiskOptions, Kind, Money, Way, vendor};
use dw_demand::wishes::{LatencyMax, LatencyOf};
use dw_documents::plan::vm_with;
use dw_documents::{LimitId, Quantity};
use dw_stack::QuantileTable;
use dw_units::{Bytes, Duration};

use crate::limit::Limit;
pub use crate::wait::WAIT_STEP_NS;

/// Parts per million that make a whole.
pub const ONE: u32 = 1_000_000;

/// `value × ppm`, rounded down.
pub fn share(value: u64, ppm: u32) -> u64 {
    (u128::from(value) * u128::from(ppm) / u128::from(ONE)) as u64
}

/// What is to be decided.
#[derive(Clone, Debug)]
pub struct Problem {
    /// What the plan must hold.
    pub volumes: Vec<Volume>,
    /// Number of samples of every volume.
    pub stamps: usize,
    /// Time that a sample stands for.
    pub interval: Duration,
    /// How many stamps may exceed some limit: `floor((1 − percentile) × stamps)`.
    pub violations_allowed: usize,
    /// Share of a disk's or VM's limit that may be used, in parts per million.
    pub utilisation: u32,
    /// Burst credits count, as far as they last over the series.
    pub bursting: bool,
    /// Processors that the load needs, in thousandths of one as it was recorded on, the target utilisation applied.
    pub cpu_milli: u64,
    /// Processors needed whatever the load.
    pub vcpu_min: u32,
    /// Memory needed, in MiB.
    pub memory_mib: u64,
    /// The plan may not cost more.
    pub cost_max: Option<Money>,
    /// Latencies of the host cache.
    pub cache_latency: CacheLatency,
    /// Disks that a VM starts from: each has a place of its own, which is among the `slots` of a VM here and not among its data disks.
    pub os_disks: u32,
    /// The gates that VM sizes have, by the numbers that these use.
    pub gates: Arc<[Gate]>,
    /// The ways to attach a volume that VM sizes have, by the numbers that these use: each with all that any has of it.
    pub routes: Arc<[Route]>,
    /// VM sizes, cheapest first; one with [`VmOffer::options`] stands behind itself as it comes.
    pub vms: Vec<VmOffer>,
    pub disks: Vec<DiskOffer>,
}

impl Limit {
    /// Which limit of the model it is; absent = a constraint of the choice that no request meets.
    pub fn id(self, problem: &Problem) -> Option<LimitId> {
        let disk = |volume: usize, quantity| LimitId::disk(&problem.volumes[volume].name, quantity);
        Some(match self {
            Limit::DiskIops(j) => disk(j, Quantity::Iops),
            Limit::DiskThroughput(j) => disk(j, Quantity::Throughput),
            Limit::Gate(gate, quantity) => {
                let Gate { name, direction, .. } = problem.gates[gate];
                LimitId { direction, ..LimitId::vm(name, quantity) }
            }
            _ => return None,
        })
    }
    /// Its name, without the volume: of a limit that requests meet, the one that every document has.
    pub fn name(self, problem: &Problem) -> String {
        self.id(problem).map_or_else(|| self.constraint().into(), |id| id.name())
    }
}

impl Problem {
    /// Processors that a VM needs, in thousandths of its own.
    pub fn vcpu_milli(&self, vm: &VmOffer) -> u64 {
        let load = (u128::from(self.cpu_milli) * u128::from(ONE)).div_ceil(vm.speed.max(1).into()) as u64;
        load.max(u64::from(self.vcpu_min) * 1_000)
    }

    /// Seconds that a sample stands for.
    pub fn seconds(&self) -> f64 {
        self.interval.ns() as f64 / 1e9
    }

    /// The places of a VM size: as it comes, then with what may be chosen of it, where there is something.
    pub(crate) fn ways_of(&self, vm: usize) -> Range<usize> {
        let has_options = !self.vms[vm].is_set() && self.vms.get(vm + 1).is_some_and(VmOffer::is_set);
        vm..vm + 1 + usize::from(has_options)
    }
    /// The place of the same size as it comes.
    pub fn as_it_comes(&self, vm: usize) -> usize {
        vm - usize::from(self.vms[vm].is_set())
    }

    /// A way to attach a volume, with all that any VM has of it.
    pub fn route(&self, class: RouteId) -> Route {
        self.routes[class.place()]
    }
    /// All of them, plain ones first.
    pub fn route_ids(&self) -> impl DoubleEndedIterator<Item = RouteId> {
        RouteId::first(self.routes.len())
    }

    /// Whether a host-cache setting leads from one to the other: both take disks of the first kind.
    pub(crate) fn is_setting_of(&self, to: RouteId, from: RouteId) -> bool {
        self.route(to).takes.first && self.route(from).takes.first
    }

    /// All limits, in order of a request's path: latencies where they are asked for.
    pub fn limits(&self) -> Vec<Limit> {
        let of_volumes = self.volumes.iter().enumerate().flat_map(|(j, volume)| {
            let latencies = [false, true].into_iter().flat_map(move |writes| {
                let most = volume.latency_max[usize::from(writes)];
                let asked = LatencyOf::ALL.into_iter().filter(move |of| most.of(*of).is_some());
                asked.map(move |of| Limit::latency(j, writes, of))
            });
            [Limit::DiskIops(j), Limit::DiskThroughput(j), Limit::Capacity(j)].into_iter().chain(latencies)
        });
        // Of gates with one name all requests first.
        let mut first = 0;
        let of_gates = self.gates.chunk_by(|a, b| a.name == b.name).flat_map(|alike| {
            let own = first..first + alike.len();
            first = own.end;
            let of = |quantity| own.clone().map(move |gate| Limit::Gate(gate, quantity));
            of(Quantity::Iops).chain(of(Quantity::Throughput)).collect::<Vec<_>>()
        });
        let of_vm =
            [Limit::LocalSize, Limit::Slots, Limit::Tags, Limit::Vcpu, Limit::Memory, Limit::Cost, Limit::Barred];
        of_volumes.chain(of_gates).chain(of_vm).collect()
    }

    /// Gates that are one budget with another and what they are within, the first of them first; that gate alone where it shares nothing.
    pub(crate) fn alike(&self, gate: usize) -> impl Iterator<Item = usize> {
        let whole = |gate: usize| self.gates[gate].within.unwrap_or(gate);
        (0..self.gates.len()).filter(move |other| whole(*other) == whole(gate))
    }

    /// The gates that count where volumes are attached so to a VM: see [`gate::that_count`].
    pub(crate) fn counting(&self, vm: &VmOffer, classes: impl Iterator<Item = RouteId>) -> GateSet {
        gate::that_count(&self.gates, classes.filter_map(|class| vm.route(class)).flat_map(Route::gates))
    }

    /// What a gate of a VM limits where these count.
    pub(crate) fn limits_of(&self, vm: &VmOffer, counting: GateSet, gate: usize) -> Rates {
        gate::limits(&self.gates, &vm.gates, counting, gate)
    }
}

/// A volume and what is asked of it.
#[derive(Clone, Debug)]
pub struct Volume {
    pub name: String,
    /// What it must hold, in GiB.
    pub capacity_gib: u64,
    /// Its demand, one sample a stamp; problems of the same demand share them.
    pub samples: Arc<[Sample]>,
    /// How it may be attached.
    pub classes: Vec<RouteId>,
    /// What a host cache would do for its reads; absent = nothing is known, no hits are counted.
    pub hits: Option<HitCurve>,
    /// Parts per million of reads that count as hits at most: the others must be served while the cache is cold, too.
    pub hit_max: u32,
    /// What the latency of reads and of writes may not exceed.
    pub latency_max: [LatencyMax; 2],
    /// Disks in its stripe at least: what is there already stays.
    pub disks_min: u32,
    /// Disks in its stripe at most.
    pub disks_max: u32,
    /// Bytes on one disk before the next.
    pub stripe_unit: Bytes,
    /// It is read and written from front to back.
    pub sequential: bool,
    /// Which of the problem's disks it may have; the others are left out.
    pub disks: Vec<usize>,
    /// What it asks in a thousand seconds on average: what is billed by use follows from it.
    pub usual: Sample,
    /// Stamps in which its latency is looked at, too: see [`crate::with_slow_stamps`].
    pub slow: Vec<usize>,
}

/// One direction of a volume, a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stream {
    pub requests: u64,
    pub bytes: u64,
}

impl Volume {
    /// Whether the same is asked of both, whatever they are called.
    pub(crate) fn is_equal_to(&self, other: &Volume) -> bool {
        let few =
            |v: &Volume| (v.usual, v.capacity_gib, v.hit_max, v.latency_max, v.disks_max, v.stripe_unit, v.sequential);
        let lists = |v: &Volume| (v.classes == other.classes, v.disks == other.disks, v.slow == other.slow);
        few(self) == few(other)
            && lists(self) == (true, true, true)
            && self.hits == other.hits
            && self.samples == other.samples
    }

    /// Its demand, to be changed: no longer shared with other problems.
    pub fn samples_mut(&mut self) -> &mut [Sample] {
        Arc::make_mut(&mut self.samples)
    }

    /// Whether some latency is asked for.
    pub fn has_latency_max(&self) -> bool {
        self.latency_max.iter().any(|most| !most.is_none())
    }

    /// The stamps in which a latency that is asked for may be too long: those with the most requests and those with the most bytes, one
    /// more of each than may fail, so that the busiest that a plan holds is among them; and those in which a plan was slow. Sorted; none
    /// where no latency is asked for.
    pub fn hardest(&self, allowed: usize) -> Vec<usize> {
        if !self.has_latency_max() {
            return Vec::new();
        }
        let highest = |of: fn(&Sample) -> (u64, u64)| {
            let mut stamps: Vec<usize> = (0..self.samples.len()).collect();
            // The first of several that ask as much.
            let key = |stamp: &usize| (Reverse(of(&self.samples[*stamp])), *stamp);
            if stamps.len() > allowed + 1 {
                stamps.select_nth_unstable_by_key(allowed, key);
                stamps.truncate(allowed + 1);
            }
            stamps
        };
        let mut all = highest(|s| (s.reads + s.writes, s.read_bytes + s.write_bytes));
        all.extend(highest(|s| (s.read_bytes + s.write_bytes, s.reads + s.writes)));
        all.extend(&self.slow);
        all.sort_unstable();
        all.dedup();
        all
    }

    /// How many requests of a stream follow each other on one of `count` disks; 1 = none do.
    pub(crate) fn run(&self, count: u32, stream: Stream) -> u64 {
        if !self.sequential || count < 2 || stream.bytes == 0 {
            return 1;
        }
        self.stripe_unit.get().saturating_mul(stream.requests).div_ceil(stream.bytes).max(1)
    }

    /// What the mean request of a stream has on one of `count` disks at most, in bytes.
    pub(crate) fn part(&self, count: u32, stream: Stream) -> u64 {
        let size = stream.bytes.div_ceil(stream.requests.max(1));
        let stripe = self.stripe_unit.get().saturating_mul(u64::from(count)).max(1);
        if count < 2 { size } else { size.min(self.stripe_unit.get() * size.div_ceil(stripe)) }
    }

    /// On how many of `count` disks the mean request of a stream is.
    pub(crate) fn parts(&self, count: u32, stream: Stream) -> u64 {
        let size = stream.bytes.div_ceil(stream.requests.max(1));
        size.div_ceil(self.stripe_unit.get().max(1)).clamp(1, u64::from(count.max(1)))
    }
}

#[cfg(test)]
impl Volume {
    /// One that may have a disk without a cache, for tests that are about its demand.
    pub(crate) fn asking(name: &str, samples: Vec<Sample>, disks: Vec<usize>) -> Volume {
        Volume {
            name: name.into(),
            capacity_gib: 1,
            samples: samples.into(),
            classes: vec![RouteId::new(0)],
            hits: None,
            hit_max: ONE,
            latency_max: [LatencyMax::default(); 2],
            disks_min: 1,
            disks_max: 1,
            stripe_unit: Bytes::kib(64),
            sequential: false,
            slow: Vec::new(),
            disks,
            usual: Sample::default(),
        }
    }
}

/// Demand of one interval, a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    pub reads: u64,
    pub writes: u64,
    pub read_bytes: u64,
    /// Bytes written.
    pub write_bytes: u64,
}

impl Sample {
    /// Its reads and its writes.
    pub const fn streams(&self) -> [Stream; 2] {
        [
            Stream { requests: self.reads, bytes: self.read_bytes },
            Stream { requests: self.writes, bytes: self.write_bytes },
        ]
    }
}

/// Share of reads that hit, by bytes of cache: straight lines between points, from (0, 0).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitCurve {
    /// `(bytes, parts per million)`, both growing.
    pub points: Vec<(u64, u32)>,
    /// Where the points say which share of the blocks is resident, what of a resident block is valid; absent = they were
    /// measured, and a hit is a hit.
    pub parts: Option<Parts>,
}

/// How the requests of a volume fill the blocks of the cache: each brings in its own part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Parts per million of the uses that are reads.
    pub reads: u32,
    /// Parts per million of a block that a read is, and with it the chance that one finds what another brought in.
    pub read: u32,
    /// The same of a write; 0 when its bytes are not whole sectors.
    pub write: u32,
    /// Writes that a read needs to be covered by writes alone.
    pub writes_a_read: u32,
}

impl HitCurve {
    /// Measured: `(bytes, parts per million)`, both growing.
    pub fn measured(points: Vec<(u64, u32)>) -> HitCurve {
        HitCurve { points, parts: None }
    }
    /// Every byte of a working set is as likely as any other, and each request fills `parts` of the block that it uses.
    pub fn working_set(size: Bytes, parts: Parts) -> HitCurve {
        HitCurve { points: vec![(size.get().max(1), ONE)], parts: Some(parts) }
    }
}

/// A VM size on offer.
#[derive(Clone, Debug)]
pub struct VmOffer {
    /// The vendor's name.
    pub name: String,
    /// The edition of its limits.
    pub edition: String,
    /// What is chosen of it and costs nothing, by the keys of scenarios; empty = as it comes. It passes no less to disks so, and is taken
    /// only where a plan on it is cheaper than on the size as it comes, or possible at all.
    pub options: &'static [(&'static str, &'static str)],
    /// A month of it, with its licences.
    pub price: Money,
    /// What of that is for licences by core.
    pub licences: Money,
    /// Why it may not be chosen, if so.
    pub barred: Option<String>,
    /// Whether nothing but a list of the demand bars it.
    pub by_list: bool,
    /// Processors.
    pub vcpu: u32,
    /// What each of them counts as of one that the load was recorded on, in parts per million.
    pub speed: u32,
    /// Memory; absent = not known, taken as too little when memory is asked for.
    pub memory_mib: Option<u64>,
    /// Data disks.
    pub slots: u32,
    /// What it has that disks may need.
    pub has: Tags,
    /// What each gate of the problem gives, by its number; without limits where it has none of that kind.
    pub gates: [Rates; GATES_MOST],
    /// The ways to attach a volume, by number.
    pub routes: [Option<Route>; ROUTES_MOST],
    /// The host cache; zero = none.
    pub cache: Bytes,
    /// Its local disks.
    pub local: Option<Local>,
}

impl VmOffer {
    /// Whether something of it is chosen.
    pub fn is_set(&self) -> bool {
        !self.options.is_empty()
    }

    /// Its name with what is chosen of it.
    pub fn label(&self) -> Cow<'_, str> {
        vm_with(&self.name, self.options.iter().copied())
    }

    /// The way to attach a volume, where it has that.
    pub fn route(&self, class: RouteId) -> Option<Route> {
        self.routes[class.place()]
    }

    /// How such a disk is attached here in place of one that is attached so: likewise where that takes it, else without a cache.
    pub(crate) fn class_of(&self, disk: &DiskOffer, class: RouteId) -> RouteId {
        let takes = |route: Route| route.takes.have(disk.second);
        if self.route(class).is_some_and(takes) {
            return class;
        }
        let is_plain = |route: Route| !route.has_cache() && !route.is_local && takes(route);
        RouteId::first(ROUTES_MOST).find(|other| self.route(*other).is_some_and(is_plain)).unwrap_or(class)
    }

    /// Whether a gate is before the cache: what is served there meets it.
    pub fn is_in_front(&self, gate: usize) -> bool {
        self.routes.iter().flatten().any(|route| route.front.has(gate))
    }

    /// What the VM gives of one of its limits, sustained; absent = unlimited, or none of the VM's.
    pub fn gives(&self, problem: &Problem, limit: Limit) -> Option<u64> {
        let Limit::Gate(gate, quantity) = limit else { return None };
        let mut routes = self.routes.iter().flatten();
        // Local disks are a thing of their own.
        if routes.clone().any(|route| route.is_local && route.behind.has(gate)) {
            return None;
        }
        // A size with one figure gives that to all that others have several figures for.
        let is_passed = routes.any(|route| route.gates().any(|other| other == gate));
        let gate = if is_passed { gate } else { problem.alike(gate).next()? };
        Limit::Gate(gate, quantity).rate(&self.gates).map(|rate| rate.base)
    }

    /// With the local disks of another, where it has none.
    pub(crate) fn with_local_of(&mut self, other: &VmOffer) {
        if self.local.is_some() {
            return;
        }
        self.local = other.local;
        for (own, of_other) in self.routes.iter_mut().zip(&other.routes) {
            let Some(route) = of_other.filter(|route| route.is_local) else { continue };
            *own = Some(route);
            route.behind.iter().for_each(|gate| self.gates[gate] = other.gates[gate]);
        }
    }
}

/// The local disks of a VM.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    pub gib: u64,
    /// Mean latency of a read, a write, in nanoseconds; without the time that its bytes take.
    pub latency_ns: (u64, u64),
    /// The same at its quantiles.
    pub quantiles: [Quantiles; 2],
    /// Bytes per second at which one request is transferred, where its size counts.
    pub bandwidth: Option<u64>,
}

/// A disk on offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskOffer {
    /// The vendor's name.
    pub name: String,
    /// The edition of its limits.
    pub edition: String,
    /// What is chosen for it beyond its size.
    pub purchase: Purchase,
    /// What kind of disk it is, where that is known.
    pub of_kind: Option<&'static Kind>,
    /// Only for VM sizes that have this.
    pub needs: Tags,
    /// Counts against the second uncached limit where there is one, and has no host cache.
    pub second: bool,
    /// A larger I/O counts as several of this size.
    pub io_unit: Option<Bytes>,
    /// Mean latency of a read, a write, in nanoseconds; without the time that its bytes take.
    pub latency_ns: (u64, u64),
    /// The same at its quantiles.
    pub quantiles: [Quantiles; 2],
    /// Bytes per second at which one request is transferred, where its size counts.
    pub bandwidth: Option<u64>,
    /// What is billed by use, beyond the price.
    pub usage: Option<Usage>,
    /// Several VMs attach it, and it is bought once for all of them; absent = one does.
    pub shared: Option<Shared>,
    /// What it gives and costs.
    pub kind: DiskKind,
}

#[cfg(test)]
impl DiskOffer {
    /// One that every VM takes, for tests that are about what it gives.
    pub(crate) fn giving(name: &str, kind: DiskKind) -> DiskOffer {
        DiskOffer {
            name: name.into(),
            edition: String::new(),
            purchase: Purchase::default(),
            of_kind: None,
            needs: Tags::NONE,
            second: false,
            io_unit: None,
            latency_ns: (1, 1),
            quantiles: Default::default(),
            bandwidth: None,
            usage: None,
            shared: None,
            kind,
        }
    }
}

/// Which VMs attach a disk, and what that costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared {
    /// So many.
    pub vms: u32,
    /// A month of each of them, beside the disk.
    pub mount: Money,
}

impl DiskOffer {
    /// What one VM pays of what a month of `count` of them costs but for use: its part, in whole millionths, where others have them, too.
    pub fn paid(&self, count: u32, all: Money) -> Money {
        let mounts = self.shared.map_or(Money::ZERO, |shared| shared.mount * u64::from(shared.vms) * u64::from(count));
        self.part(all + mounts)
    }
    /// The part of one VM in what is billed for all that attach it.
    pub fn part(&self, all: Money) -> Money {
        self.shared.map_or(all, |shared| Money::micros(all.get().div_ceil(shared.vms.into())))
    }
    /// Whether a VM can start from it where it has to hold so much: a disk of a fixed size may be too large, one of any size is as large as
    /// what it holds.
    pub(crate) fn starts(&self, capacity_gib: u64) -> bool {
        let gib = match self.kind {
            DiskKind::Fixed { gib, .. } => gib,
            DiskKind::Free(_) => capacity_gib,
        };
        self.of_kind.and_then(|kind| kind.os_gib_max).is_some_and(|most| gib <= most)
    }
    /// Whether both are of one kind that is known.
    pub fn is_like(&self, other: &DiskOffer) -> bool {
        self.of_kind.zip(other.of_kind).is_some_and(|(a, b)| a.id == b.id)
    }
    /// Whether its kind is chosen unasked for backups alone.
    pub(crate) fn is_on_request(&self) -> bool {
        self.of_kind.is_some_and(|kind| kind.on_request.is_some())
    }
    /// Whether it is a hard disk.
    pub(crate) fn is_spinning(&self) -> bool {
        self.of_kind.is_some_and(|kind| kind.spins)
    }
    /// Its name with how it is bought: `P30 with performance plus`.
    pub fn label(&self) -> String {
        let tier = self.purchase.tier.as_ref().map_or(String::new(), |tier| format!(" at tier {tier}"));
        let way = self.purchase.way.map_or(String::new(), |way| format!(" with {}", way.name));
        format!("{}{tier}{way}", self.name)
    }
    /// What a disk of a fixed size holds; nothing of one that is sized freely.
    pub fn gib(&self) -> u64 {
        match self.kind {
            DiskKind::Fixed { gib, .. } => gib,
            DiskKind::Free(_) => 0,
        }
    }
    /// Whether it takes as long as another for the same requests, below every limit.
    pub(crate) fn is_served_as(&self, other: &DiskOffer) -> bool {
        let of = |offer: &DiskOffer| (offer.latency_ns, offer.quantiles, offer.bandwidth);
        of(self) == of(other)
    }
    /// Whether it is as good as another for every volume, and costs no more.
    pub(crate) fn replaces(&self, other: &DiskOffer) -> bool {
        let (DiskKind::Fixed { gib, iops, bytes, price }, DiskKind::Fixed { gib: g, iops: i, bytes: b, price: p }) =
            (&self.kind, &other.kind)
        else {
            return false;
        };
        let same = |offer: &DiskOffer| {
            (offer.needs, offer.second, offer.io_unit, offer.latency_ns, offer.bandwidth, offer.shared.map(|of| of.vms))
        };
        let mount = |offer: &DiskOffer| offer.shared.map_or(Money::ZERO, |shared| shared.mount);
        // What takes one takes the other.
        let routes = vendor().routes();
        let is_taken = |route: &Route| *gib <= route.gib_max || *g > route.gib_max;
        let used = match (&self.usage, &other.usage) {
            (None, _) => true,
            (Some(a), Some(b)) => a.is_never_dearer(b),
            (Some(_), None) => false,
        };
        same(self) == same(other)
            && used
            && price <= p
            && mount(self) <= mount(other)
            && gib >= g
            && routes.iter().all(is_taken)
            && iops.covers(*i)
            && bytes.covers(*b)
    }
}

/// What is chosen for a disk beyond its size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Purchase {
    /// The larger disk whose rates and price it has.
    pub tier: Option<String>,
    /// What is switched on.
    pub way: Option<&'static Way>,
}

impl Purchase {
    /// The same as the catalogue takes it; size and rates, where they are chosen freely, stay open.
    pub fn options(&self) -> DiskOptions {
        DiskOptions { tier: self.tier.clone(), ..self.way.map_or_else(DiskOptions::default, Way::options) }
    }

    /// Whether what has this key is switched on.
    pub fn has(&self, key: &str) -> bool {
        self.way.is_some_and(|way| way.key == key)
    }
    /// Whether it is billed by use, beyond what its size is.
    pub(crate) fn is_by_use(&self) -> bool {
        self.way.is_some_and(|way| way.by_use)
    }

    /// As it comes.
    pub fn is_plain(&self) -> bool {
        *self == Purchase::default()
    }
}

/// What of a disk is billed by use; prices are for ten thousand operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// Every operation.
    Operations {
        price: Money,
        /// A larger one is billed as several of this size; absent = once.
        unit: Option<Bytes>,
        /// One is billed as so many at most.
        units_max: Option<u64>,
        /// No more than so many an hour are billed, of each disk.
        hourly_max: Option<u64>,
    },
    /// What exceeds the rates that come with the disk.
    Burst {
        price: Money,
        /// Requests per second that cost nothing, of each disk.
        iops: u64,
        /// Bytes per second that cost nothing.
        bytes: u64,
    },
}

impl Usage {
    fn is_never_dearer(&self, other: &Usage) -> bool {
        match (self, other) {
            (Usage::Burst { price, iops, bytes }, Usage::Burst { price: p, iops: i, bytes: b }) => {
                price <= p && iops >= i && bytes >= b
            }
            _ => self == other,
        }
    }
}

/// What a disk gives and costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiskKind {
    /// Size and limits come together.
    Fixed {
        /// Its size.
        gib: u64,
        /// Requests.
        iops: Rate,
        bytes: Rate,
        /// A month of it.
        price: Money,
    },
    /// Size, IOPS and throughput are bought apart.
    Free(FreeDisk),
}

/// A disk whose size, IOPS and throughput are bought apart, or follow from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeDisk {
    /// Smallest and largest size.
    pub gib: (u64, u64),
    /// Billed in steps: powers of two from 4 GiB to 1 TiB, then whole TiB.
    pub stepped: bool,
    /// Most IOPS for each GiB.
    pub iops_per_gib: u64,
    /// Fewest IOPS for each GiB.
    pub iops_min_per_gib: u64,
    /// Fewest and most IOPS of any disk.
    pub iops: (u64, u64),
    /// Most bytes per second for each IOPS.
    pub bytes_per_iops: u64,
    /// Least bytes per second for each IOPS.
    pub bytes_min_per_iops: u64,
    /// Least and most MB/s of any disk.
    pub mb: (u64, u64),
    /// IOPS and MB/s that come with every disk.
    pub free: (u64, u64),
    /// IOPS and MB/s that are bought of every disk beside its own, for other VMs.
    pub besides: (u64, u64),
    /// A month of a GiB, an IOPS, a MB/s.
    pub price: (Money, Money, Money),
    /// A month of what comes before the first IOPS of its price.
    pub base: Money,
    /// Bytes of an MB.
    pub unit: u64,
    /// What of its rates is not bought.
    pub follow: Follow,
    /// Most bytes per second for each GiB, where the size decides.
    pub bytes_per_gib: Option<u64>,
    /// What its size gives on credits, where those count.
    pub burst: Option<FreeBurst>,
}

impl FreeDisk {
    /// One whose size and rates are all bought, in MB of 10⁶ bytes, for whoever names the rest.
    pub const PLAIN: FreeDisk = FreeDisk {
        gib: (1, 1),
        stepped: false,
        iops_per_gib: 1,
        iops_min_per_gib: 0,
        iops: (1, 1),
        bytes_per_iops: 1,
        bytes_min_per_iops: 0,
        mb: (1, 1),
        free: (0, 0),
        besides: (0, 0),
        price: (Money::ZERO, Money::ZERO, Money::ZERO),
        base: Money::ZERO,
        unit: 1_000_000,
        follow: Follow::Nothing,
        bytes_per_gib: None,
        burst: None,
    };
}

/// Latency of what the host cache serves: hit of a read, write into it, added to a miss; means in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheLatency {
    /// A read that hits.
    pub hit_ns: u64,
    /// A write into a ReadWrite cache.
    pub write_ns: u64,
    /// Added to a read that misses.
    pub miss_ns: u64,
    /// A read that hits, at its quantiles.
    pub hit: Quantiles,
    /// A write into a ReadWrite cache.
    pub write: Quantiles,
    /// What is added to a read that misses.
    pub miss: Quantiles,
}

/// A distribution of latencies at [`Quantiles::PPM`], in nanoseconds; all zero = only the mean is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quantiles([u64; 9]);

impl Quantiles {
    /// At which parts per million.
    pub const PPM: [u32; 9] = [10_000, 100_000, 500_000, 900_000, 950_000, 990_000, 999_000, 999_900, ONE];

    /// Of a latency model, by its knots: parts per million and nanoseconds, both growing.
    pub fn of(knots: &[(u32, u64)]) -> Quantiles {
        let places: Vec<f64> = knots.iter().map(|knot| place_of(knot.0)).collect();
        let at = |ppm: u32| read_off(knots, &places, f64::from(ONE - ppm) / f64::from(ONE));
        Quantiles(Quantiles::PPM.map(|ppm| libm::round(at(ppm)) as u64))
    }

    /// Of a table that a simulation draws from.
    pub fn of_table(table: &QuantileTable) -> Quantiles {
        let draw = |ppm: u32| match f64::from(ONE - ppm) / f64::from(ONE) {
            tail if tail >= 0.5 => (((1.0 - tail) * 2f64.powi(64)) as u64).min((1 << 63) - 1),
            // The upper half counts down by halvings of the tail, each from its wider end.
            tail => {
                let octave = (-libm::log2(2.0 * tail)).floor().clamp(0.0, 26.0) as i32;
                let within = 2.0 * (1.0 - (tail * 2f64.powi(octave + 1)).max(0.5));
                (1 << 63) | (((1.0 + within) * 2f64.powi(62 - octave)) as u64).min((1 << (63 - octave)) - 1)
            }
        };
        Quantiles(Quantiles::PPM.map(|ppm| u64::from(table.at(draw(ppm)))))
    }

    /// What a share of all exceeds, in nanoseconds; nothing where it is not known.
    pub fn exceeded_by(&self, tail: f64) -> Option<f64> {
        static PLACES: LazyLock<[f64; 9]> = LazyLock::new(|| Quantiles::PPM.map(place_of));
        let knots: [(u32, u64); 9] = std::array::from_fn(|i| (Quantiles::PPM[i], self.0[i]));
        (self.0[8] > 0).then(|| read_off(&knots, &*PLACES, tail))
    }

    /// By how much the latest of so many exceeds one on average, in nanoseconds: of `k` a share `uᵏ` is below the quantile `u`.
    pub(crate) fn latest_of(&self, parts: u64) -> u64 {
        if parts < 2 {
            return 0;
        }
        let all = |below: f64| libm::pow(below, parts as f64);
        let more = |from: f64, to: f64| (all(to) - all(from)) - (to - from);
        let below = Quantiles::PPM.map(|ppm| f64::from(ppm) / f64::from(ONE));
        let between =
            (1..9).map(|i| libm::sqrt(self.0[i - 1] as f64 * self.0[i] as f64) * more(below[i - 1], below[i]));
        (self.0[0] as f64 * more(0.0, below[0]) + between.sum::<f64>()).max(0.0) as u64
    }
}

/// The smallest share of draws that a simulation tells from none.
const TAIL_MIN: f64 = 1.0 / (1u32 << 28) as f64;

/// Where a share of all that takes longer stands on the scale of [`read_off`].
fn place(tail: f64) -> f64 {
    if tail >= 0.5 { libm::log(2.0 * (1.0 - tail)) } else { -libm::log(2.0 * tail) }
}

/// Where a knot stands; the maximum where a draw from a table of 2⁻²⁸ would find it.
fn place_of(ppm: u32) -> f64 {
    place((f64::from(ONE - ppm) / f64::from(ONE)).max(TAIL_MIN))
}

/// Between two knots, which stand at `places`, the logarithm of the time is linear in that of the smaller of the two probabilities, as a
/// simulation draws it.
fn read_off(knots: &[(u32, u64)], places: &[f64], tail: f64) -> f64 {
    let at = place(tail.clamp(TAIL_MIN, 1.0 - 1e-9));
    let next = places.partition_point(|place| *place <= at);
    match (next.checked_sub(1).map(|below| knots[below]), knots.get(next)) {
        (Some(below), Some(above)) => {
            let (from, to) = (places[next - 1], places[next]);
            let (low, high) = (libm::log(below.1.max(1) as f64), libm::log(above.1.max(1) as f64));
            libm::exp(low + (high - low) * (at - from) / (to - from))
        }
        (Some(last), None) => last.1 as f64,
        (None, first) => first.map_or(0.0, |first| first.1 as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_that_a_simulation_draws() {
        let model = dw_catalogue::latency::model("premium-ssd").unwrap();
        let setting = dw_catalogue::LatencySetting::Typical;
        let (knots, table) = (model.read_knots(setting), &model.read(setting).table);
        let (of_knots, of_table) = (Quantiles::of(&knots), Quantiles::of_table(table));
        for (ppm, ns) in &knots {
            let tail = f64::from(ONE - ppm) / f64::from(ONE);
            for found in [of_knots, of_table] {
                let found = found.exceeded_by(tail).unwrap() as u64;
                assert!(found.abs_diff(*ns) * 50 <= *ns, "{ppm} ppm: {found}, not {ns}");
            }
        }
        // Between the knots, as the table has it.
        let p80 = of_knots.exceeded_by(0.2).unwrap() as u64;
        assert!((2_850_000..4_200_000).contains(&p80), "{p80}");
        assert_eq!(Quantiles::default().exceeded_by(0.01), None);
    }

    #[test]
    fn the_latest_of_several_takes_longer() {
        // Evenly from 1 to 2 ms the latest of n takes 1 + n / (n + 1) ms on average.
        let knots: Vec<(u32, u64)> =
            (0..=100).map(|i| (1 + i * 9_999.min(ONE / 100), 1_000_000 + u64::from(i) * 10_000)).collect();
        let even = Quantiles::of(&knots);
        assert_eq!(even.latest_of(1), 0);
        for (parts, expected) in [(2, 166_667), (4, 300_000)] {
            let found = even.latest_of(parts);
            // Nine quantiles of an even distribution are bent a little.
            assert!(found.abs_diff(expected) * 6 < expected, "{parts}: {found}");
        }
    }

    #[test]
    fn the_hardest_stamps_have_the_busiest_that_a_plan_may_hold() {
        let sample = |reads: u64, kib: u64| Sample { reads, read_bytes: reads * kib * 1_024, ..Sample::default() };
        let samples = vec![sample(10, 8), sample(50, 8), sample(50, 8), sample(5, 1_024), sample(40, 8)];
        let mut volume = Volume::asking("data", samples, vec![]);
        assert!(volume.hardest(1).is_empty());
        volume.latency_max[0] = LatencyMax::mean(Duration::from_ms(1));
        for (allowed, expected) in
            [(0, vec![1, 3]), (1, vec![1, 2, 3]), (2, vec![1, 2, 3, 4]), (9, vec![0, 1, 2, 3, 4])]
        {
            assert_eq!(volume.hardest(allowed), expected, "{allowed}");
        }
    }
}
