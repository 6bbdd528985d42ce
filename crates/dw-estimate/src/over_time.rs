//! What changes while a load runs: credits that run dry, a cache that warms up.
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
//! Ignores: working sets with hotter and colder parts, several loads that warm one cache, writes that fill it.

use dw_stack::{Credits, Fill, StackSpec};
use dw_units::Bytes;

use crate::estimate::{Estimate, of};
use crate::load::{Hits, Load};
use crate::network::Network;

/// A time in which nothing changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// Seconds from the start.
    pub from_s: f64,
    /// What the stack gives.
    pub gives: Estimate,
}

/// What `spec` gives to `loads` from the start until no credits run dry any more; the last phase has no end.
pub fn phases(spec: &StackSpec, loads: &[Load]) -> Vec<Phase> {
    let network = Network::new(spec, loads);
    let mut rates = network.rates_at_start(spec.credits);
    let full = |credits: u64| if spec.credits == Credits::Full { credits as f64 } else { 0.0 };
    let mut credits: Vec<f64> =
        network.stations.iter().map(|station| station.spec.burst.map_or(0.0, |burst| full(burst.credits))).collect();
    let (mut all, mut from_s) = (Vec::new(), 0.0);
    loop {
        let gives = of(&network, &rates);
        let drain = |k: usize| gives.limits[k].share * rates[k] - network.stations[k].spec.rate as f64;
        // What a rounding error drains lasts for ever.
        let drains = |k: &usize| credits[*k] > 0.0 && drain(*k) > 1e-6 * rates[*k];
        let dry =
            (0..rates.len()).filter(drains).map(|k| (credits[k] / drain(k), k)).min_by(|a, b| a.0.total_cmp(&b.0));
        let after: Vec<f64> = (0..rates.len()).map(drain).collect();
        all.push(Phase { from_s, gives });
        let Some((lasts_s, first)) = dry else { return all };
        for (left, drain) in credits.iter_mut().zip(after) {
            *left = (*left - drain.max(0.0) * lasts_s).max(0.0);
        }
        (credits[first], rates[first]) = (0.0, network.stations[first].spec.rate as f64);
        from_s += lasts_s;
    }
}

/// A cache on its way from cold to warm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Warming {
    /// Seconds from the start.
    pub at_s: f64,
    /// Share of reads that hit.
    pub hits: f64,
    /// Requests per second of the load.
    pub per_second: f64,
}

/// How the load at `place` of `loads`, uniform random reads over a `working_set`, warms a cache that is empty at the start; in
/// steps of a hundredth of its reads.
pub fn warming(spec: &StackSpec, loads: &[Load], place: usize, working_set: Bytes) -> Vec<Warming> {
    let capacity = spec.vm.host_cache.as_ref().map_or(0, |cache| cache.capacity.get());
    let most = (capacity as f64 / working_set.get().max(1) as f64).min(1.0);
    let ram = spec.vm.host_cache.as_ref().map_or(0.0, |cache| cache.ram.get() as f64 / working_set.get().max(1) as f64);
    let whole = spec.vm.host_cache.as_ref().filter(|cache| cache.fill == Fill::Block);
    let filled = whole.map_or(0, |cache| cache.block_size.get() as u32);
    let mut loads = loads.to_vec();
    let mut at = |hits: f64| {
        for kind in loads[place].requests.iter_mut().filter(|kind| !kind.writes) {
            let ram = (hits * ram.min(1.0)).min(hits);
            kind.hits = Hits { ram, ssd: hits - ram };
        }
        let found = crate::estimate::estimate(spec, &loads).loads.swap_remove(place);
        let size = loads[place].requests.iter().find(|kind| !kind.writes).map_or(1, |kind| kind.size);
        let size = filled.max(size);
        let bytes = found.reads.map_or(0.0, |reads| reads.per_second) * f64::from(size);
        (found.per_second, working_set.get() as f64 / bytes)
    };
    let (mut at_s, mut all) = (0.0, Vec::new());
    for step in 0..STEPS {
        let (hits, next) = (most * f64::from(step) / f64::from(STEPS), most * f64::from(step + 1) / f64::from(STEPS));
        let (per_second, pass_s) = at(hits);
        all.push(Warming { at_s, hits, per_second });
        // In the middle of the step, as what is left shrinks with it.
        at_s += (next - hits) * pass_s / (1.0 - (hits + next) / 2.0);
    }
    let (per_second, _) = at(most);
    all.push(Warming { at_s, hits: most, per_second });
    all
}

const STEPS: u32 = 100;
