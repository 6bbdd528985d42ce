//! `hdrhistogram` with three digits: one record of a drawn latency.

use dw_stack::QuantileTable;
use dw_workload::rng::Stream;
use hdrhistogram::Histogram;

use crate::bench::{Bench, Row, Sample, Unit};
use crate::{clock, rig};

pub fn bench() -> Bench {
    Bench {
        name: "peer-histogram",
        is_for: "what recording a latency costs with the usual library, the draw included",
        not_for: "reading percentiles",
        rows: vec![Row {
            name: "hdrhistogram, 3 digits",
            unit: Unit::MillionsPerSecond,
            target: None,
            peer: None,
            run: |size| Ok(record(size.pick(20_000, 20_000_000)).0),
        }],
    }
}

fn table() -> QuantileTable {
    QuantileTable::clone(&rig::unlimited(dw_units::Bytes::gib(1)).read.table)
}

fn record(count: u64) -> (Sample, Histogram<u64>) {
    let (table, mut rng) = (table(), Stream::new(1, 0));
    let mut histogram = Histogram::new_with_bounds(1, 1 << 33, 3).expect("the bounds are sound");
    let ((), time) = clock::timed(|| {
        for _ in 0..count {
            histogram.saturating_record(u64::from(table.at(rng.bits())));
        }
    });
    (Sample::timed(count, time), histogram)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_that_of_the_table() {
        let (_, histogram) = record(100_000);
        assert_eq!(histogram.len(), 100_000);
        assert!(histogram.value_at_quantile(0.5).abs_diff(2_850_000) < 40_000);
    }
}
