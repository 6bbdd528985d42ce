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
use super::input::{Lines, words};
use super::number::decimal;
use super::out::Out;

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
    let mut above: Vec<String> = Vec::new();
    let mut devices: Vec<Name> = Vec::new();
    let mut columns: Vec<Column> = Vec::new();
    let mut rows = 0;
    while lines.advance()? {
        let number = lines.number();
        if is_header(lines.bytes()) {
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
            let names = above.iter().filter(|name| !matches!(name.as_str(), "tty" | "cpu" | "load" | "average"));
            devices = names.take(disks).map(|name| out.name(name.as_bytes())).collect();
            if devices.len() < disks {
                out.damaged(lines, format_args!("{disks} disks have columns, and {} have names", devices.len()))?;
                columns.clear();
            }
            continue;
        }
        let fields: Vec<&[u8]> = words(lines.bytes()).collect();
        let Some(values) = fields.iter().map(|field| decimal(field)).collect::<Option<Vec<f64>>>() else {
            above = fields.iter().map(|field| String::from_utf8_lossy(field).into_owned()).collect();
            continue;
        };
        if values.is_empty() || columns.is_empty() {
            continue;
        }
        if values.len() != columns.len() {
            out.damaged(lines, format_args!("{} columns where the header has {}", values.len(), columns.len()))?;
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
                    let busy_percent = Some((100.0 - value).max(0.0));
                    out.take(number, &common, Reading::Cpu(CpuInterval { busy_percent, ..CpuInterval::default() }));
                }
                Column::Other => {}
            }
        }
        for (device, disk) in devices.iter().zip(disks) {
            out.take(number, &common, Reading::Disk { device: device.clone(), role: Role::Disk, disk });
        }
    }
    Ok(())
}
