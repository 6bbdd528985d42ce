//! How a shared host cache divides itself, and what each volume's reads hit.
//!
//! The cache is one LRU: nobody sets shares, they follow from the load. A block stays for a time that is the same for all
//! volumes (Che, Tung and Wang, 2002, "Hierarchical Web caching systems"). A volume that touches `λ` bytes a second and hits
//! with `H(c)` when it holds `c` bytes gains `λ(1 − H(c))` a second, so it needs `∫ dc / (λ(1 − H(c)))` to fill `c`: the
//! common time is the one at which all of them together fill the cache.
//!
//! With a working set of which every byte is as likely as any other, a volume alone hits `cache / working set`.
//!
//! Ignores: block size, bursts of locality, what the temp disk takes of the same SSD, warm-up.
//!
//! Invariant: shares add up to at most the cache; logarithms are `libm`'s, so that every machine computes the same.

use crate::problem::{HitCurve, ONE};

/// Parts per million that hit for each `(curve, bytes touched a second)`, in a cache of `capacity` bytes.
pub fn ratios(capacity: u64, volumes: &[(&HitCurve, f64)]) -> Vec<u32> {
    let whole: u64 = volumes.iter().map(|(curve, _)| end(curve)).fold(0, u64::saturating_add);
    if whole <= capacity {
        return volumes.iter().map(|(curve, _)| curve.points.last().map_or(0, |point| point.1)).collect();
    }
    let filled = |time: f64| volumes.iter().map(|(curve, touched)| held(curve, time * touched)).sum::<f64>();
    let (mut low, mut high) = (0.0, 1.0);
    while filled(high) < capacity as f64 && high < 1e18 {
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if filled(middle) <= capacity as f64 { low = middle } else { high = middle }
    }
    volumes.iter().map(|(curve, touched)| hit_at(curve, held(curve, low * touched))).collect()
}

/// Where a curve ends: more cache changes nothing.
fn end(curve: &HitCurve) -> u64 {
    curve.points.last().map_or(0, |point| point.0)
}

/// The pieces of a curve: length in bytes, hits at both ends.
fn pieces(curve: &HitCurve) -> impl Iterator<Item = (f64, f64, f64)> + '_ {
    let mut from = (0u64, 0u32);
    curve.points.iter().map(move |&to| {
        let share = |ppm: u32| f64::from(ppm) / f64::from(ONE);
        let piece = ((to.0 - from.0) as f64, share(from.1), share(to.1));
        from = to;
        piece
    })
}

/// Bytes that a volume holds once `touched` bytes have passed since the cache was empty.
fn held(curve: &HitCurve, mut touched: f64) -> f64 {
    let mut sum = 0.0;
    for (length, a, b) in pieces(curve) {
        if length <= 0.0 {
            continue;
        }
        let slope = (b - a) / length;
        let needed = match () {
            () if a >= 1.0 => return sum,
            () if b >= 1.0 => f64::INFINITY,
            () if slope <= 0.0 => length / (1.0 - a),
            () => libm::log((1.0 - a) / (1.0 - b)) / slope,
        };
        if touched < needed {
            let part = match slope <= 0.0 {
                true => touched * (1.0 - a),
                false => (1.0 - a) / slope * (1.0 - libm::exp(-slope * touched)),
            };
            return sum + part.min(length);
        }
        touched -= needed;
        sum += length;
    }
    sum
}

/// Parts per million that hit with so many bytes, rounded down.
fn hit_at(curve: &HitCurve, bytes: f64) -> u32 {
    let mut from = 0.0;
    for (length, a, b) in pieces(curve) {
        if bytes < from + length {
            return ((a + (b - a) * (bytes - from) / length) * f64::from(ONE)) as u32;
        }
        from += length;
    }
    curve.points.last().map_or(0, |point| point.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dw_units::Bytes;

    fn set(gib: u64) -> HitCurve {
        HitCurve::working_set(Bytes::gib(gib))
    }

    #[test]
    fn a_volume_alone_hits_what_fits() {
        let cases = [(100, 50, 500_000), (100, 99, 990_000), (100, 100, 1_000_000), (100, 400, 1_000_000), (100, 0, 0)];
        for (working_set, cache, expected) in cases {
            let ratio = ratios(Bytes::gib(cache).get(), &[(&set(working_set), 1e6)])[0];
            assert!(ratio.abs_diff(expected) <= 1, "{working_set} GiB in {cache} GiB: {ratio}");
        }
    }

    #[test]
    fn equals_share_alike_and_the_busier_holds_more() {
        let a = set(100);
        let even = ratios(Bytes::gib(100).get(), &[(&a, 5e6), (&a, 5e6)]);
        assert!(even[0] == even[1] && even[0].abs_diff(500_000) <= 1, "{even:?}");
        let uneven = ratios(Bytes::gib(100).get(), &[(&a, 9e6), (&a, 1e6)]);
        assert!(uneven[0] > 700_000 && uneven[1] < 300_000, "{uneven:?}");
        assert!((uneven[0] + uneven[1]).abs_diff(1_000_000) <= 2, "{uneven:?}");
    }

    #[test]
    fn who_touches_nothing_holds_nothing() {
        assert_eq!(ratios(Bytes::gib(10).get(), &[(&set(100), 0.0), (&set(100), 1e6)]), [0, 99_999]);
    }

    /// The twin fills the cache a little at a time.
    #[test]
    fn filling_slowly_comes_to_the_same() {
        let curve = HitCurve { points: vec![(20 << 30, 600_000), (60 << 30, 600_000), (200 << 30, 950_000)] };
        let (other, third) = (set(80), set(30));
        let volumes = [(&curve, 3e8), (&other, 1e8), (&third, 5e7)];
        for gib in [5, 40, 100, 250] {
            let fast = ratios(Bytes::gib(gib).get(), &volumes);
            let slow = ratios_slowly(Bytes::gib(gib).get() as f64, &volumes);
            for (a, b) in fast.iter().zip(slow) {
                assert!(a.abs_diff(b) < 2_000, "{gib} GiB: {fast:?}");
            }
        }
    }

    fn ratios_slowly(capacity: f64, volumes: &[(&HitCurve, f64)]) -> Vec<u32> {
        let mut held = vec![0.0; volumes.len()];
        let step = capacity / volumes.iter().map(|v| v.1).sum::<f64>() / 20_000.0;
        while held.iter().sum::<f64>() < capacity {
            for (bytes, (curve, touched)) in held.iter_mut().zip(volumes) {
                *bytes += touched * step * (1.0 - f64::from(hit_at(curve, *bytes)) / 1e6);
            }
        }
        held.iter().zip(volumes).map(|(bytes, (curve, _))| hit_at(curve, *bytes)).collect()
    }
}
