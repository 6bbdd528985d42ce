//! Counts what happens, second by second: what a [`Status`] and the log of throttled seconds are made of.
//!
//! The engine tells the meter each request and each completion; at the first moment not before [`Meter::due`] it hands over the
//! stack's tally, and the difference to the last one is what the second was: consumed = granted / (rate × span), binding =
//! time with something waiting / span. A second in which nobody looked is longer, and divided by its true length.
//!
//! Ignores: single requests (nothing is kept of them but counts), and which disk of a stripe a request waited for.
//!
//! Invariant: under way = submitted − done − abandoned, for every volume.

use dw_documents::{LimitId, Names};
use dw_stack::{Gate, LimitTally, Op, Path, StackSpec, Stage, Tally, TimeSpent};
use dw_units::{CacheMode, Duration, Instant, NS_PER_SECOND};
use hdrhistogram::Histogram;

use super::{CacheStatus, LATENCY_BOUNDS_NS, LatencyStatus, LimitStatus, OpStatus, Status, VolumeStatus};

/// How a request ended.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// What it was: prefetches are reads, zeroes are trims.
    pub op: Op,
    pub bytes: u64,
    /// When it was submitted.
    pub submitted: Instant,
    /// Submission to completion.
    pub latency: Duration,
    /// Without an error.
    pub ok: bool,
    /// Where its time went, if the stack had it.
    pub spent: Option<&'a TimeSpent>,
}

/// A full second of one limit in which something waited there.
#[derive(Clone, Debug, PartialEq)]
pub struct Throttled {
    /// When the second began.
    pub from: Instant,
    /// How long it was.
    pub span: Duration,
    pub limit: LimitId,
    /// `vm`, or the export of a disk; a volume for the room of its write-back, and for data that have to be fetched first.
    pub place: String,
    /// Time with something waiting there.
    pub binding: Duration,
    /// Requests completed in this second that had waited there, on any disk of the same volume, each once. Where a volume passes two
    /// gates of one stage, those that waited at either count for both: what a request spent is known by stage. Rows are not to
    /// be added up.
    pub waited: u64,
}

/// What the engine alone knows of a volume.
#[derive(Clone, Copy, Debug)]
pub struct VolumeState {
    /// Its size now.
    pub size_bytes: u64,
    /// Its host-cache mode now.
    pub host_cache: CacheMode,
    /// Whether clients can use it.
    pub attached: bool,
}

/// The counts.
#[derive(Clone, Debug)]
pub struct Meter {
    since: Instant,
    second: Instant,
    last: Vec<LimitTally>,
    rates: Vec<LimitRate>,
    cache_capacity: u64,
    volumes: Vec<VolumeMeter>,
    names: Names,
    log: Option<Vec<Throttled>>,
}

/// A limit in the last full second, and its time since counting began.
#[derive(Clone, Copy, Debug, Default)]
struct LimitRate {
    consumed_percent: f64,
    binding_percent: f64,
}

#[derive(Clone, Debug)]
struct VolumeMeter {
    name: String,
    disks: Vec<String>,
    path: Path,
    under_way: u64,
    /// In the order of [`Op`].
    ops: [OpMeter; 4],
    /// Requests that waited at each limit in this second.
    waited: [u64; Stage::COUNT],
    /// Waits for room for dirty data, and for data that have to be fetched first.
    levels: [LevelMeter; 2],
}

/// The limit of a volume by its name.
type OfVolume = fn(&str) -> LimitId;

/// Stages without a limiter that would count for how long something waited there, and what a volume's is called.
const LEVELS: [(Stage, OfVolume); 2] =
    [(Stage::CacheDirty, LimitId::write_back), (Stage::FirstTouch, LimitId::first_touch)];

/// Time in which requests waited at a stage without a limiter.
#[derive(Clone, Copy, Debug, Default)]
struct LevelMeter {
    until: Instant,
    /// In the second that is not over.
    binding: Duration,
    percent: f64,
}

impl LevelMeter {
    /// A wait comes after those at the stages before. Completions come in order of their end, nearly.
    fn waited(&mut self, stage: Stage, submitted: Instant, spent: &TimeSpent) {
        let wait = spent.queued[stage as usize];
        if wait == Duration::ZERO {
            return;
        }
        let before = spent.queued[..stage as usize].iter().fold(Duration::ZERO, |sum, &waited| sum + waited);
        let from = submitted + before;
        let until = from + wait;
        self.binding += until.since(from.max(self.until));
        self.until = self.until.max(until);
    }

    /// Ends the second; what began before it counts at most as the whole of it.
    fn close_second(&mut self, span: Duration) -> Duration {
        let binding = std::mem::take(&mut self.binding).min(span);
        self.percent = percent(binding.ns(), u128::from(span.ns()));
        binding
    }
}

#[derive(Clone, Debug)]
struct OpMeter {
    /// All completed seconds.
    total: Histogram<u64>,
    /// The second that is not over.
    current: Histogram<u64>,
    count: u64,
    errors: u64,
    bytes: u64,
    latency_sum: u64,
    /// At the end of the last second.
    before: (u64, u64),
    per_second: f64,
    bytes_per_second: f64,
    recent: LatencyStatus,
}

impl OpMeter {
    fn new() -> Self {
        // From 1 µs: no modelled disk is faster; two digits: 1 % of a latency.
        let histogram =
            || Histogram::new_with_bounds(1_000, 3_600 * NS_PER_SECOND, 2).expect("constant bounds in order");
        OpMeter {
            total: histogram(),
            current: histogram(),
            count: 0,
            errors: 0,
            bytes: 0,
            latency_sum: 0,
            before: (0, 0),
            per_second: 0.0,
            bytes_per_second: 0.0,
            recent: LatencyStatus::default(),
        }
    }

    fn record(&mut self, outcome: &Outcome) {
        self.count += 1;
        self.latency_sum = self.latency_sum.saturating_add(outcome.latency.ns());
        self.current.saturating_record(outcome.latency.ns());
        if outcome.ok {
            self.bytes += outcome.bytes;
        } else {
            self.errors += 1;
        }
    }

    fn close_second(&mut self, seconds: f64) {
        self.per_second = (self.count - self.before.0) as f64 / seconds;
        self.bytes_per_second = (self.bytes - self.before.1) as f64 / seconds;
        self.before = (self.count, self.bytes);
        self.recent = percentiles(&self.current);
        if !self.current.is_empty() {
            // The same bounds: nothing can be out of range.
            let _ = self.total.add(&self.current);
            self.current.clear();
        }
    }

    fn status(&self) -> OpStatus {
        let mut all = self.total.clone();
        let _ = all.add(&self.current);
        let at_most = LATENCY_BOUNDS_NS.iter().map(|&bound| all.count_between(0, bound)).collect();
        OpStatus {
            count: self.count,
            errors: self.errors,
            bytes: self.bytes,
            per_second: self.per_second,
            bytes_per_second: self.bytes_per_second,
            recent: self.recent,
            latency: percentiles(&all),
            latency_sum_ns: self.latency_sum,
            at_most,
        }
    }
}

fn percentiles(histogram: &Histogram<u64>) -> LatencyStatus {
    if histogram.is_empty() {
        return LatencyStatus::default();
    }
    LatencyStatus {
        mean_ns: histogram.mean() as u64,
        p50_ns: histogram.value_at_quantile(0.5),
        p99_ns: histogram.value_at_quantile(0.99),
        max_ns: histogram.max(),
    }
}

impl Meter {
    /// Counts nothing yet; `tally` is the stack's own, of `now`.
    pub fn new(spec: &StackSpec, now: Instant, tally: &Tally) -> Meter {
        let volume = |volume: &dw_stack::VolumeSpec| VolumeMeter {
            name: volume.name.clone(),
            disks: (0..volume.disks.len()).map(|disk| format!("{}.{disk}", volume.name)).collect(),
            path: volume.path.clone(),
            under_way: 0,
            ops: std::array::from_fn(|_| OpMeter::new()),
            waited: [0; Stage::COUNT],
            levels: [LevelMeter::default(); LEVELS.len()],
        };
        let mut meter = Meter {
            since: now,
            second: now,
            last: Vec::new(),
            rates: Vec::new(),
            cache_capacity: spec.vm.host_cache.as_ref().map_or(0, |cache| cache.capacity.get()),
            volumes: spec.volumes.iter().map(volume).collect(),
            names: Names::from_stack(spec),
            log: None,
        };
        meter.begin(now, tally);
        meter
    }

    fn begin(&mut self, now: Instant, tally: &Tally) {
        (self.since, self.second) = (now, now);
        self.last.clone_from(&tally.limits);
        self.rates = vec![LimitRate::default(); tally.limits.len()];
    }

    /// Resets the counters; the stack's tally has been reset. Requests under way stay under way.
    pub fn reset(&mut self, now: Instant, tally: &Tally) {
        self.begin(now, tally);
        for volume in &mut self.volumes {
            volume.ops = std::array::from_fn(|_| OpMeter::new());
            volume.waited = [0; Stage::COUNT];
        }
    }

    /// Keeps throttled seconds from now on, for [`Meter::throttled`].
    pub fn watch_throttling(&mut self) {
        self.log.get_or_insert_default();
    }

    /// Throttled seconds since the last time it was asked, in order of time and path.
    pub fn throttled(&mut self) -> Vec<Throttled> {
        self.log.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// A request of a volume, or of one of its disks.
    #[inline]
    pub fn submitted(&mut self, volume: usize) {
        self.volumes[volume].under_way += 1;
    }

    #[inline]
    pub fn done(&mut self, volume: usize, outcome: &Outcome) {
        let volume = &mut self.volumes[volume];
        debug_assert!(volume.under_way > 0, "more requests of {} are done than were submitted", volume.name);
        volume.under_way = volume.under_way.saturating_sub(1);
        volume.ops[outcome.op as usize].record(outcome);
        if let Some(spent) = outcome.spent {
            for (waited, queued) in volume.waited.iter_mut().zip(spent.queued) {
                *waited += u64::from(queued > Duration::ZERO);
            }
            for (level, (stage, _)) in volume.levels.iter_mut().zip(LEVELS) {
                level.waited(stage, outcome.submitted, spent);
            }
        }
    }

    /// What was under way on all volumes will never be done: a crash.
    pub fn abandoned(&mut self) {
        self.volumes.iter_mut().for_each(|volume| volume.under_way = 0);
    }

    /// When the second is over: from then on [`Meter::close_second`] is due.
    #[inline]
    pub fn due(&self) -> Instant {
        Instant::from_ns((self.second.ns() / NS_PER_SECOND).saturating_add(1).saturating_mul(NS_PER_SECOND))
    }

    /// Ends the second; `tally` is the stack's of `now`.
    pub fn close_second(&mut self, now: Instant, tally: &Tally) {
        let span = now.since(self.second);
        if span == Duration::ZERO {
            return;
        }
        let (limits, volumes, from) = (&tally.limits, &self.volumes, self.second);
        let since: Vec<_> = limits.iter().map(|new| Since::last(&self.last, new)).collect();
        self.rates = limits
            .iter()
            .zip(&since)
            .map(|(new, since)| LimitRate {
                consumed_percent: percent(
                    since.granted,
                    u128::from(new.rate) * u128::from(span.ns()) / u128::from(NS_PER_SECOND),
                ),
                binding_percent: percent(since.binding.ns(), u128::from(span.ns())),
            })
            .collect();
        if let Some(log) = &mut self.log {
            for (new, since) in limits.iter().zip(&since).filter(|(_, since)| since.binding > Duration::ZERO) {
                let (place, waited) = (place(volumes, new), waited(volumes, new));
                log.push(Throttled { from, span, limit: self.names.id(new.id), place, binding: since.binding, waited });
            }
        }
        self.second = now;
        self.last.clone_from(limits);
        let seconds = span.ns() as f64 / NS_PER_SECOND as f64;
        for volume in &mut self.volumes {
            volume.ops.iter_mut().for_each(|op| op.close_second(seconds));
            let all = std::mem::take(&mut volume.waited);
            for (level, (stage, limit)) in volume.levels.iter_mut().zip(LEVELS) {
                let (binding, waited) = (level.close_second(span), all[stage as usize]);
                if let Some(log) = &mut self.log
                    && waited > 0
                {
                    let (limit, place) = (limit(&volume.name), volume.name.clone());
                    log.push(Throttled { from, span, limit, place, binding, waited });
                }
            }
        }
    }

    /// How things are: everything that follows from the stack, the counts and what the engine knows of each volume.
    pub fn status(&self, now: Instant, tally: &Tally, states: &[VolumeState]) -> Status {
        let rate = |tally| self.last.iter().position(|last| is_same(last, tally)).map(|at| self.rates[at]);
        let limits = tally.limits.iter().map(|tally| self.limit(tally, rate(tally).unwrap_or_default())).collect();
        let cache = CacheStatus {
            capacity_bytes: self.cache_capacity,
            resident_bytes: tally.resident.get(),
            dirty_bytes: tally.dirty.get(),
        };
        let volumes = self.volumes.iter().zip(&tally.volumes).zip(states);
        let volumes = volumes.map(|((volume, tally), state)| volume.status(tally, state)).collect();
        Status { at_ns: now.ns(), since_ns: self.since.ns(), limits, cache, volumes, ..Status::default() }
    }

    fn limit(&self, tally: &LimitTally, rate: LimitRate) -> LimitStatus {
        LimitStatus {
            limit: self.names.id(tally.id).name(),
            id: self.names.id(tally.id),
            disk: tally.id.volume().map(|_| place(&self.volumes, tally)),
            rate: tally.rate,
            burst_rate: tally.burst_rate,
            credits: tally.credits,
            credits_max: tally.credits_max,
            granted: tally.granted,
            consumed_percent: rate.consumed_percent,
            binding_percent: rate.binding_percent,
            binding_ns: tally.binding.ns(),
        }
    }
}

impl VolumeMeter {
    fn status(&self, tally: &dw_stack::VolumeTally, state: &VolumeState) -> VolumeStatus {
        let [reads, writes, trims, flushes] = self.ops.each_ref().map(OpMeter::status);
        VolumeStatus {
            name: self.name.clone(),
            size_bytes: state.size_bytes,
            disks: self.disks.clone(),
            host_cache: state.host_cache,
            attached: state.attached,
            queue_depth: self.under_way,
            dirty_bytes: tally.dirty.get(),
            hits_ram: tally.hits_ram,
            hits_ssd: tally.hits_ssd,
            misses: tally.misses,
            destaged_bytes: tally.destaged.get(),
            room_percent: self.levels[0].percent,
            first_touch_percent: self.levels[1].percent,
            untouched_bytes: tally.touched.map(|touched| touched.left.get()),
            reads,
            writes,
            flushes,
            trims,
        }
    }
}

fn percent(part: u64, whole: u128) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}

/// What happened at a limit since the last second ended.
struct Since {
    granted: u64,
    binding: Duration,
}

impl Since {
    /// A change of tier can bring a limit that was not there before: it begins at nothing.
    fn last(last: &[LimitTally], new: &LimitTally) -> Since {
        let old = last.iter().find(|old| is_same(old, new));
        let (granted, binding) = old.map_or((0, Duration::ZERO), |old| (old.granted, old.binding));
        Since { granted: new.granted.saturating_sub(granted), binding: new.binding.saturating_sub(binding) }
    }
}

fn is_same(one: &LimitTally, other: &LimitTally) -> bool {
    one.id == other.id
}

fn place(volumes: &[VolumeMeter], tally: &LimitTally) -> String {
    let Gate::Disk { volume, disk, only } = tally.id.gate else { return "vm".into() };
    let disk = &volumes[usize::from(volume.0)].disks[usize::from(disk)];
    only.map_or(disk.clone(), |only| format!("{disk} {}", only.name()))
}

fn waited(volumes: &[VolumeMeter], tally: &LimitTally) -> u64 {
    let at = |volume: &VolumeMeter| volume.waited[tally.stage as usize];
    match tally.id.gate {
        Gate::Disk { volume, .. } => at(&volumes[usize::from(volume.0)]),
        Gate::Vm(gate) => {
            let passes = |volume: &&VolumeMeter| volume.path.front == Some(gate) || volume.path.remote.contains(&gate);
            volumes.iter().filter(passes).map(at).sum()
        }
    }
}

#[cfg(test)]
mod tests;
