//! How figures and findings of a plan are said.

use std::collections::BTreeMap;

use dw_catalogue::{Catalogue, Money};
use dw_planner::problem::{Class, DiskKind, ONE, Sample};
use dw_planner::{Answer, Conflict, Limit, Plan, Problem, Reason, Use, VolumePlan, WhyNot, use_of};
use dw_units::Throughput;
use dw_workload::wishes::OverTime;

use super::Asked;
use super::document::is_joint;

/// The currency of the offers.
pub(crate) fn currency(asked: &Asked) -> String {
    asked.built.market.vm_prices.first().map_or_else(|| "USD".into(), |origin| origin.currency.clone())
}

/// The unit of a limit's figures, and what they are divided by for it.
pub(crate) fn unit(limit: Limit) -> (&'static str, f64) {
    use Limit::*;
    match limit {
        DiskIops(_) | UncachedIops | SecondIops | AllIops | CachedIops | TempIops => ("IOPS", 1.0),
        DiskThroughput(_) | UncachedThroughput | SecondThroughput | AllThroughput | CachedThroughput
        | TempThroughput => ("B/s", 1.0),
        Capacity(_) | TempSize => ("GiB", 1.0),
        ReadLatency(_) | WriteLatency(_) => ("us", 1_000.0),
        Slots | PremiumDisks => ("disks", 1.0),
        Vcpu => ("vCPU", 1_000.0),
        Memory => ("MiB", 1.0),
        Barred | Cost => ("", 1.0),
    }
}

/// A figure with its unit.
pub(crate) fn figure(unit: &str, value: f64) -> String {
    match unit {
        "B/s" => Throughput::bytes_per_second((value / 1e5).round() as u64 * 100_000).to_string(),
        // Nobody asks for less than a hundredth of a millisecond but by a slip, which must be seen.
        "us" if value < 10.0 => format!("{} us", format!("{value:.3}").trim_end_matches('0').trim_end_matches('.')),
        "us" => format!("{:.2} ms", value / 1e3),
        "MiB" => format!("{} GiB", trimmed(value / 1_024.0)),
        _ => format!("{} {unit}", trimmed(value)),
    }
}

/// Thousands apart; a fraction only where there is one.
fn trimmed(value: f64) -> String {
    let tenths = (value * 10.0).round() as u64;
    let whole = Money::micros(tenths / 10 * 1_000_000).to_string();
    let whole = whole.trim_end_matches(".00");
    if tenths.is_multiple_of(10) { whole.to_string() } else { format!("{whole}.{}", tenths % 10) }
}

/// A limit with its volume: `data disk IOPS`.
pub(crate) fn limit_name(problem: &Problem, limit: Limit) -> String {
    match limit.volume().and_then(|place| problem.volumes.get(place)) {
        Some(volume) => format!("{} {}", volume.name, limit.name()),
        None => limit.name(),
    }
}

/// The answer in one line.
pub(crate) fn answer(asked: &Asked, answer: &Answer, plan: &Plan) -> String {
    let problem = &asked.built.problem;
    let met = match (is_joint(asked), problem.stamps) {
        (true, stamps) => match plan.failing.len() {
            0 => "no limit is exceeded in any interval".to_string(),
            n => format!("no limit is exceeded {:.2} % of the time", (stamps - n) as f64 * 100.0 / stamps as f64),
        },
        (false, _) => format!("p{} met", asked.wishes.percentile),
    };
    let next = match answer.certificate.runner_up {
        Some(next) => format!("next best {next}"),
        None => "no other VM size meets the demand".into(),
    };
    format!(
        "{}: {} {} per month, {met}, certified cheapest (bound {}, {next})",
        plan.describe(problem),
        plan.cost,
        currency(asked),
        answer.certificate.bound
    )
}

fn needed(asked: &Asked, limit: Limit, used: Option<&Use>) -> String {
    let problem = &asked.built.problem;
    let (unit, scale) = unit(limit);
    let Some(used) = used else { return limit_name(problem, limit) };
    let (load, capacity) = (used.load[3] as f64 / scale, used.capacity as f64 / scale);
    let share = match limit {
        Limit::Capacity(place) => {
            let most = figure(unit, largest_stripe(problem, place) as f64);
            return format!(
                "{}: {} needed, at most {most} in one stripe",
                limit_name(problem, limit),
                figure(unit, load)
            );
        }
        Limit::ReadLatency(_) | Limit::WriteLatency(_) => {
            return format!(
                "{}: {}, at most {} asked",
                limit_name(problem, limit),
                figure(unit, load),
                figure(unit, capacity)
            );
        }
        _ if problem.utilisation < ONE && unit != "GiB" && unit != "disks" => {
            format!(" (of which {} % may be used)", problem.utilisation / 10_000)
        }
        _ => String::new(),
    };
    let over = match used.failing {
        n if n > 1 && problem.stamps > 1 => format!(" at most, {n} of {} intervals above it", problem.stamps),
        _ => String::new(),
    };
    let name = limit_name(problem, limit);
    format!("{name}: {} needed{over}, {} there{share}", figure(unit, load), figure(unit, capacity))
}

/// GiB of the largest stripe that a volume may have.
fn largest_stripe(problem: &Problem, place: usize) -> u64 {
    let Some(volume) = problem.volumes.get(place) else { return 0 };
    let sizes = volume.disks.iter().map(|&disk| match &problem.disks[disk].kind {
        DiskKind::Fixed { gib, .. } => *gib,
        DiskKind::Free(free) => free.gib.1,
    });
    sizes.max().unwrap_or(0) * u64::from(volume.disks_max)
}

/// Why not a VM size, in one sentence.
pub(crate) fn why(asked: &Asked, vm: usize, why: &WhyNot) -> String {
    let problem = &asked.built.problem;
    let offer = &problem.vms[vm];
    match why {
        WhyNot::Costs { plan, more } if *more == Money::ZERO => {
            format!("it costs as much: {}", plan.describe(problem))
        }
        WhyNot::Costs { plan, more } => {
            format!("costs {more} per month more: {} for {}", plan.describe(problem), plan.cost)
        }
        WhyNot::Binds { limit: Limit::Barred, plan } => {
            let reason = offer.barred.clone().unwrap_or_default();
            format!("{reason}; it would cost {}", plan.cost)
        }
        WhyNot::Binds { limit: Limit::PremiumDisks, .. } => "it takes no premium disks".into(),
        WhyNot::Binds { limit: Limit::Cost, plan } => format!("it would cost {}", plan.cost),
        WhyNot::Binds { limit, plan } => needed(asked, *limit, use_of(problem, plan, *limit).as_ref()),
        WhyNot::Conflict(limits) => {
            let names: Vec<String> = limits.iter().map(|limit| limit_name(problem, *limit)).collect();
            match names.as_slice() {
                [one] => format!("{one} is met by nothing there, and it is not the only one"),
                many => format!("together they cannot be met: {}", many.join(", ")),
            }
        }
    }
}

/// One line for each limit of a conflict.
pub(crate) fn conflict_lines(asked: &Asked, conflict: &Conflict) -> Vec<String> {
    let problem = &asked.built.problem;
    let lines = conflict.limits.iter().zip(&conflict.without).map(|(limit, without)| match without {
        Some((plan, _)) if *limit == Limit::Cost => {
            let most = problem.cost_max.unwrap_or(Money::ZERO);
            format!("monthly cost: at most {most} asked, the cheapest that meets the rest is {}", plan.cost)
        }
        Some((plan, _)) if *limit == Limit::Barred => {
            format!("what may be chosen: without the lists {} would do for {}", plan.describe(problem), plan.cost)
        }
        Some((_, used)) => needed(asked, *limit, used.as_ref()),
        None => most_there(problem, *limit),
    });
    lines.collect()
}

/// A limit that stands in the way with others: what is asked of it if all passes it, and the most that any VM gives.
fn most_there(problem: &Problem, limit: Limit) -> String {
    let name = limit_name(problem, limit);
    let (unit, _) = unit(limit);
    let most = problem.vms.iter().filter(|vm| vm.barred.is_none()).filter_map(|vm| vm.gives(limit)).max();
    let asked = (0..problem.stamps).map(|t| {
        let samples = problem.volumes.iter().filter_map(|volume| volume.samples.get(t));
        let sum = |s: &Sample| if unit == "IOPS" { s.reads + s.writes } else { s.read_bytes + s.write_bytes };
        samples.map(sum).sum::<u64>()
    });
    let mut asked: Vec<u64> = asked.collect();
    asked.sort_unstable();
    // As many intervals may exceed it as may exceed anything.
    match (most, asked.iter().rev().nth(problem.violations_allowed)) {
        (Some(most), Some(asked)) => {
            let of = |value: u64| figure(unit, value as f64);
            format!("{name}: {} asked in all, the most that a size gives is {}", of(*asked), of(most))
        }
        _ => name,
    }
}

/// Nothing meets the demand, in one line.
pub(crate) fn infeasible(asked: &Asked, conflict: &Conflict) -> String {
    let lines = conflict_lines(asked, conflict).join("; ");
    let nearest = match &conflict.miss {
        Some(miss) => {
            format!("; the nearest plan carries {:.1} % of the load", f64::from(miss.share) * 100.0 / f64::from(ONE))
        }
        None => String::new(),
    };
    format!("nothing on offer meets this demand: {lines}{nearest}")
}

/// What the answer rests on.
pub(crate) fn assumptions(asked: &Asked, best: Option<&Plan>, catalogue: &Catalogue) -> Vec<String> {
    let (problem, market, wishes) = (&asked.built.problem, &asked.built.market, asked.wishes);
    let mut lines = Vec::new();
    let mut say = |line: String| lines.push(line);
    if let Some(plan) = best {
        for line in prices(asked, plan, catalogue) {
            say(line);
        }
        if let Some(years) = wishes.reserved_years {
            let term = dw_catalogue::years_of(years);
            say(format!("the VM is reserved for {term}, at the monthly price of that term; disks are pay-as-you-go"));
        }
        if let Some(zone) = &wishes.zone {
            say(format!(
                "VM and disks are in zone {zone} of {}: whether its disks are offered there is not checked",
                wishes.region
            ));
        }
        for (volume, chosen) in problem.volumes.iter().zip(&plan.volumes) {
            if chosen.class.cached() && volume.hits.is_some() {
                let percent = f64::from(chosen.hit / 1_000) / 10.0;
                say(format!(
                    "{}: {percent} % of reads hit once the host cache is warm (estimated: one LRU shared by all cached volumes, of whose blocks only the parts that were used are valid)",
                    volume.name
                ));
            }
            if chosen.class == Class::Temp {
                say(format!("{}: the local disk loses its data when the VM stops or moves", volume.name));
            }
        }
    }
    if best.is_some_and(|plan| {
        let is =
            |second: bool| plan.volumes.iter().any(|v| v.class != Class::Temp && (v.class == Class::Second) == second);
        is(true) && is(false)
    }) {
        say(match wishes.separate_uncached {
            false => {
                "premium SSD v2 and ultra disks share one uncached limit with the other disks, the wider of the two that the size \
                 prints: how they share is not published (`uncached_sharing = \"separate\"` under [plan] adds the two up)"
            }
            true => {
                "the uncached limit of premium SSD v2 and ultra disks adds to that of the other disks (`uncached_sharing = \
                 \"separate\"`): how they share is not published"
            }
        }
        .to_string());
    }
    for volume in &problem.volumes {
        let may_cache = volume.classes.iter().any(|class| class.cached());
        if may_cache && volume.hits.is_none() {
            say(format!("{}: no hits of a host cache are counted: write its `working_set`", volume.name));
        }
    }
    say(match (problem.stamps, wishes.over_time) {
        (1, OverTime::Joint) => {
            format!("one figure per volume, its {}th percentile: there is no series", wishes.percentile)
        }
        (_, OverTime::PerDimension) => {
            format!("every figure at its own {}th percentile, as if all happened at once", wishes.percentile)
        }
        (stamps, OverTime::Joint) => format!(
            "{stamps} intervals of {}, of which {} may exceed some limit; all volumes together",
            problem.interval, problem.violations_allowed
        ),
    });
    say(match (wishes.bursting, problem.bursting) {
        (true, true) => "burst credits count as far as they last, the series run twice".into(),
        (true, false) => "sustained limits only: without a series nobody knows how long burst credits must last".into(),
        (false, _) => "sustained limits only: burst credits are not counted".to_string(),
    });
    if wishes.years > 0 {
        say(format!("demand of {} years from now", wishes.years));
    }
    for line in super::without_effect::lines(asked) {
        say(line);
    }
    say("latencies are means of the models below every limit".into());
    for line in best.map(|plan| latency(asked, plan)).unwrap_or_default() {
        say(line);
    }
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for left in &market.left_out {
        let reason = match left.why {
            Reason::Price(_) => "without a known price",
            Reason::Limits => "without complete limits",
            Reason::Barred => "barred",
        };
        *reasons.entry(reason).or_default() += 1;
    }
    let reasons: Vec<String> = reasons.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    if !reasons.is_empty() {
        say(format!(
            "{} VM sizes and {} disks on offer; left out: {}",
            problem.vms.len(),
            problem.disks.len(),
            reasons.join(", ")
        ));
    }
    lines
}

/// How well the latencies of a plan are known, a sentence for each medium.
fn latency(asked: &Asked, plan: &Plan) -> Vec<String> {
    let problem = &asked.built.problem;
    let mut places: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut add = |model, name| match places.iter_mut().find(|(known, _)| *known == model) {
        Some((_, names)) => names.push(name),
        None => places.push((model, vec![name])),
    };
    for (volume, chosen) in problem.volumes.iter().zip(&plan.volumes) {
        if let Some(model) = model_of(problem, chosen, plan.vm) {
            add(model, volume.name.as_str());
        }
    }
    for (volume, chosen) in problem.volumes.iter().zip(&plan.volumes) {
        if chosen.class.cached() && (chosen.hit > 0 || chosen.class == Class::ReadWrite) {
            add("ssd-hit", volume.name.as_str());
        }
    }
    let said = places
        .iter()
        .filter_map(|(model, names)| crate::latency::of_model(&names.join(", "), model, asked.wishes.latency));
    said.collect()
}

/// The name of the latency model of a volume's disks.
pub(crate) fn model_of(problem: &Problem, chosen: &VolumePlan, vm: usize) -> Option<&'static str> {
    match &chosen.disks {
        Some(disks) => {
            let offer = &problem.disks[disks.offer];
            let row = crate::in_use::catalogue().disk(&offer.name, Some(&offer.edition)).ok()?;
            Some(row.family.latency_model())
        }
        None => {
            let own = problem.vms[vm].temp.is_some_and(|temp| !temp.shares_cached);
            Some(if own { "local-nvme" } else { "temp-disk" })
        }
    }
}

/// Where the prices of a plan are from, each origin once.
fn prices(asked: &Asked, plan: &Plan, catalogue: &Catalogue) -> Vec<String> {
    let (problem, market) = (&asked.built.problem, &asked.built.market);
    let vm = (&market.vm_prices[plan.vm], problem.vms[plan.vm].name.as_str());
    let disks = plan.volumes.iter().filter_map(|volume| volume.disks.as_ref());
    let disks = disks.map(|disks| (&market.disk_prices[disks.offer], problem.disks[disks.offer].name.as_str()));
    let mut by_origin: Vec<(&dw_planner::PriceOrigin, Vec<&str>)> = Vec::new();
    for (origin, name) in std::iter::once(vm).chain(disks) {
        match by_origin.iter_mut().find(|(other, _)| *other == origin) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => by_origin.push((origin, vec![name])),
        }
    }
    let lines = by_origin.into_iter().map(|(origin, names)| {
        if origin.source == "asked" {
            return format!("price of {}: as the requirements give it", names.join(", "));
        }
        let page = catalogue.source(&origin.source).map_or("", |source| source.page.as_str());
        format!("price of {}: {} {}, {page} [{}]", names.join(", "), origin.region, origin.edition, origin.source)
    });
    lines.collect()
}
