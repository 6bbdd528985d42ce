//! Why a configuration does not give what is wanted: every limit's use over time, the one that binds, and the cheapest change.
//!
//! Lives here: a configuration in the planner's terms (`rig.rs`), limits over time (`pressure.rs`), changes of one part
//! (`changes.rs`), the trial of each (`trial.rs`), what a measurement shows (`measured.rs`), settings that are wrong at any load
//! (`habits.rs`).
//! Never here: files, sentences, the simulation of a trial.
//! Read next: `pressure.rs`, then `measured.rs`, `docs/model/explaining.md`.

mod changes;
mod habits;
mod measured;
mod pressure;
mod rig;
mod situation;
mod trial;

use std::ops::RangeInclusive;

use dw_catalogue::{Catalogue, Money};
use dw_demand::Requirements;
use dw_demand::wishes::Wishes;
use dw_units::Duration;

use crate::check::{OverTime, Use, check, over_time, uses};
use crate::demand::{self, Before, DemandError};
use crate::latency::latency_ns;
use crate::limit::Limit;
use crate::market;
use crate::plan::Plan;
use crate::problem::{DiskKind, HitCurve, ONE, Problem, Rate, Rates, Sample, VmOffer};

pub use changes::{Change, Edit, Loss, Needs, needs_of};
pub use habits::Habit;
pub use measured::{Measured, Shows, Syncs, WRITES_A_SYNC};
pub use pressure::{Credits, Pressure};
pub use rig::{Passing, Rig, RigVolume};
pub use trial::{Shown, Simulate, Trial};

use changes::{Judge, carried, gets};
use measured::{BEYOND, Place, REACHED, least_hits, passes};
use pressure::{given, limits_of, part, pressures};
use situation::{Load, Situation, own_prices, quiet};
use trial::Trials;

/// Without a demand, a change must make room for so much more than was measured, in percent.
pub const MORE_PERCENT: u64 = 25;
/// A plateau: so many stamps at least, this share of them ...
const PLATEAU_STAMPS: usize = 20;
const PLATEAU_SHARE: f64 = 0.05;
/// ... within this much of the largest.
const PLATEAU_WIDTH: f64 = 0.02;
/// What is measured at a limit lies within so much of it ...
const AT_LIMIT: RangeInclusive<f64> = REACHED as f64 / ONE as f64..=BEYOND as f64 / ONE as f64;
/// ... and what lies so far from it does not.
const BESIDE_LIMIT: RangeInclusive<f64> = 0.9..=1.1;

/// What is asked about a rig.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    pub rig: &'a Rig,
    /// What could replace its parts, and which prices count.
    pub catalogue: &'a Catalogue,
    /// The same: region, lists; and what is wanted of the volumes when there is a demand.
    pub wishes: &'a Wishes,
    /// What is asked of it.
    pub demand: Option<&'a Requirements>,
    /// What was measured on it.
    pub measured: &'a [Measured],
}

/// Why a question cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExplainError {
    /// The demand is not complete.
    Demand(DemandError),
    /// The demand has a volume that the rig has not: its number in the demand, and the names there are.
    NoSuchVolume(usize, Vec<String>),
    /// Neither a demand nor a measurement.
    Nothing,
}

impl std::fmt::Display for ExplainError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ExplainError::Demand(error) => error.fmt(f),
            ExplainError::NoSuchVolume(_, has) => {
                let names = has.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                let what = "the configuration has no such volume";
                write!(f, "{what}\nhint: its volumes are {names}; give both the same names")
            }
            ExplainError::Nothing => f.write_str("there is nothing to explain"),
        }
    }
}

impl std::error::Error for ExplainError {}

impl From<ExplainError> for dw_error::Error {
    fn from(error: ExplainError) -> Self {
        match error {
            ExplainError::Demand(error) => error.into(),
            no_volume @ ExplainError::NoSuchVolume(..) => dw_error::Error::of(dw_error::Kind::Input, no_volume),
            ExplainError::Nothing => dw_error::Error::of(dw_error::Kind::Usage, error),
        }
    }
}

/// What a volume asks and gets in the worst stamp, a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    /// Requests and bytes that are asked for.
    pub asked: (u64, u64),
    /// Share that it gets, in parts per million.
    pub share: u32,
    /// What stops it.
    pub by: Option<Limit>,
    /// Requests in flight that the whole demand needs, by Little's law at the modelled latency.
    pub depth: u64,
    /// Modelled mean latency below every limit: of a read, a write, in nanoseconds.
    pub latency_ns: (u64, u64),
}

/// A series that stops at a level, or a recording that says so itself: its source was throttled, and the true demand is higher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Censored {
    pub volume: usize,
    /// Percent of the stamps that lie on the plateau.
    pub percent: u32,
    /// Requests and bytes per second there.
    pub level: (u64, u64),
    /// The limit of this rig that lies there, too.
    pub at: Option<Limit>,
}

/// Evidence that would say more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missing {
    /// What was measured.
    Measurement,
    /// What is wanted.
    Demand,
    /// The demand over time.
    Series,
    /// How many requests a volume's load keeps in flight, and their latency.
    Depth(usize),
    /// What a cached volume's reads hit.
    WorkingSet(usize),
    /// What the rig's own parts cost.
    Prices,
}

/// Why a rig gives what it gives.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The rig and what could replace its parts.
    pub problem: Problem,
    /// The rig.
    pub plan: Plan,
    /// Whether limits, shares and changes are of a demand; else of what was measured.
    pub of_demand: bool,
    /// Every limit over time, in order of a request's path.
    pub limits: Vec<Pressure>,
    /// Limits that do not change over time: capacity, latency.
    pub fixed: Vec<Use>,
    /// Limits that bind, the one that binds most often first.
    pub binding: Vec<Limit>,
    /// Share of what is asked that is carried in the worst stamp that counts, in parts per million.
    pub carried: u32,
    /// The worst stamp.
    pub worst: usize,
    /// Each volume in that stamp.
    pub served: Vec<Served>,
    /// Changes of one part that help, best first.
    pub changes: Vec<Change>,
    /// What each measurement shows.
    pub shows: Vec<(Measured, Shows)>,
    /// Series whose source was throttled.
    pub censored: Vec<Censored>,
    /// Changes make room for a demand that is higher than what was recorded: the recording was cut off.
    pub beyond_recording: bool,
    /// Settings that are wrong whatever the load, with the volume of each.
    pub habits: Vec<(usize, Habit)>,
    /// What would say more.
    pub missing: Vec<Missing>,
}

/// Explains a rig; changes that keep every limit are tried by `simulate`.
pub fn explain(question: &Question, simulate: &Simulate) -> Result<Explanation, ExplainError> {
    let Question { rig, catalogue, wishes, demand, measured } = *question;
    if demand.is_none() && measured.is_empty() {
        return Err(ExplainError::Nothing);
    }
    let mut market = market::with_unpriced(catalogue, wishes, Money::ZERO);
    let mut skus: Vec<&str> = rig.volumes.iter().filter(|own| own.is_sold).map(|own| own.disk.name.as_str()).collect();
    skus.sort_unstable();
    skus.dedup();
    skus.into_iter().for_each(|sku| market.add_tiers(catalogue, wishes, sku, Money::ZERO));
    let own = own_prices(rig, catalogue, wishes);
    let seen = Situation::new(rig, &market, &own, load_of(rig, measured, 100, &[]));
    let shows: Vec<(Measured, Shows)> = measured.iter().map(|m| (m.clone(), show(rig, &seen, m))).collect();
    let situation = match demand {
        Some(demand) => Situation::new(rig, &market, &own, asked(rig, demand, wishes)?),
        None => seen,
    };
    let series = limits_of(&situation.problem, &situation.plan);
    let seconds = situation.problem.seconds();
    let (mut limits, shares, fullest) = pressures(&series, seconds, situation.problem.violations_allowed);
    // Where all is carried, the interval in which least is left.
    let worst = (0..shares.len()).min_by_key(|&stamp| (shares[stamp], stamp != fullest)).unwrap_or(0);
    let mut fixed: Vec<Use> = uses(&situation.problem, &situation.plan).into_iter().filter(is_fixed).collect();
    let mut binding: Vec<&Pressure> = limits.iter().filter(|limit| limit.narrowest > 0).collect();
    binding.sort_by_key(|limit| std::cmp::Reverse(limit.narrowest));
    let mut binding: Vec<Limit> = binding.into_iter().map(|limit| limit.limit).collect();
    binding.extend(fixed.iter().filter(|used| is_broken(used)).map(|used| used.limit));
    if demand.is_none() {
        binding = shows.iter().filter_map(|(_, shows)| limit_of(shows)).collect();
        binding.dedup();
    }
    let censored = demand.map(|_| censored(rig, &situation, &series)).unwrap_or_default();
    let is_short = carried(&situation, &situation.plan) < ONE || fixed.iter().any(is_broken);
    let cut_off: Vec<(usize, Limit)> = censored.iter().filter_map(|one| Some((one.volume, one.at?))).collect();
    let beyond_recording = demand.is_some() && !is_short && !cut_off.is_empty();
    // Without a demand, and where the recording of one was cut off here, a change must make room for more than there was.
    let wanted = match demand {
        Some(_) if beyond_recording => lifted(&situation, &cut_off, &series),
        Some(_) => situation.clone(),
        None => {
            Situation::new(rig, &market, &own, load_of(rig, measured, 100 + MORE_PERCENT, &at_host(&shows, &rig.vm)))
        }
    };
    let to_mend: Vec<Limit> = match beyond_recording {
        true => cut_off.iter().map(|(_, limit)| *limit).collect(),
        false => binding.clone(),
    };
    let now = carried(&wanted, &wanted.plan);
    let is_met = now == ONE && !fixed.iter().any(is_broken);
    let judge = Judge { catalogue, situation: &wanted, trials: Trials::new(simulate) };
    let mut changes = if is_met || to_mend.is_empty() { Vec::new() } else { changes::all(&judge, &to_mend, now) };
    changes.extend(shows.iter().filter_map(|(measured, shows)| changes::in_flight(&judge, measured, shows)));
    changes::sort(&mut changes);
    let carried = carried(&situation, &situation.plan);
    if let Some(demand) = demand.filter(|_| situation.problem.stamps == 1) {
        at_levels(&mut limits, &mut fixed, |percentile| {
            let load = asked(rig, demand, &Wishes { percentile, ..wishes.clone() })?;
            Ok(Situation::new(rig, &market, &own, load))
        })?;
    }
    let in_flight: Vec<Option<f64>> = (0..rig.volumes.len()).map(|place| recorded_depth(demand, rig, place)).collect();
    // What each limit gives there, with the credits that are left by then.
    let at_worst: Vec<(Limit, u64, u64)> =
        series.iter().map(|(limit, rate, load)| (*limit, given(*rate, load, seconds).0[worst], load[worst])).collect();
    Ok(Explanation {
        served: (0..rig.volumes.len()).map(|place| served(rig, &situation, &at_worst, place, worst)).collect(),
        censored,
        beyond_recording,
        habits: habits::of(rig, &situation.problem.volumes, measured, &in_flight),
        missing: missing(question, &situation),
        problem: situation.problem,
        plan: situation.plan,
        of_demand: demand.is_some(),
        limits,
        fixed,
        binding,
        carried,
        worst,
        changes,
        shows,
    })
}

/// Loads of a demand without a series at its levels: median, 90th, 99th, largest. One figure of them counts.
fn at_levels(
    limits: &mut [Pressure],
    fixed: &mut [Use],
    at: impl Fn(f64) -> Result<Situation, ExplainError>,
) -> Result<(), ExplainError> {
    for (level, percentile) in [50.0, 90.0, 99.0, 100.0].into_iter().enumerate() {
        let there = at(percentile)?;
        let carried = check(&there.problem, &there.plan).uses;
        let load = |limit: Limit| carried.iter().find(|used| used.limit == limit).map_or(0, |used| used.load[3]);
        limits.iter_mut().for_each(|pressure| pressure.load[level] = load(pressure.limit));
        fixed.iter_mut().for_each(|used| used.load[level] = load(used.limit));
    }
    Ok(())
}

/// Counts of the VM are said only where they are exceeded.
fn is_fixed(used: &Use) -> bool {
    match used.limit {
        Limit::Capacity(_) | Limit::ReadLatency(..) | Limit::WriteLatency(..) => true,
        Limit::Slots | Limit::LocalSize => is_broken(used),
        _ => false,
    }
}

/// Whether a limit that does not change over time is broken: capacity gives, a latency may not exceed.
pub fn is_broken(used: &Use) -> bool {
    used.held > used.capacity
}

fn limit_of(shows: &Shows) -> Option<Limit> {
    match shows {
        Shows::Limit { limit, .. } | Shows::Credits { limit, .. } => Some(*limit),
        Shows::Cache { behind, .. } => *behind,
        _ => None,
    }
}

/// A demand, volume by volume of the rig.
fn asked(rig: &Rig, requirements: &Requirements, wishes: &Wishes) -> Result<Load, ExplainError> {
    let demand = demand::of(requirements, wishes, &dw_catalogue::vendor_of(wishes).routes(), 0, Before::NOTHING)
        .map_err(ExplainError::Demand)?;
    let mut volumes: Vec<_> = rig.volumes.iter().map(|own| quiet(rig.vendor, &own.name, demand.stamps)).collect();
    let asked = demand.volumes.len();
    for (number, volume) in demand.volumes.into_iter().enumerate() {
        let place = rig.place_of(&volume.name, asked);
        let names = || rig.volumes.iter().map(|own| own.name.clone()).collect();
        let place = place.ok_or_else(|| ExplainError::NoSuchVolume(number, names()))?;
        volumes[place] = volume;
        if let Some(curve) = volumes[place].hits.as_mut().filter(|_| rig.fills_blocks) {
            curve.parts = None;
        }
    }
    Ok(Load { volumes, stamps: demand.stamps, interval: demand.interval, allowed: demand.violations_allowed })
}

/// Requests in flight that a recording has of a volume, usually.
fn recorded_depth(demand: Option<&Requirements>, rig: &Rig, place: usize) -> Option<f64> {
    let volumes = &demand?.volumes;
    let volume = volumes.iter().find(|volume| rig.place_of(&volume.name, volumes.len()) == Some(place))?;
    volume.queue_depth.map(|levels| levels.p90)
}

/// A demand whose recording was cut off: while a limit held it back, as much counts as asked as was seen at most, and more; burst credits
/// of that limit count as used up.
fn lifted(situation: &Situation, cut_off: &[(usize, Limit)], series: &[OverTime]) -> Situation {
    let mut lifted = situation.clone();
    let problem = &mut lifted.problem;
    for &(volume, limit) in cut_off {
        let Some((_, rate, load)) = series.iter().find(|one| one.0 == limit) else { continue };
        let samples = problem.volumes[volume].samples_mut();
        let ops: Vec<u64> = samples.iter().map(|s| s.reads + s.writes).collect();
        let full = fullest(load, &ops);
        let held_from = *AT_LIMIT.start() * load[full].min(rate.base) as f64;
        let of = |value: u64| value * (100 + MORE_PERCENT) / 100;
        let most = samples[full];
        let more = Sample {
            reads: of(most.reads),
            writes: of(most.writes),
            read_bytes: of(most.read_bytes),
            write_bytes: of(most.write_bytes),
        };
        let held = samples.iter_mut().zip(load).filter(|(_, load)| **load as f64 >= held_from);
        held.for_each(|(sample, _)| *sample = more);
        drop_bursts(problem, limit);
    }
    lifted.plan = lifted.plan_of(lifted.plan.vm, &Situation::parts(&lifted.plan));
    lifted
}

/// The stamp in which a limit carries the most: of those on its plateau the one with the most requests.
fn fullest(load: &[u64], ops: &[u64]) -> usize {
    let edge = load.iter().max().map_or(0.0, |most| *most as f64 * (1.0 - PLATEAU_WIDTH));
    (0..load.len()).filter(|&stamp| load[stamp] as f64 >= edge).max_by_key(|&stamp| ops[stamp]).unwrap_or(0)
}

/// Counts the burst credits of a limit as used up, of the parts that are there and of those that could replace them.
fn drop_bursts(problem: &mut Problem, limit: Limit) {
    if let Some(volume) = limit.volume() {
        let first_sold = problem.volumes.len();
        for (place, disk) in problem.disks.iter_mut().enumerate() {
            if place != volume && place < first_sold {
                continue;
            }
            match &mut disk.kind {
                DiskKind::Fixed { iops, bytes, .. } => (iops.burst, bytes.burst) = (None, None),
                DiskKind::Free(free) => free.burst = None,
            }
        }
        return;
    }
    let Limit::Gate(gate, _) = limit else { return };
    let alike: Vec<usize> = problem.alike(gate).collect();
    for vm in &mut problem.vms {
        for &gate in &alike {
            let Rates { iops, bytes } = &mut vm.gates[gate];
            [iops, bytes].into_iter().flatten().for_each(|rate| rate.burst = None);
        }
    }
}

/// Volumes that a limit of the host's cache holds.
fn at_host(shows: &[(Measured, Shows)], vm: &VmOffer) -> Vec<usize> {
    let is_host = |limit: Limit| measured::is_of_host(limit, vm);
    let held = shows.iter().filter(|(_, shows)| limit_of(shows).is_some_and(is_host));
    held.map(|(measured, _)| measured.volume).collect()
}

/// What was measured, times so many percent; reads that the disks cannot have served hit. Of more the same share hits as of what was
/// measured, but of the volumes in `at_host` whatever their disks do not give: their cache serves, and only its limit holds them.
fn load_of(rig: &Rig, measured: &[Measured], percent: u64, at_host: &[usize]) -> Load {
    let mut volumes: Vec<_> = rig.volumes.iter().map(|own| quiet(rig.vendor, &own.name, 1)).collect();
    for m in measured {
        let of = |value: u64| value * percent / 100;
        let r = m.rates;
        let more = [r.reads, r.writes, r.read_bytes, r.write_bytes].map(of);
        let sample = &mut volumes[m.volume].samples_mut()[0];
        sample.reads += more[0];
        sample.writes += more[1];
        sample.read_bytes += more[2];
        sample.write_bytes += more[3];
    }
    for (place, (volume, own)) in volumes.iter_mut().zip(&rig.volumes).enumerate() {
        let was = |value: u64| value * 100 / percent;
        let Sample { reads, writes, read_bytes, write_bytes } = volume.samples[0];
        let measured = Sample {
            reads: was(reads),
            writes: was(writes),
            read_bytes: was(read_bytes),
            write_bytes: was(write_bytes),
        };
        let hit = match rig.vm.route(own.class).unwrap_or_default().has_cache() {
            true if at_host.contains(&place) => hits_within(own, &volume.samples[0]),
            true => hits_at_least(own, &measured),
            false => 0,
        };
        volume.hits = (hit > 0).then(|| HitCurve::measured(vec![(1, hit)]));
    }
    Load { volumes, stamps: 1, interval: Duration::from_secs(1), allowed: 0 }
}

fn hits_at_least(own: &RigVolume, rates: &Sample) -> u32 {
    let n = u64::from(own.count);
    match own.disk.kind {
        DiskKind::Fixed { iops, bytes, .. } => least_hits(rates, iops.times(n), bytes.times(n)),
        DiskKind::Free(_) => 0,
    }
}

/// The share of reads that must hit for the disks to sustain the rest and all writes.
fn hits_within(own: &RigVolume, rates: &Sample) -> u32 {
    let DiskKind::Fixed { iops, bytes, .. } = own.disk.kind else { return 0 };
    let of = |rate: Rate, reads: u64, writes: u64| {
        ONE - part(rate.times(u64::from(own.count)).base.saturating_sub(writes), reads)
    };
    of(iops, rates.reads, rates.writes).max(of(bytes, rates.read_bytes, rates.write_bytes))
}

fn show(rig: &Rig, seen: &Situation, measured: &Measured) -> Shows {
    let own = &rig.volumes[measured.volume];
    let mut cold = seen.problem.clone();
    cold.volumes[measured.volume].hits = None;
    let mut cold_plan = seen.plan.clone();
    cold_plan.volumes[measured.volume].hit = 0;
    let mut hot_plan = seen.plan.clone();
    hot_plan.volumes[measured.volume].hit = ONE;
    let place = Place {
        problem: &seen.problem,
        class: own.class,
        disks: own.count,
        disk_latency_ns: own.disk.latency_ns,
        vm: &rig.vm,
        cold: &over_time(&cold, &cold_plan),
        warm: &over_time(&seen.problem, &seen.plan),
        writes: &over_time(&seen.problem, &hot_plan),
        hit: seen.plan.volumes[measured.volume].hit,
    };
    measured::shows(measured, &place)
}

fn served(rig: &Rig, situation: &Situation, limits: &[(Limit, u64, u64)], place: usize, worst: usize) -> Served {
    let (own, chosen) = (&rig.volumes[place], &situation.plan.volumes[place]);
    let sample = situation.problem.volumes[place].samples.get(worst).copied().unwrap_or_default();
    let problem = &situation.problem;
    let disk = if problem.route(own.class).is_local {
        rig.vm.local.map_or(own.disk.latency_ns, |local| local.latency_ns)
    } else {
        own.disk.latency_ns
    };
    let latency_ns = latency_ns(problem.cache_latency, problem.route(chosen.class).cache, chosen.hit, disk);
    let (share, by) = gets(limits, |limit| passes(limit, place, own.class, &rig.vm));
    Served {
        asked: (sample.reads + sample.writes, sample.read_bytes + sample.write_bytes),
        share,
        by,
        depth: demand::in_flight(&situation.problem, place, latency_ns, own.count),
        latency_ns,
    }
}

/// Volumes whose demand stops at a level: at its top, or at what a limit of this rig sustains.
fn censored(rig: &Rig, situation: &Situation, series: &[OverTime]) -> Vec<Censored> {
    let mut found = Vec::new();
    for (place, volume) in situation.problem.volumes.iter().enumerate() {
        let ops: Vec<u64> = volume.samples.iter().map(|s| s.reads + s.writes).collect();
        let bytes: Vec<u64> = volume.samples.iter().map(|s| s.read_bytes + s.write_bytes).collect();
        let own = || series.iter().filter(|limit| passes(limit.0, place, rig.volumes[place].class, &rig.vm));
        // Credits that are used up show below the top: there is a burst above what they fall back to.
        if let Some((limit, rate, share)) = own().find_map(|(limit, rate, load)| {
            let share = level(load, rate.base).filter(|_| rate.burst.is_some())?;
            Some((*limit, rate.base, share))
        }) {
            let sum = |of: &[u64]| of.iter().map(|&value| u128::from(value)).sum::<u128>();
            let load = own().find(|one| one.0 == limit).map_or(0, |one| sum(&one.2));
            let whole = |of: &[u64]| (sum(of) * u128::from(rate)).checked_div(load).unwrap_or(0) as u64;
            found.push(Censored {
                volume: place,
                percent: (share * 100.0).round() as u32,
                level: (whole(&ops), whole(&bytes)),
                at: Some(limit),
            });
            continue;
        }
        let shares = (plateau(&ops), plateau(&bytes));
        let Some(share) = [shares.0, shares.1].into_iter().flatten().reduce(f64::max) else { continue };
        let near = |limit: &&OverTime| {
            let most = limit.2.iter().max().copied().unwrap_or(0) as f64;
            (most / limit.1.base as f64 - 1.0).abs() < 0.05
        };
        let limit = own().find(near);
        let cut_off = limit.map_or(if shares.0.is_some() { &ops } else { &bytes }, |limit| &limit.2);
        // Both figures are of one stamp: the largest of each may never have come together.
        let full = fullest(cut_off, &ops);
        found.push(Censored {
            volume: place,
            percent: (share * 100.0).round() as u32,
            level: (ops[full], bytes[full]),
            at: limit.map(|limit| limit.0),
        });
    }
    found
}

/// The share of stamps that lie at a limit, where many more do than right above and below it, and some lie far above.
fn level(load: &[u64], level: u64) -> Option<f64> {
    let of_level = |value: &u64| *value as f64 / level as f64;
    let within = |range: RangeInclusive<f64>| load.iter().filter(|value| range.contains(&of_level(value))).count();
    let at = within(AT_LIMIT);
    let beside = within(BESIDE_LIMIT) - at;
    let above = load.iter().filter(|value| of_level(value) > *BESIDE_LIMIT.end()).count();
    let share = at as f64 / load.len().max(1) as f64;
    (load.len() >= PLATEAU_STAMPS && share >= PLATEAU_SHARE && at > beside && above > 0).then_some(share)
}

/// The share of stamps at the top, where that is a plateau; a load that is even all the time has none.
fn plateau(series: &[u64]) -> Option<f64> {
    let most = series.iter().max().copied().unwrap_or(0) as f64;
    if series.len() < PLATEAU_STAMPS || most == 0.0 {
        return None;
    }
    let edge = most * (1.0 - PLATEAU_WIDTH);
    let share = series.iter().filter(|value| **value as f64 >= edge).count() as f64 / series.len() as f64;
    (PLATEAU_SHARE..0.95).contains(&share).then_some(share)
}

fn missing(question: &Question, situation: &Situation) -> Vec<Missing> {
    let mut missing = Vec::new();
    match question.demand {
        None => missing.push(Missing::Demand),
        Some(_) if situation.problem.stamps == 1 => missing.push(Missing::Series),
        Some(_) => {}
    }
    if question.measured.is_empty() {
        missing.push(Missing::Measurement);
    }
    for m in question.measured {
        let has_latency = (m.rates.reads == 0 || m.read_ns.is_some()) && (m.rates.writes == 0 || m.write_ns.is_some());
        if m.queue_depth.is_none() && !has_latency {
            missing.push(Missing::Depth(m.volume));
        }
    }
    for (place, own) in question.rig.volumes.iter().enumerate() {
        let volume = &situation.problem.volumes[place];
        if question.demand.is_some()
            && situation.problem.route(own.class).has_cache()
            && volume.hits.is_none()
            && volume.samples.iter().any(|s| s.reads > 0)
        {
            missing.push(Missing::WorkingSet(place));
        }
    }
    let mut remote = question
        .rig
        .volumes
        .iter()
        .zip(&situation.disk_unpriced)
        .filter(|(v, _)| !situation.problem.route(v.class).is_local);
    if !situation.vm_priced[0] || remote.any(|(_, unpriced)| !unpriced.is_empty()) {
        missing.push(Missing::Prices);
    }
    missing.dedup();
    missing
}
