//! The gates and routes of instances, as planners number them: what each lets pass, and what a volume passes.
//!
//! A type with two EBS cards has a gate for each, with half of what it gives; of those with one the first gate is all. A volume on the
//! second card is a route of its own: who plans chooses the card.
//!
//! Source: `gates.rs`.
//!
//! Bandwidth weighting in favour of EBS is a setting of a type that a plan may take; the other way it passes less, and none takes that.
//!
//! Ignores: that sequential I/Os are merged before they are counted; the daily refill.

use std::sync::{Arc, LazyLock};

use dw_units::{CacheMode, Direction, Throughput};
use dw_vendor::gate::{GATES_MOST, Gate, GateList, Kinds, ROUTES_MOST, Route, RouteId};
use dw_vendor::goods::{Passes, Setting};
use dw_vendor::rate::{Rate, Rates};

use crate::gates::{BANDWIDTH, BURST_SECONDS, EBS, Weighting};
use crate::instances::{EbsLimit, EbsLimits, InstanceType};

/// All of a type with one card.
const ONE: usize = 0;
/// The first of two cards.
const FIRST: usize = 1;
/// The second.
const SECOND: usize = 2;
const STORE_READS: usize = 3;
const STORE_WRITES: usize = 4;

const ROUTE: RouteId = RouteId::new(0);
const SECOND_ROUTE: RouteId = RouteId::new(1);
const STORE: RouteId = RouteId::new(2);

/// All gates, in order of a request's path.
pub fn gates() -> Arc<[Gate]> {
    static GATES: LazyLock<Arc<[Gate]>> = LazyLock::new(|| {
        let store = |direction| Gate { direction: Some(direction), ..Gate::named(STORE_GATE) };
        Arc::new([
            Gate::named(EBS),
            Gate::named("ebs-card-0"),
            Gate::named(SECOND_CARD),
            store(Direction::Reads),
            store(Direction::Writes),
        ])
    });
    GATES.clone()
}

/// The second of two cards.
pub const SECOND_CARD: &str = "ebs-card-1";
/// What a scenario writes of an instance whose volumes are favoured.
static IN_FAVOUR: [(&str, &str); 1] = [(BANDWIDTH, Weighting::Ebs.word())];
/// What the limit of an instance store is called.
pub const STORE_GATE: &str = "instance store";

/// All routes, by number.
pub fn routes() -> Arc<[Route]> {
    static ROUTES: LazyLock<Arc<[Route]>> = LazyLock::new(|| {
        let all = [(ROUTE, &[ONE, FIRST][..]), (SECOND_ROUTE, &[SECOND][..])];
        let ebs = all.map(|(_, gates)| Route {
            name: CacheMode::None.name(),
            takes: Kinds::ALL,
            behind: GateList::new(gates),
            gib_max: u64::MAX,
            ..Route::default()
        });
        let [first, second] = ebs;
        Arc::new([
            first,
            second,
            Route {
                name: "instance store",
                behind: GateList::new(&[STORE_READS, STORE_WRITES]),
                gib_max: u64::MAX,
                is_local: true,
                ..Route::default()
            },
        ])
    });
    ROUTES.clone()
}

impl InstanceType {
    /// What each of its gates gives, and its ways to attach a volume; absent where no source says what it lets pass to EBS, and where something
    /// else keeps it out of plans.
    pub fn passes(&self) -> Option<Passes> {
        let ebs = self.ebs.filter(|_| self.lacks.is_empty())?;
        let (mut gates, mut own) = (self.to_volumes(ebs), [None; ROUTES_MOST]);
        let all = routes();
        let through = |route: RouteId, gate| Route { behind: GateList::new(&[gate]), ..all[route.place()] };
        if self.cards == 1 {
            own[ROUTE.place()] = Some(through(ROUTE, ONE));
        } else {
            own[ROUTE.place()] = Some(through(ROUTE, FIRST));
            own[SECOND_ROUTE.place()] = Some(through(SECOND_ROUTE, SECOND));
        }
        if let Ok(local) = self.local_disks(Default::default()) {
            let count = local.disks.len() as u64;
            let limits = local.disks.first().map(|disk| disk.by_direction).unwrap_or_default();
            let of =
                |limits: Option<dw_stack::LimitSpec>| limits.map(|l| Rates::from(l).times(count)).unwrap_or_default();
            (gates[STORE_READS], gates[STORE_WRITES]) = (of(limits.reads), of(limits.writes));
            own[STORE.place()] = Some(all[STORE.place()]);
        }
        Some(Passes { gates, routes: own })
    }

    /// What the gates of its cards give with such limits.
    fn to_volumes(&self, ebs: EbsLimits) -> [Rates; GATES_MOST] {
        let parts = u64::from(self.cards);
        let rate = |of: fn(EbsLimit) -> u64| {
            let (base, top) = (of(ebs.base) / parts, of(ebs.maximum) / parts);
            Some(Rate { base, burst: (top > base).then(|| (top, (top - base) * BURST_SECONDS)) })
        };
        let each = Rates { iops: rate(|limit| limit.iops.get()), bytes: rate(|limit| limit.throughput.get()) };
        let mut gates = [Rates::default(); GATES_MOST];
        match self.cards {
            1 => gates[ONE] = each,
            _ => (gates[FIRST], gates[SECOND]) = (each, each),
        }
        gates
    }

    /// The weighting with which more passes to its volumes.
    pub fn setting(&self) -> Option<Setting> {
        let (even, passes) = (self.ebs?, self.passes()?);
        let weighted = self.ebs_weighted(Weighting::Ebs).ok().flatten().filter(|weighted| *weighted != even)?;
        let own = self.to_volumes(weighted);
        let disks = [even, weighted].map(|limits| limits.base.throughput);
        Some(Setting {
            options: &IN_FAVOUR,
            gates: std::array::from_fn(
                |gate| if own[gate] == Rates::default() { passes.gates[gate] } else { own[gate] },
            ),
            disks,
            network_loses: Throughput::bytes_per_second(disks[1].get() - disks[0].get()),
            network: self.network.0.map(|thousandths| Throughput::bytes_per_second(thousandths * 125_000)),
        })
    }
}
