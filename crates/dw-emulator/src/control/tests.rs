//! A loop that answers by rote, and what its clients see.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use super::client::{Client, ClientError};
use super::socket::ControlSocket;
use super::*;

/// A serving loop: `reboot` is done, `shutdown` ends it, everything else is busy.
fn serving(mut inbox: Inbox) -> std::thread::JoinHandle<u32> {
    std::thread::spawn(move || {
        let mut served = 0;
        loop {
            let mut polled = [rustix::event::PollFd::new(&inbox.wake, rustix::event::PollFlags::IN)];
            rustix::event::poll(&mut polled, None).unwrap();
            while let Some((command, reply)) = inbox.take() {
                served += 1;
                match command {
                    Command::Shutdown => {
                        reply.send(Ok(Answer::Done));
                        return served;
                    }
                    Command::Reboot => reply.send(Ok(Answer::Done)),
                    Command::Pause => drop(reply),
                    _ => reply.send(Err(CommandError::new(ErrorCode::Busy, "later").hint("wait"))),
                }
            }
        }
    })
}

#[test]
fn a_command_reaches_the_loop_and_its_answer_comes_back() {
    let (handle, inbox) = channel().unwrap();
    let server = serving(inbox);
    let callers: Vec<_> = (0..4)
        .map(|_| {
            let handle = handle.clone();
            std::thread::spawn(move || (0..100).all(|_| handle.call(Command::Reboot) == Ok(Answer::Done)))
        })
        .collect();
    assert!(callers.into_iter().all(|caller| caller.join().unwrap()));
    assert_eq!(handle.call(Command::Status).unwrap_err().code, ErrorCode::Busy);
    assert_eq!(handle.call(Command::Pause).unwrap_err().code, ErrorCode::Gone, "a reply dropped is an answer");
    assert_eq!(handle.call(Command::Shutdown), Ok(Answer::Done));
    assert_eq!(server.join().unwrap(), 403);
    assert_eq!(handle.call(Command::Status).unwrap_err().code, ErrorCode::Gone);
}

#[test]
fn the_eventfd_rests_when_all_commands_are_taken() {
    let (handle, mut inbox) = channel().unwrap();
    let asking = std::thread::spawn(move || handle.call(Command::Reboot));
    let ready = |inbox: &Inbox, wait: Option<&rustix::event::Timespec>| {
        let mut polled = [rustix::event::PollFd::new(&inbox.wake, rustix::event::PollFlags::IN)];
        rustix::event::poll(&mut polled, wait).unwrap()
    };
    assert_eq!(ready(&inbox, None), 1);
    let (_, reply) = inbox.take().expect("a command waits");
    assert!(inbox.take().is_none());
    assert_eq!(ready(&inbox, Some(&rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 })), 0);
    reply.send(Ok(Answer::Done));
    assert_eq!(asking.join().unwrap(), Ok(Answer::Done));
}

/// Sends lines to a control socket and compares what comes back.
fn check(lines: &[(&str, &str)]) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("control");
    let (handle, inbox) = channel().unwrap();
    let server = serving(inbox);
    let socket = ControlSocket::listen(&path, handle.clone()).unwrap();
    let stream = UnixStream::connect(&path).unwrap();
    let mut answers = BufReader::new(&stream).lines();
    for (line, expected) in lines {
        (&stream).write_all(format!("{line}\n").as_bytes()).unwrap();
        assert_eq!(answers.next().unwrap().unwrap(), *expected, "{line}");
    }
    handle.call(Command::Shutdown).unwrap();
    server.join().unwrap();
    socket.drain();
}

#[test]
fn a_line_is_answered_by_a_line() {
    check(&[
        (r#"{"cmd":"reboot"}"#, r#"{"ok":true,"result":{"answer":"done"}}"#),
        (r#"{"cmd":"resume"}"#, r#"{"ok":false,"error":{"code":"busy","message":"later","hint":"wait"}}"#),
    ]);
}

#[test]
fn a_line_that_is_no_command_is_answered_and_the_connection_goes_on() {
    let error = |message: &str, hint: &str| {
        let hint = if hint.is_empty() { String::new() } else { format!(",\"hint\":\"{hint}\"") };
        format!("{{\"ok\":false,\"error\":{{\"code\":\"bad-request\",\"message\":\"{message}\"{hint}}}}}")
    };
    let example = r#"for example {\"cmd\":\"status\"}"#;
    check(&[
        ("hello", &error("this line is not JSON: error at column 1", example)),
        (r#"{"cmd":"#, &error("this line is not JSON: it ends too early", example)),
        ("[1]", &error("a command is an object with \\\"cmd\\\"", "for example {\\\"cmd\\\":\\\"status\\\"}")),
        (r#"{"cmd":"rebot"}"#, &error("unknown command `rebot`", "did you mean `reboot`?")),
        (r#"{"cmd":"detach"}"#, &error("`detach`: `volume` is missing", "write it")),
        (r#"{"cmd":"status","cmd":"shutdown"}"#, &error("duplicate key `cmd`", "remove one of them")),
        (
            r#"{"cmd":"inject","fault":{"export":"a","export":"b","effect":{"kind":"stuck"}}}"#,
            &error("duplicate key `export`", "remove one of them"),
        ),
        (r#"{"cmd":"reboot"} {"cmd":"reboot"}"#, &error("this line is not JSON: error at column 18", example)),
        (r#"{"cmd":"reboot"}"#, r#"{"ok":true,"result":{"answer":"done"}}"#),
    ]);
}

#[test]
fn a_wrong_command_says_its_key_its_value_and_what_belongs_there() {
    let inject = |fault: &str| format!(r#"{{"cmd":"inject","fault":{fault}}}"#);
    for (line, what, hint) in [
        (
            r#"{"cmd":"resize","volme":"data","size_bytes":1}"#,
            "`resize`: unknown key `volme`",
            "did you mean `volume`?",
        ),
        (r#"{"cmd":"reboot","now":true}"#, "`reboot`: unknown key `now`", "remove it"),
        (r#"{"cmd":"resize","volume":"data"}"#, "`resize`: `size_bytes` is missing", "write it"),
        (
            r#"{"cmd":"resize","volume":7,"size_bytes":1}"#,
            r#"`resize`: `"volume": 7` is a number, but a string is expected"#,
            r#"write it in quotes: `"volume": "7"`"#,
        ),
        (
            r#"{"cmd":"resize","volume":"d","size_bytes":"1"}"#,
            r#"`resize`: `"size_bytes": "1"` is a string, but a number is expected"#,
            r#"write it without quotes: `"size_bytes": 1`"#,
        ),
        (
            r#"{"cmd":"resize","volume":"d","size_bytes":"1 TiB"}"#,
            r#"`resize`: `"size_bytes": "1 TiB"` is a string, but a number is expected"#,
            "write a whole number from 0 to 18446744073709551615",
        ),
        (
            r#"{"cmd":"resize","volume":"d","disk":65536,"size_bytes":1}"#,
            r#"`resize`: `"disk": 65536` is out of range"#,
            "write a whole number from 0 to 65535",
        ),
        (
            r#"{"cmd":"tier","volume":"d","iops":-1}"#,
            r#"`tier`: `"iops": -1` is out of range"#,
            "write a whole number from 0 to 18446744073709551615",
        ),
        (
            r#"{"cmd":"cache","volume":"d","mode":"none"}"#,
            r#"`cache`: `"mode": "none"` is not one of its values"#,
            "did you mean `None`?",
        ),
        (
            r#"{"cmd":"crash","level":"planet"}"#,
            r#"`crash`: `"level": "planet"` is not one of its values"#,
            "there are: guest, host, deallocate",
        ),
        (
            &inject("7"),
            r#"`inject`: `"fault": 7` is a number, but an object is expected"#,
            "write it in braces: `{...}`",
        ),
        (&inject(r#"{"export":"d","efect":{}}"#), "`inject`: unknown key `efect`", "did you mean `effect`?"),
        (&inject(r#"{"export":"d","effect":{}}"#), "`inject`: `kind` is missing", "write it"),
        (
            &inject(r#"{"export":"d","effect":{"kind":"stock"}}"#),
            r#"`inject`: `"kind": "stock"` is not one of its values"#,
            "did you mean `stuck`?",
        ),
        (
            &inject(r#"{"export":"d","effect":{"kind":"error","errno":"EROFS"}}"#),
            r#"`inject`: `"errno": "EROFS"` is not one of its values"#,
            "there are: EIO, ENOSPC",
        ),
        (
            &inject(r#"{"export":"d","range":{"offset":0},"effect":{"kind":"stuck"}}"#),
            "`inject`: `len` is missing",
            "write it",
        ),
        (
            &inject(r#"{"export":"d","per_million":4294967296,"effect":{"kind":"stuck"}}"#),
            r#"`inject`: `"per_million": 4294967296` is out of range"#,
            "write a whole number from 0 to 4294967295",
        ),
    ] {
        let refused = super::socket::parse(line.as_bytes()).unwrap_err();
        assert_eq!((refused.message.as_str(), refused.hint.as_str()), (what, hint), "{line}");
    }
    // What may be left out may be null.
    for line in [
        r#"{"cmd":"resize","volume":"d","disk":null,"size_bytes":1}"#,
        r#"{"cmd":"clear","id":null,"export":null}"#,
        &inject(r#"{"export":"d","range":null,"effect":{"kind":"latency","min_ns":1,"max_ns":2}}"#),
        &inject(r#"{"export":"d","range":{"offset":0,"len":512},"effect":{"kind":"torn-write"}}"#),
        r#"{"cmd":"crash","level":"host","survivors":"random-torn","seed":18446744073709551615}"#,
    ] {
        assert!(super::socket::parse(line.as_bytes()).is_ok(), "{line}");
    }
}

#[test]
fn only_the_owner_may_open_the_socket_and_it_goes_with_its_server() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("control");
    let listen = |path: &Path| ControlSocket::listen(path, channel().unwrap().0);
    let socket = listen(&path).unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let taken = listen(&path).unwrap_err().to_string();
    assert!(taken.contains("another server listens there"), "{taken}");
    drop(socket);
    assert!(!path.exists());
    // A dead server's socket: bound once, nobody listens.
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    assert!(listen(&path).is_ok());
    // A file that is not a socket stays as it is.
    let file = dir.path().join("file");
    std::fs::write(&file, "precious").unwrap();
    assert!(listen(&file).is_err());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "precious");
}

#[test]
fn a_line_without_end_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("control");
    let (handle, _inbox) = channel().unwrap();
    let _socket = ControlSocket::listen(&path, handle).unwrap();
    let stream = UnixStream::connect(&path).unwrap();
    (&stream).write_all(&vec![b' '; 64 << 10]).unwrap();
    let answer = BufReader::new(&stream).lines().next().unwrap().unwrap();
    assert!(answer.contains("a line of more than 65536 bytes is not a command"), "{answer}");
}

#[test]
fn a_client_says_what_went_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("control");
    let connect = || Client::connect(&path, Duration::from_secs(60));
    assert!(matches!(connect(), Err(ClientError::NoServer { .. })));
    let (handle, inbox) = channel().unwrap();
    let server = serving(inbox);
    let _socket = ControlSocket::listen(&path, handle).unwrap();
    let mut client = connect().unwrap();
    assert_eq!(client.call(&Command::Reboot).unwrap(), Answer::Done);
    assert_eq!(client.call(&Command::Resume).unwrap_err().to_string(), "later");
    assert_eq!(client.call(&Command::Shutdown).unwrap(), Answer::Done);
    server.join().unwrap();
    let error = client.call(&Command::Reboot).unwrap_err();
    assert_eq!(error.to_string(), "the emulator is shutting down and accepts no more commands");
}
