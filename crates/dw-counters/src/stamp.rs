//! Dates and times as tools and locales print them.
//!
//! `11/21/26 13:43:36`, `11/21/2026 01:43:36 PM`, `21.11.2026 13:43:36`, `2026-11-21T13:43:36+0000`,
//! `2026年11月21日 13時43分36秒`, `2026년 11월 21일 오후 01시 43분 36초`, `Time: 13:43:36`, the output of `date`, the
//! `Nov 21 13:43:36` of a system log, and the `zzz ***` lines of OSWatcher.
//!
//! `03/04/26` says nothing about its order: month first with slashes, day first with points and dashes, unless the user
//! says otherwise. A later `13/04/26` that contradicts is an error that names both lines; nothing is read two ways.
//!
//! Ignores: names of time zones other than UTC and GMT (`CET` is several); such stamps are times of a wall without offset. The
//! day of a system log, which has no year: its stamps are times of day, and midnight is seen by the order.

use dw_observe::Stamp;
use jiff::civil::{Date, DateTime, Time};

use super::number::{decimal, whole};
use super::out::Out;
use super::{CounterError, DateOrder};

/// Reads the stamps of one file.
#[derive(Debug, Default)]
pub(super) struct Stamps {
    /// The order that a date has shown, and its line.
    shown: Option<(DateOrder, u64)>,
    /// The first line whose order was taken for granted.
    assumed: Option<(DateOrder, u64)>,
}

/// A date in one of its orders.
fn date(stamps: &mut Stamps, text: &str, line: u64, out: &Out<'_>) -> Result<Option<Date>, CounterError> {
    let text = text.trim_end_matches('日');
    let parts: Vec<&str> = text.split(['/', '-', '.', '年', '月']).collect();
    let &[a, b, c] = parts.as_slice() else { return Ok(None) };
    let (Some(x), Some(y), Some(z)) = (whole(a.as_bytes()), whole(b.as_bytes()), whole(c.as_bytes())) else {
        return Ok(None);
    };
    if a.len() == 4 || text.contains('年') {
        return Ok(civil(if a.len() == 4 { x } else { century(x) }, y, z));
    }
    if !matches!(c.len(), 2 | 4) || x > 31 || y > 31 {
        return Ok(None);
    }
    let year = if c.len() == 4 { z } else { century(z) };
    let usual = if text.contains('/') { DateOrder::MonthFirst } else { DateOrder::DayFirst };
    let order = match (out.options.dates, x > 12, y > 12) {
        (Some(order), ..) => order,
        (None, true, _) => stamps.show(DateOrder::DayFirst, text, line, out)?,
        (None, _, true) => stamps.show(DateOrder::MonthFirst, text, line, out)?,
        (None, false, false) => match stamps.shown {
            Some((order, _)) => order,
            None => {
                stamps.assumed.get_or_insert((usual, line));
                usual
            }
        },
    };
    Ok(match order {
        DateOrder::MonthFirst => civil(year, x, y),
        DateOrder::DayFirst => civil(year, y, x),
    })
}

impl Stamps {
    /// A date has shown its order.
    fn show(&mut self, order: DateOrder, text: &str, line: u64, out: &Out<'_>) -> Result<DateOrder, CounterError> {
        let (before, first) = *self.shown.get_or_insert(self.assumed.unwrap_or((order, line)));
        if before == order {
            return Ok(order);
        }
        let name = |order| if order == DateOrder::DayFirst { "day" } else { "month" };
        Err(out.error(
            line,
            format!(
                "`{text}` has the {} first, but line {first} was read with the {} first",
                name(order),
                name(before)
            ),
            format!("give the order of dates: `--dates {}-first`", name(order)),
        ))
    }

    /// The stamp that these words are; `None` when they are none. A day that no calendar has is an error: without its stamp a report would
    /// be one of another time.
    pub fn read(&mut self, words: &[&str], line: u64, out: &Out<'_>) -> Result<Option<Stamp>, CounterError> {
        match (self.recognised(words, line, out)?, of_no_day(words)) {
            (None, Some(day)) => Err(out.error(
                line,
                format!("`{day}` is not a date: no calendar has that day"),
                "correct the date, or leave out the report that it begins",
            )),
            (stamp, _) => Ok(stamp),
        }
    }

    fn recognised(&mut self, words: &[&str], line: u64, out: &Out<'_>) -> Result<Option<Stamp>, CounterError> {
        if let Some(plain) = of_east_asia(words) {
            let words: Vec<&str> = plain.split_whitespace().collect();
            return self.read(&words, line, out);
        }
        if let Some((at, offset)) = in_order(words) {
            return Ok(Some(wall(at, offset)));
        }
        if let ["zzz", rest @ ..] = words {
            let text = rest.join(" ");
            let text = text.trim_start_matches(['*', '<', ' ']);
            let words: Vec<&str> = text.split(['>', ' ']).filter(|word| !word.is_empty()).take(7).collect();
            // A time of day alone is what is left of a damaged date.
            return Ok(self.longest(&words, line, out)?.filter(|stamp| matches!(stamp, Stamp::Wall { .. })));
        }
        // pt-diskstats and pt-stalk: `TS 1344561792.010002094 2012-08-09 21:23:12`.
        if let ["TS", seconds, ..] = words {
            return Ok(decimal(seconds.as_bytes()).filter(|&s| s > 1e8).and_then(unix));
        }
        Ok(match words {
            // `Time: 01:43:36 PM`, in any language.
            [word, rest @ ..] if !rest.is_empty() && word.ends_with(':') => {
                leading_time(rest).filter(|(_, count)| *count == rest.len()).map(|(time, _)| time_of_day(time))
            }
            [word, ":", rest @ ..] if !word.starts_with(|c: char| c.is_ascii_digit()) => time_of(rest).map(time_of_day),
            [one] if one.contains('T') => iso(one),
            [month, day, time] if month_of(month).is_some() && is_day(day) => time_of(&[time]).map(time_of_day),
            [name, month, day, time] if is_name(name) && month_of(month).is_some() && is_day(day) => {
                time_of(&[time]).map(time_of_day)
            }
            [one] if one.len() >= 10 && !one.contains(':') => {
                decimal(one.as_bytes()).filter(|&s| s > 1e8).and_then(unix)
            }
            [one] => time_of(&[one]).map(time_of_day),
            [first, rest @ ..] if first.len() > 5 && !first.contains(':') => {
                let Some(time) = time_of(rest) else { return Ok(None) };
                date(self, first, line, out)?.map(|date| wall(date.to_datetime(time), None))
            }
            [_, month, day, rest @ ..] if words.len() >= 5 => of_date_command(month, day, rest),
            [first, rest @ ..] if first.contains(':') => {
                let time = if rest.len() == 1 { time_of(words) } else { None };
                time.map(time_of_day)
            }
            _ => None,
        })
    }
}

impl Stamps {
    /// The stamp that stands in brackets, or with a mark behind it, as people put it before a line.
    pub fn read_bracketed(&mut self, words: &[&str], line: u64, out: &Out<'_>) -> Result<Option<Stamp>, CounterError> {
        let text = words.join(" ").replace('_', " ");
        let words: Vec<&str> = bare(&text).split_whitespace().collect();
        self.read(&words, line, out)
    }

    /// The stamp that the first words are, as many of them as make one.
    fn longest(&mut self, words: &[&str], line: u64, out: &Out<'_>) -> Result<Option<Stamp>, CounterError> {
        for count in (1..=words.len()).rev() {
            if let Some(stamp) = self.read(&words[..count], line, out)? {
                return Ok(Some(stamp));
            }
        }
        Ok(None)
    }

    /// A stamp of PDH, whose month is always first; what a spreadsheet made of it is read like any other.
    pub fn read_pdh(&mut self, words: &[&str], line: u64, out: &Out<'_>) -> Result<Option<Stamp>, CounterError> {
        if out.options.dates.is_none()
            && let [day, time] = words
            && let Some(time) = time_of(&[time])
            && let [month, day, year] = day.split('/').collect::<Vec<_>>().as_slice()
            && year.len() == 4
            && let (Some(month), Some(day), Some(year)) =
                (whole(month.as_bytes()), whole(day.as_bytes()), whole(year.as_bytes()))
            && let Some(date) = civil(year, month, day)
        {
            return Ok(Some(wall(date.to_datetime(time), None)));
        }
        self.read(words, line, out)
    }
}

/// Without brackets around it and marks behind it.
fn bare(text: &str) -> &str {
    text.trim_start_matches(['[', '(', '<']).trim_end_matches([']', ')', '>', ':', ',', ';', '|'])
}

/// Whether these words are a clock that somebody put before a line; what its date means is not judged.
pub(super) fn is_clock(words: &[&str]) -> bool {
    let text = words.join(" ").replace('_', " ");
    let words: Vec<&str> = bare(&text).split_whitespace().collect();
    let time = |words: &[&str]| time_of(words).is_some();
    if in_order(&words).is_some() {
        return true;
    }
    match words.as_slice() {
        [one] if one.contains('T') => iso(one).is_some(),
        [one] if one.contains(':') => time(&[one]),
        [one] => {
            one.split('.').next().is_some_and(|seconds| seconds.len() == 10)
                && decimal(one.as_bytes()).is_some_and(|s| s >= 1e9)
        }
        [day, rest @ ..] if is_date(day) => time(rest),
        [hour, half] => hour.contains(':') && time(&[hour, half]),
        [month, day, hour] if month_of(month).is_some() => is_day(day) && time(&[hour]),
        [name, month, day, hour] if is_name(name) && month_of(month).is_some() => is_day(day) && time(&[hour]),
        [name, month, day, rest @ ..] if is_name(name) && rest.len() >= 2 => {
            of_date_command(month, day, rest).is_some()
        }
        _ => false,
    }
}

/// A date and time whose parts can be nothing else, as `date` prints them for scripts: `2026-11-22-13:17:17`, `20261122 13:17:17`,
/// `20261122-131717`, `20261122131717`, `2026-11-22T13-17-17Z`, `22/Nov/2026:13:17:17`; and milliseconds since 1970.
fn in_order(words: &[&str]) -> Option<(DateTime, Option<i16>)> {
    let (first, rest) = words.split_first()?;
    if let ([], true) = (rest, first.len() == 13 && first.bytes().all(|b| b.is_ascii_digit())) {
        let ms = whole(first.as_bytes())?;
        let Some(Stamp::Wall { ns, .. }) = unix(ms as f64 / 1e3).filter(|_| ms >= 946_684_800_000) else { return None };
        let at = jiff::Timestamp::from_nanosecond(i128::from(ns)).ok()?;
        return Some((at.to_zoned(jiff::tz::TimeZone::UTC).datetime(), Some(0)));
    }
    if !first.is_ascii() || !first.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let separators = ['-', '_', 'T', 't', ':', '/', '.', ','];
    // As long as a date of digits alone, of `2026-11-22`, of `22/Nov/2026`.
    for length in [8, 10, 11] {
        let Some((day, behind)) = first.split_at_checked(length) else { continue };
        let Some(date) = date_in_order(day) else { continue };
        let (behind, offset) = match behind.strip_suffix(['Z', 'z']) {
            Some(behind) => (behind, Some(0)),
            None => (behind, None),
        };
        let behind = behind.strip_prefix(separators).unwrap_or(behind);
        let time = match (behind, rest) {
            ("", [time]) => clock_in_order(time),
            ("", [_, _]) => time_of(rest),
            ("", _) => None,
            (time, []) => clock_in_order(time),
            // The zone of a web server's log: `22/Nov/2026:13:17:17 +0100`.
            (time, [zone]) => match self::offset(zone.trim_end_matches(']'))? {
                None => None,
                zone => return Some((date.to_datetime(clock_in_order(time)?), zone)),
            },
            _ => None,
        };
        if let Some(time) = time {
            return Some((date.to_datetime(time), offset));
        }
    }
    None
}

/// `20261122`, `2026-11-22`, `22/Nov/2026`.
fn date_in_order(text: &str) -> Option<Date> {
    let date = match text.len() {
        8 if text.bytes().all(|b| b.is_ascii_digit()) => {
            let number = |from: usize, to: usize| whole(text.get(from..to)?.as_bytes());
            civil(number(0, 4)?, number(4, 6)?, number(6, 8)?)?
        }
        10 => {
            let parts: Vec<&str> = text.split(['-', '/', '.', '_']).collect();
            let &[year, month, day] = parts.as_slice() else { return None };
            let number = |part: &str| whole(part.as_bytes());
            if year.len() != 4 {
                return None;
            }
            civil(number(year)?, number(month)?, number(day)?)?
        }
        11 => {
            let parts: Vec<&str> = text.split(['-', '/', '.']).collect();
            let &[day, month, year] = parts.as_slice() else { return None };
            if year.len() != 4 || month.len() != 3 {
                return None;
            }
            civil(whole(year.as_bytes())?, month_of(month)?, whole(day.as_bytes())?)?
        }
        _ => return None,
    };
    // What looks like a date of another age is a number.
    (1970..=2199).contains(&date.year()).then_some(date)
}

/// `13:17:17`, `131717`, `13-17-17`, `13.17.17`, each with or without a fraction of the last.
fn clock_in_order(text: &str) -> Option<Time> {
    if let Some(time) = time_of(&[text]) {
        return Some(time);
    }
    let (digits, fraction) = match text.split_once(['.', ',']) {
        Some((digits, fraction)) if digits.len() == 6 || digits.contains('-') => (digits, format!(".{fraction}")),
        _ => (text, String::new()),
    };
    let parts: Vec<&str> = match digits.len() {
        6 if digits.bytes().all(|b| b.is_ascii_digit()) => vec![&digits[..2], &digits[2..4], &digits[4..]],
        _ => digits.split(['-', '.', '_']).collect(),
    };
    match parts.as_slice() {
        [hour, minute, second] if second.len() == 2 => time_of(&[&format!("{hour}:{minute}:{second}{fraction}")]),
        _ => None,
    }
}

/// `22.11.2026`, `11/22/26`, `2026-11-22`.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split(['/', '-', '.']).collect();
    let digits = |part: &&str| matches!(part.len(), 1 | 2 | 4) && whole(part.as_bytes()).is_some();
    parts.len() == 3 && parts.iter().all(digits)
}

/// The date before a time of day, where both are written as those of a stamp are.
fn of_no_day<'a>(words: &[&'a str]) -> Option<&'a str> {
    let (day, is_time) = match *words {
        [one] => {
            let (day, time) = one.split_once('T')?;
            (day, iso(&format!("2000-01-01T{time}")).is_some())
        }
        [day, ref time @ ..] => (day, time_of(time).is_some()),
        [] => return None,
    };
    (day.len() > 5 && is_date(day) && is_time).then_some(day)
}

/// A day of the week, in any language.
fn is_name(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
}

fn is_day(text: &str) -> bool {
    text.len() <= 2 && whole(text.as_bytes()).is_some_and(|day| (1..=31).contains(&day))
}

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// 1 for January.
pub(super) fn month_of(text: &str) -> Option<u64> {
    let at = MONTHS.iter().position(|m| text.get(..3).is_some_and(|start| m.eq_ignore_ascii_case(start)))?;
    Some(at as u64 + 1)
}

/// A stamp in the words of China, Japan or Korea with the signs of the others; `None` when it has none of those words.
fn of_east_asia(words: &[&str]) -> Option<String> {
    const HALVES: [(&str, &str); 6] =
        [("上午", "AM"), ("午前", "AM"), ("오전", "AM"), ("下午", "PM"), ("午後", "PM"), ("오후", "PM")];
    if words.iter().all(|word| word.is_ascii()) {
        return None;
    }
    let mut text = words.join(" ");
    let mut half = "";
    for (word, english) in HALVES {
        if text.contains(word) {
            text = text.replace(word, " ");
            half = english;
        }
    }
    let mut plain = String::new();
    for c in text.chars() {
        match c {
            '年' | '년' => {
                let digits = plain.len() - plain.trim_end_matches(|c: char| c.is_ascii_digit()).len();
                if digits == 2 {
                    plain.insert_str(plain.len() - 2, "20");
                }
                plain.push('-');
            }
            '月' | '월' => plain.push('-'),
            '時' | '时' | '시' | '分' | '분' => plain.push(':'),
            '日' | '일' | '秒' | '초' => plain.push(' '),
            // What follows a sign belongs to it, with or without a blank.
            ' ' if plain.ends_with(['-', ':']) && half_written(&plain) => {}
            other => plain.push(other),
        }
    }
    let plain = plain.trim().trim_end_matches(':');
    (plain.is_ascii()).then(|| format!("{plain} {half}").trim().to_string())
}

/// Whether a date or time was begun and its next figure is to come.
fn half_written(plain: &str) -> bool {
    plain[..plain.len() - 1].ends_with(|c: char| c.is_ascii_digit())
}

/// The time that a line begins with, and how many words it is.
pub(super) fn leading_time(words: &[&str]) -> Option<(Time, usize)> {
    (1..=words.len().min(4)).rev().find_map(|count| {
        let time = match of_east_asia(&words[..count]) {
            Some(plain) => time_of(&plain.split_whitespace().collect::<Vec<_>>()),
            None => time_of(&words[..count]),
        };
        time.map(|time| (time, count))
    })
}

/// `22-11 13:17:17` or `Nov-22 13:17:17` of a year that is known from elsewhere.
pub(super) fn date_of_row(words: &[&str], year: Option<u64>) -> Option<Stamp> {
    let [day, time] = words else { return None };
    let (a, b) = day.split_once('-')?;
    let (day, month) = match (month_of(a), month_of(b)) {
        (Some(month), _) => (whole(b.as_bytes())?, month),
        (_, Some(month)) => (whole(a.as_bytes())?, month),
        _ => (whole(a.as_bytes())?, whole(b.as_bytes())?),
    };
    Some(wall(civil(year?, month, day)?.to_datetime(time_of(&[time])?), None))
}

fn century(year: u64) -> u64 {
    if year >= 70 { 1900 + year } else { 2000 + year }
}

fn civil(year: u64, month: u64, day: u64) -> Option<Date> {
    Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?).ok()
}

/// A time of day, with or without `AM` and `PM`, seconds or a fraction of them.
pub(super) fn time_of(words: &[&str]) -> Option<Time> {
    let (text, half) = match words {
        [text] => (*text, None),
        [text, half] if ["AM", "a.m."].iter().any(|am| half.eq_ignore_ascii_case(am)) => (*text, Some(0)),
        [text, half] if ["PM", "p.m."].iter().any(|pm| half.eq_ignore_ascii_case(pm)) => (*text, Some(12)),
        _ => return None,
    };
    let text = text.trim_end_matches('秒');
    let mut parts = text.split([':', '時', '时', '分']);
    let (hour, minute) = (parts.next()?, parts.next()?);
    let (second, fraction) = match parts.next() {
        Some(rest) => rest.split_once(['.', ',']).unwrap_or((rest, "")),
        None => ("0", ""),
    };
    if parts.next().is_some() || hour.len() > 2 || minute.len() != 2 || second.len() > 2 || fraction.len() > 9 {
        return None;
    }
    let mut hour = whole(hour.as_bytes())?;
    if let Some(half) = half {
        if !(1..=12).contains(&hour) {
            return None;
        }
        hour = hour % 12 + half;
    }
    let ns = if fraction.is_empty() { 0 } else { whole(fraction.as_bytes())? * 10_u64.pow(9 - fraction.len() as u32) };
    // A leap second is the second before it: no clock read here tells them apart.
    let second = whole(second.as_bytes())?.min(if second == "60" { 59 } else { 99 });
    Time::new(hour.try_into().ok()?, whole(minute.as_bytes())?.try_into().ok()?, second.try_into().ok()?, ns as i32)
        .ok()
}

pub(super) fn time_of_day(time: Time) -> Stamp {
    let seconds = i64::from(time.hour()) * 3600 + i64::from(time.minute()) * 60 + i64::from(time.second());
    Stamp::TimeOfDay { ns: seconds as u64 * 1_000_000_000 + time.subsec_nanosecond() as u64 }
}

/// A date and time on a wall.
pub(super) fn wall(at: DateTime, utc_offset_min: Option<i16>) -> Stamp {
    let since = at.date().duration_since(jiff::civil::date(1970, 1, 1)).as_secs();
    let seconds = since + i64::from(at.hour()) * 3600 + i64::from(at.minute()) * 60 + i64::from(at.second());
    // Years 1678 to 2261 fit; `saturating` keeps a made-up year 9999 at the end of them.
    let ns = seconds.saturating_mul(1_000_000_000).saturating_add(i64::from(at.subsec_nanosecond()));
    Stamp::Wall { ns, utc_offset_min }
}

/// Whether this may be what a tool calls a time zone: `CET`, `+03`, `(UTC+0100)`.
pub(super) fn is_zone(word: &str) -> bool {
    !word.is_empty() && !word.contains(|c: char| c.is_ascii_lowercase())
}

/// Seconds since 1970 as a stamp in UTC.
pub(super) fn unix(seconds: f64) -> Option<Stamp> {
    let ns = seconds * 1e9;
    (0.0..9.2e18).contains(&ns).then_some(Stamp::Wall { ns: ns as i64, utc_offset_min: Some(0) })
}

/// `2026-11-21T13:43:36+0000`, with or without an offset.
pub(super) fn iso(text: &str) -> Option<Stamp> {
    let (day, rest) = text.split_once(['T', ' '])?;
    let mut parts = day.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || year.len() != 4 {
        return None;
    }
    let date = civil(whole(year.as_bytes())?, whole(month.as_bytes())?, whole(day.as_bytes())?)?;
    let at = rest.find(['Z', 'z', '+', '-']).unwrap_or(rest.len());
    let time = time_of(&[&rest[..at]])?;
    Some(wall(date.to_datetime(time), offset(&rest[at..])?))
}

/// `Z`, `+01:00`, `-0500`, or nothing; minutes ahead of UTC.
fn offset(text: &str) -> Option<Option<i16>> {
    let (sign, digits) = match text.as_bytes() {
        [] => return Some(None),
        [b'Z' | b'z'] => return Some(Some(0)),
        [b'+', digits @ ..] => (1, digits),
        [b'-', digits @ ..] => (-1, digits),
        _ => return None,
    };
    let (hours, minutes) = match digits {
        [a, b] => (whole(&[*a, *b])?, 0),
        [a, b, c, d] | [a, b, b':', c, d] => (whole(&[*a, *b])?, whole(&[*c, *d])?),
        _ => return None,
    };
    (hours < 24 && minutes < 60).then_some(Some(sign * (hours * 60 + minutes) as i16))
}

/// `2026-11-21` and `13:43:36`, as sadf and sysstat's JSON part them.
pub(super) fn date_and_time(day: &str, time: &str, utc: bool) -> Option<Stamp> {
    match iso(&format!("{day}T{time}"))? {
        Stamp::Wall { ns, utc_offset_min } => {
            Some(Stamp::Wall { ns, utc_offset_min: utc_offset_min.or(utc.then_some(0)) })
        }
        other => Some(other),
    }
}

/// `Sat Nov 21 13:43:36 UTC 2026`, after its first word.
fn of_date_command(month: &str, day: &str, rest: &[&str]) -> Option<Stamp> {
    // Some locales put the day first.
    let (month, day) = if whole(month.as_bytes()).is_some() { (day, month) } else { (month, day) };
    let month = month_of(month)?;
    let day = whole(day.as_bytes())?;
    let (year, middle) = match rest {
        [time @ .., zone, year] if whole(year.as_bytes()).is_some() => (whole(year.as_bytes())?, (time, *zone)),
        [year, time @ .., zone] => (whole(year.as_bytes())?, (time, *zone)),
        _ => return None,
    };
    let (time, zone) = middle;
    if !is_zone(zone) {
        return None;
    }
    let utc = matches!(zone, "UTC" | "GMT").then_some(0);
    let (time, zone_is_half) = match time {
        [] => (time_of(&[zone])?, true),
        _ => (time_of(time)?, false),
    };
    Some(wall(civil(year, month, day)?.to_datetime(time), if zone_is_half { None } else { utc }))
}

#[cfg(test)]
mod tests {
    use super::super::Options;
    use super::*;
    use dw_observe::CollectedReadings;

    #[test]
    fn the_time_that_a_line_begins_with_is_as_long_as_its_locale_makes_it() {
        let cases = [
            ("13:43:36 CPU %user", Some(1)),
            ("01:43:36 PM CPU %user", Some(2)),
            ("13\u{65f6}43\u{5206}36\u{79d2} CPU %user", Some(1)),
            ("\u{4e0b}\u{5348} 01\u{65f6}43\u{5206}36\u{79d2} CPU %user", Some(2)),
            ("\u{5348}\u{5f8c}01\u{6642}43\u{5206}36\u{79d2} all 1.00", Some(1)),
            ("13\u{c2dc} 43\u{bd84} 36\u{cd08} DEV tps", Some(3)),
            ("\u{c624}\u{d6c4} 01\u{c2dc} 43\u{bd84} 36\u{cd08} 8 1.00", Some(4)),
            ("\u{5e73}\u{5747}\u{5024}: all 1.00", None),
            ("sda 1.00 2.00", None),
        ];
        for (line, expected) in cases {
            let words: Vec<&str> = line.split_whitespace().collect();
            let found = leading_time(&words);
            assert_eq!(found.map(|(_, count)| count), expected, "{line}");
            assert!(found.is_none_or(|(time, _)| time == jiff::civil::time(13, 43, 36, 0)), "{line}");
        }
    }

    fn check(text: &str, expected: &str) {
        let options = Options::default();
        let mut sink = CollectedReadings::default();
        let out = Out::new(&mut sink, &options, crate::Format::Sar);
        let words: Vec<&str> = text.split_whitespace().collect();
        let shown = match Stamps::default().read(&words, 1, &out) {
            Err(error) => error.what,
            Ok(None) => "none".to_string(),
            Ok(Some(Stamp::Wall { ns, utc_offset_min })) => {
                let at = jiff::Timestamp::from_nanosecond(i128::from(ns)).expect("in range");
                format!("{at} {utc_offset_min:?}")
            }
            Ok(Some(Stamp::TimeOfDay { ns })) => format!("{} s", ns as f64 / 1e9),
            Ok(Some(other)) => format!("{other:?}"),
        };
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn every_form_is_the_same_instant() {
        let noon = "2026-11-21T13:43:36Z";
        for text in [
            "11/21/26 13:43:36",
            "11/21/2026 01:43:36 PM",
            "21.11.2026 13:43:36",
            "21/11/26 13:43:36",
            "21-11-26 13:43:36",
            "2026-11-21 13:43:36",
            "2026-11-21T13:43:36",
            "2026\u{5e74}11\u{6708}21\u{65e5} 13\u{6642}43\u{5206}36\u{79d2}",
            "Sat Nov 21 13:43:36 CET 2026",
            "Sat 21 Nov 2026 01:43:36 PM CET",
        ] {
            check(text, &format!("{noon} None"));
        }
        check("2026-11-21T13:43:36+0000", &format!("{noon} Some(0)"));
        check("2026-11-21T13:43:36Z", &format!("{noon} Some(0)"));
        check("2026-11-21T13:43:36-05:30", &format!("{noon} Some(-330)"));
        check("Sat Nov 21 13:43:36 UTC 2026", &format!("{noon} Some(0)"));
        check("13:43:36", "49416 s");
        check("12:00:01 AM", "1 s");
        check("Time: 01:43:36 PM", "49416 s");
        check("\u{6642}\u{9593}: 13\u{6642}43\u{5206}36\u{79d2}", "49416 s");
        check("Heure : 13:43:36", "49416 s");
        for text in [
            "2026\u{b144} 11\u{c6d4} 21\u{c77c} 13\u{c2dc} 43\u{bd84} 36\u{cd08}",
            "2026\u{b144}11\u{c6d4}21\u{c77c} \u{c624}\u{d6c4} 01\u{c2dc} 43\u{bd84} 36\u{cd08}",
            "2026\u{5e74}11\u{6708}21\u{65e5} \u{4e0b}\u{5348} 01\u{65f6}43\u{5206}36\u{79d2}",
            "26\u{5e74}11\u{6708}21\u{65e5} \u{5348}\u{5f8c}01\u{6642}43\u{5206}36\u{79d2}",
            "Sat Nov 21 13:43:36 2026",
            "zzz ***Sat Nov 21 13:43:36 CET 2026",
            "zzz ***Sat Nov 21 01:43:36 PM CET 2026 Sample interval: 30 seconds",
            "zzz <11/21/2026 13:43:36> Count:360",
        ] {
            check(text, &format!("{noon} None"));
        }
        check("zzz ***Sat Nov 21 13:43:36 UTC 2026", &format!("{noon} Some(0)"));
        for text in [
            "2026-11-21-13:43:36",
            "2026/11/21-13:43:36",
            "2026-11-21-13-43-36",
            "20261121 13:43:36",
            "20261121-134336",
            "20261121_134336",
            "20261121134336",
            "20261121T134336",
            "2026-11-21 13-43-36",
            "20261121 134336",
            "20261121 01:43:36 PM",
            "21/Nov/2026:13:43:36",
            "21-Nov-2026 13:43:36",
        ] {
            check(text, &format!("{noon} None"));
        }
        check("20261121T134336Z", &format!("{noon} Some(0)"));
        check("21/Nov/2026:13:43:36 +0100", &format!("{noon} Some(60)"));
        check("1795268616000", &format!("{noon} Some(0)"));
        for number in ["20261321", "20261321-134336", "12345678 123456", "99991121 134336", "20261121 993336"] {
            check(number, "none");
        }
        check("Nov 21 13:43:36", "49416 s");
        check("Sat Nov 21 13:43:36", "49416 s");
        check("\u{c624}\u{d6c4} 01\u{c2dc} 43\u{bd84} 36\u{cd08}", "49416 s");
        check("Average: 13:43:36.5 3", "none");
        for wrong in ["13:61:00", "13:43", "sda 1 2 3 4", "13:00:00 PM", "5.15.0 12.5"] {
            check(wrong, if wrong == "13:43" { "49380 s" } else { "none" });
        }
        for day in ["31/31/26", "11/31/26", "2026-02-30", "29.02.2026"] {
            check(&format!("{day} 00:00:00"), &format!("`{day}` is not a date: no calendar has that day"));
        }
        check("2026-11-31T00:00:00+0100", "`2026-11-31` is not a date: no calendar has that day");
    }
}
