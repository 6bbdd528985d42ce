//! Whether the host keeps up with the model, and how far to trust a run in which it did not.
//!
//! What counts is what a client would notice. Its latency is the model's and what it was answered late by; the host keeps up while
//! the 99th percentile of that is the model's own, and few completions are *late*: more than max(50 µs, a tenth of their latency)
//! after they were due, which is less than an emulator promises. A completion is *slowed by the host* when reading or writing its
//! bytes on this machine took longer than the modelled disk would have taken for all of it. A 99th percentile that is off by more
//! than that allowance, or more than one in twenty completions late or slowed, and the run is not to be trusted, and says so.
//!
//! Source: the bounds are ours, from timers on shared machines: 5 to 70 µs late at the 99th percentile where nothing else
//! runs, tens of milliseconds where the host takes the processor away.
//!
//! Ignores: time that a reply waits because its client does not read.
//!
//! Invariant: `late` and `host_slower` are at most `completions`.

use dw_documents::format::milliseconds;
use dw_messages::{Figure, Sentence, say};
use dw_units::Duration;
use hdrhistogram::Histogram;

use crate::status::{LatenessStatus, Verdict};

/// Later than this is late, whatever the latency: what a timer and a wake-up cost on a machine that keeps up.
const ALLOWED: Duration = Duration::from_us(50);
/// Later than this part of the latency is late, where that is more.
const ALLOWED_PART: u64 = 10;
/// Fewer completions than this prove nothing.
const ENOUGH: u64 = 100;
const TOO_MANY: u64 = 20;
/// Fewer have no 99th percentile that one stall would not move.
const ENOUGH_FOR_P99: u64 = 1_000;
/// Longest lateness told apart from longer ones.
const LONGEST_NS: u64 = 3_600 * dw_units::NS_PER_SECOND;

/// How much later than `modelled` somebody may be answered: what an emulator promises.
fn allowed(modelled: Duration) -> Duration {
    ALLOWED.max(Duration::from_ns(modelled.ns() / ALLOWED_PART))
}

/// Whether a client that saw one of these percentiles would notice that the model has the other.
pub fn is_noticed(modelled: Duration, seen: Duration) -> bool {
    // Histograms of three digits know a percentile to two parts in a thousand.
    let most = (modelled + allowed(modelled)).ns();
    seen.ns() > most + most / 500
}

/// What was late.
#[derive(Clone, Debug)]
pub struct Lateness {
    by: Histogram<u64>,
    modelled: Histogram<u64>,
    seen: Histogram<u64>,
    completions: u64,
    late: u64,
    host_slower: u64,
}

impl Default for Lateness {
    fn default() -> Self {
        // Two digits: 1 % of a lateness is nobody's concern.
        let by = Histogram::new_with_bounds(1, LONGEST_NS, 2).expect("the bounds are constant and in order");
        // Three digits from 1 µs: what is compared must not differ by how it is kept.
        let latency =
            || Histogram::new_with_bounds(1_000, LONGEST_NS, 3).expect("the bounds are constant and in order");
        Lateness { by, modelled: latency(), seen: latency(), completions: 0, late: 0, host_slower: 0 }
    }
}

impl Lateness {
    /// A completion, of this latency in the model, that its client saw `late` after it was due.
    pub fn record(&mut self, latency: Duration, late: Duration) {
        self.completions += 1;
        self.late += u64::from(late > allowed(latency));
        self.by.saturating_record(late.ns());
        self.modelled.saturating_record(latency.ns());
        self.seen.saturating_record((latency + late).ns());
    }

    /// `count` of the completions had bytes that took this machine longer than the model allows for the whole.
    pub fn host_slower(&mut self, count: u64) {
        self.host_slower += count;
    }

    /// Resets the counters.
    pub fn reset(&mut self) {
        *self = Lateness::default();
    }

    /// The figures, and what they come to.
    pub fn status(&self) -> LatenessStatus {
        let at = |quantile| if self.completions == 0 { 0 } else { self.by.value_at_quantile(quantile) };
        let ((modelled, seen), doubts) = (self.p99(), self.doubts());
        let verdict = match (doubts.is_empty(), self.completions < ENOUGH) {
            (false, _) => Verdict::Doubted,
            (true, true) => Verdict::Open,
            (true, false) => Verdict::Kept,
        };
        LatenessStatus {
            verdict,
            sentence: self.sentence(verdict),
            modelled_p99_ns: modelled.ns(),
            seen_p99_ns: seen.ns(),
            completions: self.completions,
            late: self.late,
            p50_ns: at(0.5),
            p99_ns: at(0.99),
            max_ns: self.by.max(),
            host_slower: self.host_slower,
            doubts,
        }
    }

    /// The 99th percentile that the model has, and the one that clients saw.
    fn p99(&self) -> (Duration, Duration) {
        let of = |all: &Histogram<u64>| if all.is_empty() { 0 } else { all.value_at_quantile(0.99) };
        (Duration::from_ns(of(&self.modelled)), Duration::from_ns(of(&self.seen)))
    }

    fn doubts(&self) -> Vec<Sentence> {
        let mut doubts = Vec::new();
        let (modelled, seen) = self.p99();
        if self.completions >= ENOUGH_FOR_P99 && is_noticed(modelled, seen) {
            doubts.push(say!(LateTail { seen: time(seen.ns()), modelled: time(modelled.ns()) }));
        }
        if self.is_too_many(self.late) {
            let by = |quantile| time(self.by.value_at_quantile(quantile));
            let share = percent(self.late, self.completions);
            doubts.push(say!(LateMany { share, half: by(0.5), hundredth: by(0.99) }));
        }
        if self.is_too_many(self.host_slower) {
            doubts.push(say!(LateHost { share: percent(self.host_slower, self.completions) }));
        }
        doubts
    }

    fn is_too_many(&self, count: u64) -> bool {
        self.completions >= ENOUGH && count * TOO_MANY > self.completions
    }

    /// The verdict with the figures that it follows from: made here once, so that whoever shows it says the same.
    fn sentence(&self, verdict: Verdict) -> Sentence {
        let (completions, share) = (self.completions, percent(self.late, self.completions));
        let (modelled, seen) = self.p99();
        let (seen, modelled) = (time(seen.ns()), time(modelled.ns()));
        match verdict {
            Verdict::Open => say!(TrustOpen { completions }),
            Verdict::Kept => say!(TrustKept { share, completions, seen, modelled }),
            Verdict::Doubted => say!(TrustDoubted { share, completions, seen, modelled }),
        }
    }
}

fn percent(part: u64, all: u64) -> Figure {
    Figure::decimal(part as f64 * 100.0 / all.max(1) as f64, 1, "%")
}

fn time(ns: u64) -> Figure {
    Figure::new(ns as f64, "ns", format!("{} ms", milliseconds(ns as f64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records `late` of `all` completions of `latency` as late by `by`; returns how many doubts there are.
    fn check(all: u64, late: u64, latency: Duration, by: Duration) -> usize {
        let mut lateness = Lateness::default();
        for n in 0..all {
            lateness.record(latency, if n < late { by } else { Duration::from_us(5) });
        }
        lateness.status().doubts.len()
    }

    #[test]
    fn what_a_client_would_notice_is_the_bound() {
        let (ms, us) = (Duration::from_ms, Duration::from_us);
        let cases = [
            ("none late", 1_000, 0, ms(1), ms(9), 0),
            ("one in a hundred: the 99th percentile is the model's", 1_000, 10, ms(1), ms(9), 0),
            ("one more: it is 10 ms instead of 1 ms", 1_000, 11, ms(1), ms(9), 1),
            ("exactly one in twenty, of too few for a percentile", 900, 45, ms(1), ms(9), 0),
            ("one more", 900, 46, ms(1), ms(9), 1),
            ("both", 1_000, 51, ms(1), ms(9), 2),
            ("all by 50 µs", 1_000, 1_000, us(100), us(50), 0),
            ("all by 51 µs", 1_000, 1_000, us(100), us(51), 2),
            ("all by a tenth of a long latency", 1_000, 1_000, ms(10), ms(1), 0),
            ("all by more than a tenth of it", 1_000, 1_000, ms(10), us(1_050), 2),
            ("too few to say", 99, 99, ms(1), ms(9), 0),
        ];
        for (name, all, late, latency, by, doubts) in cases {
            assert_eq!(check(all, late, latency, by), doubts, "{name}");
        }
    }

    /// Figures of a run whose host was said to keep up: half of all answers within 0.1 ms, one in thirty late by 6 ms.
    #[test]
    fn a_tail_that_fio_sees_and_the_model_has_not_is_no_keeping_up() {
        let mut lateness = Lateness::default();
        for n in 0..30_000u64 {
            let late = if n % 30 == 0 { Duration::from_us(6_200) } else { Duration::from_us(40) };
            lateness.record(Duration::from_us(2_000 + n % 3_700), late);
        }
        let status = lateness.status();
        assert!(status.late * TOO_MANY < status.completions, "{status:?}");
        assert!(status.seen_p99_ns > status.modelled_p99_ns + 1_000_000, "{status:?}");
        assert_eq!(status.verdict, Verdict::Doubted, "{status:?}");
        assert!(status.doubts[0].text.starts_with("clients saw a 99th percentile of "), "{status:?}");
    }

    #[test]
    fn the_verdict_is_said_with_its_figures() {
        let ms = Duration::from_ms;
        let cases = [
            (0, 0, Verdict::Open, "nothing completed yet: too little to judge this machine"),
            (1, 1, Verdict::Open, "1 completion: too few to judge this machine"),
            (99, 99, Verdict::Open, "99 completions: too few to judge this machine"),
            (
                100,
                5,
                Verdict::Kept,
                "this machine keeps up: 5.0 % of 100 completions late by more than 50 µs and a tenth of their latency; \
                 99th percentile 10.0 ms as clients see it, 1.00 ms in the model",
            ),
            (
                100,
                6,
                Verdict::Doubted,
                "UNRELIABLE RUN: 6.0 % of 100 completions late by more than 50 µs and a tenth of their latency; \
                 99th percentile 10.0 ms as clients see it, 1.00 ms in the model",
            ),
        ];
        for (all, late, verdict, text) in cases {
            let mut lateness = Lateness::default();
            (0..all).for_each(|n| lateness.record(ms(1), if n < late { ms(9) } else { Duration::ZERO }));
            let status = lateness.status();
            assert_eq!((status.verdict, &*status.sentence.text), (verdict, text), "{all}, {late}");
            assert_eq!(status.doubts.is_empty(), verdict != Verdict::Doubted, "{status:?}");
        }
        for verdict in Verdict::ALL {
            assert_eq!(serde_json::to_value(verdict).unwrap(), verdict.name());
        }
    }

    #[test]
    fn a_slow_disk_of_the_host_is_a_doubt_of_its_own() {
        let mut lateness = Lateness::default();
        for _ in 0..1_000 {
            lateness.record(Duration::from_ms(1), Duration::ZERO);
        }
        lateness.host_slower(60);
        let status = lateness.status();
        assert_eq!((status.completions, status.late, status.host_slower), (1_000, 0, 60));
        assert!(
            status.doubts[0].text.starts_with("for 6.0 % of requests this machine's own disk"),
            "{:?}",
            status.doubts
        );
        lateness.reset();
        assert_eq!(lateness.status(), LatenessStatus::default());
    }
}
