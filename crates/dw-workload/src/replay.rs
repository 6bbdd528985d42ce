//! A demand over time that waits for no answer: streams of requests whose rates and sizes change from step to step.
//!
//! Ignores: peaks within a step; sizes about their mean; which offsets are near each other.

use dw_units::Duration;

use crate::job::{Access, Direction, FileExtent, Job, Mix, Pacing, PerDirection, Rate, SizeDistribution};

/// A recording as what it asks of volumes.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// How long a step lasts; the last one ends with the recording.
    pub step: Duration,
    /// How long the recording lasts.
    pub span: Duration,
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
    /// Requests on average, the first when the step begins; 0, or at least 1.
    pub requests: f64,
    /// Bytes of each.
    pub size: u64,
    /// Requests outstanding at most.
    pub queue_depth: u32,
}

impl Replay {
    /// Steps of the recording.
    pub fn steps(&self) -> usize {
        self.span.ns().div_ceil(self.step.ns().max(1)) as usize
    }
    /// How long a step lasts.
    pub fn lasts(&self, step: usize) -> Duration {
        let from = self.step.ns().saturating_mul(step as u64);
        Duration::from_ns(self.span.ns().saturating_sub(from).min(self.step.ns()))
    }
    /// All requests, on average.
    pub fn requests(&self) -> f64 {
        self.streams.iter().flat_map(|stream| &stream.steps).map(|step| step.requests).sum()
    }
    /// A job for each stream, at the mean of its rate and size: what a report says of who asked.
    pub fn on_average(&self) -> Vec<Job> {
        let job = |(number, stream): (usize, &ReplayStream)| {
            let requests: f64 = stream.steps.iter().map(|step| step.requests).sum();
            let bytes: f64 = stream.steps.iter().map(|step| step.requests * step.size as f64).sum();
            let size = ((bytes / requests.max(1.0) / 512.0).round().max(1.0) * 512.0) as u64;
            let deepest = stream.steps.iter().map(|step| step.queue_depth).max().unwrap_or(1);
            let step = ReplayStep { requests, size, queue_depth: deepest.max(1) };
            let volume = stream.file.name.trim_start_matches("/dev/");
            let name = format!("{volume}-{}", if stream.direction == Direction::Read { "read" } else { "write" });
            Job { section: number as u32, name, ..stream.job(&step, self.span) }
        };
        self.streams.iter().enumerate().map(job).collect()
    }
}

impl ReplayStream {
    /// What it asks in a step, as a job that begins and ends with it.
    pub fn job(&self, step: &ReplayStep, lasts: Duration) -> Job {
        let size = step.size.max(512);
        let job = Job::random_read(&self.file.name, self.file.clone(), size, step.queue_depth.max(1), lasts);
        // The first request comes besides the rate.
        let bytes_per_s = (step.requests - 1.0).max(0.0) * size as f64 * 1e9 / lasts.ns().max(1) as f64;
        Job {
            mix: Mix::Only(self.direction),
            access: Access { random_percent: PerDirection::all(self.random_percent), cover: false, ..job.access },
            sizes: PerDirection::all(SizeDistribution::Fixed(size)),
            rate: PerDirection::all(Some(Rate::BytesPerSecond((bytes_per_s.round() as u64).max(1)))),
            pacing: Pacing::Exponential,
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
        let steps = vec![ReplayStep { requests: 10.0, size: 4_096, queue_depth: 4 }; 3];
        let file = FileExtent { name: "f".into(), volume: 0, start: 0, offset: 0, len: 1 << 30 };
        let stream = ReplayStream { file, direction: Direction::Write, random_percent: 100, steps };
        let replay = Replay { step: Duration::from_secs(60), span: Duration::from_secs(150), streams: vec![stream] };
        assert_eq!((replay.steps(), replay.lasts(0).ns(), replay.lasts(2).ns()), (3, 60_000_000_000, 30_000_000_000));
        assert_eq!(replay.requests(), 30.0);
        let job = replay.streams[0].job(&replay.streams[0].steps[0], replay.lasts(0));
        // Nine more in a minute.
        assert_eq!(job.rate.write, Some(Rate::BytesPerSecond(9 * 4_096 / 60)));
        assert_eq!(
            replay.on_average()[0].rate.write,
            Some(Rate::BytesPerSecond((29.0f64 * 4_096.0 / 150.0).round() as u64))
        );
    }
}
