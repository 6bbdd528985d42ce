//! sar's text.
//!
//! Every line begins with a time of day (with `AM` or `PM` in some locales); the date is the banner's. The time of a header
//! is where its first interval begins, that of a row where its interval ends. Tables follow one another (`sar -f`) or
//! alternate (`sar 1 10`), so midnight and the length of an interval are counted for each table by itself. A row at the time of
//! its own header counts since boot (`sar 0`).
//!
//! Ignores: averages at the end, all tables that `sections.rs` does not know.

use std::collections::HashMap;

use dw_observe::{Common, Fact, Reading, Span, Stamp};
use dw_units::Duration;

use super::disk_columns::Column;
use super::error::shown;
use super::input::{Lines, words};
use super::number::printed;
use super::out::Out;
use super::sections::{Kind, damage, kind, row, wrong_header};
use super::stamp::{Stamps, leading_time};
use super::{CounterError, sysstat};

const DAY_NS: i64 = 86_400_000_000_000;

#[derive(Debug)]
struct Table {
    columns: Vec<Vec<u8>>,
    kind: Kind,
}

/// Where a table's clock is.
#[derive(Clone, Copy, Debug, Default)]
struct Clock {
    day: i64,
    ns: i64,
    interval: i64,
    /// No row since the header.
    at_header: bool,
}

impl Clock {
    /// Goes on to a time of day, past midnight where it falls back by more than half a day; by how much it goes back otherwise.
    fn advance(&mut self, ns: i64) -> Option<i64> {
        let from = self.ns;
        if ns < from && from - ns > DAY_NS / 2 {
            self.day += 1;
            self.interval = ns + DAY_NS - from;
        } else if ns < from {
            self.interval = 0;
        } else if ns > from {
            self.interval = ns - from;
        } else {
            return None;
        }
        self.ns = ns;
        (ns < from && from - ns <= DAY_NS / 2).then_some(from - ns)
    }
}

struct State {
    common: Common,
    stamps: Stamps,
    table: Option<Table>,
    clocks: HashMap<Vec<u8>, Clock>,
    header: Vec<u8>,
    /// Midnight of the banner's date.
    midnight: Option<i64>,
    after_blank: bool,
}

/// Reads to the end.
pub(super) fn read(lines: &mut Lines<'_>, out: &mut Out<'_>) -> Result<(), CounterError> {
    let mut state = State {
        common: Common::at(Stamp::Report { index: 0 }),
        stamps: Stamps::default(),
        table: None,
        clocks: HashMap::new(),
        header: Vec::new(),
        midnight: None,
        after_blank: false,
    };
    out.fact(1, &state.common, Fact::Tool("sar".into()));
    while lines.advance()? {
        let number = lines.number();
        let Some(what) = state.line(lines.bytes(), number, out)? else { continue };
        out.damaged(lines, what)?;
    }
    Ok(())
}

impl State {
    fn line(&mut self, line: &[u8], number: u64, out: &mut Out<'_>) -> Result<Option<String>, CounterError> {
        let fields: Vec<&[u8]> = words(line).collect();
        let Some(&first) = fields.first() else {
            self.after_blank = true;
            return Ok(None);
        };
        let after_blank = std::mem::take(&mut self.after_blank);
        if first == b"Linux" {
            return self.banner(line, number, out).map(|()| None);
        }
        // `Average:`, in any language; what USB devices there were.
        let colon =
            |word: &[u8]| !word[0].is_ascii_digit() && (word.ends_with(b":") || word.ends_with("\u{ff1a}".as_bytes()));
        if colon(first) || first == b"Summary" || fields.get(1) == Some(&&b":"[..]) {
            return Ok(None);
        }
        let strings: Vec<&str> = fields.iter().take(4).map(|f| std::str::from_utf8(f).unwrap_or_default()).collect();
        let Some((time, taken)) = leading_time(&strings) else {
            return Ok(Some(format!("`{}` does not start with a time", shown(line))));
        };
        let seconds = i64::from(time.hour()) * 3600 + i64::from(time.minute()) * 60 + i64::from(time.second());
        let ns = seconds * 1_000_000_000 + i64::from(time.subsec_nanosecond());
        let rest = &fields[taken..];
        if rest.iter().take(2).any(|word| matches!(*word, b"LINUX" | b"RESTART")) {
            self.common.stamp = self.at(0, ns);
            out.take(number, &self.common, Reading::Restart);
            // No interval spans a restart.
            for clock in self.clocks.values_mut() {
                clock.advance(ns);
                clock.interval = 0;
            }
            return Ok(None);
        }
        // A comment of `sadc -C`, anywhere.
        if rest.first().is_some_and(|word| *word == b"COM") {
            return Ok(None);
        }
        // A header stands behind an empty line; where somebody took those away, it is known by its words.
        let known =
            |word: &&[u8]| Column::named(word, false).is_some() || word.starts_with(b"%") || word.starts_with(b"kb");
        let numbers = rest.iter().any(|word| printed(word).is_ok());
        if !numbers && (after_blank || self.table.is_none() || rest.iter().any(known)) {
            self.header = rest.join(&b' ');
            let clock = Clock { day: 0, ns, interval: 0, at_header: true };
            let clock = self.clocks.entry(self.header.clone()).or_insert(clock);
            // The head of a further page has the time at which its first interval begins: after a restart, or where reports are
            // missing, that is later than the last row.
            if ns > clock.ns || clock.ns - ns > DAY_NS / 2 {
                clock.advance(ns);
            }
            clock.at_header = true;
            let kind = kind(rest);
            self.table = Some(Table { columns: rest.iter().map(|w| w.to_vec()).collect(), kind });
            if let Some((what, hint)) = wrong_header(kind, rest, true) {
                out.fault(number, what, hint)?;
            }
            return Ok(None);
        }
        let Some(table) = &self.table else { return Ok(Some(format!("`{}` before a header", shown(line)))) };
        if table.kind == Kind::Other {
            return Ok(None);
        }
        let Some(clock) = self.clocks.get_mut(&self.header) else { return Ok(None) };
        let since_boot = clock.at_header && ns == clock.ns;
        if !since_boot {
            clock.at_header = false;
        }
        if let Some(back) = clock.advance(ns) {
            let back = back as f64 / 1e9;
            let hint = "samples are sorted by time; unless the clock was set back, split the file here".to_string();
            out.fault(number, format!("time goes back by {back} s"), hint)?;
        }
        let Some(clock) = self.clocks.get(&self.header).copied() else { return Ok(None) };
        self.common.stamp = self.at(clock.day, ns);
        let interval = if since_boot { 0 } else { clock.interval };
        self.common.interval = (interval > 0).then(|| Duration::from_ns(interval as u64));
        self.common.span = if since_boot { Span::First } else { Span::Interval };
        let Some(table) = &self.table else { return Ok(None) };
        let columns: Vec<&[u8]> = table.columns.iter().map(Vec::as_slice).collect();
        // All of them are `all` here.
        if table.kind == Kind::Cpu && columns.iter().zip(rest).any(|(name, word)| *name == b"CPU" && *word == b"-1") {
            return Ok(Some("`-1` is no processor".into()));
        }
        damage(row(table.kind, &columns, rest, number, &self.common, out))
    }

    fn at(&self, day: i64, ns: i64) -> Stamp {
        match self.midnight {
            Some(midnight) => Stamp::Wall { ns: midnight.saturating_add(day * DAY_NS + ns), utc_offset_min: None },
            None => Stamp::TimeOfDay { ns: ns as u64 },
        }
    }

    fn banner(&mut self, line: &[u8], number: u64, out: &mut Out<'_>) -> Result<(), CounterError> {
        let banner = sysstat::banner(line);
        self.common.machine = banner.machine.map(|name| out.name(name));
        if let Some(name) = &self.common.machine {
            out.machine(number, name)?;
        }
        let date = String::from_utf8_lossy(banner.date.unwrap_or_default()).into_owned();
        let words: Vec<&str> = date.split_whitespace().chain(["00:00:00"]).collect();
        self.midnight = match self.stamps.read(&words, number, out)? {
            Some(Stamp::Wall { ns, .. }) => Some(ns),
            _ if banner.date.is_none() => None,
            _ => {
                let what = format!("`{}` is not a date", shown(date.as_bytes()));
                out.fault(number, what, "the date of the times below it is unknown".into())?;
                None
            }
        };
        self.clocks.clear();
        self.table = None;
        banner.facts(number, &self.common, out)
    }
}
