//! What a month costs, what it is made of, how else it could be paid, and what is billed beside it.

use dw_documents::plan::{PlanDocument, PlanRow};

use dw_messages::{Language, labels, text};

use super::words::{money, money_change};
use crate::content::{Block, Column, Table};
use crate::read::Read;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let (mut blocks, lang) = (Vec::new(), read.lang);
    for (_, plan) in &read.plans {
        let Some(best) = &plan.plan else { continue };
        blocks.push(Block::Table(parts(plan, best, lang)));
        blocks.extend(commitments(plan, best, lang).map(Block::Table));
        blocks.extend(beside(plan, lang).map(Block::Table));
    }
    blocks
}

/// The sum with its parts.
pub(super) fn conclusion(read: &Read) -> String {
    let decisions = read.plans.iter().filter_map(|(_, plan)| plan.decision.as_ref()?.price.as_ref());
    decisions.map(|price| price.says.to_string()).next().unwrap_or_default()
}

/// The plan by part: what a month and what a year of each costs.
fn parts(plan: &PlanDocument, best: &PlanRow, lang: &Language) -> Table {
    let title = text!(lang, "The plan in {currency}, by part", currency = plan.currency);
    let mut table = Table::new(lang, title, &labels!["part", "#per month", "#per year"]);
    let mut row = |name: String, monthly: f64| table.row([name, money(monthly), money(monthly * 12.0)]);
    row("VM".into(), best.vm_monthly);
    best.volumes.iter().for_each(|volume| row(volume.name.clone(), volume.monthly));
    best.licences.iter().for_each(|licence| row(licence.name.clone(), licence.monthly));
    row(text!(lang, "all of it"), best.monthly);
    table.marked.push(table.rows.len() - 1);
    table
}

/// Other ways to pay for the VM, known or not.
fn commitments(plan: &PlanDocument, best: &PlanRow, lang: &Language) -> Option<Table> {
    if plan.commitments.len() < 2 {
        return None;
    }
    let mut head = labels!["VM paid by", "#per month", "#more", "#pays off from month"].to_vec();
    let has_known = plan.commitments.iter().any(|row| row.kind().1.is_some() && row.monthly.is_some());
    if !has_known {
        return None;
    }
    head.truncate(4);
    let mut table = Table::new(lang, text!(lang, "Other ways to pay for the VM"), &head);
    for row in &plan.commitments {
        let (kind, years) = row.kind();
        let name = match years {
            Some(years) => text!(lang, "{kind}, years: {years}", kind = lang.word(kind), years),
            None => lang.word(kind).to_string(),
        };
        let known = |of: fn(f64, f64) -> String| row.monthly.map_or("-".into(), |it| of(it, best.monthly));
        table.row([
            name,
            known(|it, _| money(it)),
            known(|it, best| money_change(it - best)),
            row.break_even_month.map_or("-".into(), |month| month.to_string()),
        ]);
    }
    Some(table)
}

/// What else is billed for such a machine.
fn beside(plan: &PlanDocument, lang: &Language) -> Option<Table> {
    if plan.bill.is_empty() {
        return None;
    }
    let mut table =
        Table::with_columns(text!(lang, "Billed beside VM and disks"), vec![Column::words(text!(lang, "part"))]);
    table.head.extend([Column::figures(text!(lang, "per month")), Column::words(text!(lang, "how"))]);
    for row in &plan.bill {
        table.row([lang.word(row.of.word()).into(), row.monthly.map_or("-".into(), money), row.how.to_string()]);
    }
    Some(table)
}
