//! The log of what became durable, replayed, is the disk: after every crash of a history, and at every moment a state that a
//! crash may leave.
//!
//! The reader here was written from the format's description and shares nothing with the writer.

use std::path::Path;

use dw_emulator::ExportId;
use dw_emulator::durability::{LogError, WriteLog};

use crate::durability::history::History;
use crate::durability::oracle::SECTOR;

const FLUSH: u64 = 1;
const FUA: u64 = 2;
const DISCARD: u64 = 4;
const MARK: u64 = 8;

/// An entry: where, how many bytes, flags, what is there (of a mark: its name).
#[derive(Debug, PartialEq)]
pub struct Entry {
    pub offset: u64,
    pub len: u64,
    pub flags: u64,
    pub data: Vec<u8>,
}

/// All entries that the superblock counts.
pub fn entries(path: &Path) -> Vec<Entry> {
    let bytes = std::fs::read(path).unwrap();
    let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    assert_eq!((&bytes[..7], word(8)), (&b"rhswfsj"[..], 1), "magic and version");
    let sector = u32::from_le_bytes(bytes[24..28].try_into().unwrap()) as usize;
    let mut at = sector;
    let mut entry = |_| {
        let (offset, len, flags) = (word(at) * sector as u64, word(at + 8) * sector as u64, word(at + 16));
        let data = match flags {
            _ if flags & MARK != 0 => {
                let name = &bytes[at + 32..at + sector];
                name[..name.iter().position(|&byte| byte == 0).expect("a zero behind the name")].to_vec()
            }
            _ if flags & DISCARD != 0 => Vec::new(),
            _ => bytes[at + sector..at + sector + len as usize].to_vec(),
        };
        at += sector + if flags & (MARK | DISCARD) == 0 { len as usize } else { 0 };
        Entry { offset, len, flags, data }
    };
    (0..word(16)).map(&mut entry).collect()
}

/// What a disk of `size` holds after these entries.
pub fn replay<'a>(entries: impl IntoIterator<Item = &'a Entry>, size: usize) -> Vec<u8> {
    let mut disk = vec![0; size];
    for entry in entries.into_iter().filter(|entry| entry.flags & MARK == 0) {
        let to = &mut disk[entry.offset as usize..(entry.offset + entry.len) as usize];
        if entry.flags & DISCARD != 0 { to.fill(0) } else { to.copy_from_slice(&entry.data) }
    }
    disk
}

/// Logs of every block device of a history, in a folder; (export, file).
fn log_all(history: &mut History, folder: &Path, sector: u32) -> Vec<(usize, std::path::PathBuf)> {
    let mut logs = Vec::new();
    for export in 0..history.engine.exports().len() {
        let path = folder.join(format!("{export}.log"));
        let id = ExportId(export as u16);
        let log = WriteLog::create(&path, sector).unwrap();
        if history.engine.log_writes(id, log).is_ok() {
            logs.push((export, path));
        }
    }
    logs
}

fn check(seed: u64, sector: u32) -> (u32, usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut history = History::new(seed);
    let logs = log_all(&mut history, folder.path(), sector);
    let (mut crashes, mut last) = (0, 0);
    for _ in 0..40 {
        history.run(12).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        // It has crashed: what the clients see is what the disks hold.
        for (export, path) in &logs {
            let size = history.engine.exports()[*export].size as usize;
            let (mut seen, entries) = (vec![0; size], entries(path));
            history.engine.read(ExportId(*export as u16), 0, &mut seen).unwrap();
            let found = replay(&entries, size);
            let wrong = found.chunks(SECTOR).zip(seen.chunks(SECTOR)).position(|(found, seen)| found != seen);
            assert_eq!(
                wrong,
                None,
                "seed {seed}, sectors of {sector}, export {export} after {} entries",
                entries.len()
            );
            let mark = entries.last().map(|entry| (entry.flags, String::from_utf8_lossy(&entry.data).into_owned()));
            assert!(mark.is_some_and(|(flags, name)| flags == MARK && name.starts_with("crash-")), "seed {seed}");
            last = entries.len();
        }
        crashes += 1;
    }
    (crashes, last)
}

/// Crashes of every kind with every choice of survivors, caches, stripes and their members, faults and changes.
/// `DISKWRIGHT_HISTORIES=N` runs so many.
#[test]
fn a_log_replayed_is_the_disk_after_every_crash() {
    let histories = std::env::var("DISKWRIGHT_HISTORIES").ok().and_then(|text| text.parse().ok()).unwrap_or(40);
    let (mut crashes, mut entries) = (0, 0);
    for seed in 0..histories {
        let found = check(seed, if seed % 4 == 3 { 4096 } else { 512 });
        (crashes, entries) = (crashes + found.0, entries + found.1);
    }
    println!("{histories} histories, {crashes} crashes, {entries} entries");
    assert!(entries as u64 > histories * 100);
}

/// Whenever the emulator is killed, the log is a state that the promises allow.
#[test]
fn a_log_is_legal_at_every_moment() {
    for seed in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let mut history = History::new(seed);
        let logs = log_all(&mut history, folder.path(), 512);
        for step in 0..150 {
            history.ask();
            history.wait(200);
            history.answers().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            if step % 5 > 0 {
                continue;
            }
            for (export, path) in &logs {
                let size = history.engine.exports()[*export].size as usize;
                let found = replay(&entries(path), size);
                history.allows(*export, &found).unwrap_or_else(|error| panic!("seed {seed}, step {step}: {error}"));
            }
        }
    }
}

#[test]
fn entries_are_what_the_format_says() {
    use dw_emulator::{IoOp, IoRequest};
    let folder = tempfile::tempdir().unwrap();
    let mut history = History::with_cache(dw_stack::CacheMode::ReadWrite);
    let path = folder.path().join("log");
    history.engine.log_writes(ExportId(0), WriteLog::create(&path, 512).unwrap()).unwrap();
    let mut ask = |op, fua, offset, len: u64| {
        let data = if op == IoOp::Write { vec![7; len as usize] } else { Vec::new() };
        let now = history.now();
        history.engine.submit(now, IoRequest { export: ExportId(0), op, fua, offset, len, data, cookie: 1 });
        history.settle();
        entries(&path).iter().map(|e| (e.offset, e.len, e.flags)).collect::<Vec<_>>()
    };
    assert_eq!(ask(IoOp::Write, false, 8192, 512), [], "in the cache, and nowhere else");
    assert_eq!(ask(IoOp::Write, false, 0, 1024), []);
    let fua = (4096, 512, FUA);
    assert_eq!(ask(IoOp::Write, true, 4096, 512), [fua], "at once");
    let flushed = [fua, (8192, 512, 0), (0, 1024, 0), (0, 0, FLUSH)];
    assert_eq!(ask(IoOp::Flush, false, 0, 0), flushed, "as they were acknowledged, when the flush is done");
    let trim = (0, 512, DISCARD);
    assert_eq!(ask(IoOp::Trim, false, 0, 512)[4..], [trim]);
    let parts = [(512, 512, 0), (1024, 1024, DISCARD), (2048, 512, 0)];
    assert_eq!(ask(IoOp::Trim, false, 700, 1400)[5..], parts, "sectors in part, as they are afterwards");
    ask(IoOp::Trim, false, 8192, 512);
    assert_eq!(
        ask(IoOp::Trim, false, 8704, 1024)[8..],
        [(8192, 1536, DISCARD)],
        "one that continues the last makes it longer"
    );
    ask(IoOp::Zero { punch: true }, false, 9728, 512);
    assert_eq!(ask(IoOp::Zero { punch: true }, false, 10_240, 512)[9..], [(9728, 1024, 0)]);
    let now = history.now();
    let mark = |name: &str| dw_emulator::command::Command::Mark { name: name.into() };
    history.engine.command(now, &mark("here")).unwrap();
    let last = entries(&path).pop().unwrap();
    assert_eq!((last.flags, last.data.as_slice()), (MARK, &b"here"[..]));
    for name in ["", "a\nb", &"x".repeat(480)] {
        assert!(history.engine.command(now, &mark(name)).is_err(), "{name}");
    }
    history.engine.command(now, &mark(&"x".repeat(479))).unwrap();
    history.engine.shutdown(now).unwrap();
    let all = entries(&path);
    assert_eq!((all[all.len() - 2].flags, all[all.len() - 1].data.as_slice()), (FLUSH, &b"dm-log-writes-end"[..]));
}

#[test]
fn a_log_is_not_overwritten_and_has_the_sectors_of_disks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    assert!(matches!(WriteLog::create(&path, 1024), Err(LogError::Sector(1024))));
    WriteLog::create(&path, 4096).unwrap();
    assert!(matches!(WriteLog::create(&path, 4096), Err(LogError::Exists(_))));
    let beyond = WriteLog::create(&path.join("x"), 512).unwrap_err();
    assert!(matches!(beyond, LogError::Io { .. }), "{beyond}");
}
