//! The demand over time as what a simulation replays: an open loop, typed, without a job for each interval.
//!
//! In each interval a volume is asked for as many reads and writes as came in it, whatever the disk answers; when, is drawn (the simulator's
//! part). Sizes are the interval's mean; offsets are drawn over the whole volume, `random_percent` of them, all of them where
//! that is not known. Series of different intervals share one row of steps: one ends wherever an interval of any of them does.
//!
//! What is less than a whole request is asked in the step in which it has become one.
//!
//! Ignores: peaks within an interval; which offsets are near each other, so a cache is hit less than by the application;
//! sizes about their mean.
//!
//! Invariant: requests are those of the series times the growth, except for less than one at the end.

use std::collections::BTreeSet;

use dw_demand::{DemandSeries, Requirements, VolumeRequirements};
use dw_error::{Error, Result};
use dw_units::{Bytes, Duration};
use dw_workload::{Direction, FileExtent, Replay, ReplayStep, ReplayStream};

use crate::fio::VolumeMap;

/// Requests per second for which a stream has one more share of the requests in flight.
pub const CLONE: f64 = 2_000.0;
/// More requests per second than anything serves.
const RATE_MAX: f64 = 1e8;
/// Steps of a series; of a longer one several intervals are put together.
const STEPS: usize = 1_000;
/// Part of a request that sums of rates may be off.
const NEARLY: f64 = 1e-6;
/// An open loop hardly waits for one.
const OUTSTANDING: u32 = 1_024;
/// The same of all that a stream asks.
const DEEPEST: u32 = 1 << 20;

/// What is asked, step by step, of the volumes that have a series; offsets are drawn from the beginning of each, as far as `working_set`
/// says for its place among the requirements: what is touched again, which a cache may hold.
///
/// # Errors
/// Of kind `Input` where no volume has a series, or the scenario not its volumes; without a place, which the caller knows.
pub fn over_time(
    requirements: &Requirements,
    volumes: &[VolumeMap],
    working_set: &dyn Fn(usize) -> Option<Bytes>,
) -> Result<Replay> {
    let all = requirements.volumes.iter().enumerate();
    let with_series: Vec<(usize, &VolumeRequirements, Course)> =
        all.filter_map(|(place, volume)| Some((place, volume, Course::of(volume.series.as_deref()?)))).collect();
    let ends: BTreeSet<Duration> = with_series.iter().flat_map(|(.., course)| course.ends()).collect();
    if ends.is_empty() {
        let hint = "`diskwright observe FILE --format toml` writes it where reads and writes are known apart";
        return Err(Error::input("no volume has a series: there is nothing to replay").hint(hint));
    }
    let mut replay = Replay { ends: ends.into_iter().collect(), streams: Vec::new() };
    for (place, volume, course) in with_series {
        let target = &volumes[place_of(volume, requirements.volumes.len(), volumes, "the scenario")?];
        let len = working_set(place).map_or(target.size, |set| set.get().min(target.size));
        let file = FileExtent { name: format!("/dev/{}", target.name), volume: target.index, start: 0, offset: 0, len };
        for direction in [Direction::Read, Direction::Write] {
            let steps = course.asked(&replay, direction, requirements.growth).map_err(|rate| {
                let what = format!("volume `{}` asks {rate:.3e} requests per second at once", volume.name);
                let hint = format!("at most {RATE_MAX:.0e} are replayed: correct its series or `growth`");
                Error::input(what).hint(hint)
            })?;
            if steps.iter().any(|step| step.requests > 0) {
                let random_percent = volume.random_percent.unwrap_or(100.0).round() as u8;
                replay.streams.push(ReplayStream { file: file.clone(), direction, random_percent, steps });
            }
        }
    }
    Ok(replay)
}

impl VolumeMap {
    /// Whether one of the requirements means it: by its name, or by where it is mounted.
    fn is_meant_by(&self, volume: &VolumeRequirements) -> bool {
        self.name == volume.name || self.mount.as_ref().is_some_and(|mount| volume.is_called(mount))
    }
}

/// The place among all volumes, those of `whose`, of the one that stands for one of so many of the requirements; the error has no place,
/// which the caller knows.
pub fn place_of(volume: &VolumeRequirements, of: usize, all: &[VolumeMap], whose: &str) -> Result<usize> {
    match (all.iter().position(|map| map.is_meant_by(volume)), all.len(), of) {
        (Some(place), ..) => Ok(place),
        // One for one needs no name.
        (None, 1, 1) => Ok(0),
        _ => {
            let names: Vec<String> = all.iter().map(|v| format!("`{}`", v.name)).collect();
            let what = format!("{whose} has no volume `{}`; it has {}", volume.name, names.join(", "));
            Err(Error::input(what).hint("give the volume of the requirements the name of one of these"))
        }
    }
}

/// A series in its own steps.
struct Course<'a> {
    series: &'a DemandSeries,
    /// Intervals that are one step.
    together: usize,
}

impl Course<'_> {
    fn of(series: &DemandSeries) -> Course<'_> {
        Course { series, together: series.read_iops.len().div_ceil(STEPS).max(1) }
    }

    fn lasts(&self, intervals: usize) -> Duration {
        Duration::from_ns(self.series.interval.ns().saturating_mul(intervals as u64))
    }

    /// When its steps end.
    fn ends(&self) -> impl Iterator<Item = Duration> {
        let all = self.series.read_iops.len();
        let ends = (0..all).step_by(self.together).map(move |from| self.lasts((from + self.together).min(all)));
        ends.filter(|end| *end > Duration::ZERO)
    }

    /// Requests per second and their size in the intervals of a step.
    fn mean(&self, direction: Direction, from: usize) -> (f64, f64) {
        let (iops, bytes) = match direction {
            Direction::Read => (&self.series.read_iops, &self.series.read_bytes_per_s),
            _ => (&self.series.write_iops, &self.series.write_bytes_per_s),
        };
        let to = (from + self.together).min(iops.len());
        let count = (to - from) as f64;
        let iops = iops[from..to].iter().sum::<f64>() / count;
        (iops, bytes[from..to].iter().map(|bytes| *bytes as f64).sum::<f64>() / count / iops)
    }

    /// What it asks in the steps of a replay; a rate that nothing can have.
    fn asked(&self, replay: &Replay, direction: Direction, growth: f64) -> Result<Vec<ReplayStep>, f64> {
        let own = self.lasts(self.together).ns().max(1);
        let span = self.lasts(self.series.read_iops.len());
        // Less than one request, which the steps before have not asked.
        let (mut owed, mut begins) = (0.0, Duration::ZERO);
        let mut steps = vec![ReplayStep::default(); replay.steps()];
        for (number, step) in steps.iter_mut().enumerate().take_while(|(number, _)| replay.ends[*number] <= span) {
            let from = (begins.ns() / own) as usize * self.together;
            begins = replay.ends[number];
            let (iops, size) = self.mean(direction, from);
            let rate = iops * growth;
            if rate.is_nan() || rate > RATE_MAX {
                return Err(rate);
            }
            owed += rate * replay.lasts(number).ns() as f64 / 1e9;
            // What an hour owes in seconds adds up to whole requests but for the last bits of it.
            let requests = (owed + NEARLY).floor().max(0.0);
            if requests < 1.0 {
                continue;
            }
            owed -= requests;
            let clones = (rate / CLONE).ceil().min(requests).max(1.0);
            // Whole sectors.
            let size = ((size / 512.0).round().max(1.0) * 512.0) as u64;
            let queue_depth = (clones * f64::from(OUTSTANDING)).min(f64::from(DEEPEST)) as u32;
            *step = ReplayStep { requests: requests as u64, size, queue_depth };
        }
        Ok(steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requirements(series: &str) -> Requirements {
        let text =
            format!("schema_version = 1\ngrowth = 2.0\n[[volume]]\nname = \"sdb\"\nrandom_percent = 40.0\n{series}");
        dw_demand::read("r.toml", &text, &dw_catalogue::PLAN_KEYS).expect("is valid")
    }

    fn map(name: &str) -> VolumeMap {
        VolumeMap { index: 0, name: name.into(), mount: None, device: None, size: 1 << 30 }
    }

    const SERIES: &str = "[volume.series]\ninterval = \"2s\"\nread_iops = [100.0, 0.2]\nwrite_iops = [0.0, 3000.0]\n\
                          read_bytes_per_s = [819200, 0]\nwrite_bytes_per_s = [0, 12000000]\n";

    /// Direction, and of each step requests, size and how many may be under way.
    fn shown(replay: &Replay) -> Vec<String> {
        let step = |step: &ReplayStep| format!("{} of {} / {}", step.requests, step.size, step.queue_depth);
        let stream = |stream: &ReplayStream| {
            let steps = stream.steps.iter().map(step).collect::<Vec<_>>().join(", ");
            format!("{} {:?} {} %: {steps}", stream.file.name, stream.direction, stream.random_percent)
        };
        replay.streams.iter().map(stream).collect()
    }

    #[test]
    fn each_interval_is_a_step_at_its_rate() {
        let replay = over_time(&requirements(SERIES), &[map("data")], &|_| Some(Bytes::mib(64))).unwrap();
        assert_eq!(
            shown(&replay),
            [
                "/dev/data Read 40 %: 400 of 8192 / 1024, 0 of 0 / 0",
                "/dev/data Write 40 %: 0 of 0 / 0, 12000 of 4096 / 3072"
            ]
        );
        assert_eq!(replay.streams[0].file.len, 64 << 20);
        assert_eq!(replay.ends, [2, 4].map(Duration::from_secs));
    }

    /// Of a long interval each part has its share; what is less than a request waits for the next.
    #[test]
    fn series_of_different_intervals_share_their_steps() {
        let second = "[[volume]]\nname = \"log\"\n[volume.series]\ninterval = \"3s\"\nread_iops = [0.0]\n\
                      write_iops = [0.2]\nread_bytes_per_s = [0]\nwrite_bytes_per_s = [819]\n";
        let both = requirements(&format!("{SERIES}{second}"));
        let replay = over_time(&both, &[map("sdb"), map("log")], &|_| None).unwrap();
        assert_eq!(replay.ends, [2, 3, 4].map(Duration::from_secs));
        assert_eq!(
            shown(&replay),
            [
                "/dev/sdb Read 40 %: 400 of 8192 / 1024, 0 of 0 / 0, 0 of 0 / 0",
                "/dev/sdb Write 40 %: 0 of 0 / 0, 6000 of 4096 / 3072, 6000 of 4096 / 3072",
                "/dev/log Write 100 %: 0 of 0 / 0, 1 of 4096 / 1024, 0 of 0 / 0"
            ]
        );
        assert_eq!(replay.most_in_flight(), 3_072 + 1_024);
    }

    #[test]
    fn what_cannot_be_replayed_is_said() {
        let said = |r: &Requirements, volumes: &[VolumeMap]| over_time(r, volumes, &|_| None).unwrap_err().what;
        assert!(said(&requirements(""), &[map("data")]).starts_with("no volume has a series"));
        let two = [map("data"), map("log")];
        let what = said(&requirements(SERIES), &two);
        assert_eq!(what, "the scenario has no volume `sdb`; it has `data`, `log`");
    }
}
