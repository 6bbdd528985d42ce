//! The checklist again on the prototype: what was required, what was predicted, what was measured, and why they differ.
//!
//! Lives here: which measurement proves which requirement, verdicts, attribution.
//! Never here: running anything, tables.
//! Read next: `verify/cause.rs` (why they differ), then `dw_documents::verify`.

use dw_demand::wishes::{VolumeWishes, Wishes};
use dw_demand::{Requirements, VolumeRequirements};
use dw_documents::bench::{BenchDocument, Metric, Scenario, Share, State};
use dw_documents::measure::Load;
pub use dw_documents::verify::*;
use dw_error::{Error, Result};
use dw_messages::say;
use dw_planner::explain::WRITES_A_SYNC;

use crate::bench::rows::meets;
use crate::measured::Source;
use crate::plan::Demand;
use crate::session::Session;

mod cause;

/// How far a figure may be off, in percent, unless someone says otherwise: what a published measurement is held to.
pub const TOLERANCE_PERCENT: f64 = 3.0;

impl Session {
    /// Holds every figure of a demand against what was measured: rates at each percentile, bounds of latency. `tolerance_percent` is
    /// how far a figure may be off, from 0 to below 100. [`Session::requirements_of_existing`] reads the demand, [`Session::results`]
    /// the results.
    ///
    /// # Errors
    /// Of kind `Usage` where the tolerance is no such percentage, `Input` where the requirements contain nothing that a benchmark can show. What
    /// is not met is no error: the document's verdict says it.
    ///
    /// ```
    /// use diskwright::measured::About;
    /// use diskwright::verify::{TOLERANCE_PERCENT, Verdict};
    /// use diskwright::{Catalogue, Session};
    /// let session = Session::new(Catalogue::embedded().clone());
    /// let asked = "schema_version = 1\n[[volume]]\nname = 'data'\nread_iops = { p50 = 3000, p90 = 4000, p99 = 4500, max = 4900 }\n";
    /// let demand = session.requirements_of_existing("requirements.toml", asked)?;
    /// let fio = r#"{ "fio version": "fio-3.33", "jobs": [{ "jobname": "data", "error": 0, "job options": { "rw": "randread" },
    ///     "read": { "io_bytes": 81920000, "io_kbytes": 80000, "total_ios": 10000, "runtime": 2000, "iops": 5000.0, "bw_bytes": 40960000 } }] }"#;
    /// let about = About { volumes: &demand.volume_maps(), map: &[] };
    /// let document = session.verify(&demand, &session.results(&[("fio.json", fio.as_bytes())], &about)?, TOLERANCE_PERCENT)?;
    /// assert_eq!((document.rows.len(), document.verdict), (4, Verdict::Met));
    /// # Ok::<(), diskwright::Error>(())
    /// ```
    pub fn verify(&self, demand: &Demand, results: &[Source], tolerance_percent: f64) -> Result<VerifyDocument> {
        if !(0.0..100.0).contains(&tolerance_percent) {
            let hint = "write a percentage from 0 to 99, for example 3";
            return Err(Error::usage(format!("a tolerance of {tolerance_percent} % is out of range")).hint(hint));
        }
        let name = demand.source.as_ref().map_or("requirements", |(name, _)| name.as_str());
        let document = document(name, &demand.requirements, &demand.wishes, results, tolerance_percent / 100.0);
        if document.rows.is_empty() {
            let hint = "write for example `read_iops` of a [[volume]]";
            return Err(Error::input("the requirements contain nothing that a benchmark can show")
                .hint(hint)
                .of_file(name));
        }
        Ok(document)
    }
}

/// The percentiles of a requirement, by name.
const LEVELS: [(&str, f64); 4] = [("p50", 50.0), ("p90", 90.0), ("p99", 99.0), ("max", 100.0)];

/// Every requirement against the results.
fn document(name: &str, asked: &Requirements, wishes: &Wishes, results: &[Source], tolerance: f64) -> VerifyDocument {
    let mut rows = Vec::new();
    let sole = asked.volumes.len() == 1;
    for (volume, wished) in asked.volumes.iter().zip(&wishes.volumes) {
        for (direction, metric, values) in figures(volume, wished, asked.growth) {
            for ((level, percentile), required) in LEVELS.into_iter().zip(values) {
                if required > 0.0 {
                    // What is asked grows, and the load under which a latency must hold with it.
                    let rate = rate_at(volume, direction, percentile).map(|rate| rate * asked.growth);
                    rows.push(row(volume, sole, (direction, metric), (level, required, rate), results, tolerance));
                }
            }
        }
    }
    let count = |verdict| rows.iter().filter(|r: &&VerifyRow| r.verdict == verdict).count();
    let (met, not, open) = (count(Verdict::Met), count(Verdict::NotMet), count(Verdict::NotProven));
    let verdict = match (not, open) {
        (0, 0) => Verdict::Met,
        (0, _) => Verdict::NotProven,
        _ => Verdict::NotMet,
    };
    let answer = match verdict {
        Verdict::Met => say!(VerifyMet { requirements: met }),
        _ => say!(VerifyAnswer { requirements: rows.len(), met, not_met: not, not_proven: open }),
    };
    let results = results.iter().map(|r| format!("{} of {}", r.document.suite, r.document.rig.file)).collect();
    VerifyDocument {
        schema_version: dw_documents::SCHEMA_VERSION,
        document: Default::default(),
        requirements: name.into(),
        results,
        tolerance_percent: tolerance * 100.0,
        verdict,
        answer,
        rows,
    }
}

/// What a volume asks for, in base units, at each percentile.
fn figures(volume: &VolumeRequirements, wished: &VolumeWishes, growth: f64) -> Vec<(&'static str, Metric, [f64; 4])> {
    let mut figures = Vec::new();
    for (direction, iops, throughput, latency, bound) in [
        ("read", &volume.read_iops, &volume.read_throughput, &volume.read_latency, wished.read_latency_max),
        ("write", &volume.write_iops, &volume.write_throughput, &volume.write_latency, wished.write_latency_max),
    ] {
        if let Some(levels) = iops {
            figures.push((direction, Metric::Iops, LEVELS.map(|(_, p)| levels.at(p) * growth)));
        }
        if let Some(levels) = throughput {
            figures.push((direction, Metric::Throughput, LEVELS.map(|(_, p)| levels.at(p).get() as f64 * growth)));
        }
        // A bound that was set goes before what the old machine happened to have.
        let asked =
            [(Metric::LatencyMean, bound.mean), (Metric::LatencyP95, bound.p95), (Metric::LatencyP99, bound.p99)];
        let asked = asked.into_iter().filter_map(|(metric, most)| Some((direction, metric, [most?.ns() as f64; 4])));
        figures.extend(asked);
        if bound.mean.is_some() {
            continue;
        }
        if let Some(levels) = latency {
            figures.push((direction, Metric::LatencyMean, LEVELS.map(|(_, p)| levels.at(p).ns() as f64)));
        }
    }
    if let Some(most) = wished.sync_latency_p99_max {
        figures.push(("sync", Metric::LatencyP99, [most.ns() as f64; 4]));
    }
    figures
}

/// A share of a scenario, with where it is from.
struct Evidence<'a> {
    result: &'a BenchDocument,
    scenario: &'a Scenario,
    measured: &'a Share,
    /// Under the load of the requirement, or one that shows as much; else only how long requests take under another one.
    under: Under,
}

/// Under which load a figure was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Under {
    /// The requirement's, by the scenario that is named for it, or the highest of several rates.
    Its,
    /// Another: requests per second, and how many of them are in flight on average.
    Other,
}

impl Evidence<'_> {
    fn predicted(&self) -> Option<&Share> {
        let same = |s: &&Share| s.volume == self.measured.volume && s.direction == self.measured.direction;
        self.scenario.predicted.iter().find(same)
    }
}

fn row(
    volume: &VolumeRequirements,
    sole: bool,
    (direction, metric): (&str, Metric),
    (level, required, rate): (&str, f64, Option<f64>),
    results: &[Source],
    tolerance: f64,
) -> VerifyRow {
    let evidence = evidence(volume, sole, direction, metric, level, results);
    let measured = evidence.as_ref().and_then(|e| metric.value_in(&e.measured.load));
    let predicted = evidence.as_ref().and_then(|e| metric.value_in(&e.predicted()?.load));
    let verdict = match (&evidence, measured) {
        (Some(evidence), Some(got)) => {
            let is_met = meets(metric, required, got, tolerance);
            match evidence.under {
                Under::Its if is_met => Verdict::Met,
                Under::Its => Verdict::NotMet,
                Under::Other => under_another(&evidence.measured.load, is_met, rate, tolerance),
            }
        }
        _ => Verdict::NotProven,
    };
    let cause = evidence.as_ref().and_then(|e| {
        let case = cause::Case {
            result: e.result,
            scenario: e.scenario,
            measured: e.measured,
            predicted: e.predicted()?,
            metric,
        };
        Some(cause::find(&case, tolerance))
    });
    let cause = if evidence.is_some() { cause } else { unproven(volume, sole, results) };
    VerifyRow {
        volume: volume.name.clone(),
        direction: direction.into(),
        metric,
        unit: metric.unit().into(),
        level: level.into(),
        required,
        predicted,
        measured,
        difference_percent: predicted.zip(measured).filter(|(p, _)| *p > 0.0).map(|(p, m)| (m / p - 1.0) * 100.0),
        verdict,
        scenario: evidence.map(|e| match e.measured.direction == "sync" && direction != "sync" {
            true => format!("{} (sync)", e.scenario.id),
            false => e.scenario.id.clone(),
        }),
        cause,
    }
}

/// Why a result that is of a volume shows nothing of it: what the tool says itself, a job that failed first.
fn unproven(volume: &VolumeRequirements, sole: bool, results: &[Source]) -> Option<Cause> {
    let is_of = |source: &&Source| {
        let volumes = &source.document.rig.volumes;
        sole || volumes.is_empty() || volumes.iter().any(|v| v.name == volume.name)
    };
    let has_none = |source: &&Source| {
        let done = source.document.scenarios.iter().filter(|s| s.state == State::Done);
        !done.flat_map(|s| &s.measured).any(|share| sole || share.volume == volume.name)
    };
    let source = results.iter().filter(is_of).filter(has_none).find(|source| !source.notes.is_empty())?;
    Some(Cause { kind: CauseKind::Failed, text: source.notes[0].clone() })
}

/// Requests per second of a direction at a level; a sync belongs to a write.
fn rate_at(volume: &VolumeRequirements, direction: &str, percentile: f64) -> Option<f64> {
    let rates = if direction == "read" { &volume.read_iops } else { &volume.write_iops };
    rates.as_ref().map(|levels| levels.at(percentile))
}

/// What a latency under another load shows: under at least the load that is asked it is held, under at most that load it is not. One
/// request at a time has waited for no other: less load makes it no shorter.
fn under_another(load: &Load, is_met: bool, rate: Option<f64>, tolerance: f64) -> Verdict {
    let Some(rate) = rate else { return if is_met { Verdict::Met } else { Verdict::NotMet } };
    let in_flight = load.iops * load.latency_ns.as_ref().map_or(0.0, |latency| latency.mean) / 1e9;
    match is_met {
        true if load.iops >= rate * (1.0 - tolerance) => Verdict::Met,
        false if load.iops <= rate * (1.0 + tolerance) || in_flight <= ONE_IN_FLIGHT => Verdict::NotMet,
        _ => Verdict::NotProven,
    }
}

/// Up to this average number in flight, requests come one after the other.
const ONE_IN_FLIGHT: f64 = 1.1;

/// A latency of a tool's own result, which names no load: that of a sync where writes are synced one by one, as a write is not done before;
/// the longest of several.
fn of_raw<'a>(
    volume: &VolumeRequirements,
    sole: bool,
    (direction, metric): (&str, Metric),
    results: &'a [Source],
) -> Option<Evidence<'a>> {
    let mut all = Vec::new();
    for source in results.iter().filter(|source| source.raw) {
        let result = &source.document;
        let sole = sole && result.rig.volumes.len() == 1;
        let is_meant = |s: &&Share| s.volume == volume.name || sole && !s.is_total();
        for (scenario, syncs) in result.scenarios.iter().zip(&source.syncs).filter(|(s, _)| s.state == State::Done) {
            let own = scenario.measured.iter().filter(is_meant).find(|s| s.direction == direction);
            let sync = syncs.iter().find(is_meant).filter(|sync| match direction {
                "write" => own.is_some_and(|write| sync.load.ios * WRITES_A_SYNC >= write.load.ios),
                direction => direction == "sync",
            });
            let measured = sync.or(own).filter(|share| metric.value_in(&share.load).is_some());
            all.extend(measured.map(|measured| Evidence { result, scenario, measured, under: Under::Other }));
        }
    }
    let value = |e: &Evidence| metric.value_in(&e.measured.load).unwrap_or(0.0);
    all.into_iter().max_by(|a, b| value(a).total_cmp(&value(b)))
}

/// The measurement that a requirement is held against: that under its own percentile's load; for rates else the highest
/// that any scenario reached.
fn evidence<'a>(
    volume: &VolumeRequirements,
    sole: bool,
    direction: &str,
    metric: Metric,
    level: &str,
    results: &'a [Source],
) -> Option<Evidence<'a>> {
    let mut all = Vec::new();
    for result in results.iter().map(|source| &source.document) {
        // One for one needs no name.
        let sole = sole && result.rig.volumes.len() == 1;
        let is_meant = |s: &&Share| s.direction == direction && (s.volume == volume.name || (sole && !s.is_total()));
        for scenario in result.scenarios.iter().filter(|s| s.state == State::Done) {
            all.extend(scenario.measured.iter().filter(is_meant).map(|measured| Evidence {
                result,
                scenario,
                measured,
                under: Under::Its,
            }));
        }
    }
    let own = format!("demand-{level}");
    if let Some(place) = all.iter().position(|e| e.scenario.id == own) {
        return Some(all.swap_remove(place));
    }
    if !metric.more_is_better() {
        // Where loads are named for levels, another level's says nothing.
        if all.iter().any(|e| e.scenario.id.starts_with("demand-")) {
            return None;
        }
        return of_raw(volume, sole, (direction, metric), results);
    }
    let value = |e: &Evidence| metric.value_in(&e.measured.load).unwrap_or(0.0);
    all.into_iter().max_by(|a, b| value(a).total_cmp(&value(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Catalogue;
    use crate::measured::About;

    #[test]
    fn a_bound_is_held_against_the_figure_that_it_bounds() {
        let session = Session::new(Catalogue::embedded().clone());
        let fio = r#"{ "fio version": "fio-3.33", "jobs": [{ "jobname": "data", "error": 0, "job options": { "rw": "randread" },
            "read": { "io_bytes": 81920000, "io_kbytes": 80000, "total_ios": 10000, "runtime": 2000, "iops": 5000.0, "bw_bytes": 40960000,
                "lat_ns": { "min": 1000000, "max": 9000000, "mean": 2000000.0, "stddev": 1.0, "N": 10000 },
                "clat_ns": { "min": 1000000, "max": 9000000, "mean": 2000000.0, "stddev": 1.0, "N": 10000,
                    "percentile": { "50.000000": 1900000, "95.000000": 4000000, "99.000000": 6000000 } } } }] }"#;
        let cases = [
            ("read_latency_max = '2.5 ms'", Metric::LatencyMean, Verdict::Met),
            ("read_latency_p95_max = '4.1 ms'", Metric::LatencyP95, Verdict::Met),
            ("read_latency_p95_max = '3 ms'", Metric::LatencyP95, Verdict::NotMet),
            ("read_latency_p99_max = '5 ms'", Metric::LatencyP99, Verdict::NotMet),
        ];
        for (bound, metric, verdict) in cases {
            let asked = format!(
                "schema_version = 1\n[[volume]]\nname = 'data'\n{bound}\n\
                 read_iops = {{ p50 = 3000, p90 = 4000, p99 = 4500, max = 4900 }}\n"
            );
            let demand = session.requirements_of_existing("requirements.toml", &asked).unwrap();
            let about = About { volumes: &demand.volume_maps(), map: &[] };
            let mut results = session.results(&[("fio.json", fio.as_bytes())], &about).unwrap();
            // A latency says something under its own percentile's load alone.
            results[0].document.scenarios[0].id = "demand-p99".into();
            let document = session.verify(&demand, &results, TOLERANCE_PERCENT).unwrap();
            let found: Vec<_> =
                document.rows.iter().filter(|row| row.metric == metric).map(|row| row.verdict).collect();
            let open = Verdict::NotProven;
            assert_eq!(found, [open, open, verdict, open], "{bound}");
        }
    }

    /// 4 ms at 1,000 reads/s, of which 4 are in flight, hold under that load and less; a p99 of 6 ms is at no load shown to be less.
    #[test]
    fn a_latency_is_held_under_the_load_that_growth_makes() {
        let session = Session::new(Catalogue::embedded().clone());
        let fio = r#"{ "fio version": "fio-3.33", "jobs": [{ "jobname": "data", "error": 0, "job options": { "rw": "randread" },
            "read": { "io_bytes": 40960000, "io_kbytes": 40000, "total_ios": 10000, "runtime": 10000, "iops": 1000.0, "bw_bytes": 4096000,
                "lat_ns": { "min": 1000000, "max": 9000000, "mean": 4000000.0, "stddev": 1.0, "N": 10000 },
                "clat_ns": { "min": 1000000, "max": 9000000, "mean": 4000000.0, "stddev": 1.0, "N": 10000,
                    "percentile": { "50.000000": 3900000, "95.000000": 5000000, "99.000000": 6000000 } } } }] }"#;
        use Verdict::{Met, NotMet, NotProven};
        let cases = [
            (1.0, 500, "10 ms", Met),
            (3.0, 500, "10 ms", NotProven),
            (1.0, 1_500, "10 ms", NotProven),
            (0.5, 1_500, "10 ms", Met),
            (1.0, 500, "5 ms", NotProven),
            (3.0, 500, "5 ms", NotMet),
        ];
        for (growth, rate, most, verdict) in cases {
            let asked = format!(
                "schema_version = 1\ngrowth = \"{growth:?}x\"\n[[volume]]\nname = 'data'\nread_latency_p99_max = '{most}'\n\
                 read_iops = {{ p50 = {rate}, p90 = {rate}, p99 = {rate}, max = {rate} }}\n"
            );
            let demand = session.requirements_of_existing("requirements.toml", &asked).unwrap();
            let about = About { volumes: &demand.volume_maps(), map: &[] };
            let results = session.results(&[("fio.json", fio.as_bytes())], &about).unwrap();
            let document = session.verify(&demand, &results, TOLERANCE_PERCENT).unwrap();
            let found: Vec<_> =
                document.rows.iter().filter(|row| row.metric == Metric::LatencyP99).map(|row| row.verdict).collect();
            assert_eq!(found, [verdict; 4], "growth {growth}, {rate} reads/s, {most}");
        }
    }
}
