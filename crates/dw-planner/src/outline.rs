//! What volumes send through the limits of a VM at least: seen before all of them are attached, so that what begins too large is not
//! gone through.
//!
//! Every read that can hit is taken to hit, and of many stamps only those with the most bytes are looked at: what exceeds a limit here
//! exceeds it in full.
//!
//! Ignores: the second limit and the local disk.

use std::cmp::Reverse;

use crate::problem::{Class, ONE, Problem, Sample, Volume, share};

/// Requests and bytes to remote disks, requests and bytes that the host cache serves: stamp by stamp of those that are looked at.
pub(crate) type Carried = Vec<[u64; 4]>;

/// What each volume sends through the limits of a VM at least, in the stamps with most of it.
pub(crate) struct Outline {
    allowed: usize,
    /// By volume: what goes to remote disks without a cache, and what does if every read hits that can.
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
        Outline { allowed, volumes: problem.volumes.iter().map(of).collect() }
    }

    /// With one more volume that is attached so; nothing when more stamps exceed what the VM carries than may.
    pub(crate) fn with(
        &self,
        carried: &Carried,
        volume: usize,
        class: Class,
        caps: &[Option<u64>; 4],
    ) -> Option<Carried> {
        let caps = caps.map(|cap| cap.unwrap_or(u64::MAX));
        let own = &self.volumes[volume];
        let mut more: Carried = Vec::with_capacity(own.len());
        let mut exceeding = 0;
        for (place, &(all, misses)) in own.iter().enumerate() {
            let (remote, cached) = match class {
                Class::Uncached => (all, [0; 2]),
                Class::ReadOnly | Class::ReadWrite => (misses, all),
                // The second limit may add to the first, and the local disk may have its own.
                Class::Second | Class::Temp => ([0; 2], [0; 2]),
            };
            // The first volume is added to nothing.
            let sum = carried.get(place).copied().unwrap_or_default();
            let sum = [sum[0] + remote[0], sum[1] + remote[1], sum[2] + cached[0], sum[3] + cached[1]];
            exceeding += usize::from((0..4).any(|i| sum[i] > caps[i]));
            more.push(sum);
        }
        (exceeding <= self.allowed).then_some(more)
    }
}
