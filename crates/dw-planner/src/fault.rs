//! Rules of a plan that are broken whatever the time.

use crate::limit::Limit;

/// A rule that is broken whatever the time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub rule: Rule,
    /// By how much, in the rule's own unit; 1 where there is no more and less.
    pub by: u64,
    /// As a sentence.
    pub text: String,
}

/// What may not be, whatever the time; volumes are numbers into the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A limit that does not change over time.
    Limit(Limit),
    /// Which disks a volume may have, and how many.
    Disks(usize),
    /// How a disk that is sized freely can be bought.
    Purchase(usize),
    /// What the host cache takes, and where there is one.
    Cacheable(usize),
    /// Which uncached limit a disk counts against.
    Path(usize),
    /// Hits that the cache does not give.
    Hits(usize),
    /// Costs add up.
    Sum,
}
