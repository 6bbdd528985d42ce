//! Scenario files: everything under `samples/valid` is read, everything under `samples/invalid` is refused with exactly
//! the message of its snapshot. The fault is the file's name.

use std::path::{Path, PathBuf};

use dw_catalogue::{Attachment, Catalogue, VmSize};
use dw_formats::scenario::{self, CacheStart, Scenario};
use dw_stack::sharing::Sharing;
use dw_stack::{CacheMode, Credits, LimitSpec};
use dw_units::{Bytes, Duration};

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
fn the_latency_setting_moves_defaults_and_leaves_what_is_written() {
    use dw_catalogue::LatencySetting::{self, Cautious, Optimistic, Typical};
    let text =
        std::fs::read_to_string(format!("{}/tests/samples/valid/cautious_and_coarse.toml", env!("CARGO_MANIFEST_DIR")))
            .unwrap();
    let means = |latency: Option<LatencySetting>, text: &str| {
        let with = scenario::With { latency, ..scenario::With::default() };
        let s = scenario::read_with("rig.toml", text, Catalogue::embedded(), &with).expect("valid");
        let [data, measured] = [0, 1].map(|v| &s.stack.volumes[v].disks[0]);
        let hit = s.stack.vm.host_cache.as_ref().unwrap().ssd_read.table.mean();
        let means = [&data.read, &data.write, &measured.write].map(|time| time.table.mean());
        assert_eq!(measured.read.table.mean(), 1_000_000, "what is written stays");
        assert_eq!(s.stack.vm.throttle_interval, Duration::from_ms(50));
        assert_eq!(s.latency_setting, latency.unwrap_or(if text.contains("cautious") { Cautious } else { Typical }));
        [means[0], means[1], means[2], hit]
    };
    let [fast, middle, slow] = [Optimistic, Typical, Cautious].map(|setting| means(Some(setting), &text));
    assert_eq!(means(None, &text), slow, "the file says cautious");
    assert_eq!(means(None, &text.replace("latency = \"cautious\"\n", "")), middle);
    for ((fast, middle), slow) in fast.into_iter().zip(middle).zip(slow) {
        assert!(fast < middle && middle < slow, "{fast} {middle} {slow}");
    }
}

#[test]
fn overrides_replace_and_the_rest_stays() {
    let s = valid("everything_overridden");
    let vm = &s.limits;
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
    assert!(s.notes.iter().any(|n| n.text.text.contains("unequal") && n.line == 8), "{:?}", s.notes);
}

#[test]
fn keys_that_describe_what_nothing_uses_are_noted_with_the_reason() {
    let notes = |name: &str| -> Vec<String> {
        let notes = valid(name).notes.into_iter().map(|note| format!("{}: {}", note.line, note.text));
        notes.filter(|note| note.contains("has no effect")).collect()
    };
    assert_eq!(
        notes("keys_without_effect"),
        [
            "13: `stripe_unit` has no effect: data has one disk",
            "4: `cached` has no effect: no volume is cached or on the temp disk",
            "5: `uncached_premium2` has no effect: no volume is on premium SSD v2 or ultra disks",
            "7: `cache` has no effect: no volume has a `host_cache`",
            "17: `warm` has no effect: data has no `host_cache`",
            "16: `credits` has no effect: no limit bursts on credits",
        ]
    );
    assert_eq!(
        notes("keys_of_another_cache_mode"),
        ["5: `write_back` has no effect: no volume has `host_cache = \"ReadWrite\"`"]
    );
    assert_eq!(
        notes("everything_overridden").len(),
        1,
        "ReadOnly alone is asked for writes: {:?}",
        notes("everything_overridden")
    );
}

/// What a short key says is what its gate says, in the model and in the reasons why it has no effect.
#[test]
fn the_short_keys_of_limits_mean_their_gates() {
    let limit = "{ iops = 3000, throughput = '90 MB/s', burst_iops = 4000, burst_for = '10 min', iops_depth = 2 }";
    let disks = ["'P30'", "'temp'", "[{ sku = 'PremiumV2', size = '64 GiB', iops = 3000, throughput = '125 MB/s' }]"];
    let keys = [("uncached", "uncached"), ("uncached_premium2", "uncached-v2"), ("cached", "cached")];
    for ((short, gate), disks) in keys.iter().flat_map(|keys| disks.map(|disks| (keys, disks))) {
        let rig = |key: &str| {
            let rig = format!(
                "[vm]\nsize = 'Standard_E8bds_v5'\n{key} = {limit}\n[[volume]]\nname = 'data'\ndisks = {disks}\n"
            );
            read(&rig).unwrap_or_else(|e| panic!("{rig}\n{e}"))
        };
        let (old, new) = (rig(short), rig(&format!("gates.{gate}")));
        assert_eq!(format!("{:?} {:?}", old.stack, old.limits), format!("{:?} {:?}", new.stack, new.limits), "{short}");
        let notes = |scenario: Scenario| scenario.notes.into_iter().map(|note| note.text.text).collect::<Vec<_>>();
        let renamed = |note: String| note.replace(&format!("`{short}` has"), &format!("`gates.{gate}` has"));
        assert_eq!(notes(old).into_iter().map(renamed).collect::<Vec<_>>(), notes(new), "{short} on {disks}");
    }
}

#[test]
fn every_gate_takes_limits_by_its_name() {
    let s = valid("gates_by_name");
    let iops = |limit: LimitSpec| limit.iops.map(|rate| rate.rate);
    let gates: Vec<_> = s.stack.vm.gates.iter().map(|gate| (gate.name.as_str(), iops(gate.limits))).collect();
    assert_eq!(gates, [("cached", Some(20_000)), ("uncached", Some(9_000)), ("uncached-v2", Some(12_000))]);
    let disks: Vec<_> = s.stack.volumes[2].disks.iter().collect();
    let rates = disks.iter().map(|disk| {
        (iops(disk.limits), disk.by_direction.reads.and_then(iops), disk.by_direction.writes.and_then(iops))
    });
    assert!(
        rates.clone().all(|rates| rates == (Some(100_000), Some(70_000), Some(45_000))),
        "{:?}",
        rates.collect::<Vec<_>>()
    );
    let burst = disks[0].limits.iops.and_then(|rate| rate.burst).map(|burst| burst.rate);
    assert_eq!(burst, Some(150_000), "a burst of all disks is one of each in equal parts");
    let notes: Vec<_> = s.notes.iter().map(|note| note.text.text.as_str()).collect();
    assert!(!notes.iter().any(|note| note.contains("has no effect") || note.contains("a mix is assumed")), "{notes:?}");
}

#[test]
fn limits_of_local_disks_that_no_source_gives_can_be_written() {
    let unknown = |row: &&VmSize| row.temp.is_some() && row.local_limits().is_none();
    let unknown = Catalogue::embedded().vm_sizes().find(unknown).expect("a size without them");
    let rig = |size: &str, edition: &str, gate: &str| {
        read(&format!(
            "[vm]\nsize = '{size}'\nedition = '{edition}'\n{gate}\n[[volume]]\nname = 'scratch'\ndisks = 'temp'\n"
        ))
    };
    let gate = "gates.local = { iops = 1000 }";
    let refused = rig(&unknown.name, &unknown.edition, "").unwrap_err();
    assert!(refused.contains("the limits of the local disks of") && refused.contains("`gates.local = {"), "{refused}");
    let given = rig(&unknown.name, &unknown.edition, gate).unwrap();
    let disks = &given.stack.volumes[0].disks;
    assert_eq!(disks.iter().filter_map(|disk| disk.limits.iops).map(|rate| rate.rate).sum::<u64>(), 1_000);
    let without = Catalogue::embedded().vm("Standard_D8s_v6", None).unwrap();
    assert!(rig(&without.name, &without.edition, gate).is_err(), "it has no local disks");
}

#[test]
fn a_burst_of_the_catalogue_lasts_as_long_as_is_written() {
    let rig = |more: &str| {
        let text = format!(
            "[vm]\nsize = 'Standard_D8s_v5'\nuncached = {{ {more} }}\n[[volume]]\nname = 'data'\ndisks = 'P30'\n"
        );
        read(&text).unwrap().limits.uncached.iops.unwrap()
    };
    let usual = rig("");
    let burst = usual.burst.expect("the size bursts");
    let short = rig("burst_for = '10 min'").burst.unwrap();
    assert_eq!((short.rate, short.credits), (burst.rate, (burst.rate - usual.rate) * 600));
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
    use dw_documents::incident::{ByteRange, CrashLevel, Effect, Fault, FaultErrno, FaultOp, Survivors};
    use dw_formats::scenario::timeline::Action;
    use dw_units::{Iops, Throughput};

    let events = valid("a_timeline").timeline;
    let at = |seconds: u64| {
        let found: Vec<_> = events.iter().filter(|e| e.at.ns() == seconds * 1_000_000_000).collect();
        assert_eq!(found.len(), 1, "second {seconds}");
        &found[0].action
    };
    let seconds: Vec<_> = events.iter().map(|e| e.at.ns() / 1_000_000_000).collect();
    assert_eq!(seconds, [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 60, 120]);
    let fault = |export: &str, effect| {
        let export = export.to_string();
        Fault { export, op: FaultOp::Any, range: None, per_million: 1_000_000, seed: 1, effect }
    };
    let latency = Effect::Latency { min_ns: 2_000_000, max_ns: 20_000_000 };
    let slow = Fault {
        op: FaultOp::Read,
        range: Some(ByteRange { offset: 1 << 30, len: 65_536 }),
        per_million: 15_000,
        seed: 3,
        ..fault("data.1", latency)
    };
    let full = Fault { op: FaultOp::Write, ..fault("log", Effect::Error { errno: FaultErrno::NoSpace }) };
    let (p40_iops, p40_throughput) = (Iops::new(7_500), Throughput::mb_per_second(250));
    let expected = [
        (5, Action::Inject(slow)),
        (6, Action::Inject(full)),
        (7, Action::Inject(fault("log", Effect::Stuck))),
        (8, Action::Clear(Some("log".into()))),
        (9, Action::Inject(fault("data", Effect::TornWrite))),
        (10, Action::Tier("data".into(), None, Some(p40_iops), Some(p40_throughput))),
        (11, Action::Tier("data".into(), Some(1), Some(Iops::new(10_000)), Some(Throughput::mb_per_second(300)))),
        (12, Action::Resize("log".into(), None, Bytes::tib(1))),
        (13, Action::Cache("data".into(), CacheMode::None)),
        (14, Action::Detach("log".into())),
        (15, Action::Attach("log".into())),
        (16, Action::ResetCounters),
        (17, Action::Reboot),
        (18, Action::Clear(None)),
        (60, Action::Crash(CrashLevel::Host, Survivors::RandomTorn, 7)),
        (120, Action::Shutdown),
    ];
    for (second, action) in expected {
        assert_eq!(*at(second), action, "second {second}");
    }
    assert_eq!(events[0].line, 21, "an entry is known by the line of its header");
}

#[test]
fn local_disks_share_the_limits_that_are_printed_of_all_together() {
    // A D16ds_v6: two disks of 440 GiB, together 300,000 reads and 120,000 writes, 1,440 and 720 MB/s.
    let scenario = valid("local_nvme");
    let volume = &scenario.stack.volumes[0];
    assert_eq!((scenario.attachments[0], volume.disks.len()), (Attachment::Local, 2));
    let rates = |limit: LimitSpec| (limit.iops.map(|rate| rate.rate), limit.throughput.map(|rate| rate.rate));
    for disk in &volume.disks {
        assert_eq!(disk.size, Bytes::gib(440));
        assert_eq!(rates(disk.limits), (Some(150_000), Some(720_000_000)));
        assert_eq!(disk.by_direction.reads, None);
        assert_eq!(disk.by_direction.writes.map(rates), Some((Some(60_000), Some(360_000_000))));
    }
    let notes: Vec<&str> = scenario.notes.iter().map(|note| note.text.text.as_str()).collect();
    assert!(notes.iter().any(|note| note.contains("stripes 2 local disks of 440 GiB")), "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("a mix is assumed to get at most the higher one")), "{notes:?}");
}

#[test]
fn how_two_uncached_limits_share_is_said_where_both_are_used() {
    let both = std::fs::read_to_string(format!(
        "{}/tests/samples/valid/two_uncached_limits_that_add_up.toml",
        env!("CARGO_MANIFEST_DIR")
    ))
    .unwrap();
    let shared = both.replace("uncached_sharing = \"separate\"\n", "");
    let (alone, _) = shared.split_once("[[volume]]\nname = \"log\"").unwrap();
    let cases = [
        (both.as_str(), Sharing::Separate, Some("is assumed to add to that of the other disks")),
        (&shared, Sharing::Shared, Some("are assumed to share one uncached limit with the other disks")),
        (alone, Sharing::Shared, None),
    ];
    for (text, sharing, note) in cases {
        let scenario = read(text).unwrap();
        assert_eq!(scenario.limits.uncached_sharing, sharing);
        let found = scenario.notes.iter().find(|note| note.text.text.contains("how they share is not published"));
        assert_eq!(found.is_some(), note.is_some(), "{text}");
        assert!(note.is_none_or(|note| found.unwrap().text.text.contains(note)), "{found:?}");
    }
}
