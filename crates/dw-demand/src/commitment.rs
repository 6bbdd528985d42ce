//! What a buyer commits to for a lower price: a machine, or what is spent on machines, for a number of years.
//!
//! Either is billed for every hour of its term, whether or not the machine runs.

use core::fmt;

/// What is committed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CommitTo {
    /// One machine size in one region: a reservation.
    Machine,
    /// Spending on machines of any size: a savings plan.
    Spending,
}

/// A commitment and its term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Commitment {
    pub to: CommitTo,
    pub years: u32,
}

impl Commitment {
    /// Those that are sold, in the order of their tables.
    pub const ALL: [Commitment; 4] = [
        Commitment::reservation(1),
        Commitment::reservation(3),
        Commitment::savings_plan(1),
        Commitment::savings_plan(3),
    ];

    pub const fn reservation(years: u32) -> Commitment {
        Commitment { to: CommitTo::Machine, years }
    }
    pub const fn savings_plan(years: u32) -> Commitment {
        Commitment { to: CommitTo::Spending, years }
    }
    /// The key of `[plan]` that asks for it, with its value: `reservation = "3y"`.
    pub fn key(self) -> String {
        let key = match self.to {
            CommitTo::Machine => "reservation",
            CommitTo::Spending => "savings_plan",
        };
        format!("{key} = \"{}y\"", self.years)
    }
    /// Months of its term.
    pub const fn months(self) -> u32 {
        12 * self.years
    }
}

impl fmt::Display for Commitment {
    /// `reserved for 3 years`, `in a savings plan of 1 year`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.years == 1 { "" } else { "s" };
        match self.to {
            CommitTo::Machine => write!(f, "reserved for {} year{plural}", self.years),
            CommitTo::Spending => write!(f, "in a savings plan of {} year{plural}", self.years),
        }
    }
}
