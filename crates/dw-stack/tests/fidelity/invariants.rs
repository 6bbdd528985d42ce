//! What holds for every stack and every load.

use dw_stack::*;
use dw_units::{Bytes, Duration, Instant, Throughput};
use proptest::prelude::*;

use super::harness::*;

/// (user, finished) of every completion, by user.
fn log(done: &[Completion]) -> Vec<(u64, u64)> {
    let mut log: Vec<(u64, u64)> = done.iter().map(|c| (c.user, c.finished.ns())).collect();
    log.sort_unstable();
    log
}

/// Says where two logs part, instead of printing both.
fn same(name: &str, one: &[(u64, u64)], two: &[(u64, u64)]) {
    assert_eq!(one.len(), two.len(), "{name}");
    let parting = one.iter().zip(two).position(|(a, b)| a != b);
    assert!(parting.is_none(), "{name}: at {:?}", parting.map(|i| (one[i], two[i])));
}

#[test]
fn a31_twice_the_rates_and_half_the_times_is_the_same_run() {
    let run = |k: u64| {
        let latency = (400_000 / k) as u32;
        let disk = with_limits(both(5_000 * k, 100_000_000 * k), disk(latency));
        let vm = VmSpec::with(LimitSpec::default(), both(8_000 * k, 160_000_000 * k));
        let volumes = vec![volume(vec![disk.clone()], CacheMode::None), volume(vec![disk], CacheMode::None)];
        let done = closed_loop(&mut Stack::new(spec(vm, volumes)).unwrap(), 32, 4 * SECOND / k, |n| Request {
            volume: VolumeId((n % 2) as u16),
            ..read(0, if n % 3 == 0 { 65_536 } else { 4_096 })
        });
        log(&done)
    };
    let (once, twice) = (run(1), run(2));
    assert_eq!(once.len(), twice.len());
    for (one, two) in once.iter().zip(&twice) {
        assert_eq!((one.0, one.1), (two.0, 2 * two.1));
    }
}

/// A stack with every mechanism, and the load on it.
fn busy(shortcuts: bool, volumes: usize) -> (Stack, impl FnMut(u64) -> Request) {
    let vm = VmSpec {
        host_cache: Some(HostCacheSpec {
            ram_hit: lognormal(100_000.0, 0.3),
            ssd_read: lognormal(200_000.0, 0.3),
            ssd_write: lognormal(200_000.0, 0.3),
            ..cache(2_000, 200)
        }),
        ..VmSpec::with(both(16_000, 128_000_000), both(12_800, 192_000_000))
    };
    // Nothing constant: at a tie, who comes first depends on when one is asked.
    let member = || DiskSpec {
        read: lognormal(900_000.0, 0.5),
        write: lognormal(700_000.0, 0.5),
        ..with_limits(both(5_000, 200_000_000), disk(0))
    };
    let all = [
        volume(vec![member()], CacheMode::ReadOnly),
        volume(vec![member(), member(), member()], CacheMode::None),
        volume(vec![member()], CacheMode::ReadWrite),
    ];
    let mut stack = Stack::new(spec(vm, all.into_iter().take(volumes).collect())).unwrap();
    if !shortcuts {
        stack.without_shortcuts();
    }
    let mut random = Random(17);
    (stack, move |_| {
        let draw = random.next();
        Request {
            volume: VolumeId((draw % volumes as u64) as u16),
            op: if draw >> 8 & 3 == 0 { Op::Write } else { Op::Read },
            ..read(random.below(4_000) * 4096, if draw >> 16 & 7 == 0 { 131_072 } else { 4_096 })
        }
    })
}

#[test]
fn a32_the_same_inputs_give_the_same_run() {
    let run = || {
        let (mut stack, load) = busy(true, 3);
        log(&closed_loop(&mut stack, 128, 3 * SECOND, load))
    };
    same("two runs", &run(), &run());
}

#[test]
fn a33_a_replayed_trace_has_the_same_latencies() {
    for volumes in [1, 2] {
        let (mut stack, mut load) = busy(true, volumes);
        let mut requests = Vec::new();
        let done = closed_loop(&mut stack, 64, 3 * SECOND, |n| {
            let request = load(n);
            requests.push(request);
            request
        });
        let mut trace: Vec<(u64, u64)> = done.iter().map(|c| (c.user, c.submitted.ns())).collect();
        trace.sort_unstable();
        let (mut again, _) = busy(true, volumes);
        let replay = open_loop(&mut again, trace.iter().map(|&(user, at)| (at, requests[user as usize])));
        same(&format!("{volumes} volumes"), &log(&done), &log(&replay));
    }
}

#[test]
fn a34_an_event_per_stage_gives_the_same_instants() {
    // One volume on one disk: every gate may answer at arrival, and must answer the same.
    let run = |shortcuts| {
        let (mut stack, mut load) = busy(shortcuts, 1);
        let mut random = Random(2);
        let mut at = 0;
        let arrivals: Vec<(u64, Request)> = (0..40_000)
            .map(|n| {
                at += random.below(250_000);
                (at, load(n))
            })
            .collect();
        log(&open_loop(&mut stack, arrivals))
    };
    same("shortcuts", &run(true), &run(false));
}

/// A grant at one limit: when at the earliest, when at the latest, and how many tokens.
type Grants = Vec<(u64, u64, u64)>;

/// In every window from the earliest of a grant on: tokens that are surely granted in it, before the last ≤ depth + rate × time.
fn windows_hold(name: &str, mut grants: Grants, rate: RateSpec) {
    grants.sort_unstable_by_key(|&(earliest, latest, tokens)| (latest, earliest, tokens));
    let allowed = |rate: u64, depth: u64, window: u64| {
        u128::from(depth.max(1)) + 1 + (u128::from(window) + 1) * u128::from(rate) / u128::from(SECOND)
    };
    for &(begin, _, of_first) in &grants {
        let mut sum = 0u64;
        for &(_, at, tokens) in grants.iter().filter(|grant| grant.0 >= begin) {
            let window = at - begin;
            let base = match rate.burst {
                None => allowed(rate.rate, rate.depth, window),
                Some(burst) => allowed(rate.rate, burst.credits, window).min(allowed(burst.rate, rate.depth, window)),
            };
            // The request under way is not yet paid for; the one before it is allowed one token of its own size.
            let unpaid = u128::from(of_first);
            assert!(u128::from(sum) <= base + unpaid, "{name}: {sum} tokens in {window} ns");
            sum += tokens;
        }
    }
}

fn rates() -> impl Strategy<Value = Option<RateSpec>> {
    let burst = proptest::option::of((2u64..6, 1u64..2_000));
    proptest::option::of((50u64..20_000, 0u64..4, burst)).prop_map(|rate| {
        rate.map(|(rate, depth, burst)| RateSpec {
            rate,
            depth,
            burst: burst.map(|(times, credits)| BurstSpec { rate: rate * times, credits }),
        })
    })
}

fn limits() -> impl Strategy<Value = LimitSpec> {
    (rates(), rates()).prop_map(|(iops, throughput)| LimitSpec {
        iops,
        // The same shapes, in bytes.
        throughput: throughput.map(|r| RateSpec {
            rate: r.rate * 8_192,
            depth: r.depth * 8_192,
            burst: r.burst.map(|b| BurstSpec { rate: b.rate * 8_192, credits: b.credits * 8_192 }),
        }),
    })
}

fn modes() -> impl Strategy<Value = CacheMode> {
    prop_oneof![Just(CacheMode::None), Just(CacheMode::ReadOnly), Just(CacheMode::ReadWrite)]
}

fn random_stack() -> impl Strategy<Value = StackSpec> {
    let disk = (limits(), 1_000u32..3_000_000, proptest::bool::ANY);
    let volumes = (proptest::collection::vec(disk, 1..4), modes());
    (limits(), limits(), proptest::collection::vec(volumes, 1..4), 2u64..400, 0u64..50, any::<u64>()).prop_map(
        |(uncached, cached, volumes, blocks, ram, seed)| {
            let host_cache = HostCacheSpec {
                write_back: WriteBackSpec {
                    dirty_max: Bytes::kib(4 * blocks),
                    destage_depth: 1 + (seed % 9) as u32,
                    destage_after: Duration::from_ms(seed % 30),
                },
                ..cache(blocks, ram.min(blocks))
            };
            let vm = VmSpec { host_cache: Some(host_cache), ..VmSpec::with(cached, uncached) };
            let volumes = volumes
                .into_iter()
                .map(|(disks, mode)| {
                    let disks = disks
                        .into_iter()
                        .map(|(limits, latency, slow)| DiskSpec {
                            size: Bytes::mib(64),
                            io_unit: Some(Bytes::kib(64)),
                            read: ServiceTime {
                                bandwidth: slow.then(|| Throughput::mb_per_second(500)),
                                ..ServiceTime::constant(latency)
                            },
                            ..with_limits(limits, super::harness::disk(latency))
                        })
                        .collect();
                    volume(disks, mode)
                })
                .collect();
            StackSpec { seed, ..spec(vm, volumes) }
        },
    )
}

fn random_requests() -> impl Strategy<Value = Vec<(u64, Request)>> {
    let one = (0u64..3_000_000, 0u16..3, 0u8..16, 0u64..16_000, 1u32..40, proptest::bool::ANY);
    proptest::collection::vec(one, 1..300).prop_map(|list| {
        let mut at = 0;
        list.into_iter()
            .map(|(gap, volume, op, block, blocks, fua)| {
                at += gap / 3 * u64::from(op % 3);
                let op = match op {
                    0..=7 => Op::Read,
                    8..=12 => Op::Write,
                    13 => Op::Trim,
                    _ => Op::Flush,
                };
                let request =
                    Request { volume: VolumeId(volume), op, fua, offset: block * 4096, len: blocks * 4096, user: 0 };
                (at, request)
            })
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn every_request_comes_back_once_in_order_and_within_the_limits(
        spec in random_stack(),
        mut requests in random_requests(),
    ) {
        let volumes = spec.volumes.len() as u16;
        for (_, request) in &mut requests {
            request.volume.0 %= volumes;
        }
        let mut stack = Stack::new(spec.clone()).unwrap();
        let done = open_loop(&mut stack, requests.iter().copied());

        prop_assert_eq!(done.len(), requests.len());
        let mut users: Vec<u64> = done.iter().map(|c| c.user).collect();
        users.sort_unstable();
        prop_assert!(users.iter().enumerate().all(|(i, &user)| i as u64 == user));
        prop_assert!(done.windows(2).all(|pair| pair[0].finished <= pair[1].finished));
        for c in &done {
            let (at, request) = requests[c.user as usize];
            prop_assert_eq!((c.submitted.ns(), c.op, c.len), (at, request.op, request.len));
            prop_assert_eq!(c.spent.total(), c.latency());
        }
        while let Some(at) = stack.next_event() {
            prop_assert!(stack.poll_completion(at).is_none());
        }
        let tally = stack.tally(Instant::NEVER);
        prop_assert_eq!(tally.submitted, tally.completed);
        prop_assert_eq!(tally.dirty, Bytes::ZERO);
        prop_assert!(tally.resident <= spec.vm.host_cache.as_ref().unwrap().capacity);

        // The grants at each limit follow from where the time of each completion went. Volumes of one disk without
        // write-back only: a part of a split request and the stack's own writes do not come out. At a gate that several
        // disks share the whole wait is put down to one of its limits, so the other has granted at some time in it.
        if spec.volumes.iter().any(|v| v.host_cache == CacheMode::ReadWrite || v.disks.len() > 1) {
            return Ok(());
        }
        let mut grants: Vec<(String, RateSpec, Grants)> = Vec::new();
        let mut grant = |name: String, rate: Option<RateSpec>, (earliest, latest): (u64, u64), tokens: u64| {
            let Some(rate) = rate else { return };
            match grants.iter_mut().find(|g| g.0 == name) {
                Some(found) => found.2.push((earliest, latest, tokens)),
                None => grants.push((name, rate, vec![(earliest, latest, tokens)])),
            }
        };
        let at_once = |at: u64| (at, at);
        let cached_alone = spec.volumes.iter().filter(|v| v.host_cache != CacheMode::None).count() <= 1;
        let uncached_alone = spec.volumes.len() <= 1;
        for c in done.iter().filter(|c| c.op != Op::Flush) {
            let volume = &spec.volumes[usize::from(c.volume.0)];
            let disk = &volume.disks[0];
            let bytes = if c.op == Op::Trim { 0 } else { u64::from(c.len) };
            let mut at = c.submitted.ns();
            let mut pass = |limit: Stage| { at += c.spent.queued[limit as usize].ns(); at };
            if volume.host_cache != CacheMode::None {
                let arrives = c.submitted.ns();
                let first = pass(Stage::FrontIops);
                let after = pass(Stage::FrontThroughput);
                let admitted = if cached_alone { at_once(first) } else { (arrives, after) };
                grant("cached iops".into(), spec.vm.gate("front").iops, admitted, 1);
                if bytes > 0 {
                    grant("cached bytes".into(), spec.vm.gate("front").throughput, at_once(after), bytes);
                }
            }
            if matches!(c.cache, CacheOutcome::HitRam | CacheOutcome::HitSsd) {
                continue;
            }
            let ios = bytes.div_ceil(65_536).max(1);
            let name = c.volume.0;
            grant(format!("disk {name} iops"), disk.limits.iops, at_once(pass(Stage::DiskIops)), ios);
            let after = pass(Stage::DiskThroughput);
            if bytes > 0 {
                grant(format!("disk {name} bytes"), disk.limits.throughput, at_once(after), bytes);
            }
            let arrives = after;
            let first = pass(Stage::BehindIops);
            let after = pass(Stage::BehindThroughput);
            let admitted = if uncached_alone { at_once(first) } else { (arrives, after) };
            grant("uncached iops".into(), spec.vm.gate("behind").iops, admitted, 1);
            if bytes > 0 {
                grant("uncached bytes".into(), spec.vm.gate("behind").throughput, at_once(after), bytes);
            }
        }
        for (name, rate, grants) in grants {
            windows_hold(&name, grants, rate);
        }
    }
}
