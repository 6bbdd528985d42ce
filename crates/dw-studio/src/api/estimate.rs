//! What a rig gives, over the time of the recording, without a simulation: for every frame of a drag.
//!
//! Reads and writes of each volume are a load each, which come at random as those of the replay do, at the mean rate of each interval; where
//! that is more than a limit gives, enough are outstanding to keep it busy, and no latency is said: it grows as long as that lasts. Credits
//! are spent and earned from one interval to the next. Hits are those of the planner's model of a cache that volumes share (`dw_planner::hit`);
//! of a rig that begins warm, those of whole blocks at first, fewer as they are replaced.
//!
//! Of a volume from a snapshot no latency is said where it is not known which of its data are there (`docs/model/first-touch.md`).
//!
//! Ignores: a cache that begins cold, credits that are earned and spent within one interval.

use diskwright::dw_catalogue::Catalogue;
use diskwright::dw_demand::wishes::Wishes;
use diskwright::dw_demand::{DemandSeries, VolumeRequirements};
use diskwright::dw_documents::{self, GateName, LimitOf, Names};
use diskwright::dw_formats;
use diskwright::dw_formats::scenario::{CacheStart, Scenario};
use diskwright::dw_planner::hit::{self, Served, Sharer};
use diskwright::dw_planner::{demand, problem::Sample};
use diskwright::dw_stack::{CacheMode, LimitId, StackSpec, VolumeId};
use diskwright::estimate::{Flow, Hits, Kind, Load, LoadEstimate, Order, Phase, Step};
use diskwright::{Demand, Error, Judgement, Result, dw_estimate, replay};
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
    let judged = app.session.judge(&read.scenario, &read.wished)?;
    let session = app.session.of_vendor(read.scenario.vendor);
    let mut estimate = build(session.catalogue(), read, lang)?;
    estimate["judged"] = as_shown(&judged, lang);
    Ok((JSON, estimate.to_string()))
}

/// A judgement as the page shows it: the verdict, what is left of the narrowest limit, when each is reached.
fn as_shown(judged: &Judgement, lang: &Language) -> Value {
    let narrowest = judged.narrowest();
    let name = |of: &LimitOf| lang.limit(&of.name());
    let reached =
        judged.reached.iter().map(|limit| json!({ "name": name(&limit.of), "id": limit.of.id, "at": limit.at }));
    json!({
        "verdict": judged.verdict,
        "headroom_percent": narrowest.map(|row| row.headroom_percent),
        "narrowest": narrowest.map(|row| name(&row.of)),
        "exceeded_percent": figure(judged.exceeded_percent),
        "reached": reached.collect::<Vec<_>>(),
    })
}

/// The gate of a limit in a few words.
pub(super) fn gate(limit: &dw_documents::LimitId, lang: &Language) -> String {
    lang.word(&GateName::new(&limit.gate).heading()).into()
}

/// Requests of one direction on one volume.
struct Source<'a> {
    volume: u16,
    writes: bool,
    of: &'a VolumeRequirements,
    series: &'a DemandSeries,
    /// Its place among the requirements.
    place: usize,
}

fn build(catalogue: &Catalogue, read: Read, lang: &Language) -> Result<Value> {
    let Read { rig, scenario, demand, region, .. } = read;
    let Demand { mut requirements, wishes, .. } = demand;
    if requirements.volumes.iter().all(|volume| volume.over_time().is_none()) {
        return Ok(untimed(catalogue, &rig, &scenario, (&wishes, &region)));
    }
    let replay::Cut { from: begins, span, whole, .. } = replay::busiest(&scenario, &mut requirements, &wishes)?;
    let mut sources = Vec::new();
    for (place, of) in requirements.volumes.iter().enumerate() {
        let Some(series) = of.over_time() else { continue };
        let found = scenario.volumes.iter().position(|v| v.name == of.name);
        let alone = (scenario.volumes.len() == 1 && requirements.volumes.len() == 1).then_some(0);
        let Some(volume) = found.or(alone) else {
            return Err(Error::input(format!("the rig has no volume `{}`", of.name)));
        };
        for writes in [false, true] {
            let rates = if writes { &series.write_iops } else { &series.read_iops };
            if rates.iter().any(|rate| *rate > 0.0) {
                sources.push(Source { volume: volume as u16, writes, of, series, place });
            }
        }
    }
    let Some(first) = sources.first() else {
        return Ok(untimed(catalogue, &rig, &scenario, (&wishes, &region)));
    };
    let count = sources.iter().map(|source| source.series.read_iops.len()).max().unwrap_or(0);
    let together = count.div_ceil(STEPS).max(1);
    let interval_s = first.series.interval.ns() as f64 / 1e9;
    let served = served(&scenario, &sources, &wishes, requirements.growth);
    let ram = scenario
        .stack
        .vm
        .host_cache
        .as_ref()
        .map_or(0.0, |cache| cache.ram.get() as f64 / cache.capacity.get().max(1) as f64);
    let is_warm = scenario.start == CacheStart::Warm;
    let hits = |source: &Source, seconds: f64| {
        let Some(served) = served[usize::from(source.volume)] else { return Hits::default() };
        let all = if is_warm { served.after(seconds) } else { served.settled };
        Hits { ram: all * ram, ssd: all * (1.0 - ram) }
    };
    let (mut steps, mut asked, mut ends) = (Vec::new(), vec![Vec::new(); sources.len()], Vec::new());
    let mut sizes = asked.clone();
    for from in (0..count).step_by(together) {
        let to = (from + together).min(count);
        let middle_s = (from + to) as f64 / 2.0 * interval_s;
        let load = |source: &Source| source.load(from..to, requirements.growth, hits(source, middle_s));
        let loads: Vec<Load> = sources.iter().map(load).collect();
        for ((asked, sizes), load) in asked.iter_mut().zip(&mut sizes).zip(&loads) {
            let Flow::Open { per_second } = load.flow else { continue };
            asked.push(figure(per_second));
            sizes.push(json!(load.requests.first().map_or(0, |kind| kind.size)));
        }
        ends.push(to as f64 * interval_s);
        steps.push(Step { lasts_s: (to - from) as f64 * interval_s, loads });
    }
    let outstanding = |loads: &[Load], place: usize| Some(outstanding(&scenario.stack, loads, place));
    let phases = dw_estimate::along_or_full(&scenario.stack, &steps, outstanding);
    let names = Names::from_stack(&scenario.stack);
    let limits: Vec<LimitId> = phases[0].gives.limits.iter().map(|limit| limit.id).collect();
    let loads = sources.iter().enumerate().map(|(place, source)| {
        let of = |get: &dyn Fn(&Phase) -> Value| phases.iter().map(get).collect::<Vec<_>>();
        let served = |phase: &Phase| {
            let load = &phase.gives.loads[place];
            if source.writes { load.writes } else { load.reads }
        };
        let us = |get: fn(dw_estimate::Band) -> f64| {
            // What piles up at a limit has no mean, and neither has what waits for nobody knows which data.
            let piles_up = |load: &LoadEstimate| load.bottleneck.is_some() || load.fetches.is_none();
            let known = |phase: &Phase| served(phase).filter(|_| !piles_up(&phase.gives.loads[place]));
            of(&|phase| known(phase).map_or(Value::Null, |served| figure(get(served.latency) * 1e6)))
        };
        json!({
            "volume": source.of.name,
            "direction": if source.writes { "write" } else { "read" },
            "asked": asked[place],
            // Bytes of a request, at the same times.
            "size": sizes[place],
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
        "monthly": design::monthly(catalogue, &scenario, &wishes, &region),
        "begins_s": begins.ns() as f64 / 1e9, "span_s": span.ns() as f64 / 1e9, "whole_s": whole.ns() as f64 / 1e9,
        "asked_end_s": ends, "from_s": phases.iter().map(|phase| figure(phase.from_s)).collect::<Vec<_>>(),
        "loads": loads, "limits": lines,
        "work": phases.iter().map(|phase| phase.gives.work).sum::<u64>(),
    }))
}

/// The same of a recording that does not tell reads from writes: its percentiles can be judged, and there is nothing over time.
fn untimed(catalogue: &Catalogue, rig: &str, scenario: &Scenario, (wishes, region): (&Wishes, &str)) -> Value {
    let nothing: [Value; 0] = [];
    json!({
        "design": design::shown(rig, scenario), "rig": rig, "monthly": design::monthly(catalogue, scenario, wishes, region),
        "begins_s": 0.0, "span_s": 0.0, "whole_s": 0.0,
        "asked_end_s": nothing, "from_s": nothing, "loads": nothing, "limits": nothing, "work": 0,
    })
}

impl Source<'_> {
    /// Requests a second and their size within these intervals, as the replay asks: whole sectors, and what is below half a request a
    /// second is left out.
    fn asked(&self, within: std::ops::Range<usize>, growth: f64) -> (f64, u32) {
        let mean = |list: &mut dyn Iterator<Item = f64>| list.sum::<f64>() / within.len() as f64;
        let (rates, bytes) = if self.writes {
            (&self.series.write_iops, &self.series.write_bytes_per_s)
        } else {
            (&self.series.read_iops, &self.series.read_bytes_per_s)
        };
        let iops = mean(&mut within.clone().filter_map(|at| rates.get(at).copied()));
        let bytes = mean(&mut within.clone().filter_map(|at| bytes.get(at).map(|bytes| *bytes as f64)));
        let size = ((bytes / iops.max(1e-9) / 512.0).round().clamp(1.0, 32_768.0) * 512.0) as u32;
        (iops * growth, size)
    }

    /// One interval as the planner has it, next to that of the other direction.
    fn sample(&self, at: usize, growth: f64, other: Sample) -> Sample {
        let (iops, size) = self.asked(at..at + 1, growth);
        let requests = iops.round() as u64;
        let bytes = requests * u64::from(size);
        match self.writes {
            true => Sample { writes: requests, write_bytes: bytes, ..other },
            false => Sample { reads: requests, read_bytes: bytes, ..other },
        }
    }

    fn load(&self, within: std::ops::Range<usize>, growth: f64, hits: Hits) -> Load {
        let (iops, size) = self.asked(within, growth);
        let per_second = iops.max(0.5);
        let random = self.of.random_percent.unwrap_or(100.0) / 100.0;
        let kind = |share: f64, order: Order| Kind { share, writes: self.writes, size, order, hits };
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

/// Requests outstanding of a load that is a loop. Of two loads of a volume that is throttled the replay's pile up as they are asked for at
/// first, and then as far as their clones may, which are as deep each: half of an interval one, half of it the other is near enough.
fn outstanding(spec: &StackSpec, loads: &[Load], place: usize) -> u32 {
    let own = &loads[place];
    let asks = |load: &Load| match load.flow {
        Flow::Open { per_second } | Flow::Paced { per_second, .. } => per_second,
        Flow::Closed { .. } => 1.0,
    };
    let clones = |load: &Load| (asks(load) / dw_formats::CLONE).ceil().max(1.0);
    let most =
        |of: &dyn Fn(&Load) -> f64| loads.iter().filter(|load| load.volume == own.volume).map(of).fold(1e-9, f64::max);
    let disks = spec.volumes.get(usize::from(own.volume.0)).map_or(1, |volume| volume.disks.len());
    let deepest = (OUTSTANDING * disks).clamp(32, 256) as f64;
    let share = (asks(own) / most(&asks) + clones(own) / most(&clones)) / 2.0;
    ((deepest * share).round() as u32).max(1)
}

/// What the host cache serves of the reads of each volume of the rig: the planner's model of a cache that volumes share. What the replay
/// goes over is what shares it: the working set, where none is known the volume.
fn served(scenario: &Scenario, sources: &[Source], wishes: &Wishes, growth: f64) -> Vec<Option<Served>> {
    let spec = &scenario.stack;
    let mut all = vec![None; spec.volumes.len()];
    let Some(cache) = &spec.vm.host_cache else { return all };
    let (mut places, mut sharers) = (Vec::new(), Vec::new());
    let is_cached = |place: &usize| spec.volumes[*place].host_cache != CacheMode::None;
    for place in (0..spec.volumes.len()).filter(is_cached) {
        let own: Vec<&Source> = sources.iter().filter(|source| usize::from(source.volume) == place).collect();
        let Some(first) = own.first() else { continue };
        let samples: Vec<Sample> = (0..first.series.read_iops.len())
            .map(|at| own.iter().fold(Sample::default(), |sample, source| source.sample(at, growth, sample)))
            .collect();
        let wished = wishes.volumes.get(first.place);
        let size = scenario.volumes[place].size;
        let set = wished.and_then(|wished| wished.working_set).map_or(size, |set| set.min(size));
        let measured = wished.filter(|wished| wished.working_set.is_none());
        let curve = measured.and_then(|wished| demand::hits(wishes, wished, &samples, 0));
        sharers.push(match curve {
            Some(curve) => Sharer::of(curve, &samples),
            None => Sharer::working_set(set, &samples),
        });
        places.push(place);
    }
    for (place, served) in places.into_iter().zip(hit::served(cache.capacity.get(), &sharers)) {
        all[place] = Some(served);
    }
    all
}

/// To five digits: a page draws no more.
pub(crate) fn figure(value: f64) -> Value {
    if !value.is_finite() {
        return Value::Null;
    }
    let digits = 10f64.powi(4 - value.abs().max(1e-12).log10().floor() as i32);
    json!((value * digits).round() / digits)
}
