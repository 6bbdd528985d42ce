//! Being asked late changes nothing: the engine, looked at now and then, gives the instants that the stack gives to whoever looks
//! at every one of them.
//!
//! This is what makes the emulator, which the host keeps from looking, the same as the simulator, which looks at everything.

use std::collections::BTreeMap;

use dw_emulator::pace::{HostTime, Overhead, Pace, Turnaround};
use dw_emulator::{Engine, EngineOptions, ExportId, IoOp, IoRequest, NullStore, Store};
use dw_stack::*;
use dw_units::{Bytes, Duration, Instant};

const DISK: u64 = 256 << 20;

/// A stripe of two disks that burst, and a disk behind a cache that writes back, under the limits of one VM.
fn spec(seed: u64) -> StackSpec {
    let burst = |rate, burst, credits| RateSpec { rate, depth: 0, burst: Some(BurstSpec { rate: burst, credits }) };
    let disk = |iops: Option<RateSpec>| DiskSpec {
        name: "D".into(),
        size: Bytes::new(DISK),
        limits: LimitSpec { iops, throughput: Some(RateSpec::plain(100_000_000)) },
        io_unit: None,
        more: Vec::new(),
        read: ServiceTime::constant(1_000_000),
        write: ServiceTime::constant(2_000_000),
        usage_base: None,
        first_touch: None,
        by_direction: Default::default(),
    };
    let volume = |name: &str, disks, host_cache| VolumeSpec {
        name: name.into(),
        disks,
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
        write_back: WriteBackSpec { dirty_max: Bytes::mib(4), destage_depth: 4, destage_after: Duration::from_ms(20) },
    };
    let limits = |iops| LimitSpec { iops: Some(RateSpec::plain(iops)), throughput: None };
    let vm = VmSpec { host_cache: Some(cache), ..VmSpec::with(limits(4_000), limits(2_500)) };
    let volumes = vec![
        volume("data", vec![disk(Some(burst(500, 1_500, 800))); 2], CacheMode::None),
        volume("log", vec![disk(None)], CacheMode::ReadWrite),
    ];
    StackSpec { vm, volumes, credits: Credits::Full, seed }
}

/// The next number of a sequence that a seed begins.
fn draw(state: &mut u64, below: u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) % below
}

struct Arrival {
    at: Instant,
    volume: u16,
    op: IoOp,
    offset: u64,
    len: u64,
}

/// 2,000 requests in clumps, with pauses that let the disks fall idle.
fn arrivals(seed: u64) -> Vec<Arrival> {
    let (mut state, mut at) = (seed * 2 + 1, 0);
    let mut next = || {
        at += match draw(&mut state, 20) {
            0 => draw(&mut state, 50_000_000),
            1..8 => 0,
            _ => draw(&mut state, 600_000),
        };
        let op = match draw(&mut state, 20) {
            0 => IoOp::Flush,
            1..10 => IoOp::Write,
            _ => IoOp::Read,
        };
        let len = if op == IoOp::Flush { 0 } else { 4_096 << draw(&mut state, 6) };
        let volume = draw(&mut state, 2) as u16;
        Arrival { at: Instant::from_ns(at), volume, op, offset: draw(&mut state, 4_096) * 4_096, len }
    };
    (0..2_000).map(|_| next()).collect()
}

/// When the stack is done with each request, by somebody who looks at every instant at which anything happens.
fn on_time(seed: u64, arrivals: &[Arrival]) -> BTreeMap<u64, Instant> {
    let mut stack = Stack::new(spec(seed)).expect("a stack");
    let mut due = BTreeMap::new();
    let mut run = |stack: &mut Stack, until: Instant| {
        while let Some(at) = stack.next_event().filter(|&at| at <= until) {
            while let Some(done) = stack.poll_completion(at) {
                due.insert(done.user, done.finished);
            }
        }
    };
    for (arrival, user) in arrivals.iter().zip(0..) {
        run(&mut stack, arrival.at);
        let op = match arrival.op {
            IoOp::Flush => Op::Flush,
            IoOp::Write => Op::Write,
            _ => Op::Read,
        };
        let (volume, len) = (VolumeId(arrival.volume), arrival.len as u32);
        let offset = if op == Op::Flush { 0 } else { arrival.offset };
        stack.submit(arrival.at, Request { volume, op, fua: false, offset, len, user });
    }
    run(&mut stack, Instant::from_ns(u64::MAX - 1));
    due
}

/// When the engine is done with each, by somebody who looks when something arrives, if at all, and at the end.
fn late(seed: u64, arrivals: &[Arrival]) -> BTreeMap<u64, Instant> {
    let stores = (0..3).map(|_| Box::new(NullStore::new(DISK)) as Box<dyn Store>).collect();
    let mut engine = Engine::new(spec(seed), stores, EngineOptions::default()).expect("an engine");
    let (mut due, mut state) = (BTreeMap::new(), seed + 77);
    for (arrival, cookie) in arrivals.iter().zip(0..) {
        if draw(&mut state, 50) == 0 {
            while let Some(done) = engine.poll(arrival.at) {
                due.insert(done.cookie, done.due);
            }
        }
        let data = if arrival.op == IoOp::Write { vec![0; arrival.len as usize] } else { Vec::new() };
        let (export, op, offset, len) = (ExportId(arrival.volume), arrival.op, arrival.offset, arrival.len);
        engine.submit(arrival.at, IoRequest { export, op, fua: false, offset, len, data, cookie });
    }
    let end = arrivals.last().expect("arrivals").at + Duration::from_secs(3_600);
    while let Some(done) = engine.poll(end) {
        due.insert(done.cookie, done.due);
    }
    due
}

#[test]
fn whoever_looks_late_finds_the_instants_of_the_one_who_looks_always() {
    for seed in 1..=20 {
        let arrivals = arrivals(seed);
        let (on_time, late) = (on_time(seed, &arrivals), late(seed, &arrivals));
        assert_eq!(on_time.len(), arrivals.len(), "seed {seed}");
        let different = on_time.iter().find(|&(user, due)| late.get(user) != Some(due));
        assert!(
            different.is_none(),
            "seed {seed}: request, due {different:?}, and late {:?}",
            different.map(|d| late.get(d.0))
        );
    }
}

/// What a client does with answers.
#[derive(Clone, Copy, Debug)]
enum Client {
    /// It sends the next request on each, 10 µs after the one before.
    OneByOne,
    /// It examines every one that is there, 10 µs each, before it sends as many requests.
    AllFirst,
}

/// I/Os in two seconds of the host's time of a client that keeps `depth` requests in flight at a disk of 50,000 IOPS, whose server
/// stands still for `stall_us` of every 100 ms.
fn closed_loop(kind: Client, depth: u64, stall_us: u64) -> u64 {
    const RATE: u64 = 50_000;
    let mut spec = spec(1);
    spec.volumes.truncate(1);
    let disk = &mut spec.volumes[0].disks[0];
    (disk.limits, disk.read) =
        (LimitSpec { iops: Some(RateSpec::plain(RATE)), throughput: None }, ServiceTime::constant(1_000));
    spec.volumes[0].disks.truncate(1);
    spec.vm = VmSpec::with(LimitSpec::default(), LimitSpec::default());
    let store = Box::new(NullStore::new(DISK)) as Box<dyn Store>;
    let mut engine = Engine::new(spec, vec![store], EngineOptions::default()).expect("an engine");
    let us = |us: u64| Duration::from_us(us);
    let overhead = Overhead { total: us(25), timer: us(5) };
    let (start, mut turnaround) = (HostTime::from_ns(1_000_000_000), Turnaround::default());
    let pace = Pace::start(start, overhead);
    // In the middle of the 100 ms, so that the last of them leaves time to make up for.
    let asleep = (Duration::from_ms(50).ns() - us(stall_us).ns())..Duration::from_ms(50).ns();
    let awake = |at: HostTime| {
        let within = at.since(start).ns() % Duration::from_ms(100).ns();
        if asleep.contains(&within) { at + Duration::from_ns(asleep.end - within) } else { at }
    };
    let mut sends: std::collections::VecDeque<HostTime> = (0..depth).map(|n| start + us(10 * n)).collect();
    let (mut now, mut clock, mut client, mut done) = (start, Instant::START, start, 0);
    let mut dates = std::collections::VecDeque::new();
    while now.since(start) < Duration::from_secs(2) {
        let release = engine.next_event().and_then(|at| pace.release(at)).map(|at| at + overhead.timer);
        let next = [sends.front().copied(), release].into_iter().flatten().min().expect("something under way");
        now = awake(now.max(next));
        let mut answered = 0;
        while let Some(at) = engine.next_event().filter(|&at| at <= pace.horizon(now)) {
            clock = clock.max(at);
            let Some(answer) = engine.poll(clock) else { continue };
            let dated = dates.pop_front().expect("an answer for each request, in order");
            turnaround.reply(now, answer.due.since(answer.submitted), pace.late(now, answer.due), dated);
            client = client.max(now + us(15)) + us(10);
            sends.push_back(client);
            (done, answered) = (done + 1, answered + 1);
        }
        if let Client::AllFirst = kind {
            let from = sends.len() - answered;
            sends.range_mut(from..).for_each(|send| *send = client);
        }
        while sends.front().is_some_and(|&send| send <= now) {
            sends.pop_front();
            clock = clock.max(pace.model(now - turnaround.request(now)));
            dates.push_back(pace.model(now).since(clock));
            let (export, op) = (ExportId(0), IoOp::Read);
            engine
                .submit(clock, IoRequest { export, op, fua: false, offset: 0, len: 4096, data: Vec::new(), cookie: 0 });
        }
    }
    done
}

/// What passes while the server is kept from answering is granted afterwards: also where the disk, found idle then, is done at once.
#[test]
fn a_closed_loop_loses_nothing_to_stalls_of_the_server() {
    for (kind, depth) in
        [(Client::OneByOne, 32), (Client::OneByOne, 128), (Client::AllFirst, 32), (Client::AllFirst, 128)]
    {
        for stall_us in [0, 1_000, 5_000, 15_000, 30_000] {
            let done = closed_loop(kind, depth, stall_us);
            assert!(
                (100_000..=100_000 + depth).contains(&done),
                "{kind:?}, depth {depth}, stalls of {stall_us} µs: {done}"
            );
        }
    }
}
