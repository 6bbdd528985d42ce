//! The limits that a plan must keep, by name; and which of them a question leaves aside.
//!
//! "Why not this size?" is answered by leaving one limit aside at a time: the one whose absence makes a plan possible is what
//! binds. When no single one does, a smallest set that cannot be met together is found by leaving aside as many as possible.

use dw_catalogue::rate::{Rate, Rates};
use dw_catalogue::vendor;
use dw_demand::wishes::LatencyOf;
use dw_documents::Quantity;

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
    /// What passes a gate of the VM, by its number in the problem.
    Gate(usize, Quantity),
    /// What the local disks hold.
    LocalSize,
    /// Data disks.
    Slots,
    /// What the VM has that disks need.
    Tags,
    /// Processors.
    Vcpu,
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
    /// Its rate, of what each gate gives.
    pub(crate) fn rate(self, gates: &[Rates]) -> Option<Rate> {
        match self {
            Limit::Gate(gate, Quantity::Iops) => gates[gate].iops,
            Limit::Gate(gate, _) => gates[gate].bytes,
            _ => None,
        }
    }
    /// Whether it is of a rate.
    pub const fn is_rate(self) -> bool {
        matches!(self, Limit::DiskIops(_) | Limit::DiskThroughput(_) | Limit::Gate(..))
    }
    /// The name of a constraint that no request meets.
    pub fn constraint(self) -> &'static str {
        match self {
            Limit::DiskIops(_) | Limit::DiskThroughput(_) | Limit::Gate(..) => "",
            Limit::Capacity(_) => "capacity",
            Limit::ReadLatency(_, LatencyOf::Mean) => "read latency",
            Limit::ReadLatency(_, LatencyOf::P95) => "read latency p95",
            Limit::ReadLatency(_, LatencyOf::P99) => "read latency p99",
            Limit::WriteLatency(_, LatencyOf::Mean) => "write latency",
            Limit::WriteLatency(_, LatencyOf::P95) => "write latency p95",
            Limit::WriteLatency(_, LatencyOf::P99) => "write latency p99",
            Limit::LocalSize => "local disk size",
            Limit::Slots => "data disks",
            Limit::Tags => vendor().tags_limit(),
            Limit::Vcpu => "vCPU",
            Limit::Memory => "memory",
            Limit::Barred => "what may be chosen",
            Limit::Cost => "monthly cost",
        }
    }
}

/// Limits that are left aside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relaxed(Vec<Limit>);

impl Relaxed {
    pub(crate) fn of(limits: &[Limit]) -> Relaxed {
        Relaxed(limits.to_vec())
    }
    pub(crate) fn is_none(&self) -> bool {
        self.0.is_empty()
    }
    pub(crate) fn has(&self, limit: Limit) -> bool {
        self.0.contains(&limit)
    }
}
