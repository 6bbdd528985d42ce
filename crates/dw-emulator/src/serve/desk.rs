//! What the loop shares with its front ends: the engine, the time, and the record of how well it was kept.
//!
//! Invariant: the engine is never told an earlier instant than before. A request that arrived while something later was
//! handled counts as arriving then; that shift is at most the overhead that releases are early by.

use std::os::fd::OwnedFd;

use dw_units::Instant;

use super::attention::Attention;
use super::notice::{Notice, NoticeRate};
use crate::engine::{Done, Engine, IoRequest};
use crate::lateness::Lateness;
use crate::pace::{HostTime, Pace};

/// The middle of the server.
pub struct Desk {
    pub(crate) engine: Engine,
    pub(crate) pace: Pace,
    pub(crate) lateness: Lateness,
    pub(super) attention: Attention,
    pub(crate) epoll: OwnedFd,
    /// The last instant that the engine was told.
    clock: Instant,
    /// Whether stores may be slow, so that it is worth looking at the clock around them.
    time_stores: bool,
    notice: Box<dyn FnMut(Notice)>,
    rate: NoticeRate,
}

impl Desk {
    pub(crate) fn new(
        engine: Engine,
        pace: Pace,
        epoll: OwnedFd,
        time_stores: bool,
        (notices_max, notice): (u32, Box<dyn FnMut(Notice)>),
    ) -> Desk {
        let (lateness, attention) = (Lateness::default(), Attention::new(HostTime::now()));
        let rate = NoticeRate::new(notices_max);
        Desk { engine, pace, lateness, attention, epoll, clock: Instant::START, time_stores, notice, rate }
    }

    /// Tells whoever started the server, unless there were too many like it.
    pub(crate) fn notice(&mut self, notice: Notice) {
        let now = HostTime::now();
        self.tell_left_out(now);
        if let Some(notice) = self.rate.admit(now, notice) {
            (self.notice)(notice);
        }
    }

    /// Tells how many notices were left out by `now`, where it is time for that.
    pub(crate) fn tell_left_out(&mut self, now: HostTime) {
        while let Some(notice) = self.rate.due(now) {
            (self.notice)(notice);
        }
    }

    /// When it is time for that.
    pub(crate) fn notice_deadline(&self) -> Option<HostTime> {
        self.rate.deadline()
    }

    /// The engine's instant for something that happened at `host`.
    #[inline]
    pub(crate) fn instant(&mut self, host: HostTime) -> Instant {
        self.clock = self.clock.max(self.pace.model(host));
        self.clock
    }

    /// Hands a request in that arrived at `now`, as [`Desk::instant`] says it; returns how long its bytes took, ns, if that is watched.
    #[inline]
    pub(crate) fn submit(&mut self, now: Instant, request: IoRequest) -> u64 {
        self.timed(|desk| desk.engine.submit(now, request)).1
    }

    /// The bytes of a read; with how long they took.
    #[inline]
    pub(crate) fn timed<T>(&mut self, work: impl FnOnce(&mut Desk) -> T) -> (T, u64) {
        if !self.time_stores {
            return (work(self), 0);
        }
        let begin = HostTime::now();
        let result = work(self);
        (result, HostTime::now().since(begin).ns())
    }

    /// The next request that may be released at `host`.
    #[inline]
    pub(crate) fn next_done(&mut self, host: HostTime) -> Option<Done> {
        let horizon = self.pace.horizon(host);
        loop {
            let at = self.engine.next_event().filter(|&at| at <= horizon)?;
            self.clock = self.clock.max(at);
            if let Some(done) = self.engine.poll(self.clock) {
                return Some(done);
            }
        }
    }

    /// When there is something to release next.
    #[inline]
    pub(crate) fn next_release(&mut self) -> Option<HostTime> {
        self.engine.next_event().and_then(|at| self.pace.release(at))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use dw_stack::{CacheMode, Credits, DiskSpec, LimitSpec, Path, ServiceTime, StackSpec, VmSpec, VolumeSpec};
    use dw_units::Bytes;
    use rustix::event::epoll;

    use super::*;
    use crate::engine::EngineOptions;
    use crate::pace::Overhead;
    use crate::store::{MemoryRoom, MemoryStore, Store};

    /// Bytes of the disk.
    pub const SIZE: u64 = 1 << 30;

    /// The desk of a VM with one volume, `data`, of one disk that takes no time to speak of.
    pub fn desk() -> Desk {
        let store = MemoryStore::new(SIZE, MemoryRoom::default()).expect("memory");
        desk_with(Box::new(store), EngineOptions::default())
    }

    /// The same with this store, of [`SIZE`] bytes.
    pub fn desk_with(store: Box<dyn Store>, options: EngineOptions) -> Desk {
        let disk = DiskSpec {
            name: "disk".into(),
            size: Bytes::new(SIZE),
            limits: LimitSpec::default(),
            io_unit: None,
            more: Vec::new(),
            read: ServiceTime::constant(1_000),
            write: ServiceTime::constant(1_000),
            usage_base: None,
            first_touch: None,
            by_direction: Default::default(),
        };
        let volume = VolumeSpec {
            name: "data".into(),
            disks: vec![disk],
            stripe_unit: Bytes::kib(64),
            host_cache: CacheMode::None,
            path: Path::default(),
        };
        let spec = StackSpec { vm: VmSpec::default(), volumes: vec![volume], credits: Credits::Full, seed: 1 };
        let engine = Engine::new(spec, vec![store], options).expect("an engine");
        let epoll_fd = epoll::create(epoll::CreateFlags::CLOEXEC).expect("an epoll");
        let pace = Pace::start(HostTime::now(), Overhead::default());
        Desk::new(engine, pace, epoll_fd, false, (u32::MAX, Box::new(|_| {})))
    }
}
