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
    for (path, what) in
        [("plan", "broke off"), ("observe?q=%7B%22files%22%3A%5B%5B%22a.txt%22%2C0%5D%5D%7D", "nothing more came")]
    {
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

/// A right call, from a new connection.
fn is_answered(visitor: &Visitor, while_: &str) {
    assert_eq!(visitor.call("hello", b"null").status, 200, "{while_}");
}

#[test]
fn of_a_thousand_connections_of_any_kind_none_keeps_a_right_one_out() {
    let pretended = crate::support::Pretended::default();
    let limits = Limits { patience: Duration::from_secs(3_600), ..Limits::default() };
    let studio = crate::support::start_beside(limits, pretended.emulation());
    let visitor = Visitor::enter(&studio);
    let live = format!("{}null", visitor.head("live", 4));
    // What each kind sends, and keeps open: nobody's patience ends here, so it is the limit that makes room.
    let kinds: [(&str, Vec<u8>); 5] = [
        ("nothing is said", Vec::new()),
        ("a head is said slowly", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ".to_vec()),
        ("a body is sent slowly", [visitor.head("plan", 1_000).as_bytes(), b"{"].concat()),
        ("a stream is not read", live.into_bytes()),
        ("an answer is not read", format!("{}null", visitor.head("hello", 4)).into_bytes()),
    ];
    let mut all = Vec::new();
    for (kind, says) in &kinds {
        for count in 0..1_000 {
            let mut stream = connect(&studio);
            let _ = stream.write_all(says);
            all.push(stream);
            // As many as the system lets one process hold.
            if all.len() > 700 {
                all.remove(0);
            }
            if count % 250 == 249 {
                is_answered(&visitor, kind);
            }
        }
    }
    is_answered(&visitor, "all of them");
    assert!(pretended.now().connections <= 1, "one looks for all that read");
}

#[test]
fn who_waits_for_an_answer_goes_last() {
    let studio = start(Limits { connections: 8, patience: Duration::from_secs(3_600), ..Limits::default() }, &[]);
    let visitor = Visitor::enter(&studio);
    // A question under way: its body is not there yet.
    let mut asked = connect(&studio);
    asked.write_all(visitor.head("hello", 4).as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    let silent: Vec<_> = (0..50).map(|_| connect(&studio)).collect();
    is_answered(&visitor, "fifty are silent");
    asked.write_all(b"null").unwrap();
    assert_eq!(read(asked).status, 200, "the silent ones went first");
    drop(silent);
}

#[test]
fn a_recording_beyond_the_limit_is_refused_and_the_sender_hears_of_it() {
    let studio = start(Limits { upload_bytes: 1 << 20, ..Limits::default() }, &[]);
    let visitor = Visitor::enter(&studio);
    let answer = visitor.call(
        "observe?q=%7B%22files%22%3A%5B%5B%22a.txt%22%2C0%5D%5D%7D",
        &crate::support::RECORDING.as_bytes().repeat(100),
    );
    assert_eq!(answer.status, 422, "{answer:?}");
    assert!(answer.text().contains("longer than 1 MiB, the limit"), "{}", answer.text());
}

#[test]
fn a_recording_that_is_sent_wrongly_is_refused_and_the_sender_hears_of_it() {
    let studio = start(Limits::default(), &[]);
    let visitor = Visitor::enter(&studio);
    let body = crate::support::RECORDING.as_bytes().repeat(100);
    // What is not known, what cannot be read, and more than can be joined.
    for (path, what) in [
        ("observe?q=%7B%22name%22%3A%22a.txt%22%7D", "invalid request from the page"),
        ("observe", "the address cannot be read"),
        ("observe?q=%7B%22files%22%3A%5B%5B%22a%22%2C999999999%5D%2C%5B%22b%22%2C1%5D%5D%7D", "can be joined here"),
    ] {
        let mut stream = connect(&studio);
        stream.write_all(visitor.head(path, body.len()).as_bytes()).unwrap();
        stream.write_all(&body).unwrap();
        let answer = read(stream);
        assert_eq!(answer.status, 422, "{answer:?}");
        assert!(answer.text().contains(what), "{}", answer.text());
    }
}

#[test]
fn the_page_is_small() {
    // What comes only with a screen that few open is counted by itself.
    let (later, page): (Vec<_>, Vec<_>) = ASSETS.iter().partition(|asset| asset.is_later());
    for asset in later {
        let (raw, packed) = (asset.sent().len(), packed(&asset.sent()));
        assert!(raw <= 12_000 && packed <= 5_000, "{}: {raw} bytes, {packed} packed", asset.path);
    }
    let raw: usize = page.iter().map(|asset| asset.sent().len()).sum();
    assert!(raw <= 300_000, "{raw} bytes");
    // Each on its own, as nothing is sent packed: what a packer would make of all of them together is less.
    let packed: usize = page.iter().map(|asset| packed(&asset.sent())).sum();
    assert!(packed <= 105_000, "{packed} bytes packed");
}

/// A page reads English first, and of another language the texts alone.
#[test]
fn labels_of_other_languages_stand_on_the_lines_of_their_ids() {
    let sent = |path: &str| {
        let asset = ASSETS.iter().find(|asset| asset.path == path).unwrap();
        String::from_utf8(asset.sent().into_owned()).unwrap()
    };
    let english = sent("/messages/en.ftl");
    let ids: Vec<&str> = english.lines().filter_map(|line| line.split_once('=')).map(|(id, _)| id).collect();
    assert_eq!(ids.len(), english.lines().count(), "a label a line");
    for asset in ASSETS.iter().filter(|asset| asset.path.ends_with(".ftl") && asset.path != "/messages/en.ftl") {
        let (text, said) = (std::str::from_utf8(asset.bytes).unwrap(), sent(asset.path));
        assert_eq!(said.lines().count(), ids.len(), "{}", asset.path);
        for (id, said) in ids.iter().zip(said.lines()) {
            let own = text.lines().find_map(|line| line.strip_prefix(&format!("{id} = "))).unwrap();
            assert_eq!(said, own.replace("{ $", "{$").replace(" }", "}"), "{}: {id}", asset.path);
        }
    }
}

/// Bytes that gzip makes of it.
fn packed(bytes: &[u8]) -> usize {
    use std::process::{Command, Stdio};
    let mut gzip = Command::new("gzip").arg("-9").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    gzip.stdin.take().unwrap().write_all(bytes).unwrap();
    gzip.wait_with_output().unwrap().stdout.len()
}
