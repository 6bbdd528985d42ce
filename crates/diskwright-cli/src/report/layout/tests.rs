use std::fmt::Write as _;

use super::*;

/// The tables of our commands in small: words between figures, bars without a head, rows that go on, figures with units.
fn samples() -> Vec<(&'static str, Text)> {
    let table = |rows: &[&[&str]], words: &[usize]| {
        let rows = rows.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect();
        Text::from(Table::new(rows, words))
    };
    let simulate = table(
        &[
            &["volume", "", "IOPS", "MB/s", "MiB/s", "mean ms", "p50 ms", "p99 ms", "p99.9 ms", "queue depth", "hits"],
            &["data", "read", "12,345", "1,011", "964", "12.3", "11.9", "101.7", "1,204.5", "", "98 %"],
            &["", "write", "5,001", "40.9", "39.1", "2.31", "2.20", "7.65", "9.87", "31.8", "-"],
        ],
        &[0, 1],
    );
    let limits = table(
        &[
            &["limit", "used", "available", "headroom", "", ""],
            &[
                "data disk throughput (4 x P30)",
                "799.8 MB/s",
                "800.0 MB/s",
                "0.02 %",
                "[####################]",
                "<- throttles data",
            ],
            &["vm uncached IOPS", "7,700 IOPS", "12,800 IOPS", "40 %", "[############........]", ""],
        ],
        &[0, 4, 5],
    );
    let plan = table(
        &[
            &["next best", "disks", "USD", "more"],
            &[
                "Standard_E16bds_v5",
                "data 1 x Ultra of 100 GiB, 4,000 IOPS, 50 MB/s + log 2 x P30 (ReadOnly)",
                "1,234.56",
                "+96.04",
            ],
        ],
        &[0, 1],
    );
    let mut prose = Text::from(
        "proof: no cheaper option (under 374.62) meets the demand; 92 of 273 VM sizes were checked in full\n",
    );
    let _ =
        writeln!(prose, "  assumption: 1,920 MB/s for {} s, then 12,800 IOPS over 750 GiB", "3600 ".repeat(9).trim());
    prose.sentence("note: ", "Samples are 30 s averages, so shorter peaks are invisible: averaging 5 of them lowers the p99 by 6 % or 1,024.5 IOPS.");
    vec![("simulate", simulate), ("limits", limits), ("plan", plan), ("prose", prose)]
}

/// What begins with a digit, as far as no blank breaks it, without punctuation that may follow.
fn figures(text: &str) -> Vec<String> {
    let mut figures: Vec<String> = text
        .split_whitespace()
        .filter(|word| word.contains(|c: char| c.is_ascii_digit()))
        .map(|word| word.trim_matches(|c| "(),.;".contains(c)).to_string())
        .collect();
    figures.sort();
    figures
}

#[test]
fn without_a_terminal_and_on_a_wide_one_nothing_changes() {
    for (name, text) in samples() {
        let wide = text.to_string();
        let widest = wide.lines().map(length).max().unwrap();
        assert_eq!(text.fitted(Some(widest)), wide, "{name}");
    }
}

#[test]
fn every_figure_is_whole_at_every_width_and_every_line_fits() {
    for (name, text) in samples() {
        let all = figures(&text.to_string());
        for width in [40, 60, 80, 120] {
            let shown = text.fitted(Some(width));
            let is_missing = |figure: &&String| !figures(&shown).contains(figure);
            let missing: Vec<&String> = all.iter().filter(is_missing).collect();
            assert!(missing.is_empty(), "{name} at {width} lacks {missing:?}:\n{shown}");
            let long: Vec<&str> = shown.lines().filter(|line| length(line) > width).collect();
            assert!(long.is_empty(), "{name} at {width}: {long:?}");
        }
    }
}

#[test]
fn heads_wrap_before_words_and_words_before_cards() {
    let text = |width: usize| {
        let rows = [
            ["volume", "queue depth", "throttled by"],
            ["data", "31.8", "vm uncached throughput of the size"],
            ["log", "4.0", "-"],
        ];
        let rows = rows.iter().map(|row| row.map(String::from).to_vec()).collect();
        Text::from(Table::new(rows, &[0, 2])).fitted(Some(width))
    };
    for (width, expected) in [
        (
            50,
            "
         queue
volume   depth  throttled by
data      31.8  vm uncached throughput of the size
log        4.0  -
",
        ),
        (
            32,
            "
        queue
volume  depth  throttled by
data     31.8  vm uncached
               throughput of the
               size
log       4.0  -
",
        ),
        (
            28,
            "
volume data
  queue depth   31.8
  throttled by  vm uncached
                throughput
                of the size
volume log
  queue depth   4.0
  throttled by  -
",
        ),
    ] {
        assert_eq!(format!("\n{}", text(width)), expected, "at {width}");
    }
}

#[test]
fn a_text_for_programs_is_never_laid_out() {
    let json = format!("{{\"text\": \"{}\"}}\n", "word ".repeat(40));
    assert_eq!(Text::verbatim(json.clone()).fitted(Some(40)), json);
}

#[test]
fn figures_stay_with_their_units() {
    assert_eq!(words("2 x P30 at 1,920 MB/s, +5 % (12 GiB)"), ["2 x", "P30", "at", "1,920 MB/s,", "+5 %", "(12 GiB)"]);
}
