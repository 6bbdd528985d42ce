//! A configuration against a demand, by its limits: the figures and the verdict that a plan of it would have.
//!
//! Lives here: the call, with what it returns.
//! Never here: the checks (`plan/verdict.rs`), limits (`dw-planner`), a simulation.

use dw_catalogue::disk::CACHEABLE_MAX;
use dw_documents::LimitOf;
use dw_documents::plan::LimitRow;
use dw_documents::verdict::Verdict;
use dw_error::Result;
use dw_formats::scenario::Scenario;
use dw_messages::{Sentence, say};
use dw_planner::{Fault, Limit, Plan, Problem, Rule, as_is, full_at};
use dw_units::Bytes;

use crate::explain::rig_of;
use crate::plan::rows;
use crate::plan::verdict::{Place, VerdictInput};
use crate::plan::{Demand, words};
use crate::session::Session;

/// How a configuration does what is asked of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Whether it does all of it, or on which condition.
    pub verdict: Verdict,
    /// Every limit, those of requests in the order of their path; those of size have no id.
    pub limits: Vec<LimitRow>,
    /// When they are reached if all demands grow alike, the first one first.
    pub reached: Vec<LimitCrossing>,
    /// Share of the recorded time in which a limit is exceeded that no burst credits carry, in percent.
    pub exceeded_percent: f64,
}

/// A limit that requests meet.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitCrossing {
    /// Which.
    pub of: LimitOf,
    /// The multiple of the demand at which it is exceeded for more of the time than allowed.
    pub at: f64,
}

impl Session {
    /// A configuration against a demand, at the percentile, with the growth and the headroom that it asks for. Nothing is simulated:
    /// milliseconds, fast enough for a slider.
    ///
    /// # Errors
    /// Of kind `Input` where the demand has no figures, or a volume that is not there.
    ///
    /// ```
    /// use diskwright::{Catalogue, Session};
    /// let session = Session::new(Catalogue::embedded().clone());
    /// let rig = "[vm]\nsize = 'Standard_D16s_v5'\n[[volume]]\nname = 'data'\ndisks = 'P30'\n";
    /// let asked = "schema_version = 1\n[[volume]]\nname = 'data'\ncapacity = '500 GiB'\nread_size = '8 KiB'\nread_iops = { p50 = 1000, p90 = 2000, p99 = 6000, max = 6000 }\n";
    /// let found = session.judge(&session.scenario("rig.toml", rig)?, &session.requirements("requirements.toml", asked)?)?;
    /// assert_eq!(found.verdict.state, diskwright::dw_documents::verdict::State::NotMet);
    /// // 6,000 of 5,000.
    /// assert_eq!(found.narrowest().map(|limit| limit.headroom_percent), Some(-20.0));
    /// # Ok::<(), diskwright::Error>(())
    /// ```
    pub fn judge(&self, scenario: &Scenario, demand: &Demand) -> Result<Judgement> {
        let session = self.of_vendor(scenario.vendor);
        let catalogue = session.catalogue();
        let Demand { requirements, wishes, .. } = demand;
        let rig = rig_of(scenario, catalogue);
        let as_is = as_is(&rig, requirements, wishes)?;
        // What does not hold in the last year that is asked for may do until then.
        let breaks_in_year = as_is.too_small_in(requirements, wishes);
        let (built, plan) = (&as_is.built, &as_is.plan);
        let problem = &built.problem;
        let limits = rows::limits(built, requirements, wishes, plan);
        let asks = |place: usize| problem.volumes[place].samples.iter().any(|sample| sample.reads > 0);
        let place = |(place, chosen): (usize, &dw_planner::VolumePlan)| Place {
            name: &problem.volumes[place].name,
            gates: plan.gates(problem, place),
            has_disks: chosen.disks.is_some(),
            hits: chosen.hit > 0 && asks(place),
            grade: words::model_of(catalogue, problem, chosen, plan.vm)
                .and_then(dw_catalogue::latency::model)
                .map_or("", |model| model.grade.as_str()),
        };
        let volumes = plan.volumes.iter().enumerate().map(place).collect();
        let carried = as_is.carried.iter().filter_map(|(limit, burst)| Some((limit.id(problem)?, *burst))).collect();
        let faults = as_is.faults.iter().map(|fault| broken(fault, problem, plan)).collect();
        let judged = VerdictInput {
            requirements,
            wishes,
            problem,
            limits: &limits,
            volumes,
            carried,
            is_chosen: false,
            faults,
            doubts: words::burstable(catalogue, &problem.vms[plan.vm].name).into_iter().collect(),
            breaks_in_year,
            purchase: None,
            simulated: None,
        };
        let (verdict, exceeded_percent) = (judged.verdict(), judged.exceeded_percent());
        let mut reached: Vec<LimitCrossing> = full_at(problem, plan)
            .into_iter()
            .filter_map(|(limit, at)| Some((limit.id(problem)?, at)))
            .filter_map(|(id, at)| {
                let row = limits.iter().find(|row| row.of.id.as_ref() == Some(&id))?;
                Some(LimitCrossing { of: row.of.clone(), at })
            })
            .collect();
        reached.sort_by(|a, b| a.at.total_cmp(&b.at));
        Ok(Judgement { verdict, reached, exceeded_percent, limits })
    }
}

/// A rule that is broken, as a reason.
fn broken(fault: &Fault, problem: &Problem, plan: &Plan) -> Sentence {
    match fault.rule {
        Rule::Cacheable(place) => {
            let disks = plan.volumes[place].disks.as_ref();
            let size = Bytes::gib(disks.map_or(0, |disks| problem.disks[disks.offer].gib()));
            match size > CACHEABLE_MAX {
                true => say!(PlanNotCacheable { volume: &problem.volumes[place].name, size: size.to_string() }),
                false => say!(PlanNoCombination),
            }
        }
        Rule::Limit(Limit::Tags) => say!(PlanNoPremium),
        _ => say!(Plain { text: fault.text.clone() }),
    }
}

impl Judgement {
    /// The limit with the least headroom; nothing where no rate is limited.
    pub fn narrowest(&self) -> Option<&LimitRow> {
        self.limits.iter().find(|row| row.binding)
    }
}

#[cfg(test)]
mod tests {
    use dw_catalogue::Catalogue;
    use dw_documents::verdict::{CheckOf, State};

    use super::*;
    use crate::plan::PlanOptions;

    fn session() -> Session {
        Session::new(Catalogue::embedded().clone())
    }

    /// A plan reports the same limits as a judgement of its VM and disks.
    #[test]
    fn a_plan_that_is_judged_as_it_stands_has_the_figures_of_the_plan() {
        let session = session();
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let example = "../../examples/07-plan-a-database/requirements.toml";
        let files =
            ["mysql", "oracle", "five-years", "nightly-batch", "web-vm"].map(|file| format!("tests/plans/{file}.toml"));
        for file in files.iter().map(String::as_str).chain([example]) {
            let text = std::fs::read_to_string(folder.join(file)).unwrap();
            let demand = session.requirements(file, &text).unwrap();
            let options = PlanOptions { simulate: false, choices: false, ..PlanOptions::default() };
            let planned = session.plan_with(&demand, &options).unwrap();
            let scenario = session.scenario("rig.toml", &session.rig(&planned).unwrap()).unwrap();
            let found = session.judge(&scenario, &demand).unwrap();
            let of = |rows: &[LimitRow]| -> Vec<(String, f64, f64, bool)> {
                let rates = rows.iter().filter(|row| row.of.id.is_some());
                rates.map(|row| (row.of.name(), row.load(), row.headroom_percent, row.binding)).collect()
            };
            assert_eq!(of(&found.limits), of(&planned.document.limits), "{file}");
            let planned = planned.document.verdict.unwrap();
            let state = |verdict: &Verdict, of| verdict.check(of).map(|check| check.state);
            for of in [CheckOf::Rates, CheckOf::Latencies, CheckOf::Headroom, CheckOf::Size, CheckOf::Years] {
                assert_eq!(state(&found.verdict, of), state(&planned, of), "{file}: {of:?}: {}", found.verdict.answer);
            }
        }
    }

    const P10: &str = "[vm]\nsize = 'Standard_D16s_v5'\n[[volume]]\nname = 'data'\ndisks = 'P10'\n";

    /// Two hours of 8 KiB reads: so many minutes busy, the others at 50 a second.
    fn busy(iops: u64, minutes: usize) -> String {
        let all: Vec<u64> = (0..120).map(|at| if at < minutes { iops } else { 50 }).collect();
        let bytes: Vec<u64> = all.iter().map(|iops| iops * 8_192).collect();
        let none = [0; 120];
        format!(
            "[volume.series]\ninterval = '1 min'\nread_iops = {all:?}\nread_bytes_per_s = {bytes:?}\nwrite_iops = {none:?}\n\
             write_bytes_per_s = {none:?}\n"
        )
    }

    fn judged(rig: &str, keys: &str, volume: &str) -> Judgement {
        let session = session();
        let text = format!(
            "schema_version = 1\n[plan]\npercentile = 99\n{keys}[[volume]]\nname = 'data'\ncapacity = '90 GiB'\n{volume}"
        );
        let demand = session.requirements("r.toml", &text).unwrap();
        session.judge(&session.scenario("rig.toml", rig).unwrap(), &demand).unwrap()
    }

    /// A P10 gives 500 IOPS for as long as one likes, and 3,500 while it has credits for half an hour of that.
    #[test]
    fn what_was_changed_by_hand_is_judged_by_all_that_was_asked() {
        let grown = "years = 3\ngrowth_percent_per_year = 30\n";
        let a_little = "years = 1\ngrowth_percent_per_year = 1\n";
        let cases = [
            ("", "", busy(300, 60), State::Met, CheckOf::Rates, ""),
            (
                "",
                "",
                busy(470, 60),
                State::NotMet,
                CheckOf::Headroom,
                "data disk IOPS has 6 % headroom; 10 % is required",
            ),
            ("", "", busy(900, 10), State::MetWithCondition, CheckOf::Rates, "without them it sustains 500 IOPS"),
            ("", "", busy(3_000, 110), State::NotMet, CheckOf::Rates, "data disk IOPS is exceeded"),
            (
                "",
                "read_latency_max = '2 ms'\n",
                busy(300, 60),
                State::NotMet,
                CheckOf::Latencies,
                "at most 2.00 ms required",
            ),
            ("", "capacity = '900 GiB'\n", busy(300, 60), State::NotMet, CheckOf::Size, "data capacity"),
            // What carries it today carries it in a year, too.
            (a_little, "", busy(900, 10), State::MetWithCondition, CheckOf::Rates, "without them it sustains 500 IOPS"),
            (a_little, "", busy(900, 10), State::Met, CheckOf::Years, ""),
            // 489 in year 1 leave no headroom of 500, and 538 in year 2 rest on credits.
            ("years = 2\ngrowth_percent_per_year = 10\n", "", busy(445, 10), State::Met, CheckOf::Years, ""),
            (grown, "", busy(1_000, 60), State::NotMet, CheckOf::Years, "too small from year 2; you asked for 3 years"),
        ];
        let session = session();
        let scenario = session.scenario("rig.toml", P10).unwrap();
        for (keys, wish, series, state, of, why) in cases {
            let capacity = if wish.contains("capacity") { "" } else { "capacity = '90 GiB'\n" };
            let text = format!(
                "schema_version = 1\n[plan]\nheadroom_percent = 10\npercentile = 99\n{keys}[[volume]]\nname = 'data'\n{capacity}{wish}{series}"
            );
            let demand = session.requirements("r.toml", &text).unwrap();
            let found = session.judge(&scenario, &demand).unwrap();
            let check = found.verdict.check(of).unwrap_or_else(|| panic!("{keys}{wish}: {of:?} is not checked"));
            assert_eq!(check.state, state, "{keys}{wish}: {}", found.verdict.answer);
            let worst = if why.is_empty() { found.verdict.state } else { state };
            assert_eq!(found.verdict.state, worst, "{keys}{wish}: {}", found.verdict.answer);
            assert!(found.verdict.answer.text.contains(why), "{keys}{wish}: {}", found.verdict.answer);
        }
    }

    /// 3,500 IOPS in bursts are 3,150 with a headroom of 10 %, and 3,325 with one of 5 %.
    #[test]
    fn the_figures_of_what_credits_carry_are_not_below_those_that_are_asked() {
        use State::{Met, MetWithCondition, NotMet};
        for (headroom, iops, minutes, rates) in [
            (10, 300, 60, Met),
            (10, 900, 10, MetWithCondition),
            (10, 3_100, 10, MetWithCondition),
            (10, 3_300, 10, NotMet),
            (5, 3_300, 10, MetWithCondition),
            (10, 3_000, 110, NotMet),
        ] {
            let found = judged(P10, &format!("headroom_percent = {headroom}\n"), &busy(iops, minutes));
            let check = |of| found.verdict.check(of).unwrap();
            assert_eq!(check(CheckOf::Rates).state, rates, "{headroom} %, {iops}: {}", found.verdict.answer);
            let exceeded = if rates == NotMet { minutes as f64 * 100.0 / 120.0 } else { 0.0 };
            assert!(
                (found.exceeded_percent - exceeded).abs() < 1e-9,
                "{headroom} %, {iops}: {}",
                found.exceeded_percent
            );
            for of in [CheckOf::Rates, CheckOf::Headroom] {
                let (check, is_met) = (check(of), rates != NotMet);
                assert_eq!(check.state == NotMet, !is_met, "{headroom} %, {iops}: {check:?}");
                assert_eq!(check.figure >= check.asked, is_met, "{headroom} %, {iops}: {check:?}");
            }
        }
    }

    /// A disk of one's own may be larger than any that the host cache takes.
    #[test]
    fn a_rule_that_is_broken_under_every_load_is_said_and_no_matter_of_a_year() {
        let rig = |size: &str, cache: &str| {
            format!(
                "[vm]\nsize = 'Standard_D16ds_v5'\n[[volume]]\nname = 'data'\nhost_cache = '{cache}'\n\
                 disks = [{{ size = '{size}', iops = 16000, throughput = '500 MB/s', latency = {{ read = '1 ms', write = '1 ms' }} }}]\n"
            )
        };
        let grown = "years = 1\ngrowth_percent_per_year = 1\n";
        let (large, fits) = (rig("8 TiB", "ReadOnly"), rig("4 TiB", "None"));
        for (rig, keys, state) in [
            (&large, "", State::NotMet),
            (&large, grown, State::NotMet),
            (&fits, "", State::Met),
            (&fits, grown, State::Met),
        ] {
            let verdict = judged(rig, keys, &busy(300, 60)).verdict;
            let size = verdict.check(CheckOf::Size).unwrap();
            assert_eq!(size.state, state, "{rig}{keys}: {}", verdict.answer);
            let said = verdict
                .answer
                .text
                .contains("data: a host cache serves disks of at most 4,095 GiB, and its disk has 8 TiB");
            assert_eq!(said, state == State::NotMet, "{rig}{keys}: {}", verdict.answer);
            let years = verdict.check(CheckOf::Years).map(|years| years.state);
            assert_eq!(years, (!keys.is_empty()).then_some(State::Met), "{rig}: {}", verdict.answer);
        }
    }

    #[test]
    fn a_limit_is_reached_where_the_headroom_ends() {
        let session = session();
        let rig = "[vm]\nsize = 'Standard_D16s_v5'\n[[volume]]\nname = 'data'\ndisks = 'P30'\n";
        let asked = |p99: u32| {
            format!(
                "schema_version = 1\n[[volume]]\nname = 'data'\ncapacity = '500 GiB'\nread_size = '8 KiB'\nread_iops = {{ p50 = 10, p90 = 20, p99 = {p99}, max = 9000 }}\n"
            )
        };
        let scenario = session.scenario("rig.toml", rig).unwrap();
        for (p99, headroom, at) in [(1_250, 75.0, 4.0), (5_000, 0.0, 1.0), (8_000, -60.0, 0.625)] {
            let found = session.judge(&scenario, &session.requirements("r.toml", &asked(p99)).unwrap()).unwrap();
            let narrowest = found.narrowest().unwrap();
            assert_eq!((narrowest.of.name().as_str(), narrowest.headroom_percent), ("data disk IOPS", headroom));
            assert_eq!((found.reached[0].of.name().as_str(), found.reached[0].at), ("data disk IOPS", at));
        }
    }
}
