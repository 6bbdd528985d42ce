//! The gates and routes of this vendor's machines, as data: the one table of their numbers, their names, what a size gives, and what a
//! volume passes.
//!
//! What goes to remote disks is limited by a first figure, and on some sizes by a second one for premium SSD v2 and ultra disks. Where
//! the two are one budget, all together get the wider of them, I/Os and bytes each: a gate that both are within. Where they add up, no
//! route passes that gate.
//!
//! Source: `docs/model/vm-limits.md`, `docs/model/host-cache.md`.

use std::sync::{Arc, LazyLock};

use dw_demand::wishes::Wishes;
use dw_stack::VolumeSpec;
use dw_stack::sharing::Sharing;
use dw_units::{Bytes, CacheMode, Direction};

use crate::gates::{self, Attachment, VmLimits};
use crate::kinds::CACHEABLE_MAX;
pub use crate::kinds::{PREMIUM, ULTRA, tags};
use crate::plan_keys;
use crate::vm::{LocalLimits, VmSize};
use dw_vendor::gate::{GATES_MOST, Gate, GateList, Kinds, ROUTES_MOST, Route, RouteId, Tags};
use dw_vendor::rate::Rates;

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

/// The gates whose limit a derived field of a size is, with what a record lacks: all but its uncached limits.
pub fn gates_of(field: &str) -> &'static [usize] {
    match field {
        "cached" => &[CACHED],
        "uncached" => &[FIRST],
        "premium2" => &[SECOND],
        "temp_read" => &[LOCAL_READS, LOCAL],
        "temp_write" => &[LOCAL_WRITES, LOCAL],
        "other fields" => &[CACHED, SECOND, LOCAL_READS, LOCAL_WRITES, LOCAL],
        _ => &[],
    }
}

/// Remote disks without host cache.
pub const UNCACHED: RouteId = RouteId::new(0);
/// Premium SSD v2 and ultra disks, where they have a limit of their own.
pub const UNCACHED_V2: RouteId = RouteId::new(1);
/// Remote disks, reads cached.
pub const READ_ONLY: RouteId = RouteId::new(2);
/// Remote disks, reads and writes cached.
pub const READ_WRITE: RouteId = RouteId::new(3);
/// The VM's local disks, which are lost when the VM moves.
pub const TEMP: RouteId = RouteId::new(4);

/// Disks that a host cache can serve.
const CACHEABLE: Kinds = Kinds { first: true, second: false };

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

/// All routes, by number: each with all that any size has of it.
pub fn routes() -> Arc<[Route]> {
    static ROUTES: LazyLock<Arc<[Route]>> = LazyLock::new(|| {
        let remote = |name, takes, gate: usize| Route {
            name,
            takes,
            behind: GateList::new(&[gate, ALL]),
            gib_max: u64::MAX,
            ..Route::default()
        };
        let cached = |cache: CacheMode| Route {
            cache,
            front: GateList::new(&[CACHED]),
            gib_max: CACHEABLE_MAX.get() >> 30,
            ..remote(cache.name(), CACHEABLE, FIRST)
        };
        let none = CacheMode::None.name();
        Arc::new([
            remote(none, Kinds::ALL, FIRST),
            remote(none, Kinds { first: false, second: true }, SECOND),
            cached(CacheMode::ReadOnly),
            cached(CacheMode::ReadWrite),
            Route {
                name: "temp disk",
                front: GateList::new(&[CACHED]),
                behind: GateList::new(&[LOCAL_READS, LOCAL_WRITES, LOCAL]),
                gib_max: u64::MAX,
                is_local: true,
                ..Route::default()
            },
        ])
    });
    ROUTES.clone()
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

impl LocalGates {
    /// Those of local disks as a size prints them.
    fn of_size(limits: &LocalLimits) -> LocalGates {
        LocalGates {
            shares_cached: limits.shares_cached,
            all: limits.all.into(),
            read: limits.by_direction.reads.map(Rates::from).unwrap_or_default(),
            write: limits.by_direction.writes.map(Rates::from).unwrap_or_default(),
        }
    }
    /// What all disks of a volume on local disks give together.
    fn of_volume(volume: &VolumeSpec) -> LocalGates {
        let each = volume.disks.first();
        let all = |limit| Rates::times(Rates::from(limit), volume.disks.len() as u64);
        LocalGates {
            shares_cached: volume.path.front.is_some(),
            all: each.map(|disk| all(disk.limits)).unwrap_or_default(),
            read: each.and_then(|disk| disk.by_direction.reads).map(all).unwrap_or_default(),
            write: each.and_then(|disk| disk.by_direction.writes).map(all).unwrap_or_default(),
        }
    }
}

impl VmSize {
    /// What it has, as far as a source says so, that disks may need.
    pub fn has(&self) -> Tags {
        tags(self.premium == Some(true), self.ultra == Some(true))
    }
    /// The same of a VM that exists with its disks: what no source denies is taken to work.
    pub fn has_in_use(&self) -> Tags {
        tags(self.premium == Some(true), self.ultra != Some(false))
    }
    /// The host cache that a plan counts on: one of which no source gives the limit is one that nothing can be promised of.
    pub fn cache_to_plan(&self) -> Bytes {
        self.cache.filter(|_| self.host_caching == Some(true) && self.cached.is_some()).unwrap_or(Bytes::ZERO)
    }
    /// What a plan of these wishes counts on.
    pub fn printed(&self, wishes: &Wishes) -> Printed {
        Printed {
            uncached: self.uncached.limit_spec().into(),
            second: self.premium2.map(|limit| limit.limit_spec().into()),
            sharing: if plan_keys::has_two_budgets(wishes) { Sharing::Separate } else { Sharing::Shared },
            cached: self.cached_to_plan().map(|limit| limit.limit_spec().into()).unwrap_or_default(),
            local: self.local_limits().as_ref().map(LocalGates::of_size),
        }
    }
}

impl VmLimits {
    /// The same of a VM as it is, with the volume that is on its local disks.
    pub fn printed(&self, local: Option<&VolumeSpec>) -> Printed {
        Printed {
            uncached: self.uncached.into(),
            second: self.uncached_premium2.map(Rates::from),
            sharing: self.uncached_sharing,
            cached: self.cached.into(),
            local: local.map(LocalGates::of_volume),
        }
    }
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

    /// By number, the ways to attach a volume.
    pub fn routes(&self) -> [Option<Route>; ROUTES_MOST] {
        let mut own = [None; ROUTES_MOST];
        for (id, any) in RouteId::first(ROUTES_MOST).zip(routes().iter()) {
            own[id.place()] = self.route(id, *any);
        }
        own
    }

    /// What a size has of a route.
    fn route(&self, id: RouteId, any: Route) -> Option<Route> {
        if any.is_local {
            let shares_cached = self.local?.shares_cached;
            return Some(if shares_cached { any } else { Route { front: GateList::default(), ..any } });
        }
        let is_second = id == UNCACHED_V2;
        let Some(_) = self.second else {
            return (!is_second).then_some(Route { behind: GateList::new(&[FIRST]), ..any });
        };
        let takes = if is_second { any.takes } else { CACHEABLE };
        let own = if is_second { SECOND } else { FIRST };
        let behind = if self.sharing == Sharing::Shared { any.behind } else { GateList::new(&[own]) };
        Some(Route { takes, behind, ..any })
    }
}

/// How a volume on such disks is attached, with this cache, to a VM of these limits.
pub fn route_of(disks: Attachment, cache: CacheMode, vm: &VmLimits) -> RouteId {
    match (disks, cache) {
        (Attachment::Temp | Attachment::Local, _) => TEMP,
        (Attachment::Premium2, _) if vm.uncached_premium2.is_some() => UNCACHED_V2,
        (_, CacheMode::ReadOnly) => READ_ONLY,
        (_, CacheMode::ReadWrite) => READ_WRITE,
        (_, CacheMode::None) => UNCACHED,
    }
}

/// Reads a size so that its two limits on remote disks are one budget, or two.
pub fn read_as(sharing: Sharing, given: &mut [Rates; GATES_MOST], routes: &mut [Option<Route>; ROUTES_MOST]) {
    let second = routes[UNCACHED_V2.place()].map(|_| given[SECOND]);
    let printed = Printed { uncached: given[FIRST], second, sharing, ..Printed::default() };
    given[ALL] = printed.gates()[ALL];
    let own = printed.routes();
    for route in [UNCACHED, UNCACHED_V2, READ_ONLY, READ_WRITE] {
        routes[route.place()] = own[route.place()];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dw_vendor::gate::{limits, that_count};
    use dw_vendor::rate::Rate;

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
                let counts = |taken: &[RouteId]| {
                    let passed = taken.iter().filter_map(|route| routes[route.place()]).flat_map(Route::gates);
                    let counting = that_count(&gates, passed);
                    [FIRST, SECOND, ALL].map(|gate| limits(&gates, &printed.gates(), counting, gate).iops)
                };
                let both = sharing.split(first, second, |rate| (rate.base, rate.burst.map_or(rate.base, |b| b.0)));
                let both = [both.first, both.second, both.all];
                assert_eq!(counts(&[UNCACHED, UNCACHED_V2]), both, "{first:?} {second:?} {sharing:?}");
                assert_eq!(counts(&[UNCACHED_V2, READ_WRITE]), both, "{first:?} {second:?} {sharing:?}");
                assert_eq!(counts(&[UNCACHED, READ_ONLY]), [first, None, None]);
                assert_eq!(counts(&[UNCACHED_V2]), [None, second, None]);
                assert_eq!(counts(&[TEMP]), [None; 3]);
            }
        }
    }
}
