//! The sentences of an explanation.

use std::collections::BTreeMap;

use dw_catalogue::{Controller, Obstacle};
use dw_demand::wishes::Role;
use dw_documents::explain::Proof;
use dw_messages::{Figure, LimitName, Sentence, say};
use dw_planner::Limit;
use dw_planner::explain::{
    Censored, Change, Edit, Explanation, Habit, Loss, MORE_PERCENT, Measured, Missing, Needs, Shows, is_broken,
};
use dw_planner::problem::{DiskKind, ONE, RouteId};
use dw_stack::CacheMode;

use super::document::Verdict;
use super::first_touch::Untouched;
use crate::figures::{self, ms, number, seconds, whole_iops};
use crate::plan::{figure_of, limit_name, unit};
use dw_documents::format;

/// An explanation with what its sentences need besides it.
pub struct ExplanationContext<'a> {
    /// What was found.
    pub explanation: &'a Explanation,
    /// The configuration in one line.
    pub rig: String,
    /// The region whose prices count.
    pub region: String,
    /// The share of time that counts, in percent.
    pub percentile: f64,
    /// For how many years of growth the requirements ask to plan.
    pub years: u32,
    /// What the results call what they measured on a volume.
    pub entries: BTreeMap<usize, Vec<String>>,
    /// What to know about the results.
    pub notes: Vec<Sentence>,
    /// Where the latencies are from.
    pub latency: Vec<Sentence>,
    /// What a new plan would cost, where that is worth saying.
    pub new_plan: Option<Sentence>,
    /// The demand's file, for advice.
    pub demand_file: Option<String>,
    /// What the recording of the demand says of limits that its source was at.
    pub said_throttled: Vec<String>,
    /// The role of each volume, where the demand has one.
    pub roles: Vec<Option<Role>>,
    /// Of which volumes data have to be fetched when they are first used.
    pub untouched: Vec<Untouched>,
}

impl ExplanationContext<'_> {
    /// The name of a limit.
    pub fn limit(&self, limit: Limit) -> LimitName {
        limit_name(&self.explanation.problem, limit)
    }
    /// Whether the recording of the demand was cut off: it says so, or it lies at a limit of this configuration.
    pub fn is_cut_off(&self) -> bool {
        !self.said_throttled.is_empty() || self.explanation.beyond_recording
    }
    /// What binds a demand that the limits carry: data that are not there.
    pub fn first_touch(&self) -> Option<Sentence> {
        let is_carried = self.explanation.of_demand && super::document::is_carried(self.explanation);
        self.untouched.iter().filter(|_| is_carried).find_map(Untouched::finding)
    }
    /// The same, where it is the finding.
    fn found(&self, verdict: Verdict) -> Option<Sentence> {
        self.first_touch().filter(|_| verdict == Verdict::Limit)
    }
    fn figure(&self, limit: Limit, value: u64) -> Figure {
        let (unit, scale) = unit(limit);
        figure_of(unit, value as f64 / scale)
    }
    fn volume(&self, place: usize) -> &str {
        &self.explanation.problem.volumes[place].name
    }
}

/// Parts per million as percent, never more than there is.
fn percent(ppm: u32) -> Figure {
    let percent = f64::from(ppm) / 1e4;
    Figure::new(percent, "%", format::percent((percent * 10.0).floor() / 10.0))
}

/// The finding in one line.
pub fn finding(said: &ExplanationContext, verdict: Verdict) -> Sentence {
    let explanation = said.explanation;
    if let Some(first_touch) = said.found(verdict) {
        return first_touch;
    }
    // A cold cache is warmed before anything is bought.
    let advice = if verdict == Verdict::Cache { None } else { advice(said) };
    if verdict == Verdict::CutOff {
        return cut_off(said, advice);
    }
    if verdict == Verdict::Met {
        let nearest = explanation.limits.iter().max_by_key(|p| p.used);
        let nearest = nearest.map(|p| {
            let used = figures::percent(p.used as f64 / 1e4);
            say!(ExplainNearest { limit: said.limit(p.limit), used })
        });
        return say!(ExplainCarries { nearest });
    }
    let each = explanation.shows.iter().map(|(measured, shows)| self::shows(said, measured, shows));
    let shows: Vec<Sentence> = each.collect();
    if !explanation.of_demand {
        return say!(ExplainMeasured { shows, advice });
    }
    if verdict != Verdict::Limit || explanation.binding.is_empty() {
        let at_a_limit = |(_, shows): &(_, Shows)| matches!(shows, Shows::Limit { .. } | Shows::Credits { .. });
        return match explanation.shows.iter().any(at_a_limit) {
            true => say!(ExplainCarriesMeasured { shows }),
            false => say!(ExplainCarriesElse { shows }),
        };
    }
    let binding = explanation.binding[0];
    if let Some(fixed) = explanation.fixed.iter().find(|used| used.limit == binding && is_broken(used)) {
        let (held, capacity) = (said.figure(binding, fixed.held), said.figure(binding, fixed.capacity));
        let limit = said.limit(binding);
        return match binding.is_latency() {
            true => say!(ExplainFixedLatency { limit, asked: capacity, expected: held, advice }),
            false => say!(ExplainFixed { limit, asked: held, available: capacity, advice }),
        };
    }
    bottleneck(said, binding, advice)
}

/// The cheapest change that is enough, and where data move for it, the cheapest without that.
fn advice(said: &ExplanationContext) -> Option<Sentence> {
    let enough = || said.explanation.changes.iter().filter(|change| change.holds);
    let first = enough().next()?;
    let cheapest = say!(ExplainAdvice { change: change(said, first) });
    let moves = |change: &Change| change.needs >= Needs::Migration;
    let in_place = enough().find(|change| !moves(change) && change.gives_up != Some(Loss::Durability));
    match in_place.filter(|_| moves(first)) {
        Some(other) => {
            let in_place = say!(ExplainAdviceInPlace { change: change(said, other) });
            Some(say!(ExplainAdviceBoth { cheapest, in_place }))
        }
        None => Some(cheapest),
    }
}

/// That a recording was cut off, and at what.
fn cut_off(said: &ExplanationContext, advice: Option<Sentence>) -> Sentence {
    let explanation = said.explanation;
    let at = explanation.censored.iter().map(|one| {
        let iops = whole_iops(one.level.0 as f64);
        let throughput = figure_of("B/s", one.level.1 as f64);
        match one.at {
            Some(limit) => say!(CutOffAt { limit: said.limit(limit), iops, throughput }),
            None => say!(CutOffElsewhere { volume: said.volume(one.volume), iops, throughput }),
        }
    });
    let at: Vec<Sentence> = at.chain(said.said_throttled.iter().map(|what| say!(CutOffSaid { what }))).collect();
    let nearest = explanation.limits.iter().max_by_key(|pressure| pressure.used);
    let nearest = nearest.filter(|_| !explanation.beyond_recording).map(|pressure| {
        let used = figures::percent(pressure.used as f64 / 1e4);
        say!(ExplainCutOffNearest { limit: said.limit(pressure.limit), used })
    });
    say!(ExplainCutOff { at, nearest, advice })
}

/// A setting that is wrong whatever the load.
pub fn habit(said: &ExplanationContext, place: usize, habit: Habit) -> Sentence {
    let volume = said.volume(place);
    match habit {
        Habit::HardlyRead => say!(HabitCachedWrites { volume }),
        Habit::WriteBack => say!(HabitWriteBack { volume }),
        Habit::OneInFlight(disks) => say!(HabitOneInFlight { volume, disks }),
        Habit::Unequal => say!(HabitUnequal { volume }),
        Habit::SmallUnit(unit) => say!(HabitSmallUnit { volume, unit: unit.to_string() }),
        Habit::Spinning => {
            let disks = said.explanation.plan.volumes[place].disks.as_ref();
            let disk = disks.map_or("", |disks| said.explanation.problem.disks[disks.offer].name.as_str());
            say!(HabitSpinning { volume, disk })
        }
        Habit::OsDisk => say!(HabitOsDisk { volume }),
    }
}

/// Which limit throttles the demand, how often, and what the worst volume gets.
fn bottleneck(said: &ExplanationContext, binding: Limit, advice: Option<Sentence>) -> Sentence {
    let explanation = said.explanation;
    let worst = explanation.served.iter().enumerate().filter(|(_, served)| served.by.is_some());
    let worst = worst.min_by_key(|(_, served)| served.share);
    let gets = worst.map(|(place, served)| {
        let part = |value: u64| (u128::from(value) * u128::from(served.share) / 1_000_000) as u64;
        let (unit, whole) = match served.by.map(unit) {
            Some(("B/s", _)) => ("B/s", served.asked.1),
            _ => ("IOPS", served.asked.0),
        };
        let (asked, gets) = (figure_of(unit, whole as f64), figure_of(unit, part(whole) as f64));
        say!(ExplainGets { volume: said.volume(place), asked, gets, share: percent(served.share) })
    });
    let pressure = explanation.limits.iter().find(|p| p.limit == binding);
    let times = pressure
        .filter(|_| explanation.problem.stamps > 1)
        .map(|p| say!(ExplainTimes { intervals: p.narrowest, all: explanation.problem.stamps }));
    let others: Vec<LimitName> = explanation.binding[1..].iter().map(|limit| said.limit(*limit)).collect();
    let others = (!others.is_empty()).then(|| say!(ExplainOthers { limits: others }));
    say!(ExplainBinds { limit: said.limit(binding), times, gets, others, advice })
}

/// What a measurement shows, in one sentence.
pub fn shows(said: &ExplanationContext, measured: &Measured, shows: &Shows) -> Sentence {
    let volume = said.volume(measured.volume);
    let iops = whole_iops((measured.rates.reads + measured.rates.writes) as f64);
    let throughput = figure_of("B/s", (measured.rates.read_bytes + measured.rates.write_bytes) as f64);
    match shows {
        Shows::Limit { limit, used, credits_last_s } => {
            let credits = credits_last_s.map(|s| say!(ShowsLimitCredits { lasts: seconds(s) }));
            let (limit, used) = (said.limit(*limit), percent(*used));
            say!(ShowsLimit { volume, iops, throughput, limit, used, credits })
        }
        Shows::Credits { limit, last_s } => {
            say!(ShowsCredits { volume, iops, throughput, limit: said.limit(*limit), lasts: seconds(*last_s) })
        }
        Shows::Sync { cycle_ns, per_s, syncs } => {
            let workers = (syncs.workers > 1).then(|| say!(ShowsSyncWorkers { workers: syncs.workers }));
            let p99 = syncs.p99_ns.map(|p99| say!(ShowsSyncP99 { p99: ms(p99) }));
            let per_s = Figure::new(*per_s, "", format::grouped(*per_s));
            let (cycle, sync) = (ms(*cycle_ns), ms(syncs.mean_ns));
            say!(ShowsSync { volume, iops, throughput, cycle, per_s, workers, sync, p99 })
        }
        Shows::Cache { hit, too_small, .. } => {
            let why = if *too_small { say!(ShowsCacheSmall) } else { say!(ShowsCacheCold) };
            let served = match *hit {
                0 => say!(ShowsCacheServesNone),
                hit => say!(ShowsCacheServes { share: percent(hit) }),
            };
            say!(ShowsCache { volume, iops, throughput, served, why })
        }
        Shows::QueueDepth { outstanding, latency_ns, next, needed, idle_disks } => {
            let in_flight =
                if *outstanding < 10.0 { format!("{outstanding:.1}") } else { format::grouped(*outstanding) };
            let in_flight = Figure::new(*outstanding, "", in_flight);
            let most = whole_iops(outstanding * 1e9 / (*latency_ns).max(1) as f64);
            let next = next.map(|(limit, gives)| {
                say!(ShowsDepthNext { needed: *needed, gives: said.figure(limit, gives), limit: said.limit(limit) })
            });
            let idle = (*idle_disks > 0).then(|| say!(ShowsDepthIdle { disks: *idle_disks }));
            let latency = ms(*latency_ns as f64);
            say!(ShowsDepth { volume, iops, throughput, in_flight, latency, most, next, idle })
        }
        Shows::Slow { latency_ns, model_ns } => {
            let (latency, model) = (ms(*latency_ns as f64), ms(*model_ns as f64));
            say!(ShowsSlow { volume, iops, throughput, latency, model })
        }
        Shows::NotAsked => say!(ShowsNotAsked { volume, iops, throughput }),
        Shows::Unknown => say!(ShowsUnknown { volume, iops, throughput }),
    }
}

/// What a disk that is sized freely is bought with.
fn bought(gib: u64, iops: u64, (mb, unit): (u64, &str)) -> Sentence {
    let of = |n: u64, unit: &str| Figure::new(n as f64, unit, format!("{} {unit}", format::grouped(n as f64)));
    say!(ChangeBought { capacity: of(gib, "GiB"), iops: of(iops, "IOPS"), throughput: of(mb, unit) })
}

/// What to change, with what it costs.
pub fn change(said: &ExplanationContext, change: &Change) -> Sentence {
    let (problem, plan) = (&said.explanation.problem, &said.explanation.plan);
    let times = |count: u32, name: &str| if count > 1 { format!("{count} x {name}") } else { name.to_string() };
    let now = |volume: usize| match plan.volumes[volume].disks.as_ref() {
        Some(disks) => times(disks.count, &problem.disks[disks.offer].name),
        None => String::new(),
    };
    let what = match change.edit {
        Edit::Vm(vm) => say!(ChangeVm { new: problem.vms[vm].label().into_owned(), old: &problem.vms[0].name }),
        Edit::Disk(volume, disk) => {
            let count = plan.volumes[volume].disks.as_ref().map_or(1, |disks| disks.count);
            let new = times(count, &problem.disks[disk].name);
            say!(ChangeDisk { new, old: now(volume), volume: said.volume(volume) })
        }
        Edit::Tier(volume, offer) => {
            let new = problem.disks[offer].purchase.tier.clone().unwrap_or_default();
            say!(ChangeTier { new, old: now(volume), volume: said.volume(volume) })
        }
        Edit::Rebuild(volume, offer, count, each) => {
            let (new, old, volume) = (times(count, &problem.disks[offer].name), now(volume), said.volume(volume));
            match each {
                Some(each) => {
                    let bought = bought(each.gib, each.iops, (each.mb, each.unit_name()));
                    say!(ChangeRebuild { new, bought, old, volume })
                }
                None => say!(ChangeDisk { new, old, volume }),
            }
        }
        Edit::StripeUnit(volume, unit) => {
            let old = problem.volumes[volume].stripe_unit.to_string();
            say!(ChangeStripeUnit { new: unit.to_string(), old, volume: said.volume(volume) })
        }
        Edit::Local(volume) if said.roles[volume] == Some(Role::Os) => {
            say!(ChangeEphemeral { old: now(volume), volume: said.volume(volume) })
        }
        Edit::Local(volume) => say!(ChangeLocal { old: now(volume), volume: said.volume(volume) }),
        Edit::InFlight(volume, depth) => say!(ChangeInFlight { depth, volume: said.volume(volume) }),
        Edit::Count(volume, count) => {
            let now = plan.volumes[volume].disks.as_ref();
            let (disk, before) = now.map_or(("", 0), |d| (problem.disks[d.offer].name.as_str(), d.count));
            say!(ChangeStripe { count, disk, before, volume: said.volume(volume) })
        }
        Edit::Provision(volume, offer, each) => {
            let disks = plan.volumes[volume].disks.as_ref();
            let old = match disks.map(|disks| &problem.disks[disks.offer].kind) {
                Some(DiskKind::Fixed { gib, iops, bytes, .. }) => {
                    bought(*gib, iops.base, (bytes.base / each.unit, each.unit_name()))
                }
                _ => say!(ChangeBoughtUnknown),
            };
            let disks = times(disks.map_or(1, |disks| disks.count), &problem.disks[offer].name);
            let new = bought(each.gib, each.iops, (each.mb, each.unit_name()));
            say!(ChangeProvision { disks, new, old, volume: said.volume(volume) })
        }
        Edit::Cache(volume, class) => {
            let name = |class: RouteId| problem.route(class).cache.name();
            let old = name(plan.volumes[volume].class);
            say!(ChangeCache { new: name(class), old, volume: said.volume(volume) })
        }
    };
    let cost = match change.monthly {
        Some(0) => say!(ChangeFree),
        Some(micros) => {
            let change = dw_catalogue::MoneyChange::micros(micros);
            say!(ChangeCosts { monthly: Figure::new(change.amount(), "USD", format!("{change} USD")) })
        }
        None => say!(ChangeUnpriced { offers: change.unpriced.clone(), region: &said.region }),
    };
    let needs = match (change.obstacle, change.needs) {
        (Some(Obstacle::Processors), _) => say!(NeedsProcessors),
        (Some(Obstacle::Confidentiality), _) => say!(NeedsSecurity),
        (Some(Obstacle::Controller(Controller::Nvme)), _) => say!(NeedsNvme),
        (Some(Obstacle::Controller(Controller::Scsi)), _) => say!(NeedsScsi),
        (Some(Obstacle::Images), _) => say!(NeedsImages),
        (Some(Obstacle::LocalDisk), _) => say!(NeedsLocalDisk),
        (None, Needs::Nothing) => say!(NeedsNothing),
        (None, Needs::Detach) => say!(NeedsDetach),
        (None, Needs::Restart) => say!(NeedsRestart),
        (None, Needs::Migration) => say!(NeedsMigration),
        (None, Needs::Unknown) => say!(NeedsUnknown),
    };
    let gives_up = change.gives_up.map(|loss| match loss {
        Loss::Durability => say!(GivesUpDurability),
        Loss::HostCache => say!(GivesUpHostCache),
        Loss::Smaller => say!(GivesUpSmaller),
        Loss::Network => say!(GivesUpNetwork),
    });
    let simulated = proof(change).map(|proof| match proof {
        Proof::Served => say!(ProofServed),
        Proof::FallsShort => say!(ProofFallsShort),
        Proof::NotSimulated => say!(ProofNone),
    });
    say!(Change { what, cost, needs: Some(needs), gives_up, simulated })
}

/// What the simulation of a change shows, where it keeps every limit.
pub fn proof(change: &Change) -> Option<Proof> {
    match change.shown {
        Some(shown) => Some(if shown.served { Proof::Served } else { Proof::FallsShort }),
        None => change.holds.then_some(Proof::NotSimulated),
    }
}

/// A recording that stops at a level.
pub fn throttled(said: &ExplanationContext, censored: &Censored) -> Sentence {
    let volume = said.volume(censored.volume);
    let share = Figure::decimal(f64::from(censored.percent), 0, "%");
    let iops = whole_iops(censored.level.0 as f64);
    let throughput = figure_of("B/s", censored.level.1 as f64);
    match censored.at {
        Some(limit) => say!(ThrottledAt { volume, share, iops, throughput, limit: said.limit(limit) }),
        None => say!(ThrottledElsewhere { volume, share, iops, throughput }),
    }
}

/// What is missing, and how to get it.
pub fn missing(said: &ExplanationContext, missing: Missing) -> Sentence {
    let file = said.demand_file.as_deref().unwrap_or("requirements.toml");
    match missing {
        Missing::Measurement => say!(MissingMeasurement),
        Missing::Demand => say!(MissingDemand),
        Missing::Series => say!(MissingSeries { file }),
        Missing::Depth(volume) => say!(MissingDepth { volume: said.volume(volume) }),
        Missing::WorkingSet(volume) => say!(MissingWorkingSet { volume: said.volume(volume), file }),
        Missing::Prices => say!(MissingPrices { region: &said.region }),
    }
}

/// What the answer rests on.
pub fn assumptions(said: &ExplanationContext, verdict: Verdict) -> Vec<Sentence> {
    let explanation = said.explanation;
    let problem = &explanation.problem;
    let mut lines = Vec::new();
    let percentile = number(said.percentile);
    match (explanation.of_demand, problem.stamps) {
        (true, 1) => lines.extend([say!(ExplainOneFigure { percentile }), say!(ExplainNoCredits)]),
        (true, intervals) => {
            let (interval, exceeding) = (problem.interval.to_string(), problem.violations_allowed);
            lines.push(say!(ExplainIntervals { intervals, interval, exceeding, percentile }));
            lines.push(say!(ExplainCredits));
        }
        (false, _) => lines.push(say!(ExplainMore { percent: MORE_PERCENT })),
    }
    // What the finding says is not said again.
    let found = said.found(verdict);
    let is_found = |own: &&Untouched| found.is_some() && own.finding() == found;
    lines.extend(said.untouched.iter().filter(|own| !is_found(own)).map(Untouched::beside));
    lines.push(say!(ExplainElse));
    if explanation.changes.iter().any(|change| change.shown.is_some()) {
        lines.push(say!(ExplainTried));
    }
    if explanation.of_demand && said.years > 0 {
        lines.push(say!(ExplainToday { years: said.years }));
    }
    for (volume, chosen) in problem.volumes.iter().zip(&explanation.plan.volumes) {
        let (volume, share) = (&volume.name, percent(chosen.hit.min(ONE)));
        let route = problem.route(chosen.class);
        if route.has_cache() && chosen.hit > 0 {
            lines.push(match explanation.of_demand {
                true => say!(ExplainHits { volume, share }),
                false => say!(ExplainHitsLeast { volume, share }),
            });
        }
        if route.cache == CacheMode::ReadWrite {
            lines.push(say!(ExplainWriteBack { volume }));
        }
    }
    lines.extend(said.notes.iter().cloned());
    lines.push(say!(MeanLatencies));
    lines.extend(said.latency.iter().cloned());
    lines
}
