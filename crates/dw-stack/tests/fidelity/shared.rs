//! Several disks of one VM: limits that add up, limits that are shared, and nobody held up by somebody else's wait.

use dw_stack::sharing::{Sharing, TwoGates};
use dw_stack::*;
use dw_units::{Bytes, Direction, Duration};

use super::harness::*;

fn p30() -> DiskSpec {
    DiskSpec { io_unit: Some(Bytes::kib(256)), ..with_limits(both(5_000, 200_000_000), disk(1_000_000)) }
}

/// Runs a closed loop of `depth[i]` on volume i; I/Os per second of each volume.
fn rates(spec: StackSpec, depth: &[u64], size: u32, seconds: u64) -> Vec<f64> {
    let volumes = depth.len();
    let mut stack = Stack::new(spec).unwrap();
    let owner: Vec<u16> = depth.iter().enumerate().flat_map(|(v, &n)| (0..n).map(move |_| v as u16)).collect();
    let mut random = Random(1);
    let mut counts = vec![0u64; volumes];
    let request = |random: &mut Random, user: u64, volume: u16| Request {
        volume: VolumeId(volume),
        user,
        ..read(random.below(1 << 20) * u64::from(size), size)
    };
    for (user, &volume) in owner.iter().enumerate() {
        stack.submit(dw_units::Instant::START, request(&mut random, user as u64, volume));
    }
    while let Some(completion) = stack.poll_completion(dw_units::Instant::from_ns(seconds * SECOND)) {
        if completion.finished.ns() >= SECOND {
            counts[usize::from(completion.volume.0)] += 1;
        }
        stack.submit(completion.finished, request(&mut random, completion.user, completion.volume.0));
    }
    counts.into_iter().map(|n| n as f64 / (seconds - 1) as f64).collect()
}

#[test]
fn a15_the_narrower_of_disks_and_vm_binds() {
    // Where the disks bind, chance leaves one idle now and then.
    for (disks, vm, expected, tolerance) in
        [(4, 12_800, 12_800.0, 1e-4), (2, 12_800, 10_000.0, 2e-3), (2, 51_200, 10_000.0, 2e-3)]
    {
        let vm = VmSpec::with(LimitSpec::default(), iops(vm));
        let spec = spec(vm, vec![volume((0..disks).map(|_| p30()).collect(), CacheMode::None)]);
        let found = rates(spec, &[512], 8_192, 11)[0];
        close(&format!("{disks} x P30"), found, expected, tolerance).unwrap();
    }
}

#[test]
fn gates_that_are_seen_to_late_give_the_same_instants() {
    // Three disks behind one gate, now held up by it, now idle; flushes draw from the service times of writes.
    let run = |at_once: bool, outstanding: u64| {
        let service = QuantileTable::from_quantiles(|tail| 800_000 + (TAIL_ONE - tail) / (TAIL_ONE / 500_000));
        let slow = ServiceTime { table: std::sync::Arc::new(service), bandwidth: None };
        let disk = DiskSpec { read: slow.clone(), write: slow, ..p30() };
        let volumes = (0..3).map(|_| volume(vec![disk.clone()], CacheMode::None)).collect();
        let mut stack =
            Stack::new(spec(VmSpec::with(LimitSpec::default(), both(9_000, 200_000_000)), volumes)).unwrap();
        let mut random = Random(3);
        let mut request = |user| {
            let (op, len) = match random.below(20) {
                0 => (Op::Flush, 0),
                kind => (if kind < 8 { Op::Read } else { Op::Write }, if kind % 2 == 0 { 4_096 } else { 65_536 }),
            };
            Request { volume: VolumeId(random.below(3) as u16), user, op, ..read(random.below(1 << 20) * 4_096, len) }
        };
        for user in 0..outstanding {
            stack.submit(dw_units::Instant::START, request(user));
        }
        let (end, mut log) = (dw_units::Instant::from_ns(2 * SECOND), Vec::new());
        loop {
            let done = match at_once {
                true => stack.poll_completion(end),
                false => stack.next_done(end).map(|done| *stack.completion(done)),
            };
            let Some(done) = done else { break };
            log.push((done.user, done.finished, done.spent));
            stack.submit(done.finished, request(done.user));
        }
        stack.catch_up(end);
        (log, format!("{:?}", stack.tally(end)))
    };
    for outstanding in [1, 6, 24, 200] {
        let (at_once, late) = (run(true, outstanding), run(false, outstanding));
        assert!(at_once.0.len() as u64 > 700 * outstanding.min(12), "{outstanding}: {}", at_once.0.len());
        assert!(at_once.0 == late.0, "{outstanding} outstanding: the instants differ");
        assert_eq!(at_once.1, late.1, "{outstanding} outstanding");
    }
}

#[test]
fn a16_three_equal_disks_share_a_vm_limit_equally() {
    let vm = || VmSpec::with(LimitSpec::default(), iops(12_800));
    for depth in [[64, 64, 64], [256, 16, 64]] {
        let volumes = (0..3).map(|_| volume(vec![p30()], CacheMode::None)).collect();
        for found in rates(spec(vm(), volumes), &depth, 8_192, 11) {
            close(&format!("depths {depth:?}"), found, 12_800.0 / 3.0, 1e-3).unwrap();
        }
    }
}

#[test]
fn a21_cached_and_uncached_limits_add_up() {
    let vm = VmSpec { host_cache: Some(cache(1 << 22, 0)), ..VmSpec::with(iops(16_000), iops(12_800)) };
    let mut stack = Stack::new(spec(
        vm,
        vec![
            volume(vec![disk(1_000_000); 4], CacheMode::None),
            VolumeSpec { name: "cached".into(), ..volume(vec![disk(1_000_000)], CacheMode::ReadOnly) },
        ],
    ))
    .unwrap();
    stack.warm(VolumeId(1), 0, 1 << 30);
    let mut counts = [0u64; 2];
    for user in 0..256u64 {
        let volume = VolumeId((user % 2) as u16);
        stack.submit(dw_units::Instant::START, Request { volume, user, ..read(user * 4096, 4096) });
    }
    while let Some(c) = stack.poll_completion(dw_units::Instant::from_ns(21 * SECOND)) {
        counts[usize::from(c.volume.0)] += u64::from(c.finished.ns() >= SECOND);
        stack.submit(c.finished, Request { volume: c.volume, user: c.user, ..read(c.user * 4096, 4096) });
    }
    close("both", (counts[0] + counts[1]) as f64 / 20.0, 28_800.0, 1e-4).unwrap();
}

#[test]
fn a_disk_that_waits_holds_up_no_other() {
    // A thousand requests wait for 100 IOPS on the first disk; the second runs at its own latency.
    let vm = VmSpec::with(LimitSpec::default(), iops(3_200));
    let slow = volume(vec![with_limits(iops(100), disk(1_000_000))], CacheMode::None);
    let fast = volume(vec![with_limits(iops(5_000), disk(1_000_000))], CacheMode::None);
    let found = rates(spec(vm, vec![slow, fast]), &[1_000, 2], 4_096, 11);
    close("the slow disk", found[0], 100.0, 2e-2).unwrap();
    close("the fast disk", found[1], 2_000.0, 2e-2).unwrap();
}

#[test]
fn a_local_disk_shares_the_gate_in_front_of_the_cache() {
    let vm = VmSpec { host_cache: Some(cache(1 << 20, 0)), ..VmSpec::with(iops(4_000), LimitSpec::default()) };
    let temp = VolumeSpec {
        path: Path { front: Some(GateId(0)), ..Path::local() },
        ..volume(vec![disk(200_000)], CacheMode::None)
    };
    let cached = volume(vec![disk(200_000)], CacheMode::ReadOnly);
    let found = rates(spec(vm, vec![temp, cached]), &[64, 64], 4_096, 11);
    close("together", found[0] + found[1], 4_000.0, 1e-3).unwrap();
    close("the temp disk", found[0], 2_000.0, 1e-2).unwrap();
}

#[test]
fn what_counts_against_which_limit() {
    // The table of the published rules: (mode, op, warm) and what is charged: cached, uncached, disk.
    let cases = [
        ("ReadOnly, read hit", CacheMode::ReadOnly, Op::Read, true, [1, 0, 0]),
        ("ReadWrite, read hit", CacheMode::ReadWrite, Op::Read, true, [1, 0, 0]),
        ("ReadOnly, read miss", CacheMode::ReadOnly, Op::Read, false, [1, 1, 1]),
        ("ReadWrite, read miss", CacheMode::ReadWrite, Op::Read, false, [1, 1, 1]),
        ("ReadOnly, write", CacheMode::ReadOnly, Op::Write, true, [1, 1, 1]),
        ("ReadWrite, write", CacheMode::ReadWrite, Op::Write, true, [1, 0, 0]),
        ("None, read", CacheMode::None, Op::Read, false, [0, 1, 1]),
        ("None, write", CacheMode::None, Op::Write, false, [0, 1, 1]),
    ];
    for (name, mode, op, warm, expected) in cases {
        let host_cache = HostCacheSpec {
            write_back: WriteBackSpec {
                dirty_max: Bytes::mib(1),
                destage_depth: 1,
                destage_after: dw_units::Duration::from_secs(5),
            },
            ..cache(1_000, 0)
        };
        let vm = VmSpec { host_cache: Some(host_cache), ..VmSpec::with(iops(1_000_000), iops(1_000_000)) };
        let disk = with_limits(iops(1_000_000), disk(1_000_000));
        let mut stack = Stack::new(spec(vm, vec![volume(vec![disk], mode)])).unwrap();
        if warm {
            stack.warm(VolumeId(0), 0, 4096);
        }
        stack.submit(dw_units::Instant::START, Request { op, ..read(0, 4096) });
        let done = stack.poll_completion(dw_units::Instant::from_ns(SECOND)).unwrap();
        let granted = |stack: &Stack, now| {
            let tally = stack.tally(now);
            [Stage::FrontIops, Stage::BehindIops, Stage::DiskIops]
                .map(|limit| tally.limits.iter().filter(|row| row.stage == limit).map(|row| row.granted).sum::<u64>())
        };
        assert_eq!(granted(&stack, done.finished), expected, "{name}");
        if mode == CacheMode::ReadWrite && op == Op::Write {
            // The rest is charged when the dirty data go home, five seconds later.
            assert!(stack.poll_completion(dw_units::Instant::from_ns(6 * SECOND)).is_none());
            assert_eq!(granted(&stack, dw_units::Instant::from_ns(6 * SECOND)), [1, 1, 1], "{name}, later");
        }
    }
}

#[test]
fn a_local_disk_may_have_limits_of_its_own() {
    let temp = VolumeSpec {
        path: Path { front: Some(GateId(0)), ..Path::local() },
        ..volume(vec![with_limits(iops(1_000), disk(200_000))], CacheMode::None)
    };
    let found = rates(spec(VmSpec::default(), vec![temp]), &[64], 4_096, 11)[0];
    close("the temp disk", found, 1_000.0, 1e-3).unwrap();
}

#[test]
fn a_trim_moves_no_bytes() {
    let vm =
        VmSpec { host_cache: Some(cache(100, 0)), ..VmSpec::with(both(10_000, 128_000_000), LimitSpec::default()) };
    let disk = DiskSpec { io_unit: Some(Bytes::kib(256)), ..with_limits(both(5_000, 200_000_000), disk(1_000_000)) };
    let mut stack = Stack::new(spec(vm, vec![volume(vec![disk], CacheMode::ReadOnly)])).unwrap();
    stack.submit(dw_units::Instant::START, Request { op: Op::Trim, ..read(0, 1 << 30) });
    stack.submit(dw_units::Instant::START, Request { user: 1, ..read(1 << 32, 4_096) });
    let done: Vec<Completion> = std::iter::from_fn(|| stack.poll_completion(dw_units::Instant::NEVER)).collect();
    assert!(done.iter().all(|c| c.latency() < dw_units::Duration::from_ms(2)), "{done:?}");
}

#[test]
fn a_new_count_begins_with_the_wait_that_goes_on() {
    let mut stack = Stack::new(one_disk(with_limits(iops(1_000), disk(1_000)))).unwrap();
    for user in 0..5_000 {
        stack.submit(dw_units::Instant::START, Request { user, ..read(0, 4_096) });
    }
    let at = |seconds: u64| dw_units::Instant::from_ns(seconds * SECOND);
    while stack.poll_completion(at(1)).is_some() {}
    stack.reset_tally(at(1));
    assert_eq!(stack.tally(at(4)).limits[0].binding, dw_units::Duration::from_secs(3));
}

#[test]
fn a_shared_limit_that_keeps_requests_waiting_is_the_one_that_is_named() {
    for (limit, name) in
        [(both(1_000_000, 100_000_000), Stage::BehindThroughput), (both(1_000, 100_000_000_000), Stage::BehindIops)]
    {
        let vm = VmSpec::with(LimitSpec::default(), limit);
        let volumes = (0..4).map(|_| volume(vec![disk(100_000)], CacheMode::None)).collect();
        let mut stack = Stack::new(spec(vm, volumes)).unwrap();
        let done = closed_loop(&mut stack, 256, SECOND, |n| Request {
            volume: VolumeId((n % 4) as u16),
            ..read(n % 1_000 * 65_536, 65_536)
        });
        let waited = |limit: Stage| done.iter().map(|c| c.spent.queued[limit as usize].ns()).sum::<u64>();
        let all: u64 = Stage::ALL.iter().map(|&limit| waited(limit)).sum();
        assert!(waited(name) > all / 100 * 99, "{name:?}: {} of {all}", waited(name));
        let tally = stack.tally(dw_units::Instant::from_ns(SECOND));
        let binding = tally.limits.iter().max_by_key(|row| row.binding).unwrap();
        assert_eq!(binding.stage, name);
    }
}

#[test]
fn disks_of_a_bursting_vm_share_the_limit_that_is_short() {
    // A D8s_v5 with full credits, and four P40 each for requests of 4 KiB and of 64 KiB.
    let burst = |rate: u64, top: u64| {
        Some(RateSpec { burst: Some(BurstSpec { rate: top, credits: (top - rate) * 1_800 }), ..RateSpec::plain(rate) })
    };
    let uncached = LimitSpec { iops: burst(12_800, 20_000), throughput: burst(290_000_000, 1_200_000_000) };
    let p40 = || with_limits(both(7_500, 250_000_000), disk(1_000_000));
    let volumes = (0..2).map(|_| volume(vec![p40(), p40(), p40(), p40()], CacheMode::None)).collect();
    let mut stack = Stack::new(spec(VmSpec::with(LimitSpec::default(), uncached), volumes)).unwrap();
    let mut random = Random(1);
    let mut next = |n: u64| {
        let (volume, size) = if n.is_multiple_of(2) { (VolumeId(0), 4_096) } else { (VolumeId(1), 65_536) };
        Request { volume, user: n, ..read(random.below(1 << 20) * u64::from(size), size) }
    };
    for n in 0..1_024 {
        stack.submit(dw_units::Instant::START, next(n));
    }
    let mut counts = [0u64; 2];
    while let Some(done) = stack.poll_completion(dw_units::Instant::from_ns(11 * SECOND)) {
        counts[usize::from(done.volume.0)] += u64::from(done.finished.ns() >= SECOND);
        stack.submit(done.finished, next(u64::from(done.volume.0)));
    }
    for (volume, count) in counts.into_iter().enumerate() {
        close(&format!("volume {volume}"), count as f64 / 10.0, 10_000.0, 5e-3).unwrap();
    }
    let tally = stack.tally(dw_units::Instant::from_ns(11 * SECOND));
    let binding =
        tally.limits.iter().filter(|row| matches!(row.id.gate, Gate::Vm(_))).max_by_key(|row| row.waited).unwrap();
    assert_eq!(binding.stage, Stage::BehindIops);
}

#[test]
fn two_uncached_limits_are_one_budget_unless_they_are_said_to_add_up() {
    use Sharing::{Separate, Shared};
    struct Case {
        name: &'static str,
        first: LimitSpec,
        second: LimitSpec,
        sharing: Sharing,
        /// Outstanding on the plain disk and on the premium SSD v2, and what each gets.
        depth: [u64; 2],
        expected: [f64; 2],
    }
    let cases = [
        Case {
            name: "equal",
            first: iops(10_000),
            second: iops(10_000),
            sharing: Shared,
            depth: [64, 64],
            expected: [5_000.0, 5_000.0],
        },
        Case {
            name: "equal, added up",
            first: iops(10_000),
            second: iops(10_000),
            sharing: Separate,
            depth: [64, 64],
            expected: [10_000.0, 10_000.0],
        },
        Case {
            name: "the second is wider",
            first: iops(4_000),
            second: iops(12_000),
            sharing: Shared,
            depth: [64, 64],
            expected: [4_000.0, 8_000.0],
        },
        Case {
            name: "the second is a little wider",
            first: iops(10_000),
            second: iops(12_000),
            sharing: Shared,
            depth: [64, 64],
            expected: [6_000.0, 6_000.0],
        },
        Case {
            name: "the second is wider, added up",
            first: iops(4_000),
            second: iops(12_000),
            sharing: Separate,
            depth: [64, 64],
            expected: [4_000.0, 12_000.0],
        },
        Case {
            name: "the first is wider",
            first: iops(12_000),
            second: iops(4_000),
            sharing: Shared,
            depth: [64, 64],
            expected: [8_000.0, 4_000.0],
        },
        Case {
            name: "alone, plain disks get their own",
            first: iops(4_000),
            second: iops(12_000),
            sharing: Shared,
            depth: [64, 0],
            expected: [4_000.0, 0.0],
        },
        Case {
            name: "alone, v2 gets its own",
            first: iops(4_000),
            second: iops(12_000),
            sharing: Shared,
            depth: [0, 64],
            expected: [0.0, 12_000.0],
        },
        // More I/Os in the second, more bytes in the first: 4 KiB requests meet the one, each dimension by itself.
        Case {
            name: "crossed",
            first: both(4_000, 400_000_000),
            second: both(12_000, 20_480_000),
            sharing: Shared,
            depth: [64, 64],
            expected: [4_000.0, 5_000.0],
        },
        Case {
            name: "no second limit on I/Os",
            first: iops(4_000),
            second: LimitSpec::default(),
            sharing: Shared,
            depth: [64, 0],
            expected: [4_000.0, 0.0],
        },
    ];
    for case in cases {
        let mut vm = VmSpec { gates: Vec::new(), ..VmSpec::default() };
        let names = ["first", "second", "all"];
        let gates = TwoGates { names, first: case.first, second: case.second, sharing: case.sharing };
        let [plain, v2] = gates.add_to(&mut vm).map(|remote| {
            let path = Path { front: None, remote, local: false };
            VolumeSpec { path, ..volume(vec![disk(100_000)], CacheMode::None) }
        });
        let found = rates(spec(vm, vec![plain, v2]), &case.depth, 4_096, 6);
        for (place, (found, expected)) in found.iter().zip(case.expected).enumerate() {
            assert!(
                (found - expected).abs() <= expected * 5e-3,
                "{}: volume {place} {found}, expected {expected}",
                case.name
            );
        }
    }
}

#[test]
fn local_nvme_has_limits_of_its_own_and_passes_none_of_the_vm() {
    // Reads 10,000, writes 4,000 a second; both together at most the higher. The VM's limits are far below.
    let local = DiskSpec {
        by_direction: DirectionLimits { reads: None, writes: Some(iops(4_000)) },
        ..with_limits(iops(10_000), disk(100_000))
    };
    let vm = || VmSpec::with(iops(100), iops(100));
    // Requests in flight that read and write, and what both come to.
    for (depth, expected) in [([64, 0], [10_000.0, 0.0]), ([0, 64], [0.0, 4_000.0]), ([64, 64], [6_000.0, 4_000.0])] {
        let volume = VolumeSpec { path: Path::local(), ..volume(vec![local.clone()], CacheMode::None) };
        let mut stack = Stack::new(spec(vm(), vec![volume])).unwrap();
        let request = |user: u64, op: Op| Request { op, user, ..read(user * 4_096, 4_096) };
        let mut counts = [0u64; 2];
        for user in 0..depth[0] + depth[1] {
            stack.submit(dw_units::Instant::START, request(user, if user < depth[0] { Op::Read } else { Op::Write }));
        }
        while let Some(done) = stack.poll_completion(dw_units::Instant::from_ns(6 * SECOND)) {
            counts[usize::from(done.op == Op::Write)] += u64::from(done.finished.ns() >= SECOND);
            stack.submit(done.finished, request(done.user, done.op));
        }
        let found = counts.map(|count| count as f64 / 5.0);
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - expected).abs() <= expected * 5e-3, "{depth:?}: {counts:?}, expected {expected}");
        }
        let tally = stack.tally(dw_units::Instant::from_ns(6 * SECOND));
        assert!(tally.limits.iter().filter(|row| matches!(row.id.gate, Gate::Vm(_))).all(|row| row.granted == 0));
        let writes = tally
            .limits
            .iter()
            .find(|row| matches!(row.id.gate, Gate::Disk { only: Some(Direction::Writes), .. }))
            .unwrap();
        assert_eq!(writes.rate, 4_000);
    }
}

#[test]
fn paths_name_gates_that_are_there_each_once_and_on_one_side() {
    let path = |front: Option<u8>, remote: &[u8]| Path {
        front: front.map(GateId),
        remote: remote.iter().copied().map(GateId).collect(),
        local: false,
    };
    for (gates, paths, expected) in [
        (2, vec![path(Some(0), &[1])], None),
        (2, vec![path(Some(0), &[2])], Some("passes gate 2, but the VM has 2")),
        (2, vec![path(None, &[1, 1])], Some("passes one gate twice")),
        (2, vec![path(Some(0), &[]), path(None, &[0])], Some("is before the cache for some volumes")),
        (10, vec![path(None, &[1, 2, 3, 4, 5, 6, 7, 8, 9])], Some("passes 9 gates behind its disks")),
        (256, vec![path(None, &[1])], Some("there are 256 gates")),
    ] {
        let gate = |n: usize| GateSpec { name: format!("gate {n}"), ..GateSpec::default() };
        let vm = VmSpec { gates: (0..gates).map(gate).collect(), ..VmSpec::default() };
        let volume = |path: Path| VolumeSpec { path, ..volume(vec![disk(100_000)], CacheMode::None) };
        let found = Stack::new(spec(vm, paths.into_iter().map(volume).collect())).err();
        match expected {
            Some(what) => assert!(found.as_ref().is_some_and(|fault| fault.what.contains(what)), "{what}: {found:?}"),
            None => assert!(found.is_none(), "{found:?}"),
        }
    }
}

/// One row a rig: each limit in turn is what requests wait at, and the others are asked ahead of time for when they come out of it.
#[test]
fn a_watched_limit_counts_what_it_has_let_through_and_not_what_waits() {
    const WIDE: u64 = 1_000_000;
    let rig = |disk_limits, cached, uncached, disks, mode| {
        let write_back = WriteBackSpec { dirty_max: Bytes::mib(1), destage_depth: 16, destage_after: Duration::ZERO };
        let vm = VmSpec {
            host_cache: Some(HostCacheSpec { write_back, ..cache(1_000, 0) }),
            ..VmSpec::with(cached, uncached)
        };
        spec(vm, vec![volume(vec![with_limits(disk_limits, disk(9_000_000)); disks], mode)])
    };
    let (wide, narrow) = (both(WIDE, WIDE * 4_096), both(100, WIDE * 4_096));
    let burst = LimitSpec {
        iops: Some(RateSpec { rate: 100, depth: 0, burst: Some(BurstSpec { rate: 1_000, credits: 20 }) }),
        ..wide
    };
    let plain = || rig(narrow, wide, wide, 1, CacheMode::None);
    let mut coarse = plain();
    coarse.vm.throttle_interval = Duration::from_ms(50);
    let mut two_gates = rig(wide, wide, narrow, 1, CacheMode::None);
    two_gates.vm.gates.push(GateSpec { name: "second".into(), limits: both(80, 300_000), more: Vec::new() });
    two_gates.volumes[0].path.remote.push(GateId(2));
    let mut local = plain();
    local.volumes[0].path = Path::local();
    let mut directions = rig(wide, wide, wide, 1, CacheMode::None);
    directions.volumes[0].path = Path::local();
    directions.volumes[0].disks[0].by_direction = DirectionLimits { reads: Some(narrow), writes: None };
    // Whether the requests' own account says when they left each limit.
    let cases = [
        ("disk IOPS", plain(), Op::Read, true),
        ("disk throughput", rig(both(WIDE, 409_600), wide, wide, 1, CacheMode::None), Op::Read, true),
        ("a disk that bursts", rig(burst, wide, wide, 1, CacheMode::None), Op::Read, true),
        ("a coarse limit", coarse, Op::Read, true),
        ("a stripe", rig(narrow, wide, wide, 3, CacheMode::None), Op::Read, true),
        ("VM uncached, one disk", rig(wide, wide, narrow, 1, CacheMode::None), Op::Read, true),
        ("VM uncached, a stripe", rig(wide, wide, both(100, 300_000), 2, CacheMode::None), Op::Read, true),
        ("VM cached", rig(wide, narrow, wide, 1, CacheMode::ReadOnly), Op::Read, true),
        ("VM cached, and the disk", rig(both(80, 200_000), narrow, wide, 1, CacheMode::ReadOnly), Op::Read, true),
        ("VM cached, write-through", rig(both(80, 200_000), narrow, wide, 1, CacheMode::ReadOnly), Op::Write, true),
        ("a local disk", local, Op::Read, true),
        ("two gates", two_gates, Op::Read, false),
        ("a limit on reads", directions, Op::Read, false),
        ("write-back", rig(narrow, wide, wide, 1, CacheMode::ReadWrite), Op::Write, false),
    ];
    for (name, spec, op, tells) in cases {
        let (mut stack, mut twin) = (Stack::new(spec.clone()).unwrap(), Stack::new(spec).unwrap());
        stack.watch_limits();
        let ms = |ms| dw_units::Instant::from_ns(ms * SECOND / 1_000);
        let (mut looks, mut done, mut done_by_twin) = (Vec::new(), Vec::new(), Vec::new());
        for at in (0..3_000).step_by(7) {
            done.extend(core::iter::from_fn(|| stack.poll_completion(ms(at))));
            done_by_twin.extend(core::iter::from_fn(|| twin.poll_completion(ms(at))));
            for user in (0..40).filter(|_| at % 700 == 0) {
                let request = Request { op, user, ..read((at * 40 + user) * 65_536, 4_096) };
                stack.submit(ms(at), request);
                twin.submit(ms(at), request);
            }
            looks.push((ms(at), stack.tally(ms(at)), twin.tally(ms(at))));
        }
        done.extend(core::iter::from_fn(|| stack.poll_completion(ms(99_999))));
        done_by_twin.extend(core::iter::from_fn(|| twin.poll_completion(ms(99_999))));
        let figures = |done: &Completion| (done.user, done.submitted, done.finished, done.spent);
        assert!(done.iter().map(figures).eq(done_by_twin.iter().map(figures)), "{name}: to watch changes nothing");
        assert_eq!(done.len(), 200, "{name}");
        let left = |done: &Completion, stage| {
            let until = Stage::ALL.iter().position(|&other| other == stage).unwrap();
            done.submitted + done.spent.queued[..=until].iter().fold(Duration::ZERO, |sum, &waited| sum + waited)
        };
        let mut ahead = 0;
        for (at, tally, twins) in looks {
            for (row, twins) in tally.limits.iter().zip(&twins.limits) {
                let unit = if row.id.quantity == Quantity::Iops { 1 } else { 4_096 };
                ahead += (twins.granted - row.granted) / unit;
                // One is under way; an interval's are there at its start.
                let most = row.rate * at.ns() / SECOND + row.credits_max.unwrap_or(0) + row.rate / 20 + unit;
                assert!(row.granted <= most, "{name}: {:?} at {at:?}: {} of {most}", row.id, row.granted);
            }
            for stage in Stage::ALL.into_iter().filter(|&stage| tells && stage != Stage::CacheDirty) {
                let rows: Vec<&LimitTally> = tally.limits.iter().filter(|row| row.stage == stage).collect();
                let met = match stage {
                    Stage::FrontIops | Stage::FrontThroughput => name.starts_with("VM cached"),
                    Stage::BehindIops | Stage::BehindThroughput => name != "a local disk",
                    _ => true,
                };
                let gone = done.iter().filter(|done| met && done.submitted <= at && left(done, stage) <= at).count();
                let Some(first) = rows.first() else { continue };
                let unit = if first.id.quantity == Quantity::Iops { 1 } else { 4_096 };
                let granted = rows.iter().map(|row| row.granted).sum::<u64>();
                assert_eq!(granted, gone as u64 * unit, "{name}: {stage:?} at {at:?}");
            }
        }
        assert!(ahead > 300, "{name}: {ahead} were granted ahead");
    }
}

#[test]
fn a_limit_that_comes_while_requests_wait_has_let_none_of_them_through() {
    let mut stack = Stack::new(one_disk(with_limits(iops(10), disk(1_000)))).unwrap();
    stack.watch_limits();
    for user in 0..40 {
        stack.submit(dw_units::Instant::START, Request { user, ..read(0, 4_096) });
    }
    let at = |tenths: u64| dw_units::Instant::from_ns(tenths * SECOND / 10 + 1_000);
    let mut granted = |at, limits| {
        while stack.poll_completion(at).is_some() {}
        stack.set_disk(at, VolumeId(0), 0, &with_limits(limits, disk(1_000))).unwrap();
        stack.tally(at).limits.iter().map(|row| (row.id.quantity, row.granted)).collect::<Vec<_>>()
    };
    let (ios, bytes) = (|n| (Quantity::Iops, n), |n| (Quantity::Throughput, n));
    assert_eq!(granted(at(1), both(10, 1 << 20)), [ios(2), bytes(0)]);
    assert_eq!(granted(at(2), LimitSpec { iops: None, ..both(1, 1 << 20) }), [bytes(0)]);
    assert_eq!(granted(at(3), both(10, 1 << 20)), [ios(0), bytes(0)]);
    assert_eq!(granted(at(99), both(10, 1 << 20)), [ios(0), bytes(0)]);
}

#[test]
fn counting_again_forgets_what_was_let_through_and_not_what_waits() {
    let mut stack = Stack::new(one_disk(with_limits(iops(10), disk(1_000)))).unwrap();
    stack.watch_limits();
    let second = |n: u64| dw_units::Instant::from_ns(n * SECOND + SECOND / 20);
    for user in 0..40 {
        stack.submit(dw_units::Instant::START, Request { user, ..read(0, 4_096) });
    }
    let mut granted = |at| {
        while stack.poll_completion(at).is_some() {}
        let granted = stack.tally(at).limits.iter().map(|row| row.granted).sum::<u64>();
        stack.reset_tally(at);
        granted
    };
    assert_eq!([1, 2, 3, 4, 5].map(second).map(&mut granted), [11, 10, 10, 9, 0]);
}
