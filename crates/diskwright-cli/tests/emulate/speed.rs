//! What a waiting request costs: nothing.
//!
//! No clock is read. What is counted is how often the server had to wake up, which a busy machine changes little: about
//! twice for each I/O that a limit lets through (its completion, the client's next request), however many wait.

use crate::emulate::raw::{Client, READ, request};
use crate::emulate::support::{Emulator, call, have, memory_kib};

/// How often the process gave up the processor of its own accord, all threads.
fn sleeps(pid: u32) -> u64 {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let status = threads.filter_map(|thread| std::fs::read_to_string(thread.unwrap().path().join("status")).ok());
    status.map(|text| field(&text, "voluntary_ctxt_switches")).sum()
}

fn field(status: &str, name: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// fio with `jobs` connections of `depth`; how many I/Os it did.
fn load(emulator: &Emulator, jobs: u32, depth: u32, more: &[&str]) -> u64 {
    let args = [
        "--name=x".into(),
        "--ioengine=nbd".into(),
        "--thread".into(),
        "--rw=randread".into(),
        "--bs=4k".into(),
        "--output-format=json".into(),
        "--group_reporting".into(),
        format!("--numjobs={jobs}"),
        format!("--iodepth={depth}"),
        format!("--uri={}", emulator.uri("data")),
    ];
    let text = call("fio", args.iter().map(String::as_str).chain(more.iter().copied())).ok();
    let document: serde_json::Value = serde_json::from_str(&text[text.find('{').unwrap()..]).unwrap();
    document["jobs"][0]["read"]["total_ios"].as_u64().unwrap()
}

#[test]
fn requests_that_wait_wake_nobody() {
    if !have(&["fio"]) {
        return;
    }
    let rig = r#"
        [vm]
        [[volume]]
        name = "data"
        disks = [{ size = "1 GiB", iops = 500, latency = { read = "100 us", write = "100 us" } }]
    "#;
    let emulator = Emulator::start(rig);
    let before = sleeps(emulator.pid());
    let ios = load(&emulator, 1, 128, &["--time_based", "--runtime=2"]);
    let sleeps = sleeps(emulator.pid()) - before;
    // Two for each, and some for the handshake; one a waiter would be 128 for each.
    assert!(sleeps <= 3 * ios + 100, "{sleeps} sleeps for {ios} I/Os");
}

#[test]
fn ten_thousand_requests_can_be_under_way() {
    if !have(&["fio"]) {
        return;
    }
    let rig = r#"
        [vm]
        [[volume]]
        name = "data"
        disks = [{ size = "1 GiB", latency = { read = "1 s", write = "1 s" } }]
    "#;
    let emulator = Emulator::start(rig);
    load(&emulator, 10, 1_000, &["--number_ios=1000"]);
    let (before, memory) = (sleeps(emulator.pid()), memory_kib(emulator.pid(), "VmRSS"));
    let ios = load(&emulator, 10, 1_000, &["--number_ios=2000"]);
    assert_eq!(ios, 20_000);
    let sleeps = sleeps(emulator.pid()) - before;
    assert!(sleeps <= 3 * ios, "{sleeps} sleeps for {ios} I/Os");
    let grown = memory_kib(emulator.pid(), "VmRSS").saturating_sub(memory);
    assert!(grown < 32 << 10, "the second round of the same load took {grown} KiB more");
}

/// The median and the 99th percentile of a few thousand reads, one at a time, in µs.
fn latencies(client: &mut Client) -> (u128, u128) {
    let mut times: Vec<u128> = (0..3_000)
        .map(|_| {
            let begin = std::time::Instant::now();
            client.pread(0, 4096).unwrap();
            let took = begin.elapsed().as_micros();
            std::thread::sleep(std::time::Duration::from_millis(1));
            took
        })
        .collect();
    times.sort_unstable();
    (times[times.len() / 2], times[times.len() * 99 / 100])
}

/// Two hundred clients ask for 512 MiB each and take nothing.
#[test]
#[ignore = "a measurement, for a machine that does nothing else: -- --ignored --nocapture"]
fn a_client_beside_two_hundred_that_take_nothing_waits_no_longer() {
    let rig = r#"
        [vm]
        [[volume]]
        name = "data"
        disks = [{ size = "64 MiB", latency = { read = "200 us", write = "200 us" } }]
    "#;
    let emulator = Emulator::start_with(rig, &["--memory"]);
    let mut quiet = Client::open(&emulator.socket(), "data").unwrap();
    let alone = latencies(&mut quiet);
    let mut crowd: Vec<Client> = (0..200).map(|_| Client::open(&emulator.socket(), "data").unwrap()).collect();
    for client in &mut crowd {
        let reads: Vec<u8> = (0..16).flat_map(|cookie| request(READ, cookie, 0, 32 << 20)).collect();
        client.write(&reads).unwrap();
    }
    let beside = latencies(&mut quiet);
    let memory = memory_kib(emulator.pid(), "VmHWM");
    eprintln!("median and 99th percentile, alone {alone:?} us, beside the others {beside:?} us; {memory} KiB at most");
    assert!(beside.0 <= 2 * alone.0 && memory < 300 << 10);
}
