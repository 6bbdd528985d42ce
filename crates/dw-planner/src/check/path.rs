//! Where requests are counted: those of every volume are followed along its route, and added up at all that they meet.
//!
//! ```text
//! gates in front ─▶ host cache ─ misses, writes ─▶ gates behind ─▶ disks
//! ```
//!
//! Gates that are one budget: where requests meet two parts of it, the whole counts, and of the parts what is narrower. Where they meet
//! one part, that counts alone.
//!
//! Source: `docs/model/vm-limits.md`.
//!
//! Ignores: that a VM counts the pieces into which a stripe splits a request.
//!
//! Invariant: no gate carries more than all volumes ask together.

use std::collections::{BTreeMap, BTreeSet};

use dw_catalogue::gate::Route;
use dw_documents::Quantity;
use dw_units::Direction;

use super::disks::Bought;
use super::stripe::Stripe;
use crate::limit::Limit;
use crate::plan::Plan;
use crate::problem::{ONE, Problem, Rate, Rates, Sample, Stream, VmOffer};

/// Where requests are counted, and their bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// The disks of a volume.
    Disks(usize),
    /// A gate of the VM.
    Gate(usize),
}

/// What a place gives, and what it carries in every stamp.
#[derive(Debug, Default)]
pub(super) struct Carried {
    pub(super) gives: Rates,
    pub(super) loads: Vec<Stream>,
}

/// All places that the requests of a plan meet, in order of their path.
pub(super) fn follow(problem: &Problem, plan: &Plan) -> BTreeMap<Place, Carried> {
    let mut places: BTreeMap<Place, Carried> = BTreeMap::new();
    let mut met = BTreeSet::new();
    let mut asked = 0;
    for (number, (volume, chosen)) in problem.volumes.iter().zip(&plan.volumes).enumerate() {
        debug_assert_eq!(volume.samples.len(), problem.stamps, "a sample for every stamp");
        let route = problem.vms[plan.vm].route(chosen.class).unwrap_or_default();
        let all: Vec<_> = volume.samples.iter().map(Sample::streams).collect();
        let missed: Vec<_> = volume.samples.iter().map(|sample| missed(sample, route, chosen.hit)).collect();
        asked += all.iter().flatten().map(|stream| stream.requests).sum::<u64>();
        for (gates, passing) in [(route.front, &all), (route.behind, &missed)] {
            for gate in gates.iter() {
                met.insert(gate);
                add(problem, gate, passing, &mut places.entry(Place::Gate(gate)).or_default().loads);
            }
        }
        if let Some(bought) = Bought::of(problem, chosen) {
            let mut stripe = Stripe::new(bought.count, volume.stripe_unit, bought.offer.io_unit);
            let loads = missed.iter().map(|streams| stripe.carries(streams)).collect();
            places.insert(Place::Disks(number), Carried { gives: bought.give(), loads });
        }
    }
    for gate in &met {
        let carried = places.get_mut(&Place::Gate(*gate)).expect("it was met");
        carried.gives = gives(problem, &problem.vms[plan.vm], &met, *gate);
        debug_assert!(carried.loads.iter().map(|load| load.requests).sum::<u64>() <= asked, "each counts once");
    }
    places
}

/// What of a sample goes on behind a host cache: the reads that miss, and writes.
pub(super) fn missed(sample: &Sample, route: Route, hit: u32) -> [Stream; 2] {
    let [read, write] = sample.streams();
    let served = if route.has_cache() { u128::from(hit) } else { 0 };
    let miss = |all: u64| all - (u128::from(all) * served / u128::from(ONE)) as u64;
    [Stream { requests: miss(read.requests), bytes: miss(read.bytes) }, write]
}

/// Adds what of the requests that pass a gate it is for.
fn add(problem: &Problem, gate: usize, passing: &[[Stream; 2]], loads: &mut Vec<Stream>) {
    loads.resize(passing.len(), Stream::default());
    for (load, streams) in loads.iter_mut().zip(passing) {
        for (direction, stream) in Direction::ALL.into_iter().zip(streams) {
            if meets(problem, gate, direction) {
                load.requests += stream.requests;
                load.bytes += stream.bytes;
            }
        }
    }
}

/// Whether requests of a direction count at a gate.
pub(super) fn meets(problem: &Problem, gate: usize, direction: Direction) -> bool {
    problem.gates[gate].direction.is_none_or(|only| only == direction)
}

/// What a gate limits where requests meet these.
fn gives(problem: &Problem, vm: &VmOffer, met: &BTreeSet<usize>, gate: usize) -> Rates {
    let is_part = |part: usize, whole: usize| problem.gates[part].within == Some(whole);
    let counts = |whole: usize| met.contains(&whole) && met.iter().filter(|part| is_part(**part, whole)).count() > 1;
    let is_whole = (0..problem.gates.len()).any(|part| is_part(part, gate));
    let own = vm.gates[gate];
    match problem.gates[gate].within {
        Some(whole) if counts(whole) => {
            let whole = vm.gates[whole];
            Rates { iops: narrower(own.iops, whole.iops), bytes: narrower(own.bytes, whole.bytes) }
        }
        None if is_whole && !counts(gate) => Rates::default(),
        _ => own,
    }
}

/// A part, where it is narrower than its whole: by what it sustains, then by its burst.
fn narrower(part: Option<Rate>, whole: Option<Rate>) -> Option<Rate> {
    let width = |rate: Rate| (rate.base, rate.burst.map_or(rate.base, |(top, _)| top));
    part.filter(|part| whole.is_none_or(|whole| width(*part) < width(whole)))
}

impl Carried {
    /// Limits that carry something, each with what it gives and its load over time.
    pub(super) fn limits(&self, place: Place) -> Vec<(Limit, Rate, Vec<u64>)> {
        let of = |quantity: Quantity, rate: Option<Rate>, load: fn(&Stream) -> u64| {
            let limit = match (place, quantity) {
                (Place::Gate(gate), _) => Limit::Gate(gate, quantity),
                (Place::Disks(volume), Quantity::Iops) => Limit::DiskIops(volume),
                (Place::Disks(volume), _) => Limit::DiskThroughput(volume),
            };
            let loads: Vec<u64> = self.loads.iter().map(load).collect();
            let rate = rate.filter(|_| loads.iter().any(|load| *load > 0));
            rate.map(|rate| (limit, rate, loads))
        };
        let limits = [
            of(Quantity::Iops, self.gives.iops, |load| load.requests),
            of(Quantity::Throughput, self.gives.bytes, |load| load.bytes),
        ];
        limits.into_iter().flatten().collect()
    }
}
