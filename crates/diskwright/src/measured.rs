//! Results of any benchmark, as [`Session::verify`] and [`Session::calibrate`] want them: our own document, or what fio, DiskSpd and
//! Iometer printed.
//!
//! Lives here: raw results as scenarios of a benchmark document, their figures added up by volume.
//! Never here: reading a tool's text (`dw_formats::results`), verdicts, fits.
//! Read next: `dw_formats::results` (which volume an entry is about), `measured/job.rs` (what was asked for, as a job).

use std::collections::BTreeMap;

use dw_documents::measure::{Latency, Load};
use dw_documents::results::fio;
use dw_error::{Error, Named, Result};
use dw_formats::results::{self, Entry, Figures, MeasuredRun, Tool};
pub use dw_formats::results::{About, Map};
use serde_json::Value;

use crate::bench::document::{BenchDocument, FioProgram, Mode, Procedure, Rig, RigVolume, Scenario, Share, State};
use crate::document;
use crate::session::Session;
use dw_messages::{Sentence, say};

pub mod job;

/// Latency in nanoseconds by parts per million of the requests.
pub type Quantiles = BTreeMap<u32, f64>;

/// fio's engines that read files through the page cache unless `direct` is set; others have none, or their own.
const FILE_ENGINES: [&str; 12] = [
    "sync",
    "psync",
    "vsync",
    "pvsync",
    "pvsync2",
    "libaio",
    "posixaio",
    "io_uring",
    "mmap",
    "splice",
    "windowsaio",
    "solarisaio",
];

/// A result.
#[derive(Clone, Debug)]
pub struct Source {
    /// As a benchmark document; of a raw result only what it says.
    pub document: BenchDocument,
    /// Of each scenario with one stream, in order: its percentiles of completion latency.
    pub quantiles: Vec<Option<Quantiles>>,
    /// Of each scenario of a raw result, what was asked for; nothing where the result does not say it.
    pub asked: Vec<Option<String>>,
    /// Of each scenario of a raw result, why it shows the machine's memory rather than the disks; nothing where it does not, or
    /// the result does not say.
    pub cached: Vec<Option<Sentence>>,
    /// Of each scenario of a raw result, the syncs after the writes of each volume; none in a document of `bench`.
    pub syncs: Vec<Vec<Share>>,
    /// What a tool complains of, with its place: jobs that failed, rates without a time. Nothing in a document of `bench`.
    pub notes: Vec<Sentence>,
    /// Of what the user said of names, in order: this has such a name.
    pub named: Vec<bool>,
    /// It is a tool's own, without predictions.
    pub raw: bool,
}

impl Session {
    /// Results by name and bytes: the documents of `bench`, or what fio (JSON, terse or its table), DiskSpd and Iometer print; rates
    /// are per second, latencies in nanoseconds. `about` says which volumes there are and what the user calls them; it may be empty
    /// for documents of `bench`, which say it themselves.
    ///
    /// # Errors
    /// Of kind `Input`, with name and line, where a text is none of these, a prediction of our own, or about a volume that nobody can
    /// tell; `Usage` where a tool's result comes without volumes, or `about` names what no result has.
    ///
    /// ```
    /// use diskwright::measured::About;
    /// use diskwright::{Catalogue, Session};
    /// let session = Session::new(Catalogue::embedded().clone());
    /// let rig = session.scenario("rig.toml", "[vm]\nsize = 'Standard_DS14'\n[[volume]]\nname = 'data'\ndisks = 'P30'\n")?;
    /// let fio = r#"{ "fio version": "fio-3.33", "jobs": [{ "jobname": "data", "error": 0, "job options": { "rw": "randread" },
    ///     "read": { "io_bytes": 81920000, "io_kbytes": 80000, "total_ios": 10000, "runtime": 2000, "iops": 5000.0, "bw_bytes": 40960000 } }] }"#;
    /// let about = About { volumes: &rig.volume_maps(), map: &[] };
    /// let results = session.results(&[("fio.json", fio.as_bytes())], &about)?;
    /// assert_eq!(results[0].document.scenarios[0].measured[0].load.iops, 5_000.0);
    /// # Ok::<(), diskwright::Error>(())
    /// ```
    pub fn results(&self, results: &[(&str, &[u8])], about: &About) -> Result<Vec<Source>> {
        let sources: Vec<Source> =
            results.iter().map(|(name, bytes)| Source::read(name, bytes, about)).collect::<Result<_>>()?;
        about.unmatched(sources.iter().map(|source| source.named.as_slice()))?;
        Ok(sources)
    }
}

impl Source {
    /// Reads a result; whether `about` names what is not in it is for the caller to see in `named`.
    ///
    /// # Errors
    /// As [`Session::results`].
    pub fn read(name: &str, bytes: &[u8], about: &About) -> Result<Source> {
        crate::text::is_plain(name, bytes)?;
        let text = dw_counters::decoded(bytes);
        let text = text.trim_start_matches('\u{feff}');
        if is_own(text) {
            let document = own(name, text)?;
            let quantiles = document.scenarios.iter().map(of_fio).collect();
            let (asked, cached) = (vec![None; document.scenarios.len()], vec![None; document.scenarios.len()]);
            let syncs = vec![Vec::new(); document.scenarios.len()];
            let named = vec![false; about.map.len()];
            return Ok(Source { document, quantiles, asked, cached, syncs, notes: Vec::new(), named, raw: false });
        }
        let run = results::read_measured(name, text).map_err(|e| {
            let hint = format!("{}; or a result of `diskwright bench ... --format json`", e.hint);
            Error::from(e).hint(hint)
        })?;
        if run.simulated {
            let hint = "give at least one result on the prototype";
            return Err(Error::input("this is a prediction of diskwright's own").hint(hint).of_file(name));
        }
        if about.volumes.is_empty() {
            let hint = "give `{rig}`, the VM that it was measured on";
            return Err(Error::usage(format!("a result of {} does not describe its VM", tool(&run)))
                .hint(hint)
                .naming(&[Named::with("rig", "RIG.toml")])
                .of_file(name));
        }
        of_run(&run, about)
    }

    /// What shows the machine's memory rather than its disks, by scenario.
    pub fn through_the_cache(&self) -> impl Iterator<Item = (&Scenario, &Sentence)> {
        self.document.scenarios.iter().zip(&self.cached).filter_map(|(scenario, why)| Some((scenario, why.as_ref()?)))
    }
}

/// What a tool complains of, with its place.
pub(crate) fn notes(run: &MeasuredRun) -> Vec<Sentence> {
    let note = |note: &results::Note| {
        say!(ResultNote { place: format!("{}:{}", run.file, note.line), note: note.text.clone() })
    };
    run.notes.iter().map(note).collect()
}

fn tool(run: &MeasuredRun) -> &'static str {
    match run.tool {
        Tool::Fio => "fio",
        Tool::Diskspd => "DiskSpd",
        Tool::Iometer => "Iometer",
        Tool::Diskwright => "diskwright",
    }
}

/// Whether it is JSON of ours: a tool's own JSON has no `document`.
fn is_own(text: &str) -> bool {
    let value: Option<Value> = serde_json::from_str(text).ok();
    value.is_some_and(|v| v.get("document").is_some() || v.get("scenarios").is_some())
}

fn own(name: &str, text: &str) -> Result<BenchDocument> {
    dw_documents::read(text).map_err(|why| {
        let (line, what) = document::said(text, "this is not a result of `diskwright bench`", &why);
        let hint = format!("write one with `diskwright bench ... --format json --output {name}`");
        Error::input(what).hint(hint).at(name, line)
    })
}

/// The percentiles that fio printed for the only stream of a scenario.
fn of_fio(scenario: &Scenario) -> Option<Quantiles> {
    let share = sole(scenario)?;
    // Percentiles of several hosts do not add up.
    let run = fio::of_value(scenario.fio.as_ref().filter(|result| result.get("jobs").is_some())?).ok()?;
    of_figures(run.entries.first()?.direction(&share.direction)?)
}

/// The only stream of a scenario: one volume, one direction.
pub fn sole(scenario: &Scenario) -> Option<&Share> {
    let mut shares = scenario.measured.iter().filter(|s| !s.is_total());
    let (share, None) = (shares.next()?, shares.next()) else { return None };
    Some(share)
}

fn kept(percent: f64, ns: f64) -> Option<(u32, f64)> {
    let ppm = (percent * 1e4).round() as u32;
    Some((ppm, ns)).filter(|(ppm, ns)| (1..1_000_000).contains(ppm) && *ns > 0.0)
}

/// A raw result: each of its tests is a scenario.
fn of_run(run: &MeasuredRun, about: &About) -> Result<Source> {
    let name = |at: usize| about.volumes[at].name.as_str();
    let placed = about.placed(run, |_| true)?;
    let placed: Vec<(&Entry, &str)> = placed.into_iter().map(|(entry, volume)| (entry, name(volume))).collect();
    let tool = tool(run);
    let version = run.version.as_deref().unwrap_or_default();
    // fio calls itself `fio-3.33`.
    let version = if version.starts_with(tool) { version.into() } else { format!("{tool} {version}") };
    let (mut scenarios, mut quantiles, mut asked, mut cached) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut syncs = Vec::new();
    for test in 0..run.tests() {
        let own: Vec<(&Entry, &str)> = placed.iter().filter(|(e, _)| e.test == test).copied().collect();
        if own.is_empty() {
            continue;
        }
        let mut scenario = scenario(&own, run.tests());
        // Runs one after the other have the same jobs.
        if scenarios.iter().any(|known: &Scenario| known.id == scenario.id) {
            scenario.id = format!("{} of test {}", scenario.id, test + 1);
            scenario.title = scenario.id.clone();
        }
        quantiles.push(sole(&scenario).and_then(|share| of_entries(&own, &share.direction)));
        asked.push(job::text(run, &own));
        cached.push(through_cache(run, &own));
        syncs.push(syncs_of(&own));
        scenarios.push(scenario);
    }
    let mut volumes: Vec<&str> = placed.iter().map(|(_, volume)| *volume).collect();
    volumes.sort_unstable();
    volumes.dedup();
    let volume =
        |name: &&str| RigVolume { name: name.to_string(), disks: String::new(), host_cache: String::new(), bytes: 0 };
    let rig = Rig {
        file: run.file.clone(),
        text: String::new(),
        latency_models: Vec::new(),
        latency: None,
        latency_from: Vec::new(),
        vm: None,
        edition: None,
        sources: Vec::new(),
        volumes: volumes.iter().map(volume).collect(),
    };
    let document = BenchDocument {
        schema_version: dw_documents::SCHEMA_VERSION,
        document: Default::default(),
        diskwright_version: env!("CARGO_PKG_VERSION").into(),
        mode: Mode::Disks,
        suite: version.trim_end().into(),
        partial: false,
        rig,
        procedure: Procedure { measure_s: 0.0, ramp_s: 0.0, file_bytes: 0, scaled: None, clients: Vec::new() },
        targets: Vec::new(),
        machine: None,
        fio: Some(FioProgram { path: String::new(), version: version.trim_end().into() }),
        preparation: Vec::new(),
        scenarios,
        rows: Vec::new(),
        findings: Vec::new(),
        warnings: Vec::new(),
        metadata: None,
    };
    Ok(Source { document, quantiles, asked, cached, syncs, notes: notes(run), named: about.named(run), raw: true })
}

/// Why what ran together shows the page cache, where the result says so: fio and DiskSpd use it unless they are told not to.
fn through_cache(run: &MeasuredRun, entries: &[(&Entry, &str)]) -> Option<Sentence> {
    let through = |e: &Entry| {
        let is_file_engine = e.load.engine.as_deref().is_some_and(|engine| FILE_ENGINES.contains(&engine));
        // A part is as the whole that it is of.
        run.said(e, |e| e.load.direct) == Some(false) && (run.tool != Tool::Fio || is_file_engine)
    };
    let option = if run.tool == Tool::Fio { "direct=1" } else { "-Sh" };
    let is_through = entries.iter().any(|(e, _)| through(e));
    is_through.then(|| say!(ExcludedPageCache { option }))
}

/// Entries that ran together; named as the first of them.
fn scenario(entries: &[(&Entry, &str)], tests: u32) -> Scenario {
    let first = entries[0].0;
    let mut names: Vec<&str> = entries.iter().map(|(e, _)| e.name.as_str()).collect();
    names.dedup();
    let id = match names[..] {
        [only] if !only.is_empty() => only.to_string(),
        _ if tests > 1 => format!("{}+{} of test {}", first.name, names.len() - 1, first.test + 1),
        _ => format!("{}+{}", first.name, names.len() - 1),
    };
    let mut measured: Vec<Share> = Vec::new();
    let mut volumes: Vec<&str> = entries.iter().map(|(_, volume)| *volume).collect();
    volumes.sort_unstable();
    volumes.dedup();
    for volume in volumes {
        for direction in ["read", "write"] {
            let figures: Vec<&Figures> =
                entries.iter().filter(|(_, v)| *v == volume).filter_map(|(e, _)| figures_of(e, direction)).collect();
            measured.extend(load(&figures).map(|load| Share {
                volume: volume.into(),
                direction: direction.into(),
                load,
            }));
        }
    }
    let failure = entries.iter().find_map(|(e, _)| Some(say!(Plain { text: e.failure.as_deref()? })));
    Scenario {
        title: id.clone(),
        id,
        point: None,
        state: if failure.is_some() { State::Partial } else { State::Done },
        failure,
        job: String::new(),
        predicted: Vec::new(),
        measured,
        binding: Vec::new(),
        series: Vec::new(),
        client_cpu_percent: None,
        fio: None,
    }
}

/// The syncs of what ran together, by volume; their rate is that of the writes that they follow, as far as there is one for each.
fn syncs_of(entries: &[(&Entry, &str)]) -> Vec<Share> {
    let mut volumes: Vec<&str> = entries.iter().map(|(_, volume)| *volume).collect();
    volumes.sort_unstable();
    volumes.dedup();
    let of_volume = |volume: &&str| {
        let own = || entries.iter().filter(|(_, v)| v == volume);
        let figures: Vec<&Figures> = own().filter_map(|(entry, _)| entry.sync.as_ref()).collect();
        let mut load = load(&figures)?;
        let a_second = |entry: &Entry| {
            let (sync, write) = (entry.sync.as_ref()?.ios? as f64, entry.write.as_ref()?);
            Some(write.iops? * sync / write.ios.filter(|ios| *ios > 0)? as f64)
        };
        load.iops = own().filter_map(|(entry, _)| a_second(entry)).sum();
        Some(Share { volume: volume.to_string(), direction: "sync".into(), load })
    };
    volumes.iter().filter_map(of_volume).collect()
}

fn figures_of<'a>(entry: &'a Entry, direction: &str) -> Option<&'a Figures> {
    entry.direction(direction).filter(|f| f.iops.is_some_and(|iops| iops > 0.0))
}

/// Rates add up; the mean latency is by I/Os, and of percentiles, which do not add up, the highest is an upper bound.
fn load(figures: &[&Figures]) -> Option<Load> {
    let ios = |f: &Figures| f.ios.unwrap_or_else(|| (f.iops.unwrap_or(0.0) * f.elapsed_s.unwrap_or(1.0)) as u64);
    let sum = |of: &dyn Fn(&Figures) -> f64| figures.iter().map(|f| of(f)).sum::<f64>();
    let all: u64 = figures.iter().map(|f| ios(f)).sum();
    let bytes = sum(&|f| f.bytes.map_or(f.bytes_per_s.unwrap_or(0.0) * f.elapsed_s.unwrap_or(1.0), |b| b as f64));
    let latency = |f: &Figures| f.whole_latency().filter(|l| l.mean_ns.is_some()).cloned();
    let with: Vec<(f64, results::Latency)> =
        figures.iter().filter_map(|f| Some((ios(f) as f64, latency(f)?))).collect();
    let weight: f64 = with.iter().map(|(n, _)| n).sum();
    let highest = |percent: f64| {
        let at = |f: &&Figures| f.percentile(percent).map(|(_, ns)| ns as u64);
        figures.iter().filter_map(at).max()
    };
    let latency_ns = (weight > 0.0).then(|| Latency {
        mean: with.iter().map(|(n, l)| n * l.mean_ns.unwrap_or(0.0)).sum::<f64>() / weight,
        p50: highest(50.0),
        p90: highest(90.0),
        p95: highest(95.0),
        p99: highest(99.0),
        p99_9: highest(99.9),
        max: with.iter().filter_map(|(_, l)| l.max_ns).map(|ns| ns as u64).max(),
    });
    (!figures.is_empty()).then(|| Load {
        ios: all,
        bytes: bytes as u64,
        iops: sum(&|f| f.iops.unwrap_or(0.0)),
        bytes_per_s: sum(&|f| f.bytes_per_s.unwrap_or(0.0)),
        latency_ns,
    })
}

/// The percentiles of one entry: those of several do not add up.
fn of_entries(entries: &[(&Entry, &str)], direction: &str) -> Option<Quantiles> {
    let [(entry, _)] = entries else { return None };
    of_figures(figures_of(entry, direction)?)
}

fn of_figures(figures: &Figures) -> Option<Quantiles> {
    let latency = figures.with_percentiles()?;
    let mut quantiles: Quantiles = latency.percentiles.iter().filter_map(|p| kept(p.percent, p.ns)).collect();
    quantiles.insert(1_000_000, latency.max_ns?);
    Some(quantiles).filter(|q| q.len() > 1)
}
