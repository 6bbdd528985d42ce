//! A made-up estate whose answers are known: for tests, benches and demonstrations.
//!
//! Each VM has three levels of load that hold for exact shares of its intervals: the busiest `BUSIEST` of a hundred are near 14:00, the next
//! `BUSY` around them, the rest is calm. So every percentile is known without counting. All disks of a VM follow one day.
//!
//! Ignores: what real estates have besides: drift, holidays, disks that peak apart.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use arrow_schema::{DataType, Field, Schema, TimeUnit};

use crate::rows::COUNTERS;

/// Intervals of a hundred at the highest level.
const BUSIEST: usize = 2;
/// Intervals of a hundred at the level below.
const BUSY: usize = 10;
/// 2026-11-01 00:00 UTC, in seconds.
const START: i64 = 1_793_491_200;
/// A day, in seconds.
const DAY: i64 = 86_400;
/// Bytes of a read and of a write.
const SIZES: [i64; 2] = [8_192, 16_384];
/// How long a read and a write take.
const LATENCIES_NS: [i64; 2] = [1_000_000, 2_000_000];
/// Rows of a VM that a fault takes, where it takes few.
const FEW: usize = 3;

/// What is wrong with a VM, on purpose; the code of its result.
pub const FAULTS: [&str; 9] = [
    "counter_reset",
    "clock_jump",
    "no_interval",
    "no_inventory",
    "no_counters",
    "unknown_device",
    "inventory",
    "infeasible",
    "demand",
];

#[derive(Clone, Copy, Debug)]
pub struct Estate {
    /// Whatever is drawn, is drawn by it.
    pub seed: u64,
    /// VMs that are well.
    pub vms: usize,
    /// Days of counters.
    pub days: usize,
    /// Disks of each: the last carries the log, where there are two or more.
    pub disks: usize,
    /// Seconds of an interval.
    pub every_s: usize,
    /// One VM more of each of [`FAULTS`].
    pub faults: bool,
}

/// What each disk of a VM does, by its level.
struct Load {
    /// Reads and writes per second at each of the three levels.
    levels: [[i64; 2]; 3],
    /// The level of each interval.
    when: Vec<u8>,
}

/// The next of a series of numbers (SplitMix64; Steele, Lea and Flood 2014).
fn draw(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Estate {
    /// VMs, the ones with faults last.
    pub fn len(&self) -> usize {
        self.vms + if self.faults { FAULTS.len() } else { 0 }
    }

    /// Whether there is no VM.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name of a VM.
    pub fn name(&self, vm: usize) -> String {
        match self.fault(vm) {
            Some(fault) => format!("vm-{}", fault.replace('_', "-")),
            None => format!("vm-{vm:06}"),
        }
    }

    /// What is wrong with it.
    pub fn fault(&self, vm: usize) -> Option<&'static str> {
        vm.checked_sub(self.vms).and_then(|index| FAULTS.get(index).copied())
    }

    fn intervals(&self) -> usize {
        self.days * (DAY as usize) / self.every_s
    }

    fn load(&self, vm: usize) -> Load {
        let mut state = self.seed ^ (vm as u64).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let scale = if self.fault(vm) == Some("infeasible") { 100_000 } else { 1 };
        let calm = [1, 2].map(|per_disk| (5 + (draw(&mut state) % 40) as i64 * per_disk) * scale);
        let busy = calm.map(|rate| rate * (2 + (draw(&mut state) % 3) as i64));
        let busiest = busy.map(|rate| rate * (2 + (draw(&mut state) % 4) as i64));
        let n = self.intervals();
        // The nearer to 14:00 the busier, give or take two random hours.
        let mut order: Vec<(i64, usize)> = (0..n)
            .map(|index| {
                let of_day = (index * self.every_s) as i64 % DAY;
                let apart = (of_day - 14 * 3_600).abs();
                (apart.min(DAY - apart) + (draw(&mut state) % 7_200) as i64, index)
            })
            .collect();
        order.sort_unstable();
        let mut when = vec![0; n];
        for (rank, (_, index)) in order.into_iter().enumerate() {
            when[index] = match rank * 100 / n {
                share if share < BUSIEST => 2,
                share if share < BUSIEST + BUSY => 1,
                _ => 0,
            };
        }
        Load { levels: [calm, busy, busiest], when }
    }

    /// The counters of a VM, in the order of ts and device; none where it has none.
    pub fn counters(&self, vm: usize) -> RecordBatch {
        let load = self.load(vm);
        let n = if self.fault(vm) == Some("no_counters") { 0 } else { load.when.len() };
        let rows = n * self.disks;
        let span = self.every_s as i64;
        let mut ts = Vec::with_capacity(rows);
        let mut columns: Vec<Vec<i64>> = COUNTERS.iter().map(|_| Vec::with_capacity(rows)).collect();
        for (index, level) in load.when.iter().enumerate().take(n) {
            let [reads, writes] = load.levels[usize::from(*level)].map(|rate| rate * span);
            let times = [reads * LATENCIES_NS[0], writes * LATENCIES_NS[1]];
            let queue = times[0] + times[1];
            let values = [
                reads,
                writes,
                reads * SIZES[0],
                writes * SIZES[1],
                times[0],
                times[1],
                queue,
                queue.min(span * 1_000_000_000),
                0,
                0,
                0,
            ];
            let at = (START + (index as i64 + 1) * span) * 1_000_000;
            for _ in 0..self.disks {
                ts.push(at);
                columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
            }
        }
        let mut spans = vec![span * 1_000_000_000; rows];
        self.spoil(vm, &mut ts, &mut spans, &mut columns[0]);
        let devices: Vec<String> = (0..self.disks).map(device).collect();
        let mut arrays: Vec<ArrayRef> = vec![
            Arc::new(StringArray::from_iter_values(std::iter::repeat_n(self.name(vm), rows))),
            Arc::new(StringArray::from_iter_values(devices.iter().cycle().take(rows))),
            Arc::new(TimestampMicrosecondArray::from(ts).with_timezone("UTC")),
            Arc::new(Int64Array::from(spans)),
        ];
        arrays.extend(columns.into_iter().map(|column| Arc::new(Int64Array::from(column)) as ArrayRef));
        arrays.push(Arc::new(StringArray::from_iter_values(std::iter::repeat_n("mean", rows))));
        RecordBatch::try_new(Arc::new(counters_schema()), arrays).expect("columns are those of the schema")
    }

    /// Makes the rows wrong that a fault is about.
    fn spoil(&self, vm: usize, ts: &mut [i64], spans: &mut [i64], reads: &mut [i64]) {
        let middle = ts.len() / self.disks / 2 * self.disks;
        match self.fault(vm) {
            Some("counter_reset") => reads[middle..].iter_mut().take(FEW).for_each(|reads| *reads = -1 - *reads),
            // Set back by less than an interval, so that rows stay in order.
            Some("clock_jump") => {
                let until = ts[middle - 1];
                ts[middle..].iter_mut().take(self.disks).for_each(|ts| *ts = until + 1);
            }
            Some("no_interval") => spans.iter_mut().for_each(|span| *span = 0),
            _ => {}
        }
    }

    /// A row for each volume of each VM.
    pub fn inventory(&self) -> RecordBatch {
        let mut rows: Vec<(String, &str, Vec<String>, Option<i64>)> = Vec::new();
        for vm in 0..self.len() {
            let fault = self.fault(vm);
            if fault == Some("no_inventory") {
                continue;
            }
            let capacity = if fault == Some("inventory") { None } else { Some(512 << 30) };
            let logs = usize::from(self.disks > 1);
            let mut data: Vec<String> = (0..self.disks - logs).map(device).collect();
            if fault == Some("unknown_device") {
                data.push("sdzz".into());
            }
            rows.push((self.name(vm), "data", data, capacity));
            if logs > 0 {
                rows.push((self.name(vm), "log", vec![device(self.disks - 1)], Some(64 << 30)));
            }
        }
        let mut devices = ListBuilder::new(StringBuilder::new());
        for (_, _, list, _) in &rows {
            list.iter().for_each(|device| devices.values().append_value(device));
            devices.append(true);
        }
        let role = |row: &(String, &'static str, Vec<String>, Option<i64>)| match row.0.as_str() {
            "vm-demand" => "nothing",
            _ => row.1,
        };
        let n = rows.len();
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("vm", Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.0)))),
            ("volume", Arc::new(StringArray::from_iter_values(rows.iter().map(|row| row.1)))),
            ("devices", Arc::new(devices.finish())),
            ("capacity_bytes", Arc::new(rows.iter().map(|row| row.3).collect::<Int64Array>())),
            ("role", Arc::new(StringArray::from_iter_values(rows.iter().map(role)))),
            ("region", Arc::new(StringArray::from_iter_values(std::iter::repeat_n("eastus", n)))),
            ("vcpu", Arc::new(Int64Array::from(vec![4; n]))),
            ("memory_bytes", Arc::new(Int64Array::from(vec![16 << 30; n]))),
            ("vm_size", Arc::new(StringArray::from_iter_values(std::iter::repeat_n("Standard_E16ds_v5", n)))),
            ("monthly_micros", Arc::new(Int64Array::from(vec![1_500_000_000; n]))),
        ];
        RecordBatch::try_from_iter(columns).expect("columns have a value for each row")
    }

    /// What an assessment must find: a row for each volume of each VM that is well, and one for each VM with a fault.
    pub fn expected(&self) -> RecordBatch {
        let (mut vms, mut codes, mut volumes) = (Vec::new(), Vec::new(), Vec::new());
        let mut levels: [Vec<Option<i64>>; 4] = Default::default();
        for vm in 0..self.len() {
            let fault = self.fault(vm);
            let logs = usize::from(self.disks > 1);
            let parts = [("data", self.disks - logs), ("log", logs)];
            for (volume, disks) in parts.into_iter().filter(|(_, disks)| *disks > 0) {
                if fault.is_some() && volume == "log" {
                    continue;
                }
                vms.push(self.name(vm));
                codes.push(fault);
                volumes.push(fault.is_none().then_some(volume));
                let load = self.load(vm);
                let iops = load.levels.map(|[reads, writes]| (reads + writes) * disks as i64);
                // p50, p90, p99, largest.
                for (column, level) in levels.iter_mut().zip([iops[0], iops[1], iops[2], iops[2]]) {
                    column.push(fault.is_none().then_some(level));
                }
            }
        }
        let [p50, p90, p99, max] = levels.map(|column| Arc::new(Int64Array::from(column)) as ArrayRef);
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("vm", Arc::new(StringArray::from_iter_values(vms))),
            ("code", Arc::new(codes.into_iter().collect::<StringArray>())),
            ("volume", Arc::new(volumes.into_iter().collect::<StringArray>())),
            ("iops_p50", p50),
            ("iops_p90", p90),
            ("iops_p99", p99),
            ("iops_max", max),
        ];
        RecordBatch::try_from_iter(columns).expect("columns have a value for each row")
    }
}

fn device(index: usize) -> String {
    format!("disk{index:02}")
}

/// Columns of counters.
pub fn counters_schema() -> Schema {
    let zoned = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
    let mut fields = vec![Field::new("vm", DataType::Utf8, true), Field::new("device", DataType::Utf8, true)];
    fields.push(Field::new("ts", zoned, true));
    fields.push(Field::new("span_ns", DataType::Int64, true));
    fields.extend(COUNTERS.iter().map(|name| Field::new(*name, DataType::Int64, true)));
    fields.push(Field::new("statistic", DataType::Utf8, true));
    Schema::new(fields)
}
