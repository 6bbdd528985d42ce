//! What a replay asks of each limit, step by step, and how long the queues there take to come to rest.
//!
//! A request of `s` bytes on a stripe of unit `u` has `c = 1 + (s − gcd(s, u)) / u` chunks on average, which fall on `min(c, members)`
//! members; those on one member travel as one I/O. Each member has them alike often, and a limit charges the I/Os and bytes of a member as
//! its accounting says. With the share `ρ` that is asked of a limit which gives `μ` such I/Os a second, its queue has forgotten how it
//! began after
//!
//! ```text
//! τ = 1 / (μ (1 − √ρ)²)
//! ```
//!
//! Source: Cohen, "The single server queue" (relaxation time of M/M/1, which is longer than that of M/D/1).
//!
//! Ignores: that a few requests wait at several limits at once; of a stripe that some requests are cut and others not; that requests in
//! sequence are merged, where a limit does so: it is asked less than is said here.

use dw_stack::{CacheMode, Credits, DiskSpec, Limit, Op, Quantity, StackSpec, VolumeSpec};
use dw_workload::{Direction, Replay, ReplayStream};

/// The highest use of a limit at which a step counts as calm: at 75 % requests wait for one and a half of its intervals on average.
const CALM: f64 = 0.75;
/// Credits that are left after a step, as a share of what there may be, for a burst to last through it for sure.
const CREDITS_LEFT: f64 = 0.05;

/// How a step is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    /// No limit is near.
    pub(crate) is_calm: bool,
    /// The longest that a queue takes to forget how it began, s.
    pub(crate) relaxes_s: f64,
    /// Limits with credits, by their numbers, that are asked more than is calm without them.
    pub(crate) strained: Vec<usize>,
}

/// What a request takes of a limit: on average, and at least and at most at once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tokens {
    pub(crate) mean: f64,
    least: f64,
    most: f64,
}

impl Tokens {
    /// How far from the mean one request is, squared, at most (Bhatia and Davis).
    pub(crate) fn variance(&self) -> f64 {
        ((self.most - self.mean) * (self.mean - self.least)).max(0.0)
    }
}

/// Where limits are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Gate(usize),
    /// A disk of a volume.
    Disk(usize),
}

/// All limits of a stack, in its order: `dw_stack::Counted` has theirs.
#[derive(Clone, Debug)]
pub(crate) struct Uses {
    spec: StackSpec,
    limits: Vec<(Place, Limit)>,
}

impl Uses {
    pub(crate) fn new(spec: &StackSpec) -> Uses {
        // One of each quantity.
        let pair = |all: &[Limit], only: Option<Op>| {
            let all: Vec<Limit> = all.iter().filter(|limit| limit.accounting.only() == only).copied().collect();
            [Quantity::Iops, Quantity::Throughput]
                .into_iter()
                .filter_map(move |of| all.iter().find(|limit| limit.quantity == of).copied())
                .collect::<Vec<_>>()
        };
        let mut limits = Vec::new();
        for (number, gate) in spec.vm.gates.iter().enumerate() {
            let all: Vec<Limit> = gate.all_limits().collect();
            let only = all.first().and_then(|limit| limit.accounting.only());
            limits.extend(pair(&all, only).into_iter().map(|limit| (Place::Gate(number), limit)));
        }
        for (number, volume) in spec.volumes.iter().enumerate() {
            for disk in &volume.disks {
                let all: Vec<Limit> = disk.all_limits().collect();
                for only in [None, Some(Op::Read), Some(Op::Write)] {
                    limits.extend(pair(&all, only).into_iter().map(|limit| (Place::Disk(number), limit)));
                }
            }
        }
        Uses { spec: spec.clone(), limits }
    }

    pub(crate) fn count(&self) -> usize {
        self.limits.len()
    }

    /// Tokens a second of a limit, sustained.
    pub(crate) fn rate(&self, limit: usize) -> f64 {
        self.limits[limit].1.rate as f64
    }

    /// What a request of `size` of a stream takes of a limit; nothing where it does not come there.
    pub(crate) fn tokens(&self, limit: usize, stream: &ReplayStream, size: u64) -> Option<Tokens> {
        let (place, limit) = self.limits[limit];
        let index = usize::from(stream.file.volume);
        let volume = &self.spec.volumes[index];
        let is_write = stream.direction != Direction::Read;
        // Where reads are cached all of them are hits, or no step stands for another.
        let has_cache = volume.host_cache != CacheMode::None;
        let goes_behind = !has_cache || is_write;
        let passes = match place {
            Place::Disk(of) => of == index && goes_behind,
            Place::Gate(number) => {
                let is = |gate: &dw_stack::GateId| usize::from(gate.0) == number;
                let front = (has_cache || volume.path.local) && volume.path.front.as_ref().is_some_and(is);
                front || goes_behind && !volume.path.local && volume.path.remote.iter().any(is)
            }
        };
        let op = if is_write { Op::Write } else { Op::Read };
        if !passes || limit.accounting.only().is_some_and(|only| only != op) {
            return None;
        }
        let parts = Parts::of(volume, size.max(1));
        let charge = |bytes: f64| limit.tokens(op, bytes.round() as u64);
        let of = limit.accounting;
        // Pieces of any size are charged as their sum, or each as one.
        let is_plain = of.floor.is_none() && of.unit.is_none_or(|unit| unit.get() as f64 >= parts.largest);
        let mean = if is_plain || parts.members == 1.0 {
            parts.mean * charge(size as f64 / parts.mean)
        } else {
            parts.charged(&charge)
        };
        Some(match place {
            Place::Gate(_) => Tokens {
                mean,
                least: parts.least * charge(size as f64 / parts.least),
                most: parts.most * charge(size as f64 / parts.most),
            },
            Place::Disk(_) => {
                let is_everywhere = parts.least >= parts.members;
                let least = if is_everywhere { charge(parts.smallest) } else { 0.0 };
                Tokens { mean: mean / parts.members, least, most: charge(parts.largest) }
            }
        })
    }

    /// Whether what is asked of a limit tells its credits: requests that are merged cost less.
    pub(crate) fn is_told(&self, limit: usize) -> bool {
        self.limits[limit].1.accounting.merge.is_none()
    }

    /// Each step of a replay.
    pub(crate) fn steps(&self, replay: &Replay) -> Vec<Step> {
        let mut steps = vec![Step { is_calm: true, relaxes_s: 0.0, strained: Vec::new() }; replay.steps()];
        for number in 0..self.count() {
            // Members that are alike have the same.
            if !self.limits[..number].contains(&self.limits[number]) {
                self.along(&mut steps, replay, number);
            }
        }
        for stream in &replay.streams {
            let volume = &self.spec.volumes[usize::from(stream.file.volume)];
            for (number, (step, asked)) in steps.iter_mut().zip(&stream.steps).enumerate() {
                // What follows each other goes round all members of a stripe: each has all of it in turn.
                if volume.disks.len() > 1 && stream.random_percent < 100 && asked.requests > 0 {
                    let (seconds, requests) = (seconds(replay, number), asked.requests as f64);
                    let is_much =
                        volume.disks.iter().any(|disk| asks_much(disk, stream, asked.size, requests / seconds));
                    let round =
                        (volume.stripe_unit.get() as f64 / asked.size as f64).max(1.0) * volume.disks.len() as f64;
                    if is_much {
                        step.relaxes_s = step.relaxes_s.max(round * seconds / requests);
                    }
                }
            }
        }
        steps
    }

    /// One limit, along all steps.
    fn along(&self, steps: &mut [Step], replay: &Replay, number: usize) {
        let limit = self.limits[number].1;
        let passes: Vec<&ReplayStream> =
            replay.streams.iter().filter(|stream| self.tokens(number, stream, 512).is_some()).collect();
        if passes.is_empty() {
            return;
        }
        let burst = limit.credits.filter(|burst| burst.peak > limit.rate);
        let (base, most) = (limit.rate as f64, burst.map_or(0.0, |burst| burst.size as f64));
        let mut left = match burst.and_then(|burst| burst.level) {
            Some(level) => (level as f64).min(most),
            None if self.spec.credits == Credits::Full => most,
            None => 0.0,
        };
        for (place, step) in steps.iter_mut().enumerate() {
            let seconds = seconds(replay, place);
            let (mut tokens, mut largest) = (0.0, 0.0f64);
            for stream in &passes {
                let asked = stream.steps[place];
                if let Some(of) = self.tokens(number, stream, asked.size).filter(|_| asked.requests > 0) {
                    tokens += asked.requests as f64 * of.mean;
                    largest = largest.max(of.most);
                }
            }
            let per_s = tokens / seconds;
            let before = left;
            left = (left + (base - per_s) * seconds).clamp(0.0, most);
            let lasts = burst.filter(|_| before.min(left) > CREDITS_LEFT * most);
            let rate = lasts.map_or(base, |burst| burst.peak as f64);
            let share = per_s / rate;
            step.is_calm &= share <= CALM;
            if burst.is_some() && per_s > CALM * base {
                step.strained.push(number);
            }
            if share > 0.0 && share < 1.0 {
                let served = rate / largest;
                step.relaxes_s = step.relaxes_s.max(1.0 / (served * (1.0 - share.sqrt()).powi(2)));
            }
        }
    }
}

/// Whether so many requests of a stream a second are more than a disk by itself gives in calm.
fn asks_much(disk: &DiskSpec, stream: &ReplayStream, size: u64, per_s: f64) -> bool {
    let op = if stream.direction == Direction::Read { Op::Read } else { Op::Write };
    let exceeds = |limit: Limit| per_s * limit.tokens(op, size) > CALM * limit.rate as f64;
    disk.all_limits().filter(|limit| limit.accounting.only().is_none_or(|only| only == op)).any(exceeds)
}

fn seconds(replay: &Replay, step: usize) -> f64 {
    (replay.lasts(step).ns() as f64 / 1e9).max(1e-9)
}

/// How a request is cut by a stripe.
struct Parts {
    members: f64,
    /// I/Os: on average, at least, at most; and bytes of one of them.
    mean: f64,
    least: f64,
    most: f64,
    smallest: f64,
    largest: f64,
    size: f64,
    /// Chunks, and what all offsets of a request in them are multiples of.
    unit: u64,
    apart: u64,
}

/// Places in a chunk at which a request may begin that are looked at.
const PHASES: u64 = 64;

impl Parts {
    fn of(volume: &VolumeSpec, size: u64) -> Parts {
        let members = volume.disks.len().max(1) as f64;
        // One disk has one chunk.
        let unit = if members > 1.0 { volume.stripe_unit.get().max(1) } else { u64::MAX };
        let apart = gcd(size, unit);
        let chunks = 1.0 + (size - apart) as f64 / unit as f64;
        let (fewest, most) = (chunks.floor(), chunks.ceil());
        let rows = |chunks: f64| (chunks / members).ceil() * unit as f64;
        let is_whole = size.is_multiple_of(unit);
        Parts {
            members,
            mean: chunks.min(members),
            least: fewest.min(members),
            most: most.min(members),
            smallest: if is_whole { (chunks / members).floor() * unit as f64 } else { 0.0 },
            largest: rows(most).min(size as f64),
            size: size as f64,
            unit,
            apart,
        }
    }

    /// What all I/Os of a request are charged, on average over the places at which it may begin.
    fn charged(&self, charge: &impl Fn(f64) -> f64) -> f64 {
        let begins = self.unit / self.apart;
        let phases = begins.min(PHASES);
        let mut members = vec![0u64; self.members as usize];
        let of_phase = |phase: u64| {
            members.fill(0);
            let (mut at, mut left) = (phase * begins / phases * self.apart % self.unit, self.size as u64);
            for member in (0..members.len()).cycle() {
                let piece = left.min(self.unit - at);
                members[member] += piece;
                (at, left) = (0, left - piece);
                if left == 0 {
                    break;
                }
            }
            members.iter().filter(|bytes| **bytes > 0).map(|bytes| charge(*bytes as f64)).sum::<f64>()
        };
        (0..phases).map(of_phase).sum::<f64>() / phases as f64
    }
}

fn gcd(mut one: u64, mut other: u64) -> u64 {
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use dw_stack::{Accounting, LimitSpec, Path, QuantileTable, RateSpec, ServiceTime, VmSpec, Weight};
    use dw_units::{Bytes, Duration};
    use dw_workload::{FileExtent, ReplayStep};

    const KIB: u64 = 1 << 10;

    fn disk(io_unit: Option<u64>, more: Vec<Limit>) -> DiskSpec {
        let table = Arc::new(QuantileTable::from_knots(&[(500_000, 1_000), (1_000_000, 2_000)]).unwrap());
        let service = ServiceTime { table, bandwidth: None };
        DiskSpec {
            name: "disk".into(),
            size: Bytes::gib(64),
            limits: LimitSpec { iops: Some(RateSpec::plain(1_000)), throughput: Some(RateSpec::plain(100_000_000)) },
            io_unit: io_unit.map(Bytes::kib),
            read: service.clone(),
            write: service,
            usage_base: None,
            first_touch: None,
            by_direction: Default::default(),
            more,
        }
    }

    fn spec(members: usize, disk: DiskSpec) -> StackSpec {
        let volume = VolumeSpec {
            name: "volume".into(),
            disks: vec![disk; members],
            stripe_unit: Bytes::kib(64),
            host_cache: CacheMode::None,
            path: Path::default(),
        };
        let limits = LimitSpec { iops: Some(RateSpec::plain(9_000)), throughput: Some(RateSpec::plain(900_000_000)) };
        StackSpec { vm: VmSpec::with(limits, limits), volumes: vec![volume], credits: Credits::Full, seed: 1 }
    }

    fn stream(direction: Direction, requests: u64, size: u64) -> ReplayStream {
        let file = FileExtent { name: "f".into(), volume: 0, start: 0, offset: 0, len: 1 << 30 };
        ReplayStream {
            file,
            direction,
            random_percent: 100,
            steps: vec![ReplayStep { requests, size, queue_depth: 64 }; 2],
        }
    }

    /// Tokens of the gate behind the disks and of one disk, I/Os and bytes: mean and most.
    #[test]
    fn pieces_of_a_request_on_one_member_are_one_io() {
        // (members, KiB of an I/O that counts once, KiB of a request, [gate I/Os, disk I/Os, disk KiB])
        type Case = (usize, Option<u64>, u64, [(f64, f64); 3]);
        let cases: [Case; 8] = [
            (1, None, 1_024, [(1.0, 1.0), (1.0, 1.0), (1_024.0, 1_024.0)]),
            (1, Some(256), 1_024, [(1.0, 1.0), (4.0, 4.0), (1_024.0, 1_024.0)]),
            (4, None, 16, [(1.0, 1.0), (0.25, 1.0), (4.0, 16.0)]),
            (4, None, 128, [(2.0, 2.0), (0.5, 1.0), (32.0, 64.0)]),
            // Sixteen chunks on four members are four I/Os of 256 KiB.
            (4, Some(256), 1_024, [(4.0, 4.0), (1.0, 1.0), (256.0, 256.0)]),
            (4, Some(128), 1_024, [(4.0, 4.0), (2.0, 2.0), (256.0, 256.0)]),
            // Of 48 KiB every second one lies across the end of a chunk.
            (4, None, 48, [(1.5, 2.0), (0.375, 1.0), (12.0, 48.0)]),
            // Of 18 chunks two members have five, 320 KiB.
            (4, Some(256), 1_152, [(4.0, 4.0), (1.5, 2.0), (288.0, 320.0)]),
        ];
        for (members, io_unit, size, expected) in cases {
            let uses = Uses::new(&spec(members, disk(io_unit, Vec::new())));
            let tokens =
                |limit: usize| uses.tokens(limit, &stream(Direction::Read, 1, size * KIB), size * KIB).unwrap();
            // Of the first gate no I/O is served.
            assert_eq!(uses.tokens(0, &stream(Direction::Read, 1, KIB), KIB), None);
            let found = [(2, 1.0), (4, 1.0), (5, KIB as f64)].map(|(limit, unit)| {
                let Tokens { mean, most, .. } = tokens(limit);
                (mean / unit, most / unit)
            });
            assert_eq!(found, expected, "{size} KiB on {members}");
        }
    }

    /// A limit with another accounting may be the one that is near.
    #[test]
    fn limits_with_an_accounting_of_their_own_are_looked_at() {
        let twice = Accounting { write: Weight { times: 2, per: 1 }, read: Weight::NONE, ..Accounting::PLAIN };
        let floor = Accounting { floor: Some(Bytes::mib(1)), ..Accounting::of_only(Op::Read) };
        // (limit, direction, requests per second of 4 KiB, calm)
        let cases = [
            (Limit::new(Quantity::Iops, RateSpec::plain(500), twice), Direction::Write, 180, true),
            (Limit::new(Quantity::Iops, RateSpec::plain(500), twice), Direction::Write, 200, false),
            (Limit::new(Quantity::Iops, RateSpec::plain(500), twice), Direction::Read, 700, true),
            (Limit::new(Quantity::Throughput, RateSpec::plain(100 << 20), floor), Direction::Read, 70, true),
            (Limit::new(Quantity::Throughput, RateSpec::plain(100 << 20), floor), Direction::Read, 80, false),
        ];
        for (limit, direction, per_s, is_calm) in cases {
            let uses = Uses::new(&spec(1, disk(None, vec![limit])));
            let ends = [1, 2].map(Duration::from_secs).to_vec();
            let replay = Replay { ends, streams: vec![stream(direction, per_s, 4 * KIB)] };
            assert_eq!(uses.steps(&replay)[0].is_calm, is_calm, "{limit:?} {direction:?} {per_s}");
        }
    }
}
