//! How fast the hot paths are, next to the peers that a registry has.
//!
//! Lives here: benches in two sizes, peers, instruction counts, kept runs.
//! Never here: anything that the program needs; a test that looks at a clock.
//! Read next: `bench.rs` for what a bench is, then `no_cache.rs`, then `docs/benchmarks.md`.
//!
//! Every bench has a real size, run by `cargo xtask bench`, and a tiny one, run by the tests, which look at its result
//! and never at its time. Times are processor time of the measuring thread; a figure is the median of several runs.

#![forbid(unsafe_code)]

pub mod audit;
pub mod bench;
pub mod cache;
pub mod clock;
pub mod closed_loop;
pub mod days;
pub mod ds14_combined;
pub mod estimate;
pub mod fleet;
pub mod instructions;
pub mod keep;
pub mod machine;
pub mod no_cache;
pub mod parsers;
pub mod peers;
pub mod planner;
pub mod program;
pub mod replay;
pub mod report;
pub mod rig;
pub mod stack_alone;
pub mod studio;
pub mod warm_up;

use bench::Bench;

/// Every bench, in the order of the summary.
pub fn benches() -> Vec<Bench> {
    vec![
        no_cache::bench(),
        cache::bench(),
        ds14_combined::bench(),
        replay::bench(),
        warm_up::bench(),
        days::bench(),
        stack_alone::bench(),
        parsers::bench(),
        estimate::bench(),
        planner::bench(),
        report::bench(),
        audit::bench(),
        fleet::bench(),
        peers::kernels::bench(),
        peers::caches::bench(),
        peers::histogram::bench(),
        peers::python::bench(),
    ]
}
