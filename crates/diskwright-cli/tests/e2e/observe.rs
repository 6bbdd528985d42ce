//! Recordings through the program: what is printed, written, and refused.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::e2e::support::{diskwright_at, folder, limited_at, run, run_in, tool};

/// A recording of iostat: two disks and a partition, uneven, `n` reports after the since-boot one.
fn iostat(n: u32) -> String {
    let mut text = String::from("Linux 5.15.0-91-generic (db1) \t11/23/2026 \t_x86_64_\t(8 CPU)\n\n");
    for i in 0..=n {
        let (r, w) = if i == 0 { (9_999.0, 1.0) } else { (f64::from(100 + i * 37 % 100), f64::from(50 + i * 17 % 50)) };
        let (busy, idle) = (f64::from(10 + i % 20), f64::from(90 - i % 20));
        text.push_str("avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n");
        let _ = writeln!(text, "          {:.2}    0.00    0.00    0.00    0.00   {idle:.2}\n", busy);
        text.push_str("Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   wrqm/s  %wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     f/s f_await  aqu-sz  %util\n");
        for (device, share) in [("sda", 1.0), ("sda1", 1.0), ("sdb", 0.5)] {
            let (r, w) = (r * share, w * share);
            let _ = writeln!(
                text,
                "{device} {r:.2} {:.2} 0.00 0.00 1.00 8.00 {w:.2} {:.2} 0.00 0.00 2.00 16.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 {:.2} 9.00",
                r * 8.0,
                w * 16.0,
                r / 1000.0 + w / 500.0
            );
        }
        text.push('\n');
    }
    text
}

fn observe(at: &Path, args: &[&str]) -> String {
    let ran = diskwright_at(at, &[&["observe"], args].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout
}

fn json(at: &Path, args: &[&str]) -> Value {
    serde_json::from_str(&observe(at, &[args, &["--format", "json"]].concat())).unwrap()
}

/// A figure of a row in the first volume's whole recording.
fn figure(document: &Value, row: &str, level: &str) -> Option<f64> {
    let rows = document["volumes"][0]["windows"][0]["rows"].as_array()?;
    let row = rows.iter().find(|r| r["row"] == row)?;
    row[level].as_f64().or_else(|| row[level]["value"].as_f64())
}

#[test]
fn the_checklist_fits_a_narrow_and_a_wide_terminal() {
    let at = folder(&[("db.txt", &iostat(200))]);
    for width in ["80", "120"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
        command.args(["observe", "db.txt", "--every", "1s", "--volume", "data=sda"]).current_dir(at.path());
        let text = run_in(&mut command, &[("LC_ALL", "C"), ("COLUMNS", width)]).stdout;
        let widest = text.lines().map(|l| l.chars().count()).max().unwrap();
        assert!(widest <= width.parse().unwrap(), "{widest} columns\n{text}");
        insta::assert_snapshot!(format!("observe_{width}_columns"), text);
    }
}

#[test]
fn partitions_are_not_counted_and_the_since_boot_report_is_dropped() {
    let at = folder(&[("db.txt", &iostat(200))]);
    let document = json(at.path(), &["db.txt", "--every", "1s"]);
    let names: Vec<&str> =
        document["volumes"].as_array().unwrap().iter().map(|v| v["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["all volumes", "sda", "sdb"]);
    assert!(figure(&document, "read_iops", "max").unwrap() <= 300.0);
    assert_eq!(document["left_out"][0]["device"], "sda1");
    let codes: Vec<&str> =
        document["findings"].as_array().unwrap().iter().map(|f| f["pitfall"].as_str().unwrap()).collect();
    assert!(codes.contains(&"P1") && codes.contains(&"P10"), "{codes:?}");
}

#[test]
fn every_format_says_the_same() {
    let at = folder(&[("db.txt", &iostat(200))]);
    let args = ["db.txt", "--every", "1s", "--volume", "data=sda", "--growth", "30%", "--random", "70"];
    let document = json(at.path(), &args);
    let p99 = figure(&document, "write_iops", "p99").unwrap();
    let csv = observe(at.path(), &[&args[..], &["--format", "csv"]].concat());
    let line = csv.lines().find(|l| l.starts_with("data,whole,write_iops,")).unwrap();
    assert_eq!(line.split(',').nth(12).unwrap().parse::<f64>().unwrap(), p99);
    let markdown = observe(at.path(), &[&args[..], &["--format", "markdown"]].concat());
    assert!(markdown.contains(&format!("| {p99:.0} |")), "{markdown}");
    let toml = observe(at.path(), &[&args[..], &["--format", "toml"]].concat());
    let requirements = dw_demand::read("r.toml", &toml, &dw_catalogue::PLAN_KEYS).unwrap();
    let volume = &requirements.volumes[0];
    assert_eq!(volume.write_iops.unwrap().p99, p99);
    assert_eq!((requirements.growth, volume.random_percent), (1.3, Some(70.0)));
    let series = volume.series.as_ref().unwrap();
    assert_eq!(series.read_iops.len(), 200);
    // Written again it says the same; what is to fill in is asked once.
    let again = dw_demand::write(&requirements, toml.lines().next().unwrap().trim_start_matches("# "));
    let said = |text: &str| -> Vec<String> {
        let is_asked = |line: &&str| line.starts_with("# ") || *line == "[plan]" || line.contains("_latency_max");
        text.lines().skip(1).filter(|line| !line.is_empty() && !is_asked(line)).map(String::from).collect()
    };
    assert_eq!(said(&again), said(&toml));
}

#[test]
fn json_fits_its_committed_schema() {
    let at = folder(&[("db.txt", &iostat(30))]);
    let committed = std::fs::read_to_string(crate::e2e::support::root().join("schemas/checklist.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&committed).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let document = json(at.path(), &["db.txt", "--window", "load"]);
    let errors: Vec<String> = validator.iter_errors(&document).map(|e| e.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    for name in ["checklist", "requirements"] {
        let path = crate::e2e::support::root().join(format!("schemas/{name}.schema.json"));
        let stale = format!("schemas/{name}.schema.json is stale: run `cargo xtask gen`");
        assert!(
            std::fs::read_to_string(path).unwrap() == crate::e2e::support::diskwright(&["schema", name]).stdout,
            "{stale}"
        );
    }
}

#[test]
fn a_file_in_two_pieces_gives_the_same_checklist() {
    let whole = iostat(100);
    let cut = whole.match_indices("avg-cpu").nth(50).unwrap().0;
    let at = folder(&[("whole.txt", &whole), ("a.txt", &whole[..cut]), ("b.txt", &whole[cut..])]);
    let volumes = |files: &[&str]| {
        let document = json(at.path(), &[files, &["--every", "1s"]].concat());
        document["volumes"].clone()
    };
    assert_eq!(volumes(&["whole.txt"]), volumes(&["a.txt", "b.txt"]));
}

#[test]
fn a_recorded_demand_is_replayed_by_the_simulator() {
    let rig = "[vm]\nsize = \"Standard_DS1\"\nedition = \"2017-03\"\n[[volume]]\nname = \"data\"\nmount = \"/data\"\ndisks = \"P30\"\n";
    let at = folder(&[("db.txt", &iostat(60)), ("rig.toml", rig)]);
    observe(
        at.path(),
        &["db.txt", "--every", "1s", "--volume", "data=sdb", "--format", "toml", "--output", "requirements.toml"],
    );
    let asked = json(at.path(), &["db.txt", "--every", "1s", "--volume", "data=sdb"]);
    let ran = diskwright_at(at.path(), &["simulate", "rig.toml", "requirements.toml", "--output-format", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let result: Value = serde_json::from_str(&ran.stdout).unwrap();
    let seconds = asked["volumes"][0]["windows"][0]["covered_s"].as_f64().unwrap();
    for direction in ["read", "write"] {
        let jobs = result["jobs"].as_array().unwrap().iter();
        let done: f64 = jobs.map(|job| job[direction]["total_ios"].as_f64().unwrap()).sum();
        let expected = figure(&asked, &format!("{direction}_iops"), "mean").unwrap() * seconds;
        // Gaps are drawn: three standard deviations of a Poisson count, and the rounding of rates.
        let within = 3.0 * expected.sqrt() + 0.01 * expected;
        assert!((done - expected).abs() <= within, "{direction}: {done}, recorded {expected}");
    }
    let two = rig.to_string() + "[[volume]]\nname = \"log\"\nmount = \"/log\"\ndisks = \"P30\"\n";
    std::fs::write(at.path().join("two.toml"), two.replace("\"data\"", "\"other\"")).unwrap();
    let ran = diskwright_at(at.path(), &["simulate", "two.toml", "requirements.toml"]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("the scenario has no volume `data`; it has `other`, `log`"), "{}", ran.stderr);
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let at = folder(&[("db.txt", &iostat(100))]);
    observe(at.path(), &["db.txt", "--every", "1s", "--html", "page.html"]);
    let page = std::fs::read_to_string(at.path().join("page.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("id=\"diskwright-report\""));
    for foreign in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!page.contains(foreign), "the page has `{foreign}`");
    }
    let json = page.split("id=\"diskwright-report\">").nth(1).unwrap().split("</script>").next().unwrap();
    assert!(serde_json::from_str::<Value>(json).unwrap()["documents"][0]["kind"] == "checklist");
}

const IOLOG: &str =
    "fio version 3 iolog\n0 f add\n0 f read 0 4096\n500000000 f read 8192 4096\n1500000000 f read 0 4096\n";

#[test]
fn wrong_input_is_refused_with_its_place() {
    let damaged = iostat(20).replacen("sdb 68.50", "sdb 6x8.50", 1);
    let bad = "schema_version = 1\n[[volume]]\nname = \"a\"\nread_size = \"8k\"\n";
    let at = folder(&[
        ("db.txt", &iostat(5)),
        ("damaged.txt", &damaged),
        ("empty.txt", ""),
        ("r.toml", bad),
        ("db.iolog", IOLOG),
    ]);
    let cases: &[(&[&str], u8, &str)] = &[
        (&["nowhere.txt"], 3, "nowhere.txt: cannot be read"),
        (&["empty.txt"], 3, "empty.txt"),
        (&["db.txt", "--volume", "data=sdz"], 3, "there is no device `sdz`; there are `sda`, `sda1`, `sdb`"),
        (&["db.txt", "--window", "noon"], 2, "`noon` is not a valid window"),
        (&["db.txt", "--window", "day=08:00-18:00"], 3, "uses clock times"),
        (&["db.txt", "--every", "2"], 2, "`2` is not a length of time"),
        (&["db.txt", "--growth", "much"], 2, "write a factor or percent"),
        (&["db.txt", "--random", "101"], 2, "101 % is out of range"),
        (&["db.iolog", "--random", "70"], 3, "`--random` is 70 %, but the recording contains "),
        (&["db.txt", "--machine", "db2"], 3, "db2"),
    ];
    for (args, code, saying) in cases {
        let ran = diskwright_at(at.path(), &[&["observe"], *args].concat());
        assert!(ran.code == i32::from(*code) && ran.stderr.contains(saying), "{args:?}: {} {}", ran.code, ran.stderr);
        assert_eq!(ran.stdout, "", "{args:?}");
    }
    let error = dw_demand::read("r.toml", bad, &dw_catalogue::PLAN_KEYS).unwrap_err().to_string();
    assert!(error.starts_with("error: r.toml:4: `read_size = \"8k\"` is not a size"), "{error}");
}

#[test]
fn a_live_recording_is_read_back_and_continued() {
    if !Path::new("/proc/diskstats").exists() {
        eprintln!("SKIPPED: live recording needs /proc/diskstats");
        return;
    }
    let at = folder(&[]);
    let record = || {
        let ran = diskwright_at(at.path(), &["observe", "--every", "200ms", "--for", "1s", "--out", "live.arrows"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        std::fs::metadata(at.path().join("live.arrows")).unwrap().len()
    };
    let first = record();
    assert!(record() > first);
    let ran = diskwright_at(at.path(), &["observe", "live.arrows", "--format", "json"]);
    if ran.stderr.contains("no interval of any disk") {
        eprintln!("SKIPPED: this machine has no disk that the kernel counts");
        return;
    }
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(figure(&document, "cpu_average", "mean").is_some());
    assert!(figure(&document, "memory_average", "mean").unwrap() > 1e6);
}

/// Four requests, ten million seconds apart.
const FAR_APART: &str = "8,0 1 1 0.000000000 100 C R 0 + 8 [0]\n8,0 1 2 10000000.000000000 100 C R 64 + 8 [0]\n\
                         8,0 1 3 20000000.000000000 100 C R 128 + 8 [0]\n8,0 1 4 30000000.000000000 100 C R 192 + 8 [0]\n";

#[test]
#[cfg(unix)]
fn stamps_that_are_far_apart_cost_no_memory() {
    let iolog =
        "fio version 3 iolog\n0 f add\n0 f read 0 4096\n9000000000000 f read 8192 4096\n18000000000000 f read 0 4096\n";
    let at = folder(&[("gap.blkparse", FAR_APART), ("gap.iolog", iolog)]);
    for file in ["gap.blkparse", "gap.iolog"] {
        for format in ["table", "json", "toml"] {
            // A gibibyte of address space: an interval for every second would need seven.
            let args = ["observe", file, "--format", format, "--html", "page.html"];
            let ran = limited_at(at.path(), 1_048_576, &args);
            assert_eq!(ran.code, 0, "{file} {format}: {}", ran.stderr);
        }
        let text = observe(at.path(), &[file]);
        assert!(text.contains("no device received a request for"), "{text}");
    }
}

/// A loop device, detached at the end whatever happened.
struct LoopDevice {
    losetup: PathBuf,
    path: String,
}

impl Drop for LoopDevice {
    fn drop(&mut self) {
        let _ = Command::new(&self.losetup).args(["--detach", &self.path]).status();
    }
}

/// What iostat says of a device in so many seconds: (requests, mean latency over I/Os in seconds, size).
fn of_iostat(text: &str, seconds: f64) -> (f64, f64, f64) {
    let document: Value = serde_json::from_str(text).unwrap();
    let reports = document["sysstat"]["hosts"][0]["statistics"].as_array().unwrap();
    let disks: Vec<&Value> = reports.iter().map(|report| &report["disk"][0]).filter(|disk| disk.is_object()).collect();
    let of = |disk: &Value, key: &str| disk[key].as_f64().unwrap();
    let ios: f64 = disks.iter().map(|d| of(d, "r/s") + of(d, "w/s")).sum();
    let waited = |d: &&Value| of(d, "r/s") * of(d, "r_await") + of(d, "w/s") * of(d, "w_await");
    let bytes: f64 = disks.iter().map(|d| (of(d, "rkB/s") + of(d, "wkB/s")) * 1_024.0).sum();
    // Its intervals are a little longer than it says when processors are busy.
    (ios * seconds / disks.len() as f64, disks.iter().map(waited).sum::<f64>() / ios / 1e3, bytes / ios)
}

/// Against fio's own report and iostat, with a trace. Needs root, a loop device and tracefs: run it by
/// `DISKWRIGHT_LIVE=1 cargo test -p diskwright-cli --test all e2e::observe::a_known_load`.
///
/// fio's clat ends when fio has a processor to look at the completion; the kernel's latency ends with the request. fio runs
/// at real-time priority so that both are the same on a busy machine.
#[test]
fn a_known_load_is_seen_as_fio_reports_it() {
    if std::env::var_os("DISKWRIGHT_LIVE").is_none() {
        return;
    }
    let (Some(fio), Some(losetup)) = (tool("fio"), tool("losetup")) else { return };
    let (Some(iostat), Some(chrt)) = (tool("iostat"), tool("chrt")) else { return };
    let at = folder(&[]);
    let backing = at.path().join("disk");
    std::fs::File::create(&backing).unwrap().set_len(1 << 30).unwrap();
    let attached = run(Command::new(&losetup).args(["--find", "--show", "--direct-io=on"]).arg(&backing));
    let path = attached.stdout.trim().to_string();
    assert!(!path.is_empty(), "losetup: {}", attached.stderr);
    let device = LoopDevice { losetup, path };
    let name = device.path.trim_start_matches("/dev/").to_string();
    for (rw, mix, random) in [("randrw", 70, 100.0), ("rw", 70, 0.0)] {
        // The recording encloses the load, so that every request of fio's is in it, and nobody else's.
        let mut observer = Command::new(env!("CARGO_BIN_EXE_diskwright"));
        observer.env("LC_ALL", "C");
        observer.args([
            "observe", "--every", "1s", "--for", "16s", "--trace", "16s", "--format", "json", "--volume", &name,
        ]);
        let observer = observer.stdout(Stdio::piped()).spawn().unwrap();
        let mut beside = Command::new(&iostat);
        beside.args(["-dxyk", "-o", "JSON", &name, "1", "15"]).env("LC_ALL", "C");
        let beside = std::thread::spawn(move || {
            let began = std::time::Instant::now();
            (beside.output().unwrap(), began.elapsed().as_secs_f64())
        });
        std::thread::sleep(std::time::Duration::from_secs(2));
        let mut load = Command::new(&chrt);
        load.args(["-f", "50"]).arg(&fio);
        load.args(["--name=x", "--direct=1", "--ioengine=libaio", "--iodepth=8", "--bs=8k", "--rate_iops=350,150"]);
        load.args(["--time_based", "--runtime=10", "--output-format=json", "--output=fio.json", "--size=1g"]);
        load.args([format!("--filename={}", device.path), format!("--rw={rw}"), format!("--rwmixread={mix}")]);
        run(load.current_dir(at.path()));
        let observed = observer.wait_with_output().unwrap();
        let (beside, seconds) = beside.join().unwrap();
        let (requests, latency, size) = of_iostat(&String::from_utf8(beside.stdout).unwrap(), seconds);
        let document: Value = serde_json::from_slice(&observed.stdout).unwrap();
        let text = std::fs::read_to_string(at.path().join("fio.json")).unwrap();
        let fio: Value = serde_json::from_str(&text).unwrap();
        let job = &fio["jobs"][0];
        let covered = document["volumes"][0]["windows"][0]["covered_s"].as_f64().unwrap();
        let near = |who: &str, row: &str, found: f64, expected: f64, within: f64| {
            eprintln!("{rw} {row}: {found:.6}, {who} says {expected:.6}");
            assert!((found - expected).abs() <= within, "{rw} {row}: {found}, {who} says {expected}");
        };
        let mean = |row: &str| figure(&document, row, "mean").unwrap();
        let total = |what: &str, direction: &str| job[direction][what].as_f64().unwrap();
        let (reads, writes) = (total("total_ios", "read"), total("total_ios", "write"));
        let bytes = total("io_bytes", "read") + total("io_bytes", "write");
        near("fio", "read_iops", mean("read_iops") * covered, reads, 0.02 * reads);
        near("fio", "write_iops", mean("write_iops") * covered, writes, 0.02 * writes);
        near("fio", "reads", mean("reads"), 100.0 * reads / (reads + writes), 2.0);
        near("fio", "io_size", mean("io_size"), 8_192.0, 0.02 * 8_192.0);
        near("fio", "throughput_average", mean("throughput_average") * covered, bytes, 0.02 * bytes);
        near("fio", "random", mean("random"), random, 2.0);
        for (row, direction) in [("read_latency", "read"), ("write_latency", "write")] {
            let clat = job[direction]["clat_ns"]["mean"].as_f64().unwrap() / 1e9;
            near("fio", row, mean(row), clat, 0.02 * clat);
        }
        near("iostat", "iops", mean("iops") * covered, requests, 0.02 * requests);
        near("iostat", "latency_average", mean("latency_average"), latency, 0.02 * latency);
        near("iostat", "io_size", mean("io_size"), size, 0.02 * size);
    }
}

/// A clock that was read a little late is not an interval of its own.
#[test]
fn a_recording_of_our_own_says_its_interval_as_it_was_asked_for() {
    let at = folder(&[]);
    let args = ["observe", "--every", "100ms", "--for", "1s", "--out", "live.arrows", "-q"];
    let ran = diskwright_at(at.path(), &args);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    for more in [&[][..], &["--format", "markdown"], &["--format", "toml"], &["--format", "csv"]] {
        let text = observe(at.path(), &[&["live.arrows"], more].concat());
        // A latency is written to the nanosecond for whoever plans with it; an interval is not.
        let intervals = text.lines().filter(|line| !line.contains("_latency = "));
        assert!(!intervals.clone().any(|line| line.contains(" ns")), "{more:?}: {text}");
    }
}

/// Logs of two jobs of one run on a loaded machine: each window is written at another time.
#[test]
fn logs_of_several_jobs_add_up() {
    let log = |late: fn(u64) -> u64| -> String {
        (1..=60u64)
            .map(|i| format!("{}, 1000, 0, 0, 0\n{}, 500, 1, 0, 0\n", i * 500 + late(i), i * 500 + late(i)))
            .collect()
    };
    let at = folder(&[("db_iops.1.log", &log(|i| i % 2)), ("db_iops.2.log", &log(|i| 15 + i * 7 % 60))]);
    let document = json(at.path(), &["db_iops.1.log", "db_iops.2.log"]);
    assert_eq!((figure(&document, "iops", "min"), figure(&document, "iops", "max")), (Some(3_000.0), Some(3_000.0)));
    let n =
        document["volumes"][0]["windows"][0]["rows"].as_array().unwrap().iter().find(|r| r["row"] == "iops").unwrap();
    assert_eq!(n["n"], 60);
}

/// A recording with a time on every line, ten seconds apart.
const SAR: &str = "Linux 6.1.0 (host) \t11/21/26 \t_x86_64_\t(4 CPU)

10:00:01          DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util
10:00:11          sda    100.00    800.00      0.00      0.00      8.00      0.10      1.00     10.00

10:00:11          DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util
10:00:21          sda    110.00    880.00      0.00      0.00      8.00      0.10      1.00     10.00

10:00:21          DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util
10:00:31          sda    110.00    880.00      0.00      0.00      8.00      0.10      1.00     10.00
";

#[test]
fn an_interval_that_contradicts_the_file_is_refused() {
    let at = folder(&[("sar.txt", SAR), ("iostat.txt", &iostat(30))]);
    let ran = diskwright_at(at.path(), &["observe", "sar.txt", "--every", "2s"]);
    let expected =
        "error: sar.txt: `--every` is 2 s, but the times in the recording are 10 s apart\nhint: omit `--every`";
    assert!(ran.code == 3 && ran.stderr.starts_with(expected), "{}", ran.stderr);
    // One that says the same is none, nor one that another file needs.
    for args in [&["sar.txt", "--every", "10s"][..], &["iostat.txt", "--every", "2s"]] {
        let ran = diskwright_at(at.path(), &[&["observe"], args].concat());
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.stderr);
    }
}
