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
//! waits at the next only for what came another way, or takes longer there than what came before. Of two waits in line the smaller counts
//! with the share of traffic that did not pass both, evenly.
//!
//! With one request outstanding nobody else is there, but a limit whose interval is longer than the service still holds the request when
//! it comes back: for `max(0, s − S)`, on average over the service times. With more outstanding that is so as often as none of the others
//! came to the same one of `c` limits meanwhile, `(1 − 1/c)ⁿ⁻¹ / c`.
//!
//! A gate lets the parts of a request go one after the other, so the last of them is late by all intervals but its own, and only parts
//! that went shortly before it can be the slowest. At a gate that volumes share, `share.rs` says what a lane gets.

use crate::load::Flow;
use crate::network::{Class, Network, Outcome};
use crate::share::Share;

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
    pub(crate) busy_of_volume: f64,
    pub(crate) residual_of_volume: f64,
    /// At a gate that other volumes use, too.
    pub(crate) share: Option<Share>,
}

impl Others {
    /// Share of the station that other volumes use.
    fn busy_elsewhere(&self) -> f64 {
        self.busy - self.busy_of_volume
    }

    /// What is left of a request of another volume that is under way.
    fn residual_elsewhere(&self) -> f64 {
        if self.busy_elsewhere() > 0.0 {
            (self.residual - self.residual_of_volume) / self.busy_elsewhere()
        } else {
            0.0
        }
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

/// By multiplication: `powi` may differ from machine to machine.
fn power(base: f64, count: f64) -> f64 {
    (0..count as u32).fold(1.0, |product, _| product * base)
}

/// What a request finds: those before it came so often, waited so long, and with it so many are outstanding.
struct Before {
    rate: f64,
    wait: f64,
    n: f64,
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
        waited_for.map(|outcome| outcome.share * outcome.service()).sum()
    }

    /// Waits that are worked out for it in one round, at most.
    pub(crate) fn work(&self) -> u64 {
        let steps = match self.class.flow {
            Flow::Closed { queue_depth } => u64::from(queue_depth),
            Flow::Paced { queue_depth, .. } => 2 * u64::from(queue_depth),
            Flow::Open { .. } => 2,
        };
        steps * self.needs.len() as u64
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
                    self.wait(need, others, self.copies(need, n), &Before { rate: last.rate, wait: last.waits[i], n })
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

    /// Waits of requests that come at random, `rate` a second. They wait for what waits already, so that a wait is on both sides,
    /// `w = a + b w`, and `b` is what they use: above all of a limit they wait ever longer, which counts as [`LONGEST`] times `a`.
    pub(crate) fn random(&self, rate: f64, others: &[Others]) -> Vec<f64> {
        let waits = self.needs.iter().zip(others).map(|(need, others)| {
            let of = |wait| self.wait(need, others, need.copies, &Before { rate, wait, n: f64::INFINITY });
            let (first, second) = (of(0.0), of(1.0));
            first / (1.0 - (second - first)).max(1.0 / LONGEST)
        });
        waits.collect()
    }

    /// How long a visit waits that finds its class at `rate`, waiting `waits` there.
    fn wait(&self, need: &Need, others: &Others, copies: f64, before: &Before) -> f64 {
        if let Some(share) = &others.share {
            return self.wait_in_lane(need, others, share, before);
        }
        let Before { rate, wait, n } = *before;
        let busy = rate * need.work / copies + others.busy;
        let again = if n.is_finite() { eighth_power(busy.min(1.0)) / copies } else { 0.0 };
        let residual = (rate * need.squares / 2.0 / copies * (1.0 + again) + others.residual) / busy.max(1.0);
        let alone = if others.flow == 0.0 { self.comes_back(need.work / need.tasks, need.copies, n, 0.0) } else { 0.0 };
        rate * need.work * wait / copies + others.backlog + residual + alone
    }

    /// At a gate that other volumes use, too: its lane is like a private limit, at which it waits for what is in the lane and what is left
    /// of the lane's last interval. With nothing to catch up on, it waits for the request that is under way, behind others alike.
    fn wait_in_lane(&self, need: &Need, others: &Others, share: &Share, before: &Before) -> f64 {
        let Before { rate, wait, n } = *before;
        let (lanes, level) = (self.class.lanes, share.level);
        let used = rate * need.work + others.busy_of_volume;
        let residual = rate * need.squares / 2.0;
        let of_lane = used / lanes / level;
        let active = of_lane.min(1.0);
        let again = if n.is_finite() { eighth_power(active) / lanes } else { 0.0 };
        let interval = (residual * (1.0 + again) + others.residual_of_volume) / lanes / level / level;
        let in_lane = (rate * need.work * wait + others.backlog) / lanes / level + interval / of_lane.max(1.0);
        // Under way is one of the volume's other lanes, or one of another volume: those take what this one leaves.
        let of_own =
            (residual + others.residual_of_volume) * (lanes - 1.0) / lanes / (used + others.busy_elsewhere()).max(1.0);
        let elsewhere = (1.0 - used).max(0.0) * share.taken * others.residual_elsewhere();
        let light = share.light + used * (lanes - 1.0) / lanes * (1.0 - active);
        let passing = (1.0 - active) * (of_own + elsewhere + share.ties) / (1.0 - light).max(LEFT_MIN);
        let is_alone = others.flow_of_volume == 0.0;
        let alone = if is_alone { self.comes_back(need.work / need.tasks / level, lanes, n, passing) } else { 0.0 };
        in_lane + passing + alone
    }

    /// What is left of its own last interval when a request comes back to one of so many limits, if none of the others came there
    /// meanwhile.
    fn comes_back(&self, interval: f64, copies: f64, n: f64, waited: f64) -> f64 {
        if !n.is_finite() || self.class.stride.is_some() {
            return 0.0;
        }
        let alone = power(1.0 - 1.0 / copies, n - 1.0) / copies;
        if alone < RARE {
            return 0.0;
        }
        let left = |outcome: &Outcome| {
            let each = outcome.services.iter().map(|seconds| (interval - seconds - waited).max(0.0));
            outcome.share * each.sum::<f64>() / 8.0
        };
        alone * self.class.outcomes.iter().filter(|outcome| !outcome.later).map(left).sum::<f64>()
    }

    /// Seconds that a request takes on average: of all, of reads, of writes.
    pub(crate) fn times(&self, waits: &[f64], rate: f64, others: &[Others]) -> (f64, [f64; 2]) {
        let (mut times, mut shares) = ([0.0; 2], [0.0; 2]);
        for (outcome, path) in self.class.outcomes.iter().zip(&self.paths).filter(|(outcome, _)| !outcome.later) {
            let direction = usize::from(outcome.writes);
            times[direction] +=
                outcome.share * (outcome.service() + self.waited(path, outcome, waits, rate, others, |_, _, _| ()));
            shares[direction] += outcome.share;
        }
        let mean = |d: usize| if shares[d] > 0.0 { times[d] / shares[d] } else { 0.0 };
        (times[0] + times[1], [mean(0), mean(1)])
    }

    /// How much longer the slowest of `parts` waits than one of them: backlogs of members vary like exponential times, except for those of
    /// requests that come to all members alike.
    fn slowest_of(&self, place: usize, parts: f64) -> f64 {
        let members = self.class.lanes;
        if parts < 2.0 || members < 2.0 {
            return 1.0;
        }
        1.0 + (harmonic(parts) - 1.0) * self.uneven[place]
    }

    /// Seconds that a request waits on average at each need that is used up: of two of them in line the first spaces the stream, and the
    /// second adds what it is slower.
    pub(crate) fn places(
        &self,
        waits: &[f64],
        rate: f64,
        others: &[Others],
        is_used_up: impl Fn(usize) -> bool,
    ) -> Vec<f64> {
        let mut all = vec![0.0; self.needs.len()];
        for (outcome, path) in self.class.outcomes.iter().zip(&self.paths).filter(|(outcome, _)| !outcome.later) {
            let mut sum = 0.0;
            self.waited(path, outcome, waits, rate, others, |i, wait, both| {
                if is_used_up(self.needs[i].station) {
                    let adds = wait - both * wait.min(sum);
                    all[i] += outcome.share * adds;
                    sum += adds;
                }
            });
        }
        all
    }

    /// How much of a stream that comes spaced finds a station as evenly used: all of it where every request takes as long there, less
    /// the more their times differ, `E[s]² / E[s²]`.
    fn alike(&self, place: usize, rate: f64, others: &Others) -> f64 {
        let need = &self.needs[place];
        let per_second = rate * need.tasks / need.copies + others.flow;
        let busy = rate * need.work / need.copies + others.busy;
        let squares = rate * need.squares / need.copies + 2.0 * others.residual;
        if squares > 0.0 && per_second > 0.0 { (busy * busy / per_second / squares).min(1.0) } else { 1.0 }
    }

    /// The waits along a path, those of a stream that is spaced already left out; `at` is told each,
    /// and how much of the stream passed the one before, too.
    fn waited(
        &self,
        path: &[(usize, f64)],
        outcome: &Outcome,
        waits: &[f64],
        rate: f64,
        others: &[Others],
        mut at: impl FnMut(usize, f64, f64),
    ) -> f64 {
        let own = |i: usize| rate * self.needs[i].tasks / self.needs[i].copies;
        // Of a gate's two limits all that passes one passes the other; else it is what goes to the same disk.
        let through = |i: usize, j: usize| {
            let is_gate = self.needs[i].fair && self.needs[j].fair;
            let of = |i: usize| own(i) + if is_gate { others[i].flow } else { others[i].flow_of_volume };
            of(i).min(of(j))
        };
        let parts = outcome.parts;
        let (mut sum, mut before, mut batch) = (0.0, None, (0.0f64, 0));
        for &(i, likely) in path {
            let wait = waits[i] * likely * self.slowest_of(i, parts);
            let both = before.map_or(0.0, |j| {
                let most = (own(i) + others[i].flow).max(own(j) + others[j].flow);
                if most > 0.0 { through(i, j) / most * self.alike(i, rate, &others[i]) } else { 0.0 }
            });
            at(i, wait, both);
            sum += wait - both * wait.min(sum);
            before = Some(i);
            if self.needs[i].fair {
                let last = (parts - 1.0) * self.needs[i].work / self.needs[i].tasks;
                batch = if last > batch.0 { (last, i) } else { batch };
            }
        }
        let (last, place) = batch;
        if last > 0.0 {
            at(place, last, 0.0);
        }
        sum + last - last_alone(outcome, last)
    }
}

/// Parts that a gate lets go one after the other, the last so long after the first: those that went long before the last are done
/// before it, and only the others can be the slowest.
fn last_alone(outcome: &Outcome, batch: f64) -> f64 {
    if batch <= 0.0 || outcome.parts < 2.0 {
        return 0.0;
    }
    let beside = (1.0 + outcome.spread / batch * (outcome.parts - 1.0)).min(outcome.parts);
    // The slowest of so many: as the harmonic numbers.
    outcome.spread * (1.0 - (harmonic(beside) - 1.0) / (harmonic(outcome.parts) - 1.0))
}

/// 1 + 1/2 + 1/3 ..., the last term as far as it is reached.
fn harmonic(count: f64) -> f64 {
    let whole: f64 = (1..=count as u32).map(|k| 1.0 / f64::from(k)).sum();
    whole + (count - count.floor()) / (count.floor() + 1.0)
}

fn eighth_power(share: f64) -> f64 {
    let square = share * share;
    let fourth = square * square;
    fourth * fourth
}

/// Lanes with nothing to catch up on leave so much of a gate: more of them would be short.
const LEFT_MIN: f64 = 0.05;
/// What happens so seldom does not count.
const RARE: f64 = 1e-3;
/// Waits are so many times as long as the first request's, at most.
const LONGEST: f64 = 20_000.0;
