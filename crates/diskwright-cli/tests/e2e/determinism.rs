//! The same inputs and seed give the same bytes, on repeated runs and with one thread or two.

use crate::e2e::support::{JOB, RIG, diskwright_at, folder};

/// The output without the timing fields, which alone may differ.
fn untimed(text: &str) -> String {
    let timing = ["\"timestamp\" :", "\"timestamp_ms\" :", "\"time\" :", "\"wall_s\" :"];
    let lines = text.lines().filter(|line| !timing.iter().any(|field| line.trim_start().starts_with(field)));
    lines.collect::<Vec<_>>().join("\n")
}

fn output(args: &[&str]) -> String {
    let rig = RIG.replace("\"P30\"", "\"3 x P30\"\nhost_cache = \"ReadWrite\"");
    let job = format!(
        "{}\n[mixed]\ndirect=1\nioengine=libaio\nfilename=/data/g\nsize=1g\nrw=randrw\nbssplit=4k/50:64k/50\n\
                       random_distribution=zipf:1.2\niodepth=16\nruntime=2\ntime_based\nfsync=32\n",
        JOB.replace("[reads]", "[reads]\nnumjobs=2")
    );
    let folder = folder(&[("rig.toml", &rig), ("job.fio", &job)]);
    let all: Vec<&str> = ["simulate", "rig.toml", "job.fio", "-q"].iter().chain(args).copied().collect();
    let ran = diskwright_at(folder.path(), &all);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout
}

#[test]
fn json_is_the_same_byte_for_byte() {
    let args = ["--output-format", "json+", "--seed", "42"];
    let first = output(&args);
    assert_eq!(untimed(&first), untimed(&output(&args)));
    assert!(first.contains("\"seed\" : 42"));
}

#[test]
fn another_seed_is_another_run() {
    let with = |seed| untimed(&output(&["--output-format", "json", "--seed", seed]));
    assert_ne!(with("1").replace("\"seed\" : 1", ""), with("2").replace("\"seed\" : 2", ""));
}

#[test]
fn threads_change_nothing() {
    let sweep = ["--sweep", "iodepth=1,8", "--seeds", "1..3", "--output-format", "json", "--threads"];
    let with = |threads| untimed(&output(&[&sweep[..], &[threads]].concat()));
    assert_eq!(with("1"), with("2"));
}

#[test]
fn the_whole_document_can_be_fixed() {
    let folder = folder(&[("rig.toml", RIG), ("job.fio", JOB)]);
    let run = || {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_diskwright"));
        command.env("LC_ALL", "C");
        command.args(["simulate", "rig.toml", "job.fio", "-q", "--output-format", "json"]).current_dir(folder.path());
        crate::e2e::support::run(command.env("SOURCE_DATE_EPOCH", "1500000000")).stdout
    };
    let text = run();
    assert!(text.contains("\"timestamp\" : 1500000000,") && text.contains("\"time\" : \"Fri Jul 14 02:40:00 2017\""));
    let wall = |text: &str| text.lines().filter(|l| !l.contains("\"wall_s\"")).collect::<Vec<_>>().join("\n");
    assert_eq!(wall(&text), wall(&run()));
}
