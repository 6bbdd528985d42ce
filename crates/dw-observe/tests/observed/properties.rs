//! What holds for every recording.

use dw_observe::checklist::RowId;
use dw_observe::percentile::{Percentile, SortedReadings};
use dw_observe::*;
use dw_units::Duration;
use proptest::prelude::*;

use crate::support::*;

/// The slow twin of the percentile: every nanosecond's reading in a list, cut down to small numbers.
fn percentile_slowly(readings: &[(f64, u64)], p: u32) -> Option<f64> {
    let mut all: Vec<f64> = readings.iter().flat_map(|(v, w)| std::iter::repeat_n(*v, *w as usize)).collect();
    all.sort_by(f64::total_cmp);
    let rank = (all.len() as u64 * u64::from(p)).div_ceil(100_000).max(1) as usize;
    all.get(rank - 1).copied()
}

fn intervals() -> impl Strategy<Value = Vec<(u16, u16, u16)>> {
    prop::collection::vec((0..2_000u16, 0..2_000u16, 1..5_000u16), 2..60)
}

fn disk((reads, writes, latency): (u16, u16, u16)) -> DiskInterval {
    DiskInterval {
        read_latency: ms(f64::from(latency) / 100.0),
        queue_depth: None,
        ..load(f64::from(reads) / 7.0, f64::from(writes) / 3.0)
    }
}

/// The rows of all volumes, without what names a file.
fn figures(observation: &Observation) -> Vec<(String, Vec<checklist::Row>)> {
    let rows = |v: &VolumeObservation| (v.name.clone(), v.checklists.iter().flat_map(|c| c.rows.clone()).collect());
    observation.volumes.iter().map(rows).collect()
}

proptest! {
    #[test]
    fn percentiles_agree_with_the_slow_twin_and_grow(
        readings in prop::collection::vec((0..50i32, 1..9u64), 1..40), p in 0..=100_000u32, q in 0..=100_000u32,
        is_even in any::<bool>(),
    ) {
        let readings: Vec<(f64, u64)> =
            readings.into_iter().map(|(v, w)| (f64::from(v), if is_even { 3 } else { w })).collect();
        let mut sorted = SortedReadings::new(readings.iter().map(|(v, w)| (*v, Duration::from_ns(*w))));
        prop_assert_eq!(sorted.at(Percentile::new(p)), percentile_slowly(&readings, p));
        let (low, high) = (p.min(q), p.max(q));
        prop_assert!(sorted.at(Percentile::new(low)) <= sorted.at(Percentile::new(high)));
        let (from, to) = sorted.confidence(Percentile::new(p));
        let value = sorted.at(Percentile::new(p));
        prop_assert!(from.is_none() || from <= value);
        prop_assert!(to.is_none() || to >= value);
    }

    #[test]
    fn every_row_grows_from_p50_to_max(list in intervals()) {
        let mut recording = Recording::new();
        recording.disks("sda", list.len() as i64, |i| disk(list[i as usize - 1]));
        let observation = recording.observe();
        for id in RowId::ALL {
            let row = row(&observation, *id);
            let values: Vec<f64> =
                [row.min, row.p50.map(|c| c.value), row.p90.map(|c| c.value), row.p99.map(|c| c.value), row.max]
                    .into_iter().flatten().collect();
            prop_assert!(values.windows(2).all(|w| w[0] <= w[1]), "{:?}", row);
        }
    }

    #[test]
    fn the_order_of_devices_changes_nothing(a in intervals(), b in intervals(), c in intervals()) {
        let n = a.len().min(b.len()).min(c.len());
        let record = |order: [usize; 3]| {
            let mut recording = Recording::new();
            let lists = [("sda", &a), ("sdb", &b), ("sdc", &c)];
            for i in 0..n {
                for at in order {
                    recording.disk(utc(MONDAY + (i as i64 + 1) * SECOND), lists[at].0, disk(lists[at].1[i]));
                }
            }
            figures(&recording.observe())
        };
        let first = record([0, 1, 2]);
        prop_assert_eq!(&first, &record([2, 0, 1]));
        prop_assert_eq!(&first, &record([1, 2, 0]));
    }

    #[test]
    fn a_file_in_two_pieces_gives_the_same_checklist(list in intervals(), cut in 0..100usize, timed: bool) {
        let cut = cut % (list.len() + 1);
        let record = |cut: usize| {
            let mut recording = Recording::with(RecorderOptions {
                every: Some(Duration::from_secs(1)), ..RecorderOptions::default()
            });
            for (i, figures) in list.iter().enumerate() {
                if i == cut {
                    recording.file("iostat");
                }
                let index = if i < cut { i } else { i - cut } as u64;
                let stamp = if timed { utc(MONDAY + i as i64 * SECOND) } else { Stamp::Report { index } };
                recording.disk(stamp, "sda", disk(*figures));
            }
            figures(&recording.observe())
        };
        prop_assert_eq!(record(usize::MAX), record(cut));
    }
}
