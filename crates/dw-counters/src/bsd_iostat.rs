//! iostat of macOS and of the BSDs: a line of devices, a line of columns below it, a row an interval.
//!
//! Each device has three columns: kilobytes of a transfer, transfers and megabytes per second (of 1024), reads and writes together. What
//! stands besides is the terminal, the processors (`us sy id`) and the load. The first row counts since boot. Rows have no time: the
//! interval is what `-w` was given.
//!
//! Source: the manual of iostat(8) of macOS and FreeBSD.
//!
//! Ignores: totals (`-I`), the old style (`-o`), FreeBSD's `-x`.

use dw_observe::{Common, CpuInterval, DiskInterval, Fact, Name, Reading, Role, Span, Stamp};
use dw_units::{Bytes, Throughput};

use super::CounterError;
use super::error::shown;
use super::input::{Lines, words};
use super::number::{Decimals, fixed, from_zero};
use super::out::Out;

/// Columns besides those of the disks: terminal, processors, load.
const OTHERS: [&[u8]; 11] = [b"tin", b"tout", b"us", b"sy", b"ni", b"in", b"id", b"1m", b"5m", b"15m", b"t/s"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Size(usize),
    Transfers(usize),
    Throughput(usize),
    Idle,
    Other,
}

/// Whether this line names the columns.
pub(super) fn is_header(line: &[u8]) -> bool {
    let names: Vec<&[u8]> = words(line).take(8).collect();
    names.windows(3).any(|three| three == [&b"KB/t"[..], b"tps", b"MB/s"])
}

/// Reads to the end.
pub(super) fn read(lines: &mut Lines<'_>, out: &mut Out<'_>) -> Result<(), CounterError> {
    let mut common = Common::at(Stamp::Report { index: 0 });
    out.fact(1, &common, Fact::Tool("iostat of BSD".into()));
    // Words that may be the names over the next header, and their line.
    let mut above: Option<(u64, Vec<String>)> = None;
    let mut devices: Vec<Name> = Vec::new();
    let mut columns: Vec<Column> = Vec::new();
    let mut rows = 0;
    while lines.advance()? {
        let number = lines.number();
        if is_header(lines.bytes()) {
            let names = above.take().map_or(Vec::new(), |(_, names)| names);
            let is_known = |name: &&[u8]| matches!(*name, b"KB/t" | b"tps" | b"MB/s") || OTHERS.contains(name);
            if let Some(name) = words(lines.bytes()).find(|name| !is_known(name)) {
                let what = format!("unknown column `{}`", shown(name));
                columns.clear();
                out.fault(number, what, "the rows below it are ignored; is this iostat's output?".into())?;
                continue;
            }
            let mut disks = 0;
            let column = |name: &[u8]| match name {
                b"KB/t" => {
                    disks += 1;
                    Column::Size(disks - 1)
                }
                b"tps" if disks > 0 => Column::Transfers(disks - 1),
                b"MB/s" if disks > 0 => Column::Throughput(disks - 1),
                b"id" => Column::Idle,
                _ => Column::Other,
            };
            columns = words(lines.bytes()).map(column).collect();
            let names = names.iter().filter(|name| !matches!(name.as_str(), "tty" | "cpu" | "load" | "average"));
            devices = names.take(disks).map(|name| out.device(number, name.as_bytes())).collect::<Result<_, _>>()?;
            if devices.len() < disks {
                out.damaged(lines, format_args!("{disks} disks have columns, but {} have names", devices.len()))?;
                columns.clear();
            }
            continue;
        }
        let fields: Vec<&[u8]> = words(lines.bytes()).collect();
        if fields.is_empty() {
            continue;
        }
        // What stood before the first header is no damage, whatever it was.
        if let Some((line, words)) = above.take().filter(|_| rows > 0 || !columns.is_empty()) {
            not_a_row(line, &words, out)?;
        }
        let Some(values) = fields.iter().map(|field| from_zero(fixed(field))).collect::<Option<Vec<f64>>>() else {
            above = Some((number, fields.iter().map(|field| String::from_utf8_lossy(field).into_owned()).collect()));
            continue;
        };
        if columns.is_empty() {
            out.damaged(lines, "numbers before a header")?;
            continue;
        }
        if values.len() != columns.len() {
            out.damaged(lines, format_args!("{} columns where the header has {}", values.len(), columns.len()))?;
            continue;
        }
        let mut decimals = Decimals::default();
        fields.iter().for_each(|field| decimals.see(field));
        if let Err(what) = out.decimals(number, &common, decimals) {
            out.damaged(lines, what)?;
            continue;
        }
        common.span = if rows == 0 { Span::First } else { Span::Interval };
        common.stamp = lines.clock(&mut super::stamp::Stamps::default(), out)?.unwrap_or(Stamp::Report { index: rows });
        rows += 1;
        let mut disks = vec![DiskInterval::default(); devices.len()];
        for (column, value) in columns.iter().zip(&values) {
            match column {
                Column::Size(disk) => disks[*disk].io_size = Some(Bytes::new((value * 1024.0).round() as u64)),
                Column::Transfers(disk) => disks[*disk].transfers_per_s = Some(*value),
                Column::Throughput(disk) => {
                    let bytes = (value * 1024.0 * 1024.0).round() as u64;
                    disks[*disk].throughput = Some(Throughput::bytes_per_second(bytes));
                }
                Column::Idle => {
                    out.take(number, &common, Reading::Cpu(CpuInterval::from_idle(Some(*value), None, None, None)));
                }
                Column::Other => {}
            }
        }
        for (device, disk) in devices.iter().zip(disks) {
            out.take(number, &common, Reading::Disk { device: device.clone(), role: Role::Disk, disk });
        }
    }
    match above.filter(|_| !columns.is_empty()) {
        Some((line, words)) => not_a_row(line, &words, out),
        None => Ok(()),
    }
}

fn not_a_row(line: u64, words: &[String], out: &mut Out<'_>) -> Result<(), CounterError> {
    let what = format!(
        "`{}` is neither a row of numbers from zero nor the names over a header",
        shown(words.join(" ").as_bytes())
    );
    out.unused(line, what)
}
