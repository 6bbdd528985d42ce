//! Default latency models: quantiles of service time after admission, per medium and direction, each with a grade.
//!
//! Formula: log-linear between the knots of `data/latency.toml`, plus `len / bandwidth` of the stream.
//!
//! Grades: **A** percentiles measured and published; **B** mean or interval measured; **C** the vendor's design
//! statement; **D** assumption.
//!
//! Source: `data/latency.toml`, row by row; chapter `docs/model/latency.md`.
//!
//! Ignores: load (flat below the limit), drift over hours, correlation between requests. No vendor publishes
//! percentiles, so a measurement on the user's own disk is always better than these.

use std::sync::{Arc, LazyLock, OnceLock};

use dw_stack::{KnotError, QuantileTable, ServiceTime};
use dw_units::Throughput;
use serde::Deserialize;

/// A default latency model.
#[derive(Debug)]
pub struct LatencyModel {
    /// Its name, for example `premium-ssd`.
    pub name: String,
    /// How far to trust it: A to D, per direction where they differ.
    pub grade: String,
    /// Why these quantiles.
    pub reason: String,
    /// What they rest on.
    pub source: String,
    /// The knots of reads, for documents: parts per million and nanoseconds.
    pub read_knots: Vec<(u32, u64)>,
    /// The knots of writes.
    pub write_knots: Vec<(u32, u64)>,
    bandwidth: Option<Throughput>,
    // A table costs millions of instructions, and a run needs few of them.
    read: OnceLock<ServiceTime>,
    write: OnceLock<ServiceTime>,
}

impl LatencyModel {
    /// Service time of reads.
    pub fn read(&self) -> &ServiceTime {
        self.read.get_or_init(|| self.service_time(&self.read_knots).expect("the tests read every model"))
    }

    /// Service time of writes.
    pub fn write(&self) -> &ServiceTime {
        self.write.get_or_init(|| self.service_time(&self.write_knots).expect("the tests read every model"))
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
pub(crate) fn builtin(name: &str) -> &'static LatencyModel {
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
    read_us: Vec<u64>,
    write_us: Option<Vec<u64>>,
    bandwidth_mb_per_s: Option<u64>,
    grade: String,
    reason: String,
    source: String,
}

/// Models from a file of the same shape as the catalogue's own, as `calibrate` writes it; the error says what is wrong with it.
pub fn read(text: &str) -> Result<Vec<LatencyModel>, String> {
    let models = parse(text)?;
    for model in &models {
        for knots in [&model.read_knots, &model.write_knots] {
            model.service_time(knots).map_err(|e| format!("{}: {}", model.name, e.reason))?;
        }
    }
    if models.is_empty() { Err("there is no [[model]]".into()) } else { Ok(models) }
}

fn parse(text: &str) -> Result<Vec<LatencyModel>, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    file.model.into_iter().map(|row| row.model(&file.quantiles)).collect()
}

impl Row {
    fn model(self, quantiles: &[u32]) -> Result<LatencyModel, String> {
        let read_knots = knots(&self.name, quantiles, &self.read_us)?;
        let write_knots = match &self.write_us {
            Some(times) => knots(&self.name, quantiles, times)?,
            None => read_knots.clone(),
        };
        Ok(LatencyModel {
            read_knots,
            write_knots,
            name: self.name,
            grade: self.grade,
            reason: self.reason,
            source: self.source,
            bandwidth: self.bandwidth_mb_per_s.map(Throughput::mb_per_second),
            read: OnceLock::new(),
            write: OnceLock::new(),
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
            (models[0].name.as_str(), &models[0].read_knots[..]),
            ("mine", &[(500_000, 900_000), (1_000_000, 4_000_000)][..])
        );
        assert_eq!(models[0].write_knots, models[0].read_knots);
        for (from, to, what) in [
            ("[900, 4000]", "[900]", "mine: 2 quantiles, 1 times"),
            ("[900, 4000]", "[4000, 900]", "mine: "),
            ("1000000]", "999000]", "the last knot must be the maximum"),
            ("grade", "grad", "unknown field `grad`"),
        ] {
            let error = read(&good.replace(from, to)).unwrap_err();
            assert!(error.contains(what), "{to}: {error}");
        }
    }
}
