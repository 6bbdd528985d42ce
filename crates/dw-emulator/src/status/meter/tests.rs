//! Seconds of a real stack, told to a meter.

use dw_stack::*;
use dw_units::Bytes;

use super::*;

fn at(ms: u64) -> Instant {
    Instant::from_ns(ms * 1_000_000)
}

fn disk(iops: u64) -> DiskSpec {
    let limits = LimitSpec { iops: Some(RateSpec::plain(iops)), throughput: None };
    let service = || ServiceTime::constant(1_000_000);
    DiskSpec {
        name: "P".into(),
        size: Bytes::gib(1),
        limits,
        io_unit: None,
        more: Vec::new(),
        read: service(),
        write: service(),
        usage_base: None,
        first_touch: None,
        by_direction: Default::default(),
    }
}

fn volume(name: &str, disks: Vec<DiskSpec>, host_cache: CacheMode) -> VolumeSpec {
    VolumeSpec { name: name.into(), disks, stripe_unit: Bytes::kib(64), host_cache, path: Path::default() }
}

/// A VM of 1,000 uncached IOPS with a disk of 500 and a stripe of two of 2,000.
fn rig() -> (Stack, Meter) {
    let behind = LimitSpec { iops: Some(RateSpec::plain(1_000)), throughput: None };
    let vm = VmSpec::with(LimitSpec::default(), behind);
    let volumes = vec![
        volume("log", vec![disk(500)], CacheMode::None),
        volume("data", vec![disk(2_000), disk(2_000)], CacheMode::None),
    ];
    metered(StackSpec { vm, volumes, credits: Credits::Full, seed: 1 })
}

fn metered(spec: StackSpec) -> (Stack, Meter) {
    let stack = Stack::new(spec.clone()).unwrap();
    let meter = Meter::new(&spec, Instant::START, &stack.tally(Instant::START));
    (stack, meter)
}

/// Keeps `depth` writes under way on a volume until `until`, closing seconds as an engine does.
fn load(stack: &mut Stack, meter: &mut Meter, volume: u16, depth: u64, from: Instant, until: Instant) {
    let write = |n: u64| Request {
        volume: VolumeId(volume),
        op: Op::Write,
        fua: false,
        offset: n % 10_000 * 4096,
        len: 4096,
        user: n,
    };
    let mut n = 0;
    let mut submit = |stack: &mut Stack, meter: &mut Meter, now| {
        meter.submitted(usize::from(volume));
        stack.submit(now, write(n));
        n += 1;
    };
    (0..depth).for_each(|_| submit(stack, meter, from));
    while let Some(done) = stack.poll_completion(until) {
        tick(stack, meter, done.finished);
        let (submitted, latency) = (done.submitted, done.latency());
        let outcome = Outcome { op: Op::Write, bytes: 4096, submitted, latency, ok: true, spent: Some(&done.spent) };
        meter.done(usize::from(volume), &outcome);
        submit(stack, meter, done.finished);
    }
    tick(stack, meter, until);
}

fn tick(stack: &Stack, meter: &mut Meter, now: Instant) {
    if now >= meter.due() {
        meter.close_second(now, &stack.tally(now));
    }
}

fn status(stack: &Stack, meter: &Meter, now: Instant) -> Status {
    let state = VolumeState { size_bytes: 1 << 30, host_cache: CacheMode::None, attached: true };
    meter.status(now, &stack.tally(now), &[state, state])
}

fn limits(status: &Status) -> Vec<String> {
    let row = |l: &LimitStatus| {
        let place = l.disk.as_deref().unwrap_or("vm");
        format!("{place} {}: {:.0} % consumed, binding {:.0} %", l.limit, l.consumed_percent, l.binding_percent)
    };
    status.limits.iter().map(row).collect()
}

#[test]
fn percentages_are_those_of_the_last_full_second() {
    let (mut stack, mut meter) = rig();
    load(&mut stack, &mut meter, 0, 8, at(0), at(3_500));
    let now = at(3_500);
    assert_eq!(
        limits(&status(&stack, &meter, now)),
        [
            "vm vm behind IOPS: 50 % consumed, binding 0 %",
            "log.0 disk IOPS: 100 % consumed, binding 100 %",
            "data.0 disk IOPS: 0 % consumed, binding 0 %",
            "data.1 disk IOPS: 0 % consumed, binding 0 %",
        ]
    );
    let seen = status(&stack, &meter, now);
    let log = &seen.volumes[0];
    assert_eq!((log.queue_depth, log.writes.count), (8, 1_750), "half of a second is counted, not rated");
    assert!((log.writes.per_second - 500.0).abs() < 2.0, "{}", log.writes.per_second);
    assert!((log.writes.bytes_per_second - 500.0 * 4096.0).abs() < 2.0 * 4096.0);
    // Little's law: 8 under way at 500 a second are 16 ms.
    assert!(log.writes.recent.p50_ns.abs_diff(16_000_000) < 200_000, "{:?}", log.writes.recent);
    assert_eq!(log.writes.at_most.last(), Some(&log.writes.count));
    let at_most = |bound| log.writes.at_most[LATENCY_BOUNDS_NS.iter().position(|&b| b == bound).unwrap()];
    assert!(at_most(10_000_000) < 10 && at_most(20_000_000) == log.writes.count, "{:?}", log.writes.at_most);
}

#[test]
fn a_second_in_which_nobody_looked_is_longer_and_divided_by_its_length() {
    let (mut stack, mut meter) = rig();
    load(&mut stack, &mut meter, 0, 8, at(0), at(1_000));
    while let Some(done) = stack.poll_completion(at(10_000)) {
        let (submitted, latency) = (done.submitted, done.latency());
        let outcome = Outcome { op: Op::Write, bytes: 4096, submitted, latency, ok: true, spent: None };
        meter.done(0, &outcome);
    }
    tick(&stack, &mut meter, at(9_000));
    let seen = status(&stack, &meter, at(9_000));
    assert!(seen.volumes[0].writes.per_second < 2.0, "{}", seen.volumes[0].writes.per_second);
    assert_eq!(seen.volumes[0].queue_depth, 0);
    assert_eq!(meter.due(), at(10_000));
}

#[test]
fn throttled_seconds_name_the_limit_its_share_and_who_waited() {
    let (mut stack, mut meter) = rig();
    meter.watch_throttling();
    load(&mut stack, &mut meter, 1, 16, at(0), at(2_000));
    let log = meter.throttled();
    let row = |t: &Throttled| format!("{} {} at {}", t.from, t.limit.name(), t.place);
    // The first sixteen came at once, to the first disk of the stripe.
    let expected = ["0 ns vm behind IOPS at vm", "0 ns disk IOPS at data.0", "1 s vm behind IOPS at vm"];
    assert_eq!(log.iter().map(row).collect::<Vec<_>>(), expected);
    let bound = |t: &Throttled, percent| t.binding.ns() > t.span.ns() * percent / 100;
    assert!(log.iter().all(|t| bound(t, 99) == (t.place == "vm") && bound(t, 0)), "{log:?}");
    assert!(log.iter().filter(|t| t.place == "vm").all(|t| t.waited.abs_diff(1_000) < 20), "{log:?}");
    assert!(meter.throttled().is_empty(), "each row is given once");
}

#[test]
fn nothing_is_kept_that_nobody_asked_for() {
    let (mut stack, mut meter) = rig();
    load(&mut stack, &mut meter, 1, 16, at(0), at(2_000));
    assert!(meter.throttled().is_empty());
}

#[test]
fn waits_for_room_in_the_write_back_cache_are_seen() {
    let write_back = WriteBackSpec { dirty_max: Bytes::mib(1), destage_depth: 1, destage_after: Duration::from_ms(10) };
    let service = || ServiceTime::constant(100_000);
    let host = HostCacheSpec {
        ram: Bytes::ZERO,
        capacity: Bytes::mib(64),
        block_size: Bytes::kib(64),
        fill: Fill::Sectors,
        write_allocate: true,
        eviction: Eviction::Lru,
        ram_hit: service(),
        ssd_read: service(),
        ssd_write: service(),
        miss_penalty: None,
        write_back,
    };
    let vm = VmSpec { host_cache: Some(host), ..VmSpec::default() };
    let volumes = vec![volume("v", vec![disk(100)], CacheMode::ReadWrite)];
    let (mut stack, mut meter) = metered(StackSpec { vm, volumes, credits: Credits::Full, seed: 1 });
    meter.watch_throttling();
    load(&mut stack, &mut meter, 0, 32, at(0), at(5_000));
    let seen = status(&stack, &meter, at(5_000));
    assert!(seen.volumes[0].room_percent > 90.0, "{}", seen.volumes[0].room_percent);
    assert!(seen.cache.dirty_bytes > 0 && seen.cache.dirty_bytes <= 1 << 20, "{:?}", seen.cache);
    let rows = meter.throttled();
    assert!(rows.iter().any(|row| row.limit == dw_documents::LimitId::write_back("v") && row.place == "v"), "{rows:?}");
    assert!(rows.iter().all(|row| row.binding <= row.span), "{rows:?}");
}

#[test]
fn waits_for_data_of_a_snapshot_are_seen() {
    let touch = FirstTouch { block: Bytes::mib(1), fetch: Duration::from_ms(50), there: Bytes::ZERO, background: None };
    let disk = DiskSpec { first_touch: Some(touch), ..disk(100) };
    let volumes = vec![volume("v", vec![disk], CacheMode::None)];
    let (mut stack, mut meter) = metered(StackSpec { vm: VmSpec::default(), volumes, credits: Credits::Full, seed: 1 });
    meter.watch_throttling();
    load(&mut stack, &mut meter, 0, 1, at(0), at(2_000));
    let rows = meter.throttled();
    let seen = status(&stack, &meter, at(2_000));
    let touched = |row: &&Throttled| row.limit == dw_documents::LimitId::first_touch("v") && row.place == "v";
    let (first, all) = (rows.iter().find(touched), rows.iter().filter(touched).count());
    assert!(first.is_some_and(|row| row.binding == Duration::from_ms(50) && row.waited == 1), "{rows:?}");
    assert_eq!((all, seen.volumes[0].first_touch_percent), (1, 0.0), "{rows:?}");
    assert!(seen.volumes[0].untouched_bytes.is_some_and(|left| left > 0));
}

#[test]
fn a_reset_begins_anew_and_keeps_what_is_under_way() {
    let (mut stack, mut meter) = rig();
    load(&mut stack, &mut meter, 0, 8, at(0), at(2_500));
    stack.reset_tally(at(2_500));
    meter.reset(at(2_500), &stack.tally(at(2_500)));
    let seen = status(&stack, &meter, at(2_500));
    let log = &seen.volumes[0];
    assert_eq!((seen.since_ns, log.writes.count, log.writes.latency.max_ns), (2_500_000_000, 0, 0));
    assert_eq!(log.queue_depth, 8);
    assert!(seen.limits.iter().all(|limit| limit.granted == 0));
    meter.abandoned();
    assert_eq!(status(&stack, &meter, at(2_500)).volumes[0].queue_depth, 0);
}

#[test]
fn a_limit_that_comes_with_a_change_of_tier_shifts_no_figures() {
    let (mut stack, mut meter) = rig();
    load(&mut stack, &mut meter, 1, 16, at(0), at(2_000));
    // The first disk gets a throughput limit: its row stands before those of the others.
    let mut changed = disk(500);
    changed.limits.throughput = Some(RateSpec::plain(1_000_000));
    stack.set_disk(at(2_000), VolumeId(0), 0, &changed).unwrap();
    let expected = [
        "vm vm behind IOPS: 100 % consumed, binding 100 %",
        "log.0 disk IOPS: 0 % consumed, binding 0 %",
        "log.0 disk throughput: 0 % consumed, binding 0 %",
    ];
    let seen = limits(&status(&stack, &meter, at(2_000)));
    assert_eq!((seen.len(), &seen[..3]), (5, &expected.map(String::from)[..]));
    assert!(seen[3..].iter().all(|row| row.starts_with("data.")), "{seen:?}");
    while let Some(done) = stack.poll_completion(at(3_000)) {
        let (submitted, latency) = (done.submitted, done.latency());
        meter.done(1, &Outcome { op: Op::Write, bytes: 4096, submitted, latency, ok: true, spent: None });
    }
    load(&mut stack, &mut meter, 0, 4, at(3_000), at(5_000));
    // 1 MB/s are 244 writes of 4 KiB.
    let expected = [
        "vm vm behind IOPS: 24 % consumed, binding 0 %",
        "log.0 disk IOPS: 49 % consumed, binding 0 %",
        "log.0 disk throughput: 100 % consumed, binding 100 %",
        "data.0 disk IOPS: 0 % consumed, binding 0 %",
        "data.1 disk IOPS: 0 % consumed, binding 0 %",
    ];
    assert_eq!(limits(&status(&stack, &meter, at(5_000))), expected);
}
