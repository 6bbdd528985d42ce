//! What commands print as JSON is read back as the type of its document, and written again to the same text.

use dw_documents::{Document, Kind};
use serde_json::{Value, json};

use crate::e2e::support::{JOB, RIG, diskwright, diskwright_at, folder};

fn comes_back(text: &str, kind: Kind) {
    let document = Document::read(text).unwrap_or_else(|e| panic!("{e}: {text}"));
    assert_eq!(document.kind(), kind);
    if matches!(kind, Kind::Run | Kind::Sweep) {
        // Its spaces are fio's.
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_value(&document).unwrap(), value);
    } else {
        assert_eq!(serde_json::to_string_pretty(&document).unwrap() + "\n", text);
    }
}

#[test]
fn what_is_printed_is_read_back_and_written_to_the_same_bytes() {
    let folder = folder(&[("rig.toml", RIG), ("job.fio", JOB)]);
    let printed = |args: &[&str]| {
        let ran = diskwright_at(folder.path(), args);
        assert!(ran.stderr.is_empty() || ran.code == 0, "{args:?}: {}", ran.stderr);
        ran.stdout
    };
    comes_back(&printed(&["simulate", "rig.toml", "job.fio", "--output-format", "json", "--series", "1s"]), Kind::Run);
    let requirements = "examples/07-plan-a-database/requirements.toml";
    let plan = diskwright(&["plan", requirements, "--format", "json", "--why-not", "D4ds_v5"]).stdout;
    comes_back(&plan, Kind::Plan);
    std::fs::write(folder.path().join("plan.json"), &plan).unwrap();
    comes_back(&printed(&["plan", "diff", "rig.toml", "plan.json", "--format", "json"]), Kind::PlanDiff);
    let rig = printed(&["provision", "plan.json", "--target", "rig"]);
    std::fs::write(folder.path().join("planned.toml"), rig).unwrap();
    std::fs::copy(crate::e2e::support::root().join(requirements), folder.path().join("requirements.toml")).unwrap();
    let explained = printed(&["explain", "planned.toml", "--demand", "requirements.toml", "--format", "json"]);
    comes_back(&explained, Kind::Explain);
    let iostat = crate::e2e::support::root().join("crates/diskwright/data/iostat.txt");
    std::fs::copy(iostat, folder.path().join("iostat.txt")).unwrap();
    comes_back(&printed(&["observe", "iostat.txt", "--format", "json"]), Kind::Checklist);
    let bench = printed(&["bench", "rig.toml", "--simulate", "-q", "--runtime", "1s", "--format", "json"]);
    comes_back(&bench, Kind::Bench);
    let sweep = ["simulate", "rig.toml", "job.fio", "--sweep", "iodepth=1,4", "--output-format", "json"];
    comes_back(&printed(&sweep), Kind::Sweep);
}

/// What fio printed of one job that read at a depth of 1, each request in so many microseconds.
fn measured(job: &str, us: u64) -> String {
    let times = json!({ "mean": us * 1_000, "max": us * 4_000, "N": 30_000, "percentile": {
        "50.000000": us * 900, "90.000000": us * 1_500, "99.000000": us * 3_000 } });
    let read = json!({ "iops": 1_000_000 / us, "total_ios": 30_000_000 / us, "io_bytes": 30_000_000 / us * 8_192,
        "bw_bytes": 1_000_000 / us * 8_192, "runtime": 30_000, "clat_ns": times });
    let job = json!({ "jobname": job, "read": read, "job options": {
        "rw": "randread", "bs": "8k", "iodepth": "1", "ioengine": "libaio", "direct": "1", "filename": "/mnt/data/f" } });
    json!({ "fio version": "fio-3.33", "jobs": [job] }).to_string()
}

#[test]
fn a_verification_and_a_calibration_come_back_too() {
    let rig = "[vm]\nuncached = { iops = 5000, throughput = \"1000 MB/s\" }\n[[volume]]\nname = \"data\"\nmount = \"/mnt/data\"\n\
         disks = [{ size = \"64 GiB\", latency = { read = \"3 ms\", write = \"3 ms\" } }]\n";
    let asked = "schema_version = 1\n[[volume]]\nname = \"data\"\nread_iops = { p50 = 900, p90 = 900, p99 = 900, max = 9000 }\n";
    let files =
        [("one.json", 900), ("two.json", 905), ("three.json", 910)].map(|(name, us)| (name, measured(name, us)));
    let folder = folder(&[("rig.toml", rig), ("asked.toml", asked)]);
    for (name, text) in &files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    // One requirement is missed, which is exit code 5.
    let ran = diskwright_at(folder.path(), &["verify", "asked.toml", "one.json", "--format", "json"]);
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    comes_back(&ran.stdout, Kind::Verify);
    let args = ["calibrate", "one.json", "two.json", "three.json", "--rig", "rig.toml", "--name", "here"];
    let ran = diskwright_at(folder.path(), &[&args[..], &["--format", "json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    comes_back(&ran.stdout, Kind::Calibration);
}

#[test]
fn an_older_document_is_refused_with_the_command_that_writes_it_again() {
    let plan = diskwright(&["plan", "examples/07-plan-a-database/requirements.toml", "--format", "json"]).stdout;
    let older = plan.replacen("  \"document\": \"plan\",\n", "", 1);
    assert_ne!(older, plan);
    let folder = folder(&[("plan.json", &older)]);
    for args in [
        &["provision", "plan.json", "--target", "az"][..],
        &["plan", "diff", "plan.json", "plan.json"],
        &["report", "plan.json"],
    ] {
        let ran = diskwright_at(folder.path(), args);
        assert_eq!(ran.code, 3, "{}", ran.stderr);
        assert_eq!(
            ran.stderr,
            "error: plan.json:1: is a plan of an older version: it has no `\"document\": \"plan\"`\n\
             hint: write it again with `diskwright plan REQUIREMENTS.toml --format json`\n"
        );
    }
}

#[test]
fn an_older_page_is_refused_with_the_command_that_writes_its_document_again() {
    let plan = diskwright(&["plan", "examples/07-plan-a-database/requirements.toml", "--format", "json"]).stdout;
    let folder = folder(&[("plan.json", &plan)]);
    let page = diskwright_at(folder.path(), &["report", "plan.json"]).stdout;
    let older = page.replacen("\"document\":\"plan\",", "", 1);
    assert_ne!(older, page);
    std::fs::write(folder.path().join("page.html"), older).unwrap();
    let ran = diskwright_at(folder.path(), &["report", "page.html"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert_eq!(
        ran.stderr,
        "error: page.html: plan.json: is a plan of an older version: it has no `\"document\": \"plan\"`\n\
         hint: write it again with `diskwright plan REQUIREMENTS.toml --format json`\n"
    );
}
