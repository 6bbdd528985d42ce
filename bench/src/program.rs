//! The program as a person runs it, in this process, so that its processor time can be told from that of others.

use std::path::{Path, PathBuf};
use std::time::Duration;

use diskwright_cli::exit::Exit;
use serde_json::Value;

use crate::clock;

/// What a call of `diskwright simulate` came to.
#[derive(Clone, Debug)]
pub struct Call {
    /// The `diskwright` object of its JSON.
    pub summary: Value,
    /// Processor time of the whole call: files read, simulated, reported.
    pub time: Duration,
}

impl Call {
    /// I/Os simulated.
    pub fn ios(&self) -> u64 {
        self.summary["simulated_ios"].as_u64().unwrap_or(0)
    }
    /// Seconds that the tool says it simulated for.
    pub fn wall(&self) -> Duration {
        Duration::from_secs_f64(self.summary["wall_s"].as_f64().unwrap_or(0.0))
    }
}

/// A file of the repository.
pub fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

/// Runs `diskwright simulate rig job more`, in JSON; the files are the repository's.
pub fn simulate(rig: &str, job: &str, more: &[&str]) -> Result<Call, String> {
    call(&file(rig), &file(job), more)
}

/// The same with one thing replaced in the job file: what a job file says wins over the command line.
pub fn simulate_changed(rig: &str, job: &str, what: &str, with: &str, more: &[&str]) -> Result<Call, String> {
    let text = std::fs::read_to_string(file(job)).map_err(|e| format!("{job}: {e}"))?;
    if !text.contains(what) {
        return Err(format!("{job} has no `{}` to replace", what.trim()));
    }
    let changed = tempfile::Builder::new().suffix(".fio").tempfile().map_err(|e| e.to_string())?;
    std::fs::write(changed.path(), text.replace(what, with)).map_err(|e| e.to_string())?;
    call(&file(rig), changed.path(), more)
}

fn call(rig: &Path, job: &Path, more: &[&str]) -> Result<Call, String> {
    let mut args: Vec<String> = vec!["diskwright".into(), "simulate".into()];
    args.extend([rig, job].map(|path| path.display().to_string()));
    args.extend(["--output-format", "json", "--quiet"].iter().chain(more).map(|arg| (*arg).to_string()));
    let mut out = Vec::new();
    let (exit, time) = clock::timed(|| diskwright_cli::run(args, &mut out));
    if exit != Exit::Ok {
        return Err(format!("`diskwright simulate {} {}` failed", rig.display(), job.display()));
    }
    let json: Value = serde_json::from_slice(&out).map_err(|e| format!("the result is not valid JSON: {e}"))?;
    Ok(Call { summary: json["diskwright"].clone(), time })
}
