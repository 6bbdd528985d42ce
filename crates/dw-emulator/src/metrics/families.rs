//! Which figure is which metric.

use std::fmt::Error;

use dw_documents::Quantity;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Unit;

use super::VendorNames;
use crate::status::{LATENCY_BOUNDS_NS, LimitStatus, OpStatus, Status, Verdict, VolumeStatus};

/// A status, to be written down with what a vendor calls some of it.
#[derive(Debug)]
pub(super) struct Families {
    pub status: Status,
    pub names: VendorNames,
}

type Labels = Vec<(&'static str, String)>;

const NS: f64 = 1e9;

/// A metric about to be written.
struct Family<'a, 'e> {
    encoder: &'a mut DescriptorEncoder<'e>,
    name: &'static str,
    help: &'static str,
    unit: Option<Unit>,
}

impl Family<'_, '_> {
    fn write(self, kind: MetricType, write: impl FnOnce(&mut MetricEncoder) -> Result<(), Error>) -> Result<(), Error> {
        let mut metric = self.encoder.encode_descriptor(self.name, self.help, self.unit.as_ref(), kind)?;
        write(&mut metric)
    }

    fn gauge(self, rows: impl IntoIterator<Item = (Labels, f64)>) -> Result<(), Error> {
        self.write(MetricType::Gauge, |metric| {
            rows.into_iter().try_for_each(|(labels, value)| metric.encode_family(&labels)?.encode_gauge(&value))
        })
    }

    fn counter(self, rows: impl IntoIterator<Item = (Labels, f64)>) -> Result<(), Error> {
        self.write(MetricType::Counter, |metric| {
            rows.into_iter().try_for_each(|(labels, value)| {
                metric.encode_family(&labels)?.encode_counter::<NoLabelSet, _, f64>(&value, None)
            })
        })
    }
}

impl Collector for Families {
    fn encode(&self, mut encoder: DescriptorEncoder) -> Result<(), Error> {
        let Families { status, names } = self;
        limits(&mut encoder, &status.limits, *names)?;
        volumes(&mut encoder, &status.volumes, *names)?;
        requests(&mut encoder, &status.volumes, *names)?;
        whole(&mut encoder, status)
    }
}

macro_rules! family {
    ($encoder:expr, $name:literal, $help:literal) => {
        Family { encoder: $encoder, name: $name, help: $help, unit: None }
    };
    ($encoder:expr, $name:literal, $unit:expr, $help:literal) => {
        Family { encoder: $encoder, name: $name, help: $help, unit: Some($unit) }
    };
}

impl VendorNames {
    /// The label of a figure, where the vendor shows it, too.
    fn label(self, metric: &str, part: &str) -> Option<(&'static str, String)> {
        let row = self.0.iter().find(|row| row.0 == metric && row.1 == part)?;
        Some(("vendor_metric", row.2.to_string()))
    }
}

fn limits(encoder: &mut DescriptorEncoder, limits: &[LimitStatus], names: VendorNames) -> Result<(), Error> {
    let each = |value: fn(&LimitStatus) -> f64| limits.iter().map(move |limit| (limit_labels(limit), value(limit)));
    family!(encoder, "limit_rate", "Sustained rate of a limit, in I/Os or bytes per second")
        .gauge(each(|limit| limit.rate as f64))?;
    let consumed = limits.iter().map(|limit| {
        let mut labels = limit_labels(limit);
        labels.extend(names.label("limit_consumed_percent", &part(limit)));
        (labels, limit.consumed_percent)
    });
    family!(encoder, "limit_consumed_percent", "Share of a limit used in the last full second; above 100 in a burst")
        .gauge(consumed)?;
    family!(encoder, "limit_granted", "I/Os or bytes that passed a limit").counter(each(|l| l.granted as f64))?;
    family!(encoder, "limit_binding_percent", "Share of the last full second in which a request waited at a limit")
        .gauge(each(|limit| limit.binding_percent))?;
    family!(encoder, "limit_binding", Unit::Seconds, "Time in which at least one request waited at a limit")
        .counter(each(|limit| limit.binding_ns as f64 / NS))?;
    let banks = || limits.iter().filter_map(|limit| Some((limit, limit.credits?, limit.credits_max?)));
    family!(encoder, "burst_credits", "Burst credits left, in I/Os or bytes")
        .gauge(banks().map(|(limit, left, _)| (limit_labels(limit), left as f64)))?;
    let used = banks().map(|(limit, left, max)| {
        let mut labels = limit_labels(limit);
        labels.extend(names.label("burst_credits_used_percent", &part(limit)));
        (labels, max.saturating_sub(left) as f64 * 100.0 / max.max(1) as f64)
    });
    family!(encoder, "burst_credits_used_percent", "Share of the bucket's burst credits spent").gauge(used)
}

fn limit_labels(limit: &LimitStatus) -> Labels {
    let place = limit.disk.clone().unwrap_or_else(|| "vm".into());
    vec![("place", place), ("limit", limit.limit.clone())]
}

/// A limit in [`VendorNames`]: `vm GATE iops`, `disk throughput`.
fn part(limit: &LimitStatus) -> String {
    let vm = if limit.id.is_vm() { "vm " } else { "" };
    let quantity = if limit.id.quantity == Quantity::Iops { "iops" } else { "throughput" };
    format!("{vm}{} {quantity}", limit.id.gate)
}

fn labels(volume: &VolumeStatus) -> Labels {
    vec![("volume", volume.name.clone())]
}

fn volumes(encoder: &mut DescriptorEncoder, volumes: &[VolumeStatus], names: VendorNames) -> Result<(), Error> {
    let each = |value: fn(&VolumeStatus) -> f64| volumes.iter().map(move |volume| (labels(volume), value(volume)));
    family!(encoder, "volume_size", Unit::Bytes, "Size of a volume").gauge(each(|v| v.size_bytes as f64))?;
    family!(encoder, "volume_attached", "Whether clients can use a volume")
        .gauge(each(|v| f64::from(u8::from(v.attached))))?;
    let named = |volume: &VolumeStatus, metric: &str, part: &str| {
        let mut labels = labels(volume);
        labels.extend(names.label(metric, part));
        labels
    };
    family!(encoder, "volume_queue_depth", "Requests under way")
        .gauge(volumes.iter().map(|v| (named(v, "volume_queue_depth", ""), v.queue_depth as f64)))?;
    family!(encoder, "volume_dirty", Unit::Bytes, "Acknowledged bytes not yet on the disks of a volume")
        .gauge(each(|v| v.dirty_bytes as f64))?;
    family!(encoder, "volume_destaged", Unit::Bytes, "Bytes written back from the host cache")
        .counter(each(|v| v.destaged_bytes as f64))?;
    family!(
        encoder,
        "volume_room_percent",
        "Share of the last full second in which writes waited for space in the cache"
    )
    .gauge(each(|v| v.room_percent))?;
    // Only where there are volumes from snapshots.
    let untouched = |of: fn(&VolumeStatus) -> f64| {
        volumes.iter().filter(|v| v.untouched_bytes.is_some()).map(move |v| (labels(v), of(v)))
    };
    if untouched(|_| 0.0).next().is_some() {
        family!(encoder, "volume_untouched", Unit::Bytes, "Bytes still to be fetched from the snapshot of a volume")
            .gauge(untouched(|v| v.untouched_bytes.unwrap_or(0) as f64))?;
        family!(
            encoder,
            "volume_first_touch_percent",
            "Share of the last full second in which requests waited for data that had to be fetched first"
        )
        .gauge(untouched(|v| v.first_touch_percent))?;
    }
    let outcomes = |v: &VolumeStatus| [("ram", v.hits_ram), ("ssd", v.hits_ssd), ("miss", v.misses)];
    let rows = volumes.iter().flat_map(|v| {
        outcomes(v)
            .map(|(outcome, count)| (vec![("volume", v.name.clone()), ("outcome", outcome.to_string())], count as f64))
    });
    family!(encoder, "cache_reads", "Parts of reads served by the host cache from RAM, from SSD, or not at all")
        .counter(rows)?;
    // The vendor's own figure, told apart by its name alone: `cache_reads` says the same of every vendor's disks.
    let shares = volumes.iter().flat_map(|v| {
        let hits = v.hits_ram + v.hits_ssd;
        let all = hits + v.misses;
        let shares = [("hit", hits), ("miss", v.misses)].into_iter().filter(move |_| all > 0);
        shares.filter_map(move |(part, count)| {
            let name = names.label("cache_read_percent", part)?;
            Some((labels(v).into_iter().chain([name]).collect(), count as f64 * 100.0 / all as f64))
        })
    });
    family!(
        encoder,
        "cache_read_percent",
        "Share of reads served, or not served, by the host cache since counting started"
    )
    .gauge(shares)
}

fn kinds(volume: &VolumeStatus) -> [(&'static str, &OpStatus); 4] {
    [("read", &volume.reads), ("write", &volume.writes), ("flush", &volume.flushes), ("trim", &volume.trims)]
}

/// One row per volume and kind of request.
fn requests(encoder: &mut DescriptorEncoder, volumes: &[VolumeStatus], names: VendorNames) -> Result<(), Error> {
    let labels = |v: &VolumeStatus, kind: &str| vec![("volume", v.name.clone()), ("op", kind.to_string())];
    let each = |value: fn(&OpStatus) -> f64| {
        volumes.iter().flat_map(move |v| kinds(v).map(|(kind, op)| (labels(v, kind), value(op))))
    };
    family!(encoder, "volume_operations", "Requests completed").counter(each(|op| op.count as f64))?;
    family!(encoder, "volume_errors", "Requests that failed").counter(each(|op| op.errors as f64))?;
    family!(encoder, "volume_transferred", Unit::Bytes, "Bytes of requests that did not fail")
        .counter(each(|op| op.bytes as f64))?;
    let rates = |metric: &'static str, value: fn(&OpStatus) -> f64| {
        volumes.iter().flat_map(move |v| {
            [("read", &v.reads), ("write", &v.writes)].map(|(kind, op)| {
                let mut labels = labels(v, kind);
                labels.extend(names.label(metric, kind));
                (labels, value(op))
            })
        })
    };
    family!(encoder, "volume_operations_per_second", "Requests per second, in the last full second")
        .gauge(rates("volume_operations_per_second", |op| op.per_second))?;
    family!(encoder, "volume_bytes_per_second", "Bytes per second, in the last full second")
        .gauge(rates("volume_bytes_per_second", |op| op.bytes_per_second))?;
    family!(encoder, "volume_latency", Unit::Seconds, "Submission to completion").write(
        MetricType::Histogram,
        |metric| {
            for volume in volumes {
                for (kind, op) in kinds(volume) {
                    let buckets = buckets(op);
                    let labels = labels(volume, kind);
                    let mut row = metric.encode_family(&labels)?;
                    row.encode_histogram::<NoLabelSet>(op.latency_sum_ns as f64 / NS, op.count, &buckets, None)?;
                }
            }
            Ok(())
        },
    )
}

/// Upper bound in seconds and how many are in this bucket alone; the last bucket has no bound.
fn buckets(op: &OpStatus) -> Vec<(f64, u64)> {
    let mut below = 0;
    let mut alone = |at_most: u64| {
        let count = at_most.saturating_sub(below);
        below = below.max(at_most);
        count
    };
    let at_most = LATENCY_BOUNDS_NS.iter().zip(op.at_most.iter().chain(std::iter::repeat(&0)));
    let mut buckets: Vec<_> = at_most.map(|(&bound, &count)| (bound as f64 / NS, alone(count))).collect();
    buckets.push((f64::INFINITY, alone(op.count)));
    buckets
}

/// The VM and its emulation.
fn whole(encoder: &mut DescriptorEncoder, status: &Status) -> Result<(), Error> {
    let one = |value: f64| [(Labels::new(), value)];
    let cache = &status.cache;
    family!(encoder, "cache_capacity", Unit::Bytes, "Capacity of the host cache")
        .gauge(one(cache.capacity_bytes as f64))?;
    family!(encoder, "cache_resident", Unit::Bytes, "Bytes in the host cache")
        .gauge(one(cache.resident_bytes as f64))?;
    family!(encoder, "cache_dirty", Unit::Bytes, "Acknowledged bytes not yet on any disk")
        .gauge(one(cache.dirty_bytes as f64))?;
    family!(encoder, "model_time", Unit::Seconds, "The model's clock").gauge(one(status.at_ns as f64 / NS))?;
    family!(encoder, "paused", "Whether the model's time is paused").gauge(one(f64::from(u8::from(status.paused))))?;
    family!(encoder, "connections", "Clients connected").gauge(one(f64::from(status.connections)))?;
    family!(encoder, "faults", "Faults in force").gauge(one(status.faults.len() as f64))?;
    let late = &status.lateness;
    let lateness = [("0.5", late.p50_ns), ("0.99", late.p99_ns), ("1", late.max_ns)];
    family!(encoder, "lateness", Unit::Seconds, "Actual minus due completion time, by percentile")
        .gauge(lateness.map(|(percentile, ns)| (vec![("percentile", percentile.to_string())], ns as f64 / NS)))?;
    family!(encoder, "completions", "Completions given").counter(one(late.completions as f64))?;
    family!(encoder, "late_completions", "Completions later than max(50 µs, a tenth of their latency)")
        .counter(one(late.late as f64))?;
    family!(encoder, "host_slower", "Requests for which this machine's disk took longer than the modelled one")
        .counter(one(late.host_slower as f64))?;
    let percentiles = [("clients", late.seen_p99_ns), ("model", late.modelled_p99_ns)];
    family!(encoder, "latency_p99", Unit::Seconds, "99th percentile as clients see it, and in the model")
        .gauge(percentiles.map(|(of, ns)| (vec![("of", of.to_string())], ns as f64 / NS)))?;
    family!(
        encoder,
        "verdict",
        "1 for the state of the run: reliable (kept), unreliable (doubted), or too few completions to judge (open)"
    )
    .gauge(Verdict::ALL.map(|v| (vec![("verdict", v.name().to_string())], f64::from(u8::from(v == late.verdict)))))?;
    family!(encoder, "trusted", "Whether this machine keeps up")
        .gauge(one(f64::from(u8::from(late.verdict == Verdict::Kept))))?;
    family!(encoder, "host_refused", "Number of times this machine could not store a disk's data, by reason").counter([
        (vec![("why", "no_space".to_string())], status.host.no_space as f64),
        (vec![("why", "error".to_string())], status.host.errors as f64),
    ])
}
