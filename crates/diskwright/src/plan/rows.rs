//! A plan as rows: what is bought for each volume, and what each limit of it carries.

use dw_catalogue::Money;
use dw_demand::Requirements;
use dw_demand::wishes::{Licence, Wishes};
use dw_documents::LimitOf;
use dw_documents::plan::{
    BenchmarkRow, BurstRow, DemandRow, LatencyRow, LicenceRow, LimitRow, PlanRow, SharedRow, VolumeRow,
};
use dw_planner::problem::Volume;
use dw_planner::{
    AtLoad, Benchmark, Built, Carried, Medium, Plan, Problem, at_load, benchmarks, breaks_in_year, busiest, failing,
    full_at, once, report, stripe_reason, working_set,
};
use dw_units::Bytes;

use super::{PlanInput, words};

/// A plan without its limits.
pub(super) fn row(input: &PlanInput, plan: &Plan) -> PlanRow {
    let problem = &input.built.problem;
    let vm = &problem.vms[plan.vm];
    let met = (problem.stamps - failing(problem, plan)) as f64 * 100.0 / problem.stamps.max(1) as f64;
    PlanRow {
        vm: vm.name.clone(),
        vm_edition: vm.edition.clone(),
        vm_options: vm.options.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
        vm_monthly: vm.price.saturating_sub(vm.licences).amount(),
        licences: licences(input.wishes, vm.vcpu),
        monthly_without_licences: (!input.wishes.licences.is_empty()).then(|| plan.bought(problem).amount()),
        monthly: plan.cost.amount(),
        monthly_micros: plan.cost.get(),
        time_met_percent: (met * 1_000.0).floor() / 1_000.0,
        breaks_in_year: breaks_in_year(input.built, input.requirements, input.wishes, plan),
        uncommitted: words::uncommitted(input, plan).is_some(),
        differs: None,
        volumes: volumes(input, plan),
    }
}

/// What is paid by core on a VM with so many.
fn licences(wishes: &Wishes, vcpu: u32) -> Vec<LicenceRow> {
    let row = |licence: &Licence| LicenceRow {
        name: licence.name.clone(),
        price: Money::micros(licence.price_micros).amount(),
        every: licence.every.word().into(),
        minimum: licence.minimum,
        cores: licence.cores(vcpu),
        nodes: licence.nodes.filter(|nodes| *nodes < wishes.nodes),
        monthly: Money::micros(licence.monthly_micros(vcpu, wishes.nodes)).amount(),
    };
    wishes.licences.iter().map(row).collect()
}

fn volumes(input: &PlanInput, plan: &Plan) -> Vec<VolumeRow> {
    let problem = &input.built.problem;
    let media: Vec<Medium> = (0..plan.volumes.len()).map(|place| medium(input, plan, place)).collect();
    let deeper: Vec<[u32; 2]> = input.wishes.volumes.iter().map(|volume| volume.deeper).collect();
    let found = at_load(problem, plan, &media, &deeper);
    let together = busiest(problem, plan, None);
    let row = |(place, (found, benchmark)): (usize, (AtLoad, Option<Benchmark>))| VolumeRow {
        working_set: working_set(input.wishes, &input.wishes.volumes[place], input.wishes.years).map(Bytes::get),
        benchmark: benchmark.map(|of| BenchmarkRow {
            file: of.file.get(),
            warmed: of.warmed.get(),
            steady: of.steady.get(),
        }),
        ..volume(input, plan, place, found, together)
    };
    found.into_iter().zip(benchmarks(problem, plan)).enumerate().map(row).collect()
}

/// What serves a volume, as a simulation draws it.
fn medium(input: &PlanInput, plan: &Plan, place: usize) -> Medium {
    let (problem, chosen) = (&input.built.problem, &plan.volumes[place]);
    let model = words::model_of(input.catalogue, problem, chosen, plan.vm).and_then(dw_catalogue::latency::model);
    match (model, &chosen.disks) {
        (Some(model), _) => {
            Medium { read: model.read(input.wishes.latency).clone(), write: model.write(input.wishes.latency).clone() }
        }
        (None, Some(disks)) => Medium::constant(problem.disks[disks.offer].latency_ns),
        (None, None) => {
            let local = problem.vms[plan.vm].local.map_or((0, 0), |local| local.latency_ns);
            Medium::constant(local)
        }
    }
}

/// `together`: the stamp in which all volumes ask the most.
fn volume(input: &PlanInput, plan: &Plan, place: usize, found: AtLoad, together: Option<usize>) -> VolumeRow {
    let problem = &input.built.problem;
    let (volume, chosen) = (&problem.volumes[place], &plan.volumes[place]);
    let route = problem.route(chosen.class);
    let disks = chosen.disks.as_ref();
    let offer = disks.map(|disks| &problem.disks[disks.offer]);
    let each = disks.and_then(|disks| disks.each);
    let count = disks.map_or(0, |disks| disks.count);
    VolumeRow {
        name: volume.name.clone(),
        role: input.wishes.volumes[place].role.word().into(),
        sequential: !input.wishes.volumes[place].role.is_sequential()
            && input.requirements.volumes[place].random_percent == Some(0.0),
        capacity_gib: volume.capacity_gib,
        working_set: None,
        benchmark: None,
        demand: demand(volume, busiest(problem, plan, Some(place))),
        demand_together: demand(volume, together),
        disk: offer.map(|offer| offer.name.clone()),
        disk_edition: offer.map(|offer| offer.edition.clone()),
        disks: count,
        disk_gib: each.map(|each| each.gib),
        disk_iops: each.map(|each| each.iops),
        disk_mb_per_s: each.filter(|each| !each.is_in_mib()).map(|each| each.mb),
        disk_mib_per_s: each.filter(|each| each.is_in_mib()).map(|each| each.mb),
        disk_tier: offer.and_then(|offer| offer.purchase.tier.clone()),
        performance_plus: offer.is_some_and(|offer| offer.purchase.has("performance_plus")),
        on_demand_bursting: offer.is_some_and(|offer| offer.purchase.has("on_demand_bursting")),
        monthly: disks.map_or(0.0, |disks| disks.cost.amount()),
        shared: disks.and_then(|disks| once(problem, disks)).map(|once| SharedRow {
            nodes: once.vms,
            monthly: once.all.amount(),
            mounts_monthly: once.mounts.amount(),
        }),
        usage_monthly: disks.filter(|_| offer.is_some_and(|offer| offer.usage.is_some())).map(|d| d.usage.amount()),
        host_cache: if route.is_local { "local disk".into() } else { route.cache.to_string() },
        gates: plan.gates(problem, place).into_iter().map(String::from).collect(),
        hit_percent: f64::from(chosen.hit / 1_000) / 10.0,
        stripe_unit: (count > 1).then(|| volume.stripe_unit.get()),
        stripe_reason: (count > 1).then(|| stripe_reason(volume)),
        queue_depth: found.queue_depth.0 + found.queue_depth.1,
        read_queue_depth: found.queue_depth.0,
        write_queue_depth: found.queue_depth.1,
        read_latency_us: found.latency_ns.0 / 1_000,
        write_latency_us: found.latency_ns.1 / 1_000,
        latency: words::model_of(input.catalogue, problem, chosen, plan.vm).and_then(dw_catalogue::latency::model).map(
            |model| LatencyRow {
                model: model.name.clone(),
                setting: input.wishes.latency.word().into(),
                grade: model.grade.clone(),
            },
        ),
    }
}

fn demand(volume: &Volume, stamp: Option<usize>) -> DemandRow {
    let sample = stamp.and_then(|stamp| volume.samples.get(stamp)).copied().unwrap_or_default();
    DemandRow {
        read_iops: sample.reads,
        write_iops: sample.writes,
        read_bytes_per_s: sample.read_bytes,
        write_bytes_per_s: sample.write_bytes,
    }
}

/// Every limit of a plan, with what it carries.
pub(crate) fn limits(built: &Built, requirements: &Requirements, wishes: &Wishes, plan: &Plan) -> Vec<LimitRow> {
    let (carried, full) = (report(built, requirements, wishes, plan), full_at(&built.problem, plan));
    let full_at = |limit| full.iter().find(|(other, _)| *other == limit).map(|(_, at)| *at);
    carried.iter().map(|carried| limit(&built.problem, carried, full_at(carried.used.limit))).collect()
}

fn limit(problem: &Problem, carried: &Carried, full_at: Option<f64>) -> LimitRow {
    let used = &carried.used;
    let (unit, scale) = words::unit(used.limit);
    LimitRow {
        of: LimitOf {
            limit: used.limit.name(problem),
            id: used.limit.id(problem),
            volume: used.limit.volume().map(|place| problem.volumes[place].name.clone()),
            unit: unit.into(),
        },
        capacity: used.capacity as f64 / scale,
        burst: used.burst.map(|burst| BurstRow {
            sustained: burst.sustained as f64 / scale,
            credits_left_percent: f64::from(burst.left / 1_000) / 10.0,
        }),
        asked: carried.load.map(|load| load as f64 / scale).into(),
        planned: Some(used.held as f64 / scale),
        full_at,
        headroom_percent: (carried.left_percent * 10.0).floor() / 10.0,
        exceeded: used.over,
        beyond_headroom: used.failing,
        binding: carried.is_narrowest,
    }
}
