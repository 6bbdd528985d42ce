//! A database's load recorded on a fast disk, predicted for another one, rehearsed there, compared.
//!
//! What is comparable: a load at a fixed rate asks the same of any disk that keeps up, so its IOPS and the disk's latency are to be as
//! predicted. Flat out, a load on the fast disk asks more than the slow one gives, and the slow one gives its limit: its rate and
//! which limit it is are to be as predicted, not the requests of a client that waits for each. With credits, the second in which
//! they run out.
//!
//! A machine that kept the emulator waiting spoils a try; see [`TRIES`].

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::Value;

use super::mounted::{Mounted, possible};
use super::server::{Kind, Server};
use crate::emulate::support::{call, run, tries, undecided, wait_until};

/// Nothing to wait for but 300 µs.
const FAST: &str = "[vm]\n[[volume]]\nname = \"data\"\n\
                    disks = [{ size = \"4 GiB\", latency = { read = \"300 us\", write = \"300 us\" } }]\n";
const P30: &str = "[vm]\nsize = \"Standard_E4ds_v5\"\n[[volume]]\nname = \"data\"\ndisks = \"P30\"\n";
/// The same behind a host cache for reads.
const CACHED: &str =
    "[vm]\nsize = \"Standard_E4ds_v5\"\n[[volume]]\nname = \"data\"\ndisks = \"P30\"\nhost_cache = \"ReadOnly\"\n";
/// A small disk without credits: 120 IOPS.
const P4: &str =
    "[vm]\nsize = \"Standard_E4ds_v5\"\n[[volume]]\nname = \"data\"\ndisks = \"P4\"\n[start]\ncredits = \"empty\"\n";
/// A P4 scaled down: 50 IOPS, and 690 credits above that.
const BURST: &str = "[vm]\nsize = \"Standard_E4ds_v5\"\n[[volume]]\nname = \"data\"\n\
                     disks = [{ sku = \"P4\", limits = { iops = 50, burst_iops = 3500, burst_for = \"200 ms\" } }]\n";

/// Of each comparison: where it agrees in one of them it agrees, as a stall spoils a try and not a model.
const TRIES: usize = 3;
/// Rates may differ by this much.
const RATES: f64 = 0.05;
/// The disk's median latency may, over some thousand draws.
const LATENCY: f64 = 0.1;
/// A limit that carries so much of what it gives is the bottleneck, as `explain` has it.
const REACHED: f64 = 0.95;

/// Transactions a second of pgbench: one client keeps up with that on a P30, whose requests take two to three milliseconds.
const RATE: u32 = 50;

/// A load: clients, transactions a second.
#[derive(Clone, Copy, PartialEq)]
struct Load {
    kind: Kind,
    clients: u32,
    rate: Option<u32>,
}

/// Of a load, in s.
const LENGTH: u64 = 10;
/// Before it, with other rows.
const WARM: u64 = 2;
/// A replay draws when each request comes: so many seeds on average.
const SEEDS: &str = "1..16";

/// What a load asks of the fast disk, as requirements in a file of this folder: recorded once for all tests, and once more by a test
/// that tries again.
fn recorded(load: Load, number: usize, folder: &Path) {
    static FIRST: Mutex<Vec<(Load, String)>> = Mutex::new(Vec::new());
    let mut first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
    let file = folder.join("requirements.toml");
    if let Some((_, text)) = first.iter().find(|(of, _)| number == 0 && *of == load) {
        return std::fs::write(file, text).expect("room");
    }
    record(load, folder);
    first.push((load, std::fs::read_to_string(file).expect("it was recorded")));
}

/// Records a load on the fast disk, from before it begins until after its end.
fn record(load: Load, folder: &Path) {
    trace_events();
    let mounted = Mounted::start(FAST, load.kind);
    let server = Server::start(load.kind, &mounted.dir("data"), &[]);
    run(&mut server.load(load.clients, load.rate, WARM, 1));
    let length = format!("{}s", LENGTH + 3);
    let volume = format!("data={}", mounted.device("data"));
    let args = ["observe", "--quiet", "--every", "1s", "--for", &length, "--trace", &length, "--volume", &volume];
    let more = ["--capacity", "data=4GiB", "--format", "toml", "--output", "requirements.toml"];
    let mut observe = Command::new(env!("CARGO_BIN_EXE_diskwright"));
    observe.args(args).args(more).current_dir(folder).env("LC_ALL", "C").stdin(Stdio::null()).stdout(Stdio::null());
    let mut observe = observe.spawn().expect("a recorder");
    std::thread::sleep(Duration::from_secs(1));
    run(&mut server.load(load.clients, load.rate, LENGTH, 2));
    assert!(observe.wait().expect("it ends").success(), "the recorder");
    server.stop();
    mounted.stop();
}

/// Whole seconds at the beginning of a recording in which hardly anything was asked.
fn lead(folder: &Path) -> f64 {
    let text = std::fs::read_to_string(folder.join("requirements.toml")).expect("it was recorded");
    let requirements: toml::Value = toml::from_str(&text).expect("TOML");
    let of = |key: &str| requirements["volume"][0]["series"][key].as_array().expect("a list").clone();
    let number =
        |value: &toml::Value| value.as_float().or(value.as_integer().map(|whole| whole as f64)).expect("a number");
    let asked: Vec<f64> =
        of("read_iops").iter().zip(of("write_iops")).map(|(read, write)| number(read) + number(&write)).collect();
    let mut busy: Vec<f64> = asked.iter().copied().filter(|asked| *asked > 1.0).collect();
    busy.sort_by(f64::total_cmp);
    asked.iter().take_while(|asked| **asked < busy[busy.len() / 2] / 2.0).count() as f64
}

/// The kernel tells requests that only flush from writes in its trace events.
fn trace_events() {
    if !Path::new("/sys/kernel/tracing/instances").exists() {
        call("mount", ["-t", "tracefs", "tracefs", "/sys/kernel/tracing"]).ok();
    }
}

fn quietly(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null())
}

fn diskwright(folder: &Path, args: &[&str]) -> String {
    run(Command::new(env!("CARGO_BIN_EXE_diskwright")).args(args).current_dir(folder).env("LC_ALL", "C")).ok()
}

/// What a disk does under a load, predicted or rehearsed.
#[derive(Debug, Default)]
struct Seen {
    /// Reads and writes.
    ios: [f64; 2],
    /// The same a second.
    iops: [f64; 2],
    /// Medians in µs.
    p50_us: [f64; 2],
    /// Limits that are reached.
    reached: Vec<String>,
    /// When the disk's credits for I/Os were gone, in s.
    dry_s: Option<f64>,
    /// What the emulator says against itself.
    doubts: Vec<String>,
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(0.0)
}

/// What the simulator says of a recorded load on a rig.
fn predict(rig: &str, folder: &Path) -> Seen {
    std::fs::write(folder.join("rig.toml"), rig).expect("a scenario");
    let text = diskwright(folder, &["simulate", "rig.toml", "requirements.toml", "--seeds", SEEDS, "--format", "json"]);
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let runs: Vec<Seen> =
        document["runs"].as_array().expect("runs").iter().map(|run| simulated(&run["diskwright"])).collect();
    let mean = |of: &dyn Fn(&Seen) -> f64| runs.iter().map(of).sum::<f64>() / runs.len() as f64;
    let each = |of: &dyn Fn(&Seen) -> [f64; 2]| [0, 1].map(|op| mean(&|seen| of(seen)[op]));
    let reached = &runs.first().expect("a run").reached;
    let is_always = |limit: &&String| runs.iter().all(|run| run.reached.contains(limit));
    Seen {
        ios: each(&|seen| seen.ios),
        iops: each(&|seen| seen.iops),
        p50_us: each(&|seen| seen.p50_us),
        reached: reached.iter().filter(is_always).cloned().collect(),
        dry_s: runs.iter().map(|run| run.dry_s).sum::<Option<f64>>().map(|sum| sum / runs.len() as f64),
        doubts: Vec::new(),
    }
}

/// What one run says.
fn simulated(run: &Value) -> Seen {
    let of = |key: &str| ["read", "write"].map(|op| number(run["volumes"][0][op].pointer(key).unwrap_or(&Value::Null)));
    let limits = run["limits"].as_array().expect("limits");
    let reached = limits.iter().filter(|l| number(&l["used"]) >= REACHED * number(&l["available"]));
    let disk = limits.iter().find(|l| l["limit"] == "disk IOPS").expect("the disk's");
    Seen {
        ios: of("/ios"),
        iops: of("/iops"),
        p50_us: of("/latency_ns/p50").map(|ns| ns / 1e3),
        reached: reached.map(|l| l["limit"].as_str().unwrap_or_default().into()).collect(),
        // It is told from when the first job began.
        dry_s: disk["credits_out_s"].as_f64().map(|dry| dry + number(&run["virtual_s"]) - number(&run["counted_s"])),
        doubts: Vec::new(),
    }
}

/// The same of the emulator, under the real database; and what its client printed.
fn rehearse(rig: &str, load: Load, seconds: u64) -> (Seen, String, SystemTime) {
    let mounted = Mounted::start(rig, load.kind);
    let server = Server::start(load.kind, &mounted.dir("data"), &[]);
    run(&mut server.load(load.clients, load.rate, WARM, 1));
    if rig == BURST {
        // What the warm-up took of the credits fills again.
        wait_until("credits are full", || {
            let status = mounted.status();
            let disk = disk_iops(&status);
            number(&disk["credits"]) > 0.99 * number(&disk["credits_max"])
        });
    }
    mounted.emulator().ctl(&["reset"]);
    let begin = (Instant::now(), SystemTime::now());
    let mut command = server.load(load.clients, load.rate, seconds, 2);
    let client = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a client");
    let mut dry_s = None;
    while begin.0.elapsed() < Duration::from_secs(seconds) {
        let status = mounted.status();
        let disk = disk_iops(&status);
        if disk["credits_max"].as_u64().is_some() && number(&disk["credits"]) <= 0.01 * number(&disk["credits_max"]) {
            dry_s = dry_s.or(Some(begin.0.elapsed().as_secs_f64()));
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    let output = client.wait_with_output().expect("it ends");
    let status = mounted.status();
    server.stop();
    mounted.stop();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (Seen { dry_s, ..seen(&status) }, said.into_owned(), begin.1)
}

fn disk_iops(status: &Value) -> &Value {
    let limits = status["limits"].as_array().expect("limits");
    limits.iter().find(|l| l["limit"] == "disk IOPS").expect("the disk's")
}

/// The figures of a status since its counters were reset.
fn seen(status: &Value) -> Seen {
    let seconds = (number(&status["at_ns"]) - number(&status["since_ns"])) / 1e9;
    let volume = &status["volumes"][0];
    let of = |key: &str| ["reads", "writes"].map(|op| number(volume[op].pointer(key).unwrap_or(&Value::Null)));
    let limits = status["limits"].as_array().expect("limits");
    // Granted counts from the start or the last reset, as everything does.
    let reached = limits.iter().filter(|l| number(&l["granted"]) / seconds >= REACHED * number(&l["rate"]));
    let doubts = status["lateness"]["doubts"].as_array().expect("a verdict");
    Seen {
        ios: of("/count"),
        iops: of("/count").map(|count| count / seconds),
        p50_us: of("/latency/p50_ns").map(|ns| ns / 1e3),
        reached: reached.map(|l| l["limit"].as_str().unwrap_or_default().into()).collect(),
        dry_s: None,
        doubts: doubts.iter().map(|doubt| doubt["text"].to_string()).collect(),
    }
}

fn is_near(found: f64, expected: f64, tolerance: f64) -> bool {
    // Of fewer a part has no meaning.
    expected.max(found) < 20.0 || (found / expected - 1.0).abs() <= tolerance
}

/// Tries until it agrees; where the emulator never doubted itself, it does not.
fn decide(what: &str, mut attempt: impl FnMut(usize) -> (bool, Vec<String>, String)) {
    let (mut told, mut undoubted) = (Vec::new(), 0);
    for number in 0..tries(TRIES) {
        let (agrees, doubts, text) = attempt(number);
        eprintln!("{what}: {text}");
        if agrees {
            return;
        }
        undoubted += usize::from(doubts.is_empty());
        told.push(text);
    }
    let told = told.join("\n");
    assert!(undoubted == 0, "{what}:\n{told}");
    undecided(&format!("the machine was too busy for the emulator: {what}: {told}"));
}

/// At a fixed rate: I/Os, bottleneck and median latency as predicted; of writes in bursts no less.
fn check_rate(load: Load, rig: &str) {
    decide(&format!("{:?} at {:?} a second", load.kind, load.rate), |number| {
        let folder = tempfile::tempdir().expect("a folder");
        recorded(load, number, folder.path());
        let predicted = predict(rig, folder.path());
        let (rehearsed, ..) = rehearse(rig, load, LENGTH);
        // InnoDB writes pages in bursts, which wait for each other: a recording by the second knows the least of that.
        let in_bursts = [false, load.kind == Kind::MariaDb];
        let is_latency_near = |op: usize| {
            let (found, expected) = (rehearsed.p50_us[op], predicted.p50_us[op]);
            let is_slower = in_bursts[op] && found > expected;
            predicted.ios[op] <= 200.0 || is_slower || is_near(found, expected, LATENCY)
        };
        let agrees = (0..2).all(|op| is_near(rehearsed.ios[op], predicted.ios[op], RATES) && is_latency_near(op))
            && rehearsed.reached == predicted.reached;
        (agrees, rehearsed.doubts.clone(), format!("predicted {predicted:?}, rehearsed {rehearsed:?}"))
    });
}

/// Flat out: the disk gives its limit, and it is the same limit.
fn check_flat_out(load: Load, rig: &str) {
    decide(&format!("{:?} flat out", load.kind), |number| {
        let folder = tempfile::tempdir().expect("a folder");
        recorded(load, number, folder.path());
        let predicted = predict(rig, folder.path());
        let (rehearsed, ..) = rehearse(rig, load, LENGTH);
        let all = |seen: &Seen| seen.iops.iter().sum::<f64>();
        let agrees = is_near(all(&rehearsed), all(&predicted), RATES)
            && !predicted.reached.is_empty()
            && rehearsed.reached == predicted.reached;
        (agrees, rehearsed.doubts.clone(), format!("predicted {predicted:?}, rehearsed {rehearsed:?}"))
    });
}

/// pgbench's progress: (seconds after `begin` at the end of a line, transactions a second in it).
fn progress(said: &str, begin: SystemTime) -> Vec<(f64, f64)> {
    let begin = begin.duration_since(UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64());
    let line = |line: &str| {
        let mut words = line.strip_prefix("progress: ")?.split(' ');
        let (at, _, tps) = (words.next()?.parse::<f64>().ok()?, words.next(), words.next()?.parse().ok()?);
        Some((at - begin, tps))
    };
    said.lines().filter_map(line).collect()
}

#[test]
fn postgres_at_a_rate_does_on_a_p30_what_its_recording_says() {
    if super::full() && possible(&[Kind::Postgres]) {
        check_rate(Load { kind: Kind::Postgres, clients: 1, rate: Some(RATE) }, P30);
    }
}

#[test]
fn mariadb_at_a_rate_does_on_a_p30_what_its_recording_says() {
    if super::full() && possible(&[Kind::MariaDb]) {
        check_rate(Load { kind: Kind::MariaDb, clients: 4, rate: Some(6) }, P30);
    }
}

#[test]
fn postgres_slows_down_in_the_second_in_which_the_recording_says_that_credits_run_out() {
    if !super::full() || !possible(&[Kind::Postgres]) {
        return;
    }
    let load = Load { kind: Kind::Postgres, clients: 1, rate: Some(RATE) };
    decide("credits", |number| {
        let folder = tempfile::tempdir().expect("a folder");
        recorded(load, number, folder.path());
        let mut predicted = predict(BURST, folder.path());
        predicted.dry_s = predicted.dry_s.map(|dry| dry - lead(folder.path()));
        let (rehearsed, said, begin) = rehearse(BURST, load, 14);
        let asked = predict(P30, folder.path()).ios.iter().sum::<f64>() / LENGTH as f64;
        // The credits of BURST at what is asked above its rate.
        let expected = 3_450.0 * 0.2 / (asked - 50.0);
        let lines = progress(&said, begin);
        let slow = |tps: f64| tps < 0.6 * f64::from(RATE);
        let first_slow = rehearsed.dry_s.and_then(|dry| lines.iter().find(|(at, tps)| *at > dry - 1.5 && slow(*tps)));
        let agrees = rehearsed.dry_s.is_some_and(|dry| {
            // Rates are known to a part of RATES, what is above the limit to so much more.
            let tolerance = RATES * asked / (asked - 50.0) * expected + 0.5;
            let before = lines.iter().filter(|(at, _)| *at < dry - 1.0);
            let after = lines.iter().filter(|(at, _)| *at > dry + 2.0);
            (dry - expected).abs() <= tolerance
                && predicted.dry_s.is_some_and(|predicted| (dry - predicted).abs() <= tolerance)
                && first_slow.is_some_and(|(at, _)| (at - dry).abs() <= 2.0)
                && before.filter(|(_, tps)| slow(*tps)).count() <= 1
                && after.filter(|(_, tps)| !slow(*tps)).count() <= 1
        });
        let told = format!(
            "asked {asked:.1} a second: dry after {expected:.2} s, simulated {:?}, rehearsed {:?}; pgbench {lines:.1?}",
            predicted.dry_s, rehearsed.dry_s
        );
        (agrees, rehearsed.doubts.clone(), told)
    });
}

#[test]
fn postgres_flat_out_is_bound_by_the_limit_that_its_recording_says() {
    if super::full() && possible(&[Kind::Postgres]) {
        check_flat_out(Load { kind: Kind::Postgres, clients: 8, rate: None }, P4);
    }
}

#[test]
fn mariadb_flat_out_is_bound_by_the_limit_that_its_recording_says() {
    if super::full() && possible(&[Kind::MariaDb]) {
        check_flat_out(Load { kind: Kind::MariaDb, clients: 8, rate: None }, P4);
    }
}

/// Parts of reads that the cache served, and those that went to the disk.
fn hits_and_misses(status: &Value) -> (f64, f64) {
    let volume = &status["volumes"][0];
    (number(&volume["hits_ram"]) + number(&volume["hits_ssd"]), number(&volume["misses"]))
}

/// After a reboot each page goes to the disk once: of N pages read at random, N (1 - e^(-reads / N)) after so many reads; where
/// the server's own buffer holds a part p of them, up to N (1 - e^(-reads / (N (1 - p)))).
#[test]
fn mariadb_warms_a_cold_cache_as_random_reads_do() {
    if !super::full() || !possible(&[Kind::MariaDb]) {
        return;
    }
    let mounted = Mounted::start(CACHED, Kind::MariaDb);
    let load = |server: &Server, seconds| run(&mut server.load(4, None, seconds, 1));
    let server = Server::start(Kind::MariaDb, &mounted.dir("data"), &[]);
    load(&server, 30);
    mounted.emulator().ctl(&["reset"]);
    load(&server, 5);
    let (hits, misses) = hits_and_misses(&mounted.status());
    assert!(hits > 0.9 * (hits + misses), "warm: {hits} hits, {misses} misses");
    // Nothing is looked up by the secondary index.
    let length = "SELECT SUM(data_length) FROM information_schema.tables WHERE table_name LIKE 'sbtest%'";
    let pages = server.sql(length).trim().parse::<f64>().expect("bytes") / 16_384.0;
    server.stop();
    mounted.emulator().ctl(&["reboot"]);
    let server = Server::start(Kind::MariaDb, &mounted.dir("data"), &[]);
    // What the start has read may be of the tables.
    let (_, warm) = hits_and_misses(&mounted.status());
    mounted.emulator().ctl(&["reset"]);
    let mut client = quietly(&mut server.load(4, None, 30, 2)).spawn().expect("a client");
    let in_buffer = 512.0 / pages;
    let (mut last, mut wrong) = (0.0, Vec::new());
    for second in 1..=30 {
        std::thread::sleep(Duration::from_secs(1));
        let (hits, misses) = hits_and_misses(&mounted.status());
        let reads = hits + misses;
        let expected = |part: f64, warm: f64| (pages - warm) * (1.0 - (-reads / (pages * (1.0 - part))).exp());
        let (least, most) = (expected(0.0, warm), expected(in_buffer, 0.0));
        // A connection reads a few pages that are no table's.
        if misses < 0.9 * least - 100.0 || misses > 1.1 * most + 200.0 {
            wrong.push(format!("{second} s: {misses} of {reads} reads missed, {least:.0} to {most:.0} expected"));
        }
        last = hits / reads;
    }
    client.wait().expect("it ends");
    server.stop();
    mounted.stop();
    assert!(wrong.is_empty() && last > 0.5, "it warms up to {last:.2}:\n{}", wrong.join("\n"));
}
