//! What is foreign reaches people as signs, and programs as it is.

use clap::CommandFactory as _;
use diskwright_cli::cli::Cli;
use dw_error::obeyed::is_obeyed;
use serde_json::{Value, json};

use crate::e2e::support::{JOB, RIG, Ran, diskwright_at, folder};

/// A reset of the terminal, a bell, a cleared screen, a deletion and an override of direction.
const HOSTILE: &str = "\u{1b}c\u{7}\u{9b}2J\u{7f}\u{202e}x";
/// What is left of it in every message: clap takes away what it knows of an escape.
const SIGN: &str = "\u{fffd}2J";

/// Runs it; the terminal may obey nothing that it prints. Returns whether the hostile text was shown.
#[track_caller]
fn shows(ran: &Ran, what: &str) -> bool {
    for text in [&ran.stdout, &ran.stderr] {
        let found = text.chars().find(|c| is_obeyed(*c) && !matches!(c, '\n' | '\t'));
        assert_eq!(found, None, "{what}: {text:?}");
    }
    [&ran.stdout, &ran.stderr].iter().any(|text| text.contains(SIGN))
}

/// Every command that does something, by its words.
fn commands(command: &clap::Command, before: &[String]) -> Vec<Vec<String>> {
    let below = command.get_subcommands().filter(|below| below.get_name() != "help");
    let all: Vec<Vec<String>> =
        below.flat_map(|below| commands(below, &[before, &[below.get_name().to_string()]].concat())).collect();
    if all.is_empty() { vec![before.to_vec()] } else { all }
}

#[test]
fn no_command_repeats_to_a_terminal_what_that_would_obey() {
    let folder = folder(&[]);
    let option = format!("--{HOSTILE}");
    let mut shown = 0;
    let all = commands(&Cli::command(), &[]);
    assert!(all.len() > 25, "{all:?}");
    for words in &all {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut cases: Vec<Vec<&str>> = vec![vec![&option], vec!["--format", HOSTILE]];
        // These answer nobody until they are ended.
        if !matches!(words.as_slice(), ["studio"]) {
            cases.extend([vec![HOSTILE], vec![HOSTILE, HOSTILE], vec![HOSTILE, "--output", HOSTILE]]);
        }
        for more in cases {
            let ran = diskwright_at(folder.path(), &[&words[..], &more].concat());
            shown += usize::from(shows(&ran, &format!("{words:?} {more:?}")));
        }
    }
    assert!(shown > 2 * all.len(), "the text is shown in {shown} answers of {} commands", all.len());
}

/// Files with hostile text where each format has room for it, and the commands that read them.
#[test]
fn what_a_file_has_is_shown_and_not_obeyed() {
    // TOML and JSON have escapes of their own; what TOML has no escape for stands in it as it is, except for C0.
    let escaped = HOSTILE.replace('\u{1b}', "\\u001B").replace('\u{7}', "\\u0007").replace('\u{7f}', "\\u007F");
    let job = |name: &str, more: &str| JOB.replace("[reads]", &format!("[{name}]")) + more;
    let perfmon = format!(
        "\"(PDH-CSV 4.0)\",\"\\\\H\\PhysicalDisk({HOSTILE})\\Disk Reads/sec\",\"\\\\H\\PhysicalDisk({HOSTILE})\\Disk Writes/sec\"\n\
         \"03/15/2024 09:00:01.123\",\"7.5\",\"12.5\"\n\"03/15/2024 09:00:02.123\",\"7.5\",\"12.5\"\n\
         \"03/15/2024 09:00:03.123\",\"7.5\",\"12.5\"\n"
    );
    let direction = |iops: u64| {
        json!({ "iops": iops, "total_ios": iops * 30, "bw_bytes": iops * 8192, "io_bytes": iops * 8192 * 30,
        "bw": iops * 8, "runtime": 30_000, "lat_ns": { "mean": 1e6, "max": 2e6 } })
    };
    let result = json!({ "fio version": "fio-3.33", "jobs": [{ "jobname": HOSTILE, "groupid": 0,
        "job options": { "filename": "/data/f", "rw": "randread", "bs": "8k" }, "read": direction(500), "write": direction(0) }] });
    let demand = |more: &str| {
        format!(
            "schema_version = 1\nmachine = \"{escaped}\"\n{more}[[volume]]\nname = \"data\"\ncapacity = \"100 GiB\"\nread_size = \"8 KiB\"\nread_iops = {{ p50 = 500, p90 = 500, p99 = 500, max = 500 }}\n"
        )
    };
    let cases: [(&str, &str, String, &[&str]); 18] = [
        ("a key", "rig.toml", RIG.replace("mount", &format!("\"{escaped}\"")), &["simulate", "rig.toml", "job.fio"]),
        (
            "a volume",
            "rig.toml",
            RIG.replace("\"data\"", &format!("\"{escaped}\"")),
            &["simulate", "rig.toml", "job.fio"],
        ),
        ("a volume", "rig.toml", RIG.replace("\"data\"", &format!("\"{escaped}\"")), &["explain", "rig.toml"]),
        ("a disk", "rig.toml", RIG.replace("P30", &escaped), &["simulate", "rig.toml", "job.fio"]),
        ("a disk", "rig.toml", RIG.replace("P30", &escaped), &["plan", "diff", "rig.toml", "rig.toml"]),
        ("a job", "job.fio", job(HOSTILE, ""), &["simulate", "rig.toml", "job.fio"]),
        ("a job", "job.fio", job(HOSTILE, ""), &["simulate", "rig.toml", "job.fio", "--explain-job"]),
        ("a value", "job.fio", job("x", &format!("bs={HOSTILE}\n")), &["simulate", "rig.toml", "job.fio"]),
        ("a value", "job.fio", job("x", &format!("rw={HOSTILE}\n")), &["convert", "job.fio", "--to", "diskspd"]),
        ("an option", "job.fio", job("x", &format!("{HOSTILE}=1\n")), &["simulate", "rig.toml", "job.fio"]),
        ("a disk seen", "disk.csv", perfmon.clone(), &["observe", "disk.csv"]),
        ("a region", "demand.toml", demand(&format!("[plan]\nregion = \"{escaped}\"\n")), &["plan", "demand.toml"]),
        (
            "a key",
            "demand.toml",
            demand(&format!("\"{escaped}\" = 1\n")),
            &["explain", "rig.toml", "--demand", "demand.toml"],
        ),
        ("a job measured", "result.json", result.to_string(), &["explain", "rig.toml", "--measured", "result.json"]),
        (
            "a key",
            "plan.json",
            json!({ "schema_version": 1, HOSTILE: 1 }).to_string(),
            &["provision", "plan.json", "--target", "az"],
        ),
        (
            "a tag",
            "plan.json",
            json!({ "schema_version": 1, "document": HOSTILE }).to_string(),
            &["provision", "plan.json", "--target", "az"],
        ),
        ("text", "text.txt", format!("{HOSTILE}\n{HOSTILE}\n"), &["observe", "text.txt"]),
        ("text", "text.txt", format!("{HOSTILE}\n{HOSTILE}\n"), &["report", "text.txt"]),
    ];
    let mut shown = 0;
    for (what, file, text, args) in &cases {
        let folder = folder(&[("rig.toml", RIG), ("job.fio", JOB)]);
        std::fs::write(folder.path().join(file), text).unwrap();
        let ran = diskwright_at(folder.path(), args);
        shown += usize::from(shows(&ran, &format!("{what} of {file}: {args:?}")));
    }
    assert!(shown >= 12, "the text is shown in {shown} answers");
    // The row of a device is in its place for all that.
    let folder = folder(&[("disk.csv", &perfmon)]);
    let csv = diskwright_at(folder.path(), &["observe", "disk.csv", "--format", "csv"]).stdout;
    assert!(csv.contains(HOSTILE), "a program gets the name as it is: {csv}");
}

#[test]
fn a_program_gets_names_as_they_are() {
    let folder = folder(&[("rig.toml", RIG), ("job.fio", &JOB.replace("[reads]", &format!("[{HOSTILE}]")))]);
    let ran = diskwright_at(folder.path(), &["simulate", "rig.toml", "job.fio", "--format", "json"]);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(document["jobs"][0]["jobname"], HOSTILE);
}
