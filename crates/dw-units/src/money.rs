//! Amounts of money: whole millionths, summed exactly, rounded once and only when they are printed.
//!
//! A printed sum is the rounded sum of what is exact, never the sum of rounded parts, so that it is the same number wherever
//! it is printed. Parts that are printed next to it may thus differ from it by a cent.

use core::fmt;
use core::ops::{Add, AddAssign, Mul};

use crate::parse::ParseQuantityError;

/// An amount of money in millionths of its currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(u64);

/// Millionths in a whole.
const MICROS: u64 = 1_000_000;

impl Money {
    /// Nothing.
    pub const ZERO: Money = Money(0);
    /// More than anything costs.
    pub const MAX: Money = Money(u64::MAX);

    /// `n` millionths.
    pub const fn micros(n: u64) -> Self {
        Money(n)
    }
    /// The plain number of millionths.
    pub const fn get(self) -> u64 {
        self.0
    }
    /// `self - other`, or nothing.
    pub const fn saturating_sub(self, other: Self) -> Self {
        Money(self.0.saturating_sub(other.0))
    }
    /// The amount of a document: the millionths that [`Money::amount`] gave it, for less than a thousand million.
    pub fn of_amount(amount: f64) -> Self {
        // The nearest millionth: what lies between is what a binary fraction could not hold.
        Money((amount.max(0.0) * MICROS as f64 + 0.5) as u64)
    }
    /// As the number of a document: `716.435`, not rounded.
    pub fn amount(self) -> f64 {
        self.0 as f64 / MICROS as f64
    }
    /// What this is more than `other`; less where it is negative.
    pub const fn change_from(self, other: Self) -> MoneyChange {
        MoneyChange::micros(self.0 as i128 - other.0 as i128)
    }
    /// Reads a decimal of whole millionths: `0.077`, `1,003.66`. A decimal comma is an error that shows both readings.
    pub fn parse(text: &str) -> Result<Money, ParseQuantityError> {
        crate::millionths(text).map(Money)
    }
}

impl Add for Money {
    type Output = Money;
    fn add(self, other: Money) -> Money {
        Money(self.0.saturating_add(other.0))
    }
}
impl AddAssign for Money {
    fn add_assign(&mut self, other: Money) {
        *self = *self + other;
    }
}
impl Mul<u64> for Money {
    type Output = Money;
    fn mul(self, n: u64) -> Money {
        Money(self.0.saturating_mul(n))
    }
}
impl core::iter::Sum for Money {
    fn sum<I: Iterator<Item = Money>>(iter: I) -> Money {
        iter.fold(Money::ZERO, |a, b| a + b)
    }
}

impl fmt::Display for Money {
    /// Cents and thousands as people write them: `1,003.66`. An amount below a cent keeps all its digits: `0.000164`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 > 0 && self.0 < MICROS / 100 {
            let text = alloc::format!("0.{:06}", self.0);
            return f.write_str(text.trim_end_matches('0'));
        }
        // Half a cent goes up.
        let cents = self.0.saturating_add(5_000) / 10_000;
        write!(f, "{}.{:02}", crate::grouped(&alloc::format!("{}", cents / 100), ','), cents % 100)
    }
}

/// What one amount is more than another, in millionths: the exact difference, rounded when it is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MoneyChange(i128);

impl MoneyChange {
    /// `n` millionths more.
    pub const fn micros(n: i128) -> Self {
        MoneyChange(n)
    }
    /// The change of a document, as [`MoneyChange::amount`] gave it.
    pub fn of_amount(amount: f64) -> Self {
        let size = Money::of_amount(if amount < 0.0 { -amount } else { amount }).0 as i128;
        MoneyChange(if amount < 0.0 { -size } else { size })
    }
    /// As the number of a document, not rounded.
    pub fn amount(self) -> f64 {
        self.0 as f64 / MICROS as f64
    }
    /// How much, without the sign.
    pub fn size(self) -> Money {
        Money(u64::try_from(self.0.unsigned_abs()).unwrap_or(u64::MAX))
    }
}

impl fmt::Display for MoneyChange {
    /// With its sign: `+4.62`, `-280.32`, `+0.00`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.0 < 0 { '-' } else { '+' }, self.size())
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn money_is_read_and_printed_to_the_last_digit_that_matters() {
        let cases = [
            ("0.077", Some(77_000), "0.08"),
            ("1,003.66", Some(1_003_660_000), "1,003.66"),
            ("136.085", Some(136_085_000), "136.09"),
            ("716.435", Some(716_435_000), "716.44"),
            ("1234567.891", Some(1_234_567_891_000), "1,234,567.89"),
            ("0.000164", Some(164), "0.000164"),
            ("5", Some(5_000_000), "5.00"),
            ("0", Some(0), "0.00"),
            ("0.0000001", None, ""),
            ("0,077", None, ""),
            ("1.003,66", None, ""),
            ("-1", None, ""),
            ("", None, ""),
            ("1e3", None, ""),
            ("99999999999999999999", None, ""),
        ];
        for (text, micros, shown) in cases {
            assert_eq!(Money::parse(text).ok().map(Money::get), micros, "{text}");
            if let Ok(money) = Money::parse(text) {
                assert_eq!(money.to_string(), shown, "{text}");
                assert_eq!(Money::of_amount(money.amount()), money, "{text}");
            }
        }
        assert_eq!(Money::of_amount(-1.0), Money::ZERO);
    }

    #[test]
    fn an_amount_survives_a_document_to_the_millionth() {
        // Every kind of fraction below a thousand million, not only those that binary fractions hold.
        let mut micros: u64 = 1;
        while micros < 1_000_000_000 * MICROS {
            for near in [micros, micros + 1, micros * 3 / 2 + 5_000] {
                assert_eq!(Money::of_amount(Money(near).amount()), Money(near));
            }
            micros = micros * 13 / 10 + 7;
        }
    }

    #[test]
    fn a_change_has_a_sign_and_is_rounded_once() {
        let change = |from: u64, to: u64| Money(to).change_from(Money(from));
        let cases = [
            (716_435_000, 721_050_000, "+4.62"),
            (996_755_000, 716_435_000, "-280.32"),
            (5, 5, "+0.00"),
            (0, 1_234_565_000, "+1,234.57"),
        ];
        for (from, to, shown) in cases {
            assert_eq!(change(from, to).to_string(), shown);
            assert_eq!(MoneyChange::of_amount(change(from, to).amount()), change(from, to));
        }
    }
}
