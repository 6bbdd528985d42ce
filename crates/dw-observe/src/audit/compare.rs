//! The same machine under two tools: where they disagree, by how much.

use dw_messages::say;

use super::{Pitfall, Report, Severity};
use crate::clock::scaled;
use crate::ready::Ready;
use crate::row::Row;
use crate::series::Series;

/// Means that are further apart than this differ.
const DIFFERENT: f64 = 0.05;

/// Mean requests and bytes per second of rows within a time, both weighted by the lengths of the rows that have them.
fn means(rows: &[&Row], scale: i64, usual: u64, from: i64, to: i64) -> [Option<f64>; 2] {
    let mut sums = [(0.0, 0.0); 2];
    for row in rows.iter().filter(|r| (from..=to).contains(&scaled(r.at, scale))) {
        let span = if row.span > 0 { row.span } else { usual } as f64 / 1e9;
        for (sum, figure) in sums.iter_mut().zip([row.iops(), row.bytes()]) {
            if let Some(figure) = figure.known() {
                *sum = (sum.0 + figure * span, sum.1 + span);
            }
        }
    }
    sums.map(|(sum, seconds)| (seconds > 0.0).then(|| sum / seconds))
}

pub(super) fn look(report: &mut Report, ready: &[Ready], sum: &Series) {
    let (Some(first), Some(last)) = (sum.points.first(), sum.points.last()) else { return };
    let primary = &ready[0];
    for other in &ready[1..] {
        if !other.axis.joins(primary.axis) {
            continue;
        }
        for (name, device) in &primary.source.devices {
            let Some(twin) = other.source.devices.get(name).filter(|d| !d.rows.is_empty()) else { continue };
            let scale = |r: &Ready| {
                if r.axis == crate::clock::Axis::Reports { r.interval.0.ns() as i64 } else { 1 }
            };
            let (Some(head), Some(tail)) = (twin.rows.first(), twin.rows.last()) else { continue };
            // Of a recording longer than memory only the end is left to compare.
            let begins = |r: &Ready, head: &Row| scaled(head.at, scale(r)) - r.interval.0.ns() as i64;
            let Some(own) = device.rows.first().map(|head| begins(primary, head)) else { continue };
            let start = begins(other, head).max(own);
            let from = (first.at - first.span.ns() as i64).max(start) + 1;
            let to = last.at.min(scaled(tail.at, scale(other)));
            let of = |r: &Ready, rows: &[Row]| {
                let rows: Vec<&Row> = rows.iter().collect();
                means(&rows, scale(r), r.interval.0.ns(), from, to)
            };
            let (a, b) = (of(primary, &device.rows), of(other, &twin.rows));
            let tools = [primary, other].map(|r| r.source.tool.as_deref().unwrap_or("?").to_string());
            say(report, name, &tools, a, b);
        }
    }
}

/// What both tools say is compared; what one of them lacks is not.
fn say(report: &mut Report, name: &str, tools: &[String; 2], a: [Option<f64>; 2], b: [Option<f64>; 2]) {
    let differ = |a: f64, b: f64, least: f64| (a - b).abs() > DIFFERENT * a.max(b) && (a - b).abs() > least;
    let (mut said, mut apart) = ([const { Vec::<String>::new() }; 2], false);
    for (n, (unit, digits, scale, least)) in [("IOPS", 1, 1.0, 1.0), ("MB/s", 2, 1e6, 1e4)].into_iter().enumerate() {
        let (Some(a), Some(b)) = (a[n], b[n]) else { continue };
        said[0].push(format!("{:.digits$} {unit}", a / scale));
        said[1].push(format!("{:.digits$} {unit}", b / scale));
        apart |= differ(a, b, least);
    }
    if said[0].is_empty() {
        return;
    }
    let [says, but] = said.map(|figures| figures.join(" and "));
    let [one, other] = tools;
    if apart {
        let what = say!(AuditDisagree { device: name, one, says, other, but });
        let effect = say!(AuditDisagreeEffect { tool: one });
        report.add(Pitfall::Disagree, Severity::Warning, what, effect, say!(AuditDisagreeHint));
    } else {
        let what = say!(AuditAgree { device: name, one, says, other, but });
        report.add(Pitfall::Disagree, Severity::Note, what, say!(EffectNone), None);
    }
}
