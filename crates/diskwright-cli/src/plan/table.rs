//! A plan for people: the answer, its limits with headroom, alternatives, why not others, what it rests on.

use std::fmt::Write as _;

use dw_catalogue::Money;

use dw_messages::{label, labels, say, text};

use super::figure;
use crate::language::{directions, heads, said, spoken};
use crate::report::{Table, Text};
use dw_documents::decision::CheckRow;
use dw_documents::plan::{
    CurvePoint, Design, DesignRow, LimitRow, PlanDocument, PlanRow, PlanSimulation, SimulatedRow, VolumeRow,
};

/// Of a curve those points are shown that have at most so much of the disks of the one before; the document has all.
const FEWER: f64 = 0.75;
/// Cells of a bar.
const BAR: usize = 20;

/// The answer in ten lines.
pub(crate) fn summary(document: &PlanDocument) -> Text {
    let lines =
        document.decision.as_ref().map(|decision| dw_documents::summary::lines(decision, spoken())).unwrap_or_default();
    Text::from(lines.join("\n") + "\n")
}

/// The report.
pub(crate) fn text(document: &PlanDocument) -> Text {
    let lang = spoken();
    let mut out = Text::from(format!("{}\n", document.answer));
    if let Some(verdict) = document.verdict.as_ref().filter(|_| document.plan.is_some()) {
        let _ = writeln!(out, "{}", text!(lang, "verdict: {verdict}", verdict = verdict.answer));
    }
    if let Some(simulated) = &document.simulated {
        let _ = writeln!(out, "{}", simulated.answer);
    }
    if let Some(conflict) = &document.conflict {
        for line in &conflict.limits {
            let _ = writeln!(out, "  {line}");
        }
        if let (Some(percent), Some(plan)) = (conflict.nearest_percent, &conflict.nearest) {
            let (currency, share) = (&document.currency, lang.figure(&format!("{percent:.1} %")));
            let amount = |money: Money| lang.figure(&money.to_string());
            let line = match (conflict.nearest_monthly.map(Money::of_amount), document.nodes) {
                (Some(cost), Some(nodes)) => text!(
                    lang,
                    "nearest: {plan} for {all} {currency} per month for {nodes} nodes ({cost} each) carries {share} of the load",
                    plan,
                    cost = amount(cost),
                    currency,
                    all = amount(cost * u64::from(nodes)),
                    nodes,
                    share
                ),
                (Some(cost), None) => text!(
                    lang,
                    "nearest: {plan} for {cost} {currency} per month carries {share} of the load",
                    plan,
                    cost = amount(cost),
                    currency,
                    share
                ),
                (None, _) => text!(lang, "nearest: {plan} carries {share} of the load", plan, share),
            };
            let _ = writeln!(out, "{line}");
            for line in &conflict.nearest_misses {
                let _ = writeln!(out, "  {line}");
            }
        }
        for line in &conflict.would_meet {
            let _ = writeln!(out, "{line}");
        }
    }
    if let Some(plan) = &document.plan {
        out += volumes(plan, &document.currency);
        out += licences(plan);
        out += limits(document);
        out += document.simulated.as_ref().map(simulated).unwrap_or_default();
        out += proof(document);
        if let Some(lasts) = plan.lasts() {
            let _ = writeln!(out, "{}", said(&lasts));
        }
        out += designs(document);
        out += curve(document);
        out += savings(document);
        out += commitments(document);
        out += bill(document);
        out += stages(document);
        out += alternatives(document);
    }
    if !document.services.is_empty() {
        let lines = document.services.iter().map(|row| row.service.to_string());
        out += under(&text!(lang, "other services that meet the demand: neither searched nor simulated"), lines);
    }
    if !document.why_not.is_empty() {
        out += under_title(&text!(lang, "cheaper sizes that were ruled out, or requested sizes"));
        for row in &document.why_not {
            let _ = writeln!(out, "  {}: {}", row.vm, row.why);
        }
    }
    out += under_title(&text!(lang, "assumptions"));
    for line in &document.assumptions {
        let _ = writeln!(out, "  {line}");
    }
    out
}

/// A title, under which lines follow.
fn under_title(title: &str) -> String {
    format!("\n{title}\n")
}

/// `2 x P30`, `Ultra of 100 GiB, 4,000 IOPS, 50 MB/s`, `local disk`.
pub(crate) fn disks_of(volume: &VolumeRow) -> String {
    volume.disks_said().unwrap_or_else(|| spoken().word("local disk").into())
}

/// Its VM size, marked where it has no price under the commitment that was asked for.
fn vm_of(plan: &PlanRow) -> String {
    let vm = plan.vm_said();
    if plan.uncommitted { format!("{vm} ({})", spoken().word("pay as you go")) } else { vm.into_owned() }
}

/// An estimated latency; a dash where there are no such requests.
fn latency(us: Option<u64>) -> String {
    us.map_or("-".into(), |us| figure("us", us as f64))
}

fn volumes(plan: &PlanRow, currency: &str) -> Text {
    let mut header = heads(&labels![
        "volume",
        "disks",
        "host cache",
        "hits",
        "stripe unit",
        "queue depth",
        "read (estimate)",
        "write (estimate)"
    ]);
    header.push(currency.into());
    let rows = plan.volumes.iter().map(|v| {
        vec![
            v.name.clone(),
            disks_of(v),
            v.host_cache.clone(),
            if v.hit_percent > 0.0 { format!("{:.1} %", v.hit_percent) } else { "-".into() },
            v.stripe_unit.map_or("-".into(), |unit| format!("{} KiB", unit / 1_024)),
            v.queue_depth.to_string(),
            latency(v.read_latency()),
            latency(v.write_latency()),
            // What is bought once is shown at the price of all.
            v.shared.map_or_else(
                || Money::of_amount(v.monthly).to_string(),
                |once| format!("{} / {}", Money::of_amount(once.monthly), once.nodes),
            ),
        ]
    });
    let mut out = Text::from("\n");
    out += columns(header, rows, 5);
    for volume in &plan.volumes {
        if let (Some(unit), Some(reason)) = (volume.stripe_unit, &volume.stripe_reason) {
            let (name, unit) = (&volume.name, unit / 1_024);
            let line =
                text!(spoken(), "{volume}: stripe unit {unit} KiB, because {reason}", volume = name, unit, reason);
            let _ = writeln!(out, "{line}");
        }
    }
    out
}

/// What is paid by core, with and without.
fn licences(plan: &PlanRow) -> String {
    plan.licences_said().map_or(String::new(), |line| format!("{}\n", said(&line)))
}

/// The name of a limit with its volume. A latency is the one that the search plans with, beside an estimate and a simulation.
pub(crate) fn limit_of(row: &LimitRow) -> String {
    let name = spoken().limit(&row.of.name());
    match row.of.unit == "us" {
        true if row.of.is_mean() => text!(spoken(), "{limit} (mean, planned)", limit = name),
        true => text!(spoken(), "{limit} (planned)", limit = name),
        false => name,
    }
}

/// `exceeded in 1 interval`, `exceeded in 12 intervals`.
pub(crate) fn exceeded(count: usize) -> String {
    said(&say!(LimitExceededIn { intervals: count }))
}

/// What was asked of a sync, beside the percentile of writes that is planned for it.
fn of_sync(document: &PlanDocument, row: &LimitRow) -> Option<String> {
    let checks = &document.decision.as_ref()?.checks;
    let is_of = |check: &&CheckRow| check.direction.as_deref() == Some("sync") && check.volume == row.of.volume;
    let asked = checks.iter().filter(|_| row.of.limit == "write latency p99").find(is_of)?.asked.as_ref()?;
    Some(text!(spoken(), "for a sync: {asked}", asked = said(asked)))
}

fn limits(document: &PlanDocument) -> Text {
    let (rows, lang) = (&document.limits, spoken());
    let header = heads(&labels!["limit", "p50", "p99", "max", "available", "left of the limit", ""]);
    let rows = rows.iter().map(|row| {
        let used = (1.0 - row.headroom_percent / 100.0).clamp(0.0, 1.0);
        let filled = (used * BAR as f64).round() as usize;
        let mut note = format!("[{}{}]", "#".repeat(filled), ".".repeat(BAR - filled));
        if row.exceeded > 0 {
            note += &format!("  {}", exceeded(row.exceeded));
        }
        if row.beyond_headroom > row.exceeded {
            let intervals = row.beyond_headroom - row.exceeded;
            note += &format!("  {}", said(&say!(LimitHeadroomUsedIn { intervals })));
        }
        if let Some(sync) = of_sync(document, row) {
            note += &format!("  {sync}");
        }
        if row.binding {
            note += &format!("  <- {}", text!(lang, "binding"));
        }
        let of = |value| figure(&row.of.unit, value);
        if let Some(burst) = &row.burst {
            let (sustained, left) = (of(burst.sustained), burst.credits_left_percent.floor());
            let (sustained, share) = (lang.figure(&sustained), format!("{left:.0} %"));
            let bursts = text!(
                lang,
                "bursts beyond {sustained}: {share} of its credits are left at the least",
                sustained,
                share
            );
            note += &format!("  {bursts}");
        }
        let headroom = dw_documents::format::headroom(row.headroom_percent);
        vec![limit_of(row), of(row.asked.p50), of(row.asked.p99), of(row.asked.max), of(row.capacity), headroom, note]
    });
    let mut out = Text::from("\n");
    out += columns(header, rows, 1);
    out
}

/// What was promised against what the simulation served.
fn simulated(simulated: &PlanSimulation) -> Text {
    if simulated.rows.is_empty() {
        return Text::new();
    }
    let lang = spoken();
    let header = heads(&labels!["simulated", "promised", "served", "throughput", "share", "mean", "p99", "asked"]);
    let rows = simulated.rows.iter().map(|row| {
        vec![
            simulated_name(row),
            figure("IOPS", row.promised_iops.round()),
            figure("IOPS", row.iops.round()),
            figure("B/s", row.bytes_per_s),
            format!("{:.1} %", row.served_percent()),
            figure("us", row.latency_us),
            figure("us", row.latency_p99_us),
            row.asked(lang.word("mean"), |us| lang.figure(&figure("us", us)))
                + &if row.met() { String::new() } else { format!("  {}", lang.word("NOT MET")) },
        ]
    });
    let mut out = Text::from("\n");
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
    out += Table::new(rows, &[0, 7]);
    out
}

fn proof(document: &PlanDocument) -> String {
    let Some(proof) = &document.certificate else { return String::new() };
    let (lang, rest) = (spoken(), proof.offered - proof.examined);
    let bound = lang.figure(&Money::of_amount(proof.bound).to_string());
    let cheapest = Money::of_amount(proof.monthly);
    let line = match rest {
        _ if Money::of_amount(proof.bound) < cheapest => text!(
            lang,
            "proof: no option under {bound} meets the demand. Between that and {cheapest} not all options were tried.",
            bound,
            cheapest = lang.figure(&cheapest.to_string()),
        ),
        0 => text!(
            lang,
            "proof: no cheaper option (under {bound}) meets the demand. All VM sizes on offer were checked in full.",
            bound
        ),
        _ => text!(
            lang,
            "proof: no cheaper option (under {bound}) meets the demand. {examined} of {offered} VM sizes were checked in full; the other {rest} cost more on their own or with the cheapest disks.",
            bound,
            examined = proof.examined,
            offered = proof.offered,
            rest
        ),
    };
    format!("\n{line}\n")
}

/// `data reads`, `data reads, alone`.
pub(crate) fn simulated_name(row: &SimulatedRow) -> String {
    let (lang, volume) = (spoken(), &row.volume);
    let requests = directions(&row.direction);
    if row.together {
        format!("{volume} {requests}")
    } else {
        text!(lang, "{volume} {requests}, alone", volume, requests)
    }
}

/// Three designs side by side; nothing where all of them are the plan.
fn designs(document: &PlanDocument) -> Text {
    /// The column that says how far a design does what was asked.
    const VERDICT: usize = 6;
    if document.designs.len() < 2 {
        return Text::new();
    }
    let worst = |plan: &PlanRow, of: fn(&VolumeRow) -> Option<u64>| latency(plan.volumes.iter().filter_map(of).max());
    let rows = document.designs.iter().map(|row| {
        let volumes: Vec<String> = row.plan.volumes.iter().map(|v| format!("{} {}", v.name, disks_of(v))).collect();
        vec![
            design_name(row),
            Money::micros(row.plan.monthly_micros).to_string(),
            row.disks.to_string(),
            dw_documents::format::headroom(row.headroom_percent),
            worst(&row.plan, VolumeRow::read_latency),
            worst(&row.plan, VolumeRow::write_latency),
            spoken().word(row.said()).into(),
            format!("{}: {}", vm_of(&row.plan), volumes.join(" + ")),
        ]
    });
    let mut header = heads(&labels![
        "design",
        "disks",
        "headroom",
        "slowest read (estimate)",
        "slowest write (estimate)",
        "verdict",
        "VM and disks"
    ]);
    header.insert(1, document.currency.clone());
    let mut rows: Vec<Vec<String>> = rows.collect();
    rows.insert(0, header);
    if document.designs.iter().all(|row| row.state().is_none()) {
        rows.iter_mut().for_each(|cells| drop(cells.remove(VERDICT)));
    }
    let mut out = Text::from("\n");
    out += Table::new(rows, &[0, VERDICT, VERDICT + 1]);
    for row in document.designs.iter().filter(|row| !row.design.contains(&Design::Balanced)) {
        if let Some(simulated) = &row.simulated {
            let line = text!(spoken(), "Design {name}. {simulated}", name = design_name(row), simulated);
            let _ = writeln!(out, "{line}");
        }
    }
    out
}

/// `cheapest, balanced`.
fn design_name(row: &DesignRow) -> String {
    let (lang, names) = (spoken(), row.name());
    lang.list(&names.split(", ").map(|name| lang.word(name)).collect::<Vec<_>>())
}

/// What fewer disks and more headroom cost, where that is a choice.
fn curve(document: &PlanDocument) -> Text {
    let Some(curve) = &document.curve else { return Text::new() };
    let mut out = Text::new();
    let by_disks = thinned(&curve.by_disks);
    let by_headroom: Vec<&CurvePoint> = curve.by_headroom.iter().collect();
    let lines = [
        (label!("disks"), by_disks, (|point: &CurvePoint| point.disks.to_string()) as fn(&CurvePoint) -> String),
        (label!("headroom"), by_headroom, |point| format!("{:.0} %", point.headroom_percent)),
    ];
    for (what, points, of) in lines {
        if points.len() < 2 {
            continue;
        }
        let rows =
            points.iter().map(|point| vec![of(point), Money::of_amount(point.monthly).to_string(), point.plan.clone()]);
        let mut header = heads(&[what, label!("cheapest plan")]);
        header.insert(1, document.currency.clone());
        out += "\n";
        out += Table::new(std::iter::once(header).chain(rows).collect(), &[2]);
    }
    out
}

/// The points that teach something: the first, the last, and between them those with clearly fewer disks.
fn thinned(points: &[CurvePoint]) -> Vec<&CurvePoint> {
    let mut kept: Vec<&CurvePoint> = Vec::new();
    for (place, point) in points.iter().enumerate() {
        let fewer = |last: &&CurvePoint| f64::from(point.disks) <= f64::from(last.disks) * FEWER;
        if place + 1 == points.len() || kept.last().is_none_or(fewer) {
            kept.push(point);
        }
    }
    kept
}

fn savings(document: &PlanDocument) -> String {
    let lang = spoken();
    let lines = document.savings.iter().map(|row| {
        text!(
            lang,
            "{requirement}: {less} {currency} less per month: {plan}",
            requirement = row.requirement,
            less = lang.figure(&Money::of_amount(row.monthly).to_string()),
            currency = document.currency,
            plan = row.plan
        )
    });
    under(&text!(lang, "cost of each requirement: each relaxed plan, compared with the plan above"), lines)
}

/// What the VM costs in other ways to pay for it; nothing in documents that are older than this.
fn commitments(document: &PlanDocument) -> Text {
    let Some(plan) = document.plan.as_ref().filter(|_| !document.commitments.is_empty()) else { return Text::new() };
    let lang = spoken();
    let rows = document.commitments.iter().map(|row| {
        let (kind, years) = row.kind();
        let kind = lang.word(kind);
        let known = |amount: Option<f64>| {
            amount.map_or_else(|| lang.word("not known").into(), |amount| Money::of_amount(amount).to_string())
        };
        let breaks_even = row.break_even_month.map(|month| text!(lang, "month {month}", month));
        vec![
            years.map_or_else(|| kind.into(), |years| text!(lang, "{kind}, {years} y", kind, years)),
            known(row.vm_monthly),
            known(row.disks_monthly),
            known(row.monthly),
            breaks_even.unwrap_or_else(|| "-".into()),
        ]
    });
    let mut header = heads(&labels!["VM", "disks", "VM and disks", "breaks even"]);
    header.insert(0, text!(lang, "{vm}, {currency} per month", vm = plan.vm_said(), currency = document.currency));
    let mut out = Text::from("\n");
    out += columns(header, rows, 1);
    for row in document.commitments.iter().filter(|row| !row.disks_unreserved.is_empty()) {
        let (years, disks) = (row.reserved_years.unwrap_or_default(), row.disks_unreserved.join(", "));
        let line = text!(lang, "no reservation of {disks} for {years} y is known: paid as it goes", disks, years);
        let _ = writeln!(out, "{line}");
    }
    out
}

/// What is billed beside VM and disks, and what the vendor promises.
fn bill(document: &PlanDocument) -> Text {
    let mut out = Text::new();
    if !document.bill.is_empty() {
        let lang = spoken();
        let rows = document.bill.iter().map(|row| {
            let monthly = row.monthly.map_or_else(|| "-".into(), |monthly| Money::of_amount(monthly).to_string());
            vec![lang.word(row.of.word()).into(), monthly, row.how.to_string()]
        });
        let mut header = heads(&labels!["beside VM and disks", ""]);
        header.insert(1, document.currency.clone());
        out += "\n";
        out += Table::new(std::iter::once(header).chain(rows).collect(), &[0, 2]);
    }
    for line in &document.promises {
        let _ = writeln!(out, "{line}");
    }
    out
}

fn stages(document: &PlanDocument) -> String {
    let lang = spoken();
    let lines = document.stages.iter().map(|row| {
        let changes: Vec<String> = row.changes.iter().map(ToString::to_string).collect();
        let changes = if changes.is_empty() { String::new() } else { format!(" ({})", changes.join(lang.between())) };
        let monthly = lang.figure(&Money::of_amount(row.monthly).to_string());
        let (first, year, month) = (row.first_year(), row.year, row.from_month);
        let (currency, plan) = (&document.currency, &row.plan);
        let said = match first < year {
            true => text!(
                lang,
                "years {first} to {year}, from month {month}: {monthly} {currency} per month: {plan}",
                first,
                year,
                month,
                monthly,
                currency,
                plan
            ),
            false => text!(
                lang,
                "year {year}, from month {month}: {monthly} {currency} per month: {plan}",
                year,
                month,
                monthly,
                currency,
                plan
            ),
        };
        said + &changes
    });
    under(
        &text!(
            lang,
            "bought year by year: the plan for each year, with the changes from the year before; the last year is the plan above"
        ),
        lines,
    )
}

/// Lines under a heading; no heading without a line.
fn under(heading: &str, lines: impl Iterator<Item = String>) -> String {
    let lines: String = lines.map(|line| format!("  {line}\n")).collect();
    if lines.is_empty() { lines } else { format!("\n{heading}\n{lines}") }
}

fn alternatives(document: &PlanDocument) -> Text {
    if document.alternatives.is_empty() {
        return Text::new();
    }
    let plan_cost = document.plan.as_ref().map_or(Money::ZERO, |plan| Money::micros(plan.monthly_micros));
    let rows = document.alternatives.iter().map(|plan| {
        let volumes: Vec<String> = plan
            .volumes
            .iter()
            .map(|v| {
                format!("{} {}", v.name, disks_of(v)) + if v.host_cache == "ReadOnly" { " (ReadOnly)" } else { "" }
            })
            .collect();
        vec![
            vm_of(plan),
            volumes.join(" + "),
            Money::micros(plan.monthly_micros).to_string(),
            Money::micros(plan.monthly_micros).change_from(plan_cost).to_string(),
            plan.differs.as_ref().map_or(String::new(), ToString::to_string),
        ]
    });
    let mut out = Text::from("\n");
    let mut header = heads(&labels!["alternatives", "disks", "more", ""]);
    header.insert(2, document.currency.clone());
    out += columns(header, rows, 2);
    out
}

/// Text in columns under a header; those from `right` on are flush right, except for bars, which have no header.
fn columns(header: Vec<String>, rows: impl Iterator<Item = Vec<String>>, right: usize) -> Table {
    let left: Vec<usize> = (0..header.len()).filter(|&column| column < right || header[column].is_empty()).collect();
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
    Table::new(rows, &left)
}
