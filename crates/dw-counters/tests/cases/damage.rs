//! Every field of every sample damaged in turn: what is read does not change, or somebody says that something is wrong.
//!
//! A field that is a name is called otherwise when it is damaged, and shows it. What is left is what nobody can tell: columns, counters
//! and metrics of tools have thousands of other names, and a damaged one is one of those.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use dw_counters::{Options, read};
use dw_observe::CollectedReadings;

/// No tool writes it.
const MARK: &str = "zq";
/// Bytes that are read for the damages of one kind of one file, whose fields are spread over it.
const BYTES: usize = 200_000;

/// All recordings that are text, with their names.
fn recordings() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let files = ["samples/valid", "samples/invalid", "cases/data"].into_iter().flat_map(|folder| {
        let folder = root.join(folder);
        fs::read_dir(folder).expect("is there").map(|entry| entry.expect("is there").path())
    });
    let mut files: Vec<_> = files.collect();
    files.sort();
    let named = |path: &Path| path.file_name().expect("has a name").to_string_lossy().into_owned();
    let text = |path: &Path| String::from_utf8(fs::read(path).expect("is there")).ok();
    files.iter().filter_map(|path| Some((named(path), text(path)?))).collect()
}

fn is_json(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.starts_with('{') || text.starts_with('[') && text[1..].trim_start().starts_with(['{', '['])
}

/// Where the fields of a text begin and end: of JSON its values, of tables their cells, each in its words.
fn fields(text: &str) -> Vec<(usize, usize)> {
    let is_json = is_json(text);
    let parts = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '"' | '|') || is_json && "[]{}:".contains(c);
    let (mut found, mut begin, mut quoted) = (Vec::new(), None, None);
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if is_json && (quoted.is_some() || c == '"') {
            match quoted.take() {
                Some(from) if c == '"' => {
                    let is_key = text[at + 1..].trim_start().starts_with(':');
                    found.extend((!is_key && from < at).then_some((from, at)));
                }
                Some(from) => quoted = Some(from),
                None => quoted = Some(at + 1),
            }
            continue;
        }
        match (parts(c), begin) {
            (false, None) => begin = Some(at),
            (true, Some(from)) => {
                found.push((from, at));
                begin = None;
            }
            _ => {}
        }
    }
    found
}

/// What is read of a text, and what is said to be wrong; the whole text may be refused.
fn seen(name: &str, text: &str) -> (String, BTreeSet<String>) {
    let mut kept = CollectedReadings::default();
    let result = read(text.as_bytes(), &Options { name, ..Options::default() }, &mut kept);
    let faults = kept.faults.iter().map(|(origin, fault)| format!("{}: {}", origin.line, fault.what));
    (format!("{:?}", kept.readings), faults.chain(result.err().map(|error| error.to_string())).collect())
}

/// Files whose columns, counters or metrics may be any of thousands: a word of theirs that has no figure is a name.
const MANY_NAMES: [&str; 14] = [
    "awr",
    "azure",
    "cloudwatch",
    "cut_perfmon",
    "dm-io",
    "dstat",
    "get-counter",
    "log-analytics",
    "perfmon",
    "prom",
    "sql_files",
    "two_machines.csv",
    "unknown_language",
    "rate_without",
];

/// What nobody can tell from what is meant, by the file and the line.
fn may_be_meant(name: &str, line: &str, word: &str) -> bool {
    let is_name = MANY_NAMES.iter().any(|kind| name.starts_with(kind)) && !word.contains(|c: char| c.is_ascii_digit());
    // What a person typed: a word at its end is a delay, or none.
    let is_typed = line.starts_with("\"Cmdline:\"");
    // Colours are taken away before anybody looks; another test has them.
    let is_coloured = line.contains('\u{1b}');
    let is_path = line.contains("(PDH-") || word.starts_with("/SUBSCRIPTIONS/");
    // No value in PerfMon.
    let of_windows = ["perfmon", "get-counter", "log-analytics"].iter().any(|kind| name.starts_with(kind));
    let is_minus_one = of_windows && word.parse() == Ok(1.0);
    // Behind the last column of memory other tables may stand.
    let is_last = name.starts_with("sadf_d.devices_before") && word == "%memused";
    // The first line of what a person cut out shows that it was cut.
    let is_cut = name == "iostat_cut_out_of_a_longer_one.txt";
    is_name || is_typed || is_coloured || is_path || is_minus_one || is_last || is_cut
}

#[test]
fn a_damaged_field_changes_nothing_or_is_said() {
    let (mut tried, mut silent) = (0, Vec::new());
    for (name, text) in recordings() {
        let plain = seen(&name, &text);
        let fields = fields(&text);
        let every = (fields.len() * text.len()).div_ceil(BYTES).max(1);
        for &(from, to) in fields.iter().step_by(every) {
            let word = &text[from..to];
            let with = |word: &str| [&text[..from], word, &text[to..]].concat();
            let line = text[..from].bytes().filter(|&b| b == b'\n').count();
            let mut is_name = may_be_meant(&name, text.lines().nth(line).unwrap_or_default(), word);
            let mut damages = vec![format!("{MARK}{word}"), format!("{word}{MARK}"), format!("-{word}")];
            if is_json(&text) && !text[..from].ends_with('"') {
                damages.push(format!("\"{MARK}{word}\""));
            }
            for damaged in damages {
                let is_negative = damaged.starts_with('-');
                if is_negative && (is_name || word.parse::<f64>().is_err()) {
                    continue;
                }
                let found = seen(&name, &with(&damaged));
                is_name |= !is_negative && found.0.contains(MARK);
                tried += 1;
                if found.0 != plain.0 && found.1.is_subset(&plain.1) && !is_name {
                    silent.push(format!("{name}:{}: `{damaged}` for `{word}`", line + 1));
                }
            }
        }
    }
    assert!(tried > 10_000, "{tried}");
    assert!(silent.is_empty(), "{} of {tried}:\n{}", silent.len(), silent.join("\n"));
}
