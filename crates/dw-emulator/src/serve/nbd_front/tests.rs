use std::os::fd::OwnedFd;

use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socketpair};

use super::super::connection::REQUESTS_MAX;
use super::super::desk::tests::{SIZE, desk_with};
use super::*;
use crate::engine::EngineOptions;
use crate::store::NullStore;

/// A front end with one client, whose socket the test holds, on a disk that takes no time to speak of.
struct Served {
    front: NbdFront,
    desk: Desk,
    client: OwnedFd,
}

impl Served {
    fn new() -> Served {
        let mut desk = desk_with(Box::new(NullStore::new(SIZE)), EngineOptions::default());
        let mut front = NbdFront::new(Way::default(), Vec::new(), None, 1, &desk).expect("a front end");
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let (client, server) = socketpair(AddressFamily::UNIX, SocketType::STREAM, flags, None).expect("two sockets");
        front.welcome(Stream::plain(server, false), &mut desk).expect("a client");
        let mut served = Served { front, desk, client };
        // Flags, then NBD_OPT_EXPORT_NAME.
        let mut hello = 3u32.to_be_bytes().to_vec();
        hello.extend(b"IHAVEOPT");
        hello.extend([0, 0, 0, 1, 0, 0, 0, 4]);
        hello.extend(b"data");
        served.say(&hello);
        served.round();
        served.take(usize::MAX);
        served
    }

    fn say(&self, bytes: &[u8]) {
        assert_eq!(send(&self.client, bytes, SendFlags::empty()), Ok(bytes.len()));
    }

    /// The client reads up to so many bytes; how many there were.
    fn take(&self, most: usize) -> usize {
        let (mut taken, mut bytes) = (0, vec![0; 64 << 10]);
        while taken < most
            && let Ok((_, got @ 1..)) = recv(&self.client, &mut bytes[..], RecvFlags::empty())
        {
            taken += got;
        }
        taken
    }

    fn reads(&self, count: usize, len: u32) {
        let mut requests = Vec::new();
        for cookie in 0..count as u64 {
            requests.extend([0x25, 0x60, 0x95, 0x13, 0, 0, 0, 0]);
            requests.extend(cookie.to_be_bytes());
            requests.extend(0u64.to_be_bytes());
            requests.extend(len.to_be_bytes());
        }
        self.say(&requests);
    }

    /// A round of the loop in which something is released, be it another client's: replies go out before anybody's turn.
    fn round(&mut self) {
        let mut events = Vec::with_capacity(4);
        let none = rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 };
        let spare = rustix::buffer::spare_capacity(&mut events);
        epoll::wait(&self.desk.epoll, spare, Some(&none)).expect("events");
        for epoll::Event { flags, data } in events {
            self.front.ready(data.u64(), flags, &mut self.desk);
        }
        let later = HostTime::now() + Duration::from_secs(1);
        while let Some(done) = self.desk.next_done(later) {
            self.front.complete(done, &mut self.desk);
        }
        self.front.flush(&mut self.desk);
        while self.front.queued() > 0 {
            self.front.turn(&mut self.desk);
        }
        self.front.flush(&mut self.desk);
    }

    fn client(&self) -> &Connection {
        self.front.clients.iter().next().expect("it is there")
    }
}

#[test]
fn a_client_that_is_not_read_is_read_again_some_time() {
    // As many requests as are read at once, and as many more as the replies that socket and outbox take: just full.
    let len = 16 << 10;
    let begun = |count: usize| {
        let mut served = Served::new();
        assert!(!served.client().in_handshake() && served.front.deadline().is_none());
        served.reads(count, len);
        (0..3).for_each(|_| served.round());
        assert!(served.client().is_unread(), "the socket takes nothing");
        served
    };
    let counts = REQUESTS_MAX..REQUESTS_MAX + 200;
    let full = |count| Some((count, begun(count))).filter(|(_, served)| served.client().is_full());
    let (count, mut served) = counts.into_iter().find_map(full).expect("a number that is just enough");
    assert!(served.front.deadline().is_some());
    let late = HostTime::now() + Duration::from_secs(1);
    served.front.tick(late, &mut served.desk);
    assert!(!served.client().is_unread() && served.client().is_full(), "it would be read, were there room");
    // It takes some, so that it is not full any more, and then takes nothing again.
    let taken = served.take(1 << 20);
    served.round();
    assert!(taken > 0 && served.client().is_unread() && !served.client().is_full(), "{taken}");
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
