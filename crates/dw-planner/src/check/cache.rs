//! The host cache as the check sees it: filled a little at a time, read use by use.

use crate::problem::{HitCurve, Parts};

/// The cache filled a little at a time.
pub(super) fn fill(shared: &mut [(usize, &HitCurve, f64, f64)], cache: f64) {
    let traffic: f64 = shared.iter().map(|s| s.2).sum();
    if traffic <= 0.0 {
        return;
    }
    let mut gained = f64::MAX;
    while shared.iter().map(|s| s.3).sum::<f64>() < cache && gained > 0.0 {
        gained = 0.0;
        for share in shared.iter_mut() {
            // A hundredth of a percent of the cache a step at first; longer steps once little misses.
            let more = share.2 / traffic * cache / 4_000.0 * (1.0 - read_off(share.1, share.3));
            share.3 += more;
            gained += more;
        }
        if gained < cache * 1e-9 {
            break;
        }
    }
}

/// Reads that hit, use by use: a block that is resident with probability `p` at each had `n` uses since it came, and after
/// them so many of the parts that a read needs are covered.
pub(super) fn valid(parts: Parts, p: f64) -> f64 {
    if p >= 1.0 {
        return 1.0;
    }
    let needed = parts.writes_a_read as usize;
    let share = |ppm: u32| f64::from(ppm) / 1e6;
    let (by_read, by_write) = (share(parts.reads) * share(parts.read), (1.0 - share(parts.reads)) * share(parts.write));
    // Chances that so many parts are covered; a block has just come.
    let mut covered = vec![0.0; needed + 1];
    covered[0] = 1.0;
    let (mut hits, mut chance) = (0.0, 1.0 - p);
    while chance > 1e-9 {
        hits += chance * covered[needed];
        chance *= p;
        let before = covered.clone();
        for (count, was) in before.iter().enumerate().take(needed) {
            let one_more = was * by_write * (needed - count) as f64;
            covered[count] -= was * by_read + one_more;
            covered[needed] += was * by_read;
            covered[count + 1] += one_more;
        }
    }
    hits
}

pub(super) fn read_off(curve: &HitCurve, held: f64) -> f64 {
    let (mut x0, mut y0) = (0.0, 0.0);
    for &(x, y) in &curve.points {
        let (x1, y1) = (x as f64, f64::from(y) / 1e6);
        if held < x1 {
            return y0 + (y1 - y0) * (held - x0) / (x1 - x0);
        }
        (x0, y0) = (x1, y1);
    }
    y0
}
