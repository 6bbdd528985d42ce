//! Processor time of the calling thread: what others run next to it does not count.
//!
//! Ignores: what a busy neighbour does to the processor's caches and clock rate.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Processor time that this thread has used.
pub fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// What `work` returns, and the processor time that it took.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begin = thread_time();
    let result = work();
    (result, thread_time() - begin)
}
