//! How often the reads of each volume hit: the host cache is filled a little at a time, and its blocks are followed use by use.
//!
//! Nobody sets the shares of volumes in the cache: each brings in what it misses, until all is full.
//!
//! Source: `docs/model/planning.md`, `docs/model/host-cache.md`.
//!
//! Ignores: the time until it is full; that few blocks are as lucky as many.
//!
//! Invariant: a ratio is between none and all.

use crate::plan::Plan;
use crate::problem::{HitCurve, ONE, Parts, Problem, Volume};

/// So many steps fill a cache whose volumes miss always.
const STEPS: f64 = 4_000.0;
/// What fills whole blocks takes one for each request.
const BLOCK: f64 = 65_536.0;
/// What makes no difference.
const NOTHING: f64 = 1e-9;

/// A volume in the cache.
struct Share<'a> {
    volume: usize,
    curve: &'a HitCurve,
    /// Bytes that it uses a second.
    used: f64,
    /// Bytes that the cache holds of it.
    held: f64,
}

/// Of each volume whose reads may hit, and of which it is known how often they would, the share that does.
pub(super) fn ratios(problem: &Problem, plan: &Plan) -> Vec<(usize, f64)> {
    let vm = &problem.vms[plan.vm];
    let mut shares = Vec::new();
    for (number, (volume, chosen)) in problem.volumes.iter().zip(&plan.volumes).enumerate() {
        let has_cache = vm.route(chosen.class).is_some_and(|route| route.has_cache());
        if let Some(curve) = volume.hits.as_ref().filter(|_| has_cache) {
            let used = used(volume, curve) / problem.stamps.max(1) as f64;
            shares.push(Share { volume: number, curve, used, held: 0.0 });
        }
    }
    fill(&mut shares, vm.cache.get() as f64);
    let ratio = |share: &Share| {
        let resident = read_off(share.curve, share.held);
        let ratio = share.curve.parts.map_or(resident, |parts| covered(parts, resident));
        debug_assert!((-NOTHING..=1.0 + NOTHING).contains(&ratio), "{ratio}");
        (share.volume, ratio)
    };
    shares.iter().map(ratio).collect()
}

/// Bytes that the requests of all stamps use.
fn used(volume: &Volume, curve: &HitCurve) -> f64 {
    let least = if curve.parts.is_some() { BLOCK } else { 0.0 };
    let streams = volume.samples.iter().flat_map(|sample| sample.streams());
    streams.map(|stream| (stream.bytes as f64).max(stream.requests as f64 * least)).sum()
}

fn fill(shares: &mut [Share], cache: f64) {
    let whole = |share: &Share| share.curve.points.last().map_or(0, |point| point.0) as f64;
    if shares.iter().map(whole).sum::<f64>() <= cache {
        return shares.iter_mut().for_each(|share| share.held = whole(share));
    }
    let traffic: f64 = shares.iter().map(|share| share.used).sum();
    let mut held = 0.0;
    while traffic > 0.0 && held < cache {
        let before = held;
        for share in &mut *shares {
            let missed = 1.0 - read_off(share.curve, share.held);
            let more = cache / STEPS * share.used / traffic * missed;
            (share.held, held) = (share.held + more, held + more);
        }
        if held - before < cache * NOTHING {
            break;
        }
    }
}

/// A share from its curve: straight lines between points, from none.
fn read_off(curve: &HitCurve, held: f64) -> f64 {
    let points = curve.points.iter().map(|&(bytes, ppm)| (bytes as f64, f64::from(ppm) / f64::from(ONE)));
    let mut below = (0.0, 0.0);
    for above in points {
        if held < above.0 {
            return below.1 + (above.1 - below.1) * (held - below.0) / (above.0 - below.0);
        }
        below = above;
    }
    below.1
}

/// The share of reads that find what they need, where a use finds its block in the cache with so much probability: of blocks that stayed for
/// `n` uses since they came, with those of which so many have what a read needs.
fn covered(parts: Parts, resident: f64) -> f64 {
    let share = |ppm: u32| f64::from(ppm) / f64::from(ONE);
    let by_read = share(parts.reads) * share(parts.read);
    let by_write = (1.0 - share(parts.reads)) * share(parts.write);
    let needed = parts.writes_a_read as usize;
    // How probable it is that so many of its parts are there, of a block that has just come.
    let mut has = vec![0.0; needed + 1];
    has[0] = 1.0;
    let (mut hits, mut stays) = (0.0, 1.0);
    while stays > NOTHING && 1.0 - has[needed] > NOTHING && resident < 1.0 {
        hits += stays * (1.0 - resident) * has[needed];
        stays *= resident;
        // From the last part on, so that none is brought in twice by one use.
        for count in (0..needed).rev() {
            let (all, one) = (has[count] * by_read, has[count] * by_write * (needed - count) as f64);
            has[count] -= all + one;
            has[needed] += all;
            has[count + 1] += one;
        }
    }
    if resident < 1.0 { hits + stays * has[needed] } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_alone_hit_as_the_formula_says() {
        for read in [62_500, 125_000, 500_000, ONE] {
            let (s, parts) = (f64::from(read) / 1e6, Parts { reads: ONE, read, write: 0, writes_a_read: 1 });
            // Blocks that hardly ever leave are as good as those that never do.
            for p in [0.0, 0.3, 0.909, 0.999_999, 1.0 - 1e-12, 1.0] {
                let (found, expected) = (covered(parts, p), p * s / (1.0 - p * (1.0 - s)));
                assert!((found - expected).abs() < 1e-6, "{s} of a block, {p}: {found}, not {expected}");
            }
        }
    }
}
