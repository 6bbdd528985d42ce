//! `diskwright top` next to a running emulator.

use std::process::Command;

use crate::emulate::support::{Emulator, RIG, Ran, call, have, run};

fn top(emulator: &Emulator, args: &[&str]) -> Ran {
    let socket = emulator.file("ctl.sock");
    run(Command::new(env!("CARGO_BIN_EXE_diskwright")).arg("top").arg("--socket").arg(socket).args(args))
}

#[test]
fn one_picture_shows_every_limit_and_volume() {
    let emulator = Emulator::start(RIG);
    let picture = top(&emulator, &["--once", "--columns", "80"]).ok();
    for word in ["limit", "consumed", "plain", "cached", "ReadWrite", "host cache"] {
        assert!(picture.contains(word), "no {word} in\n{picture}");
    }
    assert!(picture.lines().all(|line| line.chars().count() <= 80), "{picture}");
}

#[test]
fn it_needs_a_terminal_and_an_emulation() {
    let emulator = Emulator::start(RIG);
    let ran = top(&emulator, &[]);
    assert!(ran.code == 2 && ran.stderr.contains("`--once` prints one snapshot as text"), "{ran:?}");
    emulator.ctl(&["shutdown"]);
    assert_eq!(top(&emulator, &["--once"]).code, 9);
}

#[test]
fn q_ends_it_and_the_terminal_is_as_it_was() {
    if !have(&["script"]) {
        return;
    }
    let emulator = Emulator::start(RIG);
    let program = env!("CARGO_BIN_EXE_diskwright");
    let shown = format!("stty cols 100 rows 30; {program} top --socket {}", emulator.file("ctl.sock").display());
    // script(1) lends it a terminal; q comes after the first picture.
    let ran = call("sh", ["-c", &format!("(sleep 1; printf q) | script -qec '{shown}' /dev/null")]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let (enter, leave) = ("\u{1b}[?1049h", "\u{1b}[?1049l");
    assert!(ran.stdout.contains("plain") && ran.stdout.find(enter) < ran.stdout.rfind(leave), "{ran:?}");
}

/// However it ends, it says so, and gives the terminal back.
#[test]
fn a_signal_and_the_end_of_the_emulation_leave_the_terminal_as_it_was() {
    if !have(&["script"]) {
        return;
    }
    let program = env!("CARGO_BIN_EXE_diskwright");
    for (happens, code, said) in [("kill", 130, ""), ("shutdown", 0, "the emulation has ended")] {
        let emulator = Emulator::start(RIG);
        let socket = emulator.file("ctl.sock");
        let socket = socket.display();
        let then = match happens {
            "kill" => "kill $!".to_string(),
            _ => format!("{program} ctl --socket {socket} shutdown >/dev/null"),
        };
        let shown = format!(
            "stty cols 100 rows 30; before=$(stty -g); {program} top --socket {socket} <&1 & (sleep 1; {then}); wait $!; \
             code=$?; [ \"$before\" = \"$(stty -g)\" ] || echo the terminal is another; exit $code"
        );
        let ran = call("script", ["-qec", &format!("sh -c '{shown}'"), "/dev/null"]);
        assert_eq!(ran.code, code, "{happens}: {ran:?}");
        assert!(ran.stdout.contains(said) && ran.stdout.contains("\u{1b}[?1049l"), "{happens}: {ran:?}");
        assert!(!ran.stdout.contains("the terminal is another"), "{happens}: {ran:?}");
    }
}
