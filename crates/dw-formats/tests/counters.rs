//! Recordings of every format: what is read of each, and what is said of damaged ones.

use std::fs;
use std::path::{Path, PathBuf};

use dw_formats::counters::{CounterMap, Format, Options, read};
use dw_workload::observed::{Kept, Reading};

fn samples(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples/counters").join(folder);
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("is there").map(|e| e.expect("is there").path()).collect();
    files.sort();
    files
}

fn name_of(path: &Path) -> String {
    path.file_name().expect("has a name").to_string_lossy().into_owned()
}

/// Every reading on a line, without what the file does not say.
fn shown(kept: &Kept) -> String {
    let mut text = String::new();
    for (origin, common, reading) in &kept.readings {
        let said: Vec<String> = format!("{reading:?}")
            .split(", ")
            .filter(|p| !p.trim_end_matches([' ', '}']).ends_with(": None"))
            .map(str::to_string)
            .collect();
        let machine = common.machine.as_deref().unwrap_or("-");
        text += &format!(
            "{}: {machine} {:?} {:?} {:?} {:?}\n   {}\n",
            origin.line,
            common.stamp,
            common.interval,
            common.span,
            common.statistic,
            said.join(", ")
        );
    }
    for (origin, fault) in &kept.faults {
        text += &format!("{}: fault: {}\n   hint: {}\n", origin.line, fault.what, fault.hint);
    }
    text
}

fn load(path: &Path, options: &Options<'_>) -> String {
    let bytes = fs::read(path).expect("is there");
    let mut kept = Kept::default();
    let result = read(bytes.as_slice(), options, &mut kept);
    let end = match result {
        Ok(summary) => format!("{summary:?}"),
        Err(error) => format!("error: {error}"),
    };
    format!("{}{end}\n", shown(&kept))
}

#[test]
fn every_sample_reads_as_it_did() {
    for path in samples("valid") {
        let name = name_of(&path);
        insta::assert_snapshot!(
            format!("counters__valid__{name}"),
            load(&path, &Options { name: &name, ..Options::default() })
        );
    }
}

#[test]
fn every_fault_says_what_and_where() {
    for path in samples("invalid") {
        let name = name_of(&path);
        let text = load(&path, &Options { name: &name, ..Options::default() });
        let faults: Vec<&str> =
            text.lines().filter(|l| l.contains("fault:") || l.contains("error:") || l.contains("hint:")).collect();
        assert!(!faults.is_empty(), "{name} is read without a word:\n{text}");
        insta::assert_snapshot!(format!("counters__invalid__{name}"), faults.join("\n"));
    }
}

#[test]
fn strict_makes_the_first_fault_an_error() {
    for path in samples("invalid") {
        let (name, bytes) = (name_of(&path), fs::read(&path).expect("is there"));
        let options = Options { name: &name, strict: true, ..Options::default() };
        let error = read(bytes.as_slice(), &options, &mut Kept::default()).expect_err(&name);
        assert!(error.line >= 1 && error.file == name, "{error}");
    }
}

#[test]
fn every_format_has_a_sample() {
    let mut seen = Vec::new();
    for path in samples("valid") {
        let bytes = fs::read(&path).expect("is there");
        seen.push(read(bytes.as_slice(), &Options::default(), &mut Kept::default()).expect("is valid").format);
    }
    for format in Format::ALL {
        assert!(seen.contains(&format), "{format:?}");
    }
}

#[test]
fn one_machine_of_two_can_be_asked_for() {
    let path = samples("invalid").into_iter().find(|p| name_of(p) == "two_machines.csv").expect("is there");
    let bytes = fs::read(path).expect("is there");
    let mut kept = Kept::default();
    let options = Options { machine: Some("b"), strict: true, ..Options::default() };
    let summary = read(bytes.as_slice(), &options, &mut kept).expect("one machine is no fault");
    assert_eq!(summary.readings, 1);
    assert!(kept.readings.iter().all(|(_, common, _)| common.machine.as_deref() == Some("B")));
}

#[test]
fn a_map_makes_an_unknown_language_known() {
    let path = samples("invalid").into_iter().find(|p| name_of(p) == "unknown_language.csv").expect("is there");
    let map = "QulDoj = PhysicalDisk\nlaD/lup = Disk Reads/sec\n";
    let map = CounterMap::parse(map).expect("is a map");
    let options = Options { counter_map: Some(&map), ..Options::default() };
    let mut kept = Kept::default();
    read(fs::read(path).expect("is there").as_slice(), &options, &mut kept).expect("is known now");
    let disks = kept
        .readings
        .iter()
        .filter(|(_, _, r)| matches!(r, Reading::Disk { disk, .. } if disk.reads_per_s == Some(7.5)));
    assert_eq!(disks.count(), 1);
}

#[test]
fn nothing_panics_and_every_fault_names_a_line() {
    let seeds: Vec<Vec<u8>> =
        ["valid", "invalid"].iter().flat_map(|f| samples(f)).map(|p| fs::read(p).expect("is there")).collect();
    let rounds: u64 = std::env::var("DISKWRIGHT_FUZZ_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(4_000);
    for seed in 0..rounds {
        let bytes = damaged(&seeds, seed);
        let result = std::panic::catch_unwind(|| dw_formats::fuzzing::counters(&bytes));
        assert!(result.is_ok(), "replay: seed {seed}\n{}", String::from_utf8_lossy(&bytes));
    }
}

/// One of the samples, with pieces of others, cuts and flipped bytes; the same for the same seed.
fn damaged(seeds: &[Vec<u8>], seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut below = |n: usize| {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    };
    let mut bytes = seeds[below(seeds.len())].clone();
    const WORDS: [&str; 14] = [
        "-1",
        "1e308",
        "nan",
        ",",
        "\n",
        "\"",
        "}",
        "[",
        "18446744073709551616",
        "99:99:99",
        "Device",
        "Linux ()",
        "# ",
        "\u{e4}",
    ];
    for _ in 0..below(8) {
        let at = below(bytes.len() + 1);
        match below(6) {
            0 => bytes.truncate(at),
            1 if at < bytes.len() => bytes[at] ^= 1 << below(8),
            2 => {
                let word = WORDS[below(WORDS.len())];
                bytes.splice(at..at, word.bytes());
            }
            3 => {
                let end = (at + below(40)).min(bytes.len());
                bytes.drain(at..end);
            }
            4 => {
                let other = &seeds[below(seeds.len())];
                let from = below(other.len() + 1);
                let to = (from + below(200)).min(other.len());
                bytes.splice(at..at, other[from..to].iter().copied());
            }
            _ => {
                let end = (at + below(120)).min(bytes.len());
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
        }
    }
    bytes
}
