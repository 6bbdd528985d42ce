//! Values: sizes, lists, ranges that add or double.
//!
//! A size is a number and at most one of k, m, g, t (1,024 and its powers). A list is `(4k,8k)`, `(10-100,10)` (10, 20 ... 100) or
//! `(1-64,d)` (1, 2, 4 ... 64); `(64-1,d)` halves.

/// Steps of a range at most: more is a slip.
const STEPS_MAX: usize = 1_000;

/// What to write for a size.
pub(super) const SIZE_HINT: &str = "write a whole number with at most one of k, m, g, t (1,024s), for example 4k";

/// Bytes.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let end = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(end);
    let unit = match unit.to_ascii_lowercase().as_str() {
        "" => 1,
        "k" | "kb" => 1 << 10,
        "m" | "mb" => 1 << 20,
        "g" | "gb" => 1 << 30,
        "t" | "tb" => 1u64 << 40,
        _ => return Err(format!("`{text}` is not a size")),
    };
    let number: u64 = number.parse().map_err(|_| format!("`{text}` is not a size"))?;
    number.checked_mul(unit).ok_or_else(|| format!("`{text}` exceeds 64 bits"))
}

/// A number that may have decimals, not negative.
pub(super) fn number(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => Ok(number),
        _ => Err(format!("`{text}` is not a number from 0 on")),
    }
}

/// Seconds: a number with `s`, `m` or `h`; seconds without.
pub(super) fn seconds(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.to_ascii_lowercase().chars().last() {
        Some('s') => (&text[..text.len() - 1], 1),
        Some('m') => (&text[..text.len() - 1], 60),
        Some('h') => (&text[..text.len() - 1], 3_600),
        _ => (text, 1),
    };
    let seconds = digits.parse::<u64>().ok().and_then(|n| n.checked_mul(unit));
    // 30 years are no benchmark, and nanoseconds of them overflow.
    seconds.filter(|s| *s < 1_000_000_000).ok_or_else(|| format!("`{text}` is not a time in seconds"))
}

/// All values of a list, ranges spelled out.
pub(super) fn list(texts: &[String], one: fn(&str) -> Result<u64, String>) -> Result<Vec<u64>, String> {
    let [first, rest @ ..] = texts else { return Ok(Vec::new()) };
    let Some((from, to)) = first.split_once('-').filter(|(from, _)| !from.is_empty()) else {
        return texts.iter().map(|text| one(text)).collect();
    };
    let [step] = rest else { return Err(format!("`{first}` is a range without a step")) };
    let (from, to) = (one(from)?, one(to)?);
    let doubles = step.eq_ignore_ascii_case("d");
    let step = if doubles { 0 } else { one(step)? };
    if from == 0 && doubles || step == 0 && !doubles {
        return Err("never ends: it adds or doubles nothing".into());
    }
    let mut values = vec![from];
    while let Some(&last) = values.last() {
        let next = match (doubles, from <= to) {
            (true, true) => last.checked_mul(2),
            (true, false) => Some(last / 2).filter(|next| *next > 0),
            (false, true) => last.checked_add(step),
            (false, false) => last.checked_sub(step),
        };
        match next.filter(|next| if from <= to { *next <= to } else { *next >= to }) {
            Some(next) => values.push(next),
            None => break,
        }
        if values.len() > STEPS_MAX {
            return Err(format!("has more than {STEPS_MAX} steps"));
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_add_double_and_halve() {
        let list = |text: &str, one| {
            let texts: Vec<String> = text.split(',').map(str::to_string).collect();
            super::list(&texts, one).map_or_else(|e| e, |all| format!("{all:?}"))
        };
        let plain: fn(&str) -> Result<u64, String> = |text| text.parse().map_err(|_| format!("`{text}`?"));
        for (text, one, wanted) in [
            ("4k,8k", size as fn(&str) -> _, "[4096, 8192]"),
            ("10-40,10", plain, "[10, 20, 30, 40]"),
            ("10-45,10", plain, "[10, 20, 30, 40]"),
            ("40-10,15", plain, "[40, 25, 10]"),
            ("1-64,d", plain, "[1, 2, 4, 8, 16, 32, 64]"),
            ("4k-1k,d", size, "[4096, 2048, 1024]"),
            ("10-40", plain, "`10-40` is a range without a step"),
            ("0-40,d", plain, "never ends: it adds or doubles nothing"),
            ("1-40,0", plain, "never ends: it adds or doubles nothing"),
            ("1-99999,1", plain, "has more than 1000 steps"),
            ("4x", size, "`4x` is not a size"),
            ("99999999t", size, "`99999999t` exceeds 64 bits"),
        ] {
            assert_eq!(list(text, one), wanted, "{text}");
        }
    }

    #[test]
    fn times() {
        for (text, wanted) in [("30", Some(30)), ("5m", Some(300)), ("2h", Some(7_200)), ("1d", None), ("", None)] {
            assert_eq!(seconds(text).ok(), wanted, "{text}");
        }
    }
}
