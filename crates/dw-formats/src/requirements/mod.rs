//! `requirements.toml`: what a plan must meet, written by `observe`, changed by hand, read by `plan` and `simulate`.
//!
//! Lives here: the file's shape, its reader, its writer, its demand as a job; what is wanted of a plan next to the demand
//! (`wishes.rs`).
//! Never here: how the figures were found, what meets them.
//! Read next: `file.rs` (what may be written).
//!
//! What is written reads back as it was, to the digits that are shown. Quantities carry their unit; a key that nobody
//! knows is an error with its line.

mod file;
mod replay;
mod wishes;
mod write;

use std::str::FromStr;

use dw_catalogue::Catalogue;
use dw_demand::wishes::Wishes;
use dw_demand::{
    Carried, DemandSeries, Levels, Provenance, Requirements, Severity, UNKNOWN_KEYS, VolumeRequirements, volume_name,
};
use dw_units::{Duration, ParseQuantityError};
use serde_spanned::Spanned;

use crate::scenario::{ScenarioError, ScenarioErrors};
use file::{FindingFile, LevelsFile, RequirementsFile, SeriesFile, VolumeFile};

pub use replay::{CLONE, place_of, replay, replay_within};
pub use write::{write, write_form, write_with};

/// Reads requirements; `name` is how messages call the file.
pub fn read(name: &str, text: &str) -> Result<Requirements, ScenarioErrors> {
    let mut reader = Reader { name, text, errors: Vec::new(), may_lack_capacity: true };
    let file = reader.file()?;
    let requirements = reader.requirements(&file);
    reader.checked(requirements)
}

/// Reads requirements together with what is wanted of a plan.
pub fn read_for_plan(name: &str, text: &str, catalogue: &Catalogue) -> Result<(Requirements, Wishes), ScenarioErrors> {
    let reader = Reader { name, text, errors: Vec::new(), may_lack_capacity: false };
    reader.with_wishes(catalogue)
}

/// The same for disks that exist: what a volume must hold may be left out, it is then zero.
pub fn read_for_explain(
    name: &str,
    text: &str,
    catalogue: &Catalogue,
) -> Result<(Requirements, Wishes), ScenarioErrors> {
    let reader = Reader { name, text, errors: Vec::new(), may_lack_capacity: true };
    reader.with_wishes(catalogue)
}

/// The JSON Schema of the file.
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(RequirementsFile)
}

struct Reader<'a> {
    name: &'a str,
    text: &'a str,
    errors: Vec<ScenarioError>,
    /// Whether a volume may leave out what it must hold.
    may_lack_capacity: bool,
}

impl Reader<'_> {
    fn with_wishes(mut self, catalogue: &Catalogue) -> Result<(Requirements, Wishes), ScenarioErrors> {
        let file = self.file()?;
        let requirements = self.requirements(&file);
        let requirements = self.checked(requirements)?;
        let wishes = self.wishes(&file, catalogue);
        self.checked((requirements, wishes))
    }

    /// The file as it is written, a series of weeks included: this is what reading costs.
    fn file(&mut self) -> Result<RequirementsFile, ScenarioErrors> {
        toml::from_str(self.text).map_err(|e| {
            let (span, shape) = dw_error::shape::of_toml(self.text, e.span(), e.message());
            let hint = match shape.missing.as_deref() {
                Some("schema_version") => "write `schema_version = 1` first".to_string(),
                Some(level @ ("p50" | "p90" | "p99" | "max")) => {
                    format!("write `{level} = ...`; where you do not know it, the next higher figure that you know")
                }
                Some(key) => {
                    format!("write `{key} = ...`: `diskwright schema requirements` has every key of this file")
                }
                None => match shape.with_unit(|key| unit_of(key, self.text, span.start)) {
                    Some(hint) => hint,
                    None if shape.what.ends_with("is out of range") => {
                        wishes::range_of(&self.text[..span.start]).unwrap_or(shape.hint)
                    }
                    None => shape.hint,
                },
            };
            self.error(span, shape.what, hint);
            ScenarioErrors(std::mem::take(&mut self.errors))
        })
    }

    /// What was read, unless something was wrong with it.
    fn checked<T>(&mut self, read: T) -> Result<T, ScenarioErrors> {
        if self.errors.is_empty() { Ok(read) } else { Err(ScenarioErrors(std::mem::take(&mut self.errors))) }
    }

    fn error(&mut self, span: std::ops::Range<usize>, what: impl Into<String>, hint: impl Into<String>) {
        let line = dw_error::line_of(self.text, span.start) as usize;
        self.errors.push(ScenarioError {
            file: self.name.to_string(),
            line,
            span,
            what: what.into(),
            hint: hint.into(),
        });
    }

    fn quantity<T: FromStr<Err = ParseQuantityError>>(&mut self, key: &str, value: &Spanned<String>) -> Option<T> {
        match value.get_ref().parse() {
            Ok(quantity) => Some(quantity),
            Err(e) => {
                let hint = e.hint(|value| format!("{key} = \"{value}\""));
                self.error(value.span(), format!("`{key} = \"{}\"` {}", value.get_ref(), e.what()), hint);
                None
            }
        }
    }

    fn number(&mut self, key: &str, value: &Spanned<f64>, most: f64) -> Option<f64> {
        let n = *value.get_ref();
        if (0.0..=most).contains(&n) {
            return Some(n);
        }
        self.error(value.span(), format!("`{key} = {n}` is out of range"), format!("write a number from 0 to {most}"));
        None
    }

    fn provenance(&mut self, from: &Option<Spanned<String>>) -> Provenance {
        use Provenance::*;
        let Some(word) = from else { return Asked };
        let all = [Measured, Derived, Estimated, Asked, Unknown];
        match all.into_iter().find(|p| p.word() == word.get_ref()) {
            Some(provenance) => provenance,
            None => {
                let words = all.map(|p| format!("`{}`", p.word())).join(", ");
                self.error(
                    word.span(),
                    format!("`from = \"{}\"` is not one of its words", word.get_ref()),
                    format!("write one of {words}, or leave it out: it is then `asked`"),
                );
                Asked
            }
        }
    }

    fn finding(&mut self, file: &FindingFile) -> Carried {
        let word = file.severity.get_ref();
        let severity = Severity::ALL.into_iter().find(|severity| severity.word() == word);
        if severity.is_none() {
            let words = Severity::ALL.map(|severity| format!("`{}`", severity.word())).join(", ");
            let what = format!("`severity = \"{word}\"` is not one of its words");
            self.error(file.severity.span(), what, format!("write one of {words}"));
        }
        Carried {
            severity: severity.unwrap_or(Severity::Note),
            what: file.what.clone(),
            effect: file.effect.clone(),
            is_throttled: file.throttled,
        }
    }

    /// Percentiles must grow: a p99 below the p50 is a slip of the hand.
    fn ordered<T: PartialOrd + Copy>(
        &mut self,
        key: &str,
        span: std::ops::Range<usize>,
        levels: Levels<T>,
    ) -> Levels<T> {
        let list = [levels.p50, levels.p90, levels.p95.unwrap_or(levels.p90), levels.p99, levels.max];
        if list.windows(2).any(|w| w[0] > w[1]) {
            let what = format!("`{key}`: a higher percentile is smaller than a lower one");
            self.error(span, what, "write p50 <= p90 <= p95 <= p99 <= max");
        }
        levels
    }

    fn levels<T>(&mut self, key: &str, file: &Option<Spanned<LevelsFile<String>>>) -> Option<Levels<T>>
    where
        T: FromStr<Err = ParseQuantityError> + PartialOrd + Copy,
    {
        let (span, file) = (file.as_ref()?.span(), file.as_ref()?.get_ref());
        let mut of = |level: &str, value: &Spanned<String>| self.quantity::<T>(level, value);
        let (p50, p90, p99, max) =
            (of("p50", &file.p50), of("p90", &file.p90), of("p99", &file.p99), of("max", &file.max));
        let p95 = file.p95.as_ref().and_then(|p95| of("p95", p95));
        let from = self.provenance(&file.from);
        Some(self.ordered(key, span, Levels { p50: p50?, p90: p90?, p95, p99: p99?, max: max?, from }))
    }

    fn numbers(&mut self, key: &str, file: &Option<Spanned<LevelsFile<f64>>>, most: f64) -> Option<Levels<f64>> {
        let (span, file) = (file.as_ref()?.span(), file.as_ref()?.get_ref());
        let mut of = |level: &str, value: &Spanned<f64>| self.number(&format!("{key}.{level}"), value, most);
        let (p50, p90, p99, max) =
            (of("p50", &file.p50), of("p90", &file.p90), of("p99", &file.p99), of("max", &file.max));
        let p95 = file.p95.as_ref().and_then(|p95| of("p95", p95));
        let from = self.provenance(&file.from);
        Some(self.ordered(key, span, Levels { p50: p50?, p90: p90?, p95, p99: p99?, max: max?, from }))
    }

    fn requirements(&mut self, file: &RequirementsFile) -> Requirements {
        if *file.schema_version.get_ref() != 1 {
            let what = format!("`schema_version = {}` is not known", file.schema_version.get_ref());
            self.error(file.schema_version.span(), what, "this program reads 1");
        }
        let growth = file.growth.as_ref().and_then(|g| self.number("growth", g, 1e6)).unwrap_or(1.0);
        let volumes: Vec<VolumeRequirements> = file.volumes.iter().map(|v| self.volume(v.get_ref())).collect();
        let names: Vec<&str> = volumes.iter().map(|volume| volume.name.as_str()).collect();
        for fault in volume_name::faults(&names) {
            let span = file.volumes[fault.volume].get_ref().name.span();
            let written = self.text.get(span.clone()).unwrap_or_default();
            let what = format!("`name = {written}` {}", fault.why);
            self.error(span, what, format!("write for example `name = {}`", toml::Value::from(fault.instead)));
        }
        let (cpu, memory) = (file.cpu.as_ref(), file.memory.as_ref());
        Requirements {
            machine: file.machine.clone(),
            window: file.window.clone().unwrap_or_else(|| "whole".into()),
            growth,
            processors: cpu.and_then(|c| c.processors),
            cpu_percent: cpu.and_then(|c| self.numbers("busy_percent", &c.busy_percent, 100.5)),
            memory_total: memory.and_then(|m| self.quantity("total", m.total.as_ref()?)),
            memory_used: memory.and_then(|m| self.levels("used", &m.used)),
            transactions: self.numbers("transactions_per_s", &file.transactions_per_s, 1e12),
            findings: file.findings.iter().map(|finding| self.finding(finding)).collect(),
            volumes,
        }
    }

    fn series(&mut self, volume: &str, series: &Spanned<SeriesFile>) -> Option<DemandSeries> {
        let file = series.get_ref();
        let interval = self.quantity::<Duration>("interval", &file.interval);
        if interval == Some(Duration::ZERO) {
            let what = format!("`interval = \"{}\"` is zero", file.interval.get_ref());
            self.error(file.interval.span(), what, "write how long each number of the lists holds, for example `2s`");
        }
        let read_iops = self.rates("read_iops", &file.read_iops);
        let write_iops = self.rates("write_iops", &file.write_iops);
        let n = file.read_iops.len();
        let others = [file.write_iops.len(), file.read_bytes_per_s.len(), file.write_bytes_per_s.len()];
        if others.iter().any(|m| *m != n) {
            let what = format!("the lists of the series of `{volume}` are not equally long: {n}, {others:?}");
            self.error(series.span(), what, "every list has one number an interval");
        }
        Some(DemandSeries {
            interval: interval?,
            read_iops: read_iops?,
            write_iops: write_iops?,
            read_bytes_per_s: file.read_bytes_per_s.clone(),
            write_bytes_per_s: file.write_bytes_per_s.clone(),
        })
    }

    /// Of thousands of numbers the first that is wrong is enough to go by.
    fn rates(&mut self, key: &str, list: &[Spanned<f64>]) -> Option<Vec<f64>> {
        list.iter().map(|rate| self.number(key, rate, 1e12)).collect()
    }

    fn volume(&mut self, file: &VolumeFile) -> VolumeRequirements {
        let series = file.series.as_ref().and_then(|s| self.series(file.name.get_ref(), s));
        let written = [("read_iops", file.read_iops.is_some()), ("write_iops", file.write_iops.is_some())];
        for key in &file.unknown {
            let name = key.get_ref();
            match written.iter().find(|(known, _)| known == name) {
                Some((_, false)) => {}
                Some(_) => self.error(
                    key.span(),
                    format!("`{name}` of `{}` is written, and listed in `unknown`", file.name.get_ref()),
                    "take it out of `unknown`",
                ),
                None => {
                    let keys = UNKNOWN_KEYS.map(|key| format!("`{key}`")).join(", ");
                    self.error(key.span(), format!("`unknown` lists `{name}`"), format!("write one of {keys}"));
                }
            }
        }
        VolumeRequirements {
            unknown: file.unknown.iter().map(|key| key.get_ref().clone()).collect(),
            name: file.name.get_ref().clone(),
            devices: file.devices.clone(),
            read_iops: self.numbers("read_iops", &file.read_iops, 1e12),
            write_iops: self.numbers("write_iops", &file.write_iops, 1e12),
            iops: self.numbers("iops", &file.iops, 1e12),
            read_throughput: self.levels("read_throughput", &file.read_throughput),
            write_throughput: self.levels("write_throughput", &file.write_throughput),
            throughput: self.levels("throughput", &file.throughput),
            read_latency: self.levels("read_latency", &file.read_latency),
            write_latency: self.levels("write_latency", &file.write_latency),
            queue_depth: self.numbers("queue_depth", &file.queue_depth, 1e9),
            read_size: file.read_size.as_ref().and_then(|s| self.quantity("read_size", s)),
            write_size: file.write_size.as_ref().and_then(|s| self.quantity("write_size", s)),
            random_percent: file.random_percent.as_ref().and_then(|p| self.number("random_percent", p, 100.0)),
            series,
        }
    }
}

/// The likeliest unit of a quantity: by its key, or by what its percentiles are of.
fn unit_of(key: &str, text: &str, at: usize) -> Option<&'static str> {
    let before = &text[..at.min(text.len())];
    let line = before.rsplit('\n').next().unwrap_or_default();
    let header = before.lines().rev().find(|line| line.trim_start().starts_with('[')).unwrap_or_default();
    let has = |word: &str| line.contains(word) || header.contains(word);
    match key {
        "capacity" | "memory_min" | "working_set" | "total" => Some("GiB"),
        "read_size" | "write_size" => Some("KiB"),
        "interval" => Some("s"),
        "p50" | "p90" | "p95" | "p99" | "max" if has("throughput") => Some("MB/s"),
        "p50" | "p90" | "p95" | "p99" | "max" if has("used") => Some("GiB"),
        _ if has("latency") => Some("ms"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_series_are_checked() {
        let check = |key: &str, value: &str, expected: &[(usize, &str)]| {
            let with = |name: &str, usual: &str| {
                let value = if name == key { value } else { usual };
                format!("{name} = {value}\n")
            };
            let text = [
                "schema_version = 1\n[[volume]]\nname = \"sdb\"\n[volume.series]\n",
                &with("interval", "\"2s\""),
                &with("read_iops", "[1.0,\n2]"),
                &with("write_iops", "[1e3, 0.0]"),
                &with("read_bytes_per_s", "[4096, 0]"),
                &with("write_bytes_per_s", "[4096, 0]"),
            ]
            .concat();
            let errors = read("r.toml", &text).err().map(|e| e.0).unwrap_or_default();
            let found: Vec<(usize, &str)> = errors.iter().map(|e| (e.line, e.what.as_str())).collect();
            assert_eq!(found.len(), expected.len(), "{key} = {value}: {found:?}");
            for ((line, what), (expected_line, part)) in found.iter().zip(expected) {
                assert!(line == expected_line && what.contains(part), "{key} = {value}: {line}: {what}");
            }
        };
        check("nothing", "", &[]);
        check("interval", "\"0s\"", &[(5, "`interval = \"0s\"` is zero")]);
        check("read_iops", "[1.0,\nnan]", &[(7, "`read_iops = NaN` is out of range")]);
        check("read_iops", "[inf,\n-inf]", &[(6, "`read_iops = inf` is out of range")]);
        check("write_iops", "[-1.0, 0.0]", &[(8, "`write_iops = -1` is out of range")]);
        check("write_iops", "[1e13, 0.0]", &[(8, "is out of range")]);
        check("write_iops", "[1.0]", &[(4, "not equally long: 2, [1, 2, 2]")]);
        check("read_bytes_per_s", "[-1, 0]", &[(9, "-1")]);
    }

    #[test]
    fn a_name_that_no_volume_may_have_is_refused_at_its_line() {
        let held = "capacity = \"1 TiB\"";
        let text = format!(
            "schema_version = 1\n[[volume]]\nname = \"data\"\n{held}\n[[volume]]\n{held}\nname = \"/mnt/log\"\n\
             [[volume]]\nname = \"data.0\"\n{held}\n[[volume]]\nname = \"\\u001B[2J\"\n{held}\n[[volume]]\nname = \"data\"\n{held}\n"
        );
        let expected = [
            (7, "`name = \"/mnt/log\"` has a `/`, which separates folders", "write for example `name = \"mnt-log\"`"),
            (9, "`name = \"data.0\"` is the name of a disk of volume `data`", "write for example `name = \"data-0\"`"),
            (12, "`name = \"\\u001B[2J\"` has the control character U+001B", "write for example `name = \"[2J\"`"),
            (15, "`name = \"data\"` is the name of volume 1, too", "write for example `name = \"data-5\"`"),
        ];
        let errors = read_for_plan("r.toml", &text, Catalogue::embedded()).unwrap_err().0;
        let found: Vec<(usize, &str, &str)> =
            errors.iter().map(|e| (e.line, e.what.as_str(), e.hint.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_wrong_is_told_in_words_of_the_file() {
        let check = |line: usize, volume: &str, what: &str, hint: &str| {
            let text = format!("schema_version = 1\n[[volume]]\nname = \"sdb\"\n{volume}\n");
            let errors = read_for_plan("r.toml", &text, Catalogue::embedded()).expect_err(volume).0;
            let found = (errors[0].line, errors[0].what.as_str(), errors[0].hint.as_str());
            assert_eq!(found, (line, what, hint), "{volume}");
        };
        check(
            4,
            "capacity = 800",
            "`capacity = 800` is a whole number, and a text belongs there",
            "write it in quotes and with its unit, for example `capacity = \"800 GiB\"`",
        );
        check(
            5,
            "capacity = \"1 TiB\"\nread_latency_max = 2",
            "`read_latency_max = 2` is a whole number, and a text belongs there",
            "write it in quotes and with its unit, for example `read_latency_max = \"2 ms\"`",
        );
        check(
            4,
            "read_throughput = { p50 = \"1 MB/s\", p90 = \"1 MB/s\", p99 = \"1 MB/s\", max = 100 }",
            "`max = 100` is a whole number, and a text belongs there",
            "write it in quotes and with its unit, for example `max = \"100 MB/s\"`",
        );
        check(
            4,
            "devices = 1",
            "`devices = 1` is a whole number, and a list belongs there",
            "write it in brackets: `devices = [1]`",
        );
        check(
            4,
            "capacity = \"1,5 TiB\"",
            "`capacity = \"1,5 TiB\"` could mean 1.5 TiB or 15 TiB",
            "write `capacity = \"1.5 TiB\"`",
        );
        check(
            5,
            "capacity = \"1 TiB\"\nread_latency_max = \"2,50 ms\"",
            "`read_latency_max = \"2,50 ms\"` could mean 2.50 ms or 250 ms",
            "write `read_latency_max = \"2.50 ms\"`",
        );
        check(4, "capacaty = \"1 TiB\"", "there is no key `capacaty` here", "did you mean `capacity`?");
        let of_plan = |key: &str, what: &str| {
            let text = format!("schema_version = 1\n[plan]\n{key}\n[[volume]]\nname = \"sdb\"\ncapacity = \"1 TiB\"\n");
            let errors = read_for_plan("r.toml", &text, Catalogue::embedded()).expect_err(key).0;
            assert_eq!((errors.len(), errors[0].line, errors[0].what.as_str()), (1, 3, what), "{key}");
        };
        of_plan("currency = \"XXX\"", "`currency = \"XXX\"`: the catalogue has no price in it, only in USD");
        for (asked, hint) in [
            ("estus", "did you mean `eastus`? "),
            ("West-Europe", "did you mean `westeurope`?"),
            ("us-east-1", "did you mean `eastus`? (or eastus2"),
            ("mars", "write for example `eastus` or"),
        ] {
            let text = format!(
                "schema_version = 1\n[plan]\nregion = \"{asked}\"\n[[volume]]\nname = \"sdb\"\ncapacity = \"1 TiB\"\n"
            );
            let errors = read_for_plan("r.toml", &text, Catalogue::embedded()).expect_err(asked).0;
            assert!(errors[0].hint.starts_with(hint), "{asked}: {}", errors[0].hint);
        }
        of_plan("os = \"beos\"", "`os = \"beos\"` is not known");
        of_plan("comfort_factor = 0.5", "`comfort_factor = 0.5` is out of range");
        of_plan("nodes = 0", "`nodes = 0` is out of range");
        let held = "capacity = \"100 GiB\"";
        check(
            6,
            &format!("{held}\nrole = \"os\"\nlocal_disk = true"),
            "`local_disk = true` of an operating system, which no VM can start from its local disk",
            "leave `local_disk` out, or write another `role` if the volume is lost with the local disk",
        );
        check(
            5,
            &format!("{held}\nhost_cache = []"),
            "`host_cache = []` leaves no setting that the volume could have",
            "write `host_cache = [\"None\"]` for a volume without a host cache, or leave the key out",
        );
        for key in ["read_latency_max", "write_latency_p95_max", "read_latency_p99_max"] {
            check(
                5,
                &format!("{held}\n{key} = \"0 ms\""),
                &format!("`{key} = \"0 ms\"` is zero, and every request takes some time"),
                &format!("write the longest that will do, for example `{key} = \"2 ms\"`, or leave it out"),
            );
        }
        check(
            5,
            &format!("{held}\nworking_set = \"101 GiB\""),
            "`working_set = \"101 GiB\"` is more than the volume holds, `capacity = \"100 GiB\"`",
            "write the part of it that is read again and again, or a larger `capacity`",
        );
        for accepted in ["working_set = \"100 GiB\"", "host_cache = []\nlocal_disk = true", "role = \"os\""] {
            let text = format!("schema_version = 1\n[[volume]]\nname = \"sdb\"\n{held}\n{accepted}\n");
            assert!(read_for_plan("r.toml", &text, Catalogue::embedded()).is_ok(), "{accepted}");
        }
        check(4, "disks_max = -1", "`disks_max = -1` is out of range", "write a whole number from 1 to 64");
        for (key, most) in [("years", 30), ("horizon_years", 30)] {
            let text =
                format!("schema_version = 1\n[plan]\n{key} = -1\n[[volume]]\nname = \"sdb\"\ncapacity = \"1 TiB\"\n");
            let errors = read_for_plan("r.toml", &text, Catalogue::embedded()).expect_err(key).0;
            assert_eq!(errors[0].hint, format!("write a whole number from 0 to {most}"), "{key}");
        }
    }
}
