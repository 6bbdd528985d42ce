//! A stack and its loads as a network of paced limits: which of them each request visits, with how many tokens.
//!
//! The members of a stripe that are alike are one station of so many copies, as any of them is as likely to be visited. What a request
//! can turn out to be (a hit, a miss, cut in two by the stripe) is an [`Outcome`] with its share, its path and its service time.
//!
//! Ignores: stripes of unequal disks beyond the zone in which all take part.

use dw_stack::{
    BurstSpec, CacheMode, Credits, DiskSpec, Gate, GateId, HostCacheSpec, Limit, LimitId, LimitSpec, Quantity,
    RateSpec, ServiceTime, StackSpec, VolumeId, VolumeSpec,
};
use dw_units::{Bytes, Direction};

use crate::load::{Flow, Kind, Load, Order};
use crate::parts::{Cut, cuts};
use crate::service::Services;
use crate::touch::Touched;

/// A paced limit, or several alike of which a request visits any.
#[derive(Clone, Debug)]
pub(crate) struct Station {
    /// Of the first of them.
    pub(crate) id: LimitId,
    pub(crate) copies: f64,
    pub(crate) spec: RateSpec,
    /// Shared fairly by lanes, a lane for each disk.
    pub(crate) fair: bool,
}

/// What one request does at a station.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    pub(crate) station: usize,
    /// How often it comes.
    pub(crate) tasks: f64,
    /// Tokens that it takes in all, and the sum of their squares.
    pub(crate) tokens: f64,
    pub(crate) squares: f64,
}

/// What a request can turn out to be.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) share: f64,
    pub(crate) writes: bool,
    /// In the order of the path.
    pub(crate) path: Vec<Visit>,
    /// Disk I/Os that go side by side.
    pub(crate) parts: f64,
    /// Seconds: by eighths, the shortest first.
    pub(crate) services: [f64; 8],
    /// Seconds by which the slowest of its parts takes longer than one of them.
    pub(crate) spread: f64,
    /// Done later by the stack itself: it loads limits, and nobody waits for it.
    pub(crate) later: bool,
    /// It waits for data that have to be fetched.
    pub(crate) fetches: bool,
}

impl Outcome {
    /// Seconds that it takes on average when it waits nowhere.
    pub(crate) fn service(&self) -> f64 {
        self.services.iter().sum::<f64>() / 8.0
    }
}

/// A load on the network.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    pub(crate) volume: VolumeId,
    pub(crate) flow: Flow,
    pub(crate) outcomes: Vec<Outcome>,
    /// Disks of its volume: its lanes at a gate.
    pub(crate) lanes: f64,
    /// Chunks that a request moves on by, where requests follow each other.
    pub(crate) stride: Option<f64>,
    /// Which of its data are there is known.
    pub(crate) is_known: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Network {
    pub(crate) stations: Vec<Station>,
    pub(crate) classes: Vec<Class>,
}

/// The stations of one place: I/Os, bytes.
type Places = [Option<usize>; 2];

/// The stations of disks that are alike.
struct Members<'a> {
    disk: &'a DiskSpec,
    /// Share of the volume's disks.
    share: f64,
    all: Places,
    /// Reads, writes.
    only: [Places; 2],
}

impl Network {
    /// `touched`: what is there of volumes whose data have to be fetched.
    pub(crate) fn new<'a>(spec: &'a StackSpec, loads: &[Load], services: &Services<'a>, touched: &Touched) -> Network {
        let mut network = Network { stations: Vec::new(), classes: Vec::new() };
        let gates: Vec<Places> = (0u8..)
            .zip(&spec.vm.gates)
            .map(|(gate, spec)| network.place(Gate::Vm(GateId(gate)), &plain(spec.limits, &spec.more), 1.0))
            .collect();
        let volumes: Vec<Vec<Members>> =
            (0u16..).zip(&spec.volumes).map(|(id, volume)| network.members(VolumeId(id), volume)).collect();
        for load in loads {
            let Some(volume) = spec.volumes.get(usize::from(load.volume.0)) else { continue };
            let maker = Maker {
                spec,
                volume,
                members: &volumes[usize::from(load.volume.0)],
                gates: &gates,
                services,
                load,
                touched,
            };
            let class = maker.class(load);
            network.classes.push(class);
        }
        network
    }

    /// Tokens a second that each station gives at the start.
    pub(crate) fn rates_at_start(&self, credits: Credits) -> Vec<f64> {
        let rate = |spec: RateSpec| match (spec.burst, credits) {
            (Some(burst), Credits::Full) => burst.rate.max(spec.rate),
            _ => spec.rate,
        };
        self.stations.iter().map(|station| rate(station.spec) as f64).collect()
    }

    fn place(&mut self, gate: Gate, limits: &LimitSpec, copies: f64) -> Places {
        let rates = [(Quantity::Iops, limits.iops), (Quantity::Throughput, limits.throughput)];
        rates.map(|(quantity, rate)| {
            rate.map(|spec| {
                let fair = matches!(gate, Gate::Vm(_));
                self.stations.push(Station { id: LimitId { gate, quantity }, copies, spec, fair });
                self.stations.len() - 1
            })
        })
    }

    fn members<'a>(&mut self, id: VolumeId, volume: &'a VolumeSpec) -> Vec<Members<'a>> {
        let mut groups: Vec<(u16, &DiskSpec, usize)> = Vec::new();
        for (number, disk) in (0u16..).zip(&volume.disks) {
            let alike = |other: &&mut (u16, &DiskSpec, usize)| {
                let of = |disk: &DiskSpec| (disk.limits, disk.by_direction, disk.io_unit);
                of(other.1) == of(disk)
                    && other.1.more == disk.more
                    && other.1.read == disk.read
                    && other.1.write == disk.write
            };
            match groups.iter_mut().find(alike) {
                Some(group) => group.2 += 1,
                None => groups.push((number, disk, 1)),
            }
        }
        let members = groups.into_iter().map(|(number, disk, count)| {
            let mut place = |only: Option<Direction>, limits: Option<LimitSpec>| {
                let gate = Gate::Disk { volume: id, disk: number, only };
                limits.map_or([None; 2], |limits| self.place(gate, &limits, count as f64))
            };
            Members {
                disk,
                share: count as f64 / volume.disks.len() as f64,
                all: place(None, Some(plain(disk.limits, &disk.more))),
                only: [
                    place(Some(Direction::Reads), disk.by_direction.reads),
                    place(Some(Direction::Writes), disk.by_direction.writes),
                ],
            }
        });
        members.collect()
    }
}

/// Limits with an accounting as if each request were charged by itself: what is merged, floors and weights are left out.
fn plain(mut limits: LimitSpec, more: &[Limit]) -> LimitSpec {
    for limit in more.iter().filter(|limit| limit.accounting.only().is_none()) {
        let burst = limit.credits.map(|credits| BurstSpec { rate: credits.peak, credits: credits.size });
        let rate = Some(RateSpec { rate: limit.rate, depth: limit.depth, burst });
        match limit.quantity {
            Quantity::Iops => limits.iops = rate,
            Quantity::Throughput => limits.throughput = rate,
        }
    }
    limits
}

/// Beyond which size an I/O counts as several on a disk.
fn unit_of(disk: &DiskSpec) -> Option<Bytes> {
    let of_ios = |limit: &&Limit| limit.quantity == Quantity::Iops && limit.accounting.only().is_none();
    disk.io_unit.or_else(|| disk.more.iter().find(of_ios).and_then(|limit| limit.accounting.unit))
}

/// Makes the outcomes of loads on one volume.
struct Maker<'a, 'm> {
    spec: &'a StackSpec,
    volume: &'a VolumeSpec,
    members: &'m [Members<'a>],
    gates: &'m [Places],
    services: &'m Services<'a>,
    load: &'m Load,
    touched: &'m Touched,
}

impl<'a> Maker<'a, '_> {
    fn class(&self, load: &Load) -> Class {
        let unit = self.volume.stripe_unit.get().max(1);
        let mut stride = None;
        let mut outcomes = Vec::new();
        for kind in &load.requests {
            let step = match kind.order {
                Order::Random { align } => align,
                Order::Sequential => {
                    stride = (self.volume.disks.len() > 1).then(|| f64::from(kind.size) / unit as f64);
                    kind.size
                }
            };
            for cut in cuts(u64::from(kind.size), u64::from(step), unit, self.volume.disks.len()) {
                self.outcomes(kind, &cut, &mut outcomes);
            }
        }
        outcomes.retain(|outcome| outcome.share > 0.0);
        let (lanes, is_known) = (self.volume.disks.len() as f64, self.touched.is_known(load));
        Class { volume: load.volume, flow: load.flow, outcomes, lanes, stride, is_known }
    }

    fn cache(&self) -> Option<&'a HostCacheSpec> {
        self.spec.vm.host_cache.as_ref().filter(|_| self.volume.host_cache != CacheMode::None)
    }

    fn outcomes(&self, kind: &Kind, cut: &Cut, out: &mut Vec<Outcome>) {
        let share = kind.share * cut.share;
        let largest = cut.lens.iter().copied().max().unwrap_or(0);
        let mut front = Vec::new();
        if (self.volume.host_cache != CacheMode::None || self.volume.path.local)
            && let Some(gate) = self.volume.path.front
        {
            self.visit_gate(gate, cut, &mut front);
        }
        let mut push = |share: f64, path: Vec<Visit>, (services, single): ([f64; 8], f64), later: bool| {
            let parts = cut.lens.len() as f64;
            let spread = (services.iter().sum::<f64>() / 8.0 - single).max(0.0);
            out.push(Outcome { share, writes: kind.writes, path, parts, services, spread, later, fetches: false });
        };
        let to_disk = || [front.clone(), self.behind(kind, cut)].concat();
        let on = |service: &'a ServiceTime| {
            (self.services.eighths(service, cut.lens.len(), largest), self.services.slowest(service, 1, largest))
        };
        match (self.cache(), kind.writes) {
            (Some(cache), false) => {
                let penalty = cache.miss_penalty.as_ref().map_or(([0.0; 8], 0.0), on);
                push(share * kind.hits.ram, front.clone(), on(&cache.ram_hit), false);
                push(share * kind.hits.ssd, front.clone(), on(&cache.ssd_read), false);
                push(share * (1.0 - kind.hits.all()), to_disk(), sum(self.served(kind, cut), penalty), false);
            }
            (Some(cache), true) if self.volume.host_cache == CacheMode::ReadWrite => {
                push(share, front.clone(), on(&cache.ssd_write), false);
                let later = destaged(kind, cut, cache);
                push(share * later.share, self.behind(kind, &later), ([0.0; 8], 0.0), true);
            }
            _ => {
                let (services, single) = self.served(kind, cut);
                let waits = self.touched.waits(self.load, kind, cut, &services);
                let at_once = 1.0 - waits.iter().map(|wait| wait.share).sum::<f64>();
                push(share * at_once, to_disk(), (services, single), false);
                let plain = out.last().cloned();
                out.extend(waits.iter().zip(plain.iter().cycle()).map(|(wait, plain)| Outcome {
                    share: share * wait.share,
                    services: wait.services,
                    fetches: true,
                    ..plain.clone()
                }));
            }
        }
    }

    /// Seconds at the medium: of the slowest part by eighths, of one of them on average.
    fn served(&self, kind: &Kind, cut: &Cut) -> ([f64; 8], f64) {
        let largest = cut.lens.iter().copied().max().unwrap_or(0);
        let of = |members: &Members<'a>| {
            let service = if kind.writes { &members.disk.write } else { &members.disk.read };
            let all = self.services.eighths(service, cut.lens.len(), largest).map(|seconds| members.share * seconds);
            (all, members.share * self.services.slowest(service, 1, largest))
        };
        self.members.iter().map(of).fold(([0.0; 8], 0.0), sum)
    }

    /// The disk's limits, those of the direction, and the gates behind.
    fn behind(&self, kind: &Kind, cut: &Cut) -> Vec<Visit> {
        let mut path = Vec::new();
        for members in self.members {
            let unit = unit_of(members.disk).map_or(u64::MAX, |unit| unit.get().max(1));
            let ios = |len: u64| len.div_ceil(unit).max(1) as f64;
            for place in [members.all, members.only[usize::from(kind.writes)]] {
                visit(place, members.share, cut, ios, &mut path);
            }
        }
        if !self.volume.path.local {
            for &gate in &self.volume.path.remote {
                self.visit_gate(gate, cut, &mut path);
            }
        }
        path
    }

    fn visit_gate(&self, gate: GateId, cut: &Cut, path: &mut Vec<Visit>) {
        let place = self.gates.get(usize::from(gate.0)).copied().unwrap_or([None; 2]);
        visit(place, 1.0, cut, |_| 1.0, path);
    }
}

/// The disk writes of the write-back, with how many of them a request makes: those that follow each other share a block.
fn destaged(kind: &Kind, cut: &Cut, cache: &HostCacheSpec) -> Cut {
    let block = cache.block_size.get();
    let sector = (block / 16).max(4_096);
    match kind.order {
        Order::Sequential if u64::from(kind.size) < block => {
            Cut { share: f64::from(kind.size) / block as f64, lens: vec![block] }
        }
        Order::Sequential => Cut { share: 1.0, lens: cut.lens.clone() },
        Order::Random { .. } => {
            Cut { share: 1.0, lens: cut.lens.iter().map(|len| len.div_ceil(sector) * sector).collect() }
        }
    }
}

fn sum(a: ([f64; 8], f64), b: ([f64; 8], f64)) -> ([f64; 8], f64) {
    (std::array::from_fn(|i| a.0[i] + b.0[i]), a.1 + b.1)
}

/// A share of the parts of a request comes to a place.
fn visit(place: Places, share: f64, cut: &Cut, ios: impl Fn(u64) -> f64, path: &mut Vec<Visit>) {
    let of = |tokens: &dyn Fn(u64) -> f64, station| {
        let (sum, squares) = cut.lens.iter().map(|&len| tokens(len)).fold((0.0, 0.0), |(a, b), t| (a + t, b + t * t));
        Visit { station, tasks: share * cut.lens.len() as f64, tokens: share * sum, squares: share * squares }
    };
    let [requests, bytes] = place;
    path.extend(requests.map(|station| of(&ios, station)));
    path.extend(bytes.map(|station| of(&|len| len as f64, station)));
}
