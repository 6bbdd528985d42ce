//! Records of the vendor's interfaces, as a person fetched them: VM sizes and disks (`az vm list-skus -o json`), prices (pages
//! of the retail prices API).
//!
//! Lives here: their JSON to tables of the catalogue, with what was left out and why.
//! Never here: fetching anything, what the catalogue makes of it.
//! Read next: `skus.rs`, `zones.rs`, `prices.rs`.
//!
//! Figures are taken as they are; a record without a figure that it must have is an error that names it, never zero.

mod prices;
mod skus;
mod zones;

use std::collections::BTreeMap;

use dw_catalogue::file::{DiskTable, PriceTable, SourceRow, VmTable, ZoneTable};
use serde_json::Value;

/// What records say, as tables of the catalogue.
#[derive(Clone, Debug, Default)]
pub struct ImportedRecords {
    /// Where it is from.
    pub sources: Vec<SourceRow>,
    /// VM sizes.
    pub vms: Vec<VmTable>,
    pub disks: Vec<DiskTable>,
    pub prices: Vec<PriceTable>,
    pub zones: Vec<ZoneTable>,
    /// What was left out: why, and how many.
    pub left_out: BTreeMap<String, usize>,
    /// What to know.
    pub notes: Vec<String>,
}

/// A file is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CloudError {
    /// The file, with the place in it.
    pub place: String,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub hint: String,
}

impl std::fmt::Display for CloudError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}\nhint: {}", self.place, self.what, self.hint)
    }
}

impl std::error::Error for CloudError {}

impl From<CloudError> for dw_error::Error {
    fn from(error: CloudError) -> Self {
        dw_error::Error::of(dw_error::Kind::Input, error)
    }
}

/// The day of an import, which dates what it brings: `2026-11-21`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Day(String);

impl Day {
    /// A day as `YYYY-MM-DD`.
    pub fn parse(text: &str) -> Option<Day> {
        let mut parts = text.split('-');
        let mut number = |digits: usize, range: std::ops::RangeInclusive<u32>| {
            let part = parts.next().filter(|part| part.len() == digits)?;
            part.parse().ok().filter(|n: &u32| range.contains(n))
        };
        number(4, 2000..=9999)?;
        number(2, 1..=12)?;
        number(2, 1..=31)?;
        parts.next().is_none().then(|| Day(text.to_string()))
    }
    /// A day of the calendar.
    pub fn new(year: u64, month: u64, day: u64) -> Day {
        Day(format!("{year:04}-{month:02}-{day:02}"))
    }
    /// The month: `2026-11`.
    pub fn month(&self) -> &str {
        &self.0[..7]
    }
    /// The whole.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl ImportedRecords {
    /// Adds what a file says; `name` is how messages call it, without its folders how the source is called.
    pub fn add(&mut self, name: &str, text: &str, day: &Day) -> Result<(), CloudError> {
        let text = text.trim_start_matches('\u{feff}');
        let mut documents = Vec::new();
        for document in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
            documents.push(document.map_err(|e| CloudError {
                place: format!("{name}:{}:{}", e.line(), e.column()),
                what: format!("is not valid JSON: {}", e.to_string().split(" at line").next().unwrap_or_default()),
                hint:
                    "fetch it again: `az vm list-skus -o json > skus.json`, or a page of the retail prices API".into(),
            })?);
        }
        let refuse = |what: &str| {
            CloudError {
            place: name.to_string(),
            what: what.to_string(),
            hint: "expected the list of `az vm list-skus -o json`, `{\"value\": [...]}` of its REST twin, or `{\"Items\": [...]}` of the \
                   retail prices API"
                .into(),
        }
        };
        if documents.is_empty() {
            return Err(refuse("is empty"));
        }
        for document in &documents {
            let items = document["Items"].as_array();
            let records = document.as_array().or_else(|| document["value"].as_array());
            let pages = records.filter(|all| !all.is_empty() && all.iter().all(|one| one["Items"].is_array()));
            match (items, pages, records) {
                (Some(_), _, _) => self.prices(name, document, day)?,
                (_, Some(pages), _) => {
                    for page in pages {
                        self.prices(name, page, day)?;
                    }
                }
                (_, _, Some(records)) => {
                    self.note_more(name, document, "nextLink");
                    skus::read(self, name, records, day)?;
                }
                _ => match document["skus"].as_object() {
                    Some(sizes) => skus::read(self, name, &skus::digest(sizes), day)?,
                    None => return Err(refuse("is neither a list of SKUs nor a page of prices")),
                },
            }
        }
        Ok(())
    }

    fn prices(&mut self, name: &str, page: &Value, day: &Day) -> Result<(), CloudError> {
        self.note_more(name, page, "NextPageLink");
        prices::read(self, name, page["Items"].as_array().map_or(&[], Vec::as_slice), day)
    }

    fn note_more(&mut self, name: &str, page: &Value, key: &str) {
        if page[key].as_str().is_some_and(|link| !link.is_empty()) {
            self.notes
                .push(format!("{name}: there are further pages; fetch the URL in its `{key}` and import that as well"));
        }
    }

    fn leave_out(&mut self, why: &str) {
        *self.left_out.entry(why.to_string()).or_default() += 1;
    }

    /// The source of a file, added once.
    fn source(&mut self, kind: &str, name: &str, day: &Day) -> String {
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let id = format!("imported-{kind}-{}", day.text());
        if !self.sources.iter().any(|source| source.id == id) {
            let what = if kind == "skus" { "resource SKUs" } else { "retail prices" };
            self.sources.push(SourceRow {
                id: id.clone(),
                page: format!("{what}, imported from {file}"),
                date: day.text().to_string(),
                revision: None,
                note: None,
            });
        }
        id
    }
}
