//! Turns scalars into values, and collects what is wrong with them: all faults of a file are found in one go.

use std::cell::Cell;
use std::ops::Range;
use std::str::FromStr;

use dw_catalogue::latency::{LatencyModel, LatencySetting};
use dw_catalogue::vm::{Derived, VmSize};
use dw_error::shape;
use dw_messages::{Sentence, say};
use dw_units::{CacheMode, ParseQuantityError};
use serde_spanned::Spanned;

use super::error::{Note, ScenarioError};
use super::scalar::{Field, Scalar};

/// A file being read.
pub(super) struct Reader<'a> {
    file: &'a str,
    text: &'a str,
    /// Latency models next to those of the catalogue.
    models: &'a [LatencyModel],
    /// Whether one of them was asked for by name.
    used: Cell<bool>,
    /// Where within the published latencies the default models are taken.
    pub(super) latency: LatencySetting,
    pub(super) errors: Vec<ScenarioError>,
    pub(super) notes: Vec<Note>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(file: &'a str, text: &'a str, models: &'a [LatencyModel]) -> Self {
        Reader {
            file,
            text,
            models,
            used: Cell::new(false),
            latency: LatencySetting::default(),
            errors: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// A latency model by name: the user's own, then the catalogue's.
    pub(super) fn model(&self, name: &str) -> Option<&'a LatencyModel> {
        let own = self.models.iter().find(|m| m.name == name);
        self.used.set(self.used.get() || own.is_some());
        own.or_else(|| dw_catalogue::latency::model(name))
    }

    /// The names of the user's own models when none of them was asked for.
    pub(super) fn models_if_unused(&self) -> Vec<&'a str> {
        if self.used.get() { Vec::new() } else { self.models.iter().map(|m| m.name.as_str()).collect() }
    }

    /// The names of all of them.
    pub(super) fn model_names(&self) -> Vec<&'a str> {
        self.models.iter().chain(dw_catalogue::latency::all()).map(|m| m.name.as_str()).collect()
    }

    /// Records a fault.
    pub(super) fn error(&mut self, span: Range<usize>, what: impl Into<String>, hint: impl Into<String>) {
        let error = ScenarioError {
            file: self.file.to_string(),
            line: self.line(span.start),
            span,
            what: what.into(),
            hint: hint.into(),
        };
        // What is read for reads and for writes is said once.
        if !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }

    /// The line of a byte of the file, from 1.
    pub(super) fn line(&self, offset: usize) -> usize {
        dw_error::line_of(self.text, offset) as usize
    }

    /// Records something worth knowing.
    pub(super) fn note(&mut self, span: &Range<usize>, text: Sentence) {
        self.notes.push(Note { line: self.line(span.start), text });
    }

    /// A quantity with its unit.
    pub(super) fn quantity<T>(&mut self, key: &str, field: &Field) -> Option<T>
    where
        T: FromStr<Err = ParseQuantityError>,
    {
        let field = field.as_ref()?;
        self.quantity_of(key, field)
    }

    /// A quantity with its unit that must be there.
    pub(super) fn quantity_of<T>(&mut self, key: &str, field: &Spanned<Scalar>) -> Option<T>
    where
        T: FromStr<Err = ParseQuantityError>,
    {
        match field.get_ref().0.parse() {
            Ok(value) => Some(value),
            Err(mut e) => {
                let what = format!("`{key} = {}` {}", self.raw(field), e.what());
                e.example = example(key).unwrap_or(e.example);
                let hint = e.hint(|value| format!("{key} = \"{value}\""));
                self.error(field.span(), what, hint);
                None
            }
        }
    }

    /// Whether a path is as it was meant: in double quotes `F:\test` has a tabulator, and `F:\xdata` an Ú.
    pub(super) fn is_plain_path(&mut self, key: &str, field: &Spanned<Scalar>) -> bool {
        let Some(escaped) = shape::escaped(key, self.raw(field)) else { return true };
        self.error(field.span(), escaped.what, escaped.hint);
        false
    }

    /// A value as it stands in the file, quotes and all.
    pub(super) fn raw(&self, field: &Spanned<Scalar>) -> &'a str {
        self.text.get(field.span()).unwrap_or_default()
    }

    /// A whole number in a range.
    pub(super) fn count(&mut self, key: &str, field: &Field, range: Range<u64>) -> Option<u64> {
        let field = field.as_ref()?;
        self.count_of(key, field, range)
    }

    /// A whole number in a range that must be there.
    pub(super) fn count_of(&mut self, key: &str, field: &Spanned<Scalar>, range: Range<u64>) -> Option<u64> {
        let text = self.raw(field);
        match field.get_ref().0.replace('_', "").parse::<u64>() {
            Ok(n) if range.contains(&n) => Some(n),
            Ok(_) => {
                let hint = format!("write a whole number from {} to {}", range.start, range.end - 1);
                self.error(field.span(), format!("`{key} = {text}` is out of range"), hint);
                None
            }
            Err(_) if text.parse::<i128>().is_ok() => {
                let hint = match range.end {
                    u64::MAX => format!("write a whole number from {} on", range.start),
                    end => format!("write a whole number from {} to {}", range.start, end - 1),
                };
                self.error(field.span(), format!("`{key} = {text}` is out of range"), hint);
                None
            }
            Err(_) => {
                let number = shape::written_number(key, &field.get_ref().0, true);
                let example = number.filter(|number| number.bytes().all(|b| b.is_ascii_digit()));
                let hint = match example {
                    Some(number) => format!("write `{key} = {number}`"),
                    None => format!(
                        "write it without a unit and without quotes, for example `{key} = {}`",
                        range.start.max(1)
                    ),
                };
                self.error(field.span(), format!("`{key} = {text}` is not a whole number"), hint);
                None
            }
        }
    }

    /// A yes or no.
    pub(super) fn flag(&mut self, key: &str, field: &Field) -> Option<bool> {
        self.choice(key, field, &[("true", true), ("false", false)])
    }

    /// One of a few words.
    pub(super) fn choice<T: Copy>(&mut self, key: &str, field: &Field, words: &[(&str, T)]) -> Option<T> {
        let field = field.as_ref()?;
        let text = &field.get_ref().0;
        if let Some(&(_, value)) = words.iter().find(|(word, _)| word == text) {
            return Some(value);
        }
        let names = words.iter().map(|w| w.0);
        let all = names.clone().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ");
        let hint = match dw_error::nearest(text, names) {
            Some(word) => format!("did you mean `{word}`? Possible: {all}"),
            None => format!("write one of {all}"),
        };
        self.error(field.span(), format!("`{key} = \"{text}\"` is not one of its values"), hint);
        None
    }

    /// A host-cache mode, in its own capitals.
    pub(super) fn cache_mode(&mut self, key: &str, field: &Field) -> Option<CacheMode> {
        self.choice(key, field, &CacheMode::ALL.map(|mode| (mode.name(), mode)))
    }

    /// The fault of a file that is not TOML, or not the shape of a scenario.
    pub(super) fn shape_error(&mut self, error: &toml::de::Error) {
        let (span, shape) = shape::of_toml(self.text, error.span(), error.message());
        let example = shape.missing.as_deref().and_then(|key| {
            Some(match key {
                "vm" => "[vm]\n      size = \"Standard_DS14\"",
                "name" => "name = \"data\"",
                "disks" => "disks = \"4 x P30\"",
                "volume" => "volume = \"data\"",
                "at" => "at = \"10 s\"",
                "do" => "do = \"crash\"",
                _ => return None,
            })
        });
        let hint = match example {
            Some(example) => format!("write {example}"),
            None if shape.what.contains("a list of tables belongs") => {
                "volumes are a list: start each with `[[volume]]`".to_string()
            }
            None if shape.what.contains("a table belongs") => {
                "write a table, for example `[vm]` or `{ iops = 5000 }`".to_string()
            }
            None if shape.hint.starts_with("strings need quotes") => {
                format!("{}: see docs/guide/scenario.md", shape.hint)
            }
            None => shape.hint,
        };
        self.error(span, shape.what, hint);
    }
}

/// A likely value of a key, where the quantity's own example would mislead.
fn example(key: &str) -> Option<&'static str> {
    match key {
        "stripe_unit" | "block_size" => Some("64 KiB"),
        "io_unit" => Some("256 KiB"),
        "ram" | "dirty_max" => Some("1 GiB"),
        "throughput_depth" => Some("1 MiB"),
        "destage_after" => Some("1 s"),
        "throttle_interval" => Some("50 ms"),
        "burst_for" => Some("30 min"),
        _ if key.starts_with('p') || key == "max" => Some("1.5 ms"),
        _ => None,
    }
}

/// What a rule of the catalogue makes of a VM size, in the catalogue's own words.
pub(super) fn derived_said(row: &VmSize, derived: &Derived) -> Sentence {
    say!(RigDerived { size: &row.name, field: derived.field, rule: &derived.rule })
}
