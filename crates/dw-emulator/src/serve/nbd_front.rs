//! NBD as a way in: listeners, clients, and whose turn it is.
//!
//! Clients with something to do stand in a queue and get one bounded turn each. A client that goes away leaves its requests
//! to the engine; their answers find nobody and are dropped.
//!
//! Invariant: a client is in the queue at most once, and in the lists of those with output and of those that take no replies at
//! most once; one that is not read for that reason is in the latter, so that it is read again some time.

use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;

use dw_units::{Duration, Instant};
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::io::Errno;
use rustix::net::{SocketFlags, accept_with, sockopt};

use super::connection::{Connection, Shared, Turn, UNREAD_MAX};
use super::desk::Desk;
use super::front_end::FrontEnd;
use super::front_ends::Way;
use super::listen::Listener;
use super::notice::Notice;
use super::pending::PendingTable;
use super::stream::{Stream, narrow};
use super::tls::Tls;
use crate::command::Command;
use crate::engine::{Done, Engine, Export};
use crate::nbd::ExportInfo;
use crate::pace::HostTime;

/// How long a client may haggle.
const HANDSHAKE_MAX: Duration = Duration::from_secs(10);
/// How long nobody is let in after the system had no descriptor left.
const ACCEPT_PAUSE: Duration = Duration::from_ms(100);
/// Marks the tokens of listeners; clients have their generation there.
const LISTENER: u64 = 1 << 59;
/// Generations fit below that mark.
const GENERATIONS: u32 = (1 << 27) - 1;

/// All clients of all listeners.
#[derive(Debug)]
pub(crate) struct NbdFront {
    way: Way,
    listeners: Vec<Listener>,
    places: Vec<Place>,
    free: Vec<u32>,
    queue: VecDeque<u32>,
    output: Vec<u32>,
    handshakes: VecDeque<(HostTime, (u32, u32))>,
    /// Clients that take no replies, and until when they are not read.
    unread: VecDeque<(HostTime, (u32, u32))>,
    accept_again: Option<HostTime>,
    shared: Shared,
    most: usize,
    ever: u64,
}

#[derive(Debug, Default)]
struct Place {
    generation: u32,
    connection: Option<Box<Connection>>,
}

impl NbdFront {
    /// Begins to listen.
    pub(crate) fn new(
        way: Way,
        listeners: Vec<Listener>,
        tls: Option<Tls>,
        most: usize,
        desk: &Desk,
    ) -> io::Result<NbdFront> {
        let pending = PendingTable::new(way);
        let shared = Shared { exports: Vec::new(), default: None, pending, tls, stopping: false };
        let mut front = NbdFront {
            way,
            listeners,
            places: Vec::new(),
            free: Vec::new(),
            queue: VecDeque::new(),
            output: Vec::new(),
            handshakes: VecDeque::new(),
            unread: VecDeque::new(),
            accept_again: None,
            shared,
            most,
            ever: 0,
        };
        front.look_at_exports(&desk.engine);
        for (listener, token) in front.listeners.iter().zip(LISTENER..) {
            epoll::add(&desk.epoll, listener, EventData::new_u64(way.mark(token)), EventFlags::IN)?;
        }
        Ok(front)
    }

    fn look_at_exports(&mut self, engine: &Engine) {
        self.shared.exports = engine.exports().iter().map(export_info).collect();
        self.shared.default = engine.find("").map(|id| usize::from(id.0));
    }

    fn accept(&mut self, number: usize, desk: &mut Desk) {
        // One after the other, so that a flood of connections does not keep the others waiting.
        let Some(listener) = self.listeners.get(number) else { return };
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        match accept_with(listener, flags) {
            Ok(socket) if self.clients() < self.most => {
                if listener.is_tcp() {
                    // Replies are small and must not wait for company.
                    let _ = sockopt::set_tcp_nodelay(&socket, true);
                    let _ = sockopt::set_socket_keepalive(&socket, true);
                } else {
                    narrow(&socket);
                }
                if let Err(error) = self.welcome(socket, desk) {
                    desk.notice(Notice::NotAccepted { why: error.to_string() });
                }
            }
            Ok(_) => desk.notice(Notice::TooManyClients { most: self.most }),
            Err(Errno::AGAIN | Errno::INTR | Errno::CONNABORTED) => {}
            Err(error) => {
                // No descriptor or no memory: the listener stays readable, so look away for a while.
                desk.notice(Notice::NotAccepted { why: error.to_string() });
                self.watch_listeners(desk, EventFlags::empty());
                self.accept_again = Some(HostTime::now() + ACCEPT_PAUSE);
            }
        }
    }

    fn watch_listeners(&self, desk: &Desk, flags: EventFlags) {
        for (listener, token) in self.listeners.iter().zip(LISTENER..) {
            let _ = epoll::modify(&desk.epoll, listener, EventData::new_u64(self.way.mark(token)), flags);
        }
    }

    fn welcome(&mut self, socket: OwnedFd, desk: &mut Desk) -> io::Result<()> {
        let index = self.free.pop().unwrap_or_else(|| {
            self.places.push(Place::default());
            (self.places.len() - 1) as u32
        });
        let now = HostTime::now();
        let place = &mut self.places[index as usize];
        place.generation = (place.generation + 1) & GENERATIONS;
        let who = (index, place.generation);
        let mut connection = Box::new(Connection::new(Stream::plain(socket), who, self.shared.tls_mode(), now));
        let interest = connection.new_interest().unwrap_or(EventFlags::IN);
        if let Err(error) =
            epoll::add(&desk.epoll, connection.stream(), EventData::new_u64(token(self.way, who)), interest)
        {
            self.free.push(index);
            return Err(error.into());
        }
        place.connection = Some(connection);
        self.ever += 1;
        self.handshakes.push_back((now + HANDSHAKE_MAX, who));
        self.list(index);
        Ok(())
    }

    fn at(&mut self, (index, generation): (u32, u32)) -> Option<&mut Connection> {
        let place = self.places.get_mut(index as usize)?;
        if place.generation == generation { place.connection.as_deref_mut() } else { None }
    }

    /// Puts a client into the queue.
    fn queue(&mut self, index: u32) {
        if let Some(connection) = &mut self.places[index as usize].connection
            && !std::mem::replace(&mut connection.queued, true)
        {
            self.queue.push_back(index);
        }
    }

    /// Puts a client into the list of those with output.
    fn list(&mut self, index: u32) {
        if let Some(connection) = &mut self.places[index as usize].connection
            && !std::mem::replace(&mut connection.listed, true)
        {
            self.output.push(index);
        }
    }

    /// A client is gone; its requests go on without it.
    fn drop_client(&mut self, index: u32, desk: &mut Desk) {
        let place = &mut self.places[index as usize];
        if let Some(connection) = place.connection.take() {
            let _ = epoll::delete(&desk.epoll, connection.stream());
            place.generation = (place.generation + 1) & GENERATIONS;
            self.free.push(index);
        }
    }

    /// After anything that a client did: errors end it, and the socket is watched for what can happen next.
    fn settle(&mut self, index: u32, result: io::Result<()>, desk: &mut Desk) {
        let place = &mut self.places[index as usize];
        let Some(connection) = &mut place.connection else { return };
        if let Err(error) = result {
            if !is_goodbye(&error) {
                desk.notice(Notice::Dropped { why: error.to_string() });
            }
            return self.drop_client(index, desk);
        }
        if connection.is_over() {
            return self.drop_client(index, desk);
        }
        if let Some(interest) = connection.new_interest() {
            let data = EventData::new_u64(token(self.way, (index, place.generation)));
            let _ = epoll::modify(&desk.epoll, connection.stream(), data, interest);
        }
        // Also when it is watched for what it was watched for before: one that was full is now only not read.
        if connection.is_unread() && !std::mem::replace(&mut connection.timed, true) {
            self.unread.push_back((HostTime::now() + UNREAD_MAX, (index, place.generation)));
        }
        if connection.is_held_at_sixteen() {
            let export = connection.export().and_then(|at| self.shared.exports.get(at));
            let export = export.map(|export| export.name.clone()).unwrap_or_default();
            desk.notice(Notice::SixteenInFlight { export });
        }
    }

    /// Whoever has chosen an export, takes replies again, or is gone, is no longer waited for.
    #[inline]
    fn forget_deadlines(&mut self) {
        while let Some(&(_, who)) = self.handshakes.front()
            && !self.at(who).is_some_and(|connection| connection.in_handshake())
        {
            self.handshakes.pop_front();
        }
        while let Some(&(_, who)) = self.unread.front()
            && !self.at(who).is_some_and(|connection| connection.is_unread())
        {
            self.unread.pop_front();
            if let Some(connection) = self.at(who) {
                connection.timed = false;
            }
        }
    }

    /// Closes the connections whose export `is` says.
    fn cut(&mut self, desk: &mut Desk, is: impl Fn(&ExportInfo) -> bool) {
        for index in 0..self.places.len() as u32 {
            let export = self.places[index as usize].connection.as_ref().and_then(|c| c.export());
            if export.and_then(|at| self.shared.exports.get(at)).is_some_and(&is) {
                self.drop_client(index, desk);
            }
        }
    }
}

impl FrontEnd for NbdFront {
    fn ready(&mut self, token: u64, flags: EventFlags, desk: &mut Desk) {
        let token = Way::own(token);
        if token & LISTENER != 0 {
            return self.accept((token & !LISTENER) as usize, desk);
        }
        let who = (token as u32, (token >> 32) as u32);
        let Some(connection) = self.at(who) else { return };
        if !connection.wake(flags) {
            return self.drop_client(who.0, desk);
        }
        let output = connection.has_output();
        self.queue(who.0);
        if output {
            self.list(who.0);
        }
    }

    #[inline]
    fn queued(&self) -> usize {
        self.queue.len()
    }

    fn turn(&mut self, desk: &mut Desk) -> usize {
        let Some(index) = self.queue.pop_front() else { return 0 };
        let Some(connection) = &mut self.places[index as usize].connection else { return 0 };
        connection.queued = false;
        let result = connection.turn(&mut self.shared, desk);
        let output = connection.has_output();
        let Turn { requests, more } = *result.as_ref().unwrap_or(&Turn::default());
        if more {
            self.queue(index);
        }
        if output {
            self.list(index);
        }
        self.settle(index, result.map(drop), desk);
        self.forget_deadlines();
        requests
    }

    #[inline]
    fn complete(&mut self, done: Done, desk: &mut Desk) {
        let Some(pending) = self.shared.pending.take(done.cookie) else { return };
        let Some(connection) = self.at((pending.connection, pending.generation)) else { return };
        let result = connection.complete(done, pending, desk);
        if result.is_err() {
            return self.settle(pending.connection, result, desk);
        }
        self.list(pending.connection);
    }

    fn flush(&mut self, desk: &mut Desk) {
        for at in 0..self.output.len() {
            let index = self.output[at];
            let Some(connection) = &mut self.places[index as usize].connection else { continue };
            connection.listed = false;
            let result = connection.flush(desk);
            // Whoever stood still because of what was under way may go on.
            let stood_still = connection.holds_input();
            if stood_still {
                self.queue(index);
            }
            self.settle(index, result, desk);
        }
        self.output.clear();
    }

    fn changed(&mut self, command: &Command, desk: &mut Desk) {
        self.look_at_exports(&desk.engine);
        match command {
            // What was under way is gone with the VM.
            Command::Crash { .. } | Command::Reboot => {
                self.cut(desk, |_| true);
                if matches!(command, Command::Crash { .. }) {
                    self.shared.pending.drain();
                }
            }
            Command::Detach { volume } | Command::Cache { volume, .. } => {
                self.cut(desk, |export| belongs_to(&export.name, volume));
            }
            _ => self.cut(desk, |export| export.detached),
        }
    }

    fn refresh(&mut self, desk: &mut Desk) {
        self.look_at_exports(&desk.engine);
    }

    fn deadline(&self) -> Option<HostTime> {
        let first = |list: &VecDeque<(HostTime, _)>| list.front().map(|(deadline, _)| *deadline);
        [first(&self.handshakes), first(&self.unread), self.accept_again].into_iter().flatten().min()
    }

    fn tick(&mut self, now: HostTime, desk: &mut Desk) {
        if self.accept_again.is_some_and(|at| at <= now) {
            self.accept_again = None;
            self.watch_listeners(desk, EventFlags::IN);
        }
        while let Some(&(deadline, who)) = self.unread.front()
            && deadline <= now
        {
            self.unread.pop_front();
            if let Some(connection) = self.at(who) {
                connection.timed = false;
                connection.read_all_the_same();
                self.settle(who.0, Ok(()), desk);
            }
        }
        while let Some(&(deadline, who)) = self.handshakes.front()
            && deadline <= now
        {
            self.handshakes.pop_front();
            if self.at(who).is_some_and(|connection| connection.in_handshake()) {
                let why = format!("no export was chosen within {} s", HANDSHAKE_MAX.ns() / dw_units::NS_PER_SECOND);
                self.settle(who.0, Err(io::Error::other(why)), desk);
            }
        }
    }

    fn stop(&mut self, desk: &mut Desk) {
        for listener in self.listeners.drain(..) {
            let _ = epoll::delete(&desk.epoll, &listener);
        }
        self.shared.stopping = true;
        for place in &mut self.places {
            if let Some(connection) = &mut place.connection {
                connection.stop();
            }
        }
    }

    fn is_idle(&self) -> bool {
        let sending = self.places.iter().filter_map(|place| place.connection.as_ref()).any(|c| !c.is_quiet());
        self.shared.pending.len() == 0 && !sending
    }

    fn give_up(&mut self, _now: Instant, desk: &mut Desk) {
        for pending in self.shared.pending.drain() {
            if let Some(connection) = self.at((pending.connection, pending.generation)) {
                connection.give_up(&pending);
                self.list(pending.connection);
            }
        }
        self.flush(desk);
    }

    fn clients(&self) -> usize {
        self.places.len() - self.free.len()
    }

    fn clients_ever(&self) -> u64 {
        self.ever
    }
}

fn token(way: Way, (index, generation): (u32, u32)) -> u64 {
    way.mark(u64::from(generation) << 32 | u64::from(index))
}

/// Whether an export is a volume, or one of its disks.
pub(super) fn belongs_to(export: &str, volume: &str) -> bool {
    let rest = export.strip_prefix(volume);
    rest.is_some_and(|rest| {
        rest.is_empty() || rest.strip_prefix('.').is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
    })
}

/// Ends that clients bring about every day.
fn is_goodbye(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset)
}

fn export_info(export: &Export) -> ExportInfo {
    ExportInfo {
        name: export.name.clone(),
        description: export.description.clone(),
        size: export.size,
        read_only: export.read_only,
        rotational: export.rotational,
        // Stores punch holes.
        fast_zero: true,
        detached: export.detached,
        min_block: export.min_block,
        preferred_block: export.preferred_block,
        max_payload: export.max_payload,
    }
}

#[cfg(test)]
mod tests;
