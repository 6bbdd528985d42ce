//! What the calls give: the documents of the commands.

use std::io::Read as _;

use diskwright::{Catalogue, ObserveOptions, Recording, Session};
use dw_studio::Limits;
use serde_json::{Value, json};

use crate::raw::{Answer, Visitor, coded, last_part, parts};
use crate::support::{RECORDING, start};

/// The example, planned.
fn planned(visitor: &Visitor) -> (Value, Value, String) {
    let observed = visitor.call(&format!("observe?q={}", coded(&json!({ "source": 0 }))), b"");
    assert_eq!(observed.status, 200, "{}", observed.text());
    let observed = observed.json();
    let plan = visitor.ask("plan", &json!({ "recording": observed["recording"], "simulate": false }));
    let rig = visitor.call("rig", plan.to_string().as_bytes());
    assert_eq!(rig.status, 200, "{}", rig.text());
    (observed, plan, rig.text())
}

fn question(observed: &Value, rig: &str) -> Value {
    json!({ "recording": observed["recording"], "wishes": {}, "rig": rig, "changes": {}, "load": 1.0, "region": "eastus" })
}

#[test]
fn checklist_plan_and_report_are_the_documents_of_the_commands() {
    let studio = start(Limits::default(), &[]);
    let visitor = Visitor::enter(&studio);
    let (observed, plan, rig) = planned(&visitor);
    let session = Session::new(Catalogue::embedded().clone());
    let mut options = ObserveOptions::default();
    options.settings.volumes = crate::support::volumes();
    let own = session.observe(&[Recording::from_bytes("iostat.txt", RECORDING.as_bytes())], &options).unwrap();
    assert_eq!(observed["checklist"], serde_json::to_value(own.checklist()).unwrap());
    assert_eq!(observed["form"]["volume"][0]["capacity"], "900 GiB");
    assert!(observed["form"]["volume"][0].get("series").is_none(), "the page gets no series");

    let asked = json!({ "recording": observed["recording"] });
    let requirements = visitor.call("requirements", asked.to_string().as_bytes()).text();
    let demand = session.requirements("requirements.toml", &requirements).unwrap();
    let options = diskwright::PlanOptions { simulate: false, ..Default::default() };
    let direct = session.plan_with(&demand, &options).unwrap();
    assert_eq!(plan, serde_json::to_value(&direct.document).unwrap());
    assert_eq!(rig, session.rig(&direct).unwrap());

    let scripts = visitor.call("scripts", plan.to_string().as_bytes()).json();
    assert!(
        scripts
            .as_array()
            .unwrap()
            .iter()
            .any(|s| s["name"] == "linux.sh" && s["text"].as_str().unwrap().starts_with("#!/bin/sh"))
    );
    let report = json!({ "schema_version": 1, "title": "orders-db", "documents": [
        { "name": "checklist", "kind": "checklist", "document": observed["checklist"] },
        { "name": "plan", "kind": "plan", "document": plan },
        { "name": "rig.toml", "kind": "text", "document": { "role": "scenario", "text": rig } },
    ] });
    let page = visitor.call("report", report.to_string().as_bytes()).text();
    let opened = diskwright::Report::open(&page).unwrap();
    assert_eq!((opened.title.as_str(), opened.pieces.len()), ("orders-db", 3));
}

#[test]
fn what_was_answered_before_it_was_asked_is_what_asking_again_gives() {
    let studio = start(Limits::default(), &[]);
    let visitor = Visitor::enter(&studio);
    let [first, again] = [planned(&visitor), planned(&visitor)].map(|(mut observed, plan, rig)| {
        let number = observed["recording"].take();
        (number, (observed, plan, rig))
    });
    assert_ne!(first.0, again.0, "the second was read anew");
    assert_eq!(first.1, again.1);
    // Other volumes are other questions.
    let asked = json!({ "source": 0, "volumes": [["all", ["sdc", "sdd"]]] });
    let studio = start(Limits::default(), &[]);
    let observed = Visitor::enter(&studio).call(&format!("observe?q={}", coded(&asked)), b"");
    assert_eq!(observed.json()["form"]["volume"][0]["name"], "all", "{}", observed.text());
}

#[test]
fn an_estimate_answers_each_move_and_what_cannot_be_is_said() {
    let studio = start(Limits::default(), &[]);
    let visitor = Visitor::enter(&studio);
    let (observed, _, rig) = planned(&visitor);
    let ask = |changes: Value, load: f64| {
        let mut asked = question(&observed, &rig);
        (asked["changes"], asked["load"]) = (changes, json!(load));
        visitor.call("estimate", asked.to_string().as_bytes())
    };
    let peak = |answer: &Answer, key: &str| -> f64 {
        let answer = answer.json();
        let limits = answer["limits"].as_array().unwrap().clone();
        let all = limits.iter().flat_map(|limit| limit[key].as_array().unwrap().clone());
        all.filter_map(|v| v.as_f64()).fold(0.0, f64::max)
    };
    let now = ask(json!({}), 1.0);
    let more = ask(json!({}), 2.0);
    assert!(peak(&more, "use") > 1.9 * peak(&now, "use"), "{} {}", peak(&more, "use"), peak(&now, "use"));
    let throttled = |answer: &Answer| {
        let loads = answer.json()["loads"].as_array().unwrap().clone();
        loads.iter().any(|load| load["waits_at"].as_array().unwrap().iter().any(|at| at.as_i64() >= Some(0)))
    };
    assert!(!throttled(&now) && throttled(&ask(json!({}), 20.0)));
    let fewer = ask(json!({ "volumes": { "data": { "count": 2 } } }), 1.0).json();
    assert_eq!(fewer["design"]["volumes"][0]["said"], "2 x P15");
    assert!(fewer["monthly"].as_f64() < now.json()["monthly"].as_f64());
    for (changes, load, said) in [
        (json!({ "volumes": { "data": { "count": 99 } } }), 1.0, "99"),
        (json!({ "volumes": { "data": { "count": 0 } } }), 1.0, "0"),
        (json!({ "volumes": { "data": { "disk": "P31" } } }), 1.0, "P31"),
        (json!({ "volumes": { "log": { "host_cache": "ReadOnly" } } }), 1.0, "cache"),
        (json!({ "volumes": { "other": { "count": 1 } } }), 1.0, "other"),
        (json!({ "vm": "E9000" }), 1.0, "E9000"),
        (json!({}), 0.0, "the load factor is 0"),
        (json!({}), 1e9, "the load factor is 1000000000"),
        (json!({ "command": "rm" }), 1.0, "invalid request from the page: unknown field `command`"),
    ] {
        let answer = ask(changes.clone(), load);
        assert_eq!(answer.status, 422, "{changes} {load}: {}", answer.text());
        assert!(answer.json()["what"].as_str().unwrap().contains(said), "{changes}: {}", answer.text());
    }
}

/// The vendor follows from the region, whatever was wished of the first one's goods.
#[test]
fn a_region_of_another_vendor_has_its_goods_and_what_means_nothing_there_is_left_out() {
    let studio = start(Limits::default(), &[]);
    let visitor = Visitor::enter(&studio);
    let vendors = visitor.ask("hello", &Value::Null)["vendors"].clone();
    let names: Vec<&str> = vendors.as_array().unwrap().iter().map(|v| v["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Azure", "AWS"]);
    let terms = json!(["reservation 1y", "reservation 3y", "savings_plan 1y", "savings_plan 3y"]);
    assert_eq!(
        (&vendors[0]["commitments"], &vendors[1]["commitments"]),
        (&terms, &json!(terms.as_array().unwrap()[..2]))
    );
    assert_eq!((&vendors[0]["windows"], &vendors[1]["windows"]), (&true.into(), &false.into()));
    let files = json!(["aws.sh", "cloudformation.json", "main.tf", "linux.sh", "verify.fio", "verify.xml"]);
    assert_eq!(vendors[1]["scripts"], files);

    let (observed, ..) = planned(&visitor);
    let asked = |region: &str| json!({ "recording": observed["recording"], "wishes": { "plan": { "region": region, "headroom_percent": 5 } } });
    // The example wishes a host cache; the usual region of a vendor stands there as any other does.
    for region in ["eu-central-1", "us-east-1"] {
        let text = visitor.call("requirements", asked(region).to_string().as_bytes()).text();
        assert!(text.contains(&format!("region = \"{region}\"")) && !text.contains("ReadOnly"), "{text}");
        assert!(text.contains("headroom_percent = 5") && text.contains("working_set = \"220 GiB\""), "{text}");
    }
    let text = visitor.call("requirements", asked("westeurope").to_string().as_bytes()).text();
    assert!(text.contains("ReadOnly"), "{text}");

    let mut question = asked("eu-central-1");
    question["simulate"] = false.into();
    let plan = visitor.ask("plan", &question);
    assert!(plan["plan"]["vm"].as_str().unwrap().contains('.') && plan["region"] == "eu-central-1", "{}", plan["plan"]);
    let rig = visitor.call("rig", plan.to_string().as_bytes()).text();
    let mut asked = self::question(&observed, &rig);
    (asked["wishes"], asked["region"]) = (question["wishes"].clone(), "eu-central-1".into());
    let mut ask = |volume: Value| {
        asked["changes"] = json!({ "volumes": { "data": volume } });
        visitor.call("estimate", asked.to_string().as_bytes())
    };
    let own = ask(json!({})).json();
    for (region, terms) in [
        ("eu-central-1", json!({ "reservation": "3y" })),
        ("eastus", json!({ "savings_plan": "1y" })),
        ("eastus", json!({ "hours_per_month": 200 })),
        ("eastus", json!({ "os": "windows", "licence": [{ "price": "100 a month" }] })),
    ] {
        let mut terms = terms;
        terms["region"] = region.into();
        let wishes = json!({ "plan": terms });
        let plan =
            visitor.ask("plan", &json!({ "recording": observed["recording"], "wishes": wishes, "simulate": false }));
        let rig = visitor.call("rig", plan.to_string().as_bytes()).text();
        let mut asked = self::question(&observed, &rig);
        (asked["wishes"], asked["region"]) = (wishes, region.into());
        let found = visitor.ask("estimate", &asked);
        let [found, planned] = [&found["monthly"], &plan["plan"]["monthly"]].map(|monthly| monthly.as_f64().unwrap());
        assert!((found - planned).abs() < 0.01, "{terms}: {found}, planned {planned}");
    }
    assert!(
        (own["monthly"].as_f64().unwrap() - plan["plan"]["monthly"].as_f64().unwrap()).abs() < 0.01,
        "{}",
        own["monthly"]
    );
    let [count, gib, mb] = ["count", "gib", "mb_per_s"].map(|key| own["design"]["volumes"][0][key].as_u64().unwrap());
    assert!(count * gib >= 900 && mb >= 125, "{}", own["design"]);
    // Each kind has what is chosen of it, as near to what was there as it may be.
    for (disk, chosen) in
        [("io2", [true, false]), ("gp2", [false, false]), ("st1", [false, false]), ("gp3", [true, true])]
    {
        let found = ask(json!({ "disk": disk, "gib": 2000 })).json();
        let volume = &found["design"]["volumes"][0];
        assert_eq!((&volume["disk"], &volume["gib"]), (&disk.into(), &2000.into()), "{found}");
        assert_eq!([!volume["iops"].is_null(), !volume["mb_per_s"].is_null()], chosen, "{volume}");
        assert!(found["monthly"].as_f64() > Some(0.0), "{disk}: {}", found["monthly"]);
    }
    let faster = ask(json!({ "iops": 8000, "mb_per_s": 500 })).json();
    assert!(
        faster["rig"].as_str().unwrap().contains("500 MiB/s") && faster["monthly"].as_f64() > own["monthly"].as_f64()
    );
    for (change, said) in
        [(json!({ "gib": 70_000 }), "65536"), (json!({ "iops": 90_000 }), "80000"), (json!({ "disk": "P30" }), "P30")]
    {
        let refused = ask(change.clone());
        assert_eq!(refused.status, 422, "{change}: {}", refused.text());
        assert!(refused.text().replace(',', "").contains(said), "{change}: {}", refused.text());
    }
}

#[test]
fn a_file_that_the_page_names_is_not_opened() {
    let studio = start(Limits::default(), &[]);
    let visitor = Visitor::enter(&studio);
    let (observed, _, rig) = planned(&visitor);
    let asked = question(&observed, &format!("latency_models = [\"/etc/passwd\"]\n{rig}"));
    let answer = visitor.call("estimate", asked.to_string().as_bytes());
    assert_eq!(answer.status, 422);
    assert!(!answer.text().contains("root:") && answer.text().contains("/etc/passwd"), "{}", answer.text());
    let named = visitor.call(&format!("observe?q={}", coded(&json!({ "source": 7 }))), b"");
    assert!(named.text().contains("unknown recording"), "{}", named.text());
}

#[test]
fn a_recording_is_read_as_it_comes_and_a_bad_one_is_said_with_its_line() {
    let studio = start(Limits::default(), &[]);
    let visitor = Visitor::enter(&studio);
    let send = |name: &str, bytes: &[u8]| {
        let asked = json!({ "files": [[name, 0]], "volumes": [["data", ["sdc"]], ["log", ["sdd"]]] });
        visitor.call(&format!("observe?q={}", coded(&asked)), bytes)
    };
    let good = send("mine.txt", RECORDING.as_bytes()).json();
    assert_eq!(good["checklist"]["sources"][0]["files"], json!(["mine.txt"]));
    assert_eq!(good["checklist"]["volumes"][1]["name"], "data");
    assert!(good["form"]["volume"][0].get("capacity").is_none(), "nobody said what it must hold");
    let without = visitor.call("plan", json!({ "recording": good["recording"] }).to_string().as_bytes());
    assert!(without.text().contains("capacity"), "{}", without.text());
    let wishes = json!({ "volumes": { "data": { "capacity": "900 GiB" }, "log": { "capacity": "lots" } } });
    let wrong =
        visitor.call("plan", json!({ "recording": good["recording"], "wishes": wishes }).to_string().as_bytes());
    assert_eq!(wrong.status, 422);
    assert!(wrong.text().contains("lots"), "{}", wrong.text());

    let bad = send("bad.txt", b"no counters at all\n").json();
    assert_eq!(bad["place"]["file"], "bad.txt");
    assert!(!bad["what"].as_str().unwrap().is_empty() && !bad["hint"].as_str().unwrap().is_empty(), "{bad}");
}

#[test]
fn a_run_is_streamed_and_its_columns_are_the_series_of_its_document() {
    let studio = start(Limits::default(), &[]);
    let visitor = Visitor::enter(&studio);
    let (observed, _, rig) = planned(&visitor);
    let mut asked = question(&observed, &rig);
    asked["load"] = json!(0.2);
    let body = visitor.call("simulate", asked.to_string().as_bytes()).body;
    let parts = parts(&body);
    let head: Value = serde_json::from_slice(parts[0].1).unwrap();
    assert_eq!((parts[0].0, &head["tracks"][0]["volume"]), (1, &json!("data")));
    let (kind, last) = parts.last().unwrap();
    assert_eq!(*kind, 4, "{}", String::from_utf8_lossy(last));
    let document: Value = serde_json::from_slice(last).unwrap();
    let mut told: Vec<f32> = Vec::new();
    for (_, part) in parts.iter().filter(|(kind, part)| *kind == 2 && part[..4] == 0u32.to_le_bytes()) {
        let rows = u32::from_le_bytes([part[4], part[5], part[6], part[7]]) as usize;
        let column = part[8 + 4 * rows..8 + 8 * rows].chunks(4);
        told.extend(column.map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])));
    }
    let series: Vec<f32> = document["diskwright"]["series"][0]["iops"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v.as_f64().unwrap() as f32)
        .collect();
    // The end is in the document alone.
    assert!(told.len() + 3 >= series.len() && told.len() <= series.len(), "{} of {}", told.len(), series.len());
    let near = |(a, b): (&f32, &f32)| (a - b).abs() <= 0.001 * b.abs().max(1.0);
    assert!(told.iter().zip(&series).all(near), "{told:?}\n{series:?}");
}

#[test]
fn a_page_that_closes_ends_its_run() {
    use std::io::Write as _;
    // One run at a time: the next can only begin when the first has ended.
    let studio = start(Limits { runs: 1, ..Limits::default() }, &[]);
    let visitor = Visitor::enter(&studio);
    let (observed, _, rig) = planned(&visitor);
    let mut asked = question(&observed, &rig);
    for round in 0..20 {
        // As recorded, and far more than the disks give.
        asked["load"] = json!(if round % 2 == 0 { 1.0 } else { 8.0 });
        let asked = asked.to_string();
        let mut stream = crate::raw::connect(&studio);
        stream.write_all(visitor.head("simulate", asked.len()).as_bytes()).unwrap();
        stream.write_all(asked.as_bytes()).unwrap();
        let mut head = [0; 300];
        stream.read_exact(&mut head).unwrap();
        assert!(head.starts_with(b"HTTP/1.1 200"));
    }
    asked["load"] = json!(0.02);
    assert_eq!(last_part(&visitor.call("simulate", asked.to_string().as_bytes()).body).0, 4);
}

#[test]
fn the_busiest_stretch_comes_first_and_is_what_the_whole_has_there() {
    let studio = start(Limits::default(), &[]);
    let visitor = Visitor::enter(&studio);
    let (observed, _, rig) = planned(&visitor);
    let run = |ios: Option<u64>, load: f64| {
        let mut asked = question(&observed, &rig);
        (asked["ios"], asked["load"]) = (json!(ios), json!(load));
        let body = visitor.call("simulate", asked.to_string().as_bytes()).body;
        let parts = parts(&body);
        assert_eq!(parts.last().unwrap().0, 4, "{}", String::from_utf8_lossy(parts.last().unwrap().1));
        let read = |part: &[u8]| serde_json::from_slice::<Value>(part).unwrap();
        (read(parts[0].1), read(parts.last().unwrap().1)["diskwright"].clone())
    };
    let (head, stretch) = run(Some(500_000), 1.0);
    let (from, span) = (head["from_s"].as_f64().unwrap(), head["span_s"].as_f64().unwrap());
    assert!(stretch["simulated_ios"].as_u64().unwrap() <= 510_000 && from > 0.0 && head["is_whole"] == false, "{head}");
    let (_, whole) = run(None, 1.0);
    // Reads of the data volume per second, within what was run of both.
    let rate = |of: &Value, from: f64| {
        let track = &of["series"][0];
        let rows = track["end_s"].as_array().unwrap().iter().zip(track["iops"].as_array().unwrap());
        let within = rows.filter(|(end, _)| (from + 15.0..=from + span).contains(&end.as_f64().unwrap()));
        let all: Vec<f64> = within.map(|(_, iops)| iops.as_f64().unwrap()).collect();
        all.iter().sum::<f64>() / all.len() as f64
    };
    let (found, expected) = (rate(&stretch, 0.0), rate(&whole, from));
    assert!((found / expected - 1.0).abs() < 0.02, "{found} for {expected}");
    // Of much load part of an interval is enough; of little all of it is the stretch.
    let (head, much) = run(Some(500_000), 20.0);
    assert!(head["span_s"].as_f64().unwrap() < 30.0 && much["simulated_ios"].as_u64().unwrap() <= 550_000, "{head}");
    assert_eq!(run(Some(500_000), 0.02).0["is_whole"], true);
    assert!(run(Some(u64::MAX), 1.0).1["simulated_ios"].as_u64().unwrap() <= 510_000, "no page asks for more");
}

#[test]
fn an_estimate_far_above_the_limits_costs_what_a_frame_has() {
    let studio = start(Limits::default(), &[]);
    let visitor = Visitor::enter(&studio);
    let (observed, _, rig) = planned(&visitor);
    for (changes, load) in [
        (json!({}), 1.0),
        (json!({}), 4.0),
        (json!({}), 20.0),
        (json!({}), 1_000.0),
        (json!({ "volumes": { "data": { "count": 16 } } }), 1_000.0),
        (json!({ "volumes": { "data": { "count": 1 } } }), 3.0),
    ] {
        let mut asked = question(&observed, &rig);
        (asked["changes"], asked["load"]) = (changes.clone(), json!(load));
        let work = visitor.ask("estimate", &asked)["work"].as_u64().unwrap();
        println!("{changes} {load}: {work} waits");
        assert!(work < WORK_MAX, "{changes} {load}: {work} waits");
    }
}

/// Waits that an estimate may work out: some tens of nanoseconds each, and a frame has 16 ms.
const WORK_MAX: u64 = 400_000;
