//! Against cache theory, and the write-back rules.

use dw_stack::*;
use dw_units::{Bytes, Duration, Instant};

use super::harness::*;

fn is_hit(completion: &Completion) -> bool {
    matches!(completion.cache, CacheOutcome::HitRam | CacheOutcome::HitSsd)
}

/// Probabilities of a Zipf law over `n` blocks, and its cumulative sums.
fn zipf(n: usize, exponent: f64) -> (Vec<f64>, Vec<f64>) {
    let weights: Vec<f64> = (1..=n).map(|rank| (rank as f64).powf(-exponent)).collect();
    let sum: f64 = weights.iter().sum();
    let q: Vec<f64> = weights.iter().map(|w| w / sum).collect();
    let mut total = 0.0;
    let cumulative = q
        .iter()
        .map(|p| {
            total += p;
            total
        })
        .collect();
    (q, cumulative)
}

fn draw(cumulative: &[f64], random: &mut Random) -> u64 {
    let u = random.unit() * cumulative[cumulative.len() - 1];
    cumulative.partition_point(|&c| c < u) as u64
}

/// Che's characteristic time: the age at which `capacity` distinct blocks have been seen.
fn characteristic_time(q: &[f64], capacity: f64) -> f64 {
    let seen = |t: f64| q.iter().map(|p| 1.0 - (-p * t).exp()).sum::<f64>();
    let (mut low, mut high) = (0.0, 1e12);
    for _ in 0..64 {
        let middle = (low + high) / 2.0;
        if seen(middle) < capacity { low = middle } else { high = middle }
    }
    low
}

/// The completions of `n` reads drawn from `q`.
fn reads(host_cache: HostCacheSpec, cumulative: &[f64], n: u64, scatter: u64) -> Vec<Completion> {
    let mut done = Vec::with_capacity(n as usize);
    each_read(host_cache, cumulative, n, scatter, |completion| done.push(completion));
    done
}

/// The same, one at a time.
fn each_read(host_cache: HostCacheSpec, cumulative: &[f64], n: u64, scatter: u64, mut look: impl FnMut(Completion)) {
    let mut stack = cached_volume(host_cache, CacheMode::ReadOnly, disk(1_000));
    let mut random = Random(21);
    let blocks = cumulative.len() as u64;
    let mut now = Instant::START;
    for _ in 0..n {
        let block = draw(cumulative, &mut random).wrapping_mul(scatter) % blocks;
        stack.submit(now, read(block * 4096, 4096));
        let completion = stack.poll_completion(Instant::NEVER).unwrap();
        now = completion.finished;
        look(completion);
    }
}

#[test]
fn a23_a24_an_lru_under_a_zipf_load_warms_and_settles_as_che_says() {
    let (n, capacity) = (1usize << 16, 1u64 << 14);
    let (q, cumulative) = zipf(n, 0.99);
    let tc = characteristic_time(&q, capacity as f64);
    let done = reads(cache(capacity, 0), &cumulative, 1_600_000, 40_503);
    let expected = |t: f64| q.iter().map(|p| p * (1.0 - (-p * t.min(tc)).exp())).sum::<f64>();
    let mut start = 0usize;
    for end in [10_000usize, 20_000, 50_000, 100_000, 200_000, 400_000, 1_600_000] {
        let window = &done[start..end];
        let found = window.iter().filter(|c| is_hit(c)).count() as f64 / window.len() as f64;
        // The formula averaged over the window, by the midpoint rule.
        let step = (end - start) as f64 / 64.0;
        let mean = (0..64).map(|i| expected(start as f64 + (f64::from(i) + 0.5) * step)).sum::<f64>() / 64.0;
        let noise = 3.0 * (0.25 / window.len() as f64).sqrt();
        assert!((found - mean).abs() < 0.002 + noise, "reads {start} to {end}: {found}, Che says {mean}");
        start = end;
    }
}

/// Terabytes in blocks of 64 KiB; minutes in a debug build.
#[test]
#[ignore = "2^26 blocks: run with --release -- --ignored"]
fn a23_at_full_size() {
    let (q, cumulative) = zipf(1 << 26, 0.99);
    let tc = characteristic_time(&q, f64::from(1 << 24));
    let expected: f64 = q.iter().map(|p| p * (1.0 - (-p * tc).exp())).sum();
    assert!((tc / 9.8627e7 - 1.0).abs() < 1e-4 && (expected - 0.885_18).abs() < 1e-5, "{tc} {expected}");
    drop(q);
    // Steady once more than Tc reads are through.
    let (warm, n) = (120_000_000, 150_000_000);
    let (mut seen, mut hits) = (0u64, 0u64);
    each_read(cache(1 << 24, 0), &cumulative, n, 1, |completion| {
        seen += 1;
        hits += u64::from(seen > warm && is_hit(&completion));
    });
    let found = hits as f64 / (n - warm) as f64;
    assert!((found - expected).abs() < 0.002, "{found}, Che says {expected}");
    println!("{found:.4}, Che says {expected:.4}");
}

#[test]
fn a23_small_caches_agree_with_the_exact_formula_of_king() {
    let (q, cumulative) = zipf(7, 0.8);
    // Stationary LRU: the list (a, b, c) has probability qa · qb / (1 − qa) · qc / (1 − qa − qb).
    let mut expected = 0.0;
    for a in 0..7 {
        for b in (0..7).filter(|&b| b != a) {
            for c in (0..7).filter(|&c| c != a && c != b) {
                let p = q[a] * q[b] / (1.0 - q[a]) * q[c] / (1.0 - q[a] - q[b]);
                expected += p * (q[a] + q[b] + q[c]);
            }
        }
    }
    let done = reads(cache(3, 0), &cumulative, 600_000, 1);
    let hits: Vec<f64> = done.iter().map(|c| f64::from(u8::from(is_hit(c)))).collect();
    within_interval("hit ratio", &hits[1_000..], expected).unwrap();
}

#[test]
fn a26_fifo_hits_as_often_as_random_replacement() {
    // Gelenbe 1973: under independent references both have the product form over the sets of resident blocks.
    let (q, cumulative) = zipf(9, 0.9);
    let (mut weight, mut hit) = (0.0, 0.0);
    for set in 0u32..1 << 9 {
        if set.count_ones() == 4 {
            let members = (0..9).filter(|i| set >> i & 1 == 1);
            let product: f64 = members.clone().map(|i| q[i]).product();
            weight += product;
            hit += product * members.map(|i| q[i]).sum::<f64>();
        }
    }
    let done = reads(HostCacheSpec { eviction: Eviction::Fifo, ..cache(4, 0) }, &cumulative, 600_000, 1);
    let hits: Vec<f64> = done.iter().map(|c| f64::from(u8::from(is_hit(c)))).collect();
    within_interval("hit ratio", &hits[1_000..], hit / weight).unwrap();
}

#[test]
fn a27_tiers_are_lrus_of_their_own_size_on_the_same_trace() {
    let (_, cumulative) = zipf(5_000, 0.7);
    let tiers = reads(cache(2_000, 300), &cumulative, 200_000, 1);
    let small = reads(cache(300, 0), &cumulative, 200_000, 1);
    let large = reads(cache(2_000, 0), &cumulative, 200_000, 1);
    for ((both, small), large) in tiers.iter().zip(&small).zip(&large) {
        assert_eq!(both.cache == CacheOutcome::HitRam, is_hit(small));
        assert_eq!(is_hit(both), is_hit(large));
    }
}

/// Write-back with this much room, a disk of `rate` IOPS, and a cached limit of `inflow` IOPS.
fn write_back(room_blocks: u64, rate: u64, inflow: u64, after: Duration) -> Stack {
    let host_cache = HostCacheSpec {
        write_back: WriteBackSpec { dirty_max: Bytes::kib(4 * room_blocks), destage_depth: 8, destage_after: after },
        ..cache(1 << 20, 0)
    };
    let vm = VmSpec { host_cache: Some(host_cache), ..VmSpec::with(iops(inflow), LimitSpec::default()) };
    Stack::new(spec(vm, vec![volume(vec![with_limits(iops(rate), disk(1_000_000))], CacheMode::ReadWrite)])).unwrap()
}

fn write(block: u64) -> Request {
    // Every other block, so that no two are neighbours and each costs one disk write.
    Request { op: Op::Write, ..read(2 * block * 4096, 4096) }
}

#[test]
fn a29_a_full_write_back_cache_falls_to_disk_speed_and_drains() {
    let (room, disk_rate, inflow) = (30_000u64, 500u64, 2_000u64);
    let mut stack = write_back(room, disk_rate, inflow, Duration::ZERO);
    let mut done = Vec::new();
    for block in 0..64 {
        stack.submit(Instant::START, Request { user: block, ..write(block) });
    }
    while let Some(completion) = stack.poll_completion(Instant::from_ns(40 * SECOND)) {
        let block = 64 + done.len() as u64;
        stack.submit(completion.finished, Request { user: block, ..write(block) });
        done.push(completion);
    }
    // Full after Q / (w − d) = 20 s.
    close("while there is room", rate(&done, SECOND, 19 * SECOND), inflow as f64, 1e-4).unwrap();
    close("when it is full", rate(&done, 22 * SECOND, 40 * SECOND), disk_rate as f64, 5e-4).unwrap();
    let first_wait = done.iter().find(|c| c.spent.queued[Stage::CacheDirty as usize] > Duration::ZERO).unwrap();
    close("full at", first_wait.submitted.ns() as f64 / SECOND as f64, 20.0, 5e-3).unwrap();
    let left = stack.tally(Instant::from_ns(40 * SECOND)).dirty.get() / 4096;
    close("left", left as f64, room as f64, 1e-3).unwrap();
    // Then nothing more comes, but the 64 that wait: empty after Q / d.
    let mut last = Instant::START;
    while let Some(at) = stack.next_event() {
        last = at;
        while stack.poll_completion(at).is_some() {}
    }
    close("empty after", (last.ns() - 40 * SECOND) as f64, (left + 64) as f64 / disk_rate as f64 * SECOND as f64, 1e-3)
        .unwrap();
    assert_eq!(stack.tally(Instant::NEVER).dirty, Bytes::ZERO);
}

#[test]
fn a_flush_waits_for_what_was_dirty() {
    let mut stack = write_back(10_000, 500, 1_000_000, Duration::from_secs(60));
    for block in 0..1_000 {
        stack.submit(Instant::START, write(block));
    }
    let mut last = Instant::START;
    while let Some(c) = stack.poll_completion(Instant::from_ns(SECOND)) {
        last = c.finished;
    }
    assert!(last.ns() < SECOND / 100, "writes are done when they are in the cache");
    let now = Instant::from_ns(SECOND);
    stack.submit(now, Request { op: Op::Flush, ..read(0, 0) });
    let flush = stack.poll_completion(Instant::NEVER).unwrap();
    // A thousand blocks at 500 a second, then one round trip of 0.6 × 1 ms.
    close("flush", flush.latency().ns() as f64, 2.0 * SECOND as f64, 5e-3).unwrap();
    assert_eq!(stack.tally(flush.finished).dirty, Bytes::ZERO);
    stack.submit(flush.finished, Request { op: Op::Flush, ..read(0, 0) });
    assert_eq!(stack.poll_completion(Instant::NEVER).unwrap().latency(), Duration::from_us(600));
}

#[test]
fn fua_writes_go_to_the_disk_first() {
    let mut stack = write_back(10_000, 500, 1_000_000, Duration::from_secs(60));
    stack.submit(Instant::START, Request { fua: true, ..write(1) });
    let done = stack.poll_completion(Instant::NEVER).unwrap();
    assert_eq!(done.cache, CacheOutcome::WriteThrough);
    assert_eq!(done.latency(), Duration::from_ms(1));
    assert_eq!(stack.tally(done.finished).dirty, Bytes::ZERO);
}

#[test]
fn a30_under_read_only_nothing_is_ever_dirty() {
    let mut stack = cached_volume(cache(100, 0), CacheMode::ReadOnly, with_limits(iops(500), disk(1_000_000)));
    let done = closed_loop(&mut stack, 4, SECOND, write);
    assert!(done.iter().all(|c| c.spent.served == Duration::from_ms(1) && c.cache == CacheOutcome::WriteThrough));
    assert_eq!(stack.tally(Instant::NEVER).dirty, Bytes::ZERO);
}

#[test]
fn no_dirty_byte_is_lost() {
    let mut stack = write_back(500, 2_000, 5_000, Duration::from_ms(50));
    let mut random = Random(4);
    // Each sector is written once, in random order: what was acknowledged is dirty or destaged, byte for byte.
    let mut blocks: Vec<u64> = (0..8_000).collect();
    for i in (1..blocks.len()).rev() {
        blocks.swap(i, random.below(i as u64 + 1) as usize);
    }
    let (mut next, mut written) = (0, 0u64);
    for _ in 0..16 {
        stack.submit(Instant::START, Request { op: Op::Write, ..read(blocks[next] * 4096, 4096) });
        next += 1;
    }
    while let Some(c) = stack.poll_completion(Instant::NEVER) {
        written += u64::from(c.len);
        let tally = stack.tally(c.finished);
        assert!(tally.dirty.get() + tally.volumes[0].destaged.get() >= written);
        assert!(tally.dirty.get() <= 500 * 4096);
        if next < blocks.len() {
            stack.submit(c.finished, Request { op: Op::Write, ..read(blocks[next] * 4096, 4096) });
            next += 1;
        }
    }
    assert_eq!(stack.tally(Instant::NEVER).volumes[0].destaged.get(), 8_000 * 4096);
}

#[test]
fn a_reboot_leaves_the_cache_cold_and_a_new_mode_the_disk() {
    let mut stack = cached_volume(cache(100, 0), CacheMode::ReadOnly, disk(1_000_000));
    let outcome = |stack: &mut Stack, seconds: u64| {
        stack.submit(Instant::from_ns(seconds * SECOND), read(0, 4096));
        stack.poll_completion(Instant::NEVER).unwrap().cache
    };
    assert_eq!(outcome(&mut stack, 0), CacheOutcome::Miss);
    assert_eq!(outcome(&mut stack, 1), CacheOutcome::HitSsd);
    stack.reboot(Instant::from_ns(2 * SECOND)).unwrap();
    assert_eq!(outcome(&mut stack, 2), CacheOutcome::Miss);
    assert_eq!(outcome(&mut stack, 3), CacheOutcome::HitSsd);
    for mode in [CacheMode::None, CacheMode::ReadOnly] {
        stack.set_host_cache(Instant::from_ns(4 * SECOND), VolumeId(0), mode).unwrap();
    }
    stack.submit(Instant::from_ns(5 * SECOND), read(0, 4096));
    assert_eq!(
        stack.set_host_cache(Instant::from_ns(5 * SECOND), VolumeId(0), CacheMode::None),
        Err(Busy::InFlight(1))
    );
    assert_eq!(stack.poll_completion(Instant::NEVER).unwrap().cache, CacheOutcome::Miss);
}

#[test]
fn partial_blocks_do_not_pretend_to_know_their_neighbours() {
    let sectors = HostCacheSpec { block_size: Bytes::kib(64), capacity: Bytes::mib(64), ..cache(1, 0) };
    for (fill, neighbour) in [(Fill::Sectors, CacheOutcome::Miss), (Fill::Block, CacheOutcome::HitSsd)] {
        let mut stack = cached_volume(HostCacheSpec { fill, ..sectors.clone() }, CacheMode::ReadOnly, disk(1_000_000));
        let mut now = Instant::START;
        let mut outcome = |offset: u64, len: u32| {
            stack.submit(now, read(offset, len));
            let done = stack.poll_completion(Instant::NEVER).unwrap();
            now = done.finished;
            done.cache
        };
        assert_eq!(outcome(8_192, 8_192), CacheOutcome::Miss);
        assert_eq!(outcome(8_192, 8_192), CacheOutcome::HitSsd);
        assert_eq!(outcome(16_384, 8_192), neighbour);
        assert_eq!(outcome(8_192, 16_384), CacheOutcome::HitSsd);
    }
}

#[test]
fn a_trim_makes_room_and_holds_up_no_flush() {
    // Room for one block; it is taken, another write waits, and the disk is slow to destage.
    let mut stack = write_back(1, 1, 1_000_000, Duration::from_secs(600));
    let ask = |stack: &mut Stack, at: u64, request: Request| stack.submit(Instant::from_ns(at), request);
    ask(&mut stack, 0, Request { user: 1, ..write(1) });
    assert_eq!(stack.poll_completion(Instant::from_ns(SECOND)).unwrap().user, 1);
    ask(&mut stack, SECOND, Request { user: 2, ..write(9) });
    ask(&mut stack, SECOND, Request { user: 3, op: Op::Trim, ..write(1) });
    let mut done: Vec<u64> = Vec::new();
    while let Some(c) = stack.poll_completion(Instant::from_ns(20 * SECOND)) {
        done.push(c.user);
    }
    done.sort_unstable();
    assert_eq!(done, [2, 3]);
    // What is trimmed after a flush was asked for does not hold it up either.
    ask(&mut stack, 20 * SECOND, Request { user: 5, op: Op::Trim, ..write(9) });
    ask(&mut stack, 20 * SECOND, Request { user: 4, op: Op::Flush, ..read(0, 0) });
    let mut done: Vec<u64> = std::iter::from_fn(|| stack.poll_completion(Instant::NEVER)).map(|c| c.user).collect();
    done.sort_unstable();
    assert_eq!(done, [4, 5]);
    assert_eq!(stack.tally(Instant::NEVER).dirty, Bytes::ZERO);
}

#[test]
fn a_flush_waits_for_the_older_of_two_destages_of_a_block() {
    // 64 KiB go home slowly (a flush asks for it); 4 KiB of the same block follow and are quicker.
    let slow = DiskSpec {
        write: ServiceTime { bandwidth: Some(dw_units::Throughput::mb_per_second(1)), ..ServiceTime::constant(1_000) },
        ..disk(1_000)
    };
    let host_cache = HostCacheSpec { block_size: Bytes::kib(64), capacity: Bytes::mib(64), ..cache(1, 0) };
    let host_cache = HostCacheSpec {
        write_back: WriteBackSpec { dirty_max: Bytes::mib(1), destage_depth: 8, destage_after: Duration::ZERO },
        ..host_cache
    };
    let mut stack = cached_volume(host_cache, CacheMode::ReadWrite, slow);
    stack.submit(Instant::START, Request { op: Op::Write, ..read(0, 65_536) });
    let first = stack.poll_completion(Instant::from_ns(1_000_000)).unwrap();
    assert_eq!(first.cache, CacheOutcome::WriteBack);
    let now = Instant::from_ns(1_000_000);
    stack.submit(now, Request { op: Op::Flush, user: 9, ..read(0, 0) });
    stack.submit(now, Request { op: Op::Write, ..read(0, 4_096) });
    let flush = std::iter::from_fn(|| stack.poll_completion(Instant::NEVER)).find(|c| c.user == 9).unwrap();
    assert!(flush.finished.ns() >= 65_536_000, "flushed at {} before its data were home", flush.finished);
}

#[test]
fn a_slow_disk_with_a_full_write_back_cache_holds_up_no_other() {
    let host_cache = HostCacheSpec {
        write_back: WriteBackSpec { dirty_max: Bytes::mib(1), destage_depth: 8, destage_after: Duration::ZERO },
        ..cache(1 << 16, 0)
    };
    let vm = VmSpec { host_cache: Some(host_cache), ..VmSpec::default() };
    let member = |rate| volume(vec![with_limits(iops(rate), disk(1_000))], CacheMode::ReadWrite);
    let mut stack = Stack::new(spec(vm, vec![member(100), member(20_000)])).unwrap();
    let mut counts = [0u64; 2];
    let request = |user: u64, n: u64| Request { volume: VolumeId((user % 2) as u16), user, ..write(n) };
    for user in 0..32 {
        stack.submit(Instant::START, request(user, user));
    }
    let mut n = 32;
    while let Some(c) = stack.poll_completion(Instant::from_ns(5 * SECOND)) {
        counts[usize::from(c.volume.0)] += u64::from(c.finished.ns() > SECOND);
        stack.submit(c.finished, request(c.user, n));
        n += 1;
    }
    close("the slow disk", counts[0] as f64 / 4.0, 100.0, 2e-2).unwrap();
    close("the fast disk", counts[1] as f64 / 4.0, 20_000.0, 2e-2).unwrap();
}

#[test]
fn host_caching_can_be_switched_on_later_where_it_is_possible() {
    let mut stack = cached_volume(cache(100, 0), CacheMode::None, disk(1_000_000));
    stack.set_host_cache(Instant::START, VolumeId(0), CacheMode::ReadOnly).unwrap();
    for expected in [CacheOutcome::Miss, CacheOutcome::HitSsd] {
        let now = Instant::from_ns(if expected == CacheOutcome::Miss { 0 } else { SECOND });
        stack.submit(now, read(500 << 30, 4096));
        assert_eq!(stack.poll_completion(Instant::NEVER).unwrap().cache, expected);
    }
    let mut without = Stack::new(one_disk(disk(1_000))).unwrap();
    let refused = without.set_host_cache(Instant::START, VolumeId(0), CacheMode::ReadOnly);
    assert_eq!(refused, Err(Busy::NotCacheable));
}
