//! `docs/accuracy.md`: the rows as a person reads them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::published::claims::{Claim, ClaimFile, Figure};
use crate::published::measure::{Outcome, lies};

const OPENING: &str = "# Accuracy

Published figures next to ours. This page is written by the test that checks it (`cargo xtask gen`); the rows are those of
`crates/diskwright-cli/tests/published/figures.toml`, `aws.toml` and `aws-public.toml`; their scenarios and jobs stand there, next to them or under `examples/`. Each
can be repeated with `diskwright simulate`, the variables of its `env` in the environment; what has no load is what the catalogue says.

A figure outside its tolerance is a **miss**, with its reason below the table; no tolerance is widened to hide one. Our side is
always the vendor's documented limits with the default latency models: nothing is fitted to a row.

";

/// Published distributions that are no rows: of most nobody said enough to run them.
const AT_LIMITS: &str = include_str!("at_limits.md");

/// Designs and what `explain` finds; a test of the library holds them.
const DESIGNS: &str = include_str!("../../../diskwright/src/explain/designs.md");

/// The page.
pub fn render(file: &ClaimFile, outcomes: &[Outcome]) -> String {
    let mut out = String::from(OPENING);
    let mut cited: Vec<&str> = Vec::new();
    for claim in &file.claims {
        if !cited.contains(&claim.source.as_str()) {
            cited.push(&claim.source);
        }
    }
    let number: BTreeMap<&str, usize> = cited.iter().zip(1..).map(|(&id, n)| (id, n)).collect();
    let all: Vec<(&Claim, &Outcome)> = file.claims.iter().zip(outcomes).collect();
    let _ = writeln!(out, "{}\n", tally(&all));
    for group in &file.groups {
        let _ = writeln!(out, "## {}\n\n{}\n", group.title, group.text);
        if group.id == "latency" {
            out.push_str(&settings(&all, &number));
            continue;
        }
        out.push_str("| claim | figure | published | ours | difference | tolerance | held by | verdict |\n");
        out.push_str("|---|---|--:|--:|--:|--:|---|---|\n");
        let own = all.iter().filter(|(claim, _)| claim.group == group.id);
        for (claim, outcome) in own.clone() {
            rows(&mut out, claim, outcome, number[claim.source.as_str()]);
        }
        out.push('\n');
        for (claim, _) in own {
            if let Some(miss) = &claim.binding_miss {
                let _ = writeln!(out, "- **{}, held by**: {miss}", claim.id);
            }
            for figure in &claim.figures {
                if let Some(miss) = &figure.miss {
                    let _ = writeln!(out, "- **{}, {}**: {miss}", claim.id, figure.name);
                }
            }
        }
        out.push('\n');
    }
    out.push_str(AT_LIMITS);
    out.push_str(DESIGNS);
    out.push_str(CATALOGUE);
    out.push_str("## Published, and in no row\n\n");
    for line in &file.not_here {
        let _ = writeln!(out, "- {line}");
    }
    out.push_str("\n## Sources\n\n");
    for (id, n) in cited.iter().zip(1..) {
        let _ = writeln!(out, "{n}. {}", file.sources[*id]);
    }
    while out.contains("\n\n\n") {
        out = out.replace("\n\n\n", "\n\n");
    }
    out
}

/// What came of comparing the catalogue with the pages it is from; a test of the catalogue has the figures.
const CATALOGUE: &str = "## Figures of the catalogue

Ten current series pages were drawn at random (seed 20261128), and 360 of the 834 figures on them: 351 of 360 agree (97.5 %). The other 9
are limits of the temp disks of Eav4, whose page has data disks and memory in the columns beside them: the catalogue has no such disks. The pages: Basv2, Dadsv5, Dplsv6, Dsv3, Eav4, Epdsv5, FXmsv2, Mbdsv4, Mdsv2-MM, Msv3-HM; the figures:
`crates/dw-catalogue/tests/pages-sample.csv`. The ten series that stood on pages of 2020 to 2023 were read again: of Dasv4, Dsv5, DSv2, FX, Fsv2 and
Mv2 every figure agreed, of Edsv4, Esv3, M and Lsv2 bursts, limits of the temp disk and local NVMe were missing and have been added.

";

/// Every published latency next to the three settings: those below the limits, then those of runs at a limit.
fn settings(all: &[(&Claim, &Outcome)], number: &BTreeMap<&str, usize>) -> String {
    let mut out = String::from(
        "| claim | figure | published | optimistic | typical | cautious | published lies at |\n|---|---|--:|--:|--:|--:|---|\n",
    );
    let mut misses = String::new();
    for own in [true, false] {
        for (claim, outcome) in all.iter().filter(|(claim, _)| claim.settings == own) {
            let figures = claim.figures.iter().zip(&outcome.settings).filter(|(figure, _)| figure.unit == "ms");
            for (n, (figure, &settings)) in figures.enumerate() {
                let at = if own { "" } else { " (at a limit)" };
                let said = format!("{}: {}{at} [{}]", claim.id, claim.claim, number[claim.source.as_str()]);
                let to = figure.published_max.map_or(String::new(), |max| format!(" to {}", ms(max)));
                let [optimistic, typical, cautious] = settings.map(ms);
                let _ = writeln!(
                    out,
                    "| {} | {} | {}{to} ms | {optimistic} | {typical} | {cautious} | {} |",
                    if n == 0 { said.as_str() } else { "" },
                    figure.name,
                    ms(figure.published),
                    lies(figure, settings).words()
                );
                if let (true, Some(miss)) = (own, &figure.miss) {
                    let _ = writeln!(misses, "- **{}, {}**: {miss}", claim.id, figure.name);
                }
            }
        }
    }
    out + "\n" + &misses + "\n"
}

/// Milliseconds with three digits that matter.
fn ms(value: f64) -> String {
    match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v if v >= 0.3 => format!("{v:.2}"),
        v => format!("{v:.3}"),
    }
}

fn tally(all: &[(&Claim, &Outcome)]) -> String {
    let figures =
        all.iter().flat_map(|(claim, outcome)| (0..outcome.values.len()).map(move |n| outcome.meets(claim, n)));
    let (met, missed): (Vec<bool>, Vec<bool>) = figures.partition(|met| *met);
    let named: Vec<bool> = all.iter().filter_map(|(claim, outcome)| outcome.names_the_limit(claim)).collect();
    let right = named.iter().filter(|&&right| right).count();
    let refusals = all.iter().filter(|(claim, _)| claim.refused.is_some()).count();
    format!(
        "{} figures: {} met, {} missed. Binding limits: {right} of {} named as published or as the arithmetic has it.\n{refusals} \
         configurations that their vendor does not allow are refused.",
        met.len() + missed.len(),
        met.len(),
        missed.len(),
        named.len()
    )
}

fn rows(out: &mut String, claim: &Claim, outcome: &Outcome, source: usize) {
    let said = format!("{}: {} [{source}]", claim.id, claim.claim);
    let mut held = if outcome.held_by.is_empty() { "-".to_string() } else { outcome.held_by.join("; ") };
    if let (Some(false), Some(limit)) = (outcome.names_the_limit(claim), &claim.binding) {
        held = format!("{held}; published: {limit}: **miss**");
    }
    if claim.refused.is_some() {
        let _ = writeln!(out, "| {said} | - | refused | refused | - | - | - | met |");
    }
    for (n, (figure, &value)) in claim.figures.iter().zip(&outcome.values).enumerate() {
        let verdict = if outcome.meets(claim, n) { "met" } else { "**miss**" };
        let (first, held) = if n == 0 { (said.as_str(), held.as_str()) } else { ("", "") };
        let _ = writeln!(
            out,
            "| {first} | {} | {} | {} {} | {} | {} | {held} | {verdict} |",
            figure.name,
            published(figure),
            shown(value, figure.published, &figure.unit),
            figure.unit,
            difference(figure, value),
            tolerance(figure.within),
        );
    }
}

fn published(figure: &Figure) -> String {
    let at_least = if figure.at_least { "at least " } else { "" };
    format!("{at_least}{} {}", shown(figure.published, figure.published, &figure.unit), figure.unit)
}

fn difference(figure: &Figure, value: f64) -> String {
    if figure.published == 0.0 {
        return if value == 0.0 { "0".into() } else { "-".into() };
    }
    let percent = (value / figure.published - 1.0) * 100.0;
    // No "-0.0".
    if percent.abs() < 0.05 { "0.0 %".into() } else { format!("{percent:+.1} %") }
}

fn tolerance(within: f64) -> String {
    if within == 0.0 { "exact".into() } else { format!("{within} %") }
}

/// With as many digits as the publication's size asks for.
fn shown(value: f64, published: f64, unit: &str) -> String {
    match published.abs() {
        _ if unit == "USD" => grouped(value, 2),
        size if size >= 1_000.0 => grouped(value, 0),
        size if size >= 100.0 => grouped(value, 1),
        0.0 => grouped(value, 0),
        _ => grouped(value, 2),
    }
}

fn grouped(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let (whole, rest) = text.split_once('.').map_or((text.as_str(), String::new()), |(w, r)| (w, format!(".{r}")));
    let mut out = String::new();
    for (n, c) in whole.chars().enumerate() {
        if n > 0 && (whole.len() - n).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out + &rest
}
