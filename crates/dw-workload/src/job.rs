//! What a guest asks for, described: the one workload model that every benchmark file is read into.
//!
//! A [`Workload`] is flat: inheritance, clones, percentages, offsets and file lay-out are resolved by the reader of the
//! file, so that every number here is the effective one. The words and the semantics follow fio, the richest of them.

use dw_units::Duration;

/// Everything that runs, in file order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Workload {
    /// One entry a clone (`numjobs=4` makes four).
    pub jobs: Vec<Job>,
}

/// Read, write and trim, each with its own value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerDirection<T> {
    /// For reads.
    pub read: T,
    /// For writes.
    pub write: T,
    /// For trims.
    pub trim: T,
}

impl<T> PerDirection<T> {
    /// The same value for all.
    pub fn all(value: T) -> Self
    where
        T: Clone,
    {
        PerDirection { read: value.clone(), write: value.clone(), trim: value }
    }
    /// The value of a direction.
    pub fn get(&self, direction: Direction) -> &T {
        match direction {
            Direction::Read => &self.read,
            Direction::Write => &self.write,
            Direction::Trim => &self.trim,
        }
    }
    /// The value of a direction, to change.
    pub fn get_mut(&mut self, direction: Direction) -> &mut T {
        match direction {
            Direction::Read => &mut self.read,
            Direction::Write => &mut self.write,
            Direction::Trim => &mut self.trim,
        }
    }
}

/// The direction of an I/O.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    Read,
    Write,
    /// Discard.
    Trim,
}

impl Direction {
    /// All, in fio's order.
    pub const ALL: [Direction; 3] = [Direction::Read, Direction::Write, Direction::Trim];
}

/// One clone of one section: a closed loop that keeps up to `queue_depth` requests outstanding.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// Section name.
    pub name: String,
    /// Index of the section among all sections (clones share it).
    pub section: u32,
    /// Which clone of the section, from 0.
    pub clone: u32,
    /// Reporting group (`new_group` and `stonewall` start a new one).
    pub group: u32,
    /// Merge with the other members of the group in the report.
    pub group_reporting: bool,
    /// `description=`.
    pub description: Option<String>,
    /// The options of the section: canonical name and text, in order; no text = written without a value.
    pub options: Vec<(String, String)>,

    /// Stonewall phase: starts when every job of the earlier phases has ended.
    pub phase: u32,
    /// Starts when all clones of this section have ended (`wait_for=`).
    pub wait_for: Option<u32>,
    /// Waits this long after its phase began; a range draws.
    pub start_delay: (Duration, Duration),
    /// Its end ends every other job of its phase (`exitall`).
    pub exit_all: bool,

    /// Requests outstanding at most; already 1 for a synchronous engine.
    pub queue_depth: u32,
    /// How requests are submitted and reaped.
    pub batching: Batching,
    /// The `null` engine: completes at once and never reaches the stack.
    pub null_engine: bool,

    /// The files, each a byte range of a volume.
    pub files: Vec<FileExtent>,
    /// In which order the files are visited.
    pub file_order: FileOrder,

    /// Which directions, in which proportion.
    pub mix: Mix,
    /// Where the next I/O goes.
    pub access: Access,
    /// Alternatives, one drawn for each burst (Iometer's access specifications of several lines). When there are any, they
    /// and not `mix`, `sizes`, `align` and `access.random_percent` say what a request is; those still span them all.
    pub lines: Vec<Line>,
    /// Sizes of requests.
    pub sizes: PerDirection<SizeDistribution>,
    /// `bs_is_seq_rand`: `sizes.read` is for sequential and `sizes.write` for random requests, whatever the direction.
    pub sizes_by_order: bool,
    /// Offsets are multiples of this (`blockalign`, default the smallest size).
    pub align: PerDirection<u64>,

    /// Rate limits per direction, of this clone.
    pub rate: PerDirection<Option<Rate>>,
    /// How a rate is paced.
    pub pacing: Pacing,
    /// Stop when a direction falls below this over a cycle (`rate_min`, `rate_iops_min`).
    pub rate_floor: PerDirection<Option<RateFloor>>,
    /// The cycle of `rate_floor`.
    pub rate_cycle: Duration,
    /// Pauses.
    pub think: Option<Think>,

    /// Flushes.
    pub sync: SyncPolicy,
    /// Reads back what it wrote (`verify`).
    pub verify: Option<Verify>,
    /// Keeps its share of the I/Os of several jobs (`flow`).
    pub flow: Option<Flow>,
    /// Ends when its rate is steady (`steadystate`).
    pub steady: Option<Steady>,
    /// When it ends.
    pub stop: Stop,
    /// Runs the full load this long before counting.
    pub ramp: Duration,

    /// Seed of its draws; clones differ.
    pub seed: u64,
    /// The same random sequence on every pass (fio's `loops` with `randrepeat=1`).
    pub repeat_on_loop: bool,

    /// How latency is reported.
    pub latency: LatencyReport,
}

/// A file of a job: a range of a volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileExtent {
    /// Its name, for the report.
    pub name: String,
    /// Index of the volume in the stack's description.
    pub volume: u16,
    /// First byte of the file on the volume.
    pub start: u64,
    /// First byte of the file that the job touches (`offset`).
    pub offset: u64,
    /// Bytes that the job touches, from `offset`.
    pub len: u64,
}

/// In which order several files are visited (`file_service_type`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum FileOrder {
    /// One after the other, `n` I/Os each.
    RoundRobin(u32),
    /// The next file when this one is done.
    #[default]
    Sequential,
    /// A file drawn at random, kept for `n` I/Os.
    Random(u32),
}

/// Which directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// One direction only.
    Only(Direction),
    /// Reads with this percentage, else writes: an independent draw for every I/O.
    ReadWrite {
        /// Percentage of reads, 0 to 100.
        read_percent: u8,
    },
    /// Every block is trimmed, then written (`trimwrite`).
    TrimThenWrite,
}

/// Where the next I/O goes.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// Percentage of I/Os at a random offset: 100 for random, 0 for sequential; the rest continues after the previous
    /// I/O of that direction.
    pub random_percent: PerDirection<u8>,
    /// A new random offset every n-th I/O (`rw=randread:8`); 1 = always.
    pub random_every: u32,
    /// In between: repeat the block instead of going on after it (`rw_sequencer=identical`).
    pub identical: bool,
    /// Bytes skipped after each sequential I/O (`rw=read:8k`); may be negative.
    pub gap: i64,
    /// How random offsets are distributed.
    pub distribution: PerDirection<Distribution>,
    /// Every block once before any is repeated (fio's random map); only with a uniform distribution.
    pub cover: bool,
    /// `zonemode=strided`: I/O stays in a zone of `size` bytes, then skips `skip` bytes.
    pub strided: Option<Strided>,
    /// Where a sequential request continues.
    pub cursor: Cursor,
}

/// Where a sequential request continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Cursor {
    /// After the last request of its direction; what no longer fits ends the pass (fio).
    #[default]
    PerDirection,
    /// After the last request of any direction and kind, and at the start again when it no longer fits; a pass never ends
    /// by it (DiskSpd, Iometer).
    Shared {
        /// Byte of the file, after `offset`, at which the first request is.
        start: u64,
        /// Requests that follow each other keep their direction; a new one is drawn with each random offset.
        runs: bool,
    },
}

/// One alternative of what a request can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// Percentage of bursts that use it, 0 to 100; all lines come to 100.
    pub share: u8,
    /// Bytes.
    pub io_size: u64,
    /// Percentage of reads, 0 to 100.
    pub read_percent: u8,
    /// Percentage of requests at a random offset, 0 to 100.
    pub random_percent: u8,
    /// Offsets are multiples of this many bytes.
    pub align: u64,
    /// Requests in a burst.
    pub burst: u32,
}

/// Strided zones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strided {
    /// Bytes moved in a zone before the next (`zonesize`).
    pub size: u64,
    /// Bytes in which they fall (`zonerange`).
    pub range: u64,
    /// Bytes between zones (`zoneskip`).
    pub skip: u64,
}

/// The distribution of random offsets.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Distribution {
    /// Each block alike.
    #[default]
    Uniform,
    /// Zipf with this exponent, hot blocks scattered over the file.
    Zipf {
        /// The exponent, not 1.
        theta: f64,
        /// Where the hottest block is, as a share of the file; absent = scattered by the seed.
        center: Option<f64>,
    },
    /// Pareto with this parameter (0 < h < 1), hot blocks scattered.
    Pareto {
        /// The parameter.
        h: f64,
        /// As for Zipf.
        center: Option<f64>,
    },
    /// Normal around the middle with this deviation in percent of the file, scattered.
    Normal {
        /// Standard deviation in percent.
        percent: f64,
        /// As for Zipf.
        center: Option<f64>,
    },
    /// Zones: percentage of accesses, and the zone's size in percent of the file; contiguous.
    Zoned(Vec<(u8, u8)>),
    /// Zones: percentage of accesses, and the zone's size in bytes; contiguous.
    ZonedAbsolute(Vec<(u8, u64)>),
}

/// Sizes of requests in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SizeDistribution {
    /// Always the same.
    Fixed(u64),
    /// Uniform over the multiples of `min` from `min` to `max`; any byte size in between when `unaligned`.
    Range {
        /// Smallest.
        min: u64,
        /// Largest.
        max: u64,
        /// `bs_unaligned`.
        unaligned: bool,
    },
    /// `(bytes, percent of requests)`.
    Split(Vec<(u64, u8)>),
}

impl SizeDistribution {
    /// The smallest size.
    pub fn min(&self) -> u64 {
        match self {
            SizeDistribution::Fixed(size) => *size,
            SizeDistribution::Range { min, .. } => *min,
            SizeDistribution::Split(parts) => parts.iter().map(|p| p.0).min().unwrap_or(0),
        }
    }
    /// The largest size.
    pub fn max(&self) -> u64 {
        match self {
            SizeDistribution::Fixed(size) => *size,
            SizeDistribution::Range { max, .. } => *max,
            SizeDistribution::Split(parts) => parts.iter().map(|p| p.0).max().unwrap_or(0),
        }
    }
}

/// A rate of one direction of one clone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// Bytes per second (`rate=`).
    BytesPerSecond(u64),
    /// I/Os per second (`rate_iops=`); fio 3.33 paces these by bytes: `iops × smallest size`.
    Iops(u64),
}

/// The least that must be reached over a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateFloor {
    BytesPerSecond(u64),
    /// I/Os per second.
    Iops(u64),
}

/// How a rate is paced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Pacing {
    /// At fixed distances, waiting for all requests in flight before each pause (fio's inline submission).
    #[default]
    Linear,
    /// Exponential gaps of `floor(1e6 / iops)` microseconds on average, inline.
    Poisson,
    /// At fixed distances, the schedule kept by a submitter of its own (`io_submit_mode=offload`).
    LinearOffload,
    /// Exponential gaps, the schedule kept by a submitter of its own.
    PoissonOffload,
    /// Exponential gaps of `1 / iops` on average, nothing rounded, the schedule kept by a submitter of its own (vdbench).
    Exponential,
    /// Even gaps of `1 / iops` whatever the sizes, nothing rounded, the schedule kept by a submitter of its own (vdbench).
    Even,
    /// So many requests at times drawn alike from all of the runtime, whatever the rate, the schedule kept by a submitter of its own (an
    /// interval of a recording, of which it is known how many came).
    Counted(u64),
    /// One credit for all directions: a request goes when the whole milliseconds since the start, times the rate, cover what
    /// was issued and the next one. Nothing is waited for, and lateness is made up (DiskSpd's `-g`). The rate stands in
    /// every direction alike.
    Credit,
}

/// Pauses: after `blocks` I/Os, wait for all in flight, then sleep; or, where it `overlaps`, only issue nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Think {
    /// How long.
    pub time: Duration,
    /// Busy part of it; takes the same time here.
    pub spin: Duration,
    /// Every so many I/Os.
    pub blocks: u32,
    /// Counted when issued instead of when completed (`thinktime_blocks_type=issue`).
    pub counted_at_issue: bool,
    /// Pause only after this much time of I/O (`thinktime_iotime`); zero = not used.
    pub io_time: Duration,
    /// The rate's time line goes on during the pause (`rate_ignore_thinktime`).
    pub rate_ignores: bool,
    /// The pause begins when the last request of a burst is issued, and those in flight go on (DiskSpd's `-i` and `-j`,
    /// Iometer's transfer delay).
    pub overlaps: bool,
}

/// When data is flushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SyncPolicy {
    /// A flush after every n writes (`fsync`, `fdatasync`); 0 = never.
    pub every_writes: u32,
    /// Every write is durable before it completes (`sync=1`, `sync=dsync`).
    pub each_write: bool,
    /// Writes go to the guest's page cache (no `direct=1`): a flush has to write the data first.
    pub buffered: bool,
    /// A flush at the end (`end_fsync`, `fsync_on_close`), inside the runtime, not counted.
    pub at_end: bool,
}

/// How a job reads back what it wrote: after the writes of each pass, or in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verify {
    /// Reads begin whenever so many writes wait for theirs (`verify_backlog`); 0 = only after all writes of a pass.
    pub backlog: u64,
    /// Reads that then follow each other (`verify_backlog_batch`, default the backlog).
    pub batch: u64,
    /// In the order of the offsets, each block once, instead of the order of the writes: jobs without a map of used blocks.
    pub by_offset: bool,
    /// A job that runs by time reads back after each `Stop::bytes` that it issued. fio counts them with asynchronous engines
    /// only; with others such a job never comes to its reads.
    pub ends_timed_passes: bool,
}

/// A share of the I/Os of all jobs with the same number: a job that is ahead of its share waits for the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Which jobs share (`flow_id`).
    pub id: u32,
    /// Its weight among theirs (`flow`), not 0.
    pub weight: u32,
    /// Waits for all in flight and sleeps this long when it is ahead (`flow_sleep`); zero = goes on as soon as it may.
    pub sleep: Duration,
}

/// A rate is steady when the last `duration` seconds vary by less than a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steady {
    /// Bytes per second instead of I/Os per second.
    pub bytes: bool,
    /// The slope of the regression line per second, instead of the largest deviation from the mean.
    pub slope: bool,
    /// The limit: in percent of the mean, or else in the rate's own unit.
    pub limit: f64,
    /// The limit is a percentage.
    pub percent: bool,
    /// Seconds that are looked at (`steadystate_duration`), at least 1.
    pub duration_s: u32,
    /// Left out at the start (`steadystate_ramp_time`).
    pub ramp: Duration,
}

/// When a job ends: at the first that comes true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Bytes moved per pass (`io_size`, else `size`), summed over its files.
    pub bytes: u64,
    /// Passes (`loops`).
    pub loops: u32,
    /// Time after the ramp.
    pub runtime: Option<Duration>,
    /// Runs the whole `runtime`, whatever the size and the number of I/Os.
    pub time_based: bool,
    /// Number of I/Os.
    pub ios: Option<u64>,
    /// A pass ends with the files only, not once their size has been issued: fio 3.33 counts no issued bytes where a request is
    /// done when it has been handed over.
    pub by_files: bool,
}

/// How requests are submitted and reaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batching {
    /// Requests queued before they are submitted together (`iodepth_batch`).
    pub submit: u32,
    /// Refill only when the depth has fallen to this (`iodepth_low`); `queue_depth` = at once.
    pub low: u32,
    /// Completions to wait for when the depth is reached (`iodepth_batch_complete_min`).
    pub complete_min: u32,
    /// Completions to take at most (`iodepth_batch_complete_max`). With both at 0 fio polls: it waits for one completion
    /// after each request, whatever the depth.
    pub complete_max: u32,
}

/// How latency is reported.
#[derive(Clone, Debug, PartialEq)]
pub struct LatencyReport {
    /// Percentiles, ascending.
    pub percentiles: Vec<f64>,
    /// Percentiles of completion latency.
    pub clat: bool,
    /// Percentiles of submission latency.
    pub slat: bool,
    /// Percentiles of total latency.
    pub lat: bool,
    /// No latency at all (`gtod_reduce=1`, `disable_lat` and the like).
    pub disabled: bool,
    /// One result for all directions (`unified_rw_reporting=1`).
    pub unified: bool,
}

impl Default for LatencyReport {
    fn default() -> Self {
        LatencyReport {
            percentiles: vec![
                1.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95, 99.99,
            ],
            clat: true,
            slat: false,
            lat: false,
            disabled: false,
            unified: false,
        }
    }
}

impl Job {
    /// A random-read job of one file with fio's defaults; a starting point for tests and for readers of other formats.
    pub fn random_read(name: &str, file: FileExtent, io_size: u64, queue_depth: u32, runtime: Duration) -> Job {
        Job {
            name: name.into(),
            section: 0,
            clone: 0,
            group: 0,
            group_reporting: false,
            description: None,
            options: Vec::new(),
            phase: 0,
            wait_for: None,
            start_delay: (Duration::ZERO, Duration::ZERO),
            exit_all: false,
            queue_depth,
            batching: Batching { submit: 1, low: queue_depth, complete_min: 1, complete_max: queue_depth },
            null_engine: false,
            file_order: FileOrder::RoundRobin(1),
            mix: Mix::Only(Direction::Read),
            access: Access {
                random_percent: PerDirection::all(100),
                random_every: 1,
                identical: false,
                gap: 0,
                distribution: PerDirection::all(Distribution::Uniform),
                cover: true,
                strided: None,
                cursor: Cursor::PerDirection,
            },
            lines: Vec::new(),
            sizes: PerDirection::all(SizeDistribution::Fixed(io_size)),
            sizes_by_order: false,
            align: PerDirection::all(io_size),
            rate: PerDirection::all(None),
            pacing: Pacing::Linear,
            rate_floor: PerDirection::all(None),
            rate_cycle: Duration::from_ms(1_000),
            think: None,
            sync: SyncPolicy::default(),
            verify: None,
            flow: None,
            steady: None,
            stop: Stop {
                bytes: file.len,
                loops: 1,
                runtime: Some(runtime),
                time_based: true,
                ios: None,
                by_files: false,
            },
            ramp: Duration::ZERO,
            seed: 1,
            repeat_on_loop: true,
            latency: LatencyReport::default(),
            files: vec![file],
        }
    }
}
