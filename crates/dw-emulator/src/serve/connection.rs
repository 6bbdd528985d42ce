//! One client: bytes to requests, finished requests to bytes.
//!
//! ```text
//!  socket ─▶ inbox ─▶ handshake, then requests ─▶ desk        answer ─▶ outbox ─▶ socket
//!                      large payloads past the inbox            │ outbox full, or large: waiting, without its data
//! ```
//!
//! Arrival is stamped once for everything that a read brought, before it is parsed; a request that follows at once on a late reply
//! is dated back by as much as that was late ([`crate::pace::Turnaround`]). Replies go out in small batches, so
//! that the client can begin with the first ones while the next are made; when one batch follows on another the client is
//! saturated anyhow, and batches grow.
//!
//! Source: batches of 8 replies instead of unlimited ones took the median at depth 64 and 1 ms from 1,139 to 1,028 µs.
//!
//! A client that does not take its replies is behind with its work, and what it sends meanwhile can wait in the socket: reading it
//! would wake the server for every single request, to answer none of them. That goes for disks without a latency to speak of;
//! where there is one, an arrival that is seen late would be a completion that is late. And only a client that still takes nothing after
//! [`UNREAD_MAX`] is read again, because it may be one that sends everything before it looks for replies.
//!
//! The data of a read are made in pieces, the next one when the socket has taken the last: what a client does not take is not there, and
//! nobody waits while 32 MiB are copied for somebody else. A piece is what the disk has when it is made, which a client cannot tell from
//! a write that ran beside its read.
//!
//! Invariant: memory of a connection is bounded by its caps: at [`REQUESTS_MAX`] requests or [`PAYLOAD_MAX`] bytes of writes
//! under way, or with as much unsent as its share of all [`Replies`], or without room among all [`Payloads`], its socket is not read. Nothing comes between the header of a
//! chunk and its data.

use std::collections::VecDeque;
use std::io;

use dw_units::Duration;
use rustix::event::epoll::EventFlags;

use super::answers::{Answers, hold};
use super::clients::Who;
use super::desk::Desk;
use super::inbox::{Inbox, Received};
use super::outbox::Outbox;
use super::payloads::Payloads;
use super::pending::{Pending, PendingTable};
use super::replies::{PIECE, Replies};
use super::stream::Stream;
use super::tls::Tls;
use crate::engine::{Done, ExportId, IoError, IoOp, IoRequest};
use crate::nbd::reply::MAX_EXTENTS;
use crate::nbd::{
    Chunk, Command, Errno, ExportInfo, ExportList, Handshake, Header, Parsed, ReplyTo, StatusExtent, Step, Style,
    Terms, TlsMode, in_pieces, plan_read, request,
};
use crate::pace::HostTime;

/// Requests under way at which a client is not read any more.
pub const REQUESTS_MAX: usize = 1_024;
/// Bytes of write payload under way at which it is not.
pub const PAYLOAD_MAX: u64 = 64 << 20;
/// How long a client that takes nothing is not read.
pub const UNREAD_MAX: Duration = Duration::from_us(500);
/// A latency from which on the instant of an arrival matters.
const PACED: Duration = Duration::from_us(100);
const TURN_REQUESTS: usize = 32;
/// Payload of one turn.
const TURN_BYTES: usize = 256 << 10;
/// Payloads up to this wait in the inbox until they are complete; larger ones are read straight to where they stay.
const SMALL_PAYLOAD: usize = 16 << 10;
/// Bytes read into the inbox at once while large writes come one after the other: their headers, and little that has to be
/// copied to the payload's own place.
const LARGE_BITE: usize = 4 << 10;
/// Reads from this length on want a socket that holds more.
const LARGE_READ: u64 = 64 << 10;
const BATCH_REPLIES: usize = 8;
const BATCH_BYTES: usize = 32 << 10;
/// How much larger a batch may become.
const BATCH_GROWTH: usize = 8;
/// Reads from this length on are searched for holes.
const LOOK_FOR_HOLES: u64 = 32 << 10;
/// Bytes of an extent in a reply, at most.
const EXTENT: usize = 16;
/// What QEMU's own client has in flight at most (`MAX_NBD_REQUESTS`).
const QEMU_DEPTH: usize = 16;
/// Requests after which a client's depth says something.
const DEPTH_ENOUGH: u64 = 20_000;

/// What all connections share.
#[derive(Debug)]
pub struct Shared {
    pub exports: Vec<ExportInfo>,
    pub default: Option<usize>,
    pub pending: PendingTable<Pending>,
    pub replies: Replies,
    pub payloads: Payloads,
    pub tls: Option<Tls>,
    /// The server is ending: nothing new is begun.
    pub stopping: bool,
}

impl Shared {
    fn list(&self) -> ExportList<'_> {
        ExportList { exports: &self.exports, default: self.default }
    }
    pub fn tls_mode(&self) -> TlsMode {
        match &self.tls {
            None => TlsMode::Off,
            Some(tls) if tls.required => TlsMode::Required,
            Some(_) => TlsMode::Optional,
        }
    }
}

/// A client.
#[derive(Debug)]
pub struct Connection {
    stream: Stream,
    phase: Phase,
    /// Its place among the connections, and which use of that place it is.
    place: Who,
    inbox: Inbox,
    /// Most bytes to read into it at once.
    bite: usize,
    /// The socket may hold large replies.
    wide: bool,
    /// When the bytes in the inbox came.
    came: HostTime,
    /// The socket may have something to read.
    readable: bool,
    /// It stopped in the middle of its input because too much was under way.
    stalled: bool,
    incoming: Option<Incoming>,
    /// Payload bytes still to come that nobody wants.
    discard: usize,
    outbox: Outbox,
    scratch: Vec<u8>,
    /// Those whose replies are in the outbox.
    answers: Answers,
    /// Finished, but without room for their data, or large; with how late they were when they began to wait for the client, if they
    /// do.
    waiting: VecDeque<(Done, Pending, Option<Duration>)>,
    /// The read whose data are being made.
    making: Option<Making>,
    /// Replies that came meanwhile, of requests that never were with the engine.
    aside: Vec<u8>,
    /// What of [`Connection::unsent`] is counted among all replies.
    counted: usize,
    /// The socket takes nothing.
    blocked: bool,
    /// It has taken nothing for so long that it is read all the same.
    read_blocked: bool,
    /// What it was answered last had a latency to speak of.
    paced: bool,
    /// How much batches have grown in this round.
    growth: usize,
    in_flight: usize,
    /// Bytes of writes that the engine has, or that have room while they come.
    payload: u64,
    /// What room there is for the next write.
    room: Room,
    /// Since when a payload has been on its way.
    coming: Option<HostTime>,
    /// No more requests are read; what is under way is finished.
    ending: bool,
    interest: EventFlags,
    depth_max: usize,
    requests: u64,
    unbound: u64,
    /// In the list of those that take no replies.
    pub timed: bool,
    depth_told: bool,
}

#[derive(Debug)]
enum Phase {
    Handshake(Handshake),
    Transmission(Terms),
}

/// Room for the payload of the next write ([`Payloads`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Room {
    /// It has yet to be asked for.
    Unasked,
    /// There was none.
    Waiting,
    /// So many bytes have waited for theirs, and have it.
    Given(u64),
}

/// A write whose payload is still coming.
#[derive(Debug)]
struct Incoming {
    header: Header,
    fua: bool,
    data: Vec<u8>,
    came: HostTime,
}

/// A read whose data are made in pieces.
#[derive(Debug)]
struct Making {
    done: Done,
    pending: Pending,
    /// How late it was when it began to wait for the client, if it does.
    late: Option<Duration>,
    /// What comes behind the chunk under way.
    chunks: VecDeque<Chunk>,
    /// Of that chunk, where the data go on, and how many are still to come.
    at: u64,
    left: u32,
    /// How long the host took for its bytes so far, ns, if that is watched.
    host_ns: u64,
}

/// What a turn came to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turn {
    /// Requests that were ready.
    pub requests: usize,
    /// There is more to do at once.
    pub more: bool,
}

/// What a step came to.
enum Progress {
    /// Something was done, about this many bytes of it.
    Done(usize),
    /// More bytes have to come first.
    Starved,
}

impl Connection {
    /// A new client, with the greeting on its way.
    pub fn new(stream: Stream, place: Who, tls: TlsMode, now: HostTime) -> Connection {
        let mut scratch = Vec::with_capacity(256);
        let handshake = Handshake::new(tls, &mut scratch);
        let mut outbox = Outbox::default();
        outbox.push(&scratch);
        Connection {
            stream,
            phase: Phase::Handshake(handshake),
            place,
            inbox: Inbox::new(),
            bite: usize::MAX,
            wide: false,
            came: now,
            readable: false,
            stalled: false,
            incoming: None,
            discard: 0,
            outbox,
            scratch,
            answers: Answers::default(),
            waiting: VecDeque::new(),
            making: None,
            aside: Vec::new(),
            counted: 0,
            blocked: false,
            read_blocked: false,
            paced: false,
            growth: 1,
            in_flight: 0,
            payload: 0,
            room: Room::Unasked,
            coming: None,
            ending: false,
            interest: EventFlags::empty(),
            depth_max: 0,
            requests: 0,
            unbound: 0,
            timed: false,
            depth_told: false,
        }
    }

    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// Whether options are still being haggled over.
    pub fn in_handshake(&self) -> bool {
        matches!(self.phase, Phase::Handshake(_))
    }

    /// What it uses, once that is agreed.
    pub fn export(&self) -> Option<usize> {
        match &self.phase {
            Phase::Transmission(terms) => Some(terms.export),
            Phase::Handshake(_) => None,
        }
    }

    /// No new options; requests are refused by [`Shared::stopping`].
    pub fn stop(&mut self) {
        if let Phase::Handshake(handshake) = &mut self.phase {
            handshake.stop();
        }
    }

    /// The socket says what is possible now. False = the other side is gone and nothing can be read either.
    pub fn wake(&mut self, flags: EventFlags) -> bool {
        if flags.contains(EventFlags::OUT) {
            self.unblock();
        }
        let gone = flags.intersects(EventFlags::HUP | EventFlags::ERR);
        if gone && !self.interest.contains(EventFlags::IN) {
            return false;
        }
        self.readable |= gone || flags.contains(EventFlags::IN);
        true
    }

    /// What the socket should wake us for, if that has changed.
    pub fn new_interest(&mut self, replies: &Replies) -> Option<EventFlags> {
        let mut interest = EventFlags::empty();
        if !self.ending && !self.is_full(replies) && !self.is_unread() {
            interest |= EventFlags::IN;
        }
        if self.blocked {
            interest |= EventFlags::OUT;
        }
        (interest != self.interest).then(|| {
            self.interest = interest;
            interest
        })
    }

    fn unblock(&mut self) {
        (self.blocked, self.read_blocked) = (false, false);
    }

    /// Whether it is not read because it takes nothing.
    pub fn is_unread(&self) -> bool {
        self.blocked && !self.read_blocked && !self.paced
    }

    /// It has taken nothing for [`UNREAD_MAX`].
    pub fn read_all_the_same(&mut self) {
        self.read_blocked = self.blocked;
        self.outbox.shrink();
    }

    /// Whether there is nothing left to do for a client that sends no more.
    pub fn is_over(&self) -> bool {
        self.ending && self.is_quiet()
    }

    /// Whether nothing of it is under way or unsent.
    pub fn is_quiet(&self) -> bool {
        self.in_flight == 0 && self.all_sent()
    }

    /// Whether there is input that it could go on with.
    pub fn holds_input(&self, replies: &Replies) -> bool {
        !self.ending && !self.is_full(replies) && (self.stalled || self.readable)
    }

    /// Whether there is something to send.
    pub fn has_output(&self) -> bool {
        !self.all_sent() && !self.blocked
    }

    /// Whether the socket has everything: an empty outbox is not enough, TLS may hold the last of it back.
    fn all_sent(&self) -> bool {
        self.outbox.is_empty() && !self.stream.holds_back()
    }

    /// Whether so much is under way or unsent that it is not read.
    pub fn is_full(&self, replies: &Replies) -> bool {
        self.in_flight >= REQUESTS_MAX
            || self.payload >= PAYLOAD_MAX
            || self.room == Room::Waiting
            || !replies.is_read(self.unsent())
    }

    /// Bytes of replies that it has yet to take.
    #[inline]
    pub fn unsent(&self) -> usize {
        self.outbox.len() + self.aside.len()
    }

    /// Whether there are replies to be made that it could take.
    #[inline]
    pub fn is_behind(&self) -> bool {
        !self.blocked && self.has_replies()
    }

    #[inline]
    fn has_replies(&self) -> bool {
        self.making.is_some() || !self.waiting.is_empty()
    }

    /// Counts what it has to take now.
    #[inline]
    pub fn count(&mut self, replies: &mut Replies) {
        let unsent = self.unsent();
        replies.count(std::mem::replace(&mut self.counted, unsent), unsent);
    }

    /// It is gone, and what it did not take with it.
    pub fn forget(&self, replies: &mut Replies, payloads: &mut Payloads) {
        replies.count(self.counted, 0);
        payloads.forget(self.place, self.payload);
        if self.wide {
            replies.narrow();
        }
    }

    /// The payload of its next write has waited for so many bytes of room, and has them.
    pub fn give_room(&mut self, len: u64, now: HostTime) {
        debug_assert_eq!(self.room, Room::Waiting);
        self.room = Room::Given(len);
        self.payload += len;
        self.coming = Some(now);
    }

    /// Bytes of writes under way.
    #[cfg(test)]
    pub fn payload(&self) -> u64 {
        self.payload
    }

    /// Whether its socket wakes us for what it sends.
    #[cfg(test)]
    pub fn is_watched(&self) -> bool {
        self.interest.contains(EventFlags::IN)
    }

    /// Whether a payload has been on its way since then.
    #[inline]
    pub fn is_coming(&self, since: HostTime) -> bool {
        self.coming == Some(since)
    }

    /// One turn: reads at most once, handles a bounded number of requests.
    pub fn turn(&mut self, shared: &mut Shared, desk: &mut Desk) -> io::Result<Turn> {
        let (mut requests, mut bytes, mut received) = (0, 0, false);
        self.stalled = false;
        while !self.ending && !self.is_full(&shared.replies) {
            match self.step(shared, desk)? {
                Progress::Done(len) => {
                    requests += 1;
                    bytes += len;
                    if requests >= TURN_REQUESTS || bytes >= TURN_BYTES {
                        return Ok(Turn { requests, more: true });
                    }
                }
                Progress::Starved if received || !self.readable => {
                    return Ok(Turn { requests, more: self.readable });
                }
                Progress::Starved => {
                    received = true;
                    bytes += self.receive()?;
                }
            }
        }
        self.stalled = !self.ending;
        Ok(Turn { requests, more: false })
    }

    /// Reads once; returns about how much.
    fn receive(&mut self) -> io::Result<usize> {
        let now = HostTime::now();
        if let Some(incoming) = &mut self.incoming {
            let missing = incoming.header.payload as usize - incoming.data.len();
            let got = self.stream.receive_into(&mut incoming.data, missing)?;
            match got {
                None => self.readable = false,
                Some(0) => self.end(),
                Some(_) => incoming.came = now,
            }
            return Ok(got.unwrap_or(0));
        }
        let before = self.inbox.bytes().len();
        self.came = now;
        match self.inbox.receive(&mut self.stream, self.bite)? {
            Received::Some => {}
            Received::Drained | Received::Nothing => self.readable = false,
            Received::End => self.end(),
        }
        Ok(self.inbox.bytes().len().saturating_sub(before) / 8)
    }

    /// The client sends no more.
    fn end(&mut self) {
        self.ending = true;
        self.readable = false;
    }

    fn step(&mut self, shared: &mut Shared, desk: &mut Desk) -> io::Result<Progress> {
        match self.phase {
            Phase::Handshake(_) => self.haggle(shared),
            Phase::Transmission(terms) => self.request(&terms, shared, desk),
        }
    }

    fn haggle(&mut self, shared: &mut Shared) -> io::Result<Progress> {
        let Phase::Handshake(handshake) = &mut self.phase else { return Ok(Progress::Starved) };
        self.scratch.clear();
        let (taken, step) = handshake.feed(self.inbox.bytes(), shared.list(), &mut self.scratch);
        self.inbox.take(taken);
        self.outbox.push(&self.scratch);
        match step {
            Step::More => return Ok(Progress::Starved),
            Step::Next => {}
            Step::StartTls => self.start_tls(shared)?,
            Step::Transmission(terms) => self.phase = Phase::Transmission(terms),
            Step::Close(crate::nbd::Closing::Aborted) => self.end(),
            Step::Close(why) => {
                self.outbox.send(&mut self.stream)?;
                return Err(io::Error::other(why));
            }
        }
        Ok(Progress::Done(taken))
    }

    fn start_tls(&mut self, shared: &Shared) -> io::Result<()> {
        if !self.inbox.bytes().is_empty() {
            // Whoever sends options in the clear before TLS begins may be somebody else.
            return Err(io::Error::other("bytes came before TLS began"));
        }
        // The acknowledgement is a few bytes on an idle socket.
        if !self.outbox.send(&mut self.stream)? {
            return Err(io::Error::other("the client does not read"));
        }
        let Some(tls) = &shared.tls else { return Err(io::Error::other("there is no TLS")) };
        let session = tls.session().map_err(io::Error::other)?;
        self.stream.secure(session);
        Ok(())
    }

    fn request(&mut self, terms: &Terms, shared: &mut Shared, desk: &mut Desk) -> io::Result<Progress> {
        if self.discard > 0 {
            let len = self.discard.min(self.inbox.bytes().len());
            self.inbox.take(len);
            self.discard -= len;
            return Ok(if len == 0 { Progress::Starved } else { Progress::Done(len) });
        }
        if let Some(incoming) = self.incoming.take_if(|i| i.data.len() == i.header.payload as usize) {
            let Incoming { header, fua, data, came } = incoming;
            self.coming = None;
            let len = data.len();
            self.submit(terms, &header, IoOp::Write, fua, data, came, shared, desk);
            return Ok(Progress::Done(len));
        }
        if self.incoming.is_some() {
            return Ok(Progress::Starved);
        }
        let header = match request::parse(terms, self.inbox.bytes()) {
            Parsed::Incomplete => return Ok(Progress::Starved),
            Parsed::HangUp(why) => return Err(io::Error::other(why)),
            Parsed::Request(header) => header,
        };
        let head = request::header_len(terms.style);
        let payload = header.payload as usize;
        self.bite = if payload > SMALL_PAYLOAD { LARGE_BITE } else { usize::MAX };
        if let Ok(Command::Write { fua }) = header.command {
            return Ok(self.write(terms, header, head, fua, shared, desk));
        }
        self.inbox.take(head);
        self.discard = payload;
        let reply = ReplyTo::new(terms, &header);
        let (op, fua) = match header.command {
            Err(refusal) => {
                self.say(|out| reply.error(out, refusal.errno, &refusal.why));
                return Ok(Progress::Done(0));
            }
            Ok(Command::Disconnect) => {
                self.end();
                return Ok(Progress::Done(0));
            }
            Ok(Command::BlockStatus { one }) => {
                self.block_status(terms, &header, one, &shared.replies, desk);
                return Ok(Progress::Done(1 << 10));
            }
            Ok(Command::Write { .. }) => return Ok(Progress::Done(0)), // seen to above
            Ok(Command::Read { .. }) => (IoOp::Read, false),
            Ok(Command::Flush) => (IoOp::Flush, false),
            Ok(Command::Cache) => (IoOp::Cache, false),
            Ok(Command::Trim { fua }) => (IoOp::Trim, fua),
            Ok(Command::WriteZeroes { fua, no_hole }) => (IoOp::Zero { punch: !no_hole }, fua),
        };
        self.submit(terms, &header, op, fua, Vec::new(), self.came, shared, desk);
        Ok(Progress::Done(0))
    }

    fn write(
        &mut self,
        terms: &Terms,
        header: Header,
        head: usize,
        fua: bool,
        shared: &mut Shared,
        desk: &mut Desk,
    ) -> Progress {
        let payload = header.payload as usize;
        let is_here = self.inbox.bytes().len() - head >= payload;
        if !is_here && payload <= SMALL_PAYLOAD {
            return Progress::Starved;
        }
        if !self.has_room(payload as u64, &mut shared.payloads) {
            return Progress::Done(0);
        }
        let here = &self.inbox.bytes()[head..];
        if is_here {
            self.coming = None;
            let data = here[..payload].to_vec();
            self.inbox.take(head + payload);
            self.submit(terms, &header, IoOp::Write, fua, data, self.came, shared, desk);
            return Progress::Done(payload);
        }
        let mut data = Vec::new();
        if data.try_reserve_exact(payload).is_err() {
            self.inbox.take(head);
            self.discard = payload;
            self.coming = None;
            self.give_room_back(payload as u64, &mut shared.payloads);
            let reply = ReplyTo::new(terms, &header);
            self.say(|out| reply.error(out, Errno::NoMem, "this machine has no memory for the payload"));
            return Progress::Done(0);
        }
        data.extend_from_slice(here);
        self.inbox.take(self.inbox.bytes().len());
        self.incoming = Some(Incoming { header, fua, data, came: self.came });
        if self.coming.is_none() {
            self.coming = Some(self.came);
            shared.payloads.comes(self.came, self.place);
        }
        Progress::Starved
    }

    /// Whether there is room for the payload of the next write, which is then taken; otherwise it is waited for.
    #[inline]
    fn has_room(&mut self, len: u64, payloads: &mut Payloads) -> bool {
        if let Room::Given(given) = self.room {
            debug_assert_eq!(given, len, "the write that has waited is the next");
            self.room = Room::Unasked;
            return true;
        }
        let has_room = payloads.take(self.place, self.payload, len);
        if has_room {
            self.payload += len;
        } else {
            self.room = Room::Waiting;
        }
        has_room
    }

    #[inline]
    fn give_room_back(&mut self, len: u64, payloads: &mut Payloads) {
        self.payload -= len;
        payloads.give_back(len);
    }

    #[expect(clippy::too_many_arguments, reason = "one call on the path of every request, split for nobody's benefit")]
    #[inline]
    fn submit(
        &mut self,
        terms: &Terms,
        header: &Header,
        op: IoOp,
        fua: bool,
        data: Vec<u8>,
        came: HostTime,
        shared: &mut Shared,
        desk: &mut Desk,
    ) {
        let reply = ReplyTo::new(terms, header);
        if shared.stopping {
            self.give_room_back(data.len() as u64, &mut shared.payloads);
            return self.say(|out| reply.error(out, Errno::Shutdown, "the server is ending"));
        }
        let df = matches!(header.command, Ok(Command::Read { df: true }));
        let (connection, generation) = self.place;
        let arrival = self.answers.arrival(came, desk);
        let cookie =
            shared.pending.insert(Pending { reply, connection, generation, host_ns: 0, shift: arrival.shift, df });
        self.in_flight += 1;
        self.depth_max = self.depth_max.max(self.in_flight);
        self.requests += 1;
        let export = ExportId(terms.export as u16);
        let request = IoRequest { export, op, fua, offset: header.offset, len: header.len, data, cookie };
        let host_ns = desk.submit(arrival.at, request);
        if host_ns > 0
            && let Some(pending) = shared.pending.get_mut(cookie)
        {
            pending.host_ns = u32::try_from(host_ns).unwrap_or(u32::MAX);
        }
    }

    fn block_status(&mut self, terms: &Terms, header: &Header, one: bool, replies: &Replies, desk: &mut Desk) {
        let reply = ReplyTo::new(terms, header);
        let limit = if one { 1 } else { MAX_EXTENTS.min(replies.longest() / EXTENT) };
        let extents = desk.engine.extents(ExportId(terms.export as u16), header.offset, header.len, limit);
        self.say(|out| reply.status(out, header.len, one, extents.into_iter().map(status)));
    }

    /// Puts a reply without data into the outbox, or behind the data that are being made.
    #[inline]
    fn say(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        if self.making.is_some() {
            return write(&mut self.aside);
        }
        self.scratch.clear();
        write(&mut self.scratch);
        self.outbox.push(&self.scratch);
    }

    /// A request of this client is done.
    #[inline]
    pub fn complete(&mut self, done: Done, pending: Pending, shared: &mut Shared, desk: &mut Desk) -> io::Result<()> {
        if done.op == IoOp::Write {
            self.give_room_back(done.len, &mut shared.payloads);
        }
        let replies = &mut shared.replies;
        let waits = self.blocked || self.has_replies() || is_large(&done, &pending, replies);
        if waits || !replies.has_room(self.outbox.len()) {
            let late = self.blocked.then(|| hold(&done, pending.shift, desk));
            self.waiting.push_back((done, pending, late));
            return Ok(());
        }
        self.answer(&done, &pending, None, replies, desk);
        if self.answers.len() >= BATCH_REPLIES * self.growth || self.outbox.len() >= BATCH_BYTES * self.growth {
            self.send(desk)?;
            self.growth = (self.growth * 2).min(BATCH_GROWTH);
        }
        self.count(replies);
        Ok(())
    }

    /// Answers a request whole.
    fn answer(
        &mut self,
        done: &Done,
        pending: &Pending,
        late: Option<Duration>,
        replies: &mut Replies,
        desk: &mut Desk,
    ) {
        let mut host_ns = u64::from(pending.host_ns);
        match (done.result, done.op) {
            (Ok(()), IoOp::Read) => host_ns += self.answer_read(done, pending, replies, desk),
            (Ok(()), _) => self.say(|out| pending.reply.done(out)),
            (Err(error), _) => {
                self.say(|out| pending.reply.error(out, errno(error), &error.to_string()));
            }
        }
        self.answered(done, pending, late, host_ns, desk);
    }

    /// All of an answer is in the outbox.
    fn answered(&mut self, done: &Done, pending: &Pending, late: Option<Duration>, host_ns: u64, desk: &mut Desk) {
        self.answers.push(done, pending.shift, late);
        self.in_flight -= 1;
        let latency = done.due.since(done.submitted);
        self.paced = latency >= PACED;
        desk.lateness.host_slower(u64::from(host_ns > latency.ns()));
        if self.depth_max == QEMU_DEPTH && !self.depth_told {
            self.unbound += u64::from(done.completion.as_ref().is_some_and(|c| c.spent.binding().is_none()));
        }
    }

    /// Header and data of a read that is not large; returns how long the data took, ns.
    fn answer_read(&mut self, done: &Done, pending: &Pending, replies: &mut Replies, desk: &mut Desk) -> u64 {
        if done.len >= LARGE_READ {
            self.widen(replies);
        }
        let mark = self.outbox.mark();
        let (result, host_ns) = if done.len < LOOK_FOR_HOLES || is_one_chunk(pending) {
            desk.timed(|desk| self.chunk(done, pending, (done.offset, done.len as u32, true), desk))
        } else {
            desk.timed(|desk| self.chunks(done, pending, desk))
        };
        if let Err(error) = result {
            self.outbox.back_to(mark);
            self.say(|out| pending.reply.error_at(out, errno(error), &error.to_string(), done.offset));
        }
        host_ns
    }

    fn widen(&mut self, replies: &mut Replies) {
        if !self.wide && replies.widen() {
            self.wide = true;
            self.stream.widen();
        }
    }

    fn chunks(&mut self, done: &Done, pending: &Pending, desk: &mut Desk) -> Result<(), IoError> {
        for piece in plan(done, pending, desk) {
            if piece.hole {
                self.say(|out| pending.reply.hole(out, piece.offset, piece.len, piece.last));
            } else {
                self.chunk(done, pending, (piece.offset, piece.len, piece.last), desk)?;
            }
        }
        Ok(())
    }

    #[inline]
    fn chunk(
        &mut self,
        done: &Done,
        pending: &Pending,
        (offset, len, last): (u64, u32, bool),
        desk: &mut Desk,
    ) -> Result<(), IoError> {
        self.say(|out| pending.reply.data(out, offset, len, last));
        self.data(done, offset, len as usize, desk)
    }

    #[inline]
    fn data(&mut self, done: &Done, offset: u64, len: usize, desk: &mut Desk) -> Result<(), IoError> {
        desk.engine.read(done.export, offset, self.outbox.room(len))?;
        self.outbox.filled(len);
        Ok(())
    }

    /// The round is over: sends what there is.
    pub fn flush(&mut self, desk: &mut Desk) -> io::Result<()> {
        self.growth = 1;
        self.send(desk)?;
        self.sent_round();
        Ok(())
    }

    fn sent_round(&mut self) {
        if !self.paced && !self.is_behind() {
            self.stream.sent_round(self.blocked);
        }
    }

    /// Sends what is in the outbox.
    fn send(&mut self, desk: &mut Desk) -> io::Result<()> {
        if self.blocked {
            return Ok(());
        }
        self.blocked = !self.outbox.send(&mut self.stream)?;
        self.answers.given(desk);
        if self.blocked {
            // From now on all that is finished waits for the client, not for us.
            self.hold_all(desk);
        }
        Ok(())
    }

    fn hold_all(&mut self, desk: &mut Desk) {
        if let Some(Making { done, pending, late, .. }) = &mut self.making {
            late.get_or_insert_with(|| hold(done, pending.shift, desk));
        }
        for (done, pending, late) in self.waiting.iter_mut().rev().take_while(|(_, _, late)| late.is_none()) {
            *late = Some(hold(done, pending.shift, desk));
        }
    }

    /// Makes and sends replies that wait, some `most` bytes of them at most; returns how many.
    pub fn go_on(&mut self, most: usize, replies: &mut Replies, desk: &mut Desk) -> io::Result<usize> {
        let mut made = 0;
        while made < most && self.is_behind() {
            let before = self.outbox.len();
            while self.outbox.len() < before + most && replies.has_room(self.outbox.len()) && self.is_behind() {
                self.make(replies, desk)?;
            }
            // At least something, so that replies without a byte end, too.
            made += (self.outbox.len() - before).max(1);
            self.send(desk)?;
            self.count(replies);
        }
        self.sent_round();
        Ok(made)
    }

    /// Makes the next reply that waits, or the next piece of it.
    fn make(&mut self, replies: &mut Replies, desk: &mut Desk) -> io::Result<()> {
        if let Some(mut making) = self.making.take() {
            let (is_all, host_ns) = desk.timed(|desk| self.piece(&mut making, desk));
            making.host_ns += host_ns;
            if is_all? {
                let Making { done, pending, late, host_ns, .. } = making;
                self.answered(&done, &pending, late, host_ns, desk);
                self.outbox.push(&std::mem::take(&mut self.aside));
            } else {
                self.making = Some(making);
            }
        } else if let Some((done, pending, late)) = self.waiting.pop_front() {
            if is_large(&done, &pending, replies) {
                self.widen(replies);
                let chunks = plan(&done, &pending, desk);
                let (at, left, host_ns) = (done.offset, 0, u64::from(pending.host_ns));
                self.making = Some(Making { done, pending, late, chunks: chunks.into(), at, left, host_ns });
            } else {
                self.answer(&done, &pending, late, replies, desk);
            }
        }
        Ok(())
    }

    /// Makes the next piece of a read; true when it was the last.
    fn piece(&mut self, making: &mut Making, desk: &mut Desk) -> io::Result<bool> {
        let Making { done, pending, chunks, at, left, .. } = making;
        let (mark, begins) = (self.outbox.mark(), *left == 0);
        if begins {
            let Some(chunk) = chunks.pop_front() else { return Ok(true) };
            let Chunk { offset, len, hole, last } = chunk;
            if hole {
                self.say(|out| pending.reply.hole(out, offset, len, last));
                return Ok(chunks.is_empty());
            }
            self.say(|out| pending.reply.data(out, offset, len, last));
            (*at, *left) = (offset, len);
        }
        let len = (*left).min(PIECE as u32);
        match self.data(done, *at, len as usize, desk) {
            Ok(()) => {
                (*at, *left) = (*at + u64::from(len), *left - len);
                Ok(*left == 0 && chunks.is_empty())
            }
            Err(error) if begins => {
                self.outbox.back_to(mark);
                self.say(|out| pending.reply.error_at(out, errno(error), &error.to_string(), *at));
                Ok(true)
            }
            // As many bytes were promised as now cannot be had.
            Err(error) => {
                Err(io::Error::other(format!("the rest of a read at {} could not be sent: {error}", done.offset)))
            }
        }
    }

    /// Whether this looks like QEMU's client, held back by itself; true once.
    pub fn is_held_at_sixteen(&mut self) -> bool {
        let held = !self.depth_told
            && self.depth_max == QEMU_DEPTH
            && self.requests >= DEPTH_ENOUGH
            && self.unbound * 2 > self.requests;
        self.depth_told |= held;
        held
    }

    /// Answers a request that will not be done any more.
    pub fn give_up(&mut self, pending: &Pending) {
        self.in_flight = self.in_flight.saturating_sub(1);
        self.say(|out| pending.reply.error(out, Errno::Shutdown, "the server is ending"));
    }
}

/// Whether the data of a request that is done are made in pieces.
#[inline]
fn is_large(done: &Done, pending: &Pending, replies: &Replies) -> bool {
    let is_long = done.op == IoOp::Read && done.result.is_ok() && done.len > PIECE as u64;
    is_long && !(is_one_chunk(pending) && replies.fits(done.len as usize))
}

/// Whether all data of a read follow one header: once that is out, an error can only end the connection.
#[inline]
fn is_one_chunk(pending: &Pending) -> bool {
    pending.reply.style == Style::Simple || pending.df
}

/// The chunks of a read's answer.
fn plan(done: &Done, pending: &Pending, desk: &mut Desk) -> Vec<Chunk> {
    let (offset, len) = (done.offset, done.len as u32);
    if is_one_chunk(pending) {
        return vec![Chunk { offset, len, hole: false, last: true }];
    }
    let extents = desk.engine.extents(done.export, offset, done.len, 64);
    let chunks = plan_read(pending.reply.style, false, offset, len, extents.into_iter().map(status));
    in_pieces(chunks, PIECE as u32).collect()
}

fn status(extent: crate::store::Extent) -> StatusExtent {
    StatusExtent { len: extent.len, hole: extent.hole, zero: extent.zero }
}

const fn errno(error: IoError) -> Errno {
    match error {
        IoError::Io => Errno::Io,
        IoError::NoSpace => Errno::NoSpc,
        IoError::Invalid => Errno::Inval,
        IoError::NotPermitted => Errno::Perm,
        IoError::Shutdown => Errno::Shutdown,
    }
}
