//! How long each step and each share of the tests takes, beside what it took in kept runs.
//!
//! `xtask/times.toml` keeps the processor time and the wall time of the last runs that were kept (`cargo xtask ci --keep-times`).
//! Processor time is judged; wall time depends on what else runs. An entry is slower when it exceeds the kept median, times the factor
//! of this machine, by a fifth and by [`SLACK_S`]. A median of fewer than [`JUDGING`] runs judges nothing: one run alone is noise.
//!
//! The factor is measured in the same run: a small reference computation runs every few seconds, and its median is held against
//! the kept one. A machine also differs in what that does not show (caches, disks), so the median ratio of all entries counts where
//! it is larger.
//!
//! Ignores: a slowdown of everything alike, which cannot be told from a slower machine; the printed totals show it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::command::Took;
use crate::root;

const FILE: &str = "xtask/times.toml";
/// How many runs are kept.
const KEPT: usize = 5;
/// How many runs of an entry are needed before it is judged.
pub const JUDGING: usize = 3;
/// An entry may be slower by this share of what it took.
const TOLERANCE: f64 = 1.2;
/// And by so many seconds: what is short is noise.
const SLACK_S: f64 = 4.0;

/// The kept runs, newest last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// Of the machine; another number is another class, with which nothing is compared.
    processors: usize,
    /// Milliseconds of processor time of the reference computation.
    reference_ms: Vec<f64>,
    /// By name, `[processor, wall]` seconds per run.
    entries: BTreeMap<String, Vec<[f64; 2]>>,
}

/// What this run took.
#[derive(Debug, Default)]
pub struct Times {
    pub entries: BTreeMap<String, Took>,
    pub reference_ms: f64,
}

/// An entry that became slower.
#[derive(Debug, PartialEq)]
pub struct Slower {
    pub name: String,
    pub line: String,
}

impl Kept {
    pub fn read() -> Result<Kept, String> {
        match std::fs::read_to_string(root().join(FILE)) {
            Ok(text) => toml::from_str(&text).map_err(|e| format!("{FILE}: {e}")),
            Err(_) => Ok(Kept::default()),
        }
    }

    /// The wall time that it took, to begin with what is long.
    pub fn expected_s(&self, name: &str) -> Option<f64> {
        median(self.entries.get(name)?.iter().map(|run| run[1]))
    }

    /// What is slower in this run.
    pub fn slower(&self, times: &Times, processors: usize) -> Vec<Slower> {
        let Some(factor) = self.factor(times).filter(|_| processors == self.processors) else { return Vec::new() };
        let slower = |(name, took): (&String, &Took)| {
            let kept = self.cpu_s(name).filter(|_| self.runs(name) >= JUDGING)?;
            let allowed = kept * factor * TOLERANCE + SLACK_S;
            (took.cpu_s > allowed).then(|| Slower {
                name: name.clone(),
                line: format!(
                    "{name}: {:.1} s of processor time, kept: {kept:.1} s; this machine needs {factor:.2} times as long",
                    took.cpu_s
                ),
            })
        };
        times.entries.iter().filter_map(slower).collect()
    }

    /// How much longer this machine takes than that of the kept runs.
    fn factor(&self, times: &Times) -> Option<f64> {
        let reference = times.reference_ms / median(self.reference_ms.iter().copied())?;
        // What is short tells little.
        let ratio = |(name, took): (&String, &Took)| Some(took.cpu_s / self.cpu_s(name).filter(|kept| *kept > 2.0)?);
        let usual = median(times.entries.iter().filter_map(ratio)).unwrap_or(reference);
        // On a faster machine not everything is faster: kernels and browsers are not.
        Some(reference.max(usual).max(1.0))
    }

    /// The most runs that are kept of any entry.
    pub fn most_runs(&self) -> usize {
        self.entries.values().map(Vec::len).max().unwrap_or_default()
    }

    fn runs(&self, name: &str) -> usize {
        self.entries.get(name).map_or(0, Vec::len)
    }

    fn cpu_s(&self, name: &str) -> Option<f64> {
        median(self.entries.get(name)?.iter().map(|run| run[0]))
    }

    /// Adds this run, and drops what it has not.
    ///
    /// # Errors
    /// When the kept runs are of another number of processors.
    pub fn keep(&mut self, times: &Times, processors: usize) -> Result<(), String> {
        if !self.is_of(processors) {
            return Err(format!("{FILE}: those runs are of {} processors: remove it first", self.processors));
        }
        self.processors = processors;
        // What has to take longer starts over: the median of the runs before would refuse it.
        for slower in self.slower(times, processors) {
            self.entries.remove(&slower.name);
        }
        push(&mut self.reference_ms, round(times.reference_ms));
        self.entries.retain(|name, _| times.entries.contains_key(name));
        for (name, took) in &times.entries {
            push(self.entries.entry(name.clone()).or_default(), [round(took.cpu_s), round(took.wall_s)]);
        }
        Ok(())
    }

    /// Whether these times are of such a machine; none are of any.
    pub fn is_of(&self, processors: usize) -> bool {
        self.entries.is_empty() || self.processors == processors
    }

    pub fn write(&self) -> Result<(), String> {
        let head = "# Written by `cargo xtask ci --keep-times`: the last runs of the whole gate from nothing, oldest first.\n\
                    # Of each entry: seconds of processor time, and of wall time beside all that ran at once.\n";
        let mut text =
            format!("{head}processors = {}\nreference_ms = {:?}\n\n[entries]\n", self.processors, self.reference_ms);
        for (name, runs) in &self.entries {
            text.push_str(&format!("{name:?} = {runs:?}\n"));
        }
        std::fs::write(root().join(FILE), text).map_err(|e| format!("{FILE}: {e}"))
    }
}

impl Times {
    /// The ten that took most of the processors, a line each, then the sums.
    pub fn largest(&self) -> String {
        let mut all: Vec<(&String, &Took)> = self.entries.iter().collect();
        all.sort_by(|a, b| b.1.cpu_s.total_cmp(&a.1.cpu_s));
        let line = |(name, took): (&String, &Took)| format!("{:8.1} {:8.1}  {name}\n", took.cpu_s, took.wall_s);
        let sum = Took {
            cpu_s: self.entries.values().map(|took| took.cpu_s).sum(),
            wall_s: self.entries.values().map(|took| took.wall_s).sum(),
        };
        let lines: String = all.into_iter().take(10).map(line).collect();
        format!("processor  wall s\n{lines}{}", line((&format!("all {}", self.entries.len()), &sum)))
    }
}

fn push<T>(runs: &mut Vec<T>, run: T) {
    runs.push(run);
    if runs.len() > KEPT {
        runs.remove(0);
    }
}

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 {
        return Some(values[middle]);
    }
    Some((values.get(middle)? + values[middle - 1]) / 2.0)
}

/// Runs the reference computation until `ended`, seldom enough to cost nothing; its median.
pub fn reference_ms(ended: &AtomicBool) -> f64 {
    let mut took = Vec::new();
    loop {
        took.push(reference_once_ms());
        for _ in 0..50 {
            if ended.load(Ordering::Relaxed) {
                return median(took.into_iter()).unwrap_or(0.0);
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

/// Milliseconds of processor time for sorting and adding up: what compilers and simulators do most is compare and move.
fn reference_once_ms() -> f64 {
    let begin = on_processor_ns();
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut numbers: Vec<u64> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state
    })
    .take(1 << 18)
    .collect();
    numbers.sort_unstable();
    let counted: BTreeMap<u64, u64> = numbers.iter().map(|number| (number % 65_521, *number)).collect();
    std::hint::black_box(counted);
    (on_processor_ns() - begin) / 1e6
}

/// How long this thread has been on a processor, where the system says it; else how late it is.
fn on_processor_ns() -> f64 {
    let said = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let said = said.and_then(|text| text.split_whitespace().next()?.parse().ok());
    said.unwrap_or_else(|| {
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64() * 1e9)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(reference_ms: f64, entries: &[(&str, f64)]) -> Times {
        let entries = entries.iter().map(|(name, cpu_s)| (name.to_string(), Took { cpu_s: *cpu_s, wall_s: 1.0 }));
        Times { entries: entries.collect(), reference_ms }
    }

    fn slower(kept: &Kept, reference_ms: f64, entries: &[(&str, f64)]) -> Vec<String> {
        kept.slower(&times(reference_ms, entries), 2).into_iter().map(|slower| slower.name).collect()
    }

    #[test]
    fn what_became_a_fifth_slower_is_named_and_a_slow_machine_is_none() {
        let mut kept = Kept::default();
        for run in [100.0, 104.0, 96.0] {
            // Fewer runs judge nothing.
            assert_eq!(slower(&kept, 50.0, &[("a", 900.0), ("b", 50.0), ("c", 40.0)]), [""; 0]);
            kept.keep(&times(50.0, &[("a", run), ("b", 50.0), ("c", 40.0), ("short", 0.5)]), 2).unwrap();
        }
        let same = [("a", 100.0), ("b", 50.0), ("c", 40.0), ("short", 0.5)];
        assert_eq!(slower(&kept, 50.0, &same), [""; 0]);
        assert_eq!(slower(&kept, 50.0, &[("a", 125.0), ("b", 50.0), ("c", 40.0), ("short", 2.0)]), ["a"]);
        // A machine of half the speed.
        assert_eq!(slower(&kept, 100.0, &[("a", 200.0), ("b", 100.0), ("c", 80.0)]), [""; 0]);
        assert_eq!(slower(&kept, 100.0, &[("a", 250.0), ("b", 100.0), ("c", 80.0)]), ["a"]);
        // One whose reference does not show that it is slow.
        assert_eq!(slower(&kept, 50.0, &[("a", 150.0), ("b", 75.0), ("c", 60.0)]), [""; 0]);
        // What has to take longer is accepted at once, and judged when it has its own median.
        let mut longer = kept.clone();
        longer.keep(&times(50.0, &[("a", 150.0), ("b", 50.0), ("c", 40.0), ("short", 0.5)]), 2).unwrap();
        assert_eq!(slower(&longer, 50.0, &[("a", 150.0), ("b", 50.0), ("c", 40.0)]), [""; 0]);
        // Another class.
        assert!(kept.slower(&times(50.0, &[("a", 900.0), ("b", 50.0), ("c", 40.0)]), 4).is_empty());
    }

    #[test]
    fn the_last_runs_are_kept_and_survive_the_file() {
        let mut kept = Kept::default();
        for run in 0..9 {
            kept.keep(&times(50.0, &[("a", f64::from(run)), (if run < 8 { "gone" } else { "new" }, 1.0)]), 2).unwrap();
        }
        assert!(kept.keep(&times(50.0, &[]), 4).is_err_and(|why| why.contains("of 2 processors")));
        assert_eq!(kept.entries["a"].len(), KEPT);
        assert_eq!(kept.cpu_s("a"), Some(6.0));
        assert!(!kept.entries.contains_key("gone") && kept.entries["new"].len() == 1);
        let text = toml::to_string(&kept).unwrap();
        assert_eq!(toml::from_str::<Kept>(&text).unwrap(), kept);
    }

    #[test]
    fn the_kept_file_is_one_of_a_whole_gate() {
        let kept = Kept::read().unwrap();
        // Nothing is compared until a run is kept.
        if kept.entries.is_empty() {
            return;
        }
        assert!(kept.processors > 0 && !kept.reference_ms.is_empty(), "cargo xtask ci --keep-times writes {FILE}");
        for name in ["clippy", "diskwright-cli --test all e2e::", "dw-sim --test all fio_null::"] {
            assert!(kept.entries.contains_key(name), "{name}");
        }
    }

    #[test]
    fn the_largest_come_first() {
        let text = times(1.0, &[("a", 1.0), ("b", 9.0)]).largest();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[1].ends_with("  b") && lines[2].ends_with("  a") && lines[3].ends_with("  all 2"), "{text}");
    }

    #[test]
    fn the_reference_takes_some_time() {
        assert!(reference_once_ms() > 0.1);
    }
}
