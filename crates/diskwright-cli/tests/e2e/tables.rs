//! Figures stand apart, however large they are and in whatever language.

use std::fmt::Write as _;
use std::process::Command;

use crate::e2e::support::{folder, run_in};

/// A recording of sar: memory in use in KiB, requests and KiB per second, ms of waiting.
fn sar(memory: f64, tps: f64, kib: f64, wait: f64) -> String {
    let mut text = String::from("Linux 6.1.0 (x) \t11/28/2026 \t_x86_64_\t(2 CPU)\n");
    for minute in 1..30 {
        // Uneven, so that no two percentiles are one figure.
        let of = |most: f64| most * (1.0 - f64::from(minute) / 100.0);
        let _ = write!(
            text,
            "\n10:{minute:02}:00 AM kbmemfree   kbavail kbmemused  %memused kbbuffers  kbcached  kbcommit   %commit  kbactive   kbinact   kbdirty\n\
             10:{minute:02}:05 AM  1000000   2000000  {:.0}     98.00      1000      2000   3000000     90.00    100000    100000        10\n\
             \n10:{minute:02}:00 AM       DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util\n\
             10:{minute:02}:05 AM       sda    {:.2}    {:.2}    {:.2}      0.00      8.00      {:.2}      {:.2}     10.00\n",
            of(memory),
            of(tps),
            of(kib),
            of(kib),
            of(tps * wait / 1e3),
            of(wait)
        );
    }
    text
}

fn observe(at: &std::path::Path, width: &str, args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_diskwright"));
    command.args(["observe", "sar.txt", "--growth", "1.5"]).args(args).current_dir(at);
    let ran = run_in(&mut command, &[("LC_ALL", "C"), ("COLUMNS", width)]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran.stdout
}

/// Words with one blank between, whatever stood there: some languages part thousands by a blank.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Every row of the checklist as Markdown has it, which parts cells by a mark, stands in the table with the same figures.
#[test]
fn no_figure_of_a_checklist_runs_into_another() {
    let kinds = [
        ("9.5 GiB of memory", sar(10_000_000.0, 100.0, 400.0, 1.0)),
        ("64 GiB of memory", sar(67_108_864.0, 100.0, 400.0, 1.0)),
        ("more than there is", sar(9.2e15, 498_765_432.0, 4_098_765_432.0, 12_345.6)),
    ];
    for (what, text) in kinds {
        let folder = folder(&[("sar.txt", &text)]);
        for lang in ["en", "ru", "sv", "zh-Hans", "ja"] {
            let markdown = observe(folder.path(), "80", &["--lang", lang, "--format", "markdown"]);
            let rows: Vec<String> = markdown
                .lines()
                .filter_map(|line| {
                    let cells: Vec<&str> = line.strip_prefix("| ")?.split(" | ").collect();
                    let is_known = cells.len() == 9 && cells[1].starts_with(|c: char| c.is_ascii_digit());
                    is_known.then(|| spaced(&cells[..6].join(" ").replace('\\', "")))
                })
                .collect();
            assert!(rows.len() >= 12, "{lang}: {markdown}");
            for width in ["80", "90", "100", "120", "200"] {
                let table = observe(folder.path(), width, &["--lang", lang]);
                let lines: Vec<String> = table.lines().map(spaced).collect();
                for row in &rows {
                    let is_there = |line: &String| {
                        line.split_once(row.as_str()).is_some_and(|(_, rest)| rest.is_empty() || rest.starts_with(' '))
                    };
                    assert!(lines.iter().any(is_there), "{what}, {lang}, {width} columns: `{row}` in\n{table}");
                }
            }
        }
    }
}

/// An ordinary server has its table in columns of one width on an ordinary terminal.
#[test]
fn the_checklist_of_a_large_server_fits_80_columns() {
    let folder = folder(&[("sar.txt", &sar(67_108_864.0, 100.0, 400.0, 1.0))]);
    let table = observe(folder.path(), "80", &[]);
    let widest = table.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 80, "{widest} columns\n{table}");
    let ends: Vec<usize> = table
        .lines()
        .filter(|line| !line.contains(" x 1.5"))
        .filter(|line| {
            line.starts_with(|c: char| c.is_ascii_digit() || c == ' ') && line.ends_with(|c: char| c.is_ascii_digit())
        })
        .map(|line| line.chars().count())
        .collect();
    assert!(ends.len() >= 12 && ends.iter().all(|end| *end == ends[0]), "{ends:?}\n{table}");
}
