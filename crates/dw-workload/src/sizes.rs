//! How large the next request is; and the sizes that stand for a mean.
//!
//! Fixed; uniform over the multiples of the smallest size; or a list of sizes with their share of the **requests**.
//! A size that does not fit before the end of the file is drawn again; the last of a list stands in for shares that
//! are missing.
//!
//! Source: fio 3.33 (`bsrange`, `bssplit`).

use crate::SizeDistribution;
use crate::rng::Stream;

/// Draws a size of at most `room` bytes; `None` when not even the smallest fits.
pub fn draw(sizes: &SizeDistribution, room: u64, rng: &mut Stream) -> Option<u64> {
    match sizes {
        SizeDistribution::Fixed(size) => (*size <= room).then_some(*size),
        SizeDistribution::Range { min, max, unaligned } => {
            if *min > room {
                return None;
            }
            let max = (*max).max(*min);
            loop {
                let mut size = min + rng.below(max);
                if !unaligned {
                    size -= size % min;
                }
                let size = size.min(max);
                if size <= room {
                    return Some(size);
                }
            }
        }
        SizeDistribution::Split(parts) => {
            if !parts.iter().any(|&(size, percent)| percent > 0 && size <= room) {
                return None;
            }
            loop {
                let u = rng.below(100);
                let mut below = 0;
                let mut size = 0;
                for &(bytes, percent) in parts.iter().filter(|p| p.1 > 0) {
                    size = bytes;
                    below += u64::from(percent);
                    if u < below && bytes <= room {
                        break;
                    }
                }
                if size <= room {
                    return Some(size);
                }
            }
        }
    }
}

/// Requests are whole multiples of this: the sector of freely sized disks, and what benchmarks send.
pub const SECTOR: u64 = 4_096;

/// The two sizes in whole sectors about the mean of some requests, and how many of each come to as many bytes; in bytes.
///
/// ```
/// assert_eq!(dw_workload::sizes::about_mean(100, 100 * 10_240), [(8_192, 50), (12_288, 50)]);
/// ```
///
/// # Panics
/// Where there are no requests.
pub fn about_mean(requests: u64, bytes: u64) -> [(u64, u64); 2] {
    let small = (bytes / requests / SECTOR * SECTOR).max(SECTOR);
    // Bytes that small requests leave over are carried by requests that are a sector larger.
    let large = bytes.saturating_sub(small.saturating_mul(requests)).div_ceil(SECTOR).min(requests);
    [(small, requests - large), (small + SECTOR, large)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_requests() {
        let mut rng = Stream::new(1, 1);
        let split = SizeDistribution::Split(vec![(4_096, 60), (65_536, 30), (131_072, 10)]);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..100_000 {
            *counts.entry(draw(&split, 1 << 30, &mut rng).unwrap()).or_insert(0u32) += 1;
        }
        for (size, share) in [(4_096, 0.6), (65_536, 0.3), (131_072, 0.1)] {
            let got = f64::from(counts[&size]) / 1e5;
            assert!((got - share).abs() < 0.006, "{size}: {got} instead of {share}");
        }
        let range = SizeDistribution::Range { min: 4_096, max: 65_536, unaligned: false };
        let mut counts = [0u32; 17];
        for _ in 0..160_000 {
            let size = draw(&range, 1 << 30, &mut rng).unwrap();
            assert_eq!(size % 4_096, 0);
            counts[(size / 4_096) as usize] += 1;
        }
        assert!(counts[0] == 0 && counts[1..].iter().all(|&c| (9_500..10_500).contains(&c)), "{counts:?}");
    }

    #[test]
    fn nothing_is_drawn_past_the_end() {
        let mut rng = Stream::new(1, 1);
        let split = SizeDistribution::Split(vec![(4_096, 50), (65_536, 50)]);
        assert_eq!(draw(&split, 8_192, &mut rng), Some(4_096));
        assert_eq!(draw(&split, 4_095, &mut rng), None);
        assert_eq!(draw(&SizeDistribution::Fixed(12_288), 4_096, &mut rng), None);
        let range = SizeDistribution::Range { min: 4_096, max: 65_536, unaligned: true };
        assert!((0..1_000).all(|_| draw(&range, 9_000, &mut rng).is_some_and(|s| (4_096..=9_000).contains(&s))));
    }
}
