//! A plan for people: the answer, its limits with headroom, alternatives, why not others, what it rests on.

use std::fmt::Write as _;

use dw_catalogue::Money;

use super::figure;
use crate::report::{Table, Text};
use dw_documents::plan::{CurvePoint, Design, LimitRow, PlanDocument, PlanRow, Simulated, VolumeRow};

/// Of a curve those points are shown that have at most so much of the disks of the one before; the document has all.
const FEWER: f64 = 0.75;
/// Cells of a bar.
const BAR: usize = 20;

/// The report.
pub(crate) fn text(document: &PlanDocument) -> Text {
    let mut out = Text::from(format!("{}\n", document.answer));
    if let Some(simulated) = &document.simulated {
        let _ = writeln!(out, "{}", simulated.answer);
    }
    if let Some(conflict) = &document.conflict {
        for line in &conflict.limits {
            let _ = writeln!(out, "  {line}");
        }
        if let (Some(percent), Some(plan)) = (conflict.nearest_percent, &conflict.nearest) {
            let cost = conflict.nearest_monthly.map(|cost| {
                let (cost, currency) = (Money::of_amount(cost), &document.currency);
                match document.nodes {
                    Some(nodes) => {
                        format!(" for {cost} {currency} per month, {} for {nodes} nodes,", cost * u64::from(nodes))
                    }
                    None => format!(" for {cost} {currency} per month"),
                }
            });
            let cost = cost.unwrap_or_default();
            let _ = writeln!(out, "nearest: {plan}{cost} carries {percent:.1} % of the load");
            for line in &conflict.nearest_misses {
                let _ = writeln!(out, "  {line}");
            }
        }
    }
    if let Some(plan) = &document.plan {
        out += volumes(plan, &document.currency);
        out += limits(&document.limits);
        out += document.simulated.as_ref().map(simulated).unwrap_or_default();
        out += proof(document);
        if let Some(lasts) = plan.lasts() {
            let _ = writeln!(out, "{lasts}");
        }
        out += designs(document);
        out += curve(document);
        out += savings(document);
        out += stages(document);
        out += alternatives(document);
    }
    if !document.why_not.is_empty() {
        out += "\ncheaper sizes that were ruled out, or sizes asked about\n";
        for row in &document.why_not {
            let _ = writeln!(out, "  {}: {}", row.vm, row.why);
        }
    }
    out += "\nassumptions\n";
    for line in &document.assumptions {
        let _ = writeln!(out, "  {line}");
    }
    out
}

/// `2 x P30`, `Ultra of 100 GiB, 4,000 IOPS, 50 MB/s`, `local disk`.
pub(crate) fn disks_of(volume: &VolumeRow) -> String {
    volume.disks_said().unwrap_or_else(|| "local disk".into())
}

/// An estimated latency; a dash where there are no such requests.
fn latency(us: Option<u64>) -> String {
    us.map_or("-".into(), |us| figure("us", us as f64))
}

fn volumes(plan: &PlanRow, currency: &str) -> Text {
    let header = [
        "volume",
        "disks",
        "host cache",
        "hits",
        "stripe unit",
        "queue depth",
        "read (estimate)",
        "write (estimate)",
        currency,
    ];
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
            Money::of_amount(v.monthly).to_string(),
        ]
    });
    let mut out = Text::from("\n");
    out += columns(&header, rows, 5);
    for volume in &plan.volumes {
        if let (Some(unit), Some(reason)) = (volume.stripe_unit, &volume.stripe_reason) {
            let _ = writeln!(out, "{}: stripe unit {} KiB, because {reason}", volume.name, unit / 1_024);
        }
    }
    out
}

/// The name of a limit with its volume. A latency is the one that the search plans with, beside an estimate and a simulation.
pub(crate) fn limit_of(row: &LimitRow) -> String {
    if row.of.unit == "us" { format!("{} (planned)", row.of.name()) } else { row.of.name() }
}

/// `1 interval`, `12 intervals`.
pub(crate) fn intervals(count: usize) -> String {
    format!("{count} interval{}", if count == 1 { "" } else { "s" })
}

fn limits(rows: &[LimitRow]) -> Text {
    let header = ["limit", "p50", "p99", "max", "available", "left of the limit", ""];
    let rows = rows.iter().map(|row| {
        let used = (1.0 - row.headroom_percent / 100.0).clamp(0.0, 1.0);
        let filled = (used * BAR as f64).round() as usize;
        let mut note = format!("[{}{}]", "#".repeat(filled), ".".repeat(BAR - filled));
        if row.exceeded > 0 {
            note += &format!("  exceeded in {}", intervals(row.exceeded));
        }
        if row.beyond_headroom > row.exceeded {
            note += &format!("  into its headroom in {}", intervals(row.beyond_headroom - row.exceeded));
        }
        if row.binding {
            note += "  <- binding";
        }
        let of = |value| figure(&row.of.unit, value);
        if let Some(burst) = &row.burst {
            let (sustained, left) = (of(burst.sustained), burst.credits_left_percent.floor());
            note += &format!("  bursts beyond {sustained}: {left:.0} % of its credits are left at the least");
        }
        let headroom = format!("{:.0} %", row.headroom_percent.floor());
        vec![limit_of(row), of(row.asked.p50), of(row.asked.p99), of(row.asked.max), of(row.capacity), headroom, note]
    });
    let mut out = Text::from("\n");
    out += columns(&header, rows, 1);
    out
}

/// What was promised against what the simulation served.
fn simulated(simulated: &Simulated) -> Text {
    if simulated.rows.is_empty() {
        return Text::new();
    }
    let header = ["simulated", "promised", "served", "throughput", "share", "mean", "p99", "asked"];
    let rows = simulated.rows.iter().map(|row| {
        vec![
            row.name(),
            figure("IOPS", row.promised_iops.round()),
            figure("IOPS", row.iops.round()),
            figure("B/s", row.bytes_per_s),
            format!("{:.1} %", row.served_percent()),
            figure("us", row.latency_us),
            figure("us", row.latency_p99_us),
            row.asked(|us| figure("us", us)) + if row.met() { "" } else { "  NOT MET" },
        ]
    });
    let mut out = Text::from("\n");
    let header = header.map(String::from).to_vec();
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
    out += Table::new(rows, &[0, 7]);
    out
}

fn proof(document: &PlanDocument) -> String {
    let Some(proof) = &document.certificate else { return String::new() };
    let rest = proof.offered - proof.examined;
    let tail = match rest {
        0 => "All VM sizes on offer were checked in full".to_string(),
        _ => format!(
            "{} of {} VM sizes were checked in full; the other {rest} cost more on their own or with the cheapest disks",
            proof.examined, proof.offered
        ),
    };
    format!("\nproof: no cheaper option (under {}) meets the demand. {tail}.\n", Money::of_amount(proof.bound))
}

/// Three designs side by side; nothing where all of them are the plan.
fn designs(document: &PlanDocument) -> Text {
    /// The column that says what a simulation found.
    const VERDICT: usize = 6;
    if document.designs.len() < 2 {
        return Text::new();
    }
    let worst = |plan: &PlanRow, of: fn(&VolumeRow) -> Option<u64>| latency(plan.volumes.iter().filter_map(of).max());
    let rows = document.designs.iter().map(|row| {
        let volumes: Vec<String> = row.plan.volumes.iter().map(|v| format!("{} {}", v.name, disks_of(v))).collect();
        vec![
            row.name(),
            Money::micros(row.plan.monthly_micros).to_string(),
            row.disks.to_string(),
            format!("{:.0} %", row.headroom_percent.floor()),
            worst(&row.plan, VolumeRow::read_latency),
            worst(&row.plan, VolumeRow::write_latency),
            row.verdict().into(),
            format!("{}: {}", row.plan.vm, volumes.join(" + ")),
        ]
    });
    let header = [
        "design",
        &document.currency,
        "disks",
        "headroom",
        "slowest read (estimate)",
        "slowest write (estimate)",
        "simulated",
        "VM and disks",
    ];
    let mut rows: Vec<Vec<String>> = rows.collect();
    rows.insert(0, header.map(String::from).to_vec());
    if document.designs.iter().all(|row| row.met.is_none()) {
        rows.iter_mut().for_each(|cells| drop(cells.remove(VERDICT)));
    }
    let mut out = Text::from("\n");
    out += Table::new(rows, &[0, VERDICT, VERDICT + 1]);
    for row in document.designs.iter().filter(|row| !row.design.contains(&Design::Balanced)) {
        if let Some(simulated) = &row.simulated {
            let _ = writeln!(out, "Design {}. {simulated}", row.name());
        }
    }
    out
}

/// What fewer disks and more headroom cost, where that is a choice.
fn curve(document: &PlanDocument) -> Text {
    let Some(curve) = &document.curve else { return Text::new() };
    let mut out = Text::new();
    let by_disks = thinned(&curve.by_disks);
    let by_headroom: Vec<&CurvePoint> = curve.by_headroom.iter().collect();
    let lines = [
        ("disks", by_disks, (|point: &CurvePoint| point.disks.to_string()) as fn(&CurvePoint) -> String),
        ("headroom", by_headroom, |point| format!("{:.0} %", point.headroom_percent)),
    ];
    for (what, points, of) in lines {
        if points.len() < 2 {
            continue;
        }
        let rows =
            points.iter().map(|point| vec![of(point), Money::of_amount(point.monthly).to_string(), point.plan.clone()]);
        let header = [what, &document.currency, "cheapest plan"].map(String::from).to_vec();
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
    let lines = document.savings.iter().map(|row| {
        let less = Money::of_amount(row.monthly);
        format!("{}: {less} {} less per month: {}", row.requirement, document.currency, row.plan)
    });
    under("what requirements cost: each planned as above, against the plan above", lines)
}

fn stages(document: &PlanDocument) -> String {
    let lines = document.stages.iter().map(|row| {
        let monthly = Money::of_amount(row.monthly);
        let changes: Vec<String> = row.changes.iter().map(ToString::to_string).collect();
        let changes = if changes.is_empty() { String::new() } else { format!(" ({})", changes.join("; ")) };
        format!(
            "year {}, from month {}: {monthly} {} per month: {}{changes}",
            row.year, row.from_month, document.currency, row.plan
        )
    });
    under(
        "bought year by year: each planned as above, with what is done to the year before; the last year is the plan above",
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
            plan.vm.clone(),
            volumes.join(" + "),
            Money::micros(plan.monthly_micros).to_string(),
            Money::micros(plan.monthly_micros).change_from(plan_cost).to_string(),
            plan.differs.as_ref().map_or(String::new(), ToString::to_string),
        ]
    });
    let mut out = Text::from("\n");
    out += columns(&["alternatives", "disks", &document.currency, "more", ""], rows, 2);
    out
}

/// Text in columns under a header; those from `right` on are flush right, but for bars, which have no header.
fn columns<const N: usize>(header: &[&str; N], rows: impl Iterator<Item = Vec<String>>, right: usize) -> Table {
    let left: Vec<usize> = (0..N).filter(|&column| column < right || header[column].is_empty()).collect();
    let header = header.iter().map(ToString::to_string).collect();
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
    Table::new(rows, &left)
}
