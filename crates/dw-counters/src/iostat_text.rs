//! Text of iostat: every layout since sysstat 5, basic and extended, split by `-h` or not, with or without stamps.
//!
//! A report is an optional stamp, an optional `avg-cpu` pair of lines and tables of devices; each table says by the words of
//! its header what its columns are. The device stands first (`Device:`, later `Device`) or last (`--pretty`, `-h`); tables of
//! one report that part the columns among them (`-h`) become one reading a device. A name alone on its line belongs to the
//! numbers of the next (`-h` of sysstat 11). A line that begins with a blank under a header that has names first is a group
//! (`-g`), whose figures are sums.
//!
//! The first report after a banner counts since boot and is marked so, unless two empty lines stand between them, which
//! `-y` leaves behind; a file that was cut off at its beginning counts as one
//! that begins with a report since boot, since losing one interval is cheaper than believing that.
//!
//! A row has as many figures as its header has names. One that has more begins with a clock, which somebody put there and which
//! is its stamp, or is damaged: it is never read one column further on.
//!
//! OSWatcher runs `iostat 1 3` every so often, and writes `zzz ***` and a date before each run: the first report of a run
//! counts since boot, the others one second each.
//!
//! Source: sysstat's `iostat.c`, all releases since 9; files of real machines.
//!
//! Ignores: NFS tables (`-n`), names of groups beyond their first word.

use std::mem;

use dw_observe::{Common, CpuInterval, DiskInterval, Fact, Name, Reading, Role, Span, Stamp};

use super::disk_columns::{Column, Field};
use super::error::shown;
use super::input::{Lines, words};
use super::number::{Decimals, printed};
use super::oswatcher::{self, Run};
use super::out::Out;
use super::prefix::surplus;
use super::sections::CPU_FIGURES;
use super::stamp::Stamps;
use super::{CounterError, sysstat};

/// Where a table has its names, and what its numbers are.
#[derive(Debug)]
struct Layout {
    columns: Vec<Column>,
    names_last: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CpuColumn {
    Idle,
    Iowait,
    Steal,
    Other,
}

#[derive(Debug)]
struct State {
    common: Common,
    stamps: Stamps,
    reports: u64,
    banners: u64,
    /// No report since the banner.
    first: bool,
    /// A report has begun; of it only its stamp was seen.
    open: bool,
    fresh: bool,
    /// Headers of this report, to see the next one begin.
    headers: Vec<Vec<u8>>,
    layout: Option<Layout>,
    cpu_columns: Option<Vec<CpuColumn>>,
    lone_name: Option<Vec<u8>>,
    /// Devices of a report whose columns come in several tables.
    parted: Vec<(Name, u64, DiskInterval)>,
    cpus: Option<u32>,
    skipping: bool,
    unknown_said: bool,
    /// Empty lines since the banner.
    blanks: Option<u32>,
    /// The clock that a pipe put before this line.
    clock: Option<Stamp>,
    /// What OSWatcher started last.
    run: Option<Run>,
}

/// A line that is not understood: what is wrong, and what to do.
type Damage = (String, String);

/// Reads to the end.
pub(super) fn read(lines: &mut Lines<'_>, out: &mut Out<'_>) -> Result<(), CounterError> {
    let mut state = State::new();
    while lines.advance()? {
        let number = lines.number();
        state.clock = lines.clock(&mut state.stamps, out)?;
        match state.line(lines.bytes(), number, out)? {
            Ok(()) => {}
            Err(_) if !lines.closed() => {
                let what = format!("the file ends inside a line: `{}`", shown(lines.bytes()));
                out.fault(number, what, "the last report is incomplete; copy the file again".into())?;
            }
            Err((what, hint)) => out.fault(number, what, hint)?,
        }
    }
    state.flush(out);
    state.forget_name(lines.number(), out)
}

impl State {
    fn new() -> State {
        State {
            common: Common::at(Stamp::Report { index: 0 }),
            stamps: Stamps::default(),
            reports: 0,
            banners: 0,
            first: true,
            open: false,
            fresh: false,
            headers: Vec::new(),
            layout: None,
            cpu_columns: None,
            lone_name: None,
            parted: Vec::new(),
            cpus: None,
            skipping: false,
            unknown_said: false,
            blanks: None,
            clock: None,
            run: None,
        }
    }

    fn line(&mut self, line: &[u8], number: u64, out: &mut Out<'_>) -> Result<Result<(), Damage>, CounterError> {
        let mut fields = words(line);
        let Some(first) = fields.next() else {
            self.skipping = false;
            self.blanks = self.blanks.map(|blanks| blanks + 1);
            return Ok(Ok(()));
        };
        // `-y` leaves an empty line where the report since boot would be.
        if self.blanks.take() == Some(2) {
            self.first = false;
        }
        if let Some(columns) = self.cpu_columns.take() {
            return Ok(self.cpu(&columns, line, number, out));
        }
        match first {
            b"zzz" => return self.run(line, number, out).map(Ok),
            _ if oswatcher::heads(line) => return oswatcher::tell(line, number, &self.common, out).map(Ok),
            b"Linux" => return self.banner(line, number, out).map(Ok),
            b"avg-cpu:" => return self.cpu_header(line, number, out).map(Ok),
            b"Device:" | b"Device" => return self.header(line, false, number, out).map(Ok),
            b"Filesystem:" | b"Filesystem" => self.skipping = true,
            _ => {}
        }
        if self.skipping {
            return Ok(Ok(()));
        }
        let end = line.trim_ascii_end();
        if end.ends_with(b" Device") || end.ends_with(b" Device:") {
            return self.header(line, true, number, out).map(Ok);
        }
        let alone = self.lone_name.is_none() && fields.next().is_none();
        if !alone && self.layout.is_some() {
            let Err(damage) = self.device(line, number, out)? else { return Ok(Ok(())) };
            // A stamp is not a device, and looks like a damaged one.
            return Ok(self.stamp(line, number, out)?.then_some(()).ok_or(damage));
        }
        if self.stamp(line, number, out)? {
            return Ok(Ok(()));
        }
        // Rows before any header: the file was cut out of a longer one, and its first whole report is not a report since boot.
        let row = || words(line).skip(1).all(|word| printed(word).is_ok());
        if self.banners == 0 && self.reports == 0 && !alone && row() {
            self.first = false;
            let what = "the file begins inside a report".to_string();
            return Ok(Err((what, "its rows up to the next header are ignored".into())));
        }
        if alone && self.layout.as_ref().is_some_and(|layout| !layout.names_last && layout.columns.len() > 1) {
            self.lone_name = Some(first.to_vec());
            return Ok(Ok(()));
        }
        Ok(Err((
            format!("`{}` is not a line of iostat", shown(line)),
            "remove everything that is not iostat's output".into(),
        )))
    }

    /// A stamp begins a report.
    fn stamp(&mut self, line: &[u8], number: u64, out: &mut Out<'_>) -> Result<bool, CounterError> {
        let Ok(text) = std::str::from_utf8(line) else { return Ok(false) };
        let words: Vec<&str> = text.split_whitespace().take(8).collect();
        if words.len() > 7 {
            return Ok(false);
        }
        let Some(stamp) = self.stamps.read(&words, number, out)? else { return Ok(false) };
        self.begin(Some(stamp), number, out)?;
        self.fresh = true;
        Ok(true)
    }

    fn begin(&mut self, stamp: Option<Stamp>, number: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        self.flush(out);
        self.headers.clear();
        self.forget_name(number, out)?;
        self.common.interval = None;
        // A stamp that two follow on each other is the clock of a script and then iostat's own: the later one counts.
        if self.fresh && stamp.is_some() {
            self.reports -= 1;
        } else {
            self.common.span = if mem::take(&mut self.first) { Span::First } else { Span::Interval };
        }
        let of_run = self.run.as_mut().filter(|_| stamp.is_none()).map(Run::next);
        if let Some((_, span, interval)) = of_run {
            (self.common.span, self.common.interval) = (span, interval);
        }
        let stamp = stamp.or(of_run.map(|(stamp, ..)| stamp)).or(self.clock);
        self.common.stamp = stamp.unwrap_or(Stamp::Report { index: self.reports });
        self.reports += 1;
        self.open = true;
        out.stamp(number, self.common.stamp)
    }

    /// OSWatcher started another iostat.
    fn run(&mut self, line: &[u8], number: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        self.flush(out);
        let text = String::from_utf8_lossy(line);
        let words: Vec<&str> = text.split_whitespace().take(12).collect();
        match self.stamps.read(&words, number, out)? {
            Some(stamp) => self.run = Some(Run::at(stamp)),
            None => out.fault(
                number,
                format!("`{}` is not a date and time", shown(line)),
                "its reports have no time".into(),
            )?,
        }
        (self.open, self.fresh, self.layout) = (false, false, None);
        self.headers.clear();
        self.forget_name(number, out)
    }

    /// A name alone on its line whose figures did not come.
    fn forget_name(&mut self, number: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        let Some(name) = self.lone_name.take() else { return Ok(()) };
        let what = format!("`{}` has no values before this line", shown(&name));
        out.fault(number, what, "the line is truncated and ignored".into())
    }

    fn banner(&mut self, line: &[u8], number: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        self.flush(out);
        let banner = sysstat::banner(line);
        self.common.machine = banner.machine.map(|name| out.name(name));
        if let Some(name) = &self.common.machine {
            out.machine(number, name)?;
        }
        self.banners += 1;
        if self.run.is_none() && (self.banners > 1 || self.reports > 0) {
            out.take(number, &self.common, Reading::Restart);
        }
        self.cpus = banner.cpus;
        banner.facts(number, &self.common, out)?;
        (self.first, self.open, self.fresh, self.blanks) = (true, false, false, Some(0));
        self.layout = None;
        self.headers.clear();
        self.forget_name(number, out)
    }

    fn cpu_header(&mut self, line: &[u8], number: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        if !mem::take(&mut self.fresh) {
            self.begin(None, number, out)?;
        }
        let column = |word: &[u8]| match word {
            b"%idle" => CpuColumn::Idle,
            b"%iowait" => CpuColumn::Iowait,
            b"%steal" => CpuColumn::Steal,
            _ => CpuColumn::Other,
        };
        self.cpu_columns = Some(words(line).skip(1).map(column).collect());
        match words(line).skip(1).find(|word| !CPU_FIGURES.contains(word)) {
            Some(word) => {
                let what = format!("unknown column `{}`", shown(word));
                out.fault(number, what, "the other columns are used; is this iostat's output?".into())
            }
            None => Ok(()),
        }
    }

    fn cpu(&mut self, columns: &[CpuColumn], line: &[u8], number: u64, out: &mut Out<'_>) -> Result<(), Damage> {
        let (mut idle, mut iowait, mut steal) = (None, None, None);
        let mut decimals = Decimals::default();
        let mut values = words(line);
        for (index, column) in columns.iter().enumerate() {
            let Some(word) = values.next() else { return Err(too_few(index, columns.len(), "avg-cpu")) };
            let value = printed(word).map_err(|()| not_a_number(word))?.map(|p| p.value);
            if value.is_some_and(f64::is_sign_negative) {
                return Err(below_zero(word, "avg-cpu"));
            }
            decimals.see(word);
            match column {
                CpuColumn::Idle => idle = value,
                CpuColumn::Iowait => iowait = value,
                CpuColumn::Steal => steal = value,
                CpuColumn::Other => {}
            }
        }
        if values.next().is_some() {
            return Err(too_many(columns.len(), "avg-cpu"));
        }
        out.decimals(number, &self.common, decimals).map_err(unused)?;
        if idle.is_some() {
            out.take(number, &self.common, Reading::Cpu(CpuInterval::from_idle(idle, iowait, steal, self.cpus)));
        }
        Ok(())
    }

    fn header(&mut self, line: &[u8], names_last: bool, number: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        self.forget_name(number, out)?;
        let known = self.headers.iter().any(|header| header == line);
        if !mem::take(&mut self.fresh) && (!self.open || known) {
            self.begin(None, number, out)?;
        }
        self.headers.push(line.to_vec());
        let names: Vec<&[u8]> = words(line).collect();
        let names = if names_last { &names[..names.len() - 1] } else { &names[1..] };
        // File systems of other machines (`-n`), which older releases head like devices.
        if names.iter().any(|name| name.ends_with(b"_nor/s")) {
            (self.skipping, self.layout) = (true, None);
            return Ok(());
        }
        let mut unknown = None;
        let columns = names.iter().map(|name| {
            Column::named(name, false).unwrap_or_else(|| {
                unknown.get_or_insert(*name);
                Column { field: Field::Known, scale: 1.0 }
            })
        });
        let columns: Vec<Column> = columns.collect();
        if self.reports == 1 && !known {
            let tool = if names.contains(&&b"%util"[..]) { "iostat -x, text" } else { "iostat, text" };
            out.fact(number, &self.common, Fact::Tool(tool.into()));
        }
        self.layout = Some(Layout { columns, names_last });
        match unknown {
            Some(name) if !mem::replace(&mut self.unknown_said, true) => out.fault(
                number,
                format!("unknown column `{}`", shown(name)),
                "the other columns are used; is this iostat's output?".into(),
            ),
            _ => Ok(()),
        }
    }

    fn device(&mut self, line: &[u8], number: u64, out: &mut Out<'_>) -> Result<Result<(), Damage>, CounterError> {
        let Some(layout) = &self.layout else { return Ok(Ok(())) };
        let lone = self.lone_name.take();
        // A clock that stands before the rows alone.
        let fields: Vec<&[u8]> = words(line).collect();
        let named = layout.columns.len() + usize::from(lone.is_none());
        let mut rest = line;
        if let Some(more) = fields.len().checked_sub(named).filter(|&more| more > 0)
            && let Some(stamp) = surplus(&fields[..more], &mut self.stamps, number, out)?
        {
            // The words are parts of the line: what is behind the last one is the row.
            let last = fields[more - 1];
            rest = &line[last.as_ptr() as usize - line.as_ptr() as usize + last.len()..];
            rest = rest.strip_prefix(b" ").unwrap_or(rest);
            if matches!(self.common.stamp, Stamp::Report { .. }) {
                self.common.stamp = stamp;
                out.stamp(number, stamp)?;
            }
        }
        let row = match self.figures(rest, lone.as_deref(), number, out) {
            Ok(Some(row)) => row,
            Ok(None) => return Ok(Ok(())),
            Err(damage) => return Ok(Err(damage)),
        };
        let (device, disk) = (out.device(number, row.name)?, row.disk);
        match row.role {
            Some(role) => out.take(number, &self.common, Reading::Disk { device, role, disk }),
            None => match self.parted.iter_mut().find(|(known, ..)| *known == device) {
                Some((.., joined)) => join(joined, disk),
                None => self.parted.push((device, number, disk)),
            },
        }
        Ok(Ok(()))
    }

    /// The figures of a row; none before the first header.
    fn figures<'a>(
        &self,
        line: &'a [u8],
        lone: Option<&'a [u8]>,
        number: u64,
        out: &mut Out<'_>,
    ) -> Result<Option<Found<'a>>, Damage> {
        let Some(layout) = &self.layout else { return Ok(None) };
        let (name, values) = split(line, layout, lone)?;
        // A row that is one column further on than its header begins with what is not a name.
        if name.iter().any(|b| b.is_ascii_whitespace())
            && let Some(word) = words(name).find(|word| is_figure(word))
        {
            return Err((
                format!(
                    "`{}` stands before the name in a row of more than {} columns",
                    shown(word),
                    layout.columns.len()
                ),
                "a row has a name and the columns of its header; write a clock before all lines or before none".into(),
            ));
        }
        let mut disk = DiskInterval::default();
        let mut decimals = Decimals::default();
        let mut fields = words(values);
        for (index, column) in layout.columns.iter().enumerate() {
            let Some(word) = fields.next() else { return Err(too_few(index, layout.columns.len(), &shown(name))) };
            let Some(number) = printed(word).map_err(|()| not_a_number(word))? else { continue };
            if number.value.is_sign_negative() {
                return Err(below_zero(word, &shown(name)));
            }
            decimals.see(word);
            column.put(&mut disk, column.base(number.value, number.unit));
        }
        if fields.next().is_some() {
            return Err(too_many(layout.columns.len(), &shown(name)));
        }
        out.decimals(number, &self.common, decimals).map_err(unused)?;
        let is_group = lone.is_none() && line[0].is_ascii_whitespace();
        let role = if is_group { Role::Total } else { Role::Unknown };
        Ok(Some(Found { name, role: (!layout.names_last).then_some(role), disk }))
    }

    /// Passes on devices whose columns came in several tables, in the order of the first.
    fn flush(&mut self, out: &mut Out<'_>) {
        for (device, number, disk) in mem::take(&mut self.parted) {
            out.take(number, &self.common, Reading::Disk { device, role: Role::Unknown, disk });
        }
    }
}

/// A row that was read.
struct Found<'a> {
    name: &'a [u8],
    /// None where its columns may stand in several tables.
    role: Option<Role>,
    disk: DiskInterval,
}

/// The name of a device and its numbers. A name may have blanks; numbers have none.
fn split<'a>(line: &'a [u8], layout: &Layout, lone: Option<&'a [u8]>) -> Result<(&'a [u8], &'a [u8]), Damage> {
    let line = line.trim_ascii();
    if let Some(name) = lone {
        return Ok((name, line));
    }
    let blank = |b: &u8| b.is_ascii_whitespace();
    if layout.names_last {
        let mut rest = line;
        for index in 0..layout.columns.len() {
            let Some(end) = rest.iter().position(blank) else {
                return Err(too_few(index, layout.columns.len(), &shown(line)));
            };
            rest = rest[end..].trim_ascii_start();
        }
        return Ok((rest, &line[..line.len() - rest.len()]));
    }
    let end = line.iter().position(blank).unwrap_or(line.len());
    let (name, values) = line.split_at(end);
    // The usual name is one word; only where the words do not come out even is more of the line tried for a name.
    if values.trim_ascii_start().first().is_some_and(|b| b.is_ascii_digit() || *b == b'-') {
        return Ok((name, values));
    }
    let mut rest = line;
    for _ in 0..layout.columns.len() {
        let Some(start) = rest.trim_ascii_end().iter().rposition(blank) else { return Ok((name, values)) };
        rest = &rest[..=start];
    }
    Ok((rest.trim_ascii(), &line[rest.len()..]))
}

fn join(disk: &mut DiskInterval, part: DiskInterval) {
    macro_rules! take {
        ($($field:ident),*) => { $(disk.$field = disk.$field.or(part.$field);)* };
    }
    take!(reads_per_s, writes_per_s, transfers_per_s, read_throughput, write_throughput, throughput, read_merges_per_s);
    take!(write_merges_per_s, read_latency, write_latency, latency, read_size, write_size, io_size, queue_depth);
    take!(utilisation_percent, service_time, discards_per_s, discard_throughput, discard_latency, flushes_per_s);
    take!(flush_latency);
}

fn too_many(wanted: usize, of: &str) -> Damage {
    (format!("more than {wanted} columns for `{of}`"), "two lines may have run together; the line is ignored".into())
}

/// A number or a part of a clock: no word of a name with blanks.
fn is_figure(word: &[u8]) -> bool {
    let bare =
        word.iter().position(|b| !matches!(b, b'(' | b'[' | b'<' | b'-' | b'+')).map_or(&[][..], |at| &word[at..]);
    bare.first().is_none_or(u8::is_ascii_digit)
}

fn too_few(found: usize, wanted: usize, of: &str) -> Damage {
    (format!("{found} of {wanted} columns for `{of}`"), "the line is truncated and ignored".into())
}

fn not_a_number(word: &[u8]) -> Damage {
    unused(format!("`{}` is not a number", shown(word)))
}

fn below_zero(word: &[u8], of: &str) -> Damage {
    unused(format!("`{}` is below zero: a counter of `{of}` was reset", shown(word)))
}

fn unused(what: String) -> Damage {
    (what, "this line is ignored".into())
}
