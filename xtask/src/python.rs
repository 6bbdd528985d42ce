//! The Python package: its wheel is built as the tests' programs are, installed into an environment of its own, and tested there.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::root;
use crate::test_programs::Count;

/// Where `scripts/setup-test-tools.sh` puts what Python's tests need.
fn tools() -> Option<PathBuf> {
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home)?;
    Some(cache.join("diskwright-test-tools/python"))
}

/// As a chore of its own.
pub fn alone() -> Result<(), String> {
    let mut count = Count::default();
    let tested = test(&mut count);
    count.skipped.iter().for_each(|line| println!("{line}"));
    tested
}

/// Builds, installs and tests it.
pub fn test(count: &mut Count) -> Result<(), String> {
    let tools = tools().filter(|tools| tools.join("bin/maturin").is_file());
    let Some(tools) = tools else {
        count.skipped.push("SKIPPED: python: no maturin (scripts/setup-test-tools.sh installs it)".into());
        return Ok(());
    };
    let target = root().join("target");
    let (wheels, place) = (target.join("wheels"), target.join("wheel-environment"));
    // One that an older version left would be installed, too.
    for folder in [&wheels, &place] {
        let _ = std::fs::remove_dir_all(folder);
    }
    let build = ["build", "--quiet", "--profile", "dev", "--manifest-path", "python/Cargo.toml", "--target-dir"];
    done(Command::new(tools.join("bin/maturin")).args(build).arg(&target).arg("--out").arg(&wheels))?;
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

    let tested = Command::new(&python)
        .args(["-P", "-m", "pytest", "--rootdir", ".", "-p", "no:cacheprovider"])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(root().join("python"))
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("{}: {e}", python.display()))?;
    let said = text(&tested.stdout);
    print!("{said}{}", text(&tested.stderr));
    counted(&said, count);
    if tested.status.success() { Ok(()) } else { Err("tests of the Python package failed".into()) }
}

/// What pytest's last line says, and its lines on skipped tests.
fn counted(said: &str, count: &mut Count) {
    let summary = said.lines().rev().find(|line| line.contains(" passed") || line.contains(" failed"));
    let Some(summary) = summary else {
        count.failed += 1;
        count.faults.push("python: pytest ended without a summary".into());
        return;
    };
    for part in summary.trim_matches([' ', '=']).split(", ") {
        let (number, word) = part.split_once(' ').unwrap_or_default();
        let number: u64 = number.parse().unwrap_or(0);
        match word.split(' ').next().unwrap_or_default() {
            "passed" => count.passed += number,
            "failed" | "error" | "errors" => count.failed += number,
            _ => {}
        }
    }
    count.skipped.extend(said.lines().filter(|line| line.starts_with("SKIPPED")).map(|line| format!("python: {line}")));
    count.faults.extend(
        said.lines()
            .filter(|line| line.starts_with("FAILED") || line.starts_with("ERROR"))
            .map(|line| format!("python: {line}")),
    );
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
        let of = |said: &str| {
            let mut count = Count::default();
            counted(said, &mut count);
            (count.passed, count.failed, count.skipped.len(), count.faults.len())
        };
        for (said, expected) in [
            ("....\n29 passed in 2.1s\n", (29, 0, 0, 0)),
            ("SKIPPED [1] tests/a.py:3: no mypy\n== 28 passed, 1 skipped in 2.1s ==\n", (28, 0, 1, 0)),
            ("FAILED tests/a.py::b - no\n1 failed, 2 passed in 1s\n", (2, 1, 0, 1)),
            ("ImportError\n", (0, 1, 0, 1)),
        ] {
            assert_eq!(of(said), expected, "{said}");
        }
    }
}
