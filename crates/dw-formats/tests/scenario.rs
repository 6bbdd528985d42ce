//! Scenario files: everything under `samples/valid` is read, everything under `samples/invalid` is refused with exactly
//! the message of its snapshot. The fault is the file's name.

use std::path::{Path, PathBuf};

use dw_catalogue::Catalogue;
use dw_formats::scenario::{self, CacheStart, Scenario};
use dw_stack::{CacheMode, Credits};
use dw_units::Bytes;

fn samples(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples").join(kind);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

fn read(text: &str) -> Result<Scenario, String> {
    scenario::read("rig.toml", text, Catalogue::embedded()).map_err(|e| e.to_string())
}

fn valid(name: &str) -> Scenario {
    let path = format!("{}/tests/samples/valid/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    read(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn what_is_valid_is_read() {
    for path in samples("valid") {
        let text = std::fs::read_to_string(&path).unwrap();
        if let Err(e) = read(&text) {
            panic!("{}: {e}", name(&path));
        }
    }
}

#[test]
fn what_is_not_is_refused_with_line_value_and_fix() {
    for path in samples("invalid") {
        let text = std::fs::read_to_string(&path).unwrap();
        let message = read(&text).expect_err(&name(&path));
        assert!(message.contains("rig.toml:") && message.contains("hint: "), "{}: {message}", name(&path));
        insta::assert_snapshot!(name(&path), message);
    }
}

#[test]
fn every_fault_names_an_existing_line() {
    for path in samples("invalid") {
        let text = std::fs::read_to_string(&path).unwrap();
        let errors = scenario::read("rig.toml", &text, Catalogue::embedded()).expect_err("invalid");
        for error in errors.0 {
            assert!((1..=text.lines().count().max(1)).contains(&error.line), "{}: {error}", name(&path));
            assert!(error.span.end <= text.len());
        }
    }
}

#[test]
fn overrides_replace_and_the_rest_stays() {
    let s = valid("everything_overridden");
    let vm = &s.stack.vm;
    let uncached = vm.uncached.iops.unwrap();
    assert_eq!((uncached.rate, uncached.depth), (50_000, 100));
    assert_eq!(uncached.burst.unwrap().credits, 10_000 * 600);
    assert_eq!(vm.uncached.throughput.unwrap().rate, 512_000_000);
    assert_eq!(vm.cached.iops, None);
    assert_eq!(vm.cached.throughput.unwrap().depth, 1 << 20);
    let cache = vm.host_cache.as_ref().unwrap();
    assert_eq!((cache.capacity, cache.ram, cache.block_size), (Bytes::gib(100), Bytes::gib(2), Bytes::kib(128)));
    assert!(cache.miss_penalty.is_none() && !cache.write_allocate);
    let data = &s.stack.volumes[0];
    assert_eq!(data.host_cache, CacheMode::ReadWrite);
    assert_eq!(data.disks.len(), 3);
    assert_eq!(data.disks[0].limits.iops.unwrap().rate, 7_000);
    assert_eq!(data.disks[0].limits.throughput.unwrap().rate, 250_000_000, "of tier P50");
    assert_eq!(s.volumes[0].disks, "2 x P30 at tier P50 + disk of 1 TiB");
    assert_eq!(s.stack.credits, Credits::Empty);
    assert_eq!((s.start, s.stack.seed), (CacheStart::Warm, 7));
    assert_eq!(s.warm, [(0, 1 << 30, 50 << 30)]);
}

#[test]
fn the_defaults_are_a_cold_cache_full_credits_and_64_kib() {
    let s = valid("one_disk");
    assert_eq!((s.start, s.stack.credits, s.stack.seed), (CacheStart::Cold, Credits::Full, 1));
    assert_eq!(s.stack.volumes[0].stripe_unit, Bytes::kib(64));
    assert_eq!(s.stack.volumes[0].host_cache, CacheMode::None);
}

#[test]
fn unequal_disks_are_noted() {
    let s = valid("unequal_disks");
    assert_eq!(s.volumes[0].disks, "2 x P30 + P20");
    assert!(s.notes.iter().any(|n| n.text.contains("unequal") && n.line == 8), "{:?}", s.notes);
}

#[test]
fn the_committed_schema_is_that_of_the_code() {
    let path = format!("{}/../../schemas/scenario.schema.json", env!("CARGO_MANIFEST_DIR"));
    let committed: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(committed == scenario::schema().to_value(), "schemas/scenario.schema.json is stale: run `cargo xtask gen`");
}

#[test]
fn the_schema_takes_what_the_reader_takes() {
    let schema = scenario::schema().to_value();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for path in samples("valid") {
        let file: serde_json::Value = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let faults: Vec<String> = validator.iter_errors(&file).map(|e| e.to_string()).collect();
        assert!(faults.is_empty(), "{}: {faults:?}", name(&path));
    }
    let unknown_key: serde_json::Value = toml::from_str("[vm]\nsise = 'x'").unwrap();
    assert!(!validator.is_valid(&unknown_key));
}

#[test]
fn no_text_makes_the_reader_panic() {
    // Every sample with one stretch cut out, doubled or replaced: thousands of broken files.
    for path in samples("valid").into_iter().chain(samples("invalid")) {
        let text = std::fs::read_to_string(&path).unwrap();
        for cut in (0..text.len()).step_by(7) {
            for len in [1, 9] {
                let end = (cut + len).min(text.len());
                for middle in ["", "[", "\"", "= -1\n", "{}", "9999999999999999999 TiB"] {
                    let broken = format!("{}{middle}{}", &text[..cut], &text[end..]);
                    if let Err(errors) = scenario::read("rig.toml", &broken, Catalogue::embedded()) {
                        assert!(!errors.0.is_empty() && errors.0.iter().all(|e| e.line >= 1), "{broken}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_timeline_comes_in_order_with_everything_it_says() {
    use dw_formats::scenario::timeline::{Action, Fault, Injection, Level, StruckOp, Survivors};
    use dw_units::{Duration, Iops, Throughput};

    let events = valid("a_timeline").timeline;
    let at = |seconds: u64| {
        let found: Vec<_> = events.iter().filter(|e| e.at.ns() == seconds * 1_000_000_000).collect();
        assert_eq!(found.len(), 1, "second {seconds}");
        &found[0].action
    };
    let seconds: Vec<_> = events.iter().map(|e| e.at.ns() / 1_000_000_000).collect();
    assert_eq!(seconds, [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 60, 120]);
    let injection = |export: &str, fault| {
        let export = export.to_string();
        Injection { export, op: StruckOp::Any, range: None, per_million: 1_000_000, seed: 1, fault }
    };
    let latency = Fault::Latency(Duration::from_ms(2), Duration::from_ms(20));
    let slow = Injection {
        op: StruckOp::Read,
        range: Some((1 << 30, 65_536)),
        per_million: 15_000,
        seed: 3,
        ..injection("data.1", latency)
    };
    let full = Injection { op: StruckOp::Write, ..injection("log", Fault::NoSpace) };
    let (p40_iops, p40_throughput) = (Iops::new(7_500), Throughput::mb_per_second(250));
    let expected = [
        (5, Action::Inject(slow)),
        (6, Action::Inject(full)),
        (7, Action::Inject(injection("log", Fault::Stuck))),
        (8, Action::Clear(Some("log".into()))),
        (9, Action::Inject(injection("data", Fault::TornWrite))),
        (10, Action::Tier("data".into(), None, Some(p40_iops), Some(p40_throughput))),
        (11, Action::Tier("data".into(), Some(1), Some(Iops::new(10_000)), Some(Throughput::mb_per_second(300)))),
        (12, Action::Resize("log".into(), None, Bytes::tib(1))),
        (13, Action::Cache("data".into(), CacheMode::None)),
        (14, Action::Detach("log".into())),
        (15, Action::Attach("log".into())),
        (16, Action::ResetCounters),
        (17, Action::Reboot),
        (18, Action::Clear(None)),
        (60, Action::Crash(Level::Host, Survivors::RandomTorn, 7)),
        (120, Action::Shutdown),
    ];
    for (second, action) in expected {
        assert_eq!(*at(second), action, "second {second}");
    }
    assert_eq!(events[0].line, 21, "an entry is known by the line of its header");
}
