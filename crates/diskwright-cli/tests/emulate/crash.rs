//! Crashes of the real server: by command, and by `kill -9` at random moments under a load that checks every byte.
//!
//! One thread drives several connections, each with requests under way, and tells the oracle of `dw-emulator`'s own
//! tests what it sent and what came back. `DISKWRIGHT_CRASHES=N` runs so many crashes of each kind.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

#[path = "../../../dw-emulator/tests/support/oracle.rs"]
mod oracle;

use oracle::{Chance, Oracle, SECTOR, decode, encode};

use crate::emulate::raw::{Client, FLUSH, READ, WRITE, request};
use crate::emulate::replay::reader;
use crate::emulate::support::{Emulator, RIG, have, wait_until};

const TRIM: u16 = 4;
const ZEROES: u16 = 6;
const FUA: u8 = 1;
/// Sectors of each export that are used: few, so that writes meet.
const WINDOW: u64 = 256;
/// Exports, and whether an acknowledged write is durable at once.
const EXPORTS: [(&str, bool); 2] = [("plain", true), ("cached", false)];
const CONNECTIONS: usize = 6;
/// Requests under way on each.
const DEPTH: usize = 8;

struct Asked {
    kind: u16,
    sectors: Vec<usize>,
    submitted: u64,
    durable: bool,
    /// What a read may find in each sector: a read takes place at some instant between question and answer.
    legal: Vec<Vec<u64>>,
}

/// A connection with what is under way on it.
struct Line {
    client: Client,
    export: usize,
    asked: HashMap<u64, Asked>,
}

/// The clients of a server, and what they may believe.
struct Load {
    oracle: Oracle,
    chance: Chance,
    lines: Vec<Line>,
    next: u64,
    /// Answers so far.
    answers: u64,
}

impl Load {
    fn new(seed: u64) -> Load {
        let oracle = Oracle::new(EXPORTS.len() * WINDOW as usize);
        Load { oracle, chance: Chance(seed), lines: Vec::new(), next: 0, answers: 0 }
    }

    fn connect(&mut self, socket: &Path) {
        let line = |n: usize| {
            let export = n % EXPORTS.len();
            let client = Client::open(socket, EXPORTS[export].0).expect("a connection");
            Line { client, export, asked: HashMap::new() }
        };
        self.lines = (0..CONNECTIONS).map(line).collect();
    }

    /// Sends something or takes an answer; an error when the server is gone.
    fn step(&mut self) -> io::Result<()> {
        let line = self.chance.below(CONNECTIONS as u64) as usize;
        let under_way = self.lines[line].asked.len();
        if under_way == DEPTH || under_way > 0 && self.chance.percent(50) { self.answer(line) } else { self.ask(line) }
    }

    fn ask(&mut self, line: usize) -> io::Result<()> {
        let export = self.lines[line].export;
        let from = self.chance.below(WINDOW - 1);
        let most = self.chance.pick(&[1, 4, 8, 32]).min(WINDOW - from);
        let count = 1 + self.chance.below(most);
        let (kind, fua) = match self.chance.below(100) {
            0..=49 => (WRITE, false),
            50..=59 => (WRITE, true),
            60..=66 => (ZEROES, false),
            67..=71 => (TRIM, false),
            72..=83 => (FLUSH, false),
            _ => (READ, false),
        };
        self.next += 1;
        let cookie = self.next;
        let base = export as u64 * WINDOW;
        let mut sectors: Vec<usize> = (base + from..base + from + count).map(|sector| sector as usize).collect();
        let mut data = Vec::new();
        let mut legal = Vec::new();
        let submitted = match kind {
            READ => {
                legal = sectors.iter().map(|&sector| self.oracle.readable(sector)).collect();
                0
            }
            FLUSH => {
                sectors = (base..base + WINDOW).map(|sector| sector as usize).collect();
                self.oracle.flush()
            }
            WRITE => {
                data = vec![0; sectors.len() * SECTOR];
                for (sector, bytes) in sectors.iter().zip(data.chunks_exact_mut(SECTOR)) {
                    encode(*sector as u64, cookie, bytes);
                }
                self.submit(&sectors, cookie)
            }
            _ => self.submit(&sectors, 0),
        };
        let (offset, len) = if kind == FLUSH { (0, 0) } else { (from * SECTOR as u64, (count * SECTOR as u64) as u32) };
        let mut bytes = request(kind, cookie, offset, len);
        bytes[5] = if fua { FUA } else { 0 };
        bytes.extend(data);
        let durable = fua || EXPORTS[export].1;
        self.lines[line].asked.insert(cookie, Asked { kind, sectors, submitted, durable, legal });
        self.lines[line].client.write(&bytes)
    }

    /// A write begins: reads that are under way may find it.
    fn submit(&mut self, sectors: &[usize], value: u64) -> u64 {
        let reads = self.lines.iter_mut().flat_map(|line| line.asked.values_mut()).filter(|asked| asked.kind == READ);
        for read in reads {
            for (sector, legal) in read.sectors.iter().zip(&mut read.legal) {
                if sectors.contains(sector) {
                    legal.push(value);
                }
            }
        }
        self.oracle.submit(sectors, value)
    }

    fn answer(&mut self, line: usize) -> io::Result<()> {
        let line = &mut self.lines[line];
        let (error, cookie) = line.client.reply()?;
        let asked = line.asked.remove(&cookie).expect("an answer to a question");
        assert_eq!(error, 0, "request {cookie} of kind {}", asked.kind);
        self.answers += 1;
        match asked.kind {
            READ => {
                let bytes = line.client.read(asked.sectors.len() * SECTOR)?;
                let found = asked.sectors.iter().zip(bytes.chunks_exact(SECTOR));
                for ((&sector, bytes), legal) in found.zip(asked.legal) {
                    let found = decode(sector as u64, bytes).unwrap_or_else(|error| panic!("{error}"));
                    assert!(legal.contains(&found), "sector {sector} reads as write {found}, none of {legal:?}");
                }
            }
            FLUSH => self.oracle.flushed(asked.sectors.into_iter(), asked.submitted),
            _ => self.oracle.acknowledge(&asked.sectors, asked.submitted, asked.durable),
        }
        Ok(())
    }

    /// The server has crashed and is there again: every sector holds something legal. What each export holds.
    fn look(&mut self, socket: &Path, replay: &str) -> Vec<Vec<u8>> {
        self.lines.clear();
        let mut seen = Vec::new();
        for (export, (name, _)) in EXPORTS.iter().enumerate() {
            let mut client = Client::open(socket, name).expect("a connection");
            let bytes = client.pread(0, (WINDOW * SECTOR as u64) as u32).expect("a read");
            for (index, bytes) in bytes.chunks_exact(SECTOR).enumerate() {
                let sector = export * WINDOW as usize + index;
                let found = decode(sector as u64, bytes);
                let legal = found.and_then(|found| self.oracle.crash(sector, found, true));
                legal.unwrap_or_else(|error| panic!("{error}\nreplay: {replay}"));
            }
            seen.push(bytes);
        }
        seen
    }

    /// Whether a crash of the host may leave this in an export.
    fn allows(&self, export: usize, bytes: &[u8]) -> Result<(), String> {
        let mut oracle = self.oracle.clone();
        bytes.chunks_exact(SECTOR).enumerate().try_for_each(|(index, bytes)| {
            let sector = export * WINDOW as usize + index;
            oracle.crash(sector, decode(sector as u64, bytes)?, true)
        })
    }
}

/// What an export holds when its log is replayed onto `base`, up to a mark if there is one.
fn replayed(folder: &Path, log: &str, base: &[u8], mark: Option<&str>) -> Vec<u8> {
    let (log, image) = (folder.join(log), folder.join("image"));
    std::fs::write(&image, base).expect("an image");
    reader(["replay", log.to_str().unwrap(), image.to_str().unwrap()].into_iter().chain(mark)).ok();
    std::fs::read(image).expect("an image")
}

/// How many crashes of a kind.
fn count(few: u64) -> u64 {
    std::env::var("DISKWRIGHT_CRASHES").ok().map_or(few, |text| text.parse().expect("DISKWRIGHT_CRASHES is a number"))
}

/// Writes that stay dirty for so long, or until somebody asks.
fn rig(destage_after: &str) -> String {
    RIG.replace("dirty_max = \"256 MiB\"", &format!("dirty_max = \"256 MiB\", destage_after = \"{destage_after}\""))
}

/// So soon that crashes meet write-backs under way; a busy machine may be slower, and then nothing is at risk.
const SOON: &str = "20 ms";

#[test]
fn a_hundred_crashes_by_command_leave_what_is_legal() {
    if !have(&["python3"]) {
        return;
    }
    let answers = crashes(SOON, 1).0;
    // Nothing is written back by itself, however long the machine takes: what is lost is for the commands to decide.
    let (more, lost) = crashes("1000 s", 2);
    assert!(lost > 0, "nothing was ever at risk");
    println!("{} crashes by command, {} answers, {lost} bytes lost", 2 * count(50), answers + more);
}

/// Fifty crashes, of every kind, of a server that writes back after so long: answers, and bytes lost.
fn crashes(destage_after: &str, chance: u64) -> (u64, u64) {
    let emulator = Emulator::start_with(&rig(destage_after), &["--log-writes", "logs"]);
    let mut load = Load::new(chance);
    let mut lost = 0;
    for round in 0..count(50) {
        load.connect(&emulator.socket());
        for _ in 0..80 {
            load.step().expect("the server is there");
        }
        let survivors = ["none", "all", "prefix", "random", "random-torn"][round as usize % 5];
        let seed = round.to_string();
        let drawn: &[&str] = if survivors.starts_with("random") { &["--seed", &seed] } else { &[] };
        let report = emulator.crash(&[&["--level", "host", "--survivors", survivors], drawn].concat());
        let losses = report.pointer("/report/losses").and_then(|losses| losses.as_array()).expect("a report");
        let bytes: u64 = losses.iter().filter_map(|loss| loss["lost_bytes"].as_u64()).sum();
        assert!(survivors != "all" || bytes == 0, "all survive: {report}");
        assert!(losses.iter().all(|loss| loss["export"] == "cached"), "only ReadWrite is at risk: {report}");
        lost += bytes;
        let replay = format!("round {round} of seed {chance}, destage_after {destage_after}");
        let seen = load.look(&emulator.socket(), &replay);
        if round % 10 != 9 {
            continue;
        }
        for ((name, _), seen) in EXPORTS.iter().zip(&seen) {
            let (log, mark) = (format!("logs/{name}.log"), format!("crash-{}", round + 1));
            let found = replayed(emulator.folder(), &log, &vec![0; seen.len()], Some(&mark));
            assert!(found == *seen, "the log of {name}, replayed, is not the disk; {replay}");
        }
    }
    (load.answers, lost)
}

/// A server on files, killed when dropped.
struct OnFiles {
    child: Child,
    socket: PathBuf,
}

impl OnFiles {
    fn start(folder: &Path) -> OnFiles {
        let socket = folder.join("nbd.sock");
        let _ = std::fs::remove_file(&socket);
        // A log begins with what the disks hold now.
        let _ = std::fs::remove_dir_all(folder.join("logs"));
        let log = std::fs::File::create(folder.join("log")).expect("a log");
        let child = Command::new(env!("CARGO_BIN_EXE_diskwright"))
            .args(["emulate", "rig.toml", "--dir", "data", "--socket", "nbd.sock", "--control", "ctl.sock"])
            .args(["--overhead", "0", "--log-writes", "logs"])
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a log"))
            .stderr(log)
            .spawn()
            .expect("the emulator");
        let mut server = OnFiles { child, socket };
        wait_until("the emulator listens", || {
            let ended = server.child.try_wait().expect("its state");
            let log = || std::fs::read_to_string(folder.join("log")).unwrap_or_default();
            assert!(ended.is_none(), "{ended:?}: {}", log());
            UnixStream::connect(&server.socket).is_ok()
        });
        server
    }
}

impl Drop for OnFiles {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn no_kill_loses_what_was_durable_and_the_files_open_again() {
    if !have(&["python3"]) {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("data")).expect("a folder");
    std::fs::write(folder.path().join("rig.toml"), rig(SOON)).expect("a scenario");
    let mut load = Load::new(7);
    let mut per_kill = VecDeque::new();
    let mut base = vec![vec![0; (WINDOW * SECTOR as u64) as usize]; EXPORTS.len()];
    for round in 0..count(10) {
        let mut server = OnFiles::start(folder.path());
        load.connect(&server.socket);
        let before = load.answers;
        // After so many answers, not after some time: how far a load gets in that is the machine's.
        let moment = load.chance.below(600);
        let mut killed = false;
        // Until the connections break.
        while load.step().is_ok() {
            if !killed && load.answers - before >= moment {
                server.child.kill().expect("it runs");
                killed = true;
            }
        }
        assert!(killed, "it ended by itself");
        server.child.wait().expect("its end");
        per_kill.push_back(load.answers - before);
        drop(server);
        let replay = format!("round {round} of seed 7, killed after {moment} answers");
        for (export, base) in base.iter().enumerate() {
            // The kill may have come between a change and its entry: the log is then as if it had come before both.
            let found = replayed(folder.path(), &format!("logs/{}.log", EXPORTS[export].0), base, None);
            load.allows(export, &found).unwrap_or_else(|error| panic!("the log: {error}\nreplay: {replay}"));
        }
        let again = OnFiles::start(folder.path());
        base = load.look(&again.socket, &replay);
    }
    assert!(load.answers > 1_000, "only {} answers", load.answers);
    println!("{} kills -9, {} answers, at least {:?} a kill", per_kill.len(), load.answers, per_kill.iter().min());
}
