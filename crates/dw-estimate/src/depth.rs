//! The queue depth to set for a rate.
//!
//! Little's law says how many requests are in flight on average; a loop that may have no more than that falls short, because it is
//! full at some times and not at others, and because requests wait the more the nearer a limit is. So the depth is the one with which
//! the estimate reaches the rate. A load that is paced makes up for what it is behind, so what counts is that its loop could do a
//! little more than it is asked. Where a limit gives no more than what is asked, it comes as near as another tenth of the depth
//! still brings it. Then the depth is raised to what the cautious end of the latency's band needs.

use dw_stack::StackSpec;

use crate::climb::Climber;
use crate::estimate::uncertainty;
use crate::load::{Flow, Load};
use crate::network::Network;
use crate::service::Services;
use crate::settle::settle;
use crate::touch::Touched;

/// What a loop can do above what it is asked, so that it makes up for what it is behind: loads that are paced come in bursts, and those of
/// one hold up the other. With 1 % two streams on six disks were simulated at 97.6 % of the rate.
const SPARE: f64 = 0.05;
/// What it can do at least, where a limit leaves nothing to spare.
const ENOUGH: f64 = 0.998;
/// What a tenth of the depth has to bring.
const LITTLE: f64 = 0.001;
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
    let services = Services::default();
    // A depth is for as long as a load runs: what has to be fetched is there one day.
    let there = Touched::default();
    let mut network = Network::new(spec, &paced, &services, &there);
    let rates = network.rates_at_start(spec.credits);
    let mut depths: Vec<u32> = Vec::new();
    let mut most: Vec<f64> = Vec::new();
    for (load, &per_second) in paced.iter_mut().zip(&asked) {
        load.flow = Flow::Closed { queue_depth: 1 };
        let alone = Network::new(spec, std::slice::from_ref(load), &services, &there);
        let service = settle(&alone, &rates).states[0].rate.recip();
        let needed = (per_second * service).ceil().max(1.0);
        depths.push(needed as u32);
        most.push(needed * TIMES_MAX);
    }
    let spare: Vec<f64> = (0..loads.len()).map(|k| spare(&network, &rates, &asked, k)).collect();
    let mut before = vec![0.0; loads.len()];
    loop {
        for (k, class) in network.classes.iter_mut().enumerate() {
            class.flow = Flow::Paced { queue_depth: depths[k], per_second: asked[k] * spare[k] };
        }
        let settled = settle(&network, &rates);
        let mut is_done = true;
        for (k, state) in settled.states.iter().enumerate() {
            let brings = state.rate / asked[k] - before[k];
            before[k] = state.rate / asked[k];
            let is_near = before[k] >= ENOUGH && brings < LITTLE;
            if before[k] < spare[k] - 1e-6 && !is_near && f64::from(depths[k]) < most[k] {
                // Far off, a longer step: a tenth decides at the end.
                depths[k] += (depths[k] / if before[k] < 0.97 { 4 } else { 10 }).max(1);
                is_done = false;
            }
        }
        if is_done {
            // At the cautious end of the band requests take as much longer as the estimate may be off, and that many more are in flight
            // at the same rate. Where a limit leaves nothing to spare, a deeper loop would only make a longer line.
            let longest = |(k, depth): (usize, u32)| {
                let steady = settled.climbers[k].climb(f64::from(depth), asked[k] * spare[k], &settled.others[k]);
                let longer = uncertainty(&settled, k) * (spare[k] - 1.0) / SPARE;
                depth.max((steady.n * (1.0 + longer)).ceil() as u32)
            };
            return depths.into_iter().enumerate().map(longest).collect();
        }
    }
}

/// How much more than it is asked a load should be able to do: half of what the limits leave to it.
fn spare(network: &Network, rates: &[f64], asked: &[f64], place: usize) -> f64 {
    let climbers: Vec<Climber> = network.classes.iter().map(|class| Climber::new(network, class, rates)).collect();
    let used = |station: usize| {
        let others = climbers.iter().zip(asked).enumerate().filter(|(k, _)| *k != place);
        let needs = others.flat_map(|(_, (climber, asked))| climber.needs.iter().map(move |need| (need, asked)));
        needs
            .filter(|(need, _)| need.station == station)
            .map(|(need, asked)| asked * need.work / need.copies)
            .sum::<f64>()
    };
    let most = climbers[place].needs.iter().map(|need| (1.0 - used(need.station)) * need.copies / need.work);
    let left = most.fold(f64::INFINITY, f64::min) / asked[place] - 1.0;
    1.0 + (left / 2.0).clamp(0.0, SPARE)
}
