//! Two snapshots of counters that only grow make the rates between them.
//!
//! A difference is (new - old). A negative one of a counter of milliseconds in 32 bits is taken modulo 2^32 when that is
//! possible in the time that passed (at most ten thousand requests outstanding); any other negative one means that the
//! counters began again, and there is no interval.
//!
//! Source: the kernel's `Documentation/admin-guide/iostats.rst`; sizes of the fields from `block/genhd.c`.
//!
//! Ignores: a reset after which every counter has already passed its old value.
//!
//! Invariant: a rate is never negative.

use dw_units::{Bytes, Duration, Throughput};

use super::sample::{CpuCounters, CpuInterval, DiskCounters, DiskGrowth, DiskInterval};

/// 2^32 milliseconds.
const WRAP_NS: f64 = 4_294_967_296.0 * 1e6;
/// More requests outstanding than any device has.
const MOST_OUTSTANDING: f64 = 10_000.0;

/// What two snapshots came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Difference<T> {
    /// What grew, or its rates.
    Rates(T),
    /// Counters went back: no interval. Names the counter.
    Reset(&'static str),
    /// No time passed between the two, or it went back.
    NoTime,
}

/// DiskGrowth of a counter; `Err` when it went back.
fn grown(name: &'static str, old: Option<f64>, new: Option<f64>) -> Result<Option<f64>, &'static str> {
    match (old, new) {
        (Some(old), Some(new)) if new < old => Err(name),
        (Some(old), Some(new)) => Ok(Some(new - old)),
        _ => Ok(None),
    }
}

/// DiskGrowth of a time, whose counter may wrap.
fn grown_time(
    name: &'static str,
    wraps: bool,
    span_ns: f64,
    old: Option<f64>,
    new: Option<f64>,
) -> Result<Option<f64>, &'static str> {
    match grown(name, old, new) {
        Err(name) if wraps => {
            let wrapped = new.unwrap_or(0.0) - old.unwrap_or(0.0) + WRAP_NS;
            if (0.0..span_ns * MOST_OUTSTANDING).contains(&wrapped) { Ok(Some(wrapped)) } else { Err(name) }
        }
        other => other,
    }
}

/// What happened between two snapshots `span` apart.
pub fn between(old: &DiskCounters, new: &DiskCounters, span: Duration) -> Difference<DiskGrowth> {
    if span == Duration::ZERO {
        return Difference::NoTime;
    }
    match growth(old, new, span.ns() as f64) {
        Ok(growth) => Difference::Rates(growth),
        Err(counter) => Difference::Reset(counter),
    }
}

fn growth(old: &DiskCounters, new: &DiskCounters, span_ns: f64) -> Result<DiskGrowth, &'static str> {
    let wraps = old.times_wrap_at_u32_ms && new.times_wrap_at_u32_ms;
    let time = |name, old, new| grown_time(name, wraps, span_ns, old, new);
    // Of nothing asked nothing is merged, said or not.
    let merged = |merges: Option<f64>, requests: Option<f64>| merges.or(requests.filter(|n| *n == 0.0));
    let reads = grown("reads completed", old.reads, new.reads)?;
    let writes = grown("writes completed", old.writes, new.writes)?;
    Ok(DiskGrowth {
        reads,
        writes,
        read_bytes: grown("bytes read", old.read_bytes, new.read_bytes)?,
        write_bytes: grown("bytes written", old.write_bytes, new.write_bytes)?,
        discards: grown("discards completed", old.discards, new.discards)?,
        flushes: grown("flushes completed", old.flushes, new.flushes)?,
        read_time_ns: time("time reading", old.read_time_ns, new.read_time_ns)?,
        write_time_ns: time("time writing", old.write_time_ns, new.write_time_ns)?,
        busy_time_ns: time("time busy", old.busy_time_ns, new.busy_time_ns)?,
        queue_time_ns: time("weighted time", old.queue_time_ns, new.queue_time_ns)?,
        queue_depth_now: new.queue_depth_now,
        merges: merged(grown("reads merged", old.read_merges, new.read_merges)?, reads)
            .zip(merged(grown("writes merged", old.write_merges, new.write_merges)?, writes))
            .map(|(read, write)| read + write),
        discard_bytes: grown("bytes discarded", old.discard_bytes, new.discard_bytes)?,
        discard_time_ns: time("time discarding", old.discard_time_ns, new.discard_time_ns)?,
        flush_time_ns: time("time flushing", old.flush_time_ns, new.flush_time_ns)?,
        // Counters are of one direction each.
        ios: None,
        bytes: None,
        io_time_ns: None,
    })
}

impl DiskGrowth {
    /// A figure that no counter grows by.
    pub(crate) fn below_zero(&self) -> Option<(&'static str, f64)> {
        let figures = [
            ("reads", self.reads),
            ("writes", self.writes),
            ("requests", self.ios),
            ("bytes read", self.read_bytes),
            ("bytes written", self.write_bytes),
            ("bytes", self.bytes),
            ("ns reading", self.read_time_ns),
            ("ns writing", self.write_time_ns),
            ("ns of requests", self.io_time_ns),
            ("ns busy", self.busy_time_ns),
            ("ns of weighted time", self.queue_time_ns),
            ("merges", self.merges),
            ("discards", self.discards),
            ("flushes", self.flushes),
        ];
        figures.into_iter().find_map(|(name, figure)| Some((name, figure.filter(|figure| *figure < 0.0)?)))
    }
    /// The same as rates over an interval of this length.
    pub fn rates(&self, span: Duration) -> DiskInterval {
        let span_ns = span.ns() as f64;
        let seconds = span_ns / 1e9;
        let per_s = |growth: Option<f64>| growth.map(|g| g / seconds);
        let throughput = |growth: Option<f64>| per_s(growth).map(|g| Throughput::bytes_per_second(g.round() as u64));
        // A mean needs something to be a mean of; nothing done is not a latency, not one of zero.
        let mean = |sum: Option<f64>, n: Option<f64>| match (sum, n) {
            (Some(sum), Some(n)) if n > 0.0 => Some(sum / n),
            _ => None,
        };
        let latency = |sum, n| mean(sum, n).map(|ns| Duration::from_ns(ns.round() as u64));
        let size = |sum, n| mean(sum, n).map(|bytes| Bytes::new(bytes.round() as u64));
        DiskInterval {
            reads_per_s: per_s(self.reads),
            writes_per_s: per_s(self.writes),
            transfers_per_s: per_s(self.ios),
            throughput: throughput(self.bytes),
            read_throughput: throughput(self.read_bytes),
            write_throughput: throughput(self.write_bytes),
            read_merges_per_s: per_s(self.merges),
            write_merges_per_s: self.merges.map(|_| 0.0),
            read_latency: latency(self.read_time_ns, self.reads),
            write_latency: latency(self.write_time_ns, self.writes),
            latency: latency(self.io_time_ns, self.ios.or_else(|| Some(self.reads? + self.writes?))),
            read_size: size(self.read_bytes, self.reads),
            write_size: size(self.write_bytes, self.writes),
            queue_depth: self.queue_time_ns.map(|q| q / span_ns),
            queue_depth_now: self.queue_depth_now,
            utilisation_percent: self.busy_time_ns.map(|b| 100.0 * b / span_ns),
            discards_per_s: per_s(self.discards),
            discard_throughput: throughput(self.discard_bytes),
            discard_latency: latency(self.discard_time_ns, self.discards),
            flushes_per_s: per_s(self.flushes),
            flush_latency: latency(self.flush_time_ns, self.flushes),
            ..DiskInterval::default()
        }
    }
}

/// The processors between two snapshots.
pub fn cpu_between(old: &CpuCounters, new: &CpuCounters) -> Difference<CpuInterval> {
    if old.cpus.is_some() && new.cpus.is_some() && old.cpus != new.cpus {
        return Difference::Reset("number of processors");
    }
    let total = new.total_ns - old.total_ns;
    if total < 0.0 {
        return Difference::Reset("processor time");
    }
    if total == 0.0 {
        return Difference::NoTime;
    }
    // Idle and waiting may go back by a little between two readings of one processor: that is none of either.
    let share = |old: Option<f64>, new: Option<f64>| Some((100.0 * (new? - old?) / total).clamp(0.0, 100.0));
    let idle = share(Some(old.idle_ns), Some(new.idle_ns));
    let iowait = share(old.iowait_ns, new.iowait_ns);
    Difference::Rates(CpuInterval {
        busy_percent: idle.map(|idle| (100.0 - idle - iowait.unwrap_or(0.0)).max(0.0)),
        iowait_percent: iowait,
        steal_percent: share(old.steal_ns, new.steal_ns),
        cpus: new.cpus,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: f64 = 1e6;

    fn counters(reads: f64, read_ms: f64) -> DiskCounters {
        DiskCounters {
            reads: Some(reads),
            read_time_ns: Some(read_ms * MS),
            times_wrap_at_u32_ms: true,
            ..DiskCounters::default()
        }
    }

    #[test]
    fn differences_wraps_and_resets() {
        let top = 4_294_967_296.0;
        let ms = |n| Some(Duration::from_ms(n));
        let cases = [
            ("plain", counters(10.0, 5.0), counters(30.0, 45.0), Ok((10.0, ms(2)))),
            ("a time wraps", counters(10.0, top - 10.0), counters(30.0, 30.0), Ok((10.0, ms(2)))),
            ("idle has no latency", counters(10.0, 5.0), counters(10.0, 5.0), Ok((0.0, None))),
            ("a count goes back", counters(10.0, 5.0), counters(9.0, 45.0), Err("reads completed")),
            ("a time goes back too far", counters(10.0, 2e9), counters(30.0, 1e8), Err("time reading")),
        ];
        for (name, old, new, expected) in cases {
            let span = Duration::from_secs(2);
            let found = match between(&old, &new, span) {
                Difference::Rates(growth) => {
                    let rates = growth.rates(span);
                    Ok((rates.reads_per_s.unwrap(), rates.read_latency))
                }
                Difference::Reset(counter) => Err(counter),
                Difference::NoTime => panic!("{name}"),
            };
            assert_eq!(found, expected, "{name}");
        }
        assert_eq!(between(&counters(1.0, 1.0), &counters(2.0, 2.0), Duration::ZERO), Difference::NoTime);
    }

    #[test]
    fn processors_by_difference() {
        let at = |total_ns, idle_ns, cpus| CpuCounters {
            total_ns,
            idle_ns,
            iowait_ns: Some(0.0),
            cpus: Some(cpus),
            ..CpuCounters::default()
        };
        let Difference::Rates(cpu) = cpu_between(&at(0.0, 0.0, 2), &at(100.0, 25.0, 2)) else { panic!() };
        assert_eq!(cpu.busy_percent, Some(75.0));
        let reset = Difference::Reset("number of processors");
        assert_eq!(cpu_between(&at(0.0, 0.0, 2), &at(100.0, 25.0, 4)), reset);
    }
}
