//! The loop: one thread waits for sockets, commands and the model, whichever comes first.
//!
//! ```text
//!  ┌▶ wait (epoll: sockets, commands, the timer armed for the next release)
//!  │   release what is due ─▶ answers
//!  │   one turn for each client with something to do, releasing what falls due between them
//!  └── send what waits
//! ```
//!
//! What is due goes before what is new: a client that floods the server delays nobody's completion by more than a turn.
//!
//! Invariant: the timer is armed for the next release whenever the loop waits.

use std::io;

use dw_units::Duration;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::time::Timespec;

use super::desk::Desk;
use super::front_end::FrontEnd;
use super::notice::Notice;
use super::timer::Timer;
use crate::command::{Answer, Command, CommandError, ErrorCode};
use crate::control::{Inbox, Reply};
use crate::pace::HostTime;
use crate::status::Status;

/// Tokens of the loop; front ends have those below.
const TIMER: u64 = u64::MAX;
const COMMANDS: u64 = u64::MAX - 1;
/// Events taken at once.
const EVENTS: usize = 256;
/// Completions released before the sockets are looked at again.
const ROUND: usize = 1_024;

/// The loop and all it owns.
pub(crate) struct EventLoop<F> {
    pub(crate) desk: Desk,
    pub(crate) front: F,
    timer: Timer,
    inbox: Inbox,
    spin: Duration,
    drain: Duration,
    stopping: Option<HostTime>,
    /// Whoever asked for the end is told when it has come.
    asked_to_end: Vec<Reply>,
}

impl<F: FrontEnd> EventLoop<F> {
    pub(crate) fn new(desk: Desk, front: F, inbox: Inbox, spin: Duration, drain: Duration) -> io::Result<Self> {
        let timer = Timer::new()?;
        epoll::add(&desk.epoll, &timer, EventData::new_u64(TIMER), EventFlags::IN | EventFlags::ET)?;
        epoll::add(&desk.epoll, inbox.fd(), EventData::new_u64(COMMANDS), EventFlags::IN)?;
        Ok(EventLoop { desk, front, timer, inbox, spin, drain, stopping: None, asked_to_end: Vec::new() })
    }

    /// Serves until somebody asks for the end and everything under way is answered.
    pub(crate) fn run(&mut self) -> io::Result<()> {
        let mut events: Vec<epoll::Event> = Vec::with_capacity(EVENTS);
        loop {
            events.clear();
            let wait = self.wait()?;
            match epoll::wait(&self.desk.epoll, rustix::buffer::spare_capacity(&mut events), wait.as_ref()) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            for event in &events {
                match event.data.u64() {
                    TIMER => self.timer.fired(),
                    COMMANDS => self.commands(),
                    token => self.front.ready(token, event.flags, &mut self.desk),
                }
            }
            self.release();
            self.turns();
            self.front.flush(&mut self.desk);
            if let Some(deadline) = self.front.deadline() {
                let now = HostTime::now();
                if deadline <= now {
                    self.front.tick(now, &mut self.desk);
                }
            }
            if self.stopping.is_some_and(|until| self.front.is_idle() || HostTime::now() >= until) {
                return Ok(());
            }
        }
    }

    /// Arms the timer; `Some` = do not sleep.
    fn wait(&mut self) -> io::Result<Option<Timespec>> {
        const AT_ONCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };
        if self.front.queued() > 0 {
            return Ok(Some(AT_ONCE));
        }
        if let Some(release) = self.desk.next_release() {
            if self.spin > Duration::ZERO && release <= HostTime::now() + self.spin {
                return Ok(Some(AT_ONCE));
            }
            self.timer.at(release - self.spin)?;
        }
        if let Some(deadline) = [self.front.deadline(), self.stopping].into_iter().flatten().min() {
            self.timer.at(deadline)?;
        }
        Ok(None)
    }

    /// Hands out everything that is due.
    fn release(&mut self) {
        let mut now = HostTime::now();
        for count in 1..=ROUND {
            let Some(done) = self.desk.next_done(now) else { break };
            self.front.complete(done, &mut self.desk);
            if count % 32 == 0 {
                now = HostTime::now();
            }
        }
    }

    /// One turn for everybody who stands in the queue now.
    fn turns(&mut self) {
        for _ in 0..self.front.queued() {
            self.front.turn(&mut self.desk);
            self.release();
        }
    }

    fn commands(&mut self) {
        while let Some((command, reply)) = self.inbox.take() {
            if command == Command::Shutdown {
                self.asked_to_end.push(reply);
                self.stop();
                continue;
            }
            let answer = self.execute(&command);
            if answer.is_ok() && command != Command::Status {
                self.front.changed(&command, &mut self.desk);
            }
            reply.send(answer);
        }
    }

    fn stop(&mut self) {
        if self.stopping.is_none() {
            self.stopping = Some(HostTime::now() + self.drain);
            self.front.stop(&mut self.desk);
        }
    }

    fn execute(&mut self, command: &Command) -> Result<Answer, CommandError> {
        let host = HostTime::now();
        let not = |what: &str| Err(CommandError::new(ErrorCode::NotPossible, what));
        match command {
            Command::Status => Ok(Answer::Status { status: Box::new(self.status(host)) }),
            Command::Pause if self.desk.pace.pause(host) => Ok(Answer::Done),
            Command::Pause => not("the model's time stands still already"),
            Command::Resume if self.desk.pace.resume(host) => Ok(Answer::Done),
            Command::Resume => not("the model's time is not paused"),
            command => {
                if *command == Command::ResetCounters {
                    self.desk.lateness.reset();
                }
                let now = self.desk.instant(host);
                self.desk.engine.command(now, command)
            }
        }
    }

    fn status(&mut self, host: HostTime) -> Status {
        let now = self.desk.instant(host);
        let mut status = self.desk.engine.status(now);
        status.paused = self.desk.pace.is_paused();
        status.lateness = self.desk.lateness.status();
        status.connections = self.front.clients() as u32;
        status
    }

    /// The end: what is still under way is refused, what was acknowledged becomes durable.
    pub(crate) fn finish(&mut self) -> (Status, io::Result<()>) {
        let host = HostTime::now();
        let now = self.desk.instant(host);
        self.front.give_up(now, &mut self.desk);
        let status = self.status(host);
        let result = self.desk.engine.shutdown(now);
        if let Err(error) = &result {
            self.desk.notice(Notice::NotDurable { why: error.to_string() });
        }
        for reply in self.asked_to_end.drain(..) {
            let failed = |e: &io::Error| CommandError::new(ErrorCode::Io, e.to_string());
            reply.send(result.as_ref().map(|()| Answer::Done).map_err(failed));
        }
        (status, result)
    }
}
