//! What the C library's allocator keeps of the memory that writes took, and when it goes back to the system.
//!
//! By default it hands memory back whenever 128 KiB at the end of a thread's heap are free, and takes it again, page by page, for
//! the next payload: half of the processor time of a 4 KiB write. And once it has freed a large mapped block it keeps twice as much
//! of each heap for good (mallopt(3), M_MMAP_THRESHOLD, dynamic adjustment): 50 MB after a burst of writes. Between the two: what a
//! thousand 4 KiB writes take is kept at the end of each heap, and what is free further down, where one live block may hold the
//! memory of a whole burst, goes back while nothing is under way.
//!
//! Ignores: other allocators and C libraries, which go about it in their own way.
#![allow(unsafe_code, reason = "nothing safe sets the thresholds but the environment, before the start")]

use dw_units::Duration;

use crate::pace::HostTime;

/// From the first answer after memory went back until it goes back again.
const EVERY: Duration = Duration::from_secs(5);

/// When to give memory back.
#[derive(Debug, Default)]
pub(crate) struct FreedMemory {
    due: Option<HostTime>,
}

impl FreedMemory {
    /// Sets the thresholds of this process.
    pub(crate) fn keep_little() {
        #[cfg(target_env = "gnu")]
        for parameter in [libc::M_TRIM_THRESHOLD, libc::M_MMAP_THRESHOLD] {
            const KEPT: libc::c_int = 4 << 20;
            // SAFETY: it takes two numbers, and refuses those that it does not know.
            unsafe { libc::mallopt(parameter, KEPT) };
        }
    }

    /// Something was answered, and with it memory freed.
    #[inline]
    pub(crate) fn used(&mut self, now: HostTime) {
        self.due.get_or_insert(now + EVERY);
    }

    /// When memory is to go back, if nothing is under way then.
    #[inline]
    pub(crate) fn due(&self) -> Option<HostTime> {
        self.due
    }

    /// Nothing is under way: gives back what is free, if that is due.
    #[inline]
    pub(crate) fn rest(&mut self, now: HostTime) {
        if self.due.take_if(|due| *due <= now).is_some() {
            give_back();
        }
    }
}

#[cold]
fn give_back() {
    // SAFETY: it takes the locks that it needs and touches nothing that is in use.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::malloc_trim(0);
    }
}
