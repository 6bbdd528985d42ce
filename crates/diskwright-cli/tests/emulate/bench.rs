//! `diskwright bench` with the real fio: the whole procedure, and everything that goes wrong with it.
//!
//! Needs fio with its nbd engine; what needs more says so.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::emulate::support::{Ran, call, have, root, run, wait_until};

/// Small and quick: 500 IOPS uncached, twice as many from the cache.
const RIG: &str = r#"
[vm]
uncached = { iops = 500, throughput = "100 MB/s" }
cached = { iops = 1000, throughput = "200 MB/s" }
[vm.cache]
capacity = "1 GiB"

[[volume]]
name = "log"
disks = [{ size = "64 MiB", latency = { read = "1 ms", write = "1 ms" } }]

[[volume]]
name = "data"
disks = [{ size = "64 MiB", latency = { read = "1 ms", write = "1 ms" } }]
host_cache = "ReadOnly"
"#;

const QUICK: [&str; 4] = ["--file-size", "16MiB", "--runtime", "1s"];

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        std::fs::write(place.path("rig.toml"), RIG).unwrap();
        place
    }

    /// With a job of its own, `one.fio`.
    fn with_one_job() -> Place {
        let place = Place::new();
        let job = "[one]\nfilename=/dev/log\nrw=randread\nbs=4k\nsize=1m\nruntime=1\ntime_based\n";
        std::fs::write(place.path("one.fio"), job).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
        command.env("LC_ALL", "C");
        command.args(["bench", "rig.toml"]).args(args).current_dir(self.0.path());
        // In virtual time there is no state to keep.
        if !args.contains(&"--simulate") {
            command.args(["--dir", "state"]);
        }
        command
    }

    fn bench(&self, args: &[&str]) -> Ran {
        run(&mut self.command(args))
    }

    fn start(&self, args: &[&str]) -> Child {
        let quiet = |stream| std::fs::File::create(self.path(stream)).unwrap();
        let mut command = self.command(args);
        command.stdin(Stdio::null()).stdout(quiet("out")).stderr(quiet("err")).spawn().unwrap()
    }

    fn state(&self) -> Value {
        let text = std::fs::read_to_string(self.path("state/bench.json")).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or(Value::Null)
    }

    /// A program in place of fio, that says it is one and then does this.
    fn fio(&self, script: &str) -> String {
        let path = self.path("other-fio");
        let text = format!("#!/bin/sh\ncase \"$1\" in --version|--enghelp) exec fio \"$@\";; esac\n{script}\n");
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path.display().to_string()
    }
}

/// By the schema that is published.
#[track_caller]
fn valid(schema: &str, document: &Value) {
    let text = std::fs::read_to_string(root().join(format!("schemas/{schema}.schema.json"))).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<String> = validator.iter_errors(document).map(|e| e.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?}");
}

fn states(document: &Value) -> Vec<&str> {
    document["scenarios"].as_array().unwrap().iter().map(|s| s["state"].as_str().unwrap()).collect()
}

#[test]
fn the_procedure_runs_on_the_emulated_rig_and_is_not_done_twice() {
    if !have(&["fio"]) {
        return;
    }
    let place = Place::new();
    let args = [&["--emulate", "--format", "json", "--require", "max-read-iops=900"], &QUICK[..]].concat();
    let document: Value = serde_json::from_str(&place.bench(&args).ok()).unwrap();
    valid("bench", &document);
    assert_eq!(states(&document), ["done"; 6]);
    let steps: Vec<String> = document["preparation"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| format!("{} {}", s["name"].as_str().unwrap(), s["volume"].as_str().unwrap()))
        .collect();
    assert_eq!(steps, ["initialise log", "initialise data", "warm up data"]);
    let rows = document["rows"].as_array().unwrap();
    let read = rows.iter().find(|r| r["scenario"] == "max-read-iops").unwrap();
    assert_eq!((&read["required"], &read["limit"]), (&900.0.into(), &"vm cached IOPS".into()));
    assert!(read["measured"].as_f64().unwrap() > 0.0 && read["difference_percent"].is_number(), "{read}");
    // The simulator reads a warm cache: the limit is the cached one.
    assert!((990.0..1_010.0).contains(&read["predicted"].as_f64().unwrap()), "{read}");
    // A finished benchmark is shown again, and nothing is run.
    let none = place.fio("exit 7");
    let again = [&args[..], &["--fio", &none]].concat();
    let shown: Value = serde_json::from_str(&place.bench(&again).ok()).unwrap();
    assert_eq!(shown["rows"], document["rows"]);
    // Another one does not take its place by accident.
    let other = place.bench(&["--emulate", "--suite", "queue-depth"]);
    assert_eq!(other.code, 2, "{}", other.stderr);
    assert!(other.stderr.contains("holds the results of another benchmark"), "{}", other.stderr);
}

/// The emulator is a process of its own, and reads what came by standard input, too.
#[test]
fn a_scenario_by_standard_input_is_emulated() {
    if !have(&["fio"]) {
        return;
    }
    let place = Place::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
    command.env("LC_ALL", "C");
    command.args(["bench", "-", "--emulate", "--format", "json", "--volume", "log", "--suite", "block-size"]);
    command.args(QUICK).current_dir(place.0.path()).env("DISKWRIGHT_CATALOGUE", "none");
    let rig = std::fs::File::open(place.path("rig.toml")).unwrap();
    let output = command.stdin(rig).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
    assert_eq!(document["rig"]["file"], "standard input");
    assert!(states(&document).iter().all(|state| *state == "done"), "{document}");
}

#[test]
fn an_interrupted_benchmark_goes_on_where_it_stopped() {
    if !have(&["fio"]) {
        return;
    }
    let place = Place::new();
    let args = [&["--emulate"], &QUICK[..]].concat();
    let mut child = place.start(&args);
    wait_until("the first scenario is finished", || {
        let state = place.state();
        state.is_object() && states(&state)[0] == "done"
    });
    call("kill", ["-INT", &child.id().to_string()]).ok();
    let code = child.wait().unwrap().code();
    let said = std::fs::read_to_string(place.path("err")).unwrap();
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("repeat the command to resume"), "{said}");
    let first = place.state();
    assert_eq!(first["partial"], true);
    assert!(std::fs::read_to_string(place.path("out")).unwrap().contains("not finished"));
    place.bench(&args).ok();
    let second = place.state();
    assert_eq!((&second["partial"], &second["metadata"]["resumed"]), (&false.into(), &1.into()));
    assert_eq!(states(&second), ["done"; 6]);
    assert_eq!(second["scenarios"][0]["measured"], first["scenarios"][0]["measured"]);
}

#[test]
fn no_fio_an_old_one_and_one_that_is_none_are_told_apart() {
    let place = Place::new();
    let old = place.path("old");
    std::fs::write(&old, "#!/bin/sh\necho fio-2.21\n").unwrap();
    std::fs::set_permissions(&old, std::fs::Permissions::from_mode(0o755)).unwrap();
    for (fio, what) in [
        ("/does/not/exist", "fio is not installed"),
        (old.to_str().unwrap(), "is fio-2.21, and fio-3.5 or later is needed"),
        ("/bin/true", "it reports version `true"),
    ] {
        let ran = place.bench(&["--emulate", "--fio", fio]);
        assert_eq!(ran.code, 11, "{fio}: {}", ran.stderr);
        assert!(ran.stderr.contains(what) && ran.stderr.contains("hint: "), "{fio}: {}", ran.stderr);
    }
    // On PATH, too.
    let ran = run(place.command(&["--emulate"]).env("PATH", "/nowhere"));
    assert!(ran.code == 11 && ran.stderr.contains("apt-get install fio"), "{}", ran.stderr);
}

#[test]
fn a_killed_fio_is_told_and_what_was_finished_is_kept() {
    if !have(&["fio"]) {
        return;
    }
    let place = Place::new();
    let fio = place.fio("case \"$*\" in *max-write-iops*) kill -9 $$;; esac\nexec fio \"$@\"");
    let ran = place.bench(&[&["--emulate", "--fio", &fio], &QUICK[..]].concat());
    assert_eq!(ran.code, 12, "{}", ran.stderr);
    assert!(ran.stderr.contains("fio was killed by signal 9"), "{}", ran.stderr);
    assert_eq!(states(&place.state())[..3], ["done", "failed", "planned"]);
    assert!(ran.stdout.contains("max-write-iops: failed: fio was killed"), "{}", ran.stdout);
    place.bench(&[&["--emulate"], &QUICK[..]].concat()).ok();
    assert_eq!(states(&place.state()), ["done"; 6]);
}

#[test]
fn a_target_that_vanishes_is_told() {
    if !have(&["fio"]) {
        return;
    }
    let place = Place::new();
    let mut child = place.start(&["--emulate", "--file-size", "16MiB", "--runtime", "60s"]);
    wait_until("a scenario runs", || place.path("state/max-read-iops.fio").exists());
    let children = std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", child.id())).unwrap();
    let is_emulator = |pid: &&str| {
        std::fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line.windows(7).any(|part| part == b"emulate"))
    };
    let emulator = children.split_whitespace().find(is_emulator).expect("an emulator runs");
    call("kill", ["-KILL", emulator]).ok();
    let code = child.wait().unwrap().code();
    let said = std::fs::read_to_string(place.path("err")).unwrap();
    assert_eq!(code, Some(12), "{said}");
    assert!(said.contains("the emulator stopped while fio was using it"), "{said}");
    assert_eq!(states(&place.state())[0], "failed");
}

#[test]
fn files_of_ones_own_are_filled_measured_and_used_again() {
    if !have(&["fio"]) {
        return;
    }
    let place = Place::new();
    let target = format!("data={}", place.0.path().display());
    let args = [&["--suite", "block-size", "--volume", "data", "--target", &target], &QUICK[..]].concat();
    let mut child = place.start(&args);
    wait_until("the file is filled", || {
        place.state()["preparation"].as_array().is_some_and(|steps| steps[0]["state"] == "done")
    });
    call("kill", ["-INT", &child.id().to_string()]).ok();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let file = place.path("data.diskwright-bench");
    assert_eq!(file.metadata().unwrap().len(), 16 << 20);
    let before = place.state()["preparation"][0].clone();
    // Its own file is no stranger to it, and is not filled again.
    place.bench(&args).ok();
    let state = place.state();
    assert_eq!(state["preparation"][0], before);
    assert!(states(&state).iter().all(|s| *s == "done"));
    let findings = state["findings"].as_array().unwrap();
    assert!(findings.iter().any(|f| f["kind"] == "crossover" && f["from"] == "measured"), "{findings:?}");
    assert_eq!(state["targets"][0]["facts"]["kind"], "file");
    assert!(state["machine"]["kernel"].is_string() && state["targets"][0]["facts"]["file_system"].is_string());
}

#[test]
fn a_file_that_vanishes_meanwhile_is_no_file_that_fio_makes_anew() {
    if !have(&["fio"]) {
        return;
    }
    let place = Place::new();
    std::fs::create_dir(place.path("disk")).unwrap();
    let file = place.path("disk/file");
    let target = format!("data={}", file.display());
    let args = [&["--suite", "queue-depth", "--volume", "data", "--target", &target], &QUICK[..]].concat();
    let mut child = place.start(&args);
    wait_until("the first scenario is finished", || {
        let state = place.state();
        state.is_object() && states(&state)[0] == "done"
    });
    // As when its disk goes: fio alone would make the folder and the file again, on the disk below.
    std::fs::rename(place.path("disk"), place.path("gone")).unwrap();
    let code = child.wait().unwrap().code();
    let said = std::fs::read_to_string(place.path("err")).unwrap();
    assert_eq!(code, Some(12), "{said}");
    assert!(said.contains("the target disappeared") && said.contains("repeat the command to resume"), "{said}");
    let first = place.state();
    assert!(first["partial"] == true && states(&first).contains(&"failed"), "{said}");
    // Back again, empty: it is filled again, and what is finished is kept.
    let _ = std::fs::remove_dir_all(place.path("disk"));
    std::fs::create_dir(place.path("disk")).unwrap();
    place.bench(&args).ok();
    let second = place.state();
    assert!(states(&second).iter().all(|s| *s == "done") && file.metadata().unwrap().len() == 16 << 20);
    assert_eq!(second["scenarios"][0]["measured"], first["scenarios"][0]["measured"]);
    assert_ne!(second["preparation"][0]["seconds"], first["preparation"][0]["seconds"]);
}

#[test]
fn what_holds_data_is_not_written() {
    if !have(&["fio", "mkfs.ext4"]) {
        return;
    }
    let place = Place::new();
    let image = place.path("image");
    std::fs::File::create(&image).unwrap().set_len(64 << 20).unwrap();
    call("mkfs.ext4", ["-q", "-F", image.to_str().unwrap()]).ok();
    let before = std::fs::read(&image).unwrap();
    let target = format!("log={}", image.display());
    let args = [&["--suite", "queue-depth", "--volume", "log", "--target", &target], &QUICK[..]].concat();
    let check = |more: &[&str], code: i32, what: &str| {
        let ran = place.bench(&[&args[..], more].concat());
        assert_eq!(ran.code, code, "{}", ran.stderr);
        assert!(ran.stderr.contains(what), "{}", ran.stderr);
    };
    check(&[], 13, "this file exists and was not written by this benchmark");
    check(&["--destroy", "/somewhere/else"], 13, "--destroy");
    assert!(std::fs::read(&image).unwrap() == before, "nothing was written");
    on_a_device(&image, &|device| {
        let target = format!("log={device}");
        let ran =
            place.bench(&["--suite", "queue-depth", "--volume", "log", "--target", &target, "--file-size", "16MiB"]);
        assert_eq!(ran.code, 13, "{}", ran.stderr);
        assert!(ran.stderr.contains("it holds an ext2, ext3 or ext4 filesystem"), "{}", ran.stderr);
        assert!(ran.stderr.contains(&format!("--destroy {device}")), "{}", ran.stderr);
    });
    assert!(std::fs::read(&image).unwrap() == before, "nothing was written");
    let image = image.display().to_string();
    place.bench(&[&args[..], &["--destroy", &image, "--rw", "randwrite"]].concat()).ok();
}

/// With a block device of a file, where this machine lets us have one.
fn on_a_device(image: &Path, with: &dyn Fn(&str)) {
    let loop_device = call("losetup", ["--find", "--show", image.to_str().unwrap()]);
    if loop_device.code != 0 {
        eprintln!("no loop device here: {}", loop_device.stderr.trim());
        return;
    }
    let device = loop_device.stdout.trim().to_string();
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| with(&device)));
    call("losetup", ["--detach", &device]).ok();
    if let Err(panic) = done {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn a_full_disk_is_told() {
    if !have(&["fio", "unshare"]) {
        return;
    }
    let place = Place::new();
    let small = place.path("small");
    std::fs::create_dir(&small).unwrap();
    // There is room when it begins, and none any more when fio writes.
    let fio = place.fio(&format!("head -c 20M /dev/zero > {}/filler\nexec fio \"$@\"", small.display()));
    // What cannot fit is refused before anything is written; what could fits no more when somebody else was quicker.
    let script = format!(
        "mount -t tmpfs -o size=24m small {small} || exit 1
         bench() {{ {program} bench rig.toml --suite queue-depth --volume log --target log={small} --runtime 1s --fio {fio} $*; }}
         bench --dir other --file-size 64MiB
         echo first: $?
         bench --dir state --file-size 16MiB",
        small = small.display(),
        program = env!("CARGO_BIN_EXE_diskwright"),
    );
    let mut command = Command::new("unshare");
    command.args(["--mount", "--map-root-user", "sh", "-c", &script]).current_dir(place.0.path());
    let ran = run(&mut command);
    assert_eq!(ran.code, 12, "{}", ran.stderr);
    assert!(ran.stderr.contains("the disk is full"), "{}", ran.stderr);
    assert_eq!(place.state()["preparation"][0]["state"], "failed");
    assert!(ran.stdout.contains("first: 12"), "{}", ran.stdout);
    assert!(ran.stderr.contains("the test file is 64 MiB, but only 24 MiB is free"), "{}", ran.stderr);
}

#[test]
fn several_hosts_run_it_through_fios_own_servers() {
    if !have(&["fio"]) {
        return;
    }
    let place = Place::new();
    let socket = place.path("fio.sock");
    let mut server = Command::new("fio")
        .arg(format!("--server=sock:{}", socket.display()))
        .current_dir(place.0.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("fio serves", || socket.exists());
    let there = place.path("there").display().to_string();
    let (target, client) = (format!("log={there}"), format!("sock:{}", socket.display()));
    let args =
        [&["--suite", "queue-depth", "--volume", "log", "--target", &target, "--client", &client], &QUICK[..]].concat();
    let refused = place.bench(&args);
    let done = place.bench(&[&args[..], &["--destroy", &there]].concat());
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(refused.code, 13, "{}", refused.stderr);
    assert!(refused.stderr.contains("is on another host"), "{}", refused.stderr);
    done.ok();
    let state = place.state();
    assert!(states(&state).iter().all(|s| *s == "done"));
    assert!(state["scenarios"][0]["measured"][0]["iops"].as_f64().unwrap() > 0.0);
}

const REQUIREMENTS: &str = r#"
schema_version = 1
[[volume]]
name = "log"
read_iops = { p50 = 50.0, p90 = 100.0, p99 = 5000.0, max = 5000.0 }
"#;

#[test]
fn a_checklist_is_verified_on_what_was_measured() {
    if !have(&["fio"]) {
        return;
    }
    let place = Place::new();
    std::fs::write(place.path("req.toml"), REQUIREMENTS).unwrap();
    let ran = place.bench(&[&["--emulate", "--suite", "checklist", "--requirements", "req.toml"], &QUICK[..]].concat());
    assert_eq!(ran.code, 5, "5,000 IOPS are not there: {}", ran.stderr);
    let diskwright =
        |args: &[&str]| run(Command::new(env!("CARGO_BIN_EXE_diskwright")).args(args).current_dir(place.0.path()));
    let ran = diskwright(&["verify", "req.toml", "state/bench.json", "--format", "json"]);
    // The disk gives 500, whatever the machine does: 5,000 are out of reach.
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    valid("verify", &document);
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4);
    assert_eq!((&rows[2]["verdict"], &rows[2]["scenario"]), (&"not_met".into(), &"demand-p99".into()));
    assert!(rows.iter().all(|row| row["cause"]["kind"].is_string()), "{rows:?}");
    for format in ["table", "markdown", "csv"] {
        let shown = diskwright(&["verify", "req.toml", "state/bench.json", "--format", format]).stdout;
        assert_eq!(shown.lines().filter(|l| l.contains("log")).count(), 4, "{shown}");
    }
    let wrong = diskwright(&["verify", "req.toml", "rig.toml"]);
    assert!(
        wrong.code == 3 && wrong.stderr.contains("rig.toml is a scenario; verify wants benchmark results"),
        "{}",
        wrong.stderr
    );
    let sources = diskwright(&["calibrate", "state/bench.json", "--name", "x", "--volume", "data"]);
    assert!(sources.code == 3 && sources.stderr.contains("has a host cache"), "{}", sources.stderr);
}

/// Quantiles of a medium's latency in nanoseconds, as fio names them. A benchmark of the real emulator says how even the machine
/// is; this says the same each time.
const TRUTH: [(&str, f64); 4] = [("50.000000", 10e6), ("90.000000", 12e6), ("99.000000", 15e6), ("99.990000", 18e6)];
/// The largest of them, and their mean.
const TRUTH_MAX: f64 = 20e6;
const TRUTH_MEAN: f64 = 10.4e6;

/// The document of a benchmark, as if the medium were as [`TRUTH`] says wherever no limit holds it: so many times as slow at
/// depth 1, as it is at the others.
fn as_measured(document: &Value, slower_at_1: f64) -> Value {
    let mut document = document.clone();
    let free = |s: &&mut Value| s["binding"].as_array().unwrap().iter().all(|b| b["limit"].is_null());
    let mut depths = Vec::new();
    for scenario in document["scenarios"].as_array_mut().unwrap().iter_mut().filter(free) {
        let depth = scenario["point"]["value"].as_f64().unwrap();
        let slower = if depth == 1.0 { slower_at_1 } else { 1.0 };
        let (mean, max) = (TRUTH_MEAN * slower, TRUTH_MAX * slower);
        let at = |percent: &str| TRUTH.iter().find(|(p, _)| *p == percent).unwrap().1 * slower;
        for share in scenario["measured"].as_array_mut().unwrap() {
            share["iops"] = (depth * 1e9 / mean).into();
            let latency = share["latency_ns"].as_object_mut().unwrap();
            for (key, ns) in [("mean", mean), ("p50", at("50.000000")), ("p99", at("99.000000")), ("max", max)] {
                assert!(
                    latency.insert(key.into(), if key == "mean" { ns.into() } else { (ns as u64).into() }).is_some()
                );
            }
        }
        let printed = &mut scenario["fio"]["jobs"][0]["read"]["clat_ns"];
        assert!(printed.is_object(), "fio printed latencies of reads");
        printed["max"] = max.into();
        printed["percentile"] =
            TRUTH.iter().map(|(percent, ns)| (percent.to_string(), Value::from(ns * slower))).collect();
        depths.push(depth);
    }
    assert_eq!(depths[..2], [1.0, 2.0], "125 and 250 I/Os per second are below the limit");
    document
}

#[test]
fn a_latency_model_is_fitted_saved_and_used_by_a_rig() {
    if !have(&["fio"]) {
        return;
    }
    let place = Place::new();
    let measure = || {
        place
            .bench(&[&["--emulate", "--fresh", "--suite", "queue-depth", "--volume", "log"], &QUICK[..]].concat())
            .ok();
    };
    let diskwright =
        |args: &[&str]| run(Command::new(env!("CARGO_BIN_EXE_diskwright")).args(args).current_dir(place.0.path()));
    let calibrate = |result: &str, save: &str| {
        let args = ["--volume", "log", "--name", "here", "--format", "json", "--save", save];
        diskwright(&[&["calibrate", result], &args[..]].concat())
    };
    measure();
    let few = calibrate("state/bench.json", "few.toml");
    // One deep is below 500 IOPS only where the medium is slow: with 1 ms every depth is held by the limit.
    assert!(
        few.code == 3 && few.stderr.contains("at least two of one direction are needed"),
        "{}{}",
        few.stdout,
        few.stderr
    );
    let slow = RIG.replace("1 ms", "8 ms");
    std::fs::write(place.path("rig.toml"), &slow).unwrap();
    measure();
    // What the machine really did is fitted, however uneven it was; whether that is better, the document and the exit agree on.
    let (code, document) = {
        let ran = calibrate("state/bench.json", "real.toml");
        assert!([0, 15].contains(&ran.code) || ran.stderr.contains("it waits: with fewer requests"), "{}", ran.stderr);
        (ran.code, serde_json::from_str::<Value>(&ran.stdout).ok())
    };
    if let Some(document) = document {
        valid("calibration", &document);
        let error = |when: &str| document[format!("error_{when}_percent")].as_f64().unwrap();
        let better = error("after") <= error("before");
        assert_eq!((code == 0, place.path("real.toml").exists()), (better, better), "{document}");
    }
    // What a known medium would have shown is fitted, is better, and is saved.
    let write = |name: &str, slower_at_1: f64| {
        let document = as_measured(&place.state(), slower_at_1);
        std::fs::write(place.path(name), document.to_string()).unwrap();
    };
    write("known.json", 1.0);
    let document: Value = serde_json::from_str(&calibrate("known.json", "here.toml").ok()).unwrap();
    valid("calibration", &document);
    assert_eq!(document["read_p50_us"], 10_000, "{document}");
    let (before, after) = (&document["error_before_percent"], &document["error_after_percent"]);
    assert!(before.as_f64().unwrap() > 20.0 && after.as_f64().unwrap() < 5.0, "{document}");
    // Fitted to a depth that something else kept twenty times as slow, it is worse, and is not.
    write("busy.json", 20.0);
    let worse = calibrate("busy.json", "busy.toml");
    assert!(worse.code == 15 && worse.stderr.contains("busy.toml was not written"), "{}{}", worse.stdout, worse.stderr);
    assert!(!place.path("busy.toml").exists());
    // A rig takes it by its name; one of 20 ms gives 50 IOPS at depth 1.
    let model = "quantiles = [500000, 1000000]\n[[model]]\nname = \"here\"\nread_us = [20000, 20000]\n\
                 grade = \"A\"\nreason = \"r\"\nsource = \"s\"\n";
    let with = slow.replace("read = \"8 ms\"", "read = \"here\"");
    std::fs::write(place.path("rig.toml"), format!("latency_models = [\"here.toml\"]\n{with}")).unwrap();
    let depth_1 = || {
        let ran = place.bench(&[
            "--simulate",
            "--suite",
            "queue-depth",
            "--volume",
            "log",
            "--runtime",
            "2s",
            "--format",
            "json",
        ]);
        let document: Value = serde_json::from_str(&ran.ok()).unwrap();
        document["rows"][0]["predicted"].as_f64().unwrap()
    };
    // First the fitted one, as it was saved.
    let expected = 1e9 / TRUTH_MEAN;
    assert!((0.97..1.03).contains(&(depth_1() / expected)), "{} instead of {expected}", depth_1());
    std::fs::write(place.path("here.toml"), model).unwrap();
    assert!((49.0..=50.5).contains(&depth_1()), "{}", depth_1());
    std::fs::write(place.path("here.toml"), "nonsense").unwrap();
    let wrong = place.bench(&["--simulate"]);
    assert!(wrong.code == 3 && wrong.stderr.contains("here.toml"), "{}", wrong.stderr);
}

/// A gate that asks for a rate learns from the exit code that it was not reached.
#[test]
fn what_is_required_and_not_reached_is_an_exit_code() {
    let place = Place::new();
    for (required, code) in [("900", 0), ("90000", 5)] {
        let require = format!("max-read-iops={required}");
        let ran = place.bench(&[&["--simulate", "--require", &require], &QUICK[..]].concat());
        assert_eq!(ran.code, code, "{required}: {ran:?}");
        assert!(ran.stdout.contains("max-read-iops"), "{ran:?}");
        assert_eq!(ran.stderr.contains("required rate not reached: max-read-iops"), code == 5, "{ran:?}");
    }
}

/// The second run has the figures of the first, and says so; with `--fresh` it measures again, on the file that it made.
#[test]
fn a_finished_benchmark_says_that_it_measures_nothing() {
    if !have(&["fio"]) {
        return;
    }
    let place = Place::with_one_job();
    std::fs::create_dir(place.path("target")).unwrap();
    let words =
        |more: &[&'static str]| [&["--job", "one.fio", "--target", "log=target", "--file-size", "1MiB"], more].concat();
    let measured = |ran: &Ran| !ran.stderr.contains("nothing was measured");
    for (more, measures) in [(&[][..], true), (&[], false), (&["--fresh"], true)] {
        let ran = place.bench(&words(more));
        assert!(ran.code == 0 && measured(&ran) == measures, "{more:?}: {ran:?}");
        assert_eq!(ran.stderr.contains("`--fresh` measures again"), !measures, "{more:?}: {ran:?}");
    }
}

/// The folder of a benchmark is its own: no other one's at the same time, and nobody's files.
#[test]
fn a_folder_of_somebody_else_is_left_alone() {
    if !have(&["fio"]) {
        return;
    }
    let place = Place::with_one_job();
    for name in ["target", "state"] {
        std::fs::create_dir(place.path(name)).unwrap();
    }
    let words = ["--job", "one.fio", "--target", "log=target", "--file-size", "1MiB"];
    let precious = place.path("state/one.fio");
    std::fs::write(&precious, "precious").unwrap();
    let ran = place.bench(&words);
    assert!(ran.code == 13 && ran.stderr.contains("without a benchmark's state next to it"), "{ran:?}");
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "precious");
    std::fs::remove_file(&precious).unwrap();
    let folder = std::fs::File::open(place.path("state")).unwrap();
    rustix::fs::flock(&folder, rustix::fs::FlockOperation::LockExclusive).unwrap();
    let ran = place.bench(&words);
    assert!(ran.code == 13 && ran.stderr.contains("another running benchmark"), "{ran:?}");
    drop(folder);
    std::os::unix::fs::symlink("nothing", place.path("link")).unwrap();
    let ran = place.bench(&["--job", "one.fio", "--target", "log=link", "--file-size", "1MiB"]);
    assert!(ran.code == 3 && ran.stderr.contains("is a broken link"), "{ran:?}");
    assert!(place.path("link").is_symlink());
}
