//! Readings as columns of integers, as a table of counters has them: what a device did in each interval.
//!
//! A row is one device and one interval: the instant at which that ended, its length, and what happened in it, as whole numbers
//! (requests, bytes, nanoseconds). They are differences of counters, so sums over devices and time are exact, and no row needs
//! its neighbour.
//!
//! Ignores: what a table means together; that is the work of [`super::Part`].
//!
//! Invariant: what is unknown stays unknown, and is never zero.

use super::sample::Statistic;

/// Whole numbers, of which some or all may be unknown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Column<'a> {
    values: &'a [i64],
    known: Option<(&'a [u8], usize)>,
}

impl<'a> Column<'a> {
    /// Nothing is known.
    pub const UNKNOWN: Column<'static> = Column { values: &[], known: None };

    /// All are known.
    pub fn known(values: &'a [i64]) -> Column<'a> {
        Column { values, known: None }
    }
    /// Those are known whose bit is set, the lowest of a byte first, from bit `offset` on: the validity of an Arrow array.
    pub fn masked(values: &'a [i64], bits: &'a [u8], offset: usize) -> Column<'a> {
        Column { values, known: Some((bits, offset)) }
    }
    /// A row of it.
    pub fn get(&self, row: usize) -> Option<i64> {
        let value = *self.values.get(row)?;
        match self.known {
            None => Some(value),
            Some((bits, offset)) => {
                let bit = offset + row;
                bits.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 1).then_some(value)
            }
        }
    }
    /// Whether it has one figure for each of so many rows, or none at all.
    fn fits(&self, rows: usize) -> bool {
        let bits = self.known.is_none_or(|(bits, offset)| bits.len() * 8 >= offset + self.values.len());
        (self.values.is_empty() || self.values.len() == rows) && bits
    }
}

/// What one device did, in any order of time. Columns that a source lacks are [`Column::UNKNOWN`].
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskColumns<'a> {
    /// Its name.
    pub device: &'a str,
    /// When each interval ended: microseconds since 1970 in UTC.
    pub ts_us: &'a [i64],
    /// How long it was, in nanoseconds.
    pub span_ns: Column<'a>,
    /// Reads completed in it.
    pub reads: Column<'a>,
    /// Writes completed.
    pub writes: Column<'a>,
    /// Bytes read.
    pub read_bytes: Column<'a>,
    /// Bytes written.
    pub write_bytes: Column<'a>,
    /// Nanoseconds that these reads took, all together.
    pub read_time_ns: Column<'a>,
    /// Nanoseconds that these writes took.
    pub write_time_ns: Column<'a>,
    /// Nanoseconds outstanding, weighted by their number.
    pub queue_time_ns: Column<'a>,
    /// Nanoseconds with at least one request.
    pub busy_ns: Column<'a>,
    /// Requests merged into others, of both directions.
    pub merges: Column<'a>,
    /// Discards completed.
    pub discards: Column<'a>,
    /// Flushes completed.
    pub flushes: Column<'a>,
    /// Means over the interval, or the largest of several shorter ones.
    pub statistic: Statistic,
}

/// What the machine did besides its disks, in any order of time.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostColumns<'a> {
    /// When each interval ended: microseconds since 1970 in UTC.
    pub ts_us: &'a [i64],
    /// How long it was, in nanoseconds.
    pub span_ns: Column<'a>,
    /// Processor time that was used, summed over processors.
    pub cpu_busy_ns: Column<'a>,
    /// All processor time.
    pub cpu_total_ns: Column<'a>,
    /// Bytes of memory in use.
    pub memory_used: Column<'a>,
    /// Transactions.
    pub transactions: Column<'a>,
}

/// A column that does not have a figure for every row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnevenColumns {
    /// Which.
    pub column: &'static str,
    /// How many rows there are.
    pub rows: usize,
}

impl std::fmt::Display for UnevenColumns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "column `{}` does not have a figure for each of the {} rows of `ts`", self.column, self.rows)
    }
}

impl std::error::Error for UnevenColumns {}

fn even(rows: usize, columns: &[(&'static str, Column<'_>)]) -> Result<(), UnevenColumns> {
    let uneven = columns.iter().find(|(_, column)| !column.fits(rows));
    uneven.map_or(Ok(()), |(column, _)| Err(UnevenColumns { column, rows }))
}

impl DiskColumns<'_> {
    pub(crate) fn check(&self) -> Result<(), UnevenColumns> {
        let columns = [
            ("span_ns", self.span_ns),
            ("reads", self.reads),
            ("writes", self.writes),
            ("read_bytes", self.read_bytes),
            ("write_bytes", self.write_bytes),
            ("read_time_ns", self.read_time_ns),
            ("write_time_ns", self.write_time_ns),
            ("queue_time_ns", self.queue_time_ns),
            ("busy_ns", self.busy_ns),
            ("merges", self.merges),
            ("discards", self.discards),
            ("flushes", self.flushes),
        ];
        even(self.ts_us.len(), &columns)
    }
    /// Its figures, in the order of the struct.
    pub(crate) fn figures(&self) -> [Column<'_>; 11] {
        [
            self.reads,
            self.writes,
            self.read_bytes,
            self.write_bytes,
            self.read_time_ns,
            self.write_time_ns,
            self.queue_time_ns,
            self.busy_ns,
            self.merges,
            self.discards,
            self.flushes,
        ]
    }
}

impl HostColumns<'_> {
    pub(crate) fn check(&self) -> Result<(), UnevenColumns> {
        let columns = [
            ("span_ns", self.span_ns),
            ("cpu_busy_ns", self.cpu_busy_ns),
            ("cpu_total_ns", self.cpu_total_ns),
            ("memory_used", self.memory_used),
            ("transactions", self.transactions),
        ];
        even(self.ts_us.len(), &columns)
    }
    /// Its figures, in the order of the struct.
    pub(crate) fn figures(&self) -> [Column<'_>; 4] {
        [self.cpu_busy_ns, self.cpu_total_ns, self.memory_used, self.transactions]
    }
}
