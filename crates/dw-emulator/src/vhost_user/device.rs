//! One client's disk: what was agreed, its memory, its queues.
//!
//! Messages change it ([`Device::handle`]); requests are taken from its queues ([`Device::next`]) and answered into its memory
//! ([`Device::answer`]). A queue runs once it is described, enabled, and there is a descriptor by which the driver wakes us; that it
//! is also looked at once without being woken is what lets requests go on after a reconnection.
//!
//! Ignores: sockets, epoll, time.
//!
//! Invariant: a request that was taken from a queue is answered into that same run of it or not at all.

use std::os::fd::OwnedFd;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{FileType, OFlags, fcntl_getfl, fstat};
use rustix::net::{SendFlags, send};
use rustix::time::Timespec;

use super::block::{self, Ask, Parsed, Status, feature};
use super::chain::{Buffer, Buffers, Malformed, bytes, scatter};
use super::fault::Fault;
use super::inflight::Inflight;
use super::memory::{Memory, REGIONS_MAX};
use super::message::{self, CONFIG_MAX, Header, Request, RingAddress};
use super::ring::{Agreed, Broken, Ring};

/// Queues that a client can have.
pub const QUEUES_MAX: usize = 64;
const RING_INDIRECT: u32 = 28;
const RING_EVENTS: u32 = 29;
const PROTOCOL_FEATURES: u32 = 30;
const VERSION_1: u32 = 32;

/// Features of the protocol, by the number of their bit.
mod protocol {
    pub const MQ: u32 = 0;
    pub const REPLY_ACK: u32 = 3;
    pub const BACKEND_REQ: u32 = 5;
    pub const CONFIG: u32 = 9;
    pub const INFLIGHT: u32 = 12;
    pub const CONFIGURE_MEM_SLOTS: u32 = 15;
}
const OFFERED: u64 = 1 << protocol::MQ
    | 1 << protocol::REPLY_ACK
    | 1 << protocol::BACKEND_REQ
    | 1 << protocol::CONFIG
    | 1 << protocol::INFLIGHT
    | 1 << protocol::CONFIGURE_MEM_SLOTS;

/// What the disk is like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// What the guest calls it.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// Writes are refused.
    pub read_only: bool,
    /// Bytes that requests had better be aligned to.
    pub preferred_block: u32,
}

/// What a message came to.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What to send, with a descriptor beside it.
    pub reply: Option<(Vec<u8>, Option<OwnedFd>)>,
    /// A queue is woken by another descriptor from now on, or by none.
    pub kick: Option<(usize, Option<OwnedFd>)>,
    /// A queue has begun to run: look at it once.
    pub begun: Option<usize>,
    /// Requests of this queue are under way: the reply comes with [`Device::rest`] when they are answered.
    pub waits_for: Option<usize>,
}

/// A request that was taken from a queue.
#[derive(Debug)]
pub struct Popped {
    /// What is asked.
    pub ask: Ask,
    /// What to write.
    pub data: Vec<u8>,
    /// Where the answer goes.
    pub answer_to: AnswerTo,
}

/// Where an answer goes.
#[derive(Debug)]
pub struct AnswerTo {
    queue: u16,
    head: u16,
    /// Which run of the queue it belongs to.
    run: u32,
    status: u64,
    buffers: Vec<Buffer>,
}

impl AnswerTo {
    pub fn queue(&self) -> usize {
        self.queue.into()
    }
}

#[derive(Debug, Default)]
struct Queue {
    size: u16,
    base: u16,
    address: Option<RingAddress>,
    kicked: bool,
    enabled: bool,
    call: Option<Waker>,
    ring: Option<Ring>,
    /// How often it was started.
    run: u32,
    /// It ends when its last request is answered.
    ending: bool,
}

/// A client's disk.
#[derive(Debug)]
pub struct Device {
    facts: Facts,
    features: u64,
    protocol: u64,
    memory: Memory,
    queues: Vec<Queue>,
    inflight: Option<Inflight>,
    channel: Option<OwnedFd>,
    buffers: Buffers,
    short: Short,
}

/// Requests that failed because there was no room for the memory that they read or fill.
#[derive(Debug, Default)]
struct Short {
    /// There was one.
    noted: bool,
    /// The first, until somebody is told.
    first: Option<Fault>,
}

impl Short {
    fn note(&mut self, fault: Fault) {
        if !std::mem::replace(&mut self.noted, true) {
            self.first = Some(fault);
        }
    }
}

impl Device {
    /// The disk as a client finds it.
    pub fn new(facts: Facts) -> Device {
        Device {
            facts,
            features: 0,
            protocol: 0,
            memory: Memory::default(),
            queues: (0..QUEUES_MAX).map(|_| Queue::default()).collect(),
            inflight: None,
            channel: None,
            buffers: Buffers::default(),
            short: Short::default(),
        }
    }

    fn offered(&self) -> u64 {
        let bits = [
            feature::SIZE_MAX,
            feature::SEG_MAX,
            feature::BLK_SIZE,
            feature::FLUSH,
            feature::TOPOLOGY,
            feature::MQ,
            feature::DISCARD,
            feature::WRITE_ZEROES,
            RING_INDIRECT,
            RING_EVENTS,
            PROTOCOL_FEATURES,
            VERSION_1,
        ];
        let changes = 1 << feature::DISCARD | 1 << feature::WRITE_ZEROES;
        let offered = bits.into_iter().fold(0, |bits, bit| bits | 1u64 << bit);
        if self.facts.read_only { offered & !changes | 1 << feature::RO } else { offered }
    }

    fn has(&self, feature: u32) -> bool {
        self.features & 1 << feature != 0
    }

    /// Carries out a message.
    ///
    /// # Errors
    /// When it makes no sense: the connection has to end.
    pub fn handle(&mut self, header: Header, payload: &[u8], mut files: Vec<OwnedFd>) -> Result<Outcome, Fault> {
        let request = message::request(header, payload)?;
        request.check_descriptors(header.request, files.len())?;
        let acknowledged = header.need_reply && !request.has_answer();
        let mut outcome = self.carry_out(header, request, &mut files)?;
        if acknowledged && self.protocol & 1 << protocol::REPLY_ACK != 0 {
            outcome.reply = Some((message::reply_number(header.request, 0), None));
        }
        Ok(outcome)
    }

    fn carry_out(&mut self, header: Header, request: Request, files: &mut Vec<OwnedFd>) -> Result<Outcome, Fault> {
        let number = header.request;
        let say = |reply: Vec<u8>| Ok(Outcome { reply: Some((reply, None)), ..Outcome::default() });
        match request {
            Request::GetFeatures => return say(message::reply_number(number, self.offered())),
            Request::SetFeatures(features) => self.features = chosen(features, self.offered())?,
            Request::GetProtocolFeatures => return say(message::reply_number(number, OFFERED)),
            Request::SetProtocolFeatures(features) => self.protocol = chosen(features, OFFERED)?,
            Request::GetQueueNum => return say(message::reply_number(number, QUEUES_MAX as u64)),
            Request::GetMaxMemSlots => return say(message::reply_number(number, REGIONS_MAX as u64)),
            Request::GetConfig { offset, size } => {
                return say(message::reply_config(number, offset, &self.config(offset, size)));
            }
            Request::SetConfig => {
                return Err(Fault::Message { request: number, why: "nothing of the configuration can be changed" });
            }
            Request::SetOwner => {}
            Request::ResetOwner => self.queues.iter_mut().for_each(|queue| queue.ring = None),
            Request::SetMemTable(regions) => self.remap(Memory::new(regions, std::mem::take(files))?)?,
            Request::AddMemReg(region) => self.memory.add(region, one(files, number)?)?,
            Request::RemMemReg(region) => {
                self.memory.remove(&region)?;
                self.move_queues()?;
            }
            Request::SetBackendChannel => self.channel = Some(one(files, number)?),
            Request::GetInflight(shape) => {
                let (inflight, file) = Inflight::new(shape)?;
                let reply = message::reply_inflight(number, inflight.shape());
                self.inflight = Some(inflight);
                return Ok(Outcome { reply: Some((reply, Some(file))), ..Outcome::default() });
            }
            Request::SetInflight(shape) => self.inflight = Some(Inflight::from_file(shape, one(files, number)?)?),
            request => return self.change_queue(number, request, files),
        }
        Ok(Outcome::default())
    }

    fn change_queue(&mut self, number: u32, request: Request, files: &mut Vec<OwnedFd>) -> Result<Outcome, Fault> {
        let mut outcome = Outcome::default();
        let at = match request {
            Request::SetVringNum { queue, num } => {
                let (at, queue) = self.resting(queue)?;
                queue.size = u16::try_from(num).unwrap_or(0);
                at
            }
            Request::SetVringBase { queue, base } => {
                let (at, queue) = self.resting(queue)?;
                queue.base = base as u16;
                at
            }
            Request::SetVringAddr { queue, address } => {
                let (at, queue) = self.resting(queue)?;
                queue.address = Some(address);
                at
            }
            Request::SetVringKick { queue, descriptor } => {
                let (at, queue) = self.queue(queue)?;
                if !descriptor {
                    return Err(Fault::Ring { queue: at, why: "it has no wake-up descriptor, and nothing polls it" });
                }
                queue.kicked = true;
                outcome.kick = Some((at, Some(one(files, number)?)));
                at
            }
            Request::SetVringCall { queue, descriptor } => {
                let (at, queue) = self.queue(queue)?;
                queue.call = if descriptor { Some(Waker::new(one(files, number)?)?) } else { None };
                // An answer that the last server gave may not have been heard of.
                queue.call.iter().for_each(Waker::wake);
                at
            }
            Request::SetVringEnable { queue, enable } => {
                let (at, queue) = self.queue(queue)?;
                queue.enabled = enable;
                at
            }
            Request::GetVringBase { queue } => return self.end_queue(number, queue),
            // What could be reported there ends the connection.
            _ => return Ok(outcome),
        };
        if self.start(at)? {
            outcome.begun = Some(at);
        }
        Ok(outcome)
    }

    fn queue(&mut self, queue: u32) -> Result<(usize, &mut Queue), Fault> {
        let at = queue as usize;
        self.queues.get_mut(at).map(|found| (at, found)).ok_or(Fault::Queue(queue))
    }

    /// A queue that does not run.
    fn resting(&mut self, queue: u32) -> Result<(usize, &mut Queue), Fault> {
        let (at, queue) = self.queue(queue)?;
        if queue.ring.is_some() {
            return Err(Fault::Ring { queue: at, why: "it is changed while it runs" });
        }
        Ok((at, queue))
    }

    /// Whether a queue may be served. Without that feature nobody can say so, and all of them may.
    #[inline]
    fn is_enabled(&self, at: usize) -> bool {
        !self.has(PROTOCOL_FEATURES) || self.queues.get(at).is_some_and(|queue| queue.enabled)
    }

    /// Starts a queue if everything is there. True = it was not running or not enabled, and now it is.
    fn start(&mut self, at: usize) -> Result<bool, Fault> {
        let enabled = self.is_enabled(at);
        let agreed = Agreed { events: self.has(RING_EVENTS), indirect: self.has(RING_INDIRECT) };
        let queue = &mut self.queues[at];
        let Some(address) = queue.address.filter(|_| enabled && queue.kicked) else { return Ok(false) };
        if queue.ring.is_none() {
            let address = translate(&self.memory, address)?;
            let record = self.inflight.as_ref().and_then(|inflight| inflight.record(at));
            let started = Ring::start(&self.memory, address, queue.size, queue.base, agreed, record);
            queue.ring = Some(started.map_err(|why| Fault::Ring { queue: at, why })?);
            queue.run = queue.run.wrapping_add(1);
            queue.ending = false;
        }
        Ok(true)
    }

    /// Ends a queue, at once or when its last request is answered.
    fn end_queue(&mut self, number: u32, queue: u32) -> Result<Outcome, Fault> {
        let (at, queue) = self.queue(queue)?;
        (queue.ending, queue.kicked) = (true, false);
        let mut outcome = Outcome { kick: Some((at, None)), ..Outcome::default() };
        match self.rest(number, at) {
            Some(reply) => outcome.reply = Some((reply, None)),
            None => outcome.waits_for = Some(at),
        }
        Ok(outcome)
    }

    /// The reply to the message with this number that ended a queue, once nothing of the queue is under way any more.
    pub fn rest(&mut self, number: u32, at: usize) -> Option<Vec<u8>> {
        let queue = self.queues.get_mut(at)?;
        if queue.ring.as_ref().is_some_and(|ring| ring.in_flight() > 0) {
            return None;
        }
        if let Some(ring) = queue.ring.take() {
            queue.base = ring.base();
        }
        Some(message::reply_state(number, at as u32, queue.base.into()))
    }

    fn remap(&mut self, memory: Memory) -> Result<(), Fault> {
        self.memory = memory;
        self.move_queues()
    }

    /// The memory has changed under the queues that run.
    fn move_queues(&mut self) -> Result<(), Fault> {
        for (at, queue) in self.queues.iter_mut().enumerate() {
            if let (Some(ring), Some(address)) = (&mut queue.ring, queue.address) {
                let address = translate(&self.memory, address)?;
                ring.move_to(&self.memory, address).map_err(|why| Fault::Ring { queue: at, why })?;
            }
        }
        Ok(())
    }

    /// A piece of the configuration, which ends in zeroes; empty when there is no such piece.
    fn config(&self, offset: u32, size: u32) -> Vec<u8> {
        let config = block::config(self.facts.size, self.facts.preferred_block, QUEUES_MAX as u16);
        let mut all = [0; CONFIG_MAX];
        all[..config.len()].copy_from_slice(&config);
        let end = offset.checked_add(size).map(|end| end as usize);
        end.and_then(|end| all.get(offset as usize..end)).unwrap_or(&[]).to_vec()
    }

    /// Takes the next request from a queue.
    ///
    /// # Errors
    /// When the queue or the request is malformed.
    #[inline]
    pub fn next(&mut self, at: usize) -> Result<Option<Popped>, Fault> {
        let broken = |why| Fault::Ring { queue: at, why };
        let enabled = self.is_enabled(at);
        let Some(queue) = self.queues.get_mut(at).filter(|queue| enabled && !queue.ending) else { return Ok(None) };
        let Some(ring) = &mut queue.ring else { return Ok(None) };
        let head = match ring.next(&self.memory) {
            Ok(None) => return Ok(None),
            Ok(Some(head)) => head,
            Err(Broken::Memory(fault)) => return Err(fault),
            Err(Broken::Form(why)) => return Err(broken(why)),
        };
        let run = queue.run;
        let parsed = self.buffers.follow(&self.memory, ring.table(), head);
        let parsed = parsed.and_then(|()| block::parse(&self.memory, &mut self.buffers));
        let Parsed { mut ask, status } = parsed.map_err(|malformed| match malformed {
            Malformed::Memory(fault) => fault,
            Malformed::Form(why) => broken(why),
        })?;
        let mut data = Vec::new();
        if let Ask::Write { len, .. } = ask {
            // At most `TRANSFER_MAX`.
            match bytes(&self.memory, &self.buffers.readable, block::HEADER, len as usize) {
                Err(fault @ Fault::NoRoom { .. }) => {
                    self.short.note(fault);
                    ask = Ask::Refused(Status::IoError);
                }
                bytes => data = bytes?,
            }
        }
        let keeps = matches!(ask, Ask::Read { .. } | Ask::GetId);
        let buffers = if keeps { std::mem::take(&mut self.buffers.writable) } else { Vec::new() };
        let answer_to = AnswerTo { queue: at as u16, head, run, status, buffers };
        Ok(Some(Popped { ask, data, answer_to }))
    }

    /// Asks to be woken for a queue's next request. True = there is one already.
    ///
    /// # Errors
    /// When the queue is malformed.
    pub fn wait(&mut self, at: usize) -> Result<bool, Fault> {
        let enabled = self.is_enabled(at);
        let Some(queue) = self.queues.get_mut(at).filter(|queue| enabled && !queue.ending) else { return Ok(false) };
        let Some(ring) = &mut queue.ring else { return Ok(false) };
        ring.wait(&self.memory).map_err(|broken| match broken {
            Broken::Memory(fault) => fault,
            Broken::Form(why) => Fault::Ring { queue: at, why },
        })
    }

    /// Answers a request, with the bytes that it asked for; with an error where its buffers have no room for them. The driver is not
    /// woken yet.
    ///
    /// # Errors
    /// When the places for it are not in the client's memory any more, or there is no room for the answer itself.
    #[inline]
    pub fn answer(&mut self, to: &AnswerTo, status: Status, bytes: &[u8]) -> Result<(), Fault> {
        let Some(queue) = self.queues.get_mut(to.queue()).filter(|queue| queue.run == to.run) else { return Ok(()) };
        let Some(ring) = &mut queue.ring else { return Ok(()) };
        let (status, len) = match scatter(&self.memory, &to.buffers, bytes) {
            Err(fault @ Fault::NoRoom { .. }) => {
                self.short.note(fault);
                (Status::IoError, 0)
            }
            filled => filled.map(|()| (status, bytes.len()))?,
        };
        self.memory.write(to.status, &[status as u8])?;
        ring.done(&self.memory, to.head, len as u32 + 1)
    }

    /// Why requests fail for lack of space in the client's memory, when that has just begun.
    pub fn ran_short(&mut self) -> Option<Fault> {
        self.short.first.take()
    }

    /// Wakes the driver of a queue, if it wants that for what was answered.
    ///
    /// # Errors
    /// When the queue is not in the client's memory any more.
    pub fn wake(&mut self, at: usize) -> Result<(), Fault> {
        let Some(queue) = self.queues.get_mut(at) else { return Ok(()) };
        if let Some(ring) = &mut queue.ring
            && ring.wants_waking(&self.memory)?
        {
            queue.call.iter().for_each(Waker::wake);
        }
        Ok(())
    }

    /// The disk has another size: the client is told, if it wants to know.
    pub fn resize(&mut self, size: u64) {
        if std::mem::replace(&mut self.facts.size, size) != size
            && let Some(channel) = &self.channel
            && send(channel, &message::config_changed(), SendFlags::DONTWAIT | SendFlags::NOSIGNAL).is_err()
        {
            self.channel = None;
        }
    }

    /// The disk.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }
}

/// By which a driver is woken: an eventfd.
#[derive(Debug)]
struct Waker {
    fd: OwnedFd,
    /// Whoever made it lets a write wait, which nobody here may do.
    may_wait: bool,
}

impl Waker {
    fn new(fd: OwnedFd) -> Result<Waker, Fault> {
        let failed =
            |why: rustix::io::Errno| Fault::System { what: "the descriptor to wake a driver by", why: why.into() };
        // Eventfds have no type; pipes, sockets, and files do.
        if FileType::from_raw_mode(fstat(&fd).map_err(failed)?.st_mode) != FileType::Unknown {
            return Err(Fault::Memory("its driver's wake-up descriptor is not an eventfd".into()));
        }
        let may_wait = !fcntl_getfl(&fd).map_err(failed)?.contains(OFlags::NONBLOCK);
        Ok(Waker { fd, may_wait })
    }

    fn wake(&self) {
        const AT_ONCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };
        if self.may_wait {
            let mut fds = [PollFd::new(&self.fd, PollFlags::OUT)];
            let ready = poll(&mut fds, Some(&AT_ONCE));
            if !ready.is_ok_and(|ready| ready > 0) {
                return;
            }
        }
        // An eventfd that is full wakes already.
        let _ = rustix::io::write(&self.fd, &1u64.to_ne_bytes());
    }
}

/// Features that the client chose among those offered.
fn chosen(features: u64, offered: u64) -> Result<u64, Fault> {
    let unknown = features & !offered;
    if unknown == 0 { Ok(features) } else { Err(Fault::Features(unknown)) }
}

fn one(files: &mut Vec<OwnedFd>, request: u32) -> Result<OwnedFd, Fault> {
    files.pop().ok_or(Fault::Descriptors { request, found: 0, expected: 1 })
}

fn translate(memory: &Memory, address: RingAddress) -> Result<RingAddress, Fault> {
    Ok(RingAddress {
        descriptors: memory.guest_address(address.descriptors)?,
        used: memory.guest_address(address.used)?,
        available: memory.guest_address(address.available)?,
    })
}
