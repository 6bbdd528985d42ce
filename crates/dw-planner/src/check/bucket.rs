//! Which stamps a limit does not carry, its credits spent stamp by stamp.
//!
//! A bucket gains what the sustained rate gives beyond the load, and loses what the load takes beyond it. The series runs twice, so that
//! what the first bucket carried, full as it was, is not trusted.
//!
//! Source: `docs/model/token-bucket.md`.
//!
//! Ignores: what happens within a stamp.
//!
//! Invariant: credits are between none and the bucket's size.

use crate::problem::{ONE, Problem, Rate};

/// What became of so many parts per million of a limit.
pub(super) struct Spent {
    /// What is sustained of it.
    pub(super) usable: u64,
    /// Stamps that exceed it.
    pub(super) failing: Vec<usize>,
    /// The least that was left of its credits, in parts per million, where they count.
    pub(super) left: Option<u32>,
}

pub(super) fn spend(problem: &Problem, rate: Rate, loads: &[u64], utilisation: u32) -> Spent {
    let part = |rate: u64| (u128::from(rate) * u128::from(utilisation) / u128::from(ONE)) as u64;
    let usable = part(rate.base);
    let Some((top, credits)) = rate.burst.filter(|_| problem.bursting) else {
        let failing = (0..loads.len()).filter(|stamp| loads[*stamp] > usable).collect();
        return Spent { usable, failing, left: None };
    };
    let top = part(top).max(usable);
    // Tokens times nanoseconds: nothing is rounded.
    let size = i128::from(credits) * 1_000_000_000;
    let (mut level, mut least, mut fails) = (size, size, vec![false; loads.len()]);
    for stamp in (0..loads.len()).chain(0..loads.len()) {
        let gained = i128::from(usable) - i128::from(loads[stamp].min(top));
        level += gained * i128::from(problem.interval.ns());
        fails[stamp] |= loads[stamp] > top || level < 0;
        level = level.clamp(0, size);
        least = least.min(level);
    }
    debug_assert!((0..=size).contains(&least));
    let failing = (0..loads.len()).filter(|stamp| fails[*stamp]).collect();
    Spent { usable, failing, left: Some((least * i128::from(ONE) / size.max(1)) as u32) }
}
