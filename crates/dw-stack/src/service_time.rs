//! Service time: quantile tables in integers, seeded draws.
//!
//! PLACEHOLDER front; body to come.
use alloc::sync::Arc;
use dw_units::Throughput;

/// A distribution of service times, and a stream bandwidth that adds to it by size.
#[derive(Clone, Debug)]
pub struct ServiceTime {
    /// The distribution.
    pub table: Arc<QuantileTable>,
    /// Adds `len / bandwidth`; absent = size does not matter.
    pub bandwidth: Option<Throughput>,
}

/// A distribution of times as a table of quantiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuantileTable {}

impl QuantileTable {
    /// From knots `(probability, ns)`: probability as parts per million (500_000 = median), strictly increasing, times
    /// not decreasing; the last knot must be at 1_000_000 (the maximum). Log-linear between knots.
    pub fn from_knots(_knots: &[(u32, u64)]) -> Result<Self, KnotError> {
        todo!()
    }
    /// Always `ns`.
    pub fn constant(_ns: u64) -> Self {
        todo!()
    }
}

/// Why knots are not a distribution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnotError {
    /// The index of the offending knot.
    pub index: usize,
    /// What is wrong with it.
    pub reason: &'static str,
}
