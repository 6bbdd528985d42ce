//! Data that are fetched when they are first used: how many requests wait for them, and how that becomes less.
//!
//! ```text
//! left          u = e (1 − max(x, y))    e: share that no random request has used, x: passed in sequence, y: came by itself or was there
//! at random     de/dt = − X k e / N      X requests a second on k blocks each, of N
//!               u wait for a fetch F; X k u F / N meet one on its way and wait for F / 2
//! in sequence   min(1, n s / B) wait F, and take the shortest of their services     n outstanding of s bytes, blocks of B, x ≥ y
//!               held to y where a loop would go slower than that and could go faster
//! ```
//!
//! In sequence the requests of one block share its fetch. The loop goes on with the first of those that are done, so a block takes
//! `F + min(S) + S (m − j) / j` with `m = B / s` requests, `j` of which wait. What comes at a rate meets a fetch with those that come
//! while it lasts, `m − m (m − 1) / 2 λF` fetches for all of a block where they are fewer than `λF`.
//!
//! Between steps of a fifth in `u` nothing moves; its mean over the step, which is logarithmic, stands for it. Below a ten-thousandth all
//! is there.
//!
//! Chapter: `docs/model/first-touch.md`.
//!
//! Ignores: loads that use a part of a volume only (they touch all of theirs sooner); random requests that use each block once in a pass;
//! sequential loads that begin elsewhere than at the start.
//!
//! Invariant: what is not known (several streams in sequence on one volume, streams that are partly random, volumes with a host cache)
//! has no waits here, and says so.

use dw_stack::{CacheMode, StackSpec, VolumeSpec};

use crate::load::{Flow, Kind, Load, Order};
use crate::parts::{Cut, cuts, gcd};

/// What of each volume nobody has used.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    /// None where all was there at the start.
    volumes: Vec<Option<Untouched>>,
}

/// Requests that wait for data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wait {
    /// Of the requests.
    pub(crate) share: f64,
    /// Seconds that they take in all, by eighths.
    pub(crate) services: [f64; 8],
}

/// All lengths are shares of the volume, in the order of offsets.
#[derive(Clone, Copy, Debug)]
struct Untouched {
    /// Bytes of a block.
    block: u64,
    fetch_s: f64,
    disks: usize,
    /// Bytes of a chunk of the stripe.
    unit: u64,
    /// Of all disks.
    bytes: f64,
    has_cache: bool,
    /// Of the blocks, those that no random request has used.
    unused: f64,
    /// Passed in sequence.
    passed: f64,
    /// There at the start or come by itself.
    here: f64,
    /// What comes by itself in a second.
    comes: f64,
    /// What loads use in a second, as last seen.
    used: Used,
    /// What is left on average until the next step, of what is left now.
    mean: f64,
    is_known: bool,
}

/// Shares of a volume that are gone through in a second.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    random: f64,
    in_sequence: f64,
}

/// A step keeps so much of what is not there.
const STEP: f64 = 0.8;
/// Of it the natural logarithm, negated.
const LOG: f64 = 0.223_143_551_314_209_76;
/// Below that all is there.
const NOTHING: f64 = 1e-4;
/// A reader that is so near is at the front of what comes by itself.
const HAIR: f64 = 1e-6;
/// A reader whose rate is so near to that of what comes by itself stays with it.
const HELD: f64 = 0.05;
/// Longer than that is for ever: seconds.
const EVER: f64 = 1e12;

impl Touched {
    pub(crate) fn at_start(spec: &StackSpec) -> Touched {
        Touched { volumes: spec.volumes.iter().map(Untouched::at_start).collect() }
    }

    /// Of which volumes it is known what these loads use.
    pub(crate) fn begin(&mut self, loads: &[Load]) {
        for (volume, own) in self.left(loads) {
            volume.is_known = is_known(&own, volume.has_cache);
        }
    }

    /// Something is not there.
    pub(crate) fn is_left(&self) -> bool {
        self.volumes.iter().flatten().any(Untouched::is_left)
    }

    /// Which of a load's data are there is known.
    pub(crate) fn is_known(&self, load: &Load) -> bool {
        self.of(load).is_none_or(|volume| volume.is_known)
    }

    /// Which requests of a kind that are cut so and are served in `services` wait for data.
    pub(crate) fn waits(&self, load: &Load, kind: &Kind, cut: &Cut, services: &[f64; 8]) -> Vec<Wait> {
        match (self.of(load).filter(|volume| volume.is_known), kind.order) {
            (None, _) => Vec::new(),
            (Some(volume), Order::Random { align }) => volume.at_random(kind, align, cut, services),
            (Some(volume), Order::Sequential) => volume.in_sequence(load.flow, kind, services).into_iter().collect(),
        }
    }

    /// What each volume's loads use in a second at these rates, one for each load.
    pub(crate) fn note(&mut self, loads: &[Load], rates: &[f64]) {
        let with_rates: Vec<(&Load, f64)> = loads.iter().zip(rates.iter().copied()).collect();
        for (place, volume) in self.volumes.iter_mut().enumerate() {
            let Some(volume) = volume.as_mut().filter(|volume| volume.is_left()) else { continue };
            let own = with_rates.iter().filter(|(load, _)| usize::from(load.volume.0) == place);
            volume.used = own.fold(Used::default(), |used, (load, rate)| volume.used_by(used, load, *rate));
        }
    }

    /// Seconds to the next step.
    pub(crate) fn lasts(&self) -> f64 {
        let left = self.volumes.iter().flatten().filter(|volume| volume.is_left());
        left.map(Untouched::lasts).fold(f64::INFINITY, f64::min)
    }

    pub(crate) fn pass(&mut self, seconds: f64) {
        self.volumes.iter_mut().flatten().for_each(|volume| volume.pass(seconds));
    }

    /// Looks ahead to the next step, or so many seconds where that is sooner.
    pub(crate) fn aim(&mut self, seconds: f64) {
        self.volumes.iter_mut().flatten().for_each(|volume| volume.aim(seconds));
    }

    fn of(&self, load: &Load) -> Option<&Untouched> {
        self.volumes.get(usize::from(load.volume.0))?.as_ref().filter(|volume| volume.is_left())
    }

    /// Volumes of which something is not there, with their loads.
    fn left<'a>(&'a mut self, loads: &'a [Load]) -> impl Iterator<Item = (&'a mut Untouched, Vec<&'a Load>)> {
        let volumes = self.volumes.iter_mut().enumerate();
        let left = volumes.filter_map(|(place, volume)| Some((place, volume.as_mut()?)));
        left.map(move |(place, volume)| {
            (volume, loads.iter().filter(|load| usize::from(load.volume.0) == place).collect())
        })
    }
}

/// One stream in sequence at most, and none that is partly random: of two it would have to be known where each is.
fn is_known(loads: &[&Load], has_cache: bool) -> bool {
    let in_sequence = |kind: &&Kind| kind.order == Order::Sequential;
    let of = |load: &&Load| load.requests.iter().filter(in_sequence).count();
    let is_one_order = loads.iter().all(|load| [0, load.requests.len()].contains(&of(load)));
    !has_cache && is_one_order && loads.iter().map(of).sum::<usize>() <= 1
}

/// `e` to the power of so many times less than nothing, by multiplication and division: powers may differ from machine to machine.
fn decay(by: f64) -> f64 {
    let (mut part, mut halvings) = (by, 0);
    while part > 0.0625 && halvings < 64 {
        (part, halvings) = (part / 2.0, halvings + 1);
    }
    let (odd, even) = (6.0 * part, 12.0 + part * part);
    (0..halvings).fold((even - odd) / (even + odd), |power, _| power * power)
}

/// By multiplication; between whole powers in a straight line.
fn power(base: f64, count: f64) -> f64 {
    let whole = (0..count as u32).fold(1.0, |product, _| product * base);
    whole * (1.0 - count.fract() * (1.0 - base))
}

fn mean(services: &[f64; 8]) -> f64 {
    services.iter().sum::<f64>() / 8.0
}

/// Of so many services the shortest, on average.
fn shortest(services: &[f64; 8], of: f64) -> f64 {
    let longer = |eighths: usize| power((8 - eighths) as f64 / 8.0, of);
    services.iter().enumerate().map(|(place, seconds)| seconds * (longer(place) - longer(place + 1))).sum()
}

/// Fetches that the requests of one block wait for in all, which come one after the other: `in_block` of them, `meanwhile` during a fetch.
fn shared(in_block: f64, meanwhile: f64, at_random: bool) -> f64 {
    let all = |count: f64| count - count * (count - 1.0) / (2.0 * meanwhile).max(f64::MIN_POSITIVE);
    match at_random {
        // The first waits for all of it, those that follow while it lasts for half.
        true if in_block > meanwhile => (1.0 + meanwhile / 2.0).min(in_block),
        true => all(in_block.max(1.0)),
        false => all(in_block.min(meanwhile.ceil()).max(1.0)),
    }
}

impl Untouched {
    fn at_start(volume: &VolumeSpec) -> Option<Untouched> {
        // Disks of one volume come of one snapshot.
        let disk = volume.disks.iter().find(|disk| disk.first_touch.is_some())?;
        let (touch, disks) = (disk.first_touch?, volume.disks.len());
        let of_disk = disk.size.get() as f64;
        Some(Untouched {
            block: touch.block.get(),
            fetch_s: touch.fetch.ns() as f64 / 1e9,
            disks,
            unit: volume.stripe_unit.get().max(1),
            bytes: of_disk * disks as f64,
            has_cache: volume.host_cache != CacheMode::None,
            unused: 1.0,
            passed: 0.0,
            here: (touch.there.get() as f64 / of_disk).min(1.0),
            comes: touch.background.map_or(0.0, |rate| rate.get() as f64 / of_disk),
            used: Used::default(),
            mean: 1.0,
            is_known: true,
        })
    }

    /// Share of the blocks that is not there.
    fn left(&self) -> f64 {
        self.unused * (1.0 - self.here.max(self.passed))
    }

    fn is_left(&self) -> bool {
        self.left() > NOTHING
    }

    /// Blocks of a part of a request on average, and of how many of them it needs data: a write of a whole block needs none.
    fn blocks(&self, writes: bool, align: u32, len: u64) -> (f64, f64) {
        let begins = gcd(u64::from(align.max(1)), self.block);
        let begins = if self.disks > 1 { gcd(begins, self.unit) } else { begins };
        let blocks = 1.0 + (len.next_multiple_of(begins) - begins) as f64 / self.block as f64;
        match writes {
            false => (blocks, blocks),
            true if begins == self.block && len.is_multiple_of(self.block) => (blocks, 0.0),
            // Those at its ends.
            true => (blocks, blocks.min(2.0)),
        }
    }

    /// Blocks are used by requests as they are cut once and for all, so that those of one request are there together.
    fn is_tiled(&self, kind: &Kind, align: u32) -> bool {
        let fits = |unit: u64| unit.is_multiple_of(kind.size.into()) || u64::from(kind.size).is_multiple_of(unit);
        align.is_multiple_of(kind.size) && fits(self.block) && (self.disks == 1 || fits(self.unit))
    }

    fn at_random(&self, kind: &Kind, align: u32, cut: &Cut, services: &[f64; 8]) -> Vec<Wait> {
        let needs: f64 = cut.lens.iter().map(|len| self.blocks(kind.writes, align, *len).1).sum();
        if needs == 0.0 {
            return Vec::new();
        }
        let needs = if self.is_tiled(kind, align) { 1.0 } else { needs };
        let left = self.left() * self.mean;
        let waits = 1.0 - (1.0 - left) * power(1.0 - self.behind_one_that_is_there(left, kind.size), needs - 1.0);
        let coming = (self.used.random * left * self.fetch_s * needs).min(1.0 - waits);
        // Some would come by themselves before they are fetched.
        let sooner = (self.comes * self.fetch_s / (1.0 - self.here)).min(1.0) / 2.0;
        let longer = |seconds: f64| services.map(|service| service + seconds);
        vec![
            Wait { share: waits, services: longer(self.fetch_s * (1.0 - sooner)) },
            Wait { share: coming, services: longer(self.fetch_s / 2.0) },
        ]
    }

    /// How likely a block is not there whose neighbour is: requests of some size use both at times. Both are unused as long as none began
    /// within `2 B + s`, one as long as none did within `B + s`.
    fn behind_one_that_is_there(&self, left: f64, size: u32) -> f64 {
        let (block, size) = (self.block as f64, f64::from(size));
        let times = ((2.0 * block + size) / (block + size)).max(1.5);
        let square = left * left;
        let both = square + (2.0 - times) * 2.0 * (left * left.sqrt() - square);
        (left - both) / (1.0 - left).max(f64::MIN_POSITIVE)
    }

    fn in_sequence(&self, flow: Flow, kind: &Kind, services: &[f64; 8]) -> Option<Wait> {
        let is_whole = kind.writes && u64::from(kind.size).is_multiple_of(self.block);
        if is_whole || self.passed < self.here - HAIR {
            return None;
        }
        let unused = self.unused * if self.used.random > 0.0 { self.mean } else { 1.0 };
        let is_behind = |per_second: f64| self.share_of(per_second, kind.size) <= self.comes;
        match flow {
            Flow::Closed { queue_depth } => self.loops(queue_depth, kind.size, unused, services),
            Flow::Open { per_second } | Flow::Paced { per_second, .. } if is_behind(per_second) => None,
            Flow::Open { per_second } => Some(self.comes_at(per_second, kind.size, unused, true, services)),
            Flow::Paced { queue_depth, per_second } => {
                let least = self.comes_at(per_second, kind.size, unused, false, services);
                let looped = self.loops(queue_depth, kind.size, unused, services)?;
                let takes = |wait: &Wait| wait.share * (mean(&wait.services) - mean(services));
                Some(if takes(&least) < takes(&looped) { least } else { looped })
            }
        }
    }

    /// Share of the volume that so many requests are.
    fn share_of(&self, requests: f64, size: u32) -> f64 {
        requests * f64::from(size) / self.bytes
    }

    /// Requests of a block on each disk; requests of a chunk, before they come to the next disk.
    fn of_row(&self, size: u32) -> (f64, f64) {
        let (size, disks) = (f64::from(size), self.disks as f64);
        let in_chunk = if self.disks > 1 { self.unit as f64 / size } else { f64::INFINITY };
        (self.block as f64 * disks / size, in_chunk)
    }

    fn loops(&self, queue_depth: u32, size: u32, unused: f64, services: &[f64; 8]) -> Option<Wait> {
        let (n, (in_row, in_chunk)) = (f64::from(queue_depth), self.of_row(size));
        // With few outstanding one disk is fetched from after the other.
        let waiting = n.max(self.disks as f64 * n.min(in_chunk));
        let share = unused * (waiting / in_row).min(1.0);
        let (service, first) = (mean(services), shortest(services, n.min(in_row).max(1.0)));
        // As long as makes it go as fast as what comes by itself.
        let rate = self.comes * self.bytes / f64::from(size);
        let with_it = (n / rate - (1.0 - share) * service) / share - first;
        let seconds = with_it.min(self.fetch_s);
        let scale = if service > 0.0 { first / service } else { 1.0 };
        (seconds > 0.0).then(|| Wait { share, services: services.map(|service| service * scale + seconds) })
    }

    /// What comes at a rate, however many are outstanding.
    fn comes_at(&self, per_second: f64, size: u32, unused: f64, at_random: bool, services: &[f64; 8]) -> Wait {
        let ((in_row, in_chunk), disks) = (self.of_row(size), self.disks as f64);
        let (in_block, meanwhile) = (in_row / disks, per_second * self.fetch_s);
        // Those of one chunk, or of all chunks of the block.
        let waited =
            shared(in_block.min(in_chunk), meanwhile, at_random).max(shared(in_block, meanwhile / disks, at_random));
        let share = unused * (waited / in_block).min(1.0);
        Wait { share, services: services.map(|service| service + self.fetch_s) }
    }

    fn used_by(&self, mut used: Used, load: &Load, rate: f64) -> Used {
        for kind in &load.requests {
            match kind.order {
                Order::Sequential => used.in_sequence += self.share_of(rate * kind.share, kind.size),
                Order::Random { align } => {
                    let cuts = cuts(kind.size.into(), align.into(), self.unit, self.disks);
                    let of = |cut: &Cut| cut.lens.iter().map(|len| self.blocks(false, align, *len).0).sum::<f64>();
                    let blocks: f64 = cuts.iter().map(|cut| cut.share * of(cut)).sum();
                    used.random += rate * kind.share * blocks * self.block as f64 / self.bytes;
                }
            }
        }
        used
    }

    fn lasts(&self) -> f64 {
        let all_comes = (1.0 - self.here) / self.comes;
        if !self.is_known {
            return if all_comes < EVER { all_comes } else { f64::INFINITY };
        }
        let all_passed = (1.0 - self.passed) / self.used.in_sequence;
        let meets = self.gap() / (self.used.in_sequence - self.comes);
        let meets = if self.is_at_front() || meets < 0.0 { f64::INFINITY } else { meets };
        // NaN, of nothing by nothing, is never the least.
        let first = [all_comes, all_passed, meets, self.step()].into_iter().fold(f64::INFINITY, f64::min);
        if first < EVER { first } else { f64::INFINITY }
    }

    /// How far what comes by itself is ahead of the reader.
    fn gap(&self) -> f64 {
        self.here - self.passed
    }

    fn is_at_front(&self) -> bool {
        self.gap().abs() < HAIR
    }

    /// Seconds until random requests, and what is done beside them, have left so much.
    fn step(&self) -> f64 {
        if self.used.random == 0.0 {
            return f64::INFINITY;
        }
        let then = self.left() * STEP;
        let (mut low, mut high) = (0.0, LOG / self.used.random);
        for _ in 0..50 {
            let middle = (low + high) / 2.0;
            if self.after(middle).left() > then { low = middle } else { high = middle }
        }
        high
    }

    fn after(mut self, seconds: f64) -> Untouched {
        self.pass(seconds);
        self
    }

    fn pass(&mut self, seconds: f64) {
        self.unused *= decay(self.used.random * seconds);
        let is_held = self.is_at_front() && (self.used.in_sequence - self.comes).abs() <= HELD * self.comes;
        self.here = (self.here + self.comes * seconds).min(1.0);
        self.passed = if is_held { self.here } else { (self.passed + self.used.in_sequence * seconds).min(1.0) };
    }

    /// The logarithmic mean of now and then, by the means that it lies between.
    fn aim(&mut self, seconds: f64) {
        if self.is_left() {
            let kept = self.after(self.lasts().min(seconds).min(EVER)).left() / self.left();
            self.mean = (2.0 * kept.sqrt() + (1.0 + kept) / 2.0) / 3.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_those_of_the_library() {
        for by in [0.0, 1e-9, 0.1, 0.223, 0.25, 1.0, 7.5, 60.0] {
            assert!((decay(by) / (-by).exp() - 1.0).abs() < 1e-5, "{by}: {}", decay(by));
        }
        assert_eq!((power(0.5, 2.0), power(0.5, 2.5), power(0.0, 1.0)), (0.25, 0.1875, 0.0));
    }

    /// One fetch after the other of a block, told when its requests come.
    fn shared_slowly(in_block: usize, meanwhile: f64) -> f64 {
        (0..in_block).map(|k| (1.0 - k as f64 / meanwhile).max(0.0)).sum()
    }

    #[test]
    fn requests_of_a_block_share_its_fetch() {
        for (in_block, meanwhile) in [(1, 0.1), (8, 0.5), (8, 3.0), (8, 8.0), (8, 50.0), (128, 20.5)] {
            let (found, slowly) = (shared(in_block as f64, meanwhile, false), shared_slowly(in_block, meanwhile));
            assert!((found - slowly).abs() < 1e-9, "{in_block}, {meanwhile}: {found}, slowly {slowly}");
            let at_random = shared(in_block as f64, meanwhile, true);
            assert!(at_random + 0.01 >= found && at_random <= found + 0.51, "{in_block}, {meanwhile}: {at_random}");
        }
    }
}
