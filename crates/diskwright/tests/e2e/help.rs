//! What `--help` prints.

use crate::support::diskwright;

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
    assert!(ran.stderr.contains("Usage: diskwright <COMMAND>"), "{}", ran.stderr);
}

#[test]
fn every_shell_gets_its_completions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = diskwright(&["completions", shell]);
        assert!(ran.code == 0 && ran.stdout.contains("simulate"), "{shell}");
    }
}
