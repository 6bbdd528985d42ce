//! Running the program, and real fio where it is needed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// What a command came to.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The program with `args`, in the folder `at`.
pub fn diskwright_at(at: &Path, args: &[&str]) -> Ran {
    // What the user imported is none of the tests' business.
    let command = &mut Command::new(env!("CARGO_BIN_EXE_diskwright"));
    run(command.args(args).current_dir(at).env("DISKWRIGHT_CATALOGUE", "none").env("SOURCE_DATE_EPOCH", TODAY))
}

/// The day of examples and tests, in the month of the shipped records: 2026-08-31.
pub const TODAY: &str = "1788170189";

/// The same with so many KiB of addresses at most.
pub fn limited_at(at: &Path, kib: u32, args: &[&str]) -> Ran {
    let (limit, program) = (format!("ulimit -v {kib}; exec \"$@\""), env!("CARGO_BIN_EXE_diskwright"));
    let command = &mut Command::new("sh");
    run(command.args(["-c", &limit, "sh", program]).args(args).current_dir(at).env("DISKWRIGHT_CATALOGUE", "none"))
}

/// The program with `args`, in the workspace.
pub fn diskwright(args: &[&str]) -> Ran {
    diskwright_at(&root(), args)
}

/// A command without input and without the settings of whoever runs the tests.
pub fn run(command: &mut Command) -> Ran {
    run_in(command, &[("LC_ALL", "C")])
}

/// The same with these variables, of the language among them.
pub fn run_in(command: &mut Command, variables: &[(&str, &str)]) -> Ran {
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "DISKWRIGHT_SEED", "DISKWRIGHT_OUTPUT_FORMAT"] {
        command.env_remove(name);
    }
    // Nor is the language of their machine.
    command.env("COLUMNS", "100").envs(variables.iter().copied());
    let output = command.stdin(Stdio::null()).output().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The page of the built-in example, made once for all tests.
pub fn example_page() -> &'static str {
    static PAGE: OnceLock<String> = OnceLock::new();
    PAGE.get_or_init(|| {
        let folder = folder(&[]);
        let ran = diskwright_at(folder.path(), &["report", "--example", "-o", "report.html"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
        std::fs::read_to_string(folder.path().join("report.html")).unwrap()
    })
}

/// A folder of its own with these files.
pub fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// A small rig with one disk, for tests that are about something else.
pub const RIG: &str = "[vm]
size = \"Standard_DS14\"
edition = \"2017-03\"

[[volume]]
name = \"data\"
mount = \"/data\"
disks = \"P30\"
";

/// A short job for [`RIG`].
pub const JOB: &str = "[reads]
ioengine=libaio
direct=1
filename=/data/f
size=1g
rw=randread
bs=8k
iodepth=8
runtime=2
time_based
";

/// A recording of iostat.
pub const IOSTAT: &str = include_str!("../../../diskwright/data/iostat.txt");

/// A program that a test needs; says so aloud when it is missing.
pub fn tool(name: &str) -> Option<PathBuf> {
    let found = std::env::var_os("PATH")
        .and_then(|path| std::env::split_paths(&path).map(|p| p.join(name)).find(|p| p.is_file()));
    if found.is_none() {
        eprintln!("SKIPPED: {name} is not installed (scripts/setup-test-tools.sh installs it)");
    }
    found
}

/// A file that a test needs and that is not a program of the system; says so aloud when it is missing.
pub fn test_tool(path: &str) -> Option<PathBuf> {
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home)?;
    let file = cache.join("diskwright-test-tools").join(path);
    if file.is_file() {
        return Some(file);
    }
    eprintln!("SKIPPED: {} is not there (scripts/setup-test-tools.sh installs it)", file.display());
    None
}
