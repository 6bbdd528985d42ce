//! Numbers as tools print them: `1234.50`, `1234,50`, `6.9e-005`, `1.2M`, `59.8%`, `-nan`.
//!
//! A number of up to 15 digits and a short fraction is exact as one integer over one power of ten, both of which a double
//! holds; everything else goes to the standard library. Separators of thousands are not accepted: nothing tells `1,234`
//! from a decimal comma, and no tool read here prints them.

/// Powers of ten that a double holds exactly and that fractions here reach.
const TENS: [f64; 16] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// A decimal number with a point or a comma; `None` for anything else, infinities and `nan` among it.
pub(super) fn decimal(bytes: &[u8]) -> Option<f64> {
    parsed(bytes, true)
}

/// The same without an exponent, as tables for people have none: in them `200.00e5` is damage, not twenty million.
pub(super) fn fixed(bytes: &[u8]) -> Option<f64> {
    parsed(bytes, false)
}

/// The same of tools that never write a comma.
pub(super) fn pointed(bytes: &[u8]) -> Option<f64> {
    fixed(bytes).filter(|_| !bytes.contains(&b','))
}

/// A number that counts something: nothing is less than nothing, and no tool means zero by `-0`.
pub(super) fn from_zero(number: Option<f64>) -> Option<f64> {
    number.filter(|value| !value.is_sign_negative())
}

fn parsed(bytes: &[u8], exponent: bool) -> Option<f64> {
    let (negative, digits) = match bytes.first()? {
        b'-' => (true, &bytes[1..]),
        b'+' => (false, &bytes[1..]),
        _ => (false, bytes),
    };
    if digits.len() > 16 {
        return slow(bytes, exponent);
    }
    let (mut mantissa, mut count, mut fraction) = (0_u64, 0, None);
    for &byte in digits {
        match byte {
            b'0'..=b'9' => {
                mantissa = mantissa * 10 + u64::from(byte - b'0');
                count += 1;
            }
            b'.' | b',' if fraction.is_none() => fraction = Some(count),
            _ => return slow(bytes, exponent),
        }
    }
    if count == 0 || count > 15 {
        return slow(bytes, exponent);
    }
    let value = mantissa as f64 / TENS[fraction.map_or(0, |at| count - at)];
    Some(if negative { -value } else { value })
}

/// The same by the standard library, which also knows exponents.
fn slow(bytes: &[u8], exponent: bool) -> Option<f64> {
    let is_known =
        |b: &u8| matches!(b, b'0'..=b'9' | b'.' | b',' | b'+' | b'-') || exponent && matches!(b, b'e' | b'E');
    if !bytes.iter().all(is_known) {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    let value: f64 = if text.contains(',') { text.replacen(',', ".", 1).parse().ok()? } else { text.parse().ok()? };
    value.is_finite().then_some(value)
}

/// A whole number.
pub(super) fn whole(bytes: &[u8]) -> Option<u64> {
    if bytes.is_empty() || bytes.len() > 20 {
        return None;
    }
    bytes
        .iter()
        .try_fold(0_u64, |n, &b| b.is_ascii_digit().then(|| n.checked_mul(10)?.checked_add(u64::from(b - b'0')))?)
}

/// A number whose unit stands behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Printed {
    /// The number.
    pub value: f64,
    /// Bytes in its unit, when there is one (`k`, `M`; sysstat's `s` is a sector).
    pub unit: Option<f64>,
}

/// A number with or without a unit of sysstat's human forms; `Ok(None)` for `-nan` and its like, which say nothing.
pub(super) fn printed(bytes: &[u8]) -> Result<Option<Printed>, ()> {
    let Some(&last) = bytes.last() else { return Err(()) };
    if last.is_ascii_digit() {
        return fixed(bytes).map(|value| Some(Printed { value, unit: None })).ok_or(());
    }
    let unit = match last {
        b's' => Some(512.0),
        b'B' => Some(1.0),
        b'k' | b'K' => Some(1024.0),
        b'M' => Some(1024.0 * 1024.0),
        b'G' => Some(1024.0 * 1024.0 * 1024.0),
        b'T' => Some(1024.0_f64.powi(4)),
        b'P' => Some(1024.0_f64.powi(5)),
        b'%' => None,
        _ if matches!(bytes, b"-nan" | b"nan" | b"-inf" | b"inf" | b"-" | b"?") => return Ok(None),
        _ => return Err(()),
    };
    fixed(&bytes[..bytes.len() - 1]).map(|value| Some(Printed { value, unit })).ok_or(())
}

/// What parts decimals in the numbers of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Decimals {
    pub points: bool,
    pub commas: bool,
}

impl Decimals {
    /// Looks at one more number.
    pub fn see(&mut self, word: &[u8]) {
        for byte in word {
            self.points |= *byte == b'.';
            self.commas |= *byte == b',';
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_agree_with_the_standard_library_to_the_last_bit() {
        let texts = ["0", "0.00", "12.5", "-3.25", "1234567.89", "0.1", "9007199254740993", "123456789012345.6", "+7"];
        for text in texts.iter().copied().chain(["6.9e-005", "1E3", ".5", "5.", "0.000000000000001", "99999999999999"])
        {
            assert_eq!(decimal(text.as_bytes()), text.parse::<f64>().ok(), "{text}");
        }
        assert_eq!(decimal(b"9683204258164,84"), Some(9_683_204_258_164.84));
        for wrong in ["", "-", ".", "1.2.3", "1,2,3", "nan", "inf", "1e999", "0x10", "12a", "1 2", "e5"] {
            assert_eq!(decimal(wrong.as_bytes()), None, "{wrong}");
        }
        for (text, expected) in [("200.00", Some(200.0)), ("200.00e5", None), ("6.9e-005", None), ("96E5", None)] {
            assert_eq!(fixed(text.as_bytes()), expected, "{text}");
        }
        for (text, expected) in [("0", Some(0.0)), ("-0", None), ("-0.00", None), ("-1", None), ("x", None)] {
            assert_eq!(from_zero(decimal(text.as_bytes())), expected, "{text}");
        }
    }

    #[test]
    fn units_are_sysstats() {
        type Read = Result<Option<(f64, Option<f64>)>, ()>;
        let cases: [(&str, Read); 9] = [
            ("2.2M", Ok(Some((2.2, Some(1_048_576.0))))),
            ("39.1k", Ok(Some((39.1, Some(1024.0))))),
            ("16.0s", Ok(Some((16.0, Some(512.0))))),
            ("59.8%", Ok(Some((59.8, None)))),
            ("-nan", Ok(None)),
            ("7", Ok(Some((7.0, None)))),
            ("7x", Err(())),
            ("1e5", Err(())),
            ("M", Err(())),
        ];
        for (text, expected) in cases {
            let found = printed(text.as_bytes()).map(|p| p.map(|p| (p.value, p.unit)));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn whole_numbers_do_not_wrap() {
        assert_eq!(whole(b"18446744073709551615"), Some(u64::MAX));
        for wrong in ["", "18446744073709551616", "-1", "1.0", "000000000000000000000"] {
            assert_eq!(whole(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
