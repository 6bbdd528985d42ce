//! Several ways in behind one loop, and which of them a token or a request belongs to.
//!
//! Every way in has a number. It stands in three bits of each token that the way registers with epoll and of each cookie that
//! it gives a request, so that what comes back finds its way without a table.
//!
//! Invariant: in a round, each party of each way gets one turn before anybody gets a second.

use dw_units::Instant;
use rustix::event::epoll::EventFlags;

use super::desk::Desk;
use super::front_end::FrontEnd;
use crate::command::Command;
use crate::engine::Done;
use crate::pace::HostTime;

/// The number of a way in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Way(u8);

impl Way {
    /// Where the number stands; the bit above it marks the tokens of the loop itself.
    const SHIFT: u32 = 60;
    /// How many there can be.
    const MOST: usize = 8;

    /// A token or cookie of this way. `own` is the way's business, and fits below its number.
    #[inline]
    pub(crate) fn mark(self, own: u64) -> u64 {
        debug_assert!(own >> Self::SHIFT == 0);
        u64::from(self.0) << Self::SHIFT | own
    }

    /// What the way itself put into it.
    #[inline]
    pub(crate) fn own(marked: u64) -> u64 {
        marked & ((1 << Self::SHIFT) - 1)
    }

    #[inline]
    fn from_mark(marked: u64) -> usize {
        (marked >> Self::SHIFT) as usize
    }
}

/// All ways in.
#[derive(Default)]
pub(crate) struct FrontEnds {
    list: Vec<Box<dyn FrontEnd>>,
    /// Turns that each way still has in this round.
    left: Vec<usize>,
}

impl FrontEnds {
    /// One more; `make` is told its number.
    pub(crate) fn add<F: FrontEnd + 'static>(
        &mut self,
        make: impl FnOnce(Way) -> std::io::Result<F>,
    ) -> std::io::Result<()> {
        assert!(self.list.len() < Way::MOST, "no number is left");
        let front = make(Way(self.list.len() as u8))?;
        self.list.push(Box::new(front));
        self.left.push(0);
        Ok(())
    }

    /// Whose turn is next; a new round begins when everybody has had one.
    fn next(&mut self) -> Option<usize> {
        for _ in 0..2 {
            for at in 0..self.list.len() {
                if self.left[at] > 0 {
                    self.left[at] -= 1;
                    if self.list[at].queued() > 0 {
                        return Some(at);
                    }
                    self.left[at] = 0;
                }
            }
            for (left, front) in self.left.iter_mut().zip(&self.list) {
                *left = front.queued();
            }
        }
        None
    }
}

impl FrontEnd for FrontEnds {
    fn ready(&mut self, token: u64, flags: EventFlags, desk: &mut Desk) {
        if let Some(front) = self.list.get_mut(Way::from_mark(token)) {
            front.ready(token, flags, desk);
        }
    }

    #[inline]
    fn queued(&self) -> usize {
        self.list.iter().map(|front| front.queued()).sum()
    }

    fn turn(&mut self, desk: &mut Desk) -> usize {
        self.next().map_or(0, |at| self.list[at].turn(desk))
    }

    #[inline]
    fn complete(&mut self, done: Done, desk: &mut Desk) {
        if let Some(front) = self.list.get_mut(Way::from_mark(done.cookie)) {
            front.complete(done, desk);
        }
    }

    fn flush(&mut self, desk: &mut Desk) {
        self.list.iter_mut().for_each(|front| front.flush(desk));
    }

    fn has_backlog(&self) -> bool {
        self.list.iter().any(|front| front.has_backlog())
    }

    fn changed(&mut self, command: &Command, desk: &mut Desk) {
        self.list.iter_mut().for_each(|front| front.changed(command, desk));
    }

    fn refresh(&mut self, desk: &mut Desk) {
        self.list.iter_mut().for_each(|front| front.refresh(desk));
    }

    fn deadline(&self) -> Option<HostTime> {
        self.list.iter().filter_map(|front| front.deadline()).min()
    }

    fn tick(&mut self, now: HostTime, desk: &mut Desk) {
        self.list.iter_mut().for_each(|front| front.tick(now, desk));
    }

    fn stop(&mut self, desk: &mut Desk) {
        self.list.iter_mut().for_each(|front| front.stop(desk));
    }

    fn is_idle(&self) -> bool {
        self.list.iter().all(|front| front.is_idle())
    }

    fn give_up(&mut self, now: Instant, desk: &mut Desk) {
        self.list.iter_mut().for_each(|front| front.give_up(now, desk));
    }

    fn clients(&self) -> usize {
        self.list.iter().map(|front| front.clients()).sum()
    }

    fn clients_ever(&self) -> u64 {
        self.list.iter().map(|front| front.clients_ever()).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::VecDeque;
    use std::rc::Rc;

    use super::*;

    /// A way in whose parties always have more to do; each turn is written down.
    struct Busy {
        way: Way,
        parties: VecDeque<u8>,
        log: Rc<RefCell<Vec<(usize, u8)>>>,
    }

    impl FrontEnd for Busy {
        fn ready(&mut self, _: u64, _: EventFlags, _: &mut Desk) {}
        fn queued(&self) -> usize {
            self.parties.len()
        }
        fn turn(&mut self, _: &mut Desk) -> usize {
            let party = self.parties.pop_front().expect("it is asked only when somebody waits");
            self.parties.push_back(party);
            self.log.borrow_mut().push((usize::from(self.way.0), party));
            1
        }
        fn complete(&mut self, _: Done, _: &mut Desk) {}
        fn flush(&mut self, _: &mut Desk) {}
        fn changed(&mut self, _: &Command, _: &mut Desk) {}
        fn refresh(&mut self, _: &mut Desk) {}
        fn deadline(&self) -> Option<HostTime> {
            None
        }
        fn tick(&mut self, _: HostTime, _: &mut Desk) {}
        fn stop(&mut self, _: &mut Desk) {}
        fn is_idle(&self) -> bool {
            true
        }
        fn give_up(&mut self, _: Instant, _: &mut Desk) {}
        fn clients(&self) -> usize {
            self.parties.len()
        }
        fn clients_ever(&self) -> u64 {
            0
        }
    }

    #[test]
    fn nobody_gets_a_second_turn_before_everybody_had_one() {
        let log = Rc::new(RefCell::new(Vec::new()));
        let mut fronts = FrontEnds::default();
        for parties in [3, 0, 1, 2] {
            let log = Rc::clone(&log);
            fronts.add(|way| Ok(Busy { way, parties: (0..parties).collect(), log })).expect("a way");
        }
        let mut desk = crate::serve::desk::tests::desk();
        for _ in 0..3 {
            log.borrow_mut().clear();
            let round = fronts.queued();
            for _ in 0..round {
                fronts.turn(&mut desk);
            }
            let mut had = log.borrow().clone();
            had.sort_unstable();
            assert_eq!(had, [(0, 0), (0, 1), (0, 2), (2, 0), (3, 0), (3, 1)]);
        }
    }

    #[test]
    fn a_mark_is_found_again_and_what_it_marks_too() {
        for (way, own) in [(0, 0), (1, 1 << 59), (7, (1 << 60) - 1)] {
            let marked = Way(way).mark(own);
            assert_eq!((Way::from_mark(marked), Way::own(marked)), (usize::from(way), own));
            assert!(marked >> 63 == 0, "the loop's own tokens are above");
        }
    }
}
