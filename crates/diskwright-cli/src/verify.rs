//! `diskwright verify`: the checklist again on the prototype: what was required, what was predicted, what was measured, and why
//! they differ.
//!
//! Lives here: which measurement proves which requirement, verdicts, attribution.
//! Never here: running anything.
//! Read next: `verify/cause.rs` (why they differ), `verify/document.rs`.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dw_error::{Error, Result};
use dw_formats::fio::VolumeMap;
use dw_formats::requirements;
use dw_formats::results::{About, Map};
use dw_messages::say;
use dw_observe::requirements::{Requirements, VolumeRequirements};
use dw_workload::wishes::{VolumeWishes, Wishes};

use crate::bench::document::{BenchDocument, Metric, Scenario, Share, State};
use crate::exit::Exit;
use crate::report::Text;
use crate::{input, measured, output, to_stderr};

mod cause;
pub use dw_documents::verify as document;
mod text;

use document::{Verdict, VerifyDocument, VerifyRow};

const EXAMPLES: &str = "Examples:
  diskwright bench rig.toml --suite checklist --requirements requirements.toml --target data=/dev/sdc --output result.json --format json
  diskwright verify requirements.toml result.json
  diskwright verify requirements.toml bench-checklist/bench.json bench-design-guide/bench.json --tolerance 5
  diskwright verify requirements.toml fio.json diskspd.txt --map job1=data --map 'D:\\log.dat=log'

Exit codes: 0 everything required was measured and met, 2 usage, 3 wrong input, 5 something is not met or not proven.";

/// Options of `verify`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct VerifyArgs {
    /// What was asked for
    #[arg(value_name = "REQUIREMENTS.toml")]
    pub requirements: PathBuf,
    /// Results of `diskwright bench`, as JSON, or of fio, DiskSpd or Iometer as they print them
    #[arg(value_name = "RESULT", required = true)]
    pub results: Vec<PathBuf>,
    /// Which volume a job, worker or target of such a result is; `-` leaves it out
    #[arg(long, value_name = "NAME=VOLUME")]
    pub map: Vec<Map>,
    /// How far a figure may be off, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 3.0, value_parser = dw_units::decimal)]
    pub tolerance: f64,
    /// What to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: VerifyFormat,
    /// Write the result to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Forms of a verification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum VerifyFormat {
    /// A table for people
    #[default]
    Table,
    /// Everything, with a schema (`diskwright schema verify`)
    Json,
    /// A table for a page of text
    Markdown,
    /// One line a requirement
    Csv,
}

/// Verifies and reports.
pub fn run(args: &VerifyArgs, out: &mut dyn Write) -> Result<Exit> {
    if !(0.0..100.0).contains(&args.tolerance) {
        let hint = "write a percentage from 0 to 99, for example `--tolerance 3`";
        return Err(Error::usage(format!("`--tolerance {}` is out of range", args.tolerance)).hint(hint));
    }
    let text = input::read_file(&args.requirements)?;
    let name = input::name(&args.requirements);
    let (asked, wishes) = requirements::read_for_explain(&name, &text, crate::in_use::catalogue())
        .map_err(|errors| errors.within(&text))?;
    let named = |v: &VolumeRequirements| VolumeMap { name: v.name.clone(), ..VolumeMap::default() };
    let volumes: Vec<VolumeMap> = asked.volumes.iter().map(named).collect();
    let about = About { volumes: &volumes, map: &args.map };
    let sources = measured::read_all(&args.results, &about)?;
    for source in &sources {
        for (scenario, why) in source.document.scenarios.iter().zip(&source.cached) {
            let Some(why) = why else { continue };
            to_stderr(&format!("warning: {}: `{}`: {why}\n", source.document.rig.file, scenario.id));
        }
    }
    let results = sources.into_iter().map(|s| s.document).collect::<Vec<_>>();
    let document = verify(&name, &asked, &wishes, &results, args.tolerance / 100.0);
    if document.rows.is_empty() {
        let hint = "write for example `read_iops` of a [[volume]]";
        return Err(Error::input("nothing is required that a benchmark could show").hint(hint).of_file(name));
    }
    let text = match args.format {
        VerifyFormat::Table => text::table(&document),
        VerifyFormat::Json => Text::verbatim(serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"),
        VerifyFormat::Markdown => Text::verbatim(text::markdown(&document)),
        VerifyFormat::Csv => Text::verbatim(text::csv(&document)),
    };
    output::show(&text, args.output.as_deref(), out)?;
    if document.verdict == Verdict::Met {
        return Ok(Exit::Ok);
    }
    Err(Error::new(dw_error::Kind::NotVerified, document.answer.text))
}

/// The percentiles of a requirement, by name.
const LEVELS: [(&str, f64); 4] = [("p50", 50.0), ("p90", 90.0), ("p99", 99.0), ("max", 100.0)];

/// Every requirement against the results.
pub fn verify(
    name: &str,
    asked: &Requirements,
    wishes: &Wishes,
    results: &[BenchDocument],
    tolerance: f64,
) -> VerifyDocument {
    let mut rows = Vec::new();
    let sole = asked.volumes.len() == 1;
    for (volume, wished) in asked.volumes.iter().zip(&wishes.volumes) {
        for (direction, metric, values) in figures(volume, wished, asked.growth) {
            for ((level, _), required) in LEVELS.into_iter().zip(values) {
                if required > 0.0 {
                    rows.push(row(volume, sole, (direction, metric), level, required, results, tolerance));
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
    let results = results.iter().map(|r| format!("{} of {}", r.suite, r.rig.file)).collect();
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
        if let Some(bound) = bound {
            figures.push((direction, Metric::LatencyMean, [bound.ns() as f64; 4]));
        } else if let Some(levels) = latency {
            figures.push((direction, Metric::LatencyMean, LEVELS.map(|(_, p)| levels.at(p).ns() as f64)));
        }
    }
    figures
}

/// A share of a scenario, with where it is from.
struct Evidence<'a> {
    result: &'a BenchDocument,
    scenario: &'a Scenario,
    measured: &'a Share,
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
    level: &str,
    required: f64,
    results: &[BenchDocument],
    tolerance: f64,
) -> VerifyRow {
    let evidence = evidence(volume, sole, direction, metric, level, results);
    let measured = evidence.as_ref().and_then(|e| metric.of(&e.measured.load));
    let predicted = evidence.as_ref().and_then(|e| metric.of(&e.predicted()?.load));
    let verdict = match measured {
        None => Verdict::NotProven,
        Some(got) if crate::bench::rows::meets(metric, required, got, tolerance) => Verdict::Met,
        Some(_) => Verdict::NotMet,
    };
    let cause = evidence.as_ref().and_then(|e| {
        let case = cause::Case {
            result: e.result,
            scenario: e.scenario,
            measured: e.measured,
            predicted: e.predicted()?,
            metric,
        };
        Some(cause::of(&case, tolerance))
    });
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
        scenario: evidence.map(|e| e.scenario.id.clone()),
        cause,
    }
}

/// The measurement that a requirement is held against: that under its own percentile's load; for rates else the highest
/// that any scenario reached.
fn evidence<'a>(
    volume: &VolumeRequirements,
    sole: bool,
    direction: &str,
    metric: Metric,
    level: &str,
    results: &'a [BenchDocument],
) -> Option<Evidence<'a>> {
    let mut all = Vec::new();
    for result in results {
        // One for one needs no name.
        let sole = sole && result.rig.volumes.len() == 1;
        let is_meant = |s: &&Share| s.direction == direction && (s.volume == volume.name || (sole && !s.is_total()));
        for scenario in result.scenarios.iter().filter(|s| s.state == State::Done) {
            all.extend(scenario.measured.iter().filter(is_meant).map(|measured| Evidence {
                result,
                scenario,
                measured,
            }));
        }
    }
    let own = format!("demand-{level}");
    if let Some(place) = all.iter().position(|e| e.scenario.id == own) {
        return Some(all.swap_remove(place));
    }
    let value = |e: &Evidence| metric.of(&e.measured.load).unwrap_or(0.0);
    all.into_iter().filter(|_| metric.more_is_better()).max_by(|a, b| value(a).total_cmp(&value(b)))
}
