//! Hooks of a replay on the loop: steps that begin, samples that stand for the rest of theirs.

use super::Driver;
use crate::by_kind::{Kinds, Mark, Stage};
use crate::clone::{State, earlier};
use crate::result::Leaps;
use crate::storage::Storage;
use dw_units::Instant;

/// A sample in which a limit gave so much of its rate is none.
const NEAR: f64 = 0.9;

impl<S: Storage> Driver<'_, S> {
    /// Replays a recording: its steps begin one after the other, by the timer that no clone has.
    pub(crate) fn replay(&mut self, kinds: Kinds) {
        self.kinds = Some(Box::new(kinds));
        self.set_timer(self.clones.len(), self.now);
    }

    /// Whether steps of a replay are still to begin.
    pub(super) fn has_steps(&self) -> bool {
        self.kinds.as_ref().is_some_and(|kinds| kinds.stage != Stage::Over)
    }

    /// What was to happen at this instant of a replay.
    pub(super) fn look_at_replay(&mut self) {
        let Some(mut kinds) = self.kinds.take() else { return };
        let next = match kinds.stage {
            Stage::Begins => self.begin_step(&mut kinds, 0),
            Stage::InOrder => {
                kinds.ends_in_order(&mut self.meter);
                let next = kinds.step + 1;
                self.begin_step(&mut kinds, next)
            }
            Stage::Settles => {
                kinds.take_in_order(&mut self.meter);
                let now = self.now;
                let areas = self.meter.volumes.iter_mut().map(|volume| volume.area(now)).collect();
                kinds.mark = Some(Mark { at: now, areas, counted: self.storage.stack().counted(now) });
                kinds.stage = Stage::FirstHalf;
                kinds.sample().map(|(_, half)| now + half)
            }
            Stage::FirstHalf => {
                kinds.take_first(&mut self.meter);
                kinds.stage = Stage::SecondHalf;
                kinds.sample().map(|(_, half)| self.now + half)
            }
            Stage::SecondHalf => self.end_sample(&mut kinds),
            Stage::Over => None,
        };
        self.kinds = Some(kinds);
        if let Some(at) = next {
            self.set_timer(self.clones.len(), at);
        }
    }

    /// Begins a step, and says when to look again.
    fn begin_step(&mut self, kinds: &mut Kinds, step: usize) -> Option<Instant> {
        if !kinds.has_step(step) {
            kinds.stage = Stage::Over;
            self.over = self.clones.iter().all(|clone| clone.state == State::Done);
            return None;
        }
        let clones = &self.clones;
        for (place, mut clone) in
            kinds.begin(step, self.now, &mut self.meter, |place| clones[place].state == State::Done)
        {
            // Of a place that is not free, what is in flight is reaped here.
            clone.in_flight = self.clones[place].in_flight;
            clone.depth += clone.in_flight;
            self.clones[place] = clone;
            self.begin(place);
        }
        match kinds.sample() {
            Some((settles, _)) => {
                kinds.stage = Stage::Settles;
                Some(self.now + settles)
            }
            None => {
                kinds.stage = Stage::InOrder;
                Some(kinds.ends)
            }
        }
    }

    /// A sample is over: it stands for the rest of its step, and the next one begins; or a limit is near.
    fn end_sample(&mut self, kinds: &mut Kinds) -> Option<Instant> {
        let mark = kinds.mark.take()?;
        let now = self.now;
        let lasted = now.since(mark.at);
        let counted = self.storage.stack().counted(now).since(&mark.counted);
        let by = kinds.ends.since(now);
        let is_near = kinds.backlog_stands(&self.meter)
            || !self.storage.stack().nearly_full(now, &counted, lasted, NEAR).is_empty()
            || self.storage.stack().credits_last(now, &counted, lasted).is_some_and(|last| last <= by);
        if is_near {
            kinds.discard_sample(&mut self.meter);
            kinds.stage = Stage::InOrder;
            return Some(kinds.ends);
        }
        let times = by.ns() as f64 / lasted.ns() as f64;
        let from = now + self.meter.leapt;
        let left = kinds.left(&self.clones);
        self.storage.stack().leap_to(now, &counted, (lasted, by), &kinds.tokens(&left));
        for (volume, before) in self.meter.volumes.iter_mut().zip(&mark.areas) {
            let area = volume.area(now) - before;
            volume.add_area((area as f64 * times) as u128);
        }
        self.meter.series.iter_mut().for_each(|series| series.leap(now, by));
        kinds.stands_for(from, by, &left, &mut self.meter);
        self.meter.leapt += by;
        self.until = earlier(self.until, by);
        for j in 0..self.clones.len() {
            if super::leaping::runs(&self.clones[j]) {
                self.clones[j].leap(by, 0);
                if self.clones[j].wake != Instant::NEVER {
                    // Nobody sleeps beyond the end, which has come.
                    self.wake_at(j, now);
                }
            }
        }
        let next = kinds.step + 1;
        self.begin_step(kinds, next)
    }

    /// What came of a replay, when it is over; gives back to the meter what was taken from it.
    pub(crate) fn end_replay(&mut self) -> Option<Leaps> {
        self.kinds.take()?.end(&mut self.meter)
    }
}
