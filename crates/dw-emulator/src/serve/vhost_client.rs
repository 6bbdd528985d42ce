//! One vhost-user client: messages to changes of its device, queues to requests, finished requests to answers in its memory.
//!
//! ```text
//!  socket ─▶ link ─▶ device            kick ─▶ queue ─▶ desk            answer ─▶ guest memory ─▶ call
//! ```
//!
//! A queue is emptied in turns of a bounded number of requests; only then its driver is asked to wake us again. Drivers are woken
//! for a few answers at a time, and more of them the longer a round of the loop is, as NBD's replies are sent
//! ([`super::connection`]).
//!
//! Invariant: with [`PAYLOAD_MAX`] bytes of writes under way nothing more is taken from its queues.

use std::io;
use std::os::fd::OwnedFd;

use super::answers::{Answers, Shift};
use super::clients::Who;
use super::desk::Desk;
use super::pending::PendingTable;
use super::vhost_link::{Link, Received};
use crate::engine::{Done, ExportId, IoOp, IoRequest};
use crate::pace::HostTime;
use crate::vhost_user::block::{self, Ask, Status};
use crate::vhost_user::device::{AnswerTo, Facts};
use crate::vhost_user::{Device, Fault, Outcome, Popped};

/// Bytes of write payload under way at which no request is taken.
const PAYLOAD_MAX: u64 = 64 << 20;
const TURN_REQUESTS: usize = 32;
/// Payload of one turn.
const TURN_BYTES: u64 = 256 << 10;
/// Answers for which a driver is woken at once.
const BATCH_ANSWERS: usize = 8;
/// How much more they may become.
const BATCH_GROWTH: usize = 8;

/// A request under way.
#[derive(Debug)]
pub struct Pending {
    /// The client's place.
    pub client: u32,
    /// Who sits there: places are used again.
    pub generation: u32,
    /// How long the host took for its bytes so far, ns, if that is watched.
    host_ns: u64,
    shift: Shift,
    to: AnswerTo,
}

#[derive(Debug)]
pub struct Client {
    /// Its socket.
    pub link: Link,
    /// What it uses.
    pub export: ExportId,
    /// Descriptors that say when to look, by queue.
    pub kicks: Vec<Option<OwnedFd>>,
    place: Who,
    device: Device,
    readable: bool,
    /// Queues to look at, a bit each.
    kicked: u64,
    /// Queues that stand still because too much is under way.
    stalled: u64,
    /// Whose turn was last.
    last: u32,
    /// It wants to know when this queue has come to rest, by the message of this number.
    waits_for: Option<(u32, usize)>,
    /// Requests under way.
    pub in_flight: u64,
    payload: u64,
    /// Those of which the driver does not know.
    answers: Answers,
    /// Their queues.
    unheard: u64,
    growth: usize,
}

/// A change of what wakes us.
pub type NewKick = (usize, Option<OwnedFd>);

/// What a turn came to.
#[derive(Debug, Default)]
pub struct Turn {
    /// Requests that were ready.
    pub requests: usize,
    /// A queue is woken by something else now.
    pub kick: Option<NewKick>,
    /// The client is gone.
    pub over: bool,
}

impl Client {
    /// A new client of this export.
    pub fn new(link: Link, place: Who, export: ExportId, facts: Facts) -> Client {
        Client {
            link,
            export,
            kicks: Vec::new(),
            place,
            device: Device::new(facts),
            readable: false,
            kicked: 0,
            stalled: 0,
            last: 0,
            waits_for: None,
            in_flight: 0,
            payload: 0,
            answers: Answers::default(),
            unheard: 0,
            growth: 1,
        }
    }

    /// Its disk's name.
    pub fn name(&self) -> &str {
        &self.device.facts().name
    }

    /// The socket says that there is something. False = the client is gone and need not be read.
    pub fn wake(&mut self, gone: bool) -> bool {
        self.readable = true;
        !(gone && self.waits_for.is_some())
    }

    /// A queue's driver says that there is something.
    pub fn kick(&mut self, queue: usize) {
        self.kicked |= 1u64.checked_shl(queue as u32).unwrap_or(0);
    }

    /// Whether there is something to do.
    pub fn has_work(&self, held: bool) -> bool {
        (self.readable && self.waits_for.is_none()) || (!held && self.kicked != 0)
    }

    /// Whether drivers have to be woken.
    pub fn has_output(&self) -> bool {
        self.unheard != 0
    }

    /// Why its requests fail for lack of space in its memory, when that has just begun.
    pub fn ran_short(&mut self) -> Option<Fault> {
        self.device.ran_short()
    }

    /// The disk has this size now.
    pub fn resize(&mut self, size: u64) {
        self.device.resize(size);
    }

    /// One turn: a message, and some requests of one queue unless they are `held`.
    pub fn turn(&mut self, held: bool, pending: &mut PendingTable<Pending>, desk: &mut Desk) -> io::Result<Turn> {
        let mut turn = Turn::default();
        if self.readable && self.waits_for.is_none() {
            match self.link.receive()? {
                Received::Nothing => self.readable = false,
                Received::End => turn.over = true,
                Received::Message(header, payload, files) => {
                    let outcome = self.device.handle(header, &payload, files);
                    if outcome.is_err() && header.need_reply {
                        // It is told that it failed before it is sent away.
                        let _ = self.link.send(&crate::vhost_user::message::reply_number(header.request, 1), None);
                    }
                    turn.kick = self.changed(header.request, outcome?)?;
                }
            }
        }
        if !held && let Some(queue) = self.next_queue() {
            turn.requests = self.take(queue, pending, desk)?;
        }
        Ok(turn)
    }

    fn changed(&mut self, request: u32, outcome: Outcome) -> io::Result<Option<NewKick>> {
        if let Some((bytes, file)) = &outcome.reply {
            self.link.send(bytes, file.as_ref())?;
        }
        if let Some(queue) = outcome.begun {
            self.kick(queue);
        }
        self.waits_for = outcome.waits_for.map(|queue| (request, queue));
        Ok(outcome.kick)
    }

    /// The queue whose turn it is, one after the other.
    fn next_queue(&mut self) -> Option<usize> {
        if self.kicked == 0 {
            return None;
        }
        let behind = self.kicked.rotate_right(self.last + 1);
        self.last = (self.last + 1 + behind.trailing_zeros()) % u64::BITS;
        Some(self.last as usize)
    }

    /// Takes requests from a queue until it is empty or the turn is over.
    fn take(&mut self, queue: usize, pending: &mut PendingTable<Pending>, desk: &mut Desk) -> io::Result<usize> {
        let came = HostTime::now();
        let (mut requests, mut bytes) = (0, 0);
        while requests < TURN_REQUESTS && bytes < TURN_BYTES {
            if self.payload >= PAYLOAD_MAX {
                self.stalled |= 1 << queue;
                self.kicked &= !(1 << queue);
                break;
            }
            match self.device.next(queue)? {
                Some(popped) => {
                    requests += 1;
                    bytes += popped.data.len() as u64;
                    self.submit(popped, came, pending, desk)?;
                }
                None => {
                    if !self.device.wait(queue)? {
                        self.kicked &= !(1 << queue);
                        break;
                    }
                }
            }
        }
        Ok(requests)
    }

    fn submit(
        &mut self,
        popped: Popped,
        came: HostTime,
        pending: &mut PendingTable<Pending>,
        desk: &mut Desk,
    ) -> io::Result<()> {
        let Popped { ask, data, answer_to } = popped;
        let (op, offset, len) = match ask {
            Ask::Read { offset, len } => (IoOp::Read, offset, len),
            Ask::Write { offset, len } => (IoOp::Write, offset, len),
            Ask::Flush => (IoOp::Flush, 0, 0),
            Ask::Discard { offset, len } => (IoOp::Trim, offset, len),
            Ask::Zero { offset, len, unmap } => (IoOp::Zero { punch: unmap }, offset, len),
            Ask::GetId => {
                let id = block::id(self.name());
                return self.answer(&answer_to, Status::Ok, &id);
            }
            Ask::Refused(status) => return self.answer(&answer_to, status, &[]),
        };
        self.in_flight += 1;
        self.payload += data.len() as u64;
        let (client, generation) = self.place;
        let arrival = self.answers.arrival(came, desk);
        let cookie = pending.insert(Pending { client, generation, host_ns: 0, shift: arrival.shift, to: answer_to });
        let request = IoRequest { export: self.export, op, fua: false, offset, len, data, cookie };
        let host_ns = desk.submit(arrival.at, request);
        if let Some(pending) = pending.get_mut(cookie).filter(|_| host_ns > 0) {
            pending.host_ns = host_ns;
        }
        Ok(())
    }

    fn answer(&mut self, to: &AnswerTo, status: Status, bytes: &[u8]) -> io::Result<()> {
        self.unheard |= 1 << to.queue();
        Ok(self.device.answer(to, status, bytes)?)
    }

    /// A request of this client is done; `room` is for its bytes.
    pub fn complete(&mut self, done: &Done, pending: &Pending, room: &mut Vec<u8>, desk: &mut Desk) -> io::Result<()> {
        self.in_flight -= 1;
        if done.op == IoOp::Write {
            self.payload -= done.len;
        }
        let (mut result, mut host_ns) = (done.result, pending.host_ns);
        let len = if done.op == IoOp::Read && result.is_ok() { done.len as usize } else { 0 };
        if len > 0 {
            if room.len() < len {
                room.resize(len, 0);
            }
            let read = desk.timed(|desk| desk.engine.read(done.export, done.offset, &mut room[..len]));
            result = read.0;
            host_ns += read.1;
        }
        match result {
            Ok(()) => self.answer(&pending.to, Status::Ok, &room[..len])?,
            Err(_) => self.answer(&pending.to, Status::IoError, &[])?,
        }
        let latency = done.due.since(done.submitted);
        desk.lateness.host_slower(u64::from(host_ns > latency.ns()));
        self.answers.push(done, pending.shift, None);
        if self.answers.len() >= BATCH_ANSWERS * self.growth {
            self.tell(desk)?;
            self.growth = (self.growth * 2).min(BATCH_GROWTH);
        }
        self.rest()
    }

    /// Whoever waits for a queue to come to rest is told when it has.
    fn rest(&mut self) -> io::Result<()> {
        if let Some((request, queue)) = self.waits_for
            && let Some(reply) = self.device.rest(request, queue)
        {
            self.waits_for = None;
            self.link.send(&reply, None)?;
        }
        Ok(())
    }

    /// The round is over: wakes the drivers of queues with answers. What stood still may go on.
    pub fn flush(&mut self, desk: &mut Desk) -> io::Result<()> {
        self.growth = 1;
        if self.payload < PAYLOAD_MAX {
            self.kicked |= std::mem::take(&mut self.stalled);
        }
        self.tell(desk)
    }

    fn tell(&mut self, desk: &mut Desk) -> io::Result<()> {
        let mut unheard = std::mem::take(&mut self.unheard);
        while unheard != 0 {
            self.device.wake(unheard.trailing_zeros() as usize)?;
            unheard &= unheard - 1;
        }
        self.answers.given(desk);
        Ok(())
    }
}
