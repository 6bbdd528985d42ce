//! The control channel: how commands reach the loop that serves, and answers come back.
//!
//! ```text
//! control socket ─┐                                   ┌─▶ Inbox::take ─▶ engine.command(now, ..)
//! metrics (HTTP) ─┼─▶ Handle::call ─▶ queue + eventfd ┤
//! timeline        ┘                                   └── Reply::send ◀─ the answer
//! ```
//!
//! The loop owns the engine and polls [`Inbox::fd`] next to its sockets, so a command runs between two requests and no lock is
//! on the path of a request. Whoever asks waits; the loop never does.
//!
//! Lives here: the queue, [`socket`] (JSON lines on a Unix socket), [`client`] (the other end). Ignores: what commands mean.
//!
//! Invariant: every [`Reply`] is answered exactly once, by the loop or, when it is dropped, by "gone".

pub mod client;
mod once;
mod shape;
pub mod socket;

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::mpsc;

use rustix::event::{EventfdFlags, eventfd};

use crate::command::{Answer, Command, CommandError, ErrorCode};
use crate::status::Status;

/// Both ends of the channel: any thread may hold a handle, the loop holds the inbox.
pub fn channel() -> std::io::Result<(Handle, Inbox)> {
    let wake = Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?);
    let (sender, receiver) = mpsc::channel();
    Ok((Handle { sender, wake: Arc::clone(&wake), via: None }, Inbox { receiver, wake }))
}

/// The asking end.
#[derive(Clone, Debug)]
pub struct Handle {
    sender: mpsc::Sender<(Command, Reply)>,
    wake: Arc<OwnedFd>,
    via: Option<Arc<dyn Via>>,
}

/// Somebody between those who ask and the loop, with more to do about a command than the disks have.
pub trait Via: std::fmt::Debug + Send + Sync {
    /// Asks the loop in the name of whoever asked, and does the rest.
    fn call(&self, command: Command) -> Result<Answer, CommandError>;
}

impl Handle {
    /// Asks, and waits for the answer.
    pub fn call(&self, command: Command) -> Result<Answer, CommandError> {
        if let Some(via) = &self.via {
            return via.call(command);
        }
        let (reply, answer) = mpsc::sync_channel(1);
        self.sender.send((command, Reply { to: Some(reply) })).map_err(|_| gone())?;
        // A full counter (2^64 - 2 calls that nobody took) would wake the loop all the same.
        let _ = rustix::io::write(&*self.wake, &1u64.to_ne_bytes());
        answer.recv().unwrap_or_else(|_| Err(gone()))
    }

    /// The same, by way of somebody.
    pub fn via(&self, via: Arc<dyn Via>) -> Handle {
        Handle { via: Some(via), ..self.clone() }
    }

    /// How things are.
    pub fn status(&self) -> Result<Status, CommandError> {
        match self.call(Command::Status)? {
            Answer::Status { status } => Ok(*status),
            other => Err(CommandError::new(ErrorCode::Gone, format!("the emulator answered `status` with {other:?}"))),
        }
    }
}

fn gone() -> CommandError {
    CommandError::new(ErrorCode::Gone, "the emulator is shutting down and accepts no more commands")
}

/// The answering end, held by the loop.
#[derive(Debug)]
pub struct Inbox {
    receiver: mpsc::Receiver<(Command, Reply)>,
    wake: Arc<OwnedFd>,
}

impl Inbox {
    /// Readable when a command waits.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.wake.as_fd()
    }

    /// The next command, oldest first. Take until there is none: only then does the file descriptor rest.
    pub fn take(&mut self) -> Option<(Command, Reply)> {
        if let Ok(next) = self.receiver.try_recv() {
            return Some(next);
        }
        // Rest first and look again: whoever sends after the look has yet to wake us.
        let _ = rustix::io::read(&*self.wake, &mut [0u8; 8]);
        self.receiver.try_recv().ok()
    }
}

/// Where the answer to one command goes. It may be kept while a command takes its time.
#[derive(Debug)]
pub struct Reply {
    to: Option<mpsc::SyncSender<Result<Answer, CommandError>>>,
}

impl Reply {
    /// Answers; whoever asked may have gone.
    pub fn send(mut self, answer: Result<Answer, CommandError>) {
        if let Some(to) = self.to.take() {
            let _ = to.try_send(answer);
        }
    }
}

#[cfg(test)]
mod tests;
