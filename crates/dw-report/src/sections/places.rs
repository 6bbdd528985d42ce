//! One demand planned in several places: an answer for each side by side, what it costs, what it rests on, and which costs less where all of
//! that is known.

use dw_documents::comparison::{ComparisonDocument, PlaceRow};
use dw_documents::plan::PlanDocument;
use dw_messages::{Language, labels, text};

use super::plan::{level, proof, vm_and_disks};
use super::words::{money, money_change, of, sentence};
use crate::content::{Block, Level, Table};
use crate::read::Read;

/// Risks of a plan that are named here; its own report has all.
const RISKS: usize = 3;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (name, comparison) in &read.comparisons {
        blocks.push(said(comparison, read.lang));
        blocks.push(Block::Table(answers(name, comparison, read.lang)));
        for row in &comparison.places {
            blocks.push(Block::Heading(row.place()));
            blocks.push(Block::List(rests_on(row, read.lang)));
        }
    }
    blocks
}

pub(super) fn conclusion(read: &Read) -> String {
    read.comparisons.first().map_or_else(String::new, |(_, comparison)| comparison.summary.to_string())
}

/// Which costs less, or that nobody can tell.
pub(super) fn said(comparison: &ComparisonDocument, lang: &Language) -> Block {
    let level = if comparison.cheapest().is_some() { Level::Note } else { Level::Warning };
    Block::Said(level, sentence(&comparison.summary.text, lang))
}

fn answers(name: &str, comparison: &ComparisonDocument, lang: &Language) -> Table {
    let head = labels!["place", "answer", "VM and disks", "#per month", "#more", "prices of"];
    let mut table = Table::new(lang, of(text!(lang, "One answer for each place"), name), &head);
    let cheapest = comparison.cheapest();
    for row in &comparison.places {
        let place = table.rows.len();
        let answer = match row.state {
            Some(state) => {
                table.levels.push((place, 1, level(state)));
                format!("{} {}", level(state).mark(), lang.word(state.word()))
            }
            None => text!(lang, "no answer"),
        };
        let more = cheapest.zip(row.price()).map(|(cheapest, price)| price - cheapest);
        if more.is_some_and(|more| more <= 0.0) {
            table.marked.push(place);
        }
        let bought = row.plan.as_ref().and_then(|plan| plan.plan.as_ref());
        table.row([
            row.place(),
            answer,
            bought.map_or("-".into(), |bought| vm_and_disks(bought, lang)),
            row.monthly.map_or("-".into(), |monthly| format!("{} {}", money(monthly), row.currency)),
            more.filter(|more| *more > 0.0).map_or("-".into(), money_change),
            if row.prices_of.is_empty() { "-".into() } else { lang.list(&row.prices_of) },
        ]);
    }
    table
}

/// What an answer leaves out, on which conditions it is one, and how its figures are known.
fn rests_on(row: &PlaceRow, lang: &Language) -> Vec<String> {
    let mut lines = Vec::new();
    if !row.ignored.is_empty() {
        let keys: Vec<String> = row.ignored.iter().map(|key| format!("`{key}`")).collect();
        lines.push(text!(lang, "ignored there: {keys}", keys = keys.join(", ")));
    }
    lines.extend(row.refused.as_ref().map(|why| text!(lang, "no answer: {why}", why)));
    lines.extend(row.plan.iter().flat_map(|plan| of_plan(plan, lang)));
    lines.iter().map(|line| sentence(line, lang)).collect()
}

fn of_plan(plan: &PlanDocument, lang: &Language) -> Vec<String> {
    let Some(decision) = &plan.decision else { return vec![plan.answer.to_string()] };
    let terms = decision.price.iter().flat_map(|price| &price.terms);
    let said = decision.in_the_way.iter().chain(&decision.conditions).chain(terms);
    let mut lines: Vec<String> = said.chain(decision.risks.iter().take(RISKS)).map(ToString::to_string).collect();
    let mut known: Vec<String> = Vec::new();
    for row in &decision.checks {
        let by = row.shown_by.to_string();
        if !known.contains(&by) {
            known.push(by);
        }
    }
    if !known.is_empty() {
        lines.push(text!(lang, "known by: {how}", how = known.join("; ")));
    }
    lines.extend(proof(plan, lang));
    lines
}
