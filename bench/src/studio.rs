//! How fast the studio answers a hand, in a real browser: `cargo xtask bench --studio`.
//!
//! The program is this one, started as `diskwright studio`; the browser's own clock times what a person sees. Figures are the median of the
//! runs; a test runs the small size and looks at bytes and counts alone.
//!
//! Ignores: a display; how fast the network of another machine is.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use dw_browser::Browser;
use dw_studio::ASSETS;
use serde_json::Value;

use crate::report;

/// How much is done.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    runs: usize,
    /// Moves of a slider that are timed, and those after which memory is measured.
    moves: u32,
    live: u32,
    /// Bytes of the recording.
    recording: u64,
}

/// What is printed.
pub const REAL: Size = Size { runs: 9, moves: 100, live: 20_000, recording: 1 << 30 };
/// Whether it all runs.
pub const TINY: Size = Size { runs: 1, moves: 5, live: 100, recording: 16 << 20 };

/// A figure with what is asked of it.
#[derive(Clone, Debug)]
pub struct Row {
    pub name: &'static str,
    /// The figure; the median where it was taken several times.
    pub value: f64,
    pub unit: &'static str,
    /// It should be no more.
    pub asked: Option<f64>,
}

/// A studio in a process of its own.
struct Started {
    process: Child,
    link: String,
    took: Duration,
}

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Started {
    fn new() -> Result<Started, String> {
        let program = std::env::current_exe().map_err(|e| e.to_string())?;
        let begun = Instant::now();
        let mut process = Command::new(program)
            .args(["--program", "studio", "--no-open"])
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| e.to_string())?;
        let out = process.stdout.take().ok_or("the studio has no output")?;
        let mut link = String::new();
        BufReader::new(out).read_line(&mut link).map_err(|e| e.to_string())?;
        let took = begun.elapsed();
        Ok(Started { process, link: link.trim().to_string(), took })
    }

    /// The most memory that it had, in bytes.
    fn peak(&self) -> Result<f64, String> {
        let path = format!("/proc/{}/status", self.process.id());
        let status = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
        let kib =
            status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix("kB")?.trim().parse().ok());
        kib.map(|kib: f64| kib * 1024.0).ok_or_else(|| "the kernel does not say how much memory was used".into())
    }
}

/// Runs before the page's own scripts: takes the example as soon as it is offered, and notes when its verdict is painted.
const PAINTED: &str = "new MutationObserver((_, own) => { \
    if (!window.taken) { const example = document.querySelector('#example'); if (!example) return; window.taken = true; example.click(); return; } \
    if (!document.querySelector('#verdict:is(.good, .warn, .over)')) return; own.disconnect(); \
    requestAnimationFrame(() => setTimeout(() => { window.painted = performance.now(); })); }).observe(document, { subtree: true, childList: true, attributes: true });";

/// A move of the slider and the time until the pipe is painted again, so many times: each time in milliseconds. A move comes at the start
/// of a frame, as the browser hands on those of a pointer; the page draws within one, and a task that is posted from there comes once it is
/// painted.
const MOVES: &str = "(async (count) => { const slider = document.querySelector('#load-slider'); const all = []; \
    for (let k = 0; k < count; k++) { await new Promise(requestAnimationFrame); const begun = performance.now(); \
      const painted = new Promise((done) => { const own = new MutationObserver(() => { if (!document.querySelector('.pipe')) return; own.disconnect(); const after = new MessageChannel(); after.port1.onmessage = done; after.port2.postMessage(0); }); \
        own.observe(document.querySelector('.pipe'), { subtree: true, childList: true, attributes: true, characterData: true }); }); \
      slider.value = -0.6 + (k % 2 ? 0.4 : 0) + k * 0.003; slider.dispatchEvent(new Event('input')); \
      await Promise.race([painted, new Promise((done) => setTimeout(done, 5000))]); all.push(performance.now() - begun); } \
    return all; })";

/// A move of the load that rests, and the time until the whole run of it is drawn, in milliseconds: the pause before it, the estimate, the
/// busiest stretch, the run, the picture. What was drawn before is stale first.
const RESTS: &str = "(async (value) => { const until = async (is) => { while (!is()) await new Promise(requestAnimationFrame); }; \
    const [slider, done] = [document.querySelector('#load-slider'), () => document.querySelector('.progress .done') && !document.querySelector('progress')]; \
    const begun = performance.now(); slider.value = value; slider.dispatchEvent(new Event('input')); slider.dispatchEvent(new Event('change')); \
    await until(() => !done()); await until(done); const after = new MessageChannel(); \
    await new Promise((painted) => requestAnimationFrame(() => { after.port1.onmessage = painted; after.port2.postMessage(0); })); \
    return performance.now() - begun; })";

/// A call as the page makes it.
const CALL: &str = "const token = document.querySelector('meta[name=diskwright-token]').content; \
    const call = (path, question, signal) => fetch('/api/' + path, { method: 'POST', signal, headers: { 'x-diskwright-token': token }, body: JSON.stringify(question) });";

/// The example planned, and what a run of it asks.
const READY: &str = "const observed = await (await fetch('/api/observe?q=' + encodeURIComponent(JSON.stringify({ source: 0 })), { method: 'POST', headers: { 'x-diskwright-token': token } })).json(); \
    const plan = await (await call('plan', { recording: observed.recording, simulate: false })).json(); \
    const rig = await (await call('rig', plan)).text(); \
    const asked = { recording: observed.recording, rig, load: 1, region: 'eastus' };";

/// The median time until the whole run of a day of three volumes is drawn after the load rests.
fn day_drawn(size: Size) -> Result<f64, String> {
    let studio = Started::new()?;
    let mut browser = Browser::start().ok_or("chromium is not installed")?;
    browser.resize(1_440, 900, "light");
    browser.go(&studio.link);
    browser.until("document.querySelector('#file')");
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let file = folder.path().join("day.txt");
    report::write_day(&file).map_err(|e| e.to_string())?;
    browser.choose("#file", &[&file]);
    // What is idle is left out.
    browser.until("document.querySelector('#wish-sde-capacity')");
    for volume in ["sdc", "sdd", "sde"] {
        browser.click(&format!("#wish-{volume}-capacity"));
        browser.write("500 GiB");
        browser.press("Tab", 0);
    }
    browser.until("!document.querySelector('#plan').disabled");
    browser.click("#plan");
    browser.until("document.querySelector('#load-slider')");
    rest(&mut browser);
    let run = |run: usize| number(&browser.evaluate(&format!("{RESTS}({})", 0.1 + 0.05 * (run % 5) as f64)));
    Ok(median((0..size.runs).map(run).collect()))
}

/// Milliseconds until the plan of a changed wish is there.
fn replan(browser: &mut Browser, run: usize) -> f64 {
    let script = format!(
        "(async () => {{ {CALL} {READY} const begun = performance.now(); \
         await (await call('plan', {{ recording: observed.recording, wishes: {{ plan: {{ headroom_percent: {} }} }}, simulate: false }})).text(); \
         return performance.now() - begun; }})()",
        11 + run
    );
    number(&browser.evaluate(&script))
}

/// Milliseconds until the first columns of an exact run are there, and until a server whose runs were all cancelled begins another.
fn first_chunk_and_cancel(browser: &mut Browser) -> (f64, f64) {
    let script = format!(
        "(async () => {{ {CALL} {READY} \
         const until = async (answer, wanted) => {{ const reader = answer.body.getReader(); let held = new Uint8Array(0); for (;;) {{ const {{ done, value }} = await reader.read(); if (done) return reader; \
           const all = new Uint8Array(held.length + value.length); all.set(held); all.set(value, held.length); let at = 0; \
           while (all.length - at >= 5) {{ const length = new DataView(all.buffer).getUint32(at, true); if (all[at + 4] >= wanted) return reader; if (all.length - at < 5 + length) break; at += 5 + length; }} held = all.slice(at); }} }}; \
         let begun = performance.now(); const first = new AbortController(); \
         await until(await call('simulate', {{ ...asked, ios: 500000 }}, first.signal), 2); const chunk = performance.now() - begun; first.abort(); \
         const both = [new AbortController(), new AbortController()]; \
         await Promise.all(both.map(async (one) => until(await call('simulate', {{ ...asked, load: 4 }}, one.signal), 1))); \
         begun = performance.now(); both.forEach((one) => one.abort()); \
         const last = new AbortController(); await until(await call('simulate', {{ ...asked, ios: 1000 }}, last.signal), 1); \
         const cancelled = performance.now() - begun; last.abort(); return [chunk, cancelled]; }})()"
    );
    let found = browser.evaluate(&script);
    (number(&found[0]), number(&found[1]))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Measures all of it; each row is handed over as soon as it is known.
pub fn measure(size: Size, mut row: impl FnMut(Row)) -> Result<(), String> {
    let mut say = |name, value, unit, asked| row(Row { name, value, unit, asked });
    let raw: usize = ASSETS.iter().map(|asset| asset.sent().len()).sum();
    let packed = ASSETS.iter().map(|asset| packed(&asset.sent())).sum::<Result<usize, String>>()?;
    say("assets", raw as f64, "bytes", Some(300_000.0));
    say("assets, gzip", packed as f64, "bytes", Some(105_000.0));
    let listening =
        (0..size.runs).map(|_| Ok(Started::new()?.took.as_secs_f64() * 1e3)).collect::<Result<_, String>>()?;
    say("process start to listening", median(listening), "ms", Some(50.0));
    let ram = received(size.recording)?;
    say("server memory, recording", size.recording as f64, "bytes", None);
    say("server memory", ram, "bytes", Some(300.0 * f64::from(1 << 20)));

    let (mut painted, mut moved, mut plans, mut chunks, mut cancels) = (vec![], vec![], vec![], vec![], vec![]);
    let (mut before, mut after) = ((0, 0), (0, 0));
    for run in 0..size.runs {
        let studio = Started::new()?;
        let mut browser = Browser::start().ok_or("chromium is not installed")?;
        browser.resize(1_440, 900, "light");
        browser.before(PAINTED);
        browser.go(&studio.link);
        browser.until("window.painted");
        painted.push(number(&browser.evaluate("window.painted")));
        rest(&mut browser);
        let all = browser.evaluate(&format!("{MOVES}({})", size.moves));
        let mut all: Vec<f64> = all.as_array().into_iter().flatten().map(number).collect();
        all.sort_by(f64::total_cmp);
        moved.push(all.get(all.len() * 95 / 100).copied().unwrap_or(f64::NAN));
        rest(&mut browser);
        plans.push(replan(&mut browser, run));
        let (chunk, cancelled) = first_chunk_and_cancel(&mut browser);
        chunks.push(chunk);
        cancels.push(cancelled);
        if run == 0 {
            live(&mut browser, size.live / 10);
            before = browser.holds();
            live(&mut browser, size.live);
            after = browser.holds();
        }
    }
    say("verdict of the example painted", median(painted), "ms", Some(500.0));
    say("slider to estimate painted, p95", median(moved), "ms", Some(33.0));
    say("load rests to day drawn", day_drawn(size)?, "ms", Some(1_000.0));
    say("re-plan", median(plans), "ms", Some(100.0));
    say("first chunk of an exact run", median(chunks), "ms", Some(100.0));
    say("cancel", median(cancels), "ms", Some(50.0));
    say("heap after many moves", after.0 as f64, "bytes", Some(before.0 as f64 + f64::from(1 << 20)));
    say("nodes after many moves", after.1 as f64, "nodes", Some(before.1 as f64 * 1.05));
    Ok(())
}

/// The plan is proven and the run is done.
fn rest(browser: &mut Browser) {
    browser
        .until("document.querySelector('.progress .done') && !document.querySelector('progress, #verdict[aria-busy]')");
}

/// Moves the load so many times, as fast as frames come, and lets it rest where it was.
fn live(browser: &mut Browser, moves: u32) {
    browser.evaluate(&format!(
        "(async () => {{ const slider = document.querySelector('#load-slider'); for (let k = 0; k < {moves}; k++) {{ \
         slider.value = -1 + (k % 100) * 0.02; slider.dispatchEvent(new Event('input')); if (k % 8 === 0) await new Promise(requestAnimationFrame); }} \
         const back = () => document.querySelector('#back-to-one'); while (back().disabled) await new Promise(requestAnimationFrame); back().click(); }})()"
    ));
    browser.until("document.querySelector('#back-to-one').disabled");
    rest(browser);
}

fn packed(bytes: &[u8]) -> Result<usize, String> {
    let failed = |e: std::io::Error| format!("gzip: {e}");
    let mut gzip =
        Command::new("gzip").arg("-9").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
    let mut to = gzip.stdin.take().ok_or("gzip has no input")?;
    let bytes = bytes.to_vec();
    let writer = std::thread::spawn(move || to.write_all(&bytes));
    let out = gzip.wait_with_output().map_err(failed)?;
    writer.join().map_err(|_| "gzip: the writer ended")?.map_err(failed)?;
    Ok(out.stdout.len())
}

/// Sends a recording of so many bytes, made on the way; the most memory that the server had, in bytes.
fn received(length: u64) -> Result<f64, String> {
    let studio = Started::new()?;
    let address = studio.link.trim_start_matches("http://").split('/').next().unwrap_or_default().to_string();
    let path = studio.link.rfind("/?").map_or("/", |at| &studio.link[at..]);
    let entered = asked(&address, &format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"))?;
    let cookie = entered.split("set-cookie: ").nth(1).and_then(|rest| rest.split(';').next()).ok_or("no cookie")?;
    let page = asked(
        &address,
        &format!("GET / HTTP/1.1\r\nHost: {address}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"),
    )?;
    let token = page.split("diskwright-token\" content=\"").nth(1).and_then(|rest| rest.split('"').next());
    let token = token.ok_or("no token")?;
    let failed = |e: std::io::Error| format!("the recording: {e}");
    let mut stream = TcpStream::connect(&address).map_err(failed)?;
    let head = format!(
        "POST /api/observe?q=%7B%22files%22%3A%5B%5B%22iostat.txt%22%2C{length}%5D%5D%7D HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
         Sec-Fetch-Site: same-origin\r\nCookie: {cookie}\r\nX-Diskwright-Token: {token}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).map_err(failed)?;
    let mut sent = 0u64;
    let mut part = String::from("Linux 6.1.0-28-amd64 (orders-db) \t03/03/26 \t_x86_64_\t(8 CPU)\n");
    let mut at = 0u64;
    while sent < length {
        while part.len() < 1 << 16 {
            part += &reading(at);
            at += 1;
        }
        let count = (part.len() as u64).min(length - sent) as usize;
        stream.write_all(&part.as_bytes()[..count]).map_err(failed)?;
        sent += count as u64;
        part.clear();
    }
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(failed)?;
    if !answer.starts_with("HTTP/1.1 200") {
        return Err(format!("the recording: {}", answer.chars().take(600).collect::<String>()));
    }
    studio.peak()
}

/// A reading of iostat of eight disks, each second.
fn reading(at: u64) -> String {
    let (day, second) = (at / 86_400, at % 86_400);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    let mut text = format!(
        "\n2026-{:02}-{:02}T{hour:02}:{minute:02}:{second:02}+0000\navg-cpu:  %user   %nice %system %iowait  %steal   %idle\n           27.75    0.00    5.67    5.09    0.00   61.50\n\n\
         Device          r/s      w/s       rkB/s      wkB/s  rrqm/s  wrqm/s  %rrqm  %wrqm  r_await w_await  aqu-sz rareq-sz wareq-sz   %util\n",
        1 + day / 28 % 12,
        1 + day % 28,
    );
    for disk in 0..8 {
        let rate = 100 + (at * 7 + disk * 31) % 900;
        text += &format!(
            "nvme{disk}n1 {rate}.00 {rate}.00 {0}.00 {0}.00 0.00 0.00 0.00 0.00 1.37 1.99 1.43 8.00 8.00 56.84\n",
            rate * 8
        );
    }
    text
}

fn asked(address: &str, request: &str) -> Result<String, String> {
    let mut stream = TcpStream::connect(address).map_err(|e| e.to_string())?;
    stream.write_all(request.as_bytes()).map_err(|e| e.to_string())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(|e| e.to_string())?;
    Ok(answer)
}
