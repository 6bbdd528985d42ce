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
    let field = "unknown field `volme`, expected one of `volume`, `disk`, `size_bytes`";
    check(&[
        ("hello", &error("this line is not JSON: expected value at line 1 column 1", "")),
        ("[1]", &error("a command is an object with \\\"cmd\\\"", "for example {\\\"cmd\\\":\\\"status\\\"}")),
        (r#"{"cmd":"rebot"}"#, &error("there is no command `rebot`", "did you mean `reboot`?")),
        (r#"{"cmd":"detach"}"#, &error("`detach`: missing field `volume`", "")),
        (r#"{"cmd":"resize","volme":"data","size_bytes":1}"#, &error(&format!("`resize`: {field}"), "")),
        (r#"{"cmd":"reboot"}"#, r#"{"ok":true,"result":{"answer":"done"}}"#),
    ]);
}

#[test]
fn only_the_owner_may_open_the_socket_and_it_goes_with_its_server() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("control");
    let listen = |path: &Path| ControlSocket::listen(path, channel().unwrap().0);
    let socket = listen(&path).unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(listen(&path).unwrap_err().to_string(), "another server listens there");
    drop(socket);
    assert!(!path.exists());
    // A dead server's socket: bound once, nobody listens.
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    assert!(listen(&path).is_ok());
    // A file that is no socket stays as it is.
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
    assert!(answer.contains("a line of more than 65536 bytes is no command"), "{answer}");
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
    assert_eq!(error.to_string(), "the emulator is ending and takes no more commands");
}
