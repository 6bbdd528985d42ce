//! DiskSpd's results: text and XML, and what both say of the load.

pub(super) mod text;
pub(super) mod xml;

use super::{Entry, Figures, Latency, LatencyKind};

/// Rates that neither form prints: I/Os and bytes over the measured seconds.
fn rates(ios: u64, bytes: u64, seconds: f64) -> Figures {
    let per_second = |n: u64| (seconds > 0.0).then(|| n as f64 / seconds);
    Figures {
        ios: Some(ios),
        bytes: Some(bytes),
        iops: per_second(ios),
        bytes_per_s: per_second(bytes),
        elapsed_s: Some(seconds),
        ..Figures::default()
    }
}

/// A latency in milliseconds: mean and deviation.
fn latency(mean_ms: Option<f64>, stddev_ms: Option<f64>, ios: u64) -> Option<Latency> {
    let mut latency = Latency::new(LatencyKind::Lat);
    latency.mean_ns = Some(mean_ms? * 1e6);
    latency.stddev_ns = stddev_ms.map(|ms| ms * 1e6);
    latency.samples = Some(ios);
    Some(latency)
}

/// Leaves out the directions without an I/O.
fn keep_used(entry: &mut Entry) {
    for part in [&mut entry.read, &mut entry.write] {
        if part.as_ref().is_some_and(|figures| figures.ios == Some(0)) {
            *part = None;
        }
    }
}
