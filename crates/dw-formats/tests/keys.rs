//! No key of a scenario file is ignored in silence: in every base document each key of the schema changes what is read, is
//! refused, or is noted as one without effect. The list of keys is the schema's, so that a new one cannot be forgotten: it
//! needs candidates below, or this fails.
//!
//! What is compared is not the scenario as it is read but what a run would see of it: the slow twin [`effective`] takes out
//! what describes parts that nothing uses.

use dw_catalogue::latency::{self, LatencyModel, LatencySetting};
use dw_catalogue::{Attachment, Catalogue, VmLimits};
use dw_formats::scenario::{self, CacheStart, Scenario};
use dw_stack::{CacheMode, Credits, GateId, LimitSpec};
use dw_units::Bytes;
use serde_json::{Map, Value, json};

/// Documents that between them have every table, and combinations in which some keys mean nothing.
const BASES: [(&str, &str); 12] = [
    ("one disk", "[vm]\nsize = 'Standard_DS14'\n[[volume]]\nname = 'data'\ndisks = 'P30'\n"),
    (
        "cached, with a catalogue's burst",
        "[vm]\nsize = 'Standard_D8s_v3'\nuncached = {}\n[[volume]]\nname = 'data'\ndisks = '2 x P20'\nhost_cache = 'ReadOnly'\n\
         [start]\ncache = 'warm'\n",
    ),
    (
        "a VM of one's own",
        "[vm]\nuncached = { iops = 10_000 }\ncached = {}\n[vm.cache]\ncapacity = '100 GiB'\nwrite_back = { destage_depth = 4 }\n\
         [[volume]]\nname = 'data'\nhost_cache = 'ReadWrite'\n\
         disks = [{ size = '1 TiB', iops = 5000, limits = {}, latency = { read = '1 ms', write = { p50 = '1 ms', max = '9 ms' } } }]\n",
    ),
    (
        "bursting",
        "[vm]\nsize = 'Standard_DS14'\nuncached = { iops = 20_000, burst_iops = 30_000, burst_for = '10 min' }\n\
         [[volume]]\nname = 'data'\ndisks = [{ sku = 'P30', count = 2 }, { sku = 'P30', limits = { iops = 7_000 } }]\n",
    ),
    (
        "two paths",
        "[vm]\nsize = 'Standard_E8bds_v5'\nuncached_premium2 = {}\n[[volume]]\nname = 'log'\n\
         disks = [{ sku = 'PremiumV2', size = '100 GiB', iops = 4_000, throughput = '200 MB/s' }]\n",
    ),
    (
        "gates",
        "[vm]\nsize = 'Standard_E8bds_v5'\ngates.uncached-v2 = {}\n[[volume]]\nname = 'log'\n\
         disks = [{ sku = 'PremiumV2', size = '100 GiB', iops = 4_000, throughput = '200 MB/s' }]\n",
    ),
    (
        "gates of local disks",
        "[vm]\nsize = 'Standard_D16ds_v6'\ngates.local-reads = {}\n[[volume]]\nname = 'scratch'\ndisks = 'temp'\n",
    ),
    ("the temp disk", "[vm]\nsize = 'Standard_DS14'\n[[volume]]\nname = 'scratch'\ndisks = 'temp'\n"),
    (
        "an unlimited disk",
        "[vm]\nuncached = { iops = 'unlimited' }\n[[volume]]\nname = 'data'\n\
         disks = [{ size = '1 TiB', iops = 'unlimited', limits = {}, latency = { read = '1 ms', write = '1 ms' } }]\n\
         [start]\nwarm = [{ volume = 'data', offset = '1 GiB' }]\n",
    ),
    (
        "another vendor's machine",
        "[vm]\nsize = 'm8g.xlarge'\noptions = { refill = 'daily' }\n[[volume]]\nname = 'data'\n\
         disks = [{ sku = 'gp2', size = '200 GiB', options = { card = '0' } }]\n[start]\nlevels = { data = '30 %' }\n",
    ),
    (
        "from a snapshot",
        "[vm]\nsize = 'm8g.xlarge'\n[[volume]]\nname = 'data'\ndisks = [{ sku = 'gp3', size = '200 GiB' }]\n\
         from_snapshot = true\ninitialization_rate = '200 MiB/s'\ninitialized = '5 %'\n",
    ),
    (
        "a timeline",
        "[vm]\nsize = 'Standard_DS14'\n[[volume]]\nname = 'data'\ndisks = '2 x P30'\nhost_cache = 'ReadOnly'\n\
         [[timeline]]\nat = '1 s'\ndo = 'crash'\nlevel = 'host'\n\
         [[timeline]]\nat = '2 s'\ndo = 'crash'\nlevel = 'host'\nsurvivors = 'random'\nseed = 7\n\
         [[timeline]]\nat = '3 s'\ndo = 'inject'\nexport = 'data'\nfault = 'latency'\nlatency = '5 ms'\n\
         [[timeline]]\nat = '4 s'\ndo = 'inject'\nexport = 'data'\nfault = 'error'\nshare = '1 %'\n\
         [[timeline]]\nat = '5 s'\ndo = 'inject'\nexport = 'data'\nfault = 'stuck'\n\
         [[timeline]]\nat = '6 s'\ndo = 'tier'\nvolume = 'data'\niops = 1_000\nthroughput = '50 MB/s'\n\
         [[timeline]]\nat = '7 s'\ndo = 'tier'\nvolume = 'data'\ntier = 'P40'\n\
         [[timeline]]\nat = '8 s'\ndo = 'clear'\n\
         [[timeline]]\nat = '9 s'\ndo = 'reboot'\n",
    ),
];

/// Values that a key of a table may have: at least two that differ, so that one of them is not the default.
fn candidates(table: &str, key: &str) -> Vec<Value> {
    match (table, key) {
        ("Scenario", "vendor") => vec![json!("aws"), json!("azure")],
        ("Vm", "options") => vec![json!({ "refill": "daily" }), json!({ "bandwidth": "ebs-1" })],
        ("Disk", "options") => vec![json!({ "card": "0" }), json!({ "card": "1" })],
        ("MachineOptions", "refill") => vec![json!("cautious"), json!("daily")],
        ("MachineOptions", "bandwidth") => vec![json!("vpc-1"), json!("ebs-1")],
        ("DiskOptions", "card") => vec![json!("0"), json!("1")],
        ("Start", "levels") => vec![json!({ "data": "35 %" }), json!({ "log": "40 %" })],
        ("Scenario", "vm") => vec![json!({ "size": "Standard_DS13" }), json!({ "size": "Standard_DS12" })],
        ("Scenario", "volume") => {
            vec![json!([{ "name": "a", "disks": "P10" }]), json!([{ "name": "b", "disks": "P20" }])]
        }
        ("Scenario", "start") => vec![json!({ "cache": "warm" }), json!({ "credits": "empty" })],
        ("Scenario", "timeline") => {
            vec![json!([{ "at": "1 s", "do": "reboot" }]), json!([{ "at": "2 s", "do": "reboot" }])]
        }
        ("Scenario", "latency") => vec![json!("cautious"), json!("optimistic")],
        ("Scenario", "latency_models") => vec![json!(["own.toml"])],
        (_, "seed") => vec![json!(3), json!(4)],
        ("Vm", "throttle_interval") => vec![json!("20 ms"), json!("50 ms")],
        ("Vm", "size") => vec![json!("Standard_DS13"), json!("Standard_DS12")],
        (_, "edition") => vec![json!("2017-03"), json!("2018")],
        ("Vm", "gates") => vec![json!({ "uncached": { "iops": 3_000 } }), json!({ "local": { "iops": 3_000 } })],
        ("Vm", "uncached" | "uncached_premium2" | "cached") | ("Gates", _) | ("Disk", "limits") => {
            vec![json!({ "iops": 3_000 }), json!({ "throughput": "90 MB/s" })]
        }
        ("Vm", "uncached_sharing") => vec![json!("separate"), json!("shared")],
        ("Vm", "cache") => vec![json!({ "capacity": "50 GiB" }), json!({ "capacity": "60 GiB" })],
        ("Limit" | "Disk", "iops") => vec![json!(6_000), json!(5_500)],
        ("Limit" | "Disk", "throughput") => vec![json!("150 MB/s"), json!("160 MB/s")],
        ("Limit", "burst_iops") => vec![json!(900_000), json!(800_000)],
        ("Limit", "burst_throughput") => vec![json!("9 GB/s"), json!("8 GB/s")],
        ("Limit", "burst_for") => vec![json!("5 min"), json!("7 min")],
        ("Limit", "iops_depth") => vec![json!(5), json!(6)],
        ("Limit", "throughput_depth") => vec![json!("1 MiB"), json!("2 MiB")],
        ("HostCache", "capacity") => vec![json!("70 GiB"), json!("80 GiB")],
        ("HostCache", "ram") => vec![json!("2 GiB"), json!("0 B")],
        ("HostCache", "block_size") => vec![json!("32 KiB"), json!("128 KiB")],
        ("HostCache", "fill") => vec![json!("sectors"), json!("block")],
        ("HostCache", "eviction") => vec![json!("lru"), json!("fifo")],
        ("HostCache", "write_allocate" | "miss_penalty") => vec![json!(true), json!(false)],
        ("HostCache", "write_back") => vec![json!({ "destage_depth": 3 }), json!({ "destage_depth": 5 })],
        ("WriteBack", "dirty_max") => vec![json!("1 GiB"), json!("2 GiB")],
        ("WriteBack", "destage_depth") => vec![json!(9), json!(11)],
        ("WriteBack", "destage_after") => vec![json!("700 ms"), json!("900 ms")],
        ("Volume", "name") => vec![json!("x"), json!("y")],
        ("Volume", "mount") => vec![json!("/x"), json!("/y")],
        ("Volume", "device") => vec![json!("/dev/x"), json!("/dev/y")],
        ("Volume", "disks") => vec![json!("3 x P10"), json!("4 x P10")],
        ("Volume", "host_cache") => vec![json!("None"), json!("ReadOnly")],
        ("Volume", "from_snapshot") => vec![json!(true), json!(false)],
        ("Volume", "initialization_rate") => vec![json!("100 MiB/s"), json!("300 MiB/s")],
        ("Volume", "initialized") => vec![json!("10 %"), json!("20 %")],
        ("Volume", "stripe_unit") => vec![json!("128 KiB"), json!("256 KiB")],
        ("Disk", "sku") => vec![json!("P10"), json!("P20")],
        ("Disk", "count") => vec![json!(3), json!(4)],
        ("Disk" | "TimelineEntry", "tier") => vec![json!("P50"), json!("P60")],
        ("Disk", "on_demand_bursting" | "performance_plus") => vec![json!(true), json!(false)],
        ("Disk", "size") => vec![json!("2 TiB"), json!("3 TiB")],
        ("Disk", "io_unit") => vec![json!("128 KiB"), json!("none")],
        ("Disk", "latency") => {
            vec![json!({ "read": "3 ms", "write": "3 ms" }), json!({ "read": "4 ms", "write": "3 ms" })]
        }
        ("Latency", "read" | "write") => vec![json!("2 ms"), json!({ "p50": "1 ms", "max": "7 ms" })],
        ("Latency", "bandwidth") => vec![json!("500 MB/s"), json!("600 MB/s")],
        ("Start", "cache") => vec![json!("cold"), json!("warm")],
        ("Start", "credits") => vec![json!("full"), json!("empty")],
        ("Start", "warm") => {
            vec![json!([{ "volume": "data", "len": "1 GiB" }]), json!([{ "volume": "data", "len": "2 GiB" }])]
        }
        ("Warm", "volume") => vec![json!("data"), json!("log")],
        ("Warm" | "TimelineEntry", "offset") => vec![json!("3 GiB"), json!("4 GiB")],
        ("Warm" | "TimelineEntry", "len") => vec![json!("3 GiB"), json!("4 GiB")],
        ("TimelineEntry", "at") => vec![json!("10 s"), json!("11 s")],
        ("TimelineEntry", "do") => vec![json!("reboot"), json!("shutdown")],
        ("TimelineEntry", "volume") => vec![json!("data"), json!("log")],
        ("TimelineEntry", "disk") => vec![json!(0), json!(1)],
        ("TimelineEntry", "mode") => vec![json!("None"), json!("ReadOnly")],
        ("TimelineEntry", "size") => vec![json!("2 TiB"), json!("3 TiB")],
        ("TimelineEntry", "iops") => vec![json!(2_000), json!(3_000)],
        ("TimelineEntry", "throughput") => vec![json!("60 MB/s"), json!("70 MB/s")],
        ("TimelineEntry", "level") => vec![json!("guest"), json!("deallocate")],
        ("TimelineEntry", "survivors") => vec![json!("none"), json!("all")],
        ("TimelineEntry", "export") => vec![json!("data"), json!("data.0")],
        ("TimelineEntry", "fault") => vec![json!("stuck"), json!("torn-write")],
        ("TimelineEntry", "op") => vec![json!("read"), json!("write")],
        ("TimelineEntry", "latency") => vec![json!("6 ms"), json!("1 ms..7 ms")],
        ("TimelineEntry", "errno") => vec![json!("ENOSPC"), json!("EIO")],
        ("TimelineEntry", "share") => vec![json!("2 %"), json!("3 %")],
        _ => panic!("`{key}` of {table} is new: give it two values here that differ"),
    }
}

/// A model of one's own, for `latency_models`.
fn models() -> Vec<LatencyModel> {
    let text = "quantiles = [500000, 1000000]\n[[model]]\nname = 'mine'\nread_us = [900, 4000]\ngrade = 'A'\nreason = 'fitted'\nsource = 'here'\n";
    latency::read(text).unwrap()
}

fn read(document: &Value) -> Result<Scenario, String> {
    let text = toml::to_string(document).map_err(|e| e.to_string())?;
    let models = if document.get("latency_models").is_some() { models() } else { Vec::new() };
    let with = scenario::With { models: &models, latency: None };
    scenario::read_with("rig.toml", &text, Catalogue::embedded(), &with).map_err(|e| e.to_string())
}

/// What a run sees: the slow twin of what the reader notes.
fn effective(mut scenario: Scenario) -> String {
    let stack = &mut scenario.stack;
    let on = |kind: Attachment| scenario.attachments.contains(&kind);
    let has = |mode: CacheMode| stack.volumes.iter().any(|volume| volume.host_cache == mode);
    let (read_only, read_write) = (has(CacheMode::ReadOnly), has(CacheMode::ReadWrite));
    let cached = read_only || read_write;
    // What is written of a gate that nothing passes is not seen.
    let in_front = cached || on(Attachment::Temp);
    let volumes = &stack.volumes;
    let passed = |gate: GateId| {
        volumes.iter().any(|volume| volume.path.remote.contains(&gate) || in_front && volume.path.front == Some(gate))
    };
    for (number, gate) in stack.vm.gates.iter_mut().enumerate() {
        if !passed(GateId(number as u8)) {
            gate.limits = LimitSpec::default();
        }
    }
    scenario.limits = VmLimits::default();
    if !cached {
        (stack.vm.host_cache, scenario.start) = (None, CacheStart::Cold);
    }
    if let Some(cache) = &mut stack.vm.host_cache {
        let usual = dw_catalogue::default_host_cache(Bytes::gib(100), LatencySetting::default());
        if !read_write {
            cache.write_back = usual.write_back;
        }
        cache.write_allocate |= !read_only;
    }
    for volume in stack.volumes.iter_mut().filter(|volume| volume.disks.len() == 1) {
        volume.stripe_unit = Bytes::kib(64);
    }
    let uncached: Vec<bool> = stack.volumes.iter().map(|volume| volume.host_cache == CacheMode::None).collect();
    scenario.warm.retain(|(volume, ..)| !uncached[usize::from(*volume)]);
    if scenario.warm.is_empty() && !cached {
        scenario.start = CacheStart::Cold;
    }
    let limits = stack.vm.gates.iter().map(|gate| gate.limits);
    let disks = stack.volumes.iter().flat_map(|volume| &volume.disks).map(|disk| disk.limits);
    let rates = limits.chain(disks).flat_map(|limit| [limit.iops, limit.throughput]);
    if !rates.flatten().any(|rate| rate.burst.is_some()) {
        stack.credits = Credits::Full;
    }
    // What a setting changed stands in the times themselves.
    (scenario.latency_setting, scenario.latency) = (LatencySetting::default(), Vec::new());
    scenario.notes.clear();
    for event in &mut scenario.timeline {
        event.line = 0;
    }
    format!("{scenario:?}")
}

/// Keys of few words, of which one is the usual one: to take that and refuse the others is no silence.
const WORDS: [&str; 7] =
    ["host_cache", "on_demand_bursting", "performance_plus", "vendor", "options", "card", "from_snapshot"];

/// What comes of a document: refused, or what a run sees of it and how many notes name one of the keys.
fn outcome(document: &Value, keys: &[&str]) -> Result<(String, usize), String> {
    let scenario = read(document)?;
    let names = |text: &str| {
        let named = |key: &&str| ["", "gates."].iter().any(|of| text.contains(&format!("`{of}{key}` has no effect")));
        keys.iter().any(named)
    };
    let notes = scenario.notes.iter().filter(|note| names(&note.text.text)).count();
    Ok((effective(scenario), notes))
}

/// Every table of a document with its name in the schema, by its path.
fn tables(schema: &Value, node: &Value, value: &Value, path: &str, out: &mut Vec<(String, String)>) {
    let node = resolved(schema, node);
    for form in node["anyOf"].as_array().into_iter().flatten() {
        tables(schema, form, value, path, out);
    }
    match value {
        Value::Object(map) if node["properties"].is_object() => {
            out.push((path.to_string(), node["title_of"].as_str().unwrap_or("Scenario").to_string()));
            for (key, value) in map {
                let path = format!("{path}/{key}");
                tables(schema, &named(schema, &node["properties"][key]), value, &path, out);
            }
        }
        Value::Array(items) if node["items"].is_object() => {
            for (at, item) in items.iter().enumerate() {
                tables(schema, &named(schema, &node["items"]), item, &format!("{path}/{at}"), out);
            }
        }
        _ => {}
    }
}

/// The node that a reference names, with its name.
fn resolved(schema: &Value, node: &Value) -> Value {
    named(schema, node)
}

fn named(schema: &Value, node: &Value) -> Value {
    match node["$ref"].as_str() {
        Some(reference) => {
            let name = reference.rsplit('/').next().unwrap_or_default();
            let mut found = schema["$defs"][name].clone();
            found["title_of"] = json!(name);
            found
        }
        None => node.clone(),
    }
}

fn keys(schema: &Value, table: &str) -> Vec<String> {
    let node = if table == "Scenario" { schema } else { &schema["$defs"][table] };
    node["properties"].as_object().unwrap().keys().cloned().collect()
}

#[test]
fn every_key_changes_what_a_run_sees_or_is_refused_or_noted() {
    let schema = scenario::schema().to_value();
    let mut failures = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for (name, base) in BASES {
        let base: Value = toml::from_str(base).unwrap();
        if let Err(e) = read(&base) {
            panic!("{name}: {e}");
        }
        let mut found = Vec::new();
        tables(&schema, &schema, &base, "", &mut found);
        for (path, table) in found {
            seen.insert(table.clone());
            for key in keys(&schema, &table) {
                let with = |value: Option<Value>| {
                    let mut document = base.clone();
                    let table: &mut Map<String, Value> = document.pointer_mut(&path).unwrap().as_object_mut().unwrap();
                    match value {
                        Some(value) => table.insert(key.clone(), value),
                        None => table.remove(&key),
                    };
                    document
                };
                let without = outcome(&with(None), &[]);
                let here = base.pointer(&path).and_then(|table| table.get(&key)).cloned();
                let values: Vec<Value> = here.into_iter().chain(candidates(&table, &key)).collect();
                let mut accepted = 0;
                let mut works = false;
                for value in &values {
                    // The key, one within it, or the table it is in.
                    let within = value.as_object().into_iter().flatten().map(|(key, _)| key.as_str());
                    let named: Vec<&str> = path.split('/').chain([key.as_str()]).chain(within).collect();
                    match (outcome(&with(Some(value.clone())), &named), &without) {
                        (Err(_), _) => works |= WORDS.contains(&key.as_str()),
                        // Without it nothing is read at all: the key is needed.
                        (Ok(_), Err(_)) => works = true,
                        (Ok((seen, notes)), Ok((before, _))) => {
                            accepted += 1;
                            works |= seen != *before || notes > 0;
                        }
                    }
                }
                if accepted > 0 && !works {
                    failures.push(format!(
                        "{name}: `{key}` at `{path}` ({table}) is taken and changes nothing: {values:?}"
                    ));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    // The documents have every table of the schema, or their keys would not be tried.
    let all: Vec<&String> = schema["$defs"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, node)| node["properties"].is_object())
        .map(|(name, _)| name)
        .collect();
    for table in all {
        assert!(seen.contains(table), "no base document has a table {table}: {seen:?}");
    }
}
