//! The machine that a figure was measured on, without names of people, hosts or folders.

use std::process::Command;

/// What a reader of a kept run wants to know.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Model of the processor.
    pub processor: String,
    /// How many processors.
    pub cores: usize,
    /// Bytes of memory, in GiB.
    pub memory_gib: u64,
    /// Kernel release.
    pub kernel: String,
    pub compiler: String,
    /// Average number of running tasks over 1, 5 and 15 minutes.
    pub load: String,
    /// Commit of the working tree; `-dirty` when there is more in it.
    pub commit: String,
    /// Today.
    pub date: String,
}

impl Machine {
    /// This one, now.
    pub fn now() -> Machine {
        let read = |file: &str| std::fs::read_to_string(file).unwrap_or_default();
        Machine {
            processor: field(&read("/proc/cpuinfo"), "model name"),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_gib: kib(&field(&read("/proc/meminfo"), "MemTotal")).div_ceil(1 << 20),
            kernel: read("/proc/sys/kernel/osrelease").trim().to_string(),
            compiler: said("rustc", &["--version"]),
            load: read("/proc/loadavg").split(' ').take(3).collect::<Vec<_>>().join(" "),
            commit: said("git", &["describe", "--always", "--dirty", "--abbrev=12"]),
            date: said("date", &["-u", "+%F"]),
        }
    }
    /// The name of the folder of its runs.
    pub fn folder(&self) -> String {
        let words = format!("{} {} cores", self.processor, self.cores).to_lowercase();
        let words: Vec<&str> = words.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
        format!("{}-{}", self.date, words.join("-"))
    }
    /// As a list for a summary.
    pub fn list(&self) -> String {
        format!(
            "- processor: {}, {} cores\n- memory: {} GiB\n- kernel: {}\n- compiler: {}, dist profile, portable \
             (no `target-cpu`)\n- commit: {}\n- load average when it began (1, 5, 15 min): {}\n",
            self.processor, self.cores, self.memory_gib, self.kernel, self.compiler, self.commit, self.load
        )
    }
}

/// The first `name : value` of a text.
fn field(text: &str, name: &str) -> String {
    let line = text.lines().find(|line| line.starts_with(name)).and_then(|line| line.split_once(':'));
    line.map_or("unknown".into(), |(_, value)| value.trim().to_string())
}

fn kib(text: &str) -> u64 {
    text.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0)
}

fn said(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).output().ok().filter(|output| output.status.success());
    output.map_or("unknown".into(), |output| String::from_utf8_lossy(&output.stdout).trim().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_named_for_date_and_machine() {
        let cpuinfo = "processor\t: 0\nmodel name\t: Some CPU @ 2.7GHz\n";
        let machine = Machine {
            processor: field(cpuinfo, "model name"),
            cores: 2,
            memory_gib: kib("1048577 kB").div_ceil(1 << 20),
            kernel: String::new(),
            compiler: String::new(),
            load: String::new(),
            commit: String::new(),
            date: "2026-01-02".into(),
        };
        assert_eq!(machine.folder(), "2026-01-02-some-cpu-2-7ghz-2-cores");
        assert_eq!(machine.memory_gib, 2);
    }
}
