//! A crash of the host under a database: what was acknowledged is there again where the database flushes, and what is lost where
//! it does not is what the emulator says was lost.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::mounted::{Mounted, possible};
use super::server::{Acknowledged, Kind, Server};
use crate::emulate::support::{call, have, wait_until};

/// A disk behind a cache that writes back, which it does of itself only after a long time.
const CACHED: &str = "[vm.cache]\ncapacity = \"4 GiB\"\nwrite_back = { dirty_max = \"3 GiB\", destage_after = \"1000 s\" }\n\
                      [[volume]]\nname = \"data\"\nhost_cache = \"ReadWrite\"\n\
                      disks = [{ size = \"4 GiB\", latency = { read = \"300 us\", write = \"300 us\" } }]\n";

/// Crashes the host in the middle of four clients' commits, so often; what they were told is there afterwards.
fn check(kind: Kind, crashes: usize) {
    if !possible(&[kind]) {
        return;
    }
    let mounted = Mounted::start(CACHED, kind);
    let mut server = Server::start(kind, &mounted.dir("data"), &[]);
    let mut there: BTreeSet<(u32, u32)> = BTreeSet::new();
    let mut told = 0;
    for crash in 0..crashes as u32 {
        let clients: Vec<_> = (0..4).map(|c| server.committer(4 * crash + c, 50_000, Duration::ZERO)).collect();
        let enough = 100 * (crash as usize + 1);
        wait_until("commits", || clients.iter().all(|client| client.acknowledged().len() >= enough));
        let survivors = ["none", "random"][crash as usize % 2];
        let seed = crash.to_string();
        let drawn: &[&str] = if survivors == "random" { &["--seed", &seed] } else { &[] };
        // The disk is cut while they go on; what they are told until the server notices is acknowledged.
        let report = mounted.emulator().crash(&[&["--level", "host", "--survivors", survivors], drawn].concat());
        server.kill();
        let acknowledged: Vec<(u32, Acknowledged)> =
            clients.into_iter().map(|client| (client.c, client.finish())).collect();
        server = Server::start(kind, &mounted.dir("data"), &[]);
        let found: BTreeSet<(u32, u32)> = server.commits().into_iter().collect();
        assert!(found.is_superset(&there), "what was there before the crash is gone");
        for (c, list) in &acknowledged {
            let missing: Vec<u32> = list.iter().map(|(n, _)| *n).filter(|n| !found.contains(&(*c, *n))).collect();
            assert!(missing.is_empty(), "{kind:?}: client {c} was told {missing:?}, which are gone: {report}");
            // The one that was under way may be there or not.
            let more = found.iter().filter(|(client, n)| client == c && *n as usize > list.len()).count();
            assert!(more <= 1, "{kind:?}: client {c} was told {} and {more} more are there", list.len());
        }
        let now: usize = acknowledged.iter().map(|(_, list)| list.len()).sum();
        eprintln!("{kind:?}: {now} commits acknowledged, all there; lost of the disk: {} bytes", lost(&report).1);
        (there, told) = (found, told + now);
    }
    assert!(told >= 400 * crashes, "{told} commits");
    server.stop();
    mounted.stop();
}

/// Ranges of the volume that a crash took, and bytes.
fn lost(report: &Value) -> (Vec<(u64, u64)>, u64) {
    let losses = report.pointer("/report/losses").and_then(Value::as_array).expect("a report");
    let range = |range: &Value| Some((range["offset"].as_u64()?, range["len"].as_u64()?));
    let ranges = losses.iter().flat_map(|loss| loss["ranges"].as_array().into_iter().flatten().filter_map(range));
    (ranges.collect(), losses.iter().filter_map(|loss| loss["lost_bytes"].as_u64()).sum())
}

#[test]
fn every_commit_that_postgres_acknowledged_is_there_after_a_crash_of_the_host() {
    check(Kind::Postgres, 4);
}

#[test]
fn every_commit_that_mariadb_acknowledged_is_there_after_a_crash_of_the_host() {
    check(Kind::MariaDb, 4);
}

/// Bytes of a segment of PostgreSQL's log.
const SEGMENT: u64 = 16 << 20;

/// Where a file's bytes are on its file system's device: (offset in the file, offset on the device, bytes).
fn extents(file: &Path) -> Vec<(u64, u64, u64)> {
    let text = call("filefrag", ["-v", "-b512", file.to_str().expect("text")]).ok();
    // ` 0:        0..   32767:     540672..    573439:  32768:             last,eof`
    let line = |line: &str| {
        let mut parts = line.split(':').skip(1);
        let first = |part: Option<&str>| part?.split("..").next()?.trim().parse::<u64>().ok();
        Some((first(parts.next())? * 512, first(parts.next())? * 512, first(parts.next())? * 512))
    };
    text.lines().filter_map(line).collect()
}

/// `fsync = off`: commits are acknowledged when the system has them. Half of them are made durable, the other half reaches the disk's
/// volatile cache and is not flushed. A commit is lost where a byte of the log up to its end is in what the emulator says it lost.
#[test]
fn without_fsync_as_many_commits_are_lost_as_the_emulator_says() {
    if !possible(&[Kind::Postgres]) || !have(&["filefrag", "xfs_io"]) {
        return;
    }
    for (survivors, seed) in [("none", "1"), ("prefix", "2"), ("prefix", "3")] {
        let mounted = Mounted::start(CACHED, Kind::Postgres);
        let dir = mounted.dir("data");
        let mut server = Server::start(Kind::Postgres, &dir, &["-c", "fsync=off", "-c", "shared_buffers=64MB"]);
        let durable = server.committer(1, 300, Duration::ZERO).finish();
        // The next commits are in a segment whose blocks are on the disk, so that the log is all that changes.
        server.sql("CHECKPOINT");
        server.sql("SELECT pg_switch_wal()");
        server.sql("INSERT INTO commits VALUES (1, 301)");
        call("sync", ["-f", dir.to_str().expect("text")]).ok();
        let base = super::server::lsn_of(&server.sql("SELECT pg_current_wal_insert_lsn()"));
        let at_risk = server.committer(2, 500, Duration::ZERO).finish();
        assert_eq!((durable.len(), at_risk.len()), (300, 500));
        let end = at_risk.last().and_then(|(_, lsn)| *lsn).expect("where the log ends");
        assert_eq!(base / SEGMENT, (end - 1) / SEGMENT, "they fit into a segment");
        let name = server.sql(&format!("SELECT pg_walfile_name('{:X}/{:X}')", end >> 32, end & 0xffff_ffff));
        let log = dir.join("files/pg_wal").join(name.trim());
        // As the kernel does after a while: to the disk, without a flush.
        for step in ["sync_range 0 16m", "sync_range -a 0 16m"] {
            call("xfs_io", ["-c", step, log.to_str().expect("text")]).ok();
        }
        let extents = extents(&log);
        let drawn: &[&str] = if survivors == "none" { &[] } else { &["--seed", seed] };
        let report = mounted.emulator().crash(&[&["--level", "host", "--survivors", survivors], drawn].concat());
        server.kill();
        let (ranges, bytes) = lost(&report);
        // The first byte of the log that is gone.
        let gone = extents.iter().flat_map(|&(of_file, of_disk, len)| {
            let overlap = move |&(offset, lost): &(u64, u64)| {
                let from = offset.max(of_disk);
                (from < (offset + lost).min(of_disk + len)).then(|| of_file + from - of_disk)
            };
            ranges.iter().filter_map(overlap).collect::<Vec<_>>()
        });
        let in_segment = base % SEGMENT..(end - 1) % SEGMENT + 1;
        let first_gone = gone.map(|at| at.max(in_segment.start)).filter(|at| in_segment.contains(at)).min();
        let is_lost = |lsn: u64| first_gone.is_some_and(|gone| (lsn - 1) % SEGMENT >= gone);
        let expected = at_risk.iter().filter(|(_, lsn)| is_lost(lsn.expect("PostgreSQL says it"))).count();
        let server = Server::start(Kind::Postgres, &dir, &[]);
        let found = server.commits();
        let of = |client: u32| found.iter().filter(|(c, _)| *c == client).count();
        eprintln!(
            "fsync = off, survivors {survivors}: {} of 500 commits lost, {expected} by the emulator's {bytes} bytes",
            500 - of(2)
        );
        assert_eq!(of(1), 301, "what was flushed is there: {report}");
        assert_eq!(500 - of(2), expected, "survivors {survivors}: {report}");
        server.stop();
        mounted.stop();
    }
}
