//! Where stack and bytes meet: the disks of one VM as a machine that is told the time.
//!
//! ```text
//!  submit ─▶ checks ─▶ faults ─▶ stack (how long) ─▶ settle ─▶ poll: Done, in order of `due`
//!                         └────▶ arrive ────────────────┴────▶ overlay (volatile) over store (durable), a disk
//! ```
//!
//! Requests are answered in model time: [`Done::due`] is the instant at which the modelled disk is done. Reads hold no
//! data while they wait; whoever sends the reply asks [`Engine::read`] at that moment. When a write reaches the store, and
//! what of it a crash may take back, is told in `engine/settle.rs` and `durability/`.
//!
//! Before anything else at an instant, the engine takes in what its stack did up to it, so a flush that is submitted
//! covers every write that was done by then, of all connections.
//!
//! Ignores: sockets and the clock of the host; how often `poll` is called changes nothing but when an answer is seen.
//!
//! Invariant: every request that was submitted comes back from [`Engine::poll`] exactly once, unless a crash came first.

mod bytes;
mod change;
mod command;
mod crash;
mod disk;
mod export;
mod fault;
mod log;
mod request;
mod sabotage;
mod settle;
mod status;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::io;
use std::sync::Arc;

use dw_stack::{CacheMode, Completion, HostCacheSpec, Op, Path, Request, Stack, StackSpec, VolumeId};
use dw_units::{Duration, Instant};

use crate::durability::END;
use crate::inject::{Rules, Verdict};
use crate::status::Refusal;
use crate::status::meter::Meter;
use crate::store::{Refusals, Store, Watched};
use bytes::each_run;
use change::Change;
pub use change::Changed;
pub(crate) use change::LOOK;
use disk::Disk;
pub use export::{EngineError, EngineOptions, Export, ExportId, VolumeOptions};
use export::{Target, describe};
use log::Log;
use request::Slot;
pub use request::{Done, IoError, IoOp, IoRequest};
#[doc(hidden)]
pub use sabotage::Mutant;
use sabotage::Sabotage;

/// The largest piece of a trim that the stack is given at once.
const PIECE_MAX: u64 = 1 << 30;
/// The same for zeroes that are written out, and for prefetches: they move bytes.
const MOVED_MAX: u64 = 32 << 20;
/// A request of the engine's own.
const OWN: u64 = u64::MAX;

/// A volume of the stack.
struct Volume {
    id: VolumeId,
    /// Index of its first disk in the engine.
    first_disk: usize,
    disks: usize,
    /// Number of the export that is its first disk.
    first_member: u16,
    path: Path,
    mode: CacheMode,
    /// An acknowledged write may be in the host cache only.
    write_back: bool,
    /// Requests that the stack has.
    under_way: u32,
}

/// The disks of one VM: limits, waiting and bytes.
pub struct Engine {
    stack: Stack,
    volumes: Vec<Volume>,
    disks: Vec<Disk>,
    exports: Vec<Export>,
    targets: Vec<Target>,
    slots: Vec<Option<Slot>>,
    free: Vec<u32>,
    /// Done, not yet polled.
    ready: VecDeque<Done>,
    /// Volatile writes so far: the newest one's number.
    writes: u64,
    /// Requests so far.
    arrivals: u64,
    rules: Rules,
    /// Done for the stack, but a fault adds latency: until when, which.
    delayed: BinaryHeap<Reverse<(Instant, u32)>>,
    /// Done for the stack, but stuck on a fault.
    stuck: Vec<u32>,
    /// Changes that wait for their volumes to come to rest; the first is being made.
    changes: VecDeque<Change>,
    /// Changes that were made or given up, for [`Engine::poll_change`].
    changed: VecDeque<Changed>,
    /// Requests that came while their volume was changed.
    held: VecDeque<(Instant, IoRequest)>,
    host_cache: Option<HostCacheSpec>,
    /// Bytes that a torn write keeps or loses together.
    atomic_unit: u64,
    meter: Meter,
    refusals: Arc<Refusals>,
    /// Which kinds of them were told.
    refusals_told: [bool; 2],
    sabotage: Option<Box<Sabotage>>,
    /// Where what becomes durable is written down.
    logs: Vec<Log>,
    /// Crashes so far.
    crashes: u32,
}

impl Engine {
    /// Joins a stack with its stores: one a disk, volume by volume.
    ///
    /// # Errors
    /// When the description is not a stack, or a store does not fit its disk.
    pub fn new(spec: StackSpec, stores: Vec<Box<dyn Store>>, options: EngineOptions) -> Result<Engine, EngineError> {
        let (mut exports, targets) = describe(&spec, &stores, &options)?;
        let mut volumes: Vec<Volume> = Vec::new();
        let mut first_disk = 0;
        for (index, volume) in spec.volumes.iter().enumerate() {
            volumes.push(Volume {
                id: VolumeId(index as u16),
                first_disk,
                disks: volume.disks.len(),
                first_member: (spec.volumes.len() + first_disk) as u16,
                path: volume.path.clone(),
                mode: volume.host_cache,
                write_back: volume.host_cache == CacheMode::ReadWrite,
                under_way: 0,
            });
            first_disk += volume.disks.len();
        }
        let specs = spec.volumes.iter().flat_map(|volume| volume.disks.iter().cloned());
        let refusals = Arc::new(Refusals::default());
        let watched = |store| Box::new(Watched::new(store, refusals.clone()));
        let disks = stores.into_iter().zip(specs).map(|(store, spec)| Disk::new(watched(store), spec)).collect();
        let host_cache = spec.vm.host_cache.clone();
        let described = spec.clone();
        let mut stack = Stack::new(spec)?;
        stack.watch_limits();
        let meter = Meter::new(&described, Instant::START, &stack.tally(Instant::START));
        if host_cache.is_some() {
            stack.watch_destages();
        }
        for volume in &volumes {
            exports[usize::from(volume.id.0)].size = stack.volume_size(volume.id).get();
        }
        Ok(Engine {
            stack,
            volumes,
            disks,
            exports,
            targets,
            slots: Vec::new(),
            free: Vec::new(),
            ready: VecDeque::new(),
            writes: 0,
            arrivals: 0,
            rules: Rules::default(),
            delayed: BinaryHeap::new(),
            stuck: Vec::new(),
            changes: VecDeque::new(),
            changed: VecDeque::new(),
            held: VecDeque::new(),
            host_cache,
            atomic_unit: options.atomic_unit,
            meter,
            refusals,
            refusals_told: [false; 2],
            sabotage: None,
            logs: Vec::new(),
            crashes: 0,
        })
    }

    /// What clients can see: every volume in order, then the member disks `VOLUME.0`, `VOLUME.1` ... of every volume.
    pub fn exports(&self) -> &[Export] {
        &self.exports
    }

    /// The export of this name; the empty name is the only volume, if there is just one.
    pub fn find(&self, name: &str) -> Option<ExportId> {
        if name.is_empty() {
            return (self.volumes.len() == 1).then_some(ExportId(0));
        }
        self.exports.iter().position(|export| export.name == name).map(|index| ExportId(index as u16))
    }

    /// Makes a range of a volume resident in the host cache, as if it had just been read.
    pub fn warm(&mut self, volume: ExportId, offset: u64, len: u64) {
        if let Some(volume) = self.volumes.get(usize::from(volume.0)) {
            self.stack.warm(volume.id, offset, len);
        }
    }

    /// Hands a request in at `now`. A bad request comes back from [`Engine::poll`] with an error.
    pub fn submit(&mut self, now: Instant, request: IoRequest) {
        self.catch_up(now);
        if !self.changes.is_empty() && self.holds(request.export) {
            return self.held.push_back((now, request));
        }
        self.admit(now, now, request);
    }

    /// A request that came at `submitted` goes on its way at `now`.
    fn admit(&mut self, now: Instant, submitted: Instant, request: IoRequest) {
        let result = self.check(&request);
        let nothing = request.len == 0 && request.op != IoOp::Flush;
        self.arrivals += 1;
        let mut slot = Slot::new(request, submitted, self.arrivals, result);
        let Some(target) = self.targets.get(usize::from(slot.export.0)) else {
            return self.ready.push_back(slot.done(now, None));
        };
        let volume = target.volume;
        self.meter.submitted(volume);
        if result.is_err() || nothing {
            let done = slot.done(now, None);
            self.count(&done);
            return self.ready.push_back(done);
        }
        slot.waits = self.volumes[volume].write_back && slot.op.changes();
        if !self.rules.is_empty() {
            let verdict = self.verdict(&slot);
            slot.fate(verdict);
        }
        self.arrive(&mut slot);
        self.volumes[volume].under_way += 1;
        let index = match self.free.pop() {
            Some(index) => {
                self.slots[index as usize] = Some(slot);
                index
            }
            None => {
                self.slots.push(Some(slot));
                (self.slots.len() - 1) as u32
            }
        };
        self.give(now, index);
    }

    /// What can be known to be wrong before anything happens.
    fn check(&self, request: &IoRequest) -> Result<(), IoError> {
        let export = self.exports.get(usize::from(request.export.0)).ok_or(IoError::Invalid)?;
        if export.detached {
            return Err(IoError::Shutdown);
        }
        if request.op.changes() && export.read_only {
            return Err(IoError::NotPermitted);
        }
        if request.op == IoOp::Flush {
            return Ok(());
        }
        if request.op == IoOp::Write && request.data.len() as u64 != request.len {
            return Err(IoError::Invalid);
        }
        if request.offset.checked_add(request.len).is_none_or(|end| end > export.size) {
            let grows = matches!(request.op, IoOp::Write | IoOp::Zero { .. });
            return Err(if grows { IoError::NoSpace } else { IoError::Invalid });
        }
        Ok(())
    }

    /// Gives the stack the next piece of a request.
    #[inline]
    fn give(&mut self, now: Instant, index: u32) {
        let Some(slot) = &mut self.slots[index as usize] else { return };
        let (op, piece_max) = match slot.op {
            IoOp::Read => (Op::Read, PIECE_MAX),
            IoOp::Cache => (Op::Read, MOVED_MAX),
            IoOp::Write => (Op::Write, PIECE_MAX),
            IoOp::Zero { punch: false } => (Op::Write, MOVED_MAX),
            IoOp::Trim | IoOp::Zero { punch: true } => (Op::Trim, PIECE_MAX),
            IoOp::Flush => (Op::Flush, 0),
        };
        let piece = (slot.len - slot.given).min(piece_max);
        let target = self.targets[usize::from(slot.export.0)];
        let volume = self.volumes[target.volume].id;
        let offset = if op == Op::Flush { 0 } else { slot.offset + slot.given };
        let request = Request { volume, op, fua: slot.fua, offset, len: piece as u32, user: u64::from(index) };
        slot.given += piece;
        // What zeroes and frees on this machine goes by pieces too: four gigabytes at once may take it seconds.
        let applies = !slot.waits && matches!(slot.op, IoOp::Trim | IoOp::Zero { .. });
        let op = slot.op;
        if applies {
            let fua = slot.fua;
            let result = self.put(target, op, fua, (offset, piece), &[]);
            if let Some(slot) = &mut self.slots[index as usize] {
                slot.result = slot.result.and(result);
            }
        }
        match target.member {
            None => self.stack.submit(now, request),
            Some(member) => self.stack.submit_to(now, member, request),
        }
    }

    /// Takes in what the model did up to `now`, so that what happens at `now` finds it done.
    #[inline]
    fn catch_up(&mut self, now: Instant) {
        while let Some(done) = self.advance(now) {
            self.ready.push_back(done);
        }
        if now >= self.meter.due() {
            self.close_second(now);
        }
    }

    /// The next request that is done by `until`.
    #[inline]
    fn advance(&mut self, until: Instant) -> Option<Done> {
        loop {
            let next = self.delayed.peek().map_or(until, |next| until.min(next.0.0));
            let completion = self.stack.poll_completion(next);
            if self.host_cache.is_some() {
                self.take_destages();
            }
            let done = match completion {
                Some(completion) => self.completed(completion),
                None => Some(self.delayed(until)?),
            };
            if done.is_some() {
                return done;
            }
        }
    }

    /// The stack is done with a request, or with a piece of one.
    #[inline]
    fn completed(&mut self, completion: Completion) -> Option<Done> {
        if completion.user == OWN {
            self.own_flush_done(completion.finished);
            return None;
        }
        let index = completion.user as u32;
        let slot = self.slots[index as usize].as_ref()?;
        if slot.given < slot.len && slot.op != IoOp::Flush {
            self.give(completion.finished, index);
            return None;
        }
        let (export, struck) = (slot.export, slot.struck);
        self.volumes[self.targets[usize::from(export.0)].volume].under_way -= 1;
        let done = if struck {
            self.strike(index, completion)
        } else {
            let mut slot = self.slots[index as usize].take()?;
            self.free.push(index);
            self.settle(&mut slot);
            Some(self.counted(slot.done(completion.finished, Some(completion))))
        };
        if !self.changes.is_empty() {
            self.progress(completion.finished);
        }
        done
    }

    /// A request that a fault had delayed or held is done.
    fn finish(&mut self, due: Instant, index: u32) -> Option<Done> {
        let mut slot = self.slots[index as usize].take()?;
        self.free.push(index);
        self.settle(&mut slot);
        let completion = slot.completion.take().map(|completion| *completion);
        Some(self.counted(slot.done(due, completion)))
    }

    #[inline]
    fn counted(&mut self, done: Done) -> Done {
        self.count(&done);
        done
    }

    /// The next request that is done by `now`, in order of [`Done::due`].
    #[inline]
    pub fn poll(&mut self, now: Instant) -> Option<Done> {
        match self.ready.pop_front() {
            Some(done) => Some(done),
            None => self.advance(now),
        }
    }

    /// When [`Engine::poll`] has something to do.
    pub fn next_event(&mut self) -> Option<Instant> {
        let ready = self.ready.front().map(|done| done.due);
        let delayed = self.delayed.peek().map(|next| next.0.0);
        [ready, delayed, self.stack.next_event()].into_iter().flatten().min()
    }

    /// Requests that were submitted and not yet polled.
    pub fn in_flight(&self) -> usize {
        self.slots.len() - self.free.len() + self.ready.len() + self.held.len()
    }

    /// What this machine refused: the first of each kind, once.
    #[inline]
    pub fn poll_refusal(&mut self) -> Option<Refusal> {
        let any = self.refusals.any();
        let new = (0..any.len()).find(|&kind| any[kind] && !self.refusals_told[kind])?;
        self.refusals_told[new] = true;
        self.refusals.firsts()[new].take()
    }

    /// Makes everything that was acknowledged durable. Requests under way are finished first by whoever polls.
    ///
    /// # Errors
    /// When a store fails; what it refused is still in the engine.
    pub fn shutdown(&mut self, now: Instant) -> io::Result<()> {
        self.catch_up(now);
        let mut result = Ok(());
        for disk in &mut self.disks {
            result = result.and(disk.bring_home());
        }
        for volume in 0..self.volumes.len() {
            result = result.and(self.log_flush(Target { volume, member: None }).map_err(io::Error::other));
        }
        result.and(self.mark(END))
    }
}

impl Slot {
    /// What a fault does to it.
    #[cold]
    fn fate(&mut self, verdict: Verdict) {
        if verdict == Verdict::PASS {
            return;
        }
        (self.struck, self.delay, self.stuck, self.torn) = (true, verdict.delay, verdict.stuck, verdict.torn);
        self.waits |= self.op.changes() && (verdict.torn || verdict.stuck.is_some() || verdict.delay > Duration::ZERO);
        if let Some(errno) = verdict.error {
            // A request that fails changes nothing, whenever it would have.
            (self.result, self.waits) = (Err(errno.into()), true);
        }
    }
}
