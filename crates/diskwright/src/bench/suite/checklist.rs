//! The demand of a checklist as scenarios: what it asks for at each percentile, at its rates, whatever more the disks could do.
//!
//! Each volume's reads and writes are a stream of their own, of that level's mean size, rounded up to whole sectors.
//! A latency of the checklist is a percentile of means over intervals, so the mean latency under that percentile's load is
//! held against it.
//!
//! Ignores: peaks within an interval; sizes about their mean.

use dw_demand::{Levels, Requirements, VolumeRequirements};
use dw_error::{Error, Result};
use dw_formats::place_of;
use dw_units::{Bytes, Duration, Throughput};

use super::{Basis, Plan, RequiredFigure};
use crate::bench::job::{Stream, options};
use dw_documents::bench::Metric;

/// I/Os per second of one job: above it fio's pacing is coarse.
const JOB_RATE: f64 = 20_000.0;
/// Sizes are rounded up to sectors.
const SECTOR: f64 = 512.0;
/// Bytes of a request of unknown size.
const SIZE: f64 = 8_192.0;
/// The percentiles, by name and in words.
const LEVELS: [(&str, &str, f64); 4] = [
    ("p50", "median", 50.0),
    ("p90", "90th percentile", 90.0),
    ("p99", "99th percentile", 99.0),
    ("max", "peak", 100.0),
];

/// One scenario a percentile.
pub fn plans(basis: &Basis, requirements: &Requirements) -> Result<Vec<Plan>> {
    let (count, own) = (requirements.volumes.len(), basis.rig.volume_maps());
    let volumes = requirements.volumes.iter().map(|v| Ok((place_of(v, count, &own, "the rig")?, v)));
    let volumes: Vec<(usize, &VolumeRequirements)> = volumes.collect::<Result<_>>()?;
    let mut plans = Vec::new();
    for (level, words, percentile) in LEVELS {
        let (mut streams, mut required) = (Vec::new(), Vec::new());
        for (place, volume) in &volumes {
            for reads in [true, false] {
                let asked = side(volume, percentile, reads, requirements.growth)?;
                if asked.iops >= 0.5 {
                    let name = &basis.rig.volumes[*place].name;
                    required.extend(asked.required(name));
                    streams.push(asked.stream(basis, *place, name));
                }
            }
        }
        if !streams.is_empty() {
            plans.push(Plan {
                id: format!("demand-{level}"),
                title: format!("the checklist's demand, {words}"),
                point: None,
                metric: Metric::Iops,
                streams,
                required,
                measure: None,
                ramp: None,
            });
        }
    }
    if plans.is_empty() {
        let hint = "write `read_iops` and `write_iops` of a [[volume]]";
        return Err(Error::input("the requirements contain no I/O").hint(hint));
    }
    Ok(plans)
}

/// What is asked of one direction.
struct Side {
    reads: bool,
    iops: f64,
    throughput: Option<f64>,
    latency_ns: Option<f64>,
    io_size: u64,
    depth: f64,
    random_percent: f64,
}

fn side(volume: &VolumeRequirements, percentile: f64, reads: bool, growth: f64) -> Result<Side> {
    if let Some(key) = volume.unknown.first() {
        let what = format!("`{key}` of volume `{}` is unknown", volume.name);
        return Err(Error::input(what).hint("fill it in, or remove it from `unknown` if there is none"));
    }
    if volume.read_iops.is_none() && volume.write_iops.is_none() && volume.iops.is_some() {
        let what = format!("volume `{}` does not separate reads from writes", volume.name);
        return Err(Error::input(what).hint("write `read_iops` and `write_iops`"));
    }
    let (iops, throughput, latency, size) = if reads {
        (&volume.read_iops, &volume.read_throughput, &volume.read_latency, volume.read_size)
    } else {
        (&volume.write_iops, &volume.write_throughput, &volume.write_latency, volume.write_size)
    };
    let iops = iops.as_ref().map_or(0.0, |levels| levels.at(percentile)) * growth;
    let throughput = throughput.as_ref().map(|levels: &Levels<Throughput>| levels.at(percentile).get() as f64 * growth);
    // Sizes differ from level to level: that which gives this level's throughput goes before the mean of all.
    let size = throughput.filter(|t| iops > 0.0 && *t > 0.0).map(|t| t / iops).or(size.map(|s: Bytes| s.get() as f64));
    let io_size = ((size.unwrap_or(SIZE) / SECTOR).ceil().max(1.0) * SECTOR) as u64;
    Ok(Side {
        reads,
        iops,
        throughput,
        latency_ns: latency.as_ref().map(|levels: &Levels<Duration>| levels.at(percentile).ns() as f64),
        io_size,
        depth: volume.queue_depth.as_ref().map_or(32.0, |levels| levels.max),
        random_percent: volume.random_percent.unwrap_or(100.0).round(),
    })
}

impl Side {
    fn word(&self) -> &'static str {
        if self.reads { "read" } else { "write" }
    }

    fn stream(&self, basis: &Basis, volume: usize, name: &str) -> Stream {
        let jobs = (self.iops / JOB_RATE).ceil().max(1.0);
        // What waits for its turn must not hold the rate up: at least 32, twice what was seen.
        let depth = (2.0 * self.depth / jobs).ceil().clamp(32.0, 256.0);
        let mut options = options(&[
            ("rw", &format!("rand{}", self.word())),
            ("bs", &self.io_size),
            ("iodepth", &depth),
            ("numjobs", &jobs),
            // Whole numbers only: less than is asked would prove nothing.
            ("rate_iops", &(self.iops / jobs).ceil()),
            ("rate_process", &"poisson"),
            ("norandommap", &""),
        ]);
        if self.random_percent < 100.0 {
            options.push(("percentage_random".into(), self.random_percent.to_string()));
        }
        let name = format!("{}-{name}", self.word());
        Stream { name, volume, from: 0, bytes: basis.bytes_on(volume), reads: self.reads, options }
    }

    fn required(&self, volume: &str) -> Vec<RequiredFigure> {
        let one =
            |(metric, value)| RequiredFigure { volume: volume.into(), direction: self.word().into(), metric, value };
        let some = [
            Some((Metric::Iops, self.iops)),
            self.throughput.map(|throughput| (Metric::Throughput, throughput)),
            self.latency_ns.map(|ns| (Metric::LatencyMean, ns)),
        ];
        some.into_iter().flatten().map(one).collect()
    }
}
