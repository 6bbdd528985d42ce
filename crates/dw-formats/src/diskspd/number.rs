//! Numbers as DiskSpd reads them: sizes, and whole numbers by way of C's `atoi`.
//!
//! A size is a whole number and one of K, M, G, T (1,024 and its powers) or `b` (blocks of `-b`). `atoi` stops at the first
//! character that is not a digit, so that `10s` is 10 and `x` is 0.

/// Why a text is not a size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoSize(pub String);

/// A size at the start of the text, in bytes, and what follows it.
pub(crate) fn size_and_rest(text: &str, block: u64) -> Result<(u64, &str), NoSize> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = text.split_at(digits);
    if number.is_empty() {
        return Err(NoSize("is not a size: a whole number is missing".into()));
    }
    let too_large = || NoSize("exceeds 64 bits".into());
    let number: u64 = number.parse().map_err(|_| too_large())?;
    let unit = match rest.chars().next().map(|c| c.to_ascii_uppercase()) {
        Some('T') => 1 << 40,
        Some('G') => 1 << 30,
        Some('M') => 1 << 20,
        Some('K') => 1 << 10,
        Some('B') => block,
        _ => return Ok((number, rest)),
    };
    number.checked_mul(unit).map(|bytes| (bytes, &rest[1..])).ok_or_else(too_large)
}

/// A text that is a size and nothing else.
pub(crate) fn size(text: &str, block: u64) -> Result<u64, NoSize> {
    match size_and_rest(text, block)? {
        (bytes, "") => Ok(bytes),
        (_, rest) => Err(NoSize(format!("has `{rest}` after the size"))),
    }
}

/// What to write for a size.
pub(crate) const SIZE_HINT: &str =
    "write a whole number with at most one of K, M, G, T (1,024s) or b (blocks of -b), for example 8K";

/// `atoi`: the number, and whether all of the text was one.
pub(crate) fn atoi(text: &str) -> (i64, bool) {
    let trimmed = text.trim_start();
    let (sign, digits) = match trimmed.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, trimmed.strip_prefix('+').unwrap_or(trimmed)),
    };
    let end = digits.len() - digits.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    // Beyond 32 bits the C library's answer is its own; ours is the largest.
    let number = digits[..end].parse::<i64>().unwrap_or(if end == 0 { 0 } else { i64::MAX });
    (sign * number.min(i64::from(i32::MAX)), end > 0 && end == digits.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let cases = [
            ("8K", Ok(8_192)),
            ("8k", Ok(8_192)),
            ("1G", Ok(1 << 30)),
            ("3b", Ok(12_288)),
            ("512", Ok(512)),
            ("0", Ok(0)),
            ("4kb", Err("has `b` after the size")),
            ("1.5G", Err("has `.5G` after the size")),
            ("K", Err("is not a size: a whole number is missing")),
            ("-1", Err("is not a size: a whole number is missing")),
            ("99999999T", Err("exceeds 64 bits")),
            ("99999999999999999999", Err("exceeds 64 bits")),
        ];
        for (text, expected) in cases {
            assert_eq!(size(text, 4_096), expected.map_err(|e| NoSize(e.into())), "{text}");
        }
    }

    #[test]
    fn whole_numbers() {
        for (text, expected) in [("10", (10, true)), ("10s", (10, false)), ("", (0, false)), ("-3", (-3, true))] {
            assert_eq!(atoi(text), expected, "{text}");
        }
        assert_eq!(atoi("99999999999999999999"), (i64::from(i32::MAX), true));
    }
}
