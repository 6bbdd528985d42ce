//! What a design gives to the load that is on a running emulation, beside which the page lays what is measured.
//!
//! ```text
//! nothing waits there:  requests at random, at the rate that is measured
//! something waits:      a loop with as many outstanding as there are, by Little's law: rate × mean latency
//! ```
//!
//! A loop, because what waits is not the load but what is left of it: a larger design would get more from the same client.
//!
//! Ignores: the order of requests, which the emulation does not say: they are taken as random; the past of credits: they are full;
//! what was used of a volume from a snapshot since: nothing; a cache that warms up.

use diskwright::dw_documents::Names;
use diskwright::dw_planner::hit::{self, Sharer};
use diskwright::dw_planner::problem::Sample;
use diskwright::dw_stack::{CacheMode, VolumeId};
use diskwright::estimate::{Flow, Hits, Kind, Load, Order, Phase, Step};
use diskwright::{Error, Result, dw_estimate};
use dw_messages::Language;
use serde::Deserialize;
use serde_json::json;

use super::ask::{Asked, Read};
use super::{App, JSON, Text, estimate, figure};

/// A design, and what is measured.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    of: Asked,
    loads: Vec<Measured>,
}

/// Requests of one direction on one volume.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Measured {
    volume: String,
    writes: bool,
    iops: f64,
    bytes_per_s: f64,
    mean_us: f64,
    /// Something waits at a limit on their way.
    waits: bool,
}

/// Rates of a page are bounded like sizes: a figure that is none changes nothing.
const IOPS_MAX: f64 = 1e8;
/// Two for each of as many volumes as a VM has disks.
const LOADS_MAX: usize = 256;
/// Requests outstanding at most.
const DEPTH_MAX: f64 = 65_536.0;

/// A limit that is used so much may be short.
const FULL: f64 = 0.98;

impl Measured {
    fn depth(&self) -> u32 {
        (self.iops * self.mean_us / 1e6).round().clamp(1.0, DEPTH_MAX) as u32
    }
}

pub(super) fn answer(app: &App, asked: &Question, lang: &Language) -> Result<Text> {
    if asked.loads.len() > LOADS_MAX {
        return Err(Error::usage(format!("{} loads", asked.loads.len())).hint(format!("at most {LOADS_MAX}")));
    }
    let read = asked.of.read(app)?;
    let scenario = &read.scenario;
    let hits = hits(&read, &asked.loads);
    let mut loads = Vec::new();
    let mut of = Vec::new();
    for measured in asked.loads.iter().filter(|load| load.iops > 0.0 && load.iops < IOPS_MAX && load.mean_us >= 0.0) {
        let Some(volume) = scenario.volumes.iter().position(|v| v.name == measured.volume) else { continue };
        // Whole sectors, as the estimate has them.
        let size = ((measured.bytes_per_s / measured.iops / 512.0).round().clamp(1.0, 32_768.0) * 512.0) as u32;
        let kind = Kind {
            share: 1.0,
            writes: measured.writes,
            size,
            order: Order::Random { align: size },
            hits: hits[volume],
        };
        let looping = Flow::Closed { queue_depth: measured.depth() };
        let flow = if measured.waits { looping } else { Flow::Open { per_second: measured.iops } };
        loads.push(Load { volume: VolumeId(volume as u16), flow, requests: vec![kind] });
        of.push(measured);
    }
    let is_known = |name: &str| scenario.volumes.iter().any(|volume| volume.name == name);
    let unknown: Vec<&str> =
        asked.loads.iter().map(|load| load.volume.as_str()).filter(|name| !is_known(name)).collect();
    let gives = |loads: &[Load]| {
        dw_estimate::along(&scenario.stack, &[Step { lasts_s: 1.0, loads: loads.to_vec() }]).into_iter().next()
    };
    let mut phase = gives(&loads);
    // What is too much for this design waits there.
    let is_full = |phase: &Phase| phase.gives.limits.iter().any(|limit| limit.share > FULL);
    if phase.as_ref().is_some_and(is_full) {
        for (load, measured) in loads.iter_mut().zip(&of).filter(|(_, measured)| !measured.waits) {
            load.flow = Flow::Paced { queue_depth: measured.depth(), per_second: measured.iops };
        }
        phase = gives(&loads);
    }
    let Some(phase) = phase else {
        return Ok((JSON, json!({ "loads": [], "limits": [], "unknown": unknown }).to_string()));
    };
    let names = Names::from_stack(&scenario.stack);
    let said = of.iter().zip(&phase.gives.loads).zip(&phase.hits).map(|((measured, load), hits)| {
        let served = if measured.writes { load.writes } else { load.reads };
        let us = |get: fn(dw_estimate::Band) -> f64| served.map(|served| figure(get(served.latency) * 1e6));
        json!({
            "volume": measured.volume, "writes": measured.writes, "iops": figure(load.per_second),
            "low_us": us(|band| band.low), "mean_us": us(|band| band.mean), "high_us": us(|band| band.high),
            "hits": figure(hits * 100.0),
        })
    });
    let said: Vec<_> = said.collect();
    let limits = phase.gives.limits.iter().enumerate().map(|(place, limit)| {
        let id = names.id(limit.id);
        let credits = phase.credits.iter().position(|left| left.id == limit.id);
        let rate = estimate::sustained(&phase, place, credits);
        json!({
            "id": id, "name": lang.limit(&id.to_string()), "short": lang.limit(&id.name()),
            "gate": estimate::gate(&id, lang), "alike": limit.alike,
            "rate": figure(rate), "used": figure(limit.share * limit.rate / rate.max(1e-9) * 100.0),
        })
    });
    let limits: Vec<_> = limits.collect();
    Ok((JSON, json!({ "loads": said, "limits": limits, "unknown": unknown }).to_string()))
}

/// What a cache that volumes share serves of the reads of each, in the long run, by what is measured now.
fn hits(read: &Read, loads: &[Measured]) -> Vec<Hits> {
    let (spec, wishes) = (&read.scenario.stack, &read.demand.wishes);
    let mut all = vec![Hits::default(); spec.volumes.len()];
    let Some(cache) = &spec.vm.host_cache else { return all };
    let (mut places, mut sharers) = (Vec::new(), Vec::new());
    for (place, volume) in read.scenario.volumes.iter().enumerate() {
        let mut sample = Sample::default();
        for load in loads.iter().filter(|load| load.volume == volume.name) {
            // In thousandths: what is moved counts beside that of other volumes alone.
            let (requests, bytes) = ((load.iops * 1e3) as u64, (load.bytes_per_s * 1e3) as u64);
            if load.writes {
                (sample.writes, sample.write_bytes) = (requests, bytes);
            } else {
                (sample.reads, sample.read_bytes) = (requests, bytes);
            }
        }
        if spec.volumes[place].host_cache == CacheMode::None || sample.reads == 0 {
            continue;
        }
        let wished = read.demand.requirements.volumes.iter().position(|v| v.name == volume.name);
        let set = wished.and_then(|wished| wishes.volumes.get(wished)?.working_set);
        places.push(place);
        sharers.push(Sharer::working_set(set.map_or(volume.size, |set| set.min(volume.size)), &[sample]));
    }
    let ram = cache.ram.get() as f64 / cache.capacity.get().max(1) as f64;
    for (place, served) in places.into_iter().zip(hit::served(cache.capacity.get(), &sharers)) {
        all[place] = Hits { ram: served.settled * ram, ssd: served.settled * (1.0 - ram) };
    }
    all
}
