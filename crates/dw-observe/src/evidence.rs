//! Where a doubt was seen: how often, and the first rows of it.

use super::sample::Origin;

/// Rows that are kept of each doubt.
const SHOWN: usize = 5;

/// How often something was seen, and where first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// How often.
    pub count: u64,
    /// The first places.
    pub rows: Vec<Origin>,
    /// What stood at the first of them.
    pub example: String,
}

impl Evidence {
    /// Adds a place; `example` is asked for once.
    pub fn add(&mut self, origin: Origin, example: impl FnOnce() -> String) {
        if self.count == 0 {
            self.example = example();
        }
        if self.rows.len() < SHOWN {
            self.rows.push(origin);
        }
        self.count += 1;
    }
    /// Adds all of another.
    pub fn merge(&mut self, other: &Evidence) {
        if self.count == 0 {
            self.example.clone_from(&other.example);
        }
        self.count += other.count;
        self.rows.extend(other.rows.iter().take(SHOWN - self.rows.len().min(SHOWN)));
    }
}
