//! A benchmark's result for people: a table, Markdown, CSV.

use std::fmt::Write as _;

use dw_messages::{Label, label, labels, text};
use dw_report::markdown::{self, plain};

use super::document::{BenchDocument, Metric, Mode, Row, Scenario, Share, State};
use crate::language::{heads, spoken};
use crate::output;
use crate::report::{Table, Text, format};

pub fn table(document: &BenchDocument) -> Text {
    let mut out = Text::from(format!("{}\n", heading(document)));
    if let Some(scaled) = &document.procedure.scaled {
        let _ = writeln!(out, "{}", text!(spoken(), "scaled: {how}", how = scaled));
    }
    out += "\n";
    let head = heads(&HEAD);
    let rows: Vec<Vec<String>> =
        std::iter::once(head).chain(document.rows.iter().map(|row| cells(document, row))).collect();
    out += Table::new(rows, &[0, 1, 2, 8]);
    for scenario in document.scenarios.iter().filter(|s| s.state != State::Done && document.mode != Mode::Simulated) {
        let _ = writeln!(out, "{}: {}", scenario.id, not_done(scenario));
    }
    if !document.findings.is_empty() {
        out += "\n";
    }
    for finding in &document.findings {
        let _ = writeln!(out, "{}", finding.text);
    }
    if !document.warnings.is_empty() {
        out += "\n";
    }
    for (about, text) in warnings(document) {
        let _ = writeln!(out, "{}: {about}{text}", text!(spoken(), "warning"));
    }
    if !document.rig.latency_from.is_empty() {
        out += "\n";
    }
    for sentence in &document.rig.latency_from {
        out.sentence("", &sentence.text);
    }
    out
}

const HEAD: [Label; 9] =
    labels!["scenario", "volume", "", "required", "predicted", "measured", "difference", "p99 ms", "throttled by"];

fn not_done(scenario: &Scenario) -> String {
    match (scenario.state, &scenario.failure) {
        (State::Partial, _) => text!(spoken(), "stopped before its end"),
        (State::Failed, Some(why)) => text!(spoken(), "failed: {why}", why),
        _ => text!(spoken(), "not run"),
    }
}

/// Each warning; those of one kind about several scenarios once, with the first one's figures.
fn warnings(document: &BenchDocument) -> Vec<(String, &str)> {
    let mut list = Vec::new();
    for (place, warning) in document.warnings.iter().enumerate() {
        let Some(id) = &warning.scenario else {
            list.push((String::new(), warning.text.text.as_str()));
            continue;
        };
        let same = |w: &&super::document::Warning| w.kind == warning.kind && w.scenario.is_some();
        if document.warnings[..place].iter().any(|w| same(&w)) {
            continue;
        }
        let others = document.warnings[place + 1..].iter().filter(same).count();
        let more =
            if others == 0 { String::new() } else { format!(" {}", text!(spoken(), "and {n} more", n = others)) };
        list.push((format!("{id}{more}: "), warning.text.text.as_str()));
    }
    list
}

/// What was done, in a line.
fn heading(document: &BenchDocument) -> String {
    let lang = spoken();
    let how = lang.label(match document.mode {
        Mode::Disks => label!("fio on real targets"),
        Mode::Emulated => label!("fio on the emulated rig"),
        Mode::Simulated => label!("in virtual time"),
    });
    let vm = document.rig.vm.clone().unwrap_or_else(|| text!(lang, "a VM of its own"));
    let time = lang.figure(&format::seconds(document.procedure.measure_s));
    let each = text!(lang, "{time} a scenario", time);
    let mut parts = vec![vm, document.suite.clone(), how.into(), each];
    parts.extend(document.partial.then(|| text!(lang, "not finished")));
    lang.list(&parts)
}

fn cells(document: &BenchDocument, row: &Row) -> Vec<String> {
    let lang = spoken();
    let scenario = document.scenarios.iter().find(|s| s.id == row.scenario);
    let p99 = scenario.and_then(|s| {
        let is = |share: &&Share| share.volume == row.volume && share.direction == row.direction;
        let share = s.measured.iter().find(is).or_else(|| s.predicted.iter().find(is))?;
        Some(format::milliseconds(share.load.latency_ns.as_ref()?.p99? as f64))
    });
    let required = match (row.met, row.measured.is_some()) {
        (Some(true), true) => text!(lang, "{figure} met", figure = row.metric.shown(row.required)),
        (Some(false), true) => text!(lang, "{figure} not met", figure = row.metric.shown(row.required)),
        (Some(true), false) => text!(lang, "{figure} expected", figure = row.metric.shown(row.required)),
        (Some(false), false) => text!(lang, "{figure} not expected", figure = row.metric.shown(row.required)),
        (None, _) => "-".into(),
    };
    let direction = match row.metric {
        Metric::Iops => format!("{} IOPS", lang.word(&row.direction)),
        Metric::Throughput => format!("{} MB/s", lang.word(&row.direction)),
        metric => format!("{} {}", lang.word(&row.direction), lang.word(metric.words())),
    };
    vec![
        row.scenario.clone(),
        row.volume.clone(),
        direction,
        required,
        row.metric.shown(row.predicted),
        row.metric.shown(row.measured),
        row.difference_percent.map_or("-".into(), |d| format!("{d:+.1} %")),
        p99.unwrap_or("-".into()),
        row.limit.as_ref().map_or("-".into(), |limit| lang.limit(limit)),
    ]
}

/// The same for a page of text.
pub fn markdown(document: &BenchDocument) -> String {
    let mut out = format!("# {}\n\n", plain(&heading(document)));
    if let Some(scaled) = &document.procedure.scaled {
        let _ = writeln!(out, "{}{}\n", text!(spoken(), "Scaled: {how}", how = scaled), spoken().stop());
    }
    out += &markdown::table(&heads(&HEAD), &[3, 4, 5, 6, 7], document.rows.iter().map(|row| cells(document, row)));
    for (title, list) in [
        (label!("Findings"), document.findings.iter().map(|f| f.text.to_string()).collect::<Vec<_>>()),
        (label!("Warnings"), warnings(document).into_iter().map(|(about, text)| format!("{about}{text}")).collect()),
        (label!("Latency"), document.rig.latency_from.iter().map(ToString::to_string).collect()),
    ] {
        if !list.is_empty() {
            let _ = writeln!(out, "\n## {}\n", spoken().label(title));
            list.iter().for_each(|text| out += &format!("- {}\n", plain(text)));
        }
    }
    out
}

/// One line per figure, in base units.
pub fn csv(document: &BenchDocument) -> String {
    let head = [
        "scenario",
        "volume",
        "direction",
        "metric",
        "unit",
        "required",
        "predicted",
        "measured",
        "difference_percent",
        "met",
        "limit",
    ];
    let number = |n: Option<f64>| n.map_or(String::new(), |n| format!("{n:.3}"));
    let record = |row: &Row| {
        vec![
            row.scenario.clone(),
            row.volume.clone(),
            row.direction.clone(),
            output::word(row.metric),
            row.unit.clone(),
            number(row.required),
            number(row.predicted),
            number(row.measured),
            number(row.difference_percent),
            row.met.map_or(String::new(), |met| met.to_string()),
            row.limit.clone().unwrap_or_default(),
        ]
    };
    output::csv(&head, document.rows.iter().map(record))
}
