//! A plan under the jobs that verify it, in virtual time: what it promises against what its own scenario serves.
//!
//! Three runs, all of the texts that `provision` writes: the jobs as they are with a warm host cache; the jobs of all volumes together
//! from a cold one, where the plan counts on hits; and demands above the planned one, to see which limit throttles first.
//! How long each runs follows from its I/Os, so that a plan takes a fraction of a second whatever it is for.
//!
//! A cache of hundreds of GiB takes hours to fill, and as long to settle. What it serves depends on the share of its blocks that
//! requests have filled, and `R` requests a second of `s` bytes go once over `W` bytes in `W / (R s)` seconds; so working sets and cache
//! are simulated at one part in `f` of their size, where everything takes one part in `f` of the time.
//!
//! Source: `docs/model/planning.md`, `docs/model/host-cache.md`.
//!
//! Ignores: of a demand over time all but its busiest interval; what else happens after a reboot.

use dw_catalogue::gates;
use dw_demand::wishes::{LatencyOf, Wishes};
use dw_documents::LimitId;
use dw_documents::plan::{Beyond, ColdRow, LimitRow, PlanDocument, PlanSimulation, SimulatedRow};
use dw_error::Result;
use dw_formats::scenario::Scenario;
use dw_messages::{Figure, Sentence, say};
use dw_provision::fio::{self, Job};
use dw_provision::rig::{self, Paths, Start};
use dw_provision::{Demand, Place, Setup};
use dw_sim::{LatencyStats, RunResult};
use dw_units::{Bytes, Duration, Throughput};
use dw_workload::Direction;

use crate::figures::{ms, percent, seconds, whole_iops};
use crate::load::Texts;
use crate::provision::setup;
use crate::session::Session;
use crate::simulate::summary::LimitLine;
use crate::simulate::{LoadOptions, SimulationOutcome, build};

/// I/Os of the run that proves the plan.
const IOS: u64 = 600_000;
/// What does not hold in it is run for so many times as long, where it has fewer requests than this: a p99 of some hundred of them is
/// that of two or three.
const LONGER: u64 = 10;
const FEW: f64 = 20_000.0;
/// I/Os of the run from a cold cache.
const COLD_IOS: u64 = 400_000;
/// I/Os of the run above the demand.
const BEYOND_IOS: u64 = 150_000;
/// What the jobs of a plan run for on a VM: longer shows nothing new.
const LONGEST_MS: u64 = 70_000;
/// Of what a group of jobs runs, one part in so many is not counted, as in the jobs of a plan.
const RAMP: u64 = 7;
/// Share of a rate from which it counts as served.
pub(crate) const SERVED: f64 = 0.99;
/// Reads that cover a working set once, after it was shrunk.
const COVER: u64 = 20_000;
/// How often a working set is covered in the run from a cold cache: after 12 times 6 parts in a million are still missing.
const COVERED: u64 = 12;
/// Intervals of the run from a cold cache.
const BINS: u64 = 200;
/// So many of them have the whole rate on average where it holds.
const STEADY: usize = 8;
/// The beginning after a reboot lasts so long, or an interval.
const FIRST_S: f64 = 300.0;
/// What fills a limit is exceeded by so much, so that requests are seen to wait.
const EXCEEDS: f64 = 1.02;
/// So many limits are tried at the load that fills each; a run takes as long as any other.
const TRIED: usize = 4;
/// Where none of them throttles, as burst credits may carry what is beyond them, so many times more is asked.
const MORE: f64 = 1.25;
/// A limit that this multiple of the demand does not reach is not a bottleneck.
const BEYOND_MAX: f64 = 10.0;
const SOME_MORE: f64 = 1.14;
/// Queue depths beyond the demand are so many times those of the plan: a limit shows only where requests wait for it.
const DEEPER: u64 = 16;
/// The same after a reboot: a read that misses takes several times as long as one that hits, and an application that asks for the
/// same rate has as many more in flight.
const DEEPER_COLD: u64 = 4;
/// Limits within half a percent of each other count as equally exhausted: a run of seconds cannot tell them apart.
const CLOSE: f64 = 0.5;

/// Simulates the plan of a document.
pub(super) fn simulate(session: &Session, document: &PlanDocument, wishes: &Wishes) -> Result<PlanSimulation> {
    let proof = Proof::new(session, document, wishes)?;
    let (warm, cold, beyond) = (proof.warm()?, proof.cold()?, proof.beyond()?);
    Ok(proof.simulated(warm, None, cold, beyond))
}

/// What was promised against what is served.
#[derive(Clone)]
pub(super) struct Warm {
    pub(super) rows: Vec<SimulatedRow>,
    /// Seconds that were counted.
    counted_s: f64,
    ios: u64,
}

/// What volumes that count on hits get after a reboot, and the I/Os of the run.
pub(super) type Cold = (Vec<ColdRow>, u64);

/// One part in how many of working sets and cache is simulated.
fn shrunk(setup: &Setup) -> u64 {
    let cached = setup.volumes.iter().filter(|volume| volume.is_cached() && volume.demand.read_iops > 0);
    let covers = cached.filter_map(|volume| {
        let size = (volume.demand.read.get() / volume.demand.read_iops).max(4_096);
        Some(volume.working_set?.get() / size / COVER)
    });
    covers.max().unwrap_or(1).max(1)
}

/// What all runs share; no run needs another.
pub(super) struct Proof<'a> {
    session: &'a Session,
    document: &'a PlanDocument,
    wishes: &'a Wishes,
    setup: Setup,
    shrunk: u64,
}

/// How long a run takes.
struct Length {
    runtime: Duration,
    ramp: Duration,
    series: Option<Duration>,
}

impl Length {
    /// Long enough for about `ios` I/Os.
    fn for_ios(jobs: &[Job], ios: u64) -> Length {
        // Groups of jobs run one after the other, so their rates add up.
        let rate: u64 = jobs.iter().map(|job| job.stream.iops).sum();
        let all = (ios * 1_000 / rate.max(1)).clamp(RAMP, LONGEST_MS);
        Length { runtime: Duration::from_ms(all - all / RAMP), ramp: Duration::from_ms(all / RAMP), series: None }
    }
}

impl<'a> Proof<'a> {
    pub(super) fn new(session: &'a Session, document: &'a PlanDocument, wishes: &'a Wishes) -> Result<Proof<'a>> {
        let mut setup = setup::from_plan("plan", "", document, session.catalogue())?;
        let shrunk = shrunk(&setup);
        for volume in &mut setup.volumes {
            volume.working_set = volume.working_set.map(|size| Bytes::new(size.get() / shrunk));
            // A run on a smaller scale is long enough for hits to be those of the steady state.
            volume.benchmark = None;
        }
        Ok(Proof { session, document, wishes, setup, shrunk })
    }

    /// What the runs come to together; `again` says how the plan was come to.
    pub(super) fn simulated(
        &self,
        warm: Warm,
        again: Option<Sentence>,
        (cold, cold_ios): Cold,
        (beyond, beyond_ios): (Option<Beyond>, u64),
    ) -> PlanSimulation {
        let Warm { rows, counted_s, ios } = warm;
        PlanSimulation {
            answer: answer(counted_s, &rows, again, &cold, beyond.as_ref()),
            met: rows.iter().all(SimulatedRow::met),
            seconds: counted_s,
            ios: ios + cold_ios + beyond_ios,
            shrunk: self.shrunk,
            rows,
            cold,
            beyond,
        }
    }

    fn run(&self, setup: &Setup, jobs: &[Job], start: Start, length: &Length) -> Result<SimulationOutcome> {
        let mut scenario = self.session.scenario("rig.toml", &rig::text(setup, Paths::Linux, start))?;
        self.shrink(&mut scenario);
        let text = fio::rehearsal(setup, jobs, length.runtime, length.ramp);
        let options = LoadOptions { series: length.series, ..LoadOptions::default() };
        self.session.run(self.session.load(scenario, &Texts::single("verify.fio", text), &options)?, None)
    }

    fn shrink(&self, scenario: &mut Scenario) {
        let Some(cache) = scenario.stack.vm.host_cache.as_mut().filter(|_| self.shrunk > 1) else { return };
        let block = cache.block_size;
        let part = |size: Bytes| block * size.get().div_ceil(self.shrunk).div_ceil(block.get());
        cache.capacity = part(cache.capacity);
        cache.ram = part(cache.ram).min(cache.capacity);
        cache.write_back.dirty_max = part(cache.write_back.dirty_max).min(cache.capacity);
    }

    /// What was promised against what is served.
    pub(super) fn warm(&self) -> Result<Warm> {
        let jobs = fio::jobs(&self.setup);
        if jobs.is_empty() {
            return Ok(Warm { rows: Vec::new(), counted_s: 0.0, ios: 0 });
        }
        let (mut length, longer) = (Length::for_ios(&jobs, IOS), Length::for_ios(&jobs, IOS * LONGER));
        let (mut rows, mut ios) = self.rows(&jobs, &length)?;
        let counted_s = |length: &Length| length.runtime.ns() as f64 / 1e9;
        let is_chance = |row: &SimulatedRow| !row.met() && row.iops * counted_s(&length) < FEW;
        if longer.runtime > length.runtime && rows.iter().any(is_chance) {
            let (again, more) = self.rows(&jobs, &longer)?;
            (rows, ios, length) = (again, ios + more, longer);
        }
        // A volume that is as busy alone as with all others shows nothing new alone, unless it fails only there.
        let all = rows.clone();
        rows.retain(|row| {
            let same = |other: &SimulatedRow| {
                (&other.volume, &other.direction) == (&row.volume, &row.direction)
                    && other.promised_iops == row.promised_iops
            };
            row.together || !all.iter().any(|other| other.together && same(other) && (row.met() || !other.met()))
        });
        Ok(Warm { rows, counted_s: counted_s(&length), ios })
    }

    /// Every volume and direction, alone and together, in a run of so long, and the I/Os of the run.
    fn rows(&self, jobs: &[Job], length: &Length) -> Result<(Vec<SimulatedRow>, u64)> {
        let ran = self.run(&self.setup, jobs, Start::Planned, length)?;
        let mut rows = Vec::new();
        let mut done: Vec<(usize, bool, bool)> = Vec::new();
        for job in jobs {
            let of = (job.volume, job.together, job.stream.writes);
            if !done.contains(&of) {
                done.push(of);
                rows.extend(self.row(jobs, &ran, of));
            }
        }
        Ok((rows, ran.result.simulated_ios))
    }

    /// A volume and a direction, alone or together.
    fn row(&self, jobs: &[Job], ran: &SimulationOutcome, of: (usize, bool, bool)) -> Option<SimulatedRow> {
        let (place, together, writes) = of;
        let way = if writes { Direction::Write } else { Direction::Read };
        let these = jobs.iter().zip(&ran.result.entries);
        let these: Vec<_> = these.filter(|(job, _)| (job.volume, job.together, job.stream.writes) == of).collect();
        let per_second = |count: fn(&dw_sim::DirectionResult) -> u64| {
            let rates = these.iter().map(|(_, entry)| {
                let load = entry.load.get(way);
                count(load) as f64 * 1e9 / load.runtime.ns().max(1) as f64
            });
            rates.sum::<f64>()
        };
        let stats: Vec<&LatencyStats> = these.iter().map(|(_, entry)| &entry.load.get(way).lat).collect();
        let latency = build::latency(&stats);
        let streams = || these.iter().map(|(job, _)| job.stream);
        let promised_iops = streams().map(|stream| stream.iops).sum::<u64>() as f64;
        let promised_bytes_per_s = streams().map(|stream| stream.iops * stream.size.get()).sum::<u64>() as f64;
        let (iops, bytes_per_s) = (per_second(|load| load.ios), per_second(|load| load.bytes));
        let (volume, wished) = (self.document.plan.as_ref()?.volumes.get(place)?, self.wishes.volumes.get(place)?);
        let most = if writes { wished.write_latency_max } else { wished.read_latency_max };
        let most_us = |of| most.of(of).map(|most| most.ns() as f64 / 1e3);
        let (latency_us, latency_p99_us) =
            latency.map_or((0.0, 0.0), |latency| (latency.mean / 1e3, latency.p99 as f64 / 1e3));
        let latency_p95_us = build::quantile(&stats, 0.95).map_or(0.0, |ns| ns as f64 / 1e3);
        let rate_met = iops >= SERVED * promised_iops && bytes_per_s >= SERVED * promised_bytes_per_s;
        let row = SimulatedRow {
            volume: volume.name.clone(),
            direction: if writes { "write" } else { "read" }.into(),
            together: together || self.setup.volumes.len() == 1,
            promised_iops,
            iops,
            promised_bytes_per_s,
            bytes_per_s,
            latency_max_us: most_us(LatencyOf::Mean),
            latency_us,
            latency_p95_max_us: most_us(LatencyOf::P95),
            latency_p95_us,
            latency_p99_max_us: most_us(LatencyOf::P99),
            latency_p99_us,
            rate_met,
            throttled_by: if rate_met { None } else { throttled_by(ran, &volume.name) },
            latency_met: None,
        };
        let is_met = row.latencies_asked().all(|(_, simulated, most)| simulated <= most);
        Some(SimulatedRow { latency_met: (!most.is_none()).then_some(is_met), ..row })
    }

    /// The jobs of all volumes together, or of the only one.
    fn all_jobs(setup: &Setup) -> Vec<Job> {
        let mut jobs = fio::jobs(setup);
        if setup.volumes.len() > 1 {
            jobs.retain(|job| job.together);
        }
        jobs
    }

    /// After a reboot, with an empty host cache.
    pub(super) fn cold(&self) -> Result<Cold> {
        let plan = self.document.plan.iter().flat_map(|plan| &plan.volumes);
        let mut setup = self.setup.clone();
        for volume in setup.volumes.iter_mut().filter(|volume| volume.is_cached()) {
            volume.queue_depth.0 *= DEEPER_COLD;
        }
        let jobs = Self::all_jobs(&setup);
        let reads = |place: usize| jobs.iter().filter(move |job| job.volume == place && !job.stream.writes);
        let counting: Vec<usize> = plan
            .enumerate()
            .filter(|(place, volume)| volume.hit_percent > 0.0 && reads(*place).next().is_some())
            .map(|(place, _)| place)
            .collect();
        // The longest that any of them takes to go over its working set.
        let covers = counting.iter().filter_map(|&place| {
            let bytes: u64 = reads(place).map(|job| job.stream.iops * job.stream.size.get()).sum();
            let once = self.setup.volumes.get(place)?.working_set?.get() * 1_000 / bytes.max(1);
            Some(COVERED * once.max(1))
        });
        let Some(covers) = covers.max() else { return Ok((Vec::new(), 0)) };
        let rate: u64 = jobs.iter().map(|job| job.stream.iops).sum();
        let bin = Duration::from_ms(covers.min(COLD_IOS * 1_000 / rate.max(1)).max(BINS) / BINS);
        let length = Length { runtime: Duration::from_ns(bin.ns() * BINS), ramp: Duration::ZERO, series: Some(bin) };
        let ran = self.run(&setup, &jobs, Start::Worst, &length)?;
        let row = |&place: &usize| {
            let promised: u64 = reads(place).map(|job| job.stream.iops).sum();
            let name = &self.setup.volumes.get(place)?.name;
            Some(cold_row(name, promised as f64, &filling(&ran.result, place, bin), bin, self.shrunk))
        };
        Ok((counting.iter().filter_map(row).collect(), ran.result.simulated_ios))
    }

    /// Which limit throttles first beyond the demand, and the I/Os of the runs.
    pub(super) fn beyond(&self) -> Result<(Option<Beyond>, u64)> {
        let binding = self.document.limits.iter().find(|limit| limit.binding);
        let Some(named) = binding.and_then(|row| row.of.id.clone()) else { return Ok((None, 0)) };
        let (mut ios, mut held) = (0, 1.0);
        for (asked, factor) in tried(&self.document.limits, named.clone()) {
            let setup = self.asking(&asked, factor);
            let jobs = Self::all_jobs(&setup);
            if jobs.is_empty() {
                break;
            }
            let ran = self.run(&setup, &jobs, Start::Planned, &Length::for_ios(&jobs, BEYOND_IOS))?;
            ios += ran.result.simulated_ios;
            if let Some(first) = exhausted(&ran, |found| self.is(found, &asked)) {
                let first = if self.is(&first, &asked) { asked } else { first };
                let of_today = full_within(&self.document.limits, &first, held, factor) * self.grown();
                return Ok((Some(Beyond { factor, named, first, of_today: Some(of_today) }), ios));
            }
            held = factor;
        }
        Ok((None, ios))
    }

    /// The load that is planned for, as a multiple of today's: a recording's base, whatever the year of the plan.
    fn grown(&self) -> f64 {
        (1.0 + self.wishes.growth_percent_per_year / 100.0).powi(self.wishes.years as i32)
    }

    /// The setup with so many times the demand at which the bottleneck is busiest: disks in an interval of their own, the VM when
    /// all volumes together are. Queue depths are no bottleneck.
    fn asking(&self, named: &LimitId, factor: f64) -> Setup {
        let mut setup = self.setup.clone();
        let apart = self.apart();
        for volume in &mut setup.volumes {
            let at = match &named.volume {
                Some(name) if *name == volume.name => volume.demand,
                Some(_) if apart => Demand::default(),
                _ => volume.together,
            };
            volume.demand = times(at, factor);
            volume.together = volume.demand;
            volume.queue_depth = (volume.queue_depth.0 * DEEPER, volume.queue_depth.1 * DEEPER);
        }
        setup
    }

    /// Whether a limit of a run is the one that the plan names: that of the local disk is of the disks of the volumes there.
    fn is(&self, found: &LimitId, named: &LimitId) -> bool {
        let on_local = |name: &String| {
            self.setup.volumes.iter().any(|volume| volume.name == *name && volume.place == Place::Local)
        };
        *found == *named
            || named.gate == gates::LOCAL
                && found.volume.as_ref().is_some_and(on_local)
                && (found.direction, found.quantity) == (named.direction, named.quantity)
    }

    /// Whether volumes are busiest at different times.
    fn apart(&self) -> bool {
        self.setup.volumes.iter().any(|volume| volume.demand != volume.together)
    }
}

/// What to try one after the other, as multiples of the demand at which a limit is busiest: what exceeds it a little, the one with the least
/// left first; from there ever more for the bottleneck.
fn tried(limits: &[LimitRow], bottleneck: LimitId) -> impl Iterator<Item = (LimitId, f64)> + use<> {
    let of = |row: &LimitRow| Some((row.of.id.clone()?, row.full_at?.max(1.0) * EXCEEDS));
    let mut full: Vec<(LimitId, f64)> = limits.iter().filter_map(of).collect();
    full.sort_by(|a, b| a.1.total_cmp(&b.1));
    full.truncate(TRIED);
    // What a little more does not show, as hits change with the load, some more does.
    let own = full.iter().find(|(id, _)| *id == bottleneck).map(|(_, factor)| factor * SOME_MORE);
    full.extend(own.map(|factor| (bottleneck.clone(), factor)));
    full.sort_by(|a, b| a.1.total_cmp(&b.1));
    let last = full.last().map_or(BEYOND_MAX, |(_, factor)| *factor);
    let more = std::iter::successors(Some(last * MORE), |factor| Some(factor * MORE));
    let more = more.map(move |factor| (bottleneck.clone(), factor));
    let to_hundredths = |(id, factor): (LimitId, f64)| (id, (factor * 100.0).ceil() / 100.0);
    full.into_iter().chain(more).map(to_hundredths).take_while(|(_, factor)| *factor <= BEYOND_MAX)
}

/// The multiple of the demand at which `first` is full, where that lies between a load that was `held` and the one that throttled; else the
/// latter.
fn full_within(limits: &[LimitRow], first: &LimitId, held: f64, throttled: f64) -> f64 {
    let own = limits.iter().find(|row| row.of.id.as_ref() == Some(first)).and_then(|row| row.full_at);
    own.filter(|at| *at >= held && *at <= throttled).unwrap_or(throttled)
}

fn times(demand: Demand, factor: f64) -> Demand {
    let times = |value: u64| (value as f64 * factor).ceil() as u64;
    let bytes = |value: Throughput| Throughput::bytes_per_second(times(value.get()));
    Demand {
        read_iops: times(demand.read_iops),
        write_iops: times(demand.write_iops),
        read: bytes(demand.read),
        write: bytes(demand.write),
    }
}

/// The limit that throttles a volume.
fn throttled_by(ran: &SimulationOutcome, volume: &str) -> Option<LimitId> {
    ran.summary().binding_limits.into_iter().find(|binding| binding.volume == volume)?.id
}

/// The limit of which least is left among those that throttle; the bottleneck of the plan where hardly more of it is left.
fn exhausted(ran: &SimulationOutcome, is_named: impl Fn(&LimitId) -> bool) -> Option<LimitId> {
    let summary = ran.summary();
    let throttling = || summary.limits.iter().filter(|line| !line.holds.is_empty());
    let least = throttling().min_by(|a, b| a.headroom_percent.total_cmp(&b.headroom_percent))?;
    let is_close = |line: &&LimitLine| is_named(&line.id) && line.headroom_percent <= least.headroom_percent + CLOSE;
    Some(throttling().find(is_close).unwrap_or(least).id.clone())
}

/// Reads and the sum of their latencies in nanoseconds, interval by interval.
fn filling(result: &RunResult, place: usize, bin: Duration) -> Vec<(u64, u128)> {
    let mut bins = vec![(0, 0); BINS as usize];
    for point in &result.series {
        let at = (point.at.ns().div_ceil(bin.ns()) as usize).saturating_sub(1);
        let is_of = usize::from(point.volume) == place && point.direction == Direction::Read;
        if let Some(bin) = bins.get_mut(at).filter(|_| is_of) {
            *bin = (point.ios, point.latency_sum);
        }
    }
    bins
}

fn cold_row(volume: &str, promised: f64, bins: &[(u64, u128)], bin: Duration, shrunk: u64) -> ColdRow {
    let (bin_s, real_s) = (bin.ns() as f64 / 1e9, bin.ns() as f64 / 1e9 * shrunk as f64);
    let first = ((FIRST_S / real_s) as usize).clamp(1, bins.len());
    let (ios, latency) = bins[..first].iter().fold((0, 0), |sum, bin| (sum.0 + bin.0, sum.1 + bin.1));
    // From an interval with the whole rate on, what has come so far is never less than promised: one by itself may have a request
    // that takes long, whose place the next ones take.
    let holds = |from: &usize| {
        let sums = bins[*from..].iter().scan(0, |sum, bin| {
            *sum += bin.0;
            Some(*sum)
        });
        let promised = (1..).map(|count| SERVED * promised * bin_s * f64::from(count));
        let mut held = sums.zip(promised).map(|(served, promised)| served as f64 + 1.0 >= promised);
        held.next() == Some(true) && held.skip(STEADY - 2).all(|held| held)
    };
    let full = (0..=bins.len() - STEADY).find(holds);
    ColdRow {
        volume: volume.into(),
        promised_iops: promised,
        first_s: first as f64 * real_s,
        first_iops: ios as f64 / (first as f64 * bin_s),
        first_latency_us: latency as f64 / 1e3 / ios.max(1) as f64,
        full_after_s: full.map(|full| full as f64 * real_s),
        within_s: bins.len() as f64 * real_s,
    }
}

/// What came of it, in one line.
fn answer(
    counted_s: f64,
    rows: &[SimulatedRow],
    again: Option<Sentence>,
    cold: &[ColdRow],
    beyond: Option<&Beyond>,
) -> Sentence {
    let missed = misses(rows);
    let least = rows.iter().map(SimulatedRow::served_percent).fold(100.0, f64::min);
    let share = tenths(least);
    let kept = match (missed.is_empty(), rows.iter().any(|row| row.latency_met.is_some())) {
        (true, _) if rows.is_empty() => say!(PlanKeepsNothing),
        (true, true) => say!(PlanKeepsAll { share }),
        (true, false) => say!(PlanKeepsRates { share }),
        (false, _) => say!(PlanMisses { missed }),
    };
    let cold: Vec<Sentence> = cold.iter().map(cold_sentence).collect();
    let cold = (!cold.is_empty()).then(|| say!(PlanCold { volumes: cold }));
    let beyond = beyond.map(beyond_sentence);
    say!(PlanSimulated { time: seconds(counted_s), kept, again, cold, beyond })
}

/// What is missed, once for each volume and direction: alone or together with the others, whichever is worse.
pub(super) fn misses(rows: &[SimulatedRow]) -> Vec<Sentence> {
    let mut missed = Vec::new();
    for (place, first) in rows.iter().enumerate() {
        let is_same = |row: &&SimulatedRow| (&row.volume, &row.direction) == (&first.volume, &first.direction);
        if rows[..place].iter().any(|row| is_same(&row)) {
            continue;
        }
        let same = || rows.iter().filter(is_same);
        let slowest = same().filter(|row| !row.rate_met);
        missed.extend(slowest.min_by(|a, b| a.served_percent().total_cmp(&b.served_percent())).map(missed_rate));
        for of in LatencyOf::ALL {
            let asked = same().filter_map(|row| row.latencies_asked().find(|asked| asked.0 == of.word()));
            let longest = asked.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, simulated, most)| simulated > most);
            missed.extend(longest.map(|(of, simulated, most)| {
                let (volume, direction) = (&first.volume, &first.direction);
                let (latency, most) = (ms(simulated * 1e3), ms(most * 1e3));
                say!(PlanMissesLatency { of, volume, direction, latency, most })
            }));
        }
    }
    missed
}

fn missed_rate(row: &SimulatedRow) -> Sentence {
    let (volume, direction) = (&row.volume, &row.direction);
    let (share, promised) = (tenths(row.served_percent()), whole_iops(row.promised_iops));
    match &row.throttled_by {
        Some(limit) => say!(PlanMissesRate { volume, direction, share, promised, limit }),
        None => say!(PlanMissesDepth { volume, direction, share, promised }),
    }
}

pub(super) fn cold_sentence(row: &ColdRow) -> Sentence {
    let volume = &row.volume;
    let share = percent((row.first_iops * 100.0 / row.promised_iops.max(1.0)).min(100.0));
    let (first, latency) = (time(row.first_s), ms(row.first_latency_us * 1e3));
    match row.full_after_s {
        Some(after) if after < row.first_s => say!(PlanColdServed { volume, first, latency }),
        Some(after) => say!(PlanColdFull { volume, share, first, latency, after: time(after) }),
        None => say!(PlanColdLong { volume, share, first, latency, within: time(row.within_s) }),
    }
}

fn beyond_sentence(beyond: &Beyond) -> Sentence {
    let factor = Figure::decimal(beyond.of_today.unwrap_or(beyond.factor), 2, "");
    let named = &beyond.named;
    match beyond.first == beyond.named {
        true => say!(PlanBeyond { factor, named }),
        false => say!(PlanBeyondOther { factor, named, first: &beyond.first }),
    }
}

/// Percent to a tenth, where it is not all.
fn tenths(value: f64) -> Figure {
    if value >= 99.95 { percent(100.0) } else { Figure::decimal(value, 1, "%") }
}

/// A time as people say it after a reboot: to two digits.
pub(super) fn time(s: f64) -> Figure {
    let text = match s {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5_400.0 => format!("{:.0} min", s / 60.0),
        s if s < 36_000.0 => format!("{:.1} h", s / 3_600.0),
        s if s < 259_200.0 => format!("{:.0} h", s / 3_600.0),
        s => format!("{:.0} d", s / 86_400.0),
    };
    Figure::new(s, "s", text)
}
