//! The path of a request, and the machine that moves requests along it.
//!
//! ```text
//!  submit ─▶ stripe ─▶ gate in front ─▶ host cache ──hit / write-back──▶ cache service ─▶ completion
//!               │            │               │ miss, write-through                           ▲
//!               │            │ local         ▼                                               │
//!               ├── no cache ┼─────────▶ disk limits ─▶ gates behind the disks ─▶ service ───┤
//!               └── local ───┴─────────▶ disk limits ───────────────────────────▶ service ───┘
//! ```
//!
//! Disk limits are private and first in, first out, so the instant at which a request leaves them is known when it
//! arrives. The VM's gates are shared: requests wait there in a lane per disk (see `fair_gate.rs`). With that, a request
//! costs one event (its completion), plus one for each gate at which it has to wait.
//!
//! Invariant: submitted = completed + in flight + abandoned by a crash; a completion's parts add up to its latency; time never goes back.

mod changes;
mod leap;

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use dw_units::{Bytes, CacheMode, Direction, Duration, Instant};

use crate::accounting::Moved;
use crate::check::{SpecError, check};
use crate::disk::Disk;
use crate::event_queue::{Calendar, Earliest, NEVER};
use crate::fair_gate::{FairGate, Grant};
use crate::first_touch::Untouched;
use crate::host_cache::{HostCache, Tier};
use crate::limiter::{Discipline, Pair};
use crate::request::{
    CacheOutcome, Completion, Gate, GateId, LimitId, Op, Quantity, Request, Stage, TimeSpent, VolumeId,
};
use crate::route::Route;
use crate::spec::{Accounting, Limit, StackSpec};
use crate::stripe::{Part, Stripe};
use crate::tally::{LimitTally, Tally, TouchTally, VolumeTally};
pub use changes::{Busy, Destaged};
pub use leap::{Backlog, Chance, Counted, NearlyFull};

/// No gate but the clock of the write-back.
const DESTAGE: usize = usize::MAX;

const NO_PARENT: u32 = u32::MAX;
/// Its guest is gone: its completion is dropped.
const ABANDONED: u32 = u32::MAX - 1;
/// The stack's own, see [`Kind::Destage`].
const OWN: u32 = u32::MAX - 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Read,
    Write,
    WriteFua,
    Trim,
    Flush,
    /// The stack's own write of dirty data.
    Destage,
    /// A request that was split: `ios` counts the parts whose end is not known yet, and `done` has the end of the latest of the
    /// others, with its `number`.
    Parent,
}

/// A request on one disk, or the whole of a split one. Two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Work {
    /// What will be given back, filled in on the way.
    done: Completion,
    /// On the disk.
    offset: u64,
    /// The number in which it was begun, of 2³²: who comes first at a tie.
    number: u32,
    ios: u32,
    parent: u32,
    disk: u16,
    kind: Kind,
}

const _: () = assert!(size_of::<Work>() == 128);

impl Kind {
    #[inline]
    fn of_request(request: &Request) -> Kind {
        match request.op {
            Op::Read => Kind::Read,
            Op::Write if request.fua => Kind::WriteFua,
            Op::Write => Kind::Write,
            Op::Trim => Kind::Trim,
            Op::Flush => Kind::Flush,
        }
    }
}

impl Kind {
    /// A read or write of the guest.
    #[inline]
    fn moves_data(self) -> bool {
        matches!(self, Kind::Read | Kind::Write | Kind::WriteFua)
    }
}

impl Work {
    /// Bytes that count: a trim moves none.
    #[inline]
    fn bytes(&self) -> u32 {
        if self.kind == Kind::Trim { 0 } else { self.done.len }
    }

    /// What a limit with an accounting of its own looks at; `pieces` are its I/Os in the plain way.
    fn moved(&self, pieces: u32) -> Moved {
        let (write, trim) = (self.kind != Kind::Read, self.kind == Kind::Trim);
        Moved { write, trim, offset: self.offset, len: self.done.len, pieces }
    }

    /// Notes the wait at the first limit pair of a stage, of which `iops` is the first half; whether there was one.
    #[inline]
    fn wait(&mut self, iops: Stage, arrived: u64, first: u64, second: u64) -> bool {
        if second > arrived {
            self.done.spent.queued[iops as usize] = Duration::from_ns(first - arrived);
            self.done.spent.queued[iops as usize + 1] = Duration::from_ns(second - first);
        }
        second > arrived
    }

    /// The same at a stage at which there may have been another.
    #[inline]
    fn wait_more(&mut self, iops: Stage, arrived: u64, first: u64, second: u64) -> bool {
        if second > arrived {
            self.done.spent.queued[iops as usize] += Duration::from_ns(first - arrived);
            self.done.spent.queued[iops as usize + 1] += Duration::from_ns(second - first);
        }
        second > arrived
    }
}

struct Volume {
    size: u64,
    /// Index of its first disk.
    first_disk: u16,
    disks: u16,
    stripe: Option<Stripe>,
    tally: VolumeTally,
}

/// A request that is done, to be looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Done(u32);

/// The storage of one VM.
///
/// Contract: time never goes back. [`Stack::poll_completion`] with `until` handles everything that happens up to the
/// completion it returns, or up to `until` when it returns `None`; no request may be submitted for an earlier instant.
pub struct Stack {
    now: u64,
    disks: Vec<Disk>,
    volumes: Vec<Volume>,
    gates: Vec<FairGate>,
    /// Those of them at which requests may wait, in order.
    shared: Vec<usize>,
    cache: Option<HostCache>,
    work: Vec<Work>,
    free: Vec<u32>,
    /// How many slots have been taken so far.
    begun: u32,
    /// Completions that are known, by slot: what waits in a lane has no place here.
    events: Calendar,
    /// When a disk's dirty data come due, by disk.
    destages: Earliest,
    /// When the next event that is not a completion has to be seen to; kept up to date by [`Stack::look_inside`].
    internal: u64,
    /// How long what happens at the gates may wait until it is seen to: nothing behind them is done sooner. So a gate lets
    /// many go at a time, each at the instant that is its own. 0 = not at all.
    lag: u64,
    /// Until when what happens at the gates was seen to, where it may wait.
    seen: u64,
    /// Whose event that is: a gate, or [`DESTAGE`].
    internal_source: usize,
    /// Writes that wait for room for dirty data, and since when, by disk.
    room: Vec<VecDeque<(u32, u64)>>,
    parts: Vec<Part>,
    /// Nanoseconds; 0 = limits are evenly spaced.
    throttle_interval: u64,
    seed: u64,
    submitted: u64,
    completed: u64,
    /// Requests whose guest went away before they completed.
    abandoned: u64,
    /// Blocks that write-backs have put on their disks, for a store of the bytes; `None` unless it was asked for.
    destaged: Option<VecDeque<Destaged>>,
}

impl Stack {
    /// Builds the stack, or says what is wrong with the description.
    pub fn new(spec: StackSpec) -> Result<Stack, SpecError> {
        check(&spec)?;
        let mut disks = Vec::new();
        let mut volumes = Vec::new();
        for (number, volume) in spec.volumes.iter().enumerate() {
            let first_disk = disks.len() as u16;
            for disk in &volume.disks {
                let index = disks.len();
                disks.push(Disk::new(disk, index, number as u16, volume, &spec));
            }
            let sizes: Vec<u64> = volume.disks.iter().map(|disk| disk.size.get()).collect();
            let stripe = (sizes.len() > 1).then(|| Stripe::new(&sizes, volume.stripe_unit.get()));
            volumes.push(Volume {
                size: stripe.as_ref().map_or(sizes[0], Stripe::size),
                first_disk,
                disks: sizes.len() as u16,
                stripe,
                tally: VolumeTally::default(),
            });
        }
        let cache = match &spec.vm.host_cache {
            None => None,
            Some(cache) => {
                let in_cache = |disk: &Disk| (disk.mode != CacheMode::None).then_some(disk.size);
                let cacheable: Vec<Option<u64>> = disks.iter().map(in_cache).collect();
                let cache = HostCache::new(cache, &cacheable).map_err(|what| SpecError {
                    at: "vm.host_cache".into(),
                    what: what.into(),
                    hint: "64 KiB is the default".into(),
                })?;
                Some(cache)
            }
        };
        let gates = spec.vm.gates.iter().map(|gate| {
            let limits: Vec<Limit> = gate.all_limits().collect();
            FairGate::new(Pair::new(&limits, spec.credits, disks.len(), |_| Accounting::PLAIN), disks.len())
        });
        let mut stack = Stack {
            now: 0,
            gates: gates.collect(),
            shared: Vec::new(),
            cache,
            work: Vec::new(),
            free: Vec::new(),
            begun: 0,
            events: Calendar::new(),
            destages: Earliest::new(disks.len()),
            internal: NEVER,
            internal_source: DESTAGE,
            lag: 0,
            seen: 0,
            room: alloc::vec![VecDeque::new(); disks.len()],
            parts: Vec::new(),
            throttle_interval: 0,
            seed: spec.seed,
            submitted: 0,
            completed: 0,
            abandoned: 0,
            destaged: None,
            disks,
            volumes,
        };
        stack.throttle_interval = spec.vm.throttle_interval.ns();
        let of_disks = stack.disks.iter_mut().flat_map(Disk::pairs);
        for pair in stack.gates.iter_mut().map(|gate| &mut gate.pair).chain(of_disks) {
            pair.release(stack.throttle_interval);
        }
        stack.disks.iter_mut().for_each(Disk::choose_way);
        stack.choose_shortcuts();
        Ok(stack)
    }

    /// A gate that a single disk uses answers at arrival: the same instants, fewer events.
    fn choose_shortcuts(&mut self) {
        self.note_out_of_turn();
        let users = |wanted: &dyn Fn(&Disk) -> bool| self.disks.iter().filter(|disk| wanted(disk)).count() <= 1;
        let write_back = self.disks.iter().any(|disk| disk.mode == CacheMode::ReadWrite);
        // A write-back disk also has the stack's own writes, which do not come through the gate in front: with both, an
        // answer given early would be overtaken.
        let solo = |gate: usize| {
            let before_cache = self.disks.iter().any(|disk| disk.front == Some(gate));
            let passes = |disk: &Disk| match before_cache {
                true => disk.front == Some(gate) && (disk.local || disk.mode != CacheMode::None),
                false => { disk.route }.any(|passed| passed == gate),
            };
            !(before_cache && write_back || self.gates[gate].is_out_of_turn()) && users(&passes)
        };
        let solo: Vec<bool> = (0..self.gates.len()).map(solo).collect();
        if let Some(cache) = &mut self.cache {
            cache.share_dirty(self.disks.iter().filter(|disk| disk.mode == CacheMode::ReadWrite).count());
        }
        for (gate, solo) in self.gates.iter_mut().zip(solo) {
            gate.set_solo(solo);
        }
        self.note_solo();
    }

    /// Says to which gates requests come past limits on the other direction, or past others that wait for their data. Asked when they come
    /// to the first, such a gate would let nobody pass before them who need not wait there.
    fn note_out_of_turn(&mut self) {
        let one_direction = |gate: &FairGate| gate.pair.skips(true) || gate.pair.skips(false);
        let mut out_of_turn = alloc::vec![false; self.gates.len()];
        for disk in &self.disks {
            let mut past = disk.directions.is_some() || disk.untouched.is_some();
            for gate in disk.route {
                out_of_turn[gate] |= past;
                past |= one_direction(&self.gates[gate]);
            }
        }
        for (gate, out_of_turn) in self.gates.iter_mut().zip(out_of_turn) {
            gate.set_out_of_turn(out_of_turn);
        }
    }

    /// Says at which gates requests may wait, and which disks' reads are answered by the host cache when they arrive.
    fn note_solo(&mut self) {
        self.shared = (0..self.gates.len()).filter(|&gate| self.gates[gate].is_shared()).collect();
        for disk in &mut self.disks {
            let has_cache = disk.mode != CacheMode::None && !disk.local && self.cache.is_some();
            let plain = |gate: &FairGate| gate.is_solo() && !gate.special && !gate.pair.is_watched();
            let at_once = |gate: &usize| has_cache && plain(&self.gates[*gate]);
            disk.read_gate = disk.front.filter(at_once);
        }
        self.lag = self.longest_lag();
        self.seen = self.seen.max(self.now);
        self.look_inside();
    }

    /// What leaves a gate behind the disks is under way for at least its service time, and nothing else looks at it: what happens
    /// there may be seen to so much later. Not where it changes the host cache, or where the stack has writes of its own: they
    /// come to a gate when the order of events says so.
    fn longest_lag(&self) -> u64 {
        let shared = |disk: &Disk| disk.front.is_some_and(|gate| self.shared.contains(&gate));
        if self.disks.iter().any(|disk| shared(disk) || disk.mode == CacheMode::ReadWrite) {
            return 0;
        }
        let behind = self.disks.iter().filter(|disk| !disk.route.is_empty());
        behind.map(Disk::least_ns).min().unwrap_or(0)
    }

    /// Sees to all that has happened at the gates by `now`: between [`Stack::next_done`] and a look at what the stack counted, or a
    /// change of it. No completion before `now` may be left.
    pub fn catch_up(&mut self, now: Instant) {
        if self.lag > 0 {
            self.open_gates(now.ns());
        }
    }

    /// Uses one event per stage even where the answer could be given at arrival; for checking that both agree.
    #[doc(hidden)]
    pub fn without_shortcuts(&mut self) {
        for gate in &mut self.gates {
            gate.set_solo(false);
        }
        self.note_solo();
    }

    /// Makes a disk's limit a serialising server; for checking the model against queueing theory.
    #[doc(hidden)]
    pub fn set_discipline(&mut self, volume: VolumeId, disk: u16, stage: Stage, discipline: Discipline, seed: u64) {
        let index = self.volumes[usize::from(volume.0)].first_disk + disk;
        let pair = &mut self.disks[usize::from(index)].pair;
        let limiter = if stage == Stage::DiskIops { &mut pair.iops } else { &mut pair.throughput };
        if let Some(limiter) = limiter {
            limiter.set_discipline(discipline, seed);
        }
        pair.look();
    }

    /// Bytes of a volume.
    pub fn volume_size(&self, volume: VolumeId) -> Bytes {
        Bytes::new(self.volumes[usize::from(volume.0)].size)
    }

    /// Requests under way.
    pub fn in_flight(&self) -> u64 {
        self.submitted - self.completed - self.abandoned
    }

    /// Bytes of memory that the index of the host cache takes.
    pub fn cache_index_bytes(&self) -> usize {
        self.cache.as_ref().map_or(0, HostCache::index_bytes)
    }

    /// Says that this offset will soon be asked for: a hint for the processor's cache, without effect on results.
    #[inline]
    pub fn hint(&mut self, volume: VolumeId, offset: u64) {
        self.hint_all(volume, core::iter::once(offset));
    }

    /// The same of many offsets.
    #[inline]
    pub fn hint_all(&mut self, volume: VolumeId, offsets: impl Iterator<Item = u64>) {
        let Some(cache) = &mut self.cache else { return };
        let volume = &self.volumes[usize::from(volume.0)];
        if self.disks[usize::from(volume.first_disk)].mode == CacheMode::None {
            return;
        }
        match &volume.stripe {
            None => cache.hint(volume.first_disk, offsets),
            Some(stripe) => {
                for (disk, offset) in offsets.map(|offset| stripe.place(offset)) {
                    cache.hint(volume.first_disk + disk, core::iter::once(offset));
                }
            }
        }
    }

    /// Makes a range resident in the host cache, as if it had just been read; nothing for a volume without host caching.
    pub fn warm(&mut self, volume: VolumeId, offset: u64, len: u64) {
        let volume = &self.volumes[usize::from(volume.0)];
        let Some(cache) = &mut self.cache else { return };
        if self.disks[usize::from(volume.first_disk)].mode == CacheMode::None {
            return;
        }
        let end = (offset + len).min(volume.size);
        // In pieces that keep the order of a sequential reader over the members of a stripe.
        let mut at = offset;
        while at < end {
            let piece = (end - at).min(1 << 20);
            match &volume.stripe {
                None => cache.warm(volume.first_disk, at, piece),
                Some(stripe) => {
                    stripe.split(at, piece as u32, &mut self.parts);
                    for part in &self.parts {
                        cache.warm(volume.first_disk + part.disk, part.offset, u64::from(part.len));
                    }
                }
            }
            at += piece;
        }
    }

    /// Hands in a request at `now`.
    ///
    /// # Panics
    /// When the range does not lie within the volume.
    #[inline(always)]
    pub fn submit(&mut self, now: Instant, request: Request) {
        debug_assert!(now.ns() >= self.now, "time went back");
        self.now = now.ns();
        self.submitted += 1;
        let kind = Kind::of_request(&request);
        let volume = &self.volumes[usize::from(request.volume.0)];
        assert!(
            kind == Kind::Flush
                || request.offset.checked_add(u64::from(request.len)).is_some_and(|end| end <= volume.size),
            "request beyond the end of the volume"
        );
        let first = volume.first_disk;
        let single = match &volume.stripe {
            None => Some(Part { disk: 0, offset: request.offset, len: request.len }),
            Some(stripe) if kind != Kind::Flush => stripe.single(request.offset, request.len),
            Some(_) => None,
        };
        match single {
            Some(part) => {
                let part = Part { disk: first + part.disk, ..part };
                self.submit_part(&request, kind, part, NO_PARENT);
            }
            None => self.submit_split(request, kind),
        }
    }

    /// What a request is on one disk, which `part` names in the stack.
    #[inline(always)]
    fn submit_part(&mut self, request: &Request, kind: Kind, part: Part, parent: u32) {
        if kind.moves_data() && self.disks[usize::from(part.disk)].direct && part.len > 0 {
            return self.submit_direct(request, kind, part, parent);
        }
        if kind == Kind::Read
            && part.len > 0
            && let Some(gate) = self.disks[usize::from(part.disk)].read_gate
        {
            return self.submit_front_read(request, gate, part, parent);
        }
        let slot = self.allocate(*request, kind, part.disk, part.offset, part.len, parent);
        self.begin(slot);
    }

    /// A read or write that meets its disk's limits first, and nothing but gates after them.
    #[inline(always)]
    fn submit_direct(&mut self, request: &Request, kind: Kind, part: Part, parent: u32) {
        let now = self.now;
        let disk = &mut self.disks[usize::from(part.disk)];
        debug_assert!(!disk.pair.is_watched(), "a way that notes no grants");
        let (first, second) = disk.pair.pass(now, u64::from(disk.ios(part.len)), u64::from(part.len));
        self.catch_up_for(second);
        let mut spent = TimeSpent::default();
        spent.queued[Stage::DiskIops as usize] = Duration::from_ns(first - now);
        spent.queued[Stage::DiskThroughput as usize] = Duration::from_ns(second - first);
        let number = self.begun;
        let slot = self.put(request, kind, part, parent, CacheOutcome::Bypass, spent);
        let work = &mut self.work[slot as usize];
        let disk = &mut self.disks[usize::from(part.disk)];
        match Stack::pass_gates(work, &mut self.gates, disk.route, slot, second, now) {
            Ok(at) => {
                let ns = if kind == Kind::Read { disk.read_ns(part.len) } else { disk.write_ns(part.len) };
                work.done.spent.served = Duration::from_ns(ns);
                self.finish_as(slot, number, parent, at + ns);
            }
            Err(gate) => self.look_at_gate(gate),
        }
    }

    /// A read that no other disk's requests can hold up at the gate before the host cache.
    #[inline(always)]
    fn submit_front_read(&mut self, request: &Request, gate: usize, part: Part, parent: u32) {
        let Some(cache) = &mut self.cache else { return };
        let now = self.now;
        let fair = &mut self.gates[gate];
        debug_assert!(!fair.pair.is_watched(), "a way that notes no grants");
        let (first, second) = fair.pair.pass(now, 1, u64::from(part.len));
        fair.note_wait(part.disk, now, first, second);
        let disk = &mut self.disks[usize::from(part.disk)];
        let tally = &mut self.volumes[usize::from(disk.volume)].tally;
        let Some((outcome, ns)) = Stack::look_up(cache, disk, tally, part) else {
            return self.submit_miss(*request, part, parent, (first, second));
        };
        let mut spent = TimeSpent { served: Duration::from_ns(ns), ..TimeSpent::default() };
        spent.queued[Stage::FrontIops as usize] = Duration::from_ns(first - now);
        spent.queued[Stage::FrontThroughput as usize] = Duration::from_ns(second - first);
        let number = self.begun;
        let slot = self.put(request, Kind::Read, part, parent, outcome, spent);
        self.finish_as(slot, number, parent, second + ns);
    }

    /// What a read finds in the host cache, and how long that takes to serve; `None` for a miss.
    #[inline(always)]
    fn look_up(
        cache: &mut HostCache,
        disk: &mut Disk,
        tally: &mut VolumeTally,
        part: Part,
    ) -> Option<(CacheOutcome, u64)> {
        let (outcome, service) = match cache.read(part.disk, part.offset, u64::from(part.len)) {
            Some(Tier::Ram) => {
                tally.hits_ram += 1;
                (CacheOutcome::HitRam, &cache.spec.ram_hit)
            }
            Some(Tier::Ssd) => {
                tally.hits_ssd += 1;
                (CacheOutcome::HitSsd, &cache.spec.ssd_read)
            }
            None => {
                tally.misses += 1;
                return None;
            }
        };
        Some((outcome, service.sample(disk.in_cache.draw(), part.len)))
    }

    #[inline(never)]
    fn submit_miss(&mut self, request: Request, part: Part, parent: u32, (first, second): (u64, u64)) {
        let mut spent = TimeSpent::default();
        spent.queued[Stage::FrontIops as usize] = Duration::from_ns(first - self.now);
        spent.queued[Stage::FrontThroughput as usize] = Duration::from_ns(second - first);
        let slot = self.put(&request, Kind::Read, part, parent, CacheOutcome::Miss, spent);
        self.enter_disk(slot, second);
    }

    /// Writes down a request on one disk, in a slot of its own.
    #[inline(always)]
    fn put(
        &mut self,
        request: &Request,
        kind: Kind,
        part: Part,
        parent: u32,
        cache: CacheOutcome,
        spent: TimeSpent,
    ) -> u32 {
        let slot = self.vacant();
        let done = Completion {
            user: request.user,
            volume: request.volume,
            op: request.op,
            len: part.len,
            submitted: Instant::from_ns(self.now),
            finished: Instant::START,
            cache,
            spent,
        };
        let number = self.begun;
        self.begun = self.begun.wrapping_add(1);
        self.work[slot as usize] = Work { done, offset: part.offset, number, ios: 1, parent, disk: part.disk, kind };
        slot
    }

    /// Hands in a request to one disk of a volume, as a guest does that sees the members: the offset is on that disk.
    ///
    /// # Panics
    /// When the volume has no such member, or the range does not lie within it.
    pub fn submit_to(&mut self, now: Instant, member: u16, request: Request) {
        debug_assert!(now.ns() >= self.now, "time went back");
        let volume = &self.volumes[usize::from(request.volume.0)];
        assert!(member < volume.disks, "the volume has no such disk");
        let disk = volume.first_disk + member;
        let kind = Kind::of_request(&request);
        let (offset, len) = if kind == Kind::Flush { (0, 0) } else { (request.offset, request.len) };
        let end = offset.checked_add(u64::from(len));
        assert!(end.is_some_and(|end| end <= self.disks[usize::from(disk)].size), "request beyond the end of the disk");
        self.now = now.ns();
        self.submitted += 1;
        let slot = self.allocate(request, kind, disk, offset, len, NO_PARENT);
        self.begin(slot);
    }

    fn submit_split(&mut self, request: Request, kind: Kind) {
        let mut parts = core::mem::take(&mut self.parts);
        let volume = &self.volumes[usize::from(request.volume.0)];
        match &volume.stripe {
            Some(stripe) if kind != Kind::Flush => stripe.split(request.offset, request.len, &mut parts),
            _ => {
                parts.clear();
                parts.extend((0..volume.disks).map(|disk| Part { disk, offset: 0, len: 0 }));
            }
        }
        let first = volume.first_disk;
        let parent = self.allocate(request, Kind::Parent, first, request.offset, request.len, NO_PARENT);
        self.work[parent as usize].ios = parts.len() as u32;
        for part in &parts {
            self.submit_part(&request, kind, Part { disk: first + part.disk, ..*part }, parent);
        }
        self.parts = parts;
    }

    #[inline]
    fn allocate(&mut self, request: Request, kind: Kind, disk: u16, offset: u64, len: u32, parent: u32) -> u32 {
        let slot = self.vacant();
        let work = &mut self.work[slot as usize];
        work.done = Completion {
            user: request.user,
            volume: request.volume,
            op: request.op,
            len,
            submitted: Instant::from_ns(self.now),
            finished: Instant::START,
            cache: CacheOutcome::Bypass,
            spent: TimeSpent::default(),
        };
        work.offset = offset;
        work.number = self.begun;
        self.begun = self.begun.wrapping_add(1);
        work.ios = 1;
        work.parent = parent;
        work.disk = disk;
        work.kind = kind;
        slot
    }

    #[inline]
    fn vacant(&mut self) -> u32 {
        match self.free.pop() {
            Some(slot) => slot,
            None => self.extend(),
        }
    }

    /// One slot more.
    #[cold]
    fn extend(&mut self) -> u32 {
        let done = Completion {
            user: 0,
            volume: VolumeId(0),
            op: Op::Read,
            len: 0,
            submitted: Instant::START,
            finished: Instant::START,
            cache: CacheOutcome::Bypass,
            spent: TimeSpent::default(),
        };
        self.work.push(Work { done, offset: 0, number: 0, ios: 0, parent: NO_PARENT, disk: 0, kind: Kind::Read });
        (self.work.len() - 1) as u32
    }

    /// First station: the gate in front of the host cache, or straight to the disk.
    #[inline]
    fn begin(&mut self, slot: u32) {
        let work = &self.work[slot as usize];
        let disk = &self.disks[usize::from(work.disk)];
        if work.kind == Kind::Flush {
            self.begin_flush(slot);
        } else if work.done.len == 0 {
            self.finish(slot, self.now);
        } else if disk.mode == CacheMode::None && !disk.local {
            self.enter_disk(slot, self.now);
        } else if let Some(gate) = disk.front {
            let (at, lane, fair) = (self.now, work.disk, &mut self.gates[gate]);
            let entered = match fair.special {
                false => fair.enter(at, lane, at, slot, 1, u64::from(work.bytes())),
                true => fair.enter_specially(at, lane, at, slot, work.moved(1)),
            };
            if let Some((first, second)) = entered {
                self.leave_front(slot, gate, at, first, second);
            } else {
                self.look_at_gate(gate);
            }
        } else {
            self.enter_local(slot, self.now);
        }
    }

    fn leave_front(&mut self, slot: u32, gate: usize, arrived: u64, first: u64, second: u64) {
        let work = &mut self.work[slot as usize];
        if work.wait(Stage::FrontIops, arrived, first, second) {
            self.gates[gate].note_wait(work.disk, arrived, first, second);
        }
        let (index, offset, len, kind) = (work.disk, work.offset, u64::from(work.done.len), work.kind);
        let disk = &mut self.disks[usize::from(index)];
        if disk.local {
            return self.enter_local(slot, second);
        }
        let Some(cache) = &mut self.cache else { return self.enter_disk(slot, second) };
        match kind {
            Kind::Read => {
                let tally = &mut self.volumes[usize::from(disk.volume)].tally;
                let part = Part { disk: index, offset, len: len as u32 };
                let Some((outcome, ns)) = Stack::look_up(cache, disk, tally, part) else {
                    work.done.cache = CacheOutcome::Miss;
                    return self.enter_disk(slot, second);
                };
                work.done.cache = outcome;
                work.done.spent.served = Duration::from_ns(ns);
                self.finish(slot, second + ns);
            }
            Kind::Write if disk.mode == CacheMode::ReadWrite => {
                work.done.cache = CacheOutcome::WriteBack;
                if self.room[usize::from(index)].is_empty() && cache.has_room(index, len) {
                    self.write_back(slot, second);
                } else {
                    self.room[usize::from(index)].push_back((slot, second));
                }
                self.pump(index);
            }
            Kind::Write | Kind::WriteFua => {
                let allocate = disk.mode == CacheMode::ReadWrite || cache.spec.write_allocate;
                cache.write_through(index, offset, len, allocate);
                work.done.cache = CacheOutcome::WriteThrough;
                self.enter_disk(slot, second);
            }
            _ => {
                cache.discard(index, offset, len);
                self.fill_room(index);
                self.enter_disk(slot, second);
            }
        }
    }

    /// A disk in the VM's own host: limits of its own, where the VM prints some, and no other gate.
    fn enter_local(&mut self, slot: u32, at: u64) {
        let work = &mut self.work[slot as usize];
        let disk = &mut self.disks[usize::from(work.disk)];
        let at = Stack::pass_disk(work, disk, self.now, at);
        let ns = if work.kind == Kind::Read { disk.read_ns(work.done.len) } else { disk.write_ns(work.bytes()) };
        work.done.spent.served = Duration::from_ns(ns);
        self.finish(slot, at + ns);
    }

    /// The limits of a disk: when a request that comes to them at `at` leaves them.
    #[inline]
    fn pass_disk(work: &mut Work, disk: &mut Disk, now: u64, at: u64) -> u64 {
        let bytes = work.bytes();
        let ios = if work.kind == Kind::Destage { work.ios } else { disk.ios(bytes) };
        let left = match disk.accounted {
            false => {
                let (first, second) = disk.pair.pass_watched(now, at, u64::from(ios), u64::from(bytes));
                work.wait(Stage::DiskIops, at, first, second);
                second
            }
            true => return Stack::pass_accounted(work, disk, now, at, ios),
        };
        if let Some(meter) = &mut disk.meter {
            meter.count(left, ios, bytes);
        }
        left
    }

    /// Limits that charge in a way of their own, those on one direction, and data that have to be fetched first. Out of line: few disks have
    /// any.
    #[inline(never)]
    fn pass_accounted(work: &mut Work, disk: &mut Disk, now: u64, at: u64, ios: u32) -> u64 {
        let moved = work.moved(if work.kind == Kind::Destage { ios } else { 1 });
        let plain = (u64::from(ios), u64::from(work.bytes()));
        // What all requests share comes first: a limit that is asked ahead of time would hold up what comes before.
        let own = disk.directions.iter_mut().map(|directions| &mut directions[usize::from(moved.write)]);
        let mut left = at;
        for pair in core::iter::once(&mut disk.pair).chain(own) {
            let (ios, bytes) = pair.charge(0, moved, plain);
            let (first, second) = pair.pass_watched(now, left, ios, bytes);
            work.wait_more(Stage::DiskIops, left, first, second);
            left = second;
        }
        if let Some(meter) = &mut disk.meter {
            meter.count(left, ios, work.bytes());
        }
        match &mut disk.untouched {
            Some(untouched) => Stack::touch(work, untouched, now, left),
            None => left,
        }
    }

    /// When the data are there that a request needs which left its disk's limits at `left`.
    fn touch(work: &mut Work, untouched: &mut Untouched, now: u64, left: u64) -> u64 {
        let there = untouched.pass(now, left, work.moved(1));
        if there > left {
            work.done.spent.queued[Stage::FirstTouch as usize] = Duration::from_ns(there - left);
            work.done.cache = CacheOutcome::FirstTouch;
        }
        there
    }

    /// A write that is done when it is in the cache, where there is room for it.
    fn write_back(&mut self, slot: u32, at: u64) {
        let work = &mut self.work[slot as usize];
        let Some(cache) = &mut self.cache else { return };
        cache.write_back(at, work.disk, work.offset, u64::from(work.done.len));
        let ns = cache.spec.ssd_write.sample(self.disks[usize::from(work.disk)].in_cache.draw(), work.done.len);
        work.done.spent.served = Duration::from_ns(ns);
        self.finish(slot, at + ns);
    }

    /// Dirty data of a disk have gone: lets in what waits for room, and looks for more to destage.
    fn fill_room(&mut self, disk: u16) {
        while let Some(&(slot, since)) = self.room[usize::from(disk)].front() {
            let done = &mut self.work[slot as usize].done;
            if !self.cache.as_ref().is_some_and(|cache| cache.has_room(disk, u64::from(done.len))) {
                break;
            }
            self.room[usize::from(disk)].pop_front();
            done.spent.queued[Stage::CacheDirty as usize] = Duration::from_ns(self.now - since);
            self.write_back(slot, self.now);
        }
        self.pump(disk);
    }

    /// Starts what the write-back of a disk may start now, and sets its clock.
    fn pump(&mut self, disk: u16) {
        if self.disks[usize::from(disk)].mode != CacheMode::ReadWrite {
            return;
        }
        let Some(cache) = &mut self.cache else { return };
        // Even when due now, it starts from the event loop: a submit then never runs ahead of what is already due.
        let at = cache.destage_at(disk, self.now, !self.room[usize::from(disk)].is_empty()).unwrap_or(NEVER);
        self.destages.set(usize::from(disk), at);
        self.look_inside();
    }

    fn start_destages(&mut self, disk: u16) {
        while let Some(cache) = &mut self.cache {
            if cache.destage_at(disk, self.now, !self.room[usize::from(disk)].is_empty()).is_none_or(|at| at > self.now)
            {
                break;
            }
            let Some(destage) = cache.start_destage(disk) else { break };
            let offset = u64::from(destage.block) * cache.block_size();
            let volume = VolumeId(self.disks[usize::from(disk)].volume);
            let len = destage.bytes as u32;
            let own = Request { volume, op: Op::Write, fua: false, offset, len, user: destage.sequence };
            let slot = self.allocate(own, Kind::Destage, disk, offset, len, OWN);
            // Each run is a disk write of its own, and a long one counts by the disk's unit.
            self.work[slot as usize].ios = destage.runs.max(self.disks[usize::from(disk)].ios(len));
            self.enter_disk(slot, self.now);
        }
        // What was trimmed meanwhile left the queue without a disk write.
        self.end_flushes(disk);
        self.pump(disk);
    }

    /// Ends the flushes whose data are home.
    fn end_flushes(&mut self, disk: u16) {
        while let Some(flush) = self.cache.as_mut().and_then(|cache| cache.flushed(disk)) {
            self.end_flush(flush);
        }
    }

    fn begin_flush(&mut self, slot: u32) {
        let disk = self.work[slot as usize].disk;
        let waits = match &mut self.cache {
            Some(cache) if self.disks[usize::from(disk)].mode == CacheMode::ReadWrite => cache.flush(disk, slot),
            _ => false,
        };
        if waits {
            self.pump(disk);
        } else {
            // What has left the gates by now was drawn its time before.
            self.catch_up(Instant::from_ns(self.now));
            self.end_flush(slot);
        }
    }

    /// The data are home: one more round trip to the disk.
    fn end_flush(&mut self, slot: u32) {
        let work = &mut self.work[slot as usize];
        let ns = self.disks[usize::from(work.disk)].flush_ns();
        work.done.spent.served = Duration::from_ns(self.now - work.done.submitted.ns() + ns);
        self.finish(slot, self.now + ns);
    }

    /// The disk's own limits, the gates behind it, then the medium.
    #[inline]
    fn enter_disk(&mut self, slot: u32, at: u64) {
        self.catch_up_for(self.now);
        let work = &mut self.work[slot as usize];
        let disk = &mut self.disks[usize::from(work.disk)];
        let at = Stack::pass_disk(work, disk, self.now, at);
        match Stack::pass_gates(work, &mut self.gates, disk.route, slot, at, self.now) {
            Ok(at) => {
                let at = Stack::serve(work, disk, self.cache.as_ref(), at);
                self.finish(slot, at);
            }
            Err(gate) => self.look_at_gate(gate),
        }
    }

    /// A request comes to the gates at `at`. If that is now, they have to know of all that came before.
    #[inline(always)]
    fn catch_up_for(&mut self, at: u64) {
        if at <= self.now && self.lag > 0 && self.internal <= self.now + self.lag {
            self.open_gates(self.now);
        }
    }

    /// The VM's gates of `route`, one after the other: when a request that comes to them at `at` leaves them, or at which it
    /// stays.
    #[inline(always)]
    fn pass_gates(
        work: &mut Work,
        gates: &mut [FairGate],
        route: Route,
        slot: u32,
        mut at: u64,
        now: u64,
    ) -> Result<u64, usize> {
        for gate in route {
            let fair = &mut gates[gate];
            // To the VM a request is one I/O, whatever its size.
            let ios = if work.kind == Kind::Destage { work.ios } else { 1 };
            let entered = match fair.special {
                false => fair.enter(now, work.disk, at, slot, ios, u64::from(work.bytes())),
                true => fair.enter_specially(now, work.disk, at, slot, work.moved(ios)),
            };
            let (first, second) = entered.ok_or(gate)?;
            if work.wait_more(Stage::BehindIops, at, first, second) {
                fair.note_wait(work.disk, at, first, second);
            }
            at = second;
        }
        Ok(at)
    }

    /// A request that left `gate` comes to those behind it.
    #[inline(never)]
    fn pass_further(&mut self, slot: u32, gate: usize, now: u64, at: u64) {
        let work = &mut self.work[slot as usize];
        let disk = &mut self.disks[usize::from(work.disk)];
        let mut route = disk.route;
        // What it has passed already.
        route.find(|&passed| passed == gate);
        match Stack::pass_gates(work, &mut self.gates, route, slot, at, now) {
            Ok(at) => {
                let at = Stack::serve(work, disk, self.cache.as_ref(), at);
                self.finish(slot, at);
            }
            Err(gate) => self.look_at_gate(gate),
        }
    }

    /// The medium: when a request that left the gates behind the disk at `at` is done.
    #[inline(always)]
    fn serve(work: &mut Work, disk: &mut Disk, cache: Option<&HostCache>, at: u64) -> u64 {
        let mut ns = if work.kind == Kind::Read { disk.read_ns(work.done.len) } else { disk.write_ns(work.bytes()) };
        if work.done.cache == CacheOutcome::Miss
            && let Some(penalty) = cache.and_then(|cache| cache.spec.miss_penalty.as_ref())
        {
            ns += penalty.sample(disk.penalties.draw(), work.done.len);
        }
        work.done.spent.served = Duration::from_ns(ns);
        at + ns
    }

    #[inline(always)]
    fn finish(&mut self, slot: u32, at: u64) {
        let Work { number, parent, .. } = self.work[slot as usize];
        self.finish_as(slot, number, parent, at);
    }

    /// The same where it is at hand what the request is.
    #[inline(always)]
    fn finish_as(&mut self, slot: u32, number: u32, parent: u32, at: u64) {
        if parent < OWN {
            return self.finish_part(slot, at);
        }
        self.events.set(slot, number, at);
    }

    /// The end of a part is known. A split request has one event only, when it is known of all its parts: the last of them speaks
    /// for the whole.
    #[inline(never)]
    fn finish_part(&mut self, slot: u32, at: u64) {
        self.free.push(slot);
        let Work { parent: whole, number, done, .. } = self.work[slot as usize];
        let parent = &mut self.work[whole as usize];
        if (at, number) > (parent.done.finished.ns(), parent.number) {
            parent.number = number;
            parent.done.finished = Instant::from_ns(at);
            (parent.done.cache, parent.done.spent) = (done.cache, done.spent);
        }
        parent.ios -= 1;
        if parent.ios == 0 {
            self.events.set(whole, parent.number, parent.done.finished.ns());
        }
    }

    /// The earliest completion not later than `until`. Completions come in order of `finished`.
    ///
    /// A driver in virtual time passes its own next event and takes `finished` as the new now; a driver in real time
    /// passes the true time.
    #[inline]
    pub fn poll_completion(&mut self, until: Instant) -> Option<Completion> {
        let done = self.next_done(until).map(|done| *self.completion(done));
        self.catch_up(done.map_or(until, |done| done.finished));
        done
    }

    /// What [`Stack::next_done`] gave; it can be looked at until the next call.
    #[inline(always)]
    pub fn completion(&self, done: Done) -> &Completion {
        &self.work[done.0 as usize].done
    }

    /// The same as [`Stack::poll_completion`] without a copy, for who calls [`Stack::catch_up`] before anything but the next request.
    #[inline(always)]
    pub fn next_done(&mut self, until: Instant) -> Option<Done> {
        loop {
            match self.events.ready() {
                Some(at) if at < self.internal && at <= until.ns() => {
                    debug_assert!(at >= self.now, "time went back");
                    self.now = at;
                    let slot = self.events.take()?;
                    if self.complete(slot) {
                        return Some(Done(slot));
                    }
                }
                ready => {
                    let at = ready.unwrap_or_else(|| self.events.begins());
                    if at.min(self.internal) > until.ns() || !self.advance(until.ns()) {
                        return None;
                    }
                }
            }
        }
    }

    /// Lets happen what comes before the next completion, and has that ready; false when it is later than `until`.
    #[inline(never)]
    fn advance(&mut self, until: u64) -> bool {
        loop {
            // A bucket's turn comes after what happens inside before it: that may fall into it.
            let at = self.events.ready().unwrap_or_else(|| self.events.begins());
            if self.internal <= at && self.internal != NEVER {
                if self.internal > until {
                    return false;
                }
                if self.lag > 0 {
                    self.open_gates(self.internal);
                    continue;
                }
                self.now = self.now.max(self.internal);
                match self.internal_source {
                    DESTAGE => self.start_destages(self.destages.first.1 as u16),
                    gate => self.open_gate(gate, self.now),
                }
                self.look_inside();
                continue;
            }
            if at > until || at == NEVER {
                return false;
            }
            if self.events.ready().is_some() {
                return true;
            }
            self.events.load();
        }
    }

    /// The next instant at which something happens inside.
    pub fn next_event(&self) -> Option<Instant> {
        let next = self.events.first().min(self.internal);
        (next != NEVER).then_some(Instant::from_ns(next.max(self.now)))
    }

    /// Finds the next event that is not a completion, after something inside has changed.
    #[inline(always)]
    fn look_inside(&mut self) {
        self.internal = self.destages.first.0;
        self.internal_source = DESTAGE;
        for &gate in &self.shared {
            let next = self.gates[gate].next().saturating_add(self.lag);
            if next < self.internal {
                (self.internal, self.internal_source) = (next, gate);
            }
        }
    }

    /// Lets all go at the gates whose turn comes up to `until`.
    #[inline(never)]
    fn open_gates(&mut self, until: u64) {
        loop {
            self.look_inside();
            let mut next = self.internal.saturating_sub(self.lag);
            if self.internal == NEVER || next > until {
                if until != NEVER {
                    self.seen = self.seen.max(until);
                }
                return;
            }
            let gate = self.internal_source;
            loop {
                // A limit with tokens left could have let it go before it came.
                self.seen = self.seen.max(next);
                self.open_gate(gate, self.seen);
                next = self.gates[gate].next();
                // Another's turn may come before.
                if next > until || self.shared.len() > 1 {
                    break;
                }
            }
        }
    }

    /// A request has entered a lane: the gate's next event can only have come nearer.
    #[inline]
    fn look_at_gate(&mut self, gate: usize) {
        let next = self.gates[gate].next().saturating_add(self.lag);
        if next < self.internal {
            (self.internal, self.internal_source) = (next, gate);
        }
    }

    /// Lets the next request go at a gate at `now`, and on its way.
    #[inline(always)]
    fn open_gate(&mut self, gate: usize, now: u64) {
        let fair = &mut self.gates[gate];
        let Some(Grant { op, arrived, first, second }) = fair.grant(now) else { return };
        let work = &mut self.work[op as usize];
        let disk = &mut self.disks[usize::from(work.disk)];
        if disk.front == Some(gate) {
            return self.leave_front(op, gate, arrived, first, second);
        }
        if work.wait_more(Stage::BehindIops, arrived, first, second) {
            fair.note_wait(work.disk, arrived, first, second);
        }
        if !disk.route.ends_with(gate) {
            return self.pass_further(op, gate, now, second);
        }
        let at = Stack::serve(work, disk, self.cache.as_ref(), second);
        self.finish(op, at);
    }

    /// A slot's time has come: true when its completion is to be handed out, false for the stack's own and what nobody waits for.
    #[inline]
    fn complete(&mut self, slot: u32) -> bool {
        self.free.push(slot);
        let work = &mut self.work[slot as usize];
        work.done.finished = Instant::from_ns(self.now);
        if work.parent != NO_PARENT {
            self.complete_unasked(slot);
            return false;
        }
        self.completed += 1;
        let done = &work.done;
        debug_assert_eq!(done.spent.total(), done.latency(), "the parts of {done:?} do not add up");
        true
    }

    /// Nobody waits for it: a write of dirty data, or what a guest had under way that died.
    #[inline(never)]
    fn complete_unasked(&mut self, slot: u32) {
        let work = self.work[slot as usize];
        if work.parent == OWN {
            self.complete_destage(&work);
        }
    }

    fn complete_destage(&mut self, work: &Work) {
        let disk = work.disk;
        let volume = usize::from(self.disks[usize::from(disk)].volume);
        let Some(cache) = &mut self.cache else { return };
        if let Some(destaged) = &mut self.destaged {
            let member = disk - self.volumes[volume].first_disk;
            let started = work.done.submitted;
            cache.each_run(disk, work.done.user, |offset, len| {
                destaged.push_back(Destaged { volume: VolumeId(volume as u16), member, offset, len, started });
            });
        }
        let bytes = cache.finish_destage(disk, work.done.user);
        self.volumes[volume].tally.destaged += Bytes::new(bytes);
        self.end_flushes(disk);
        self.fill_room(disk);
    }

    /// From now on [`Stack::tally`] counts what each limit has let through by then, for whoever looks while requests wait. Else it
    /// counts those, too, where the instant at which they go is known when they come.
    pub fn watch_limits(&mut self) {
        self.gates.iter_mut().for_each(|gate| gate.pair.watch());
        self.disks.iter_mut().flat_map(Disk::pairs).for_each(Pair::watch);
        self.disks.iter_mut().for_each(Disk::choose_way);
        self.note_solo();
    }

    /// Keeps account of the seconds in which use beyond the base is billed, for [`Stack::billed_seconds`].
    pub fn watch_usage(&mut self) {
        self.disks.iter_mut().filter_map(|disk| disk.meter.as_mut()).for_each(|meter| meter.watch());
    }

    /// Transactions billed by volume and second of the run, in no order, since [`Stack::watch_usage`].
    pub fn billed_seconds(&self) -> impl Iterator<Item = (VolumeId, u64, u64)> + '_ {
        let metered = self.disks.iter().filter_map(|disk| Some((disk.volume, disk.meter.as_ref()?)));
        metered.flat_map(|(volume, meter)| meter.seconds().map(move |(second, n)| (VolumeId(volume), second, n)))
    }

    /// Resets the counters (credits, cache content and requests under way are untouched).
    pub fn reset_tally(&mut self, now: Instant) {
        for gate in &mut self.gates {
            gate.pair.reset_tally(now.ns());
            gate.waited.fill([0; 2]);
        }
        for disk in &mut self.disks {
            disk.pair.reset_tally(now.ns());
            for pair in disk.directions.iter_mut().flat_map(|pairs| pairs.iter_mut()) {
                pair.reset_tally(now.ns());
            }
        }
        for volume in &mut self.volumes {
            volume.tally = VolumeTally::default();
        }
    }

    /// What the stack counted up to `now`.
    pub fn tally(&self, now: Instant) -> Tally {
        let mut limits = Vec::new();
        for (gate, fair) in self.gates.iter().enumerate() {
            let front = self.disks.iter().any(|disk| disk.front == Some(gate));
            for (quantity, limiter) in fair.pair.each() {
                let (stage, of) = match (front, quantity) {
                    (true, Quantity::Iops) => (Stage::FrontIops, 0),
                    (true, Quantity::Throughput) => (Stage::FrontThroughput, 1),
                    (false, Quantity::Iops) => (Stage::BehindIops, 0),
                    (false, Quantity::Throughput) => (Stage::BehindThroughput, 1),
                };
                let id = LimitId { gate: Gate::Vm(GateId(gate as u8)), quantity };
                let waited_in = |volume: &Volume| fair.waited[volume.range()].iter().map(|waited| waited[of]).sum();
                let waited_by = self.volumes.iter().map(waited_in).collect();
                limits.push(LimitTally { waited_by, ..LimitTally::new(id, stage, &fair.pair, limiter, now.ns()) });
            }
        }
        for (index, disk) in self.disks.iter().enumerate() {
            let within = index as u16 - self.volumes[usize::from(disk.volume)].first_disk;
            let directions = disk.directions.iter().flat_map(|pairs| pairs.iter().zip(Direction::ALL));
            let directions = directions.map(|(pair, direction)| (pair, Some(direction)));
            for (pair, only) in core::iter::once((&disk.pair, None)).chain(directions) {
                let gate = Gate::Disk { volume: VolumeId(disk.volume), disk: within, only };
                for (quantity, limiter) in pair.each() {
                    let stage = match quantity {
                        Quantity::Iops => Stage::DiskIops,
                        Quantity::Throughput => Stage::DiskThroughput,
                    };
                    limits.push(LimitTally::new(LimitId { gate, quantity }, stage, pair, limiter, now.ns()));
                }
            }
        }
        let volumes = self.volumes.iter().map(|volume| self.volume_tally(volume, now.ns())).collect();
        let bytes = |of: fn(&HostCache) -> u64| Bytes::new(self.cache.as_ref().map_or(0, of));
        Tally {
            limits,
            dirty: bytes(HostCache::dirty),
            resident: bytes(HostCache::resident),
            volumes,
            submitted: self.submitted,
            completed: self.completed,
            abandoned: self.abandoned,
        }
    }

    fn volume_tally(&self, volume: &Volume, now: u64) -> VolumeTally {
        let disks = volume.first_disk..volume.first_disk + volume.disks;
        let meters = disks.clone().filter_map(|disk| self.disks[usize::from(disk)].meter.as_ref());
        let dirty = disks.map(|disk| self.cache.as_ref().map_or(0, |cache| cache.dirty_of(disk))).sum();
        let mut touched = None;
        for untouched in self.disks[volume.range()].iter().filter_map(|disk| disk.untouched.as_ref()) {
            let (all, (fetched, until)) = (touched.get_or_insert_with(TouchTally::default), untouched.fetched());
            all.fetched += Bytes::new(fetched);
            all.until = all.until.max(Instant::from_ns(until));
            all.left += Bytes::new(untouched.left(now));
            all.whole_at = all.whole_at.max(untouched.whole_at().map(Instant::from_ns));
        }
        VolumeTally {
            touched,
            billed_transactions: meters.map(|meter| meter.transactions()).sum(),
            dirty: Bytes::new(dirty),
            ..volume.tally.clone()
        }
    }
}
