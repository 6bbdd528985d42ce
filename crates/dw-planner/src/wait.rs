//! What requests wait at the gates of a route.

use dw_catalogue::gate::{Gate, GateList, Route};
use dw_documents::Direction;

/// Waits at the VM's limits count in steps of so many nanoseconds, rounded up: many VM sizes then ask the same of disks.
pub const WAIT_STEP_NS: u64 = 20_000;
/// What requests wait at limits on average, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Waits {
    /// Every request, in front of the host cache.
    pub front: u64,
    /// Those that go on to a disk.
    pub behind: u64,
}

/// What requests on a route wait who do so at each gate, the longer of reads and writes where these have gates of their own.
pub(crate) fn on_route(route: Route, gates: &[Gate], waits: &[u64]) -> Waits {
    let sum = |list: GateList| {
        let of = |direction| {
            list.iter().filter(move |gate| gates[*gate].direction == direction).map(|gate| waits[gate]).sum::<u64>()
        };
        of(None) + of(Some(Direction::Reads)).max(of(Some(Direction::Writes)))
    };
    let steps = |ns: u64| ns.div_ceil(WAIT_STEP_NS) * WAIT_STEP_NS;
    Waits { front: steps(sum(route.front)), behind: steps(sum(route.behind)) }
}
