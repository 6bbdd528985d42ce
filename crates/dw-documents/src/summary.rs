//! The answer of a plan in at most ten lines of at most a hundred columns.
//!
//! A part has sentences. Each part gets a line, volumes one for each, and what must be read as many as it needs: a price with its parts, a
//! price that is unknown. What is left of the ten goes to the first parts that need more. What does not fit is counted where it is missing,
//! and what is cut ends with an ellipsis: nothing is left out in silence, except for what is cheaper and where more stands, in this order,
//! where the lines of the other parts fill the ten; after that volumes share a line.

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
/// What is neither cut nor counted, by its message: prices that are unknown, and what nobody knows of the VM.
const KEPT: [&str; 5] = [
    "summary-uncommitted",
    "summary-os-disk-unpriced",
    "summary-snapshots-unpriced",
    "plan-not-certified",
    "plan-burstable",
];

/// Whether a sentence is read before others, and whole.
pub fn is_kept(line: &Sentence) -> bool {
    KEPT.contains(&&*line.id)
}

/// Its lines, each with its label, in a language.
pub fn lines(decision: &Decision, language: &Language) -> Vec<String> {
    laid_out(&within(parts(decision), |most| volumes(&decision.volumes, most), language), language)
}

/// Parts whose least lines are ten at most: what is left out for that, and then the lines of volumes, by how many there may be.
fn within(mut parts: Vec<Part>, volumes: impl Fn(usize) -> Vec<Sentence>, language: &Language) -> Vec<Part> {
    let mut most = VOLUMES;
    while Room::beside(&parts, language).least(&parts) > LINES {
        let has = |label| parts.iter().position(|part| part.label == label);
        match (has("cheaper").or_else(|| has("next")), has(OF_VOLUMES)) {
            (Some(place), _) => drop(parts.remove(place)),
            (None, Some(place)) if most > 1 => {
                most -= 1;
                parts[place].says = volumes(most);
            }
            _ => break,
        }
    }
    parts
}

/// What is said under a label, the most important first.
struct Part {
    label: &'static str,
    says: Vec<Sentence>,
    /// So many of the first sentences are neither cut nor counted.
    kept: usize,
}

impl Part {
    fn new(label: &'static str, says: Vec<Sentence>) -> Part {
        Part { label, says, kept: 0 }
    }

    fn said(&self, language: &Language) -> Vec<String> {
        self.says.iter().map(|line| line.in_language(language)).collect()
    }
}

fn parts(decision: &Decision) -> Vec<Part> {
    let verdict = verdict(decision);
    let parts = match &decision.machine {
        None => {
            let relaxed: Vec<Sentence> = decision.next.iter().map(|step| step.says.clone()).collect();
            let next = if relaxed.is_empty() { vec![say!(SummaryNextNothing)] } else { relaxed };
            let limit = Part::new("limit", decision.in_the_way.clone());
            vec![verdict, limit, Part::new("nearest", decision.nearest.clone()), Part::new("next", next)]
        }
        Some(machine) => {
            let limit = decision.breaks.iter().flat_map(|breaks| &breaks.says);
            vec![
                verdict,
                Part::new("machine", vec![machine.says.clone()]),
                Part::new(OF_VOLUMES, volumes(&decision.volumes, VOLUMES)),
                price(decision),
                Part::new("limit", limit.cloned().collect()),
                Part::new("risk", decision.risks.clone()),
                Part::new("cheaper", cheaper(decision)),
                // What a terminal has beyond this.
                Part::new("next", vec![say!(SummaryNext)]),
            ]
        }
    };
    parts.into_iter().filter(|part| !part.says.is_empty()).collect()
}

/// The month with its parts, what must be read of its terms, then the others.
fn price(decision: &Decision) -> Part {
    let Some(price) = &decision.price else { return Part::new("price", Vec::new()) };
    let (must, may): (Vec<&Sentence>, Vec<&Sentence>) = price.terms.iter().partition(|line| is_kept(line));
    let kept = 1 + must.len();
    let says = std::iter::once(&price.says).chain(must).chain(may);
    Part { label: "price", says: says.cloned().collect(), kept }
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
fn verdict(decision: &Decision) -> Part {
    let kept = decision.conditions.iter().take_while(|line| is_kept(line)).count();
    let mut why = decision.conditions.iter().cloned();
    let first = match (decision.state, why.next()) {
        (State::MetWithCondition, Some(condition)) => say!(SummaryMetIf { condition }),
        (State::NotMet, Some(reason)) => say!(SummaryNotMet { reason }),
        (State::NotMet, None) => decision.sentence.clone(),
        _ => say!(VerdictMet),
    };
    Part { label: "verdict", says: std::iter::once(first).chain(why).collect(), kept }
}

/// A line a volume, `most` in all; those that have none are one line together.
fn volumes(all: &[VolumeChoice], most: usize) -> Vec<Sentence> {
    let shown = if all.len() > most { most.saturating_sub(1) } else { all.len() };
    let (shown, rest) = all.split_at(shown);
    let mut lines: Vec<Sentence> = shown.iter().map(volume).collect();
    if !rest.is_empty() {
        let cost: Money = rest.iter().map(|row| Money::of_amount(row.monthly)).sum();
        let disks: u64 = rest.iter().map(|row| u64::from(row.count)).sum();
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

/// Columns of a label with what follows it, and of the rest of a line.
struct Room<'a> {
    margin: usize,
    room: usize,
    language: &'a Language,
}

impl Room<'_> {
    fn beside<'a>(parts: &[Part], language: &'a Language) -> Room<'a> {
        let margin = parts.iter().map(|part| length(language.word(part.label))).max().unwrap_or(0) + 2;
        Room { margin, room: COLUMNS - margin, language }
    }

    /// Lines that parts need at least.
    fn least(&self, parts: &[Part]) -> usize {
        parts.iter().map(|part| self.least_of(part)).sum()
    }

    fn least_of(&self, part: &Part) -> usize {
        match (part.label, part.kept) {
            (OF_VOLUMES, _) => part.says.len(),
            (_, 0) => 1,
            (_, kept) => wrapped(&first(&part.said(self.language), kept, self.language), self.room).len(),
        }
    }
}

fn laid_out(parts: &[Part], language: &Language) -> Vec<String> {
    let room = Room::beside(parts, language);
    let mut left = LINES.saturating_sub(room.least(parts));
    let mut lines = Vec::new();
    for part in parts {
        let (says, least) = (part.said(language), room.least_of(part));
        let laid = match part.label {
            OF_VOLUMES => says.iter().map(|line| cut(line, room.room)).collect(),
            _ => fitted(&says, least + left, room.room, language),
        };
        left -= laid.len().saturating_sub(least);
        for (place, line) in laid.into_iter().enumerate() {
            let label = if place == 0 { language.word(part.label) } else { "" };
            lines.push(format!("{label}{}{line}", " ".repeat(room.margin - length(label))));
        }
    }
    lines
}

/// The first sentences, with the number of the others.
fn first(says: &[String], shown: usize, language: &Language) -> String {
    let all = says[..shown].join(language.between());
    match says.len() - shown {
        0 => all,
        more => text!(language, "{said} (+{more})", said = all, more = more),
    }
}

/// As many sentences as fit, with the number of those that do not; of one that is too long as much of it as fits.
fn fitted(says: &[String], lines: usize, room: usize, language: &Language) -> Vec<String> {
    let fits = |shown: &str| {
        let found = wrapped(shown, room);
        (found.len() <= lines && found.iter().all(|line| length(line) <= room)).then_some(found)
    };
    for shown in (1..=says.len()).rev() {
        if let Some(found) = fits(&first(says, shown, language)) {
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
        Part::new(label, says.iter().map(|text| say!(Plain { text: *text })).collect())
    }

    fn lines(parts: Vec<Part>) -> Vec<String> {
        laid_out(&parts, Language::english())
    }

    #[test]
    fn what_is_short_is_a_line_a_part_under_its_label() {
        let found = lines(vec![
            part("verdict", &["met"]),
            part("volumes", &["data: P30", "log: P10"]),
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

    /// Eleven lines where there is no room; the price is whole in two, and with three other lines of its own it costs a volume.
    #[test]
    fn what_must_be_read_is_whole_and_what_is_cheaper_goes_first() {
        let price = "38,704.63 USD per month for 2 nodes, each 19,352.32 USD: VM 2,443.31, disks 1,419.01, licences by core 15,490.00";
        let unknown = "VM pay as you go: price under `reservation = \"3y\"` unknown";
        let one = "33.25 USD/month: VM 31.03, disks 2.23";
        let all = ["machine", "limit", "risk", "cheaper", "next"];
        for (volumes, said, kept, lines, gone) in [
            (3, vec![one, "pay as you go"], 1, 10, &[][..]),
            (4, vec![one, "pay as you go"], 1, 10, &["cheaper"]),
            (3, vec![price, "pay as you go", "prices 2026-08"], 1, 10, &["cheaper"]),
            (4, vec![price, unknown, "prices 2026-08"], 2, 10, &["cheaper", "next"]),
            (4, vec![price, price, unknown], 3, 10, &["cheaper", "next"]),
        ] {
            let of_volumes = |most: usize| part("volumes", &vec!["data: P30"; volumes.min(most)]).says;
            let mut parts = vec![part("verdict", &["met"]), Part::new("volumes", of_volumes(VOLUMES))];
            parts.push(Part { kept, ..part("price", &said) });
            parts.extend(all.map(|label| part(label, &["said"])));
            let english = Language::english();
            let found = laid_out(&within(parts, of_volumes, english), english);
            assert_eq!(found.len(), lines, "{found:#?}");
            for label in all {
                let is_there = found.iter().any(|line| line.starts_with(label));
                assert_eq!(is_there, !gone.contains(&label), "{label}: {found:#?}");
            }
            let text = found.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(said[..kept].iter().all(|said| text.contains(said)), "{said:?}: {found:#?}");
        }
    }
}
