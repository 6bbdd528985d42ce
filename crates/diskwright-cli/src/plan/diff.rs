//! `diskwright plan diff A B`: what changes between two plans, or between what is there now and a plan.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dw_catalogue::MoneyChange;
pub use dw_documents::diff::{DiffDocument, DiffRow, schema};

use dw_error::Result;
use dw_messages::text;

use crate::exit::Exit;
use crate::in_use::session;
use crate::language::{spoken, told};
use crate::report::{Table, Text};
use crate::{input, output, without_effect};

/// Options of `plan diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// A plan (`plan --format json`), or a scenario file: your current setup
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// Likewise
    #[arg(value_name = "B")]
    pub b: PathBuf,
    /// Region for prices of scenario files; default: the other side's plan, or their vendor's usual region
    #[arg(long, value_name = "REGION")]
    pub region: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: DiffFormat,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Forms of a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// A table
    #[default]
    Table,
    /// Everything, with a schema (`diskwright schema plan-diff`)
    Json,
    /// A Markdown table
    Markdown,
}

/// Compares and reports.
pub fn run(args: &DiffArgs, out: &mut dyn Write) -> Result<Exit> {
    let side = |path: &PathBuf| session().side(&input::name(path), &input::read_file(path)?);
    let (a, b) = (side(&args.a)?, side(&args.b)?);
    if a.is_plan() && b.is_plan() && args.region.is_some() {
        return Err(without_effect::refused(
            "region",
            "both are plans, which contain their prices",
            "remove it; for other prices, plan again with another `region` under `[plan]`",
        ));
    }
    let document = session().diff(&a, &b, args.region.as_deref());
    let text = match args.format {
        DiffFormat::Table => table(&told(&document)),
        DiffFormat::Json => Text::verbatim(serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"),
        DiffFormat::Markdown => Text::verbatim(markdown(&told(&document))),
    };
    output::show(&text, args.output.as_deref(), out)?;
    Ok(Exit::Ok)
}

fn cells(row: &DiffRow) -> [String; 4] {
    let dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".into());
    let change = match row.change {
        Some(0.0) => String::new(),
        Some(change) if row.what.contains("cost") => spoken().figure(&MoneyChange::of_amount(change).to_string()),
        // Two shares differ by points.
        Some(change) if row.what.starts_with("headroom") => {
            text!(spoken(), "{n} points", n = spoken().figure(&format!("{change:+.1}")))
        }
        Some(change) => spoken().figure(&format!("{change:+.2}")),
        None if row.differs => text!(spoken(), "changes"),
        None => String::new(),
    };
    [spoken().limit(&row.what), dash(&row.a), dash(&row.b), change]
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
        out += format!("{}: {note}\n", text!(spoken(), "note"));
    }
    out
}

fn markdown(document: &DiffDocument) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let mut out = format!(
        "**{}**\n\nA: {}, B: {}\n\n| | A | B | |\n|---|---|---|---|\n",
        cell(&document.summary.text),
        cell(&document.a),
        cell(&document.b)
    );
    for row in &document.rows {
        let [what, a, b, change] = cells(row).map(|text| cell(&text));
        let what = if row.differs { format!("**{what}**") } else { what };
        out += &format!("| {what} | {a} | {b} | {change} |\n");
    }
    for note in &document.notes {
        out += &format!("\n- {}\n", cell(&note.text));
    }
    out
}
