//! `catalogue coverage`: how much of what each region sells can be planned, simulated and priced, and what the rest lacks.
//!
//! What counts as plannable is the planner's to say ([`mod@dw_planner::coverage`]); here it is counted and printed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dw_catalogue::{Catalogue, DiskFamily, Flag, Kind, Meter, flags};
use dw_documents::format::grouped;
use dw_error::{Error, Result};
use dw_planner::coverage::{Coverage, DiskCoverage, Gap, SizeCoverage};
use dw_planner::market::NotSold;
use serde_json::{Map, Value, json};

use super::{columns, pretty};
use crate::report::{Table, Text};
use crate::{output, slow};

/// Behind the help.
pub const EXAMPLES: &str = "Examples:
  diskwright catalogue coverage                              # one line per region
  diskwright catalogue coverage --region brazilsouth --gaps  # each size that cannot be planned there, and why
  diskwright catalogue coverage --format csv > coverage.csv

Columns: see docs/guide/catalogue.md. Exit codes: 0 done, 2 usage, 3 wrong input (docs/guide/exit-codes.md).";

/// How to print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum CoverageFormat {
    /// A table
    #[default]
    Table,
    /// JSON
    Json,
    /// CSV: one line per region; with --gaps, per size and reason
    Csv,
}

/// Options of `coverage`.
#[derive(Clone, Debug, Args)]
pub struct CoverageArgs {
    /// Only this region, of any vendor
    #[arg(long, value_name = "REGION")]
    pub region: Option<String>,
    /// Whose regions; default: the vendor of the region
    #[arg(long, value_name = "VENDOR", value_parser = super::vendors())]
    pub vendor: Option<String>,
    /// List each VM size that cannot be planned, with the reason
    #[arg(long)]
    pub gaps: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: CoverageFormat,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// What there is in each region, or in one.
pub fn coverage(catalogue: &Catalogue, args: &CoverageArgs) -> Result<Text> {
    let catalogue = match (&args.vendor, &args.region) {
        (Some(id), _) => super::of_vendor(catalogue, id),
        (None, Some(region)) => dw_catalogue::at_region(catalogue, region),
        (None, None) => catalogue,
    };
    let all = catalogue.regions();
    let regions = match &args.region {
        None => all,
        Some(asked) => {
            let plain = asked.replace(' ', "");
            let found = all.iter().find(|region| region.replace(' ', "").eq_ignore_ascii_case(&plain));
            vec![*found.ok_or_else(|| {
                Error::usage(format!("unknown region `{asked}`")).hint(catalogue.price_region_hint(asked))
            })?]
        }
    };
    let of_all = || regions.iter().map(|region| dw_planner::coverage(catalogue, region)).collect();
    let regions: Vec<Coverage> = slow::told(&format!("looking through {} regions", regions.len()), of_all);
    let columns = Columns::of(catalogue);
    Ok(match (args.format, args.gaps) {
        (CoverageFormat::Table, gaps) => table(&columns, &regions, gaps),
        (CoverageFormat::Json, gaps) => Text::verbatim(pretty(&document(catalogue, &columns, &regions, gaps))),
        (CoverageFormat::Csv, false) => {
            let head = head(&columns);
            let head: Vec<&str> = head.iter().map(String::as_str).collect();
            Text::verbatim(output::csv(&head, regions.iter().map(|region| record(&columns, region))))
        }
        (CoverageFormat::Csv, true) => {
            let records = regions.iter().flat_map(|region| {
                let of_size = |size: &SizeCoverage| {
                    let gaps = size.gaps.clone();
                    let (region, name) = (region.region.clone(), size.name.clone());
                    gaps.into_iter()
                        .map(move |gap| vec![region.clone(), name.clone(), gap.id().into(), gap.reason().into()])
                };
                region.sizes.iter().flat_map(of_size).collect::<Vec<_>>()
            });
            Text::verbatim(output::csv(&["region", "vm_size", "gap", "reason"], records))
        }
    })
}

/// How many sizes of a region are so.
fn count(region: &Coverage, is: impl Fn(&SizeCoverage) -> bool) -> usize {
    region.sizes.iter().filter(|size| is(size)).count()
}

/// What is counted of the sizes of a region: the name in programs, at the head of a column, and which sizes count.
type Count = (String, &'static str, Box<dyn Fn(&SizeCoverage) -> bool>);
type Is = fn(&SizeCoverage) -> bool;

/// What sources say of deploying sizes: the name in programs, and which sizes count.
const DEPLOYMENT: [(&str, &str, Is); 6] = [
    ("known_quota", "quota family known", |size| size.deployment.quota),
    ("known_generations", "image generations known", |size| size.deployment.generations),
    ("known_controllers", "disk controllers known", |size| size.deployment.controllers),
    ("known_local_disk", "local disk or none known", |size| size.deployment.local_disk),
    ("known_retirement", "with a retirement date", |size| size.deployment.retires),
    ("known_stage", "in preview, closed to new subscriptions or limited", |size| size.deployment.stage),
];

/// Counts of all sizes; the others are of those that are planned on request.
const PLAIN: [(&str, &str, Is); 4] = [
    ("plannable", "plannable", SizeCoverage::is_plannable),
    ("simulatable", "simulatable", SizeCoverage::is_simulatable),
    ("priced", "priced", |size| size.priced.is_some()),
    ("priced_windows", "with Windows", |size| size.windows.is_some()),
];

/// What is counted of a vendor: traits of sizes that keep them out of plans, kinds of disks.
struct Columns {
    flags: Vec<&'static Flag>,
    disks: Vec<Disks>,
}

/// A kind of disks, perhaps kept in three zones.
struct Disks {
    head: &'static str,
    kind: &'static Kind,
    zone_redundant: bool,
}

impl Columns {
    /// Of everybody's traits and its own.
    fn of(catalogue: &Catalogue) -> Columns {
        let vendor = catalogue.vendor();
        let flags = flags().iter().filter(|flag| flag.of.is_none_or(|of| of == vendor.id())).collect();
        let short = |kind: &'static Kind| Disks { head: kind.name, kind, zone_redundant: false };
        let disks = match catalogue.is_behind_door() {
            true => vendor.kinds().iter().map(short).collect(),
            false => DISKS.map(|(head, of, zone_redundant)| Disks { head, kind: of.kind(), zone_redundant }).into(),
        };
        Columns { flags, disks }
    }
}

fn counts(columns: &Columns) -> impl Iterator<Item = Count> + use<> {
    let plain = |(name, head, is): (&str, &'static str, Is)| -> Count { (name.into(), head, Box::new(is)) };
    let on_request = |flag: &'static Flag| -> Count {
        let is = move |size: &SizeCoverage| size.is_plannable() && size.on_request == Some(NotSold::OnRequest(flag));
        (format!("on_request_{}", flag.key), flag.word, Box::new(is))
    };
    let retiring = |size: &SizeCoverage| {
        size.is_plannable() && matches!(size.on_request, Some(NotSold::Retires(_) | NotSold::Retired(_)))
    };
    let retiring: Count = ("on_request_retiring".into(), "retiring", Box::new(retiring));
    PLAIN.into_iter().map(plain).chain(columns.flags.clone().into_iter().map(on_request)).chain([retiring])
}

/// The columns of disks, where their letters are their names.
const DISKS: [(&str, DiskFamily, bool); 7] = [
    ("S", DiskFamily::StandardHdd, false),
    ("E", DiskFamily::StandardSsd, false),
    ("P", DiskFamily::PremiumSsd, false),
    ("v2", DiskFamily::PremiumSsdV2, false),
    ("ultra", DiskFamily::Ultra, false),
    ("E ZRS", DiskFamily::StandardSsd, true),
    ("P ZRS", DiskFamily::PremiumSsd, true),
];

fn kind<'a>(region: &'a Coverage, of: &Disks) -> Option<&'a DiskCoverage> {
    region.disks.iter().find(|kind| kind.kind == of.kind && kind.zone_redundant == of.zone_redundant)
}

/// How many disks of each kind a plan can choose there.
fn disk_counts(columns: &Columns, region: &Coverage) -> impl Iterator<Item = usize> {
    let usable = |of: &Disks| kind(region, of).filter(|kind| kind.usable).map_or(0, |kind| kind.priced.len());
    columns.disks.iter().map(usable)
}

fn bursting(region: &Coverage) -> usize {
    region.disks.iter().filter(|kind| !kind.zone_redundant && kind.usable).map(|kind| kind.bursting.len()).sum()
}

fn disk_dates(region: &Coverage) -> BTreeSet<&String> {
    region.disks.iter().flat_map(|kind| &kind.dates).collect()
}

fn vm_dates(region: &Coverage) -> BTreeSet<&String> {
    region.sizes.iter().flat_map(|size| size.priced.iter().chain(&size.windows)).collect()
}

/// `2026-04 to 2026-09`.
fn span(dates: &BTreeSet<&String>) -> String {
    match (dates.first(), dates.last()) {
        (Some(first), Some(last)) if first == last => first.to_string(),
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => "-".into(),
    }
}

fn gap_count(region: &Coverage, gap: Gap) -> usize {
    count(region, |size| size.gaps.contains(&gap))
}

/// The names of a record's figures, from the lists that fill it.
fn head(columns: &Columns) -> Vec<String> {
    let mut names = ["region", "records", "sizes"].map(String::from).to_vec();
    names.extend(counts(columns).map(|(name, ..)| name));
    names.extend(Gap::ALL.map(|gap| format!("gap_{}", gap.id())));
    let suffix = |of: &Disks| if of.zone_redundant { "_zrs" } else { "" };
    names.extend(columns.disks.iter().map(|of| format!("{}{}", of.kind.id, suffix(of))));
    names.extend(["bursting", "prices"].map(String::from));
    names
}

fn record(columns: &Columns, region: &Coverage) -> Vec<String> {
    let mut cells = vec![region.region.clone(), region.has_records.to_string(), region.sizes.len().to_string()];
    cells.extend(counts(columns).map(|(.., is)| count(region, is).to_string()));
    cells.extend(Gap::ALL.map(|gap| gap_count(region, gap).to_string()));
    cells.extend(disk_counts(columns, region).map(|count| count.to_string()));
    cells.push(bursting(region).to_string());
    cells.push(span(&vm_dates(region).into_iter().chain(disk_dates(region)).collect()));
    cells
}

// --- for people --------------------------------------------------------------------------------------------------

fn table(columns: &Columns, regions: &[Coverage], gaps: bool) -> Text {
    let number = |count: usize| if count == 0 { "-".into() } else { grouped(count as f64) };
    let mut head = vec!["region".to_string(), "sold".into()];
    head.extend(counts(columns).map(|(_, head, _)| head.to_string()));
    head.extend(columns.disks.iter().map(|of| of.head.to_string()));
    head.extend(["bursting".into(), "VM prices of".into(), "disk prices of".into()]);
    let columns_of_words = [0, head.len() - 2, head.len() - 1];
    let rows = regions.iter().map(|region| {
        let sold = if region.has_records { number(region.sizes.len()) } else { format!("? {}", region.sizes.len()) };
        let mut cells = vec![region.region.clone(), sold];
        cells.extend(counts(columns).map(|(.., is)| number(count(region, is))));
        cells.extend(disk_counts(columns, region).map(number));
        cells.extend([number(bursting(region)), span(&vm_dates(region)), span(&disk_dates(region))]);
        cells
    });
    let words: Vec<&str> = columns.flags.iter().map(|flag| flag.word).collect();
    let mut text = Text::from(format!(
        "VM sizes sold in a region, and how many of them can be planned, simulated and priced; {} and retiring ones are planned \
         only on request. Disks that a plan can choose there, by kind.\n\n",
        words.join(", ")
    ));
    text += Table::new(std::iter::once(head).chain(rows).collect(), &columns_of_words);
    if regions.iter().any(|region| !region.has_records) {
        text += "\n? no record lists the sizes sold there: these are the sizes with a price\n";
    }
    text += "\n";
    text += summary(regions);
    text += reasons(regions);
    text += unpriced(columns, regions);
    if gaps {
        text += sizes_with_gaps(regions);
    }
    text
}

/// Behind an empty line.
fn below(table: Table) -> Text {
    let mut text = Text::from("\n");
    text += table;
    text
}

/// Over all regions.
fn summary(regions: &[Coverage]) -> Text {
    let recorded: Vec<&Coverage> = regions.iter().filter(|region| region.has_records).collect();
    let names = |is: &dyn Fn(&SizeCoverage) -> bool| -> usize {
        let sizes = recorded.iter().flat_map(|region| region.sizes.iter());
        sizes.filter(|size| is(size)).map(|size| &size.name).collect::<BTreeSet<_>>().len()
    };
    let pairs = |is: &dyn Fn(&SizeCoverage) -> bool| -> usize { recorded.iter().map(|region| count(region, is)).sum() };
    let sold = (names(&|_| true), pairs(&|_| true));
    if recorded.is_empty() {
        return Text::new();
    }
    let share = |part: usize, whole: usize| format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64);
    let row = |head: &str, is: &dyn Fn(&SizeCoverage) -> bool| {
        let (names, pairs) = (names(is), pairs(is));
        let counts = [grouped(names as f64), share(names, sold.0), grouped(pairs as f64), share(pairs, sold.1)];
        std::iter::once(head.to_string()).chain(counts).collect::<Vec<String>>()
    };
    let mut rows =
        vec![["of the sizes that records list as sold", "sizes", "", "in all regions", ""].map(String::from).to_vec()];
    rows.push(row("sold", &|_| true));
    rows.extend(PLAIN.iter().chain(&DEPLOYMENT).map(|(_, head, is)| row(head, is)));
    Table::new(rows, &[0]).into()
}

/// How often each gap is there.
fn reasons(regions: &[Coverage]) -> Text {
    let rows: Vec<Vec<String>> = Gap::ALL
        .into_iter()
        .filter_map(|gap| {
            let pairs: usize = regions.iter().map(|region| gap_count(region, gap)).sum();
            let of_gap = |region: &&Coverage| gap_count(region, gap) > 0;
            let sizes = regions.iter().flat_map(|region| &region.sizes).filter(|size| size.gaps.contains(&gap));
            let sizes: BTreeSet<&String> = sizes.map(|size| &size.name).collect();
            let counts = [sizes.len(), regions.iter().filter(of_gap).count(), pairs].map(|n| grouped(n as f64));
            (pairs > 0).then(|| std::iter::once(gap.reason().to_string()).chain(counts).collect())
        })
        .collect();
    if rows.is_empty() {
        return Text::from("\nevery size that is sold can be planned\n");
    }
    let head = ["why a size cannot be planned", "sizes", "regions", "sizes in regions"].map(String::from).to_vec();
    below(Table::new(std::iter::once(head).chain(rows).collect(), &[0]))
}

/// Which disks, and in which regions.
type Lacking<'a> = (BTreeSet<&'a str>, Vec<&'a str>);

/// Which meters of disks have no price, and where.
fn unpriced(of: &Columns, regions: &[Coverage]) -> Text {
    let mut lacks: BTreeMap<(usize, Meter), Lacking> = BTreeMap::new();
    for region in regions {
        for (column, disks) in of.disks.iter().enumerate() {
            for (sku, meter) in kind(region, disks).iter().flat_map(|kind| &kind.unpriced) {
                let (skus, places) = lacks.entry((column, *meter)).or_default();
                skus.insert(sku);
                if places.last() != Some(&region.region.as_str()) {
                    places.push(&region.region);
                }
            }
        }
    }
    if lacks.is_empty() {
        return Text::new();
    }
    let rows = lacks.into_iter().map(|((column, meter), (skus, places))| {
        let head = of.disks[column].head;
        let what = meter.of().trim_end_matches(" of ").to_string();
        let skus: Vec<&str> = skus.into_iter().collect();
        vec![
            head.into(),
            if what.is_empty() { "the disk".into() } else { what },
            skus.join(" "),
            places.len().to_string(),
        ]
    });
    below(columns(&["disks", "without a price", "which", "regions"], rows))
}

/// Each size that cannot be planned, with its reasons and where.
fn sizes_with_gaps(regions: &[Coverage]) -> Text {
    let mut by_size: BTreeMap<(&str, Vec<Gap>), Vec<&str>> = BTreeMap::new();
    for region in regions {
        for size in region.sizes.iter().filter(|size| !size.is_plannable()) {
            by_size.entry((&size.name, size.gaps.clone())).or_default().push(&region.region);
        }
    }
    let rows = by_size.into_iter().map(|((name, gaps), places)| {
        let reasons: Vec<&str> = gaps.into_iter().map(Gap::reason).collect();
        vec![name.to_string(), reasons.join("; "), places.join(" ")]
    });
    below(columns(&["VM size", "why it cannot be planned", "in"], rows))
}

// --- for programs ------------------------------------------------------------------------------------------------

fn document(catalogue: &Catalogue, columns: &Columns, regions: &[Coverage], gaps: bool) -> Value {
    let regions: Vec<Value> = regions.iter().map(|region| region_json(columns, region, gaps)).collect();
    json!({ "vendor": catalogue.vendor().id(), "records_of": catalogue.sold_as_of(), "regions": regions })
}

fn region_json(columns: &Columns, region: &Coverage, gaps: bool) -> Value {
    let deployment = DEPLOYMENT.iter().map(|(name, _, is)| (name.to_string(), json!(count(region, is))));
    let counts: Map<String, Value> =
        counts(columns).map(|(name, _, is)| (name, json!(count(region, is)))).chain(deployment).collect();
    let by_gap: Map<String, Value> =
        Gap::ALL.into_iter().map(|gap| (gap.id().to_string(), json!(gap_count(region, gap)))).collect();
    let disks: Vec<Value> = region
        .disks
        .iter()
        .map(|kind| {
            let unpriced: Vec<Value> =
                kind.unpriced.iter().map(|(sku, meter)| json!({ "disk": sku, "meter": meter.id() })).collect();
            json!({
                "kind": kind.kind.id, "zone_redundant": kind.zone_redundant, "plannable": kind.usable,
                "priced": kind.priced, "bursting": kind.bursting, "unpriced": unpriced, "prices_of": kind.dates,
            })
        })
        .collect();
    let mut object = json!({
        "region": region.region, "has_records": region.has_records, "sizes": region.sizes.len(), "counts": counts,
        "gaps": by_gap, "disks": disks, "vm_prices_of": vm_dates(region), "disk_prices_of": disk_dates(region),
    });
    if gaps {
        let listed: Vec<Value> = region
            .sizes
            .iter()
            .filter(|size| !size.is_plannable())
            .map(|size| {
                let reasons: Vec<Value> =
                    size.gaps.iter().map(|gap| json!({ "gap": gap.id(), "reason": gap.reason() })).collect();
                json!({ "vm_size": size.name, "reasons": reasons })
            })
            .collect();
        object["without_plan"] = Value::Array(listed);
    }
    object
}
