//! Reading a number with its unit, exactly: decimals are carried as integers, so `1.5 TiB` loses nothing.

use alloc::string::{String, ToString};
use core::fmt;

/// Why a text is not a quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseQuantityError {
    /// The text that was read.
    pub found: String,
    /// What was expected, for example `a size`.
    pub expected: &'static str,
    /// A text that would have been accepted.
    pub example: &'static str,
    /// The units that are understood, separated by a blank.
    pub units: String,
}

impl fmt::Display for ParseQuantityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is not {}: write a number and a unit, for example `{}` (units: {})",
            self.found, self.expected, self.example, self.units
        )
    }
}

impl core::error::Error for ParseQuantityError {}

/// `text` as a whole number of the base unit; refuses what would have to be rounded.
pub(crate) fn quantity(
    text: &str,
    units: &[(&str, u64)],
    expected: &'static str,
    example: &'static str,
) -> Result<u64, ParseQuantityError> {
    exact(text, units).ok_or_else(|| ParseQuantityError {
        found: text.to_string(),
        expected,
        example,
        units: units.iter().map(|u| u.0).collect::<alloc::vec::Vec<_>>().join(" "),
    })
}

fn exact(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_' && c != ',')?;
    let (number, unit) = text.split_at(end);
    let scale = units.iter().find(|u| u.0 == unit.trim())?.1;
    let number: String = number.chars().filter(|&c| c != '_' && c != ',').collect();
    let (whole, fraction) = number.split_once('.').unwrap_or((&number, ""));
    let whole: u64 = whole.parse().ok()?;
    let mut value = u128::from(whole) * u128::from(scale);
    if !fraction.is_empty() {
        let tenths = 10u128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
        let part = fraction.parse::<u128>().ok()?.checked_mul(u128::from(scale))?;
        if !part.is_multiple_of(tenths) {
            return None;
        }
        value += part / tenths;
    }
    u64::try_from(value).ok()
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
            ("8k", None),
            ("64", None),
            ("", None),
            ("-1 GiB", None),
            ("0.3 B", None),
            ("99999999999 TiB", None),
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
    }

    #[test]
    fn the_error_says_what_to_write() {
        let error = "8k".parse::<Bytes>().unwrap_err();
        assert_eq!(
            alloc::format!("{error}"),
            "`8k` is not a size: write a number and a unit, for example `512 GiB` (units: B kB KB MB GB TB KiB MiB GiB TiB)"
        );
    }
}
