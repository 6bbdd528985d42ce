//! What comes out: rates, latencies with a band, the bottleneck of each load, the use of each limit.

use dw_stack::{LimitId, StackSpec};

use crate::climb::Climber;
use crate::load::{Flow, Load};
use crate::network::{Class, Network};
use crate::service::Services;
use crate::settle::{Equilibrium, settle};
use crate::touch::Touched;

/// A figure with what it may be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Band {
    /// At least, nearly always.
    pub low: f64,
    /// The estimate.
    pub mean: f64,
    /// At most, nearly always.
    pub high: f64,
}

/// What one direction of a load gets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DirectionEstimate {
    /// Requests per second.
    pub per_second: f64,
    /// Mean seconds of a request.
    pub latency: Band,
}

/// What a load gets.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadEstimate {
    /// Requests per second.
    pub per_second: f64,
    /// Reads, if it has any.
    pub reads: Option<DirectionEstimate>,
    /// Writes, if it has any.
    pub writes: Option<DirectionEstimate>,
    /// The limit that keeps it from more; absent = what it asks for, or what it has outstanding.
    pub bottleneck: Option<LimitId>,
    /// Share of its requests' time spent waiting there.
    pub waits: f64,
    /// Share of its requests that wait for data which have to be fetched; absent = not known, and all figures are those of data that are
    /// all there.
    pub fetches: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitUse {
    /// Which; of limits that are alike the first.
    pub id: LimitId,
    /// How many are alike.
    pub alike: u32,
    /// Tokens a second that each gives now.
    pub rate: f64,
    /// Share of it that is used.
    pub share: f64,
}

/// What a stack gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// In the order of the loads.
    pub loads: Vec<LoadEstimate>,
    pub limits: Vec<LimitUse>,
    /// Waits that were worked out for it, at most: what it cost, whatever the machine.
    pub work: u64,
}

/// A limit is a bottleneck when so much of it is used, and requests spend so much of their time there.
const USED_UP: f64 = 0.95;
const WAITS: f64 = 0.05;

/// What `spec` gives to `loads` for as long as its burst credits last; without credits where `spec` begins so. Of data that have to be
/// fetched when they are first used only that is there which is at the start.
pub fn estimate(spec: &StackSpec, loads: &[Load]) -> Estimate {
    let mut touched = Touched::at_start(spec);
    touched.begin(loads);
    let network = Network::new(spec, loads, &Services::default(), &touched);
    let rates = network.rates_at_start(spec.credits);
    at_rates(&network, &rates)
}

pub(crate) fn at_rates(network: &Network, rates: &[f64]) -> Estimate {
    let settled = settle(network, rates);
    let limits = network.stations.iter().zip(rates).zip(&settled.busy);
    Estimate {
        work: settled.work,
        loads: (0..settled.climbers.len()).map(|k| load(network, &settled, k)).collect(),
        limits: limits
            .map(|((station, rate), share)| LimitUse {
                id: station.id,
                alike: station.copies as u32,
                rate: *rate,
                share: *share,
            })
            .collect(),
    }
}

fn load(network: &Network, settled: &Equilibrium, k: usize) -> LoadEstimate {
    let (climber, state, others) = (&settled.climbers[k], &settled.states[k], &settled.others[k]);
    let (all, by_direction) = climber.times(&state.waits, state.rate, others);
    let off = uncertainty(settled, k);
    let share = |writes: bool| {
        let of = climber.class.outcomes.iter().filter(|outcome| !outcome.later && outcome.writes == writes);
        of.map(|outcome| outcome.share).sum::<f64>()
    };
    let served = |writes: bool| {
        let (share, mean) = (share(writes), by_direction[usize::from(writes)]);
        let latency = band(climber, state.rate, mean, off);
        (share > 0.0).then_some(DirectionEstimate { per_second: state.rate * share, latency })
    };
    let waits = climber.places(&state.waits, state.rate, others, |station| settled.busy[station] >= USED_UP);
    let waiting = climber.needs.iter().zip(waits).map(|(need, wait)| (need.station, wait / all));
    let most = waiting.filter(|(_, waits)| *waits >= WAITS).max_by(|a, b| a.1.total_cmp(&b.1));
    LoadEstimate {
        per_second: state.rate,
        reads: served(false),
        writes: served(true),
        bottleneck: most.map(|(station, _)| network.stations[station].id),
        waits: most.map_or(0.0, |(_, waits)| waits),
        fetches: fetches(climber.class),
    }
}

fn fetches(class: &Class) -> Option<f64> {
    let waiting = class.outcomes.iter().filter(|outcome| outcome.fetches);
    class.is_known.then(|| waiting.map(|outcome| outcome.share).sum())
}

/// How far off a mean may be: a little of all of it, and more of the part that is waiting, most of all among other volumes at a gate
/// that is short. Set so that 95 % of random rigs are within (`docs/model/estimate.md`).
pub(crate) fn uncertainty(settled: &Equilibrium, k: usize) -> f64 {
    let (climber, state, others) = (&settled.climbers[k], &settled.states[k], &settled.others[k]);
    let all = climber.times(&state.waits, state.rate, others).0;
    let waiting = (1.0 - climber.service() / all).clamp(0.0, 1.0);
    // Lanes of others at a gate that has little left.
    let crowded = climber.needs.iter().zip(others).filter(|(_, others)| others.share.is_some());
    let crowd = crowded.map(|(need, _)| settled.busy[need.station].min(1.0)).fold(0.0, f64::max);
    0.025 + (0.15 + 0.2 * crowd * crowd) * waiting
}

fn band(climber: &Climber, rate: f64, mean: f64, off: f64) -> Band {
    let most = match climber.class.flow {
        Flow::Paced { queue_depth, .. } => (f64::from(queue_depth) / rate / mean).max(1.0),
        _ => 1.0,
    };
    Band { low: mean * (1.0 - off), mean, high: mean * (1.0 + off) * most }
}
