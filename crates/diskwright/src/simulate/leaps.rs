//! What was leapt over, or why nothing was, as a document says it.

use dw_documents::run::{LeapError, Leaps};
use dw_formats::scenario::Scenario;
use dw_messages::{Sentence, say};
use dw_sim::{CacheRefusal, Leapt, LeaptFigures, Refusal, RunResult, SteadyFigure};
use dw_workload::{Direction, Workload};

use crate::figures::percent;

pub(super) fn of(scenario: &Scenario, workload: &Workload, result: &RunResult) -> Option<Leaps> {
    Some(match result.leaps.as_ref()? {
        dw_sim::Leaps::Leapt(leapt) => taken(scenario, result, leapt),
        dw_sim::Leaps::Refused(refusal) => Leaps {
            share_percent: 0.0,
            leapt_s: 0.0,
            leapt_ios: 0,
            leaps: 0,
            errors: Vec::new(),
            sentence: say!(LeapRefused { why: why(scenario, workload, refusal) }),
        },
    })
}

fn taken(scenario: &Scenario, result: &RunResult, leapt: &Leapt) -> Leaps {
    let share_percent = leapt.time.ns() as f64 / result.virtual_time.ns().max(1) as f64 * 100.0;
    let (simulated, all) = (result.simulated_ios, result.simulated_ios + leapt.ios);
    Leaps {
        share_percent,
        leapt_s: leapt.time.ns() as f64 / 1e9,
        leapt_ios: leapt.ios,
        leaps: leapt.leaps,
        errors: leapt.figures.iter().map(|figures| error(scenario, figures)).collect(),
        sentence: say!(Leapt { share: percent(share_percent), simulated, all }),
    }
}

fn error(scenario: &Scenario, figures: &LeaptFigures) -> LeapError {
    LeapError {
        volume: scenario.volumes[usize::from(figures.volume)].name.clone(),
        direction: direction(figures.direction).to_string(),
        iops_percent: figures.rate * 100.0,
        mean_percent: figures.mean * 100.0,
        p50_percent: figures.p50 * 100.0,
        p99_percent: figures.p99 * 100.0,
        p99_9_percent: figures.p99_9 * 100.0,
        hits_points: figures.tiers.map(|share| share * 100.0),
    }
}

fn direction(direction: Direction) -> &'static str {
    match direction {
        Direction::Read => "read",
        Direction::Write => "write",
        Direction::Trim => "trim",
    }
}

fn why(scenario: &Scenario, workload: &Workload, refusal: &Refusal) -> Sentence {
    let name = |job: usize| &workload.jobs[job].name;
    match *refusal {
        Refusal::BySize { job } => say!(LeapBySize { job: name(job) }),
        Refusal::Verifies { job } => say!(LeapVerifies { job: name(job) }),
        Refusal::EndsWhenSteady { job } => say!(LeapEndsWhenSteady { job: name(job) }),
        Refusal::NullEngine { job } => say!(LeapNullEngine { job: name(job) }),
        Refusal::BilledBySecond => say!(LeapBilled),
        Refusal::Cache { job, why } => {
            let why = match why {
                CacheRefusal::Sizes => say!(LeapCacheSizes),
                CacheRefusal::PartlyValid => say!(LeapCachePartly),
                CacheRefusal::Order => say!(LeapCacheOrder),
                CacheRefusal::WriteBack => say!(LeapCacheWriteBack),
                CacheRefusal::Trims => say!(LeapCacheTrims),
                CacheRefusal::Eviction => say!(LeapCacheEviction),
            };
            say!(LeapCache { job: name(job), why })
        }
        Refusal::Unsteady { volume, direction: of, figure } => {
            let figure = match figure {
                SteadyFigure::Rate => say!(LeapRate),
                SteadyFigure::Mean => say!(LeapMean),
                SteadyFigure::P99 => say!(LeapP99),
                SteadyFigure::Tiers => say!(LeapTiers),
            };
            let volume = &scenario.volumes[usize::from(volume)].name;
            say!(LeapUnsteady { figure, volume, direction: direction(of).to_string() })
        }
        Refusal::Changes => say!(LeapChanges),
    }
}
