//! A benchmark that is ready to run: its scenarios, where they go, and the document that they fill.

use std::mem::take;

use dw_documents::bench::{
    BenchDocument, Metadata, Metric, Mode, Procedure, Rig as RigRow, RigVolume, Scenario, State, Target, Warning,
    WarningKind,
};
use dw_documents::measure::Kind;
use dw_error::{Error, Result};
use dw_formats::scenario::Scenario as Rig;
use dw_messages::{Sentence, say};
use dw_stack::CacheMode;
use dw_units::{Duration, Throughput};

use super::job::{self, Length, Place};
use super::options::BenchOptions;
use super::suite::{Plan, RequiredFigure};
use super::{procedure, rows};
use crate::session::Session;
use crate::{figures, latency};

/// A benchmark of a rig, from [`Session::bench`]: predicted in virtual time, measured by a [`Runner`](super::Runner), or both.
#[derive(Clone, Debug)]
pub struct Bench {
    pub(super) rig: Rig,
    /// In the order of the document's scenarios.
    pub(super) plans: Vec<Plan>,
    /// One a plan.
    lengths: Vec<Length>,
    warm_up: Option<Duration>,
    pub(super) document: BenchDocument,
}

/// A rate that a scenario must reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rate {
    /// I/Os per second.
    Iops(f64),
    /// Bytes per second.
    Throughput(Throughput),
}

impl Session {
    /// What is run on a rig, the text of a scenario file: suites or job files as scenarios, each as a job of fio. Nothing has run
    /// yet: [`Bench::predict`] says what the model has of it, [`Bench::measure`] runs it.
    ///
    /// # Errors
    /// Of kind `Input` where the rig or a job file has a fault, or fio has no words for a load; `Usage` where the options name what
    /// the rig does not have.
    ///
    /// ```
    /// use diskwright::bench::{BenchOptions, Part, PartOutcome, Runner};
    /// use diskwright::dw_documents::bench::Mode;
    /// use diskwright::dw_formats::scenario::Scenario;
    /// use diskwright::dw_units::{Bytes, Duration};
    /// use diskwright::{Catalogue, LoadOptions, Session, Stamp, Texts, simulate::fio_json};
    ///
    /// /// A fio in virtual time; a real one starts a process here.
    /// struct Fio(Session, Scenario);
    ///
    /// impl Fio {
    ///     fn json(&self, part: &Part) -> diskwright::Result<String> {
    ///         let load = Texts::single(part.name, part.job.into());
    ///         let run = self.0.simulate(self.0.load(self.1.clone(), &load, &LoadOptions::default())?)?;
    ///         // `json+`: percentiles of several jobs come of their bins.
    ///         let plus = true;
    ///         Ok(fio_json::document(&run.as_run(), &run.summary(), Stamp::from_milliseconds(0), plus).value().to_string())
    ///     }
    /// }
    ///
    /// impl Runner for Fio {
    ///     fn run(&mut self, part: &Part) -> PartOutcome {
    ///         PartOutcome::from_fio(self.json(part))
    ///     }
    /// }
    ///
    /// let session = Session::new(Catalogue::embedded().clone());
    /// let rig = "[vm]\nsize = 'Standard_DS14'\n[[volume]]\nname = 'data'\ndisks = 'P30'\n";
    /// let second = Some(Duration::from_secs(1));
    /// let options = BenchOptions { mode: Mode::Disks, file: Some(Bytes::gib(1)), measure: second, ..Default::default() };
    /// let mut bench = session.bench("rig.toml", rig, &options)?;
    /// bench.predict(&session)?;
    /// bench.measure(&session, &mut Fio(session.clone(), session.scenario("rig.toml", rig)?))?;
    /// let row = &bench.document().rows[0];
    /// assert_eq!((row.scenario.as_str(), row.limit.as_deref()), ("max-read-iops", Some("disk IOPS")));
    /// assert!(row.difference_percent.is_some_and(|difference| difference.abs() < 3.0));
    /// # Ok::<(), diskwright::Error>(())
    /// ```
    pub fn bench(&self, name: &str, text: &str, options: &BenchOptions) -> Result<Bench> {
        let rig = self.scenario_with(name, text, options.latency)?;
        let (plans, remarks) = options.plans(self, &rig)?;
        let lengths: Vec<Length> = plans.iter().map(|plan| options.length(plan)).collect();
        let started = self.now().map_or(0, |now| now.seconds());
        let document = BenchDocument {
            schema_version: dw_documents::SCHEMA_VERSION,
            document: Default::default(),
            diskwright_version: env!("CARGO_PKG_VERSION").into(),
            mode: options.mode,
            suite: options.suite.word().into(),
            partial: true,
            rig: RigRow {
                file: name.into(),
                text: text.into(),
                latency_models: self.model_texts(name, text).unwrap_or_default(),
                latency: options.latency.map(|setting| setting.word().to_string()),
                ..rig_row(&rig)
            },
            procedure: procedure_of(options, &plans, &lengths),
            targets: Vec::new(),
            machine: None,
            fio: None,
            preparation: Vec::new(),
            scenarios: plans.iter().map(planned).collect(),
            rows: Vec::new(),
            findings: Vec::new(),
            warnings: warnings(&rig, &plans, remarks),
            metadata: Some(Metadata { started, ended: started, resumed: 0 }),
        };
        Ok(Bench { rig, plans, lengths, warm_up: options.warm_up, document }.on(Vec::new()))
    }
}

impl Bench {
    /// On these targets, one a volume that is used; the others' I/O goes to the model.
    pub fn on(mut self, targets: Vec<Target>) -> Bench {
        self.document.targets = targets;
        let place = |volume: usize| place(&self.rig, &self.document.targets, volume);
        self.document.preparation = procedure::preparation(&self.rig, &self.plans, &place, self.warm_up);
        let jobs = self.plans.iter().zip(&self.lengths).map(|(plan, length)| job::text(&plan.streams, &place, *length));
        for (scenario, job) in self.document.scenarios.iter_mut().zip(jobs.collect::<Vec<_>>()) {
            scenario.job = job;
        }
        self
    }

    /// A figure that a scenario must reach, in addition to those of its suite.
    ///
    /// # Errors
    /// Of kind `Usage` where no scenario is called so.
    pub fn require(&mut self, scenario: &str, rate: Rate) -> Result<()> {
        let known: Vec<&str> = self.plans.iter().map(|p| p.id.as_str()).collect();
        let Some(place) = known.iter().position(|id| *id == scenario) else {
            let what = format!("unknown scenario `{scenario}`");
            return Err(Error::usage(what).hint(format!("scenarios: {}", known.join(", "))));
        };
        let plan = &mut self.plans[place];
        let (metric, value) = match rate {
            Rate::Iops(iops) => (Metric::Iops, iops),
            Rate::Throughput(throughput) => (Metric::Throughput, throughput.get() as f64),
        };
        // One stream has a line of its own; several are held against their sum.
        let sole = plan.streams.iter().all(|s| s.volume == plan.streams[0].volume && s.reads == plan.streams[0].reads);
        let mixed = plan.streams.iter().flat_map(|s| &s.options).any(|(k, v)| k == "rw" && v.contains("rw"));
        let (volume, direction) = match plan.streams.first() {
            Some(stream) if sole && !mixed => {
                (self.rig.volumes[stream.volume].name.clone(), if stream.reads { "read" } else { "write" })
            }
            _ => ("all".into(), "all"),
        };
        plan.required.push(RequiredFigure { volume, direction: direction.into(), metric, value });
        plan.metric = metric;
        Ok(())
    }

    /// Whether an earlier result is of this benchmark, so that [`Bench::resume`] may take it over.
    pub fn is_same(&self, known: &BenchDocument) -> bool {
        let document = &self.document;
        // A socket of the emulator has another path each time.
        let job = |text: &str| text.lines().filter(|l| !l.starts_with("uri=")).collect::<Vec<_>>().join("\n");
        known.rig.text == document.rig.text
            && known.rig.latency_models == document.rig.latency_models
            && known.rig.latency == document.rig.latency
            && known.mode == document.mode
            && known.procedure.clients == document.procedure.clients
            && known.scenarios.len() == document.scenarios.len()
            && known.scenarios.iter().zip(&document.scenarios).all(|(a, b)| a.id == b.id && job(&a.job) == job(&b.job))
    }

    /// Takes over what an earlier run of the same benchmark finished.
    pub fn resume(&mut self, known: BenchDocument) {
        let document = &mut self.document;
        let emulated = document.mode == Mode::Emulated;
        let all = known.scenarios.iter().all(|s| s.state == State::Done);
        // A new emulator begins cold.
        if !emulated || all {
            document.preparation = known.preparation;
        }
        // A file that is not there any more, or not all of it, is filled again.
        for step in document.preparation.iter_mut().filter(|_| !all) {
            let target = document.targets.iter().find(|t| t.volume == step.volume).and_then(|t| t.facts.as_ref());
            if target.is_some_and(|f| f.kind == Kind::File && f.bytes < step.bytes) {
                step.state = State::Planned;
            }
        }
        for (scenario, known) in document.scenarios.iter_mut().zip(known.scenarios) {
            if known.state == State::Done {
                let job = take(&mut scenario.job);
                *scenario = Scenario { job, ..known };
            }
        }
        let is_done = |id: &String| document.scenarios.iter().any(|s| s.id == *id && s.state == State::Done);
        // What is required may have been said since.
        let done = self.plans.iter().zip(&document.scenarios).filter(|(_, scenario)| scenario.state == State::Done);
        document.rows = done.flat_map(|(plan, scenario)| rows::rows(plan, scenario)).collect();
        let kept = known.warnings.into_iter().filter(|w| w.scenario.as_ref().is_some_and(is_done));
        document.warnings.extend(kept.collect::<Vec<_>>());
        if let Some(before) = known.metadata {
            let metadata = document.metadata.get_or_insert_default();
            (metadata.started, metadata.resumed) = (before.started, before.resumed + u32::from(!all));
        }
        document.partial = !all;
    }

    /// Simulates every scenario from the state that the preparation leaves, and the preparation itself from cold.
    ///
    /// # Errors
    /// Of kind `Input` where a job cannot run on these disks or its maps do not fit into the memory, `Interrupted` where the
    /// observer asked to stop.
    pub fn predict(&mut self, session: &Session) -> Result<()> {
        let Bench { rig, plans, lengths, warm_up, document } = self;
        procedure::predict_all(session, rig, plans, document, (lengths, *warm_up))?;
        document.partial &= document.mode != Mode::Simulated;
        Ok(())
    }

    /// The rig.
    pub fn rig(&self) -> &Rig {
        &self.rig
    }

    /// The volumes that scenarios use, by their place in the rig.
    pub fn volumes(&self) -> Vec<usize> {
        (0..self.rig.volumes.len()).filter(|volume| self.bytes_on(*volume) > 0).collect()
    }

    /// Bytes of the test file on a volume.
    pub fn bytes_on(&self, volume: usize) -> u64 {
        let streams = self.plans.iter().flat_map(|p| &p.streams).filter(|s| s.volume == volume);
        streams.map(|s| s.from + s.bytes).max().unwrap_or(0)
    }

    /// Parts that are not done, and the seconds that they are planned to take.
    pub fn left(&self) -> (usize, f64) {
        let document = &self.document;
        let steps = document.preparation.iter().filter(|s| s.state != State::Done).map(|s| s.predicted_s);
        let scenarios = document.scenarios.iter().filter(|s| s.state != State::Done).map(|_| self.planned_s());
        let parts: Vec<f64> = steps.chain(scenarios).collect();
        (parts.len(), parts.iter().sum())
    }

    /// Seconds that a scenario takes.
    pub(super) fn planned_s(&self) -> f64 {
        self.document.procedure.measure_s + self.document.procedure.ramp_s
    }

    /// What is known so far.
    pub fn document(&self) -> &BenchDocument {
        &self.document
    }

    /// The same with what only the caller knows: the machine, the tool, doubts, when it ended.
    pub fn document_mut(&mut self) -> &mut BenchDocument {
        &mut self.document
    }
}

fn place(rig: &Rig, targets: &[Target], volume: usize) -> Place {
    let name = &rig.volumes[volume].name;
    match targets.iter().find(|t| t.volume == *name) {
        Some(target) if target.engine == "nbd" => Place::Export(target.path.clone()),
        Some(target) => Place::Path {
            path: target.path.clone(),
            engine: target.engine.clone(),
            direct: target.facts.as_ref().is_none_or(|f| f.direct_io),
        },
        None => Place::Model(name.clone()),
    }
}

/// The VM and its volumes, without the file that they are from.
fn rig_row(rig: &Rig) -> RigRow {
    let volumes = rig.volumes.iter().zip(&rig.stack.volumes).map(|(volume, spec)| RigVolume {
        name: volume.name.clone(),
        disks: volume.disks.clone(),
        host_cache: spec.host_cache.to_string(),
        bytes: volume.size.get(),
    });
    RigRow {
        file: String::new(),
        text: String::new(),
        latency_models: Vec::new(),
        latency: None,
        latency_from: latency::sentences(&rig.latency),
        vm: rig.vm.size.clone(),
        edition: rig.vm.edition.clone(),
        sources: rig.vm.sources.clone(),
        volumes: volumes.collect(),
    }
}

fn procedure_of(options: &BenchOptions, plans: &[Plan], lengths: &[Length]) -> Procedure {
    let longest = |of: &dyn Fn((Duration, Duration)) -> Duration| {
        lengths.iter().map(|length| of(length.parts()).ns() as f64 / 1e9).fold(0.0, f64::max)
    };
    Procedure {
        measure_s: longest(&|(measure, _)| measure),
        ramp_s: longest(&|(_, ramp)| ramp),
        file_bytes: plans.iter().flat_map(|p| &p.streams).map(|s| s.from + s.bytes).max().unwrap_or(0),
        scaled: options.scaled(),
        clients: options.clients.clone(),
    }
}

fn planned(plan: &Plan) -> Scenario {
    Scenario {
        id: plan.id.clone(),
        title: plan.title.clone(),
        point: plan.point.clone(),
        state: State::Planned,
        failure: None,
        job: String::new(),
        predicted: Vec::new(),
        measured: Vec::new(),
        binding: Vec::new(),
        series: Vec::new(),
        client_cpu_percent: None,
        fio: None,
    }
}

/// What is to be known about the procedure on this rig.
fn warnings(rig: &Rig, plans: &[Plan], remarks: Vec<Sentence>) -> Vec<Warning> {
    let one = |text: Sentence| Warning { kind: WarningKind::Procedure, scenario: None, text };
    let mut warnings: Vec<Warning> = remarks.into_iter().map(one).collect();
    if let Some(cache) = &rig.stack.vm.host_cache {
        let warm: u64 = procedure::warm_after(rig, plans).iter().map(|w| w.2).sum();
        if warm > cache.capacity.get() {
            let (files, cache) = (figures::bytes(warm as f64), figures::bytes(cache.capacity.get() as f64));
            let text = say!(WarnFileSize { files, cache });
            warnings.push(Warning { kind: WarningKind::FileSize, scenario: None, text });
        }
    }
    if !rig.timeline.is_empty() {
        warnings.push(one(say!(WarnTimeline)));
    }
    let cached = rig.stack.volumes.iter().any(|v| v.host_cache != CacheMode::None);
    if !cached && plans.iter().any(|p| p.id == "max-combined-iops") {
        warnings.push(one(say!(WarnNoHostCache)));
    }
    warnings
}
