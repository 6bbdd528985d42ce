//! What a driver needs that leaps over steady state: what was counted in a stretch of time, the same again any number of times,
//! and where credits are after it.
//!
//! The stack's clock stands while its driver leaps, and so does all that is under way: only counts and credits move on.
//!
//! Ignores: the seconds in which use beyond the base is billed, of which there is one sum only.

use alloc::boxed::Box;
use alloc::vec::Vec;

use dw_units::{Bytes, CacheMode, Duration, Instant};

use super::Stack;
use crate::disk::Disk;
use crate::host_cache::Chances;
use crate::limiter::{Counts, Limiter, Pair};
use crate::request::{Quantity, VolumeId};
use crate::tally::VolumeTally;

/// What the stack counted in a stretch of time, or up to an instant.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    limits: Vec<Counts>,
    /// By gate and lane.
    waited: Vec<[u64; 2]>,
    volumes: Vec<VolumeTally>,
    /// Transactions billed, by disk.
    billed: Vec<u64>,
}

impl Counted {
    /// What was counted since `before`.
    pub fn since(&self, before: &Counted) -> Counted {
        let volume = |(now, then): (&VolumeTally, &VolumeTally)| VolumeTally {
            hits_ram: now.hits_ram - then.hits_ram,
            hits_ssd: now.hits_ssd - then.hits_ssd,
            misses: now.misses - then.misses,
            destaged: now.destaged - then.destaged,
            ..VolumeTally::default()
        };
        Counted {
            limits: self.limits.iter().zip(&before.limits).map(|(now, then)| now.since(then)).collect(),
            waited: (self.waited.iter().zip(&before.waited))
                .map(|(now, then)| core::array::from_fn(|of| now[of] - then[of]))
                .collect(),
            volumes: self.volumes.iter().zip(&before.volumes).map(volume).collect(),
            billed: self.billed.iter().zip(&before.billed).map(|(now, then)| now - then).collect(),
        }
    }

    /// Bytes that write-back brought home to the disks of a volume.
    pub fn destaged(&self, volume: VolumeId) -> Bytes {
        self.volumes.get(usize::from(volume.0)).map_or(Bytes::ZERO, |volume| volume.destaged)
    }

    /// Adds what was counted in another stretch.
    pub fn join(&mut self, more: &Counted) {
        if self.limits.is_empty() {
            *self = more.clone();
            return;
        }
        self.limits.iter_mut().zip(&more.limits).for_each(|(mine, theirs)| mine.join(theirs));
        for (mine, theirs) in self.waited.iter_mut().flatten().zip(more.waited.iter().flatten()) {
            *mine += theirs;
        }
        self.volumes.iter_mut().zip(&more.volumes).for_each(|(mine, theirs)| add_volume(mine, theirs, 1.0));
        self.billed.iter_mut().zip(&more.billed).for_each(|(mine, theirs)| *mine += theirs);
    }
}

/// Written data that a disk under a ReadWrite cache does not have yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// The disk's volume.
    pub volume: VolumeId,
    /// Bytes, under way to the disk or not.
    pub dirty: u64,
    /// The most there may be.
    pub room: u64,
    /// For how long the oldest block that is not under way should have been; zero where none is late.
    pub overdue: Duration,
}

/// A limit that gave nearly all that it gives.
#[derive(Clone, Debug, PartialEq)]
pub struct NearlyFull {
    /// The share that it gave.
    pub share: f64,
    /// Tokens a second.
    pub rate: u64,
    /// What it counts.
    pub quantity: Quantity,
    /// The volumes of which requests waited there.
    pub volumes: Vec<VolumeId>,
}

/// What reads of a range of a volume find in the host cache, by chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    pub volume: VolumeId,
    /// First byte.
    pub from: u64,
    /// One past the last.
    pub to: u64,
    /// The share that its RAM serves.
    pub ram: f64,
    /// The share that its RAM or its SSD serves.
    pub any: f64,
}

fn add_volume(to: &mut VolumeTally, more: &VolumeTally, times: f64) {
    to.hits_ram += times_of(more.hits_ram, times);
    to.hits_ssd += times_of(more.hits_ssd, times);
    to.misses += times_of(more.misses, times);
    to.destaged += Bytes::new(times_of(more.destaged.get(), times));
}

/// A count that many times, rounded.
pub(crate) fn times_of(count: u64, times: f64) -> u64 {
    (count as f64 * times + 0.5) as u64
}

impl Stack {
    fn limiters(&mut self) -> impl Iterator<Item = &mut Limiter> {
        let pairs = self.gates.iter_mut().map(|gate| &mut gate.pair).chain(self.disks.iter_mut().flat_map(Disk::pairs));
        pairs.flat_map(|pair| pair.iops.iter_mut().chain(pair.throughput.iter_mut()))
    }

    /// What was counted up to `now`.
    pub fn counted(&mut self, now: Instant) -> Counted {
        self.catch_up(now);
        Counted {
            limits: self.limiters().map(|limiter| limiter.counts(now.ns())).collect(),
            waited: self.gates.iter().flat_map(|gate| gate.waited.iter().copied()).collect(),
            volumes: self.volumes.iter().map(|volume| volume.tally.clone()).collect(),
            billed: self.disks.iter().map(|disk| disk.meter.as_ref().map_or(0, |meter| meter.transactions())).collect(),
        }
    }

    /// How often credits of limits were used up, or topped up; a change of it is another regime.
    pub fn turns_of_credits(&mut self, now: Instant) -> u64 {
        self.catch_up(now);
        self.limiters().map(|limiter| limiter.turns(now.ns())).sum()
    }

    /// How long until the first limit has used up its credits, at the pace of a stretch that lasted `lasted` and ended `now`;
    /// `None` while none is on its way there.
    pub fn credits_last(&mut self, now: Instant, counted: &Counted, lasted: Duration) -> Option<Duration> {
        let lasts = |(limiter, counts): (&mut Limiter, &Counts)| limiter.credits_last(now.ns(), counts, lasted.ns());
        let first = self.limiters().zip(&counted.limits).filter_map(lasts).fold(f64::INFINITY, f64::min);
        first.is_finite().then(|| Duration::from_ns(first as u64))
    }

    /// The limits that gave at least this share of their rate, and at which requests waited, in a stretch that lasted `lasted` and ended `now`.
    pub fn nearly_full(&mut self, now: Instant, counted: &Counted, lasted: Duration, least: f64) -> Vec<NearlyFull> {
        let mut counts = counted.limits.iter();
        let mut all = Vec::new();
        let mut look = |pair: &Pair, volumes: &dyn Fn(usize) -> Vec<VolumeId>| {
            let limits = [(&pair.iops, Quantity::Iops), (&pair.throughput, Quantity::Throughput)];
            for (of, (limiter, quantity)) in limits.into_iter().enumerate() {
                let Some((limiter, counts)) = limiter.as_ref().and_then(|limiter| Some((limiter, counts.next()?)))
                else {
                    continue;
                };
                let (rate, share) = limiter.rate_and_share(now.ns(), counts, lasted.ns());
                if counts.has_waited() && share >= least {
                    all.push(NearlyFull { share: share.min(1.0), rate, quantity, volumes: volumes(of) });
                }
            }
        };
        for (gate, lanes) in self.gates.iter().zip(counted.waited.chunks_exact(self.disks.len().max(1))) {
            look(&gate.pair, &|of| {
                let waited = self.disks.iter().zip(lanes).filter(|(_, lane)| lane[of] > 0);
                let mut volumes: Vec<VolumeId> = waited.map(|(disk, _)| VolumeId(disk.volume)).collect();
                volumes.dedup();
                volumes
            });
        }
        for disk in &mut self.disks {
            let volume = VolumeId(disk.volume);
            disk.pairs().for_each(|pair| look(pair, &|_| alloc::vec![volume]));
        }
        all
    }

    /// `by` more of virtual time passes at the pace of a stretch that lasted `lasted` and ended `now`: credits move on.
    pub fn leap(&mut self, now: Instant, counted: &Counted, lasted: Duration, by: Duration) {
        self.catch_up(now);
        for (limiter, counts) in self.limiters().zip(&counted.limits) {
            limiter.leap(now.ns(), counts, lasted.ns(), by.ns());
        }
        for gate in &mut self.gates {
            gate.refresh();
        }
        self.look_inside();
    }

    /// The same, and counts it, where it is known how many tokens each limit grants in `by`, in the order of [`Counted`]; where it is not,
    /// as many as at the pace of the stretch.
    pub fn leap_to(
        &mut self,
        now: Instant,
        counted: &Counted,
        (lasted, by): (Duration, Duration),
        tokens: &[Option<f64>],
    ) {
        self.catch_up(now);
        debug_assert_eq!(counted.limits.len(), tokens.len(), "limits are counted in another order");
        let times = by.ns() as f64 / lasted.ns() as f64;
        for ((limiter, counts), tokens) in self.limiters().zip(&counted.limits).zip(tokens) {
            match tokens {
                Some(tokens) => limiter.leap_to(now.ns(), counts, *tokens, (lasted.ns(), by.ns())),
                None => {
                    limiter.leap(now.ns(), counts, lasted.ns(), by.ns());
                    limiter.count_again(counts, times);
                }
            }
        }
        for gate in &mut self.gates {
            gate.refresh();
        }
        self.count_others_again(counted, times);
        self.look_inside();
    }

    /// Counts a stretch again, `times` times.
    pub fn count_again(&mut self, counted: &Counted, times: f64) {
        for (limiter, counts) in self.limiters().zip(&counted.limits) {
            limiter.count_again(counts, times);
        }
        self.count_others_again(counted, times);
    }

    /// What is counted besides limits.
    fn count_others_again(&mut self, counted: &Counted, times: f64) {
        for (waited, more) in self.gates.iter_mut().flat_map(|gate| gate.waited.iter_mut()).zip(&counted.waited) {
            *waited = core::array::from_fn(|of| waited[of] + times_of(more[of], times));
        }
        for (volume, more) in self.volumes.iter_mut().zip(&counted.volumes) {
            add_volume(&mut volume.tally, more, times);
        }
        for (disk, &more) in self.disks.iter_mut().zip(&counted.billed) {
            disk.meter.iter_mut().for_each(|meter| meter.bill_again(times_of(more, times)));
        }
    }

    /// The backlog of each disk that is written back.
    pub fn backlogs(&self, now: Instant) -> Vec<Backlog> {
        let Some(cache) = &self.cache else { return Vec::new() };
        let written_back = |disk: &Disk| disk.mode == CacheMode::ReadWrite && !disk.local;
        let backlog = |(index, disk): (usize, &Disk)| {
            let (dirty, room, overdue) = cache.backlog(index as u16, now.ns());
            Backlog { volume: VolumeId(disk.volume), dirty, room, overdue: Duration::from_ns(overdue) }
        };
        self.disks.iter().enumerate().filter(|(_, disk)| written_back(disk)).map(backlog).collect()
    }

    /// From now on reads are hits by chance, and the index of the host cache stands still: for good.
    pub fn hit_by_chance(&mut self, chances: &[Chance]) {
        let Some(cache) = &mut self.cache else { return };
        let known = cache.chances.get_or_insert_with(|| Box::new(Chances::new(self.seed)));
        known.clear();
        for chance in chances {
            let volume = &self.volumes[usize::from(chance.volume.0)];
            let disks = u64::from(volume.disks);
            for disk in volume.first_disk..volume.first_disk + volume.disks {
                known.add(disk, chance.from / disks, chance.to.div_ceil(disks), chance.ram, chance.any);
            }
        }
    }
}
