//! The digits of a number as people write them, with separators of thousands and without guessing.
//!
//! A point is the decimal mark, everywhere and in every locale: files that the program reads and prints go from one country
//! to another. Separators of thousands are taken where they can be nothing else than that, or where the program's own
//! output has them:
//!
//! - `_` between any two digits, as TOML has it: `1_000`, `12_34`;
//! - a comma, an apostrophe or a blank (also a thin or a no-break one) before groups of exactly three digits, one kind in
//!   a number, and no leading zero: `1,234`, `1'234'567`, `1 024.5`.
//!
//! `1,234` is thus one thousand two hundred and thirty-four. Where the comma is the decimal mark it could be 1.234, but
//! decimals are rarely written to exactly three digits, whereas every report of this program prints `1,234`, and what was
//! printed must read back as it was. `0,750` cannot be a thousand of anything: it has a decimal comma.
//!
//! Everything else with more than one possible meaning is an error that shows the readings: `1,5` (1.5 or 15), `0,750`
//! (0.750 or 750), `1.234,5` (1234.5 or 1.2345).

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// Blanks that separate thousands: plain, no-break, thin, narrow no-break, figure space.
const BLANKS: [char; 5] = [' ', '\u{a0}', '\u{2009}', '\u{202f}', '\u{2007}'];

/// Marks that are all apostrophes to the one who typed them.
const APOSTROPHES: [char; 3] = ['\'', '\u{2019}', '\u{2bc}'];

/// The digits of a whole number in groups of three, with a mark between them.
///
/// ```
/// assert_eq!(dw_units::grouped("1234567", ','), "1,234,567");
/// ```
pub fn grouped(digits: &str, mark: char) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(mark);
        }
        text.push(digit);
    }
    text
}

/// Why digits and marks are not one number.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unclear {
    /// No number in any reading.
    Wrong,
    /// What it could be, likeliest first.
    Readings(Vec<String>),
}

/// A mark of one kind, whichever of its forms was typed.
fn kind(mark: char) -> Option<char> {
    match mark {
        '.' | ',' | '_' => Some(mark),
        _ if BLANKS.contains(&mark) => Some(' '),
        _ if APOSTROPHES.contains(&mark) => Some('\''),
        _ => None,
    }
}

/// The number at the start of `text` with its marks, and the unit behind it.
pub(crate) fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let mut end = 0;
    for (at, c) in text.char_indices() {
        let next = at + c.len_utf8();
        let joins = |mark| matches!(mark, '.' | ',' | '_') || text[next..].starts_with(|c: char| c.is_ascii_digit());
        if !c.is_ascii_digit() && !kind(c).is_some_and(joins) {
            break;
        }
        end = next;
    }
    (&text[..end], text[end..].trim())
}

/// The whole part and the fraction of a number that [`split`] found, digits only.
pub(crate) fn digits(number: &str) -> Result<(String, String), Unclear> {
    let mut groups = vec![String::new()];
    let mut marks: Vec<char> = Vec::new();
    for c in number.chars() {
        match (c.is_ascii_digit(), kind(c)) {
            (true, _) => groups.last_mut().ok_or(Unclear::Wrong)?.push(c),
            (false, Some(mark)) => {
                marks.push(mark);
                groups.push(String::new());
            }
            (false, None) => return Err(Unclear::Wrong),
        }
    }
    // `5.` is five; any other mark stands between two digits.
    let last = groups.len() - 1;
    let bare_point = marks.last() == Some(&'.') && last > 0;
    if groups.iter().enumerate().any(|(at, group)| group.is_empty() && !(at == last && bare_point)) {
        return Err(Unclear::Wrong);
    }
    let grouped = marks.iter().any(|&mark| mark != '_' && mark != '.');
    if marks.contains(&'_') {
        if grouped || marks.iter().filter(|&&mark| mark == '.').count() > 1 {
            return Err(Unclear::Wrong);
        }
        let (mut whole, mut fraction, mut after) = (groups[0].clone(), String::new(), false);
        for (mark, group) in marks.iter().zip(&groups[1..]) {
            after |= *mark == '.';
            if after { &mut fraction } else { &mut whole }.push_str(group);
        }
        return Ok((whole, fraction));
    }
    let points = marks.iter().filter(|&&mark| mark == '.').count();
    let (whole, fraction) = if points == 1 && marks.last() == Some(&'.') {
        (&groups[..last], groups[last].clone())
    } else {
        (&groups[..], String::new())
    };
    let separators = &marks[..whole.len() - 1];
    let in_threes = (1..=3).contains(&whole[0].len()) && whole[1..].iter().all(|group| group.len() == 3);
    let of_one_kind = separators.windows(2).all(|pair| pair[0] == pair[1]) && !separators.contains(&'.');
    if separators.is_empty() || in_threes && of_one_kind && !whole[0].starts_with('0') {
        return Ok((whole.concat(), fraction));
    }
    Err(Unclear::Readings(readings(&groups, &marks)))
}

/// What marks that do not separate thousands could mean.
fn readings(groups: &[String], marks: &[char]) -> Vec<String> {
    let last = groups.len() - 1;
    let plain = |whole: String, fraction: &str| {
        let whole = match whole.trim_start_matches('0') {
            "" => "0",
            rest => rest,
        };
        if fraction.is_empty() { whole.to_string() } else { format!("{whole}.{fraction}") }
    };
    let mut all = Vec::new();
    // The last mark is a decimal one where no other is of its kind.
    if let Some((&mark, before)) = marks.split_last()
        && matches!(mark, ',' | '.')
        && !before.contains(&mark)
    {
        all.push(plain(groups[..last].concat(), &groups[last]));
    }
    // Or every mark separates, except for a single point.
    let point = marks.iter().position(|&mark| mark == '.').filter(|_| marks.iter().filter(|&&m| m == '.').count() == 1);
    let other = match point {
        Some(at) => plain(groups[..=at].concat(), &groups[at + 1..].concat()),
        None => plain(groups.concat(), ""),
    };
    if !all.contains(&other) {
        all.push(other);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{decimal, millionths};

    /// What a text comes to: `whole.fraction`, or the readings, or `wrong`.
    fn read(text: &str) -> String {
        match digits(text) {
            Ok((whole, fraction)) if fraction.is_empty() => whole,
            Ok((whole, fraction)) => format!("{whole}.{fraction}"),
            Err(Unclear::Readings(all)) => format!("? {}", all.join(" or ")),
            Err(Unclear::Wrong) => "wrong".into(),
        }
    }

    #[test]
    fn thousands_are_separated_only_where_they_stand_as_such() {
        let cases = [
            ("1234", "1234"),
            ("007", "007"),
            ("1.5", "1.5"),
            ("1.234", "1.234"),
            ("5.", "5"),
            // Groups of three, one kind of mark.
            ("1,234", "1234"),
            ("12,345,678", "12345678"),
            ("1,234.5", "1234.5"),
            ("1 024", "1024"),
            ("1\u{a0}024\u{a0}000", "1024000"),
            ("1\u{2009}024", "1024"),
            ("1\u{202f}024.25", "1024.25"),
            ("1'024", "1024"),
            ("1\u{2019}024", "1024"),
            // Underscores as TOML has them.
            ("1_000", "1000"),
            ("12_34", "1234"),
            ("1_000.000_5", "1000.0005"),
            // A decimal comma, or what could be one.
            ("1,5", "? 1.5 or 15"),
            ("2,50", "? 2.50 or 250"),
            ("1,2345", "? 1.2345 or 12345"),
            ("0,750", "? 0.750 or 750"),
            ("0,75", "? 0.75 or 75"),
            ("00,5", "? 0.5 or 5"),
            ("1234,567", "? 1234.567 or 1234567"),
            ("1.234,5", "? 1234.5 or 1.2345"),
            ("1.234,567", "? 1234.567 or 1.234567"),
            ("1 024,5", "? 1024.5 or 10245"),
            ("1'024,5", "? 1024.5 or 10245"),
            // Separators, but not of groups of three, or of several kinds.
            ("1.234.567", "? 1234567"),
            ("1,23,456", "? 123456"),
            ("12,34.5", "? 1234.5"),
            ("1,234 567", "? 1234567"),
            ("1 5", "? 15"),
            // No number at all.
            ("", "wrong"),
            (".5", "wrong"),
            (",5", "wrong"),
            ("5,", "wrong"),
            ("1,,5", "wrong"),
            ("1__0", "wrong"),
            ("_1", "wrong"),
            ("1_", "wrong"),
            ("1_000,5", "wrong"),
            ("1_0.0.0", "wrong"),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn a_unit_begins_where_the_number_ends() {
        let cases = [
            ("64KiB", ("64", "KiB")),
            (" 1 024 GiB ", ("1 024", "GiB")),
            ("1,5 TiB", ("1,5", "TiB")),
            ("1, TiB", ("1,", "TiB")),
            ("5 'x'", ("5", "'x'")),
            ("GiB", ("", "GiB")),
        ];
        for (text, expected) in cases {
            assert_eq!(split(text), expected, "{text}");
        }
    }

    #[test]
    fn plain_decimals_are_read_as_quantities_are() {
        let cases = [
            ("1.3", Ok(1.3)),
            ("1e3", Ok(1_000.0)),
            ("-2", Ok(-2.0)),
            ("64,000", Ok(64_000.0)),
            ("1,5", Err("`1,5` could mean 1.5 or 15: write `1.5`")),
            ("1.234.567", Err("`1.234.567` does not group its digits by three: write `1234567`")),
            ("inf", Err("`inf` is not a number: write for example `1.5`")),
            ("x", Err("`x` is not a number: write for example `1.5`")),
        ];
        for (text, expected) in cases {
            assert_eq!(decimal(text).map_err(|e| e.to_string()), expected.map_err(str::to_string), "{text}");
        }
        assert_eq!(millionths("1,003.66"), Ok(1_003_660_000));
        assert!(millionths("0.0000001").is_err());
    }
}
