//! What it stands: much at once, slow, long.

use std::io::{Read as _, Write as _};
use std::time::Duration;

use dw_studio::{ASSETS, Limits};

use crate::raw::{Visitor, connect, read, send};
use crate::support::start;

#[test]
fn giant_headers_and_long_questions_are_refused() {
    let studio = start(Limits { question_bytes: 1_000, ..Limits::default() }, &[]);
    let visitor = Visitor::enter(&studio);
    let host = format!("127.0.0.1:{}", studio.port);
    let long = format!("GET / HTTP/1.1\r\nHost: {host}\r\nX: {}\r\n\r\n", "x".repeat(200_000));
    let found = send(&studio, long.as_bytes()).status;
    assert!([431, 0].contains(&found), "{found}");
    let many = format!("GET / HTTP/1.1\r\nHost: {host}\r\n{}\r\n", "X: 1\r\n".repeat(1_000));
    let found = send(&studio, many.as_bytes()).status;
    assert!([431, 0].contains(&found), "{found}");
    let found =
        send(&studio, format!("GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n", "x".repeat(200_000)).as_bytes()).status;
    assert!([414, 431, 0].contains(&found), "{found}");
    let answer = visitor.call("plan", &[b' '; 2_000]);
    assert_eq!(answer.status, 422);
    assert!(answer.text().contains("longer than 1000 bytes"), "{}", answer.text());
    assert_eq!(visitor.call("hello", b"null").status, 200, "it goes on");
}

#[test]
fn whoever_sends_slowly_is_cut_off() {
    let studio = start(Limits { patience: Duration::from_millis(300), ..Limits::default() }, &[]);
    let visitor = Visitor::enter(&studio);
    // A head that never ends.
    let mut stream = connect(&studio);
    stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").unwrap();
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    // A body that stops: a question, and a recording.
    for (path, what) in [("plan", "broke off"), ("observe?q=%7B%22name%22%3A%22a.txt%22%7D", "nothing more came")] {
        let mut stream = connect(&studio);
        stream.write_all(visitor.head(path, 1_000).as_bytes()).unwrap();
        stream.write_all(b"Linux").unwrap();
        let answer = read(stream);
        assert_eq!(answer.status, 422, "{answer:?}");
        assert!(answer.text().contains(what), "{}", answer.text());
    }
    assert_eq!(visitor.call("hello", b"null").status, 200, "it goes on");
}

#[test]
fn two_hundred_silent_connections_keep_nobody_out() {
    let studio = start(Limits { connections: 32, ..Limits::default() }, &[]);
    let visitor = Visitor::enter(&studio);
    let silent: Vec<_> = (0..200).map(|_| connect(&studio)).collect();
    assert_eq!(visitor.call("hello", b"null").status, 200);
    // The oldest were closed for it, the newest are still there.
    let is_closed = |stream: &mut std::net::TcpStream| {
        stream.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
        matches!(stream.read(&mut [0; 1]), Ok(0)) || stream.take_error().is_ok_and(|e| e.is_some())
    };
    let closed: Vec<bool> = silent.into_iter().map(|mut stream| is_closed(&mut stream)).collect();
    assert!(closed[..100].iter().all(|closed| *closed), "the oldest are closed");
    assert!(!closed[199], "the newest is open");
}

#[test]
fn a_recording_beyond_the_limit_is_refused_and_the_sender_hears_of_it() {
    let studio = start(Limits { upload_bytes: 1 << 20, ..Limits::default() }, &[]);
    let visitor = Visitor::enter(&studio);
    let answer =
        visitor.call("observe?q=%7B%22name%22%3A%22a.txt%22%7D", &crate::support::RECORDING.as_bytes().repeat(100));
    assert_eq!(answer.status, 422, "{answer:?}");
    assert!(answer.text().contains("longer than 1 MiB, the limit"), "{}", answer.text());
}

#[test]
fn the_page_is_small() {
    let raw: usize = ASSETS.iter().map(|asset| asset.bytes.len()).sum();
    assert!(raw <= 250_000, "{raw} bytes");
    // Each on its own, as nothing is sent packed: what a packer would make of all of them together is less.
    let packed: usize = ASSETS.iter().map(|asset| packed(asset.bytes)).sum();
    assert!(packed <= 90_000, "{packed} bytes packed");
}

/// Bytes that gzip makes of it.
fn packed(bytes: &[u8]) -> usize {
    use std::process::{Command, Stdio};
    let mut gzip = Command::new("gzip").arg("-9").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    gzip.stdin.take().unwrap().write_all(bytes).unwrap();
    gzip.wait_with_output().unwrap().stdout.len()
}
