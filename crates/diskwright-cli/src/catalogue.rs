//! `diskwright catalogue`: what can be bought, with the source of every figure, as text and as JSON.
//!
//! `list` and `show` print rows, `diff` what changed between two editions, field by field. Everything here is a pure
//! function from the catalogue to a string; [`run`] alone writes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand, ValueEnum};
use dw_catalogue::free::{BurstBytes, Follow, FreeBurst};
use dw_catalogue::{
    Catalogue, DiskFamily, DiskOffer, Field, FieldValue, LatencyModel, LatencySetting, LookupError, MbUnit, Price,
    PrintedMb, Source, Thing, VmSize,
};
use dw_demand::CommitTo;
use serde_json::{Map, Value, json};

use dw_error::{Error, Kind, Result};

use crate::report::{Table, Text};
use crate::{in_use, output};

pub mod coverage;
mod described;
pub mod import;

const IMPORT_EXAMPLES: &str = "Examples:
  az vm list-skus --location eastus -o json > skus.json
  curl 'https://prices.azure.com/api/retail/prices?$filter=...' > prices.json
  diskwright catalogue import skus.json prices.json
";

const IMPORT_USED: &str = "plan, explain, audit, simulate and catalogue use imported records in addition to the shipped catalogue: see docs/guide/catalogue.md.
Exit codes: 0 done, 1 unexpected, 2 usage, 3 wrong input (docs/guide/exit-codes.md).";

/// Behind the help of `import`: what is fetched, by each vendor's own words.
fn import_examples() -> String {
    let others = dw_catalogue::goods().map(|(_, goods)| goods.fetched().example()).concat();
    format!("{IMPORT_EXAMPLES}\n{others}\n{IMPORT_USED}")
}

/// Looks into the catalogue.
#[derive(Clone, Debug, Subcommand)]
pub enum CatalogueCommand {
    /// List VM sizes and disks in their newest editions
    List(ListArgs),
    /// Show every value of a VM size or disk, with its source
    Show(ShowArgs),
    /// Show changes between editions, field by field
    Diff(DiffArgs),
    /// Import VM sizes and disks, or prices, that you fetched from the APIs of a vendor
    #[command(after_help = import_examples())]
    Import(import::ImportArgs),
    /// Check the catalogue in use: is the imported layer readable, is everything priced, how old are prices
    Check(FormatArgs),
    /// Show how many VM sizes and disks can be planned, simulated and priced per region, and what the rest lacks
    #[command(after_help = coverage::EXAMPLES)]
    Coverage(coverage::CoverageArgs),
    /// List the sources of the values
    Sources(FormatArgs),
    /// List the default latency models and their grades
    Latency(FormatArgs),
}

impl CatalogueCommand {
    fn output(&self) -> Option<&Path> {
        match self {
            CatalogueCommand::List(args) => args.output.as_deref(),
            CatalogueCommand::Show(args) => args.output.as_deref(),
            CatalogueCommand::Diff(args) => args.output.as_deref(),
            CatalogueCommand::Import(args) => args.output.as_deref(),
            CatalogueCommand::Coverage(args) => args.output.as_deref(),
            CatalogueCommand::Check(args) | CatalogueCommand::Sources(args) | CatalogueCommand::Latency(args) => {
                args.output.as_deref()
            }
        }
    }
}

/// How to print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table
    #[default]
    Table,
    /// JSON
    Json,
}

/// Options of every list.
#[derive(Clone, Debug, Args)]
pub struct FormatArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Options of `list`.
#[derive(Clone, Debug, Default, Args)]
pub struct ListArgs {
    /// Only names that contain this, ignoring case; `*` matches any characters
    pub name: Option<String>,
    /// Only VM sizes
    #[arg(long, conflicts_with = "disks")]
    pub vm: bool,
    /// Only disks
    #[arg(long)]
    pub disks: bool,
    /// Only this VM series, for example DSv2
    #[arg(long)]
    pub series: Option<String>,
    /// Only what this vendor sells; default: the first one that sells something that matches
    #[arg(long, value_name = "VENDOR", value_parser = vendors())]
    pub vendor: Option<String>,
    /// Only this edition, instead of the newest of each name
    #[arg(long)]
    pub edition: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Options of `show`.
#[derive(Clone, Debug, Args)]
pub struct ShowArgs {
    /// A VM size (DS14 or Standard_DS14) or a disk (P30)
    pub name: String,
    /// The edition; default: the newest with complete limits
    #[arg(long)]
    pub edition: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Options of `diff`.
#[derive(Clone, Debug, Args)]
pub struct DiffArgs {
    /// A VM size or disk; with --all, the older edition
    pub name: String,
    /// The older edition; default: compare every edition with the previous one
    pub from: Option<String>,
    /// The newer edition
    #[arg(requires = "from")]
    pub to: Option<String>,
    /// Compare everything in two editions: `diff --all 2017-03 2018-01`
    #[arg(long)]
    pub all: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The words of all vendors.
fn vendors() -> PossibleValuesParser {
    PossibleValuesParser::new(dw_catalogue::vendors().map(|vendor| vendor.id()))
}

/// What a vendor sells, of the words above.
fn of_vendor<'a>(own: &'a Catalogue, id: &str) -> &'a Catalogue {
    own.other(id).map_or(own, |other| &**other)
}

/// Runs the command and writes its output.
pub fn run(command: &CatalogueCommand, out: &mut dyn Write) -> Result<()> {
    let catalogue = in_use::catalogue();
    let text = match command {
        CatalogueCommand::Import(args) => return import::import(args, out),
        CatalogueCommand::Check(args) => return import::check(args.format, args.output.as_deref(), out),
        CatalogueCommand::List(args) => list(catalogue, args)?,
        CatalogueCommand::Show(args) => show(catalogue, &args.name, args.edition.as_deref(), args.format)?,
        CatalogueCommand::Diff(args) => diff_command(catalogue, args)?,
        CatalogueCommand::Coverage(args) => coverage::coverage(catalogue, args)?,
        CatalogueCommand::Sources(args) => sources(catalogue, args.format),
        CatalogueCommand::Latency(args) => latency(args.format),
    };
    output::show(&text, command.output(), out)
}

// --- rows of either kind -----------------------------------------------------------------------------------------

/// A row of the catalogue.
#[derive(Clone, Copy)]
enum Row<'a> {
    Vm(&'a VmSize),
    Disk(&'a DiskOffer),
}

impl<'a> Row<'a> {
    /// A VM size or a disk of that name; no name is both.
    fn find(catalogue: &'a Catalogue, name: &str, edition: Option<&str>) -> Result<Self, LookupError> {
        if !catalogue.editions_of_disk(name).is_empty() {
            return catalogue.disk(name, edition).map(Row::Disk);
        }
        let error = match catalogue.vm(name, edition) {
            Ok(vm) => return Ok(Row::Vm(vm)),
            Err(error) => error,
        };
        // A short name without any VM size like it is more likely a disk.
        let begins = error.nearest.first().is_some_and(|near| dw_catalogue::fits(&format!("{name}*"), near));
        match catalogue.disk(name, edition) {
            Err(disk) if disk.of_a_type().is_some() => Err(disk),
            Err(disk)
                if error.editions.is_empty()
                    && (error.is_of_another_cloud() || error.nearest.is_empty() && disk.nearest.is_empty()) =>
            {
                Err(LookupError { thing: Thing::Any, ..error })
            }
            Err(disk)
                if error.editions.is_empty() && !begins && (error.nearest.is_empty() || name.trim().len() <= 3) =>
            {
                Err(disk)
            }
            _ => Err(error),
        }
    }
    fn editions(self, catalogue: &'a Catalogue) -> Vec<&'a str> {
        match self {
            Row::Vm(vm) => catalogue.editions_of_vm(&vm.name),
            Row::Disk(disk) => catalogue.editions_of_disk(&disk.sku),
        }
    }
    fn kind(self) -> &'static str {
        match self {
            Row::Vm(_) => "vm_size",
            Row::Disk(_) => "disk",
        }
    }
    fn name(self) -> &'a str {
        match self {
            Row::Vm(vm) => &vm.name,
            Row::Disk(disk) => &disk.sku,
        }
    }
    fn edition(self) -> &'a str {
        match self {
            Row::Vm(vm) => &vm.edition,
            Row::Disk(disk) => &disk.edition,
        }
    }
    /// What it is, and what it takes to deploy it today.
    fn all_fields(self, catalogue: &Catalogue) -> Vec<Field> {
        let mut fields = self.fields();
        if let Row::Vm(vm) = self {
            fields.extend(catalogue.deployment(vm));
        }
        fields
    }
    fn fields(self) -> Vec<Field> {
        match self {
            Row::Vm(vm) => vm.fields(),
            Row::Disk(disk) => disk.fields(),
        }
    }
    fn notes(self) -> &'a [String] {
        match self {
            Row::Vm(vm) => &vm.notes,
            Row::Disk(disk) => &disk.notes,
        }
    }
    fn conflicts(self, catalogue: &Catalogue) -> Vec<String> {
        let conflicts = match self {
            Row::Vm(vm) => catalogue.conflicts_of_vm(vm),
            Row::Disk(disk) => catalogue.conflicts_of_disk(disk),
        };
        conflicts.iter().map(ToString::to_string).collect()
    }
}

/// A name of the command line that the catalogue lacks.
fn asked(error: LookupError) -> Error {
    let mut error = Error::from(error);
    error.kind = Kind::Usage;
    error
}

fn value_json(value: &FieldValue) -> Value {
    match value {
        FieldValue::Count(n) | FieldValue::Bytes(n) | FieldValue::Iops(n) | FieldValue::BytesPerSecond(n) => json!(n),
        FieldValue::Flag(flag) => json!(flag),
        FieldValue::Text(text) => json!(text),
    }
}

fn source_json(source: &Source) -> Value {
    let mut object = Map::new();
    object.insert("id".into(), json!(source.id));
    object.insert("page".into(), json!(source.page));
    object.insert("date".into(), json!(source.date));
    for (key, value) in [("revision", &source.revision), ("note", &source.note)] {
        if let Some(value) = value {
            object.insert(key.into(), json!(value));
        }
    }
    Value::Object(object)
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

// --- list --------------------------------------------------------------------------------------------------------

/// VM sizes and disks that fit the filter, of the vendor that is named, or of the first that has some.
pub fn list(catalogue: &Catalogue, args: &ListArgs) -> Result<Text> {
    if let Some(id) = &args.vendor {
        return list_of(of_vendor(catalogue, id), args);
    }
    list_of(catalogue, args).or_else(|error| {
        let of_another = catalogue.others().find_map(|other| list_of(other, args).ok());
        of_another.ok_or(error)
    })
}

fn list_of(catalogue: &Catalogue, args: &ListArgs) -> Result<Text> {
    if let Some(edition) = &args.edition {
        check_edition(catalogue, edition)?;
    }
    let vms = if args.disks { Vec::new() } else { listed_vms(catalogue, args) };
    let disks = if args.vm || args.series.is_some() { Vec::new() } else { listed_disks(catalogue, args) };
    if vms.is_empty() && disks.is_empty() {
        return Err(nothing_fits(catalogue, args));
    }
    if args.format == Format::Json {
        let row = |row: Row| {
            let fields = row.fields().into_iter().map(|field| (field.name, value_json(&field.value)));
            let mut object: Map<String, Value> = Map::new();
            object.insert("name".into(), json!(row.name()));
            object.insert("edition".into(), json!(row.edition()));
            object.extend(fields);
            Value::Object(object)
        };
        let vms: Vec<Value> = vms.into_iter().map(|vm| row(Row::Vm(vm))).collect();
        let disks: Vec<Value> = disks.into_iter().map(|disk| row(Row::Disk(disk))).collect();
        return Ok(Text::verbatim(pretty(&json!({ "vm_sizes": vms, "disks": disks }))));
    }
    let mut text = Text::new();
    if !vms.is_empty() {
        text += vm_table(&vms);
    }
    if !vms.is_empty() && !disks.is_empty() {
        text += "\n";
    }
    if !disks.is_empty() {
        text += disk_table(&disks);
    }
    Ok(text)
}

/// The filter that lets nothing through, and what was probably meant by it.
fn nothing_fits(catalogue: &Catalogue, args: &ListArgs) -> Error {
    let is_known = |series: &str| {
        catalogue.vm_sizes().filter_map(|vm| vm.series.as_deref()).any(|own| own.eq_ignore_ascii_case(series))
    };
    if let Some(series) = args.series.as_deref().filter(|series| !is_known(series)) {
        let near = dw_catalogue::nearest(series, catalogue.vm_sizes().filter_map(|vm| vm.series.as_deref()));
        let hint = match near.as_slice() {
            [] => "`diskwright catalogue list --vm` has them in its first column".to_string(),
            near => format!("did you mean `{}`?", near.join("` or `")),
        };
        return Error::usage(format!("unknown VM series `{series}`")).hint(hint);
    }
    if let Some(name) = args.name.as_deref() {
        let alone = ListArgs { name: Some(name.to_string()), ..ListArgs::default() };
        if listed_vms(catalogue, &alone).is_empty() && listed_disks(catalogue, &alone).is_empty() {
            return match Row::find(catalogue, name, None) {
                Err(error) if !name.contains('*') => asked(error),
                _ => Error::usage(format!("nothing in the catalogue matches `{name}`"))
                    .hint("`diskwright catalogue list` shows everything; `*` matches any characters"),
            };
        }
    }
    Error::usage("nothing in the catalogue matches all filters").hint("remove a filter")
}

/// A part of the name, or a pattern with `*`.
fn fits(name: &str, part: Option<&String>) -> bool {
    part.is_none_or(|part| match part.contains('*') {
        true => dw_catalogue::fits_disk(part, name),
        false => name.to_ascii_lowercase().contains(&part.trim().to_ascii_lowercase()),
    })
}

fn listed_vms<'a>(catalogue: &'a Catalogue, args: &ListArgs) -> Vec<&'a VmSize> {
    let in_series = |vm: &VmSize| {
        args.series
            .as_deref()
            .is_none_or(|wanted| vm.series.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(wanted)))
    };
    let mut seen = BTreeSet::new();
    let rows = catalogue.vm_sizes().filter(|vm| fits(&vm.name, args.name.as_ref()));
    let rows = rows.filter_map(|vm| match args.edition.as_deref() {
        Some(edition) => vm.edition.eq_ignore_ascii_case(edition).then_some(vm),
        None if seen.insert(&vm.name) => catalogue.vm(&vm.name, None).ok(),
        None => None,
    });
    let mut rows: Vec<&VmSize> = rows.filter(|vm| in_series(vm)).collect();
    rows.sort_by_key(|vm| (vm.series.is_none(), &vm.series, vm.vcpu, &vm.name));
    rows
}

fn listed_disks<'a>(catalogue: &'a Catalogue, args: &ListArgs) -> Vec<&'a DiskOffer> {
    let mut seen = BTreeSet::new();
    let rows = catalogue.disks().filter(|disk| fits(&disk.sku, args.name.as_ref()));
    let rows = rows.filter_map(|disk| match args.edition.as_deref() {
        Some(edition) => disk.edition.eq_ignore_ascii_case(edition).then_some(disk),
        None if seen.insert(&disk.sku) => catalogue.disk(&disk.sku, None).ok(),
        None => None,
    });
    rows.collect()
}

fn vm_table(vms: &[&VmSize]) -> Table {
    let header = ["VM size", "series", "edition", "vCPU", "memory", "disks", "cache", "uncached", "cached"];
    let limit = |limit: Option<dw_catalogue::VmLimit>| {
        let iops = limit.and_then(|limit| limit.iops).map(|iops| FieldValue::Iops(iops.get()).to_string());
        let throughput = limit.and_then(|limit| limit.throughput()).map(|throughput| throughput.to_string());
        match (iops, throughput) {
            (Some(iops), Some(throughput)) => format!("{iops}, {throughput}"),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => "-".into(),
        }
    };
    let dash = |text: Option<String>| text.unwrap_or_else(|| "-".into());
    let rows = vms.iter().map(|vm| {
        vec![
            vm.name.clone(),
            dash(vm.series.clone()),
            vm.edition.clone(),
            vm.vcpu.to_string(),
            dash(vm.memory_mib.map(|mib| dw_units::Bytes::mib(mib).to_string())),
            vm.max_data_disks.to_string(),
            dash(vm.cache.filter(|_| vm.host_caching == Some(true)).map(|cache| cache.to_string())),
            limit(Some(vm.uncached)),
            limit(vm.cached),
        ]
    });
    columns(&header, rows)
}

fn disk_table(disks: &[&DiskOffer]) -> Table {
    let header = ["disk", "family", "edition", "size", "limits", "burst on credits", "on demand"];
    let limit = |limit: Option<dw_catalogue::disk::DiskLimit>| match limit {
        Some(limit) => format!("{}, {}", FieldValue::Iops(limit.iops.get()), limit.throughput()),
        None => "-".into(),
    };
    let rows = disks.iter().map(|disk| {
        let own = match disk.free_form {
            Some(rules) => {
                let most = FieldValue::Iops(rules.iops_max.get());
                match (rules.follow, rules.bytes_per_gib) {
                    (Follow::Both, Some(_)) => format!("by size, up to {}", rules.throughput_bounds(rules.iops_max).1),
                    (Follow::Both, None) => format!("by size, up to {most}"),
                    _ => format!("chosen, up to {most}"),
                }
            }
            None => limit(disk.base),
        };
        let size = match disk.fixed_size() {
            Some(size) => size.to_string(),
            None => format!("{} to {}", disk.size.min, disk.size.max),
        };
        let credit = match disk.free_form.and_then(|rules| rules.burst.map(|burst| (burst, rules.unit))) {
            Some((burst, unit)) => burst_of(burst, unit),
            None => limit(disk.credit_burst),
        };
        let demand = limit(disk.on_demand);
        vec![disk.sku.clone(), disk.kind().name.into(), disk.edition.clone(), size, own, credit, demand]
    });
    columns(&header, rows)
}

/// What a disk whose rates follow from its size gives while its credits last.
fn burst_of(burst: FreeBurst, unit: MbUnit) -> String {
    let most = |number| PrintedMb { number, unit }.throughput();
    match (burst.iops, burst.bytes) {
        (Some((iops, _)), _) => format!("{} below that", FieldValue::Iops(iops)),
        (None, BurstBytes::Credits { mb, .. }) => format!("by size, up to {}", most(mb)),
        (None, BurstBytes::Plain { .. }) => "-".into(),
    }
}

/// Words in columns, under a header.
fn columns<const N: usize>(header: &[&str; N], rows: impl Iterator<Item = Vec<String>>) -> Table {
    let header = header.iter().map(ToString::to_string).collect();
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
    Table::new(rows, &std::array::from_fn::<usize, N, _>(|column| column))
}

// --- show --------------------------------------------------------------------------------------------------------

/// All figures of a VM size or disk.
pub fn show(catalogue: &Catalogue, name: &str, edition: Option<&str>, format: Format) -> Result<Text> {
    let row = match Row::find(catalogue, name, edition) {
        Ok(row) => row,
        Err(error) => match catalogue.others().find_map(|other| other.describe(name, edition)) {
            Some(description) => return Ok(described::show(&description, format)),
            None => return Err(asked(error)),
        },
    };
    Ok(match format {
        Format::Table => show_text(catalogue, row),
        Format::Json => Text::verbatim(pretty(&show_json(catalogue, row))),
    })
}

fn show_text(catalogue: &Catalogue, row: Row) -> Text {
    let fields = row.all_fields(catalogue);
    let ids: BTreeSet<&str> = fields.iter().map(|field| field.source.as_str()).collect();
    let number: BTreeMap<&str, usize> = ids.iter().enumerate().map(|(position, id)| (*id, position + 1)).collect();
    let editions = row.editions(catalogue).join(", ");
    let mut text = Text::from(format!("{}, edition {} (of {editions})\n\n", row.name(), row.edition()));
    text += columns(
        &["field", "value", "printed as", "source"],
        fields.iter().map(|field| {
            let derived = if field.rule.is_some() { " derived" } else { "" };
            vec![
                field.name.clone(),
                field.value.to_string(),
                field.printed.clone().unwrap_or_default(),
                format!("[{}]{derived}", number[field.source.as_str()]),
            ]
        }),
    );
    text += "\n";
    for (id, number) in &number {
        let Some(source) = catalogue.source(id) else { continue };
        let revision = source.revision.as_ref().map(|revision| format!(" at {revision}")).unwrap_or_default();
        writeln!(text, "[{number}] {id}: {}{revision}, {}", source.page, source.date).expect("a string takes all");
    }
    text += prices_text(catalogue, row.name());
    let mut remarks: Vec<String> = Vec::new();
    for (rule, names) in rules(&fields) {
        remarks.push(format!("derived {}: {rule}", names.join(", ")));
    }
    remarks.extend(row.notes().iter().map(|note| format!("note: {note}")));
    remarks.extend(row.conflicts(catalogue).into_iter().map(|conflict| format!("conflict in {conflict}")));
    if !remarks.is_empty() {
        text += format!("\n{}\n", remarks.join("\n"));
    }
    text
}

/// A line for each price, newest first.
fn prices_text(catalogue: &Catalogue, name: &str) -> Text {
    let prices = catalogue.prices_of(name);
    if prices.is_empty() {
        return Text::new();
    }
    let rows = prices.iter().rev().map(|price| {
        let note = price.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
        let month = format!("{} {}", price.monthly(), price.currency);
        vec![
            price.region.clone(),
            price.edition.clone(),
            format!("{}{price}", price.meter.of()),
            month,
            format!("{}{note}", price.source),
        ]
    });
    let mut text = Text::from("\n");
    text += columns(&["prices in", "edition", "price", "a month", "source"], rows);
    text
}

fn price_json(price: &Price) -> Value {
    let mut object = Map::new();
    object.insert("meter".into(), json!(price.meter.id()));
    object.insert("micros".into(), json!(price.amount.get()));
    object.insert("currency".into(), json!(price.currency));
    object.insert("per".into(), json!(price.term.name()));
    if let Some(commitment) = price.commitment {
        let (of, years) = match commitment.to {
            CommitTo::Machine => ("reserved_years", commitment.years),
            CommitTo::Spending => ("savings_plan_years", commitment.years),
        };
        object.insert(of.into(), json!(years));
    }
    object.insert("region".into(), json!(price.region));
    object.insert("edition".into(), json!(price.edition));
    object.insert("source".into(), json!(price.source));
    if let Some(note) = &price.note {
        object.insert("note".into(), json!(note));
    }
    Value::Object(object)
}

/// The rules of derived fields, in order, each with the fields it gave.
fn rules(fields: &[Field]) -> Vec<(&str, Vec<&str>)> {
    let mut rules: Vec<(&str, Vec<&str>)> = Vec::new();
    for field in fields {
        let Some(rule) = field.rule.as_deref() else { continue };
        match rules.iter_mut().find(|(known, _)| *known == rule) {
            Some((_, names)) => names.push(&field.name),
            None => rules.push((rule, vec![&field.name])),
        }
    }
    rules
}

fn field_json(field: &Field) -> Value {
    let mut object = Map::new();
    object.insert("value".into(), value_json(&field.value));
    let extra = [
        ("unit", field.value.unit().map(str::to_string)),
        ("printed", field.printed.clone()),
        ("source", Some(field.source.clone())),
        ("derived", field.rule.clone()),
    ];
    for (key, value) in extra {
        if let Some(value) = value {
            object.insert(key.into(), json!(value));
        }
    }
    Value::Object(object)
}

fn show_json(catalogue: &Catalogue, row: Row) -> Value {
    let fields = row.all_fields(catalogue);
    let prices = catalogue.prices_of(row.name());
    let mut ids: BTreeSet<&str> = fields.iter().map(|field| field.source.as_str()).collect();
    ids.extend(prices.iter().map(|price| price.source.as_str()));
    let prices: Vec<Value> = prices.iter().map(price_json).collect();
    let sources: Vec<Value> = ids.into_iter().filter_map(|id| catalogue.source(id)).map(source_json).collect();
    let by_name: Map<String, Value> = fields.iter().map(|field| (field.name.clone(), field_json(field))).collect();
    json!({
        "kind": row.kind(),
        "name": row.name(),
        "edition": row.edition(),
        "editions": row.editions(catalogue),
        "fields": by_name,
        "prices": prices,
        "notes": row.notes(),
        "conflicts": row.conflicts(catalogue),
        "sources": sources,
    })
}

// --- diff --------------------------------------------------------------------------------------------------------

/// A field that differs between two rows.
struct Change {
    name: String,
    from: Option<Field>,
    to: Option<Field>,
}

/// What differs between two rows of the same thing; a field that one side derived and both agree on does not.
fn changes(from: Row, to: Row) -> Vec<Change> {
    let (old, new) = (from.fields(), to.fields());
    let mut names: Vec<&String> = old.iter().map(|field| &field.name).collect();
    names.extend(new.iter().map(|field| &field.name).filter(|name| !old.iter().any(|field| field.name == **name)));
    let find = |fields: &[Field], name: &str| fields.iter().find(|field| field.name == name).cloned();
    let changes = names.into_iter().filter_map(|name| {
        let (from, to) = (find(&old, name), find(&new, name));
        let same = from.as_ref().map(|field| &field.value) == to.as_ref().map(|field| &field.value);
        (!same).then(|| Change { name: name.clone(), from, to })
    });
    changes.collect()
}

fn diff_command(catalogue: &Catalogue, args: &DiffArgs) -> Result<Text> {
    if args.all {
        let (Some(to), None) = (&args.from, &args.to) else {
            return Err(Error::usage("write two editions: diff --all 2017-03 2018-01"));
        };
        let has = |own: &Catalogue| [&args.name, to].iter().all(|edition| check_edition(own, edition).is_ok());
        return diff_editions(whose(catalogue, has), &args.name, to, args.format);
    }
    let has = |own: &Catalogue| Row::find(own, &args.name, None).is_ok();
    diff(whose(catalogue, has), &args.name, args.from.as_deref(), args.to.as_deref(), args.format)
}

/// The catalogue of whichever vendor has something, the own one first; where none has it, the own one says what it lacks.
fn whose(own: &Catalogue, has: impl Fn(&Catalogue) -> bool) -> &Catalogue {
    if has(own) { own } else { own.others().find(|other| has(other)).map_or(own, |other| &**other) }
}

/// What changed for a VM size or disk: between two editions, from one to the newest, or through all.
pub fn diff(catalogue: &Catalogue, name: &str, from: Option<&str>, to: Option<&str>, format: Format) -> Result<Text> {
    let newest = Row::find(catalogue, name, None).map_err(asked)?;
    let editions = newest.editions(catalogue);
    let pairs: Vec<(&str, &str)> = match (from, to) {
        (None, _) => editions.windows(2).map(|pair| (pair[0], pair[1])).collect(),
        (Some(from), Some(to)) => vec![(from, to)],
        (Some(from), None) => vec![(from, newest.edition())],
    };
    let mut steps = Vec::new();
    for (from, to) in pairs {
        let row = |edition| Row::find(catalogue, name, Some(edition)).map_err(asked);
        steps.push((row(from)?, row(to)?));
    }
    Ok(match format {
        Format::Json => {
            let steps: Vec<Value> = steps.iter().map(|(from, to)| step_json(*from, *to)).collect();
            Text::verbatim(pretty(
                &json!({ "name": newest.name(), "kind": newest.kind(), "editions": editions, "steps": steps }),
            ))
        }
        Format::Table => {
            let mut text =
                Text::from(format!("{}: {} edition{}", newest.name(), editions.len(), plural(editions.len())));
            writeln!(text, " ({})", editions.join(", ")).expect("a string takes all");
            for (from, to) in steps {
                text += step_text(from, to);
            }
            text
        }
    })
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

fn shown(field: Option<&Field>) -> (String, String) {
    match field {
        None => ("-".into(), "-".into()),
        Some(field) => {
            let derived = if field.rule.is_some() { " (derived)" } else { "" };
            (field.value.to_string(), format!("{}{derived}", field.source))
        }
    }
}

fn step_text(from: Row, to: Row) -> Text {
    let changes = changes(from, to);
    let steps = format!("\n{} -> {}", from.edition(), to.edition());
    if changes.is_empty() {
        return format!("{steps}: no change\n").into();
    }
    let mut text = Text::from(steps + "\n");
    text += columns(
        &["  field", "was", "is", "source before", "source now"],
        changes.iter().map(|change| {
            let ((was, old), (is, new)) = (shown(change.from.as_ref()), shown(change.to.as_ref()));
            vec![format!("  {}", change.name), was, is, old, new]
        }),
    );
    text
}

fn step_json(from: Row, to: Row) -> Value {
    let side = |field: &Option<Field>| field.as_ref().map_or(Value::Null, field_json);
    let changes: Vec<Value> = changes(from, to)
        .iter()
        .map(|change| json!({ "field": change.name, "from": side(&change.from), "to": side(&change.to) }))
        .collect();
    json!({ "from": from.edition(), "to": to.edition(), "changes": changes })
}

/// What changed between two whole editions.
pub fn diff_editions(catalogue: &Catalogue, from: &str, to: &str, format: Format) -> Result<Text> {
    for edition in [from, to] {
        check_edition(catalogue, edition)?;
    }
    let (old, new) = (rows_of(catalogue, from), rows_of(catalogue, to));
    let both: Vec<(Row, Row)> = old.iter().filter_map(|(key, row)| Some((*row, *new.get(key)?))).collect();
    let changed: Vec<(Row, Row)> = both.iter().copied().filter(|(a, b)| !changes(*a, *b).is_empty()).collect();
    let only = |a: &BTreeMap<_, Row>, b: &BTreeMap<_, Row>| -> Vec<String> {
        a.iter().filter(|(key, _)| !b.contains_key(*key)).map(|(_, row)| row.name().to_string()).collect()
    };
    let (gone, added) = (only(&old, &new), only(&new, &old));
    if format == Format::Json {
        let rows: Vec<Value> = changed
            .iter()
            .map(|(a, b)| {
                let mut step = step_json(*a, *b);
                step["name"] = json!(a.name());
                step
            })
            .collect();
        return Ok(Text::verbatim(pretty(
            &json!({ "from": from, "to": to, "in_both": both.len(), "changed": rows, "only_from": gone, "only_to": added }),
        )));
    }
    let mut text = Text::from(format!("{from} -> {to}: {} in both, {} changed\n", both.len(), changed.len()));
    for (title, names) in [(from, gone), (to, added)] {
        if !names.is_empty() {
            writeln!(text, "only in {title} ({}): {}", names.len(), names.join(", ")).expect("a string takes all");
        }
    }
    let rows = changed.iter().flat_map(|(a, b)| {
        changes(*a, *b).into_iter().map(|change| {
            let ((was, _), (is, _)) = (shown(change.from.as_ref()), shown(change.to.as_ref()));
            vec![a.name().to_string(), change.name, was, is]
        })
    });
    if !changed.is_empty() {
        text += "\n";
        text += columns(&["name", "field", "was", "is"], rows);
    }
    Ok(text)
}

fn check_edition(catalogue: &Catalogue, edition: &str) -> Result<()> {
    let editions = catalogue.editions();
    if editions.iter().any(|known| known.eq_ignore_ascii_case(edition)) {
        return Ok(());
    }
    Err(Error::usage(format!("unknown edition `{edition}`")).hint(format!("editions: {}", editions.join(", "))))
}

/// Rows of an edition, in the catalogue's order.
fn rows_of<'a>(catalogue: &'a Catalogue, edition: &str) -> BTreeMap<(bool, DiskOrder, &'a str), Row<'a>> {
    let is = |own: &str| own.eq_ignore_ascii_case(edition);
    let vms = catalogue.vm_sizes().filter(|vm| is(&vm.edition));
    let vms = vms.map(|vm| ((false, None, vm.name.as_str()), Row::Vm(vm)));
    let disks = catalogue.disks().filter(|disk| is(&disk.edition));
    let disks =
        disks.map(|disk| ((true, Some((disk.family(), disk.size.max.get())), disk.sku.as_str()), Row::Disk(disk)));
    vms.chain(disks).collect()
}

type DiskOrder = Option<(Option<DiskFamily>, u64)>;

// --- sources and latency -----------------------------------------------------------------------------------------

/// All sources.
pub fn sources(catalogue: &Catalogue, format: Format) -> Text {
    match format {
        Format::Json => Text::verbatim(pretty(&Value::Array(catalogue.sources().map(source_json).collect()))),
        Format::Table => columns(
            &["source", "date", "page"],
            catalogue.sources().map(|source| {
                let revision = source.revision.as_ref().map(|text| format!(" at {text}")).unwrap_or_default();
                vec![source.id.clone(), source.date.clone(), format!("{}{revision}", source.page)]
            }),
        )
        .into(),
    }
}

/// The default latency models.
pub fn latency(format: Format) -> Text {
    let models = dw_catalogue::latency::all();
    if format == Format::Json {
        let knots = |knots: &[(u32, u64)]| -> Vec<Value> {
            knots.iter().map(|(ppm, ns)| json!({ "percentile": f64::from(*ppm) / 10_000.0, "ns": ns })).collect()
        };
        let typical = LatencySetting::Typical;
        let spread = |(optimistic, cautious): (u64, u64)| json!({ "optimistic": optimistic, "cautious": cautious });
        let model = |model: &LatencyModel| {
            json!({
                "name": model.name, "grade": model.grade, "reason": model.reason, "source": model.source,
                "title": model.title,
                "read": knots(&model.read_knots(typical)), "write": knots(&model.write_knots(typical)),
                "read_spread_percent": spread(model.spread()[0]), "write_spread_percent": spread(model.spread()[1]),
            })
        };
        return Text::verbatim(pretty(&Value::Array(models.iter().map(model).collect())));
    }
    let ms = |knots: &[(u32, u64)], ppm: u32| {
        let ns = knots.iter().find(|knot| knot.0 == ppm).map_or(0, |knot| knot.1);
        format!("{}.{:02} ms", ns / 1_000_000, ns % 1_000_000 / 10_000)
    };
    let rows = models.iter().flat_map(|model| {
        let typical = LatencySetting::Typical;
        let sides = [("read", model.read_knots(typical)), ("write", model.write_knots(typical))];
        let spread = model.spread();
        [0, 1].map(|side| {
            let (direction, knots) = &sides[side];
            let (optimistic, cautious) = spread[side];
            let mut row = vec![model.name.clone(), direction.to_string()];
            row.extend([500_000, 990_000, 999_000].map(|ppm| ms(knots, ppm)));
            row.extend([format!("{optimistic} %"), format!("{cautious} %")]);
            row.push(model.grade.clone());
            row
        })
    });
    columns(&["model", "direction", "p50", "p99", "p99.9", "optimistic", "cautious", "grade"], rows).into()
}

#[cfg(test)]
mod tests;
