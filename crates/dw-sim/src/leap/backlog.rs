//! The backlog of write-back under ReadWrite: where it stands still, and how far may be leapt where it may move.
//!
//! Dirty data of a disk wait in a queue. Three things can keep the queue as it is:
//!
//! ```text
//! caught up     the disk takes all that is due: dirty is what was written in the last `destage_after`
//! full          writes wait for room: they come in at the pace at which dirty data go out
//! balance       blocks that are written again while dirty add nothing, so the more is dirty, the less comes in
//! ```
//!
//! The first two are seen from outside, at a look between batches or by the waits of writes; a backlog that seems to be in the third
//! may also grow or shrink slowly until it is full or gone, so it is leapt over only as far as it moves by a hundredth of its room, by
//! what is known of its slope.
//!
//! What goes out depends on how the blocks in the queue came in: how many of their sectors were written before their turn came. So a
//! sample lasts some times as long as data stay dirty (Little: `dirty / destaged per second`), and a flush and its time are in it
//! several times.
//!
//! The stack's clock stands during a leap, and the queue with it: there is as much dirty after it as before.
//!
//! With a random map the end of a pass is another world: draws go on to the next free unit, so neighbours are written one soon after the
//! other and leave together. Where requests are smaller than a block and a backlog stands, samples last some passes.
//!
//! Ignores: the first writes of a pass meet dirty blocks of the pass before, which moves the rate by half the square of the share of the
//! file that is dirty; where that share is above a tenth, samples last some passes, too.

use super::batch::Batch;
use crate::meter::Meter;
use dw_stack::{Backlog, CacheMode, StackSpec, VolumeId};
use dw_units::{Duration, Instant};
use dw_workload::{Direction, Distribution, Mix, Workload};

/// Times that data stay dirty in a sample, and passes with a map where much of the file is dirty.
const TURNOVERS: f64 = 2.0;
/// The same of what was simulated since the regime began, where shares of hits move and windows are short.
const TURNOVERS_BEFORE: f64 = 3.0;
/// Flushes of a job in a sample.
const FLUSHES: f64 = 8.0;
/// The part of its room by which a backlog may move in leaps.
const MOVES: f64 = 0.01;
/// The share of a file with a map that may be dirty without a thought for the end of a pass.
const LITTLE: f64 = 0.1;
/// A backlog is full from here on until there: destages free some blocks at once.
const FULL: (f64, u64) = (0.02, 1 << 20);
const FULL_NO_MORE: (f64, u64) = (0.1, 8 << 20);
/// A disk that is so late falls behind.
const LATE: Duration = Duration::from_secs(2);
/// A disk that has caught up was seen without delay in each of so many parts of a sample.
const PARTS: usize = 3;

/// The backlog of a disk at the ends of batches.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    volume: VolumeId,
    room: u64,
    /// Dirty bytes at the last end.
    end: u64,
    /// The fewest at any.
    least: u64,
    /// Nothing was late at one of them.
    caught_up: bool,
}

impl Look {
    pub(crate) fn of(backlog: &Backlog) -> Look {
        let Backlog { volume, dirty, room, overdue } = *backlog;
        Look { volume, room, end: dirty, least: dirty, caught_up: overdue == Duration::ZERO }
    }
    /// Adds the stretch that follows.
    pub(crate) fn join(&mut self, more: &Look) {
        self.end = more.end;
        self.least = self.least.min(more.least);
        self.caught_up |= more.caught_up;
    }
    fn is_full(&self) -> bool {
        is_within(self.least, self.room, FULL_NO_MORE)
    }
}

/// Whether the room is full but for a part of it or a number of bytes, whichever is more.
fn is_within(dirty: u64, room: u64, (part, bytes): (f64, u64)) -> bool {
    dirty > 0 && dirty as f64 + (room as f64 * part).max(bytes as f64) >= room as f64
}

/// What keeps a backlog as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    CaughtUp,
    Behind,
    Full,
}

/// A job that writes to a volume which is written back.
#[derive(Clone, Debug)]
struct Writer {
    clone: usize,
    volume: u16,
    /// Bytes it asks for from one flush to the next; zero without any.
    between_flushes: f64,
    /// Bytes of a pass with a map; zero without one.
    pass: f64,
    /// Its requests are smaller than a block, so neighbours in one are destaged together.
    parts_of_blocks: bool,
}

/// The backlogs of a run.
#[derive(Clone, Debug)]
pub(crate) struct WriteBacks {
    writers: Vec<Writer>,
    /// By disk that is written back.
    levels: Vec<Level>,
    /// When one of them changed last, on the stack's clock.
    since: Instant,
}

impl WriteBacks {
    pub(crate) fn of(spec: &StackSpec, workload: &Workload) -> WriteBacks {
        let block = spec.vm.host_cache.as_ref().map_or(0, |cache| cache.block_size.get());
        let mut writers = Vec::new();
        for (clone, job) in workload.jobs.iter().enumerate() {
            let writes_of_a_hundred = match job.mix {
                Mix::Only(Direction::Write) => 100,
                Mix::ReadWrite { read_percent } => 100 - read_percent.min(99),
                _ => continue,
            };
            let is_random = job.access.cover
                && *job.access.random_percent.get(Direction::Write) > 0
                && *job.access.distribution.get(Direction::Write) == Distribution::Uniform;
            let pass = if is_random { job.files.iter().map(|file| file.len as f64).sum() } else { 0.0 };
            let every = if job.sync.each_write { 1 } else { job.sync.every_writes };
            let sizes = job.sizes.get(Direction::Write);
            let parts_of_blocks = sizes.min() < block;
            let between_flushes = f64::from(every) * sizes.max() as f64 * 100.0 / f64::from(writes_of_a_hundred);
            let mut volumes: Vec<u16> = job.files.iter().map(|file| file.volume).collect();
            volumes.dedup();
            for volume in volumes {
                let of = &spec.volumes[usize::from(volume)];
                if of.host_cache == CacheMode::ReadWrite && !of.path.local {
                    writers.push(Writer { clone, volume, between_flushes, pass, parts_of_blocks });
                }
            }
        }
        WriteBacks { writers, levels: Vec::new(), since: Instant::START }
    }

    /// Notes the backlogs at an instant; whether one of them fills its room, falls behind or has caught up.
    pub(crate) fn note(&mut self, backlogs: &[Backlog], now: Instant) -> bool {
        self.levels.resize(backlogs.len(), Level::CaughtUp);
        let mut changes = false;
        for (level, backlog) in self.levels.iter_mut().zip(backlogs) {
            let Backlog { dirty, room, overdue, .. } = *backlog;
            let next = match *level {
                Level::Full if is_within(dirty, room, FULL_NO_MORE) => Level::Full,
                _ if is_within(dirty, room, FULL) => Level::Full,
                Level::CaughtUp if overdue <= LATE => Level::CaughtUp,
                _ if overdue == Duration::ZERO => Level::CaughtUp,
                _ => Level::Behind,
            };
            changes |= std::mem::replace(level, next) != next;
        }
        if changes {
            self.since = now;
        }
        changes
    }

    /// For how long data stay dirty on a volume, ns; `None` where there are none.
    fn age(batches: &[Batch], volume: VolumeId) -> Option<f64> {
        let lasted: f64 = batches.iter().map(|batch| batch.lasted.ns() as f64).sum();
        let destaged: f64 = batches.iter().map(|batch| batch.counted.destaged(volume).get() as f64).sum();
        let looks = batches.last().into_iter().flat_map(|last| &last.backlogs);
        let dirty: u64 = looks.filter(|look| look.volume == volume).map(|look| look.end).sum();
        (dirty > 0).then_some(dirty as f64 / destaged * lasted)
    }

    /// How far may be leapt on a sample, after so much that was leapt on it or its like before, ns; or the volume whose backlog is not
    /// known to stand still.
    pub(crate) fn stands_for(&self, batches: &[Batch], leapt: f64, meter: &Meter) -> Result<f64, u16> {
        let lasted: f64 = batches.iter().map(|batch| batch.lasted.ns() as f64).sum();
        let mut left = f64::INFINITY;
        let looks = batches.last().map_or(&[][..], |last| &last.backlogs);
        for (disk, (look, &level)) in looks.iter().zip(&self.levels).enumerate() {
            let volume = look.volume.0;
            let Some(age) = WriteBacks::age(batches, look.volume) else { continue };
            if lasted < TURNOVERS * age {
                return Err(volume);
            }
            let dirty = looks.iter().filter(|other| other.volume == look.volume).map(|other| other.end).sum();
            if self.writers.iter().any(|writer| writer.volume == volume && !writer.is_in(batches, level, dirty)) {
                return Err(volume);
            }
            let was_caught_up = |part: &[Batch]| part.iter().any(|batch| batch.backlogs[disk].caught_up);
            let stands = match level {
                Level::CaughtUp => batches.chunks(batches.len().div_ceil(PARTS)).all(was_caught_up),
                Level::Full => {
                    let waits = |batch: &Batch| batch.backlogs[disk].is_full() && batch.waited_for_room(meter, volume);
                    batches.iter().all(waits)
                }
                Level::Behind => false,
            };
            if !stands {
                let ends: Vec<(f64, f64)> =
                    batches.iter().map(|batch| (batch.backlogs[disk].end as f64, 1.0)).collect();
                let moves = super::error::moves_at_most(&ends);
                left = left.min(look.room as f64 * MOVES / moves * lasted - leapt);
            }
            if left < lasted {
                return Err(volume);
            }
        }
        Ok(left)
    }

    /// The volume whose backlog may move while shares of hits do, if any: then windows are too short to say how far.
    pub(crate) fn moves_beside_hits(&self, window: &[Batch], now: Instant, meter: &Meter) -> Option<u16> {
        let looks = window.last().map_or(&[][..], |last| &last.backlogs);
        let moving = looks.iter().zip(&self.levels).enumerate().find(|&(disk, (look, &level))| {
            let Some(age) = WriteBacks::age(window, look.volume) else { return false };
            let all = |waits: &dyn Fn(&Batch) -> bool| window.iter().all(waits);
            let settled = now.since(self.since).ns() as f64 >= TURNOVERS_BEFORE * age;
            let dirty = looks.iter().filter(|other| other.volume == look.volume).map(|other| other.end).sum();
            let is_alike = |writer: &Writer| !writer.has_ends(level, dirty) && writer.flushes_in(window);
            !match level {
                Level::CaughtUp => window[window.len() / 2..].iter().any(|batch| batch.backlogs[disk].caught_up),
                Level::Full => {
                    settled
                        && all(&|batch| batch.backlogs[disk].is_full() && batch.waited_for_room(meter, look.volume.0))
                }
                Level::Behind => false,
            } || self.writers.iter().any(|writer| writer.volume == look.volume.0 && !is_alike(writer))
        });
        moving.map(|(_, (look, _))| look.volume.0)
    }
}

impl Writer {
    fn issued(&self, batches: &[Batch]) -> f64 {
        batches.iter().map(|batch| batch.levels[self.clone].issued_bytes as f64).sum()
    }
    /// Whether the end of a pass with a map shows in what is destaged.
    fn has_ends(&self, level: Level, dirty: u64) -> bool {
        let meets_itself = dirty as f64 > LITTLE * self.pass;
        level != Level::CaughtUp && self.pass > 0.0 && (self.parts_of_blocks || meets_itself)
    }
    fn flushes_in(&self, batches: &[Batch]) -> bool {
        let issued = self.issued(batches);
        issued == 0.0 || issued >= FLUSHES * self.between_flushes
    }
    /// Whether its slow ways are in a sample: flushes, and passes where they show.
    fn is_in(&self, batches: &[Batch], level: Level, dirty: u64) -> bool {
        let passes = !self.has_ends(level, dirty) || self.issued(batches) >= TURNOVERS * self.pass;
        self.flushes_in(batches) && passes
    }
}
