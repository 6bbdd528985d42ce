//! What happened in a run: plain data, ready for any report.

use dw_stack::{LimitTally, Stage, Tally};
use dw_units::Duration;
use dw_workload::{Direction, LatencyReport, PerDirection, Steady};
use hdrhistogram::Histogram;
use std::sync::Arc;

/// A finished (or interrupted) run.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// One entry a clone, or a reporting group, in file order.
    pub entries: Vec<EntryResult>,
    /// One entry per volume of the stack, in order.
    pub volumes: Vec<VolumeResult>,
    /// All volumes together.
    pub total: LoadResult,
    /// The stack's own count at the end, over the counted window.
    pub tally: Tally,
    /// What the limits granted in each phase of jobs; empty where all jobs are of one.
    pub phases: Vec<PhaseTally>,
    /// Time series, if asked for.
    pub series: Vec<SeriesPoint>,
    pub series_interval: Option<Duration>,
    /// Virtual time from start to end.
    pub virtual_time: Duration,
    /// Virtual time from the first counted I/O's window start to the end (the longest counted window).
    pub counted_time: Duration,
    /// I/Os simulated, ramps included.
    pub simulated_ios: u64,
    /// Stopped on request before the jobs had ended.
    pub partial: bool,
    pub seed: u64,
    /// Sum of all outstanding over time in I/O-nanoseconds, and sum of all latencies: equal by Little's law where nothing was
    /// leapt over.
    pub little: (u128, u128),
    /// What was leapt over, and how well the figures are known for that; or why nothing was. `None` for a run that is short, or
    /// was to be exact.
    pub leaps: Option<Leaps>,
}

/// What the limits granted while the jobs of a phase ran, ramps of all but the first included.
#[derive(Clone, Debug)]
pub struct PhaseTally {
    /// Which: jobs of one phase run at the same time, after those of the phases before.
    pub phase: u32,
    /// For how long.
    pub time: Duration,
    /// The rows of [`Tally::limits`], with what was granted and how long something waited in this phase, and the credits at its
    /// beginning. What each volume waited is of the run so far.
    pub limits: Vec<LimitTally>,
}

impl PhaseTally {
    /// Between what was counted until a phase began and until it ended.
    pub(crate) fn between(phase: u32, time: Duration, before: &Tally, after: &Tally) -> PhaseTally {
        let rows = before.limits.iter().zip(&after.limits).map(|(before, after)| LimitTally {
            granted: after.granted.saturating_sub(before.granted),
            binding: Duration::from_ns(after.binding.ns().saturating_sub(before.binding.ns())),
            waited: after.waited.saturating_sub(before.waited),
            credits_before: before.credits,
            ..after.clone()
        });
        PhaseTally { phase, time, limits: rows.collect() }
    }
}

/// What came of leaping over steady state.
#[derive(Clone, Debug, PartialEq)]
pub enum Leaps {
    /// Some of the virtual time was leapt over.
    Leapt(Leapt),
    /// All of it was simulated, although it is long.
    Refused(Refusal),
    /// Of a recording part of each step stands for all of it.
    ByKind(ByKind),
}

impl Leaps {
    /// How well figures are known, where anything was not simulated.
    pub fn figures(&self) -> Option<&[LeaptFigures]> {
        match self {
            Leaps::Leapt(leapt) => Some(&leapt.figures),
            Leaps::ByKind(by_kind) => Some(&by_kind.figures),
            Leaps::Refused(_) => None,
        }
    }
}

/// What of a recording was taken from its kind.
#[derive(Clone, Debug, PartialEq)]
pub struct ByKind {
    /// Steps in all.
    pub steps: u64,
    /// Of them, those of which a sample stands for the rest.
    pub taken: u64,
    /// Those that were simulated in order because a limit is near, in them or beside them.
    pub near: u64,
    /// Virtual time that samples stand for.
    pub time: Duration,
    /// I/Os that were added for it.
    pub ios: u64,
    /// How well the figures are known, by volume and direction.
    pub figures: Vec<LeaptFigures>,
}

/// What was leapt over.
#[derive(Clone, Debug, PartialEq)]
pub struct Leapt {
    /// Virtual time.
    pub time: Duration,
    /// I/Os that were added for it.
    pub ios: u64,
    pub leaps: u64,
    /// How well the figures are known, by volume and direction.
    pub figures: Vec<LeaptFigures>,
}

/// 99 % half-widths of what is printed of a volume in one direction, as shares of the figures.
#[derive(Clone, Debug, PartialEq)]
pub struct LeaptFigures {
    /// Index of the volume.
    pub volume: u16,
    pub direction: Direction,
    /// Of I/Os per second, and of bytes per second.
    pub rate: f64,
    /// Of the mean latency.
    pub mean: f64,
    /// Of the median.
    pub p50: f64,
    /// Of the 95th percentile.
    pub p95: f64,
    /// Of the 99th percentile.
    pub p99: f64,
    /// Of the 99.9th percentile.
    pub p99_9: f64,
    /// Of the shares of reads from RAM, SSD and disk, the largest of the three; as a share of all reads. `None` without a cache.
    pub tiers: Option<f64>,
}

/// Why a long run was simulated I/O by I/O.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// A job has no end in time: it ends by size or by its number of I/Os.
    BySize {
        /// Index into `Workload::jobs`.
        job: usize,
    },
    /// A job reads back what it wrote.
    Verifies {
        /// Index into `Workload::jobs`.
        job: usize,
    },
    /// A job ends when its rate is steady.
    EndsWhenSteady {
        /// Index into `Workload::jobs`.
        job: usize,
    },
    /// A job does nothing on any volume (the null engine).
    NullEngine {
        /// Index into `Workload::jobs`.
        job: usize,
    },
    /// On-demand bursting is billed by the second, and a series shows each of them.
    BilledBySecond,
    /// Data of a volume have to be fetched before they can be used.
    FirstTouch {
        /// Index of the volume.
        volume: u16,
    },
    /// What a job finds in the host cache has no closed form.
    Cache {
        /// Index into `Workload::jobs`.
        job: usize,
        why: CacheRefusal,
    },
    /// A figure never became known well enough.
    Unsteady {
        /// Index of the volume.
        volume: u16,
        direction: Direction,
        figure: SteadyFigure,
    },
    /// What runs changes too often.
    Changes,
    /// What the host cache holds changes from step to step of a recording.
    CacheMoves,
}

/// Why the host cache's part of a job has no closed form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheRefusal {
    /// Its requests differ in size, or in size or place from those of another job on the same data.
    Sizes,
    /// Its requests do not fill whole sectors and blocks, so blocks are partly valid.
    PartlyValid,
    /// It is not random, or not by a law that is known: data are used again in an order of their own.
    Order,
    /// It may read dirty data that would have been evicted if they were not dirty.
    WriteBack,
    Trims,
    /// What leaves the cache first is not what was used longest ago.
    Eviction,
}

/// A figure that has to be steady.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SteadyFigure {
    /// I/Os per second.
    Rate,
    /// The mean latency.
    Mean,
    /// The 99th percentile.
    P99,
    /// The shares of reads from RAM, SSD and disk.
    Tiers,
    /// Dirty data under a ReadWrite cache.
    Backlog,
}

/// A clone's or a group's result, as fio would report it.
#[derive(Clone, Debug)]
pub struct EntryResult {
    /// Indices into `Workload::jobs` of the members, the first one naming the entry.
    pub members: Vec<usize>,
    /// Job name.
    pub name: String,
    /// fio's groupid.
    pub group: u32,
    /// What was measured, per direction.
    pub load: PerDirection<DirectionResult>,
    /// Flushes: latency (ns).
    pub sync: LatencyStats,
    /// Sum of the members' run times.
    pub job_runtime: Duration,
    /// Elapsed time of the whole run when this entry ended.
    pub elapsed: Duration,
    /// Requests in flight at issue, counted in classes 1, 2, 4, 8, 16, 32, 64 and more.
    pub depth_levels: [u64; 7],
    /// Requests per submission, in classes 0, 4, 8, 16, 32, 64, more (fio's `iodepth_submit`).
    pub submit_levels: [u64; 7],
    /// Completions per reap, in the same classes.
    pub complete_levels: [u64; 7],
    /// Configured depth of the first member.
    pub queue_depth: u32,
    /// How latency is to be reported.
    pub latency: LatencyReport,
    /// Why it ended early, if it did (`rate_min`).
    pub error: Option<String>,
    /// Whether its rate became steady, where it was to end for that (`steadystate`).
    pub steady: Option<SteadyState>,
}

/// What came of looking for a steady rate.
#[derive(Clone, Debug, PartialEq)]
pub struct SteadyState {
    /// What was looked for.
    pub policy: Steady,
    /// It was found, and the jobs ended for it.
    pub attained: bool,
    /// The last deviation or slope, in the unit of its limit.
    pub criterion: f64,
    /// I/Os per second of the last seconds, oldest first.
    pub iops: Vec<u64>,
    /// Bytes per second, likewise.
    pub bytes_per_s: Vec<u64>,
}

/// One direction of an entry.
#[derive(Clone, Debug)]
pub struct DirectionResult {
    /// I/Os completed in the counted window.
    pub ios: u64,
    /// Bytes completed in the counted window.
    pub bytes: u64,
    /// The counted window (the longest among members).
    pub runtime: Duration,
    /// Waiting for a submitter (offload pacing), ns. Empty otherwise.
    pub slat: LatencyStats,
    /// Completion latency, ns.
    pub clat: LatencyStats,
    /// Total latency, ns.
    pub lat: LatencyStats,
    /// Bytes per second over windows of half a second, per fio's `bw_*`: in B/s.
    pub bw_samples: SampleStats,
    /// I/Os per second over windows of half a second.
    pub iops_samples: SampleStats,
}

/// A latency distribution in nanoseconds. Values are recorded to three significant digits; min, max, mean and deviation
/// are exact.
#[derive(Clone, Debug)]
pub struct LatencyStats {
    /// The histogram, absent when nothing was recorded. It has a hundred kilobytes and more, and is shared by all that are the same.
    pub histogram: Option<Arc<Histogram<u64>>>,
    pub count: u64,
    /// Smallest.
    pub min: u64,
    /// Largest.
    pub max: u64,
    /// Sum, exact.
    pub sum: u128,
    /// Sum of squares, for the deviation.
    pub sum_squares: f64,
}

/// Samples over windows.
#[derive(Clone, Debug, Default)]
pub struct SampleStats {
    /// How many windows.
    pub count: u64,
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
    pub sum: f64,
    pub sum_squares: f64,
}

/// Load on one volume, or on all.
#[derive(Clone, Debug)]
pub struct LoadResult {
    /// Per direction: I/Os, bytes, latency.
    pub directions: PerDirection<DirectionLoad>,
    /// The time these rates refer to.
    pub window: Duration,
    /// Average number outstanding (time integral over the window).
    pub queue_depth: f64,
    /// Time spent waiting at each limit, summed over requests (ns), indexed by [`Stage`].
    pub queued: [u128; Stage::COUNT],
    /// Time in the cache and on the medium, summed over requests (ns).
    pub served: u128,
    /// 99 % half-width of IOPS as a share of the mean, by batch means; absent when the run was too short.
    pub iops_half_width: Option<f64>,
}

/// One direction of a volume.
#[derive(Clone, Debug)]
pub struct DirectionLoad {
    /// I/Os.
    pub ios: u64,
    pub bytes: u64,
    /// Latency (total, ns).
    pub latency: LatencyStats,
}

/// One volume.
#[derive(Clone, Debug)]
pub struct VolumeResult {
    /// Index in the stack's description.
    pub volume: u16,
    /// The load on it.
    pub load: LoadResult,
    /// Reads by outcome in the counted window: RAM hits, SSD hits, misses.
    pub reads_ram: u64,
    pub reads_ssd: u64,
    pub reads_miss: u64,
    /// I/Os that waited for data that had to be fetched first.
    pub first_touches: u64,
}

/// One interval of the series, one volume, one direction.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesPoint {
    /// End of the interval since the start of the run.
    pub at: Duration,
    /// Volume index.
    pub volume: u16,
    pub direction: Direction,
    /// I/Os completed in it.
    pub ios: u64,
    /// Bytes completed in it.
    pub bytes: u64,
    /// Sum of latencies, ns.
    pub latency_sum: u128,
    /// Largest latency, ns.
    pub latency_max: u64,
    /// 99th percentile of latencies, ns, within 1.6 % of it. Of an interval of which some was leapt over, that of its larger part; absent where
    /// too few were simulated for those that were leapt over.
    pub latency_p99: Option<u64>,
    /// Reads served by the host cache.
    pub cache_hits: u64,
    /// I/Os that waited for data that had to be fetched first.
    pub first_touches: u64,
    /// The limit at which these I/Os waited longest in sum, if they waited.
    pub binding: Option<Stage>,
    /// Sum of the waits there, ns.
    pub binding_wait: u128,
    /// Transactions billed of the volume in the whole seconds that end in the interval; on the first of the
    /// volume's points.
    pub billed_transactions: u64,
}
