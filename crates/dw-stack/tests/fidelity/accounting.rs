//! Limits with an accounting: each rule against a slow twin, and what no limit may ever do.
//!
//! The twin splits a request part by part, keeps the requests of a run in a list, and lets all requests pass one limit before it looks at
//! the next, in the order in which they come to it. It works in whole numbers only.

use dw_stack::*;
use dw_units::{Bytes, Direction, Duration, Instant};
use proptest::prelude::*;

use super::harness::*;

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// What a part of a request, or a whole one, is charged: bit by bit.
fn cost_slowly(quantity: Quantity, accounting: &Accounting, bytes: u64) -> u64 {
    let (mut left, mut cost) = (bytes, 0);
    while left > 0 {
        let part = accounting.unit.map_or(left, |unit| left.min(unit.get()));
        cost += match quantity {
            Quantity::Iops => 1,
            Quantity::Throughput => part.max(accounting.floor.map_or(0, Bytes::get)),
        };
        left -= part;
    }
    // A trim moves nothing and is an I/O.
    if bytes == 0 && quantity == Quantity::Iops { 1 } else { cost }
}

/// A bucket: what was taken since it was last full, and since when.
struct Bucket {
    rate: u128,
    /// Nanoseconds by which a take may come before what was taken is paid for.
    early: u64,
    since: u64,
    taken: u128,
}

impl Bucket {
    /// Of tokens in so many parts.
    fn new(rate: u64, depth: u64, parts: u64) -> Bucket {
        let early = u128::from(depth.saturating_sub(1)) * u128::from(SECOND) / u128::from(rate);
        Bucket { rate: u128::from(rate * parts), early: early as u64, since: 0, taken: 0 }
    }

    fn full(&self) -> u64 {
        self.since + (self.taken * u128::from(SECOND)).div_ceil(self.rate) as u64
    }

    fn earliest(&self) -> u64 {
        self.full().saturating_sub(self.early)
    }

    fn take(&mut self, at: u64, tokens: u64) {
        if at > self.full() {
            (self.since, self.taken) = (at, 0);
        }
        self.taken += u128::from(tokens);
    }
}

struct SlowLimit {
    limit: Limit,
    base: Bucket,
    peak: Option<Bucket>,
    last_full: u64,
    /// When it was last topped up; nobody goes before it who comes behind.
    last_topped: u64,
    /// Where the last request ended, its direction, and the bytes of its run.
    run: (u64, bool, Vec<u64>),
    charged: u64,
}

impl SlowLimit {
    fn new(limit: Limit) -> SlowLimit {
        let parts = parts(&limit);
        let credits = limit.credits.filter(|credits| credits.peak > limit.rate);
        let mut base = Bucket::new(limit.rate, credits.map_or(limit.depth, |credits| credits.size), parts);
        if let Some(level) = credits.and_then(|credits| credits.level) {
            let held = u128::from(level) * u128::from(SECOND) / u128::from(limit.rate);
            base.since = base.early.saturating_sub(held as u64);
        }
        let peak = credits.map(|credits| Bucket::new(credits.peak, limit.depth, parts));
        SlowLimit { limit, base, peak, last_full: 0, last_topped: 0, run: (0, false, Vec::new()), charged: 0 }
    }

    /// Parts of tokens that a request costs; `None` = it does not come here.
    fn cost(&mut self, request: &Request) -> Option<u64> {
        let Accounting { read, write, merge, .. } = self.limit.accounting;
        let is_write = request.op != Op::Read;
        let weight = if is_write { write } else { read };
        if weight.times == 0 {
            return None;
        }
        let cost = |bytes| cost_slowly(self.limit.quantity, &self.limit.accounting, bytes);
        let weighed = |tokens| Some(tokens * parts(&self.limit) * u64::from(weight.times) / u64::from(weight.per));
        let (end, direction, run) = &mut self.run;
        if request.op == Op::Trim {
            run.clear();
            return weighed(cost(0));
        }
        let len = u64::from(request.len);
        let before: u64 = run.iter().sum();
        let fits = merge.is_some_and(|merge| before + len <= merge.get());
        if run.is_empty() || *end != request.offset || *direction != is_write || !fits {
            run.clear();
        }
        (*end, *direction) = (request.offset + len, is_write);
        let before: u64 = run.iter().sum();
        run.push(len);
        weighed(cost(before + len) - if before > 0 { cost(before) } else { 0 })
    }

    /// When a request goes that comes at `arrived`.
    fn pass(&mut self, arrived: u64, tokens: u64) -> u64 {
        self.charged += tokens;
        let top_up = self.limit.credits.and_then(|credits| credits.top_up).filter(|_| self.peak.is_some());
        let topped = top_up.map_or(u64::MAX, |after| self.last_full + after.ns());
        let peak = self.peak.as_ref().map_or(0, Bucket::earliest);
        let at = arrived.max(peak).max(self.base.earliest().min(topped)).max(self.last_topped);
        if topped <= at && topped < self.base.full() {
            (self.base.since, self.base.taken, self.last_topped) = (topped, 0, topped);
        }
        if at >= self.base.full() {
            self.last_full = at;
        }
        self.base.take(at, tokens);
        if let Some(peak) = &mut self.peak {
            peak.take(at, tokens);
        }
        at
    }
}

/// Parts of a token that make both weights whole.
fn parts(limit: &Limit) -> u64 {
    let Accounting { read, write, .. } = limit.accounting;
    let whole = |weight: Weight, parts: u64| (parts * u64::from(weight.times)).is_multiple_of(u64::from(weight.per));
    (1..).find(|&parts| whole(read, parts) && whole(write, parts)).unwrap()
}

fn op_of(direction: Direction) -> Op {
    if direction == Direction::Reads { Op::Read } else { Op::Write }
}

/// Whether requests of both directions come in one nanosecond.
fn has_tie(requests: &[(u64, Request)], at: &[u64]) -> bool {
    let mut by: Vec<(u64, bool)> =
        requests.iter().zip(at).map(|(request, &at)| (at, request.1.op == Op::Read)).collect();
    by.sort_unstable();
    by.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1)
}

/// All of one place pass its limits: those on all requests, those on reads, those on writes; I/Os before bytes.
fn pass_slowly(limits: &[Limit], requests: &[(u64, Request)], at: &mut [u64]) -> Vec<(Limit, u64)> {
    let place = |limit: &Limit| {
        let only = [None, Some(Op::Read), Some(Op::Write)].iter().position(|&only| only == limit.accounting.only());
        (only, limit.quantity)
    };
    let mut limits: Vec<Limit> = limits.to_vec();
    limits.sort_by_key(place);
    let mut order: Vec<usize> = (0..at.len()).collect();
    order.sort_by_key(|&n| at[n]);
    let mut granted = Vec::new();
    for limit in limits {
        let mut slow = SlowLimit::new(limit);
        for &n in &order {
            if let Some(tokens) = slow.cost(&requests[n].1) {
                at[n] = slow.pass(at[n], tokens);
            }
        }
        granted.push((limit, slow.charged / parts(&limit)));
    }
    granted
}

/// Draws of one case.
struct Draw(Random);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0.below(n)
    }
    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
    fn weight(&mut self) -> Weight {
        let (times, per) = [(1, 1), (1, 1), (2, 1), (116, 100), (8, 9), (3, 4)][self.below(6) as usize];
        Weight { times, per }
    }

    fn limit(&mut self, quantity: Quantity, only: Option<Op>, merges: bool) -> Limit {
        let unit = self.one_in(2).then(|| Bytes::kib([4, 16, 64, 256][self.below(4) as usize]));
        let floor = (quantity == Quantity::Throughput && self.one_in(2)).then(|| unit.unwrap_or(Bytes::kib(64)));
        let accounting = Accounting {
            unit,
            floor: floor.map(|floor| Bytes::new(1 + self.below(floor.get()))),
            merge: (merges && self.one_in(2)).then(|| Bytes::kib([8, 64, 256][self.below(3) as usize])),
            read: if only == Some(Op::Write) { Weight::NONE } else { self.weight() },
            write: if only == Some(Op::Read) { Weight::NONE } else { self.weight() },
        };
        let size = if quantity == Quantity::Iops { 1 } else { 16 * KIB };
        let rate = (50 + self.below(5_000)) * size + self.below(size);
        let depth = if self.one_in(3) { self.below(9) * size } else { 0 };
        let credits = self.one_in(3).then(|| {
            let size = rate * (1 + self.below(50)) / 100 + 2;
            CreditSpec {
                size,
                peak: rate * (1 + self.below(5)),
                top_up: self.one_in(2).then(|| Duration::from_us(1 + self.below(400_000))),
                level: self.one_in(2).then(|| self.below(size + 1)),
            }
        });
        Limit { quantity, rate, depth, credits, accounting }
    }

    fn limits(&mut self, directions: &[Option<Op>], merges: bool) -> Vec<Limit> {
        let mut limits = Vec::new();
        for &only in directions {
            for quantity in [Quantity::Iops, Quantity::Throughput] {
                if self.one_in(2) {
                    limits.push(self.limit(quantity, only, merges));
                }
            }
        }
        limits
    }

    /// In one nanosecond come requests of one direction only, unless `ties`.
    fn requests(&mut self, ties: bool) -> Vec<(u64, Request)> {
        let (mut at, mut end, mut op) = (0, 0, Op::Read);
        let gap = [20_000, 200_000, 2_000_000][self.below(3) as usize];
        let one = |_| {
            at += if ties && self.one_in(3) { 0 } else { 1 + self.below(gap) };
            // Half of them follow the one before.
            if self.one_in(4) {
                op = [Op::Read, Op::Read, Op::Write, Op::Trim][self.below(4) as usize];
            }
            let offset = if self.one_in(2) { end } else { self.below(1 << 20) * 4 * KIB };
            let len = [1, 1, 2, 8, 16, 100][self.below(6) as usize] * 4 * KIB;
            end = offset + len;
            (at, Request { op, ..read(offset, len as u32) })
        };
        (0..400).map(one).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: std::env::var("DW_ACCOUNTINGS").map_or(1_000, |n| n.parse().unwrap()), ..ProptestConfig::default() })]

    #[test]
    fn every_accounting_lets_go_when_its_twin_does(seed in any::<u64>()) {
        let mut draw = Draw(Random(seed));
        let alone = [None, Some(Op::Read), Some(Op::Write)];
        // One direction may overtake the other behind limits of its own; runs are then told apart by who was asked for first.
        let apart = draw.one_in(2);
        let of_disk = draw.limits(if apart { &alone } else { &alone[..1] }, true);
        let of_gates: Vec<Vec<Limit>> = (0..draw.below(4)).map(|_| {
            let only = alone[if apart { draw.below(3) as usize } else { 0 }];
            draw.limits(&[only], !apart)
        }).collect();
        let requests = draw.requests(!apart);

        const SERVICE: u64 = 300_000;
        let mut described = one_disk(DiskSpec { more: of_disk.clone(), ..disk(SERVICE as u32) });
        described.vm.gates = of_gates.iter().enumerate().map(|(n, limits)| GateSpec {
            name: format!("gate {n}"),
            more: limits.clone(),
            ..GateSpec::default()
        }).collect();
        described.volumes[0].path =
            Path { front: None, remote: (0..of_gates.len()).map(|n| GateId(n as u8)).collect(), local: false };
        let mut stack = Stack::new(described).unwrap();
        let done = open_loop(&mut stack, requests.iter().copied());

        let mut left: Vec<u64> = requests.iter().map(|request| request.0).collect();
        let mut granted = Vec::new();
        let mut is_tied = false;
        for limits in core::iter::once(&of_disk).chain(&of_gates) {
            is_tied |= apart && has_tie(&requests, &left);
            granted.push(pass_slowly(limits, &requests, &mut left));
        }
        prop_assert_eq!(done.len(), requests.len());
        let mut finished = vec![0; requests.len()];
        done.iter().for_each(|done| finished[done.user as usize] = done.finished.ns());
        // Who of a read and a write goes first that come to a gate in the same nanosecond is nobody's promise: what they cost is.
        let parting = (0..left.len()).filter(|_| !is_tied).find(|&n| finished[n] != left[n] + SERVICE);
        prop_assert!(
            parting.is_none(),
            "request {:?}: {:?} instead of {:?}\ndisk {:#?}\ngates {:#?}",
            parting, parting.map(|n| finished[n]), parting.map(|n| left[n] + SERVICE), of_disk, of_gates
        );
        for row in stack.tally(Instant::NEVER).limits {
            let (place, only) = match row.id.gate {
                Gate::Disk { only, .. } => (0, Some(only)),
                Gate::Vm(gate) => (usize::from(gate.0) + 1, None),
            };
            let same = |limit: &Limit| limit.quantity == row.id.quantity
                && only.is_none_or(|only| limit.accounting.only() == only.map(op_of));
            let twin = granted[place].iter().find(|(limit, _)| same(limit)).unwrap();
            prop_assert_eq!(row.granted, twin.1, "{:?}", row.id);
        }
    }

    #[test]
    fn no_window_sees_more_than_credits_and_rate_and_top_ups_give(seed in any::<u64>()) {
        let mut draw = Draw(Random(seed));
        let quantity = if draw.one_in(2) { Quantity::Iops } else { Quantity::Throughput };
        let limit = draw.limit(quantity, None, true);
        let requests = draw.requests(true);
        let mut stack = Stack::new(one_disk(DiskSpec { more: vec![limit], ..disk(1_000) })).unwrap();
        let done = open_loop(&mut stack, requests.iter().copied());
        let mut twin = SlowLimit::new(limit);
        let tokens: Vec<u64> = requests.iter().map(|(_, request)| twin.cost(request).unwrap()).collect();
        let parts = u128::from(parts(&limit));
        let grants: Vec<(u64, u128)> =
            done.iter().map(|done| (done.finished.ns() - 1_000, u128::from(tokens[done.user as usize]))).collect();
        // A top-up forgives what the request under way had not paid for, too.
        let largest = tokens.iter().copied().max().map_or(0, u128::from);
        let gives = |rate: u64, depth: u64, window: u64, times: u128| {
            parts * (u128::from(depth.max(1)) * times + 1 + u128::from(window + 1) * u128::from(rate) / u128::from(SECOND))
        };
        for (first, &(begin, unpaid)) in grants.iter().enumerate() {
            let mut sum = 0;
            for &(at, tokens) in &grants[first..] {
                let window = at - begin;
                let allowed = match limit.credits {
                    None => gives(limit.rate, limit.depth, window, 1),
                    Some(CreditSpec { size, peak, top_up, .. }) => {
                        let topped = top_up.map_or(0, |after| window / after.ns().max(1) + 1);
                        let base = gives(limit.rate, size.max(limit.depth), window, u128::from(1 + topped))
                            + u128::from(topped) * largest;
                        // A peak that is the rate is no burst.
                        if peak > limit.rate { base.min(gives(peak, limit.depth, window, 1)) } else { base }
                    }
                };
                // What is under way is not paid for yet.
                prop_assert!(sum <= allowed + unpaid, "{sum} parts in {window} ns: {limit:?}");
                sum += tokens;
            }
        }
    }
}

/// Requests a second of a closed loop on a disk with these limits, once it has run for `warm_up`.
fn sustained(more: Vec<Limit>, size: u64, op: impl Fn(u64) -> Op, sequential: bool, seconds: u64) -> f64 {
    let mut stack = Stack::new(one_disk(DiskSpec { more, ..disk(1_000) })).unwrap();
    let mut random = Random(7);
    let done = closed_loop(&mut stack, 64, (seconds + 1) * SECOND, |n| {
        let at = if sequential { n } else { random.below(1 << 20) * 2 };
        Request { op: op(n), ..read(at * size % (1 << 39), size as u32) }
    });
    rate(&done, SECOND, (seconds + 1) * SECOND)
}

#[test]
fn limits_give_what_is_published() {
    let ebs = |merge| Accounting { unit: Some(Bytes::kib(256)), merge, ..Accounting::PLAIN };
    let io1 = |rate| Limit { accounting: ebs(Some(Bytes::kib(256))), ..Limit::plain(Quantity::Iops, rate) };
    let st1 = Limit {
        accounting: Accounting {
            unit: Some(Bytes::mib(1)),
            floor: Some(Bytes::mib(1)),
            merge: Some(Bytes::mib(1)),
            ..Accounting::PLAIN
        },
        ..Limit::plain(Quantity::Throughput, 500 * MIB)
    };
    let egress = Limit {
        accounting: Accounting { read: Weight::NONE, write: Weight { times: 29, per: 25 }, ..Accounting::PLAIN },
        ..Limit::plain(Quantity::Throughput, 250_000_000)
    };
    // pd-standard of 10,000 GiB: reads and writes are one resource, 7,500 reads or 15,000 writes.
    let pd_standard = Limit {
        accounting: Accounting { read: Weight { times: 2, per: 1 }, ..Accounting::PLAIN },
        ..Limit::plain(Quantity::Iops, 15_000)
    };
    type Ops = fn(u64) -> Op;
    let [reads, writes]: [Ops; 2] = [|_| Op::Read, |_| Op::Write];
    let both: Ops = |n| if n % 2 == 0 { Op::Read } else { Op::Write };
    type Case = (&'static str, Limit, u64, Ops, bool, f64);
    let cases: [Case; 11] = [
        ("io1 of 3,000, random 4 KiB", io1(3_000), 4 * KIB, reads, false, 3_000.0),
        ("io1 of 3,000, sequential 4 KiB", io1(3_000), 4 * KIB, reads, true, 64.0 * 3_000.0),
        ("io1 of 3,000, random 1 MiB", io1(3_000), MIB, reads, false, 750.0),
        ("st1 of 500 MiB/s, random 16 KiB", st1, 16 * KIB, reads, false, 500.0),
        ("st1 of 500 MiB/s, sequential 16 KiB", st1, 16 * KIB, reads, true, 64.0 * 500.0),
        ("st1 of 500 MiB/s, sequential 1 MiB", st1, MIB, writes, true, 500.0),
        ("n1 of 1 vCPU: 250 MB/s carry 216 written", egress, 1_000_000, writes, true, 250.0 / 1.16),
        ("pd-standard, reads", pd_standard, 4 * KIB, reads, false, 7_500.0),
        ("pd-standard, writes", pd_standard, 4 * KIB, writes, false, 15_000.0),
        ("pd-standard, as many of both", pd_standard, 4 * KIB, both, false, 10_000.0),
        ("a plain limit", Limit::plain(Quantity::Iops, 500), MIB, both, true, 500.0),
    ];
    for (name, limit, size, op, sequential, expected) in cases {
        let found = sustained(vec![limit], size, op, sequential, 4);
        // One run more or less.
        assert!((found - expected).abs() <= expected * 1e-4 + 16.0, "{name}: {found} instead of {expected}");
    }
}

#[test]
fn reads_pass_a_limit_on_writes_and_overtake_them_at_the_gate_behind() {
    // The disk lets 10 writes a second go, the gate behind it 1,000 of anything: reads must not wait behind writes to come.
    let limit = Limit { accounting: Accounting::of_only(Op::Write), ..Limit::plain(Quantity::Iops, 10) };
    let behind = VmSpec::with(LimitSpec::default(), iops(1_000));
    let mut stack =
        Stack::new(spec(behind, vec![volume(vec![DiskSpec { more: vec![limit], ..disk(1_000) }], CacheMode::None)]))
            .unwrap();
    let requests = (0..200)
        .map(|n| (n * 1_500_000, Request { op: if n % 2 == 0 { Op::Write } else { Op::Read }, ..read(0, 512) }));
    let done = open_loop(&mut stack, requests);
    let slowest = |op| done.iter().filter(|done| done.op == op).map(|done| done.latency()).max().unwrap();
    // A read meets one write at most that leaves just then.
    assert!(slowest(Op::Read) <= Duration::from_us(1_001), "{:?}", slowest(Op::Read));
    assert!(slowest(Op::Write) > Duration::from_ms(9_000));
}

#[test]
fn disks_share_a_weighted_limit_by_what_they_are_charged() {
    // Two disks write and one reads over 116 MB/s of egress: the writers get 50 MB/s each, the reader what its own limit gives.
    let egress = Limit {
        accounting: Accounting { read: Weight::NONE, write: Weight { times: 29, per: 25 }, ..Accounting::PLAIN },
        ..Limit::plain(Quantity::Throughput, 116_000_000)
    };
    let vm = VmSpec {
        gates: vec![GateSpec { name: "egress".into(), more: vec![egress], ..GateSpec::default() }],
        ..VmSpec::default()
    };
    let path = || Path { front: None, remote: vec![GateId(0)], local: false };
    let one = || VolumeSpec { path: path(), ..volume(vec![with_limits(iops(3_000), disk(100_000))], CacheMode::None) };
    let mut stack = Stack::new(spec(vm, vec![one(), one(), one()])).unwrap();
    let sizes = [100_000u32, 20_000, 50_000];
    let done = closed_loop(&mut stack, 96, 5 * SECOND, |n| {
        let volume = (n % 3) as u16;
        let op = if volume == 2 { Op::Read } else { Op::Write };
        Request { volume: VolumeId(volume), op, ..read(0, sizes[usize::from(volume)]) }
    });
    // A closed loop hands out the volumes in turn, so all have the rate of the slowest: 100 + 20 KB of writes, 1.16 times.
    let found = rate(&done, SECOND, 5 * SECOND);
    let expected = 3.0 * 100_000_000.0 / 120_000.0;
    assert!((found - expected).abs() < expected / 100.0, "{found} instead of {expected}");
}

#[test]
fn a_burst_comes_back_a_day_after_it_was_last_full_however_busy_it_was() {
    // An instance's EBS limit, with seconds for minutes: 30 s of burst a day of 1,440 s, under a load that never rests.
    let limit = |top_up| Limit {
        credits: Some(CreditSpec { size: 30 * 600, peak: 1_000, top_up, level: None }),
        ..Limit::plain(Quantity::Iops, 400)
    };
    let day = 1_440;
    // (top-up, I/Os of the first day, of the second).
    for (top_up, first, second) in [
        (None, 400 * day + 18_000, 400 * day),
        (Some(Duration::from_ms(day * 1_000)), 400 * day + 18_000, 400 * day + 18_000),
    ] {
        let mut stack = Stack::new(one_disk(DiskSpec { more: vec![limit(top_up)], ..disk(1_000) })).unwrap();
        let done = closed_loop(&mut stack, 8, 2 * day * SECOND, |_| read(0, 512));
        let count = |from: u64, to: u64| {
            done.iter().filter(|done| (from * SECOND..to * SECOND).contains(&done.finished.ns())).count() as u64
        };
        assert!(count(0, day).abs_diff(first) <= 8, "{top_up:?}: {}", count(0, day));
        assert!(count(day, 2 * day).abs_diff(second) <= 8, "{top_up:?}: {}", count(day, 2 * day));
    }
}

#[test]
fn credits_begin_at_the_level_that_is_given() {
    for (level, expected) in [(None, 17_999), (Some(0), 0), (Some(9_000), 9_000), (Some(18_000), 17_999)] {
        let credits = Some(CreditSpec { size: 18_000, peak: 1_000, top_up: None, level });
        let limit = Limit { credits, ..Limit::plain(Quantity::Iops, 400) };
        let stack = Stack::new(one_disk(DiskSpec { more: vec![limit], ..disk(1_000) })).unwrap();
        assert_eq!(stack.tally(Instant::START).limits[0].credits, Some(expected), "{level:?}");
    }
}

#[test]
fn an_hour_of_weighted_bytes_loses_none() {
    // 1,000,003 bytes a second in 29ths: the last write goes when the division says, to the nanosecond.
    let egress = Limit {
        accounting: Accounting { read: Weight::NONE, write: Weight { times: 29, per: 25 }, ..Accounting::PLAIN },
        ..Limit::plain(Quantity::Throughput, 1_000_003)
    };
    let mut stack = Stack::new(one_disk(DiskSpec { more: vec![egress], ..disk(0) })).unwrap();
    let done = closed_loop(&mut stack, 2, 3_600 * SECOND, |_| Request { op: Op::Write, ..read(0, 4_001) });
    for (n, done) in (0u128..).zip(&done) {
        let parts = n * 4_001 * 29 * u128::from(SECOND);
        assert_eq!(u128::from(done.finished.ns()), parts.div_ceil(25 * 1_000_003), "write {n}");
    }
    assert!(done.len() > 770_000, "{}", done.len());
}

#[test]
fn impossible_accountings_are_refused_with_a_sentence() {
    let of = |quantity, accounting| vec![Limit { accounting, ..Limit::plain(quantity, 100) }];
    let ios = |accounting| of(Quantity::Iops, accounting);
    let bytes = |accounting| of(Quantity::Throughput, accounting);
    let credits = |size, peak, level, top_up: Option<u64>| {
        let top_up = top_up.map(Duration::from_ms);
        vec![Limit { credits: Some(CreditSpec { size, peak, top_up, level }), ..Limit::plain(Quantity::Iops, 100) }]
    };
    let plain = Accounting::PLAIN;
    let weights = |read: (u16, u16), write: (u16, u16)| {
        let weight = |(times, per)| Weight { times, per };
        Accounting { read: weight(read), write: weight(write), ..plain }
    };
    let (kib, zero) = (Some(Bytes::kib(1)), Some(Bytes::ZERO));
    let cases = [
        (
            bytes(Accounting { unit: kib, floor: Some(Bytes::kib(2)), ..plain }),
            "split above 1 KiB and charged as at least 2 KiB",
        ),
        (ios(Accounting { unit: zero, ..plain }), "requests are split above 0 B"),
        (ios(Accounting { merge: zero, ..plain }), "requests are merged up to 0 B"),
        (ios(Accounting { floor: kib, ..plain }), "charged as at least 1 KiB, but the limit counts I/Os"),
        (ios(weights((0, 1), (0, 1))), "neither reads nor writes are charged"),
        (ios(weights((1, 0), (1, 1))), "the weight of a read is divided by 0"),
        (ios(weights((1, 1), (1_001, 1))), "the weight of a write is 1001/1"),
        (bytes(weights((1, 999), (1, 1_000))), "need 999000 parts of a token"),
        (
            ios(Accounting { unit: Some(Bytes::new(100)), ..weights((1, 1), (1_000, 1)) }),
            "a request of 4 GiB is charged as",
        ),
        (credits(10, 99, None, None), "the peak rate is below the rate"),
        (credits(10, 200, Some(11), None), "it starts with 11 credits but holds only 10"),
        (credits(10, 200, None, Some(0)), "always refills at once"),
        (vec![Limit::plain(Quantity::Iops, 0)], "the rate is zero"),
        ([ios(plain), ios(weights((2, 1), (1, 1)))].concat(), "two limits count the I/Os"),
        (vec![Limit::plain(Quantity::Iops, 1); 9], "it has 9 limits"),
        (bytes(Accounting { unit: kib, floor: kib, merge: kib, ..plain }), ""),
        ([ios(plain), ios(Accounting::of_only(Op::Read)), ios(Accounting::of_only(Op::Write))].concat(), ""),
    ];
    for (more, expected) in cases {
        let found = Stack::new(one_disk(DiskSpec { more, ..disk(1_000) })).err();
        match &found {
            None => assert_eq!(expected, ""),
            Some(fault) => assert!(!expected.is_empty() && fault.what.contains(expected), "{expected}: {fault}"),
        }
    }
    // At a gate.
    let of_writes = || bytes(Accounting::of_only(Op::Write));
    for (more, cached, expected) in [
        ([ios(plain), of_writes()].concat(), None, "its limits charge requests of different directions"),
        ([ios(plain), ios(Accounting::of_only(Op::Read))].concat(), None, "two limits count the I/Os of reads"),
        (of_writes(), Some(GateId(0)), "it is before the host cache, and lets one direction pass uncounted"),
        (of_writes(), None, ""),
    ] {
        let gates = vec![GateSpec { name: "gate".into(), more, ..GateSpec::default() }];
        let remote = if cached.is_none() { vec![GateId(0)] } else { vec![] };
        let path = Path { front: cached, remote, local: cached.is_some() };
        let volume = VolumeSpec { path, ..volume(vec![disk(1_000)], CacheMode::None) };
        let found = Stack::new(spec(VmSpec { gates, ..VmSpec::default() }, vec![volume])).err();
        assert_eq!(found.is_some(), !expected.is_empty(), "{found:?}");
        assert!(found.is_none_or(|fault| fault.what.contains(expected)), "{expected}");
    }
}
