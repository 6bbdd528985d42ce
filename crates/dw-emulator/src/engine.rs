//! Where stack and bytes meet: the disks of one VM as a machine that is told the time.
//!
//! ```text
//!  submit ─▶ checks ─▶ stack (how long) ─▶ poll: Done, in order of `due`
//!               └────▶ stores (which bytes)
//! ```
//!
//! Requests are answered in model time: [`Done::due`] is the instant at which the modelled disk is done. Reads hold no
//! data while they wait; whoever sends the reply asks [`Engine::read`] at that moment. A write to a volume whose cache
//! does not hold dirty data goes to its store when it arrives: until it is acknowledged it may or may not survive a
//! crash, afterwards it does.
//!
//! Invariant: every request that was submitted comes back from [`Engine::poll`] exactly once.

mod export;
mod request;

use std::collections::VecDeque;
use std::io;

use dw_stack::{Op, Path, Request, Stack, StackSpec, VolumeId};
use dw_units::Instant;

use crate::store::{Extent, Store};
pub use export::{EngineError, EngineOptions, Export, ExportId, VolumeOptions};
use export::{Target, describe};
pub use request::{Done, IoError, IoOp, IoRequest};

/// The largest piece of a trim or prefetch that the stack is given at once.
const PIECE_MAX: u64 = 1 << 30;
/// The same for zeroes that are written out, which count as writes.
const ZERO_PIECE_MAX: u64 = 32 << 20;

/// A volume of the stack.
struct Volume {
    id: VolumeId,
    /// Index of its first disk in the engine's stores.
    first_disk: usize,
    disks: usize,
    path: Path,
}

/// A request that the stack has.
struct Slot {
    cookie: u64,
    export: ExportId,
    op: IoOp,
    fua: bool,
    offset: u64,
    len: u64,
    submitted: Instant,
    /// Bytes from `offset` that the stack has been given.
    given: u64,
    result: Result<(), IoError>,
}

/// The disks of one VM: limits, waiting and bytes.
pub struct Engine {
    stack: Stack,
    volumes: Vec<Volume>,
    stores: Vec<Box<dyn Store>>,
    exports: Vec<Export>,
    targets: Vec<Target>,
    slots: Vec<Option<Slot>>,
    free: Vec<u32>,
    /// Done, not yet polled.
    ready: VecDeque<Done>,
}

impl Engine {
    /// Joins a stack with its stores: one a disk, volume by volume.
    ///
    /// # Errors
    /// When the description is no stack, or a store does not fit its disk.
    pub fn new(spec: StackSpec, stores: Vec<Box<dyn Store>>, options: EngineOptions) -> Result<Engine, EngineError> {
        let (exports, targets) = describe(&spec, &stores, &options)?;
        let mut volumes = Vec::new();
        let mut first_disk = 0;
        for (index, volume) in spec.volumes.iter().enumerate() {
            let id = VolumeId(index as u16);
            volumes.push(Volume { id, first_disk, disks: volume.disks.len(), path: volume.path });
            first_disk += volume.disks.len();
        }
        let stack = Stack::new(spec)?;
        let mut engine = Engine {
            stack,
            volumes,
            stores,
            exports,
            targets,
            slots: Vec::new(),
            free: Vec::new(),
            ready: VecDeque::new(),
        };
        for index in 0..engine.volumes.len() {
            engine.exports[index].size = engine.stack.volume_size(VolumeId(index as u16)).get();
        }
        Ok(engine)
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

    /// Hands a request in at `now`. A bad request comes back from [`Engine::poll`] with an error.
    pub fn submit(&mut self, now: Instant, request: IoRequest) {
        self.catch_up(now);
        let result = self.check(&request).and_then(|()| self.arrive(&request));
        let nothing = request.len == 0 && request.op != IoOp::Flush;
        let slot = Slot {
            cookie: request.cookie,
            export: request.export,
            op: request.op,
            fua: request.fua,
            offset: request.offset,
            len: request.len,
            submitted: now,
            given: 0,
            result,
        };
        if result.is_err() || nothing {
            return self.ready.push_back(slot.done(now, None));
        }
        let index = match self.free.pop() {
            Some(index) => index,
            None => {
                self.slots.push(None);
                (self.slots.len() - 1) as u32
            }
        };
        self.slots[index as usize] = Some(slot);
        self.give(now, index);
    }

    /// What can be known to be wrong before anything happens.
    fn check(&self, request: &IoRequest) -> Result<(), IoError> {
        let export = self.exports.get(usize::from(request.export.0)).ok_or(IoError::Invalid)?;
        let changes = matches!(request.op, IoOp::Write | IoOp::Trim | IoOp::Zero { .. });
        if export.detached {
            return Err(IoError::Shutdown);
        }
        if changes && export.read_only {
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

    /// What a request does to the bytes when it arrives.
    fn arrive(&mut self, request: &IoRequest) -> Result<(), IoError> {
        let target = self.targets[usize::from(request.export.0)];
        let stores = &mut self.stores;
        let (data, base) = (&request.data, request.offset);
        each_run(&self.stack, &self.volumes, target, request.offset, request.len, |disk, at, offset, len| {
            let store = &mut stores[disk];
            match request.op {
                IoOp::Write => {
                    let from = (offset - base) as usize;
                    store.write(at, &data[from..from + len as usize])
                }
                IoOp::Trim => store.discard(at, len),
                IoOp::Zero { punch } => store.zero(at, len, punch),
                IoOp::Read | IoOp::Flush | IoOp::Cache => Ok(()),
            }
        })
        .map_err(|error| IoError::of(&error))
    }

    /// Gives the stack the next piece of a request.
    fn give(&mut self, now: Instant, index: u32) {
        let Some(slot) = &mut self.slots[index as usize] else { return };
        let (op, piece_max) = match slot.op {
            IoOp::Read => (Op::Read, PIECE_MAX),
            IoOp::Cache => (Op::Read, ZERO_PIECE_MAX),
            IoOp::Write => (Op::Write, PIECE_MAX),
            IoOp::Zero { punch: false } => (Op::Write, ZERO_PIECE_MAX),
            IoOp::Trim | IoOp::Zero { punch: true } => (Op::Trim, PIECE_MAX),
            IoOp::Flush => (Op::Flush, 0),
        };
        let piece = (slot.len - slot.given).min(piece_max);
        let target = self.targets[usize::from(slot.export.0)];
        let volume = self.volumes[target.volume].id;
        let offset = if op == Op::Flush { 0 } else { slot.offset + slot.given };
        let request = Request { volume, op, fua: slot.fua, offset, len: piece as u32, user: u64::from(index) };
        slot.given += piece;
        match target.member {
            None => self.stack.submit(now, request),
            Some(member) => self.stack.submit_to(now, member, request),
        }
    }

    /// Takes in what the model did up to `now`, so that a request of `now` finds it done.
    #[inline]
    fn catch_up(&mut self, now: Instant) {
        while let Some(done) = self.advance(now) {
            self.ready.push_back(done);
        }
    }

    /// The next request that the stack has done by `until`.
    fn advance(&mut self, until: Instant) -> Option<Done> {
        loop {
            let completion = self.stack.poll_completion(until)?;
            let index = completion.user as u32;
            let slot = self.slots[index as usize].as_ref()?;
            if slot.op != IoOp::Flush && slot.given < slot.len {
                self.give(completion.finished, index);
                continue;
            }
            let mut slot = self.slots[index as usize].take()?;
            self.free.push(index);
            self.settle(&mut slot);
            return Some(slot.done(completion.finished, Some(completion)));
        }
    }

    /// What a request does to the bytes when it is done.
    fn settle(&mut self, slot: &mut Slot) {
        let durable = slot.op == IoOp::Flush || slot.fua && slot.op != IoOp::Read;
        if durable && slot.result.is_ok() {
            let target = self.targets[usize::from(slot.export.0)];
            slot.result = self.sync(target).map_err(|error| IoError::of(&error));
        }
    }

    fn sync(&mut self, target: Target) -> io::Result<()> {
        let volume = &self.volumes[target.volume];
        let disks = match target.member {
            None => volume.first_disk..volume.first_disk + volume.disks,
            Some(member) => volume.first_disk + usize::from(member)..volume.first_disk + usize::from(member) + 1,
        };
        self.stores[disks].iter_mut().try_for_each(|store| store.sync())
    }

    /// The next request that is done by `now`, in order of [`Done::due`].
    pub fn poll(&mut self, now: Instant) -> Option<Done> {
        match self.ready.pop_front() {
            Some(done) => Some(done),
            None => self.advance(now),
        }
    }

    /// When [`Engine::poll`] has something to do.
    pub fn next_event(&mut self) -> Option<Instant> {
        match self.ready.front() {
            Some(done) => Some(done.due),
            None => self.stack.next_event(),
        }
    }

    /// Requests that were submitted and not yet polled.
    pub fn in_flight(&self) -> usize {
        self.slots.len() - self.free.len() + self.ready.len()
    }

    /// The bytes of a range as they are now: what the reply to a read carries.
    ///
    /// # Errors
    /// When the range is not within the export, or the store fails.
    pub fn read(&mut self, export: ExportId, offset: u64, out: &mut [u8]) -> Result<(), IoError> {
        let size = self.exports.get(usize::from(export.0)).ok_or(IoError::Invalid)?.size;
        if offset.checked_add(out.len() as u64).is_none_or(|end| end > size) {
            return Err(IoError::Invalid);
        }
        let target = self.targets[usize::from(export.0)];
        let (stores, len) = (&mut self.stores, out.len() as u64);
        each_run(&self.stack, &self.volumes, target, offset, len, |disk, at, from, len| {
            let from = (from - offset) as usize;
            stores[disk].read(at, &mut out[from..from + len as usize])
        })
        .map_err(|error| IoError::of(&error))
    }

    /// What lies in a range: at most `limit` extents, which may end before the range does.
    pub fn extents(&self, export: ExportId, offset: u64, len: u64, limit: usize) -> Vec<Extent> {
        let mut extents = Vec::new();
        let Some(size) = self.exports.get(usize::from(export.0)).map(|export| export.size) else { return extents };
        let len = len.min(size.saturating_sub(offset));
        let target = self.targets[usize::from(export.0)];
        let _ = each_run(&self.stack, &self.volumes, target, offset, len, |disk, at, _, len| {
            let mut left = len;
            for extent in self.stores[disk].extents(at, len, limit) {
                left -= extent.len;
                if !crate::store::push_extent(&mut extents, limit, extent) {
                    return Err(io::ErrorKind::Other.into());
                }
            }
            if left > 0 { Err(io::ErrorKind::Other.into()) } else { Ok(()) }
        });
        extents
    }

    /// Makes everything that was acknowledged durable. Requests under way are finished first by whoever polls.
    ///
    /// # Errors
    /// When a store fails.
    pub fn shutdown(&mut self, now: Instant) -> io::Result<()> {
        self.catch_up(now);
        self.stores.iter_mut().try_for_each(|store| store.sync())
    }
}

/// Calls `visit(disk, offset on it, offset in the export, bytes)` for every run of a range that lies on one disk.
#[inline]
fn each_run(
    stack: &Stack,
    volumes: &[Volume],
    target: Target,
    offset: u64,
    len: u64,
    mut visit: impl FnMut(usize, u64, u64, u64) -> io::Result<()>,
) -> io::Result<()> {
    let volume = &volumes[target.volume];
    if let Some(member) = target.member {
        return visit(volume.first_disk + usize::from(member), offset, offset, len);
    }
    if volume.disks == 1 {
        return visit(volume.first_disk, offset, offset, len);
    }
    let (mut at, end) = (offset, offset + len);
    while at < end {
        let (disk, on_disk, run) = stack.place(volume.id, at);
        let run = run.min(end - at);
        visit(volume.first_disk + usize::from(disk), on_disk, at, run)?;
        at += run;
    }
    Ok(())
}
