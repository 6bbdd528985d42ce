//! `emulate --detach`: whoever has the command line back may connect at once.

use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::e2e::support::folder;
use crate::emulate::raw::Client;
use crate::emulate::support::{RIG, Ran, run, wait_until};

fn program(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
    command.args(words).current_dir(folder).env("LC_ALL", "C").env_remove("DISKWRIGHT_CONTROL");
    command
}

/// Both outputs are pipes, read to their end: an emulation that kept one open would keep this for ever.
fn emulate(folder: &Path, words: &[&str]) -> Ran {
    run(&mut program(folder, &[&["emulate", "rig.toml", "--detach"], words].concat()))
}

/// Ends it as the words say that it is ended.
fn end(folder: &Path, said: &str) {
    let line = said.lines().find_map(|line| line.strip_prefix("stop       diskwright "));
    let words: Vec<&str> = line.unwrap_or_else(|| panic!("{said}")).split(' ').collect();
    assert_eq!(run(&mut program(folder, &words)).ok(), "everything is durable; the emulation has stopped\n");
}

#[test]
fn every_socket_is_ready_when_it_returns() {
    let folder = folder(&[("rig.toml", RIG)]);
    let at = |name: &str| folder.path().join(name);
    for _ in 0..5 {
        let words = ["--memory", "--socket", "nbd", "--vhost-user", "cached=vhost", "--pid-file", "pid"];
        let ran = emulate(folder.path(), &words);
        let number = std::fs::read_to_string(at("pid")).unwrap_or_else(|e| panic!("{e}: {ran:?}"));
        Client::open(&at("nbd"), "plain").unwrap().pread(0, 4096).unwrap();
        UnixStream::connect(at("vhost")).unwrap();
        let said = ran.ok();
        let expected = format!("process    {number}socket     nbd\nsocket     vhost\ncontrol    nbd.control\n");
        assert!(said.starts_with(&expected), "{said}");
        end(folder.path(), &said);
        wait_until("it has ended", || !at("pid").exists() && !at("nbd").exists());
    }
}

#[test]
fn an_emulation_that_does_not_begin_says_why_and_leaves_nothing() {
    let folder = folder(&[("rig.toml", RIG)]);
    std::fs::write(folder.path().join("bad.toml"), "[vm]\nsize = 7\n").unwrap();
    let running = emulate(folder.path(), &["--dir", "disks", "--socket", "nbd"]);
    let cases: [(&[&str], i32, &str); 6] = [
        (&["--dir", "disks", "--socket", "other"], 3, "is in use by process"),
        (&["--memory", "--socket", "nbd"], 2, "another server listens there"),
        (&["--memory", "--socket", "other", "--metrics", "192.0.2.1:1"], 2, "`--metrics`"),
        (&["--memory", "--socket", "other", "--log-throttled", "bad.toml"], 3, "bad.toml exists"),
        (&["--memory", "--tcp", "127.0.0.1:0"], 2, "it would have no control socket"),
        (&["--memory", "--socket", "other", "--", "true"], 2, "cannot be used with"),
    ];
    for (words, code, why) in cases {
        let ran = emulate(folder.path(), words);
        assert!(ran.code == code && ran.stdout.is_empty(), "{words:?}: {ran:?}");
        assert!(ran.stderr.contains(why), "{words:?}: {}", ran.stderr);
        let left = ["other", "other.control"].map(|name| folder.path().join(name).exists());
        assert_eq!(left, [false; 2], "{words:?}");
    }
    end(folder.path(), &running.ok());
}

/// What it has to say later goes where standard error goes, if that is a file.
#[test]
fn a_file_gets_the_notes_to_the_end() {
    let folder = folder(&[("rig.toml", RIG)]);
    let log = folder.path().join("log");
    let words = ["emulate", "rig.toml", "--detach", "--memory", "--socket", "nbd"];
    let file = std::fs::File::create(&log).unwrap();
    let output = program(folder.path(), &words).stdin(Stdio::null()).stderr(file).output().unwrap();
    assert!(output.status.success());
    end(folder.path(), &String::from_utf8(output.stdout).unwrap());
    wait_until("it has said how it was", || std::fs::read_to_string(&log).unwrap().contains("0 completions for"));
}
