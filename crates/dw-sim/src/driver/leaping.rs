//! Hooks of leaps on the loop: when to look, what stands still, what comes nearer.
//!
//! A leap takes whole seconds, so that what is aligned to them stays aligned.

use super::{Driver, LOOK_EVERY};
use crate::clone::{CloneRun, Levels, State, earlier};
use crate::leap::batch::Batch;
use crate::leap::{IfLong, Leap, Leaping, Look, weight};
use crate::result::{Leaps, Leapt, SteadyFigure};
use crate::series::Series;
use crate::storage::Storage;
use dw_stack::Counted;
use dw_units::{Duration, Instant, NS_PER_SECOND};
use std::sync::atomic::Ordering::Relaxed;

/// Part of the time until credits are used up that is not leapt over: their pace is known no better.
const CREDITS_MARGIN: f64 = 0.02;
/// Time before a job begins or ends that is not leapt over, next to some latencies.
const MARGIN_NS: f64 = 1e9;
const LATENCIES: f64 = 4.0;
/// A job that gets later by less than this share of the time keeps its rate.
const KEEPS_RATE: f64 = 1e-3;

/// What was counted up to the end of the last batch.
pub(super) struct Mark {
    at: Instant,
    changes: u64,
    areas: Vec<u128>,
    counted: Counted,
    levels: Vec<Levels>,
}

impl<S: Storage> Driver<'_, S> {
    /// Leaps over steady state, if the run turns out to be long.
    pub(crate) fn leap_if_long(&mut self, plan: IfLong) {
        self.leaping = Leaping::IfLong(Box::new(plan));
    }

    /// A look between two batches, or for whether the run is long.
    pub(super) fn look_for_leaps(&mut self) {
        self.leaping = match std::mem::take(&mut self.leaping) {
            Leaping::IfLong(plan) => self.is_long(plan),
            Leaping::Watching(mut leap) => {
                self.look_at_batch(&mut leap);
                self.look_at = self.meter.completed + leap.batch_ios;
                Leaping::Watching(leap)
            }
            other => other,
        };
    }

    fn is_long(&mut self, mut plan: Box<IfLong>) -> Leaping {
        let (now, done) = (self.now, weight(&self.meter));
        let (since, before) = std::mem::replace(&mut plan.last, (now, done));
        let (end, took) = (self.progress.end_ns.load(Relaxed), now.since(since).ns());
        if took == 0 || before == 0 {
            return Leaping::IfLong(plan);
        }
        let more = done.saturating_sub(before) as f64 / took as f64 * end.saturating_sub(now.ns()) as f64;
        if done as f64 + more < plan.from as f64 {
            return Leaping::IfLong(plan);
        }
        match std::mem::replace(&mut plan.hits, Ok(None)) {
            Err(refusal) => Leaping::Refused(refusal),
            Ok(hits) => {
                let (cells, entries) = (self.meter.cells.len(), self.flushes.len());
                let mut leap = Leap::new(&plan, hits, cells, entries, self.clones.len());
                self.look_at = self.meter.completed;
                // The index of the host cache is left behind at once, so that all that is measured knows of none.
                let stays = self.look_at_hits(&mut leap, None);
                leap.note_moving(stays.is_some());
                Leaping::Watching(Box::new(leap))
            }
        }
    }

    /// What reads find in the host cache at the rates of a window, or where there is none yet of the run so far; for how long that
    /// stays, if it moves.
    fn look_at_hits(&mut self, leap: &mut Leap, window: Option<&Batch>) -> Option<f64> {
        let now = self.now.ns() as f64;
        leap.hits.as_mut()?.note_rates(|j| match window {
            Some(window) => window.levels[j].issued_bytes as f64 / window.lasted.ns() as f64,
            None => self.clones[j].issued_bytes as f64 / now,
        });
        let ahead = self.say_hits(leap);
        let served = |volume| window.map_or(0.0, |window| window.served(&self.meter, volume));
        leap.hits.as_mut()?.stays(ahead, |j| runs(&self.clones[j]), served)
    }

    /// Says what reads find in the host cache from now on; how far the next end is, ns.
    fn say_hits(&mut self, leap: &mut Leap) -> f64 {
        let clones = &self.clones;
        let counting = clones.iter().filter(|clone| runs(clone) && clone.counting);
        let ahead = counting.map(|clone| clone.deadline.since(self.now).ns()).min().unwrap_or(0) as f64;
        if let Some(hits) = &mut leap.hits {
            hits.note(|j| clones[j].issued_bytes as f64 + leap.leapt_bytes[j]);
            let (chances, jumps) = hits.chances(ahead);
            self.storage.stack().hit_by_chance(&chances);
            self.changes += u64::from(jumps);
        }
        ahead
    }

    fn mark(&mut self) -> Mark {
        let now = self.now;
        Mark {
            at: now,
            changes: self.changes + self.storage.stack().turns_of_credits(now),
            areas: self.meter.volumes.iter_mut().map(|volume| volume.area(now)).collect(),
            counted: self.storage.stack().counted(now),
            levels: self.clones.iter_mut().map(|clone| clone.levels(now)).collect(),
        }
    }

    fn look_at_batch(&mut self, leap: &mut Leap) {
        let (cells, flushes) = leap.take(&mut self.meter.cells, &mut self.flushes);
        let backlogs = self.storage.stack().backlogs(self.now);
        self.changes += u64::from(leap.note_backlogs(&backlogs, self.now));
        let mark = self.mark();
        match self.mark.replace(mark).zip(self.mark.as_ref()) {
            Some((before, now)) if before.changes == now.changes => {
                let areas = now.areas.iter().zip(&before.areas).map(|(now, then)| now - then).collect();
                let levels = now.levels.iter().zip(&before.levels).map(|(now, then)| now.since(then)).collect();
                let counted = now.counted.since(&before.counted);
                let lasted = now.at.since(before.at);
                let backlogs = backlogs.iter().map(Look::of).collect();
                leap.push(Batch { lasted, cells, flushes, areas, counted, levels, backlogs }, &self.meter);
            }
            _ => {
                self.settle(leap, None);
                leap.begin_again();
                // While nothing was read, nobody looked at what reads find.
                self.say_hits(leap);
            }
        }
        if leap.moved {
            let changes = self.changes;
            self.say_hits(leap);
            if self.changes != changes {
                self.settle(leap, None);
                self.mark = Some(self.mark());
                return leap.begin_again();
            }
        }
        if leap.hits.is_none() {
            return self.leap_if_known(leap);
        }
        let Some(window) = leap.window(&self.meter) else {
            if !leap.moved {
                self.leap_if_known(leap);
            }
            return;
        };
        self.settle(leap, Some(&window));
        let stays = self.look_at_hits(leap, Some(&window));
        leap.note_moving(stays.is_some());
        match stays {
            None => self.leap_if_known(leap),
            Some(_) if !leap.backlog_stands(self.now, &self.meter) => {}
            Some(stays) => {
                if let Some((volume, direction)) = self.wanders(&window) {
                    return leap.note_unsteady((volume, direction, SteadyFigure::Mean));
                }
                let by = self.furthest(&window).min(stays);
                if by >= Leap::shortest(&window) {
                    let by = Duration::from_ns((by / 1e9) as u64 * NS_PER_SECOND);
                    let from = self.now + self.meter.leapt;
                    self.leap_over(leap, &window, by);
                    self.say_hits(leap);
                    leap.begin(window, by, from, &self.meter);
                    self.mark = Some(self.mark());
                }
            }
        }
    }

    /// Leaps on what was sampled, if every figure is known.
    fn leap_if_known(&mut self, leap: &mut Leap) {
        let Some(mut sample) = leap.sample.take() else { return };
        if let Some((volume, direction)) = self.wanders(&sample.whole) {
            return leap.note_unsteady((volume, direction, SteadyFigure::Mean));
        }
        let by = self.furthest(&sample.whole).min(sample.most.min(sample.left).ns() as f64);
        if by >= Leap::shortest(&sample.whole) {
            let by = Duration::from_ns((by / 1e9) as u64 * NS_PER_SECOND);
            let from = self.now + self.meter.leapt;
            self.leap_over(leap, &sample.whole, by);
            self.count_again(leap, &sample.whole, from, by, 1.0);
            leap.note_leap(&sample, by);
            sample.left = sample.left.saturating_sub(by);
            self.mark = Some(self.mark());
        }
        leap.sample = Some(sample);
    }

    /// Counts what was leapt over so far, for a tally of it.
    pub(super) fn settle_leaps(&mut self) {
        self.leaping = match std::mem::take(&mut self.leaping) {
            Leaping::Watching(mut leap) => {
                self.settle(&mut leap, None);
                Leaping::Watching(leap)
            }
            other => other,
        };
    }

    /// Counts what was leapt over while shares of hits moved: half of it as before, half as after.
    fn settle(&mut self, leap: &mut Leap, after: Option<&Batch>) {
        let Some(pending) = leap.pending.take() else { return };
        let share = if after.is_some() { 0.5 } else { 1.0 };
        self.count_again(leap, &pending.before, pending.from, pending.by, share);
        if let Some(after) = after {
            self.count_again(leap, after, pending.from, pending.by, share);
            for j in 0..self.clones.len() {
                let rate = |window: &Batch| window.levels[j].issued_bytes as f64 / window.lasted.ns() as f64;
                if leap.hits.as_ref().is_some_and(|hits| !hits.walks(j)) {
                    leap.leapt_bytes[j] += (rate(after) - rate(&pending.before)) * pending.by.ns() as f64 / 2.0;
                }
            }
        }
        leap.settle(pending, after.is_some(), &self.meter);
        // What was counted again belongs to no batch.
        self.mark = Some(self.mark());
    }

    /// How far nothing changes, ns.
    fn furthest(&mut self, sample: &Batch) -> f64 {
        let margin = MARGIN_NS + LATENCIES * sample.longest_mean();
        let (now, lasted) = (self.now, sample.lasted.ns() as f64);
        let until = |at: Instant| at.since(now).ns() as f64 - margin;
        let mut by = if self.until == Instant::NEVER { f64::INFINITY } else { until(self.until) };
        for (clone, levels) in self.clones.iter().zip(&sample.levels) {
            let is_over = match clone.state {
                State::Done | State::NotStarted => continue,
                State::Delayed => {
                    by = by.min(until(clone.wake));
                    continue;
                }
                State::Draining | State::EndFlush(_) | State::VerifyFlush(_) => true,
                _ => !clone.counting || clone.terminate || clone.deadline == Instant::NEVER,
            };
            if is_over {
                return 0.0;
            }
            by = by.min(until(clone.deadline));
            if let Some(late_us) = clone.late_us(now).filter(|_| makes_up(levels, lasted)) {
                by = by.min(late_us as f64 / -(levels.late_us as f64) * lasted * (1.0 - CREDITS_MARGIN));
            }
        }
        let credits = self.storage.stack().credits_last(now, &sample.counted, sample.lasted);
        credits.map_or(by, |last| by.min(last.ns() as f64 * (1.0 - CREDITS_MARGIN)))
    }

    /// Virtual time passes that is not simulated: what has to be somewhere else after it.
    fn leap_over(&mut self, leap: &mut Leap, sample: &Batch, by: Duration) {
        let (now, lasted) = (self.now, sample.lasted);
        let times = by.ns() as f64 / lasted.ns() as f64;
        self.storage.stack().leap(now, &sample.counted, lasted, by);
        for j in 0..self.clones.len() {
            let (clone, levels) = (&mut self.clones[j], &sample.levels[j]);
            match clone.state {
                State::Done | State::NotStarted => continue,
                State::Delayed => {
                    let at = earlier(clone.wake, by);
                    self.wake_at(j, at);
                    continue;
                }
                _ => {}
            }
            let moves = is_later(levels, lasted.ns() as f64) || makes_up(levels, lasted.ns() as f64);
            clone.leap(by, if moves { (levels.late_us as f64 * times) as i64 } else { 0 });
            leap.leapt_bytes[j] += levels.issued_bytes as f64 * times;
            // Nobody sleeps beyond the end.
            if clone.wake != Instant::NEVER && clone.wake > clone.deadline {
                let at = clone.deadline;
                self.wake_at(j, at);
            }
        }
        self.meter.series.iter_mut().for_each(|series| series.leap(now, by));
        self.meter.leapt += by;
        self.until = earlier(self.until, by);
    }

    /// Counts a sample again for what was leapt over `from` an instant of virtual time on, times `share`.
    fn count_again(&mut self, leap: &mut Leap, sample: &Batch, from: Instant, by: Duration, share: f64) {
        let times = by.ns() as f64 / sample.lasted.ns() as f64 * share;
        self.storage.stack().count_again(&sample.counted, times);
        for (clone, levels) in self.clones.iter_mut().zip(&sample.levels) {
            clone.count_again(levels, times);
        }
        for (volume, &area) in self.meter.volumes.iter_mut().zip(&sample.areas) {
            volume.add_area((area as f64 * times) as u128);
        }
        leap.count_again(sample, times);
        if self.meter.series.is_some() {
            let stretches = sample.stretches(&self.meter);
            let fill = |series: &mut Series| series.fill(from, from + by, &stretches, sample.lasted, share);
            self.meter.series.iter_mut().for_each(fill);
        }
    }

    /// What came of it, when the run is over; gives back to the meter what was taken from it.
    pub(crate) fn end_leaps(&mut self) -> Option<Leaps> {
        match std::mem::take(&mut self.leaping) {
            Leaping::Never | Leaping::IfLong(_) => None,
            Leaping::Refused(refusal) => Some(Leaps::Refused(refusal)),
            Leaping::Watching(mut leap) => {
                self.settle(&mut leap, None);
                Some(match leap.end(&mut self.meter, &mut self.flushes) {
                    Err(refusal) => Leaps::Refused(refusal),
                    Ok((leaps, figures)) => {
                        let ios = self.meter.added.iter().map(|added| added.0).sum();
                        Leaps::Leapt(Leapt { time: self.meter.leapt, ios, leaps, figures })
                    }
                })
            }
        }
    }

    /// Completions from one report of progress to the next.
    pub(super) fn report_is_due(&mut self) -> bool {
        let due = self.meter.completed >= self.report_at;
        if due {
            self.report_at = self.meter.completed + LOOK_EVERY;
        }
        due
    }
}

/// Whether a clone has begun and not ended.
pub(super) fn runs(clone: &CloneRun) -> bool {
    !matches!(clone.state, State::Done | State::NotStarted | State::Delayed)
}

/// Whether a job falls behind its rate.
fn is_later(levels: &Levels, lasted: f64) -> bool {
    levels.late_us as f64 * 1e3 > KEEPS_RATE * lasted
}

/// Whether a job makes up for what it is behind its rate.
fn makes_up(levels: &Levels, lasted: f64) -> bool {
    (levels.late_us as f64 * 1e3) < -KEEPS_RATE * lasted
}
