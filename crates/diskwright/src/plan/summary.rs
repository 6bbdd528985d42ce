//! A plan in ten lines: what whoever decides reads first.
//!
//! Everything in it stands in the document, too; what it leaves out is counted by its layout (`dw_documents::summary`).

use dw_catalogue::Money;
use dw_demand::HOURS_A_MONTH;
use dw_demand::wishes::Role;
use dw_documents::plan::{ColdRow, PlanDocument, PlanRow, VolumeRow};
use dw_documents::summary::{About, COLUMNS, Part, Summary, VOLUMES};
use dw_documents::verdict::{CheckOf, State};
use dw_messages::{Arg, Figure, Sentence, say};
use dw_planner::Plan;

use super::PlanInput;
use super::simulated::{SERVED, time};
use super::words::{figure_of, uncommitted};
use crate::figures::{hours, money, money_in, percent};

/// Columns that a volume's line has beside its label, in English.
const ROOM: usize = COLUMNS - 9;
/// A name is not shortened to less.
const NAME_LEAST: usize = 8;

/// Messages of assumptions that say what could go wrong.
const RISKS: [&str; 8] = [
    "plan-commitment-ended",
    "plan-closed",
    "plan-limited",
    "plan-preview",
    "plan-retires",
    "plan-os-on-hdd",
    "plan-local-disk",
    "plan-wide-stripes",
];

/// Of a document that has all else.
pub(super) fn of(input: &PlanInput, document: &PlanDocument, best: Option<&Plan>) -> Summary {
    let part = |about, says| Part { about, says };
    let parts = match document.plan.as_ref().zip(best) {
        Some((row, plan)) => vec![
            part(About::Verdict, verdict(document)),
            part(About::Machine, vec![machine(input, row, plan)]),
            part(About::Volumes, volumes(&row.volumes)),
            part(About::Price, price(input, document, row, plan)),
            part(About::Limit, limit(document)),
            part(About::Risk, risks(document, row)),
            part(About::Next, vec![say!(SummaryNext)]),
        ],
        None => {
            let conflict = document.conflict.as_ref();
            let mut next = conflict.map_or_else(Vec::new, |conflict| conflict.would_meet.clone());
            if next.is_empty() {
                next.push(say!(SummaryNextNothing));
            }
            vec![
                part(About::Verdict, verdict(document)),
                part(About::Limit, conflict.map_or_else(Vec::new, |conflict| conflict.limits.clone())),
                part(About::Nearest, nearest(document)),
                part(About::Next, next),
            ]
        }
    };
    Summary { parts }
}

/// The state with its first reason, then the others.
fn verdict(document: &PlanDocument) -> Vec<Sentence> {
    let Some(verdict) = &document.verdict else { return Vec::new() };
    let worst = verdict.checks.iter().filter(|check| check.state == verdict.state);
    let mut why = worst.flat_map(|check| check.why.iter().cloned());
    let first = match (verdict.state, why.next()) {
        (State::MetWithCondition, Some(condition)) => say!(SummaryMetIf { condition }),
        (State::NotMet, Some(reason)) => say!(SummaryNotMet { reason }),
        _ => verdict.answer.clone(),
    };
    std::iter::once(first).chain(why).collect()
}

fn machine(input: &PlanInput, row: &PlanRow, plan: &Plan) -> Sentence {
    let (vm, wishes) = (&input.built.problem.vms[plan.vm], input.wishes);
    let size = if wishes.nodes > 1 { format!("{} x {}", wishes.nodes, row.vm) } else { row.vm.clone() };
    let place = match &wishes.zone {
        Some(zone) => format!("{}-{zone}", wishes.region),
        None => wishes.region.clone(),
    };
    let memory = figure_of("MiB", vm.memory_mib.unwrap_or(0) as f64);
    let system = if wishes.windows { "Windows" } else { "Linux" };
    say!(SummaryMachine { size, place, processors: vm.vcpu, memory, system })
}

/// A line a volume; those that have none are one line together.
fn volumes(all: &[VolumeRow]) -> Vec<Sentence> {
    let shown = if all.len() > VOLUMES { VOLUMES - 1 } else { all.len() };
    let (shown, rest) = all.split_at(shown);
    let mut lines: Vec<Sentence> = shown.iter().map(volume).collect();
    if !rest.is_empty() {
        let cost: Money = rest.iter().map(|row| Money::of_amount(row.monthly)).sum();
        let disks: u32 = rest.iter().map(|row| row.disks).sum();
        lines.push(say!(SummaryMoreVolumes { volumes: rest.len(), disks, monthly: money(cost) }));
    }
    lines
}

fn volume(row: &VolumeRow) -> Sentence {
    let (monthly, cache) = (money(Money::of_amount(row.monthly)), row.host_cache.as_str());
    let said = |volume: String| match row.disks_said() {
        None => say!(SummaryVolumeLocal { volume }),
        Some(disks) if cache == "None" => say!(SummaryVolume { volume, disks, monthly: monthly.clone() }),
        Some(disks) => say!(SummaryVolumeWith { volume, disks, cache, monthly: monthly.clone() }),
    };
    let line = said(row.name.clone());
    let (length, name) = (line.text.chars().count(), row.name.chars().count());
    if length <= ROOM {
        return line;
    }
    let kept = (name + ROOM).saturating_sub(length + 1).max(NAME_LEAST);
    if kept >= name { line } else { said(row.name.chars().take(kept).collect::<String>() + "…") }
}

fn price(input: &PlanInput, document: &PlanDocument, row: &PlanRow, plan: &Plan) -> Vec<Sentence> {
    let (wishes, of_vm) = (input.wishes, Money::of_amount(row.vm_monthly));
    let all = Money::micros(row.monthly_micros);
    let licences: Money = row.licences.iter().map(|row| Money::of_amount(row.monthly)).sum();
    let of_disks = all.saturating_sub(of_vm).saturating_sub(licences);
    let (monthly, vm, disks) = (money_in(all, &document.currency), money(of_vm), money(of_disks));
    let nodes = u64::from(wishes.nodes.max(1));
    let mut lines = vec![match nodes {
        1 => say!(SummaryPrice { monthly, vm, disks }),
        _ => say!(SummaryPriceNodes { all: money_in(all * nodes, &document.currency), nodes, monthly, vm, disks }),
    }];
    if licences > Money::ZERO {
        lines.push(say!(SummaryLicences { monthly: money(licences) }));
    }
    lines.push(match (wishes.commitment(), uncommitted(input, plan)) {
        (_, Some(to)) => say!(SummaryUncommitted { commitment: to.key() }),
        (Some(to), None) => say!(SummaryCommitted { commitment: to.key() }),
        (None, None) => say!(SummaryPayAsYouGo),
    });
    if !wishes.running().is_always() {
        lines.push(say!(SummaryHours { hours: hours(wishes.running()), all: HOURS_A_MONTH }));
    }
    let beside: Money = document.bill.iter().filter_map(|row| row.monthly).map(Money::of_amount).sum();
    if beside > Money::ZERO {
        lines.push(say!(SummaryBeside { monthly: money(beside) }));
    }
    let without = document.bill.iter().filter(|row| row.monthly.is_none()).count();
    if without > 0 {
        lines.push(say!(SummaryNotIn { lines: without }));
    }
    let origin = &input.built.market.vm_prices[plan.vm];
    if !origin.is_asked() {
        lines.push(say!(SummaryListPrices { edition: &origin.edition }));
    }
    lines
}

/// The bottleneck with what it carries, and when it throttles.
fn limit(document: &PlanDocument) -> Vec<Sentence> {
    let row = document.limits.iter().find(|row| row.binding);
    let bottleneck = row.map(|row| {
        let of = |value| figure_of(&row.of.unit, value);
        let left = Figure::new(row.headroom_percent, "%", dw_documents::format::headroom(row.headroom_percent));
        say!(SummaryLimit { limit: &row.of, load: of(row.load()), capacity: of(row.capacity), left })
    });
    let beyond = document.simulated.as_ref().and_then(|simulated| simulated.beyond.as_ref());
    let beyond = beyond.map(|beyond| {
        let factor = Figure::decimal(beyond.factor, 2, "");
        match row.is_some_and(|row| row.of.id.as_ref() == Some(&beyond.first)) {
            true => say!(SummaryThrottles { factor }),
            false => say!(SummaryBeyond { factor, limit: &beyond.first }),
        }
    });
    bottleneck.into_iter().chain(beyond).collect()
}

fn risks(document: &PlanDocument, row: &PlanRow) -> Vec<Sentence> {
    // What is a condition of the verdict stands there.
    let is_said =
        |of| document.verdict.as_ref().and_then(|v| v.check(of)).is_some_and(|check| check.state != State::Met);
    let is_cold = |row: &&ColdRow| row.first_iops < SERVED * row.promised_iops;
    let cold = document.simulated.iter().flat_map(|simulated| &simulated.cold);
    let cold = cold.filter(|row| !is_said(CheckOf::Reboot) && is_cold(row)).map(|row| {
        let share = percent((row.first_iops * 100.0 / row.promised_iops.max(1.0)).min(100.0));
        say!(SummaryCold { volume: &row.volume, share, first: time(row.first_s) })
    });
    let assumed = RISKS.iter().flat_map(|id| document.assumptions.iter().filter(move |line| line.id == **id));
    let is_about = |line: &Sentence, arg, name: &str| matches!(line.args.get(arg), Some(Arg::Text(own)) if own == name);
    let is_of_plan = |line: &Sentence| match &*line.id {
        "plan-retires" => is_about(line, "size", &row.vm),
        // What is temporary is lost by its nature.
        "plan-local-disk" => {
            let mut temporary = row.volumes.iter().filter(|volume| volume.role == Role::Tempdb.word());
            !temporary.any(|volume| is_about(line, "volume", &volume.name))
        }
        _ => true,
    };
    let own = assumed.filter(|line| is_of_plan(line)).cloned();
    let cautious = document.assumptions.iter().filter_map(slow_disks);
    let outgrown = row.breaks_in_year.map(|year| say!(SummaryOutgrown { year }));
    cold.chain(own).chain(cautious).chain(outgrown).collect()
}

/// The same as the assumption about slower disks, in fewer words.
fn slow_disks(line: &Sentence) -> Option<Sentence> {
    let arg = |name| line.args.get(name);
    match (line.id == "plan-cautious", arg("limit"), arg("latency"), arg("most")) {
        (true, Some(Arg::Limit(limit)), Some(Arg::Figure(latency)), Some(Arg::Figure(most))) => {
            let (limit, latency, most) = (limit.clone(), latency.clone(), most.clone());
            Some(say!(SummaryCautious { limit, latency, most }))
        }
        _ => None,
    }
}

fn nearest(document: &PlanDocument) -> Vec<Sentence> {
    let Some(conflict) = &document.conflict else { return Vec::new() };
    let (Some(percent), Some(plan)) = (conflict.nearest_percent, &conflict.nearest) else { return Vec::new() };
    let share = Figure::decimal(percent, 1, "%");
    let monthly = conflict.nearest_monthly.map(|monthly| money(Money::of_amount(monthly)));
    let line = match monthly {
        Some(monthly) => say!(SummaryNearest { share, monthly, plan }),
        None => say!(Plain { text: plan }),
    };
    std::iter::once(line).chain(conflict.nearest_misses.iter().cloned()).collect()
}
