//! The table for people: what every volume got, how near each limit was, and what stops it.

use std::fmt::Write as _;

use dw_messages::{label, labels, text};

use dw_formats::scenario::Scenario;
use dw_sim::{RunResult, SeriesPoint};
use dw_workload::Direction as WorkDirection;

use super::format::{error_percent, exact_seconds, grouped, iops, mb_s, mega, milliseconds, percent, seconds};
use super::summary::{Direction, JobLine, LimitLine, Load, Summary};
use super::{Table, Text};
use crate::language::{heads, spoken};

/// Width of a bar in characters.
const BAR: usize = 20;

/// What to show next to the table.
#[derive(Clone, Copy, Debug, Default)]
pub struct Show {
    /// The service-time models and their grades.
    pub latency_models: bool,
}

/// The report, without the last line of real time, which no two runs share.
pub fn report(summary: &Summary, show: Show) -> Text {
    let mut out = Text::new();
    let lang = spoken();
    let size = summary.vm.size.clone().unwrap_or_else(|| text!(lang, "a VM of your own"));
    let edition = summary.vm.edition.as_ref();
    let edition = edition.map(|edition| format!(" ({})", text!(lang, "catalogue edition {edition}", edition)));
    let (vm, time) = (size + &edition.unwrap_or_default(), duration(summary));
    let first = match summary.has_host_cache() {
        true => text!(
            lang,
            "{vm}, {time}, host cache {cache} at the start, seed {seed}",
            vm,
            time,
            cache = lang.word(&summary.start.cache),
            seed = summary.seed
        ),
        false => text!(lang, "{vm}, {time}, seed {seed}", vm, time, seed = summary.seed),
    };
    let _ = writeln!(out, "{first}");
    if summary.partial {
        let _ = writeln!(out, "{}", text!(lang, "PARTIAL: stopped before the jobs ended"));
    }
    out += "\n";
    out += jobs(&summary.jobs);
    out += volumes(summary);
    out += errors(summary);
    if !summary.syncs.is_empty() {
        out += "\n";
        out += syncs(summary);
    }
    out += "\n";
    out += limits(summary);
    out += "\n";
    let busy = |name: &str| summary.volumes.iter().any(|v| v.name == name && v.load.all.ios > 0);
    for binding in summary.binding_limits.iter().filter(|b| busy(&b.volume)) {
        out.sentence("", &binding.sentence.text);
    }
    for line in on_demand(summary) {
        out.sentence("", &line);
    }
    for note in summary.leaps.iter().map(|leaps| &leaps.sentence).chain(&summary.notes) {
        out.sentence(&format!("{}: ", text!(lang, "note")), &note.text);
    }
    for doubt in &summary.doubts {
        out.sentence(&format!("{}: ", text!(lang, "doubt")), &doubt.text.text);
    }
    for sentence in &summary.latency {
        out.sentence("", &sentence.text);
    }
    if show.latency_models {
        out += "\n";
        out += latency_models(summary);
    }
    out
}

/// How long it ran, and what of it counts.
fn duration(summary: &Summary) -> String {
    let lang = spoken();
    let [all, counted] = [summary.virtual_s, summary.counted_s].map(|s| lang.figure(&seconds(s)));
    if all == counted {
        return text!(lang, "{all} of virtual time", all);
    }
    text!(lang, "{counted} counted of {all} of virtual time", counted, all)
}

/// The closing line: how much was simulated, in what time.
pub fn closing(summary: &Summary) -> String {
    let wall_s = summary.wall_s.unwrap_or(0.0);
    format!(
        "simulated {} I/Os, {} of virtual time in {:.2} s ({} million I/Os per second)",
        grouped(summary.simulated_ios as f64),
        seconds(summary.virtual_s),
        wall_s,
        format_args!("{:.1}", summary.simulated_ios as f64 / wall_s.max(1e-9) / 1e6),
    )
}

/// What each job came to, with a verdict; empty without lines.
fn jobs(lines: &[JobLine]) -> Text {
    if lines.is_empty() {
        return Text::new();
    }
    let ms = |value: Option<f64>| value.map_or("-".to_string(), milliseconds);
    let lang = spoken();
    let mut rows = vec![heads(&labels!["job", "IOPS", "MB/s", "asked", "mean ms", "p99 ms", ""])];
    for line in lines {
        let asked = match (line.asked_iops, line.asked_bytes_per_s) {
            (Some(asked), _) => format!("{} IOPS", iops(asked)),
            (None, Some(asked)) => format!("{} MB/s", mega(asked, 1e6)),
            (None, None) => "-".into(),
        };
        let verdict = match line.reached {
            Some(true) => text!(lang, "reached"),
            Some(false) => text!(lang, "NOT REACHED"),
            None => String::new(),
        };
        rows.push(vec![
            line.name.clone(),
            iops(line.iops),
            mega(line.bytes_per_s, 1e6),
            asked,
            ms(line.latency_ns.as_ref().map(|l| l.mean)),
            ms(line.latency_ns.as_ref().map(|l| l.p99 as f64)),
            verdict,
        ]);
    }
    let mut out = Text::from(Table::new(rows, &[0, 6]));
    let short: Vec<&str> = lines.iter().filter(|l| l.reached == Some(false)).map(|l| l.name.as_str()).collect();
    if !short.is_empty() {
        out += format!("{}\n", text!(lang, "TARGET RATE MISSED by {jobs}", jobs = lang.list(&short)));
    } else if lines.iter().any(|line| line.reached.is_some()) {
        out += format!("{}\n", text!(lang, "all jobs reached their target rates"));
    }
    out += "\n";
    if lines.iter().any(|line| line.phase != lines[0].phase) {
        let line = text!(
            lang,
            "Jobs ran one after the other. Each limit is shown for the jobs that used most of it; volume rates are averages over all jobs."
        );
        out += format!("{line}\n\n");
    }
    out
}

fn volumes(summary: &Summary) -> Table {
    let head = labels![
        "volume",
        "",
        "IOPS",
        "MB/s",
        "MiB/s",
        "mean ms",
        "p50 ms",
        "p99 ms",
        "p99.9 ms",
        "queue depth",
        "cache hits"
    ];
    let mut rows = vec![heads(&head)];
    for volume in &summary.volumes {
        let hits = volume.cache.as_ref().and_then(|c| c.hit_percent).map_or("-".to_string(), percent);
        load_rows(&mut rows, &volume.name, &volume.load, &hits);
    }
    if summary.volumes.len() > 1 {
        rows.push(load_row(
            spoken().label(label!("total")),
            "all",
            &summary.total.all,
            Some(summary.total.queue_depth),
            "",
        ));
    }
    Table::new(rows, &[0, 1])
}

/// How well the figures of a run are known that was leapt over; empty for one that was not.
fn errors(summary: &Summary) -> Text {
    let lines = summary.leaps.iter().flat_map(|leaps| &leaps.errors);
    let within = |percent: f64| format!("± {}", error_percent(percent));
    let mut rows: Vec<Vec<String>> = lines
        .map(|line| {
            let figures =
                [line.iops_percent, line.mean_percent, line.p50_percent, line.p99_percent, line.p99_9_percent];
            let mut row = vec![line.volume.clone(), spoken().word(&line.direction).to_string()];
            row.extend(figures.map(|percent| format!("{} %", within(percent))));
            row.push(line.hits_points.map_or("-".into(), |points| text!(spoken(), "{n} points", n = within(points))));
            row
        })
        .collect();
    if rows.is_empty() {
        return Text::new();
    }
    rows.insert(0, heads(&labels!["99 % error", "", "IOPS", "mean", "p50", "p99", "p99.9", "cache hits"]));
    let mut out = Text::new();
    out += "\n";
    out += Table::new(rows, &[0, 1]);
    out
}

fn syncs(summary: &Summary) -> Table {
    let head = labels!["fsync of", "", "per second", "mean ms", "p50 ms", "p99 ms", "p99.9 ms", "max ms"];
    let mut rows = vec![heads(&head)];
    for sync in &summary.syncs {
        let l = &sync.latency_ns;
        let what = if sync.writes_out { label!("writes and flush") } else { label!("flush") };
        let what = spoken().label(what);
        let mut row = vec![sync.name.clone(), what.to_string(), format!("{:.0}", sync.per_s), milliseconds(l.mean)];
        row.extend([l.p50, l.p99, l.p99_9, l.max].map(|ns| milliseconds(ns as f64)));
        rows.push(row);
    }
    Table::new(rows, &[0, 1])
}

fn load_rows(rows: &mut Vec<Vec<String>>, name: &str, load: &Load, hits: &str) {
    let parts = [("read", &load.read), ("write", &load.write), ("trim", &load.trim)];
    let present: Vec<(&str, &Direction)> = parts.iter().filter_map(|(n, d)| d.as_ref().map(|d| (*n, d))).collect();
    let single = present.len() == 1;
    for (index, (direction, part)) in present.iter().enumerate() {
        let hits = if *direction == "read" { hits } else { "-" };
        let name = if index == 0 { name } else { "" };
        rows.push(load_row(name, direction, part, single.then_some(load.queue_depth), hits));
    }
    if present.is_empty() {
        rows.push(load_row(name, "idle", &load.all, Some(load.queue_depth), "-"));
    } else if !single {
        rows.push(load_row("", "all", &load.all, Some(load.queue_depth), ""));
    }
}

fn load_row(name: &str, direction: &str, part: &Direction, depth: Option<f64>, hits: &str) -> Vec<String> {
    let latency = part.latency_ns.as_ref();
    let ms = |value: Option<f64>| value.map_or("-".to_string(), milliseconds);
    vec![
        name.to_string(),
        spoken().word(direction).to_string(),
        iops(part.iops),
        mega(part.bytes_per_s, 1e6),
        mega(part.bytes_per_s, 1_048_576.0),
        ms(latency.map(|l| l.mean)),
        ms(latency.map(|l| l.p50 as f64)),
        ms(latency.map(|l| l.p99 as f64)),
        ms(latency.map(|l| l.p99_9 as f64)),
        depth.map_or(String::new(), |d| format!("{d:.1}")),
        hits.to_string(),
    ]
}

fn limits(summary: &Summary) -> Table {
    let mut rows = vec![heads(&labels!["limit", "used", "available", "left of the limit", "", ""])];
    for line in summary.limits.iter().filter(|l| l.used > 0.0 || l.id.is_vm()) {
        rows.push(limit_row(line));
    }
    Table::new(rows, &[0, 4, 5])
}

fn limit_row(line: &LimitLine) -> Vec<String> {
    let lang = spoken();
    let name = lang.limit(&line.name());
    let amount = |value: f64| if line.unit == "IOPS" { format!("{} IOPS", iops(value)) } else { mb_s(value) };
    let mut remark: Vec<String> = line.while_ran.iter().map(|jobs| text!(lang, "while {jobs} ran", jobs)).collect();
    if !line.holds.is_empty() {
        remark.push(format!("<- {}", text!(lang, "throttles {volumes}", volumes = lang.list(&line.holds))));
    }
    if line.credits_max.is_some_and(|max| max > 0) {
        let share = line.credits_left.unwrap_or(0) as f64 / line.credits_max.unwrap_or(1) as f64 * 100.0;
        remark.push(text!(lang, "credits left: {share}", share = lang.figure(&percent(share))));
    }
    vec![
        name,
        amount(line.used),
        amount(line.available),
        percent(line.headroom_percent),
        bar(100.0 - line.headroom_percent),
        remark.join(lang.between()),
    ]
}

/// What on-demand bursting bills, volume by volume.
fn on_demand(summary: &Summary) -> Vec<String> {
    let counted = summary.volumes.iter().filter_map(|volume| Some((volume, volume.billed_transactions?)));
    let line = |(volume, transactions): (&super::summary::VolumeLine, u64)| {
        let lang = spoken();
        text!(
            lang,
            "On-demand bursting of {volume} ({disks}): {n} transactions beyond the target in {time} of virtual time, billed next to its monthly fee.",
            volume = volume.name,
            disks = volume.disks,
            n = lang.figure(&grouped(transactions as f64)),
            time = lang.figure(&seconds(summary.virtual_s))
        )
    };
    counted.map(line).collect()
}

fn bar(used_percent: f64) -> String {
    let filled = ((used_percent / 100.0 * BAR as f64).round() as usize).min(BAR);
    format!("[{}{}]", "#".repeat(filled), ".".repeat(BAR - filled))
}

fn latency_models(summary: &Summary) -> Table {
    let mut rows = vec![heads(&labels!["service time of", "model", "setting", "grade", "because"])];
    for model in &summary.latency_models {
        let setting = model.setting.clone().unwrap_or_else(|| "-".into());
        rows.push(vec![model.place.clone(), model.model.clone(), setting, model.grade.clone(), model.reason.clone()]);
    }
    Table::new(rows, &[0, 1, 2, 3, 4])
}

/// The time series as a table: one line an interval, volume and direction.
pub fn series(scenario: &Scenario, result: &RunResult) -> Table {
    let head = labels!["until", "volume", "", "IOPS", "MB/s", "mean ms", "p99 ms", "max ms", "cache hits", "waits at"];
    let mut rows = vec![heads(&head)];
    let interval = result.series_interval.map_or(0.0, |i| i.ns() as f64 / 1e9);
    // What is left after the last whole interval is mostly the draining of what was in flight: no rate to read off.
    for point in result.series.iter().filter(|p| super::interval_s(result, p) >= interval / 10.0) {
        rows.push(series_row(scenario, result, point));
    }
    Table::new(rows, &[1, 2, 9])
}

fn series_row(scenario: &Scenario, result: &RunResult, point: &SeriesPoint) -> Vec<String> {
    let length = super::interval_s(result, point);
    let ios = point.ios as f64;
    let fine = result.series_interval.is_some_and(|i| i.ns() % 100_000_000 != 0);
    let until = point.at.ns();
    let hits = match point.direction {
        WorkDirection::Read if point.ios > 0 => percent(point.cache_hits as f64 / ios * 100.0),
        _ => "-".to_string(),
    };
    vec![
        if fine { format!("{} s", exact_seconds(until)) } else { seconds(until as f64 / 1e9) },
        scenario.volumes[usize::from(point.volume)].name.clone(),
        spoken().word(super::direction_name(point.direction)).to_string(),
        iops(ios / length),
        mega(point.bytes as f64 / length, 1e6),
        if point.ios > 0 { milliseconds(point.latency_sum as f64 / ios) } else { "-".to_string() },
        point.latency_p99.map_or("-".to_string(), |ns| milliseconds(ns as f64)),
        milliseconds(point.latency_max as f64),
        hits,
        match point.binding {
            Some(stage) => spoken().limit(&super::stage_name(&scenario.stack, point.volume, stage)),
            None => "-".to_string(),
        },
    ]
}
