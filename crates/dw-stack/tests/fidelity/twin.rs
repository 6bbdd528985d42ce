//! A slow and obvious model of one disk, and its mutants.
//!
//! Lists instead of heaps, fractions instead of virtual scheduling, one line a rule. It must agree with the stack on
//! every check of `limits.rs`; each mutant must fail at least one.

use std::collections::{BTreeMap, VecDeque};

use dw_stack::*;
use dw_units::{Duration, Instant};

use super::harness::{SECOND, System};

/// What is wrong with the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    /// The bucket lets one token too many pass.
    OneTokenTooMany,
    /// Time is rounded to whole nanoseconds and the rest thrown away.
    RemainderLost,
    /// A request is charged when it is issued, and does not wait.
    ChargedAtIssue,
    /// The service time passes before the limit instead of after it.
    LatencyBeforeLimit,
    /// Large requests count once.
    LargeCountsOnce,
    /// Burst credits are not spent.
    CreditsForEver,
    /// There is no throughput limit.
    ThroughputUnlimited,
    /// The cache evicts the first that came.
    FifoInsteadOfLru,
    /// A write does not enter the cache.
    WritesPassTheCache,
    /// A cache hit is charged to the disk.
    HitsCharged,
}

impl Fault {
    pub const MUTANTS: [Fault; 10] = [
        Fault::OneTokenTooMany,
        Fault::RemainderLost,
        Fault::ChargedAtIssue,
        Fault::LatencyBeforeLimit,
        Fault::LargeCountsOnce,
        Fault::CreditsForEver,
        Fault::ThroughputUnlimited,
        Fault::FifoInsteadOfLru,
        Fault::WritesPassTheCache,
        Fault::HitsCharged,
    ];
}

/// A rate with a depth: the level is kept in tokens × nanoseconds.
struct Bucket {
    rate: u128,
    depth: u128,
    level: u128,
    as_of: u64,
}

impl Bucket {
    fn new(rate: u64, depth: u64) -> Self {
        let depth = u128::from(depth.max(1)) * u128::from(SECOND);
        Bucket { rate: u128::from(rate), depth, level: depth, as_of: 0 }
    }

    /// When `tokens` may go, asked at `at`. The bucket may go into debt by the tokens of one request.
    fn take(&mut self, at: u64, tokens: u64, fault: Fault) -> u64 {
        let one = u128::from(SECOND);
        let at = at.max(self.as_of);
        let refilled = (self.level + u128::from(at - self.as_of) * self.rate).min(self.depth + self.debt_room());
        let needed = one + self.debt_room() - if fault == Fault::OneTokenTooMany { one } else { 0 };
        let wait = if refilled >= needed { 0 } else { (needed - refilled).div_ceil(self.rate) };
        self.as_of = at + wait as u64;
        // A waiting request goes at a whole nanosecond, a little after its exact instant: what came in since stays.
        let level = refilled + wait * self.rate;
        let level = if fault == Fault::RemainderLost && wait > 0 { needed } else { level };
        self.level = level.saturating_sub(u128::from(tokens) * one);
        self.as_of
    }

    /// Levels are kept above zero by this much, so that debt is a smaller number.
    fn debt_room(&self) -> u128 {
        u128::from(SECOND) * (1 << 40)
    }

    fn filled(mut self) -> Self {
        self.level += self.debt_room();
        self
    }
}

struct Limit {
    base: Bucket,
    peak: Option<Bucket>,
}

impl Limit {
    fn new(spec: RateSpec) -> Self {
        match spec.burst {
            None => Limit { base: Bucket::new(spec.rate, spec.depth).filled(), peak: None },
            Some(burst) => Limit {
                base: Bucket::new(spec.rate, burst.credits).filled(),
                peak: Some(Bucket::new(burst.rate, spec.depth).filled()),
            },
        }
    }

    fn pass(&mut self, at: u64, tokens: u64, fault: Fault) -> u64 {
        let mut go = at;
        if let Some(peak) = &mut self.peak {
            go = peak.take(go, tokens, fault);
            if fault == Fault::CreditsForEver {
                return go;
            }
        }
        self.base.take(go, tokens, fault)
    }
}

pub struct Twin {
    fault: Fault,
    iops: Option<Limit>,
    throughput: Option<Limit>,
    io_unit: Option<u64>,
    latency: u64,
    cache: Option<(usize, CacheMode, VecDeque<u64>)>,
    hit: u64,
    done: BTreeMap<(u64, u64), Completion>,
    sequence: u64,
}

impl Twin {
    /// For a description with one disk and a constant service time of `latency` nanoseconds.
    pub fn new(spec: &StackSpec, latency: u64, fault: Fault) -> Self {
        let volume = &spec.volumes[0];
        let disk = &volume.disks[0];
        Twin {
            fault,
            iops: disk.limits.iops.map(Limit::new),
            throughput: disk.limits.throughput.map(Limit::new),
            io_unit: disk.io_unit.map(|unit| unit.get()),
            latency,
            cache: spec
                .vm
                .host_cache
                .as_ref()
                .map(|cache| ((cache.capacity / cache.block_size) as usize, volume.host_cache, VecDeque::new())),
            hit: 200_000,
            done: BTreeMap::new(),
            sequence: 0,
        }
    }

    /// Whether the request is served by the cache; brings in what is missing. One request, one block.
    fn look_up(&mut self, request: &Request) -> bool {
        let fault = self.fault;
        let Some((capacity, mode, list)) = &mut self.cache else { return false };
        if *mode == CacheMode::None || request.op == Op::Write && fault == Fault::WritesPassTheCache {
            return false;
        }
        let block = request.offset / 4096;
        let found = list.iter().position(|&b| b == block);
        if let (Some(at), true) = (found, fault != Fault::FifoInsteadOfLru) {
            list.remove(at);
        }
        if found.is_none() && list.len() == *capacity {
            list.pop_front();
        }
        if found.is_none() || fault != Fault::FifoInsteadOfLru {
            list.push_back(block);
        }
        found.is_some() && request.op == Op::Read
    }
}

impl System for Twin {
    fn submit(&mut self, now: Instant, request: Request) {
        let hit = self.look_up(&request);
        let mut at = now.ns();
        if self.fault == Fault::LatencyBeforeLimit {
            at += self.latency;
        }
        let issued = at;
        if !hit || self.fault == Fault::HitsCharged {
            let ios = match self.io_unit {
                Some(unit) if self.fault != Fault::LargeCountsOnce => u64::from(request.len).div_ceil(unit).max(1),
                _ => 1,
            };
            if let Some(limit) = &mut self.iops {
                at = limit.pass(at, ios, self.fault);
            }
            if let (Some(limit), true) = (&mut self.throughput, self.fault != Fault::ThroughputUnlimited) {
                at = limit.pass(at, u64::from(request.len), self.fault);
            }
        }
        if self.fault == Fault::ChargedAtIssue {
            at = issued;
        }
        if self.fault != Fault::LatencyBeforeLimit {
            at += if hit { self.hit } else { self.latency };
        }
        let completion = Completion {
            user: request.user,
            volume: request.volume,
            op: request.op,
            len: request.len,
            submitted: now,
            finished: Instant::from_ns(at),
            cache: if hit { CacheOutcome::HitSsd } else { CacheOutcome::Miss },
            spent: TimeSpent { served: Duration::from_ns(at - now.ns()), ..TimeSpent::default() },
        };
        self.done.insert((at, self.sequence), completion);
        self.sequence += 1;
    }

    fn poll(&mut self, until: Instant) -> Option<Completion> {
        let entry = self.done.first_entry()?;
        (entry.key().0 <= until.ns()).then(|| entry.remove())
    }
}
