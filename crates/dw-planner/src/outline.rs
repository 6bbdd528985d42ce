//! What volumes send through the limits of a VM at least: seen before all of them are attached, so that what begins too large is not
//! gone through.
//!
//! Every read that can hit is taken to hit, and of many stamps only those with the most bytes are looked at: what exceeds a limit here
//! exceeds it in full.
//!
//! Ignores: gates that meet one direction alone; what several gates share, which is never wider than the widest of them.

use std::cmp::Reverse;

use crate::problem::{ONE, Problem, Sample, Volume, share};
use dw_catalogue::gate::Route;

/// So many gates are looked at.
const GATES: usize = 4;

/// Of each gate that is looked at, requests and bytes.
pub(crate) type AtGates = [u64; 2 * GATES];

/// What passes, stamp by stamp of those that are looked at.
pub(crate) type Carried = Vec<AtGates>;

/// What each volume sends through the limits of a VM at least, in the stamps with most of it.
pub(crate) struct Outline {
    allowed: usize,
    /// The gates that are looked at, in the order of what they carry.
    pub(crate) gates: Vec<usize>,
    /// By volume: all of it, and what no cache serves if every read hits that can.
    volumes: Vec<Vec<([u64; 2], [u64; 2])>>,
}

impl Outline {
    /// More stamps that may fail than this are not worth it.
    const ALLOWED_MOST: usize = 500;

    pub(crate) fn of(problem: &Problem) -> Outline {
        let allowed = problem.violations_allowed;
        let mut stamps: Vec<usize> = (0..problem.stamps).collect();
        if stamps.len() > allowed + 1 {
            let bytes = |t: usize| {
                let samples = problem.volumes.iter().filter_map(|volume| volume.samples.get(t));
                (Reverse(samples.map(|s| s.read_bytes + s.write_bytes).sum::<u64>()), t)
            };
            let mut most: Vec<(Reverse<u64>, usize)> = stamps.into_iter().map(bytes).collect();
            let looked_at = (2 * allowed + 1).max(16);
            if most.len() > looked_at {
                most.select_nth_unstable(looked_at);
                most.truncate(looked_at);
            }
            stamps = most.into_iter().map(|stamp| stamp.1).collect();
        }
        if allowed > Outline::ALLOWED_MOST {
            stamps.clear();
        }
        let of = |volume: &Volume| {
            let hit = volume.hits.as_ref().and_then(|curve| curve.points.last()).map_or(0, |point| point.1);
            let least = |s: &Sample| {
                let misses = |n: u64| n - share(n, hit.min(ONE));
                let all = [s.reads + s.writes, s.read_bytes + s.write_bytes];
                (all, [misses(s.reads) + s.writes, misses(s.read_bytes) + s.write_bytes])
            };
            stamps.iter().filter_map(|&t| volume.samples.get(t)).map(least).collect()
        };
        let is_whole = |gate: usize| problem.gates.iter().any(|part| part.within == Some(gate));
        let gates =
            (0..problem.gates.len()).filter(|gate| problem.gates[*gate].direction.is_none() && !is_whole(*gate));
        Outline { allowed, gates: gates.take(GATES).collect(), volumes: problem.volumes.iter().map(of).collect() }
    }

    /// With one more volume on such a route; nothing when more stamps exceed what the VM carries than may.
    pub(crate) fn with(&self, carried: &Carried, volume: usize, route: Route, caps: &AtGates) -> Option<Carried> {
        // All bits where it is added.
        let mut mask = [[0; 2 * GATES]; 2];
        for (place, &gate) in self.gates.iter().enumerate() {
            let mut add = |what: usize| mask[what][2 * place..][..2].fill(u64::MAX);
            match (route.front.has(gate), route.behind.has(gate)) {
                (_, true) if route.has_cache() => add(1),
                (false, false) => {}
                _ => add(0),
            }
        }
        let own = &self.volumes[volume];
        let mut more: Carried = Vec::with_capacity(own.len());
        let mut exceeding = 0;
        for (place, &(all, misses)) in own.iter().enumerate() {
            // The first volume is added to nothing.
            let mut sum = carried.get(place).copied().unwrap_or_default();
            for i in 0..2 * GATES {
                sum[i] += all[i % 2] & mask[0][i] | misses[i % 2] & mask[1][i];
            }
            exceeding += usize::from((0..2 * GATES).any(|i| sum[i] > caps[i]));
            more.push(sum);
        }
        (exceeding <= self.allowed).then_some(more)
    }
}
