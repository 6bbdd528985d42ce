//! What the reports say, in every format.

use serde_json::Value;

use crate::e2e::support::{JOB, RIG, diskwright, diskwright_at, folder, root};

fn simulate(rig: &str, job: &str, args: &[&str]) -> String {
    let folder = folder(&[("rig.toml", rig), ("job.fio", job)]);
    let all: Vec<&str> = ["simulate", "rig.toml", "job.fio", "-q"].iter().chain(args).copied().collect();
    let ran = diskwright_at(folder.path(), &all);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout
}

fn json(rig: &str, job: &str, args: &[&str]) -> Value {
    let args: Vec<&str> = ["--output-format", "json"].iter().chain(args).copied().collect();
    serde_json::from_str(&simulate(rig, job, &args)).unwrap()
}

#[test]
fn a_start_of_the_cache_is_refused_where_there_is_none() {
    let cached = RIG.replace("\"P30\"", "\"P30\"\nhost_cache = \"ReadOnly\"");
    let folder = folder(&[("plain.toml", RIG), ("cached.toml", &cached), ("job.fio", JOB)]);
    let run = |args: &[&str]| diskwright_at(folder.path(), args);
    let refused = "error: `--start` has no effect: no volume has a host cache\n\
                   hint: write `host_cache = \"ReadOnly\"` for a volume, or remove it\n";
    for start in ["warm", "cold"] {
        let ran = run(&["simulate", "plain.toml", "job.fio", "-q", "--start", start]);
        assert_eq!((ran.code, ran.stderr.as_str()), (2, refused));
        let ran = run(&["simulate", "plain.toml", "job.fio", "-q", "--seeds", "1..2", "--start", start]);
        assert_eq!((ran.code, ran.stderr.as_str()), (2, refused));
        let ran = run(&["emulate", "plain.toml", "--null", "--socket", "rig.sock", "--start", start]);
        assert_eq!((ran.code, ran.stderr.as_str()), (2, refused));
        assert_eq!(run(&["simulate", "cached.toml", "job.fio", "-q", "--start", start]).code, 0);
    }
}

#[test]
fn the_diskwright_object_fits_its_schema() {
    let schema: Value =
        serde_json::from_str(&std::fs::read_to_string(root().join("schemas/result.schema.json")).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let mut object = json(&RIG.replace("\"P30\"", "\"P10\"\nhost_cache = \"ReadOnly\""), JOB, &["--start", "warm"]);
    let faults: Vec<String> = validator.iter_errors(&object["diskwright"]).map(|e| e.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?}");
    object["diskwright"]["simulated_ios"] = Value::from("many");
    assert!(!validator.is_valid(&object["diskwright"]));
}

#[test]
fn the_promised_fields_are_there() {
    let object = json(RIG, JOB, &[])["diskwright"].clone();
    for field in ["simulated", "simulated_ios", "wall_s", "virtual_s", "binding_limits", "seed", "limits", "volumes"] {
        assert!(!object[field].is_null(), "{field}");
    }
    assert_eq!(object["simulated"], true);
    assert_eq!(object["seed"], 1);
}

#[test]
fn what_holds_a_volume_is_named_in_every_format() {
    let deep = JOB.replace("iodepth=8", "iodepth=64");
    let table = simulate(RIG, &deep, &[]);
    assert!(table.contains("<- throttles data") && table.contains("data is throttled by disk IOPS"), "{table}");
    let object = json(RIG, &deep, &[]);
    assert_eq!(object["diskwright"]["binding_limits"][0]["limit"], "disk IOPS");
    assert_eq!(object["diskwright"]["binding_limits"][0]["place"], "data");
    let csv = simulate(RIG, &deep, &["--output-format", "csv"]);
    assert!(csv.lines().nth(1).unwrap().ends_with(",disk IOPS,false"), "{csv}");
}

#[test]
fn a_volume_that_nothing_holds_says_what_does() {
    let shallow = JOB.replace("iodepth=8", "iodepth=1");
    let table = simulate(RIG, &shallow, &[]);
    assert!(table.contains("No limit throttles data; its queue depth does"), "{table}");
    let rated = JOB.replace("iodepth=8", "iodepth=8\nrate_iops=100");
    assert!(simulate(RIG, &rated, &[]).contains("its jobs are rate-limited"));
}

#[test]
fn throughput_is_printed_in_both_units() {
    let object = json(RIG, JOB, &[]);
    let bytes = object["diskwright"]["total"]["all"]["bytes_per_s"].as_f64().unwrap();
    let table = simulate(RIG, JOB, &[]);
    let row = table.lines().find(|l| l.starts_with("data ")).unwrap();
    for unit in [1e6, 1_048_576.0] {
        assert!(row.contains(&format!("{:.1}", bytes / unit)), "{row}");
    }
}

#[test]
fn a_warm_cache_hits_and_a_cold_one_is_doubted() {
    let cached = RIG.replace("\"P30\"", "\"P30\"\nhost_cache = \"ReadOnly\"");
    let warm = json(&cached, JOB, &["--start", "warm"]);
    assert_eq!(warm["diskwright"]["volumes"][0]["cache"]["hit_percent"], 100.0);
    let cold = json(&cached, JOB, &["--start", "cold"]);
    let doubts = cold["diskwright"]["doubts"].as_array().unwrap();
    assert!(doubts.iter().any(|d| d["kind"] == "cold_cache"), "{doubts:?}");
    assert!(cold["diskwright"]["volumes"][0]["cache"]["hit_percent"].as_f64().unwrap() < 50.0);
}

/// The medium takes 1.999999 ms and nothing else takes time: the median's bin reaches beyond the largest latency.
#[test]
fn no_percentile_is_beyond_the_largest_latency() {
    let disk = "[{ size = \"1 TiB\", latency = { read = \"1999999 ns\", write = \"1 ms\" } }]";
    let (rig, job) = (RIG.replace("\"P30\"", disk), JOB.replace("iodepth=8", "iodepth=1"));
    let latency = json(&rig, &job, &[])["diskwright"]["total"]["read"]["latency_ns"].clone();
    assert_eq!(latency["max"], 1_999_999);
    for quantile in ["p50", "p99", "p99_9"] {
        assert_eq!(latency[quantile], 1_999_999, "{latency}");
    }
}

#[test]
fn latencies_say_their_grade_and_on_request_their_model() {
    let plain = simulate(RIG, JOB, &[]);
    assert!(plain.contains("grade") && !plain.contains("premium-ssd"), "{plain}");
    let table = simulate(RIG, JOB, &["--latency-models"]);
    assert!(table.contains("grade") && table.contains("premium-ssd"), "{table}");
}

#[test]
fn a_series_adds_up_to_the_total() {
    let csv = simulate(RIG, JOB, &["--output-format", "csv", "--series", "500ms"]);
    let ios: u64 = csv.lines().skip(1).map(|l| l.split(',').nth(3).unwrap().parse::<u64>().unwrap()).sum();
    let total = json(RIG, JOB, &[])["diskwright"]["total"]["all"]["ios"].as_u64().unwrap();
    assert_eq!(ios, total);
    assert!((4..=5).contains(&(csv.lines().count() - 1)), "{csv}");
}

/// Requests of 1 ms, one at a time: the last finishes where the last interval ends.
#[test]
fn what_ends_with_an_interval_belongs_to_it() {
    let disk = "[{ size = \"1 TiB\", latency = { read = \"1 ms\", write = \"1 ms\" } }]";
    let (rig, job) = (RIG.replace("\"P30\"", disk), JOB.replace("iodepth=8", "iodepth=1"));
    let csv = simulate(&rig, &job, &["--output-format", "csv", "--series", "500ms"]);
    let rows: Vec<Vec<&str>> = csv.lines().map(|l| l.split(',').take(4).collect()).collect();
    assert_eq!(rows[1..].iter().map(|r| r[0]).collect::<Vec<_>>(), ["0.500", "1.000", "1.500", "2.000"], "{csv}");
    assert!(rows[1..].iter().all(|r| r[3] == "500"), "{csv}");
    let fine = simulate(&rig, &job, &["--output-format", "csv", "--series", "1ms"]);
    assert!(fine.lines().nth(3).unwrap().starts_with("0.003,data,read,1,"), "{fine}");
}

#[test]
fn what_is_not_counted_is_said() {
    let ramp = simulate(RIG, &format!("{JOB}ramp_time=3\n"), &[]);
    assert!(ramp.contains(", 2.0 s counted of 5.0 s of virtual time, "), "{ramp}");
    assert!(simulate(RIG, JOB, &[]).contains(", 2.0 s of virtual time, "));
    let null = simulate(RIG, &JOB.replace("libaio", "null").replace("filename=/data/f\n", ""), &[]);
    assert!(null.contains("note: 1 of 1 jobs run ioengine=null"), "{null}");
    let slow = simulate(RIG, &format!("{JOB}rate_iops=2\n"), &[]);
    assert!(slow.lines().any(|l| l.starts_with("data ") && l.contains(" 2.")), "{slow}");
}

#[test]
fn fios_options_on_the_command_line_are_defaults() {
    let without = JOB.replace("runtime=2\n", "");
    let runtime = |job: &str, args: &[&str]| json(RIG, job, args)["jobs"][0]["read"]["runtime"].as_u64().unwrap();
    assert_eq!(runtime(&without, &["--runtime", "3"]) / 100, 30);
    assert_eq!(runtime(JOB, &["--runtime=3"]) / 100, 20, "the file says 2, as fio sees it");
    let folder = folder(&[("rig.toml", RIG), ("job.fio", JOB)]);
    let ran = diskwright_at(folder.path(), &["simulate", "rig.toml", "job.fio", "--runtime=3"]);
    assert!(ran.stderr.contains("warning: ") && ran.stderr.contains("runtime"), "{}", ran.stderr);
}

#[test]
fn a_result_goes_to_a_file_on_request() {
    let folder = folder(&[("rig.toml", RIG), ("job.fio", JOB)]);
    let args = ["simulate", "rig.toml", "job.fio", "--output", "r.json", "--output-format", "json"];
    let ran = diskwright_at(folder.path(), &args);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
    let text = std::fs::read_to_string(folder.path().join("r.json")).unwrap();
    assert!(serde_json::from_str::<Value>(&text).is_ok());
}

#[test]
fn jobs_can_be_explained_before_a_run() {
    let ran = diskwright(&[
        "simulate",
        "examples/ds14-benchmark/rig.toml",
        "examples/ds14-benchmark/fioreadwrite.ini",
        "--explain-job",
    ]);
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn progress_and_remarks_stay_out_of_the_data() {
    let folder = folder(&[("rig.toml", RIG), ("job.fio", &format!("{JOB}verify_async=2\n"))]);
    let ran = diskwright_at(folder.path(), &["simulate", "rig.toml", "job.fio", "--output-format", "json"]);
    assert!(serde_json::from_str::<Value>(&ran.stdout).is_ok(), "{}", ran.stdout);
}

#[test]
fn transactions_of_on_demand_bursting_are_printed_in_every_format() {
    // 5 s at 10,000 IOPS on a disk of 5,000: 25,000 beyond its target.
    let rig = "[vm]\n\n[[volume]]\nname = \"data\"\nmount = \"/data\"\ndisks = [{ sku = \"P30\", on_demand_bursting = true }]\n";
    let job = JOB.replace("iodepth=8", "iodepth=64\nrate_iops=10000").replace("runtime=2", "runtime=5");
    let table = simulate(rig, &job, &[]);
    assert!(
        table.contains("On-demand bursting of data (1 x P30") || table.contains("On-demand bursting of data (P30"),
        "{table}"
    );
    let object = json(rig, &job, &[]);
    let billed = object["diskwright"]["volumes"][0]["on_demand_transactions"].as_u64().unwrap();
    // Some of the last leave the limit in the second after.
    assert!(billed.abs_diff(25_000) <= 100, "{billed}");
    let csv = simulate(rig, &job, &["--output-format", "csv"]);
    let column = csv.lines().next().unwrap().split(',').position(|name| name == "on_demand_transactions").unwrap();
    let cells = csv.lines().skip(1).map(|line| line.split(',').nth(column).unwrap().parse::<u64>().unwrap());
    assert_eq!(cells.sum::<u64>(), billed, "{csv}");
    assert!(json(RIG, JOB, &[])["diskwright"]["volumes"][0]["on_demand_transactions"].is_null());
}

#[test]
fn when_credits_run_out_is_said_whatever_the_demand() {
    // A P10: 500 IOPS, 3,500 while 5,400,000 credits last.
    let rig = RIG.replace("\"P30\"", "\"P10\"");
    let at = |rate: &str, seconds: u64| {
        let job =
            JOB.replace("iodepth=8", &format!("iodepth=32{rate}")).replace("runtime=2", &format!("runtime={seconds}"));
        let object = json(&rig, &job, &[]);
        let limits = object["diskwright"]["limits"].as_array().unwrap();
        let line = limits.iter().find(|line| line["limit"] == "disk IOPS").unwrap();
        (line["credits_out_s"].as_f64(), line["credits_out_seen"].as_bool())
    };
    for (name, rate, seconds, expected) in [
        ("below the burst rate", "\nrate_iops=2000", 60, Some((3_600.0, false))),
        ("below the base rate", "\nrate_iops=400", 60, None),
        ("flat out", "", 60, Some((1_800.0, false))),
        ("flat out and dry", "", 1_900, Some((1_800.0, true))),
    ] {
        let (out, seen) = at(rate, seconds);
        assert_eq!(seen, expected.map(|(_, seen)| seen), "{name}: {out:?}");
        let near = |out: f64, expected: f64| (out - expected).abs() < expected * 5e-3;
        assert!(out.zip(expected).is_none_or(|(out, (expected, _))| near(out, expected)), "{name}: {out:?}");
    }
}

#[test]
fn every_output_says_in_the_same_words_where_its_latencies_are_from() {
    let ends_at_once = format!("{RIG}\n[[timeline]]\nat = \"0 s\"\ndo = \"shutdown\"\n");
    let demand = "schema_version = 1\n[[volume]]\nname = \"data\"\nread_size = \"8 KiB\"\nread_iops = { p50 = 100, p90 = 100, p99 = 100, max = 100 }\n";
    let files = [("rig.toml", RIG), ("ends.toml", &ends_at_once), ("job.fio", JOB), ("demand.toml", demand)];
    let at = folder(&files);
    let bench =
        ["bench", "rig.toml", "--simulate", "-q", "--suite", "queue-depth", "--runtime", "1s", "--file-size", "1GiB"];
    let outputs = [
        vec!["simulate", "rig.toml", "job.fio", "-q"],
        vec!["explain", "rig.toml", "--demand", "demand.toml"],
        vec!["emulate", "ends.toml", "--memory", "--overhead", "0", "--socket", "s"],
        bench.to_vec(),
        [&bench[..], &["--format", "markdown"]].concat(),
        [&bench[..], &["--format", "json"]].concat(),
    ];
    for (setting, figures) in [("typical", "optimistic 2."), ("cautious", "typical 3.")] {
        let words =
            format!("latency of data: P30: Premium SSD, {setting}, grade B, not measured on your disks: mean read ");
        for args in &outputs {
            let ran = diskwright_at(at.path(), &[&args[..], &["--latency", setting]].concat());
            let said = format!("{}{}", ran.stdout, ran.stderr);
            let said: Vec<&str> = said.split_whitespace().collect();
            let said = said.join(" ");
            assert_eq!(ran.code, 0, "{args:?}: {said}");
            let sentence = said.find(&words).map(|place| &said[place..]).unwrap_or_else(|| panic!("{args:?}: {said}"));
            assert!(sentence[..words.len() + 60].contains(figures), "{args:?}: {sentence}");
        }
    }
}
