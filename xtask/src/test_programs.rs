//! Runs the tests: every test program of the workspace, as `cargo test --workspace` does, but several at once.
//!
//! Many tests wait for real time (fio runs for seconds, an emulated disk is slow on purpose) and many compute, so programs run
//! next to each other, as many as there are processors, and the one that mostly waits with more threads than that. Tests that
//! measure real time run when all others have ended ([`ALONE`]). What a program prints is shown when it ends, whole.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;

use serde_json::Value;

use crate::root;

/// What the tests came to.
#[derive(Default)]
pub struct Count {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed; one for a program that ended without a summary.
    pub failed: u64,
    /// What was left out for lack of a tool.
    pub skipped: Vec<String>,
    /// What compared with real time, and was kept from it by a busy machine.
    pub undecided: Vec<String>,
    /// What was left out for lack of something that not every machine can have.
    pub left_out: Vec<String>,
    /// One line a failed test: how to run it again.
    pub faults: Vec<String>,
}

/// A test program.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    package: String,
    /// What selects it: `--lib`, `--bin NAME` or `--test NAME`.
    which: String,
    executable: PathBuf,
    /// The folder of its package, where cargo runs it.
    folder: PathBuf,
}

/// A run of some tests of a program.
#[derive(Clone, Debug, PartialEq)]
struct Run<'a> {
    program: &'a Program,
    /// Arguments to choose tests by.
    args: Vec<&'static str>,
    threads: usize,
}

/// Modules of `emulate` whose tests compare real time with the model's.
const MEASURING: [&str; 4] = ["accuracy::", "rehearsed::", "speed::", "twin::"];
/// Programs of which every test does.
const ALONE: [&str; 2] = ["--test fio_nbd", "--test fio_null"];
/// The program that mostly waits, and its threads.
const WAITING: (&str, usize) = ("--test emulate", 8);

/// Compiles them all.
pub fn build() -> Result<Vec<Program>, String> {
    let output = Command::new(env!("CARGO"))
        .args(["test", "--workspace", "--no-run", "--message-format=json-render-diagnostics"])
        .current_dir(root())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("cargo test --no-run: {e}"))?;
    if !output.status.success() {
        return Err("the tests do not compile".into());
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().filter_map(program).collect())
}

/// A test program of a line of cargo's messages.
fn program(line: &str) -> Option<Program> {
    let message: Value = serde_json::from_str(line).ok()?;
    let (target, manifest) = (&message["target"], PathBuf::from(message["manifest_path"].as_str()?));
    if message["profile"]["test"] != true {
        return None;
    }
    let which = match target["kind"][0].as_str()? {
        "test" | "bin" => format!("--{} {}", target["kind"][0].as_str()?, target["name"].as_str()?),
        _ => "--lib".into(),
    };
    let folder = manifest.parent()?.to_path_buf();
    let package = message["package_id"].as_str()?.rsplit_once('#').map_or("", |(before, after)| {
        // `path+file:///folder#0.1.0` when the folder has the package's name, else `...#name@0.1.0`.
        after.split_once('@').map_or(before.rsplit('/').next().unwrap_or_default(), |(name, _)| name)
    });
    Some(Program { package: package.into(), which, executable: message["executable"].as_str()?.into(), folder })
}

/// Runs everything but guests, which do nothing without `guest`.
pub fn run(count: &mut Count, programs: &[Program], guest: (&str, &str)) -> Result<(), String> {
    if programs.is_empty() {
        return Err("there is nothing to run".into());
    }
    let processors = std::thread::available_parallelism().map_or(2, usize::from);
    let (together, alone) = planned(programs, processors);
    let before = count.failed;
    all(count, together, processors, guest);
    all(count, alone, 1, guest);
    if count.failed == before { Ok(()) } else { Err(format!("{} tests failed", count.failed - before)) }
}

/// Boots the guests, one after the other.
pub fn guest(count: &mut Count, programs: &[Program], guest: (&str, &str)) -> Result<(), String> {
    let emulate = programs.iter().filter(|p| p.which == WAITING.0);
    let runs = emulate.map(|program| Run { program, args: vec!["guest::"], threads: 1 }).collect();
    let before = count.failed;
    all(count, runs, 1, guest);
    if count.failed == before { Ok(()) } else { Err("guests failed".into()) }
}

/// What runs together, longest first, and what runs alone after that. Every test is in exactly one of them.
fn planned(programs: &[Program], processors: usize) -> (Vec<Run<'_>>, Vec<Run<'_>>) {
    let (mut together, mut alone) = (Vec::new(), Vec::new());
    for program in programs {
        let run = |args: Vec<&'static str>, threads| Run { program, args, threads };
        if ALONE.contains(&program.which.as_str()) {
            alone.push(run(Vec::new(), processors));
        } else if program.which == WAITING.0 {
            let skipped = MEASURING.iter().flat_map(|module| ["--skip", module]).collect();
            together.insert(0, run(skipped, WAITING.1));
            alone.push(run(MEASURING.to_vec(), processors));
        } else {
            together.push(run(Vec::new(), processors));
        }
    }
    // Programs of integration tests take longer than those of units; the one that waits is begun first.
    together.sort_by_key(|run| (run.program.which != WAITING.0, !run.program.which.starts_with("--test")));
    (together, alone)
}

/// Runs so many at once, and counts.
fn all(count: &mut Count, runs: Vec<Run>, at_once: usize, guest: (&str, &str)) {
    let queue = Mutex::new(VecDeque::from(runs));
    let count = Mutex::new(count);
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                while let Some(run) = queue.lock().ok().and_then(|mut queue| queue.pop_front()) {
                    let begin = Instant::now();
                    let (text, status) = run.output(guest);
                    let Ok(mut count) = count.lock() else { return };
                    // One at a time prints, so that what a program says stays together.
                    println!("-- {} {}\n{text}", run.program.package, run.shown());
                    println!("-- {} {}: {:.1} s", run.program.package, run.shown(), begin.elapsed().as_secs_f64());
                    count.add(&text, &format!("cargo test -p {} {}", run.program.package, run.program.which), &status);
                }
            });
        }
    });
}

impl Run<'_> {
    /// What it printed, and how it ended where that is no success.
    fn output(&self, (key, value): (&str, &str)) -> (String, String) {
        // Tests say `SKIPPED: ` themselves, which is shown only for failed tests unless nothing is captured. The shell joins the
        // two streams in the order of writing.
        let output = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 2>&1"])
            .arg(&self.program.executable)
            .args(&self.args)
            .args(["--nocapture", "--test-threads", &self.threads.to_string()])
            .current_dir(&self.program.folder)
            .env("INSTA_UPDATE", "no")
            .env("CARGO", env!("CARGO"))
            .env("CARGO_MANIFEST_DIR", &self.program.folder)
            .env(key, value)
            .stdin(Stdio::null())
            .output();
        match output {
            Ok(output) => {
                let ended = if output.status.success() { String::new() } else { output.status.to_string() };
                (String::from_utf8_lossy(&output.stdout).into_owned(), ended)
            }
            Err(e) => (String::new(), e.to_string()),
        }
    }

    fn shown(&self) -> String {
        [&[self.program.which.as_str()], &self.args[..]].concat().join(" ")
    }
}

/// Examples in comments, which cargo compiles and runs itself, of the crates that have any.
pub fn in_comments(count: &mut Count) -> Result<(), String> {
    let mut args = vec!["test".to_string(), "--doc".into(), "--no-fail-fast".into()];
    for entry in std::fs::read_dir(root().join("crates")).map_err(|e| format!("crates: {e}"))?.flatten() {
        if has_example_below(&entry.path().join("src")).map_err(|e| format!("{}: {e}", entry.path().display()))? {
            args.extend(["--package".into(), entry.file_name().to_string_lossy().into_owned()]);
        }
    }
    let output = Command::new(env!("CARGO"))
        .args(&args)
        .current_dir(root())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("cargo test --doc: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    println!("{text}");
    let ended = if output.status.success() { String::new() } else { output.status.to_string() };
    count.add(&text, "cargo test --workspace --doc", &ended);
    if output.status.success() { Ok(()) } else { Err("examples in comments failed".into()) }
}

fn has_example_below(folder: &Path) -> std::io::Result<bool> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let is_rust = path.extension().is_some_and(|end| end == "rs");
        if path.is_dir() && has_example_below(&path)? || is_rust && has_example(&std::fs::read_to_string(&path)?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a comment of the documentation has a block of Rust.
fn has_example(source: &str) -> bool {
    let comment = |line: &'_ str| Some(line.trim().strip_prefix("//")?.strip_prefix(['/', '!'])?.trim().to_string());
    let fences = source.lines().filter_map(comment).filter_map(|line| Some(line.strip_prefix("```")?.to_string()));
    // Every second fence ends what the one before began.
    fences.step_by(2).any(|language| !["text", "toml", "json", "sh", "ini", "csv"].contains(&language.as_str()))
}

impl Count {
    /// Adds what a program printed; `ended` says how it did where that is no success.
    fn add(&mut self, text: &str, command: &str, ended: &str) {
        let summaries: Vec<(u64, u64)> = text.lines().filter_map(summary).collect();
        let failed: u64 = summaries.iter().map(|s| s.1).sum();
        self.passed += summaries.iter().map(|s| s.0).sum::<u64>();
        self.failed += failed;
        self.skipped.extend(text.lines().filter_map(|line| told(line, "SKIPPED: ")));
        self.left_out.extend(text.lines().filter_map(|line| told(line, "LEFT OUT: ")));
        self.undecided.extend(text.lines().filter_map(|line| told(line, "UNDECIDED: ")));
        let names = failures(text);
        self.faults.extend(names.iter().map(|name| format!("{command} {name}")));
        if !ended.is_empty() && failed == 0 {
            self.failed += 1;
            self.faults.push(format!("{command}: ended with {ended}"));
        }
    }
}

/// What a test says aloud after this word.
fn told(line: &str, word: &str) -> Option<String> {
    line.find(word).map(|at| line[at..].to_string())
}

/// `(passed, failed)` of a line such as `test result: ok. 12 passed; 0 failed; ...`.
fn summary(line: &str) -> Option<(u64, u64)> {
    let rest = line.split_once("test result: ")?.1;
    let number =
        |word: &str| rest.split(['.', ';']).find_map(|part| part.trim().strip_suffix(word)?.trim().parse().ok());
    Some((number("passed")?, number("failed")?))
}

/// The names of the tests that failed: the last list after `failures:`.
fn failures(text: &str) -> Vec<&str> {
    let Some((_, list)) = text.rsplit_once("\nfailures:\n") else { return Vec::new() };
    list.lines().map_while(|line| line.strip_prefix("    ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_read() {
        let cases = [
            (
                "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
                Some((12, 0)),
            ),
            ("test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out", Some((3, 2))),
            ("running 12 tests", None),
        ];
        for (line, expected) in cases {
            assert_eq!(summary(line), expected, "{line}");
        }
    }

    #[test]
    fn skips_are_found_wherever_they_stand() {
        assert_eq!(told(".SKIPPED: no fio", "SKIPPED: ").as_deref(), Some("SKIPPED: no fio"));
        assert_eq!(told("nothing", "SKIPPED: "), None);
    }

    #[test]
    fn what_failed_is_named_with_the_command_that_runs_it() {
        let text = "test a ... FAILED\n\nfailures:\n\n---- a stdout ----\npanicked\n\nfailures:\n    a\n    m::b\n\n\
                    test result: FAILED. 3 passed; 2 failed; 0 ignored\nSKIPPED: no fio\nUNDECIDED: too busy\n";
        let mut count = Count::default();
        count.add(text, "cargo test -p x --lib", "exit status: 101");
        assert_eq!((count.passed, count.failed, count.skipped.len(), count.undecided.len()), (3, 2, 1, 1));
        assert_eq!(count.faults, ["cargo test -p x --lib a", "cargo test -p x --lib m::b"]);
        // One that is killed has no summary, and is a failure all the same.
        count.add("running 3 tests\n", "cargo test -p y --lib", "signal: 9 (SIGKILL)");
        assert_eq!(
            (count.failed, count.faults[2].as_str()),
            (3, "cargo test -p y --lib: ended with signal: 9 (SIGKILL)")
        );
    }

    #[test]
    fn test_programs_are_found_among_cargos_messages() {
        let line = |kind: &str, id: &str, test: bool| {
            format!(
                r#"{{"reason":"compiler-artifact","package_id":"{id}","manifest_path":"/w/crates/a/Cargo.toml","target":
                {{"kind":["{kind}"],"name":"n"}},"profile":{{"test":{test}}},"executable":"/w/target/n-1"}}"#
            )
        };
        let found = |kind, id, test| program(&line(kind, id, test)).map(|p| format!("{} {}", p.package, p.which));
        assert_eq!(found("test", "path+file:///w/crates/a#0.1.0", true).as_deref(), Some("a --test n"));
        assert_eq!(found("bin", "path+file:///w/bench#dw-bench@0.1.0", true).as_deref(), Some("dw-bench --bin n"));
        assert_eq!(found("lib", "path+file:///w/crates/a#0.1.0", true).as_deref(), Some("a --lib"));
        assert_eq!(found("bin", "path+file:///w/crates/a#0.1.0", false), None);
        assert_eq!(program("   Compiling a"), None);
    }

    #[test]
    fn examples_in_comments_are_found() {
        assert!(has_example("    /// ```\n    /// f();\n    /// ```\n") && has_example("//! ```should_panic\n//! ```"));
        assert!(!has_example("//! ```text\n//! f\n//! ```\n") && !has_example("let a = \"```\";"));
    }

    #[test]
    fn every_test_is_in_one_run_and_what_measures_is_alone() {
        let of = |which: &str| Program {
            package: "p".into(),
            which: which.into(),
            executable: "x".into(),
            folder: "".into(),
        };
        let programs = ["--lib", "--test emulate", "--test e2e", "--test fio_nbd"].map(of);
        let (together, alone) = planned(&programs, 2);
        let shown = |runs: &[Run]| runs.iter().map(|r| format!("{} at {}", r.shown(), r.threads)).collect::<Vec<_>>();
        let skips = "--skip accuracy:: --skip rehearsed:: --skip speed:: --skip twin::";
        assert_eq!(shown(&together), [&format!("--test emulate {skips} at 8"), "--test e2e at 2", "--lib at 2"]);
        assert_eq!(shown(&alone), ["--test emulate accuracy:: rehearsed:: speed:: twin:: at 2", "--test fio_nbd at 2"]);
    }
}
