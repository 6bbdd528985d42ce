//! One budget for what clients write.
//!
//! A client may have 64 MiB of payloads under way ([`super::connection::PAYLOAD_MAX`]). A thousand clients that send half of that and
//! wait would keep 32 GiB, so all of them share [`PAYLOADS_MAX`]. A payload has room for all of its bytes before it is read, so that each
//! that is begun can end. Where there is no room, the client waits for it and is not read, first come, first served. A client with
//! no more than [`OWN`] never waits for others. While somebody waits, a payload that has not arrived within [`COMING_MAX`] ends
//! its connection.
//!
//! Memory is thus at most [`PAYLOADS_MAX`], and [`OWN`] for each client.
//!
//! Ignores: payloads of clients that are gone, which the engine keeps until they are written.
//!
//! Invariant: what is held is the sum of what the clients have that there are.

use std::collections::VecDeque;

use dw_units::Duration;

use super::clients::Who;
use crate::pace::HostTime;

/// Bytes of all clients together.
const PAYLOADS_MAX: u64 = 256 << 20;
/// Bytes that a client may have whatever the others have.
const OWN: u64 = 256 << 10;
/// How long a payload may take to arrive while others wait for room.
pub const COMING_MAX: Duration = Duration::from_secs(10);

/// What is held, and who waits.
#[derive(Debug)]
pub struct Payloads {
    most: u64,
    held: u64,
    /// Clients that wait for room, and for how much.
    waiting: VecDeque<(Who, u64)>,
    /// Since when payloads have been on their way, the oldest first. Some have arrived meanwhile.
    coming: VecDeque<(HostTime, Who)>,
}

impl Default for Payloads {
    fn default() -> Self {
        Payloads::new(PAYLOADS_MAX)
    }
}

impl Payloads {
    /// Nothing yet, and so much at most.
    pub fn new(most: u64) -> Payloads {
        Payloads { most, held: 0, waiting: VecDeque::new(), coming: VecDeque::new() }
    }

    /// Bytes that are held.
    #[cfg(test)]
    pub fn held(&self) -> u64 {
        self.held
    }

    /// Takes room for `len` bytes more of a client that has `own`. False = there is none, and it waits for its turn.
    #[inline]
    pub fn take(&mut self, who: Who, own: u64, len: u64) -> bool {
        let has_room = own + len <= OWN || self.waiting.is_empty() && self.fits(len);
        if has_room {
            self.held += len;
        } else {
            self.waiting.push_back((who, len));
        }
        has_room
    }

    #[inline]
    fn fits(&self, len: u64) -> bool {
        // Alone, any payload has room.
        self.held == 0 || self.held + len <= self.most
    }

    /// Gives room back.
    #[inline]
    pub fn give_back(&mut self, len: u64) {
        debug_assert!(len <= self.held, "{len} bytes are given back of {}", self.held);
        self.held -= len;
    }

    /// The next client that has waited and now has its room: how much.
    #[inline]
    pub fn next(&mut self) -> Option<(Who, u64)> {
        let (_, len) = self.waiting.front()?;
        let next = if self.fits(*len) { self.waiting.pop_front()? } else { return None };
        self.held += next.1;
        Some(next)
    }

    /// A payload of that client is on its way.
    pub fn comes(&mut self, since: HostTime, who: Who) {
        self.coming.push_back((since, who));
    }

    /// Forgets payloads that have arrived, up to the first that `is_coming`.
    #[inline]
    pub fn arrived(&mut self, mut is_coming: impl FnMut(HostTime, Who) -> bool) {
        while let Some(&(since, who)) = self.coming.front()
            && !is_coming(since, who)
        {
            self.coming.pop_front();
        }
    }

    /// When the oldest that is on its way has had its time, if somebody waits.
    #[inline]
    pub fn deadline(&self) -> Option<HostTime> {
        let (since, _) = self.coming.front().filter(|_| !self.waiting.is_empty())?;
        Some(*since + COMING_MAX)
    }

    /// The client whose payload has had its time at `now`, if somebody waits.
    pub fn overdue(&mut self, now: HostTime) -> Option<Who> {
        self.deadline().filter(|&deadline| deadline <= now)?;
        self.coming.pop_front().map(|(_, who)| who)
    }

    /// A client is gone that had so much.
    pub fn forget(&mut self, gone: Who, own: u64) {
        self.give_back(own);
        self.waiting.retain(|(who, _)| *who != gone);
        self.coming.retain(|(_, who)| *who != gone);
    }
}
