//! Suites: which scenarios a rig is measured with.

use dw_formats::scenario::Scenario as Rig;
use dw_stack::CacheMode;
use dw_units::{Bytes, Duration};

use super::job::{Stream, options};
use dw_documents::bench::{Metric, Point};

pub mod checklist;
pub mod curves;
pub mod jobs;

/// A scenario to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Its id, unique in a suite.
    pub id: String,
    /// In words.
    pub title: String,
    /// Its place in a curve.
    pub point: Option<Point>,
    /// What it is run for.
    pub metric: Metric,
    /// What it does.
    pub streams: Vec<Stream>,
    /// What is asked of it.
    pub required: Vec<RequiredFigure>,
    /// How long it runs by its own words; absent = as the command line says.
    pub measure: Option<Duration>,
    /// The ramp of its own.
    pub ramp: Option<Duration>,
}

/// A figure that a result must reach.
#[derive(Clone, Debug, PartialEq)]
pub struct RequiredFigure {
    /// The volume, or `all`.
    pub volume: String,
    /// `read`, `write` or `all`.
    pub direction: String,
    /// Of what.
    pub metric: Metric,
    /// The least rate, or the greatest latency.
    pub value: f64,
}

/// What a suite is made from.
#[derive(Clone, Copy, Debug)]
pub struct Basis<'a> {
    /// The rig.
    pub rig: &'a Rig,
    /// Bytes of the test file on each volume.
    pub file: Bytes,
    /// Size of a request, where the suite leaves it open.
    pub io_size: Bytes,
    /// What requests do, where the suite leaves it open: `randread`.
    pub rw: &'a str,
    /// The only volume, where one was chosen.
    pub volume: Option<usize>,
}

impl Basis<'_> {
    /// The test file on a volume: as large as was asked for, as far as there is room.
    pub fn bytes_on(&self, volume: usize) -> u64 {
        self.file.get().min(self.rig.volumes[volume].size.get())
    }

    fn chosen(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.rig.volumes.len()).filter(|v| self.volume.is_none_or(|chosen| chosen == *v))
    }

    fn cached(&self, volume: usize) -> bool {
        self.rig.stack.volumes[volume].host_cache != CacheMode::None
    }
}

/// Jobs and requests in flight of each, as the guide has them.
const GUIDE_JOBS: u32 = 4;
const GUIDE_DEPTH: u32 = 256;

/// The scenarios of the design guide, with the 4 KiB that its later editions have for IOPS: reads on the volumes with a host cache, writes on those without, and both at once; small
/// requests for IOPS, larger ones for throughput.
pub fn design_guide(basis: &Basis) -> Vec<Plan> {
    let all: Vec<usize> = basis.chosen().collect();
    let or_all = |some: Vec<usize>| if some.is_empty() { all.clone() } else { some };
    let readers = or_all(all.iter().copied().filter(|v| basis.cached(*v)).collect());
    let writers = or_all(all.iter().copied().filter(|v| !basis.cached(*v)).collect());
    let stream = |volume: &usize, reads: bool, io_size: Bytes| Stream {
        name: format!("{}-{}", if reads { "read" } else { "write" }, basis.rig.volumes[*volume].name),
        volume: *volume,
        from: 0,
        bytes: basis.bytes_on(*volume),
        reads,
        options: options(&[
            ("rw", &if reads { "randread" } else { "randwrite" }),
            ("bs", &io_size.get()),
            ("iodepth", &GUIDE_DEPTH),
            ("numjobs", &GUIDE_JOBS),
            ("norandommap", &""),
        ]),
    };
    let mut plans = Vec::new();
    for (name, metric, io_size) in
        [("iops", Metric::Iops, Bytes::kib(4)), ("throughput", Metric::Throughput, Bytes::kib(64))]
    {
        let reads: Vec<Stream> = readers.iter().map(|v| stream(v, true, io_size)).collect();
        let writes: Vec<Stream> = writers.iter().map(|v| stream(v, false, io_size)).collect();
        let both = reads.iter().chain(&writes).cloned().collect();
        for (what, streams) in [("read", reads), ("write", writes), ("combined", both)] {
            plans.push(Plan {
                id: format!("max-{what}-{name}"),
                title: format!("most {what} {}, {io_size}", if metric == Metric::Iops { "IOPS" } else { "MB/s" }),
                point: None,
                metric,
                streams,
                required: Vec::new(),
                measure: None,
                ramp: None,
            });
        }
    }
    plans
}
