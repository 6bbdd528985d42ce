use std::fmt::Write as _;

use proptest::prelude::*;

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

/// A figure of any size that its type has, as our formats write it.
fn figure() -> impl Strategy<Value = String> {
    let float = prop_oneof![any::<f64>().prop_filter("a number", |value| value.is_finite()), 0.0..1e6_f64];
    let places = prop::sample::select(vec![0, 1, 2, 4]);
    let units = prop::sample::select(vec!["", " MB/s", " %", " IOPS", " GiB"]);
    (prop_oneof![any::<u64>().prop_map(|n| n as f64), float], places, units).prop_map(|(value, places, unit)| {
        let digits = if places == 0 { crate::report::format::grouped(value) } else { format!("{value:.places$}") };
        digits + unit
    })
}

/// A head or a name, of letters of one column and of two.
fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{1,12}( [a-z]{1,12}){0,3}", "[数据吞吐量上限]{1,9}"]
}

proptest! {
    /// Whatever a cell holds, every word of it stands in the table as it is, with a blank on either side.
    #[test]
    fn no_cell_of_any_table_runs_into_another(
        heads in prop::collection::vec("[a-z]{1,9}( [a-z]{1,9})?", 1..6),
        rows in prop::collection::vec((name(), prop::collection::vec(figure(), 6)), 1..5),
        width in prop_oneof![Just(None), (40_usize..220).prop_map(Some)],
    ) {
        let columns = heads.len();
        let mut cells = vec![std::iter::once("name".to_string()).chain(heads).collect::<Vec<_>>()];
        cells.extend(rows.into_iter().map(|(name, figures)| std::iter::once(name).chain(figures).take(columns + 1).collect()));
        let wanted: Vec<Vec<String>> = cells[1..].iter().map(|row| row[1..].to_vec()).collect();
        let shown = Text::from(Table::new(cells, &[0])).fitted(width);
        let words: Vec<&str> = shown.split_whitespace().collect();
        for word in wanted.iter().flatten().flat_map(|cell| cell.split_whitespace()) {
            prop_assert!(words.contains(&word), "`{}` at {:?} in\n{}", word, width, shown);
        }
    }

    /// What a terminal would obey is a sign in its place, and columns stay where they are.
    #[test]
    fn nothing_in_a_text_for_people_is_obeyed(
        name in "[a\u{1b}\u{9b}\u{7f}\u{202e}\n]{1,12}",
        width in prop_oneof![Just(None), (40_usize..120).prop_map(Some)],
    ) {
        let rows = [["volume", "IOPS", "by"], [&*name, "1,234", &*name], ["x", "5", "y"]];
        let mut text = Text::from(Table::new(rows.iter().map(|row| row.map(String::from).to_vec()).collect(), &[0, 2]));
        let table = text.fitted(None);
        text.sentence("note: ", &name);
        let _ = write!(text, "{name}");
        let is_harmful = |c: char| dw_error::obeyed::is_obeyed(c) && c != '\n';
        prop_assert!(!text.fitted(width).contains(is_harmful));
        let ends: Vec<usize> = table.lines().map(|line| length(&line[..line.find(&['S', '4', '5'][..]).unwrap()])).collect();
        prop_assert_eq!(ends.len(), 3, "a row is a line: {}", table);
        prop_assert!(ends.iter().all(|end| *end == ends[0]), "{}", table);
    }
}
