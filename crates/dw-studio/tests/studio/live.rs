//! A running emulation on the page: one task looks for all, and who does not name one at the start has none.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use dw_studio::Limits;
use serde_json::{Value, json};

use crate::raw::{Visitor, connect};
use crate::support::{Pretended, start, start_beside};

/// A stream of frames.
struct Stream {
    from: TcpStream,
    held: String,
}

impl Stream {
    fn open(visitor: &Visitor) -> Stream {
        Stream::open_in(visitor, "en")
    }

    fn open_in(visitor: &Visitor, language: &str) -> Stream {
        let mut from = connect(visitor.studio);
        let head = visitor.head("live", 4).replacen("\r\n", &format!("\r\nAccept-Language: {language}\r\n"), 1);
        from.write_all(format!("{head}null").as_bytes()).unwrap();
        Stream { from, held: String::new() }
    }

    /// The next event.
    fn next(&mut self) -> Value {
        loop {
            if let Some((event, rest)) = self.held.split_once("\n\n") {
                let found = event.rsplit_once("data: ").map(|(_, json)| serde_json::from_str(json).unwrap());
                self.held = rest.to_string();
                if let Some(found) = found {
                    return found;
                }
                continue;
            }
            let mut part = [0; 65_536];
            let count = self.from.read(&mut part).unwrap();
            assert!(count > 0, "the stream ended: {}", self.held);
            self.held += &String::from_utf8_lossy(&part[..count]);
        }
    }

    fn until(&mut self, what: &str, is: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let event = self.next();
            if is(&event) {
                return event;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "{what}: {event}");
        }
    }
}

#[test]
fn one_task_looks_for_all_streams_and_for_none_it_rests() {
    let pretended = Pretended::default();
    let studio = start_beside(Limits::default(), pretended.emulation());
    let visitor = Visitor::enter(&studio);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(pretended.now().statuses, 0, "nobody looks");
    let mut streams: Vec<Stream> = (0..7).map(|_| Stream::open(&visitor)).collect();
    for stream in &mut streams {
        assert!(stream.next()["rows"].is_array(), "what was comes first");
    }
    for _ in 0..20 {
        streams[0].next();
    }
    let seen = streams[0].until("rates", |frame| frame["volumes"][0]["write"]["iops"].as_f64() > Some(0.0));
    let connections = pretended.now().connections;
    let statuses = pretended.now().statuses;
    assert_eq!(connections, 1, "one connection for all");
    assert!(statuses < 100, "one look for all: {statuses}");
    // Figures: those of the emulation.
    let data = &seen["volumes"][1];
    assert_eq!((&data["name"], &data["cache"]), (&json!("data"), &json!("ReadWrite")));
    let near = |found: &Value, expected: f64| (found.as_f64().unwrap() / expected - 1.0).abs() < 0.05;
    assert!(near(&data["read"]["iops"], 24_200.0) && near(&data["hits"], 90.0), "{data}");
    let limits = seen["limits"].as_array().unwrap();
    let burst =
        limits.iter().find(|limit| limit["id"]["volume"] == "log" && limit["id"]["quantity"] == "iops").unwrap();
    assert!(near(&burst["credits"], 79.4) && burst["used"] == 700.0, "{burst}");
    drop(streams);
    // The last frame to nobody ends it.
    std::thread::sleep(Duration::from_millis(1_500));
    let rests = pretended.now().statuses;
    std::thread::sleep(Duration::from_millis(500));
    assert!(pretended.now().statuses <= rests + 1, "it rests again");
}

#[test]
fn the_sentence_of_trust_is_the_emulations_own_in_the_language_of_the_page() {
    let pretended = Pretended::default();
    let studio = start_beside(Limits::default(), pretended.emulation());
    let visitor = Visitor::enter(&studio);
    for (language, begins, figure) in [
        ("en", "this machine keeps up: 0.0 % of 14,000,000 completions late", "5.74 ms as clients see it"),
        ("sv", "den här datorn hinner med: 0,0 %", "5,74 ms hos klienterna"),
        ("ru", "эта машина успевает", "5,74"),
        ("zh-Hans", "本机跟得上", "5.74"),
        ("ja", "このマシンは追いついています", "5.74"),
    ] {
        let frame = Stream::open_in(&visitor, language).until("it runs", |event| event["is"] == "running");
        let said = frame["trust"]["text"].as_str().unwrap();
        assert!(said.starts_with(begins) && said.contains(figure), "{language}: {said}");
        assert_eq!(frame["verdict"], "kept");
    }
}

#[test]
fn an_emulation_that_ends_is_said_and_found_again() {
    let pretended = Pretended::default();
    let studio = start_beside(Limits::default(), pretended.emulation());
    let visitor = Visitor::enter(&studio);
    let mut stream = Stream::open(&visitor);
    let first = stream.until("it runs", |event| event["is"] == "running");
    pretended.now().is_gone = true;
    let gone = stream.until("it is gone", |event| event["is"] == "gone");
    assert!(gone["why"]["what"].as_str().unwrap().contains("no emulator listens"), "{gone}");
    pretended.now().is_gone = false;
    let again = stream.until("it runs again", |event| event["is"] == "running");
    assert!(again["run"].as_u64() > first["run"].as_u64());
    // Who comes later gets what was, with a gap where it was gone.
    stream.until("time passes", |event| event["t"].as_f64() > Some(again["t"].as_f64().unwrap() + 1.2));
    let past = Stream::open(&visitor).next();
    let rows = past["rows"].as_array().unwrap();
    assert!(rows.iter().any(|row| row[1] == json!([])) && rows.len() > 1, "{past}");
}

#[test]
fn words_go_to_the_emulation_and_no_others() {
    let pretended = Pretended::default();
    let studio = start_beside(Limits::default(), pretended.emulation());
    let visitor = Visitor::enter(&studio);
    for (word, command) in [
        (json!({ "do": "pause" }), json!({ "cmd": "pause" })),
        (json!({ "do": "resume" }), json!({ "cmd": "resume" })),
        (
            json!({ "do": "cache", "volume": "data", "mode": "ReadOnly" }),
            json!({ "cmd": "cache", "volume": "data", "mode": "ReadOnly" }),
        ),
        (
            json!({ "do": "tier", "volume": "data", "to": "P50" }),
            json!({ "cmd": "tier", "volume": "data", "iops": 7_500, "bytes_per_second": 250_000_000 }),
        ),
        (
            json!({ "do": "tier", "volume": "log", "mb_per_s": 300 }),
            json!({ "cmd": "tier", "volume": "log", "bytes_per_second": 300_000_000 }),
        ),
    ] {
        visitor.ask("control", &word);
        assert_eq!(pretended.now().said.pop(), Some(command), "{word}");
    }
    for (word, said) in [
        (json!({ "do": "shutdown" }), "unknown variant"),
        (json!({ "do": "crash" }), "unknown variant"),
        (json!({ "do": "pause", "socket": "/tmp/other.sock" }), "socket"),
        (json!({ "do": "tier", "volume": "data" }), "no limit is named"),
        (json!({ "do": "tier", "volume": "data", "to": "P31" }), "P31"),
        (json!(null), "invalid request from the page"),
    ] {
        let answer = visitor.call("control", word.to_string().as_bytes());
        assert!(answer.status == 422 && answer.text().contains(said), "{word}: {}", answer.text());
    }
    assert_eq!(pretended.now().said, Vec::<Value>::new());
    pretended.now().is_gone = true;
    let answer = visitor.call("control", br#"{"do":"pause"}"#);
    assert!(answer.status == 422 && answer.text().contains("no emulator listens"), "{}", answer.text());

    let without = start(Limits::default(), &[]);
    let visitor = Visitor::enter(&without);
    for call in ["live", "control"] {
        let answer = visitor.call(call, br#"{"do":"pause"}"#);
        assert!(answer.status == 422 && answer.text().contains("no emulation is set"), "{call}: {}", answer.text());
    }
    assert_eq!(visitor.ask("hello", &json!(null))["emulation"], Value::Null);
}

#[test]
fn the_design_is_asked_what_it_gives_to_the_load_that_is_measured() {
    let studio = start(Limits::default(), &[]);
    let visitor = Visitor::enter(&studio);
    let source: String = json!({ "source": 0 }).to_string().bytes().map(|byte| format!("%{byte:02x}")).collect();
    let recording = visitor.call(&format!("observe?q={source}"), b"").json()["recording"].clone();
    let rig = "[vm]\nsize = 'Standard_E8ds_v5'\n[[volume]]\nname = 'data'\ndisks = 'P30'\n";
    let of = json!({ "recording": recording, "rig": rig, "load": 1.0, "region": "eastus" });
    let ask = |iops: f64, mean_us: f64, waits: bool, volume: &str| {
        let load = json!({ "volume": volume, "writes": false, "iops": iops, "bytes_per_s": iops * 8_192.0, "mean_us": mean_us, "waits": waits });
        visitor.ask("predict", &json!({ "of": of, "loads": [load] }))
    };
    let used = |found: &Value| {
        let limits = found["limits"].as_array().unwrap().iter();
        limits
            .map(|limit| (limit["used"].as_f64().unwrap(), limit["name"].as_str().unwrap().to_string()))
            .fold((0.0, String::new()), |most, one| if one.0 > most.0 { one } else { most })
    };
    let near = |found: &Value, expected: f64| (found.as_f64().unwrap() / expected - 1.0).abs() < 0.03;
    // Half of what a P30 gives: no waiting, the disk's own latency.
    let half = ask(2_500.0, 4_000.0, false, "data");
    assert!(near(&half["loads"][0]["iops"], 2_500.0) && (used(&half).0 - 50.0).abs() < 1.0, "{half}");
    // A loop that waits at the disk: 64 outstanding at 5,000 a second are 12.8 ms each.
    let full = ask(5_000.0, 12_800.0, true, "data");
    assert!(near(&full["loads"][0]["iops"], 5_000.0) && near(&full["loads"][0]["mean_us"], 12_800.0), "{full}");
    // The same loop on an emulation half as large: this design would give more.
    let more = ask(2_500.0, 25_600.0, true, "data");
    assert!(near(&more["loads"][0]["iops"], 5_000.0), "{more}");
    assert_eq!(ask(10.0, 1.0, false, "other")["unknown"], json!(["other"]));
    assert_eq!(ask(0.0, 0.0, false, "data")["loads"], json!([]));
}
