//! Service times of the user's own: a constant, a model by name, or percentiles.

use std::sync::Arc;

use dw_catalogue::latency::{LatencyModel, LatencySetting};
use dw_stack::{QuantileTable, ServiceTime};
use dw_units::{Duration, Throughput};
use serde_spanned::Spanned;

use super::file::{LatencyFile, ServiceFile};
use super::reader::Reader;

/// Which service times a place of the stack uses, and how well they are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LatencyUse {
    /// Where: a volume's disks, or a tier of the host cache.
    pub place: String,
    /// Name of the model in the catalogue; `scenario` for the user's own.
    pub model: String,
    /// What a person calls the medium.
    pub title: String,
    /// Where within the published latencies a default model is taken; absent for what is the user's own.
    pub setting: Option<LatencySetting>,
    /// Grade, from A (measured, raw data) to D (an assumption).
    pub grade: String,
    /// Why this grade.
    pub reason: String,
}

impl LatencyUse {
    /// That a place uses this model.
    pub(super) fn new(place: impl Into<String>, model: &LatencyModel, setting: LatencySetting) -> LatencyUse {
        LatencyUse {
            place: place.into(),
            model: model.name.clone(),
            title: model.title.clone(),
            setting: (!model.is_own).then_some(setting),
            grade: model.grade.clone(),
            reason: model.reason.clone(),
        }
    }
}

/// What a `latency` table says about one direction.
pub(super) struct Own {
    pub(super) time: ServiceTime,
    /// The catalogue's model, when one was named.
    pub(super) model: Option<String>,
}

/// The direction's service time, when the table has one.
pub(super) fn own(
    reader: &mut Reader,
    key: &str,
    file: &LatencyFile,
    field: Option<&Spanned<ServiceFile>>,
    write: bool,
) -> Option<Own> {
    let field = field?;
    let bandwidth = bandwidth(reader, file);
    match field.get_ref() {
        ServiceFile::Text(text) => {
            if let Some(model) = reader.model(text) {
                let setting = reader.latency;
                let mut time = if write { model.write(setting) } else { model.read(setting) }.clone();
                if let Some(bandwidth) = bandwidth {
                    time.bandwidth = bandwidth;
                }
                return Some(Own { time, model: Some(model.name.to_string()) });
            }
            match text.parse::<Duration>() {
                Ok(time) => match u32::try_from(time.ns()) {
                    Ok(0) => {
                        let what =
                            format!("`{key} = \"{text}\"` is not a service time: requests would take no time at all");
                        let hint = format!("write more than zero, for example `{key} = \"1 us\"`");
                        reader.error(field.span(), what, hint);
                        None
                    }
                    Ok(ns) => Some(plain(QuantileTable::constant(ns), bandwidth)),
                    Err(_) => {
                        let what = format!("`{key} = \"{text}\"` is too long for a service time");
                        reader.error(field.span(), what, "write at most `\"4 s\"`");
                        None
                    }
                },
                // A name never begins with a digit that could be meant as a time.
                Err(e) if !e.readings.is_empty() => {
                    let what = format!("`{key} = \"{text}\"` {}", e.what());
                    reader.error(field.span(), what, e.hint(|value| format!("{key} = \"{value}\"")));
                    None
                }
                Err(_) => {
                    let names = reader.model_names();
                    let hint = match dw_error::nearest(text, names.iter().copied()) {
                        Some(name) => format!("did you mean the model `{name}`?"),
                        None => format!("write for example `{key} = \"1.5 ms\"`, or a model: {}", names.join(", ")),
                    };
                    reader.error(field.span(), format!("`{key} = \"{text}\"` is neither a time nor a model"), hint);
                    None
                }
            }
        }
        ServiceFile::Knots(knots) => {
            let mut table = Vec::new();
            for (name, value) in knots {
                let Some(ppm) = parts_per_million(name.get_ref()) else {
                    let what = format!("`{}` is not a percentile", name.get_ref());
                    reader.error(name.span(), what, "write `p50`, `p99`, `p99.9` in quotes, and `max` last");
                    return None;
                };
                let time: Duration = reader.quantity_of(name.get_ref(), value)?;
                table.push((ppm, time.ns()));
            }
            table.sort_by_key(|k| k.0);
            match QuantileTable::from_knots(&table) {
                Ok(table) => Some(plain(table, bandwidth)),
                Err(e) => {
                    let hint = "percentiles rise, times do not fall, and `max` is required";
                    reader.error(field.span(), format!("`{key}` is not a distribution: {}", e.reason), hint);
                    None
                }
            }
        }
    }
}

fn plain(table: QuantileTable, bandwidth: Option<Option<Throughput>>) -> Own {
    Own { time: ServiceTime { table: Arc::new(table), bandwidth: bandwidth.flatten() }, model: None }
}

/// Not written, written as unlimited, or a throughput.
pub(super) fn bandwidth(reader: &mut Reader, file: &LatencyFile) -> Option<Option<Throughput>> {
    let field = file.bandwidth.as_ref()?;
    if field.get_ref().0 == "unlimited" {
        return Some(None);
    }
    let bandwidth: Throughput = reader.quantity_of("bandwidth", field)?;
    if bandwidth.get() == 0 {
        let what = format!("`bandwidth = {}` blocks all I/O", reader.raw(field));
        reader.error(
            field.span(),
            what,
            "write more than zero, or `bandwidth = \"unlimited\"` if size does not matter",
        );
        return None;
    }
    Some(Some(bandwidth))
}

fn parts_per_million(name: &str) -> Option<u32> {
    if name == "max" {
        return Some(1_000_000);
    }
    let number = name.strip_prefix('p')?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if fraction.len() > 4 || !number.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        return None;
    }
    let whole: u32 = whole.parse().ok().filter(|&w| w <= 100)?;
    let fraction: u32 = format!("{fraction:0<4}").parse().ok()?;
    Some(whole * 10_000 + fraction).filter(|&p| p > 0 && p <= 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::parts_per_million;

    #[test]
    fn percentiles_are_read_exactly() {
        let cases = [
            ("p50", Some(500_000)),
            ("p99.9", Some(999_000)),
            ("p99.9999", Some(999_999)),
            ("max", Some(1_000_000)),
            ("p0", None),
            ("p101", None),
            ("p99.99999", None),
            ("50", None),
            ("p", None),
        ];
        for (name, expected) in cases {
            assert_eq!(parts_per_million(name), expected, "{name}");
        }
    }
}
