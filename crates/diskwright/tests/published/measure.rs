//! Runs a claim as `diskwright simulate` does, and reads its figures from the result.

use std::path::Path;

use diskwright::report::{self, Run};
use dw_catalogue::Catalogue;
use dw_formats::diskspd::{self, DiskSpdInput};
use dw_formats::fio::{self, FioInput, ReadOptions};
use dw_formats::iometer;
use dw_formats::scenario::{self, CacheStart, Scenario};
use dw_sim::{Progress, RunOptions};
use dw_units::Duration;
use serde_json::Value;

use crate::claims::{Claim, Figure};

/// What a claim came to.
pub struct Outcome {
    /// One value a figure, in its unit.
    pub values: Vec<f64>,
    /// The limits that hold volumes, in their order.
    pub held_by: Vec<String>,
    /// Why the scenario was refused, if it was.
    pub refused: Option<String>,
}

/// Whether a value is what was published.
pub fn is_met(figure: &Figure, value: f64) -> bool {
    let slack = figure.published * figure.within / 100.0;
    // A hair of room for binary fractions of printed decimals.
    let slack = slack + 1e-9 * figure.published;
    if figure.at_least { value >= figure.published - slack } else { (value - figure.published).abs() <= slack }
}

impl Outcome {
    /// Whether the limit that the claim names holds the load; `None` when it names none.
    pub fn names_the_limit(&self, claim: &Claim) -> Option<bool> {
        claim.binding.as_ref().map(|limit| self.held_by.first() == Some(limit))
    }

    /// What is wrong with it.
    pub fn faults(&self, claim: &Claim) -> Vec<String> {
        let mut faults = Vec::new();
        for (figure, &value) in claim.figures.iter().zip(&self.values) {
            let shown =
                format!("{}: {}: {value} {}, published {}", claim.id, figure.name, figure.unit, figure.published);
            match (is_met(figure, value), &figure.miss) {
                (false, None) => faults.push(format!("{shown}: missed by more than {} %", figure.within)),
                (true, Some(_)) => faults.push(format!("{shown}: within {} %: not a miss any more", figure.within)),
                _ => {}
            }
        }
        match (self.names_the_limit(claim), &claim.binding_miss) {
            (Some(false), None) => {
                faults.push(format!("{}: held by {:?}, not by {:?}", claim.id, self.held_by, claim.binding))
            }
            (Some(true) | None, Some(_)) => faults.push(format!("{}: `binding_miss` is none (any more)", claim.id)),
            _ => {}
        }
        match (&claim.refused, &self.refused) {
            (Some(text), Some(message)) if !message.contains(text) => {
                faults.push(format!("{}: refused with `{message}`", claim.id));
            }
            (Some(_), None) => faults.push(format!("{}: not refused", claim.id)),
            (None, Some(message)) => faults.push(format!("{}: refused: {message}", claim.id)),
            _ => {}
        }
        faults
    }
}

/// Runs it.
pub fn outcome(root: &Path, claim: &Claim) -> Outcome {
    let none = |refused| Outcome { values: Vec::new(), held_by: Vec::new(), refused };
    let Some(rig) = &claim.rig else {
        return Outcome { values: claim.figures.iter().map(|f| f.sum.iter().sum()).collect(), ..none(None) };
    };
    let text = file(root, rig);
    let mut scenario = match scenario::read(rig, &text, Catalogue::embedded()) {
        Ok(scenario) => scenario,
        Err(errors) => {
            let messages: Vec<String> = errors.0.iter().map(|e| e.what.clone()).collect();
            return none(Some(messages.join("; ")));
        }
    };
    if claim.job.is_none() && claim.diskspd.is_none() {
        return none(None);
    }
    if let Some(start) = &claim.start {
        scenario.start = if start == "warm" { CacheStart::Warm } else { CacheStart::Cold };
    }
    let mut jobs = match (&claim.diskspd, &claim.job) {
        (Some(line), _) => command_line(claim, &scenario, line),
        (None, job) => jobs(root, claim, &scenario, job.as_deref().unwrap_or_default()),
    };
    for job in jobs.workload.jobs.iter_mut().filter(|_| claim.ramp_s.is_some()) {
        job.ramp = Duration::from_secs(claim.ramp_s.unwrap_or_default());
    }
    let options =
        RunOptions { seed: scenario.stack.seed, warm: scenario.warm_for(&jobs.workload), ..RunOptions::default() };
    let result = dw_sim::run(scenario.stack.clone(), &jobs.workload, &options, &Progress::default())
        .unwrap_or_else(|e| panic!("{}: {e}", claim.id));
    let run = Run { scenario: &scenario, jobs: &jobs, result: &result, start: scenario.start, wall_s: 0.0 };
    let summary = report::summary(&run);
    let mut object = serde_json::to_value(&summary).unwrap();
    let billed: u64 = result.tally.volumes.iter().map(|v| v.on_demand_transactions).sum();
    object["on_demand_transactions"] = Value::from(billed);
    Outcome {
        values: claim.figures.iter().map(|f| value(claim, f, &object)).collect(),
        held_by: summary.binding_limits.into_iter().filter_map(|b| b.limit).collect(),
        refused: None,
    }
}

/// A file of the examples, or one beside the figures.
fn file(root: &Path, name: &str) -> String {
    let path = if name.starts_with("examples/") {
        root.join(name)
    } else {
        root.join("crates/diskwright/tests/published").join(name)
    };
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn jobs(root: &Path, claim: &Claim, scenario: &Scenario, job: &str) -> fio::FioJobs {
    if job.ends_with(".icf") {
        return iometer::read(job, &file(root, job), &scenario.volume_maps(), scenario.stack.seed)
            .unwrap_or_else(|errors| panic!("{}: {errors}", claim.id));
    }
    let input = FioInput {
        files: &[(job.to_string(), file(root, job))],
        overrides: &[],
        env: &|name| claim.env.get(name).cloned(),
        volumes: &scenario.volume_maps(),
        options: ReadOptions::default(),
        seed: scenario.stack.seed,
    };
    fio::read(&input).unwrap_or_else(|errors| panic!("{}: {errors:?}", claim.id))
}

fn command_line(claim: &Claim, scenario: &Scenario, line: &str) -> fio::FioJobs {
    let input = DiskSpdInput {
        source: diskspd::Source::CommandLine(line),
        volumes: &scenario.volume_maps(),
        seed: scenario.stack.seed,
        read_profile: &|_| Err(std::io::Error::other("no profile is named here")),
    };
    diskspd::read(&input).unwrap_or_else(|errors| panic!("{}: {errors}", claim.id))
}

/// Follows the figure's path into the result.
fn value(claim: &Claim, figure: &Figure, object: &Value) -> f64 {
    let path = figure.measure.as_ref().unwrap_or_else(|| panic!("{}: {} has no measure", claim.id, figure.name));
    let found = path.split('/').try_fold(object, |at, key| match at {
        Value::Array(entries) => entries.iter().find(|e| e["limit"] == key || e["name"] == key),
        other => other.get(key),
    });
    let number = found.and_then(Value::as_f64).unwrap_or_else(|| panic!("{}: no number at {path}", claim.id));
    number / scale(&figure.unit)
}

/// The result is in I/Os, bytes, seconds and, for latencies, nanoseconds.
fn scale(unit: &str) -> f64 {
    match unit {
        "MB/s" | "MB" | "ms" => 1e6,
        "MiB/s" => 1_048_576.0,
        _ => 1.0,
    }
}
