//! Several runs side by side: one line a variant.

use serde_json::json;

use super::format::{self, columns, grouped, iops, mega, milliseconds, percent};
use super::summary::Summary;
use crate::output;

/// One run of several, with what sets it apart.
#[derive(Clone, Debug)]
pub struct Variant {
    /// `(option, value)`, in the order of the command line; the seed last.
    pub set: Vec<(String, String)>,
    /// What it came to.
    pub summary: Summary,
}

/// A table for people.
pub fn text(variants: &[Variant]) -> String {
    let mut rows = Vec::new();
    let keys = variants.first().map(|v| v.set.iter().map(|s| s.0.clone()).collect()).unwrap_or_default();
    let mut head: Vec<String> = keys;
    let left = head.len() + 8;
    head.extend(
        ["IOPS", "MB/s", "MiB/s", "mean ms", "p99 ms", "p99.9 ms", "queue depth", "cache hits", "held by"]
            .map(String::from),
    );
    rows.push(head);
    for variant in variants {
        rows.push(row(variant));
    }
    let mut out = columns(&rows, &[left]);
    let partial = variants.iter().filter(|v| v.summary.partial).count();
    if partial > 0 {
        out.push_str(&format!(
            "\nPARTIAL: {partial} of {} runs were stopped before their jobs had ended\n",
            variants.len()
        ));
    }
    if variants.len() > 1 && variants.iter().all(|v| v.set.len() == 1 && v.set[0].0 == "seed") {
        let iops: Vec<f64> = variants.iter().map(|v| v.summary.total.all.iops).collect();
        let mean = iops.iter().sum::<f64>() / iops.len() as f64;
        let (least, most) = iops.iter().fold((f64::MAX, 0f64), |(a, b), &x| (a.min(x), b.max(x)));
        out.push_str(&format!(
            "\n{} seeds: {} IOPS on average, from {} to {} ({} apart)\n",
            iops.len(),
            format::iops(mean),
            format::iops(least),
            format::iops(most),
            percent((most - least) / mean.max(1e-9) * 100.0)
        ));
    }
    out
}

fn row(variant: &Variant) -> Vec<String> {
    let total = &variant.summary.total;
    let latency = total.all.latency_ns.as_ref();
    let ms = |value: Option<f64>| value.map_or("-".to_string(), milliseconds);
    let mut row: Vec<String> = variant.set.iter().map(|s| s.1.clone()).collect();
    row.extend([
        iops(total.all.iops),
        mega(total.all.bytes_per_s, 1e6),
        mega(total.all.bytes_per_s, 1_048_576.0),
        ms(latency.map(|l| l.mean)),
        ms(latency.map(|l| l.p99 as f64)),
        ms(latency.map(|l| l.p99_9 as f64)),
        format!("{:.1}", total.queue_depth),
        hits(&variant.summary),
        held_by(&variant.summary),
    ]);
    row
}

fn hits(summary: &Summary) -> String {
    let caches = summary.volumes.iter().filter_map(|v| v.cache.as_ref());
    let (hits, misses) = caches.fold((0, 0), |(hits, misses), c| (hits + c.hits_ram + c.hits_ssd, misses + c.misses));
    if hits + misses == 0 { "-".to_string() } else { percent(hits as f64 / (hits + misses) as f64 * 100.0) }
}

fn held_by(summary: &Summary) -> String {
    let mut limits: Vec<String> = Vec::new();
    for binding in &summary.binding_limits {
        if let Some(limit) = &binding.limit {
            let name = format!("{limit} ({})", binding.volume);
            limits.push(name);
        }
    }
    if limits.is_empty() { "no limit".to_string() } else { limits.join(", ") }
}

/// The closing line: how much was simulated, in what time.
pub fn closing(variants: &[Variant], wall_s: f64) -> String {
    let ios: u64 = variants.iter().map(|v| v.summary.simulated_ios).sum();
    format!("simulated {} runs, {} I/Os in {wall_s:.2} s", variants.len(), grouped(ios as f64))
}

/// CSV with a header.
pub fn csv(variants: &[Variant]) -> String {
    let set = variants.first().map(|v| v.set.as_slice()).unwrap_or_default();
    let mut head: Vec<&str> = set.iter().map(|(key, _)| key.as_str()).collect();
    head.extend(["iops", "bytes_per_s", "latency_mean_ns", "latency_p99_ns", "latency_p99_9_ns"]);
    head.extend(["queue_depth", "binding_limits"]);
    output::csv(&head, variants.iter().map(record))
}

fn record(variant: &Variant) -> Vec<String> {
    let total = &variant.summary.total;
    let latency = total.all.latency_ns.as_ref();
    let number = |value: Option<f64>| value.map_or(String::new(), |v| format!("{v:.0}"));
    let mut record: Vec<String> = variant.set.iter().map(|(_, value)| value.clone()).collect();
    record.extend([
        format!("{:.1}", total.all.iops),
        format!("{:.0}", total.all.bytes_per_s),
        number(latency.map(|l| l.mean)),
        number(latency.map(|l| l.p99 as f64)),
        number(latency.map(|l| l.p99_9 as f64)),
        format!("{:.2}", total.queue_depth),
        held_by(&variant.summary),
    ]);
    record
}

/// JSON: a list of variants, each with its whole summary.
pub fn json(variants: &[Variant]) -> serde_json::Value {
    let runs: Vec<_> = variants
        .iter()
        .map(|v| {
            let set: serde_json::Map<String, serde_json::Value> =
                v.set.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
            json!({ "set": set, "diskwright": v.summary })
        })
        .collect();
    json!({ "runs": runs })
}
