//! A gate that several volumes share fairly: what a lane gets of it while it has something to send.
//!
//! Start-time fair queueing gives each lane with something to send as much as any other, so a lane that shares with `N` others gets
//! `1 / (1 + N)` of the gate: to its own requests it is like a private limit of that rate, its *level*. Lanes are taken to be active
//! independently of each other, each for the part of the time that it uses of its level:
//!
//! ```text
//! level = E[1 / (1 + N)]        p = use / level        N = how many of the others are active, each with its p
//! ```
//!
//! All together then use `Σ p level = 1 − Π (1 − p)`, which is the whole gate as soon as one lane always has something to send: max-min
//! shares, with lanes that are short for a part of the time in between. A lane with nothing to catch up on is served next; it waits for
//! what is left of the request that is under way, behind others that are as short as it is.
//!
//! Lanes with requests of one size march in step, and of lanes that are level the first by number is served first: one of a volume that
//! comes later waits for half a round of them.

use dw_stack::VolumeId;

/// The lanes of a volume, which are alike.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lanes {
    pub(crate) volume: VolumeId,
    pub(crate) count: f64,
    /// Share of the gate that each uses.
    pub(crate) busy: f64,
    /// Seconds of the gate for one request, and whether all take as long.
    pub(crate) one: f64,
    pub(crate) is_alike: bool,
    /// Share of the gate that each gets while it has something to send.
    pub(crate) level: f64,
}

/// What a volume meets at a gate that it shares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    pub(crate) level: f64,
    /// How likely a lane of another volume has something to send.
    pub(crate) taken: f64,
    /// Share of the gate that the others use as far as they have nothing to catch up on.
    pub(crate) light: f64,
    /// Seconds of lanes that are served first because of their numbers.
    pub(crate) ties: f64,
}

impl Lanes {
    /// The same lanes with another load of their volume.
    pub(crate) fn join(&mut self, more: Lanes) {
        let busy = self.busy + more.busy;
        self.is_alike &= more.is_alike && (self.one - more.one).abs() <= 1e-6 * self.one;
        if busy > 0.0 {
            self.one = (self.one * self.busy + more.one * more.busy) / busy;
        }
        self.busy = busy;
    }

    /// Part of the time in which a lane has something to send.
    fn active(&self) -> f64 {
        (self.busy / self.level).min(1.0)
    }
}

/// What each volume meets.
pub(crate) fn shares(all: &[Lanes]) -> Vec<Share> {
    // Those before it, which it shares with all that come after it.
    let mut before = Active::none();
    let mut shares = Vec::with_capacity(all.len());
    for (place, lanes) in all.iter().enumerate() {
        shares.push(share(all, place, before.clone()));
        before.join(lanes.count, lanes.active());
    }
    shares
}

/// What the volume at `place` meets; `active` are the lanes of those before it.
fn share(all: &[Lanes], place: usize, mut active: Active) -> Share {
    let own = all[place];
    let others = || all.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, lanes)| lanes);
    for lanes in &all[place + 1..] {
        active.join(lanes.count, lanes.active());
    }
    let taken = 1.0 - active.probability_of_none();
    active.join(own.count - 1.0, own.active());
    let used = others().map(|lanes| lanes.count * lanes.busy).sum::<f64>().max(1.0);
    let tie = |lanes: &Lanes| {
        let round = (lanes.count * lanes.active() - 1.0).max(0.0) * lanes.one;
        lanes.count * lanes.busy / used * round / 2.0
    };
    Share {
        level: active.share_of_one_more(),
        taken,
        light: others().map(|lanes| lanes.count * lanes.busy * (1.0 - lanes.active())).sum(),
        ties: others().filter(|lanes| lanes.is_alike && lanes.volume < own.volume).map(tie).sum(),
    }
}

/// How many lanes have something to send: the probability of none, one, two ...
#[derive(Clone)]
struct Active(Vec<f64>);

impl Active {
    fn none() -> Active {
        Active(vec![1.0])
    }

    fn join(&mut self, count: f64, active: f64) {
        for _ in 0..count as u32 {
            let mut fewer = 0.0;
            for probability in &mut self.0 {
                let own = *probability;
                *probability = own * (1.0 - active) + fewer * active;
                fewer = own;
            }
            self.0.push(fewer * active);
        }
    }

    fn probability_of_none(&self) -> f64 {
        self.0[0]
    }

    fn share_of_one_more(&self) -> f64 {
        self.0.iter().zip(1u32..).map(|(probability, lanes)| probability / f64::from(lanes)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each volume's lanes at their level again and again, when each could use so much of the gate and no more than its level.
    fn levels(wants: &[(f64, f64)]) -> Vec<f64> {
        let lanes = |(volume, &(count, busy)): (u16, &(f64, f64))| {
            let volume = VolumeId(volume);
            Lanes { volume, count, busy, one: 1e-3, is_alike: true, level: 1.0 }
        };
        let mut all: Vec<Lanes> = (0..).zip(wants).map(lanes).collect();
        for _ in 0..200 {
            let next: Vec<f64> = shares(&all).iter().map(|share| share.level).collect();
            for ((lanes, level), (_, wants)) in all.iter_mut().zip(next).zip(wants) {
                lanes.level = (lanes.level + level) / 2.0;
                lanes.busy = wants.min(lanes.level);
            }
        }
        all.into_iter().map(|lanes| lanes.level).collect()
    }

    #[test]
    fn lanes_that_are_short_share_what_the_others_leave() {
        // Lanes and what each could use: what each gets.
        type Case<'a> = (&'a [(f64, f64)], &'a [f64]);
        let cases: [Case; 4] = [
            (&[(1.0, 1.0), (1.0, 1.0)], &[0.5, 0.5]),
            (&[(4.0, 1.0), (8.0, 1.0)], &[1.0 / 12.0, 1.0 / 12.0]),
            // The small one is there half of the time, and gets half of the gate then.
            (&[(1.0, 1.0), (1.0, 0.25)], &[0.75, 0.5]),
            (&[(1.0, 0.0), (1.0, 0.0)], &[1.0, 1.0]),
        ];
        for (wants, expected) in cases {
            let found = levels(wants);
            let is_near = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-6);
            assert!(is_near, "{wants:?}: {found:?}, expected {expected:?}");
        }
    }

    #[test]
    fn a_lane_that_always_has_something_to_send_leaves_nothing_unused() {
        for wants in [vec![(1.0, 1.0), (12.0, 0.01)], vec![(3.0, 1.0), (5.0, 0.05), (2.0, 0.1)]] {
            let found = levels(&wants);
            let used: f64 = wants.iter().zip(&found).map(|((count, wants), level)| count * wants.min(*level)).sum();
            assert!((used - 1.0).abs() < 1e-6, "{wants:?}: {used}");
        }
    }
}
