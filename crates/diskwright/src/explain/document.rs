//! An explanation as plain data with a schema: what every format prints.

use dw_documents::LimitOf;
pub use dw_documents::explain::*;
use dw_planner::Limit;
use dw_planner::explain::{Change, Explanation, Missing, Pressure, Shows, is_broken};

use super::first_touch::Untouched;
use super::sentences::{self, ExplanationContext};
use crate::plan::{limit_name, unit};

fn percent(ppm: u32) -> f64 {
    (f64::from(ppm) / 1_000.0).floor() / 10.0
}

/// The document of an explanation.
pub fn build(said: &ExplanationContext) -> ExplainDocument {
    let explanation = said.explanation;
    let verdict = verdict(said);
    ExplainDocument {
        schema_version: dw_documents::SCHEMA_VERSION,
        document: Default::default(),
        rig: said.rig.clone(),
        finding: sentences::finding(said, verdict),
        verdict,
        binding: binding(said),
        of_demand: explanation.of_demand,
        limits: limits(said),
        volumes: volumes(said),
        measured: measured(said),
        changes: explanation.changes.iter().map(|change| change_row(said, change)).collect(),
        new_plan: said.new_plan.clone(),
        throttled_sources: explanation.censored.iter().map(|one| sentences::throttled(said, one)).collect(),
        missing: explanation.missing.iter().map(|one: &Missing| sentences::missing(said, *one)).collect(),
        anti_patterns: explanation
            .habits
            .iter()
            .map(|(volume, habit)| sentences::habit(said, *volume, *habit))
            .collect(),
        assumptions: sentences::assumptions(said, verdict),
    }
}

fn verdict(said: &ExplanationContext) -> Verdict {
    match of_evidence(said.explanation) {
        // Data that are not there keep a demand from being met where the limits do not.
        Verdict::Met | Verdict::CutOff if said.first_touch().is_some() => Verdict::Limit,
        Verdict::Met if said.is_cut_off() => Verdict::CutOff,
        verdict => verdict,
    }
}

/// Limits that bind, and behind them data that are not there.
fn binding(said: &ExplanationContext) -> Vec<String> {
    let limits = said.explanation.binding.iter().map(|limit| said.limit(*limit).to_string());
    let touched = said.untouched.iter().filter(|own| own.binds()).map(|own| own.id().to_string());
    limits.chain(touched).collect()
}

/// Whether the limits carry all that is asked.
pub fn is_carried(explanation: &Explanation) -> bool {
    explanation.carried == 1_000_000 && !explanation.fixed.iter().any(is_broken)
}

fn of_evidence(explanation: &Explanation) -> Verdict {
    let is_met = explanation.of_demand && is_carried(explanation);
    let shown: Vec<Verdict> = explanation.shows.iter().map(|(_, shows)| verdict_of(shows)).collect();
    let of_demand = explanation.of_demand.then_some(if is_met { Verdict::Met } else { Verdict::Limit });
    match (of_demand, shown.as_slice()) {
        (Some(Verdict::Limit), _) | (None, []) => Verdict::Limit,
        (Some(met), []) => met,
        // With both, a demand that could be met and is not shown to be: what the measurement says counts.
        (_, shown) => {
            let order = [
                Verdict::Limit,
                Verdict::Cache,
                Verdict::Sync,
                Verdict::QueueDepth,
                Verdict::Credits,
                Verdict::Slow,
                Verdict::NotAsked,
                Verdict::Unknown,
            ];
            order.into_iter().find(|one| shown.contains(one)).unwrap_or(Verdict::Unknown)
        }
    }
}

fn verdict_of(shows: &Shows) -> Verdict {
    match shows {
        Shows::Limit { .. } => Verdict::Limit,
        Shows::Credits { .. } => Verdict::Credits,
        Shows::Cache { .. } => Verdict::Cache,
        Shows::Sync { .. } => Verdict::Sync,
        Shows::QueueDepth { .. } => Verdict::QueueDepth,
        Shows::Slow { .. } => Verdict::Slow,
        Shows::NotAsked => Verdict::NotAsked,
        Shows::Unknown => Verdict::Unknown,
    }
}

fn limits(said: &ExplanationContext) -> Vec<LimitRow> {
    let explanation = said.explanation;
    let seconds = explanation.problem.seconds();
    let name = |place: usize| explanation.problem.volumes[place].name.as_str();
    let of = |limit: Limit, unit: &str| LimitOf {
        limit: limit.name(&explanation.problem),
        id: limit.id(&explanation.problem),
        volume: limit.volume().map(|place| name(place).to_string()),
        unit: unit.into(),
    };
    let row = |pressure: &Pressure| {
        let (unit, scale) = unit(pressure.limit);
        LimitRow {
            of: of(pressure.limit, unit),
            gives: pressure.base as f64 / scale,
            burst: pressure.burst.map(|burst| burst as f64 / scale),
            asked: pressure.load.map(|load| load as f64 / scale).into(),
            used_percent: (pressure.used as f64 / 1e3).round() / 10.0,
            exceeded: pressure.exceeded,
            narrowest: pressure.narrowest,
            binding: explanation.binding.first() == Some(&pressure.limit),
            needed: pressure.needed as f64 / scale,
            backlog_s: pressure.backlog_s,
            credits: pressure.credits.map(|credits| CreditsRow {
                empty_at_s: credits.empty_at.map(|stamp| stamp as f64 * seconds),
                left_percent: percent(credits.left),
                last_s: credits.lasts_s,
                full_last_s: credits.full_lasts_s,
            }),
        }
    };
    let mut rows: Vec<LimitRow> = explanation.limits.iter().map(row).collect();
    // What does not change over time is said only where something is asked of it.
    for fixed in explanation.fixed.iter().filter(|_| explanation.of_demand) {
        let (unit, scale) = unit(fixed.limit);
        rows.push(LimitRow {
            of: of(fixed.limit, unit),
            gives: fixed.capacity as f64 / scale,
            burst: None,
            asked: fixed.load.map(|load| load as f64 / scale).into(),
            used_percent: used(fixed.held, fixed.capacity),
            exceeded: if is_broken(fixed) { explanation.problem.stamps } else { 0 },
            narrowest: 0,
            binding: explanation.binding.first() == Some(&fixed.limit),
            needed: fixed.held as f64 / scale,
            backlog_s: None,
            credits: None,
        });
    }
    let first = said.untouched.iter().position(Untouched::binds).filter(|_| explanation.binding.is_empty());
    rows.extend(said.untouched.iter().enumerate().filter_map(|(at, own)| own.row(first == Some(at))));
    rows
}

fn used(load: u64, gives: u64) -> f64 {
    (load as f64 * 1_000.0 / gives.max(1) as f64).round() / 10.0
}

fn volumes(said: &ExplanationContext) -> Vec<VolumeRow> {
    let part = |value: u64, share: u32| (u128::from(value) * u128::from(share) / 1_000_000) as u64;
    let named = said.explanation.served.iter().zip(&said.explanation.problem.volumes);
    let asked = named.filter(|(served, _)| served.asked.0 > 0);
    let row = |(served, volume): (&dw_planner::explain::Served, &dw_planner::problem::Volume)| {
        let by = served.by.map(|limit| limit_name(&said.explanation.problem, limit).to_string());
        // Before its data are there a volume gives what first touches leave, if that is less.
        let touched = said.untouched.iter().find_map(|own| Some((own.holds(&volume.name)?, own)));
        let (share, limited_by) = match touched.filter(|(share, _)| *share < served.share) {
            Some((share, own)) => (share, Some(own.id().to_string())),
            None => (served.share, by),
        };
        VolumeRow {
            name: volume.name.clone(),
            asked_iops: served.asked.0,
            asked_bytes_per_s: served.asked.1,
            gets_iops: part(served.asked.0, share),
            gets_bytes_per_s: part(served.asked.1, share),
            gets_percent: percent(share),
            limited_by,
            queue_depth_needed: served.depth,
            read_latency_us: served.latency_ns.0 / 1_000,
            write_latency_us: served.latency_ns.1 / 1_000,
        }
    };
    asked.map(row).collect()
}

fn measured(said: &ExplanationContext) -> Vec<MeasuredRow> {
    let rows = said.explanation.shows.iter().map(|(measured, shows)| {
        let (limit, needed) = match shows {
            Shows::Limit { limit, .. } | Shows::Credits { limit, .. } => (Some(*limit), None),
            Shows::QueueDepth { next, needed, .. } => (next.map(|next| next.0), Some(*needed)),
            _ => (None, None),
        };
        MeasuredRow {
            volume: said.explanation.problem.volumes[measured.volume].name.clone(),
            entries: said.entries.get(&measured.volume).cloned().unwrap_or_default(),
            read_iops: measured.rates.reads,
            write_iops: measured.rates.writes,
            read_bytes_per_s: measured.rates.read_bytes,
            write_bytes_per_s: measured.rates.write_bytes,
            queue_depth: measured.queue_depth,
            verdict: verdict_of(shows),
            limit: limit.map(|limit| said.limit(limit).to_string()),
            queue_depth_needed: needed,
            sentence: sentences::shows(said, measured, shows),
        }
    });
    rows.collect()
}

fn change_row(said: &ExplanationContext, change: &Change) -> ChangeRow {
    ChangeRow {
        change: sentences::change(said, change),
        enough: change.holds,
        carried_percent: percent(change.carried),
        monthly: change.monthly.map(|micros| dw_catalogue::MoneyChange::micros(micros).amount()),
        unpriced: change.unpriced.clone(),
        needs: Some(change.needs),
        gives_up: change.gives_up,
        simulated: sentences::proof(change),
    }
}
