//! Files of a released version are read as that version read them.
//!
//! `written/VERSION/` has what a version wrote, or took: scenarios, requirements, jobs, and every document that other commands read.
//! They are never edited; a version that writes otherwise gets a folder of its own.

use std::path::{Path, PathBuf};

use diskwright::dw_documents::plan::PlanDocument;
use diskwright::dw_documents::{Document, Kind};
use diskwright::{Catalogue, LoadOptions, Session, Stamp, Texts};
use dw_units::Duration;
use serde_json::Value;

const VERSION: &str = "0.2.0";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/written").join(VERSION)
}

fn text(file: &str) -> String {
    std::fs::read_to_string(folder().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"))
}

fn session() -> Session {
    Session::new(Catalogue::embedded().clone())
}

/// Every file has its test.
#[test]
fn no_file_is_forgotten() {
    let others = [
        "job.fio",
        "model.toml",
        "observed.toml",
        "requirements.toml",
        "rig.toml",
        "small-rig.toml",
        "small.fio",
        "small.toml",
    ];
    let mut known: Vec<&str> = DOCUMENTS.iter().map(|row| row.0).chain(others).collect();
    known.sort_unstable();
    let mut there: Vec<String> =
        std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    there.sort_unstable();
    assert_eq!(there, known);
}

/// A document, what it is, and something that it says: where, and the text.
const DOCUMENTS: [(&str, Kind, &str, &str); 12] = [
    ("audit.json", Kind::Audit, "/findings/0/disk", "sql-data"),
    ("bench.json", Kind::Bench, "/rows/0/scenario", "small"),
    ("calibration.json", Kind::Calibration, "/fitted_to/0", "a"),
    ("checklist.json", Kind::Checklist, "/machine", "db-1"),
    (
        "explain.json",
        Kind::Explain,
        "/finding/text",
        "this configuration carries the demand; data disk IOPS comes nearest, at 62 %",
    ),
    ("measured.json", Kind::Measured, "/fio version", "fio-3.33"),
    ("plan-comparison.json", Kind::PlanComparison, "/places/1/plan/plan/volumes/0/disk", "gp3"),
    ("plan-diff.json", Kind::PlanDiff, "/b", "small-rig.toml"),
    ("plan.json", Kind::Plan, "/plan/vm", "Standard_E4ds_v5"),
    ("run.json", Kind::Run, "/diskwright/binding_limits/0/limit", "vm cached IOPS"),
    ("sweep.json", Kind::Sweep, "/runs/1/diskwright/binding_limits/0/volume", "data"),
    ("verify.json", Kind::Verify, "/verdict", "not_proven"),
];

#[test]
fn documents_are_read_with_all_that_they_say() {
    for (file, kind, at, says) in DOCUMENTS {
        let old: Value = serde_json::from_str(&text(file)).unwrap();
        assert_eq!(old.pointer(at).and_then(Value::as_str), Some(says), "{file}");
        let document = Document::read(&text(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        assert_eq!(document.kind(), kind, "{file}");
        let read = serde_json::to_value(&document).unwrap();
        kept(&old, &read, file);
    }
}

#[test]
fn every_kind_of_document_has_a_file() {
    for kind in Kind::ALL {
        assert!(DOCUMENTS.iter().any(|row| row.1 == kind), "{kind:?}");
    }
}

/// A rig takes a model that `calibrate --save` wrote.
#[test]
fn a_latency_model_is_read() {
    let models = dw_catalogue::latency::read(&text("model.toml")).unwrap();
    let own = "disks = [{ sku = 'P30', latency = { read = 'here', write = 'here' } }]";
    let rig = format!("latency_models = ['model.toml']\n{}", text("small-rig.toml").replace("disks = \"P30\"", own));
    let with = dw_formats::scenario::With { models: &models, latency: None };
    let scenario = dw_formats::scenario::read_with("rig.toml", &rig, Catalogue::embedded(), &with).unwrap();
    let disk = &scenario.stack.volumes[0].disks[0];
    let median = |service: &dw_stack::ServiceTime| (f64::from(service.table.at((1 << 63) - 1)) / 1e5).round();
    assert_eq!((median(&disk.read), median(&disk.write)), (12.0, 15.0), "tenths of a millisecond");
}

/// All of `old` is in `new`, which may have more keys, and lack a table without any.
fn kept(old: &Value, new: &Value, at: &str) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            for (key, value) in old {
                kept(value, new.get(key).unwrap_or(&Value::Null), &format!("{at}/{key}"));
            }
        }
        (Value::Object(old), Value::Null) if old.is_empty() => {}
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            old.iter().zip(new).enumerate().for_each(|(n, (old, new))| kept(old, new, &format!("{at}/{n}")));
        }
        (Value::Number(old), Value::Number(new)) => assert_eq!(old.as_f64(), new.as_f64(), "{at}"),
        // A time may be written in another unit.
        (Value::String(old), Value::String(new)) if old.parse::<Duration>().is_ok() => {
            assert_eq!(old.parse::<Duration>(), new.parse(), "{at}");
        }
        (old, new) => assert_eq!(old, new, "{at}"),
    }
}

/// A plan of another version of its shape is refused by that version; one without a version, or without a tag, by the key it lacks.
#[test]
fn a_plan_of_another_version_is_refused_by_name() {
    let plan = text("plan.json");
    let session = session();
    let command = "with `diskwright plan REQUIREMENTS.toml --format json`";
    for (from, to, what, hint) in [
        (
            "\"schema_version\": 1",
            "\"schema_version\": 0",
            "2: `schema_version` is 0, but this program reads 1",
            "write it again",
        ),
        (
            "\"schema_version\": 1",
            "\"schema_version\": 2",
            "2: `schema_version` is 2, but this program reads 1",
            "it was written by a newer diskwright: update this one, or write it again",
        ),
        (
            "\"schema_version\": 1,",
            "",
            &format!("{}: is not a plan: `schema_version` is missing", plan.lines().count()),
            "write it",
        ),
        (
            "\"document\": \"plan\",",
            "",
            "1: is a plan of an older version: it has no `\"document\": \"plan\"`",
            "write it again",
        ),
    ] {
        let other = plan.replacen(from, to, 1);
        assert_ne!(other, plan);
        let error = diskwright::document::read::<PlanDocument>("plan.json", &other).unwrap_err();
        assert_eq!(error.to_string(), format!("error: plan.json:{what}\nhint: {hint} {command}"));
        assert!(session.side("plan.json", &other).is_err(), "`plan diff` takes it: {to}");
    }
}

/// A plan becomes scripts and a rig.
#[test]
fn a_plan_is_provisioned() {
    let session = session();
    let plan = diskwright::document::read::<PlanDocument>("plan.json", &text("plan.json")).unwrap();
    let rig = session.rig_of("plan.json", &plan).unwrap();
    let scripts = session.provision("plan.json", &plan).unwrap().files;
    let az = &scripts.iter().find(|(target, _)| target.file_name() == "az.sh").expect("a script").1;
    for (of, said, words) in [
        ("rig", &rig, "size = \"Standard_E4ds_v5\""),
        ("rig", &rig, "sku = \"PremiumV2\""),
        ("az.sh", az, "VM_SIZE='Standard_E4ds_v5'"),
        ("az.sh", az, "PremiumV2_LRS 589 None - 3875 125"),
    ] {
        assert!(said.contains(words), "{of} has no {words}:\n{said}");
    }
}

/// What the run of a scenario said of it then: its VM and start, the rates of every limit, the volumes and what they pass.
#[test]
fn a_scenario_means_what_it_meant() {
    let session = session();
    let scenario = session.scenario("rig.toml", &text("rig.toml")).unwrap();
    let load = Texts::single("job.fio", text("job.fio"));
    let simulation = session.load(scenario, &load, &LoadOptions::default()).unwrap();
    let document = session.simulate(simulation).unwrap().document(Stamp::from_milliseconds(0)).unwrap();
    let now = serde_json::to_value(&document).unwrap();
    let old: Value = serde_json::from_str(&text("run.json")).unwrap();
    for (list, keys) in [
        ("", &["seed", "vm", "start"][..]),
        ("limits", &["id", "limit", "place", "disks", "unit", "sustained", "burst", "credits_max"]),
        ("volumes", &["name", "disks", "host_cache", "gates"]),
    ] {
        assert_eq!(picked(&now["diskwright"], list, keys), picked(&old["diskwright"], list, keys));
    }
}

/// These keys of a value, or of each in a list of it.
fn picked<'a>(value: &'a Value, list: &str, keys: &[&str]) -> Vec<&'a Value> {
    let values = match value[list].as_array() {
        Some(values) => values.as_slice(),
        None => std::slice::from_ref(value),
    };
    values.iter().flat_map(|value| keys.iter().map(move |key| &value[*key])).collect()
}

/// What is read is written again with the same values; what is the default may be left out.
#[test]
fn requirements_mean_what_they_meant() {
    let session = session();
    for file in ["requirements.toml", "small.toml", "observed.toml"] {
        // What was observed has no capacity before somebody writes it.
        let read = |text: &str| match file {
            "observed.toml" => session.requirements_of_existing(file, text),
            _ => session.requirements(file, text),
        };
        let demand = read(&text(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        let table = |text: &str| serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap();
        let written = demand.text("written again");
        kept(&table(&text(file)), &table(&written), file);
        let again = read(&written).unwrap_or_else(|e| panic!("{file}: {e}\n{written}"));
        assert_eq!(again.text("written again"), written, "{file}");
    }
}
