//! One clone of a section: what it still has to do, and what it has done.
//!
//! This file holds the state and the questions that need nothing else; `driver.rs` has the loop that moves it on.

use crate::SampleStats;
use crate::pace::Pace;
use crate::samples::{self, Samples};
use crate::verify::Unverified;
use dw_stack::{Completion, Op, Request, VolumeId};
use dw_units::{Duration, Instant};
use dw_workload::rng::Stream;
use dw_workload::{Direction, Flow, Generator, Io, Job, Mix, Pacing, RateFloor, Stop, SyncPolicy, Think};
use std::collections::VecDeque;

/// Requests drawn ahead of time, so that what they will touch is in the processor's cache.
const AHEAD_MAX: usize = 32;
/// Drawn at once, so that fetches of what they will touch overlap: one by one, each waits for its own page walk.
const BATCH: usize = 16;
/// Buffered writes that are under way at most: dirty pages do not pile up without end.
const WRITTEN_OUT_MAX: u32 = 4_096;
/// Places of the ring that holds them.
const RING: usize = 64;
/// What an unused place holds.
const NOTHING: Io = Io { offset: 0, len: 0, volume: 0, direction: Direction::Read };

/// Where a clone stands in fio's loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Its phase has not come, or the section it waits for has not ended.
    NotStarted,
    /// In its start delay.
    Delayed,
    /// May issue.
    Issue,
    /// Full: waits until `need` requests can be reaped.
    Reap,
    /// Waits for all in flight, then sleeps.
    Quiesce(Sleep),
    /// Sleeps.
    Asleep(Sleep),
    /// Waits for all in flight, then flushes: what an fsync of buffered writes does.
    Syncing,
    /// Its flush is under way; requests that finish meanwhile are reaped after it.
    Flushing,
    /// Ahead of its share of a flow: looks at nothing until the others have caught up.
    Ahead,
    /// Issues no more in this pass and waits for all in flight.
    Draining,
    /// Flushes its files at the end of a pass; the next one is this.
    EndFlush(usize),
    /// Flushes its files before it reads back what it wrote; the next one is this.
    VerifyFlush(usize),
    /// Has ended.
    Done,
}

/// Why a clone sleeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sleep {
    /// Until its rate lets it issue in this direction.
    Rate { us: u64, direction: Direction },
    /// Between two groups of requests.
    Think { direction: Direction },
    /// Until the next burst may begin; those in flight go on.
    Burst,
    /// Ahead of its share of a flow.
    Flow,
}

/// What all turns of a clone have in common: the short path is compiled for each such way, so that a turn asks nothing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    number: usize,
}

impl Way {
    pub(crate) const READS: usize = 0;
    pub(crate) const WRITES: usize = 1;
    /// Whatever else a clone moves.
    pub(crate) const MIXED: usize = 2;

    /// Of what has such a mix; has a rate; draws its requests ahead.
    fn of(mix: Mix, paced: bool, ahead: bool) -> Way {
        let moves = match mix {
            Mix::Only(Direction::Read) => Way::READS,
            Mix::Only(Direction::Write) => Way::WRITES,
            _ => Way::MIXED,
        };
        Way { number: moves * 4 + usize::from(paced) * 2 + usize::from(ahead) }
    }
    #[inline(always)]
    pub(crate) fn number(self) -> usize {
        self.number
    }
    /// The only direction of what moves so, where there is one.
    pub(crate) const fn direction(moves: usize) -> Option<Direction> {
        match moves {
            Way::READS => Some(Direction::Read),
            Way::WRITES => Some(Direction::Write),
            _ => None,
        }
    }
}

/// A clone of a section.
pub(crate) struct CloneRun {
    // What it is.
    pub(crate) generator: Generator,
    pub(crate) pace: Option<Pace>,
    /// The number of this clone: what its requests carry.
    pub(crate) number: u64,
    /// No rates, pauses, flushes, batches: reap one, issue one.
    pub(crate) simple: bool,
    /// The same, but for a rate of its only direction: such a clone, when full and behind its rate, goes on likewise.
    short: bool,
    pub(crate) way: Way,
    /// An open loop: it issues when its rate says so, whatever is done, and does nothing else.
    pub(crate) open: bool,
    /// All its requests are recorded in one cell a direction, on a volume.
    pub(crate) one_cell: bool,
    /// Until here the short path may be taken: its deadline, or the start of time where there is more to do.
    pub(crate) short_deadline: Instant,
    /// As long as it has issued less than this, no pass can be over by bytes.
    pub(crate) short_until: u64,
    pub(crate) null: bool,
    pub(crate) offload: bool,
    pub(crate) latency_off: bool,
    pub(crate) depth: u32,
    pub(crate) low: u32,
    complete_min: u32,
    pub(crate) polling: bool,
    pub(crate) batch: u32,
    pub(crate) fua: bool,
    /// Buffered writes with an fsync now and then: they go out at once, without being waited for, and the fsync waits.
    pub(crate) writes_out: bool,
    /// Buffered writes that are durable one by one: each is followed by a flush, and is done with it.
    pub(crate) flush_each: bool,
    /// Of those, the ones whose flush is under way, oldest first.
    pub(crate) unflushed: VecDeque<Completion>,
    /// When the flush that is due or under way was asked for.
    pub(crate) sync_since: Instant,
    pub(crate) mix: Mix,
    pub(crate) think: Option<Think>,
    pub(crate) sync: SyncPolicy,
    pub(crate) flow: Option<Flow>,
    pub(crate) stop: Stop,
    pub(crate) pass_bytes_max: u64,
    /// Bytes to issue in all passes.
    bytes_max: u64,
    /// `stop.bytes` is `io_size`, not the size of the files.
    io_size_given: bool,
    size_max: u64,
    pub(crate) ramp: Duration,
    floors: [Option<RateFloor>; 3],
    floor_cycle: Duration,
    pub(crate) phase: u32,
    pub(crate) section: u32,
    pub(crate) wait_for: Option<u32>,
    pub(crate) exit_all: bool,
    pub(crate) start_delay: Duration,
    /// First cell of each of its volumes; looked up by volume number.
    pub(crate) cells: Vec<(u16, u32)>,
    pub(crate) first_cell: u32,
    pub(crate) file_volumes: Vec<u16>,

    // Where it stands.
    pub(crate) state: State,
    pub(crate) terminate: bool,
    pub(crate) error: Option<String>,
    pub(crate) wake: Instant,
    pub(crate) begun: Option<Instant>,
    /// When it began to count; the ramp ends here.
    pub(crate) epoch: Instant,
    pub(crate) deadline: Instant,
    pub(crate) ramp_end: Instant,
    pub(crate) counting: bool,
    pub(crate) ended: Instant,
    pub(crate) in_flight: u32,
    pub(crate) need: u32,
    pub(crate) held: Vec<Completion>,
    pub(crate) pending: Option<Direction>,
    last_direction: Direction,
    ahead: Option<Ahead>,
    queued: u32,

    // What it has done. `done_*` and `issues` restart at the end of the ramp, `issued_bytes` does not.
    pub(crate) issued_bytes: u64,
    /// `issued_bytes` when the pass began.
    pass_start: u64,
    /// Turns of the short path: one reaped, one issued, at full depth. Not yet in the levels below.
    pub(crate) turns: u64,
    pub(crate) issues: [u64; 3],
    pub(crate) done_ios: [u64; 3],
    pub(crate) done_bytes: [u64; 3],
    pub(crate) last_was_sync: bool,
    pub(crate) loops_left: u32,
    pub(crate) samples: Samples,
    pub(crate) depth_levels: [u64; 7],
    pub(crate) submit_levels: [u64; 7],
    pub(crate) complete_levels: [u64; 7],
    thought_at: u64,
    thought_when: Instant,
    /// Requests issued of the burst under way.
    burst: u32,
    /// No request before this: the pause after a burst.
    pub(crate) held_until: Instant,
    floor_checks: [(u64, u64, Instant); 3],
    /// What it wrote and is to read back.
    unverified: Option<Box<Unverified>>,
    /// It reads back, since when.
    verifying: Option<Instant>,
    /// Time spent reading back after the writes, while it counts.
    verify_time: Duration,
    /// Bytes read back in this pass.
    pass_verified: u64,
    /// I/Os that it has issued of its flow's.
    pub(crate) flowed: u64,
    /// Virtual time that was leapt over: while it counted, and in all when it ended.
    leapt: Duration,
    pub(crate) leapt_in_all: Duration,
    /// By how much its rate's time line is ahead of the clock for that.
    line_ahead_us: i64,
}

/// Requests drawn before they are due.
struct Ahead {
    ring: [Io; RING],
    /// How many requests of the pass have been taken from it, and how many have been drawn.
    head: usize,
    drawn: usize,
    /// A batch has just been drawn.
    fresh: bool,
}

impl Ahead {
    /// Draws a batch behind the `from` requests before it, unless the pass was over among them.
    #[inline(never)]
    fn draw(&mut self, generator: &mut Generator, from: usize) {
        if self.drawn == from {
            // Batches lie side by side in the ring, which holds a whole number of them.
            self.drawn += generator.draw(&mut self.ring[from % RING..][..BATCH]);
        }
    }
    /// What the latest batch has, if it was just drawn.
    fn latest(&self) -> &[Io] {
        let from = self.head + AHEAD_MAX - BATCH;
        &self.ring[from % RING..][..self.drawn.saturating_sub(from)]
    }
}

/// When a clone ends, the bytes of a pass, and those of all passes.
fn ends(job: &Job, size: u64) -> (Stop, u64, u64) {
    let writes = !matches!(job.mix, Mix::Only(Direction::Read | Direction::Trim));
    let random = *job.access.random_percent.get(Direction::Write) > 0;
    // fio ends a pass at the size of the files, except where `io_size` may stretch it or it does not count.
    let pass = match job.stop {
        Stop { by_files: true, .. } => u64::MAX,
        Stop { bytes, .. } if writes && random && !job.access.cover => size.max(bytes),
        _ => size,
    };
    let stop = job.stop;
    let bytes_max = stop.bytes.saturating_mul(u64::from(stop.loops.max(1)));
    if job.mix != Mix::TrimThenWrite {
        return (stop, pass, bytes_max);
    }
    // Every byte counts twice: trimmed, then written.
    (Stop { ios: stop.ios.map(|n| n * 2), ..stop }, pass.saturating_mul(2), bytes_max.saturating_mul(2))
}

/// Whether a job without pauses and floors reaps one and issues one, at most with a rate of its only direction.
fn is_short(job: &Job, depth: u32, is_paced: bool) -> bool {
    let batching = job.batching;
    job.sync.every_writes == 0
        && !(batching.complete_min == 0 && batching.complete_max == 0)
        && batching.complete_min <= 1
        && batching.low.max(1) >= depth
        && batching.submit <= 1
        && job.verify.is_none()
        && job.flow.is_none()
        && (!is_paced || matches!(job.mix, Mix::Only(_)))
}

impl CloneRun {
    pub(crate) fn new(number: u64, job: &Job, generator: Generator, seed: u64) -> CloneRun {
        let depth = job.queue_depth.max(1);
        let pace = Pace::new(job, seed);
        let size = job.files.iter().map(|f| f.len).sum::<u64>();
        let writes = !matches!(job.mix, Mix::Only(Direction::Read | Direction::Trim));
        let mixed = matches!(job.mix, Mix::ReadWrite { .. });
        let (stop, pass, bytes_max) = ends(job, size);
        let batching = job.batching;
        let polling = batching.complete_min == 0 && batching.complete_max == 0;
        let think = job.think.filter(|t| t.time > Duration::ZERO || t.spin > Duration::ZERO);
        let floors = Direction::ALL.map(|d| *job.rate_floor.get(d));
        let (low_delay, high_delay) = job.start_delay;
        let spread = high_delay.saturating_sub(low_delay).ns();
        let only_writes = matches!(job.mix, Mix::Only(Direction::Write));
        let writes_out = job.sync.buffered && job.sync.every_writes > 0 && only_writes && !job.null_engine;
        let flush_each = job.sync.buffered && job.sync.each_write && !job.null_engine;
        // One more than an fsync waits for: the next write is never what holds it up.
        let depth = if writes_out { depth.max(job.sync.every_writes.min(WRITTEN_OUT_MAX) + 1) } else { depth };
        let short = think.is_none()
            && !flush_each
            && floors.iter().all(Option::is_none)
            && is_short(job, depth, pace.is_some());
        let offload = !matches!(job.pacing, Pacing::Linear | Pacing::Poisson);
        let open = offload
            && pace.is_some()
            && matches!(job.mix, Mix::Only(_))
            && think.is_none()
            && floors.iter().all(Option::is_none)
            && job.flow.is_none()
            && job.verify.is_none()
            && job.sync.every_writes == 0
            && !flush_each
            && !polling
            && !job.null_engine;
        CloneRun {
            generator,
            number,
            simple: short && pace.is_none(),
            short,
            way: Way::of(job.mix, pace.is_some(), pace.is_none() || !mixed),
            open,
            one_cell: false,
            short_deadline: Instant::START,
            short_until: 0,
            null: job.null_engine,
            offload,
            latency_off: job.latency.disabled,
            depth,
            low: if batching.low == 0 { depth } else { batching.low.min(depth) },
            complete_min: batching.complete_min,
            polling,
            batch: batching.submit.clamp(1, depth),
            fua: job.sync.each_write && !flush_each,
            writes_out,
            flush_each,
            unflushed: VecDeque::new(),
            sync_since: Instant::START,
            mix: job.mix,
            think,
            sync: job.sync,
            flow: job.flow,
            stop,
            pass_bytes_max: pass,
            bytes_max,
            io_size_given: job.stop.bytes != size,
            size_max: Direction::ALL.map(|d| job.sizes.get(d).max()).into_iter().max().unwrap_or(0),
            ramp: job.ramp,
            floors,
            floor_cycle: job.rate_cycle,
            phase: job.phase,
            section: job.section,
            wait_for: job.wait_for,
            exit_all: job.exit_all,
            start_delay: low_delay + Duration::from_ns(Stream::new(seed, 9).below(spread.saturating_add(1))),
            cells: Vec::new(),
            first_cell: 0,
            file_volumes: job.files.iter().map(|f| f.volume).collect(),
            state: State::NotStarted,
            terminate: false,
            error: None,
            wake: Instant::NEVER,
            begun: None,
            epoch: Instant::START,
            deadline: Instant::NEVER,
            ramp_end: Instant::START,
            counting: false,
            ended: Instant::START,
            in_flight: 0,
            need: 1,
            held: Vec::new(),
            pending: None,
            last_direction: Direction::Read,
            ahead: (pace.is_none() || !mixed).then_some(Ahead {
                ring: [NOTHING; RING],
                head: 0,
                drawn: 0,
                fresh: false,
            }),
            queued: 0,
            issued_bytes: 0,
            pass_start: 0,
            turns: 0,
            issues: [0; 3],
            done_ios: [0; 3],
            done_bytes: [0; 3],
            last_was_sync: false,
            loops_left: job.stop.loops.max(1),
            samples: Samples::new(Instant::START),
            depth_levels: [0; 7],
            submit_levels: [0; 7],
            complete_levels: [0; 7],
            thought_at: 0,
            thought_when: Instant::START,
            burst: 0,
            held_until: Instant::START,
            floor_checks: [(0, 0, Instant::START); 3],
            unverified: job.verify.filter(|_| writes).map(|policy| Box::new(Unverified::new(policy))),
            verifying: None,
            verify_time: Duration::ZERO,
            pass_verified: 0,
            flowed: 0,
            leapt: Duration::ZERO,
            leapt_in_all: Duration::ZERO,
            line_ahead_us: 0,
            pace,
        }
    }

    /// Draws no requests ahead of time: for volumes where there is nothing to prefetch.
    pub(crate) fn draw_on_demand(&mut self) {
        self.ahead = None;
        self.way = Way::of(self.mix, self.pace.is_some(), false);
    }
    /// Begins to run at `now`.
    pub(crate) fn begin(&mut self, now: Instant) {
        self.begun = Some(now);
        self.epoch = now;
        self.ramp_end = now + self.ramp;
        self.thought_when = now;
        self.floor_checks = [(0, 0, now); 3];
        self.loops_left -= 1;
        self.state = State::Issue;
        if self.ramp == Duration::ZERO {
            self.count_from(now);
        }
    }
    /// Begins to count at `now`: everything counted so far is forgotten.
    pub(crate) fn count_from(&mut self, now: Instant) {
        self.counting = true;
        let elapsed_us = self.now_us(now);
        self.epoch = now;
        self.deadline = self.stop.runtime.map_or(Instant::NEVER, |runtime| now + runtime);
        if self.short && self.one_cell && !self.terminate {
            self.short_deadline = self.deadline;
        }
        (self.issues, self.done_ios, self.done_bytes) = ([0; 3], [0; 3], [0; 3]);
        self.floor_checks = [(0, 0, now); 3];
        self.samples = Samples::new(now);
        if let Some(pace) = &mut self.pace {
            pace.reset(elapsed_us);
        }
    }
    /// Microseconds on its own time line.
    pub(crate) fn now_us(&self, now: Instant) -> u64 {
        (now.since(self.epoch).ns() / 1_000).wrapping_add_signed(self.line_ahead_us)
    }
    /// The next request, in a direction given by its rate or drawn; `None` when the pass is over.
    #[inline(always)]
    pub(crate) fn next_io_of(&mut self, direction: Option<Direction>) -> Option<Io> {
        if self.ahead.is_some() { self.next_io::<true>(direction) } else { self.next_io::<false>(direction) }
    }
    /// The same, where it is known whether requests are drawn ahead.
    #[inline(always)]
    pub(crate) fn next_io<const AHEAD: bool>(&mut self, direction: Option<Direction>) -> Option<Io> {
        let Some(ahead) = self.ahead.as_mut().filter(|_| AHEAD) else {
            let direction = direction.unwrap_or_else(|| self.generator.direction());
            return self.generator.next(direction);
        };
        if ahead.head == ahead.drawn {
            return None;
        }
        let io = ahead.ring[ahead.head % RING];
        ahead.head += 1;
        ahead.fresh = ahead.head.is_multiple_of(BATCH);
        if ahead.fresh {
            ahead.draw(&mut self.generator, ahead.head + AHEAD_MAX - BATCH);
        }
        Some(io)
    }
    /// Whether the short path may be taken at all: when one request has been reaped, all that follows is to issue another,
    /// unless its rate says no.
    #[inline(always)]
    pub(crate) fn may_turn(&self, now: Instant) -> bool {
        // Without a rate such a clone is full, or drains because one of these holds, or because there is no next.
        self.state == State::Reap && now < self.short_deadline && self.issued_bytes < self.short_until
    }
    /// The only direction of a clone with a rate, when it is behind that rate.
    #[inline(always)]
    pub(crate) fn is_due(&self, now: Instant) -> Option<Direction> {
        let (Mix::Only(direction), Some(pace)) = (self.mix, &self.pace) else { return None };
        pace.is_due(direction, self.now_us(now)).then_some(direction)
    }
    /// A request for the storage.
    #[inline(always)]
    pub(crate) fn request(&self, io: &Io) -> Request {
        let op = match io.direction {
            Direction::Read => Op::Read,
            Direction::Write => Op::Write,
            Direction::Trim => Op::Trim,
        };
        let fua = self.fua && io.direction == Direction::Write;
        Request { volume: VolumeId(io.volume), op, fua, offset: io.offset, len: io.len, user: self.number }
    }
    /// The requests that were drawn just now, to be hinted at; most often none.
    #[inline(always)]
    pub(crate) fn just_drawn(&mut self) -> Option<&[Io]> {
        let ahead = self.ahead.as_mut()?;
        std::mem::take(&mut ahead.fresh).then(|| ahead.latest())
    }
    /// Reaps one request of an open loop that sleeps until its next one is due, which changes nothing for it; false, and nothing
    /// done, when anything else follows.
    #[inline(always)]
    pub(crate) fn open_reap(&mut self) -> bool {
        let asleep = matches!(self.state, State::Asleep(Sleep::Rate { .. }));
        let plain = self.open && asleep && self.one_cell && self.counting && self.need == 1 && self.held.is_empty();
        if plain {
            self.note_reap(1);
        }
        plain
    }
    /// Every turn goes through the loop as it is written down: for engines that are held against each other.
    pub(crate) fn take_no_short_path(&mut self) {
        (self.simple, self.short, self.open) = (false, false, false);
    }
    /// Fills the ring at the start of a pass.
    pub(crate) fn begin_pass(&mut self) {
        self.pass_start = self.issued_bytes;
        self.pass_verified = 0;
        if let Some(unverified) = &mut self.unverified {
            unverified.begin_pass();
        }
        self.short_until = match self.stop {
            Stop { time_based: true, .. } => u64::MAX,
            Stop { ios: Some(_), .. } => 0,
            _ => self.bytes_max.min(self.pass_start.saturating_add(self.pass_bytes_max)),
        };
        if let Some(ahead) = &mut self.ahead {
            (ahead.head, ahead.drawn) = (0, 0);
            for from in (0..AHEAD_MAX).step_by(BATCH) {
                ahead.draw(&mut self.generator, from);
            }
        }
    }
    /// The direction of a request whose rate has to be asked first.
    pub(crate) fn draw_direction(&mut self) -> Direction {
        match self.mix {
            Mix::Only(direction) => direction,
            _ => self.generator.direction(),
        }
    }
    /// Whether `number_ios` are done or under way.
    fn ios_exceeded(&self) -> bool {
        let ios = self.done_ios.iter().sum::<u64>() + u64::from(self.in_flight);
        self.stop.ios.is_some_and(|max| ios >= max * u64::from(self.stop.loops.max(1)))
    }
    /// Whether this pass has issued all it may.
    #[inline]
    pub(crate) fn pass_is_issued(&self) -> bool {
        if self.stop.time_based {
            return self.timed_pass_is_issued();
        }
        self.issued_bytes >= self.bytes_max
            || self.issued_bytes - self.pass_start >= self.pass_bytes_max
            || (self.stop.ios.is_some() && self.ios_exceeded())
    }
    /// Whether a job that runs by time has issued what it reads back then.
    fn timed_pass_is_issued(&self) -> bool {
        let Some(policy) = self.unverified.as_ref().map(|u| u.policy).filter(|p| p.ends_timed_passes) else {
            return false;
        };
        let most = self.pass_bytes_max.saturating_mul(if policy.backlog > 0 { 2 } else { 1 });
        self.issued_bytes - self.pass_start + self.pass_verified >= most
    }
    /// Whether another pass follows one that is over.
    pub(crate) fn goes_on(&mut self, files_done: bool) -> bool {
        if self.stop.time_based {
            return true;
        }
        if self.loops_left > 0 {
            self.loops_left -= 1;
            return true;
        }
        if self.ios_exceeded() {
            return false;
        }
        let missing = self.stop.bytes.saturating_sub(self.done_bytes.iter().sum());
        missing >= self.size_max.max(1) && (!files_done || self.io_size_given)
    }
    /// Whether a flush is due before the next request.
    pub(crate) fn flush_is_due(&self) -> bool {
        let writes = self.issues[Direction::Write as usize];
        let every = u64::from(self.sync.every_writes);
        every > 0 && writes > 0 && writes.is_multiple_of(every) && !self.last_was_sync
    }
    /// How many completions to wait for when full.
    pub(crate) fn reap_need(&self) -> u32 {
        self.complete_min.min(self.in_flight).max(1)
    }
    /// Notes a request that was issued.
    #[inline]
    pub(crate) fn note_issue(&mut self, io: &Io, now: Instant) {
        let len = u64::from(io.len);
        if let Some(think) = self.think.filter(|think| think.overlaps) {
            self.burst += 1;
            if self.burst >= think.blocks {
                self.burst = 0;
                self.held_until = now + think.time;
            }
        }
        self.issued_bytes += len;
        self.issues[io.direction as usize] += 1;
        self.last_direction = io.direction;
        if let Some(unverified) = self.unverified.as_mut().filter(|_| io.direction == Direction::Write) {
            unverified.wrote(io);
        }
        self.note_in_flight(io);
    }
    /// The same for an open loop, which has no pauses and reads nothing back.
    #[inline(always)]
    pub(crate) fn note_open_issue(&mut self, io: &Io) {
        debug_assert!(self.open && self.think.is_none() && self.unverified.is_none() && !self.writes_out);
        self.issued_bytes += u64::from(io.len);
        self.issues[io.direction as usize] += 1;
        self.last_direction = io.direction;
        self.in_flight += 1;
        self.note_level(io);
    }
    /// Notes a read of what was written: it is none of the I/Os that the job was asked for.
    pub(crate) fn note_verify(&mut self, io: &Io) {
        self.pass_verified += u64::from(io.len);
        self.last_direction = io.direction;
        self.note_in_flight(io);
    }
    #[inline]
    fn note_in_flight(&mut self, io: &Io) {
        self.in_flight += 1;
        if self.writes_out {
            // The call that comes after so many writes is due before any of them is done.
            self.last_was_sync = false;
        }
        self.note_level(io);
    }
    #[inline(always)]
    fn note_level(&mut self, io: &Io) {
        if let Some(pace) = &mut self.pace {
            pace.issued(io.direction, u64::from(io.len));
        }
        if self.counting {
            self.depth_levels[depth_class(self.in_flight)] += 1;
            self.queued += 1;
            if self.queued >= self.batch || self.in_flight == self.depth {
                self.submit_levels[batch_class(self.queued)] += 1;
                self.queued = 0;
            }
        }
    }
    /// Notes a request that was reaped; true when the ramp is over with it. That one still belongs to the ramp.
    pub(crate) fn note_done(&mut self, direction: Direction, bytes: u64, now: Instant) -> bool {
        self.last_was_sync = false;
        if let Some(unverified) = &mut self.unverified {
            unverified.completed(direction);
        }
        if !self.counting && now >= self.ramp_end {
            self.count_from(now);
            return true;
        }
        let d = direction as usize;
        if self.samples.is_over(now) {
            self.roll_samples(now);
        }
        self.done_ios[d] += 1;
        self.done_bytes[d] += bytes;
        false
    }
    /// Closes the sampling intervals that are over.
    pub(crate) fn roll_samples(&mut self, now: Instant) {
        if self.counting && !self.latency_off {
            self.samples.roll(now, self.done_bytes, self.done_ios);
        }
    }
    /// Ends at its next look.
    pub(crate) fn terminate(&mut self) {
        self.terminate = true;
        self.short_deadline = Instant::START;
    }
    /// Notes a turn of the short path.
    #[inline(always)]
    pub(crate) fn note_turn<const PACED: bool>(&mut self, done: Direction, bytes: u32, issued: &Io, now: Instant) {
        if self.samples.is_over(now) {
            self.roll_samples(now);
        }
        self.done_ios[done as usize] += 1;
        self.done_bytes[done as usize] += u64::from(bytes);
        self.issued_bytes += u64::from(issued.len);
        self.issues[issued.direction as usize] += 1;
        if let Some(pace) = self.pace.as_mut().filter(|_| PACED) {
            pace.issued(issued.direction, u64::from(issued.len));
        }
        self.turns += 1;
    }
    /// Whether this pass has issued nothing.
    pub(crate) fn pass_is_idle(&self) -> bool {
        self.issued_bytes == self.pass_start
    }
    /// Puts the turns of the short path where they belong.
    pub(crate) fn settle_turns(&mut self) {
        let turns = std::mem::take(&mut self.turns);
        self.depth_levels[depth_class(self.depth)] += turns;
        self.submit_levels[batch_class(1)] += turns;
        self.complete_levels[batch_class(1)] += turns;
    }
    /// Notes completions that were reaped together.
    #[inline]
    pub(crate) fn note_reap(&mut self, count: u32) {
        self.in_flight -= count;
        if self.counting {
            self.complete_levels[batch_class(count)] += 1;
        }
    }
    /// Whether a pause is due after a request.
    pub(crate) fn pause_is_due(&mut self, now: Instant) -> bool {
        let Some(think) = self.think.filter(|think| !think.overlaps) else { return false };
        let mut due = false;
        if think.io_time > Duration::ZERO {
            due = now.since(self.thought_when) >= think.io_time + think.time;
            if !due && think.blocks <= 1 {
                return false;
            }
        }
        let at_issue = think.counted_at_issue || self.writes_out;
        let counter = if at_issue { self.issues } else { self.done_ios }.iter().sum::<u64>();
        due |= counter >= self.thought_at + u64::from(think.blocks.max(1));
        if due {
            self.thought_at = counter;
            self.thought_when = now;
        }
        due
    }
    /// The direction of the request issued last.
    pub(crate) fn last_direction(&self) -> Direction {
        self.last_direction
    }
    /// Which direction's rate has fallen below its floor, said as a sentence.
    pub(crate) fn below_floor(&mut self, now: Instant) -> Option<String> {
        if !self.counting || now.since(self.epoch) < Duration::from_ms(2_000) {
            return None;
        }
        for direction in Direction::ALL {
            let d = direction as usize;
            let Some(floor) = self.floors[d].filter(|_| self.done_bytes[d] > 0) else { continue };
            let (bytes, ios, since) = self.floor_checks[d];
            if bytes > 0 || ios > 0 {
                let spent_ms = now.since(since).ns() / 1_000_000;
                if spent_ms == 0 || spent_ms < self.floor_cycle.ns() / 1_000_000 {
                    continue;
                }
                let (least, done, name) = match floor {
                    RateFloor::BytesPerSecond(least) => (least, self.done_bytes[d] - bytes, "rate_min"),
                    RateFloor::Iops(least) => (least, self.done_ios[d] - ios, "rate_iops_min"),
                };
                let got = done * 1_000 / spent_ms;
                if got < least {
                    return Some(format!("{name}={least} not met, got {got}"));
                }
            }
            self.floor_checks[d] = (self.done_bytes[d], self.done_ios[d], now);
        }
        None
    }
    /// Whether it writes, so that a flush at the end makes sense.
    pub(crate) fn writes(&self) -> bool {
        !matches!(self.mix, Mix::Only(Direction::Read))
    }
    /// Time from the start of counting to the end.
    pub(crate) fn runtime(&self) -> Duration {
        self.ended.since(self.epoch) + self.leapt
    }
    /// The part of it in which this direction was moved: reading back what was written is no time of the writes, and the
    /// writes are no time of it.
    pub(crate) fn runtime_of(&self, direction: Direction) -> Duration {
        let reads = matches!(self.mix, Mix::ReadWrite { .. } | Mix::Only(Direction::Read));
        let in_between = self.unverified.as_ref().is_some_and(|u| u.policy.backlog > 0);
        match direction {
            _ if self.unverified.is_none() => self.runtime(),
            Direction::Read if reads || in_between => self.runtime(),
            Direction::Read => self.verify_time,
            _ => self.runtime().saturating_sub(self.verify_time),
        }
    }
    /// Whether it runs and counts.
    pub(crate) fn is_counting_now(&self) -> bool {
        self.counting && self.begun.is_some() && self.state != State::Done
    }
    /// Whether requests that finish now are reaped later.
    pub(crate) fn looks_away(&self) -> bool {
        matches!(self.state, State::Flushing | State::Ahead)
    }
    /// Whether it reads back what it wrote.
    pub(crate) fn is_verifying(&self) -> bool {
        self.verifying.is_some()
    }
    /// Whether reading back follows on the writes of this pass.
    pub(crate) fn verifies_next(&self, now: Instant) -> bool {
        self.unverified.is_some() && self.verifying.is_none() && !self.terminate && now < self.deadline
    }
    pub(crate) fn begin_verifying(&mut self, now: Instant) {
        self.verifying = Some(now);
    }
    pub(crate) fn end_verifying(&mut self, now: Instant) {
        if let Some(since) = self.verifying.take().filter(|_| self.counting) {
            self.verify_time += now.since(since.max(self.epoch));
        }
    }
    /// What to read back now: anything that is left after the writes, and in between them when it is time for that.
    pub(crate) fn next_to_verify(&mut self) -> Option<Io> {
        let unverified = self.unverified.as_mut()?;
        if self.verifying.is_some() { unverified.next() } else { unverified.next_of_backlog() }
    }
}

/// What fio counts of a clone beside its I/Os, in a stretch of time or up to an instant; and how late it is for its rate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Levels {
    of_depth: [u64; 7],
    of_submit: [u64; 7],
    of_complete: [u64; 7],
    bandwidth: [SampleStats; 3],
    iops: [SampleStats; 3],
    pub(crate) issued_bytes: u64,
    /// In microseconds; of a stretch, by how much more.
    pub(crate) late_us: i64,
}

impl Levels {
    pub(crate) fn since(&self, before: &Levels) -> Levels {
        let less = |now: &[u64; 7], then: &[u64; 7]| std::array::from_fn(|level| now[level] - then[level]);
        Levels {
            of_depth: less(&self.of_depth, &before.of_depth),
            of_submit: less(&self.of_submit, &before.of_submit),
            of_complete: less(&self.of_complete, &before.of_complete),
            bandwidth: std::array::from_fn(|d| samples::since(&self.bandwidth[d], &before.bandwidth[d])),
            iops: std::array::from_fn(|d| samples::since(&self.iops[d], &before.iops[d])),
            issued_bytes: self.issued_bytes - before.issued_bytes,
            late_us: self.late_us - before.late_us,
        }
    }
    pub(crate) fn join(&mut self, more: &Levels) {
        self.add(more, 1.0);
        self.issued_bytes += more.issued_bytes;
        self.late_us += more.late_us;
    }
    fn add(&mut self, more: &Levels, times: f64) {
        let add = |to: &mut [u64; 7], more: &[u64; 7]| {
            to.iter_mut().zip(more).for_each(|(to, &more)| *to += (more as f64 * times).round() as u64);
        };
        add(&mut self.of_depth, &more.of_depth);
        add(&mut self.of_submit, &more.of_submit);
        add(&mut self.of_complete, &more.of_complete);
        for d in 0..3 {
            samples::add(&mut self.bandwidth[d], &more.bandwidth[d], times);
            samples::add(&mut self.iops[d], &more.iops[d], times);
        }
    }
}

impl CloneRun {
    /// What was counted up to `now`.
    pub(crate) fn levels(&mut self, now: Instant) -> Levels {
        self.settle_turns();
        Levels {
            of_depth: self.depth_levels,
            of_submit: self.submit_levels,
            of_complete: self.complete_levels,
            bandwidth: self.samples.bandwidth.clone(),
            iops: self.samples.iops.clone(),
            issued_bytes: self.issued_bytes,
            late_us: self.late_us(now).unwrap_or(0),
        }
    }
    /// Counts a stretch again, `times` times.
    pub(crate) fn count_again(&mut self, more: &Levels, times: f64) {
        let mut levels = Levels {
            of_depth: self.depth_levels,
            of_submit: self.submit_levels,
            of_complete: self.complete_levels,
            bandwidth: std::mem::take(&mut self.samples.bandwidth),
            iops: std::mem::take(&mut self.samples.iops),
            ..Levels::default()
        };
        levels.add(more, times);
        (self.depth_levels, self.submit_levels) = (levels.of_depth, levels.of_submit);
        self.complete_levels = levels.of_complete;
        (self.samples.bandwidth, self.samples.iops) = (levels.bandwidth, levels.iops);
    }
    /// By how much it is behind its rate at `now`, where it has one.
    pub(crate) fn late_us(&self, now: Instant) -> Option<i64> {
        self.pace.as_ref().map(|pace| pace.late_us(self.now_us(now)))
    }
    /// Virtual time leaps by `by` while this clone runs and counts: its end comes nearer, and it is so much later for its rate.
    pub(crate) fn leap(&mut self, by: Duration, later_us: i64) {
        self.leapt += by;
        self.line_ahead_us += later_us;
        self.deadline = earlier(self.deadline, by);
        if self.short_deadline != Instant::START {
            self.short_deadline = earlier(self.short_deadline, by);
        }
    }
}

/// An instant of the stack's clock that comes nearer when virtual time leaps.
pub(crate) fn earlier(at: Instant, by: Duration) -> Instant {
    if at == Instant::NEVER { at } else { Instant::from_ns(at.ns().saturating_sub(by.ns())) }
}

/// fio's class of a depth: 1, 2, 4, 8, 16, 32, 64 and more.
#[inline]
fn depth_class(depth: u32) -> usize {
    (depth.max(1).ilog2() as usize).min(6)
}

/// fio's class of a batch: 0, up to 4, 8, 16, 32, 64, more.
#[inline]
fn batch_class(count: u32) -> usize {
    match count {
        0 => 0,
        1..=4 => 1,
        5..=8 => 2,
        9..=16 => 3,
        17..=32 => 4,
        33..=64 => 5,
        _ => 6,
    }
}
