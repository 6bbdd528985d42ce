//! A figure that may be missing, in eight bytes.
//!
//! What no tool says is not zero. A sum, difference or product with something missing is missing, and so is every mean
//! made of it; only who asks for [`Amount::known`] gets a number. There is no order among amounts, because a missing one
//! is neither small nor large.
//!
//! Invariant: a known amount is finite; NaN and infinities are missing.

use std::iter::Sum;
use std::ops::{Add, Mul, Sub};

/// A number, or that nobody says it.
#[derive(Clone, Copy)]
pub struct Amount(f64);

impl Amount {
    /// What nobody says.
    pub const MISSING: Amount = Amount(f64::NAN);
    /// Nothing.
    pub const ZERO: Amount = Amount(0.0);

    /// The number, where there is one.
    pub fn known(self) -> Option<f64> {
        self.0.is_finite().then_some(self.0)
    }
    /// Whether nobody says it.
    pub fn is_missing(self) -> bool {
        self.known().is_none()
    }
    /// Whether it is known, and larger than this.
    pub fn exceeds(self, least: f64) -> bool {
        self.known().is_some_and(|v| v > least)
    }
    /// Whether it is known to be nothing.
    pub fn is_zero(self) -> bool {
        self.0 == 0.0
    }
    /// This, or the other where this is missing.
    pub fn or(self, other: Amount) -> Amount {
        if self.is_missing() { other } else { self }
    }
    /// The same, where the other takes work.
    pub fn or_else(self, other: impl FnOnce() -> Amount) -> Amount {
        if self.is_missing() { other() } else { self }
    }
    /// This over the other; missing where the other is nothing.
    pub fn over(self, other: Amount) -> Amount {
        if other.exceeds(0.0) { (self.0 / other.0).into() } else { Amount::MISSING }
    }
    /// This for each of so many: nothing for none, whatever each would be.
    pub fn each_of(self, many: Amount) -> Amount {
        if many.is_zero() { Amount::ZERO } else { self * many }
    }
    /// The nearest whole number; one that has no room for a fraction is itself.
    pub fn whole(self) -> Amount {
        // Added, it leaves a double no digits behind the point.
        const ROOM: f64 = 6_755_399_441_055_744.0;
        if self.0.abs() < 2_251_799_813_685_248.0 { Amount((self.0 + ROOM) - ROOM) } else { self }
    }
    /// The larger of what is known.
    pub fn larger(self, other: Amount) -> Amount {
        match (self.known(), other.known()) {
            (Some(a), Some(b)) => Amount(a.max(b)),
            _ => self.or(other),
        }
    }
}

impl From<f64> for Amount {
    fn from(value: f64) -> Amount {
        if value.is_finite() { Amount(value) } else { Amount::MISSING }
    }
}

impl From<f32> for Amount {
    fn from(value: f32) -> Amount {
        f64::from(value).into()
    }
}

impl From<Option<f64>> for Amount {
    fn from(value: Option<f64>) -> Amount {
        value.map_or(Amount::MISSING, Amount::from)
    }
}

impl PartialEq for Amount {
    fn eq(&self, other: &Amount) -> bool {
        self.known() == other.known()
    }
}

impl Add for Amount {
    type Output = Amount;
    fn add(self, other: Amount) -> Amount {
        (self.0 + other.0).into()
    }
}

impl Sub for Amount {
    type Output = Amount;
    fn sub(self, other: Amount) -> Amount {
        (self.0 - other.0).into()
    }
}

impl Mul for Amount {
    type Output = Amount;
    fn mul(self, other: Amount) -> Amount {
        (self.0 * other.0).into()
    }
}

impl Mul<f64> for Amount {
    type Output = Amount;
    fn mul(self, factor: f64) -> Amount {
        (self.0 * factor).into()
    }
}

impl Sum for Amount {
    fn sum<I: Iterator<Item = Amount>>(iter: I) -> Amount {
        iter.fold(Amount::ZERO, Add::add)
    }
}

impl std::fmt::Debug for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.known() {
            Some(value) => write!(f, "{value:?}"),
            None => f.write_str("missing"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_made_of_what_is_missing() {
        let (two, missing) = (Amount::from(2.0), Amount::MISSING);
        for made in [two + missing, missing + two, two * missing, missing * 0.0, two.over(missing), missing.over(two)] {
            assert_eq!(made, Amount::MISSING);
        }
        assert_eq!([two, missing, two].into_iter().sum::<Amount>(), Amount::MISSING);
        assert_eq!([two, two].into_iter().sum::<Amount>(), Amount::from(4.0));
        assert!(!missing.exceeds(f64::NEG_INFINITY) && !missing.is_zero());
    }

    #[test]
    fn a_mean_of_nothing_is_missing_and_nothing_done_takes_no_time() {
        let (two, zero) = (Amount::from(2.0), Amount::ZERO);
        assert_eq!((two.over(zero), two.over(two).known()), (Amount::MISSING, Some(1.0)));
        assert_eq!((Amount::MISSING.each_of(zero), Amount::MISSING.each_of(two)), (zero, Amount::MISSING));
        assert_eq!([f64::NAN, f64::INFINITY].map(|v| Amount::from(v).known()), [None, None]);
        assert_eq!((two.or(zero), Amount::MISSING.or(zero), two.larger(Amount::MISSING)), (two, zero, two));
    }
}
