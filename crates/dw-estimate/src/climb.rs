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

use dw_stack::VolumeId;

use crate::load::Flow;
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
    /// By need: share of the work there that comes to some members only.
    pub(crate) uneven: Vec<f64>,
}

/// What other loads do at a station.
#[derive(Clone, Debug, Default)]
pub(crate) struct Others {
    /// Work that waits: at a gate, of the own disks; else of the station. All per copy, in seconds.
    pub(crate) backlog: f64,
    pub(crate) busy: f64,
    pub(crate) residual: f64,
    pub(crate) flow: f64,
    /// What of it is of the same volume.
    pub(crate) flow_of_volume: f64,
    /// Lanes of other volumes at a gate.
    pub(crate) lanes: Vec<Lane>,
}

/// Lanes at a gate that are alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lane {
    pub(crate) volume: VolumeId,
    pub(crate) count: f64,
    /// Of each.
    pub(crate) backlog: f64,
    pub(crate) busy: f64,
    /// Seconds of one request.
    pub(crate) one: f64,
}

impl Lane {
    /// The same lanes with another load of their volume.
    pub(crate) fn join(&mut self, more: Lane) {
        let busy = self.busy + more.busy;
        if busy > 0.0 {
            self.one = (self.one * self.busy + more.one * more.busy) / busy;
        }
        self.busy = busy;
        self.backlog += more.backlog;
    }
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
        let mut climber = Climber { class, uneven: vec![0.0; needs.len()], needs, paths };
        climber.uneven = (0..climber.needs.len()).map(|i| climber.uneven_work(i) / climber.needs[i].work).collect();
        climber
    }

    /// Seconds of a need for each request, each counted as far as it leaves members out.
    pub(crate) fn uneven_work(&self, place: usize) -> f64 {
        let members = (self.class.lanes - 1.0).max(1.0);
        let outcomes = self.class.outcomes.iter().zip(&self.paths);
        let visits = outcomes.flat_map(|(outcome, path)| {
            let left_out = outcome.share * (1.0 - (outcome.parts - 1.0) / members);
            path.iter()
                .filter(move |(need, _)| *need == place)
                .map(move |(_, likely)| left_out * likely * outcome.parts)
        });
        visits.sum::<f64>() * self.needs[place].work / self.needs[place].tasks
    }

    /// How many requests it brings, as a weight.
    pub(crate) fn weight(&self) -> f64 {
        match self.class.flow {
            Flow::Closed { queue_depth } | Flow::Paced { queue_depth, .. } => f64::from(queue_depth),
            Flow::Open { per_second } => per_second * self.service(),
        }
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

    /// Requests a second, at most, beside what others do.
    pub(crate) fn left(&self, others: &[Others]) -> f64 {
        let left =
            self.needs.iter().zip(others).map(|(need, others)| (1.0 - others.busy).max(0.0) * need.copies / need.work);
        left.fold(f64::INFINITY, f64::min)
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
                .map(|(i, (need, others))| {
                    self.wait(need, others, self.copies(need, n), last.rate, last.waits[i], true)
                })
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
        let mine = rate * need.work / copies;
        let busy = mine + others.busy;
        let again = if closed { eighth_power(busy.min(1.0)) / copies } else { 0.0 };
        let residual = (rate * need.squares / 2.0 / copies * (1.0 + again) + others.residual) / busy.max(1.0);
        if !need.fair {
            return own + others.backlog + residual;
        }
        let lanes = self.class.lanes;
        let (backlog, one) = ((own + others.backlog) / lanes, need.work / need.tasks);
        let active = others.lanes.iter().map(|lane| lane.count * lane.backlog / (lane.backlog + lane.one));
        let active = active.sum::<f64>() + 1.0 + (lanes - 1.0) * backlog / (backlog + one);
        // Until its turn comes again a lane is like a limit of its own, which gives one in so many.
        let reach = backlog + (mine / lanes * active).min(1.0) * one / 2.0;
        let (mut ahead, mut overtaken) = (backlog * lanes, 0.0);
        for lane in &others.lanes {
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

    /// How much longer the slowest of `parts` waits than one of them: backlogs of members vary like exponential times, but for those of
    /// requests that come to all members alike.
    fn slowest_of(&self, place: usize, parts: f64) -> f64 {
        let members = self.class.lanes;
        if parts < 2.0 || members < 2.0 {
            return 1.0;
        }
        let harmonic: f64 = (1..=parts as u32).map(|k| 1.0 / f64::from(k)).sum();
        1.0 + (harmonic - 1.0) * self.uneven[place]
    }

    /// The waits along a path, those of a stream that is spaced already left out.
    fn waited(&self, path: &[(usize, f64)], parts: f64, waits: &[f64], rate: f64, others: &[Others]) -> f64 {
        let own = |i: usize| rate * self.needs[i].tasks / self.needs[i].copies;
        // Of a gate's two limits all that passes one passes the other; else it is what goes to the same disk.
        let through = |i: usize, j: usize| {
            let is_gate = self.needs[i].fair && self.needs[j].fair;
            let of = |i: usize| own(i) + if is_gate { others[i].flow } else { others[i].flow_of_volume };
            of(i).min(of(j))
        };
        let (mut sum, mut before, mut batch) = (0.0, None, 0.0f64);
        for &(i, likely) in path {
            let wait = waits[i] * likely * self.slowest_of(i, parts);
            let both = before.map_or(0.0, |j| {
                let most = (own(i) + others[i].flow).max(own(j) + others[j].flow);
                if most > 0.0 { through(i, j) / most } else { 0.0 }
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
