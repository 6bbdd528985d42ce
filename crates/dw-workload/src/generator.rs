//! What a job asks for next: direction, file, offset, size, one request after the other.
//!
//! The order of decisions is fio's: direction, file, offset, size, and only then the map of used blocks, which may
//! shrink the request. A request that no longer fits its file ends that file; when all files have ended, so has the
//! pass. A job that runs by time starts over instead.
//!
//! Draws come from streams of their own (direction, file, offset, size, zone, percentage), so the directions of a job
//! do not depend on its sizes. The common case (one file, one size, uniform offsets) has a path of its own.
//!
//! Source: fio 3.33.
//!
//! Ignores: fio's own random sequences; ours are as deterministic, not the same.
//!
//! Invariant: a request lies within its file's range, and starts at a multiple of the alignment when it is random.

use crate::coverage::Coverage;
use crate::distribution::Skew;
use crate::rng::Stream;
use crate::{Cursor, Direction, Distribution, FileOrder, Job, Line, Mix, SizeDistribution, Strided, sizes};

/// One request, addressed on its volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Io {
    /// First byte on the volume.
    pub offset: u64,
    /// Bytes.
    pub len: u32,
    pub volume: u16,
    /// The direction; as asked for, except for trim-then-write jobs.
    pub direction: Direction,
}

/// Why a job cannot generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GeneratorError {
    NoFile,
    /// A size of zero, or of 4 GiB and more.
    Size(u64),
    /// The smallest request does not fit the file.
    TooSmall {
        /// The file's name.
        file: String,
        /// Bytes of it that the job touches.
        len: u64,
        /// The smallest request, or what it is aligned to.
        size: u64,
    },
    /// Alignment zero.
    Alignment,
    /// The zones of an absolute zoned distribution reach beyond the file.
    Zones {
        /// Bytes that the zones cover.
        zones: u64,
        /// Bytes of the file.
        len: u64,
    },
}

impl std::fmt::Display for GeneratorError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GeneratorError::NoFile => write!(f, "it has no file"),
            GeneratorError::Size(size) => write!(f, "a request of {size} bytes is not possible"),
            GeneratorError::TooSmall { file, len, size } => {
                write!(f, "no request fits: file `{file}` has {len} bytes for it, the smallest request {size}")
            }
            GeneratorError::Alignment => write!(f, "its alignment is zero"),
            GeneratorError::Zones { zones, len } => {
                write!(f, "its zones cover {zones} bytes, its file has {len}")
            }
        }
    }
}

impl std::error::Error for GeneratorError {}

/// The requests of one job.
#[derive(Clone, Debug)]
pub struct Generator {
    files: Vec<File>,
    plain: Option<Plain>,
    early: Early,
    mix: Mix,
    order: FileOrder,
    /// The file in use, and how many more requests go to it.
    current: Option<usize>,
    left: u32,
    next_file: usize,
    done_files: usize,
    /// Requests until the next random offset (`rw=randread:8`).
    until_random: u32,
    zone_bytes: u64,
    rules: Rules,
    /// Direction and order are decided together.
    joint: bool,
    lines: Vec<Line>,
    /// Requests left of the burst that uses the present line.
    burst_left: u32,
    last_direction: Option<Direction>,
    streams: Streams,
    repeats: bool,
    seed: u64,
    pass: u64,
}

/// One file, one size, one distribution: nothing to decide but the block.
#[derive(Clone, Debug)]
struct Plain {
    blocks: u64,
    size: u64,
    len: u32,
    base: u64,
    volume: u16,
    cover: bool,
    /// Uniform when absent.
    skew: Option<Skew>,
}

impl Plain {
    /// Whether each block is used once a pass, in uniform order.
    fn is_mapped(&self) -> bool {
        self.cover && self.skew.is_none()
    }

    /// The request at an offset of the file.
    #[inline(always)]
    fn io(&self, offset: u64, direction: Direction) -> Io {
        Io { offset: self.base + offset, len: self.len, volume: self.volume, direction }
    }
}

/// The next random blocks of the short path with a map, in a ring: drawn early, so that their words are at hand.
#[derive(Clone, Debug)]
struct Early {
    blocks: [u64; DRAWN],
    next: usize,
}

impl Early {
    /// The next free block of `map`; `None` when all are used, unless the pass begins again by itself.
    #[inline(always)]
    fn draw(&mut self, blocks: u64, offsets: &mut Stream, map: &mut Coverage, begins_again: bool) -> Option<u64> {
        let later = offsets.below(blocks);
        let drawn = std::mem::replace(&mut self.blocks[self.next % DRAWN], later);
        self.next += 1;
        // The word is fetched now, so that it is there when its turn comes.
        map.prefetch(later);
        match map.take_next(drawn) {
            None if begins_again => {
                map.clear();
                map.take_next(drawn)
            }
            free => free,
        }
    }
}

/// What a job's description says about offsets, laid out by direction.
#[derive(Clone, Debug)]
struct Rules {
    random: bool,
    random_percent: [u8; 3],
    random_every: u32,
    identical: bool,
    gap: i64,
    cover: bool,
    sizes: [SizeDistribution; 3],
    size_min: [u64; 3],
    sizes_by_order: bool,
    align: [u64; 3],
    strided: Option<Strided>,
    cursor: Cursor,
    /// Whether the next request is a random one, when that was decided with its direction.
    turn: Option<bool>,
    time_based: bool,
    one_file: bool,
}

#[derive(Clone, Debug)]
struct Streams {
    direction: Stream,
    file: Stream,
    offset: Stream,
    size: Stream,
    zone: Stream,
    sequence: Stream,
}

impl Streams {
    fn new(seed: u64) -> Self {
        let stream = |n| Stream::new(seed, n);
        Streams {
            direction: stream(0),
            file: stream(1),
            offset: stream(2),
            size: stream(3),
            zone: stream(4),
            sequence: stream(5),
        }
    }
    fn rewind(&mut self) {
        let Streams { direction, file, offset, size, zone, sequence } = self;
        for stream in [direction, file, offset, size, zone, sequence] {
            stream.rewind();
        }
    }
}

#[derive(Clone, Debug)]
struct File {
    volume: u16,
    base: u64,
    len: u64,
    /// First byte of the current strided zone.
    zone: u64,
    /// Where the first sequential request is, after `zone`.
    first: u64,
    position: [u64; 3],
    last_start: [Option<u64>; 3],
    done: bool,
    map: Option<Coverage>,
    picks: [Pick; 3],
}

/// How a random block is found.
#[derive(Clone, Debug)]
enum Pick {
    Uniform,
    Skewed(Skew),
    /// Cumulated percentage, first and one-past-last thing (percent, or bytes).
    Zoned {
        zones: Vec<(u8, u64, u64)>,
        absolute: bool,
    },
}

const ORDER: [Direction; 3] = Direction::ALL;
/// Blocks drawn early.
const DRAWN: usize = 16;

fn index(direction: Direction) -> usize {
    direction as usize
}

/// The directions that a mix uses.
fn directions(mix: Mix) -> &'static [Direction] {
    match mix {
        Mix::Only(Direction::Read) => &ORDER[0..1],
        Mix::Only(Direction::Write) => &ORDER[1..2],
        Mix::Only(Direction::Trim) => &ORDER[2..3],
        Mix::ReadWrite { .. } => &ORDER[0..2],
        Mix::TrimThenWrite => &ORDER[1..3],
    }
}

impl Generator {
    /// The requests of `job`, drawn from `seed`.
    pub fn new(job: &Job, seed: u64) -> Result<Generator, GeneratorError> {
        Generator::check(job)?;
        let used = directions(job.mix);
        let rules = Rules::new(job, used);
        let files = (0..).zip(&job.files).map(|(n, file)| File::new(file, job, &rules, used, seed, n)).collect();
        let mut generator = Generator {
            files,
            plain: None,
            early: Early { blocks: [0; DRAWN], next: 0 },
            mix: job.mix,
            order: job.file_order,
            current: None,
            left: 0,
            next_file: 0,
            done_files: 0,
            until_random: rules.random_every,
            zone_bytes: 0,
            joint: rules.runs() || !job.lines.is_empty(),
            lines: job.lines.clone(),
            burst_left: 0,
            last_direction: None,
            rules,
            streams: Streams::new(seed),
            repeats: job.repeat_on_loop,
            seed,
            pass: 0,
        };
        generator.plain = generator.find_plain(used);
        generator.draw_first();
        Ok(generator)
    }

    /// The memory that the maps of used blocks of `job` take, in bytes: the one thing here that grows with its files.
    pub fn map_bytes(job: &Job) -> u64 {
        let used = directions(job.mix);
        let rules = Rules::new(job, used);
        let maps = job.files.iter().filter_map(|file| rules.mapped(file, used));
        maps.map(Coverage::bytes).fold(0, u64::saturating_add)
    }

    /// What must hold before anything can be drawn.
    pub fn check(job: &Job) -> Result<(), GeneratorError> {
        check(job, directions(job.mix))
    }

    /// Whether the job is one whose requests are drawn by the short path.
    fn find_plain(&self, used: &[Direction]) -> Option<Plain> {
        let (rules, [file]) = (&self.rules, self.files.as_slice()) else { return None };
        let SizeDistribution::Fixed(size) = rules.sizes[index(used[0])] else { return None };
        let alike = used.iter().all(|&d| {
            rules.sizes[index(d)] == SizeDistribution::Fixed(size)
                && rules.align[index(d)] == size
                && rules.random_percent[index(d)] == 100
        });
        let mut picks = used.iter().map(|&d| &file.picks[index(d)]);
        let skew = match &file.picks[index(used[0])] {
            Pick::Uniform if picks.all(|pick| matches!(pick, Pick::Uniform)) => None,
            Pick::Skewed(skew) if picks.all(|pick| matches!(pick, Pick::Skewed(other) if other == skew)) => {
                Some(skew.clone())
            }
            _ => return None,
        };
        let plain = alike
            && rules.random
            && rules.random_every == 1
            && rules.strided.is_none()
            && !rules.sizes_by_order
            && self.lines.is_empty()
            && self.mix != Mix::TrimThenWrite;
        plain.then_some(Plain {
            blocks: file.len / size,
            size,
            len: size as u32,
            base: file.base,
            volume: file.volume,
            cover: rules.cover,
            skew,
        })
    }

    /// The direction of the next request.
    #[inline]
    pub fn direction(&mut self) -> Direction {
        if self.joint {
            return self.joint_direction();
        }
        self.drawn_direction()
    }

    /// The direction where it depends on the line in use, or on whether the request continues a run.
    fn joint_direction(&mut self) -> Direction {
        if !self.lines.is_empty() {
            self.draw_line();
        }
        let random = self.streams.sequence.percent(self.rules.random_percent[0]);
        self.rules.turn = Some(random);
        let direction = match self.last_direction.filter(|_| self.rules.runs() && !random) {
            Some(direction) => direction,
            None => self.drawn_direction(),
        };
        self.last_direction = Some(direction);
        direction
    }

    /// Takes the next line when the burst of the present one is over.
    fn draw_line(&mut self) {
        if self.burst_left > 0 {
            self.burst_left -= 1;
            return;
        }
        let cell = self.streams.size.below(100);
        let mut below = 0;
        let found = self.lines.iter().find(|line| {
            below += u64::from(line.share);
            cell < below
        });
        let Some(&line) = found.or(self.lines.last()) else { return };
        self.burst_left = line.burst.max(1) - 1;
        self.mix = Mix::ReadWrite { read_percent: line.read_percent };
        self.rules.random_percent = [line.random_percent; 3];
        self.rules.sizes = ORDER.map(|_| SizeDistribution::Fixed(line.io_size));
        self.rules.size_min = [line.io_size; 3];
        self.rules.align = [line.align; 3];
    }

    #[inline]
    fn drawn_direction(&mut self) -> Direction {
        match self.mix {
            Mix::Only(direction) => direction,
            Mix::ReadWrite { read_percent } => {
                if self.streams.direction.percent(read_percent) {
                    Direction::Read
                } else {
                    Direction::Write
                }
            }
            Mix::TrimThenWrite => Direction::Write,
        }
    }

    /// The next request in `direction`; `None` when the pass is over.
    #[inline]
    pub fn next(&mut self, direction: Direction) -> Option<Io> {
        if self.plain.is_some() { self.next_plain(direction) } else { self.next_of_files(direction) }
    }

    /// The next requests, each as [`Generator::direction`] and [`Generator::next`] give it, up to the end of the pass: how many
    /// there are.
    pub fn draw(&mut self, into: &mut [Io]) -> usize {
        let time_based = self.rules.time_based;
        if let (Some(plain), Mix::Only(direction), [file], false) =
            (&self.plain, self.mix, self.files.as_mut_slice(), self.joint)
            && plain.is_mapped()
            && let Some(map) = &mut file.map
        {
            for (count, place) in into.iter_mut().enumerate() {
                let block = self.early.draw(plain.blocks, &mut self.streams.offset, map, time_based);
                let Some(block) = block else { return count };
                *place = plain.io(block * plain.size, direction);
            }
            return into.len();
        }
        for (count, place) in into.iter_mut().enumerate() {
            let direction = self.direction();
            let Some(io) = self.next(direction) else { return count };
            *place = io;
        }
        into.len()
    }

    /// Begins another pass: every block free, positions at the start, and the same random sequence again where the job
    /// says so.
    pub fn restart(&mut self) {
        for file in &mut self.files {
            file.reset();
            file.done = false;
            file.zone = 0;
        }
        self.done_files = 0;
        self.zone_bytes = 0;
        self.pass += 1;
        if self.repeats {
            self.streams.rewind();
            // A skewed distribution draws on: fio seeds it once, with the file.
            if self.files.iter().any(|file| file.picks.iter().any(|pick| matches!(pick, Pick::Skewed(_)))) {
                self.streams.offset = Streams::new(crate::join(self.seed, self.pass)).offset;
            }
        } else {
            // Of its own, so that it does not matter how many requests of the last pass were drawn in vain.
            self.streams = Streams::new(crate::join(self.seed, self.pass));
        }
        self.draw_first();
    }

    /// Draws the first blocks of a pass of the short path.
    fn draw_first(&mut self) {
        if let Some(plain) = self.plain.as_ref().filter(|plain| plain.is_mapped()) {
            let blocks = std::array::from_fn(|_| self.streams.offset.below(plain.blocks));
            self.early = Early { blocks, next: 0 };
        }
    }

    #[inline(always)]
    fn next_plain(&mut self, direction: Direction) -> Option<Io> {
        let plain = self.plain.as_ref()?;
        if let Some(skew) = &plain.skew {
            let offset = skew.block(&mut self.streams.offset) * plain.size;
            let fits = offset + plain.size <= self.files[0].len;
            // A last block that is shorter than a request ends the pass, as it does on the long path.
            return fits.then_some(plain.io(offset, direction));
        }
        let block = if plain.cover {
            let map = self.files[0].map.as_mut()?;
            self.early.draw(plain.blocks, &mut self.streams.offset, map, self.rules.time_based)?
        } else {
            self.streams.offset.below(plain.blocks)
        };
        Some(plain.io(block * plain.size, direction))
    }

    #[inline(never)]
    fn next_of_files(&mut self, direction: Direction) -> Option<Io> {
        loop {
            let number = self.pick_file()?;
            let Generator { files, rules, streams, until_random, zone_bytes, mix, .. } = self;
            let file = &mut files[number];
            let direction = match mix {
                Mix::TrimThenWrite if file.last_start[1] == file.last_start[2] => Direction::Trim,
                Mix::TrimThenWrite => Direction::Write,
                _ => direction,
            };
            if let Some(io) = file.next(direction, rules, streams, until_random, zone_bytes, *mix) {
                *zone_bytes += u64::from(io.len);
                return Some(io);
            }
            file.done = true;
            self.done_files += 1;
        }
    }

    /// The file that the next request goes to; `None` when all have ended.
    fn pick_file(&mut self) -> Option<usize> {
        let count = self.files.len();
        if self.done_files >= count {
            return None;
        }
        if let Some(current) = self.current.filter(|&c| !self.files[c].done) {
            if self.order == FileOrder::Sequential {
                return Some(current);
            }
            if self.left > 0 {
                self.left -= 1;
                return Some(current);
            }
        }
        let turn = match self.order {
            FileOrder::RoundRobin(n) | FileOrder::Random(n) => n.max(1),
            FileOrder::Sequential => 1,
        };
        let found = loop {
            let candidate = match self.order {
                FileOrder::Random(_) => self.streams.file.below(count as u64) as usize,
                _ => {
                    let candidate = self.next_file;
                    self.next_file = (candidate + 1) % count;
                    candidate
                }
            };
            if !self.files[candidate].done {
                break candidate;
            }
        };
        self.current = Some(found);
        self.left = turn - 1;
        Some(found)
    }
}

fn check(job: &Job, used: &[Direction]) -> Result<(), GeneratorError> {
    if job.files.is_empty() {
        return Err(GeneratorError::NoFile);
    }
    for line in &job.lines {
        if line.align == 0 {
            return Err(GeneratorError::Alignment);
        }
        if let Some(file) = job.files.iter().find(|f| f.len < line.io_size.max(line.align)) {
            let size = line.io_size.max(line.align);
            return Err(GeneratorError::TooSmall { file: file.name.clone(), len: file.len, size });
        }
    }
    for &direction in used {
        let sizes = if job.sizes_by_order { &[Direction::Read, Direction::Write][..] } else { &[direction][..] };
        for &of in sizes {
            let (min, max) = (job.sizes.get(of).min(), job.sizes.get(of).max());
            if let Some(&wrong) = [min, max].iter().find(|&&s| s == 0 || s > u64::from(u32::MAX)) {
                return Err(GeneratorError::Size(wrong));
            }
        }
        if *job.align.get(direction) == 0 {
            return Err(GeneratorError::Alignment);
        }
        let size = job.sizes.get(direction).min();
        let align = *job.align.get(direction);
        if let Some(file) = job.files.iter().find(|f| f.len < size.max(align)) {
            return Err(GeneratorError::TooSmall { file: file.name.clone(), len: file.len, size: size.max(align) });
        }
        if let Distribution::ZonedAbsolute(zones) = job.access.distribution.get(direction) {
            let covered = zones.iter().fold(0u64, |sum, zone| sum.saturating_add(zone.1));
            if let Some(file) = job.files.iter().find(|f| f.len < covered) {
                return Err(GeneratorError::Zones { zones: covered, len: file.len });
            }
        }
    }
    Ok(())
}

impl Rules {
    fn new(job: &Job, used: &[Direction]) -> Rules {
        let access = &job.access;
        let random = used.iter().any(|&d| *access.random_percent.get(d) > 0)
            || job.lines.iter().any(|line| line.random_percent > 0);
        // The map is kept only where a block of it is a request of the smallest size, drawn uniformly.
        let cover = access.cover
            && used.iter().all(|&d| {
                *access.distribution.get(d) == Distribution::Uniform && *job.align.get(d) == job.sizes.get(d).min()
            });
        Rules {
            random,
            random_percent: ORDER.map(|d| *access.random_percent.get(d)),
            random_every: access.random_every.max(1),
            identical: access.identical,
            gap: access.gap,
            cover,
            sizes: ORDER.map(|d| job.sizes.get(d).clone()),
            size_min: ORDER.map(|d| job.sizes.get(d).min()),
            sizes_by_order: job.sizes_by_order,
            align: ORDER.map(|d| *job.align.get(d)),
            strided: access.strided,
            cursor: access.cursor,
            turn: None,
            time_based: job.stop.time_based,
            one_file: job.files.len() == 1,
        }
    }

    /// How many blocks of a file have a bit in a map; none when there is no map.
    fn mapped(&self, file: &crate::FileExtent, used: &[Direction]) -> Option<u64> {
        let touched = self.strided.map_or(file.len, |s| s.range.min(file.len));
        (self.random && self.cover).then(|| touched / self.smallest(used).max(1))
    }

    /// The smallest request of the directions in use.
    fn smallest(&self, used: &[Direction]) -> u64 {
        used.iter().map(|&d| self.size_min[index(d)]).min().unwrap_or(1)
    }

    /// Whether sequential requests keep the direction of the one before.
    fn runs(&self) -> bool {
        matches!(self.cursor, Cursor::Shared { runs: true, .. })
    }
}

impl Pick {
    fn new(distribution: &Distribution, blocks: u64, seed: u64) -> Pick {
        match distribution {
            Distribution::Uniform => Pick::Uniform,
            Distribution::Zoned(zones) => {
                let (mut access, mut end) = (0u8, 0u64);
                let zones = zones.iter().map(|&(share, size)| {
                    let start = end;
                    end += u64::from(size);
                    access = access.saturating_add(share);
                    (access, start, end)
                });
                Pick::Zoned { zones: zones.collect(), absolute: false }
            }
            Distribution::ZonedAbsolute(zones) => {
                let (mut access, mut end) = (0u8, 0u64);
                let zones = zones.iter().map(|&(share, size)| {
                    let start = end;
                    end += size;
                    access = access.saturating_add(share);
                    (access, start, end)
                });
                Pick::Zoned { zones: zones.collect(), absolute: true }
            }
            skewed => Skew::new(skewed, blocks.max(2), seed).map_or(Pick::Uniform, Pick::Skewed),
        }
    }
}

impl File {
    fn new(file: &crate::FileExtent, job: &Job, rules: &Rules, used: &[Direction], seed: u64, number: u64) -> File {
        let smallest = rules.smallest(used);
        let map = rules.mapped(file, used).map(Coverage::new);
        let pick = |d| {
            if !used.contains(&d) {
                return Pick::Uniform;
            }
            let blocks = file.len.div_ceil(smallest);
            Pick::new(job.access.distribution.get(d), blocks, crate::rng::join(seed, number))
        };
        let first = match rules.cursor {
            Cursor::Shared { start, .. } => start,
            Cursor::PerDirection => 0,
        };
        File {
            volume: file.volume,
            base: file.start + file.offset,
            len: file.len,
            zone: 0,
            first,
            position: [first; 3],
            last_start: [None; 3],
            done: false,
            map,
            picks: ORDER.map(pick),
        }
    }

    /// Positions at the start of the zone, every block free.
    fn reset(&mut self) {
        self.position = [self.zone + self.first; 3];
        self.last_start = [None; 3];
        if let Some(map) = &mut self.map {
            map.clear();
        }
    }

    fn next(
        &mut self,
        direction: Direction,
        rules: &Rules,
        streams: &mut Streams,
        until_random: &mut u32,
        zone_bytes: &mut u64,
        mix: Mix,
    ) -> Option<Io> {
        let d = index(direction);
        if let Some(strided) = rules.strided {
            self.enter_zone(d, strided, zone_bytes);
        }
        let (offset, random) = self.offset(d, rules, streams, until_random, mix)?;
        if offset >= self.len {
            return None;
        }
        let mut len = self.size(d, offset, random, rules, streams, mix)?;
        if offset + len > self.len {
            return None;
        }
        if let (Some(map), true) = (&mut self.map, random && !(mix == Mix::TrimThenWrite && d == 1)) {
            let unit = rules.size_min[d];
            len = len.min(map.take_run((offset - self.zone) / unit, len.div_ceil(unit)) * unit);
        }
        self.last_start[d] = Some(offset);
        match rules.cursor {
            Cursor::PerDirection => self.position[d] = offset + len,
            Cursor::Shared { .. } => self.position = [(offset + len).saturating_add_signed(rules.gap); 3],
        }
        Some(Io { offset: self.base + offset, len: len as u32, volume: self.volume, direction })
    }

    /// Moves on to the next strided zone when enough bytes were moved in this one.
    fn enter_zone(&mut self, d: usize, strided: Strided, zone_bytes: &mut u64) {
        if *zone_bytes >= strided.size {
            *zone_bytes = 0;
            self.zone += strided.range + strided.skip;
            if self.zone >= self.len {
                self.zone = 0;
            }
            self.position[d] = self.zone;
        }
        if self.position[d] >= self.zone + strided.range {
            self.position[d] = self.zone;
        }
        if (*zone_bytes).is_multiple_of(strided.range.max(1)) {
            self.reset();
        }
    }

    /// The next offset in the file, and whether it was drawn at random.
    fn offset(
        &mut self,
        d: usize,
        rules: &Rules,
        streams: &mut Streams,
        until_random: &mut u32,
        mix: Mix,
    ) -> Option<(u64, bool)> {
        if mix == Mix::TrimThenWrite && d == 1 && rules.random {
            return self.last_start[2].map(|trimmed| (trimmed, true));
        }
        if !rules.random {
            return self.sequential(d, rules).map(|at| (at, false));
        }
        *until_random -= 1;
        if *until_random > 0 {
            // A turn in between two random offsets.
            if rules.identical {
                return Some((self.last_start[d].unwrap_or(0), false));
            }
            return match self.sequential(d, rules) {
                Some(at) => Some((at, false)),
                None => self.random(d, rules, streams).map(|at| (at, false)),
            };
        }
        *until_random = rules.random_every;
        if rules.turn.unwrap_or_else(|| streams.sequence.percent(rules.random_percent[d])) {
            return self.random(d, rules, streams).map(|at| (at, true));
        }
        match self.sequential(d, rules) {
            Some(at) => Some((at, false)),
            None => self.random(d, rules, streams).map(|at| (at, false)),
        }
    }

    fn sequential(&mut self, d: usize, rules: &Rules) -> Option<u64> {
        if let Cursor::Shared { start, .. } = rules.cursor {
            let (at, size) = (self.position[d], rules.size_min[d]);
            if at.checked_add(size).is_some_and(|end| end <= self.len) {
                return Some(at);
            }
            // The distance between two requests, of which the start keeps the remainder.
            let step = size.saturating_add_signed(rules.gap);
            return Some(if step == 0 { 0 } else { start % step });
        }
        if self.position[d] >= self.len && rules.time_based && rules.one_file {
            self.position[d] = self.zone;
        }
        if self.position[d] >= self.len {
            return None;
        }
        let mut at = self.position[d];
        if at != self.zone && rules.gap != 0 {
            // Below zero wraps to the top, so one test finds both ends.
            at = at.wrapping_add_signed(rules.gap);
            if at >= self.len {
                at = if rules.gap > 0 { self.zone } else { self.len.saturating_add_signed(rules.gap) };
            }
        }
        Some(at)
    }

    fn random(&mut self, d: usize, rules: &Rules, streams: &mut Streams) -> Option<u64> {
        let block = match self.random_block(d, rules, streams) {
            None if rules.time_based => {
                self.reset();
                self.random_block(d, rules, streams)?
            }
            block => block?,
        };
        Some(self.zone + block * rules.align[d])
    }

    fn random_block(&mut self, d: usize, rules: &Rules, streams: &mut Streams) -> Option<u64> {
        let align = rules.align[d];
        let reach = rules.strided.map_or(self.len, |s| s.range.min(self.len));
        let blocks = reach.saturating_sub(rules.size_min[d].saturating_sub(align)) / align;
        let block = match &self.picks[d] {
            Pick::Skewed(skew) => skew.block(&mut streams.offset),
            _ if blocks == 0 => return None,
            Pick::Uniform => streams.offset.below(blocks),
            Pick::Zoned { zones, absolute } => {
                let v = streams.zone.below(100) as u8;
                let &(_, start, end) = zones.iter().find(|z| v < z.0).or(zones.last())?;
                let (first, count) = if *absolute {
                    (start / align, end / align - start / align)
                } else {
                    (start * blocks / 100, blocks * (end - start) / 100)
                };
                first + streams.offset.below(count.max(1))
            }
        };
        match &self.map {
            Some(map) => map.next_free(block),
            None => Some(block),
        }
    }

    fn size(&self, d: usize, offset: u64, random: bool, rules: &Rules, streams: &mut Streams, mix: Mix) -> Option<u64> {
        if mix == Mix::TrimThenWrite && d == 1 && rules.random {
            return self.last_start[2].map(|start| self.position[2] - start);
        }
        let of = match (rules.sizes_by_order, random) {
            (false, _) => d,
            (true, false) => 0,
            (true, true) => 1,
        };
        sizes::draw(&rules.sizes[of], self.len - offset, &mut streams.size)
    }
}

#[cfg(test)]
mod tests;
