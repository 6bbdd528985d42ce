//! Two gates behind the disks, each for disks of its own kind, that may be one budget.

use alloc::vec::Vec;

use crate::request::GateId;
use crate::spec::{GateSpec, LimitSpec, RateSpec, VmSpec};

/// Whether two gates for two kinds of disks are one budget or two. Vendors that print both figures do not say; one is the
/// cautious reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    /// All remote disks together get at most the wider of the two figures, of I/Os and of bytes each, and the disks under
    /// the narrower one at most that.
    #[default]
    Shared,
    /// Each kind of disk has its own, and they add up.
    Separate,
}

/// Which of the two is the wider.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wider {
    /// The first, also where both are equal.
    #[default]
    First,
    Second,
}

/// Two limits and their common budget, of I/Os or of bytes; absent = unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Split<T> {
    /// On disks of the first kind alone.
    pub first: Option<T>,
    /// On disks of the second kind alone.
    pub second: Option<T>,
    /// On both together.
    pub all: Option<T>,
    /// Whose figure [`Split::all`] is.
    pub wider: Wider,
}

impl Sharing {
    /// Divides two limits; `rates` gives the sustained rate of one and its rate while it bursts.
    pub fn split<T>(self, first: Option<T>, second: Option<T>, rates: impl Fn(T) -> (u64, u64)) -> Split<T>
    where
        T: Copy,
    {
        let top = |limit: Option<T>| limit.map_or((u64::MAX, u64::MAX), &rates);
        match self {
            Sharing::Separate => Split { first, second, all: None, wider: Wider::First },
            // Equal figures are one limit.
            Sharing::Shared if top(first) == top(second) => {
                Split { first: None, second: None, all: first, wider: Wider::First }
            }
            Sharing::Shared if top(first) > top(second) => {
                Split { first: None, second, all: first, wider: Wider::First }
            }
            Sharing::Shared => Split { first, second: None, all: second, wider: Wider::Second },
        }
    }
}

/// Two gates to be.
#[derive(Clone, Copy, Debug)]
pub struct TwoGates<'a> {
    /// Names of the first, of the second, and of what both share.
    pub names: [&'a str; 3],
    /// What disks of the first kind pass.
    pub first: LimitSpec,
    /// What disks of the second kind pass.
    pub second: LimitSpec,
    /// Whether they are one budget.
    pub sharing: Sharing,
}

impl TwoGates<'_> {
    /// Adds the gates to a VM: those that disks of the first kind pass, and those of the second.
    pub fn add_to(self, vm: &mut VmSpec) -> [Vec<GateId>; 2] {
        let rates = |rate: RateSpec| (rate.rate, rate.burst.map_or(rate.rate, |burst| burst.rate));
        let iops = self.sharing.split(self.first.iops, self.second.iops, rates);
        let bytes = self.sharing.split(self.first.throughput, self.second.throughput, rates);
        let limits = [(iops.first, bytes.first), (iops.second, bytes.second), (iops.all, bytes.all)];
        let [first, second, all] = [0, 1, 2].map(|place| {
            let (iops, throughput) = limits[place];
            let limits = LimitSpec { iops, throughput };
            (limits != LimitSpec::default()).then(|| {
                vm.gates.push(GateSpec { name: self.names[place].into(), limits, more: Vec::new() });
                GateId((vm.gates.len() - 1) as u8)
            })
        });
        [first, second].map(|own| own.into_iter().chain(all).collect())
    }
}
