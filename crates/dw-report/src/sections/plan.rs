//! What to buy, what it is made of, and why not something else.

use dw_documents::plan::{
    CurvePoint, Design, DesignRow, PlanDocument, PlanRow, PlanSimulation, SimulatedRow, VolumeRow,
};
use dw_documents::verdict::{CheckOf, State, Verdict};
use dw_messages::{Label, Language, label, labels, text};

use super::words::{design_name, directions, disks, limit_figure, money, money_change, sentence};
use crate::chart;
use crate::content::{Block, Card, Column, Level, Table};
use crate::format::percent;
use crate::read::Read;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let (mut blocks, lang) = (Vec::new(), read.lang);
    for (_, plan) in &read.plans {
        if let Some(conflict) = &plan.conflict {
            blocks.push(Block::Said(
                Level::Critical,
                text!(lang, "Nothing on offer meets the demand. These do not go together:"),
            ));
            blocks.push(Block::List(conflict.limits.iter().map(ToString::to_string).collect()));
            if let (Some(share), Some(nearest)) = (conflict.nearest_percent, &conflict.nearest) {
                let share = lang.figure(&format!("{share:.1} %"));
                let cost = conflict.nearest_monthly.map(|cost| lang.figure(&money(cost)));
                blocks.push(Block::Text(match cost {
                    Some(cost) => text!(
                        lang,
                        "Nearest: {plan} for {cost} {currency} per month carries {share} of the load.",
                        plan = nearest,
                        cost,
                        currency = plan.currency,
                        share
                    ),
                    None => text!(lang, "Nearest: {plan} carries {share} of the load.", plan = nearest, share),
                }));
                if !conflict.nearest_misses.is_empty() {
                    blocks.push(Block::List(conflict.nearest_misses.iter().map(ToString::to_string).collect()));
                }
            }
            if !conflict.would_meet.is_empty() {
                blocks.push(Block::List(conflict.would_meet.iter().map(ToString::to_string).collect()));
            }
        }
        let Some(offer) = &plan.plan else { continue };
        blocks.extend(plan.verdict.as_ref().map(|verdict| Block::Table(checks(verdict, lang))));
        blocks.push(Block::Table(volumes(offer, &plan.currency, lang)));
        blocks.extend(plan.simulated.iter().flat_map(|simulated| self::simulated(simulated, lang)));
        let reasons = offer.volumes.iter().filter_map(|v| {
            let (unit, reason) = (v.stripe_unit?, v.stripe_reason.as_ref()?);
            let (volume, unit) = (&v.name, unit / 1_024);
            Some(text!(lang, "{volume}: stripe unit {unit} KiB, because {reason}", volume, unit, reason))
        });
        let mut lines: Vec<String> = reasons.collect();
        lines.extend(proof(plan, lang));
        lines.extend(offer.lasts().map(|lasts| lasts.in_language(lang)));
        blocks.push(Block::List(lines));
        blocks.extend(conditions(plan, lang));
        blocks.extend(rivals(plan, offer, lang));
        if !plan.why_not.is_empty() {
            let mut table = Table::new(
                lang,
                text!(lang, "Sizes that were ruled out"),
                &labels!["VM size", "reason", "#would cost"],
            );
            for row in &plan.why_not {
                table.row([row.vm.clone(), row.why.to_string(), row.monthly.map_or("-".into(), money)]);
            }
            blocks.push(Block::Table(table));
        }
    }
    blocks
}

/// How well news is received.
pub(super) fn level(state: State) -> Level {
    match state {
        State::Met => Level::Good,
        State::MetWithCondition => Level::Warning,
        State::NotMet => Level::Critical,
    }
}

/// What was asked, how far it is met, and why not or on which condition.
fn checks(verdict: &Verdict, lang: &Language) -> Table {
    let head = labels!["what was asked", "verdict", "#found", "#asked", "why"];
    let mut table = Table::new(lang, text!(lang, "Verdict"), &head);
    for check in &verdict.checks {
        if check.state != State::Met {
            table.marked.push(table.rows.len());
        }
        let figure = |value: Option<f64>| {
            value.map_or("-".into(), |value| match check.of {
                CheckOf::Years => format!("{value:.0}"),
                _ => crate::format::headroom(value),
            })
        };
        let why: Vec<String> = check.why.iter().map(ToString::to_string).collect();
        table.row([
            lang.word(check.of.word()).into(),
            lang.word(check.state.word()).into(),
            figure(check.figure),
            figure(check.asked),
            if why.is_empty() { "-".into() } else { why.join("; ") },
        ]);
    }
    table
}

/// An estimated latency; a dash where there are no such requests.
fn latency(us: Option<u64>) -> String {
    us.map_or("-".into(), |us| limit_figure("us", us as f64))
}

fn volumes(offer: &PlanRow, currency: &str, lang: &Language) -> Table {
    let mut table = Table::new(
        lang,
        format!("{} ({})", offer.vm, offer.vm_edition),
        &labels![
            "volume",
            "disks",
            "host cache",
            "#hits",
            "#stripe unit",
            "#queue depth",
            "#read latency (estimate)",
            "#write latency (estimate)",
        ],
    );
    table.head.push(Column::figures(currency));
    for v in &offer.volumes {
        table.row([
            v.name.clone(),
            disks(v, lang),
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
fn simulated(simulated: &PlanSimulation, lang: &Language) -> Vec<Block> {
    let columns = labels!["volume", "#promised", "#served", "#throughput", "#mean latency", "#p99", "#asked", "met"];
    let mut table = Table::new(lang, text!(lang, "Promised and simulated"), &columns);
    let us = |value| limit_figure("us", value);
    for row in &simulated.rows {
        if !row.met() {
            table.marked.push(table.rows.len());
        }
        table.row([
            simulated_name(row, lang),
            limit_figure("IOPS", row.promised_iops.round()),
            limit_figure("IOPS", row.iops.round()),
            limit_figure("B/s", row.bytes_per_s),
            us(row.latency_us),
            us(row.latency_p99_us),
            row.asked(us),
            if row.met() { text!(lang, "yes") } else { text!(lang, "NO") },
        ]);
    }
    let level = if simulated.met { Level::Note } else { Level::Warning };
    let said = Block::Said(level, simulated.answer.text.clone());
    if simulated.rows.is_empty() { vec![said] } else { vec![said, Block::Table(table)] }
}

/// `data reads`, `data reads, alone`.
fn simulated_name(row: &SimulatedRow, lang: &Language) -> String {
    let (volume, requests) = (&row.volume, directions(&row.direction, lang));
    if row.together {
        format!("{volume} {requests}")
    } else {
        text!(lang, "{volume} {requests}, alone", volume, requests)
    }
}

fn proof(plan: &PlanDocument, lang: &Language) -> Vec<String> {
    let Some(proof) = plan.certificate.as_ref() else { return Vec::new() };
    let amount = |amount| lang.figure(&money(amount));
    let whole = if proof.bound < proof.monthly {
        text!(
            lang,
            "Proof: no option under {bound} meets the demand. Between that and {cheapest} not all options were tried.",
            bound = amount(proof.bound),
            cheapest = amount(proof.monthly)
        )
    } else {
        text!(
            lang,
            "Proof: no cheaper option (under {bound}) meets the demand. {examined} of {offered} VM sizes were checked in full; the others cost more on their own or with the cheapest disks.",
            bound = amount(proof.bound),
            examined = proof.examined,
            offered = proof.offered
        )
    };
    let next = proof.runner_up.map(|next| text!(lang, "The next best costs {amount}.", amount = amount(next)));
    std::iter::once(whole).chain(next).collect()
}

/// What else could be bought, dearest last, and what would be cheaper but does not do.
fn rivals(plan: &PlanDocument, best: &PlanRow, lang: &Language) -> Option<Block> {
    let mut list: Vec<(f64, bool, [String; 4])> = Vec::new();
    let mut add = |monthly: f64, name: &str, what: String, marked: bool| {
        let more = money_change(monthly - best.monthly);
        list.push((monthly, marked, [name.into(), money(monthly), more, what]));
    };
    add(best.monthly, &best.vm, text!(lang, "chosen"), true);
    for offer in &plan.alternatives {
        add(offer.monthly, &offer.vm, text!(lang, "meets the demand"), false);
    }
    for row in &plan.why_not {
        if let Some(monthly) = row.monthly.filter(|monthly| *monthly < best.monthly) {
            let met = match row.limits.is_empty() {
                true => text!(lang, "meets the demand, not as simply"),
                false => text!(lang, "does not meet it"),
            };
            add(monthly, &row.vm, met, false);
        }
    }
    if list.len() < 2 {
        return None;
    }
    list.sort_by(|a, b| a.0.total_cmp(&b.0));
    let title = text!(lang, "What other VM sizes would cost, {currency}", currency = plan.currency);
    let mut table = Table::new(lang, title, &labels!["VM size", "#per month", "#more", "performance"]);
    for (_, marked, cells) in list {
        if marked {
            table.marked.push(table.rows.len());
        }
        table.row(cells);
    }
    Some(Block::Table(table))
}

/// The designs to choose from, side by side; nothing where all are one plan.
pub(super) fn designs(plan: &PlanDocument, lang: &Language) -> Option<Block> {
    if plan.designs.len() < 2 {
        return None;
    }
    let worst =
        |row: &DesignRow, of: fn(&VolumeRow) -> Option<u64>| latency(row.plan.volumes.iter().filter_map(of).max());
    let head = labels![
        "design",
        "#per month",
        "#disks",
        "#headroom",
        "#slowest read (estimate)",
        "#slowest write (estimate)",
        "verdict",
        "VM and disks",
    ];
    let mut table = Table::new(lang, text!(lang, "Designs to choose from"), &head);
    let mut cards = Vec::new();
    for row in &plan.designs {
        let marked = row.design.contains(&Design::Balanced);
        if marked {
            table.marked.push(table.rows.len());
        }
        let volumes: Vec<String> = row.plan.volumes.iter().map(|v| format!("{}: {}", v.name, disks(v, lang))).collect();
        let headroom = crate::format::headroom(row.headroom_percent);
        let (read, write) = (worst(row, VolumeRow::read_latency), worst(row, VolumeRow::write_latency));
        let design = design_name(row, lang);
        let name = if marked { text!(lang, "{design} — the plan", design) } else { design.clone() };
        let mut rows = vec![["VM".to_string(), row.plan.vm.clone()]];
        let disks_and_cache =
            |v: &VolumeRow| text!(lang, "{disks}, cache {cache}", disks = disks(v, lang), cache = v.host_cache);
        rows.extend(row.plan.volumes.iter().map(|v| [v.name.clone(), disks_and_cache(v)]));
        rows.extend([
            [text!(lang, "disks"), row.disks.to_string()],
            [text!(lang, "headroom"), headroom.clone()],
            [text!(lang, "slowest read"), text!(lang, "{latency} (estimate)", latency = read)],
            [text!(lang, "slowest write"), text!(lang, "{latency} (estimate)", latency = write)],
        ]);
        let said = row.state().map(|state| {
            let more = row.verdict.as_ref().filter(|_| state != State::Met).map(|verdict| verdict.answer.to_string());
            let more: Vec<String> = more.into_iter().chain(row.simulated.as_ref().map(ToString::to_string)).collect();
            let more: Vec<String> = more.iter().map(|line| sentence(line, lang)).collect();
            (level(state), lang.word(state.word()).to_string(), more.join(lang.between()))
        });
        let figure = [money(row.plan.monthly), text!(lang, "{currency} / month", currency = plan.currency)];
        cards.push(Card { title: name, figure, rows, said, marked });
        table.row([
            design,
            money(row.plan.monthly),
            row.disks.to_string(),
            headroom,
            read,
            write,
            lang.word(row.said()).into(),
            format!("{}, {}", row.plan.vm, volumes.join(", ")),
        ]);
    }
    Some(Block::Cards(cards, table))
}

/// What fewer disks, and what more headroom cost: a chart each, where there is a choice.
pub(super) fn curves(plan: &PlanDocument, lang: &Language) -> Vec<Block> {
    let Some(curve) = &plan.curve else { return Vec::new() };
    let disks = curve.by_disks.iter().map(|point| (f64::from(point.disks), point)).collect::<Vec<_>>();
    let headroom = curve.by_headroom.iter().map(|point| (point.headroom_percent, point)).collect::<Vec<_>>();
    let number = |disks: f64| format!("{disks:.0}");
    let share = |percent: f64| format!("{percent:.0} %");
    [
        cost_by(&plan.currency, label!("number of disks"), &disks, &number, lang),
        cost_by(&plan.currency, label!("headroom"), &headroom, &share, lang),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Points at places along what costs.
fn cost_by(
    currency: &str,
    what: Label,
    points: &[(f64, &CurvePoint)],
    label: &dyn Fn(f64) -> String,
    lang: &Language,
) -> Option<Block> {
    let what = lang.label(what);
    if let [(from, first), .., (to, last)] = points
        && points.iter().all(|(_, point)| point.monthly == first.monthly)
    {
        let (from, to, cost) = (label(*from), label(*to), lang.figure(&money(last.monthly)));
        return Some(Block::Text(text!(
            lang,
            "A {what} of {from} to {to} costs the same: {cost} {currency} per month.",
            what,
            from,
            to,
            cost,
            currency
        )));
    }
    let title = text!(lang, "Cost by {what}, {currency} per month", what, currency);
    let line = points.iter().map(|(at, point)| (*at, point.monthly)).collect();
    let chart = chart::curve(&title, &[(text!(lang, "cheapest plan"), line)], label, &money)?;
    let mut table = Table::new(lang, &title, &labels!["#per month", "cheapest plan"]);
    table.head.insert(0, Column::figures(what));
    for (at, point) in points {
        table.row([label(*at), money(point.monthly), point.plan.clone()]);
    }
    Some(Block::Chart(chart, table))
}

/// What requirements cost, and what each year needs.
fn conditions(plan: &PlanDocument, lang: &Language) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !plan.savings.is_empty() {
        let head = labels!["asked instead", "#less per month", "plan then"];
        let mut table = Table::new(lang, text!(lang, "What requirements cost, against the plan"), &head);
        for row in &plan.savings {
            table.row([row.requirement.to_string(), money(row.monthly), row.plan.clone()]);
        }
        blocks.push(Block::Table(table));
    }
    if !plan.stages.is_empty() {
        let head = labels!["#year", "#from month", "#per month", "plan", "what is done"];
        let mut table = Table::new(lang, text!(lang, "Bought year by year, up to the plan"), &head);
        for row in &plan.stages {
            let changes: Vec<String> = row.changes.iter().map(ToString::to_string).collect();
            let changes = if changes.is_empty() { "-".into() } else { changes.join(lang.between()) };
            let (year, month) = (row.year.to_string(), row.from_month.to_string());
            table.row([year, month, money(row.monthly), row.plan.clone(), changes]);
        }
        blocks.push(Block::Table(table));
    }
    blocks
}
