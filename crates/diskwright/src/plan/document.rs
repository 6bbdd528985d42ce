//! A plan as plain data with a schema: what every format prints, and what later steps read.

use std::collections::BTreeSet;

use dw_catalogue::{Money, plan_keys};
use dw_demand::LatencySetting;
use dw_demand::wishes::Wishes;
pub use dw_documents::plan::*;
use dw_messages::{Sentence, say};
use dw_planner::problem::ONE;
use dw_planner::{Answer, Conflict, Curve, Limit, Plan, WhyNot, build, solve, why_infeasible};

use super::choices::Relaxation;
use super::queue::{Queue, Results};
use super::rows::row;
use super::{PlanInput, bill, choices, services, words};
use crate::figures::money;

/// The parts of a document besides the plan itself; none of them needs another.
pub(super) struct PlanExtras {
    relaxed: Vec<Relaxation>,
    /// What a requirement that is relaxed has to be cheaper than.
    usual: Money,
    kinds: Results<Option<Kind>>,
    others: Results<PlanRow>,
    services: Results<Vec<ServiceRow>>,
    savings: Results<Option<SavingRow>>,
    stages: Results<Option<(StageRow, Plan)>>,
    by_disks: Results<CurvePoint>,
    by_headroom: Results<Option<CurvePoint>>,
    why_not: Results<Vec<WhyNotRow>>,
    assumptions: Results<Vec<Sentence>>,
}

impl PlanExtras {
    /// Empty places for all parts of an answer.
    pub(super) fn new(input: &PlanInput, answer: &Answer, by_disks: &Curve) -> PlanExtras {
        let best = answer.plans.first();
        let of_plan = |count: usize| if input.choices && best.is_some() { count } else { 0 };
        let relaxed = if of_plan(1) > 0 { choices::relaxed(input) } else { Vec::new() };
        PlanExtras {
            kinds: Results::with_count(of_plan(2)),
            services: Results::with_count(1),
            others: Results::with_count(answer.plans.len().saturating_sub(1)),
            savings: Results::with_count(relaxed.len()),
            stages: Results::with_count(if input.choices { choices::years(input.wishes) as usize } else { 0 }),
            by_disks: Results::with_count(by_disks.plans.len()),
            by_headroom: Results::with_count(if by_disks.plans.is_empty() { 0 } else { choices::HEADROOM.len() }),
            why_not: Results::with_count(1),
            assumptions: Results::with_count(1),
            usual: best.filter(|_| !relaxed.is_empty()).map_or(Money::ZERO, |plan| choices::usual(input, plan)),
            relaxed,
        }
    }

    /// Puts the work of all parts into a queue.
    pub(super) fn push<'a>(
        &'a self,
        queue: &mut Queue<'a>,
        input: &'a PlanInput,
        answer: &'a Answer,
        by_disks: &'a Curve,
    ) {
        let best = answer.plans.first();
        queue.push(&self.why_not, move |_| why_nots(input, best));
        queue.push(&self.assumptions, move |_| words::assumptions(input, best, input.catalogue));
        queue.push(&self.savings, move |place| choices::saving(input, best?, self.usual, &self.relaxed[place]));
        queue.push(&self.stages, move |place| choices::stage(input, best, place as u32 + 1));
        queue.push(&self.by_disks, move |place| CurvePoint {
            not_proved: !by_disks.proved[place],
            ..choices::point(&input.built.problem, &by_disks.plans[place])
        });
        queue.push(&self.by_headroom, move |place| choices::with_headroom(input, choices::HEADROOM[place]));
        queue.push(&self.kinds, move |place| {
            let plan = match place {
                0 => choices::of_other_series(input, best?),
                _ => choices::of_other_disks(input, best?),
            }?;
            let own = (!answer.plans.contains(&plan)).then(|| row(input, &plan));
            Some(Kind { plan, own })
        });
        queue.push(&self.services, move |_| services::rows(input));
        queue.push(&self.others, move |place| row(input, &answer.plans[place + 1]));
    }

    /// The document, once the queue is done; `plan` is that of the plan alone, or of none.
    pub(super) fn into_document(
        self,
        input: &PlanInput,
        answer: &Answer,
        plan: PlanDocument,
        designs: Vec<DesignRow>,
    ) -> PlanDocument {
        let best = answer.plans.first();
        let proof = best.map(|_| CertificateRow {
            monthly: answer.certificate.cost.amount(),
            bound: answer.certificate.bound.amount(),
            runner_up: answer.certificate.runner_up.map(Money::amount),
            examined: answer.certificate.examined,
            offered: answer.certificate.offered,
        });
        let mut savings: Vec<SavingRow> = self.savings.into_all().flatten().collect();
        // The dearest first.
        savings.sort_by(|a, b| b.monthly.total_cmp(&a.monthly));
        // Of the same plan with more disks allowed, the fewest.
        savings.dedup_by(|later, first| later.requirement.id == first.requirement.id && later.plan == first.plan);
        let alternatives = alternatives(answer, self.kinds, self.others);
        let mut assumptions: Vec<Sentence> = self.assumptions.into_all().flatten().collect();
        let others = alternatives.iter().chain(designs.iter().map(|row| &row.plan));
        let others: BTreeSet<&str> = others.map(|row| row.vm.as_str()).collect();
        assumptions.extend(words::retiring(input, best, &others, input.catalogue));
        let by_disks: Vec<CurvePoint> = self.by_disks.into_all().collect();
        PlanDocument {
            certificate: proof,
            alternatives,
            designs,
            curve: (!by_disks.is_empty())
                .then(|| CurveRow { by_disks, by_headroom: self.by_headroom.into_all().flatten().collect() }),
            savings,
            stages: choices::steps(input, self.stages.into_all().flatten().collect()),
            services: self.services.into_all().flatten().collect(),
            why_not: self.why_not.into_all().flatten().collect(),
            assumptions,
            ..plan
        }
    }
}

/// The document where nothing meets the demand, as far as it says why.
pub(super) fn of_none(input: &PlanInput) -> PlanDocument {
    let conflict = why_infeasible(&input.built.problem);
    let answer = words::infeasible(input, &conflict);
    let services = services::rows(input);
    PlanDocument { conflict: Some(conflict_row(input, &conflict)), services, ..of_plan(input, None, answer) }
}

/// The document of a plan alone: what a simulation needs of it.
pub fn of_plan(input: &PlanInput, best: Option<&Plan>, answer: Sentence) -> PlanDocument {
    PlanDocument {
        schema_version: dw_documents::SCHEMA_VERSION,
        document: Default::default(),
        answer,
        decision: None,
        verdict: None,
        currency: words::currency(input),
        region: input.wishes.region.clone(),
        redundancy: input.wishes.zone_redundant.then(|| "zone".into()),
        zone: input.wishes.zone.clone(),
        reserved_years: input.wishes.reserved_years,
        savings_plan_years: input.wishes.savings_plan_years,
        hours_per_month: Some(input.wishes.running()).filter(|running| !running.is_always()).map(|r| r.hours()),
        bill: best.map(|_| bill::beside(input)).unwrap_or_default(),
        promises: best.map(|plan| bill::promises(input, plan)).unwrap_or_default(),
        commitments: best.map(|plan| bill::commitments(input, plan)).unwrap_or_default(),
        os: input.wishes.windows.then(|| "windows".into()),
        nodes: (input.wishes.nodes > 1).then_some(input.wishes.nodes),
        bursting: input.wishes.bursting,
        latency: (input.wishes.latency != LatencySetting::Typical).then(|| input.wishes.latency.word().into()),
        uncached_sharing: plan_keys::uncached_sharing(input.wishes).map(String::from),
        plan: best.map(|plan| row(input, plan)),
        certificate: None,
        simulated: None,
        limits: best.map(|plan| input.limits(plan)).unwrap_or_default(),
        alternatives: Vec::new(),
        designs: Vec::new(),
        curve: None,
        savings: Vec::new(),
        stages: Vec::new(),
        services: Vec::new(),
        why_not: Vec::new(),
        conflict: None,
        assumptions: Vec::new(),
    }
}

/// The best of another kind, with its row where it is none of the answer's plans.
struct Kind {
    plan: Plan,
    own: Option<PlanRow>,
}

/// The best of other kinds, then the next best on other VM sizes.
fn alternatives(answer: &Answer, kinds: Results<Option<Kind>>, others: Results<PlanRow>) -> Vec<PlanRow> {
    let others: Vec<(&Plan, PlanRow)> = answer.plans.iter().skip(1).zip(others.into_all()).collect();
    let found = [say!(OtherSeries), say!(OtherDisks)].into_iter().zip(kinds.into_all());
    let is_other = |kind: &Kind| Some(&kind.plan) != answer.plans.first();
    let mut kinds: Vec<(Sentence, Kind)> =
        found.filter_map(|(said, kind)| Some((said, kind.filter(is_other)?))).collect();
    kinds.dedup_by(|later, first| later.1.plan == first.1.plan);
    let rest: Vec<bool> = others.iter().map(|(plan, _)| kinds.iter().all(|(_, other)| other.plan != **plan)).collect();
    let row_of = |kind: Kind| {
        let known = || others.iter().find(|(other, _)| **other == kind.plan).map(|(_, row)| row.clone());
        kind.own.or_else(known)
    };
    let first: Vec<PlanRow> =
        kinds.into_iter().filter_map(|(said, kind)| Some(PlanRow { differs: Some(said), ..row_of(kind)? })).collect();
    let rest = others.iter().zip(rest).filter(|(_, is_own)| *is_own);
    first.into_iter().chain(rest.map(|((_, row), _)| row.clone())).collect()
}

/// Those that were asked about, then for each limit the nearest cheaper one that it rules out.
fn why_nots(input: &PlanInput, best: Option<&Plan>) -> Vec<WhyNotRow> {
    let problem = &input.built.problem;
    let cost = best.map(|plan| plan.cost);
    let mut seen: BTreeSet<usize> = input.why_not.iter().copied().collect();
    seen.extend(best.map(|plan| problem.as_it_comes(plan.vm)));
    let whys = input.planner.why_not(&input.why_not, cost);
    let mut rows: Vec<WhyNotRow> = input.why_not.iter().zip(&whys).map(|(vm, why)| why_row(input, *vm, why)).collect();
    let Some(best) = best else { return rows };
    let is_other = |vm: &usize| !seen.contains(vm) && !problem.vms[*vm].is_set();
    let cheaper: Vec<usize> =
        (0..problem.vms.len()).filter(|vm| is_other(vm) && problem.vms[*vm].price < best.cost).collect();
    let mut bound = input.planner.cheaper_but_for(&cheaper, best.cost);
    bound.sort_by_key(|(vm, _, plan)| (std::cmp::Reverse(plan.cost), *vm));
    // The nearest for each limit: three sizes with too few processors teach no more than one.
    let mut named = BTreeSet::new();
    bound.retain(|(_, limit, _)| named.insert(*limit));
    let bound = bound.into_iter().map(|(vm, limit, plan)| (vm, WhyNot::Binds { limit, plan }));
    rows.extend(bound.take(3).map(|(vm, why)| why_row(input, vm, &why)));
    rows
}

fn why_row(input: &PlanInput, vm: usize, why: &WhyNot) -> WhyNotRow {
    let problem = &input.built.problem;
    let limits = match why {
        WhyNot::Costs { .. } | WhyNot::Cheaper { .. } | WhyNot::Unknown => Vec::new(),
        WhyNot::Binds { limit, .. } => vec![words::limit_name(problem, *limit).to_string()],
        WhyNot::Conflict(limits) => limits.iter().map(|limit| words::limit_name(problem, *limit).to_string()).collect(),
    };
    let monthly = match why {
        WhyNot::Binds { limit: Limit::Barred, .. } if words::is_not_sold(input, vm) => None,
        WhyNot::Costs { plan, .. } | WhyNot::Cheaper { plan, .. } | WhyNot::Binds { plan, .. } => {
            Some(plan.cost.amount())
        }
        WhyNot::Conflict(_) | WhyNot::Unknown => None,
    };
    WhyNotRow { vm: problem.vms[vm].name.clone(), why: words::why(input, vm, why), limits, monthly }
}

/// Keys that keep sizes or disks from being chosen, each with the plan that there would be without it.
fn lists_in_the_way(input: &PlanInput, conflict: &Conflict) -> Vec<Sentence> {
    let wishes = input.wishes;
    let without = |key, is_there: bool, relaxed: Wishes| {
        let built = is_there.then(|| build(input.requirements, &relaxed, input.catalogue).ok())??;
        let plan = solve(&built.problem).plans.into_iter().next()?;
        // As the budget is: of all nodes.
        let monthly = money(plan.cost * u64::from(wishes.nodes.max(1)));
        Some(say!(PlanListsWithout { key, plan: plan.describe(&built.problem), monthly }))
    };
    // Where they alone are in the way, that was said, with the plan.
    let sizes_too = conflict.limits != [Limit::Barred];
    let lists = [
        ("vms", !wishes.vms.is_empty() && sizes_too, Wishes { vms: Vec::new(), ..wishes.clone() }),
        ("not_vms", !wishes.not_vms.is_empty() && sizes_too, Wishes { not_vms: Vec::new(), ..wishes.clone() }),
        ("disks", !wishes.disks.is_empty(), Wishes { disks: Vec::new(), ..wishes.clone() }),
        ("not_disks", !wishes.not_disks.is_empty(), Wishes { not_disks: Vec::new(), ..wishes.clone() }),
        ("redundancy", wishes.zone_redundant, Wishes { zone_redundant: false, ..wishes.clone() }),
    ];
    lists.into_iter().filter_map(|(key, is_there, relaxed)| without(key, is_there, relaxed)).collect()
}

fn conflict_row(input: &PlanInput, conflict: &Conflict) -> ConflictRow {
    let miss = conflict.miss.as_ref();
    let limits = words::conflict_lines(input, conflict).into_iter();
    let limits = limits.chain(words::licences_alone(input, conflict)).chain(words::tried_wider(input, conflict));
    ConflictRow {
        limits: limits.chain(lists_in_the_way(input, conflict)).collect(),
        nearest_percent: miss.map(|miss| f64::from(miss.share) * 100.0 / f64::from(ONE)),
        nearest: miss.map(|miss| miss.plan.describe(&input.built.problem)),
        nearest_monthly: miss.map(|miss| miss.plan.cost.amount()),
        nearest_misses: words::misses(input, conflict),
        would_meet: bill::within_budget(input, conflict),
    }
}

#[cfg(test)]
mod tests {
    use dw_catalogue::{Catalogue, Meter, flags};

    use super::*;
    use crate::plan::PlanOptions;
    use crate::session::Session;

    #[test]
    fn what_a_list_of_sizes_excludes_is_said_with_its_plan_and_is_nothing_that_nobody_may_deploy() {
        let session = Session::new(Catalogue::embedded().clone());
        let refused = |keys: &str| {
            let text = format!(
                "schema_version = 1\n[plan]\nregion = 'westeurope'\n{keys}\n[[volume]]\nname = 'data'\ncapacity = '1500 GiB'\n\
                 read_size = '8 KiB'\nread_iops = {{ p50 = 9000, p90 = 22000, p99 = 30000, max = 35000 }}\n"
            );
            let demand = session.requirements("r.toml", &text).unwrap();
            let options = PlanOptions { simulate: false, choices: false, ..PlanOptions::default() };
            let found = session.plan_with(&demand, &options).unwrap().document;
            let lines = found.conflict.unwrap_or_else(|| panic!("{keys}: {}", found.answer)).limits;
            lines.iter().map(|line| line.text.clone()).collect::<Vec<_>>().join("\n")
        };
        for (keys, without) in [
            ("vms = ['D16s_v5']", "without `vms`"),
            ("vms = ['D8s_v5', 'D64s_v5']\nnot_vms = ['D64s_v5']", "without `vms`"),
        ] {
            let said = refused(keys);
            assert!(said.contains(without), "{keys}: {said}");
            // Closed to new subscriptions since 2026-07.
            assert!(!said.contains("F16s "), "{keys}: {said}");
        }
    }

    const VOLUME: &str = "[[volume]]\nname = 'data'\ncapacity = '500 GiB'\nread_size = '8 KiB'\nhost_cache = ['None']\n\
                          read_iops = { p50 = 1000, p90 = 2000, p99 = 3000, max = 4000 }\n";

    fn planned(keys: &str) -> PlanDocument {
        let session = Session::new(Catalogue::embedded().clone());
        let text = format!("schema_version = 1\n[plan]\ndisks = ['P*']\ndisk_options = []\n{keys}\n{VOLUME}");
        let demand = session.requirements("r.toml", &text).unwrap_or_else(|e| panic!("{keys}: {e}"));
        let options = PlanOptions { simulate: false, choices: false, ..PlanOptions::default() };
        session.plan_with(&demand, &options).unwrap_or_else(|e| panic!("{keys}: {e}")).document
    }

    fn text(keys: &str, volume: &str) -> String {
        format!("schema_version = 1\n[plan]\n{keys}\n[[volume]]\nname = 'data'\ncapacity = '500 GiB'\n{volume}\n")
    }

    const READS: &str = "read_size = '8 KiB'\nread_iops = { p50 = 500, p90 = 900, p99 = 2000, max = 2500 }";

    #[test]
    fn a_plan_names_every_kind_of_size_that_it_leaves_out_or_has() {
        for flag in flags().iter().filter(|flag| flag.of.is_none()) {
            let said = |keys: &str| quick(&text(keys, READS)).unwrap_or_else(|e| panic!("{keys}: {e}")).assumptions;
            assert!(said("").contains(&flag.left_out()), "{}", flag.key);
            assert!(!said(&format!("{} = true", flag.key)).contains(&flag.left_out()), "{}", flag.key);
            let catalogue = Catalogue::embedded();
            let asked_for = |size: &str| format!("vms = ['{size}']");
            let can_be_planned =
                |size: &&str| quick(&text(&asked_for(size), READS)).is_ok_and(|document| document.plan.is_some());
            let sizes = catalogue.vm_sizes_as_of(None).into_iter().map(|vm| vm.name.as_str());
            let size = sizes.filter(|size| flag.is_of(catalogue, size)).find(can_be_planned);
            // None of those in preview is recorded in the usual region.
            let Some(size) = size else {
                assert_eq!(flag.key, "preview", "no such size can be planned");
                continue;
            };
            assert!(said(&asked_for(size)).contains(&flag.said_of(catalogue, size).unwrap()), "{size}");
        }
    }

    /// The document of a demand, without a simulation and without what there is to choose from.
    fn quick(text: &str) -> dw_error::Result<PlanDocument> {
        let session = Session::new(Catalogue::embedded().clone());
        let demand = session.requirements("r.toml", text)?;
        let options = PlanOptions { simulate: false, choices: false, ..PlanOptions::default() };
        Ok(session.plan_with(&demand, &options)?.document)
    }

    /// A wide stripe saves a little and is much to look after: nobody gets one unasked where eight disks do.
    #[test]
    fn a_stripe_has_eight_disks_at_most_unless_more_are_asked_for_or_needed() {
        let free = "disks = ['PremiumV2']\n";
        let fixed = "disks = ['P80']\ndisk_options = []\n";
        for (keys, capacity, most, iops, count, is_said, saves) in [
            (free, "500 GiB", "", 60_000, 1..=8, false, true),
            (free, "500 GiB", "disks_max = 64\n", 60_000, 9..=64, false, false),
            (free, "500 GiB", "disks_max = 3\n", 60_000, 1..=3, false, false),
            (free, "500 GiB", "role = 'os'\n", 100, 1..=1, false, false),
            (free, "500 GiB", "", 100, 1..=1, false, false),
            (fixed, "300 TiB", "", 100, 9..=64, true, false),
        ] {
            let keys = if most.contains("os") { "" } else { keys };
            let text = format!(
                "schema_version = 1\n[plan]\n{keys}[[volume]]\nname = 'data'\ncapacity = '{capacity}'\n{most}read_size = '8 KiB'\n\
                 read_iops = {{ p50 = 50, p90 = 100, p99 = {iops}, max = {iops} }}\n"
            );
            let session = Session::new(Catalogue::embedded().clone());
            let options = PlanOptions { simulate: false, ..PlanOptions::default() };
            let found = session.plan_with(&session.requirements("r.toml", &text).unwrap(), &options).unwrap().document;
            let plan = found.plan.as_ref().unwrap_or_else(|| panic!("{text}: {}", found.answer));
            assert!(count.contains(&plan.volumes[0].disks), "{text}: {}", found.answer);
            let has = |lines: &[Sentence]| lines.iter().any(|line| line.id == "plan-wide-stripes");
            let risks = &found.decision.as_ref().unwrap().risks;
            assert_eq!((has(&found.assumptions), has(risks)), (is_said, is_said), "{text}");
            let wider = found.savings.iter().filter(|row| row.requirement.id == "relax-disks");
            let saved: Vec<f64> = wider.map(|row| row.monthly).collect();
            assert_eq!(!saved.is_empty(), saves, "{text}");
            assert!(saved.is_sorted_by(|more, less| more > less), "the wider, the more: {saved:?}");
        }
    }

    /// A P30 has 5,000 IOPS; the percentile leaves out what is above the 99th.
    #[test]
    fn a_peak_above_a_limit_is_a_risk_and_a_bound_names_its_statistic() {
        let load = |most: u32| {
            format!(
                "read_size = '8 KiB'\nhost_cache = ['None']\ndisks_max = 1\nwrite_size = '8 KiB'\nread_latency_max = '20 ms'\n\
                 read_latency_p99_max = '50 ms'\nsync_latency_p99_max = '40 ms'\n\
                 read_iops = {{ p50 = 500, p90 = 900, p99 = 3000, max = {most} }}\nwrite_iops = {{ p50 = 1, p90 = 1, p99 = 1, max = 1 }}"
            )
        };
        for (most, expected) in [(4_900, None), (6_000, Some("the highest load of 6,001 IOPS exceeds its 5,000 IOPS"))]
        {
            let document = quick(&text("vms = ['D16s_v5']\ndisks = ['P30']\ndisk_options = []", &load(most))).unwrap();
            let decision = document.decision.as_ref().unwrap();
            let is_peak = |line: &&Sentence| line.id.starts_with("summary-peak");
            let peak = decision.risks.iter().find(is_peak).map(|line| line.text.as_str());
            assert_eq!(
                peak.map(|said| expected.is_some_and(|expected| said.contains(expected))),
                expected.map(|_| true),
                "{peak:?}"
            );
            let asked = decision.checks.iter().filter(|row| row.of == dw_documents::verdict::CheckOf::Latencies);
            let asked: Vec<&str> = asked.filter_map(|row| Some(row.asked.as_ref()?.text.as_str())).collect();
            assert_eq!(asked, ["mean at most 20.0 ms", "p99 at most 50.0 ms", "p99 at most 40.0 ms"]);
        }
    }

    #[test]
    fn a_peak_says_how_many_more_limits_it_exceeds() {
        let volume = "host_cache = ['None']\ndisks_max = 1\nread_size = '8 KiB'\n\
                      read_iops = { p50 = 500, p90 = 900, p99 = 3000, max = 6000 }";
        let cpu = |max: u32| {
            format!("[cpu]\nprocessors = 8\nbusy_percent = {{ p50 = 10, p90 = 20, p99 = 30, max = {max} }}\n[plan]")
        };
        for (max, expected) in [(50, "data disk IOPS: the"), (80, "data disk IOPS and another limit: the highest load")]
        {
            let text = text("vms = ['E4as_v5']\ndisks = ['P30']\ndisk_options = []", volume);
            let document = quick(&text.replacen("[plan]", &cpu(max), 1)).unwrap();
            let risks = document.decision.unwrap().risks;
            assert!(risks.iter().any(|line| line.text.starts_with(expected)), "{expected}: {risks:#?}");
        }
    }

    /// Of a log alone nobody is told that its growth has no effect, as nobody wrote any.
    #[test]
    fn a_log_of_hana_has_its_latency_among_the_checks_and_its_size_is_not_certified_here() {
        let both = "kpi = 'hana-log'\n[[volume]]\nname = 'more'\ncapacity = '1 TiB'\nkpi = 'hana-data'";
        for (volume, certified, writes, growth) in
            [(both, 1, 1, 0), ("kpi = 'hana-log'\ngrowth_percent_per_year = 5", 1, 1, 1), (READS, 0, 0, 0)]
        {
            let document = quick(&text("headroom_percent = 0", volume)).unwrap_or_else(|e| panic!("{volume}: {e}"));
            let decision = document.decision.as_ref().unwrap();
            let first = decision.conditions.iter().take_while(|line| line.id == "plan-not-certified").count();
            let lines = dw_documents::summary::lines(decision, dw_messages::Language::english()).join(" ");
            let lines = lines.split_whitespace().collect::<Vec<_>>().join(" ");
            let is_read = lines.contains("has certified") && lines.contains("is not checked");
            assert_eq!(is_read, certified > 0, "{lines}");
            assert!(decision.risks.iter().all(|line| line.id != "plan-not-certified"), "{:?}", decision.risks);
            let checks: Vec<_> = decision.checks.iter().filter(|row| row.what.id == "check-kpi-writes").collect();
            let unused = |line: &&Sentence| line.id == "key-unused-of" && line.text.contains("growth_percent_per_year");
            let unused = document.assumptions.iter().filter(unused).count();
            assert_eq!((first, checks.len(), unused), (certified, writes, growth), "{volume}: {document:#?}");
            for row in checks {
                let said = |line: &Option<Sentence>| line.as_ref().map(ToString::to_string).unwrap_or_default();
                assert_eq!(said(&row.asked), "mean at most 1.00 ms");
                assert!(said(&row.found).ends_with(" ms"), "{row:?}");
            }
        }
    }

    #[test]
    fn a_zone_may_be_written_as_a_number() {
        let zone = |written: &str| {
            quick(&text(&format!("region = 'eastus'\nzone = {written}"), READS)).map(|found| found.zone)
        };
        assert_eq!(zone("1").unwrap(), Some("1".into()));
        assert_eq!(zone("'1'").unwrap(), Some("1".into()));
        assert!(zone("9").unwrap_err().what.contains("no VM size is offered there"));
        assert!(zone("true").is_err());
    }

    /// The number of a zone's id bars what is not offered there (m7i in use1-az3), its letter says nothing of that, and the answer
    /// says so.
    #[test]
    fn a_zone_of_aws_is_a_number_that_is_checked_or_a_letter_that_is_not() {
        const LETTER: &str = "is another zone in each account";
        for (zone, vms, planned, unchecked) in [
            ("1", "m7i.xlarge", true, false),
            ("a", "m7i.xlarge", true, true),
            ("3", "m7i.xlarge", false, false),
            ("c", "m7i.xlarge", true, true),
        ] {
            let asked = text(&format!("region = 'us-east-1'\nvms = ['{vms}']\nzone = '{zone}'"), READS);
            match quick(&asked) {
                Ok(document) => {
                    assert_eq!(document.zone.as_deref(), Some(zone));
                    let place =
                        document.decision.as_ref().and_then(|found| Some(found.machine.as_ref()?.place.clone()));
                    let is_number = zone.parse::<u32>().is_ok();
                    let named = if is_number { format!("us-east-1 az{zone}") } else { format!("us-east-1{zone}") };
                    assert!(!planned || place.as_ref() == Some(&named), "{place:?}");
                    let said = document.assumptions.iter().any(|line| line.text.contains(LETTER));
                    assert_eq!((document.plan.is_some(), said), (planned, unchecked), "{zone}: {}", document.answer);
                }
                Err(error) => {
                    assert!(!planned, "{zone}: {error}");
                    assert!(error.what.contains(&format!("it is not offered in zone {zone} of us-east-1")), "{error}");
                }
            }
        }
    }

    /// What a key asks for that AWS does not sell is named with the key, and what to write.
    #[test]
    fn what_aws_does_not_sell_is_refused_with_what_to_write() {
        for (keys, line, what, hint) in [
            ("zone = 'us-east-1a'", 4, "`zone = \"us-east-1a\"`: us-east-1 has no zone", "write `a`"),
            ("redundancy = 'zone'", 4, "no zone-redundant disks may be chosen", "leave `redundancy` out"),
            ("disks = ['gp3']\nredundancy = 'zone'", 5, "gp3: it is not sold zone-redundant", "leave `redundancy` out"),
            ("disk_options = ['tier']", 4, "`tier` is not a purchase option", "omit `disk_options`"),
        ] {
            let error = quick(&text(&format!("region = 'us-east-1'\n{keys}"), READS)).unwrap_err();
            assert!(error.what.contains(what), "{keys}: {error}");
            assert!(error.hint.contains(hint), "{keys}: {}", error.hint);
            assert_eq!(error.place.as_ref().and_then(|place| place.line), Some(line), "{keys}: {error:?}");
        }
        let asked = text("region = 'us-east-1'\nos_disk = 'gp3'", READS);
        let said: Vec<String> = quick(&asked).unwrap().bill.iter().map(|row| row.how.to_string()).collect();
        assert!(said[0].starts_with("gp3 is billed by its size: write a volume with `role = \"os\"`"), "{said:?}");
    }

    /// Four fifths of a price may be licences: they stand beside VM and disks, whatever else has to go.
    #[test]
    fn the_ten_lines_have_the_price_with_its_licences_and_that_one_is_unknown() {
        let keys = "nodes = 2\nreservation = '3y'\nvms = ['E32ads_v5']\nlicence = { name = 'database', per = 'core', price = '700 a month' }";
        let volume = |name: &str| format!("{READS}\n[[volume]]\nname = '{name}'\ncapacity = '1 TiB'\n");
        let volumes = ["a", "b", "c"].map(volume).concat() + READS;
        let document = quick(&text(keys, &volumes)).unwrap();
        let lines = dw_documents::summary::lines(document.decision.as_ref().unwrap(), dw_messages::Language::english());
        let said = lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        for part in
            ["disks ", ", licences by core 22,400.00; VM pay as you go: price under `reservation = \"3y\"` unknown"]
        {
            assert!(said.contains(part), "{part}: {lines:#?}");
        }
        assert!(lines.len() <= 10, "{lines:#?}");
    }

    /// What an OS disk costs is in its own line, and no assumption says that there is none.
    #[test]
    fn an_os_disk_that_is_asked_for_is_said_to_be_beside_the_price() {
        for (keys, in_line, has_none, is_beside) in [
            ("os_disk = 'P10'", Some("OS disk P10 19.71 beside it, not in `cost_max`"), false, true),
            ("os_disk = 'P10'\nnodes = 2", Some("OS disk P10 39.42 beside it"), false, true),
            ("", None, true, false),
        ] {
            let document = quick(&text(keys, READS)).unwrap();
            let price = document.decision.as_ref().unwrap().price.as_ref().unwrap();
            let line = price.terms.iter().find(|line| line.id == "summary-os-disk").map(ToString::to_string);
            assert_eq!(
                line.as_deref().map(|line| in_line.is_some_and(|part| line.starts_with(part))),
                in_line.map(|_| true),
                "{line:?}"
            );
            assert!(price.terms.iter().all(|line| line.id != "summary-snapshots"), "{price:?}");
            let has = |id: &str| says(&document, id).is_some();
            assert_eq!((has("plan-no-os"), has("plan-os-beside")), (has_none, is_beside), "{keys}");
        }
    }

    /// 500 GiB and four times 2 % of them; of one region no price of snapshots is known.
    #[test]
    fn snapshots_that_were_asked_for_are_named_with_their_price_or_without_one() {
        let kept = "snapshots_kept = 5\nsnapshot_change_percent = 2\nregion =";
        for (keys, id, text_begins, unpriced) in [
            (format!("{kept} 'eastus'"), "summary-snapshots", "snapshots ", 5),
            (
                format!("{kept} 'germanywestcentral'"),
                "summary-snapshots-unpriced",
                "snapshots asked for, not priced: 540 GiB",
                5,
            ),
            (String::new(), "summary-pay-as-you-go", "pay as you go", 6),
        ] {
            let document = quick(&text(&keys, READS)).unwrap();
            let terms = &document.decision.as_ref().unwrap().price.as_ref().unwrap().terms;
            let has = |id: &str, begins: &str| terms.iter().any(|line| line.id == id && line.text.starts_with(begins));
            assert!(has(id, text_begins), "{keys}: {terms:#?}");
            assert!(has("summary-not-in", &format!("{unpriced} costs")), "{keys}: {terms:#?}");
        }
    }

    /// No record is of belgiumcentral: a price of the user's own is no sign that a size is sold there.
    #[test]
    fn a_size_of_which_nothing_but_an_own_price_is_known_in_the_region_is_a_condition() {
        use dw_documents::verdict::State::{Met, MetWithCondition};
        let own = "vms = ['E4as_v5']\nprice = [{ name = 'Standard_E4as_v5', monthly = 190 }]\n";
        for (region, state) in [("belgiumcentral", MetWithCondition), ("eastus", Met)] {
            let document = quick(&text(&format!("{own}region = '{region}'"), READS)).unwrap();
            assert_eq!(document.state(), state, "{region}: {:?}", document.verdict);
            let decision = document.decision.as_ref().unwrap();
            let has = |lines: &[Sentence]| lines.iter().any(|line| line.id == "plan-vm-region");
            let is = state == MetWithCondition;
            assert_eq!((has(&decision.conditions), has(&document.assumptions)), (is, is), "{region}: {decision:#?}");
            let terms = &decision.price.as_ref().unwrap().terms;
            for id in ["price-asked", "summary-disk-prices"] {
                assert!(terms.iter().any(|line| line.id == id), "{region}: {id}: {terms:#?}");
            }
        }
    }

    /// Whatever the bottleneck is: what its page does not print is said of it, and of no other.
    #[test]
    fn a_bottleneck_that_no_page_prints_is_a_risk() {
        let reads = |iops: u32| {
            format!("read_size = '8 KiB'\nread_iops = {{ p50 = 500, p90 = 900, p99 = {iops}, max = {iops} }}")
        };
        let hits = "host_cache = ['ReadOnly']\nhit_curve = [{ cache = '1 GiB', percent = 100 }]\n";
        let catalogue = Catalogue::embedded();
        let is_derived = |vm: &&dw_catalogue::VmSize| vm.derived.iter().any(|derived| derived.field == "cached");
        let decision = |vm: &dw_catalogue::VmSize| {
            let keys = format!("vms = ['{}']\ndisks = ['P*']\nheadroom_percent = 0", vm.name);
            let document = quick(&text(&keys, &format!("{hits}{}", reads(20_000)))).ok()?;
            let binding = document.limits.iter().find(|row| row.binding)?;
            document.decision.filter(|_| binding.of.limit.starts_with("vm cached"))
        };
        let mut judged = [0, 0];
        for is in [true, false] {
            let sizes = catalogue.vm_sizes_as_of(None).into_iter().filter(|vm| vm.name.starts_with("Standard_E8"));
            for decision in sizes.filter(|vm| is_derived(vm) == is).filter_map(decision).take(2) {
                let said = decision.risks.iter().any(|line| line.id == "summary-unprinted");
                assert_eq!(said, is, "{:?} {:?}", decision.machine, decision.risks);
                judged[usize::from(is)] += 1;
            }
        }
        assert!(judged[1] > 0, "{judged:?}");
        let on_disks = quick(&text("vms = ['D16s_v5']\ndisks = ['P30']", READS)).unwrap().decision.unwrap();
        assert!(!on_disks.risks.iter().any(|line| line.id == "summary-unprinted"), "{:?}", on_disks.risks);
    }

    /// Nobody sells three years of E16s_v3 any more, and DS13_v2 retires before three years are over.
    #[test]
    fn a_commitment_that_cannot_be_had_or_outlives_its_size_is_a_condition() {
        use dw_documents::verdict::CheckOf::Purchase;
        use dw_documents::verdict::State::{Met, MetWithCondition};
        let price = |size: &str| format!("vms = ['{size}']\nprice = [{{ name = 'Standard_{size}', monthly = 100 }}]");
        for (keys, state, why) in [
            ("vms = ['E16s_v3']".into(), None, ""),
            (
                "vms = ['E16s_v3']\nreservation = '3y'".into(),
                Some(MetWithCondition),
                "has not been sold or renewed for it since 2026-07",
            ),
            ("vms = ['E16s_v5']\nreservation = '3y'".into(), Some(Met), ""),
            (
                "vms = ['E32ads_v5']\nreservation = '3y'".into(),
                Some(MetWithCondition),
                "not priced: Standard_E32ads_v5 under `reservation = \"3y\"`",
            ),
            (price("DS13_v2") + "\nreservation = '3y'", Some(MetWithCondition), "after the size retires on 2028-05-01"),
            (price("DS13_v2") + "\nreservation = '1y'", Some(Met), ""),
            (price("DS13_v2") + "\nsavings_plan = '3y'", Some(Met), ""),
        ] {
            let document =
                quick(&text(&format!("{keys}\ndisks = ['P*']"), READS)).unwrap_or_else(|e| panic!("{keys}: {e}"));
            let verdict = document.verdict.as_ref().unwrap();
            assert_eq!(verdict.check(Purchase).map(|check| check.state), state, "{keys}: {verdict:?}");
            assert_eq!(document.state(), state.unwrap_or(Met), "{keys}: {verdict:?}");
            assert!(verdict.answer.text.contains(why), "{keys}: {}", verdict.answer);
            // What is a condition is no risk beside it.
            let risks = &document.decision.as_ref().unwrap().risks;
            assert!(risks.iter().all(|line| why.is_empty() || !line.text.contains(why)), "{risks:?}");
        }
    }

    /// Why more than eight disks were tried: a budget, or no plan at all.
    #[test]
    fn more_disks_than_usual_are_tried_for_a_reason_that_is_said() {
        let load = |iops: u32| {
            format!(
                "read_size = '8 KiB'\nhost_cache = ['None']\nread_iops = {{ p50 = 50, p90 = 100, p99 = {iops}, max = {iops} }}"
            )
        };
        let keys = "vms = ['E32s_v5']\ndisks = ['PremiumV2']\n";
        let of = |most: &str, volume: &str| {
            quick(
                &text(&format!("{keys}{most}"), &load(40_000)).replace("[[volume]]", &format!("[[volume]]\n{volume}")),
            )
            .unwrap()
        };
        let said = |lines: &[Sentence], id: &str| lines.iter().find(|line| line.id == id).map(ToString::to_string);
        let monthly = |document: &PlanDocument| document.certificate.as_ref().unwrap().monthly;
        let (usual, wide) = (of("", ""), of("", "disks_max = 64\n"));
        assert!(monthly(&wide) < monthly(&usual) - 4.0, "{} {}", wide.answer, usual.answer);

        // Between both: the budget is why.
        let between = of(&format!("cost_max = {}\n", (monthly(&usual) + monthly(&wide)) / 2.0), "");
        let decision = between.decision.as_ref().unwrap();
        let risk = said(&decision.risks, "plan-wide-stripes-budget").unwrap_or_else(|| panic!("{:?}", decision.risks));
        let price = Money::of_amount(monthly(&usual)).to_string();
        assert!(risk.contains("at most 8 disks") && risk.contains(&price), "{price}: {risk}");
        assert!(between.plan.as_ref().unwrap().volumes[0].disks > 8, "{}", between.answer);

        // Below both: the refusal has the price with eight, and that more were tried.
        let below = of(&format!("cost_max = {}\n", monthly(&wide) / 2.0), "");
        let conflict = below.conflict.as_ref().unwrap_or_else(|| panic!("{}", below.answer));
        let line = said(&conflict.limits, "plan-tried-wider-budget").unwrap_or_else(|| panic!("{conflict:#?}"));
        for part in ["up to 64 disks", "at most 8", &price] {
            assert!(line.contains(part), "{part}: {line}");
        }
        // Where only eight are allowed nothing else was tried.
        let eight = of(&format!("cost_max = {}\n", monthly(&wide) / 2.0), "disks_max = 8\n");
        assert!(!eight.conflict.unwrap().limits.iter().any(|line| line.id.starts_with("plan-tried")));
    }

    /// Two disks of 3,000 IOPS that come with them cost less than one with 5,000 bought; of that nothing is left where nothing is kept free.
    /// A newer VM at one price more has room where an older one is exhausted.
    #[test]
    fn what_is_met_comes_before_what_is_simpler_and_met_with_a_condition() {
        use dw_documents::verdict::State::{Met, MetWithCondition};
        let disks = "vms = ['D16s_v5']\ndisks = ['PremiumV2']\nindifference_percent = 25\n";
        let sizes = |more: u32| {
            format!(
                "vms = ['D4s_v5', 'E8s_v5']\ndisks = ['P50']\ndisk_options = []\n\
                 price = [{{ name = 'Standard_D4s_v5', monthly = 100 }}, {{ name = 'Standard_E8s_v5', monthly = {more} }}]\n"
            )
        };
        let load = |iops: u32| {
            format!(
                "read_size = '8 KiB'\nhost_cache = ['None']\nread_iops = {{ p50 = 500, p90 = 900, p99 = {iops}, max = {iops} }}"
            )
        };
        for (keys, headroom, iops, vm, disks, state, claim) in [
            (disks.to_string(), 20, 5_000, "D16s_v5", 1, Met, "fewer disks than the proven cheapest"),
            (disks.to_string(), 0, 5_000, "D16s_v5", 2, Met, "It is proven to be the cheapest"),
            (sizes(104), 0, 6_400, "E8s_v5", 1, Met, "fewer conditions than the proven cheapest"),
            (sizes(104), 0, 6_000, "D4s_v5", 1, Met, "It is proven to be the cheapest"),
            (sizes(190), 0, 6_400, "D4s_v5", 1, MetWithCondition, "It is proven to be the cheapest"),
        ] {
            let keys = format!("{keys}headroom_percent = {headroom}");
            let document = quick(&text(&keys, &load(iops))).unwrap_or_else(|e| panic!("{keys}: {e}"));
            let plan = document.plan.as_ref().unwrap();
            let found = (plan.vm.trim_start_matches("Standard_"), plan.volumes[0].disks, document.state());
            assert_eq!(found, (vm, disks, state), "{keys}: {}", document.answer);
            assert!(document.answer.text.contains(claim), "{claim}: {}", document.answer);
        }
    }

    /// The same with what stands against a size.
    fn quick_why(text: &str, vm: &str) -> PlanDocument {
        let session = Session::new(Catalogue::embedded().clone());
        let demand = session.requirements("r.toml", text).unwrap();
        let options =
            PlanOptions { simulate: false, choices: false, why_not: vec![vm.into()], ..PlanOptions::default() };
        session.plan_with(&demand, &options).unwrap().document
    }

    /// A size says first by how little it does not fit: one that misses by a hair is perhaps what somebody wants.
    #[test]
    fn why_not_begins_with_how_far_it_is_from_fitting() {
        let cpu = |busy: f64| {
            format!("[cpu]\nprocessors = 16\nbusy_percent = {{ p50 = 50, p90 = 60, p99 = {busy}, max = {busy} }}\n")
        };
        let memory = "[memory]\nused = { p50 = '90 GiB', p90 = '100 GiB', p99 = '120 GiB', max = '129 GiB' }\n[plan]\nmemory_headroom = '0 %'\n";
        let most = "max = 200000 }";
        let reads = format!("read_size = '8 KiB'\nread_iops = {{ p50 = 500, p90 = 900, p99 = 40000, {most}");
        let plan = "[plan]\n";
        for (above, volume, vm, expected) in [
            (cpu(81.5) + plan, READS, "E32-16s_v5", "misses by 0.3 vCPU of 16 vCPU at 80 %; vCPU: 16.3 vCPU needed"),
            (cpu(80.01) + plan, READS, "E32-16s_v5", "misses by 0.1 vCPU of 16 vCPU at 80 %"),
            (
                "[plan]\nvcpu_min = 17\n".into(),
                READS,
                "E32-16s_v5",
                "misses by 1 vCPU of 16 vCPU; vCPU: 17 vCPU needed",
            ),
            (memory.into(), READS, "E16s_v5", "misses by 1 GiB of 128 GiB; memory: 129 GiB needed, 128 GiB available"),
            (plan.into(), &reads, "E16s_v5", "misses by 19,520 IOPS of 25,600 IOPS at 80 %"),
            // Both at once: of the VM itself it is known.
            (format!("{}{memory}", cpu(90.0)), READS, "E16s_v5", "misses by 2 vCPU of 16 vCPU at 80 %"),
        ] {
            let text = format!(
                "schema_version = 1\n{above}[[volume]]\nname = 'data'\ncapacity = '500 GiB'\nhost_cache = ['None']\n{volume}\n"
            );
            let document = quick_why(&text, vm);
            let why = &document.why_not.iter().find(|row| row.vm.ends_with(vm)).unwrap().why.text;
            assert!(why.starts_with(expected), "{vm}: {why}");
        }
    }

    fn says(document: &PlanDocument, id: &str) -> Option<String> {
        document.assumptions.iter().find(|line| line.id == id).map(|line| line.text.clone())
    }

    /// Premium SSD v2 has no price in koreasouth, ultra disks have one, zone-redundant disks have none.
    #[test]
    fn what_the_demand_names_and_has_no_price_is_said_or_is_the_answer() {
        let korea = "region = 'koreasouth'\n";
        let latency = format!("read_latency_max = '1 ms'\n{READS}");
        let document = quick(&text(&format!("{korea}disks = ['PremiumV2', 'P30']"), READS)).unwrap();
        let said = says(&document, "plan-left-out").unwrap_or_default();
        for part in ["PremiumV2 is excluded, although `disks` names it", "in koreasouth", "[[plan.price]]", "\"gib\""] {
            assert!(said.contains(part), "{part}: {said}");
        }
        // A pattern of which something is on offer names nothing by itself.
        let document = quick(&text(&format!("{korea}disks = ['P*']"), READS)).unwrap();
        assert_eq!(says(&document, "plan-left-out"), None);
        let document = quick(&text(&format!("{korea}vms = ['D2s_v5', 'DC2s_v3']"), READS)).unwrap();
        assert!(says(&document, "plan-left-out").is_some_and(|said| said.contains("DC2s_v3")), "{document:#?}");

        let cases = [
            ("disks = ['PremiumV2']", READS, Some("no price of a GiB of PremiumV2 in koreasouth")),
            ("disks = ['PremiumV2', 'P30']", &latency, Some("PremiumV2 would help")),
            // Without prices nothing more is possible: the answer is that nothing meets it.
            ("disks = ['PremiumV2', 'P30']\nmemory_min = '90 TiB'", READS, None),
            ("disks = ['PremiumV2', 'P30']\ncost_max = 20", READS, None),
            ("redundancy = 'zone'", READS, Some("no zone-redundant disk has a known price in koreasouth")),
        ];
        for (keys, volume, expected) in cases {
            match (quick(&text(&format!("{korea}{keys}"), volume)), expected) {
                (Err(error), Some(expected)) => {
                    assert_eq!(error.kind, dw_error::Kind::Price, "{keys}: {error}");
                    assert!(error.what.contains(expected), "{keys}: {error}");
                }
                (Ok(document), None) => assert!(document.conflict.is_some(), "{keys}: {}", document.answer),
                (found, _) => panic!("{keys}: {:?}", found.map(|document| document.answer.text)),
            }
        }
    }

    /// DC16as_cc_v5 is a confidential size that australiaeast does not sell; ultra disks are never zone-redundant.
    #[test]
    fn what_a_list_names_and_may_not_be_chosen_has_its_reason_and_line() {
        let vm = "region = 'australiaeast'\nvms = ['Standard_DC16as_cc_v5']";
        let denied = "region = 'eastus'\nvms = ['D2s_v5', 'D4s_v5']\nnot_vms = ['D*']";
        let cases = [
            (
                vm,
                4,
                "no VM size that `vms` names may be chosen: Standard_DC16as_cc_v5: it is not sold in australiaeast",
                "region",
            ),
            (denied, 4, "Standard_D2s_v5: `D*` is on the list of exclusions; Standard_D4s_v5: ", "leave `vms` out"),
            (
                "disks = ['Ultra']\nredundancy = 'zone'",
                4,
                "Ultra: it is not sold zone-redundant",
                "leave `redundancy` out",
            ),
            ("disks = ['P30']\nnot_disks = ['P*']", 3, "P30: it is on the list of exclusions", "leave `disks` out"),
        ];
        for (keys, line, what, hint) in cases {
            let error = quick(&text(keys, READS)).unwrap_err();
            assert_eq!(error.kind, dw_error::Kind::Input, "{keys}: {error}");
            assert!(error.what.contains(what), "{keys}: {error}");
            assert!(error.hint.contains(hint), "{keys}: {}", error.hint);
            assert_eq!(error.place.as_ref().and_then(|place| place.line), Some(line), "{keys}: {error:?}");
        }
        // What no key of the demand allows is told before what one would.
        let document = quick_why(&text("region = 'australiaeast'", READS), "Standard_DC16as_cc_v5");
        let row = &document.why_not[0];
        assert_eq!((row.why.text.as_str(), row.monthly), ("it is not sold in australiaeast", None));
    }

    /// 200 MB/s for five minutes of a day are more than a VM gives for long, and less than it gives in bursts.
    #[test]
    fn a_limit_that_bursts_hold_is_of_the_burst() {
        let series = |quiet: u64, busy: u64| {
            let all: Vec<String> = (0..288).map(|at| if at == 100 { busy } else { quiet }.to_string()).collect();
            all.join(", ")
        };
        let text = format!(
            "schema_version = 1\n[plan]\nvms = ['D4as_v5']\nbursting = true\npercentile = 100\n[[volume]]\nname = 'data'\n\
             capacity = '500 GiB'\n[volume.series]\ninterval = '5 min'\nread_iops = [{}]\nread_bytes_per_s = [{}]\n\
             write_iops = [{none}]\nwrite_bytes_per_s = [{none}]\n",
            series(100, 3_000),
            series(6_400_000, 200_000_000),
            none = series(0, 0),
        );
        let session = Session::new(Catalogue::embedded().clone());
        let document = session.plan(&session.requirements("burst.toml", &text).unwrap()).unwrap().document;
        let row = document.limits.iter().find(|row| row.of.limit == "vm uncached throughput").expect("a gate");
        assert_eq!((row.capacity, row.exceeded, row.binding), (600e6, 0, false), "{row:?}");
        let burst = row.burst.as_ref().expect("144 MB/s are too few");
        assert_eq!(burst.sustained, 144e6);
        // Credits are for 30 minutes of bursts: 456 MB/s of them a second; five minutes need 56 MB/s.
        let used = 100.0 * 56.0 * 300.0 / (456.0 * 1_800.0);
        assert!((burst.credits_left_percent - (100.0 - used)).abs() < 0.2, "{burst:?}, {used} % used");
    }

    #[test]
    fn a_price_that_the_requirements_give_is_told_as_theirs() {
        let keys = "vms = ['E8bds_v5']\ndisks = ['P20']\nprice = [{ name = 'Standard_E8bds_v5', monthly = 100 }]";
        let document = quick(&text(keys, READS)).unwrap();
        assert_eq!(document.plan.as_ref().unwrap().vm_monthly, 100.0);
        let said = says(&document, "price-asked").unwrap_or_else(|| panic!("{:#?}", document.assumptions));
        assert_eq!(said, "price of Standard_E8bds_v5: from the requirements");
        let price = document.decision.unwrap().price.unwrap();
        let mut said = price.terms.iter();
        assert!(!said.any(|line| line.id == "summary-list-prices"), "its price is of no list");
    }

    /// No reservation has a price in germanywestcentral, and few have one in eastus.
    #[test]
    fn a_commitment_without_prices_leaves_every_size_on_offer() {
        let sizes = |document: &PlanDocument| document.certificate.as_ref().unwrap().offered;
        for region in ["germanywestcentral", "eastus"] {
            let planned = |term: &str| quick(&text(&format!("region = '{region}'\n{term}"), READS)).unwrap();
            let (as_you_go, reserved) = (planned(""), planned("reservation = '3y'"));
            assert_eq!(sizes(&reserved), sizes(&as_you_go), "{region}");
            assert!(reserved.plan.as_ref().unwrap().monthly <= as_you_go.plan.as_ref().unwrap().monthly, "{region}");
            let share = says(&reserved, "plan-commitment-known");
            assert!(share.is_some_and(|said| said.contains("count as pay as you go")), "{reserved:#?}");
            // What it is the cheapest of is said in its line, and is what could go wrong.
            let offers = format!("{} VM sizes (", sizes(&reserved));
            let covers = reserved.answer.text.contains(&offers)
                && reserved.answer.text.contains("without one at pay as you go)");
            assert!(covers && !as_you_go.answer.text.contains("without one"), "{}", reserved.answer);
            let risks = |document: &PlanDocument| {
                let risks = &document.decision.as_ref().unwrap().risks;
                risks.iter().filter(|line| line.id == "plan-commitment-known").count()
            };
            assert_eq!((risks(&reserved), risks(&as_you_go)), (1, 0), "{region}");
        }
        let document = quick(&text("region = 'germanywestcentral'\nreservation = '3y'", READS)).unwrap();
        assert!(document.plan.as_ref().is_some_and(|plan| plan.uncommitted), "{document:#?}");
        assert!(document.answer.text.ends_with("its price under `reservation = \"3y\"` is unknown"));
        let known: Vec<bool> = document.commitments.iter().map(|row| row.monthly.is_some()).collect();
        assert_eq!(known, [true, false, false, false, false]);
    }

    /// P10 costs 19.71 in eastus and a GiB of a snapshot 0.05; no price of a snapshot is known in koreasouth.
    #[test]
    fn the_rest_of_the_bill_is_priced_where_a_price_is_known_and_named_where_none_is() {
        let bill = |keys: &str, volume: &str| {
            let document = quick(&text(keys, &format!("{READS}\n{volume}"))).unwrap_or_else(|e| panic!("{keys}: {e}"));
            let line = |row: &BillRow| row.monthly.map(|monthly| format!("{} {monthly:.2}", row.of.word()));
            (document.bill.iter().filter_map(line).collect::<Vec<_>>().join(", "), document.bill.len())
        };
        let kept = "snapshots_kept = 5\nsnapshot_change_percent = 10";
        let cases = [
            ("", "", "", 6),
            ("os_disk = 'P10'", "", "OS disk 19.71", 6),
            ("os_disk = 'Ultra'", "", "", 6),
            ("", "role = 'os'", "", 5),
            // 500 GiB and four times 10 % of them.
            (kept, "", "snapshots 35.00", 6),
            ("snapshots_kept = 2", "", "snapshots 50.00", 6),
            ("snapshots_kept = 2\nregion = 'koreasouth'", "", "", 6),
        ];
        for (keys, volume, expected, lines) in cases {
            assert_eq!(bill(keys, volume), (expected.to_string(), lines), "{keys} {volume}");
        }
        for name in ["P11", "P*"] {
            let error = quick(&text(&format!("os_disk = '{name}'"), READS)).unwrap_err();
            assert!(error.what.contains(&format!("no disk is called `{name}`")), "{error}");
        }
    }

    #[test]
    fn an_sla_is_that_of_the_worst_disk_and_unknown_where_no_page_has_it() {
        let cases = [
            ("disks = ['P30']\nos_disk = 'P10'", "(premium SSD): 99.90 % of a month"),
            ("disks = ['P30']\nos_disk = 'E10'", "(premium SSD, standard SSD): 99.50 % of a month"),
            ("disks = ['P30']", "(premium SSD), if its OS disk is no worse: 99.90 %"),
            ("disks = ['PremiumV2']", "premium SSD v2: unknown"),
            (
                "disks = ['P30']\nnodes = 2",
                "two or more VMs in one availability set: at least one is reachable 99.95 %",
            ),
            // In a zone they are in no set.
            (
                "disks = ['P30']\nnodes = 2\nzone = '1'",
                "one VM with disks of these kinds (premium SSD), if its OS disk is no worse",
            ),
            ("disks = ['PremiumV2']\nnodes = 2", "two or more VMs in two or more zones"),
            ("disks = ['PremiumV2']\nnodes = 2\nzone = '1'", "one VM with premium SSD v2: unknown"),
        ];
        for (keys, expected) in cases {
            let document = quick(&text(keys, READS)).unwrap_or_else(|e| panic!("{keys}: {e}"));
            let said = document.promises.first().map(ToString::to_string).unwrap_or_default();
            assert!(said.contains(expected), "{keys}: {said}");
            let is_anywhere = keys.contains("nodes") && !keys.contains("zone") && !keys.contains("PremiumV2");
            assert_eq!(document.promises.len(), if is_anywhere { 2 } else { 1 }, "{keys}");
        }
        // A disk that is in one zone keeps all that share it there.
        for (redundancy, lines) in [("", 1), ("redundancy = 'zone'", 2)] {
            let keys = format!("region = 'westeurope'\ndisks = ['P30']\nnodes = 2\n{redundancy}");
            let document = quick(&text(&keys, &format!("shared = true\n{READS}"))).unwrap();
            let zones = document.promises.iter().filter(|line| line.text.contains("two or more zones")).count();
            assert_eq!((document.promises.len(), zones), (lines, lines - 1), "{redundancy}");
        }
        let of_region = |region: &str| {
            let keys = format!("region = '{region}'\ndisks = ['PremiumV2']\nnodes = 3");
            quick(&text(&keys, &format!("shared = true\n{READS}"))).unwrap()
        };
        for region in ["westeurope", "swedencentral"] {
            let promises = of_region(region).promises;
            let ids: Vec<&str> = promises.iter().map(|line| &*line.id).collect();
            assert_eq!(ids, ["promise-unknown"], "{region}: {promises:?}");
        }
        let document = of_region("westeurope");
        // Bought once, it is shown at the price of all.
        let (plan, decision) = (document.plan.unwrap(), document.decision.unwrap());
        let (row, choice) = (&plan.volumes[0], &decision.volumes[0]);
        let all = row.shared.unwrap().monthly;
        assert!((all - 3.0 * row.monthly).abs() < 0.02, "{all} {}", row.monthly);
        assert_eq!((choice.monthly, choice.once), (row.monthly, Some(all)));
        assert!(choice.says("data").text.ends_with(&Money::of_amount(all).to_string()), "{}", choice.says("data"));
    }

    /// E8bds_v5 costs 487.64 a month in eastus, 287.67 reserved for a year, 185.28 for three, two P20 146.44; with Windows 0.368 an hour more.
    #[test]
    fn a_budget_that_nothing_keeps_says_which_assumption_would_keep_it() {
        let cases = [
            (
                "cost_max = 500",
                &[
                    "hours_per_month = 529",
                    "reservation = \"1y\"",
                    "reservation = \"3y\"",
                    "savings_plan = \"1y\"",
                    "savings_plan = \"3y\"",
                ][..],
            ),
            ("cost_max = 400", &["hours_per_month = 379", "reservation = \"3y\"", "savings_plan = \"3y\""]),
            ("cost_max = 350", &["hours_per_month = 304", "reservation = \"3y\""]),
            (
                "cost_max = 650\nos = 'windows'",
                &["hours_per_month = 486", "reservation = \"3y\"", "savings_plan = \"3y\"", "a Windows licence"],
            ),
            ("cost_max = 1", &[]),
            ("cost_max = 400\nmemory_min = '999 GiB'", &[]),
        ];
        for (keys, expected) in cases {
            let keys = format!("vms = ['E8bds_v5']\ndisks = ['P20']\n{keys}");
            let document = quick(&text(&keys, READS)).unwrap_or_else(|e| panic!("{keys}: {e}"));
            let said =
                document.conflict.as_ref().unwrap_or_else(|| panic!("{keys}: {}", document.answer)).would_meet.clone();
            let said: Vec<String> = said.iter().map(ToString::to_string).collect();
            let fits =
                said.len() == expected.len() && said.iter().zip(expected).all(|(line, part)| line.contains(part));
            assert!(fits, "{keys}: {said:#?}");
        }
    }

    #[test]
    fn keys_that_change_nothing_and_sizes_that_are_not_planned_are_said() {
        let rates = "read_iops = { p50 = 500, p90 = 900, p99 = 2000, max = 2500 }";
        let bytes = |mb: u32| {
            format!(
                "read_throughput = {{ p50 = '{mb} MB/s', p90 = '{mb} MB/s', p99 = '{mb} MB/s', max = '{mb} MB/s' }}"
            )
        };
        let all = "iops = { p50 = 500, p90 = 900, p99 = 2000, max = 2500 }";
        let latency = "read_latency = { p50 = '1 ms', p90 = '2 ms', p99 = '3 ms', max = '4 ms' }";
        let depth = |from: &str| format!("queue_depth = {{ p50 = 1, p90 = 2, p99 = 3, max = 4{from} }}");
        let cases = [
            (
                "uncached_sharing = 'separate'",
                String::new(),
                "`uncached_sharing` has no effect: no VM of this plan has premium SSD v2",
            ),
            ("", "random_percent = 50".into(), "data: random_percent are measurements"),
            ("", format!("{}\n{latency}", depth("")), "data: read_latency, queue_depth are measurements"),
            ("", "write_size = '8 KiB'".into(), "data: `write_size` has no effect: it has no writes"),
            // 158 MB/s of 2,000 reads are 79 KB each.
            (
                "",
                bytes(158),
                "data: its reads are planned with 77.1 KiB each, from throughput and IOPS, not with 8 KiB",
            ),
        ];
        let said = |keys: &str, volume: &str| {
            let document = quick(&text(keys, volume)).unwrap_or_else(|e| panic!("{volume}: {e}"));
            document.assumptions.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let of_keys = |line: &String| {
            ["are measurements", "`write_size` has", "`read_size` has", "are planned with ", "`uncached_sharing` has"]
                .iter()
                .any(|part| line.contains(part))
        };
        for (keys, volume, expected) in cases {
            let lines = said(keys, &format!("read_size = '8 KiB'\n{rates}\n{volume}"));
            let found: Vec<&String> = lines.iter().filter(|line| of_keys(line)).collect();
            assert!(matches!(found.as_slice(), [line] if line.contains(expected)), "{keys} {volume}: {found:#?}");
        }
        let lines = said("", &format!("read_size = '8 KiB'\nwrite_size = '8 KiB'\n{all}"));
        assert!(
            lines.iter().any(|line| line.contains("`read_size` has no effect: `iops` does not separate")),
            "{lines:#?}"
        );
        // What a recording says is its record, and a tenth more is what rounding may do.
        for volume in [depth(", from = 'measured'"), bytes(17), String::new()] {
            let lines = said("", &format!("read_size = '8 KiB'\n{rates}\n{volume}"));
            assert!(!lines.iter().any(of_keys), "{volume}: {lines:#?}");
        }
    }

    /// DS13_v2 retires before most.
    #[test]
    fn a_size_that_retires_is_dated_wherever_it_is_offered() {
        let session = Session::new(Catalogue::embedded().clone());
        let demand = session
            .requirements("r.toml", &text("vms = ['DS14_v2', 'DS13_v2', 'E8s_v3']\ndisks = ['P*']", READS))
            .unwrap();
        let options = PlanOptions { simulate: false, ..PlanOptions::default() };
        let document = session.plan_with(&demand, &options).unwrap().document;
        let dated: Vec<&str> = document.alternatives.iter().map(|row| row.vm.as_str()).collect();
        let dated: Vec<&&str> = dated.iter().filter(|vm| session.catalogue().retires(vm).is_some()).collect();
        assert!(!dated.is_empty(), "{:?}", document.alternatives);
        for vm in dated {
            let lines: Vec<&str> = document
                .assumptions
                .iter()
                .filter(|line| line.text.starts_with(*vm))
                .map(|line| line.text.as_str())
                .collect();
            assert!(lines.iter().any(|line| line.contains("retires on")), "{vm}: {lines:?}");
        }
    }

    #[test]
    fn a_volume_on_the_local_disk_is_asked_for_no_working_set() {
        for (local, input) in [("local_disk = true\n", false), ("", true)] {
            let document =
                quick(&text("vms = ['D8ds_v5']", &format!("{local}{READS}")).replace("500 GiB", "100 GiB")).unwrap();
            assert_eq!(says(&document, "plan-no-hits").is_some(), input, "{local}: {}", document.answer);
        }
    }

    /// Of every limit headroom is what is left of all of it, and what is kept free is no load.
    #[test]
    fn headroom_has_one_base() {
        let memory = "[memory]\nused = { p50 = '6 GiB', p90 = '7 GiB', p99 = '8 GiB', max = '10 GiB' }\n[cpu]\nprocessors = 4\n\
                      busy_percent = { p50 = 20, p90 = 30, p99 = 40, max = 80 }\n";
        let document = quick(&text("headroom_percent = 20\ncapacity_headroom_percent = 30", READS).replacen(
            "[plan]",
            &format!("{memory}[plan]"),
            1,
        ));
        let document = document.unwrap();
        let row = |name: &str| document.limits.iter().find(|row| row.of.limit == name).unwrap();
        for (name, load) in [("capacity", 500.0), ("memory", 10_240.0), ("disk IOPS", 2_000.0)] {
            let row = row(name);
            let left = (1_000.0 * (1.0 - load / row.capacity)).floor() / 10.0;
            assert_eq!((row.load(), row.headroom_percent), (load, left), "{name}");
        }
        // Processors in use have levels as rates have.
        let busy = row("vCPU");
        assert_eq!([busy.asked.p50, busy.asked.p99, busy.asked.max], [0.8, 1.6, 3.2]);
        assert!((busy.headroom_percent - 100.0 * (1.0 - 1.6 / busy.capacity)).abs() < 0.11, "{busy:?}");
        // A level above what may be used is not above the limit.
        let busiest = row("disk IOPS");
        assert_eq!((busiest.exceeded, busiest.beyond_headroom), (0, 0));
    }

    /// What is asked is rounded up to whole GiB and MiB, and so is what is planned for it.
    #[test]
    fn a_plan_never_shows_less_room_than_it_was_asked_for() {
        let memory = "[memory]\nused = { p50 = '1 GiB', p90 = '2 GiB', p99 = '3 GiB', max = '13421772 KiB' }\n";
        for capacity in (50..400).step_by(50) {
            let growth = "years = 3\ncapacity_growth_percent_per_year = 18\nheadroom_percent = 20";
            let keys = format!("disks = ['PremiumV2']\nvms = ['D4s_v5']\n{growth}");
            let volume = format!("host_cache = ['None']\n{READS}");
            let text = text(&keys, &volume)
                .replace("500 GiB", &format!("{capacity} GiB"))
                .replace("[plan]", &format!("{memory}[plan]"));
            let document = quick(&text).unwrap();
            for (name, promised) in [("capacity", 15.0), ("memory", 20.0)] {
                let row = document.limits.iter().find(|row| row.of.limit == name).unwrap();
                let left = row.headroom_percent;
                assert!((promised..promised + 1.0).contains(&left), "{name} of {capacity} GiB: {left} % left");
            }
        }
        // What lacks room says so.
        let full = text("vms = ['D4s_v5']\nmemory_min = '16 GiB'", READS);
        let row = quick(&full).unwrap().limits.into_iter().find(|row| row.of.limit == "memory").unwrap();
        assert_eq!(row.headroom_percent, 0.0, "{row:?}");
    }

    #[test]
    fn every_plan_of_a_document_says_how_long_it_lasts() {
        let session = Session::new(Catalogue::embedded().clone());
        for (percent, years) in [(20, 1), (60, 2)] {
            let keys = format!("years = {years}\ngrowth_percent_per_year = {percent}");
            let demand = session.requirements("r.toml", &text(&keys, READS)).unwrap();
            let options = PlanOptions { simulate: false, ..PlanOptions::default() };
            let document = session.plan_with(&demand, &options).unwrap().document;
            let plan = document.plan.as_ref().unwrap();
            let last = plan.breaks_in_year.expect("it grows beyond every plan");
            assert!(last > years, "{last}");
            let said = plan.lasts().unwrap().to_string();
            assert!(said.contains(&format!("but not {last}")), "{said}");
            let designs = document.designs.iter().map(|row| &row.plan);
            for other in designs.chain(&document.alternatives) {
                assert!(other.breaks_in_year.is_some_and(|year| year > years), "{other:#?}");
                assert!(other != plan || other.breaks_in_year == plan.breaks_in_year);
            }
        }
    }

    #[test]
    fn an_interval_above_what_may_be_used_does_not_exceed_the_limit() {
        // Of 5,000 IOPS 4,000 may be used: one interval in ten is between, one above the limit.
        let series = |peak: u32| {
            let mut iops = vec![3_000.0; 10];
            (iops[3], iops[7]) = (4_500.0, f64::from(peak));
            let bytes: Vec<u64> = iops.iter().map(|iops| *iops as u64 * 4_096).collect();
            let none = [0; 10];
            format!(
                "disks_max = 1\nhost_cache = ['None']\n[volume.series]\ninterval = '60 s'\nread_iops = {iops:?}\n\
                 write_iops = {:?}\nread_bytes_per_s = {bytes:?}\nwrite_bytes_per_s = {none:?}",
                [0.0; 10]
            )
        };
        for (peak, exceeded) in [(4_400, 0), (6_000, 1)] {
            let keys =
                "percentile = 80\ndisks = ['P30']\ndisk_options = []\nindifference_percent = 0\nvms = ['D16s_v5']";
            let document = quick(&text(keys, &series(peak))).unwrap();
            let row = document.limits.iter().find(|row| row.of.limit == "disk IOPS").unwrap();
            assert_eq!((row.exceeded, row.beyond_headroom), (exceeded, 2), "{peak}: {}", document.answer);
            assert!(document.answer.text.contains("headroom is kept 80.00 %"), "{}", document.answer);
        }
    }

    #[test]
    fn what_does_not_grow_and_what_is_not_in_the_cost_are_said() {
        let (load, held) = ("growth_percent_per_year = 20", "capacity_growth_percent_per_year = 20");
        let cases = [
            ("years = 0".to_string(), "", None),
            (format!("years = 2\n{load}"), "", Some("plan-steady-capacity")),
            (format!("years = 2\n{held}"), "", Some("plan-steady-load")),
            (format!("years = 2\n{load}\n{held}"), "", None),
            ("years = 2".to_string(), "", None),
            (format!("years = 2\n{load}\n{held}\nmemory_min = '8 GiB'"), "role = 'os'\n", Some("plan-steady-memory")),
        ];
        for (keys, volume, expected) in cases {
            let document = quick(&text(&keys, &format!("{volume}{READS}"))).unwrap();
            for id in ["plan-steady-capacity", "plan-steady-load", "plan-steady-memory"] {
                assert_eq!(says(&document, id).is_some(), expected == Some(id), "{keys}: {id}");
            }
            // Years without growth are told as a key without effect alone.
            let grows = keys.contains("growth");
            assert_eq!(says(&document, "plan-years").is_some(), keys.contains("years = 2") && grows, "{keys}");
            // An operating system does not grow unless it is said of it.
            let is_unused = keys.contains("years = 2") && (!grows || volume.contains("os"));
            assert_eq!(says(&document, "key-unused").is_some(), is_unused, "{keys}");
            assert_eq!(says(&document, "plan-no-os").is_some(), volume.is_empty(), "{keys}");
        }
    }

    #[test]
    fn a_bound_that_slower_disks_would_break_is_said() {
        for (setting, most, said) in [
            ("typical", "1 ms", true),
            ("typical", "4 ms", false),
            ("cautious", "2 ms", false),
            ("optimistic", "0.5 ms", true),
        ] {
            let keys = format!("latency = '{setting}'");
            let document = quick(&text(&keys, &format!("read_latency_max = '{most}'\n{READS}"))).unwrap();
            assert_eq!(says(&document, "plan-cautious").is_some(), said, "{setting} {most}: {}", document.answer);
        }
    }

    #[test]
    fn a_latency_at_the_largest_load_is_no_shorter_than_at_a_smaller_one() {
        let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/07-plan-a-database/requirements.toml");
        let document = quick(&std::fs::read_to_string(example).unwrap()).unwrap();
        let latencies = document.limits.iter().filter(|row| row.of.unit == "us");
        for row in latencies {
            let levels = [row.asked.p50, row.asked.p90, row.asked.p99, row.asked.max];
            assert!(levels.is_sorted(), "{}: {levels:?}", row.of.name());
        }
    }

    #[test]
    fn zone_and_redundancy_do_not_contradict_each_other() {
        let document = quick(&text("region = 'eastus'\nzone = '1'\nredundancy = 'zone'", READS)).unwrap();
        assert_eq!(says(&document, "plan-zone"), None);
        assert!(says(&document, "plan-zone-of-vm").is_some());
    }

    #[test]
    fn without_a_series_the_limits_carry_the_levels() {
        for (keys, planned_for, times) in
            [("", 3_000.0, 1.0), ("percentile = 50", 1_000.0, 1.0), ("comfort_factor = 1.5", 4_500.0, 1.5)]
        {
            let document = planned(keys);
            let row = document.limits.iter().find(|row| row.of.limit == "disk IOPS").unwrap();
            let levels = [row.asked.p50, row.asked.p90, row.asked.p99, row.asked.max];
            assert_eq!(levels, [1_000.0, 2_000.0, 3_000.0, 4_000.0].map(|level| level * times), "{keys}");
            let headroom = 100.0 * (1.0 - planned_for / row.capacity);
            assert!((row.headroom_percent - headroom).abs() < 0.11, "{keys}: {} {headroom}", row.headroom_percent);
        }
    }

    #[test]
    fn a_percentile_that_is_no_level_is_said_to_be_estimated() {
        let cases = [
            ("percentile = 99", ""),
            ("percentile = 95", "95th percentile is interpolated"),
            ("percentile = 99.9", "the maximum is used as the 99.9th percentile"),
        ];
        for (keys, saying) in cases {
            let lines = planned(keys).assumptions;
            let said = lines.iter().any(|line| {
                line.text.contains("th percentile is interpolated") || line.text.contains("is used as the")
            });
            assert_eq!(said, !saying.is_empty(), "{keys}: {lines:#?}");
            assert!(lines.iter().any(|line| line.text.contains(saying)), "{keys}: {lines:#?}");
        }
    }

    #[test]
    fn a_term_that_ends_before_the_years_do_is_the_first_risk() {
        let years = |years: u32, growth: u32| format!("years = {years}\ngrowth_percent_per_year = {growth}");
        for (terms, said) in [
            (format!("reservation = '3y'\n{}", years(5, 10)), Some("ends in month 36; months 37 to 60 are not priced")),
            (format!("reservation = '1y'\n{}", years(2, 10)), Some("ends in month 12; months 13 to 24 are not priced")),
            (format!("reservation = '3y'\n{}", years(3, 10)), None),
            (format!("reservation = '3y'\n{}", years(5, 0)), None),
            (years(5, 10), None),
        ] {
            let document = planned(&format!("region = 'eastus'\nvms = ['D8s_v5']\n{terms}"));
            let risks = document.decision.unwrap().risks;
            let found = risks.iter().position(|line| line.id == "plan-term-ends");
            assert_eq!(found, said.map(|_| 0), "{terms}: {risks:?}");
            assert!(said.is_none_or(|said| risks[0].text.contains(said)), "{terms}: {}", risks[0]);
        }
    }

    #[test]
    fn a_commitment_that_costs_more_than_the_hours_is_a_risk() {
        for (hours, is_dearer) in [("hours_per_month = 150", true), ("hours_per_month = 600", false), ("", false)] {
            let document = planned(&format!("region = 'eastus'\nvms = ['D8s_v5']\nreservation = '3y'\n{hours}"));
            let vm = |kind: (&str, Option<u32>)| {
                document.commitments.iter().find(|row| row.kind() == kind).and_then(|row| row.vm_monthly).unwrap()
            };
            let more = vm(("reservation", Some(3))) - vm(("pay as you go", None));
            assert_eq!(more > 0.0, is_dearer, "{hours}: {more}");
            let risks = &document.decision.as_ref().unwrap().risks;
            let said = risks.iter().find(|line| line.id == "plan-commitment-dearer").map(|line| line.text.as_str());
            let expected = format!("{} more per month than pay as you go for 150 h", Money::of_amount(more.max(0.0)));
            assert_eq!(said.map(|said| said.ends_with(&expected)), is_dearer.then_some(true), "{said:?}: {expected}");
        }
    }

    /// Two nodes with 32 cores at 125 a month are 8,000 for licences.
    #[test]
    fn a_refused_budget_has_one_base_and_says_where_licences_alone_exceed_it() {
        for (nodes, budget, alone) in [(2, 2_500, Some("8,000.00")), (1, 2_500, Some("4,000.00")), (2, 8_100, None)] {
            let licence = "licence = { name = 'EDB', per = 'core', price = '125 a month' }";
            let keys = format!("nodes = {nodes}\nvms = ['E32s_v5']\ncost_max = {budget}\n{licence}");
            let document = planned(&keys);
            let conflict = document.conflict.unwrap_or_else(|| panic!("{keys}: {}", document.answer));
            let said =
                conflict.limits.iter().find(|line| line.id == "plan-cost-licences").map(|line| line.text.clone());
            assert_eq!(said.is_some(), alone.is_some(), "{keys}: {:?}", conflict.limits);
            assert!(said.is_none_or(|said| said.contains(alone.unwrap_or_default())), "{keys}");
            let nearest = document.decision.unwrap().nearest[0].text.clone();
            let each = Money::of_amount(conflict.nearest_monthly.unwrap());
            let expected = match nodes {
                1 => format!("for {each} per month:"),
                _ => format!("for {} per month for {nodes} nodes ({each} each)", each * nodes),
            };
            assert!(nearest.contains(&expected), "{expected}: {nearest}");
            assert!(conflict.limits[0].text.contains(&(each * nodes).to_string()), "{:?}", conflict.limits);
        }
    }

    #[test]
    fn windows_costs_what_its_meter_says_and_nodes_cost_together() {
        let catalogue = Catalogue::embedded();
        for (keys, nodes) in [("os = 'windows'", 1.0), ("os = 'windows'\nnodes = 3", 3.0)] {
            let document = planned(keys);
            let plan = document.plan.as_ref().unwrap();
            let windows = catalogue.price(&plan.vm, Meter::Windows, "eastus", None).unwrap().monthly().amount();
            assert_eq!((plan.vm_monthly, document.os.as_deref()), (windows, Some("windows")), "{keys}");
            let licence = windows - catalogue.price(&plan.vm, Meter::Whole, "eastus", None).unwrap().monthly().amount();
            let line = format!("{licence:.2} of its price per month is the licence");
            assert!(
                document.assumptions.iter().any(|said| said.text.contains(&line)),
                "{line}: {:#?}",
                document.assumptions
            );
            let together = Money::of_amount(plan.monthly * nodes).to_string();
            assert!(document.answer.text.contains(&together), "{together}: {}", document.answer.text);
        }
    }
}
