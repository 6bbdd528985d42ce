//! What a job wrote and has not read back yet: fio's `verify`.
//!
//! Each write is noted when it is issued, and may be read back once it has completed. A job with a map of used blocks reads
//! in the order of its writes; without one in the order of the offsets, and what is written again counts once.
//!
//! Source: fio 3.33 (`log_io_piece`, `get_next_verify`, `check_get_verify`).
//!
//! Ignores: completions out of order: as many writes as have completed are taken to be the oldest.

use std::collections::{BTreeMap, VecDeque};

use dw_workload::{Direction, Io, Verify};

/// A write, and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Written {
    volume: u16,
    offset: u64,
    len: u32,
    number: u64,
}

/// The writes that wait to be read back.
#[derive(Clone, Debug)]
pub(crate) struct Unverified {
    pub(crate) policy: Verify,
    in_order: VecDeque<Written>,
    by_offset: BTreeMap<(u16, u64), Written>,
    issued: u64,
    completed: u64,
    /// Reads left of those that follow each other.
    batch_left: u64,
    last_was_read: bool,
}

impl Unverified {
    pub(crate) fn new(policy: Verify) -> Self {
        Unverified {
            policy,
            in_order: VecDeque::new(),
            by_offset: BTreeMap::new(),
            issued: 0,
            completed: 0,
            batch_left: 0,
            last_was_read: false,
        }
    }

    /// A pass begins: what was not read back is forgotten.
    pub(crate) fn begin_pass(&mut self) {
        self.in_order.clear();
        self.by_offset.clear();
        self.batch_left = 0;
    }

    /// Notes a write that was issued.
    pub(crate) fn wrote(&mut self, io: &Io) {
        let written = Written { volume: io.volume, offset: io.offset, len: io.len, number: self.issued };
        self.issued += 1;
        if !self.policy.by_offset {
            return self.in_order.push_back(written);
        }
        let end = io.offset + u64::from(io.len);
        // The one before may reach into it, and all that begin within it do.
        let before = self.by_offset.range((io.volume, 0)..(io.volume, io.offset)).next_back();
        let before = before.filter(|(_, w)| w.offset + u64::from(w.len) > io.offset).map(|(at, _)| *at);
        let within = self.by_offset.range((io.volume, io.offset)..(io.volume, end)).map(|(at, _)| *at);
        let overlapping: Vec<_> = before.into_iter().chain(within).collect();
        for at in overlapping {
            self.by_offset.remove(&at);
        }
        self.by_offset.insert((io.volume, io.offset), written);
    }

    /// Notes a completion.
    pub(crate) fn completed(&mut self, direction: Direction) {
        self.completed += u64::from(direction == Direction::Write);
        self.last_was_read = direction == Direction::Read;
    }

    fn len(&self) -> u64 {
        (self.in_order.len() + self.by_offset.len()) as u64
    }

    /// The next to read back; `None` when there is none, or the next has not completed.
    pub(crate) fn next(&mut self) -> Option<Io> {
        let completed = |written: &Written| written.number < self.completed;
        let found = if self.policy.by_offset {
            let (&at, _) = self.by_offset.first_key_value().filter(|(_, written)| completed(written))?;
            self.by_offset.remove(&at)?
        } else {
            self.in_order.pop_front_if(|written| written.number < self.completed)?
        };
        Some(Io { offset: found.offset, len: found.len, volume: found.volume, direction: Direction::Read })
    }

    /// The next to read back between the writes, when it is time for that.
    pub(crate) fn next_of_backlog(&mut self) -> Option<Io> {
        let Verify { backlog, batch, .. } = self.policy;
        if backlog == 0 || self.len() == 0 {
            return None;
        }
        if self.batch_left == 0 {
            if !self.len().is_multiple_of(backlog) || self.last_was_read {
                return None;
            }
            self.batch_left = batch.max(1);
        }
        let io = self.next()?;
        self.batch_left -= 1;
        Some(io)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(offset: u64, len: u32) -> Io {
        Io { offset, len, volume: 0, direction: Direction::Write }
    }

    /// Writes all, completes all, and reads all back.
    fn check(by_offset: bool, writes: &[(u64, u32)], expected: &[(u64, u32)]) {
        let policy = Verify { backlog: 0, batch: 0, by_offset, ends_timed_passes: false };
        let mut written = Unverified::new(policy);
        for &(offset, len) in writes {
            written.wrote(&write(offset, len));
        }
        assert_eq!(written.next(), None, "nothing has completed");
        for _ in writes {
            written.completed(Direction::Write);
        }
        let read: Vec<_> = std::iter::from_fn(|| written.next()).map(|io| (io.offset, io.len)).collect();
        assert_eq!(read, expected, "{writes:?}");
    }

    #[test]
    fn what_was_written_is_read_back_in_order_or_by_offset_and_once() {
        check(false, &[(8, 4), (0, 4), (4, 4)], &[(8, 4), (0, 4), (4, 4)]);
        check(true, &[(8, 4), (0, 4), (4, 4)], &[(0, 4), (4, 4), (8, 4)]);
        check(true, &[(0, 4), (8, 4), (0, 4)], &[(0, 4), (8, 4)]);
        check(true, &[(0, 8), (4, 8)], &[(4, 8)]);
        check(true, &[(4, 4), (8, 4), (0, 16)], &[(0, 16)]);
        check(true, &[(0, 4), (4, 4)], &[(0, 4), (4, 4)]);
    }

    #[test]
    fn a_backlog_is_read_back_in_batches() {
        let policy = Verify { backlog: 3, batch: 2, by_offset: false, ends_timed_passes: false };
        let mut written = Unverified::new(policy);
        let mut log = String::new();
        for n in 0..9 {
            while let Some(io) = written.next_of_backlog() {
                log += &format!("r{} ", io.offset);
                written.completed(Direction::Read);
            }
            written.wrote(&write(n, 1));
            log += &format!("w{n} ");
            written.completed(Direction::Write);
        }
        assert_eq!(log, "w0 w1 w2 r0 r1 w3 w4 r2 r3 w5 w6 r4 r5 w7 w8 ");
    }
}
