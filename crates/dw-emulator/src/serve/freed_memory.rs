//! What the C library's allocator keeps of the memory that writes took, and when it goes back to the system.
//!
//! By default it hands memory back whenever 128 KiB at the end of a thread's heap are free, and takes it again, page by page, for
//! the next payload: half of the processor time of a 4 KiB write. And once it has freed a large mapped block it keeps twice as much
//! of each heap for good (mallopt(3), M_MMAP_THRESHOLD, dynamic adjustment): 50 MB after a burst of writes. Between the two: what a
//! thousand 4 KiB writes take is kept at the end of each heap. What is free further down, where one live block may hold the memory
//! of a whole burst, goes back when nothing is under way.
//!
//! Each thread would also set aside 64 MiB of address space for a heap of its own, which `ulimit -v` counts: the loop has one, and all
//! other threads share another; where address space is limited there is one for all.
//!
//! Ignores: other allocators and C libraries, which go about it in their own way.

use dw_units::Duration;
#[cfg(target_env = "gnu")]
use rustix::process::{Resource, getrlimit};

use crate::pace::HostTime;

/// Fewer bytes written or discarded are not looked for.
const ENOUGH: u64 = 8 << 20;
/// Nothing was answered for so long before memory goes back: a request that comes meanwhile has to wait.
const QUIET: Duration = Duration::from_ms(10);
/// It goes back at most once in.
const EVERY: Duration = Duration::from_secs(5);

/// Sets what this process keeps of freed memory, and how many heaps it has. To be called before it has threads.
pub fn keep_little_freed_memory() {
    #[cfg(target_env = "gnu")]
    let heaps = if getrlimit(Resource::As).current.is_some() { 1 } else { 2 };
    #[cfg(target_env = "gnu")]
    for (setting, value) in
        [(libc::M_TRIM_THRESHOLD, 4 << 20), (libc::M_MMAP_THRESHOLD, 4 << 20), (libc::M_ARENA_MAX, heaps)]
    {
        #[allow(unsafe_code, reason = "nothing safe sets them but the environment, before the start")]
        // SAFETY: it takes two numbers; a thread that allocates meanwhile reads the old value or the new one.
        unsafe {
            libc::mallopt(setting, value);
        }
    }
}

/// Gives freed memory back.
#[derive(Debug)]
pub(crate) struct FreedMemory {
    /// Bytes written or discarded since it last went back.
    changed: u64,
    answered: HostTime,
    went_back: HostTime,
}

impl FreedMemory {
    pub(crate) fn new(now: HostTime) -> Self {
        FreedMemory { changed: 0, answered: now, went_back: now }
    }

    /// A request is answered that changed so many bytes.
    #[inline]
    pub(crate) fn answered(&mut self, now: HostTime, changed: u64) {
        self.answered = now;
        self.changed += changed;
    }

    /// Nothing is under way. Gives back what is free if it is time, or says when it will be.
    #[inline]
    pub(crate) fn rest(&mut self, now: HostTime) -> Option<HostTime> {
        if self.changed < ENOUGH {
            return None;
        }
        let due = (self.answered + QUIET).max(self.went_back + EVERY);
        if now < due {
            return Some(due);
        }
        (self.changed, self.went_back) = (0, now);
        give_back();
        None
    }
}

#[cold]
fn give_back() {
    #[cfg(target_env = "gnu")]
    #[allow(unsafe_code, reason = "the allocator has no safe door")]
    // SAFETY: it takes the locks that it needs and touches nothing that is in use.
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_goes_back_after_enough_was_written_and_not_often() {
        let at = |ms: u64| HostTime::from_ns(ms * 1_000_000);
        let mut freed = FreedMemory::new(at(0));
        // (answered at, bytes, asked at, when it is due; none = never, or now)
        let cases = [
            (6_000, ENOUGH - 1, 7_000, None),
            (7_000, 1, 7_001, Some(7_010)),
            (7_008, 0, 7_010, Some(7_018)),
            (7_008, 0, 7_018, None),
            (7_020, 2 * ENOUGH, 7_040, Some(12_018)),
            (12_015, 0, 12_018, Some(12_025)),
            (12_015, 0, 12_025, None),
            (12_026, 0, 20_000, None),
        ];
        for (answered, bytes, asked, due) in cases {
            freed.answered(at(answered), bytes);
            assert_eq!(freed.rest(at(asked)), due.map(at), "at {asked}");
        }
    }
}
