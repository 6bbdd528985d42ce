//! The engine in virtual time: who gets which bytes when.

use dw_emulator::*;
use dw_stack::{CacheMode, Credits, DiskSpec, LimitSpec, Path, ServiceTime, StackSpec, VmSpec, VolumeSpec};
use dw_units::{Bytes, Instant};

fn disk(size: Bytes) -> DiskSpec {
    DiskSpec {
        name: "P1".into(),
        size,
        limits: LimitSpec::default(),
        io_unit: None,
        read: ServiceTime::constant(1_000_000),
        write: ServiceTime::constant(2_000_000),
        on_demand_base: None,
    }
}

fn engine(disks: usize) -> Engine {
    let volume = VolumeSpec {
        name: "data".into(),
        disks: vec![disk(Bytes::mib(16)); disks],
        stripe_unit: Bytes::kib(64),
        host_cache: CacheMode::None,
        path: Path::Remote,
    };
    let spec = StackSpec { vm: VmSpec::default(), volumes: vec![volume], credits: Credits::Full, seed: 1 };
    let stores = (0..disks).map(|_| Box::new(MemoryStore::new(16 << 20)) as Box<dyn Store>).collect();
    Engine::new(spec, stores, EngineOptions::default()).expect("an engine")
}

fn ask(engine: &mut Engine, now: Instant, export: ExportId, op: IoOp, offset: u64, data: &[u8]) -> Done {
    let len = data.len() as u64;
    let payload = if op == IoOp::Write { data.to_vec() } else { Vec::new() };
    engine.submit(now, IoRequest { export, op, fua: false, offset, len, data: payload, cookie: 7 });
    let mut at = now;
    loop {
        if let Some(done) = engine.poll(at) {
            return done;
        }
        at = engine.next_event().expect("something is under way");
    }
}

#[test]
fn what_is_written_to_a_stripe_is_read_back_and_lies_on_its_members() {
    let mut engine = engine(2);
    let names: Vec<&str> = engine.exports().iter().map(|export| export.name.as_str()).collect();
    assert_eq!(names, ["data", "data.0", "data.1"]);
    let data: Vec<u8> = (0..200_000u32).map(|i| (i % 251) as u8).collect();
    let done = ask(&mut engine, Instant::START, ExportId(0), IoOp::Write, 10_000, &data);
    assert_eq!((done.result, done.due.ns()), (Ok(()), 2_000_000));
    let mut back = vec![0; data.len()];
    engine.read(ExportId(0), 10_000, &mut back).expect("a read");
    assert!(back == data, "the stripe gives back what it got");
    let mut second = vec![0; 64 << 10];
    engine.read(ExportId(2), 0, &mut second).expect("a read of a member");
    assert!(second == data[(64 << 10) - 10_000..(128 << 10) - 10_000], "the second chunk begins the second disk");
}
