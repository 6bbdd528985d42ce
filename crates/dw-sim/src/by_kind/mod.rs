//! A recording replayed by kind: of each step in which no limit is near a part is simulated, which stands for the step; all others are
//! simulated in order.
//!
//! A step has one demand, and queues that are far from a limit forget within milliseconds how they began: so what is simulated of it
//! after that is a sample of all of it, of the same kind. Credits move on by what the rest of the step is charged. Where a sample has few
//! requests of a stream, they wait for those of the next steps.
//!
//! Chapter: `docs/model/by-kind.md`. The hooks on the driver are in `driver/by_kind.rs`.

mod replicas;
mod uses;

use crate::clone::CloneRun;
use crate::meter::{Cell, CellPart, Meter};
use crate::result::{ByKind, Leaps, LeaptFigures, Refusal};
use crate::{RunError, RunOptions};
use dw_stack::{CacheMode, Counted, StackSpec};
use dw_units::{Duration, Instant};
use dw_workload::{Direction, Generator, Replay, ReplayStream, join};
use replicas::{Doubt, NORMAL, Replicas};
use uses::Uses;

/// Requests of all samples together, about; what is simulated in order comes on top.
pub(crate) const SAMPLED: f64 = 1e6;
/// What has begun is forgotten after so many relaxation times, to less than a thousandth, and after this time where there are none: some
/// latencies.
const SETTLES: f64 = 8.0;
const SETTLES_S: f64 = 0.02;
/// A sample lasts so many times as long as that at least.
const LASTS: f64 = 8.0;
/// A step of which more than this share would be simulated is simulated in order.
const MOST: f64 = 0.6;
/// A queue waits for less than this part of the time in which it settles.
const WAITS: f64 = 8.0;
/// So many requests of a volume of which none is done in a sample are a backlog.
const STUCK: u64 = 16;
/// Places of a stream.
const EACH: usize = 4;
/// Requests of a sample from which it stands for what it was taken from; fewer wait for those of the next steps.
const ENOUGH: u64 = 32;

/// Requests of a stream of which some are simulated in any case.
const SEEN: f64 = 4.0;

/// What of a step is simulated before the rest is taken from it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sample {
    settles: Duration,
    /// Of two halves, each of this length.
    half: Duration,
}

/// What is decided before a replay begins.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// By step; nothing where it is simulated in order.
    samples: Vec<Option<Sample>>,
    /// Why every I/O is simulated, where it is; nothing where that is as asked.
    every_io: Option<Option<Refusal>>,
    /// What takes what of which limit; nothing where every I/O is simulated.
    uses: Option<Uses>,
    /// By step, the limits with credits that are asked more than is calm without them.
    strained: Vec<Vec<usize>>,
    /// Steps that are near a limit, or beside one that is.
    near: usize,
    /// Requests of what is simulated in order.
    pub(crate) in_order: f64,
}

impl Plan {
    /// How a replay is taken by kind, or why it is not.
    pub(crate) fn of(spec: &StackSpec, replay: &Replay, options: &RunOptions, sampled: f64) -> Result<Plan, Refusal> {
        refuse(spec, replay, options)?;
        let uses = Uses::new(spec);
        let steps = uses.steps(replay);
        let is_calm = |step: usize| steps.get(step).is_none_or(|step| step.is_calm);
        let calm = |step: usize| is_calm(step) && is_calm(step + 1) && (step == 0 || is_calm(step - 1));
        let requests: Vec<f64> = (0..steps.len())
            .map(|step| replay.streams.iter().map(|stream| stream.steps[step].requests as f64).sum())
            .collect();
        let all: f64 = (0..steps.len()).filter(|&step| calm(step)).map(|step| requests[step]).sum();
        let share = sampled / all.max(1.0);
        let sample = |step: usize| {
            let lasts = replay.lasts(step).ns() as f64;
            let settles = (SETTLES_S + SETTLES * steps[step].relaxes_s) * 1e9;
            let sampled = (lasts * share).max(LASTS * settles);
            let fits = settles + sampled <= MOST * lasts && calm(step) && requests[step] > 0.0;
            let ns = |ns: f64| Duration::from_ns(ns as u64);
            fits.then(|| Sample { settles: ns(settles), half: ns(sampled / 2.0) })
        };
        let mut samples: Vec<Option<Sample>> = (0..steps.len()).map(sample).collect();
        // Of what hardly ever comes all of one step is simulated, so that no latency is made up.
        for stream in &replay.streams {
            let simulated = |(step, sample): (usize, &Option<Sample>)| {
                let share = sample.map_or(1.0, |of| {
                    (of.settles.ns() + 2 * of.half.ns()) as f64 / replay.lasts(step).ns().max(1) as f64
                });
                stream.steps[step].requests as f64 * share
            };
            if samples.iter().enumerate().map(simulated).sum::<f64>() < SEEN
                && let Some(busiest) = (0..steps.len()).max_by_key(|&step| stream.steps[step].requests)
            {
                samples[busiest] = None;
            }
        }
        let near = (0..steps.len()).filter(|&step| !calm(step)).count();
        let in_order = samples.iter().zip(&requests).filter(|(sample, _)| sample.is_none()).map(|of| of.1).sum();
        let strained = steps.into_iter().map(|step| step.strained).collect();
        Ok(Plan { samples, every_io: None, uses: Some(uses), strained, near, in_order })
    }

    /// Every I/O.
    fn in_order(replay: &Replay, why: Option<Refusal>) -> Plan {
        let samples = vec![None; replay.steps()];
        let in_order = replay.requests() as f64;
        Plan { samples, every_io: Some(why), uses: None, strained: Vec::new(), near: 0, in_order }
    }
}

/// What no step can stand for another of.
fn refuse(spec: &StackSpec, replay: &Replay, options: &RunOptions) -> Result<(), Refusal> {
    let billed = spec.volumes.iter().flat_map(|volume| &volume.disks).any(|disk| disk.usage_base.is_some());
    if billed && options.series.is_some() {
        return Err(Refusal::BilledBySecond);
    }
    if let Some(volume) = spec.first_touched() {
        return Err(Refusal::FirstTouch { volume: volume.0 });
    }
    let too_large = |stream: &ReplayStream| stream.steps.iter().any(|step| step.size > stream.file.len);
    if spec.vm.throttle_interval > Duration::ZERO || options.until.is_some() || replay.streams.iter().any(too_large) {
        return Err(Refusal::Changes);
    }
    if cache_moves(spec, replay, options) { Err(Refusal::CacheMoves) } else { Ok(()) }
}

/// Whether what the host cache serves may change: unless all that is used is in it from the beginning on, and each part of it is as
/// often in RAM as any other.
fn cache_moves(spec: &StackSpec, replay: &Replay, options: &RunOptions) -> bool {
    let mode = |volume: u16| spec.volumes[usize::from(volume)].host_cache;
    let with_cache: Vec<_> =
        replay.streams.iter().filter(|stream| mode(stream.file.volume) != CacheMode::None).collect();
    let (Some(cache), Some(first)) = (&spec.vm.host_cache, with_cache.first()) else { return false };
    let writes_back = |volume, direction| mode(volume) == CacheMode::ReadWrite && direction != Direction::Read;
    if with_cache.iter().any(|stream| writes_back(stream.file.volume, stream.direction)) {
        return true;
    }
    let mut ranges: Vec<(u16, u64, u64)> = Vec::new();
    for stream in &with_cache {
        let range = (stream.file.volume, stream.file.start + stream.file.offset, stream.file.len);
        if !options.warm.contains(&range) {
            return true;
        }
        if !ranges.contains(&range) {
            ranges.push(range);
        }
    }
    // A range that is no whole number of blocks has one more at each end.
    let used: u64 = ranges.iter().map(|range| range.2 + 2 * cache.block_size.get()).sum();
    let warm: u64 = options.warm.iter().map(|range| range.2 + 2 * cache.block_size.get()).sum();
    if used.max(warm) > cache.capacity.get() {
        return true;
    }
    let same_everywhere = cache.ram.get() == 0 || cache.ram.get() >= used.max(warm);
    let alike = options.warm.len() == 1 && with_cache.iter().all(|stream| stream.random_percent == 100);
    !(same_everywhere || alike && ranges == [(first.file.volume, first.file.start + first.file.offset, first.file.len)])
}

/// Where the driver is within a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The next step begins.
    Begins,
    Settles,
    FirstHalf,
    SecondHalf,
    /// The rest of a step is simulated in order.
    InOrder,
    /// No step is left.
    Over,
}

/// What was counted up to the beginning of a sample.
pub(crate) struct Mark {
    pub(crate) at: Instant,
    pub(crate) areas: Vec<u128>,
    pub(crate) counted: Counted,
}

/// A replay under way.
pub(crate) struct Kinds {
    replay: Replay,
    plan: Plan,
    seed: u64,
    with_cache: Vec<bool>,
    pub(crate) stage: Stage,
    /// The step that is under way, and when it began and ends.
    pub(crate) step: usize,
    pub(crate) ends: Instant,
    pub(crate) mark: Option<Mark>,
    /// What was taken from the meter.
    kept: Vec<Cell>,
    replicas: Vec<Replicas>,
    first: Vec<CellPart>,
    waiting: Vec<Waiting>,
    /// The place of each stream in the present step.
    places: Vec<Option<usize>>,
    /// By limit, the squared deviation of what steps take of it that samples stand for, from what they were said to take.
    variance: Vec<f64>,
    doubts: Vec<Doubt>,
    added: u64,
    taken: u64,
    /// A limit was nearer than was thought.
    is_near: bool,
}

/// Samples of a cell that are not enough yet to stand for anything: halves, and the spans of virtual time that wait for them with their
/// requests. A sample stands once, so that errors of what it stands for do not add up unseen.
#[derive(Clone, Default)]
struct Waiting {
    halves: [CellPart; 2],
    spans: Vec<(Instant, Instant, f64)>,
}

impl Waiting {
    fn simulated(&self) -> u64 {
        self.halves.iter().map(CellPart::ios).sum()
    }
}

impl Kinds {
    /// `plan`: how it is taken by kind, or why not; nothing where every I/O is asked for.
    pub(crate) fn new(
        replay: &Replay,
        plan: Option<Result<Plan, Refusal>>,
        options: &RunOptions,
        with_cache: Vec<bool>,
        cells: usize,
    ) -> Kinds {
        let plan = match plan {
            Some(Ok(plan)) => plan,
            other => Plan::in_order(replay, other.and_then(Result::err)),
        };
        let limits = plan.uses.as_ref().map_or(0, Uses::count);
        Kinds {
            replay: replay.clone(),
            plan,
            seed: options.seed,
            with_cache,
            stage: Stage::Begins,
            step: 0,
            ends: Instant::START,
            mark: None,
            kept: vec![Cell::default(); cells],
            replicas: vec![Replicas::default(); cells],
            first: Vec::new(),
            waiting: vec![Waiting::default(); cells],
            places: vec![None; replay.streams.len()],
            variance: vec![0.0; limits],
            doubts: vec![Doubt::default(); cells],
            added: 0,
            taken: 0,
            is_near: false,
        }
    }

    /// Some places for each stream: a step may begin before all requests of those before it are done.
    pub(crate) fn places(replay: &Replay) -> usize {
        EACH * replay.streams.len()
    }

    /// The stream of a place.
    pub(crate) fn stream_of(place: usize) -> usize {
        place / EACH
    }

    /// The clones of a step, each with its place; the step that is under way from now on.
    pub(crate) fn begin(
        &mut self,
        step: usize,
        now: Instant,
        meter: &mut Meter,
        is_free: impl Fn(usize) -> bool,
    ) -> Vec<(usize, CloneRun)> {
        self.step = step;
        let lasts = self.replay.lasts(step);
        self.ends = now + lasts;
        let mut clones = Vec::with_capacity(self.replay.streams.len());
        self.places.fill(None);
        for number in 0..self.replay.streams.len() {
            if self.replay.streams[number].steps[step].requests > 0 {
                let mut places = (0..EACH).map(|next| EACH * number + (step + next) % EACH);
                let place = places.find(|&place| is_free(place)).unwrap_or(EACH * number + step % EACH);
                self.places[number] = Some(place);
                clones.extend(self.clone_of(number, step, place, meter).ok().map(|clone| (place, clone)));
            }
        }
        clones
    }

    /// A stream in a step, made ready to run.
    pub(crate) fn clone_of(
        &self,
        number: usize,
        step: usize,
        place: usize,
        meter: &mut Meter,
    ) -> Result<CloneRun, RunError> {
        let stream = &self.replay.streams[number];
        let job = stream.job(&stream.steps[step], self.replay.lasts(step));
        let seed = join(join(self.seed, job.seed), (number * self.replay.steps() + step) as u64);
        let generator = Generator::new(&job, seed)
            .map_err(|error| RunError::Job { job: stream.file.name.clone(), what: error.to_string() })?;
        let mut clone = CloneRun::new(place as u64, &job, generator, seed);
        let volume = stream.file.volume;
        clone.first_cell = meter.cells_for(0, volume);
        clone.cells = vec![(volume, clone.first_cell)];
        clone.one_cell = true;
        if !self.with_cache[usize::from(volume)] {
            clone.draw_on_demand();
        }
        Ok(clone)
    }

    /// The length of what comes before the sample, and of half of it; nothing where the step is simulated in order.
    pub(crate) fn sample(&self) -> Option<(Duration, Duration)> {
        self.plan.samples[self.step].filter(|_| !self.is_near).map(|sample| (sample.settles, sample.half))
    }

    pub(crate) fn has_step(&self, step: usize) -> bool {
        step < self.plan.samples.len()
    }

    fn take(&mut self, meter: &mut Meter) -> Vec<CellPart> {
        let parts: Vec<CellPart> = meter.cells.iter_mut().map(Cell::take).collect();
        self.kept.resize_with(parts.len(), Cell::default);
        for (kept, part) in self.kept.iter_mut().zip(&parts) {
            kept.add(part, 1.0);
        }
        parts
    }

    /// What was simulated since the last time stands for itself.
    pub(crate) fn take_in_order(&mut self, meter: &mut Meter) {
        if self.plan.every_io.is_some() {
            return;
        }
        let parts = self.take(meter);
        for (replicas, part) in self.replicas.iter_mut().zip(&parts) {
            replicas.add(&part.both);
        }
    }

    /// The first half of a sample is over.
    pub(crate) fn take_first(&mut self, meter: &mut Meter) {
        self.first = self.take(meter);
    }

    /// A limit was near in what was to be a sample: it is none, and the next step is simulated in order, too.
    pub(crate) fn discard_sample(&mut self, meter: &mut Meter) {
        let second = self.take(meter);
        let first = std::mem::take(&mut self.first);
        for (replicas, part) in self.replicas.iter_mut().zip(first.iter().zip(&second)) {
            replicas.add(&part.0.both);
            replicas.add(&part.1.both);
        }
        self.is_near = true;
    }

    /// Whether requests of a volume waited longer in a sample than they do where no backlog stands: a queue that is far from its limit
    /// waits for a small part of the time in which it forgets.
    pub(crate) fn backlog_stands(&self, meter: &Meter) -> bool {
        let Some((settles, _)) = self.sample() else { return true };
        let mut waits = vec![(0u128, 0u64); meter.volumes.len()];
        for (cell, (first, second)) in self.first.iter().zip(&meter.cells).enumerate() {
            let of = &mut waits[usize::from(meter.cell_of[cell / 3].1)];
            of.0 += first.queued.iter().sum::<u128>() + second.queued().iter().sum::<u128>();
            of.1 += first.ios() + second.both.count;
        }
        let outstanding = meter.volumes.iter().zip(&waits);
        let none_done = outstanding.clone().any(|(volume, of)| of.1 == 0 && volume.outstanding() > STUCK);
        none_done || waits.iter().any(|of| of.0 as f64 > of.1 as f64 * settles.ns() as f64 / WAITS)
    }

    /// Requests of each stream of the present step that are to come.
    pub(crate) fn left(&self, clones: &[CloneRun]) -> Vec<u64> {
        let left = |place: &Option<usize>| {
            let pace = place.and_then(|place| clones[place].pace.as_ref());
            pace.map_or(0, |pace| pace.to_come())
        };
        self.places.iter().map(left).collect()
    }

    /// What these requests take of each limit, where that is known without simulating them.
    pub(crate) fn tokens(&mut self, left: &[u64]) -> Vec<Option<f64>> {
        let Some(uses) = &self.plan.uses else { return Vec::new() };
        let asked = |stream: &ReplayStream| stream.steps[self.step].size;
        let of_limit = |limit: usize| {
            let mut tokens = 0.0;
            for (stream, &left) in self.replay.streams.iter().zip(left).filter(|(_, left)| **left > 0) {
                if let Some(each) = uses.tokens(limit, stream, asked(stream)) {
                    tokens += left as f64 * each.mean;
                    self.variance[limit] += left as f64 * each.variance();
                }
            }
            uses.is_told(limit).then_some(tokens)
        };
        (0..uses.count()).map(of_limit).collect()
    }

    /// The sample stands for `by` more of its step, from an instant of virtual time on, in which so many requests come of each stream.
    pub(crate) fn stands_for(&mut self, from: Instant, by: Duration, left: &[u64], meter: &mut Meter) {
        let second = self.take(meter);
        let first = std::mem::take(&mut self.first);
        let mut asked = vec![0.0; meter.cells.len()];
        for (stream, &left) in self.replay.streams.iter().zip(left) {
            self.cell_of(stream, meter).into_iter().for_each(|cell| asked[cell] += left as f64);
        }
        for (cell, (first, second)) in first.into_iter().zip(second).enumerate() {
            let waiting = &mut self.waiting[cell];
            waiting.halves[0].join(&first);
            waiting.halves[1].join(&second);
            if asked[cell] > 0.0 {
                waiting.spans.push((from, from + by, asked[cell]));
            }
            if waiting.simulated() >= ENOUGH {
                self.stand(cell, meter);
            }
        }
        self.taken += 1;
        self.is_near = false;
    }

    /// What was simulated of a cell stands for all of it that waits for that.
    fn stand(&mut self, cell: usize, meter: &mut Meter) {
        let Waiting { halves, spans } = std::mem::take(&mut self.waiting[cell]);
        let mut part = halves[0].clone();
        part.join(&halves[1]);
        if part.ios() == 0 && !spans.is_empty() {
            // None came in any sample: those that came before one are all there is, and nobody knows how well they stand for it.
            part = self.kept[cell].clone().take();
            self.replicas[cell] = Replicas::default();
        }
        let simulated = part.ios();
        let requests: f64 = spans.iter().map(|span| span.2).sum();
        if simulated > 0 {
            self.added += self.kept[cell].add(&part, requests / simulated as f64).0;
        }
        let [first, second] = &halves;
        self.replicas[cell].add_halves(self.step, [&first.both, &second.both], requests + simulated as f64, simulated);
        if let Some(series) = &mut meter.series {
            let place = usize::from(meter.cell_of[cell / 3].1) * 3 + cell % 3;
            let stretch = part.stretch(cell.is_multiple_of(3));
            spans.iter().for_each(|&(from, to, requests)| series.fill_with(place, (from, to), &stretch, requests));
        }
    }

    /// The cell of a stream.
    fn cell_of(&self, stream: &ReplayStream, meter: &Meter) -> Option<usize> {
        let found = meter.cell_of.iter().position(|&of| of == (0, stream.file.volume))?;
        Some(found * 3 + stream.direction as usize)
    }

    /// Notes how far the waits of a step that was simulated in order may be from those of a run of every I/O: where credits were carried
    /// there by what is asked on average, and a limit without them is asked more than it gives.
    fn note_doubts(&mut self, meter: &Meter) {
        let Some(uses) = &self.plan.uses else { return };
        let mut doubts = Vec::new();
        for &limit in &self.plan.strained[self.step] {
            let later_ns = NORMAL * self.variance[limit].sqrt() / uses.rate(limit) * 1e9;
            for stream in &self.replay.streams {
                let asked = stream.steps[self.step];
                if later_ns > 0.0 && asked.requests > 0 && uses.tokens(limit, stream, asked.size).is_some() {
                    doubts.extend(self.cell_of(stream, meter).map(|cell| (cell, asked.requests, later_ns)));
                }
            }
        }
        for (cell, requests, later_ns) in doubts {
            self.doubts[cell].add(requests, later_ns);
        }
    }

    /// A step is simulated in order to its end.
    pub(crate) fn ends_in_order(&mut self, meter: &mut Meter) {
        self.take_in_order(meter);
        self.note_doubts(meter);
        if self.plan.samples[self.step].is_none() {
            self.is_near = false;
        }
    }

    /// Gives back what was taken, and says how well it is known.
    pub(crate) fn end(mut self, meter: &mut Meter) -> Option<Leaps> {
        if let Some(why) = self.plan.every_io {
            return why.map(Leaps::Refused);
        }
        self.take_in_order(meter);
        (0..self.waiting.len()).for_each(|cell| self.stand(cell, meter));
        for (cell, kept) in meter.cells.iter_mut().zip(&mut self.kept) {
            cell.add(&kept.take(), 1.0);
        }
        let mut figures = Vec::new();
        for (place, &(_, volume)) in meter.cell_of.iter().enumerate() {
            for direction in [Direction::Read, Direction::Write] {
                let cell = place * 3 + direction as usize;
                let all = &meter.cells[cell].both;
                if all.count == 0 {
                    continue;
                }
                let doubt = self.doubts.get(cell).copied().unwrap_or_default();
                let errors =
                    self.replicas.get_mut(cell).map(|replicas| replicas.errors(all, doubt)).unwrap_or_default();
                figures.push(LeaptFigures {
                    volume,
                    direction,
                    // As many come as were recorded.
                    rate: 0.0,
                    mean: errors.mean,
                    p50: errors.p50,
                    p95: errors.p95,
                    p99: errors.p99,
                    p99_9: errors.p99_9,
                    tiers: None,
                });
            }
        }
        figures.sort_by_key(|figures| (figures.volume, figures.direction));
        Some(Leaps::ByKind(ByKind {
            steps: self.plan.samples.len() as u64,
            taken: self.taken,
            near: self.plan.near as u64,
            time: meter.leapt,
            ios: self.added,
            figures,
        }))
    }
}
