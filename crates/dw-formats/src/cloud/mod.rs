//! Records of the vendor's interfaces, as a person fetched them: VM sizes and disks (`az vm list-skus -o json`), prices (pages
//! of the retail prices API); and what the readers of other vendors' folders bring.
//!
//! Lives here: their JSON to tables of the catalogue, with what was left out and why.
//! Never here: fetching anything, what the catalogue makes of it.
//! Read next: `skus.rs`, `zones.rs`, `prices.rs`.
//!
//! Figures are taken as they are; a record without a figure that it must have is an error that names it, never zero.

mod prices;
mod skus;
mod zones;

use std::collections::{BTreeMap, BTreeSet};

use dw_catalogue::Meter;
use dw_catalogue::fetched::{Brought, BroughtMachine, BroughtPrice, Difference};
use dw_catalogue::file::{DiskTable, MachineRecord, MachineTable, PriceRow, PriceTable, SourceRow, VmTable, ZoneTable};
use dw_catalogue::price::CURRENCY;
use dw_demand::CommitTo;
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
    /// Machines of other vendors that are new, or otherwise than they are shipped.
    pub machines: Vec<MachineTable>,
    /// Those that are as they are shipped.
    pub agreeing: Vec<Agreeing>,
    /// How many sizes were compared with those that are shipped.
    pub compared: usize,
    /// What of them is otherwise.
    pub differences: Vec<Difference>,
    /// What was left out: why, and how many.
    pub left_out: BTreeMap<String, usize>,
    /// What to know.
    pub notes: Vec<String>,
}

/// The edition of what was imported that day: of its month.
fn edition_of(day: &Day) -> String {
    format!("{}-imported", day.month())
}

/// A machine of which the records of a month say what is shipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreeing {
    /// The word of its vendor.
    pub vendor: String,
    /// That of rows of the month.
    pub edition: String,
    pub name: String,
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
            let others = dw_catalogue::goods()
                .map(|(vendor, goods)| format!("; of {}: {}", vendor.name(), goods.fetched().how()));
            let own = "expected the list of `az vm list-skus -o json`, `{\"value\": [...]}` of its REST twin, or `{\"Items\": [...]}` of the \
                       retail prices API";
            CloudError { place: name.to_string(), what: what.to_string(), hint: format!("{own}{}", others.concat()) }
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

    /// Adds what the reader of another vendor found in a file, which has prices of its own day or of that of the import, whichever is earlier.
    pub fn add_brought(&mut self, vendor: &str, name: &str, brought: Brought, day: &Day) {
        self.compared += brought.compared;
        // Of one that several files have the last counts.
        let machines = brought.machines.iter().map(|machine| machine.name.clone());
        let again: BTreeSet<String> = machines.chain(brought.agreeing.iter().cloned()).collect();
        self.differences.retain(|old| !again.contains(&old.name));
        self.agreeing.retain(|old| old.vendor != vendor || !again.contains(&old.name));
        for table in self.machines.iter_mut().filter(|table| table.vendor == vendor) {
            table.rows.retain(|row| !again.contains(&row.name));
        }
        self.machines.retain(|table| !table.rows.is_empty());
        self.differences.extend(brought.differences);
        for (why, count) in brought.left_out {
            *self.left_out.entry(why).or_default() += count;
        }
        self.notes.extend(brought.notes);
        let agreeing = |name| Agreeing { vendor: vendor.to_string(), edition: edition_of(day), name };
        self.agreeing.extend(brought.agreeing.into_iter().map(agreeing));
        if !brought.machines.is_empty() {
            self.add_machines(vendor, name, brought.machines, day);
        }
        for price in brought.prices {
            self.add_price(vendor, name, price, day);
        }
    }

    /// A record says nothing of its day, so that of the import counts.
    fn add_machines(&mut self, vendor: &str, file: &str, brought: Vec<BroughtMachine>, day: &Day) {
        let source = self.source_of(&format!("imported-{vendor}-types-{}", day.text()), "machine records", file, day);
        let edition = edition_of(day);
        let at = self.machines.iter().position(|table| table.vendor == vendor).unwrap_or_else(|| {
            self.machines.push(MachineTable { vendor: vendor.to_string(), edition, source, rows: Vec::new() });
            self.machines.len() - 1
        });
        let rows = &mut self.machines[at].rows;
        rows.extend(brought.into_iter().map(|BroughtMachine { name, figures }| MachineRecord { name, figures }));
    }

    fn add_price(&mut self, vendor: &str, file: &str, own: BroughtPrice, day: &Day) {
        let published = own.published.as_deref().and_then(Day::parse);
        let day = published.filter(|published| published.text() < day.text()).unwrap_or_else(|| day.clone());
        let source = self.source_of(&format!("imported-{vendor}-prices-{}", day.text()), "price list", file, &day);
        let (to, years) = own.commitment.map(|own| (own.to, own.years)).unzip();
        let table = PriceTable {
            vendor: Some(vendor.to_string()),
            edition: day.month().to_string(),
            region: own.region,
            currency: CURRENCY.to_string(),
            source,
            per: own.term.name().to_string(),
            reserved_years: years.filter(|_| to == Some(CommitTo::Machine)),
            savings_plan_years: years.filter(|_| to == Some(CommitTo::Spending)),
            rows: Vec::new(),
        };
        let is_whole = own.meter == Meter::Whole;
        let meter = (!is_whole).then(|| own.meter.id().to_string());
        let row = PriceRow { name: own.name, meter, price: own.amount, note: None };
        let same = |other: &PriceTable| {
            other.vendor == table.vendor
                && (&other.edition, &other.region, &other.per) == (&table.edition, &table.region, &table.per)
                && (other.commitment(), &other.source) == (table.commitment(), &table.source)
        };
        let at = self.prices.iter().rposition(same).unwrap_or_else(|| {
            self.prices.push(table);
            self.prices.len() - 1
        });
        let rows = &mut self.prices[at].rows;
        match rows.iter_mut().find(|other| (&other.name, &other.meter) == (&row.name, &row.meter)) {
            Some(before) => *before = row,
            None => rows.push(row),
        }
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
        let what = if kind == "skus" { "resource SKUs" } else { "retail prices" };
        self.source_of(&format!("imported-{kind}-{}", day.text()), what, name, day)
    }

    fn source_of(&mut self, id: &str, what: &str, name: &str, day: &Day) -> String {
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let id = id.to_string();
        if !self.sources.iter().any(|source| source.id == id) {
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
