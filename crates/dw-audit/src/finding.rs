//! A finding: what is wrong, where, what it costs, and the smallest change that ends it.

use dw_catalogue::moves::{Effort, MoveRow};
use dw_messages::Sentence;
use dw_units::Money;
use serde::Serialize;

/// How much a finding asks for attention, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Worth knowing.
    Note,
    /// Money or rates are lost, or data are at risk.
    Warning,
    /// It cannot be built so, or does not do what it says.
    Error,
}

impl Level {
    pub const ALL: [Level; 3] = [Level::Note, Level::Warning, Level::Error];
    pub const fn word(self) -> &'static str {
        match self {
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

/// How sure a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// It follows from the inventory.
    Certain,
    /// It follows from names, or from what is usual.
    Likely,
    /// Only a recording shows whether it matters.
    NeedsRecording,
}

/// What a finding is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Place {
    pub machine: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub machine_id: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub disk: String,
    /// The file that tells of it.
    pub file: String,
}

/// The smallest change that ends a finding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Remedy {
    pub what: Sentence,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// What it takes, in the words of the catalogue's moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub takes: Option<String>,
}

impl Remedy {
    /// A change of which no row says what it takes.
    pub fn new(what: Sentence) -> Remedy {
        Remedy { what, effort: None, takes: None }
    }
    /// With the row of whatever takes most.
    pub fn taking(self, rows: &[&MoveRow]) -> Remedy {
        let row = rows.first();
        Remedy { effort: row.map(|row| row.effort), takes: row.map(|row| row.said()), ..self }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    pub code: String,
    pub level: Level,
    #[serde(flatten)]
    pub place: Place,
    pub says: Sentence,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<Remedy>,
    /// What is paid a month for what is wrong, before and after, of all machines that are alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monthly: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monthly_after: Option<f64>,
    pub confidence: Confidence,
    /// Ids of the catalogue's sources of its figures.
    pub sources: Vec<String>,
    /// The owner and the last day of the waiver that it is under.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waived: Option<String>,
}

impl Finding {
    /// What ending it saves a month: nothing that anybody knows of, where the price after it is not known.
    pub fn saves(&self) -> Money {
        let saved = self.monthly.zip(self.monthly_after).map_or(0.0, |(before, after)| before - after);
        Money::of_amount(saved.max(0.0))
    }
    /// What is the same finding in another inventory of the same estate: what it says may have other figures.
    pub fn same(&self) -> (Level, String, String, String) {
        (self.level, self.code.to_string(), self.place.machine.clone(), self.place.disk.clone())
    }
}
