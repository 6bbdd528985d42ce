//! Recordings of every format: what is read of each, and what is said of damaged ones.

mod cases;

use std::fs;
use std::path::{Path, PathBuf};

use dw_counters::{CounterMap, Format, Options, read};
use dw_observe::{CollectedReadings, Reading};

fn samples(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples").join(folder);
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("is there").map(|e| e.expect("is there").path()).collect();
    files.sort();
    files
}

fn name_of(path: &Path) -> String {
    path.file_name().expect("has a name").to_string_lossy().into_owned()
}

/// Every reading on a line, without what the file does not say.
fn shown(kept: &CollectedReadings) -> String {
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
    let mut kept = CollectedReadings::default();
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
fn a_fault_in_a_table_names_its_line_whatever_ends_lines() {
    for name in ["azure.vm_chart.csv", "dstat.csv", "perfmon.english.csv"] {
        let path = samples("valid").into_iter().find(|path| name_of(path) == name).expect("is there");
        let sample = fs::read_to_string(path).expect("is text").replace("\r\n", "\n");
        for (between, end) in [("", "\n"), ("\n", "\n"), ("", "\r\n"), ("\n\n", "\r\n")] {
            let text = format!("{}\n{between}1,2\nx", sample.trim_end());
            let line = text.lines().position(|line| line == "1,2").expect("is there") as u64 + 1;
            let text = text.replace('\n', end);
            let mut kept = CollectedReadings::default();
            read(text.as_bytes(), &Options { name, ..Options::default() }, &mut kept).expect("is read");
            assert_eq!(kept.faults.first().map(|fault| fault.0.line), Some(line), "{name} {between:?} {end:?}");
        }
    }
}

#[test]
fn strict_makes_the_first_fault_an_error() {
    for path in samples("invalid") {
        let (name, bytes) = (name_of(&path), fs::read(&path).expect("is there"));
        let options = Options { name: &name, strict: true, ..Options::default() };
        let error = read(bytes.as_slice(), &options, &mut CollectedReadings::default()).expect_err(&name);
        assert!(error.line >= 1 && error.file == name, "{error}");
    }
}

#[test]
fn every_format_has_a_sample() {
    let mut seen = Vec::new();
    for path in samples("valid") {
        let (name, bytes) = (name_of(&path), fs::read(&path).expect("is there"));
        let options = Options { name: &name, ..Options::default() };
        seen.push(read(bytes.as_slice(), &options, &mut CollectedReadings::default()).expect("is valid").format);
    }
    for format in Format::ALL {
        assert!(seen.contains(&format), "{format:?}");
    }
}

#[test]
fn one_machine_of_two_can_be_asked_for() {
    let path = samples("invalid").into_iter().find(|p| name_of(p) == "two_machines.csv").expect("is there");
    let bytes = fs::read(path).expect("is there");
    let mut kept = CollectedReadings::default();
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
    let mut kept = CollectedReadings::default();
    read(fs::read(path).expect("is there").as_slice(), &options, &mut kept).expect("is known now");
    let disks = kept
        .readings
        .iter()
        .filter(|(_, _, r)| matches!(r, Reading::Disk { disk, .. } if disk.reads_per_s == Some(7.5)));
    assert_eq!(disks.count(), 1);
}

/// What one line of a recording came to, without its time.
fn figures(bytes: &[u8], name: &str) -> (Vec<String>, u64) {
    let mut kept = CollectedReadings::default();
    let options = Options { name, ..Options::default() };
    let faults = read(bytes, &options, &mut kept).map_or(u64::MAX, |summary| summary.faults);
    let said =
        kept.readings.iter().map(|(origin, common, reading)| format!("{} {:?} {reading:?}", origin.line, common.span));
    (said.collect(), faults)
}

/// Samples of these formats that are plain text, with their names.
fn texts(kinds: &[&str]) -> Vec<(String, Vec<u8>)> {
    let of_kind = |name: &str| kinds.iter().any(|kind| name.starts_with(kind));
    let samples = samples("valid").into_iter().map(|path| (name_of(&path), fs::read(&path).expect("is there")));
    samples.filter(|(name, bytes)| of_kind(name) && std::str::from_utf8(bytes).is_ok()).collect()
}

#[test]
fn what_a_pipe_puts_before_every_line_changes_no_figure() {
    let pipes = [
        "Nov 22 13:17:17 ",
        "2026-11-22 13:17:17 ",
        "[2026-11-22 13:17:17.250] ",
        "2026-11-22T13:17:17.250000+01:00 db1 recorder[812]: ",
        "Nov  2 13:17:17 db1 recorder[812]: ",
        "Sun Nov 22 13:17:17 UTC 2026 ",
        "1763817437.250000 ",
        "13:17:17 | ",
    ];
    let mut compared = 0;
    for (name, bytes) in texts(&["iostat.", "vmstat.", "sar.", "diskstats.", "blkparse.", "biosnoop.", "dstat."]) {
        // Two pipes one after the other are not a thing; JSON and CSV are no lines.
        let own = ["ts", "journald", "clock", "json", "csv", "marked"].iter().any(|word| name.contains(word));
        if own && !name.contains("stamps") && !name.contains("stamped") {
            continue;
        }
        let plain = figures(&bytes, &name);
        let text = String::from_utf8(bytes).expect("is text");
        for pipe in pipes {
            let piped: String = text.lines().map(|line| format!("{pipe}{line}\n")).collect();
            assert_eq!(figures(piped.as_bytes(), &name), plain, "{pipe}{name}");
            compared += 1;
        }
    }
    assert!(compared >= 150, "{compared}");
}

#[test]
fn colours_and_a_mark_at_the_beginning_change_no_figure() {
    for (name, bytes) in
        texts(&["iostat.", "vmstat.", "sar.", "sadf_d.", "dstat.", "diskstats.", "blkparse.", "biosnoop.", "fio."])
    {
        let plain = load_bytes(&bytes, &name);
        let text = String::from_utf8(bytes).expect("is text");
        let text = text.trim_start_matches('\u{feff}');
        let marked = format!("\u{feff}{text}");
        assert_eq!(load_bytes(marked.as_bytes(), &name), plain, "{name} with a mark");
        if name.ends_with(".txt") {
            let coloured: String = text.lines().map(|line| format!("\u{1b}[34;1m{line}\u{1b}[0m\n")).collect();
            assert_eq!(load_bytes(coloured.as_bytes(), &name), plain, "{name} in colours");
        }
    }
}

fn load_bytes(bytes: &[u8], name: &str) -> String {
    let mut kept = CollectedReadings::default();
    let summary = read(bytes, &Options { name, ..Options::default() }, &mut kept);
    format!("{}{summary:?}", shown(&kept))
}

#[test]
fn a_row_with_a_word_too_many_gives_no_figure() {
    let mut changed = 0;
    for (name, bytes) in texts(&["iostat.", "vmstat.", "sar.", "sadf_d.", "dstat.", "perfmon.", "azure."]) {
        if name.ends_with(".json") {
            continue;
        }
        let mut kept = CollectedReadings::default();
        read(bytes.as_slice(), &Options { name: &name, ..Options::default() }, &mut kept).expect("is valid");
        let of_a_table =
            |reading: &Reading| matches!(reading, Reading::Disk { .. } | Reading::Host(_) | Reading::Cpu(_));
        let mut rows: Vec<u64> = kept.readings.iter().filter(|r| of_a_table(&r.2)).map(|r| r.0.line).collect();
        rows.dedup();
        let lines: Vec<&[u8]> = bytes.split(|&b| b == b'\n').collect();
        let csv = name.ends_with(".csv") || name.ends_with(".tsv");
        let parts = match name.as_str() {
            _ if name.starts_with("sadf_d") => ";",
            "azure.vm_chart.csv" => ";",
            _ if name.ends_with(".tsv") => "\t",
            _ if csv => ",",
            _ => " ",
        };
        for row in rows {
            let at = usize::try_from(row).expect("is small") - 1;
            for before in [true, false] {
                // A name alone on its line belongs to the next; a device of `-h` has its columns in several tables.
                if name.contains("old_h") || name.contains("split_by_h") {
                    continue;
                }
                let line = lines[at].strip_suffix(b"\r").unwrap_or(lines[at]);
                let more = match before {
                    true => [b"7", parts.as_bytes(), line].concat(),
                    false => [line, parts.as_bytes(), b"7"].concat(),
                };
                let mut lines = lines.clone();
                lines[at] = &more;
                let mut kept = CollectedReadings::default();
                let result =
                    read(lines.join(&b'\n').as_slice(), &Options { name: &name, ..Options::default() }, &mut kept);
                let said = kept.readings.iter().find(|r| r.0.line == row && of_a_table(&r.2));
                let shown = String::from_utf8_lossy(&more);
                assert!(said.is_none(), "{name}:{row}: `{shown}` gives {said:?}");
                assert!(
                    result.is_err() || kept.faults.iter().any(|f| f.0.line == row),
                    "{name}:{row}: `{shown}` is silent"
                );
                changed += 1;
            }
        }
    }
    assert!(changed >= 200, "{changed}");
}

#[test]
fn nothing_panics_and_every_fault_names_a_line() {
    let seeds: Vec<Vec<u8>> =
        ["valid", "invalid"].iter().flat_map(|f| samples(f)).map(|p| fs::read(p).expect("is there")).collect();
    let rounds: u64 = std::env::var("DISKWRIGHT_FUZZ_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(4_000);
    for seed in 0..rounds {
        let bytes = damaged(&seeds, seed);
        let result = std::panic::catch_unwind(|| dw_counters::fuzzing::recording(&bytes));
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
