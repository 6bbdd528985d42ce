//! The Python package: its wheel is built as the tests' programs are, installed into an environment of its own, and tested there.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::ci::command::{Priority, Took, measured};
use crate::ci::{Count, said};
use crate::root;

/// Where `scripts/setup-test-tools.sh` puts what Python's tests need, if it did.
fn tools() -> Option<PathBuf> {
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home)?;
    Some(cache.join("diskwright-test-tools/python")).filter(|tools| tools.join("bin/maturin").is_file())
}

fn target() -> PathBuf {
    root().join("target")
}

/// Where the wheel is installed.
fn environment() -> PathBuf {
    target().join("wheel-environment")
}

/// As a chore of its own.
pub fn alone() -> Result<(), String> {
    build(Priority::Computing)?;
    let (text, ended, _) = said(test(true, Priority::Computing));
    print!("{text}");
    let count = counted(&text, &ended);
    if count.failed == 0 { Ok(()) } else { Err("tests of the Python package failed".into()) }
}

/// Builds the wheel and installs it into an environment of its own.
pub fn build(priority: Priority) -> Result<Took, String> {
    let Some(tools) = tools() else { return Ok(Took::default()) };
    let (wheels, place) = (target().join("wheels"), environment());
    // One that an older version left would be installed, too.
    for folder in [&wheels, &place] {
        let _ = std::fs::remove_dir_all(folder);
    }
    let mut build = measured(&tools.join("bin/maturin").to_string_lossy(), priority);
    // The profile and the features of the tests: what they compiled is used. The lock file is held here and not in `pyproject.toml`: the
    // one in a source distribution lists packages that are not in it.
    let args =
        ["build", "--locked", "--quiet", "--profile", "dev", "--manifest-path", "python/Cargo.toml", "--target-dir"];
    build.command.args(args).arg(target()).arg("--out").arg(&wheels);
    let took = build.shown()?;
    let wheel = std::fs::read_dir(&wheels).map_err(|e| format!("{}: {e}", wheels.display()))?;
    let wheel = wheel.flatten().map(|entry| entry.path()).find(|path| path.extension().is_some_and(|e| e == "whl"));
    let wheel = wheel.ok_or("maturin built no wheel")?;

    let python = place.join("bin/python");
    done(Command::new(tools.join("bin/python")).args(["-m", "venv", "--without-pip"]).arg(&place))?;
    let site = |python: &Path| {
        let asked = "import sysconfig; print(sysconfig.get_path('purelib'))";
        done(Command::new(python).args(["-c", asked])).map(|out| text(&out.stdout).trim().to_string())
    };
    // What tests need is taken from the tools; the wheel is this environment's own.
    let lent = Path::new(&site(&python)?).join("tools.pth");
    std::fs::write(&lent, site(&tools.join("bin/python"))?).map_err(|e| format!("{}: {e}", lent.display()))?;
    let pip = ["install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"];
    done(Command::new(tools.join("bin/pip")).arg("--python").arg(&python).args(pip).arg(&wheel))?;
    Ok(took)
}

/// Runs its tests, those on Spark and Ray only where they are asked for. Without tools it says so.
pub fn test(engines: bool, priority: Priority) -> (std::io::Result<Output>, Took) {
    if tools().is_none() {
        let mut said = measured("echo", priority);
        said.command.arg(format!("SKIPPED{NO_TOOLS}"));
        return said.output();
    }
    let mut tests = measured(&environment().join("bin/python").to_string_lossy(), priority);
    tests.command.args(["-P", "-m", "pytest", "--rootdir", ".", "-p", "no:cacheprovider"]);
    if !engines {
        tests.command.arg("--ignore=tests/fleet_engines");
    }
    tests.command.env("PYTHONDONTWRITEBYTECODE", "1").current_dir(root().join("python"));
    tests.output()
}

const NO_TOOLS: &str = ": python: no maturin (scripts/setup-test-tools.sh installs it)";

/// What pytest's last line says, and its lines on skipped tests.
pub fn counted(said: &str, ended: &str) -> Count {
    let mut count = Count::default();
    count.skipped.extend(said.lines().filter(|line| line.starts_with("SKIPPED")).map(|line| format!("python: {line}")));
    if said.contains(NO_TOOLS) {
        return count;
    }
    let summary = said.lines().rev().find(|line| line.contains(" passed") || line.contains(" failed"));
    for part in summary.unwrap_or_default().trim_matches([' ', '=']).split(", ") {
        let (number, word) = part.split_once(' ').unwrap_or_default();
        let number: u64 = number.parse().unwrap_or(0);
        match word.split(' ').next().unwrap_or_default() {
            "passed" => count.passed += number,
            "failed" | "error" | "errors" => count.failed += number,
            _ => {}
        }
    }
    let is_fault = |line: &&str| line.starts_with("FAILED") || line.starts_with("ERROR");
    count.faults.extend(said.lines().filter(is_fault).map(|line| format!("python: {line}")));
    if summary.is_none() || !ended.is_empty() && count.failed == 0 {
        count.failed += 1;
        count.faults.push(format!("python: pytest ended without a summary of what failed: {ended}"));
    }
    count
}

fn done(command: &mut Command) -> Result<Output, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.current_dir(root()).stdin(Stdio::null()).output().map_err(|e| format!("{name}: {e}"))?;
    if output.status.success() {
        return Ok(output);
    }
    Err(format!("{name}: {}\n{}{}", output.status, text(&output.stdout), text(&output.stderr)))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_counted() {
        let of = |said: &str, ended: &str| {
            let count = counted(said, ended);
            (count.passed, count.failed, count.skipped.len(), count.faults.len())
        };
        for (said, ended, expected) in [
            ("....\n29 passed in 2.1s\n", "", (29, 0, 0, 0)),
            ("SKIPPED [1] tests/a.py:3: no mypy\n== 28 passed, 1 skipped in 2.1s ==\n", "", (28, 0, 1, 0)),
            ("FAILED tests/a.py::b - no\n1 failed, 2 passed in 1s\n", "exit status: 1", (2, 1, 0, 1)),
            ("ImportError\n", "exit status: 4", (0, 1, 0, 1)),
            ("29 passed in 2.1s\n", "exit status: 139", (29, 1, 0, 1)),
            (&format!("SKIPPED{NO_TOOLS}"), "", (0, 0, 1, 0)),
        ] {
            assert_eq!(of(said, ended), expected, "{said}");
        }
    }
}
