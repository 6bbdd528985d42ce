//! Service times: means, and the mean of the slowest of several.

use std::cell::RefCell;

use dw_stack::{QuantileTable, ServiceTime};

/// Means of the tables of a stack: an estimate over time asks for the same few at each of its steps.
#[derive(Debug, Default)]
pub(crate) struct Services<'a> {
    /// A table, services side by side, nanoseconds.
    means: RefCell<Vec<(&'a QuantileTable, usize, f64)>>,
}

impl<'a> Services<'a> {
    /// Seconds that the slowest of `parts` services of at most `len` bytes takes on average.
    pub(crate) fn slowest(&self, service: &'a ServiceTime, parts: usize, len: u64) -> f64 {
        let size = service.bandwidth.map_or(0.0, |bandwidth| len as f64 / bandwidth.get() as f64);
        size + self.mean(&service.table, parts) / 1e9
    }

    /// The same by eighths: the middle of the shortest eighth, of the next ..., with the same mean.
    pub(crate) fn eighths(&self, service: &'a ServiceTime, parts: usize, len: u64) -> [f64; 8] {
        let of = |place: usize| f64::from(service.table.at(draw(1.0 - (place as f64 + 0.5) / 8.0)));
        let all: [f64; 8] = std::array::from_fn(of);
        let mean = all.iter().sum::<f64>() / 8.0;
        let scale = if mean > 0.0 { self.slowest(service, parts, len) / mean } else { 0.0 };
        all.map(|one| one * scale)
    }

    fn mean(&self, table: &'a QuantileTable, parts: usize) -> f64 {
        let mut means = self.means.borrow_mut();
        if let Some(known) = means.iter().find(|known| std::ptr::eq(known.0, table) && known.1 == parts) {
            return known.2;
        }
        let mean = if parts > 1 { mean_of_slowest(table, parts) } else { table.mean() as f64 };
        means.push((table, parts, mean));
        mean
    }
}

/// `∫ Q dF^parts` over the quantiles `Q`: evenly spaced below the median, then in eighths of an octave of the tail.
fn mean_of_slowest(table: &QuantileTable, parts: usize) -> f64 {
    /// 2 to the power of -1/8.
    const EIGHTH: f64 = 0.917_004_043_204_671_2;
    /// As far as the table reaches.
    const EIGHTHS: u32 = 8 * 27;
    // By multiplication: `powi` may differ from machine to machine.
    let power = |base: f64| (0..parts).fold(1.0, |product, _| product * base);
    let at = |tail: f64| (f64::from(table.at(draw(tail))), power(1.0 - tail));
    let (mut sum, mut last, mut tail) = (0.0, at(1.0), 1.0);
    for step in 0..EIGHTHS + 64 {
        tail = if step < 64 { tail - 0.5 / 64.0 } else { tail * EIGHTH };
        let next = at(tail);
        sum += (last.0 + next.0) / 2.0 * (next.1 - last.1);
        last = next;
    }
    sum
}

/// The draw that the table answers with the time that is exceeded with this probability: above the median its leading zeros
/// choose the halving of the tail.
fn draw(tail: f64) -> u64 {
    const HALF: f64 = 9_223_372_036_854_775_808.0;
    if tail > 0.5 {
        return ((1.0 - tail) * 2.0 * HALF) as u64;
    }
    let (mut octave, mut within) = (0, tail * 2.0);
    while within <= 0.5 {
        (octave, within) = (octave + 1, within * 2.0);
    }
    let rest = (1 << 63) | (((1.0 - within) * 2.0 * HALF) as u64);
    (1 << 63) | (rest >> octave >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_of_exponential_times_is_a_harmonic_number() {
        let table = QuantileTable::from_quantiles(|tail| {
            (-(tail as f64 / dw_stack::TAIL_ONE as f64).max(1e-12).ln() * 1e6) as u64
        });
        let mut harmonic = 0.0;
        for parts in 1..=20 {
            harmonic += 1e6 / parts as f64;
            let found = mean_of_slowest(&table, parts);
            assert!((found - harmonic).abs() < 0.003 * harmonic, "{parts}: {found} for {harmonic}");
        }
    }
}
