//! The time series as plain data: one track per volume and direction, all lists of a track equally long.

use dw_documents::{GateName, LimitId, Quantity};
use dw_formats::scenario::Scenario;
use dw_sim::{RunResult, SeriesPoint};
use dw_stack::{CacheMode, GateId, StackSpec, Stage, VolumeSpec};
use dw_workload::Direction;

use super::summary::Track;

/// The tracks of a run; none when no series was asked for.
pub(super) fn tracks(scenario: &Scenario, result: &RunResult) -> Vec<Track> {
    let mut tracks: Vec<Track> = Vec::new();
    for point in &result.series {
        let index = usize::from(point.volume);
        let (volume, direction) = (&scenario.volumes[index].name, direction_name(point.direction));
        let cached = scenario.stack.volumes[index].host_cache != CacheMode::None;
        let touched = scenario.stack.volumes[index].disks.iter().any(|disk| disk.first_touch.is_some());
        let found = tracks.iter().position(|t| t.volume == *volume && t.direction == direction);
        let place = found.unwrap_or_else(|| {
            tracks.push(Track {
                volume: volume.clone(),
                direction: direction.into(),
                hit_percent: (cached && point.direction == Direction::Read).then(Vec::new),
                first_touch_percent: touched.then(Vec::new),
                ..Track::default()
            });
            tracks.len() - 1
        });
        let track = &mut tracks[place];
        let (ios, bytes, length) = (point.ios as f64, point.bytes as f64, interval_s(result, point));
        let share = |part: f64| if point.ios > 0 { part / ios } else { 0.0 };
        track.end_s.push(point.at.ns() as f64 / 1e9);
        track.iops.push(ios / length);
        track.bytes_per_s.push(bytes / length);
        track.latency_mean_ns.push(share(point.latency_sum as f64));
        track.latency_max_ns.push(point.latency_max);
        track.latency_p99_ns.get_or_insert_default().push(point.latency_p99);
        let waited = if point.latency_sum > 0 { point.binding_wait as f64 / point.latency_sum as f64 } else { 0.0 };
        track.waited_percent.push(waited * 100.0);
        track.waits_at.push(point.binding.map(|stage| stage_name(&scenario.stack, point.volume, stage)));
        if let Some(hits) = &mut track.hit_percent {
            hits.push(share(point.cache_hits as f64) * 100.0);
        }
        if let Some(touches) = &mut track.first_touch_percent {
            touches.push(share(point.first_touches as f64) * 100.0);
        }
    }
    tracks
}

/// What a volume's requests meet at a stage, by name. Gates one behind the other are one stage, which goes by the first of them and
/// leaves out which of several so called it is.
pub fn stage_name(stack: &StackSpec, volume: u16, stage: Stage) -> String {
    let VolumeSpec { name, path, .. } = &stack.volumes[usize::from(volume)];
    let gate = |gate: Option<&GateId>, quantity| {
        let gate = gate.map_or("", |gate| &stack.vm.gates[usize::from(gate.0)].name);
        let name = LimitId::vm(gate, quantity).name();
        name.strip_suffix(GateName::new(gate).of).unwrap_or(&name).to_string()
    };
    match stage {
        Stage::FrontIops => gate(path.front.as_ref(), Quantity::Iops),
        Stage::FrontThroughput => gate(path.front.as_ref(), Quantity::Throughput),
        Stage::DiskIops => LimitId::disk(name, Quantity::Iops).name(),
        Stage::DiskThroughput => LimitId::disk(name, Quantity::Throughput).name(),
        Stage::BehindIops => gate(path.remote.first(), Quantity::Iops),
        Stage::BehindThroughput => gate(path.remote.first(), Quantity::Throughput),
        Stage::CacheDirty => LimitId::write_back(name).name(),
        Stage::FirstTouch => LimitId::first_touch(name).name(),
    }
}

/// Seconds of an interval: the last may be cut short by the end of the run.
pub fn interval_s(result: &RunResult, point: &SeriesPoint) -> f64 {
    let interval = result.series_interval.map_or(1_000_000_000, |i| i.ns()).max(1);
    let end = point.at.ns().max(1);
    let begin = (end - 1) / interval * interval;
    (end - begin) as f64 / 1e9
}

/// The word of a direction.
pub fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::Read => "read",
        Direction::Write => "write",
        Direction::Trim => "trim",
    }
}
