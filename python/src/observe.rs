//! Recordings in, checklists out.

use diskwright::dw_observe::volumes::VolumeChoice;
use diskwright::dw_observe::windows::Window;
use diskwright::dw_units::Duration;
use diskwright::{ObservationOutcome, ObserveOptions, Recording};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyDict;

use crate::catalogue::Catalogue;
use crate::requirements::Requirements;
use crate::table::{Table, counts, floats, lists, texts};
use crate::{error, keys, result, work};

/// What a machine was seen to ask of its disks.
#[pyclass(frozen, module = "diskwright")]
pub struct Checklist(ObservationOutcome);

/// Reads recordings: `(name, bytes)` each, where bytes that are absent are read from the file of that name.
#[pyfunction]
#[pyo3(signature = (recordings, volumes, windows, every, machine, growth, strict, progress))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn observe(
    py: Python<'_>,
    recordings: Vec<(String, Option<PyBackedBytes>)>,
    volumes: Vec<(String, Vec<String>)>,
    windows: Vec<String>,
    every: Option<&str>,
    machine: Option<String>,
    growth: f64,
    strict: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Checklist> {
    let mut options = ObserveOptions { strict, ..ObserveOptions::default() };
    let volume = |(name, devices): (String, Vec<String>)| VolumeChoice { name, devices };
    options.settings.volumes = volumes.into_iter().map(volume).collect();
    options.settings.machine = machine;
    if !(growth > 0.0 && growth.is_finite()) {
        return Err(error::usage(py, format!("`growth` is {growth}"), "write for example 1.2 for 20 % more"));
    }
    options.settings.growth = growth;
    for window in &windows {
        let parsed = Window::parse(window).map_err(|what| error::usage(py, format!("`windows`: {what}"), ""))?;
        options.settings.windows.extend(parsed);
    }
    options.recorder.every = every.map(|text| interval(py, text)).transpose()?;
    let observed = work::with_session(py, None, progress, |session| {
        let all: Vec<Recording> =
            recordings.iter().map(|(name, bytes)| Recording { name, bytes: bytes.as_deref() }).collect();
        session.observe(&all, &options)
    })?;
    Ok(Checklist(observed))
}

/// A length of time above zero.
pub fn interval(py: Python<'_>, text: &str) -> PyResult<Duration> {
    match text.parse::<Duration>() {
        Ok(length) if length > Duration::ZERO => Ok(length),
        Ok(_) => Err(error::usage(py, format!("`{text}` is no time"), "write for example \"2s\"")),
        Err(e) => Err(error::usage(py, e.to_string(), "write for example \"2s\"")),
    }
}

#[pymethods]
impl Checklist {
    /// Windows, the whole recording first.
    #[getter]
    fn windows(&self) -> Vec<String> {
        self.0.observation.windows.iter().map(|window| window.name.clone()).collect()
    }

    /// Names of volumes.
    #[getter]
    fn volumes(&self) -> Vec<String> {
        self.0.observation.volumes[self.first()..].iter().map(|volume| volume.name.clone()).collect()
    }

    /// What to doubt, the gravest first: severity, what was seen, what it does to a plan, what to do.
    #[getter]
    fn findings(&self) -> Table {
        let all = self.0.checklist().findings;
        Table::new(vec![
            ("severity", texts(all.iter().map(|f| Some(&f.severity)))),
            ("title", texts(all.iter().map(|f| Some(&f.title.text)))),
            ("what", texts(all.iter().map(|f| Some(&f.what.text)))),
            ("effect", texts(all.iter().map(|f| Some(&f.effect.text)))),
            ("hint", texts(all.iter().map(|f| f.hint.as_ref().map(|hint| &hint.text)))),
            ("count", counts(all.iter().map(|f| Some(f.count)))),
        ])
    }

    /// A row for each figure of each volume and window: what the checklist shows.
    fn table(&self) -> Table {
        let document = self.0.checklist();
        let mut rows = Vec::new();
        for volume in &document.volumes[self.first()..] {
            for window in &volume.windows {
                rows.extend(window.rows.iter().map(|row| (volume, window, row)));
            }
        }
        let cell = |of: fn(&diskwright::dw_documents::checklist::RowDocument) -> Option<f64>| {
            floats(rows.iter().map(|(_, _, row)| of(row)))
        };
        Table::new(vec![
            ("volume", texts(rows.iter().map(|(volume, ..)| Some(&volume.name)))),
            ("devices", lists(rows.iter().map(|(volume, ..)| volume.devices.clone()))),
            ("window", texts(rows.iter().map(|(_, window, _)| Some(&window.window)))),
            ("row", texts(rows.iter().map(|(_, _, row)| Some(&row.row)))),
            ("number", counts(rows.iter().map(|(_, _, row)| row.number.map(u64::from)))),
            ("unit", texts(rows.iter().map(|(_, _, row)| Some(&row.unit)))),
            ("min", cell(|row| row.min)),
            ("mean", cell(|row| row.mean)),
            ("p50", cell(|row| row.p50.as_ref().map(|cell| cell.value))),
            ("p90", cell(|row| row.p90.as_ref().map(|cell| cell.value))),
            ("p99", cell(|row| row.p99.as_ref().map(|cell| cell.value))),
            ("p99_low", cell(|row| row.p99.as_ref().and_then(|cell| cell.low))),
            ("p99_high", cell(|row| row.p99.as_ref().and_then(|cell| cell.high))),
            ("max", cell(|row| row.max)),
            ("p99_grown", cell(|row| row.p99_grown)),
            ("n", counts(rows.iter().map(|(_, _, row)| Some(row.n as u64)))),
            ("provenance", texts(rows.iter().map(|(_, _, row)| Some(&row.provenance)))),
            ("source", texts(rows.iter().map(|(_, _, row)| Some(&row.source)))),
        ])
    }

    /// A row for each interval of each volume, rates per second, latency in seconds. Where the recording is long, each row is the busiest
    /// of `every` intervals.
    fn series(&self) -> Table {
        let document = self.0.checklist();
        let each = || document.volumes[self.first()..].iter();
        let cells = |of: fn(&diskwright::dw_documents::checklist::SeriesDocument) -> &Vec<Option<f64>>| {
            floats(each().flat_map(move |volume| of(&volume.series).clone()))
        };
        Table::new(vec![
            ("volume", texts(each().flat_map(|v| v.series.end_s.iter().map(|_| Some(v.name.clone()))))),
            ("end_s", floats(each().flat_map(|v| v.series.end_s.iter().copied().map(Some)))),
            ("every", counts(each().flat_map(|v| v.series.end_s.iter().map(|_| Some(v.series.every as u64))))),
            ("read_iops", cells(|series| &series.read_iops)),
            ("write_iops", cells(|series| &series.write_iops)),
            ("iops", cells(|series| &series.iops)),
            ("read_bytes_per_s", cells(|series| &series.read_bytes_per_s)),
            ("write_bytes_per_s", cells(|series| &series.write_bytes_per_s)),
            ("latency_s", cells(|series| &series.latency_s)),
            ("queue_depth", cells(|series| &series.queue_depth)),
        ])
    }

    /// What a plan must meet, of one window: that of the peak, or the whole recording. Other keywords are keys of `[plan]`, and those
    /// of `volumes` keys of `[[volume]]`, as in a `requirements.toml`; `capacity` is short for that key of each volume.
    #[pyo3(signature = (window = None, *, capacity = None, volumes = None, catalogue = None, **plan))]
    fn requirements(
        &self,
        py: Python<'_>,
        window: Option<&str>,
        capacity: Option<&Bound<'_, PyAny>>,
        volumes: Option<&Bound<'_, PyAny>>,
        catalogue: Option<&Catalogue>,
        plan: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Requirements> {
        let window = match window {
            Some(window) => window,
            None => self.0.planned_window().map_err(|error| error::raise(py, &error))?,
        };
        let keys = keys::from_keywords(py, capacity, volumes, plan)?;
        Requirements::of_observed(py, &self.0, window, &keys, catalogue)
    }

    fn __repr__(&self) -> String {
        format!("<diskwright.Checklist of {}: {}>", self.0.names.join(", "), self.volumes().join(", "))
    }
}

impl Checklist {
    /// The first volume: before it stands the sum of all, where there are several.
    fn first(&self) -> usize {
        usize::from(self.0.observation.volumes.len() > 1)
    }

    /// What it was made from.
    pub fn observed(&self) -> &ObservationOutcome {
        &self.0
    }
}

result::methods!(Checklist, "of `diskwright observe --format json`", |it| Ok(it.0.checklist()));
