//! Every document comes back as it was, and nothing in one is left alone: a key with another name is refused.

use dw_documents::{Document, Kind, Unread};
use serde_json::{Value, json};

const SAMPLES: [(&str, Kind); 11] = [
    (include_str!("../../dw-report/tests/samples/checklist.json"), Kind::Checklist),
    (include_str!("../../dw-report/tests/samples/plan.json"), Kind::Plan),
    (include_str!("../../dw-report/tests/samples/run.json"), Kind::Run),
    (include_str!("../../dw-report/tests/samples/measured.json"), Kind::Measured),
    (include_str!("../../dw-report/tests/samples/bench.json"), Kind::Bench),
    (include_str!("../../dw-report/tests/samples/explain.json"), Kind::Explain),
    (include_str!("../../dw-report/tests/samples/verify.json"), Kind::Verify),
    (
        r#"{"schema_version": 1, "document": "calibration", "name": "m", "volume": "data", "model": "", "grade": "A",
            "read_p50_us": 3, "write_p50_us": null, "bandwidth_mb_per_s": null, "fitted_to": ["a"],
            "left_out": [{"scenario": "b", "why": {"id": "plain", "text": "slow"}}], "held_back": [{"scenario": "c", "direction": "read",
            "metric": "latency_p50", "measured": 1.0, "before": 2.0, "after": 1.5}], "held_back_scenarios": 1,
            "error_before_percent": 100.0, "error_after_percent": 50.0, "went_away_percent": 50.0}"#,
        Kind::Calibration,
    ),
    (
        r#"{"schema_version": 1, "document": "plan-diff", "a": "a", "b": "b", "summary": {"id": "plain", "text": "s"}, "monthly_change": null,
            "rows": [{"what": "VM size", "a": "x", "b": null, "change": 1.5, "differs": true}], "notes": []}"#,
        Kind::PlanDiff,
    ),
    (
        r#"{"schema_version": 1, "document": "plan-comparison", "summary": {"id": "plain", "text": "s"}, "places": [{"vendor": "v",
            "region": "r", "state": "met", "monthly": 12.5, "currency": "USD", "prices_of": ["2025-04"], "ignored": ["vms"],
            "refused": "no price"}]}"#,
        Kind::PlanComparison,
    ),
    (
        r#"{"schema_version": 1, "document": "audit", "sources": ["vms.json"], "machines": 1, "disks": 2,
            "cost": {"monthly": 12.5, "currency": "USD", "unpriced": 1}, "counts": {"errors": 0, "warnings": 1, "notes": 0, "waived": 1},
            "findings": [{"code": "DW201", "level": "warning", "machine": "db", "machine_id": "/db", "disk": "data", "disk_id": "/data",
                "file": "vms.json", "says": {"id": "plain", "text": "too many"},
                "remedy": {"what": {"id": "plain", "text": "fewer"}, "effort": "in_place", "takes": "nothing stops",
                    "changes": [{"disk": "data", "disk_id": "/data", "set": {"iops": 3000}}]},
                "monthly": 3.0, "monthly_after": 1.0, "confidence": "certain", "sources": ["page"], "waived": "dba, until 2027-01-01: why"}],
            "not_judged": [{"rules": ["DW110"], "machines": 1, "lacks": "the zone"}], "doubts": [{"id": "plain", "text": "cut short"}],
            "rules": [{"code": "DW201", "title": "t", "threshold": "h", "level": "warning"}],
            "estate": [{"name": "db", "id": "/db", "count": 1, "size": "s", "region": "r", "disks": 2, "monthly": 1.0, "tags": {"a": "b"}}]}"#,
        Kind::Audit,
    ),
];

fn read(text: &str) -> Document {
    Document::read(text).unwrap_or_else(|e| panic!("{e:?}"))
}

#[test]
fn a_document_is_known_by_its_tag_and_comes_back_as_it_was() {
    for (text, kind) in SAMPLES {
        let document = read(text);
        assert_eq!(document.kind(), kind);
        let value: Value = serde_json::to_value(&document).unwrap();
        assert_eq!(Document::of_value(value.clone()).unwrap(), document, "{}", kind.word());
        // What is written is read to the same text again: order of keys and digits included.
        let once = serde_json::to_string_pretty(&document).unwrap();
        assert_eq!(serde_json::to_string_pretty(&read(&once)).unwrap(), once, "{}", kind.word());
        // Nothing that stood there is lost.
        let original: Value = serde_json::from_str(text).unwrap();
        assert_eq!(missing(&original, &value), None, "{}", kind.word());
    }
}

/// A key or value of the first that the second has not.
fn missing(first: &Value, second: &Value) -> Option<String> {
    match (first, second) {
        (Value::Object(a), Value::Object(b)) => a.iter().find_map(|(key, value)| match b.get(key) {
            Some(other) => missing(value, other).map(|path| format!("{key}.{path}")),
            None => Some(key.clone()),
        }),
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => a.iter().zip(b).find_map(|(a, b)| missing(a, b)),
        // 3 and 3.0 are one number.
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => None,
        (a, b) => (a != b).then(|| format!("{a} is {b}")),
    }
}

/// Every object of a document that is ours: fio's own keys are its business.
fn objects(value: &mut Value, change: &mut dyn FnMut(&mut serde_json::Map<String, Value>)) {
    match value {
        // One item has the keys of all.
        Value::Array(list) => list.iter_mut().take(1).for_each(|item| objects(item, change)),
        Value::Object(map) => {
            change(map);
            let ours = |key: &&mut Value| key.is_object() || key.is_array();
            // Arguments of a sentence are an open map: their names belong to its message.
            let foreign = ["jobs", "fio", "global options", "args", "tags"];
            let inner = map.iter_mut().filter(|(key, _)| !foreign.contains(&key.as_str())).map(|(_, inner)| inner);
            inner.filter(ours).for_each(|inner| objects(inner, change));
        }
        _ => {}
    }
}

#[test]
fn a_key_with_another_name_is_refused_wherever_it_stands() {
    for (text, kind) in SAMPLES.into_iter().filter(|(_, kind)| *kind != Kind::Measured) {
        let original = serde_json::to_value(read(text)).unwrap();
        let mut count = 0;
        objects(&mut original.clone(), &mut |map| count += map.len());
        assert!(count > 10, "{}", kind.word());
        for at in 0..count {
            let (mut changed, mut seen, mut name) = (original.clone(), 0, String::new());
            objects(&mut changed, &mut |map| {
                if (seen..seen + map.len()).contains(&at) {
                    let renamed = |(index, (key, value)): (usize, (String, Value))| match seen + index == at {
                        true => {
                            name = key.clone();
                            (format!("{key}_x"), value)
                        }
                        false => (key, value),
                    };
                    *map = std::mem::take(map).into_iter().enumerate().map(renamed).collect();
                }
                seen += map.len();
            });
            // A run without its `diskwright` is fio's own result.
            let read = Document::of_value(changed).map(|document| document.kind());
            assert_ne!(read, Ok(kind), "{}: `{name}` may have another name", kind.word());
        }
    }
}

#[test]
fn a_sweep_is_known_by_its_tag_and_comes_back_as_it_was() {
    let run = serde_json::to_value(read(SAMPLES[2].0)).unwrap();
    let sweep = json!({ "schema_version": 1, "document": "sweep", "partial": true, "runs_asked": 2, "runs_finished": 1,
        "runs": [{ "set": { "iodepth": "4", "seed": "7" }, "diskwright": run["diskwright"] }] });
    let document = Document::of_value(sweep.clone()).unwrap();
    assert_eq!((document.kind(), serde_json::to_value(&document).unwrap()), (Kind::Sweep, sweep.clone()));
    for (key, other) in [("runs_asked", "runs_wanted"), ("runs", "lines")] {
        let text = sweep.to_string().replacen(&format!("\"{key}\""), &format!("\"{other}\""), 1);
        let why = Document::read(&text).unwrap_err();
        assert!(why.to_string().contains(&format!("unknown field `{other}`")), "{why}");
    }
    let older = sweep.to_string().replacen("\"document\":\"sweep\",", "", 1);
    assert_eq!(Document::read(&older), Err(Unread::Older(Kind::Sweep)));
}

#[test]
fn what_is_not_read_says_what_it_is_and_how_to_write_it_again() {
    let plan = &serde_json::to_string(&read(SAMPLES[1].0)).unwrap();
    let older = plan.replacen("\"document\":\"plan\",", "", 1);
    let later = plan.replacen("\"schema_version\":1", "\"schema_version\":2", 1);
    let extra = plan.replacen("\"currency\":", "\n\"colour\": 1,\n\"currency\":", 1);
    let newer = "it was written by a newer diskwright: update this one, or ";
    for (text, said, line, first) in [
        (older.as_str(), "is a plan of an older version: it has no `\"document\": \"plan\"`", 1, ""),
        (&later, "is a plan of `schema_version` 2, but this program reads 1", 1, newer),
        (&extra, "this looks like a plan, but it cannot be read: unknown field `colour`", 2, ""),
    ] {
        let why = Document::read(text).unwrap_err();
        assert!(why.to_string().starts_with(said), "{why}");
        assert_eq!(why.line(), line, "{why}");
        assert_eq!(why.hint(), format!("{first}write it again with `diskwright plan REQUIREMENTS.toml --format json`"));
    }
    assert!(matches!(Document::read("{\n\"half\": "), Err(Unread::Json { at: (2, _), .. })));
    assert_eq!(Document::read("{}"), Err(Unread::Foreign));
    let bench = Document::of_value(json!({ "document": "bench" })).unwrap_err();
    assert!(matches!(bench, Unread::Shape { kind: Kind::Bench, .. }), "{bench:?}");
    let wanted = dw_documents::read::<dw_documents::verify::VerifyDocument>(plan);
    assert_eq!(wanted, Err(Unread::Other(Kind::Plan)));
}
