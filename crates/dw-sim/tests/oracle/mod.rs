//! The oracle of the engine: the same answers by slow and obvious ways.
//!
//! It shares with the engine how a stack is described, requests, tallies and the table of a service time, and no mechanism. Requests
//! move about as values and one event is handled at a time, looked for among all that may come next; limits keep every
//! grant (`limits.rs`), stripes are dealt out a chunk at a time (`deal.rs`), the host cache is lists that are searched (`cache.rs`).
//! Nothing here is to be made faster. At equal instants the request that was begun first comes first.
//!
//! Some rules are the engine's own and taken over, so they are not judged here: tokens count as granted when it is known when they go;
//! `binding` joins waits in the order of the grants; of two gates that open at one instant, the one known first comes first; a block
//! that is trimmed and written again keeps its turn of the write-back.

mod cache;
mod deal;
mod limits;

use std::collections::{BTreeMap, HashMap, VecDeque};

use crate::oracle::cache::{Cache, Tier};
use crate::oracle::deal::{Deal, Piece};
use crate::oracle::limits::{Gate, Limit, Passing, pass};
use dw_sim::Engine;
use dw_stack::{
    CacheMode, CacheOutcome, Completion, DiskSpec, FirstTouch, GateId, LimitId, LimitSpec, Op, Quantity, Request,
    ServiceTime, StackSpec, Stage, Tally, TimeSpent, TouchTally, VolumeId, VolumeTally,
};
use dw_units::{Bytes, Direction, Duration, Instant, NS_PER_SECOND};
use dw_workload::rng::mix;

/// "No event".
pub(crate) const NEVER: u64 = u64::MAX;

/// A request on one disk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// What will be given back, filled in on the way.
    done: Completion,
    pub(crate) disk: usize,
    offset: u64,
    /// How many have been begun with it.
    number: u64,
    /// The request that it is a part of.
    whole: u64,
    fua: bool,
    /// The stack's own write of dirty data: which, and the I/Os that it counts as.
    destage: Option<(u64, u64)>,
}

impl Part {
    fn len(&self) -> u64 {
        u64::from(self.done.len)
    }

    /// Bytes that count: a trim moves none.
    fn bytes(&self) -> u64 {
        if self.done.op == Op::Trim { 0 } else { self.len() }
    }

    fn waits(&mut self, iops: Stage, at: [u64; 3]) {
        for of in 0..2 {
            self.done.spent.queued[iops as usize + of] += Duration::from_ns(at[of + 1] - at[of]);
        }
    }
}

/// Draws of one kind on one disk.
struct Draws {
    key: u64,
    drawn: u64,
}

const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl Draws {
    fn new(seed: u64, stream: u64) -> Draws {
        Draws { key: mix(seed.wrapping_add(STEP)) ^ mix(stream.wrapping_mul(STEP).wrapping_add(1)), drawn: 0 }
    }

    /// A time for `len` bytes.
    fn time(&mut self, service: &ServiceTime, len: u64) -> u64 {
        self.drawn += 1;
        let draw = mix(self.key.wrapping_add(STEP.wrapping_mul(self.drawn)));
        u64::from(service.table.at(draw)) + service.bandwidth.map_or(0, |rate| len * NS_PER_SECOND / rate.get())
    }
}

struct Disk {
    spec: DiskSpec,
    volume: usize,
    cached: CacheMode,
    local: bool,
    /// The gate before the host cache, or before a local disk.
    front: Option<usize>,
    /// The gates behind its own limits.
    behind: Vec<usize>,
    limits: [Option<Limit>; 2],
    /// On reads alone, on writes alone.
    directions: [[Option<Limit>; 2]; 2],
    reads: Draws,
    writes: Draws,
    in_cache: Draws,
    penalties: Draws,
    /// Blocks that somebody asked for or wrote whole, and when they are there.
    touched: BTreeMap<u64, u64>,
    /// When those are there that were fetched.
    fetched: Vec<u64>,
    /// I/Os and bytes of each second.
    used: BTreeMap<u64, [u64; 2]>,
    /// Writes that wait for room for dirty data, and since when.
    room: VecDeque<(Part, u64)>,
}

impl Disk {
    /// As how many I/Os `bytes` count.
    fn ios(&self, bytes: u64) -> u64 {
        self.spec.io_unit.map_or(1, |unit| bytes.div_ceil(unit.get()).max(1))
    }

    /// When a request that comes to its limits at `at` leaves them.
    fn pass(&mut self, part: &mut Part, at: u64) -> u64 {
        let ios = part.destage.map_or_else(|| self.ios(part.bytes()), |(_, ios)| ios);
        let tokens = [ios, part.bytes()];
        let shared = pass(&mut self.limits, at, tokens);
        let own = pass(&mut self.directions[usize::from(part.done.op != Op::Read)], shared[2], tokens);
        part.waits(Stage::DiskIops, shared);
        part.waits(Stage::DiskIops, own);
        let used = self.used.entry(own[2] / NS_PER_SECOND).or_default();
        *used = [used[0] + ios, used[1] + part.bytes()];
        let there = self.fetch(part, own[2]);
        part.done.spent.queued[Stage::FirstTouch as usize] = Duration::from_ns(there - own[2]);
        if there > own[2] {
            part.done.cache = CacheOutcome::FirstTouch;
        }
        there
    }

    /// When a block is there though nobody touches it.
    fn by_itself(&self, touch: FirstTouch, block: u64) -> u64 {
        let (end, there) = (((block + 1) * touch.block.get()), touch.there.get());
        if there >= end.min(self.spec.size.get()) {
            return 0;
        }
        let from = there / touch.block.get() * touch.block.get();
        let Some(rate) = touch.background else { return u64::MAX };
        let (ns, rate) = (u128::from(end - from) * u128::from(NS_PER_SECOND), u128::from(rate.get()));
        (ns / rate + u128::from(ns % rate > 0)) as u64
    }

    /// When the data are there that a request needs which left the limits at `at`.
    fn fetch(&mut self, part: &Part, at: u64) -> u64 {
        let Some(touch) = self.spec.first_touch.filter(|_| part.len() > 0) else { return at };
        let (size, end) = (touch.block.get(), part.offset + part.len());
        let mut there = at;
        for block in part.offset / size..=(end - 1) / size {
            let is_whole = part.offset <= block * size && end >= ((block + 1) * size).min(self.spec.size.get());
            if part.done.op != Op::Read && is_whole {
                self.touched.insert(block, 0);
            } else if part.done.op != Op::Trim {
                let by_itself = self.by_itself(touch, block);
                if by_itself > at {
                    let asked = at + touch.fetch.ns();
                    if !self.touched.contains_key(&block) {
                        self.fetched.push(asked.min(by_itself));
                    }
                    let ready = self.touched.entry(block).or_insert(by_itself);
                    *ready = asked.min(*ready);
                    there = there.max(*ready);
                }
            }
        }
        there
    }

    /// What became of data that have to be fetched.
    fn touch_tally(&self, now: u64) -> Option<TouchTally> {
        let touch = self.spec.first_touch?;
        let (size, block) = (self.spec.size.get(), touch.block.get());
        let blocks = size.div_ceil(block);
        let is_left = |n: &u64| self.by_itself(touch, *n) > now && !self.touched.contains_key(n);
        let left = (0..blocks).filter(is_left).map(|n| block.min(size - n * block)).sum();
        let whole_at = touch.background.map(|_| Instant::from_ns(self.by_itself(touch, blocks - 1)));
        Some(TouchTally {
            fetched: touch.block * self.fetched.len() as u64,
            until: Instant::from_ns(self.fetched.iter().copied().max().unwrap_or(0)),
            left: Bytes::new(left),
            whole_at,
        })
    }

    /// How long the medium takes.
    fn serve(&mut self, part: &Part) -> u64 {
        match part.done.op {
            Op::Read => self.reads.time(&self.spec.read, part.len()),
            _ => self.writes.time(&self.spec.write, part.bytes()),
        }
    }

    /// What is billed for use beyond the base, by second.
    fn billed(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let billed = |(&second, &[ios, bytes]): (&u64, &[u64; 2])| {
            let base = self.spec.usage_base?;
            let transactions = bytes.saturating_sub(base.bytes_per_second) / 250_000;
            Some((second, ios.saturating_sub(base.iops).max(transactions)))
        };
        self.used.iter().filter_map(billed)
    }
}

struct Volume {
    size: u64,
    first_disk: usize,
    disks: usize,
    deal: Deal,
    tally: VolumeTally,
}

/// The storage of one VM.
pub(crate) struct Stack {
    now: u64,
    disks: Vec<Disk>,
    volumes: Vec<Volume>,
    gates: Vec<Gate>,
    cache: Option<Cache>,
    begun: u64,
    /// Parts that will be done, by when and by number.
    ends: BTreeMap<(u64, u64), Part>,
    /// What happens inside next. At a tie it is what was known first.
    inside: (u64, Inside),
    /// How many parts of a request are not done, and its bytes.
    under_way: HashMap<u64, (usize, u32)>,
    submitted: u64,
    completed: u64,
}

/// What may happen but that a request is done.
#[derive(Clone, Copy)]
enum Inside {
    Destage(usize),
    Gate(usize),
}

impl Stack {
    pub(crate) fn new(spec: StackSpec) -> Stack {
        let every = spec.vm.throttle_interval.ns();
        let pair = |limits: &LimitSpec| Limit::pair(limits, spec.credits, every);
        let (mut disks, mut volumes) = (Vec::new(), Vec::new());
        for of in &spec.volumes {
            let sizes: Vec<Bytes> = of.disks.iter().map(|disk| disk.size).collect();
            let deal = Deal::new(&sizes, of.stripe_unit);
            let size = if sizes.len() == 1 { sizes[0].get() } else { deal.size() };
            let first_disk = disks.len();
            volumes.push(Volume { size, first_disk, disks: sizes.len(), deal, tally: VolumeTally::default() });
            for disk in &of.disks {
                let draws = |kind| Draws::new(spec.seed, disks.len() as u64 * 4 + kind);
                let direction = |limits: Option<LimitSpec>| pair(&limits.unwrap_or_default());
                let limits = |gate: &usize| spec.vm.gates[*gate].limits != LimitSpec::default();
                disks.push(Disk {
                    spec: disk.clone(),
                    volume: volumes.len() - 1,
                    cached: of.host_cache,
                    local: of.path.local,
                    front: of.path.front.map(|gate| usize::from(gate.0)),
                    behind: of.path.remote.iter().map(|gate| usize::from(gate.0)).filter(limits).collect(),
                    limits: pair(&disk.limits),
                    directions: [disk.by_direction.reads, disk.by_direction.writes].map(direction),
                    reads: draws(0),
                    writes: draws(1),
                    in_cache: draws(2),
                    penalties: draws(3),
                    touched: BTreeMap::new(),
                    fetched: Vec::new(),
                    used: BTreeMap::new(),
                    room: VecDeque::new(),
                });
            }
        }
        let written_back = disks.iter().filter(|disk| disk.cached == CacheMode::ReadWrite).count();
        let cache = spec.vm.host_cache.as_ref().map(|cache| Cache::new(cache, disks.len(), written_back));
        let mut gates: Vec<Gate> =
            spec.vm.gates.iter().map(|gate| Gate::new(pair(&gate.limits), disks.len())).collect();
        for (number, gate) in gates.iter_mut().enumerate() {
            let is_front = disks.iter().any(|disk| disk.front == Some(number));
            let uses = |disk: &&Disk| match is_front {
                true => disk.front == Some(number) && (disk.local || disk.cached != CacheMode::None),
                false => disk.behind.contains(&number),
            };
            // Dirty data leave by themselves: behind an answer given early they would come too late.
            let overtakes = |disk: &Disk| {
                let is_apart = disk.directions.iter().flatten().any(Option::is_some);
                disk.behind.contains(&number) && (is_apart || disk.spec.first_touch.is_some())
            };
            let in_turn = !(is_front && written_back > 0 || disks.iter().any(overtakes));
            gate.alone = in_turn && disks.iter().filter(uses).count() <= 1;
        }
        let (ends, under_way) = (BTreeMap::new(), HashMap::new());
        let inside = (NEVER, Inside::Destage(0));
        Stack { now: 0, disks, volumes, gates, cache, begun: 0, ends, inside, under_way, submitted: 0, completed: 0 }
    }

    fn part(&mut self, request: &Request, disk: usize, offset: u64, len: u64, whole: u64) -> Part {
        let &Request { user, volume, op, fua, .. } = request;
        let (submitted, finished) = (Instant::from_ns(self.now), Instant::START);
        let (cache, spent) = (CacheOutcome::Bypass, TimeSpent::default());
        let done = Completion { user, volume, op, len: len as u32, submitted, finished, cache, spent };
        self.begun += 1;
        Part { done, disk, offset, number: self.begun, whole, fua, destage: None }
    }

    fn begin(&mut self, part: Part) {
        let disk = &self.disks[part.disk];
        let (local, written_back) = (disk.local, disk.cached == CacheMode::ReadWrite);
        match disk.front {
            _ if part.done.op == Op::Flush => {
                let cache = self.cache.as_mut().filter(|_| written_back);
                match cache.map_or(Some(part), |cache| cache.flush(part)) {
                    Some(flush) => self.end_flush(flush),
                    None => self.look_inside(),
                }
            }
            _ if disk.cached == CacheMode::None && !local => self.enter_disk(part, self.now),
            None => self.enter_local(part, self.now),
            Some(gate) => {
                let passing = Passing { tokens: [1, part.bytes()], part, at: [self.now; 3] };
                match self.gates[gate].enter(self.now, passing) {
                    Some(passing) => self.leave_front(gate, passing),
                    None => self.look_at_gate(gate),
                }
            }
        }
    }

    fn note_wait(&mut self, gate: usize, passing: &Passing) {
        for of in 0..2 {
            self.gates[gate].waited[passing.part.disk][of] += passing.at[of + 1] - passing.at[of];
        }
    }

    fn leave_front(&mut self, gate: usize, passing: Passing) {
        self.note_wait(gate, &passing);
        let Passing { mut part, at: times, .. } = passing;
        part.waits(Stage::FrontIops, times);
        let at = times[2];
        let disk = &mut self.disks[part.disk];
        let cache = match &mut self.cache {
            Some(cache) if !disk.local => cache,
            _ => return self.enter_local(part, at),
        };
        let (index, offset, len, tally) = (part.disk, part.offset, part.len(), &mut self.volumes[disk.volume].tally);
        match part.done.op {
            Op::Read => {
                let (count, outcome, service) = match cache.read(index, offset, len) {
                    Some(Tier::Ram) => (&mut tally.hits_ram, CacheOutcome::HitRam, Some(&cache.spec.ram_hit)),
                    Some(Tier::Ssd) => (&mut tally.hits_ssd, CacheOutcome::HitSsd, Some(&cache.spec.ssd_read)),
                    None => (&mut tally.misses, CacheOutcome::Miss, None),
                };
                *count += 1;
                part.done.cache = outcome;
                match service {
                    Some(service) => {
                        let ns = disk.in_cache.time(service, len);
                        part.done.spent.served = Duration::from_ns(ns);
                        self.end(part, at + ns);
                    }
                    None => self.enter_disk(part, at),
                }
            }
            Op::Write if disk.cached == CacheMode::ReadWrite && !part.fua => {
                part.done.cache = CacheOutcome::WriteBack;
                disk.room.push_back((part, at));
                match disk.room.len() {
                    1 => self.fill_room(index, at),
                    _ => self.look_inside(),
                }
            }
            Op::Write => {
                let allocate = disk.cached == CacheMode::ReadWrite || cache.spec.write_allocate;
                cache.write_through(index, offset, len, allocate);
                part.done.cache = CacheOutcome::WriteThrough;
                self.enter_disk(part, at);
            }
            Op::Trim | Op::Flush => {
                cache.discard(index, offset, len);
                self.fill_room(index, self.now);
                self.enter_disk(part, at);
            }
        }
    }

    /// Lets writes into the cache for which there is room.
    fn fill_room(&mut self, disk: usize, now: u64) {
        while let (Some(cache), Some(&(mut part, since))) = (&mut self.cache, self.disks[disk].room.front())
            && cache.has_room(disk, part.len())
        {
            self.disks[disk].room.pop_front();
            cache.write_back(now, disk, part.offset, part.len());
            let ns = self.disks[disk].in_cache.time(&cache.spec.ssd_write, part.len());
            part.done.spent.queued[Stage::CacheDirty as usize] = Duration::from_ns(now - since);
            part.done.spent.served = Duration::from_ns(ns);
            self.end(part, now + ns);
        }
        if self.disks[disk].cached == CacheMode::ReadWrite {
            self.look_inside();
        }
    }

    fn destage_at(&self, disk: usize) -> u64 {
        let pressed = !self.disks[disk].room.is_empty();
        self.cache.as_ref().and_then(|cache| cache.destage_at(disk, self.now, pressed)).unwrap_or(NEVER)
    }

    fn destage(&mut self, disk: usize) {
        while self.destage_at(disk) <= self.now
            && let Some(destage) = self.cache.as_mut().and_then(|cache| cache.start_destage(disk))
        {
            let (number, bytes, runs) = (destage.number, destage.bytes, destage.runs);
            let volume = VolumeId(self.disks[disk].volume as u16);
            let own = Request { volume, op: Op::Write, fua: false, offset: 0, len: 0, user: 0 };
            let ios = runs.max(self.disks[disk].ios(bytes));
            let part = Part { destage: Some((number, ios)), ..self.part(&own, disk, 0, bytes, 0) };
            self.enter_disk(part, self.now);
        }
        self.end_flushes(disk);
    }

    fn end_flushes(&mut self, disk: usize) {
        while let Some(flush) = self.cache.as_mut().and_then(|cache| cache.flushed(disk)) {
            self.end_flush(flush);
        }
    }

    /// The data are home: one more round trip to the disk, of six tenths of a write.
    fn end_flush(&mut self, mut flush: Part) {
        let disk = &mut self.disks[flush.disk];
        let at = self.now + disk.writes.time(&disk.spec.write, 0) * 6 / 10;
        flush.done.spent.served = Duration::from_ns(at - flush.done.submitted.ns());
        self.end(flush, at);
    }

    fn enter_local(&mut self, mut part: Part, at: u64) {
        let disk = &mut self.disks[part.disk];
        let (at, ns) = (disk.pass(&mut part, at), disk.serve(&part));
        part.done.spent.served = Duration::from_ns(ns);
        self.end(part, at + ns);
    }

    fn enter_disk(&mut self, mut part: Part, at: u64) {
        let at = self.disks[part.disk].pass(&mut part, at);
        self.pass_gates(part, 0, at);
    }

    /// The gates behind a disk from this one of them on, and the medium.
    fn pass_gates(&mut self, mut part: Part, mut from: usize, mut at: u64) {
        while let Some(&gate) = self.disks[part.disk].behind.get(from) {
            // To the VM a request is one I/O, whatever its size.
            let ios = part.destage.map_or(1, |(_, ios)| ios);
            let passing = Passing { tokens: [ios, part.bytes()], part, at: [at; 3] };
            let Some(left) = self.gates[gate].enter(self.now, passing) else { return self.look_at_gate(gate) };
            self.note_wait(gate, &left);
            (part, at) = (left.part, left.at[2]);
            part.waits(Stage::BehindIops, left.at);
            from += 1;
        }
        let disk = &mut self.disks[part.disk];
        let mut ns = disk.serve(&part);
        if part.done.cache == CacheOutcome::Miss
            && let Some(penalty) = self.cache.as_ref().and_then(|cache| cache.spec.miss_penalty.as_ref())
        {
            ns += disk.penalties.time(penalty, part.len());
        }
        part.done.spent.served = Duration::from_ns(ns);
        self.end(part, at + ns);
    }

    fn open_gate(&mut self, gate: usize) {
        let Some(passing) = self.gates[gate].next(self.now) else { return };
        let disk = &self.disks[passing.part.disk];
        if disk.front == Some(gate) {
            return self.leave_front(gate, passing);
        }
        let passed = disk.behind.iter().position(|&other| other == gate).map_or(0, |place| place + 1);
        self.note_wait(gate, &passing);
        let Passing { mut part, at, .. } = passing;
        part.waits(Stage::BehindIops, at);
        self.pass_gates(part, passed, at[2]);
    }

    fn end(&mut self, mut part: Part, at: u64) {
        part.done.finished = Instant::from_ns(at);
        self.ends.insert((at, part.number), part);
    }

    fn look_inside(&mut self) {
        let destages = (0..self.disks.len()).map(|disk| (self.destage_at(disk), Inside::Destage(disk)));
        let gates = self.gates.iter().enumerate().map(|(gate, of)| (of.at(), Inside::Gate(gate)));
        self.inside = destages.chain(gates).min_by_key(|&(at, _)| at).unwrap_or(self.inside);
    }

    /// A request waits there now.
    fn look_at_gate(&mut self, gate: usize) {
        let at = self.gates[gate].at();
        if at < self.inside.0 {
            self.inside = (at, Inside::Gate(gate));
        }
    }

    /// A part is done: the whole, when it was the last; the last speaks for the whole.
    fn complete(&mut self, part: Part) -> Option<Completion> {
        if let (Some((number, _)), Some(cache)) = (part.destage, &mut self.cache) {
            let bytes = cache.finish_destage(part.disk, number);
            self.volumes[self.disks[part.disk].volume].tally.destaged += Bytes::new(bytes);
            self.end_flushes(part.disk);
            self.fill_room(part.disk, self.now);
            return None;
        }
        let (left, len) = self.under_way.get_mut(&part.whole)?;
        *left -= 1;
        if *left > 0 {
            return None;
        }
        self.completed += 1;
        Some(Completion { len: *len, ..part.done })
    }
}

impl Engine for Stack {
    fn warm(&mut self, volume: VolumeId, offset: u64, len: u64) {
        let volume = &self.volumes[usize::from(volume.0)];
        let Some(cache) = self.cache.as_mut().filter(|_| self.disks[volume.first_disk].cached != CacheMode::None)
        else {
            return;
        };
        let end = (offset + len).min(volume.size);
        // A reader asks for so much at a time.
        for at in (offset..end).step_by(1 << 20) {
            for Piece { disk, offset, len, .. } in volume.deal.split(at, (end - at).min(1 << 20)) {
                cache.read(volume.first_disk + disk, offset, len);
            }
        }
    }

    fn watch_usage(&mut self) {}

    fn submit(&mut self, now: Instant, request: Request) {
        self.now = now.ns();
        self.submitted += 1;
        let volume = &self.volumes[usize::from(request.volume.0)];
        let first_disk = volume.first_disk;
        let pieces: Vec<(usize, u64, u64)> = match request.op {
            Op::Flush => (0..volume.disks).map(|disk| (disk, 0, 0)).collect(),
            _ => {
                let pieces = volume.deal.split(request.offset, u64::from(request.len));
                pieces.into_iter().map(|piece| (piece.disk, piece.offset, piece.len)).collect()
            }
        };
        let whole = self.submitted;
        self.under_way.insert(whole, (pieces.len(), request.len));
        for (disk, offset, len) in pieces {
            let part = self.part(&request, first_disk + disk, offset, len, whole);
            self.begin(part);
        }
    }

    fn poll(&mut self, until: Instant) -> Option<Completion> {
        loop {
            let (end, (at, inside)) = (self.ends.keys().next().map_or(NEVER, |&(at, _)| at), self.inside);
            if at.min(end) > until.ns() || at.min(end) == NEVER {
                return None;
            }
            self.now = self.now.max(at.min(end));
            if end < at {
                let part = self.ends.pop_first()?.1;
                if let Some(done) = self.complete(part) {
                    return Some(done);
                }
                continue;
            }
            match inside {
                Inside::Destage(disk) => self.destage(disk),
                Inside::Gate(gate) => self.open_gate(gate),
            }
            self.look_inside();
        }
    }

    fn tally(&self, now: Instant) -> Tally {
        const QUANTITIES: [Quantity; 2] = [Quantity::Iops, Quantity::Throughput];
        let mut limits = Vec::new();
        for (number, gate) in self.gates.iter().enumerate() {
            let is_front = self.disks.iter().any(|disk| disk.front == Some(number));
            let stages = match is_front {
                true => [Stage::FrontIops, Stage::FrontThroughput],
                false => [Stage::BehindIops, Stage::BehindThroughput],
            };
            for (of, limit) in gate.limits.iter().enumerate().filter_map(|(of, limit)| Some((of, limit.as_ref()?))) {
                let id = LimitId { gate: dw_stack::Gate::Vm(GateId(number as u8)), quantity: QUANTITIES[of] };
                let waited = |volume: &Volume| gate.waited[volume.disks()].iter().map(|waited| waited[of]).sum();
                let waited_by = self.volumes.iter().map(waited).collect();
                limits.push(dw_stack::LimitTally { waited_by, ..limit.tally(id, stages[of], now.ns()) });
            }
        }
        for (number, disk) in self.disks.iter().enumerate() {
            let member = (number - self.volumes[disk.volume].first_disk) as u16;
            let of_reads_and_writes = disk.directions.iter().zip(Direction::ALL.map(Some));
            for (pair, only) in std::iter::once((&disk.limits, None)).chain(of_reads_and_writes) {
                let gate = dw_stack::Gate::Disk { volume: VolumeId(disk.volume as u16), disk: member, only };
                for ((limit, quantity), stage) in
                    pair.iter().zip(QUANTITIES).zip([Stage::DiskIops, Stage::DiskThroughput])
                {
                    limits.extend(limit.as_ref().map(|limit| limit.tally(LimitId { gate, quantity }, stage, now.ns())));
                }
            }
        }
        let dirty = |volume: &Volume| {
            Bytes::new(self.cache.as_ref().map_or(0, |cache| volume.disks().map(|disk| cache.dirty(disk)).sum()))
        };
        let of_volume = |volume: &Volume| VolumeTally {
            billed_transactions: self.disks[volume.disks()].iter().flat_map(Disk::billed).map(|(_, n)| n).sum(),
            dirty: dirty(volume),
            touched: self.disks[volume.disks()].iter().filter_map(|disk| disk.touch_tally(now.ns())).reduce(|a, b| {
                TouchTally {
                    fetched: a.fetched + b.fetched,
                    until: a.until.max(b.until),
                    left: a.left + b.left,
                    whole_at: a.whole_at.max(b.whole_at),
                }
            }),
            ..volume.tally.clone()
        };
        Tally {
            limits,
            dirty: self.volumes.iter().map(dirty).fold(Bytes::new(0), |sum, dirty| sum + dirty),
            resident: Bytes::new(self.cache.as_ref().map_or(0, Cache::resident)),
            volumes: self.volumes.iter().map(of_volume).collect(),
            submitted: self.submitted,
            completed: self.completed,
            abandoned: 0,
        }
    }

    fn reset_tally(&mut self, now: Instant) {
        let of_disks = self.disks.iter_mut().flat_map(|disk| {
            let directions = disk.directions.iter_mut().flatten();
            disk.limits.iter_mut().chain(directions)
        });
        let of_gates = self.gates.iter_mut().flat_map(|gate| &mut gate.limits);
        of_gates.chain(of_disks).flatten().for_each(|limit| limit.reset_tally(now.ns()));
        self.gates.iter_mut().for_each(|gate| gate.waited.fill([0; 2]));
        self.volumes.iter_mut().for_each(|volume| volume.tally = VolumeTally::default());
    }

    fn billed_seconds(&self) -> Vec<(u16, u64, u64)> {
        let of = |disk: &Disk| disk.billed().map(|(second, n)| (disk.volume as u16, second, n)).collect::<Vec<_>>();
        self.disks.iter().flat_map(of).filter(|&(_, _, n)| n > 0).collect()
    }
}

impl Volume {
    fn disks(&self) -> std::ops::Range<usize> {
        self.first_disk..self.first_disk + self.disks
    }
}
