//! The gate: the same for a person and for the machine that watches over the project.
//!
//! Runs every step even after one has failed, so that all faults are seen at once; prints the time of each, so that a
//! slow one is seen the day it appears. Tests that lack a tool say `SKIPPED: ...`; with `CI=true` none may. Real guests
//! boot in a step of their own, because they would be measured next to the other tests: two of them always, all of them with
//! `DISKWRIGHT_GUEST=1`, none with 0.
//! How the tests are run: `test_programs.rs`.

use std::process::{Command, Stdio};
use std::time::Instant;

use crate::test_programs::{self, Count, Program};
use crate::{arrows, python, root};

/// Asks for the tests that boot a guest.
const GUEST: &str = "DISKWRIGHT_GUEST";

/// Installs the programs that tests compare with.
const INSTALL: &str = "--install-tools";

/// Runs all steps.
pub fn run(args: &[String]) -> Result<(), String> {
    match args {
        [] => {}
        [one] if one == INSTALL => install()?,
        _ => return Err(format!("`{}`: ci takes `{INSTALL}` and nothing else", args.join(" "))),
    }
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
    // What needs Linux, a terminal or Arrow can be left out.
    step("without features", &mut without_features);
    let mut programs: Vec<Program> = Vec::new();
    step("test programs", &mut || {
        programs = test_programs::build()?;
        Ok(())
    });
    step("tests", &mut || test_programs::run(&mut count, &programs, (GUEST, "0")));
    step("examples in comments", &mut || test_programs::in_comments(&mut count));
    step("python", &mut || python::test(&mut count));
    let guests = std::env::var(GUEST).unwrap_or_else(|_| "gate".into());
    if guests != "0" {
        step("guest", &mut || test_programs::guest(&mut count, &programs, (GUEST, &guests)));
    }
    step("documents", &mut || {
        cargo(&["doc", "--workspace", "--no-deps", "--quiet"], &[("RUSTDOCFLAGS", "-D warnings")])
    });
    for line in &count.skipped {
        println!("{line}");
    }
    println!("skipped for lack of a tool: {}", count.skipped.len());
    for line in count.left_out.iter().chain(&count.undecided) {
        println!("{line}");
    }
    println!("left out: {}", count.left_out.len());
    println!("undecided on a busy machine: {}", count.undecided.len());
    for line in &count.faults {
        println!("FAILED: {line}");
    }
    if strict && !count.skipped.is_empty() {
        println!("CI allows no skipped test: run `cargo xtask ci {INSTALL}`");
        failed.push("skipped tests");
    }
    if !failed.is_empty() {
        println!("failed: {}", failed.join(", "));
    }
    // The last line is the summary of the tests, whatever happened.
    println!("{} passed, {} failed", count.passed, count.failed);
    if failed.is_empty() { Ok(()) } else { Err(String::new()) }
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
    let mut all = vec!["run", "--profile", "dist", "--package", "dw-bench", "--"];
    all.extend(args.iter().map(String::as_str));
    cargo(&all, &[])
}

/// The program without what can be left out, and the library's example with what it asks for by itself.
fn without_features() -> Result<(), String> {
    let program = |features| ["diskwright-cli", "--features", features];
    let alone = ["arrow", "capture", "device", "emulator", "mount", "studio", "tui", "vhost-user"].map(program);
    let bare = [&["diskwright-cli"][..], &["diskwright", "--example", "chain"]];
    for what in bare.into_iter().chain(alone.iter().map(|what| &what[..])) {
        let status = Command::new(env!("CARGO"))
            .args(["check", "--no-default-features", "--quiet", "--package"])
            .args(what)
            // United with those of the whole workspace, features would all be there.
            .env_remove("CARGO_RESOLVER_FEATURE_UNIFICATION")
            .current_dir(root())
            .status()
            .map_err(|e| format!("cargo check: {e}"))?;
        if !status.success() {
            return Err(format!("{} does not compile without its features", what.join(" ")));
        }
    }
    Ok(())
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
