//! `diskwright plan`, as a person runs it.

use serde_json::Value;

use crate::support::{Ran, diskwright, diskwright_at, folder, root};

const EXAMPLE: &str = "examples/07-plan-a-database/requirements.toml";

/// One volume with `keys`, under `[plan]` with `plan`.
fn asks(plan: &str, keys: &str) -> String {
    format!("schema_version = 1\n[plan]\n{plan}\n\n[[volume]]\nname = \"data\"\n{keys}\n")
}

const KEYS: &str = "capacity = \"100 GiB\"
read_size = \"8 KiB\"
read_iops = { p50 = 100, p90 = 500, p99 = 900, max = 1000 }";

fn plan(text: &str, more: &[&str]) -> Ran {
    let folder = folder(&[("requirements.toml", text)]);
    diskwright_at(folder.path(), &[&["plan", "requirements.toml"], more].concat())
}

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}{}", ran.stdout, ran.stderr))
}

#[test]
fn json_fits_its_schema_and_agrees_with_the_table() {
    let schema = std::fs::read_to_string(root().join("schemas/plan.schema.json")).unwrap();
    assert_eq!(schema, diskwright(&["schema", "plan"]).stdout, "stale: run `cargo xtask gen`");
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let document = json(&diskwright(&["plan", EXAMPLE, "--format", "json", "--why-not", "D4ds_v5"]));
    assert!(validator.is_valid(&document));
    let table = diskwright(&["plan", EXAMPLE]).stdout;
    assert_eq!(table.lines().next(), document["answer"].as_str());
    assert_eq!(document["certificate"]["bound"], document["plan"]["monthly"]);
    let volumes: f64 =
        document["plan"]["volumes"].as_array().unwrap().iter().map(|v| v["monthly"].as_f64().unwrap()).sum();
    let sum = volumes + document["plan"]["vm_monthly"].as_f64().unwrap();
    assert!((sum - document["plan"]["monthly"].as_f64().unwrap()).abs() < 0.001);
    let nothing = json(&plan(
        &asks("vms = [\"DS1\"]", &KEYS.replace("max = 1000", "max = 9000").replace("p99 = 900", "p99 = 9000")),
        &["--format", "json"],
    ));
    assert!(validator.is_valid(&nothing) && nothing["plan"].is_null());
    assert!(nothing["conflict"]["nearest_percent"].as_f64().unwrap() > 10.0);
}

#[test]
fn the_same_is_printed_twice_and_markdown_and_csv_have_every_limit() {
    let once = diskwright(&["plan", EXAMPLE]).stdout;
    assert_eq!(once, diskwright(&["plan", EXAMPLE]).stdout);
    let document = json(&diskwright(&["plan", EXAMPLE, "--format", "json"]));
    let limits = document["limits"].as_array().unwrap().len();
    let csv = diskwright(&["plan", EXAMPLE, "--format", "csv"]).stdout;
    assert_eq!(csv.lines().count(), limits + 1, "{csv}");
    let markdown = diskwright(&["plan", EXAMPLE, "--format", "markdown"]).stdout;
    assert_eq!(
        markdown.lines().filter(|line| line.starts_with("| ") && line.ends_with("% |")).count(),
        limits,
        "{markdown}"
    );
}

/// Two volumes with four intervals each, to be met all the time.
fn two_series(data: [f64; 4], log: [f64; 4]) -> String {
    let volume = |name: &str, iops: [f64; 4]| {
        let bytes = iops.map(|n| n as u64 * 8_192);
        format!(
            "[[volume]]\nname = \"{name}\"\ncapacity = \"100 GiB\"\n[volume.series]\ninterval = \"60 s\"\nread_iops = {iops:?}\n\
             write_iops = [0.0, 0.0, 0.0, 0.0]\nread_bytes_per_s = {bytes:?}\nwrite_bytes_per_s = [0, 0, 0, 0]\n"
        )
    };
    let plan = "percentile = 100\nedition = \"2018-01\"\nvms = [\"DS*\"]\ndisks = [\"P30\"]";
    format!("schema_version = 1\n[plan]\n{plan}\n{}{}", volume("data", data), volume("log", log))
}

#[test]
fn what_happens_at_different_times_needs_less_than_the_sum_of_percentiles() {
    let apart = two_series([4_000.0, 10.0, 4_000.0, 10.0], [10.0, 4_000.0, 10.0, 4_000.0]);
    let together = two_series([4_000.0, 10.0, 4_000.0, 10.0], [4_000.0, 10.0, 4_000.0, 10.0]);
    let cost = |text: &str| json(&plan(text, &["--format", "json"]))["plan"]["monthly"].as_f64().unwrap();
    assert!(cost(&apart) < cost(&together));
    let per_dimension = apart.replace("[plan]\n", "[plan]\nover_time = \"per-dimension\"\n");
    assert_eq!(cost(&per_dimension), cost(&together));
}

/// What was found and what to write, for each fault.
#[test]
fn faults_name_line_value_and_fix() {
    let cases: [(&str, &str, &str); 9] = [
        ("region = \"mars\"", KEYS, "requirements.toml:3: no price is known in region `mars`"),
        ("percentile = 42", KEYS, "requirements.toml:3: `percentile = 42` is out of range"),
        ("growth_percent_per_year = -5", KEYS, "requirements.toml:3: `growth_percent_per_year = -5` is out of range"),
        ("vms = [\"X9\"]", KEYS, "requirements.toml:3: no VM size is called `X9`"),
        ("edition = \"1999\"", KEYS, "requirements.toml:3: there is no edition `1999`"),
        ("", "", "requirements.toml:5: volume `data` has no capacity"),
        (
            "",
            "capacity = \"1 TiB\"",
            "requirements.toml:5: volume `data`: it has no `read_iops`, `write_iops` or `iops`",
        ),
        ("", "capacity = \"1 TiB\"\nrole = \"logs\"", "requirements.toml:8: `role = \"logs\"` is not known"),
        ("vms = [\"DS1\"]\nnot_vms = [\"DS*\"]", KEYS, "requirements.toml: no VM sizes may be chosen"),
    ];
    for (wished, keys, expected) in cases {
        let ran = plan(&asks(wished, keys), &[]);
        assert!(ran.stderr.contains(expected) && ran.stderr.contains("hint: "), "{expected}: {}", ran.stderr);
        assert_eq!((ran.code, ran.stdout.as_str()), (3, ""), "{expected}");
    }
}

#[test]
fn what_nothing_meets_names_the_limits_and_the_nearest() {
    let cases = [
        (
            "vms = [\"DS1\"]",
            KEYS.replace("900, max = 1000", "9000, max = 9000").replace("8 KiB", "2 KiB"),
            "vm uncached IOPS: 9,000 IOPS needed, 3,200 IOPS there",
        ),
        ("cost_max = 20", KEYS.to_string(), "monthly cost: at most 20.00 asked"),
        (
            "disks = [\"P10\"]",
            KEYS.replace("100 GiB", "40 TiB"),
            "data capacity: 40,960 GiB needed, at most 8,192 GiB in one stripe",
        ),
        ("", KEYS.to_string() + "\nread_latency_max = \"10 us\"", "data read latency"),
    ];
    for (wished, keys, expected) in cases {
        let ran = plan(&asks(wished, &keys), &[]);
        assert_eq!(ran.code, 4, "{}", ran.stderr);
        assert!(ran.stdout.contains(expected), "{expected}: {}", ran.stdout);
    }
}

#[test]
fn why_not_answers_for_any_size() {
    let ran = plan(&asks("not_vms = [\"E16ds_v5\"]", KEYS), &["--why-not", "DS1", "--why-not", "E16ds_v5"]);
    assert!(ran.stdout.contains("Standard_E16ds_v5: `E16ds_v5` is on the list"), "{}", ran.stdout);
    let ran = plan(&asks("", KEYS), &["--why-not", "DS41"]);
    assert!(ran.code == 2 && ran.stderr.contains("did you mean"), "{}", ran.stderr);
}

#[test]
fn help_of_plan() {
    insta::assert_snapshot!(diskwright(&["plan", "--help"]).stdout);
}
