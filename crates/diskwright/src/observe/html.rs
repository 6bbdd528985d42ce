//! One page with everything: tables, plots, doubts. It needs nothing from anywhere else.

use std::fmt::Write as _;

use dw_workload::observed::checklist::{Provenance, Unit};
use dw_workload::observed::series::Point;
use dw_workload::observed::{Observation, VolumeObserved};

use super::plot::{self, Line, escape};
use super::shown;

const STYLE: &str = "
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#5b6570;--rule:#d9dee3;--a:#1f6feb;--b:#b4470d;--c:#1a7f37}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#0d1117;--soft:#9aa5b1;--rule:#30363d;--a:#58a6ff;--b:#f0883e;--c:#56d364}}
body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:960px;margin:2em auto;padding:0 1em}
h1{font-size:1.6em}h2{margin-top:2em;border-top:1px solid var(--rule);padding-top:.8em}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.2em .5em;border-bottom:1px solid var(--rule);text-align:right;vertical-align:top}
th:first-child,td:first-child,td.text,th.text{text-align:left}
td.text{color:var(--soft);font-size:.85em}tr.unknown td{color:var(--soft)}
svg{width:100%;height:auto;font:11px system-ui,sans-serif;fill:var(--soft)}svg.half{width:49%;min-width:300px}
.grid{stroke:var(--rule)}.line{fill:none;stroke-width:1.5}
.line.c0,.bar{stroke:var(--a)}.bar{fill:var(--a)}text.c0{fill:var(--a)}.line.c1{stroke:var(--b)}text.c1{fill:var(--b)}
.line.c2{stroke:var(--c)}text.c2{fill:var(--c)}
li.critical b{color:#cf222e}li.warning b{color:#9a6700}@media(prefers-color-scheme:dark){li.critical b{color:#ff7b72}li.warning b{color:#d29922}}
figure{margin:1em 0}figcaption{color:var(--soft);font-size:.85em}
figure{overflow-x:auto}svg:not(.half){min-width:600px}
@media(max-width:700px){thead{display:none}table,tbody{display:block}
tr{display:grid;grid-template-columns:repeat(5,1fr);border-bottom:1px solid var(--rule);padding:.4em 0}
td{border:0;padding:0 .2em;font-size:.8em;overflow-wrap:anywhere}td:first-child,td.text{grid-column:1/-1}td:first-child{font-size:.95em}
td:nth-child(n+2):nth-child(-n+6)::before{display:block;color:var(--soft);font-size:.85em}td:nth-child(2)::before{content:'p50'}
td:nth-child(3)::before{content:'p90'}td:nth-child(4)::before{content:'p99'}td:nth-child(5)::before{content:'max'}
td:nth-child(6)::before{content:'mean'}td:nth-child(7){display:none}}
@media print{body{max-width:none}h2{break-after:avoid}figure{break-inside:avoid}}
";

/// The page.
pub fn page(observation: &Observation, names: &[String]) -> String {
    let machine = observation.machine.as_deref().unwrap_or("a machine");
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>What {0} asks of its disks</title><style>{STYLE}</style></head><body>\n<h1>What {0} asks of its disks</h1>\n<ul>\n",
        escape(machine)
    );
    for source in &observation.sources {
        let files: Vec<&str> = source.files.iter().filter_map(|f| names.get(*f as usize)).map(String::as_str).collect();
        let line = format!("{} ({}): {}", source.tool, files.join(", "), source.used_for);
        let _ = writeln!(out, "<li>{}</li>", escape(&line));
    }
    out.push_str("</ul>\n");
    for volume in &observation.volumes {
        section(&mut out, volume);
    }
    others(&mut out, observation);
    doubts(&mut out, observation, names);
    // A script's element ends at the first `</`, wherever it stands.
    let json = super::document::print(observation, names).replace("</", "<\\/");
    let _ =
        write!(out, "<script type=\"application/json\" id=\"diskwright-checklist\">{json}</script>\n</body></html>\n");
    out
}

fn section(out: &mut String, volume: &VolumeObserved) {
    let devices = volume.devices.iter().map(|d| d.to_string()).collect::<Vec<_>>().join(" + ");
    let _ = writeln!(out, "<section><h2>{}</h2>", escape(&volume.name));
    if devices != volume.name {
        let _ = writeln!(out, "<p>{}</p>", escape(&devices));
    }
    for checklist in &volume.checklists {
        if checklist.window != "whole" && checklist.rows.iter().all(|row| row.n == 0) {
            let _ = writeln!(out, "<h3>{}</h3>\n<p>{}.</p>", escape(&checklist.window), shown::NOTHING_INSIDE);
            continue;
        }
        let _ = write!(
            out,
            "<h3>{}</h3>\n<table><thead><tr><th>row</th><th>p50</th><th>p90</th><th>p99</th><th>max</th><th>mean</th><th>n</th>\
             <th class=\"text\">from</th></tr></thead><tbody>\n",
            escape(if checklist.window == "whole" { "the whole recording" } else { &checklist.window })
        );
        for row in &checklist.rows {
            let unknown = row.provenance == Provenance::Unknown;
            if unknown && row.id.number().is_none() {
                continue;
            }
            let note = shown::remark(row);
            let cells = shown::cells(row);
            let bounds = |c: Option<dw_workload::observed::checklist::Cell>| {
                let show = |v: Option<f64>| v.map_or("unbounded".to_string(), |v| shown::figure(v, row.id.unit()));
                c.map_or(String::new(), |c| format!(" title=\"95 %: {} to {}\"", show(c.low), show(c.high)))
            };
            let _ = writeln!(
                out,
                "<tr{}><td>{}</td><td{}>{}</td><td{}>{}</td><td{}>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"text\">{}</td></tr>",
                if unknown { " class=\"unknown\"" } else { "" },
                escape(&shown::label(row)),
                bounds(row.p50),
                cells[0],
                bounds(row.p90),
                cells[1],
                bounds(row.p99),
                cells[2],
                cells[3],
                cells[4],
                row.n,
                escape(&format!("{}{note}", row.provenance.word()))
            );
        }
        out.push_str("</tbody></table>\n");
    }
    plots(out, volume);
    out.push_str("</section>\n");
}

fn plots(out: &mut String, volume: &VolumeObserved) {
    let points = volume.series.busiest();
    let start = points.first().map_or(0, |p| p.at - p.span.ns() as i64);
    let over_time = |value: &dyn Fn(&Point) -> f64| -> Vec<(f64, f64)> {
        let mut list = Vec::with_capacity(points.len());
        for p in points {
            let t = (p.at - start) as f64 / 1e9;
            if p.gap_before {
                list.push((t - p.seconds(), f64::NAN));
            }
            list.push((t, value(p)));
        }
        list
    };
    let split = points.iter().any(|p| !p.reads.is_nan());
    type Field<'a> = (&'a str, &'a dyn Fn(&Point) -> f64);
    let mut draw = |title: &str, unit: Unit, fields: &[Field]| {
        let lines: Vec<Line> = fields.iter().map(|(name, value)| Line { name, points: over_time(*value) }).collect();
        let suffix = shown::unit(unit);
        let caption = if suffix.is_empty() { title.to_string() } else { format!("{title} ({suffix})") };
        let svg = plot::lines(title, &lines, &|v| shown::figure(v, unit));
        if !svg.is_empty() {
            let _ = writeln!(out, "<figure>{svg}<figcaption>{}</figcaption></figure>", escape(&caption));
        }
    };
    if split {
        draw("IOPS", Unit::PerSecond, &[("reads", &|p| p.reads), ("writes", &|p| p.writes)]);
        draw("throughput", Unit::BytesPerSecond, &[("reads", &|p| p.read_bytes), ("writes", &|p| p.write_bytes)]);
        draw("mean latency", Unit::Seconds, &[("reads", &Point::read_latency), ("writes", &Point::write_latency)]);
    } else {
        draw("IOPS", Unit::PerSecond, &[("requests", &|p| p.ios)]);
        draw("throughput", Unit::BytesPerSecond, &[("bytes", &|p| p.bytes)]);
        draw("mean latency", Unit::Seconds, &[("requests", &Point::latency)]);
    }
    draw("queue depth", Unit::Count, &[("outstanding", &|p| p.depth)]);
    out.push_str("<figure>");
    let mut captions = Vec::new();
    for d in &volume.distributions {
        let (title, unit) = match d.what {
            "io_size" => ("I/O size", Unit::Bytes),
            "latency" => ("latency", Unit::Seconds),
            _ => ("queue depth", Unit::Count),
        };
        out.push_str(&plot::bars(&format!("{title}, {}", d.of), &d.buckets, &|v| {
            format!("{} {}", shown::figure(v, unit), shown::unit(unit)).trim_end().to_string()
        }));
        captions.push(format!("{title}: {}", d.of));
    }
    let _ = writeln!(out, "<figcaption>Distributions. {}</figcaption></figure>", escape(&captions.join("; ")));
}

fn others(out: &mut String, observation: &Observation) {
    let mut draw = |title: &str, unit: Unit, list: &[(i64, f64)]| {
        let start = list.first().map_or(0, |p| p.0);
        let points = list.iter().map(|(at, v)| ((at - start) as f64 / 1e9, *v)).collect();
        let svg = plot::lines(title, &[Line { name: title, points }], &|v| shown::figure(v, unit));
        if !svg.is_empty() {
            let _ = writeln!(out, "<figure>{svg}<figcaption>{title} ({})</figcaption></figure>", shown::unit(unit));
        }
    };
    if observation.cpu.is_empty() && observation.memory.is_empty() {
        return;
    }
    draw("busy processors", Unit::Percent, &observation.cpu);
    draw("memory in use", Unit::Bytes, &observation.memory);
}

fn doubts(out: &mut String, observation: &Observation, names: &[String]) {
    if observation.findings.is_empty() {
        return;
    }
    out.push_str("<section><h2>What to doubt</h2>\n<ul>\n");
    for f in &observation.findings {
        let places: Vec<String> = f
            .rows
            .iter()
            .filter(|o| o.line > 0)
            .map(|o| format!("{}:{}", names.get(o.file as usize).map_or("?", String::as_str), o.line))
            .collect();
        let places = if places.is_empty() { String::new() } else { format!(" ({})", places.join(", ")) };
        let hint = if f.hint.is_empty() { String::new() } else { format!(" What to do: {}.", f.hint) };
        let _ = writeln!(
            out,
            "<li class=\"{}\"><b>{} {}</b>: {}{}. Effect: {}.{}</li>",
            f.severity.word(),
            f.severity.word(),
            f.pitfall.code(),
            escape(&f.what),
            escape(&places),
            escape(&f.effect),
            escape(&hint)
        );
    }
    out.push_str("</ul></section>\n");
}
