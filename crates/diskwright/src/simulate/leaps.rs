//! What was leapt over, or why nothing was, as a document says it.

use dw_documents::run::{Doubt, DoubtKind, LeapError, Leaps};
use dw_formats::scenario::Scenario;
use dw_messages::{Sentence, say};
use dw_sim::{ByKind, CacheRefusal, Leapt, LeaptFigures, Refusal, RunResult, SteadyFigure};
use dw_workload::{Direction, Workload};

use super::Run;
use crate::figures::{percent, seconds};

pub(super) fn describe(scenario: &Scenario, workload: &Workload, result: &RunResult) -> Option<Leaps> {
    Some(match result.leaps.as_ref()? {
        dw_sim::Leaps::Leapt(leapt) => taken(scenario, result, leapt),
        dw_sim::Leaps::ByKind(of) => by_kind(scenario, result, of),
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

fn by_kind(scenario: &Scenario, result: &RunResult, of: &ByKind) -> Leaps {
    let (simulated, all) = (result.simulated_ios, result.simulated_ios + of.ios);
    let ByKind { steps, taken, near, .. } = *of;
    // Of a long recording several of its intervals are one.
    let each = seconds(result.virtual_time.ns() as f64 / 1e9 / steps.max(1) as f64);
    Leaps {
        share_percent: of.time.ns() as f64 / result.virtual_time.ns().max(1) as f64 * 100.0,
        leapt_s: of.time.ns() as f64 / 1e9,
        leapt_ios: of.ios,
        leaps: taken,
        errors: of.figures.iter().map(|figures| error(scenario, figures)).collect(),
        sentence: match near {
            0 if taken == steps => say!(ByKindAll { steps, each, simulated, all }),
            0 => say!(ByKind { taken, steps, each, simulated, all }),
            _ => say!(ByKindNear { taken, steps, each, near, simulated, all }),
        },
    }
}

/// Figures that are known less well than was asked for: while a cache fills they move, however long the sample is.
pub(super) fn doubts(run: &Run) -> Vec<Doubt> {
    let known = run.result.leaps.as_ref().and_then(dw_sim::Leaps::figures);
    let Some((asked, known)) = run.error.zip(known) else { return Vec::new() };
    let doubt = |known: &LeaptFigures| {
        let figures = [(known.rate, say!(LeapRate)), (known.mean, say!(LeapMean)), (known.p99, say!(LeapP99))];
        let (error, figure) = figures.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
        let volume = &run.scenario.volumes[usize::from(known.volume)].name;
        let direction = direction(known.direction).to_string();
        let (known, asked_for) = (percent(error * 100.0), percent(asked * 100.0));
        let text = say!(DoubtLeapError { figure, volume, direction, known, asked: asked_for });
        (error > asked).then_some(Doubt { kind: DoubtKind::LeapError, text })
    };
    known.iter().filter_map(doubt).collect()
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
        Refusal::FirstTouch { volume } => {
            say!(LeapFirstTouch { volume: &scenario.volumes[usize::from(volume)].name })
        }
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
                SteadyFigure::Backlog => say!(LeapBacklog),
            };
            let volume = &scenario.volumes[usize::from(volume)].name;
            say!(LeapUnsteady { figure, volume, direction: direction(of).to_string() })
        }
        Refusal::Changes => say!(LeapChanges),
        Refusal::CacheMoves => say!(LeapCacheMoves),
    }
}

#[cfg(test)]
mod tests {
    use dw_catalogue::Catalogue;

    use super::*;
    use crate::{LoadOptions, Session, Texts};

    const RIG: &str = "[vm]\nsize = 'Standard_E32s_v3'\n[[volume]]\nname = 'data'\nmount = '/data'\ndisks = 'P40'\n\
        host_cache = 'ReadOnly'\n[start]\ncache = 'cold'\n";
    const JOB: &str = "[reads]\nioengine=libaio\ndirect=1\ndirectory=/data\nsize=512g\nrw=randread\nrandom_distribution=zipf:0.99\n\
        bs=64k\niodepth=32\nnorandommap\ntime_based\nruntime=24h\n";

    #[test]
    fn an_error_that_was_asked_for_and_is_not_kept_is_a_doubt() {
        let session = Session::new(Catalogue::embedded().clone());
        // While the cache fills, p99 is known to some percent, however small an error was asked for.
        for (error, doubted) in [(None, false), (Some(0.9), false), (Some(0.01), true)] {
            let scenario = session.scenario("rig.toml", RIG).unwrap();
            let options = LoadOptions { error, ..LoadOptions::default() };
            let loaded = session.load(scenario, &Texts::single("job.fio", JOB.into()), &options).unwrap();
            let summary = session.run(loaded, None).unwrap().summary();
            assert!(summary.leaps.unwrap().leaps > 0);
            let found: Vec<_> = summary.doubts.iter().filter(|doubt| doubt.kind == DoubtKind::LeapError).collect();
            assert_eq!(found.len(), usize::from(doubted), "{error:?}: {found:?}");
        }
    }
}
