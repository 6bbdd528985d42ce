//! Leaping over steady state: which runs, what has to be known before, and how well it is known after.
//!
//! A run is cut where something begins, ends or runs out. In between it is simulated until every printed figure is known as
//! well as is asked, from batches that follow each other; the rest, up to shortly before the next change, is leapt over: all
//! that was counted in the sample is counted again as often as it takes. The stack's clock stands meanwhile. So nothing is
//! leapt over whose figures do not settle, and the error that is printed is the one by which it was decided.
//!
//! Chapter: `docs/model/leaps.md`. The hooks on the driver are in `driver/leaping.rs`.

mod backlog;
pub(crate) mod batch;
mod error;
mod hits;
mod refuse;

use crate::RunOptions;
use crate::meter::{Cell, CellPart, Meter};
use crate::recorder::{Part, Recorder};
use crate::result::{LeaptFigures, Refusal, SteadyFigure};
use crate::series::Stretch;
pub(crate) use backlog::Look;
use backlog::WriteBacks;
use batch::Batch;
use dw_stack::{Backlog, StackSpec};
use dw_units::{Duration, Instant};
use dw_workload::{Direction, Workload};
use error::{ratio, trend};
use hits::Hits;

/// A run with fewer I/Os than this is never leapt over; one of more than 64 KiB counts once for each 64 KiB.
pub const LEAPS_FROM: u64 = 20_000_000;
/// Bytes of an I/O that counts once.
const ONE_IO: u64 = 64 << 10;
/// I/Os of the first batches of a stretch; later ones are twice as long, again and again.
const FIRST: u64 = 1_024;
/// Batches at which neighbours are joined.
const FULL: usize = 64;
/// Batches at which figures are first looked at, and between two looks.
const LOOK_FROM: usize = 32;
const LOOK_EVERY: usize = 8;
/// Batches of a window in which shares of hits move.
const WINDOW: usize = 16;
/// A leap is longer than this share of the sample that it repeats.
const SHORTEST: f64 = 0.125;

/// How well a figure has to be known before time is leapt over: 99 % half-widths as shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Accuracy {
    rate: f64,
    mean: f64,
    p99: f64,
    /// Of all reads.
    tiers: f64,
}

/// A sample lasts so many times as long as requests wander between the members of a stripe.
const WANDERINGS: f64 = 4.0;

impl Accuracy {
    /// What was asked for, if anything.
    pub(crate) fn of(error: Option<f64>) -> Accuracy {
        match error {
            Some(error) => Accuracy { rate: error, mean: error, p99: error, tiers: error.min(0.005) },
            None => Accuracy { rate: 0.01, mean: 0.02, p99: 0.2, tiers: 0.003 },
        }
    }
}

/// Whether a run leaps.
#[derive(Default)]
pub(crate) enum Leaping {
    /// It is to be exact, or what it does is to be logged.
    #[default]
    Never,
    /// It may, if it is long: then it either does, or says why not.
    IfLong(Box<IfLong>),
    /// It is long, and does not leap.
    Refused(Refusal),
    /// It is long, and leaps where it can.
    Watching(Box<Leap>),
}

/// What decides whether a long run leaps.
pub(crate) struct IfLong {
    /// The caches that it uses, or why it does not leap.
    pub(crate) hits: Result<Option<Hits>, Refusal>,
    accuracy: Accuracy,
    /// Disks of each volume, and bytes on one before the next.
    members: Vec<(usize, u64)>,
    write_backs: WriteBacks,
    /// I/Os from which a run is long.
    pub(crate) from: u64,
    /// When it was looked at last, and how much was done by then.
    pub(crate) last: (Instant, u64),
}

impl IfLong {
    pub(crate) fn of(spec: &StackSpec, workload: &Workload, options: &RunOptions) -> IfLong {
        let hits = Hits::of(spec, workload, options).map_err(|(job, why)| Refusal::Cache { job, why });
        let hits = refuse::refusal(spec, workload, options).map_or(hits, Err);
        IfLong {
            hits,
            accuracy: Accuracy::of(options.error),
            members: spec.volumes.iter().map(|volume| (volume.disks.len(), volume.stripe_unit.get())).collect(),
            write_backs: WriteBacks::of(spec, workload),
            from: options.leaps_from.unwrap_or(LEAPS_FROM),
            last: (Instant::START, 0),
        }
    }
}

/// I/Os so far, a large one counting several times.
pub(crate) fn weight(meter: &Meter) -> u64 {
    let weight = |cell: &Cell| {
        let late = cell.late.as_ref().map_or(0, |late| late.0.count);
        (cell.both.count + late).max(cell.bytes / ONE_IO)
    };
    meter.cells.iter().map(weight).sum()
}

/// Something to do with the figures of a volume and direction.
pub(crate) type Unsteady = (u16, Direction, SteadyFigure);

/// A run that is watched.
pub(crate) struct Leap {
    accuracy: Accuracy,
    members: Vec<(usize, u64)>,
    /// What was taken from the meter.
    kept: Vec<Cell>,
    kept_flushes: Vec<Recorder>,
    /// I/Os and bytes that were leapt over, by cell.
    added: Vec<(u64, u64)>,
    /// Of the present stretch, oldest first.
    batches: Vec<Batch>,
    pub(crate) batch_ios: u64,
    /// What stands for it, once every figure is known.
    pub(crate) sample: Option<Sample>,
    /// Of the present stretch, and the batches of the sample that stood for it.
    leapt: Duration,
    leapt_on: Vec<Figures>,
    past: Vec<Past>,
    unsteady: Option<Unsteady>,
    leaps: u64,
    pub(crate) hits: Option<Hits>,
    write_backs: WriteBacks,
    /// Bytes that each clone would have asked for in what was leapt over.
    pub(crate) leapt_bytes: Vec<f64>,
    /// A leap while shares of hits moved, whose other end is being simulated.
    pub(crate) pending: Option<Pending>,
    /// Shares of hits moved when they were looked at last.
    pub(crate) moved: bool,
}

/// A leap between two windows, which stand for it half each.
pub(crate) struct Pending {
    pub(crate) before: Batch,
    batches: Vec<Figures>,
    pub(crate) by: Duration,
    /// Virtual time at which it began.
    pub(crate) from: Instant,
}

/// What stands for a stretch.
pub(crate) struct Sample {
    pub(crate) whole: Batch,
    batches: Vec<Figures>,
    /// How far at most may be leapt, for trends in it.
    pub(crate) most: Duration,
    /// How far in all leaps together, for what the backlog of write-back may move.
    pub(crate) left: Duration,
}

/// A stretch that was leapt over, with the batches that stand for it.
struct Past {
    leapt: Duration,
    batches: Vec<Figures>,
    /// Where shares of hits moved: the window at the other end of the leap.
    other_end: Option<Vec<Figures>>,
}

/// A batch, by volume and direction.
#[derive(Clone)]
struct Figures {
    lasted: Duration,
    of: Vec<Stretch>,
    /// Requests outstanding over time, by volume.
    areas: Vec<u128>,
}

impl Figures {
    fn of(batches: &[Batch], meter: &Meter) -> Vec<Figures> {
        let of =
            |batch: &Batch| Figures { lasted: batch.lasted, of: batch.stretches(meter), areas: batch.areas.clone() };
        batches.iter().map(of).collect()
    }
}

/// `(y, x)` of each batch.
type Pairs = Vec<(f64, f64)>;

fn pairs(batches: &[Figures], of: impl Fn(&Figures) -> (f64, f64)) -> Pairs {
    batches.iter().map(of).collect()
}

fn rates(batches: &[Figures], place: usize) -> Pairs {
    pairs(batches, |batch| (batch.of[place].latency.count as f64, batch.lasted.ns() as f64))
}

fn means(batches: &[Figures], place: usize) -> Pairs {
    pairs(batches, |batch| (batch.of[place].latency.sum as f64, batch.of[place].latency.count as f64))
}

/// The share of latencies up to `ns`.
fn shares(batches: &[Figures], place: usize, ns: u64) -> Pairs {
    pairs(batches, |batch| (batch.of[place].latency.count_to(ns) as f64, batch.of[place].latency.count as f64))
}

/// The share of reads from a tier.
fn tiers(batches: &[Figures], place: usize, tier: usize) -> Pairs {
    pairs(batches, |batch| (batch.of[place].tiers[tier] as f64, batch.of[place].tiers.iter().sum::<u64>() as f64))
}

impl Leap {
    pub(crate) fn new(plan: &IfLong, hits: Option<Hits>, cells: usize, entries: usize, clones: usize) -> Leap {
        Leap {
            accuracy: plan.accuracy,
            members: plan.members.clone(),
            kept: vec![Cell::default(); cells],
            kept_flushes: vec![Recorder::default(); entries],
            added: vec![(0, 0); cells],
            batches: Vec::new(),
            batch_ios: FIRST,
            sample: None,
            leapt: Duration::ZERO,
            leapt_on: Vec::new(),
            past: Vec::new(),
            unsteady: None,
            leaps: 0,
            hits,
            write_backs: plan.write_backs.clone(),
            leapt_bytes: vec![0.0; clones],
            pending: None,
            moved: false,
        }
    }

    /// Takes what was measured since the last time.
    pub(crate) fn take(&mut self, cells: &mut [Cell], flushes: &mut [Recorder]) -> (Vec<CellPart>, Vec<Part>) {
        let cells: Vec<CellPart> = cells.iter_mut().map(Cell::take).collect();
        let flushes: Vec<Part> = flushes.iter_mut().map(Recorder::take).collect();
        self.kept.iter_mut().zip(&cells).for_each(|(kept, part)| {
            kept.add(part, 1.0);
        });
        self.kept_flushes.iter_mut().zip(&flushes).for_each(|(kept, part)| {
            kept.add(part, 1.0);
        });
        (cells, flushes)
    }

    /// Something has changed: what was measured so far says nothing of what follows.
    pub(crate) fn begin_again(&mut self) {
        if self.leapt > Duration::ZERO {
            let batches = std::mem::take(&mut self.leapt_on);
            self.past.push(Past { leapt: std::mem::take(&mut self.leapt), batches, other_end: None });
        }
        self.batches.clear();
        self.batch_ios = FIRST;
        self.sample = None;
        self.hits.iter_mut().for_each(Hits::begin_again);
    }

    /// What is left of the stretch without its first quarter, in which things settle.
    fn sampled(&self) -> &[Batch] {
        &self.batches[self.batches.len() / 4..]
    }

    /// A batch is over.
    pub(crate) fn push(&mut self, batch: Batch, meter: &Meter) {
        self.batches.push(batch);
        let n = self.batches.len();
        if n >= LOOK_FROM && n.is_multiple_of(LOOK_EVERY) {
            let batches = Figures::of(self.sampled(), meter);
            let lasted: u64 = batches.iter().map(|batch| batch.lasted.ns()).sum();
            let known = self.assess(&batches).and_then(|samples| Ok((samples, self.backlog_left(meter)?)));
            self.sample = match known {
                Ok((samples, left)) => {
                    let ns = |ns: f64| Duration::from_ns(ns.min(1e18) as u64);
                    let (most, left) = (ns(lasted as f64 * samples), ns(left));
                    Some(Sample { whole: Batch::of(self.sampled()), batches, most, left })
                }
                Err(unsteady) => {
                    self.unsteady = Some(unsteady);
                    None
                }
            };
        }
        if n >= FULL && self.moved {
            // What reads find is said from batch to batch: those stay short.
            self.batches.drain(..FULL / 2);
            self.unsteady = self.hits.as_ref().map(|hits| (hits.volume(), Direction::Read, SteadyFigure::Tiers));
        } else if n >= FULL {
            self.batches = self.batches.chunks(2).map(Batch::of).collect();
            self.batch_ios *= 2;
        }
    }

    /// Whether every figure is known: as many samples as may be leapt over for trends in them, or which figure is not.
    fn assess(&self, batches: &[Figures]) -> Result<f64, Unsteady> {
        let Accuracy { rate, mean, p99, tiers: tier } = self.accuracy;
        let lasted: f64 = batches.iter().map(|batch| batch.lasted.ns() as f64).sum();
        let mut most = f64::INFINITY;
        for place in 0..batches.first().map_or(0, |first| first.of.len()) {
            let mut latency = Part::default();
            batches.iter().for_each(|batch| latency.join(&batch.of[place].latency));
            if latency.count == 0 {
                continue;
            }
            let unsteady = |figure| ((place / 3) as u16, Direction::ALL[place % 3], figure);
            if lasted < WANDERINGS * self.wandering(batches, place / 3) {
                return Err(unsteady(SteadyFigure::P99));
            }
            let moving =
                [(rates(batches, place), rate, SteadyFigure::Rate), (means(batches, place), mean, SteadyFigure::Mean)];
            for (pairs, enough, figure) in moving {
                let known = ratio(&pairs).filter(|known| known.half_width <= enough * known.value);
                let known = known.ok_or(unsteady(figure))?;
                let moves = trend(&pairs).abs();
                if moves > 0.0 {
                    most = most.min(enough * known.value / moves);
                }
                if most < 1.0 {
                    return Err(unsteady(figure));
                }
            }
            let below = ratio(&shares(batches, place, latency.quantile(0.99)));
            if below.is_none_or(|known| latency.quantile_error(0.99, known.half_width) > p99) {
                return Err(unsteady(SteadyFigure::P99));
            }
            for of in 0..3 {
                if ratio(&tiers(batches, place, of)).is_some_and(|known| known.half_width > tier) {
                    return Err(unsteady(SteadyFigure::Tiers));
                }
            }
        }
        Ok(most)
    }

    /// How far may be leapt for what the backlog of write-back moves, ns; or the volume whose backlog is not known to stand.
    fn backlog_left(&self, meter: &Meter) -> Result<f64, Unsteady> {
        let left = self.write_backs.stands_for(self.sampled(), self.leapt.ns() as f64, meter);
        left.map_err(|volume| (volume, Direction::Write, SteadyFigure::Backlog))
    }

    /// Notes the backlogs of write-back; whether one of them fills its room, falls behind or has caught up.
    pub(crate) fn note_backlogs(&mut self, backlogs: &[Backlog], now: Instant) -> bool {
        self.write_backs.note(backlogs, now)
    }

    /// A figure that is not steady, though its batches look so.
    pub(crate) fn note_unsteady(&mut self, unsteady: Unsteady) {
        self.unsteady = Some(unsteady);
    }

    /// Whether backlogs stand still while shares of hits move.
    pub(crate) fn backlog_stands(&mut self, now: Instant, meter: &Meter) -> bool {
        let moving = self.write_backs.moves_beside_hits(self.sampled(), now, meter);
        if let Some(volume) = moving {
            self.unsteady = Some((volume, Direction::Write, SteadyFigure::Backlog));
        }
        moving.is_none()
    }

    /// Whether a window is over in which shares of hits move, and what it came to.
    pub(crate) fn window(&self, meter: &Meter) -> Option<Batch> {
        if self.batches.is_empty() || !self.batches.len().is_multiple_of(WINDOW) {
            return None;
        }
        let (whole, batches) = (Batch::of(self.sampled()), Figures::of(self.sampled(), meter));
        let longest = (0..self.members.len()).map(|volume| self.wandering(&batches, volume)).fold(0.0, f64::max);
        (whole.lasted.ns() as f64 >= WANDERINGS * longest).then_some(whole)
    }

    /// Notes whether shares of hits move; where they have come to rest, what was measured before says nothing any more.
    pub(crate) fn note_moving(&mut self, moves: bool) {
        if std::mem::replace(&mut self.moved, moves) && !moves {
            self.batches.clear();
            self.sample = None;
        }
    }

    /// A leap begins with this window.
    pub(crate) fn begin(&mut self, before: Batch, by: Duration, from: Instant, meter: &Meter) {
        let batches = Figures::of(self.sampled(), meter);
        self.pending = Some(Pending { before, batches, by, from });
        self.batches.clear();
        (self.batch_ios, self.sample) = (FIRST, None);
        self.hits.iter_mut().for_each(Hits::note_leap);
        self.leaps += 1;
    }

    /// It ends with the present one, or where that will not come with the first.
    pub(crate) fn settle(&mut self, pending: Pending, has_after: bool, meter: &Meter) {
        let half = Duration::from_ns(pending.by.ns() / 2);
        if has_after {
            let after = Figures::of(self.sampled(), meter);
            self.past.push(Past { leapt: half, batches: after.clone(), other_end: Some(pending.batches.clone()) });
            self.past.push(Past { leapt: half, batches: pending.batches, other_end: Some(after) });
        } else {
            self.past.push(Past { leapt: pending.by, batches: pending.batches, other_end: None });
        }
    }

    /// How long `n` requests wander between the members of a stripe, ns: its queues are a random walk that gains and loses a
    /// request at the rate of a member, and the longest mode of `n` in all lasts `n² / π² D` with half that rate for `D`.
    fn wandering(&self, batches: &[Figures], volume: usize) -> f64 {
        let lasted: f64 = batches.iter().map(|batch| batch.lasted.ns() as f64).sum();
        let outstanding = batches.iter().map(|batch| batch.areas[volume] as f64).sum::<f64>() / lasted;
        let ios = |batch: &Figures| batch.of[volume * 3..][..3].iter().map(|of| of.latency.count).sum::<u64>() as f64;
        let bytes = |batch: &Figures| batch.of[volume * 3..][..3].iter().map(|of| of.bytes).sum::<u64>() as f64;
        let (all, (members, unit)) = (batches.iter().map(ios).sum::<f64>(), self.members[volume]);
        let size = batches.iter().map(bytes).sum::<f64>() / all.max(1.0);
        // What comes to all members alike leaves their queues alike.
        if members < 2 || all == 0.0 || size >= (members as u64 * unit) as f64 {
            return 0.0;
        }
        let of_member = all / lasted / members as f64;
        outstanding.powi(2) / (std::f64::consts::PI.powi(2) * of_member / 2.0)
    }

    /// How long the shortest leap is.
    pub(crate) fn shortest(sample: &Batch) -> f64 {
        (sample.lasted.ns() as f64 * SHORTEST).max(1e9)
    }

    /// Counts a sample again, `times` times, in what was kept.
    pub(crate) fn count_again(&mut self, sample: &Batch, times: f64) {
        for ((kept, part), added) in self.kept.iter_mut().zip(&sample.cells).zip(&mut self.added) {
            let (ios, bytes) = kept.add(part, times);
            *added = (added.0 + ios, added.1 + bytes);
        }
        for (kept, part) in self.kept_flushes.iter_mut().zip(&sample.flushes) {
            kept.add(part, times);
        }
    }

    /// Leapt by so much, for which a sample stands.
    pub(crate) fn note_leap(&mut self, sample: &Sample, by: Duration) {
        self.leapt += by;
        self.leapt_on.clone_from(&sample.batches);
        self.leaps += 1;
    }

    /// Gives back what was kept, and says how it came out.
    pub(crate) fn end(
        mut self,
        meter: &mut Meter,
        flushes: &mut [Recorder],
    ) -> Result<(u64, Vec<LeaptFigures>), Refusal> {
        self.begin_again();
        for (cell, kept) in meter.cells.iter_mut().zip(&mut self.kept) {
            cell.add(&kept.take(), 1.0);
        }
        for (flushes, kept) in flushes.iter_mut().zip(&mut self.kept_flushes) {
            flushes.add(&kept.take(), 1.0);
        }
        meter.added = std::mem::take(&mut self.added);
        if self.leaps > 0 {
            return Ok((self.leaps, self.figures(meter)));
        }
        Err(match self.unsteady {
            Some((volume, direction, figure)) => Refusal::Unsteady { volume, direction, figure },
            None => Refusal::Changes,
        })
    }

    /// How well figures are known: what was simulated has no error, what was leapt over that of its sample.
    fn figures(&self, meter: &Meter) -> Vec<LeaptFigures> {
        let mut whole = Batch { lasted: Duration::from_ns(1), ..Batch::default() };
        whole.cells = meter.cells.iter().map(|cell| cell.clone().take()).collect();
        let whole = whole.stretches(meter);
        let moved = whole.iter().enumerate().filter(|(_, all)| all.latency.count > 0);
        moved.map(|(place, all)| self.figures_of(place, all)).collect()
    }

    fn figures_of(&self, place: usize, all: &Stretch) -> LeaptFigures {
        let count = all.latency.count as f64;
        // Stretches are independent of each other; each weighs as much as was leapt over by it.
        let error = |pairs: &dyn Fn(&[Figures]) -> Pairs, weigh: &dyn Fn(&Past) -> f64| {
            let of = |past: &Past| ratio(&pairs(&past.batches)).map_or(0.0, |known| known.half_width * weigh(past));
            // Between two ends a figure does not turn back, so its mean is off by half of their difference at most.
            let between = |past: &Past| {
                let ends = ratio(&pairs(&past.batches)).zip(ratio(&pairs(past.other_end.as_ref()?)))?;
                Some((ends.0.value - ends.1.value).abs() / 2.0 * weigh(past))
            };
            let of_samples = self.past.iter().map(|past| of(past).powi(2)).sum::<f64>().sqrt();
            of_samples + self.past.iter().filter_map(between).sum::<f64>()
        };
        let ios_of = |past: &Past| {
            let (ios, ns) = rates(&past.batches, place).iter().fold((0.0, 0.0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
            ios / ns * past.leapt.ns() as f64
        };
        let mean = all.latency.sum as f64 / count;
        let quantile = |quantile: f64| {
            let ns = all.latency.quantile(quantile);
            all.latency.quantile_error(quantile, error(&|b| shares(b, place, ns), &ios_of) / count)
        };
        let of_tiers = (0..3).map(|tier| error(&|b| tiers(b, place, tier), &ios_of) / count).fold(0.0, f64::max);
        LeaptFigures {
            volume: (place / 3) as u16,
            direction: Direction::ALL[place % 3],
            rate: error(&|b| rates(b, place), &|past| past.leapt.ns() as f64) / count,
            mean: error(&|b| means(b, place), &ios_of) / count / mean.max(1e-9),
            p50: quantile(0.5),
            p95: quantile(0.95),
            p99: quantile(0.99),
            p99_9: quantile(0.999),
            tiers: (all.tiers.iter().sum::<u64>() > 0).then_some(of_tiers),
        }
    }
}
