//! The server: a stack in real time, with clients.
//!
//! ```text
//!  clients ─▶ front ends (NBD, vhost-user) ─▶ desk: engine, pace, lateness ◀─ commands from other threads
//!                    └───────────── event loop: one thread, epoll, one timer
//! ```
//!
//! One thread owns the engine and every client's socket, so nothing on the path of a request is locked, and what one
//! connection flushed is seen by all. A request that waits costs a slot in a table and its place in the stack's own queue: no
//! thread, no timer.
//!
//! Source: one loop serves one and a half to two and a half times the requests of a thread for each connection or request, at a
//! third to two thirds of the processor time (docs/benchmarks.md).
//!
//! Lives here: sockets, the loop, TLS. Never here: the protocol (`nbd/`), what a request does (`engine.rs`), printing.
//! Read next: `event_loop.rs`, `connection.rs`.

mod answers;
mod attention;
mod calibrate;
mod clients;
mod connection;
mod desk;
mod doors;
mod event_loop;
mod file_front;
pub mod files;
mod freed_memory;
mod front_end;
mod front_ends;
mod inbox;
mod listen;
mod nbd_front;
mod notice;
mod outbox;
mod patience;
mod payloads;
mod pending;
mod replies;
mod stream;
mod timer;
mod tls;
mod vhost_client;
mod vhost_front;
mod vhost_link;

use std::io;

use dw_units::Duration;
use rustix::event::epoll;

use crate::control::{self, Handle, Inbox};
use crate::engine::Engine;
use crate::pace::{HostTime, Overhead, Pace};
use crate::status::Status;
use crate::status::meter::Throttled;
use crate::timeline::{Planned, Timeline};
use desk::Desk;
use event_loop::{EventLoop, Plan};
use front_ends::FrontEnds;
use nbd_front::NbdFront;

pub use calibrate::overhead;
pub use freed_memory::keep_little_freed_memory;
pub use listen::{ListenError, Listener};
pub use notice::Notice;
pub use tls::{Tls, TlsError};

/// Clients at once, unless somebody allows more.
pub const CLIENTS_MAX: usize = 1_024;
/// How long requests under way may take to end when the server stops, unless somebody allows more.
pub const DRAIN: Duration = Duration::from_ms(500);

/// How to serve.
pub struct ServeOptions {
    /// Subtracted from every release; [`overhead`] measures it.
    pub overhead: Overhead,
    /// Before a release, this long is spent looking at the clock instead of asleep.
    pub spin: Duration,
    /// Clients at once.
    pub clients_max: usize,
    /// How long requests under way may take to end when the server stops.
    pub drain: Duration,
    /// Encryption, if any.
    pub tls: Option<Tls>,
    /// Volumes shown as files, if they are.
    pub files: Option<files::FilesInbox>,
    /// Sockets for vhost-user-blk, each for one block device.
    pub vhost_user: Vec<(Listener, crate::engine::ExportId)>,
    /// Whether the bytes are on a disk of this machine, whose slowness is to be noticed.
    pub watch_host_disk: bool,
    /// Commands at instants of the model.
    pub timeline: Timeline,
    /// Carries out what the timeline plans, in place of the loop: for whoever has more to do about a restart than the disks.
    pub planned: Option<Box<dyn FnMut(Planned)>>,
    /// Told every second in which a limit held requests up, if somebody wants to know.
    pub throttled: Option<Box<dyn FnMut(Throttled)>>,
    /// Told what happens.
    pub notice: Box<dyn FnMut(Notice)>,
    /// How many notices of a kind that clients bring about it is told in 10 s; then it is told how many there were more.
    pub notices_max: u32,
}

impl Default for ServeOptions {
    fn default() -> Self {
        ServeOptions {
            overhead: Overhead::default(),
            spin: Duration::ZERO,
            clients_max: CLIENTS_MAX,
            drain: DRAIN,
            tls: None,
            files: None,
            vhost_user: Vec::new(),
            watch_host_disk: false,
            timeline: Timeline::default(),
            planned: None,
            throttled: None,
            notice: Box::new(|_| {}),
            notices_max: notice::NOTICES_MAX,
        }
    }
}

/// What a run came to.
#[derive(Debug)]
pub struct Summary {
    /// How things were at the end.
    pub status: Status,
    pub clients: u64,
    /// Whether everything acknowledged is durable.
    pub durable: io::Result<()>,
}

/// A server that is ready to run.
pub struct Server {
    event_loop: EventLoop<FrontEnds>,
    handle: Handle,
    has_files: bool,
}

impl Server {
    /// Puts an engine behind listeners. The model's time begins now.
    ///
    /// # Errors
    /// When the operating system has no epoll, timer or eventfd left.
    pub fn new(engine: Engine, listeners: Vec<Listener>, options: ServeOptions) -> io::Result<Server> {
        let (handle, inbox): (Handle, Inbox) = control::channel()?;
        let epoll_fd = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let mut overhead = options.overhead;
        if options.spin > Duration::ZERO {
            // Nobody sleeps through the release.
            overhead = Overhead { total: overhead.total.saturating_sub(overhead.timer), timer: Duration::ZERO };
        }
        let pace = Pace::start(HostTime::now(), overhead);
        let desk = Desk::new(engine, pace, epoll_fd, options.watch_host_disk, (options.notices_max, options.notice));
        let mut front = FrontEnds::default();
        front.add(|way| NbdFront::new(way, listeners, options.tls, options.clients_max, &desk))?;
        let has_files = options.files.is_some();
        if let Some(inbox) = options.files {
            front.add(|way| file_front::FileFront::new(way, inbox, &desk))?;
        }
        if !options.vhost_user.is_empty() {
            front.add(|way| vhost_front::VhostFront::new(way, options.vhost_user, options.clients_max, &desk))?;
        }
        let ServeOptions { spin, drain, timeline, planned, throttled, .. } = options;
        let plan = Plan { spin, drain, timeline, planned, throttled };
        let event_loop = EventLoop::new(desk, front, inbox, plan)?;
        Ok(Server { event_loop, handle, has_files })
    }

    /// For other threads: commands, status, the end.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Serves on this thread until a [`crate::command::Command::Shutdown`] comes.
    ///
    /// # Errors
    /// When the operating system fails in what cannot be done without.
    pub fn run(mut self) -> io::Result<Summary> {
        use front_end::FrontEnd as _;
        if self.has_files {
            files::flushes_for_others();
        }
        self.event_loop.run()?;
        let (status, durable) = self.event_loop.finish();
        Ok(Summary { status, clients: self.event_loop.front.clients_ever(), durable })
    }
}
