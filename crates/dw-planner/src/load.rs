//! What a volume's demand puts on its disks and on the VM's limits, and which stamps a limit would fail.
//!
//! A gate in front of the cache sees all requests of a volume, one behind it and the disks misses and writes: which gates these are, the
//! volume's route says (`gate.rs`).
//!
//! A stripe splits requests, and a disk counts a large I/O as several: `split.rs` says how often. At most
//! `violations_allowed` stamps may fail, so only the stamps with the highest loads matter: no other stamp can fail a limit
//! that few enough fail. They are found once for each series, without a look at every stamp (`columns.rs`); what thousands of offers ask
//! afterwards are prefixes.
//!
//! Source: the table of host caching in `docs/model/host-cache.md`, `docs/model/vm-limits.md`.
//!
//! Ignores: when a ReadWrite cache writes back (counted at once), the order of requests within a stamp.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use dw_documents::Direction;
use dw_units::Bytes;

use crate::burst;
use crate::columns::{Columns, Counted, Per, exceeding, highest};
use crate::outline::Outline;
use crate::problem::{DiskOffer, ONE, Problem, Rate, Rates, Sample, Stream, Usage, Volume, share};
use crate::quick::Quick;
use crate::split::Split;
use dw_catalogue::gate::{GateList, GateSet, Route};

/// The highest stamps of a series, largest first; several loads have the same.
type Tops = Arc<[(u64, u32)]>;

/// What passes a limit, as far as it matters.
#[derive(Debug)]
pub(crate) struct Load {
    /// Requests and bytes stamp by stamp, where bursts are followed over time. The bytes are the same however requests are split.
    series: [Arc<[u64]>; 2],
    ops: Tops,
    bytes: Tops,
    /// Requests and bytes per second of the stamps that are looked at for a latency, in their order.
    pub(crate) hardest: Vec<(u64, u64)>,
    /// Requests and bytes per second of the stamps in which a disk that bursts on demand would, where there are such disks.
    pub(crate) peaks: Vec<(u64, u64)>,
    allowed: usize,
}

impl Load {
    /// Nothing passes.
    fn none(problem: &Problem) -> Load {
        Load {
            series: [Arc::default(), Arc::default()],
            ops: Tops::default(),
            bytes: Tops::default(),
            hardest: Vec::new(),
            peaks: Vec::new(),
            allowed: problem.violations_allowed,
        }
    }
    /// Stamps above either capacity, sorted; nothing when more fail than may. An absent capacity is unlimited.
    pub(crate) fn failing(&self, ops: Option<u64>, bytes: Option<u64>) -> Option<Vec<u32>> {
        let mut failing = prefix(&self.ops, ops, self.allowed)?;
        failing.extend(prefix(&self.bytes, bytes, self.allowed)?);
        tidy(failing, self.allowed)
    }
    /// The same for rates of which `utilisation` may be used, with their bursts where those count.
    pub(crate) fn failing_rates(&self, problem: &Problem, gate: Rates) -> Option<Vec<u32>> {
        let bursts = |rate: Option<Rate>| problem.bursting && rate.is_some_and(|rate| rate.burst.is_some());
        if !bursts(gate.iops) && !bursts(gate.bytes) {
            let usable = |rate: Option<Rate>| rate.map(|rate| share(rate.base, problem.utilisation));
            return self.failing(usable(gate.iops), usable(gate.bytes));
        }
        let mut failing = Vec::new();
        for (rate, series) in [gate.iops, gate.bytes].into_iter().zip(&self.series) {
            let Some(rate) = rate else { continue };
            let ns = problem.interval.ns();
            failing.extend(burst::failing(rate, problem.utilisation, series, ns, self.allowed)?);
        }
        tidy(failing, self.allowed)
    }
    /// The highest requests and bytes of the stamps that do not fail.
    pub(crate) fn held(&self, failing: &[u32]) -> (u64, u64) {
        let of = |tops: &[(u64, u32)]| {
            let held = tops.iter().find(|top| failing.binary_search(&top.1).is_err());
            held.map_or(0, |top| top.0)
        };
        (of(&self.ops), of(&self.bytes))
    }
    /// The stamps with the most requests and those with the most bytes, one more than may fail, largest first.
    pub(crate) fn tops(&self) -> [&[(u64, u32)]; 2] {
        [&self.ops, &self.bytes]
    }
}

/// The stamps that can fail a limit; `add` as in [`highest`].
fn tops(problem: &Problem, add: impl FnMut(Per, Range<usize>, &mut [u64])) -> Tops {
    highest(problem.stamps, problem.violations_allowed + 1, add).into()
}

/// All stamps, where bursts are followed over time: a month of minutes for each way to attach would be gigabytes.
fn series(problem: &Problem, mut add: impl FnMut(Per, Range<usize>, &mut [u64])) -> Arc<[u64]> {
    let mut all = vec![0; if problem.bursting { problem.stamps } else { 0 }];
    add(Per::Stamp, 0..all.len(), &mut all);
    all.into()
}

/// What comes with the smallest of the disks that burst on demand: what larger or more of them bill is in the stamps above it.
fn bursts_beyond(problem: &Problem) -> Option<(u64, u64)> {
    let free = problem.disks.iter().filter_map(|disk| match disk.usage {
        Some(Usage::Burst { iops, bytes, .. }) => Some((iops, bytes)),
        _ => None,
    });
    free.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1)))
}

/// What misses at a hit ratio, rounded up.
pub(crate) fn missing(value: u64, hit: u32) -> u64 {
    // Below 18 TB/s 64 bits do, which is several times as fast.
    if let Some(product) = value.checked_mul(u64::from(ONE - hit)) {
        return product.div_ceil(u64::from(ONE));
    }
    (u128::from(value) * u128::from(ONE - hit)).div_ceil(u128::from(ONE)) as u64
}

fn prefix(tops: &[(u64, u32)], capacity: Option<u64>, allowed: usize) -> Option<Vec<u32>> {
    let Some(capacity) = capacity else { return Some(Vec::new()) };
    let count = tops.partition_point(|top| top.0 > capacity);
    (count <= allowed).then(|| tops[..count].iter().map(|top| top.1).collect())
}

fn tidy(mut stamps: Vec<u32>, allowed: usize) -> Option<Vec<u32>> {
    stamps.sort_unstable();
    stamps.dedup();
    (stamps.len() <= allowed).then_some(stamps)
}

/// Stamps of either list, when they are few enough.
pub(crate) fn union(a: &[u32], b: &[u32], allowed: usize) -> Option<Vec<u32>> {
    if b.is_empty() {
        return Some(a.to_vec());
    }
    tidy(a.iter().chain(b).copied().collect(), allowed)
}

/// What passes each gate of a VM in one way to attach the volumes, by the gate's number.
#[derive(Debug)]
pub(crate) struct GateLoads(Vec<Arc<Load>>);

impl GateLoads {
    pub(crate) fn at(&self, gate: usize) -> &Load {
        &self.0[gate]
    }
}

/// The gates that count which each volume passes, before the cache and behind it, and what hits.
type WaysToAttach = Vec<(GateList, GateList, u32)>;

/// A volume, what of it a limit sees, and how often it hits where that matters.
type Passes = (usize, Take, u32);

/// The ways to split the requests of a volume, each with what it puts on the disks.
type Splits = Vec<(Split, Arc<Load>)>;

/// Loads that have been computed: they depend on the demand alone, whatever is asked of the offers. Several threads may share them: what
/// two of them find out at the same time is the same.
pub(crate) struct Loads {
    volumes: Vec<OfVolume>,
    /// By volume and hits.
    disks: Mutex<Quick<(usize, u32), Splits>>,
    gates: Mutex<Quick<WaysToAttach, Arc<GateLoads>>>,
    /// By what passes: many ways to attach the volumes send the same through a limit.
    passing: Mutex<Quick<Vec<Passes>, Arc<Load>>>,
    /// What volumes send through the limits of a VM at least.
    pub(crate) outline: Outline,
}

/// What is asked of a volume, however it is attached.
struct OfVolume {
    /// The largest mean size of its requests.
    largest: u64,
    /// The stamps that are looked at for a latency.
    hardest: Vec<usize>,
    columns: Arc<Columns>,
}

impl Loads {
    /// Nothing is known yet but what every way to attach a volume needs; of volumes that ask the same as `known` ones that is shared.
    pub(crate) fn of(problem: &Problem, known: Option<(&Problem, &Loads)>) -> Loads {
        // A division takes long, and few stamps are larger than all before them.
        let larger = |largest: u64, s: &Sample| {
            s.streams().into_iter().fold(largest, |largest, Stream { requests, bytes }| {
                let requests = requests.max(1);
                if bytes > largest.saturating_mul(requests) { bytes.div_ceil(requests) } else { largest }
            })
        };
        let columns = |place: usize, volume: &Volume| {
            let known =
                known.and_then(|(problem, loads)| Some((problem.volumes.get(place)?, loads.volumes.get(place)?)));
            let known = known.filter(|(other, _)| other.samples == volume.samples);
            known.map_or_else(|| Arc::new(Columns::of(&volume.samples)), |(_, loads)| loads.columns.clone())
        };
        let volumes = problem.volumes.iter().enumerate().map(|(place, volume)| OfVolume {
            largest: volume.samples.iter().fold(0, larger),
            hardest: volume.hardest(problem.violations_allowed),
            columns: columns(place, volume),
        });
        let (volumes, outline) = (volumes.collect(), Outline::of(problem));
        let (disks, gates, passing) = Default::default();
        Loads { volumes, disks, gates, passing, outline }
    }

    /// Whether the loads of one problem are those of the other.
    pub(crate) fn are_same(a: &Problem, b: &Problem) -> bool {
        let of_problem = |p: &Problem| (p.stamps, p.interval, p.violations_allowed, p.bursting);
        let alike = |(a, b): (&Volume, &Volume)| {
            let asks = |v: &Volume| (v.stripe_unit, v.has_latency_max());
            asks(a) == asks(b) && a.slow == b.slow && a.hits == b.hits && a.samples == b.samples
        };
        of_problem(a) == of_problem(b)
            && a.disks.iter().map(|disk| disk.usage).eq(b.disks.iter().map(|disk| disk.usage))
            && a.volumes.len() == b.volumes.len()
            && a.volumes.iter().zip(&b.volumes).all(alike)
    }

    /// What reaches so many such disks.
    pub(crate) fn on_disks(
        &self,
        problem: &Problem,
        volume: usize,
        hit: u32,
        disk: &DiskOffer,
        count: u32,
    ) -> Arc<Load> {
        let unit = problem.volumes[volume].stripe_unit.get();
        let split = Split { disks: u64::from(count), unit, io_unit: disk.io_unit.map(Bytes::get) };
        self.disk(problem, volume, hit, split)
    }

    /// What reaches the disks of a volume that hits so often.
    pub(crate) fn disk(&self, problem: &Problem, volume: usize, hit: u32, split: Split) -> Arc<Load> {
        let split = split.for_sizes(self.volumes[volume].largest);
        let known = || self.disks.lock().unwrap_or_else(PoisonError::into_inner);
        // The ways to split the requests of a volume are few: as many as there are disks in a stripe.
        if let Some((_, load)) = known().get(&(volume, hit)).and_then(|all| all.iter().find(|one| one.0 == split)) {
            return load.clone();
        }
        let load = Arc::new(self.made(problem, volume, hit, split));
        known().entry((volume, hit)).or_default().push((split, load.clone()));
        load
    }

    fn made(&self, problem: &Problem, volume: usize, hit: u32, split: Split) -> Load {
        // However requests are split, their bytes are the same; and of one disk that counts each once they are as many.
        let whole = self.passing(problem, vec![(volume, Take::MissesAndWrites, hit)]);
        let columns = &self.volumes[volume].columns;
        let (mut reads, mut writes, bound) = (split.counter(), split.counter(), split.bound());
        let mut add = |per: Per, range: Range<usize>, out: &mut [u64]| {
            let requests = columns.get(Counted::Requests, per, range.clone());
            let bytes = columns.get(Counted::Bytes, per, range);
            let streams = requests[0].iter().zip(bytes[0]).zip(requests[1].iter().zip(bytes[1]));
            for (out, ((read, read_bytes), (write, write_bytes))) in out.iter_mut().zip(streams) {
                let (read, read_bytes) = (missing(*read, hit), missing(*read_bytes, hit));
                *out += match per {
                    Per::Stamp => reads.ios(read, read_bytes) + writes.ios(*write, *write_bytes),
                    Per::Block => bound(read, read_bytes).saturating_add(bound(*write, *write_bytes)),
                };
            }
        };
        let ops = if split.is_none() { whole.ops.clone() } else { tops(problem, &mut add) };
        let ops_over_time = if split.is_none() { whole.series[0].clone() } else { series(problem, &mut add) };
        let series = [ops_over_time, whole.series[1].clone()];
        let mut add = |counted: Counted, per: Per, range: Range<usize>, out: &mut [u64]| match counted {
            Counted::Requests => add(per, range, out),
            Counted::Bytes => Take::MissesAndWrites.add(columns.get(counted, per, range), hit, out),
        };
        let peaks = bursts_beyond(problem).map_or(Vec::new(), |given| exceeding(problem.stamps, given, &mut add));
        let mut one = |counted: Counted, stamp: usize| {
            let mut found = [0];
            add(counted, Per::Stamp, stamp..stamp + 1, &mut found);
            found[0]
        };
        let hardest = self.hardest(volume).iter();
        let hardest = hardest.map(|&stamp| (one(Counted::Requests, stamp), one(Counted::Bytes, stamp))).collect();
        Load { series, ops, bytes: whole.bytes.clone(), hardest, peaks, allowed: problem.violations_allowed }
    }

    /// What passes a limit together.
    fn passing(&self, problem: &Problem, mut passes: Vec<Passes>) -> Arc<Load> {
        for (_, take, hit) in &mut passes {
            match take {
                Take::MissesAndWrites if *hit == 0 => *take = Take::All,
                Take::MissesAndWrites => {}
                Take::All | Take::Reads | Take::Writes => *hit = 0,
            }
        }
        let known = || self.passing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(load) = known().get(&passes) {
            return load.clone();
        }
        let add = |counted: Counted| {
            let passes = &passes;
            move |per: Per, range: Range<usize>, out: &mut [u64]| {
                for &(volume, take, hit) in passes {
                    take.add(self.volumes[volume].columns.get(counted, per, range.clone()), hit, out);
                }
            }
        };
        let load = Arc::new(Load {
            series: [Counted::Requests, Counted::Bytes].map(|counted| series(problem, add(counted))),
            ops: tops(problem, add(Counted::Requests)),
            bytes: tops(problem, add(Counted::Bytes)),
            ..Load::none(problem)
        });
        known().insert(passes, load.clone());
        load
    }

    /// The stamps of a volume that are looked at for a latency.
    pub(crate) fn hardest(&self, volume: usize) -> &[usize] {
        &self.volumes[volume].hardest
    }

    /// What passes the gates that count, each volume attached by such a route and hitting so often.
    pub(crate) fn gates(&self, problem: &Problem, attached: &[(Route, u32)], counting: GateSet) -> Arc<GateLoads> {
        let counted = |&(route, hit): &(Route, u32)| (route.front.among(counting), route.behind.among(counting), hit);
        let key: WaysToAttach = attached.iter().map(counted).collect();
        let known = || self.gates.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loads) = known().get(&key) {
            return loads.clone();
        }
        let none = Arc::new(Load::none(problem));
        let at = |gate: usize| {
            if !counting.has(gate) {
                return none.clone();
            }
            let passes = attached.iter().enumerate().filter_map(|(volume, (route, hit))| {
                let take = taken(*route, gate, problem.gates[gate].direction)?;
                Some((volume, take, *hit))
            });
            self.passing(problem, passes.collect())
        };
        let loads = Arc::new(GateLoads((0..problem.gates.len()).map(at).collect()));
        known().insert(key, loads.clone());
        loads
    }
}

/// What of a sample a gate sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Take {
    All,
    MissesAndWrites,
    Reads,
    Writes,
}

impl Take {
    /// Adds what it is of reads and writes.
    fn add(self, [reads, writes]: [&[u64]; 2], hit: u32, out: &mut [u64]) {
        let all = out.iter_mut().zip(reads.iter().zip(writes));
        match self {
            Take::MissesAndWrites if hit > 0 => {
                all.for_each(|(out, (read, write))| *out += missing(*read, hit) + write)
            }
            Take::All | Take::MissesAndWrites => all.for_each(|(out, (read, write))| *out += read + write),
            Take::Reads => all.for_each(|(out, (read, _))| *out += read),
            Take::Writes => all.for_each(|(out, (_, write))| *out += write),
        }
    }
}

/// What a gate sees of a volume that is attached so; nothing where it does not pass it.
fn taken(route: Route, gate: usize, direction: Option<Direction>) -> Option<Take> {
    let (in_front, behind) = (route.front.has(gate), route.behind.has(gate));
    (in_front || behind).then_some(match direction {
        Some(Direction::Reads) => Take::Reads,
        Some(Direction::Writes) => Take::Writes,
        None if behind && route.has_cache() => Take::MissesAndWrites,
        None => Take::All,
    })
}

#[cfg(test)]
mod tests {
    use dw_units::Bytes;

    use super::*;
    use crate::problem::DiskKind;
    use dw_catalogue::azure::{self, LocalGates, Printed};
    use dw_catalogue::gate::that_count;

    /// Draws from a seed.
    struct Draws(u64);

    impl Draws {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % end
        }
    }

    /// It goes up and down with noise; its requests have sizes of their own, and sometimes there are none.
    fn volume(d: &mut Draws, stamps: usize) -> Volume {
        let (size, few) = (1 + d.below(300_000), d.below(3) == 0);
        let peak = 1 + d.below(if few { 3 } else { 20_000 });
        let sample = |t: usize| {
            let wave = peak * (t as u64).abs_diff(700) / 700;
            let (reads, writes) = (d.below(2) * (wave + d.below(peak)), d.below(2) * (wave + d.below(peak)));
            let (read_bytes, write_bytes) = (reads * size + d.below(9_000), writes * (size / 3 + d.below(900)));
            Sample { reads, writes, read_bytes, write_bytes }
        };
        let samples = (0..stamps).map(sample).collect();
        Volume { stripe_unit: Bytes::kib(4 << d.below(7)), ..Volume::asking("data", samples, vec![]) }
    }

    fn problem(d: &mut Draws) -> Problem {
        let stamps = 1 + d.below(1_500) as usize;
        let volumes = (0..3).map(|_| volume(d, stamps)).collect();
        let rate = Rate::plain(1);
        let kind = DiskKind::Fixed { gib: 1, iops: rate, bytes: rate, price: Default::default() };
        let (iops, bytes) = (d.below(30_000), d.below(2_000_000_000));
        let usage = Some(Usage::Burst { price: Default::default(), iops, bytes });
        let disk = DiskOffer { usage, ..DiskOffer::giving("", kind) };
        let violations_allowed = d.below(40) as usize;
        Problem {
            volumes,
            stamps,
            violations_allowed,
            bursting: d.below(2) == 0,
            disks: vec![disk],
            ..Problem::empty()
        }
    }

    /// The highest of all stamps, each looked at.
    fn slowly(problem: &Problem, of: impl Fn(usize) -> u64) -> Vec<(u64, u32)> {
        let mut all: Vec<(u64, u32)> = (0..problem.stamps).map(|t| (of(t), t as u32)).filter(|top| top.0 > 0).collect();
        all.sort_unstable_by(|a, b| b.cmp(a));
        all.truncate(problem.violations_allowed + 1);
        all
    }

    #[test]
    fn a_load_is_what_visiting_every_stamp_finds() {
        for seed in 0..200 {
            let d = &mut Draws(seed);
            let problem = problem(d);
            let loads = Loads::of(&problem, None);
            let hit = [0, d.below(u64::from(ONE)) as u32, ONE][d.below(3) as usize];
            let (disks, io_unit) =
                (1 + d.below(5), [None, Some(1 + d.below(300_000)), Some(262_144)][d.below(3) as usize]);
            let split = Split { disks, unit: problem.volumes[0].stripe_unit.get(), io_unit };
            let remote = |v: usize, t: usize, hit: u32| {
                let s = &problem.volumes[v].samples[t];
                (missing(s.reads, hit), s.writes, missing(s.read_bytes, hit), s.write_bytes)
            };
            let found = loads.disk(&problem, 0, hit, split);
            let ops = |t: usize| {
                let (reads, writes, read_bytes, write_bytes) = remote(0, t, hit);
                split.ios(reads, read_bytes) + split.ios(writes, write_bytes)
            };
            let bytes = |t: usize| remote(0, t, hit).2 + remote(0, t, hit).3;
            assert_eq!(found.tops()[0], slowly(&problem, ops), "{seed}: {split:?} {hit}");
            assert_eq!(found.tops()[1], slowly(&problem, bytes), "{seed}: {split:?} {hit}");
            let (free, stamps) = (bursts_beyond(&problem).unwrap(), (0..problem.stamps).map(|t| (ops(t), bytes(t))));
            let peaks: Vec<(u64, u64)> = stamps.clone().filter(|s| s.0 > free.0 || s.1 > free.1).collect();
            assert_eq!(found.peaks, peaks, "{seed}");
            if problem.bursting {
                assert_eq!(
                    found.series.each_ref().map(|series| series.to_vec()),
                    <[Vec<u64>; 2]>::from(stamps.unzip()),
                    "{seed}"
                );
            }
            let local = Some(LocalGates { shares_cached: true, ..LocalGates::default() });
            let routes = Printed { local, ..Printed::default() }.routes();
            let attached = [(azure::UNCACHED, 0), (azure::READ_ONLY, hit), (azure::TEMP, 0)];
            let attached = attached.map(|(class, hit)| (routes[class.place()].unwrap(), hit));
            let passed = attached.iter().flat_map(|(route, _)| route.gates());
            let gates = loads.gates(&problem, &attached, that_count(&problem.gates, passed));
            let whole = |v: usize, t: usize| remote(v, t, 0).0 + remote(v, t, 0).1;
            let uncached = |t: usize| whole(0, t) + remote(1, t, hit).0 + remote(1, t, hit).1;
            assert_eq!(gates.at(azure::FIRST).tops()[0], slowly(&problem, uncached), "{seed}");
            assert_eq!(gates.at(azure::CACHED).tops()[0], slowly(&problem, |t| whole(1, t) + whole(2, t)), "{seed}");
            assert_eq!(gates.at(azure::LOCAL_WRITES).tops()[1], slowly(&problem, |t| remote(2, t, 0).3), "{seed}");
        }
    }
}
