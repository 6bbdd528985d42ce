//! What a replay asks of each limit, step by step, and how long the queues there take to come to rest.
//!
//! Requests of `s` bytes come to `s / unit` members of a stripe, to one more where they are not aligned to it, and to each member alike
//! often. With the share `ρ` that is asked of a limit which gives `μ` such requests a second, its queue has forgotten how it began after
//!
//! ```text
//! τ = 1 / (μ (1 − √ρ)²)
//! ```
//!
//! Source: Cohen, "The single server queue" (relaxation time of M/M/1, which is longer than that of M/D/1).
//!
//! Ignores: that a few requests wait at several limits at once; of a stripe that some requests are cut and others not.

use dw_stack::{CacheMode, Credits, DiskSpec, LimitSpec, RateSpec, StackSpec, VolumeSpec};
use dw_workload::{Direction, Replay, ReplayStream};

/// The highest use of a limit at which a step counts as calm: at 75 % requests wait for one and a half of its intervals on average.
const CALM: f64 = 0.75;
/// Credits that are left after a step, as a share of what there may be, for a burst to last through it for sure.
const CREDITS_LEFT: f64 = 0.05;

/// How a step is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    /// No limit is near.
    pub(crate) is_calm: bool,
    /// The longest that a queue takes to forget how it began, s.
    pub(crate) relaxes_s: f64,
}

/// What a request takes of a limit: on average, and the most that comes at once.
#[derive(Clone, Copy, Debug, Default)]
struct Tokens {
    mean: f64,
    largest: f64,
}

/// Where limits are.
enum Place<'a> {
    Gate(usize),
    /// One disk of a volume; of one direction only.
    Disk(usize, &'a DiskSpec, Option<Direction>),
}

/// Each step of a replay.
pub(crate) fn steps(spec: &StackSpec, replay: &Replay) -> Vec<Step> {
    let mut steps = vec![Step { is_calm: true, relaxes_s: 0.0 }; replay.steps()];
    for (place, limits) in places(spec) {
        for (of, rate) in [limits.iops, limits.throughput].into_iter().enumerate() {
            let Some(rate) = rate else { continue };
            let passes: Vec<&ReplayStream> =
                replay.streams.iter().filter(|stream| place.is_passed_by(spec, stream)).collect();
            along(&mut steps, replay, rate, spec.credits, |step| {
                let asking = passes.iter().filter(|stream| stream.steps[step].requests > 0.0);
                asking.fold((0.0, 0.0f64), |sum, stream| {
                    let tokens = place.tokens(spec, stream.steps[step].size, stream)[of];
                    (sum.0 + stream.steps[step].requests * tokens.mean, sum.1.max(tokens.largest))
                })
            });
        }
    }
    for stream in &replay.streams {
        let volume = &spec.volumes[usize::from(stream.file.volume)];
        for (number, (step, asked)) in steps.iter_mut().zip(&stream.steps).enumerate() {
            // What follows each other goes round all members of a stripe: each has all of it in turn.
            if volume.disks.len() > 1 && stream.random_percent < 100 && asked.requests > 0.0 {
                let seconds = seconds(replay, number);
                let is_much = volume.disks.iter().any(|disk| asks_much(disk, asked.size, asked.requests / seconds));
                let round = (volume.stripe_unit.get() as f64 / asked.size as f64).max(1.0) * volume.disks.len() as f64;
                if is_much {
                    step.relaxes_s = step.relaxes_s.max(round * seconds / asked.requests);
                }
            }
        }
    }
    steps
}

/// Whether so many requests per second are more than a disk by itself gives in calm.
fn asks_much(disk: &DiskSpec, size: u64, per_s: f64) -> bool {
    let exceeds = |limit: Option<RateSpec>, tokens: f64| limit.is_some_and(|limit| tokens > CALM * limit.rate as f64);
    let ios = disk.io_unit.map_or(1, |unit| size.div_ceil(unit.get().max(1))) as f64;
    exceeds(disk.limits.iops, per_s * ios) || exceeds(disk.limits.throughput, per_s * size as f64)
}

/// One limit, along all steps: `asked` says how many tokens a step asks, and the most that come at once.
fn along(steps: &mut [Step], replay: &Replay, limit: RateSpec, credits: Credits, asked: impl Fn(usize) -> (f64, f64)) {
    let burst = limit.burst.filter(|burst| burst.rate > limit.rate);
    let (base, most) = (limit.rate as f64, burst.map_or(0.0, |burst| burst.credits as f64));
    let mut left = if credits == Credits::Full { most } else { 0.0 };
    for (number, step) in steps.iter_mut().enumerate() {
        let seconds = seconds(replay, number);
        let (tokens, largest) = asked(number);
        let per_s = tokens / seconds;
        let before = left;
        left = (left + (base - per_s) * seconds).clamp(0.0, most);
        let lasts = burst.filter(|_| before.min(left) > CREDITS_LEFT * most);
        let rate = lasts.map_or(base, |burst| burst.rate as f64);
        let share = per_s / rate;
        step.is_calm &= share <= CALM;
        if share > 0.0 && share < 1.0 {
            let served = rate / largest;
            step.relaxes_s = step.relaxes_s.max(1.0 / (served * (1.0 - share.sqrt()).powi(2)));
        }
    }
}

fn seconds(replay: &Replay, step: usize) -> f64 {
    (replay.lasts(step).ns() as f64 / 1e9).max(1e-9)
}

/// All places with limits; disks that are alike once.
fn places(spec: &StackSpec) -> Vec<(Place<'_>, LimitSpec)> {
    let gates = spec.vm.gates.iter().enumerate().map(|(number, gate)| (Place::Gate(number), gate.limits));
    let mut all: Vec<_> = gates.collect();
    for (number, volume) in spec.volumes.iter().enumerate() {
        for (place, disk) in volume.disks.iter().enumerate() {
            let of = |disk: &DiskSpec| (disk.limits, disk.by_direction, disk.io_unit);
            if volume.disks[..place].iter().any(|before| of(before) == of(disk)) {
                continue;
            }
            let mut push = |only, limits: Option<LimitSpec>| {
                all.extend(limits.map(|limits| (Place::Disk(number, disk, only), limits)));
            };
            push(None, Some(disk.limits));
            push(Some(Direction::Read), disk.by_direction.reads);
            push(Some(Direction::Write), disk.by_direction.writes);
        }
    }
    all
}

impl Place<'_> {
    /// Whether requests of a stream come here. Where reads are cached all of them are hits, or no step stands for another.
    fn is_passed_by(&self, spec: &StackSpec, stream: &ReplayStream) -> bool {
        let index = usize::from(stream.file.volume);
        let volume = &spec.volumes[index];
        let has_cache = volume.host_cache != CacheMode::None;
        let reads = stream.direction == Direction::Read;
        let goes_behind = !(has_cache && reads);
        match self {
            Place::Disk(of, _, only) => {
                *of == index && goes_behind && only.is_none_or(|only| (only == Direction::Read) == reads)
            }
            Place::Gate(number) => {
                let is = |gate: &dw_stack::GateId| usize::from(gate.0) == *number;
                let front = (has_cache || volume.path.local) && volume.path.front.as_ref().is_some_and(is);
                front || goes_behind && !volume.path.local && volume.path.remote.iter().any(is)
            }
        }
    }
    /// I/Os and bytes of a request of `size`.
    fn tokens(&self, spec: &StackSpec, size: u64, stream: &ReplayStream) -> [Tokens; 2] {
        let size = size.max(1);
        match self {
            Place::Gate(_) => {
                let volume = &spec.volumes[usize::from(stream.file.volume)];
                let [parts, bytes] = [parts(volume, size), size as f64];
                [Tokens { mean: parts, largest: parts }, Tokens { mean: bytes, largest: bytes }]
            }
            Place::Disk(of, disk, _) => {
                let volume = &spec.volumes[*of];
                let members = volume.disks.len() as f64;
                let part = if members > 1.0 { size.min(volume.stripe_unit.get().max(1)) } else { size };
                let ios = disk.io_unit.map_or(1, |unit| part.div_ceil(unit.get().max(1))) as f64;
                [
                    Tokens { mean: parts(volume, size) * ios / members, largest: ios },
                    Tokens { mean: size as f64 / members, largest: part as f64 },
                ]
            }
        }
    }
}

/// Members of a stripe that a request comes to, at most on average.
fn parts(volume: &VolumeSpec, size: u64) -> f64 {
    let unit = volume.stripe_unit.get().max(1);
    match volume.disks.len() {
        1 => 1.0,
        _ if unit.is_multiple_of(size) => 1.0,
        _ if size.is_multiple_of(unit) => (size / unit) as f64,
        _ => size as f64 / unit as f64 + 1.0,
    }
}
