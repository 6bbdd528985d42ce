//! The answer of a plan in at most ten lines of at most a hundred columns.
//!
//! A part has sentences. Each part gets a line, volumes one for each; what is left of the ten goes to the first parts that need more. What
//! does not fit is counted where it is missing, and what is cut ends with an ellipsis: nothing is left out in silence.

use dw_messages::{Language, Sentence, text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::columns::{length, wrapped};

/// Lines at most.
pub const LINES: usize = 10;
/// Columns of a line at most.
pub const COLUMNS: usize = 100;
/// Volumes that have a line; where there are more, the last line is all others together.
pub const VOLUMES: usize = 4;

/// What a part is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// Whether all that was asked is met, and on which conditions.
    Verdict,
    /// The VM.
    Machine,
    /// The disks, a sentence a volume.
    Volumes,
    /// What a month costs, in its parts, and how it is bought.
    Price,
    /// What is reached first.
    Limit,
    /// What could go wrong.
    Risk,
    /// The plan that comes nearest, where nothing meets the demand.
    Nearest,
    /// What to do now.
    Next,
}

impl About {
    /// The label of its lines.
    pub const fn word(self) -> &'static str {
        match self {
            About::Verdict => "verdict",
            About::Machine => "machine",
            About::Volumes => "volumes",
            About::Price => "price",
            About::Limit => "limit",
            About::Risk => "risk",
            About::Nearest => "nearest",
            About::Next => "next",
        }
    }
}

/// A part of a summary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Part {
    pub about: About,
    /// The most important first.
    pub says: Vec<Sentence>,
}

/// The answer of a plan, as short as it can be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    pub parts: Vec<Part>,
}

impl Summary {
    /// Its lines, each with its label, in a language.
    pub fn lines(&self, language: &Language) -> Vec<String> {
        let parts: Vec<&Part> = self.parts.iter().filter(|part| !part.says.is_empty()).collect();
        let label = |part: &Part| language.word(part.about.word());
        let margin = parts.iter().map(|part| length(label(part))).max().unwrap_or(0) + 2;
        let room = COLUMNS - margin;
        let said = |part: &Part| part.says.iter().map(|line| line.in_language(language)).collect::<Vec<_>>();
        let least = |part: &Part| if part.about == About::Volumes { part.says.len() } else { 1 };
        let mut left = LINES.saturating_sub(parts.iter().map(|part| least(part)).sum());
        let mut lines = Vec::new();
        for part in parts {
            let says = said(part);
            let laid = match part.about {
                About::Volumes => says.iter().map(|line| cut(line, room)).collect(),
                _ => fitted(&says, 1 + left, room, language),
            };
            left -= laid.len() - least(part);
            for (place, line) in laid.into_iter().enumerate() {
                let label = if place == 0 { label(part) } else { "" };
                lines.push(format!("{label}{}{line}", " ".repeat(margin - length(label))));
            }
        }
        lines
    }
}

/// As many sentences as fit, with the number of those that do not; of one that is too long as much of it as fits.
fn fitted(says: &[String], lines: usize, room: usize, language: &Language) -> Vec<String> {
    let fits = |shown: &str| {
        let found = wrapped(shown, room);
        (found.len() <= lines && found.iter().all(|line| length(line) <= room)).then_some(found)
    };
    for shown in (1..=says.len()).rev() {
        let mut all = says[..shown].join(language.between());
        if shown < says.len() {
            all = text!(language, "{said} (+{more})", said = all, more = says.len() - shown);
        }
        if let Some(found) = fits(&all) {
            return found;
        }
    }
    let more = if says.len() > 1 { format!(" (+{})", says.len() - 1) } else { String::new() };
    let mut found = wrapped(&says[0], room);
    found.truncate(lines);
    let last = found.pop().unwrap_or_default();
    let last = cut(&format!("{last} …"), room - length(&more)) + &more;
    found.into_iter().map(|line| cut(&line, room)).chain([last]).collect()
}

/// A line of at most so many columns, with an ellipsis where some of it is missing.
fn cut(line: &str, room: usize) -> String {
    if length(line) <= room {
        return line.to_string();
    }
    let mut kept = String::new();
    for c in line.trim_end_matches(" …").chars() {
        if length(&kept) + length(&c.to_string()) + 2 > room {
            break;
        }
        kept.push(c);
    }
    kept.trim_end().to_string() + " …"
}

#[cfg(test)]
mod tests {
    use dw_messages::say;

    use super::*;

    fn part(about: About, says: &[&str]) -> Part {
        Part { about, says: says.iter().map(|text| say!(Plain { text: *text })).collect() }
    }

    fn lines(parts: Vec<Part>) -> Vec<String> {
        Summary { parts }.lines(Language::english())
    }

    #[test]
    fn what_is_short_is_a_line_a_part_under_its_label() {
        let found = lines(vec![
            part(About::Verdict, &["met"]),
            part(About::Volumes, &["data: P30", "log: P10"]),
            part(About::Risk, &[]),
            part(About::Next, &["a", "b"]),
        ]);
        assert_eq!(found, ["verdict  met", "volumes  data: P30", "         log: P10", "next     a; b"]);
    }

    #[test]
    fn what_does_not_fit_is_counted_or_ends_with_an_ellipsis() {
        let long = "word ".repeat(60);
        let all: Vec<&str> = std::iter::repeat_n(long.trim(), 3).collect();
        let volumes = ["v"; 4];
        let found = lines(vec![
            part(About::Verdict, &all),
            part(About::Machine, &[&long]),
            part(About::Volumes, &volumes),
            part(About::Price, &["p"]),
            part(About::Next, &[&"x".repeat(300), "n"]),
        ]);
        assert_eq!(found.len(), LINES, "{found:#?}");
        assert!(found.iter().all(|line| length(line) <= COLUMNS), "{found:#?}");
        // Two lines are free: the verdict comes first.
        assert!(found[2].ends_with("word … (+2)") && found[3].ends_with("word …"), "{found:#?}");
        assert!(found[9].ends_with("x … (+1)"), "{found:#?}");
    }
}
