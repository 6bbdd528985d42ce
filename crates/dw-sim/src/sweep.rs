//! Many runs at once: several seeds, or a parameter swept.
//!
//! Runs share nothing, so their results do not depend on how many threads there are, nor on which run comes first. A result
//! takes more than a megabyte; whoever asks for thousands of runs keeps of each what is shown of it.
//!
//! Invariant: at most as many runs are under way as there are threads, and none begins once it is stopped.

use crate::Progress;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Does `count` pieces of `work` on up to `threads` threads, each with a progress of its own; what comes of them is in their
/// order. `progress` counts the I/Os of all; its stop flag stops those under way and keeps the others from beginning, for which
/// there is nothing.
pub fn each<T: Send>(
    count: usize,
    threads: usize,
    progress: &Progress,
    work: impl Fn(usize, &Progress) -> T + Sync,
) -> Vec<Option<T>> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();
    let take = || {
        let stopped = progress.stop.load(Relaxed);
        Some(next.fetch_add(1, Relaxed)).filter(|&n| n < count && !stopped)
    };
    let all = || {
        while let Some(n) = take() {
            let own = Progress { stop: progress.stop.clone(), ..Progress::default() };
            let result = work(n, &own);
            progress.ios.fetch_add(own.ios.load(Relaxed), Relaxed);
            progress.virtual_ns.fetch_add(own.virtual_ns.load(Relaxed), Relaxed);
            *results[n].lock().expect("no other thread has this result") = Some(result);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.clamp(1, count.max(1)) {
            scope.spawn(all);
        }
        all();
    });
    results.into_iter().map(|slot| slot.into_inner().expect("all threads have ended")).collect()
}
