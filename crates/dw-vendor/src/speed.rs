//! How fast a processor of a series is beside that of another, where the vendor has published it.
//!
//! Formula: a vCPU with `a..b` counts as `a ÷ d` of one with `c..d`, the least of the one by the most of the other; one of the same row, or
//! of the same range, as one. No promise is made of what the ranges leave open.
//!
//! Source: the pages that `speeds.toml` of a vendor names.
//!
//! Ignores: what a program makes of clock, cache and memory; processors of a series that differ.

use serde::{Deserialize, Serialize};

use crate::source::SourceRow;

/// The file of speeds.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedsFile {
    #[serde(default)]
    pub source: Vec<SourceRow>,
    #[serde(default)]
    pub speed: Vec<SpeedTable>,
}

/// Speeds of one page: figures of two tables are not compared.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedTable {
    /// What they are counted in.
    pub unit: String,
    /// From A to D.
    pub grade: String,
    /// The source id.
    pub source: String,
    pub rows: Vec<SpeedRow>,
}

/// What a processor of these series has.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedRow {
    pub series: Vec<String>,
    /// The least and the most.
    pub range: (u32, u32),
}

impl SpeedTable {
    /// The row of a series.
    pub fn of(&self, series: &str) -> Option<&SpeedRow> {
        self.rows.iter().find(|row| row.series.iter().any(|one| one == series))
    }
}

impl SpeedRow {
    /// What one of its vCPUs counts as of one of another row, in parts per million.
    pub fn beside(&self, other: &SpeedRow) -> u32 {
        match self.range == other.range {
            true => 1_000_000,
            false => (u64::from(self.range.0) * 1_000_000 / u64::from(other.range.1.max(1))) as u32,
        }
    }
}
