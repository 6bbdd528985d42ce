//! Whether requests follow one another: random and sequential, by a definition that is said.
//!
//! A request is sequential when it starts at the end of one of the last [`REQUESTS`] requests of its direction, or up to
//! [`GAP`] after it. Reads and writes are judged apart, on what the device is asked (issue events). Several streams are
//! followed because several applications, or one with several files, are sequential each for itself though their
//! requests alternate; with one stream the same trace can look random. The first request of a direction has nothing
//! to follow and counts as random.
//!
//! Ignores: requests that go backwards; device boundaries of a stripe, which make two streams of one.
//!
//! Invariant: sequential <= total, in requests and in bytes.

use std::collections::VecDeque;

use dw_units::Bytes;

use dw_workload::Direction;

/// Earlier requests of its direction that a request may follow.
pub const REQUESTS: usize = 64;
/// A request that starts up to this far after the end of another still follows it.
pub const GAP: Bytes = Bytes::kib(128);

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// Requests.
    pub ios: u64,
    /// Of which sequential.
    pub sequential_ios: u64,
    pub bytes: u64,
    /// Of which sequential.
    pub sequential_bytes: u64,
}

impl Pattern {
    /// Percent of the requests that are random.
    pub fn random_percent(&self) -> Option<f64> {
        (self.ios > 0).then(|| 100.0 * (self.ios - self.sequential_ios) as f64 / self.ios as f64)
    }
    /// Percent of the bytes that are random.
    pub fn random_bytes_percent(&self) -> Option<f64> {
        (self.bytes > 0).then(|| 100.0 * (self.bytes - self.sequential_bytes) as f64 / self.bytes as f64)
    }
    /// Adds one request.
    pub fn add(&mut self, len: Bytes, sequential: bool) {
        self.ios += 1;
        self.bytes += len.get();
        if sequential {
            self.sequential_ios += 1;
            self.sequential_bytes += len.get();
        }
        debug_assert!(self.sequential_ios <= self.ios && self.sequential_bytes <= self.bytes);
    }
    /// Both together.
    pub fn plus(self, other: Pattern) -> Pattern {
        Pattern {
            ios: self.ios + other.ios,
            sequential_ios: self.sequential_ios + other.sequential_ios,
            bytes: self.bytes + other.bytes,
            sequential_bytes: self.sequential_bytes + other.sequential_bytes,
        }
    }
}

/// The ends of the last requests of one device.
#[derive(Clone, Debug, Default)]
pub struct Streams {
    reads: VecDeque<u64>,
    writes: VecDeque<u64>,
}

impl Streams {
    /// Whether this request is sequential; remembers its end.
    pub fn follow(&mut self, direction: Direction, offset: u64, len: Bytes) -> bool {
        let ends = if direction == Direction::Read { &mut self.reads } else { &mut self.writes };
        // The youngest end first: a stream in progress is at the back.
        let follows = ends.iter().rev().any(|&end| offset >= end && offset - end <= GAP.get());
        if ends.len() == REQUESTS {
            ends.pop_front();
        }
        ends.push_back(offset.saturating_add(len.get()));
        follows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Requests as `r0+8` (direction, KiB, KiB); the answer marks sequential ones.
    fn check(requests: &str, expected: &str) {
        let mut streams = Streams::default();
        let mark = |request: &str| {
            let direction = if request.starts_with('r') { Direction::Read } else { Direction::Write };
            let (offset, len) = request[1..].split_once('+').unwrap();
            let (offset, len): (u64, u64) = (offset.parse().unwrap(), len.parse().unwrap());
            if streams.follow(direction, offset << 10, Bytes::kib(len)) { 's' } else { '-' }
        };
        assert_eq!(requests.split_whitespace().map(mark).collect::<String>(), expected, "{requests}");
    }

    #[test]
    fn requests_that_follow_are_sequential() {
        check("r0+8 r8+8 r16+8", "-ss");
        check("r0+8 w8+8 r8+8 w16+8", "--ss"); // directions apart
        check("r0+8 r1000+8 r8+8 r1008+8", "--ss"); // two streams that alternate
        check("r0+8 r136+8 r273+8", "-s-"); // a gap of 128 KiB, and one KiB more
        check("r8+8 r0+8", "--"); // backwards
        check("r0+8 r0+8", "--"); // the same again
    }

    #[test]
    fn the_oldest_of_64_requests_is_forgotten() {
        let starts = |n: u64| (0..n).map(|i| format!("r{}+4", i * 10_000)).collect::<Vec<_>>().join(" ");
        check(&format!("{} r4+4", starts(64)), &format!("{}s", "-".repeat(64)));
        check(&format!("{} r4+4", starts(65)), &format!("{}-", "-".repeat(65)));
    }
}
