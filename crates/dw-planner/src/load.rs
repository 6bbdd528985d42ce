//! What a volume's demand puts on its disks and on the VM's limits, and which stamps a limit would fail.
//!
//! | attached | uncached (or second) limit, and both together | cached limit | disks |
//! |---|---|---|---|
//! | uncached | all | nothing | all |
//! | ReadOnly, ReadWrite | misses and writes | all | misses and writes |
//! | temp disk | nothing | all, unless it is local NVMe | its own limits |
//!
//! A stripe splits requests, and a disk counts a large I/O as several: `split.rs` says how often. At most
//! `violations_allowed` stamps may fail, so only the stamps with the highest loads matter: no other stamp can fail a limit
//! that few enough fail. They are found once for each series; what thousands of offers ask afterwards are prefixes.
//!
//! Source: the table of host caching in `docs/model/host-cache.md`, `docs/model/vm-limits.md`.
//!
//! Ignores: when a ReadWrite cache writes back (counted at once), the order of requests within a stamp.

use std::sync::{Arc, Mutex, PoisonError};

use dw_units::Bytes;

use crate::burst;
use crate::outline::Outline;
use crate::problem::{Class, DiskOffer, Gate, ONE, Problem, Rate, Sample, Usage, Volume, share};
use crate::quick::Quick;
use crate::split::Split;

/// IOPS and bytes per second, stamp by stamp.
#[derive(Clone, Debug, Default)]
pub(crate) struct Series {
    pub(crate) ops: Vec<u64>,
    pub(crate) bytes: Vec<u64>,
}

/// The highest stamps of a series, largest first.
#[derive(Debug)]
pub(crate) struct Load {
    /// All of it, where bursts are followed over time.
    series: Series,
    ops: Vec<(u64, u32)>,
    bytes: Vec<(u64, u32)>,
    /// Requests and bytes per second of the stamps that are looked at for a latency, in their order.
    pub(crate) hardest: Vec<(u64, u64)>,
    /// Requests and bytes per second of the stamps in which a disk that bursts on demand would, where there are such disks.
    pub(crate) peaks: Vec<(u64, u64)>,
    allowed: usize,
}

impl Load {
    fn new(problem: &Problem, series: Series) -> Load {
        let allowed = problem.violations_allowed;
        let (ops, bytes) = (highest(&series.ops, allowed + 1), highest(&series.bytes, allowed + 1));
        // A month of minutes for each way to attach would be gigabytes.
        let series = if problem.bursting { series } else { Series::default() };
        Load { ops, bytes, series, hardest: Vec::new(), peaks: Vec::new(), allowed }
    }
    /// Stamps above either capacity, sorted; nothing when more fail than may. An absent capacity is unlimited.
    pub(crate) fn failing(&self, ops: Option<u64>, bytes: Option<u64>) -> Option<Vec<u32>> {
        let mut failing = prefix(&self.ops, ops, self.allowed)?;
        failing.extend(prefix(&self.bytes, bytes, self.allowed)?);
        tidy(failing, self.allowed)
    }
    /// The same for rates of which `utilisation` may be used, with their bursts where those count.
    pub(crate) fn failing_rates(&self, problem: &Problem, gate: Gate) -> Option<Vec<u32>> {
        let bursts = |rate: Option<Rate>| problem.bursting && rate.is_some_and(|rate| rate.burst.is_some());
        if !bursts(gate.iops) && !bursts(gate.bytes) {
            let usable = |rate: Option<Rate>| rate.map(|rate| share(rate.base, problem.utilisation));
            return self.failing(usable(gate.iops), usable(gate.bytes));
        }
        let mut failing = Vec::new();
        for (rate, series) in [(gate.iops, &self.series.ops), (gate.bytes, &self.series.bytes)] {
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

/// The stamps above what comes with the smallest of the disks that burst on demand: what larger or more of them bill is among these.
fn peaks(problem: &Problem, series: &Series) -> Vec<(u64, u64)> {
    let free = problem.disks.iter().filter_map(|disk| match disk.usage {
        Some(Usage::Burst { iops, bytes, .. }) => Some((iops, bytes)),
        _ => None,
    });
    let Some((iops, bytes)) = free.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1))) else { return Vec::new() };
    let stamps = series.ops.iter().copied().zip(series.bytes.iter().copied());
    stamps.filter(|stamp| stamp.0 > iops || stamp.1 > bytes).collect()
}

/// What misses at a hit ratio, rounded up.
pub(crate) fn missing(value: u64, hit: u32) -> u64 {
    // Below 18 TB/s 64 bits do, which is several times as fast.
    if let Some(product) = value.checked_mul(u64::from(ONE - hit)) {
        return product.div_ceil(u64::from(ONE));
    }
    (u128::from(value) * u128::from(ONE - hit)).div_ceil(u128::from(ONE)) as u64
}

/// The `count` highest of `values` with their places, largest first. Nothing exceeds a limit where nothing is asked.
fn highest(values: &[u64], count: usize) -> Vec<(u64, u32)> {
    // A month of minutes has few stamps that matter: what is below the worst of `count` higher ones is passed over.
    let room = (2 * count).min(values.len());
    let mut tops: Vec<(u64, u32)> = Vec::with_capacity(room);
    let mut least = (0, u32::MAX);
    for top in values.iter().copied().zip(0u32..) {
        if top <= least {
            continue;
        }
        if tops.len() == room && room > count {
            tops.select_nth_unstable_by(count - 1, |a, b| b.cmp(a));
            tops.truncate(count);
            least = tops[count - 1];
            if top <= least {
                continue;
            }
        }
        tops.push(top);
    }
    tops.sort_unstable_by(|a, b| b.cmp(a));
    tops.truncate(count);
    tops
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

/// The VM-level loads of one way to attach the volumes.
#[derive(Debug)]
pub(crate) struct GateLoads {
    pub(crate) uncached: Load,
    pub(crate) second: Load,
    /// Both of these together, where some volume passes the one and some the other.
    pub(crate) both: Option<Load>,
    pub(crate) cached: Load,
    pub(crate) temp: Load,
    pub(crate) temp_read: Load,
    pub(crate) temp_write: Load,
}

/// How each volume is attached and what hits; whether the temp disk counts against the cached limit.
type WaysToAttach = (Vec<(Class, u32)>, bool);

/// The ways to split the requests of a volume, each with what it puts on the disks.
type Splits = Vec<(Split, Arc<Load>)>;

/// Loads that have been computed: they depend on the demand alone, whatever is asked of the offers. Several threads may share them: what
/// two of them find out at the same time is the same.
pub(crate) struct Loads {
    volumes: Vec<OfVolume>,
    /// By volume and hits.
    disks: Mutex<Quick<(usize, u32), Splits>>,
    gates: Mutex<Quick<WaysToAttach, Arc<GateLoads>>>,
    /// What volumes send through the limits of a VM at least.
    pub(crate) outline: Outline,
}

/// What is asked of a volume, however it is attached.
struct OfVolume {
    /// The largest mean size of its requests.
    largest: u64,
    /// The stamps that are looked at for a latency.
    hardest: Vec<usize>,
}

impl Loads {
    /// Nothing is known yet but what every way to attach a volume needs.
    pub(crate) fn of(problem: &Problem) -> Loads {
        let size = |s: &Sample| {
            let mean = |bytes: u64, requests: u64| bytes.div_ceil(requests.max(1));
            mean(s.read_bytes, s.reads).max(mean(s.write_bytes, s.writes))
        };
        let volumes = problem.volumes.iter().map(|volume| OfVolume {
            largest: volume.samples.iter().map(size).max().unwrap_or(0),
            hardest: volume.hardest(problem.violations_allowed),
        });
        let (volumes, outline) = (volumes.collect(), Outline::of(problem));
        Loads { volumes, disks: Mutex::default(), gates: Mutex::default(), outline }
    }

    /// Whether the loads of one problem are those of the other.
    pub(crate) fn are_same(a: &Problem, b: &Problem) -> bool {
        let of_problem = |p: &Problem| (p.stamps, p.interval, p.violations_allowed, p.bursting);
        let alike = |(a, b): (&Volume, &Volume)| {
            let asks = |v: &Volume| (v.stripe_unit, v.has_latency_max());
            asks(a) == asks(b) && a.hits == b.hits && a.samples == b.samples
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
        let samples = &problem.volumes[volume].samples;
        let mut series = Series { ops: Vec::with_capacity(samples.len()), bytes: Vec::with_capacity(samples.len()) };
        for sample in samples {
            let (reads, read_bytes) = (missing(sample.reads, hit), missing(sample.read_bytes, hit));
            let ops = split.ios(reads, read_bytes) + split.ios(sample.writes, sample.write_bytes);
            series.ops.push(ops);
            series.bytes.push(read_bytes + sample.write_bytes);
        }
        let peaks = peaks(problem, &series);
        let hardest = self.hardest(volume).iter().map(|&stamp| (series.ops[stamp], series.bytes[stamp])).collect();
        Load { peaks, hardest, ..Load::new(problem, series) }
    }

    /// The stamps of a volume that are looked at for a latency.
    pub(crate) fn hardest(&self, volume: usize) -> &[usize] {
        &self.volumes[volume].hardest
    }

    /// What passes the VM's limits when volumes are attached so; `shares` = the temp disk counts against the cached limit.
    pub(crate) fn gates(&self, problem: &Problem, attached: &[(Class, u32)], shares: bool) -> Arc<GateLoads> {
        let key = (attached.to_vec(), shares);
        let known = || self.gates.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(loads) = known().get(&key) {
            return loads.clone();
        }
        // Most gates carry nothing: only those that some volume passes have a series.
        let mut all: [Series; 7] = Default::default();
        let is_second = |&(class, _): &(Class, u32)| class == Class::Second;
        let is_first = |&(class, _): &(Class, u32)| !matches!(class, Class::Second | Class::Temp);
        let has_both = attached.iter().any(is_second) && attached.iter().any(is_first);
        for (volume, &(class, hit)) in problem.volumes.iter().zip(attached) {
            for (gate, take) in at_gates(class, shares, has_both).into_iter().flatten() {
                let series = &mut all[gate];
                if series.ops.is_empty() {
                    (series.ops, series.bytes) = (vec![0; problem.stamps], vec![0; problem.stamps]);
                }
                let sums = series.ops.iter_mut().zip(&mut series.bytes);
                for (sample, (ops, bytes)) in volume.samples.iter().zip(sums) {
                    let (more_ops, more_bytes) = take.of(sample, hit);
                    *ops += more_ops;
                    *bytes += more_bytes;
                }
            }
        }
        let [uncached, second, both, cached, temp, temp_read, temp_write] =
            all.map(|series| Load::new(problem, series));
        let both = has_both.then_some(both);
        let loads = Arc::new(GateLoads { uncached, second, both, cached, temp, temp_read, temp_write });
        known().insert(key, loads.clone());
        loads
    }
}

/// What of a sample a gate sees.
#[derive(Clone, Copy, Debug)]
enum Take {
    All,
    MissesAndWrites,
    Reads,
    Writes,
}

impl Take {
    /// Requests and bytes per second.
    fn of(self, sample: &Sample, hit: u32) -> (u64, u64) {
        match self {
            Take::All => (sample.reads + sample.writes, sample.read_bytes + sample.write_bytes),
            Take::MissesAndWrites => {
                (missing(sample.reads, hit) + sample.writes, missing(sample.read_bytes, hit) + sample.write_bytes)
            }
            Take::Reads => (sample.reads, sample.read_bytes),
            Take::Writes => (sample.writes, sample.write_bytes),
        }
    }
}

/// Which limits a volume passes, by their number, and what of it they see: 0 uncached, 1 second, 2 both together (where
/// `has_both`), 3 cached (the temp disk where it `shares`), 4 the temp disk, 5 its reads, 6 its writes.
fn at_gates(class: Class, shares: bool, has_both: bool) -> [Option<(usize, Take)>; 4] {
    let both = |take: Take| has_both.then_some((2, take));
    match class {
        Class::Uncached => [Some((0, Take::All)), both(Take::All), None, None],
        Class::Second => [Some((1, Take::All)), both(Take::All), None, None],
        Class::ReadOnly | Class::ReadWrite => {
            [Some((0, Take::MissesAndWrites)), both(Take::MissesAndWrites), Some((3, Take::All)), None]
        }
        Class::Temp => {
            let cached = shares.then_some((3, Take::All));
            [cached, Some((4, Take::All)), Some((5, Take::Reads)), Some((6, Take::Writes))]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::highest;

    #[test]
    fn the_highest_are_those_of_a_sorted_list() {
        // Values repeat, so that places decide; zeroes are nothing.
        let values: Vec<u64> = (0..1_000u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58).collect();
        let mut sorted: Vec<(u64, u32)> = values.iter().copied().zip(0u32..).filter(|top| top.0 > 0).collect();
        sorted.sort_unstable_by(|a, b| b.cmp(a));
        for count in [1, 2, 7, 500, 985, 1_000, 2_000] {
            assert_eq!(highest(&values, count), sorted[..count.min(sorted.len())], "{count}");
        }
        assert_eq!(highest(&[], 1), []);
        assert_eq!(highest(&[0, 0], 1), []);
    }
}
