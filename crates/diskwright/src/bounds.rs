//! Loads and series that no machine could hold: refused before anything runs, with what to write.

use dw_documents::format::grouped;
use dw_error::{Error, Result};
use dw_units::Duration;
use dw_workload::Job;

/// Requests that may be in flight at one time: a hundred times what the queues of any VM's disks take.
const IN_FLIGHT_MAX: u64 = 1 << 20;
/// Intervals of a series.
const INTERVALS_MAX: u64 = 4_000_000;
/// As many as a person may want to look at.
const INTERVALS: u64 = 100_000;

/// Refuses a load that keeps so many requests in flight.
///
/// # Errors
/// Of kind `Input`.
pub fn in_flight(most: u64) -> Result<()> {
    if most <= IN_FLIGHT_MAX {
        return Ok(());
    }
    let what = format!(
        "all jobs together keep {} requests in flight; the maximum is {}",
        grouped(most as f64),
        grouped(IN_FLIGHT_MAX as f64)
    );
    Err(Error::input(what).hint("lower the queue depth of each job (`iodepth`, `-o`) or the number of jobs"))
}

/// Of jobs that run together.
pub fn most_in_flight(jobs: &[Job]) -> u64 {
    let depth = |job: &Job| i128::from(job.queue_depth);
    let begins = |job: &Job| (job.phase, job.start_delay.0.ns(), depth(job));
    let ends = |job: &Job| {
        let ended = job.stop.runtime.map(|runtime| job.start_delay.1.ns().saturating_add(runtime.ns()));
        (job.phase, ended.unwrap_or(u64::MAX), -depth(job))
    };
    // Sorted, what ends at an instant goes before what begins then.
    let mut changes: Vec<(u32, u64, i128)> = jobs.iter().flat_map(|job| [begins(job), ends(job)]).collect();
    changes.sort_unstable();
    let (mut now, mut most) = (0, 0);
    for (.., change) in changes {
        now += change;
        most = most.max(now);
    }
    u64::try_from(most).unwrap_or(u64::MAX)
}

/// Refuses a series of more rows than anybody can keep, of a run that is so long.
///
/// # Errors
/// Of kind `Usage`.
pub fn series(longest: Duration, every: Duration) -> Result<()> {
    let rows = longest.ns().div_ceil(every.ns().max(1));
    if rows <= INTERVALS_MAX {
        return Ok(());
    }
    let words = [("10 ms", 10), ("100 ms", 100), ("1 s", 1_000), ("1 min", 60_000), ("1 h", 3_600_000)];
    let fits = |ms: u64| longest.ns() / Duration::from_ms(ms).ns() <= INTERVALS;
    let (better, _) = words.into_iter().find(|(_, ms)| fits(*ms)).unwrap_or(("1 day", 0));
    let what = format!("a series with a row every {every} over {longest} has {} rows", grouped(rows as f64));
    Err(Error::usage(what).hint(format!("write `--series {}`", better.replace(' ', ""))))
}

#[cfg(test)]
mod tests {
    use dw_error::Kind;
    use dw_workload::FileExtent;

    use super::*;

    fn load(jobs: &[(u32, u32)], runtime: Duration) -> Vec<Job> {
        let file = FileExtent { name: "a".into(), volume: 0, start: 0, offset: 0, len: 1 << 30 };
        let job =
            |&(phase, depth): &(u32, u32)| Job { phase, ..Job::random_read("a", file.clone(), 4096, depth, runtime) };
        jobs.iter().map(job).collect()
    }

    #[test]
    fn requests_in_flight_are_bounded_over_all_jobs_that_run_together() {
        type Case<'a> = (&'a [(u32, u32)], Option<&'a str>);
        let cases: [Case; 5] = [
            (&[(0, 1 << 20)], None),
            (&[(0, (1 << 20) + 1)], Some("1,048,577")),
            (&[(0, 1 << 19), (0, 1 << 19), (0, 1)], Some("1,048,577")),
            (&[(0, 1 << 19), (1, 1 << 19), (2, 1 << 20)], None),
            (&[(0, 1_000_000_000)], Some("1,000,000,000")),
        ];
        for (jobs, refused) in cases {
            let said = in_flight(most_in_flight(&load(jobs, Duration::from_secs(1))))
                .err()
                .map(|error| (error.kind, error.what));
            assert_eq!(said.is_some(), refused.is_some(), "{jobs:?}: {said:?}");
            if let Some((kind, what)) = said {
                assert!(kind == Kind::Input && what.contains(refused.unwrap()), "{jobs:?}: {what}");
            }
        }
    }

    #[test]
    fn jobs_that_take_turns_are_not_in_flight_together() {
        let second = Duration::from_secs(1);
        let mut steps = load(&[(0, 1 << 20); 50], second);
        for (step, job) in steps.iter_mut().enumerate() {
            job.start_delay = (Duration::from_secs(step as u64), Duration::from_secs(step as u64));
        }
        assert!(in_flight(most_in_flight(&steps)).is_ok());
        steps[7].stop.runtime = None;
        assert!(in_flight(most_in_flight(&steps)).is_err());
    }

    #[test]
    fn a_series_of_too_many_rows_names_the_interval_to_write() {
        let cases = [
            (86_400, Duration::from_ms(1), Some(("86,400,000 rows", "`--series 1s`"))),
            (86_400, Duration::from_ms(100), None),
            (1, Duration::from_ns(1), Some(("1,000,000,000 rows", "`--series 10ms`"))),
            (30, Duration::from_ms(1), None),
            (86_400 * 365, Duration::from_secs(1), Some(("31,536,000 rows", "`--series 1h`"))),
        ];
        for (seconds, every, refused) in cases {
            let said = series(Duration::from_secs(seconds), every).err();
            assert_eq!(said.is_some(), refused.is_some(), "{seconds} {every}: {said:?}");
            if let (Some(error), Some((what, hint))) = (said, refused) {
                assert!(error.what.contains(what) && error.hint.contains(hint), "{error}");
            }
        }
    }
}
