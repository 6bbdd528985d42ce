//! `diskwright studio --emulator` on a real emulation, with fio's load on it, in a real browser.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use dw_browser::Browser;
use serde_json::Value;

use crate::emulate::support::{call, have, run, wait_until};

/// A program that is ended with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn diskwright(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
    command.args(args).current_dir(folder).env("DISKWRIGHT_CATALOGUE", "none").stdin(Stdio::null());
    command
}

fn emulate(folder: &Path) -> Running {
    let child = diskwright(folder, &["emulate", "rig.toml", "--null", "--socket", "rig.sock"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("the emulator listens", || {
        std::os::unix::net::UnixStream::connect(folder.join("rig.sock.control")).is_ok()
    });
    Running(child)
}

fn load(folder: &Path, export: &str, args: &[&str]) -> Running {
    let uri = format!("--uri=nbd+unix:///{export}?socket={}", folder.join("rig.sock").display());
    let mut command = Command::new("fio");
    command.args(["--name=x", "--ioengine=nbd", &uri, "--size=2G", "--time_based", "--runtime=600"]).args(args);
    Running(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
}

fn status(folder: &Path) -> Value {
    let ran = run(&mut diskwright(folder, &["ctl", "--socket", "rig.sock", "--json", "status"]));
    serde_json::from_str(&ran.ok()).unwrap()
}

fn keep(browser: &mut Browser, width: u32, name: &str) {
    if let Some(folder) = std::env::var_os("DISKWRIGHT_SCREENSHOTS") {
        let picture = browser.screenshot(width);
        std::fs::write(PathBuf::from(folder).join(format!("studio-{name}.png")), picture).unwrap();
    }
}

/// The figure of a column of a volume's row, without what was predicted.
fn figure(row: usize, column: usize) -> String {
    format!(
        "Number((document.querySelectorAll('.live-table tbody tr')[{row}]?.children[{column}]?.firstChild?.data ?? '').replace(/[^0-9.]/g, ''))"
    )
}

#[test]
fn what_a_design_was_predicted_to_do_is_laid_under_what_its_emulation_does() {
    if !have(&["fio"]) {
        return;
    }
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut child = diskwright(folder, &["studio", "--no-open", "--emulator", "rig.sock.control"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (out, mut link) = (child.stdout.take().unwrap(), String::new());
    let _studio = Running(child);
    BufReader::new(out).read_line(&mut link).unwrap();

    // The way that the screen names: export the rig, emulate it, put load on it.
    browser.download_to(folder);
    browser.resize(1_440, 900, "light");
    browser.go(link.trim());
    browser.until("document.querySelector('#example')");
    browser.click("#example");
    // The answer shows how far the run is: the plan is proven and the run is done.
    browser
        .until("document.querySelector('.progress .done') && !document.querySelector('progress, #verdict[aria-busy]')");
    browser.press("6", 0);
    browser.until("document.querySelector('#live-state.refusal')?.textContent.includes('rig.sock.control')");
    let verdict = browser.evaluate("document.querySelector('#verdict').textContent");
    browser.press("e", 0);
    browser.until("document.querySelector('#export-rig-toml')");
    browser.click("#export-rig-toml");
    wait_until("the rig is downloaded", || folder.join("rig.toml").is_file());
    let emulator = emulate(folder);
    browser.until("document.querySelector('#live-state.on')");
    let loads = [
        load(folder, "data", &["--rw=randread", "--bs=8k", "--iodepth=16", "--rate_iops=1500"]),
        load(folder, "log", &["--rw=write", "--bs=8k", "--iodepth=4", "--rate_iops=400"]),
    ];
    // Figures of the load, near what was asked; and what was predicted for it.
    browser.until(&format!("{} > 1000 && {} > 250", figure(0, 2), figure(3, 2)));
    browser.until("document.querySelectorAll('.live-table tbody tr')[0].children[4].querySelector('.said').textContent.includes('ms')");
    assert_eq!(
        browser.evaluate("document.querySelector('.live-head').textContent.includes('other limits')"),
        false,
        "the emulation is of the design that is shown"
    );
    browser
        .until("/^(this machine keeps up|UNRELIABLE RUN): /.test(document.querySelector('#live-trust').textContent)");
    wait_until("`ctl` says so, too", || status(folder)["volumes"][0]["reads"]["per_second"].as_f64() > Some(1_000.0));
    if std::env::var_os("DISKWRIGHT_SCREENSHOTS").is_some() {
        std::thread::sleep(std::time::Duration::from_secs(20));
        for (width, theme) in [(1_440, "light"), (1_440, "dark"), (390, "light"), (390, "dark")] {
            browser.resize(width, 900, theme);
            browser.evaluate("new Promise((done) => setTimeout(done, 400))");
            keep(&mut browser, width, &format!("live-{width}-{theme}"));
        }
        browser.resize(1_440, 900, "light");
    }

    // Paused: the emulation says so itself, and no rate is left.
    browser.click("#live-pause");
    browser.until("document.querySelector('#live-state.paused')");
    assert_eq!(status(folder)["paused"], true);
    browser.until(&format!("{} === 0", figure(0, 2)));
    browser.click("#live-pause");
    browser.until(&format!("document.querySelector('#live-state.on') && {} > 500", figure(0, 2)));

    // As much as there is room for: the limit that holds it up is marked, and so many outstanding were predicted to take so long.
    let more = load(folder, "log", &["--rw=randwrite", "--bs=8k", "--iodepth=32"]);
    browser.until("[...document.querySelectorAll('.live-table tr.over')].some((e) => e.textContent.includes('log'))");
    let waits = "(() => { const cell = document.querySelectorAll('.live-table tbody tr')[3].children[4]; const [from, to] = cell.querySelector('.said').textContent.split(/[–m]/).map(Number); \
        const is = Number(cell.firstChild.data.replace(' ms', '')); return is > 8 && Math.abs(is / ((from + to) / 2) - 1) < 0.2; })()";
    browser.until(waits);
    drop(more);

    // Other limits: the screen says that this is not the design any more.
    browser.evaluate("(() => { const e = document.querySelector('#live-data-tier'); e.value = 'P20'; e.dispatchEvent(new Event('change')); })()");
    browser.until("document.querySelector('.live-head').textContent.includes('other limits')");
    let limits = status(folder)["limits"].clone();
    let of_data = |limit: &&Value| limit["id"]["volume"] == "data" && limit["id"]["quantity"] == "iops";
    assert_eq!(limits.as_array().unwrap().iter().find(of_data).unwrap()["rate"], 2_300);

    // It ends; the screen says so, keeps the design, and finds the next one.
    call("kill", ["-TERM", &emulator.0.id().to_string()]).ok();
    browser.until("document.querySelector('#live-state.refusal')");
    drop((loads, emulator));
    assert_eq!(browser.evaluate("document.querySelector('#verdict').textContent"), verdict);
    let _next = emulate(folder);
    browser.until("document.querySelector('#live-state.on')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
