//! Percentages and growth as people write them: what could mean two things is refused with both written out.

use alloc::format;
use alloc::string::{String, ToString};

use crate::decimal;

/// A bare factor above this is a percentage that lacks its sign rather than a factor.
const PLAIN_MAX: f64 = 10.0;

/// Why an amount was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubtful {
    /// What is wrong, as the rest of a sentence about the amount.
    pub what: String,
    /// What to write instead.
    pub hint: String,
}

fn doubtful<T>(what: impl Into<String>, hint: impl Into<String>) -> Result<T, Doubtful> {
    Err(Doubtful { what: what.into(), hint: hint.into() })
}

/// A percentage: `5%` or `5`. Below one it must have its sign: `0.1` could be a tenth of a percent, or a tenth. `quote` is what
/// stands around texts where it was written.
pub fn percent(text: &str, quote: &str) -> Result<f64, Doubtful> {
    let text = text.trim();
    let (number, has_sign) = match text.strip_suffix('%') {
        Some(number) => (number.trim_end(), true),
        None => (text, false),
    };
    let percent = match decimal(number) {
        Ok(percent) => percent,
        Err(e) => {
            return match e.readings.first() {
                Some(likely) => {
                    doubtful(format!("`{number}` {}", e.what()), format!("write `{quote}{likely}%{quote}`"))
                }
                None => doubtful("it is not a percentage", format!("write for example `{quote}5%{quote}`")),
            };
        }
    };
    if !has_sign && percent > 0.0 && percent < 1.0 {
        let share = as_percent(percent);
        let hint = format!("write `{quote}{number}%{quote}` or `{quote}{share}%{quote}`");
        return doubtful(format!("it could be {number} % or {share} %"), hint);
    }
    Ok(percent)
}

/// Demand of tomorrow over that of today: `1.3`, `30%` more, or `30x`.
pub fn growth(text: &str, quote: &str) -> Result<f64, Doubtful> {
    let text = text.trim();
    let refused =
        || doubtful("it is not a growth factor", format!("write a factor or percent: `1.3`, `{quote}30%{quote}`"));
    let read = |number: &str| {
        decimal(number).or_else(|e| match e.readings.first() {
            Some(likely) => doubtful(format!("`{number}` {}", e.what()), format!("write `{likely}`")),
            None => refused(),
        })
    };
    let more =
        |percent: &str| format!("write `{quote}{percent}%{quote}` for {percent} % more, or `{quote}{text}x{quote}`");
    let factor = if let Some(percent) = text.strip_suffix('%') {
        1.0 + read(percent.trim_end())? / 100.0
    } else if let Some(factor) = text.strip_suffix(['x', 'X', '×']) {
        read(factor.trim_end())?
    } else {
        let factor = read(text)?;
        if factor > PLAIN_MAX {
            return doubtful(format!("it would be {text} times the demand"), more(text));
        }
        if factor > 0.0 && factor < 1.0 {
            return doubtful("it would be less than today", more(&as_percent(factor).to_string()));
        }
        factor
    };
    if factor > 0.0 && factor < 1e6 { Ok(factor) } else { refused() }
}

/// Whether [`growth`] takes this factor without a sign.
pub fn is_plain_growth(factor: f64) -> bool {
    (1.0..=PLAIN_MAX).contains(&factor)
}

/// A share in percent, without what binary fractions add.
fn as_percent(share: f64) -> f64 {
    // No `round` without the standard library.
    let millionths = (share * 1e8 + 0.5) as u64;
    millionths as f64 / 1e6
}
