//! Where a doubt was seen: how often, and the first rows of it.

use super::sample::Origin;

/// Rows that are kept of each doubt.
const SHOWN: usize = 5;

/// How often something was seen, and where first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    pub count: u64,
    /// The first places.
    pub rows: Vec<Origin>,
    /// What stood at the first of them.
    pub example: String,
    first: Origin,
}

impl Evidence {
    /// Adds a place; `example` is asked for where it is the first. The first are those that stand first, whatever comes first.
    pub fn add(&mut self, origin: Origin, example: impl FnOnce() -> String) {
        if self.count == 0 || origin < self.first {
            self.example = example();
            self.first = origin;
        }
        self.count += 1;
        self.show(origin);
    }
    fn show(&mut self, origin: Origin) {
        if self.rows.len() < SHOWN {
            self.rows.push(origin);
        } else if self.rows.last().is_none_or(|last| *last <= origin) {
            return;
        } else {
            self.rows[SHOWN - 1] = origin;
        }
        self.rows.sort_unstable();
    }
    /// Adds all of another.
    pub fn merge(&mut self, other: &Evidence) {
        if other.count > 0 && (self.count == 0 || other.first < self.first) {
            self.example.clone_from(&other.example);
            self.first = other.first;
        }
        self.count += other.count;
        other.rows.iter().for_each(|origin| self.show(*origin));
    }
}
