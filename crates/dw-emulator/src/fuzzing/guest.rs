//! The other end of a vhost-user connection, as small as it can be: a guest whose driver does as it is told, right or wrong.
//!
//! Written from the protocol text and without the device's code. Its memory is a file that is read and written, never mapped:
//! what the kernel does in between orders the two sides.

use std::fs::File;
use std::io::{self, IoSlice, Read as _, Write as _};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};
use rustix::time::Timespec;

/// Bytes of its memory.
pub const MEMORY: u64 = 16 << 20;
/// Where the guest has it.
pub const GUEST: u64 = 0x4000_0000;
/// Where the program around the guest has it.
pub const USER: u64 = 0x7000_0000_0000;
/// Where, in its memory, what is not a queue begins.
pub const FREE: u64 = 8 << 20;
/// Bytes set aside for a queue.
const QUEUE: u64 = 64 << 10;
const AVAILABLE: u64 = 32 << 10;
const USED: u64 = 40 << 10;
/// How long it waits for anything.
const PATIENCE: Duration = Duration::from_secs(20);

/// A descriptor leads to the next one.
pub const NEXT: u16 = 1;
/// The device writes there.
pub const WRITE: u16 = 2;
/// It stands for a table.
pub const INDIRECT: u16 = 4;

/// What is agreed on connecting.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    pub queues: u16,
    /// Descriptors of each.
    pub size: u16,
    /// Each side says when it wants to be woken.
    pub events: bool,
    /// Requests under way are recorded in memory that outlives the server.
    pub recorded: bool,
}

impl Default for Wish {
    fn default() -> Wish {
        Wish { queues: 1, size: 128, events: true, recorded: false }
    }
}

/// A queue, as the driver sees it.
#[derive(Debug)]
pub struct Queue {
    at: u64,
    size: u16,
    available: u16,
    used: u16,
    kick: OwnedFd,
    call: OwnedFd,
}

#[derive(Debug)]
pub struct Guest {
    socket: UnixStream,
    pub memory: File,
    queues: Vec<Queue>,
    record: Option<(Vec<u8>, OwnedFd)>,
    wish: Wish,
}

impl Guest {
    /// Connects, and says nothing yet.
    ///
    /// # Errors
    /// When nobody listens.
    pub fn connect(path: &Path, wish: Wish) -> io::Result<Guest> {
        let memory = memfd_create("guest", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
        Guest::connect_with(path, wish, memory.into())
    }

    /// The same with its memory in this file.
    ///
    /// # Errors
    /// When nobody listens, or the file cannot have that size.
    pub fn connect_with(path: &Path, wish: Wish, memory: File) -> io::Result<Guest> {
        memory.set_len(MEMORY)?;
        let queue = |number| -> io::Result<Queue> {
            let event = || eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK);
            let at = u64::from(number) * QUEUE;
            Ok(Queue { at, size: wish.size, available: 0, used: 0, kick: event()?, call: event()? })
        };
        let queues = (0..wish.queues).map(queue).collect::<io::Result<Vec<_>>>()?;
        Ok(Guest { socket: dial(path)?, memory, queues, record: None, wish })
    }

    /// Connects, and does everything up to queues that run.
    ///
    /// # Errors
    /// When the server does not go along.
    pub fn start(path: &Path, wish: Wish) -> io::Result<Guest> {
        let mut guest = Guest::connect(path, wish)?;
        guest.begin()?;
        Ok(guest)
    }

    /// Everything from the first message up to queues that run.
    ///
    /// # Errors
    /// When the server does not go along.
    pub fn begin(&mut self) -> io::Result<()> {
        self.agree()?;
        self.share()?;
        self.run_queues()
    }

    /// Connects again, as QEMU does when the server was away: same memory, same queues, same record.
    ///
    /// # Errors
    /// When the server does not go along.
    pub fn restart(&mut self, path: &Path) -> io::Result<()> {
        self.socket = dial(path)?;
        self.begin()
    }

    /// Features, as many as it understands.
    ///
    /// # Errors
    /// When the server does not go along.
    pub fn agree(&mut self) -> io::Result<()> {
        self.tell(3, &[], &[])?;
        let unwanted = if self.wish.events { 0 } else { 1 << 29 };
        let features = number(&self.ask(1, &[])?)? & !unwanted;
        let protocol = number(&self.ask(15, &[])?)?;
        self.tell(16, &protocol.to_le_bytes(), &[])?;
        self.acknowledged(2, &features.to_le_bytes(), &[])
    }

    /// Its memory, and the record of requests under way if it wants one.
    ///
    /// # Errors
    /// When the server does not go along.
    pub fn share(&mut self) -> io::Result<()> {
        let table = words(&[1, GUEST, MEMORY, USER, 0]);
        let memory = self.memory.try_clone()?;
        self.acknowledged(5, &table, &[memory.as_fd()])?;
        if !self.wish.recorded {
            return Ok(());
        }
        if self.record.is_none() {
            let shape = u64::from(self.wish.size) << 16 | u64::from(self.wish.queues);
            self.send(31, 1, &words(&[0, 0, shape]), &[])?;
            let (_, payload, mut files) = self.receive()?;
            let file = files.pop().ok_or_else(|| io::Error::other("a record without a file"))?;
            self.record = Some((payload, file));
        }
        if let Some((shape, file)) = &self.record {
            let (shape, file) = (shape.clone(), file.try_clone()?);
            self.acknowledged(32, &shape, &[file.as_fd()])?;
        }
        Ok(())
    }

    /// Describes and enables every queue. One that ran before goes on behind what was answered.
    ///
    /// # Errors
    /// When the server does not go along.
    pub fn run_queues(&mut self) -> io::Result<()> {
        for number in 0..self.queues.len() {
            self.run_queue(number)?;
        }
        Ok(())
    }

    fn run_queue(&mut self, number: usize) -> io::Result<()> {
        let used = self.load(self.queues[number].at + USED + 2)?;
        let queue = &self.queues[number];
        let at = USER + queue.at;
        let (kick, call) = (queue.kick.try_clone()?, queue.call.try_clone()?);
        let state = |value: u64| words(&[value << 32 | number as u64]);
        self.acknowledged(8, &state(self.wish.size.into()), &[])?;
        self.acknowledged(10, &state(used.into()), &[])?;
        self.acknowledged(9, &words(&[number as u64, at, at + USED, at + AVAILABLE, 0]), &[])?;
        self.acknowledged(12, &words(&[number as u64]), &[kick.as_fd()])?;
        self.acknowledged(13, &words(&[number as u64]), &[call.as_fd()])?;
        self.acknowledged(18, &state(1), &[])
    }

    /// Ends a queue; the driver's number of the request with which it would go on.
    ///
    /// # Errors
    /// When the server does not go along.
    pub fn end_queue(&mut self, number: u32) -> io::Result<u16> {
        let reply = self.ask(11, &words(&[number.into()]))?;
        reply
            .get(4..6)
            .and_then(|two| two.try_into().ok())
            .map(u16::from_le_bytes)
            .ok_or(io::ErrorKind::InvalidData.into())
    }

    /// Sends a message.
    ///
    /// # Errors
    /// When the server is gone.
    pub fn send(&mut self, request: u32, flags: u32, payload: &[u8], files: &[BorrowedFd<'_>]) -> io::Result<()> {
        let mut bytes: Vec<u8> = [request, flags, payload.len() as u32].iter().flat_map(|n| n.to_le_bytes()).collect();
        bytes.extend(payload);
        self.send_raw(&bytes, files)
    }

    /// Sends any bytes.
    ///
    /// # Errors
    /// When the server is gone.
    pub fn send_raw(&mut self, bytes: &[u8], files: &[BorrowedFd<'_>]) -> io::Result<()> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(32))];
        let mut beside = SendAncillaryBuffer::new(&mut space);
        if !files.is_empty() {
            beside.push(SendAncillaryMessage::ScmRights(files));
        }
        let sent = sendmsg(&self.socket, &[IoSlice::new(bytes)], &mut beside, SendFlags::NOSIGNAL)?;
        self.socket.write_all(&bytes[sent..])
    }

    /// Sends a message that has no answer.
    ///
    /// # Errors
    /// When the server is gone.
    pub fn tell(&mut self, request: u32, payload: &[u8], files: &[BorrowedFd<'_>]) -> io::Result<()> {
        self.send(request, 1, payload, files)
    }

    /// Sends a message and waits for its answer.
    ///
    /// # Errors
    /// When the server is gone, or answers something else.
    pub fn ask(&mut self, request: u32, payload: &[u8]) -> io::Result<Vec<u8>> {
        self.send(request, 1, payload, &[])?;
        let (answered, payload, _) = self.receive()?;
        if answered == request { Ok(payload) } else { Err(io::Error::other("the answer to another message")) }
    }

    /// Sends a message and waits until it has been carried out.
    ///
    /// # Errors
    /// When the server is gone, or refuses.
    pub fn acknowledged(&mut self, request: u32, payload: &[u8], files: &[BorrowedFd<'_>]) -> io::Result<()> {
        self.send(request, 1 | 8, payload, files)?;
        let (answered, payload, _) = self.receive()?;
        match (answered == request, number(&payload)?) {
            (true, 0) => Ok(()),
            (true, code) => Err(io::Error::other(format!("message {request}: refused with {code}"))),
            (false, _) => Err(io::Error::other("the answer to another message")),
        }
    }

    /// A message of the server: its number, payload, descriptors.
    ///
    /// # Errors
    /// When the server is gone.
    pub fn receive(&mut self) -> io::Result<(u32, Vec<u8>, Vec<OwnedFd>)> {
        let (mut head, mut files) = ([0; 12], Vec::new());
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut beside = RecvAncillaryBuffer::new(&mut space);
        let got = recvmsg(&self.socket, &mut [io::IoSliceMut::new(&mut head)], &mut beside, RecvFlags::CMSG_CLOEXEC)?;
        if got.bytes == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        for message in beside.drain() {
            if let RecvAncillaryMessage::ScmRights(more) = message {
                files.extend(more);
            }
        }
        self.socket.read_exact(&mut head[got.bytes..])?;
        let field = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let mut payload = vec![0; field(8) as usize];
        self.socket.read_exact(&mut payload)?;
        Ok((field(0), payload, files))
    }

    /// Whether the server has ended the connection.
    pub fn is_cut(&mut self) -> bool {
        loop {
            match self.receive() {
                Ok(_) => {}
                Err(error) => return error.kind() != io::ErrorKind::WouldBlock,
            }
        }
    }

    fn load(&self, at: u64) -> io::Result<u16> {
        let mut two = [0; 2];
        self.memory.read_exact_at(&mut two, at)?;
        Ok(u16::from_le_bytes(two))
    }

    /// Writes a descriptor of a queue.
    ///
    /// # Errors
    /// When its memory fails.
    pub fn describe(&self, queue: usize, index: u16, buffer: (u64, u32), flags: u16, next: u16) -> io::Result<()> {
        let at = self.queues[queue].at + 16 * u64::from(index);
        self.memory.write_all_at(&descriptor(buffer, flags, next), at)
    }

    /// Puts requests into a queue and moves its index on.
    ///
    /// # Errors
    /// When its memory fails.
    pub fn offer(&mut self, queue: usize, heads: &[u16]) -> io::Result<()> {
        let queue = &mut self.queues[queue];
        for head in heads {
            let place = u64::from(queue.available % queue.size);
            self.memory.write_all_at(&head.to_le_bytes(), queue.at + AVAILABLE + 4 + 2 * place)?;
            queue.available = queue.available.wrapping_add(1);
        }
        self.memory.write_all_at(&queue.available.to_le_bytes(), queue.at + AVAILABLE + 2)
    }

    /// Moves a queue's index to anywhere.
    ///
    /// # Errors
    /// When its memory fails.
    pub fn jump(&mut self, queue: usize, index: u16) -> io::Result<()> {
        self.memory.write_all_at(&index.to_le_bytes(), self.queues[queue].at + AVAILABLE + 2)
    }

    /// Wakes the device.
    ///
    /// # Errors
    /// When that cannot be.
    pub fn kick(&self, queue: usize) -> io::Result<()> {
        rustix::io::write(&self.queues[queue].kick, &1u64.to_ne_bytes())?;
        Ok(())
    }

    /// The next answer of a queue: which request, how many bytes were written.
    ///
    /// # Errors
    /// When none comes, or the connection ends.
    pub fn answer(&mut self, number: usize) -> io::Result<(u16, u32)> {
        let begin = std::time::Instant::now();
        loop {
            let queue = &self.queues[number];
            // Wakes us for the next one, where the device looks at that.
            let event = queue.at + AVAILABLE + 4 + 2 * u64::from(queue.size);
            self.memory.write_all_at(&queue.used.to_le_bytes(), event)?;
            if self.load(queue.at + USED + 2)? != queue.used {
                break;
            }
            let step = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };
            let mut fds = [PollFd::new(&queue.call, PollFlags::IN), PollFd::new(&self.socket, PollFlags::IN)];
            poll(&mut fds, Some(&step))?;
            let gone = fds[1].revents().intersects(PollFlags::HUP | PollFlags::ERR);
            let _ = rustix::io::read(&queue.call, &mut [0; 8]);
            if self.load(queue.at + USED + 2)? == queue.used && (gone || begin.elapsed() > PATIENCE) {
                return Err(if gone { io::ErrorKind::ConnectionReset } else { io::ErrorKind::TimedOut }.into());
            }
        }
        let queue = &mut self.queues[number];
        let mut entry = [0; 8];
        self.memory.read_exact_at(&mut entry, queue.at + USED + 4 + 8 * u64::from(queue.used % queue.size))?;
        queue.used = queue.used.wrapping_add(1);
        let [h0, h1, _, _, l0, l1, l2, l3] = entry;
        Ok((u16::from_le_bytes([h0, h1]), u32::from_le_bytes([l0, l1, l2, l3])))
    }

    /// Whether there is an answer that was not looked at.
    ///
    /// # Errors
    /// When its memory fails.
    pub fn has_answer(&self, queue: usize) -> io::Result<bool> {
        let queue = &self.queues[queue];
        Ok(self.load(queue.at + USED + 2)? != queue.used)
    }

    /// Describes a request in three descriptors from `head` on, its bytes at a place of its own for each head.
    ///
    /// # Errors
    /// When its memory fails.
    pub fn prepare(&mut self, queue: usize, head: u16, asked: &Asked<'_>) -> io::Result<()> {
        let place = slot(queue, head);
        let mut header = [0; 16];
        header[..4].copy_from_slice(&asked.kind.to_le_bytes());
        header[8..].copy_from_slice(&asked.sector.to_le_bytes());
        self.memory.write_all_at(&header, place)?;
        self.memory.write_all_at(&[0xff], place + 16)?;
        self.memory.write_all_at(asked.out, place + 512)?;
        let (len, flags) = if asked.room > 0 { (asked.room, WRITE) } else { (asked.out.len() as u32, 0) };
        self.describe(queue, head, (GUEST + place, 16), NEXT, head + 1)?;
        self.describe(queue, head + 1, (GUEST + place + 512, len), flags | NEXT, head + 2)?;
        self.describe(queue, head + 2, (GUEST + place + 16, 1), WRITE, 0)
    }

    /// What came back on a request: its status, and the bytes that it asked for.
    ///
    /// # Errors
    /// When its memory fails.
    pub fn outcome(&self, queue: usize, head: u16, room: u32) -> io::Result<(u8, Vec<u8>)> {
        let place = slot(queue, head);
        let (mut status, mut data) = ([0], vec![0; room as usize]);
        self.memory.read_exact_at(&mut status, place + 16)?;
        self.memory.read_exact_at(&mut data, place + 512)?;
        Ok((status[0], data))
    }

    /// Asks one thing, alone in its queue, and waits for the answer.
    ///
    /// # Errors
    /// When none comes.
    pub fn request(&mut self, queue: usize, asked: Asked<'_>) -> io::Result<(u8, Vec<u8>)> {
        self.prepare(queue, 0, &asked)?;
        self.offer(queue, &[0])?;
        self.kick(queue)?;
        self.answer(queue)?;
        self.outcome(queue, 0, asked.room)
    }

    /// The descriptor that wakes the device.
    pub fn kick_of(&self, queue: usize) -> BorrowedFd<'_> {
        self.queues[queue].kick.as_fd()
    }
}

/// A request.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// Its type.
    pub kind: u32,
    pub sector: u64,
    /// What it brings.
    pub out: &'a [u8],
    /// Bytes that it wants back.
    pub room: u32,
}

/// Where the bytes of a request are: 40 KiB for each of the first hundred of two queues.
fn slot(queue: usize, head: u16) -> u64 {
    const EACH: u64 = 40 << 10;
    FREE + (queue as u64 * 100 + u64::from(head) / 3) % ((MEMORY - FREE) / EACH) * EACH
}

pub fn descriptor((address, len): (u64, u32), flags: u16, next: u16) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&address.to_le_bytes());
    bytes[8..12].copy_from_slice(&len.to_le_bytes());
    bytes[12..14].copy_from_slice(&flags.to_le_bytes());
    bytes[14..].copy_from_slice(&next.to_le_bytes());
    bytes
}

/// Numbers as a payload has them.
pub fn words(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn number(payload: &[u8]) -> io::Result<u64> {
    payload.first_chunk().map(|eight| u64::from_le_bytes(*eight)).ok_or(io::ErrorKind::InvalidData.into())
}

fn dial(path: &Path) -> io::Result<UnixStream> {
    let socket = UnixStream::connect(path)?;
    socket.set_read_timeout(Some(PATIENCE))?;
    Ok(socket)
}
