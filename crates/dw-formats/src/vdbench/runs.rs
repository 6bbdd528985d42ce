//! What a run definition runs: one run for each combination of its `for...` values and I/O rates.

use dw_messages::say;

use super::values::{list, number, seconds, size};
use super::words::{Definition, Parameter};
use crate::assembly::Assembly;
use crate::fio::report::WarningKind;

/// Runs of a file at most.
const RUNS_MAX: usize = 10_000;
/// Seconds of a run that says none.
const ELAPSED_S: u64 = 30;
/// Seconds of an interval at most where none is said: it is half of the elapsed time otherwise.
const INTERVAL_MAX_S: u64 = 60;

/// How requests of a rate follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gaps {
    Exponential,
    Even,
}

/// One run.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// Name of the definition, with what sets it apart from its other runs.
    pub label: String,
    /// What stands in place of the workload's own value, or of the storage's `threads`.
    pub overrides: Vec<(&'static str, String)>,
    /// I/Os per second of all workloads together; none = as many as possible.
    pub iorate: Option<f64>,
    pub gaps: Gaps,
    pub elapsed_s: u64,
    pub warmup_s: u64,
    pub pause_s: u64,
}

impl Run {
    /// The value that stands in place of the definitions' own.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.overrides.iter().find(|(k, _)| *k == key).map(|(_, value)| value.as_str())
    }
}

/// The runs of a definition, in their order.
pub(super) fn read(definition: &Definition, out: &mut Assembly) -> Vec<Run> {
    let time = |key: &str, out: &mut Assembly| {
        let p = definition.get(key)?;
        let text = p.one(out)?;
        seconds(text).map_err(|what| out.fail(&p.origin, what, "write seconds, or 5m, 2h")).ok()
    };
    let elapsed = time("elapsed", out).unwrap_or(ELAPSED_S);
    let interval = time("interval", out).unwrap_or((elapsed / 2).clamp(1, INTERVAL_MAX_S));
    // Without a warm-up the first interval of the elapsed time is not counted; with one elapsed begins behind it.
    let (warmup_s, elapsed_s) = match time("warmup", out) {
        Some(warmup) => (warmup, elapsed),
        None => (interval, elapsed.saturating_sub(interval)),
    };
    let base = Run {
        label: definition.name.clone(),
        overrides: Vec::new(),
        iorate: None,
        gaps: gaps(definition, out),
        elapsed_s,
        warmup_s,
        pause_s: time("pause", out).unwrap_or(0),
    };
    if base.elapsed_s == 0 {
        let origin = definition.get("elapsed").map_or(&definition.origin, |p| &p.origin);
        let hint = "write at least two intervals, or a warmup";
        out.fail(origin, "leaves no time that is counted: the first interval is not", hint);
    }
    for (key, what) in [("curve", "needs the rate of a run before it"), ("replay", "replays a trace")] {
        if let Some(p) = definition.get(key) {
            out.fail(&p.origin, what, "write iorate=(1000,2000,...), or `bench --suite latency-at-load`");
        }
    }
    if let Some(p) = definition.get("maxdata") {
        let hint = "omit it, or write its duration as elapsed";
        out.warn(WarningKind::Approximated, &p.origin, say!(JobMaxData), hint);
    }
    let mut runs = vec![base];
    for (at, p) in definition.all().iter().enumerate() {
        let Some(key) = replaces(p.key) else { continue };
        // The last one counts, as for all parameters: a run's own loop is in place of that of the defaults.
        if definition.all()[at + 1..].iter().any(|later| replaces(later.key) == Some(key)) {
            continue;
        }
        match choices(key, p) {
            Ok(values) => {
                let several = values.len() > 1;
                let with = |run: &Run| {
                    let each = values.iter().map(|value| {
                        let mut run = run.clone();
                        run.overrides.retain(|(k, _)| *k != key);
                        run.overrides.push((key, value.clone()));
                        if several {
                            run.label += &format!(" {key}={value}");
                        }
                        run
                    });
                    each.collect::<Vec<_>>()
                };
                runs = runs.iter().flat_map(with).take(RUNS_MAX + 1).collect();
            }
            Err(what) => out.fail(&p.origin, what, "write one value, a list (4k,8k), or a range (1-64,d)"),
        }
    }
    let rates = rates(definition, out);
    let several = rates.len() > 1;
    let with = |run: &Run| {
        let each = rates.iter().map(|rate| {
            let shown = rate.map_or("max".to_string(), |rate| rate.to_string());
            let label = if several { format!("{} iorate={shown}", run.label) } else { run.label.clone() };
            Run { iorate: *rate, label, ..run.clone() }
        });
        each.collect::<Vec<_>>()
    };
    let runs: Vec<Run> = runs.iter().flat_map(with).take(RUNS_MAX + 1).collect();
    if runs.len() > RUNS_MAX {
        out.fail(&definition.origin, format!("makes more than {RUNS_MAX} runs"), "loop over less");
    }
    runs
}

/// The parameter that a `for...` stands in place of; short names do the same.
fn replaces(key: &str) -> Option<&'static str> {
    let key = key.strip_prefix("for").unwrap_or(key);
    ["xfersize", "threads", "rdpct", "seekpct", "rhpct", "whpct"].into_iter().find(|name| *name == key)
}

fn choices(key: &str, p: &Parameter) -> Result<Vec<String>, String> {
    let whole = |text: &str| text.parse::<u64>().map_err(|_| format!("`{text}` is not a whole number"));
    match key {
        "xfersize" => list(&p.values, sectors).map(|all| all.iter().map(u64::to_string).collect()),
        "seekpct" if p.values.iter().any(|v| v.starts_with(|c: char| c.is_ascii_alphabetic() || c == '-')) => {
            Ok(p.values.clone())
        }
        _ => list(&p.values, whole).map(|all| all.iter().map(u64::to_string).collect()),
    }
}

/// Bytes of a request: whole sectors.
pub(super) fn sectors(text: &str) -> Result<u64, String> {
    match size(text)? {
        bytes if bytes % 512 == 0 => Ok(bytes),
        _ => Err(format!("`{text}` is not a multiple of 512 bytes")),
    }
}

fn rates(definition: &Definition, out: &mut Assembly) -> Vec<Option<f64>> {
    let Some(p) = definition.get("iorate") else {
        let hint = "write iorate=max, or a rate";
        out.fail(&definition.origin, "says no iorate", hint);
        return vec![None];
    };
    let one = |text: &str| match text.to_ascii_lowercase().as_str() {
        "max" => Ok(None),
        "curve" => Err("asks for a curve: rates that depend on the run before".to_string()),
        _ => match number(text)? {
            rate if rate > 0.0 => Ok(Some(rate)),
            _ => Err("is not a rate above 0".into()),
        },
    };
    let ranged = p.values[0].contains('-');
    let whole = |text: &str| text.parse::<u64>().map_err(|_| format!("`{text}` is not a whole number"));
    let all: Result<Vec<Option<f64>>, String> = if ranged {
        list(&p.values, whole).map(|all| all.into_iter().map(|rate| Some(rate as f64)).collect())
    } else {
        p.values.iter().map(|text| one(text)).collect()
    };
    all.unwrap_or_else(|what| {
        out.fail(
            &p.origin,
            what,
            "write iorate=max, a rate, or a list (1000,2000); `bench --suite latency-at-load` draws a curve",
        );
        vec![None]
    })
}

fn gaps(definition: &Definition, out: &mut Assembly) -> Gaps {
    let Some(p) = definition.get("distribution") else { return Gaps::Exponential };
    let mut gaps = Gaps::Exponential;
    for value in &p.values {
        let value = value.to_ascii_lowercase();
        let is = |word: &str| !value.is_empty() && word.starts_with(&value);
        if is("deterministic") {
            gaps = Gaps::Even;
        } else if is("uniform") {
            let what = say!(JobUniformGaps);
            out.warn(WarningKind::Approximated, &p.origin, what, "write deterministic or exponential");
        } else if !is("exponential") {
            out.fail(&p.origin, format!("`{value}` is not modelled"), "write exponential, deterministic or uniform");
        }
    }
    gaps
}
