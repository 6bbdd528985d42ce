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
//! a cache that warms up.

use diskwright::dw_documents::Names;
use diskwright::dw_formats::scenario::Scenario;
use diskwright::dw_stack::{CacheMode, VolumeId};
use diskwright::estimate::{Flow, Hits, Kind, Load, Order, Phase, Step};
use diskwright::{Result, dw_estimate};
use serde::Deserialize;
use serde_json::json;

use super::ask::Asked;
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
/// Requests outstanding at most.
const DEPTH_MAX: f64 = 65_536.0;

/// A limit that is used so much may be short.
const FULL: f64 = 0.98;

impl Measured {
    fn depth(&self) -> u32 {
        (self.iops * self.mean_us / 1e6).round().clamp(1.0, DEPTH_MAX) as u32
    }
}

pub(super) fn answer(app: &App, asked: &Question) -> Result<Text> {
    let read = asked.of.read(app)?;
    let (scenario, wishes) = (&read.scenario, &read.demand.wishes);
    let mut loads = Vec::new();
    let mut of = Vec::new();
    for measured in asked.loads.iter().filter(|load| load.iops > 0.0 && load.iops < IOPS_MAX && load.mean_us >= 0.0) {
        let Some(volume) = scenario.volumes.iter().position(|v| v.name == measured.volume) else { continue };
        let wished = read.demand.requirements.volumes.iter().position(|v| v.name == measured.volume);
        let working_set = wished.and_then(|place| wishes.volumes.get(place)?.working_set);
        let hits = hits(scenario, volume, working_set.map(|set| set.get()));
        // Whole sectors, as the estimate has them.
        let size = ((measured.bytes_per_s / measured.iops / 512.0).round().clamp(1.0, 32_768.0) * 512.0) as u32;
        let kind = Kind { share: 1.0, writes: measured.writes, size, order: Order::Random { align: size }, hits };
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
    let names = Names::of(&scenario.stack);
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
            "id": id, "name": id.to_string(), "short": id.name(), "alike": limit.alike,
            "rate": figure(rate), "used": figure(limit.share * limit.rate / rate.max(1e-9) * 100.0),
        })
    });
    let limits: Vec<_> = limits.collect();
    Ok((JSON, json!({ "loads": said, "limits": limits, "unknown": unknown }).to_string()))
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
