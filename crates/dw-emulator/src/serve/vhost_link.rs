//! The socket of a vhost-user client: messages with descriptors beside them.
//!
//! A message is read to its last byte and no further: descriptors come with its first byte, so that none is taken for the next
//! message's. A client that sends half a message keeps nobody waiting.
//!
//! Invariant: what is kept of an unfinished message is bounded, descriptors too.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};

use crate::vhost_user::message::{self, HEADER, Header, PAYLOAD_MAX, REGIONS_AT_ONCE};

/// A client's socket.
#[derive(Debug)]
pub struct Link {
    socket: OwnedFd,
    header: Option<Header>,
    bytes: Vec<u8>,
    files: Vec<OwnedFd>,
}

/// What came.
#[derive(Debug)]
pub enum Received {
    Message(Header, Vec<u8>, Vec<OwnedFd>),
    /// Not all of one yet.
    Nothing,
    /// The client is gone.
    End,
}

impl Link {
    /// A socket, which does not wait.
    pub fn new(socket: OwnedFd) -> Link {
        Link { socket, header: None, bytes: Vec::new(), files: Vec::new() }
    }

    /// The next message.
    pub fn receive(&mut self) -> io::Result<Received> {
        loop {
            let wanted = self.header.map_or(HEADER, |header| header.size);
            if self.bytes.len() < wanted {
                match self.read(wanted - self.bytes.len()) {
                    Ok(0) => return Ok(Received::End),
                    Ok(_) => {}
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(Received::Nothing),
                    Err(error) => return Err(error),
                }
                continue;
            }
            match self.header.take() {
                Some(header) => {
                    let (payload, files) = (std::mem::take(&mut self.bytes), std::mem::take(&mut self.files));
                    return Ok(Received::Message(header, payload, files));
                }
                None => {
                    let bytes = self.bytes.first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
                    self.header = Some(message::header(bytes)?);
                    self.bytes.clear();
                }
            }
        }
    }

    /// Reads at most `most` bytes; 0 = the client is gone.
    fn read(&mut self, most: usize) -> io::Result<usize> {
        let mut buffer = [0; PAYLOAD_MAX];
        let most = most.min(buffer.len());
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(REGIONS_AT_ONCE))];
        let mut beside = RecvAncillaryBuffer::new(&mut space);
        let flags = RecvFlags::CMSG_CLOEXEC | RecvFlags::DONTWAIT;
        let got = match recvmsg(&self.socket, &mut [IoSliceMut::new(&mut buffer[..most])], &mut beside, flags) {
            Err(Errno::CONNRESET) => return Ok(0),
            got => got?,
        };
        for message in beside.drain() {
            if let RecvAncillaryMessage::ScmRights(files) = message {
                self.files.extend(files);
            }
        }
        if got.flags.contains(ReturnFlags::CTRUNC) || self.files.len() > REGIONS_AT_ONCE {
            return Err(io::Error::other("a message came with more descriptors than any message has"));
        }
        self.bytes.extend_from_slice(&buffer[..got.bytes]);
        Ok(got.bytes)
    }

    /// Sends a reply whole, or not at all: replies are short, and who leaves so many of them unread that the socket is full is
    /// no client.
    pub fn send(&self, bytes: &[u8], file: Option<&OwnedFd>) -> io::Result<()> {
        let files: Vec<BorrowedFd<'_>> = file.map(|file| file.as_fd()).into_iter().collect();
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut beside = SendAncillaryBuffer::new(&mut space);
        if !files.is_empty() {
            beside.push(SendAncillaryMessage::ScmRights(&files));
        }
        let flags = SendFlags::NOSIGNAL | SendFlags::DONTWAIT;
        match sendmsg(&self.socket, &[IoSlice::new(bytes)], &mut beside, flags) {
            Ok(sent) if sent == bytes.len() => Ok(()),
            Ok(_) | Err(Errno::AGAIN) => Err(io::Error::other("the client does not read its replies")),
            Err(error) => Err(error.into()),
        }
    }
}

impl AsFd for Link {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}
