//! Recordings of what disks did: counters and traces of many tools in, readings out.
//!
//! Read next: `detect.rs` (which format), `input.rs` (encodings, lines), `out.rs` (the door to the sink), then one file a
//! format. A layout is known by the words of its header, never by a version. Files stream: memory is bounded by the number of
//! devices, not by the length of the file, except for JSON of Azure Monitor and Prometheus, whose series must be joined.
//!
//! Strict in meaning, tolerant in form: a line that is damaged is a fault of the sink, with its number and what is wrong, and
//! the next one is read; with [`Options::strict`] the first is the error of the whole file. What a tool does not print stays
//! unknown; what it prints is converted to base units and nothing else.
//!
//! Ignores: anything about networks, processes, file systems and pages.

mod detect;
mod disk_columns;
mod error;
mod input;
mod iostat_text;
mod number;
mod out;
mod stamp;
mod sysstat;

use std::io::{BufRead, Cursor, Read};

use dw_workload::observed::Sink;

pub use detect::Format;
pub use error::CounterError;

use input::{Decoded, HEAD, Lines};
use out::Out;

/// Which of `03/04/26` is the month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrder {
    /// The first.
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
    let mut out = Out::new(sink, options);
    let binary = detect::binary(&head, options.name)?;
    let encoding = input::encoding_of(&head);
    let mut head_text = Vec::new();
    let _ = Decoded::new(head.as_slice(), encoding).read_to_end(&mut head_text);
    let format = match options.format.or(binary) {
        Some(format) => format,
        None => detect::text(&head_text, options.name)?,
    };
    let mut decoded = Decoded::new(Cursor::new(head).chain(input), encoding);
    let mut lines = Lines::new(&mut decoded, options.name);
    match format {
        Format::IostatText => iostat_text::read(&mut lines, &mut out)?,
        _ => return Err(out.error(1, format!("{} is recognised, and not read yet", format.name()), "iostat is read")),
    }
    let (readings, faults) = (out.readings(), out.faults());
    if readings == 0 {
        let (what, hint) = match faults {
            0 => (
                "the head of a recording without a report".into(),
                "was the recorder stopped before its first report?".into(),
            ),
            n => (format!("{n} damaged lines and not one reading"), format!("is this {}?", format.name())),
        };
        return Err(out.error(lines.number(), what, hint));
    }
    Ok(Summary { format, readings, faults })
}
