//! Default latency models: quantiles of service time after admission, per medium and direction, each with a grade.
//!
//! Formula: log-linear between the knots of `data/latency.toml`, times the spread of the setting, plus `len / bandwidth` of
//! the stream. [`LatencySetting::Typical`] is the knots themselves; the other two are the ends of what was published for
//! the same class in other regions and years.
//!
//! Grades: **A** percentiles measured and published; **B** mean or interval measured; **C** the vendor's design
//! statement; **D** assumption.
//!
//! Source: `data/latency.toml`, row by row; chapter `docs/model/latency.md`.
//!
//! Ignores: load (flat below the limit), drift over hours, correlation between requests; that a region may be slow in one
//! direction only. No vendor publishes percentiles, so a measurement on the user's own disk is always better than these.

use std::sync::{Arc, LazyLock, OnceLock};

pub use dw_demand::LatencySetting;
use dw_stack::{KnotError, QuantileTable, ServiceTime};
use dw_units::Throughput;
use serde::Deserialize;

/// A default latency model.
#[derive(Debug)]
pub struct LatencyModel {
    /// Its name, for example `premium-ssd`.
    pub name: String,
    /// What a person calls the medium, for example `Premium SSD`.
    pub title: String,
    /// How far to trust it: A to D, per direction where they differ.
    pub grade: String,
    /// Why these quantiles.
    pub reason: String,
    /// What they rest on.
    pub source: String,
    /// Whether it is what somebody measured on their own disk, which no setting changes.
    pub is_own: bool,
    read: Side,
    write: Side,
    bandwidth: Option<Throughput>,
}

/// One direction of a model.
#[derive(Debug)]
struct Side {
    /// Parts per million and nanoseconds, typical.
    knots: Vec<(u32, u64)>,
    /// Of the typical times, in percent, by setting.
    percent: [u64; 3],
    /// A table costs millions of instructions, and a run needs few of them.
    made: [OnceLock<ServiceTime>; 3],
}

impl Side {
    fn new(knots: Vec<(u32, u64)>, (optimistic, cautious): (u64, u64)) -> Self {
        Side { knots, percent: [optimistic, 100, cautious], made: [const { OnceLock::new() }; 3] }
    }

    fn knots(&self, setting: LatencySetting) -> Vec<(u32, u64)> {
        let percent = self.percent[setting as usize];
        self.knots.iter().map(|&(ppm, ns)| (ppm, ns * percent / 100)).collect()
    }
}

impl LatencyModel {
    /// Service time of reads.
    pub fn read(&self, setting: LatencySetting) -> &ServiceTime {
        self.made(&self.read, setting)
    }

    /// Service time of writes.
    pub fn write(&self, setting: LatencySetting) -> &ServiceTime {
        self.made(&self.write, setting)
    }

    /// The knots of reads: parts per million and nanoseconds.
    pub fn read_knots(&self, setting: LatencySetting) -> Vec<(u32, u64)> {
        self.read.knots(setting)
    }

    /// The knots of writes.
    pub fn write_knots(&self, setting: LatencySetting) -> Vec<(u32, u64)> {
        self.write.knots(setting)
    }

    /// Optimistic and cautious times of reads and of writes, in percent of the typical ones.
    pub fn spread(&self) -> [(u64, u64); 2] {
        [&self.read, &self.write].map(|side| (side.percent[0], side.percent[2]))
    }

    fn made<'a>(&self, side: &'a Side, setting: LatencySetting) -> &'a ServiceTime {
        side.made[setting as usize]
            .get_or_init(|| self.service_time(&side.knots(setting)).expect("the tests read every model"))
    }

    fn service_time(&self, knots: &[(u32, u64)]) -> Result<ServiceTime, KnotError> {
        let table = QuantileTable::from_knots(knots)?;
        Ok(ServiceTime { table: Arc::new(table), bandwidth: self.bandwidth })
    }
}

/// The model of that name.
pub fn model(name: &str) -> Option<&'static LatencyModel> {
    MODELS.iter().find(|model| model.name == name)
}

/// All models, in the order of the data file.
pub fn all() -> &'static [LatencyModel] {
    &MODELS
}

/// A model that the code itself refers to; the tests hold each of these names.
pub fn builtin(name: &str) -> &'static LatencyModel {
    model(name).expect("a model that the code names is in data/latency.toml")
}

static MODELS: LazyLock<Vec<LatencyModel>> =
    LazyLock::new(|| parse(include_str!("../data/latency.toml")).expect("data/latency.toml is part of the crate"));

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    quantiles: Vec<u32>,
    model: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    title: Option<String>,
    read_us: Vec<u64>,
    read_spread: Option<(u64, u64)>,
    write_us: Option<Vec<u64>>,
    write_spread: Option<(u64, u64)>,
    bandwidth_mb_per_s: Option<u64>,
    grade: String,
    reason: String,
    source: String,
}

/// Models from a file of the same shape as the catalogue's own, as `calibrate` writes it; the error says what is wrong with it.
pub fn read(text: &str) -> Result<Vec<LatencyModel>, String> {
    let models = parse(text)?;
    for model in &models {
        for side in [&model.read, &model.write] {
            for setting in LatencySetting::ALL {
                model.service_time(&side.knots(setting)).map_err(|e| format!("{}: {}", model.name, e.reason))?;
            }
        }
    }
    if models.is_empty() { Err("there is no [[model]]".into()) } else { Ok(models) }
}

fn parse(text: &str) -> Result<Vec<LatencyModel>, String> {
    let file: File =
        toml::from_str(text).map_err(|error| dw_error::shape::line_of_toml(text, error.span(), error.message()))?;
    file.model.into_iter().map(|row| row.model(&file.quantiles)).collect()
}

impl Row {
    fn model(self, quantiles: &[u32]) -> Result<LatencyModel, String> {
        let read_knots = knots(&self.name, quantiles, &self.read_us)?;
        let write_knots = match &self.write_us {
            Some(times) => knots(&self.name, quantiles, times)?,
            None => read_knots.clone(),
        };
        let is_own = self.read_spread.is_none() && self.write_spread.is_none();
        let read_spread = self.read_spread.unwrap_or((100, 100));
        let write_spread = self.write_spread.unwrap_or(read_spread);
        for (key, (optimistic, cautious)) in [("read_spread", read_spread), ("write_spread", write_spread)] {
            if !(1..=100).contains(&optimistic) || !(100..=1_000).contains(&cautious) {
                return Err(format!(
                    "{}: `{key} = [{optimistic}, {cautious}]` must be a percentage up to 100 and one from 100 to 1,000",
                    self.name
                ));
            }
        }
        Ok(LatencyModel {
            read: Side::new(read_knots, read_spread),
            write: Side::new(write_knots, write_spread),
            is_own,
            title: self.title.unwrap_or_else(|| self.name.clone()),
            name: self.name,
            grade: self.grade,
            reason: self.reason,
            source: self.source,
            bandwidth: self.bandwidth_mb_per_s.map(Throughput::mb_per_second),
        })
    }
}

fn knots(name: &str, quantiles: &[u32], times_us: &[u64]) -> Result<Vec<(u32, u64)>, String> {
    if quantiles.len() != times_us.len() {
        return Err(format!("{name}: {} quantiles, {} times", quantiles.len(), times_us.len()));
    }
    Ok(quantiles.iter().copied().zip(times_us.iter().map(|us| us * 1_000)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_ones_own_is_read_and_its_faults_are_told() {
        let good = "quantiles = [500000, 1000000]\n[[model]]\nname = \"mine\"\nread_us = [900, 4000]\n\
                    grade = \"A\"\nreason = \"fitted\"\nsource = \"here\"\n";
        let models = read(good).unwrap();
        assert_eq!(
            (models[0].name.as_str(), models[0].read_knots(LatencySetting::Typical)),
            ("mine", vec![(500_000, 900_000), (1_000_000, 4_000_000)])
        );
        for setting in LatencySetting::ALL {
            assert_eq!(models[0].write_knots(setting), models[0].read_knots(LatencySetting::Typical));
        }
        assert!(models[0].is_own, "what was measured on one's own disk is not spread");
        for (from, to, what) in [
            ("[900, 4000]", "[900]", "mine: 2 quantiles, 1 times"),
            ("[900, 4000]", "[4000, 900]", "mine: "),
            ("1000000]", "999000]", "the last knot must be the maximum"),
            ("grade", "grad", "line 5: unknown key `grad`: did you mean `grade`?"),
            ("\"mine\"", "800", "line 3: `name = 800` is a whole number, but a string is expected"),
            ("grade", "read_spread = [120, 150]\ngrade", "mine: `read_spread = [120, 150]` must be"),
        ] {
            let error = read(&good.replace(from, to)).unwrap_err();
            assert!(error.contains(what), "{to}: {error}");
        }
    }
}
