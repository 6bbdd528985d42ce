//! An explanation as plain data with a schema: what every format prints.

use dw_documents::LimitId;
use dw_planner::Limit;
use dw_planner::explain::{Change, Explanation, Missing, Pressure, Shows, is_broken};
use schemars::JsonSchema;
use serde::Serialize;

use super::sentences::{self, Said};
use crate::plan::{limit_name, unit};

/// What `explain --format json` prints.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExplainDocument {
    /// 1.
    pub schema_version: u32,
    /// The configuration in one line.
    pub rig: String,
    /// The finding in one line.
    pub finding: String,
    /// What it comes to.
    pub verdict: Verdict,
    /// Limits that bind, the one that binds most often first.
    pub binding: Vec<String>,
    /// Whether the limits are of a demand; else of what was measured.
    pub of_demand: bool,
    /// Every limit in order of a request's path.
    pub limits: Vec<LimitRow>,
    /// Each volume in the worst interval.
    pub volumes: Vec<VolumeRow>,
    /// What each measurement shows.
    pub measured: Vec<MeasuredRow>,
    /// Changes of one part that help, the cheapest that is enough first.
    pub changes: Vec<ChangeRow>,
    /// Recordings whose source was throttled: their true demand is higher.
    pub throttled_sources: Vec<String>,
    /// Evidence that would say more.
    pub missing: Vec<String>,
    /// What the answer rests on.
    pub assumptions: Vec<String>,
}

/// What an explanation comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The demand is met.
    Met,
    /// A limit binds.
    Limit,
    /// Too few requests are in flight.
    QueueDepth,
    /// The host cache serves few reads.
    Cache,
    /// It lives on burst credits.
    Credits,
    /// Requests take longer than the model says, and no limit is reached.
    Slow,
    /// No limit is reached, and more was not asked.
    NotAsked,
    /// The evidence does not say.
    Unknown,
}

/// A limit.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LimitRow {
    /// Its name.
    pub limit: String,
    /// Which limit of the model it is; absent = a constraint that no request meets, such as capacity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<LimitId>,
    /// The volume that it is about.
    pub volume: Option<String>,
    /// Its unit: IOPS, B/s, GiB, us.
    pub unit: String,
    /// What it gives, sustained.
    pub gives: f64,
    /// What it gives while burst credits last.
    pub burst: Option<f64>,
    /// Median of its load.
    pub p50: f64,
    /// 90th percentile.
    pub p90: f64,
    /// 99th percentile.
    pub p99: f64,
    /// Largest.
    pub max: f64,
    /// The largest load as a share of what it gives, in percent.
    pub used_percent: f64,
    /// Intervals in which more is asked than it gives, credits counted.
    pub exceeded: usize,
    /// Intervals in which it is the narrowest of all.
    pub narrowest: usize,
    /// It binds.
    pub binding: bool,
    /// What it would have to give.
    pub needed: f64,
    /// The longest that requests wait for what piled up before it, in seconds.
    pub backlog_s: Option<f64>,
    /// Its burst credits.
    pub credits: Option<CreditsRow>,
}

/// Burst credits, full at the start.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CreditsRow {
    /// When they are used up first, in seconds from the start.
    pub empty_at_s: Option<f64>,
    /// What is left at the end, in percent.
    pub left_percent: f64,
    /// For how long they last from the end on, if its load goes on, in seconds.
    pub last_s: Option<f64>,
    /// For how long full ones last at the largest load, in seconds.
    pub full_last_s: Option<f64>,
}

/// A volume in the worst interval.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VolumeRow {
    /// Its name.
    pub name: String,
    /// Requests per second that are asked for.
    pub asked_iops: u64,
    /// Bytes per second that are asked for.
    pub asked_bytes_per_s: u64,
    /// Requests per second that it gets.
    pub gets_iops: u64,
    /// Bytes per second that it gets.
    pub gets_bytes_per_s: u64,
    /// The share that it gets, in percent.
    pub gets_percent: f64,
    /// What stops it.
    pub limited_by: Option<String>,
    /// Requests in flight that its whole demand needs.
    pub queue_depth_needed: u64,
    /// Modelled mean latency of reads below every limit, in microseconds.
    pub read_latency_us: u64,
    /// The same of writes.
    pub write_latency_us: u64,
}

/// A measurement.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MeasuredRow {
    /// The volume.
    pub volume: String,
    /// What was measured there, in the result's own words.
    pub entries: Vec<String>,
    /// Reads per second.
    pub read_iops: u64,
    /// Writes per second.
    pub write_iops: u64,
    /// Bytes read a second.
    pub read_bytes_per_s: u64,
    /// Bytes written a second.
    pub write_bytes_per_s: u64,
    /// Requests that the load keeps outstanding.
    pub queue_depth: Option<u64>,
    /// What it shows.
    pub verdict: Verdict,
    /// The limit that is reached or would be next.
    pub limit: Option<String>,
    /// Requests in flight that would reach the next limit.
    pub queue_depth_needed: Option<u64>,
    /// In one sentence.
    pub sentence: String,
}

/// A change of one part.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChangeRow {
    /// What to change.
    pub change: String,
    /// Whether it is enough.
    pub enough: bool,
    /// Share of what is asked that is then carried, in percent.
    pub carried_percent: f64,
    /// So much more a month; absent where a price is not known.
    pub monthly: Option<f64>,
    /// Whose price is not known.
    pub unpriced: Vec<String>,
}

/// The schema.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(ExplainDocument).to_value()
}

fn percent(ppm: u32) -> f64 {
    (f64::from(ppm) / 1_000.0).floor() / 10.0
}

impl ExplainDocument {
    pub(super) fn of(said: &Said) -> ExplainDocument {
        let explanation = said.explanation;
        let verdict = verdict(explanation);
        ExplainDocument {
            schema_version: 1,
            rig: said.rig.clone(),
            finding: sentences::finding(said, verdict),
            verdict,
            binding: explanation.binding.iter().map(|limit| said.limit(*limit)).collect(),
            of_demand: explanation.of_demand,
            limits: limits(said),
            volumes: volumes(said),
            measured: measured(said),
            changes: explanation.changes.iter().map(|change| change_row(said, change)).collect(),
            throttled_sources: explanation.censored.iter().map(|one| sentences::throttled(said, one)).collect(),
            missing: explanation.missing.iter().map(|one: &Missing| sentences::missing(said, *one)).collect(),
            assumptions: sentences::assumptions(said),
        }
    }
}

fn verdict(explanation: &Explanation) -> Verdict {
    let is_met = explanation.of_demand && explanation.carried == 1_000_000 && !explanation.fixed.iter().any(is_broken);
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

pub(super) fn verdict_of(shows: &Shows) -> Verdict {
    match shows {
        Shows::Limit { .. } => Verdict::Limit,
        Shows::Credits { .. } => Verdict::Credits,
        Shows::Cache { .. } => Verdict::Cache,
        Shows::QueueDepth { .. } => Verdict::QueueDepth,
        Shows::Slow { .. } => Verdict::Slow,
        Shows::NotAsked => Verdict::NotAsked,
        Shows::Unknown => Verdict::Unknown,
    }
}

fn limits(said: &Said) -> Vec<LimitRow> {
    let explanation = said.explanation;
    let seconds = explanation.problem.interval.ns() as f64 / 1e9;
    let name = |limit: Limit| limit.volume().map(|place| explanation.problem.volumes[place].name.clone());
    let id = |limit: Limit| limit.id(|place| &explanation.problem.volumes[place].name);
    let row = |pressure: &Pressure| {
        let (unit, scale) = unit(pressure.limit);
        let [p50, p90, p99, max] = pressure.load.map(|load| load as f64 / scale);
        LimitRow {
            limit: pressure.limit.name(),
            id: id(pressure.limit),
            volume: name(pressure.limit),
            unit: unit.into(),
            gives: pressure.base as f64 / scale,
            burst: pressure.burst.map(|burst| burst as f64 / scale),
            p50,
            p90,
            p99,
            max,
            used_percent: used(pressure.load[3], pressure.base),
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
        let load = fixed.load[3] as f64 / scale;
        rows.push(LimitRow {
            limit: fixed.limit.name(),
            id: id(fixed.limit),
            volume: name(fixed.limit),
            unit: unit.into(),
            gives: fixed.capacity as f64 / scale,
            burst: None,
            p50: load,
            p90: load,
            p99: load,
            max: load,
            used_percent: used(fixed.load[3], fixed.capacity),
            exceeded: if is_broken(fixed) { explanation.problem.stamps } else { 0 },
            narrowest: 0,
            binding: explanation.binding.first() == Some(&fixed.limit),
            needed: load,
            backlog_s: None,
            credits: None,
        });
    }
    rows
}

fn used(load: u64, gives: u64) -> f64 {
    (load as f64 * 1_000.0 / gives.max(1) as f64).round() / 10.0
}

fn volumes(said: &Said) -> Vec<VolumeRow> {
    let part = |value: u64, share: u32| (u128::from(value) * u128::from(share) / 1_000_000) as u64;
    let named = said.explanation.served.iter().zip(&said.explanation.problem.volumes);
    let asked = named.filter(|(served, _)| served.asked.0 > 0);
    let row = |(served, volume): (&dw_planner::explain::Served, &dw_planner::problem::Volume)| VolumeRow {
        name: volume.name.clone(),
        asked_iops: served.asked.0,
        asked_bytes_per_s: served.asked.1,
        gets_iops: part(served.asked.0, served.share),
        gets_bytes_per_s: part(served.asked.1, served.share),
        gets_percent: percent(served.share),
        limited_by: served.by.map(|limit| limit_name(&said.explanation.problem, limit)),
        queue_depth_needed: served.depth,
        read_latency_us: served.latency_ns.0 / 1_000,
        write_latency_us: served.latency_ns.1 / 1_000,
    };
    asked.map(row).collect()
}

fn measured(said: &Said) -> Vec<MeasuredRow> {
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
            limit: limit.map(|limit| said.limit(limit)),
            queue_depth_needed: needed,
            sentence: sentences::shows(said, measured, shows),
        }
    });
    rows.collect()
}

fn change_row(said: &Said, change: &Change) -> ChangeRow {
    ChangeRow {
        change: sentences::change(said, change),
        enough: change.holds,
        carried_percent: percent(change.carried),
        monthly: change.monthly.map(|micros| dw_catalogue::MoneyChange::micros(micros).amount()),
        unpriced: change.unpriced.clone(),
    }
}
