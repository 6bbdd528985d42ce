//! fio's numbers and times, read twice: as fio reads them, and as they were meant.
//!
//! fio never rejects what follows the digits: `1.5m` is 1 byte, `10min` is 10 microseconds, `bs= 8k` is 8 bytes. A value
//! is accepted only when both readings agree; else the error says what fio would have made of it.
//!
//! Units: with `kb_base=1024` (default) `4k`, `4kb` and `4ki` are 4096 and `4kib` is 4000; with `kb_base=1000` `4k` is
//! 4000 and `4kib` is 4096. Source: fio 3.33, checked value by value against the program.
//!
//! Ignores: zone counts (`4z`), which only `zonemode=zbd` uses.

use super::meant;

/// What is wrong with a value, and what to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub what: String,
    pub hint: String,
}

impl Fault {
    pub fn new(what: impl Into<String>, hint: impl Into<String>) -> Fault {
        Fault { what: what.into(), hint: hint.into() }
    }
}

/// How values are read in a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// 1024 or 1000.
    pub kb_base: u64,
    /// A blank after `=` is read as fio reads it, instead of being refused.
    pub blanks_as_fio: bool,
}

impl Default for Reading {
    fn default() -> Self {
        Reading { kb_base: 1024, blanks_as_fio: false }
    }
}

/// A size, or a share of what there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Amount {
    Bytes(u64),
    Percent(u8),
}

impl Reading {
    /// A number of bytes (or of anything else: fio allows the same suffixes everywhere).
    pub fn number(&self, text: &str) -> Result<u64, Fault> {
        let meant = number_as_meant(text.trim(), self.kb_base);
        let by_fio = number_as_fio(text, self.kb_base);
        self.agree(
            text,
            meant,
            by_fio,
            |n| format!("{n}"),
            "a number",
            &probably(
                meant::number(text, self.kb_base),
                "a whole number, of bytes with a unit: for example `32`, `8k` or `30g`",
            ),
        )
    }

    /// A number of bytes, or a percentage.
    pub fn amount(&self, text: &str) -> Result<Amount, Fault> {
        // fio takes as many signs as there are, as scripts for `printf` have them.
        let Some(digits) = text.trim().strip_suffix('%').map(|rest| rest.trim_end_matches('%')) else {
            return self.number(text).map(Amount::Bytes);
        };
        if text.starts_with([' ', '\t']) {
            return Err(Fault::new("has a space after `=`, so that fio loses the `%`", "remove the blank"));
        }
        match digits.parse::<u64>() {
            Ok(percent @ 0..=100) => Ok(Amount::Percent(percent as u8)),
            Ok(_) => Err(Fault::new("is more than 100 %", "write a percentage from 1 to 100")),
            Err(_) => Err(Fault::new("is not a percentage", "write a whole percentage, for example `50%`")),
        }
    }

    /// A time in microseconds; without a unit, seconds or microseconds.
    pub fn time(&self, text: &str, bare_is_seconds: bool) -> Result<u64, Fault> {
        let meant = time_as_meant(text.trim(), bare_is_seconds);
        let by_fio = time_as_fio(text, bare_is_seconds);
        let example = if bare_is_seconds {
            "one number and one of us, ms, s, m, h, d, for example `90s` or `2m`"
        } else {
            "one number and one of us, ms, s, for example `500us` or `2ms`"
        };
        let example = probably(meant::time(text, bare_is_seconds), example);
        self.agree(text, meant, by_fio, micros, "a time", &example)
    }

    /// 0 or 1 (fio takes any whole number that its kind of option allows).
    pub fn boolean(&self, text: &str) -> Result<bool, Fault> {
        match text.trim().parse::<i64>() {
            Ok(n) => Ok(n != 0),
            Err(_) => Err(Fault::new("is neither 0 nor 1", "write 0 or 1")),
        }
    }

    /// Numbers with decimals, separated by colons.
    pub fn floats(&self, text: &str) -> Result<Vec<f64>, Fault> {
        text.split(':')
            .map(|part| {
                part.trim().parse::<f64>().ok().filter(|n| n.is_finite()).ok_or_else(|| {
                    Fault::new(
                        format!("has `{part}` where a number is expected"),
                        "separate the numbers by colons, for example `50:99:99.9`",
                    )
                })
            })
            .collect()
    }

    /// One of some words; fio compares up to a `,` or `:`.
    pub fn word<'t>(&self, text: &'t str, words: &[&'static str]) -> Result<(&'static str, Option<&'t str>), Fault> {
        let end = text.find(',').or_else(|| text.find(':')).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        if let Some(found) = words.iter().find(|w| **w == word) {
            return Ok((found, rest.get(1..)));
        }
        if let Some(found) = words.iter().find(|w| w.eq_ignore_ascii_case(word.trim())) {
            let why = if word.starts_with([' ', '\t']) {
                "has a space after `=`, which fio refuses"
            } else {
                "is written in capitals, which fio refuses"
            };
            return Err(Fault::new(why, format!("write `{found}{rest}`")));
        }
        Err(Fault::new("is not one of the values that fio knows", format!("write one of {}", words.join(", "))))
    }

    fn agree(
        &self,
        text: &str,
        meant: Option<u64>,
        by_fio: Option<u64>,
        show: impl Fn(u64) -> String,
        expected: &str,
        example: &str,
    ) -> Result<u64, Fault> {
        match (meant, by_fio) {
            (Some(meant), Some(fio)) if meant == fio => Ok(meant),
            (Some(_), Some(fio)) if text.starts_with([' ', '\t']) => {
                if self.blanks_as_fio {
                    return Ok(fio);
                }
                Err(Fault::new(
                    format!("has a space after `=`: fio loses the unit and reads {}", show(fio)),
                    "remove the space, or reproduce fio with `--fio-blank-values=as-fio`",
                ))
            }
            (Some(meant), Some(fio)) => Err(Fault::new(
                format!("is read by fio as {}, not as {}", show(fio), show(meant)),
                format!("write {example}"),
            )),
            (None, Some(_)) if is_zones(text) => {
                Err(Fault::new("is a number of zones, which only zonemode=zbd knows", "write a size"))
            }
            (None, Some(fio)) => {
                Err(Fault::new(format!("is not {expected}: fio reads {}", show(fio)), format!("write {example}")))
            }
            (_, None) if overflows(text) => Err(Fault::new("is too large", "write a smaller number")),
            (_, None) => Err(Fault::new(format!("is not {expected}"), hint_for(text, example))),
        }
    }
}

/// What was probably meant, or what would do.
fn probably(meant: Option<String>, other: &str) -> String {
    meant.map_or_else(|| other.to_string(), |meant| format!("`{meant}`"))
}

fn hint_for(text: &str, example: &str) -> String {
    if text.contains('$') {
        "fio replaces only `${NAME}` from the environment and `$pagesize`, `$mb_memory`, `$ncpus`; write the value"
            .into()
    } else {
        format!("write {example}")
    }
}

/// `8z`.
fn is_zones(text: &str) -> bool {
    text.strip_suffix('z').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

fn overflows(text: &str) -> bool {
    text.trim().starts_with(|c: char| c.is_ascii_digit())
}

fn micros(us: u64) -> String {
    if us >= 1_000_000 && us.is_multiple_of(1_000_000) {
        format!("{} s", us / 1_000_000)
    } else {
        format!("{us} microseconds")
    }
}

/// What a person means: digits and a unit, nothing else.
fn number_as_meant(text: &str, kb_base: u64) -> Option<u64> {
    let text = text.strip_prefix('+').unwrap_or(text);
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return hex.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u64::from_str_radix(hex, 16).ok())?;
    }
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..end].parse().ok()?;
    number.checked_mul(unit_of_bytes(&text[end..], kb_base)?)
}

fn unit_of_bytes(unit: &str, kb_base: u64) -> Option<u64> {
    let unit = unit.to_ascii_lowercase();
    if unit.is_empty() || unit == "b" {
        return Some(1);
    }
    let power = 1 + "kmgtp".find(unit.chars().next()?)? as u32;
    match &unit[1..] {
        "" | "b" | "i" => Some(kb_base.pow(power)),
        "ib" => Some(if kb_base == 1024 { 1000u64 } else { 1024 }.pow(power)),
        _ => None,
    }
}

/// What fio reads: the first digits, and the unit right after them; anything else is dropped without a word.
fn number_as_fio(text: &str, kb_base: u64) -> Option<u64> {
    let value = leading_number(text)?;
    // The unit is searched for after the digits that stand at the very beginning: a blank in front hides it.
    let sign = usize::from(text.starts_with(['+', '-']));
    let digits = text[sign..].bytes().take_while(u8::is_ascii_digit).count();
    let rest = text[sign + digits..].to_ascii_lowercase();
    let rest = &rest[..rest.find([':', '-', ',', '/']).unwrap_or(rest.len())];
    if rest.starts_with('%') {
        return None;
    }
    let (other, starts) = (if kb_base == 1024 { 1000u64 } else { 1024 }, rest.chars().next());
    let power = starts.and_then(|c| "kmgtp".find(c)).map_or(0, |i| 1 + i as u32);
    let base = if power > 0 && rest[1..].starts_with("ib") { other } else { kb_base };
    value.checked_mul(base.checked_pow(power)?)
}

fn leading_number(text: &str) -> Option<u64> {
    let text = text.trim_start();
    let text = text.strip_prefix('+').unwrap_or(text);
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        let end = hex.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(hex.len());
        return u64::from_str_radix(&hex[..end], 16).ok();
    }
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    // fio's numbers are signed.
    text[..end].parse::<i64>().ok().map(|n| n as u64)
}

fn time_as_meant(text: &str, bare_is_seconds: bool) -> Option<u64> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..end].parse().ok()?;
    let unit = match text[end..].to_ascii_lowercase().as_str() {
        "" if bare_is_seconds => 1_000_000,
        "" => 1,
        "us" | "usec" | "usecs" => 1,
        "ms" | "msec" | "msecs" => 1_000,
        "s" | "sec" | "secs" | "second" | "seconds" => 1_000_000,
        "m" | "min" | "mins" | "minute" | "minutes" => 60_000_000,
        "h" | "hour" | "hours" => 3_600_000_000,
        "d" | "day" | "days" => 86_400_000_000,
        _ => return None,
    };
    number.checked_mul(unit)
}

fn time_as_fio(text: &str, bare_is_seconds: bool) -> Option<u64> {
    let value = leading_number(text)?;
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '+' || c == '-').to_ascii_lowercase();
    let unit = match rest.as_str() {
        unit if !unit.starts_with(|c: char| c.is_ascii_alphabetic()) && bare_is_seconds => 1_000_000,
        unit if !unit.starts_with(|c: char| c.is_ascii_alphabetic()) => 1,
        unit if unit.starts_with("us") => 1,
        unit if unit.starts_with("ms") => 1_000,
        "s" => 1_000_000,
        "m" => 60_000_000,
        "h" => 3_600_000_000,
        "d" => 86_400_000_000,
        _ => 1,
    };
    value.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures are what fio 3.33 reads, as its block size and `--debug=parse` show.
    #[test]
    fn both_readings_of_a_number() {
        #[rustfmt::skip]
        let cases = [
            // text            kb_base  fio reads            accepted as
            ("4k",             1024,    Some(4_096),         Some(4_096)),
            ("4K",             1024,    Some(4_096),         Some(4_096)),
            ("4kb",            1024,    Some(4_096),         Some(4_096)),
            ("4ki",            1024,    Some(4_096),         Some(4_096)),
            ("4kib",           1024,    Some(4_000),         Some(4_000)),
            ("4KiB",           1024,    Some(4_000),         Some(4_000)),
            ("8MiB",           1024,    Some(8_000_000),     Some(8_000_000)),
            ("1Mi",            1024,    Some(1_048_576),     Some(1_048_576)),
            ("4k",             1000,    Some(4_000),         Some(4_000)),
            ("4ki",            1000,    Some(4_000),         Some(4_000)),
            ("4kib",           1000,    Some(4_096),         Some(4_096)),
            ("30g",            1024,    Some(30 << 30),      Some(30 << 30)),
            ("2G",             1024,    Some(2 << 30),       Some(2 << 30)),
            ("512",            1024,    Some(512),           Some(512)),
            ("+4k",            1024,    Some(4_096),         Some(4_096)),
            ("4b",             1024,    Some(4),             Some(4)),
            ("0x100",          1024,    Some(256),           Some(256)),
            ("0x10k",          1024,    Some(16),            None),
            ("1.5k",           1024,    Some(1),             None),
            ("4kk",            1024,    Some(4_096),         None),
            ("4kbyte",         1024,    Some(4_096),         None),
            ("4q",             1024,    Some(4),             None),
            ("4 k",            1024,    Some(4),             None),
            (" 8k",            1024,    Some(8),             None),
            (" 8",             1024,    Some(8),             Some(8)),
            ("1,000",          1024,    Some(1),             None),
            ("-4k",            1024,    None,                None),
            ("k",              1024,    None,                None),
            ("",               1024,    None,                None),
            ("16p",            1024,    Some(16 << 50),      Some(16 << 50)),
            ("99999999999999t", 1024,   None,                None),
            ("99999999999999999999", 1024, None,             None),
        ];
        for (text, kb_base, by_fio, accepted) in cases {
            let reading = Reading { kb_base, blanks_as_fio: false };
            assert_eq!(number_as_fio(text, kb_base), by_fio, "fio's reading of `{text}`");
            assert_eq!(reading.number(text).ok(), accepted, "`{text}`");
        }
    }

    /// The figures are microseconds that fio 3.33 reads, as `--debug=parse` shows them.
    #[test]
    fn both_readings_of_a_time() {
        #[rustfmt::skip]
        let cases = [
            // text       seconds  fio reads                accepted as
            ("30",        true,    Some(30_000_000),        Some(30_000_000)),
            ("30s",       true,    Some(30_000_000),        Some(30_000_000)),
            ("2m",        true,    Some(120_000_000),       Some(120_000_000)),
            ("1h",        true,    Some(3_600_000_000),     Some(3_600_000_000)),
            ("1D",        true,    Some(86_400_000_000),    Some(86_400_000_000)),
            ("500ms",     true,    Some(500_000),           Some(500_000)),
            ("10min",     true,    Some(10),                None),
            ("60sec",     true,    Some(60),                None),
            ("1m30s",     true,    Some(1),                 None),
            ("0.5",       true,    Some(0),                 None),
            (" 30s",      true,    Some(30_000_000),        Some(30_000_000)),
            (" 5m",       true,    Some(5_000_000),         None),
            ("200",       false,   Some(200),               Some(200)),
            ("10ms",      false,   Some(10_000),            Some(10_000)),
            ("250usec",   false,   Some(250),               Some(250)),
            ("abc",       false,   None,                    None),
        ];
        for (text, seconds, by_fio, accepted) in cases {
            assert_eq!(time_as_fio(text, seconds), by_fio, "fio's reading of `{text}`");
            assert_eq!(Reading::default().time(text, seconds).ok(), accepted, "`{text}`");
        }
    }

    /// What fio 3.33 says it reads, with `--debug=parse`; `None` where it is not installed.
    fn fio_reads(option: &str, kb_base: u64, texts: &[&str]) -> Option<Vec<Option<u64>>> {
        use std::io::Write;
        use std::process::{Command, Stdio};
        let mut command = Command::new("fio");
        command
            .args(["--parse-only", "--debug=parse", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let Ok(mut fio) = command.spawn() else {
            eprintln!("SKIPPED: fio is not installed");
            return None;
        };
        let lines: String = texts.iter().map(|text| format!("{option}={text}\n")).collect();
        let job = format!("[global]\nkb_base={kb_base}\n[a]\n{lines}");
        fio.stdin.take().unwrap().write_all(job.as_bytes()).unwrap();
        let output = String::from_utf8_lossy(&fio.wait_with_output().unwrap().stdout).into_owned();
        let lines: Vec<&str> = output.lines().collect();
        let read = |text: &&str| {
            let asked = format!("__handle_option={option}, type=");
            let at = lines.iter().position(|l| l.contains(&asked) && l.ends_with(&format!("ptr={text}")));
            let answer = lines[at.unwrap_or_else(|| panic!("fio does not mention {text}")) + 1];
            let out = answer.split_once("ret=0, out=")?.1;
            out.trim().parse().ok()
        };
        Some(texts.iter().map(read).collect())
    }

    #[test]
    fn fio_reads_numbers_as_we_say_it_does() {
        let texts = [
            "4k", "4K", "4kb", "4ki", "4kib", "4KiB", "8MiB", "1Mi", "30g", "2G", "512", "+4k", "4b", "0x100", "0x10k",
            "1.5k", "4kk", "4kbyte", "4q", "4 k", " 8k", " 8", "1,000", "k", "16p", "3t", "7PiB", "1_000", "12gigs",
            "5 mb",
        ];
        for kb_base in [1_024, 1_000] {
            let Some(theirs) = fio_reads("bs", kb_base, &texts) else { return };
            let ours: Vec<_> = texts.iter().map(|text| number_as_fio(text, kb_base)).collect();
            assert_eq!(ours, theirs, "kb_base={kb_base}");
        }
    }

    #[test]
    fn fio_reads_times_as_we_say_it_does() {
        let texts = [
            "30", "30s", "2m", "1h", "1D", "500ms", "250us", "250usec", "7msecs", "10min", "60sec", "1m30s", "0.5",
            " 30s", " 5m", "abc", "90 s", "2H", "5s-10s", "5-10s",
        ];
        for (option, seconds) in [("runtime", true), ("thinktime", false)] {
            let Some(theirs) = fio_reads(option, 1_024, &texts) else { return };
            let ours: Vec<_> = texts.iter().map(|text| time_as_fio(text, seconds)).collect();
            assert_eq!(ours, theirs, "{option}");
        }
    }

    #[test]
    fn a_blank_is_reproduced_on_request() {
        let as_fio = Reading { blanks_as_fio: true, ..Reading::default() };
        assert_eq!(as_fio.number(" 8k").ok(), Some(8));
        assert!(as_fio.number("1.5k").is_err());
    }
}
