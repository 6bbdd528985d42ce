//! Data that are fetched when they are first used: how many requests wait for them, and how that becomes less.
//!
//! ```text
//! waits         u                    random, of one block           u: share of the blocks that nobody has used
//!               u · min(1, n s / B)  in sequence, n outstanding     s: bytes of a request, B: of a block
//! random        du/dt = − X k u / N  X requests a second on k blocks each, of N
//! by themselves du/dt = − rate / bytes
//! ```
//!
//! A request that waits takes a fetch longer. Between steps of a fifth in `u` nothing moves; the middle of a step stands for it. Below a
//! ten-thousandth all is there.
//!
//! In sequence the readers of one block share its fetch: with less than a block outstanding a block takes one fetch, with more as many
//! fetches go side by side as blocks are outstanding.
//!
//! Chapter: `docs/model/first-touch.md`.
//!
//! Ignores: loads that use a part of a volume only (they touch all of theirs sooner); which blocks come by themselves first; requests
//! that wait for a fetch that another load began.

use dw_stack::{FirstTouch, StackSpec};

use crate::estimate::Estimate;
use crate::load::{Flow, Kind, Load, Order};

/// What of each volume nobody has used.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    /// None where all is there.
    volumes: Vec<Option<Untouched>>,
}

#[derive(Clone, Copy, Debug)]
struct Untouched {
    touch: FirstTouch,
    /// Blocks of all disks.
    blocks: f64,
    /// Share of them that is not there.
    share: f64,
    /// Share that has not come by itself, of those that were not there at the start.
    to_come: f64,
    /// Of that, what comes in a second.
    comes: f64,
    /// Share of the volume that was gone through in sequence.
    passed: f64,
}

/// A step keeps so much of what is not there.
const STEP: f64 = 0.8;
/// Of it the natural logarithm, negated.
const LOG: f64 = 0.223_143_551_314_209_76;
/// The square root of it: the middle of a step.
const MIDDLE: f64 = 0.894_427_190_999_915_9;
/// Below that all is there.
const NOTHING: f64 = 1e-4;

impl Touched {
    pub(crate) fn at_start(spec: &StackSpec) -> Touched {
        let of = |volume: &dw_stack::VolumeSpec| {
            let touched = volume.disks.iter().find(|disk| disk.first_touch.is_some())?;
            let touch = touched.first_touch?;
            // Disks of one volume come of one snapshot.
            let bytes = touched.size.get() as f64;
            let share = 1.0 - (touch.there.get() as f64 / bytes).min(1.0);
            let comes = touch.background.map_or(0.0, |rate| rate.get() as f64 / (bytes * share).max(1.0));
            let blocks = volume.disks.len() as f64 * bytes / touch.block.get() as f64;
            Some(Untouched { touch, blocks, share, to_come: 1.0, comes, passed: 0.0 })
        };
        Touched { volumes: spec.volumes.iter().map(of).collect() }
    }

    fn of(&self, load: &Load) -> Option<&Untouched> {
        self.volumes.get(usize::from(load.volume.0))?.as_ref().filter(|volume| volume.is_left())
    }

    /// Which share of the requests of a kind waits for a fetch, and for how many seconds.
    pub(crate) fn waits(&self, load: &Load, kind: &Kind) -> (f64, f64) {
        self.of(load).map_or((0.0, 0.0), |volume| (volume.waits(load, kind), volume.touch.fetch.ns() as f64 / 1e9))
    }

    /// Seconds to the next step.
    pub(crate) fn lasts(&self, loads: &[Load], gives: &Estimate) -> f64 {
        let volumes = self.volumes.iter().enumerate().filter_map(|(place, volume)| Some((place, volume.as_ref()?)));
        let left = volumes.filter(|(_, volume)| volume.is_left());
        left.map(|(place, volume)| volume.lasts(volume.used(place, loads, gives))).fold(f64::INFINITY, f64::min)
    }

    pub(crate) fn pass(&mut self, loads: &[Load], gives: &Estimate, seconds: f64) {
        for (place, volume) in self.volumes.iter_mut().enumerate() {
            let Some(volume) = volume.as_mut().filter(|volume| volume.is_left()) else { continue };
            volume.pass(volume.used(place, loads, gives), seconds);
        }
    }
}

/// By multiplication, as powers may differ from machine to machine; between whole ones in a straight line.
fn power(base: f64, count: f64) -> f64 {
    let whole = (0..count as u32).fold(1.0, |product, _| product * base);
    whole * (1.0 - count.fract() * (1.0 - base))
}

/// Shares of a volume that are gone through in a second: at random, in sequence.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    random: f64,
    in_sequence: f64,
}

impl Untouched {
    fn is_left(&self) -> bool {
        self.share > NOTHING && self.to_come > NOTHING && self.passed < 1.0 - NOTHING
    }

    /// Blocks of a request on average, whose data it needs.
    fn blocks_of(&self, kind: &Kind) -> f64 {
        let (size, block) = (f64::from(kind.size), self.touch.block.get() as f64);
        let begins = match kind.order {
            Order::Random { align } => f64::from(align).min(block),
            Order::Sequential => return size / block,
        };
        let is_whole = begins >= block && size % block == 0.0;
        // Beginnings are at multiples of `begins` within a block.
        if is_whole { size / block } else { 1.0 + (size - begins).max(0.0) / block }
    }

    /// What a write has whole needs nothing of it.
    fn needs(&self, kind: &Kind) -> f64 {
        let (size, block) = (f64::from(kind.size), self.touch.block.get() as f64);
        let is_whole =
            size % block == 0.0 && matches!(kind.order, Order::Random { align } if f64::from(align) % block == 0.0);
        match (kind.writes, kind.order) {
            (true, Order::Sequential) if size >= block => 0.0,
            (true, _) if is_whole => 0.0,
            (true, _) => self.blocks_of(kind).min(2.0),
            (false, _) => self.blocks_of(kind),
        }
    }

    fn waits(&self, load: &Load, kind: &Kind) -> f64 {
        let needs = self.needs(kind);
        if needs == 0.0 {
            return 0.0;
        }
        let left = self.share * self.to_come * MIDDLE;
        match (kind.order, load.flow) {
            (Order::Random { .. }, _) => {
                let random = left * (1.0 - self.passed);
                // Any of its blocks.
                1.0 - power(1.0 - random, needs.max(1.0))
            }
            (Order::Sequential, Flow::Closed { queue_depth } | Flow::Paced { queue_depth, .. }) => {
                left * (needs * f64::from(queue_depth)).min(1.0)
            }
            (Order::Sequential, Flow::Open { per_second }) => {
                // Of the requests of a block those wait that come while it is fetched, on average for half of that.
                let fetch = self.touch.fetch.ns() as f64 / 1e9;
                let of_block = 1.0 / needs;
                let meanwhile = (per_second * fetch).min(of_block).max(1.0);
                (left * (meanwhile - meanwhile * meanwhile / (2.0 * (per_second * fetch).max(1.0))) / of_block)
                    .min(left)
            }
        }
    }

    /// How fast its blocks are used by all loads of the volume.
    fn used(&self, place: usize, loads: &[Load], gives: &Estimate) -> Used {
        let mut used = Used::default();
        let own = loads.iter().zip(&gives.loads).filter(|(load, _)| usize::from(load.volume.0) == place);
        for (load, given) in own {
            for kind in &load.requests {
                let share = given.per_second * kind.share * self.blocks_of(kind) / self.blocks;
                match kind.order {
                    Order::Random { .. } => used.random += share,
                    Order::Sequential => used.in_sequence += share,
                }
            }
        }
        used
    }

    fn lasts(&self, used: Used) -> f64 {
        let random = LOG / used.random.max(f64::MIN_POSITIVE);
        let comes = self.to_come * (1.0 - STEP) / self.comes.max(f64::MIN_POSITIVE);
        // In sequence a step is a fifth of the volume.
        let left = (1.0 - self.passed).min(1.0 - STEP);
        let in_sequence = left / used.in_sequence.max(f64::MIN_POSITIVE);
        let first = random.min(comes).min(in_sequence);
        if first < 1e12 { first } else { f64::INFINITY }
    }

    fn pass(&mut self, used: Used, seconds: f64) {
        // The exponential, within a thousandth for as long as a step lasts.
        let half = used.random * seconds / 2.0;
        self.share *= (1.0 - half).max(0.0) / (1.0 + half);
        self.to_come = (self.to_come - self.comes * seconds).max(0.0);
        self.passed = (self.passed + used.in_sequence * seconds).min(1.0);
    }
}
