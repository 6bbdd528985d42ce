//! The queue depth to set for a rate.
//!
//! Little's law says how many requests are in flight on average; a loop that may have no more than that falls short, because it is
//! full at some times and not at others, and because requests wait the more the nearer a limit is. So the depth is the one with which
//! the estimate reaches the rate. A load that is paced makes up for what it is behind, so what counts is that its loop could do a
//! little more than it is asked. Where a limit gives no more than what is asked, it comes as near as another tenth of the depth
//! still brings it.

use dw_stack::StackSpec;

use crate::load::{Flow, Load};
use crate::network::Network;
use crate::settle::settle;

/// What a loop can do above what it is asked, so that it makes up for what it is behind.
const SPARE: f64 = 1.01;
/// What it can do at least, where a limit leaves nothing to spare.
const ENOUGH: f64 = 0.996;
/// Little's law is a start, and no answer is so many times as much.
const TIMES_MAX: f64 = 64.0;

/// The smallest queue depth of each load with which all of them reach their rates on `spec`. Loads are paced or open.
pub fn queue_depths(spec: &StackSpec, loads: &[Load]) -> Vec<u32> {
    let asked: Vec<f64> = loads
        .iter()
        .map(|load| match load.flow {
            Flow::Closed { .. } => 0.0,
            Flow::Paced { per_second, .. } | Flow::Open { per_second } => per_second,
        })
        .collect();
    let mut paced = loads.to_vec();
    let mut network = Network::new(spec, &paced);
    let rates = network.rates_at_start(spec.credits);
    let mut depths: Vec<u32> = Vec::new();
    let mut most: Vec<f64> = Vec::new();
    for (load, &per_second) in paced.iter_mut().zip(&asked) {
        load.flow = Flow::Closed { queue_depth: 1 };
        let alone = Network::new(spec, std::slice::from_ref(load));
        let service = settle(&alone, &rates).states[0].rate.recip();
        let needed = (per_second * service).ceil().max(1.0);
        depths.push(needed as u32);
        most.push(needed * TIMES_MAX);
    }
    let mut before = vec![0.0; loads.len()];
    loop {
        for ((class, &queue_depth), &per_second) in network.classes.iter_mut().zip(&depths).zip(&asked) {
            class.flow = Flow::Paced { queue_depth, per_second: per_second * SPARE };
        }
        let settled = settle(&network, &rates);
        let mut is_done = true;
        for (k, state) in settled.states.iter().enumerate() {
            let brings = state.rate / asked[k] - before[k];
            before[k] = state.rate / asked[k];
            let is_near = before[k] >= ENOUGH && brings < 0.001;
            if before[k] < SPARE - 1e-6 && !is_near && f64::from(depths[k]) < most[k] {
                depths[k] += (depths[k] / 10).max(1);
                is_done = false;
            }
        }
        if is_done {
            return depths;
        }
    }
}
