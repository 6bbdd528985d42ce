//! The page's server, as it is started: one link, for this machine alone, until it is stopped.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use crate::e2e::support::{diskwright, root};

/// A studio, ended with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn get(port: u16, path: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn it_prints_a_link_that_lets_in_once() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
    command.env("LC_ALL", "C");
    command.args(["studio", "--no-open", "crates/diskwright/data/iostat.txt"]).current_dir(root());
    let mut child = command.env("DISKWRIGHT_CATALOGUE", "none").stdout(Stdio::piped()).spawn().unwrap();
    let out = child.stdout.take().unwrap();
    let _running = Running(child);
    let mut link = String::new();
    BufReader::new(out).read_line(&mut link).unwrap();
    let rest = link.trim_end().strip_prefix("http://127.0.0.1:").unwrap();
    let (port, key) = rest.split_once("/?k=").unwrap();
    assert!(key.len() == 32 && key.bytes().all(|b| b.is_ascii_hexdigit()), "{link}");
    let port = port.parse().unwrap();
    assert!(get(port, "/").starts_with("HTTP/1.1 403 "));
    assert!(get(port, &format!("/?k={key}")).starts_with("HTTP/1.1 303 "));
    assert!(get(port, &format!("/?k={key}")).contains("403: this link was used"));
}

#[test]
fn what_cannot_be_served_is_said_where_it_was_typed() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    for (arguments, code, said) in [
        (&["--port", &port][..], 2, "cannot listen on"),
        (&["not-there.txt"], 3, "not-there.txt"),
        (&["--max-upload", "much"], 2, "--max-upload"),
        (&["--max-seconds", "0"], 2, "--max-seconds"),
    ] {
        let ran = diskwright(&[&["studio", "--no-open"], arguments].concat());
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{arguments:?}: {}", ran.stderr);
    }
}

/// A number of `/proc/PID/status`, in KiB.
#[cfg(target_os = "linux")]
fn status_of(pid: u32, key: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(key)).unwrap();
    line.trim_start_matches(':').split_whitespace().next().unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_thousand_connections_that_send_and_read_nothing_cost_little() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_diskwright"))
        .args(["studio", "--no-open"])
        .env("DISKWRIGHT_CATALOGUE", "none")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (pid, out) = (child.id(), child.stdout.take().unwrap());
    let _running = Running(child);
    let mut link = String::new();
    BufReader::new(out).read_line(&mut link).unwrap();
    let (port, key) = link.trim_end().strip_prefix("http://127.0.0.1:").unwrap().split_once("/?k=").unwrap();
    let port: u16 = port.parse().unwrap();
    let entered = get(port, &format!("/?k={key}"));
    let cookie = entered.split("et-cookie: ").nth(1).unwrap().split(';').next().unwrap().to_string();
    let page = |more: &str| format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n{more}\r\n");
    let ask = |request: String| {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    };
    assert!(ask(page("Connection: close\r\n")).contains("<title>"));
    // The first answer is worked out meanwhile, and what that takes is no connection's.
    let mut before = 0;
    for _ in 0..100 {
        std::thread::sleep(std::time::Duration::from_millis(200));
        let now = status_of(pid, "VmRSS");
        if now == before {
            break;
        }
        before = now;
    }
    std::fs::write(format!("/proc/{pid}/clear_refs"), "5").unwrap();
    let mut all = Vec::new();
    let slow = format!("GET / HTTP/1.1\r\nHost: x\r\nX: {}", "x".repeat(15_000));
    // What many ask without reading: the largest part of the page, over and over.
    let unread = page("").replace("GET / ", "GET /simulate.js ").repeat(100);
    for says in ["", &slow, &unread] {
        for _ in 0..1_000 {
            let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
            stream.set_write_timeout(Some(std::time::Duration::from_millis(100))).unwrap();
            let _ = stream.write_all(says.as_bytes());
            all.push(stream);
            if all.len() > 600 {
                all.remove(0);
            }
        }
        assert!(ask(page("Connection: close\r\n")).contains("<title>"), "a right request is answered");
    }
    let peak = status_of(pid, "VmHWM");
    assert!(peak < before + (32 << 10), "{before} KiB before, {peak} KiB at most");
}
