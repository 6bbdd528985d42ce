//! What the real AWS CLI prints, read: its calls go to moto, which stands in for the services.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};

use super::price_list;
use super::support::{diskwright_at, run, test_tool};

const VOLUME: &str = "vol-0a1b2c3d4e5f60718";
const INSTANCE: &str = "i-0f1e2d3c4b5a69788";
/// Minutes that are recorded.
const MINUTES: i64 = 30;

/// The services, until this is dropped.
struct Services {
    server: Child,
    aws: std::path::PathBuf,
    url: String,
}

impl Drop for Services {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Services {
    /// Nothing where the tools are not installed.
    fn start() -> Option<Services> {
        let (moto, aws) = (test_tool("fleet/python/bin/moto_server")?, test_tool("aws-cli/bin/aws")?);
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = Command::new(moto)
            .args(["-H", "127.0.0.1", "-p", &port.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let services = Services { server, aws, url: format!("http://127.0.0.1:{port}") };
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < Duration::from_mins(1), "moto does not answer");
            std::thread::sleep(Duration::from_millis(50));
        }
        Some(services)
    }

    /// What a call prints.
    fn call(&self, at: &Path, args: &[&str]) -> String {
        let mut command = Command::new(&self.aws);
        command.args(args).args(["--output", "json", "--endpoint-url", &self.url]).current_dir(at);
        for (name, value) in [
            ("AWS_ACCESS_KEY_ID", "none"),
            ("AWS_SECRET_ACCESS_KEY", "none"),
            ("AWS_DEFAULT_REGION", "eu-central-1"),
            ("AWS_CONFIG_FILE", "/dev/null"),
            ("AWS_SHARED_CREDENTIALS_FILE", "/dev/null"),
            ("AWS_EC2_METADATA_DISABLED", "true"),
        ] {
            command.env(name, value);
        }
        let ran = run(&mut command);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.stderr);
        ran.stdout
    }
}

/// Namespace, metric, dimension with its value, unit, statistic, and what a minute has.
type Metric = (&'static str, &'static str, (&'static str, &'static str), &'static str, &'static str, fn(i64) -> f64);

/// A volume that reads more each minute, on an instance whose balance falls.
const METRICS: [Metric; 8] = [
    ("AWS/EBS", "VolumeReadOps", ("VolumeId", VOLUME), "Count", "Sum", |m| 6000.0 + 60.0 * m as f64),
    ("AWS/EBS", "VolumeWriteOps", ("VolumeId", VOLUME), "Count", "Sum", |_| 600.0),
    ("AWS/EBS", "VolumeReadBytes", ("VolumeId", VOLUME), "Bytes", "Sum", |m| 16384.0 * (6000.0 + 60.0 * m as f64)),
    ("AWS/EBS", "VolumeWriteBytes", ("VolumeId", VOLUME), "Bytes", "Sum", |_| 600.0 * 4096.0),
    ("AWS/EBS", "VolumeTotalReadTime", ("VolumeId", VOLUME), "Seconds", "Sum", |m| (6000.0 + 60.0 * m as f64) * 0.0005),
    ("AWS/EBS", "VolumeTotalWriteTime", ("VolumeId", VOLUME), "Seconds", "Sum", |_| 0.6),
    ("AWS/EBS", "BurstBalance", ("VolumeId", VOLUME), "Percent", "Average", |m| 90.0 - m as f64),
    ("AWS/EC2", "EBSIOBalance%", ("InstanceId", INSTANCE), "Percent", "Average", |m| 100.0 - 2.0 * m as f64),
];

/// What `observe` makes of files.
fn observed(folder: &Path, files: &[&str]) -> Value {
    let args: Vec<&str> = ["observe"].into_iter().chain(files.iter().copied()).chain(["--format", "json"]).collect();
    let ran = diskwright_at(folder, &args);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// What the volume's checklist says, by row: mean and largest.
fn rows(found: &Value) -> Vec<(String, f64, f64)> {
    let volumes = found["volumes"].as_array().unwrap();
    let volume = volumes.iter().find(|volume| volume["name"] == VOLUME).unwrap();
    let wanted = ["read_iops", "write_iops", "throughput_average", "read_latency", "write_latency"];
    let rows = volume["windows"][0]["rows"].as_array().unwrap().iter();
    let of = |row: &Value, key: &str| row[key].as_f64().unwrap_or(f64::NAN);
    rows.filter(|row| wanted.contains(&row["row"].as_str().unwrap()))
        .map(|row| (row["row"].as_str().unwrap().to_string(), of(row, "mean"), of(row, "max")))
        .collect()
}

#[test]
fn metrics_that_the_real_command_line_prints_are_read_in_all_their_forms() {
    let Some(services) = Services::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let write = |name: &str, value: &Value| std::fs::write(at.join(name), value.to_string()).unwrap();
    // Whole hours, of today: what is older is not kept.
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs() as i64;
    let begins = now / 3600 * 3600 - 7200;
    for namespace in ["AWS/EBS", "AWS/EC2"] {
        let of_namespace = METRICS.iter().filter(|metric| metric.0 == namespace);
        let data: Vec<Value> = of_namespace
            .flat_map(|(_, name, (key, value), unit, _, of)| {
                (0..MINUTES).map(move |minute| {
                    json!({"MetricName": name, "Dimensions": [{"Name": key, "Value": value}], "Timestamp": begins + 60 * minute,
                        "Value": of(minute), "Unit": unit})
                })
            })
            .collect();
        write("data.json", &json!(data));
        services.call(
            at,
            &["cloudwatch", "put-metric-data", "--namespace", namespace, "--metric-data", "file://data.json"],
        );
    }
    let (from, to) = (begins.to_string(), (begins + 60 * MINUTES).to_string());
    let query = |labelled: bool| -> Value {
        let one = |(number, (namespace, name, (key, value), _, stat, _)): (usize, &Metric)| {
            let metric =
                json!({"Namespace": namespace, "MetricName": name, "Dimensions": [{"Name": key, "Value": value}]});
            let mut query =
                json!({"Id": format!("m{number}"), "MetricStat": {"Metric": metric, "Period": 60, "Stat": stat}});
            if labelled {
                query["Label"] = format!("{value} {name} {stat} 60").into();
            }
            query
        };
        METRICS.iter().enumerate().map(one).collect()
    };
    let get = |queries: &str| {
        let queries = format!("file://{queries}");
        services.call(
            at,
            &[
                "cloudwatch",
                "get-metric-data",
                "--start-time",
                &from,
                "--end-time",
                &to,
                "--metric-data-queries",
                &queries,
            ],
        )
    };
    // With labels, and with the queries before the results.
    write("labelled.json", &query(true));
    std::fs::write(at.join("labels.json"), get("labelled.json")).unwrap();
    write("queries.json", &query(false));
    let queries = std::fs::read_to_string(at.join("queries.json")).unwrap();
    std::fs::write(at.join("with-queries.json"), queries + "\n" + &get("queries.json")).unwrap();
    // A file a metric.
    let mut files = Vec::new();
    for (namespace, name, (key, value), _, stat, _) in METRICS.iter().filter(|metric| metric.0 == "AWS/EBS") {
        let dimension = format!("Name={key},Value={value}");
        let printed = services.call(
            at,
            &[
                "cloudwatch",
                "get-metric-statistics",
                "--namespace",
                namespace,
                "--metric-name",
                name,
                "--dimensions",
                &dimension,
                "--start-time",
                &from,
                "--end-time",
                &to,
                "--period",
                "60",
                "--statistics",
                stat,
            ],
        );
        files.push(format!("{value}-{name}.json"));
        std::fs::write(at.join(files.last().unwrap()), printed).unwrap();
    }
    let expected = [
        ("read_iops", 114.5, 129.0),
        ("write_iops", 10.0, 10.0),
        ("throughput_average", (114.5 * 16384.0 + 10.0 * 4096.0), (129.0 * 16384.0 + 10.0 * 4096.0)),
        ("read_latency", 0.0005, 0.0005),
        ("write_latency", 0.001, 0.001),
    ];
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    for files in [&["labels.json"][..], &["with-queries.json"], &files] {
        let found = rows(&observed(at, files));
        for (row, mean, max) in expected {
            let (_, found_mean, found_max) =
                found.iter().find(|(name, ..)| name == row).unwrap_or_else(|| panic!("{row}: {found:?}"));
            let is_near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * b;
            assert!(is_near(*found_mean, mean) && is_near(*found_max, max), "{files:?} {row}: {found:?}");
        }
    }
    // The level of credits to start with, and the lowest.
    let found = observed(at, &["labels.json"]);
    assert_eq!(found["machine"], INSTANCE);
    let credits = |row: &Value| {
        let of = |key: &str| row[key].as_f64().unwrap();
        (row["metric"].as_str().unwrap().to_string(), of("left_at_start_percent"), of("left_least_percent"))
    };
    let credits: Vec<_> = found["burst_credits"].as_array().unwrap().iter().map(credits).collect();
    let of_volume = (format!("100 % - BurstBalance ({VOLUME})"), 90.0, 61.0);
    assert_eq!(credits, [of_volume, ("100 % - EBSIOBalance%".to_string(), 100.0, 42.0)]);
}

#[test]
fn devices_of_an_instance_are_called_by_the_ids_of_their_volumes() {
    let iostat = "2026-11-23T12:00:00+0000\n\
        Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\nnvme0n1 1.00 4.00 4.00 40 40\nnvme1n1 900.00 4000.00 400.00 40000 4000\n\n\
        2026-11-23T12:00:10+0000\n\
        Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\nnvme0n1 2.00 4.00 4.00 40 40\nnvme1n1 950.00 4100.00 400.00 41000 4000\n\n\
        2026-11-23T12:00:20+0000\n\
        Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\nnvme0n1 2.00 4.00 4.00 40 40\nnvme1n1 1000.00 4200.00 400.00 42000 4000\n";
    let lsblk =
        format!("NAME        SERIAL\nnvme0n1     AWS1234567890ABCDEF0\nnvme1n1     {}\n", VOLUME.replace('-', ""));
    let folder = super::support::folder(&[("iostat.txt", iostat), ("disks.txt", &lsblk)]);
    for files in [["iostat.txt", "disks.txt"], ["disks.txt", "iostat.txt"]] {
        let found = observed(folder.path(), &files);
        let names: Vec<&str> =
            found["volumes"].as_array().unwrap().iter().map(|v| v["name"].as_str().unwrap()).collect();
        assert!(names.contains(&VOLUME) && names.contains(&"nvme0n1"), "{names:?}");
    }
}

#[test]
fn inventories_that_the_real_command_line_prints_are_read() {
    let Some(services) = Services::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let one = |args: &[&str], key: &str| -> String {
        let printed: Value = serde_json::from_str(&services.call(at, args)).unwrap();
        printed.pointer(key).and_then(Value::as_str).unwrap_or_else(|| panic!("{args:?}: {printed}")).to_string()
    };
    let image = one(&["ec2", "describe-images", "--owners", "amazon"], "/Images/0/ImageId");
    let instance =
        one(&["ec2", "run-instances", "--image-id", &image, "--instance-type", "m5.large"], "/Instances/0/InstanceId");
    let zone = "eu-central-1a";
    let mut volumes = Vec::new();
    for (kind, gib, more) in [
        ("gp3", "500", &["--iops", "6000", "--throughput", "250"][..]),
        ("io2", "100", &["--iops", "9000"]),
        ("st1", "125", &[]),
    ] {
        let make = ["ec2", "create-volume", "--availability-zone", zone, "--volume-type", kind, "--size", gib];
        let args: Vec<&str> = make.into_iter().chain(more.iter().copied()).collect();
        volumes.push(one(&args, "/VolumeId"));
    }
    // The last stays on nothing.
    for (volume, device) in volumes.iter().zip(["/dev/sdf", "/dev/sdg"]) {
        services
            .call(at, &["ec2", "attach-volume", "--volume-id", volume, "--instance-id", &instance, "--device", device]);
    }
    for (name, call) in [("instances.json", "describe-instances"), ("volumes.json", "describe-volumes")] {
        std::fs::write(at.join(name), services.call(at, &["ec2", call])).unwrap();
    }
    // What it is not for is told where it belongs.
    let refused = price_list::layered(at, &["catalogue", "import", "volumes.json", "--dry-run"]);
    assert!(refused.stderr.contains("`diskwright audit volumes.json` judges them"), "{}", refused.stderr);
    let list = services.call(at, &["ec2", "describe-instances", "--query", "Reservations[].Instances[]"]);
    std::fs::write(at.join("list.json"), list).unwrap();
    for files in [["instances.json", "volumes.json"], ["volumes.json", "list.json"]] {
        let ran = diskwright_at(at, &["audit", files[0], files[1]]);
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.starts_with("machines: 1, disks: 4;"), "{}", ran.stdout);
        assert!(!ran.stdout.contains("fields not read"), "{}", ran.stdout);
    }
}

/// A minute's counts of one volume.
fn recording() -> String {
    let times: Vec<String> = (0..MINUTES).map(|minute| format!("2026-11-20T10:{minute:02}:00Z")).collect();
    let values = vec![6_000; times.len()];
    let result = |metric: &str, value: i64| {
        json!({ "Id": metric.to_lowercase(), "Label": format!("{VOLUME} {metric} Sum 60"), "Timestamps": times,
            "Values": values.iter().map(|n| n * value).collect::<Vec<_>>() })
    };
    let ours = json!({ "MetricDataResults": [result("VolumeReadOps", 1), result("VolumeReadBytes", 8_192),
        result("VolumeWriteOps", 0), result("VolumeWriteBytes", 0)] });
    ours.to_string()
}

/// Nothing in it says a region; whose machine it is the recording does.
#[test]
fn a_recording_without_a_region_is_planned_where_its_vendor_is() {
    let folder = tempfile::tempdir().unwrap();
    let name = "cloudwatch.json";
    std::fs::write(folder.path().join(name), recording()).unwrap();
    let asked = ["--capacity", "vol-0a1b2c3d4e5f60718=500GiB"];
    let run = |args: &[&str]| {
        let ran = diskwright_at(folder.path(), args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.stderr);
        ran
    };
    // Requirements say whose they are, and are planned so.
    let form = run(&[&["observe", name, "--format", "toml", "--output", "r.toml"], &asked[..]].concat());
    assert_eq!(form.stdout, "");
    let written = std::fs::read_to_string(folder.path().join("r.toml")).unwrap();
    assert!(written.contains("[plan]\nvendor = \"aws\"\n# region = \"us-east-1\" # prices"), "{written}");
    let plan = |args: &[&str]| -> String {
        let text =
            run(&[&["plan", "r.toml", "--no-simulate", "--no-choices", "--format", "json"], args].concat()).stdout;
        serde_json::from_str::<Value>(&text).unwrap()["region"].as_str().unwrap().into()
    };
    assert_eq!([plan(&[]), plan(&["--region", "eu-central-1"])], ["us-east-1", "eu-central-1"]);
    // A report plans straight away, says where, and its requirements open again as what they are.
    for (region, expected) in
        [(None, "us-east-1"), (Some("us-east-1"), "us-east-1"), (Some("westeurope"), "westeurope")]
    {
        let place: Vec<&str> = region.into_iter().flat_map(|region| ["--region", region]).collect();
        let ran = run(&[&["report", name, "--format", "json"], &asked[..], &place].concat());
        let note = "no region in the recording: planned with machines and prices of us-east-1\nhint: `--region us-east-1`, or another";
        assert_eq!(ran.stderr.contains(note), region.is_none(), "{}", ran.stderr);
        let documents: Value = serde_json::from_str(&ran.stdout).unwrap();
        let of = |kind: &str| {
            let all = documents["documents"].as_array().unwrap();
            all.iter().find(|one| one["kind"] == kind).unwrap_or_else(|| panic!("no {kind}"))["document"].clone()
        };
        assert_eq!(of("plan")["region"], expected);
        std::fs::write(folder.path().join("r.toml"), of("text")["text"].as_str().unwrap()).unwrap();
        assert_eq!(plan(&[]), expected, "{}", of("text")["text"]);
    }
}

/// EC2 has no host cache: nothing is said of one.
#[test]
fn a_run_without_a_host_cache_says_nothing_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let volume = "\n[[volume]]\nname = 'data'\nmount = '/data'\n";
    write("aws.toml", &format!("[vm]\nsize = 'm5.large'{volume}disks = [{{ sku = 'gp3', size = '100 GiB' }}]\n"));
    write("cached.toml", &format!("[vm]\nsize = 'Standard_E8ds_v5'{volume}disks = 'P30'\nhost_cache = 'ReadOnly'\n"));
    write("plain.toml", &format!("[vm]\nsize = 'Standard_E8ds_v5'{volume}disks = 'P30'\n"));
    write(
        "j.fio",
        "[j]\nfilename=/data/f\nsize=1g\nrw=randread\nbs=8k\nrate_iops=100\nruntime=2\ntime_based\nioengine=libaio\n",
    );
    for (rig, is_said) in [("aws.toml", false), ("plain.toml", false), ("cached.toml", true)] {
        let ran = diskwright_at(folder.path(), &["simulate", rig, "j.fio"]);
        assert_eq!(
            (ran.code, ran.stdout.contains("host cache cold at the start")),
            (0, is_said),
            "{rig}: {}",
            ran.stdout
        );
        assert!(ran.stdout.contains(" of virtual time, ") && ran.stdout.contains("seed 1\n"), "{}", ran.stdout);
        let ran = diskwright_at(
            folder.path(),
            &["simulate", rig, "j.fio", "--output-format", "json", "--output", "run.json"],
        );
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let page = diskwright_at(folder.path(), &["report", "run.json", "--format", "markdown"]).stdout;
        assert_eq!(page.contains("host cache at the start: cold"), is_said, "{rig}: {page}");
        assert_eq!(page.contains("data: P30, host cache ReadOnly"), is_said, "{rig}: {page}");
    }
}
