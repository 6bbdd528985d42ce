//! What a pipe puts before every line: a clock (`ts`, `awk strftime`, `docker logs -t`), a sender (syslog, journald), or both.
//!
//! `Nov 22 13:17:17 web1 iostat[812]: sda 1.00 ...`. The header shows the shape, in words; a line that has the same shape
//! loses it, and any other line stays as it is, for the reader of its format to refuse. One blank behind the last word goes
//! too, and no more: a blank before a name has a meaning in iostat.
//!
//! A row that alone has a clock before it (its header has none) is judged by [`surplus`]: words that a row has too many
//! are a clock, or the row is not a row of its table.

use dw_observe::Stamp;

use super::CounterError;
use super::out::Out;
use super::stamp::{Stamps, is_clock};

/// Longest clock in words: `Sun Nov 22 01:17:17 PM UTC 2026`.
const LONGEST_CLOCK: usize = 7;

/// Words before every line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Prefix {
    clock: usize,
    /// A host and a program, or one of them; the last ends with a colon.
    sender: usize,
    /// A bar, a dash or an arrow stands behind them.
    separator: bool,
}

/// Where each word begins and ends.
fn spans(line: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (index, byte) in line.iter().enumerate() {
        match (byte.is_ascii_whitespace(), start) {
            (true, Some(from)) => {
                found.push((from, index));
                start = None;
                if found.len() > LONGEST_CLOCK + 3 {
                    return found;
                }
            }
            (false, None) => start = Some(index),
            _ => {}
        }
    }
    found.extend(start.map(|from| (from, line.len())));
    found
}

fn text(line: &[u8], span: (usize, usize)) -> &str {
    std::str::from_utf8(&line[span.0..span.1]).unwrap_or_default()
}

fn is_sender(word: &str) -> bool {
    word.len() > 1
        && word.ends_with(':')
        && !matches!(word, "Device:" | "avg-cpu:" | "Filesystem:" | "Average:" | "Time:")
}

fn is_separator(word: &str) -> bool {
    matches!(word, "|" | "-" | "--" | ":" | ">" | "=>")
}

impl Prefix {
    /// What stands before a line, as far as its words show it; and how many bytes that is.
    pub fn parse(line: &[u8]) -> Option<(Prefix, usize)> {
        let spans = spans(line);
        let words: Vec<&str> = spans.iter().map(|&span| text(line, span)).collect();
        let clock = (1..=LONGEST_CLOCK.min(words.len())).rev().find(|&n| is_clock(&words[..n])).unwrap_or(0);
        let rest = &words[clock..];
        let sender = match rest {
            [first, ..] if is_sender(first) => 1,
            [_, second, ..] if clock > 0 && is_sender(second) => 2,
            [_, bar, ..] if clock == 0 && *bar == "|" => 1,
            _ => 0,
        };
        let separator = rest.get(sender).is_some_and(|word| is_separator(word));
        let prefix = Prefix { clock, sender, separator };
        let words = clock + sender + usize::from(separator);
        (words > 0).then(|| (prefix, after(line, &spans, words)))
    }

    /// How many words it is.
    pub fn words(self) -> usize {
        self.clock + self.sender + usize::from(self.separator)
    }

    /// The bytes that a line of this shape has before it.
    pub fn length(self, line: &[u8]) -> Option<usize> {
        let spans = spans(line);
        let count = self.clock + self.sender + usize::from(self.separator);
        let words: Vec<&str> = spans.iter().take(count).map(|&span| text(line, span)).collect();
        let sent = self.sender == 0
            || self.clock == 0 && self.separator
            || is_sender(words.get(self.clock + self.sender - 1)?);
        let apart = !self.separator || is_separator(words.get(count - 1)?);
        let fits = words.len() == count && sent && apart && (self.clock == 0 || is_clock(&words[..self.clock]));
        fits.then(|| after(line, &spans, count))
    }

    /// The clock of what stood before a line.
    pub fn stamp(
        self,
        before: &[u8],
        stamps: &mut Stamps,
        number: u64,
        out: &Out<'_>,
    ) -> Result<Option<Stamp>, CounterError> {
        if self.clock == 0 {
            return Ok(None);
        }
        let words: Vec<&str> = spans(before).iter().take(self.clock).map(|&span| text(before, span)).collect();
        stamps.read_bracketed(&words, number, out)
    }
}

fn after(line: &[u8], spans: &[(usize, usize)], words: usize) -> usize {
    spans.get(words - 1).map_or(line.len(), |span| (span.1 + 1).min(line.len()))
}

/// The clock that the words are which a row has before its columns; `None` when they are none.
pub(super) fn surplus(
    words: &[&[u8]],
    stamps: &mut Stamps,
    number: u64,
    out: &Out<'_>,
) -> Result<Option<Stamp>, CounterError> {
    let words: Vec<&str> = words.iter().map(|word| std::str::from_utf8(word).unwrap_or_default()).collect();
    if words.len() > LONGEST_CLOCK || !is_clock(&words) {
        return Ok(None);
    }
    stamps.read_bracketed(&words, number, out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_is_known_by_its_clock_or_its_sender() {
        let cases = [
            ("Nov 22 13:17:17 Device r/s", "Device r/s"),
            ("Nov  2 13:17:17  all", " all"),
            ("2026-11-22 13:17:17 Device r/s", "Device r/s"),
            ("[2026-11-22 13:17:17] Device r/s", "Device r/s"),
            ("2026-11-22T13:17:17.123456+01:00 web1 iostat[812]: Device r/s", "Device r/s"),
            ("Nov 22 13:17:17 web1 iostat[812]:  r  b", " r  b"),
            ("Sun Nov 22 13:17:17 UTC 2026 Device r/s", "Device r/s"),
            ("Sun Nov 22 01:17:17 PM CET 2026: Device r/s", "Device r/s"),
            ("13:17:17.250 | Device r/s", "Device r/s"),
            ("01:17:17 PM Device r/s", "Device r/s"),
            ("1763817437 Device r/s", "Device r/s"),
            ("1763817437.250000 Device r/s", "Device r/s"),
            ("22.11.2026 13:17:17 Device r/s", "Device r/s"),
            ("web_1  | Device r/s", "Device r/s"),
            ("2025-09-10-14:54:19 Device r/s", "Device r/s"),
            ("20250910 14:54:19 Device r/s", "Device r/s"),
            ("20250910-145419 Device r/s", "Device r/s"),
            ("[2025-09-10_14-54-19]: Device r/s", "Device r/s"),
            ("20250910145419  r  b   swpd", " r  b   swpd"),
            ("Nov 22 13:17:17", ""),
        ];
        for (line, rest) in cases {
            let (prefix, length) = Prefix::parse(line.as_bytes()).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(&line[length..], rest, "{line}");
            assert_eq!(prefix.length(line.as_bytes()), Some(length), "{line}");
        }
        for none in ["Device: r/s", "avg-cpu: %user", "sda 1 2 3", "8,0 1 1 0.000 7 Q R 0 + 8", "", " r  b   swpd"] {
            assert_eq!(Prefix::parse(none.as_bytes()), None, "{none}");
        }
    }

    #[test]
    fn a_line_of_another_shape_keeps_its_words() {
        let (prefix, _) = Prefix::parse(b"Nov 22 13:17:17 Device r/s").expect("has a clock");
        for other in ["13:17:17 sda 1.00", "sda 1.00 2.00 3.00", "Nov 22", "Nov xx 13:17:17 sda"] {
            assert_eq!(prefix.length(other.as_bytes()), None, "{other}");
        }
    }
}
