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
//! Invariant: requests of the job are on average those of the series times the growth, but for less than one at the end.

use std::fmt::Write as _;

use dw_demand::{DemandSeries, Requirements, VolumeRequirements};
use dw_error::{Error, Result};
use dw_units::{Bytes, Duration};

use crate::fio::VolumeMap;

/// I/Os per second of one clone: gaps of 500 us, rounded to 1 us, are off by 0.2 % at most.
pub const CLONE: f64 = 2_000.0;
/// More requests per second than clones can be made for.
const RATE_MAX: f64 = 1e8;
/// Sections of a direction; longer series are put together.
const STEPS: usize = 1_000;
/// Outstanding requests of a clone: an open loop hardly waits for one.
const OUTSTANDING: u32 = 1_024;

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

fn sections(
    text: &mut String,
    volume: &VolumeRequirements,
    series: &DemandSeries,
    (target, within): (&VolumeMap, Option<Bytes>),
    growth: f64,
) -> Result<()> {
    let n = series.read_iops.len();
    let together = n.div_ceil(STEPS).max(1);
    let random = volume.random_percent.unwrap_or(100.0).round();
    let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len().max(1) as f64;
    // Less than one request of each direction, which the intervals before have not asked.
    let mut owed = [0.0; 2];
    for (index, from) in (0..n).step_by(together).enumerate() {
        let to = (from + together).min(n);
        let bytes = |list: &[u64]| mean(&list[from..to].iter().map(|b| *b as f64).collect::<Vec<_>>());
        let directions = [
            ("read", mean(&series.read_iops[from..to]), bytes(&series.read_bytes_per_s)),
            ("write", mean(&series.write_iops[from..to]), bytes(&series.write_bytes_per_s)),
        ];
        let time = |intervals: usize| Duration::from_ns(series.interval.ns().saturating_mul(intervals as u64));
        let seconds = time(to - from).ns() as f64 / 1e9;
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
            let behind_the_first = requests / clones - 1.0;
            let each = (behind_the_first / seconds).ceil().max(1.0);
            // The mean gap of fio in us: whole, and each one that is drawn is cut to whole ones.
            let gap = (1e6 / each).floor().max(1.0) - 0.5;
            let runtime = (behind_the_first * gap).round().max(1.0);
            // fio draws whole sectors.
            let size = ((bytes / iops / 512.0).round().max(1.0) * 512.0) as u64;
            let _ = writeln!(text, "[{}-{index:04}-{direction}]", volume.name);
            let _ = writeln!(text, "filename=/dev/{}\nrw=rand{direction}\nbs={size}", target.name);
            if let Some(within) = within {
                let _ = writeln!(text, "size={}", within.get());
            }
            let _ = writeln!(text, "percentage_random={random}\nrate_iops={each}");
            let _ = writeln!(text, "startdelay={}us\nruntime={runtime}us", time(from).ns() / 1_000);
            if clones > 1.0 {
                let _ = writeln!(text, "numjobs={clones}");
            }
        }
    }
    Ok(())
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
}
