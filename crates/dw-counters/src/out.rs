//! The one door to the sink: what every reader owes, done once.
//!
//! Damaged lines are faults, or the first of them an error in strict mode; a second machine in one file and a clock that goes
//! backwards are faults that are seen here, whatever the format; readings of a machine that was not asked for stop here. A file that
//! names more devices than any machine has is refused: a wrong column is taken for them, and each name costs memory to the end.
//!
//! Invariant: every fault and every reading names a line of at least 1.

use std::collections::HashMap;
use std::fmt::Display;

use dw_observe::{Common, Fact, Fault, MOST_DEVICES, Name, Origin, Reading, Sink, Stamp};

use super::error::shown;
use super::input::Lines;
use super::number::Decimals;
use super::{CounterError, Format, Options};

const DAY_NS: u64 = 86_400_000_000_000;

/// Values of formats whose series must be joined before any of them can be passed on: three months of minutes of 30 disks are half of
/// it.
pub(super) const MOST_JOINED: u64 = 16_000_000;

/// Takes what a reader finds.
pub(super) struct Out<'a> {
    sink: &'a mut dyn Sink,
    /// How the file is to be read.
    pub options: &'a Options<'a>,
    format: Format,
    /// Each with the machine that last had a device of this name.
    names: HashMap<Vec<u8>, (Name, u64)>,
    machine: Option<Name>,
    /// How many machines came before the present one, and how many devices that has.
    machines: u64,
    devices: usize,
    left_out: bool,
    last: Option<(u64, Stamp)>,
    /// Whether decimals stand behind a comma, once a number had any.
    comma: Option<bool>,
    readings: u64,
    faults: u64,
    first_fault: Option<(u64, Fault)>,
}

impl<'a> Out<'a> {
    pub fn new(sink: &'a mut dyn Sink, options: &'a Options<'a>, format: Format) -> Out<'a> {
        let names = HashMap::new();
        let (machine, last) = (None, None);
        Out {
            sink,
            options,
            format,
            names,
            machine,
            machines: 1,
            devices: 0,
            left_out: false,
            last,
            comma: None,
            readings: 0,
            faults: 0,
            first_fault: None,
        }
    }

    /// Readings that were passed on, without facts.
    pub fn readings(&self) -> u64 {
        self.readings
    }
    /// Faults that were passed on.
    pub fn faults(&self) -> u64 {
        self.faults
    }

    /// The first of them, and its line.
    pub fn first_fault(&self) -> Option<&(u64, Fault)> {
        self.first_fault.as_ref()
    }

    /// One name for equal bytes.
    pub fn name(&mut self, bytes: &[u8]) -> Name {
        if let Some((name, _)) = self.names.get(bytes) {
            return name.clone();
        }
        self.keep(bytes, 0)
    }

    fn keep(&mut self, bytes: &[u8], machine: u64) -> Name {
        let name: Name = String::from_utf8_lossy(bytes).into();
        // A damaged file can name millions of things; a real one names hundreds.
        if self.names.len() < 100_000 {
            self.names.insert(bytes.to_vec(), (name.clone(), machine));
        }
        name
    }

    /// The same of a device, of which a machine has so many.
    pub fn device(&mut self, line: u64, bytes: &[u8]) -> Result<Name, CounterError> {
        let machine = self.machines;
        let known = self.names.get_mut(bytes).map(|(name, last)| (name.clone(), std::mem::replace(last, machine)));
        let name = match known {
            Some((name, last)) if last == machine => return Ok(name),
            Some((name, _)) => name,
            None => self.keep(bytes, machine),
        };
        self.devices += usize::from(!self.left_out);
        if self.devices <= MOST_DEVICES {
            return Ok(name);
        }
        let what = format!("more than {MOST_DEVICES} devices on one machine: one more is `{}`", shown(bytes));
        let column = self.format.device_column();
        let hint = format!("device names are read from {column}; does it contain process IDs, files or times?");
        Err(self.error(line, what, hint))
    }

    fn origin(&self, line: u64) -> Origin {
        Origin { file: self.options.file, line: line.max(1) }
    }

    /// What follows is of this machine.
    pub fn machine(&mut self, line: u64, name: &Name) -> Result<(), CounterError> {
        self.left_out = self.options.machine.is_some_and(|wanted| !wanted.eq_ignore_ascii_case(name));
        if self.left_out || self.machine.as_ref() == Some(name) {
            return Ok(());
        }
        self.last = None;
        (self.machines, self.devices) = (self.machines + 1, 0);
        match self.machine.replace(name.clone()) {
            None => Ok(()),
            Some(before) => self.fault(
                line,
                format!("samples of `{name}` follow those of `{before}`: two machines in one file"),
                format!("read one at a time: `--machine {name}` or `--machine {before}`"),
            ),
        }
    }

    /// A report begins at this instant.
    pub fn stamp(&mut self, line: u64, stamp: Stamp) -> Result<(), CounterError> {
        if self.left_out {
            return Ok(());
        }
        let Some((before_line, before)) = self.last.replace((line, stamp)) else { return Ok(()) };
        let back = match (before, stamp) {
            (Stamp::Wall { ns: a, .. }, Stamp::Wall { ns: b, .. }) => a.saturating_sub(b).max(0) as u64,
            // Half a day back is midnight passed.
            (Stamp::TimeOfDay { ns: a }, Stamp::TimeOfDay { ns: b }) => {
                let back = a.saturating_sub(b);
                if back > DAY_NS / 2 { 0 } else { back }
            }
            (Stamp::Since { ns: a }, Stamp::Since { ns: b }) => a.saturating_sub(b),
            _ => 0,
        };
        if back == 0 {
            return Ok(());
        }
        let hour = if back.is_multiple_of(3_600_000_000_000) { " (the end of summer time?)" } else { "" };
        self.fault(
            line,
            format!("time goes back by {} s after line {before_line}{hour}", back as f64 / 1e9),
            "samples are sorted by time; unless the clock was set back, split the file here".into(),
        )
    }

    /// One reading.
    pub fn take(&mut self, line: u64, common: &Common, reading: Reading) {
        if self.left_out {
            return;
        }
        if !matches!(reading, Reading::Fact(_) | Reading::Restart) {
            self.readings += 1;
        }
        self.sink.take(self.origin(line), common.clone(), reading);
    }

    /// Something about the file.
    pub fn fact(&mut self, line: u64, common: &Common, fact: Fact) {
        self.take(line, common, Reading::Fact(fact));
    }

    /// Whether the numbers of a line have what the file's numbers have before their decimals; says once that it is a comma.
    pub fn decimals(&mut self, line: u64, common: &Common, seen: Decimals) -> Result<(), String> {
        match (seen.points, seen.commas, self.comma) {
            (false, false, _) => Ok(()),
            (true, true, _) | (true, false, Some(true)) | (false, true, Some(false)) => {
                let (this, others) = if self.comma == Some(true) { ("point", "commas") } else { ("comma", "points") };
                Err(format!("a number with a {this} in a file whose numbers have {others}"))
            }
            (_, commas, before) => {
                if commas && before.is_none() {
                    self.fact(line, common, Fact::DecimalComma);
                }
                self.comma = Some(commas);
                Ok(())
            }
        }
    }

    /// A damaged line.
    pub fn fault(&mut self, line: u64, what: String, hint: String) -> Result<(), CounterError> {
        if self.left_out {
            return Ok(());
        }
        if self.options.strict {
            return Err(CounterError { file: self.options.name.into(), line: line.max(1), what, hint });
        }
        self.faults += 1;
        let fault = Fault { what, hint };
        if self.first_fault.is_none() {
            self.first_fault = Some((line, fault.clone()));
        }
        self.sink.fault(self.origin(line), fault);
        Ok(())
    }

    /// A line that is not a line of the format; the last one of a file that was cut off is said to be that.
    pub fn damaged(&mut self, lines: &Lines<'_>, what: impl Display) -> Result<(), CounterError> {
        let cut = if lines.closed() { "" } else { "the file ends inside a line: " };
        self.unused(lines.number(), format!("{cut}{what}"))
    }

    /// A damaged line of which nothing is used.
    pub fn unused(&mut self, line: u64, what: String) -> Result<(), CounterError> {
        self.fault(line, what, "this line is ignored".into())
    }

    /// More values than can be joined.
    pub fn too_much(&self, line: u64) -> CounterError {
        let what = format!("more than {MOST_JOINED} values, which must all be in memory to be sorted by time");
        self.error(line, what, "query a shorter period, or one machine per file")
    }

    /// The whole file cannot be read.
    pub fn error(&self, line: u64, what: impl Into<String>, hint: impl Into<String>) -> CounterError {
        CounterError { file: self.options.name.into(), line: line.max(1), what: what.into(), hint: hint.into() }
    }
}
