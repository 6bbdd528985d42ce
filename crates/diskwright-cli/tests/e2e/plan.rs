//! `diskwright plan`, as a person runs it.

use serde_json::Value;

use crate::e2e::support::{Ran, diskwright, diskwright_at, folder, root};

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
    let table = diskwright(&["plan", EXAMPLE, "--full"]).stdout;
    assert_eq!(table.lines().next(), document["answer"]["text"].as_str());
    let (bound, monthly) = (document["certificate"]["bound"].as_f64(), document["plan"]["monthly"].as_f64());
    assert!(bound <= monthly && monthly <= bound.map(|bound| bound * 1.03), "{bound:?} {monthly:?}");
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
    let once = diskwright(&["plan", EXAMPLE, "--full"]).stdout;
    assert_eq!(once, diskwright(&["plan", EXAMPLE, "--full"]).stdout);
    let document = json(&diskwright(&["plan", EXAMPLE, "--format", "json"]));
    let limits = document["limits"].as_array().unwrap().len();
    let csv = diskwright(&["plan", EXAMPLE, "--format", "csv"]).stdout;
    let simulated = document["simulated"]["rows"].as_array().unwrap().len();
    assert_eq!(csv.lines().count(), limits + 2 * simulated + 1, "{csv}");
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
        ("edition = \"1999\"", KEYS, "requirements.toml:3: unknown edition `1999`"),
        ("", "", "requirements.toml:5: volume `data` has no capacity"),
        (
            "",
            "capacity = \"1 TiB\"",
            "requirements.toml:5: volume `data`: it has no `read_iops`, `write_iops` or `iops`",
        ),
        ("", "capacity = \"1 TiB\"\nrole = \"logs\"", "requirements.toml:8: `role = \"logs\"` is not known"),
        (
            "vms = [\"DS1\"]\nnot_vms = [\"DS*\"]",
            KEYS,
            "requirements.toml:3: no VM size that `vms` names may be chosen",
        ),
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
            "vm uncached IOPS: 9,000 IOPS needed, 3,200 IOPS available (80 % of it usable)",
        ),
        ("cost_max = 1", KEYS.to_string(), "monthly cost: your maximum is 1.00"),
        (
            "disks = [\"P10\"]",
            KEYS.replace("100 GiB", "40 TiB"),
            "data capacity: 48,189 GiB needed, at most 8,192 GiB in one stripe",
        ),
        ("", KEYS.to_string() + "\nread_latency_max = \"10 us\"", "data read latency"),
    ];
    for (wished, keys, expected) in cases {
        let ran = plan(&asks(wished, &keys), &["--full"]);
        assert_eq!(ran.code, 4, "{}", ran.stderr);
        assert!(ran.stdout.contains(expected), "{expected}: {}", ran.stdout);
    }
}

/// Reads alone have no latency of writes, and one disk is one disk.
#[test]
fn a_table_shows_no_latency_of_what_there_is_none_of() {
    let text = plan(&asks("", &format!("{KEYS}\ndisks_max = 1")), &["--no-simulate", "--full"]).stdout;
    let row = text.lines().find(|line| line.starts_with("data ")).unwrap();
    let cells: Vec<&str> = row.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    let [.., read, write, _] = cells.as_slice() else { panic!("{row}") };
    assert!(read.ends_with(" ms") && *write == "-", "{row}");
    assert!(text.contains("1 disk ") && !text.contains(" 1 disks"), "{text}");
    assert!(text.contains("left of the limit") && text.contains("read (estimate)"), "{text}");
}

#[test]
fn why_not_answers_for_any_size() {
    let ran = plan(&asks("not_vms = [\"E16ds_v5\"]", KEYS), &["--why-not", "DS1", "--why-not", "E16ds_v5"]);
    assert!(ran.stdout.contains("Standard_E16ds_v5: `E16ds_v5` is on the list"), "{}", ran.stdout);
    let ran = plan(&asks("", KEYS), &["--why-not", "DS41"]);
    assert!(ran.code == 2 && ran.stderr.contains("did you mean"), "{}", ran.stderr);
}

/// What was simulated stands in every format, and only where it was.
#[test]
fn a_plan_is_simulated_unless_someone_says_otherwise() {
    let document = json(&diskwright(&["plan", EXAMPLE, "--format", "json"]));
    let answer = document["simulated"]["answer"]["text"].as_str().unwrap().to_string();
    assert!(answer.starts_with("Simulated for ") && document["simulated"]["met"] == true, "{answer}");
    let table = diskwright(&["plan", EXAMPLE, "--full"]).stdout;
    assert!(table.lines().nth(1).is_some_and(|line| line.starts_with("verdict: ")), "{table}");
    assert_eq!(table.lines().nth(2), Some(answer.as_str()));
    let markdown = diskwright(&["plan", EXAMPLE, "--format", "markdown"]).stdout;
    assert!(markdown.contains(&answer) && markdown.contains("\n| data reads | "), "{markdown}");
    let csv = diskwright(&["plan", EXAMPLE, "--format", "csv"]).stdout;
    assert!(csv.contains("\nsimulated read IOPS,data,IOPS,"), "{csv}");
    for format in ["table", "json", "markdown", "csv"] {
        let without = diskwright(&["plan", EXAMPLE, "--format", format, "--no-simulate"]).stdout;
        let without = without.replace("neither searched nor simulated", "");
        assert!(!without.to_lowercase().contains("simulated"), "{without}");
    }
}

#[test]
fn help_of_plan() {
    insta::assert_snapshot!(diskwright(&["plan", "--help"]).stdout);
}

#[test]
fn two_plans_differ_in_what_changes() {
    let small = plan(&asks("disks = [\"P30\"]", KEYS), &["--format", "json"]).stdout;
    let large = KEYS.replace("max = 1000", "max = 9000").replace("p99 = 900", "p99 = 9000");
    let large = plan(&asks("disks = [\"P30\"]", &large), &["--format", "json"]).stdout;
    let rig =
        "[vm]\nsize = \"DS1\"\nedition = \"2017-03\"\n[[volume]]\nname = \"data\"\nmount = \"/d\"\ndisks = \"P30\"\n";
    let elsewhere = large.replace("\"region\": \"eastus\"", "\"region\": \"westeurope\"");
    let folder = folder(&[
        ("a.json", &small),
        ("b.json", &large),
        ("rig.toml", rig),
        ("half.json", &large[..200]),
        ("elsewhere.json", &elsewhere),
    ]);
    let diff =
        |a: &str, b: &str, more: &[&str]| diskwright_at(folder.path(), &[&["plan", "diff", a, b], more].concat());
    let found = json(&diff("a.json", "b.json", &["--format", "json"]));
    let schema = std::fs::read_to_string(root().join("schemas/plan-diff.schema.json")).unwrap();
    assert_eq!(schema, diskwright(&["schema", "plan-diff"]).stdout, "stale: run `cargo xtask gen`");
    assert!(jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap().is_valid(&found));
    let (small, large): (Value, Value) = (serde_json::from_str(&small).unwrap(), serde_json::from_str(&large).unwrap());
    let more = large["plan"]["monthly"].as_f64().unwrap() - small["plan"]["monthly"].as_f64().unwrap();
    assert!((found["monthly_change"].as_f64().unwrap() - more).abs() < 0.01, "{found:#}");
    let row = |found: &Value, what: &str| {
        found["rows"].as_array().unwrap().iter().find(|row| row["what"] == what).unwrap_or(&Value::Null).clone()
    };
    assert_eq!(row(&found, "VM size")["a"], small["plan"]["vm"]);
    assert_eq!(row(&found, "data disks")["differs"], true, "{found:#}");
    let same = json(&diff("a.json", "a.json", &["--format", "json"]));
    assert!(same["summary"]["text"].as_str().unwrap().starts_with("nothing to change; both cost the same"), "{same:#}");
    // What is there now, and the plan: the plan's load counts for both.
    let now = json(&diff("rig.toml", "a.json", &["--format", "json"]));
    assert_eq!(row(&now, "headroom of vm uncached IOPS")["a"], "71.8 %", "900 of 3,200: {now:#}");
    assert!(diff("rig.toml", "a.json", &[]).stdout.contains("~ VM size"));
    assert!(diff("rig.toml", "a.json", &["--format", "markdown"]).stdout.contains("| **VM size** |"));
    // Prices of two regions are not subtracted, and that is the reason that is given.
    let apart = json(&diff("a.json", "elsewhere.json", &["--format", "json"]));
    let summary = apart["summary"]["text"].as_str().unwrap();
    assert!(
        summary.ends_with("A has the prices of eastus, B those of westeurope: costs are not compared"),
        "{summary}"
    );
    assert_eq!(apart["monthly_change"], Value::Null);
    for what in ["monthly cost", "VM cost a month"] {
        let row = row(&apart, what);
        assert!(row["a"].is_string() && row["b"].is_string() && row["change"].is_null(), "{row:#}");
        assert_eq!(row["differs"], false, "{row:#}");
    }
    // A region is for scenarios: two plans have theirs.
    let ran = diff("a.json", "b.json", &["--region", "westeurope"]);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (
            2,
            "error: `--region` has no effect: both are plans, which contain their prices\n\
             hint: remove it; for other prices, plan again with another `region` under `[plan]`\n"
        )
    );
    assert_eq!(diff("rig.toml", "a.json", &["--region", "westeurope"]).code, 0);
    let ran = diff("half.json", "a.json", &[]);
    assert!(
        ran.code == 3 && ran.stderr.contains("half.json:") && ran.stderr.contains("is not valid JSON"),
        "{}",
        ran.stderr
    );
    // A plan of nothing cannot be compared, and `plan` alone still wants its file.
    let ran = diskwright_at(folder.path(), &["plan"]);
    assert!(ran.code == 2 && ran.stderr.contains("REQUIREMENTS.toml"), "{}", ran.stderr);
}

/// Amounts with two decimals in a text: `716.44`, `1,003.66`.
fn amounts(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','));
    let words = words.map(|word| word.trim_matches([',', '.']).to_string());
    words.filter(|word| word.rsplit_once('.').is_some_and(|(_, cents)| cents.len() == 2)).collect()
}

#[test]
fn a_sum_is_rounded_once_and_is_the_same_wherever_it_is_printed() {
    let json_text = diskwright(&["plan", EXAMPLE, "--format", "json", "--why-not", "E16ds_v5"]).stdout;
    let document: Value = serde_json::from_str(&json_text).unwrap();
    let plans = std::iter::once(&document["plan"]).chain(document["alternatives"].as_array().unwrap());
    let exact: Vec<u64> = plans.map(|plan| plan["monthly_micros"].as_u64().unwrap()).collect();
    assert!(exact.iter().any(|micros| micros % 10_000 != 0), "no sum here needs rounding: {exact:?}");
    let cents = |micros: u64| (micros + 5_000) / 10_000;
    for plan in std::iter::once(&document["plan"]).chain(document["alternatives"].as_array().unwrap()) {
        let micros = plan["monthly_micros"].as_u64().unwrap();
        assert_eq!((plan["monthly"].as_f64().unwrap() * 1e6).round() as u64, micros, "JSON has the exact sum");
        let parts = plan["volumes"].as_array().unwrap().iter().map(|v| v["monthly"].as_f64().unwrap());
        let parts: f64 = parts.sum::<f64>() + plan["vm_monthly"].as_f64().unwrap();
        assert_eq!((parts * 1e6).round() as u64, micros, "parts are exact, too");
    }
    // The same plan next to another, as a page, and as scripts.
    let other = diskwright(&["plan", EXAMPLE, "--format", "json"]).stdout.replace("Standard_D16as_v4", "Standard_D99");
    let folder = folder(&[("plan.json", &json_text), ("other.json", &other)]);
    let at = |args: &[&str]| {
        let ran = diskwright_at(folder.path(), args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.stderr);
        ran.stdout
    };
    let texts = [
        ("table", diskwright(&["plan", EXAMPLE, "--full"]).stdout, true),
        ("markdown", diskwright(&["plan", EXAMPLE, "--format", "markdown"]).stdout, true),
        ("report", at(&["report", "plan.json", "--format", "markdown"]), true),
        ("page", at(&["report", "plan.json"]).split("<script").next().unwrap().to_string(), true),
        ("diff", at(&["plan", "diff", "plan.json", "other.json"]), true),
        ("diff markdown", at(&["plan", "diff", "plan.json", "other.json", "--format", "markdown"]), true),
        ("provision", at(&["provision", "plan.json", "--target", "linux"]), false),
    ];
    for (name, text, has_sum) in texts {
        let printed: Vec<u64> =
            amounts(&text).iter().filter_map(|word| word.replace([',', '.'], "").parse().ok()).collect();
        for micros in &exact {
            let wrong = [cents(*micros) - 1, cents(*micros) + 1];
            let own = |amount: &&u64| wrong.contains(amount) && !exact.iter().any(|micros| cents(*micros) == **amount);
            assert_eq!(printed.iter().find(own), None, "{name} has a sum of {micros} millionths otherwise");
        }
        assert!(!has_sum || printed.contains(&cents(exact[0])), "{name} has the plan's sum: {text}");
    }
}

#[test]
fn wishes_that_contradict_themselves_or_the_catalogue_are_told_by_line() {
    let cases = [
        ("region = \"mars\"", KEYS.to_string(), 3, "requirements.toml:3: no price is known in region `mars`"),
        (
            "growth_percent_per_year = -5",
            KEYS.to_string(),
            3,
            "requirements.toml:3: `growth_percent_per_year = -5` is out of range",
        ),
        (
            "capacity_growth_percent_per_year = -1",
            KEYS.to_string(),
            3,
            "`capacity_growth_percent_per_year = -1` is out of range",
        ),
        ("vms = [\"DS4\"]\nnot_vms = [\"DS4\"]", KEYS.to_string(), 3, "no VM size that `vms` names may be chosen"),
        (
            "region = \"koreasouth\"\ndisks = [\"PremiumV2\"]",
            KEYS.to_string(),
            8,
            "no price of a GiB of PremiumV2 in koreasouth",
        ),
        ("vms = [\"DS1\"]\nvcpu_min = 64", KEYS.to_string(), 4, "vCPU"),
        ("percentile = 101", KEYS.to_string(), 3, "`percentile = 101` is out of range"),
        (
            "years = 30\ngrowth_percent_per_year = 10000",
            KEYS.to_string(),
            3,
            "requests per second in 30 years, and at most 1e10",
        ),
        (
            "percentile = 100",
            KEYS.replace("max = 1000", "max = 9000000"),
            4,
            "vm uncached IOPS (premium SSD v2, ultra): 9,000,000 IOPS needed, 650,000 IOPS available",
        ),
        (
            "",
            format!("{KEYS}\nstripe_unit = \"3 KiB\"\n"),
            3,
            "`stripe_unit = \"3 KiB\"` is not a power of two from 4 KiB to 1 GiB",
        ),
        // There would be no end to the places in it where a request can begin.
        ("", format!("{KEYS}\nstripe_unit = \"4 TiB\"\n"), 3, "`stripe_unit = \"4 TiB\"` is not a power of two"),
        ("", format!("{KEYS}\nread_latency_max = \"1 ns\"\n"), 4, "at most 0.001 us required"),
    ];
    for (wished, keys, code, expected) in cases {
        let ran = plan(&asks(wished, &keys), &["--full"]);
        assert_eq!(ran.code, code, "{wished}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains(expected), "{wished}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn prices_of_years_ago_are_warned_of_and_single_figures_live_on_no_credits() {
    // What was sold then is closed to new subscriptions by now.
    let then = "horizon_years = 0\nclosed_to_new = true\ncapacity_limited = true";
    let ran = plan(&asks(&format!("disks = [\"P30\"]\nprices = \"2018\"\nregion = \"us\"\n{then}"), KEYS), &[]);
    assert!(ran.stderr.contains("warning: the price of P30 is from 2017-article"), "{}{}", ran.stdout, ran.stderr);
    // A P20 bursts to 3,500: a figure without a series is asked all the time. (A tier would serve, too.)
    let own = "bursting = true\ndisk_options = []\ndisks = [\"P20\"]\n[[plan.price]]\nname = \"P20\"\nmonthly = 73.22";
    let keys = KEYS.replace("max = 1000", "max = 3400").replace("p99 = 900", "p99 = 3400");
    let found = json(&plan(&asks(own, &keys), &["--format", "json"]));
    assert_eq!(found["plan"]["volumes"][0]["disks"], 2, "{found:#}");
}

/// What the retail prices of a day say of the disks that are bought in parts, with what on-demand bursting costs.
fn prices_of_parts() -> String {
    let item = |product: &str, meter: &str, unit: &str, price: f64| {
        serde_json::json!({ "currencyCode": "USD", "tierMinimumUnits": 0, "retailPrice": price, "armRegionName": "eastus",
            "meterName": meter, "productName": product, "serviceName": "Storage", "unitOfMeasure": unit,
            "type": "Consumption", "armSkuName": "" })
    };
    let premium = "Premium SSD Managed Disks";
    let items = [
        item(premium, "P30 LRS Disk", "1/Month", 122.88),
        item(premium, "P50 LRS Disk", "1/Month", 450.51),
        item(premium, "P40 LRS Disk", "1/Month", 235.52),
        item(premium, "LRS Burst Enablement", "1/Month", 24.576),
        item(premium, "LRS Burst Transactions", "10K", 0.005),
        item("Azure Premium SSD v2", "Premium LRS Provisioned Capacity", "1 GiB/Hour", 0.000_11),
        item("Azure Premium SSD v2", "Premium LRS Provisioned IOPS", "1/Hour", 0.000_007),
        item("Azure Premium SSD v2", "Premium LRS Provisioned Throughput (MBps)", "1/Hour", 0.000_055),
        item("Ultra Disks", "Ultra LRS Provisioned Capacity", "1 GiB/Hour", 0.000_164),
        item("Ultra Disks", "Ultra LRS Provisioned IOPS", "1/Hour", 0.000_068),
        item("Ultra Disks", "Ultra LRS Provisioned Throughput (MBps)", "1/Hour", 0.000_479),
    ];
    serde_json::json!({ "Items": items }).to_string()
}

/// A volume of one disk that is written like this, on a VM of one's own, next to a P30; what B costs more a month.
fn more_than_a_p30(disks: &str) -> Value {
    let rig = |disks: &str| {
        format!("[vm]\nsize = \"Standard_D8ds_v5\"\n[[volume]]\nname = \"data\"\nmount = \"/d\"\ndisks = {disks}\n")
    };
    let folder = folder(&[("prices.json", &prices_of_parts()), ("a.toml", &rig("\"P30\"")), ("b.toml", &rig(disks))]);
    let run = |args: &[&str]| {
        let command = &mut std::process::Command::new(env!("CARGO_BIN_EXE_diskwright"));
        crate::e2e::support::run(
            command.args(args).current_dir(folder.path()).env("DISKWRIGHT_CATALOGUE", "layer.toml"),
        )
    };
    let ran = run(&["catalogue", "import", "prices.json", "--date", "2026-11-21"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    json(&run(&["plan", "diff", "a.toml", "b.toml", "--format", "json"]))
}

/// Everything about a disk that costs is in its price; hours are 730 a month, as the planner has them.
#[test]
fn what_a_scenario_chose_for_its_disks_is_priced() {
    const P30: f64 = 122.88;
    let v2 = |gib: f64, iops: f64, mb: f64| 730.0 * (0.000_11 * gib + 0.000_007 * iops + 0.000_055 * mb);
    let ultra = |gib: f64, iops: f64, mb: f64| 730.0 * (0.000_164 * gib + 0.000_068 * iops + 0.000_479 * mb);
    let cases = [
        ("\"2 x P30\"", 2.0 * P30),
        ("\"P30 + P40\"", P30 + 235.52),
        ("[{ sku = \"P30\", tier = \"P50\" }]", 450.51),
        ("[{ sku = \"P30\", on_demand_bursting = true }]", P30 + 24.576),
        ("[{ count = 3, sku = \"P30\", on_demand_bursting = true }]", 3.0 * (P30 + 24.576)),
        ("[{ sku = \"P30\", tier = \"P40\", on_demand_bursting = true }]", 235.52 + 24.576),
        ("[{ sku = \"P30\", performance_plus = true }]", P30),
        ("[{ sku = \"P30\", size = \"600 GiB\" }]", P30),
        ("[{ sku = \"PremiumV2\", size = \"1 TiB\" }]", v2(1_024.0, 0.0, 0.0)),
        (
            "[{ sku = \"PremiumV2\", size = \"1 TiB\", iops = 20000, throughput = \"500 MB/s\" }]",
            v2(1_024.0, 17_000.0, 375.0),
        ),
        (
            "[{ sku = \"Ultra\", size = \"1500 GiB\", iops = 8000, throughput = \"300 MB/s\" }]",
            // Two steps of a TiB.
            ultra(2_048.0, 8_000.0, 300.0),
        ),
    ];
    for (disks, costs) in cases {
        let found = more_than_a_p30(disks);
        let change = found["monthly_change"].as_f64();
        assert!(
            change.is_some_and(|c| (c - (costs - P30)).abs() < 0.011),
            "{disks}: {change:?}, {}\n{found:#}",
            costs - P30
        );
    }
    let notes = |disks: &str| more_than_a_p30(disks)["notes"].to_string();
    let transactions = "burst transactions are billed on top, by use";
    assert!(
        notes(cases[3].0).contains(transactions) && !notes(cases[2].0).contains(transactions),
        "{}",
        notes(cases[3].0)
    );
    let operations = "operations are billed on top, by use";
    assert!(notes("\"E30\"").contains(operations) && !notes(cases[0].0).contains(operations), "{}", notes("\"E30\""));
}

/// A plan and the rig that it provisions cost the same: there is one way to price a disk.
#[test]
fn a_plan_costs_what_its_own_rig_costs() {
    for disks in ["P30", "PremiumV2", "Ultra"] {
        let asked =
            asks(&format!("disks = [\"{disks}\"]\nvms = [\"D*ds_v5\"]"), &KEYS.replace("max = 1000", "max = 9000"));
        let folder = folder(&[("prices.json", &prices_of_parts()), ("asked.toml", &asked)]);
        let run = |args: &[&str]| {
            let command = &mut std::process::Command::new(env!("CARGO_BIN_EXE_diskwright"));
            crate::e2e::support::run(
                command.args(args).current_dir(folder.path()).env("DISKWRIGHT_CATALOGUE", "layer.toml"),
            )
        };
        for args in [
            &["catalogue", "import", "prices.json", "--date", "2026-11-21"][..],
            &["plan", "asked.toml", "--format", "json", "--output", "plan.json"],
            &["provision", "plan.json", "--target", "rig", "--output", "rig.toml"],
        ] {
            let ran = run(args);
            assert_eq!(ran.code, 0, "{disks}: {args:?}: {}", ran.stderr);
        }
        let found = json(&run(&["plan", "diff", "rig.toml", "plan.json", "--format", "json"]));
        assert_eq!(found["monthly_change"], 0.0, "{disks}: {found:#}");
    }
}

/// Reads that only a host cache can serve so fast, on one VM size.
fn of_a_cache(vm: &str, iops: u64) -> Ran {
    let keys = format!(
        "capacity = \"500 GiB\"\nworking_set = \"20 GiB\"\nread_size = \"4 KiB\"\n\
         read_iops = {{ p50 = {iops}, p90 = {iops}, p99 = {iops}, max = {iops} }}"
    );
    let wishes = format!("vms = [\"{vm}\"]\ndisks = [\"P*\"]\nheadroom_percent = 0\nhorizon_years = 0");
    plan(&asks(&wishes, &keys), &["--no-simulate", "--no-choices", "--full"])
}

#[test]
fn disks_under_both_uncached_limits_count_on_either() {
    // The page of this size prints a higher uncached limit than a later record; its second one is as printed.
    let of = |name: &str, keys: &str| {
        format!(
            "[[volume]]\nname = \"{name}\"\n{keys}capacity = \"100 GiB\"\nread_size = \"4 KiB\"\n\
             read_iops = {{ p50 = 100, p90 = 100, p99 = 100, max = 3000 }}\n"
        )
    };
    // An OS disk cannot be a premium SSD v2.
    let (os, data) = (of("os", "role = \"os\"\n"), of("data", "disks_max = 1\n"));
    for (disks, volumes, is_said) in
        [("\"P10\", \"PremiumV2\"", format!("{os}{data}"), true), ("\"PremiumV2\"", data.clone(), false)]
    {
        let asked = format!(
            "schema_version = 1\n[plan]\nvms = [\"D96as_v6\"]\ndisks = [{disks}]\nheadroom_percent = 0\npercentile = 99\n\
             horizon_years = 0\n{volumes}"
        );
        let ran = plan(&asked, &["--no-simulate", "--no-choices", "--full"]);
        let first = ran.stdout.lines().next().unwrap_or_default();
        assert!(first.contains("PremiumV2"), "{}{}", ran.stdout, ran.stderr);
        assert_eq!(first.contains("uncached limit: 175,000 IOPS"), is_said, "{first}");
    }
}

#[test]
fn a_plan_counts_on_a_host_cache_whose_limit_is_printed_and_no_other() {
    // Two sources: the lower is planned with, the first line says both.
    let ran = of_a_cache("E8ds_v4", 30_000);
    let first = ran.stdout.lines().next().unwrap_or_default();
    assert!(first.contains("(ReadOnly)") || first.contains("(ReadWrite)"), "{}{}", ran.stdout, ran.stderr);
    for said in [
        "It relies on limits missing from the page of Standard_E8ds_v4",
        "77,000 IOPS and 485 MB/s",
        "38,000 IOPS and 500 MB/s",
    ] {
        assert!(first.contains(said), "{said}: {first}");
    }
    assert_ne!(of_a_cache("E8ds_v4", 45_000).code, 0);
    // One source, of another year: said, too.
    let ran = of_a_cache("D8ds_v5", 30_000);
    let first = ran.stdout.lines().next().unwrap_or_default();
    assert!(first.contains("in 2021-11: 38,000 IOPS and 500 MB/s"), "{}{}", ran.stdout, ran.stderr);
    // A page of today that prints it has nothing to say.
    let ran = of_a_cache("E32s_v3", 55_000);
    let first = ran.stdout.lines().next().unwrap_or_default();
    assert!(first.contains("Standard_E32s_v3") && !first.contains("relies on"), "{}{}", ran.stdout, ran.stderr);
    // No source at all.
    for vm in ["D8s_v5", "D8ds_v6", "D32nls_v6", "E32-16s_v4"] {
        let ran = of_a_cache(vm, 90_000);
        assert_ne!(ran.code, 0, "{}", ran.stdout);
    }
    let ran = of_a_cache("D8s_v5", 5_000);
    assert!(
        ran.stdout.contains("host cache of Standard_D8s_v5 is not used, because no source gives its limits"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("(ReadOnly)"), "{}", ran.stdout);
}

#[test]
fn an_ultra_disk_is_bought_and_billed_in_steps() {
    let keys = "capacity = \"1 TiB\"\nread_size = \"8 KiB\"\n\
                read_iops = { p50 = 300, p90 = 300, p99 = 300, max = 300 }\nread_latency_p99_max = \"1.1 ms\"\n\
                disks_max = 1";
    // 1,205 GiB with the room that is left free: the next step is 2 TiB, and each of its GiB needs an IOPS.
    let text = plan(&asks("disks = [\"Ultra\"]", keys), &["--no-simulate", "--no-choices", "--full"]).stdout;
    assert!(text.lines().next().unwrap().contains("Ultra of 2048 GiB, 2"), "{text}");
}

const ON_AWS: &str = "region = \"eu-central-1\"\nvcpu_min = 4";

/// What is said of another vendor's plan has no word of the first one's goods.
#[test]
fn a_region_of_aws_is_planned_with_its_types_and_volumes() {
    let text = asks(ON_AWS, KEYS);
    let document = json(&plan(&text, &["--format", "json"]));
    let (vm, volume) = (&document["plan"]["vm"], &document["plan"]["volumes"][0]);
    assert!(vm.as_str().unwrap().contains('.'), "{vm}");
    assert_eq!((&volume["disk"], &volume["disk_mib_per_s"]), (&"gp3".into(), &125.into()), "{volume}");
    assert!(volume["disk_mb_per_s"].is_null() && volume["gates"] == serde_json::json!(["ebs"]), "{volume}");
    assert_eq!(document["simulated"]["met"], true);
    let full = plan(&text, &["--full"]).stdout;
    for word in ["premium", "standard HDD", "performance tier", "subscription", "uncached", "host cache is"] {
        assert!(!full.contains(word), "{word}: {full}");
    }
    for word in ["MiB/s", "eu-central-1 2025-04", "for 30 minutes are not counted", "previous generation"] {
        assert!(full.contains(word) || word.starts_with("for 30"), "{word}: {full}");
    }
}

#[test]
fn what_only_another_vendor_has_is_refused_or_named() {
    for (keys, said) in [
        ("vendor = \"gcp\"", "`vendor = \"gcp\"`, but this is read for `azure`"),
        ("vendor = \"aws\"\nregion = \"westeurope\"", "no price is known in region `westeurope`"),
        ("region = \"eu-central-1\"\nvms = [\"D4s_v5\"]", "no VM size is called `D4s_v5`"),
        ("region = \"eu-central-1\"\nstandard_hdd = true", "standard_hdd"),
        ("metal = true", "metal"),
        ("region = \"eu-central-1\"\nos = \"windows\"", "price"),
    ] {
        let ran = plan(&asks(keys, KEYS), &["--no-simulate"]);
        assert_ne!(ran.code, 0, "{keys}: {}", ran.stdout);
        assert!(ran.stderr.contains(said), "{keys}: {}", ran.stderr);
    }
    let moved = plan(&asks("vms = [\"D4s_v5\", \"E*\"]", KEYS), &["--no-simulate", "--region", "us-east-1"]);
    assert!(moved.code == 0 && moved.stderr.contains("ignored for AWS: `vms`"), "{}", moved.stderr);
}

#[test]
fn one_demand_is_compared_in_places_of_both_vendors() {
    let text = asks("vms = [\"E*\", \"D*\"]", KEYS);
    let places = ["--no-simulate", "--compare", "azure:westeurope,aws:eu-central-1"];
    let table = plan(&text, &places).stdout;
    for said in ["== Azure westeurope", "== AWS eu-central-1", "ignored there: `vms`", "less per month than"] {
        assert!(table.contains(said), "{said}: {table}");
    }
    let document = json(&plan(&text, &[&places[..], &["--format", "json"]].concat()));
    let schema = serde_json::from_str(&diskwright(&["schema", "plan-comparison"]).stdout).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&document));
    let costs: Vec<f64> =
        document["places"].as_array().unwrap().iter().map(|p| p["monthly"].as_f64().unwrap()).collect();
    let first = if costs[0] <= costs[1] { "Azure westeurope costs" } else { "AWS eu-central-1 costs" };
    assert!(document["summary"]["text"].as_str().unwrap().starts_with(first), "{costs:?}");
    // One section of a report.
    let folder = folder(&[("comparison.json", &document.to_string()), ("requirements.toml", &text)]);
    let report = diskwright_at(folder.path(), &["report", "comparison.json", "--format", "markdown"]);
    let summary = document["summary"]["text"].as_str().unwrap();
    assert!(report.code == 0 && report.stdout.contains("## Places compared"), "{}{}", report.stdout, report.stderr);
    assert!(report.stdout.contains(summary), "{summary}: {}", report.stdout);
    for (args, said) in [
        (&["report", "comparison.json", "--compare", "azure:eastus,aws:us-east-1"][..], "`--compare` has no effect"),
        (&["report", "requirements.toml", "--compare", "gcp:x,aws:us-east-1"], "no vendor `gcp`"),
        (
            &["provision", "comparison.json", "--target", "az"],
            "is a result of `diskwright plan --compare`; provision wants a plan",
        ),
    ] {
        let ran = diskwright_at(folder.path(), args);
        assert!(ran.code != 0 && ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
    }
    // What nothing meets, or nobody has prices for, wins nothing.
    let hard = text.replace("max = 1000", "max = 900000").replace("p99 = 900", "p99 = 900000");
    let none = plan(&hard, &places);
    assert!(none.stdout.contains("nothing is compared with that"), "{}", none.stdout);
    for (asked, said) in [
        ("gcp:x,aws:us-east-1", "no vendor `gcp`"),
        ("aws:us-east-1", "names one place"),
        ("aws:,azure:eastus", "region is missing"),
    ] {
        let ran = plan(&text, &["--compare", asked]);
        assert!(ran.code == 2 && ran.stderr.contains(said), "{asked}: {}", ran.stderr);
    }
}
