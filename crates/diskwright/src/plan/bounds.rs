//! Numbers of a plan file that no plan has: found before anything is computed with them.
//!
//! `plan` writes what it computed; a file that was changed by hand may say anything. Every bound is far above what is sold, and
//! low enough that products of the numbers fit.

use dw_documents::plan::PlanDocument;
use serde_json::{Number, Value};

use dw_error::{Error, Result};

/// More than any amount that requirements may give: prices of one's own may be in any currency.
const MONEY: f64 = 1e13;

/// Least and most of each key.
const BOUNDS: &[(&str, f64, f64)] = &[
    ("disks", 0.0, 1_000.0),
    ("disk_gib", 1.0, 1e7),
    ("disk_iops", 1.0, 1e8),
    ("disk_mb_per_s", 1.0, 1e6),
    ("disk_mib_per_s", 1.0, 1e6),
    ("capacity_gib", 0.0, 1e8),
    ("working_set", 0.0, 1e17),
    ("stripe_unit", 512.0, 1e9),
    ("queue_depth", 0.0, 1e9),
    ("read_latency_us", 0.0, 1e9),
    ("write_latency_us", 0.0, 1e9),
    ("read_iops", 0.0, 1e9),
    ("write_iops", 0.0, 1e9),
    ("read_bytes_per_s", 0.0, 1e14),
    ("write_bytes_per_s", 0.0, 1e14),
    ("monthly", 0.0, MONEY),
    ("usage_monthly", 0.0, MONEY),
    ("mounts_monthly", 0.0, MONEY),
    ("nodes", 1.0, 1e3),
    ("vm_monthly", 0.0, MONEY),
    ("monthly_without_licences", 0.0, MONEY),
    ("price", 0.0, MONEY),
    ("cores", 1.0, 1e6),
    ("minimum", 1.0, 1e6),
    ("monthly_micros", 0.0, MONEY * 1e6),
    ("bound", 0.0, MONEY),
    ("runner_up", 0.0, MONEY),
    ("hit_percent", 0.0, 100.0),
    ("time_met_percent", 0.0, 100.0),
    ("nearest_percent", 0.0, 1e12),
    ("headroom_percent", -1e15, 100.0),
    ("capacity", 0.0, 1e15),
    ("p50", 0.0, 1e15),
    ("p90", 0.0, 1e15),
    ("p99", 0.0, 1e15),
    ("max", 0.0, 1e15),
    ("examined", 0.0, 1e9),
    ("offered", 0.0, 1e9),
    ("reserved_years", 1.0, 100.0),
    ("savings_plan_years", 1.0, 100.0),
    ("break_even_month", 0.0, 1e4),
    ("hours_per_month", 0.0, 730.0),
];

/// The first number that is out of its bounds, with its line.
pub fn check(name: &str, text: &str, document: &PlanDocument) -> Result<()> {
    check_value(name, text, &serde_json::to_value(document).unwrap_or_default())
}

fn check_value(name: &str, text: &str, value: &Value) -> Result<()> {
    let Some((key, number, least, most)) = beyond(value) else { return Ok(()) };
    let line = text.lines().position(|line| holds(line, key, number)).map_or(1, |at| at + 1);
    Err(Error::input(format!("`{key}` is {number}, but must be from {least} to {most}"))
        .hint("plan again: a hand-edited plan proves nothing")
        .at(name, line))
}

/// A number that is out of its bounds: its key, itself, least and most.
type Beyond<'a> = (&'a str, &'a Number, f64, f64);

fn beyond(value: &Value) -> Option<Beyond<'_>> {
    match value {
        Value::Array(list) => list.iter().find_map(beyond),
        Value::Object(map) => map.iter().find_map(|(key, value)| match value {
            Value::Number(number) => {
                let (_, least, most) = *BOUNDS.iter().find(|(known, ..)| known == key)?;
                let is_within = number.as_f64().is_some_and(|n| (least..=most).contains(&n));
                (!is_within).then_some((key.as_str(), number, least, most))
            }
            // What a sentence is about is no key of the plan.
            _ if key == "args" => None,
            other => beyond(other),
        }),
        _ => None,
    }
}

/// Whether a line of the text has a key with this number, however it is written.
fn holds(line: &str, key: &str, number: &Number) -> bool {
    line.match_indices(&format!("\"{key}\"")).any(|(at, found)| {
        let value = line[at + found.len()..].trim_start().trim_start_matches(':').trim_start();
        let end = value.find(|c: char| c == ',' || c == '}' || c == ']' || c.is_whitespace()).unwrap_or(value.len());
        value[..end].parse::<f64>().ok() == number.as_f64()
    })
}

#[cfg(test)]
mod tests {
    use super::check_value;

    #[test]
    fn the_first_number_out_of_bounds_is_named_with_its_line() {
        let cases = [
            ("{\"disks\": 4,\n\"disk_gib\": null}", None),
            ("{\"disks\":\n 18446744073709551615}", Some("p.json:1: `disks` is 18446744073709551615")),
            ("{\"a\": 1,\n \"monthly\": -5.0}", Some("p.json:2: `monthly` is -5.0")),
            ("{\n\n\"hit_percent\": 1e300}", Some("p.json:3: `hit_percent` is 1e+300")),
            ("{\"note\": \"disks\", \"other\": 1e300}", None),
        ];
        for (text, expected) in cases {
            let value = serde_json::from_str(text).unwrap();
            let found = check_value("p.json", text, &value).err().map(|error| error.to_string());
            assert_eq!(found.is_some(), expected.is_some(), "{text}: {found:?}");
            assert!(found.is_none_or(|found| found.contains(expected.unwrap_or_default())), "{text}");
        }
    }
}
