//! Requirements in, the cheapest VM size and disks that meet them out, with the proof and why not others.

use dw_catalogue::{Catalogue, Meter, PriceError, vendor_of};
use dw_demand::wishes::{VolumeWishes, Wishes};
use dw_demand::{Requirements, VolumeRequirements};
use dw_documents::plan::{Design, LimitRow, PlanDocument, PlanRow, PlanSimulation};
use dw_documents::verdict::State;
use dw_error::{Error, Kind, Named, Result};
use dw_formats::fio::VolumeMap;
use dw_messages::Sentence;
use dw_planner::{
    Answer, BuildError, Built, Curve, Known, Planner, ZONE_REDUNDANT_DISKS, again, build, missing_prices,
    with_slow_stamps,
};
use dw_report::Piece;

use crate::plan::queue::{Queue, Results};
use crate::plan::simulated::{Cold, Warm};
use crate::plan::verdict::{Shown, VerdictInput};
use crate::session::Session;
use crate::simulate::SimulationOutcome;
use crate::simulate::stamp::Stamp;

mod bill;
pub mod bounds;
pub mod choices;
mod compared;
mod decision;
pub mod document;
mod queue;
mod reserve;
pub(crate) mod rows;
mod services;
mod simulated;
mod surer;
pub(crate) mod verdict;
mod without_effect;
pub mod words;

pub use compared::Place;
pub(crate) use simulated::SERVED;
pub use words::{figure, figure_of, limit_name, unit};

/// Prices that are older, in months, are said to be.
pub const STALE_MONTHS: u32 = 12;

/// What a plan must meet, and what is wanted of it: one wish for each volume, in their order.
#[derive(Clone, Debug)]
pub struct Demand {
    /// The load.
    pub requirements: Requirements,
    /// Region, capacities, latencies, growth, limits of the choice.
    pub wishes: Wishes,
    /// Where it was written, by name and text: errors then say the line.
    pub source: Option<(String, String)>,
}

impl Demand {
    /// From values.
    pub fn new(requirements: Requirements, wishes: Wishes) -> Demand {
        Demand { requirements, wishes, source: None }
    }

    /// The text of a `requirements.toml` that says the same, rates to a thousandth; [`Session::requirements`] reads it again.
    /// `remark` says where it comes from. A capacity of zero is not known, and left out.
    pub fn text(&self, remark: &str) -> String {
        dw_demand::write_with(&self.requirements, &self.wishes, remark)
    }

    /// The same as a form to fill in: what is unknown is a commented line, and a latency that was
    /// recorded is the most that a plan may have.
    pub fn form(&self, remark: &str) -> String {
        dw_demand::write_form(&self.requirements, &self.wishes, remark)
    }

    /// Its volumes as results name them: by their names alone.
    pub fn volume_maps(&self) -> Vec<VolumeMap> {
        let named = |v: &VolumeRequirements| VolumeMap { name: v.name.clone(), ..VolumeMap::default() };
        self.requirements.volumes.iter().map(named).collect()
    }
}

/// How a plan is made; the default simulates it and shows what there is to choose from.
#[derive(Clone, Debug)]
pub struct PlanOptions {
    /// VM sizes that the document is to explain the rejection of.
    pub why_not: Vec<String>,
    /// Run the plan's verification jobs on its scenario, and say in the document what came of it: some hundred milliseconds for each design.
    pub simulate: bool,
    /// Say what there is to choose from: designs, what fewer disks, more headroom and each requirement cost.
    pub choices: bool,
    /// Threads that work on it at most. What comes of it does not depend on how many there are.
    pub threads: usize,
}

impl Default for PlanOptions {
    fn default() -> PlanOptions {
        PlanOptions { why_not: Vec::new(), simulate: true, choices: true, threads: 1 }
    }
}

/// A plan, or why there is none, with what was asked.
#[derive(Clone, Debug)]
pub struct PlanOutcome {
    /// What `plan` prints; `plan` in it is absent where nothing meets the demand.
    pub document: PlanDocument,
    /// The load that it meets.
    pub requirements: Requirements,
    /// What was wanted.
    pub wishes: Wishes,
}

impl PlanOutcome {
    /// The document as a piece of a report.
    pub fn piece(&self, name: &str) -> Result<Piece> {
        Piece::new(name, self.document.clone().into())
            .ok_or_else(|| Error::unexpected("the plan is not a document of a report"))
    }
}

/// A demand with its plan and what a simulation of it shows.
struct Solution {
    /// What is wanted, with the reserve that the plan has.
    wishes: Wishes,
    built: Built,
    /// What was found out about the problem.
    known: Known,
    answer: Answer,
    /// The document of the plan alone; absent where there is none.
    document: Option<PlanDocument>,
    /// What the plan promises and serves; absent where it is not simulated.
    warm: Option<Warm>,
    /// The same after a reboot, where that was asked for already.
    cold: Option<Cold>,
    /// Its verdict is better than that of a simpler or cheaper plan.
    is_surer: bool,
    /// How the plan was found, where it was not the first.
    again: Option<Sentence>,
}

/// What a plan is made from.
pub struct PlanInput<'a> {
    /// The load.
    pub requirements: &'a Requirements,
    /// What is wanted.
    pub wishes: &'a Wishes,
    /// The problem in integers, and the offers.
    pub built: &'a Built,
    /// What was found out about the problem.
    pub planner: &'a Planner<'a>,
    /// VM sizes that the person asks about, by their place in the problem.
    pub why_not: Vec<usize>,
    /// What can be bought.
    pub catalogue: &'a Catalogue,
    /// Whether the document says what there is to choose from.
    pub choices: bool,
}

impl PlanInput<'_> {
    /// Every limit of a plan, with what it carries.
    fn limits(&self, plan: &dw_planner::Plan) -> Vec<LimitRow> {
        rows::limits(self.built, self.requirements, self.wishes, plan)
    }
}

impl Session {
    /// The demand that the text of a `requirements.toml` says: what `observe --format toml` writes, with capacities and wishes.
    pub fn requirements(&self, name: &str, text: &str) -> Result<Demand> {
        let session = self.for_requirements(text);
        let (requirements, wishes) = dw_demand::read_for_plan(name, text, session.catalogue())?;
        Ok(Demand { requirements, wishes, source: Some((name.into(), text.into())) })
    }

    /// The demand that the text of this one says, which is its source: rates to a thousandth. A recording is planned for like that, so that
    /// whoever has the file gets the same plan.
    ///
    /// # Errors
    /// Of kind `Input` where a file that says so would be wrong.
    pub fn as_written(&self, demand: &Demand, name: &str, remark: &str) -> Result<Demand> {
        let asked = (&demand.requirements, &demand.wishes);
        let session = self.of_vendor(demand.wishes.vendor.id);
        let (requirements, wishes, text) = dw_demand::written_for_plan(asked, (name, remark), session.catalogue())?;
        Ok(Demand { requirements, wishes, source: Some((name.into(), text)) })
    }

    /// The cheapest VM size and disks that meet a demand. Where nothing does, the document says which limits conflict.
    ///
    /// # Errors
    /// Of kind `Price` where something has no known price, `Input` where nothing on offer may be chosen or the demand has no
    /// figures.
    ///
    /// ```
    /// use diskwright::{Catalogue, Session};
    /// let session = Session::new(Catalogue::embedded().clone());
    /// let text = "schema_version = 1\n[[volume]]\nname = 'data'\ncapacity = '500 GiB'\nread_size = '8 KiB'\nread_iops = { p50 = 500, p90 = 900, p99 = 2000, max = 2500 }\n";
    /// let planned = session.plan(&session.requirements("requirements.toml", text)?)?;
    /// assert!(planned.document.plan.is_some(), "{}", planned.document.answer);
    /// # Ok::<(), diskwright::Error>(())
    /// ```
    pub fn plan(&self, demand: &Demand) -> Result<PlanOutcome> {
        self.plan_with(demand, &PlanOptions::default())
    }

    /// The same, as the options say.
    pub fn plan_with(&self, demand: &Demand, options: &PlanOptions) -> Result<PlanOutcome> {
        Ok(self.with_replay(demand, options, false)?.0)
    }

    /// A plan with [`Session::replay`] of it, run beside all that is worked out once the plan is known; nothing where nothing meets the demand.
    ///
    /// # Errors
    /// As [`Session::plan`]. What keeps the plan from being replayed is none: it is given in place of the run.
    pub fn plan_and_replay(
        &self,
        demand: &Demand,
        options: &PlanOptions,
    ) -> Result<(PlanOutcome, Option<Result<SimulationOutcome>>)> {
        self.with_replay(demand, options, true)
    }

    fn with_replay(
        &self,
        demand: &Demand,
        options: &PlanOptions,
        replay: bool,
    ) -> Result<(PlanOutcome, Option<Result<SimulationOutcome>>)> {
        let own = self.of_vendor(demand.wishes.vendor.id);
        own.planned(demand, options, replay)
    }

    /// With the catalogue of the vendor for which it is wished.
    fn planned(
        &self,
        demand: &Demand,
        options: &PlanOptions,
        replay: bool,
    ) -> Result<(PlanOutcome, Option<Result<SimulationOutcome>>)> {
        self.step("plan", || {
            let Solution { wishes, built, known, answer, document, warm, cold: known_cold, is_surer, again } =
                self.solved(demand, options.simulate)?;
            let (catalogue, requirements) = (self.catalogue(), &demand.requirements);
            let why_not = options.why_not.iter().map(|vm| place_of(catalogue, &built, vm)).collect::<Result<_, _>>()?;
            let (planner, choices) = (Planner::knowing(&built.problem, known), options.choices);
            let asked = PlanInput {
                requirements,
                wishes: &wishes,
                built: &built,
                planner: &planner,
                why_not,
                catalogue,
                choices,
            };
            let best = answer.plans.first();
            let by_disks = if choices { choices::by_disks(&asked, &answer) } else { Curve::default() };
            let beside = document::PlanExtras::new(&asked, &answer, &by_disks);
            let document = document.unwrap_or_else(|| document::of_none(&asked));
            let own = document.plan.as_ref().map(|plan| (plan, document.limits.as_slice()));
            let designs = choices::designs(&asked, &answer, own, &by_disks, options.threads);
            let (mut designs, of_limits): (Vec<_>, Vec<_>) = designs.into_iter().unzip();

            let proof = match warm {
                Some(warm) => Some((simulated::Proof::new(self, &document, &wishes)?, warm)),
                None => None,
            };
            let others: Vec<PlanDocument> = designs
                .iter()
                .filter(|design| options.simulate && !design.design.contains(&Design::Balanced))
                // What throttles first beyond the demand is said of the plan alone.
                .map(|design| PlanDocument { plan: Some(design.plan.clone()), limits: Vec::new(), ..document.clone() })
                .collect();
            let of_plan = usize::from(proof.is_some());
            let of_cold = if known_cold.is_some() { 0 } else { of_plan };
            let (of_designs, cold, beyond) =
                (Results::with_count(others.len()), Results::with_count(of_cold), Results::with_count(of_plan));
            let replayed = Results::with_count(usize::from(replay && document.plan.is_some()));
            let mut queue = Queue::default();
            queue.push(&replayed, |_| {
                let demand = Demand::new(requirements.clone(), wishes.clone());
                self.run(self.replay_of_plan(&document, demand)?, None)
            });
            queue.push(&of_designs, |place| simulated::simulate(self, &others[place], &wishes));
            if let Some((proof, _)) = &proof {
                queue.push(&cold, |_| proof.cold());
                queue.push(&beyond, |_| proof.beyond());
            }
            beside.push(&mut queue, &asked, &answer, &by_disks);
            queue.run(options.threads);

            let mut simulated = None;
            if let Some((proof, warm)) = proof {
                let cold = known_cold.map(Ok).into_iter().chain(cold.into_all());
                let runs = cold.zip(beyond.into_all()).map(|(cold, beyond)| Ok((cold?, beyond?)));
                let runs = runs.collect::<Result<Vec<_>>>();
                let found = runs.map(|mut runs| runs.pop());
                simulated = self.unless_it_fails(found)?.flatten().map(|(c, b)| proof.simulated(warm, again, c, b));
            }
            self.say_old_prices(&built, best);
            let mut of_designs = of_designs.into_all();
            let judged = |limits: &[LimitRow], plan: &PlanRow, simulated: Option<&PlanSimulation>| {
                let shown = simulated.map(Shown::from);
                VerdictInput::plan(&asked, limits, plan, shown).verdict()
            };
            for (design, limits) in designs.iter_mut().zip(&of_limits) {
                let found = match design.design.contains(&Design::Balanced) {
                    true => simulated.clone(),
                    false => of_designs.next().map(|found| self.unless_it_fails(found)).transpose()?.flatten(),
                };
                design.verdict = Some(judged(limits, &design.plan, found.as_ref()));
                design.met = found.as_ref().map(|simulated| simulated.met);
                design.simulated = found.map(|simulated| simulated.answer);
            }
            let mut document = beside.into_document(&asked, &answer, document, designs);
            document.simulated = simulated;
            document.verdict = Some(match &document.plan {
                Some(plan) => judged(&document.limits, plan, document.simulated.as_ref()),
                None => verdict::of_nothing(),
            });
            if let Some(plan) = best {
                document.answer = words::answer(&asked, &answer, plan, kept(&document, is_surer));
            }
            document.decision = Some(decision::of(&asked, &document, best));
            let replayed = replayed.into_all().next();
            Ok((PlanOutcome { document, requirements: requirements.clone(), wishes }, replayed))
        })
    }

    /// What came of a simulation. A plan that cannot be simulated is still a plan: that is a notice.
    fn unless_it_fails<T>(&self, simulated: Result<T>) -> Result<Option<T>> {
        match simulated {
            Ok(simulated) => Ok(Some(simulated)),
            Err(error) if error.kind == Kind::Interrupted => Err(error),
            Err(error) => {
                self.notice(format!("the plan was not simulated: {}", error.what), error.hint);
                Ok(None)
            }
        }
    }

    /// The best plan; planned again, with more reserve, where its simulation serves less or takes longer than was asked for.
    fn solved(&self, demand: &Demand, simulate: bool) -> Result<Solution> {
        let Demand { requirements, wishes, source } = demand;
        let wishes = &Wishes { today: self.now().map(Stamp::day), ..wishes.clone() };
        let (volumes, wished) = (requirements.volumes.len(), wishes.volumes.len());
        if volumes != wished {
            return Err(Error::usage(format!("{wished} volumes are given, but the demand has {volumes}"))
                .hint("give one `VolumeWishes` for each volume, in their order"));
        }
        let refused = |error| refused(demand, error, source.as_ref());
        let mut built = build(requirements, wishes, self.catalogue()).map_err(refused)?;
        let known = with_slow_stamps(&mut built.problem, wishes.indifference_percent);
        let mut best = self.solve_one(requirements, wishes.clone(), built, known, None, simulate)?;
        // Where so few disks of a stripe are not enough, as many as it takes.
        if let (true, Some(wider)) = (best.answer.plans.is_empty(), wishes.with_disks(VolumeWishes::DISKS_MAX)) {
            let mut built = again(&best.built, requirements, &wider).map_err(|e| refused(BuildError::Demand(e)))?;
            let known = with_slow_stamps(&mut built.problem, wider.indifference_percent);
            best = self.solve_one(requirements, wider, built, known, None, simulate)?;
        }
        if best.answer.plans.is_empty() {
            let missing = missing_prices(requirements, &best.wishes, self.catalogue());
            if !missing.is_empty() {
                return Err(unpriced(&missing, source.as_ref()));
            }
        }
        let (mut last, mut times) = (best.wishes.clone(), 0);
        let (mut shown, mut warm) = (best.document.clone(), best.warm.clone());
        while let Some((found, document)) = warm.take().zip(shown.take()).filter(|_| times < reserve::TIMES) {
            let Some(more) = reserve::with_more(requirements, &last, &found.rows, &document.limits) else { break };
            let before = (document, found);
            let solve = |more: Wishes| {
                let built = again(&best.built, requirements, &more).map_err(|e| refused(BuildError::Demand(e)))?;
                let known = Planner::knowing(&best.built.problem, best.known.clone()).of(&built.problem).known();
                self.solve_one(requirements, more, built, known, Some(before.clone()), simulate)
            };
            let rates = reserve::rates_alone(&more, &last);
            let mut next = solve(more)?;
            if let (true, Some(rates)) = (next.answer.plans.is_empty(), rates) {
                next = solve(rates)?;
            }
            if next.answer.plans.is_empty() {
                break;
            }
            (last, times) = (next.wishes.clone(), times + 1);
            (shown, warm) = (next.document.clone(), next.warm.clone());
            let misses =
                |solved: &Solution| solved.warm.as_ref().map_or(usize::MAX, |warm| reserve::missed(&warm.rows));
            if misses(&next) < misses(&best) {
                best = next;
            }
        }
        if times > 0 {
            best.again = Some(reserve::said(requirements, &best.wishes, times));
        }
        self.surer(requirements, best, simulate)
    }

    /// A problem solved, and its plan simulated with a warm cache; one that is the plan `before` is served as that was.
    fn solve_one(
        &self,
        requirements: &Requirements,
        wishes: Wishes,
        built: Built,
        known: Known,
        before: Option<(PlanDocument, Warm)>,
        simulate: bool,
    ) -> Result<Solution> {
        let catalogue = self.catalogue();
        let planner = Planner::knowing(&built.problem, known.clone());
        let answer = planner.simpler(planner.solve(), wishes.indifference_percent);
        let (why_not, choices) = (Vec::new(), false);
        let asked =
            PlanInput { requirements, wishes: &wishes, built: &built, planner: &planner, why_not, catalogue, choices };
        let document = answer.plans.first().map(|plan| {
            let line = words::answer(&asked, &answer, plan, words::Confirmation::default());
            document::of_plan(&asked, Some(plan), line)
        });
        let warm = match document.as_ref().filter(|_| simulate) {
            Some(document) => {
                let before =
                    before.filter(|(before, _)| before.plan.as_ref().zip(document.plan.as_ref()).is_some_and(is_same));
                let warm = match before {
                    Some((_, warm)) => Ok(warm),
                    None => simulated::Proof::new(self, document, &wishes).and_then(|proof| proof.warm()),
                };
                self.unless_it_fails(warm)?
            }
            None => None,
        };
        Ok(Solution { wishes, built, known, answer, document, warm, cold: None, is_surer: false, again: None })
    }

    /// Prices of years ago make a plan of years ago. Told, not printed: a document does not depend on the day.
    fn say_old_prices(&self, built: &Built, plan: Option<&dw_planner::Plan>) {
        let (Some(plan), Some(now)) = (plan, self.now()) else { return };
        let disks = plan.volumes.iter().filter_map(|volume| volume.disks.as_ref());
        let disks = disks.flat_map(|disks| {
            let name = &built.problem.disks[disks.offer].name;
            built.market.disk_prices[disks.offer].iter().map(move |origin| (origin, name))
        });
        let vm = (&built.market.vm_prices[plan.vm], &built.problem.vms[plan.vm].name);
        let mut told: Vec<&String> = Vec::new();
        for (origin, name) in std::iter::once(vm).chain(disks) {
            let age = months_old(&origin.edition, now).filter(|age| *age > STALE_MONTHS);
            if let Some(age) = age.filter(|_| !told.contains(&name)) {
                told.push(name);
                let edition = &origin.edition;
                let what = format!(
                    "the price of {name} is from {edition}, {age} months old: import newer ones with `diskwright catalogue import`"
                );
                self.notice(what, "");
            }
        }
    }
}

/// Whether two plans of a demand are the same machine under the same load.
fn is_same((a, b): (&PlanRow, &PlanRow)) -> bool {
    (&a.vm, &a.vm_edition, &a.vm_options, &a.volumes) == (&b.vm, &b.vm_edition, &b.vm_options, &b.volumes)
}

/// What the simulations of a document say of the plan and of the cheapest design.
fn kept(document: &PlanDocument, is_surer: bool) -> words::Confirmation {
    let cheapest = document.designs.iter().find(|row| row.design.contains(&Design::Cheapest));
    let plan = document.simulated.as_ref().map(|simulated| simulated.met);
    let condition = document.state() == State::MetWithCondition;
    words::Confirmation { plan, condition, cheapest: cheapest.and_then(|row| row.met), is_surer }
}

/// How many months before `now` a price was fetched, by the name of its edition; nothing where that is not a month.
pub fn months_old(edition: &str, now: Stamp) -> Option<u32> {
    let (year, rest) = edition.split_once('-').unwrap_or((edition, "12"));
    // Where only a year is known, its end: nothing is said to be older than it is.
    let month = rest.get(..2).and_then(|month| month.parse::<u32>().ok()).unwrap_or(12);
    Some(now.months().saturating_sub(year.parse::<u32>().ok()? * 12 + month))
}

/// A VM size that someone asks about: it must be among the offers.
fn place_of(catalogue: &Catalogue, built: &Built, asked: &str) -> Result<usize> {
    if let Some(place) = built.problem.vms.iter().position(|vm| dw_catalogue::fits(asked, &vm.name)) {
        return Ok(place);
    }
    let named = |error: Error| error.naming(&[Named::new("why_not")]);
    let vm =
        catalogue.vm(asked, None).map_err(|e| named(Error::usage(format!("`{{why_not}}`: {e}")).hint(e.hint())))?;
    let left = built.market.left_out.iter().find(|left| left.name == vm.name);
    let why = match left.map(|left| &left.why) {
        Some(dw_planner::Reason::Price(e)) => Error::from(e.clone()),
        Some(dw_planner::Reason::Unknown(why)) => Error::input(why),
        Some(_) => Error::input(format!("some limits of {} are unknown in every edition", vm.name)),
        None => Error::input(format!("{} is not in the requested edition", vm.name)),
    };
    let what = format!("`{{why_not}}`: {}", why.what);
    Err(named(why.what(what)))
}

/// Nothing that has a price meets the demand, and something without one would.
fn unpriced(missing: &[PriceError], source: Option<&(String, String)>) -> Error {
    let names: Vec<&str> = missing.iter().map(|error| error.name.as_str()).collect();
    let all: Vec<String> = missing.iter().map(ToString::to_string).collect();
    let what = format!(
        "nothing with a known price meets this demand; {} would help, but {}",
        names.join(" and "),
        all.join(", and ")
    );
    let error = Error::of(Kind::Price, missing[0].clone()).what(what).hint(price_hint(&missing[0]));
    match source {
        Some((name, _)) => error.of_file(name),
        None => error,
    }
}

/// Where there is a price, and how to give one.
fn price_hint(error: &PriceError) -> String {
    format!("{}; or {}", error.hint(), giving(error))
}

/// How to give a price that is not known.
pub(crate) fn giving(error: &PriceError) -> String {
    // A zone-redundant disk is sold by its plain name.
    let name = error.name.trim_end_matches("_ZRS");
    match error.meter {
        Meter::Whole => format!("write it as `[[plan.price]]` with `name = \"{name}\"` and `monthly`"),
        meter => {
            format!("write it as `[[plan.price]]` with `name = \"{name}\"`, `meter = \"{}\"` and `monthly`", meter.id())
        }
    }
}

/// Why there was nothing to solve, with the line of the volume where one is meant.
fn refused(demand: &Demand, error: BuildError, source: Option<&(String, String)>) -> Error {
    let placed = |error: Error| match source {
        Some((name, _)) => error.of_file(name),
        None => error,
    };
    match error {
        BuildError::Price(e) => {
            let hint = price_hint(&e);
            placed(Error::from(e).hint(hint))
        }
        BuildError::NoPrices { ref example, .. } => {
            let hint = format!(
                "plan for another `region`; import prices (`diskwright catalogue import`); or {}",
                giving(example)
            );
            placed(Error::from(error).hint(hint))
        }
        BuildError::Nothing(ZONE_REDUNDANT_DISKS) => {
            let Wishes { disks, not_disks, .. } = &demand.wishes;
            let lists = if disks.is_empty() && not_disks.is_empty() { "" } else { ", or shorten the lists of disks" };
            let hint = format!("leave `redundancy` out{lists}");
            let line = source.and_then(|(_, text)| line_of_key(text, "redundancy"));
            match (source, line) {
                (Some((name, _)), Some(line)) => Error::from(error).hint(hint).at(name, line),
                _ => placed(Error::from(error).hint(hint)),
            }
        }
        BuildError::Nothing(_) => {
            let hint = match &demand.wishes.zone {
                Some(zone) => format!(
                    "shorten the lists in [plan], or leave `zone` out: nothing they allow is offered in zone {zone}"
                ),
                None => "shorten the lists in [plan]".into(),
            };
            placed(Error::from(error).hint(hint))
        }
        BuildError::Listed { key, redundancy, ref left_out, .. } => {
            let zone = demand.wishes.zone.as_deref();
            let (key, hint) = match (redundancy, zone) {
                (true, _) => {
                    let kinds = vendor_of(&demand.wishes).kinds().iter().filter(|kind| kind.zone_redundant);
                    let kinds = kinds.map(|kind| kind.name).collect::<Vec<_>>().join(" or ");
                    let or = if kinds.is_empty() { String::new() } else { format!(", or name {kinds} in `disks`") };
                    ("redundancy", format!("leave `redundancy` out{or}"))
                }
                (false, Some(zone)) if key == "vms" => {
                    (key, format!("name other sizes in `vms`, or leave `vms` out, or `zone = \"{zone}\"`"))
                }
                (false, _) => {
                    let elsewhere = left_out.iter().all(|(_, why)| why.contains("not sold in"));
                    let region = if elsewhere { ", or plan for another `region`" } else { "" };
                    (key, format!("name others in `{key}` of [plan], or leave `{key}` out{region}"))
                }
            };
            let line = source.and_then(|(_, text)| line_of_key(text, key));
            match (source, line) {
                (Some((name, _)), Some(line)) => Error::from(error).hint(hint).at(name, line),
                _ => placed(Error::from(error).hint(hint)),
            }
        }
        BuildError::TooSlow { ref left_by, .. } => {
            let key = left_by.as_ref().map(|(key, _)| key.split(' ').next().unwrap_or(key));
            let hint = match key {
                Some("redundancy") => {
                    "leave `redundancy` out, as no zone-redundant disk is so fast; or leave `kpi` out".into()
                }
                Some(key) => {
                    format!("allow faster disks: change `{key}` of [plan] or leave it out; or leave `kpi` out")
                }
                None => "leave `kpi` out, or plan for another `region`".to_string(),
            };
            let line = key.and_then(|key| line_of_key(&source?.1, key));
            match (source, line) {
                (Some((name, _)), Some(line)) => Error::from(error).hint(hint).at(name, line),
                _ => placed(Error::from(error).hint(hint)),
            }
        }
        BuildError::NoDisk { .. } => {
            let other = if demand.wishes.disks.is_empty() { "" } else { "other " };
            placed(
                Error::from(error)
                    .hint(format!("name {other}disks for it in `disks` of [plan], or give the volume another `role`")),
            )
        }
        BuildError::Demand(e) => {
            let volume = e.volume;
            of_volume(e.into(), source, &demand.requirements, volume)
        }
    }
}

/// The first line that gives a key a value.
fn line_of_key(text: &str, key: &str) -> Option<usize> {
    let gives = |line: &str| line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='));
    text.lines().zip(1..).find(|(line, _)| gives(line)).map(|(_, number)| number)
}

/// An error about a volume of requirements, by its number, with its name and, where they were written, the line where it begins;
/// about all of them without a number.
pub fn of_volume(
    error: Error,
    source: Option<&(String, String)>,
    requirements: &Requirements,
    volume: Option<usize>,
) -> Error {
    let called = volume.and_then(|place| requirements.volumes.get(place));
    let what = called.map_or(String::new(), |volume| format!("volume `{}`: ", volume.name)) + &error.what;
    let error = error.what(what);
    let Some((name, text)) = source else { return error };
    let heads = text.lines().zip(1..).filter(|(line, _)| line.trim_start().starts_with("[[volume]]"));
    let line = volume.and_then(|place| heads.map(|(_, number)| number).nth(place)).unwrap_or(1);
    error.at(name, line)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use dw_demand::DemandSeries;
    use dw_units::Duration;

    use super::*;

    /// A demand of two volumes, of which the second has a series like that of a recording or one that a text cannot say in full.
    fn demand(session: &Session, more: &str, rates: [f64; 3], interval: Duration) -> Demand {
        let volume = |name: &str, more: &str| {
            format!(
                "[[volume]]\nname = '{name}'\ncapacity = '500 GiB'\nread_size = '8 KiB'\nread_latency_p99_max = '10 ms'\n{more}\
                 read_iops = {{ p50 = 500.25, p90 = 900, p99 = 2000, max = 2500, from = 'measured' }}\n"
            )
        };
        let text = format!("schema_version = 1\n[cpu]\nprocessors = 4\n{}", volume("log", "") + &volume("data", more));
        let mut demand = session.requirements("asked.toml", &text).unwrap();
        let [write_bytes, read_bytes] = [40_960, 81_920];
        demand.requirements.volumes[1].series = Some(Arc::new(DemandSeries {
            interval,
            read_iops: rates.to_vec(),
            write_iops: vec![0.0, 0.01, 7.0],
            read_bytes_per_s: vec![read_bytes; 3],
            write_bytes_per_s: vec![write_bytes; 3],
        }));
        demand
    }

    #[test]
    fn what_is_written_is_what_reading_it_gives() {
        let session = Session::new(Catalogue::embedded().clone());
        for (more, rates, interval_ns) in [
            ("", [0.0, 17.25, 1_000_000.01], 10_000_000_000),
            ("role = 'log'\n", [0.1 + 0.2, 1.0 / 3.0, 2.000_5], 1_500_000_001),
            ("hit_curve = [{ cache = '40 GiB', percent = 50 }]\n", [12.0, 1e11 + 0.1234, 0.0004], 60_000_000_000),
            // A text of it is wrong.
            ("", [1e13, 0.0, 0.0], 60_000_000_000),
            ("", [-1.0, 0.0, 0.0], 60_000_000_000),
        ] {
            let demand = demand(&session, more, rates, Duration::from_ns(interval_ns));
            let text = demand.text("A remark.");
            let read = session.requirements("r.toml", &text);
            match (session.as_written(&demand, "r.toml", "A remark."), read) {
                (Ok(written), Ok(read)) => {
                    assert_eq!((written.requirements, written.source), (read.requirements, read.source), "{rates:?}");
                    assert!(written.wishes == read.wishes, "{rates:?}");
                }
                (written, read) => {
                    let said = |result: Result<Demand>| result.err().map(|error| error.to_string());
                    assert_eq!(said(written), said(read), "{rates:?}");
                }
            }
        }
    }

    #[test]
    fn what_leaves_only_disks_that_are_too_slow_is_named_with_its_line() {
        let session = Session::new(Catalogue::embedded().clone());
        for (keys, what, hint) in [
            ("redundancy = 'zone'", "r.toml:3: `redundancy = \"zone\"` leaves ", "leave `redundancy` out"),
            ("disks = ['P30']", "r.toml:3: `disks` leaves premium SSD, none of which is as fast", "change `disks`"),
            ("not_disks = ['PremiumV2', 'Ultra']", "r.toml:3: `not_disks` leaves ", "change `not_disks`"),
            (
                "redundancy = 'zone'\ndisks = ['P30']",
                "r.toml: no disk that may be chosen is as fast",
                "leave `kpi` out",
            ),
        ] {
            let text = format!(
                "schema_version = 1\n[plan]\n{keys}\n[[volume]]\nname = 'log'\nkpi = 'hana-log'\ncapacity = '128 GiB'\n"
            );
            let demand = session.requirements("r.toml", &text).unwrap_or_else(|e| panic!("{keys}: {e}"));
            let error = session.plan(&demand).err().unwrap_or_else(|| panic!("{keys}")).to_string();
            for part in [what, hint, "`kpi = \"hana-log\"` of volume `log` asks: small writes within 1 ms"] {
                assert!(error.contains(part), "{part}: {error}");
            }
        }
    }
}
