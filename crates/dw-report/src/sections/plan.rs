//! What to buy, what it is made of, and why not something else.

use dw_documents::plan::{CurvePoint, Design, DesignRow, PlanDocument, PlanRow, Simulated, VolumeRow};

use super::words::{disks, limit_figure, money, money_change};
use crate::chart;
use crate::content::{Block, Card, Level, Table};
use crate::format::percent;
use crate::read::Read;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (_, plan) in &read.plans {
        if let Some(conflict) = &plan.conflict {
            blocks.push(Block::Said(
                Level::Critical,
                "Nothing on offer meets the demand. These do not go together:".into(),
            ));
            blocks.push(Block::List(conflict.limits.iter().map(ToString::to_string).collect()));
            if let (Some(share), Some(nearest)) = (conflict.nearest_percent, &conflict.nearest) {
                let cost =
                    conflict.nearest_monthly.map(|cost| format!(" for {} {} per month", money(cost), plan.currency));
                let cost = cost.unwrap_or_default();
                blocks.push(Block::Text(format!("Nearest: {nearest}{cost} carries {share:.1} % of the load.")));
                if !conflict.nearest_misses.is_empty() {
                    blocks.push(Block::List(conflict.nearest_misses.iter().map(ToString::to_string).collect()));
                }
            }
        }
        let Some(offer) = &plan.plan else { continue };
        blocks.push(Block::Table(volumes(offer, &plan.currency)));
        blocks.extend(plan.simulated.iter().flat_map(simulated));
        let reasons = offer.volumes.iter().filter_map(|v| {
            let (unit, reason) = (v.stripe_unit?, v.stripe_reason.as_ref()?);
            Some(format!("{}: stripe unit {} KiB, because {reason}", v.name, unit / 1_024))
        });
        let mut lines: Vec<String> = reasons.collect();
        lines.extend(proof(plan));
        lines.extend(offer.lasts().map(|lasts| lasts.to_string()));
        blocks.push(Block::List(lines));
        blocks.extend(conditions(plan));
        blocks.extend(rivals(plan, offer));
        if !plan.why_not.is_empty() {
            let mut table = Table::new("Sizes that were ruled out", &["VM size", "reason", "#would cost"]);
            for row in &plan.why_not {
                table.row([row.vm.clone(), row.why.to_string(), row.monthly.map_or("-".into(), money)]);
            }
            blocks.push(Block::Table(table));
        }
    }
    blocks
}

/// An estimated latency; a dash where there are no such requests.
fn latency(us: Option<u64>) -> String {
    us.map_or("-".into(), |us| limit_figure("us", us as f64))
}

fn volumes(offer: &PlanRow, currency: &str) -> Table {
    let mut table = Table::new(
        format!("{} ({})", offer.vm, offer.vm_edition),
        &[
            "volume",
            "disks",
            "host cache",
            "#hits",
            "#stripe unit",
            "#queue depth",
            "#read latency (estimate)",
            "#write latency (estimate)",
            &format!("#{currency}"),
        ],
    );
    for v in &offer.volumes {
        table.row([
            v.name.clone(),
            disks(v),
            v.host_cache.clone(),
            if v.hit_percent > 0.0 { percent(v.hit_percent) } else { "-".into() },
            v.stripe_unit.map_or("-".into(), |unit| format!("{} KiB", unit / 1_024)),
            v.queue_depth.to_string(),
            latency(v.read_latency()),
            latency(v.write_latency()),
            money(v.monthly),
        ]);
    }
    table
}

/// What was promised against what the simulation served, and what came of it.
fn simulated(simulated: &Simulated) -> Vec<Block> {
    let columns = ["volume", "#promised", "#served", "#throughput", "#mean latency", "#p99", "#asked", "met"];
    let mut table = Table::new("Promised and simulated", &columns);
    let us = |value| limit_figure("us", value);
    for row in &simulated.rows {
        if !row.met() {
            table.marked.push(table.rows.len());
        }
        table.row([
            row.name(),
            limit_figure("IOPS", row.promised_iops.round()),
            limit_figure("IOPS", row.iops.round()),
            limit_figure("B/s", row.bytes_per_s),
            us(row.latency_us),
            us(row.latency_p99_us),
            row.asked(us),
            if row.met() { "yes" } else { "NO" }.into(),
        ]);
    }
    let level = if simulated.met { Level::Good } else { Level::Warning };
    let said = Block::Said(level, simulated.answer.text.clone());
    if simulated.rows.is_empty() { vec![said] } else { vec![said, Block::Table(table)] }
}

fn proof(plan: &PlanDocument) -> Option<String> {
    let proof = plan.certificate.as_ref()?;
    let next = proof.runner_up.map_or(String::new(), |next| format!(" The next best costs {}.", money(next)));
    Some(format!(
        "Proof: no cheaper option (under {}) meets the demand. {} of {} VM sizes were checked in full; the others cost more on \
         their own or with the cheapest disks.{next}",
        money(proof.bound),
        proof.examined,
        proof.offered
    ))
}

/// What else could be bought, dearest last, and what would be cheaper but does not do.
fn rivals(plan: &PlanDocument, best: &PlanRow) -> Option<Block> {
    let mut list: Vec<(f64, bool, [String; 4])> = Vec::new();
    let mut add = |monthly: f64, name: &str, what: String, marked: bool| {
        let more = money_change(monthly - best.monthly);
        list.push((monthly, marked, [name.into(), money(monthly), more, what]));
    };
    add(best.monthly, &best.vm, "chosen".into(), true);
    for offer in &plan.alternatives {
        add(offer.monthly, &offer.vm, "meets the demand".into(), false);
    }
    for row in &plan.why_not {
        if let Some(monthly) = row.monthly.filter(|monthly| *monthly < best.monthly) {
            let met = if row.limits.is_empty() { "meets the demand, not as simply" } else { "does not meet it" };
            add(monthly, &row.vm, met.into(), false);
        }
    }
    if list.len() < 2 {
        return None;
    }
    list.sort_by(|a, b| a.0.total_cmp(&b.0));
    let title = format!("What other VM sizes would cost, {}", plan.currency);
    let mut table = Table::new(title, &["VM size", "#per month", "#more", "performance"]);
    for (_, marked, cells) in list {
        if marked {
            table.marked.push(table.rows.len());
        }
        table.row(cells);
    }
    Some(Block::Table(table))
}

/// The designs to choose from, side by side; nothing where all are one plan.
pub(super) fn designs(plan: &PlanDocument) -> Option<Block> {
    if plan.designs.len() < 2 {
        return None;
    }
    let worst =
        |row: &DesignRow, of: fn(&VolumeRow) -> Option<u64>| latency(row.plan.volumes.iter().filter_map(of).max());
    let head = [
        "design",
        "#per month",
        "#disks",
        "#headroom",
        "#slowest read (estimate)",
        "#slowest write (estimate)",
        "simulated",
        "VM and disks",
    ];
    let mut table = Table::new("Designs to choose from", &head);
    let mut cards = Vec::new();
    for row in &plan.designs {
        let marked = row.design.contains(&Design::Balanced);
        if marked {
            table.marked.push(table.rows.len());
        }
        let volumes: Vec<String> = row.plan.volumes.iter().map(|v| format!("{}: {}", v.name, disks(v))).collect();
        let headroom = percent(row.headroom_percent.max(0.0).floor());
        let (read, write) = (worst(row, VolumeRow::read_latency), worst(row, VolumeRow::write_latency));
        let name = if marked { format!("{} — the plan", row.name()) } else { row.name() };
        let mut rows = vec![["VM".to_string(), row.plan.vm.clone()]];
        rows.extend(row.plan.volumes.iter().map(|v| [v.name.clone(), format!("{}, cache {}", disks(v), v.host_cache)]));
        rows.extend([
            ["disks".into(), row.disks.to_string()],
            ["headroom".into(), headroom.clone()],
            ["slowest read".into(), format!("{read} (estimate)")],
            ["slowest write".into(), format!("{write} (estimate)")],
        ]);
        let said = row.simulated.as_ref().map(|said| {
            let level = if row.met == Some(false) { Level::Warning } else { Level::Good };
            (level, format!("simulated: {}", row.verdict()), said.to_string())
        });
        let figure = [money(row.plan.monthly), format!("{} / month", plan.currency)];
        cards.push(Card { title: name, figure, rows, said, marked });
        table.row([
            row.name(),
            money(row.plan.monthly),
            row.disks.to_string(),
            headroom,
            read,
            write,
            row.verdict().into(),
            format!("{}, {}", row.plan.vm, volumes.join(", ")),
        ]);
    }
    Some(Block::Cards(cards, table))
}

/// What fewer disks, and what more headroom cost: a chart each, where there is a choice.
pub(super) fn curves(plan: &PlanDocument) -> Vec<Block> {
    let Some(curve) = &plan.curve else { return Vec::new() };
    let disks = curve.by_disks.iter().map(|point| (f64::from(point.disks), point)).collect::<Vec<_>>();
    let headroom = curve.by_headroom.iter().map(|point| (point.headroom_percent, point)).collect::<Vec<_>>();
    let number = |disks: f64| format!("{disks:.0}");
    let share = |percent: f64| format!("{percent:.0} %");
    [
        cost_by(&plan.currency, "number of disks", &disks, &number),
        cost_by(&plan.currency, "headroom", &headroom, &share),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Points at places along what costs.
fn cost_by(currency: &str, what: &str, points: &[(f64, &CurvePoint)], label: &dyn Fn(f64) -> String) -> Option<Block> {
    if let [(from, first), .., (to, last)] = points
        && points.iter().all(|(_, point)| point.monthly == first.monthly)
    {
        let (from, to, cost) = (label(*from), label(*to), money(last.monthly));
        return Some(Block::Text(format!("A {what} of {from} to {to} costs the same: {cost} {currency} per month.")));
    }
    let title = format!("Cost by {what}, {currency} per month");
    let line = points.iter().map(|(at, point)| (*at, point.monthly)).collect();
    let chart = chart::curve(&title, &[("cheapest plan".into(), line)], label, &money)?;
    let mut table = Table::new(&title, &[&format!("#{what}"), "#per month", "cheapest plan"]);
    for (at, point) in points {
        table.row([label(*at), money(point.monthly), point.plan.clone()]);
    }
    Some(Block::Chart(chart, table))
}

/// What requirements cost, and what each year needs.
fn conditions(plan: &PlanDocument) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !plan.savings.is_empty() {
        let mut table =
            Table::new("What requirements cost, against the plan", &["asked instead", "#less per month", "plan then"]);
        for row in &plan.savings {
            table.row([row.requirement.to_string(), money(row.monthly), row.plan.clone()]);
        }
        blocks.push(Block::Table(table));
    }
    if !plan.stages.is_empty() {
        let head = ["#year", "#from month", "#per month", "plan", "what is done"];
        let mut table = Table::new("Bought year by year, up to the plan", &head);
        for row in &plan.stages {
            let changes: Vec<String> = row.changes.iter().map(ToString::to_string).collect();
            let changes = if changes.is_empty() { "-".into() } else { changes.join("; ") };
            let (year, month) = (row.year.to_string(), row.from_month.to_string());
            table.row([year, month, money(row.monthly), row.plan.clone(), changes]);
        }
        blocks.push(Block::Table(table));
    }
    blocks
}
