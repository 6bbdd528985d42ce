//! What is measured while a run goes on: by entry of the report, by volume, by interval.
//!
//! A request is recorded once, in the cell of its entry, volume and direction; entries and volumes are sums of cells.
//! The latency of an entry ends when the job reaps the request, that of a volume when the request is done. They differ
//! only where a job reaps late (`iodepth_batch_complete_min`, the drain at the end); those requests are kept apart.
//!
//! Invariant: over the whole run the time integral of the number outstanding is the sum of all latencies (Little's
//! law), to the nanosecond.

use crate::batch_means::Bins;
use crate::recorder::{Part, Recorder};
use crate::series::{Series, Stretch};
use dw_stack::{CacheOutcome, Completion, Stage};
use dw_units::{Duration, Instant};
use dw_workload::Direction;

/// The volume number of null jobs' cells.
pub(crate) const NO_VOLUME: u16 = u16::MAX;

/// One entry, volume and direction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    pub(crate) bytes: u64,
    /// Requests whose entry and volume saw the same latency.
    pub(crate) both: Recorder,
    /// Requests that were reaped late: as the entry saw them, and as the volume did.
    pub(crate) late: Option<Box<(Recorder, Recorder)>>,
    queued: [u64; Stage::COUNT],
    /// What did not fit the sums above any more.
    spilled: [u128; Stage::COUNT],
    outcomes: [u64; CacheOutcome::COUNT],
}

impl Cell {
    #[inline(always)]
    fn record(&mut self, done: &Completion, late: Duration) {
        let latency = done.latency().ns();
        debug_assert_eq!(done.spent.total().ns(), latency, "the parts of a latency add up to it");
        if late == Duration::ZERO {
            self.both.record(latency);
        } else {
            self.record_late(latency, late.ns());
        }
        self.bytes += u64::from(done.len);
        // The parts of a latency add up to it: what was served all the time has not waited.
        if done.spent.served.ns() != latency {
            for (sum, wait) in self.queued.iter_mut().zip(done.spent.queued) {
                *sum = sum.wrapping_add(wait.ns());
            }
        }
        self.outcomes[done.cache as usize] += 1;
        // 2¹⁶ latencies of up to three days fit 64 bits.
        if self.both.count & 0xffff == 0 || late != Duration::ZERO {
            self.spill();
        }
    }
    #[cold]
    fn record_late(&mut self, latency: u64, late: u64) {
        let (entry, volume) = &mut **self.late.get_or_insert_default();
        entry.record(latency + late);
        volume.record(latency);
    }
    #[cold]
    fn spill(&mut self) {
        for (total, sum) in self.spilled.iter_mut().zip(&mut self.queued) {
            *total += u128::from(std::mem::take(sum));
        }
    }
    /// Time spent waiting at each limit.
    pub(crate) fn queued(&self) -> [u128; Stage::COUNT] {
        std::array::from_fn(|limit| self.spilled[limit] + u128::from(self.queued[limit]))
    }
    /// Time spent being served: what of the latencies was no wait.
    pub(crate) fn served(&self) -> u128 {
        let latencies = self.both.sum + self.late.as_ref().map_or(0, |late| late.1.sum);
        // What was leapt over is rounded.
        latencies.saturating_sub(self.queued().iter().sum::<u128>())
    }
    /// Requests with this cache outcome.
    pub(crate) fn outcomes(&self, outcome: CacheOutcome) -> u64 {
        self.outcomes[outcome as usize]
    }
}

/// What a cell recorded in a stretch of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct CellPart {
    pub(crate) bytes: u64,
    pub(crate) both: Part,
    late: Option<Box<(Part, Part)>>,
    pub(crate) queued: [u128; Stage::COUNT],
    pub(crate) outcomes: [u64; CacheOutcome::COUNT],
}

impl Cell {
    /// Moves everything into a part.
    pub(crate) fn take(&mut self) -> CellPart {
        let late = self.late.as_mut().map(|late| Box::new((late.0.take(), late.1.take())));
        let queued = self.queued();
        (self.queued, self.spilled) = ([0; Stage::COUNT], [0; Stage::COUNT]);
        CellPart {
            bytes: std::mem::take(&mut self.bytes),
            both: self.both.take(),
            late,
            queued,
            outcomes: std::mem::take(&mut self.outcomes),
        }
    }
    /// Adds a part, `times` times: how many I/Os and bytes that were.
    pub(crate) fn add(&mut self, part: &CellPart, times: f64) -> (u64, u64) {
        let mut ios = self.both.add(&part.both, times);
        if let Some(late) = &part.late {
            let (entry, volume) = &mut **self.late.get_or_insert_default();
            ios += entry.add(&late.0, times);
            volume.add(&late.1, times);
        }
        // As many bytes as belong to these I/Os, whole ones where all are alike.
        let of = |count: u64| (count as f64 * times + 0.5) as u64;
        let bytes = match part.ios() {
            0 => 0,
            all => (u128::from(part.bytes) * u128::from(ios) / u128::from(all)) as u64,
        };
        self.bytes += bytes;
        for (sum, wait) in self.spilled.iter_mut().zip(part.queued) {
            *sum += if times == 1.0 { wait } else { (wait as f64 * times) as u128 };
        }
        for (sum, &count) in self.outcomes.iter_mut().zip(&part.outcomes) {
            *sum += of(count);
        }
        (ios, bytes)
    }
}

impl CellPart {
    pub(crate) fn join(&mut self, more: &CellPart) {
        self.bytes += more.bytes;
        self.both.join(&more.both);
        if let Some(theirs) = &more.late {
            let mine = self.late.get_or_insert_default();
            mine.0.join(&theirs.0);
            mine.1.join(&theirs.1);
        }
        self.queued.iter_mut().zip(more.queued).for_each(|(sum, wait)| *sum += wait);
        self.outcomes.iter_mut().zip(more.outcomes).for_each(|(sum, count)| *sum += count);
    }
    /// I/Os.
    pub(crate) fn ios(&self) -> u64 {
        self.both.count + self.late.as_ref().map_or(0, |late| late.0.count)
    }
    /// The latencies as the volume saw them.
    pub(crate) fn of_volume(&self) -> Part {
        let mut part = self.both.clone();
        if let Some(late) = &self.late {
            part.join(&late.1);
        }
        part
    }
    /// As what a series shows.
    pub(crate) fn stretch(&self, reads: bool) -> Stretch {
        let tiers = if reads { self.tiers() } else { [0; 3] };
        let hits = tiers[0] + tiers[1];
        let touches = self.outcomes[CacheOutcome::FirstTouch as usize];
        Stretch { bytes: self.bytes, hits, touches, tiers, latency: self.of_volume(), queued: self.queued }
    }
    /// Reads that the host cache served: from RAM, from its SSD; and those that the disk did.
    pub(crate) fn tiers(&self) -> [u64; 3] {
        [CacheOutcome::HitRam, CacheOutcome::HitSsd, CacheOutcome::Miss].map(|outcome| self.outcomes[outcome as usize])
    }
}

/// What is known of one volume besides its cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct VolumeMeter {
    outstanding: u64,
    /// The number outstanding summed up over time until now is `outstanding × now + offset`, modulo 2¹²⁸: so nothing is multiplied
    /// when it changes.
    offset: u128,
    /// When it changed last.
    changed: Instant,
    /// The counted window, and the area before it.
    pub(crate) from: Option<Instant>,
    pub(crate) to: Instant,
    area_before: u128,
    /// What had been leapt over when it began, and when it ended.
    leapt_before: Duration,
    leapt: Duration,
}

impl VolumeMeter {
    #[inline(always)]
    fn begin(&mut self, now: Instant) {
        self.outstanding += 1;
        self.offset = self.offset.wrapping_sub(u128::from(now.ns()));
        self.changed = now;
    }
    #[inline(always)]
    fn end(&mut self, now: Instant) {
        self.outstanding -= 1;
        self.offset = self.offset.wrapping_add(u128::from(now.ns()));
        self.changed = now;
    }
    /// The integral of the number outstanding up to the last change.
    fn area_so_far(&self) -> u128 {
        self.offset.wrapping_add(u128::from(self.outstanding) * u128::from(self.changed.ns()))
    }
    /// Outstanding now.
    pub(crate) fn outstanding(&self) -> u64 {
        self.outstanding
    }
    /// Outstanding on average over the counted window.
    pub(crate) fn queue_depth(&self) -> f64 {
        let window = self.window().ns();
        if window == 0 { 0.0 } else { (self.area_so_far() - self.area_before) as f64 / window as f64 }
    }
    /// The counted window.
    pub(crate) fn window(&self) -> Duration {
        self.from.map_or(Duration::ZERO, |from| self.to.since(from) + (self.leapt.saturating_sub(self.leapt_before)))
    }
    /// It in virtual time: from, to.
    pub(crate) fn span(&self) -> Option<(Instant, Instant)> {
        self.from.map(|from| (from + self.leapt_before, self.to + self.leapt))
    }
    /// The integral of the number outstanding, so far.
    pub(crate) fn area(&mut self, now: Instant) -> u128 {
        self.changed = now;
        self.area_so_far()
    }
    /// Adds what was outstanding while a leap went on.
    pub(crate) fn add_area(&mut self, area: u128) {
        self.offset = self.offset.wrapping_add(area);
    }
}

/// Everything measured.
#[derive(Clone, Debug)]
pub(crate) struct Meter {
    pub(crate) cells: Vec<Cell>,
    /// Entry and volume of every three cells.
    pub(crate) cell_of: Vec<(usize, u16)>,
    pub(crate) volumes: Vec<VolumeMeter>,
    pub(crate) bins: Bins,
    pub(crate) series: Option<Series>,
    pub(crate) completed: u64,
    /// Latencies of what is in no cell: ramps and flushes.
    latency_elsewhere: u128,
    /// Virtual time that was leapt over; what finishes now is so much later than the stack's clock says.
    pub(crate) leapt: Duration,
    /// I/Os and bytes of that, by cell; empty where nothing was.
    pub(crate) added: Vec<(u64, u64)>,
}

impl Meter {
    pub(crate) fn new(volumes: usize, series: Option<Duration>) -> Self {
        Meter {
            cells: Vec::new(),
            cell_of: Vec::new(),
            volumes: vec![VolumeMeter::default(); volumes],
            bins: Bins::new(volumes),
            series: series.filter(|&s| s > Duration::ZERO).map(|interval| Series::new(interval, volumes)),
            completed: 0,
            latency_elsewhere: 0,
            leapt: Duration::ZERO,
            added: Vec::new(),
        }
    }
    /// The first cell of an entry and a volume.
    pub(crate) fn cells_for(&mut self, entry: usize, volume: u16) -> u32 {
        let known = self.cell_of.iter().position(|&of| of == (entry, volume));
        let at = known.unwrap_or_else(|| {
            self.cell_of.push((entry, volume));
            self.cells.resize_with(self.cell_of.len() * 3, Cell::default);
            self.cell_of.len() - 1
        });
        at as u32 * 3
    }
    /// A request goes to a volume.
    #[inline]
    pub(crate) fn submitted(&mut self, volume: u16, now: Instant) {
        self.volumes[volume as usize].begin(now);
    }
    /// A volume is done with a request.
    #[inline]
    pub(crate) fn finished(&mut self, done: &Completion) {
        self.volumes[done.volume.0 as usize].end(done.finished);
        if let Some(series) = &mut self.series {
            series.record(done);
        }
    }
    /// A job has reaped a request that counts.
    #[inline(always)]
    pub(crate) fn reaped(&mut self, cell: u32, direction: Direction, done: &Completion, now: Instant) {
        self.cells[cell as usize + direction as usize].record(done, now.since(done.finished));
    }
    /// A job has reaped a request that counts at the instant at which it was done, and its volume gets another: the number
    /// outstanding stays as it is, so its integral need not be brought up to date.
    #[inline(always)]
    pub(crate) fn passed(&mut self, cell: u32, direction: Direction, done: &Completion) {
        self.bins.count(done.volume.0 as usize, done.finished);
        if let Some(series) = &mut self.series {
            series.record(done);
        }
        self.cells[cell as usize + direction as usize].record(done, Duration::ZERO);
    }
    /// A request that goes into no cell.
    pub(crate) fn not_counted(&mut self, done: &Completion) {
        self.latency_elsewhere += u128::from(done.latency().ns());
    }
    /// A volume's counted window begins, unless it has.
    pub(crate) fn count_from(&mut self, volume: u16, now: Instant) {
        let volume = &mut self.volumes[volume as usize];
        if volume.from.is_none() {
            volume.from = Some(now);
            volume.area_before = volume.area(now);
            volume.leapt_before = self.leapt;
        }
    }
    /// A volume's counted window reaches at least to here.
    pub(crate) fn count_to(&mut self, volume: u16, now: Instant) {
        let volume = &mut self.volumes[volume as usize];
        volume.changed = now;
        volume.to = volume.to.max(now);
        volume.leapt = self.leapt;
    }
    /// I/Os and bytes of an entry in one direction that were leapt over.
    pub(crate) fn added(&self, entry: usize, direction: Direction) -> (u64, u64) {
        let of = self.added.iter().enumerate();
        let of = of.filter(|(n, _)| self.cell_of[n / 3].0 == entry && n % 3 == direction as usize);
        of.fold((0, 0), |sum, (_, added)| (sum.0 + added.0, sum.1 + added.1))
    }
    /// The integral of the number outstanding, and the sum of latencies.
    pub(crate) fn little(&self) -> (u128, u128) {
        let on_volumes = |n: &usize| self.cell_of[n / 3].1 != NO_VOLUME;
        let cells = (0..self.cells.len()).filter(on_volumes).map(|n| &self.cells[n]);
        let counted: u128 = cells.map(|cell| cell.both.sum + cell.late.as_ref().map_or(0, |late| late.1.sum)).sum();
        (self.volumes.iter().map(VolumeMeter::area_so_far).sum(), counted + self.latency_elsewhere)
    }
}
