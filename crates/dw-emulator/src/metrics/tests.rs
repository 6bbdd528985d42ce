//! What a scrape sees, and who may scrape.

use std::io::{Read, Write};
use std::net::TcpStream;

use super::*;
use crate::command::{Answer, Command};
use crate::control::channel;
use crate::status::{LATENCY_BOUNDS_NS, LimitStatus, OpStatus, VolumeStatus};
use dw_catalogue::metrics::NAMES;
use dw_documents::{LimitId, Quantity};

fn limit(id: LimitId, disk: Option<&str>, credits: Option<(u64, u64)>) -> LimitStatus {
    LimitStatus {
        limit: id.name(),
        id,
        disk: disk.map(String::from),
        rate: 5_000,
        burst_rate: credits.map(|_| 30_000),
        credits: credits.map(|c| c.0),
        credits_max: credits.map(|c| c.1),
        granted: 12_345,
        consumed_percent: 62.5,
        binding_percent: 0.0,
        binding_ns: 1_500_000_000,
    }
}

fn busy() -> Status {
    // 3 at most 1 ms, 1 more at most 2 ms, 1 beyond 10 s.
    let at_most = LATENCY_BOUNDS_NS.map(|bound| if bound < 1_000_000 { 0 } else { 3 + u64::from(bound >= 2_000_000) });
    let reads = OpStatus {
        count: 5,
        bytes: 40_960,
        latency_sum_ns: 20_000_000_000,
        at_most: at_most.into(),
        ..OpStatus::default()
    };
    let volume = VolumeStatus {
        name: "my \"data\"".into(),
        size_bytes: 1 << 30,
        disks: vec!["data.0".into()],
        host_cache: dw_units::CacheMode::ReadOnly,
        attached: true,
        queue_depth: 7,
        dirty_bytes: 0,
        hits_ram: 1,
        hits_ssd: 2,
        misses: 1,
        destaged_bytes: 0,
        room_percent: 0.0,
        first_touch_percent: 0.0,
        untouched_bytes: None,
        reads,
        writes: OpStatus::default(),
        flushes: OpStatus::default(),
        trims: OpStatus::default(),
    };
    let limits = vec![
        limit(LimitId::vm("cached", Quantity::Throughput), None, None),
        limit(LimitId::disk("data", Quantity::Iops), Some("data.0"), Some((25, 100))),
    ];
    Status { limits, volumes: vec![volume], connections: 2, ..Status::default() }
}

/// The lines of one metric.
fn check(metric: &str, expected: &[&str]) {
    let text = text(busy(), VendorNames(NAMES));
    let lines: Vec<_> = text.lines().filter(|line| line.starts_with(metric)).collect();
    assert_eq!(lines, expected, "{text}");
}

#[test]
fn limits_carry_the_vendors_names() {
    check(
        "diskwright_limit_consumed_percent",
        &[
            r#"diskwright_limit_consumed_percent{place="vm",limit="vm cached throughput",vendor_metric="VM Cached Bandwidth Consumed Percentage"} 62.5"#,
            r#"diskwright_limit_consumed_percent{place="data.0",limit="disk IOPS",vendor_metric="Data Disk IOPS Consumed Percentage"} 62.5"#,
        ],
    );
    check(
        "diskwright_burst_credits_used_percent",
        &[
            r#"diskwright_burst_credits_used_percent{place="data.0",limit="disk IOPS",vendor_metric="Data Disk Used Burst IO Credits Percentage"} 75.0"#,
        ],
    );
    check(
        "diskwright_limit_binding_seconds_total",
        &[
            r#"diskwright_limit_binding_seconds_total{place="vm",limit="vm cached throughput"} 1.5"#,
            r#"diskwright_limit_binding_seconds_total{place="data.0",limit="disk IOPS"} 1.5"#,
        ],
    );
}

#[test]
fn a_gate_that_the_vendor_does_not_measure_has_its_own_name_alone() {
    for (gate, consumed, spent) in [
        ("cached", "VM Cached IOPS Consumed Percentage", "VM Local Used Burst IO Credits Percentage"),
        ("uncached", "VM Uncached IOPS Consumed Percentage", "VM Remote Used Burst IO Credits Percentage"),
        ("uncached-v2", "VM Uncached IOPS Consumed Percentage", "VM Remote Used Burst IO Credits Percentage"),
        ("uncached-all", "VM Uncached IOPS Consumed Percentage", "VM Remote Used Burst IO Credits Percentage"),
        ("local", "", ""),
        ("network", "", ""),
    ] {
        let limit = limit(LimitId::vm(gate, Quantity::Iops), None, Some((25, 100)));
        let name = limit.limit.clone();
        let text = text(Status { limits: vec![limit], ..Status::default() }, VendorNames(NAMES));
        for (metric, vendors, value) in [("limit_consumed", consumed, "62.5"), ("burst_credits_used", spent, "75.0")] {
            let vendors = if vendors.is_empty() { String::new() } else { format!(r#",vendor_metric="{vendors}""#) };
            let line = format!(r#"diskwright_{metric}_percent{{place="vm",limit="{name}"{vendors}}} {value}"#);
            assert!(text.lines().any(|found| found == line), "no {line} in {text}");
        }
    }
}

#[test]
fn volumes_carry_them_too_and_names_are_escaped() {
    check(
        "diskwright_cache_read_percent",
        &[
            r#"diskwright_cache_read_percent{volume="my \"data\"",vendor_metric="Premium Data Disk Cache Read Hit"} 75.0"#,
            r#"diskwright_cache_read_percent{volume="my \"data\"",vendor_metric="Premium Data Disk Cache Read Miss"} 25.0"#,
        ],
    );
    check(
        "diskwright_volume_queue_depth",
        &[r#"diskwright_volume_queue_depth{volume="my \"data\"",vendor_metric="Data Disk Queue Depth"} 7.0"#],
    );
}

#[test]
fn latency_buckets_add_up_to_the_count() {
    let text = text(busy(), VendorNames(NAMES));
    let bucket = |bound: &str| {
        let start =
            format!(r#"diskwright_volume_latency_seconds_bucket{{le="{bound}",volume="my \"data\"",op="read"}} "#);
        let line = text.lines().find_map(|line| line.strip_prefix(&start));
        line.unwrap_or_else(|| panic!("no {start} in {text}")).parse::<u64>().unwrap()
    };
    let found = ["0.0005", "0.001", "0.002", "10.0", "+Inf"].map(bucket);
    assert_eq!(found, [0, 3, 4, 4, 5]);
    assert!(text.contains(r#"diskwright_volume_latency_seconds_count{volume="my \"data\"",op="read"} 5"#));
    assert!(text.ends_with("# EOF\n"));
}

#[test]
fn a_scrape_asks_the_loop_and_a_loop_that_is_gone_is_an_error() {
    let (handle, mut inbox) = channel().unwrap();
    let address = serve("127.0.0.1:0", handle, VendorNames::default()).unwrap();
    let scrape = move || {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let asking = std::thread::spawn(scrape);
    let (command, reply) = loop {
        let mut polled = [rustix::event::PollFd::from_borrowed_fd(inbox.fd(), rustix::event::PollFlags::IN)];
        rustix::event::poll(&mut polled, None).unwrap();
        if let Some(asked) = inbox.take() {
            break asked;
        }
    };
    assert_eq!(command, Command::Status);
    reply.send(Ok(Answer::Status { status: Box::new(busy()) }));
    let answer = asking.join().unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains("\r\ncontent-type: application/openmetrics-text"),
        "{answer}"
    );
    assert!(answer.contains("\ndiskwright_connections{} 2.0\n"), "{answer}");
    drop(inbox);
    let answer = scrape();
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
}

/// A page of the web that lets its own name point to the loopback reads nothing.
#[test]
fn whoever_asks_by_another_name_is_refused() {
    let (handle, inbox) = channel().unwrap();
    drop(inbox);
    let address = serve("localhost:0", handle, VendorNames::default()).unwrap();
    let asked = |head: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(format!("{head}\r\nConnection: close\r\n\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split_whitespace().nth(1).map(str::to_string)
    };
    // Whoever is let in finds nobody at home: 503.
    for (host, code) in [
        ("127.0.0.1", "503"),
        ("127.0.0.1:9", "503"),
        ("LOCALHOST", "503"),
        ("[::1]:7", "503"),
        ("127.1.2.3", "503"),
        ("evil.example", "403"),
        ("127.0.0.1.evil.example", "403"),
        ("localhost.evil.example", "403"),
        ("192.0.2.1", "403"),
        ("", "403"),
        ("127.0.0.1\r\nHost: evil.example", "403"),
    ] {
        let found = asked(&format!("GET /metrics HTTP/1.1\r\nHost: {host}"));
        assert_eq!(found.as_deref(), Some(code), "{host}");
    }
    assert_eq!(asked("GET /metrics HTTP/1.1").as_deref(), Some("403"), "without a name");
    let other = asked("GET http://evil.example/metrics HTTP/1.1\r\nHost: 127.0.0.1");
    assert_eq!(other.as_deref(), Some("403"), "as a proxy");
}

#[test]
fn only_this_machine_may_scrape() {
    let refused = |address: &str| serve(address, channel().unwrap().0, VendorNames::default()).unwrap_err().to_string();
    let expected = "`0.0.0.0:0` is reachable from other machines: metrics have no password, use 127.0.0.1";
    assert_eq!(refused("0.0.0.0:0"), expected);
    assert!(refused("9900").starts_with("`9900` is not an address such as 127.0.0.1:9900"), "{}", refused("9900"));
}
