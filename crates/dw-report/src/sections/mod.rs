//! The sections of a report, in the order in which a team decides. Each is filled by documents; one that nothing fills says which
//! command would.

mod bench;
mod cache;
mod comparison;
mod cost;
mod explain;
mod latency;
mod limits;
mod plan;
mod quality;
mod requirements;
mod scripts;
mod sources;
mod summary;
mod timeline;
mod verify;
mod words;

use crate::content::{Block, Section};
use crate::document::Report;
use crate::read::Read;

/// All sections.
pub(crate) fn all(report: &Report) -> Vec<Section> {
    let read = Read::of(report);
    type Fill = fn(&Read) -> Vec<Block>;
    const PLAN: &str = "diskwright plan REQUIREMENTS.toml --format json";
    const OBSERVE: &str = "diskwright observe FILE... --format json";
    const RUN: &str = "diskwright simulate RIG.toml JOB --output-format json";
    const SERIES: &str = "diskwright simulate RIG.toml JOB --output-format json --series 1s";
    const COLD: &str = "diskwright simulate RIG.toml JOB --output-format json --series 1s --start cold";
    // What a decision needs; then what it rests on, to be looked up.
    let shown: [(&str, &str, Fill, &str, &str); 6] = [
        ("summary", "Summary", summary::blocks, "Nothing to sum up", "diskwright report COUNTERS..."),
        ("limits", "Limits along the I/O path", limits::blocks, "No limits are here", PLAN),
        ("timeline", "Over time", timeline::blocks, "No series over time is here", SERIES),
        ("plan", "Plan and alternatives", plan::blocks, "No plan is here", PLAN),
        ("cost", "Cost", cost::blocks, "No prices are here", PLAN),
        ("comparison", "Required, predicted, measured", comparison::blocks, "There are not two sides to compare", RUN),
    ];
    let folded: [(&str, &str, Fill, &str, &str); 7] = [
        (
            "requirements",
            "Requirements",
            requirements::blocks,
            "What the application asks of its disks is not here",
            OBSERVE,
        ),
        ("data-quality", "Data quality", quality::blocks, "No recording was audited", OBSERVE),
        ("latency", "Latency distributions", latency::blocks, "No latencies are here", RUN),
        ("cache", "Cache warming", cache::blocks, "No run on a cached volume is here", COLD),
        (
            "scripts",
            "Scripts and inputs",
            scripts::blocks,
            "No files were added",
            "diskwright report ... --attach FILE",
        ),
        ("assumptions", "Assumptions and doubts", sources::assumptions, "Nothing was assumed", PLAN),
        ("sources", "Sources", sources::blocks, "No sources", OBSERVE),
    ];
    let section = |(id, title, fill, what, command): (&'static str, &'static str, Fill, &str, &str), folded: bool| {
        let mut blocks = fill(&read);
        if blocks.is_empty() {
            blocks.push(Block::Missing(what.into(), command.into()));
        }
        Section { id, title, blocks, folded }
    };
    let shown = shown.into_iter().map(|of| section(of, false));
    shown.chain(folded.into_iter().map(|of| section(of, true))).collect()
}
