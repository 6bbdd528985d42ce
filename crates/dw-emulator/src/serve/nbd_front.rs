//! NBD as a way in: listeners, clients, and whose turn it is.
//!
//! Clients with something to do stand in a queue and get one bounded turn each. A client that goes away leaves its requests
//! to the engine; their answers find nobody and are dropped.
//!
//! Invariant: a client is in the list of those that take no replies at most once; one that is not read for that reason is in it,
//! so that it is read again some time.

use std::collections::VecDeque;
use std::io;

use dw_units::{Duration, Instant};
use rustix::event::epoll::{self, EventData, EventFlags};

use super::clients::{Clients, Queue, Who, is_goodbye, takes_away};
use super::connection::{Connection, Shared, Turn, UNREAD_MAX};
use super::desk::Desk;
use super::doors::Doors;
use super::front_end::FrontEnd;
use super::front_ends::Way;
use super::listen::Listener;
use super::notice::Notice;
use super::payloads::{COMING_MAX, Payloads};
use super::pending::PendingTable;
use super::replies::{PIECE, Replies};
use super::stream::Stream;
use super::tls::Tls;
use crate::command::Command;
use crate::engine::{Done, Engine, Export};
use crate::nbd::ExportInfo;
use crate::pace::HostTime;

/// How long a client may haggle.
const HANDSHAKE_MAX: Duration = Duration::from_secs(10);
/// Bytes of replies made for one client that is behind, before the next one's turn.
const REPLIES_TURN: usize = 128 << 10;
/// The same for all of them, before the loop looks at what is due: some 50 µs.
const REPLIES_ROUND: usize = 256 << 10;

/// All clients of all listeners.
#[derive(Debug)]
pub(crate) struct NbdFront {
    way: Way,
    /// Behind each stands whether it is of TCP.
    doors: Doors<bool>,
    clients: Clients<Connection>,
    handshakes: VecDeque<(HostTime, Who)>,
    /// Clients that take no replies, and until when they are not read.
    unread: VecDeque<(HostTime, Who)>,
    /// All replies together are too many, so that some clients are not read.
    is_crowded: bool,
    shared: Shared,
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
        let (replies, payloads) = (Replies::default(), Payloads::default());
        let shared = Shared { exports: Vec::new(), default: None, pending, replies, payloads, tls, stopping: false };
        let listeners = listeners.into_iter().map(|listener| {
            let is_tcp = listener.is_tcp();
            (listener, is_tcp)
        });
        let mut front = NbdFront {
            way,
            doors: Doors::new(way, listeners.collect(), most, desk)?,
            clients: Clients::default(),
            handshakes: VecDeque::new(),
            unread: VecDeque::new(),
            is_crowded: false,
            shared,
        };
        front.look_at_exports(&desk.engine);
        Ok(front)
    }

    fn look_at_exports(&mut self, engine: &Engine) {
        self.shared.exports = engine.exports().iter().map(export_info).collect();
        self.shared.default = engine.find("").map(|id| usize::from(id.0));
    }

    fn accept(&mut self, number: usize, desk: &mut Desk) {
        let Some((socket, &is_tcp)) = self.doors.accept(number, self.clients.len(), desk) else { return };
        if let Err(error) = self.welcome(Stream::plain(socket, is_tcp), desk) {
            desk.notice(Notice::NotAccepted { why: error.to_string() });
        }
    }

    fn welcome(&mut self, stream: Stream, desk: &mut Desk) -> io::Result<()> {
        let now = HostTime::now();
        let (way, tls, replies) = (self.way, self.shared.tls_mode(), &self.shared.replies);
        let who = self.clients.seat(|who| {
            let mut connection = Connection::new(stream, who, tls, now);
            let interest = connection.new_interest(replies).unwrap_or(EventFlags::IN);
            epoll::add(&desk.epoll, connection.stream(), EventData::new_u64(token(way, who)), interest)?;
            Ok(connection)
        })?;
        self.handshakes.push_back((now + HANDSHAKE_MAX, who));
        self.clients.queue(Queue::Output, who.0);
        Ok(())
    }

    /// A client is gone; its requests go on without it.
    fn drop_client(&mut self, index: u32, desk: &mut Desk) {
        if let Some(connection) = self.clients.remove(index) {
            connection.forget(&mut self.shared.replies, &mut self.shared.payloads);
            let _ = epoll::delete(&desk.epoll, connection.stream());
        }
    }

    /// After anything that a client did: errors end it, and the socket is watched for what can happen next.
    fn settle(&mut self, index: u32, result: io::Result<()>, desk: &mut Desk) {
        let Some((who, connection)) = self.clients.get(index) else { return };
        connection.count(&mut self.shared.replies);
        if let Err(error) = result {
            if !is_goodbye(&error) {
                desk.notice(Notice::Dropped { why: error.to_string() });
            }
            return self.drop_client(index, desk);
        }
        if connection.is_over() {
            return self.drop_client(index, desk);
        }
        if let Some(interest) = connection.new_interest(&self.shared.replies) {
            let data = EventData::new_u64(token(self.way, who));
            let _ = epoll::modify(&desk.epoll, connection.stream(), data, interest);
        }
        // Also when it is watched for what it was watched for before: one that was full is now only not read.
        if connection.is_unread() && !std::mem::replace(&mut connection.timed, true) {
            self.unread.push_back((HostTime::now() + UNREAD_MAX, who));
        }
        if connection.is_held_at_sixteen() {
            let export = connection.export().and_then(|at| self.shared.exports.get(at));
            let export = export.map(|export| export.name.clone()).unwrap_or_default();
            desk.notice(Notice::SixteenInFlight { export });
        }
    }

    /// Something was sent, or could not be.
    fn sent(&mut self, index: u32, result: io::Result<()>, desk: &mut Desk) {
        let Some((_, connection)) = self.clients.get(index) else { return };
        let (is_behind, holds_input) = (connection.is_behind(), connection.holds_input(&self.shared.replies));
        if is_behind {
            self.clients.queue(Queue::Replies, index);
        }
        // Whoever stood still because of what was under way may go on.
        if holds_input {
            self.clients.queue(Queue::Work, index);
        }
        self.settle(index, result, desk);
    }

    /// Whoever has chosen an export, takes replies again, or is gone, is no longer waited for.
    #[inline]
    fn forget_deadlines(&mut self) {
        while let Some(&(_, who)) = self.handshakes.front()
            && !self.clients.at(who).is_some_and(|connection| connection.in_handshake())
        {
            self.handshakes.pop_front();
        }
        while let Some(&(_, who)) = self.unread.front()
            && !self.clients.at(who).is_some_and(|connection| connection.is_unread())
        {
            self.unread.pop_front();
            if let Some(connection) = self.clients.at(who) {
                connection.timed = false;
            }
        }
        let clients = &mut self.clients;
        let is_coming = |since, who| clients.at(who).is_some_and(|connection| connection.is_coming(since));
        self.shared.payloads.arrived(is_coming);
    }

    /// Whoever waited for others looks again: for room for its payload, or until all had fewer replies to take.
    #[inline]
    fn go_on(&mut self) {
        while let Some((who, len)) = self.shared.payloads.next() {
            let Some(connection) = self.clients.at(who) else {
                debug_assert!(false, "whoever is gone is forgotten");
                self.shared.payloads.give_back(len);
                continue;
            };
            let now = HostTime::now();
            connection.give_room(len, now);
            self.shared.payloads.comes(now, who);
            self.clients.queue(Queue::Work, who.0);
        }
        let was_crowded = std::mem::replace(&mut self.is_crowded, self.shared.replies.is_crowded());
        if was_crowded && !self.is_crowded {
            for index in self.clients.places() {
                if self.clients.get(index).is_some_and(|(_, connection)| connection.unsent() > PIECE) {
                    self.clients.queue(Queue::Work, index);
                }
            }
        }
    }

    /// Closes the connections whose export a command takes away.
    fn cut(&mut self, command: &Command, desk: &mut Desk) {
        for index in self.clients.places() {
            let export = self.clients.get(index).and_then(|(_, connection)| connection.export());
            if export.and_then(|at| desk.engine.exports().get(at)).is_some_and(|export| takes_away(command, export)) {
                self.drop_client(index, desk);
            }
        }
    }
}

impl FrontEnd for NbdFront {
    fn ready(&mut self, token: u64, flags: EventFlags, desk: &mut Desk) {
        let token = Way::own(token);
        if let Some(number) = Doors::<bool>::from_token(token) {
            return self.accept(number, desk);
        }
        let who = (token as u32, (token >> 32) as u32);
        let Some(connection) = self.clients.at(who) else { return };
        if !connection.wake(flags) {
            return self.drop_client(who.0, desk);
        }
        let output = connection.has_output();
        self.clients.queue(Queue::Work, who.0);
        if output {
            self.clients.queue(Queue::Output, who.0);
        }
    }

    #[inline]
    fn queued(&self) -> usize {
        self.clients.queued(Queue::Work)
    }

    fn turn(&mut self, desk: &mut Desk) -> usize {
        let Some(index) = self.clients.next(Queue::Work) else { return 0 };
        let Some((_, connection)) = self.clients.get(index) else { return 0 };
        let result = connection.turn(&mut self.shared, desk);
        let output = connection.has_output();
        let Turn { requests, more } = *result.as_ref().unwrap_or(&Turn::default());
        if more {
            self.clients.queue(Queue::Work, index);
        }
        if output {
            self.clients.queue(Queue::Output, index);
        }
        self.settle(index, result.map(drop), desk);
        self.forget_deadlines();
        requests
    }

    #[inline]
    fn complete(&mut self, done: Done, desk: &mut Desk) {
        let Some(pending) = self.shared.pending.take(done.cookie) else { return };
        let Some(connection) = self.clients.at((pending.connection, pending.generation)) else { return };
        let result = connection.complete(done, pending, &mut self.shared, desk);
        if result.is_err() {
            return self.settle(pending.connection, result, desk);
        }
        self.clients.queue(Queue::Output, pending.connection);
    }

    /// What is there goes out first, then more is made for those who are behind.
    fn flush(&mut self, desk: &mut Desk) {
        for _ in 0..self.clients.queued(Queue::Output) {
            let Some(index) = self.clients.next(Queue::Output) else { break };
            let Some((_, connection)) = self.clients.get(index) else { continue };
            let result = connection.flush(desk);
            self.sent(index, result, desk);
        }
        let mut left = REPLIES_ROUND;
        while left > 0
            && let Some(index) = self.clients.next(Queue::Replies)
        {
            let Some((_, connection)) = self.clients.get(index) else { continue };
            let made = connection.go_on(REPLIES_TURN, &mut self.shared.replies, desk);
            left = left.saturating_sub(*made.as_ref().unwrap_or(&0));
            self.sent(index, made.map(drop), desk);
        }
        self.go_on();
    }

    fn has_backlog(&self) -> bool {
        self.clients.queued(Queue::Replies) > 0
    }

    fn changed(&mut self, command: &Command, desk: &mut Desk) {
        self.look_at_exports(&desk.engine);
        self.cut(command, desk);
        if matches!(command, Command::Crash { .. }) {
            self.shared.pending.drain();
        }
    }

    fn refresh(&mut self, desk: &mut Desk) {
        self.look_at_exports(&desk.engine);
    }

    fn deadline(&self) -> Option<HostTime> {
        let first = |list: &VecDeque<(HostTime, _)>| list.front().map(|(deadline, _)| *deadline);
        let all =
            [first(&self.handshakes), first(&self.unread), self.shared.payloads.deadline(), self.doors.deadline()];
        all.into_iter().flatten().min()
    }

    fn tick(&mut self, now: HostTime, desk: &mut Desk) {
        self.doors.tick(now, desk);
        while let Some(&(deadline, who)) = self.unread.front()
            && deadline <= now
        {
            self.unread.pop_front();
            if let Some(connection) = self.clients.at(who) {
                connection.timed = false;
                connection.read_all_the_same();
                self.settle(who.0, Ok(()), desk);
            }
        }
        while let Some(&(deadline, who)) = self.handshakes.front()
            && deadline <= now
        {
            self.handshakes.pop_front();
            if self.clients.at(who).is_some_and(|connection| connection.in_handshake()) {
                let why = format!("no export was chosen within {} s", HANDSHAKE_MAX.ns() / dw_units::NS_PER_SECOND);
                self.settle(who.0, Err(io::Error::other(why)), desk);
            }
        }
        self.forget_deadlines();
        while let Some(who) = self.shared.payloads.overdue(now) {
            let seconds = COMING_MAX.ns() / dw_units::NS_PER_SECOND;
            let why =
                format!("the data of a write did not arrive within {seconds} s while others waited for its memory");
            self.settle(who.0, Err(io::Error::other(why)), desk);
            self.forget_deadlines();
            // Nobody else goes for one who has room now.
            self.go_on();
        }
    }

    fn stop(&mut self, desk: &mut Desk) {
        self.doors.close(desk);
        self.shared.stopping = true;
        self.clients.iter_mut().for_each(Connection::stop);
    }

    fn is_idle(&self) -> bool {
        let sending = self.clients.iter().any(|connection| !connection.is_quiet());
        self.shared.pending.len() == 0 && !sending
    }

    fn give_up(&mut self, _now: Instant, desk: &mut Desk) {
        for pending in self.shared.pending.drain() {
            if let Some(connection) = self.clients.at((pending.connection, pending.generation)) {
                connection.give_up(&pending);
                self.clients.queue(Queue::Output, pending.connection);
            }
        }
        self.flush(desk);
    }

    fn clients(&self) -> usize {
        self.clients.len()
    }

    fn clients_ever(&self) -> u64 {
        self.clients.ever()
    }
}

fn token(way: Way, (index, generation): Who) -> u64 {
    way.mark(u64::from(generation) << 32 | u64::from(index))
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
