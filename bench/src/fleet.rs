//! Counters of one VM to its checklist: what each VM of an estate costs before it is planned.
//!
//! Every row has figures of its own, so that percentiles are as hard to find as in a real recording. Time begins at record batches and
//! ends at the checklist as a document.
//!
//! Ignores: Parquet, which pyarrow reads; the plan, which has a bench of its own; `python/bench/fleet.py` has all of it.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch};
use dw_fleet::rows::{COUNTERS, Rows};
use dw_fleet::{Estate, assess};
use dw_observe::Settings;
use dw_observe::volumes::VolumeChoice;
use dw_observe::windows::Window;

use crate::bench::{Bench, Row, Sample, Size, Target, Unit};
use crate::clock;

/// Rows of a batch, as workers read them.
const BATCH: usize = 1 << 16;

pub fn bench() -> Bench {
    let row = |name, target, run| Row { name, unit: Unit::MicrosecondsEach, target, peer: None, run };
    Bench {
        name: "fleet",
        is_for: "what a row of counters costs on its way to a checklist: four disks, a minute, a month",
        not_for: "reading Parquet, planning, several VMs at once",
        rows: vec![
            row("counters to checklist, a row", Some(Target::Figure { goal: 0.5, floor: 1.7 }), |size| {
                checklist(size, &[])
            }),
            row("the same with windows by load", None, |size| checklist(size, &Window::by_load())),
        ],
    }
}

fn checklist(size: Size, windows: &[Window]) -> Result<Sample, String> {
    let estate = Estate { seed: 1, vms: 1, days: size.pick(1, 30), disks: 4, every_s: 60, faults: false };
    let batch = noisy(&estate.counters(0));
    let volume = |name: &str, devices: &[&str]| VolumeChoice {
        name: name.into(),
        devices: devices.iter().map(|device| (*device).into()).collect(),
    };
    let volumes = vec![volume("data", &["disk00", "disk01", "disk02"]), volume("log", &["disk03"])];
    let settings = Settings { volumes, windows: windows.to_vec(), ..Settings::default() };
    let (n, vm) = (batch.num_rows(), estate.name(0));
    let (document, time) = clock::timed(|| {
        let mut rows = Rows::new(&vm, Some(4), Some(16 << 30));
        for start in (0..n).step_by(BATCH) {
            rows.take_all(&batch.slice(start, BATCH.min(n - start))).map_err(|error| error.what)?;
        }
        let observed = assess::observed(&vm, &settings, rows).map_err(|failure| format!("{failure:?}"))?;
        Ok::<_, String>(observed.checklist())
    });
    let found = document?.volumes.len();
    if found == 3 { Ok(Sample::timed(n as u64, time)) } else { Err(format!("{found} volumes instead of 3")) }
}

/// The same with up to twice of what each row counts.
fn noisy(batch: &RecordBatch) -> RecordBatch {
    let more = |value: i64, row: usize| {
        let drawn = (row as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 44;
        value + ((i128::from(value) * i128::from(drawn)) >> 20) as i64
    };
    let of = |name: &str, column: &ArrayRef| match column.as_any().downcast_ref::<Int64Array>() {
        Some(values) if COUNTERS.contains(&name) => {
            Arc::new(values.values().iter().enumerate().map(|(row, value)| more(*value, row)).collect::<Int64Array>())
        }
        _ => column.clone(),
    };
    let schema = batch.schema();
    let columns = schema.fields().iter().zip(batch.columns()).map(|(field, column)| of(field.name(), column)).collect();
    RecordBatch::try_new(schema.clone(), columns).expect("columns are those of the schema")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_comes_to_a_checklist() {
        for row in bench().rows {
            assert_eq!((row.run)(Size::Tiny).unwrap().work, 4 * 1_440, "{}", row.name);
        }
    }
}
