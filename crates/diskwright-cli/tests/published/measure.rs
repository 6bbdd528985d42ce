//! Runs a claim as `diskwright simulate` does, and reads its figures from the result.

use std::path::Path;

use diskwright_cli::report::{self, Run};
use dw_catalogue::{Catalogue, LatencySetting};
use dw_formats::diskspd::{self, DiskSpdInput};
use dw_formats::fio::{self, FioInput, ReadOptions};
use dw_formats::iometer;
use dw_formats::scenario::{self, CacheStart, Scenario};
use dw_sim::{Progress, RunOptions};
use dw_units::Duration;
use serde_json::Value;

use crate::published::claims::{Claim, Figure};
use crate::published::facts;

/// What a claim came to.
pub struct Outcome {
    /// One value per figure, in its unit.
    pub values: Vec<f64>,
    /// The limits that hold volumes, in their order.
    pub held_by: Vec<String>,
    /// Why the scenario was refused, if it was.
    pub refused: Option<String>,
    /// For latencies, one a figure: optimistic, typical, cautious. Empty where the settings did not run.
    pub settings: Vec<[f64; 3]>,
}

/// Whether a value is what was published.
pub fn is_met(figure: &Figure, value: f64) -> bool {
    let slack = figure.published * figure.within / 100.0;
    // A hair of room for binary fractions of printed decimals.
    let slack = slack + 1e-9 * figure.published;
    if figure.at_least { value >= figure.published - slack } else { (value - figure.published).abs() <= slack }
}

/// Where a published latency lies among the three settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// The slowest that was printed is faster than the optimistic setting.
    BelowOptimistic,
    /// Not far from the optimistic setting, but faster than the typical one.
    OptimisticToTypical,
    /// The typical setting is what was printed, or lies in the interval that was.
    Typical,
    /// Slower than the typical setting, at most as slow as the cautious one.
    TypicalToCautious,
    /// The fastest that was printed is slower than the cautious setting: the defaults flatter.
    AboveCautious,
}

impl Where {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Where::BelowOptimistic => "below optimistic",
            Where::OptimisticToTypical => "optimistic to typical",
            Where::Typical => "typical",
            Where::TypicalToCautious => "typical to cautious",
            Where::AboveCautious => "above cautious",
        }
    }
}

/// Where the printed figure lies; its tolerance counts on both sides.
pub fn lies(figure: &Figure, [optimistic, typical, cautious]: [f64; 3]) -> Where {
    let slack = figure.within / 100.0;
    let low = figure.published * (1.0 - slack);
    let high = figure.published_max.unwrap_or(figure.published) * (1.0 + slack);
    match () {
        () if high < optimistic => Where::BelowOptimistic,
        () if high < typical => Where::OptimisticToTypical,
        () if low <= typical => Where::Typical,
        () if low <= cautious => Where::TypicalToCautious,
        () => Where::AboveCautious,
    }
}

impl Outcome {
    /// Whether a figure is what was published: among the settings where they ran for that, else within its tolerance.
    pub fn meets(&self, claim: &Claim, n: usize) -> bool {
        match self.settings.get(n).filter(|_| claim.settings) {
            Some(settings) => {
                !matches!(lies(&claim.figures[n], *settings), Where::BelowOptimistic | Where::AboveCautious)
            }
            None => is_met(&claim.figures[n], self.values[n]),
        }
    }

    /// Whether the limit that the claim names holds the load; `None` when it names none.
    pub fn names_the_limit(&self, claim: &Claim) -> Option<bool> {
        claim.binding.as_ref().map(|limit| self.held_by.first() == Some(limit))
    }

    /// What is wrong with it.
    pub fn faults(&self, claim: &Claim) -> Vec<String> {
        let mut faults = Vec::new();
        for (n, (figure, &value)) in claim.figures.iter().zip(&self.values).enumerate() {
            let shown =
                format!("{}: {}: {value} {}, published {}", claim.id, figure.name, figure.unit, figure.published);
            match (self.meets(claim, n), &figure.miss) {
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

/// Runs it; where latency was printed, at all three settings.
pub fn outcome(root: &Path, claim: &Claim) -> Outcome {
    let mut typical = outcome_at(root, claim, LatencySetting::Typical);
    let is_latency = |figure: &Figure| figure.unit == "ms";
    let wanted = claim.settings || claim.group == "measurements" && claim.figures.iter().any(is_latency);
    if wanted && typical.values.len() == claim.figures.len() {
        let [optimistic, cautious] =
            [LatencySetting::Optimistic, LatencySetting::Cautious].map(|setting| outcome_at(root, claim, setting));
        let all = optimistic.values.iter().zip(&typical.values).zip(&cautious.values);
        typical.settings = all.map(|((&optimistic, &typical), &cautious)| [optimistic, typical, cautious]).collect();
    }
    typical
}

fn outcome_at(root: &Path, claim: &Claim, setting: LatencySetting) -> Outcome {
    let none = |refused| Outcome { values: Vec::new(), held_by: Vec::new(), refused, settings: Vec::new() };
    let (rig, text) = match (&claim.rig, &claim.scenario) {
        (Some(rig), _) => (rig.as_str(), file(root, rig)),
        (None, Some(text)) => (claim.id.as_str(), text.clone()),
        (None, None) => {
            let plain = |figure: &Figure| match &figure.fact {
                Some(fact) => facts::value(fact),
                None => figure.sum.iter().sum(),
            };
            return Outcome { values: claim.figures.iter().map(plain).collect(), ..none(None) };
        }
    };
    let with = scenario::With { latency: Some(setting), ..scenario::With::default() };
    let mut scenario = match scenario::read_with(rig, &text, Catalogue::embedded(), &with) {
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
    let options = RunOptions {
        seed: scenario.stack.seed,
        exact: claim.exact,
        warm: scenario.warm_for(&jobs.workload),
        ..RunOptions::default()
    };
    let result = dw_sim::run(scenario.stack.clone(), &jobs.workload, &options, &Progress::default())
        .unwrap_or_else(|e| panic!("{}: {e}", claim.id));
    let start = scenario.start;
    let run = Run { scenario: &scenario, jobs: &jobs, result: &result, start, wall_s: None, error: None };
    let summary = report::summary(&run);
    let object = serde_json::to_value(&summary).unwrap();
    Outcome {
        values: claim.figures.iter().map(|f| value(claim, f, &object)).collect(),
        held_by: summary.binding_limits.into_iter().filter_map(|b| b.limit).collect(),
        refused: None,
        settings: Vec::new(),
    }
}

/// A file of the examples, or one next to the figures.
fn file(root: &Path, name: &str) -> String {
    let path = if name.starts_with("examples/") {
        root.join(name)
    } else {
        root.join("crates/diskwright-cli/tests/published").join(name)
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
    if let Some(fact) = &figure.fact {
        return facts::value(fact);
    }
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
        "h" => 3_600.0,
        _ => 1.0,
    }
}
