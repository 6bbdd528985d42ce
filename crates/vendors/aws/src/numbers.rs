//! Cells of tables as numbers, of which an empty one is unknown; and names that need no quotes.

use std::str::FromStr;

/// The number in a cell.
pub(crate) fn number<T: FromStr>(cell: &str) -> Option<T> {
    cell.parse().ok()
}

/// Whether a name has only what AWS names types and regions with, and goes into a script as it is.
pub(crate) fn is_plain(name: &str) -> bool {
    name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

/// A decimal in thousand-millionths, without a float: prices of one IOPS have up to nine digits.
pub(crate) fn billionths(cell: &str) -> Option<u64> {
    const DIGITS: usize = 9;
    let (whole, rest) = cell.split_once('.').unwrap_or((cell, ""));
    // What lies beyond is below any bill.
    let rest = &rest[..rest.len().min(DIGITS)];
    let scale = 10_u64.pow((DIGITS - rest.len()) as u32);
    let fraction: u64 = if rest.is_empty() { 0 } else { rest.parse().ok()? };
    whole.parse::<u64>().ok()?.checked_mul(1_000_000_000)?.checked_add(fraction * scale)
}

/// Thousand-millionths as a decimal without zeros at the end.
pub(crate) fn decimal(billionths: u64) -> String {
    let text = format!("{}.{:09}", billionths / 1_000_000_000, billionths % 1_000_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::{billionths, decimal};

    #[test]
    fn a_decimal_is_written_as_it_was_read() {
        for text in ["0.019992", "12", "0.1309", "49.152", "0.000000001", "0"] {
            assert_eq!(billionths(text).map(decimal).as_deref(), Some(text));
        }
    }

    #[test]
    fn decimals_are_exact() {
        for (text, number) in [
            ("0.019992", Some(19_992_000)),
            ("12", Some(12_000_000_000)),
            ("0.1309", Some(130_900_000)),
            ("0.03185", Some(31_850_000)),
            ("0.00000000049", Some(0)),
            ("", None),
            ("x", None),
        ] {
            assert_eq!(billionths(text), number, "{text}");
        }
    }
}
