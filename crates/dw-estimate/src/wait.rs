//! The mean wait at one paced limit: the part of the estimate that has a closed form, in integers, for whoever has to decide exactly.
//!
//! ```text
//! at random     W = s ρ / (2 (1 − ρ))            s: interval of a request, ρ: share of the limit that is used
//! in sequence   W = (m − 1) / 2 × (s − 1 / λ)    m: requests in a row on one disk, λ: how many come a second
//! ```
//!
//! Requests that follow each other stay on one disk of a stripe until its unit ends: they wait there as soon as they come faster than that
//! one disk takes them, however little of all disks together is used.
//!
//! Source: Pollaczek and Khinchin for constant service, its own interval being no part of the wait (`climb.rs`).
//!
//! Ignores: loops that are full, which shorten the wait; above 99 % it is that of 99 %, where the queue depth decides.

/// A limit, or several alike among which requests are spread, and what passes it in a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrivals {
    /// Tokens a second of all of them.
    pub capacity: u64,
    pub alike: u64,
    /// Tokens that are asked for.
    pub tokens: u64,
    /// In how many requests.
    pub requests: u64,
    /// How many of them follow each other on one of those that are alike; 1 = they come at random.
    pub run: u64,
}

impl Arrivals {
    /// Mean wait of a request, in nanoseconds, rounded up.
    pub fn wait_ns(self) -> u64 {
        if self.run > 1 { self.in_sequence_ns() } else { self.at_random_ns() }
    }

    fn at_random_ns(self) -> u64 {
        let (capacity, tokens) = (u128::from(self.capacity), u128::from(self.tokens));
        if tokens == 0 || self.requests == 0 || capacity == 0 {
            return 0;
        }
        let used = tokens.min(capacity * 99 / 100);
        let left = capacity - used;
        // alike × (tokens / requests) / capacity seconds are the interval of one.
        let over = (u128::from(self.alike) * 1_000_000_000).saturating_mul(tokens).saturating_mul(used);
        let under = u128::from(self.requests).saturating_mul(capacity).saturating_mul(left * 2);
        u64::try_from(over.div_ceil(under.max(1))).unwrap_or(u64::MAX)
    }

    fn in_sequence_ns(self) -> u64 {
        let one_gives_less =
            (u128::from(self.alike) * u128::from(self.tokens)).saturating_sub(u128::from(self.capacity));
        let over = u128::from(self.run.saturating_sub(1)) * 1_000_000_000 * one_gives_less;
        let under = 2 * u128::from(self.requests) * u128::from(self.capacity);
        if under == 0 { 0 } else { u64::try_from(over.div_ceil(under)).unwrap_or(u64::MAX) }
    }

    /// The least capacity with which requests wait at most `wait_ns`.
    pub fn capacity_for(self, wait_ns: u64) -> Option<u64> {
        let holds = |capacity: u64| capacity > self.tokens && Arrivals { capacity, ..self }.wait_ns() <= wait_ns;
        let (mut low, mut high) = (self.tokens, self.tokens.max(1));
        while !holds(high) {
            high = high.checked_mul(2).filter(|&high| high < 1 << 50)?;
        }
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            if holds(middle) { high = middle } else { low = middle }
        }
        Some(high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_those_of_random_arrivals_at_a_constant_interval() {
        let at = |capacity, alike, tokens, requests| Arrivals { capacity, alike, tokens, requests, run: 1 }.wait_ns();
        let cases = [
            ("nothing is asked", at(5_000, 1, 0, 0), 0),
            ("half of 5,000", at(5_000, 1, 2_500, 2_500), 100_000),
            ("80 %", at(5_000, 1, 4_000, 4_000), 400_000),
            ("80 % of four disks", at(20_000, 4, 16_000, 16_000), 400_000),
            ("80 % of 200 MB/s at 64 KB", at(200_000_000, 1, 160_000_000, 2_500), 640_000),
            ("more than there is", at(5_000, 1, 9_000, 9_000), 9_900_000),
        ];
        for (name, found, expected) in cases {
            assert_eq!(found, expected, "{name}");
        }
    }

    /// The twin lets one request after the other come to its disk, which takes one each interval.
    fn in_sequence_slowly(each: f64, alike: usize, per_second: f64, run: usize) -> f64 {
        let (mut free_at, mut waited, requests) = (vec![0.0f64; alike], 0.0, 64 * alike * run);
        for request in 0..requests {
            let (at, disk) = (request as f64 / per_second, request / run % alike);
            let starts = free_at[disk].max(at);
            (waited, free_at[disk]) = (waited + starts - at, starts + 1.0 / each);
        }
        waited / requests as f64
    }

    #[test]
    fn requests_in_sequence_wait_where_one_disk_is_slower_than_they_come() {
        // Disks of 1,000 IOPS: how many, requests a second, requests in a row on one of them.
        for (alike, per_second, run) in [(4, 2_000, 8), (4, 900, 8), (8, 6_000, 16), (2, 1_500, 2), (16, 3_000, 4)] {
            let asked = Arrivals { capacity: 1_000 * alike, alike, tokens: per_second, requests: per_second, run };
            let slowly = in_sequence_slowly(1_000.0, alike as usize, per_second as f64, run as usize) * 1e9;
            let found = asked.in_sequence_ns() as f64;
            assert!((found - slowly).abs() <= 1.0, "{asked:?}: {found} ns, slowly {slowly} ns");
        }
    }

    #[test]
    fn the_least_capacity_is_the_least() {
        for (tokens, requests, wait, run) in [
            (4_000, 4_000, 400_000, 1),
            (160_000_000, 2_500, 640_000, 1),
            (1, 1, 1, 1),
            (7, 3, 50_000_000, 1),
            (2_000, 2_000, 400_000, 8),
        ] {
            let asked = Arrivals { capacity: 0, alike: 4, tokens, requests, run };
            let capacity = asked.capacity_for(wait).unwrap();
            let with = |capacity| Arrivals { capacity, ..asked }.wait_ns();
            assert!(with(capacity) <= wait && (capacity - 1 <= tokens || with(capacity - 1) > wait), "{tokens} {wait}");
        }
    }
}
