//! The demand over time as a fio job: what `simulate` runs of a `requirements.toml`, and what fio itself can run.
//!
//! Each interval of a volume is a section for its reads and one for its writes, which start when the interval does and ask at
//! its rate whatever the disk answers (an open loop: `io_submit_mode=offload`, exponential gaps). A rate above [`CLONE`] is asked
//! by several clones, because fio rounds gaps to microseconds. Sizes are the interval's mean; offsets are drawn over the whole
//! volume, `random_percent` of them, all of them where that is not known.
//!
//! A rate is a whole number and a job's first request comes when it starts, besides its rate: a section asks at the next higher rate and
//! ends once the requests of its interval have come. Of less than one request an interval asks nothing, and the next one so much more.
//!
//! Ignores: peaks within an interval; which offsets are near each other, so a cache is hit less than by the application;
//! sizes about their mean.
//!
//! Invariant: requests of the job are on average those of the series times the growth, except for less than one at the end.

use std::fmt::Write as _;

use dw_demand::{DemandSeries, Requirements, VolumeRequirements};
use dw_error::{Error, Result};
use dw_units::{Bytes, Duration};
use dw_workload::{Direction, FileExtent, Replay, ReplayStep, ReplayStream};

use crate::fio::VolumeMap;

/// I/Os per second of one clone: gaps of 500 us, rounded to 1 us, are off by 0.2 % at most.
pub const CLONE: f64 = 2_000.0;
/// More requests per second than clones can be made for.
const RATE_MAX: f64 = 1e8;
/// Sections of a direction; longer series are put together.
const STEPS: usize = 1_000;
/// Outstanding requests of a clone: an open loop hardly waits for one.
const OUTSTANDING: u32 = 1_024;
/// The same of all clones of a step.
const DEEPEST: u32 = 1 << 20;

/// The job file; the error has no place, which the caller knows.
pub fn replay(requirements: &Requirements, volumes: &[VolumeMap]) -> Result<String> {
    replay_within(requirements, volumes, &|_| None)
}

/// The same with offsets drawn from the beginning of each volume, as far as `working_set` says for its place among the
/// requirements: what is touched again, which a cache may hold.
pub fn replay_within(
    requirements: &Requirements,
    volumes: &[VolumeMap],
    working_set: &dyn Fn(usize) -> Option<Bytes>,
) -> Result<String> {
    let with_series =
        || requirements.volumes.iter().enumerate().filter_map(|(place, v)| Some((place, v, v.series.as_ref()?)));
    if with_series().next().is_none() {
        let hint = "`diskwright observe FILE --format toml` writes it where reads and writes are known apart";
        return Err(Error::input("no volume has a series: there is nothing to replay").hint(hint));
    }
    let mut text = String::from(
        "; The demand over time of requirements.toml, as an open loop.\n[global]\nioengine=libaio\ndirect=1\n\
         io_submit_mode=offload\nrate_process=poisson\ntime_based\nnorandommap\ngroup_reporting\n",
    );
    let _ = writeln!(text, "iodepth={OUTSTANDING}");
    for (place, volume, series) in with_series() {
        let target = &volumes[place_of(volume, requirements.volumes.len(), volumes, "the scenario")?];
        let within = working_set(place).filter(|set| set.get() < target.size);
        sections(&mut text, volume, series, (target, within), requirements.growth)?;
    }
    Ok(text)
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

/// What a series asks in a step and one direction: at least one request.
struct Asked {
    step: usize,
    direction: Direction,
    requests: f64,
    clones: f64,
    size: u64,
    /// The intervals of the step, from and to.
    from: usize,
    to: usize,
}

/// What a volume asks, step by step, reads before writes.
fn asked(volume: &VolumeRequirements, series: &DemandSeries, growth: f64) -> Result<Vec<Asked>> {
    let n = series.read_iops.len();
    let together = together(series);
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len().max(1) as f64;
    // Less than one request of each direction, which the intervals before have not asked.
    let mut owed = [0.0; 2];
    let mut all = Vec::new();
    for (step, from) in (0..n).step_by(together).enumerate() {
        let to = (from + together).min(n);
        let bytes = |list: &[u64]| mean(&list[from..to].iter().map(|b| *b as f64).collect::<Vec<_>>());
        let directions = [
            (Direction::Read, mean(&series.read_iops[from..to]), bytes(&series.read_bytes_per_s)),
            (Direction::Write, mean(&series.write_iops[from..to]), bytes(&series.write_bytes_per_s)),
        ];
        let seconds = lasts(series, to - from).ns() as f64 / 1e9;
        for ((direction, iops, bytes), owed) in directions.into_iter().zip(&mut owed) {
            let rate = iops * growth;
            if rate.is_nan() || rate > RATE_MAX {
                let what = format!("volume `{}` asks {rate:.3e} requests per second at once", volume.name);
                let hint = format!("at most {RATE_MAX:.0e} are replayed: correct its series or `growth`");
                return Err(Error::input(what).hint(hint));
            }
            *owed += rate * seconds;
            if *owed < 1.0 {
                continue;
            }
            let requests = std::mem::take(owed);
            let clones = (rate / CLONE).ceil().min(requests.floor()).max(1.0);
            // fio draws whole sectors.
            let size = ((bytes / iops / 512.0).round().max(1.0) * 512.0) as u64;
            all.push(Asked { step, direction, requests, clones, size, from, to });
        }
    }
    Ok(all)
}

/// Intervals that are one step.
fn together(series: &DemandSeries) -> usize {
    series.read_iops.len().div_ceil(STEPS).max(1)
}

fn lasts(series: &DemandSeries, intervals: usize) -> Duration {
    Duration::from_ns(series.interval.ns().saturating_mul(intervals as u64))
}

fn sections(
    text: &mut String,
    volume: &VolumeRequirements,
    series: &DemandSeries,
    (target, within): (&VolumeMap, Option<Bytes>),
    growth: f64,
) -> Result<()> {
    let random = random_percent(volume);
    for Asked { step, direction, requests, clones, size, from, to } in asked(volume, series, growth)? {
        let seconds = lasts(series, to - from).ns() as f64 / 1e9;
        let behind_the_first = requests / clones - 1.0;
        let each = (behind_the_first / seconds).ceil().max(1.0);
        // The mean gap of fio in us: whole, and each one that is drawn is cut to whole ones.
        let gap = (1e6 / each).floor().max(1.0) - 0.5;
        let runtime = (behind_the_first * gap).round().max(1.0);
        let direction = if direction == Direction::Read { "read" } else { "write" };
        let _ = writeln!(text, "[{}-{step:04}-{direction}]", volume.name);
        let _ = writeln!(text, "filename=/dev/{}\nrw=rand{direction}\nbs={size}", target.name);
        if let Some(within) = within {
            let _ = writeln!(text, "size={}", within.get());
        }
        let _ = writeln!(text, "percentage_random={random}\nrate_iops={each}");
        let _ = writeln!(text, "startdelay={}us\nruntime={runtime}us", lasts(series, from).ns() / 1_000);
        if clones > 1.0 {
            let _ = writeln!(text, "numjobs={clones}");
        }
    }
    Ok(())
}

fn random_percent(volume: &VolumeRequirements) -> u8 {
    volume.random_percent.unwrap_or(100.0).round() as u8
}

/// The demand over time as it is, without a job for each step: what the simulator replays. Nothing where the volumes' series have
/// different steps, or none.
///
/// # Errors
/// As [`replay`].
pub fn over_time(
    requirements: &Requirements,
    volumes: &[VolumeMap],
    working_set: &dyn Fn(usize) -> Option<Bytes>,
) -> Result<Option<Replay>> {
    let mut streams: Vec<ReplayStream> = Vec::new();
    let mut times: Option<(Duration, Duration)> = None;
    for (place, volume) in requirements.volumes.iter().enumerate() {
        let Some(series) = &volume.series else { continue };
        let target = &volumes[place_of(volume, requirements.volumes.len(), volumes, "the scenario")?];
        let own = (lasts(series, together(series)), lasts(series, series.read_iops.len()));
        if *times.get_or_insert(own) != own || own.1 == Duration::ZERO {
            return Ok(None);
        }
        let len = working_set(place).map_or(target.size, |set| set.get().min(target.size));
        let file = FileExtent { name: format!("/dev/{}", target.name), volume: target.index, start: 0, offset: 0, len };
        let steps = own.1.ns().div_ceil(own.0.ns()) as usize;
        let of = |direction| ReplayStream {
            file: file.clone(),
            direction,
            random_percent: random_percent(volume),
            steps: vec![ReplayStep::default(); steps],
        };
        let mut both = [of(Direction::Read), of(Direction::Write)];
        for Asked { step, direction, requests, clones, size, .. } in asked(volume, series, requirements.growth)? {
            let queue_depth = (clones * f64::from(OUTSTANDING)).min(f64::from(DEEPEST)) as u32;
            both[usize::from(direction == Direction::Write)].steps[step] = ReplayStep { requests, size, queue_depth };
        }
        streams.extend(both.into_iter().filter(|stream| stream.steps.iter().any(|step| step.requests > 0.0)));
    }
    Ok(times.filter(|_| !streams.is_empty()).map(|(step, span)| Replay { step, span, streams }))
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

    #[test]
    fn each_interval_is_a_section_at_its_rate() {
        let text = replay(&requirements(SERIES), &[map("data")]).unwrap();
        let sections: Vec<&str> = text.split("\n[").skip(2).collect();
        assert_eq!(
            sections,
            [
                "sdb-0000-read]\nfilename=/dev/data\nrw=randread\nbs=8192\npercentage_random=40\nrate_iops=200\n\
                 startdelay=0us\nruntime=1994801us",
                "sdb-0001-write]\nfilename=/dev/data\nrw=randwrite\nbs=4096\npercentage_random=40\nrate_iops=2000\n\
                 startdelay=2000000us\nruntime=1997501us\nnumjobs=3\n",
            ]
        );
    }

    #[test]
    fn what_cannot_be_replayed_is_said() {
        let said = |r: &Requirements, volumes: &[VolumeMap]| replay(r, volumes).unwrap_err().what;
        assert!(said(&requirements(""), &[map("data")]).starts_with("no volume has a series"));
        let two = [map("data"), map("log")];
        let what = said(&requirements(SERIES), &two);
        assert_eq!(what, "the scenario has no volume `sdb`; it has `data`, `log`");
    }

    /// What is replayed without jobs is what the jobs ask, where they ask it.
    #[test]
    fn the_demand_over_time_is_that_of_the_jobs() {
        let (requirements, maps) = (requirements(SERIES), [map("data")]);
        let replay = over_time(&requirements, &maps, &|_| Some(Bytes::mib(64))).unwrap().unwrap();
        let asked = |stream: &ReplayStream| stream.steps.iter().map(|step| step.requests).collect::<Vec<_>>();
        assert_eq!(replay.streams.iter().map(asked).collect::<Vec<_>>(), [[400.0, 0.0], [0.0, 12_000.0]]);
        let text = replay_within(&requirements, &maps, &|_| Some(Bytes::mib(64))).unwrap();
        let files = [("demand.fio".to_string(), text)];
        let (options, env) = (crate::fio::ReadOptions::default(), &|_: &str| None);
        let input = crate::fio::FioInput { files: &files, overrides: &[], env, volumes: &maps, options, seed: 1 };
        let jobs = crate::fio::read(&input).expect("is a job file").workload.jobs;
        assert_eq!(jobs.len(), 4, "one and three clones");
        for job in &jobs {
            let is = |stream: &&ReplayStream| job.mix == dw_workload::Mix::Only(stream.direction);
            let stream = replay.streams.iter().find(is).unwrap();
            let step = &stream.steps[(job.start_delay.0.ns() / replay.step.ns()) as usize];
            let file = FileExtent { name: job.files[0].name.clone(), ..stream.file.clone() };
            assert_eq!((&job.files[0], job.sizes.get(stream.direction).min()), (&file, step.size));
            assert_eq!(*job.access.random_percent.get(stream.direction), stream.random_percent);
        }
    }
}
