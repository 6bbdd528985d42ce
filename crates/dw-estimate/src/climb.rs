//! One closed loop among loads that stand still: from one request outstanding to all of them.
//!
//! A paced limit lets a request pass as soon as what is left of the last one's interval is over and those before it have gone; the
//! request's own interval is no part of its wait. So with `n` outstanding a request that comes to limit `k` finds what the other
//! `n − 1` left there (the arrival theorem of closed networks):
//!
//! ```text
//! W(n) = b(n − 1) + r(n − 1)      b: work that waits there, r: what is left of the interval that runs, λ s² / 2
//! X(n) = n / (S + Σ v W(n))       b(n) = X(n) v W(n) s
//! ```
//!
//! A full closed loop sends a request back to the limit that it has just left, where the interval has only begun: of `c` limits that are
//! alike one in `c` meets a whole interval instead of half of one. Below saturation the service in between blurs that; `r` is taken
//! times `1 + ρ⁸ / c`, the power being the one that agrees best with the simulator (any from 6 to 12 stays within 2.5 %).
//!
//! Two limits one behind the other do not add up where the first one's output is the second one's input: a stream spaced by one limit
//! waits at the next only for what came another way. Of two waits in line the smaller counts with the share of traffic that did not
//! pass both.
//!
//! At a gate that disks share, whoever has less waiting is served first: a lane with the backlog `b` waits for itself, for at most as
//! much of every other lane and half a request, and is overtaken by lanes that keep less waiting.

use crate::network::{Class, Network};

/// What a class needs of a station for each of its requests.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Need {
    pub(crate) station: usize,
    /// Visits.
    pub(crate) tasks: f64,
    /// Seconds of the station's time, and the sum of their squares.
    pub(crate) work: f64,
    pub(crate) squares: f64,
    pub(crate) copies: f64,
    pub(crate) fair: bool,
}

/// A class with its needs at the rates in force.
pub(crate) struct Climber<'a> {
    pub(crate) class: &'a Class,
    pub(crate) needs: Vec<Need>,
    /// By outcome and in path order: which need, and how likely a part visits it.
    paths: Vec<Vec<(usize, f64)>>,
}

/// What other loads do at a station.
#[derive(Clone, Debug, Default)]
pub(crate) struct Others {
    /// Work that waits: at a gate, of the own disks; else of the station. All per copy, in seconds.
    pub(crate) backlog: f64,
    pub(crate) busy: f64,
    pub(crate) residual: f64,
    pub(crate) flow: f64,
    /// Lanes of other volumes at a gate.
    pub(crate) lanes: Vec<Lane>,
}

/// Lanes at a gate that are alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lane {
    pub(crate) count: f64,
    /// Of each.
    pub(crate) backlog: f64,
    pub(crate) busy: f64,
    /// Seconds of one request.
    pub(crate) one: f64,
}

/// A class at work.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// Requests outstanding.
    pub(crate) n: f64,
    /// Requests a second.
    pub(crate) rate: f64,
    /// Seconds at each need.
    pub(crate) waits: Vec<f64>,
}

impl<'a> Climber<'a> {
    /// `rates`: tokens a second that each station gives now.
    pub(crate) fn new(network: &'a Network, class: &'a Class, rates: &[f64]) -> Climber<'a> {
        let mut needs: Vec<Need> = Vec::new();
        let mut paths = Vec::new();
        for outcome in &class.outcomes {
            let mut path = Vec::new();
            for visit in &outcome.path {
                let place = needs.iter().position(|need| need.station == visit.station).unwrap_or_else(|| {
                    let station = &network.stations[visit.station];
                    let (copies, fair) = (station.copies, station.fair);
                    needs.push(Need { station: visit.station, copies, fair, ..Need::default() });
                    needs.len() - 1
                });
                let (need, rate) = (&mut needs[place], rates[visit.station]);
                need.tasks += outcome.share * visit.tasks;
                need.work += outcome.share * visit.tokens / rate;
                need.squares += outcome.share * visit.squares / rate / rate;
                path.push((place, visit.tasks / outcome.parts));
            }
            paths.push(path);
        }
        Climber { class, needs, paths }
    }

    /// Seconds that a request takes when it waits nowhere.
    pub(crate) fn service(&self) -> f64 {
        let waited_for = self.class.outcomes.iter().filter(|outcome| !outcome.later);
        waited_for.map(|outcome| outcome.share * outcome.service).sum()
    }

    /// Requests a second, at most, of what others leave.
    pub(crate) fn ceiling(&self) -> f64 {
        self.needs.iter().map(|need| need.copies / need.work).fold(f64::INFINITY, f64::min)
    }

    /// Disks among which the requests of `n` outstanding ones are spread.
    fn copies(&self, need: &Need, n: f64) -> f64 {
        match self.class.stride {
            Some(stride) if !need.fair => need.copies.min((1.0 + (n - 1.0) * stride).max(1.0)),
            _ => need.copies,
        }
    }

    /// Up to `depth` outstanding, or to the first that reaches `enough` requests a second; then between the last two.
    pub(crate) fn climb(&self, depth: f64, enough: f64, others: &[Others]) -> State {
        let mut last = State { n: 0.0, rate: 0.0, waits: vec![0.0; self.needs.len()] };
        while last.n < depth && last.rate < enough {
            let n = (last.n + 1.0).min(depth);
            let waits: Vec<f64> = self
                .needs
                .iter()
                .zip(others)
                .enumerate()
                .map(|(i, (need, others))| self.wait(need, others, self.copies(need, n), last.rate, last.waits[i], true))
                .collect();
            let took = self.times(&waits, last.rate, others).0;
            let rate = if took > 0.0 { n / took } else { self.ceiling() };
            if rate > enough && rate > last.rate {
                let part = (enough - last.rate) / (rate - last.rate);
                let between = |a: f64, b: f64| a + (b - a) * part;
                let waits = last.waits.iter().zip(&waits).map(|(a, b)| between(*a, *b)).collect();
                return State { n: between(last.n, n), rate: enough, waits };
            }
            last = State { n, rate, waits };
        }
        last
    }

    /// Waits of requests that come at random, `rate` a second.
    pub(crate) fn random(&self, rate: f64, others: &[Others]) -> Vec<f64> {
        let waits = self.needs.iter().zip(others).map(|(need, others)| {
            let mut wait = 0.0;
            for _ in 0..ROUNDS_MAX {
                let next = self.wait(need, others, need.copies, rate, wait, false);
                let is_still = (next - wait).abs() <= 1e-6 * next;
                wait = next;
                if is_still {
                    break;
                }
            }
            wait
        });
        waits.collect()
    }

    /// How long a visit waits that finds its class at `rate`, waiting `waits` there.
    fn wait(&self, need: &Need, others: &Others, copies: f64, rate: f64, waits: f64, closed: bool) -> f64 {
        let own = rate * need.work * waits / copies;
        let busy = rate * need.work / copies + others.busy;
        let residual = (rate * need.squares / 2.0 / copies + others.residual) / busy.max(1.0);
        let residual = if closed { residual * (1.0 + eighth_power(busy.min(1.0)) / copies) } else { residual };
        if !need.fair {
            return own + others.backlog + residual;
        }
        let lanes = self.class.lanes;
        let backlog = (own + others.backlog) / lanes;
        let (mut ahead, mut overtaken) = (backlog * lanes, 0.0);
        for lane in &others.lanes {
            let reach = backlog + lane.one / 2.0;
            ahead += lane.count * lane.backlog.min(reach);
            if lane.backlog < reach {
                overtaken += lane.count * lane.busy * (1.0 - lane.backlog / reach) * (backlog / reach);
            }
        }
        (ahead + residual) / (1.0 - overtaken).max(0.01)
    }

    /// Seconds that a request takes on average: of all, of reads, of writes.
    pub(crate) fn times(&self, waits: &[f64], rate: f64, others: &[Others]) -> (f64, [f64; 2]) {
        let (mut times, mut shares) = ([0.0; 2], [0.0; 2]);
        for (outcome, path) in self.class.outcomes.iter().zip(&self.paths).filter(|(outcome, _)| !outcome.later) {
            let direction = usize::from(outcome.writes);
            times[direction] +=
                outcome.share * (outcome.service + self.waited(path, outcome.parts, waits, rate, others));
            shares[direction] += outcome.share;
        }
        let mean = |d: usize| if shares[d] > 0.0 { times[d] / shares[d] } else { 0.0 };
        (times[0] + times[1], [mean(0), mean(1)])
    }

    /// The waits along a path, those of a stream that is spaced already left out.
    fn waited(&self, path: &[(usize, f64)], parts: f64, waits: &[f64], rate: f64, others: &[Others]) -> f64 {
        let flow = |i: usize| rate * self.needs[i].tasks / self.needs[i].copies;
        let (mut sum, mut before, mut batch) = (0.0, None, 0.0f64);
        for &(i, likely) in path {
            let wait = waits[i] * likely;
            let both = before.map_or(0.0, |j| {
                let most = (flow(i) + others[i].flow).max(flow(j) + others[j].flow);
                if most > 0.0 { flow(i).min(flow(j)) / most } else { 0.0 }
            });
            sum += wait - both * wait.min(sum);
            before = Some(i);
            if self.needs[i].fair {
                batch = batch.max((parts - 1.0) * self.needs[i].work / self.needs[i].tasks);
            }
        }
        sum + batch
    }
}

fn eighth_power(share: f64) -> f64 {
    let square = share * share;
    let fourth = square * square;
    fourth * fourth
}

/// Enough for a wait that grows by the busy share of itself each time, up to 99.9 %.
const ROUNDS_MAX: usize = 20_000;
