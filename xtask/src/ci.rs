//! The gate: the same for a person and for the machine that watches over the project.
//!
//! Runs every step even after one has failed, so that all faults are seen at once; prints the time of each, so that a
//! slow one is seen the day it appears. Tests that lack a tool say `SKIPPED: ...`; with `CI=true` none may. With
//! `DISKWRIGHT_GUEST=1` real guests boot in a step of their own, because they would be measured beside the other tests.

use std::io::{BufRead, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::arrows;
use crate::generate::root;

/// Asks for the tests that boot a guest.
const GUEST: &str = "DISKWRIGHT_GUEST";

/// What the tests of a step came to.
#[derive(Default)]
struct Count {
    passed: u64,
    failed: u64,
    skipped: Vec<String>,
}

/// Runs all steps.
pub fn run() -> Result<(), String> {
    let strict = std::env::var("CI").is_ok_and(|v| v == "true");
    let mut count = Count::default();
    let mut failed: Vec<&str> = Vec::new();
    let mut step = |name: &'static str, run: &mut dyn FnMut() -> Result<(), String>| {
        println!("== {name}");
        let begin = Instant::now();
        let done = run();
        println!("== {name}: {:.1} s", begin.elapsed().as_secs_f64());
        if let Err(message) = done {
            println!("{message}");
            failed.push(name);
        }
    };
    step("format", &mut || cargo(&["fmt", "--all", "--", "--check"], &[]));
    step("arrows", &mut arrows::check);
    step("clippy", &mut || cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"], &[]));
    step("tests", &mut || tests(&mut count, &["--workspace", "--no-fail-fast"], "0"));
    if std::env::var(GUEST).is_ok_and(|v| v == "1") {
        let args = ["--package", "diskwright", "--test", "emulate", "guest::"];
        step("guest", &mut || tests(&mut count, &args, "1"));
    }
    step("documents", &mut || {
        cargo(&["doc", "--workspace", "--no-deps", "--quiet"], &[("RUSTDOCFLAGS", "-D warnings")])
    });
    for line in &count.skipped {
        println!("{line}");
    }
    println!("skipped for lack of a tool: {}", count.skipped.len());
    if strict && !count.skipped.is_empty() {
        println!("CI allows no skipped test: run scripts/setup-test-tools.sh");
        failed.push("skipped tests");
    }
    if !failed.is_empty() {
        println!("failed: {}", failed.join(", "));
    }
    // The last line is the summary of the tests, whatever happened.
    println!("{} passed, {} failed", count.passed, count.failed);
    if failed.is_empty() { Ok(()) } else { Err(String::new()) }
}

/// Runs the benchmarks.
pub fn bench(args: &[String]) -> Result<(), String> {
    let mut all = vec!["run", "--release", "--package", "dw-bench", "--"];
    all.extend(args.iter().map(String::as_str));
    cargo(&all, &[])
}

fn cargo(args: &[&str], env: &[(&str, &str)]) -> Result<(), String> {
    let status = Command::new(env!("CARGO"))
        .args(args)
        .envs(env.iter().copied())
        .current_dir(root())
        .stdin(Stdio::null())
        .status()
        .map_err(|e| format!("cargo {}: {e}", args.join(" ")))?;
    if status.success() { Ok(()) } else { Err(format!("cargo {} failed", args.join(" "))) }
}

/// These tests, with guests or without, their summaries added up as they pass by.
fn tests(count: &mut Count, which: &[&str], guest: &str) -> Result<(), String> {
    // Tests print `SKIPPED: ` themselves, which cargo shows only for failed tests unless it is told not to capture.
    let mut child = Command::new(env!("CARGO"))
        .arg("test")
        .args(which)
        .args(["--", "--nocapture", "--quiet"])
        .current_dir(root())
        .env("INSTA_UPDATE", "no")
        .env(GUEST, guest)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("cargo test: {e}"))?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let from_stderr = std::thread::spawn(move || {
        let mut skipped = Vec::new();
        for line in stderr.into_iter().flat_map(|s| BufReader::new(s).lines()).map_while(Result::ok) {
            eprintln!("{line}");
            skipped.extend(skip(&line));
        }
        skipped
    });
    for line in stdout.into_iter().flat_map(|s| BufReader::new(s).lines()).map_while(Result::ok) {
        println!("{line}");
        let _ = std::io::stdout().flush();
        count.skipped.extend(skip(&line));
        if let Some((passed, failed)) = summary(&line) {
            count.passed += passed;
            count.failed += failed;
        }
    }
    count.skipped.extend(from_stderr.join().unwrap_or_default());
    let status = child.wait().map_err(|e| format!("cargo test: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{} tests failed", count.failed)) }
}

fn skip(line: &str) -> Option<String> {
    line.find("SKIPPED: ").map(|at| line[at..].to_string())
}

/// `(passed, failed)` of a line such as `test result: ok. 12 passed; 0 failed; ...`.
fn summary(line: &str) -> Option<(u64, u64)> {
    let rest = line.split_once("test result: ")?.1;
    let number =
        |word: &str| rest.split(['.', ';']).find_map(|part| part.trim().strip_suffix(word)?.trim().parse().ok());
    Some((number("passed")?, number("failed")?))
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
        assert_eq!(skip(".SKIPPED: no fio").as_deref(), Some("SKIPPED: no fio"));
        assert_eq!(skip("nothing"), None);
    }
}
