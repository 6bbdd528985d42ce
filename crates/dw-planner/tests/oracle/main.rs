//! The exact search against twins that share nothing with it: trying everything, and a MILP.
//!
//! A failing seed prints itself: replay it alone with `DW_SEED=<seed> cargo test -p dw-planner --test oracle`.

mod brute_force;
mod milp;
mod milp_model;
mod properties;
mod random;
mod used;

/// Seeds to run: one, when the environment names it.
fn seeds(count: u64) -> Vec<u64> {
    match std::env::var("DW_SEED").ok().and_then(|seed| seed.parse().ok()) {
        Some(seed) => vec![seed],
        None => (0..count).collect(),
    }
}

/// I/Os that the disks of a stripe get of requests, which begin at every multiple of 4 KiB that they can come to.
fn disk_ios(requests: u64, moved: u64, disks: u64, unit: u64, own: Option<u64>) -> u64 {
    const PAGE: u64 = 4_096;
    let one = |size: u64| -> (u64, u64) {
        let begins = (0..unit / PAGE).map(|turn| turn * size % unit);
        let touched = |begin: u64| if disks > 1 { ((begin + size).div_ceil(unit)).min(disks) } else { 1 };
        let counted = own.map_or(1, |own| size.div_ceil(own));
        let turns = unit / PAGE;
        (begins.map(touched).sum::<u64>().max(counted * turns), turns)
    };
    if requests == 0 {
        return 0;
    }
    let small = (moved / requests / PAGE).max(1) * PAGE;
    let larger = moved.saturating_sub(small * requests).div_ceil(PAGE).min(requests);
    let ((a, turns), (b, _)) = (one(small), one(small + PAGE));
    ((requests - larger) * a + larger * b).div_ceil(turns)
}
