//! Gates and routes: what the requests of a volume pass in a machine. The one table of it, as data.
//!
//! A gate has the same number on every machine of a problem; what it gives is the machine's own. A route is a way to attach a volume: which
//! gates all its requests pass, and which of them only what no cache serves. Loads, bounds, waits, paths and explanations all follow
//! from these two lists; the check reads them with code of its own.
//!
//! Several gates may be one budget: each of them is `within` one more. That one counts where requests pass two of its parts, and of its
//! parts then only what is narrower: what passes the part passes the whole. Where requests pass one part alone, that part counts
//! alone. So no limit counts, or makes requests wait, twice.
//!
//! Invariant: no part is wider than its whole, in both quantities; whoever describes a machine clips one that is.
//!
//! Ignores: gates that weigh reads and writes otherwise than all, nothing, or one of them alone.

use dw_units::{CacheMode, Direction};

use crate::rate::Rates;

/// So many gates a machine has at most.
pub const GATES_MOST: usize = 8;
/// So many routes.
pub const ROUTES_MOST: usize = 8;

/// A gate that machines have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// What the vendor calls it; gates of one name differ in `direction`.
    pub name: &'static str,
    /// The requests that meet it; absent = all.
    pub direction: Option<Direction>,
    /// The gate of whose budget it is a part.
    pub within: Option<usize>,
}

impl Gate {
    /// One that meets all requests and shares nothing.
    pub const fn named(name: &'static str) -> Gate {
        Gate { name, direction: None, within: None }
    }
}

/// Numbers of gates, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GateSet(u8);

impl GateSet {
    /// Whether a gate is among them.
    pub const fn has(self, gate: usize) -> bool {
        self.0 >> gate & 1 == 1
    }
    /// One after the other.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..GATES_MOST).filter(move |gate| self.has(*gate))
    }
    fn with(self, gate: usize) -> GateSet {
        GateSet(self.0 | 1 << gate)
    }
    fn without(self, gate: usize) -> GateSet {
        GateSet(self.0 & !(1 << gate))
    }
}

impl FromIterator<usize> for GateSet {
    fn from_iter<I: IntoIterator<Item = usize>>(gates: I) -> GateSet {
        gates.into_iter().fold(GateSet::default(), GateSet::with)
    }
}

/// Numbers of gates in the order in which requests pass them; four bits each, so that it is a key that costs nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GateList(u32);

impl GateList {
    /// These, at most [`GATES_MOST`].
    pub fn new(gates: &[usize]) -> GateList {
        debug_assert!(gates.len() <= GATES_MOST && gates.iter().all(|gate| *gate < GATES_MOST));
        GateList(gates.iter().rev().fold(0, |all, gate| all << 4 | (*gate as u32 + 1)))
    }
    /// One after the other.
    pub fn iter(self) -> impl Iterator<Item = usize> + Clone {
        let place = move |place: u32| (self.0 >> (4 * place) & 0xF) as usize;
        (0..GATES_MOST as u32).map(place).take_while(|gate| *gate > 0).map(|gate| gate - 1)
    }
    /// Whether a gate is among them.
    pub fn has(self, gate: usize) -> bool {
        self.iter().any(|other| other == gate)
    }
    /// Those of them that are in a set.
    pub fn among(self, set: GateSet) -> GateList {
        self.iter()
            .filter(|gate| set.has(*gate))
            .enumerate()
            .fold(GateList::default(), |all, (place, gate)| GateList(all.0 | (gate as u32 + 1) << (4 * place)))
    }
    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The number of a route, the same on all machines of a problem. Of those that a person asks for alike the first is the usual one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RouteId(u8);

impl RouteId {
    /// The route of that number.
    pub const fn new(number: u8) -> RouteId {
        RouteId(number)
    }
    /// Its place in a list of routes.
    pub const fn place(self) -> usize {
        self.0 as usize
    }
    /// One for each of so many routes.
    pub fn first(count: usize) -> impl DoubleEndedIterator<Item = RouteId> {
        (0..count.min(ROUTES_MOST) as u8).map(RouteId)
    }
    /// Of these, the usual one to disks that are not the machine's own, with such a cache.
    pub fn with_cache(routes: &[Route], mode: CacheMode) -> Option<RouteId> {
        Self::first(routes.len()).find(|id| !routes[id.place()].is_local && routes[id.place()].cache == mode)
    }
    /// Of these, the one to disks of the machine's own.
    pub fn to_local(routes: &[Route]) -> Option<RouteId> {
        Self::first(routes.len()).find(|id| routes[id.place()].is_local)
    }
}

/// A way to attach a volume to a machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Route {
    /// What a plan that is written in a line calls it.
    pub name: &'static str,
    /// What a host cache serves of it.
    pub cache: CacheMode,
    /// Gates that all requests pass, before any cache.
    pub front: GateList,
    /// Gates that requests pass which the cache does not serve: misses and writes, or all where there is none.
    pub behind: GateList,
    /// Which kinds of disks it takes.
    pub takes: Kinds,
    /// The largest disk that it takes, in GiB.
    pub gib_max: u64,
    /// The disks are the machine's own, and take none of its places.
    pub is_local: bool,
}

impl Route {
    /// Whether a host cache serves some of it.
    pub fn has_cache(self) -> bool {
        self.cache != CacheMode::None
    }
    /// Whether a person asks for both alike: the machine and the disks decide which of them it is.
    pub fn is_asked_as(self, other: Route) -> bool {
        (self.cache, self.is_local) == (other.cache, other.is_local)
    }
    /// All gates that requests pass, in order.
    pub fn gates(self) -> impl Iterator<Item = usize> + Clone {
        self.front.iter().chain(self.behind.iter())
    }
}

/// Kinds of disks that a route takes, by what tells them apart at the machine's gates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kinds {
    /// Disks that a host cache can serve.
    pub first: bool,
    /// Disks with a gate of their own where the machine has one.
    pub second: bool,
}

impl Kinds {
    /// All.
    pub const ALL: Kinds = Kinds { first: true, second: true };

    /// Whether a disk of that kind is among them.
    pub const fn have(self, second: bool) -> bool {
        if second { self.second } else { self.first }
    }
}

/// What machines have that some disks need: a bit for each, which means what the vendor says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tags(u8);

impl Tags {
    /// The one of that number.
    pub const fn one(number: u8) -> Tags {
        Tags(1 << number)
    }
    /// None.
    pub const NONE: Tags = Tags(0);
    /// All that there are.
    pub const ALL: Tags = Tags(u8::MAX);

    /// These, and others where they are there.
    pub const fn and(self, others: Tags, are_there: bool) -> Tags {
        if are_there { Tags(self.0 | others.0) } else { self }
    }
    /// Whether none is missing of those that are needed.
    pub const fn cover(self, needed: Tags) -> bool {
        needed.0 & !self.0 == 0
    }
}

/// Of gates that requests pass those that count: a whole does where two of its parts do.
pub fn that_count(gates: &[Gate], passed: impl IntoIterator<Item = usize>) -> GateSet {
    let passed: GateSet = passed.into_iter().collect();
    let mut parts = [0; GATES_MOST];
    for whole in passed.iter().filter_map(|gate| gates[gate].within) {
        parts[whole] += 1;
    }
    let lone = gates.iter().filter_map(|gate| gate.within).filter(|whole| parts[*whole] < 2);
    lone.fold(passed, GateSet::without)
}

/// What a gate of a machine limits where these count.
pub fn limits(gates: &[Gate], given: &[Rates; GATES_MOST], counting: GateSet, gate: usize) -> Rates {
    if !counting.has(gate) {
        return Rates::default();
    }
    match gates[gate].within.filter(|whole| counting.has(*whole)) {
        Some(whole) => {
            debug_assert_eq!(
                given[whole].narrower_than(given[gate]),
                Rates::default(),
                "a part is wider than its whole"
            );
            given[gate].narrower_than(given[whole])
        }
        None => given[gate],
    }
}
