//! The loop: one thread waits for sockets, commands and the model, whichever comes first.
//!
//! ```text
//!  ┌▶ wait (epoll: sockets, commands, the timer armed for the next release)
//!  │   release what is due ─▶ answers, sent
//!  │   one turn for each client with something to do, releasing what falls due between them
//!  └── send what waits
//! ```
//!
//! Waiting is asleep, or awake where the next thing is near ([`super::patience`]); how long nobody has looked is [`super::attention`]'s.
//!
//! What is due goes before what is new: a client that floods the server delays nobody's completion by more than a turn.
//!
//! Invariant: the timer is armed for the next release whenever the loop sleeps.

use std::io;

use dw_units::Duration;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::time::Timespec;

use super::attention::BEAT;
use super::desk::Desk;
use super::freed_memory::FreedMemory;
use super::front_end::FrontEnd;
use super::notice::Notice;
use super::patience::Patience;
use super::timer::Timer;
use crate::command::{Answer, Command, CommandError, ErrorCode};
use crate::control::{Inbox, Reply};
use crate::engine::{Changed, IoOp};
use crate::pace::HostTime;
use crate::status::Status;
use crate::status::meter::Throttled;
use crate::timeline::{Planned, Timeline};

/// Tokens of the loop; front ends have those below.
const TIMER: u64 = u64::MAX;
const COMMANDS: u64 = u64::MAX - 1;
/// Events taken at once.
const EVENTS: usize = 256;
/// Completions released before the sockets are polled again.
const ROUND: usize = 1_024;

/// What is released later than this a stall has left behind.
const BEHIND: Duration = Duration::from_ms(1);
/// How long clients are waited for, then, before more of it is.
const CLIENTS_TURN: Duration = Duration::from_us(100);

/// Between two looks at which limits held requests up.
const SECOND: Duration = Duration::from_secs(1);

fn timespec(time: Duration) -> Timespec {
    Timespec {
        tv_sec: (time.ns() / dw_units::NS_PER_SECOND) as i64,
        tv_nsec: (time.ns() % dw_units::NS_PER_SECOND) as _,
    }
}

/// How the loop is to go about it.
pub(crate) struct Plan {
    /// Before a release, this long is spent looking at the clock instead of asleep.
    pub(crate) spin: Duration,
    /// How long requests under way may take to end when the server stops.
    pub(crate) drain: Duration,
    /// Commands at instants of the model.
    pub(crate) timeline: Timeline,
    /// Carries them out in place of the loop.
    pub(crate) planned: Option<Box<dyn FnMut(Planned)>>,
    /// Told every second in which a limit held requests up.
    pub(crate) throttled: Option<Box<dyn FnMut(Throttled)>>,
}

struct ThrottleLog {
    next: HostTime,
    write: Box<dyn FnMut(Throttled)>,
}

/// The loop and all it owns.
pub(crate) struct EventLoop<F> {
    pub(crate) desk: Desk,
    pub(crate) front: F,
    timer: Timer,
    inbox: Inbox,
    spin: Duration,
    patience: Patience,
    freed: FreedMemory,
    /// Until when clients are waited for after a stall.
    catching_up: Option<HostTime>,
    drain: Duration,
    timeline: Timeline,
    planned: Option<Box<dyn FnMut(Planned)>>,
    throttled: Option<ThrottleLog>,
    stopping: Option<HostTime>,
    /// Whoever asked for the end is told when it has come.
    asked_to_end: Vec<Reply>,
}

impl<F: FrontEnd> EventLoop<F> {
    pub(crate) fn new(mut desk: Desk, front: F, inbox: Inbox, plan: Plan) -> io::Result<Self> {
        let timer = Timer::new()?;
        epoll::add(&desk.epoll, &timer, EventData::new_u64(TIMER), EventFlags::IN | EventFlags::ET)?;
        epoll::add(&desk.epoll, inbox.fd(), EventData::new_u64(COMMANDS), EventFlags::IN)?;
        let throttled = plan.throttled.map(|write| {
            desk.engine.watch_throttling();
            ThrottleLog { next: HostTime::now() + SECOND, write }
        });
        let Plan { spin, drain, timeline, planned, .. } = plan;
        Ok(EventLoop {
            desk,
            front,
            timer,
            inbox,
            spin,
            patience: Patience::default(),
            freed: FreedMemory::new(HostTime::now()),
            catching_up: None,
            drain,
            timeline,
            planned,
            throttled,
            stopping: None,
            asked_to_end: Vec::new(),
        })
    }

    /// Serves until somebody asks for the end and everything under way is answered.
    pub(crate) fn run(&mut self) -> io::Result<()> {
        let mut events: Vec<epoll::Event> = Vec::with_capacity(EVENTS);
        loop {
            events.clear();
            let asleep = HostTime::now();
            let until = self.wait(asleep)?;
            let wait = until.map(|until| timespec(until.since(asleep)));
            match epoll::wait(&self.desk.epoll, rustix::buffer::spare_capacity(&mut events), wait.as_ref()) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            self.desk.attention.looks(asleep, until, HostTime::now());
            for event in &events {
                match event.data.u64() {
                    TIMER => self.timer.fired(),
                    COMMANDS => self.commands(),
                    token => self.front.ready(token, event.flags, &mut self.desk),
                }
            }
            if self.release() {
                self.patience.released();
                // What is due goes out before anything new is read.
                self.front.flush(&mut self.desk);
            }
            if self.front.queued() > 0 {
                self.turns();
            }
            self.front.flush(&mut self.desk);
            self.changed();
            self.housekeeping();
            if self.stopping.is_some_and(|until| self.front.is_idle() || HostTime::now() >= until) {
                return Ok(());
            }
        }
    }

    /// Until when to sleep; `None` = until something comes. Arms the timer for the next release.
    fn wait(&mut self, now: HostTime) -> io::Result<Option<HostTime>> {
        if self.front.queued() > 0 || self.front.has_backlog() {
            return Ok(Some(now));
        }
        let release =
            self.desk.next_release().map(|release| self.catching_up.map_or(release, |until| release.max(until)));
        if self.patience.looks(now, release) {
            return Ok(Some(now));
        }
        if let Some(release) = release {
            if self.spin > Duration::ZERO && release <= now + self.spin {
                return Ok(Some(now));
            }
            self.timer.at(release - self.spin)?;
        }
        // What need not be exact does without the timer, which would have to be armed again each time.
        let planned = self.timeline.next().and_then(|at| self.desk.pace.host(at));
        let log = self.throttled.as_ref().map(|log| log.next);
        let is_at_rest = release.is_none() && self.desk.engine.next_event().is_none();
        let freed = if is_at_rest { self.freed.rest(now) } else { None };
        let notices = self.desk.notice_deadline();
        let beat = (self.front.clients() > 0).then_some(now + BEAT);
        let deadlines = [self.front.deadline(), self.stopping, planned, log, freed, notices, beat];
        Ok(deadlines.into_iter().flatten().min())
    }

    /// Changes that had to wait for their volume are made when it comes to rest, which no command sees.
    #[inline]
    fn changed(&mut self) {
        while let Some(Changed { what, result }) = self.desk.engine.poll_change() {
            self.front.refresh(&mut self.desk);
            if let Err(why) = result {
                self.desk.notice(Notice::NotChanged { what, why });
            }
        }
        while let Some(refused) = self.desk.engine.poll_refusal() {
            self.desk.notice(Notice::HostRefused { refused });
        }
    }

    /// What comes seldom: time-outs, the timeline, the log.
    #[inline]
    fn housekeeping(&mut self) {
        let is_planned = self.front.deadline().is_some() || self.desk.notice_deadline().is_some();
        if !is_planned && self.timeline.next().is_none() && self.throttled.is_none() {
            return;
        }
        let host = HostTime::now();
        self.desk.tell_left_out(host);
        if self.front.deadline().is_some_and(|deadline| deadline <= host) {
            self.front.tick(host, &mut self.desk);
        }
        while let Some(planned) = self.timeline.due(self.desk.pace.model(host)) {
            if let Some(carry_out) = &mut self.planned {
                carry_out(planned);
                continue;
            }
            let result = self.carry_out(&planned.command);
            self.desk.notice(Notice::Planned { line: planned.line, result });
        }
        if self.throttled.as_ref().is_some_and(|log| log.next <= host) {
            self.log_throttled(host);
        }
    }

    fn log_throttled(&mut self, host: HostTime) {
        let now = self.desk.instant(host);
        if let Some(log) = &mut self.throttled {
            self.desk.engine.throttled(now).into_iter().for_each(&mut log.write);
            log.next = host + SECOND;
        }
    }

    /// Hands out what is due; whether there was anything.
    ///
    /// After a stall all that is under way may be due, and what comes on the replies is dated back, but not to before the last of
    /// them: the disk would have been idle until then, for as long as it serves a request. So it goes out by halves.
    fn release(&mut self) -> bool {
        let mut now = HostTime::now();
        if self.catching_up.is_some_and(|until| now < until) {
            return false;
        }
        let is_behind = self.desk.next_release().is_some_and(|release| release + BEHIND < now);
        self.catching_up = is_behind.then_some(now + CLIENTS_TURN);
        let most = if is_behind { self.desk.engine.in_flight().div_ceil(2).min(ROUND) } else { ROUND };
        for count in 0..most {
            let Some(done) = self.desk.next_done(now) else { return count > 0 };
            let changes = matches!(done.op, IoOp::Write | IoOp::Trim | IoOp::Zero { .. });
            self.freed.answered(now, if changes { done.len } else { 0 });
            self.front.complete(done, &mut self.desk);
            if count % 32 == 31 {
                now = HostTime::now();
            }
        }
        true
    }

    /// One turn for everybody who stands in the queue now.
    fn turns(&mut self) {
        let (now, mut most, mut released) = (HostTime::now(), 0, false);
        for _ in 0..self.front.queued() {
            most = most.max(self.front.turn(&mut self.desk));
            if most > 0 {
                self.catching_up = None;
            }
            released |= self.release();
        }
        self.patience.came(now, most);
        if released {
            self.patience.released();
        }
    }

    fn commands(&mut self) {
        while let Some((command, reply)) = self.inbox.take() {
            if command == Command::Shutdown {
                self.asked_to_end.push(reply);
                self.stop();
            } else {
                reply.send(self.carry_out(&command));
            }
        }
    }

    /// A command with what follows from it for the clients.
    fn carry_out(&mut self, command: &Command) -> Result<Answer, CommandError> {
        if *command == Command::Shutdown {
            self.stop();
            return Ok(Answer::Done);
        }
        let answer = self.execute(command);
        if answer.is_ok() && *command != Command::Status {
            self.front.changed(command, &mut self.desk);
        }
        answer
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
            Command::Pause => not("the model's time is paused already"),
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
        self.log_throttled(host);
        let result = self.desk.engine.shutdown(now);
        if let Err(error) = &result {
            self.desk.notice(Notice::NotDurable { why: error.to_string() });
        }
        self.desk.tell_left_out(HostTime::from_ns(u64::MAX));
        for reply in self.asked_to_end.drain(..) {
            let failed = |e: &io::Error| CommandError::new(ErrorCode::Io, e.to_string());
            reply.send(result.as_ref().map(|()| Answer::Done).map_err(failed));
        }
        (status, result)
    }
}
