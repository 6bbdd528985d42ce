//! What the simulator says of a scenario: the same sections, on the model's volumes.

use dw_documents::measure::{Latency, Load};
use dw_error::{Error, Result};
use dw_formats::fio::{self, FioError, FioInput, FioJobs, ReadOptions};
use dw_formats::scenario::{CacheStart, Scenario as Rig};
use dw_sim::{LatencyStats, LoadResult, RunOptions, RunResult};
use hdrhistogram::Histogram;

use crate::session::Session;
use crate::simulate::Simulation;
use dw_documents::bench::{Binding, Share};

/// What a scenario will do.
#[derive(Clone, Debug)]
pub struct Prediction {
    /// Every volume and direction that does something, and all together.
    pub shares: Vec<Share>,
    /// What holds each volume.
    pub binding: Vec<Binding>,
    /// Virtual seconds from start to end.
    pub seconds: f64,
}

impl Session {
    /// What the simulator says of a job file of ours on a rig; `warm` = what the host cache holds before (volume, first byte,
    /// bytes).
    ///
    /// # Errors
    /// Of kind `Input` where the job cannot run on these disks or its maps do not fit into the memory, `Interrupted` where the
    /// observer asked to stop.
    pub fn predict(&self, rig: &Rig, job: &str, warm: Vec<(u16, u64, u64)>) -> Result<Prediction> {
        let jobs = read(rig, job)?;
        let start = if warm.is_empty() { CacheStart::Cold } else { CacheStart::Warm };
        let options = RunOptions { seed: rig.stack.seed, warm, ..RunOptions::default() };
        let simulated =
            self.run(Simulation { scenario: Rig { start, ..rig.clone() }, jobs, options, recorded: None }, None)?;
        let (summary, result) = (simulated.summary(), simulated.result);
        let binding = summary.binding_limits.into_iter().filter(|b| b.waited_percent > 0.0 || b.limit.is_some());
        let binding = binding.map(|b| Binding { volume: b.volume, limit: b.limit, sentence: b.sentence }).collect();
        Ok(Prediction { shares: shares(rig, &result), binding, seconds: result.virtual_time.ns() as f64 / 1e9 })
    }
}

fn read(rig: &Rig, job: &str) -> Result<FioJobs> {
    let files = [("scenario".to_string(), job.to_string())];
    let input = FioInput {
        files: &files,
        overrides: &[],
        env: &|_| None,
        volumes: &rig.volume_maps(),
        options: ReadOptions::default(),
        seed: rig.stack.seed,
    };
    // The text is ours: a line of it says nothing to the user.
    let unplaced = |e: FioError| Error::input(format!("`{}` {}", e.text, e.what)).hint(e.hint);
    fio::read(&input).map_err(|errors| {
        Error::all(errors.0.into_iter().map(unplaced)).unwrap_or_else(|| Error::unexpected("the job cannot be read"))
    })
}

fn shares(rig: &Rig, result: &RunResult) -> Vec<Share> {
    let mut shares = Vec::new();
    for volume in &result.volumes {
        let name = &rig.volumes[usize::from(volume.volume)].name;
        shares.extend(load_shares(name, &volume.load).into_iter().filter(|s| s.direction != "all"));
    }
    let sum = |of: &dyn Fn(&Load) -> f64| shares.iter().map(|s| of(&s.load)).sum::<f64>();
    // Rates add up, each over the time of its own volume, as fio's do.
    let (iops, bytes_per_s) = (sum(&|l| l.iops), sum(&|l| l.bytes_per_s));
    let all = load_shares("all", &result.total).into_iter().filter(|s| s.direction == "all");
    let all: Vec<Share> = all.map(|s| Share { load: Load { iops, bytes_per_s, ..s.load }, ..s }).collect();
    shares.extend(all);
    shares
}

fn load_shares(volume: &str, load: &LoadResult) -> Vec<Share> {
    let seconds = load.window.ns() as f64 / 1e9;
    let parts = &load.directions;
    let share = |direction: &str, parts: &[&dw_sim::DirectionLoad]| {
        let (ios, bytes) = (parts.iter().map(|p| p.ios).sum::<u64>(), parts.iter().map(|p| p.bytes).sum::<u64>());
        let stats: Vec<&LatencyStats> = parts.iter().map(|p| &p.latency).collect();
        let (iops, bytes_per_s) = (ios as f64 / seconds, bytes as f64 / seconds);
        let load = Load { ios, bytes, iops, bytes_per_s, latency_ns: latency(&stats) };
        (ios > 0).then(|| Share { volume: volume.into(), direction: direction.into(), load })
    };
    [share("read", &[&parts.read]), share("write", &[&parts.write]), share("all", &[&parts.read, &parts.write])]
        .into_iter()
        .flatten()
        .collect()
}

/// Several latencies as one: histograms add up, percentiles do not.
fn latency(stats: &[&LatencyStats]) -> Option<Latency> {
    let count: u64 = stats.iter().map(|s| s.count).sum();
    let mut histograms = stats.iter().filter_map(|s| s.histogram.as_ref());
    let mut merged: Histogram<u64> = (**histograms.next()?).clone();
    merged.auto(true);
    for other in histograms {
        merged.add(&**other).ok()?;
    }
    let max = stats.iter().map(|s| s.max).max()?;
    let at = |q| Some(merged.value_at_quantile(q).min(max));
    let mean = stats.iter().map(|s| s.sum).sum::<u128>() as f64 / count as f64;
    Some(Latency { mean, p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), p99_9: at(0.999), max: Some(max) })
}
