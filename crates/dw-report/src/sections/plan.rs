//! What to buy, what it is made of, and why not something else.

use dw_documents::plan::{
    CurvePoint, Design, DesignRow, PlanDocument, PlanRow, PlanSimulation, SimulatedRow, VolumeRow,
};
use dw_documents::verdict::State;
use dw_messages::{Label, Language, label, labels, text};

use super::words::{design_name, directions, disks, limit_figure, money, money_change, short_disks};
use crate::content::{Block, Column, Level, Table};
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
                let amount = |cost: f64| lang.figure(&money(cost));
                blocks.push(Block::Text(match (conflict.nearest_monthly, plan.nodes) {
                    (Some(cost), Some(nodes)) => text!(
                        lang,
                        "Nearest: {plan} for {all} {currency} per month for {nodes} nodes ({cost} each) carries {share} of the load.",
                        plan = nearest,
                        all = amount(cost * f64::from(nodes)),
                        currency = plan.currency,
                        nodes,
                        cost = amount(cost),
                        share
                    ),
                    (Some(cost), None) => text!(
                        lang,
                        "Nearest: {plan} for {cost} {currency} per month carries {share} of the load.",
                        plan = nearest,
                        cost = amount(cost),
                        currency = plan.currency,
                        share
                    ),
                    (None, _) => text!(lang, "Nearest: {plan} carries {share} of the load.", plan = nearest, share),
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
        blocks.extend(curves(plan, lang));
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

/// How many sizes were looked at, and that nothing cheaper does it.
pub(super) fn conclusion(read: &Read) -> String {
    let lang = read.lang;
    let Some((_, plan)) = read.plans.first() else { return String::new() };
    let proof = plan.certificate.as_ref().map(|proof| {
        let (bound, offered) = (lang.figure(&money(proof.bound)), proof.offered);
        text!(lang, "VM sizes searched: {offered}; none meets it for less than {bound}", offered, bound)
    });
    proof.or_else(|| plan.conflict.as_ref().map(|_| plan.answer.to_string())).unwrap_or_default()
}

/// How well news is received.
pub(super) fn level(state: State) -> Level {
    match state {
        State::Met => Level::Good,
        State::MetWithCondition => Level::Warning,
        State::NotMet => Level::Critical,
    }
}

/// An estimated latency; a dash where there are no such requests.
fn latency(us: Option<u64>) -> String {
    us.map_or("-".into(), |us| limit_figure("us", us as f64))
}

fn volumes(offer: &PlanRow, currency: &str, lang: &Language) -> Table {
    let mut table = Table::new(
        lang,
        format!("{} ({})", offer.vm_said(), offer.vm_edition),
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
            row.asked(lang.word("mean"), us),
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

pub(super) fn proof(plan: &PlanDocument, lang: &Language) -> Vec<String> {
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
    let mut list: Vec<(f64, bool, [String; 5])> = Vec::new();
    let mut add = |monthly: f64, (name, disks): (&str, String), what: String, marked: bool| {
        let more = money_change(monthly - best.monthly);
        list.push((monthly, marked, [name.into(), disks, money(monthly), more, what]));
    };
    let offered = |offer: &PlanRow| offer.disks().to_string();
    add(best.monthly, (&best.vm, offered(best)), text!(lang, "chosen"), true);
    for offer in &plan.alternatives {
        let what = offer.differs.as_ref().map_or_else(|| text!(lang, "meets the demand"), ToString::to_string);
        add(offer.monthly, (&offer.vm, offered(offer)), what, false);
    }
    for row in &plan.why_not {
        if let Some(monthly) = row.monthly.filter(|monthly| *monthly < best.monthly) {
            let met = match row.limits.is_empty() {
                true => text!(lang, "meets the demand, not as simply"),
                false => text!(lang, "does not meet it"),
            };
            add(monthly, (&row.vm, "-".into()), met, false);
        }
    }
    if list.len() < 2 {
        return None;
    }
    list.sort_by(|a, b| a.0.total_cmp(&b.0));
    let title = text!(lang, "What other VM sizes would cost, {currency}", currency = plan.currency);
    let mut table = Table::new(lang, title, &labels!["VM size", "#disks", "#per month", "#more", "performance"]);
    for (_, marked, cells) in list {
        if marked {
            table.marked.push(table.rows.len());
        }
        table.row(cells);
    }
    Some(Block::Table(table))
}

/// The designs to choose from, each with a letter; nothing where all are one plan.
pub(super) fn designs(plan: &PlanDocument, lang: &Language) -> Option<Table> {
    let chosen = plan.designs.iter().find(|row| row.design.contains(&Design::Balanced))?;
    if plan.designs.len() < 2 {
        return None;
    }
    let worst = |row: &DesignRow| latency(row.plan.volumes.iter().filter_map(VolumeRow::write_latency).max());
    let head =
        labels!["design", "#per month", "VM and disks", "#disks", "#headroom", "#slowest write", "against the plan"];
    let caption = text!(lang, "Designs to choose from, {currency} per month", currency = plan.currency);
    let mut table = Table::new(lang, caption, &head);
    for (row, letter) in plan.designs.iter().zip('A'..) {
        let place = table.rows.len();
        let marked = row.design.contains(&Design::Balanced);
        if marked {
            table.marked.push(place);
        }
        let state = row.state();
        let mark = state.filter(|state| *state != State::Met).map_or(String::new(), |state| {
            table.levels.push((place, 0, level(state)));
            format!("{} ", level(state).mark())
        });
        let against = match (marked, row.plan.monthly - chosen.plan.monthly) {
            (true, _) => text!(lang, "the plan"),
            (false, more) => {
                let disks = format!("{:+}", i64::from(row.disks) - i64::from(chosen.disks));
                let amount = lang.figure(&money(more.abs()));
                match more < 0.0 {
                    true => text!(lang, "saves {amount}; disks: {disks}", amount, disks),
                    false => text!(lang, "costs {amount} more; disks: {disks}", amount, disks),
                }
            }
        };
        table.row([
            format!("{mark}{letter}: {}", design_name(row, lang)),
            money(row.plan.monthly),
            vm_and_disks(&row.plan, lang),
            row.disks.to_string(),
            crate::format::headroom(row.headroom_percent),
            worst(row),
            against,
        ]);
    }
    Some(table)
}

/// Volumes that a cell names one by one.
const NAMED: usize = 3;

/// `D16as_v5; data: 5 × P15; log: PremiumV2 142 GiB`.
pub(super) fn vm_and_disks(plan: &PlanRow, lang: &Language) -> String {
    let vm = plan.vm_said();
    let vm = vm.strip_prefix("Standard_").unwrap_or(&vm).to_string();
    if plan.volumes.len() > NAMED {
        return format!("{vm}; {}", text!(lang, "volumes: {n}", n = plan.volumes.len()));
    }
    let volumes = plan.volumes.iter().map(|volume| format!("{}: {}", volume.name, short_disks(volume, lang)));
    std::iter::once(vm).chain(volumes).collect::<Vec<_>>().join("; ")
}

/// What fewer disks, and what more headroom cost.
pub(super) fn curves(plan: &PlanDocument, lang: &Language) -> Vec<Block> {
    let (Some(curve), Some(best)) = (&plan.curve, &plan.plan) else { return Vec::new() };
    let by_disks = curve.by_disks.iter().map(|point| (point.disks.to_string(), point));
    let by_headroom = curve.by_headroom.iter().map(|point| (format!("{:.0} %", point.headroom_percent), point));
    let is_own = |point: &CurvePoint| u64::from(point.disks) == best.disks() && point.monthly == best.monthly;
    [
        cost_by(plan, label!("number of disks"), &by_disks.collect::<Vec<_>>(), &is_own, lang),
        cost_by(plan, label!("headroom"), &by_headroom.collect::<Vec<_>>(), &|_| false, lang),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What costs how much; a sentence where all cost the same.
fn cost_by(
    plan: &PlanDocument,
    what: Label,
    points: &[(String, &CurvePoint)],
    is_own: &dyn Fn(&CurvePoint) -> bool,
    lang: &Language,
) -> Option<Block> {
    let ((from, first), (to, last)) = (points.first()?, points.last()?);
    if points.len() < 2 {
        return None;
    }
    let (what, currency) = (lang.label(what), &plan.currency);
    if points.iter().all(|(_, point)| point.monthly == first.monthly) {
        let cost = lang.figure(&money(last.monthly));
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
    let mut table = Table::new(lang, &title, &labels!["#per month", "cheapest plan"]);
    table.head.insert(0, Column::figures(what));
    for (at, point) in points {
        if is_own(point) {
            table.marked.push(table.rows.len());
        }
        // A design is named once.
        let letter = plan
            .designs
            .iter()
            .zip('A'..)
            .find(|(row, _)| (row.disks, money(row.plan.monthly)) == (point.disks, money(point.monthly)));
        let name = letter.map_or_else(|| point.plan.clone(), |(_, letter)| text!(lang, "design {letter}", letter));
        table.row([at.clone(), money(point.monthly), name]);
    }
    Some(Block::Table(table))
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
            let (first, month) = (row.first_year(), row.from_month.to_string());
            let year = if first < row.year { format!("{first}-{}", row.year) } else { row.year.to_string() };
            table.row([year, month, money(row.monthly), row.plan.clone(), changes]);
        }
        blocks.push(Block::Table(table));
    }
    blocks
}
