//! The engine in virtual time: who gets which bytes when, and what it says when something cannot be.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use dw_emulator::command::{Answer, Command, CrashLevel, ErrorCode, Survivors};
use dw_emulator::inject::{Effect, Fault, FaultErrno, FaultOp};
use dw_emulator::status::Refusal;
use dw_emulator::{Done, *};
use dw_stack::*;
use dw_units::{Bytes, Duration, Instant, Throughput};

const DISK: u64 = 16 << 20;
/// The numbers of the exports of [`machine`].
const DATA: ExportId = ExportId(0);
const LOG: ExportId = ExportId(1);
const DATA_1: ExportId = ExportId(3);

fn disk(write_us: u32) -> DiskSpec {
    DiskSpec {
        name: "P1".into(),
        size: Bytes::new(DISK),
        limits: LimitSpec::default(),
        io_unit: None,
        more: Vec::new(),
        read: ServiceTime::constant(1_000_000),
        write: ServiceTime::constant(write_us * 1_000),
        usage_base: None,
        first_touch: None,
        by_direction: Default::default(),
    }
}

/// `data`: two disks without cache; `log`: one disk under ReadWrite, written back after a second.
fn spec() -> StackSpec {
    let volume = |name: &str, disks: usize, host_cache: CacheMode| VolumeSpec {
        name: name.into(),
        disks: vec![disk(2_000); disks],
        stripe_unit: Bytes::kib(64),
        host_cache,
        path: Path::default(),
    };
    let cache = HostCacheSpec {
        ram: Bytes::mib(8),
        capacity: Bytes::mib(16),
        block_size: Bytes::kib(64),
        fill: Fill::Sectors,
        write_allocate: true,
        eviction: Eviction::Lru,
        ram_hit: ServiceTime::constant(10_000),
        ssd_read: ServiceTime::constant(50_000),
        ssd_write: ServiceTime::constant(100_000),
        miss_penalty: None,
        write_back: WriteBackSpec { dirty_max: Bytes::mib(8), destage_depth: 4, destage_after: Duration::from_secs(1) },
    };
    let vm = VmSpec { host_cache: Some(cache), ..VmSpec::default() };
    let volumes = vec![volume("data", 2, CacheMode::None), volume("log", 1, CacheMode::ReadWrite)];
    StackSpec { vm, volumes, credits: Credits::Full, seed: 1 }
}

struct Machine {
    engine: Engine,
    now: Instant,
}

fn memory() -> MemoryStore {
    MemoryStore::new(DISK, MemoryRoom::default()).expect("memory")
}

fn machine() -> Machine {
    machine_on((0..3).map(|_| Box::new(memory()) as Box<dyn Store>).collect())
}

fn machine_on(stores: Vec<Box<dyn Store>>) -> Machine {
    let engine = Engine::new(spec(), stores, EngineOptions::default()).expect("an engine");
    Machine { engine, now: Instant::START }
}

impl Machine {
    fn submit(&mut self, export: ExportId, op: IoOp, fua: bool, offset: u64, data: &[u8]) {
        let len = data.len() as u64;
        let data = if op == IoOp::Write { data.to_vec() } else { Vec::new() };
        self.engine.submit(self.now, IoRequest { export, op, fua, offset, len, data, cookie: offset });
    }

    fn next(&mut self) -> Done {
        loop {
            if let Some(done) = self.engine.poll(self.now) {
                return done;
            }
            self.now = self.engine.next_event().expect("something is under way");
        }
    }

    /// The one door: a request and its answer, with the time it took in µs.
    fn ask(&mut self, export: ExportId, op: IoOp, offset: u64, data: &[u8]) -> (Result<(), IoError>, u64) {
        self.submit(export, op, false, offset, data);
        let done = self.next();
        (done.result, done.due.since(done.submitted).ns() / 1_000)
    }

    fn write(&mut self, export: ExportId, offset: u64, data: &[u8]) {
        assert_eq!(self.ask(export, IoOp::Write, offset, data).0, Ok(()));
    }

    fn bytes(&mut self, export: ExportId, offset: u64, len: usize) -> Vec<u8> {
        let mut out = vec![0xEE; len];
        self.engine.read(export, offset, &mut out).expect("a read");
        out
    }

    fn command(&mut self, command: Command) -> Result<Answer, dw_emulator::command::CommandError> {
        self.engine.command(self.now, &command)
    }

    fn dirty(&mut self) -> u64 {
        self.engine.status(self.now).volumes[1].dirty_bytes
    }

    /// Lets everything happen that happens by itself.
    fn rest(&mut self) {
        while let Some(at) = self.engine.next_event() {
            self.now = at;
            while self.engine.poll(self.now).is_some() {}
        }
    }

    fn crash(&mut self) -> dw_emulator::command::CrashReport {
        let crash = Command::Crash { level: CrashLevel::Host, survivors: Survivors::None, seed: 1 };
        match self.command(crash).expect("a crash") {
            Answer::Crashed { report } => report,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn what_is_written_to_a_stripe_is_read_back_and_lies_on_its_members() {
    let mut machine = machine();
    let names: Vec<&str> = machine.engine.exports().iter().map(|export| export.name.as_str()).collect();
    assert_eq!(names, ["data", "log", "data.0", "data.1", "log.0"]);
    assert_eq!(machine.engine.find(""), None, "there are two volumes");
    let data: Vec<u8> = (0..200_000u32).map(|i| (i % 251) as u8).collect();
    assert_eq!(machine.ask(DATA, IoOp::Write, 10_000, &data), (Ok(()), 2_000));
    assert_eq!(machine.bytes(DATA, 10_000, data.len()), data);
    // The second chunk begins the second disk.
    assert_eq!(machine.bytes(DATA_1, 0, 64 << 10), data[(64 << 10) - 10_000..(128 << 10) - 10_000]);
    // In pages of 8 KiB.
    let extents = machine.engine.extents(DATA, 0, 2 * DISK, 10);
    let found: Vec<(u64, bool)> = extents.iter().map(|extent| (extent.len, extent.hole)).collect();
    assert_eq!(found, [(8 << 10, true), (200 << 10, false), (2 * DISK - (208 << 10), true)]);
}

/// A store that counts how often it is asked what lies on it.
struct Asked {
    store: MemoryStore,
    times: Arc<AtomicU64>,
    /// The longest stretch that was asked about.
    most: Arc<AtomicU64>,
}

impl Store for Asked {
    fn size(&self) -> u64 {
        self.store.size()
    }
    fn read(&mut self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.store.read(offset, out)
    }
    fn write(&mut self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.store.write(offset, data)
    }
    fn discard(&mut self, offset: u64, len: u64) -> io::Result<()> {
        self.store.discard(offset, len)
    }
    fn zero(&mut self, offset: u64, len: u64, punch: bool) -> io::Result<()> {
        self.store.zero(offset, len, punch)
    }
    fn extents(&self, offset: u64, len: u64, limit: usize) -> Vec<Extent> {
        self.times.fetch_add(1, Ordering::Relaxed);
        self.most.fetch_max(len, Ordering::Relaxed);
        self.store.extents(offset, len, limit)
    }
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
    fn resize(&mut self, size: u64) -> io::Result<()> {
        self.store.resize(size)
    }
}

/// One volume `data` of disks of these sizes, how often they were asked what lies on them and on how much at most, and the size of the volume.
fn stripe(sizes: &[u64]) -> (Engine, [Arc<AtomicU64>; 2], u64) {
    let disks = sizes.iter().map(|&size| DiskSpec { size: Bytes::new(size), ..disk(2_000) }).collect();
    let volume = VolumeSpec {
        name: "data".into(),
        disks,
        stripe_unit: Bytes::kib(64),
        host_cache: CacheMode::None,
        path: Path::default(),
    };
    let spec = StackSpec { vm: VmSpec::default(), volumes: vec![volume], credits: Credits::Full, seed: 1 };
    let asked = [(); 2].map(|()| Arc::new(AtomicU64::new(0)));
    let store = |&size| {
        let [times, most] = asked.clone();
        Box::new(Asked { store: MemoryStore::new(size, MemoryRoom::default()).expect("memory"), times, most })
            as Box<dyn Store>
    };
    let engine = Engine::new(spec, sizes.iter().map(store).collect(), EngineOptions::default()).expect("an engine");
    let size = engine.exports()[0].size;
    (engine, asked, size)
}

/// As long as there are nothing but holes, a stripe is as quick to look at as its disks: 4 TiB have 67 million chunks.
#[test]
fn a_blank_stripe_is_seen_to_be_blank_in_a_question_a_disk() {
    for sizes in [vec![1 << 40; 4], vec![1 << 40, 4 << 40, 1 << 40, 65 << 10]] {
        let (engine, [times, _], size) = stripe(&sizes);
        for limit in [1, 256] {
            times.store(0, Ordering::Relaxed);
            assert_eq!(engine.extents(DATA, 0, size, limit), [Extent { len: size, hole: true, zero: true }]);
            assert_eq!(times.load(Ordering::Relaxed), sizes.len() as u64, "{sizes:?}");
        }
    }
}

#[test]
fn a_part_of_a_stripe_is_looked_for_on_parts_of_its_disks() {
    let (engine, [_, most], size) = stripe(&[1 << 30, 1 << 30, 1 << 29]);
    for (offset, len) in
        [(0, 300 << 10), (100_000, 1 << 20), (size - (1 << 20), 1 << 20), ((3 << 29) - 70_000, 140_000)]
    {
        most.store(0, Ordering::Relaxed);
        assert_eq!(engine.extents(DATA, offset, len, 256), [Extent { len, hole: true, zero: true }]);
        assert!(most.load(Ordering::Relaxed) <= len / 2 + (128 << 10), "{offset} + {len}: {most:?}");
    }
}

/// The merged extents are those that are found chunk by chunk.
#[test]
fn extents_of_a_stripe_are_those_of_its_chunks() {
    let chunk = 64 << 10;
    let layouts: [&[u64]; 4] = [&[40, 40], &[33, 33, 33], &[10, 40, 20, 40], &[40, 3, 40]];
    for layout in layouts {
        let sizes: Vec<u64> = layout.iter().map(|chunks| chunks * chunk + 8192).collect();
        for seed in 0..40u64 {
            let (mut engine, _, size) = stripe(&sizes);
            let mut state = seed * 2 + 1;
            let mut dice = |sides: u64| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) % sides
            };
            let mut now = Instant::START;
            for _ in 0..dice(30) {
                let offset = dice(size / chunk) * chunk;
                let len = (1 + dice(6)) * chunk;
                let (len, data) = (len.min(size - offset), vec![7; len.min(size - offset) as usize]);
                let op = if dice(4) == 0 { IoOp::Trim } else { IoOp::Write };
                let data = if op == IoOp::Write { data } else { Vec::new() };
                let request = IoRequest { export: DATA, op, fua: false, offset, len, data, cookie: 0 };
                engine.submit(now, request);
                while let Some(at) = engine.next_event() {
                    now = at;
                    while engine.poll(now).is_some() {}
                }
            }
            for _ in 0..30 {
                let offset = dice(size);
                let len = 1 + dice(size - offset);
                let slowly = extents_slowly(&engine, offset, len);
                for limit in [1, 2, 5, usize::MAX] {
                    let found = engine.extents(DATA, offset, len, limit);
                    assert!(!found.is_empty() && found.len() <= limit);
                    let same = found.iter().zip(&slowly).take(found.len() - 1).all(|(a, b)| a == b);
                    let (last, expected) = (found[found.len() - 1], slowly[found.len() - 1]);
                    let ends = last.hole == expected.hole && last.len <= expected.len;
                    assert!(
                        same && ends,
                        "{layout:?}, seed {seed}, {offset} + {len}, at most {limit}: {found:?} {slowly:?}"
                    );
                    let all = found.iter().map(|extent| extent.len).sum::<u64>();
                    assert!(all == len || found.len() == limit, "{layout:?}, seed {seed}: {found:?} of {len}");
                }
            }
        }
    }
}

/// A question a chunk.
fn extents_slowly(engine: &Engine, offset: u64, len: u64) -> Vec<Extent> {
    let (mut at, mut extents) = (offset, Vec::<Extent>::new());
    while at < offset + len {
        let piece = (65_536 - at % 65_536).min(offset + len - at);
        for next in engine.extents(DATA, at, piece, usize::MAX) {
            match extents.last_mut().filter(|last| (last.hole, last.zero) == (next.hole, next.zero)) {
                Some(last) => last.len += next.len,
                None => extents.push(next),
            }
        }
        at += piece;
    }
    extents
}

#[test]
fn bad_requests_come_back_with_the_error_that_says_so() {
    type Case = (&'static str, IoOp, u64, u64, Result<(), IoError>);
    let end = 2 * DISK;
    let cases: [Case; 8] = [
        ("a read beyond the end", IoOp::Read, end - 1, 2, Err(IoError::Invalid)),
        ("a write beyond the end", IoOp::Write, end, 1, Err(IoError::NoSpace)),
        ("zeroes beyond the end", IoOp::Zero { punch: true }, end, 1, Err(IoError::NoSpace)),
        ("a trim beyond the end", IoOp::Trim, end, 1, Err(IoError::Invalid)),
        ("an offset that overflows", IoOp::Read, u64::MAX, 2, Err(IoError::Invalid)),
        ("nothing", IoOp::Write, 7, 0, Ok(())),
        ("the whole disk", IoOp::Trim, 0, end, Ok(())),
        ("a flush", IoOp::Flush, 0, 0, Ok(())),
    ];
    for (name, op, offset, len, expected) in cases {
        let mut machine = machine();
        let data = if op == IoOp::Write { vec![1; len as usize] } else { Vec::new() };
        let request = IoRequest { export: DATA, op, fua: false, offset, len, data, cookie: 1 };
        machine.engine.submit(machine.now, request);
        assert_eq!(machine.next().result, expected, "{name}");
        assert_eq!(machine.engine.in_flight(), 0, "{name}");
    }
}

#[test]
fn a_write_back_write_is_dirty_until_flush_fua_or_time_brings_it_home() {
    let mut machine = machine();
    assert_eq!(machine.ask(LOG, IoOp::Write, 0, &[1; 4096]), (Ok(()), 100), "the cache's time");
    assert_eq!(machine.ask(LOG, IoOp::Write, 9_000, &[2; 100]), (Ok(()), 100));
    assert_eq!(machine.dirty(), 4_196);
    // Written over: still the same byte.
    machine.write(LOG, 0, &[3; 512]);
    assert_eq!(machine.dirty(), 4_196);
    machine.submit(LOG, IoOp::Write, true, 0, &[4; 1024]);
    machine.next();
    assert_eq!(machine.dirty(), 4_196 - 1_024, "FUA brings itself home, nothing else");
    assert_eq!(machine.ask(LOG, IoOp::Trim, 9_000, &[0; 50]).0, Ok(()));
    assert_eq!(machine.dirty(), 4_196 - 1_024 - 50);
    assert_eq!(machine.ask(LOG, IoOp::Flush, 0, &[]).0, Ok(()));
    assert_eq!(machine.dirty(), 0);
    machine.write(LOG, 0, &[5; 4096]);
    machine.rest();
    assert_eq!(machine.dirty(), 0, "after a second it is written back");
    assert_eq!(machine.crash().lost_bytes(), 0);
    assert_eq!(machine.bytes(LOG, 0, 1), [5]);
}

#[test]
fn a_crash_reports_what_it_lost_and_where() {
    let mut machine = machine();
    machine.write(DATA, 0, &[9; 4096]);
    machine.write(LOG, 0, &[1; 4096]);
    assert_eq!(machine.ask(LOG, IoOp::Flush, 0, &[]).0, Ok(()));
    machine.write(LOG, 1_024, &[2; 1024]);
    machine.write(LOG, 2_048, &[3; 512]);
    machine.write(LOG, 1 << 20, &[4; 512]);
    machine.submit(LOG, IoOp::Write, false, 0, &[5; 512]);
    let report = machine.crash();
    assert_eq!((report.in_flight, report.losses.len()), (1, 1));
    let loss = &report.losses[0];
    let ranges: Vec<(u64, u64)> = loss.ranges.iter().map(|range| (range.offset, range.len)).collect();
    assert_eq!((loss.export.as_str(), loss.lost_bytes, loss.lost_writes), ("log", 2_048, 3));
    assert_eq!(ranges, [(1_024, 1_536), (1 << 20, 512)]);
    let after = machine.bytes(LOG, 0, 4096);
    assert!(after == [1; 4096], "what was flushed is there");
    assert_eq!(machine.bytes(DATA, 0, 1), [9]);
    assert_eq!(machine.engine.in_flight(), 0);
    // The machine is alive.
    assert_eq!(machine.ask(LOG, IoOp::Write, 0, &[6; 512]), (Ok(()), 100));
}

#[test]
fn a_volume_is_changed_at_rest_and_held_requests_go_on() {
    let mut machine = machine();
    machine.write(LOG, 0, &[1; 4096]);
    machine.submit(LOG, IoOp::Write, false, 8_192, &[2; 4096]);
    let cache = |mode| Command::Cache { volume: "log".into(), mode };
    assert_eq!(machine.command(cache(CacheMode::None)), Ok(Answer::Done));
    machine.submit(LOG, IoOp::Write, false, 0, &[3; 4096]);
    let mut answers: Vec<(u64, u64)> = Vec::new();
    for _ in 0..2 {
        let done = machine.next();
        answers.push((done.offset, done.due.since(done.submitted).ns() / 1_000));
    }
    // The first at the cache's speed; the held one waits for the write-back and then for the disk.
    assert_eq!(answers[0], (8_192, 100));
    assert!(answers[1].0 == 0 && answers[1].1 > 4_000, "{answers:?}");
    assert_eq!((machine.dirty(), machine.engine.exports()[1].volatile_cache), (0, false));
    assert_eq!(machine.crash().lost_bytes(), 0);
    assert_eq!(machine.bytes(LOG, 0, 1), [3]);
    let again = machine.command(cache(CacheMode::None)).expect_err("no change");
    assert_eq!(again.code, ErrorCode::NotPossible);
}

#[test]
fn a_detached_volume_refuses_and_comes_back() {
    let mut machine = machine();
    machine.write(LOG, 0, &[1; 4096]);
    let volume = || "log".to_string();
    machine.command(Command::Detach { volume: volume() }).expect("detached");
    assert_eq!(machine.ask(LOG, IoOp::Read, 0, &[0; 512]).0, Err(IoError::Shutdown));
    machine.rest();
    assert_eq!(machine.dirty(), 0, "nothing stays behind in the cache");
    machine.command(Command::Attach { volume: volume() }).expect("attached");
    assert_eq!(machine.ask(LOG, IoOp::Read, 0, &[0; 512]), (Ok(()), 1_000), "the cache is cold");
    let error = machine.command(Command::Attach { volume: "lag".into() }).expect_err("no such volume");
    assert_eq!((error.code, error.hint.as_str()), (ErrorCode::UnknownVolume, "did you mean `log`?"));
}

#[test]
fn a_disk_grows_and_changes_its_limits_while_it_runs() {
    let mut machine = machine();
    let resize = |size_bytes| Command::Resize { volume: "log".into(), disk: None, size_bytes };
    machine.write(LOG, 0, &[1; 512]);
    machine.command(resize(2 * DISK)).expect("larger");
    machine.rest();
    assert_eq!(machine.engine.poll_change().map(|changed| changed.result), Some(Ok(())), "front ends look again");
    assert_eq!(machine.engine.exports()[1].size, 2 * DISK);
    assert_eq!(machine.ask(LOG, IoOp::Write, 2 * DISK - 512, &[1; 512]).0, Ok(()));
    assert_eq!(machine.command(resize(DISK)).expect_err("smaller").code, ErrorCode::NotPossible);
    let tier = Command::Tier { volume: "data".into(), disk: None, iops: Some(10), bytes_per_second: None };
    machine.command(tier).expect("another tier");
    machine.write(DATA, 0, &[1; 512]);
    assert_eq!(machine.ask(DATA, IoOp::Write, 0, &[1; 512]), (Ok(()), 100_000), "ten a second");
}

#[test]
fn a_queue_before_a_limit_has_not_used_it() {
    let mut machine = machine();
    let tier = Command::Tier { volume: "data".into(), disk: None, iops: Some(10), bytes_per_second: None };
    machine.command(tier).expect("another tier");
    // Forty for the first disk of the stripe, none for the second.
    for n in 0..40 {
        machine.submit(DATA, IoOp::Read, false, n * 1_024, &[0; 512]);
    }
    for second in 1..=3 {
        machine.now = Instant::START + Duration::from_secs(second);
        while machine.engine.poll(machine.now).is_some() {}
        let status = machine.engine.status(machine.now);
        let used: Vec<(u64, f64)> = status.limits.iter().map(|limit| (limit.granted, limit.consumed_percent)).collect();
        // The first goes at once.
        let expected = [(1 + 10 * second, if second == 1 { 110.0 } else { 100.0 }), (0, 0.0)];
        assert_eq!(used, expected, "in second {second}");
        assert_eq!(status.volumes[0].queue_depth, 40 - 10 * second, "the last that went is being served");
    }
    let tier = Command::Tier { volume: "data".into(), disk: None, iops: None, bytes_per_second: Some(1_000_000) };
    machine.command(tier).expect("a limit that was not there");
    let granted: Vec<u64> = machine.engine.status(machine.now).limits.iter().map(|limit| limit.granted).collect();
    assert_eq!(granted, [31, 0, 0, 0], "what waits was there before it");
}

#[test]
fn a_growth_that_waits_leaves_the_limits_alone() {
    let mut machine = machine();
    machine.write(LOG, 0, &[1; 512]);
    let resize = |size_bytes| Command::Resize { volume: "log".into(), disk: None, size_bytes };
    machine.command(resize(2 * DISK)).expect("begun");
    assert_eq!(machine.engine.exports()[1].size, DISK, "it waits for the write-back");
    machine.command(resize(DISK + 512)).expect("a smaller growth, begun");
    let tier = Command::Tier { volume: "log".into(), disk: None, iops: Some(10), bytes_per_second: None };
    machine.command(tier).expect("at once");
    machine.rest();
    assert_eq!(machine.engine.poll_change().map(|changed| changed.result), Some(Ok(())));
    let late = machine.engine.poll_change().expect("an outcome").result;
    assert_eq!(
        late,
        Err(format!("disk 0 has {}, and a disk can grow, not shrink; nothing has changed", Bytes::new(2 * DISK)))
    );
    assert_eq!(machine.engine.exports()[1].size, 2 * DISK);
    assert_eq!(machine.ask(LOG, IoOp::Read, 0, &[0; 512]).0, Ok(()));
    let (result, us) = machine.ask(LOG, IoOp::Read, 1 << 20, &[0; 512]);
    assert_eq!((result, us / 1_000), (Ok(()), 100), "ten a second");
}

#[test]
fn faults_strike_and_are_taken_back() {
    let mut machine = machine();
    let inject = |machine: &mut Machine, export: &str, op, effect| {
        let fault = Fault { export: export.into(), op, range: None, per_million: 1_000_000, seed: 1, effect };
        machine.command(Command::Inject { fault }).expect("a fault");
    };
    let clear = || Command::Clear { id: None, export: None };
    inject(&mut machine, "log", FaultOp::Write, Effect::Error { errno: FaultErrno::Io });
    assert_eq!(machine.ask(LOG, IoOp::Write, 0, &[1; 512]), (Err(IoError::Io), 100));
    assert_eq!(machine.bytes(LOG, 0, 1), [0], "a write that fails changes nothing");
    machine.command(clear()).expect("cleared");
    // On one member: only what reaches it is late.
    inject(&mut machine, "data.1", FaultOp::Any, Effect::Latency { min_ns: 5_000_000, max_ns: 5_000_000 });
    assert_eq!(machine.ask(DATA, IoOp::Write, 0, &[1; 512]), (Ok(()), 2_000));
    assert_eq!(machine.ask(DATA, IoOp::Write, 64 << 10, &[1; 512]), (Ok(()), 7_000));
    machine.command(clear()).expect("cleared");
    inject(&mut machine, "data", FaultOp::Write, Effect::Stuck);
    machine.submit(DATA, IoOp::Write, false, 0, &[7; 512]);
    machine.rest();
    assert_eq!((machine.engine.in_flight(), machine.bytes(DATA, 0, 1)), (1, vec![1]));
    let answer = machine.command(clear());
    assert_eq!(answer, Ok(Answer::Cleared { count: 1, released: 1 }));
    assert_eq!((machine.next().result, machine.bytes(DATA, 0, 1)), (Ok(()), vec![7]));
    inject(&mut machine, "data", FaultOp::Write, Effect::TornWrite);
    machine.submit(DATA, IoOp::Write, false, 0, &[8; 4096]);
    machine.crash();
    let torn = machine.bytes(DATA, 0, 4096);
    let new = torn.iter().filter(|&&byte| byte == 8).count();
    assert!(new > 0 && new < 4096 && new.is_multiple_of(512), "{new} bytes are new");
}

/// A store whose disk is full when told so.
struct Full {
    store: MemoryStore,
    /// It cannot grow beyond this.
    room: u64,
    /// It cannot shrink either.
    stiff: bool,
    /// Its size, for whoever cannot ask it.
    size: Arc<AtomicU64>,
    full: Arc<AtomicBool>,
    kind: io::ErrorKind,
}

impl Full {
    fn new(kind: io::ErrorKind, room: u64) -> Full {
        let (full, size) = (Arc::default(), Arc::new(AtomicU64::new(DISK)));
        Full { store: memory(), room, stiff: false, size, full, kind }
    }
}

impl Store for Full {
    fn size(&self) -> u64 {
        self.store.size()
    }
    fn read(&mut self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.store.read(offset, out)
    }
    fn write(&mut self, offset: u64, data: &[u8]) -> io::Result<()> {
        if self.full.load(Ordering::Relaxed) { Err(self.kind.into()) } else { self.store.write(offset, data) }
    }
    fn discard(&mut self, offset: u64, len: u64) -> io::Result<()> {
        self.store.discard(offset, len)
    }
    fn zero(&mut self, offset: u64, len: u64, punch: bool) -> io::Result<()> {
        self.store.zero(offset, len, punch)
    }
    fn extents(&self, offset: u64, len: u64, limit: usize) -> Vec<Extent> {
        self.store.extents(offset, len, limit)
    }
    fn sync(&mut self) -> io::Result<()> {
        self.store.sync()
    }
    fn place(&self) -> Option<String> {
        Some("DATA/data.img".into())
    }
    fn resize(&mut self, size: u64) -> io::Result<()> {
        if size > self.room || self.stiff && size < self.store.size() {
            return Err(self.kind.into());
        }
        self.size.store(size, Ordering::Relaxed);
        self.store.resize(size)
    }
}

#[test]
fn a_full_host_is_told_and_loses_nothing() {
    for (kind, error) in [(io::ErrorKind::StorageFull, IoError::NoSpace), (io::ErrorKind::Other, IoError::Io)] {
        let full = Arc::new(AtomicBool::new(false));
        let store = || Full { full: Arc::clone(&full), ..Full::new(kind, u64::MAX) };
        let mut machine = machine_on((0..3).map(|_| Box::new(store()) as Box<dyn Store>).collect());
        machine.write(LOG, 0, &[1; 4096]);
        full.store(true, Ordering::Relaxed);
        assert_eq!(machine.ask(DATA, IoOp::Write, 0, &[1; 512]).0, Err(error));
        assert_eq!(machine.ask(LOG, IoOp::Write, 0, &[2; 4096]).0, Ok(()), "the cache takes it");
        assert_eq!(machine.ask(LOG, IoOp::Flush, 0, &[]).0, Err(error), "a flush says that it is not durable");
        assert_eq!((machine.bytes(LOG, 0, 1), machine.dirty()), (vec![2], 4096), "and nothing is lost");
        let none = Command::Cache { volume: "log".into(), mode: CacheMode::None };
        machine.command(none).expect("begun");
        machine.rest();
        let changed = machine.engine.poll_change().expect("an outcome");
        assert_eq!(changed.what, "the change of the host cache of `log` to None");
        assert!(changed.result.is_err(), "whoever looks after the engine is told");
        assert_eq!((machine.bytes(LOG, 0, 1), machine.dirty()), (vec![2], 4096), "the change is not made");
        assert!(machine.engine.shutdown(machine.now).is_err(), "the end says so, too");
        full.store(false, Ordering::Relaxed);
        assert_eq!(machine.ask(LOG, IoOp::Flush, 0, &[]).0, Ok(()), "the next flush tries again");
        assert_eq!((machine.bytes(LOG, 0, 1), machine.dirty()), (vec![2], 0));
        let told = machine.engine.poll_refusal().expect("whoever runs it is told");
        assert_eq!(machine.engine.poll_refusal(), None, "once");
        let host = machine.engine.status(machine.now).host;
        let (counted, other, kind): (u64, u64, fn(String) -> Refusal) = match error {
            IoError::NoSpace => (host.no_space, host.errors, Refusal::NoSpace),
            _ => (host.errors, host.no_space, Refusal::Error),
        };
        assert!(counted >= 4 && other == 0, "every refusal is counted: {host:?}");
        let first = [host.no_space_first, host.errors_first].into_iter().flatten().next().expect("where it was");
        assert!(first.starts_with("DATA/data.img: "), "{first}");
        assert_eq!(told, kind(first));
    }
}

#[test]
fn an_error_of_one_disk_does_not_hide_that_another_is_full() {
    use io::ErrorKind::{Other, StorageFull};
    for [data, log] in [[Other, StorageFull], [StorageFull, Other]] {
        let store = |kind| Box::new(Full { full: Arc::new(AtomicBool::new(true)), ..Full::new(kind, u64::MAX) });
        let mut machine = machine_on(vec![store(data), store(data), store(log)]);
        let mut said = Vec::new();
        for export in [DATA, DATA, LOG, LOG] {
            machine.submit(export, IoOp::Write, true, 0, &[1; 512]);
            assert!(machine.next().result.is_err());
            said.extend(std::iter::from_fn(|| machine.engine.poll_refusal()));
        }
        assert_eq!(said.iter().filter(|said| matches!(said, Refusal::NoSpace(_))).count(), 1, "{said:?}");
        assert_eq!(said.iter().filter(|said| matches!(said, Refusal::Error(_))).count(), 1, "{said:?}");
        let host = machine.engine.status(machine.now).host;
        assert!(host.no_space > 0 && host.errors > 0, "{host:?}");
        assert!(host.no_space_first.is_some() && host.errors_first.is_some(), "{host:?}");
    }
}

/// Three disks whose stores refuse writes once the switch is on.
fn machine_that_fills() -> (Machine, Arc<AtomicBool>) {
    let full = Arc::new(AtomicBool::new(false));
    let store = || Full { full: Arc::clone(&full), ..Full::new(io::ErrorKind::StorageFull, u64::MAX) };
    (machine_on((0..3).map(|_| Box::new(store()) as Box<dyn Store>).collect()), full)
}

#[test]
fn a_stripe_grows_whole_or_not_at_all() {
    for mode in [CacheMode::None, CacheMode::ReadOnly] {
        let stores = [u64::MAX, 2 * DISK, u64::MAX].map(|room| Full::new(io::ErrorKind::Other, room));
        let first = Arc::clone(&stores[0].size);
        let mut machine = machine_on(stores.map(|store| Box::new(store) as Box<dyn Store>).into());
        if mode != CacheMode::None {
            machine.command(Command::Cache { volume: "data".into(), mode }).expect("idle");
        }
        let resize = |disk, size_bytes| Command::Resize { volume: "data".into(), disk, size_bytes };
        let error = machine.command(resize(None, 3 * DISK)).expect_err("the second disk has no room");
        assert_eq!(
            error.message,
            "the growth of disks 0, 1 of `data` was not done: disk 1: other error; nothing has changed"
        );
        let sizes = |machine: &Machine| (machine.engine.exports()[2].size, machine.engine.exports()[3].size);
        assert_eq!((sizes(&machine), first.load(Ordering::Relaxed)), ((DISK, DISK), DISK), "{mode:?}");
        machine.command(resize(None, 2 * DISK)).expect("room for that");
        assert_eq!(sizes(&machine), (2 * DISK, 2 * DISK), "{mode:?}");
        machine.command(resize(Some(0), 3 * DISK)).expect("the first disk alone");
        assert_eq!(sizes(&machine), (3 * DISK, 2 * DISK), "{mode:?}");
    }
}

#[test]
fn what_cannot_be_taken_back_is_named() {
    let mut stores = [u64::MAX, DISK, u64::MAX].map(|room| Full::new(io::ErrorKind::Other, room));
    stores[0].stiff = true;
    let mut machine = machine_on(stores.map(|store| Box::new(store) as Box<dyn Store>).into());
    let resize = Command::Resize { volume: "data".into(), disk: None, size_bytes: 2 * DISK };
    let error = machine.command(resize).expect_err("the second disk has no room");
    assert_eq!(
        error.message,
        "the growth of disks 0, 1 of `data` was not done: disk 1: other error; \
         the store stays larger than the disk: disk 0"
    );
    assert_eq!(machine.engine.exports()[2].size, DISK, "no guest sees it");
}

#[test]
fn a_volume_that_cannot_be_emptied_is_not_detached() {
    let (mut machine, full) = machine_that_fills();
    machine.write(LOG, 0, &[1; 4096]);
    full.store(true, Ordering::Relaxed);
    let detach = || Command::Detach { volume: "log".into() };
    assert_eq!(machine.command(detach()), Ok(Answer::Done), "the write-back takes its time");
    assert!(machine.engine.exports()[1].detached, "refused until it is known");
    machine.rest();
    assert!(machine.engine.poll_change().expect("an outcome").result.is_err());
    let detached: Vec<bool> = machine.engine.exports().iter().map(|export| export.detached).collect();
    assert_eq!(detached, [false; 5], "neither the volume nor its disk");
    assert_eq!(machine.ask(LOG, IoOp::Write, 0, &[2; 4096]).0, Ok(()));
    full.store(false, Ordering::Relaxed);
    machine.command(detach()).expect("there is room now");
    machine.rest();
    assert!(machine.engine.exports()[1].detached);
}

#[test]
fn a_cache_that_is_not_given_is_not_announced() {
    let cache = || Command::Cache { volume: "data".into(), mode: CacheMode::ReadWrite };
    let volatile = |machine: &Machine| {
        let flags: Vec<bool> = machine.engine.exports().iter().map(|export| export.volatile_cache).collect();
        (flags[0], flags[2], flags[3])
    };
    let begun = || {
        let mut machine = machine();
        machine.submit(DATA, IoOp::Write, false, 0, &[1; 512]);
        machine.command(cache()).expect("begun");
        assert_eq!(volatile(&machine), (true, true, true), "early rather than late");
        machine
    };
    let mut made = begun();
    made.rest();
    assert_eq!(volatile(&made), (true, true, true));
    // Too large for the cache before its turn comes.
    let mut refused = begun();
    let resize = Command::Resize { volume: "data".into(), disk: None, size_bytes: 4_096 << 30 };
    refused.command(resize).expect("larger");
    refused.rest();
    assert!(refused.engine.poll_change().expect("an outcome").result.is_err());
    assert_eq!(volatile(&refused), (false, false, false));
    let mut crashed = begun();
    crashed.crash();
    assert_eq!(volatile(&crashed), (false, false, false), "the change is forgotten with the VM");
}

#[test]
fn a_guest_crash_keeps_every_acknowledged_write() {
    let mut machine = machine();
    machine.write(LOG, 0, &[1; 4096]);
    let guest = Command::Crash { level: CrashLevel::Guest, survivors: Survivors::None, seed: 1 };
    machine.command(guest).expect("a crash");
    assert_eq!((machine.bytes(LOG, 0, 1), machine.dirty()), (vec![1], 4096), "still there, still volatile");
    assert_eq!(machine.crash().lost_bytes(), 4096);
}

#[test]
fn a_reboot_keeps_the_data_and_empties_the_cache() {
    let mut machine = machine();
    machine.write(LOG, 0, &[1; 4096]);
    assert_eq!(machine.ask(LOG, IoOp::Read, 0, &[0; 4096]), (Ok(()), 10), "a hit");
    machine.command(Command::Reboot).expect("begun");
    machine.rest();
    assert_eq!((machine.dirty(), machine.bytes(LOG, 0, 1)), (0, vec![1]));
    assert_eq!(machine.ask(LOG, IoOp::Read, 0, &[0; 4096]), (Ok(()), 1_000), "a miss");
}

/// A disk in memory that should become larger than memory can index, and one that keeps nothing and could.
#[test]
fn a_disk_does_not_grow_beyond_what_there_can_be() {
    let room = MemoryRoom::new(Bytes::mib(64));
    let memory = || Box::new(MemoryStore::new(DISK, room.clone()).expect("memory")) as Box<dyn Store>;
    let null = || Box::new(NullStore::new(DISK)) as Box<dyn Store>;
    // The size of each disk, whether there are bytes, how it is refused.
    let cases = [
        (1 << 40, true, None),
        (1 << 59, true, Some(ErrorCode::NotPossible)),
        (1 << 59, false, None),
        ((1 << 59) + 512, true, Some(ErrorCode::Invalid)),
        ((1 << 59) + 512, false, Some(ErrorCode::Invalid)),
        (1 << 63, false, Some(ErrorCode::Invalid)),
        (u64::MAX - 511, false, Some(ErrorCode::Invalid)),
    ];
    for (size_bytes, bytes, refused) in cases {
        let mut machine = machine_on((0..3).map(|_| if bytes { memory() } else { null() }).collect());
        machine.write(DATA, 0, &[1; 512]);
        let taken = room.taken();
        let answer = machine.command(Command::Resize { volume: "data".into(), disk: None, size_bytes });
        assert_eq!(answer.as_ref().err().map(|error| error.code), refused, "{size_bytes}: {answer:?}");
        let size = if refused.is_none() { size_bytes } else { DISK };
        assert_eq!(machine.engine.exports()[usize::from(DATA_1.0)].size, size, "{size_bytes}");
        assert_eq!(machine.bytes(DATA, 0, 1), vec![u8::from(bytes)]);
        assert!(refused.is_none() || room.taken() == taken, "{size_bytes}");
    }
}

#[test]
fn a_block_of_a_snapshot_is_fetched_when_it_is_first_asked_for() {
    let mut spec = spec();
    let first_touch = FirstTouch {
        block: Bytes::kib(512),
        fetch: Duration::from_ms(100),
        there: Bytes::mib(4),
        background: Some(Throughput::mib_per_second(1)),
    };
    spec.volumes[0].disks.truncate(1);
    spec.volumes[0].disks[0].first_touch = Some(first_touch);
    let stores = (0..2).map(|_| Box::new(memory()) as Box<dyn Store>).collect();
    let engine = Engine::new(spec, stores, EngineOptions::default()).expect("an engine");
    let mut machine = Machine { engine, now: Instant::START };
    let piece = [7; 4_096];
    // What is asked, where; how many µs it takes.
    for (op, mib, expected) in [
        (IoOp::Read, 1, 1_000),
        (IoOp::Read, 8, 101_000),
        (IoOp::Read, 8, 1_000),
        // A part of a block needs its rest.
        (IoOp::Write, 9, 102_000),
        (IoOp::Read, 9, 1_000),
    ] {
        assert_eq!(machine.ask(DATA, op, mib << 20, &piece), (Ok(()), expected), "{op:?} at {mib} MiB");
    }
    assert_eq!(machine.bytes(DATA, 9 << 20, 4_096), piece, "what is written into a block that is fetched stays");
    // The seventh second brings 11 MiB.
    machine.now = Instant::from_ns(7_000_000_000);
    assert_eq!(machine.ask(DATA, IoOp::Read, 10 << 20, &piece).1, 1_000);
    assert_eq!(machine.ask(DATA, IoOp::Read, 12 << 20, &piece).1, 101_000);
    let status = machine.engine.status(machine.now);
    assert_eq!(status.volumes[0].untouched_bytes, Some((5 << 20) - (512 << 10)));
    assert_eq!(status.volumes[1].untouched_bytes, None);
}
