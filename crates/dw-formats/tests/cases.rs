//! Results in the shape of public sources: several runs in one file, and results of programs around fio.

use std::path::Path;

use dw_formats::results;

fn data(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// IOPS of each test, in order.
fn tests(name: &str, text: &str) -> Vec<f64> {
    let run = results::read(name, text).unwrap_or_else(|e| panic!("{name}: {e}"));
    (0..run.tests()).map(|test| run.iops(test, |entry| entry.total()).unwrap_or(0.0).round()).collect()
}

#[test]
fn runs_one_after_the_other_are_tests_of_their_own() {
    let one = data("fio-2.1.7-one.txt");
    let diskspd = data("diskspd-2.0.17.txt");
    let json = |iops: u32, runtime: u32, stamp: u32| {
        format!(
            r#"{{
  "fio version" : "fio-3.33", "timestamp" : {stamp},
  "jobs" : [ {{ "jobname" : "a", "groupid" : 0, "error" : 0, "elapsed" : {}, "job options" : {{ "rw" : "randread", "bs" : "4k" }},
    "read" : {{ "io_bytes" : {}, "io_kbytes" : 1, "total_ios" : {}, "runtime" : {runtime}, "iops" : {iops}, "bw_bytes" : {} }} }} ]
}}
"#,
            runtime / 1000,
            iops * runtime / 1000 * 4096,
            iops * runtime / 1000,
            iops * 4096
        )
    };
    let terse = |iops: u32, disk: u32| {
        let zeros = |n: usize| vec!["0"; n].join(";");
        let list = vec!["1.000000%=0"; 20].join(";");
        let direction = |iops: u32| {
            let latency = "1;2;1.5;0.1";
            format!("{};{};{iops};1000;{latency};{latency};{list};{latency};{};0.0%;0;0", iops * 4, iops * 4, "1;2")
        };
        let after = format!("1.0%;1.0%;1;1;1;{};{};{}", zeros(7).replace('0', "0.0%"), zeros(10), zeros(12));
        format!("3;fio-3.33;a;0;0;{};{};{after};sda;{disk};0;0;0;1;0;1;50.00%\n", direction(iops), direction(0))
    };
    let rows: Vec<(&str, String, Vec<f64>)> = vec![
        ("fio 2.1.7", data("fio-2.1.7-runs.txt"), vec![10_209.0, 5_839.0]),
        ("one run", one.clone(), vec![10_209.0]),
        ("the same run twice", format!("{one}{one}"), vec![10_209.0, 10_209.0]),
        ("DiskSpd's text", format!("{diskspd}\n{diskspd}"), vec![4_999.0; 2]),
        ("documents of two runs", json(500, 10_000, 1_000) + &json(700, 10_000, 2_000), vec![500.0, 700.0]),
        (
            "documents in a list",
            format!("[\n{},{}]\n", json(500, 10_000, 1_000), json(700, 10_000, 2_000)),
            vec![500.0, 700.0],
        ),
        (
            "runs without times",
            (json(500, 10_000, 0) + &json(700, 10_000, 0)).replace("\"timestamp\" : 0,", ""),
            vec![500.0, 700.0],
        ),
        ("one run that counts on", json(500, 10_000, 1_000) + &json(700, 20_000, 1_010), vec![700.0]),
        ("its last status and its result at one instant", json(500, 10_000, 1_000).repeat(2), vec![500.0]),
        (
            "text that counts on",
            one.clone() + &one[one.find("/dataprem/test: (groupid").expect("is there")..],
            vec![10_209.0],
        ),
        ("terse lines", terse(500, 1) + &terse(700, 2), vec![500.0, 700.0]),
        ("terse lines of one run", terse(500, 1) + &terse(700, 1), vec![1_200.0]),
        ("fio's terminal", data("fio-terminal.txt"), vec![5_002.0]),
        ("kubestr", data("kubestr.txt"), vec![510.0, 508.0, 505.0]),
        ("kubestr's JSON", format!("{{\n \"raw\": {{ \"result\": {} }} }}", json(500, 10_000, 1_000)), vec![500.0]),
    ];
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(name, text, expected)| {
            let found = tests(name, text);
            (found != *expected).then(|| format!("{name}: {found:?}, not {expected:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_run_without_a_result_does_not_hide_another() {
    let one = data("fio-2.1.7-one.txt");
    let begun: String = one.lines().take(4).map(|line| format!("{line}\n")).collect();
    let run = results::read("x", &format!("{one}{begun}")).expect("one of them has a result");
    assert_eq!(run.tests(), 1);
    assert!(run.notes.iter().any(|note| note.text.to_string().contains("no result")), "{:?}", run.notes);
}

#[test]
fn kubestr_says_what_its_jobs_asked_for() {
    let run = results::read("kubestr.txt", &data("kubestr.txt")).expect("is read");
    let load = &run.entries[0].load;
    assert_eq!((load.io_bytes, load.queue_depth, load.read_percent), (Some(4_096), Some(64), Some(100.0)));
    assert_eq!(run.entries[1].write.as_ref().and_then(|f| f.bytes_per_s), Some(2_048.0 * 1_024.0));
}
