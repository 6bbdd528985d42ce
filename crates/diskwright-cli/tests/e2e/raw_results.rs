//! `verify` and `calibrate` on what fio, DiskSpd and Iometer print themselves: which volume is meant, and what is said when nothing
//! tells.

use serde_json::{Value, json};

use crate::e2e::support::{Ran, diskwright_at, folder, root};

/// What two volumes must do.
const ASKED: &str = "schema_version = 1\n\
     [[volume]]\nname = \"data\"\nread_iops = { p50 = 900, p90 = 900, p99 = 900, max = 900 }\n\
     [[volume]]\nname = \"log\"\nwrite_iops = { p50 = 300, p90 = 300, p99 = 300, max = 300 }\n";

/// A rig with a constant of 3 ms, which nothing measured.
const RIG: &str = "[vm]\nuncached = { iops = 5000, throughput = \"1000 MB/s\" }\n[[volume]]\nname = \"data\"\nmount = \"/mnt/data\"\n\
     disks = [{ size = \"64 GiB\", latency = { read = \"3 ms\", write = \"3 ms\" } }]\n";

/// A job of fio's JSON: name, file, direction, requests per second, their latency in µs, depth.
fn job(name: &str, file: &str, direction: &str, iops: u64, us: u64, depth: u64) -> Value {
    let times = json!({ "mean": us * 1_000, "max": us * 4_000, "N": iops * 30, "percentile": {
        "50.000000": us * 900, "90.000000": us * 1_500, "99.000000": us * 3_000 } });
    let active = json!({ "iops": iops, "total_ios": iops * 30, "io_bytes": iops * 30 * 8_192, "bw_bytes": iops * 8_192,
        "runtime": 30_000, "lat_ns": { "mean": us * 1_000, "max": us * 4_000 }, "clat_ns": times });
    let idle = json!({ "iops": 0, "total_ios": 0, "io_bytes": 0, "bw_bytes": 0, "runtime": 0 });
    let (read, write) = if direction == "read" { (active, idle) } else { (idle, active) };
    json!({ "jobname": name, "groupid": 0, "error": 0, "read": read, "write": write, "job options": {
        "rw": format!("rand{direction}"), "bs": "8k", "iodepth": depth.to_string(), "ioengine": "libaio", "direct": "1", "filename": file } })
}

fn result(jobs: &[Value]) -> String {
    json!({ "fio version": "fio-3.33", "jobs": jobs }).to_string()
}

fn verify(result: &str, more: &[&str]) -> Ran {
    let folder = folder(&[("asked.toml", ASKED), ("fio.json", result)]);
    diskwright_at(folder.path(), &[&["verify", "asked.toml", "fio.json"], more].concat())
}

/// Verdict and measurement of the first line of each volume.
fn verdicts(ran: &Ran) -> Vec<(String, String, f64)> {
    let document: Value =
        serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}{}", ran.stdout, ran.stderr));
    let rows = document["rows"].as_array().unwrap().iter().filter(|row| row["level"] == "p50");
    let row = |row: &Value| {
        let text = |key: &str| row[key].as_str().unwrap().to_string();
        (text("volume"), text("verdict"), row["measured"].as_f64().unwrap_or(-1.0))
    };
    rows.map(row).collect()
}

fn row(volume: &str, verdict: &str, measured: f64) -> (String, String, f64) {
    (volume.into(), verdict.into(), measured)
}

#[test]
fn a_job_is_about_the_volume_that_its_name_or_its_file_names() {
    let cases = [
        ("data-reads", "/x/a", "log_writes", "/x/b"),
        ("job1", "/mnt/data/test.dat", "job2", "/mnt/log/test.dat"),
        ("one", "/dev/data", "two", "/dev/log"),
        // The file goes before the name.
        ("log", "/mnt/data/f", "data", "/mnt/log/f"),
    ];
    for (a, at, b, bt) in cases {
        let jobs = [job(a, at, "read", 1_000, 900, 1), job(b, bt, "write", 200, 900, 1)];
        let ran = verify(&result(&jobs), &["--format", "json"]);
        assert_eq!(verdicts(&ran), [row("data", "met", 1_000.0), row("log", "not_met", 200.0)], "{a} {b}");
        assert!(ran.code == 5 && ran.stderr.starts_with("error: of 8 requirements"), "{}", ran.stderr);
    }
    let jobs = [job("data", "/x/a", "read", 1_000, 900, 1)];
    let shown = verify(&result(&jobs), &[]).stdout;
    assert!(shown.contains("there is no prediction for it") && shown.contains("no scenario shows it"), "{shown}");
    // Jobs on one volume add up.
    let jobs = [job("data1", "/data/1", "read", 500, 900, 1), job("data2", "/data/2", "read", 450, 900, 1)];
    let ran = verify(&result(&jobs), &["--format", "json"]);
    assert_eq!(verdicts(&ran), [row("data", "met", 950.0), row("log", "not_proven", -1.0)]);
}

#[test]
fn names_that_tell_nothing_are_mapped_or_refused() {
    let jobs = [job("job1", "/x/a", "read", 1_000, 900, 1), job("job2", "/x/b", "write", 400, 900, 1)];
    let text = result(&jobs);
    let ran = verify(&text, &["--map", "job1=data", "--map", "/x/b=log", "--format", "json"]);
    assert_eq!(verdicts(&ran), [row("data", "met", 1_000.0), row("log", "met", 400.0)]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let ran = verify(&text, &["--map", "a=data", "--map", "job2=-", "--format", "json"]);
    assert_eq!(verdicts(&ran), [row("data", "met", 1_000.0), row("log", "not_proven", -1.0)]);
    let refused = [
        (&[][..], 3, "`job1` (on /x/a): neither its name nor its targets name a volume"),
        (&["--map", "job1=dada", "--map", "job2=log"], 3, "`--map job1=dada` names no volume"),
        (&["--map", "job1"], 2, "write NAME=VOLUME"),
    ];
    for (more, code, said) in refused {
        let ran = verify(&text, more);
        assert!(ran.code == code && ran.stderr.contains(said) && ran.stdout.is_empty(), "{more:?}: {}", ran.stderr);
    }
    let ran = verify(&text, &[]);
    assert!(ran.stderr.contains("job2") && ran.stderr.contains("the volumes are data, log"), "{}", ran.stderr);
}

/// A configuration with the volumes of `ASKED`; `keys` are of the first and of the second.
fn two_volumes(keys: [&str; 2]) -> String {
    let volume = |name: &str, keys: &str| format!("[[volume]]\nname = \"{name}\"\n{keys}\ndisks = \"P30\"\n");
    format!("[vm]\nsize = \"Standard_DS4\"\n{}{}", volume("data", keys[0]), volume("log", keys[1]))
}

/// What it is, jobs, keys of the two volumes, maps, and what is measured on which volume.
type Matched<'a> = (&'a str, &'a [Value], [&'a str; 2], &'a [&'a str], &'a [(&'a str, f64)]);

#[test]
fn verify_and_explain_match_a_result_alike() {
    let a = |file: &str| job("job1", file, "read", 1_000, 900, 1);
    let b = |file: &str| job("job2", file, "write", 200, 900, 1);
    let in_folder = |mut job: Value, folder: &str| {
        job["job options"]["directory"] = folder.into();
        job
    };
    let named = [job("data-reads", "/x/a", "read", 1_000, 900, 1), job("log_writes", "/x/b", "write", 200, 900, 1)];
    let (open, mounts) = (["", ""], ["mount = \"/mnt/data\"", "mount = \"/mnt/log\""]);
    let both = [("data", 1_000.0), ("log", 200.0)];
    let cases: [Matched; 9] = [
        ("names of jobs", &named, open, &[], &both),
        ("paths", &[a("/mnt/data/f"), b("/mnt/log/f")], mounts, &[], &both),
        ("directories of the volumes' names", &[a("/x/data/f"), b("/x/log/f")], open, &[], &both),
        ("device names", &[a("/dev/data"), b("/dev/log")], mounts, &[], &both),
        ("directory", &[in_folder(a("f"), "/mnt/data"), in_folder(b("f"), "/mnt/log")], mounts, &[], &both),
        ("maps", &[a("/x/a"), b("/x/b")], open, &["job1=data", "/x/b=log"], &both),
        ("a map before a path", &[a("/mnt/log/f"), b("/mnt/data/f")], mounts, &["job1=data", "job2=log"], &both),
        ("left out", &[a("/x/a"), b("/x/b")], open, &["job1=data", "b=-"], &both[..1]),
        ("what did nothing", &[a("/dev/data"), job("job2", "/x/b", "write", 0, 900, 1)], open, &[], &both[..1]),
    ];
    for (name, jobs, keys, maps, expected) in cases {
        let folder = folder(&[("asked.toml", ASKED), ("rig.toml", &two_volumes(keys)), ("fio.json", &result(jobs))]);
        let maps: Vec<&str> = maps.iter().flat_map(|map| ["--map", map]).collect();
        let run = |args: &[&str]| diskwright_at(folder.path(), &[args, &["--format", "json"], &maps].concat());
        let mut by_verify = verdicts(&run(&["verify", "asked.toml", "fio.json"]));
        by_verify.retain(|row| row.2 > 0.0);
        let by_verify: Vec<(&str, f64)> = by_verify.iter().map(|row| (row.0.as_str(), row.2)).collect();
        assert_eq!(by_verify, expected, "{name}");
        let ran = run(&["explain", "rig.toml", "--measured", "fio.json"]);
        assert_eq!(ran.code, 0, "{name}: {}", ran.stderr);
        let document: Value = serde_json::from_str(&ran.stdout).unwrap();
        let rows = document["measured"].as_array().unwrap().iter();
        let rate = |row: &Value| row["read_iops"].as_f64().unwrap() + row["write_iops"].as_f64().unwrap();
        let by_explain: Vec<(&str, f64)> = rows.map(|row| (row["volume"].as_str().unwrap(), rate(row))).collect();
        assert_eq!(by_explain, expected, "{name}");
    }
    let lost = "fio.json:1: `job1` (on /x/a): neither its name nor its targets name a volume";
    let refused: [(&str, &[Value], &[&str], &str); 4] = [
        ("nothing tells", &[a("/x/a"), b("/dev/log")], &[], lost),
        ("two volumes in one figure", &[a("/dev/data:/dev/log")], &[], "its targets are not all on one volume"),
        ("no such volume", &[a("/dev/data")], &["job1=dada"], "`--map job1=dada` names no volume"),
        ("no such name", &[a("/dev/data")], &["job3=data"], "`--map job3=data`: no job, worker or target"),
    ];
    for (name, jobs, maps, said) in refused {
        let folder = folder(&[("asked.toml", ASKED), ("rig.toml", &two_volumes(open)), ("fio.json", &result(jobs))]);
        let maps: Vec<&str> = maps.iter().flat_map(|map| ["--map", map]).collect();
        for args in [&["verify", "asked.toml", "fio.json"][..], &["explain", "rig.toml", "--measured", "fio.json"]] {
            let ran = diskwright_at(folder.path(), &[args, &maps].concat());
            assert!(ran.code == 3 && ran.stderr.contains(said), "{name}: {args:?}: {}", ran.stderr);
        }
    }
}

#[test]
fn everything_that_nothing_places_is_on_the_only_volume() {
    let asked = ASKED.split("[[volume]]\nname = \"log\"").next().unwrap();
    let rig = two_volumes(["", ""]);
    let rig = rig.split("[[volume]]\nname = \"log\"").next().unwrap();
    // The disks of a stripe, for example.
    let text = result(&[job("job1", "/dev/sdb:/dev/sdc", "read", 1_000, 900, 1)]);
    let folder = folder(&[("asked.toml", asked), ("rig.toml", rig), ("fio.json", &text)]);
    let run = |args: &[&str]| diskwright_at(folder.path(), &[args, &["--format", "json"]].concat());
    assert_eq!(verdicts(&run(&["verify", "asked.toml", "fio.json"])), [row("data", "met", 1_000.0)]);
    let document: Value =
        serde_json::from_str(&run(&["explain", "rig.toml", "--measured", "fio.json"]).stdout).unwrap();
    assert_eq!(document["measured"][0]["read_iops"], 1_000, "{document:#}");
}

#[test]
fn a_name_in_a_path_does_not_speak_against_a_mount_that_is_known() {
    let mounts = ["mount = \"/mnt/data\"", "mount = \"/mnt/log\""];
    let text = result(&[job("data", "/srv/data/f", "read", 1_000, 900, 1)]);
    let folder = folder(&[("rig.toml", &two_volumes(mounts)), ("fio.json", &text)]);
    let ran = diskwright_at(folder.path(), &["explain", "rig.toml", "--measured", "fio.json"]);
    assert!(ran.code == 3 && ran.stderr.contains("`data` (on /srv/data/f): neither"), "{}", ran.stderr);
}

#[test]
fn what_is_said_of_a_target_holds_for_that_target_alone() {
    let sample = root().join("crates/dw-formats/tests/results/valid/diskspd.two_targets.txt");
    let asked = ASKED.replace("write_iops", "read_iops");
    let folder = folder(&[("asked.toml", &asked)]);
    std::fs::copy(sample, folder.path().join("two.txt")).unwrap();
    let verify = |maps: &[&str]| {
        let maps: Vec<&str> = maps.iter().flat_map(|map| ["--map", map]).collect();
        diskwright_at(folder.path(), &[&["verify", "asked.toml", "two.txt", "--format", "json"], &maps[..]].concat())
    };
    let (a, b) = (399.2, 598.8);
    let cases: [(&[&str], [f64; 2]); 4] = [
        (&[r"F:\data\a.dat=data", r"G:\b.dat=log"], [a, b]),
        (&["b.dat=log"], [a, b]),
        (&[r"F:\data\a.dat=-", r"G:\b.dat=log"], [-1.0, b]),
        (&["a.dat=log", "b.dat=log"], [-1.0, a + b]),
    ];
    for (maps, expected) in cases {
        let ran = verify(maps);
        let found: Vec<f64> = verdicts(&ran).iter().map(|row| row.2).collect();
        assert!(found.iter().zip(expected).all(|(got, e)| (got - e).abs() < 0.01), "{maps:?}: {found:?}");
    }
    let refused = [
        (&["a.dat=data"][..], r"`thread 0, G:\b.dat` (on G:\b.dat): neither its name nor its targets name a volume"),
        (&["a.dat=data", "b.dat=log", "c.dat=log"], "`--map c.dat=log`: no job, worker or target of the results has"),
    ];
    for (maps, said) in refused {
        let ran = verify(maps);
        assert!(ran.code == 3 && ran.stderr.contains(said) && ran.stdout.is_empty(), "{maps:?}: {}", ran.stderr);
    }
    // fio does not say what each file of a job got.
    let jobs = [job("job1", "/x/a:/x/b", "read", 1_000, 900, 1)];
    std::fs::write(folder.path().join("two.txt"), result(&jobs)).unwrap();
    let ran = verify(&["a=data", "b=log"]);
    assert!(ran.code == 3 && ran.stderr.contains("its targets are not all on one volume"), "{}", ran.stderr);
}

#[test]
fn what_the_page_cache_served_is_not_taken_for_the_disks() {
    let with = |option: &str, value: Value| {
        let mut job = job("job1", "/mnt/data/f", "read", 1_000, 900, 1);
        job["job options"].as_object_mut().unwrap().remove("direct");
        job["job options"][option] = value;
        result(&[job])
    };
    let warning =
        "warning: fio.json: `job1`: it went through the page cache, which hides the disks: measure with `direct=1`";
    let cases = [("direct", "1", false), ("direct", "0", true), ("iodepth", "1", true), ("ioengine", "nbd", false)];
    for (option, value, said) in cases {
        let ran = verify(&with(option, value.into()), &[]);
        assert!(ran.stderr.contains(warning) == said && ran.code == 5, "{option}={value}: {}", ran.stderr);
    }
    let text = with("direct", "0".into());
    let folder = folder(&[("rig.toml", RIG), ("a.json", &text), ("b.json", &text)]);
    let args = ["calibrate", "a.json", "b.json", "--rig", "rig.toml", "--name", "here", "--save", "here.toml"];
    let ran = diskwright_at(folder.path(), &args);
    assert!(ran.code == 3 && ran.stderr.contains("job1: it went through the page cache"), "{}", ran.stderr);
}

#[test]
fn nothing_is_fitted_without_a_median() {
    let folder = folder(&[("rig.toml", RIG)]);
    for (name, us) in [("one", 900), ("two", 950), ("three", 990)] {
        let mut job = job(name, "/mnt/data/f", "read", 1_000_000 / us, us, 1);
        job["read"]["clat_ns"]["percentile"] = json!({ "95.000000": us * 2_000, "99.000000": us * 3_000 });
        std::fs::write(folder.path().join(format!("{name}.json")), result(&[job])).unwrap();
    }
    let args = ["calibrate", "one.json", "two.json", "three.json", "--rig", "rig.toml", "--name", "here"];
    let ran = diskwright_at(folder.path(), &[&args[..], &["--save", "here.toml"]].concat());
    let said = "two: it has no median (p50), which the fit needs, only p95, p99, p100";
    assert!(ran.code == 3 && ran.stderr.contains(said), "{}{}", ran.stdout, ran.stderr);
    assert!(!folder.path().join("here.toml").exists());
}

#[test]
fn a_percentile_that_was_not_printed_is_not_compared() {
    let folder = folder(&[("rig.toml", RIG)]);
    for (name, us) in [("one", 1_000), ("two", 1_005), ("three", 1_010)] {
        let mut job = job(name, "/mnt/data/f", "read", 1_000_000 / us, us, 1);
        job["read"]["clat_ns"]["percentile"] = json!({ "50.000000": us * 900, "90.000000": us * 1_500 });
        std::fs::write(folder.path().join(format!("{name}.json")), result(&[job])).unwrap();
    }
    let args = ["calibrate", "one.json", "two.json", "three.json", "--rig", "rig.toml", "--name", "here"];
    let ran = diskwright_at(folder.path(), &[&args[..], &["--format", "json"]].concat());
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    let compared: Vec<&str> =
        document["held_back"].as_array().unwrap().iter().map(|row| row["metric"].as_str().unwrap()).collect();
    assert_eq!(compared, ["iops", "latency_mean", "latency_p50"]);
    assert!(document["error_after_percent"].is_f64() && document["error_before_percent"].is_f64(), "{document:#}");
}

#[test]
fn diskspd_and_iometer_are_read_as_they_print() {
    let sample = |name: &str| std::fs::read(root().join("crates/dw-formats/tests/results/valid").join(name)).unwrap();
    let check = |name: &str, asked: &str, more: &[&str], measured: usize| {
        let folder = folder(&[("asked.toml", asked)]);
        std::fs::write(folder.path().join("result"), sample(name)).unwrap();
        let ran =
            diskwright_at(folder.path(), &[&["verify", "asked.toml", "result", "--format", "json"], more].concat());
        let found = verdicts(&ran);
        assert_eq!(found.iter().filter(|v| v.2 > 0.0).count(), measured, "{name}: {found:?}");
    };
    let two = ASKED.replace("name = \"log\"\nwrite_iops", "name = \"b\"\nread_iops");
    check("diskspd.two_targets.txt", &two, &[], 2);
    check("diskspd.two_targets.xml", &two, &[], 2);
    let one = ASKED.split("[[volume]]\nname = \"log\"").next().unwrap();
    check("iometer.version_2006.csv", one, &[], 1);
    check("fio.terse_v3.txt", one, &[], 1);
}

#[test]
fn a_model_is_fitted_to_raw_results() {
    let folder = folder(&[("rig.toml", RIG)]);
    let depths = [("one", 1_000, 1_000, 1), ("two", 1_990, 1_005, 2), ("three", 2_970, 1_010, 3)];
    for (name, iops, us, depth) in depths {
        let text = result(&[job(name, "/mnt/data/f", "read", iops, us, depth)]);
        std::fs::write(folder.path().join(format!("{name}.json")), text).unwrap();
    }
    let args = ["calibrate", "one.json", "two.json", "three.json", "--name", "here", "--save", "here.toml"];
    let none = diskwright_at(folder.path(), &args);
    assert!(none.code == 2 && none.stderr.contains("give `--rig RIG.toml`"), "{}", none.stderr);
    let ran = diskwright_at(folder.path(), &[&args[..], &["--rig", "rig.toml", "--format", "json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    // 900 and 909 µs, by their I/Os.
    assert_eq!(document["read_p50_us"], 907, "{document:#}");
    assert!(document["error_after_percent"].as_f64() < document["error_before_percent"].as_f64());
    let model = std::fs::read_to_string(folder.path().join("here.toml")).unwrap();
    assert!(model.contains("fio-3.33") && model.contains("one.json"), "{model}");
}

#[test]
fn a_model_that_is_worse_is_not_saved() {
    let folder = folder(&[("rig.toml", RIG)]);
    // Fitted to one and three; two was measured while nothing else was on the disk.
    for (name, us) in [("one", 90_000), ("two", 2_900), ("three", 90_000)] {
        let text = result(&[job(name, "/mnt/data/f", "read", 1_000_000 / us, us, 1)]);
        std::fs::write(folder.path().join(format!("{name}.json")), text).unwrap();
    }
    let args = ["calibrate", "one.json", "two.json", "three.json", "--rig", "rig.toml", "--name", "here"];
    let ran = diskwright_at(folder.path(), &[&args[..], &["--save", "here.toml"]].concat());
    assert_eq!(ran.code, 15, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("less accurate than before") && ran.stderr.contains("here.toml was not written"));
    assert!(ran.stdout.contains("is not saved") && !folder.path().join("here.toml").exists(), "{}", ran.stdout);
    let model = diskwright_at(folder.path(), &[&args[..], &["--format", "model"]].concat());
    assert!(model.code == 15 && model.stdout.contains("name = \"here\""), "{}", model.stdout);
}
