//! The mean wait at one paced limit whose requests come at random: the part of the estimate that has a closed form, in integers, for
//! whoever has to decide exactly.
//!
//! ```text
//! W = s ρ / (2 (1 − ρ))      s: interval of a request, ρ: share of the limit that is used
//! ```
//!
//! Source: Pollaczek and Khinchin for constant service, its own interval being no part of the wait (`climb.rs`).
//!
//! Ignores: loops that are full, which shorten the wait; above 99 % it is that of 99 %, where the queue depth decides.

/// A limit, or several alike among which requests are spread, and what passes it in a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomArrivals {
    /// Tokens a second of all of them.
    pub capacity: u64,
    /// How many.
    pub alike: u64,
    /// Tokens that are asked for.
    pub tokens: u64,
    /// In how many requests.
    pub requests: u64,
}

impl RandomArrivals {
    /// Mean wait of a request, in nanoseconds, rounded up.
    pub fn wait_ns(self) -> u64 {
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

    /// The least capacity with which requests wait at most `wait_ns`.
    pub fn capacity_for(self, wait_ns: u64) -> Option<u64> {
        let holds = |capacity: u64| capacity > self.tokens && RandomArrivals { capacity, ..self }.wait_ns() <= wait_ns;
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
        let at = |capacity, alike, tokens, requests| RandomArrivals { capacity, alike, tokens, requests }.wait_ns();
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

    #[test]
    fn the_least_capacity_is_the_least() {
        for (tokens, requests, wait) in
            [(4_000, 4_000, 400_000), (160_000_000, 2_500, 640_000), (1, 1, 1), (7, 3, 50_000_000)]
        {
            let asked = RandomArrivals { capacity: 0, alike: 1, tokens, requests };
            let capacity = asked.capacity_for(wait).unwrap();
            let with = |capacity| RandomArrivals { capacity, ..asked }.wait_ns();
            assert!(with(capacity) <= wait && (capacity - 1 <= tokens || with(capacity - 1) > wait), "{tokens} {wait}");
        }
    }
}
