//! The gate: the same for a person and for the machine that watches over the project.
//!
//! One line of work compiles and lints, at the lowest priority; beside it run the tests, each as soon as its program is linked
//! (`ci/shares.rs` says which beside what). Every step runs even after one has failed, so that all faults are seen at once. What
//! compares with real time and fails is tried again when nothing else runs.
//!
//! Tests that lack a tool say `SKIPPED: ...`; with `CI=true` none may. At the end stand what was skipped and left out, each
//! failed test as the command that runs it again, the ten largest times, what became slower (`ci/times.rs`), and the sums.

mod changed;
pub mod command;
mod count;
mod lanes;
mod platforms;
mod programs;
mod shares;
mod times;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use command::{Measured, Priority, Took, measured};
pub use count::Count;
use lanes::{Job, Lanes};
use programs::Program;
use shares::{Group, Lane, Run};
use times::{Kept, Times};

use crate::{arrows, python, root};

/// What the gate was asked for.
#[derive(Debug, Default, PartialEq)]
struct Asked {
    /// Installs the programs that tests compare with, first.
    install: bool,
    /// Runs every group, whatever changed.
    all: bool,
    /// Keeps the times of this run.
    keep_times: bool,
}

const INSTALL: &str = "--install-tools";

impl Asked {
    fn parse(args: &[String]) -> Result<Asked, String> {
        let mut asked = Asked::default();
        for arg in args {
            match arg.as_str() {
                INSTALL => asked.install = true,
                "--all" => asked.all = true,
                "--keep-times" => (asked.all, asked.keep_times) = (true, true),
                other => return Err(format!("`{other}`: ci takes {INSTALL}, --all and --keep-times")),
            }
        }
        Ok(asked)
    }
}

/// Runs all steps.
pub fn run(args: &[String]) -> Result<(), String> {
    let asked = Asked::parse(args)?;
    if asked.install {
        install()?;
    }
    let gate = Gate::new(changed::groups(asked.all))?;
    if asked.keep_times && !gate.from_nothing {
        return Err("--keep-times needs an empty target folder: run `cargo clean` first".into());
    }
    let ended = AtomicBool::new(false);
    let lanes = Lanes::default();
    let reference_ms = std::thread::scope(|scope| {
        let reference = scope.spawn(|| times::reference_ms(&ended));
        let workers = [Lane::Measures, Lane::Waits, Lane::Computes].map(|lane| {
            let lanes = &lanes;
            scope.spawn(move || lanes.work(lane))
        });
        // In threads of their own: whatever panics, the others must not wait for it.
        let built = scope.spawn(|| gate.build_and_lint(&lanes)).join();
        lanes.close();
        let worked = workers.map(|worker| worker.join());
        let again = scope.spawn(|| gate.try_again()).join();
        ended.store(true, Ordering::Relaxed);
        if worked.iter().chain([&built, &again]).any(|done| done.is_err()) {
            gate.state().failed.push("the gate itself panicked, so tests are missing".into());
        }
        reference.join().unwrap_or_default()
    });
    gate.end(&asked, reference_ms)
}

/// What is shared by all that runs at once.
struct Gate {
    processors: usize,
    /// Whether the build starts from nothing. Otherwise the times of the steps that compile mean nothing.
    from_nothing: bool,
    groups: BTreeSet<Group>,
    kept: Kept,
    begin: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    count: Count,
    times: Times,
    runs: Vec<Run>,
    /// What is tried again at the end.
    again: Vec<Run>,
    /// The same, a line each.
    tried_again: Vec<String>,
    /// Steps that failed.
    failed: Vec<String>,
}

impl Gate {
    fn new(groups: BTreeSet<Group>) -> Result<Gate, String> {
        Ok(Gate {
            processors: std::thread::available_parallelism().map_or(2, usize::from),
            from_nothing: is_empty(),
            groups,
            kept: Kept::read()?,
            begin: Instant::now(),
            state: Mutex::default(),
        })
    }

    /// Everything but the tests, which it gives to `lanes` as soon as they can run. What waits is built first.
    fn build_and_lint<'a>(&'a self, lanes: &Lanes<'a>) {
        self.step("format", || cargo(&["fmt", "--all", "--", "--check"]).shown());
        self.step("arrows", || arrows::check().map(|()| Took::default()));
        let first: Vec<&str> = shares::BUILT_FIRST.iter().flat_map(|package| ["--package", *package]).collect();
        self.step("programs that wait", || self.build(lanes, &first));
        self.step("programs", || self.build(lanes, &["--workspace"]));
        if self.step("wheel", || self.wheel()) {
            let name = "python";
            let work = Box::new(move || self.python());
            lanes.add(Job { lane: Lane::Computes, expected_s: self.kept.expected_s(name), work });
        }
        let lint = ["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
        self.step("clippy", || cargo(&lint).shown());
        // What needs Linux and the studio can be left out.
        self.step("bare program", || {
            cargo(&["check", "--quiet", "--package", "diskwright-cli", "--no-default-features"]).shown()
        });
        for target in platforms::TARGETS {
            if platforms::is_installed(target) {
                self.step(target, || cargo(&["check", "--quiet", "--target", target]).shown());
            } else {
                self.state().count.left_out.push(platforms::left_out(target));
            }
        }
        self.step("documents", || {
            let mut documents = cargo(&["doc", "--workspace", "--no-deps", "--quiet"]);
            documents.command.env("RUSTDOCFLAGS", "-D warnings");
            documents.shown()
        });
        self.step("examples in comments", || self.examples_in_comments());
    }

    /// Runs a step; whether it succeeded.
    fn step(&self, name: &str, run: impl FnOnce() -> Result<Took, String>) -> bool {
        println!("== {name}");
        let begin = Instant::now();
        let done = run();
        let cpu_s = done.as_ref().map_or(0.0, |took| took.cpu_s);
        let (took_s, at_s) = (begin.elapsed().as_secs_f64(), self.begin.elapsed().as_secs_f64());
        println!("== {name}: {took_s:.1} s, {cpu_s:.1} s of processors, at {at_s:.1} s");
        let mut state = self.state();
        match done {
            // What is compiled already takes no time, which says nothing.
            Ok(took) if self.from_nothing => drop(state.times.entries.insert(name.into(), took)),
            Ok(_) => {}
            Err(ref message) => {
                println!("{name}: {message}");
                state.failed.push(name.into());
            }
        }
        done.is_ok()
    }

    fn build<'a>(&'a self, lanes: &Lanes<'a>, packages: &[&str]) -> Result<Took, String> {
        let mut faults = Vec::new();
        let took = programs::build(cargo(&[]), packages, |program| {
            if let Err(fault) = self.add(lanes, program) {
                faults.push(fault);
            }
        })?;
        if faults.is_empty() { Ok(took) } else { Err(faults.join("\n")) }
    }

    /// Gives the tests of a program to their lanes, once.
    fn add<'a>(&'a self, lanes: &Lanes<'a>, program: Program) -> Result<(), String> {
        if self.state().runs.iter().any(|run| run.program.command() == program.command()) {
            return Ok(());
        }
        let runs = shares::runs(&program, program.tests()?, self.processors);
        self.state().runs.extend(runs.iter().cloned());
        for run in runs {
            if let Some(group) = run.group.filter(|group| !self.groups.contains(group)) {
                self.state().count.left_out.push(left_out(group, run.tests.len()));
                continue;
            }
            let expected_s = self.kept.expected_s(&run.name());
            lanes.add(Job { lane: run.lane, expected_s, work: Box::new(move || self.test(run)) });
        }
        Ok(())
    }

    /// Runs tests and counts them. Of those that measure, what this leaves open is kept for the end.
    fn test(&self, run: Run) {
        println!("-- {} begins", run.name());
        let (text, ended, took) = output(&run, few_tries(&run));
        let mut state = self.state();
        self.say(&run.name(), &text, took);
        state.times.entries.insert(run.name(), took);
        let (count, open) = if run.lane == Lane::Measures {
            Count::settled(&text, &run.tests, &ended)
        } else {
            (Count::parse(&text, &run.program.command(), &ended), Vec::new())
        };
        state.count.merge(count);
        if !open.is_empty() {
            println!("-- {}: tried again at the end: {}", run.name(), open.join(", "));
            let line = |name: &String| format!("TRIED AGAIN, ALONE: {} {name}", run.program.command());
            state.tried_again.extend(open.iter().map(line));
            state.again.push(Run { tests: open, ..run });
        }
    }

    /// What is open, alone.
    fn try_again(&self) {
        let again = std::mem::take(&mut self.state().again);
        for run in again {
            let (text, ended, took) = output(&run, None);
            self.say(&format!("{} again, alone", run.name()), &text, took);
            self.state().count.merge(Count::parse(&text, &run.program.command(), &ended));
        }
    }

    fn wheel(&self) -> Result<Took, String> {
        python::build(Priority::Compiling)
    }

    fn python(&self) {
        let engines = self.groups.contains(&Group::Engines);
        let (text, ended, took) = said(python::test(engines, Priority::Computing));
        let mut state = self.state();
        self.say("python", &text, took);
        state.times.entries.insert("python".into(), took);
        state.count.merge(python::counted(&text, &ended));
        if !engines {
            state.count.left_out.push(left_out(Group::Engines, 0));
        }
    }

    fn examples_in_comments(&self) -> Result<Took, String> {
        let mut examples = cargo(&["test", "--doc", "--no-fail-fast"]);
        for package in programs::with_examples_in_comments()? {
            examples.command.args(["--package", &package]);
        }
        let (text, ended, took) = said(examples.output());
        println!("{text}");
        self.state().count.merge(Count::parse(&text, "cargo test --workspace --doc", &ended));
        if ended.is_empty() { Ok(took) } else { Err("they failed".into()) }
    }

    /// Prints what a job printed, whole.
    fn say(&self, name: &str, text: &str, took: Took) {
        let at = self.begin.elapsed().as_secs_f64();
        println!("-- {name}\n{text}\n-- {name}: {:.1} s, {:.1} s of processors, at {at:.1} s", took.wall_s, took.cpu_s);
    }

    /// The sums, and whether all is well.
    fn end(&self, asked: &Asked, reference_ms: f64) -> Result<(), String> {
        self.state().times.reference_ms = reference_ms;
        let unused = shares::unused(&self.state().runs);
        if !unused.is_empty() {
            self.state().failed.push(format!("shares without a test: {}", unused.join(", ")));
        }
        let slower = if asked.keep_times { Vec::new() } else { self.still_slower() };
        let mut state = std::mem::take(&mut *self.state());
        let count = &state.count;
        for line in &count.skipped {
            println!("{line}");
        }
        println!("skipped for lack of a tool: {}", count.skipped.len());
        for line in count.left_out.iter().chain(&count.undecided) {
            println!("{line}");
        }
        println!("left out: {}", count.left_out.len());
        println!("undecided on a busy machine: {}", count.undecided.len());
        for line in &state.tried_again {
            println!("{line}");
        }
        println!("tried again, alone: {}", state.tried_again.len());
        println!("{}", state.times.largest());
        if !self.kept.is_of(self.processors) {
            println!("times are not compared: those kept are of another number of processors");
        } else if self.kept.most_runs() < times::JUDGING {
            println!("times are not judged: {} of {} runs are kept", self.kept.most_runs(), times::JUDGING);
        }
        for line in &slower {
            println!("SLOWER: {line}");
        }
        for line in &count.faults {
            println!("FAILED: {line}");
        }
        if std::env::var("CI").is_ok_and(|v| v == "true") && !count.skipped.is_empty() {
            println!("CI allows no skipped test: run `cargo xtask ci {INSTALL}`");
            state.failed.push("skipped tests".into());
        }
        if asked.keep_times && !count.skipped.is_empty() {
            state.failed.push("times are kept where nothing is skipped".into());
        }
        if !slower.is_empty() {
            println!("where that has to be, `cargo xtask ci --keep-times` records it; the commit says why");
            state.failed.push("times".into());
        }
        if count.failed > 0 {
            state.failed.push("tests".into());
        }
        if !state.failed.is_empty() {
            println!("failed: {}", state.failed.join(", "));
        } else if asked.keep_times {
            let mut kept = self.kept.clone();
            kept.keep(&state.times, self.processors)?;
            kept.write()?;
        }
        println!("the gate took {:.1} min", self.begin.elapsed().as_secs_f64() / 60.0);
        // The last line is the summary of the tests, whatever happened.
        println!("{} passed, {} failed", count.passed, count.failed);
        if state.failed.is_empty() { Ok(()) } else { Err(String::new()) }
    }

    /// What is slower than it was, and is so again alone.
    fn still_slower(&self) -> Vec<String> {
        // Who asks for longer tests gets longer times.
        const LONGER: [&str; 6] = [
            "DISKWRIGHT_GUEST",
            "DISKWRIGHT_FLEET",
            "DISKWRIGHT_DATABASES",
            "DISKWRIGHT_SOAK_MINUTES",
            "DW_ENGINES",
            "DW_ORACLE",
        ];
        if LONGER.iter().any(|name| std::env::var_os(name).is_some()) {
            return Vec::new();
        }
        let judged = |gate: &Gate| gate.kept.slower(&gate.state().times, gate.processors);
        for slower in judged(self) {
            let run = self.state().runs.iter().find(|run| run.name() == slower.name).cloned();
            if let Some(run) = run {
                let (_, ended, took) = output(&run, few_tries(&run));
                println!("-- {} is slower than it was; again, alone: {:.1} s of processors", slower.name, took.cpu_s);
                // What fails early looks fast.
                if ended.is_empty() {
                    self.state().times.entries.insert(slower.name, took);
                }
            }
        }
        judged(self).into_iter().map(|slower| slower.line).collect()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How often a test that measures may try beside everything else; alone it tries as often as it likes.
fn few_tries(run: &Run) -> Option<&'static str> {
    (run.lane == Lane::Measures).then_some("2")
}

/// Runs the tests of a run: what they printed, and how that ended where it is no success.
fn output(run: &Run, tries: Option<&str>) -> (String, String, Took) {
    let program = run.program.executable.to_string_lossy();
    let mut tests = measured(&program, run.lane.priority());
    // Tests say `SKIPPED: ` themselves, which is shown only for failed tests unless nothing is captured.
    tests.command.args(["--exact", "--nocapture", "--test-threads", &run.threads.to_string()]).args(&run.tests);
    tests
        .command
        .current_dir(&run.program.folder)
        .env("INSTA_UPDATE", "no")
        .env("DISKWRIGHT_JUDGES", "all")
        .env("CARGO", env!("CARGO"))
        .env("CARGO_MANIFEST_DIR", &run.program.folder);
    if let Some(tries) = tries {
        tests.command.env("DISKWRIGHT_TRIES", tries);
    }
    let (text, ended, took) = said(tests.output());
    if ended.is_empty() && count::judged(&text) < run.tests.len() as u64 {
        return (text, format!("fewer tests judged than the {} that were asked for", run.tests.len()), took);
    }
    (text, ended, took)
}

pub fn said((output, took): (std::io::Result<Output>, Took)) -> (String, String, Took) {
    match output {
        Ok(output) => {
            let ended = if output.status.success() { String::new() } else { output.status.to_string() };
            (String::from_utf8_lossy(&output.stdout).into_owned(), ended, took)
        }
        Err(e) => (String::new(), e.to_string(), took),
    }
}

fn left_out(group: Group, tests: usize) -> String {
    let what = match group {
        Group::Databases => "databases",
        Group::Guests => "guests",
        Group::Engines => "Spark and Ray",
    };
    let tests = if tests == 0 { String::new() } else { format!(" ({tests} tests)") };
    format!("LEFT OUT: {what}{tests}: nothing changed that they depend on; `cargo xtask ci --all` runs them")
}

/// Whether the program has not been compiled yet.
fn is_empty() -> bool {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let compiled = std::fs::read_dir(target.join("debug/deps")).into_iter().flatten().flatten();
    // `xtask` itself does not use it, and most of the program does.
    !compiled.map(|entry| entry.file_name()).any(|name| name.to_string_lossy().starts_with("libdw_documents"))
}

/// A run of cargo, of those that take what others leave.
fn cargo(args: &[&str]) -> Measured {
    let mut cargo = measured(env!("CARGO"), Priority::Compiling);
    cargo.command.args(args);
    cargo
}

/// What the script says goes to standard error: the last line of standard output is the summary.
fn install() -> Result<(), String> {
    let script = root().join("scripts/setup-test-tools.sh");
    let done = Command::new(&script).stdin(Stdio::null()).stdout(std::io::stderr()).status();
    match done {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{}: {status}", script.display())),
        Err(why) => Err(format!("{}: {why}", script.display())),
    }
}

/// Runs the benchmarks.
pub fn bench(args: &[String]) -> Result<(), String> {
    let status = Command::new(env!("CARGO"))
        .args(["run", "--profile", "dist", "--package", "dw-bench", "--"])
        .args(args)
        .current_dir(root())
        .stdin(Stdio::null())
        .status()
        .map_err(|e| format!("cargo run: {e}"))?;
    if status.success() { Ok(()) } else { Err("the benchmarks failed".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read() {
        let asked = |args: &[&str]| Asked::parse(&args.iter().map(|arg| arg.to_string()).collect::<Vec<_>>());
        assert_eq!(asked(&[]), Ok(Asked::default()));
        assert_eq!(asked(&[INSTALL, "--all"]), Ok(Asked { install: true, all: true, keep_times: false }));
        // Times are those of everything.
        assert_eq!(asked(&["--keep-times"]), Ok(Asked { install: false, all: true, keep_times: true }));
        assert!(asked(&["--al"]).is_err_and(|message| message.starts_with("`--al`")));
    }
}
