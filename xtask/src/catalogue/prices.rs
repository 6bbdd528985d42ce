//! `prices.toml` from `prices_disks.csv` and `prices_vm_<edition>.csv`.
//!
//! Columns of the first: `sku`, `region`, `edition`, `usd_per_month`, `note`; of the others: `region`, `name`,
//! `usd_per_hour_linux_pay_as_you_go`. Which document an edition stands for is in `rules.toml`: an edition without a line
//! there stops the run, as a price without a source would be worth nothing.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use dw_catalogue::file::RulesFile;

use super::{HEADER, Line, Row, read};

/// Edition, region, source, term.
type Tables = BTreeMap<(String, String, String, &'static str), BTreeMap<String, String>>;

/// The text of the file.
pub(super) fn generate(rules: &RulesFile, from: &Path) -> Result<String, String> {
    let mut tables = Tables::new();
    for row in read(&from.join("prices_disks.csv"))? {
        let edition = row.required("edition")?.to_string();
        let note = row.text("note").filter(|note| note.contains("apart") || note.contains("plus"));
        let note = note.map(|note| note.trim_start_matches("same; ").to_string());
        price(rules, &row, ("sku", "usd_per_month", "month"), &edition, note, &mut tables)?;
    }
    for (name, edition) in vm_files(from)? {
        for row in read(&from.join(name))? {
            price(rules, &row, ("name", "usd_per_hour_linux_pay_as_you_go", "hour"), &edition, None, &mut tables)?;
        }
    }
    Ok(text(tables))
}

/// `prices_vm_<edition>.csv`, sorted.
fn vm_files(from: &Path) -> Result<Vec<(String, String)>, String> {
    let entries = fs::read_dir(from).map_err(|error| format!("{}: {error}", from.display()))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut files: Vec<(String, String)> = names
        .filter_map(|name| {
            let edition = name.strip_prefix("prices_vm_")?.strip_suffix(".csv")?.to_string();
            Some((name, edition))
        })
        .collect();
    files.sort();
    Ok(files)
}

fn price(
    rules: &RulesFile,
    row: &Row,
    (name, amount, per): (&str, &str, &'static str),
    edition: &str,
    note: Option<String>,
    tables: &mut Tables,
) -> Result<(), String> {
    let at = |what: String| format!("{}: {what}", row.at);
    let stands = rules.price_source.iter().find(|source| source.csv == edition);
    let stands =
        stands.ok_or_else(|| at(format!("no source is known for prices of `{edition}`: add it to rules.toml")))?;
    let required = |column: &str| row.required(column).map(str::to_string).map_err(at);
    let (name, amount, region) = (required(name)?, required(amount)?, required("region")?);
    dw_catalogue::Money::parse(&amount).map_err(|e| at(format!("the price {e}")))?;
    let mut line = Line::new("name", &name);
    line.put("price", Some(format!("{amount:?}")));
    line.put("note", note.map(|note| format!("{note:?}")));
    let key = (stands.edition.clone(), region, stands.source.clone(), per);
    match tables.entry(key).or_default().insert(name.clone(), line.end()) {
        None => Ok(()),
        Some(_) => Err(at(format!("{name} has two prices in one edition and region"))),
    }
}

fn text(tables: Tables) -> String {
    let mut text = HEADER.to_string();
    for ((edition, region, source, per), rows) in tables {
        let head = format!(
            "edition = {edition:?}\nregion = {region:?}\ncurrency = \"USD\"\nsource = {source:?}\nper = {per:?}"
        );
        writeln!(text, "\n[[table]]\n{head}\nrows = [").expect("a string takes all");
        for line in rows.values() {
            writeln!(text, "  {line},").expect("a string takes all");
        }
        text.push_str("]\n");
    }
    text
}
