//! Inputs that would fill the memory or keep the program waiting: devices without an end, pipes that nobody writes to or that somebody
//! keeps writing to, and a recording whose every row names another device.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::e2e::support::{JOB, RIG, diskwright, folder, limited_at};

const DEMAND: &str = "schema_version = 1
[[volume]]
name = \"data\"
capacity = \"1 TiB\"
read_size = \"8 KiB\"
read_iops = { p50 = 300, p90 = 300, p99 = 300, max = 300 }
";

#[test]
fn a_device_without_an_end_is_refused_wherever_a_file_is_named() {
    let at = folder(&[
        ("rig.toml", RIG),
        ("job.fio", JOB),
        ("demand.toml", DEMAND),
        ("loop.fio", "[global]\ninclude /dev/zero\n"),
    ]);
    let commands: [&[&str]; 18] = [
        &["simulate", "/dev/zero", "job.fio"],
        &["simulate", "rig.toml", "/dev/zero"],
        &["simulate", "rig.toml", "loop.fio"],
        &["plan", "/dev/zero"],
        &["plan", "diff", "rig.toml", "/dev/zero"],
        &["explain", "/dev/zero", "--demand", "demand.toml"],
        &["explain", "rig.toml", "--demand", "/dev/zero"],
        &["explain", "rig.toml", "--measured", "/dev/zero"],
        &["verify", "/dev/zero", "result.json"],
        &["verify", "demand.toml", "/dev/zero"],
        &["calibrate", "/dev/zero", "--name", "x"],
        &["report", "/dev/zero"],
        &["provision", "/dev/zero", "--target", "linux"],
        &["convert", "/dev/zero", "--to", "fio"],
        &["bench", "/dev/zero", "--simulate"],
        &["observe", "/dev/zero"],
        &["observe", "/dev/urandom"],
        &["observe", "log.csv", "--counter-map", "/dev/zero"],
    ];
    for command in commands {
        // More than is read, and far less than a machine has.
        let ran = limited_at(at.path(), 3_000_000, command);
        assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{command:?}: {}", ran.stderr);
        let says = |words: &[&str]| words.iter().any(|words| ran.stderr.contains(words));
        let expected = ["it is longer than 256 MiB", "no known recording begins with"];
        // On a busy machine a word about what takes long comes first.
        assert!(ran.stderr.contains("error: ") && says(&expected), "{command:?}: {}", ran.stderr);
    }
}

/// A pipe in the file system.
fn pipe(at: &Path) {
    assert!(Command::new("mkfifo").arg(at).status().expect("is there").success());
}

/// The program at work on a pipe, and the first line that it writes to standard error.
fn waiting(args: &[&str], at: &Path, write: impl FnOnce() + Send + 'static) -> (Child, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
    command.args(args).current_dir(at).env("DISKWRIGHT_CATALOGUE", "none");
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("starts");
    let writer = std::thread::spawn(write);
    let mut line = String::new();
    let mut stderr = BufReader::new(child.stderr.take().expect("is piped"));
    stderr.read_line(&mut line).expect("is read");
    child.kill().expect("is there");
    let _ = stderr.read_to_end(&mut Vec::new());
    drop(writer);
    (child, line)
}

#[test]
fn a_pipe_that_keeps_the_program_waiting_is_named() {
    let at = folder(&[("rig.toml", RIG), ("job.fio", JOB)]);
    pipe(&at.path().join("silent"));
    pipe(&at.path().join("endless"));
    for args in [&["simulate", "silent", "job.fio"][..], &["plan", "silent"], &["observe", "silent"]] {
        let (mut child, line) = waiting(args, at.path(), || ());
        assert_eq!(line, "note: silent: nothing has come so far; reading to the end (Ctrl-C stops)\n", "{args:?}");
        child.wait().expect("was killed");
    }
    let path = at.path().join("endless");
    let write = move || {
        let mut to = std::fs::File::options().write(true).open(path).expect("is read");
        let report = "Device tps kB_read/s kB_wrtn/s kB_read kB_wrtn\nsda 10.00 100.00 0.00 100 0\n\n";
        while to.write_all(report.as_bytes()).is_ok() {}
    };
    let (mut child, line) = waiting(&["observe", "endless", "--every", "1s"], at.path(), write);
    assert!(line.starts_with("note: endless: ") && line.contains(" MiB have come so far; "), "{line}");
    child.wait().expect("was killed");
}

#[test]
fn a_column_of_something_else_is_no_list_of_devices() {
    let rows: String = (0..5_000).map(|n| format!("8 {n} pid{n} 1 2 3 4 5 6 7 8 9 10 11\n")).collect();
    let at = folder(&[("pids.txt", &rows)]);
    let file = at.path().join("pids.txt");
    let ran = diskwright(&["observe", file.to_str().expect("is text"), "--every", "1s"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    let what = "more than 1024 devices on one machine: one more is `pid1024`";
    assert!(ran.stderr.contains(what) && ran.stderr.contains("the third column"), "{}", ran.stderr);
}
