//! The listeners of a way in: who may come through them, and when nobody may.
//!
//! Each has something behind it that its way in wants to know of whoever comes through.

use std::io;
use std::os::fd::OwnedFd;

use dw_units::Duration;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::io::Errno;
use rustix::net::{SocketFlags, accept_with};

use super::desk::Desk;
use super::front_ends::Way;
use super::listen::Listener;
use super::notice::Notice;
use crate::pace::HostTime;

/// How long nobody is let in after the system had no descriptor left.
const ACCEPT_PAUSE: Duration = Duration::from_ms(100);
/// Marks the tokens of listeners; clients have their generation there.
const LISTENER: u64 = 1 << 59;

/// All listeners of a way in.
#[derive(Debug)]
pub(super) struct Doors<T> {
    way: Way,
    listeners: Vec<(Listener, T)>,
    /// Clients at once.
    most: usize,
    /// Nobody is let in until then.
    again: Option<HostTime>,
}

impl<T> Doors<T> {
    /// Begins to listen.
    pub(super) fn new(way: Way, listeners: Vec<(Listener, T)>, most: usize, desk: &Desk) -> io::Result<Doors<T>> {
        for ((listener, _), token) in listeners.iter().zip(LISTENER..) {
            epoll::add(&desk.epoll, listener, EventData::new_u64(way.mark(token)), EventFlags::IN)?;
        }
        Ok(Doors { way, listeners, most, again: None })
    }

    /// The listener that a token of this way is of.
    #[inline]
    pub(super) fn from_token(token: u64) -> Option<usize> {
        (token & LISTENER != 0).then_some((token & !LISTENER) as usize)
    }

    /// Lets one in where there are `clients` so far, one after the other, so that a flood of them does not keep the others waiting.
    pub(super) fn accept(&mut self, number: usize, clients: usize, desk: &mut Desk) -> Option<(OwnedFd, &T)> {
        let (listener, behind) = self.listeners.get(number)?;
        match accept_with(listener, SocketFlags::NONBLOCK | SocketFlags::CLOEXEC) {
            Ok(socket) if clients < self.most => return Some((socket, behind)),
            Ok(_) => desk.notice(Notice::TooManyClients { most: self.most }),
            Err(Errno::AGAIN | Errno::INTR | Errno::CONNABORTED) => {}
            Err(error) => {
                // No descriptor or no memory: the listener stays readable, so look away for a while.
                desk.notice(Notice::NotAccepted { why: error.to_string() });
                self.watch(desk, EventFlags::empty());
                self.again = Some(HostTime::now() + ACCEPT_PAUSE);
            }
        }
        None
    }

    fn watch(&self, desk: &Desk, flags: EventFlags) {
        for ((listener, _), token) in self.listeners.iter().zip(LISTENER..) {
            let _ = epoll::modify(&desk.epoll, listener, EventData::new_u64(self.way.mark(token)), flags);
        }
    }

    /// When somebody is let in again, if nobody is.
    pub(super) fn deadline(&self) -> Option<HostTime> {
        self.again
    }

    /// It is `now`.
    pub(super) fn tick(&mut self, now: HostTime, desk: &Desk) {
        if self.again.is_some_and(|at| at <= now) {
            self.again = None;
            self.watch(desk, EventFlags::IN);
        }
    }

    /// Nobody is let in any more.
    pub(super) fn close(&mut self, desk: &Desk) {
        for (listener, _) in self.listeners.drain(..) {
            let _ = epoll::delete(&desk.epoll, &listener);
        }
    }
}
