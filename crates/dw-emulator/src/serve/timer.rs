//! One timer for everything that is due: the kernel's, absolute, in nanoseconds.
//!
//! A timerfd is not subject to the timer slack of threads and wakes the same wait as the sockets do. It is armed only for an
//! earlier instant than it is armed for already: waking once for nothing is cheaper than arming for each request.
//!
//! Invariant: it is never armed for instant 0, which would disarm it for good.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create, timerfd_settime,
};

use crate::pace::HostTime;

/// A timer that becomes readable.
#[derive(Debug)]
pub struct Timer {
    fd: OwnedFd,
    armed: Option<HostTime>,
}

impl Timer {
    /// A timer that is not armed.
    pub fn new() -> io::Result<Timer> {
        let fd = timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC)?;
        Ok(Timer { fd, armed: None })
    }

    /// Sees to it that the timer fires at `deadline` or earlier.
    pub fn at(&mut self, deadline: HostTime) -> io::Result<()> {
        if self.armed.is_some_and(|armed| armed <= deadline) {
            return Ok(());
        }
        let ns = deadline.ns().max(1);
        let value =
            Timespec { tv_sec: (ns / dw_units::NS_PER_SECOND) as i64, tv_nsec: (ns % dw_units::NS_PER_SECOND) as _ };
        let spec = Itimerspec { it_interval: Timespec { tv_sec: 0, tv_nsec: 0 }, it_value: value };
        timerfd_settime(&self.fd, TimerfdTimerFlags::ABSTIME, &spec)?;
        self.armed = Some(deadline);
        Ok(())
    }

    /// The timer has fired. Registered edge-triggered, it need not be read.
    pub fn fired(&mut self) {
        self.armed = None;
    }
}

impl AsFd for Timer {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}
