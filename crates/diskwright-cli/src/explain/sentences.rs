//! How an explanation is said.

use std::collections::BTreeMap;

use dw_planner::Limit;
use dw_planner::explain::{Censored, Change, Edit, Explanation, MORE_PERCENT, Measured, Missing, Shows, is_broken};
use dw_planner::problem::{Class, DiskKind, ONE};

use super::document::Verdict;
use crate::plan::{figure, limit_name, unit};
use crate::report::format;

/// An explanation with the words around it.
pub(super) struct Said<'a> {
    pub(super) explanation: &'a Explanation,
    /// The configuration in one line.
    pub(super) rig: String,
    /// The region whose prices count.
    pub(super) region: String,
    /// The share of time that counts, in percent.
    pub(super) percentile: f64,
    /// What the results call what they measured on a volume.
    pub(super) entries: BTreeMap<usize, Vec<String>>,
    /// What to know about the results.
    pub(super) notes: Vec<String>,
    /// Where the latencies are from.
    pub(super) latency: Vec<String>,
    /// The demand's file, for advice.
    pub(super) demand_file: Option<String>,
}

impl Said<'_> {
    pub(super) fn limit(&self, limit: Limit) -> String {
        limit_name(&self.explanation.problem, limit)
    }
    fn of(&self, limit: Limit, value: u64) -> String {
        let (unit, scale) = unit(limit);
        figure(unit, value as f64 / scale)
    }
    fn volume(&self, place: usize) -> &str {
        &self.explanation.problem.volumes[place].name
    }
}

fn percent(ppm: u32) -> String {
    format::percent((f64::from(ppm) / 1e3).floor() / 10.0)
}

/// The finding in one line.
pub(super) fn finding(said: &Said, verdict: Verdict) -> String {
    let explanation = said.explanation;
    let first = explanation.changes.first().filter(|change| change.holds);
    let advice =
        first.map_or(String::new(), |first| format!("; the cheapest change that is enough: {}", change(said, first)));
    if verdict == Verdict::Met {
        let nearest =
            explanation.limits.iter().max_by_key(|p| u128::from(p.load[3]) * 1_000_000 / u128::from(p.base.max(1)));
        let nearest = nearest.map_or(String::new(), |p| {
            let used = p.load[3] as f64 * 100.0 / p.base.max(1) as f64;
            format!("; {} comes nearest, at {}", said.limit(p.limit), format::percent(used))
        });
        return format!("this configuration carries the demand{nearest}");
    }
    if !explanation.of_demand {
        let each = explanation.shows.iter().map(|(measured, shows)| self::shows(said, measured, shows));
        return each.collect::<Vec<_>>().join("; ") + &advice;
    }
    if verdict != Verdict::Limit || explanation.binding.is_empty() {
        let each = explanation.shows.iter().map(|(measured, shows)| self::shows(said, measured, shows));
        let at_a_limit = |(_, shows): &(_, Shows)| matches!(shows, Shows::Limit { .. } | Shows::Credits { .. });
        let measured = match explanation.shows.iter().any(at_a_limit) {
            true => "; measured",
            false => ", and what was measured is not its limits",
        };
        return format!("this configuration carries the demand{measured}: {}", each.collect::<Vec<_>>().join("; "));
    }
    let binding = explanation.binding[0];
    if let Some(fixed) = explanation.fixed.iter().find(|used| used.limit == binding && is_broken(used)) {
        let (asked, is) = match binding {
            Limit::ReadLatency(_) | Limit::WriteLatency(_) => (fixed.capacity, fixed.load[3]),
            _ => (fixed.load[3], fixed.capacity),
        };
        return format!(
            "{}: {} asked, {} there{advice}",
            said.limit(binding),
            said.of(binding, asked),
            said.of(binding, is)
        );
    }
    let worst = explanation.served.iter().enumerate().filter(|(_, served)| served.by.is_some());
    let worst = worst.min_by_key(|(_, served)| served.share);
    let gets = worst.map_or(String::new(), |(place, served)| {
        let part = |value: u64| (u128::from(value) * u128::from(served.share) / 1_000_000) as u64;
        let (asked, gets) = match served.by.map(unit) {
            Some(("B/s", _)) => (figure("B/s", served.asked.1 as f64), figure("B/s", part(served.asked.1) as f64)),
            _ => (figure("IOPS", served.asked.0 as f64), figure("IOPS", part(served.asked.0) as f64)),
        };
        format!("{} asks {asked} and gets {gets} ({})", said.volume(place), percent(served.share))
    });
    let pressure = explanation.limits.iter().find(|p| p.limit == binding);
    let times = match pressure {
        Some(p) if explanation.problem.stamps > 1 => {
            format!(" in {} of {} intervals", p.narrowest, explanation.problem.stamps)
        }
        _ => String::new(),
    };
    let then: Vec<String> = explanation.binding[1..].iter().map(|limit| said.limit(*limit)).collect();
    let then = if then.is_empty() { String::new() } else { format!("; at other times {}", then.join(", ")) };
    format!("{} binds{times}: {gets}{then}{advice}", said.limit(binding))
}

/// What a measurement shows, in one sentence.
pub(super) fn shows(said: &Said, measured: &Measured, shows: &Shows) -> String {
    let name = said.volume(measured.volume);
    let rate = measured.rates.reads + measured.rates.writes;
    let did = format!("{name} did {} IOPS, {}", format::grouped(rate as f64), {
        figure("B/s", (measured.rates.read_bytes + measured.rates.write_bytes) as f64)
    });
    match shows {
        Shows::Limit { limit, used, credits_last_s } => {
            let credits = credits_last_s.map_or(String::new(), |s| {
                format!("; it lives on burst credits, full ones last {} at this rate", format::seconds(s))
            });
            format!("{did}: {} is reached ({} of it){credits}", said.limit(*limit), percent(*used))
        }
        Shows::Credits { limit, last_s } => format!(
            "{did}: that is above what {} sustains and lives on burst credits, which last {} when full",
            said.limit(*limit),
            format::seconds(*last_s)
        ),
        Shows::Cache { hit, too_small } => {
            let why = if *too_small {
                "what is read is larger than the cache".to_string()
            } else {
                "the cache is cold, or smaller than what is read: read the file once before measuring".into()
            };
            let served =
                if *hit == 0 { "no reads to speak of".into() } else { format!("about {} of reads", percent(*hit)) };
            format!("{did}: it stops at its disks, and the host cache serves {served}; {why}")
        }
        Shows::QueueDepth { outstanding, model_ns, next, needed, idle_disks } => {
            let in_flight =
                if *outstanding < 10.0 { format!("{outstanding:.1}") } else { format::grouped(*outstanding) };
            let most = format!(
                "not enough queue depth: {in_flight} requests in flight at {} ms each are {} IOPS",
                format::milliseconds(*model_ns as f64),
                format::grouped(outstanding * 1e9 / (*model_ns).max(1) as f64)
            );
            let next = next.map_or(String::new(), |(limit, gives)| {
                format!(
                    "; {needed} in flight reach the first limit, {} of {}",
                    said.of(limit, gives),
                    said.limit(limit)
                )
            });
            let idle = match idle_disks {
                0 => String::new(),
                1 => "; one disk of the stripe is idle".into(),
                n => format!("; {n} disks of the stripe are idle"),
            };
            format!("{did}: {most}{next}{idle}")
        }
        Shows::Slow { latency_ns, model_ns } => format!(
            "{did}: no limit is reached, and a request takes {} ms where the model says {} ms: look at the guest's processors, \
             at a host that is throttled elsewhere, at credits that were used up before",
            format::milliseconds(*latency_ns as f64),
            format::milliseconds(*model_ns as f64)
        ),
        Shows::NotAsked => format!("{did}: no limit is reached, the load was told to ask no more"),
        Shows::Unknown => format!("{did}: no limit is reached; without a queue depth or a latency no more can be said"),
    }
}

/// What a disk that is sized freely is bought with.
fn bought(gib: u64, iops: u64, mb: u64) -> String {
    let of = |n: u64| format::grouped(n as f64);
    format!("{} GiB, {} IOPS, {} MB/s", of(gib), of(iops), of(mb))
}

/// What to change, with what it costs.
pub(super) fn change(said: &Said, change: &Change) -> String {
    let (problem, plan) = (&said.explanation.problem, &said.explanation.plan);
    let what = match change.edit {
        Edit::Vm(vm) => format!("{} instead of {}", problem.vms[vm].name, problem.vms[0].name),
        Edit::Disk(volume, disk) => {
            let now = plan.volumes[volume].disks.as_ref();
            let old = now.map_or("", |disks| problem.disks[disks.offer].name.as_str());
            let count = now.map_or(1, |disks| disks.count);
            let times = if count > 1 { format!("{count} x ") } else { String::new() };
            let new = &problem.disks[disk].name;
            format!("{times}{new} instead of {times}{old} for {}", said.volume(volume))
        }
        Edit::Count(volume, count) => {
            let now = plan.volumes[volume].disks.as_ref();
            let (name, before) = now.map_or(("", 0), |d| (problem.disks[d.offer].name.as_str(), d.count));
            format!("a stripe of {count} x {name} instead of {before} for {}", said.volume(volume))
        }
        Edit::Provision(volume, offer, each) => {
            let disks = plan.volumes[volume].disks.as_ref();
            let count = disks.map_or(1, |disks| disks.count);
            let times = if count > 1 { format!("{count} x ") } else { String::new() };
            let old = disks.map(|disks| &problem.disks[disks.offer].kind);
            let now = match old {
                Some(DiskKind::Fixed { gib, iops, bytes, .. }) => bought(*gib, iops.base, bytes.base / 1_000_000),
                _ => "what they have".into(),
            };
            let name = &problem.disks[offer].name;
            let new = bought(each.gib, each.iops, each.mb);
            format!("{times}{name} bought with {new} instead of {now} for {}", said.volume(volume))
        }
        Edit::Cache(volume, class) => {
            format!(
                "host cache {} instead of {} for {}",
                class.host_cache(),
                plan.volumes[volume].class.host_cache(),
                said.volume(volume)
            )
        }
    };
    let cost = match change.monthly {
        Some(0) => "at no cost".to_string(),
        Some(micros) => {
            let change = dw_catalogue::MoneyChange::micros(micros);
            format!("{change} USD per month")
        }
        None => format!("no price of {} is known in {}", change.unpriced.join(", "), said.region),
    };
    format!("{what} ({cost})")
}

/// A recording that stops at a level.
pub(super) fn throttled(said: &Said, censored: &Censored) -> String {
    let at = match censored.at {
        Some(limit) => format!("that is {} of this configuration", said.limit(limit)),
        None => "some limit of where it was recorded, or the load itself".into(),
    };
    format!(
        "{}: {} % of the intervals lie at {} IOPS, {}: {at}; the true demand is higher than what was recorded",
        said.volume(censored.volume),
        censored.percent,
        format::grouped(censored.level.0 as f64),
        figure("B/s", censored.level.1 as f64)
    )
}

/// What is missing, and how to get it.
pub(super) fn missing(said: &Said, missing: Missing) -> String {
    let demand = said.demand_file.as_deref().unwrap_or("requirements.toml");
    match missing {
        Missing::Measurement => {
            "a measurement: `--measured FILE` with a result of fio, DiskSpd or Iometer tells a limit from too little queue depth"
                .into()
        }
        Missing::Demand => {
            "the demand: `--demand requirements.toml` (from `diskwright observe`) says what is asked over time".into()
        }
        Missing::Series => format!(
            "the demand over time: without a series in {demand} neither burst credits nor what piles up can be followed"
        ),
        Missing::Depth(volume) => format!(
            "{}: how many requests it keeps in flight, or their latency: measure with a tool that prints them",
            said.volume(volume)
        ),
        Missing::WorkingSet(volume) => format!(
            "{}: what its reads hit in the host cache: write its `working_set` or `hit_curve` in {demand}; none is counted",
            said.volume(volume)
        ),
        Missing::Prices => {
            format!("prices of this configuration in {}: import them with `diskwright catalogue import`", said.region)
        }
    }
}

/// What the answer rests on.
pub(super) fn assumptions(said: &Said) -> Vec<String> {
    let explanation = said.explanation;
    let mut lines = Vec::new();
    if explanation.of_demand {
        let stamps = explanation.problem.stamps;
        lines.push(match stamps {
            1 => format!("one figure per volume, its {}th percentile", said.percentile),
            _ => format!(
                "{stamps} intervals of {}, of which {} may exceed a limit ({} % of the time is to be met)",
                explanation.problem.interval, explanation.problem.violations_allowed, said.percentile
            ),
        });
        lines.push(match stamps {
            1 => "limits count whole, without headroom; burst credits do not: a single figure is asked all the time"
                .into(),
            _ => "limits count whole, without headroom; burst credits are full at the start".to_string(),
        });
    } else {
        lines.push(format!("a change is enough when it makes room for {MORE_PERCENT} % more than was measured"));
    }
    lines.push("a change leaves everything else as it is, and processors and memory at least as they are".into());
    for (volume, chosen) in explanation.problem.volumes.iter().zip(&explanation.plan.volumes) {
        if chosen.class.cached() && chosen.hit > 0 {
            let how = if explanation.of_demand { "estimated" } else { "at least: its disks cannot have served them" };
            lines.push(format!(
                "{}: {} of reads hit the host cache ({how})",
                volume.name,
                percent(chosen.hit.min(ONE))
            ));
        }
        if chosen.class == Class::ReadWrite {
            lines.push(format!(
                "{}: what a ReadWrite cache has not written back is lost when the host fails",
                volume.name
            ));
        }
    }
    lines.extend(said.notes.iter().cloned());
    lines.push("latencies are means of the models below every limit".into());
    lines.extend(said.latency.iter().cloned());
    lines
}
