//! The one door of the handshake's tests: a client's lines in, the server's lines out.
//!
//! ```text
//! flags 3 / structured / set-meta data base:allocation / go data sizes
//! ```
//!
//! Every dialogue is held twice, with all bytes at once and byte by byte.

use dw_emulator::fuzzing::peer;
use dw_emulator::nbd::{ExportInfo, ExportList, Handshake, Step, TlsMode, wire::info};
use std::fmt::Write as _;

/// The exports of every dialogue.
fn exports() -> Vec<ExportInfo> {
    vec![
        ExportInfo { description: "4 x P30".into(), ..ExportInfo::new("data", 1 << 20) },
        ExportInfo { read_only: true, rotational: true, ..ExportInfo::new("logs", 1 << 21) },
        ExportInfo { detached: true, ..ExportInfo::new("gone", 1 << 20) },
        ExportInfo { min_block: 4096, preferred_block: 1 << 16, ..ExportInfo::new("coarse", 1 << 20) },
    ]
}

/// Holds the dialogue and compares what the server said.
#[track_caller]
pub fn check(tls: TlsMode, script: &str, expected: &str) {
    let bytes: Vec<u8> = script.split(" / ").flat_map(spoken).collect();
    let at_once = hold(tls, &bytes, bytes.len(), false);
    let bytewise = hold(tls, &bytes, 1, false);
    assert_eq!(at_once, bytewise, "arriving byte by byte must not matter: {script}");
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(at_once, expected, "{script}");
}

/// The same for a server that is going away.
#[track_caller]
pub fn check_stopping(script: &str, expected: &str) {
    let bytes: Vec<u8> = script.split(" / ").flat_map(spoken).collect();
    assert_eq!(hold(TlsMode::Off, &bytes, bytes.len(), true), [expected], "{script}");
}

fn hold(tls: TlsMode, bytes: &[u8], piece: usize, stopping: bool) -> Vec<String> {
    let exports = exports();
    let list = ExportList { exports: &exports, default: Some(0) };
    let mut out = Vec::new();
    let mut handshake = Handshake::new(tls, &mut out);
    assert_eq!(out, b"NBDMAGICIHAVEOPT\x00\x03", "the greeting");
    if stopping {
        handshake.stop();
    }
    let mut heard = Vec::new();
    let (mut done, mut there) = (0, 0);
    loop {
        out.clear();
        let (consumed, step) = handshake.feed(&bytes[done..there], list, &mut out);
        done += consumed;
        let old = matches!(step, Step::Transmission(_)) && peer::option_replies(&out).is_err();
        heard.extend(if old { vec![old_reply(&out)] } else { replies(&out) });
        match step {
            Step::More if there == bytes.len() => return heard,
            Step::More => there = bytes.len().min(there + piece),
            Step::Next => {}
            Step::StartTls => heard.push("TLS begins".into()),
            Step::Close(why) => heard.push(format!("closed: {why}")),
            Step::Transmission(terms) => {
                let most = if terms.sizes_asked { 32 << 20 } else { 64 << 20 };
                assert_eq!(terms.max_payload, most, "who is told nothing may send more");
                let contexts = if terms.base_allocation { ", base:allocation" } else { "" };
                heard.push(format!("transmission: {} {:?}{contexts}", exports[terms.export].name, terms.style));
            }
        }
        if let Step::Close(_) | Step::Transmission(_) = step {
            return heard;
        }
    }
}

/// What a line of the client is in bytes.
fn spoken(line: &str) -> Vec<u8> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let name = |at: usize| match words.get(at) {
        Some(&"-") | None => "",
        Some(name) => name,
    };
    match words[0] {
        "flags" => words[1].parse::<u32>().expect("flags").to_be_bytes().to_vec(),
        "raw" => words[1].as_bytes().to_vec(),
        "export-name" => option(1, name(1).as_bytes()),
        "abort" => option(2, b"ignored"),
        "list" => option(3, name(1).as_bytes()),
        "peek" => option(4, b""),
        "starttls" => option(5, name(1).as_bytes()),
        "info" => option(6, &asked(name(1), &words[2.min(words.len())..])),
        "go" => option(7, &asked(name(1), &words[2.min(words.len())..])),
        "structured" => option(8, name(1).as_bytes()),
        "list-meta" => option(9, &queries(name(1), &words[2.min(words.len())..])),
        "list-meta-and-more" => option(9, &[&queries(name(1), &words[2..])[..], b"xyz"].concat()),
        "set-meta" => option(10, &queries(name(1), &words[2.min(words.len())..])),
        "extended" => option(11, name(1).as_bytes()),
        // option NUMBER LENGTH: that many bytes of nonsense
        "option" => option(words[1].parse().expect("number"), &vec![b'x'; words[2].parse().expect("length")]),
        // claim NUMBER LENGTH: the header without the data
        "claim" => {
            let mut bytes = option(words[1].parse().expect("number"), b"");
            bytes[12..].copy_from_slice(&words[2].parse::<u32>().expect("length").to_be_bytes());
            bytes
        }
        other => panic!("no client says `{other}`"),
    }
}

fn option(number: u32, data: &[u8]) -> Vec<u8> {
    let len = data.len() as u32;
    [b"IHAVEOPT", &number.to_be_bytes()[..], &len.to_be_bytes(), data].concat()
}

fn asked(export: &str, items: &[&str]) -> Vec<u8> {
    let kinds = items.iter().map(|&item| match item {
        "name" => info::NAME,
        "description" => info::DESCRIPTION,
        "sizes" => info::BLOCK_SIZE,
        number => number.parse().expect("an information request"),
    });
    let mut data = string(export);
    data.extend((items.len() as u16).to_be_bytes());
    data.extend(kinds.flat_map(u16::to_be_bytes));
    data
}

fn queries(export: &str, list: &[&str]) -> Vec<u8> {
    let mut data = string(export);
    data.extend((list.len() as u32).to_be_bytes());
    data.extend(list.iter().flat_map(|query| string(query)));
    data
}

fn string(text: &str) -> Vec<u8> {
    [&(text.len() as u32).to_be_bytes(), text.as_bytes()].concat()
}

/// The server's replies, a line each.
fn replies(bytes: &[u8]) -> Vec<String> {
    let replies = peer::option_replies(bytes).expect("what the server says can be read");
    replies.iter().map(|reply| format!("{} {}", option_name(reply.option), reply_text(reply))).collect()
}

fn option_name(option: u32) -> String {
    let names = ["", "", "abort", "list", "peek", "starttls", "info", "go", "structured"];
    let more = ["list-meta", "set-meta", "extended"];
    match names.iter().chain(&more).nth(option as usize) {
        Some(name) => (*name).to_string(),
        None => format!("option {option}"),
    }
}

fn reply_text(reply: &peer::OptionReply) -> String {
    let payload = &reply.payload;
    let text = |from: usize| String::from_utf8(payload[from..].to_vec()).expect("UTF-8");
    let number =
        |at: usize, len: usize| payload[at..at + len].iter().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
    match reply.kind {
        1 => "ack".into(),
        2 => {
            let name_end = 4 + number(0, 4) as usize;
            format!("server `{}` `{}`", String::from_utf8_lossy(&payload[4..name_end]), text(name_end))
        }
        3 => match number(0, 2) {
            0 => format!("export {} {}", number(2, 8), flags(number(10, 2))),
            1 => format!("name {}", text(2)),
            2 => format!("description {}", text(2)),
            3 => format!("sizes {} {} {}", number(2, 4), number(6, 4), number(10, 4)),
            other => format!("information {other}"),
        },
        4 => format!("context {} {}", number(0, 4), text(4)),
        error => {
            let names =
                ["", "UNSUP", "POLICY", "INVALID", "PLATFORM", "TLS_REQD", "UNKNOWN", "SHUTDOWN", "BLOCK_SIZE_REQD"];
            let more = ["TOO_BIG", "EXT_HEADER_REQD"];
            let name = names.iter().chain(&more).nth((error - 0x8000_0000) as usize).expect("an error of the protocol");
            format!("{name}: {}", text(0))
        }
    }
}

/// The answer to EXPORT_NAME.
fn old_reply(bytes: &[u8]) -> String {
    let number = |at: usize, len: usize| bytes[at..at + len].iter().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
    assert!(bytes[10..].iter().all(|&byte| byte == 0));
    format!("{} {}, {} zeroes", number(0, 8), flags(number(8, 2)), bytes.len() - 10)
}

fn flags(bits: u64) -> String {
    let names =
        ["flags", "ro", "flush", "fua", "rotational", "trim", "zeroes", "df", "multi", "resize", "cache", "fast-zero"];
    let mut text = String::new();
    for (bit, name) in names.iter().enumerate().skip(1).filter(|(bit, _)| bits >> bit & 1 == 1) {
        let separator = if text.is_empty() { "" } else { "+" };
        write!(text, "{separator}{name}").unwrap_or_else(|_| unreachable!("bit {bit} of a string"));
    }
    assert_eq!((bits & 1, bits >> 12), (1, 0));
    text
}
