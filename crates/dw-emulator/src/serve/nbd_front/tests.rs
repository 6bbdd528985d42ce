use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socketpair};

use super::super::connection::REQUESTS_MAX;
use super::super::desk::tests::{SIZE, desk_with};
use super::super::replies::PIECE;
use super::*;
use crate::engine::EngineOptions;
use crate::store::{Extent, NullStore, Store};

/// A disk of zeroes that counts the bytes that are read.
struct Counted(NullStore, Arc<AtomicUsize>);

impl Store for Counted {
    fn size(&self) -> u64 {
        self.0.size()
    }
    fn read(&mut self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.1.fetch_add(out.len(), Relaxed);
        self.0.read(offset, out)
    }
    fn write(&mut self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.0.write(offset, data)
    }
    fn discard(&mut self, offset: u64, len: u64) -> io::Result<()> {
        self.0.discard(offset, len)
    }
    fn zero(&mut self, offset: u64, len: u64, punch: bool) -> io::Result<()> {
        self.0.zero(offset, len, punch)
    }
    fn extents(&self, offset: u64, len: u64, limit: usize) -> Vec<Extent> {
        self.0.extents(offset, len, limit)
    }
    fn sync(&mut self) -> io::Result<()> {
        self.0.sync()
    }
    fn resize(&mut self, size: u64) -> io::Result<()> {
        self.0.resize(size)
    }
}

/// A front end with one client, whose socket the test holds, on a disk that takes no time to speak of.
struct Served {
    front: NbdFront,
    desk: Desk,
    client: OwnedFd,
    /// Bytes of data made for replies.
    made: Arc<AtomicUsize>,
}

impl Served {
    fn new() -> Served {
        let made = Arc::new(AtomicUsize::new(0));
        let store = Counted(NullStore::new(SIZE), Arc::clone(&made));
        let mut desk = desk_with(Box::new(store), EngineOptions::default());
        let mut front = NbdFront::new(Way::default(), Vec::new(), None, 1, &desk).expect("a front end");
        let client = join(&mut front, &mut desk);
        Served { front, desk, client, made }
    }

    /// One client more.
    fn join(&mut self) -> OwnedFd {
        join(&mut self.front, &mut self.desk)
    }

    fn take(&self, most: usize) -> usize {
        take(&self.client, most)
    }

    fn round(&mut self) {
        round(&mut self.front, &mut self.desk);
    }

    fn client(&self) -> &Connection {
        self.front.clients.iter().next().expect("it is there")
    }

    fn is_full(&self) -> bool {
        self.client().is_full(&self.front.shared.replies)
    }
}

fn join(front: &mut NbdFront, desk: &mut Desk) -> OwnedFd {
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let (client, server) = socketpair(AddressFamily::UNIX, SocketType::STREAM, flags, None).expect("two sockets");
    front.welcome(Stream::plain(server, false), desk).expect("a client");
    // Flags, then NBD_OPT_EXPORT_NAME.
    let mut hello = 3u32.to_be_bytes().to_vec();
    hello.extend(b"IHAVEOPT");
    hello.extend([0, 0, 0, 1, 0, 0, 0, 4]);
    hello.extend(b"data");
    say(&client, &hello);
    round(front, desk);
    take(&client, usize::MAX);
    client
}

fn say(client: &OwnedFd, bytes: &[u8]) {
    assert_eq!(send(client, bytes, SendFlags::empty()), Ok(bytes.len()));
}

/// The client reads up to so many bytes; how many there were.
fn take(client: &OwnedFd, most: usize) -> usize {
    let (mut taken, mut bytes) = (0, vec![0; 64 << 10]);
    while taken < most
        && let Ok((_, got @ 1..)) = recv(client, &mut bytes[..], RecvFlags::empty())
    {
        taken += got;
    }
    taken
}

/// So many reads of so many bytes each.
fn reads(client: &OwnedFd, count: usize, len: u32) {
    let mut requests = Vec::new();
    for cookie in 0..count as u64 {
        requests.extend([0x25, 0x60, 0x95, 0x13, 0, 0, 0, 0]);
        requests.extend(cookie.to_be_bytes());
        requests.extend(0u64.to_be_bytes());
        requests.extend(len.to_be_bytes());
    }
    say(client, &requests);
}

/// A round of the loop in which something is released, be it another client's: replies go out before anybody's turn.
fn round(front: &mut NbdFront, desk: &mut Desk) {
    let mut events = Vec::with_capacity(64);
    let none = rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 };
    let spare = rustix::buffer::spare_capacity(&mut events);
    epoll::wait(&desk.epoll, spare, Some(&none)).expect("events");
    for epoll::Event { flags, data } in events {
        front.ready(data.u64(), flags, desk);
    }
    let later = HostTime::now() + Duration::from_secs(1);
    while let Some(done) = desk.next_done(later) {
        front.complete(done, desk);
    }
    front.flush(desk);
    while front.queued() > 0 {
        front.turn(desk);
    }
    front.flush(desk);
}

#[test]
fn a_client_that_is_not_read_is_read_again_some_time() {
    // As many requests as are read at once, and as many more as the replies that socket and outbox take: just full.
    let len = 16 << 10;
    let begun = |count: usize| {
        let mut served = Served::new();
        assert!(!served.client().in_handshake() && served.front.deadline().is_none());
        reads(&served.client, count, len);
        (0..3).for_each(|_| served.round());
        assert!(served.client().is_unread(), "the socket takes nothing");
        served
    };
    let counts = REQUESTS_MAX..REQUESTS_MAX + 200;
    let full = |count| Some((count, begun(count))).filter(|(_, served)| served.is_full());
    let (count, mut served) = counts.into_iter().find_map(full).expect("a number that is just enough");
    assert!(served.front.deadline().is_some());
    let late = HostTime::now() + Duration::from_secs(1);
    served.front.tick(late, &mut served.desk);
    assert!(!served.client().is_unread() && served.is_full(), "it would be read, were there room");
    // It takes some, so that it is not full any more, and then takes nothing again.
    let taken = served.take(1 << 20);
    served.round();
    assert!(taken > 0 && served.client().is_unread() && !served.is_full(), "{taken}");
    assert!(served.front.deadline().is_some(), "or nobody would read it again");
    served.front.tick(late, &mut served.desk);
    assert!(!served.client().is_unread() && served.front.deadline().is_none());
    // Each of its requests is answered in the end.
    let mut all = taken;
    while let got @ 1.. = served.take(usize::MAX) {
        all += got;
        served.round();
    }
    assert_eq!(all, count * (16 + len as usize));
}

/// What is counted is what there is, and no more than the budget, what one turn adds to it, and two pieces for each client.
fn check_budget(served: &Served, most: usize) {
    let unsent: usize = served.front.clients.iter().map(Connection::unsent).sum();
    assert_eq!(served.front.shared.replies.held(), unsent);
    let bound = most + REPLIES_TURN + served.front.clients.len() * 2 * (PIECE + 64);
    assert!(unsent <= bound, "{unsent} bytes are held of {bound}");
}

/// Forty clients ask for 16 MiB each and take nothing. What they keep is bounded, and a client beside them is answered within a round in
/// which little else is made; whoever begins to take gets all, and what was of those who have gone is gone with them.
#[test]
fn clients_that_take_nothing_share_a_budget_and_cost_the_others_nothing() {
    const MOST: usize = 256 << 10;
    const EACH: usize = 16;
    const LEN: u32 = 1 << 20;
    let mut served = Served::new();
    served.front.shared.replies = Replies::new(MOST);
    served.round();
    let mut crowd: Vec<OwnedFd> = (0..40).map(|_| served.join()).collect();
    crowd.iter().for_each(|client| reads(client, EACH, LEN));
    let (mut rounds, mut most) = (0, 0);
    let mut is_crowded = false;
    loop {
        reads(&served.client, 1, 4096);
        let before = served.made.load(Relaxed);
        // One to read it, one to answer it.
        served.round();
        served.round();
        assert_eq!(served.take(usize::MAX), 16 + 4096, "the quiet client is answered at once");
        most = most.max(served.made.load(Relaxed) - before);
        check_budget(&served, MOST);
        is_crowded |= served.front.shared.replies.held() >= MOST;
        rounds += 1;
        if !served.front.has_backlog() && rounds > 3 {
            break;
        }
        assert!(rounds < 10_000, "they are always behind");
    }
    assert!(is_crowded, "the budget is used up");
    assert!(most <= 4 * (REPLIES_ROUND + REPLIES_TURN + PIECE), "{most} bytes were made beside one request");
    // Whoever takes its replies after all gets them, to the last byte.
    let mut all = 0;
    while let got @ 1.. = take(&crowd[7], usize::MAX) {
        all += got;
        (0..3).for_each(|_| served.round());
        check_budget(&served, MOST);
    }
    assert_eq!(all, EACH * (16 + LEN as usize));
    crowd.clear();
    while served.front.clients() > 1 {
        served.round();
        rounds += 1;
        assert!(rounds < 10_000, "they do not go");
    }
    check_budget(&served, 0);
    assert_eq!(served.front.shared.replies.held(), 0);
    reads(&served.client, 1, LEN);
    let mut got = 0;
    while got < 16 + LEN as usize {
        served.round();
        got += served.take(usize::MAX);
    }
}

/// An error that needs no disk, between the pieces of a large read: neither is within the other.
#[test]
fn nothing_comes_between_the_pieces_of_a_read() {
    let mut served = Served::new();
    let len = 4 << 20;
    reads(&served.client, 1, len);
    (0..4).for_each(|_| served.round());
    assert!(served.client().is_unread() || served.client().is_behind(), "some of it waits");
    // A read of nothing is refused as soon as it is read.
    let late = HostTime::now() + Duration::from_secs(1);
    served.front.tick(late, &mut served.desk);
    reads(&served.client, 1, 0);
    (0..4).for_each(|_| served.round());
    let (mut bytes, mut part) = (Vec::new(), vec![0; 64 << 10]);
    while bytes.len() < len as usize + 32 {
        while let Ok((_, got @ 1..)) = recv(&served.client, &mut part[..], RecvFlags::empty()) {
            bytes.extend_from_slice(&part[..got]);
        }
        served.round();
    }
    assert_eq!(bytes.len(), len as usize + 32);
    let magic = 0x6744_6698u32.to_be_bytes();
    let (read, error) = bytes.split_at(len as usize + 16);
    assert!(read.starts_with(&magic) && read[4..8] == [0; 4] && read[16..].iter().all(|&byte| byte == 0));
    assert!(error.starts_with(&magic) && error[4..8] == 22u32.to_be_bytes());
}

/// The header of a write.
fn begin_write(client: &OwnedFd, len: u32) {
    let mut request = vec![0x25, 0x60, 0x95, 0x13, 0, 0, 0, 1];
    request.extend([0; 16]);
    request.extend(len.to_be_bytes());
    say(client, &request);
}

/// Sends what the socket takes, and lets the server take it, until all is there or nothing is taken any more; how much was sent.
fn send_data(served: &mut Served, client: &OwnedFd, len: usize) -> usize {
    let (bytes, mut sent) = (vec![1; 64 << 10], 0);
    let mut idle = 0;
    while sent < len && idle < 3 {
        match send(client, &bytes[..bytes.len().min(len - sent)], SendFlags::empty()) {
            Ok(took) => (sent, idle) = (sent + took, 0),
            Err(_) => idle += 1,
        }
        served.round();
    }
    sent
}

/// What is counted is what the clients have.
fn check_payloads(served: &Served, most: u64) {
    let held = served.front.shared.payloads.held();
    assert_eq!(held, served.front.clients.iter().map(Connection::payload).sum::<u64>());
    assert!(held <= most, "{held} bytes are held of {most}");
}

/// Clients that send half of a large write each. Others wait for room without being read, small writes do not wait, and whoever does not go on
/// makes room in the end, where somebody waits for it.
#[test]
fn payloads_that_do_not_come_share_a_budget_and_make_room_for_others() {
    const LEN: u32 = 1 << 20;
    let mut served = Served::new();
    served.front.shared.payloads = Payloads::new(2 * u64::from(LEN));
    let most = 2 * u64::from(LEN) + (256 << 10);
    let slow: Vec<OwnedFd> = (0..2).map(|_| served.join()).collect();
    for client in &slow {
        begin_write(client, LEN);
        assert_eq!(send_data(&mut served, client, LEN as usize / 2), LEN as usize / 2);
    }
    check_payloads(&served, most);
    assert!(served.front.deadline().is_none(), "nobody waits for room");
    let late = HostTime::now() + COMING_MAX + Duration::from_secs(1);
    served.front.tick(late, &mut served.desk);
    assert_eq!(served.front.clients(), 3, "while nobody waits for room a payload may take its time");

    let waits = served.join();
    begin_write(&waits, LEN);
    let sent = send_data(&mut served, &waits, LEN as usize);
    assert!(sent < LEN as usize, "it is not read");
    check_payloads(&served, most);
    // The first client writes a little beside them, however many of them wait.
    begin_write(&served.client, 4096);
    let client = served.client.try_clone().expect("the same socket");
    assert_eq!(send_data(&mut served, &client, 4096), 4096);
    served.round();
    assert_eq!(served.take(usize::MAX), 16, "it is answered");
    // One of the slow ones goes on all the same, and makes room.
    assert_eq!(send_data(&mut served, &slow[0], LEN as usize / 2), LEN as usize / 2);
    (0..3).for_each(|_| served.round());
    assert_eq!(take(&slow[0], usize::MAX), 16);
    let rest = send_data(&mut served, &waits, LEN as usize - sent);
    (0..3).for_each(|_| served.round());
    assert_eq!((sent + rest, take(&waits, usize::MAX)), (LEN as usize, 16));
    check_payloads(&served, most);

    // Again, and nobody goes on: the one that has been at it for longest is let go, and no other.
    begin_write(&slow[0], LEN);
    begin_write(&waits, LEN);
    (0..3).for_each(|_| served.round());
    assert!(served.front.deadline().is_some(), "one waits");
    let late = HostTime::now() + COMING_MAX + Duration::from_secs(1);
    served.front.tick(late, &mut served.desk);
    assert_eq!(served.front.clients(), 3);
    let rest = send_data(&mut served, &waits, LEN as usize);
    (0..3).for_each(|_| served.round());
    assert_eq!((rest, take(&waits, usize::MAX)), (LEN as usize, 16));
    drop((slow, waits));
    (0..3).for_each(|_| served.round());
    check_payloads(&served, 0);
}

/// A client that sends everything before it takes anything is not read while all have too many replies, and read again when they have fewer.
#[test]
fn who_was_not_read_for_the_replies_of_others_is_read_again() {
    let mut served = Served::new();
    served.front.shared.replies = Replies::new(256 << 10);
    served.round();
    let crowd: Vec<OwnedFd> = (0..40).map(|_| served.join()).collect();
    crowd.iter().for_each(|client| reads(client, 16, 1 << 20));
    // Errors are replies that never were with the engine.
    for _ in 0..200 {
        reads(&served.client, 100, 0);
        served.round();
        let late = HostTime::now() + Duration::from_secs(1);
        served.front.tick(late, &mut served.desk);
        if served.is_full() {
            break;
        }
    }
    let held = served.front.shared.replies.held();
    assert!(served.is_full() && served.client().unsent() < 1 << 20, "{} of {held}", served.client().unsent());
    drop(crowd);
    let mut rounds = 0;
    while served.front.clients() > 1 {
        served.round();
        rounds += 1;
        assert!(rounds < 10_000, "they do not go");
    }
    (0..2).for_each(|_| served.round());
    assert!(!served.is_full());
    assert!(served.client().is_watched(), "its socket wakes the server again");
}
