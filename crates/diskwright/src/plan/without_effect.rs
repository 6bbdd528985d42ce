//! Keys of requirements that change nothing in the plan they ask for, each with the reason: told among the assumptions.
//!
//! They are no errors: `observe` writes what it measured, and a file may be used for several questions.

use dw_catalogue::{azure, fits, plan_keys};
use dw_demand::wishes::{LatencyOf, Role, VolumeWishes, Wishes};
use dw_demand::{Provenance, VolumeRequirements};
use dw_messages::{Sentence, say};
use dw_planner::Plan;
use dw_planner::policy::{Policies, Policy};
use dw_planner::problem::{DiskKind, DiskOffer, Problem, Sample, Volume};
use dw_units::Bytes;

use super::PlanInput;
use crate::figures;

/// One line for each key without effect on `best`, where there is a plan.
pub fn lines(input: &PlanInput, best: Option<&Plan>) -> Vec<Sentence> {
    let (requirements, wishes, problem) = (input.requirements, input.wishes, &input.built.problem);
    let mut lines = Vec::new();
    let mut unused = |key: &str, why: Sentence| lines.push(say!(KeyUnused { key, why }));
    for key in wishes.vendor.all() {
        if let Some(why) = (key.idle)(requirements, wishes) {
            unused(key.name, why);
        }
    }
    let policies = Policies::of(input.catalogue, wishes);
    for policy in Policy::all() {
        let is_set = match policy {
            Policy::Horizon => wishes.horizon_years != Wishes::HORIZON_YEARS,
            Policy::OnRequest(flag) => flag.is_allowed_by(wishes),
        };
        if is_set && !policies.leaves_out(policy) {
            unused(policy.key(), say!(KeyNamedSizes));
        }
    }
    if plan_keys::has_two_budgets(wishes) && best.is_some_and(|plan| !uses_both_uncached(&input.built.problem, plan)) {
        unused("uncached_sharing", say!(KeyOneUncached));
    }
    match (requirements.processors, requirements.cpu_percent) {
        (None, Some(_)) => unused("busy_percent", say!(KeyNoProcessors)),
        (Some(_), None) => unused("processors", say!(KeyNoBusy)),
        _ => {}
    }
    for price in &wishes.own_prices {
        let is_whole = price.meter == "whole";
        let vm = problem.vms.iter().any(|vm| is_whole && fits(&price.name, &vm.name));
        let of_disk =
            |disk: &DiskOffer| matches!(disk.kind, DiskKind::Free(_)) != is_whole && fits(&price.name, &disk.name);
        if !vm && !problem.disks.iter().any(of_disk) {
            unused("price", say!(KeyNotOnOffer { offer: &price.name, meter: &price.meter }));
        }
    }
    let by_series: Vec<&str> = requirements
        .volumes
        .iter()
        .filter(|v| v.over_time().is_some() && has_figures(v))
        .map(|v| v.name.as_str())
        .collect();
    if !by_series.is_empty() {
        lines.push(say!(KeySeriesInstead { volumes: by_series }));
    }
    let has_sequential = problem.disks.iter().any(|disk| disk.of_kind.is_some_and(|kind| kind.sequential));
    for ((required, wished), volume) in requirements.volumes.iter().zip(&wishes.volumes).zip(&problem.volumes) {
        let has_cache = volume.classes.iter().any(|class| problem.route(*class).has_cache());
        let growth = growth_without_years(wishes, wished);
        for (key, why) in of_volume(required, wished, volume, has_cache).into_iter().chain(growth) {
            lines.push(say!(KeyUnusedOf { volume: &required.name, key, why }));
        }
        let measured = measured(required, has_sequential);
        if !measured.is_empty() {
            lines.push(say!(KeyMeasured { volume: &required.name, keys: measured }));
        }
        lines.extend(overruled_sizes(required, volume));
    }
    lines
}

const READ_LATENCIES: [(LatencyOf, &str); 3] = [
    (LatencyOf::Mean, "read_latency_max"),
    (LatencyOf::P95, "read_latency_p95_max"),
    (LatencyOf::P99, "read_latency_p99_max"),
];
const WRITE_LATENCIES: [(LatencyOf, &str); 3] = [
    (LatencyOf::Mean, "write_latency_max"),
    (LatencyOf::P95, "write_latency_p95_max"),
    (LatencyOf::P99, "write_latency_p99_max"),
];

/// Whether volumes pass both of the uncached limits that a VM may have.
pub(super) fn uses_both_uncached(problem: &Problem, plan: &Plan) -> bool {
    let passes = |gate: usize| plan.volumes.iter().any(|volume| problem.route(volume.class).behind.has(gate));
    passes(azure::FIRST) && passes(azure::SECOND)
}

/// Keys that say what was measured, of a volume whose figures somebody wrote: who wrote them may expect them to be planned for. In what a
/// recording says they are its record. That nothing is random decides whether disks will do that take only what is in order.
fn measured(volume: &VolumeRequirements, has_sequential: bool) -> Vec<&'static str> {
    let rates = [volume.read_iops, volume.write_iops, volume.iops, volume.queue_depth];
    let bytes = [volume.read_throughput, volume.write_throughput, volume.throughput];
    let times = [volume.read_latency, volume.write_latency];
    let from = rates.iter().flatten().map(|levels| levels.from);
    let from = from.chain(bytes.iter().flatten().map(|levels| levels.from));
    let mut from = from.chain(times.iter().flatten().map(|levels| levels.from));
    if volume.over_time().is_some() || from.any(|from| from != Provenance::Asked) {
        return Vec::new();
    }
    let keys = [
        ("random_percent", volume.random_percent.is_some_and(|percent| percent > 0.0 || !has_sequential)),
        ("read_latency", volume.read_latency.is_some()),
        ("write_latency", volume.write_latency.is_some()),
        ("queue_depth", volume.queue_depth.is_some()),
    ];
    keys.into_iter().filter(|(_, is_said)| *is_said).map(|(key, _)| key).collect()
}

/// How far the mean request size may differ from the one that is written, as a share of it, before a note says so.
const SIZES_DIFFER: f64 = 0.1;

/// Sizes of requests that rates contradict: bytes per second divided by requests per second are what is planned.
fn overruled_sizes(required: &VolumeRequirements, volume: &Volume) -> Vec<Sentence> {
    let ([sample], false) = (&volume.samples[..], required.over_time().is_some()) else { return Vec::new() };
    let directions = [
        ("read_size", "reads", required.read_size, sample.reads, sample.read_bytes),
        ("write_size", "writes", required.write_size, sample.writes, sample.write_bytes),
    ];
    let lines = directions.into_iter().filter_map(|(key, requests, written, count, bytes)| {
        let written = written.map(Bytes::get).filter(|_| count > 0)? as f64;
        let planned = bytes as f64 / count as f64;
        // Planning rounds requests and bytes up, which is no contradiction.
        let differs = (planned - written).abs() > written * SIZES_DIFFER;
        let (planned, written) = (figures::bytes(planned), figures::bytes(written));
        differs.then(|| say!(KeySizeOverruled { volume: &required.name, key, requests, planned, written }))
    });
    lines.collect()
}

fn has_figures(volume: &VolumeRequirements) -> bool {
    let rates = [volume.read_iops, volume.write_iops, volume.iops];
    let bytes = [volume.read_throughput, volume.write_throughput, volume.throughput];
    rates.iter().any(Option::is_some) || bytes.iter().any(Option::is_some)
}

/// Whether reads and writes are known apart.
fn apart_rates(volume: &VolumeRequirements) -> bool {
    volume.read_iops.is_some() || volume.write_iops.is_some()
}

/// Growth of a plan that is for no later year.
fn growth_without_years(wishes: &Wishes, wished: &VolumeWishes) -> Vec<(&'static str, Sentence)> {
    // What a set of figures says of its own load nobody wrote.
    let of_set = wished.kpi.is_some_and(|kpi| kpi.gives_load) && wished.growth_percent_per_year == Some(0.0);
    let keys = [
        ("growth_percent_per_year", wished.growth_percent_per_year.filter(|_| !of_set)),
        ("capacity_growth_percent_per_year", wished.capacity_growth_percent_per_year),
    ];
    let idle = keys.into_iter().filter(|(_, percent)| wishes.years == 0 && percent.is_some());
    idle.map(|(key, _)| (key, say!(KeyNoYears))).collect()
}

fn of_volume(
    required: &VolumeRequirements,
    wished: &VolumeWishes,
    volume: &Volume,
    has_cache: bool,
) -> Vec<(&'static str, Sentence)> {
    let mut all = Vec::new();
    if required.iops.is_some() && apart_rates(required) && required.over_time().is_none() {
        all.push(("iops", say!(KeySplitIops)));
    }
    let apart = required.read_throughput.is_some() || required.write_throughput.is_some();
    if required.throughput.is_some() && apart && required.over_time().is_none() {
        all.push(("throughput", say!(KeySplitThroughput)));
    }
    if !required.unknown.is_empty() && required.over_time().is_some() {
        all.push(("unknown", say!(KeySeriesKnows)));
    }
    if !has_cache && wished.working_set.is_some() {
        all.push(("working_set", say!(KeyNoCache)));
    }
    if !has_cache && !wished.hit_curve.is_empty() {
        all.push(("hit_curve", say!(KeyNoCache)));
    }
    // Without a cache reads take as long after a reboot as before, and a latency holds then, too.
    if !has_cache && wished.after_reboot_share_min.is_some() {
        all.push(("after_reboot_share_min", say!(KeyNoCache)));
    }
    if volume.disks_max == 1 && wished.stripe_unit.is_some() {
        all.push(("stripe_unit", say!(KeyOneDisk)));
    }
    let has = |of: fn(&Sample) -> u64| volume.samples.iter().any(|sample| of(sample) > 0);
    // Recordings have sizes next to their rates, and all that is not known apart counts as writes.
    let counts_as_writes = required.iops.is_some() && !apart_rates(required);
    if required.over_time().is_none() {
        if required.read_size.is_some() && counts_as_writes {
            all.push(("read_size", say!(KeyAllWrites)));
        } else if required.read_size.is_some() && !has(|sample| sample.reads) {
            all.push(("read_size", say!(KeyNoRequests { requests: "reads" })));
        }
        if required.write_size.is_some() && !has(|sample| sample.writes) {
            all.push(("write_size", say!(KeyNoRequests { requests: "writes" })));
        }
    }
    let directions = [
        (has(|sample| sample.reads), wished.read_latency_max, READ_LATENCIES, "reads"),
        (has(|sample| sample.writes), wished.write_latency_max, WRITE_LATENCIES, "writes"),
    ];
    for (_, most, keys, requests) in directions.into_iter().filter(|(has, ..)| !has) {
        let asked = keys.into_iter().filter(|(of, _)| most.of(*of).is_some());
        all.extend(asked.map(|(_, key)| (key, say!(KeyNoRequests { requests }))));
    }
    if wished.sync_latency_p99_max.is_some() && !has(|sample| sample.writes) {
        all.push(("sync_latency_p99_max", say!(KeyNoRequests { requests: "writes" })));
    }
    if wished.role == Role::Os && wished.disks_max.is_some_and(|most| most != 1) {
        all.push(("disks_max", say!(KeyOsDisk)));
    }
    all
}
