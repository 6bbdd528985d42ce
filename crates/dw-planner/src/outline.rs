//! What volumes send through the limits of a VM at least: seen before all of them are attached, so that what begins too large is not
//! gone through.
//!
//! Every read that can hit is taken to hit, a volume that is not attached yet sends to each limit what it does on the way that sends it
//! least, and of many stamps only those with the most requests or bytes are looked at: what exceeds a limit here exceeds it in full.
//!
//! Ignores: gates that meet one direction alone.

use std::cmp::Reverse;

use crate::problem::{ONE, Problem, Sample, Volume, share};
use dw_catalogue::gate::Route;

/// So many gates are looked at.
const GATES: usize = 5;

/// Of each gate that is looked at, requests and bytes.
pub(crate) type AtGates = [u64; 2 * GATES];

/// What passes, stamp by stamp of those that are looked at.
pub(crate) type Carried = Vec<AtGates>;

/// What each volume sends through the limits of a VM at least, in the stamps with most of it.
pub(crate) struct Outline {
    allowed: usize,
    /// The stamps that are looked at.
    stamps: Vec<usize>,
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
        let looked_at = (2 * allowed + 1).max(16);
        let highest = |of: fn(&Sample) -> u64| -> Vec<usize> {
            let all = |t: usize| {
                let samples = problem.volumes.iter().filter_map(|volume| volume.samples.get(t));
                (Reverse(samples.map(of).sum::<u64>()), t)
            };
            let mut most: Vec<(Reverse<u64>, usize)> = (0..problem.stamps).map(all).collect();
            if most.len() > looked_at {
                most.select_nth_unstable(looked_at);
                most.truncate(looked_at);
            }
            most.into_iter().map(|stamp| stamp.1).collect()
        };
        let mut stamps = highest(|s| s.read_bytes + s.write_bytes);
        stamps.extend(highest(|s| s.reads + s.writes));
        stamps.sort_unstable();
        stamps.dedup();
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
        let gates = (0..problem.gates.len()).filter(|gate| problem.gates[*gate].direction.is_none());
        let volumes = problem.volumes.iter().map(of).collect();
        Outline { allowed, gates: gates.take(GATES).collect(), volumes, stamps }
    }

    /// What of a volume on such a route is added where: of all of it, and of what no cache serves, all bits or none.
    fn masks(&self, route: Route) -> [AtGates; 2] {
        let mut masks = [AtGates::default(); 2];
        for (place, &gate) in self.gates.iter().enumerate() {
            let mut add = |what: usize| masks[what][2 * place..][..2].fill(u64::MAX);
            match (route.front.has(gate), route.behind.has(gate)) {
                (_, true) if route.has_cache() => add(1),
                (false, false) => {}
                _ => add(0),
            }
        }
        masks
    }

    /// What all volumes send through each gate at least, `ways` being the routes of each.
    pub(crate) fn least(&self, ways: &[Vec<Route>]) -> Carried {
        let mut least = vec![AtGates::default(); self.stamps.len()];
        for (volume, routes) in ways.iter().enumerate().rev() {
            let masks = self.least_masks(routes);
            for (all, sent) in least.iter_mut().zip(&self.volumes[volume]) {
                all.iter_mut().enumerate().for_each(|(i, all)| *all += sent_to(*sent, &masks, i));
            }
        }
        least
    }

    /// The same of the volumes from each place on.
    pub(crate) fn rest(&self, ways: &[Vec<Route>]) -> Vec<Carried> {
        let mut rest = vec![vec![AtGates::default(); self.stamps.len()]; ways.len() + 1];
        for (volume, routes) in ways.iter().enumerate().rev() {
            let masks = self.least_masks(routes);
            let (own, after) = rest[volume..].split_at_mut(1);
            for ((own, after), sent) in own[0].iter_mut().zip(&after[0]).zip(&self.volumes[volume]) {
                *own = std::array::from_fn(|i| after[i] + sent_to(*sent, &masks, i));
            }
        }
        rest
    }

    /// Those with which each limit is sent least: nothing, what no cache serves, or all of it, in whatever stamp.
    fn least_masks(&self, routes: &[Route]) -> [AtGates; 2] {
        let mut least = [AtGates::default(); 2];
        let all: Vec<[AtGates; 2]> = routes.iter().map(|route| self.masks(*route)).collect();
        for i in 0..2 * GATES {
            let sent = all.iter().map(|masks| (masks[0][i], masks[1][i])).min();
            (least[0][i], least[1][i]) = sent.unwrap_or((0, 0));
        }
        least
    }

    /// With one more volume on such a route, and the `rest` at least; nothing when more stamps exceed what the VM carries than may.
    pub(crate) fn with(
        &self,
        carried: &Carried,
        (volume, route): (usize, Route),
        rest: &Carried,
        caps: &AtGates,
    ) -> Option<Carried> {
        let masks = self.masks(route);
        let mut more: Carried = Vec::with_capacity(rest.len());
        for (place, sent) in self.volumes[volume].iter().enumerate() {
            // The first volume is added to nothing.
            let mut sum = carried.get(place).copied().unwrap_or_default();
            sum.iter_mut().enumerate().for_each(|(i, sum)| *sum += sent_to(*sent, &masks, i));
            more.push(sum);
        }
        let exceeds = |(carried, rest): &(&AtGates, &AtGates)| (0..2 * GATES).any(|i| carried[i] + rest[i] > caps[i]);
        let failing = more.iter().zip(rest).filter(exceeds).count();
        (failing <= self.allowed).then_some(more)
    }

    /// What is sent with the volumes on such routes.
    pub(crate) fn sent(&self, routes: impl Iterator<Item = Route>) -> Carried {
        let mut all = vec![AtGates::default(); self.stamps.len()];
        for (volume, route) in routes.enumerate() {
            let masks = self.masks(route);
            for (all, sent) in all.iter_mut().zip(&self.volumes[volume]) {
                all.iter_mut().enumerate().for_each(|(i, all)| *all += sent_to(*sent, &masks, i));
            }
        }
        all
    }

    /// The same with one volume moved to another route.
    pub(crate) fn moved(&self, sent: &Carried, volume: usize, from: Route, to: Route) -> Carried {
        let (from, to) = (self.masks(from), self.masks(to));
        let of = |(all, own): (&AtGates, &([u64; 2], [u64; 2]))| {
            std::array::from_fn(|i| all[i] - sent_to(*own, &from, i) + sent_to(*own, &to, i))
        };
        sent.iter().zip(&self.volumes[volume]).map(of).collect()
    }

    /// How many stamps exceed what the VM carries, and by how much in all, as shares of the limits.
    pub(crate) fn over(&self, sent: &Carried, caps: &AtGates) -> (usize, f64) {
        let of = |sent: &AtGates| -> f64 {
            let all = sent.iter().zip(caps).filter(|(sent, cap)| sent > cap);
            all.map(|(sent, cap)| (sent - cap) as f64 / (*cap).max(1) as f64).sum()
        };
        sent.iter().map(of).fold((0, 0.0), |sum, over| (sum.0 + usize::from(over > 0.0), sum.1 + over))
    }

    /// The stamps that fail however all volumes are attached; nothing when these are more than may.
    pub(crate) fn failing(&self, rest: &Carried, caps: &AtGates) -> Option<Vec<u32>> {
        let exceeds = |sent: &AtGates| (0..2 * GATES).any(|i| sent[i] > caps[i]);
        let failing = self.stamps.iter().zip(rest).filter(|(_, sent)| exceeds(sent)).map(|(stamp, _)| *stamp as u32);
        let failing: Vec<u32> = failing.collect();
        (failing.len() <= self.allowed).then_some(failing)
    }

    /// How many stamps are looked at.
    pub(crate) fn looked_at(&self) -> usize {
        self.stamps.len()
    }
}

/// What of a volume, all of it and what no cache serves, is sent to the limit of that number.
fn sent_to((all, misses): ([u64; 2], [u64; 2]), masks: &[AtGates; 2], i: usize) -> u64 {
    all[i % 2] & masks[0][i] | misses[i % 2] & masks[1][i]
}
