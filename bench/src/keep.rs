//! What a run leaves behind: every sample in `raw.csv`, medians against goals and peers in `summary.md`.

use crate::bench::{Bench, Measured, Target};
use crate::instructions::Figures;
use crate::machine::Machine;

/// Every run of every row.
pub fn raw(measured: &[Measured]) -> String {
    let mut text = String::from("bench,row,run,work,thread_seconds,figure,unit\n");
    for m in measured {
        for (run, sample) in m.samples.iter().enumerate() {
            text.push_str(&format!(
                "{},\"{}\",{},{},{:.6},{:.4},{}\n",
                m.bench,
                m.row.name,
                run + 1,
                sample.work,
                sample.time.as_secs_f64(),
                sample.figure(m.row.unit),
                m.row.unit.name()
            ));
        }
    }
    text
}

/// The line of a row.
pub fn line(m: &Measured, all: &[Measured]) -> String {
    let (low, high) = m.range();
    let target = match m.row.target {
        None => "-".into(),
        Some(Target::Figure { goal, floor }) if floor.is_finite() && floor != goal => format!("{goal} / {floor}"),
        Some(Target::Figure { goal, .. }) => format!("{goal}"),
        Some(Target::TimesPeer(times)) => format!("{times} x the peer"),
    };
    let ratio =
        m.peer(all).map_or("-".into(), |peer| format!("{} x {}", times(m.median() / peer.median()), peer.row.name));
    format!(
        "| {} | **{:.2} {}** | {low:.2} – {high:.2} | {target} | {} | {ratio} |",
        m.row.name,
        m.median(),
        m.row.unit.name(),
        m.verdict(all).unwrap_or("-")
    )
}

/// A ratio with at least two digits that say something: `12.3`, `0.0023`.
fn times(ratio: f64) -> String {
    match ratio {
        ratio if ratio >= 0.95 => format!("{ratio:.1}"),
        ratio if ratio >= 0.095 => format!("{ratio:.2}"),
        ratio => format!("{ratio:.4}"),
    }
}

pub fn summary(
    machine: &Machine,
    benches: &[Bench],
    measured: &[Measured],
    left_out: &[String],
    instructions: Option<&Figures>,
) -> String {
    let runs = measured.iter().map(|m| m.samples.len()).max().unwrap_or(0);
    let mut text = format!("# Benchmarks, {}\n\n{}\n", machine.date, machine.list());
    text.push_str(&format!(
        "Medians of {runs} runs, processor time of one thread, of reports time on the clock; M/s is millions a second. What each bench is for and \
         what it is not for: `docs/benchmarks.md`. Every run: `raw.csv`.\n"
    ));
    for bench in benches {
        let rows: Vec<&Measured> = measured.iter().filter(|m| m.bench == bench.name).collect();
        if rows.is_empty() {
            continue;
        }
        text.push_str(&format!("\n## {}\n\n{}.\n\n", bench.name, capital(bench.is_for)));
        text.push_str(
            "| row | median | lowest – highest | goal / floor | verdict | to the peer |\n|---|---|---|---|---|---|\n",
        );
        for row in rows {
            text.push_str(&line(row, measured));
            text.push('\n');
        }
    }
    if let Some(figures) = instructions {
        text.push_str("\n## Instructions per simulated I/O\n\n| case | instructions |\n|---|---|\n");
        for (name, figure) in figures {
            text.push_str(&format!("| {name} | {figure:.1} |\n"));
        }
    }
    for line in left_out {
        text.push_str(&format!("\nLeft out: {line}\n"));
    }
    text
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::bench::{Row, Sample, Unit};

    #[test]
    fn a_line_has_median_verdict_and_ratio() {
        let measured = |name, peer, ms: &[u64]| Measured {
            bench: "b",
            row: Row {
                name,
                unit: Unit::MillionsPerSecond,
                target: Some(Target::Figure { goal: 20.0, floor: 10.0 }),
                peer,
                run: |_| Err(String::new()),
            },
            samples: ms.iter().map(|&ms| Sample::timed(10_000_000, Duration::from_millis(ms))).collect(),
        };
        let all = [measured("ours", Some("b/theirs"), &[800, 1_000, 500]), measured("theirs", None, &[2_000])];
        assert_eq!(
            line(&all[0], &all),
            "| ours | **12.50 M/s** | 10.00 – 20.00 | 20 / 10 | floor met | 2.5 x theirs |"
        );
        assert_eq!(raw(&all).lines().nth(1), Some("b,\"ours\",1,10000000,0.800000,12.5000,M/s"));
        assert_eq!(raw(&all).lines().count(), 5);
    }
}
