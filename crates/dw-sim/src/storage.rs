//! What the loop drives: a stack, and next to it the `null` engine's device.
//!
//! fio's null engine completes every request at once. Time has to advance for a loop in virtual time to end, so each
//! request of a null job takes [`NULL_SERVICE_NS`], one after the other within the job: 2 million requests per second,
//! what fio 3.33 reaches with that engine on a core of 2.7 GHz.
//!
//! Ignores: what a null job costs other jobs' processors.

use crate::Issued;
use dw_stack::{CacheOutcome, Completion, Done, Op, Request, Stack, Tally, TimeSpent, VolumeId};
use dw_units::{Duration, Instant};
use dw_workload::{Direction, Io};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Nanoseconds that a request of a null job takes.
pub const NULL_SERVICE_NS: u64 = 500;

/// What serves requests in virtual time.
pub(crate) trait Storage {
    fn submit(&mut self, now: Instant, request: Request);
    /// A request of a job with the null engine.
    fn submit_null(&mut self, now: Instant, request: Request);
    /// The earliest completion not later than `until`; it can be looked at until the next call.
    fn poll(&mut self, until: Instant) -> Option<Done>;
    /// What [`Storage::poll`] gave.
    fn completion(&self, done: Done) -> &Completion;
    /// Says what will soon be asked for.
    fn hint(&mut self, drawn: &[Io]);
    fn stack(&mut self) -> &mut Stack;
    /// What was counted up to `now`.
    fn tally(&mut self, now: Instant) -> Tally {
        self.stack().catch_up(now);
        Stack::tally(self.stack(), now)
    }
    fn reset_tally(&mut self, now: Instant) {
        self.stack().catch_up(now);
        Stack::reset_tally(self.stack(), now);
    }
    /// Transactions billed, by volume and second.
    fn billed_seconds(&mut self) -> Vec<(u16, u64, u64)> {
        Stack::billed_seconds(self.stack()).map(|(volume, second, n)| (volume.0, second, n)).collect()
    }
}

impl Storage for Stack {
    #[inline(always)]
    fn submit(&mut self, now: Instant, request: Request) {
        Stack::submit(self, now, request);
    }
    fn submit_null(&mut self, _now: Instant, _request: Request) {
        unreachable!("a null job runs on `WithNull`");
    }
    #[inline(always)]
    fn poll(&mut self, until: Instant) -> Option<Done> {
        self.next_done(until)
    }
    #[inline(always)]
    fn completion(&self, done: Done) -> &Completion {
        Stack::completion(self, done)
    }
    #[inline(never)]
    fn hint(&mut self, drawn: &[Io]) {
        let Some(first) = drawn.first() else { return };
        // Most clones have one file, and so one volume.
        if drawn.iter().all(|io| io.volume == first.volume) {
            return Stack::hint_all(self, VolumeId(first.volume), drawn.iter().map(|io| io.offset));
        }
        for io in drawn {
            Stack::hint(self, VolumeId(io.volume), io.offset);
        }
    }
    fn stack(&mut self) -> &mut Stack {
        self
    }
}

/// A stack, and a null device next to it; for runs with null jobs only, so that the others do not pay for it.
pub(crate) struct WithNull {
    stack: Stack,
    /// `(finish, sequence)` of each request under way.
    queue: BinaryHeap<Reverse<(Instant, u64)>>,
    requests: std::collections::VecDeque<Option<(Instant, Request)>>,
    /// Sequence number of the front of `requests`.
    front: u64,
    /// When each job's previous request finishes, by `Request::user`.
    free_at: Vec<Instant>,
    /// What `poll` gave last, where it was a null job's.
    current: Option<Completion>,
}

impl WithNull {
    pub(crate) fn new(stack: Stack, jobs: usize) -> Self {
        WithNull {
            stack,
            queue: BinaryHeap::new(),
            requests: std::collections::VecDeque::new(),
            front: 0,
            free_at: vec![Instant::START; jobs],
            current: None,
        }
    }
    fn pop(&mut self) -> Option<Completion> {
        let Reverse((finished, sequence)) = self.queue.pop()?;
        let (submitted, request) = self.requests[(sequence - self.front) as usize].take()?;
        while let Some(None) = self.requests.front() {
            self.requests.pop_front();
            self.front += 1;
        }
        Some(Completion {
            user: request.user,
            volume: request.volume,
            op: request.op,
            len: request.len,
            submitted,
            finished,
            cache: CacheOutcome::Bypass,
            spent: TimeSpent { served: finished.since(submitted), ..TimeSpent::default() },
        })
    }
}

impl Storage for WithNull {
    fn submit(&mut self, now: Instant, request: Request) {
        self.stack.submit(now, request);
    }
    fn submit_null(&mut self, now: Instant, request: Request) {
        let free_at = &mut self.free_at[request.user as usize];
        *free_at = now.max(*free_at) + Duration::from_ns(NULL_SERVICE_NS);
        self.queue.push(Reverse((*free_at, self.front + self.requests.len() as u64)));
        self.requests.push_back(Some((now, request)));
    }
    fn poll(&mut self, until: Instant) -> Option<Done> {
        let null = self.queue.peek().map_or(Instant::NEVER, |&Reverse((null, _))| null);
        let of_stack = self.stack.next_done(until.min(null));
        self.current = match of_stack {
            None if null <= until => self.pop(),
            _ => None,
        };
        of_stack.or(self.current.is_some().then_some(Done::default()))
    }
    fn completion(&self, done: Done) -> &Completion {
        self.current.as_ref().unwrap_or_else(|| self.stack.completion(done))
    }
    fn hint(&mut self, drawn: &[Io]) {
        Storage::hint(&mut self.stack, drawn);
    }
    fn stack(&mut self) -> &mut Stack {
        &mut self.stack
    }
}

/// Anything that serves requests, and a log of those that jobs issued; for runs that are asked for one only.
pub(crate) struct Logged<S> {
    pub(crate) storage: S,
    pub(crate) log: Vec<Issued>,
}

impl<S> Logged<S> {
    fn note(&mut self, at: Instant, request: &Request) {
        let direction = match request.op {
            Op::Read => Direction::Read,
            Op::Write => Direction::Write,
            Op::Trim => Direction::Trim,
            Op::Flush => return,
        };
        let io = Io { offset: request.offset, len: request.len, volume: request.volume.0, direction };
        self.log.push(Issued { at, job: request.user as usize, io });
    }
}

impl<S: Storage> Storage for Logged<S> {
    fn submit(&mut self, now: Instant, request: Request) {
        self.note(now, &request);
        self.storage.submit(now, request);
    }
    fn submit_null(&mut self, now: Instant, request: Request) {
        self.note(now, &request);
        self.storage.submit_null(now, request);
    }
    fn poll(&mut self, until: Instant) -> Option<Done> {
        self.storage.poll(until)
    }
    fn completion(&self, done: Done) -> &Completion {
        self.storage.completion(done)
    }
    fn hint(&mut self, drawn: &[Io]) {
        self.storage.hint(drawn);
    }
    fn stack(&mut self) -> &mut Stack {
        self.storage.stack()
    }
}

/// Another engine in the place of the stack; tests hold the one against the other.
#[doc(hidden)]
pub trait Engine {
    /// As [`Stack::warm`].
    fn warm(&mut self, volume: VolumeId, offset: u64, len: u64);
    /// As [`Stack::watch_usage`].
    fn watch_usage(&mut self);
    /// As [`Stack::submit`].
    fn submit(&mut self, now: Instant, request: Request);
    /// As [`Stack::poll_completion`].
    fn poll(&mut self, until: Instant) -> Option<Completion>;
    /// As [`Stack::tally`].
    fn tally(&self, now: Instant) -> Tally;
    /// As [`Stack::reset_tally`].
    fn reset_tally(&mut self, now: Instant);
    /// As [`Stack::billed_seconds`].
    fn billed_seconds(&self) -> Vec<(u16, u64, u64)>;
}

/// Such an engine under the loop; null jobs have no place there.
pub(crate) struct Other<E> {
    pub(crate) engine: E,
    /// What `poll` gave last.
    pub(crate) current: Option<Completion>,
}

impl<E: Engine> Storage for Other<E> {
    fn submit(&mut self, now: Instant, request: Request) {
        self.engine.submit(now, request);
    }
    fn submit_null(&mut self, _now: Instant, _request: Request) {
        unreachable!("a null job runs on `WithNull`");
    }
    fn poll(&mut self, until: Instant) -> Option<Done> {
        self.current = self.engine.poll(until);
        self.current.is_some().then_some(Done::default())
    }
    fn completion(&self, _done: Done) -> &Completion {
        self.current.as_ref().expect("it was polled")
    }
    fn hint(&mut self, _drawn: &[Io]) {}
    fn stack(&mut self) -> &mut Stack {
        unreachable!("another engine has no stack");
    }
    fn tally(&mut self, now: Instant) -> Tally {
        self.engine.tally(now)
    }
    fn reset_tally(&mut self, now: Instant) {
        self.engine.reset_tally(now);
    }
    fn billed_seconds(&mut self) -> Vec<(u16, u64, u64)> {
        self.engine.billed_seconds()
    }
}
