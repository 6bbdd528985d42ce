//! `sadf -d`: semicolons, and a line that begins with `#` before every table.
//!
//! `host;seconds;stamp;figures`. The stamp is UTC when it says so, a local clock (`-T`) or seconds since 1970 (`-U`) when it
//! does not. With `-h` all tables stand in one line, and those with several devices repeat their columns.
//!
//! Ignores: tables that `sections.rs` does not know.

use dw_observe::{Common, Fact, Reading, Stamp};
use dw_units::Duration;

use super::CounterError;
use super::error::shown;
use super::input::Lines;
use super::number::fixed;
use super::out::Out;
use super::sections::{Kind, NoRow, damage, kind, row, wrong_header};
use super::stamp::{date_and_time, is_zone, unix};

/// Columns of one kind within a line.
struct Table {
    from: usize,
    columns: Vec<Vec<u8>>,
    kind: Kind,
    /// Its columns may stand there once for each of several devices.
    repeats: bool,
}

/// Reads to the end.
pub(super) fn read(lines: &mut Lines<'_>, out: &mut Out<'_>) -> Result<(), CounterError> {
    let mut tables: Vec<Table> = Vec::new();
    let mut common = Common::at(Stamp::Report { index: 0 });
    out.fact(1, &common, Fact::Tool("sadf -d".into()));
    let mut last: Option<Stamp> = None;
    while lines.advance()? {
        let number = lines.number();
        let line = lines.bytes();
        if line.is_empty() {
            continue;
        }
        if let Some(header) = line.strip_prefix(b"# ") {
            tables = split_tables(header);
            last = None;
            for table in &tables {
                let columns: Vec<&[u8]> = table.columns.iter().map(Vec::as_slice).collect();
                // Columns of tables that are not read stand behind those of processors and memory (`-h`).
                let ends = table.kind == Kind::Disks;
                if let Some((what, hint)) = wrong_header(table.kind, &columns, ends) {
                    out.fault(number, what, hint)?;
                }
            }
            continue;
        }
        let cells: Vec<&[u8]> = line.split(|&b| b == b';').collect();
        let done = match cells.as_slice() {
            [_, _, _, only] if only.starts_with(b"COM ") => Ok(()),
            [host, seconds, stamp, rest @ ..] if !tables.is_empty() || restarts(rest) => match read_stamp(stamp) {
                None => Err(format!("`{}` is not a date and time", shown(stamp)).into()),
                Some(_) if !fixed(seconds).is_some_and(|s| s >= 0.0 || restarts(rest)) => {
                    Err(format!("`{}` is not the length of an interval", shown(seconds)).into())
                }
                Some(at) => {
                    let name = out.name(host);
                    out.machine(number, &name)?;
                    common.machine = Some(name);
                    common.stamp = at;
                    common.interval = fixed(seconds).filter(|s| *s > 0.0).map(|s| Duration::from_ns((s * 1e9) as u64));
                    if let (Some(Stamp::Wall { ns: before, .. }), Stamp::Wall { ns, .. }) = (last.replace(at), at)
                        && ns < before
                    {
                        let what = format!("time goes back by {} s", (before - ns) as f64 / 1e9);
                        out.fault(
                            number,
                            what,
                            "samples are sorted by time; unless the clock was set back, split the file here".into(),
                        )?;
                    }
                    if restarts(rest) {
                        out.take(number, &common, Reading::Restart);
                        Ok(())
                    } else {
                        rows(&tables, rest, number, &common, out)
                    }
                }
            },
            _ => Err(format!("`{}` is not a line of sadf -d", shown(line)).into()),
        };
        if let Some(what) = damage(done)? {
            out.damaged(lines, what)?;
        }
    }
    Ok(())
}

/// Whether the machine was started then.
fn restarts(cells: &[&[u8]]) -> bool {
    cells.first().is_some_and(|cell| cell.starts_with(b"LINUX-RESTART"))
}

/// Tables begin at the columns that only one of them has first.
fn split_tables(header: &[u8]) -> Vec<Table> {
    let cells: Vec<&[u8]> = header.split(|&b| b == b';').skip(3).collect();
    let repeats = |name: &[u8]| name.ends_with(b"[...]");
    let names: Vec<Vec<u8>> =
        cells.iter().map(|name| name.strip_suffix(b"[...]").unwrap_or(name).trim_ascii().to_vec()).collect();
    let starts = |index: usize| {
        let name = names[index].as_slice();
        index == 0
            || matches!(name, b"DEV" | b"CPU" | b"kbmemfree" | b"IFACE" | b"INTR")
            || repeats(cells[index - 1]) && !repeats(cells[index])
            || name == b"tps" && names.get(index + 1).is_some_and(|n| n == b"rtps")
    };
    let mut tables: Vec<Table> = Vec::new();
    for (index, name) in names.iter().enumerate() {
        if starts(index) {
            tables.push(Table { from: index, columns: Vec::new(), kind: Kind::Other, repeats: false });
        }
        if let Some(table) = tables.last_mut() {
            table.columns.push(name.clone());
            table.repeats |= repeats(cells[index]);
        }
    }
    for table in &mut tables {
        let columns: Vec<&[u8]> = table.columns.iter().map(Vec::as_slice).collect();
        table.kind = kind(&columns);
    }
    tables
}

fn rows(tables: &[Table], cells: &[&[u8]], number: u64, common: &Common, out: &mut Out<'_>) -> Result<(), NoRow> {
    let named: usize = tables.iter().map(|table| table.columns.len()).sum();
    if cells.len() < named {
        return Err(format!("{} of {named} columns", cells.len()).into());
    }
    // What a line has beyond its header are further devices of the one table that repeats.
    let more = cells.len() - named;
    let mut repeating = tables.iter().filter(|table| table.repeats);
    let repeated = match (repeating.next(), repeating.next()) {
        _ if more == 0 => None,
        (Some(_), Some(_)) => {
            let found = cells.len();
            let what = format!("{found} columns where the header has {named}, and several tables that repeat");
            return Err(what.into());
        }
        (one, _) => one.or(tables.last()),
    };
    if let Some(table) = repeated
        && table.kind != Kind::Other
        && !more.is_multiple_of(table.columns.len().max(1))
    {
        return Err(format!("{} columns where the header has {named}", cells.len()).into());
    }
    let mut shift = 0;
    for table in tables {
        let columns: Vec<&[u8]> = table.columns.iter().map(Vec::as_slice).collect();
        let further = if repeated.is_some_and(|repeated| repeated.from == table.from) { more } else { 0 };
        let from = table.from + shift;
        shift += further;
        if table.kind == Kind::Other {
            continue;
        }
        for cells in cells[from..from + columns.len() + further].chunks(columns.len().max(1)) {
            row(table.kind, &columns, cells, number, common, out)?;
        }
    }
    Ok(())
}

fn read_stamp(cell: &[u8]) -> Option<Stamp> {
    let text = std::str::from_utf8(cell).ok()?;
    let mut words = text.split_whitespace();
    match (words.next()?, words.next(), words.next()) {
        (epoch, None, None) => fixed(epoch.as_bytes()).and_then(unix),
        (day, Some(time), zone) if zone.is_none_or(is_zone) => {
            date_and_time(day, time, matches!(zone, Some("UTC" | "GMT")))
        }
        _ => None,
    }
}
