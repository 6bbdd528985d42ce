//! `diskwright plan diff A B`: what changes between two plans, or between what is there now and a plan.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dw_catalogue::{Money, MoneyChange};
pub use dw_documents::diff::{DiffDocument, DiffRow, schema};

use dw_error::Result;

use super::side::{self, Side};
use crate::exit::Exit;
use crate::report::{Table, Text};
use crate::{output, without_effect};

/// Options of `plan diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// A plan (`plan --format json`), or a scenario file: what is there now
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// The same
    #[arg(value_name = "B")]
    pub b: PathBuf,
    /// The region whose prices count for scenario files; default: eastus. Plans carry theirs
    #[arg(long, value_name = "REGION")]
    pub region: Option<String>,
    /// What to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: DiffFormat,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Forms of a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// A table for people
    #[default]
    Table,
    /// Everything, with a schema (`diskwright schema plan-diff`)
    Json,
    /// A table for a page of text
    Markdown,
}

/// Compares and reports.
pub fn run(args: &DiffArgs, out: &mut dyn Write) -> Result<Exit> {
    let region = args.region.as_deref().unwrap_or("eastus");
    let (mut a, mut b) = (side::read(&args.a, region)?, side::read(&args.b, region)?);
    if a.is_plan && b.is_plan && args.region.is_some() {
        return Err(without_effect::refused(
            "region",
            "both are plans, which carry their prices",
            "remove it, and plan again with another `region` under `[plan]` for other prices",
        ));
    }
    side::share_loads(&mut a, &mut b);
    let document = compare(&a, &b);
    let text = match args.format {
        DiffFormat::Table => table(&document),
        DiffFormat::Json => Text::verbatim(serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"),
        DiffFormat::Markdown => Text::verbatim(markdown(&document)),
    };
    output::show(&text, args.output.as_deref(), out)?;
    Ok(Exit::Ok)
}

fn compare(a: &Side, b: &Side) -> DiffDocument {
    let mut rows = Vec::new();
    let mut text = |what: &str, a: Option<String>, b: Option<String>| {
        rows.push(DiffRow { what: what.to_string(), differs: a != b, a, b, change: None });
    };
    text("VM size", Some(a.vm.clone()), Some(b.vm.clone()));
    let names = |side: &Side| side.volumes.iter().map(|volume| volume.name.clone()).collect::<Vec<_>>();
    let mut volumes = names(a);
    volumes.extend(names(b).into_iter().filter(|name| !a.volumes.iter().any(|volume| volume.name == *name)));
    for name in &volumes {
        let of = |side: &Side, take: fn(&side::Volume) -> Option<String>| {
            side.volumes.iter().find(|volume| volume.name == *name).and_then(take)
        };
        for (what, take) in side::Volume::FIELDS {
            let (a, b) = (of(a, take), of(b, take));
            if a.is_some() || b.is_some() {
                text(&format!("{name} {what}"), a, b);
            }
        }
    }
    let mut figure = |what: String, [a, b]: [Option<String>; 2], change: Option<f64>, differs: bool| {
        rows.push(DiffRow { what, differs, a, b, change });
    };
    let change = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| ((b - a) * 1e6).round() / 1e6);
    let apart = apart(a, b);
    for (what, of_a, of_b) in [("VM cost a month", a.vm_monthly, b.vm_monthly), ("monthly cost", a.monthly, b.monthly)]
    {
        let shown = [(of_a, &a.currency), (of_b, &b.currency)]
            .map(|(value, currency)| value.map(|value| format!("{} {currency}", Money::of_amount(value))));
        // What is priced in two regions is not subtracted.
        let change = change(of_a, of_b).filter(|_| apart.is_none());
        let differs = apart.is_none() && (of_a.is_some() || of_b.is_some()) && change != Some(0.0);
        figure(what.into(), shown, change, differs);
    }
    let mut limits: Vec<&String> = a.headroom.keys().chain(b.headroom.keys()).collect();
    limits.sort_unstable();
    limits.dedup();
    for limit in limits {
        let of = |side: &Side| side.headroom.get(limit).copied();
        let change = change(of(a), of(b));
        let shown = [of(a), of(b)].map(|value| value.map(|value| format!("{value:.1} %")));
        figure(format!("headroom of {limit}"), shown, change, change != Some(0.0));
    }
    let mut notes: Vec<String> = a.notes.iter().chain(&b.notes).cloned().collect();
    notes.dedup();
    let exact = |(a, b): (f64, f64)| Money::of_amount(b).change_from(Money::of_amount(a)).amount();
    let monthly_change = a.monthly.zip(b.monthly).map(exact);
    let monthly_change = monthly_change.filter(|_| apart.is_none());
    if apart.is_some() {
        notes.push("`--region` sets the region of scenario files; plans carry theirs".into());
    }
    DiffDocument {
        schema_version: dw_documents::SCHEMA_VERSION,
        document: Default::default(),
        a: a.label.clone(),
        b: b.label.clone(),
        summary: summary(&rows, monthly_change, apart),
        monthly_change,
        rows,
        notes,
    }
}

/// Why costs are not subtracted: prices of two regions, or amounts in two currencies.
fn apart(a: &Side, b: &Side) -> Option<String> {
    let regions = a.region.as_ref().zip(b.region.as_ref()).filter(|(a, b)| a != b);
    let what = match regions {
        Some((of_a, of_b)) => format!("A has the prices of {of_a}, B those of {of_b}"),
        None if a.currency != b.currency => format!("A is in {}, B in {}", a.currency, b.currency),
        None => return None,
    };
    Some(format!("{what}: what they cost is not compared"))
}

fn summary(rows: &[DiffRow], monthly: Option<f64>, apart: Option<String>) -> String {
    let differs: Vec<&str> = rows
        .iter()
        .filter(|row| row.differs && !row.what.contains("cost") && !row.what.starts_with("headroom"))
        .map(|row| row.what.as_str())
        .collect();
    let money = |value: f64| MoneyChange::of_amount(value).size();
    let cost = match monthly {
        None => apart.unwrap_or_else(|| "the price of one of them is not known".into()),
        Some(change) if change > 0.0 => format!("B costs {} USD per month more", money(change)),
        Some(change) if change < 0.0 => format!("B costs {} USD per month less", money(change)),
        Some(_) => "both cost the same".into(),
    };
    match differs.as_slice() {
        [] => format!("nothing to change; {cost}"),
        all => format!("to change: {}; {cost}", all.join(", ")),
    }
}

fn cells(row: &DiffRow) -> [String; 4] {
    let dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".into());
    let change = match row.change {
        Some(0.0) => String::new(),
        Some(change) if row.what.contains("cost") => MoneyChange::of_amount(change).to_string(),
        Some(change) => format!("{change:+.2}"),
        None if row.differs => "changes".into(),
        None => String::new(),
    };
    [row.what.clone(), dash(&row.a), dash(&row.b), change]
}

fn table(document: &DiffDocument) -> Text {
    let mut rows = vec![["", "A", "B", ""].map(String::from).to_vec()];
    rows.extend(document.rows.iter().map(|row| {
        let mark = if row.differs { "~ " } else { "  " };
        let [what, a, b, change] = cells(row);
        vec![format!("{mark}{what}"), a, b, change]
    }));
    let mut out = Text::from(format!("{}\nA: {}\nB: {}\n\n", document.summary, document.a, document.b));
    out += Table::new(rows, &[0, 1, 2]);
    for note in &document.notes {
        out += format!("note: {note}\n");
    }
    out
}

fn markdown(document: &DiffDocument) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let mut out = format!(
        "**{}**\n\nA: {}, B: {}\n\n| | A | B | |\n|---|---|---|---|\n",
        cell(&document.summary),
        cell(&document.a),
        cell(&document.b)
    );
    for row in &document.rows {
        let [what, a, b, change] = cells(row).map(|text| cell(&text));
        let what = if row.differs { format!("**{what}**") } else { what };
        out += &format!("| {what} | {a} | {b} | {change} |\n");
    }
    for note in &document.notes {
        out += &format!("\n- {}\n", cell(note));
    }
    out
}
