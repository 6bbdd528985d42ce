//! The estimate of a drag against the run that follows it, over random rigs and recordings, both asked for as the page does.
//!
//! `DW_STUDIO=200 cargo test -p dw-studio --test studio estimates -- --nocapture` tries so many, `DW_STUDIO_FROM=N` begins with number N;
//! every one that is off is printed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use dw_studio::Limits;
use serde_json::{Value, json};

use crate::raw::{Visitor, coded, last_part};
use crate::support::start;

/// Numbers from a seed.
struct Draws(u64);

impl Draws {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
    /// Evenly by its logarithm.
    fn spread(&mut self, least: f64, most: f64) -> f64 {
        least * (most / least).powf(self.below(10_001) as f64 / 1e4)
    }
}

/// Sizes with a host cache of these GiB.
const VMS: [(&str, u64); 8] = [
    ("Standard_D4ds_v4", 100),
    ("Standard_D8ds_v4", 200),
    ("Standard_E8ds_v5", 200),
    ("Standard_E16ds_v5", 400),
    ("Standard_D16s_v3", 400),
    ("Standard_DS4_v2", 172),
    ("Standard_DS14_v2", 576),
    ("Standard_E32ds_v5", 800),
];
/// Disks, their GiB, what one gives.
const DISKS: [(&str, u64, f64); 6] = [
    ("P10", 128, 500.0),
    ("P15", 256, 1_100.0),
    ("P20", 512, 2_300.0),
    ("P30", 1_024, 5_000.0),
    ("P40", 2_048, 7_500.0),
    ("E30", 1_024, 500.0),
];

/// A rig with a recording of it.
struct Case {
    rig: String,
    recording: String,
    volumes: Value,
    wishes: Value,
    load: f64,
    kinds: Vec<&'static str>,
}

fn case(seed: u64) -> Case {
    let d = &mut Draws(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let (vm, cache) = d.of(&VMS);
    let count = d.of(&[1, 1, 2, 2, 3]);
    let mut rig = format!("[vm]\nsize = \"{vm}\"\n");
    let (mut volumes, mut wishes, mut kinds) = (Vec::new(), serde_json::Map::new(), Vec::new());
    let mut peaks = Vec::new();
    // As many as the smallest of these sizes takes.
    let mut free = 8;
    for n in 0..count {
        let (disk, gib, gives) = d.of(&DISKS);
        let disks = d.of(&[1u64, 1, 2, 3, 4, 8]).min(free - (count - 1 - n));
        free -= disks;
        let mode = d.of(&["None", "None", "None", "ReadOnly", "ReadOnly", "ReadWrite"]);
        let _ = write!(rig, "[[volume]]\nname = \"v{n}\"\ndisks = \"{disks} x {disk}\"\nhost_cache = \"{mode}\"\n");
        if disks > 1 {
            let _ = writeln!(rig, "stripe_unit = \"{}\"", d.of(&["64 KiB", "256 KiB"]));
            kinds.push("striped");
        }
        let mut wish = json!({ "capacity": format!("{} GiB", gib * disks) });
        if mode != "None" {
            kinds.push(if mode == "ReadOnly" { "cached" } else { "written back" });
            if d.chance(70) {
                let set = (cache as f64 * d.spread(0.1, 2.0)).clamp(1.0, (gib * disks) as f64) as u64;
                wish["working_set"] = json!(format!("{set} GiB"));
            }
        }
        wishes.insert(format!("v{n}"), wish);
        volumes.push(json!([format!("v{n}"), [format!("sd{}", (b'c' + n as u8) as char)]]));
        let rate = gives * disks as f64 * d.spread(0.1, 1.6);
        let reads = d.of(&[0.0, 0.3, 0.7, 0.85, 1.0]);
        let size = |d: &mut Draws| d.of(&[4.0, 8.0, 8.0, 8.0, 8.6, 16.0, 32.0, 64.0, 128.0]);
        peaks.push((rate * reads, size(d), rate * (1.0 - reads), size(d)));
    }
    rig += "[start]\ncache = \"warm\"\n";
    if count > 1 {
        kinds.push("several volumes");
    }
    let mut recording = String::from("Linux 6.1.0-28-amd64 (orders-db) \t03/03/26 \t_x86_64_\t(8 CPU)\n");
    for at in 0..20u64 {
        let (minute, second) = (at / 2, at % 2 * 30);
        let _ = write!(
            recording,
            "\n2026-03-03T09:{minute:02}:{second:02}+0000\navg-cpu:  %user   %nice %system %iowait  %steal   %idle\n           27.75    0.00    5.67    5.09    0.00   61.50\n\nDevice          r/s      w/s       rkB/s      wkB/s  rrqm/s  wrqm/s  %rrqm  %wrqm  r_await w_await  aqu-sz rareq-sz wareq-sz   %util\n"
        );
        for (n, (reads, read_kib, writes, write_kib)) in peaks.iter().enumerate() {
            let (reads, writes) = (reads * d.spread(0.15, 1.0), writes * d.spread(0.15, 1.0));
            let _ = writeln!(
                recording,
                "sd{} {reads:.2} {writes:.2} {:.2} {:.2} 0.00 0.00 0.00 0.00 1.00 1.00 1.00 {read_kib:.2} {write_kib:.2} 50.00",
                (b'c' + n as u8) as char,
                reads * read_kib,
                writes * write_kib,
            );
        }
    }
    let load = d.of(&[0.5, 1.0, 1.0, 2.0, 4.0]);
    kinds.sort_unstable();
    kinds.dedup();
    Case { rig, recording, volumes: Value::from(volumes), wishes: json!({ "volumes": wishes }), load, kinds }
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|v| v.as_f64().unwrap_or(0.0)).collect()
}

/// A limit counts as the page has it: requests wait there so much of their time, and so much of it is used.
const WAITS: f64 = 5.0;
const FULL: f64 = 0.9;

/// Where the requests of a volume are throttled most, by their number.
fn most(by: BTreeMap<String, f64>) -> String {
    by.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map_or("none".into(), |(name, _)| name)
}

fn estimated_bottleneck(estimate: &Value, volume: &str) -> String {
    let (from, span) = (numbers(&estimate["from_s"]), estimate["span_s"].as_f64().unwrap());
    let mut by = BTreeMap::new();
    for load in estimate["loads"].as_array().unwrap().iter().filter(|load| load["volume"] == volume) {
        let (at, waits, iops) = (numbers(&load["waits_at"]), numbers(&load["waits"]), numbers(&load["iops"]));
        for k in (0..at.len()).filter(|k| at[*k] >= 0.0) {
            let lasts = from.get(k + 1).unwrap_or(&span) - from[k];
            let name = estimate["limits"][at[k] as usize]["short"].as_str().unwrap();
            *by.entry(name.to_string()).or_default() += lasts * iops[k] * waits[k];
        }
    }
    most(by)
}

fn exact_bottleneck(run: &Value, estimate: &Value, volume: &str) -> String {
    let from = numbers(&estimate["from_s"]);
    let share = |name: &str, at: f64| {
        let place = from.iter().rposition(|from| *from <= at).unwrap_or(0);
        let limits = estimate["limits"].as_array().unwrap().iter();
        let own = |limit: &&Value| {
            limit["short"] == name && (limit["id"]["volume"].is_null() || limit["id"]["volume"] == volume)
        };
        limits.filter(own).map(|limit| limit["share"][place].as_f64().unwrap()).fold(0.0, f64::max)
    };
    let mut by = BTreeMap::new();
    for track in run["series"].as_array().unwrap().iter().filter(|track| track["volume"] == volume) {
        let (end, iops, waited) =
            (numbers(&track["end_s"]), numbers(&track["iops"]), numbers(&track["waited_percent"]));
        for k in (0..end.len()).filter(|k| waited[*k] >= WAITS) {
            let Some(name) = track["waits_at"][k].as_str() else { continue };
            if share(name, end[k] - 0.5) >= FULL {
                *by.entry(name.to_string()).or_default() += iops[k] * waited[k];
            }
        }
    }
    most(by)
}

/// Requests a second of a volume and direction over the recorded time.
fn exact_rate(run: &Value, span: f64, volume: &str, direction: &str) -> f64 {
    let tracks = run["series"].as_array().unwrap().iter();
    let track = tracks.filter(|track| track["volume"] == volume && track["direction"] == direction);
    let of = |track: &Value| {
        let (end, iops) = (numbers(&track["end_s"]), numbers(&track["iops"]));
        let interval = (span / 240.0).max(1.0);
        let lasts = |end: f64| end - ((end - 1e-9) / interval).floor() * interval;
        end.iter().zip(iops).map(|(end, iops)| iops * lasts(*end)).sum::<f64>()
    };
    track.map(of).sum::<f64>() / span
}

#[derive(Default)]
struct Tally {
    rates: (u32, u32),
    bottlenecks: (u32, u32),
    by_kind: BTreeMap<String, [u32; 4]>,
}

#[test]
fn the_estimate_of_a_drag_is_that_of_the_run_that_follows() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let from = number("DW_STUDIO_FROM").unwrap_or(0);
    let studio = start(Limits::default(), &[]);
    let visitor = Visitor::enter(&studio);
    let mut tally = Tally::default();
    for seed in from..from + number("DW_STUDIO").unwrap_or(6) {
        let case = case(seed);
        let asked = json!({ "files": [["iostat.txt", 0]], "volumes": case.volumes });
        let observed = visitor.call(&format!("observe?q={}", coded(&asked)), case.recording.as_bytes());
        assert_eq!(observed.status, 200, "{seed}: {}", observed.text());
        let question = json!({ "recording": observed.json()["recording"], "wishes": case.wishes, "rig": case.rig,
            "changes": {}, "load": case.load, "region": "eastus" });
        let estimate = visitor.ask("estimate", &question);
        let streamed = visitor.call("simulate", question.to_string().as_bytes()).body;
        let (kind, document) = last_part(&streamed);
        assert_eq!(kind, 4, "{seed}: {}\n{}", String::from_utf8_lossy(document), case.rig);
        let document: Value = serde_json::from_slice(document).unwrap();
        let run = &document["diskwright"];
        let span = estimate["span_s"].as_f64().unwrap();
        let steps = numbers(&estimate["from_s"]);
        let mut names: Vec<&str> = Vec::new();
        for load in estimate["loads"].as_array().unwrap() {
            let (volume, direction) = (load["volume"].as_str().unwrap(), load["direction"].as_str().unwrap());
            if !names.contains(&volume) {
                names.push(volume);
            }
            let iops = numbers(&load["iops"]);
            let lasts = |k: usize| steps.get(k + 1).unwrap_or(&span) - steps[k];
            let found = (0..steps.len()).map(|k| iops[k] * lasts(k)).sum::<f64>() / span;
            let exact = exact_rate(run, span, volume, direction);
            let is_near = (found / exact - 1.0).abs() <= 0.03;
            tally.rates.0 += u32::from(is_near);
            tally.rates.1 += 1;
            let bottleneck = estimated_bottleneck(&estimate, volume);
            for kind in case.kinds.iter().copied().chain([bottleneck.as_str()]) {
                let row = tally.by_kind.entry(kind.into()).or_default();
                row[0] += u32::from(is_near);
                row[1] += 1;
            }
            if !is_near {
                if number("DW_STUDIO") == Some(1) {
                    println!("{}\n{}\n{load}\n{}", case.rig, case.wishes, estimate["limits"]);
                }
                println!("{seed}: {volume} {direction}: {found:.0} for {exact:.0}, {bottleneck}; {:?}", case.kinds);
            }
        }
        for volume in names {
            let (found, exact) = (estimated_bottleneck(&estimate, volume), exact_bottleneck(run, &estimate, volume));
            tally.bottlenecks.0 += u32::from(found == exact);
            tally.bottlenecks.1 += 1;
            for kind in case.kinds.iter().copied().chain([exact.as_str()]) {
                let row = tally.by_kind.entry(kind.into()).or_default();
                row[2] += u32::from(found == exact);
                row[3] += 1;
            }
            if found != exact {
                println!("{seed}: {volume}: throttled by {found} for {exact}; {:?}", case.kinds);
            }
        }
    }
    let Tally { rates, bottlenecks, by_kind } = tally;
    println!("rates {rates:?}, bottlenecks {bottlenecks:?}");
    for (kind, [near, loads, same, volumes]) in by_kind {
        println!("{kind}: rates {near} of {loads}, bottlenecks {same} of {volumes}");
    }
    // Of rigs 0 to 199 rates of 537 of 570 loads, 441 of 449 where nothing throttles; bottlenecks of 340 of 353 volumes. What is off is
    // how reads and writes of a throttled volume share it, and write-back, for whose dirty data the estimate has no room.
    assert!(rates.0 * 100 >= rates.1 * 93, "{rates:?}");
    assert!(bottlenecks.0 * 100 >= bottlenecks.1 * 95, "{bottlenecks:?}");
}
