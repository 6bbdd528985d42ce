//! Many runs at once: several seeds, or a parameter swept.
//!
//! Runs share nothing, so their results do not depend on how many threads there are, nor on which run comes first.

use crate::{Progress, RunError, RunOptions, RunResult, run};
use dw_stack::StackSpec;
use dw_workload::Workload;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// One run of a sweep.
#[derive(Clone, Debug)]
pub struct Case {
    /// The stack.
    pub spec: StackSpec,
    /// What is asked of it.
    pub workload: Workload,
    /// How to run.
    pub options: RunOptions,
}

/// Runs all cases on up to `threads` threads; the results are in the order of the cases. `progress` counts the I/Os of
/// all; its stop flag stops those under way and keeps the others from starting (they come back empty and partial).
pub fn run_many(cases: &[Case], threads: usize, progress: &Progress) -> Vec<Result<RunResult, RunError>> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<Result<RunResult, RunError>>>> = cases.iter().map(|_| Mutex::new(None)).collect();
    let own: Vec<Progress> =
        cases.iter().map(|_| Progress { stop: progress.stop.clone(), ..Progress::default() }).collect();
    let work = || {
        while let Some((n, case)) = take(&next, cases) {
            let result = run(case.spec.clone(), &case.workload, &case.options, &own[n]);
            progress.ios.fetch_add(own[n].ios.load(Relaxed), Relaxed);
            progress.virtual_ns.fetch_add(own[n].virtual_ns.load(Relaxed), Relaxed);
            *results[n].lock().expect("no other thread has this result") = Some(result);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.clamp(1, cases.len().max(1)) {
            scope.spawn(work);
        }
        work();
    });
    let done = results.into_iter().map(|slot| slot.into_inner().expect("all threads have ended"));
    done.map(|result| result.expect("every case was taken")).collect()
}

fn take<'a>(next: &AtomicUsize, cases: &'a [Case]) -> Option<(usize, &'a Case)> {
    let n = next.fetch_add(1, Relaxed);
    cases.get(n).map(|case| (n, case))
}
