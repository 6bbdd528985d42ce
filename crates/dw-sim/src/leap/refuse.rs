//! What is never leapt over, however steady it looks.

use crate::RunOptions;
use crate::result::Refusal;
use dw_stack::StackSpec;
use dw_workload::Workload;

/// A run of more jobs is a replay, with some for each interval: no stretch is long.
const JOBS: usize = 1_000;

/// Why a run is not leapt over, if something in its description says so.
pub(crate) fn refusal(spec: &StackSpec, workload: &Workload, options: &RunOptions) -> Option<Refusal> {
    let billed = spec.volumes.iter().flat_map(|volume| &volume.disks).any(|disk| disk.usage_base.is_some());
    if billed && options.series.is_some() {
        return Some(Refusal::BilledBySecond);
    }
    if let Some(volume) = spec.first_touched() {
        return Some(Refusal::FirstTouch { volume: volume.0 });
    }
    if workload.jobs.len() > JOBS {
        return Some(Refusal::Changes);
    }
    workload.jobs.iter().enumerate().find_map(|(number, job)| {
        if job.null_engine {
            Some(Refusal::NullEngine { job: number })
        } else if job.verify.is_some() {
            Some(Refusal::Verifies { job: number })
        } else if job.steady.is_some() {
            Some(Refusal::EndsWhenSteady { job: number })
        } else if !job.stop.time_based || job.stop.ios.is_some() {
            Some(Refusal::BySize { job: number })
        } else {
            None
        }
    })
}
