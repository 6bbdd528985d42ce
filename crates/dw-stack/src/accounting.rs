//! How a limit charges a request: what of it counts, and as how much.
//!
//! ```text
//! I/Os    f(x) = ⌈x / unit⌉, at least 1                          without a unit 1
//! bytes   f(x) = ⌊x / unit⌋ · unit + max(x mod unit, floor)      without a unit max(x, floor)
//! charge  f(len), times the weight of its direction
//! merged  f(before + len) − f(before), where `before` bytes of the run are charged already
//! ```
//!
//! A request is merged when it begins where the last one that was charged here ended, goes in the same direction, and the run with it is
//! at most `merge` bytes. So a run costs what one request of its size would, to the token, however it was cut.
//!
//! A weight is a fraction. A limit counts in parts of a token, as many to one as the least common denominator of its two weights, and
//! its rate, depth and credits are that many times as large: nothing is rounded, in one request or in a day of them. Only what a tally
//! shows is whole tokens, rounded down.
//!
//! Source: EBS counts I/Os of up to 256 KiB, of 1 MiB on disks, and merges sequential ones up to that; a disk's credits are bytes of which
//! a random I/O costs 1 MiB; Google charges a write 1.16 times its bytes of the VM's egress, and a read none. Chapter:
//! `docs/model/token-bucket.md`.
//!
//! Ignores: how long two requests are apart, several sequential streams on one disk (each breaks the other's run), and where a run began
//! within the device. A merged request keeps its place in the line, though it may cost nothing: it is not let go with the one before it.
//! Of what the write-back brings home in several pieces the sizes are not known: of bytes it costs at least a floor for each.
//!
//! Invariant: what the requests of a run were charged is the charge of one request as long as the run.

use alloc::vec::Vec;

use crate::request::{Op, Quantity};
use crate::spec::{Accounting, Limit, Weight};

/// What a limit looks at of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved {
    /// Anything but a read.
    pub(crate) write: bool,
    /// A trim has a place and moves nothing.
    pub(crate) trim: bool,
    /// On the disk.
    pub(crate) offset: u64,
    pub(crate) len: u32,
    /// Writes of the stack's own that it stands for.
    pub(crate) pieces: u32,
}

/// The requests that a disk sent last, one behind the other.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    /// Where the next one would have to begin.
    end: u64,
    /// Bytes; 0 = nothing to join.
    len: u64,
    write: bool,
}

/// How one limit charges.
#[derive(Clone, Debug)]
struct Account {
    quantity: Quantity,
    /// Largest request that is charged as one.
    unit: u64,
    floor: u64,
    /// Longest run; 0 = no request is merged.
    merge: u64,
    /// Parts of a token that a token of a read costs, and one of a write.
    weights: [u64; 2],
    /// By disk, while requests are merged.
    runs: Vec<Run>,
}

impl Account {
    fn new(limit: &Limit, disks: usize) -> Account {
        let Accounting { unit, floor, merge, .. } = limit.accounting;
        let merge = merge.map_or(0, |merge| merge.get());
        Account {
            quantity: limit.quantity,
            unit: unit.map_or(u64::MAX, |unit| unit.get().max(1)),
            floor: floor.map_or(0, |floor| floor.get()),
            merge,
            weights: limit.accounting.parts(),
            runs: if merge > 0 { alloc::vec![Run::default(); disks] } else { Vec::new() },
        }
    }

    /// Tokens of a request of `len` bytes by itself.
    fn tokens(&self, len: u64) -> u64 {
        match self.quantity {
            Quantity::Iops => len.div_ceil(self.unit).max(1),
            Quantity::Throughput => {
                let (whole, rest) = (len - len % self.unit, len % self.unit);
                whole + if rest > 0 { rest.max(self.floor) } else { 0 }
            }
        }
    }

    /// Parts of tokens that a request of this disk costs.
    fn charge(&mut self, disk: usize, moved: Moved) -> u64 {
        let len = if moved.trim { 0 } else { u64::from(moved.len) };
        self.weights[usize::from(moved.write)] * self.charge_bytes(disk, len, moved)
    }

    fn charge_bytes(&mut self, disk: usize, len: u64, moved: Moved) -> u64 {
        let alone = self.tokens(len);
        if self.merge == 0 || moved.pieces > 1 || moved.trim {
            if let Some(run) = self.runs.get_mut(disk) {
                *run = Run::default();
            }
            let each = if self.quantity == Quantity::Iops { 1 } else { self.floor };
            return if moved.trim { alone } else { alone.max(u64::from(moved.pieces) * each) };
        }
        let Run { end, len: before, write } = self.runs[disk];
        let joins = before > 0 && end == moved.offset && write == moved.write && before + len <= self.merge;
        let before = if joins { before } else { 0 };
        self.runs[disk] = Run { end: moved.offset + len, len: before + len, write: moved.write };
        if !joins {
            return alone;
        }
        let (charged, whole) = (self.tokens(before), self.tokens(before + len));
        debug_assert!(charged <= whole, "a longer run costs less");
        whole - charged
    }
}

/// How a pair of limits charges, where it is more than an I/O and its bytes.
#[derive(Clone, Debug)]
pub(crate) struct Accounts {
    /// Of I/Os, of bytes; absent where there is no such limit.
    of: [Option<Account>; 2],
    /// The direction that is charged; absent = both.
    only: Option<Op>,
}

impl Accounts {
    /// How these limits charge, which charge the same directions; `None` where that is what `plain` says of each.
    pub(crate) fn new(limits: &[Limit], plain: impl Fn(Quantity) -> Accounting, disks: usize) -> Option<Accounts> {
        if limits.iter().all(|limit| limit.accounting == plain(limit.quantity)) {
            return None;
        }
        let of = [Quantity::Iops, Quantity::Throughput].map(|quantity| {
            limits.iter().find(|limit| limit.quantity == quantity).map(|limit| Account::new(limit, disks))
        });
        let only = limits.first().and_then(|limit| limit.accounting.only());
        debug_assert!(limits.iter().all(|limit| limit.accounting.only() == only), "limits of one pair part company");
        Some(Accounts { of, only })
    }

    /// Whether requests in this direction do not come to the limits at all.
    pub(crate) fn skips(&self, write: bool) -> bool {
        self.only.is_some_and(|only| (only == Op::Write) != write)
    }

    /// Parts of I/Os and of bytes that a request of this disk costs.
    pub(crate) fn charge(&mut self, disk: usize, moved: Moved) -> (u64, u64) {
        let [ios, bytes] = self.of.each_mut().map(|of| of.as_mut().map_or(0, |of| of.charge(disk, moved)));
        (ios, bytes)
    }
}

impl Limit {
    /// What a request of `len` bytes by itself is charged.
    pub fn tokens(&self, op: Op, len: u64) -> f64 {
        let weight = if op == Op::Read { self.accounting.read } else { self.accounting.write };
        let whole = Account::new(self, 0).tokens(len);
        whole as f64 * f64::from(weight.times) / f64::from(weight.per.max(1))
    }
}

impl Accounting {
    /// Parts to a token: the least common denominator of the two weights.
    pub(crate) fn scale(&self) -> u64 {
        let of = |weight: Weight| {
            let (times, per) = (u64::from(weight.times), u64::from(weight.per.max(1)));
            per / gcd(times, per)
        };
        let (read, write) = (of(self.read), of(self.write));
        read * write / gcd(read, write)
    }

    /// Parts that a token of a read, and one of a write, costs.
    pub(crate) fn parts(&self) -> [u64; 2] {
        let scale = self.scale();
        [self.read, self.write].map(|weight| u64::from(weight.times) * scale / u64::from(weight.per.max(1)))
    }

    /// The direction that is charged; absent = both.
    pub fn only(&self) -> Option<Op> {
        match (self.read.times, self.write.times) {
            (0, _) => Some(Op::Write),
            (_, 0) => Some(Op::Read),
            _ => None,
        }
    }
}

/// The greatest common divisor, and 1 of nothing.
fn gcd(mut one: u64, mut other: u64) -> u64 {
    while other > 0 {
        (one, other) = (other, one % other);
    }
    one.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Accounting;
    use dw_units::Bytes;

    const KIB: u64 = 1 << 10;
    const MIB: u64 = 1 << 20;

    fn account(quantity: Quantity, accounting: Accounting) -> Account {
        Account::new(&Limit { accounting, ..Limit::plain(quantity, 1) }, 1)
    }

    fn request(write: bool, offset: u64, len: u64) -> Moved {
        Moved { write, trim: false, offset, len: len as u32, pieces: 1 }
    }

    #[test]
    fn a_request_costs_what_is_published() {
        let ebs_ssd = Accounting { unit: Some(Bytes::kib(256)), merge: Some(Bytes::kib(256)), ..Accounting::PLAIN };
        let ebs_hdd = Accounting {
            unit: Some(Bytes::mib(1)),
            floor: Some(Bytes::mib(1)),
            merge: Some(Bytes::mib(1)),
            ..Accounting::PLAIN
        };
        let small = Accounting { floor: Some(Bytes::kib(16)), ..Accounting::PLAIN };
        let egress = Accounting { read: Weight::NONE, write: Weight { times: 29, per: 25 }, ..Accounting::PLAIN };
        let shared = Accounting { read: Weight { times: 2, per: 1 }, ..Accounting::PLAIN };
        use Quantity::{Iops, Throughput};
        // (name, quantity, accounting, requests (write, offset, bytes), parts of tokens of each).
        type Case<'a> = (&'a str, Quantity, Accounting, &'a [(bool, u64, u64)], &'a [u64]);
        let cases: &[Case] = &[
            ("an I/O counts once", Iops, Accounting::PLAIN, &[(false, 0, 512), (true, 0, 4 * MIB)], &[1, 1]),
            ("1 MiB is four of 256 KiB", Iops, ebs_ssd, &[(false, 0, MIB), (false, 9 * MIB, 257 * KIB)], &[4, 2]),
            ("random I/Os are not merged", Iops, ebs_ssd, &[(false, 0, 4 * KIB), (false, MIB, 4 * KIB)], &[1, 1]),
            (
                "sequential ones are, up to 256 KiB",
                Iops,
                ebs_ssd,
                &[(false, 0, 128 * KIB), (false, 128 * KIB, 128 * KIB), (false, 256 * KIB, 4 * KIB)],
                &[1, 0, 1],
            ),
            (
                "not the other way round, and not backwards",
                Iops,
                ebs_ssd,
                &[(false, 0, 4 * KIB), (true, 4 * KIB, 4 * KIB), (true, 0, 4 * KIB)],
                &[1, 1, 1],
            ),
            (
                "a small random I/O costs 1 MiB",
                Throughput,
                ebs_hdd,
                &[(false, 0, 4 * KIB), (true, 0, 4 * KIB)],
                &[MIB; 2],
            ),
            (
                "1.5 MiB cost two, a run of 64 KiB one",
                Throughput,
                ebs_hdd,
                &[(false, 0, 3 * MIB / 2), (false, 8 * MIB, 64 * KIB), (false, 8 * MIB + 64 * KIB, 64 * KIB)],
                &[2 * MIB, MIB, 0],
            ),
            (
                "a floor without a unit",
                Throughput,
                small,
                &[(false, 0, 512), (false, 0, 20 * KIB)],
                &[16 * KIB, 20 * KIB],
            ),
            (
                "egress in 25ths of a byte",
                Throughput,
                egress,
                &[(false, 0, 4 * KIB), (true, 0, 4 * KIB)],
                &[0, 29 * 4 * KIB],
            ),
            ("reads cost twice", Iops, shared, &[(false, 0, 512), (true, 0, 512)], &[2, 1]),
        ];
        for (name, quantity, accounting, requests, expected) in cases {
            let mut account = account(*quantity, *accounting);
            let charged: Vec<u64> =
                requests.iter().map(|&(write, at, len)| account.charge(0, request(write, at, len))).collect();
            assert_eq!(charged, *expected, "{name}");
        }
    }

    #[test]
    fn a_run_costs_what_one_request_of_its_size_does() {
        let mut stream = crate::random::Stream::new(37, 0);
        for _ in 0..2_000 {
            let mut below = |n: u64| stream.draw() % n;
            let unit = 1 + below(300);
            let accounting = Accounting {
                unit: (below(3) > 0).then(|| Bytes::new(unit)),
                floor: (below(2) > 0).then(|| Bytes::new(1 + below(unit))),
                merge: Some(Bytes::new(1 + below(1_000))),
                ..Accounting::PLAIN
            };
            let quantity = if below(2) == 0 { Quantity::Iops } else { Quantity::Throughput };
            let mut account = account(quantity, accounting);
            let (mut at, mut len, mut sum) = (0, 0, 0);
            for _ in 0..20 {
                let more = 1 + below(200);
                if len > 0 && len + more > accounting.merge.unwrap().get() {
                    (len, sum) = (0, 0);
                }
                sum += account.charge(0, request(false, at, more));
                (at, len) = (at + more, len + more);
                assert_eq!(sum, account.tokens(len), "{accounting:?} {len}");
            }
        }
    }

    #[test]
    fn weights_are_whole_parts_of_a_token() {
        let of = |read: (u16, u16), write: (u16, u16)| {
            let weight = |(times, per)| Weight { times, per };
            let accounting = Accounting { read: weight(read), write: weight(write), ..Accounting::PLAIN };
            (accounting.scale(), accounting.parts())
        };
        for (read, write, scale, parts) in [
            ((1, 1), (1, 1), 1, [1, 1]),
            ((0, 1), (116, 100), 25, [0, 29]),
            ((2, 1), (1, 1), 1, [2, 1]),
            ((8, 9), (1, 1), 9, [8, 9]),
            ((1, 6), (3, 4), 12, [2, 9]),
        ] {
            assert_eq!(of(read, write), (scale, parts), "{read:?} {write:?}");
        }
    }
}
