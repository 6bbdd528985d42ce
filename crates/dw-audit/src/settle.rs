//! What a recording makes of findings.
//!
//! A finding hangs on something that a recording shows ([`Stake`]): a rate that the load may reach, what a disk sustains, what its I/Os are. Where the
//! load stands there for a hundredth of the time or more, the finding is certain; where it stays below four fifths of it for a week, the finding is
//! less, or goes. What becomes of it is its rule's row's to say ([`Settles`]). Anything else is told and changes nothing: a shorter recording, for
//! loads differ between days of the week, and disks of which nothing is recorded.
//!
//! What is certain counts disks without a host cache alone, for what a guest asks of others its cache may serve; what is never reached counts all, and
//! those of which nothing is recorded by the most that they give.
//!
//! Credits: a disk earns what it does not use of its base rate, up to what it can save, and spends what it uses beyond it; full at first.
//!
//! Ignores: peaks within an interval, which its mean hides (the fifth that is left is for those); time between recordings.

use dw_documents::audit::{Confidence, Finding, Level};
use dw_documents::format;
use dw_messages::{Figure, Sentence, say};
use dw_stack::{BurstSpec, RateSpec};

use crate::case::{Case, DiskCase};
use crate::figures::{rate, time};
use crate::finding::Stake;
use crate::recorded::{Asked, Recorded};
use crate::rule::{Found, Settles, Then};

/// A load stands at a limit from this share of it on: means of intervals are a little below what they stand at.
const STANDS: f64 = 0.95;
/// For this share of the time or more.
const OFTEN: f64 = 0.01;
/// Below this share of a limit a load is never near it.
pub(crate) const NEAR: f64 = 0.8;
/// Credits that never fall below this share of their most are never near their end.
const SPARE: f64 = 0.5;
/// Reads of a log, and of what is none, as shares of its I/Os.
const FEW_READS: f64 = 0.1;
const MANY_READS: f64 = 0.5;
/// A week has every day of it; a tenth of it may be missing.
const LONG_NS: u64 = 7 * 86_400_000_000_000 / 10 * 9;

/// What a recording says of what a finding hangs on.
enum Shown {
    /// The load stands there.
    At(Sentence),
    /// It never comes near it.
    Far(Sentence),
    /// Neither, or that is not known.
    Open(Sentence),
}

/// Whether so much time shows that something never happens.
pub(crate) fn is_long(covered: u64) -> bool {
    covered >= LONG_NS
}

/// Changes what was found by what was recorded; returns what goes.
pub fn settle(found: &mut Found) -> Vec<Finding> {
    let (case, settles) = (found.case, found.rule.settles);
    let (Some(recorded), Some(settles)) = (case.recorded, settles) else { return Vec::new() };
    let mut gone = Vec::new();
    for (mut finding, stake) in std::mem::take(&mut found.all).into_iter().zip(std::mem::take(&mut found.stakes)) {
        // What a limit that is only likely keeps it from being, a load far from that limit does not make it.
        let stays_likely = found.rule.confidence == Confidence::Certain && finding.confidence == Confidence::Likely;
        let shown = stake.map(|stake| shown(case, recorded, &stake));
        let is_far = matches!(shown, Some(Shown::Far(_)));
        let is_gone = shown.is_some_and(|shown| is_ended(&mut finding, shown, settles));
        if is_far && stays_likely {
            finding.confidence = Confidence::Likely;
        }
        if is_gone { gone.push(finding) } else { found.all.push(finding) }
    }
    gone
}

fn is_ended(finding: &mut Finding, shown: Shown, settles: Settles) -> bool {
    let (seen, then) = match shown {
        Shown::At(seen) => (seen, settles.at),
        Shown::Far(seen) => (seen, settles.far),
        Shown::Open(seen) => {
            finding.seen = Some(seen);
            return false;
        }
    };
    finding.seen = Some(seen);
    finding.confidence = Confidence::Certain;
    match then {
        Then::Stays => {}
        Then::Note => finding.level = Level::Note,
        Then::Warning => finding.level = Level::Warning,
        Then::Goes => return true,
    }
    false
}

fn shown(case: &Case, recorded: &Recorded, stake: &Stake) -> Shown {
    match stake {
        Stake::Rate { disks, quantity, limit } => {
            let disks: Vec<&DiskCase> = disks.iter().map(|place| &case.disks[*place]).collect();
            of_rate(recorded, &disks, *quantity, *limit)
        }
        Stake::Disk(place) => of_disk(recorded, &case.disks[*place]),
        Stake::Reads(place) => of_reads(recorded, &case.disks[*place]),
    }
}

/// Whether disks together reach a rate.
fn of_rate(recorded: &Recorded, disks: &[&DiskCase], quantity: usize, limit: u64) -> Shown {
    let keys = |disks: &[&DiskCase]| recorded.asked(&disks.iter().map(|disk| disk.key()).collect::<Vec<_>>(), quantity);
    let all = keys(disks);
    let unrecorded: Vec<&&DiskCase> =
        disks.iter().filter(|disk| all.missing.iter().any(|one| **one == *disk.key())).collect();
    let names: Vec<&str> = unrecorded.iter().map(|disk| disk.name()).collect();
    if all.intervals.is_empty() {
        return Shown::Open(if names.is_empty() {
            say!(EstateSeenLacks)
        } else {
            say!(EstateSeenNone { disks: names })
        });
    }
    let plain: Vec<&DiskCase> = disks.iter().copied().filter(|disk| disk.cache() == Some(Default::default())).collect();
    let surely = keys(&plain);
    let at = surely.at_least(limit as f64 * STANDS);
    if at > 0 {
        return often(at, surely.covered(), |share| {
            say!(EstateSeenAt {
                limit: rate(quantity, limit),
                share,
                time: time(surely.covered()),
                interval: interval(&surely)
            })
        });
    }
    let most = || rate(quantity, all.most().round() as u64);
    let seen = say!(EstateSeenMost {
        most: most(),
        limit: rate(quantity, limit),
        time: time(all.covered()),
        interval: interval(&all)
    });
    let gives = |disk: &DiskCase| disk.bursts_to().map(|rates| rates[quantity]);
    let others = unrecorded.iter().try_fold(0_u64, |sum, disk| Some(sum.saturating_add(gives(disk)?)));
    let is_far = others.is_some_and(|others| all.most() + others as f64 <= limit as f64 * NEAR);
    match (is_far, names.is_empty()) {
        (true, _) => settled(seen, all.covered()),
        (false, true) => Shown::Open(seen),
        (false, false) => Shown::Open(say!(EstateSeenWithout { seen, disks: names })),
    }
}

/// At it, where that is for more than a moment.
fn often(at: u64, covered: u64, says: impl FnOnce(Figure) -> Sentence) -> Shown {
    let share = at as f64 / covered.max(1) as f64;
    let seen = says(percent(share));
    if share >= OFTEN { Shown::At(seen) } else { Shown::Open(seen) }
}

/// Never near it, where the recording is long enough to say so.
fn settled(seen: Sentence, covered: u64) -> Shown {
    if is_long(covered) { Shown::Far(seen) } else { Shown::Open(say!(EstateSeenShort { seen })) }
}

/// Whether a disk is asked for more than it sustains, I/Os or bytes.
fn of_disk(recorded: &Recorded, disk: &DiskCase) -> Shown {
    let of = |quantity: usize| {
        let limit = disk.limits()[quantity]?;
        match limit.burst {
            Some(burst) => Some(of_credits(recorded, disk, quantity, limit, burst)),
            None => Some(of_rate(recorded, &[disk], quantity, limit.rate)),
        }
    };
    let both = [of(0), of(1)].into_iter().flatten();
    // The graver of the two, and of those that are as grave the first.
    let grave = |shown: &Shown| match shown {
        Shown::At(_) => 0,
        Shown::Open(_) => 1,
        Shown::Far(_) => 2,
    };
    both.min_by_key(grave).unwrap_or_else(|| Shown::Open(say!(EstateSeenLacks)))
}

fn of_credits(recorded: &Recorded, disk: &DiskCase, quantity: usize, limit: RateSpec, burst: BurstSpec) -> Shown {
    let asked = recorded.asked(&[disk.key()], quantity);
    if asked.intervals.is_empty() {
        return match asked.missing.is_empty() {
            true => Shown::Open(say!(EstateSeenLacks)),
            false => Shown::Open(say!(EstateSeenNone { disks: vec![disk.name()] })),
        };
    }
    let (spent, least) = credits(&asked, limit.rate, burst.credits);
    let covered = asked.covered();
    if spent > 0 && disk.cache() == Some(Default::default()) {
        return often(spent, covered, |share| {
            say!(EstateSeenSpent { share, time: time(covered), interval: interval(&asked) })
        });
    }
    let seen = say!(EstateSeenCredits { least: percent(least), time: time(covered), interval: interval(&asked) });
    if least >= SPARE { settled(seen, covered) } else { Shown::Open(seen) }
}

/// Nanoseconds in which credits are spent, and the least that is left of them as a share of their most.
fn credits(asked: &Asked, base: u64, most: u64) -> (u64, f64) {
    let most = most.max(1) as f64;
    let (mut left, mut least, mut spent) = (most, most, 0);
    for (span, rate) in &asked.intervals {
        left = (left + (base as f64 - rate) * (*span as f64 / 1e9)).clamp(0.0, most);
        least = least.min(left);
        if left <= 0.0 {
            spent += span;
        }
    }
    (spent, least / most)
}

fn of_reads(recorded: &Recorded, disk: &DiskCase) -> Shown {
    let Some((share, covered)) = recorded.reads(disk.key()) else { return Shown::Open(say!(EstateSeenLacks)) };
    let seen = say!(EstateSeenReads { share: percent(share), time: time(covered) });
    match share {
        share if share < FEW_READS => Shown::At(seen),
        share if share >= MANY_READS => settled(seen, covered),
        _ => Shown::Open(seen),
    }
}

fn percent(share: f64) -> Figure {
    Figure::new(share * 100.0, "%", format::percent(share * 100.0))
}

/// The usual length of its intervals.
pub(crate) fn interval(asked: &Asked) -> Figure {
    time(asked.covered() / asked.intervals.len().max(1) as u64)
}

impl Settles {
    /// For lists of rules.
    pub fn words(self) -> String {
        let word = |then: Then| match then {
            Then::Stays => "it is certain",
            Then::Note => "a note",
            Then::Warning => "a warning",
            Then::Goes => "it goes",
        };
        format!(
            "where a recording stands at it: {}; where a week of it never comes near it: {}",
            word(self.at),
            word(self.far)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credits_are_spent_and_earned_as_a_disk_does() {
        const MINUTE: u64 = 60_000_000_000;
        // 500 IOPS, 3,500 for half an hour: 5,400,000 credits.
        // What is asked for so many minutes, minutes without credits, the least that is left.
        type Case = (&'static str, &'static [(u64, f64)], u64, f64);
        let cases: [Case; 5] = [
            ("at its base", &[(60, 500.0)], 0, 1.0),
            ("half an hour of it", &[(30, 3500.0)], 1, 0.0),
            ("a minute less", &[(29, 3500.0)], 0, 1.0 / 30.0),
            ("steadily beyond, as it is throttled", &[(30, 3500.0), (60, 500.0)], 61, 0.0),
            ("idle again", &[(15, 3500.0), (90, 0.0), (15, 3500.0)], 0, 0.5),
        ];
        for (name, runs, spent, least) in cases {
            let intervals = runs.iter().flat_map(|(minutes, rate)| (0..*minutes).map(|_| (MINUTE, *rate)));
            let asked = Asked { intervals: intervals.collect(), missing: Vec::new() };
            let (time, left) = credits(&asked, 500, 5_400_000);
            assert!(time == spent * MINUTE && (left - least).abs() < 1e-9, "{name}: {time} {left}");
        }
    }
}
