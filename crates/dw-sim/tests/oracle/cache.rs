//! The host cache as lists and sets: blocks in the order of their use, sectors that are valid, sectors that are dirty.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::ops::Range;

use dw_stack::{Eviction, Fill, HostCacheSpec};

use crate::oracle::Part;

/// A tier of the cache, the faster one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tier {
    Ram,
    Ssd,
}

/// Blocks by disk and number, oldest first. What leaves RAM becomes the youngest of the SSD.
pub(crate) struct Recency {
    ram: Vec<(usize, u64)>,
    ssd: Vec<(usize, u64)>,
    ram_max: usize,
    capacity: usize,
    moves_on_use: bool,
}

impl Recency {
    fn new(spec: &HostCacheSpec) -> Recency {
        let capacity = (spec.capacity / spec.block_size).max(1) as usize;
        let ram_max = ((spec.ram / spec.block_size) as usize).min(capacity);
        let moves_on_use = spec.eviction == Eviction::Lru;
        Recency { ram: Vec::new(), ssd: Vec::new(), ram_max, capacity, moves_on_use }
    }

    fn len(&self) -> usize {
        self.ram.len() + self.ssd.len()
    }

    fn find(&self, block: (usize, u64)) -> Option<Tier> {
        let ram = self.ram.contains(&block).then_some(Tier::Ram);
        ram.or_else(|| self.ssd.contains(&block).then_some(Tier::Ssd))
    }

    /// The tier in which a block is found that is used now.
    fn touch(&mut self, block: (usize, u64)) -> Option<Tier> {
        let tier = self.find(block)?;
        if self.moves_on_use {
            self.remove(block);
            self.put(block);
        }
        Some(tier)
    }

    fn insert(&mut self, block: (usize, u64)) {
        if self.len() == self.capacity {
            let oldest = if self.ssd.is_empty() { &mut self.ram } else { &mut self.ssd };
            oldest.remove(0);
        }
        self.put(block);
    }

    fn put(&mut self, block: (usize, u64)) {
        self.ram.push(block);
        if self.ram.len() > self.ram_max {
            self.ssd.push(self.ram.remove(0));
        }
    }

    fn remove(&mut self, block: (usize, u64)) {
        self.ram.retain(|&other| other != block);
        self.ssd.retain(|&other| other != block);
    }
}

/// A block became dirty.
struct Dirty {
    /// How often one had before.
    number: u64,
    block: u64,
    since: u64,
}

/// A disk write that brings dirty sectors home.
pub(crate) struct Destage {
    /// That of its first block.
    pub(crate) number: u64,
    sectors: Vec<u64>,
    pub(crate) bytes: u64,
    /// Separate runs of sectors.
    pub(crate) runs: u64,
}

/// The largest disk write made of several blocks.
const JOINED_MAX: u64 = 256 << 10;

/// What a disk does not have yet.
#[derive(Default)]
struct WriteBack {
    sectors: BTreeSet<u64>,
    /// Their blocks in the order in which they became dirty. One that was trimmed meanwhile has no sectors, or keeps its turn.
    queue: VecDeque<Dirty>,
    numbers: u64,
    in_flight: Vec<Destage>,
    /// Flushes, and the number up to which all have to be home.
    flushes: VecDeque<(u64, Part)>,
}

impl WriteBack {
    fn dirty(&self) -> usize {
        self.sectors.len() + self.in_flight.iter().map(|destage| destage.sectors.len()).sum::<usize>()
    }

    fn has(&self, sector: u64) -> bool {
        self.sectors.contains(&sector) || self.in_flight.iter().any(|destage| destage.sectors.contains(&sector))
    }

    /// Takes the dirty sectors of a block.
    fn take(&mut self, block: Range<u64>) -> Vec<u64> {
        self.sectors.extract_if(block, |_| true).collect()
    }
}

/// The cache of one VM.
pub(crate) struct Cache {
    pub(crate) spec: HostCacheSpec,
    block: u64,
    sector: u64,
    blocks: Recency,
    /// Sectors, by disk, of resident blocks that can be read, and of others that could be once.
    valid: HashSet<(usize, u64)>,
    disks: Vec<WriteBack>,
    /// Room for dirty bytes of each disk.
    room: u64,
}

impl Cache {
    /// For so many disks, of which so many are written back and share the room for dirty data.
    pub(crate) fn new(spec: &HostCacheSpec, disks: usize, written_back: usize) -> Cache {
        let block = spec.block_size.get();
        Cache {
            spec: spec.clone(),
            block,
            sector: (block / 16).max(4 << 10),
            blocks: Recency::new(spec),
            valid: HashSet::new(),
            disks: (0..disks).map(|_| WriteBack::default()).collect(),
            room: spec.write_back.dirty_max.get() / written_back.max(1) as u64,
        }
    }

    pub(crate) fn resident(&self) -> u64 {
        self.blocks.len() as u64 * self.block
    }

    /// Bytes that a disk does not have yet.
    pub(crate) fn dirty(&self, disk: usize) -> u64 {
        self.disks[disk].dirty() as u64 * self.sector
    }

    /// The blocks of a range, with those of their sectors that it touches, and those that it covers.
    fn blocks(&self, offset: u64, len: u64) -> Vec<(u64, Range<u64>, Range<u64>)> {
        let (block, sector, end) = (self.block, self.sector, offset + len);
        let one = |number: u64| {
            let (from, to) = (offset.max(number * block), end.min((number + 1) * block));
            (number, from / sector..to.div_ceil(sector), from.div_ceil(sector)..to / sector)
        };
        (offset / block..end.div_ceil(block)).map(one).collect()
    }

    fn sectors(&self, block: u64) -> Range<u64> {
        block * self.block / self.sector..(block + 1) * self.block / self.sector
    }

    /// A block comes in with these sectors.
    fn insert(&mut self, disk: usize, block: u64, sectors: Range<u64>) {
        for sector in self.sectors(block) {
            self.valid.remove(&(disk, sector));
        }
        self.blocks.insert((disk, block));
        self.valid.extend(sectors.map(|sector| (disk, sector)));
    }

    /// The slowest tier that serves a read; `None` when the disk has to. Afterwards all of it is resident.
    pub(crate) fn read(&mut self, disk: usize, offset: u64, len: u64) -> Option<Tier> {
        let mut found = Some(Tier::Ram);
        for (block, touched, _) in self.blocks(offset, len) {
            let resident = self.blocks.touch((disk, block));
            let readable = |sector| resident.is_some() && self.valid.contains(&(disk, sector));
            let missing: Vec<u64> = touched.clone().filter(|&sector| !readable(sector)).collect();
            // Dirty sectors are here even when their block is not.
            let is_here = missing.iter().all(|&sector| self.disks[disk].has(sector));
            let filled =
                if self.spec.fill == Fill::Block && !missing.is_empty() { self.sectors(block) } else { touched };
            match resident {
                Some(_) => self.valid.extend(filled.map(|sector| (disk, sector))),
                None => self.insert(disk, block, filled),
            }
            found = found.filter(|_| is_here).map(|slowest| slowest.max(resident.unwrap_or(Tier::Ssd)));
        }
        found
    }

    /// A write that the disk gets, too.
    pub(crate) fn write_through(&mut self, disk: usize, offset: u64, len: u64, allocate: bool) {
        for (block, _, covered) in self.blocks(offset, len) {
            if self.blocks.touch((disk, block)).is_some() {
                self.valid.extend(covered.map(|sector| (disk, sector)));
            } else if allocate && !covered.is_empty() {
                self.insert(disk, block, covered);
            }
        }
    }

    pub(crate) fn has_room(&self, disk: usize, len: u64) -> bool {
        let dirty = self.dirty(disk);
        dirty == 0 || dirty + len <= self.room
    }

    /// A write that the disk gets later.
    pub(crate) fn write_back(&mut self, now: u64, disk: usize, offset: u64, len: u64) {
        self.write_through(disk, offset, len, true);
        for (block, touched, _) in self.blocks(offset, len) {
            let (all, of) = (self.sectors(block), &mut self.disks[disk]);
            if of.sectors.range(all).next().is_none() {
                of.queue.push_back(Dirty { number: of.numbers, block, since: now });
                of.numbers += 1;
            }
            of.sectors.extend(touched);
        }
    }

    pub(crate) fn discard(&mut self, disk: usize, offset: u64, len: u64) {
        for (block, _, covered) in self.blocks(offset, len) {
            if covered == self.sectors(block) {
                self.blocks.remove((disk, block));
            }
            for sector in covered {
                self.valid.remove(&(disk, sector));
                self.disks[disk].sectors.remove(&sector);
            }
        }
    }

    /// When the next disk write of a disk may start; `pressed` = a write waits for room.
    pub(crate) fn destage_at(&self, disk: usize, now: u64, pressed: bool) -> Option<u64> {
        let (of, spec) = (&self.disks[disk], &self.spec.write_back);
        let oldest = of.queue.front().filter(|_| of.in_flight.len() < spec.destage_depth as usize)?;
        let at_once = pressed || !of.flushes.is_empty();
        Some(if at_once { now } else { now.max(oldest.since + spec.destage_after.ns()) })
    }

    /// Starts it: the oldest block, with those behind it in the queue that go on where it ends.
    pub(crate) fn start_destage(&mut self, disk: usize) -> Option<&Destage> {
        let each = self.block / self.sector;
        let of = &mut self.disks[disk];
        let (mut number, mut sectors, mut blocks) = (0, Vec::new(), 1);
        while sectors.is_empty() {
            let first = of.queue.pop_front()?;
            (number, sectors) = (first.number, of.take(first.block * each..(first.block + 1) * each));
        }
        while (blocks + 1) * self.block <= JOINED_MAX
            && let (Some(next), Some(&last)) = (of.queue.front(), sectors.last())
            && (next.block * each == last + 1 && of.sectors.contains(&(last + 1)))
        {
            sectors.extend(of.take(next.block * each..(next.block + 1) * each));
            blocks += 1;
            of.queue.pop_front();
        }
        let runs = 1 + sectors.windows(2).filter(|pair| pair[0] + 1 != pair[1]).count() as u64;
        of.in_flight.push(Destage { number, bytes: sectors.len() as u64 * self.sector, sectors, runs });
        of.in_flight.last()
    }

    /// It is done; returns its bytes.
    pub(crate) fn finish_destage(&mut self, disk: usize, number: u64) -> u64 {
        let in_flight = &mut self.disks[disk].in_flight;
        let at = in_flight.iter().position(|destage| destage.number == number);
        at.map_or(0, |at| in_flight.remove(at).bytes)
    }

    /// A flush waits until what is dirty is home; given back when nothing is.
    pub(crate) fn flush(&mut self, flush: Part) -> Option<Part> {
        let of = &mut self.disks[flush.disk];
        if of.dirty() == 0 {
            return Some(flush);
        }
        of.flushes.push_back((of.numbers, flush));
        None
    }

    /// The next flush of a disk that waits no more.
    pub(crate) fn flushed(&mut self, disk: usize) -> Option<Part> {
        let of = &mut self.disks[disk];
        let left = of.queue.iter().map(|dirty| dirty.number).chain(of.in_flight.iter().map(|destage| destage.number));
        let oldest = left.min().unwrap_or(of.numbers);
        of.flushes.pop_front_if(|(before, _)| *before <= oldest).map(|(_, flush)| flush)
    }
}
