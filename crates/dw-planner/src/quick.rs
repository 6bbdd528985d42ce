//! Maps that are asked millions of times, by keys of a few numbers that nobody chooses to make them slow.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map with a fixed multiplicative hash: order is never seen, only look-up speed counts.
pub(crate) type Quick<K, V> = HashMap<K, V, BuildHasherDefault<Multiplicative>>;

/// The hash of what was written so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Multiplicative(u64);

impl Hasher for Multiplicative {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }
    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }
    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }
    fn write_u64(&mut self, value: u64) {
        // The high bits choose among equals, the low ones the place: both come from the upper half of the product.
        self.0 = (self.0 ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
    // The derived hash of a variant without a value.
    fn write_isize(&mut self, value: isize) {
        self.write_u64(value as u64);
    }
}
