//! Whose requests a limit counts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Requests of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// Reads.
    Reads,
    /// Writes and trims.
    Writes,
}

impl Direction {
    /// In the order of every pair of figures.
    pub const ALL: [Direction; 2] = [Direction::Reads, Direction::Writes];

    /// As documents write it.
    pub const fn name(self) -> &'static str {
        match self {
            Direction::Reads => "reads",
            Direction::Writes => "writes",
        }
    }
}
