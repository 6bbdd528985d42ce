//! The latency model of a medium from what was measured on it, with its evidence, and how much of the error went away on data that
//! it was not fitted to.
//!
//! Lives here: which scenarios show the medium, the fit, the check, the model file.
//! Never here: measuring ([`crate::bench`]), how the stack uses a model, tables.
//! Read next: `calibrate/fit.rs`, then `calibrate/check.rs`.
//!
//! While requests wait at a limit the medium does not show, so only scenarios that no limit holds are used: those that grow slower
//! with the load are left out, so that a whole `latency-at-load` can be given. Every other one is fitted to; those between are held
//! back. A model that predicts those worse than the one of before is not to be used, and its grade is how well it predicts them.

use dw_documents::bench::Rig as RigOf;
pub use dw_documents::calibrate::*;
use dw_error::{Error, Named, Result};
use dw_formats::scenario::Scenario as Rig;
use dw_stack::CacheMode;

use crate::measured::Source;
use crate::scenario;
use crate::session::Session;

mod check;
mod document;
mod fit;
mod points;

/// What is fitted.
#[derive(Clone, Debug, Default)]
pub struct CalibrateOptions {
    /// Name of the model: letters, digits, `-`, `_` and `.`, and none of the catalogue.
    pub name: String,
    /// The volume whose disks are fitted; absent = the only one.
    pub volume: Option<String>,
    /// The VM that results of fio, DiskSpd or Iometer were measured on, by the name of its scenario and its text; documents of `bench`
    /// say it themselves.
    pub rig: Option<(String, String)>,
}

/// Whether a model can be called so.
pub fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

impl Session {
    /// Fits the latency of a volume's disks to what was measured below their limits: microseconds at quantiles, plus size over MB/s.
    /// The document has the model file as text (`model`), for `latency_models` of a scenario; [`CalibrateDocument::is_worse`] says
    /// whether it is better left alone. Every scenario that is held back is simulated with both models.
    ///
    /// # Errors
    /// Of kind `Usage` where the name or the volume makes no sense, `Input` where too few scenarios show the disks alone, or the results
    /// are of two rigs; `Interrupted` where the observer asked to stop.
    ///
    /// ```
    /// use diskwright::calibrate::CalibrateOptions;
    /// use diskwright::measured::About;
    /// use diskwright::{Catalogue, Session};
    /// let session = Session::new(Catalogue::embedded().clone());
    /// let rig = "[vm]\nsize = 'Standard_DS14'\n[[volume]]\nname = 'data'\ndisks = 'P30'\n";
    /// // Two runs of one stream each, below the limits: 2 ms at the median.
    /// let run = |name: &str| {
    ///     format!(
    ///         r#"{{ "fio version": "fio-3.33", "jobs": [{{ "jobname": "{name}", "error": 0,
    ///         "job options": {{ "rw": "randread", "bs": "8k", "iodepth": "1", "direct": "1", "filename": "data" }},
    ///         "read": {{ "io_bytes": 81920000, "io_kbytes": 80000, "total_ios": 10000, "runtime": 20000, "iops": 500.0, "bw_bytes": 4096000,
    ///         "clat_ns": {{ "mean": 2000000.0, "max": 9000000, "N": 10000,
    ///             "percentile": {{ "50.000000": 1900000, "99.000000": 4000000 }} }} }} }}] }}"#
    ///     )
    /// };
    /// let (one, two) = (run("one"), run("two"));
    /// let about = About { volumes: &session.scenario("rig.toml", rig)?.volume_maps(), map: &[] };
    /// let results = session.results(&[("one.json", one.as_bytes()), ("two.json", two.as_bytes())], &about)?;
    /// let options =
    ///     CalibrateOptions { name: "p30-here".into(), volume: None, rig: Some(("rig.toml".into(), rig.into())) };
    /// let document = session.calibrate(results, &options)?;
    /// // 8 KiB at the rig's 500 MB/s are 16 of the 1,900 µs.
    /// assert_eq!((document.read_p50_us, document.grade.as_str(), document.is_worse()), (Some(1_884), "A", false));
    /// assert!(document.model.contains("name = \"p30-here\""));
    /// # Ok::<(), diskwright::Error>(())
    /// ```
    pub fn calibrate(&self, results: Vec<Source>, options: &CalibrateOptions) -> Result<CalibrateDocument> {
        self.step("calibrate", || calibrated(self, results, options))
    }
}

fn calibrated(session: &Session, mut results: Vec<Source>, options: &CalibrateOptions) -> Result<CalibrateDocument> {
    let name = &options.name;
    if !is_name(name) {
        let hint = "use letters, digits, `-`, `_` and `.`, for example `p30-here`";
        return Err(Error::usage(format!("`{name}` is not a valid model name")).hint(hint));
    }
    if dw_catalogue::latency::model(name).is_some() {
        return Err(Error::usage(format!("`{name}` is a model of the catalogue")).hint("choose another name"));
    }
    if let Some((file, text)) = &options.rig {
        let (rig, document) = described(session, file, text)?;
        for source in results.iter_mut().filter(|source| source.raw) {
            predicted(session, source, &rig, &document)?;
        }
    }
    let rig = rig(session, &results)?;
    let volume = volume(&rig, options.volume.as_deref())?;
    fitted(session, name, &results, &rig, volume)
}

/// The fit, its model file, and how good it is.
fn fitted(session: &Session, name: &str, results: &[Source], rig: &Rig, volume: usize) -> Result<CalibrateDocument> {
    let (points, left_out) = points::select(results, rig, volume).map_err(|(what, hint)| refused(&what, &hint))?;
    let (fitted, held_back) = points::split(&points);
    let model = fit::model(name, &fitted, &rig.stack.volumes[volume]);
    let times = fit::file(&model, results, &fitted, None);
    let checked = check::errors(session, rig, volume, &times, results, &held_back)?;
    let mut document = document::build(&model, &rig.volumes[volume].name, &fitted, left_out, checked);
    document.model = fit::file(&model, results, &fitted, Some(&document));
    document.grade = fit::grade(document.error_after_percent).to_string();
    Ok(document)
}

/// A rig from its text, and what documents say of it.
fn described(session: &Session, file: &str, text: &str) -> Result<(Rig, RigOf)> {
    let latency_models = session.model_texts(file, text)?;
    let rig = scenario::read(session.catalogue(), file, text, &latency_models, None)?;
    Ok((
        rig,
        RigOf {
            file: file.into(),
            text: text.into(),
            latency_models,
            latency: None,
            latency_from: Vec::new(),
            vm: None,
            edition: None,
            sources: Vec::new(),
            volumes: Vec::new(),
        },
    ))
}

/// A raw result with what the model of before says of each of its scenarios, where it says what was asked for.
fn predicted(session: &Session, source: &mut Source, rig: &Rig, document: &RigOf) -> Result<()> {
    let file = std::mem::replace(&mut source.document.rig, document.clone()).file;
    source.document.suite = format!("{} in {file}", source.document.suite);
    for (scenario, asked) in source.document.scenarios.iter_mut().zip(&source.asked) {
        let Some(job) = asked else { continue };
        let prediction = session.predict(rig, job, Vec::new())?;
        scenario.job = job.clone();
        (scenario.predicted, scenario.binding) = (prediction.shares, prediction.binding);
    }
    Ok(())
}

fn refused(what: &str, hint: &str) -> Error {
    Error::input(what).hint(hint)
}

/// The rig that all results are of.
fn rig(session: &Session, results: &[Source]) -> Result<Rig> {
    let Some(first) = results.first().map(|result| &result.document.rig) else {
        return Err(refused("there is no result", "give at least one result"));
    };
    if let Some(other) = results.iter().map(|r| &r.document.rig).find(|rig| rig.text != first.text) {
        let what = format!("the results are of two rigs: {} and {}", first.file, other.file);
        return Err(refused(&what, "calibrate from results of one rig"));
    }
    let latency = first.latency.as_deref().and_then(|word| word.parse().ok());
    scenario::read(session.catalogue(), &first.file, &first.text, &first.latency_models, latency)
}

fn volume(rig: &Rig, name: Option<&str>) -> Result<usize> {
    let names: Vec<&str> = rig.volumes.iter().map(|v| v.name.as_str()).collect();
    let place = match name {
        Some(name) => names.iter().position(|n| *n == name),
        None => (names.len() == 1).then_some(0),
    };
    let Some(place) = place else {
        let what = name.map_or("the rig has several volumes".into(), |name| format!("the rig has no volume `{name}`"));
        let hint = format!("give `{{volume}}`, one of {}", names.join(", "));
        return Err(Error::usage(what).hint(hint).naming(&[Named::new("volume")]));
    };
    if rig.stack.volumes[place].host_cache != CacheMode::None {
        let what = format!("volume `{}` has a host cache, which hides the disks' latency", names[place]);
        return Err(refused(&what, "measure with `host_cache = \"None\"` and calibrate from that"));
    }
    Ok(place)
}

#[cfg(test)]
mod tests;
