//! Chromium without a window, spoken to over its debugging pipe: a message is JSON and ends with a zero byte. Firefox as much as shows that a
//! page works there (`firefox.rs`). For tests of pages.
//!
//! What cannot be done panics: a test has nothing else to do then.
//!
//! Lives here: the browser, as keys, clicks and pictures.
//! Never here: what a page should look like.
//! Read next: `crates/dw-studio/tests/studio/page.rs`, which uses all of it.

#![forbid(unsafe_code)]

mod firefox;

pub use firefox::Firefox;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A file of the folder where `scripts/setup-test-tools.sh` puts what tests need; says so aloud when it is not there.
pub fn test_tool(path: &str) -> Option<PathBuf> {
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home)?;
    let file = cache.join("diskwright-test-tools").join(path);
    if !file.is_file() {
        eprintln!("SKIPPED: {} is not there (scripts/setup-test-tools.sh installs it)", file.display());
        return None;
    }
    Some(file)
}

fn on_path(name: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// What Chromium answers for a page that is being left.
const LEFT: [&str; 3] = ["navigated or closed", "context was destroyed", "Cannot find context"];

/// A browser; everything is of the tab that it turned to last.
pub struct Browser {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: Option<String>,
    first: Option<Tab>,
    last: u64,
    /// What the page said to the console, and what it failed at.
    complaints: Vec<String>,
    /// Every address that was asked for.
    asked: Vec<String>,
    _profile: tempfile::TempDir,
}

/// A tab of a browser.
#[derive(Clone)]
pub struct Tab {
    target: Value,
    session: Option<String>,
}

impl Browser {
    /// Starts it; says so aloud when there is none.
    pub fn start() -> Option<Browser> {
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
        let mut browser = Browser {
            process,
            to,
            from,
            session: None,
            first: None,
            last: 0,
            complaints: Vec::new(),
            asked: Vec::new(),
            _profile: profile,
        };
        browser.first = Some(browser.tab());
        Some(browser)
    }

    /// Another tab, which everything is of from now on.
    pub fn tab(&mut self) -> Tab {
        self.session = None;
        let target = self.call("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let asked = json!({ "targetId": target, "flatten": true });
        let session = self.call("Target.attachToTarget", asked)["sessionId"].as_str().map(String::from);
        self.session = session.clone();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
        Tab { target, session }
    }

    /// Turns to a tab.
    pub fn turn_to(&mut self, tab: &Tab) {
        self.session = tab.session.clone();
        self.call("Page.bringToFront", json!({}));
    }

    /// Turns to the tab that it began with.
    pub fn turn_to_first(&mut self) {
        if let Some(tab) = self.first.clone() {
            self.turn_to(&tab);
        }
    }

    /// Closes a tab; turn to another one then.
    pub fn close(&mut self, tab: &Tab) {
        self.session = None;
        self.call("Target.closeTarget", json!({ "targetId": tab.target }));
    }

    /// Opens a file in a window so wide.
    pub fn open(&mut self, file: &Path, width: u32, theme: &str) {
        self.resize(width, 900, theme);
        self.go(&format!("file://{}", file.display()));
    }

    /// The window has this size and the system this theme.
    pub fn resize(&mut self, width: u32, height: u32, theme: &str) {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        self.prefer(&[("prefers-color-scheme", theme)]);
    }

    /// The system says so to media queries: `forced-colors` is `active`, `prefers-reduced-motion` is `reduce`. What is not named is as usual.
    pub fn prefer(&mut self, features: &[(&str, &str)]) {
        let features: Vec<Value> =
            features.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// What the page holds once all that nobody needs is gone: bytes of scripts' values, nodes of documents.
    pub fn holds(&mut self) -> (u64, u64) {
        self.call("Performance.enable", json!({}));
        // What only finalizers hold goes with the second.
        for _ in 0..2 {
            self.call("HeapProfiler.collectGarbage", json!({}));
        }
        let all = self.call("Performance.getMetrics", json!({}));
        let of = |name: &str| {
            let metrics = all["metrics"].as_array().map(Vec::as_slice).unwrap_or_default();
            let found = metrics.iter().find(|metric| metric["name"] == name);
            found.and_then(|metric| metric["value"].as_f64()).unwrap_or_else(|| panic!("no {name} in {all}")) as u64
        };
        (of("JSHeapUsedSize"), of("Nodes"))
    }

    /// Runs a script in every page from now on, before its own.
    pub fn before(&mut self, script: &str) {
        self.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script }));
    }

    /// Goes to an address and waits until it is loaded.
    pub fn go(&mut self, url: &str) {
        self.send("Page.navigate", json!({ "url": url }));
        while self.receive()["method"] != "Page.loadEventFired" {}
    }

    /// Waits until an expression is true, for three minutes at most, which is for a page that hangs: a simulation beside all other tests
    /// has taken more than one. A page that is just being left has no answer; the next one does.
    pub fn until(&mut self, expression: &str) {
        let begun = Instant::now();
        while self.try_evaluate(&format!("!!({expression})")) != Ok(Value::Bool(true)) {
            if begun.elapsed() > Duration::from_secs(180) {
                let shown = self.try_evaluate("document.body.innerText.slice(0, 4000)");
                panic!("never true: {expression}; the console: {:?}; the page: {shown:?}", self.complaints);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses a key: `Tab`, `Enter`, `Escape`, an arrow, or a letter; `modifiers` are 1 for Alt, 2 for Ctrl, 8 for Shift.
    pub fn press(&mut self, key: &str, modifiers: u32) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "Escape" => 27,
            " " => 32,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            other => u32::from(other.to_ascii_uppercase().as_bytes()[0]),
        };
        let text = match key {
            "Enter" => Some("\r"),
            key if key.chars().count() == 1 && modifiers & 3 == 0 => Some(key),
            _ => None,
        };
        let mut down = json!({ "type": "keyDown", "key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers });
        if let Some(text) = text {
            down["text"] = json!(text);
        }
        self.call("Input.dispatchKeyEvent", down);
        let up = json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers });
        self.call("Input.dispatchKeyEvent", up);
    }

    /// Types a text where the focus is.
    pub fn write(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// Presses the mouse at the first place, drags it over the others, and lets go.
    pub fn drag(&mut self, places: &[(f64, f64)]) {
        let event = |kind: &str, (x, y): (f64, f64), buttons: u32| json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 });
        self.call("Input.dispatchMouseEvent", event("mouseMoved", places[0], 0));
        self.call("Input.dispatchMouseEvent", event("mousePressed", places[0], 1));
        for place in &places[1..] {
            self.call("Input.dispatchMouseEvent", event("mouseMoved", *place, 1));
        }
        self.call("Input.dispatchMouseEvent", event("mouseReleased", places[places.len() - 1], 0));
    }

    /// Clicks in the middle of the first element of a selector.
    pub fn click(&mut self, selector: &str) {
        let place = self.middle(selector);
        self.drag(&[place, place]);
    }

    /// The middle of the first element of a selector, brought into view, once it stands still: what a page draws because it was scrolled
    /// would move the element from under the pointer.
    pub fn middle(&mut self, selector: &str) -> (f64, f64) {
        let found = self.evaluate(&format!(
            "(async () => {{ let was = ''; for (;;) {{ \
             const e = document.querySelector({selector:?}); if (!e) return null; e.scrollIntoView({{ block: 'center' }}); \
             await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))); \
             const r = e.getBoundingClientRect(); const at = [r.left + r.width / 2, r.top + r.height / 2]; \
             if (e.isConnected && String(at) === was) return at; was = String(at); }} }})()"
        ));
        let at = |n: usize| found[n].as_f64().unwrap_or_else(|| panic!("there is no {selector}"));
        (at(0), at(1))
    }

    /// Puts files into a field for files.
    pub fn choose<P: AsRef<Path>>(&mut self, selector: &str, files: &[P]) {
        let root = self.call("DOM.getDocument", json!({}))["root"]["nodeId"].clone();
        let found = self.call("DOM.querySelector", json!({ "nodeId": root, "selector": selector }));
        let asked = json!({ "nodeId": found["nodeId"], "files": files.iter().map(|file| file.as_ref().display().to_string()).collect::<Vec<_>>() });
        self.call("DOM.setFileInputFiles", asked);
    }

    /// Downloads go to this folder.
    pub fn download_to(&mut self, folder: &Path) {
        let asked = json!({ "behavior": "allow", "downloadPath": folder.display().to_string() });
        let session = self.session.take();
        self.call("Browser.setDownloadBehavior", asked);
        self.session = session;
    }

    /// What the page said to the console since the last time, warnings and errors.
    pub fn complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }

    /// Every address that was asked for since the last time.
    pub fn asked(&mut self) -> Vec<String> {
        std::mem::take(&mut self.asked)
    }

    /// The window as PNG.
    pub fn window(&mut self) -> Vec<u8> {
        let picture = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        base64(picture["data"].as_str().unwrap())
    }

    /// What an expression comes to, a promise when it is kept.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        self.try_evaluate(expression).unwrap_or_else(|left| panic!("{expression}: {left}"))
    }

    /// The same; an error is that the page was left before it was answered.
    fn try_evaluate(&mut self, expression: &str) -> Result<Value, String> {
        let asked = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.try_call("Runtime.evaluate", asked);
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) if LEFT.iter().any(|left| error.contains(left)) => return Err(error),
            Err(error) => panic!("{expression}: {error}"),
        };
        assert!(answer.get("exceptionDetails").is_none(), "{}", answer["exceptionDetails"]);
        Ok(answer["result"]["value"].clone())
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

    /// Sheets of paper that the page is printed on.
    pub fn pages(&mut self) -> usize {
        let printed = self.call("Page.printToPDF", json!({ "preferCSSPageSize": true, "printBackground": true }));
        let pdf = base64(printed["data"].as_str().unwrap());
        let text = String::from_utf8_lossy(&pdf);
        // A page is an object of its own; the tree of all of them is `/Pages`.
        text.matches("/Type /Page").count() - text.matches("/Type /Pages").count()
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
        let message: Value = serde_json::from_slice(&message).unwrap();
        self.note(&message);
        message
    }

    /// Keeps what events tell of the page.
    fn note(&mut self, message: &Value) {
        let params = &message["params"];
        match message["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" => {
                self.complaints.push(params["exceptionDetails"]["exception"]["description"].to_string())
            }
            "Runtime.consoleAPICalled" if params["type"] != "log" => self.complaints.push(params["args"].to_string()),
            "Log.entryAdded" => {
                self.complaints.push(format!("{}: {}", params["entry"]["url"], params["entry"]["text"]))
            }
            "Network.requestWillBeSent" => {
                self.asked.extend(params["request"]["url"].as_str().map(String::from));
            }
            _ => {}
        }
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        self.try_call(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn try_call(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.send(method, params);
        loop {
            let mut answer = self.receive();
            if answer["id"] == id {
                let error = answer.get("error").map(|error| error["message"].as_str().unwrap_or_default().to_string());
                return error.map_or_else(|| Ok(answer["result"].take()), Err);
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
