//! Files that the command line names: where results go is checked before any work, `-` is standard output and input, and
//! what the system refuses is said in words.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::e2e::support::{IOSTAT, JOB, RIG, Ran, TODAY, diskwright_at, folder, limited_at, root, run};

/// Every command that writes, as it is typed, and the option that says where; its input is not there either.
const WRITERS: [(&[&str], &str); 16] = [
    (&["simulate", "nowhere.toml", "nowhere.fio"], "--output"),
    (&["observe", "nowhere.txt"], "--output"),
    (&["observe", "nowhere.txt"], "--html"),
    (&["observe", "--for", "1s"], "--record"),
    (&["plan", "nowhere.toml"], "--output"),
    (&["plan", "diff", "nowhere.toml", "nowhere.json"], "--output"),
    (&["bench", "nowhere.toml", "--simulate"], "--output"),
    (&["verify", "nowhere.toml", "nowhere.json"], "--output"),
    (&["calibrate", "nowhere.json", "--name", "x"], "--output"),
    (&["calibrate", "nowhere.json", "--name", "x"], "--save"),
    (&["provision", "nowhere.json", "--target", "linux"], "--output"),
    (&["convert", "nowhere.fio", "--to", "fio"], "--output"),
    (&["report", "nowhere.json"], "--output"),
    (&["audit", "nowhere.json"], "--output"),
    (&["rig", "nowhere.json", "--machine", "x"], "--output"),
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
            let is_named = ran.stderr.contains("--out") || ran.stderr.contains("--record");
            let of_results = ["--output", "--record"].contains(&option);
            assert_eq!(is_named, place == "/sys/x" && of_results, "{}", ran.stderr);
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
fn fed(at: &std::path::Path, args: &[&str], input: impl AsRef<[u8]>) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_diskwright"))
        .args(args)
        .current_dir(at)
        .env("DISKWRIGHT_CATALOGUE", "none")
        .env("SOURCE_DATE_EPOCH", TODAY)
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Who refuses the command line does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Every command that reads and writes files: its words, the files that it reads among them, and the options that write.
type Writer = (&'static [&'static str], &'static [&'static str], &'static [&'static str]);
const OVERWRITERS: [Writer; 16] = [
    (&["simulate", "rig.toml", "job.fio"], &["rig.toml", "job.fio"], &["--output"]),
    (&["observe", "a.txt", "--counter-map", "map.txt"], &["a.txt", "map.txt"], &["--output", "--html"]),
    (&["plan", "requirements.toml"], &["requirements.toml"], &["--output"]),
    (&["plan", "diff", "rig.toml", "plan.json"], &["rig.toml", "plan.json"], &["--output"]),
    (&["bench", "rig.toml", "--simulate", "--job", "job.fio"], &["rig.toml", "job.fio"], &["--output"]),
    (&["verify", "requirements.toml", "a.json"], &["requirements.toml", "a.json"], &["--output"]),
    (&["calibrate", "a.json", "--name", "x", "--rig", "rig.toml"], &["a.json", "rig.toml"], &["--output", "--save"]),
    (&["provision", "plan.json", "--target", "linux"], &["plan.json"], &["--output"]),
    (&["convert", "job.fio", "--to", "fio", "--rig", "rig.toml"], &["job.fio", "rig.toml"], &["--output"]),
    (&["report", "plan.json", "--attach", "note.txt"], &["plan.json", "note.txt"], &["--output"]),
    (
        &["explain", "rig.toml", "--demand", "requirements.toml", "--measured", "a.json"],
        &["rig.toml", "requirements.toml", "a.json"],
        &["--output"],
    ),
    (&["catalogue", "import", "a.json"], &["a.json"], &["--output"]),
    (
        &["audit", "a.json", "--baseline", "plan.json", "--waivers", "requirements.toml", "--stripes", "rig.toml"],
        &["a.json", "plan.json", "requirements.toml", "rig.toml"],
        &["--output"],
    ),
    (&["rig", "a.json", "--machine", "x", "--stripes", "rig.toml"], &["a.json", "rig.toml"], &["--output"]),
    (
        &["emulate", "rig.toml", "--memory", "--socket", "s"],
        &["rig.toml"],
        &["--log-throttled", "--log-writes", "--pid-file"],
    ),
    (
        &["emulate", "rig.toml", "--memory", "--socket", "s", "--tls-cert", "a.json", "--tls-key", "note.txt"],
        &["a.json", "note.txt"],
        &["--log-throttled"],
    ),
];

/// The list is whole: whoever adds an option that writes to a command that reads is sent here.
#[cfg(target_os = "linux")]
#[test]
fn every_command_that_reads_and_writes_is_in_the_list() {
    use clap::CommandFactory as _;
    // Folders, sockets, a program; and what goes with no file that is read.
    const NO_FILES: [&str; 6] = ["socket", "control", "dir", "fuse", "fio", "emulator"];
    const ALONE: [(&str, &str); 1] = [("observe", "--record")];
    fn walk(command: &clap::Command, words: &[&str], found: &mut Vec<(String, String)>) {
        let is_path =
            |arg: &&clap::Arg| arg.get_value_parser().type_id() == clap::builder::ValueParser::path_buf().type_id();
        let paths: Vec<&str> = command.get_arguments().filter(is_path).map(|arg| arg.get_id().as_str()).collect();
        let written: Vec<_> = diskwright_cli::files::WRITTEN.iter().filter(|(id, _)| paths.contains(id)).collect();
        let is_read = |id: &&&str| !NO_FILES.contains(id) && written.iter().all(|(written, _)| written != *id);
        if paths.iter().any(|id| is_read(&id)) {
            let words = words.join(" ");
            found.extend(written.iter().map(|(_, option)| (words.clone(), option.to_string())));
        }
        for below in command.get_subcommands() {
            walk(below, &[words, &[below.get_name()]].concat(), found);
        }
    }
    let mut found = Vec::new();
    walk(&diskwright_cli::cli::Cli::command(), &[], &mut found);
    assert!(found.len() >= 17, "{found:?}");
    for (words, option) in found {
        let is_it = |(line, _, options): &Writer| {
            options.contains(&option.as_str()) && line.join(" ").starts_with(&format!("{words} "))
        };
        let listed = OVERWRITERS.iter().any(is_it) || ALONE.contains(&(words.as_str(), option.as_str()));
        assert!(listed, "`{words}` has {option}, which is in no row of the table above");
    }
}

#[test]
fn no_result_is_written_over_an_input() {
    let names = ["rig.toml", "job.fio", "a.txt", "map.txt", "requirements.toml", "plan.json", "a.json", "note.txt"];
    let folder = folder(&names.map(|name| (name, "precious")));
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("sub")).unwrap();
    let absolute = |name: &str| at(name).display().to_string();
    let check = |line: &[&str], option: &str, output: &str| {
        let ran = diskwright_at(folder.path(), &[line, &[option, output]].concat());
        let what = format!("`{option}` would overwrite it, but this command reads it\nhint: name another file");
        assert!(ran.code == 2 && ran.stderr.contains(&what), "{line:?} {option} {output}: {}", ran.stderr);
        assert_eq!(ran.stdout, "");
        for name in names {
            assert_eq!(std::fs::read_to_string(at(name)).unwrap(), "precious", "{line:?} {option} {output}");
        }
    };
    for (number, (line, inputs, options)) in OVERWRITERS.iter().enumerate() {
        for (input, option) in inputs.iter().flat_map(|input| options.iter().map(move |option| (input, option))) {
            check(line, option, input);
            std::fs::hard_link(at(input), at("hard")).unwrap();
            check(line, option, "hard");
            std::fs::remove_file(at("hard")).unwrap();
            #[cfg(unix)]
            {
                std::os::unix::fs::symlink(at(input), at("sub/soft")).unwrap();
                check(line, option, "sub/soft");
                std::fs::remove_file(at("sub/soft")).unwrap();
            }
            if number == 0 {
                for output in [format!("./{input}"), format!("sub/../{input}"), absolute(input)] {
                    check(line, option, &output);
                }
            }
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), names.len() + 1, "nothing is left behind");
}

/// What only another file names, what a shell puts behind standard input or output, and folders.
#[cfg(unix)]
#[test]
fn nothing_that_is_read_is_lost_by_another_way() {
    let job = JOB.replace("[reads]\n", "[reads]\ninclude common.fio\n");
    let files = folder(&[("rig.toml", RIG), ("job.fio", &job), ("common.fio", "bs=4k\n"), ("a.txt", IOSTAT)]);
    let at = |name: &str| files.path().join(name);
    let keeps = |args: &[&str], code: i32, said: &str, file: &str| {
        let before = std::fs::read(at(file)).unwrap();
        let ran = diskwright_at(files.path(), args);
        assert!(ran.code == code && ran.stderr.contains(said), "{args:?}: {} {}", ran.code, ran.stderr);
        assert_eq!(std::fs::read(at(file)).unwrap(), before, "{args:?}");
    };
    keeps(&["simulate", "rig.toml", "job.fio", "-o", "common.fio"], 3, "`--output` would overwrite it", "common.fio");
    keeps(&["calibrate", "a.txt", "--name", "x", "-o", "new", "--save", "./new"], 2, "cannot both write it", "a.txt");
    assert!(!at("new").exists());
    // A shell that redirects: standard input is a file, standard output is one.
    let redirected = |args: &[&str], input: Option<&str>, output: Option<&str>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
        command.args(args).current_dir(files.path()).env("DISKWRIGHT_CATALOGUE", "none").env("LC_ALL", "C");
        command.stdin(input.map_or(Stdio::null(), |name| std::fs::File::open(at(name)).unwrap().into()));
        let append = |name: &str| std::fs::File::options().append(true).open(at(name)).unwrap();
        command.stdout(output.map_or(Stdio::null(), |name| append(name).into()));
        let ran = command.output().unwrap();
        assert_eq!(std::fs::read_to_string(at("a.txt")).unwrap(), IOSTAT, "{args:?}");
        (ran.status.code(), String::from_utf8(ran.stderr).unwrap())
    };
    let (code, said) = redirected(&["observe", "-", "-o", "a.txt"], Some("a.txt"), None);
    assert!(code == Some(2) && said.contains("a.txt is standard input: `--output` would overwrite it"), "{said}");
    let (code, said) = redirected(&["observe", "a.txt"], None, Some("a.txt"));
    assert!(code == Some(2) && said.contains("standard output goes into a.txt, which this command reads"), "{said}");
}

#[test]
fn a_page_is_written_again_where_nothing_of_it_is_lost() {
    let files = folder(&[("report.html", crate::e2e::support::example_page())]);
    let page = || std::fs::read_to_string(files.path().join("report.html")).unwrap();
    let again = |more: &[&str]| {
        let line = ["report", "report.html", "-q", "-o", "report.html"];
        diskwright_at(files.path(), &[&line, more].concat())
    };
    let ran = again(&["--title", "another"]);
    assert!(ran.code == 0 && page().contains("<title>another</title>"), "{}", ran.stderr);
    let before = page();
    let ran = again(&["--format", "markdown"]);
    assert!(ran.code == 2 && page() == before, "{}", ran.stderr);
}

#[test]
fn a_folder_of_scripts_does_not_take_the_plan_along() {
    let files = one_of_each();
    let at = |name: &str| files.path().join(name);
    std::fs::create_dir(at("build")).unwrap();
    std::fs::copy(at("plan.json"), at("build/az.sh")).unwrap();
    let ran = diskwright_at(files.path(), &["provision", "build/az.sh", "-o", "build", "--force"]);
    assert!(ran.code == 2 && ran.stderr.contains("would be overwritten, but this command reads it"), "{}", ran.stderr);
    assert_eq!(std::fs::read(at("build/az.sh")).unwrap(), std::fs::read(at("plan.json")).unwrap());
    assert_eq!(std::fs::read_dir(at("build")).unwrap().count(), 1);
}

/// What PowerShell and editors of Windows write: UTF-8 with its mark, and UTF-16.
#[test]
fn json_with_a_mark_is_read_as_without() {
    let files = one_of_each();
    let readers: [(&[&str], &str); 5] = [
        (&["provision", "plan.json", "--target", "linux"], "plan.json"),
        (&["report", "plan.json", "--format", "markdown", "-q"], "plan.json"),
        (&["plan", "diff", "plan.json", "plan.json", "--format", "json"], "plan.json"),
        (&["verify", "demand.toml", "bench.json", "--format", "csv"], "bench.json"),
        (&["report", "bench.json", "--format", "markdown", "-q"], "bench.json"),
    ];
    for (command, name) in readers {
        let plain = diskwright_at(files.path(), command);
        assert!(plain.code != 2 && plain.code != 3 && !plain.stdout.is_empty(), "{command:?}: {}", plain.stderr);
        let text = std::fs::read_to_string(files.path().join(name)).unwrap();
        let wide: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [["\u{feff}", &text].concat().into_bytes(), wide] {
            std::fs::write(files.path().join(name), bytes).unwrap();
            let ran = diskwright_at(files.path(), command);
            assert_eq!((ran.code, ran.stdout), (plain.code, plain.stdout.clone()), "{command:?}: {}", ran.stderr);
        }
        std::fs::write(files.path().join(name), text).unwrap();
    }
}

/// A recording with a second volume, requirements, a plan, a benchmark and its load: one of everything that commands read.
fn one_of_each() -> tempfile::TempDir {
    let requirements = root().join("examples/07-plan-a-database/requirements.toml");
    let files = folder(&[("rig.toml", RIG), ("job.fio", JOB), ("iostat.txt", IOSTAT)]);
    std::fs::copy(requirements, files.path().join("requirements.toml")).unwrap();
    let make: [(&[&str], &str); 3] = [
        (&["plan", "requirements.toml", "--format", "json"], "plan.json"),
        (&["bench", "rig.toml", "--simulate", "-q", "--runtime", "1s", "--format", "json"], "bench.json"),
        (&["observe", "iostat.txt", "--format", "toml", "--volume", "data=sdc"], "demand.toml"),
    ];
    for (args, file) in make {
        let ran = diskwright_at(files.path(), &[args, &["-o", file]].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{args:?}: {}", ran.stderr);
    }
    files
}

/// Each command, with the argument that is given as `-` the second time.
const READERS: [(&[&str], &str); 17] = [
    (&["simulate", "rig.toml", "job.fio", "-q"], "rig.toml"),
    (&["simulate", "rig.toml", "job.fio", "-q"], "job.fio"),
    (&["simulate", "rig.toml", "demand.toml", "-q", "--explain-job"], "demand.toml"),
    (&["observe", "iostat.txt", "--format", "csv"], "iostat.txt"),
    (&["plan", "requirements.toml"], "requirements.toml"),
    (&["plan", "diff", "plan.json", "plan.json", "--format", "json"], "plan.json"),
    (&["explain", "rig.toml", "--demand", "demand.toml", "--format", "csv"], "rig.toml"),
    (&["explain", "rig.toml", "--demand", "demand.toml", "--format", "csv"], "demand.toml"),
    (&["bench", "rig.toml", "--simulate", "-q", "--runtime", "1s", "--format", "csv"], "rig.toml"),
    (&["bench", "rig.toml", "--simulate", "-q", "--job", "job.fio", "--format", "csv"], "job.fio"),
    (&["verify", "demand.toml", "bench.json", "--format", "csv"], "demand.toml"),
    (&["verify", "demand.toml", "bench.json", "--format", "csv"], "bench.json"),
    (&["provision", "plan.json", "--target", "linux"], "plan.json"),
    (&["convert", "job.fio", "--to", "diskspd"], "job.fio"),
    (&["convert", "job.fio", "--to", "diskspd", "--rig", "rig.toml"], "rig.toml"),
    (&["report", "plan.json", "--format", "markdown", "-q"], "plan.json"),
    (&["report", "requirements.toml", "--format", "markdown", "-q"], "requirements.toml"),
];

#[test]
fn a_dash_is_standard_input_for_every_command() {
    let files = one_of_each();
    for (command, read) in READERS {
        let plain = diskwright_at(files.path(), command);
        let text = std::fs::read_to_string(files.path().join(read)).unwrap();
        // The last of two that are alike.
        let at = command.iter().rposition(|arg| *arg == read).unwrap();
        let mut dashed = command.to_vec();
        dashed[at] = "-";
        let ran = fed(files.path(), &dashed, &text);
        // Results are named as they are given.
        let unnamed = |text: &str| text.replace(read, "FILE").replace("standard input", "FILE");
        assert_eq!(
            (ran.code, unnamed(&ran.stdout)),
            (plain.code, unnamed(&plain.stdout)),
            "{dashed:?}: {}",
            ran.stderr
        );
        assert!(ran.code != 2 && ran.code != 3, "{dashed:?}: {}", ran.stderr);
    }
    // A file that is really called so.
    std::fs::write(files.path().join("-"), RIG).unwrap();
    let ran = fed(files.path(), &["simulate", "./-", "-", "-q"], JOB);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn commands_can_be_piped_into_each_other() {
    let files = one_of_each();
    let observed = diskwright_at(
        files.path(),
        &["observe", "iostat.txt", "--volume", "data=sdc", "--capacity", "data=500GiB", "--format", "toml"],
    );
    assert!(observed.code == 0 && observed.stdout.contains("capacity = \"500 GiB\""), "{}", observed.stderr);
    let planned = fed(files.path(), &["plan", "-", "--format", "json"], &observed.stdout);
    assert_eq!(planned.code, 0, "{}", planned.stderr);
    let rig = fed(files.path(), &["provision", "-", "--target", "rig"], &planned.stdout);
    assert_eq!(rig.code, 0, "{}", rig.stderr);
    let run = fed(files.path(), &["simulate", "-", "demand.toml", "-q", "--explain-job"], &rig.stdout);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let ran = diskwright_at(files.path(), &["observe", "iostat.txt", "--format", "toml", "--capacity", "x=1GiB"]);
    assert!(ran.code == 2 && ran.stderr.contains("unknown volume `x`"), "{}", ran.stderr);
}

/// A recording of ours is known on standard input as it is in a file.
#[cfg(target_os = "linux")]
#[test]
fn a_recording_of_this_machine_comes_by_standard_input() {
    let files = folder(&[]);
    let live = ["observe", "--every", "100ms", "--for", "1s", "-q", "--record", "live.arrows"];
    let ran = diskwright_at(files.path(), &live);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let bytes = std::fs::read(files.path().join("live.arrows")).unwrap();
    let plain = diskwright_at(files.path(), &["observe", "live.arrows", "--format", "csv", "-q"]);
    let ran = fed(files.path(), &["observe", "-", "--format", "csv", "-q"], &bytes);
    let unnamed = |text: &str| text.replace("live.arrows", "FILE").replace("standard input", "FILE");
    assert_eq!((ran.code, unnamed(&ran.stderr)), (plain.code, unnamed(&plain.stderr)));
    assert_eq!(ran.stdout, plain.stdout);
}

#[test]
fn standard_input_is_one_file() {
    let files = folder(&[("rig.toml", RIG)]);
    let twice: [&[&str]; 6] = [
        &["simulate", "-", "-"],
        &["plan", "diff", "-", "-"],
        &["explain", "-", "--demand", "-"],
        &["verify", "-", "-"],
        &["observe", "-", "-"],
        &["bench", "-", "--simulate", "--job", "-"],
    ];
    for args in twice {
        let ran = fed(files.path(), args, RIG);
        assert!(
            ran.code == 2 && ran.stderr.contains("standard input can be read only once"),
            "{args:?}: {}",
            ran.stderr
        );
    }
    std::fs::write(files.path().join("job.fio"), JOB).unwrap();
    let ran = fed(files.path(), &["simulate", "-", "job.fio"], "[vm]\nsize = \"DS99\"\n");
    assert!(ran.code == 3 && ran.stderr.starts_with("error: standard input:"), "{}", ran.stderr);
}

/// `-o`, `--output` and `--format` are understood by every command, and so are the names of before.
#[test]
fn results_go_where_they_are_sent_whatever_the_option_is_called() {
    let files = one_of_each();
    let cases: [(&[&str], &[&str]); 12] = [
        (&["simulate", "rig.toml", "job.fio", "-q", "--format", "csv"], &["-o", "--output"]),
        (&["simulate", "rig.toml", "job.fio", "-q", "--output-format=csv"], &["-o"]),
        (&["observe", "iostat.txt", "--format", "csv"], &["-o", "--output"]),
        (&["plan", "requirements.toml", "--format", "csv"], &["-o", "--output"]),
        (&["plan", "diff", "rig.toml", "rig.toml", "--format", "json"], &["-o", "--output"]),
        (&["explain", "rig.toml", "--demand", "demand.toml", "--format", "csv"], &["-o", "--output"]),
        (&["provision", "plan.json", "--target", "linux"], &["-o", "--output"]),
        (&["convert", "job.fio", "--to", "diskspd"], &["-o", "--output", "--out"]),
        (&["catalogue", "show", "P30", "--format", "json"], &["-o", "--output"]),
        (&["catalogue", "list", "--disks"], &["-o", "--output"]),
        (&["schema", "scenario"], &["-o", "--output"]),
        (&["completions", "fish"], &["-o", "--output"]),
    ];
    for (command, options) in cases {
        let plain = diskwright_at(files.path(), command);
        assert!(plain.code == 0 && !plain.stdout.is_empty(), "{command:?}: {}", plain.stderr);
        for option in options {
            let ran = diskwright_at(files.path(), &[command, &[*option, "result"]].concat());
            assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{command:?} {option}: {}", ran.stderr);
            assert_eq!(std::fs::read_to_string(files.path().join("result")).unwrap(), plain.stdout, "{command:?}");
        }
    }
    for option in ["-o", "--output", "--out"] {
        let place = format!("build{option}");
        let ran = diskwright_at(files.path(), &["provision", "plan.json", option, &place]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        assert!(files.path().join(place).join("README.md").is_file());
    }
    for format in [&["--format", "table"][..], &["--output-format", "normal"]] {
        let plain = diskwright_at(files.path(), &["simulate", "rig.toml", "job.fio", "-q"]).stdout;
        let ran = diskwright_at(files.path(), &[&["simulate", "rig.toml", "job.fio", "-q"], format].concat());
        assert_eq!(ran.stdout, plain, "{format:?}: {}", ran.stderr);
    }
}

/// A file of another kind than the command wants: what it is, and what to run.
#[test]
fn a_file_of_the_wrong_kind_says_what_it_is_and_what_to_run() {
    let files = one_of_each();
    let made: [(&[&str], &str); 4] = [
        (&["simulate", "rig.toml", "job.fio", "-q", "--format", "json"], "run.json"),
        (&["observe", "iostat.txt", "--format", "json"], "checklist.json"),
        (&["plan", "diff", "rig.toml", "rig.toml", "--format", "json"], "diff.json"),
        (&["convert", "job.fio", "--to", "diskspd"], "load.cmd"),
    ];
    for (args, file) in made {
        assert_eq!(diskwright_at(files.path(), &[args, &["-o", file]].concat()).code, 0, "{args:?}");
    }
    let cases: [(&[&str], &str, &str); 24] = [
        (&["plan", "rig.toml"], "rig.toml is a scenario; plan wants requirements", "observe RECORDING --format toml"),
        (&["plan", "iostat.txt"], "iostat.txt is a recording; plan wants requirements", "observe iostat.txt --format"),
        (&["plan", "checklist.json"], "checklist.json is a checklist of", "`diskwright observe ... --format toml`"),
        (&["plan", "plan.json"], "plan.json is a plan; plan wants requirements", "it is already a plan"),
        (&["plan", "job.fio"], "job.fio is a fio job file; plan wants requirements", "observe RECORDING"),
        (&["verify", "rig.toml", "bench.json"], "rig.toml is a scenario; verify wants requirements", "observe"),
        (
            &["verify", "demand.toml", "job.fio"],
            "job.fio is a fio job file; verify wants bench",
            "fio --output-format=json job.fio",
        ),
        (
            &["verify", "demand.toml", "rig.toml"],
            "rig.toml is a scenario; verify wants bench",
            "bench rig.toml --target",
        ),
        (&["explain", "rig.toml", "--demand", "rig.toml"], "rig.toml is a scenario; --demand wants", "observe"),
        (
            &["simulate", "requirements.toml", "job.fio"],
            "requirements.toml holds requirements; simulate wants a scenario",
            "plan requirements.toml --format json",
        ),
        (
            &["simulate", "plan.json", "job.fio"],
            "plan.json is a plan; simulate wants a scenario",
            "provision plan.json --target rig",
        ),
        (
            &["simulate", "job.fio", "rig.toml"],
            "job.fio is a fio job file; simulate wants a scenario",
            "simulate RIG.toml job.fio",
        ),
        (
            &["simulate", "load.cmd", "rig.toml"],
            "load.cmd is a DiskSpd workload; simulate wants",
            "simulate RIG.toml load.cmd",
        ),
        (
            &["simulate", "rig.toml", "rig.toml"],
            "rig.toml is a scenario; simulate wants a load",
            "simulate rig.toml mine.fio",
        ),
        (&["simulate", "rig.toml", "plan.json"], "plan.json is a plan; simulate wants a load", "--target fio"),
        (
            &["simulate", "rig.toml", "iostat.txt"],
            "iostat.txt is a recording; simulate wants a load",
            "observe iostat.txt",
        ),
        (
            &["bench", "requirements.toml", "--simulate"],
            "requirements.toml holds requirements; bench wants",
            "provision plan.json",
        ),
        (&["bench", "rig.toml", "--simulate", "--job", "rig.toml"], "rig.toml is a scenario; --job wants", "mine.fio"),
        (
            &["provision", "bench.json", "--target", "linux"],
            "bench.json is a result of `diskwright bench`; provision wants a plan",
            "--format json > plan.json",
        ),
        (
            &["provision", "demand.toml", "--target", "linux"],
            "demand.toml holds requirements; provision wants a plan",
            "plan demand.toml --format json",
        ),
        (
            &["plan", "diff", "rig.toml", "run.json"],
            "run.json is a result of `diskwright simulate`; plan diff wants",
            "plan.json",
        ),
        (
            &["convert", "requirements.toml", "--to", "fio"],
            "requirements.toml holds requirements; convert wants a load",
            "replays them",
        ),
        (&["observe", "job.fio"], "job.fio is a fio job file; observe wants recordings", "simulate RIG.toml job.fio"),
        (
            &["report", "job.fio"],
            "job.fio is a fio job file; report wants documents",
            "simulate RIG.toml job.fio --format json",
        ),
    ];
    for (args, what, hint) in cases {
        let ran = diskwright_at(files.path(), args);
        let (first, rest) = ran.stderr.split_once('\n').unwrap();
        assert!(first.starts_with(&format!("error: {what}")), "{args:?}: {}", ran.stderr);
        assert!(rest.starts_with("hint: ") && rest.contains(hint), "{args:?}: {}", ran.stderr);
        assert!(matches!(ran.code, 2 | 3) && ran.stdout.is_empty(), "{args:?}: {}", ran.code);
    }
    // What is of the right kind keeps its own message.
    std::fs::write(files.path().join("rig.toml"), RIG.replace("P30", "P31")).unwrap();
    let ran = diskwright_at(files.path(), &["simulate", "rig.toml", "job.fio"]);
    assert!(ran.stderr.starts_with("error: rig.toml:"), "{}", ran.stderr);
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
        command.env("LC_ALL", "C");
        command.args(["simulate", "rig.toml", "job.fio"]).current_dir(folder.path());
        run(command.env_remove("XDG_DATA_HOME").env_remove("DISKWRIGHT_CATALOGUE").env("HOME", home))
    };
    let plain = diskwright_at(folder.path(), &["simulate", "rig.toml", "job.fio"]).stdout;
    for (home, told) in [("nowhere", false), ("file", false), ("loop", true)] {
        let ran = simulate(home);
        assert_eq!((ran.code, &ran.stdout), (0, &plain), "{home}: {}", ran.stderr);
        let note = "loop/.local/share/diskwright/imported.toml cannot be checked";
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
    let cases: [&[&str]; 10] = [
        &["observe", "nowhere.txt"],
        &["observe", "--counter-map", "nowhere.map", "file"],
        &["observe", "--for", "1s", "--out", "."],
        &["simulate", "x.toml", "file"],
        &["emulate", "rig.toml", "--null", "--socket", "nowhere/s"],
        &["emulate", "rig.toml", "--null", "--socket", "s", "--log-throttled", "nowhere/log"],
        &["emulate", "rig.toml", "--null", "--socket", "s", "--pid-file", "nowhere/pid"],
        &["emulate", "rig.toml", "--memory", "--socket", "s", "--log-writes", "nowhere/log"],
        &["bench", "rig.toml", "--target", "data=nowhere/x", "--dir", "file/x"],
        &["ctl", "--socket", "nowhere/s", "status"],
    ];
    for command in cases {
        let ran = diskwright_at(folder.path(), command);
        assert!(ran.code != 0 && !ran.stderr.contains("os error"), "{command:?}: {}", ran.stderr);
    }
}

/// The index of a large cache takes 1.7 GB of addresses where they are free; what is used of it is small.
#[cfg(unix)]
#[test]
fn a_cached_volume_is_simulated_under_a_limit_on_addresses() {
    let rig = "[vm]\nsize = \"Standard_M416s_v2\"\n[[volume]]\nname = \"data\"\nmount = \"/data\"\ndisks = \"16 x P40\"\n\
               host_cache = \"ReadOnly\"\n";
    let folder = folder(&[("rig.toml", rig), ("job.fio", JOB)]);
    let args = ["simulate", "rig.toml", "job.fio", "--format", "csv"];
    let free = diskwright_at(folder.path(), &args);
    let ran = limited_at(folder.path(), 1_500_000, &args);
    assert_eq!((ran.code, &ran.stdout), (0, &free.stdout), "{}", ran.stderr);
}
