//! The same machine under two tools: where they disagree, by how much.

use super::{Pitfall, Report, Severity};
use crate::observed::observation::Ready;
use crate::observed::row::Row;
use crate::observed::series::Series;

/// Means that are further apart than this differ.
const DIFFERENT: f64 = 0.05;

/// Mean requests and bytes a second of rows within a time, both weighted by the rows' lengths.
fn means(rows: &[&Row], scale: i64, usual: u64, from: i64, to: i64) -> Option<(f64, f64, usize)> {
    let (mut ios, mut bytes, mut seconds, mut n) = (0.0, 0.0, 0.0, 0);
    for row in rows.iter().filter(|r| (from..=to).contains(&r.at.saturating_mul(scale))) {
        let span = if row.span > 0 { row.span } else { usual } as f64 / 1e9;
        seconds += span;
        n += 1;
        ios += row.iops() * span;
        bytes += crate::observed::row::sum(row.read_bytes, row.write_bytes) * span;
    }
    (seconds > 0.0).then(|| (ios / seconds, bytes / seconds, n))
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
                if r.axis == crate::observed::clock::Axis::Reports { r.interval.0.ns() as i64 } else { 1 }
            };
            let (Some(head), Some(tail)) = (twin.rows.first(), twin.rows.last()) else { continue };
            // Of a recording longer than memory only the end is left to compare.
            let begins = |r: &Ready, head: &Row| head.at.saturating_mul(scale(r)) - r.interval.0.ns() as i64;
            let own = device.rows.first().map_or(i64::MAX, |head| begins(primary, head));
            let start = begins(other, head).max(own);
            let from = (first.at - first.span.ns() as i64).max(start) + 1;
            let to = last.at.min(tail.at.saturating_mul(scale(other)));
            let of = |r: &Ready, rows: &[Row]| {
                let rows: Vec<&Row> = rows.iter().collect();
                means(&rows, scale(r), r.interval.0.ns(), from, to)
            };
            let (Some(a), Some(b)) = (of(primary, &device.rows), of(other, &twin.rows)) else { continue };
            let tools = [primary, other].map(|r| r.source.tool.as_deref().unwrap_or("?").to_string());
            say(report, name, &tools, a, b);
        }
    }
}

fn say(report: &mut Report, name: &str, tools: &[String; 2], a: (f64, f64, usize), b: (f64, f64, usize)) {
    let differ = |a: f64, b: f64, least: f64| (a - b).abs() > DIFFERENT * a.max(b) && (a - b).abs() > least;
    let line = format!(
        "{name}: {} says {:.1} IOPS and {:.2} MB/s, {} says {:.1} IOPS and {:.2} MB/s",
        tools[0],
        a.0,
        a.1 / 1e6,
        tools[1],
        b.0,
        b.1 / 1e6
    );
    if differ(a.0, b.0, 1.0) || differ(a.1, b.1, 1e4) {
        let effect = format!("the figures of {} are used", tools[0]);
        let hint = "look for different times, merged requests, or a cache between the two";
        report.add(Pitfall::Disagree, Severity::Warning, line, &effect, hint);
    } else {
        let what = format!("{line}: they agree within 5 %");
        report.add(Pitfall::Disagree, Severity::Note, what, "none", "");
    }
}
