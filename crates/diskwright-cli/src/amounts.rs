//! Numbers of the command line: one rule for percentages, one for lengths of time, one for growth, one for counts.
//!
//! A percentage is a number, with or without `%`; a length of time needs its unit, unless its option always took a bare number of one
//! unit, which it then still takes. What could mean two things is refused with both written out.

use std::ops::RangeInclusive;

use clap::builder::TypedValueParser;
use dw_units::{Doubtful, Duration};

/// A percentage: `5%` or `5`. Below one it must have its sign.
pub(crate) fn percent(text: &str) -> Result<f64, String> {
    dw_units::percent(text, "").map_err(in_one)
}

/// In a line of clap's.
fn in_one(doubtful: Doubtful) -> String {
    format!("{}: {}", doubtful.what, doubtful.hint)
}

/// A percentage of a whole.
pub(crate) fn percent_of_whole(text: &str) -> Result<f64, String> {
    within(percent(text)?, 0.0..=100.0, "write `0%` to `100%`")
}

/// A share as a percentage of more than nothing.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let percent = percent_of_whole(text)?;
    if percent > 0.0 { Ok(percent / 100.0) } else { Err("it must be above zero: write for example `1%`".into()) }
}

fn within(percent: f64, range: RangeInclusive<f64>, hint: &str) -> Result<f64, String> {
    if range.contains(&percent) { Ok(percent) } else { Err(format!("{percent} % is out of range: {hint}")) }
}

/// Demand of tomorrow over that of today: `1.3`, `30%` more, or `30x`.
pub(crate) fn growth(text: &str) -> Result<f64, String> {
    dw_units::growth(text, "").map_err(in_one)
}

/// A length of time that is not zero.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    match text.parse::<Duration>() {
        Ok(d) if d > Duration::ZERO => Ok(d),
        Ok(_) => Err("it is zero; write for example `2s`".into()),
        Err(e) => Err(e.to_string()),
    }
}

/// A length of time, zero too; a bare number is of this unit.
fn duration_or(text: &str, unit: &str) -> Result<Duration, String> {
    let is_bare = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = if is_bare { format!("{text}{unit}") } else { text.to_string() };
    text.parse::<Duration>().map_err(|e| e.to_string())
}

/// A length of time; a bare number is of microseconds.
pub(crate) fn or_us(text: &str) -> Result<Duration, String> {
    duration_or(text, "us")
}

/// A length of time; a bare number is of milliseconds.
pub(crate) fn or_ms(text: &str) -> Result<Duration, String> {
    duration_or(text, "ms")
}

/// A length of time; a bare number is of seconds.
pub(crate) fn or_s(text: &str) -> Result<Duration, String> {
    duration_or(text, "s")
}

/// A whole number, in words where it is none.
pub(crate) fn whole<T>(least: u64, most: u64) -> impl TypedValueParser<Value = T>
where
    T: TryFrom<u64> + Clone + Send + Sync + 'static,
{
    clap::builder::StringValueParser::new().try_map(move |text: String| -> Result<T, String> {
        let range = || if most == u64::MAX { format!("from {least} on") } else { format!("from {least} to {most}") };
        let refused = || format!("it is not a whole number: write one {}", range());
        let plain = text.trim().replace('_', "");
        let digits = plain.strip_prefix('-').unwrap_or(&plain);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(refused());
        }
        if digits.len() == plain.len() && plain.parse::<u64>().is_err() {
            return Err(format!("it is too large: write one {}", range()));
        }
        let number = plain.parse::<u64>().ok().filter(|number| (least..=most).contains(number));
        number
            .and_then(|number| T::try_from(number).ok())
            .ok_or_else(|| format!("it is out of range: write one {}", range()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: std::fmt::Debug + PartialEq>(read: fn(&str) -> Result<T, String>, cases: &[(&str, Result<T, &str>)]) {
        for (text, expected) in cases {
            match (read(text), expected) {
                (Ok(value), Ok(wanted)) => assert_eq!(value, *wanted, "{text}"),
                (Err(what), Err(part)) => assert!(what.contains(part), "{text}: {what}"),
                (found, _) => panic!("{text}: {found:?}"),
            }
        }
    }

    #[test]
    fn a_percentage_has_a_sign_or_none() {
        check(
            percent,
            &[
                ("5", Ok(5.0)),
                ("5%", Ok(5.0)),
                ("5 %", Ok(5.0)),
                ("0", Ok(0.0)),
                ("0.5%", Ok(0.5)),
                ("-1", Ok(-1.0)),
                ("0.1", Err("it could be 0.1 % or 10 %: write `0.1%` or `10%`")),
                ("0.07", Err("write `0.07%` or `7%`")),
                ("1,5%", Err("`1,5` could mean 1.5 or 15: write `1.5%`")),
                ("much", Err("it is not a percentage: write for example `5%`")),
                ("", Err("it is not a percentage")),
            ],
        );
        check(
            percent_of_whole,
            &[("100%", Ok(100.0)), ("101", Err("101 % is out of range")), ("-1%", Err("-1 % is out"))],
        );
        check(share, &[("1%", Ok(0.01)), ("1", Ok(0.01)), ("0", Err("above zero")), ("-5%", Err("out of range"))]);
    }

    #[test]
    fn growth_is_never_taken_for_what_it_may_not_be() {
        check(
            growth,
            &[
                ("1.3", Ok(1.3)),
                ("1", Ok(1.0)),
                ("10", Ok(10.0)),
                ("30%", Ok(1.3)),
                ("30 %", Ok(1.3)),
                ("-5%", Ok(0.95)),
                ("2x", Ok(2.0)),
                ("30x", Ok(30.0)),
                ("0.5x", Ok(0.5)),
                ("30", Err("it would be 30 times the demand: write `30%` for 30 % more, or `30x`")),
                ("0.3", Err("it would be less than today: write `30%` for 30 % more, or `0.3x`")),
                ("1,3", Err("`1,3` could mean 1.3 or 13: write `1.3`")),
                ("-1", Err("write a factor or percent")),
                ("-100%", Err("write a factor or percent")),
                ("0", Err("write a factor or percent")),
                ("much", Err("write a factor or percent")),
            ],
        );
    }

    #[test]
    fn a_bare_number_keeps_its_unit_and_any_unit_is_taken() {
        check(
            or_us,
            &[
                ("50", Ok(Duration::from_us(50))),
                ("1ms", Ok(Duration::from_ms(1))),
                ("0", Ok(Duration::ZERO)),
                ("-1", Err("is not a length of time")),
                ("1.5", Err("is not a length of time")),
            ],
        );
        check(or_ms, &[("500", Ok(Duration::from_ms(500))), ("2s", Ok(Duration::from_secs(2)))]);
        check(or_s, &[("30", Ok(Duration::from_secs(30))), ("1min", Ok(Duration::from_secs(60)))]);
        check(duration, &[("2s", Ok(Duration::from_secs(2))), ("30", Err("for example `30 s`")), ("0s", Err("zero"))]);
    }
}
