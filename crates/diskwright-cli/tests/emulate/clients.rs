//! Clients that other people wrote: libnbd's tools, QEMU's, fio.

use std::path::Path;

use serde_json::Value;

use crate::emulate::support::{Emulator, RIG, call, have, noise, root};

const MIB: usize = 1 << 20;

#[test]
fn nbdinfo_sees_what_the_model_says() {
    if !have(&["nbdinfo"]) {
        return;
    }
    let emulator = Emulator::start(RIG);
    let every = ["flush", "fua", "trim", "zero", "fast-zero", "cache", "df", "multi-conn", "structured-reply"];
    for (export, size) in [("cached", 64 * MIB), ("plain", 128 * MIB), ("plain.1", 64 * MIB)] {
        let uri = emulator.uri(export);
        assert_eq!(call("nbdinfo", ["--size", &uri]).ok().trim(), size.to_string(), "{export}");
        for flag in every {
            assert_eq!(call("nbdinfo", ["--can", flag, &uri]).code, 0, "{export} can {flag}");
        }
        for flag in ["read-only", "rotational", "tls"] {
            assert_eq!(call("nbdinfo", ["--is", flag, &uri]).code, 2, "{export} is {flag}");
        }
        let told: Value = serde_json::from_str(&call("nbdinfo", ["--json", &uri]).ok()).unwrap();
        let told = &told["exports"][0];
        assert_eq!((&told["export-name"], &told["export-size"]), (&export.into(), &size.into()));
        let sizes =
            ["block_size_minimum", "block_size_preferred", "block_size_maximum"].map(|key| told[key].as_u64().unwrap());
        assert_eq!(sizes, [1, 4096, 32 << 20]);
        assert_eq!(told["contexts"], serde_json::json!(["base:allocation"]));
    }
}

#[test]
fn every_volume_and_every_disk_is_listed() {
    if !have(&["nbdinfo", "qemu-img"]) {
        return;
    }
    let emulator = Emulator::start(RIG);
    let listed = call("nbdinfo", ["--list", "--json", &emulator.uri("")]).ok();
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let names: Vec<&str> =
        listed["exports"].as_array().unwrap().iter().map(|export| export["export-name"].as_str().unwrap()).collect();
    assert_eq!(names, ["plain", "cached", "plain.0", "plain.1", "cached.0"]);
    let missing = call("qemu-img", ["info".to_string(), emulator.uri("nope")]);
    assert!(missing.code != 0 && missing.stderr.contains("unknown export `nope`"), "{missing:?}");
}

#[test]
fn the_map_shows_what_was_written_and_what_was_trimmed() {
    if !have(&["nbdinfo", "qemu-io"]) {
        return;
    }
    let emulator = Emulator::start(RIG);
    for export in ["plain", "cached"] {
        let uri = emulator.uri(export);
        qemu_io(&uri, &["write -P 1 1M 2M", "write -P 2 8M 1M", "discard 2M 1M", "write -z -u 8M 512k", "flush"]);
        let map: Value = serde_json::from_str(&call("nbdinfo", ["--map", "--json", &uri]).ok()).unwrap();
        let data = |extent: &&Value| extent["type"] == 0;
        let list = map.as_array().unwrap();
        let ranges: Vec<(u64, u64)> = (list.iter().filter(data))
            .map(|extent| (extent["offset"].as_u64().unwrap() >> 10, extent["length"].as_u64().unwrap() >> 10))
            .collect();
        assert_eq!(ranges, [(1024, 1024), (8192 + 512, 512)], "{export}: {map:#}");
    }
}

#[test]
fn nbdcopy_brings_back_what_it_took_there() {
    if !have(&["nbdcopy"]) {
        return;
    }
    let emulator = Emulator::start(RIG);
    let source = emulator.file("source");
    for (export, connections) in [("plain", "1"), ("cached", "1"), ("plain", "4"), ("cached", "4")] {
        let mut bytes = noise(connections.len() as u64 + export.len() as u64, 40 * MIB);
        bytes[3 * MIB..9 * MIB].fill(0); // which travels as a hole
        bytes[20 * MIB..20 * MIB + 100_000].fill(0);
        std::fs::write(&source, &bytes).unwrap();
        let (connections, uri) = (format!("--connections={connections}"), emulator.uri(export));
        call("nbdcopy", [&connections, "--requests=64", path(&source), &uri]).ok();
        let back = emulator.file("back");
        call("nbdcopy", [&connections, "--requests=64", &uri, path(&back)]).ok();
        let back = std::fs::read(back).unwrap();
        assert!(back[..bytes.len()] == bytes, "{export}, {connections}");
    }
    for export in ["cached", "plain", "plain.1"] {
        call("nbdcopy", ["--flush", path(&source), &emulator.uri(export)]).ok();
    }
}

/// What `requests.py` must hear. In brackets: with simple replies, with chunks, with chunks and metadata.
const REQUESTS: &str = "
read across the end: EINVAL
read beyond the end: EINVAL
read that wraps around: EINVAL
read of nothing: EINVAL
read of 33 MiB: EOVERFLOW
read of 32 MiB: ok
read with an unknown flag: EINVAL
read with another command's flag: EINVAL
read with FUA: ok
read in one piece: EINVAL|ok|ok
block status: EINVAL|EINVAL|ok
write across the end: ENOSPC
write with an unknown flag: EINVAL
the refused write left nothing: ok
write with FUA: ok
zeroes across the end: ENOSPC
zeroes, fast: ok
zeroes, fast, without a hole: ENOTSUP
zeroes everywhere: ok
trim across the end: EINVAL
trim everywhere: ok
cache: ok
cache across the end: EINVAL
flush: ok
unaligned write: ok
unaligned read: 0061626300
a flush shows a write to others: seen
FUA shows a write to others: seen
alive after all that: ok
";

#[test]
fn requests_are_answered_as_the_protocol_says() {
    if !have(&["nbdsh"]) {
        return;
    }
    let script = root().join("crates/diskwright-cli/tests/emulate/requests.py");
    for export in ["plain", "cached"] {
        for (column, style) in ["simple", "structured", "metadata"].into_iter().enumerate() {
            let emulator = Emulator::start(RIG);
            // The bindings belong to the system's own Python.
            let heard = call("/usr/bin/python3", [path(&script), &emulator.uri(export), style]).ok();
            let expected: Vec<String> = REQUESTS.trim().lines().map(|line| column_of(line, column)).collect();
            assert_eq!(heard.lines().collect::<Vec<_>>(), expected, "{export}, {style}");
        }
    }
}

/// `what: a|b|c` with the answer of that column alone.
fn column_of(line: &str, column: usize) -> String {
    let (what, answers) = line.split_once(": ").unwrap();
    let answers: Vec<&str> = answers.split('|').collect();
    format!("{what}: {}", answers.get(column).unwrap_or(&answers[0]))
}

#[test]
fn qemu_io_reads_the_patterns_that_it_wrote() {
    if !have(&["qemu-io"]) {
        return;
    }
    let emulator = Emulator::start(RIG);
    for export in ["plain", "cached", "plain.1"] {
        let commands = [
            "write -P 0xab 0 64k",
            "read -P 0xab 0 64k",
            "write -z 16k 16k",
            "read -P 0xab 0 16k",
            "read -P 0 16k 16k",
            "read -P 0xab 32k 32k",
            "write -z -u 32k 8k",
            "read -P 0 32k 8k",
            "write -f -P 0xcd 40k 4k",
            "read -P 0xcd 40k 4k",
            "discard 0 64k",
            "flush",
            "write -P 7 1000 333",
            "read -P 7 1000 333",
            "aio_write -P 1 1M 1M",
            "aio_write -P 2 2M 4M",
            "aio_read -P 0 16M 2M",
            "aio_flush",
            "read -P 1 1M 1M",
            "read -P 2 2M 4M",
            "writev -P 3 8M 64k 512 4096",
            "read -P 3 8M 70144",
        ];
        qemu_io(&emulator.uri(export), &commands);
    }
}

/// qemu-io ends with success whatever a pattern holds, so its words count.
#[track_caller]
fn qemu_io(uri: &str, commands: &[&str]) {
    let args: Vec<&str> = ["-f", "raw"].into_iter().chain(commands.iter().flat_map(|&line| ["-c", line])).collect();
    let ran = call("qemu-io", args.into_iter().chain([uri]));
    let bad = ["verification failed", "rror", "failed"].iter().any(|word| ran.stdout.contains(word));
    assert!(ran.code == 0 && !bad && ran.stderr.is_empty(), "{commands:?}: {ran:#?}");
}

#[test]
fn qemu_img_converts_and_compares() {
    if !have(&["qemu-img"]) {
        return;
    }
    let emulator = Emulator::start(RIG);
    let source = emulator.file("source");
    let mut bytes = noise(11, 64 * MIB);
    bytes[10 * MIB..30 * MIB].fill(0);
    std::fs::write(&source, &bytes).unwrap();
    let uri = emulator.uri("cached");
    let convert = ["convert", "-n", "-W", "-m", "16", "-f", "raw", "-O", "raw"];
    call("qemu-img", convert.iter().copied().chain([path(&source), &uri])).ok();
    call("qemu-img", ["compare", "-f", "raw", "-F", "raw", path(&source), &uri]).ok();
    let map: Value = serde_json::from_str(&call("qemu-img", ["map", "--output=json", "-f", "raw", &uri]).ok()).unwrap();
    let zeroes: u64 =
        map.as_array().unwrap().iter().filter(|e| e["zero"] == true).map(|e| e["length"].as_u64().unwrap()).sum();
    assert_eq!(zeroes, 20 * MIB as u64, "{map:#}");
    let back = emulator.file("back");
    call("qemu-img", ["convert", "-f", "raw", "-O", "raw", &uri, path(&back)]).ok();
    assert!(std::fs::read(back).unwrap() == bytes);
}

#[test]
fn a_qcow2_image_lives_inside_an_export() {
    if !have(&["qemu-img", "qemu-io"]) {
        return;
    }
    let emulator = Emulator::start(RIG);
    for export in ["plain", "cached"] {
        let uri = emulator.uri(export);
        call("qemu-img", ["create", "-f", "qcow2", &uri, "256M"]).ok();
        let fill = ["-f", "qcow2", "-c", "write -P 5 0 8M", "-c", "write -P 6 200M 8M", "-c", "discard 0 1M", &uri];
        let ran = call("qemu-io", fill).ok();
        assert!(!ran.contains("failed"), "{ran}");
        let checked: Value =
            serde_json::from_str(&call("qemu-img", ["check", "--output=json", "-f", "qcow2", &uri]).ok()).unwrap();
        assert_eq!((&checked["check-errors"], &checked["total-clusters"]), (&0.into(), &4096.into()), "{checked:#}");
        let ran = call("qemu-io", ["-f", "qcow2", "-c", "read -P 5 1M 7M", "-c", "read -P 6 200M 8M", &uri]).ok();
        assert!(!ran.contains("failed"), "{ran}");
    }
}

#[test]
fn fio_verifies_what_it_wrote() {
    if !have(&["fio"]) {
        return;
    }
    let emulator = Emulator::start(RIG);
    for (export, mode, more) in [
        ("plain", "randwrite", "--bs=4k"),
        ("cached", "randwrite", "--bs=4k"),
        ("plain", "randrw", "--bssplit=512/20:4k/40:64k/30:1m/10"),
        ("cached", "randrw", "--bssplit=512/20:4k/40:64k/30:1m/10"),
        ("cached", "write", "--bs=128k"),
        ("plain", "randtrimwrite", "--bs=4k"),
    ] {
        let (uri, mode) = (format!("--uri={}", emulator.uri(export)), format!("--rw={mode}"));
        let verify =
            ["--verify=crc32c", "--verify_fatal=1", "--do_verify=1", "--verify_backlog=4096", "--verify_state_save=0"];
        let verify = if mode.contains("trim") { &verify[..0] } else { &verify[..] };
        let args = ["--name=v", "--ioengine=nbd", &uri, &mode, more, "--iodepth=64", "--size=32M", "--allrandrepeat=1"];
        let ran = call("fio", args.iter().chain(verify).copied().chain(["--output-format=json"]));
        assert_eq!(ran.code, 0, "{export} {mode}: {ran:#?}");
        let json = &ran.stdout[ran.stdout.find('{').expect("JSON")..];
        let told: Value = serde_json::from_str(json).unwrap();
        let job = &told["jobs"][0];
        assert_eq!(job["error"], 0, "{export} {mode}");
        assert!(job["write"]["io_bytes"].as_u64().unwrap() > 8 << 20, "{export} {mode}: {job:#}");
    }
}

fn path(path: &Path) -> &str {
    path.to_str().expect("temporary directories have plain names")
}
