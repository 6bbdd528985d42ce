//! What a rig gives, over the time of the recording, without a simulation: for every frame of a drag.
//!
//! Reads and writes of each volume are a load each, which come at random as those of the replay do, at the mean rate of each interval; where
//! that is more than a limit gives, enough are outstanding to keep it busy, and no latency is said: it grows as long as that lasts. Credits
//! are spent and earned from one interval to the next. Hits are those of a warm cache: as much of the working set as it holds.
//!
//! Ignores: a cache that warms up, credits that are earned and spent within one interval.

use diskwright::dw_catalogue::Catalogue;
use diskwright::dw_documents::{self, Names};
use diskwright::dw_formats::scenario::Scenario;
use diskwright::dw_observe::requirements::{DemandSeries, VolumeRequirements};
use diskwright::dw_stack::{CacheMode, LimitId, StackSpec, VolumeId};
use diskwright::estimate::{Flow, Hits, Kind, Load, Order, Phase, Step};
use diskwright::{Demand, Error, Result, dw_estimate, replay};
use dw_messages::Language;
use serde_json::{Value, json};

use super::ask::{Asked, Read};
use super::{App, JSON, Text, design};

/// Steps of a drag: one for some pixels.
const STEPS: usize = 120;
/// Requests outstanding for each disk where more is asked than a limit gives: enough to keep it busy. The replay lets far more pile up,
/// which changes no rate; how long they wait then depends on how long it lasts, and is not estimated.
const OUTSTANDING: usize = 16;

pub(super) fn answer(app: &App, asked: &Asked, lang: &Language) -> Result<Text> {
    let read = asked.read(app)?;
    Ok((JSON, of(app.session.catalogue(), read, lang)?.to_string()))
}

/// The gate of a limit in a few words.
fn gate(limit: &dw_documents::LimitId, lang: &Language) -> String {
    let (name, of) = dw_documents::gate_name(&limit.gate);
    lang.word(&format!("{}{of}", name.replace("vm", "VM"))).into()
}

/// Requests of one direction on one volume.
struct Source<'a> {
    volume: u16,
    writes: bool,
    of: &'a VolumeRequirements,
    series: &'a DemandSeries,
    hits: Hits,
}

fn of(catalogue: &Catalogue, read: Read, lang: &Language) -> Result<Value> {
    let Read { rig, scenario, demand, region } = read;
    let Demand { mut requirements, wishes, .. } = demand;
    let (span, whole) = replay::busiest(&mut requirements);
    let mut sources = Vec::new();
    for (place, of) in requirements.volumes.iter().enumerate() {
        let Some(series) = of.over_time() else { continue };
        let found = scenario.volumes.iter().position(|v| v.name == of.name);
        let alone = (scenario.volumes.len() == 1 && requirements.volumes.len() == 1).then_some(0);
        let Some(volume) = found.or(alone) else {
            return Err(Error::input(format!("the rig has no volume `{}`", of.name)));
        };
        let working_set = wishes.volumes.get(place).and_then(|v| v.working_set);
        let hits = hits(&scenario, volume, working_set.map(|set| set.get()));
        for writes in [false, true] {
            let rates = if writes { &series.write_iops } else { &series.read_iops };
            if rates.iter().any(|rate| *rate > 0.0) {
                sources.push(Source { volume: volume as u16, writes, of, series, hits });
            }
        }
    }
    let Some(first) = sources.first() else {
        let hint = "a recording that tells reads from writes has it";
        return Err(Error::input("no volume has a series: there is nothing to estimate").hint(hint));
    };
    let count = sources.iter().map(|source| source.series.read_iops.len()).max().unwrap_or(0);
    let together = count.div_ceil(STEPS).max(1);
    let interval_s = first.series.interval.ns() as f64 / 1e9;
    let (mut steps, mut asked, mut ends) = (Vec::new(), vec![Vec::new(); sources.len()], Vec::new());
    for from in (0..count).step_by(together) {
        let to = (from + together).min(count);
        let loads: Vec<Load> = sources.iter().map(|source| source.load(from..to, requirements.growth)).collect();
        for (asked, load) in asked.iter_mut().zip(&loads) {
            let Flow::Open { per_second } = load.flow else { continue };
            asked.push(figure(per_second));
        }
        ends.push(to as f64 * interval_s);
        steps.push(Step { lasts_s: (to - from) as f64 * interval_s, loads });
    }
    let phases = settled(&scenario.stack, steps);
    let names = Names::of(&scenario.stack);
    let limits: Vec<LimitId> = phases[0].gives.limits.iter().map(|limit| limit.id).collect();
    let loads = sources.iter().enumerate().map(|(place, source)| {
        let of = |get: &dyn Fn(&Phase) -> Value| phases.iter().map(get).collect::<Vec<_>>();
        let served = |phase: &Phase| {
            let load = &phase.gives.loads[place];
            if source.writes { load.writes } else { load.reads }
        };
        let us = |get: fn(dw_estimate::Band) -> f64| {
            // What piles up at a limit has no mean.
            let piles_up = |phase: &Phase| phase.gives.loads[place].bottleneck.is_some();
            let known = |phase: &Phase| served(phase).filter(|_| !piles_up(phase));
            of(&|phase| known(phase).map_or(Value::Null, |served| figure(get(served.latency) * 1e6)))
        };
        json!({
            "volume": source.of.name,
            "direction": if source.writes { "write" } else { "read" },
            "asked": asked[place],
            "iops": of(&|phase| figure(phase.gives.loads[place].per_second)),
            "low_us": us(|band| band.low), "mean_us": us(|band| band.mean), "high_us": us(|band| band.high),
            "waits_at": of(&|phase| {
                let at = phase.gives.loads[place].bottleneck;
                json!(at.and_then(|id| limits.iter().position(|other| *other == id)).map_or(-1, |at| at as i64))
            }),
            "waits": of(&|phase| figure(phase.gives.loads[place].waits)),
            "hits": of(&|phase| figure(phase.hits[place] * 100.0)),
        })
    });
    let loads: Vec<Value> = loads.collect();
    let lines = limits.iter().enumerate().map(|(place, id)| {
        let said = names.id(*id);
        let credits = phases[0].credits.iter().position(|left| left.id == *id);
        let full = phases.iter().filter_map(|phase| Some(phase.credits.get(credits?)?.left)).fold(0.0, f64::max);
        let of = |get: &dyn Fn(&Phase) -> Value| phases.iter().map(get).collect::<Vec<_>>();
        json!({
            "id": said, "name": lang.limit(&said.to_string()), "short": lang.limit(&said.name()), "gate": gate(&said, lang),
            "alike": phases[0].gives.limits[place].alike,
            // What it gives for as long as one likes: of what bursts, what is used now less what its credits lose.
            "sustained": figure(sustained(&phases[0], place, credits)),
            "burst": credits.map(|_| figure(phases.iter().map(|p| p.gives.limits[place].rate).fold(0.0, f64::max))),
            "share": of(&|phase| figure(phase.gives.limits[place].share)),
            "use": of(&|phase| {
                let limit = phase.gives.limits[place];
                figure(limit.share * limit.rate / sustained(phase, place, credits).max(1e-9))
            }),
            "credits": credits.filter(|_| full > 0.0).map(|at| of(&|phase| figure(phase.credits[at].left))),
        })
    });
    let lines: Vec<Value> = lines.collect();
    Ok(json!({
        "design": design::shown(&rig, &scenario), "rig": rig,
        "monthly": design::monthly(catalogue, &scenario, &region),
        "span_s": span.ns() as f64 / 1e9, "whole_s": whole.ns() as f64 / 1e9,
        "asked_end_s": ends, "from_s": phases.iter().map(|phase| figure(phase.from_s)).collect::<Vec<_>>(),
        "loads": loads, "limits": lines,
    }))
}

impl Source<'_> {
    fn load(&self, within: std::ops::Range<usize>, growth: f64) -> Load {
        let mean = |list: &mut dyn Iterator<Item = f64>| list.sum::<f64>() / within.len() as f64;
        let (rates, bytes) = if self.writes {
            (&self.series.write_iops, &self.series.write_bytes_per_s)
        } else {
            (&self.series.read_iops, &self.series.read_bytes_per_s)
        };
        let iops = mean(&mut within.clone().filter_map(|at| rates.get(at).copied()));
        let bytes = mean(&mut within.clone().filter_map(|at| bytes.get(at).map(|bytes| *bytes as f64)));
        // As the replay: whole sectors, and what is below half a request a second is left out.
        let size = ((bytes / iops.max(1e-9) / 512.0).round().clamp(1.0, 32_768.0) * 512.0) as u32;
        let per_second = (iops * growth).max(0.5);
        let random = self.of.random_percent.unwrap_or(100.0) / 100.0;
        let kind = |share: f64, order: Order| Kind { share, writes: self.writes, size, order, hits: self.hits };
        let kinds = [(random, Order::Random { align: size }), (1.0 - random, Order::Sequential)];
        let requests = kinds.into_iter().filter(|(share, _)| *share > 0.0).map(|(share, order)| kind(share, order));
        let flow = Flow::Open { per_second };
        Load { volume: VolumeId(self.volume), flow, requests: requests.collect() }
    }
}

pub(super) fn sustained(phase: &Phase, place: usize, credits: Option<usize>) -> f64 {
    let limit = phase.gives.limits[place];
    let drain = credits.and_then(|at| phase.credits.get(at)).map(|left| left.drain);
    drain.map_or(limit.rate, |drain| limit.share * limit.rate - drain)
}

/// A limit that is used so much may be short.
const FULL: f64 = 0.98;

/// What the steps come to: at random first, then those that are too much for a limit as loops.
fn settled(spec: &StackSpec, mut steps: Vec<Step>) -> Vec<Phase> {
    let phases = dw_estimate::along(spec, &steps);
    let (mut begins_s, mut place, mut any) = (0.0, 0, false);
    for step in &mut steps {
        let ends_s = begins_s + step.lasts_s;
        let mut is_full = false;
        while phases.get(place).is_some_and(|phase| phase.from_s < ends_s - 1e-9) {
            is_full |= phases[place].gives.limits.iter().any(|limit| limit.share > FULL);
            place += 1;
        }
        begins_s = ends_s;
        for load in step.loads.iter_mut().filter(|_| is_full) {
            let Flow::Open { per_second } = load.flow else { continue };
            let disks = spec.volumes.get(usize::from(load.volume.0)).map_or(1, |volume| volume.disks.len());
            load.flow = Flow::Paced { queue_depth: (OUTSTANDING * disks).clamp(32, 256) as u32, per_second };
        }
        any |= is_full;
    }
    if any { dw_estimate::along(spec, &steps) } else { phases }
}

/// What a warm cache serves of a volume's reads: as much of the working set as it holds, shared with the other cached volumes evenly.
fn hits(scenario: &Scenario, volume: usize, working_set: Option<u64>) -> Hits {
    let spec = &scenario.stack;
    let cached = spec.volumes.iter().filter(|v| v.host_cache != CacheMode::None).count();
    let (Some(cache), true) = (&spec.vm.host_cache, spec.volumes[volume].host_cache != CacheMode::None) else {
        return Hits::default();
    };
    let size = scenario.volumes[volume].size.get();
    let set = working_set.map_or(size, |set| set.min(size)).max(1) as f64;
    let share = |bytes: u64| (bytes as f64 / cached as f64 / set).min(1.0);
    let all = share(cache.capacity.get());
    let ram = share(cache.ram.get()).min(all);
    Hits { ram, ssd: all - ram }
}

/// To five digits: a page draws no more.
pub(crate) fn figure(value: f64) -> Value {
    if !value.is_finite() {
        return Value::Null;
    }
    let digits = 10f64.powi(4 - value.abs().max(1e-12).log10().floor() as i32);
    json!((value * digits).round() / digits)
}
