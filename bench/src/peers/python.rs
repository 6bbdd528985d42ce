//! Peers that install from Python's registry: SimPy and libCacheSim, where they are there.
//!
//! `pip install simpy libcachesim numpy` (and `pandas polars jc` for the parsers) makes these rows appear; the variable `DW_BENCH_PYTHON` names another
//! interpreter. Each script prints how much it did and the processor seconds that it took.

use std::process::Command;
use std::time::Duration;

use crate::bench::{Bench, Row, Sample, Unit};
use crate::program;

pub fn bench() -> Bench {
    let row = |name, run| Row { name, unit: Unit::MillionsPerSecond, target: None, peer: None, run };
    Bench {
        name: "peer-python",
        is_for: "accesses and events a second of two simulators in wide use",
        not_for: "their best: libCacheSim runs here through its Python package, its work is done in C",
        rows: vec![
            row("libCacheSim LRU", |size| work("bench/peers/libcachesim_lru.py", size.pick(50_000, 5_000_000))),
            row("SimPy, a resource and two timeouts", |size| {
                work("bench/peers/simpy_closed_loop.py", size.pick(2_000, 200_000))
            }),
        ],
    }
}

fn work(name: &str, work: u64) -> Result<Sample, String> {
    script(name, &[&work.to_string()])
}

/// What a script of the repository measured.
pub fn script(name: &str, args: &[&str]) -> Result<Sample, String> {
    let python = std::env::var("DW_BENCH_PYTHON").unwrap_or_else(|_| "python3".into());
    let output = Command::new(&python).arg(program::file(name)).args(args).output();
    let output = output.map_err(|e| format!("`{python}` does not run: {e}"))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(message.lines().last().unwrap_or("it failed").to_string());
    }
    read(&String::from_utf8_lossy(&output.stdout)).ok_or_else(|| format!("{name} printed no figures"))
}

/// `work seconds`.
fn read(text: &str) -> Option<Sample> {
    let (work, seconds) = text.trim().split_once(' ')?;
    Some(Sample::timed(work.parse().ok()?, Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read() {
        assert_eq!(read("5000 0.25\n"), Some(Sample::timed(5_000, Duration::from_millis(250))));
        for wrong in ["", "5000", "5000 -1", "x 1"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
