//! Where within the published latencies the model's defaults are taken.
//!
//! The same disk is measured slower in one region than in another, and slower in one year than in the next. A setting
//! chooses: what good regions and recent years show, the middle, or what slow ones show. What is measured on one's own
//! disk has no such spread, so the setting leaves it alone.
//!
//! Chapter: `docs/model/latency.md`.

use core::fmt;
use core::str::FromStr;

/// Which end of the published latencies a default stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LatencySetting {
    /// Near the fastest published means.
    Optimistic,
    /// The middle of the published means.
    #[default]
    Typical,
    /// Near the slowest.
    Cautious,
}

impl LatencySetting {
    /// All, fastest first.
    pub const ALL: [LatencySetting; 3] =
        [LatencySetting::Optimistic, LatencySetting::Typical, LatencySetting::Cautious];

    /// Its word in files and on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            LatencySetting::Optimistic => "optimistic",
            LatencySetting::Typical => "typical",
            LatencySetting::Cautious => "cautious",
        }
    }

    /// What help says of it.
    pub const fn about(self) -> &'static str {
        match self {
            LatencySetting::Optimistic => "Near the fastest published means",
            LatencySetting::Typical => "The middle of the published means",
            LatencySetting::Cautious => "Near the slowest published means",
        }
    }
}

impl fmt::Display for LatencySetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for LatencySetting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = LatencySetting::ALL.into_iter().find(|setting| setting.word() == text);
        found.ok_or_else(|| format!("`{text}` is not one of optimistic, typical, cautious"))
    }
}
