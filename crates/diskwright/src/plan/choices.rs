//! Alternatives to the plan: three designs, what fewer disks and more headroom cost, what each requirement costs,
//! and what is bought year by year.
//!
//! Every figure is an exact plan of the same search: nothing is interpolated.

use dw_catalogue::moves::{Effort, MoveRow};
use dw_catalogue::{Money, flags, years_of};
use dw_demand::CommitTo;
use dw_demand::wishes::{LatencyOf, Role, VolumeWishes, Wishes};
use dw_documents::plan::{CurvePoint, Design, DesignRow, LimitRow, PlanRow, SavingRow, StageRow};
use dw_messages::{Sentence, say};
use dw_planner::explain::needs_of;
use dw_planner::moves::{self, Moves};
use dw_planner::policy::{Policies, Policy};
use dw_planner::problem::RouteId;
use dw_planner::{
    Answer, Curve, Disks, Plan, Planner, Problem, VolumePlan, again, allowing, build, generation, least_headroom,
    market,
};
use dw_units::Duration;

use super::PlanInput;
use super::queue::{Queue, Results};
use super::rows::row;
use super::verdict::{VerdictInput, rank_of};
use super::words::{currency, uncommitted};
use crate::figures::{exact_percent, money, money_in, ms, number};

/// How much more than the cheapest the simplest design may cost, in percent.
pub const SIMPLEST_PERCENT: f64 = 25.0;
/// The curve of disks ends at this multiple of the cheapest cost.
const CURVE_TIMES: u64 = 2;
/// Headroom of the points of the curve, in percent.
pub const HEADROOM: [f64; 6] = [0.0, 10.0, 20.0, 30.0, 40.0, 50.0];
/// How much a bound of latency is relaxed by.
const RELAXED: Duration = Duration::from_ms(1);
/// Disks of a stripe, where more are allowed.
const WIDER: [u32; 2] = [16, VolumeWishes::DISKS_MAX];
/// What is left of the headroom where less is asked for.
const HALF: f64 = 0.5;

/// The three designs, those that are one plan as one row, each with its limits; `own` is that of the answer, with its limits.
pub fn designs(
    input: &PlanInput,
    answer: &Answer,
    own: Option<(&PlanRow, &[LimitRow])>,
    by_disks: &Curve,
    threads: usize,
) -> Vec<(DesignRow, Vec<LimitRow>)> {
    let (Some(balanced), Some(cheapest)) = (answer.plans.first(), by_disks.plans.first()) else { return Vec::new() };
    let bought = cheapest.bought(&input.built.problem).get() as f64;
    let most = cheapest.cost.get() as f64 + bought * SIMPLEST_PERCENT / 100.0;
    let simplest = by_disks.plans.iter().rfind(|plan| plan.cost.get() as f64 <= most);
    let all =
        [(Design::Cheapest, cheapest), (Design::Balanced, balanced), (Design::Simplest, simplest.unwrap_or(cheapest))];
    let mut found: Vec<(Vec<Design>, &Plan)> = Vec::new();
    for (design, plan) in all {
        match found.iter_mut().find(|(_, other)| *other == plan) {
            Some((designs, _)) => designs.push(design),
            None => found.push((vec![design], plan)),
        }
    }
    let rows = Results::with_count(found.len());
    let mut queue = Queue::default();
    queue.push(&rows, |place| {
        let (designs, plan) = &found[place];
        let (own, limits) = match own.filter(|_| *plan == balanced) {
            Some((own, limits)) => (own.clone(), limits.to_vec()),
            None => (row(input, plan), input.limits(plan)),
        };
        let known = by_disks.plans.iter().position(|other| other == *plan);
        // What is simpler than the cheapest, and no point of the curve, is as known as that.
        let proved = by_disks.proved[known.unwrap_or(0)];
        (DesignRow { not_proved: !proved, ..design_row(input, designs, plan, own) }, limits)
    });
    queue.run(threads);
    rows.into_all().collect()
}

fn design_row(input: &PlanInput, design: &[Design], plan: &Plan, row: PlanRow) -> DesignRow {
    let problem = &input.built.problem;
    DesignRow {
        design: design.to_vec(),
        disks: plan.disk_count(),
        headroom_percent: least_headroom(problem, plan),
        generation: generation(&problem.vms[plan.vm].name),
        plan: row,
        not_proved: false,
        simulated: None,
        met: None,
        verdict: None,
    }
}

/// The cheapest plan with at most so many disks, from the one that the certificate is about.
pub fn by_disks(input: &PlanInput, answer: &Answer) -> Curve {
    let Some(cheapest) = answer.cheapest() else { return Curve::default() };
    let more = cheapest.bought(&input.built.problem) * (CURVE_TIMES - 1);
    let proved = answer.certificate.bound >= answer.certificate.cost;
    input.planner.curve(cheapest, proved, cheapest.cost + more)
}

/// The best plan on another series of VMs.
pub fn of_other_series(input: &PlanInput, plan: &Plan) -> Option<Plan> {
    let series = |vm: &str| input.catalogue.vm(vm, None).ok()?.series.clone();
    let mut problem = input.built.problem.clone();
    let own = series(&problem.vms[plan.vm].name);
    for vm in &mut problem.vms {
        if own.is_some() && series(&vm.name) == own {
            vm.barred = Some("it is of the same series".into());
        }
    }
    printed(input, &problem)
}

/// The best plan on other disks.
pub fn of_other_disks(input: &PlanInput, plan: &Plan) -> Option<Plan> {
    let mut problem = input.built.problem.clone();
    let family =
        |disk: usize| input.catalogue.disk(&input.built.problem.disks[disk].name, None).ok().map(|disk| disk.kind);
    for (volume, chosen) in problem.volumes.iter_mut().zip(&plan.volumes) {
        if let Some(disks) = &chosen.disks {
            volume.disks.retain(|&disk| family(disk) != family(disks.offer));
        }
    }
    printed(input, &problem)
}

/// The cost of a headroom, in percent.
pub fn with_headroom(input: &PlanInput, percent: f64) -> Option<CurvePoint> {
    let wishes = Wishes { headroom_percent: percent, ..input.wishes.clone() };
    let built = again(input.built, input.requirements, &wishes).ok()?;
    let plan = input.planner.of(&built.problem).cheapest(Money::MAX)?;
    Some(CurvePoint { headroom_percent: percent, ..point(&built.problem, &plan) })
}

/// A plan as a point of a curve.
pub fn point(problem: &Problem, plan: &Plan) -> CurvePoint {
    CurvePoint {
        disks: plan.disk_count(),
        headroom_percent: least_headroom(problem, plan),
        monthly: plan.cost.amount(),
        plan: plan.describe(problem),
        not_proved: false,
    }
}

/// The plan that would be printed for a problem, in whose place the cheapest may cost up to the band less.
fn printed(input: &PlanInput, problem: &Problem) -> Option<Plan> {
    input.planner.of(problem).printed(input.wishes.indifference_percent, Money::MAX)
}

/// What a month costs less than the plan when a requirement is relaxed; nothing where it does not. It is planned as the plan was, so that
/// nothing is saved by taking the cheapest in place of the simplest, and it costs less than what is `usual`, as nothing is saved by a verdict
/// that is not as good.
pub fn saving(input: &PlanInput, plan: &Plan, usual: Money, relaxed: &Relaxation) -> Option<SavingRow> {
    let wishes = &relaxed.wishes;
    let built = match relaxed.offer {
        Offer::Same => again(input.built, input.requirements, wishes).ok()?,
        Offer::More => allowing(input.built, input.requirements, wishes, input.catalogue),
        Offer::OtherPrices => build(input.requirements, wishes, input.catalogue).ok()?,
    };
    // Where the cheapest costs as much as the plan, nothing is saved by what would be printed.
    let less = usual.saturating_sub(Money::micros(1));
    let planner = match relaxed.offer {
        Offer::OtherPrices => Planner::new(&built.problem),
        Offer::Same | Offer::More => input.planner.of(&built.problem),
    };
    let found = planner.printed(wishes.indifference_percent, less)?;
    let monthly = plan.cost.amount() - found.cost.amount();
    let requirement = relaxed.requirement.clone();
    (found.cost <= less).then(|| SavingRow { requirement, monthly, plan: found.describe(&built.problem) })
}

/// What the plan costs that would be printed whatever its verdict is, where that is less.
pub fn usual(input: &PlanInput, plan: &Plan) -> Money {
    printed(input, &input.built.problem).map_or(plan.cost, |usual| usual.cost.min(plan.cost))
}

/// A requirement that is relaxed.
pub struct Relaxation {
    /// Which, and how.
    requirement: Sentence,
    /// What is wanted then.
    wishes: Wishes,
    /// What of the offers changes.
    offer: Offer,
}

/// What may be bought when a requirement is relaxed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Offer {
    /// What may be bought now.
    Same,
    /// More VM sizes or kinds of disks, and all else stays.
    More,
    /// Anything at other prices.
    OtherPrices,
}

/// Each requirement that could be relaxed.
pub fn relaxed(input: &PlanInput) -> Vec<Relaxation> {
    let wishes = input.wishes;
    let mut all = Vec::new();
    let with = |requirement, wishes, offer| Relaxation { requirement, wishes, offer };
    for (place, (volume, problem)) in wishes.volumes.iter().zip(&input.built.problem.volumes).enumerate() {
        let name = &problem.name;
        let longer = |change: &dyn Fn(&mut VolumeWishes)| {
            let mut wishes = wishes.clone();
            change(&mut wishes.volumes[place]);
            wishes
        };
        for (writes, most) in [(false, volume.read_latency_max), (true, volume.write_latency_max)] {
            for of in LatencyOf::ALL {
                let Some(from) = most.of(of) else { continue };
                let to = from + RELAXED;
                let change = |volume: &mut VolumeWishes| {
                    let most = if writes { &mut volume.write_latency_max } else { &mut volume.read_latency_max };
                    *most.of_mut(of) = Some(to);
                };
                all.push(with(longer_by(name, writes, of, (from, to)), longer(&change), Offer::Same));
            }
        }
    }
    let from = wishes.headroom_percent;
    if from > 0.0 {
        let to = from * HALF;
        let said = say!(RelaxHeadroom { from: exact_percent(from), to: exact_percent(to) });
        all.push(with(said, Wishes { headroom_percent: to, ..wishes.clone() }, Offer::Same));
    }
    let from = wishes.capacity_headroom_percent;
    if from > 0.0 {
        let to = from * HALF;
        let said = say!(RelaxCapacity { from: exact_percent(from), to: exact_percent(to) });
        all.push(with(said, Wishes { capacity_headroom_percent: to, ..wishes.clone() }, Offer::Same));
    }
    let wider = WIDER.into_iter().filter_map(|to| Some((to, wishes.with_disks(to)?)));
    all.extend(wider.map(|(to, wider)| with(say!(RelaxDisks { from: wishes.disks_usual, to }), wider, Offer::Same)));
    // Without a series 90 is a level that requirements give, 95 an estimate between two.
    let is_recorded = input.requirements.volumes.iter().all(|volume| volume.over_time().is_some());
    let lower = if is_recorded { 95.0 } else { 90.0 };
    if wishes.percentile > lower {
        let said = say!(RelaxPercentile { from: number(wishes.percentile), to: number(lower) });
        all.push(with(said, Wishes { percentile: lower, ..wishes.clone() }, Offer::Same));
    }
    let policies = Policies::of(input.catalogue, wishes);
    if policies.horizon().is_some() {
        let said = say!(RelaxHorizon { years: wishes.horizon_years });
        all.push(with(said, Wishes { horizon_years: 0, ..wishes.clone() }, Offer::More));
    }
    if let Some(to) = wishes.commitment() {
        let term = years_of(to.years);
        let said = match to.to {
            CommitTo::Machine => say!(RelaxReservation { term }),
            CommitTo::Spending => say!(RelaxSavingsPlan { term }),
        };
        all.push(with(said, wishes.committed(None), Offer::OtherPrices));
    }
    if let Some(zone) = &wishes.zone {
        let said = say!(RelaxZone { zone: zone.clone() });
        all.push(with(said, Wishes { zone: None, ..wishes.clone() }, Offer::More));
    }
    for flag in flags().iter().filter(|flag| policies.applies(Policy::OnRequest(flag))) {
        let mut relaxed = wishes.clone();
        flag.allow(&mut relaxed);
        all.push(with(flag.allowed(), relaxed, Offer::More));
    }
    let vendor = input.catalogue.vendor();
    if !vendor.takes_all_kinds(wishes) && wishes.disks.is_empty() {
        let kinds = vendor.kinds().iter().filter(|kind| kind.on_request.is_some()).map(|kind| kind.name);
        let mut relaxed = wishes.clone();
        vendor.take_all_kinds(&mut relaxed);
        all.push(with(say!(RelaxKinds { kinds: kinds.collect::<Vec<_>>().join(", ") }), relaxed, Offer::More));
    }
    all
}

/// A latency that may be longer.
fn longer_by(volume: &str, writes: bool, of: LatencyOf, (from, to): (Duration, Duration)) -> Sentence {
    let (from, to) = (ms(from.ns() as f64), ms(to.ns() as f64));
    match (of, writes) {
        (LatencyOf::Mean, false) => say!(RelaxReads { volume, from, to }),
        (LatencyOf::Mean, true) => say!(RelaxWrites { volume, from, to }),
        (percentile, false) => say!(RelaxReadPercentile { of: percentile.word(), volume, from, to }),
        (percentile, true) => say!(RelaxWritePercentile { of: percentile.word(), volume, from, to }),
    }
}

/// The years that get a stage of their own: all, where the plan must last for several and something grows.
pub fn years(wishes: &Wishes) -> u32 {
    let grows = wishes.grows();
    if grows && wishes.years > 1 { wishes.years } else { 0 }
}

/// What a year needs, planned as the plan was: the last one needs the plan.
pub fn stage(input: &PlanInput, plan: Option<&Plan>, year: u32) -> Option<(StageRow, Plan)> {
    let row = |plan: Plan, problem: &Problem| {
        let (monthly, said) = (plan.cost.amount(), plan.describe(problem));
        let from_month = (year - 1) * 12 + 1;
        (StageRow { year, from_month, monthly, plan: said, changes: Vec::new(), needs: None }, plan)
    };
    if year == input.wishes.years {
        return plan.map(|plan| row(plan.clone(), &input.built.problem));
    }
    let built = again(input.built, input.requirements, &Wishes { years: year, ..input.wishes.clone() }).ok()?;
    Some(row(printed(input, &built.problem)?, &built.problem))
}

/// The years in which something is saved. What costs more than what comes after it is not bought: the later one lasts as long and longer,
/// so that it begins in its place. Where nothing is cheaper than the last year, the plan is bought at once, and there are no steps.
fn worthwhile<P>(stages: Vec<(StageRow, P)>) -> Vec<(StageRow, P)> {
    let mut kept: Vec<(StageRow, P)> = Vec::new();
    for stage in stages.into_iter().rev() {
        match kept.last_mut() {
            Some((later, _)) if stage.0.monthly > later.monthly => later.from_month = stage.0.from_month,
            _ => kept.push(stage),
        }
    }
    kept.reverse();
    let saves = |first: &(StageRow, P)| kept.last().is_some_and(|last| first.0.monthly < last.0.monthly);
    if kept.first().is_some_and(saves) { kept } else { Vec::new() }
}

/// The years in their order, each with what is done to what was bought the year before, and what that takes. Before another design is
/// bought for a year, it is tried whether the disks that the next year has can be bought smaller and grown in place: they are where that
/// costs at most `STAY_PERCENT` more. Where a migration would be spared at a higher price, that is said.
pub fn steps(input: &PlanInput, stages: Vec<(StageRow, Plan)>) -> Vec<StageRow> {
    let problem = &input.built.problem;
    let mut kept: Vec<(StageRow, Plan)> = Vec::new();
    for (row, plan) in worthwhile(stages).into_iter().rev() {
        let Some((later, next)) = kept.last_mut().filter(|(_, next)| !grows_in_place(input, &plan, next)) else {
            kept.push((row, plan));
            continue;
        };
        let migrates = is_migration(input, &plan, next);
        let spares = |other: &Plan| match migrates {
            true => !is_migration(input, other, next),
            false => grows_in_place(input, other, next),
        };
        // What comes next lasts as long and longer.
        let at_once = migrates.then(|| (later.plan.clone(), next.clone()));
        let others = same_disks(input, row.year, next, true).filter(spares);
        let smaller = others.map(|plan| (plan.describe(problem), plan));
        let Some((said, stays)) = smaller.into_iter().chain(at_once).min_by_key(|(_, plan)| plan.cost) else {
            kept.push((row, plan));
            continue;
        };
        let more = stays.cost.change_from(plan.cost);
        if !costs_hardly_more(&stays, &plan) || !is_as_sure(input, row.year, &stays, &plan) {
            if migrates {
                let more = money_in(more.size(), &currency(input));
                later.changes.push(say!(StageStay { more, month: row.from_month, plan: said }));
            }
            // A new VM takes its data disks along: they need not be copied, too.
            let along = || same_disks(input, row.year, next, false).filter(|other| disks_grow(input, other, next));
            let along = if disks_grow(input, &plan, next) { None } else { along() };
            let will_do = |other: &Plan| costs_hardly_more(other, &plan) && is_as_sure(input, row.year, other, &plan);
            kept.push(match along.filter(will_do) {
                Some(other) => (StageRow { monthly: other.cost.amount(), plan: other.describe(problem), ..row }, other),
                None => (row, plan),
            });
        } else if stays == *next {
            later.from_month = row.from_month;
        } else {
            kept.push((StageRow { monthly: stays.cost.amount(), plan: said, ..row }, stays));
        }
    }
    kept.reverse();
    if kept.len() < 2 {
        return Vec::new();
    }
    let (mut before, mut reserved): (Option<Plan>, Reserved) = Default::default();
    let step = |(row, plan): (StageRow, Plan)| {
        let moves = before.as_ref().map(|before| moved(input, before, &plan));
        let mut done = before.as_ref().map_or(Vec::new(), |before| changes(problem, before, &plan));
        let is_grown = |before: &Plan| before.volumes != plan.volumes && disks_grow(input, before, &plan);
        done.extend(before.as_ref().filter(|before| is_grown(before)).map(|_| say!(StageInPlace)));
        let needs = moves.as_ref().map(|moves| needs_of(moves.effort())).filter(|_| !done.is_empty());
        let takes = moves.iter().flat_map(|moves| takes(input, moves));
        let term = before.as_ref().and_then(|before| reserved.moved(input, before, &plan, row.from_month));
        let changes = done.into_iter().chain(term).chain(takes).chain(row.changes).collect();
        before = Some(plan);
        StageRow { changes, needs, ..row }
    };
    kept.into_iter().map(step).collect()
}

/// Since which month the VM is reserved that the years in their order have.
struct Reserved {
    from_month: u32,
}

impl Default for Reserved {
    fn default() -> Reserved {
        Reserved { from_month: 1 }
    }
}

impl Reserved {
    /// That the reservation of a VM goes on when another takes its place, where its terms do not end there, and what it costs until it ends.
    /// What becomes of it then is nobody's to say here.
    fn moved(&mut self, input: &PlanInput, from: &Plan, to: &Plan, month: u32) -> Option<Sentence> {
        let vms = &input.built.problem.vms;
        if vms[from.vm].name == vms[to.vm].name {
            return None;
        }
        let since = std::mem::replace(&mut self.from_month, month);
        let to = input.wishes.commitment().filter(|to| to.to == CommitTo::Machine)?;
        let is_reserved = uncommitted(input, from).is_none();
        let kept = month.saturating_sub(since);
        let until = since - 1 + kept.div_ceil(to.months()) * to.months();
        if !is_reserved || until < month {
            return None;
        }
        let size = &vms[from.vm].name;
        // A licence of Windows is paid as it goes.
        let machine = Wishes { windows: false, ..input.wishes.clone() };
        let exact = market::monthly_under(input.catalogue, &machine, size, Some(to))?;
        // As it is billed, in hundredths.
        let monthly = Money::micros((exact.get() + 5_000) / 10_000 * 10_000);
        let (left, currency) = (until + 1 - month, currency(input));
        let (monthly, all) = (money(monthly), money_in(monthly * u64::from(left), &currency));
        Some(say!(StageReserved { size, term: years_of(to.years), month: until, left, monthly, all }))
    }
}

/// What was bought the year before may cost so much more, in percent, where its disks are then grown in place or a migration is spared.
const STAY_PERCENT: f64 = 3.0;

/// What it takes to get from what one year needs to what another does.
fn moved<'a>(input: &PlanInput<'a>, from: &Plan, to: &Plan) -> Moves<'a> {
    let roles = input.wishes.volumes.iter().map(|volume| volume.role == Role::Os);
    let os: Vec<bool> = roles.collect();
    let is_os = |place: usize| os.get(place).copied().unwrap_or(false);
    moves::between(input.catalogue, &input.built.problem, is_os, from, to)
}

/// Whether it takes a migration; of what nobody knows that it does not, it is taken to.
fn is_migration(input: &PlanInput, from: &Plan, to: &Plan) -> bool {
    !moved(input, from, to).stays()
}

fn costs_hardly_more(other: &Plan, than: &Plan) -> bool {
    other.cost.change_from(than.cost).amount() <= than.cost.amount() * STAY_PERCENT / 100.0
}

/// Whether the verdict of what a year could have is as good as that of what it needs, as far as limits show.
fn is_as_sure(input: &PlanInput, year: u32, other: &Plan, than: &Plan) -> bool {
    let wishes = Wishes { years: year, ..input.wishes.clone() };
    let Ok(built) = again(input.built, input.requirements, &wishes) else { return false };
    let of_year = PlanInput { wishes: &wishes, built: &built, why_not: Vec::new(), ..*input };
    let state = |plan: &Plan| {
        let (limits, row) = (of_year.limits(plan), row(&of_year, plan));
        rank_of(&VerdictInput::plan(&of_year, &limits, &row, None).verdict())
    };
    state(other) <= state(than)
}

/// Whether the disks stay as they are or grow, all without a stop of their own.
fn disks_grow(input: &PlanInput, from: &Plan, to: &Plan) -> bool {
    moved(input, from, to).disks_effort() == Some(Effort::InPlace)
}

/// The same of a VM that stays or is resized.
fn grows_in_place(input: &PlanInput, from: &Plan, to: &Plan) -> bool {
    !is_migration(input, from, to) && disks_grow(input, from, to)
}

/// What stops for a change, each rule once.
fn takes(input: &PlanInput, moves: &Moves) -> Vec<Sentence> {
    let mut rows: Vec<&MoveRow> =
        moves.rows().filter(|row| row.effort > Effort::InPlace || row.limit.is_some()).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.effort));
    rows.dedup_by(|a, b| a.takes == b.takes);
    let page = |row: &MoveRow| input.catalogue.source(&row.source).map_or(String::new(), |source| source.date.clone());
    let said = |row: &&MoveRow| match row.effort >= Effort::Redeploy {
        true => say!(StageMigration { takes: row.said(), page: page(row) }),
        false => say!(StageTakes { takes: row.said(), page: page(row) }),
    };
    let unknown = moves.effort().is_none().then(|| say!(StageUnknown));
    rows.iter().map(said).chain(unknown).collect()
}

/// What a year needs of as many disks of the same kind, attached alike, as what comes next; on sizes from which there is no migration to its
/// size alone, if asked.
fn same_disks(input: &PlanInput, year: u32, next: &Plan, resized: bool) -> Option<Plan> {
    let mut built = again(input.built, input.requirements, &Wishes { years: year, ..input.wishes.clone() }).ok()?;
    let problem = &mut built.problem;
    let to = problem.vms[next.vm].clone();
    for vm in problem.vms.iter_mut().filter(|vm| resized && vm.barred.is_none()) {
        let rows = moves::of_vm(input.catalogue, vm, &to);
        if rows.is_none_or(|rows| rows.first().is_some_and(|row| row.effort >= Effort::Redeploy)) {
            vm.barred = Some(String::new());
        }
    }
    for (volume, chosen) in problem.volumes.iter_mut().zip(&next.volumes) {
        let Some(disks) = &chosen.disks else { continue };
        let (all, kept) = (&problem.disks, &problem.disks[disks.offer]);
        volume.disks.retain(|&offer| all[offer].is_like(kept));
        (volume.disks_min, volume.disks_max) = (disks.count, disks.count);
        let at = |class: RouteId| (problem.routes[class.place()].cache, problem.routes[class.place()].is_local);
        volume.classes.retain(|class| at(*class) == at(chosen.class));
    }
    printed(input, problem)
}

/// What turns one plan into another. Disks grow and change their rates in place; a stripe of more disks is rebuilt, and disks never
/// shrink.
fn changes(problem: &Problem, from: &Plan, to: &Plan) -> Vec<Sentence> {
    let mut all = Vec::new();
    if from.vm != to.vm {
        all.push(say!(StageVm { vm: problem.vms[to.vm].label().into_owned() }));
    }
    for ((volume, before), after) in problem.volumes.iter().zip(&from.volumes).zip(&to.volumes) {
        let volume = &volume.name;
        let said = |disks: &Disks| disks.describe_one(problem);
        let moved = match (&before.disks, &after.disks) {
            (Some(old), Some(new)) => {
                let kind = |disks: &Disks| &problem.disks[disks.offer].name;
                let gib = |disks: &Disks| disks.each.map(|each| each.gib);
                let same = kind(old) == kind(new) && gib(old) <= gib(new);
                if same && old.count == new.count && said(old) != said(new) {
                    all.push(say!(StageSet { volume, disk: said(new) }));
                }
                if same && old.count < new.count {
                    all.push(say!(StageMore { volume, more: new.count - old.count, disk: said(new) }));
                }
                !same || old.count > new.count
            }
            (old, new) => old.is_some() || new.is_some(),
        };
        let disks =
            after.disks.as_ref().map_or("the local disk".into(), |disks| format!("{} x {}", disks.count, said(disks)));
        if moved {
            all.push(say!(StageMoved { volume, disks }));
        }
        let cache = |chosen: &VolumePlan| problem.route(chosen.class).cache;
        if cache(before) != cache(after) {
            all.push(say!(StageCache { volume, cache: cache(after).name() }));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use dw_catalogue::Catalogue;
    use dw_documents::explain::Needs;
    use dw_documents::plan::CurveRow;
    use dw_messages::Arg;

    use super::*;
    use crate::{PlanOptions, Session};

    const DEMAND: &str = "schema_version = 1\n[plan]\nregion = 'westeurope'\nyears = 3\ngrowth_percent_per_year = 40\n\
        [[volume]]\nname = 'data'\ncapacity = '4 TiB'\nread_size = '8 KiB'\nread_latency_max = '0.5 ms'\n\
        read_iops = { p50 = 8000, p90 = 15000, p99 = 25000, max = 30000 }\n";

    #[test]
    fn each_choice_is_a_plan_with_its_cost() {
        let session = Session::new(Catalogue::embedded().clone());
        let demand = session.requirements("requirements.toml", DEMAND).unwrap();
        let document = session.plan(&demand).unwrap().document;
        let cheapest = document.certificate.as_ref().unwrap().monthly;
        let monthly = |design: Design| {
            let row = document.designs.iter().find(|row| row.design.contains(&design)).unwrap();
            (row.plan.monthly, row.disks)
        };
        let plan = document.plan.as_ref().unwrap();
        assert_eq!(monthly(Design::Cheapest).0, cheapest);
        assert_eq!(monthly(Design::Balanced).0, plan.monthly);
        let simplest = monthly(Design::Simplest);
        assert!(simplest.0 <= cheapest * 1.25 && simplest.1 <= monthly(Design::Balanced).1, "{simplest:?}");

        let curve = document.curve.as_ref().unwrap();
        assert_eq!(curve.by_disks[0].monthly, cheapest);
        for pair in curve.by_headroom.windows(2) {
            assert!(pair[1].headroom_percent > pair[0].headroom_percent && pair[1].monthly >= pair[0].monthly);
        }
        assert_eq!(document.stages.iter().map(|stage| stage.year).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(document.stages[2].monthly, plan.monthly);
        assert!(document.stages[0].monthly < plan.monthly, "{:?}", document.stages);
        assert_eq!(document.stages.iter().map(|stage| stage.from_month).collect::<Vec<_>>(), [1, 13, 25]);
        for pair in document.stages.windows(2) {
            assert_eq!(pair[0].plan == pair[1].plan, pair[1].changes.is_empty(), "{pair:?}");
        }

        // Without the latency premium SSD v2 is enough, and many small disks are cheaper than few.
        let slower =
            session.requirements("requirements.toml", &DEMAND.replace("read_latency_max = '0.5 ms'\n", "")).unwrap();
        let many = session.plan(&slower).unwrap().document.curve.unwrap().by_disks;
        assert!(many.len() > 2, "{many:?}");
        for pair in many.windows(2) {
            assert!(pair[1].disks < pair[0].disks && pair[1].monthly > pair[0].monthly, "{pair:?}");
        }

        // Asked as the row says, the demand costs as much less as it says; a simulation may ask for reserve of its own.
        let options = PlanOptions { simulate: false, ..PlanOptions::default() };
        let document = session.plan_with(&demand, &options).unwrap().document;
        let plan = document.plan.as_ref().unwrap();
        let saving = document.savings.iter().find(|row| row.requirement.id == "relax-reads");
        let saving = saving.expect("nothing but ultra disks answers in half a millisecond").monthly;
        let longer = session.requirements("requirements.toml", &DEMAND.replace("0.5 ms", "1.5 ms")).unwrap();
        let longer = session.plan_with(&longer, &options).unwrap().document.plan.unwrap().monthly;
        assert!((plan.monthly - saving - longer).abs() < 0.01, "{} - {saving} is not {longer}", plan.monthly);
    }

    #[test]
    fn a_headroom_that_is_relaxed_is_said_as_it_was_computed() {
        for (from, expected) in [(25.0, "12.5 % instead of 25 %"), (15.0, "7.5 % instead of 15 %")] {
            let (from, to) = (exact_percent(from), exact_percent(from * HALF));
            let said = [
                say!(RelaxHeadroom { from: from.clone(), to: to.clone() }).to_string(),
                say!(RelaxCapacity { from, to }).to_string(),
            ];
            assert!(said.iter().all(|said| said.contains(expected)), "{expected}: {said:?}");
        }
    }

    /// What spinning disks would save of an archive is more than any other requirement costs; a list of disks has answered that.
    #[test]
    fn kinds_that_are_chosen_on_request_are_among_what_would_save() {
        let session = Session::new(Catalogue::embedded().clone());
        let options = PlanOptions { simulate: false, ..PlanOptions::default() };
        let saved = |keys: &str| {
            let text = format!(
                "schema_version = 1\n[plan]\n{keys}\n[[volume]]\nname = 'archive'\ncapacity = '40 TiB'\nread_size = '64 KiB'\n\
                 read_iops = {{ p50 = 20, p90 = 80, p99 = 200, max = 400 }}\n"
            );
            let demand = session.requirements("requirements.toml", &text).unwrap();
            let document = session.plan_with(&demand, &options).unwrap().document;
            let row = document.savings.into_iter().find(|row| row.requirement.id == "relax-kinds");
            (document.plan.unwrap().monthly, row.map(|row| row.monthly))
        };
        let (without, saving) = saved("");
        let (with, none) = saved("standard_hdd = true");
        assert!((without - saving.unwrap() - with).abs() < 0.01 && with < 0.6 * without, "{without} {saving:?} {with}");
        assert_eq!((none, saved("disks = ['E*']").1), (None, None));
    }

    #[test]
    fn savings_and_years_have_the_printed_plan_as_their_base() {
        let session = Session::new(Catalogue::embedded().clone());
        let options = PlanOptions { simulate: false, ..PlanOptions::default() };
        let document = |text: &str| {
            let demand = session.requirements("requirements.toml", text).unwrap();
            session.plan_with(&demand, &options).unwrap().document
        };
        // The latency is what ultra disks are for; without it the simplest plan is clearly dearer than the cheapest.
        let text = DEMAND
            .replace("read_latency_max = '0.5 ms'\n", "disks_max = 64\n")
            .replace("years", "indifference_percent = 12\nyears");
        let found = document(&text);
        let (plan, cheapest) = (found.plan.as_ref().unwrap(), found.certificate.as_ref().unwrap().monthly);
        assert!(plan.monthly > cheapest, "{}", found.answer);
        assert_eq!(found.stages.last().unwrap().monthly, plan.monthly);
        let headroom = found.savings.iter().find(|row| row.requirement.id == "relax-headroom").unwrap();
        let relaxed = document(&text.replace("years", "headroom_percent = 10\nyears")).plan.unwrap().monthly;
        assert!((plan.monthly - headroom.monthly - relaxed).abs() < 0.01, "{headroom:?} {relaxed}");
    }

    /// A stripe that grows by disks is copied: what would spare that is said, or was taken where it costs little.
    #[test]
    fn a_year_that_needs_a_migration_says_so_and_what_sparing_it_costs() {
        let session = Session::new(Catalogue::embedded().clone());
        let options = PlanOptions { simulate: false, ..PlanOptions::default() };
        let stages = |keys: &str, growth: u32| {
            let text = DEMAND.replace("read_latency_max = '0.5 ms'\n", "").replace("= 40", &format!("= {growth}"));
            let text = text.replace("years", &format!("{keys}\nyears"));
            let demand = session.requirements("requirements.toml", &text).unwrap();
            session.plan_with(&demand, &options).unwrap().document.stages
        };
        // From SCSI to NVMe no size is resized, and three times the processors from the start are dear.
        let apart = stages("vms = ['E32s_v5', 'E48s_v6', 'E64s_v6']", 40);
        let has = |stage: &StageRow, id: &str| stage.changes.iter().any(|line| line.id == id);
        let migrates = |stage: &&StageRow| stage.needs == Some(Needs::Migration);
        assert!(apart.iter().any(|stage| migrates(&stage)), "{apart:#?}");
        for stage in apart.iter().filter(migrates) {
            assert!(has(stage, "stage-migration") && has(stage, "stage-stay"), "{stage:#?}");
        }
        // A reservation of three years is not over when another size takes the place of what is reserved; one of a year is.
        let sizes = ["E32s_v5", "E48s_v6", "E64s_v6"].iter().zip([1_000, 2_000, 3_000]);
        let prices = sizes.map(|(size, monthly)| format!("{{ name = 'Standard_{size}', monthly = {monthly} }}"));
        let prices = format!("price = [{}]", prices.collect::<Vec<_>>().join(", "));
        let vms = "vms = ['E32s_v5', 'E48s_v6', 'E64s_v6']";
        for (term, runs_on) in [("", false), ("reservation = '3y'", true), ("reservation = '1y'", false)] {
            let stages = stages(&format!("{vms}\n{prices}\n{term}"), 40);
            let said = stages.iter().flat_map(|stage| &stage.changes).find(|line| line.id == "stage-reserved");
            assert_eq!(
                // Of a price that the person gives, until the 36 months are over.
                said.is_some_and(|line| {
                    line.text.contains("runs until the end of month 36: 24 x ") || line.text.contains("month 36: 12 x ")
                }),
                runs_on,
                "{stages:#?}"
            );
            let product = said.is_none_or(|line| {
                let figure = |name: &str| match line.args.get(name) {
                    Some(Arg::Figure(figure)) => figure.value,
                    Some(Arg::Count(count)) => *count as f64,
                    other => panic!("{name}: {other:?}"),
                };
                figure("monthly") >= 1_000.0 && figure("left") * figure("monthly") == figure("all")
            });
            assert!(product, "{said:?}");
            assert_eq!(said.is_some(), runs_on, "{stages:#?}");
            assert!(stages.iter().flat_map(|stage| &stage.changes).any(|line| line.id == "stage-vm"), "{stages:#?}");
        }
        // What is bought for the first year is enlarged in place.
        for growth in [1, 40] {
            let stages = stages("", growth);
            assert!(!stages.iter().any(|stage| migrates(&stage)), "{stages:#?}");
            assert!(stages.iter().any(|stage| has(stage, "stage-in-place")), "{stages:#?}");
        }
    }

    #[test]
    fn a_document_does_not_depend_on_how_many_threads_made_it() {
        let session = Session::new(Catalogue::embedded().clone());
        let demand = session.requirements("requirements.toml", DEMAND).unwrap();
        let with = |threads: usize| {
            let options = PlanOptions { threads, why_not: vec!["D8ds_v5".into()], ..PlanOptions::default() };
            session.plan_with(&demand, &options).unwrap().document
        };
        assert_eq!(with(1), with(4));
    }

    #[test]
    fn a_year_that_costs_more_than_a_later_one_is_not_bought() {
        let check = |monthly: &[f64], expected: &[(u32, u32, f64)]| {
            let row = |(year, &monthly): (u32, &f64)| {
                let from_month = (year - 1) * 12 + 1;
                (StageRow { year, from_month, monthly, plan: String::new(), changes: Vec::new(), needs: None }, ())
            };
            let found = worthwhile((1..).zip(monthly).map(row).collect());
            let found: Vec<_> = found.iter().map(|(row, ())| (row.year, row.from_month, row.monthly)).collect();
            assert_eq!(found, expected, "{monthly:?}");
        };
        check(&[300.0, 400.0], &[(1, 1, 300.0), (2, 13, 400.0)]);
        // By the rule for fewer disks the plan may be the cheaper one: it is bought at once.
        check(&[441.87, 434.01], &[]);
        check(&[434.01, 434.01], &[]);
        check(&[300.0, 450.0, 434.0], &[(1, 1, 300.0), (3, 13, 434.0)]);
        check(&[450.0, 440.0, 434.0], &[]);
        check(&[300.0, 300.0, 434.0], &[(1, 1, 300.0), (2, 13, 300.0), (3, 25, 434.0)]);
        check(&[], &[]);
    }

    #[test]
    fn without_a_plan_or_growth_there_is_nothing_to_choose() {
        let session = Session::new(Catalogue::embedded().clone());
        let document = |text: &str| {
            let demand = session.requirements("requirements.toml", text).unwrap();
            session.plan(&demand).unwrap().document
        };
        let infeasible =
            document(&DEMAND.replace("max = 30000", "max = 9000000").replace("p99 = 25000", "p99 = 8000000"));
        assert!(infeasible.plan.is_none(), "{}", infeasible.answer);
        let CurveRow { by_disks, by_headroom } =
            infeasible.curve.unwrap_or(CurveRow { by_disks: vec![], by_headroom: vec![] });
        assert_eq!(
            (infeasible.designs.len(), by_disks.len(), by_headroom.len(), infeasible.savings.len()),
            (0, 0, 0, 0)
        );
        let flat = document(&DEMAND.replace("growth_percent_per_year = 40\n", ""));
        assert!(flat.plan.is_some() && flat.stages.is_empty(), "{:?}", flat.stages);
    }
}
