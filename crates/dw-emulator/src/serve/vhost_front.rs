//! vhost-user-blk as a way in: listeners, each for one export, and their clients.
//!
//! A client that goes away leaves its requests to the engine. One that comes back does again what was not answered, so nothing is
//! taken from the queues of an export while requests of a client that left it are under way: an old write must not land on a newer
//! one.
//!
//! Invariant: what wakes us for a queue is watched exactly as long as the client has it.

use std::io;
use std::os::fd::OwnedFd;

use dw_units::Instant;
use rustix::event::epoll::{self, EventData, EventFlags};

use super::clients::{Clients, Queue, Who, is_goodbye, takes_away};
use super::desk::Desk;
use super::doors::Doors;
use super::front_end::FrontEnd;
use super::front_ends::Way;
use super::listen::Listener;
use super::notice::Notice;
use super::pending::PendingTable;
use super::vhost_client::{Client, NewKick, Pending};
use super::vhost_link::Link;
use crate::command::Command;
use crate::engine::{Done, Export, ExportId};
use crate::pace::HostTime;
use crate::vhost_user::QUEUES_MAX;
use crate::vhost_user::device::Facts;

/// Where a token says which queue's driver it is, counted from 1; 0 is the socket.
const QUEUE: u32 = 24;
const PLACES: u32 = (1 << QUEUE) - 1;
const _: () = assert!(QUEUES_MAX < 1 << (32 - QUEUE));

/// All clients of all listeners.
pub(crate) struct VhostFront {
    way: Way,
    /// Behind each stands the export that it is for.
    doors: Doors<ExportId>,
    clients: Clients<Client>,
    pending: PendingTable<Pending>,
    /// Requests under way of clients that are gone, by export.
    orphans: Vec<u64>,
    /// For the bytes of a read.
    room: Vec<u8>,
    stopping: bool,
}

impl VhostFront {
    /// Begins to listen.
    pub(crate) fn new(
        way: Way,
        listeners: Vec<(Listener, ExportId)>,
        most: usize,
        desk: &Desk,
    ) -> io::Result<VhostFront> {
        Ok(VhostFront {
            way,
            doors: Doors::new(way, listeners, most.min(PLACES as usize), desk)?,
            clients: Clients::default(),
            pending: PendingTable::new(way),
            orphans: vec![0; desk.engine.exports().len()],
            room: Vec::new(),
            stopping: false,
        })
    }

    fn accept(&mut self, number: usize, desk: &mut Desk) {
        let Some((socket, &export)) = self.doors.accept(number, self.clients.len(), desk) else { return };
        // A disk that was taken away is nobody's; its guest tries again until it is back.
        let there = desk.engine.exports().get(usize::from(export.0)).filter(|export| !export.detached);
        if let Some(facts) = there.map(facts)
            && let Err(error) = self.welcome(socket, export, facts, desk)
        {
            desk.notice(Notice::NotAccepted { why: error.to_string() });
        }
    }

    fn welcome(&mut self, socket: OwnedFd, export: ExportId, facts: Facts, desk: &Desk) -> io::Result<()> {
        let way = self.way;
        self.clients.seat(|who| {
            let mut client = Client::new(Link::new(socket), who, export, facts);
            client.kicks.resize_with(QUEUES_MAX, || None);
            let flags = EventFlags::IN | EventFlags::ET;
            epoll::add(&desk.epoll, &client.link, EventData::new_u64(token(way, who, 0)), flags)?;
            Ok(client)
        })?;
        Ok(())
    }

    /// Whether the queues of an export stand still.
    fn is_held(&self, export: ExportId) -> bool {
        self.stopping || self.orphans[usize::from(export.0)] > 0
    }

    /// Puts a client into the queue, if it has something to do.
    fn queue(&mut self, index: u32) {
        let Some(export) = self.clients.get(index).map(|(_, client)| client.export) else { return };
        let held = self.is_held(export);
        if self.clients.get(index).is_some_and(|(_, client)| client.has_work(held)) {
            self.clients.queue(Queue::Work, index);
        }
    }

    fn drop_client(&mut self, index: u32, desk: &mut Desk) {
        let Some(client) = self.clients.remove(index) else { return };
        // The client has the same files, so closing ours is not enough.
        let _ = epoll::delete(&desk.epoll, &client.link);
        for kick in client.kicks.iter().flatten() {
            let _ = epoll::delete(&desk.epoll, kick);
        }
        self.orphans[usize::from(client.export.0)] += client.in_flight;
    }

    /// Whatever a client did that cannot be gone on with ends it.
    fn settle(&mut self, index: u32, result: io::Result<()>, desk: &mut Desk) {
        let Err(error) = result else { return };
        if let Some((_, client)) = self.clients.get(index)
            && !is_goodbye(&error)
        {
            desk.notice(Notice::Dropped { why: format!("vhost-user client of `{}`: {error}", client.name()) });
        }
        self.drop_client(index, desk);
    }

    /// A queue is woken by another descriptor from now on.
    fn watch_kick(&mut self, index: u32, (queue, kick): NewKick, desk: &Desk) -> io::Result<()> {
        let Some((who, client)) = self.clients.get(index) else { return Ok(()) };
        if let Some(old) = client.kicks[queue].take() {
            let _ = epoll::delete(&desk.epoll, &old);
        }
        if let Some(kick) = kick {
            let token = token(self.way, who, queue as u32 + 1);
            // It is never read: each time that it is written to, it is an event.
            let flags = EventFlags::IN | EventFlags::ET;
            epoll::add(&desk.epoll, &kick, EventData::new_u64(token), flags)
                .map_err(|why| io::Error::other(format!("the wake-up descriptor cannot be waited for: {why}")))?;
            client.kicks[queue] = Some(kick);
        }
        Ok(())
    }

    /// A request of a client that is gone is done.
    fn bury(&mut self, export: ExportId) {
        let orphans = &mut self.orphans[usize::from(export.0)];
        *orphans = orphans.saturating_sub(1);
        if *orphans == 0 {
            self.clients.places().for_each(|index| self.queue(index));
        }
    }

    /// Closes the connections of exports that a command takes away.
    fn cut(&mut self, command: &Command, desk: &mut Desk) {
        for index in self.clients.places() {
            let export = self.clients.get(index).map(|(_, client)| usize::from(client.export.0));
            if export.and_then(|at| desk.engine.exports().get(at)).is_some_and(|export| takes_away(command, export)) {
                self.drop_client(index, desk);
            }
        }
    }
}

impl FrontEnd for VhostFront {
    fn ready(&mut self, token: u64, flags: EventFlags, desk: &mut Desk) {
        let token = Way::own(token);
        if let Some(number) = Doors::<ExportId>::from_token(token) {
            return self.accept(number, desk);
        }
        let who = (token as u32 & PLACES, (token >> 32) as u32);
        let Some(client) = self.clients.at(who) else { return };
        match (token as u32) >> QUEUE {
            0 if !client.wake(flags.intersects(EventFlags::HUP | EventFlags::ERR)) => {
                return self.drop_client(who.0, desk);
            }
            0 => {}
            queue => client.kick(queue as usize - 1),
        }
        self.queue(who.0);
    }

    #[inline]
    fn queued(&self) -> usize {
        self.clients.queued(Queue::Work)
    }

    fn turn(&mut self, desk: &mut Desk) -> usize {
        let Some(index) = self.clients.next(Queue::Work) else { return 0 };
        let Some(export) = self.clients.get(index).map(|(_, client)| client.export) else { return 0 };
        let held = self.is_held(export);
        let Some((_, client)) = self.clients.get(index) else { return 0 };
        let turn = match client.turn(held, &mut self.pending, desk) {
            Ok(turn) => turn,
            Err(error) => {
                self.settle(index, Err(error), desk);
                return 0;
            }
        };
        if turn.over {
            self.drop_client(index, desk);
            return 0;
        }
        if client.has_output() {
            self.clients.queue(Queue::Output, index);
        }
        if let Some(kick) = turn.kick {
            let result = self.watch_kick(index, kick, desk);
            self.settle(index, result, desk);
        }
        self.queue(index);
        turn.requests
    }

    #[inline]
    fn complete(&mut self, done: Done, desk: &mut Desk) {
        let Some(pending) = self.pending.take(done.cookie) else { return };
        let mut room = std::mem::take(&mut self.room);
        let Some(client) = self.clients.at((pending.client, pending.generation)) else {
            self.room = room;
            return self.bury(done.export);
        };
        let result = client.complete(&done, &pending, &mut room, desk);
        self.room = room;
        match result {
            Ok(()) => self.clients.queue(Queue::Output, pending.client),
            Err(error) => self.settle(pending.client, Err(error), desk),
        }
    }

    fn flush(&mut self, desk: &mut Desk) {
        for _ in 0..self.clients.queued(Queue::Output) {
            let Some(index) = self.clients.next(Queue::Output) else { break };
            let Some((_, client)) = self.clients.get(index) else { continue };
            let result = client.flush(desk);
            if let Some(short) = client.ran_short() {
                desk.notice(Notice::ShortOfMemory { export: client.name().into(), why: short.to_string() });
            }
            self.settle(index, result, desk);
            self.queue(index);
        }
    }

    fn changed(&mut self, command: &Command, desk: &mut Desk) {
        self.cut(command, desk);
        if matches!(command, Command::Crash { .. }) {
            self.pending.drain();
            self.orphans.fill(0);
        }
        self.refresh(desk);
    }

    fn refresh(&mut self, desk: &mut Desk) {
        for client in self.clients.iter_mut() {
            if let Some(export) = desk.engine.exports().get(usize::from(client.export.0)) {
                client.resize(export.size);
            }
        }
    }

    fn deadline(&self) -> Option<HostTime> {
        self.doors.deadline()
    }

    fn tick(&mut self, now: HostTime, desk: &mut Desk) {
        self.doors.tick(now, desk);
    }

    fn stop(&mut self, desk: &mut Desk) {
        self.doors.close(desk);
        self.stopping = true;
    }

    fn is_idle(&self) -> bool {
        self.pending.len() == 0
    }

    /// What is still under way is not answered: its client does it again with the next server.
    fn give_up(&mut self, _now: Instant, desk: &mut Desk) {
        self.pending.drain();
        self.flush(desk);
    }

    fn clients(&self) -> usize {
        self.clients.len()
    }

    fn clients_ever(&self) -> u64 {
        self.clients.ever()
    }
}

fn token(way: Way, (index, generation): Who, queue: u32) -> u64 {
    way.mark(u64::from(generation) << 32 | u64::from(queue) << QUEUE | u64::from(index))
}

fn facts(export: &Export) -> Facts {
    Facts {
        name: export.name.clone(),
        size: export.size,
        read_only: export.read_only,
        preferred_block: export.preferred_block,
    }
}
