//! Curves: one thing changes from scenario to scenario, on each volume for itself.

use dw_units::Bytes;

use super::{Basis, Plan};
use crate::bench::job::{Stream, options};
use dw_documents::bench::{Metric, Point};

/// Requests in flight along the sweep.
const DEPTHS: [u32; 10] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
/// Sizes along the sweep, KiB.
const SIZES_KIB: [u64; 9] = [4, 8, 16, 32, 64, 128, 256, 512, 1024];
/// Requests in flight where the sweep is about something else: enough to reach every limit.
const DEEP: u32 = 128;
/// Shares of the most that it could do, in percent: closer together where nothing waits, which is where the medium shows itself.
const LOADS: [u32; 15] = [2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100];
/// The most that one job of fio keeps in flight; a greater depth is split among several.
const MOST_OF_A_JOB: u32 = 256;

/// Where on which curve.
#[derive(Clone, Copy)]
struct At<'a> {
    curve: &'a str,
    axis: &'a str,
    unit: &'a str,
    value: f64,
}

/// What runs there.
#[derive(Clone, Copy)]
struct Shape {
    metric: Metric,
    io_size: Bytes,
    depth: u32,
    rate: Option<u64>,
}

/// IOPS and latency by the number of requests in flight.
pub fn queue_depth(basis: &Basis) -> Vec<Plan> {
    let mut plans = Vec::new();
    for volume in basis.chosen() {
        for depth in DEPTHS {
            let at = At { curve: "queue depth", axis: "queue depth", unit: "", value: f64::from(depth) };
            let shape = Shape { metric: Metric::Iops, io_size: basis.io_size, depth, rate: None };
            plans.push(plan(basis, volume, at, shape));
        }
    }
    plans
}

/// IOPS against throughput by the size of a request.
pub fn block_size(basis: &Basis) -> Vec<Plan> {
    let mut plans = Vec::new();
    for volume in basis.chosen() {
        for io_size in SIZES_KIB.map(Bytes::kib) {
            let at = At { curve: "I/O size", axis: "I/O size", unit: "B", value: io_size.get() as f64 };
            let shape = Shape { metric: Metric::Throughput, io_size, depth: DEEP, rate: None };
            plans.push(plan(basis, volume, at, shape));
        }
    }
    plans
}

/// Latency by the load that is offered, in shares of `most(plan)`, the IOPS that the simulator says it can do at best.
pub fn latency_at_load<E>(basis: &Basis, most: &dyn Fn(&Plan) -> Result<f64, E>) -> Result<Vec<Plan>, E> {
    let mut plans = Vec::new();
    for volume in basis.chosen() {
        let at = At { curve: "load", axis: "offered load", unit: "%", value: 100.0 };
        let shape = Shape { metric: Metric::LatencyMean, io_size: basis.io_size, depth: DEEP, rate: None };
        let most = most(&plan(basis, volume, at, shape))?;
        for load in LOADS {
            let rate = (most * f64::from(load) / 100.0).round().max(1.0) as u64;
            let at = At { value: f64::from(load), ..at };
            plans.push(plan(basis, volume, at, Shape { rate: Some(rate), ..shape }));
        }
    }
    Ok(plans)
}

fn plan(basis: &Basis, volume: usize, at: At, shape: Shape) -> Plan {
    let name = &basis.rig.volumes[volume].name;
    let jobs = shape.depth.div_ceil(MOST_OF_A_JOB);
    let mut fio = options(&[
        ("rw", &basis.rw),
        ("bs", &shape.io_size.get()),
        ("iodepth", &(shape.depth / jobs)),
        ("numjobs", &jobs),
        ("norandommap", &""),
    ]);
    if let Some(rate) = shape.rate {
        fio.extend(options(&[("rate_iops", &rate), ("rate_process", &"poisson")]));
    }
    let shown = match at.unit {
        "B" => shape.io_size.to_string(),
        "" => at.value.to_string(),
        unit => format!("{} {unit}", at.value),
    };
    Plan {
        id: format!("{name}-{}-{}", at.curve.replace('/', "").replace(' ', "-"), at.value).to_lowercase(),
        title: format!("{name}, {} {shown}", at.axis),
        point: Some(Point {
            curve: format!("{} of {name}", at.curve),
            axis: at.axis.into(),
            unit: at.unit.into(),
            value: at.value,
        }),
        metric: shape.metric,
        streams: vec![Stream {
            name: format!("load-{name}"),
            volume,
            from: 0,
            bytes: basis.bytes_on(volume),
            reads: basis.rw.contains("read") || basis.rw.contains("rw"),
            options: fio,
        }],
        required: Vec::new(),
        measure: None,
        ramp: None,
    }
}
