//! Replies as the other end reads them.

use dw_emulator::fuzzing::peer::{self, Message};
use dw_emulator::nbd::{
    Errno, ReplyTo, StatusExtent, Style,
    reply::{BASE_ALLOCATION_ID, MAX_EXTENTS},
};

const COOKIE: u64 = 0xfeed_0000_beef_0001;
const CHUNKED: [Style; 2] = [Style::Structured, Style::Extended];

/// Encodes with `write` and compares what the other end reads, one line a message.
#[track_caller]
fn check(style: Style, write: impl Fn(&ReplyTo, &mut Vec<u8>), expected: &str) {
    assert_eq!(heard(style, write).join(" / "), expected, "{style:?}");
}

fn heard(style: Style, write: impl Fn(&ReplyTo, &mut Vec<u8>)) -> Vec<String> {
    let to = ReplyTo { style, cookie: COOKIE, offset: 8192 };
    let mut out = b"before".to_vec();
    write(&to, &mut out);
    assert!(out.starts_with(b"before"), "replies are appended");
    let reply = &out[6..];
    let messages = peer::messages(reply, |_| reply.len() - 16).expect("it can be read");
    messages.iter().map(|message| line(style, message)).collect()
}

fn line(style: Style, message: &Message) -> String {
    match message {
        Message::Simple { error, cookie, data } => {
            assert_eq!((style, *cookie), (Style::Simple, COOKIE));
            format!("simple {error}{}", String::from_utf8_lossy(data))
        }
        Message::Chunk { offset, done, kind, cookie, payload } => {
            assert_eq!((*cookie, *offset), (COOKIE, (style == Style::Extended).then_some(8192)));
            let done = if *done { " done" } else { "" };
            format!("{}{done}", content(*kind, payload))
        }
    }
}

fn content(kind: u16, payload: &[u8]) -> String {
    let number =
        |at: usize, len: usize| payload[at..at + len].iter().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
    let text = |from: usize, len: usize| String::from_utf8_lossy(&payload[from..from + len]).to_string();
    match kind {
        0 => "none".into(),
        1 => format!("data at {} {}", number(0, 8), text(8, payload.len() - 8)),
        2 => format!("hole at {} {}", number(0, 8), number(8, 4)),
        0x8001 => format!("error {} {}", number(0, 4), text(6, payload.len() - 6)),
        0x8002 => {
            let len = number(4, 2) as usize;
            format!("error {} {} at {}", number(0, 4), text(6, len), number(6 + len, 8))
        }
        5 => {
            assert_eq!(number(0, 4), u64::from(BASE_ALLOCATION_ID));
            status(payload[4..].chunks(8).map(|pair| (&pair[..4], &pair[4..])))
        }
        6 => {
            assert_eq!(number(0, 4), u64::from(BASE_ALLOCATION_ID));
            status(payload[8..].chunks(16).map(|pair| (&pair[..8], &pair[8..])))
        }
        other => format!("type {other}"),
    }
}

fn status<'a>(extents: impl Iterator<Item = (&'a [u8], &'a [u8])>) -> String {
    let number = |bytes: &[u8]| bytes.iter().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
    let list: Vec<String> = extents.map(|(len, flags)| format!("{}:{}", number(len), number(flags))).collect();
    list.join(" ")
}

#[test]
fn success_without_data() {
    check(Style::Simple, |to, out| to.done(out), "simple 0");
    for style in CHUNKED {
        check(style, |to, out| to.done(out), "none done");
    }
}

#[test]
fn errors_carry_their_number_and_with_chunks_a_message() {
    for (errno, number) in Errno::ALL.into_iter().zip([1, 5, 12, 22, 28, 75, 95, 108]) {
        check(Style::Simple, |to, out| to.error(out, errno, "why"), &format!("simple {number}"));
        check(Style::Simple, |to, out| to.error_at(out, errno, "why", 8200), &format!("simple {number}"));
        for style in CHUNKED {
            check(style, |to, out| to.error(out, errno, "why"), &format!("error {number} why done"));
            let expected = format!("error {number} why at 8200 done");
            check(style, |to, out| to.error_at(out, errno, "why", 8200), &expected);
        }
    }
}

#[test]
fn long_messages_are_cut_between_characters() {
    let message = "ä".repeat(3000);
    for style in CHUNKED {
        let expected = format!("error 5 {} done", "ä".repeat(2048));
        check(style, |to, out| to.error(out, Errno::Io, &message), &expected);
    }
}

#[test]
fn a_read_is_headers_that_data_follows() {
    let whole = |to: &ReplyTo, out: &mut Vec<u8>| {
        to.data(out, 8192, 4, true);
        out.extend(b"data");
    };
    check(Style::Simple, whole, "simple 0data");
    for style in CHUNKED {
        check(style, whole, "data at 8192 data done");
        let pieces = |to: &ReplyTo, out: &mut Vec<u8>| {
            to.data(out, 8192, 4, false);
            out.extend(b"data");
            to.hole(out, 8196, 4096, false);
            to.data(out, 12292, 2, true);
            out.extend(b"ta");
        };
        check(style, pieces, "data at 8192 data / hole at 8196 4096 / data at 12292 ta done");
        check(style, |to, out| to.hole(out, 8192, u32::MAX, true), "hole at 8192 4294967295 done");
    }
}

/// `len:kind` with kind d(ata), h(ole), z(ero but allocated).
fn extents(text: &str) -> Vec<StatusExtent> {
    let one = |word: &str| {
        let (len, kind) = word.split_once(':').expect("len:kind");
        let len = len.parse().expect("a length");
        StatusExtent { len, hole: kind == "h", zero: kind != "d" }
    };
    text.split_whitespace().map(one).collect()
}

#[test]
fn block_status_in_chunks() {
    let rows = [
        ("several", 300, false, "100:d 100:h 100:z", "100:0 100:3 100:2"),
        ("equals are joined", 300, false, "100:h 50:h 150:d", "150:3 150:0"),
        ("empty ones are dropped", 300, false, "0:d 100:h 0:d 100:h 100:d", "200:3 100:0"),
        ("the last may go beyond", 150, false, "100:d 100:h", "100:0 100:3"),
        ("nothing starts beyond", 100, false, "100:d 100:h", "100:0"),
        ("unless it is the same", 100, false, "100:d 100:d 5:h", "200:0"),
        ("one means one", 300, true, "100:d 200:h", "100:0"),
        ("one is cut off", 300, true, "400:h", "300:3"),
        ("one is joined first", 300, true, "100:h 400:h", "300:3"),
        ("fewer are allowed", 300, false, "100:d", "100:0"),
        ("none counts as data", 300, false, "", "300:0"),
    ];
    for (name, len, one, given, expected) in rows {
        for style in CHUNKED {
            let expected = [format!("{expected} done")];
            assert_eq!(heard(style, |to, out| to.status(out, len, one, extents(given))), expected, "{name}, {style:?}");
        }
    }
}

#[test]
fn long_extents_are_whole_only_with_extended_headers() {
    let given = "4096:d 1099511627776:h 4096:d";
    let asked = 1 << 40;
    check(Style::Extended, |to, out| to.status(out, asked, false, extents(given)), "4096:0 1099511627776:3 done");
    check(Style::Structured, |to, out| to.status(out, 1 << 31, false, extents(given)), "4096:0 4294901760:3 done");
    let nearly = "4294963200:h 4096:d";
    let all = u64::from(u32::MAX);
    check(Style::Structured, |to, out| to.status(out, all, false, extents(nearly)), "4294901760:3 done");
    check(Style::Extended, |to, out| to.status(out, all, false, extents(nearly)), "4294963200:3 4096:0 done");
}

#[test]
fn the_number_of_extents_is_bounded() {
    let endless = (0..).map(|n| StatusExtent { len: 512, hole: n % 2 == 0, zero: n % 2 == 0 });
    for (style, bytes) in [(Style::Structured, 8), (Style::Extended, 16)] {
        let mut out = Vec::new();
        let to = ReplyTo { style, cookie: COOKIE, offset: 0 };
        to.status(&mut out, u64::from(u32::MAX), false, endless.clone());
        assert!(out.len() <= MAX_EXTENTS * bytes + 64 && out.len() > MAX_EXTENTS * bytes, "{} bytes", out.len());
    }
}
