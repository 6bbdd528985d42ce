//! The limits that a plan must keep, by name; and which of them a question leaves aside.
//!
//! "Why not this size?" is answered by leaving one limit aside at a time: the one whose absence makes a plan possible is what
//! binds. When no single one does, a smallest set that cannot be met together is found by leaving aside as many as possible.

/// A limit. Volumes are numbers into the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limit {
    /// Requests to a volume's disks.
    DiskIops(usize),
    /// Bytes to a volume's disks.
    DiskThroughput(usize),
    /// What a volume must hold, in the stripe it may have.
    Capacity(usize),
    /// Mean latency of a volume's reads.
    ReadLatency(usize),
    /// Mean latency of a volume's writes.
    WriteLatency(usize),
    /// Requests to remote disks.
    UncachedIops,
    /// Bytes to remote disks.
    UncachedThroughput,
    /// Requests to premium SSD v2 and ultra disks.
    SecondIops,
    /// Bytes to premium SSD v2 and ultra disks.
    SecondThroughput,
    /// Requests that the host cache and the temp disk serve.
    CachedIops,
    /// Bytes that the host cache and the temp disk serve.
    CachedThroughput,
    /// Requests to local disks with limits of their own.
    TempIops,
    /// Bytes to local disks with limits of their own.
    TempThroughput,
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
    /// All limits of a problem with so many volumes, in order of a request's path.
    pub fn all(volumes: usize) -> Vec<Limit> {
        let of_volumes = (0..volumes).flat_map(|j| {
            [
                Limit::DiskIops(j),
                Limit::DiskThroughput(j),
                Limit::Capacity(j),
                Limit::ReadLatency(j),
                Limit::WriteLatency(j),
            ]
        });
        let of_vm = [
            Limit::UncachedIops,
            Limit::UncachedThroughput,
            Limit::SecondIops,
            Limit::SecondThroughput,
            Limit::CachedIops,
            Limit::CachedThroughput,
            Limit::TempIops,
            Limit::TempThroughput,
            Limit::TempSize,
            Limit::Slots,
            Limit::PremiumDisks,
            Limit::Vcpu,
            Limit::Memory,
            Limit::Cost,
            Limit::Barred,
        ];
        of_volumes.chain(of_vm).collect()
    }
    /// The volume it is about.
    pub const fn volume(self) -> Option<usize> {
        match self {
            Limit::DiskIops(j)
            | Limit::DiskThroughput(j)
            | Limit::Capacity(j)
            | Limit::ReadLatency(j)
            | Limit::WriteLatency(j) => Some(j),
            _ => None,
        }
    }
    /// Its name, without the volume.
    pub const fn name(self) -> &'static str {
        match self {
            Limit::DiskIops(_) => "disk IOPS",
            Limit::DiskThroughput(_) => "disk throughput",
            Limit::Capacity(_) => "capacity",
            Limit::ReadLatency(_) => "read latency",
            Limit::WriteLatency(_) => "write latency",
            Limit::UncachedIops => "vm uncached IOPS",
            Limit::UncachedThroughput => "vm uncached throughput",
            Limit::SecondIops => "vm uncached IOPS of premium SSD v2 and ultra",
            Limit::SecondThroughput => "vm uncached throughput of premium SSD v2 and ultra",
            Limit::CachedIops => "vm cached IOPS",
            Limit::CachedThroughput => "vm cached throughput",
            Limit::TempIops => "local disk IOPS",
            Limit::TempThroughput => "local disk throughput",
            Limit::TempSize => "local disk size",
            Limit::Slots => "data disks",
            Limit::PremiumDisks => "premium disks",
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
    pub(crate) fn has(&self, limit: Limit) -> bool {
        self.0.contains(&limit)
    }
}
