//! A demand over time that waits for no answer: streams of requests whose rates and sizes change from step to step.
//!
//! Ignores: peaks within a step; sizes about their mean; which offsets are near each other.

use dw_units::Duration;

use crate::job::{Access, Direction, FileExtent, Job, Mix, Pacing, PerDirection, Rate, SizeDistribution};

/// A mean rate of so many requests per second is told as a whole number.
const WHOLE: f64 = 100.0;

/// A recording as what it asks of volumes.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// When each step ends, from the beginning of the recording; the next one then begins.
    pub ends: Vec<Duration>,
    pub streams: Vec<ReplayStream>,
}

/// Requests of one direction on one volume.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayStream {
    /// Where they go.
    pub file: FileExtent,
    pub direction: Direction,
    /// Percentage of them at a random offset.
    pub random_percent: u8,
    pub steps: Vec<ReplayStep>,
}

/// What a stream asks in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReplayStep {
    /// Requests, at times drawn from all of it.
    pub requests: u64,
    /// Bytes of each.
    pub size: u64,
    /// Requests outstanding at most.
    pub queue_depth: u32,
}

impl Replay {
    /// Steps of the recording.
    pub fn steps(&self) -> usize {
        self.ends.len()
    }
    /// How long the recording lasts.
    pub fn span(&self) -> Duration {
        self.ends.last().copied().unwrap_or_default()
    }
    /// How long a step lasts.
    pub fn lasts(&self, step: usize) -> Duration {
        let begins = step.checked_sub(1).map_or(Duration::ZERO, |before| self.ends[before]);
        self.ends[step].saturating_sub(begins)
    }
    /// Requests outstanding at most, of all streams together.
    pub fn most_in_flight(&self) -> u64 {
        let of_step = |step: usize| self.streams.iter().map(|stream| u64::from(stream.steps[step].queue_depth)).sum();
        (0..self.steps()).map(of_step).max().unwrap_or(0)
    }
    /// All requests.
    pub fn requests(&self) -> u64 {
        self.streams.iter().flat_map(|stream| &stream.steps).map(|step| step.requests).sum()
    }
    /// A job for each stream, at the mean of its rate and size: what a report says of who asked.
    pub fn on_average(&self) -> Vec<Job> {
        let job = |(number, stream): (usize, &ReplayStream)| {
            let requests: u64 = stream.steps.iter().map(|step| step.requests).sum();
            let bytes: f64 = stream.steps.iter().map(|step| step.requests as f64 * step.size as f64).sum();
            let size = ((bytes / requests.max(1) as f64 / 512.0).round().max(1.0) * 512.0) as u64;
            let deepest = stream.steps.iter().map(|step| step.queue_depth).max().unwrap_or(1);
            let step = ReplayStep { requests, size, queue_depth: deepest.max(1) };
            let way = if stream.direction == Direction::Read { "read" } else { "write" };
            let job = stream.job(&step, self.span());
            let per_s = requests as f64 * 1e9 / self.span().ns().max(1) as f64;
            let rate = (per_s >= WHOLE).then(|| PerDirection::all(Some(Rate::Iops(per_s.round() as u64))));
            let name = format!("{}-{way}", stream.volume());
            Job { section: number as u32, name, rate: rate.unwrap_or(job.rate), ..job }
        };
        self.streams.iter().enumerate().map(job).collect()
    }
}

impl ReplayStream {
    /// The name of its volume.
    pub fn volume(&self) -> &str {
        self.file.name.trim_start_matches("/dev/")
    }
    /// What it asks in a step, as a job that begins and ends with it.
    pub fn job(&self, step: &ReplayStep, lasts: Duration) -> Job {
        let size = step.size.max(512);
        let job = Job::random_read(&self.file.name, self.file.clone(), size, step.queue_depth.max(1), lasts);
        let bytes_per_s = step.requests as f64 * size as f64 * 1e9 / lasts.ns().max(1) as f64;
        Job {
            mix: Mix::Only(self.direction),
            access: Access { random_percent: PerDirection::all(self.random_percent), cover: false, ..job.access },
            sizes: PerDirection::all(SizeDistribution::Fixed(size)),
            rate: PerDirection::all(Some(Rate::BytesPerSecond((bytes_per_s.round() as u64).max(1)))),
            pacing: Pacing::Counted(step.requests),
            group_reporting: true,
            ..job
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_ends_within_its_last_step() {
        let steps = vec![ReplayStep { requests: 10, size: 4_096, queue_depth: 4 }; 3];
        let file = FileExtent { name: "f".into(), volume: 0, start: 0, offset: 0, len: 1 << 30 };
        let stream = ReplayStream { file, direction: Direction::Write, random_percent: 100, steps };
        let replay = Replay { ends: [60, 120, 150].map(Duration::from_secs).to_vec(), streams: vec![stream] };
        assert_eq!((replay.steps(), replay.span()), (3, Duration::from_secs(150)));
        assert_eq!([0, 2].map(|step| replay.lasts(step)), [60, 30].map(Duration::from_secs));
        assert_eq!((replay.requests(), replay.most_in_flight()), (30, 4));
        let job = replay.streams[0].job(&replay.streams[0].steps[0], replay.lasts(0));
        assert_eq!((job.pacing, job.rate.write), (Pacing::Counted(10), Some(Rate::BytesPerSecond(683))));
        assert_eq!(replay.on_average()[0].rate.write, Some(Rate::BytesPerSecond(819)));
    }
}
