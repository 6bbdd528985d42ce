//! `catalogue import`: records that the user fetched, as a layer over the shipped catalogue; and `catalogue check`.
//!
//! The layer is read, added to, tried (a layer that the catalogue does not take is not written), and replaced as a whole.
//! Rows of the same month, price rows of the same region among them, are replaced: importing twice changes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use diskwright::plan::{STALE_MONTHS, months_old};
use dw_catalogue::fetched::{BEGINNING, Brought, Difference, Fetched};
use dw_catalogue::file::{ImportedFile, MachineTable, PriceTable};
use dw_catalogue::{Catalogue, Field};
use dw_error::{Error, Result};
use dw_formats::cloud::{Day, ImportedRecords};
use serde_json::json;

use super::{Format, pretty};
use crate::report::Text;
use crate::{in_use, input, output, system};

/// Options of `import`.
#[derive(Clone, Debug, Args)]
pub struct ImportArgs {
    /// Output of `az vm list-skus -o json`, pages of the retail prices API, or what another vendor's examples below fetch
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Date the files were fetched; default: today
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub date: Option<String>,
    /// Show the changes without writing anything
    #[arg(long)]
    pub dry_run: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// A figure that differs from what was shipped.
struct Conflict {
    name: String,
    field: String,
    shipped: String,
    edition: String,
    imported: String,
}

impl From<&Difference> for Conflict {
    fn from(of: &Difference) -> Conflict {
        Conflict {
            name: of.name.clone(),
            field: of.field.into(),
            shipped: of.shipped.clone(),
            edition: of.edition.into(),
            imported: of.fetched.clone(),
        }
    }
}

/// Imports the files.
pub fn import(args: &ImportArgs, out: &mut dyn Write) -> Result<()> {
    let day = match &args.date {
        Some(text) => day(text, &today())?,
        None => today(),
    };
    let path = in_use::layer().ok_or_else(|| {
        let hint = match std::env::var_os(in_use::VARIABLE) {
            Some(_) => format!("unset {}, or name a file", in_use::VARIABLE),
            None => format!(
                "name a file: {}=prices.toml; or set HOME or XDG_DATA_HOME, its default location",
                in_use::VARIABLE
            ),
        };
        Error::usage("there is no layer to import into").hint(hint)
    })?;
    let (mut imported, mut empty) = (ImportedRecords::default(), Vec::new());
    for file in &args.files {
        if let Some(what) = add(&mut imported, file, &day)? {
            empty.push(what);
        }
    }
    let fetch = fetch();
    if let ([what], 1) = (&empty[..], args.files.len()) {
        return Err(Error::input(what).hint(fetch));
    }
    imported.notes.append(&mut empty);
    if rows(&imported) == 0 {
        return Err(Error::input("none of these files holds a VM size, disk or price").hint(fetch));
    }
    let before = read(&path)?;
    let machines = machines_of(&before);
    let merged = merge(before, &imported);
    let taken_out = machines.difference(&machines_of(&merged)).count();
    let is_changed = kept(&imported) > 0 || taken_out > 0;
    if taken_out > 0 {
        let what = if taken_out == 1 { "1 VM size is" } else { &format!("{taken_out} VM sizes are") };
        imported.notes.push(format!("{what} as shipped again, and taken out of the layer"));
    }
    let text = format!(
        "# Written by `diskwright catalogue import`: a layer over the shipped catalogue. To undo the import, delete this file.\n\n{}",
        toml::to_string(&merged).map_err(|e| Error::unexpected(format!("the layer cannot be written: {e}")))?
    );
    let layered = Catalogue::with_imported(&text)
        .map_err(|e| Error::input(format!("the files read are not a catalogue: {e}")).hint("nothing was written"))?;
    let conflicts = conflicts(&layered, &imported);
    imported.notes.extend(unpriced(&layered, &imported));
    let is_written = !args.dry_run && is_changed;
    if is_written {
        write(&path, &text)?;
    }
    let report = match args.format {
        Format::Table => report(&imported, &conflicts, &path, (args.dry_run, is_changed)),
        Format::Json => Text::verbatim(json_report(&imported, &conflicts, &path, is_written)),
    };
    output::show(&report, args.output.as_deref(), out)
}

/// Adds what a file says; a sentence where that is nothing.
fn add(imported: &mut ImportedRecords, file: &Path, day: &Day) -> Result<Option<String>> {
    let name = input::name(file);
    if let Some(mut stream) = streamed(file)? {
        let brought = stream.reader.read(&name, &mut stream.text)?;
        return Ok(add_brought(imported, (stream.vendor, file), brought, day));
    }
    let text = input::read_file(file)?;
    if let Some((vendor, reader)) = reader_of(text.as_bytes()) {
        let brought = reader.read(&name, &mut text.as_bytes())?;
        return Ok(add_brought(imported, (vendor, file), brought, day));
    }
    let before = rows(imported);
    imported.add(&name, &text, day)?;
    if rows(imported) == before {
        // It may say what another said before it.
        let mut alone = ImportedRecords::default();
        alone.add(&name, &text, day)?;
        if rows(&alone) == 0 {
            return Ok(Some(nothing_in(file, &alone)));
        }
    }
    Ok(None)
}

fn add_brought(
    imported: &mut ImportedRecords,
    (vendor, file): (&str, &Path),
    brought: Brought,
    day: &Day,
) -> Option<String> {
    let mut alone = ImportedRecords::default();
    let is_empty = brought.prices.is_empty() && brought.compared == 0;
    if is_empty {
        alone.left_out.clone_from(&brought.left_out);
    }
    imported.add_brought(vendor, &input::name(file), brought, day);
    is_empty.then(|| nothing_in(file, &alone))
}

/// A file that need not be held as a whole, with who reads it.
struct Streamed {
    vendor: &'static str,
    reader: &'static dyn Fetched,
    text: Box<dyn Read>,
}

/// A file of a vendor that reads its own, by what it begins with. Of what can be read but once nothing is taken.
fn streamed(path: &Path) -> Result<Option<Streamed>> {
    if input::is_standard_input(path) || !std::fs::metadata(path).is_ok_and(|file| file.is_file()) {
        return Ok(None);
    }
    let open = || File::open(path).map_err(|e| system::unreadable(path, &e));
    let mut beginning = Vec::new();
    let read = open()?.take(BEGINNING as u64).read_to_end(&mut beginning);
    read.map_err(|e| system::unreadable(path, &e))?;
    let Some((vendor, reader)) = reader_of(&beginning) else { return Ok(None) };
    Ok(Some(Streamed { vendor, reader, text: Box::new(open()?) }))
}

fn reader_of(text: &[u8]) -> Option<(&'static str, &'static dyn Fetched)> {
    let beginning = &text[..text.len().min(BEGINNING)];
    let readers = dw_catalogue::goods().into_iter().map(|(vendor, goods)| (vendor.id(), goods.fetched()));
    readers.into_iter().find(|(_, reader)| reader.knows(beginning))
}

/// How what is imported is fetched.
fn fetch() -> String {
    let others =
        dw_catalogue::goods().map(|(vendor, goods)| format!("; of {}, {}", vendor.name(), goods.fetched().how()));
    format!("{FETCH}{}", others.concat())
}

const FETCH: &str = "fetch it again with a region and a filter that match something: `az vm list-skus --location eastus -o json`, \
                     or a page of the retail prices API";

/// What is written.
fn kept(imported: &ImportedRecords) -> usize {
    counts(imported).iter().map(|(_, count)| count).sum()
}

/// Rows of every kind, those that are compared alone too.
fn rows(imported: &ImportedRecords) -> usize {
    kept(imported) + imported.compared
}

/// What is said of a file that brought nothing: an error where it stands alone, a note among others, as the last page of a list
/// may be empty.
fn nothing_in(file: &Path, imported: &ImportedRecords) -> String {
    let left_out: Vec<String> = imported.left_out.iter().map(|(why, count)| format!("{count} {why}")).collect();
    let what = format!("{}: holds no VM size, disk or price", input::name(file));
    match left_out.is_empty() {
        true => what,
        false => format!("{what} that is known here; left out: {}", left_out.join(", ")),
    }
}

/// Checks the catalogue in use: the layer is read, everything has limits, prices are not old.
pub fn check(format: Format, output: Option<&Path>, out: &mut dyn Write) -> Result<()> {
    let catalogue = in_use::catalogue();
    let rows = catalogue.vm_sizes_as_of(None);
    let complete = rows.iter().filter(|vm| vm.is_complete()).count();
    let newest = catalogue.prices().map(|price| price.edition).max().unwrap_or_else(|| "none".into());
    let age = months_old(&newest, in_use::now()).unwrap_or(0);
    let conflicts = catalogue.conflicts().len();
    let layer = in_use::layer().filter(|path| path.exists());
    let layer_text = layer.as_ref().map_or("none".to_string(), |path| path.display().to_string());
    let text = match format {
        Format::Json => Text::verbatim(pretty(&json!({
            "vm_sizes": rows.len(), "vm_sizes_with_all_limits": complete, "disks": catalogue.disks_as_of(None).len(),
            "prices": catalogue.prices().count(), "newest_prices": newest, "newest_prices_months_old": age,
            "conflicts": conflicts, "layer": layer.map(|path| path.display().to_string()),
            "others": catalogue.others().map(|other| other_json(other)).collect::<Vec<_>>(),
        }))),
        Format::Table => {
            let old = if age > STALE_MONTHS { ": import newer ones" } else { "" };
            let others: String = catalogue.others().map(|other| other_line(other)).collect();
            format!(
                "VM sizes     {} ({complete} with all limits)\ndisks        {}\nprices       {}, the newest of {newest}, {age} months old{old}\n\
                 conflicts    {conflicts} between documents and records (`catalogue show` names them)\nlayer        {layer_text}\n{others}",
                rows.len(),
                catalogue.disks_as_of(None).len(),
                catalogue.prices().count(),
            )
            .into()
        }
    };
    output::show(&text, output, out)
}

/// What a vendor behind its door sells, and of when its prices are.
struct Counted {
    vms: usize,
    disks: usize,
    prices: usize,
    oldest: String,
    newest: String,
}

fn counted(of: &Catalogue) -> Counted {
    let editions: Vec<String> = of.prices().map(|price| price.edition).collect();
    let none = || "none".to_string();
    Counted {
        vms: of.vm_sizes_as_of(None).len(),
        disks: of.disks_as_of(None).len(),
        prices: editions.len(),
        oldest: editions.iter().min().cloned().unwrap_or_else(none),
        newest: editions.into_iter().max().unwrap_or_else(none),
    }
}

fn other_line(of: &Catalogue) -> String {
    let Counted { vms, disks, prices, oldest, newest } = counted(of);
    format!("{:<12} {vms} VM sizes, {disks} disks, {prices} prices from {oldest} to {newest}\n", of.vendor().name())
}

fn other_json(of: &Catalogue) -> serde_json::Value {
    let Counted { vms, disks, prices, oldest, newest } = counted(of);
    json!({ "vendor": of.vendor().id(), "vm_sizes": vms, "disks": disks, "prices": prices, "oldest_prices": oldest, "newest_prices": newest })
}

/// When files were fetched: neither before the vendor nor after today.
fn day(text: &str, today: &Day) -> Result<Day> {
    let Some(day) = Day::parse(text) else {
        let is_early = text.strip_prefix('1').is_some_and(|rest| Day::parse(&format!("2{rest}")).is_some());
        let is = if is_early { "is before the first prices" } else { "is not a day" };
        let hint = format!("write for example `--date {}`", today.text());
        return Err(Error::usage(format!("`--date {text}` {is}")).hint(hint));
    };
    if day.text() > today.text() {
        return Err(Error::usage(format!("`--date {text}` is after today, {}", today.text()))
            .hint("write the date the files were fetched, or omit it for today"));
    }
    Ok(day)
}

/// Today, in the calendar of the universal time.
fn today() -> Day {
    let seconds = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    // Days to a date: Howard Hinnant, "chrono-compatible low-level date algorithms".
    let z = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (z / 146_097, z % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let (day, month) =
        (day_of_year - (153 * shifted + 2) / 5 + 1, if shifted < 10 { shifted + 3 } else { shifted - 9 });
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    Day::new(year, month, day)
}

fn read(path: &Path) -> Result<ImportedFile> {
    let text = match in_use::text_of(path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(ImportedFile::default()),
        Err(e) => return Err(system::unreadable(path, &e)),
    };
    // What was there must be a catalogue by itself, so that what follows is the fault of the new files.
    in_use::layered(path, &text)?;
    toml::from_str(&text)
        .map_err(|e| in_use::broken(path, &dw_error::shape::line_of_toml(&text, e.span(), e.message())))
}

fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|e| system::cannot_make(folder, &e))?;
    }
    output::write(text, Some(path), &mut std::io::sink())
}

/// What was there, without what is imported again, and that.
fn merge(mut before: ImportedFile, imported: &ImportedRecords) -> ImportedFile {
    for table in &imported.vms {
        for old in before.vm.iter_mut().filter(|old| old.edition == table.edition) {
            old.rows.retain(|row| !table.rows.iter().any(|new| new.name == row.name));
        }
    }
    for table in &imported.disks {
        for old in before.disk.iter_mut().filter(|old| old.edition == table.edition && old.family == table.family) {
            old.rows.retain(|row| !table.rows.iter().any(|new| new.sku == row.sku));
        }
    }
    for table in &imported.prices {
        let same = |old: &PriceTable| {
            let key = |table: &PriceTable| {
                let place = (table.vendor.clone(), table.region.clone());
                (table.edition.clone(), place, table.currency.clone(), table.commitment())
            };
            key(old) == key(table)
        };
        for old in before.price.iter_mut().filter(|old| same(old)) {
            old.rows.retain(|row| !table.rows.iter().any(|new| new.name == row.name && new.meter == row.meter));
        }
    }
    before.vm.extend(imported.vms.iter().cloned());
    before.disk.extend(imported.disks.iter().cloned());
    // Zones have no edition: what was fetched last counts.
    for table in &imported.zones {
        for old in before.zones.iter_mut().filter(|old| old.region == table.region) {
            old.rows.retain(|row| !table.rows.iter().any(|new| new.name == row.name));
        }
    }
    before.zones.extend(imported.zones.iter().cloned());
    before.zones.retain(|table| !table.rows.is_empty());
    merge_machines(&mut before.machine, imported);
    before.price.extend(imported.prices.iter().cloned());
    before.vm.retain(|table| !table.rows.is_empty());
    before.disk.retain(|table| !table.rows.is_empty());
    before.price.retain(|table| !table.rows.is_empty());
    before.source.retain(|old| !imported.sources.iter().any(|new| new.id == old.id));
    before.source.extend(imported.sources.iter().cloned());
    // A source that no row refers to any more is none.
    let used: Vec<&String> = before.vm.iter().map(|t| &t.source).chain(before.disk.iter().map(|t| &t.source)).collect();
    let used = used.into_iter().chain(before.price.iter().map(|t| &t.source));
    let used = used.chain(before.machine.iter().map(|t| &t.source));
    let used: Vec<String> = used.chain(before.zones.iter().map(|t| &t.source)).cloned().collect();
    before.source.retain(|source| used.contains(&source.id));
    before.source.sort_by(|a, b| a.id.cmp(&b.id));
    before
}

/// Machines of the same month are replaced; one that is as it is shipped needs no row any more.
fn merge_machines(before: &mut Vec<MachineTable>, imported: &ImportedRecords) {
    for old in before.iter_mut() {
        let again = imported.machines.iter().filter(|new| (&new.vendor, &new.edition) == (&old.vendor, &old.edition));
        let again: BTreeSet<&String> = again.flat_map(|new| new.rows.iter().map(|row| &row.name)).collect();
        // What a later month says stays; editions of imports begin with their month.
        let agrees = imported.agreeing.iter().filter(|new| new.vendor == old.vendor && old.edition <= new.edition);
        let gone: BTreeSet<&String> = again.into_iter().chain(agrees.map(|new| &new.name)).collect();
        old.rows.retain(|row| !gone.contains(&row.name));
    }
    before.extend(imported.machines.iter().cloned());
    before.retain(|table| !table.rows.is_empty());
}

/// Machines of a layer, by vendor, edition and name.
fn machines_of(layer: &ImportedFile) -> BTreeSet<[String; 3]> {
    let rows = layer.machine.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    rows.map(|(table, row)| [table.vendor.clone(), table.edition.clone(), row.name.clone()]).collect()
}

fn machine_rows(tables: &[MachineTable]) -> usize {
    tables.iter().map(|table| table.rows.len()).sum()
}

/// Which of the machines that were imported have no price anywhere, so many of them by name.
fn unpriced(layered: &Catalogue, imported: &ImportedRecords) -> Option<String> {
    const NAMED: usize = 8;
    let rows = imported.machines.iter().flat_map(|table| {
        let of = of_vendor(layered, Some(&table.vendor));
        table.rows.iter().filter(|row| of.prices_of(&row.name).is_empty()).map(|row| row.name.as_str())
    });
    let names: Vec<&str> = rows.collect();
    let more = names.len().checked_sub(NAMED).filter(|more| *more > 0);
    let more = more.map(|more| format!(" and {more} more")).unwrap_or_default();
    let named: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| {
        format!("without a price in any region, so in no plan until one is imported: {}{more}", named.join(", "))
    })
}

/// Figures that differ between what is imported and the newest that was shipped.
fn conflicts(layered: &Catalogue, imported: &ImportedRecords) -> Vec<Conflict> {
    let shipped = Catalogue::embedded();
    let mut found: Vec<Conflict> = imported.differences.iter().map(Conflict::from).collect();
    let mut compare = |name: &str, old: (Vec<Field>, &str), new: Vec<Field>| {
        for field in new.iter().filter(|field| field.rule.is_none()) {
            let Some(before) = old.0.iter().find(|before| before.name == field.name && before.rule.is_none()) else {
                continue;
            };
            if before.value != field.value {
                found.push(Conflict {
                    name: name.to_string(),
                    field: field.name.clone(),
                    shipped: before.value.to_string(),
                    edition: old.1.to_string(),
                    imported: field.value.to_string(),
                });
            }
        }
    };
    for table in &imported.vms {
        for row in &table.rows {
            if let (Ok(old), Ok(new)) = (shipped.vm(&row.name, None), layered.vm(&row.name, Some(&table.edition))) {
                compare(&row.name, (old.fields(), &old.edition), new.fields());
            }
        }
    }
    for table in &imported.disks {
        for row in &table.rows {
            if let (Ok(old), Ok(new)) = (shipped.disk(&row.sku, None), layered.disk(&row.sku, Some(&table.edition))) {
                compare(&row.sku, (old.fields(), &old.edition), new.fields());
            }
        }
    }
    for table in imported.prices.iter().filter(|table| table.commitment().is_none()) {
        let vendor = table.vendor.as_deref();
        for row in &table.rows {
            let meter =
                row.meter.as_deref().and_then(dw_catalogue::Meter::from_id).unwrap_or(dw_catalogue::Meter::Whole);
            let of = |catalogue: &Catalogue| {
                catalogue.price_in(&table.currency, &row.name, meter, &table.region, None, None)
            };
            let (old, new) = (of(of_vendor(shipped, vendor)), of(of_vendor(layered, vendor)));
            if let (Ok(old), Ok(new)) = (old, new)
                && old.monthly() != new.monthly()
            {
                found.push(Conflict {
                    name: row.name.clone(),
                    field: format!("price in {}", table.region),
                    shipped: old.to_string(),
                    edition: old.edition.clone(),
                    imported: new.to_string(),
                });
            }
        }
    }
    found
}

/// The catalogue of a vendor of a table of prices.
fn of_vendor<'a>(catalogue: &'a Catalogue, vendor: Option<&str>) -> &'a Catalogue {
    vendor.map_or(catalogue, |id| super::of_vendor(catalogue, id))
}

fn counts(imported: &ImportedRecords) -> [(&'static str, usize); 4] {
    [
        (
            "VM sizes",
            imported.vms.iter().map(|table| table.rows.len()).sum::<usize>() + machine_rows(&imported.machines),
        ),
        ("disks", imported.disks.iter().map(|table| table.rows.len()).sum()),
        ("prices", imported.prices.iter().map(|table| table.rows.len()).sum()),
        ("regions with zones", imported.zones.len()),
    ]
}

fn report(
    imported: &ImportedRecords,
    conflicts: &[Conflict],
    path: &Path,
    (dry_run, is_changed): (bool, bool),
) -> Text {
    let counted: Vec<String> = counts(imported).iter().map(|(what, count)| format!("{count} {what}")).collect();
    let how = if dry_run { "would be written to" } else { "written to" };
    let mut text = match is_changed {
        false => Text::from("nothing to write\n"),
        _ if kept(imported) == 0 => Text::from(format!("{how} {}\n", path.display())),
        _ => Text::from(format!("{} {how} {}\n", counted.join(", "), path.display())),
    };
    if !conflicts.is_empty() {
        text += "\ndifferences from the shipped catalogue; imported values are used from now on\n";
        let rows = conflicts.iter().map(|c| {
            vec![c.name.clone(), c.field.clone(), format!("{} ({})", c.shipped, c.edition), c.imported.clone()]
        });
        text += super::columns(&["name", "field", "shipped", "imported"], rows);
    }
    if imported.compared > 0 {
        let differ = imported.differences.iter().map(|one| &one.name).collect::<BTreeSet<_>>().len();
        let _ = writeln!(
            text,
            "{} VM sizes compared with the shipped catalogue, {differ} of them differ",
            imported.compared
        );
    }
    for (why, count) in &imported.left_out {
        let _ = writeln!(text, "left out: {count} {why}");
    }
    for note in &imported.notes {
        let _ = writeln!(text, "note: {note}");
    }
    text
}

fn json_report(imported: &ImportedRecords, conflicts: &[Conflict], path: &Path, is_written: bool) -> String {
    let counted: BTreeMap<&str, usize> = counts(imported).into_iter().collect();
    let conflicts: Vec<_> = conflicts
        .iter()
        .map(|c| {
            json!({ "name": c.name, "field": c.field, "shipped": c.shipped, "edition": c.edition, "imported": c.imported })
        })
        .collect();
    pretty(&json!({
        "written": is_written, "file": path.display().to_string(), "imported": counted,
        "conflicts": conflicts, "compared": imported.compared,
        "left_out": imported.left_out, "notes": imported.notes,
    }))
}
