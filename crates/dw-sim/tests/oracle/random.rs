//! Chance with a seed: counter-based draws.
//!
//! A draw is a function of (key, counter) only. Each disk and kind of draw has a stream of its own, so what happens on
//! one disk does not change the draws of another, and two runs that differ in one setting see the same numbers.
//!
//! The mixing function is the finaliser of SplitMix64 (Steele, Lea, Flood 2014; constants by Stafford, variant 13).

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A stream of 64-bit draws.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    key: u64,
    counter: u64,
}

impl Stream {
    /// The stream `index` of `seed`.
    pub(crate) fn new(seed: u64, index: u64) -> Self {
        Stream { key: mix(seed.wrapping_add(GOLDEN)) ^ mix(index.wrapping_mul(GOLDEN).wrapping_add(1)), counter: 0 }
    }

    /// The next draw.
    pub(crate) fn draw(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(GOLDEN);
        mix(self.key.wrapping_add(self.counter))
    }
}
