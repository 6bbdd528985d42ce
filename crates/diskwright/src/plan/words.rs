//! How figures and findings of a plan are said.

use std::collections::BTreeSet;

use dw_catalogue::gate::Route;
use dw_catalogue::goods::Setting;
use dw_catalogue::speed::SpeedRow;
use dw_catalogue::{Catalogue, Flag, Meter, Money, Placing, Sold, azure, fits, fits_disk, flags, plan_keys};
use dw_demand::kpi::AskedKpi;
use dw_demand::wishes::{OverTime, Role, VolumeWishes, Wishes};
use dw_demand::{CommitTo, Commitment, HOURS_A_MONTH, LatencySetting, MemoryRoom, Severity, VolumeRequirements};
use dw_documents::Quantity;
use dw_documents::plan::PlanRow;
use dw_messages::{Figure, LimitName, Sentence, say};
use dw_planner::market::{self, NotSold};
use dw_planner::memory::{Beside, beside, is_exact};
use dw_planner::policy::{Policies, Policy, reserved_until};
use dw_planner::problem::{DiskKind, ONE, Usage, VmOffer, Volume};
use dw_planner::{
    Answer, Conflict, Limit, Plan, Problem, Reason, Use, VolumePlan, WhyNot, Without, again, build, check, failing,
    use_of,
};
use dw_stack::CacheMode;
use dw_units::Throughput;

use super::PlanInput;
use super::reserve::Reserve;
use crate::figures::{exact_percent, hours, money, money_in, number};

/// The currency of the offers.
pub fn currency(input: &PlanInput) -> String {
    input.built.market.vm_prices.first().map_or_else(|| "USD".into(), |origin| origin.currency.clone())
}

/// The unit of a limit's figures, and what they are divided by for it.
pub fn unit(limit: Limit) -> (&'static str, f64) {
    use Limit::*;
    match limit {
        DiskIops(_) | Gate(_, Quantity::Iops) => ("IOPS", 1.0),
        DiskThroughput(_) | Gate(..) => ("B/s", 1.0),
        Capacity(_) | LocalSize => ("GiB", 1.0),
        ReadLatency(..) | WriteLatency(..) => ("us", 1_000.0),
        Slots | Tags => ("disks", 1.0),
        Vcpu => ("vCPU", 1_000.0),
        Memory => ("MiB", 1.0),
        Barred | Cost => ("", 1.0),
    }
}

/// A figure with its unit.
pub fn figure(unit: &str, value: f64) -> String {
    match unit {
        "B/s" => Throughput::bytes_per_second((value / 1e5).round() as u64 * 100_000).to_string(),
        // Nobody asks for less than a hundredth of a millisecond but by a slip, which must be seen.
        "us" if value < 10.0 => format!("{} us", format!("{value:.3}").trim_end_matches('0').trim_end_matches('.')),
        "us" => format!("{:.2} ms", value / 1e3),
        "MiB" => format!("{} GiB", trimmed(value / 1_024.0)),
        "disks" if value == 1.0 => "1 disk".into(),
        _ => format!("{} {unit}", trimmed(value)),
    }
}

/// The same as a value of a sentence; micro- and milliseconds, MiB and GiB are one unit there.
pub fn figure_of(unit: &str, value: f64) -> Figure {
    Figure::new(value, unit, figure(unit, value))
}

/// Thousands apart; a fraction only where there is one.
fn trimmed(value: f64) -> String {
    let tenths = (value * 10.0).round() as u64;
    let whole = dw_units::grouped(&(tenths / 10).to_string(), ',');
    if tenths.is_multiple_of(10) { whole } else { format!("{whole}.{}", tenths % 10) }
}

/// A limit with its volume: `data disk IOPS`.
pub fn limit_name(problem: &Problem, limit: Limit) -> LimitName {
    match limit.volume().and_then(|place| problem.volumes.get(place)) {
        Some(volume) => LimitName::of_place(&volume.name, limit.name(problem)),
        None => LimitName::new(limit.name(problem)),
    }
}

/// Whether simulations bear out what limits promise; absent without a simulation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Confirmation {
    /// The plan.
    pub plan: Option<bool>,
    /// The plan does what is asked on a condition, which the verdict says.
    pub condition: bool,
    /// The cheapest design.
    pub cheapest: Option<bool>,
    /// The plan stands in place of one that is no better than met with a condition.
    pub is_surer: bool,
}

/// By how much a plan may be cheaper than the cheapest that is known, in percent of that, rounded up.
fn gap_of(answer: &Answer) -> Figure {
    let (cost, bound) = (answer.certificate.cost.amount(), answer.certificate.bound.amount());
    Figure::decimal(((cost - bound) * 1_000.0 / cost).ceil().max(1.0) / 10.0, 1, "%")
}

/// The answer in one line. What a simulation does not bear out is certified by nothing.
pub fn answer(input: &PlanInput, answer: &Answer, plan: &Plan, kept: Confirmation) -> Sentence {
    let problem = &input.built.problem;
    let met = match (is_joint(input), failing(problem, plan)) {
        (true, 0) => say!(PlanMetAlways),
        (true, failing) => {
            let share = (problem.stamps - failing) as f64 * 100.0 / problem.stamps as f64;
            say!(PlanMetShare { share: Figure::decimal(share, 2, "%") })
        }
        (false, _) => say!(PlanMetPercentile { percentile: number(input.wishes.percentile) }),
    };
    let met = match (kept.plan, kept.condition) {
        (Some(false), _) => say!(PlanMetOnPaper { met }),
        (_, true) => say!(PlanMetIf { met }),
        (_, false) => met,
    };
    let next = match answer.certificate.runner_up {
        Some(next) => say!(PlanNext { monthly: money(next) }),
        None => say!(PlanNextNone),
    };
    let (offers, bound) = (on_offer(input), money(answer.certificate.bound));
    let is_cheapest = plan.cost == answer.certificate.cost;
    let kept_by_cheapest = if is_cheapest { kept.plan } else { kept.cheapest };
    let gap = (answer.certificate.bound < answer.certificate.cost).then(|| gap_of(answer));
    let is_surer = kept.is_surer;
    let claim = match (is_cheapest, kept_by_cheapest) {
        (true, _) if let Some(gap) = gap => say!(PlanCheapestKnown { offers, gap, bound, next }),
        (true, Some(false)) => say!(PlanCheapestOnPaper { offers, bound, next }),
        (true, _) => say!(PlanCheapest { offers, bound, next }),
        (false, kept) => {
            let is_wider =
                |other: &Plan| other.cost == answer.certificate.cost && other.disk_count() > plan.disk_count();
            let is_simpler = answer.plans.iter().any(is_wider);
            let simpler = match (is_surer, is_simpler) {
                (true, _) => say!(PlanSurer),
                (false, true) => say!(PlanSimplerDisks),
                (false, false) => say!(PlanSimplerVm),
            };
            let band = exact_percent(input.wishes.indifference_percent);
            let cheapest = money(answer.certificate.cost);
            match kept {
                _ if let Some(gap) = gap => {
                    say!(PlanSimplerKnown { simpler, band, offers, cheapest, gap, bound, next })
                }
                Some(false) => say!(PlanSimplerOnPaper { simpler, band, offers, cheapest, bound, next }),
                _ => say!(PlanSimpler { simpler, band, offers, cheapest, bound, next }),
            }
        }
    };
    let monthly = money_in(plan.cost, &currency(input));
    let answer = say!(PlanAnswer { plan: plan.describe(problem), monthly, met, claim });
    let answer = of_all_nodes(input, plan, with_licences(input, plan, answer));
    let answer = match uncommitted(input, plan) {
        Some(to) => say!(PlanAnswerUncommitted { answer, commitment: to.key() }),
        None => answer,
    };
    match rests_on(input, plan) {
        figures if figures.is_empty() => answer,
        figures => say!(PlanAnswerRests { answer, size: &problem.vms[plan.vm].name, figures: figures.join("; ") }),
    }
}

/// The commitment that was asked for, where the VM of the plan has no price under it.
pub(super) fn uncommitted(input: &PlanInput, plan: &Plan) -> Option<Commitment> {
    input.wishes.commitment().filter(|_| input.built.market.vm_prices[plan.vm].uncommitted)
}

/// What of the offers has a price under the commitment that was asked for.
fn commitment(input: &PlanInput, plan: &Plan) -> Vec<Sentence> {
    let Some(to) = input.wishes.commitment() else { return Vec::new() };
    let size = &input.built.problem.vms[plan.vm].name;
    let ended = uncommitted(input, plan).and_then(|to| input.catalogue.commitment_ended(size, to));
    let said = match (uncommitted(input, plan), to.to) {
        (Some(to), _) if let Some((since, page)) = ended => {
            say!(PlanCommitmentEnded { size, commitment: to.key(), since, page })
        }
        (Some(to), _) => say!(PlanUncommitted { size, commitment: to.key(), region: &input.wishes.region }),
        (None, CommitTo::Machine) => {
            let term = dw_catalogue::years_of(to.years);
            match reserved_disks(input, plan, to) {
                disks if disks.is_empty() => say!(PlanReserved { term }),
                disks => say!(PlanReservedWith { term, disks }),
            }
        }
        (None, CommitTo::Spending) => say!(PlanSavingsPlan { term: dw_catalogue::years_of(to.years) }),
    };
    let share = without_commitment(input)
        .map(|without| say!(PlanCommitmentKnown { sizes: sizes(&input.built.problem), without, commitment: to.key() }));
    let terms = [term_ends(input, plan, to), dearer(input, plan, to)];
    std::iter::once(said).chain(share).chain(terms.into_iter().flatten()).collect()
}

/// That pay as you go for the hours that the VM runs costs less: a commitment is billed for all.
fn dearer(input: &PlanInput, plan: &Plan, to: Commitment) -> Option<Sentence> {
    let size = &input.built.problem.vms[plan.vm].name;
    let under = |to| market::monthly_under(input.catalogue, input.wishes, size, to);
    let (committed, as_you_go) = (under(Some(to))?, under(None)?);
    let more = committed.saturating_sub(as_you_go);
    let is_dearer = more > Money::ZERO && uncommitted(input, plan).is_none();
    let hours = hours(input.wishes.running());
    is_dearer.then(|| say!(PlanCommitmentDearer { commitment: to.key(), more: money(more), hours }))
}

/// That a term ends before the years that were planned for: nobody knows what a month costs then.
fn term_ends(input: &PlanInput, plan: &Plan, to: Commitment) -> Option<Sentence> {
    let wishes = input.wishes;
    let (ends, until) = (to.months(), wishes.years * 12);
    let is_shorter = wishes.grows() && ends < until && uncommitted(input, plan).is_none();
    is_shorter.then(|| say!(PlanTermEnds { commitment: to.key(), ends, from: ends + 1, until }))
}

/// What of the commitment that was asked for cannot be had, or has no known price: nobody sells it any more for the size, or it ends after
/// the size retires.
pub(super) fn commitment_in_doubt(input: &PlanInput, plan: &PlanRow) -> Vec<Sentence> {
    let (catalogue, wishes, size) = (input.catalogue, input.wishes, &plan.vm);
    let Some(to) = wishes.commitment() else { return Vec::new() };
    let is_of_today = wishes.edition.is_none();
    if plan.uncommitted {
        let commitment = to.key();
        return vec![match catalogue.commitment_ended(size, to).filter(|_| is_of_today) {
            Some((since, page)) => say!(PlanCommitmentEnded { size, commitment, since, page }),
            None => say!(VerdictUnpriced { size, commitment }),
        }];
    }
    let ends = reserved_until(catalogue, wishes);
    let outlived = ends.zip(catalogue.retires(size)).filter(|(ends, retires)| is_of_today && *retires < ends.as_str());
    outlived.map(|(ends, retires)| say!(PlanReservedBeyond { size, ends, retires })).into_iter().collect()
}

/// The disks of a plan that are reserved with its VM.
fn reserved_disks(input: &PlanInput, plan: &Plan, to: Commitment) -> Vec<String> {
    let chosen = plan.volumes.iter().filter_map(|volume| volume.disks.as_ref());
    let offers = chosen.map(|disks| &input.built.problem.disks[disks.offer]).filter(|offer| offer.purchase.is_plain());
    let is_reserved =
        |name: &&String| market::monthly_of_disk_under(input.catalogue, input.wishes, name, Some(to)).is_some();
    let mut names: Vec<String> = offers.map(|offer| &offer.name).filter(is_reserved).cloned().collect();
    names.dedup();
    names
}

/// How much of a month is paid for, where it is not all of it.
fn running(input: &PlanInput, plan: &Plan) -> Option<Sentence> {
    let running = input.wishes.running();
    if running.is_always() {
        return None;
    }
    let (hours, all) = (hours(running), HOURS_A_MONTH);
    let is_committed = input.wishes.commitment().is_some() && uncommitted(input, plan).is_none();
    Some(if is_committed { say!(PlanHoursCommitted { hours, all }) } else { say!(PlanHours { hours, all }) })
}

/// Whether the demand was met over time together.
fn is_joint(input: &PlanInput) -> bool {
    input.wishes.over_time == OverTime::Joint && input.built.problem.stamps > 1
}

/// The limits of the VM that the plan counts on and that the page of its size does not print, each with the rule that it follows by.
fn rests_on(input: &PlanInput, plan: &Plan) -> Vec<String> {
    unprinted(input, plan).into_iter().map(|(_, said)| said).collect()
}

/// The rule that the limit at a gate of the VM follows by, where the page of its size does not print it.
pub(super) fn unprinted_at(input: &PlanInput, plan: &Plan, gate: &str) -> Option<String> {
    let gates = &input.built.problem.gates;
    let is_of = |field: &str| azure::gates_of(field).iter().any(|place| gates[*place].name == gate);
    unprinted(input, plan).into_iter().find(|(field, _)| is_of(field)).map(|(_, said)| said)
}

/// The same with the field that each is of.
fn unprinted(input: &PlanInput, plan: &Plan) -> Vec<(&'static str, String)> {
    let vm = &input.built.problem.vms[plan.vm];
    let Ok(row) = input.catalogue.vm(&vm.name, Some(&vm.edition)) else { return Vec::new() };
    let passed = || plan.volumes.iter().flat_map(|volume| vm.route(volume.class));
    let passes = |gate: usize| passed().any(|route| route.gates().any(|passed| passed == gate));
    let (cached, temp) = (passed().any(Route::has_cache), passed().any(|route| route.is_local));
    let (uncached, second) = (passes(azure::FIRST), passes(azure::SECOND));
    let shared = passes(azure::CACHED);
    let counts = |field: &str| match field {
        "cached" => shared,
        "cache" => cached,
        "uncached" => uncached,
        "premium2" => second,
        "temp_read" | "temp_write" => temp,
        // What a record lacks: all but its uncached limits.
        "other fields" => cached || temp || second,
        _ => false,
    };
    let derived = row.derived.iter().filter(|derived| counts(derived.field));
    let name = |field: &str| match field {
        "cached" => "cached limit".into(),
        "cache" => "size of the host cache".into(),
        "uncached" => "uncached limit".into(),
        "premium2" => "second uncached limit".into(),
        _ => field.replace('_', " "),
    };
    derived.map(|derived| (derived.field, format!("{}: {}", name(derived.field), derived.rule))).collect()
}

/// With what of the cost is licences by core.
fn with_licences(input: &PlanInput, plan: &Plan, answer: Sentence) -> Sentence {
    if input.wishes.licences.is_empty() {
        return answer;
    }
    let problem = &input.built.problem;
    let (licences, without) = (money(problem.vms[plan.vm].licences), money(plan.bought(problem)));
    say!(PlanAnswerLicences { answer, licences, without })
}

/// With what several nodes cost together.
fn of_all_nodes(input: &PlanInput, plan: &Plan, answer: Sentence) -> Sentence {
    let nodes = input.wishes.nodes;
    if nodes <= 1 {
        return answer;
    }
    let monthly = money_in(plan.cost * u64::from(nodes), &currency(input));
    say!(PlanAnswerNodes { nodes, monthly, answer })
}

/// What the answer is the cheapest of: sizes that may be chosen, disks however they are bought; and of how many sizes the price is that of
/// the commitment that was asked for, where it is not of all.
fn on_offer(input: &PlanInput) -> Sentence {
    let problem = &input.built.problem;
    let (sizes, disks) = (sizes(problem), disks(problem));
    match input.wishes.commitment().zip(without_commitment(input)) {
        Some((to, without)) => {
            let (committed, commitment) = (sizes - without, to.key());
            say!(PlanAnswerOffersCommitted { sizes, committed, commitment, without, disks })
        }
        None => say!(PlanAnswerOffers { sizes, disks }),
    }
}

/// How many of the sizes that may be chosen have no price under the commitment that was asked for; nothing where all have one.
fn without_commitment(input: &PlanInput) -> Option<usize> {
    let (vms, prices) = (&input.built.problem.vms, &input.built.market.vm_prices);
    let without = vms.iter().zip(prices).filter(|(vm, price)| is_choosable(vm) && price.uncommitted).count();
    (without > 0).then_some(without)
}

/// A VM size that may be chosen, once whatever is chosen of it.
fn is_choosable(vm: &VmOffer) -> bool {
    vm.barred.is_none() && !vm.is_set()
}

/// VM sizes that may be chosen.
fn sizes(problem: &Problem) -> usize {
    problem.vms.iter().filter(|vm| is_choosable(vm)).count()
}

/// Disks on offer, however many ways there are to buy each.
fn disks(problem: &Problem) -> usize {
    problem.disks.iter().map(|disk| disk.name.as_str()).collect::<BTreeSet<&str>>().len()
}

fn needed(input: &PlanInput, limit: Limit, used: Option<&Use>) -> Sentence {
    let problem = &input.built.problem;
    let (unit, scale) = unit(limit);
    let name = limit_name(problem, used.map_or(limit, |used| used.limit));
    let Some(used) = used else { return say!(PlanLimit { limit: name }) };
    let load = figure_of(unit, used.load[3] as f64 / scale);
    let capacity = figure_of(unit, used.capacity as f64 / scale);
    let usable = match limit {
        Limit::Capacity(place) if used.load[3] > largest_stripe(problem, place) => {
            let most = figure_of(unit, largest_stripe(problem, place) as f64);
            return say!(PlanCapacity { limit: name, needed: load, most });
        }
        // What is met and stands in the way with others.
        Limit::ReadLatency(..) | Limit::WriteLatency(..) if used.is_met(problem) => {
            return say!(PlanAskedAtMost { limit: name, most: capacity });
        }
        _ if used.is_met(problem) => return say!(PlanAsked { limit: name, needed: load }),
        Limit::ReadLatency(..) | Limit::WriteLatency(..) => {
            return say!(PlanLatency { limit: name, latency: load, most: capacity });
        }
        _ if problem.utilisation < ONE && matches!(unit, "IOPS" | "B/s") => {
            Some(say!(PlanNeededUsable { percent: problem.utilisation / 10_000 }))
        }
        // A minimum is taken as it is.
        Limit::Memory if is_exact(input.requirements, input.wishes) => None,
        Limit::Vcpu if u64::from(input.wishes.vcpu_min) * 1_000 >= problem.cpu_milli => None,
        Limit::Memory | Limit::Vcpu | Limit::LocalSize | Limit::Capacity(_) => Some(say!(PlanNeededHeadroom)),
        _ => None,
    };
    let over = (used.failing > 1 && problem.stamps > 1)
        .then(|| say!(PlanNeededOver { intervals: used.failing, all: problem.stamps }));
    say!(PlanNeeded { limit: name, needed: load, over, available: capacity, usable })
}

/// How far from enough a limit is, before what is needed of it: a size that misses by a hair may be what somebody wants.
fn misses_by(input: &PlanInput, used: Option<&Use>, needed: Sentence) -> Sentence {
    let Some(used) = used else { return needed };
    let (problem, (unit, scale)) = (&input.built.problem, unit(used.limit));
    let (usable, at) = match used.limit {
        // What processors need has their headroom in it.
        Limit::Vcpu if u64::from(input.wishes.vcpu_min) * 1_000 >= problem.cpu_milli => (used.capacity, None),
        Limit::Vcpu => (used.capacity, Some(input.wishes.cpu_percent)),
        Limit::Memory | Limit::LocalSize => (used.capacity, None),
        limit if limit.is_rate() => {
            let at = (problem.utilisation < ONE).then(|| f64::from(problem.utilisation) / 1e4);
            (dw_planner::problem::share(used.capacity, problem.utilisation), at)
        }
        _ => return needed,
    };
    let short = used.load[3].saturating_sub(usable);
    if short == 0 {
        return needed;
    }
    // Never none, however little it is.
    let tenths = if unit == "MiB" { 102.4 } else { scale / 10.0 };
    let short = if used.limit.is_rate() { short as f64 } else { (short as f64 / tenths).ceil() * tenths };
    let of = |value: f64| figure_of(unit, value / scale);
    let (short, available) = (of(short), of(used.capacity as f64));
    let at = at.map(|at| say!(PlanMissesAt { percent: exact_percent(at) }));
    say!(PlanMissesBy { short, available, at, needed })
}

/// GiB of the largest stripe that a volume may have.
fn largest_stripe(problem: &Problem, place: usize) -> u64 {
    let Some(volume) = problem.volumes.get(place) else { return 0 };
    let sizes = volume.disks.iter().map(|&disk| match &problem.disks[disk].kind {
        DiskKind::Fixed { gib, .. } => *gib,
        DiskKind::Free(free) => free.gib.1,
    });
    sizes.max().unwrap_or(0) * u64::from(volume.disks_max)
}

/// Whether the region does not sell a size: what it would cost there is no figure of anybody's.
pub fn is_not_sold(input: &PlanInput, vm: usize) -> bool {
    let not_here = NotSold::Region(input.wishes.region.clone()).to_string();
    input.built.problem.vms[vm].barred.as_ref() == Some(&not_here)
}

/// Why not a VM size, in one sentence.
pub fn why(input: &PlanInput, vm: usize, why: &WhyNot) -> Sentence {
    let problem = &input.built.problem;
    let offer = &problem.vms[vm];
    match why {
        WhyNot::Costs { plan, more } if *more == Money::ZERO => say!(PlanCostsSame { plan: plan.describe(problem) }),
        WhyNot::Costs { plan, more } => {
            say!(PlanCostsMore { more: money(*more), plan: plan.describe(problem), monthly: money(plan.cost) })
        }
        WhyNot::Cheaper { plan, less } => {
            say!(PlanCostsLess { less: money(*less), plan: plan.describe(problem), monthly: money(plan.cost) })
        }
        WhyNot::Binds { limit: Limit::Barred, .. } if is_not_sold(input, vm) => {
            say!(Plain { text: offer.barred.clone().unwrap_or_default() })
        }
        WhyNot::Binds { limit: Limit::Barred, plan } => {
            say!(PlanBarred { reason: offer.barred.clone().unwrap_or_default(), monthly: money(plan.cost) })
        }
        WhyNot::Binds { limit: Limit::Tags, .. } => say!(PlanNoPremium),
        WhyNot::Binds { limit: Limit::Cost, plan } => say!(PlanWouldCost { monthly: money(plan.cost) }),
        WhyNot::Binds { limit, plan } => {
            let used = use_of(problem, plan, *limit);
            misses_by(input, used.as_ref(), needed(input, *limit, used.as_ref()))
        }
        WhyNot::Unknown => say!(PlanNotSearched),
        WhyNot::Conflict(limits) => {
            let name = |limit: &Limit| limit_name(problem, *limit);
            let all = match limits.as_slice() {
                [] => say!(PlanNoCombination),
                [one] => say!(PlanNoneMeets { limit: name(one) }),
                _ => say!(PlanNoneTogether { limits: limits.iter().map(name).collect::<Vec<_>>() }),
            };
            // What a VM has does not depend on its disks.
            let bare = Plan { vm, volumes: Vec::new(), cost: offer.price, failing: Vec::new() };
            let of_vm = limits.iter().find(|limit| matches!(limit, Limit::Vcpu | Limit::Memory));
            misses_by(input, of_vm.and_then(|limit| use_of(problem, &bare, *limit)).as_ref(), all)
        }
    }
}

/// One line for each limit of a conflict: what is asked, and the most that is on offer.
pub fn conflict_lines(input: &PlanInput, conflict: &Conflict) -> Vec<Sentence> {
    let problem = &input.built.problem;
    if conflict.limits.is_empty() {
        return vec![say!(PlanNoCombination)];
    }
    // A list beside other limits is said with the plan that there would be without it.
    let is_list = |limit: &Limit, without: &Option<(Plan, Option<Use>)>| {
        let by_list = without.as_ref().is_some_and(|(plan, _)| problem.vms[plan.vm].by_list);
        *limit == Limit::Barred && by_list && conflict.limits.len() > 1
    };
    let shown = conflict.limits.iter().zip(&conflict.without).filter(|(limit, without)| !is_list(limit, without));
    let lines = shown.map(|(limit, without)| match without {
        Some((plan, _)) if *limit == Limit::Cost => {
            let nodes = u64::from(input.wishes.nodes.max(1));
            let most = money(problem.cost_max.unwrap_or(Money::ZERO) * nodes);
            let cheapest = money(plan.cost * nodes);
            match conflict.limits.len() > 1 {
                true => say!(PlanCostMaxToo { most, cheapest }),
                false => say!(PlanCostMax { most, cheapest }),
            }
        }
        Some((plan, _)) if *limit == Limit::Barred => match problem.vms[plan.vm].barred.clone() {
            // What lies beside the lists is left aside for that plan, too.
            Some(reason) if conflict.limits.len() > 1 => say!(PlanListsToo { vm: &problem.vms[plan.vm].name, reason }),
            Some(reason) => {
                let monthly = money(plan.cost * u64::from(input.wishes.nodes.max(1)));
                say!(PlanLists { plan: plan.describe(problem), monthly, reason })
            }
            None => say!(PlanLimit { limit: limit_name(problem, *limit) }),
        },
        Some((_, used)) if matches!(limit, Limit::Vcpu | Limit::Memory) => {
            misses_by(input, used.as_ref(), needed(input, *limit, used.as_ref()))
        }
        Some((_, used)) => needed(input, *limit, used.as_ref()),
        None => most_there(problem, *limit),
    });
    lines.collect()
}

/// That licences alone cost more than the budget, in the cheapest plan without it.
pub fn licences_alone(input: &PlanInput, conflict: &Conflict) -> Option<Sentence> {
    let (problem, nodes) = (&input.built.problem, u64::from(input.wishes.nodes.max(1)));
    let of_cost = conflict.limits.iter().zip(&conflict.without).find(|(limit, _)| **limit == Limit::Cost);
    let (plan, _) = of_cost?.1.as_ref()?;
    let (licences, most) = (problem.vms[plan.vm].licences, problem.cost_max?);
    (licences > most).then(|| say!(PlanCostLicences { licences: money(licences * nodes), most: money(most * nodes) }))
}

/// What the nearest plan does not meet, except for what stands among the lines of the conflict.
pub fn misses(input: &PlanInput, conflict: &Conflict) -> Vec<Sentence> {
    let (known, Some(miss)) = (conflict_lines(input, conflict), &conflict.miss) else { return Vec::new() };
    let lines = miss.broken.iter().map(|used| needed(input, used.limit, Some(used)));
    lines.filter(|line| !known.contains(line)).collect()
}

/// A limit that stands in the way with others: the most that any VM gives.
fn most_there(problem: &Problem, limit: Limit) -> Sentence {
    let name = limit_name(problem, limit);
    let most = |of: fn(&VmOffer) -> u64| problem.vms.iter().filter(|vm| vm.barred.is_none()).map(of).max().unwrap_or(0);
    match limit {
        Limit::Slots => say!(PlanMostSlots { limit: name, most: most(|vm| u64::from(vm.slots)) }),
        _ => say!(PlanLimit { limit: name }),
    }
}

/// Nothing meets the demand, in one line.
pub fn infeasible(input: &PlanInput, conflict: &Conflict) -> Sentence {
    let nearest = conflict.miss.as_ref().and_then(|miss| match (miss.share, miss.eased.as_slice()) {
        // What it misses is the conflict itself.
        (ONE, [_]) if conflict.limits.len() == 1 => None,
        (ONE, [only]) => Some(say!(PlanInfeasibleOtherwise { limit: limit_name(&input.built.problem, *only) })),
        (ONE, _) => None,
        (share, eased) => {
            let share = Figure::decimal(f64::from(share) * 100.0 / f64::from(ONE), 1, "%");
            // Where the disks of one volume are in the way, the load of the others is carried whole.
            let volume = match eased {
                [Limit::DiskIops(place) | Limit::DiskThroughput(place)] => input.built.problem.volumes.get(*place),
                _ => None,
            };
            Some(match volume {
                Some(volume) => say!(PlanInfeasibleNearestOf { share, volume: &volume.name }),
                None => say!(PlanInfeasibleNearest { share }),
            })
        }
    });
    say!(PlanInfeasible { limits: conflict_lines(input, conflict), nearest })
}

/// What the answer rests on.
pub fn assumptions(input: &PlanInput, best: Option<&Plan>, catalogue: &Catalogue) -> Vec<Sentence> {
    let (problem, wishes) = (&input.built.problem, input.wishes);
    let mut lines = left_out(input, catalogue);
    if let Some(plan) = best {
        lines.extend(of_plan(input, plan, catalogue));
    }
    for (place, volume) in problem.volumes.iter().enumerate() {
        let may_cache = volume.classes.iter().any(|class| problem.route(*class).has_cache());
        let is_local = best.is_some_and(|plan| problem.route(plan.volumes[place].class).is_local);
        if may_cache && volume.hit_max < ONE && !is_local {
            let share = exact_percent(f64::from(volume.hit_max) / 1e4);
            lines.push(say!(PlanFloor { volume: &volume.name, share }));
        }
        if may_cache && volume.hits.is_none() && !is_local {
            lines.push(say!(PlanNoHits { volume: &volume.name }));
        }
    }
    lines.push(match (problem.stamps, wishes.over_time) {
        (1, OverTime::Joint) => say!(PlanOneFigure { percentile: number(wishes.percentile) }),
        (_, OverTime::PerDimension) => say!(PlanPerDimension { percentile: number(wishes.percentile) }),
        (intervals, OverTime::Joint) => {
            let interval = problem.interval.to_string();
            say!(PlanIntervals { intervals, interval, exceeding: problem.violations_allowed })
        }
    });
    lines.extend(interpolated(input));
    lines.push(match (wishes.bursting, problem.bursting) {
        (true, true) => say!(PlanBursting),
        (true, false) => say!(PlanNoBurstSeries),
        (false, _) => say!(PlanNoBurst),
    });
    let grows = wishes.grows();
    if wishes.years > 0 && grows {
        lines.push(say!(PlanYears { years: wishes.years }));
    }
    lines.extend(steady(input));
    lines.extend(own_growth(input));
    if !wishes.volumes.iter().any(|volume| volume.role == Role::Os) {
        lines.push(match &wishes.os_disk {
            Some(disk) => say!(PlanOsBeside { disk }),
            None => say!(PlanNoOs),
        });
    }
    let doubts = input.requirements.findings.iter().filter(|finding| finding.severity != Severity::Note);
    lines.extend(doubts.map(|doubt| say!(PlanRecording { what: &doubt.what, effect: &doubt.effect })));
    lines.extend(policies(input, catalogue));
    lines.extend(super::without_effect::lines(input, best));
    lines.push(say!(PlanLatencies));
    lines.extend(reserves(input));
    lines.extend(best.map(|plan| latency(input, plan)).unwrap_or_default());
    lines.extend(best.map(|plan| cautious(input, plan)).unwrap_or_default());
    lines.extend(without_host_cache(input));
    lines.extend(offers(input));
    lines
}

/// When other VM sizes that are offered retire: alternatives and designs. That of the plan is among its own assumptions.
pub fn retiring(
    input: &PlanInput,
    best: Option<&Plan>,
    others: &BTreeSet<&str>,
    catalogue: &Catalogue,
) -> Vec<Sentence> {
    let own = best.map(|plan| input.built.problem.vms[plan.vm].name.as_str());
    let others = others.iter().filter(|size| Some(**size) != own && input.wishes.edition.is_none());
    others.filter_map(|size| Some(say!(PlanRetires { size: *size, date: catalogue.retires(size)? }))).collect()
}

/// How volumes grow that grow otherwise than the plan says.
fn own_growth(input: &PlanInput) -> Vec<Sentence> {
    let wishes = input.wishes;
    let usual = (wishes.growth_percent_per_year, wishes.capacity_growth_percent_per_year);
    let of = |(required, wished): (&VolumeRequirements, &VolumeWishes)| {
        let own = (wishes.growth_of(wished), wishes.capacity_growth_of(wished));
        let (load, held) = (exact_percent(own.0), exact_percent(own.1));
        (own != usual).then(|| say!(PlanGrowthOf { volume: &required.name, load, held }))
    };
    let volumes = input.requirements.volumes.iter().zip(&wishes.volumes);
    volumes.filter_map(of).filter(|_| wishes.years > 0).collect()
}

/// What does not grow while something else does.
fn steady(input: &PlanInput) -> Option<Sentence> {
    let Wishes { years, growth_percent_per_year: load, capacity_growth_percent_per_year: held, .. } = *input.wishes;
    if years == 0 || (load > 0.0) == (held > 0.0) {
        // Memory grows with nothing: nobody can say by how much.
        let uses_memory = input.requirements.memory_used.is_some() || input.wishes.memory_min.get() > 0;
        return (years > 0 && load > 0.0 && uses_memory).then(|| say!(PlanSteadyMemory));
    }
    Some(if load > 0.0 { say!(PlanSteadyCapacity) } else { say!(PlanSteadyLoad) })
}

/// How a name of a disk, or of a VM size, fits a pattern.
fn fits_either(is_disk: bool) -> fn(&str, &str) -> bool {
    if is_disk { fits_disk } else { fits }
}

/// Entries of the demand's lists that match nothing on offer.
fn left_out(input: &PlanInput, catalogue: &Catalogue) -> Vec<Sentence> {
    let (wishes, market, vms) = (input.wishes, &input.built.market, &input.built.problem.vms);
    let disk_offers = &input.built.problem.disks;
    let reason = |pattern: &str, is_disk: bool| {
        let of_kind =
            |name: &str| catalogue.editions_of_disk(name).is_empty() != is_disk && fits_either(is_disk)(pattern, name);
        let mut found: Vec<Sentence> = Vec::new();
        for left in market.left_out.iter().filter(|left| of_kind(&left.name)) {
            match &left.why {
                // A price is what whoever asks can give.
                Reason::Price(error) => {
                    found.insert(0, say!(LeftOutPrice { what: error.to_string(), give: crate::plan::giving(error) }))
                }
                Reason::Limits => found.push(say!(LeftOutLimits)),
                Reason::Unknown(why) => found.push(say!(LeftOutUnknown { why })),
                Reason::Redundancy => found.push(say!(LeftOutLocal)),
                Reason::Barred => {}
            }
        }
        let barred = vms.iter().filter(|vm| !is_disk && of_kind(&vm.name)).filter_map(|vm| vm.barred.as_ref());
        found.extend(barred.map(|why| say!(Plain { text: why })));
        found.into_iter().next()
    };
    let is_offered = |pattern: &str, is_disk: bool| match is_disk {
        true => disk_offers.iter().any(|offer| fits_disk(pattern, &offer.name)),
        false => vms.iter().any(|vm| vm.barred.is_none() && fits(pattern, &vm.name)),
    };
    let lists = [("vms", &wishes.vms, false), ("disks", &wishes.disks, true)];
    let all = lists.into_iter().flat_map(|(key, patterns, is_disk)| {
        let missing = patterns.iter().filter(move |pattern| !is_offered(pattern, is_disk));
        missing.filter_map(move |pattern| {
            let why = reason(pattern, is_disk)?;
            Some(say!(PlanLeftOut { offer: pattern, key, why }))
        })
    });
    all.collect()
}

/// What simulations were found to need beyond the estimates.
fn reserves(input: &PlanInput) -> Vec<Sentence> {
    let reserved = super::reserve::all(input.requirements, input.wishes).into_iter();
    let line = |reserve| match reserve {
        Reserve::Latency { volume, direction, reserve } => say!(PlanReserve { volume, direction, reserve }),
        Reserve::Deeper { volume, direction, more } => say!(PlanReserveDeeper { volume, direction, more }),
        Reserve::Rates { reserve } => say!(PlanReserveRates { reserve }),
    };
    reserved.map(line).collect()
}

/// Whether the percentile is one that the requirements do not have.
fn interpolated(input: &PlanInput) -> Option<Sentence> {
    let percentile = input.wishes.percentile;
    let without_series = input.requirements.volumes.iter().filter(|volume| volume.over_time().is_none());
    let lacks = |volume: &VolumeRequirements| {
        let rates = [volume.read_iops, volume.write_iops, volume.iops];
        rates.iter().flatten().any(|levels| !levels.has(percentile))
    };
    let volumes: Vec<&str> = without_series.filter(|volume| lacks(volume)).map(|volume| volume.name.as_str()).collect();
    let shown = number(percentile);
    match percentile {
        _ if volumes.is_empty() => None,
        above if above > 99.0 => Some(say!(PlanLargestInstead { volumes, percentile: shown })),
        _ => Some(say!(PlanInterpolated { volumes, percentile: shown })),
    }
}

/// What of the memory stays free beside what is in use, and why.
fn memory_free(input: &PlanInput) -> Sentence {
    match beside(input.wishes) {
        Beside::Asked(MemoryRoom::Percent(free)) => say!(PlanMemoryFree { free: exact_percent(free) }),
        Beside::Asked(MemoryRoom::Amount(free)) => {
            say!(PlanMemoryFree { free: Figure::new(free.get() as f64, "B", free.to_string()) })
        }
        Beside::Database => say!(PlanMemoryDatabase),
        Beside::Usual(free) => {
            let total =
                input.requirements.memory_total.map(|total| Figure::new(total.get() as f64, "B", total.to_string()));
            say!(PlanMemoryUsual {
                free: exact_percent(free),
                total: total.map(|total| say!(PlanMemoryToday { total }))
            })
        }
    }
}

/// What is kept free and what is not offered, each with the key that changes it.
fn policies(input: &PlanInput, catalogue: &Catalogue) -> Vec<Sentence> {
    let wishes = input.wishes;
    let (rates, capacity) = (exact_percent(wishes.headroom_percent), exact_percent(wishes.capacity_headroom_percent));
    let mut lines = Vec::new();
    lines.push(say!(PlanHeadroom { rates, capacity, processors: exact_percent(100.0 - wishes.cpu_percent) }));
    lines.extend(input.requirements.memory_used.map(|_| memory_free(input)));
    if input.requirements.growth != 1.0 {
        lines.push(say!(PlanGrowth { factor: number(input.requirements.growth) }));
    }
    if wishes.comfort_factor != 1.0 {
        lines.push(say!(PlanComfort { factor: number(wishes.comfort_factor) }));
    }
    if wishes.filesystem_overhead_percent > 0.0 {
        lines.push(say!(PlanFilesystems { share: exact_percent(wishes.filesystem_overhead_percent) }));
    }
    if wishes.nodes > 1 {
        lines.push(say!(PlanNodes { nodes: wishes.nodes }));
    }
    if input.built.problem.memory_mib == 0 {
        lines.push(say!(PlanNoMemory));
    }
    if input.built.problem.cpu_milli.max(input.built.problem.vcpu_min.into()) == 0 {
        lines.push(say!(PlanNoProcessors));
    }
    if wishes.zone_redundant {
        lines.push(say!(PlanZoneRedundant));
    }
    let options: Vec<&str> = wishes.vendor.ways.iter().copied().filter(|way| wishes.ways.has(way)).collect();
    let are_there = !wishes.vendor.ways.is_empty();
    lines.extend(are_there.then(|| match options.is_empty() {
        true => say!(PlanNoDiskOptions),
        false => say!(PlanDiskOptions { options }),
    }));
    lines.extend(on_request(input));
    if wishes.indifference_percent > 0.0 {
        lines.push(say!(PlanIndifference { band: exact_percent(wishes.indifference_percent) }));
    }
    lines.extend(wide_stripes(input));
    lines.extend(kpis(input));
    let policies = Policies::of(catalogue, wishes);
    lines.extend(flags().iter().filter(|flag| policies.applies(Policy::OnRequest(flag))).map(Flag::left_out));
    lines.extend(policies.horizon().map(|date| say!(PlanHorizon { date })));
    lines.extend((!catalogue.knows_retirements()).then(|| say!(PlanNoRetirements)));
    lines
}

/// Which kinds of disks are for backups unless somebody asks for them.
fn on_request(input: &PlanInput) -> Option<Sentence> {
    let (vendor, wishes) = (input.catalogue.vendor(), input.wishes);
    if vendor.takes_all_kinds(wishes) || !wishes.disks.is_empty() {
        return None;
    }
    let kinds = vendor.kinds().iter().filter(|kind| kind.on_request.is_some()).map(|kind| kind.name);
    Some(match input.catalogue.is_behind_door() {
        false => say!(PlanNoHdd),
        true => say!(PlanOnRequest { kinds: kinds.collect::<Vec<_>>().join(", ") }),
    })
}

/// Why more disks in a stripe were tried than are usual, where they were: the budget, or no plan at any price.
fn wide_stripes(input: &PlanInput) -> Option<Sentence> {
    let (usual, most) = (VolumeWishes::DISKS_USUAL, input.wishes.disks_usual);
    let within = |(_, monthly)| say!(PlanWideStripesBudget { usual, most, monthly });
    (most > usual).then(|| with_usual_disks(input).map_or_else(|| say!(PlanWideStripes { usual, most }), within))
}

/// What nothing meets although more disks in a stripe were tried than are usual: what there is with as many as that, where the nearest
/// plan has more or the budget is in the way.
pub fn tried_wider(input: &PlanInput, conflict: &Conflict) -> Option<Sentence> {
    let (usual, most) = (VolumeWishes::DISKS_USUAL, input.wishes.disks_usual);
    let plans = conflict.miss.iter().map(|miss| &miss.plan);
    let plans = plans.chain(conflict.without.iter().flatten().map(|(plan, _)| plan));
    let widest = plans.flat_map(|plan| &plan.volumes).filter_map(|volume| volume.disks.as_ref());
    let is_wide = widest.map(|disks| disks.count).max().unwrap_or(0) > usual;
    if most <= usual || !is_wide && !conflict.limits.contains(&Limit::Cost) {
        return None;
    }
    Some(match with_usual_disks(input) {
        Some((plan, monthly)) => say!(PlanTriedWiderBudget { usual, most, plan, monthly }),
        None => say!(PlanTriedWider { usual, most }),
    })
}

/// The cheapest plan with as many disks in a stripe as are usual, whatever it costs, and what it costs on all nodes.
fn with_usual_disks(input: &PlanInput) -> Option<(String, Figure)> {
    let wishes = Wishes { disks_usual: VolumeWishes::DISKS_USUAL, cost_max_micros: None, ..input.wishes.clone() };
    let built = again(input.built, input.requirements, &wishes).ok()?;
    let plan = input.planner.of(&built.problem).cheapest(Money::MAX)?;
    Some((plan.describe(&built.problem), money(plan.cost * u64::from(wishes.nodes.max(1)))))
}

/// The sets of figures that volumes are held to, with their pages, and what of them nobody checks.
fn kpis(input: &PlanInput) -> Vec<Sentence> {
    let asked = input.wishes.volumes.iter().zip(&input.requirements.volumes);
    let asked = asked.filter_map(|(wished, required)| Some((wished.kpi?, &required.name)));
    let said = asked.flat_map(|(AskedKpi { set, gives_load }, volume)| {
        let (kpi, asks) = (&set.of, set.asks());
        let sources: Vec<String> = set.sources.iter().map(|page| format!("{}, {}", page.page, page.date)).collect();
        let unchecked = say!(PlanKpiUnchecked { volume, kpi, unchecked: &set.unchecked });
        let line = match gives_load {
            true => say!(PlanKpi { volume, kpi, asks, sources }),
            false => say!(PlanKpiBounds { volume, kpi, asks, sources }),
        };
        [line, unchecked]
    });
    said.collect()
}

/// What nobody knows of a VM that a plan has.
pub(super) fn vm_in_doubt(input: &PlanInput, plan: &PlanRow) -> Vec<Sentence> {
    let size = &plan.vm;
    let mut doubts = certified(input, size);
    doubts.extend(burstable(input.catalogue, size));
    doubts.extend(unconfirmed(input, size));
    doubts.extend((!plan.vm_options.is_empty()).then(|| network_given_up(input.catalogue, plan)).flatten());
    doubts
}

/// What the network of a VM gives up for what is chosen of it, and that nothing asked says what it needs.
fn network_given_up(catalogue: &Catalogue, plan: &PlanRow) -> Option<Sentence> {
    let size = &plan.vm;
    let own = catalogue.setting((size, &plan.vm_edition))?;
    let (setting, loses) = (option_of(&own), gigabits(own.network_loses));
    Some(match own.network.map(gigabits) {
        Some(network) => say!(PlanSettingNetwork { size, setting, loses, network }),
        None => say!(PlanSettingNetworkUnknown { size, setting, loses }),
    })
}

/// Why something is chosen of the VM of a plan, where it is: without it the size does not do, costs more, or needs more disks.
fn chosen_of_vm(input: &PlanInput, plan: &Plan) -> Option<Sentence> {
    let vm = &input.built.problem.vms[plan.vm];
    let own = input.catalogue.setting((&vm.name, &vm.edition)).filter(|_| vm.is_set())?;
    let [plain, given] = own.disks.map(|of| figure_of("B/s", of.get() as f64));
    let (size, setting) = (&vm.name, option_of(&own));
    Some(match input.planner.without_options(plan) {
        Without::Plan(without) if without.cost > plan.cost => {
            let more = money(without.cost.saturating_sub(plan.cost));
            say!(PlanSettingCheaper { size, setting, given, plain, more })
        }
        Without::Plan(_) => say!(PlanSettingFewer { size, setting, given, plain }),
        Without::Nothing => say!(PlanSettingNeeded { size, setting, given, plain }),
        Without::Unknown => say!(PlanSettingUnknown { size, setting, given, plain }),
    })
}

/// As a scenario writes it.
fn option_of(setting: &Setting) -> String {
    setting.options.iter().map(|(key, value)| format!("{key} = \"{value}\"")).collect::<Vec<_>>().join(", ")
}

fn gigabits(rate: Throughput) -> Figure {
    Figure::decimal(rate.get() as f64 * 8.0 / 1e9, 2, "Gb/s")
}

/// That no record says whether a VM size is sold in the region, where its price does not say so either, being that of the requirements.
fn unconfirmed(input: &PlanInput, size: &str) -> Option<Sentence> {
    let (catalogue, wishes) = (input.catalogue, input.wishes);
    let mut prices = input.built.problem.vms.iter().zip(&input.built.market.vm_prices);
    let is_own = prices.any(|(vm, price)| vm.name == size && price.is_asked());
    let is_unknown = wishes.edition.is_none() && catalogue.sold(size, &wishes.region) == Sold::Unknown;
    (is_own && is_unknown).then(|| say!(PlanVmRegion { size, region: &wishes.region }))
}

/// That the processors of a VM size run on credits, where they do. The catalogue has no baseline of them.
pub(crate) fn burstable(catalogue: &Catalogue, size: &str) -> Option<Sentence> {
    catalogue.is_burstable(size).then(|| say!(PlanBurstable { size }))
}

/// That the vendor of what runs there has to certify its VM size, once for each.
fn certified(input: &PlanInput, size: &str) -> Vec<Sentence> {
    let sets = input.wishes.volumes.iter().filter_map(|wished| wished.kpi);
    let mut products: Vec<&str> = sets.filter_map(|kpi| kpi.set.certified_for.as_deref()).collect();
    products.dedup();
    products.into_iter().map(|product| say!(PlanNotCertified { product, size })).collect()
}

/// What the plan itself rests on.
fn of_plan(input: &PlanInput, plan: &Plan, catalogue: &Catalogue) -> Vec<Sentence> {
    let (problem, wishes) = (&input.built.problem, input.wishes);
    let mut lines = prices(input, plan, catalogue);
    lines.extend(commitment(input, plan));
    lines.extend(running(input, plan));
    let size = &problem.vms[plan.vm].name;
    lines.extend(licence(input, size, catalogue));
    lines.extend(cpu_speed(input, size));
    lines.extend(certified(input, size));
    lines.extend(unconfirmed(input, size));
    if let Some(parent) = catalogue.constrained_from(size) {
        lines.push(say!(PlanConstrained { size, processors: problem.vms[plan.vm].vcpu, parent }));
    }
    if let Some(date) = catalogue.retires(size).filter(|_| wishes.edition.is_none()) {
        lines.push(say!(PlanRetires { size, date }));
    }
    // Of offers of years ago the stage of today says nothing.
    lines.extend(flags().iter().filter(|_| wishes.edition.is_none()).filter_map(|flag| flag.said_of(catalogue, size)));
    lines.extend(host_cache_unknown(input, plan.vm).then(|| say!(PlanNoCachedLimit { size })));
    lines.extend(disk_zones(input, plan));
    lines.extend(chosen_of_vm(input, plan));
    lines.extend(
        catalogue
            .rests_on((size, &problem.vms[plan.vm].edition), problem.bursting, wishes.zone.as_deref())
            .into_iter()
            .map(|text| say!(Plain { text })),
    );
    if let Some(zone) = &wishes.zone {
        lines.push(match wishes.zone_redundant {
            false => say!(PlanZone { zone, region: &wishes.region }),
            true => say!(PlanZoneOfVm { zone, region: &wishes.region }),
        });
    }
    for (volume, chosen) in problem.volumes.iter().zip(&plan.volumes) {
        let route = problem.route(chosen.class);
        if route.has_cache() && volume.hits.is_some() {
            let share = exact_percent(f64::from(chosen.hit / 1_000) / 10.0);
            lines.push(say!(PlanHits { volume: &volume.name, share }));
        }
        lines.extend(by_use(input, plan, volume, chosen));
        lines.extend(shared(input, volume, chosen));
        lines.extend(os_on_hdd(input, volume, chosen));
        if route.is_local {
            lines.push(say!(PlanLocalDisk { volume: &volume.name }));
        }
    }
    if !catalogue.is_behind_door() && super::without_effect::uses_both_uncached(problem, plan) {
        lines.push(match plan_keys::has_two_budgets(wishes) {
            false => say!(PlanUncachedShared),
            true => say!(PlanUncachedSeparate),
        });
    }
    lines
}

/// Of the kinds of disks that are not in every zone of every region: what the plan's region has, where that is not all of its zones.
fn disk_zones(input: &PlanInput, plan: &Plan) -> Vec<Sentence> {
    let (catalogue, wishes) = (input.catalogue, input.wishes);
    if wishes.edition.is_some() {
        return Vec::new();
    }
    let used = plan.volumes.iter().filter_map(|volume| input.built.problem.disks[volume.disks.as_ref()?.offer].of_kind);
    let mut kinds: Vec<_> = used.filter(|kind| catalogue.is_in_few_places(kind.id)).collect();
    kinds.sort_by_key(|kind| kind.id);
    kinds.dedup();
    let region = &wishes.region;
    let all = catalogue.zones(region).map_or(0, |zones| zones.len());
    let of_kind = |kind: &&dw_catalogue::Kind| match catalogue.disk_zones(kind.id, region) {
        None => Some(say!(PlanDiskRegion { disks: kind.name, region })),
        Some((zones, page)) if 0 < zones && (zones as usize) < all => {
            Some(say!(PlanDiskZones { disks: kind.name, region, zones, page }))
        }
        Some(_) => wishes
            .zone
            .as_ref()
            .filter(|_| catalogue.placing(kind, region, true) == Placing::OnlyWithoutZone)
            .map(|zone| say!(EstateNoZoneHas { kind: kind.name, region, zone })),
    };
    kinds.iter().filter_map(of_kind).collect()
}

/// That an operating system is on a kind of disk that will not be allowed to hold one.
fn os_on_hdd(input: &PlanInput, volume: &Volume, chosen: &VolumePlan) -> Option<Sentence> {
    let wished = input.wishes.volumes.iter().zip(&input.built.problem.volumes);
    wished.filter(|(wished, _)| wished.role == Role::Os).find(|(_, of)| of.name == volume.name)?;
    let offer = &input.built.problem.disks[chosen.disks.as_ref()?.offer];
    let row = input.catalogue.disk(&offer.name, Some(&offer.edition)).ok()?;
    let date = row.kind().os_until.filter(|_| input.wishes.edition.is_none())?;
    Some(say!(PlanOsOnHdd { volume: &volume.name, date }))
}

/// What Windows costs on a VM size, where VMs run it.
fn licence(input: &PlanInput, size: &str, catalogue: &Catalogue) -> Option<Sentence> {
    let wishes = input.wishes;
    if !wishes.windows {
        return None;
    }
    let currency = currency(input);
    let of = |meter| catalogue.price_in(&currency, size, meter, &wishes.region, wishes.prices.as_deref(), None).ok();
    let licence = match (of(Meter::Windows), of(Meter::Whole)) {
        (Some(windows), Some(linux)) => {
            Some(money(wishes.running().paid(windows.monthly().saturating_sub(linux.monthly()))))
        }
        _ => None,
    };
    Some(match licence {
        Some(monthly) => say!(PlanWindows { monthly }),
        None => say!(PlanWindowsOwn),
    })
}

/// What a vCPU of the plan counts as of one that the load was recorded on, where somebody said on which that was.
fn cpu_speed(input: &PlanInput, size: &str) -> Option<Sentence> {
    let (catalogue, problem) = (input.catalogue, &input.built.problem);
    let recorded = input.wishes.cpu_recorded_on.as_ref().filter(|_| problem.cpu_milli > 0)?;
    let Some((_, of)) = catalogue.speed(recorded) else { return Some(say!(PlanCpuSpeedNone { recorded })) };
    let sizes = || problem.vms.iter().filter(|vm| !vm.is_set());
    let known = sizes().filter(|vm| catalogue.speed_beside(&vm.name, recorded).is_some()).count();
    let all = sizes().count();
    let both = catalogue.speed(size).zip(catalogue.speed_beside(size, recorded));
    let Some(((table, own), factor)) = both else {
        return Some(say!(PlanCpuSpeedUnknown { size, recorded, known, all }));
    };
    let range = |row: &SpeedRow| match row.range {
        (least, most) if least == most => format!("{most} {}", table.unit),
        (least, most) => format!("{least} to {most} {}", table.unit),
    };
    let page = catalogue.source(&table.source).map_or("", |source| source.date.as_str());
    let factor = Figure::decimal(f64::from(factor) / f64::from(ONE), 2, "");
    let (own, other) = (range(own), range(of));
    Some(say!(PlanCpuSpeed { size, factor, recorded, own, other, page, grade: &table.grade, known, all }))
}

/// What is bought once for all nodes, what a node pays of it, and what sharing takes.
fn shared(input: &PlanInput, volume: &Volume, chosen: &VolumePlan) -> Option<Sentence> {
    let (problem, catalogue) = (&input.built.problem, input.catalogue);
    let disks = chosen.disks.as_ref()?;
    let once = dw_planner::once(problem, disks)?;
    let offer = &problem.disks[disks.offer];
    let by = catalogue.sharing(catalogue.disk(&offer.name, Some(&offer.edition)).ok()?)?;
    let page = |id: &String| catalogue.source(id).map_or("", |source| source.date.as_str());
    Some(say!(PlanShared {
        volume: &volume.name,
        nodes: once.vms,
        monthly: money(once.all),
        mounts: money(once.mounts),
        part: money(disks.cost),
        takes: &by.takes,
        most: by.machines_max,
        page: page(&by.source),
        limits: page(&by.limits),
        billing: page(&by.billing)
    }))
}

/// What of a volume's disks is billed by use, and what their purchase asks of whoever makes them.
fn by_use(input: &PlanInput, plan: &Plan, volume: &Volume, chosen: &VolumePlan) -> Vec<Sentence> {
    let problem = &input.built.problem;
    let Some(disks) = &chosen.disks else { return Vec::new() };
    let (offer, name) = (&problem.disks[disks.offer], &volume.name);
    let monthly = money(disks.usage);
    let mut lines = Vec::new();
    match offer.usage {
        Some(Usage::Operations { .. }) => {
            let place = problem.volumes.iter().position(|other| other.name == *name).unwrap_or(0);
            let count = dw_planner::operations(problem, plan, place) as f64;
            let operations = Figure::decimal(count / 1e6, 1, "million");
            lines.push(match has_series(input, place) {
                true => say!(PlanOperations { volume: name, operations, monthly }),
                false => say!(PlanOperationsMedian { volume: name, operations, monthly }),
            });
        }
        Some(Usage::Burst { .. }) => lines.push(say!(PlanBurstUse { volume: name, monthly })),
        None => {}
    }
    if offer.purchase.has("performance_plus") {
        lines.push(say!(PlanPerformancePlus { volume: name }));
    }
    lines
}

fn has_series(input: &PlanInput, place: usize) -> bool {
    input.requirements.volumes.get(place).is_some_and(|volume| volume.over_time().is_some())
}

/// Whether no source gives the limits of the host cache of an offer: it is planned without.
fn host_cache_unknown(input: &PlanInput, vm: usize) -> bool {
    let vm = &input.built.problem.vms[vm];
    input.catalogue.vm(&vm.name, Some(&vm.edition)).is_ok_and(dw_catalogue::VmSize::host_cache_unknown)
}

/// How many offers are planned without their host cache, where some volume might have used it.
fn without_host_cache(input: &PlanInput) -> Option<Sentence> {
    let problem = &input.built.problem;
    problem.volumes.iter().flat_map(|volume| &volume.classes).find(|class| problem.route(**class).has_cache())?;
    let may_be_chosen = (0..problem.vms.len()).filter(|&vm| is_choosable(&problem.vms[vm]));
    let sizes = may_be_chosen.filter(|&vm| host_cache_unknown(input, vm)).count();
    (sizes > 0).then(|| say!(PlanNoCachedLimits { sizes }))
}

/// How many offers there were, where some were left out.
fn offers(input: &PlanInput) -> Option<Sentence> {
    let (problem, market) = (&input.built.problem, &input.built.market);
    let count = |is: fn(&Reason) -> bool| market.left_out.iter().filter(|left| is(&left.why)).count();
    let (barred, unpriced) = (count(|why| matches!(why, Reason::Barred)), count(|why| matches!(why, Reason::Price(_))));
    let incomplete = count(|why| matches!(why, Reason::Limits | Reason::Unknown(_)));
    let local = count(|why| matches!(why, Reason::Redundancy));
    let left_out: Vec<Sentence> = [
        (barred > 0).then(|| say!(OffersBarred { offers: barred })),
        (unpriced > 0).then(|| say!(OffersUnpriced { offers: unpriced })),
        (incomplete > 0).then(|| say!(OffersIncomplete { offers: incomplete })),
        (local > 0).then(|| say!(OffersLocal { offers: local })),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!left_out.is_empty()).then(|| say!(PlanOffers { sizes: sizes(problem), disks: disks(problem), left_out }))
}

/// How well the latencies of a plan are known, a sentence for each medium.
fn latency(input: &PlanInput, plan: &Plan) -> Vec<Sentence> {
    let problem = &input.built.problem;
    let mut places: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut add = |model, name| match places.iter_mut().find(|(known, _)| *known == model) {
        Some((_, names)) => names.push(name),
        None => places.push((model, vec![name])),
    };
    for (volume, chosen) in problem.volumes.iter().zip(&plan.volumes) {
        if let Some(model) = model_of(input.catalogue, problem, chosen, plan.vm) {
            add(model, volume.name.as_str());
        }
    }
    for (volume, chosen) in problem.volumes.iter().zip(&plan.volumes) {
        let route = problem.route(chosen.class);
        if route.has_cache() && (chosen.hit > 0 || route.cache == CacheMode::ReadWrite) {
            add("ssd-hit", volume.name.as_str());
        }
    }
    let said = places.iter().filter_map(|(model, names)| crate::latency::of_model(names, model, input.wishes.latency));
    said.collect()
}

/// Bounds that the plan would break if its disks were as slow as the cautious setting takes them to be.
fn cautious(input: &PlanInput, plan: &Plan) -> Vec<Sentence> {
    let (problem, wishes) = (&input.built.problem, input.wishes);
    if wishes.latency == LatencySetting::Cautious || !problem.volumes.iter().any(Volume::has_latency_max) {
        return Vec::new();
    }
    let wishes = Wishes { latency: LatencySetting::Cautious, ..wishes.clone() };
    let Ok(slow) = build(input.requirements, &wishes, input.catalogue) else { return Vec::new() };
    // The same offers in the same order, with other latencies.
    let name = |problem: &Problem| {
        plan.volumes.iter().filter_map(|v| v.disks.as_ref()).map(|d| problem.disks[d.offer].label()).collect::<Vec<_>>()
    };
    let is_same = slow.problem.disks.len() == problem.disks.len() && name(&slow.problem) == name(problem);
    if !is_same || slow.problem.vms.get(plan.vm).is_none_or(|vm| vm.name != problem.vms[plan.vm].name) {
        return Vec::new();
    }
    let uses = check(&slow.problem, plan).uses;
    let longer = uses.into_iter().filter(|used| used.limit.is_latency() && used.held > used.capacity);
    let lines = longer.map(|used| {
        let (unit, scale) = unit(used.limit);
        let of = |ns: u64| figure_of(unit, ns as f64 / scale);
        say!(PlanCautious { limit: limit_name(problem, used.limit), latency: of(used.held), most: of(used.capacity) })
    });
    lines.collect()
}

/// The name of the latency model of a volume's disks.
pub fn model_of(catalogue: &Catalogue, problem: &Problem, chosen: &VolumePlan, vm: usize) -> Option<&'static str> {
    match &chosen.disks {
        Some(disks) => {
            let offer = &problem.disks[disks.offer];
            let row = catalogue.disk(&offer.name, Some(&offer.edition)).ok()?;
            Some(row.kind().latency_model)
        }
        None => {
            let own = problem.vms[vm].route(chosen.class).is_some_and(|route| route.front.is_empty());
            Some(if own { "local-nvme" } else { "temp-disk" })
        }
    }
}

/// Where the prices of a plan are from, each origin once.
fn prices(input: &PlanInput, plan: &Plan, catalogue: &Catalogue) -> Vec<Sentence> {
    let (problem, market) = (&input.built.problem, &input.built.market);
    let vm = (&market.vm_prices[plan.vm], problem.vms[plan.vm].name.as_str());
    let disks = plan.volumes.iter().filter_map(|volume| volume.disks.as_ref());
    let disks = disks.flat_map(|disks| {
        let name = problem.disks[disks.offer].name.as_str();
        market.disk_prices[disks.offer].iter().map(move |origin| (origin, name))
    });
    let mut by_origin: Vec<(&dw_planner::PriceOrigin, Vec<&str>)> = Vec::new();
    for (origin, name) in std::iter::once(vm).chain(disks) {
        match by_origin.iter_mut().find(|(other, _)| *other == origin) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => by_origin.push((origin, vec![name])),
        }
    }
    let lines = by_origin.into_iter().map(|(origin, names)| {
        if origin.is_asked() {
            return say!(PriceAsked { offers: names });
        }
        let page = catalogue.source(&origin.source).map_or("", |source| source.page.as_str());
        let (region, edition, source) = (&origin.region, &origin.edition, &origin.source);
        match &origin.note {
            Some(note) => say!(PriceNoted { offers: names, region, edition, page, source, note }),
            None => say!(Price { offers: names, region, edition, page, source }),
        }
    });
    lines.collect()
}
