//! Whether a design does all that was asked of it: the one place where that is worked out.
//!
//! Every check has one base: the recorded load with its growth, at the percentile and in the years that are asked for. Headroom is what is
//! left of the narrowest rate there, of what it gives while there are credits where they are counted on, rounded down to a tenth.
//!
//! What no figure proves is a condition: credits that run out, nothing that is left, a percentile of a latency on a medium of which nobody
//! measured one, or near a limit, where clouds throttle in coarse steps (`docs/accuracy.md`), a cold cache after a reboot, a recording that
//! is too short, or does not say what processors and memory a VM needs that was chosen by it, processors that run on credits,
//! a certification that nobody checked. No plan is preferred for a condition that no other offer is known to be free of.
//!
//! Ignores: whether something cheaper exists.

use dw_catalogue::gates;
use dw_demand::wishes::{LatencyMax, LatencyOf, VolumeWishes, Wishes};
use dw_demand::{Requirements, Severity};
use dw_documents::LimitId;
use dw_documents::plan::{ColdRow, LimitRow, PlanRow, PlanSimulation, SimulatedRow, VolumeRow};
use dw_documents::verdict::{Check, CheckOf, State, Verdict};
use dw_messages::{Figure, Sentence, say};
use dw_planner::{Burst, Problem};

use super::PlanInput;
use super::simulated::{SERVED, cold_sentence, misses, time};
use super::words::{commitment_in_doubt, figure_of, vm_in_doubt};
use crate::figures::{exact_percent, ms, percent};

/// A limit with less than this left, in percent, has nothing left.
const FULL: f64 = 1.0;
/// Conditions by which no plan is preferred, by their messages: no offer is known to be free of them. Where a price under a
/// commitment is unknown the plan is one at pay as you go, which can be had: nobody has to pay more for one whose price is known.
const OF_ALL: [&str; 2] = ["plan-not-certified", "verdict-unpriced"];
/// A limit with less than this left, in percent, makes requests wait so often that a percentile is that of its throttling.
const NEAR: f64 = 10.0;

/// What is judged.
pub(crate) struct VerdictInput<'a> {
    pub(crate) requirements: &'a Requirements,
    pub(crate) wishes: &'a Wishes,
    pub(crate) problem: &'a Problem,
    pub(crate) limits: &'a [LimitRow],
    pub(crate) volumes: Vec<Place<'a>>,
    /// Limits that are exceeded and carried by burst credits, although the plan does not count on them.
    pub(crate) carried: Vec<(LimitId, Burst)>,
    /// The VM was chosen from all sizes, by what the requirements say of processors and memory.
    pub(crate) is_chosen: bool,
    /// Rules that it breaks under every load, each as a reason.
    pub(crate) faults: Vec<Sentence>,
    /// What nobody knows of its VM, each as a condition.
    pub(crate) doubts: Vec<Sentence>,
    /// The first year from now in which it is too small, as far as the caller looked.
    pub(crate) breaks_in_year: Option<u32>,
    /// What of the commitment that was asked for cannot be had or is not priced; absent where none was.
    pub(crate) purchase: Option<Vec<Sentence>>,
    pub(crate) simulated: Option<Shown<'a>>,
}

/// What a simulation shows of a plan.
#[derive(Clone, Copy)]
pub(crate) struct Shown<'a> {
    pub(crate) rows: &'a [SimulatedRow],
    /// After a reboot, of volumes that count on hits.
    pub(crate) cold: &'a [ColdRow],
}

impl<'a> From<&'a PlanSimulation> for Shown<'a> {
    fn from(simulated: &'a PlanSimulation) -> Shown<'a> {
        Shown { rows: &simulated.rows, cold: &simulated.cold }
    }
}

/// A volume, as far as a verdict needs it.
pub(crate) struct Place<'a> {
    pub(crate) name: &'a str,
    /// Gates of the VM that its requests pass.
    pub(crate) gates: Vec<&'a str>,
    /// It is on disks of its own, not on the local one.
    pub(crate) has_disks: bool,
    /// The host cache serves reads of it.
    pub(crate) hits: bool,
    /// How well the latencies of its medium are known; empty where they are unknown.
    pub(crate) grade: &'a str,
}

impl<'a> VerdictInput<'a> {
    /// A plan with its limits, as it came of this demand.
    pub(crate) fn plan(
        input: &'a PlanInput<'a>,
        limits: &'a [LimitRow],
        plan: &'a PlanRow,
        simulated: Option<Shown<'a>>,
    ) -> VerdictInput<'a> {
        let (requirements, wishes, problem) = (input.requirements, input.wishes, &input.built.problem);
        let place = |volume: &'a VolumeRow| Place {
            name: &volume.name,
            gates: volume.gates.iter().map(String::as_str).collect(),
            has_disks: volume.disk.is_some(),
            hits: volume.hit_percent > 0.0 && volume.demand.read_iops > 0,
            grade: volume.latency.as_ref().map_or("", |latency| latency.grade.as_str()),
        };
        let (volumes, breaks_in_year) = (plan.volumes.iter().map(place).collect(), plan.breaks_in_year);
        let (carried, faults, is_chosen) = (Vec::new(), Vec::new(), wishes.vms.is_empty());
        let doubts = vm_in_doubt(input, plan);
        let purchase = wishes.commitment().map(|_| commitment_in_doubt(input, plan));
        VerdictInput {
            requirements,
            wishes,
            problem,
            limits,
            volumes,
            carried,
            is_chosen,
            faults,
            doubts,
            breaks_in_year,
            purchase,
            simulated,
        }
    }

    /// The verdict.
    pub(crate) fn verdict(&self) -> Verdict {
        let all = [
            Some(self.rates()),
            self.latencies(),
            Some(self.headroom()),
            Some(self.size()),
            self.years(),
            self.reboot(),
            self.purchase(),
            self.recording(),
        ];
        of_checks(all.into_iter().flatten().collect())
    }

    fn rates(&self) -> Check {
        let mut check = Reasons::default();
        let (stamps, allowed) = (self.problem.stamps.max(1), self.problem.violations_allowed);
        let share = |count: usize| percent(count as f64 * 100.0 / stamps as f64);
        for row in self.for_good().filter(|row| row.exceeded > allowed) {
            check.not_met(match stamps {
                1 => needed(row),
                _ => say!(VerdictOver { limit: &row.of, share: share(row.exceeded), asked: share(allowed) }),
            });
        }
        for missed in self.missed(|id| id != MISSED_LATENCY) {
            check.not_met(missed);
        }
        for row in self.rows() {
            let counted = row.burst.as_ref().map(|burst| (burst.sustained, burst.credits_left_percent));
            let carried = self.carried(row).map(|burst| (row.capacity, f64::from(burst.left / 1_000) / 10.0));
            if let Some((sustained, left)) = counted.or(carried) {
                let (limit, left) = (&row.of, Figure::decimal(left, 1, "%"));
                check.only_if(say!(VerdictCredits { limit, sustained: figure_of(&row.of.unit, sustained), left }));
            }
        }
        // Of a series it is the share of time in which no limit is exceeded.
        let figures = (stamps > 1).then(|| (100.0 - self.exceeded_percent(), self.wishes.percentile));
        check.into_check(CheckOf::Rates, figures)
    }

    fn latencies(&self) -> Option<Check> {
        let mut check = Reasons::default();
        let allowed = self.problem.violations_allowed;
        for row in self.limits.iter().filter(|row| row.of.unit == "us" && row.exceeded > allowed) {
            let (latency, most) = (figure_of("us", row.load()), figure_of("us", row.capacity));
            check.not_met(say!(PlanLatency { limit: &row.of, latency, most }));
        }
        for missed in self.missed(|id| id == MISSED_LATENCY) {
            check.not_met(missed);
        }
        let mut is_asked = false;
        for (volume, wished) in self.volumes.iter().zip(&self.wishes.volumes) {
            // Of the kind of disk alone: another is no offer.
            is_asked |= wished.kpi.is_some_and(|kpi| kpi.gives_load && kpi.set.latency_max.iter().any(Option::is_some));
            let sync = LatencyMax { p99: wished.sync_latency_p99_max, ..LatencyMax::default() };
            let asked = [("read", wished.read_latency_max), ("write", wished.write_latency_max), ("sync", sync)];
            for (direction, most) in asked.into_iter().filter(|(_, most)| !most.is_none()) {
                is_asked = true;
                if self.wishes.zone_redundant && direction != "read" && volume.has_disks {
                    check.only_if(say!(VerdictPenalty));
                }
                let tails = [LatencyOf::P95, LatencyOf::P99].into_iter().filter(|of| most.of(*of).is_some());
                for of in tails {
                    let likely = self.likely(volume, direction, of);
                    likely.into_iter().for_each(|why| check.only_if(why));
                }
            }
        }
        is_asked.then(|| check.into_check(CheckOf::Latencies, None))
    }

    /// Why a percentile is likely rather than known.
    fn likely(&self, volume: &Place, direction: &str, of: LatencyOf) -> Option<Sentence> {
        let (of, name) = (of.word(), volume.name);
        let passes = |row: &&LimitRow| {
            let id = row.of.id.as_ref();
            id.is_some_and(|id| match &id.volume {
                Some(other) => other == name,
                None => volume.gates.contains(&id.gate.as_str()) || !volume.has_disks && id.gate == gates::LOCAL,
            })
        };
        let narrowest = self.rows().filter(passes).min_by(|a, b| a.headroom_percent.total_cmp(&b.headroom_percent));
        if let Some(row) = narrowest.filter(|row| row.headroom_percent < NEAR) {
            return Some(say!(VerdictTailLimit { of, volume: name, direction, limit: &row.of }));
        }
        let is_measured = volume.grade.starts_with('A');
        let grade = if volume.grade.is_empty() { "D" } else { volume.grade };
        (!is_measured).then(|| say!(VerdictTail { of, volume: name, direction, grade }))
    }

    fn headroom(&self) -> Check {
        let (mut check, asked) = (Reasons::default(), self.wishes.headroom_percent);
        let is_over = |row: &&LimitRow| row.beyond_headroom > self.problem.violations_allowed;
        for row in self.for_good().filter(is_over) {
            check.not_met(say!(VerdictHeadroom {
                limit: &row.of,
                left: tenths(row.headroom_percent),
                asked: exact_percent(asked)
            }));
        }
        for row in self.for_good().filter(|row| (0.0..FULL).contains(&row.headroom_percent)) {
            check.only_if(say!(VerdictFull { limit: &row.of }));
        }
        let least = self.for_good().map(|row| row.headroom_percent).min_by(f64::total_cmp);
        check.into_check(CheckOf::Headroom, least.map(|least| (least, asked)))
    }

    fn size(&self) -> Check {
        let mut check = Reasons::default();
        let is_held = |row: &&LimitRow| row.of.id.is_none() && row.of.unit != "us";
        for row in self.limits.iter().filter(is_held).filter(|row| row.exceeded > 0 || row.headroom_percent < 0.0) {
            check.not_met(needed(row));
        }
        self.faults.iter().for_each(|fault| check.not_met(fault.clone()));
        self.doubts.iter().for_each(|doubt| check.only_if(doubt.clone()));
        check.into_check(CheckOf::Size, None)
    }

    fn years(&self) -> Option<Check> {
        let wishes = self.wishes;
        let grows = wishes.grows();
        if wishes.years == 0 || !grows {
            return None;
        }
        let mut check = Reasons::default();
        if let Some(year) = self.breaks_in_year.filter(|year| *year <= wishes.years) {
            check.not_met(say!(VerdictYears { year, asked: wishes.years }));
        }
        let lasts = self.breaks_in_year.map(|year| (f64::from(year.saturating_sub(1)), f64::from(wishes.years)));
        Some(check.into_check(CheckOf::Years, lasts))
    }

    /// What reads of cached volumes get while the cache fills; where that is as asked, too, there is no condition.
    fn reboot(&self) -> Option<Check> {
        let mut cold = Vec::new();
        let mut is_asked = false;
        let mut check = Reasons::default();
        for (volume, wished) in self.volumes.iter().zip(&self.wishes.volumes) {
            let has_floor = wished.after_reboot_share_min.or(wished.after_reboot_latency_max.map(|_| 0.0)).is_some();
            is_asked |= has_floor || volume.hits;
            // What no hit is counted of is served after a reboot as before.
            let row = |simulated: Shown<'a>| simulated.cold.iter().find(|row| row.volume == volume.name);
            match self.simulated.map(row).filter(|_| volume.hits) {
                Some(row) if has_floor => {
                    row.into_iter().flat_map(|row| below_floor(row, wished)).for_each(|why| check.not_met(why));
                }
                Some(row) => cold.extend(row.into_iter().flat_map(|row| slower(row, wished))),
                None if volume.hits && !has_floor => cold.push(say!(VerdictColdUnknown { volume: volume.name })),
                None => {}
            }
        }
        if !cold.is_empty() {
            check.only_if(say!(VerdictCold { volumes: cold }));
        }
        is_asked.then(|| check.into_check(CheckOf::Reboot, None))
    }

    fn purchase(&self) -> Option<Check> {
        let mut check = Reasons::default();
        self.purchase.as_ref()?.iter().for_each(|why| check.only_if(why.clone()));
        Some(check.into_check(CheckOf::Purchase, None))
    }

    fn recording(&self) -> Option<Check> {
        let mut check = Reasons::default();
        let findings = &self.requirements.findings;
        for doubt in findings.iter().filter(|finding| finding.severity == Severity::Critical) {
            check.only_if(say!(PlanRecording { what: &doubt.what, effect: &doubt.effect }));
        }
        let is_recorded = self.requirements.volumes.iter().any(|volume| !volume.devices.is_empty());
        if is_recorded && self.is_chosen {
            let unknown = match (self.problem.cpu_milli.max(self.problem.vcpu_min.into()), self.problem.memory_mib) {
                (0, 0) => Some(say!(VerdictNoProcessorsNorMemory)),
                (0, _) => Some(say!(VerdictNoProcessors)),
                (_, 0) => Some(say!(VerdictNoMemory)),
                _ => None,
            };
            unknown.into_iter().for_each(|why| check.only_if(why));
        }
        (is_recorded || !findings.is_empty()).then(|| check.into_check(CheckOf::Recording, None))
    }

    /// Credits that carry a limit although the plan does not count on them.
    fn carried(&self, row: &LimitRow) -> Option<&Burst> {
        self.carried.iter().find(|(id, _)| Some(id) == row.of.id.as_ref()).map(|(_, burst)| burst)
    }

    /// Limits that requests meet.
    fn rows(&self) -> impl Iterator<Item = &'a LimitRow> {
        self.limits.iter().filter(|row| row.of.id.is_some())
    }

    /// Of those, what is judged by what it gives for good; the figures of the others are of that, and they have their headroom of the burst.
    fn for_good(&self) -> impl Iterator<Item = &'a LimitRow> {
        self.rows().filter(|row| self.carried(row).is_none())
    }

    /// Share of the time in which a limit is exceeded that no credits carry, in percent, as far as the worst of them shows.
    pub(crate) fn exceeded_percent(&self) -> f64 {
        let exceeded = self.for_good().map(|row| row.exceeded).max().unwrap_or(0);
        exceeded as f64 * 100.0 / self.problem.stamps.max(1) as f64
    }

    /// What the simulation misses, by the message that says it.
    fn missed(&self, is: impl Fn(&str) -> bool) -> Vec<Sentence> {
        let missed = self.simulated.map_or_else(Vec::new, |simulated| misses(simulated.rows));
        missed.into_iter().filter(|line| is(&line.id)).collect()
    }
}

/// The message of a latency that the simulation finds too long.
const MISSED_LATENCY: &str = "plan-misses-latency";

/// The state of a check without conditions that no other offer is known to be free of.
pub(crate) fn rank(check: &Check) -> State {
    let is_of_all = |why: &Sentence| OF_ALL.contains(&&*why.id);
    match check.state {
        State::MetWithCondition if check.why.iter().all(is_of_all) => State::Met,
        state => state,
    }
}

/// The same of all checks.
pub(crate) fn rank_of(verdict: &Verdict) -> State {
    verdict.checks.iter().map(rank).max().unwrap_or(verdict.state)
}

/// Nothing on offer does it.
pub(crate) fn of_nothing() -> Verdict {
    Verdict { state: State::NotMet, answer: say!(VerdictNothing), checks: Vec::new() }
}

/// As good as the worst of the checks.
fn of_checks(checks: Vec<Check>) -> Verdict {
    let state = checks.iter().map(|check| check.state).max().unwrap_or_default();
    let why = || -> Vec<Sentence> {
        let worst = checks.iter().filter(|check| check.state == state);
        worst.flat_map(|check| check.why.iter().cloned()).collect()
    };
    let answer = match state {
        State::Met => say!(VerdictMet),
        State::MetWithCondition => say!(VerdictMetIf { conditions: why() }),
        State::NotMet => say!(VerdictNotMet { reasons: why() }),
    };
    Verdict { state, answer, checks }
}

/// Why a check fails, or holds on a condition only.
#[derive(Default)]
struct Reasons {
    not_met: Vec<Sentence>,
    conditions: Vec<Sentence>,
}

impl Reasons {
    fn not_met(&mut self, why: Sentence) {
        self.not_met.push(why);
    }

    /// Once, however many ask for it.
    fn only_if(&mut self, why: Sentence) {
        if !self.conditions.contains(&why) {
            self.conditions.push(why);
        }
    }

    /// With the figure that was found and the one that was asked for.
    fn into_check(self, of: CheckOf, figures: Option<(f64, f64)>) -> Check {
        let (state, why) = match (self.not_met.is_empty(), self.conditions.is_empty()) {
            (false, _) => (State::NotMet, self.not_met),
            (true, false) => (State::MetWithCondition, self.conditions),
            (true, true) => (State::Met, Vec::new()),
        };
        let (figure, asked) = figures.unzip();
        Check { of, state, figure, asked, why }
    }
}

fn needed(row: &LimitRow) -> Sentence {
    let figure = |value| figure_of(&row.of.unit, value);
    let (needed, available) = (figure(row.load()), figure(row.capacity));
    say!(PlanNeeded { limit: &row.of, needed, over: None, available, usable: None })
}

/// What of the floor after a reboot is not held.
fn below_floor(row: &ColdRow, wished: &VolumeWishes) -> Vec<Sentence> {
    let (volume, first) = (&row.volume, || time(row.first_s));
    let mut lines = Vec::new();
    let share = row.first_iops * 100.0 / row.promised_iops.max(f64::MIN_POSITIVE);
    if let Some(asked) = wished.after_reboot_share_min.filter(|asked| share < SERVED * asked) {
        let asked = exact_percent(asked);
        lines.push(say!(VerdictRebootShare { volume, share: Figure::decimal(share, 1, "%"), first: first(), asked }));
    }
    let most = wished.after_reboot_latency_max.map(|most| most.ns() as f64);
    if let Some(most) = most.filter(|most| row.first_latency_us * 1e3 > *most) {
        let latency = ms(row.first_latency_us * 1e3);
        lines.push(say!(VerdictColdLatency { volume, latency, first: first(), most: ms(most) }));
    }
    lines
}

/// What is slower after a reboot than was asked for.
fn slower(row: &ColdRow, wished: &VolumeWishes) -> Vec<Sentence> {
    let mut lines = Vec::new();
    let is_full = row.full_after_s.is_some_and(|after| after < row.first_s);
    if row.first_iops < SERVED * row.promised_iops || !is_full {
        lines.push(cold_sentence(row));
    }
    let most = wished.read_latency_max.of(LatencyOf::Mean).map(|most| most.ns() as f64);
    if let Some(most) = most.filter(|most| row.first_latency_us * 1e3 > *most) {
        let (latency, first) = (ms(row.first_latency_us * 1e3), time(row.first_s));
        lines.push(say!(VerdictColdLatency { volume: &row.volume, latency, first, most: ms(most) }));
    }
    lines
}

/// Percent as every table has headroom: to a tenth, rounded down.
fn tenths(value: f64) -> Figure {
    Figure::new(value, "%", dw_documents::format::headroom(value))
}

#[cfg(test)]
mod tests {
    use dw_catalogue::Catalogue;

    use super::*;
    use crate::plan::PlanOptions;
    use crate::session::Session;

    const READS: &str = "read_size = '8 KiB'\nread_iops = { p50 = 500, p90 = 900, p99 = 2000, max = 2500 }\n";
    const FULL_LOAD: &str = "read_size = '8 KiB'\nread_iops = { p50 = 500, p90 = 900, p99 = 5000, max = 5000 }\n";
    const NEARLY: &str = "read_size = '8 KiB'\nread_iops = { p50 = 500, p90 = 900, p99 = 4700, max = 5000 }\n";
    const WRITES: &str = "write_size = '8 KiB'\nwrite_iops = { p50 = 500, p90 = 900, p99 = 1000, max = 1500 }\n";
    const SHORT: &str = "[[finding]]\nseverity = 'critical'\nwhat = '5 min recorded: too short to plan from'\neffect = 'it is too small'\n";
    const WARNING: &str =
        "[[finding]]\nseverity = 'warning'\nwhat = 'one hour recorded'\neffect = 'it may be too small'\n";

    fn verdict(keys: &str, volume: &str, beside: &str) -> Verdict {
        let session = Session::new(Catalogue::embedded().clone());
        let text = format!(
            "schema_version = 1\n{beside}[plan]\n{keys}\n[[volume]]\nname = 'data'\ncapacity = '500 GiB'\nhost_cache = ['None']\n{volume}"
        );
        let demand = session.requirements("r.toml", &text).unwrap_or_else(|e| panic!("{keys} {volume}: {e}"));
        let options = PlanOptions { simulate: false, choices: false, ..PlanOptions::default() };
        let document = session.plan_with(&demand, &options).unwrap_or_else(|e| panic!("{keys} {volume}: {e}")).document;
        document.verdict.expect("every plan has one")
    }

    /// 200 MB/s for five minutes of a day are more than a D4as_v5 gives for long, and less than it gives in bursts.
    fn bursts() -> String {
        let series = |quiet: u64, busy: u64| {
            let all: Vec<String> = (0..288).map(|at| if at == 100 { busy } else { quiet }.to_string()).collect();
            all.join(", ")
        };
        let (rates, bytes, none) = (series(100, 3_000), series(6_400_000, 200_000_000), series(0, 0));
        format!(
            "[volume.series]\ninterval = '5 min'\nread_iops = [{rates}]\nread_bytes_per_s = [{bytes}]\n\
             write_iops = [{none}]\nwrite_bytes_per_s = [{none}]\n"
        )
    }

    #[test]
    fn what_no_figure_proves_is_a_condition_that_is_said() {
        use State::{Met, MetWithCondition, NotMet};
        let p30 = "disks = ['P30']\ndisk_options = []\nvms = ['D16s_v5']\nheadroom_percent = 0";
        let zrs = "redundancy = 'zone'";
        let bursting = "vms = ['D4as_v5']\nbursting = true\npercentile = 100";
        let p99 = format!("read_latency_p99_max = '20 ms'\n{READS}");
        let near = format!("disks_max = 1\nread_latency_p99_max = '90 ms'\n{NEARLY}");
        let writes = format!("write_latency_max = '9 ms'\n{WRITES}");
        let recorded = format!("devices = ['sdc']\n{READS}");
        let cases: [(&str, &str, &str, State, CheckOf, &str); 17] = [
            ("", READS, "", Met, CheckOf::Rates, ""),
            ("", READS, WARNING, Met, CheckOf::Recording, ""),
            ("", READS, SHORT, MetWithCondition, CheckOf::Recording, "5 min recorded: too short to plan from"),
            (
                bursting,
                &bursts(),
                "",
                MetWithCondition,
                CheckOf::Rates,
                "relies on burst credits: without them it sustains 144 MB/s",
            ),
            (
                p30,
                &format!("disks_max = 1\n{FULL_LOAD}"),
                "",
                MetWithCondition,
                CheckOf::Headroom,
                "data disk IOPS is exhausted",
            ),
            ("", &p99, "", MetWithCondition, CheckOf::Latencies, "the p99 of data read latency is likely, not certain"),
            (p30, &near, "", MetWithCondition, CheckOf::Latencies, "near a limit (data disk IOPS)"),
            (zrs, &writes, "", MetWithCondition, CheckOf::Latencies, "the disks are zone-redundant"),
            ("", &writes, "", Met, CheckOf::Latencies, ""),
            ("years = 2\ngrowth_percent_per_year = 20", READS, "", Met, CheckOf::Years, ""),
            (
                "",
                &recorded,
                "",
                MetWithCondition,
                CheckOf::Recording,
                "it may be too small: set `vcpu_min` and `memory_min`",
            ),
            ("vcpu_min = 8", &recorded, "", MetWithCondition, CheckOf::Recording, "how much memory the VM needs"),
            (
                "memory_min = '8 GiB'",
                &recorded,
                "",
                MetWithCondition,
                CheckOf::Recording,
                "how many vCPUs the VM needs",
            ),
            ("vcpu_min = 8\nmemory_min = '8 GiB'", &recorded, "", Met, CheckOf::Recording, ""),
            ("vms = ['D4as_v5']", &recorded, "", Met, CheckOf::Recording, ""),
            (
                "vms = ['B*']",
                READS,
                "",
                MetWithCondition,
                CheckOf::Size,
                "relies on credits; its baseline is not in the catalogue",
            ),
            ("cost_max = 1", READS, "", NotMet, CheckOf::Rates, ""),
        ];
        for (keys, volume, beside, state, of, why) in cases {
            let found = verdict(keys, volume, beside);
            assert_eq!(found.state, state, "{keys} {volume}: {}", found.answer);
            let check = found.check(of);
            if state == NotMet {
                assert!(found.answer.text.starts_with("nothing on offer"), "{}", found.answer);
                continue;
            }
            let check = check.unwrap_or_else(|| panic!("{keys} {volume}: {of:?} was asked, and is not checked"));
            assert_eq!(check.state, state, "{keys} {volume}: {check:?}");
            let said: Vec<&str> = check.why.iter().map(|line| line.text.as_str()).collect();
            assert_eq!(said.is_empty(), why.is_empty(), "{said:?}");
            assert!(said.join("; ").contains(why), "{keys} {volume}: {said:?}");
            // What is a condition stands in the line that says so.
            assert!(found.answer.text.contains(why), "{}", found.answer);
        }
    }

    #[test]
    fn a_latency_that_was_asked_for_and_is_missed_after_a_reboot_is_a_condition() {
        let row = |first_iops: f64, first_latency_us: f64, full_after_s| ColdRow {
            volume: "data".into(),
            promised_iops: 1_000.0,
            first_s: 300.0,
            first_iops,
            first_latency_us,
            full_after_s,
            within_s: 9_000.0,
        };
        let asked = |ms| VolumeWishes {
            read_latency_max: dw_demand::wishes::LatencyMax::mean(dw_units::Duration::from_ms(ms)),
            ..VolumeWishes::of(dw_demand::wishes::Role::Data, dw_units::Bytes::gib(1))
        };
        for (row, most, lines) in [
            (row(1_000.0, 900.0, Some(0.0)), 2, 0),
            (row(1_000.0, 4_500.0, Some(0.0)), 2, 1),
            (row(400.0, 900.0, Some(2_460.0)), 2, 1),
            (row(400.0, 4_500.0, None), 2, 2),
        ] {
            let said = slower(&row, &asked(most));
            assert_eq!(said.len(), lines, "{row:?}: {said:?}");
        }
    }

    #[test]
    fn a_floor_after_a_reboot_is_held_or_the_plan_is_not_met() {
        let row = |first_iops: f64, first_latency_us: f64| ColdRow {
            volume: "data".into(),
            promised_iops: 1_000.0,
            first_s: 300.0,
            first_iops,
            first_latency_us,
            full_after_s: None,
            within_s: 9_000.0,
        };
        for (row, share, ms, expected) in [
            (row(600.0, 900.0), Some(50.0), None, &[][..]),
            (row(496.0, 900.0), Some(50.0), None, &[]),
            (row(2.0, 900.0), Some(50.0), None, &["verdict-reboot-share"]),
            (row(1_000.0, 900.0), None, Some(1), &[]),
            (row(1_000.0, 1_100.0), None, Some(1), &["verdict-cold-latency"]),
            (row(2.0, 1_100.0), Some(90.0), Some(1), &["verdict-reboot-share", "verdict-cold-latency"]),
        ] {
            let wished = VolumeWishes {
                after_reboot_share_min: share,
                after_reboot_latency_max: ms.map(dw_units::Duration::from_ms),
                ..VolumeWishes::of(dw_demand::wishes::Role::Data, dw_units::Bytes::gib(1))
            };
            let found = below_floor(&row, &wished);
            let ids: Vec<&str> = found.iter().map(|line| line.id.as_ref()).collect();
            assert_eq!(ids, expected, "{row:?}");
        }
    }

    #[test]
    fn no_plan_is_preferred_for_what_no_other_is_known_to_be_free_of() {
        let certified = || say!(PlanNotCertified { product: "SAP HANA", size: "M32ts" });
        let unpriced = say!(VerdictUnpriced { size: "E16ds_v4", commitment: "reservation = \"3y\"" });
        let (penalty, burstable) = (say!(VerdictPenalty), say!(PlanBurstable { size: "B2s" }));
        use State::{Met, MetWithCondition, NotMet};
        for (state, why, ranked) in [
            (Met, vec![], Met),
            (MetWithCondition, vec![certified()], Met),
            (MetWithCondition, vec![unpriced], Met),
            (MetWithCondition, vec![certified(), penalty], MetWithCondition),
            (MetWithCondition, vec![burstable], MetWithCondition),
            (NotMet, vec![certified()], NotMet),
        ] {
            let check = Check { of: CheckOf::Size, state, figure: None, asked: None, why };
            assert_eq!((rank(&check), rank_of(&of_checks(vec![check.clone()]))), (ranked, ranked), "{check:?}");
        }
    }

    #[test]
    fn a_verdict_is_as_bad_as_its_worst_check_and_says_only_that() {
        let check = |state, why: &[&str]| Check {
            of: CheckOf::Rates,
            state,
            figure: None,
            asked: None,
            why: why.iter().map(|text| say!(Plain { text: text.to_string() })).collect(),
        };
        use State::{Met, MetWithCondition, NotMet};
        let cases = [
            (vec![check(Met, &[])], Met, "all requirements are met"),
            (
                vec![check(Met, &[]), check(MetWithCondition, &["a", "b"])],
                MetWithCondition,
                "met with a condition: a; b",
            ),
            (vec![check(MetWithCondition, &["a"]), check(NotMet, &["c"])], NotMet, "not met: c"),
        ];
        for (checks, state, said) in cases {
            let found = of_checks(checks);
            assert_eq!((found.state, found.answer.text.as_str()), (state, said));
        }
    }
}
