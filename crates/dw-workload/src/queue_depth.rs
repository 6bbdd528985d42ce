//! The queue depth to set for a rate.

/// The depth with which a rate is reached that has `needed` requests in flight on average, by Little's law. Requests bunch up, so the
/// mean is not enough: four standard deviations of a Poisson number are added. A full queue then holds back a few requests in a thousand
/// with one in flight, one in ten thousand with ten.
///
/// ```
/// assert_eq!([0, 1, 10, 100].map(dw_workload::queue_depth::advised), [0, 5, 23, 140]);
/// ```
pub fn advised(needed: u64) -> u64 {
    let variance = needed.saturating_mul(16);
    let root = variance.isqrt();
    needed.saturating_add(root + u64::from(root * root < variance))
}
