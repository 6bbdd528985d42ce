//! The gates and routes of this vendor's machines: the only place of the planner that knows what they are called.
//!
//! What goes to remote disks is limited by a first figure, and on some sizes by a second one for premium SSD v2 and ultra disks. Where
//! the two are one budget, all together get the wider of them, I/Os and bytes each: a gate that both are within. Where they add up, no
//! route passes that gate.
//!
//! Source: `docs/model/vm-limits.md`, `docs/model/host-cache.md`.

use std::sync::{Arc, LazyLock};

use dw_catalogue::{Attachment, gates};
use dw_documents::Direction;
use dw_stack::CacheMode;
use dw_stack::sharing::Sharing;

use crate::gate::{GATES_MOST, Gate, GateList, Kinds, ROUTES_MOST, Route, Tags};
use crate::problem::{Class, Rates, VmOffer};

/// What goes to remote disks, but those with a limit of their own.
pub const FIRST: usize = 0;
/// What goes to premium SSD v2 and ultra disks, where that is a limit of its own.
pub const SECOND: usize = 1;
/// What goes to all remote disks, where the two before are one budget.
pub const ALL: usize = 2;
/// What the host cache serves, and some local disks.
pub const CACHED: usize = 3;
/// What local disks serve of reads.
pub const LOCAL_READS: usize = 4;
/// What they serve of writes.
pub const LOCAL_WRITES: usize = 5;
/// What they serve of both.
pub const LOCAL: usize = 6;

/// Premium disks, and sizes that take them.
pub const PREMIUM: Tags = Tags::one(0);
/// Ultra disks, likewise.
pub const ULTRA: Tags = Tags::one(1);

/// Both of these where they are needed, or are there.
pub const fn tags(premium: bool, ultra: bool) -> Tags {
    Tags::NONE.and(PREMIUM, premium).and(ULTRA, ultra)
}

/// All gates, in order of a request's path.
pub fn gates() -> Arc<[Gate]> {
    static GATES: LazyLock<Arc<[Gate]>> = LazyLock::new(|| {
        let part = |name| Gate { within: Some(ALL), ..Gate::named(name) };
        let local = |direction| Gate { direction, ..Gate::named(gates::LOCAL) };
        Arc::new([
            part(gates::UNCACHED),
            part(gates::UNCACHED_V2),
            Gate::named(gates::UNCACHED_ALL),
            Gate::named(gates::CACHED),
            local(Some(Direction::Reads)),
            local(Some(Direction::Writes)),
            local(None),
        ])
    });
    GATES.clone()
}

/// What is printed of a size, from which its gates and routes follow.
#[derive(Clone, Copy, Debug, Default)]
pub struct Printed {
    /// On what goes to remote disks.
    pub uncached: Rates,
    /// On what goes to premium SSD v2 and ultra disks, where that is a limit of its own.
    pub second: Option<Rates>,
    /// Whether these two are one budget or two.
    pub sharing: Sharing,
    /// On what the host cache serves.
    pub cached: Rates,
    /// On local disks.
    pub local: Option<LocalGates>,
}

/// What is printed of local disks.
#[derive(Clone, Copy, Debug, Default)]
pub struct LocalGates {
    /// What they serve counts against the cached limit.
    pub shares_cached: bool,
    /// On reads and writes together.
    pub all: Rates,
    /// On reads.
    pub read: Rates,
    /// On writes.
    pub write: Rates,
}

impl Printed {
    /// What each gate gives.
    pub fn gates(&self) -> [Rates; GATES_MOST] {
        let mut given = [Rates::default(); GATES_MOST];
        (given[FIRST], given[CACHED]) = (self.uncached, self.cached);
        if let Some(second) = self.second {
            given[SECOND] = second;
            if self.sharing == Sharing::Shared {
                given[ALL] = self.uncached.widest(second);
            }
        }
        if let Some(local) = self.local {
            (given[LOCAL_READS], given[LOCAL_WRITES], given[LOCAL]) = (local.read, local.write, local.all);
        }
        given
    }

    /// By [`Class`], the ways to attach a volume.
    pub fn routes(&self) -> [Option<Route>; ROUTES_MOST] {
        let remote = |gate: usize| match (self.second, self.sharing) {
            (Some(_), Sharing::Shared) => GateList::new(&[gate, ALL]),
            _ => GateList::new(&[gate]),
        };
        let cacheable = Kinds { first: true, second: false };
        let takes = if self.second.is_some() { cacheable } else { Kinds::ALL };
        let uncached = Route { behind: remote(FIRST), takes, ..Route::default() };
        let cached = |cache| Route { cache, front: GateList::new(&[CACHED]), takes: cacheable, ..uncached };
        let second = Route { behind: remote(SECOND), takes: Kinds { first: false, second: true }, ..uncached };
        let mut routes = [None; ROUTES_MOST];
        routes[Class::Uncached as usize] = Some(uncached);
        routes[Class::Second as usize] = self.second.map(|_| second);
        routes[Class::ReadOnly as usize] = Some(cached(CacheMode::ReadOnly));
        routes[Class::ReadWrite as usize] = Some(cached(CacheMode::ReadWrite));
        routes[Class::Temp as usize] = self.local.map(|local| Route {
            cache: CacheMode::None,
            front: if local.shares_cached { GateList::new(&[CACHED]) } else { GateList::default() },
            behind: GateList::new(&[LOCAL_READS, LOCAL_WRITES, LOCAL]),
            takes: Kinds::default(),
            is_local: true,
        });
        routes
    }
}

/// How a volume on such disks is attached, with this cache, to a size with or without a second limit.
pub(crate) fn class(disks: Attachment, cache: CacheMode, has_second: bool) -> Class {
    match (disks, cache) {
        (Attachment::Temp | Attachment::Local, _) => Class::Temp,
        (Attachment::Premium2, _) if has_second => Class::Second,
        (_, CacheMode::ReadOnly) => Class::ReadOnly,
        (_, CacheMode::ReadWrite) => Class::ReadWrite,
        (_, CacheMode::None) => Class::Uncached,
    }
}

/// A size read so that its two limits on remote disks are one budget, or two.
pub(crate) fn read_as(vm: &VmOffer, sharing: Sharing) -> VmOffer {
    let second = vm.routes[Class::Second as usize].map(|_| vm.gates[SECOND]);
    let printed = Printed { uncached: vm.gates[FIRST], second, sharing, ..Printed::default() };
    let (gates, routes) = (printed.gates(), printed.routes());
    let mut read = vm.clone();
    read.gates[ALL] = gates[ALL];
    for class in [Class::Uncached, Class::Second, Class::ReadOnly, Class::ReadWrite] {
        read.routes[class as usize] = routes[class as usize];
    }
    read
}

#[cfg(test)]
mod tests {
    use dw_documents::Quantity;

    use super::*;
    use crate::gate::{limits, that_count};
    use crate::problem::Rate;

    #[test]
    fn three_gates_that_are_always_there_admit_what_one_budget_does() {
        let figures = [None, Some(1), Some(2), Some(3), Some(4)];
        let fits = |load: u64, limit: Option<u64>| limit.is_none_or(|limit| load <= limit);
        for (first, second) in figures.iter().flat_map(|a| figures.map(|b| (*a, b))) {
            let all = first.zip(second).map(|(first, second)| first.max(second));
            let shared = Sharing::Shared.split(first, second, |figure| (figure, figure));
            for (a, b) in (0..9).flat_map(|a| (0..9).map(move |b| (a, b))) {
                let budget = match (a, b) {
                    // Where one kind of disk is alone there is nothing to share.
                    (_, 0) => fits(a, first),
                    (0, _) => fits(b, second),
                    _ => fits(a, shared.first) && fits(b, shared.second) && fits(a + b, shared.all),
                };
                let gates = fits(a, first) && fits(b, second) && fits(a + b, all);
                assert_eq!(gates, budget, "{a} of {first:?}, {b} of {second:?}");
            }
        }
    }

    /// Nothing, or what sustains and bursts to so much.
    fn rates() -> Vec<Option<Rate>> {
        let bursts = |base: u64| [None, Some((base + 1, 10)), Some((base + 1, 20)), Some((4, 10))];
        let of = |base| bursts(base).map(|burst| Some(Rate { base, burst }));
        std::iter::once(None).chain((1..=3).flat_map(of)).collect()
    }

    /// A gate with bursts may sustain more and burst less than the other: then three gates would be narrower than the budget where one
    /// kind of disk is alone, and which of them counts has to follow from what is attached.
    #[test]
    fn what_counts_is_what_the_stack_makes_of_two_limits() {
        let gates = gates();
        for (first, second) in rates().iter().flat_map(|a| rates().into_iter().map(|b| (*a, b))) {
            for sharing in [Sharing::Shared, Sharing::Separate] {
                let of = |iops| Rates { iops, bytes: None };
                let printed = Printed { uncached: of(first), second: Some(of(second)), sharing, ..Printed::default() };
                let routes = printed.routes();
                let counts = |classes: &[Class]| {
                    let passed = classes.iter().filter_map(|class| routes[*class as usize]).flat_map(Route::gates);
                    let counting = that_count(&gates, passed);
                    [FIRST, SECOND, ALL].map(|gate| limits(&gates, &printed.gates(), counting, gate).of(Quantity::Iops))
                };
                let both = sharing.split(first, second, |rate| (rate.base, rate.burst.map_or(rate.base, |b| b.0)));
                let both = [both.first, both.second, both.all];
                assert_eq!(counts(&[Class::Uncached, Class::Second]), both, "{first:?} {second:?} {sharing:?}");
                assert_eq!(counts(&[Class::Second, Class::ReadWrite]), both, "{first:?} {second:?} {sharing:?}");
                assert_eq!(counts(&[Class::Uncached, Class::ReadOnly]), [first, None, None]);
                assert_eq!(counts(&[Class::Second]), [None, second, None]);
                assert_eq!(counts(&[Class::Temp]), [None; 3]);
            }
        }
    }
}
