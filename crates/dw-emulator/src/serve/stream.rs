//! The socket of a client, in the clear or in TLS, never blocking.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::buffer::spare_capacity;
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, recv, send};

use super::tls::TlsSession;

/// Bytes in and out.
#[derive(Debug)]
pub enum Stream {
    /// In the clear.
    Plain(OwnedFd),
    /// In TLS.
    Tls(OwnedFd, Box<TlsSession>),
}

impl Stream {
    /// Reads what is there; `None` when nothing is, 0 at the end.
    #[inline]
    pub fn receive(&mut self, into: &mut [u8]) -> io::Result<Option<usize>> {
        match self {
            Stream::Plain(fd) => not_now(recv(&*fd, into, RecvFlags::DONTWAIT).map(|(got, _)| got)),
            Stream::Tls(fd, session) => session.receive(fd, into),
        }
    }

    /// The same into the unused capacity of `data`, at most `most` bytes.
    pub fn receive_into(&mut self, data: &mut Vec<u8>, most: usize) -> io::Result<Option<usize>> {
        match self {
            // The capacity is exactly that of the payload: nothing behind it is read.
            Stream::Plain(fd) if data.capacity() - data.len() <= most => {
                not_now(recv(&*fd, spare_capacity(data), RecvFlags::DONTWAIT).map(|(got, _)| got))
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
        match self {
            Stream::Plain(_) => false,
            // Its records do not end where our reads end: only trying tells.
            Stream::Tls(..) => true,
        }
    }

    /// Sends from the front of `bytes`; `None` when the socket takes nothing now.
    #[inline]
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<Option<usize>> {
        match self {
            Stream::Plain(fd) => not_now(send(&*fd, bytes, SendFlags::DONTWAIT | SendFlags::NOSIGNAL)),
            Stream::Tls(fd, session) => session.send(fd, bytes),
        }
    }

    /// Pushes out what is held back; true when nothing is.
    #[inline]
    pub fn finish(&mut self) -> io::Result<bool> {
        match self {
            Stream::Plain(_) => Ok(true),
            Stream::Tls(fd, session) => session.finish(fd),
        }
    }
}

impl AsFd for Stream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Stream::Plain(fd) | Stream::Tls(fd, _) => fd.as_fd(),
        }
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
