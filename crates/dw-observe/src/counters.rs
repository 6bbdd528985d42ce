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

use super::sample::{CpuCounters, CpuInterval, DiskCounters, DiskInterval};

/// 2^32 milliseconds.
const WRAP_NS: f64 = 4_294_967_296.0 * 1e6;
/// More requests outstanding than any device has.
const MOST_OUTSTANDING: f64 = 10_000.0;

/// What two snapshots came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Difference<T> {
    /// Rates.
    Rates(T),
    /// Counters went back: no interval. Names the counter.
    Reset(&'static str),
    /// No time passed between the two, or it went back.
    NoTime,
}

/// Growth of a counter; `Err` when it went back.
fn grown(name: &'static str, old: Option<f64>, new: Option<f64>) -> Result<Option<f64>, &'static str> {
    match (old, new) {
        (Some(old), Some(new)) if new < old => Err(name),
        (Some(old), Some(new)) => Ok(Some(new - old)),
        _ => Ok(None),
    }
}

/// Growth of a time, whose counter may wrap.
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

/// The rates between two snapshots `span` apart.
pub fn between(old: &DiskCounters, new: &DiskCounters, span: Duration) -> Difference<DiskInterval> {
    if span == Duration::ZERO {
        return Difference::NoTime;
    }
    match rates(old, new, span.ns() as f64) {
        Ok(rates) => Difference::Rates(rates),
        Err(counter) => Difference::Reset(counter),
    }
}

fn rates(old: &DiskCounters, new: &DiskCounters, span_ns: f64) -> Result<DiskInterval, &'static str> {
    let wraps = old.times_wrap_at_u32_ms && new.times_wrap_at_u32_ms;
    let time = |name, old, new| grown_time(name, wraps, span_ns, old, new);
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
    let reads = grown("reads completed", old.reads, new.reads)?;
    let writes = grown("writes completed", old.writes, new.writes)?;
    let read_bytes = grown("bytes read", old.read_bytes, new.read_bytes)?;
    let write_bytes = grown("bytes written", old.write_bytes, new.write_bytes)?;
    let discards = grown("discards completed", old.discards, new.discards)?;
    let flushes = grown("flushes completed", old.flushes, new.flushes)?;
    let read_time = time("time reading", old.read_time_ns, new.read_time_ns)?;
    let write_time = time("time writing", old.write_time_ns, new.write_time_ns)?;
    let busy = time("time busy", old.busy_time_ns, new.busy_time_ns)?;
    let queue = time("weighted time", old.queue_time_ns, new.queue_time_ns)?;
    let discard_time = time("time discarding", old.discard_time_ns, new.discard_time_ns)?;
    let flush_time = time("time flushing", old.flush_time_ns, new.flush_time_ns)?;
    Ok(DiskInterval {
        reads_per_s: per_s(reads),
        writes_per_s: per_s(writes),
        read_throughput: throughput(read_bytes),
        write_throughput: throughput(write_bytes),
        read_merges_per_s: per_s(grown("reads merged", old.read_merges, new.read_merges)?),
        write_merges_per_s: per_s(grown("writes merged", old.write_merges, new.write_merges)?),
        read_latency: latency(read_time, reads),
        write_latency: latency(write_time, writes),
        read_size: size(read_bytes, reads),
        write_size: size(write_bytes, writes),
        queue_depth: queue.map(|q| q / span_ns),
        queue_depth_now: new.queue_depth_now,
        utilisation_percent: busy.map(|b| 100.0 * b / span_ns),
        discards_per_s: per_s(discards),
        discard_throughput: throughput(grown("bytes discarded", old.discard_bytes, new.discard_bytes)?),
        discard_latency: latency(discard_time, discards),
        flushes_per_s: per_s(flushes),
        flush_latency: latency(flush_time, flushes),
        ..DiskInterval::default()
    })
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
            let found = match between(&old, &new, Duration::from_secs(2)) {
                Difference::Rates(rates) => Ok((rates.reads_per_s.unwrap(), rates.read_latency)),
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
