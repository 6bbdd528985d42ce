//! The answer of a plan in at most ten lines of at most a hundred columns.
//!
//! A part has sentences. Each part gets a line, volumes one for each; what is left of the ten goes to the first parts that need more. What
//! does not fit is counted where it is missing, and what is cut ends with an ellipsis: nothing is left out in silence.

use dw_messages::{Figure, Language, Sentence, say, text};
use dw_units::Money;

use crate::columns::{length, wrapped};
use crate::decision::{CheaperIf, Decision, VolumeChoice, money};
use crate::verdict::State;

/// Lines at most.
pub const LINES: usize = 10;
/// Columns of a line at most.
pub const COLUMNS: usize = 100;
/// Volumes that have a line; where there are more, the last line is all others together.
const VOLUMES: usize = 4;
/// Columns that a volume's line has beside its label, in English.
const ROOM: usize = COLUMNS - 9;
/// A name is not shortened to less.
const NAME_LEAST: usize = 8;
/// What saves less than this share of the price, in percent, is not worth a line.
const WORTH_PERCENT: f64 = 10.0;
/// The label of lines of volumes, which are one for each.
const OF_VOLUMES: &str = "volumes";

/// Its lines, each with its label, in a language.
pub fn lines(decision: &Decision, language: &Language) -> Vec<String> {
    laid_out(&parts(decision), language)
}

/// What is said under a label, the most important first.
type Part = (&'static str, Vec<Sentence>);

fn parts(decision: &Decision) -> Vec<Part> {
    let verdict = ("verdict", verdict(decision));
    let Some(machine) = &decision.machine else {
        let relaxed: Vec<Sentence> = decision.next.iter().map(|step| step.says.clone()).collect();
        let next = if relaxed.is_empty() { vec![say!(SummaryNextNothing)] } else { relaxed };
        let limit = ("limit", decision.in_the_way.clone());
        return vec![verdict, limit, ("nearest", decision.nearest.clone()), ("next", next)];
    };
    let price = decision.price.iter().flat_map(|price| std::iter::once(&price.says).chain(&price.terms));
    let limit = decision.breaks.iter().flat_map(|breaks| &breaks.says);
    vec![
        verdict,
        ("machine", vec![machine.says.clone()]),
        (OF_VOLUMES, volumes(&decision.volumes)),
        ("price", price.cloned().collect()),
        ("limit", limit.cloned().collect()),
        ("risk", decision.risks.clone()),
        ("cheaper", cheaper(decision)),
        // What a terminal has beyond this.
        ("next", vec![say!(SummaryNext)]),
    ]
}

/// What would save at least [`WORTH_PERCENT`] of what a machine costs.
fn cheaper(decision: &Decision) -> Vec<Sentence> {
    let Some(price) = &decision.price else { return Vec::new() };
    let nodes = decision.machine.as_ref().map_or(1, |machine| machine.nodes.max(1));
    let least = price.monthly / f64::from(nodes) * WORTH_PERCENT / 100.0;
    let said = |way: &CheaperIf| match nodes {
        1 => say!(SummaryCheaper { saves: money(way.saves), condition: way.condition.clone() }),
        _ => say!(SummaryCheaperEach { saves: money(way.saves), condition: way.condition.clone() }),
    };
    decision.cheaper.iter().filter(|way| way.saves >= least).map(said).collect()
}

/// The state with its first reason, then the others.
fn verdict(decision: &Decision) -> Vec<Sentence> {
    let mut why = decision.conditions.iter().cloned();
    let first = match (decision.state, why.next()) {
        (State::MetWithCondition, Some(condition)) => say!(SummaryMetIf { condition }),
        (State::NotMet, Some(reason)) => say!(SummaryNotMet { reason }),
        (State::NotMet, None) => decision.sentence.clone(),
        _ => say!(VerdictMet),
    };
    std::iter::once(first).chain(why).collect()
}

/// A line a volume; those that have none are one line together.
fn volumes(all: &[VolumeChoice]) -> Vec<Sentence> {
    let shown = if all.len() > VOLUMES { VOLUMES - 1 } else { all.len() };
    let (shown, rest) = all.split_at(shown);
    let mut lines: Vec<Sentence> = shown.iter().map(volume).collect();
    if !rest.is_empty() {
        let cost: Money = rest.iter().map(|row| Money::of_amount(row.monthly)).sum();
        let disks: u32 = rest.iter().map(|row| row.count).sum();
        let monthly = Figure::new(cost.amount(), "", cost.to_string());
        lines.push(say!(SummaryMoreVolumes { volumes: rest.len(), disks, monthly }));
    }
    lines
}

fn volume(row: &VolumeChoice) -> Sentence {
    let line = row.says(&row.volume);
    let (length, name) = (line.text.chars().count(), row.volume.chars().count());
    if length <= ROOM {
        return line;
    }
    let kept = (name + ROOM).saturating_sub(length + 1).max(NAME_LEAST);
    if kept >= name { line } else { row.says(&(row.volume.chars().take(kept).collect::<String>() + "…")) }
}

fn laid_out(parts: &[Part], language: &Language) -> Vec<String> {
    let parts: Vec<&Part> = parts.iter().filter(|(_, says)| !says.is_empty()).collect();
    let label = |part: &Part| language.word(part.0);
    let margin = parts.iter().map(|part| length(label(part))).max().unwrap_or(0) + 2;
    let room = COLUMNS - margin;
    let said = |part: &Part| part.1.iter().map(|line| line.in_language(language)).collect::<Vec<_>>();
    let least = |part: &Part| if part.0 == OF_VOLUMES { part.1.len() } else { 1 };
    let mut left = LINES.saturating_sub(parts.iter().map(|part| least(part)).sum());
    let mut lines = Vec::new();
    for part in parts {
        let says = said(part);
        let laid = match part.0 {
            OF_VOLUMES => says.iter().map(|line| cut(line, room)).collect(),
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
    use super::*;

    fn part(label: &'static str, says: &[&str]) -> Part {
        (label, says.iter().map(|text| say!(Plain { text: *text })).collect())
    }

    fn lines(parts: Vec<Part>) -> Vec<String> {
        laid_out(&parts, Language::english())
    }

    #[test]
    fn what_is_short_is_a_line_a_part_under_its_label() {
        let found = lines(vec![
            part("verdict", &["met"]),
            part("volumes", &["data: P30", "log: P10"]),
            part("risk", &[]),
            part("next", &["a", "b"]),
        ]);
        assert_eq!(found, ["verdict  met", "volumes  data: P30", "         log: P10", "next     a; b"]);
    }

    #[test]
    fn what_does_not_fit_is_counted_or_ends_with_an_ellipsis() {
        let long = "word ".repeat(60);
        let all: Vec<&str> = std::iter::repeat_n(long.trim(), 3).collect();
        let volumes = ["v"; 4];
        let found = lines(vec![
            part("verdict", &all),
            part("machine", &[&long]),
            part("volumes", &volumes),
            part("price", &["p"]),
            part("next", &[&"x".repeat(300), "n"]),
        ]);
        assert_eq!(found.len(), LINES, "{found:#?}");
        assert!(found.iter().all(|line| length(line) <= COLUMNS), "{found:#?}");
        // Two lines are free: the verdict comes first.
        assert!(found[2].ends_with("word … (+2)") && found[3].ends_with("word …"), "{found:#?}");
        assert!(found[9].ends_with("x … (+1)"), "{found:#?}");
    }
}
