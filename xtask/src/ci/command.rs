//! Commands of the gate: at which priority they run, what they print, and how long they take.
//!
//! Measured: seconds of wall time, and seconds of processor time of the command and of all that it waited for. The shell's
//! `times` says the latter, which the standard library does not.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::root;

/// How long something took, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Took {
    pub wall_s: f64,
    pub cpu_s: f64,
}

/// Who gets a processor first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// What compares with real time.
    Measuring,
    /// What waits for real time, and must not be late.
    Waiting,
    Computing,
    /// Compilers: whatever the others leave.
    Compiling,
}

impl Priority {
    /// The command before the command. `SCHED_IDLE` never takes a processor from anyone. One step of `nice` is worth a quarter more
    /// processor time per process, so ten that wait need a wide gap not to outweigh one that measures. Without root, measuring runs at 0.
    fn prefix(self) -> &'static [&'static str] {
        match self {
            Priority::Measuring => &["nice", "-n", "-10"],
            Priority::Waiting => &["nice", "-n", "10"],
            Priority::Computing => &["nice", "-n", "15"],
            Priority::Compiling => &["chrt", "--idle", "0", "nice", "-n", "19"],
        }
    }
}

/// A command that is measured.
pub struct Measured {
    pub command: Command,
    times: PathBuf,
    begin: Instant,
}

/// `program` at this priority; arguments and environment are set on `command`. Standard error goes where standard output goes.
pub fn measured(program: &str, priority: Priority) -> Measured {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let times = std::env::temp_dir().join(format!("diskwright-gate-{}-{number}", std::process::id()));
    let mut command = Command::new("sh");
    // The shell stays to ask for the times. It joins the two streams in the order of writing.
    command.args(["-c", "\"$@\" 2>&1; status=$?; times >\"$TIMES\"; exit $status", "sh"]);
    let prefix = priority.prefix();
    // Where the system has no idle class, a compiler is only nice.
    let has_chrt = || {
        let tried = Command::new("chrt").args(["--idle", "0", "true"]).stderr(Stdio::null()).status();
        tried.is_ok_and(|status| status.success())
    };
    let prefix = if prefix.first() == Some(&"chrt") && !has_chrt() { &prefix[3..] } else { prefix };
    command.args(prefix).arg(program);
    command.env("TIMES", &times).current_dir(root()).stdin(Stdio::null());
    Measured { command, times, begin: Instant::now() }
}

impl Measured {
    /// Runs it; what it printed goes to standard output as it comes.
    pub fn shown(mut self) -> Result<Took, String> {
        let status = self.command.status().map_err(|e| format!("{:?}: {e}", self.command.get_program()))?;
        let took = self.took();
        if status.success() { Ok(took) } else { Err(format!("ended with {status}")) }
    }

    /// Runs it and keeps what it printed.
    pub fn output(mut self) -> (std::io::Result<Output>, Took) {
        let output = self.command.output();
        let took = self.took();
        (output, took)
    }

    /// How long it took; to be asked when it has ended.
    pub fn took(&self) -> Took {
        let text = std::fs::read_to_string(&self.times).unwrap_or_default();
        let _ = std::fs::remove_file(&self.times);
        Took { wall_s: self.begin.elapsed().as_secs_f64(), cpu_s: of_children(&text).unwrap_or(0.0) }
    }
}

/// The second line of `times`: user and system time of the shell's children, as in `1m2.345s 0m0.50s`.
fn of_children(text: &str) -> Option<f64> {
    let seconds = |word: &str| {
        let (minutes, seconds) = word.strip_suffix('s')?.split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.replace(',', ".").parse::<f64>().ok()?)
    };
    text.lines().nth(1)?.split_whitespace().map(seconds).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_of_children_are_summed() {
        assert_eq!(of_children("0m0.00s 0m0.00s\n1m2.50s 0m0.25s\n"), Some(62.75));
        assert_eq!(of_children("0m0,000s 0m0,000s\n0m1,500s 0m0,250s\n"), Some(1.75));
        assert_eq!(of_children(""), None);
    }

    #[test]
    fn a_command_is_measured_and_its_end_is_its_own() {
        let mut busy = measured("sh", Priority::Computing);
        busy.command.args(["-c", "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; echo said >&2; exit 3"]);
        let (output, took) = busy.output();
        let output = output.unwrap();
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(3), &b"said\n"[..]));
        assert!(took.cpu_s > 0.0 && took.wall_s > 0.0, "{took:?}");
    }
}
