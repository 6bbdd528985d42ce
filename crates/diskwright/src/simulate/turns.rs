//! Jobs that take turns by the clock: a ramp of queue depths whose jobs have a `startdelay` each, so that one begins when the one before it
//! has ended. They are run as `stonewall` would have them: at the same times, and reported apart, where fio adds up what no job saw.
//!
//! Ignores: jobs that draw their delay or end by what they do; jobs with rates, which may be parts of one load.

use dw_units::Duration;
use dw_workload::{Direction, Job, Workload};

/// Makes a phase of each turn, where all jobs of a load take turns.
pub fn into_phases(workload: &mut Workload) {
    let Some(turns) = in_turn(&workload.jobs) else { return };
    for (job, (turn, begins)) in workload.jobs.iter_mut().zip(turns) {
        let delay = job.start_delay.0.saturating_sub(begins);
        job.start_delay = (delay, delay);
        (job.phase, job.group) = (turn, job.group + turn);
    }
}

/// The turn of each job and when it begins; nothing where jobs run together or their end is unknown.
fn in_turn(jobs: &[Job]) -> Option<Vec<(u32, Duration)>> {
    let first = jobs.first()?;
    let mut turns = Vec::with_capacity(jobs.len());
    let (mut turn, mut begins, mut ends) = (0, Duration::ZERO, Duration::ZERO);
    for job in jobs {
        let is_paced = Direction::ALL.iter().any(|direction| job.rate.get(*direction).is_some());
        let waits = job.phase != first.phase || job.wait_for.is_some() || job.exit_all;
        if is_paced || waits || job.start_delay.0 != job.start_delay.1 || !job.stop.time_based {
            return None;
        }
        let start = job.start_delay.0;
        if start < begins {
            return None;
        }
        if start >= ends && ends > Duration::ZERO {
            (turn, begins) = (turn + 1, ends);
        }
        ends = ends.max(start + job.ramp + job.stop.runtime?);
        turns.push((turn, begins));
    }
    (turn > 0).then_some(turns)
}
