//! fio's results: JSON, text for people, terse lines; and what their options say of the load.

pub(super) mod json;
pub(super) mod kubestr;
pub(super) mod terse;
pub(super) mod text;

use super::number::{decimal, option_seconds, option_size};
use super::{Load, Setting};
use crate::fio::{is_synchronous, split_names};

/// Options that ask for no more than so much.
const PACING: [&str; 3] = ["rate", "rate_iops", "thinktime"];

/// fio's own words of the load, from options of all entries and of this one; the later holds.
fn load_of(all: &[Setting], own: &[Setting]) -> Load {
    let value = |name: &str| {
        let last = |settings: &'_ [Setting]| settings.iter().rposition(|s| s.name == name);
        let found = last(own).map(|at| &own[at]).or_else(|| last(all).map(|at| &all[at]));
        found.map(|setting| setting.value.as_str())
    };
    let on = |name: &str| value(name).map(|text| !matches!(text, "0" | "false"));
    let pattern = value("rw").or_else(|| value("readwrite")).map(|text| text.split(':').next().unwrap_or(text));
    let mix = value("rwmixread")
        .and_then(decimal)
        .or_else(|| value("rwmixwrite").and_then(decimal).map(|percent| 100.0 - percent));
    let targets = value("filename").map(split_names).unwrap_or_default();
    // Where options are printed, what is not among them is as fio has it.
    let engine = value("ioengine").or(pattern.map(|_| "psync"));
    let depth = value("iodepth").map_or(pattern.map(|_| 1), |text| decimal(text).map(|depth| depth as u64));
    let is_paced = PACING.iter().any(|name| value(name).is_some_and(|text| text != "0"));
    Load {
        pattern: pattern.map(String::from),
        read_percent: pattern.and_then(|pattern| match pattern {
            "rw" | "readwrite" | "randrw" => Some(mix.unwrap_or(50.0)),
            _ => only(pattern),
        }),
        random_percent: pattern.map(|pattern| {
            let partly = value("percentage_random").and_then(decimal);
            if pattern.starts_with("rand") { partly.unwrap_or(100.0) } else { 0.0 }
        }),
        io_bytes: match value("bs").or_else(|| value("blocksize")) {
            Some(text) => option_size(text),
            // fio's default, unless sizes vary.
            None if ["bssplit", "bsrange"].iter().all(|name| value(name).is_none()) && pattern.is_some() => Some(4096),
            None => None,
        },
        queue_depth: if engine.is_some_and(is_synchronous) { Some(1) } else { depth },
        workers: value("numjobs").map_or(pattern.map(|_| 1), |text| decimal(text).map(|jobs| jobs as u64)),
        target_bytes: value("size").filter(|text| !text.ends_with('%')).and_then(option_size),
        targets,
        direct: on("direct").or(pattern.map(|_| false)),
        engine: engine.map(String::from),
        runtime_s: value("runtime").and_then(option_seconds),
        ramp_s: value("ramp_time").and_then(option_seconds),
        is_paced,
    }
}

/// Percent of reads of a pattern that is not a mix.
fn only(pattern: &str) -> Option<f64> {
    match pattern {
        "read" | "randread" => Some(100.0),
        "write" | "randwrite" | "trim" | "randtrim" => Some(0.0),
        _ => None,
    }
}
