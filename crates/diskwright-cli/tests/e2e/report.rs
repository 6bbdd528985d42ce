//! `report`: the whole way on the example, documents in any order, what is refused.

use std::path::Path;

use serde_json::Value;

use crate::e2e::support::{JOB, RIG, TODAY, diskwright_at, example_page, folder};

fn report(at: &Path, args: &[&str]) -> String {
    let ran = diskwright_at(at, &[&["report"], args].concat());
    assert_eq!(ran.code, 0, "{args:?}: {}", ran.stderr);
    ran.stdout
}

fn kinds(json: &str) -> Vec<String> {
    let value: Value = serde_json::from_str(json).unwrap();
    let documents = value["documents"].as_array().unwrap();
    documents.iter().map(|d| d["kind"].as_str().unwrap().to_string()).collect()
}

#[test]
fn the_example_goes_the_whole_way_and_opens_again_to_the_same_bytes() {
    let at = folder(&[("report.html", example_page())]);
    let read = |name: &str| std::fs::read_to_string(at.path().join(name)).unwrap();
    let page = read("report.html");
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    let json = report(at.path(), &["report.html", "--format", "json"]);
    let found = kinds(&json);
    assert_eq!(found[..5], ["checklist", "text", "plan", "text", "run"]);
    // What builds and verifies the plan.
    let value: Value = serde_json::from_str(&json).unwrap();
    let scripts = value["documents"].as_array().unwrap()[5..].iter();
    let scripts: Vec<&str> =
        scripts.filter_map(|d| d["name"].as_str().filter(|_| d["document"]["role"] == "script")).collect();
    assert_eq!(scripts, ["az.sh", "main.bicep", "main.tf", "linux.sh", "windows.ps1", "verify.fio", "verify.xml"]);
    assert_eq!(found.len(), 5 + scripts.len());
    report(at.path(), &["report.html", "-o", "again.html"]);
    assert!(read("again.html") == page, "opened again it is another page");
    // Nothing but the binary: no programs, no home, no settings.
    let mut bare = std::process::Command::new(env!("CARGO_BIN_EXE_diskwright"));
    bare.env("LC_ALL", "C");
    bare.args(["report", "--example", "-o", "second.html"])
        .current_dir(at.path())
        .env_clear()
        .env("PATH", "")
        .env("SOURCE_DATE_EPOCH", TODAY);
    assert!(bare.output().unwrap().status.success());
    assert!(read("second.html") == page, "the second time it is another page");
    let text = report(at.path(), &["report.html", "--format", "markdown"]);
    for said in
        ["Met with a condition.**", "Proof: no cheaper", "simulated for ", "| data reads: IOPS |", "az.sh:\n\n```"]
    {
        assert!(text.contains(said), "{said}\n{text}");
    }
    // All but a comparison of places, which nobody asked for.
    let lacks: Vec<&str> = text.lines().filter(|line| line.contains("fills this section")).collect();
    assert!(matches!(lacks[..], [line] if line.contains("--compare")), "{lacks:?}");
}

#[path = "../../../diskwright/examples/chain.rs"]
#[allow(dead_code)]
mod chain;

/// Plan, cost and rates of a page: what both ways must agree on.
fn essence(page: &str) -> (dw_documents::plan::PlanRow, Vec<(String, f64, f64)>) {
    let (mut plan, mut rates) = (None, Vec::new());
    for piece in dw_report::Report::open(page).expect("holds its documents").pieces {
        match piece.document() {
            Some(dw_documents::Document::Plan(document)) => plan = document.plan.clone(),
            Some(dw_documents::Document::Run(run)) => {
                let volumes = run.diskwright.volumes.iter();
                rates = volumes.map(|v| (v.name.clone(), v.load.all.iops, v.load.all.bytes_per_s)).collect();
            }
            _ => {}
        }
    }
    (plan.expect("a plan"), rates)
}

#[test]
fn the_library_and_the_program_come_to_the_same() {
    let of_program = essence(example_page());
    let of_library = essence(&chain::page().expect("a page"));
    assert_eq!(of_library.1.len(), 2);
    assert_eq!(of_library, of_program);
}

#[test]
fn a_plan_beside_a_page_has_scripts_of_its_own() {
    let at = folder(&[("report.html", example_page())]);
    let json = report(at.path(), &["report.html", "--format", "json"]);
    std::fs::write(at.path().join("page.json"), &json).unwrap();
    let page: Value = serde_json::from_str(&json).unwrap();
    let plan = page["documents"].as_array().unwrap().iter().find(|d| d["kind"] == "plan").unwrap();
    std::fs::write(at.path().join("second.json"), plan["document"].to_string()).unwrap();
    let scripts = |json: &str| {
        let value: Value = serde_json::from_str(json).unwrap();
        let names = value["documents"].as_array().unwrap().iter().filter_map(|d| d["name"].as_str());
        names.filter(|name| name.starts_with("az.sh")).map(String::from).collect::<Vec<_>>()
    };
    for order in [["page.json", "second.json"], ["second.json", "page.json"]] {
        let both = report(at.path(), &[&order[..], &["--format", "json"]].concat());
        assert_eq!(scripts(&both), ["az.sh", "az.sh of second.json"], "{order:?}");
        std::fs::write(at.path().join("both.json"), &both).unwrap();
        assert!(report(at.path(), &["both.json", "--format", "json"]) == both, "opened again it is another page");
    }
}

#[test]
fn what_other_commands_print_is_known_by_what_is_in_it() {
    let at = folder(&[("rig.toml", RIG), ("job.fio", JOB)]);
    let run = |args: &[&str]| diskwright_at(at.path(), args).stdout;
    std::fs::write(at.path().join("a"), run(&["simulate", "rig.toml", "job.fio", "--output-format", "json"])).unwrap();
    let series = run(&["simulate", "rig.toml", "job.fio", "--output-format", "json", "--series", "500ms"]);
    std::fs::write(at.path().join("b"), &series).unwrap();
    let json = report(at.path(), &["b", "a", "--attach", "job.fio", "--format", "json", "--title", "x <y>"]);
    assert_eq!(kinds(&json), ["run", "run", "text"]);
    let value: Value = serde_json::from_str(&series).unwrap();
    let track = &value["diskwright"]["series"][0];
    assert_eq!((track["volume"].as_str(), track["direction"].as_str()), (Some("data"), Some("read")));
    for column in ["end_s", "iops", "bytes_per_s", "latency_mean_ns", "latency_max_ns", "waits_at"] {
        // What is in flight when two seconds are over ends in a fifth, short interval.
        assert_eq!(track[column].as_array().map(Vec::len), Some(5), "{column}: {track}");
    }
    let page = report(at.path(), &["a", "b", "--title", "x <y>"]);
    assert!(page.contains("<title>x &lt;y&gt;</title>"));
}

#[test]
fn what_cannot_be_reported_is_said() {
    const FOREIGN: &str = "<!DOCTYPE html><html><body>hello</body></html>";
    let cases = [
        (vec!["nowhere.txt"], 3, "nowhere.txt: cannot be read"),
        (vec!["page.html"], 3, "page.html: this page contains no documents"),
        (vec!["older.json"], 3, "older.json:1: is a plan of an older version"),
        (vec!["broken.json"], 3, "broken.json:1: this looks like a plan, but it cannot be read"),
        (vec!["iostat.txt", "--capacity", "dat=1TiB"], 2, "unknown volume `dat`; there are `sda`"),
        (vec!["iostat.txt", "--capacity", "sda"], 2, "write it like `data=750GiB`"),
        (vec!["iostat.txt", "--capacity", "sda=0,75TiB"], 2, "`0,75TiB` could mean 0.75TiB or 75TiB: write `0.75TiB`"),
        (vec!["iostat.txt", "--growth", "1,3"], 2, "`1,3` could mean 1.3 or 13: write `1.3`"),
        (vec![], 2, "--example"),
        (vec!["iostat.txt", "--example"], 2, "cannot be used with"),
    ];
    let older = "{\"answer\": 3, \"limits\": [], \"alternatives\": []}";
    let broken = "{\"document\": \"plan\", \"schema_version\": 1, \"answer\": 3}";
    let at =
        folder(&[("page.html", FOREIGN), ("older.json", older), ("broken.json", broken), ("iostat.txt", &iostat())]);
    for (args, code, saying) in cases {
        let ran = diskwright_at(at.path(), &[&["report"], &args[..]].concat());
        assert!(ran.code == code && ran.stderr.contains(saying), "{args:?}: {} {}", ran.code, ran.stderr);
        assert_eq!(ran.stdout, "", "{args:?}");
    }
}

#[test]
fn without_capacities_there_is_a_checklist_and_a_word_about_the_plan() {
    let at = folder(&[("iostat.txt", &iostat())]);
    let ran = diskwright_at(at.path(), &["report", "iostat.txt", "--every", "1s", "--format", "json"]);
    assert_eq!((ran.code, kinds(&ran.stdout)), (0, vec!["checklist".to_string()]));
    assert!(ran.stderr.contains("add `--capacity sda=500GiB`"), "{}", ran.stderr);
}

#[test]
fn a_demand_that_nothing_meets_is_reported_and_ends_with_its_code() {
    let impossible = "schema_version = 1\n[[volume]]\nname = \"data\"\ncapacity = \"100 GiB\"\nread_size = \"8 KiB\"\n\
                      read_iops = { p50 = 9000000, p90 = 9000000, p99 = 9000000, max = 9000000 }\n";
    let at = folder(&[("requirements.toml", impossible)]);
    let ran = diskwright_at(at.path(), &["report", "requirements.toml", "--format", "markdown"]);
    assert_eq!(ran.code, 4, "{}", ran.stderr);
    assert!(ran.stdout.contains("Nothing on offer meets the demand") && ran.stderr.contains("nothing on offer"));
}

/// A recording of one disk.
fn iostat() -> String {
    let head = "Linux 6.1.0 (db1) \t11/23/2026 \t_x86_64_\t(8 CPU)\n\n";
    let reports = (0..120).map(|i| {
        let reads = 100 + i * 37 % 100;
        format!("Device            r/s     rkB/s r_await     w/s     wkB/s w_await  aqu-sz  %util\nsda {reads}.00 {0}.00 1.00 50.00 400.00 2.00 0.30 9.00\n\n", reads * 8)
    });
    head.to_string() + &reports.collect::<String>()
}
