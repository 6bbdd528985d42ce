//! Simulations.

use diskwright::dw_documents::run::{Direction, Track};
use diskwright::{LoadOptions, SimulationOutcome, Texts};
use diskwright_cli::in_use;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::catalogue::Catalogue;
use crate::requirements::Requirements;
use crate::rig::Rig;
use crate::table::{Table, counts, floats, lists, texts};
use crate::{observe, result, work};

/// What a simulation came to.
#[pyclass(frozen, module = "diskwright")]
pub struct Run(SimulationOutcome);

/// Simulates a load on a rig: requirements with a demand over time, or `(name, text)` of job files.
#[pyfunction]
#[pyo3(signature = (rig, load, *, series, seed, exact, error, catalogue, progress))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub fn simulate(
    py: Python<'_>,
    rig: &Rig,
    load: &Bound<'_, PyAny>,
    series: Option<&str>,
    seed: Option<u64>,
    exact: bool,
    error: Option<f64>,
    catalogue: Option<&Catalogue>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Run> {
    let series = series.map(|text| observe::interval(py, text)).transpose()?;
    let options = LoadOptions { series, seed, exact, error, ..LoadOptions::default() };
    let scenario = rig.scenario().clone();
    if error.is_some_and(|error| !(error > 0.0 && error <= 1.0)) {
        let what = format!("`error` is {}", error.unwrap_or_default());
        return Err(crate::error::usage(py, what, "write a share, for example 0.01 for 1 %"));
    }
    let begun = std::time::Instant::now();
    let mut simulated = if let Ok(requirements) = load.cast::<Requirements>() {
        let demand = requirements.get().demand().clone();
        work::with_session(py, catalogue, progress, |session| {
            session.simulate(session.replay_with(scenario, demand, &options)?)
        })?
    } else if let Ok(files) = load.extract::<Vec<(String, String)>>() {
        work::with_session(py, catalogue, progress, |session| {
            session.simulate(session.load(scenario, &Texts::of_files(files), &options)?)
        })?
    } else {
        return Err(PyTypeError::new_err("a load is Requirements, or a list of names and texts of job files"));
    };
    simulated.wall_s = Some(begun.elapsed().as_secs_f64());
    Ok(Run(simulated))
}

#[pymethods]
impl Run {
    /// I/Os per second of all volumes together.
    #[getter]
    fn iops(&self) -> f64 {
        self.0.summary().total.all.iops
    }

    /// What holds each volume, in sentences.
    #[getter]
    fn bottlenecks(&self) -> Vec<String> {
        self.0.summary().binding_limits.into_iter().map(|binding| binding.sentence.text).collect()
    }

    /// What to doubt of it.
    #[getter]
    fn doubts(&self) -> Vec<String> {
        self.0.summary().doubts.into_iter().map(|doubt| doubt.text.text).collect()
    }

    /// A row for each volume and direction: rates, latencies in seconds.
    fn table(&self) -> Table {
        let summary = self.0.summary();
        let mut rows: Vec<(&str, &str, &Direction)> = Vec::new();
        for volume in &summary.volumes {
            let load = &volume.load;
            for (word, direction) in [("read", &load.read), ("write", &load.write), ("trim", &load.trim)] {
                rows.extend(direction.iter().map(|direction| (volume.name.as_str(), word, direction)));
            }
        }
        let latency = |of: fn(&diskwright::dw_documents::run::Latency) -> f64| {
            floats(rows.iter().map(|row| row.2.latency_ns.as_ref().map(|latency| of(latency) / 1e9)))
        };
        Table::new(vec![
            ("volume", texts(rows.iter().map(|row| Some(row.0)))),
            ("direction", texts(rows.iter().map(|row| Some(row.1)))),
            ("ios", counts(rows.iter().map(|row| Some(row.2.ios)))),
            ("bytes", counts(rows.iter().map(|row| Some(row.2.bytes)))),
            ("iops", floats(rows.iter().map(|row| Some(row.2.iops)))),
            ("bytes_per_s", floats(rows.iter().map(|row| Some(row.2.bytes_per_s)))),
            ("latency_mean_s", latency(|latency| latency.mean)),
            ("latency_p50_s", latency(|latency| latency.p50 as f64)),
            ("latency_p99_s", latency(|latency| latency.p99 as f64)),
            ("latency_max_s", latency(|latency| latency.max as f64)),
        ])
    }

    /// A row for each limit: what it gives, what was used of it while the job `while_ran` ran (null: all the time), how long was waited at it,
    /// which volumes it throttles.
    fn limits(&self) -> Table {
        let all = self.0.summary().limits;
        Table::new(vec![
            ("limit", texts(all.iter().map(|line| Some(&line.limit)))),
            ("place", texts(all.iter().map(|line| Some(&line.place)))),
            ("unit", texts(all.iter().map(|line| Some(&line.unit)))),
            ("sustained", counts(all.iter().map(|line| Some(line.sustained)))),
            ("burst", counts(all.iter().map(|line| line.burst))),
            ("available", floats(all.iter().map(|line| Some(line.available)))),
            ("used", floats(all.iter().map(|line| Some(line.used)))),
            ("headroom_percent", floats(all.iter().map(|line| Some(line.headroom_percent)))),
            ("waiting_percent", floats(all.iter().map(|line| Some(line.waiting_percent)))),
            ("while_ran", texts(all.iter().map(|line| line.while_ran.as_ref()))),
            ("credits_left", counts(all.iter().map(|line| line.credits_left))),
            ("credits_max", counts(all.iter().map(|line| line.credits_max))),
            ("credits_out_s", floats(all.iter().map(|line| line.credits_out_s))),
            ("throttles", lists(all.iter().map(|line| line.holds.clone()))),
        ])
    }

    /// A row for each interval in which a volume and direction had I/Os, rates over that interval, which ends at `end_s`; the last may be
    /// shorter than the others. Empty without `series`.
    fn series(&self) -> Table {
        let tracks = self.0.summary().series;
        let cells =
            |of: fn(&Track) -> &Vec<f64>| floats(tracks.iter().flat_map(move |t| of(t).iter().copied().map(Some)));
        let each = |of: fn(&Track) -> &String| {
            texts(tracks.iter().flat_map(move |track| track.end_s.iter().map(move |_| Some(of(track).clone()))))
        };
        let seconds = |ns: f64| Some(ns / 1e9);
        let hits = tracks.iter().flat_map(|track| {
            let shares = track.hit_percent.clone();
            (0..track.end_s.len()).map(move |at| shares.as_ref().and_then(|shares| shares.get(at).copied()))
        });
        Table::new(vec![
            ("volume", each(|track| &track.volume)),
            ("direction", each(|track| &track.direction)),
            ("end_s", cells(|track| &track.end_s)),
            ("iops", cells(|track| &track.iops)),
            ("bytes_per_s", cells(|track| &track.bytes_per_s)),
            ("latency_mean_s", floats(tracks.iter().flat_map(|t| t.latency_mean_ns.iter().map(|ns| seconds(*ns))))),
            (
                "latency_max_s",
                floats(tracks.iter().flat_map(|t| t.latency_max_ns.iter().map(|ns| seconds(*ns as f64)))),
            ),
            ("hit_percent", floats(hits)),
            ("waits_at", texts(tracks.iter().flat_map(|track| track.waits_at.clone()))),
            ("waited_percent", cells(|track| &track.waited_percent)),
        ])
    }

    fn __repr__(&self) -> String {
        format!("<diskwright.Run {:.0} IOPS; {}>", self.iops(), self.bottlenecks().join(" "))
    }
}

impl Run {
    /// As the library has it.
    pub fn simulated(&self) -> &SimulationOutcome {
        &self.0
    }
}

result::methods!(Run, "of `diskwright simulate --output-format json`", |it| it.0.document(in_use::stamp()));
