//! What a host cache serves after so many accesses, without its index: Che's approximation, by units of one request.
//!
//! ```text
//! found     Σ q (1 − e^(−q t))                            t: accesses so far, at most the cache's memory Tc
//! in RAM    Σ q (1 − e^(−q T) N(T) − e^(−q t) (1 − N(T)))        T: the memory of the RAM tier
//! ```
//!
//! over the units, which are asked for with the probabilities `q`: a unit is found when it was used since its block came, and it is
//! in RAM when any unit of its block was used lately. `N(T)` is the chance that none of its neighbours in the block was. Ranks are
//! scattered evenly, so of `k` units in a block there is one of each `k`-th of all ranks: with `φ(T)` the mean of `e^(−q T)` over a
//! `k`-th, `N` is the product over the others, and `T` and `Tc` follow from
//!
//! ```text
//! blocks (1 − Π φ(T)) = blocks that the tier holds
//! ```
//!
//! Several classes in one cache share the memory of its tiers by their rates.
//!
//! A job that uses every block once before any a second time (fio's random map) finds nothing in its first pass, and all after
//! it. When its draws meet used blocks they go on to the next free one, so towards the end of a pass neighbours follow each other
//! and RAM serves more: that share comes from a small copy of file, map and RAM tier, since it does not depend on the size.
//!
//! Source: Che, Tung, Wang, "Hierarchical web caching systems" (2002); Fagin, "Asymptotic miss ratios over independent
//! references" (1977).
//!
//! Ignores: what the index knows of single blocks; a run that is leapt over has none from there on.

use crate::RunOptions;
use crate::result::CacheRefusal;
use dw_stack::{CacheMode, Chance, Eviction, Fill, HostCacheSpec, StackSpec, VolumeId};
use dw_workload::{Direction, Distribution, Job, Mix, SizeDistribution, Workload};

/// Shares of hits that move by less than this over what is ahead stand still.
const STILL: f64 = 0.002;
/// The most by which a share of hits moves in one leap, and as a share of the misses, by which long latencies go.
const STEP: f64 = 0.02;
const STEP_OF_MISSES: f64 = 0.15;
const STEP_LEAST: f64 = 0.001;
/// It does not move so much between two looks, unless it jumps.
const JUMP: f64 = 5.0 * STEP;
/// A pass with a map ends at once: so much of the time up to there is leapt over.
const BEFORE: f64 = 0.98;
/// The part of a latency that may change with the tier and is not felt.
const FELT: f64 = 0.02;
/// Where less of a latency is service than this, a limit sets the rate of the loop and with it the mean: what a faster tier takes less,
/// requests wait more.
const PINNED: f64 = 0.1;
/// Accesses a nanosecond of a class that stands still: what it used lately is what it used last.
const SLOW: f64 = 1e-30;
/// Blocks of the small copy.
const COPY: usize = 32_768;
/// Parts of a pass.
const PARTS: usize = 32;
/// Smallest sector, and most sectors of a block.
const SECTOR: u64 = 4 << 10;
const SECTORS: u64 = 16;

/// Accesses to one range of a volume that are independent of each other.
#[derive(Debug)]
struct Class {
    volume: u16,
    start: u64,
    len: u64,
    size: u64,
    distribution: Distribution,
    cover: bool,
    clones: Vec<usize>,
    reads: Vec<usize>,
    /// What is written stays dirty for a while.
    writes_back: bool,
    units: Vec<Units>,
    count: f64,
    /// Units a block, and blocks a unit.
    per_block: f64,
    blocks_each: f64,
    /// A miss brings the whole block.
    fills_blocks: bool,
    warm: bool,
    /// Accesses so far.
    seen: f64,
    /// Accesses a nanosecond, lately.
    rate: f64,
    /// With a map: the share in RAM by part of a pass, for the share of blocks in RAM that it was worked out for.
    by_part: (f64, Vec<f64>),
    /// It is followed through its passes, part by part.
    cycles: bool,
    /// Its shares move, and are followed.
    moves: bool,
}

/// Units that are alike.
#[derive(Clone, Copy, Debug)]
struct Units {
    /// Probability of one of them.
    q: f64,
    n: f64,
    /// In which `k`-th of all ranks.
    part: usize,
}

/// The caches of a run.
#[derive(Debug)]
pub(crate) struct Hits {
    classes: Vec<Class>,
    ram: f64,
    capacity: f64,
    /// All that is used fits.
    fits: bool,
    /// How long RAM and the whole cache remember at the present rates, ns.
    memories: (f64, f64),
    /// The share found in each class when it was said last.
    said: Vec<f64>,
    /// Leaps left of a walk through all parts of a pass, and how many passes each takes.
    walk: (usize, f64),
}

/// The chance that a rank below `r` of `n` is drawn, as the generator draws it.
fn zipf_below(theta: f64, n: f64) -> impl Fn(f64) -> f64 {
    let zeta = |n: f64| {
        let head = n.min(1_000.0);
        let sum: f64 = (1..=head as u64).map(|i| (i as f64).powf(-theta)).sum();
        let f = |x: f64| x.powf(-theta);
        let rest = (n.powf(1.0 - theta) - head.powf(1.0 - theta)) / (1.0 - theta) + (f(n) - f(head)) / 2.0;
        if n <= head { sum } else { sum + rest }
    };
    let (all, half) = (zeta(n.min(1e7)), 0.5f64.powf(theta));
    let eta = (1.0 - (2.0 / n).powf(1.0 - theta)) / (1.0 - (1.0 + half) / all);
    move |r| match r {
        r if r <= 0.0 => 0.0,
        r if r <= 1.0 => 1.0 / all,
        r if r <= 2.0 => (1.0 + half) / all,
        r => (((r / n).powf(1.0 - theta) - 1.0 + eta) / eta).clamp((1.0 + half) / all, 1.0),
    }
}

/// Units by probability, in `parts` of alike many ranks: one by one where it changes fast, then in groups.
fn units(distribution: &Distribution, count: f64, parts: usize) -> Option<Vec<Units>> {
    let of_part = count / parts as f64;
    match *distribution {
        Distribution::Uniform => Some((0..parts).map(|part| Units { q: 1.0 / count, n: of_part, part }).collect()),
        Distribution::Zipf { theta, .. } => {
            let below = zipf_below(theta, count);
            let (mut units, mut rank, mut part) = (Vec::new(), 0.0f64, 0);
            while rank < count {
                let end = if part + 1 == parts { count } else { of_part * (part + 1) as f64 };
                let next = if rank < 64.0 { rank + 1.0 } else { (rank * 1.04).ceil() }.min(end);
                units.push(Units { q: (below(next) - below(rank)).max(0.0) / (next - rank), n: next - rank, part });
                rank = next;
                part += usize::from(rank >= end && part + 1 < parts);
            }
            Some(units)
        }
        _ => None,
    }
}

impl Class {
    /// The share of units that were not used in `accesses`, by part of the ranks.
    fn unused(&self, accesses: f64) -> Vec<f64> {
        let parts = self.per_block as usize;
        let mut unused = vec![0.0; parts];
        for units in &self.units {
            unused[units.part] += units.n * (-units.q * accesses).exp();
        }
        unused.iter_mut().for_each(|share| *share /= self.count / parts as f64);
        unused
    }
    /// Blocks that were used in the last `accesses`.
    fn used_blocks(&self, accesses: f64) -> f64 {
        self.blocks() * (1.0 - self.unused(accesses).iter().product::<f64>())
    }
    fn blocks(&self) -> f64 {
        self.count / self.per_block * self.blocks_each
    }
    /// Shares of reads in RAM, and in the cache at all, `ahead` accesses from now; where the tiers remember these accesses.
    fn shares(&self, ahead: f64, in_ram: f64, in_all: f64) -> (f64, f64) {
        let t = self.seen + ahead;
        if self.cover {
            let first = !self.warm && t < self.count * self.clones.len() as f64;
            let others = self.clones.len() as f64 - 1.0;
            let done = t / self.count / self.clones.len() as f64;
            return if first { (0.0, 1.0 - (1.0 - done).powf(others)) } else { (self.in_ram_at(t), 1.0) };
        }
        let t = if self.warm { f64::INFINITY } else { t };
        let (since, lately) = (t.min(in_all), in_ram.min(t));
        let (lately_unused, all_unused) = (self.unused(lately), self.unused(since));
        // The chance that none of the neighbours of a unit was used.
        let neighbours = |unused: &[f64], part: usize| -> f64 {
            (0..unused.len()).filter(|&other| other != part).map(|other| unused[other]).product()
        };
        let parts = (0..lately_unused.len()).map(|part| {
            let alone = if self.fills_blocks { neighbours(&all_unused, part) } else { 1.0 };
            (neighbours(&lately_unused, part), alone)
        });
        let parts: Vec<(f64, f64)> = parts.collect();
        let (mut ram, mut any) = (0.0, 0.0);
        for &Units { q, n, part } in &self.units {
            let (neighbours, alone) = parts[part];
            // A whole block comes with any of its units.
            let missing = (-q * since).exp() * alone;
            let touched = 1.0 - (-q * lately).exp() * neighbours;
            let touched_but_missing = if self.fills_blocks { 0.0 } else { missing * (1.0 - neighbours) };
            any += q * n * (1.0 - missing);
            ram += q * n * (touched - touched_but_missing).clamp(0.0, 1.0 - missing);
        }
        (ram, any.min(1.0))
    }
}

/// The first `x` from which `reached` holds; infinite where it never does.
fn first_where(reached: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while !reached(high) {
        (low, high) = (high, high * 2.0);
        if high > 1e30 {
            return f64::INFINITY;
        }
    }
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if reached(middle) { high = middle } else { low = middle }
    }
    high
}

impl Hits {
    /// The caches that a workload uses, `None` where it uses none; or which job has no closed form, and why.
    pub(crate) fn of(
        spec: &StackSpec,
        workload: &Workload,
        options: &RunOptions,
    ) -> Result<Option<Hits>, (usize, CacheRefusal)> {
        let Some(cache) = &spec.vm.host_cache else { return Ok(None) };
        let has_cache = |volume: u16| {
            let volume = &spec.volumes[usize::from(volume)];
            volume.host_cache != CacheMode::None && !volume.path.local
        };
        // What writes leave in the cache matters to nobody where nothing is read from it.
        let uses_cache = |job: &&Job| job.files.iter().any(|file| has_cache(file.volume));
        let only_writes = |job: &Job| job.mix == Mix::Only(Direction::Write);
        if workload.jobs.iter().filter(uses_cache).all(only_writes) {
            return Ok(None);
        }
        let mut classes: Vec<Class> = Vec::new();
        for (number, job) in workload.jobs.iter().enumerate() {
            if job.files.iter().any(|file| has_cache(file.volume)) {
                add(&mut classes, spec, cache, job, number, options).map_err(|why| (number, why))?;
            }
        }
        if classes.is_empty() {
            return Ok(None);
        }
        // What was filled first has left the cache again, and which blocks of a file that are is not known here.
        let filled: u64 = options.warm.iter().map(|warm| warm.2).sum();
        let is_of_a_class = |&(volume, from, bytes): &(u16, u64, u64)| {
            classes.iter().any(|class| (class.volume, class.start, class.len) == (volume, from, bytes))
        };
        let spills = filled > cache.capacity.get() && !options.warm.iter().all(is_of_a_class);
        if let Some(class) = classes.iter().find(|class| spills && class.warm) {
            return Err((class.clones[0], CacheRefusal::PartlyValid));
        }
        let block = cache.block_size.get() as f64;
        let (ram, capacity) = (cache.ram.get() as f64 / block, cache.capacity.get() as f64 / block);
        let fits = classes.iter().map(Class::blocks).sum::<f64>() <= capacity;
        let job = classes[0].clones[0];
        if !fits {
            if let Some(class) = classes.iter().find(|class| class.writes_back && !class.reads.is_empty()) {
                return Err((class.clones[0], CacheRefusal::WriteBack));
            }
            if cache.eviction != Eviction::Lru {
                return Err((job, CacheRefusal::Eviction));
            }
            for class in &classes {
                let partly = class.per_block > 1.0 && !class.fills_blocks;
                let ordered = class.cover || (class.warm && class.distribution != Distribution::Uniform);
                match (partly, ordered) {
                    (true, _) => return Err((class.clones[0], CacheRefusal::PartlyValid)),
                    (_, true) => return Err((class.clones[0], CacheRefusal::Order)),
                    _ => {}
                }
            }
        } else if cache.eviction != Eviction::Lru {
            return Err((job, CacheRefusal::Eviction));
        }
        let memories = (f64::INFINITY, f64::INFINITY);
        Ok(Some(Hits { classes, ram, capacity, fits, memories, said: Vec::new(), walk: (0, 0.0) }))
    }

    /// Notes the bytes that each clone has asked for so far.
    pub(crate) fn note(&mut self, so_far: impl Fn(usize) -> f64) {
        for class in &mut self.classes {
            class.seen = class.clones.iter().map(|&j| so_far(j)).sum::<f64>() / class.size as f64;
        }
    }

    /// Notes the bytes that each clone asks for a nanosecond, lately.
    pub(crate) fn note_rates(&mut self, lately: impl Fn(usize) -> f64) {
        for class in &mut self.classes {
            class.rate = class.clones.iter().map(|&j| lately(j)).sum::<f64>() / class.size as f64;
        }
        let in_all = if self.fits { f64::INFINITY } else { self.memory(self.capacity) };
        let in_ram = self.memory(self.ram);
        self.memories = (in_ram, in_all);
        for class in self.classes.iter_mut().filter(|class| class.cover) {
            let used = class.used_blocks(class.rate.max(SLOW) * in_ram);
            class.hold(if in_ram.is_finite() { used / class.blocks() } else { 1.0 });
        }
    }

    /// How long a tier of so many blocks remembers, ns.
    fn memory(&self, blocks: f64) -> f64 {
        let used = |ns: f64| self.classes.iter().map(|class| class.used_blocks(class.rate * ns)).sum::<f64>();
        let most: f64 = self.classes.iter().filter(|class| class.rate > 0.0).map(Class::blocks).sum();
        if most <= blocks { f64::INFINITY } else { first_where(|ns| used(ns) >= blocks) }
    }

    /// For how long shares stay within a step, if those of a class that is read move in the next `ahead` nanoseconds; `served`
    /// says of a volume which part of its latencies its tiers make, the rest being waits.
    pub(crate) fn stays(
        &mut self,
        ahead: f64,
        runs: impl Fn(usize) -> bool,
        served: impl Fn(u16) -> f64,
    ) -> Option<f64> {
        let (in_ram, in_all) = self.memories;
        let (mut stays, mut moves, mut pass) = (f64::INFINITY, false, 0.0f64);
        for class in self.classes.iter_mut().filter(|class| class.rate > 0.0 && class.reads.iter().any(|&j| runs(j))) {
            let at = |ns: f64| class.shares(class.rate * ns, class.rate * in_ram, class.rate * in_all);
            let now = at(0.0);
            if class.cover && now.1 >= 1.0 {
                // Where tiers make little of the latency, their share on average will do.
                let served = served(class.volume);
                class.cycles = served > PINNED && class.spread() * served > FELT;
                pass = if class.cycles { pass.max(class.count / class.rate) } else { pass };
                continue;
            }
            let moved = |ns: f64| {
                let then = at(ns);
                (then.0 - now.0).abs().max((then.1 - now.1).abs())
            };
            let (moves_on, step) = (moved(ahead) > STILL, STEP.min(STEP_OF_MISSES * (1.0 - now.1)).max(STEP_LEAST));
            let stay = if moves_on { first_where(|ns| moved(ns) > step) * BEFORE } else { f64::INFINITY };
            (class.moves, moves, stays) = (moves_on, moves || moves_on, stays.min(stay));
        }
        if pass > 0.0 {
            // Each leap ends one part further, however many passes it takes, and all take as many: so each part stands for as many
            // accesses.
            if self.walk.0 == 0 {
                self.walk = (PARTS, (ahead * BEFORE / pass / PARTS as f64).floor() + 1.0 / PARTS as f64);
            }
            stays = stays.min(self.walk.1 * pass);
        }
        (moves || pass > 0.0).then_some(stays)
    }

    /// The volume of a class.
    pub(crate) fn volume(&self) -> u16 {
        self.classes[0].volume
    }

    /// Whether a clone is followed through the passes of its map: then it is where the walk has led it.
    pub(crate) fn walks(&self, clone: usize) -> bool {
        self.classes.iter().any(|class| class.cycles && class.clones.contains(&clone))
    }

    /// A leap was made while shares moved.
    pub(crate) fn note_leap(&mut self) {
        self.walk.0 = self.walk.0.saturating_sub(1);
    }

    /// Something has changed: what was begun is over.
    pub(crate) fn begin_again(&mut self) {
        self.walk.0 = 0;
    }

    /// What reads find from now on: at present, or where it stands still on average of the next `ahead` nanoseconds.
    ///
    /// And whether that is another world: a pass with a map is over.
    pub(crate) fn chances(&mut self, ahead: f64) -> (Vec<Chance>, bool) {
        let (in_ram, in_all) = self.memories;
        let mut chances: Vec<Chance> = Vec::new();
        for class in &mut self.classes {
            // One that stands still remembers as a slow one does.
            let rate = class.rate.max(SLOW);
            let shares = |at: f64| class.shares(rate * ahead * at, rate * in_ram, rate * in_all);
            let (mut ram, mut any) = shares(0.0);
            if !class.moves && !class.cover {
                // By Simpson's rule: what is still falls on, if little, for as long as the leap takes.
                let mean = |of: fn((f64, f64)) -> f64| {
                    let at = |eighths: u32| of(shares(f64::from(eighths) / 8.0));
                    let odd: f64 = [1, 3, 5, 7].map(at).iter().sum();
                    let even: f64 = [2, 4, 6].map(at).iter().sum();
                    (at(0) + 4.0 * odd + 2.0 * even + at(8)) / 24.0
                };
                (ram, any) = (mean(|shares| shares.0), mean(|shares| shares.1));
            }
            if class.cover && any >= 1.0 && !class.cycles {
                ram = class.in_ram_for(rate * ahead);
            }
            let (volume, from, to) = (VolumeId(class.volume), class.start, class.start + class.len);
            chances.push(Chance { volume, from, to, ram, any });
        }
        let found: Vec<f64> = chances.iter().map(|chance| chance.any).collect();
        let jumps = self.said.iter().zip(&found).any(|(before, now)| (now - before).abs() > JUMP);
        self.said = found;
        (chances, jumps)
    }
}

impl Class {
    /// RAM holds this share of the blocks.
    fn hold(&mut self, share: f64) {
        if (share - self.by_part.0).abs() > 0.02 * share {
            // Several jobs on one file each have a map of their own, which knows nothing of the others.
            let plain = self.per_block < 2.0 || share >= 1.0 || self.clones.len() > 1;
            let parts = if plain { vec![share.min(1.0); PARTS] } else { small_copy(self.per_block as usize, share) };
            self.by_part = (share, parts);
        }
    }
    fn part_at(&self, accesses: f64) -> usize {
        ((accesses / self.count).fract() * PARTS as f64) as usize % PARTS
    }
    fn in_ram_at(&self, accesses: f64) -> f64 {
        self.by_part.1.get(self.part_at(accesses)).copied().unwrap_or(0.0)
    }
    /// Between the parts of a pass that RAM serves least and most.
    fn spread(&self) -> f64 {
        let (least, most) =
            self.by_part.1.iter().fold((1.0f64, 0.0f64), |(least, most), &part| (least.min(part), most.max(part)));
        (most - least).max(0.0)
    }
    /// The share of reads that RAM serves on average of the next `ahead` accesses.
    fn in_ram_for(&self, ahead: f64) -> f64 {
        let passes = ahead / self.count;
        let steps = if passes >= 4.0 { PARTS } else { ((passes * PARTS as f64).ceil() as usize).max(1) };
        let from = self.part_at(self.seen);
        let parts = (0..steps).map(|step| self.by_part.1.get((from + step) % PARTS).copied().unwrap_or(0.0));
        parts.sum::<f64>() / steps as f64
    }
}

/// By part of a pass over a file with a map of used units, `per_block` to a block: the share of units whose block is among the
/// latest that were used.
fn small_copy(per_block: usize, share: f64) -> Vec<f64> {
    let units = COPY * per_block;
    let held = (COPY as f64 * share).round().max(1.0) as usize;
    let mut stream = dw_workload::rng::Stream::new(units as u64, 11);
    let (mut log, mut latest, mut oldest, mut in_ram) = (Vec::<usize>::new(), vec![usize::MAX; COPY], 0, 0);
    let (mut hits, mut all) = (vec![0u32; PARTS], vec![0u32; PARTS]);
    for pass in 0..4 {
        // The next free unit at or after each, found by halving paths.
        let mut next: Vec<usize> = (0..=units).collect();
        for n in 0..units {
            let mut find = |mut at: usize| {
                while next[at] != at {
                    next[at] = next[next[at]];
                    at = next[at];
                }
                at
            };
            let mut unit = find(stream.below(units as u64) as usize);
            if unit == units {
                unit = find(0);
            }
            next[unit] = unit + 1;
            let block = unit / per_block;
            let found = latest[block] != usize::MAX && latest[block] >= oldest;
            if pass > 0 {
                all[n * PARTS / units] += 1;
                hits[n * PARTS / units] += u32::from(found);
            }
            latest[block] = log.len();
            log.push(block);
            in_ram += usize::from(!found);
            while in_ram > held {
                in_ram -= usize::from(latest[log[oldest]] == oldest);
                oldest += 1;
            }
        }
    }
    hits.iter().zip(&all).map(|(&hits, &all)| f64::from(hits) / f64::from(all)).collect()
}

/// Adds a job to the class of its range.
fn add(
    classes: &mut Vec<Class>,
    spec: &StackSpec,
    cache: &HostCacheSpec,
    job: &Job,
    number: usize,
    options: &RunOptions,
) -> Result<(), CacheRefusal> {
    let [file] = job.files.as_slice() else { return Err(CacheRefusal::Order) };
    let volume = &spec.volumes[usize::from(file.volume)];
    let (reads, writes) = match job.mix {
        Mix::Only(Direction::Read) => (true, false),
        Mix::Only(Direction::Write) => (false, true),
        Mix::ReadWrite { .. } => (true, true),
        Mix::Only(Direction::Trim) | Mix::TrimThenWrite => return Err(CacheRefusal::Trims),
    };
    let writes_back = writes && volume.host_cache == CacheMode::ReadWrite;
    if writes && !writes_back && !cache.write_allocate {
        return Err(CacheRefusal::Order);
    }
    let direction = if reads { Direction::Read } else { Direction::Write };
    let SizeDistribution::Fixed(size) = *job.sizes.get(direction) else { return Err(CacheRefusal::Sizes) };
    let same = |d: Direction| {
        *job.sizes.get(d) == SizeDistribution::Fixed(size)
            && job.access.distribution.get(d) == job.access.distribution.get(direction)
            && *job.access.random_percent.get(d) == 100
            && *job.align.get(d) == size
    };
    if !job.lines.is_empty() || job.sizes_by_order {
        return Err(CacheRefusal::Sizes);
    }
    let in_order = job.access.random_every > 1 || job.access.strided.is_some();
    if in_order || !same(direction) || (reads && writes && !same(Direction::Write)) {
        return Err(CacheRefusal::Order);
    }
    let (block, unit, start) = (cache.block_size.get(), volume.stripe_unit.get(), file.start + file.offset);
    let sector = SECTOR.max(block / SECTORS);
    let fills_blocks = cache.fill == Fill::Block && !writes;
    let divides = size % block == 0 || block % size == 0;
    if !divides || (size % sector != 0 && !fills_blocks) || start % size.min(block) != 0 {
        return Err(CacheRefusal::PartlyValid);
    }
    if volume.disks.len() > 1 && (unit % size != 0 || unit % block != 0 || start % size != 0) {
        return Err(CacheRefusal::Sizes);
    }
    let (distribution, count) = (job.access.distribution.get(direction), (file.len / size) as f64);
    let cover = job.access.cover && *distribution == Distribution::Uniform;
    // Where a file has no power of two of blocks, its ranks are scattered over some of them only.
    let scattered = *distribution != Distribution::Uniform && !file.len.div_ceil(size).is_power_of_two();
    let per_block = (block / size).max(1);
    let units = units(distribution, count, per_block as usize).filter(|_| !scattered).ok_or(CacheRefusal::Order)?;
    let overlaps = |class: &&mut Class| {
        class.volume == file.volume && class.start < start + file.len && start < class.start + class.len
    };
    let overlapping: Vec<&mut Class> = classes.iter_mut().filter(|class| overlaps(class)).collect();
    if let Some(class) = overlapping.into_iter().next() {
        if (class.start, class.len, class.size, class.fills_blocks) != (start, file.len, size, fills_blocks) {
            return Err(CacheRefusal::Sizes);
        }
        // Each job has hot blocks of its own.
        if class.distribution != *distribution || *distribution != Distribution::Uniform || class.cover != cover {
            return Err(CacheRefusal::Order);
        }
        class.clones.push(number);
        class.reads.extend(reads.then_some(number));
        class.writes_back |= writes_back;
        return Ok(());
    }
    let is_warm =
        |&(of, from, bytes): &(u16, u64, u64)| of == file.volume && from <= start && start + file.len <= from + bytes;
    let touches =
        |&(of, from, bytes): &(u16, u64, u64)| of == file.volume && from < start + file.len && start < from + bytes;
    let warm = options.warm.iter().any(is_warm);
    if !warm && options.warm.iter().any(touches) {
        return Err(CacheRefusal::PartlyValid);
    }
    classes.push(Class {
        volume: file.volume,
        start,
        len: file.len,
        size,
        distribution: distribution.clone(),
        cover,
        clones: vec![number],
        reads: reads.then_some(number).into_iter().collect(),
        writes_back,
        units,
        count,
        per_block: per_block as f64,
        blocks_each: (size as f64 / block as f64).max(1.0),
        fills_blocks,
        warm,
        seen: 0.0,
        rate: 0.0,
        by_part: (0.0, Vec::new()),
        cycles: false,
        moves: true,
    });
    Ok(())
}
