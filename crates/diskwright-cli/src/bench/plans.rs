//! From arguments to scenarios: sizes and times, the suite or the job files, what is required, the document to be filled.

use dw_messages::{Figure, Sentence, say};
use std::path::Path;
use std::str::FromStr;

use dw_error::{Error, Result};
use dw_formats::scenario::Scenario as Rig;
use dw_stack::CacheMode;
use dw_units::{Bytes, Duration, ParseQuantityError, Throughput};

use super::args::{BenchArgs, SuiteName, word};
use super::document::{
    BenchDocument, Metadata, Metric, Mode, Procedure, Rig as RigRow, RigVolume, Scenario, State, Warning,
};
use super::job::{self, Length, Place};
use super::of_model;
use super::suite::{self, Basis, Plan, Required};
use crate::figures;
use crate::in_use::session;
use crate::input::{self, Kind, Texts};
use crate::{latency, report};

/// The guide's test file.
const FILE: Bytes = Bytes::gib(200);
/// Small enough that an emulated rig is ready in seconds.
const FILE_EMULATED: Bytes = Bytes::gib(1);
/// The guide measures this long.
const MEASURE: Duration = Duration::from_secs(30);
/// None: fio counts no request that was under way when a ramp ends, which is too few where many are in flight and few a second.
const RAMP: Duration = Duration::ZERO;

/// Sizes and times.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Where it runs.
    pub mode: Mode,
    /// The test file on each volume.
    pub file: Bytes,
    /// It was asked for by its size.
    pub file_asked: bool,
    /// What is measured, where it was asked for.
    pub measure: Option<Duration>,
    /// The ramp, where it was asked for.
    pub ramp: Option<Duration>,
    /// The reading that warms the cache; absent = every block once.
    pub warm_up: Option<Duration>,
    /// Size of a request of the sweeps.
    pub io_size: Bytes,
}

fn quantity<T: FromStr<Err = ParseQuantityError>>(option: &str, text: &Option<String>) -> Result<Option<T>> {
    let Some(text) = text else { return Ok(None) };
    text.parse().map(Some).map_err(|e: ParseQuantityError| {
        let what = format!("`{option} {text}` {}", e.what());
        let hint = match e.readings.is_empty() {
            true => format!("write for example `{option} {}` (units: {})", pasted(e.example), e.units),
            false => e.hint(|value| format!("{option} {}", pasted(value))),
        };
        Error::usage(what).hint(hint)
    })
}

/// A quantity as one word of a command line.
fn pasted(quantity: &str) -> String {
    quantity.replace(' ', "")
}

impl Settings {
    /// Those of the command line.
    pub fn of(args: &BenchArgs) -> Result<Settings> {
        let mode = match (args.emulate, args.simulate, args.target.is_empty()) {
            (true, ..) => Mode::Emulated,
            (_, true, _) => Mode::Simulated,
            (_, _, false) => Mode::Disks,
            _ => {
                let hint = "give `--target VOLUME=PATH` for each volume, `--emulate` or `--simulate`";
                return Err(Error::usage("no target").hint(hint));
            }
        };
        let file = quantity::<Bytes>("--file-size", &args.file_size)?;
        let io_size = quantity::<Bytes>("--io-size", &Some(args.io_size.clone()))?;
        let settings = Settings {
            mode,
            file: file.unwrap_or(if mode == Mode::Emulated { FILE_EMULATED } else { FILE }),
            file_asked: file.is_some() || mode == Mode::Emulated,
            measure: quantity("--runtime", &args.runtime)?,
            ramp: quantity("--ramp", &args.ramp)?,
            warm_up: quantity("--warm-up", &args.warm_up)?,
            io_size: io_size.unwrap_or(Bytes::kib(8)),
        };
        let zero = |option: &str, example: &str| {
            Err(Error::usage(format!("`{option}` is too small"))
                .hint(format!("write for example `{option} {example}`")))
        };
        match settings {
            s if s.file < Bytes::mib(1) => zero("--file-size", "1GiB"),
            s if s.measure.is_some_and(|d| d < Duration::from_ms(100)) => zero("--runtime", "30s"),
            s if s.io_size < Bytes::new(512) => zero("--io-size", "8KiB"),
            s => Ok(s),
        }
    }

    /// How long a scenario runs.
    pub fn length(&self, plan: &Plan) -> Length {
        Length::Time {
            measure: self.measure.or(plan.measure).unwrap_or(MEASURE),
            ramp: self.ramp.or(plan.ramp).unwrap_or(RAMP),
        }
    }

    /// What is not as it was published.
    fn scaled(&self, suite: &str) -> Option<Sentence> {
        if suite != "design-guide" && suite != "jobs" {
            return None;
        }
        let size = |size: Bytes| Figure::new(size.get() as f64, "B", size.to_string());
        let time = |time: Duration| Figure::new(time.ns() as f64 / 1e9, "s", time.to_string());
        let files = (self.file_asked && self.file < FILE)
            .then(|| say!(Scaled { files: size(self.file), published: size(FILE) }));
        let measure = self.measure.filter(|m| *m < MEASURE);
        let measure = measure.map(|m| say!(ScaledTime { time: time(m), published: time(MEASURE) }));
        match (files, measure) {
            (Some(files), Some(time)) => Some(say!(ScaledBoth { files, time })),
            (files, time) => files.or(time),
        }
    }
}

/// The scenarios.
pub struct Made {
    /// In order.
    pub plans: Vec<Plan>,
    /// What their maker wants known.
    pub remarks: Vec<Sentence>,
}

/// The scenarios that the command line asks for.
pub fn all(args: &BenchArgs, rig: &Rig, settings: &Settings) -> Result<Made> {
    let rw = word(&args.rw);
    let volume = args.volume.as_deref().map(|name| volume(rig, name)).transpose()?;
    let basis = Basis { rig, file: settings.file, io_size: settings.io_size, rw: &rw, volume };
    let mut made = Made { plans: Vec::new(), remarks: Vec::new() };
    if args.job.is_empty() && args.diskspd.is_empty() {
        made.plans = of_suite(args, &basis, settings)?;
    } else {
        of_jobs(args, &basis, settings, &mut made)?;
    }
    let names: Vec<String> = rig.volumes.iter().map(|v| v.name.clone()).collect();
    for text in &args.require {
        require(&mut made.plans, &names, text)?;
    }
    Ok(made)
}

fn volume(rig: &Rig, name: &str) -> Result<usize> {
    rig.volumes.iter().position(|v| v.name == name).ok_or_else(|| {
        let names: Vec<&str> = rig.volumes.iter().map(|v| v.name.as_str()).collect();
        Error::usage(format!("the rig has no volume `{name}`")).hint(format!("its volumes: {}", names.join(", ")))
    })
}

fn of_suite(args: &BenchArgs, basis: &Basis, settings: &Settings) -> Result<Vec<Plan>> {
    match args.suite {
        SuiteName::DesignGuide => Ok(suite::design_guide(basis)),
        SuiteName::QueueDepth => Ok(suite::curves::queue_depth(basis)),
        SuiteName::BlockSize => Ok(suite::curves::block_size(basis)),
        SuiteName::LatencyAtLoad => suite::curves::latency_at_load(basis, &|plan: &Plan| {
            let place = |volume: usize| Place::Model(basis.rig.volumes[volume].name.clone());
            let text = job::text(&plan.streams, &place, settings.length(plan));
            let warm = of_model::warm_after(basis.rig, std::slice::from_ref(plan));
            let most = session().predict(basis.rig, &text, warm)?;
            Ok(most.shares.iter().find(|s| s.is_total()).map_or(0.0, |s| s.load.iops))
        }),
        SuiteName::Checklist => {
            let Some(path) = &args.requirements else {
                let hint = "say `--requirements FILE`, as `diskwright observe --format toml` writes it";
                return Err(Error::usage("the checklist is not named").hint(hint));
            };
            let text = input::read_file(path)?;
            let name = input::name(path);
            let requirements = dw_formats::requirements::read(&name, &text).map_err(|errors| errors.within(&text))?;
            suite::checklist::plans(basis, &requirements).map_err(|error| error.of_file(name))
        }
    }
}

fn of_jobs(args: &BenchArgs, basis: &Basis, settings: &Settings, made: &mut Made) -> Result<()> {
    let files = args.job.iter().map(|path| (id_of(path), input::name(path), input::texts(std::slice::from_ref(path))));
    let lines = args.diskspd.iter().zip(1..);
    let lines = lines.map(|(line, n)| (format!("diskspd-{n}"), "--diskspd".into(), Ok(Texts::command_line(line))));
    for (id, name, texts) in files.chain(lines) {
        let texts = texts?;
        let fios = texts.kind()? == Kind::Fio;
        // What whoever follows the guide with Iometer should know.
        let swapped = say!(WarnSwapped);
        if texts.kind()? == Kind::Iometer && !made.remarks.contains(&swapped) {
            made.remarks.push(swapped);
        }
        let jobs = input::jobs_on(&basis.rig.volume_maps(), &texts, basis.rig.stack.seed)?;
        made.remarks.extend(jobs.warnings.iter().map(diskwright::load::warning));
        let scale_to = settings.file_asked.then_some(settings.file);
        let plan = suite::jobs::plan(basis, &id, &jobs, fios, scale_to).map_err(|error| error.of_file(name))?;
        if made.plans.iter().any(|known| known.id == plan.id) {
            return Err(Error::usage(format!("two job files are called `{id}`")).hint("rename one of them"));
        }
        made.plans.push(plan);
    }
    Ok(())
}

fn id_of(path: &Path) -> String {
    if input::is_standard_input(path) {
        return "job".into();
    }
    path.file_stem().map_or_else(|| "job".into(), |stem| stem.to_string_lossy().into_owned())
}

/// `SCENARIO=RATE`.
fn require(plans: &mut [Plan], names: &[String], text: &str) -> Result<()> {
    let bad = |what: String, hint: String| Error::usage(format!("`--require {text}`: {what}")).hint(hint);
    let example = || "write for example `--require max-read-iops=64000` or `=500MB/s`".to_string();
    let Some((id, rate)) = text.split_once('=') else { return Err(bad("there is no `=`".into(), example())) };
    let known: Vec<String> = plans.iter().map(|p| p.id.clone()).collect();
    let Some(plan) = plans.iter_mut().find(|p| p.id == id) else {
        return Err(bad(format!("there is no scenario `{id}`"), format!("scenarios: {}", known.join(", "))));
    };
    let (metric, value) = match (dw_units::decimal(rate), rate.parse::<Throughput>()) {
        (Ok(iops), _) if iops > 0.0 => (Metric::Iops, iops),
        (_, Ok(throughput)) => (Metric::Throughput, throughput.get() as f64),
        (Err(e), _) | (_, Err(e)) if !e.readings.is_empty() => {
            return Err(bad(format!("`{}` {}", e.found, e.what()), e.hint(|value| format!("{id}={}", pasted(value)))));
        }
        _ => return Err(bad(format!("`{rate}` is neither IOPS nor a throughput"), example())),
    };
    // One stream has a line of its own; several are held against their sum.
    let sole = plan.streams.iter().all(|s| s.volume == plan.streams[0].volume && s.reads == plan.streams[0].reads);
    let mixed = plan.streams.iter().flat_map(|s| &s.options).any(|(k, v)| k == "rw" && v.contains("rw"));
    let (volume, direction) = match plan.streams.first() {
        Some(stream) if sole && !mixed => (names[stream.volume].clone(), if stream.reads { "read" } else { "write" }),
        _ => ("all".into(), "all"),
    };
    plan.required.push(Required { volume, direction: direction.into(), metric, value });
    plan.metric = metric;
    Ok(())
}

/// Bytes that the largest of their files has.
pub fn bytes_of(plans: &[Plan]) -> u64 {
    plans.iter().flat_map(|p| &p.streams).map(|s| s.from + s.bytes).max().unwrap_or(0)
}

/// The document, with nothing run yet.
pub fn document(args: &BenchArgs, rig: &Rig, text: &str, settings: &Settings, made: &Made) -> BenchDocument {
    let suite = args.suite_name();
    let longest =
        made.plans.iter().map(|p| settings.length(p)).fold((0.0f64, 0.0f64), |longest, length| match length {
            Length::Time { measure, ramp } => {
                (longest.0.max(measure.ns() as f64 / 1e9), longest.1.max(ramp.ns() as f64 / 1e9))
            }
            Length::Once => longest,
        });
    let volumes = rig.volumes.iter().zip(&rig.stack.volumes).map(|(volume, spec)| RigVolume {
        name: volume.name.clone(),
        disks: volume.disks.clone(),
        host_cache: report::mode_name(spec.host_cache).into(),
        bytes: volume.size.get(),
    });
    let scenario = |plan: &Plan| Scenario {
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
    };
    let now = super::now();
    BenchDocument {
        schema_version: dw_documents::SCHEMA_VERSION,
        document: Default::default(),
        diskwright_version: env!("CARGO_PKG_VERSION").into(),
        mode: settings.mode,
        scenarios: made.plans.iter().map(scenario).collect(),
        partial: true,
        rig: RigRow {
            file: input::name(&args.rig),
            text: text.into(),
            latency_models: input::model_texts(&args.rig, text).unwrap_or_default(),
            latency: args.latency.map(|setting| setting.word().to_string()),
            latency_from: latency::sentences(&rig.latency),
            vm: rig.vm.size.clone(),
            edition: rig.vm.edition.clone(),
            sources: rig.vm.sources.clone(),
            volumes: volumes.collect(),
        },
        procedure: Procedure {
            measure_s: longest.0,
            ramp_s: longest.1,
            file_bytes: bytes_of(&made.plans),
            scaled: settings.scaled(&suite),
            clients: args.client.clone(),
        },
        suite,
        targets: Vec::new(),
        machine: None,
        fio: None,
        preparation: Vec::new(),
        rows: Vec::new(),
        findings: Vec::new(),
        warnings: warnings(rig, made),
        metadata: Some(Metadata { started: now, ended: now, resumed: 0 }),
    }
}

/// What is to be known about the procedure on this rig.
fn warnings(rig: &Rig, made: &Made) -> Vec<Warning> {
    let one = |text: Sentence| Warning { kind: super::document::WarningKind::Procedure, scenario: None, text };
    let mut warnings: Vec<Warning> = made.remarks.iter().cloned().map(one).collect();
    if let Some(cache) = &rig.stack.vm.host_cache {
        let warm: u64 = of_model::warm_after(rig, &made.plans).iter().map(|w| w.2).sum();
        if warm > cache.capacity.get() {
            let (files, cache) = (figures::bytes(warm as f64), figures::bytes(cache.capacity.get() as f64));
            let text = say!(WarnFileSize { files, cache });
            warnings.push(Warning { kind: super::document::WarningKind::FileSize, scenario: None, text });
        }
    }
    if !rig.timeline.is_empty() {
        warnings.push(one(say!(WarnTimeline)));
    }
    let cached = rig.stack.volumes.iter().any(|v| v.host_cache != CacheMode::None);
    if !cached && made.plans.iter().any(|p| p.id == "max-combined-iops") {
        warnings.push(one(say!(WarnNoHostCache)));
    }
    warnings
}
