//! The NBD project's own test client, with the traffic that it recorded from real file systems.

use std::path::PathBuf;

use crate::emulate::support::{Emulator, call};

/// An export of the size that the recordings need.
const RIG: &str = r#"
[vm.cache]
capacity = "1 GiB"
write_back = { dirty_max = "256 MiB" }

[[volume]]
name = "cached"
disks = [{ size = "50 MiB", latency = { read = "20 us", write = "20 us" } }]
host_cache = "ReadWrite"

[[volume]]
name = "plain"
disks = [{ size = "50 MiB", latency = { read = "20 us", write = "20 us" } }]
"#;

/// A file of the tool that `scripts/build-nbd-tester.sh` built, if it did.
fn tool(name: &str) -> Option<String> {
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home)?;
    let file = cache.join("diskwright-test-tools").join(name);
    file.is_file().then(|| file.to_str().expect("a plain path").to_string())
}

/// Servers that the client may lose patience with: it waits some seconds for an answer, which a busy machine may take; one that does
/// not answer loses it every time.
const TRIES: usize = 5;

/// The test client against one export of a new emulator.
#[track_caller]
fn check(export: &str, args: &[&str]) {
    for left in (0..TRIES).rev() {
        let emulator = Emulator::start(RIG);
        let socket = emulator.socket();
        match verdict(args, &["-N", export, "-u", socket.to_str().expect("a plain path")]) {
            Err(said) if left > 0 && said.contains("Timeout reading from socket") => {}
            verdict => return verdict.unwrap_or_else(|said| panic!("{said}")),
        }
    }
}

/// The test client against whatever is there.
#[track_caller]
pub fn check_at(args: &[&str], place: &[&str]) {
    verdict(args, place).unwrap_or_else(|said| panic!("{said}"));
}

/// What it says against it.
fn verdict(args: &[&str], place: &[&str]) -> Result<(), String> {
    let Some(program) = tool("nbd-tester-client") else {
        // Not a lack that a machine can always mend: some package mirrors have no source packages.
        eprintln!(
            "LEFT OUT: nbd-tester-client is not there (scripts/build-nbd-tester.sh builds it from a source folder)"
        );
        return Ok(());
    };
    let trace = |name: &str| tool(name).expect("the recordings lie next to the client");
    let args: Vec<String> =
        args.iter().map(|&arg| if arg.ends_with(".tr") { trace(arg) } else { arg.into() }).collect();
    // It counts its requests aloud: only its end is of interest.
    let ran = call(&program, args.iter().map(String::as_str).chain(place.iter().copied()));
    let last = ran.stderr.lines().rfind(|line| line.contains("Message") || line.contains("WARN")).unwrap_or_default();
    if ran.code == 0 { Ok(()) } else { Err(format!("{args:?} ended with {}: {last}", ran.code)) }
}

#[test]
fn options_are_haggled_over() {
    check("cached", &["-h"]);
}

#[test]
fn oversized_requests_are_borne() {
    check("cached", &["-o"]);
    check("plain", &["-o"]);
}

#[test]
fn everything_is_read_and_written_once() {
    for export in ["cached", "plain"] {
        check(export, &[]);
        check(export, &["-w"]);
    }
    check("cached", &["-w", "-f"]);
}

#[test]
fn recorded_traffic_reads_back_what_it_wrote() {
    for export in ["cached", "plain"] {
        check(export, &["-i", "-t", "integrity-test.tr"]);
        check(export, &["-i", "-t", "integrityhuge-test.tr"]);
    }
}
