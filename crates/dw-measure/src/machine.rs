//! The machine that a benchmark ran on, as far as it matters to a figure.

use std::fs;
use std::path::Path;

pub use dw_documents::measure::Machine;

/// This machine, now.
pub fn this() -> Machine {
    let system = rustix::system::uname();
    let kernel = format!("{} {}", system.sysname().to_string_lossy(), system.release().to_string_lossy());
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let processor = read("/proc/cpuinfo")
        .lines()
        .find_map(|l| l.strip_prefix("model name")?.split_once(": ").map(|p| p.1.to_string()));
    let load = read("/proc/loadavg");
    Machine {
        kernel,
        processor,
        processors: std::thread::available_parallelism().map_or(1, |n| u32::try_from(n.get()).unwrap_or(1)),
        governors: governors(Path::new("/sys/devices/system/cpu")),
        memory_bytes: meminfo(&read("/proc/meminfo"), "MemTotal"),
        load_1min: load.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0.0),
    }
}

fn governors(folder: &Path) -> Vec<String> {
    let folders = fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut found: Vec<String> = folders
        .filter_map(|cpu| fs::read_to_string(cpu.join("cpufreq/scaling_governor")).ok())
        .map(|text| text.trim().to_string())
        .collect();
    found.sort();
    found.dedup();
    found
}

fn meminfo(text: &str, key: &str) -> u64 {
    let line = text.lines().find_map(|l| l.strip_prefix(key)?.strip_prefix(':'));
    line.and_then(|l| l.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()).unwrap_or(0) * 1_024
}

/// Processor time so far, in ticks: busy, and all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ticks {
    busy: u64,
    all: u64,
}

impl Ticks {
    /// Of all processors, now.
    pub fn now() -> Ticks {
        Ticks::parse(&fs::read_to_string("/proc/stat").unwrap_or_default())
    }

    fn parse(stat: &str) -> Ticks {
        let line = stat.lines().next().unwrap_or_default();
        let fields: Vec<u64> = line.split_whitespace().skip(1).filter_map(|f| f.parse().ok()).collect();
        // user nice system idle iowait irq softirq steal; guest time is in user already.
        let all: u64 = fields.iter().take(8).sum();
        let idle: u64 = fields.iter().skip(3).take(2).sum();
        Ticks { busy: all - idle, all }
    }

    /// Share of all processors that was busy since then, 0 to 1.
    pub fn busy_since(self, before: Ticks) -> f64 {
        let all = self.all.saturating_sub(before.all);
        self.busy.saturating_sub(before.busy) as f64 / all.max(1) as f64
    }
}

/// Seconds of processor time that a process has used.
pub fn process_seconds(pid: u32) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit_once(") ").map_or(Vec::new(), |(_, rest)| rest.split(' ').collect());
    let ticks = |at: usize| fields.get(at).and_then(|f| f.parse::<u64>().ok()).unwrap_or(0);
    (ticks(11) + ticks(12)) as f64 / rustix::param::clock_ticks_per_second() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_told_busy_from_idle() {
        let before = Ticks::parse("cpu  100 0 100 700 100 0 0 0 50 0\ncpu0 1 2\n");
        assert_eq!(before, Ticks { busy: 200, all: 1_000 });
        let after = Ticks::parse("cpu  200 0 150 800 100 0 0 50 50 0\n");
        assert!((after.busy_since(before) - 200.0 / 300.0).abs() < 1e-9);
        assert_eq!(before.busy_since(before), 0.0);
    }

    #[test]
    fn this_machine_is_described() {
        let machine = this();
        assert!(machine.kernel.contains(' ') && machine.processors > 0 && machine.memory_bytes > 0, "{machine:?}");
        assert!(process_seconds(std::process::id()) >= 0.0);
        assert_eq!(meminfo("MemTotal:       16 kB\nMemFree: 1 kB\n", "MemTotal"), 16_384);
    }
}
