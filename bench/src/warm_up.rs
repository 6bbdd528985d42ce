//! The published warm-up procedure, four virtual hours, through the program itself.
//!
//! Two hours of 1 MiB random writes and two hours of 1 MiB random reads over a 200 GB file on each volume of the DS14
//! rig, three workers with 128 outstanding each, from a cold cache. Every I/O is simulated.

use crate::bench::{Bench, Row, Sample, Target, Unit};
use crate::program::{self, Call};

const RIG: &str = "examples/ds14-benchmark/rig.toml";
const JOB: &str = "bench/jobs/warm-up.fio";

pub fn bench() -> Bench {
    Bench {
        name: "warm-up",
        is_for: "how long a person waits for four virtual hours of large I/Os on stripes and caches",
        not_for: "a rate of I/Os: each of them is ten parts on the stripe and sixteen blocks in the cache",
        rows: vec![Row {
            name: "2 h writes, 2 h reads",
            unit: Unit::Seconds,
            target: Some(Target::Figure { goal: 1.0, floor: f64::INFINITY }),
            peer: None,
            run: |size| simulate(size.pick("5", "7200"), &["--exact"]).map(|call| Sample::timed(call.ios(), call.time)),
        }],
    }
}

/// Runs it with so many virtual seconds a phase, and with more options.
pub fn simulate(seconds: &str, more: &[&str]) -> Result<Call, String> {
    program::simulate(RIG, JOB, &[&["--runtime", seconds, "--start", "cold"], more].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_phases_run_at_the_limits_of_the_vm() {
        let seconds = 20.0;
        let call = simulate("20", &[]).unwrap();
        // Both phases on the uncached budget of 524.288 MB/s: cold, hardly a read of the cached disk is a hit. Requests
        // under way at the end of a phase are waited for.
        let bytes = call.ios() as f64 * 1_048_576.0;
        let rate = bytes / call.summary["virtual_s"].as_f64().unwrap();
        assert!((rate / 524.288e6 - 1.0).abs() < 0.03, "{rate:.0} B/s");
        assert!(call.ios() as f64 > 2.0 * seconds * 480.0, "{} I/Os", call.ios());
    }
}
