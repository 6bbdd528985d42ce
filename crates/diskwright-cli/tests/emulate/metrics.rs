//! `/metrics` of a running emulator, and the log of throttled seconds.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use crate::emulate::raw::{Client, READ, request};
use crate::emulate::support::{Emulator, RIG, call, have, wait_until};

/// One limit that binds at once: 10 IOPS.
const SLOW: &str = r#"
[vm]

[[volume]]
name = "slow"
disks = [{ size = "64 MiB", limits = { iops = 10 }, latency = { read = "50 us", write = "50 us" } }]
"#;

pub fn scrape(emulator: &Emulator) -> String {
    let log = emulator.log();
    let address = log.split("http://").nth(1).and_then(|rest| rest.split("/metrics").next());
    let mut stream = TcpStream::connect(address.unwrap_or_else(|| panic!("no address in {log}"))).unwrap();
    stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    answer.split_once("\r\n\r\n").unwrap().1.to_string()
}

#[test]
fn a_strict_reader_takes_the_metrics() {
    if !have(&["qemu-io"]) {
        return;
    }
    // Debian's, where its packages are: a developer's own Python may come first in the search path.
    let parser = ["-c", "import prometheus_client.openmetrics.parser"];
    if !std::path::Path::new("/usr/bin/python3").exists() || call("/usr/bin/python3", parser).code != 0 {
        eprintln!("SKIPPED: python3-prometheus-client is not installed (scripts/setup-test-tools.sh installs it)");
        return;
    }
    let emulator = Emulator::start_with(RIG, &["--metrics", "127.0.0.1:0"]);
    call("qemu-io", ["-f", "raw", "-c", "write 0 64k", "-c", "read 0 64k", &emulator.uri("plain")]).ok();
    let text = scrape(&emulator);
    let script = "import sys, prometheus_client.openmetrics.parser as p
for family in p.text_string_to_metric_families(sys.stdin.read()):
    for sample in family.samples:
        print(sample.name, sorted(sample.labels.items()), sample.value)";
    let mut python = Command::new("/usr/bin/python3")
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    python.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = python.wait_with_output().unwrap();
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
    let read = String::from_utf8_lossy(&output.stdout);
    let sample = |line: &str| assert!(read.lines().any(|found| found == line), "no {line} in {read}");
    sample("diskwright_volume_operations_total [('op', 'write'), ('volume', 'plain')] 1.0");
    sample("diskwright_volume_transferred_bytes_total [('op', 'read'), ('volume', 'plain')] 65536.0");
    sample("diskwright_volume_latency_seconds_count [('op', 'read'), ('volume', 'plain')] 1");
    sample("diskwright_volume_attached [('volume', 'cached')] 1.0");
}

#[test]
fn every_throttled_second_has_its_row() {
    let emulator = Emulator::start_with(SLOW, &["--log-throttled", "throttled.csv"]);
    // 25 requests at once, of which the limit lets 10 a second through: they wait, however slow the machine is.
    let mut client = Client::open(&emulator.socket(), "slow").unwrap();
    client.write(&(0..25).flat_map(|n| request(READ, n, n * 4096, 4096)).collect::<Vec<u8>>()).unwrap();
    let rows = || std::fs::read_to_string(emulator.file("throttled.csv")).unwrap();
    wait_until("two seconds are in the log", || rows().lines().count() >= 3);
    let text = rows();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("second,length_s,place,limit,binding_percent,waited_requests"));
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!((cells.len(), cells[2], cells[3]), (6, "slow.0", "disk IOPS"), "{text}");
        let share: f64 = cells[4].parse().unwrap();
        assert!(share > 0.0 && share <= 100.0, "{text}");
    }
    let waited: u64 = text.lines().skip(1).filter_map(|line| line.rsplit(',').next()?.parse::<u64>().ok()).sum();
    assert!((1..=25).contains(&waited), "{text}");
}

#[test]
fn metrics_are_for_this_machine() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("rig.toml"), RIG).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
    command.env("LC_ALL", "C");
    let args = ["emulate", "rig.toml", "--memory", "--socket", "nbd.sock", "--metrics", "0.0.0.0:0"];
    let ran = crate::emulate::support::run(command.args(args).current_dir(folder.path()));
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.stderr.contains("is reachable from other machines"), "{ran:?}");
}
