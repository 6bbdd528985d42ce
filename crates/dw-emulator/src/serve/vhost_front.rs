//! vhost-user-blk as a way in: listeners, each for one export, and their clients.
//!
//! A client that goes away leaves its requests to the engine. One that comes back does again what was not answered, so nothing is
//! taken from the queues of an export while requests of a client that left it are under way: an old write must not land on a newer
//! one.
//!
//! Invariant: a client is in the queue and in the list of those to wake at most once each; what wakes us for a queue is watched
//! exactly as long as the client has it.

use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;

use dw_units::{Duration, Instant};
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::io::Errno;
use rustix::net::{SocketFlags, accept_with};

use super::desk::Desk;
use super::front_end::FrontEnd;
use super::front_ends::Way;
use super::listen::Listener;
use super::nbd_front::belongs_to;
use super::notice::Notice;
use super::pending::PendingTable;
use super::vhost_client::{Client, NewKick, Pending};
use super::vhost_link::Link;
use crate::command::Command;
use crate::engine::{Done, Export, ExportId};
use crate::pace::HostTime;
use crate::vhost_user::QUEUES_MAX;
use crate::vhost_user::device::Facts;

/// How long nobody is let in after the system had no descriptor left.
const ACCEPT_PAUSE: Duration = Duration::from_ms(100);
/// Marks the tokens of listeners; clients have their generation there.
const LISTENER: u64 = 1 << 59;
/// Generations fit below that mark.
const GENERATIONS: u32 = (1 << 27) - 1;
/// Where a token says which queue's driver it is, counted from 1; 0 is the socket.
const QUEUE: u32 = 24;
const PLACES: u32 = (1 << QUEUE) - 1;
const _: () = assert!(QUEUES_MAX < 1 << (32 - QUEUE));

/// All clients of all listeners.
pub(crate) struct VhostFront {
    way: Way,
    listeners: Vec<(Listener, ExportId)>,
    places: Vec<Place>,
    free: Vec<u32>,
    queue: VecDeque<u32>,
    output: Vec<u32>,
    pending: PendingTable<Pending>,
    /// Requests under way of clients that are gone, by export.
    orphans: Vec<u64>,
    /// For the bytes of a read.
    room: Vec<u8>,
    accept_again: Option<HostTime>,
    stopping: bool,
    most: usize,
    ever: u64,
}

#[derive(Debug, Default)]
struct Place {
    generation: u32,
    client: Option<Box<Client>>,
}

impl VhostFront {
    /// Begins to listen.
    pub(crate) fn new(
        way: Way,
        listeners: Vec<(Listener, ExportId)>,
        most: usize,
        desk: &Desk,
    ) -> io::Result<VhostFront> {
        for ((listener, _), token) in listeners.iter().zip(LISTENER..) {
            epoll::add(&desk.epoll, listener, EventData::new_u64(way.mark(token)), EventFlags::IN)?;
        }
        Ok(VhostFront {
            way,
            listeners,
            places: Vec::new(),
            free: Vec::new(),
            queue: VecDeque::new(),
            output: Vec::new(),
            pending: PendingTable::new(way),
            orphans: vec![0; desk.engine.exports().len()],
            room: Vec::new(),
            accept_again: None,
            stopping: false,
            most: most.min(PLACES as usize),
            ever: 0,
        })
    }

    fn accept(&mut self, number: usize, desk: &mut Desk) {
        let Some((listener, export)) = self.listeners.get(number) else { return };
        let export = *export;
        match accept_with(listener, SocketFlags::NONBLOCK | SocketFlags::CLOEXEC) {
            Ok(socket) if self.clients() < self.most => {
                // A disk that was taken away is nobody's; its guest tries again until it is back.
                let there = desk.engine.exports().get(usize::from(export.0)).filter(|export| !export.detached);
                if let Some(facts) = there.map(facts)
                    && let Err(error) = self.welcome(socket, export, facts, desk)
                {
                    desk.notice(Notice::NotAccepted { why: error.to_string() });
                }
            }
            Ok(_) => desk.notice(Notice::TooManyClients { most: self.most }),
            Err(Errno::AGAIN | Errno::INTR | Errno::CONNABORTED) => {}
            Err(error) => {
                desk.notice(Notice::NotAccepted { why: error.to_string() });
                self.watch_listeners(desk, EventFlags::empty());
                self.accept_again = Some(HostTime::now() + ACCEPT_PAUSE);
            }
        }
    }

    fn watch_listeners(&self, desk: &Desk, flags: EventFlags) {
        for ((listener, _), token) in self.listeners.iter().zip(LISTENER..) {
            let _ = epoll::modify(&desk.epoll, listener, EventData::new_u64(self.way.mark(token)), flags);
        }
    }

    pub(super) fn welcome(&mut self, socket: OwnedFd, export: ExportId, facts: Facts, desk: &Desk) -> io::Result<()> {
        let index = self.free.pop().unwrap_or_else(|| {
            self.places.push(Place::default());
            (self.places.len() - 1) as u32
        });
        let place = &mut self.places[index as usize];
        place.generation = (place.generation + 1) & GENERATIONS;
        let who = (index, place.generation);
        let mut client = Box::new(Client::new(Link::new(socket), who, export, facts));
        client.kicks.resize_with(QUEUES_MAX, || None);
        let flags = EventFlags::IN | EventFlags::ET;
        if let Err(error) = epoll::add(&desk.epoll, &client.link, EventData::new_u64(token(self.way, who, 0)), flags) {
            self.free.push(index);
            return Err(error.into());
        }
        place.client = Some(client);
        self.ever += 1;
        Ok(())
    }

    fn at(&mut self, (index, generation): (u32, u32)) -> Option<&mut Client> {
        let place = self.places.get_mut(index as usize)?;
        if place.generation == generation { place.client.as_deref_mut() } else { None }
    }

    /// Puts a client into the queue, if it has something to do.
    fn queue(&mut self, index: u32) {
        let Some(client) = &mut self.places[index as usize].client else { return };
        let held = self.stopping || self.orphans[usize::from(client.export.0)] > 0;
        if client.has_work(held) && !std::mem::replace(&mut client.queued, true) {
            self.queue.push_back(index);
        }
    }

    /// Puts a client into the list of those to wake.
    fn list(&mut self, index: u32) {
        if let Some(client) = &mut self.places[index as usize].client
            && !std::mem::replace(&mut client.listed, true)
        {
            self.output.push(index);
        }
    }

    fn drop_client(&mut self, index: u32, desk: &mut Desk) {
        let place = &mut self.places[index as usize];
        let Some(client) = place.client.take() else { return };
        // The client has the same files, so closing ours is not enough.
        let _ = epoll::delete(&desk.epoll, &client.link);
        for kick in client.kicks.iter().flatten() {
            let _ = epoll::delete(&desk.epoll, kick);
        }
        self.orphans[usize::from(client.export.0)] += client.in_flight;
        place.generation = (place.generation + 1) & GENERATIONS;
        self.free.push(index);
    }

    /// Whatever a client did that cannot be gone on with ends it.
    fn settle(&mut self, index: u32, result: io::Result<()>, desk: &mut Desk) {
        let Err(error) = result else { return };
        if let Some(client) = &self.places[index as usize].client
            && !matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset)
        {
            desk.notice(Notice::Dropped { why: format!("vhost-user client of `{}`: {error}", client.name()) });
        }
        self.drop_client(index, desk);
    }

    /// A queue is woken by another descriptor from now on.
    fn watch_kick(&mut self, index: u32, (queue, kick): NewKick, desk: &Desk) -> io::Result<()> {
        let place = &mut self.places[index as usize];
        let Some(client) = &mut place.client else { return Ok(()) };
        if let Some(old) = client.kicks[queue].take() {
            let _ = epoll::delete(&desk.epoll, &old);
        }
        if let Some(kick) = kick {
            let token = token(self.way, (index, place.generation), queue as u32 + 1);
            // It is never read: each time that it is written to, it is an event.
            let flags = EventFlags::IN | EventFlags::ET;
            epoll::add(&desk.epoll, &kick, EventData::new_u64(token), flags)
                .map_err(|why| io::Error::other(format!("what is to wake us cannot be waited for: {why}")))?;
            client.kicks[queue] = Some(kick);
        }
        Ok(())
    }

    /// A request of a client that is gone is done.
    fn bury(&mut self, export: ExportId) {
        let orphans = &mut self.orphans[usize::from(export.0)];
        *orphans = orphans.saturating_sub(1);
        if *orphans == 0 {
            (0..self.places.len() as u32).for_each(|index| self.queue(index));
        }
    }

    /// Closes the connections of exports of which `is` says so.
    fn cut(&mut self, desk: &mut Desk, is: impl Fn(&Export) -> bool) {
        for index in 0..self.places.len() as u32 {
            let export = self.places[index as usize].client.as_ref().map(|client| usize::from(client.export.0));
            if export.and_then(|at| desk.engine.exports().get(at)).is_some_and(&is) {
                self.drop_client(index, desk);
            }
        }
    }
}

impl FrontEnd for VhostFront {
    fn ready(&mut self, token: u64, flags: EventFlags, desk: &mut Desk) {
        let token = Way::own(token);
        if token & LISTENER != 0 {
            return self.accept((token & !LISTENER) as usize, desk);
        }
        let who = (token as u32 & PLACES, (token >> 32) as u32);
        let Some(client) = self.at(who) else { return };
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
        self.queue.len()
    }

    fn turn(&mut self, desk: &mut Desk) -> usize {
        let Some(index) = self.queue.pop_front() else { return 0 };
        let Some(client) = &mut self.places[index as usize].client else { return 0 };
        client.queued = false;
        let held = self.stopping || self.orphans[usize::from(client.export.0)] > 0;
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
            self.list(index);
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
        let Some(client) = self.at((pending.client, pending.generation)) else {
            self.room = room;
            return self.bury(done.export);
        };
        let result = client.complete(&done, &pending, &mut room, desk);
        self.room = room;
        match result {
            Ok(()) => self.list(pending.client),
            Err(error) => self.settle(pending.client, Err(error), desk),
        }
    }

    fn flush(&mut self, desk: &mut Desk) {
        for at in 0..self.output.len() {
            let index = self.output[at];
            let Some(client) = &mut self.places[index as usize].client else { continue };
            client.listed = false;
            let result = client.flush(desk);
            self.settle(index, result, desk);
            self.queue(index);
        }
        self.output.clear();
    }

    fn changed(&mut self, command: &Command, desk: &mut Desk) {
        match command {
            // What was under way is gone with the VM.
            Command::Crash { .. } | Command::Reboot => {
                self.cut(desk, |_| true);
                if matches!(command, Command::Crash { .. }) {
                    self.pending.drain();
                    self.orphans.fill(0);
                }
            }
            Command::Detach { volume } | Command::Cache { volume, .. } => {
                self.cut(desk, |export| belongs_to(&export.name, volume));
            }
            _ => self.cut(desk, |export| export.detached),
        }
        self.refresh(desk);
    }

    fn refresh(&mut self, desk: &mut Desk) {
        for place in &mut self.places {
            if let Some(client) = &mut place.client
                && let Some(export) = desk.engine.exports().get(usize::from(client.export.0))
            {
                client.resize(export.size);
            }
        }
    }

    fn deadline(&self) -> Option<HostTime> {
        self.accept_again
    }

    fn tick(&mut self, now: HostTime, desk: &mut Desk) {
        if self.accept_again.is_some_and(|at| at <= now) {
            self.accept_again = None;
            self.watch_listeners(desk, EventFlags::IN);
        }
    }

    fn stop(&mut self, desk: &mut Desk) {
        for (listener, _) in self.listeners.drain(..) {
            let _ = epoll::delete(&desk.epoll, &listener);
        }
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
        self.places.len() - self.free.len()
    }

    fn clients_ever(&self) -> u64 {
        self.ever
    }
}

fn token(way: Way, (index, generation): (u32, u32), queue: u32) -> u64 {
    way.mark(u64::from(generation) << 32 | u64::from(queue) << QUEUE | u64::from(index))
}

pub(super) fn facts(export: &Export) -> Facts {
    Facts {
        name: export.name.clone(),
        size: export.size,
        read_only: export.read_only,
        preferred_block: export.preferred_block,
    }
}
