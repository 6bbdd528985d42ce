//! Virtual fio: every clone's loop, in virtual time.
//!
//! ```text
//!   fill up to the queue depth ──▶ reap what is done ──▶ pause, if due ──┐
//!        ▲     │ ahead of its rate: wait for all in flight, sleep        │
//!        └─────┴─────────────────────────────────────────────────────────┘
//! ```
//!
//! Nothing here takes time but the storage, sleeps and pauses. The loop asks the storage for the next completion not
//! later than the next timer, moves the clock there, and lets the clone that was waiting go on; so every instant is an
//! event and none is looked for.
//!
//! Source: fio 3.33.
//!
//! Buffered writes (no `direct=1`) with `fsync` or `fdatasync` go out at once, without being waited for; the fsync waits for
//! all that are out, then flushes, and its latency is both. Pauses and rates do not wait for them. With `sync=1` each buffered write is followed by its own flush.
//!
//! Ignores: processor time; the order in which threads of one instant run (here: file order); engines that flush
//! without waiting (here a flush holds its clone up, as with libaio and the synchronous engines); of the page cache, that
//! neighbouring writes are joined and that reads find what was written; a file system's journal.

mod by_kind;
mod leaping;
mod relaxing;

use crate::by_kind::Kinds;
use crate::clone::{CloneRun, Sleep, State, Way};
use crate::leap::Leaping;
use crate::meter::{Meter, NO_VOLUME};
use crate::recorder::Recorder;
use crate::steady::{LOOK_EVERY as STEADY_EVERY, Watch};
use crate::storage::Storage;
use crate::timers::Timers;
use crate::{Progress, RunOptions};
use dw_stack::{Completion, Done, Op, Request, Tally, VolumeId};
use dw_units::{Duration, Instant};
use dw_workload::{Direction, Io, Workload};
use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;

/// In `Request::user`, next to the number of the clone: the flush of one buffered write.
const OF_A_WRITE: u64 = 1 << 32;
/// Completions between two looks at the stop flag.
const LOOK_EVERY: u64 = 1 << 14;

/// The clone that a completion is of, and the completion.
type Polled = Option<(usize, Done)>;

/// A run under way.
pub(crate) struct Driver<'a, S> {
    pub(crate) storage: S,
    pub(crate) clones: Vec<CloneRun>,
    pub(crate) meter: Meter,
    /// Flushes, by entry.
    pub(crate) flushes: Vec<Recorder>,
    pub(crate) entry_of: Vec<usize>,
    pub(crate) now: Instant,
    pub(crate) partial: bool,
    until: Instant,
    /// One for each clone, and behind them that of the looks for a steady rate.
    timers: Timers,
    next_timer: Instant,
    /// Clones to begin at this instant.
    ready: VecDeque<u32>,
    phases: Vec<u32>,
    phase: usize,
    /// What the limits had granted when counting began and when each phase ended, where there is more than one.
    pub(crate) phases_ended: Vec<(u32, Instant, Tally)>,
    progress: &'a Progress,
    look_at: u64,
    counted: bool,
    /// Every clone has ended.
    over: bool,
    /// What ends when its rate is steady.
    pub(crate) watches: Vec<Watch>,
    flows: Vec<SharedFlow>,
    /// A share of a flow has changed: who waits for it may go on.
    flow_moved: bool,
    // See `leaping.rs`.
    pub(crate) leaping: Leaping,
    mark: Option<leaping::Mark>,
    /// How often something has begun, or ended.
    changes: u64,
    report_at: u64,
    /// A replay whose steps begin one after the other.
    kinds: Option<Box<Kinds>>,
}

/// What the jobs of a flow have in common.
struct SharedFlow {
    id: u32,
    /// I/Os of all, and one more, as in fio.
    counter: u64,
    /// Weights of all that have not ended.
    weight: u64,
}

impl<'a, S: Storage> Driver<'a, S> {
    pub(crate) fn new(
        storage: S,
        clones: Vec<CloneRun>,
        entry_of: Vec<usize>,
        meter: Meter,
        options: &RunOptions,
        progress: &'a Progress,
    ) -> Self {
        let mut phases: Vec<u32> = clones.iter().map(|c| c.phase).collect();
        phases.sort_unstable();
        phases.dedup();
        let entries = entry_of.iter().max().map_or(0, |&last| last + 1);
        let mut flows: Vec<SharedFlow> = Vec::new();
        for flow in clones.iter().filter_map(|clone| clone.flow) {
            let weight = u64::from(flow.weight);
            match flows.iter_mut().find(|shared| shared.id == flow.id) {
                Some(shared) => shared.weight += weight,
                None => flows.push(SharedFlow { id: flow.id, counter: 1, weight }),
            }
        }
        let timers = Timers::new(clones.len() + 1);
        Driver {
            storage,
            clones,
            meter,
            flushes: vec![Recorder::default(); entries],
            entry_of,
            now: Instant::START,
            partial: false,
            until: options.until.map_or(Instant::NEVER, |until| Instant::START + until),
            timers,
            next_timer: Instant::NEVER,
            ready: VecDeque::new(),
            phases,
            phase: 0,
            phases_ended: Vec::new(),
            progress,
            look_at: LOOK_EVERY,
            counted: false,
            over: false,
            watches: Vec::new(),
            flows,
            flow_moved: false,
            leaping: Leaping::Never,
            mark: None,
            changes: 0,
            report_at: 0,
            kinds: None,
        }
    }

    /// Looks for the steady rates that jobs are to end with: of each entry of the report by itself.
    pub(crate) fn watch(&mut self, workload: &Workload) {
        for (entry, members) in members(&self.entry_of) {
            if let Some(policy) = workload.jobs[members[0]].steady {
                self.watches.push(Watch::new(policy, entry, members.into_iter()));
            }
        }
        if !self.watches.is_empty() {
            self.set_timer(self.clones.len(), self.now + STEADY_EVERY);
        }
    }

    /// Runs to the end.
    pub(crate) fn run(&mut self) {
        self.start_phase();
        self.start_ready();
        self.move_flows();
        // Stopped before it began, with caches that may not be full: nothing of it would hold.
        self.over |= self.progress.stop.load(Relaxed);
        // What the stack would still do for itself when the last job has ended (write back, earn credits) is not part
        // of the run.
        let mut polled = None;
        while !self.over {
            let until = self.next_timer.min(self.until);
            match polled.take().or_else(|| self.poll(until)) {
                Some((j, done)) => {
                    let clone = &mut self.clones[j];
                    // The short path of a closed loop in full swing: one request reaped, one issued.
                    if clone.may_turn(self.now)
                        && let Some(next) = self.short_turns(j, done)
                    {
                        polled = next;
                        if self.meter.completed >= self.look_at && self.look() {
                            break;
                        }
                        // Nobody else may go on for it.
                        continue;
                    }
                    let done = self.storage.completion(done);
                    let clone = &mut self.clones[j];
                    if clone.open_reap() {
                        let direction = direction_of(done.op);
                        clone.note_done(direction, u64::from(done.len), self.now);
                        self.meter.finished(done);
                        self.meter.bins.count(done.volume.0 as usize, self.now);
                        self.meter.reaped(clone.first_cell, direction, done, self.now);
                    } else {
                        let done = *done;
                        self.complete(done);
                    }
                    self.meter.completed += 1;
                    if self.meter.completed >= self.look_at && self.look() {
                        break;
                    }
                }
                None if until == Instant::NEVER => break,
                None => {
                    self.now = until;
                    if self.next_timer > until || self.now >= self.until {
                        break;
                    }
                    self.fire_timers();
                    // A clone may sleep and never issue: the stop flag is looked at here, too.
                    if self.progress.stop.load(Relaxed) {
                        break;
                    }
                }
            }
            if !self.ready.is_empty() {
                self.start_ready();
            }
            if self.flow_moved {
                self.move_flows();
            }
        }
        self.close();
        self.report_progress();
    }

    /// Lets the clock go to the next completion that is not later than `until`: whose it is.
    #[inline(always)]
    fn poll(&mut self, until: Instant) -> Polled {
        let done = self.storage.poll(until)?;
        let completion = self.storage.completion(done);
        debug_assert!(completion.finished >= self.now, "time goes back");
        self.now = completion.finished;
        Some((completion.user as u32 as usize, done))
    }

    /// Turns, `done` of clone `j` first, as long as nothing else comes between them: the completion that does, if there is one.
    /// `None`, and nothing done, when more is due than a turn.
    #[inline(never)]
    fn short_turns(&mut self, mut j: usize, mut done: Done) -> Option<Polled> {
        let until = self.next_timer.min(self.until);
        let mut polled = None;
        while self.short_turn_of_its_way(j, done) {
            self.meter.completed += 1;
            polled = Some(None);
            if self.meter.completed >= self.look_at {
                break;
            }
            let Some(next) = self.poll(until) else { break };
            polled = Some(Some(next));
            (j, done) = next;
            if !self.clones[j].may_turn(self.now) {
                break;
            }
        }
        polled
    }

    /// What all turns of one way have in common is known when this is compiled.
    #[inline(always)]
    fn short_turn_of_its_way(&mut self, j: usize, done: Done) -> bool {
        macro_rules! by_way {
            ($($number:literal => $moves:ident $paced:literal $ahead:literal),*) => {
                match self.clones[j].way.number() {
                    $($number => self.short_turn::<{ Way::$moves }, $paced, $ahead>(j, done),)*
                    _ => false,
                }
            };
        }
        by_way!(
            0 => READS false false, 1 => READS false true, 2 => READS true false, 3 => READS true true,
            4 => WRITES false false, 5 => WRITES false true, 6 => WRITES true false, 7 => WRITES true true,
            8 => MIXED false false, 9 => MIXED false true, 10 => MIXED true false, 11 => MIXED true true
        )
    }

    /// Reaps one request of clone `j` and issues another; false, and nothing done, when anything else is due.
    #[inline(always)]
    fn short_turn<const MOVES: usize, const PACED: bool, const AHEAD: bool>(&mut self, j: usize, done: Done) -> bool {
        let now = self.now;
        let only = Way::direction(MOVES);
        let clone = &mut self.clones[j];
        let due = if PACED { clone.is_due(now) } else { None };
        if PACED && due.is_none() {
            return false;
        }
        let Some(io) = clone.next_io::<AHEAD>(due) else { return false };
        let io = Io { direction: only.unwrap_or(io.direction), ..io };
        let done = self.storage.completion(done);
        let direction = only.unwrap_or_else(|| direction_of(done.op));
        clone.note_turn::<PACED>(direction, done.len, &io, now);
        self.meter.passed(clone.first_cell, direction, done);
        if AHEAD && let Some(drawn) = clone.just_drawn() {
            self.storage.hint(drawn);
        }
        let request = clone.request(&io);
        self.storage.submit(now, request);
        true
    }

    /// Tells how far the run is; true when it is to stop.
    #[cold]
    fn look(&mut self) -> bool {
        self.look_at += LOOK_EVERY;
        self.look_for_leaps();
        if self.report_is_due() {
            self.report_progress();
        }
        self.progress.stop.load(Relaxed)
    }
    fn report_progress(&mut self) {
        self.progress.virtual_ns.store((self.now + self.meter.leapt).ns(), Relaxed);
        self.progress.ios.store(self.meter.completed, Relaxed);
        if let Some((tell, series)) = self.progress.tell.as_ref().zip(self.meter.series.as_mut()) {
            let over = series.news();
            if !over.is_empty() {
                tell.0(&over);
            }
        }
        if let Some(watch) = &self.progress.watch {
            watch.0(self.progress);
        }
    }
    /// Ends what has not ended.
    fn close(&mut self) {
        for j in 0..self.clones.len() {
            let clone = &mut self.clones[j];
            if clone.state != State::Done {
                self.partial = true;
                if clone.begun.is_some() {
                    self.end(j);
                }
            }
        }
    }

    // --- phases -----------------------------------------------------------------------------------------------------

    /// Readies the clones of the phase that has come, as far as they need not wait for a section.
    fn start_phase(&mut self) {
        while let Some(&phase) = self.phases.get(self.phase) {
            for j in 0..self.clones.len() {
                if self.clones[j].phase == phase && self.clones[j].state == State::NotStarted && !self.must_wait(j) {
                    self.ready.push_back(j as u32);
                }
            }
            if self.clones.iter().any(|c| c.phase == phase && c.state != State::Done) {
                return;
            }
            self.phase += 1;
            if self.phases.len() > 1 && self.counted {
                self.note_phase(phase);
            }
        }
    }
    /// What the limits have granted by now, at the end of a phase or where counting begins.
    fn note_phase(&mut self, phase: u32) {
        self.settle_leaps();
        let at = self.now + self.meter.leapt;
        let tally = self.storage.tally(self.now);
        self.phases_ended.push((phase, at, tally));
    }
    fn must_wait(&self, j: usize) -> bool {
        let waits_for = self.clones[j].wait_for;
        waits_for.is_some_and(|section| self.clones.iter().any(|c| c.section == section && c.state != State::Done))
    }
    fn start_ready(&mut self) {
        while let Some(j) = self.ready.pop_front() {
            let clone = &mut self.clones[j as usize];
            if clone.state != State::NotStarted {
                continue;
            }
            if clone.start_delay > Duration::ZERO {
                clone.state = State::Delayed;
                let at = self.now + clone.start_delay;
                self.wake_at(j as usize, at);
            } else {
                self.begin(j as usize);
            }
        }
    }
    fn begin(&mut self, j: usize) {
        self.changes += 1;
        let clone = &mut self.clones[j];
        clone.begin(self.now);
        clone.begin_pass();
        if clone.counting {
            self.counting_begins(j);
        }
        self.go_on(j);
    }
    /// A clone begins to count: so do its volumes, and the stack with the first of all.
    fn counting_begins(&mut self, j: usize) {
        self.changes += 1;
        let clone = &self.clones[j];
        for &(volume, _) in clone.cells.iter().filter(|c| c.0 != NO_VOLUME) {
            self.meter.count_from(volume, self.now);
        }
        if !std::mem::replace(&mut self.counted, true) && self.now > Instant::START {
            self.storage.reset_tally(self.now);
        }
        if self.phases.len() > 1 && self.phases_ended.is_empty() {
            let phase = self.clones[j].phase;
            self.note_phase(phase);
        }
    }
    /// A clone has ended.
    fn end(&mut self, j: usize) {
        self.changes += 1;
        let clone = &mut self.clones[j];
        clone.state = State::Done;
        clone.ended = self.now;
        clone.leapt_in_all = self.meter.leapt;
        clone.wake = Instant::NEVER;
        clone.end_verifying(self.now);
        clone.roll_samples(self.now);
        clone.settle_turns();
        if clone.counting {
            for &(volume, _) in clone.cells.iter().filter(|c| c.0 != NO_VOLUME) {
                self.meter.count_to(volume, self.now);
            }
        }
        self.leave_flow(j);
        if self.clones[j].exit_all {
            self.terminate_phase(self.clones[j].phase);
        }
        self.start_phase();
        self.over = self.clones.iter().all(|clone| clone.state == State::Done) && !self.has_steps();
    }
    /// Ends every clone of a phase: at once if it has not begun, at its next look otherwise.
    fn terminate_phase(&mut self, phase: u32) {
        for j in 0..self.clones.len() {
            if self.clones[j].phase == phase {
                self.terminate(j);
            }
        }
    }
    /// Ends a clone: at once if it has not begun, at its next look otherwise.
    fn terminate(&mut self, j: usize) {
        let clone = &mut self.clones[j];
        if clone.state == State::Done || clone.terminate {
            return;
        }
        clone.terminate();
        match clone.state {
            State::NotStarted | State::Delayed => {
                clone.state = State::Done;
                self.leave_flow(j);
            }
            State::Asleep(_) | State::Ahead => self.wake_at(j, self.now),
            _ => {}
        }
    }

    // --- flows and steady rates -------------------------------------------------------------------------------------

    fn flow_of(&mut self, j: usize) -> Option<&mut SharedFlow> {
        let id = self.clones[j].flow?.id;
        self.flows.iter_mut().find(|shared| shared.id == id)
    }
    /// Whether a clone has issued more than its share of its flow's I/Os.
    fn is_ahead(&mut self, j: usize) -> bool {
        let (flowed, weight) = (self.clones[j].flowed, self.clones[j].flow.map_or(0, |flow| flow.weight));
        let Some(shared) = self.flow_of(j) else { return false };
        u128::from(flowed) * u128::from(shared.weight) > u128::from(weight) * u128::from(shared.counter)
    }
    /// Counts the next I/O of a clone towards its flow; false when it has to wait for the others.
    fn flows_on(&mut self, j: usize) -> bool {
        let Some(flow) = self.clones[j].flow else { return true };
        if !self.is_ahead(j) {
            self.clones[j].flowed += 1;
            self.flow_of(j).into_iter().for_each(|shared| shared.counter += 1);
            self.flow_moved = true;
            return true;
        }
        let clone = &mut self.clones[j];
        if flow.sleep == Duration::ZERO {
            clone.state = State::Ahead;
            let deadline = clone.deadline;
            self.wake_at(j, deadline);
        } else {
            self.rest(j, Sleep::Flow);
        }
        false
    }
    /// A clone that has ended has no share any more.
    fn leave_flow(&mut self, j: usize) {
        let (flowed, weight) = (self.clones[j].flowed, self.clones[j].flow.map_or(0, |flow| flow.weight));
        if let Some(shared) = self.flow_of(j) {
            shared.counter -= flowed;
            shared.weight -= u64::from(weight);
            self.flow_moved = true;
        }
    }
    /// Lets go on who is ahead of its share no more.
    fn move_flows(&mut self) {
        while std::mem::take(&mut self.flow_moved) {
            for j in 0..self.clones.len() {
                if self.clones[j].state == State::Ahead && !self.is_ahead(j) {
                    self.look_again(j);
                }
            }
        }
    }
    /// A clone that looked away reaps what has finished meanwhile, and goes on.
    fn look_again(&mut self, j: usize) {
        let clone = &mut self.clones[j];
        clone.wake = Instant::NEVER;
        clone.need = 1;
        if !clone.held.is_empty() {
            self.reap_held(j);
        }
        self.clones[j].state = State::Issue;
        self.go_on(j);
    }
    /// Looks at all rates that are to become steady, and ends the jobs of those that have.
    fn look_at_rates(&mut self) {
        let mut steady = Vec::new();
        for watch in &mut self.watches {
            if watch.look(&self.clones, self.now) {
                steady.extend(watch.clones());
            }
        }
        for j in steady {
            self.terminate(j);
        }
        if self.watches.iter().any(|watch| !watch.attained) {
            self.set_timer(self.clones.len(), self.now + STEADY_EVERY);
        }
    }

    // --- timers -----------------------------------------------------------------------------------------------------

    fn wake_at(&mut self, j: usize, at: Instant) {
        self.clones[j].wake = at;
        self.set_timer(j, at);
    }
    fn set_timer(&mut self, number: usize, at: Instant) {
        self.timers.set(number as u32, at);
        self.next_timer = self.timers.first().0;
    }
    fn fire_timers(&mut self) {
        loop {
            let (at, j) = self.timers.first();
            if at > self.now || at == Instant::NEVER {
                self.next_timer = at;
                return;
            }
            let j = j as usize;
            if j == self.clones.len() {
                self.timers.set(j as u32, Instant::NEVER);
                if self.kinds.is_some() {
                    self.look_at_replay();
                } else {
                    self.look_at_rates();
                }
                continue;
            }
            let due = self.clones[j].wake == at;
            if due {
                self.clones[j].wake = Instant::NEVER;
                self.woken(j);
            }
            // Nobody waits for it any more, unless it was set again.
            if self.clones[j].wake == Instant::NEVER {
                self.timers.set(j as u32, Instant::NEVER);
            }
        }
    }
    fn woken(&mut self, j: usize) {
        match self.clones[j].state {
            State::Delayed => self.begin(j),
            State::Asleep(Sleep::Rate { direction, .. }) => {
                let clone = &mut self.clones[j];
                clone.state = State::Issue;
                if clone.terminate || self.now >= clone.deadline {
                    self.drain(j);
                } else if clone.open {
                    self.issue_what_is_due(j, direction);
                } else {
                    clone.pending = Some(direction);
                    self.go_on(j);
                }
            }
            State::Asleep(Sleep::Burst | Sleep::Flow) => {
                self.clones[j].state = State::Issue;
                self.go_on(j);
            }
            State::Ahead => self.look_again(j),
            State::Asleep(Sleep::Think { direction }) => {
                let clone = &mut self.clones[j];
                clone.state = State::Issue;
                if let (Some(think), Some(pace)) = (clone.think.filter(|t| t.rate_ignores), &mut clone.pace) {
                    pace.forgive(direction, think.time.max(think.spin).ns() / 1_000);
                }
                if self.floor_holds(j) {
                    self.go_on(j);
                }
            }
            _ => {}
        }
    }

    // --- issuing ----------------------------------------------------------------------------------------------------

    /// Lets a clone issue until it has to wait for something.
    fn go_on(&mut self, j: usize) {
        while self.clones[j].state == State::Issue {
            self.issue(j);
        }
    }

    /// What an open loop does when it wakes, as [`Driver::issue`] would: a request, then as many as are due, then sleep.
    fn issue_what_is_due(&mut self, j: usize, direction: Direction) {
        let now = self.now;
        loop {
            let clone = &mut self.clones[j];
            let Some(io) = clone.next_io_of(Some(direction)) else { return self.drain(j) };
            if let Some(drawn) = clone.just_drawn() {
                self.storage.hint(drawn);
            }
            clone.note_open_issue(&io);
            let full = clone.in_flight >= clone.depth;
            if full {
                clone.state = State::Reap;
                clone.need = clone.reap_need();
            }
            let request = clone.request(&io);
            self.meter.submitted(io.volume, now);
            self.storage.submit(now, request);
            if full {
                return;
            }
            let clone = &mut self.clones[j];
            if clone.pass_is_issued() {
                return self.drain(j);
            }
            let now_us = clone.now_us(now);
            if let Some(crate::pace::Turn::Sleep(us, direction)) =
                clone.pace.as_ref().map(|p| p.turn(direction, now_us))
            {
                // As [`Driver::fall_asleep`]; who fires the timers looks for the next of them.
                clone.state = State::Asleep(Sleep::Rate { us, direction });
                clone.need = 1;
                clone.wake = (now + Duration::from_us(us)).min(clone.deadline.max(now));
                return self.timers.set(j as u32, clone.wake);
            }
        }
    }

    /// One turn of fio's loop: checks, then one request.
    fn issue(&mut self, j: usize) {
        let now = self.now;
        let clone = &mut self.clones[j];
        if now >= clone.deadline || clone.terminate || (!clone.is_verifying() && clone.pass_is_issued()) {
            return self.drain(j);
        }
        let mut direction = None;
        if !clone.simple {
            // A clone that slept for its rate goes on where it fell asleep.
            if clone.pending.is_none() {
                if !self.flows_on(j) {
                    return;
                }
                let clone = &mut self.clones[j];
                if let Some(io) = clone.next_to_verify() {
                    return self.issue_verify(j, io);
                }
                if clone.is_verifying() {
                    return self.drain(j);
                }
            }
            let clone = &mut self.clones[j];
            if clone.flush_is_due() {
                clone.sync_since = now;
                if clone.writes_out && clone.in_flight > 0 {
                    clone.state = State::Syncing;
                    clone.need = 1;
                    return;
                }
                return self.flush(j);
            }
            direction = match self.turn(j) {
                Some(direction) => direction,
                None => return,
            };
        }
        let clone = &mut self.clones[j];
        let Some(io) = clone.next_io_of(direction) else { return self.drain(j) };
        if let Some(drawn) = clone.just_drawn() {
            self.storage.hint(drawn);
        }
        clone.note_issue(&io, now);
        if clone.in_flight >= clone.depth || clone.polling {
            clone.state = State::Reap;
            clone.need = clone.reap_need();
        }
        self.submit(j, io);
        if !self.clones[j].simple && self.clones[j].state == State::Issue {
            self.after_turn(j);
        }
    }
    /// Reads back something that was written.
    fn issue_verify(&mut self, j: usize, io: Io) {
        let clone = &mut self.clones[j];
        clone.note_verify(&io);
        if clone.in_flight >= clone.depth || clone.polling {
            clone.state = State::Reap;
            clone.need = clone.reap_need();
        }
        self.submit(j, io);
        if self.clones[j].state == State::Issue {
            self.after_turn(j);
        }
    }
    /// What a rate says: a direction to issue in (or `None` in it: as drawn), or nothing yet.
    fn turn(&mut self, j: usize) -> Option<Option<Direction>> {
        let now = self.now;
        let clone = &mut self.clones[j];
        if now < clone.held_until {
            self.fall_asleep(j, Sleep::Burst);
            return None;
        }
        if clone.pace.is_none() {
            return Some(None);
        }
        if let Some(direction) = clone.pending.take() {
            return Some(Some(direction));
        }
        let drawn = clone.draw_direction();
        let now_us = clone.now_us(now);
        let (us, direction) = match clone.pace.as_ref()?.turn(drawn, now_us) {
            crate::pace::Turn::Go(direction) => return Some(Some(direction)),
            crate::pace::Turn::Sleep(us, direction) => (us, direction),
        };
        let sleep = Sleep::Rate { us, direction };
        if clone.offload {
            self.fall_asleep(j, sleep)
        } else {
            self.rest(j, sleep)
        }
        None
    }
    /// Sleeps once all in flight is done. Buffered writes are done for the clone as soon as the page cache has them.
    fn rest(&mut self, j: usize, sleep: Sleep) {
        let clone = &mut self.clones[j];
        if clone.in_flight > 0 && !clone.writes_out {
            clone.state = State::Quiesce(sleep);
            clone.need = 1;
        } else {
            self.fall_asleep(j, sleep);
        }
    }
    fn fall_asleep(&mut self, j: usize, sleep: Sleep) {
        let clone = &mut self.clones[j];
        clone.state = State::Asleep(sleep);
        clone.need = 1;
        let at = match sleep {
            // fio never sleeps past the end for a rate.
            Sleep::Rate { us, .. } => (self.now + Duration::from_us(us)).min(clone.deadline.max(self.now)),
            Sleep::Burst => clone.held_until.min(clone.deadline.max(self.now)),
            Sleep::Flow => self.now + clone.flow.map_or(Duration::ZERO, |flow| flow.sleep),
            Sleep::Think { .. } => self.now + clone.think.map_or(Duration::ZERO, |t| t.time.max(t.spin)),
        };
        self.wake_at(j, at);
    }
    fn submit(&mut self, j: usize, io: Io) {
        let clone = &self.clones[j];
        let request = clone.request(&io);
        if clone.null {
            self.storage.submit_null(self.now, request);
        } else {
            self.meter.submitted(io.volume, self.now);
            self.storage.submit(self.now, request);
        }
    }
    /// The data are out: the flush that the clone waits for.
    fn flush(&mut self, j: usize) {
        self.clones[j].state = State::Flushing;
        let volume = self.clones[j].file_volumes[0];
        self.submit_flush(volume, j as u64);
    }
    fn submit_flush(&mut self, volume: u16, user: u64) {
        let request = Request { volume: VolumeId(volume), op: Op::Flush, fua: false, offset: 0, len: 0, user };
        if self.clones[user as u32 as usize].null {
            self.storage.submit_null(self.now, request);
        } else {
            self.meter.submitted(volume, self.now);
            self.storage.submit(self.now, request);
        }
    }
    /// What follows a turn of the loop: a pause, or the end of a job that is too slow.
    fn after_turn(&mut self, j: usize) {
        let clone = &mut self.clones[j];
        if clone.is_verifying() {
            return;
        }
        if clone.pause_is_due(self.now) {
            let sleep = Sleep::Think { direction: clone.last_direction() };
            return self.rest(j, sleep);
        }
        self.floor_holds(j);
    }
    /// Ends a clone that is below its least rate; true when it is not.
    fn floor_holds(&mut self, j: usize) -> bool {
        let clone = &mut self.clones[j];
        let Some(error) = clone.below_floor(self.now) else { return true };
        clone.error = Some(error);
        clone.terminate();
        self.drain(j);
        false
    }

    // --- completing -------------------------------------------------------------------------------------------------

    fn complete(&mut self, done: Completion) {
        let j = done.user as u32 as usize;
        let clone = &mut self.clones[j];
        if !clone.null {
            self.meter.finished(&done);
        }
        let mut done = done;
        if clone.flush_each && done.op == Op::Write {
            let volume = done.volume.0;
            clone.unflushed.push_back(done);
            return self.submit_flush(volume, j as u64 | OF_A_WRITE);
        }
        if done.op == Op::Flush {
            if done.user & OF_A_WRITE == 0 {
                return self.flushed(j, done);
            }
            let Some(write) = clone.unflushed.pop_front() else { return };
            done = with_flush(write, &done);
        }
        if clone.need == 1 && clone.held.is_empty() && !clone.looks_away() {
            clone.note_reap(1);
            self.account(j, &done);
        } else {
            clone.held.push(done);
            if clone.looks_away() || (clone.held.len() as u32) < clone.need {
                return;
            }
            self.reap_held(j);
        }
        self.reaped(j);
    }
    /// Accounts for all that a clone has waited for, at this instant.
    fn reap_held(&mut self, j: usize) {
        let mut held = std::mem::take(&mut self.clones[j].held);
        self.clones[j].note_reap(held.len() as u32);
        for done in held.drain(..) {
            self.account(j, &done);
        }
        self.clones[j].held = held;
    }
    fn account(&mut self, j: usize, done: &Completion) {
        let clone = &mut self.clones[j];
        let direction = direction_of(done.op);
        let begins = clone.note_done(direction, u64::from(done.len), self.now);
        if begins || !clone.counting {
            if !clone.null {
                self.meter.not_counted(done);
            }
            if begins {
                self.counting_begins(j);
            }
            return;
        }
        let mut cell = clone.first_cell;
        if clone.cells.len() > 1 {
            let found = clone.cells.iter().find(|c| c.0 == done.volume.0);
            cell = found.map_or(cell, |c| c.1);
        }
        if !clone.null {
            self.meter.bins.count(done.volume.0 as usize, self.now);
        }
        self.meter.reaped(cell, direction, done, self.now);
    }
    /// A clone has reaped what it waited for.
    fn reaped(&mut self, j: usize) {
        let clone = &mut self.clones[j];
        match clone.state {
            State::Reap => {
                if clone.in_flight > clone.low {
                    clone.need = clone.reap_need();
                    return;
                }
                clone.state = State::Issue;
                clone.need = 1;
                if !clone.simple {
                    self.after_turn(j);
                }
                self.go_on(j);
            }
            State::Syncing if clone.in_flight == 0 => self.flush(j),
            State::Quiesce(sleep) if clone.in_flight == 0 => self.fall_asleep(j, sleep),
            State::Draining if clone.in_flight == 0 => self.drained(j),
            _ => {}
        }
    }
    fn flushed(&mut self, j: usize, done: Completion) {
        if !self.clones[j].null {
            self.meter.not_counted(&done);
        }
        match self.clones[j].state {
            State::EndFlush(next) => self.flush_file(j, next),
            State::VerifyFlush(next) => self.flush_to_verify(j, next),
            _ => {
                let clone = &mut self.clones[j];
                clone.last_was_sync = true;
                if clone.counting && !clone.latency_off {
                    self.flushes[self.entry_of[j]].record(done.finished.since(clone.sync_since).ns());
                }
                if !clone.held.is_empty() {
                    self.reap_held(j);
                    // fio reaps them after the flush has returned, but has not looked at the flag in between.
                    self.clones[j].last_was_sync = true;
                }
                self.clones[j].state = State::Issue;
                self.go_on(j);
            }
        }
    }

    // --- ending -----------------------------------------------------------------------------------------------------

    /// Issues no more in this pass.
    #[cold]
    fn drain(&mut self, j: usize) {
        let clone = &mut self.clones[j];
        clone.state = State::Draining;
        // fio collects everything in one call; a submitter of its own reaps as requests finish.
        clone.need = if clone.offload { 1 } else { clone.in_flight.max(1) };
        if clone.in_flight == 0 {
            self.drained(j);
        }
    }
    fn drained(&mut self, j: usize) {
        if self.clones[j].is_verifying() {
            self.clones[j].end_verifying(self.now);
            self.pass_over(j);
        } else if self.clones[j].sync.at_end && self.clones[j].writes() && self.clones[j].error.is_none() {
            self.flush_file(j, 0);
        } else {
            self.all_written(j);
        }
    }
    /// Everything of this pass is written: it is read back, or the pass is over.
    fn all_written(&mut self, j: usize) {
        let now = self.now;
        if self.clones[j].verifies_next(now) {
            self.clones[j].begin_verifying(now);
            self.flush_to_verify(j, 0);
        } else {
            self.pass_over(j);
        }
    }
    /// Flushes the clone's files one after the other, from `number` on, and reads back what it wrote.
    fn flush_to_verify(&mut self, j: usize, number: usize) {
        match self.clones[j].file_volumes.get(number) {
            Some(&volume) => {
                self.clones[j].state = State::VerifyFlush(number + 1);
                self.submit_flush(volume, j as u64);
            }
            None => {
                self.clones[j].state = State::Issue;
                self.clones[j].need = 1;
                self.go_on(j);
            }
        }
    }
    /// Flushes the clone's files one after the other, from `number` on.
    fn flush_file(&mut self, j: usize, number: usize) {
        match self.clones[j].file_volumes.get(number) {
            Some(&volume) => {
                self.clones[j].state = State::EndFlush(number + 1);
                self.submit_flush(volume, j as u64);
            }
            None => self.all_written(j),
        }
    }
    /// Begins another pass, or ends the clone.
    fn pass_over(&mut self, j: usize) {
        let clone = &mut self.clones[j];
        let files_done = !clone.pass_is_issued();
        let idle = clone.pass_is_idle();
        if clone.terminate || self.now >= clone.deadline || idle || !clone.goes_on(files_done) {
            return self.end(j);
        }
        clone.generator.restart();
        clone.begin_pass();
        clone.state = State::Issue;
        clone.need = 1;
        self.go_on(j);
    }
}

/// A write that is done with its flush: the flush's time is the medium's.
fn with_flush(write: Completion, flush: &Completion) -> Completion {
    let mut done = Completion { finished: flush.finished, ..write };
    done.spent.served += flush.finished.since(write.finished);
    done
}

/// The direction that a completed request moved in; a flush has none and is told apart before.
#[inline(always)]
fn direction_of(op: Op) -> Direction {
    match op {
        Op::Read => Direction::Read,
        Op::Write => Direction::Write,
        _ => Direction::Trim,
    }
}

/// The clones of each entry of the report.
fn members(entry_of: &[usize]) -> std::collections::BTreeMap<usize, Vec<usize>> {
    let mut members = std::collections::BTreeMap::new();
    for (clone, &entry) in entry_of.iter().enumerate() {
        members.entry(entry).or_insert_with(Vec::new).push(clone);
    }
    members
}
