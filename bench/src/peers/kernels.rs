//! Event kernels: 1,024 slots, each rescheduled after a uniform delay of 0.5 to 1.5 ms.
//!
//! desque boxes its events and keeps them in a binary heap. The other row is the standard heap used as well as it can
//! be, by replacing its top: the calibration that tells a slow machine from slow code.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use desque::SimState;
use desque::serial::{Event, Simulation};
use dw_workload::rng::Stream;

use crate::bench::{Bench, Row, Sample, Size, Unit};
use crate::clock;

const SLOTS: u64 = 1_024;

pub fn bench() -> Bench {
    let row = |name, run| Row { name, unit: Unit::MillionsPerSecond, target: None, peer: None, run };
    Bench {
        name: "peer-kernels",
        is_for: "events a second of bare kernels, next to bench `no-cache`",
        not_for: "simulated I/Os: here nothing is modelled",
        rows: vec![
            row("desque, 1,024 slots", |size| Ok(sample(size, desque))),
            row("standard heap, top replaced, 1,024 slots", |size| Ok(sample(size, heap))),
        ],
    }
}

fn sample(size: Size, kernel: fn(u64) -> u64) -> Sample {
    let events = size.pick(20_000, 10_000_000);
    let (_, time) = clock::timed(|| std::hint::black_box(kernel(events)));
    Sample::timed(events, time)
}

fn delay(rng: &mut Stream) -> u64 {
    500_000 + rng.below(1_000_000)
}

#[derive(Debug)]
struct State {
    rng: Stream,
    left: u64,
}

impl SimState<u64> for State {
    fn is_complete(&self, _now: &u64) -> bool {
        self.left == 0
    }
}

#[derive(Debug)]
struct Completion {
    slot: u64,
    issued: u64,
}

impl Event<State, u64> for Completion {
    fn execute(&mut self, simulation: &mut Simulation<State, u64>) -> desque::Result {
        let now = *simulation.current_time();
        debug_assert!(self.issued <= now);
        let state = simulation.state_mut();
        state.left -= 1;
        let next = now + delay(&mut state.rng);
        simulation.schedule(Completion { slot: self.slot, issued: now }, next)
    }
}

/// The instant of the last of so many events.
fn desque(events: u64) -> u64 {
    let mut simulation = Simulation::new(State { rng: Stream::new(1, 0), left: events }, 0);
    for slot in 0..SLOTS {
        let at = delay(&mut simulation.state_mut().rng);
        simulation.schedule(Completion { slot, issued: 0 }, at).expect("no event lies in the past");
    }
    simulation.run().expect("no event fails");
    *simulation.current_time()
}

/// The same, with time and slot packed into one number.
fn heap(events: u64) -> u64 {
    let mut rng = Stream::new(1, 0);
    let mut heap: BinaryHeap<Reverse<u64>> = (0..SLOTS).map(|slot| Reverse(delay(&mut rng) << 10 | slot)).collect();
    let mut now = 0;
    for _ in 0..events {
        let Some(mut top) = heap.peek_mut() else { break };
        now = top.0 >> 10;
        let slot = top.0 & (SLOTS - 1);
        *top = Reverse((now + delay(&mut rng)) << 10 | slot);
    }
    now
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kernels_agree() {
        let events = 200_000;
        // A slot comes round every millisecond on average.
        let expected = events as f64 / SLOTS as f64 * 1e6;
        for (name, kernel) in [("desque", desque as fn(u64) -> u64), ("heap", heap)] {
            let at = kernel(events) as f64;
            assert!((at / expected - 1.0).abs() < 0.01, "{name}: {at}");
        }
        assert!(desque(events).abs_diff(heap(events)) < 100_000);
    }
}
