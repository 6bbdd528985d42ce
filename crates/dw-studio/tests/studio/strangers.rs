//! Recordings of strangers in a real browser, each from its drop to a report that reads back.
//!
//! The files are made here, in the shapes of public ones whose licences keep them out of this repository: a MySQL server's `iostat` (one
//! busy disk of three), `sar` of half a day (reads and writes not told apart), PerfMon of a laptop, Azure Monitor, `sadf -j` of ten disks
//! with a restart, `iostat` of thirty disks, and `vmstat`, which has no requests.

use std::fmt::Write as _;

use diskwright::Report;
use dw_browser::Browser;
use dw_studio::Limits;
use serde_json::{Value, json};

use crate::page::{at_rest, exported, text};
use crate::support::start;

/// A file, and what must be said of it.
struct Stranger {
    name: &'static str,
    recording: String,
    /// Above the recorded load.
    peak: &'static str,
    /// Volumes that are planned.
    planned: usize,
    /// Begins the line of those that are left out; empty where none are.
    left_out: &'static str,
    /// The verdict; the recording where it is a condition.
    state: &'static str,
    condition: &'static str,
    /// Requests a second that the plan carries: the p99 of what was recorded.
    carries: &'static str,
    /// Whether reads are told from writes.
    is_timed: bool,
}

/// The second of a day as a clock shows it.
fn clock(seconds: u32) -> String {
    format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

/// Nine in the morning.
const NINE: u32 = 9 * 3_600;

/// Without `-y`: the first report counts since boot.
fn iostat_of_mysql() -> String {
    let mut all = String::from("Linux 4.4.0-31-generic (db3) \t03/03/2026 \t_x86_64_\t(16 CPU)\n");
    for at in 0..121 {
        let _ = write!(
            all,
            "\n03/03/2026 {}\navg-cpu:  %user   %nice %system %iowait  %steal   %idle\n          20.00    0.00   10.00    5.00    0.00   65.00\n\n\
             Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await r_await w_await  svctm  %util\n",
            clock(NINE + 2 * at)
        );
        let busy = if at == 0 { 900 } else { 20_000 + at * 100 };
        for (device, writes) in [("nvme0n1", 0), ("sda", 3), ("qbd0", busy)] {
            let (size, wait) = if writes == 0 { ("0.00", "0.00") } else { ("16.00", "0.50") };
            let _ = writeln!(
                all,
                "{device} 0.00 0.00 0.00 {writes}.00 0.00 {}.00 {size} 0.50 {wait} 0.00 {wait} 0.02 40.00",
                writes * 8
            );
        }
    }
    all
}

/// Twelve hours, ten minutes apart.
fn sar_of_half_a_day() -> String {
    let mut all = String::from("Linux 3.10.0-957.el7.x86_64 (ntr001) \t12/18/2018 \t_x86_64_\t(4 CPU)\n");
    let _ = write!(all, "\n00:00:01 DEV tps rd_sec/s wr_sec/s avgrq-sz avgqu-sz await svctm %util\n");
    for at in 1..73u32 {
        let time = clock(at * 600 + 1);
        for (device, tps) in [("dev8-0", 20 + at), ("dev8-48", 300 + at * 4)] {
            let _ = writeln!(all, "{time} {device} {tps}.00 {}.00 {}.00 32.00 0.50 1.50 0.50 10.00", tps * 8, tps * 24);
        }
    }
    all
}

fn perfmon_of_a_laptop() -> String {
    let counters = [
        "Disk Reads/sec",
        "Disk Writes/sec",
        "Disk Read Bytes/sec",
        "Disk Write Bytes/sec",
        "Avg. Disk sec/Read",
        "Avg. Disk sec/Write",
        "Avg. Disk Queue Length",
    ];
    let columns: String = ["0 C:", "_Total"]
        .iter()
        .flat_map(|disk| {
            counters.iter().map(move |counter| format!(",\"\\\\LAPTOP\\PhysicalDisk({disk})\\{counter}\""))
        })
        .collect();
    let mut all = format!("\"(PDH-CSV 4.0) (W. Europe Standard Time)(-60)\"{columns}\r\n");
    for at in 0..90u32 {
        let row =
            format!(",\"{}\",\"40\",\"{}\",\"655360\",\"0.004\",\"0.009\",\"1.1\"", 100 + at, (100 + at) * 32_768);
        let _ = write!(all, "\"11/14/2025 {}.004\"{row}{row}\r\n", clock(NINE + at));
    }
    all
}

/// What `az monitor metrics list` prints of a VM with two data disks.
fn azure_of_two_disks() -> String {
    let metric = |name: &str, unit: &str, of: &dyn Fn(u32, u32) -> f64| {
        let series = |lun: u32| {
            let data: Vec<Value> = (0..60)
                .map(|at| json!({ "timeStamp": format!("2026-03-03T{}Z", clock(NINE + 60 * at)), "average": of(lun, at) }))
                .collect();
            json!({ "metadatavalues": [{ "name": { "value": "LUN" }, "value": lun.to_string() }], "data": data })
        };
        let id = "/subscriptions/0/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/db01/providers/Microsoft.Insights/metrics/x";
        json!({ "id": id, "name": { "value": name, "localizedValue": name }, "unit": unit, "timeseries": [series(0), series(1)] })
    };
    let reads = |lun: u32, at: u32| f64::from(if lun == 0 { 1_000 + 10 * at } else { 200 });
    let writes = |lun: u32, _: u32| if lun == 0 { 300.0 } else { 600.0 };
    json!({
        "cost": 59, "interval": "PT1M", "namespace": "Microsoft.Compute/virtualMachines", "resourceregion": "westeurope",
        "value": [
            metric("Data Disk Read Operations/Sec", "CountPerSecond", &reads),
            metric("Data Disk Write Operations/Sec", "CountPerSecond", &writes),
            metric("Data Disk Read Bytes/sec", "BytesPerSecond", &|lun, at| reads(lun, at) * 8_192.0),
            metric("Data Disk Write Bytes/sec", "BytesPerSecond", &|lun, at| writes(lun, at) * 16_384.0),
        ]
    })
    .to_string()
}

/// Ten disks, and a restart in the middle.
fn sadf_of_ten_disks() -> String {
    let statistics: Vec<Value> = (0..60u32)
        .map(|at| {
            let disks: Vec<Value> = (0..10u32)
                .map(|disk| {
                    let tps = f64::from(50 + 20 * disk + at);
                    json!({ "disk-device": format!("sd{}", (b'b' + disk as u8) as char), "tps": tps, "rkB/s": tps * 6.0, "wkB/s": tps * 2.0,
                        "dkB/s": 0.0, "areq-sz": 8.0, "aqu-sz": 0.1, "await": 1.2, "util": 3.0 })
                })
                .collect();
            json!({ "timestamp": { "date": "2019-04-18", "time": clock(NINE + 60 * (at + 1)), "utc": 1, "interval": 60 }, "disk": disks })
        })
        .collect();
    json!({ "sysstat": { "hosts": [{
        "nodename": "ten", "sysname": "Linux", "release": "5.0.0", "machine": "x86_64", "number-of-cpus": 8,
        "file-date": "2019-04-18", "statistics": statistics,
        "restarts": [{ "boot": { "date": "2019-04-18", "time": "09:30:30", "utc": 1 } }]
    }] } })
    .to_string()
}

fn iostat_of_thirty_disks() -> String {
    let mut all = String::from("Linux 6.1.0 (wide) \t2026-03-03 \t_x86_64_\t(64 CPU)\n");
    for at in 0..60u32 {
        let _ = write!(
            all,
            "\n2026-03-03T{}+0000\nDevice r/s w/s rkB/s wkB/s rrqm/s wrqm/s %rrqm %wrqm r_await w_await aqu-sz rareq-sz wareq-sz %util\n",
            clock(NINE + 10 * at)
        );
        for disk in 0..30u32 {
            let name = if disk < 25 {
                format!("sd{}", (b'b' + disk as u8) as char)
            } else {
                format!("sda{}", (b'a' + disk as u8 - 25) as char)
            };
            let reads = 100 + 10 * disk + at;
            let _ = writeln!(
                all,
                "{name} {reads}.00 50.00 {}.00 400.00 0.00 0.00 0.00 0.00 1.00 1.00 0.15 8.00 8.00 20.00",
                reads * 8
            );
        }
    }
    all
}

fn strangers() -> Vec<Stranger> {
    vec![
        Stranger {
            name: "mysql.txt",
            recording: iostat_of_mysql(),
            peak: "peak 32,003 IOPS",
            planned: 1,
            left_out: "2 volumes are left out: nvme0n1, sda",
            state: "met with a condition",
            condition: "4 min recorded",
            carries: "31,9",
            is_timed: true,
        },
        Stranger {
            name: "sar.txt",
            recording: sar_of_half_a_day(),
            peak: "peak 680 IOPS",
            planned: 2,
            left_out: "",
            state: "met with a condition",
            condition: "the recording does not show",
            carries: "680 IOPS",
            is_timed: false,
        },
        Stranger {
            name: "perfmon.csv",
            recording: perfmon_of_a_laptop(),
            peak: "peak 229 IOPS",
            planned: 1,
            left_out: "",
            state: "met with a condition",
            condition: "90 s recorded",
            carries: "229 IOPS",
            is_timed: true,
        },
        Stranger {
            name: "metrics.json",
            recording: azure_of_two_disks(),
            peak: "peak 2,690 IOPS",
            planned: 2,
            left_out: "",
            state: "met with a condition",
            condition: "the recording does not show",
            carries: "2,690 IOPS",
            is_timed: true,
        },
        Stranger {
            name: "sadf.json",
            recording: sadf_of_ten_disks(),
            peak: "peak 1,990 IOPS",
            planned: 10,
            left_out: "",
            state: "met with a condition",
            condition: "the recording does not show",
            carries: "1,990 IOPS",
            is_timed: false,
        },
        Stranger {
            name: "thirty.txt",
            recording: iostat_of_thirty_disks(),
            peak: "peak 10,620 IOPS",
            planned: 30,
            left_out: "",
            state: "met with a condition",
            condition: "10 min recorded",
            carries: "10,620 IOPS",
            is_timed: true,
        },
    ]
}

/// Every volume gets room, as a person types it.
fn give_room(browser: &mut Browser, planned: usize) {
    browser.until(&format!("document.querySelectorAll('[id^=wish-][id$=-capacity]').length === {planned}"));
    browser.evaluate(
        "(async () => { for (const id of [...document.querySelectorAll('[id^=wish-][id$=-capacity]')].map((e) => e.id)) { \
         const e = document.getElementById(id); e.focus(); e.value = '100 GiB'; e.dispatchEvent(new Event('change')); \
         await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))); } })()",
    );
    browser.until("!document.querySelector('#plan').disabled");
}

/// A price without its thousands.
fn amount(text: &str) -> f64 {
    let digits: String = text.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    digits.parse().unwrap_or_else(|_| panic!("no amount in {text}"))
}

#[test]
fn a_strangers_recording_comes_to_a_report_without_help() {
    let studio = start(Limits::default(), &[]);
    let Some(mut browser) = Browser::start() else { return };
    browser.resize(1_440, 900, "light");
    browser.go(&studio.link);
    let folder = tempfile::tempdir().unwrap();
    let downloads = tempfile::tempdir().unwrap();
    browser.download_to(downloads.path());
    for of in strangers() {
        let name = of.name;
        let file = folder.path().join(name);
        std::fs::write(&file, &of.recording).unwrap();
        browser.until("document.querySelector('#open')");
        browser.choose("#open", &[&file]);
        browser.until(&format!(
            "document.querySelector('.source').textContent === {name:?} && document.querySelector('#plan')"
        ));
        let load = text(&mut browser, ".recorded .head");
        assert!(load.contains(of.peak), "{name}: {load}");
        let idle = text(&mut browser, ".idle summary");
        assert!(idle.starts_with(of.left_out) && idle.is_empty() == of.left_out.is_empty(), "{name}: {idle}");
        give_room(&mut browser, of.planned);
        browser.click("#plan");
        browser.until("document.querySelector('.hero .sentence')");
        browser.until("!document.querySelector('#verdict[aria-busy], .progress progress')");
        if of.is_timed {
            at_rest(&mut browser);
        }
        assert_eq!(text(&mut browser, ".refusal"), "", "{name}");
        // The sentence names the VM and each volume, and its price is the sum of its parts.
        let sentence = text(&mut browser, ".hero .sentence");
        assert!(sentence.contains(" meets everything you asked for"), "{name}: {sentence}");
        let state = text(&mut browser, ".hero .state");
        assert!(state.contains(of.state) && state.contains(of.condition), "{name}: {state}");
        let chips = text(&mut browser, ".hero .chips");
        assert!(chips.contains(of.carries), "{name}: {chips}");
        let price = amount(&text(&mut browser, ".hero .price strong"));
        let parts = text(&mut browser, ".hero .parts");
        let sum: f64 = parts.split('+').map(|part| amount(part.trim().rsplit(' ').next().unwrap())).sum();
        assert!((sum - price).abs() <= parts.split('+').count() as f64 / 2.0 + 0.5, "{name}: {price} of {parts}");
        let drawn = browser.evaluate("[!!document.querySelector('.pipe'), !!document.querySelector('.strips')]");
        assert_eq!(drawn, json!([of.is_timed, of.is_timed]), "{name}");
        if !of.is_timed {
            assert!(text(&mut browser, ".picture").contains("does not tell reads from writes"), "{name}");
        }
        // Every screen stands, and the report reads back.
        for key in ["2", "3", "4", "5"] {
            browser.press(key, 0);
            browser.until(&format!("document.querySelectorAll('nav button')[{key} - 1].ariaCurrent === 'page'"));
            let wide = browser.evaluate("document.documentElement.scrollWidth - innerWidth");
            assert_eq!((wide, text(&mut browser, ".refusal")), (json!(0), String::new()), "{name}: screen {key}");
        }
        let report = exported(&mut browser, "report.html", downloads.path());
        let page = std::fs::read_to_string(report).unwrap();
        let read = Report::open(&page).unwrap();
        let pieces: Vec<&str> = read.pieces.iter().map(|piece| piece.name.as_str()).collect();
        assert!(pieces.starts_with(&["checklist", "requirements.toml", "plan", "rig.toml"]), "{name}: {pieces:?}");
        assert_eq!(pieces.contains(&"simulation"), of.is_timed, "{name}: {pieces:?}");
        assert!(
            page.contains(&sentence.split(' ').next().unwrap().replace("Standard_", "")),
            "{name}: the report has another VM"
        );
        // Windows has no letters for thirty volumes.
        assert!(pieces.contains(&"linux.sh"), "{name}: {pieces:?}");
        assert_eq!(pieces.contains(&"windows.ps1"), of.planned <= 21, "{name}: {pieces:?}");
        let complaints = browser.complaints();
        assert!(complaints.is_empty(), "{name}: {complaints:?}");
    }
}

#[test]
fn a_recording_without_requests_says_so_before_a_plan_is_asked_for() {
    let studio = start(Limits::default(), &[]);
    let Some(mut browser) = Browser::start() else { return };
    browser.resize(1_440, 900, "light");
    browser.go(&studio.link);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("vmstat.txt");
    let mut all = String::from(
        "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n \
         r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n",
    );
    for at in 0..40 {
        let _ = writeln!(
            all,
            " 1  0      0 {} 1000 20000    0    0   {} 40  100  200  5  2 90  3  0",
            800_000 - at,
            100 + at
        );
    }
    std::fs::write(&file, all).unwrap();
    browser.until("document.querySelector('#open')");
    browser.choose("#open", &[&file]);
    browser.until(
        "document.querySelector('#lacks')?.textContent.startsWith('Requests per second are missing: all disks')",
    );
    assert_eq!(browser.evaluate("document.querySelector('#plan').disabled"), true);
    assert!(!text(&mut browser, ".recorded .head").contains("peak"), "nobody knows it");
}
