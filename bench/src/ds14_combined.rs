//! The published benchmark's combined job on its DS14 rig, through the program itself.
//!
//! Four readers on a warm cached disk and four rate-limited writers on a stripe of ten disks, each held by its limit.

use crate::bench::{Bench, Row, Sample, Target, Unit};
use crate::program::{self, Call};

const RIG: &str = "examples/ds14-benchmark/rig.toml";
const JOB: &str = "examples/ds14-benchmark/fioreadwrite.ini";

pub fn bench() -> Bench {
    let row = |name, target, run| Row { name, unit: Unit::MillionsPerSecond, target, peer: None, run };
    let target = Some(Target::Figure { goal: 20.0, floor: 10.0 });
    Bench {
        name: "ds14-combined",
        is_for: "simulated I/Os per second on a whole published benchmark, as the tool does it",
        not_for: "the cost of one mechanism: readers, writers, limits, cache and stripe are all in it",
        rows: vec![
            // What the tool prints, `simulated_ios` over `wall_s`: real time, which a busy neighbour lengthens.
            row("as printed by the tool", target, |size| {
                simulate(size.pick("1", "30")).map(|call| Sample::timed(call.ios(), call.wall()))
            }),
            row("processor time of the whole call", target, |size| {
                simulate(size.pick("1", "30")).map(|call| Sample::timed(call.ios(), call.time))
            }),
        ],
    }
}

/// Runs it for so many virtual seconds; 30 in the job file itself.
pub fn simulate(seconds: &str) -> Result<Call, String> {
    program::simulate_changed(RIG, JOB, "runtime=30\n", &format!("runtime={seconds}\n"), &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reaches_the_published_total() {
        let call = simulate("2").unwrap();
        let iops = call.summary["total"]["all"]["iops"].as_f64().unwrap();
        assert!((100_000.0..120_000.0).contains(&iops), "{iops}");
        let expected = iops * 2.0;
        assert!((call.ios() as f64 / expected - 1.0).abs() < 0.05, "{} I/Os", call.ios());
    }
}
