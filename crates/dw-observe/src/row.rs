//! A device's interval in 160 bytes, because a long recording has millions.
//!
//! A tool that prints rates gives rates. Counters give whole numbers: a row of them keeps what happened in its interval, so that
//! sums of devices are exact, and is divided by its length when a rate is asked for.
//!
//! Ignores: what only the audit needs (`svctm`, printed sizes), which it checks as it passes.
//!
//! Invariant: a figure is what a tool says of it, or missing; what follows from others is made when it is asked for.

use super::amount::Amount;
use super::sample::{DiskGrowth, DiskInterval, Origin};

/// More requests per second than any device serves; a driver once reported 9.68e12.
pub const IMPOSSIBLE_PER_S: f64 = 1e9;
/// More bytes per second than any device moves.
pub const IMPOSSIBLE_BYTES_PER_S: f64 = 1e13;

/// The fastest disks serve some four million requests a second, and a machine's disks together a few times as many.
const IMPLAUSIBLE_PER_S: f64 = 2e7;
/// A request is a sector of 512 bytes or more; rounding shows no less than half of what is read.
const LEAST_READ: f64 = 256.0;
/// Of writes most may flush, and bring no data.
const LEAST_WRITE: f64 = 16.0;
/// With fewer requests a second rounding leaves any size.
const SURE: f64 = 50.0;

/// One interval of one device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Row {
    /// End of the interval on the source's axis; for reports without a time, their number.
    pub at: i64,
    /// Length in nanoseconds; 0 where the file does not say.
    pub span: u64,
    pub origin: Origin,
    /// Figures are what happened in the interval, not rates; times are nanoseconds. Its length is known then.
    counted: bool,
    reads: Amount,
    writes: Amount,
    /// Requests of both directions, as the tool has them.
    both: Amount,
    read_bytes: Amount,
    write_bytes: Amount,
    both_bytes: Amount,
    /// Seconds of each request; where it is counted, nanoseconds of all.
    read_latency: Amount,
    write_latency: Amount,
    both_latency: Amount,
    queue: Amount,
    read_merges: Amount,
    write_merges: Amount,
    discards: Amount,
    flushes: Amount,
    utilisation: Amount,
}

/// Figures of a row that are summed over devices, in the order of [`super::point::Point::sums`].
pub(crate) type Sums = [Amount; 13];

impl Row {
    pub(crate) fn new(at: i64, span: u64, origin: Origin, disk: &DiskInterval) -> Row {
        // Printed with two decimals: what is behind the digits of an f32 is noise.
        let small = |n: Option<f64>| Amount::from(n.map(|n| f64::from(n as f32)));
        let bytes = |printed: Option<dw_units::Throughput>, ios: Option<f64>, size: Option<dw_units::Bytes>| {
            // Sizes say it where throughput is not printed.
            let sized = || Some(ios? * size?.get() as f64);
            Amount::from(printed.map(|t| t.get() as f64).or_else(sized))
        };
        let seconds = |d: Option<dw_units::Duration>| Amount::from(d.map(|d| d.ns() as f64 / 1e9));
        let both = disk.transfers_per_s.or_else(|| Some(disk.reads_per_s? + disk.writes_per_s?));
        Row {
            at,
            span,
            origin,
            counted: false,
            reads: disk.reads_per_s.into(),
            writes: disk.writes_per_s.into(),
            both: disk.transfers_per_s.into(),
            read_bytes: bytes(disk.read_throughput, disk.reads_per_s, disk.read_size),
            write_bytes: bytes(disk.write_throughput, disk.writes_per_s, disk.write_size),
            both_bytes: bytes(disk.throughput, both, disk.io_size),
            read_latency: seconds(disk.read_latency),
            write_latency: seconds(disk.write_latency),
            both_latency: seconds(disk.latency),
            queue: small(disk.queue_depth),
            read_merges: small(disk.read_merges_per_s),
            write_merges: small(disk.write_merges_per_s),
            discards: small(disk.discards_per_s),
            flushes: small(disk.flushes_per_s),
            utilisation: small(disk.utilisation_percent),
        }
    }

    /// Counters grew by so much in an interval of `span` nanoseconds, which is not zero.
    ///
    /// Requests outstanding, added up over time, are the time that they took (Little's law): where no time is counted, that is it.
    pub(crate) fn counted(at: i64, span: u64, origin: Origin, growth: &DiskGrowth) -> Row {
        Row {
            at,
            span,
            origin,
            counted: true,
            reads: growth.reads.into(),
            writes: growth.writes.into(),
            both: growth.ios.into(),
            read_bytes: growth.read_bytes.into(),
            write_bytes: growth.write_bytes.into(),
            both_bytes: growth.bytes.into(),
            read_latency: growth.read_time_ns.into(),
            write_latency: growth.write_time_ns.into(),
            both_latency: growth.io_time_ns.or(growth.queue_time_ns).into(),
            queue: growth.queue_time_ns.into(),
            read_merges: growth.merges.into(),
            write_merges: Amount::from(growth.merges.map(|_| 0.0)),
            discards: growth.discards.into(),
            flushes: growth.flushes.into(),
            utilisation: Amount::from(growth.busy_time_ns.map(|busy| 100.0 * busy / span as f64)),
        }
    }

    /// A rate of what its figures are.
    fn rate(&self, figure: Amount) -> Amount {
        if self.counted { figure.over(Amount::from(self.span as f64 / 1e9)) } else { figure }
    }

    /// Without this share of its writes, which carry no data.
    pub(crate) fn without_dataless(&mut self, share: f64) {
        // Where only the sum is told, its writes are not.
        self.both =
            self.both.known().zip(self.writes.known()).map_or(self.both, |(all, writes)| (all - writes * share).into());
        self.writes = self.writes * (1.0 - share);
        if self.counted {
            // The time of all of them: each keeps its own.
            self.write_latency = self.write_latency * (1.0 - share);
        }
    }

    /// The figure that no device can have, by name.
    pub(crate) fn impossible(&self) -> Option<(&'static str, f64)> {
        let rate = |figure| self.rate(figure);
        let rates = [("reads/s", rate(self.reads)), ("writes/s", rate(self.writes)), ("requests/s", rate(self.both))];
        let bytes = [
            ("bytes read/s", rate(self.read_bytes)),
            ("bytes written/s", rate(self.write_bytes)),
            ("bytes/s", rate(self.both_bytes)),
        ];
        let of = |list: [(&'static str, Amount); 3], most: f64| {
            let known = list.into_iter().filter_map(|(name, value)| Some((name, value.known()?)));
            known.into_iter().find(|(_, v)| *v < 0.0 || *v > most)
        };
        of(rates, IMPOSSIBLE_PER_S).or_else(|| of(bytes, IMPOSSIBLE_BYTES_PER_S))
    }

    /// A figure that is printed by mistake, though some device might have it, by name.
    pub(crate) fn implausible(&self) -> Option<(&'static str, f64)> {
        let rate = |figure| self.rate(figure).known();
        let high = |figure| rate(figure).filter(|rate| *rate >= IMPLAUSIBLE_PER_S);
        let small = |requests, bytes, least: f64| {
            let (requests, bytes) = (rate(requests)?, rate(bytes)?);
            let is_small = requests >= SURE && bytes > 0.0 && bytes < requests * least;
            // Three digits say it.
            is_small.then(|| format!("{:.2e}", bytes / requests).parse().unwrap_or(bytes / requests))
        };
        let rates = [("reads/s", self.reads), ("writes/s", self.writes), ("requests/s", self.both)];
        let rates = rates.into_iter().find_map(|(name, figure)| Some((name, high(figure)?)));
        rates
            .or_else(|| Some(("bytes per read", small(self.reads, self.read_bytes, LEAST_READ)?)))
            .or_else(|| Some(("bytes per write", small(self.writes, self.write_bytes, LEAST_WRITE)?)))
            .or_else(|| Some(("bytes per request", small(self.both, self.both_bytes, LEAST_WRITE)?)))
    }

    /// Takes what is missing here from another row of the same device and instant; `false` when both have a figure
    /// that differs, as when an instant comes twice.
    pub(crate) fn fill(&mut self, other: &Row) -> bool {
        if self.counted != other.counted || self.counted && self.span != other.span {
            return false;
        }
        let mut agree = true;
        let mut big = |mine: &mut Amount, theirs: Amount| {
            agree &= mine.is_missing() || theirs.is_missing() || *mine == theirs;
            *mine = mine.or(theirs);
        };
        big(&mut self.reads, other.reads);
        big(&mut self.writes, other.writes);
        big(&mut self.both, other.both);
        big(&mut self.read_bytes, other.read_bytes);
        big(&mut self.write_bytes, other.write_bytes);
        big(&mut self.both_bytes, other.both_bytes);
        big(&mut self.read_latency, other.read_latency);
        big(&mut self.write_latency, other.write_latency);
        big(&mut self.both_latency, other.both_latency);
        let small = |mine: &mut Amount, theirs: Amount| *mine = mine.or(theirs);
        small(&mut self.queue, other.queue);
        small(&mut self.read_merges, other.read_merges);
        small(&mut self.write_merges, other.write_merges);
        small(&mut self.discards, other.discards);
        small(&mut self.flushes, other.flushes);
        small(&mut self.utilisation, other.utilisation);
        self.span = self.span.max(other.span);
        agree
    }

    /// Reads, as it counts them; what is left of all requests where only writes are said besides.
    fn own_reads(&self) -> Amount {
        self.reads.or_else(|| rest(self.both, self.writes))
    }
    fn own_writes(&self) -> Amount {
        self.writes.or_else(|| rest(self.both, self.reads))
    }
    /// Of a tool that says both and each, each: `tps` counts discards, too.
    fn own_requests(&self) -> Amount {
        (self.reads + self.writes).or(self.both)
    }
    /// None where nothing was read.
    fn own_read_bytes(&self) -> Amount {
        self.read_bytes.or_else(|| rest(self.both_bytes, self.write_bytes).each_of_any(|| self.own_reads()))
    }
    fn own_write_bytes(&self) -> Amount {
        self.write_bytes.or_else(|| rest(self.both_bytes, self.read_bytes).each_of_any(|| self.own_writes()))
    }
    fn own_bytes(&self) -> Amount {
        (self.own_read_bytes() + self.own_write_bytes()).or(self.both_bytes)
    }
    fn own_merges(&self) -> Amount {
        self.read_merges.each_of_any(|| self.own_reads()) + self.write_merges.each_of_any(|| self.own_writes())
    }
    /// The time that requests took: reads, writes, all. Nanoseconds where it is counted, else seconds a second.
    fn own_times(&self) -> (Amount, Amount, Amount) {
        let of = |time: Amount, requests: fn(&Row) -> Amount| match self.counted {
            true => time.each_of_any(|| requests(self)),
            false => time.each_of(requests(self)),
        };
        let reads = of(self.read_latency, Row::own_reads);
        let writes = of(self.write_latency, Row::own_writes);
        (reads, writes, (reads + writes).or_else(|| of(self.both_latency, Row::own_requests)))
    }
    /// Its figures as it has them: rates, or, where it is counted, what happened in its interval.
    pub(crate) fn sums(&self) -> Sums {
        let (read_time, write_time, time) = self.own_times();
        [
            self.own_reads(),
            self.own_writes(),
            self.own_requests(),
            self.own_read_bytes(),
            self.own_write_bytes(),
            self.own_bytes(),
            read_time,
            write_time,
            time,
            self.queue,
            self.own_merges(),
            self.discards,
            self.flushes,
        ]
    }
    /// The same as rates.
    pub(crate) fn rates(&self) -> Sums {
        if self.counted { rates_over(self.sums(), self.span) } else { self.sums() }
    }
    /// The length of its interval, where its figures are what happened in that.
    pub(crate) fn counted_span(&self) -> Option<u64> {
        self.counted.then_some(self.span)
    }

    /// Reads per second.
    pub(crate) fn reads(&self) -> Amount {
        self.rate(self.own_reads())
    }
    /// Writes per second.
    pub(crate) fn writes(&self) -> Amount {
        self.rate(self.own_writes())
    }
    /// Requests per second of both directions.
    pub(crate) fn iops(&self) -> Amount {
        self.rate(self.own_requests())
    }
    /// Bytes read a second.
    pub(crate) fn read_bytes(&self) -> Amount {
        self.rate(self.own_read_bytes())
    }
    /// Bytes written a second.
    pub(crate) fn write_bytes(&self) -> Amount {
        self.rate(self.own_write_bytes())
    }
    /// Bytes per second of both directions.
    pub(crate) fn bytes(&self) -> Amount {
        self.rate(self.own_bytes())
    }
    /// Percent of the time with a request.
    pub(crate) fn utilisation(&self) -> Amount {
        self.utilisation
    }
    /// Whether its tool parts reads from writes.
    pub(crate) fn is_split(&self) -> bool {
        !self.own_reads().is_missing() && !self.own_writes().is_missing()
    }

    /// Outstanding requests by Little's law, reads and writes apart where the file parts them: (reads, writes, all).
    pub(crate) fn depth(&self) -> (Amount, Amount, Amount) {
        let of = |time: Amount| match self.counted {
            true => time.over(Amount::from(self.span as f64)),
            false => time,
        };
        let (reads, writes, all) = self.own_times();
        (of(reads), of(writes), of(all))
    }
}

/// What happened in an interval of so many nanoseconds, as rates: times become requests outstanding.
pub(crate) fn rates_over(sums: Sums, span: u64) -> Sums {
    let (seconds, ns) = (Amount::from(span as f64 / 1e9), Amount::from(span as f64));
    std::array::from_fn(|i| sums[i].over(if TIMES.contains(&i) { ns } else { seconds }))
}

/// The places of times among the figures that are summed.
const TIMES: std::ops::Range<usize> = 6..10;

/// What rows of a device say of one longer interval: each figure with how much of that is known of it.
pub(crate) struct Gathered {
    origin: Origin,
    /// What happened, or rate times seconds; of times nanoseconds. With the nanoseconds that it is of.
    figures: [(f64, u64); FIGURES],
}

/// Figures of a row.
const FIGURES: usize = 15;
/// The places of times among them.
const OWN_TIMES: std::ops::Range<usize> = 6..10;

impl Gathered {
    pub(crate) fn new(origin: Origin) -> Gathered {
        Gathered { origin, figures: [(0.0, 0); FIGURES] }
    }

    /// Adds the part of a row, whose length is known, that lies in the interval.
    pub(crate) fn add(&mut self, row: &Row, overlap_ns: u64) {
        let share = overlap_ns as f64 / row.span as f64;
        for (index, (sum, amount)) in self.figures.iter_mut().zip(row.amounts()).enumerate() {
            let Some(amount) = amount.known() else { continue };
            // A percentage is a share of the time, as a rate is.
            let happened =
                if row.counted && index != FIGURES - 1 { amount * share } else { amount * unit(index, overlap_ns) };
            *sum = (sum.0 + happened, sum.1 + overlap_ns);
        }
    }

    /// The row that ends at `at`; none where less than half of each figure is known.
    pub(crate) fn row(&self, at: i64, span: u64, counted: bool) -> Option<Row> {
        let mut amounts = [Amount::MISSING; FIGURES];
        for (index, (amount, (sum, known_ns))) in amounts.iter_mut().zip(self.figures).enumerate() {
            if known_ns < span.div_ceil(2) {
                continue;
            }
            *amount = if counted && index != FIGURES - 1 {
                Amount::from(sum * (span as f64 / known_ns as f64))
            } else {
                Amount::from(sum / unit(index, known_ns))
            };
        }
        if amounts.iter().all(|amount| amount.is_missing()) {
            return None;
        }
        Some(Row::from_amounts(at, span, self.origin, counted, amounts))
    }
}

/// So many nanoseconds in the unit that a rate is of: seconds, of times nanoseconds.
fn unit(index: usize, ns: u64) -> f64 {
    if OWN_TIMES.contains(&index) { ns as f64 } else { ns as f64 / 1e9 }
}

impl Row {
    /// Its figures as they are; latencies as the time of all requests, where it is not counted as seconds a second.
    fn amounts(&self) -> [Amount; FIGURES] {
        let of = |latency: Amount, requests: Amount| if self.counted { latency } else { latency.each_of(requests) };
        [
            self.reads,
            self.writes,
            self.both,
            self.read_bytes,
            self.write_bytes,
            self.both_bytes,
            of(self.read_latency, self.own_reads()),
            of(self.write_latency, self.own_writes()),
            of(self.both_latency, self.own_requests()),
            self.queue,
            self.read_merges,
            self.write_merges,
            self.discards,
            self.flushes,
            self.utilisation,
        ]
    }

    /// The way back.
    fn from_amounts(at: i64, span: u64, origin: Origin, counted: bool, amounts: [Amount; FIGURES]) -> Row {
        let [reads, writes, both, read_bytes, write_bytes, both_bytes, ..] = amounts;
        let [.., read_merges, write_merges, discards, flushes, utilisation] = amounts;
        let [_, _, _, _, _, _, read_latency, write_latency, both_latency, queue, ..] = amounts;
        let times = Row {
            at,
            span,
            origin,
            counted,
            reads,
            writes,
            both,
            read_bytes,
            write_bytes,
            both_bytes,
            read_latency,
            write_latency,
            both_latency,
            queue,
            read_merges,
            write_merges,
            discards,
            flushes,
            utilisation,
        };
        if counted {
            return times;
        }
        Row {
            read_latency: read_latency.over(times.own_reads()),
            write_latency: write_latency.over(times.own_writes()),
            both_latency: both_latency.over(times.own_requests()),
            ..times
        }
    }
}

/// What is left of a whole without its part; rounding may leave a little less than nothing.
fn rest(whole: Amount, part: Amount) -> Amount {
    (whole - part).larger(if whole.is_missing() || part.is_missing() { Amount::MISSING } else { Amount::ZERO })
}

trait OfRequests {
    /// This, or nothing where nothing was asked and nobody says it.
    fn each_of_any(self, requests: impl FnOnce() -> Amount) -> Amount;
}

impl OfRequests for Amount {
    fn each_of_any(self, requests: impl FnOnce() -> Amount) -> Amount {
        self.or_else(|| if requests().is_zero() { Amount::ZERO } else { Amount::MISSING })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dw_units::{Duration, Throughput};

    /// Reads, writes, all; bytes of each; depths of each.
    fn check(disk: DiskInterval, expected: [Option<f64>; 9]) {
        let row = Row::new(0, 0, Origin::default(), &disk);
        let (reads, writes, all) = row.depth();
        let found = [row.reads(), row.writes(), row.iops(), row.read_bytes(), row.write_bytes(), row.bytes()];
        let found: Vec<Option<f64>> = found.into_iter().chain([reads, writes, all]).map(Amount::known).collect();
        assert_eq!(found, expected, "{disk:?}");
    }

    #[test]
    fn a_sum_is_known_when_all_its_parts_are() {
        let (ms, rate) = (Some(Duration::from_ms(1)), |n| Some(Throughput::bytes_per_second(n)));
        let none = DiskInterval::default;
        check(none(), [None; 9]);
        check(
            DiskInterval { reads_per_s: Some(5.0), read_throughput: rate(50), read_latency: ms, ..none() },
            [Some(5.0), None, None, Some(50.0), None, None, Some(0.005), None, None],
        );
        check(
            DiskInterval { transfers_per_s: Some(8.0), reads_per_s: Some(5.0), throughput: rate(80), ..none() },
            [Some(5.0), Some(3.0), Some(8.0), None, None, Some(80.0), None, None, None],
        );
        // Latencies of each direction say nothing of requests whose direction is not known.
        check(
            DiskInterval { transfers_per_s: Some(8.0), read_latency: ms, write_latency: ms, ..none() },
            [None, None, Some(8.0), None, None, None, None, None, None],
        );
        check(
            DiskInterval { transfers_per_s: Some(8.0), latency: ms, ..none() },
            [None, None, Some(8.0), None, None, None, None, None, Some(0.008)],
        );
        // Nothing written takes no time and no bytes, whatever is not printed of it.
        check(
            DiskInterval {
                reads_per_s: Some(5.0),
                writes_per_s: Some(0.0),
                read_throughput: rate(50),
                read_latency: ms,
                ..none()
            },
            [Some(5.0), Some(0.0), Some(5.0), Some(50.0), Some(0.0), Some(50.0), Some(0.005), Some(0.0), Some(0.005)],
        );
    }
}
