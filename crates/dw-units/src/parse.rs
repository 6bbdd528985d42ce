//! Reading a number with its unit, exactly: decimals are carried as integers, so `1.5 TiB` loses nothing.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::number::{self, Unclear};

/// Why a text is not a quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseQuantityError {
    /// The text that was read.
    pub found: String,
    /// What was expected, for example `a size`.
    pub expected: &'static str,
    /// A text that would have been accepted.
    pub example: &'static str,
    /// The units that are understood, separated by a blank; empty for numbers without one.
    pub units: Box<str>,
    /// What the text could mean, likeliest first, each as it would be accepted; empty when it means nothing.
    pub readings: Vec<String>,
    /// The nearest text that would be accepted, where the number is clear: the next larger one of what is not a whole number of the base
    /// unit, the largest one of what is beyond it.
    pub rounded: Option<Box<str>>,
    /// Whether the number is larger than any that is accepted.
    pub is_too_large: bool,
}

impl ParseQuantityError {
    /// What is wrong, to stand behind the text that was found: `is not a size`, `could mean 1.5 TiB or 15 TiB`.
    pub fn what(&self) -> String {
        match self.readings.as_slice() {
            _ if self.is_too_large => "is too large".into(),
            _ if self.rounded.is_some() => {
                let base = self.units.split(' ').next().unwrap_or_default();
                format!("is not a whole number of {base}")
            }
            [] => format!("is not {}", self.expected),
            [_] => "does not group its digits by three".into(),
            [likely, others @ ..] => format!("could mean {likely} or {}", others.join(" or ")),
        }
    }

    /// What to write; `shown` puts a value the way it would stand there, for example `capacity = "1.5 TiB"`.
    pub fn hint(&self, shown: impl Fn(&str) -> String) -> String {
        match (self.rounded.as_deref().or(self.readings.first().map(String::as_str)), self.units.is_empty()) {
            (Some(most), _) if self.is_too_large => format!("write at most `{}`", shown(most)),
            (Some(likely), _) => format!("write `{}`", shown(likely)),
            (None, true) => format!("write for example `{}`", shown(self.example)),
            (None, false) => {
                let example = shown(&self.with_unit());
                format!("write a number and a unit, for example `{example}` (units: {})", self.units)
            }
        }
    }

    /// The example; a number that lacks its unit alone, with that of the example.
    fn with_unit(&self) -> String {
        let (number, unit) = number::split(&self.found);
        // Nothing is rarely meant, and where it is the unit says nothing.
        let is_nothing = !number.contains(|c: char| ('1'..='9').contains(&c));
        let is_bare = unit.is_empty() && number::digits(number).is_ok() && !is_nothing;
        let of_example = &self.example[number::split(self.example).0.len()..];
        if is_bare { format!("{number}{of_example}") } else { self.example.into() }
    }
}

impl fmt::Display for ParseQuantityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}: {}", self.found, self.what(), self.hint(str::to_string))
    }
}

impl core::error::Error for ParseQuantityError {}

/// `text` as a whole number of the base unit; refuses what would have to be rounded or could mean two things.
pub(crate) fn quantity(
    text: &str,
    units: &[(&str, u64)],
    expected: &'static str,
    example: &'static str,
) -> Result<u64, ParseQuantityError> {
    exact(text, units).map_err(|instead| {
        let is_too_large = matches!(instead, Instead::Most(_));
        let (readings, rounded) = match instead {
            Instead::Readings(readings) => (readings, None),
            Instead::Rounded(text) | Instead::Most(text) => (Vec::new(), Some(text.into_boxed_str())),
        };
        let units = units.iter().map(|u| u.0).collect::<Vec<_>>().join(" ").into_boxed_str();
        ParseQuantityError { found: text.to_string(), expected, example, units, readings, rounded, is_too_large }
    })
}

/// What a text that is not accepted could be.
enum Instead {
    /// What it could mean; nothing is known of it where there is none.
    Readings(Vec<String>),
    /// The next larger one.
    Rounded(String),
    /// The largest one.
    Most(String),
}

/// Digits of a fraction that times any unit fit: what does not fit with them is too large.
const FRACTION_DIGITS: usize = 19;

/// The value, or what could be written instead.
fn exact(text: &str, units: &[(&str, u64)]) -> Result<u64, Instead> {
    let nothing = || Instead::Readings(Vec::new());
    let (number, unit) = number::split(text);
    // The Greek letter and the sign of its own for it are what `u` stands for.
    let ascii = unit.strip_prefix(['\u{b5}', '\u{3bc}']);
    let is_so = |name: &str| name == unit || ascii.is_some() && name.strip_prefix('u') == ascii;
    let scale = units.iter().find(|u| is_so(u.0)).ok_or_else(nothing)?.1;
    // With the blank before the unit, or without, as it was written.
    let rest = text.trim().strip_prefix(number).unwrap_or(unit);
    match number::digits(number) {
        Ok((whole, fraction)) => {
            let (value, is_exact) = scaled(&whole, &fraction, scale).ok_or_else(|| {
                let largest = units.iter().max_by_key(|u| u.1).filter(|_| fraction.len() <= FRACTION_DIGITS);
                largest.map_or_else(nothing, |(name, size)| {
                    Instead::Most(format!("{} {name}", u64::MAX / size).trim_end().to_string())
                })
            })?;
            if is_exact {
                return Ok(value);
            }
            if unit.is_empty() {
                return Err(nothing());
            }
            // In the largest smaller unit of its kind: GiB of TiB, not TB.
            let smaller = units.iter().filter(|u| u.1 < scale && scale.is_multiple_of(u.1));
            let (name, size) = smaller.max_by_key(|u| u.1).copied().unwrap_or((unit, scale));
            let blank = rest.strip_suffix(unit).unwrap_or_default();
            Err(Instead::Rounded(format!("{}{blank}{name}", value.div_ceil(size))))
        }
        Err(Unclear::Wrong) => Err(nothing()),
        Err(Unclear::Readings(all)) => Err(Instead::Readings(all.into_iter().map(|reading| reading + rest).collect())),
    }
}

/// So many of the base unit, rounded up, and whether nothing had to be.
fn scaled(whole: &str, fraction: &str, scale: u64) -> Option<(u64, bool)> {
    let whole: u64 = whole.parse().ok()?;
    let mut value = u128::from(whole) * u128::from(scale);
    let mut is_exact = true;
    if !fraction.is_empty() {
        let tenths = 10u128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
        let part = fraction.parse::<u128>().ok()?.checked_mul(u128::from(scale))?;
        is_exact = part.is_multiple_of(tenths);
        value += part.div_ceil(tenths);
    }
    Some((u64::try_from(value).ok()?, is_exact))
}

/// A decimal number without a unit: `1.5`, `1,234.5`, `1e3`.
///
/// ```
/// assert_eq!(dw_units::decimal("64,000").unwrap(), 64_000.0);
/// assert_eq!(dw_units::decimal("1,5").unwrap_err().to_string(), "`1,5` could mean 1.5 or 15: write `1.5`");
/// ```
pub fn decimal(text: &str) -> Result<f64, ParseQuantityError> {
    if let Ok(value) = text.trim().parse::<f64>()
        && value.is_finite()
    {
        return Ok(value);
    }
    // What is left has marks of thousands, or is wrong: whole millionths say which.
    millionths(text).map(|millionths| millionths as f64 / 1e6)
}

/// A decimal number without a unit, as a whole number of its millionths: what does not fit them is refused.
pub fn millionths(text: &str) -> Result<u64, ParseQuantityError> {
    quantity(text, &[("", 1_000_000)], "a number", "1.5")
}

#[cfg(test)]
mod tests {
    use crate::{Bytes, Duration, Throughput};

    #[test]
    fn sizes_need_a_unit_and_keep_every_byte() {
        let cases: &[(&str, Option<u64>)] = &[
            ("64KiB", Some(65_536)),
            ("64 KiB", Some(65_536)),
            ("1.5 TiB", Some(1_649_267_441_664)),
            ("1,024 B", Some(1_024)),
            ("1 024 B", Some(1_024)),
            ("1_024B", Some(1_024)),
            ("1,5 TiB", None),
            ("0,750 TiB", None),
            ("1.234,5 GiB", None),
            ("8k", None),
            ("64", None),
            ("", None),
            ("-1 GiB", None),
            ("0.3 B", None),
            ("99999999999 TiB", None),
            ("1 PiB", Some(1 << 50)),
            ("0.5 EiB", Some(1 << 59)),
            ("2 PB", Some(2_000_000_000_000_000)),
            ("16 EiB", None),
        ];
        for (text, expected) in cases {
            assert_eq!(text.parse::<Bytes>().ok().map(Bytes::get), *expected, "{text}");
        }
    }

    #[test]
    fn a_throughput_prints_as_it_reads() {
        for text in ["200 MB/s", "524.288 MB/s", "0.5 MB/s"] {
            let value: Throughput = text.parse().unwrap();
            assert_eq!(alloc::format!("{value}"), text);
        }
    }

    #[test]
    fn time_has_units_too() {
        assert_eq!("1.5ms".parse::<Duration>().unwrap(), Duration::from_us(1_500));
        assert_eq!("2 h".parse::<Duration>().unwrap(), Duration::from_secs(7_200));
        assert!("30".parse::<Duration>().is_err());
        for micro in ["4 us", "4 \u{b5}s", "4\u{3bc}s"] {
            assert_eq!(micro.parse::<Duration>(), Ok(Duration::from_us(4)), "{micro}");
        }
        assert!("4 \u{b5}".parse::<Duration>().is_err());
    }

    #[test]
    fn the_error_says_what_to_write() {
        let error = "8k".parse::<Bytes>().unwrap_err();
        assert_eq!(
            alloc::format!("{error}"),
            "`8k` is not a size: write a number and a unit, for example `512 GiB` (units: B kB KB MB GB TB PB EB KiB MiB GiB TiB PiB EiB)"
        );
    }

    #[test]
    fn a_number_that_lacks_its_unit_is_shown_with_one() {
        let said = |text: &str| alloc::format!("{}", text.parse::<Bytes>().unwrap_err());
        assert!(said("750").starts_with("`750` is not a size: write a number and a unit, for example `750 GiB` ("));
        assert!(said("0").contains("for example `512 GiB`"), "nothing is not to be written again");
        assert!(said("8k").contains("for example `512 GiB`"), "a unit is there, and is none of ours");
        let time = alloc::format!("{}", "30".parse::<Duration>().unwrap_err());
        assert!(
            time.starts_with("`30` is not a length of time: write a number and a unit, for example `30 s` ("),
            "{time}"
        );
    }

    #[test]
    fn what_is_too_large_is_told_the_largest() {
        let cases = [
            ("99999999999999999999 KiB", "`99999999999999999999 KiB` is too large: write at most `15 EiB`"),
            ("16777216 TiB", "`16777216 TiB` is too large: write at most `15 EiB`"),
        ];
        for (text, expected) in cases {
            let error = text.parse::<Bytes>().unwrap_err();
            assert_eq!(alloc::format!("{error}"), expected);
            assert!(error.rounded.is_some_and(|most| most.parse::<Bytes>().is_ok()), "{text}");
        }
        let time = "999999999 d".parse::<Duration>().unwrap_err();
        assert_eq!(alloc::format!("{time}"), "`999999999 d` is too large: write at most `213503 d`");
        // Too many digits behind the point are not too large.
        assert!(!"1.00000000000000000001 GiB".parse::<Bytes>().unwrap_err().is_too_large);
    }

    #[test]
    fn what_is_not_whole_is_told_the_next_larger_one() {
        let cases = [
            ("1.2 TiB", "`1.2 TiB` is not a whole number of B: write `1229 GiB`"),
            ("1.2TiB", "`1.2TiB` is not a whole number of B: write `1229GiB`"),
            ("0.3 KiB", "`0.3 KiB` is not a whole number of B: write `308 B`"),
            ("1.0001 kB", "`1.0001 kB` is not a whole number of B: write `1001 B`"),
            ("0.3 B", "`0.3 B` is not a whole number of B: write `1 B`"),
        ];
        for (text, expected) in cases {
            let error = text.parse::<Bytes>().unwrap_err();
            assert_eq!(alloc::format!("{error}"), expected);
            assert!(error.rounded.is_some_and(|rounded| rounded.parse::<Bytes>().is_ok()), "{text}");
        }
        let time = "1.2345 us".parse::<Duration>().unwrap_err();
        assert_eq!(alloc::format!("{time}"), "`1.2345 us` is not a whole number of ns: write `1235 ns`");
    }

    #[test]
    fn a_decimal_comma_is_an_error_that_shows_both_readings() {
        let cases = [
            ("1,5 TiB", "`1,5 TiB` could mean 1.5 TiB or 15 TiB: write `1.5 TiB`"),
            ("0,75TiB", "`0,75TiB` could mean 0.75TiB or 75TiB: write `0.75TiB`"),
            ("0,750 TiB", "`0,750 TiB` could mean 0.750 TiB or 750 TiB: write `0.750 TiB`"),
            ("1.234,5 GiB", "`1.234,5 GiB` could mean 1234.5 GiB or 1.2345 GiB: write `1234.5 GiB`"),
            ("1.234.567 B", "`1.234.567 B` does not group its digits by three: write `1234567 B`"),
        ];
        for (text, expected) in cases {
            assert_eq!(alloc::format!("{}", text.parse::<Bytes>().unwrap_err()), expected);
        }
        let time = "2,5 ms".parse::<Duration>().unwrap_err();
        assert_eq!(alloc::format!("{time}"), "`2,5 ms` could mean 2.5 ms or 25 ms: write `2.5 ms`");
        let rate = "1,2 GB/s".parse::<Throughput>().unwrap_err();
        assert_eq!(rate.readings, ["1.2 GB/s", "12 GB/s"]);
        // The unit is wrong, too: that is said first.
        assert!("1,5 Tb".parse::<Bytes>().unwrap_err().readings.is_empty());
    }
}
