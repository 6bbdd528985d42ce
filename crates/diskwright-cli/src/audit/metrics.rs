//! `--metrics`: recordings of an estate, and what comes of them.

use std::path::{Path, PathBuf};

use diskwright::audit::{Metric, RecordedEstate};
use dw_documents::estate::{PlannedEstate, PlannedMachine, Wave};
use dw_error::{Error, Result};
use dw_estate::{Estate, StripeFile};
use dw_messages::{Figure, Sentence, label, labels, say};

use crate::in_use::session;
use crate::language::{heads, spoken, taken};
use crate::report::{Table, Text, format};
use crate::{input, system};

/// Names that a sentence lists.
const LISTED: usize = 5;

/// Every machine with a recording in the folder, perhaps planned.
pub fn recorded(folder: &Path, estate: &Estate, stripes: &StripeFile, plans: bool) -> Result<RecordedEstate> {
    let mut paths = Vec::new();
    below(folder, &mut Vec::new(), &mut paths)?;
    paths.sort();
    if paths.is_empty() {
        return Err(Error::input("the folder has no file")
            .hint("export recordings into it")
            .of_file(input::name(folder)));
    }
    let metric = |(path, folders): (PathBuf, Vec<String>)| {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        Metric { name: input::name(&path), called: stem.into_iter().chain(folders.into_iter().rev()).collect() }
    };
    let metrics: Vec<Metric> = paths.into_iter().map(metric).collect();
    session().recorded_estate(estate, stripes, &metrics, plans)
}

/// Files below a folder with the folders around them, what is hidden left out.
fn below(folder: &Path, around: &mut Vec<String>, found: &mut Vec<(PathBuf, Vec<String>)>) -> Result<()> {
    for entry in std::fs::read_dir(folder).map_err(|e| system::unreadable(folder, &e))? {
        let Ok(entry) = entry else { continue };
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        // Where a link leads is nobody's folder of recordings.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => {
                around.push(name);
                below(&entry.path(), around, found)?;
                around.pop();
            }
            Ok(kind) if kind.is_file() => found.push((entry.path(), around.clone())),
            _ => {}
        }
    }
    Ok(())
}

/// What all come to, for a summary.
pub fn summary(planned: &PlannedEstate) -> Vec<Sentence> {
    let (today, then, machines) = planned.monthly();
    let money = |amount: f64| Figure::new(amount, "USD", format!("{} USD", format::grouped(amount.round())));
    let mut all = vec![say!(EstatePlanned { machines, monthly: money(today), planned: money(then) })];
    if !planned.unrecorded.is_empty() {
        let more = planned.unrecorded.len() > LISTED;
        let names = planned.unrecorded.iter().take(LISTED).cloned().chain(more.then(|| "...".to_string()));
        let names: Vec<String> = names.collect();
        all.push(say!(EstateUnrecorded { machines: planned.unrecorded.len(), names }));
    }
    if !planned.unmatched.is_empty() {
        all.push(say!(EstateUnmatched { recordings: planned.unmatched.len() }));
    }
    all
}

/// What a machine's move needs, in a word.
fn wave(one: &PlannedMachine) -> &'static str {
    spoken().label(match (one.wave, &one.why_not) {
        (_, Some(_)) => label!("no plan"),
        (None, None) => label!("unknown"),
        (Some(Wave::Nothing), None) => label!("nothing to change"),
        (Some(Wave::InPlace), None) => label!("in place"),
        (Some(Wave::Restart), None) => label!("restart"),
        (Some(Wave::Migrate), None) => label!("migration"),
    })
}

/// Machines by wave, those that save most first; those without a plan last.
pub fn by_wave(planned: &PlannedEstate) -> Vec<&PlannedMachine> {
    let mut all: Vec<&PlannedMachine> = planned.machines.iter().collect();
    let saves = |one: &PlannedMachine| one.monthly.zip(one.planned_monthly).map_or(0.0, |(today, then)| today - then);
    all.sort_by(|a, b| {
        let order = |one: &PlannedMachine| (one.why_not.is_some(), one.wave.is_none(), one.wave);
        order(a).cmp(&order(b)).then_with(|| saves(b).total_cmp(&saves(a))).then_with(|| a.machine.cmp(&b.machine))
    });
    all
}

/// A cost a month, or that it is not known.
fn monthly(amount: Option<f64>) -> String {
    amount.map_or_else(|| "?".into(), |amount| format::grouped(amount.round()))
}

/// A row of a table.
pub fn cells(one: &PlannedMachine) -> [String; 6] {
    let changes = one.why_not.clone().unwrap_or_else(|| one.changes.join("; "));
    let (today, then) = (monthly(one.monthly), monthly(one.planned_monthly));
    [
        wave(one).to_string(),
        one.machine.clone(),
        today,
        then,
        changes,
        one.takes.iter().map(|takes| taken(takes)).collect::<Vec<_>>().join("; "),
    ]
}

/// For people.
pub fn table(planned: &PlannedEstate, out: &mut Text) {
    use std::fmt::Write as _;
    if !planned.machines.is_empty() {
        let _ = writeln!(out);
        let mut rows = vec![heads(&labels![
            "what it needs",
            "machine",
            "today a month",
            "planned a month",
            "what changes",
            "what it takes"
        ])];
        rows.extend(by_wave(planned).into_iter().map(|one| cells(one).to_vec()));
        *out += Table::new(rows, &[0, 1, 4, 5]);
    }
    if !planned.unmatched.is_empty() {
        let _ = writeln!(out);
        let mut rows = vec![heads(&labels!["recording", "why"])];
        rows.extend(planned.unmatched.iter().map(|one| vec![one.recording.clone(), one.why.clone()]));
        *out += Table::new(rows, &[0, 1]);
    }
}
