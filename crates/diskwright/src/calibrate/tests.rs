//! Measurements made with a known model are fitted again.

use dw_catalogue::Catalogue;
use dw_error::{Error, Result};

use super::*;
use crate::bench::document::{BenchDocument, Share};
use crate::measured::Quantiles;
use serde_json::{Value, json};

fn session() -> Session {
    Session::new(Catalogue::embedded().clone())
}

/// A disk of 5,000 IOPS whose medium is as `latency` says.
fn rig(latency: &str) -> String {
    format!(
        "[vm]\nuncached = {{ iops = 5000, throughput = \"1000 MB/s\" }}\n[[volume]]\nname = \"data\"\n\
         disks = [{{ size = \"8 GiB\", latency = {latency} }}]\n"
    )
}

/// What the model of before is: a constant, far off.
const BEFORE: &str = r#"{ read = "3 ms", write = "3 ms" }"#;
/// What the medium really is.
const TRUTH: &str = r#"{ read = { p50 = "1.2 ms", p90 = "2 ms", p99 = "4 ms", max = "9 ms" }, write = "1 ms", bandwidth = "250 MB/s" }"#;

/// A measurement of random reads of `size` KiB at a depth, on a medium that is `slower` times as slow as it is.
fn scenario(id: &str, (size, depth): (u32, u32), slower: f64) -> (Value, Quantiles) {
    let job = format!(
        "[global]\nioengine=libaio\ndirect=1\n[{id}]\nfilename=/dev/data\nrw=randread\nbs={size}k\niodepth={depth}\n\
         norandommap\ntime_based\nruntime=20\n"
    );
    let of = |latency: &str| {
        let rig = session().scenario("rig.toml", &rig(latency)).unwrap();
        session().predict(&rig, &job, Vec::new()).unwrap()
    };
    let (truth, before) = (of(TRUTH), of(BEFORE));
    let mut measured: Vec<Share> = truth.shares;
    for share in &mut measured {
        share.load.iops /= slower;
        share.load.latency_ns.as_mut().unwrap().mean *= slower;
    }
    let latency = measured[0].load.latency_ns.clone().unwrap();
    let at = [(500_000, latency.p50), (900_000, latency.p90), (990_000, latency.p99), (1_000_000, latency.max)];
    let quantiles = at.into_iter().map(|(ppm, ns)| (ppm, ns.unwrap() as f64 * slower)).collect();
    let scenario = json!({
        "id": id, "title": id, "state": "done", "job": job, "predicted": before.shares, "measured": measured,
        "binding": before.binding, "series": [],
    });
    (scenario, quantiles)
}

fn source(scenarios: Vec<(Value, Quantiles)>) -> Source {
    let (scenarios, quantiles): (Vec<Value>, Vec<Quantiles>) = scenarios.into_iter().unzip();
    let document = json!({
        "schema_version": 1, "document": "bench", "diskwright_version": "", "mode": "disks", "suite": "jobs", "partial": false,
        "rig": { "file": "rig.toml", "text": rig(BEFORE), "latency_models": [], "sources": [], "volumes": [] },
        "procedure": { "measure_s": 20.0, "ramp_s": 0.0, "file_bytes": 0, "clients": [] },
        "targets": [], "preparation": [], "scenarios": scenarios, "rows": [], "findings": [], "warnings": [],
        "metadata": { "started": 0, "ended": 0, "resumed": 0 },
    });
    let document: BenchDocument = serde_json::from_value(document).unwrap();
    Source {
        asked: vec![None; document.scenarios.len()],
        cached: vec![None; document.scenarios.len()],
        named: Vec::new(),
        notes: Vec::new(),
        document,
        quantiles: quantiles.into_iter().map(Some).collect(),
        syncs: Vec::new(),
        raw: false,
    }
}

fn fit(scenarios: Vec<(Value, Quantiles)>) -> Result<CalibrateDocument> {
    let rig = session().scenario("rig.toml", &rig(BEFORE)).unwrap();
    fitted(&session(), "here", &[source(scenarios)], &rig, 0)
}

#[test]
fn a_known_model_is_found_again() {
    let shapes = [(8, 1), (64, 1), (256, 1), (8, 2), (64, 2), (128, 2)];
    let scenarios = shapes.iter().enumerate().map(|(n, shape)| scenario(&format!("s{n}"), *shape, 1.0)).collect();
    let document = fit(scenarios).unwrap();
    let close = |what: &str, got: f64, truth: f64| {
        assert!((got / truth - 1.0).abs() < 0.03, "{what}: {got} instead of {truth}");
    };
    close("median", document.read_p50_us.unwrap() as f64, 1_200.0);
    close("bandwidth", document.bandwidth_mb_per_s.unwrap() as f64, 250.0);
    assert!(document.error_before_percent > 50.0 && document.error_after_percent < 3.0, "{document:?}");
    assert!(!document.is_worse() && document.left_out.is_empty(), "{:?}", document.left_out);
    for row in &document.held_back {
        assert!((row.after / row.measured - 1.0).abs() < 0.04, "{row:?}");
    }
}

#[test]
fn errors_that_say_nothing_are_not_better() {
    let mut document = fit(vec![scenario("s0", (8, 1), 1.0), scenario("s1", (8, 1), 1.0)]).unwrap();
    assert!(!document.is_worse());
    for (before, after) in [(f64::INFINITY, f64::NAN), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
        (document.error_before_percent, document.error_after_percent) = (before, after);
        assert!(document.is_worse(), "{before} to {after}");
    }
    let bare = |id: &str| {
        let (mut scenario, quantiles) = scenario(id, (8, 1), 1.0);
        scenario["measured"][0]["latency_ns"] = Value::Null;
        (scenario, quantiles)
    };
    let failure = fit(vec![scenario("s0", (8, 1), 1.0), bare("s1")]).unwrap_err();
    assert!(failure.to_string().contains("the validation data, s1, has no mean, p50 or p99"), "{failure}");
}

/// What `bench RIG.toml --suite latency-at-load --volume data` measures, as the help has it, of a disk that is in truth as `truth` says
/// and that the rig describes as `before`.
fn by_the_recipe(truth: &str, before: &str) -> CalibrateDocument {
    use crate::bench::job::{self, Length, Place};
    use crate::bench::suite::{Basis, curves};
    use dw_units::{Bytes, Duration};
    let read = |text: &str| session().scenario("rig.toml", text).unwrap();
    let (true_rig, rig) = (read(truth), read(before));
    let text_of = |plan: &crate::bench::suite::Plan| {
        let length = Length::Time { measure: Duration::from_secs(20), ramp: Duration::ZERO };
        job::text(&plan.streams, &|_| Place::Model("data".into()), length)
    };
    let predicted = |rig: &Rig, job: &str| session().predict(rig, job, Vec::new()).unwrap();
    let basis = Basis { rig: &rig, file: Bytes::gib(1), io_size: Bytes::kib(8), rw: "randread", volume: None };
    let most = |plan: &crate::bench::suite::Plan| Ok::<f64, Error>(predicted(&rig, &text_of(plan)).shares[0].load.iops);
    let plans = curves::latency_at_load(&basis, &most).unwrap();
    let scenarios = plans.iter().map(|plan| {
        let job = text_of(plan);
        let (truth, before) = (predicted(&true_rig, &job), predicted(&rig, &job));
        let latency = truth.shares[0].load.latency_ns.clone().unwrap();
        let at = [(500_000, latency.p50), (900_000, latency.p90), (990_000, latency.p99), (1_000_000, latency.max)];
        let scenario = json!({
            "id": plan.id, "title": plan.title, "state": "done", "job": job, "predicted": before.shares,
            "measured": truth.shares, "binding": before.binding, "series": [],
        });
        (scenario, at.into_iter().map(|(ppm, ns)| (ppm, ns.unwrap() as f64)).collect())
    });
    fitted(&session(), "here", &[source(scenarios.collect())], &rig, 0).unwrap()
}

#[test]
fn the_recipe_as_it_is_printed_makes_a_model_better() {
    let disk = |iops: u32, latency: &str| rig(latency).replace("iops = 5000", &format!("iops = {iops}"));
    // By the rig a disk of 5,000 IOPS; in truth it saturates before, at it, or never, and is a tenth or more faster. A limit that the
    // rig has wrong is not a latency: the fit is better all the same, and its grade says how good it is.
    for (iops, before, grade) in
        [(4_200, "1.3 ms", "A"), (4_600, "1.5 ms", "A"), (5_000, "1.3 ms", "A"), (9_000, "2 ms", "B")]
    {
        let before = format!("{{ read = \"{before}\", write = \"1 ms\" }}");
        let document = by_the_recipe(&disk(iops, TRUTH), &disk(5_000, &before));
        let (file, shown) = (&document.model, format!("{document:?}"));
        assert!(!document.is_worse() && document.grade == grade, "{iops}: {shown}");
        assert!(grade != "A" || document.error_after_percent < document.error_before_percent / 2.0, "{iops}: {shown}");
        assert!(!document.held_back.is_empty() && file.contains(&format!("grade = \"{grade}\"")), "{shown}");
        // Enough remain on both sides, and it says how many.
        let held = document.held_back.iter().map(|row| &row.scenario).collect::<std::collections::BTreeSet<_>>().len();
        let all = document.fitted_to.len() + held;
        assert!(document.fitted_to.len() >= 3 && held >= 3, "{iops}: {shown}");
        let rests = format!("held back ({held} of the {all} scenarios that show the medium)");
        assert!(document.rests_on().ends_with(&rests) && file.contains(&rests), "{iops}: {rests}\n{shown}\n{file}");
        // Loads that wait are told by name.
        let left = document
            .left_out
            .iter()
            .filter(|l| l.why.id.starts_with("excluded-waits") || l.why.id == "excluded-throttled")
            .count();
        assert!(left > 0, "{iops}: {shown}");
    }
}

#[test]
fn the_grade_is_how_well_a_model_predicts_what_it_has_not_seen() {
    for (error, grade) in [
        (0.0, 'A'),
        (10.0, 'A'),
        (10.1, 'B'),
        (25.0, 'B'),
        (49.0, 'C'),
        (50.1, 'D'),
        (f64::INFINITY, 'D'),
        (f64::NAN, 'D'),
    ] {
        assert_eq!(fit::grade(error), grade, "{error}");
    }
    // Better than 3 ms, and far off all the same: those that are fitted to were measured on a medium 1.4 times as slow.
    let shapes = [(8, 1.4), (64, 1.0), (8, 1.4), (64, 1.0)];
    let scenarios = shapes.iter().enumerate().map(|(n, &(size, slower))| scenario(&format!("s{n}"), (size, 1), slower));
    let document = fit(scenarios.collect()).unwrap();
    assert!(!document.is_worse() && document.error_after_percent > 10.0, "{document:?}");
    assert_ne!(document.grade, "A", "{} % off", document.error_after_percent);
    let file = &document.model;
    assert!(file.contains(&format!("grade = \"{}\"", document.grade)), "{file}");
    assert!(file.contains(&format!("{:.1} % off on data held back", document.error_after_percent)), "{file}");
}

#[test]
fn a_model_of_nonsense_is_worse_and_said_to_be() {
    // Those that are fitted to were measured while something else kept the disk busy.
    let shapes = [(8, 20.0), (64, 1.0), (8, 20.0), (64, 1.0)];
    let scenarios = shapes.iter().enumerate().map(|(n, &(size, slower))| scenario(&format!("s{n}"), (size, 1), slower));
    let document = fit(scenarios.collect()).unwrap();
    assert!(document.is_worse(), "{} % to {} %", document.error_before_percent, document.error_after_percent);
}

#[test]
fn what_waits_says_nothing_of_the_medium() {
    // By the model of before, 3 ms, depth 32 is held by 5,000 IOPS; the medium itself is held from depth 8 on.
    let shapes = [(8, 1), (8, 2), (8, 32), (64, 1), (64, 2)];
    let scenarios = shapes.iter().enumerate().map(|(n, shape)| scenario(&format!("s{n}"), *shape, 1.0)).collect();
    let document = fit(scenarios).unwrap();
    let left: Vec<(&str, &str)> = document.left_out.iter().map(|l| (l.scenario.as_str(), &*l.why.text)).collect();
    assert!(matches!(left[..], [("s2", why)] if why.starts_with("throttled by")), "{left:?}");
    // A plateau that the model of before knows nothing of: depth 14 does no more than depth 8.
    let scenarios = [(8, 1), (8, 2), (8, 8), (8, 14)].iter().enumerate();
    let document = fit(scenarios.map(|(n, shape)| scenario(&format!("s{n}"), *shape, 1.0)).collect()).unwrap();
    let left: Vec<&str> = document.left_out.iter().map(|l| l.scenario.as_str()).collect();
    assert_eq!(left, ["s3"], "{:?}", document.left_out);
    assert!(
        document.left_out[0].why.text.contains("a lower queue depth gives nearly the same IOPS"),
        "{:?}",
        document.left_out
    );
}

#[test]
fn a_stream_that_is_paced_does_not_wait_because_it_was_slower_once() {
    // 300 I/Os per second whatever the latency is: nothing is learnt from the rate.
    let paced = |id: &str, slower: f64| {
        let (mut scenario, quantiles) = scenario(id, (8, 1), slower);
        scenario["job"] = format!("{}rate_iops=300\n", scenario["job"].as_str().unwrap()).into();
        for share in scenario["measured"].as_array_mut().unwrap() {
            share["iops"] = 300.0.into();
        }
        (scenario, quantiles)
    };
    let document = fit(vec![paced("s0", 1.0), paced("s1", 1.5), paced("s2", 0.9)]).unwrap();
    assert!(document.left_out.is_empty() && document.fitted_to == ["s0", "s2"], "{document:?}");
    let failure = fit(vec![paced("s0", 1.0), scenario("s1", (8, 32), 1.0)]).unwrap_err();
    assert!(failure.to_string().contains("s1: throttled by"), "{failure}");
}

#[test]
fn one_scenario_of_a_direction_proves_nothing() {
    let failure = fit(vec![scenario("s0", (8, 1), 1.0), scenario("s1", (8, 32), 1.0)]).unwrap_err();
    assert_eq!(failure.kind, dw_error::Kind::Input);
    for part in ["1 scenarios show", "at least two of one direction are needed", "s1: throttled by"] {
        assert!(failure.to_string().contains(part), "{failure}");
    }
}
