//! The checklist as CSV: one line a volume, window and row; figures in base units, empty where unknown.

use dw_workload::observed::Observation;
use dw_workload::observed::checklist::Unit;

/// All rows.
pub fn csv(observation: &Observation) -> String {
    let mut out = String::from(
        "volume,window,row,unit,min,mean,p50,p50_low,p50_high,p90,p90_low,p90_high,p99,p99_low,p99_high,max,n,interval_s,provenance,source,note\n",
    );
    for volume in &observation.volumes {
        for checklist in &volume.checklists {
            for row in &checklist.rows {
                let mut fields = vec![
                    quoted(&volume.name),
                    quoted(&checklist.window),
                    row.id.key().to_string(),
                    unit(row.id.unit()).to_string(),
                    number(row.min),
                    number(row.mean),
                ];
                for cell in [row.p50, row.p90, row.p99] {
                    fields.extend(
                        [cell.map(|c| c.value), cell.and_then(|c| c.low), cell.and_then(|c| c.high)].map(number),
                    );
                }
                fields.extend([
                    number(row.max),
                    row.n.to_string(),
                    number(Some(row.interval.ns() as f64 / 1e9)),
                    row.provenance.word().to_string(),
                    quoted(&row.source),
                    quoted(row.note.as_deref().or(row.fill.as_deref()).unwrap_or_default()),
                ]);
                out.push_str(&fields.join(","));
                out.push('\n');
            }
        }
    }
    out
}

/// The unit of figures in files.
pub fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::PerSecond => "1/s",
        Unit::Percent => "percent",
        Unit::Bytes => "bytes",
        Unit::BytesPerSecond => "bytes/s",
        Unit::Seconds => "s",
        Unit::Count => "count",
    }
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |v| format!("{v}"))
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_string() }
}
