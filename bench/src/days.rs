//! A day of load: by leaps, which is what a person waits for, and every I/O of it, which leaps are held against.
//!
//! Days under limits that hold steadily, credits that run dry, a cold cache, and the published warm-up procedure. The bench leaves out the
//! day of the D8ds_v4: its writers ask for just what the VM passes, so their queue never comes to rest and all of it is simulated.

use std::fmt::Write;

use serde_json::Value;

use crate::bench::{Bench, Row, Sample, Size, Target, Unit};
use crate::program::{self, Call};
use crate::warm_up;

/// A load of many hours on a rig.
#[derive(Clone, Copy, Debug)]
pub struct Day {
    /// Its name on the command line.
    pub name: &'static str,
    pub what: &'static str,
    rig: &'static str,
    job: &'static str,
    /// How long it runs in its job file.
    runtime: &'static str,
}

/// All of them but the warm-up, which is no day.
pub const DAYS: [Day; 5] = [
    Day {
        name: "ds14",
        what: "24 h of the DS14 combined job",
        rig: "examples/ds14-benchmark/rig.toml",
        job: "examples/ds14-benchmark/fioreadwrite.ini",
        runtime: "runtime=30\n",
    },
    Day {
        name: "d8ds-v4",
        what: "24 h of the D8ds_v4 combined job",
        rig: "examples/d8ds-v4-benchmark/rig.toml",
        job: "examples/d8ds-v4-benchmark/fioreadwrite.ini",
        runtime: "runtime=30\n",
    },
    Day {
        name: "burst",
        what: "24 h of a P10, credits dry in half an hour",
        rig: "examples/03-burst-runs-dry/rig.toml",
        job: "bench/jobs/burst.fio",
        runtime: "runtime=24h\n",
    },
    Day {
        name: "credits",
        what: "24 h of a D4s_v5, credits of the VM dry in 37 min",
        rig: "bench/jobs/credits.toml",
        job: "bench/jobs/credits.fio",
        runtime: "runtime=24h\n",
    },
    Day {
        name: "cold",
        what: "24 h of Zipf 0.99 from a cold cache",
        rig: "bench/jobs/cold.toml",
        job: "bench/jobs/cold.fio",
        runtime: "runtime=24h\n",
    },
];

/// What may be compared.
pub const NAMES: [&str; 6] = [DAYS[0].name, DAYS[1].name, DAYS[2].name, DAYS[3].name, DAYS[4].name, "warm-up"];

pub fn bench() -> Bench {
    let row = |name, run| Row {
        name,
        unit: Unit::Seconds,
        target: Some(Target::Figure { goal: 1.0, floor: f64::INFINITY }),
        peer: None,
        run,
    };
    Bench {
        name: "days",
        is_for: "how long a person waits for a day of load, steady state leapt over",
        not_for: "loads whose steady state never comes, which are simulated I/O by I/O",
        rows: vec![
            row(DAYS[0].what, |size| sample(&DAYS[0], size)),
            row(DAYS[2].what, |size| sample(&DAYS[2], size)),
            row(DAYS[3].what, |size| sample(&DAYS[3], size)),
            row(DAYS[4].what, |size| sample(&DAYS[4], size)),
            row("the warm-up, 2 h writes, 2 h reads", |size| {
                leaping_warm_up(size).map(|call| Sample::timed(call.ios(), call.time))
            }),
        ],
    }
}

fn sample(day: &Day, size: Size) -> Result<Sample, String> {
    day.simulate(size.pick("1s", "24h"), &[]).map(|call| Sample::timed(call.ios(), call.time))
}

/// Shorter than what is leapt over without being asked.
fn leaping_warm_up(size: Size) -> Result<Call, String> {
    warm_up::simulate(size.pick("5", "7200"), &["--error", "5%"])
}

impl Day {
    fn simulate(&self, runtime: &str, more: &[&str]) -> Result<Call, String> {
        program::simulate_changed(self.rig, self.job, self.runtime, &format!("time_based\nruntime={runtime}\n"), more)
    }
}

/// A table of what leaps say of each day against every I/O of it; of the named ones alone. `tell` is told each line as it is known: the
/// exact runs take an hour and more.
pub fn compared(names: &[String], runtime: &str, mut tell: impl FnMut(&str)) -> Result<String, String> {
    let mut lines = String::new();
    let mut add = |line: String| {
        tell(&line);
        let _ = writeln!(lines, "{line}");
    };
    add("| what | of | IOPS | mean | p99 | said of p99 | leapt over | by leaps | exact |".into());
    add("|---|---|---|---|---|---|---|---|---|".into());
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    for day in DAYS.iter().filter(|day| is_wanted(day.name)) {
        let leaping = day.simulate(runtime, &[])?;
        let exact = day.simulate(runtime, &["--exact"])?;
        rows(day.what, &leaping, &exact).into_iter().for_each(&mut add);
    }
    if is_wanted("warm-up") {
        let seconds = if runtime == "24h" { "7200" } else { "20" };
        let leaping = warm_up::simulate(seconds, &["--error", "5%"])?;
        rows("the warm-up", &leaping, &warm_up::simulate(seconds, &["--exact"])?).into_iter().for_each(&mut add);
    }
    Ok(lines)
}

/// A row for each direction of each volume.
fn rows(what: &str, leaping: &Call, exact: &Call) -> Vec<String> {
    let mut rows = Vec::new();
    let leaps = &leaping.summary["leaps"];
    let errors = leaps["errors"].as_array().cloned().unwrap_or_default();
    for (of_leaping, of_exact) in volumes(leaping).iter().zip(volumes(exact)) {
        let volume = of_exact["name"].as_str().unwrap_or_default();
        for direction in ["read", "write"] {
            let (found, right) = (&of_leaping[direction], &of_exact[direction]);
            let Some(ios) = right["ios"].as_u64().filter(|ios| *ios > 0) else { continue };
            let off = |of: &[&str]| {
                let get = |value: &Value| of.iter().fold(value, |value, key| &value[*key]).as_f64().unwrap_or(0.0);
                format!("{:+.2} %", (get(found) / get(right) - 1.0) * 100.0)
            };
            let error = errors.iter().find(|error| error["volume"] == volume && error["direction"] == direction);
            let said = error.and_then(|error| error["p99_percent"].as_f64());
            rows.push(format!(
                "| {what} | {volume}, {direction}: {ios} I/Os | {} | {} | {} | {} | {:.2} % | {:.2} s | {:.0} s |",
                off(&["iops"]),
                off(&["latency_ns", "mean"]),
                off(&["latency_ns", "p99"]),
                said.map_or("-".into(), |said| format!("± {said:.1} %")),
                leaps["share_percent"].as_f64().unwrap_or(0.0),
                leaping.time.as_secs_f64(),
                exact.time.as_secs_f64(),
            ));
        }
    }
    rows
}

fn volumes(call: &Call) -> &[Value] {
    call.summary["volumes"].as_array().map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaps_are_held_against_every_io() {
        // So short that nothing is leapt over: both are the same run.
        let table = compared(&["burst".into(), "cold".into()], "2s", |_| {}).unwrap();
        let rows: Vec<&str> = table.lines().skip(2).collect();
        assert_eq!(rows.len(), 2, "{table}");
        assert!(rows.iter().all(|row| row.matches("+0.00 %").count() == 3), "{table}");
        let ios = rows[0].split("data, read: ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<u64>().ok());
        assert!(ios.is_some_and(|ios| (6_900..7_200).contains(&ios)), "two seconds at 3,500 I/Os per second: {table}");
    }

    #[test]
    fn a_day_is_leapt_over() {
        let day = DAYS.iter().find(|day| day.name == "burst").unwrap();
        let call = day.simulate("24h", &[]).unwrap();
        let iops = call.summary["volumes"][0]["read"]["iops"].as_f64().unwrap();
        // 1,800 s at 3,500 I/Os per second, 500 from then on.
        let expected = (1_800.0 * 3_500.0 + 84_600.0 * 500.0) / 86_400.0;
        assert!((iops / expected - 1.0).abs() < 0.01, "{iops}, not {expected}");
        assert!(call.summary["leaps"]["share_percent"].as_f64().unwrap() > 99.0);
    }
}
