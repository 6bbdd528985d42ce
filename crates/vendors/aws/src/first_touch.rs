//! Blocks of a volume from a snapshot, which come from object storage when they are first read.
//!
//! Formula: a block of [`BLOCK`] that is not there is fetched in [`BLOCK`] / rate, with the rate of one thread from [`SLOWEST`] to
//! [`FASTEST`]; or all blocks come by themselves at a bought rate, within [`BOUGHT`]. Time to warm = size / rate. The model's part of it:
//! `docs/model/first-touch.md`.
//!
//! Source: `sources::FIRST_TOUCH` (two measurements), `sources::INITIALIZATION`, `sources::SNAPSHOT_BLOCK`. That a fetch is of one block of the snapshot, and that
//! more threads fetch more, is assumed: what was measured is one thread.
//!
//! Ignores: what comes by itself without a bought rate, which the guide says fluctuates; that some blocks hold no data. New empty volumes
//! have no first touch.

use dw_stack::FirstTouch;
use dw_units::{Bytes, Duration, Throughput};
use dw_vendor::latency::LatencySetting;
use dw_vendor::rig::{RigRefusal, SnapshotAsked};

use crate::sources::INITIALIZATION;

/// The slower of the two that were measured.
pub const SLOWEST: Throughput = Throughput::mb_per_second(2);
/// The faster.
pub const FASTEST: Throughput = Throughput::mib_per_second(5);
/// The geometric mean of the two, for one figure.
pub const TYPICAL: Throughput = Throughput::bytes_per_second(3_240_000);
/// What can be bought at creation: at least, at most.
pub const BOUGHT: (Throughput, Throughput) = (Throughput::mib_per_second(100), Throughput::mib_per_second(300));
/// A block of a snapshot (`sources::SNAPSHOT_BLOCK`).
pub const BLOCK: Bytes = Bytes::kib(512);

/// How long it takes until so much was read once.
pub fn time_to_warm(size: Bytes, rate: Throughput) -> Duration {
    rate.time_for(size)
}

/// What a volume of this size from a snapshot waits for.
pub fn of_volume(size: Bytes, asked: &SnapshotAsked, latency: LatencySetting) -> Result<FirstTouch, RigRefusal> {
    let background = asked.initialization_rate.map(bought).transpose()?;
    let one_thread = match latency {
        LatencySetting::Optimistic => FASTEST,
        LatencySetting::Typical => TYPICAL,
        LatencySetting::Cautious => SLOWEST,
    };
    let there = Bytes::new((size.get() as f64 * asked.initialized) as u64);
    Ok(FirstTouch { block: BLOCK, fetch: one_thread.time_for(BLOCK), there, background })
}

/// A rate that is sold.
fn bought(rate: Throughput) -> Result<Throughput, RigRefusal> {
    let (least, most) = BOUGHT;
    if (least..=most).contains(&rate) && rate.get().is_multiple_of(1 << 20) {
        return Ok(rate);
    }
    Err(RigRefusal {
        key: "initialization_rate",
        what: format!("an initialization rate of {rate} is not sold: whole MiB/s from 100 to 300 ({INITIALIZATION})"),
        hint: "write for example `initialization_rate = \"200 MiB/s\"`, or leave it out".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_reads_as_fast_as_was_measured_and_what_is_not_sold_is_refused() {
        let asked = |rate: Option<Throughput>, initialized| SnapshotAsked { initialization_rate: rate, initialized };
        for (setting, rate) in [
            (LatencySetting::Optimistic, FASTEST),
            (LatencySetting::Typical, TYPICAL),
            (LatencySetting::Cautious, SLOWEST),
        ] {
            let touch = of_volume(Bytes::gib(8), &asked(None, 0.25), setting).unwrap();
            let found = touch.block.get() as f64 / (touch.fetch.ns() as f64 / 1e9);
            assert!((found / rate.get() as f64 - 1.0).abs() < 1e-6, "{found} and {rate}");
            assert_eq!((touch.there, touch.background), (Bytes::gib(2), None));
        }
        let typical = LatencySetting::Typical;
        for (mib, is_sold) in [(99, false), (100, true), (237, true), (300, true), (301, false)] {
            let found = of_volume(Bytes::gib(8), &asked(Some(Throughput::mib_per_second(mib)), 0.0), typical);
            assert_eq!(
                found.map(|touch| touch.background.map(|rate| rate.get() >> 20)).ok(),
                is_sold.then_some(Some(mib))
            );
        }
        let odd = of_volume(Bytes::gib(8), &asked(Some(Throughput::mb_per_second(150)), 0.0), typical).unwrap_err();
        assert_eq!(odd.key, "initialization_rate");
        assert!(odd.what.contains("whole MiB/s from 100 to 300"), "{}", odd.what);
    }
}
