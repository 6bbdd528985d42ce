//! Instructions per simulated I/O, counted by callgrind: a figure that neighbours and clock rates do not move.
//!
//! Each case runs twice, at two lengths; the difference of the counts over the difference of the I/Os leaves out
//! start-up. `bench/instructions.toml` keeps the figures; a check fails when one is more than 2 % above its own. There are two tables:
//! one of what ships, and one of the build that the tests run, which they check.
//!
//! Ignores: caches and mispredictions. A change may cost instructions and gain time; then the baseline is written again.

use std::collections::BTreeMap;
use std::process::Command;

use dw_units::Duration;

use crate::{cache, ds14_combined, no_cache, program, replay, stack_alone, warm_up};

/// A figure may exceed its baseline by this share.
const TOLERANCE: f64 = 0.02;
const BASELINE: &str = "bench/instructions.toml";
/// The figures of what ships.
pub const SHIPPED: &str = "instructions_per_io";
/// Those of a build with debug assertions, which takes more of them.
const CHECKED: &str = "instructions_per_io_with_debug_assertions";
/// Those of this build.
pub const OWN: &str = if cfg!(debug_assertions) { CHECKED } else { SHIPPED };

/// Something whose instructions are counted.
pub struct Case {
    pub name: &'static str,
    /// Does it at length 1 or 2; how many I/Os that were.
    pub run: fn(u64) -> Result<u64, String>,
}

/// Everything that is counted.
pub const CASES: &[Case] = &[
    Case { name: "no-cache-norandommap", run: |n| Ok(no_cache_ios(n, false)) },
    Case { name: "no-cache-random-map", run: |n| Ok(no_cache_ios(n, true)) },
    Case { name: "cache-reads", run: |n| Ok(cache_ios(n, 100)) },
    Case { name: "cache-70-30", run: |n| Ok(cache_ios(n, 70)) },
    Case { name: "ds14-combined", run: |n| ds14_combined::simulate(["2", "4"][n as usize - 1]).map(|call| call.ios()) },
    Case { name: "replay", run: |n| Ok(replay::simulate(Duration::from_ms(1_000 * n)).0.simulated_ios) },
    Case { name: "warm-up", run: |n| warm_up::simulate(["20", "40"][n as usize - 1], &[]).map(|call| call.ios()) },
    Case { name: "stack-no-limits", run: |n| Ok(stack_ios(n, stack_alone::Rig::NoLimits)) },
    Case { name: "stack-p30", run: |n| Ok(stack_ios(n, stack_alone::Rig::P30)) },
    Case { name: "stack-10-p30-ds14", run: |n| Ok(stack_ios(n, stack_alone::Rig::Ds14)) },
    Case { name: "stack-warm-cache", run: |n| Ok(stack_ios(n, stack_alone::Rig::WarmCache)) },
];

fn no_cache_ios(length: u64, cover: bool) -> u64 {
    no_cache::simulate(Duration::from_ms(300 * length), 4, cover).0.simulated_ios
}

fn cache_ios(length: u64, read_percent: u8) -> u64 {
    // Whole passes; the first ones fill the cache.
    cache::simulate(cache::SMALL, (1 + 3 * length) << 16, read_percent).0.simulated_ios
}

fn stack_ios(length: u64, rig: stack_alone::Rig) -> u64 {
    let ios = 200_000 * length;
    stack_alone::closed_loop(rig).run(ios);
    ios
}

/// Instructions per I/O.
pub type Figures = BTreeMap<String, f64>;

/// Counts every case, each in processes of its own, its two lengths side by side.
pub fn count(mut tell: impl FnMut(&str, f64)) -> Result<Figures, String> {
    let mut figures = Figures::new();
    for case in CASES {
        let (short, long) = std::thread::scope(|scope| {
            let short = scope.spawn(|| under_callgrind(case.name, 1));
            let long = under_callgrind(case.name, 2);
            (short.join().unwrap_or_else(|_| Err(format!("{}: the count panicked", case.name))), long)
        });
        let (short, long) = (short?, long?);
        let figure = (long.0 - short.0) as f64 / (long.1 - short.1) as f64;
        tell(case.name, figure);
        figures.insert(case.name.to_string(), (figure * 10.0).round() / 10.0);
    }
    Ok(figures)
}

/// Instructions, and I/Os.
fn under_callgrind(case: &str, length: u64) -> Result<(u64, u64), String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
    let output = command.args(["--once", case, &length.to_string()]).output();
    let output = output.map_err(|e| format!("valgrind does not run: {e}\nhint: install valgrind"))?;
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let ios = out.trim().parse().map_err(|_| format!("{case} under valgrind failed:\n{err}"))?;
    let instructions = collected(&err).ok_or_else(|| format!("valgrind printed no count for {case}:\n{err}"))?;
    Ok((instructions, ios))
}

/// The count in callgrind's closing lines: `==1== Collected : 123`.
fn collected(text: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.contains("Collected :"))?;
    line.rsplit(' ').next()?.parse().ok()
}

/// The committed figures of one of the two tables.
pub fn baseline(table: &str) -> Result<Figures, String> {
    let mut tables = read(&committed()?)?;
    tables.remove(table).ok_or_else(|| format!("{BASELINE}: there is no table `{table}`"))
}

fn committed() -> Result<String, String> {
    std::fs::read_to_string(program::file(BASELINE)).map_err(|e| format!("{BASELINE}: {e}"))
}

fn read(text: &str) -> Result<BTreeMap<String, Figures>, String> {
    #[derive(serde::Deserialize)]
    struct File {
        #[serde(rename = "compiler")]
        _compiler: String,
        #[serde(flatten)]
        tables: BTreeMap<String, Figures>,
    }
    toml::from_str::<File>(text).map(|file| file.tables).map_err(|e| format!("{BASELINE}: {e}"))
}

/// The text of the committed file.
fn written(tables: &BTreeMap<String, Figures>, compiler: &str) -> String {
    let mut text = String::from(
        "# Instructions per simulated I/O, counted by callgrind: of what ships (`cargo xtask bench --write-instructions` and\n\
         # `--check-instructions`), and of the build that the tests run, which they check (`CARGO_INCREMENTAL=0 cargo run -p dw-bench -- --write-instructions`).\n\
         # A figure may be 2 % above, no more.\n\n",
    );
    text.push_str(&format!("compiler = \"{compiler}\"\n"));
    for (table, figures) in tables {
        text.push_str(&format!("\n[{table}]\n"));
        for (name, figure) in figures {
            text.push_str(&format!("{name} = {figure:.1}\n"));
        }
    }
    text
}

/// Writes the figures of this build into the committed file.
pub fn write(figures: &Figures, compiler: &str) -> Result<(), String> {
    let mut tables = read(&committed()?)?;
    tables.insert(OWN.into(), figures.clone());
    std::fs::write(program::file(BASELINE), written(&tables, compiler)).map_err(|e| format!("{BASELINE}: {e}"))
}

/// What is worse than the baseline allows, one line each.
pub fn faults(now: &Figures, baseline: &Figures) -> Vec<String> {
    let line = |(name, &figure): (&String, &f64)| match baseline.get(name) {
        None => Some(format!("{name}: {figure:.1}, not in {BASELINE}\nhint: `--write-instructions` adds it")),
        Some(&was) if figure > was * (1.0 + TOLERANCE) => {
            Some(format!("{name}: {figure:.1} instead of {was:.1}, {:+.1} %", (figure / was - 1.0) * 100.0))
        }
        Some(_) => None,
    };
    now.iter().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_found() {
        let text = "==7== Events    : Ir\n==7== Collected : 1234567\n==7== \n";
        assert_eq!(collected(text), Some(1_234_567));
        assert_eq!(collected("==7== "), None);
    }

    #[test]
    fn figures_are_compared_and_survive_the_file() {
        let figures = |pairs: &[(&str, f64)]| pairs.iter().map(|(n, f)| ((*n).to_string(), *f)).collect::<Figures>();
        let baseline = figures(&[("a", 100.0), ("b", 100.0), ("c", 100.0)]);
        let now = figures(&[("a", 101.9), ("b", 102.1), ("c", 50.0), ("d", 1.0)]);
        let faults = faults(&now, &baseline);
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert_eq!(faults[0], "b: 102.1 instead of 100.0, +2.1 %");
        assert!(faults[1].starts_with("d: 1.0, not in bench/instructions.toml"));
        let tables = BTreeMap::from([(SHIPPED.to_string(), baseline), (CHECKED.to_string(), now)]);
        assert_eq!(read(&written(&tables, "rustc 1.0")), Ok(tables));
    }

    #[test]
    fn the_committed_file_names_every_case() {
        let mut cases: Vec<&str> = CASES.iter().map(|case| case.name).collect();
        cases.sort_unstable();
        for table in [SHIPPED, CHECKED] {
            let baseline = baseline(table).unwrap();
            let names: Vec<&str> = baseline.keys().map(String::as_str).collect();
            assert_eq!(names, cases, "{table}");
        }
    }

    #[test]
    fn longer_cases_do_more() {
        for name in ["no-cache-norandommap", "cache-reads", "ds14-combined", "stack-p30"] {
            let case = CASES.iter().find(|case| case.name == name).unwrap();
            let (short, long) = ((case.run)(1).unwrap(), (case.run)(2).unwrap());
            assert!(long > short + short / 2, "{name}: {short} and {long} I/Os");
        }
    }
}
