//! Blocks of a volume from a snapshot, which come from object storage when they are first read.
//!
//! Formula: a volume is at its own speed once every block was read; until then a first read runs at [`SLOWEST`] to [`FASTEST`] with one
//! thread, or all blocks come by themselves at a bought rate. Time to warm = size / rate.
//!
//! Source: `sources::FIRST_TOUCH` (two measurements), `sources::INITIALIZATION`.
//!
//! Ignores: that more threads read more; that some blocks hold no data. New empty volumes have no first touch.

use dw_units::{Bytes, Duration, Throughput};

/// The slower of the two that were measured.
pub const SLOWEST: Throughput = Throughput::mb_per_second(2);
/// The faster.
pub const FASTEST: Throughput = Throughput::mib_per_second(5);
/// The geometric mean of the two, for one figure.
pub const TYPICAL: Throughput = Throughput::bytes_per_second(3_240_000);
/// What can be bought at creation: at least, at most.
pub const BOUGHT: (Throughput, Throughput) = (Throughput::mib_per_second(100), Throughput::mib_per_second(300));

/// How long it takes until so much was read once.
pub fn time_to_warm(size: Bytes, rate: Throughput) -> Duration {
    rate.time_for(size)
}
