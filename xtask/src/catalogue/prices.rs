//! `prices.toml` from `prices_disks.csv` and `2026/azure-vm-commitments.csv`: what is no table of many regions.
//!
//! Columns of the first: `sku`, `region`, `edition`, `usd_per_month`, `note`. Which document an edition stands for is in
//! `rules.toml`: an edition without a line there stops the run, as a price without a source would be worth nothing.

use std::collections::BTreeMap;
use std::fmt::Write as _;
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
    Ok(text(tables) + &commitments(from)?)
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

/// Edition, region, what is committed to, years.
type Commitments = BTreeMap<(String, String, &'static str, u32), BTreeMap<String, String>>;

/// Reservations and savings plans: what an hour of a size costs under them.
fn commitments(from: &Path) -> Result<String, String> {
    let mut tables = Commitments::new();
    for row in read(&from.join("2026/azure-vm-commitments.csv"))? {
        let at = |what: String| format!("{}: {what}", row.at);
        let required = |column: &str| row.required(column).map_err(at);
        let of = match required("kind")? {
            "reservation" => "reserved_years",
            "savings-plan" => "savings_plan_years",
            other => return Err(at(format!("`{other}` is no kind of commitment"))),
        };
        let years = required("term")?.strip_suffix('y').and_then(|years| years.parse().ok());
        let years = years.ok_or_else(|| at("column term is not like `1y`".into()))?;
        let (date, amount) = (required("date")?, required("usd_per_hour")?);
        let edition = date.get(..7).unwrap_or(date).to_string();
        let amount = amount
            .parse()
            .map(|hourly: f64| format!("{hourly:.6}"))
            .map_err(|_| at(format!("`{amount}` is no price")))?;
        let mut line = Line::new("name", required("size")?);
        line.put("price", Some(format!("{amount:?}")));
        line.put("note", row.text("note").map(|note| format!("{note:?}")));
        let key = (edition, required("region")?.to_string(), of, years);
        tables.entry(key).or_default().insert(required("size")?.to_string(), line.end());
    }
    let mut text = String::new();
    for ((edition, region, of, years), rows) in tables {
        let head = format!(
            "edition = {edition:?}\nregion = {region:?}\ncurrency = \"USD\"\nsource = \"vm-commitments-2026\"\nper = \"hour\"\n{of} = {years}"
        );
        writeln!(text, "\n[[table]]\n{head}\nrows = [").expect("a string takes all");
        for line in rows.values() {
            writeln!(text, "  {line},").expect("a string takes all");
        }
        text.push_str("]\n");
    }
    Ok(text)
}
