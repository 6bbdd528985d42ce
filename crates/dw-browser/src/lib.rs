//! Chromium without a window, spoken to over its debugging pipe: a message is JSON and ends with a zero byte.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A browser with one page.
pub struct Browser {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: Option<String>,
    last: u64,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts it; says so aloud when there is none.
    pub fn start() -> Option<Browser> {
        let on_path = |name: &str| {
            std::env::split_paths(&std::env::var_os("PATH")?)
                .map(|folder| folder.join(name))
                .find(|file| file.is_file())
        };
        let Some(program) = on_path("chromium").or_else(|| on_path("chromium-browser")) else {
            eprintln!("SKIPPED: chromium is not installed (scripts/setup-test-tools.sh installs it)");
            return None;
        };
        let profile = tempfile::tempdir().unwrap();
        // It reads from descriptor 3 and writes to 4; the shell puts our pipes there.
        let mut process = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 >/dev/null 2>&1"])
            .arg(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"])
            .args(["--no-first-run", "--disable-background-networking", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (process.stdin.take().unwrap(), BufReader::new(process.stdout.take().unwrap()));
        let mut browser = Browser { process, to, from, session: None, last: 0, _profile: profile };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let asked = json!({ "targetId": target["targetId"], "flatten": true });
        browser.session = browser.call("Target.attachToTarget", asked)["sessionId"].as_str().map(String::from);
        browser.call("Page.enable", json!({}));
        Some(browser)
    }

    /// Opens a file in a window so wide.
    pub fn open(&mut self, file: &Path, width: u32, theme: &str) {
        let metrics = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        let features = json!([{ "name": "prefers-color-scheme", "value": theme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
        let url = format!("file://{}", file.display());
        self.send("Page.navigate", json!({ "url": url }));
        while self.receive()["method"] != "Page.loadEventFired" {}
    }

    /// What an expression comes to, a promise when it is kept.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", asked);
        assert!(answer.get("exceptionDetails").is_none(), "{}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// The whole page as PNG.
    pub fn screenshot(&mut self, width: u32) -> Vec<u8> {
        let height = self.call("Page.getLayoutMetrics", json!({}))["cssContentSize"]["height"].clone();
        let clip =
            json!({ "x": 0, "y": 0, "width": width, "height": height.as_f64().unwrap().min(16_000.0), "scale": 1 });
        let asked = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        let picture = self.call("Page.captureScreenshot", asked);
        base64(picture["data"].as_str().unwrap())
    }

    fn send(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.to.write_all(message.to_string().as_bytes()).unwrap();
        self.to.write_all(&[0]).unwrap();
        self.to.flush().unwrap();
        self.last
    }

    fn receive(&mut self) -> Value {
        let mut message = Vec::new();
        self.from.read_until(0, &mut message).unwrap();
        assert_eq!(message.pop(), Some(0), "chromium ended");
        serde_json::from_slice(&message).unwrap()
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        loop {
            let mut answer = self.receive();
            if answer["id"] == id {
                assert!(answer.get("error").is_none(), "{method}: {}", answer["error"]);
                return answer["result"].take();
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn base64(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0, 0u32);
    for c in text.bytes().filter(|c| *c != b'=') {
        held = (held << 6) | u32::from(value(c));
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((held >> bits) as u8);
            held &= (1 << bits) - 1;
        }
    }
    out
}
