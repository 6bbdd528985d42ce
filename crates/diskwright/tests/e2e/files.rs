//! Files that the command line names: where results go is looked at before any work, `-` is standard output and input, and
//! what the system refuses is said in words.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::support::{JOB, RIG, Ran, diskwright_at, folder, run};

/// Every command that writes, as it is typed, and the option that says where; its input is not there either.
const WRITERS: [(&[&str], &str); 14] = [
    (&["simulate", "nowhere.toml", "nowhere.fio"], "--output"),
    (&["observe", "nowhere.txt"], "--output"),
    (&["observe", "nowhere.txt"], "--html"),
    (&["observe", "--for", "1s"], "--out"),
    (&["plan", "nowhere.toml"], "--output"),
    (&["plan", "diff", "nowhere.toml", "nowhere.json"], "--output"),
    (&["bench", "nowhere.toml", "--simulate"], "--output"),
    (&["verify", "nowhere.toml", "nowhere.json"], "--output"),
    (&["calibrate", "nowhere.json", "--name", "x"], "--output"),
    (&["calibrate", "nowhere.json", "--name", "x"], "--save"),
    (&["provision", "nowhere.json", "--target", "linux"], "--output"),
    (&["convert", "nowhere.fio", "--to", "fio"], "--out"),
    (&["report", "nowhere.json"], "--output"),
    (&["explain", "nowhere.toml", "--demand", "nowhere.toml"], "--output"),
];

#[test]
fn a_place_that_cannot_be_written_is_told_before_anything_is_read() {
    let folder = folder(&[("file", "")]);
    let places = [
        ("nowhere/x", "no such file or directory"),
        ("file/x", "not a directory"),
        (".", "is a directory"),
        // Nobody makes a file there, root neither.
        ("/sys/x", "permission denied"),
    ];
    for (command, option) in WRITERS {
        for (place, why) in places {
            let ran = diskwright_at(folder.path(), &[command, &[option, place]].concat());
            let expected = format!("error: {place}: cannot be written: {why}\nhint: ");
            assert!(ran.code == 1 && ran.stderr.starts_with(&expected), "{command:?} {option}: {}", ran.stderr);
            assert_eq!(
                ran.stderr.contains("--out"),
                place == "/sys/x" && option.starts_with("--out"),
                "{}",
                ran.stderr
            );
            if place == "/sys/x" {
                assert!(ran.stderr.contains(&format!("`{option}`")), "the option that was given: {}", ran.stderr);
            }
        }
    }
    let ran = diskwright_at(folder.path(), &["provision", "nowhere.json", "--out", "file/build"]);
    assert!(ran.code == 1 && ran.stderr.starts_with("error: file/build: cannot be written: not a"), "{}", ran.stderr);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
}

#[test]
fn a_dash_is_standard_output() {
    let folder = folder(&[("rig.toml", RIG), ("job.fio", JOB)]);
    let cases: [(&[&str], &str); 4] = [
        (&["simulate", "rig.toml", "job.fio", "-q"], "--output"),
        (&["convert", "job.fio", "--to", "fio"], "--out"),
        (&["bench", "rig.toml", "--simulate", "-q", "--runtime", "1s", "--file-size", "1GiB"], "--output"),
        (&["plan", "diff", "rig.toml", "rig.toml"], "--output"),
    ];
    for (command, option) in cases {
        let plain = diskwright_at(folder.path(), command);
        let dash = diskwright_at(folder.path(), &[command, &[option, "-"]].concat());
        assert_eq!((dash.code, dash.stdout), (0, plain.stdout), "{command:?}: {}", dash.stderr);
    }
    assert!(!folder.path().join("-").exists());
}

#[test]
fn a_dash_where_something_else_is_printed_is_refused() {
    let folder = folder(&[("x.json", "{}")]);
    let cases: [&[&str]; 5] = [
        &["calibrate", "x.json", "--name", "x", "--save", "-"],
        &["observe", "x.json", "--html", "-"],
        &["observe", "--for", "1s", "--out", "-"],
        &["provision", "x.json", "--out", "-"],
        &["emulate", "x.toml", "--null", "--socket", "s", "--pid-file", "-"],
    ];
    for command in cases {
        let ran = diskwright_at(folder.path(), command);
        assert!(ran.code == 2 && ran.stderr.contains(" -` is not a file"), "{command:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("\nhint: "), "{}", ran.stderr);
    }
    assert!(!folder.path().join("-").exists());
}

/// The program with this on standard input.
fn fed(at: &std::path::Path, args: &[&str], input: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_diskwright"))
        .args(args)
        .current_dir(at)
        .env("DISKWRIGHT_CATALOGUE", "none")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Who refuses the command line does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
}

#[test]
fn a_dash_is_standard_input_once() {
    let folder = folder(&[("rig.toml", RIG), ("job.fio", JOB)]);
    let cases: [(&[&str], &[&str], &str); 3] = [
        (&["simulate", "rig.toml", "job.fio", "-q"], &["simulate", "-", "job.fio", "-q"], RIG),
        (&["simulate", "rig.toml", "job.fio", "-q"], &["simulate", "rig.toml", "-", "-q"], JOB),
        (
            &["bench", "rig.toml", "--simulate", "-q", "--runtime", "1s", "--format", "csv"],
            &["bench", "-", "--simulate", "-q", "--runtime", "1s", "--format", "csv"],
            RIG,
        ),
    ];
    for (named, dashed, input) in cases {
        let plain = diskwright_at(folder.path(), named);
        let ran = fed(folder.path(), dashed, input);
        assert_eq!((ran.code, ran.stdout), (0, plain.stdout), "{dashed:?}: {}", ran.stderr);
    }
    for twice in [&["simulate", "-", "-"][..], &["plan", "diff", "-", "-"]] {
        let ran = fed(folder.path(), twice, RIG);
        assert!(ran.code == 2 && ran.stderr.contains("standard input is one file"), "{twice:?}: {}", ran.stderr);
    }
}

#[cfg(unix)]
#[test]
fn a_link_or_a_pipe_is_written_to_and_not_replaced() {
    use std::io::Read as _;
    let folder = folder(&[("rig.toml", RIG), ("job.fio", JOB), ("real.txt", "old")]);
    let at = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink("real.txt", at("link.txt")).unwrap();
    let explain = |output: &str| {
        let ran = diskwright_at(
            folder.path(),
            &["simulate", "rig.toml", "job.fio", "--explain-job", "-q", "--output", output],
        );
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    };
    explain("link.txt");
    assert!(at("link.txt").symlink_metadata().unwrap().is_symlink());
    let text = std::fs::read_to_string(at("real.txt")).unwrap();
    assert_ne!(text, "old");
    assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    // Open for both, so that nobody waits for anybody; the text fits into the pipe.
    let mut pipe = std::fs::File::options().read(true).write(true).open(at("pipe")).unwrap();
    explain("pipe");
    let mut read = vec![0; text.len()];
    use std::os::unix::fs::FileTypeExt as _;
    assert!(at("pipe").metadata().unwrap().file_type().is_fifo(), "the pipe is one still");
    pipe.read_exact(&mut read).unwrap();
    assert_eq!(String::from_utf8(read).unwrap(), text);
}

/// Where no layer of the catalogue was named and the user's folder cannot be looked into, there is none to be had.
#[cfg(unix)]
#[test]
fn a_home_that_cannot_be_read_breaks_nothing() {
    let folder = folder(&[("rig.toml", RIG), ("job.fio", JOB), ("file", "")]);
    std::os::unix::fs::symlink("loop", folder.path().join("loop")).unwrap();
    let simulate = |home: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
        command.args(["simulate", "rig.toml", "job.fio"]).current_dir(folder.path());
        run(command.env_remove("XDG_DATA_HOME").env_remove("DISKWRIGHT_CATALOGUE").env("HOME", home))
    };
    let plain = diskwright_at(folder.path(), &["simulate", "rig.toml", "job.fio"]).stdout;
    for (home, told) in [("nowhere", false), ("file", false), ("loop", true)] {
        let ran = simulate(home);
        assert_eq!((ran.code, &ran.stdout), (0, &plain), "{home}: {}", ran.stderr);
        let note = "loop/.local/share/diskwright/imported.toml cannot be looked for";
        assert_eq!(ran.stderr.contains(note), told, "{home}: {}", ran.stderr);
    }
    // What is there and cannot be read is another matter: its figures were meant to count.
    std::fs::create_dir_all(folder.path().join("home/.local/share/diskwright/imported.toml")).unwrap();
    let ran = simulate("home");
    assert!(ran.code == 3 && ran.stderr.contains("cannot be read: is a directory"), "{}", ran.stderr);
}

#[test]
fn the_folder_of_an_emulation_says_why_it_cannot_be_made() {
    let folder = folder(&[("rig.toml", RIG), ("file", "")]);
    for (dir, why) in [
        ("/sys/diskwright", "permission denied"),
        ("file/data", "not a directory"),
        ("nowhere/data", "no such file or directory"),
    ] {
        let ran = diskwright_at(folder.path(), &["emulate", "rig.toml", "--socket", "s", "--dir", dir]);
        let expected = format!("error: {dir}: cannot be made: {why}\nhint: ");
        assert!(ran.code == 1 && ran.stderr.starts_with(&expected), "{dir}: {}", ran.stderr);
    }
}

#[test]
fn no_message_has_the_systems_number() {
    let folder = folder(&[("rig.toml", RIG), ("x.toml", "latency_models = [\"nowhere.toml\"]\n"), ("file", "")]);
    let cases: [&[&str]; 9] = [
        &["observe", "nowhere.txt"],
        &["observe", "--counter-map", "nowhere.map", "file"],
        &["observe", "--for", "1s", "--out", "."],
        &["simulate", "x.toml", "file"],
        &["emulate", "rig.toml", "--null", "--socket", "nowhere/s"],
        &["emulate", "rig.toml", "--null", "--socket", "s", "--log-throttled", "nowhere/log"],
        &["emulate", "rig.toml", "--null", "--socket", "s", "--pid-file", "nowhere/pid"],
        &["bench", "rig.toml", "--target", "data=nowhere/x", "--dir", "file/x"],
        &["ctl", "--socket", "nowhere/s", "status"],
    ];
    for command in cases {
        let ran = diskwright_at(folder.path(), command);
        assert!(ran.code != 0 && !ran.stderr.contains("os error"), "{command:?}: {}", ran.stderr);
    }
}
