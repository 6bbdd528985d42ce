//! No key of `requirements.toml` is ignored in silence: in every base document each key of the schema changes what is planned
//! or printed, is refused, or is named as one without effect. The list of keys is the schema's; a new one needs candidates
//! below, or this fails.

use diskwright::PlanOptions;
use serde_json::{Map, Value, json};

use super::planned;

/// Keys that say what was measured and do not change a plan; they are read and kept (`verify`, `bench` and `replay` use them).
const MEASURED: [(&str, &str); 16] = [
    ("RequirementsFile", "machine"),
    ("RequirementsFile", "window"),
    ("RequirementsFile", "transactions_per_s"),
    ("MemoryFile", "total"),
    ("VolumeFile", "devices"),
    ("VolumeFile", "random_percent"),
    ("VolumeFile", "read_latency"),
    ("VolumeFile", "write_latency"),
    ("VolumeFile", "queue_depth"),
    // Next to a throughput a size is what was measured, too.
    ("VolumeFile", "read_size"),
    ("VolumeFile", "write_size"),
    ("LevelsFile", "p50"),
    ("LevelsFile", "p90"),
    // Which of the percentiles counts is for `percentile` to say; of memory it is the largest.
    ("LevelsFile", "p99"),
    ("LevelsFile", "max"),
    ("LevelsFile", "from"),
];

const BASES: [(&str, &str); 3] = [
    (
        "percentiles",
        "schema_version = 1\n[cpu]\nprocessors = 4\n[plan]\nvms = ['D2s_v3', 'D4s_v3', 'D8s_v3']\n\
         [[volume]]\nname = 'data'\ncapacity = '100 GiB'\nread_size = '8 KiB'\nhost_cache = ['None']\n\
         read_iops = { p50 = 100, p90 = 500, p99 = 900, max = 1000 }\n",
    ),
    (
        "several wishes",
        "schema_version = 1\ngrowth = 1.5\n[cpu]\nprocessors = 4\nbusy_percent = { p50 = 10, p90 = 20, p99 = 30, max = 40 }\n\
         [memory]\nused = { p50 = '1 GiB', p90 = '2 GiB', p99 = '3 GiB', max = '4 GiB' }\n\
         [plan]\nvms = ['D2s_v3', 'D4s_v3', 'D8s_v3']\nyears = 2\n\
         [[plan.price]]\nname = 'P15'\nmonthly = 1.0\n\
         [[volume]]\nname = 'data'\ncapacity = '300 GiB'\nread_size = '8 KiB'\nwrite_size = '8 KiB'\n\
         iops = { p50 = 100, p90 = 500, p99 = 900, max = 1000 }\n\
         hit_curve = [{ cache = '10 GiB', percent = 30 }, { cache = '200 GiB', percent = 90 }]\n",
    ),
    (
        "a series",
        "schema_version = 1\n[plan]\nvms = ['D2s_v3', 'D4s_v3', 'D8s_v3']\nbursting = true\n\
         [[volume]]\nname = 'os'\nrole = 'os'\ncapacity = '100 GiB'\n\
         [volume.series]\ninterval = '60 s'\nread_iops = [100.0, 900.0]\nwrite_iops = [10.0, 0.0]\n\
         read_bytes_per_s = [819200, 8192000]\nwrite_bytes_per_s = [81920, 0]\n",
    ),
];

fn levels(p99: f64) -> Value {
    json!({ "p50": p99 / 4.0, "p90": p99 / 2.0, "p99": p99, "max": p99 * 1.5 })
}

fn quantities(unit: &str, p99: u64) -> Value {
    let text = |n: u64| format!("{n} {unit}");
    json!({ "p50": text(p99 / 4), "p90": text(p99 / 2), "p99": text(p99), "max": text(p99 * 2) })
}

fn candidates(table: &str, key: &str, now: Option<&Value>) -> Vec<Value> {
    match (table, key) {
        ("RequirementsFile", "schema_version") => vec![json!(1), json!(2)],
        ("RequirementsFile", "machine" | "window") => vec![json!("a"), json!("b")],
        ("RequirementsFile", "growth") => vec![json!(2.0), json!(3.0)],
        ("RequirementsFile", "cpu") => vec![json!({ "processors": 8, "busy_percent": levels(60.0) })],
        ("RequirementsFile", "memory") => vec![json!({ "used": quantities("GiB", 20) })],
        ("RequirementsFile", "transactions_per_s") => vec![levels(40.0), levels(80.0)],
        ("RequirementsFile", "plan") => {
            vec![json!({ "vms": ["D8s_v3"] }), json!({ "vms": ["D4s_v3"], "headroom_percent": 40 })]
        }
        ("RequirementsFile", "volume") => Vec::new(),
        ("RequirementsFile", "finding") => {
            let finding = |what: &str| json!([{ "severity": "warning", "what": what, "effect": "none" }]);
            vec![finding("an hour"), finding("a minute")]
        }
        ("CpuFile", "processors") => vec![json!(8), json!(16)],
        ("CpuFile", "busy_percent") => vec![levels(50.0), levels(60.0)],
        ("MemoryFile", "total") => vec![json!("64 GiB"), json!("32 GiB")],
        ("MemoryFile", "used") => vec![quantities("GiB", 12), quantities("GiB", 8)],
        ("LevelsFile", "from") => vec![json!("measured"), json!("estimated")],
        ("LevelsFile", level) => match now {
            // Still in order: a percentile that is larger than the next is refused.
            Some(Value::String(text)) => {
                let (n, unit) = text.split_once(' ').unwrap();
                let n: f64 = n.parse().unwrap();
                vec![json!(format!("{} {unit}", n * 1.25)), json!(format!("{} {unit}", n * 1.1))]
            }
            Some(value) => {
                let n = value.as_f64().unwrap_or_else(|| panic!("{level}"));
                vec![json!(n * 1.05), json!(n * 1.02)]
            }
            None => Vec::new(),
        },
        ("VolumeFile", "name") => vec![json!("x"), json!("y")],
        ("VolumeFile", "devices") => vec![json!(["sdb"]), json!(["sdc"])],
        ("VolumeFile", "random_percent") => vec![json!(30), json!(60)],
        ("VolumeFile", "read_size" | "write_size") => vec![json!("16 KiB"), json!("64 KiB")],
        ("VolumeFile", "read_iops" | "write_iops" | "iops") => vec![levels(400.0), levels(800.0)],
        ("VolumeFile", "read_throughput" | "write_throughput" | "throughput") => {
            vec![quantities("MB/s", 8), quantities("MB/s", 16)]
        }
        ("VolumeFile", "read_latency" | "write_latency") => vec![quantities("ms", 8), quantities("ms", 16)],
        ("VolumeFile", "unknown") => vec![json!(["write_iops"]), json!(["read_latency"])],
        ("VolumeFile", "queue_depth") => vec![levels(4.0), levels(8.0)],
        ("VolumeFile", "capacity") => vec![json!("600 GiB"), json!("1 TiB")],
        ("VolumeFile", "role") => vec![json!("log"), json!("os")],
        ("VolumeFile", "host_cache") => vec![json!(["None"]), json!(["ReadOnly"])],
        ("VolumeFile", "working_set") => vec![json!("10 GiB"), json!("5 GiB")],
        ("VolumeFile", "hit_curve") => vec![json!([{ "cache": "1 GiB", "percent": 50 }])],
        (
            "VolumeFile",
            "read_latency_max"
            | "write_latency_max"
            | "read_latency_p95_max"
            | "write_latency_p95_max"
            | "read_latency_p99_max"
            | "write_latency_p99_max"
            | "sync_latency_p99_max",
        ) => vec![json!("1 us"), json!("90 ms")],
        ("VolumeFile", "after_reboot_latency_max") => vec![json!("1 ms"), json!("9 ms")],
        ("VolumeFile", "after_reboot_share_min") => vec![json!(50), json!(90)],
        ("VolumeFile", "growth_percent_per_year" | "capacity_growth_percent_per_year") => vec![json!(20), json!(80)],
        ("LicenceFile", "name") => vec![json!("database"), json!("agent")],
        ("LicenceFile", "per") => vec![json!("core"), json!("socket")],
        ("LicenceFile", "price") => vec![json!("9 a month"), json!("9 a year")],
        ("LicenceFile", "minimum") => vec![json!(99), json!(999)],
        // Refused: there is one node.
        ("VolumeFile", "shared") => vec![json!(true)],
        ("VolumeFile", "local_disk") => vec![json!(true), json!(false)],
        ("VolumeFile", "disks_max") => vec![json!(1), json!(2)],
        ("VolumeFile", "kpi") => vec![json!("sql-data"), json!("sql-log")],
        ("VolumeFile", "stripe_unit") => vec![json!("128 KiB"), json!("512 KiB")],
        ("VolumeFile", "series") => vec![json!({
            "interval": "60 s", "read_iops": [50.0, 70.0], "write_iops": [0.0, 0.0],
            "read_bytes_per_s": [409_600, 573_440], "write_bytes_per_s": [0, 0],
        })],
        ("SeriesFile", "interval") => vec![json!("30 s"), json!("5 s")],
        ("SeriesFile", "read_iops" | "write_iops") => vec![json!([500.0, 700.0])],
        ("SeriesFile", "read_bytes_per_s" | "write_bytes_per_s") => vec![json!([4_096_000, 8_192_000])],
        ("HitFile", "cache") => vec![json!("20 GiB"), json!("100 GiB")],
        ("HitFile", "percent") => vec![json!(35.0), json!(95.0)],
        ("PlanFile", key) => {
            let key = dw_catalogue::PLAN_KEYS.all().into_iter().find(|known| known.name == key).unwrap();
            let value = |text: &str| toml::from_str::<Value>(&format!("value = {text}")).unwrap()["value"].clone();
            key.examples.map(value).to_vec()
        }
        ("PriceFile", "name") => vec![json!("P20"), json!("P30")],
        ("PriceFile", "meter") => vec![json!("whole"), json!("gib")],
        ("PriceFile", "monthly") => vec![json!(2.0), json!(900.0)],
        _ => panic!("`{key}` of {table} is new: give it two values here that differ"),
    }
}

/// What is planned and printed, or why not; and, for what was only measured, what was read.
fn outcome(document: &Value, measured: bool) -> Result<String, String> {
    let text = toml::to_string(document).map_err(|e| e.to_string())?;
    if measured {
        let read = dw_demand::read("r.toml", &text, &dw_catalogue::PLAN_KEYS).map_err(|e| e.to_string())?;
        return Ok(format!("{read:?}"));
    }
    let catalogue = dw_catalogue::Catalogue::embedded();
    let diskwright::PlanOutcome { document, requirements, wishes } = planned(
        "r.toml",
        &text,
        &PlanOptions { simulate: false, choices: false, ..PlanOptions::default() },
        (None, None),
    )
    .map_err(|error| error.to_string())?;
    let built = dw_planner::build(&requirements, &wishes, catalogue).map_err(|e| format!("{e:?}"))?;
    // What is solved, and what is printed of it.
    Ok(format!("{:?}{}", built.problem, serde_json::to_string(&document).map_err(|e| e.to_string())?))
}

fn named(schema: &Value, node: &Value) -> (String, Value) {
    let reference = node["$ref"].as_str().or_else(|| node["anyOf"][0]["$ref"].as_str());
    match reference.and_then(|reference| reference.rsplit('/').next()) {
        Some(name) => (name.to_string(), schema["$defs"][name].clone()),
        None => (String::new(), node.clone()),
    }
}

/// Every table of a document with its name in the schema, by its path.
fn tables(schema: &Value, (name, node): (String, Value), value: &Value, path: &str, out: &mut Vec<(String, String)>) {
    match value {
        Value::Object(map) => {
            out.push((path.to_string(), name));
            for (key, value) in map {
                tables(schema, named(schema, &node["properties"][key]), value, &format!("{path}/{key}"), out);
            }
        }
        Value::Array(items) if items.iter().any(Value::is_object) => {
            for (at, item) in items.iter().enumerate() {
                tables(schema, named(schema, &node["items"]), item, &format!("{path}/{at}"), out);
            }
        }
        _ => {}
    }
}

/// `LevelsFile2` holds texts; its keys are those of `LevelsFile`.
fn table_name(name: &str) -> &str {
    if name.starts_with("LevelsFile") { "LevelsFile" } else { name }
}

#[test]
fn every_key_changes_the_plan_or_is_refused_or_named() {
    let schema = dw_demand::schema(&dw_catalogue::PLAN_KEYS).to_value();
    let mut failures = Vec::new();
    for (name, base) in BASES {
        let base: Value = toml::from_str(base).unwrap();
        if let Err(e) = outcome(&base, false) {
            panic!("{name}: {e}");
        }
        let mut found = Vec::new();
        tables(&schema, ("RequirementsFile".into(), schema.clone()), &base, "", &mut found);
        for (path, table) in found {
            let node = if table == "RequirementsFile" { &schema } else { &schema["$defs"][&table] };
            let table = table_name(&table);
            for key in node["properties"].as_object().unwrap().keys() {
                let measured = MEASURED.contains(&(table, key));
                let with = |value: Option<Value>| {
                    let mut document = base.clone();
                    let table: &mut Map<String, Value> = document.pointer_mut(&path).unwrap().as_object_mut().unwrap();
                    match value {
                        Some(value) => table.insert(key.clone(), value),
                        None => table.remove(key),
                    };
                    outcome(&document, measured)
                };
                let without = with(None);
                let here = base.pointer(&path).and_then(|table| table.get(key)).cloned();
                let values: Vec<Value> = candidates(table, key, here.as_ref()).into_iter().chain(here).collect();
                let (mut accepted, mut works) = (false, false);
                // Each value is a plan: the first that shows something is enough.
                for value in values {
                    let outcome = with(Some(value));
                    accepted |= outcome.is_ok();
                    works |= match (&without, &outcome) {
                        (Err(_), outcome) => outcome.is_ok(),
                        (Ok(before), Ok(after)) => after != before,
                        // One of its values is the usual one; of others the catalogue knows nothing, or an operating system may not
                        // have them: that is said.
                        (Ok(_), Err(_)) => {
                            ["region", "zone", "edition", "prices", "currency", "local_disk"].contains(&key.as_str())
                        }
                    };
                    if works {
                        break;
                    }
                }
                if accepted && !works {
                    failures.push(format!("{name}: `{key}` at `{path}` ({table}) is taken and changes nothing"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
