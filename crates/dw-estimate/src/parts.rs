//! How requests fall on the members of a stripe.
//!
//! Offsets are multiples of a step, so that they begin at each multiple of `gcd(step, unit)` within a chunk equally often. Chunks of
//! one request on one disk travel as one disk I/O, as in the stack.

/// Requests that are cut alike.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cut {
    /// Share of the requests.
    pub(crate) share: f64,
    /// Bytes on each disk that it touches.
    pub(crate) lens: Vec<u64>,
}

/// The cuts of requests of `size` bytes at multiples of `step`, on `disks` disks with chunks of `unit` bytes.
pub(crate) fn cuts(size: u64, step: u64, unit: u64, disks: usize) -> Vec<Cut> {
    if disks < 2 || unit == 0 {
        return vec![Cut { share: 1.0, lens: vec![size] }];
    }
    let begins = gcd(step.max(1), unit);
    // A stride that looks at every place in the end, however many there are.
    let places = (unit / begins).min(PLACES_MAX);
    let mut all: Vec<Cut> = Vec::new();
    for place in 0..places {
        let mut lens = cut(place * (unit / places) / begins * begins, size, unit, disks);
        lens.sort_unstable();
        let share = 1.0 / places as f64;
        match all.iter_mut().find(|cut| cut.lens == lens) {
            Some(cut) => cut.share += share,
            None => all.push(Cut { share, lens }),
        }
    }
    all
}

/// Offsets within a chunk that are sampled.
const PLACES_MAX: u64 = 256;

fn cut(begin: u64, size: u64, unit: u64, disks: usize) -> Vec<u64> {
    let mut lens = vec![0; disks.min((begin + size).div_ceil(unit) as usize)];
    let (mut at, end, count) = (begin, begin + size, lens.len());
    while at < end {
        let stop = (at / unit + 1) * unit;
        lens[(at / unit) as usize % count.max(1)] += stop.min(end) - at;
        at = stop;
    }
    lens
}

pub(crate) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_cut_where_chunks_end() {
        let k = 1024;
        // (size, step, disks) over chunks of 64 KiB, and the share of each cut.
        type Case<'a> = (u64, u64, usize, &'a [(f64, &'a [u64])]);
        let cases: [Case; 5] = [
            (8 * k, 8 * k, 4, &[(1.0, &[8192])]),
            (256 * k, 256 * k, 4, &[(1.0, &[65536; 4])]),
            (256 * k, 256 * k, 2, &[(1.0, &[131072; 2])]),
            (48 * k, 16 * k, 4, &[(0.5, &[49152]), (0.5, &[16384, 32768])]),
            (64 * k, 32 * k, 1, &[(1.0, &[65536])]),
        ];
        for (size, step, disks, expected) in cases {
            let found = cuts(size, step, 64 * k, disks);
            assert_eq!(found.len(), expected.len(), "{size} {step} {disks}: {found:?}");
            for (cut, (share, lens)) in found.iter().zip(expected) {
                assert_eq!((cut.share, cut.lens.as_slice()), (*share, *lens), "{size} {step} {disks}");
            }
        }
    }
}
