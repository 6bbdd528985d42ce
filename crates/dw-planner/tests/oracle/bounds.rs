//! What the search takes for the least that a volume asks is the least, and a latency is held in the stamps that are looked at.

use dw_catalogue::{Money, azure};
use dw_demand::wishes::LatencyOf;
use dw_planner::latency::{Served, Service, Waits};
use dw_planner::problem::*;
use dw_planner::{check, solve};
use dw_units::{Bytes, CacheMode, Duration};

use crate::oracle::random::{Shape, problem, tailed};

/// The p99 of hits is the longer the more of the reads hit: of so many more hits fewer may be late. A curve that ends above what the cache of
/// any size holds must not rule them out.
#[test]
fn a_percentile_of_hits_is_not_taken_from_more_hits_than_there_are() {
    let mut problem = problem(0, Shape { volumes: 1, vms: 1, disks: 1, stripe: 1, free: false, full: false });
    let vm = &mut problem.vms[0];
    (vm.barred, vm.vcpu, vm.memory_mib, vm.cache) = (None, 64, Some(1 << 20), Bytes::gib(100));
    vm.gates = Default::default();
    let disk = &mut problem.disks[0];
    (disk.latency_ns, disk.bandwidth, disk.io_unit, disk.usage) = ((100_000, 100_000), None, None, None);
    (disk.needs, disk.second, disk.quantiles) = (vm.has, false, [tailed(100_000), tailed(100_000)]);
    let rate = Rate::plain(1 << 40);
    disk.kind = DiskKind::Fixed { gib: 1_024, iops: rate, bytes: rate, price: Money::micros(1) };
    let volume = &mut problem.volumes[0];
    let sample = Sample { reads: 1_000, read_bytes: 8_192_000, ..Sample::default() };
    (volume.samples, volume.classes, volume.capacity_gib, volume.disks) =
        ([sample].into(), vec![azure::READ_ONLY], 100, vec![0]);
    volume.hits = Some(HitCurve::measured(vec![(100 << 30, 900_000), (200 << 30, 985_000)]));
    volume.latency_max = Default::default();
    problem.cost_max = None;
    let p99 = |hit: u32| {
        let service = Service { mean_ns: 100_000, transfer_ns: 0, quantiles: tailed(100_000), parts: 1 };
        let served = Served { cache: CacheMode::ReadOnly, hit, service: [service; 2] };
        served.latency_ns(problem.cache_latency, false, LatencyOf::P99, Waits::default())
    };
    let (at_cache, at_end) = (p99(900_000), p99(985_000));
    assert!(at_cache + 1_000 < at_end, "{at_cache} {at_end}");
    problem.volumes[0].latency_max[0].p99 = Some(Duration::from_ns(at_cache + 1_000));
    let answer = solve(&problem);
    let plan = answer.plans.first().expect("it is held at the hits that there are");
    assert_eq!(plan.volumes[0].hit, 900_000);
    assert!(check(&problem, plan).holds);
}
