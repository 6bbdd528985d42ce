//! A device's interval in 136 bytes, because a long recording has millions.
//!
//! Ignores: what only the audit looks at (`svctm`, printed sizes), which is looked at as it passes.
//!
//! Invariant: a figure is what a tool says of it, or missing; what follows from others is made when it is asked for.

use super::amount::Amount;
use super::sample::{DiskInterval, Origin};

/// More requests per second than any device serves; a driver once reported 9.68e12.
const IMPOSSIBLE_PER_S: f64 = 1e9;
/// More bytes per second than any device moves.
const IMPOSSIBLE_BYTES_PER_S: f64 = 1e13;

/// One interval of one device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Row {
    /// End of the interval on the source's axis; for reports without a time, their number.
    pub at: i64,
    /// Length in nanoseconds; 0 where the file does not say.
    pub span: u64,
    pub origin: Origin,
    reads: Amount,
    writes: Amount,
    /// Requests of both directions, as the tool has them.
    both: Amount,
    read_bytes: Amount,
    write_bytes: Amount,
    both_bytes: Amount,
    /// Seconds.
    read_latency: Amount,
    write_latency: Amount,
    both_latency: Amount,
    queue: f32,
    read_merges: f32,
    write_merges: f32,
    discards: f32,
    flushes: f32,
    utilisation: f32,
}

impl Row {
    pub(crate) fn new(at: i64, span: u64, origin: Origin, disk: &DiskInterval) -> Row {
        let small = |n: Option<f64>| n.map_or(f32::NAN, |n| n as f32);
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

    /// The figure that no device can have, by name.
    pub(crate) fn impossible(&self) -> Option<(&'static str, f64)> {
        let rates = [("reads/s", self.reads), ("writes/s", self.writes), ("requests/s", self.both)];
        let bytes =
            [("bytes read/s", self.read_bytes), ("bytes written/s", self.write_bytes), ("bytes/s", self.both_bytes)];
        let of = |list: [(&'static str, Amount); 3], most: f64| {
            let known = list.into_iter().filter_map(|(name, value)| Some((name, value.known()?)));
            known.into_iter().find(|(_, v)| *v < 0.0 || *v > most)
        };
        of(rates, IMPOSSIBLE_PER_S).or_else(|| of(bytes, IMPOSSIBLE_BYTES_PER_S))
    }

    /// Takes what is missing here from another row of the same device and instant; `false` when both have a figure
    /// that differs, as when an instant comes twice.
    pub(crate) fn fill(&mut self, other: &Row) -> bool {
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
        let small = |mine: &mut f32, theirs: f32| {
            if mine.is_nan() {
                *mine = theirs;
            }
        };
        small(&mut self.queue, other.queue);
        small(&mut self.read_merges, other.read_merges);
        small(&mut self.write_merges, other.write_merges);
        small(&mut self.discards, other.discards);
        small(&mut self.flushes, other.flushes);
        small(&mut self.utilisation, other.utilisation);
        self.span = self.span.max(other.span);
        agree
    }

    /// Reads per second; what is left of all requests where only writes are said besides.
    pub(crate) fn reads(&self) -> Amount {
        self.reads.or(rest(self.both, self.writes))
    }
    /// Writes per second.
    pub(crate) fn writes(&self) -> Amount {
        self.writes.or(rest(self.both, self.reads))
    }
    /// Requests per second of both directions. Of a tool that says both and each, each: `tps` counts discards, too.
    pub(crate) fn iops(&self) -> Amount {
        (self.reads + self.writes).or(self.both)
    }
    /// Bytes read a second: none where nothing was read.
    pub(crate) fn read_bytes(&self) -> Amount {
        self.read_bytes.or(rest(self.both_bytes, self.write_bytes)).each_of_any(self.reads())
    }
    /// Bytes written a second.
    pub(crate) fn write_bytes(&self) -> Amount {
        self.write_bytes.or(rest(self.both_bytes, self.read_bytes)).each_of_any(self.writes())
    }
    /// Bytes per second of both directions.
    pub(crate) fn bytes(&self) -> Amount {
        (self.read_bytes() + self.write_bytes()).or(self.both_bytes)
    }
    /// Requests merged into others a second.
    pub(crate) fn merges(&self) -> Amount {
        let merges = |merges: f32, requests: Amount| Amount::from(merges).each_of_any(requests);
        merges(self.read_merges, self.reads()) + merges(self.write_merges, self.writes())
    }
    /// Discards a second.
    pub(crate) fn discards(&self) -> Amount {
        self.discards.into()
    }
    /// Flushes a second.
    pub(crate) fn flushes(&self) -> Amount {
        self.flushes.into()
    }
    /// Requests outstanding as printed.
    pub(crate) fn queue(&self) -> Amount {
        self.queue.into()
    }
    /// Percent of the time with a request.
    pub(crate) fn utilisation(&self) -> Amount {
        self.utilisation.into()
    }
    /// Whether its tool parts reads from writes.
    pub(crate) fn is_split(&self) -> bool {
        !self.reads().is_missing() && !self.writes().is_missing()
    }

    /// Outstanding requests by Little's law, reads and writes apart where the file parts them: (reads, writes, all).
    pub(crate) fn depth(&self) -> (Amount, Amount, Amount) {
        let reads = self.read_latency.each_of(self.reads());
        let writes = self.write_latency.each_of(self.writes());
        (reads, writes, (reads + writes).or(self.both_latency.each_of(self.iops())))
    }
}

/// What is left of a whole without its part; rounding may leave a little less than nothing.
fn rest(whole: Amount, part: Amount) -> Amount {
    (whole - part).larger(if whole.is_missing() || part.is_missing() { Amount::MISSING } else { Amount::ZERO })
}

trait OfRequests {
    /// This, or nothing where nothing was asked and nobody says it.
    fn each_of_any(self, requests: Amount) -> Amount;
}

impl OfRequests for Amount {
    fn each_of_any(self, requests: Amount) -> Amount {
        self.or(if requests.is_zero() { Amount::ZERO } else { Amount::MISSING })
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
