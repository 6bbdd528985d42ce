//! vmstat: the whole host's throughput, processors and memory; with `-d`, counters of each disk.
//!
//! Columns are found by the names of the second header line, which repeats every screen. `bi` and `bo` are KiB a second. The
//! first line counts since boot. `-t` adds a date; its column is headed by the time zone, of which only UTC is believed.
//!
//! `-S` changes the unit of memory and says so nowhere: a machine whose free, buffered and cached memory is less than 32 MiB
//! when read as KiB is taken to have been printed in MiB. Memory is marked as an estimate: what programs can still have is at
//! most free + buffers + cache.
//!
//! A row has as many figures as its header has names. Words that it has more are a clock, before the figures or behind them, or
//! the row is damaged: no figure is read from its neighbour's column.
//!
//! Ignores: swap, context switches, `-m`, `-p`, `-s`.

use std::collections::HashSet;

use dw_observe::{Common, CpuInterval, DiskCounters, DiskInterval, Fact, Memory, Name, Reading, Role, Span, Stamp};
use dw_units::{Bytes, Throughput};

use super::CounterError;
use super::error::shown;
use super::input::{Lines, words};
use super::number::{fixed, from_zero, whole};
use super::oswatcher::{self, Run};
use super::out::Out;
use super::prefix::{Prefix, surplus};
use super::stamp::{Stamps, date_and_time, is_zone};

const LEAST_MEMORY_KIB: f64 = 32.0 * 1024.0;

/// Columns of all releases.
const COLUMNS: [&[u8]; 21] = [
    b"r", b"b", b"w", b"swpd", b"free", b"buff", b"cache", b"inact", b"active", b"si", b"so", b"bi", b"bo", b"in",
    b"cs", b"us", b"sy", b"id", b"wa", b"st", b"gu",
];

struct Header {
    names: Vec<Vec<u8>>,
    utc: bool,
    dated: bool,
}

struct State {
    header: Option<Header>,
    common: Common,
    stamps: Stamps,
    reports: u64,
    disks: bool,
    seen: HashSet<Name>,
    /// The clock that a pipe put before this line.
    clock: Option<Stamp>,
    /// What OSWatcher started last.
    run: Option<Run>,
}

/// Reads to the end.
pub(super) fn read(lines: &mut Lines<'_>, out: &mut Out<'_>) -> Result<(), CounterError> {
    let common = Common::at(Stamp::Report { index: 0 });
    let stamps = Stamps::default();
    let (clock, run) = (None, None);
    let mut state = State { header: None, common, stamps, reports: 0, disks: false, seen: HashSet::new(), clock, run };
    out.fact(1, &state.common, Fact::Tool("vmstat".into()));
    while lines.advance()? {
        state.clock = lines.clock(&mut state.stamps, out)?;
        let Some(what) = state.line(lines, out)? else { continue };
        out.damaged(lines, what)?;
    }
    Ok(())
}

impl State {
    /// What is wrong with the line, when something is.
    fn line(&mut self, lines: &Lines<'_>, out: &mut Out<'_>) -> Result<Option<String>, CounterError> {
        let (line, number) = (lines.bytes(), lines.number());
        let fields: Vec<&[u8]> = words(line).collect();
        let Some(&first) = fields.first() else { return Ok(None) };
        if first.starts_with(b"procs") || first.starts_with(b"--procs") {
            self.disks = false;
            return Ok(None);
        }
        if first.starts_with(b"disk-") {
            self.disks = true;
            return Ok(None);
        }
        if fields.contains(&&b"swpd"[..]) || first == b"total" {
            // A header that alone has a clock before it.
            let from = Prefix::parse(line).map_or(0, |(prefix, _)| prefix.words());
            let fields = fields.get(from..).unwrap_or(&fields);
            let Some(last) = fields.last() else { return Ok(None) };
            let dated = !matches!(*last, b"wa" | b"st" | b"gu" | b"id" | b"sec" | b"s");
            let names = fields.iter().map(|name| name.to_vec()).collect();
            self.header = Some(Header { names, utc: dated && matches!(*last, b"UTC" | b"GMT"), dated });
            let figures = &fields[..fields.len() - usize::from(dated)];
            let unknown = figures.iter().find(|name| !COLUMNS.contains(name));
            // The counters of disks have a header of their own.
            let unknown = unknown.filter(|_| fields.contains(&&b"swpd"[..]));
            let wrong = if dated && !std::str::from_utf8(last).is_ok_and(is_zone) {
                Some(format!("`{}` is not a time zone", shown(last)))
            } else {
                unknown.map(|name| format!("unknown column `{}`", shown(name)))
            };
            return match wrong {
                Some(what) if lines.closed() => {
                    out.fault(number, what, "the other columns are used; is this the output of vmstat?".into())?;
                    Ok(None)
                }
                // A header that was cut off heads nothing.
                wrong => Ok(wrong),
            };
        }
        if first == b"zzz" {
            return self.start(line, number, out);
        }
        if oswatcher::heads(line) {
            return oswatcher::tell(line, number, &self.common, out).map(|()| None);
        }
        if self.disks {
            return self.disk(&fields, number, out);
        }
        if fields.len() < 12 {
            return self.script_clock(line, number, out);
        }
        self.row(&fields, number, out)
    }

    /// The clock of a script between the reports, or nothing that is known.
    fn script_clock(&mut self, line: &[u8], number: u64, out: &mut Out<'_>) -> Result<Option<String>, CounterError> {
        let text = String::from_utf8_lossy(line);
        let words: Vec<&str> = text.split_whitespace().take(8).collect();
        match self.stamps.read(&words, number, out)? {
            Some(stamp) => {
                self.common.stamp = stamp;
                out.stamp(number, stamp)?;
                self.seen.clear();
                Ok(None)
            }
            None => Ok(Some(format!("`{}` is not a line of vmstat", shown(line)))),
        }
    }

    /// OSWatcher started another vmstat.
    fn start(&mut self, line: &[u8], number: u64, out: &mut Out<'_>) -> Result<Option<String>, CounterError> {
        let text = String::from_utf8_lossy(line);
        let words: Vec<&str> = text.split_whitespace().take(12).collect();
        let Some(stamp) = self.stamps.read(&words, number, out)? else {
            return Ok(Some(format!("`{}` is not a date and time", shown(line))));
        };
        self.run = Some(Run::at(stamp));
        Ok(None)
    }

    /// The figures of a row, and the clock before or behind them; `None` when what is more than the header's names is not a clock.
    #[expect(clippy::type_complexity, reason = "figures and their clock")]
    fn figures<'a>(
        &mut self,
        fields: &'a [&'a [u8]],
        columns: usize,
        utc: bool,
        number: u64,
        out: &Out<'_>,
    ) -> Result<Option<(&'a [&'a [u8]], Option<Stamp>)>, CounterError> {
        let Some(more) = fields.len().checked_sub(columns) else { return Ok(None) };
        if more == 0 {
            return Ok(Some((fields, None)));
        }
        let (figures, behind) = fields.split_at(columns);
        // Older releases put a date, a time and a zone there.
        let zone = behind.get(2).is_none_or(|zone| zone[0].is_ascii_alphabetic());
        if let [day, time] | [day, time, _] = behind
            && zone
        {
            let (day, time) = (String::from_utf8_lossy(day), String::from_utf8_lossy(time));
            let utc = utc || behind.get(2).is_some_and(|zone| matches!(*zone, b"UTC" | b"GMT"));
            if let Some(stamp) = date_and_time(&day, &time, utc) {
                return Ok(Some((figures, Some(stamp))));
            }
        }
        let (before, figures) = fields.split_at(more);
        Ok(surplus(before, &mut self.stamps, number, out)?.map(|stamp| (figures, Some(stamp))))
    }

    fn row(&mut self, fields: &[&[u8]], number: u64, out: &mut Out<'_>) -> Result<Option<String>, CounterError> {
        let Some(header) = &self.header else { return Ok(Some("numbers before a header".into())) };
        let (columns, utc) = (header.names.len() - usize::from(header.dated), header.utc);
        let Some((fields, stamp)) = self.figures(fields, columns, utc, number, out)? else {
            let first = shown(fields[0]);
            return Ok(Some(format!("{} columns from `{first}` on where the header has {columns}", fields.len())));
        };
        let Some(header) = &self.header else { return Ok(None) };
        let stamp = stamp.or(self.clock);
        let mut wrong = None;
        let mut value = |name: &str| {
            let at = header.names[..columns].iter().position(|n| n == name.as_bytes())?;
            let found = from_zero(fixed(fields[at]));
            if found.is_none() {
                wrong.get_or_insert(format!("`{}` in column {name} is not a number from zero", shown(fields[at])));
            }
            found
        };
        let (read, written) = (value("bi"), value("bo"));
        let (idle, iowait, steal) = (value("id"), value("wa"), value("st"));
        let parts = [value("free"), value("buff"), value("cache"), value("inact")];
        if wrong.is_some() {
            return Ok(wrong);
        }
        // Every figure is a number: a word among them is not a row.
        if let Some(word) = fields.iter().find(|word| fixed(word).is_none()) {
            return Ok(Some(format!("`{}` is not a number", shown(word))));
        }
        self.common.span = if self.reports == 0 { Span::First } else { Span::Interval };
        self.common.interval = None;
        let of_run = self.run.as_mut().map(Run::next);
        if let Some((_, span, interval)) = of_run {
            (self.common.span, self.common.interval) = (span, interval);
        }
        match stamp.or(of_run.map(|(stamp, ..)| stamp)) {
            Some(stamp) => self.common.stamp = stamp,
            None if matches!(self.common.stamp, Stamp::Report { .. }) => {
                self.common.stamp = Stamp::Report { index: self.reports };
            }
            None => {}
        }
        self.reports += 1;
        out.stamp(number, self.common.stamp)?;
        let kib = |v: f64| Throughput::bytes_per_second((v * 1024.0) as u64);
        let host = DiskInterval {
            read_throughput: read.map(kib),
            write_throughput: written.map(kib),
            ..DiskInterval::default()
        };
        out.take(number, &self.common, Reading::Host(host));
        out.take(number, &self.common, Reading::Cpu(CpuInterval::from_idle(idle, iowait, steal, None)));
        let sum: f64 = parts.iter().flatten().sum();
        let unit = if sum < LEAST_MEMORY_KIB { 1024.0 * 1024.0 } else { 1024.0 };
        let available = Some(Bytes::new((sum * unit) as u64));
        out.take(number, &self.common, Reading::Memory(Memory { available, estimated: true, ..Memory::default() }));
        Ok(None)
    }

    /// `sda 1 2 3 4 5 6 7 8 0 12`: reads, writes (total, merged, sectors, ms), now, seconds of I/O.
    fn disk(&mut self, fields: &[&[u8]], number: u64, out: &mut Out<'_>) -> Result<Option<String>, CounterError> {
        // `-t` puts a date and a time behind the figures.
        let (figures, stamp) = match fields {
            [_, figures @ .., day, time] if figures.len() == 10 => {
                let utc = self.header.as_ref().is_some_and(|header| header.utc);
                let Some(stamp) = date_and_time(&String::from_utf8_lossy(day), &String::from_utf8_lossy(time), utc)
                else {
                    return Ok(Some(format!("`{} {}` is not a date and time", shown(day), shown(time))));
                };
                (figures, Some(stamp))
            }
            _ => (&fields[1..], None),
        };
        let values: Vec<Option<u64>> = figures.iter().map(|f| whole(f)).collect();
        let &[
            Some(reads),
            Some(read_merges),
            Some(read_sectors),
            Some(read_ms),
            Some(writes),
            Some(write_merges),
            Some(write_sectors),
            Some(write_ms),
            Some(now),
            Some(_),
        ] = values.as_slice()
        else {
            return Ok(Some(format!("`{}` and {} values are not a disk of vmstat -d", shown(fields[0]), values.len())));
        };
        let device = out.device(number, fields[0])?;
        if self.seen.contains(&device) {
            self.seen.clear();
            self.reports += 1;
        }
        if self.seen.is_empty() {
            match stamp {
                Some(stamp) => {
                    self.common.stamp = stamp;
                    out.stamp(number, stamp)?;
                }
                None if matches!(self.common.stamp, Stamp::Report { .. }) => {
                    self.common.stamp = Stamp::Report { index: self.reports };
                }
                None => {}
            }
        }
        self.seen.insert(device.clone());
        let counters = DiskCounters {
            reads: Some(reads as f64),
            writes: Some(writes as f64),
            read_bytes: Some(read_sectors as f64 * 512.0),
            write_bytes: Some(write_sectors as f64 * 512.0),
            read_merges: Some(read_merges as f64),
            write_merges: Some(write_merges as f64),
            read_time_ns: Some(read_ms as f64 * 1e6),
            write_time_ns: Some(write_ms as f64 * 1e6),
            queue_depth_now: Some(now as f64),
            times_wrap_at_u32_ms: true,
            ..DiskCounters::default()
        };
        out.take(number, &self.common, Reading::DiskCounters { device, role: Role::Unknown, counters });
        Ok(None)
    }
}
