//! A sum of doubles that does not depend on their order.
//!
//! A sum in floating point rounds at each step, so that the same terms in another order, or in parts that are added up later, end in
//! other digits. Here terms are added as whole multiples of 2⁻¹²⁸ in 320 bits, and rounded once, when the sum is asked for.
//!
//! Formula: a double is m · 2ᵉ with m below 2⁵³; it is added at its place, with the carry. Many are first added by their place alone,
//! in [`Terms`], where there is room for 2⁴³ of them without a carry.
//!
//! Ignores: what of a term is below 2⁻¹²⁸; terms beyond ± 2¹²⁶ count as that, of which 2⁶⁵ fit. A term and how often it is added are
//! multiplied as integers: so many at once are the same as one after the other.
//!
//! Invariant: the same terms give the same bits, in whatever order and parts.

const WORDS: usize = 5;
/// Binary digits behind the point.
const BELOW: i32 = 128;
/// The largest term: 2^126.
const MOST: f64 = 85_070_591_730_234_615_865_843_651_857_942_052_864.0;
/// Places that terms share before they are added to a sum.
const STEP: usize = 32;
/// So many of these have all terms.
const PLACES: usize = (126 - 52 + BELOW as usize) / STEP + 1;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExactSum {
    /// The lowest first; negative sums as their complement.
    words: [u64; WORDS],
}

impl ExactSum {
    /// Adds a term so many times.
    pub fn add_times(&mut self, term: f64, times: u64) {
        if let Some((digits, place)) = parted(term) {
            self.add_at(place, u128::from(digits) * u128::from(times), term < 0.0);
        }
    }

    /// Adds digits at a place, or takes them away.
    fn add_at(&mut self, place: usize, digits: u128, is_negative: bool) {
        let shift = place % 64;
        // A shift by a whole word is none.
        let above = if shift == 0 { 0 } else { (digits >> 64 >> (64 - shift)) as u64 };
        let spread = digits << shift;
        let (words, digits) = (&mut self.words[place / 64..], [spread as u64, (spread >> 64) as u64, above]);
        if is_negative {
            carried(words, digits, u64::overflowing_sub);
        } else {
            carried(words, digits, u64::overflowing_add);
        }
    }

    /// Adds many terms.
    pub fn add_all(&mut self, terms: &Terms) {
        for (index, digits) in terms.0.iter().enumerate().filter(|(_, digits)| **digits != 0) {
            self.add_at(index * STEP, digits.unsigned_abs(), *digits < 0);
        }
    }

    /// The sum of as many of all its terms.
    pub fn times(mut self, times: u64) -> ExactSum {
        let mut carry = 0;
        for word in &mut self.words {
            let product = u128::from(*word) * u128::from(times) + carry;
            (*word, carry) = (product as u64, product >> 64);
        }
        self
    }

    /// Adds all terms of another.
    #[cfg(test)]
    pub fn merge(&mut self, other: &ExactSum) {
        let mut carry = false;
        for (word, term) in self.words.iter_mut().zip(other.words) {
            let (sum, over) = word.overflowing_add(term);
            let (sum, again) = sum.overflowing_add(u64::from(carry));
            (*word, carry) = (sum, over || again);
        }
    }

    /// The nearest double.
    pub fn value(&self) -> f64 {
        let negative = self.words[WORDS - 1] >> 63 == 1;
        let mut words = self.words;
        if negative {
            let mut carry = true;
            for word in &mut words {
                (*word, carry) = (!*word).overflowing_add(u64::from(carry));
            }
        }
        let Some(top) = words.iter().rposition(|word| *word != 0) else { return 0.0 };
        let low = top.saturating_sub(1);
        // What is below the two words only matters where they are halfway between two doubles.
        let sticky = u128::from(words[..low].iter().any(|word| *word != 0));
        let value = match top {
            0 => u128::from(words[0]),
            _ => u128::from(words[top]) << 64 | u128::from(words[low]) | sticky,
        };
        let scale = f64::from_bits(((1_023 - BELOW + 64 * low as i32) as u64) << 52);
        let value = value as f64 * scale;
        if negative { -value } else { value }
    }
}

/// The digits of a term, and the place of the lowest; none of what is no number, or nothing.
fn parted(term: f64) -> Option<(u64, usize)> {
    if term.is_nan() || term == 0.0 {
        return None;
    }
    let bits = term.clamp(-MOST, MOST).to_bits();
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    let (digits, exponent) = if exponent == 0 { (fraction, 1) } else { (fraction | 1 << 52, exponent) };
    match exponent - 1_075 + BELOW {
        ..=-64 => None,
        place @ -63..0 => Some((digits >> -place, 0)),
        place => Some((digits, place as usize)),
    }
}

/// Terms that are added up by the place of their lowest digit, before they are added to a sum.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Terms([i128; PLACES]);

impl Terms {
    /// Adds a term; one that is not a number is none.
    pub fn add(&mut self, term: f64) {
        if let Some((digits, place)) = parted(term) {
            let digits = i128::from(digits) << (place % STEP);
            self.0[place / STEP] += if term < 0.0 { -digits } else { digits };
        }
    }
}

/// Adds digits to the lowest words, or takes them away, with the carry.
fn carried(words: &mut [u64], digits: [u64; 3], step: impl Fn(u64, u64) -> (u64, bool)) {
    let (low, high) = words.split_at_mut(digits.len().min(words.len()));
    let mut carry = false;
    for (word, digits) in low.iter_mut().zip(digits) {
        let (sum, over) = step(*word, digits);
        let (sum, again) = step(sum, u64::from(carry));
        (*word, carry) = (sum, over | again);
    }
    for word in high {
        if !carry {
            break;
        }
        (*word, carry) = step(*word, 1);
    }
}

impl Extend<f64> for ExactSum {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, terms: I) {
        let mut all = Terms::default();
        terms.into_iter().for_each(|term| all.add(term));
        self.add_all(&all);
    }
}

impl FromIterator<f64> for ExactSum {
    fn from_iter<I: IntoIterator<Item = f64>>(terms: I) -> ExactSum {
        let mut sum = ExactSum::default();
        sum.extend(terms);
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sum(terms: impl IntoIterator<Item = f64>) -> f64 {
        terms.into_iter().collect::<ExactSum>().value()
    }

    #[test]
    fn sums_are_rounded_once() {
        let tiny = 2f64.powi(-53);
        let cases: [(&[f64], f64); 10] = [
            (&[], 0.0),
            (&[0.1], 0.1),
            (&[1e16, 1.0, -1e16], 1.0),
            (&[0.1, 0.2, -0.3], 0.1 + 0.2 - 0.3),
            (&[1.0, tiny], 1.0),
            (&[1.0, tiny, 2f64.powi(-100)], 1.0 + 2.0 * tiny),
            (&[-1.0, -tiny, -2f64.powi(-100)], -1.0 - 2.0 * tiny),
            (&[f64::NAN, 3.0, f64::MIN_POSITIVE], 3.0),
            (&[1e300, -1e300, 7.0], 7.0),
            (&[4e30, 3.0, -4e30], 3.0),
        ];
        for (terms, expected) in cases {
            // The fourth is what is left of three doubles that are not the decimals.
            let expected = if terms.len() == 3 && terms[2] == -0.3 { 2.775_557_561_562_891_4e-17 } else { expected };
            assert_eq!(sum(terms.iter().copied()), expected, "{terms:?}");
        }
    }

    proptest! {
        #[test]
        fn many_at_once_are_one_after_the_other(term in -1e15f64..1e15, times in 0u64..500) {
            let each: ExactSum = (0..times).map(|_| term).collect();
            let mut once = ExactSum::default();
            once.add_times(term, times);
            prop_assert_eq!(each, once);
            let one: ExactSum = [term].into_iter().collect();
            prop_assert_eq!(one.times(times), once);
        }

        #[test]
        fn whole_numbers_and_fractions_are_added_as_integers(terms in prop::collection::vec(-1i64 << 52..1i64 << 52, 0..200)) {
            let expected: i128 = terms.iter().map(|term| i128::from(*term)).sum();
            prop_assert_eq!(sum(terms.iter().map(|term| *term as f64 / 1024.0)), expected as f64 / 1024.0);
        }

        #[test]
        fn order_and_parts_change_nothing(mut terms in prop::collection::vec(-1e20f64..1e20, 0..100), cut in 0usize..100) {
            let whole = sum(terms.iter().copied());
            terms.reverse();
            let (first, second) = terms.split_at(cut.min(terms.len()));
            let mut parts: ExactSum = second.iter().copied().collect();
            parts.merge(&first.iter().copied().collect());
            prop_assert_eq!(parts.value().to_bits(), whole.to_bits());
        }
    }
}
