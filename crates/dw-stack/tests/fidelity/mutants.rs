//! Each mutant of the twin fails at least one check: the checks bite.

use super::harness::System;
use super::limits::CHECKS;
use super::twin::{Fault, Twin};

#[test]
fn every_mutant_is_caught() {
    for fault in Fault::MUTANTS {
        let caught: Vec<&str> = CHECKS
            .iter()
            .filter(|(_, check)| {
                check(&|spec, latency| Box::new(Twin::new(&spec, latency, fault)) as Box<dyn System>).is_err()
            })
            .map(|(name, _)| *name)
            .collect();
        assert!(!caught.is_empty(), "{fault:?} passes every check");
        eprintln!("{fault:?} is caught by: {}", caught.join("; "));
    }
}
