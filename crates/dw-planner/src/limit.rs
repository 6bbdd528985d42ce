//! The limits that a plan must keep, by name; and which of them a question leaves aside.
//!
//! "Why not this size?" is answered by leaving one limit aside at a time: the one whose absence makes a plan possible is what
//! binds. When no single one does, a smallest set that cannot be met together is found by leaving aside as many as possible.

use dw_catalogue::gates;
use dw_demand::wishes::LatencyOf;
use dw_documents::{Direction, LimitId, Quantity};

/// A limit. Volumes are numbers into the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limit {
    /// Requests to a volume's disks.
    DiskIops(usize),
    /// Bytes to a volume's disks.
    DiskThroughput(usize),
    /// What a volume must hold, in the stripe it may have.
    Capacity(usize),
    /// A latency of a volume's reads.
    ReadLatency(usize, LatencyOf),
    /// A latency of a volume's writes.
    WriteLatency(usize, LatencyOf),
    /// Requests to remote disks.
    UncachedIops,
    /// Bytes to remote disks.
    UncachedThroughput,
    /// Requests to premium SSD v2 and ultra disks.
    SecondIops,
    /// Bytes to premium SSD v2 and ultra disks.
    SecondThroughput,
    /// Requests to all remote disks, where the two before are one budget.
    AllIops,
    /// Bytes to all remote disks, likewise.
    AllThroughput,
    /// Requests that the host cache and the temp disk serve.
    CachedIops,
    /// Bytes that the host cache and the temp disk serve.
    CachedThroughput,
    /// Requests to local disks with limits of their own: of one kind, or all.
    TempIops(Option<Direction>),
    /// Bytes to local disks with limits of their own, likewise.
    TempThroughput(Option<Direction>),
    /// What the temp disk holds.
    TempSize,
    /// Data disks.
    Slots,
    /// Whether premium disks can be attached.
    PremiumDisks,
    /// Processors.
    Vcpu,
    /// Memory.
    Memory,
    /// Lists of what may be chosen.
    Barred,
    /// The most that the plan may cost.
    Cost,
}

impl Limit {
    /// A latency of a volume.
    pub const fn latency(volume: usize, writes: bool, of: LatencyOf) -> Limit {
        if writes { Limit::WriteLatency(volume, of) } else { Limit::ReadLatency(volume, of) }
    }
    /// Whether it is of a latency.
    pub const fn is_latency(self) -> bool {
        matches!(self, Limit::ReadLatency(..) | Limit::WriteLatency(..))
    }
    /// The volume it is about.
    pub const fn volume(self) -> Option<usize> {
        match self {
            Limit::DiskIops(j)
            | Limit::DiskThroughput(j)
            | Limit::Capacity(j)
            | Limit::ReadLatency(j, _)
            | Limit::WriteLatency(j, _) => Some(j),
            _ => None,
        }
    }
    /// Which limit of the model it is; absent = a constraint of the choice that no request meets. `volumes` gives names.
    pub fn id<'a>(self, volume: impl Fn(usize) -> &'a str) -> Option<LimitId> {
        use Quantity::{Iops, Throughput};
        Some(match self {
            Limit::DiskIops(j) => LimitId::disk(volume(j), Iops),
            Limit::DiskThroughput(j) => LimitId::disk(volume(j), Throughput),
            Limit::UncachedIops => LimitId::vm(gates::UNCACHED, Iops),
            Limit::UncachedThroughput => LimitId::vm(gates::UNCACHED, Throughput),
            Limit::SecondIops => LimitId::vm(gates::UNCACHED_V2, Iops),
            Limit::SecondThroughput => LimitId::vm(gates::UNCACHED_V2, Throughput),
            Limit::AllIops => LimitId::vm(gates::UNCACHED_ALL, Iops),
            Limit::AllThroughput => LimitId::vm(gates::UNCACHED_ALL, Throughput),
            Limit::CachedIops => LimitId::vm(gates::CACHED, Iops),
            Limit::CachedThroughput => LimitId::vm(gates::CACHED, Throughput),
            Limit::TempIops(direction) => LimitId { direction, ..LimitId::vm(gates::LOCAL, Iops) },
            Limit::TempThroughput(direction) => LimitId { direction, ..LimitId::vm(gates::LOCAL, Throughput) },
            _ => return None,
        })
    }
    /// Its name, without the volume: of a limit that requests meet, the one that every document has.
    pub fn name(self) -> String {
        if let Some(id) = self.id(|_| "") {
            return id.name();
        }
        let name = match self {
            Limit::Capacity(_) => "capacity",
            Limit::ReadLatency(_, LatencyOf::Mean) => "read latency",
            Limit::ReadLatency(_, LatencyOf::P95) => "read latency p95",
            Limit::ReadLatency(_, LatencyOf::P99) => "read latency p99",
            Limit::WriteLatency(_, LatencyOf::Mean) => "write latency",
            Limit::WriteLatency(_, LatencyOf::P95) => "write latency p95",
            Limit::WriteLatency(_, LatencyOf::P99) => "write latency p99",
            Limit::TempSize => "local disk size",
            Limit::Slots => "data disks",
            Limit::PremiumDisks => "premium disks",
            Limit::Vcpu => "vCPU",
            Limit::Memory => "memory",
            Limit::Barred => "what may be chosen",
            Limit::Cost => "monthly cost",
            // Those with an id have gone.
            _ => "",
        };
        name.into()
    }
}

/// Limits that are left aside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relaxed(Vec<Limit>);

impl Relaxed {
    pub(crate) fn of(limits: &[Limit]) -> Relaxed {
        Relaxed(limits.to_vec())
    }
    pub(crate) fn has(&self, limit: Limit) -> bool {
        self.0.contains(&limit)
    }
}
