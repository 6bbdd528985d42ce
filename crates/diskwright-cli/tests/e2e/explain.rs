//! `diskwright explain`, as a person runs it: the published examples, measurements, wrong input.

use serde_json::{Value, json};

use crate::e2e::support::{Ran, diskwright, diskwright_at, folder, root};

const DS1: &str = "[vm]\nsize = \"Standard_DS1\"\nedition = \"2017-03\"\n[[volume]]\nname = \"data\"\nmount = \"/data\"\ndisks = \"P30\"\n";
const DS4: &str = "[vm]\nsize = \"Standard_DS4\"\nedition = \"2017-03\"\n[[volume]]\nname = \"data\"\nmount = \"/data\"\ndisks = \"P30\"\n";

/// A constant demand of one volume.
fn asks(name: &str, iops: u64, io_size: &str) -> String {
    format!(
        "schema_version = 1\n[[volume]]\nname = \"{name}\"\nread_size = \"{io_size}\"\n\
         read_iops = {{ p50 = {iops}, p90 = {iops}, p99 = {iops}, max = {iops} }}\n"
    )
}

/// A demand over minutes, of 8 KiB reads.
fn series(minutes: &[(usize, u64)]) -> String {
    let reads: Vec<u64> = minutes.iter().flat_map(|&(count, iops)| vec![iops; count]).collect();
    let (floats, zeros) = (reads.iter().map(|n| *n as f64).collect::<Vec<_>>(), vec![0; reads.len()]);
    let bytes: Vec<u64> = reads.iter().map(|n| n * 8_192).collect();
    format!(
        "schema_version = 1\n[plan]\npercentile = 100\n[[volume]]\nname = \"data\"\n[volume.series]\ninterval = \"60 s\"\n\
         read_iops = {floats:?}\nwrite_iops = {:?}\nread_bytes_per_s = {bytes:?}\nwrite_bytes_per_s = {zeros:?}\n",
        zeros.iter().map(|_| 0.0).collect::<Vec<f64>>()
    )
}

/// fio's JSON of one job: direction, IOPS, bytes of a request, mean latency in ns, options.
fn fio(direction: &str, iops: u64, io_size: u64, lat_ns: u64, options: &Value) -> String {
    let active = json!({
        "iops": iops, "total_ios": iops * 30, "bw_bytes": iops * io_size, "io_bytes": iops * io_size * 30,
        "bw": iops * io_size / 1024, "runtime": 30_000, "lat_ns": { "mean": lat_ns, "max": lat_ns * 2 }
    });
    let idle =
        json!({ "iops": 0, "total_ios": 0, "bw_bytes": 0, "io_bytes": 0, "runtime": 0, "lat_ns": { "mean": 0.0 } });
    let (read, write) = if direction == "read" { (active, idle) } else { (idle, active) };
    json!({ "fio version": "fio-3.33", "jobs": [
        { "jobname": "test", "groupid": 0, "job options": options, "read": read, "write": write }
    ] })
    .to_string()
}

fn with_demand(rig: &str, demand: &str, more: &[&str]) -> Ran {
    let folder = folder(&[("rig.toml", rig), ("demand.toml", demand)]);
    diskwright_at(folder.path(), &[&["explain", "rig.toml", "--demand", "demand.toml"], more].concat())
}

fn with_measured(rig: &str, measured: &str, more: &[&str]) -> Ran {
    let folder = folder(&[("rig.toml", rig), ("result.json", measured)]);
    diskwright_at(folder.path(), &[&["explain", "rig.toml", "--measured", "result.json"], more].concat())
}

fn document(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}{}", ran.stdout, ran.stderr))
}

/// A figure that has no percentiles is not printed as three of them.
#[test]
fn percentiles_are_of_a_series() {
    let head = |demand: &str, format: &[&str]| {
        let text = with_demand(DS1, demand, format).stdout;
        text.lines().find(|line| line.contains("used of the limit")).map(str::to_string).unwrap_or(text)
    };
    let markdown = ["--format", "markdown"];
    for (format, one) in [(&[][..], " asked "), (&markdown[..], "| asked |")] {
        let (single, over_time) =
            (head(&asks("data", 500, "8 KiB"), format), head(&series(&[(9, 100), (2, 900)]), format));
        assert!(single.contains(one) && !single.contains("p99"), "{single}");
        assert!(!over_time.contains(one) && over_time.contains("p99"), "{over_time}");
    }
}

const JSON: [&str; 2] = ["--format", "json"];

#[test]
fn a_ds1_passes_3200_of_4000_iops_and_a_larger_disk_is_no_remedy() {
    let found = document(&with_demand(DS1, &asks("data", 4_000, "8 KiB"), &JSON));
    assert_eq!(found["binding"][0], "vm uncached IOPS", "{found:#}");
    assert_eq!((&found["volumes"][0]["asked_iops"], &found["volumes"][0]["gets_iops"]), (&json!(4_000), &json!(3_200)));
    let changes = found["changes"].as_array().unwrap();
    assert!(changes[0]["enough"].as_bool().unwrap(), "{changes:#?}");
    assert!(
        changes.iter().all(|c| c["change"]["text"].as_str().unwrap().contains("instead of Standard_DS1")),
        "{changes:#?}"
    );
    assert!(changes.iter().any(|c| c["change"]["text"].as_str().unwrap().starts_with("Standard_DS2 ")), "{changes:#?}");
}

#[test]
fn a_ds4_with_one_p30_gives_200_of_250_mb_and_has_both_remedies() {
    let found = document(&with_demand(DS4, &asks("data", 3_814, "64 KiB"), &JSON));
    assert_eq!(found["binding"][0], "data disk throughput", "{found:#}");
    let gets = found["volumes"][0]["gets_bytes_per_s"].as_f64().unwrap();
    assert!((199.9e6..200.1e6).contains(&gets), "{gets}");
    let changes: Vec<&str> =
        found["changes"].as_array().unwrap().iter().map(|c| c["change"]["text"].as_str().unwrap()).collect();
    for remedy in ["P40 instead of P30 for data (+123.88 USD", "a stripe of 2 x P30 instead of 1 for data (+135.17 USD"]
    {
        assert!(changes.iter().any(|change| change.starts_with(remedy)), "{remedy}: {changes:?}");
    }
    // As another kind the same disk costs less: it keeps its size, and no data move.
    let finding = found["finding"]["text"].as_str().unwrap();
    assert!(
        changes[0].starts_with("PremiumV2 with 1,024 GiB") && finding.contains("the VM must be stopped and started"),
        "{finding}"
    );
    // While it is used, its tier alone can change.
    assert!(changes.iter().any(|change| change.starts_with("performance tier P40 for P30 of data")), "{changes:?}");
}

#[test]
fn the_disks_of_a_rig_cost_what_they_were_bought_with() {
    let p30 = 135.17;
    let price = |(name, usd)| format!("[[plan.price]]\nname = \"{name}\"\nmonthly = {usd}\n");
    let prices: String = [("P50", 700.0), ("P30", p30)].map(price).concat();
    let second_disk = |keys: &str, demand: &str| {
        let rig = format!(
            "[vm]\nsize = \"Standard_D64s_v5\"\n[[volume]]\nname = \"data\"\ndisks = [{{ sku = \"P30\"{keys} }}]\n"
        );
        let found = document(&with_demand(&rig, demand, &JSON));
        let changes = found["changes"].as_array().unwrap().clone();
        let more = |change: &&Value| change["change"]["text"].as_str().unwrap().starts_with("a stripe of");
        changes.iter().find(more).unwrap_or_else(|| panic!("{found:#}")).clone()
    };
    let asked = asks("data", 45_000, "8 KiB");
    let priced = asked.replace("[[volume]]", &format!("[plan]\nregion = \"eastus\"\n{prices}[[volume]]"));
    for (keys, each) in [("", p30), (", tier = \"P50\"", 700.0)] {
        let change = second_disk(keys, &priced);
        let count: f64 = change["change"]["text"].as_str().unwrap().split(' ').nth(3).unwrap().parse().unwrap();
        let monthly = change["monthly"].as_f64().unwrap_or_else(|| panic!("{keys}: {change:#}"));
        assert!((monthly - (count - 1.0) * each).abs() < 0.001, "{keys}: {change:#}");
    }
    // What is not known is named as it is billed.
    let bursting = "on-demand bursting of PremiumSSD";
    let change = second_disk(", on_demand_bursting = true", &priced);
    assert_eq!((&change["monthly"], &change["unpriced"]), (&Value::Null, &json!([bursting])), "{change:#}");
}

const V2: &str = "[vm]\nsize = \"Standard_D16s_v5\"\n[[volume]]\nname = \"data\"\n\
                  disks = [{ sku = \"PremiumV2\", count = 2, size = \"512 GiB\", iops = 3000, throughput = \"125 MB/s\" }]\n";

#[test]
fn a_disk_that_is_sized_freely_is_bought_larger_in_place() {
    let first = |demand: &str| {
        let found = document(&with_demand(V2, demand, &JSON));
        let in_place = |change: &&Value| change["change"]["text"].as_str().unwrap().contains(" bought with ");
        found["changes"].as_array().unwrap().iter().find(in_place).unwrap_or_else(|| panic!("{found:#}")).clone()
    };
    // 9,000 over two disks: 4,500 each, 1,500 more than are free.
    let nobody_knows = "[plan]\nregion = \"koreasouth\"\n[[volume]]";
    let change = first(&asks("data", 9_000, "8 KiB").replace("[[volume]]", nobody_knows));
    let words =
        "2 x PremiumV2 bought with 512 GiB, 4,500 IOPS, 125 MB/s instead of 512 GiB, 3,000 IOPS, 125 MB/s for data";
    assert!(change["change"]["text"].as_str().unwrap().starts_with(words), "{change:#}");
    // What is not known is named; size and throughput stay as they are, and their prices are not needed.
    assert_eq!(change["unpriced"], json!(["an IOPS of PremiumV2"]), "{change:#}");
    assert_eq!((&change["enough"], &change["monthly"]), (&json!(true), &Value::Null), "{change:#}");
    let price =
        "[plan]\nregion = \"eastus\"\n[[plan.price]]\nname = \"PremiumV2\"\nmeter = \"iops\"\nmonthly = 0.005\n";
    let priced = asks("data", 9_000, "8 KiB").replace("[[volume]]", &format!("{price}[[volume]]"));
    assert_eq!(first(&priced)["monthly"], json!(2.0 * 1_500.0 * 0.005));
    // Throughput beyond what the IOPS may carry buys IOPS, too; what no such disk gives is not proposed as enough.
    let wide = first(&asks("data", 32_000, "64 KiB"));
    assert!(wide["change"]["text"].as_str().unwrap().contains("512 GiB, 16,000 IOPS, 1,049 MB/s"), "{wide:#}");
}

#[test]
fn a_fault_of_the_configuration_does_not_hide_the_change_that_mends_it() {
    let rig = "[vm]\nsize = \"Standard_D4s_v5\"\n[[volume]]\nname = \"data\"\ndisks = \"P10\"\n\
               [[volume]]\nname = \"log\"\ndisks = \"P10\"\n";
    let of = |name: &str, gib: u64| {
        asks(name, 300, "8 KiB").replace("read_size", &format!("capacity = \"{gib} GiB\"\nread_size"))
    };
    let both = format!("{}{}", of("data", 300), of("log", 200).replace("schema_version = 1\n", ""));
    let found = document(&with_demand(rig, &both, &JSON));
    assert_eq!(found["binding"], json!(["data capacity", "log capacity"]), "{found:#}");
    let changes = found["changes"].as_array().unwrap();
    assert!(
        changes.iter().any(|c| c["change"]["text"].as_str().unwrap().starts_with("a stripe of 3 x P10")),
        "{changes:#?}"
    );
    // Each mends its own volume, and leaves the other as it is.
    assert!(changes.iter().all(|c| c["enough"] == false), "{changes:#?}");
    let one = document(&with_demand(rig, &of("log", 200), &JSON));
    assert_eq!(one["changes"][0]["enough"], true, "{one:#}");
}

#[test]
fn too_few_requests_in_flight_are_no_limit() {
    // One request at a time at 3.1 ms each.
    let measured = fio("read", 322, 8_192, 3_110_000, &json!({ "iodepth": "1", "ioengine": "libaio" }));
    let found = document(&with_measured(DS1, &measured, &JSON));
    assert_eq!(found["verdict"], "queue-depth", "{found:#}");
    let row = &found["measured"][0];
    assert_eq!(row["limit"], "vm uncached IOPS");
    // 3,200 I/Os per second of 3.1 ms.
    assert_eq!(row["queue_depth_needed"], 10, "{row}");
    // Five thousand at a millisecond are a queue depth of five.
    let rig = "[vm]\nsize = \"Standard_DS4\"\nedition = \"2017-03\"\n[[volume]]\nname = \"data\"\ndisks = [{ sku = \"P30\", latency = { read = \"1 ms\", write = \"1 ms\" } }]\n";
    let found = document(&with_demand(rig, &asks("data", 5_000, "8 KiB"), &JSON));
    assert_eq!(
        (&found["verdict"], &found["volumes"][0]["queue_depth_needed"]),
        (&json!("met"), &json!(5)),
        "{found:#}"
    );
}

#[test]
fn two_in_flight_over_four_disks_leave_two_idle() {
    let rig = DS4.replace("\"P30\"", "\"4 x P30\"");
    let measured = fio("read", 1_200, 8_192, 1_660_000, &json!({ "iodepth": "2", "ioengine": "libaio" }));
    let ran = with_measured(&rig, &measured, &[]);
    assert!(ran.stdout.contains("2 disks of the stripe are idle"), "{}", ran.stdout);
}

#[test]
fn a_measurement_at_a_limit_names_it() {
    let measured = fio("write", 3_230, 8_192, 39_000_000, &json!({ "iodepth": "128", "ioengine": "libaio" }));
    let found = document(&with_measured(DS1, &measured, &JSON));
    assert_eq!((&found["verdict"], &found["measured"][0]["limit"]), (&json!("limit"), &json!("vm uncached IOPS")));
    // Slow requests below every limit are something else.
    let slow = fio("write", 500, 8_192, 20_000_000, &json!({ "iodepth": "10", "ioengine": "libaio" }));
    assert_eq!(document(&with_measured(DS1, &slow, &JSON))["verdict"], "slow");
    let paced =
        fio("write", 500, 8_192, 2_000_000, &json!({ "iodepth": "10", "ioengine": "libaio", "rate_iops": "500" }));
    assert_eq!(document(&with_measured(DS1, &paced, &JSON))["verdict"], "not-asked");
}

#[test]
fn a_cold_cache_and_one_too_small_are_told_from_a_warm_one() {
    let rig = "[vm]\nsize = \"Standard_DS4\"\nedition = \"2017-03\"\n[[volume]]\nname = \"data\"\nhost_cache = \"ReadOnly\"\ndisks = \"P30\"\n";
    let options = |size: &str| json!({ "iodepth": "128", "ioengine": "libaio", "size": size });
    let cases = [
        ("cold", 5_050, 25_000_000, "50G", "cache", "the cache is cold"),
        ("too small", 5_050, 25_000_000, "900G", "cache", "larger than the cache"),
        ("warm", 32_100, 4_000_000, "50G", "limit", "vm cached IOPS is reached"),
    ];
    for (name, iops, lat, size, verdict, words) in cases {
        let ran = with_measured(rig, &fio("read", iops, 4_096, lat, &options(size)), &[&JSON[..]].concat());
        let found = document(&ran);
        assert_eq!(found["verdict"], verdict, "{name}: {found:#}");
        assert!(found["measured"][0]["sentence"]["text"].as_str().unwrap().contains(words), "{name}: {found:#}");
    }
}

#[test]
fn credits_run_out_when_they_do() {
    let rig = "[vm]\nsize = \"Standard_D16s_v5\"\n[[volume]]\nname = \"data\"\ndisks = \"P20\"\n";
    // 2,300 sustained, 3,500 for half an hour.
    let ran = with_demand(rig, &series(&[(10, 1_000), (45, 3_500)]), &JSON);
    let found = document(&ran);
    let row = found["limits"].as_array().unwrap().iter().find(|row| row["limit"] == "disk IOPS").unwrap();
    assert_eq!((&row["credits"]["empty_at_s"], &row["exceeded"]), (&json!(40.0 * 60.0), &json!(15)), "{row:#}");
    let soon = document(&with_demand(rig, &series(&[(10, 1_000), (20, 3_500)]), &JSON));
    let row = soon["limits"].as_array().unwrap().iter().find(|row| row["limit"] == "disk IOPS").unwrap();
    assert_eq!((&row["credits"]["empty_at_s"], &row["credits"]["last_s"]), (&Value::Null, &json!(600.0)), "{row:#}");
    assert_eq!(soon["verdict"], "met");
}

#[test]
fn a_recording_that_stops_at_a_limit_is_said_to_be_throttled() {
    let ran = with_demand(DS1, &series(&[(30, 900), (20, 3_190), (10, 1_200)]), &[]);
    assert!(ran.stdout.contains("throttled sources"), "{}", ran.stdout);
    assert!(ran.stdout.contains("that is vm uncached IOPS of this configuration"), "{}", ran.stdout);
    let ran = with_demand(DS1, &series(&[(30, 900), (1, 3_190), (29, 1_200)]), &[]);
    assert!(!ran.stdout.contains("throttled sources"), "{}", ran.stdout);
}

#[test]
fn what_the_simulator_prints_is_explained_as_the_simulator_says() {
    let rig = "examples/01-ds1-and-p30/rig.toml";
    let result =
        diskwright(&["simulate", rig, "examples/01-ds1-and-p30/wants-4000-iops.fio", "--output-format", "json"]);
    let folder = folder(&[("result.json", &result.stdout)]);
    let path = folder.path().join("result.json");
    let found = document(&diskwright(&["explain", rig, "--measured", path.to_str().unwrap(), "--format", "json"]));
    assert_eq!(found["measured"][0]["limit"], "vm uncached IOPS", "{found:#}");
}

/// A result of another tool, from the fixtures of its reader.
fn with_fixture(rig: &str, name: &str) -> Value {
    let file = root().join("crates/dw-formats/tests/results/valid").join(name);
    let folder = folder(&[("rig.toml", rig)]);
    let file = file.to_str().unwrap();
    document(&diskwright_at(folder.path(), &["explain", "rig.toml", "--measured", file, "--format", "json"]))
}

#[test]
fn results_of_every_tool_are_explained_on_the_volumes_of_their_targets() {
    let rig = "[vm]\nsize = \"Standard_DS4\"\nedition = \"2017-03\"\n\
               [[volume]]\nname = \"data\"\nmount = \"F:\"\ndisks = \"P30\"\n\
               [[volume]]\nname = \"other\"\nmount = 'G:\\'\ndevice = '\\\\.\\PhysicalDrive2'\ndisks = \"2 x P30\"\n";
    // Reads and writes of both volumes, and requests in flight on the first: two threads of 16; one worker of 16.
    let diskspd = [(399, 200), (599, 0)];
    let iometer = [(4_000, 1_000), (4_000, 1_000)];
    let cases = [
        ("diskspd.two_targets.txt", diskspd, 32),
        ("diskspd.two_targets.xml", diskspd, 32),
        ("diskspd.old_in_utf16.txt", diskspd, 32),
        ("iometer.version_1.1_candidate.csv", iometer, 16),
    ];
    for (name, expected, depth) in cases {
        let found = with_fixture(rig, name);
        let rows = found["measured"].as_array().unwrap();
        let rates = |row: &Value| (row["read_iops"].as_u64().unwrap(), row["write_iops"].as_u64().unwrap());
        assert_eq!(rows.iter().map(rates).collect::<Vec<_>>(), expected, "{name}: {found:#}");
        assert_eq!(rows[0]["queue_depth"], depth, "{name}");
    }
    // One volume needs no names: fio's text and terse lines have none. The busiest of several tests counts.
    for name in ["fio.text.txt", "fio.terse_v3.txt", "fio.version_2.json", "fio.json_plus.json"] {
        let found = with_fixture(DS1, name);
        assert_eq!(found["measured"][0]["volume"], "data", "{name}: {found:#}");
    }
    let found = with_fixture(DS1, "fio.json_plus.json");
    assert_eq!(found["measured"][0]["read_iops"], 11_500, "{found:#}");
    assert!(found["assumptions"].to_string().contains("2 tests ran one after another; the one of `first`, line 15"));
}

#[test]
fn a_load_that_was_told_to_ask_no_more_is_known_in_every_tool() {
    let text =
        std::fs::read_to_string(root().join("crates/dw-formats/tests/results/valid/diskspd.two_targets.txt")).unwrap();
    let free = document(&with_measured(DS1, &text, &JSON));
    assert_ne!(free["verdict"], "not-asked", "{free:#}");
    let paced = text.replace("using random I/O", "throughput rate-limited to 600 IOPS\n\t\tusing random I/O");
    assert_ne!(paced, text);
    assert_eq!(document(&with_measured(DS1, &paced, &JSON))["verdict"], "not-asked");
}

#[test]
fn json_fits_its_schema_and_every_form_has_every_limit() {
    let schema = std::fs::read_to_string(root().join("schemas/explain.schema.json")).unwrap();
    assert_eq!(schema, diskwright(&["schema", "explain"]).stdout, "stale: run `cargo xtask gen`");
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let demand = series(&[(30, 900), (30, 4_000)]);
    let found = document(&with_demand(DS1, &demand, &JSON));
    assert!(validator.is_valid(&found), "{found:#}");
    let limits = found["limits"].as_array().unwrap().len();
    assert_eq!(with_demand(DS1, &demand, &["--format", "csv"]).stdout.lines().count(), limits + 1);
    let markdown = with_demand(DS1, &demand, &["--format", "markdown"]).stdout;
    assert_eq!(markdown.lines().filter(|line| line.contains(" % | ")).count(), limits, "{markdown}");
}

#[test]
fn wrong_input_is_told_where_it_is_wrong() {
    let ds1_demand = asks("data", 100, "8 KiB");
    let two = format!("{DS1}[[volume]]\nname = \"log\"\nmount = \"/log\"\ndisks = \"P30\"\n");
    let elsewhere = fio("read", 10, 4_096, 1_000_000, &json!({ "filename": "/mnt/other/file" }));
    let absurd = fio("read", 10, 4_096, 1_000_000, &json!({})).replace("\"iops\":10,", "\"iops\":1e19,");
    let idle = fio("read", 0, 4_096, 0, &json!({}));
    let done = fio("read", 10, 4_096, 1_000_000, &json!({}));
    let cases: [(&str, Ran, u8, &str); 10] = [
        ("nothing to explain", with_demand_only(DS1), 2, "--demand"),
        (
            "no such volume",
            with_demand(&two, &asks("dtaa", 5, "8 KiB"), &[]),
            3,
            "demand.toml:2: volume `dtaa`: the configuration has no such volume",
        ),
        ("no JSON", with_measured(DS1, "fio: hello\n{ \"jobs\": [", &[]), 3, "result.json:2:"),
        ("no jobs", with_measured(DS1, "{}", &[]), 3, "result.json:1: not a recognised benchmark result: `{}`"),
        ("a rate that nothing has", with_measured(DS1, &absurd, &[]), 3, "I/Os per second cannot have been measured"),
        ("nothing was done", with_measured(DS1, &idle, &[]), 3, "result.json:1: nothing was read or written"),
        (
            "nothing is left",
            with_measured(DS1, &done, &["--map", "test=-"]),
            3,
            "every job with reads or writes is excluded",
        ),
        (
            "another file",
            with_measured(&two, &elsewhere, &[]),
            3,
            "(on /mnt/other/file): neither its name nor its targets",
        ),
        ("no region", with_demand(DS1, &ds1_demand, &["--region", "mars"]), 2, "no price is known in region `mars`"),
        (
            "no request size",
            with_demand(DS1, &ds1_demand.replace("read_size = \"8 KiB\"\n", ""), &[]),
            3,
            "neither throughput nor the size",
        ),
    ];
    for (name, ran, code, words) in cases {
        assert_eq!(ran.code, i32::from(code), "{name}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains(words) && ran.stdout.is_empty(), "{name}: {}{}", ran.stdout, ran.stderr);
    }
}

fn with_demand_only(rig: &str) -> Ran {
    let folder = folder(&[("rig.toml", rig)]);
    diskwright_at(folder.path(), &["explain", "rig.toml"])
}

/// fio's JSON of one write and one fdatasync after the other: writes go to the page cache in 10 us, a sync takes 9.4 ms, 22.5 ms at p99.
fn synced() -> String {
    let clat = json!({ "mean": 9_850.0, "max": 92_189, "N": 10_029, "percentile": { "99.000000": 30_310 } });
    let idle = json!({ "iops": 0, "total_ios": 0, "bw_bytes": 0, "io_bytes": 0, "runtime": 0 });
    json!({ "fio version": "fio-3.33", "jobs": [{
        "jobname": "os", "groupid": 0, "error": 0,
        "job options": { "rw": "write", "ioengine": "sync", "fdatasync": "1", "bs": "2300" },
        "read": idle,
        "write": { "iops": 106.0, "total_ios": 10_029, "bw_bytes": 243_800, "io_bytes": 23_066_700, "runtime": 94_610,
            "clat_ns": clat, "lat_ns": clat },
        "sync": { "total_ios": 10_029, "lat_ns": { "mean": 9_434_412.0, "max": 61_000_000, "N": 10_029,
            "percentile": { "50.000000": 8_699_904, "99.000000": 22_511_616 } } }
    }] })
    .to_string()
}

#[test]
fn a_sync_after_every_write_is_what_etcd_waits_for() {
    let rig =
        "[vm]\nsize = \"Standard_D4s_v3\"\n[[volume]]\nname = \"os\"\nmount = \"/var/lib/etcd\"\ndisks = \"P10\"\n";
    let found = document(&with_measured(rig, &synced(), &JSON));
    assert_eq!(found["verdict"], "sync", "{found:#}");
    let said = found["finding"]["text"].as_str().unwrap();
    for words in
        ["A cycle takes 9.44 ms, so 106 per second", "queue depth would not help", "22.5 ms at the 99th percentile"]
    {
        assert!(said.contains(words), "{said}");
    }
    // 1/1.97 ms would be 508: a write waits for its sync.
    let job = "[os]\nrw=write\nioengine=sync\nfdatasync=1\ndirectory=/var/lib/etcd\nsize=22m\nbs=2300\n";
    let folder = folder(&[("rig.toml", rig), ("etcd.fio", job)]);
    let ran = diskwright_at(folder.path(), &["simulate", "rig.toml", "etcd.fio"]);
    let text = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["Each write waits for its sync: a cycle takes 3.1", "so 318 per second", "would not help"] {
        assert!(text.contains(words), "{}", ran.stdout);
    }
}

#[test]
fn the_syncs_of_a_result_are_held_against_what_is_asked_of_them() {
    // What bounds, and the verdicts of its rows from the median to the peak: 9.4 ms alone are the same under any load.
    let cases = [
        ("sync_latency_p99_max = \"10 ms\"", "sync", "not_met"),
        ("write_latency_p99_max = \"10 ms\"", "write", "not_met"),
        ("sync_latency_p99_max = \"25 ms\"", "sync", "met"),
    ];
    for (bound, direction, verdict) in cases {
        let asked = format!(
            "schema_version = 1\n[[volume]]\nname = \"os\"\nrole = \"log\"\nwrite_size = \"2300 B\"\n\
             write_iops = {{ p50 = 50, p90 = 60, p99 = 80, max = 100 }}\n{bound}\n"
        );
        let folder = folder(&[("asked.toml", &asked), ("result.json", &synced())]);
        let ran = diskwright_at(folder.path(), &["verify", "asked.toml", "result.json", "--format", "json"]);
        let found = document(&ran);
        let rows: Vec<&Value> =
            found["rows"].as_array().unwrap().iter().filter(|row| row["metric"] == "latency_p99").collect();
        assert_eq!(rows.len(), 4, "{found:#}");
        for row in rows {
            let is = (&row["direction"], &row["verdict"], &row["measured"]);
            assert_eq!(is, (&json!(direction), &json!(verdict), &json!(22_511_616.0)), "{bound}: {row:#}");
        }
    }
}

#[test]
fn a_recording_that_says_it_was_throttled_is_not_called_carried() {
    let rig = "[vm]\nsize = \"Standard_D4as_v4\"\n[[volume]]\nname = \"data\"\ndisks = \"P6\"\n";
    let finding = |throttled: &str| {
        format!(
            "[[finding]]\nseverity = \"critical\"\nwhat = \"disk IOPS was at 95 % or more in 20 of 40 readings\"\n\
             effect = \"lower bounds\"\n{throttled}[[volume]]"
        )
    };
    let burst = series(&[(20, 130), (10, 640), (10, 240)]);
    let even = series(&[(10, 60), (10, 80), (10, 100), (10, 120)]);
    let said = |demand: &str| document(&with_demand(rig, demand, &JSON));
    // A level at what a P6 sustains, after a burst: its credits were used up.
    let found = said(&burst);
    assert_eq!(found["verdict"], "cut-off", "{found:#}");
    let text = found["finding"]["text"].as_str().unwrap();
    assert!(text.starts_with("the recording was throttled at data disk IOPS (240 IOPS"), "{text}");
    assert!(!text.contains("carries") && found["changes"][0]["enough"] == true, "{found:#}");
    // What the recording says itself, whatever its figures.
    let found = said(&even.replacen("[[volume]]", &finding("throttled = true\n"), 1));
    let text = found["finding"]["text"].as_str().unwrap();
    assert!(found["verdict"] == "cut-off" && text.contains("20 of 40 readings"), "{text}");
    assert_eq!(said(&even.replacen("[[volume]]", &finding(""), 1))["verdict"], "met");
}

#[test]
fn writes_behind_a_cache_are_no_cold_cache() {
    let rig = "[vm]\nsize = \"Standard_DS14\"\nedition = \"2017-03\"\n[[volume]]\nname = \"data\"\ndisks = \"P30\"\nhost_cache = \"ReadOnly\"\n";
    let both: Value =
        serde_json::from_str(&fio("write", 5_099, 8_192, 73_000_000, &json!({ "iodepth": "2048" }))).unwrap();
    let reads: Value = serde_json::from_str(&fio("read", 5_110, 8_192, 61_000_000, &json!({}))).unwrap();
    let mut mixed = both.clone();
    mixed["jobs"][0]["read"] = reads["jobs"][0]["read"].clone();
    let found = document(&with_measured(rig, &mixed.to_string(), &JSON));
    assert_eq!(
        (&found["verdict"], &found["measured"][0]["limit"]),
        (&json!("limit"), &json!("data disk IOPS")),
        "{found:#}"
    );
    let changes = found["changes"].to_string();
    assert!(changes.contains("P40 instead of P30 for data"), "{changes}");
}

#[test]
fn small_requests_in_order_on_a_standard_disk_may_be_joined() {
    let rig = "[vm]\nsize = \"Standard_DS14\"\nedition = \"2017-03\"\n[[volume]]\nname = \"data\"\nmount = \"/data\"\ndisks = \"S30\"\n";
    let ran = |rw: &str, bs: &str| {
        let job = format!(
            "[a]\nfilename=/data/f\nrw={rw}\nbs={bs}\niodepth=64\nioengine=libaio\ndirect=1\nsize=1g\nruntime=5\ntime_based\n"
        );
        let folder = folder(&[("rig.toml", rig), ("a.fio", &job)]);
        diskwright_at(folder.path(), &["simulate", "rig.toml", "a.fio", "--output-format", "json"]).stdout
    };
    let cases = [("read", "64k", true), ("randread", "64k", false), ("read", "1m", false)];
    for (rw, bs, is_said) in cases {
        let said = ran(rw, bs);
        assert_eq!(said.contains("merges adjacent requests"), is_said, "{rw} {bs}: {said}");
    }
}

/// The instance or the volume: which gate binds, the smallest change, and what it takes.
#[test]
fn of_aws_the_gate_that_binds_is_named_with_the_smallest_change() {
    let rig = |size: &str, disk: &str| {
        format!("[vm]\nsize = \"{size}\"\n[[volume]]\nname = \"data\"\nmount = \"/data\"\ndisks = [{{ {disk} }}]\n")
    };
    let fast = "sku = \"gp3\", size = \"500 GiB\", iops = 16000";
    for (rig, iops, binding, said) in [
        (rig("m7i.large", fast), 5_000, "vm ebs IOPS", "instead of m7i.large"),
        (rig("m7i.large", fast), 5_000, "vm ebs IOPS", "the VM must be stopped and started"),
        (
            rig("m7i.2xlarge", "sku = \"gp3\", size = \"500 GiB\""),
            5_000,
            "data disk IOPS",
            "5,000 IOPS, 125 MiB/s instead of 500 GiB, 3,000 IOPS, 125 MiB/s",
        ),
        (rig("m7i.2xlarge", "sku = \"gp2\", size = \"100 GiB\""), 2_000, "data disk IOPS", "gp3"),
        (
            rig("m7i.2xlarge", "sku = \"io2\", size = \"100 GiB\", iops = 1000"),
            2_000,
            "data disk IOPS",
            "io2 bought with 100 GiB, 2,000 IOPS",
        ),
    ] {
        let ran = with_demand(&rig, &asks("data", iops, "8 KiB"), &["--region", "eu-central-1"]);
        let first = ran.stdout.lines().nth(1).unwrap_or_default();
        assert!(first.starts_with(binding), "{binding}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains(said), "{said}: {}", ran.stdout);
        assert!(ran.stdout.contains("simulated): enough"), "{}", ran.stdout);
    }
}
