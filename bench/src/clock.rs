//! Processor time of the calling thread: what others run next to it does not count.
//!
//! Ignores: what a busy neighbour does to the processor's caches and clock rate.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

/// Processor time that this thread has used.
pub fn thread_time() -> Duration {
    // By the C library: rustix calls the kernel's vDSO itself, which valgrind does not map.
    let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap_or(nix::sys::time::TimeSpec::new(0, 0));
    time.into()
}

/// What `work` returns, and the processor time that it took.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begin = thread_time();
    let result = work();
    (result, thread_time() - begin)
}
