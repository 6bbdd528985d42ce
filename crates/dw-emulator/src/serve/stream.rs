//! The socket of a client, in the clear or in TLS, never blocking.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::buffer::spare_capacity;
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, recv, send, sockopt};

use super::tls::TlsSession;

/// Bytes in and out. The descriptor stays the same when TLS begins, because epoll knows the socket by it.
#[derive(Debug)]
pub struct Stream {
    fd: OwnedFd,
    tls: Option<Box<TlsSession>>,
    /// Of a Unix socket; TCP knows better.
    room: Option<Room>,
}

impl Stream {
    /// In the clear.
    pub fn plain(fd: OwnedFd, is_tcp: bool) -> Stream {
        let room = if is_tcp {
            // Replies are small and must not wait for company.
            let _ = sockopt::set_tcp_nodelay(&fd, true);
            let _ = sockopt::set_socket_keepalive(&fd, true);
            None
        } else {
            let _ = sockopt::set_socket_send_buffer_size(&fd, Room::FIRST);
            Some(Room::default())
        };
        Stream { fd, tls: None, room }
    }

    /// From here on in TLS.
    pub fn secure(&mut self, session: TlsSession) {
        self.tls = Some(Box::new(session));
    }

    /// Reads what is there; `None` when nothing is, 0 at the end.
    #[inline]
    pub fn receive(&mut self, into: &mut [u8]) -> io::Result<Option<usize>> {
        match &mut self.tls {
            None => not_now(recv(&self.fd, into, RecvFlags::DONTWAIT).map(|(got, _)| got)),
            Some(session) => session.receive(&self.fd, into),
        }
    }

    /// The same into the unused capacity of `data`, at most `most` bytes.
    pub fn receive_into(&mut self, data: &mut Vec<u8>, most: usize) -> io::Result<Option<usize>> {
        match &self.tls {
            // The capacity is exactly that of the payload: nothing behind it is read.
            None if data.capacity() - data.len() <= most => {
                not_now(recv(&self.fd, spare_capacity(data), RecvFlags::DONTWAIT).map(|(got, _)| got))
            }
            _ => {
                let mut bytes = [0; 16 << 10];
                let most = most.min(bytes.len());
                let got = self.receive(&mut bytes[..most])?;
                data.extend_from_slice(&bytes[..got.unwrap_or(0)]);
                Ok(got)
            }
        }
    }

    /// Bytes lie ready that the socket does not know of any more.
    #[inline]
    pub fn has_buffered(&self) -> bool {
        // The records of TLS do not end where our reads end: only trying tells.
        self.tls.is_some()
    }

    /// Bytes were taken for sending that the socket has not taken yet.
    #[inline]
    pub fn holds_back(&self) -> bool {
        self.tls.as_ref().is_some_and(|session| session.holds_back())
    }

    /// Sends from the front of `bytes`; `None` when the socket takes nothing now.
    #[inline]
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<Option<usize>> {
        match &mut self.tls {
            None => not_now(send(&self.fd, bytes, SendFlags::DONTWAIT | SendFlags::NOSIGNAL)),
            Some(session) => session.send(&self.fd, bytes),
        }
    }

    /// A round of replies of a disk without a latency to speak of is sent; `filled` = the socket took no more.
    #[inline]
    pub fn sent_round(&mut self, filled: bool) {
        if let Some(room) = &mut self.room
            && let Some(bytes) = room.sent_round(filled)
        {
            // Where it cannot be set it is only slower.
            let _ = sockopt::set_socket_send_buffer_size(&self.fd, bytes);
        }
    }

    /// Lets the socket hold replies of hundreds of kilobytes, so that a large read is not sent in eight turns.
    pub fn widen(&mut self) {
        const SEND_BUFFER: usize = 1 << 20;
        self.room = None;
        // Above the system's limit only with the privilege; otherwise the kernel takes what it allows.
        if sockopt::set_socket_send_buffer_size_force(&self.fd, SEND_BUFFER).is_err() {
            let _ = sockopt::set_socket_send_buffer_size(&self.fd, SEND_BUFFER);
        }
    }

    /// Pushes out what is held back; true when nothing is.
    #[inline]
    pub fn finish(&mut self) -> io::Result<bool> {
        match &mut self.tls {
            None => Ok(true),
            Some(session) => session.finish(&self.fd),
        }
    }
}

impl AsFd for Stream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

/// How much a Unix socket is to hold: most of what its client has under way, and never all of it.
///
/// A client that lags behind then finds many replies, and the server is woken for its requests once no more than a quarter of the room is in
/// use. In a socket that is never full it is woken for each of them. How much the client has under way cannot be seen, because what waits
/// in its own socket is not read; so the room grows while it is filled often, and shrinks while it hardly ever is. The kernel counts twice
/// what is set, and more than the bytes.
///
/// Source: fio's reads of a disk without a latency: what is set, the share of rounds in which it is filled, what comes of it.
///
/// | reads, in flight | KiB | filled | k/s | s of processor time a million |
/// |---|---:|---:|---:|---:|
/// | 4 KiB, 32 | 48 | 0.50 | 105 | 3.6 |
/// | | 64 | 0.27 | 137 | 2.7 |
/// | | 72 | 0.18 | 155 | 2.4 |
/// | | 80 | 0.01 | 130 | 4.8 |
/// | 4 KiB, 64 | 64 | 0.66 | 131 | 2.3 |
/// | | 104 | 0.37 | 165 | 1.8 |
/// | | 160 | 0 | 136 | 4.6 |
/// | 4 KiB, 128 | 64 | 0.81 | 132 | 2.4 |
/// | | 104 | 0.72 | 150 | 2.1 |
/// | | 160 | 0.54 | 144 | 2.2 |
/// | 16 KiB, 32 | 64 | 0.75 | 66 | 7.1 |
/// | | 160 | 0.48 | 127 | 4.1 |
#[derive(Debug)]
struct Room {
    bytes: usize,
    rounds: u32,
    filled: u32,
}

impl Default for Room {
    fn default() -> Self {
        Room { bytes: Room::FIRST, rounds: 0, filled: 0 }
    }
}

impl Room {
    const FIRST: usize = 64 << 10;
    /// 4 KiB reads at depth 128 like 104 KiB a little better, 16 KiB reads at depth 32 a little less than 240.
    const MOST: usize = 160 << 10;
    /// Rounds that it is watched before it changes: some ms of a busy client.
    const WATCHED: u32 = 64;
    /// Filled in fewer of them it shrinks: 1 % is already too seldom.
    const SELDOM: u32 = 4;
    /// Filled in more of them it grows: 18 % is best at depth 32, 27 % worse.
    const OFTEN: u32 = 14;

    /// Its new size, if that has changed.
    #[inline]
    fn sent_round(&mut self, filled: bool) -> Option<usize> {
        self.rounds += 1;
        self.filled += u32::from(filled);
        if self.rounds < Room::WATCHED {
            return None;
        }
        let bytes = match self.filled {
            filled if filled < Room::SELDOM => self.bytes - self.bytes / 8,
            filled if filled > Room::OFTEN => self.bytes + self.bytes / 16,
            _ => self.bytes,
        };
        (self.rounds, self.filled) = (0, 0);
        let before = std::mem::replace(&mut self.bytes, bytes.clamp(Room::FIRST, Room::MOST));
        (self.bytes != before).then_some(self.bytes)
    }
}

/// Not being able to do anything now is not an error.
#[inline]
pub fn not_now(result: rustix::io::Result<usize>) -> io::Result<Option<usize>> {
    match result {
        Ok(count) => Ok(Some(count)),
        // A signal is no reason either: the loop comes back.
        Err(Errno::AGAIN | Errno::INTR) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};

    use super::*;

    #[test]
    fn the_room_of_a_socket_grows_while_it_is_filled_often_and_shrinks_while_it_hardly_ever_is() {
        // Of 64 rounds it is filled in so many; what it holds in the end of what it held.
        let half = (Room::FIRST + Room::MOST) / 2;
        let cases = [(0, Room::FIRST), (3, Room::FIRST), (4, half), (14, half), (15, Room::MOST), (64, Room::MOST)];
        for (filled, expected) in cases {
            let mut room = Room { bytes: half, ..Room::default() };
            let sizes: Vec<usize> = (0..64 * 64).filter_map(|round| room.sent_round(round % 64 < filled)).collect();
            assert_eq!(room.bytes, expected, "{filled}: {sizes:?}");
            assert!(sizes.len() < 20, "{filled}: set {} times, and then no more", sizes.len());
        }
    }

    #[test]
    fn a_unix_socket_gets_the_room_that_it_fills() {
        let (flags, kind) = (SocketFlags::empty(), SocketType::STREAM);
        let (server, _client) = socketpair(AddressFamily::UNIX, kind, flags, None).expect("two sockets");
        let mut stream = Stream::plain(server, false);
        let room = |stream: &Stream| sockopt::socket_send_buffer_size(stream.as_fd()).expect("a socket");
        // The kernel counts twice.
        assert_eq!(room(&stream), 2 * Room::FIRST);
        (0..2_000).for_each(|_| stream.sent_round(true));
        assert_eq!(room(&stream), 2 * Room::MOST);
        (0..2_000).for_each(|_| stream.sent_round(false));
        assert_eq!(room(&stream), 2 * Room::FIRST);
        stream.widen();
        let wide = room(&stream);
        (0..2_000).for_each(|_| stream.sent_round(false));
        assert_eq!(room(&stream), wide, "large reads keep what they were given");
    }
}
