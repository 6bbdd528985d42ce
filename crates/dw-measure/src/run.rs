//! One run of fio: started, watched, stopped when asked, its JSON read at the end.
//!
//! fio has a process group of its own, so that Ctrl-C on a terminal reaches it once, from here: on SIGINT it stops its jobs
//! and still writes its results, which are kept. Its JSON goes to a file, the line about progress comes on its output.

use std::fmt;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use dw_documents::results::{Entry, fio};
use dw_messages::{Sentence, say};
use serde_json::Value;

use crate::eta::{self, Eta};
use crate::fio::Fio;

/// Between two looks at the flag that stops.
const LOOK: Duration = Duration::from_millis(100);
/// fio has this long to end by itself when it is asked to.
const PATIENCE: Duration = Duration::from_secs(15);
/// Errors of the system that say that the target is not there any more.
const GONE: [u64; 8] = [2, 5, 6, 19, 30, 104, 107, 110];
const ENOSPC: u64 = 28;

/// What to run.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The job file.
    pub job: &'a str,
    /// A folder for the job file and the result.
    pub folder: &'a Path,
    /// Names both.
    pub name: &'a str,
    /// Hosts that run the job, each with `fio --server`; none = this one.
    pub clients: &'a [String],
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct FioRun {
    /// fio's JSON.
    pub document: Value,
    /// It was stopped on request before its end.
    pub interrupted: bool,
    /// Rates second by second, each with the seconds since the start.
    pub series: Vec<(f64, Eta)>,
}

/// Why there is no result.
#[derive(Clone, Debug)]
pub enum RunError {
    /// The job file cannot be written, or fio not started.
    Start(String),
    /// Somebody killed it.
    Killed {
        signal: i32,
        /// The end of what it said.
        said: String,
    },
    /// There was no room.
    Full {
        /// The end of what it said.
        said: String,
    },
    /// The target is gone.
    Gone {
        /// The end of what it said.
        said: String,
    },
    /// Between two runs the target went, or another came in its place.
    Vanished(Sentence),
    /// Anything else.
    Failed {
        /// Its exit code.
        code: i32,
        /// The end of what it said.
        said: String,
    },
    /// It was stopped before there was anything to report.
    Stopped,
}

impl From<RunError> for dw_error::Error {
    fn from(error: RunError) -> Self {
        let kind = if matches!(error, RunError::Stopped) { dw_error::Kind::Interrupted } else { dw_error::Kind::Bench };
        dw_error::Error::of(kind, error)
    }
}

impl RunError {
    /// As a sentence; what fio said is in its own words.
    pub fn sentence(&self) -> Sentence {
        let reason = |said: &str| (!said.is_empty()).then(|| say!(FioSaid { said }));
        match self {
            RunError::Start(why) => say!(FioStart { reason: why.as_str() }),
            RunError::Killed { signal, said } => say!(FioKilled { signal: signal.to_string(), said: reason(said) }),
            RunError::Full { said } => say!(FioFull { said: reason(said) }),
            RunError::Gone { said } => say!(FioGone { said: reason(said) }),
            RunError::Vanished(what) => say!(FioVanished { what: what.clone() }),
            RunError::Failed { code, said } => say!(FioFailed { code: code.to_string(), said: reason(said) }),
            RunError::Stopped => say!(FioStopped),
        }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sentence().fmt(f)
    }
}

impl std::error::Error for RunError {}

impl Fio {
    /// Runs a job to its end, or until `stop`; `tick` sees every line about progress.
    pub fn run(&self, run: &Run, stop: &AtomicBool, tick: &mut dyn FnMut(&Eta)) -> Result<FioRun, RunError> {
        let (job, result) =
            (run.folder.join(format!("{}.fio", run.name)), run.folder.join(format!("{}.fio.json", run.name)));
        let start = |e: std::io::Error| RunError::Start(e.to_string());
        std::fs::write(&job, run.job).map_err(start)?;
        let _ = std::fs::remove_file(&result);
        let mut child = self.start(run, &job, &result).map_err(start)?;
        let watched = watch(&mut child, stop, tick).map_err(start)?;
        let text = std::fs::read_to_string(&result).unwrap_or_default();
        let _ = std::fs::remove_file(&result);
        outcome(watched, &text)
    }

    fn start(&self, run: &Run, job: &Path, result: &Path) -> std::io::Result<Child> {
        let mut command = Command::new(&self.path);
        command.arg("--output-format=json+").arg(format!("--output={}", result.display()));
        command.args(["--eta=always", "--eta-newline=1"]);
        for host in run.clients {
            command.arg(format!("--client={host}")).arg(job);
        }
        if run.clients.is_empty() {
            command.arg(job);
        }
        command.current_dir(run.folder).process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    }
}

/// How a run went, before its result is read.
struct Watched {
    status: ExitStatus,
    asked: bool,
    series: Vec<(f64, Eta)>,
    said: String,
}

fn watch(child: &mut Child, stop: &AtomicBool, tick: &mut dyn FnMut(&Eta)) -> std::io::Result<Watched> {
    let begin = Instant::now();
    let (lines, arriving) = mpsc::channel::<String>();
    let readers = [child.stdout.take().map(reader(lines.clone())), child.stderr.take().map(reader(lines))];
    let (mut series, mut said, mut asked) = (Vec::new(), Vec::new(), None::<Instant>);
    loop {
        match arriving.recv_timeout(LOOK) {
            Ok(line) => match eta::parse(&line) {
                Some(eta) => {
                    series.push((begin.elapsed().as_secs_f64(), eta));
                    tick(&eta);
                }
                None if !line.trim_start().starts_with("Jobs:") => said.push(line.trim().to_string()),
                None => {}
            },
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        match asked {
            None if stop.load(Ordering::SeqCst) => {
                asked = Some(Instant::now());
                signal(child, rustix::process::Signal::INT);
            }
            Some(since) if since.elapsed() > PATIENCE => signal(child, rustix::process::Signal::KILL),
            _ => {}
        }
    }
    let status = child.wait()?;
    for reader in readers.into_iter().flatten() {
        let _ = reader.join();
    }
    said.retain(|line| !line.is_empty());
    Ok(Watched { status, asked: asked.is_some(), series, said: said.join("; ") })
}

fn signal(child: &Child, signal: rustix::process::Signal) {
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(pid, signal);
    }
}

/// Sends what a stream says, line by line; a carriage return ends a line as well.
fn reader<R: std::io::Read + Send + 'static>(
    lines: mpsc::Sender<String>,
) -> impl FnOnce(R) -> std::thread::JoinHandle<()> {
    move |mut stream| {
        std::thread::spawn(move || {
            let (mut line, mut chunk) = (Vec::new(), [0; 4_096]);
            while let Ok(n @ 1..) = stream.read(&mut chunk) {
                for &byte in &chunk[..n] {
                    match byte {
                        b'\r' | b'\n' => {
                            drop(lines.send(String::from_utf8_lossy(&std::mem::take(&mut line)).into_owned()))
                        }
                        _ => line.push(byte),
                    }
                }
            }
            let _ = lines.send(String::from_utf8_lossy(&line).into_owned());
        })
    }
}

fn outcome(watched: Watched, text: &str) -> Result<FioRun, RunError> {
    let Watched { status, asked, series, said } = watched;
    let said = shortened(&said);
    let document = document(text);
    let jobs = document.as_ref().map(fio::parts).unwrap_or_default();
    let errors: Vec<u64> = jobs.iter().filter_map(|job| job.errno).collect();
    if let Some(signal) = status.signal() {
        return Err(if asked { RunError::Stopped } else { RunError::Killed { signal, said } });
    }
    if errors.contains(&ENOSPC) || said.contains("No space left on device") {
        return Err(RunError::Full { said });
    }
    if errors.iter().any(|e| GONE.contains(e)) {
        return Err(RunError::Gone { said });
    }
    match document {
        // fio says 128 when it was stopped by a signal, and has written everything.
        Some(document) if asked && has_ios(&jobs) => Ok(FioRun { document, interrupted: true, series }),
        _ if asked => Err(RunError::Stopped),
        Some(document) if status.success() && errors.is_empty() => Ok(FioRun { document, interrupted: false, series }),
        // A signal that somebody else sent, which fio takes as the wish to stop.
        Some(_) if status.code() == Some(128) => Err(RunError::Killed { signal: 2, said }),
        _ => Err(RunError::Failed { code: status.code().unwrap_or(-1), said }),
    }
}

fn shortened(said: &str) -> String {
    const MOST: usize = 400;
    match said.char_indices().nth(MOST) {
        Some((at, _)) => format!("{} ...", &said[..at]),
        None => said.to_string(),
    }
}

/// The last document of a text: engines print lines before it.
fn document(text: &str) -> Option<Value> {
    fio::split(text).ok()?.found.pop().map(|document| document.value)
}

fn has_ios(jobs: &[Entry]) -> bool {
    jobs.iter().flat_map(|job| [&job.read, &job.write]).flatten().any(|figures| figures.ios.unwrap_or(0) > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watched(raw: i32, asked: bool, said: &str) -> Watched {
        Watched { status: ExitStatus::from_raw(raw), asked, series: Vec::new(), said: said.into() }
    }

    #[test]
    fn how_it_ended_is_told() {
        let good = r#"{"jobs":[{"jobname":"a","error":0,"read":{"total_ios":5}}]}"#;
        let full = r#"{"jobs":[{"jobname":"a","error":28,"read":{"total_ios":5}}]}"#;
        let gone = r#"{"jobs":[{"jobname":"a","error":5,"read":{"total_ios":5}}]}"#;
        let (exit_1, exit_128, by_9) = (1 << 8, 128 << 8, 9);
        let check = |raw, asked, text: &str, expected: &str| {
            let got = match outcome(watched(raw, asked, "fio: said"), text) {
                Ok(done) => format!("done, interrupted {}", done.interrupted),
                Err(e) => e.to_string(),
            };
            assert!(got.starts_with(expected), "{raw} {text}: {got}");
        };
        check(0, false, good, "done, interrupted false");
        check(0, false, &format!("notes first\n{good}"), "done, interrupted false");
        check(exit_128, true, good, "done, interrupted true");
        check(exit_128, false, good, "fio was killed by signal 2");
        check(by_9, false, "", "fio was killed by signal 9: fio: said");
        check(by_9, true, "", "stopped");
        check(exit_1, false, full, "the disk is full");
        check(exit_1, false, gone, "the target disappeared");
        check(exit_1, false, "", "fio failed with exit code 1: fio: said");
        check(0, false, "", "fio failed with exit code 0");
    }
}
