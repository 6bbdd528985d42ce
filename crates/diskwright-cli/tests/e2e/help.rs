//! What `--help` prints.

use std::process::{Command, Stdio};

use crate::e2e::support::{diskwright, diskwright_at, folder, root};

#[test]
fn help_of_the_program() {
    insta::assert_snapshot!(diskwright(&["--help"]).stdout);
}

#[test]
fn help_of_simulate() {
    insta::assert_snapshot!(diskwright(&["simulate", "--help"]).stdout);
}

#[test]
fn help_of_convert() {
    insta::assert_snapshot!(diskwright(&["convert", "--help"]).stdout);
}

#[test]
fn without_arguments_the_help_is_on_standard_error() {
    let ran = diskwright(&[]);
    assert_eq!(ran.stdout, "");
    assert!(ran.stderr.contains("Usage: diskwright [OPTIONS] <COMMAND>"), "{}", ran.stderr);
}

#[test]
fn every_shell_gets_its_completions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = diskwright(&["completions", shell]);
        assert!(ran.code == 0 && ran.stdout.contains("simulate"), "{shell}");
    }
}

/// A number, and the commit where there is a repository.
#[test]
fn the_version_says_the_commit() {
    let ran = diskwright(&["--version"]);
    assert_eq!((ran.code, &ran.stdout), (0, &diskwright(&["-V"]).stdout));
    let version = ran.stdout.trim_end().strip_prefix(concat!("diskwright ", env!("CARGO_PKG_VERSION"))).unwrap();
    let is_commit = |text: &str| text.len() == 9 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let commit = match version.strip_prefix(" (").and_then(|rest| rest.strip_suffix(')')) {
        Some(commit) => commit,
        None => return assert_eq!(version, ""),
    };
    assert!(is_commit(commit) && root().join(".git").exists(), "{version}");
}

/// Options, variables, and whether messages are in colour.
type Colour = (&'static [&'static str], &'static [(&'static str, &'static str)], bool);

#[test]
fn messages_are_in_colour_when_it_is_asked_for() {
    let cases: [Colour; 8] = [
        (&[], &[], false),
        (&["--color", "always"], &[], true),
        (&["--color=never"], &[], false),
        (&["--color=auto"], &[("CLICOLOR_FORCE", "1")], true),
        (&[], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        (&["--color", "always"], &[("NO_COLOR", "1")], true),
        (&["--color", "never"], &[("CLICOLOR_FORCE", "1")], false),
        (&["--color", "auto"], &[("NO_COLOR", "1")], false),
    ];
    let run = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
        command.env("LC_ALL", "C");
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        let output = command.args(args).envs(variables.iter().copied()).stdin(Stdio::null()).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    for (asked, variables, in_colour) in cases {
        // A message of ours, one about a place, and one of the parser; the option before the command and after it.
        for command in
            [&["simulate", "nowhere.toml", "nowhere.fio"][..], &["plan", "nowhere.toml"], &["plan", "--nonsense"]]
        {
            for args in [[asked, command].concat(), [command, asked].concat()] {
                let said = run(&args, variables);
                assert!(said.contains("error"), "{said}");
                assert_eq!(said.contains('\x1b'), in_colour, "{args:?} {variables:?}: {said:?}");
            }
        }
    }
    let said = run(&["plan", "nowhere.toml", "--color", "sometimes"], &[]);
    assert!(said.contains("[possible values: auto, always, never]"), "{said}");
}

#[test]
fn every_command_has_its_man_page() {
    let page = diskwright(&["man"]).stdout;
    assert!(page.contains(".TH diskwright 1") && page.contains("simulate"), "{page}");
    let diff = diskwright(&["man", "plan", "diff"]).stdout;
    let version = diskwright(&["-V"]).stdout;
    assert!(diff.contains(&format!("\"{}\"", version.trim_end())), "{version}{diff}");
    assert!(diff.contains(".TH diskwright-plan-diff 1") && diff.contains("Region for prices"), "{diff}");
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("man/man1");
    let ran = diskwright(&["man", "-o", &place.display().to_string()]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for name in ["diskwright", "diskwright-simulate", "diskwright-plan-diff", "diskwright-ctl-crash", "diskwright-init"]
    {
        assert!(place.join(format!("{name}.1")).is_file(), "{name}");
    }
    assert_eq!(std::fs::read_to_string(place.join("diskwright-plan-diff.1")).unwrap(), diff);
    let ran = diskwright(&["man", "plam"]);
    assert!(ran.code == 2 && ran.stderr.contains("unknown command `plam`"), "{}", ran.stderr);
}

#[test]
fn a_file_to_begin_with_is_one_that_works() {
    let folder = folder(&[]);
    let at = |args: &[&str]| diskwright_at(folder.path(), args);
    assert_eq!(at(&["init", "-o", "rig.toml"]).code, 0);
    assert_eq!(at(&["init", "rig"]).stdout, std::fs::read_to_string(folder.path().join("rig.toml")).unwrap());
    assert_eq!(at(&["init", "requirements", "-o", "requirements.toml"]).code, 0);
    assert_eq!(at(&["init", "job", "-o", "reads.fio"]).code, 0);
    assert_eq!(at(&["init", "recording", "-o", "iostat.txt"]).code, 0);
    let commands: [&[&str]; 4] = [
        &["simulate", "rig.toml", "reads.fio"],
        &["plan", "requirements.toml"],
        &["observe", "iostat.txt", "--volume", "data=sdc", "--volume", "log=sdd"],
        &["convert", "reads.fio", "--to", "diskspd", "--rig", "rig.toml"],
    ];
    for command in commands {
        let ran = at(command);
        assert_eq!(ran.code, 0, "{command:?}: {}", ran.stderr);
        assert!(!ran.stdout.contains("no effect"), "{}", ran.stdout);
    }
    let ran = at(&["init", "requirements", "-o", "rig.toml"]);
    assert!(ran.code == 2 && ran.stderr.starts_with("error: rig.toml already exists"), "{}", ran.stderr);
    assert!(std::fs::read_to_string(folder.path().join("rig.toml")).unwrap().contains("[vm]"));
    assert_eq!(at(&["init", "requirements", "-o", "rig.toml", "--force"]).code, 0);
    assert!(std::fs::read_to_string(folder.path().join("rig.toml")).unwrap().contains("[plan]"));
}

#[test]
fn help_of_completions() {
    insta::assert_snapshot!(diskwright(&["completions", "--help"]).stdout);
}

#[test]
fn help_of_init() {
    insta::assert_snapshot!(diskwright(&["init", "--help"]).stdout);
}
