//! What a benchmark is asked to be: its scenarios, how long, how large, and how that differs from the published procedure.

use dw_catalogue::LatencySetting;
use dw_demand::Requirements;
use dw_documents::bench::Mode;
use dw_error::{Error, Result};
use dw_formats::scenario::Scenario as Rig;
use dw_messages::{Figure, Sentence, say};
use dw_units::{Bytes, Duration};

use super::job::{self, Length, Place};
use super::procedure;
use super::suite::{self, Basis, Plan};
use crate::load::{self, Kind, Texts};
use crate::session::Session;

/// The guide's test file.
const FILE: Bytes = Bytes::gib(200);
/// Small enough that an emulated rig is ready in seconds.
const FILE_EMULATED: Bytes = Bytes::gib(1);
/// The guide measures this long.
const MEASURE: Duration = Duration::from_secs(30);
/// None: fio counts no request that was under way when a ramp ends, which is too few where many are in flight and few a second.
const RAMP: Duration = Duration::ZERO;

/// What is run, how long, how large; the default is the design guide as it was published, in virtual time.
#[derive(Clone, Debug)]
pub struct BenchOptions {
    /// Which scenarios.
    pub suite: Suite,
    /// Where they run.
    pub mode: Mode,
    /// The test file on each volume; absent = 200 GiB, 1 GiB on an emulated rig, and job files keep theirs.
    pub file: Option<Bytes>,
    /// What is measured of each scenario; absent = 30 s, or what a job file says.
    pub measure: Option<Duration>,
    /// Full load before that, not counted; absent = none, or what a job file says.
    pub ramp: Option<Duration>,
    /// The reading that warms the cache; absent = every block once.
    pub warm_up: Option<Duration>,
    /// The only volume of a suite; absent = all.
    pub volume: Option<String>,
    /// Size of a request of the sweeps.
    pub io_size: Bytes,
    /// What requests of the sweeps do.
    pub access: Access,
    /// Where within the published latencies the default models lie; absent = as the rig says.
    pub latency: Option<LatencySetting>,
    /// Hosts that run fio; none = this one.
    pub clients: Vec<String>,
}

impl Default for BenchOptions {
    fn default() -> BenchOptions {
        BenchOptions {
            suite: Suite::DesignGuide,
            mode: Mode::Simulated,
            file: None,
            measure: None,
            ramp: None,
            warm_up: None,
            volume: None,
            io_size: Bytes::kib(8),
            access: Access::RandomRead,
            latency: None,
            clients: Vec::new(),
        }
    }
}

/// Which scenarios a benchmark has.
#[derive(Clone, Debug)]
pub enum Suite {
    /// The most reads, writes and both together, in IOPS and in MB/s.
    DesignGuide,
    /// IOPS and latency by requests in flight.
    QueueDepth,
    /// IOPS against throughput by the size of a request.
    BlockSize,
    /// Latency by the share of the most that is offered.
    LatencyAtLoad,
    /// The demand of a checklist at each percentile.
    Checklist {
        /// What messages call it.
        name: String,
        /// What it asks for.
        requirements: Box<Requirements>,
    },
    /// Each of these, as one scenario.
    Jobs(Vec<JobFile>),
}

/// A load that is run as it is described.
#[derive(Clone, Debug)]
pub struct JobFile {
    /// Id of the scenario.
    pub id: String,
    /// What messages call it.
    pub name: String,
    /// A job file of fio, a profile or a command line of DiskSpd, a configuration of Iometer.
    pub texts: Texts,
}

/// What requests do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads at random offsets.
    RandomRead,
    /// Writes at random offsets.
    RandomWrite,
    /// Reads in sequence.
    Read,
    /// Writes in sequence.
    Write,
}

impl Suite {
    /// As documents call it.
    pub const fn word(&self) -> &'static str {
        match self {
            Suite::DesignGuide => "design-guide",
            Suite::QueueDepth => "queue-depth",
            Suite::BlockSize => "block-size",
            Suite::LatencyAtLoad => "latency-at-load",
            Suite::Checklist { .. } => "checklist",
            Suite::Jobs(_) => "jobs",
        }
    }
}

impl Access {
    /// Random before sequential, reads before writes.
    pub const ALL: [Access; 4] = [Access::RandomRead, Access::RandomWrite, Access::Read, Access::Write];

    /// fio's word.
    pub const fn word(self) -> &'static str {
        match self {
            Access::RandomRead => "randread",
            Access::RandomWrite => "randwrite",
            Access::Read => "read",
            Access::Write => "write",
        }
    }
}

impl BenchOptions {
    fn file(&self) -> Bytes {
        self.file.unwrap_or(if self.mode == Mode::Emulated { FILE_EMULATED } else { FILE })
    }

    /// Whether files of another size are scaled to this one.
    fn is_scaled(&self) -> bool {
        self.file.is_some() || self.mode == Mode::Emulated
    }

    /// How long a scenario runs.
    pub(super) fn length(&self, plan: &Plan) -> Length {
        Length::Time {
            measure: self.measure.or(plan.measure).unwrap_or(MEASURE),
            ramp: self.ramp.or(plan.ramp).unwrap_or(RAMP),
        }
    }

    /// How it differs from what was published.
    pub(super) fn scaled(&self) -> Option<Sentence> {
        if !matches!(self.suite, Suite::DesignGuide | Suite::Jobs(_)) {
            return None;
        }
        let size = |size: Bytes| Figure::new(size.get() as f64, "B", size.to_string());
        let time = |time: Duration| Figure::new(time.ns() as f64 / 1e9, "s", time.to_string());
        let files = (self.is_scaled() && self.file() < FILE)
            .then(|| say!(Scaled { files: size(self.file()), published: size(FILE) }));
        let measure = self.measure.filter(|m| *m < MEASURE);
        let measure = measure.map(|m| say!(ScaledTime { time: time(m), published: time(MEASURE) }));
        match (files, measure) {
            (Some(files), Some(time)) => Some(say!(ScaledBoth { files, time })),
            (files, time) => files.or(time),
        }
    }

    /// The scenarios in order, with notes for who runs them.
    pub(super) fn plans(&self, session: &Session, rig: &Rig) -> Result<(Vec<Plan>, Vec<Sentence>)> {
        let volume = self.volume.as_deref().map(|name| volume(rig, name)).transpose()?;
        let basis = Basis { rig, file: self.file(), io_size: self.io_size, rw: self.access.word(), volume };
        let plans = match &self.suite {
            Suite::DesignGuide => suite::design_guide(&basis),
            Suite::QueueDepth => suite::curves::queue_depth(&basis),
            Suite::BlockSize => suite::curves::block_size(&basis),
            Suite::LatencyAtLoad => {
                suite::curves::latency_at_load(&basis, &|plan: &Plan| self.most(session, rig, plan))?
            }
            Suite::Checklist { name, requirements } => {
                suite::checklist::plans(&basis, requirements).map_err(|error| error.of_file(name))?
            }
            Suite::Jobs(files) => return self.of_jobs(session, &basis, files),
        };
        Ok((plans, Vec::new()))
    }

    /// The IOPS that the simulator says a scenario can do.
    fn most(&self, session: &Session, rig: &Rig, plan: &Plan) -> Result<f64> {
        let place = |volume: usize| Place::Model(rig.volumes[volume].name.clone());
        let text = job::text(&plan.streams, &place, self.length(plan));
        let warm = procedure::warm_after(rig, std::slice::from_ref(plan));
        let most = session.predict(rig, &text, warm)?;
        Ok(most.shares.iter().find(|s| s.is_total()).map_or(0.0, |s| s.load.iops))
    }

    fn of_jobs(&self, session: &Session, basis: &Basis, files: &[JobFile]) -> Result<(Vec<Plan>, Vec<Sentence>)> {
        let (mut plans, mut remarks): (Vec<Plan>, Vec<Sentence>) = (Vec::new(), Vec::new());
        for JobFile { id, name, texts } in files {
            let kind = texts.kind()?;
            // What whoever follows the guide with Iometer should know.
            let swapped = say!(WarnSwapped);
            if kind == Kind::Iometer && !remarks.contains(&swapped) {
                remarks.push(swapped);
            }
            let jobs = session.jobs(&basis.rig.volume_maps(), texts, &[], false, basis.rig.stack.seed)?;
            remarks.extend(jobs.warnings.iter().map(load::warning));
            let scale_to = self.is_scaled().then_some(basis.file);
            let plan = suite::jobs::plan(basis, id, &jobs, kind == Kind::Fio, scale_to);
            let plan = plan.map_err(|error| error.of_file(name))?;
            if plans.iter().any(|known| known.id == plan.id) {
                let what = format!("two job files are called `{id}`");
                return Err(Error::usage(what).hint("rename one of them"));
            }
            plans.push(plan);
        }
        Ok((plans, remarks))
    }
}

fn volume(rig: &Rig, name: &str) -> Result<usize> {
    rig.volumes.iter().position(|v| v.name == name).ok_or_else(|| {
        let names: Vec<&str> = rig.volumes.iter().map(|v| v.name.as_str()).collect();
        Error::usage(format!("the rig has no volume `{name}`")).hint(format!("its volumes: {}", names.join(", ")))
    })
}
