//! Where lines were not understood, and what that leaves unknown.
//!
//! A tool that leaves idle devices out of a report (`iostat -z`) and a lost line look the same. They are told apart by the
//! places of the damaged lines: a device that is missing from a report was idle, unless such a line may have been its own.
//!
//! Invariant: memory is bounded; of a file with more damaged lines than are kept, all lines behind them count as damaged.

use std::collections::{BTreeMap, BTreeSet};

use super::sample::Origin;

/// Places that are kept, of all files together.
const KEPT: usize = 1 << 14;

/// Lines that were not understood.
#[derive(Clone, Debug, Default)]
pub(crate) struct Damaged {
    lines: BTreeSet<Origin>,
    /// Of each file, the first line that is not kept.
    more: BTreeMap<u32, u64>,
}

impl Damaged {
    pub fn add(&mut self, origin: Origin) {
        if self.lines.len() < KEPT {
            self.lines.insert(origin);
        } else {
            let first = self.more.entry(origin.file).or_insert(origin.line);
            *first = origin.line.min(*first);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Whether one may have been of the report whose lines are these: it lies behind the report before and before the next.
    pub fn is_near(&self, report: Lines, before: Lines, next: Lines) -> bool {
        let file = report.file;
        let from = if before.file == file { before.last } else { 0 };
        let to = if next.file == file { next.first } else { u64::MAX };
        // Where reports are not in the order of their lines, a damaged line may have been of any.
        let (from, to) = if from <= to { (from, to) } else { (0, u64::MAX) };
        let kept = self.lines.range(Origin { file, line: from }..=Origin { file, line: to }).next();
        kept.is_some() || self.more.get(&file).is_some_and(|first| *first < to)
    }
}

/// The lines of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lines {
    file: u32,
    first: u64,
    last: u64,
}

impl Lines {
    pub fn new(origin: Origin) -> Lines {
        Lines { file: origin.file, first: origin.line, last: origin.line }
    }
    /// Takes in a line; a report has those of one file.
    pub fn add(&mut self, origin: Origin) {
        if origin.file == self.file {
            self.first = self.first.min(origin.line);
            self.last = self.last.max(origin.line);
        }
    }
}

/// What a device did in a report that it is missing from, between two that have it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Missing<'a> {
    Unknown,
    /// Nothing, unless one of these lines was its own.
    IdleBut(&'a Damaged),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(file: u32, first: u64, last: u64) -> Lines {
        Lines { file, first, last }
    }

    #[test]
    fn a_line_is_near_a_report_between_its_neighbours() {
        let mut damaged = Damaged::default();
        damaged.add(Origin { file: 1, line: 20 });
        // (report, before, next, whether it is near)
        let cases = [
            (lines(1, 18, 19), lines(1, 8, 9), lines(1, 28, 29), true),
            (lines(1, 21, 22), lines(1, 8, 9), lines(1, 28, 29), true),
            (lines(1, 8, 9), lines(1, 1, 2), lines(1, 18, 19), false),
            (lines(1, 28, 29), lines(1, 21, 22), lines(1, 38, 39), false),
            (lines(0, 18, 19), lines(0, 8, 9), lines(0, 28, 29), false),
            // The report is at an end of its file.
            (lines(1, 8, 9), lines(1, 1, 2), lines(2, 1, 2), true),
            (lines(1, 28, 29), lines(0, 50, 51), lines(1, 30, 31), true),
            // Lines are not in the order of time.
            (lines(1, 18, 19), lines(1, 28, 29), lines(1, 8, 9), true),
            (lines(1, 58, 59), lines(1, 48, 49), lines(1, 38, 39), true),
            (lines(0, 18, 19), lines(0, 28, 29), lines(0, 8, 9), false),
        ];
        for (report, before, next, near) in cases {
            assert_eq!(damaged.is_near(report, before, next), near, "{report:?}");
        }
    }

    #[test]
    fn lines_that_are_not_kept_leave_all_behind_them_unknown() {
        let mut damaged = Damaged::default();
        let report = |line| (lines(0, line, line), lines(0, line - 5, line - 5), lines(0, line + 5, line + 5));
        let is_near = |damaged: &Damaged, line| {
            let (report, before, next) = report(line);
            damaged.is_near(report, before, next)
        };
        (0..KEPT as u64).for_each(|line| damaged.add(Origin { file: 1, line }));
        assert!(!is_near(&damaged, 100_000));
        damaged.add(Origin { file: 0, line: 5_000 });
        damaged.add(Origin { file: 0, line: 4_000 });
        assert!(damaged.lines.len() == KEPT && is_near(&damaged, 100_000) && !is_near(&damaged, 3_000));
    }
}
