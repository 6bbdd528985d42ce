//! The answer of a plan, from a document that has all else: what whoever decides reads first, and every surface lays out.
//!
//! Every figure stands elsewhere in the document, too, but two that only the requirements have: what was recorded, and how full limits are
//! over the recorded time.

use dw_catalogue::{Money, gates};
use dw_demand::wishes::{LatencyMax, LatencyOf, Role, VolumeWishes};
use dw_demand::{HOURS_A_MONTH, Severity};
use dw_documents::LimitOf;
use dw_documents::decision::{
    Action, BreakPoint, CheaperIf, CheckRow, Decision, Evidence, LimitOverTime, LoadOverTime, Machine, PartOf, Price,
    PricePart, Step, VolumeChoice,
};
use dw_documents::plan::{Beyond, Billed, ColdRow, LimitRow, PlanDocument, PlanRow, SimulatedRow, VolumeRow};
use dw_documents::summary::is_kept;
use dw_documents::verdict::{Check, CheckOf, State};
use dw_messages::{Arg, Figure, Sentence, say};
use dw_observe::audit::DAY;
use dw_planner::{Plan, check};
use dw_units::Duration;

use super::simulated::{SERVED, time};
use super::words::{figure_of, uncommitted, unit, unprinted_at};
use super::{PlanInput, bill};
use crate::figures::{exact_percent, hours, money, money_in, ms, percent, seconds, whole_iops};

/// Messages of assumptions that say what is wrong with the price as it stands: they come first.
const OF_PRICE: [&str; 2] = ["plan-commitment-dearer", "plan-term-ends"];
/// Messages of assumptions that say what could go wrong.
const RISKS: [&str; 15] = [
    "plan-commitment-known",
    "plan-closed",
    "plan-limited",
    "plan-preview",
    "plan-retires",
    "plan-os-on-hdd",
    "plan-local-disk",
    "plan-not-certified",
    "plan-burstable",
    "plan-disk-region",
    "plan-uncached-shared",
    "plan-wide-stripes",
    "plan-wide-stripes-budget",
    "plan-cpu-speed",
    "plan-cpu-speed-none",
];
/// Points of a load over time at most: more cannot be seen.
const POINTS: usize = 240;
/// Limits whose load is kept over time, and those that are fuller than this many percent at least.
const LIMITS: usize = 6;
const TELLING: f64 = 1.0;
/// What a latency of today and of then must differ by to be worth a line.
const DIFFERS: f64 = 1.2;

/// Volumes that are named one by one: of more than these, those with the same disks are named together.
const ONE_BY_ONE: usize = 4;
/// Names of a group that are written out.
const WRITTEN: usize = 3;

/// Volumes that a sentence names together, in the order of the first of each.
fn groups(volumes: &[VolumeRow]) -> Vec<(Vec<&str>, VolumeChoice)> {
    let mut groups: Vec<(Vec<&str>, VolumeChoice)> = Vec::new();
    for row in volumes {
        let choice = volume(row);
        let is_same = |(_, other): &&mut (Vec<&str>, VolumeChoice)| {
            volumes.len() > ONE_BY_ONE && (&other.disks, &other.host_cache) == (&choice.disks, &choice.host_cache)
        };
        match groups.iter_mut().find(is_same) {
            Some((names, _)) => names.push(&row.name),
            None => groups.push((vec![&row.name], choice)),
        }
    }
    groups
}

/// The disks of a volume, or of each of several.
fn group((names, choice): (Vec<&str>, VolumeChoice)) -> Sentence {
    let written = names.iter().take(WRITTEN).copied().collect::<Vec<_>>().join(", ");
    let volume = if names.len() > WRITTEN { format!("{written} … ({})", names.len()) } else { written };
    match (choice.disks, choice.host_cache, names.len()) {
        (None, ..) => say!(DecisionLocal { volume }),
        (Some(disks), None, 1) => say!(DecisionDisks { volume, disks }),
        (Some(disks), Some(cache), 1) => say!(DecisionDisksWith { volume, disks, cache }),
        (Some(disks), None, _) => say!(DecisionEach { volume, disks }),
        (Some(disks), Some(cache), _) => say!(DecisionEachWith { volume, disks, cache }),
    }
}

/// The load that throttles, as a multiple of today's; a proof that is older than this key has that of the plan's own demand.
fn of_today(beyond: &Beyond) -> f64 {
    beyond.of_today.unwrap_or(beyond.factor)
}

/// Of a document that has all else.
pub(super) fn of(input: &PlanInput, document: &PlanDocument, best: Option<&Plan>) -> Decision {
    let of = Of { input, document };
    let nothing = Decision {
        state: document.state(),
        sentence: document.verdict.as_ref().map_or_else(|| document.answer.clone(), |verdict| verdict.answer.clone()),
        conditions: of.conditions(),
        today: Vec::new(),
        machine: None,
        volumes: Vec::new(),
        checks: Vec::new(),
        price: None,
        breaks: None,
        load: None,
        risks: Vec::new(),
        doubts: of.doubts(),
        in_the_way: Vec::new(),
        nearest: Vec::new(),
        next: Vec::new(),
        cheaper: Vec::new(),
    };
    let Some((row, plan)) = document.plan.as_ref().zip(best) else {
        let conflict = document.conflict.as_ref();
        let relax = conflict.into_iter().flat_map(|conflict| &conflict.would_meet);
        return Decision {
            in_the_way: conflict.map_or_else(Vec::new, |conflict| conflict.limits.clone()),
            nearest: nearest(document),
            next: relax.map(|says| Step { to: Action::Relax, says: says.clone(), command: None }).collect(),
            ..nothing
        };
    };
    Decision {
        sentence: of.sentence(row),
        today: of.today(row),
        machine: Some(of.machine(row, plan)),
        volumes: row.volumes.iter().map(volume).collect(),
        checks: of.checks(row),
        price: Some(of.price(row, plan)),
        breaks: of.breaks(row),
        load: of.load(plan),
        risks: of.risks(row, plan),
        next: of.next(),
        cheaper: of.cheaper(row),
        ..nothing
    }
}

struct Of<'a> {
    input: &'a PlanInput<'a>,
    document: &'a PlanDocument,
}

fn volume(row: &VolumeRow) -> VolumeChoice {
    VolumeChoice {
        volume: row.name.clone(),
        role: row.role.clone(),
        disks: row.disks_said(),
        count: row.disks,
        host_cache: Some(row.host_cache.clone()).filter(|cache| row.disk.is_some() && cache != "None"),
        monthly: row.monthly,
        once: row.shared.map(|shared| shared.monthly),
    }
}

impl Of<'_> {
    fn check(&self, of: CheckOf) -> Option<&Check> {
        self.document.verdict.as_ref()?.check(of)
    }

    /// What the worst checks have against it.
    fn conditions(&self) -> Vec<Sentence> {
        let Some(verdict) = &self.document.verdict else { return Vec::new() };
        let worst = verdict.checks.iter().filter(|check| check.state == verdict.state);
        let mut all: Vec<Sentence> = worst.flat_map(|check| check.why.iter().cloned()).collect();
        // What nobody knows comes before what is likely.
        all.sort_by_key(|line| !is_kept(line));
        all
    }

    fn sentence(&self, row: &PlanRow) -> Sentence {
        let size = self.sizes(row);
        let disks: Vec<Sentence> = groups(&row.volumes).into_iter().map(group).collect();
        let wishes = self.input.wishes;
        let years = wishes.years;
        let years = (years > 0 && wishes.grows()).then(|| say!(DecisionYears { years }));
        match self.document.state() {
            State::Met => say!(DecisionMet { size, disks, years }),
            State::MetWithCondition => {
                say!(DecisionMetIf { size, disks, years, conditions: self.conditions().len() })
            }
            State::NotMet => say!(DecisionNotMet { size, disks }),
        }
    }

    fn sizes(&self, row: &PlanRow) -> String {
        match self.input.wishes.nodes {
            0 | 1 => row.vm_said().into_owned(),
            nodes => format!("{nodes} x {}", row.vm_said()),
        }
    }

    fn machine(&self, row: &PlanRow, plan: &Plan) -> Machine {
        let (vm, wishes) = (&self.input.built.problem.vms[plan.vm], self.input.wishes);
        let size = self.sizes(row);
        let place = match &wishes.zone {
            Some(zone) => dw_catalogue::vendor_of(wishes).place(&wishes.region, zone),
            None => wishes.region.clone(),
        };
        let memory = figure_of("MiB", vm.memory_mib.unwrap_or(0) as f64);
        let system = if wishes.windows { "Windows" } else { "Linux" };
        Machine {
            size: row.vm.clone(),
            nodes: wishes.nodes.max(1),
            place: place.clone(),
            vcpu: vm.vcpu,
            memory_mib: vm.memory_mib,
            says: say!(SummaryMachine { size, place, processors: vm.vcpu, memory, system }),
        }
    }

    fn price(&self, row: &PlanRow, plan: &Plan) -> Price {
        let (wishes, of_vm, document) = (self.input.wishes, Money::of_amount(row.vm_monthly), self.document);
        let (one, nodes) = (Money::micros(row.monthly_micros), u64::from(wishes.nodes.max(1)));
        let licences: Money = row.licences.iter().map(|row| Money::of_amount(row.monthly)).sum();
        let of_disks = one.saturating_sub(of_vm).saturating_sub(licences);
        let (monthly, vm, disks) = (money_in(one, &document.currency), money(of_vm), money(of_disks));
        let by_core = (licences > Money::ZERO).then(|| say!(SummaryLicences { monthly: money(licences) }));
        let says = match nodes {
            1 => say!(SummaryPrice { monthly, vm, disks, licences: by_core }),
            _ => {
                let all = money_in(one * nodes, &document.currency);
                say!(SummaryPriceNodes { all, nodes, monthly, vm, disks, licences: by_core })
            }
        };
        let part = |of, name: &str, monthly| PricePart { of, name: name.into(), monthly };
        let machine = std::iter::once(part(PartOf::Machine, &row.vm, Some(row.vm_monthly)));
        let volumes = row.volumes.iter().map(|volume| part(PartOf::Volume, &volume.name, Some(volume.monthly)));
        let of_cores = row.licences.iter().map(|row| part(PartOf::Licence, &row.name, Some(row.monthly)));
        let beside = document.bill.iter().map(|row| part(PartOf::Beside, row.of.word(), row.monthly));
        Price {
            currency: document.currency.clone(),
            monthly: (one * nodes).amount(),
            yearly: (one * nodes * 12).amount(),
            parts: machine.chain(volumes).chain(of_cores).collect(),
            beside: beside.collect(),
            says,
            terms: self.terms(row, plan),
        }
    }

    fn terms(&self, row: &PlanRow, plan: &Plan) -> Vec<Sentence> {
        let (wishes, beside) = (self.input.wishes, &self.document.bill);
        let mut lines = Vec::new();
        let shared = row.volumes.iter().filter_map(|volume| volume.shared);
        let once: Money = shared.map(|row| Money::of_amount(row.monthly)).sum();
        if once > Money::ZERO {
            lines.push(say!(SummaryShared { monthly: money(once) }));
        }
        lines.push(match (wishes.commitment(), uncommitted(self.input, plan)) {
            // That it is sold no more is a condition of the verdict.
            (_, Some(to)) if self.input.catalogue.commitment_ended(&row.vm, to).is_some() => say!(SummaryPayAsYouGo),
            (_, Some(to)) => say!(SummaryUncommitted { commitment: to.key() }),
            (Some(to), None) => say!(SummaryCommitted { commitment: to.key() }),
            (None, None) => say!(SummaryPayAsYouGo),
        });
        if !wishes.running().is_always() {
            lines.push(say!(SummaryHours { hours: hours(wishes.running()), all: HOURS_A_MONTH }));
        }
        // The bill is of one machine, the line of all.
        let nodes = u64::from(wishes.nodes.max(1));
        let row_of = |of: Billed| beside.iter().find(|row| row.of == of);
        let all = |monthly| money(Money::of_amount(monthly) * nodes);
        // What was asked for is named, with its price or without one.
        if let Some((disk, row)) = wishes.os_disk.as_ref().zip(row_of(Billed::OsDisk)) {
            lines.push(match row.monthly {
                Some(monthly) => say!(SummaryOsDisk { disk, monthly: all(monthly) }),
                None => say!(SummaryOsDiskUnpriced { disk }),
            });
        }
        if let Some((gib, row)) = bill::snapshots_gib(wishes).zip(row_of(Billed::Snapshots)) {
            lines.push(match row.monthly {
                Some(monthly) => say!(SummarySnapshots { monthly: all(monthly) }),
                None => say!(SummarySnapshotsUnpriced { size: figure_of("GiB", (gib * nodes) as f64) }),
            });
        }
        let is_named = |of: Billed| match of {
            Billed::OsDisk => wishes.os_disk.is_some(),
            Billed::Snapshots => wishes.snapshots_kept > 0,
            _ => false,
        };
        let without = beside.iter().filter(|row| row.monthly.is_none() && !is_named(row.of)).count();
        if without > 0 {
            lines.push(say!(SummaryNotIn { lines: without }));
        }
        let market = &self.input.built.market;
        let of_vm = &market.vm_prices[plan.vm];
        if !of_vm.is_asked() {
            lines.push(say!(SummaryListPrices { edition: &of_vm.edition }));
            return lines;
        }
        lines.push(say!(PriceAsked { offers: vec![row.vm.as_str()] }));
        let disks = plan.volumes.iter().filter_map(|volume| volume.disks.as_ref());
        let mut of_disks = disks.flat_map(|disks| &market.disk_prices[disks.offer]);
        let listed = of_disks.find(|origin| !origin.is_asked());
        lines.extend(listed.map(|origin| say!(SummaryDiskPrices { edition: &origin.edition })));
        lines
    }

    /// The bottleneck with what it carries, and when it throttles.
    fn breaks(&self, plan: &PlanRow) -> Option<BreakPoint> {
        let row = self.document.limits.iter().find(|row| row.binding)?;
        let of = |value| figure_of(&row.of.unit, value);
        let left = Figure::new(row.headroom_percent, "%", dw_documents::format::headroom(row.headroom_percent));
        let mut says =
            vec![say!(SummaryLimit { limit: &row.of, load: of(row.load()), capacity: of(row.capacity), left })];
        let beyond = self.document.simulated.as_ref().and_then(|simulated| simulated.beyond.as_ref());
        says.extend(beyond.map(|beyond| {
            let factor = Figure::decimal(of_today(beyond), 2, "");
            match row.of.id.as_ref() == Some(&beyond.first) {
                true => say!(SummaryThrottles { factor }),
                false => say!(SummaryBeyond { factor, limit: &beyond.first }),
            }
        }));
        Some(BreakPoint {
            of: row.of.clone(),
            load: row.load(),
            capacity: row.capacity,
            left_percent: row.headroom_percent,
            factor: beyond.map(of_today),
            first: beyond.map(|beyond| beyond.first.clone()),
            year: plan.breaks_in_year,
            says,
        })
    }

    fn risks(&self, row: &PlanRow, plan: &Plan) -> Vec<Sentence> {
        let document = self.document;
        // What is a condition of the verdict stands there.
        let is_said = |of| self.check(of).is_some_and(|check| check.state != State::Met);
        let is_cold = |row: &&ColdRow| row.first_iops < SERVED * row.promised_iops;
        let cold = document.simulated.iter().flat_map(|simulated| &simulated.cold);
        let cold = cold.filter(|row| !is_said(CheckOf::Reboot) && is_cold(row)).map(|row| {
            let share = percent(share_of(row).min(100.0));
            say!(SummaryCold { volume: &row.volume, share, first: time(row.first_s) })
        });
        let assumed = RISKS.iter().flat_map(|id| document.assumptions.iter().filter(move |line| line.id == **id));
        let is_about =
            |line: &Sentence, arg, name: &str| matches!(line.args.get(arg), Some(Arg::Text(own)) if own == name);
        let is_of_plan = |line: &Sentence| match &*line.id {
            "plan-retires" => is_about(line, "size", &row.vm),
            // What nobody publishes is a risk where it is the bottleneck.
            "plan-uncached-shared" => self.binding_gate().is_some_and(|gate| gate == gates::UNCACHED_ALL),
            // What is temporary is lost by its nature.
            "plan-local-disk" => {
                let mut temporary = row.volumes.iter().filter(|volume| volume.role == Role::Tempdb.word());
                !temporary.any(|volume| is_about(line, "volume", &volume.name))
            }
            _ => true,
        };
        let conditions = self.conditions();
        let own = assumed.filter(|line| is_of_plan(line) && !conditions.contains(line)).cloned();
        let cautious = document.assumptions.iter().filter_map(slow_disks);
        let peak = self.peak();
        let outgrown = row.breaks_in_year.map(|year| say!(SummaryOutgrown { year }));
        let of_price = document.assumptions.iter().filter(|line| OF_PRICE.contains(&&*line.id)).cloned();
        of_price
            .chain(cold)
            .chain(peak)
            .chain(self.unprinted(row, plan))
            .chain(own)
            .chain(cautious)
            .chain(outgrown)
            .collect()
    }

    /// The gate of the bottleneck.
    fn binding_gate(&self) -> Option<&str> {
        let row = self.document.limits.iter().find(|row| row.binding)?;
        row.of.id.as_ref().filter(|id| id.is_vm()).map(|id| id.gate.as_str())
    }

    /// That the bottleneck is a limit that the page of its size does not print.
    fn unprinted(&self, row: &PlanRow, plan: &Plan) -> Option<Sentence> {
        let rule = unprinted_at(self.input, plan, self.binding_gate()?)?;
        Some(say!(SummaryUnprinted { size: &row.vm, rule }))
    }

    /// The highest load, where it is above what a limit gives: the percentile that was asked for leaves it out. Of several limits that
    /// which it exceeds most, with how many more there are, processors, memory and latencies among them.
    fn peak(&self) -> Option<Sentence> {
        let times = |row: &LimitRow| row.asked.max / row.capacity.max(f64::MIN_POSITIVE);
        let above: Vec<&LimitRow> = self.document.limits.iter().filter(|row| times(row) > 1.0).collect();
        let of_io = above.iter().filter(|row| row.of.id.is_some());
        let row = of_io.max_by(|a, b| times(a).total_cmp(&times(b)))?;
        let of = |value| figure_of(&row.of.unit, value);
        let (limit, peak, capacity) = (&row.of, of(row.asked.max), of(row.capacity));
        Some(match above.len() - 1 {
            0 => say!(SummaryPeak { limit, peak, capacity }),
            more => say!(SummaryPeakMore { limit, more, peak, capacity }),
        })
    }

    /// Of the recording. What is critical is a condition.
    fn doubts(&self) -> Vec<Sentence> {
        let findings = self.input.requirements.findings.iter();
        let warnings = findings.filter(|finding| finding.severity == Severity::Warning);
        warnings.map(|doubt| say!(PlanRecording { what: &doubt.what, effect: &doubt.effect })).collect()
    }

    fn next(&self) -> Vec<Step> {
        let step = |to, says, command: Option<&str>| Step { to, says, command: command.map(String::from) };
        let mut steps = Vec::new();
        if self.recorded_s().is_some_and(|recorded| recorded < DAY.ns() as f64 / 1e9) {
            steps.push(step(Action::Record, say!(NextRecord), None));
        }
        let asks_for_size = |line: &Sentence| line.id.starts_with("verdict-no-");
        if self.check(CheckOf::Recording).is_some_and(|check| check.why.iter().any(asks_for_size)) {
            steps.push(step(Action::Size, say!(NextSize), None));
        }
        steps.push(step(Action::Build, say!(NextBuild), Some("diskwright provision PLAN.json --output DIR")));
        steps.push(step(Action::Verify, say!(NextVerify), Some("diskwright verify REQUIREMENTS.toml RESULT.json")));
        steps
    }

    fn cheaper(&self, row: &PlanRow) -> Vec<CheaperIf> {
        let savings = self.document.savings.iter().map(|row| CheaperIf {
            condition: row.requirement.clone(),
            saves: to_hundredth(row.monthly),
            plan: Some(row.plan.clone()),
        });
        let commitments = self.document.commitments.iter().filter_map(|other| {
            let (_, years) = other.kind();
            let (years, saves) = (years?, row.monthly - other.monthly?);
            let month = other.break_even_month?;
            let condition = match other.reserved_years {
                Some(_) => say!(CheaperReserved { years, month }),
                None => say!(CheaperSavingsPlan { years, month }),
            };
            (saves > 0.005).then(|| CheaperIf { condition, saves: to_hundredth(saves), plan: None })
        });
        let mut all: Vec<CheaperIf> = savings.chain(commitments).collect();
        all.sort_by(|a, b| b.saves.total_cmp(&a.saves));
        all
    }

    /// How long the series of the requirements is.
    fn recorded_s(&self) -> Option<f64> {
        let problem = &self.input.built.problem;
        let is_recorded = self.input.requirements.volumes.iter().any(|volume| !volume.devices.is_empty());
        (is_recorded && problem.stamps > 1).then(|| problem.stamps as f64 * problem.interval.ns() as f64 / 1e9)
    }

    fn load(&self, plan: &Plan) -> Option<LoadOverTime> {
        let problem = &self.input.built.problem;
        if problem.stamps < 2 {
            return None;
        }
        let every = problem.stamps.div_ceil(POINTS);
        let limit = |(limit, rate, loads): check::OverTime| {
            let capacity = rate.base.max(1) as f64;
            let fullest = |chunk: &[u64]| chunk.iter().copied().max().unwrap_or(0) as f64 * 1_000.0 / capacity;
            LimitOverTime {
                of: LimitOf {
                    limit: limit.name(problem),
                    id: limit.id(problem),
                    volume: limit.volume().map(|place| problem.volumes[place].name.clone()),
                    unit: unit(limit).0.into(),
                },
                capacity: capacity / unit(limit).1,
                percent: loads.chunks(every).map(|chunk| fullest(chunk).round() / 10.0).collect(),
            }
        };
        let mut limits: Vec<LimitOverTime> = check::over_time(problem, plan).into_iter().map(limit).collect();
        let peak = |limit: &LimitOverTime| limit.percent.iter().copied().fold(0.0, f64::max);
        limits.retain(|limit| peak(limit) >= TELLING);
        limits.sort_by(|a, b| peak(b).total_cmp(&peak(a)));
        limits.truncate(LIMITS);
        let step_s = problem.interval.ns() as f64 * every as f64 / 1e9;
        let years = if self.input.wishes.grows() { self.input.wishes.years } else { 0 };
        Some(LoadOverTime { step_s, every, years, limits })
    }

    /// What took how long when it was recorded, and takes how long on these disks.
    fn today(&self, row: &PlanRow) -> Vec<Sentence> {
        let mut lines: Vec<(f64, Sentence)> = Vec::new();
        for (place, volume) in row.volumes.iter().enumerate() {
            for direction in ["read", "write"] {
                let then = self.simulated(&volume.name, direction).map(|row| row.latency_us);
                let Some((now, then)) = self.recorded_us(place, direction).zip(then) else { continue };
                if now.max(then) < now.min(then) * DIFFERS {
                    continue;
                }
                let change = (now / then).max(then / now);
                let (now, then, volume) = (ms(now * 1e3), ms(then * 1e3), &volume.name);
                let said = match direction {
                    "read" => say!(TodayReads { volume, now, then }),
                    _ => say!(TodayWrites { volume, now, then }),
                };
                lines.push((change, said));
            }
        }
        lines.sort_by(|a, b| b.0.total_cmp(&a.0));
        lines.into_iter().map(|(_, said)| said).collect()
    }

    /// The 99th percentile of recorded interval means, in microseconds.
    fn recorded_us(&self, place: usize, direction: &str) -> Option<f64> {
        let volume = self.input.requirements.volumes.get(place).filter(|volume| !volume.devices.is_empty())?;
        let levels = if direction == "read" { volume.read_latency } else { volume.write_latency };
        levels.map(|levels| levels.p99.ns() as f64 / 1e3).filter(|us| *us > 0.0)
    }

    /// Of the runs of a volume and direction the one that takes longest.
    fn simulated(&self, volume: &str, direction: &str) -> Option<&SimulatedRow> {
        let rows = self.document.simulated.iter().flat_map(|simulated| &simulated.rows);
        let own = rows.filter(|row| row.volume == volume && row.direction == direction);
        own.max_by(|a, b| a.latency_us.total_cmp(&b.latency_us))
    }

    fn checks(&self, row: &PlanRow) -> Vec<CheckRow> {
        let checks = self.document.verdict.iter().flat_map(|verdict| &verdict.checks);
        checks
            .flat_map(|check| match check.of {
                CheckOf::Rates => vec![self.rates(check)],
                CheckOf::Latencies => self.latencies(check, row),
                CheckOf::Headroom => vec![self.headroom(check)],
                CheckOf::Size => vec![self.size(check, row)],
                CheckOf::Years => vec![self.years(check, row)],
                CheckOf::Reboot => self.reboot(check, row),
                CheckOf::Purchase => vec![self.purchase(check, row)],
                CheckOf::Recording => vec![self.recording(check)],
            })
            .collect()
    }

    fn row(&self, check: &Check, what: Sentence, evidence: Evidence, shown_by: Sentence) -> CheckRow {
        CheckRow {
            of: check.of,
            volume: None,
            direction: None,
            state: check.state,
            what,
            asked: None,
            recorded: None,
            found: None,
            evidence,
            shown_by,
            why: check.why.clone(),
        }
    }

    fn rates(&self, check: &Check) -> CheckRow {
        let (problem, simulated) = (&self.input.built.problem, self.document.simulated.as_ref());
        let by_limits = || say!(ShownLimits { limits: self.document.limits.len(), intervals: problem.stamps });
        let (evidence, shown_by) = match simulated {
            Some(simulated) => (Evidence::Simulation, say!(ShownSimulation { time: seconds(simulated.seconds) })),
            None => (Evidence::Limits, by_limits()),
        };
        let rows = simulated.map(|simulated| &simulated.rows).filter(|rows| !rows.is_empty());
        let served = rows.map(|rows| {
            let together = || rows.iter().filter(|row| row.together);
            let asked: f64 = together().map(|row| row.promised_iops).sum();
            let least = rows.iter().map(SimulatedRow::served_percent).fold(100.0, f64::min);
            say!(FoundServed { share: to_tenth(least), rate: whole_iops(asked) })
        });
        let within = check.figure.map(|share| say!(FoundWithin { share: to_tenth(share) }));
        CheckRow {
            asked: Some(match check.asked {
                Some(share) if share < 100.0 => say!(AskedShare { share: exact_percent(share) }),
                _ => say!(AskedAll),
            }),
            recorded: self.recorded_iops().map(|rate| say!(FoundFigure { figure: whole_iops(rate) })),
            found: served.or(within),
            ..self.row(check, say!(CheckRates), evidence, shown_by)
        }
    }

    /// The most requests per second of all volumes together.
    fn recorded_iops(&self) -> Option<f64> {
        let volumes = &self.input.requirements.volumes;
        if let [volume] = &volumes[..]
            && volume.over_time().is_none()
        {
            return volume.iops.filter(|_| !volume.devices.is_empty()).map(|levels| levels.max);
        }
        self.recorded_s()?;
        let series: Vec<_> = volumes.iter().map(|volume| volume.over_time()).collect::<Option<_>>()?;
        let length = series.iter().map(|series| series.read_iops.len()).max()?;
        let at = |place: usize| {
            let of = |list: &[f64]| list.get(place).copied().unwrap_or(0.0);
            series.iter().map(|series| of(&series.read_iops) + of(&series.write_iops)).sum::<f64>()
        };
        Some((0..length).map(at).fold(0.0, f64::max))
    }

    /// A row for each latency that was asked for.
    fn latencies(&self, check: &Check, plan: &PlanRow) -> Vec<CheckRow> {
        let mut rows: Vec<CheckRow> = Vec::new();
        for (place, (volume, wished)) in plan.volumes.iter().zip(&self.input.wishes.volumes).enumerate() {
            for (direction, most) in asked_of(wished) {
                for of in LatencyOf::ALL {
                    let Some(most) = most.of(of) else { continue };
                    rows.push(self.latency(check, (place, volume), (direction, of), most.ns() as f64));
                }
            }
        }
        let held = || plan.volumes.iter().zip(&self.input.wishes.volumes);
        rows.extend(held().flat_map(|(volume, wished)| self.of_kpi(check, volume, wished)));
        // What is said of none of them is said of all.
        let is_said = |why: &Sentence| rows.iter().any(|row| row.why.contains(why));
        let of_all: Vec<Sentence> = check.why.iter().filter(|why| !is_said(why)).cloned().collect();
        if !of_all.is_empty() {
            for row in &mut rows {
                row.state = check.state;
                row.why.extend(of_all.iter().cloned());
            }
        }
        rows
    }

    /// What a set of figures asks of the kind of disk alone, as its load is one of large requests.
    fn of_kpi(&self, check: &Check, volume: &VolumeRow, wished: &VolumeWishes) -> Vec<CheckRow> {
        let Some(kpi) = wished.kpi.filter(|kpi| kpi.gives_load) else { return Vec::new() };
        let offer = self.input.built.problem.disks.iter().find(|offer| Some(&offer.name) == volume.disk.as_ref());
        let found = offer.map(|offer| [offer.latency_ns.0, offer.latency_ns.1]);
        let grade = volume.latency.as_ref().map_or("D", |latency| latency.grade.as_str());
        let row = |(place, most): (usize, &Option<Duration>)| {
            let most = most.as_ref()?;
            let (name, kpi) = (&volume.name, &kpi.set.name);
            let what = match place {
                0 => say!(CheckKpiReads { volume: name, kpi }),
                _ => say!(CheckKpiWrites { volume: name, kpi }),
            };
            let shown = match found {
                Some(_) => (Evidence::Estimate, say!(ShownLatency { grade })),
                None => (Evidence::Nothing, say!(ShownNothing)),
            };
            Some(CheckRow {
                volume: Some(name.clone()),
                direction: Some(if place == 0 { "read" } else { "write" }.into()),
                state: State::Met,
                asked: Some(say!(AskedLatency { of: LatencyOf::Mean.word(), figure: ms(most.ns() as f64) })),
                found: found.map(|found| say!(FoundFigure { figure: ms(found[place] as f64) })),
                why: Vec::new(),
                ..self.row(check, what, shown.0, shown.1)
            })
        };
        kpi.set.latency_max.iter().enumerate().filter_map(row).collect()
    }

    fn latency(
        &self,
        check: &Check,
        (place, volume): (usize, &VolumeRow),
        (direction, of): (&str, LatencyOf),
        most_ns: f64,
    ) -> CheckRow {
        let name = &volume.name;
        let is_arg = |line: &Sentence, arg: &str, is: &str| match line.args.get(arg) {
            Some(Arg::Text(own)) => own == is,
            _ => false,
        };
        let is_own = |line: &&Sentence| {
            is_arg(line, "volume", name) && is_arg(line, "direction", direction) && is_arg(line, "of", of.word())
        };
        let why: Vec<Sentence> = check.why.iter().filter(is_own).cloned().collect();
        let simulated = self.simulated(name, direction);
        let estimate = if direction == "read" { volume.read_latency() } else { volume.write_latency() };
        let found = match (simulated, of) {
            (Some(row), LatencyOf::Mean) => {
                Some(say!(FoundLatency { mean: ms(row.latency_us * 1e3), p99: ms(row.latency_p99_us * 1e3) }))
            }
            (Some(row), LatencyOf::P95) => Some(say!(FoundFigure { figure: ms(row.latency_p95_us * 1e3) })),
            (Some(row), LatencyOf::P99) => Some(say!(FoundFigure { figure: ms(row.latency_p99_us * 1e3) })),
            (None, LatencyOf::Mean) if direction != "sync" => {
                estimate.map(|us| say!(FoundFigure { figure: ms(us as f64 * 1e3) }))
            }
            (None, _) => None,
        };
        let grade = volume.latency.as_ref().map_or("D", |latency| latency.grade.as_str());
        let shown = say!(ShownLatency { grade });
        let (evidence, shown_by) = match (simulated, &found) {
            (Some(_), _) => (Evidence::Simulation, shown),
            (None, Some(_)) => (Evidence::Estimate, shown),
            (None, None) => (Evidence::Nothing, say!(ShownNothing)),
        };
        let recorded = self.recorded_us(place, direction).filter(|_| of == LatencyOf::Mean && direction != "sync");
        let (volume, asked) = (name, of.word());
        let what = match direction {
            "read" => say!(CheckReadLatency { volume, of: asked }),
            "write" => say!(CheckWriteLatency { volume, of: asked }),
            _ => say!(CheckSyncLatency { volume, of: asked }),
        };
        CheckRow {
            volume: Some(name.clone()),
            direction: Some(direction.into()),
            state: if why.is_empty() { State::Met } else { check.state },
            asked: Some(say!(AskedLatency { of: of.word(), figure: ms(most_ns) })),
            recorded: recorded.map(|us| say!(FoundMeans { figure: ms(us * 1e3) })),
            found,
            why,
            ..self.row(check, what, evidence, shown_by)
        }
    }

    fn headroom(&self, check: &Check) -> CheckRow {
        let binding = self.document.limits.iter().find(|row| row.binding);
        let figure = |value| Figure::new(value, "%", dw_documents::format::headroom(value));
        let found = check.figure.map(|left| match binding {
            Some(row) => say!(FoundHeadroom { left: figure(left), limit: &row.of }),
            None => say!(FoundFigure { figure: figure(left) }),
        });
        let shown = match binding {
            Some(row) => {
                let of = |value| figure_of(&row.of.unit, value);
                say!(ShownLimit { limit: &row.of, load: of(row.load()), capacity: of(row.capacity) })
            }
            None => say!(ShownNothing),
        };
        CheckRow {
            asked: check.asked.map(|asked| say!(AskedAtLeast { figure: exact_percent(asked) })),
            found,
            ..self.row(check, say!(CheckHeadroom), Evidence::Limits, shown)
        }
    }

    fn size(&self, check: &Check, row: &PlanRow) -> CheckRow {
        let vm = self.input.built.problem.vms.iter().find(|vm| vm.name == row.vm);
        let found = vm.map(|vm| {
            let memory = figure_of("MiB", vm.memory_mib.unwrap_or(0) as f64);
            say!(FoundSize { processors: vm.vcpu, memory })
        });
        let limits = self.document.limits.iter();
        let asked = limits.filter(|row| row.of.unit == "vCPU" || row.of.unit == "MiB");
        let asked: Vec<Sentence> =
            asked.map(|row| say!(FoundFigure { figure: figure_of(&row.of.unit, row.load()) })).collect();
        let shown = say!(ShownCatalogue { edition: &row.vm_edition });
        CheckRow {
            asked: (!asked.is_empty()).then(|| say!(AskedSize { figures: asked })),
            found,
            ..self.row(check, say!(CheckSize), Evidence::Catalogue, shown)
        }
    }

    fn years(&self, check: &Check, row: &PlanRow) -> CheckRow {
        let years = self.input.wishes.years;
        let found = match row.breaks_in_year {
            Some(year) => say!(FoundYears { years: year.saturating_sub(1) }),
            None => say!(FoundYearsAll),
        };
        CheckRow {
            asked: Some(say!(AskedYears { years })),
            found: Some(found),
            ..self.row(check, say!(CheckYears), Evidence::Limits, say!(ShownGrowth))
        }
    }

    /// A row for each volume that a cold cache slows down, or one for all.
    fn reboot(&self, check: &Check, plan: &PlanRow) -> Vec<CheckRow> {
        let cold = self.document.simulated.iter().flat_map(|simulated| &simulated.cold);
        let row = |cold: &ColdRow| {
            let place = plan.volumes.iter().position(|volume| volume.name == cold.volume);
            let wished = place.and_then(|place| self.input.wishes.volumes.get(place));
            let most = wished.and_then(|wished| wished.after_reboot_latency_max.or(wished.read_latency_max.mean));
            let mut why: Vec<Sentence> = check.why.clone();
            why.retain(|line| names(line, &cold.volume));
            CheckRow {
                volume: Some(cold.volume.clone()),
                direction: Some("read".into()),
                state: if why.is_empty() { State::Met } else { check.state },
                asked: most.map(|most| say!(AskedAtMost { figure: ms(most.ns() as f64) })),
                found: Some(found_cold(cold)),
                why,
                ..self.row(check, say!(CheckReboot { volume: &cold.volume }), Evidence::Simulation, say!(ShownCold))
            }
        };
        let rows: Vec<CheckRow> = cold.map(row).collect();
        if rows.iter().any(|row| row.state == check.state) {
            return rows;
        }
        let (evidence, shown) = match &self.document.simulated {
            Some(_) => (Evidence::Simulation, say!(ShownCold)),
            None => (Evidence::Nothing, say!(ShownNothing)),
        };
        vec![self.row(check, say!(CheckRebootAll), evidence, shown)]
    }

    fn purchase(&self, check: &Check, row: &PlanRow) -> CheckRow {
        let asked = self.input.wishes.commitment();
        let prices = self.input.built.problem.vms.iter().zip(&self.input.built.market.vm_prices);
        let edition = prices.filter(|(vm, _)| vm.name == row.vm).map(|(_, price)| price.edition.as_str()).next();
        let found = asked.filter(|_| !row.uncommitted).map(|to| say!(SummaryCommitted { commitment: to.key() }));
        CheckRow {
            asked: asked.map(|to| say!(Plain { text: to.key() })),
            found: Some(found.unwrap_or_else(|| say!(SummaryPayAsYouGo))),
            ..self.row(
                check,
                say!(CheckPurchase),
                Evidence::Catalogue,
                say!(ShownPrices { edition: edition.unwrap_or_default() }),
            )
        }
    }

    fn recording(&self, check: &Check) -> CheckRow {
        let (problem, findings) = (&self.input.built.problem, self.input.requirements.findings.len());
        let interval = problem.interval.ns() as f64 / 1e9;
        let found =
            self.recorded_s().map(|length| say!(FoundRecording { time: time(length), interval: seconds(interval) }));
        CheckRow { found, ..self.row(check, say!(CheckRecording), Evidence::Recording, say!(ShownAudit { findings })) }
    }
}

/// Latencies that are asked for of a volume, by direction.
fn asked_of(wished: &VolumeWishes) -> [(&'static str, LatencyMax); 3] {
    let sync = LatencyMax { p99: wished.sync_latency_p99_max, ..LatencyMax::default() };
    [("read", wished.read_latency_max), ("write", wished.write_latency_max), ("sync", sync)]
}

/// Whether a sentence, or one in it, is about a volume.
fn names(line: &Sentence, volume: &str) -> bool {
    let in_arg = |arg: &Arg| match arg {
        Arg::Sentence(line) => names(line, volume),
        Arg::List(items) => items.iter().any(|item| matches!(item, Arg::Sentence(line) if names(line, volume))),
        _ => false,
    };
    matches!(line.args.get("volume"), Some(Arg::Text(own)) if own == volume) || line.args.values().any(in_arg)
}

/// Percent of its rate that a volume gets in the beginning after a reboot.
fn share_of(row: &ColdRow) -> f64 {
    row.first_iops * 100.0 / row.promised_iops.max(1.0)
}

fn found_cold(row: &ColdRow) -> Sentence {
    let (latency, first, share) =
        (ms(row.first_latency_us * 1e3), time(row.first_s), percent(share_of(row).min(100.0)));
    match row.full_after_s {
        Some(after) if after < row.first_s => say!(FoundFigure { figure: latency }),
        Some(after) => say!(FoundColdUntil { latency, first, share, after: time(after) }),
        None => say!(FoundCold { latency, first, share }),
    }
}

/// As prices are.
fn to_hundredth(amount: f64) -> f64 {
    (amount * 100.0).round() / 100.0
}

/// Percent, to a tenth where it is not all.
fn to_tenth(value: f64) -> Figure {
    if value >= 99.95 { percent(100.0) } else { Figure::decimal(value, 1, "%") }
}

/// The same as the assumption about slower disks, in fewer words.
fn slow_disks(line: &Sentence) -> Option<Sentence> {
    let arg = |name| line.args.get(name);
    match (line.id == "plan-cautious", arg("limit"), arg("latency"), arg("most")) {
        (true, Some(Arg::Limit(limit)), Some(Arg::Figure(latency)), Some(Arg::Figure(most))) => {
            let (limit, latency, most) = (limit.clone(), latency.clone(), most.clone());
            Some(say!(SummaryCautious { limit, latency, most }))
        }
        _ => None,
    }
}

fn nearest(document: &PlanDocument) -> Vec<Sentence> {
    let Some(conflict) = &document.conflict else { return Vec::new() };
    let (Some(percent), Some(plan)) = (conflict.nearest_percent, &conflict.nearest) else { return Vec::new() };
    let share = Figure::decimal(percent, 1, "%");
    let monthly = conflict.nearest_monthly.map(Money::of_amount);
    let line = match (monthly, document.nodes) {
        (Some(one), Some(nodes)) => {
            let (all, monthly) = (money(one * u64::from(nodes)), money(one));
            say!(SummaryNearestNodes { share, all, nodes, monthly, plan })
        }
        (Some(one), None) => say!(SummaryNearest { share, monthly: money(one), plan }),
        (None, _) => say!(Plain { text: plan }),
    };
    std::iter::once(line).chain(conflict.nearest_misses.iter().cloned()).collect()
}
