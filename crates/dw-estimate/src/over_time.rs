//! What changes while loads run: credits that run dry, caches that warm up, data that come when they are first used (`touch.rs`).
//!
//! Credits move linearly: a limit in its burst loses what is used above its base rate, so the first of them to run dry is known, and
//! what the stack gives after it is another estimate.
//!
//! A cold cache under uniform random reads of a working set hits `h`, the share of the set that has been read before. Each miss adds a
//! read's own part, or its block where the cache fills blocks; so with `u` reads to the set
//!
//! ```text
//! dh/dt = X(h) (1 − h) / u
//! ```
//!
//! with the rate `X(h)` of the estimate; no more than what the cache holds of the set is hit.
//!
//! Ignores: working sets with hotter and colder parts, several loads that warm one working set, writes that fill a cache; a limit that
//! ran dry and earns credits again does not burst again.

use dw_stack::{Credits, Fill, LimitId, StackSpec};
use dw_units::Bytes;

use crate::climb::Climber;
use crate::estimate::{Estimate, at_rates};
use crate::load::{Flow, Hits, Load};
use crate::network::Network;
use crate::service::Services;
use crate::touch::Touched;

/// A load of uniform random reads over a working set of which its cache has nothing yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cold {
    /// Its place among the loads.
    pub load: usize,
    /// What it reads from.
    pub working_set: Bytes,
}

/// A time in which nothing changes but credits.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// Seconds from the start.
    pub from_s: f64,
    /// What the stack gives.
    pub gives: Estimate,
    /// Credits at its start, of all limits that burst.
    pub credits: Vec<CreditsLeft>,
    /// By load: share of its reads that a cache serves.
    pub hits: Vec<f64>,
}

/// What is left of a limit's credits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CreditsLeft {
    /// Which limit; of limits that are alike the first.
    pub id: LimitId,
    /// Tokens of each.
    pub left: f64,
    /// Tokens a second by which they shrink; they grow where it is negative.
    pub drain: f64,
}

/// What `spec` gives to `loads` from the start until nothing changes any more; the last phase has no end.
pub fn over_time(spec: &StackSpec, loads: &[Load], cold: &[Cold]) -> Vec<Phase> {
    let mut loads = loads.to_vec();
    let mut warming: Vec<Warming> = cold.iter().map(|cold| Warming::new(spec, &loads, *cold)).collect();
    let services = Services::default();
    let mut touched = Touched::at_start(spec);
    touched.begin(&loads);
    let mut network = network(spec, &mut loads, &warming, &services, &touched);
    let mut burst = Burst::new(&network, spec.credits);
    if touched.is_left() {
        touched.note(&loads, &rates(&at_rates(&network, &burst.rates)));
        touched.aim(f64::INFINITY);
        network = self::network(spec, &mut loads, &warming, &services, &touched);
    }
    let (mut phases, mut from_s) = (Vec::new(), 0.0);
    loop {
        let gives = at_rates(&network, &burst.rates);
        let drain = burst.drain(&network, &gives);
        let dry = burst.dry(&drain);
        let warmer = warming.iter().map(|one| one.lasts(&gives)).fold(f64::INFINITY, f64::min);
        touched.note(&loads, &rates(&gives));
        let touches = touched.lasts();
        let lasts_s = dry.map_or(f64::INFINITY, |(lasts_s, _)| lasts_s).min(warmer).min(touches);
        phases.push(Phase {
            from_s,
            credits: burst.left(&network, &drain),
            hits: loads.iter().map(share_of_hits).collect(),
            gives,
        });
        let Some(phase) = phases.last().filter(|_| lasts_s.is_finite()) else { return phases };
        for one in &mut warming {
            one.warm(&phase.gives, lasts_s);
        }
        burst.pass(&network, &drain, lasts_s);
        if let Some((_, first)) = dry.filter(|(after_s, _)| *after_s <= lasts_s) {
            burst.end(&network, first);
        }
        touched.pass(lasts_s);
        touched.aim(f64::INFINITY);
        if warmer <= lasts_s || touches.is_finite() {
            network = self::network(spec, &mut loads, &warming, &services, &touched);
        }
        from_s += lasts_s;
    }
}

/// Loads that stay the same for a while.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Seconds that they last.
    pub lasts_s: f64,
    pub loads: Vec<Load>,
}

/// What `spec` gives along `steps`, with credits that are spent and earned from one to the next; hits are those of the loads. Credits
/// that a step earns can be spent from the next step on.
pub fn along(spec: &StackSpec, steps: &[Step]) -> Vec<Phase> {
    along_or_full(spec, steps, |_, _| None)
}

/// The same of loads that come at random and may ask more than a limit gives: as long as they do, a load is a loop with as many requests
/// outstanding as `full` says for its place among them, which keeps the limit busy; absent = it stays as it is.
///
/// What comes at random above a limit waits ever longer, so that nothing settles: whether a limit is full is decided before, by what is
/// asked of it.
pub fn along_or_full(spec: &StackSpec, steps: &[Step], full: impl Fn(&[Load], usize) -> Option<u32>) -> Vec<Phase> {
    let mut phases = Vec::new();
    let (mut burst, mut begins_s): (Option<Burst>, f64) = (None, 0.0);
    let services = Services::default();
    let mut touched = Touched::at_start(spec);
    for step in steps {
        touched.begin(&step.loads);
        touched.aim(step.lasts_s);
        let mut network = Network::new(spec, &step.loads, &services, &touched);
        let mut loops: Option<Network> = None;
        let is_first = burst.is_none();
        let burst = burst.get_or_insert_with(|| Burst::new(&network, spec.credits));
        burst.begin(&network);
        let mut left_s = step.lasts_s;
        if is_first && touched.is_left() {
            touched.note(&step.loads, &rates(&at_rates(&network, &burst.rates)));
            touched.aim(left_s);
            network = Network::new(spec, &step.loads, &services, &touched);
        }
        loop {
            let is_full = most_asked(&network, &burst.rates) > FULL;
            let now = if is_full {
                &*loops.get_or_insert_with(|| looped(spec, &step.loads, &full, &services, &touched))
            } else {
                &network
            };
            let gives = at_rates(now, &burst.rates);
            let drain = burst.drain(&network, &gives);
            let dry = burst.dry(&drain).filter(|(after_s, _)| *after_s < left_s);
            touched.note(&step.loads, &rates(&gives));
            let touches = touched.lasts();
            let lasts_s = dry.map_or(left_s, |(after_s, _)| after_s).min(touches);
            touched.pass(lasts_s);
            phases.push(Phase {
                from_s: begins_s + step.lasts_s - left_s,
                credits: burst.left(&network, &drain),
                hits: step.loads.iter().map(share_of_hits).collect(),
                gives,
            });
            burst.pass(&network, &drain, lasts_s);
            if let Some((_, first)) = dry.filter(|(after_s, _)| *after_s <= lasts_s) {
                burst.end(&network, first);
            } else if touches >= left_s {
                break;
            }
            left_s -= lasts_s;
            if touches.is_finite() {
                touched.aim(left_s);
                (network, loops) = (Network::new(spec, &step.loads, &services, &touched), None);
            }
        }
        begins_s += step.lasts_s;
    }
    phases
}

/// Requests a second of each load.
fn rates(gives: &Estimate) -> Vec<f64> {
    gives.loads.iter().map(|load| load.per_second).collect()
}

/// A limit of which so much is asked may be short.
const FULL: f64 = 0.98;

/// Of the limit of which most is asked at random: the share.
fn most_asked(network: &Network, rates: &[f64]) -> f64 {
    let mut asked = vec![0.0; network.stations.len()];
    for class in &network.classes {
        let Flow::Open { per_second } = class.flow else { continue };
        for need in Climber::new(network, class, rates).needs {
            asked[need.station] += per_second * need.work / need.copies;
        }
    }
    asked.into_iter().fold(0.0, f64::max)
}

/// The network with loops in place of what comes at random.
fn looped<'a>(
    spec: &'a StackSpec,
    loads: &[Load],
    full: &impl Fn(&[Load], usize) -> Option<u32>,
    services: &Services<'a>,
    touched: &Touched,
) -> Network {
    let mut looped = loads.to_vec();
    for (place, load) in looped.iter_mut().enumerate() {
        let Flow::Open { per_second } = load.flow else { continue };
        load.flow = full(loads, place).map_or(load.flow, |queue_depth| Flow::Paced { queue_depth, per_second });
    }
    Network::new(spec, &looped, services, touched)
}

/// The network with the hits of this time.
fn network<'a>(
    spec: &'a StackSpec,
    loads: &mut [Load],
    warming: &[Warming],
    services: &Services<'a>,
    touched: &Touched,
) -> Network {
    for one in warming {
        for kind in loads[one.load].requests.iter_mut().filter(|kind| !kind.writes) {
            let ram = (one.hits * one.ram).min(one.hits);
            kind.hits = Hits { ram, ssd: one.hits - ram };
        }
    }
    Network::new(spec, loads, services, touched)
}

fn share_of_hits(load: &Load) -> f64 {
    let reads = || load.requests.iter().filter(|kind| !kind.writes);
    let all: f64 = reads().map(|kind| kind.share).sum();
    if all > 0.0 { reads().map(|kind| kind.share * kind.hits.all()).sum::<f64>() / all } else { 0.0 }
}

/// Rates in force and credits, by station.
struct Burst {
    rates: Vec<f64>,
    credits: Vec<f64>,
}

impl Burst {
    fn new(network: &Network, credits: Credits) -> Burst {
        let full = |credits_max: u64| if credits == Credits::Full { credits_max as f64 } else { 0.0 };
        let of = |spec: dw_stack::RateSpec| spec.burst.map_or(0.0, |burst| full(burst.credits));
        Burst {
            rates: network.rates_at_start(credits),
            credits: network.stations.iter().map(|station| of(station.spec)).collect(),
        }
    }

    /// Whatever has credits may burst.
    fn begin(&mut self, network: &Network) {
        for ((rate, credits), station) in self.rates.iter_mut().zip(&self.credits).zip(&network.stations) {
            let Some(burst) = station.spec.burst else { continue };
            // A hair of credits would be gone at once.
            let has = *credits > burst.credits as f64 * 1e-6;
            *rate = if has { burst.rate.max(station.spec.rate) } else { station.spec.rate } as f64;
        }
    }

    /// Credits a second that each station loses.
    fn drain(&self, network: &Network, gives: &Estimate) -> Vec<f64> {
        let used = gives.limits.iter().zip(&self.rates).map(|(limit, rate)| limit.share * rate);
        used.zip(&network.stations).map(|(used, station)| used - station.spec.rate as f64).collect()
    }

    /// After how many seconds which of them is the first to have none left.
    fn dry(&self, drain: &[f64]) -> Option<(f64, usize)> {
        // What a rounding error drains lasts for ever.
        let drains = |k: &usize| self.credits[*k] > 0.0 && drain[*k] > 1e-6 * self.rates[*k];
        let lasts = (0..drain.len()).filter(drains).map(|k| (self.credits[k] / drain[k], k));
        lasts.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    fn left(&self, network: &Network, drain: &[f64]) -> Vec<CreditsLeft> {
        let bursting = (0..drain.len()).filter(|&k| network.stations[k].spec.burst.is_some());
        bursting.map(|k| CreditsLeft { id: network.stations[k].id, left: self.credits[k], drain: drain[k] }).collect()
    }

    fn pass(&mut self, network: &Network, drain: &[f64], seconds: f64) {
        for ((left, drain), station) in self.credits.iter_mut().zip(drain).zip(&network.stations) {
            let most = station.spec.burst.map_or(0.0, |burst| burst.credits as f64);
            *left = (*left - drain * seconds).clamp(0.0, most);
        }
    }

    fn end(&mut self, network: &Network, station: usize) {
        (self.credits[station], self.rates[station]) = (0.0, network.stations[station].spec.rate as f64);
    }
}

/// A working set on its way into the cache.
struct Warming {
    load: usize,
    hits: f64,
    /// What the cache holds of the set, and its memory.
    most: f64,
    ram: f64,
    working_set: f64,
    /// Bytes that a miss brings in.
    brings: f64,
}

/// Hits change in so many steps.
const STEPS: f64 = 100.0;

impl Warming {
    fn new(spec: &StackSpec, loads: &[Load], cold: Cold) -> Warming {
        let cache = spec.vm.host_cache.as_ref();
        let working_set = cold.working_set.get().max(1) as f64;
        let share = |bytes: Option<Bytes>| (bytes.map_or(0.0, |bytes| bytes.get() as f64) / working_set).min(1.0);
        let block = cache.filter(|cache| cache.fill == Fill::Block).map_or(0, |cache| cache.block_size.get());
        let size = loads[cold.load].requests.iter().find(|kind| !kind.writes).map_or(1, |kind| u64::from(kind.size));
        Warming {
            load: cold.load,
            hits: 0.0,
            most: share(cache.map(|cache| cache.capacity)),
            ram: share(cache.map(|cache| cache.ram)),
            working_set,
            brings: block.max(size) as f64,
        }
    }

    /// How often in a second reads go over the whole set.
    fn passes(&self, gives: &Estimate) -> f64 {
        gives.loads[self.load].reads.map_or(0.0, |reads| reads.per_second) * self.brings / self.working_set
    }

    /// Seconds to the next step.
    fn lasts(&self, gives: &Estimate) -> f64 {
        let step = self.most / STEPS;
        // A hair short of a step counts as the step.
        let next = ((self.hits / step + 1.001).floor() * step).min(self.most);
        if self.hits >= self.most * (1.0 - 1e-9) {
            return f64::INFINITY;
        }
        // In the middle of the step, as what is left shrinks with it.
        (next - self.hits) / (1.0 - (self.hits + next) / 2.0) / self.passes(gives)
    }

    fn warm(&mut self, gives: &Estimate, seconds: f64) {
        // The same rule, solved for where it leads.
        let moved = seconds * self.passes(gives);
        self.hits = ((self.hits + moved * (1.0 - self.hits / 2.0)) / (1.0 + moved / 2.0)).min(self.most);
    }
}
