//! Firefox without a window, spoken to in WebDriver BiDi: JSON in the frames of a WebSocket (RFC 6455), on a port of the loopback that it
//! chooses itself and prints.
//!
//! Only what a test of one page needs: go to an address, ask what an expression comes to, hear what goes wrong.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::on_path;

/// A browser with one page.
pub struct Firefox {
    process: Child,
    socket: TcpStream,
    last: u64,
    context: Value,
    /// Errors and warnings that the page's scripts made.
    complaints: Vec<String>,
    _profile: tempfile::TempDir,
}

/// Settings of a profile that asks nobody for anything.
const SETTINGS: &str = r#"user_pref("app.update.disabledForTesting", true);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "data:,");
user_pref("toolkit.telemetry.enabled", false);
"#;

impl Firefox {
    /// Starts it; says so aloud when there is none.
    pub fn start() -> Option<Firefox> {
        let Some(program) = on_path("firefox-esr").or_else(|| on_path("firefox")) else {
            eprintln!("SKIPPED: firefox is not installed (scripts/setup-test-tools.sh installs it)");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        std::fs::write(profile.path().join("user.js"), SETTINGS).unwrap();
        let mut process = Command::new(program)
            .args(["--headless", "--no-remote", "--remote-debugging-port=0", "--profile"])
            .arg(profile.path())
            .env("HOME", profile.path())
            .env("MOZ_DISABLE_CONTENT_SANDBOX", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(process.stderr.take().unwrap());
        let (mut line, mut all) = (String::new(), String::new());
        let address = loop {
            line.clear();
            assert!(said.read_line(&mut line).unwrap() > 0, "firefox ended: {all}");
            if let Some((_, address)) = line.split_once("BiDi listening on ws://") {
                break address.trim().to_string();
            }
            all += &line;
        };
        // What it says later is nobody's concern, but must not fill the pipe.
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        let socket = opened(&address);
        let mut firefox =
            Firefox { process, socket, last: 0, context: Value::Null, complaints: Vec::new(), _profile: profile };
        firefox.call("session.new", json!({ "capabilities": {} }));
        firefox.call("session.subscribe", json!({ "events": ["log.entryAdded"] }));
        let tree = firefox.call("browsingContext.getTree", json!({}));
        firefox.context = tree["contexts"][0]["context"].clone();
        Some(firefox)
    }

    /// Goes to an address and waits until it is loaded.
    pub fn go(&mut self, url: &str) {
        let asked = json!({ "context": self.context, "url": url, "wait": "complete" });
        self.call("browsingContext.navigate", asked);
    }

    /// The window has this size, in pixels of the page of which each is so many of the screen: 2 is a zoom of 200 %.
    pub fn resize(&mut self, width: u32, height: u32, zoom: f64) {
        let asked = json!({ "context": self.context, "viewport": { "width": width, "height": height }, "devicePixelRatio": zoom });
        self.call("browsingContext.setViewport", asked);
    }

    /// What an expression comes to, as text.
    pub fn evaluate(&mut self, expression: &str) -> String {
        let asked = json!({ "expression": format!("(async () => String(await ({expression})))()"), "target": { "context": self.context }, "awaitPromise": true });
        let answer = self.call("script.evaluate", asked);
        assert_eq!(answer["type"], "success", "{answer}");
        answer["result"]["value"].as_str().unwrap_or_default().to_string()
    }

    /// Waits until an expression is true, for a minute at most.
    pub fn until(&mut self, expression: &str) {
        let begun = Instant::now();
        while self.evaluate(&format!("!!({expression})")) != "true" {
            let said = &self.complaints;
            assert!(begun.elapsed() < Duration::from_secs(60), "never true: {expression}; the console: {said:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// What the page said to the console since the last time, warnings and errors.
    pub fn complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let message = json!({ "id": self.last, "method": method, "params": params }).to_string();
        self.socket.write_all(&frame(message.as_bytes())).unwrap();
        loop {
            let mut answer = received(&mut self.socket);
            if answer["method"] == "log.entryAdded"
                && ["error", "warn"].contains(&answer["params"]["level"].as_str().unwrap_or(""))
            {
                self.complaints.push(answer["params"]["text"].to_string());
            }
            if answer["id"] == self.last {
                assert_eq!(answer["type"], "success", "{method}: {answer}");
                return answer["result"].take();
            }
        }
    }
}

impl Drop for Firefox {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The socket of a session.
fn opened(address: &str) -> TcpStream {
    let mut socket = TcpStream::connect(address).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    let asked = format!(
        "GET /session HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Key: ZGlza3dyaWdodCB0ZXN0cw==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    );
    socket.write_all(asked.as_bytes()).unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        socket.read_exact(&mut byte).unwrap();
        head.extend(byte);
    }
    assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
    socket
}

/// A client must mask what it sends; Firefox hangs up on a mask of zeros.
const MASK: [u8; 4] = *b"mask";

/// A text as a frame.
fn frame(text: &[u8]) -> Vec<u8> {
    let mut frame = vec![0x81];
    match text.len() {
        short @ 0..=125 => frame.push(0x80 | short as u8),
        middle @ 126..=65_535 => {
            frame.push(0xfe);
            frame.extend((middle as u16).to_be_bytes());
        }
        long => {
            frame.push(0xff);
            frame.extend((long as u64).to_be_bytes());
        }
    }
    frame.extend(MASK);
    frame.extend(text.iter().zip(MASK.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    frame
}

/// The next message, however many frames it came in.
fn received(socket: &mut TcpStream) -> Value {
    let mut text = Vec::new();
    loop {
        let mut head = [0; 2];
        socket.read_exact(&mut head).unwrap();
        let length = match head[1] & 0x7f {
            126 => {
                let mut bytes = [0; 2];
                socket.read_exact(&mut bytes).unwrap();
                u64::from(u16::from_be_bytes(bytes))
            }
            127 => {
                let mut bytes = [0; 8];
                socket.read_exact(&mut bytes).unwrap();
                u64::from_be_bytes(bytes)
            }
            short => u64::from(short),
        };
        let mut part = vec![0; length as usize];
        socket.read_exact(&mut part).unwrap();
        // Of the others only text counts: it and what continues it.
        if head[0] & 0x0f <= 2 {
            text.extend(part);
            if head[0] & 0x80 != 0 {
                return serde_json::from_slice(&text).unwrap();
            }
        }
    }
}
