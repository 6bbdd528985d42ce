//! Several loads at once: each climbs among the others, again and again until nothing moves.
//!
//! What all of them ask of a limit is held to what it gives: at a disk in proportion to what they would have; at a gate that volumes share
//! by the level of their lanes (`share.rs`), and what that leaves too much goes by the level at which the lanes that want more than it
//! stop. A loop that is held waits at the limit that holds it.

use crate::climb::{Climber, Others, State};
use crate::load::Flow;
use crate::network::Network;
use crate::share::{Lanes, Share, shares};

/// All loads at work.
pub(crate) struct Equilibrium<'a> {
    pub(crate) climbers: Vec<Climber<'a>>,
    pub(crate) states: Vec<State>,
    pub(crate) others: Vec<Vec<Others>>,
    /// Share of each station that is used.
    pub(crate) busy: Vec<f64>,
    /// Rounds that it took, each with so many requests climbed to by each load: what it cost.
    pub(crate) work: u64,
    /// By station: the lanes of each volume, at a gate that several share.
    gates: Vec<Vec<Lanes>>,
}

/// Requests outstanding that are climbed to; more wait at a limit and change nothing but their wait.
const DEPTH_MAX: f64 = 4_096.0;
const ROUNDS: usize = 200;
const STILL: f64 = 1e-4;

pub(crate) fn settle<'a>(network: &'a Network, rates: &[f64]) -> Equilibrium<'a> {
    let climbers: Vec<Climber> = network.classes.iter().map(|class| Climber::new(network, class, rates)).collect();
    let states = climbers.iter().map(|c| State { n: 0.0, rate: 0.0, waits: vec![0.0; c.needs.len()] }).collect();
    let climbers = with_uneven(climbers);
    let gates = vec![Vec::new(); network.stations.len()];
    let mut settled = Equilibrium { others: Vec::new(), busy: Vec::new(), work: 0, gates, climbers, states };
    let rounds = if settled.climbers.len() == 1 { 1 } else { ROUNDS };
    for round in 0..rounds {
        settled.others = settled.around_all();
        let mut next: Vec<State> = (0..settled.climbers.len()).map(|k| settled.step(k)).collect();
        settled.work += settled.climbers.iter().map(Climber::work).sum::<u64>();
        // A gate that volumes share holds its lanes by itself, once it is known what each gets of it.
        settled.hold(network, &mut next, |station| round == 0 || settled.gates[station].is_empty());
        let step = if round == 0 { 1.0 } else { 0.5 };
        let mut moved = 0.0f64;
        for (state, next) in settled.states.iter_mut().zip(next) {
            moved = moved.max((next.rate - state.rate).abs() / next.rate.max(1e-9));
            state.n += (next.n - state.n) * step;
            state.rate += (next.rate - state.rate) * step;
            let longest = next.waits.iter().copied().fold(1e-9, f64::max);
            for (wait, next) in state.waits.iter_mut().zip(next.waits) {
                moved = moved.max((next - *wait).abs() / longest * 0.01);
                *wait += (next - *wait) * step;
            }
        }
        if moved.max(settled.share(network, step)) < STILL {
            break;
        }
    }
    let mut states = std::mem::take(&mut settled.states);
    settled.hold(network, &mut states, |_| true);
    settled.states = states;
    settled.others = settled.around_all();
    settled.busy = settled.used(network.stations.len(), &settled.states);
    settled
}

/// A paced load comes to a stand when it is ahead, and makes up for it with all that it may have outstanding: its requests take longer
/// than those of a loop that is always just large enough. That is the more of the time the less a limit leaves to spare; the square of
/// what is used agrees with the simulator from 30 to 100 %.
fn paced(climber: &Climber, depth: f64, per_second: f64, others: &[Others]) -> State {
    let mut state = climber.climb(depth, per_second, others);
    let full = climber.climb(depth, f64::INFINITY, others);
    if state.rate < per_second || full.rate <= state.rate {
        return state;
    }
    let busy = |i: usize| state.rate * climber.needs[i].work / climber.needs[i].copies + others[i].busy;
    let Some(place) = (0..climber.needs.len()).max_by(|&a, &b| busy(a).total_cmp(&busy(b))) else { return state };
    let used = busy(place).min(1.0);
    let rate = full.rate.min(climber.left(others)).max(state.rate);
    let longer = (depth / rate - climber.times(&state.waits, state.rate, others).0).max(0.0) * used * used;
    state.waits[place] += longer / climber.needs[place].tasks.clamp(1e-9, 1.0);
    state.n = state.rate * climber.times(&state.waits, state.rate, others).0;
    state
}

/// Members of a volume are as uneven as all its loads together make them.
fn with_uneven(mut climbers: Vec<Climber>) -> Vec<Climber> {
    let all: Vec<Vec<f64>> = climbers
        .iter()
        .map(|own| {
            let of = |i: usize| {
                let same = climbers.iter().filter(|other| other.class.volume == own.class.volume);
                let here = same.filter_map(|other| {
                    let j = other.needs.iter().position(|need| need.station == own.needs[i].station)?;
                    Some((other.uneven_work(j) * other.weight(), other.needs[j].work * other.weight()))
                });
                let (uneven, work) = here.fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
                if work > 0.0 { uneven / work } else { 0.0 }
            };
            (0..own.needs.len()).map(of).collect()
        })
        .collect();
    for (climber, uneven) in climbers.iter_mut().zip(all) {
        climber.uneven = uneven;
    }
    climbers
}

impl Equilibrium<'_> {
    /// What the other classes do at the stations of each.
    fn around_all(&self) -> Vec<Vec<Others>> {
        let shares: Vec<Vec<Share>> = self.gates.iter().map(|lanes| shares(lanes)).collect();
        (0..self.climbers.len()).map(|k| self.around(k, &shares)).collect()
    }

    /// What the other classes do at the stations of one; `shares` are those of each volume at each station.
    fn around(&self, k: usize, shares: &[Vec<Share>]) -> Vec<Others> {
        let own = &self.climbers[k];
        let all = || self.climbers.iter().zip(&self.states).enumerate().filter(move |(j, _)| *j != k);
        let at = |station: usize, fair: bool| {
            let mut others = Others::default();
            for (_, (climber, state)) in all() {
                let here = climber.needs.iter().position(|need| need.station == station);
                let Some(i) = here else { continue };
                let need = &climber.needs[i];
                let (flow, busy) = (state.rate * need.tasks / need.copies, state.rate * need.work / need.copies);
                let residual = state.rate * need.squares / 2.0 / need.copies;
                let is_own = climber.class.volume == own.class.volume;
                others.flow += flow;
                if is_own {
                    others.flow_of_volume += flow;
                    others.busy_of_volume += busy;
                    others.residual_of_volume += residual;
                }
                others.residual += residual;
                others.busy += busy;
                if is_own || !fair {
                    others.backlog += busy * state.waits[i];
                }
            }
            let lanes = &self.gates[station];
            let place = lanes.iter().position(|lanes| lanes.volume == own.class.volume);
            others.share = place.map(|place| Share { level: lanes[place].level, ..shares[station][place] });
            others
        };
        own.needs.iter().map(|need| at(need.station, need.fair)).collect()
    }

    /// What each lane gets of the gates that volumes share, when all use what they do now; how much that moved.
    fn share(&mut self, network: &Network, step: f64) -> f64 {
        let mut moved = 0.0f64;
        for station in (0..network.stations.len()).filter(|&station| network.stations[station].fair) {
            let mut lanes = self.lanes(station);
            if lanes.len() > 1 {
                let levels: Vec<f64> = shares(&lanes).iter().map(|share| share.level).collect();
                for (lanes, level) in lanes.iter_mut().zip(levels) {
                    moved = moved.max((level / lanes.level - 1.0).abs());
                    lanes.level += (level - lanes.level) * step;
                }
                self.gates[station] = lanes;
            }
        }
        moved
    }

    /// The lanes of each volume at a station, with what they use now and got last.
    fn lanes(&self, station: usize) -> Vec<Lanes> {
        let mut all: Vec<Lanes> = Vec::new();
        for (climber, state) in self.climbers.iter().zip(&self.states) {
            let Some(need) = climber.needs.iter().find(|need| need.station == station) else { continue };
            let (volume, count, one) = (climber.class.volume, climber.class.lanes, need.work / need.tasks);
            let lanes = Lanes {
                volume,
                count,
                busy: state.rate * need.work / need.copies / count,
                one,
                is_alike: (need.squares / need.tasks - one * one).abs() <= 1e-6 * one * one,
                level: self.gates[station].iter().find(|lanes| lanes.volume == volume).map_or(1.0, |lanes| lanes.level),
            };
            match all.iter_mut().find(|other| other.volume == volume) {
                Some(other) => other.join(lanes),
                None => all.push(lanes),
            }
        }
        all
    }

    /// A class among what the others did last.
    fn step(&self, k: usize) -> State {
        let (climber, others) = (&self.climbers[k], &self.others[k]);
        match climber.class.flow {
            Flow::Closed { queue_depth } => climber.climb(f64::from(queue_depth).min(DEPTH_MAX), f64::INFINITY, others),
            Flow::Paced { queue_depth, per_second } => {
                paced(climber, f64::from(queue_depth).min(DEPTH_MAX), per_second, others)
            }
            Flow::Open { per_second } => {
                let rate = per_second.min(climber.ceiling());
                State { n: 0.0, rate, waits: climber.random(rate * 0.9999, others) }
            }
        }
    }

    /// Share of each station that is used.
    fn used(&self, stations: usize, states: &[State]) -> Vec<f64> {
        let mut busy = vec![0.0; stations];
        for (climber, state) in self.climbers.iter().zip(states) {
            for need in &climber.needs {
                busy[need.station] += state.rate * need.work / need.copies;
            }
        }
        busy
    }

    /// Holds all to what these limits give.
    fn hold(&self, network: &Network, states: &mut [State], of: impl Fn(usize) -> bool) {
        let mut held: Vec<Option<usize>> = vec![None; states.len()];
        for _ in 0..ROUNDS {
            let busy = self.used(network.stations.len(), states);
            let is_over = |station: &usize| busy[*station] > 1.0 + 1e-9 && of(*station);
            // Private limits first: what they hold back leaves room at the gates.
            let over = (0..busy.len()).filter(is_over).min_by_key(|&station| network.stations[station].fair);
            let Some(station) = over else { break };
            let shares = self.shares(network, station, states);
            // At a gate the loads of one volume share its lanes; at a disk all that come there are in one line.
            let line = |k: usize| network.stations[station].fair.then(|| self.climbers[k].class.volume);
            for k in (0..states.len()).filter(|&k| shares[k] < 1.0) {
                let members: Vec<bool> = (0..states.len()).map(|j| line(j) == line(k)).collect();
                let is_first = (0..k).all(|j| !members[j] || shares[j] >= 1.0);
                if is_first && !self.make_all_wait(station, states, &members, shares[k]) {
                    for j in (0..states.len()).filter(|&j| members[j] && shares[j] < 1.0) {
                        states[j].rate *= shares[j];
                        held[j] = Some(station);
                    }
                }
            }
        }
        for (k, station) in held.into_iter().enumerate() {
            if let Some(station) = station {
                self.make_wait(k, station, &mut states[k]);
            }
        }
    }

    /// Makes the loops that are in one line at a station wait there alike until they use such a share of what they do; whether that is
    /// enough.
    fn make_all_wait(&self, station: usize, states: &mut [State], members: &[bool], share: f64) -> bool {
        let at = |k: usize| self.climbers[k].needs.iter().position(|need| need.station == station);
        let place = |k: usize| at(k).filter(|_| members[k]);
        let is_loop = |k: usize| !matches!(self.climbers[k].class.flow, Flow::Open { .. });
        let with = |extra: f64, states: &[State]| -> Vec<f64> {
            let rate = |(k, state): (usize, &State)| match place(k) {
                Some(i) if is_loop(k) && state.rate > 0.0 => {
                    1.0 / (1.0 / state.rate + self.climbers[k].needs[i].tasks.min(1.0) * extra / state.n.max(1.0))
                }
                _ => state.rate,
            };
            states.iter().enumerate().map(rate).collect()
        };
        let carried = |rates: &[f64]| {
            let of = |k: usize| {
                place(k).map_or(0.0, |i| rates[k] * self.climbers[k].needs[i].work / self.climbers[k].needs[i].copies)
            };
            (0..rates.len()).map(of).sum::<f64>()
        };
        let now: Vec<f64> = states.iter().map(|state| state.rate).collect();
        let most = carried(&now) * share;
        let (mut low, mut high) = (0.0, 1e-6);
        while carried(&with(high, states)) > most {
            high *= 2.0;
            if high > 1e4 {
                return false;
            }
        }
        for _ in 0..50 {
            let middle = (low + high) / 2.0;
            if carried(&with(middle, states)) > most { low = middle } else { high = middle }
        }
        let rates = with(high, states);
        for (k, (state, rate)) in states.iter_mut().zip(rates).enumerate() {
            if let Some(i) = place(k).filter(|_| rate < state.rate) {
                state.waits[i] += high;
                state.rate = rate;
            }
        }
        true
    }

    /// What part of its rate each class keeps so that a station carries no more than it can.
    fn shares(&self, network: &Network, station: usize, states: &[State]) -> Vec<f64> {
        let used = |k: usize| {
            let needs = self.climbers[k].needs.iter().filter(|need| need.station == station);
            needs.map(|need| states[k].rate * need.work / need.copies).sum::<f64>()
        };
        let all: Vec<f64> = (0..states.len()).map(used).collect();
        let total: f64 = all.iter().sum();
        if !network.stations[station].fair {
            return all.iter().map(|used| if *used > 0.0 { 1.0 / total } else { 1.0 }).collect();
        }
        // Lanes are of volumes: what each of a volume's lanes asks.
        let volume = |k: usize| self.climbers[k].class.volume;
        let lanes = |k: usize| self.climbers[k].class.lanes;
        let asks =
            |k: usize| (0..all.len()).filter(|&j| volume(j) == volume(k)).map(|j| all[j]).sum::<f64>() / lanes(k);
        let carried = |level: f64| {
            (0..all.len()).map(|k| all[k] * (level / asks(k)).min(1.0)).filter(|c| c.is_finite()).sum::<f64>()
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let level = (low + high) / 2.0;
            if carried(level) <= 1.0 { low = level } else { high = level }
        }
        (0..all.len()).map(|k| if all[k] > 0.0 { (low / asks(k)).min(1.0) } else { 1.0 }).collect()
    }

    /// A closed loop that is held at a station waits there with all that is outstanding and not elsewhere.
    fn make_wait(&self, k: usize, station: usize, state: &mut State) {
        let (climber, others) = (&self.climbers[k], &self.others[k]);
        let Some(i) = climber.needs.iter().position(|need| need.station == station) else { return };
        let outstanding = match climber.class.flow {
            Flow::Closed { queue_depth } | Flow::Paced { queue_depth, .. } => f64::from(queue_depth),
            Flow::Open { .. } => return,
        };
        let likely = climber.needs[i].tasks.clamp(1e-9, 1.0);
        for _ in 0..40 {
            let missing = outstanding / state.rate - climber.times(&state.waits, state.rate, others).0;
            if missing.abs() * state.rate < 1e-6 * outstanding {
                break;
            }
            state.waits[i] = (state.waits[i] + missing / likely).max(0.0);
        }
    }
}
