//! Recordings of what disks did: counters and traces of many tools in, readings out.
//!
//! Lives here: readers of counters and traces, one file per format; how a format is recognised.
//! Never here: opening files, guessing silently, what a recording comes to.
//! Read next: `detect.rs` (which format), `input.rs` (encodings, lines), `out.rs` (the door to the sink), then one file per format.
//!
//! A layout is known by the words of its header, never by a version. Files stream: memory is bounded by the number of
//! devices, not by the length of the file, except for JSON of Azure Monitor, CloudWatch and Prometheus, whose series must be joined: those APIs
//! give at most 93 days of minutes, 100,800 points a request and 11,000 points a series.
//!
//! Strict in meaning, tolerant in form: a line that is damaged is a fault of the sink, with its number and what is wrong, and
//! the next one is read; with [`Options::strict`] the first is the error of the whole file. What a tool does not print stays
//! unknown; what it prints is converted to base units and nothing else.
//!
//! Ignores: anything about networks, processes, file systems and pages.
//!
//! A crate of its own, as this is what is read by the gigabyte: it is optimised where the readers of small files are not.

#![forbid(unsafe_code)]

mod awr;
mod azure_csv;
mod azure_monitor;
mod biosnoop;
mod blkparse;
mod blktrace;
mod bsd_iostat;
mod cloudwatch;
mod cloudwatch_csv;
mod cloudwatch_names;
mod detect;
mod device_ids;
mod disk_columns;
mod diskstats;
mod dstat;
mod error;
mod fio_iolog;
mod fio_log;
pub mod fuzzing;
mod input;
mod iostat_text;
mod json_items;
mod number;
mod oswatcher;
mod out;
mod pages;
mod perfmon;
mod perfmon_names;
mod perfmon_samples;
mod prefix;
mod prometheus;
mod rows;
mod rwbs;
mod sadf;
mod sar;
mod sections;
mod sql_files;
mod stamp;
mod sysstat;
mod sysstat_json;
mod tracefs;
mod vmstat;

use std::io::{BufRead, Cursor, Read};

use dw_observe::Sink;

pub use azure_monitor::{LOCAL_DISK, OS_DISK};
pub use blktrace::read_blktrace;
pub use detect::{Format, compressed, is_of_names};
pub use error::CounterError;
pub use perfmon_names::CounterMap;

use input::{Decoded, HEAD, Lines, encoding_of};
use out::Out;
use pages::Page;
use prefix::Prefix;

/// The text of a file in UTF-8 or UTF-16 (as PowerShell writes what a program prints); what is not text is replaced.
pub fn decoded(bytes: &[u8]) -> String {
    let mut text = Vec::with_capacity(bytes.len());
    // Memory cannot fail to be read.
    let _ = Decoded::new(bytes, encoding_of(bytes)).read_to_end(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// Which of `03/04/26` is the month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrder {
    MonthFirst,
    /// The second.
    DayFirst,
}

/// How a file is to be read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// The file as the user named it, for errors.
    pub name: &'a str,
    /// Its index, for the origin of readings.
    pub file: u32,
    /// The first damaged line is an error.
    pub strict: bool,
    /// The format, where it is not to be recognised.
    pub format: Option<Format>,
    /// Only readings of this machine.
    pub machine: Option<&'a str>,
    /// How dates are written, where they do not say.
    pub dates: Option<DateOrder>,
    /// Names of Windows counters in a language that is not known here.
    pub counter_map: Option<&'a CounterMap>,
}

/// What came of reading a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// What it was.
    pub format: Format,
    /// Readings that were passed on, facts about the file not counted.
    pub readings: u64,
    /// Damaged lines.
    pub faults: u64,
}

/// Reads one recording to its end.
pub fn read(mut input: impl BufRead, options: &Options<'_>, sink: &mut dyn Sink) -> Result<Summary, CounterError> {
    let mut head = Vec::with_capacity(HEAD);
    let read = input.by_ref().take(HEAD as u64).read_to_end(&mut head);
    read.map_err(|e| input::unreadable(options.name, 1, &e))?;
    let binary = detect::binary(&head, options.name)?;
    let marked = encoding_rs::Encoding::for_bom(&head).is_some();
    let mut encoding = Page::from(encoding_of(&head));
    if head.trim_ascii_start().starts_with(b"\"(PDH-") {
        encoding = perfmon::encoding(&head, options).unwrap_or(encoding);
    }
    let mut head_text = Vec::new();
    let _ = Decoded::new(head.as_slice(), encoding).read_to_end(&mut head_text);
    let (format, prefix) = match options.format.or(binary) {
        Some(format) => (format, None),
        None => detect::text(&head_text, options.name)?,
    };
    let mut bytes = Cursor::new(head).chain(input);
    if format == Format::Blktrace {
        return read_blktrace(vec![(*options, Box::new(bytes))], sink);
    }
    // What is UTF-8 already is not copied once more; a mark at its beginning is not a part of the first line.
    let mut decoded;
    let plain = encoding == Page::from(encoding_rs::UTF_8) && !marked;
    let text: &mut dyn BufRead = if plain {
        &mut bytes
    } else {
        decoded = Decoded::new(bytes, encoding);
        &mut decoded
    };
    let mut out = Out::new(sink, options, format);
    let last = read_text(format, prefix, text, &head_text, &mut out)?;
    let (readings, faults) = (out.readings(), out.faults());
    // Names of devices are no readings.
    if readings == 0 && (format != Format::DeviceIds || faults > 0) {
        let (what, hint) = match (faults, out.first_fault()) {
            (0, _) => (
                "no report about disks, CPUs, memory or transactions".into(),
                match format {
                    Format::SysstatJson => {
                        "was it stopped before its end, or recorded without disks? `sadf -j FILE -- -dbru`".into()
                    }
                    Format::CloudWatch => {
                        "are the region, the ids and the times right? Points of a minute are kept for 15 days".into()
                    }
                    _ => "was the recorder stopped before its first report?".into(),
                },
            ),
            // What is wrong with the first says more than that all are.
            (n, Some((line, fault))) => {
                let what = match n {
                    1 => format!("{}; there is no sample", fault.what),
                    n => format!("{}; {n} lines are like this or damaged, and there is no sample", fault.what),
                };
                let is_plain = fault.hint.starts_with("nothing of") || fault.hint.is_empty();
                let hint = if is_plain { format!("is this really {}?", format.name()) } else { fault.hint.clone() };
                return Err(out.error(*line, what, hint));
            }
            (n, None) => (format!("{n} damaged lines and no sample"), format!("is this really {}?", format.name())),
        };
        return Err(out.error(last, what, hint));
    }
    Ok(Summary { format, readings, faults })
}

/// Reads text or JSON; the last line.
fn read_text(
    format: Format,
    prefix: Option<Prefix>,
    input: &mut dyn BufRead,
    head: &[u8],
    out: &mut Out<'_>,
) -> Result<u64, CounterError> {
    match format {
        Format::SysstatJson => return sysstat_json::read(input, out),
        Format::AzureMonitor if matches!(head.trim_ascii_start().first(), Some(b'{' | b'[')) => {
            return azure_monitor::read(input, head, out);
        }
        Format::AzureMonitor => return azure_csv::read(input, head, out),
        Format::CloudWatch if cloudwatch_csv::is_console(head) => return cloudwatch_csv::read(input, head, out),
        Format::DeviceIds => return device_ids::read(input, head, out),
        Format::CloudWatch => return cloudwatch::read(input, head, out),
        Format::Dstat if dstat::is_csv(head) => return dstat::read_csv(input, head, out),
        Format::Prometheus => return prometheus::read(input, out),
        Format::Perfmon if head.split(|&b| b == b'\n').any(perfmon_samples::is_exported) => {
            return perfmon_samples::read_exported(input, head, out);
        }
        Format::Perfmon if !head.split(|&b| b == b'\n').any(perfmon_samples::is_printed) => {
            return perfmon::read(input, head, out);
        }
        Format::SqlFiles => return sql_files::read(input, head, out),
        _ => {}
    }
    let mut lines = Lines::new(input, out.options.name, prefix);
    match format {
        Format::IostatText => iostat_text::read(&mut lines, out)?,
        Format::BsdIostat => bsd_iostat::read(&mut lines, out)?,
        Format::Sar => sar::read(&mut lines, out)?,
        Format::Sadf => sadf::read(&mut lines, out)?,
        Format::Vmstat => vmstat::read(&mut lines, out)?,
        Format::Diskstats => diskstats::read(&mut lines, out)?,
        Format::Blkparse => blkparse::read(&mut lines, out)?,
        Format::Tracefs => tracefs::read(&mut lines, out)?,
        Format::Biosnoop => biosnoop::read(&mut lines, out)?,
        Format::FioIolog => fio_iolog::read(&mut lines, out)?,
        Format::FioLog => fio_log::read(&mut lines, head, out)?,
        Format::Dstat => dstat::read_text(&mut lines, out)?,
        Format::Perfmon => perfmon_samples::read_printed(&mut lines, out)?,
        Format::Awr => awr::read(&mut lines, out)?,
        // Read before this.
        Format::SysstatJson | Format::AzureMonitor | Format::CloudWatch | Format::DeviceIds => {}
        Format::Prometheus | Format::SqlFiles | Format::Blktrace => {}
    }
    Ok(lines.number())
}
