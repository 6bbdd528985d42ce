//! Crashes, one rule at a time.

use std::collections::BTreeSet;

use dw_emulator::command::CrashLevel;
use dw_emulator::durability::Survivors;

use crate::durability::history::History;

/// Every subset of the volatile writes of a short window may survive, each is legal, and nearly all differ.
#[test]
fn every_subset_of_a_small_window_is_legal() {
    let (mut windows, mut full) = (0, 0);
    for seed in 0..400 {
        let build = || {
            let mut history = History::new(seed);
            for _ in 0..8 {
                history.ask();
                history.wait(300);
                history.answers().unwrap_or_else(|error| panic!("{error}"));
            }
            history
        };
        let mut first = build();
        let now = first.now();
        let writes = first.engine.candidates(now);
        if !(2..=6).contains(&writes) {
            continue;
        }
        windows += 1;
        let mut states = BTreeSet::new();
        for mask in 0..1 << writes {
            let mut history = build();
            history.engine.crash(now, CrashLevel::Host, Survivors::Mask(mask), 0).unwrap();
            history.look(CrashLevel::Host).unwrap_or_else(|error| panic!("seed {seed}, mask {mask:b}: {error}"));
            states.insert(history.contents());
        }
        // Fewer states when a trim finds zeroes, or one write hides another.
        full += u32::from(states.len() == 1 << writes);
    }
    println!("{windows} windows, in {full} all subsets differ");
    assert!(windows >= 50 && full * 2 >= windows, "{windows} windows have 2 to 6 volatile writes, {full} are full");
}
