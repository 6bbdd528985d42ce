//! Each exit code happens when the guide says so.

use diskwright_cli::exit::Exit;

use crate::e2e::support::{JOB, RIG, diskwright_at, folder, root};

fn check(args: &[&str], expected: Exit) -> String {
    let folder = folder(&[("rig.toml", RIG), ("job.fio", JOB), ("bad.fio", "[x]\nbs=8q\n")]);
    let ran = diskwright_at(folder.path(), args);
    assert_eq!(ran.code, i32::from(expected.code()), "{args:?}: {}", ran.stderr);
    ran.stderr
}

#[test]
fn zero_is_done() {
    check(&["simulate", "rig.toml", "job.fio"], Exit::Ok);
    check(&["--help"], Exit::Ok);
    check(&["--version"], Exit::Ok);
    check(&["completions", "bash"], Exit::Ok);
    check(&["schema", "scenario"], Exit::Ok);
    check(&["catalogue", "show", "DS14"], Exit::Ok);
}

#[test]
fn one_is_unexpected() {
    check(&["simulate", "rig.toml", "job.fio", "--output", "/does/not/exist/x"], Exit::Unexpected);
}

#[test]
fn two_is_a_command_line_that_makes_no_sense() {
    check(&[], Exit::Usage);
    check(&["simulte"], Exit::Usage);
    check(&["simulate", "rig.toml"], Exit::Usage);
    check(&["simulate", "rig.toml", "job.fio", "--output-format", "xml"], Exit::Usage);
    check(&["simulate", "rig.toml", "job.fio", "--sweep", "iodepth"], Exit::Usage);
    check(&["simulate", "rig.toml", "job.fio", "--series", "soon"], Exit::Usage);
    check(&["simulate", "rig.toml", "job.fio", "--no-such-option"], Exit::Usage);
    check(&["catalogue", "show", "DS41"], Exit::Usage);
    check(&["catalogue", "list", "--edition", "1999"], Exit::Usage);
    check(&["catalogue", "coverage", "--region", "mars"], Exit::Usage);
}

#[test]
fn three_is_wrong_input() {
    check(&["simulate", "nowhere.toml", "job.fio"], Exit::Input);
    check(&["simulate", "rig.toml", "nowhere.fio"], Exit::Input);
    check(&["simulate", "rig.toml", "bad.fio"], Exit::Input);
    check(&["simulate", "job.fio", "rig.toml"], Exit::Input);
}

#[test]
fn four_is_a_demand_that_nothing_meets_and_eight_a_price_that_nobody_knows() {
    let asks = |plan: &str, iops: u32| {
        format!(
            "schema_version = 1\n[plan]\n{plan}\n[[volume]]\nname = \"data\"\ncapacity = \"100 GiB\"\nread_size = \"8 KiB\"\n\
             read_iops = {{ p50 = 1, p90 = 1, p99 = {iops}, max = {iops} }}\n"
        )
    };
    let cases = [
        ("", 1_000, Exit::Ok),
        ("vms = [\"DS1\"]", 9_000, Exit::Infeasible),
        ("cost_max = 1", 1_000, Exit::Infeasible),
        ("region = \"koreasouth\"\ndisks = [\"PremiumV2\"]", 1_000, Exit::Price),
        ("disks = [\"P40\"]\n[[plan.price]]\nname = \"P40\"\nmonthly = 259.05", 1_000, Exit::Ok),
        ("region = \"mars\"", 1_000, Exit::Input),
    ];
    for (plan, iops, expected) in cases {
        let folder = folder(&[("requirements.toml", &asks(plan, iops))]);
        let ran = diskwright_at(folder.path(), &["plan", "requirements.toml"]);
        assert_eq!(ran.code, i32::from(expected.code()), "{plan}: {}", ran.stderr);
    }
    check(&["plan", "rig.toml"], Exit::Input);
    check(&["plan"], Exit::Usage);
}

/// What a run of days prints when it is interrupted.
#[cfg(unix)]
fn interrupted(more: &[&str]) -> String {
    use std::process::{Command, Stdio};
    let long = JOB.replace("runtime=2", "runtime=1000000");
    let folder = folder(&[("rig.toml", RIG), ("job.fio", &long)]);
    // A run that leaps may be over before the signal comes.
    let mut child = Command::new(env!("CARGO_BIN_EXE_diskwright"))
        .args(["simulate", "rig.toml", "job.fio", "--exact"])
        .args(more)
        .current_dir(folder.path())
        .env("DISKWRIGHT_CATALOGUE", "none")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let id = child.id().to_string();
    // The handler is there once the process catches the signal; until then the signal would end it.
    let caught = || {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let mask = status.lines().find_map(|l| l.strip_prefix("SigCgt:")).unwrap_or("0").trim().to_string();
        u64::from_str_radix(&mask, 16).unwrap_or(0) & 2 != 0
    };
    while !caught() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(130), "{stdout}");
    stdout
}

#[cfg(unix)]
#[test]
fn a_hundred_and_thirty_is_interrupted_with_partial_results() {
    assert!(interrupted(&[]).contains("PARTIAL"));
    assert!(interrupted(&["--output-format", "json"]).contains("\"partial\" : true"));
    // The signal may come before the first request is done.
    let mut tries = (0..50).map(|_| interrupted(&["--output-format", "csv", "--series", "1s"]));
    let csv = tries.find(|csv| csv.lines().count() > 1).expect("rows in one of fifty tries");
    let rows: Vec<&str> = csv.lines().collect();
    assert!(rows[0].ends_with(",partial"), "{csv}");
    assert!(rows[1..].iter().all(|row| row.ends_with(",true")), "{csv}");
}

/// After the signal nothing is begun any more: of ten thousand runs at most those are there that were under way, marked in every
/// form, and a row that is not marked is a run that was finished.
#[cfg(unix)]
#[test]
fn a_sweep_that_is_interrupted_begins_no_further_run_and_marks_what_it_stopped() {
    let sweep = |format: &str| interrupted(&["--seeds", "1..10000", "--threads", "2", "--output-format", format]);
    let is_row = |line: &&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let text = sweep("normal");
    let rows: Vec<&str> = text.lines().filter(is_row).collect();
    assert!(rows.len() <= 2 && rows.iter().all(|row| row.ends_with("PARTIAL")), "{text}");
    let told = format!("PARTIAL: 0 of 10,000 runs finished, {} stopped (marked), ", rows.len());
    assert!(text.contains(&told), "{told}: {text}");
    let csv = sweep("csv");
    assert!(csv.starts_with("seed,partial,iops"), "{csv}");
    let rows: Vec<&str> = csv.lines().filter(is_row).collect();
    assert!(rows.len() <= 2 && rows.iter().all(|row| row.contains(",true,")), "{csv}");
    let json: serde_json::Value = serde_json::from_str(&sweep("json")).unwrap();
    let runs = json["runs"].as_array().unwrap();
    assert!(runs.len() <= 2 && runs.iter().all(|run| run["diskwright"]["partial"] == true), "{json:#}");
    assert_eq!(
        (&json["partial"], &json["runs_asked"], &json["runs_finished"]),
        (&true.into(), &10_000.into(), &0.into())
    );
}

#[test]
fn the_guide_lists_them_all() {
    let guide = std::fs::read_to_string(root().join("docs/guide/exit-codes.md")).unwrap();
    for (exit, meaning) in Exit::ALL {
        let row = format!("| {} | {meaning}", exit.code());
        assert!(guide.contains(&row), "docs/guide/exit-codes.md lacks `{row}`");
    }
}

#[test]
fn fourteen_is_a_conversion_that_loses_something() {
    check(&["convert", "job.fio", "--to", "iometer", "--strict"], Exit::Lossy);
    check(&["convert", "job.fio", "--to", "iometer"], Exit::Ok);
}

/// The words before a message are put there by the error type alone: a text that has them already would have them twice, and its
/// kind, place and hint could not be told apart by whoever calls the library.
#[test]
fn no_source_but_the_error_type_writes_the_word_error() {
    let mut folders = vec![root().join("crates")];
    let mut wrong = Vec::new();
    let mut looked_at = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let shown = path.strip_prefix(root()).unwrap().display().to_string();
            let is_source = shown.ends_with(".rs") && shown.contains("/src/");
            if !is_source || shown.ends_with("tests.rs") || shown.starts_with("crates/dw-error/") {
                continue;
            }
            looked_at += 1;
            let text = std::fs::read_to_string(&path).unwrap();
            // Tests and examples in comments say what is printed.
            let lines = text.lines().zip(1..).take_while(|(line, _)| *line != "#[cfg(test)]");
            let lines = lines.filter(|(line, _)| line.contains("\"error: ") && !line.trim_start().starts_with("//"));
            wrong.extend(lines.map(|(line, number)| format!("{shown}:{number}: {}", line.trim())));
        }
    }
    assert!(looked_at > 300, "{looked_at} files");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
