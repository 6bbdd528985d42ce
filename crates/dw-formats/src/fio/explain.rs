//! What a section will do, in effective numbers, before it runs.

use std::fmt;

use dw_units::{Bytes, Duration};
use dw_workload::{
    Direction, Distribution, FileOrder, Job, Mix, Pacing, PerDirection, Rate, RateFloor, SizeDistribution,
};

/// One section: its clones do the same on files of their own or shared ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamExplanation {
    /// The section.
    pub job: String,
    /// How many clones.
    pub clones: u32,
    /// fio's engine.
    pub engine: String,
    /// Requests in flight at most, of one clone.
    pub queue_depth: u32,
    /// Random or sequential, and how.
    pub pattern: String,
    /// What is read, written, trimmed.
    pub directions: Vec<DirectionExplanation>,
    /// Which files, how large, where.
    pub files: String,
    /// When it starts.
    pub starts: String,
    /// When it ends.
    pub ends: String,
    /// Pauses, flushes, batches: what is not as usual.
    pub details: Vec<String>,
}

/// One direction of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectionExplanation {
    pub direction: Direction,
    /// Percentage of the I/Os.
    pub percent: u8,
    /// Request sizes.
    pub sizes: String,
    /// Effective rate limit of one clone: requests and bytes per second; absent = none.
    pub rate: Option<String>,
}

impl StreamExplanation {
    /// Explains the clones of one section; `volume` names a volume.
    pub fn new(clones: &[Job], engine: &str, volume: impl Fn(u16) -> String) -> Option<StreamExplanation> {
        let job = clones.first()?;
        Some(StreamExplanation {
            job: job.name.clone(),
            clones: clones.len() as u32,
            engine: engine.into(),
            queue_depth: job.queue_depth,
            pattern: pattern(job),
            directions: directions(job),
            files: files(clones, volume),
            starts: starts(job),
            ends: ends(job),
            details: details(job),
        })
    }
}

impl fmt::Display for StreamExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let depth = u64::from(self.queue_depth) * u64::from(self.clones);
        write!(f, "[{}] {} of {}, queue depth {}", self.job, count(self.clones, "job"), self.engine, self.queue_depth)?;
        if self.clones > 1 {
            write!(f, " each, {depth} together")?;
        }
        writeln!(f, "\n  pattern  {}", self.pattern)?;
        for d in &self.directions {
            let name = match d.direction {
                Direction::Read => "reads",
                Direction::Write => "writes",
                Direction::Trim => "trims",
            };
            let rate = d.rate.as_deref().unwrap_or("no rate limit");
            let each = if self.clones > 1 && d.rate.is_some() { " each" } else { "" };
            writeln!(f, "  {name:<8} {} % of the I/Os, {}, {rate}{each}", d.percent, d.sizes)?;
        }
        writeln!(f, "  files    {}", self.files)?;
        writeln!(f, "  starts   {}", self.starts)?;
        write!(f, "  ends     {}", self.ends)?;
        self.details.iter().try_for_each(|detail| write!(f, "\n  also     {detail}"))
    }
}

fn count(n: u32, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// `every 1 write` is `every write`.
fn each(n: u32, what: &str) -> String {
    if n == 1 { what.into() } else { format!("{n} {what}s") }
}

fn each_u64(n: u64, what: &str) -> String {
    if n == 1 { what.into() } else { format!("{n} {what}s") }
}

fn pattern(job: &Job) -> String {
    let a = &job.access;
    let random = job_directions(job).iter().map(|(d, _)| *a.random_percent.get(*d)).max().unwrap_or(0);
    if random == 0 {
        return match (a.gap, a.strided) {
            (0, None) => "sequential".into(),
            (gap, None) => format!(
                "sequential, {} after each I/O",
                if gap < 0 {
                    format!("back {}", Bytes::new(gap.unsigned_abs()))
                } else {
                    format!("skipping {}", Bytes::new(gap as u64))
                }
            ),
            (_, Some(s)) => {
                format!("sequential in zones of {} with gaps of {}", Bytes::new(s.size), Bytes::new(s.skip))
            }
        };
    }
    let distribution = match a.distribution.get(job_directions(job)[0].0) {
        Distribution::Uniform if a.cover => "every block once before any is repeated".to_string(),
        Distribution::Uniform => "each draw independent".into(),
        Distribution::Zipf { theta, .. } => format!("Zipf {theta}"),
        Distribution::Pareto { h, .. } => format!("Pareto {h}"),
        Distribution::Normal { percent, .. } => format!("normal with a deviation of {percent} %"),
        Distribution::Zoned(zones) => format!("{} zones", zones.len()),
        Distribution::ZonedAbsolute(zones) => format!("{} zones", zones.len()),
    };
    let every =
        if a.random_every > 1 { format!(", a new offset every {} I/Os", a.random_every) } else { String::new() };
    let share = if random < 100 { format!(" ({random} % of the I/Os)") } else { String::new() };
    format!("random{share}, {distribution}{every}")
}

fn job_directions(job: &Job) -> Vec<(Direction, u8)> {
    match job.mix {
        Mix::Only(direction) => vec![(direction, 100)],
        Mix::ReadWrite { read_percent } => {
            vec![(Direction::Read, read_percent), (Direction::Write, 100 - read_percent)]
        }
        Mix::TrimThenWrite => vec![(Direction::Trim, 50), (Direction::Write, 50)],
    }
}

fn directions(job: &Job) -> Vec<DirectionExplanation> {
    let mut list = Vec::new();
    for (direction, percent) in job_directions(job) {
        list.push(DirectionExplanation {
            direction,
            percent,
            sizes: if job.sizes_by_order { by_order(&job.sizes) } else { sizes(job.sizes.get(direction)) },
            rate: rate(job, direction),
        });
    }
    list
}

fn by_order(all: &PerDirection<SizeDistribution>) -> String {
    format!("{} when sequential, {} when random", sizes(&all.read), sizes(&all.write))
}

fn sizes(sizes: &SizeDistribution) -> String {
    match sizes {
        SizeDistribution::Fixed(size) => Bytes::new(*size).to_string(),
        SizeDistribution::Range { min, max, unaligned } => {
            let steps = if *unaligned { "to the byte".into() } else { format!("in steps of {}", Bytes::new(*min)) };
            format!("{} to {} {steps}", Bytes::new(*min), Bytes::new(*max))
        }
        SizeDistribution::Split(parts) => {
            let shown: Vec<_> =
                parts.iter().map(|(size, percent)| format!("{percent} % {}", Bytes::new(*size))).collect();
            shown.join(" + ")
        }
    }
}

fn rate(job: &Job, direction: Direction) -> Option<String> {
    let rate = (*job.rate.get(direction))?;
    let smallest = job.sizes.get(direction).min().max(1);
    let (bytes, exact) = match rate {
        Rate::BytesPerSecond(bytes) => (bytes, job.sizes.get(direction).max() == smallest),
        Rate::Iops(iops) => (iops.saturating_mul(smallest), job.sizes.get(direction).max() == smallest),
    };
    let how = match job.pacing {
        Pacing::Linear => "evenly",
        Pacing::Poisson => "at random times",
        Pacing::LinearOffload | Pacing::Even => "evenly, by a submitter of its own",
        Pacing::PoissonOffload | Pacing::Exponential | Pacing::Counted(_) => {
            "at random times, by a submitter of its own"
        }
        Pacing::Credit => "for all directions together, in whole milliseconds, late ones made up",
    };
    let iops = if exact { format!("{} IOPS = ", bytes / smallest) } else { String::new() };
    Some(format!("at most {iops}{}/s {how}", Bytes::new(bytes)))
}

fn files(clones: &[Job], volume: impl Fn(u16) -> String) -> String {
    let job = &clones[0];
    let Some(file) = job.files.first() else { return "none".into() };
    let shared =
        clones.len() > 1 && clones[1].files.first().map(|f| (&f.name, f.volume)) == Some((&file.name, file.volume));
    let size = Bytes::new(file.len);
    let each = if job.files.len() == 1 {
        format!("{size} of {}", file.name)
    } else {
        format!("{} files, the first {size} of {}", job.files.len(), file.name)
    };
    let whose = match (clones.len(), shared) {
        (1, _) => "",
        (_, true) => ", the same for all jobs",
        (_, false) => ", others of the same size for the other jobs",
    };
    let at = if file.offset > 0 { format!(" from {}", Bytes::new(file.offset)) } else { String::new() };
    let place = if job.null_engine { "no disk".into() } else { volume(file.volume) };
    format!("{each}{at}, on {place}{whose}")
}

fn starts(job: &Job) -> String {
    let mut text = if job.phase == 0 { "at once".to_string() } else { format!("after phase {}", job.phase) };
    if job.wait_for.is_some() {
        text.push_str(", after the job it waits for");
    }
    match job.start_delay {
        (low, _) if low == Duration::ZERO && job.start_delay.1 == Duration::ZERO => {}
        (low, high) if low == high => text.push_str(&format!(", {low} later")),
        (low, high) => text.push_str(&format!(", {low} to {high} later")),
    }
    if job.ramp > Duration::ZERO {
        text.push_str(&format!("; the first {} are not counted", job.ramp));
    }
    text
}

fn ends(job: &Job) -> String {
    let stop = &job.stop;
    if let (true, Some(runtime)) = (stop.time_based, stop.runtime) {
        return format!("after {runtime}");
    }
    let mut ends = vec![format!("after {}", Bytes::new(stop.bytes.saturating_mul(u64::from(stop.loops))))];
    ends.extend(stop.ios.map(|ios| format!("after {ios} I/Os")));
    ends.extend(stop.runtime.map(|runtime| format!("after {runtime}")));
    ends.join(" or ")
}

fn details(job: &Job) -> Vec<String> {
    let mut list = Vec::new();
    if let Some(think) = job.think {
        let every =
            if think.blocks == u32::MAX { format!("{} of I/O", think.io_time) } else { each(think.blocks, "I/O") };
        let counted = if think.counted_at_issue { " issued" } else { "" };
        let how = if think.overlaps { "those in flight go on" } else { "with nothing in flight" };
        list.push(format!("pauses {} after every {every}{counted}, {how}", think.time));
    }
    match job.sync.every_writes {
        0 => {}
        n => list.push(format!("flushes after every {}", each(n, "write"))),
    }
    if job.sync.each_write {
        list.push("every write is durable before it completes".into());
    }
    if job.sync.at_end {
        list.push("flushes at the end, inside the run time".into());
    }
    match job.verify {
        None => {}
        Some(v) if v.backlog > 0 => {
            let batch = if v.batch == v.backlog { String::new() } else { format!(", {} at a time", v.batch) };
            list.push(format!("reads back what it wrote after every {}{batch}", each_u64(v.backlog, "write")));
        }
        Some(_) => list.push("reads back what it wrote when all is written".into()),
    }
    if let Some(flow) = job.flow {
        let sleep = if flow.sleep > Duration::ZERO { format!(", sleeping {}", flow.sleep) } else { String::new() };
        list.push(format!("waits{sleep} when it is ahead of its share {} of flow {}", flow.weight, flow.id));
    }
    if let Some(steady) = job.steady {
        let what = if steady.bytes { "throughput" } else { "IOPS" };
        let limit = match (steady.percent, steady.bytes) {
            (true, _) => format!("{} %", steady.limit),
            (false, true) => format!("{} B/s", steady.limit),
            (false, false) => format!("{} IOPS", steady.limit),
        };
        let how = if steady.slope {
            format!("drifts by less than {limit} a second")
        } else {
            format!("stays within {limit} of its mean")
        };
        list.push(format!("ends when {what} {how} for {} s", steady.duration_s));
    }
    let b = job.batching;
    if b.complete_max == 0 {
        list.push("polls: waits for a completion after each request, so that one is in flight".into());
    } else if b.submit > 1 || b.low < job.queue_depth || b.complete_min > 1 || b.complete_max > 1 {
        list.push(format!(
            "submits {} at a time, refills at {} in flight, waits for {} and takes at most {}",
            b.submit,
            b.low,
            b.complete_min.max(1),
            b.complete_max
        ));
    }
    for direction in Direction::ALL {
        let least = match job.rate_floor.get(direction) {
            None => continue,
            Some(RateFloor::BytesPerSecond(bytes)) => format!("{}/s", Bytes::new(*bytes)),
            Some(RateFloor::Iops(iops)) => format!("{iops} IOPS"),
        };
        if job_directions(job).iter().any(|(d, _)| *d == direction) {
            list.push(format!("fails below {least} over {}", job.rate_cycle));
        }
    }
    if job.files.len() > 1 {
        list.push(match job.file_order {
            FileOrder::RoundRobin(1) => "one I/O per file in turn".into(),
            FileOrder::RoundRobin(n) => format!("{n} I/Os per file in turn"),
            FileOrder::Random(n) => format!("{} per file, files drawn at random", count(n, "I/O")),
            FileOrder::Sequential => "one file after the other".into(),
        });
    }
    if job.exit_all {
        list.push("ends the others when it ends".into());
    }
    if job.latency.disabled {
        list.push("no latencies are reported".into());
    }
    if job.group_reporting {
        list.push(format!("reported together with group {}", job.group));
    }
    list
}
