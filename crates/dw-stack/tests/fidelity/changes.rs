//! What happens to a VM while it runs: crashes, other tiers, what a write-back has brought home.

use dw_stack::*;
use dw_units::{Bytes, Duration, Instant};

use crate::harness::{SECOND, cache, cached_volume, disk, iops, one_disk, spec, volume, with_limits};

const VOLUME: VolumeId = VolumeId(0);

fn request(op: Op, offset: u64, user: u64) -> Request {
    Request { volume: VOLUME, op, fua: false, offset, len: if op == Op::Flush { 0 } else { 4096 }, user }
}

fn at(seconds: u64) -> Instant {
    Instant::from_ns(seconds * SECOND)
}

fn drain(stack: &mut Stack, until: Instant) -> Vec<Completion> {
    std::iter::from_fn(|| stack.poll_completion(until)).collect()
}

/// A ReadWrite volume that writes back only when it must.
fn write_back(striped: bool) -> Stack {
    let lazy = WriteBackSpec { dirty_max: Bytes::mib(64), destage_depth: 4, destage_after: Duration::from_secs(3_600) };
    let host = HostCacheSpec { write_back: lazy, ..cache(100_000, 0) };
    if !striped {
        return cached_volume(host, CacheMode::ReadWrite, disk(1_000_000));
    }
    let vm = VmSpec { host_cache: Some(host), ..VmSpec::default() };
    Stack::new(spec(vm, vec![volume(vec![disk(1_000_000); 3], CacheMode::ReadWrite)])).unwrap()
}

#[test]
fn a_crash_takes_what_was_under_way_and_a_host_crash_the_dirty_data() {
    for striped in [false, true] {
        for host in [false, true] {
            let mut stack = write_back(striped);
            for block in 0..10 {
                stack.submit(Instant::START, request(Op::Write, block * 65_536, block));
            }
            assert_eq!(drain(&mut stack, at(1)).len(), 10);
            // A flush that waits for the disks, and a read that is still at one.
            stack.submit(at(1), request(Op::Flush, 0, 100));
            stack.submit(at(1), request(Op::Read, 1 << 30, 101));
            stack.crash(at(1), host);
            let name = format!("striped {striped}, host {host}");
            assert_eq!(stack.in_flight(), 0, "{name}");
            assert_eq!(stack.in_flight_of(VOLUME), 0, "{name}");
            let dirty = stack.tally(at(1)).dirty.get();
            assert_eq!(dirty, if host { 0 } else { 10 * 4096 }, "{name}");
            assert_eq!(drain(&mut stack, at(20)).len(), 0, "{name}: nobody waits for it");
            // The guest comes back.
            stack.submit(at(20), request(Op::Read, 0, 7));
            let hit = if host { CacheOutcome::Miss } else { CacheOutcome::HitSsd };
            let done = drain(&mut stack, at(30));
            assert_eq!((done.len(), done[0].user, done[0].cache), (1, 7, hit), "{name}");
            stack.submit(at(30), request(Op::Write, 0, 8));
            assert_eq!(drain(&mut stack, at(31)).len(), 1, "{name}");
            stack.submit(at(31), request(Op::Flush, 0, 9));
            assert_eq!(drain(&mut stack, at(40)).len(), 1, "{name}");
            let tally = stack.tally(at(40));
            assert_eq!(tally.dirty.get(), 0, "{name}");
            assert_eq!(tally.submitted, tally.completed + tally.abandoned, "{name}");
        }
    }
}

#[test]
fn a_split_request_is_one_event_even_where_its_guest_dies() {
    for crash in [false, true] {
        let disks = [3, 1, 4, 2].map(|ms| disk(ms * 1_000_000)).to_vec();
        let mut stack = Stack::new(spec(VmSpec::default(), vec![volume(disks, CacheMode::None)])).unwrap();
        stack.submit(Instant::START, Request { len: 256 << 10, ..request(Op::Read, 0, 1) });
        let last = Instant::START + Duration::from_ms(4);
        assert_eq!(stack.next_event(), Some(last), "nothing happens when its other parts are done");
        if crash {
            stack.crash(Instant::START + Duration::from_ms(2), false);
        }
        let done = drain(&mut stack, last);
        let found: Vec<_> = done.iter().map(|done| (done.user, done.len, done.finished, done.spent.served)).collect();
        let expected = (1, 256 << 10, last, Duration::from_ms(4));
        assert_eq!(found, if crash { vec![] } else { vec![expected] }, "crash {crash}");
        assert_eq!((stack.next_event(), stack.in_flight(), stack.in_flight_of(VOLUME)), (None, 0, 0), "crash {crash}");
        let tally = stack.tally(last);
        assert_eq!(tally.submitted, tally.completed + tally.abandoned, "crash {crash}");
    }
}

#[test]
fn what_a_write_back_brings_home_is_what_was_dirty() {
    let mut stack = write_back(true);
    stack.watch_destages();
    let mut expected = Vec::new();
    for i in 0..40u64 {
        let offset = (i * 7_919 % 500) * 4096;
        stack.submit(Instant::START, request(Op::Write, offset, i));
        let (member, on_disk, left) = stack.place(VOLUME, offset);
        assert!((4096..=65_536).contains(&left));
        expected.push((member, on_disk));
    }
    assert_eq!(drain(&mut stack, at(1)).len(), 40);
    assert_eq!(stack.poll_destaged(), None);
    stack.submit(at(1), request(Op::Flush, 0, 0));
    assert_eq!(drain(&mut stack, at(2)).len(), 1);
    let mut found = Vec::new();
    while let Some(home) = stack.poll_destaged() {
        assert_eq!((home.volume, home.started >= at(1)), (VOLUME, true));
        found.extend((0..home.len / 4096).map(|sector| (home.member, home.offset + sector * 4096)));
    }
    expected.sort_unstable();
    expected.dedup();
    found.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn a_member_takes_requests_of_its_own() {
    let mut stack = Stack::new(spec(
        VmSpec::default(),
        vec![volume(vec![with_limits(iops(500), disk(1_000)), with_limits(iops(500), disk(1_000))], CacheMode::None)],
    ))
    .unwrap();
    assert_eq!(stack.disk_size(VOLUME, 1), Bytes::tib(1));
    for i in 0..1_000 {
        stack.submit_to(Instant::START, (i % 2) as u16, request(Op::Read, (1 << 40) - 4096, i));
    }
    // 500 each at 500 a second: the two add up.
    let last = drain(&mut stack, at(10)).last().unwrap().finished;
    assert_eq!(last.ns(), 499 * SECOND / 500 + 1_000);
}

#[test]
fn a_change_of_tier_counts_from_now_on() {
    let mut stack = Stack::new(one_disk(with_limits(iops(100), disk(1_000)))).unwrap();
    for i in 0..200 {
        stack.submit(Instant::START, request(Op::Read, 0, i));
    }
    assert_eq!(drain(&mut stack, at(1)).len(), 100);
    let faster = DiskSpec { size: Bytes::tib(2), ..with_limits(iops(1_000), disk(1_000)) };
    stack.set_disk(at(1), VOLUME, 0, &faster).unwrap();
    assert_eq!(stack.volume_size(VOLUME), Bytes::tib(2));
    for i in 0..1_000 {
        stack.submit(at(1), request(Op::Read, 3 << 39, 1_000 + i));
    }
    // The hundred that waited go as promised, until 2 s; the thousand take one second more.
    let done = drain(&mut stack, at(10));
    assert_eq!(done.len(), 1_100);
    assert!(done.windows(2).all(|pair| pair[0].user < pair[1].user));
    assert!(done[1_099].finished.ns().abs_diff(3 * SECOND) < SECOND / 100, "{:?}", done[1_099].finished);
    let smaller = disk(1_000);
    assert_eq!(stack.set_disk(at(10), VOLUME, 0, &smaller), Err(Busy::Smaller(Bytes::tib(2))));
}

#[test]
fn credits_survive_a_change_of_tier() {
    let bursting = |rate, credits| LimitSpec {
        iops: Some(RateSpec { rate, depth: 0, burst: Some(BurstSpec { rate: 3_500, credits }) }),
        throughput: None,
    };
    let mut stack = Stack::new(one_disk(with_limits(bursting(500, 5_400_000), disk(1_000)))).unwrap();
    let credits = |stack: &Stack, now| stack.tally(now).limits[0].credits.unwrap();
    let before = credits(&stack, at(1));
    for (limit, expected) in [(bursting(700, 5_400_000), before), (bursting(700, 1_000_000), 1_000_000)] {
        stack.set_disk(at(1), VOLUME, 0, &with_limits(limit, disk(1_000))).unwrap();
        assert!(credits(&stack, at(1)).abs_diff(expected) <= 2, "{} {expected}", credits(&stack, at(1)));
    }
}

#[test]
fn a_cached_disk_that_grows_comes_back_cold() {
    let mut stack = cached_volume(cache(100, 0), CacheMode::ReadOnly, DiskSpec { size: Bytes::gib(1), ..disk(1_000) });
    let outcome = |stack: &mut Stack, seconds: u64, offset: u64| {
        stack.submit(at(seconds), request(Op::Read, offset, 0));
        drain(stack, Instant::NEVER)[0].cache
    };
    assert_eq!([outcome(&mut stack, 0, 0), outcome(&mut stack, 1, 0)], [CacheOutcome::Miss, CacheOutcome::HitSsd]);
    stack.set_disk(at(2), VOLUME, 0, &DiskSpec { size: Bytes::gib(3), ..disk(1_000) }).unwrap();
    for (seconds, offset) in [(3, 0), (5, 2 << 30)] {
        let pair = [outcome(&mut stack, seconds, offset), outcome(&mut stack, seconds + 1, offset)];
        assert_eq!(pair, [CacheOutcome::Miss, CacheOutcome::HitSsd], "{offset}");
    }
}
