//! Requests byte by byte, as whoever attacks would send them.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use crate::support::Running;

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
    /// A header; nothing where it is not there.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
    /// As JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }
}

/// A connection that is not waited on for ever.
pub fn connect(studio: &Running) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", studio.port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream
}

/// Sends these bytes and reads what comes until the connection ends.
pub fn send(studio: &Running, bytes: &[u8]) -> Answer {
    let mut stream = connect(studio);
    // A server that refuses in the middle closes; what it said is still there.
    let _ = stream.write_all(bytes);
    read(stream)
}

/// Reads an answer to its end.
pub fn read(mut stream: TcpStream) -> Answer {
    let mut all = Vec::new();
    let mut part = [0; 65_536];
    while let Ok(count @ 1..) = stream.read(&mut part) {
        all.extend_from_slice(&part[..count]);
    }
    let end = all.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(all.len());
    let head = String::from_utf8_lossy(&all[..end]).into_owned();
    let body = all.get(end + 4..).unwrap_or_default().to_vec();
    let body = if head.to_lowercase().contains("transfer-encoding: chunked") { unchunked(&body) } else { body };
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    Answer { status, head, body }
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let Ok(size) = usize::from_str_radix(&String::from_utf8_lossy(&rest[..end]), 16) else { break };
        let Some(part) = rest.get(end + 2..end + 2 + size).filter(|_| size > 0) else { break };
        out.extend_from_slice(part);
        rest = rest.get(end + 4 + size..).unwrap_or_default();
    }
    out
}

/// What the page of a studio knows.
pub struct Visitor<'a> {
    pub studio: &'a Running,
    pub cookie: String,
    pub token: String,
}

impl Visitor<'_> {
    /// Opens the link as a browser does.
    pub fn enter(studio: &Running) -> Visitor<'_> {
        let path = &studio.link[studio.link.rfind("/?").unwrap()..];
        let host = format!("127.0.0.1:{}", studio.port);
        let entered =
            send(studio, format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes());
        assert_eq!(entered.status, 303, "{entered:?}");
        let cookie = entered.header("set-cookie").unwrap().split(';').next().unwrap().to_string();
        let page = send(
            studio,
            format!("GET / HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n").as_bytes(),
        );
        let text = page.text();
        let token = text.split("diskwright-token\" content=\"").nth(1).unwrap().split('"').next().unwrap().to_string();
        Visitor { studio, cookie, token }
    }

    /// The head of a call.
    pub fn head(&self, path: &str, length: usize) -> String {
        let host = format!("127.0.0.1:{}", self.studio.port);
        format!(
            "POST /api/{path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nSec-Fetch-Site: same-origin\r\n\
             Cookie: {}\r\nX-Diskwright-Token: {}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n",
            self.cookie, self.token
        )
    }

    /// Makes a call.
    pub fn call(&self, path: &str, body: &[u8]) -> Answer {
        let mut request = self.head(path, body.len()).into_bytes();
        request.extend_from_slice(body);
        send(self.studio, &request)
    }

    /// Makes a call of JSON that must succeed.
    pub fn ask(&self, path: &str, question: &serde_json::Value) -> serde_json::Value {
        let answer = self.call(path, question.to_string().as_bytes());
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }
}

/// A question in an address.
pub fn coded(value: &serde_json::Value) -> String {
    value.to_string().bytes().map(|byte| format!("%{byte:02x}")).collect()
}

/// The parts of a stream.
pub fn parts(mut bytes: &[u8]) -> Vec<(u8, &[u8])> {
    let mut all = Vec::new();
    while bytes.len() >= 5 {
        let length = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize;
        all.push((bytes[4], &bytes[5..5 + length]));
        bytes = &bytes[5 + length..];
    }
    assert!(bytes.is_empty(), "the last part is whole");
    all
}

/// The last of them.
pub fn last_part(bytes: &[u8]) -> (u8, &[u8]) {
    *parts(bytes).last().unwrap()
}
