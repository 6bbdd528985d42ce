//! What a benchmark adds to the sections: its curves, latencies, seconds, what spoils it, how it was run.

use dw_documents::bench::{BenchDocument, Scenario, Second, Share};

use dw_messages::{Label, Language, label, labels, text};

use super::words::{directions, sampled};
use crate::chart::{Series, curve, over_time, percentiles};
use crate::content::{Block, Column, Level, Table};
use crate::format::{iops, milliseconds};

/// Scenarios whose latencies are drawn, and lines of one chart.
const DRAWN: usize = 6;
/// Rows of a table under a chart.
const ROWS: usize = 24;

/// A line of a curve: place on its axis and value.
type Points = Vec<(f64, f64)>;

/// IOPS along each curve, predicted and measured.
pub(super) fn curves(name: &str, bench: &BenchDocument, lang: &Language) -> Vec<Block> {
    let mut names: Vec<&str> = Vec::new();
    for point in bench.scenarios.iter().filter_map(|s| s.point.as_ref()) {
        if !names.contains(&point.curve.as_str()) {
            names.push(&point.curve);
        }
    }
    let draw = |which: &str| {
        let on_it: Vec<(f64, &Scenario)> = bench
            .scenarios
            .iter()
            .filter_map(|s| s.point.as_ref().filter(|p| p.curve == which).map(|p| (p.value, s)))
            .collect();
        let unit = on_it.first().and_then(|(_, s)| s.point.as_ref());
        let of = |pick: &dyn Fn(&Scenario) -> &[Share]| -> Points {
            let all = |shares: &[Share]| {
                let whole = shares.iter().find(|s| s.is_total());
                whole.or(shares.first()).map(|s| s.load.iops)
            };
            on_it.iter().filter_map(|(at, s)| Some((*at, all(pick(s))?))).collect()
        };
        let mut lines =
            vec![(text!(lang, "predicted"), of(&|s| &s.predicted)), (text!(lang, "measured"), of(&|s| &s.measured))];
        lines.retain(|line| !line.1.is_empty());
        let (axis, suffix) = unit.map_or(("", ""), |p| (p.axis.as_str(), p.unit.as_str()));
        let title = text!(lang, "{which}: IOPS by {axis} ({name})", which, axis, name);
        let label = |v: f64| format!("{v} {suffix}").trim_end().to_string();
        let chart = curve(&title, &lines, &label, &iops)?;
        let head = std::iter::once(Column::figures(axis)).chain(lines.iter().map(|l| Column::figures(&l.0)));
        let mut table = Table::with_columns(&title, head.collect());
        for (at, _) in &on_it {
            let cell = |l: &(String, Points)| l.1.iter().find(|p| p.0 == *at).map_or("-".into(), |p| iops(p.1));
            table.row(std::iter::once(label(*at)).chain(lines.iter().map(cell)));
        }
        Some(Block::Chart(chart, table))
    };
    let mut blocks: Vec<Block> = names.into_iter().filter_map(draw).collect();
    if !bench.findings.is_empty() {
        blocks.push(Block::List(bench.findings.iter().map(|f| f.text.to_string()).collect()));
    }
    blocks
}

/// Percentiles of each scenario, both sides in one chart.
pub(super) fn latencies(name: &str, bench: &BenchDocument, lang: &Language) -> Vec<Block> {
    let of = |side: &str, shares: &[Share]| -> Vec<(String, Points)> {
        let parts = shares.iter().filter(|s| !s.is_total());
        let line = |s: &Share| {
            let l = s.load.latency_ns.as_ref()?;
            let points = [(50.0, l.p50), (90.0, l.p90), (99.0, l.p99), (99.9, l.p99_9)];
            let points = points.into_iter().filter_map(|(percent, ns)| Some((percent, ns? as f64))).collect();
            Some((format!("{} {}, {side}", s.volume, directions(&s.direction, lang)), points))
        };
        parts.filter_map(line).collect()
    };
    let draw = |s: &Scenario| {
        let mut lines = of(lang.label(label!("predicted")), &s.predicted);
        lines.extend(of(lang.label(label!("measured")), &s.measured));
        lines.truncate(DRAWN);
        let title = text!(lang, "{title}: latency by percentile ({name})", title = s.title, name);
        let chart = percentiles(&title, &lines)?;
        let head = labels!["volume and direction", "#p50 (ms)", "#p90 (ms)", "#p99 (ms)", "#p99.9 (ms)"];
        let mut table = Table::new(lang, &title, &head);
        for (line, points) in &lines {
            let cell = |percent: f64| points.iter().find(|p| p.0 == percent).map_or("-".into(), |p| milliseconds(p.1));
            table.row(std::iter::once(line.clone()).chain([50.0, 90.0, 99.0, 99.9].map(cell)));
        }
        Some(Block::Chart(chart, table))
    };
    bench.scenarios.iter().take(DRAWN).filter_map(draw).collect()
}

/// I/Os second by second, where there are enough seconds to draw.
pub(super) fn seconds(name: &str, bench: &BenchDocument, lang: &Language) -> Vec<Block> {
    let draw = |s: &Scenario| {
        let line = |name: Label, of: &dyn Fn(&Second) -> f64| {
            Series::new(lang.label(name), s.series.iter().map(|p| (p.at_s, Some(of(p)))).collect())
        };
        let series = [line(label!("reads"), &|p| p.read_iops), line(label!("writes"), &|p| p.write_iops)];
        let title = text!(lang, "{title}: measured IOPS, second by second ({name})", title = s.title, name);
        let chart = over_time(lang, &title, &series, &iops)?;
        let mut table = Table::new(lang, &title, &labels!["#second", "#reads", "#writes"]);
        for at in sampled(s.series.len(), ROWS) {
            let p = &s.series[at];
            table.row([format!("{:.0}", p.at_s), iops(p.read_iops), iops(p.write_iops)]);
        }
        Some(Block::Chart(chart, table))
    };
    bench.scenarios.iter().filter(|s| s.series.len() > 2).take(DRAWN).filter_map(draw).collect()
}

/// What spoils the figures.
pub(super) fn doubts(bench: &BenchDocument, lang: &Language) -> Vec<Block> {
    let mut blocks = Vec::new();
    if bench.partial {
        let text = text!(lang, "The benchmark was stopped before its end: its figures are those up to then.");
        blocks.push(Block::Said(Level::Warning, text));
    }
    for scenario in &bench.scenarios {
        if let Some(why) = &scenario.failure {
            blocks.push(Block::Said(
                Level::Critical,
                text!(lang, "{scenario} failed: {why}", scenario = scenario.title, why),
            ));
        }
    }
    for warning in &bench.warnings {
        let which = warning.scenario.as_ref().map_or(String::new(), |id| format!("{}: ", bench.title(id)));
        blocks.push(Block::Said(Level::Warning, format!("{which}{}", warning.text)));
    }
    blocks
}

/// How it was run: suite, machine, the job files.
pub(super) fn sources(name: &str, bench: &BenchDocument, table: &mut Table, lang: &Language) {
    let fio = bench.fio.as_ref().map_or_else(|| text!(lang, "virtual time"), |fio| fio.version.clone());
    let machine = bench.machine.as_ref().map_or(String::new(), |m| {
        let processor = m.processor.as_deref().map_or_else(|| text!(lang, "processors"), String::from);
        format!("; {}, {} x {processor}", m.kernel, m.processors)
    });
    table.row([
        name.to_string(),
        "diskwright bench".into(),
        format!("{}, {}, {fio}{machine}", bench.suite, bench.mode.word()),
    ]);
}
