//! Volumes as files as a way in: requests that the kernel sent through FUSE, taken from the session's queue.
//!
//! The kernel is one party: it gets one bounded turn, and its answers go out one by one as they fall due, each a call of the
//! operating system that also completes the request of whoever asked.
//!
//! Invariant: a request through a handle of an earlier life reaches no disk ([`super::files`] says what a life is).

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use dw_units::Instant;
use fuser::Errno;
use rustix::event::epoll::{self, EventData, EventFlags};

use super::answers::{Answers, Shift};
use super::clients::takes_away;
use super::desk::Desk;
use super::files::{Answer, Asked, Call, FilesInbox, Shared, Wanted, errno};
use super::front_end::FrontEnd;
use super::front_ends::Way;
use super::pending::PendingTable;
use crate::command::Command;
use crate::engine::{Done, Engine, ExportId, IoRequest};
use crate::pace::HostTime;

/// Requests begun in one turn.
const TURN: usize = 32;
/// Extents read at once in a search for data or a hole.
const EXTENTS: usize = 256;

/// A request under way.
#[derive(Debug)]
struct Waiting {
    answer: Answer,
    /// Bytes of a write.
    payload: usize,
    /// How long the host took for its bytes so far, ns, if that is watched.
    host_ns: u64,
    shift: Shift,
}

/// All requests from the kernel.
#[derive(Debug)]
pub(crate) struct FileFront {
    shared: Arc<Shared>,
    calls: VecDeque<Call>,
    taken: Vec<Call>,
    pending: PendingTable<Waiting>,
    /// Per export, since each file has its own users.
    answers: Vec<Answers>,
    scratch: Vec<u8>,
    stopping: bool,
}

impl FileFront {
    pub(crate) fn new(way: Way, inbox: FilesInbox, desk: &Desk) -> io::Result<FileFront> {
        let shared = inbox.0;
        epoll::add(&desk.epoll, &shared.wake, EventData::new_u64(way.mark(0)), EventFlags::IN)?;
        Ok(FileFront {
            shared,
            calls: VecDeque::new(),
            taken: Vec::new(),
            pending: PendingTable::new(way),
            answers: desk.engine.exports().iter().map(|_| Answers::default()).collect(),
            scratch: Vec::new(),
            stopping: false,
        })
    }

    fn submit(&mut self, call: Call, desk: &mut Desk) {
        let Call { export, life, asked, offset, len, data, came, answer } = call;
        if self.stopping || self.shared.life(export) != Some(life) {
            self.shared.payload.fetch_sub(data.len(), Ordering::Relaxed);
            return answer.refuse(Errno::EIO);
        }
        let (op, fua) = match asked {
            Asked::Io(op, fua) => (op, fua),
            Asked::Seek(wanted) => return found(answer, seek(&desk.engine, export, offset, wanted)),
        };
        let arrival = self.answers[usize::from(export.0)].arrival(came, desk);
        let cookie = self.pending.insert(Waiting { answer, payload: data.len(), host_ns: 0, shift: arrival.shift });
        let host_ns = desk.submit(arrival.at, IoRequest { export, op, fua, offset, len, data, cookie });
        if host_ns > 0
            && let Some(waiting) = self.pending.get_mut(cookie)
        {
            waiting.host_ns = host_ns;
        }
    }

    /// What was under way is gone.
    fn forget(&mut self) {
        for Waiting { answer, payload, .. } in self.pending.drain() {
            // What waits to be begun is still counted.
            self.shared.payload.fetch_sub(payload, Ordering::Relaxed);
            answer.refuse(Errno::EIO);
        }
    }
}

impl FrontEnd for FileFront {
    fn ready(&mut self, _token: u64, _flags: EventFlags, _desk: &mut Desk) {
        // Rest first: whoever comes after the look has yet to wake us.
        let _ = rustix::io::read(&self.shared.wake, &mut [0u8; 8]);
        self.shared.take(&mut self.taken);
        self.calls.extend(self.taken.drain(..));
    }

    fn queued(&self) -> usize {
        usize::from(!self.calls.is_empty())
    }

    fn turn(&mut self, desk: &mut Desk) -> usize {
        let count = self.calls.len().min(TURN);
        for _ in 0..count {
            if let Some(call) = self.calls.pop_front() {
                self.submit(call, desk);
            }
        }
        count
    }

    fn complete(&mut self, done: Done, desk: &mut Desk) {
        let Some(Waiting { answer, payload, mut host_ns, shift }) = self.pending.take(done.cookie) else { return };
        self.shared.payload.fetch_sub(payload, Ordering::Relaxed);
        let mut result = done.result;
        if result.is_ok() && matches!(answer, Answer::Data(_)) {
            self.scratch.resize(done.len as usize, 0);
            let scratch = &mut self.scratch;
            let read = desk.timed(|desk| desk.engine.read(done.export, done.offset, scratch));
            result = read.0;
            host_ns += read.1;
        }
        desk.lateness.host_slower(u64::from(host_ns > done.due.since(done.submitted).ns()));
        // Before the reply: whoever it wakes may ask again before we look at the clock.
        let answers = &mut self.answers[usize::from(done.export.0)];
        answers.push(&done, shift, None);
        answers.given(desk);
        match (result, answer) {
            (Err(error), answer) => answer.refuse(errno(error)),
            (Ok(()), Answer::Data(reply)) => reply.data(&self.scratch),
            (Ok(()), Answer::Written(reply)) => reply.written(done.len as u32),
            (Ok(()), Answer::Done(reply)) => reply.ok(),
            (Ok(()), answer @ Answer::Offset(_)) => answer.refuse(Errno::EINVAL), // answered at once
        }
    }

    fn flush(&mut self, _desk: &mut Desk) {}

    fn changed(&mut self, command: &Command, desk: &mut Desk) {
        self.shared.show(&desk.engine, |export| takes_away(command, export));
        if matches!(command, Command::Crash { .. }) {
            self.forget();
        }
    }

    fn refresh(&mut self, desk: &mut Desk) {
        self.shared.show(&desk.engine, |export| export.detached);
    }

    fn deadline(&self) -> Option<HostTime> {
        None
    }

    fn tick(&mut self, _now: HostTime, _desk: &mut Desk) {}

    fn stop(&mut self, _desk: &mut Desk) {
        self.stopping = true;
    }

    fn is_idle(&self) -> bool {
        self.pending.len() == 0
    }

    fn give_up(&mut self, _now: Instant, _desk: &mut Desk) {
        self.forget();
        self.shared.close();
    }

    fn clients(&self) -> usize {
        self.shared.open.load(Ordering::Relaxed)
    }

    fn clients_ever(&self) -> u64 {
        self.shared.opened.load(Ordering::Relaxed)
    }
}

/// The first byte from `offset` on that is `wanted`; the end of a disk is a hole.
fn seek(engine: &Engine, export: ExportId, offset: u64, wanted: Wanted) -> Option<u64> {
    let size = engine.exports().get(usize::from(export.0))?.size;
    let mut at = offset;
    while at < size {
        let extents = engine.extents(export, at, size - at, EXTENTS);
        if extents.is_empty() {
            break;
        }
        for extent in extents {
            if extent.hole == (wanted == Wanted::Hole) {
                return Some(at);
            }
            at += extent.len;
        }
    }
    (wanted == Wanted::Hole && offset < size).then_some(size)
}

fn found(answer: Answer, offset: Option<u64>) {
    match (answer, offset.and_then(|offset| i64::try_from(offset).ok())) {
        (Answer::Offset(reply), Some(offset)) => reply.offset(offset),
        (answer, _) => answer.refuse(Errno::ENXIO),
    }
}

impl Drop for FileFront {
    fn drop(&mut self) {
        self.shared.close();
    }
}
