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
    let sections: [(&str, &str, Fill, (&str, &str)); 13] = [
        ("summary", "Summary", summary::blocks, ("Nothing to sum up", "diskwright report COUNTERS...")),
        (
            "requirements",
            "Requirements",
            requirements::blocks,
            ("What the application asks of its disks is not here", "diskwright observe FILE... --format json"),
        ),
        (
            "data-quality",
            "Data quality",
            quality::blocks,
            ("No recording was audited", "diskwright observe FILE... --format json"),
        ),
        (
            "plan",
            "Plan and alternatives",
            plan::blocks,
            ("No plan is here", "diskwright plan REQUIREMENTS.toml --format json"),
        ),
        (
            "limits",
            "Limits along the I/O path",
            limits::blocks,
            ("No limits are here", "diskwright plan REQUIREMENTS.toml --format json"),
        ),
        ("cost", "Cost", cost::blocks, ("No prices are here", "diskwright plan REQUIREMENTS.toml --format json")),
        (
            "comparison",
            "Required, predicted, measured",
            comparison::blocks,
            ("There are not two sides to compare", "diskwright simulate RIG.toml JOB --output-format json"),
        ),
        (
            "latency",
            "Latency distributions",
            latency::blocks,
            ("No latencies are here", "diskwright simulate RIG.toml JOB --output-format json"),
        ),
        (
            "timeline",
            "Over time",
            timeline::blocks,
            ("No series over time is here", "diskwright simulate RIG.toml JOB --output-format json --series 1s"),
        ),
        (
            "cache",
            "Cache warming",
            cache::blocks,
            (
                "No run on a cached volume is here",
                "diskwright simulate RIG.toml JOB --output-format json --series 1s --start cold",
            ),
        ),
        (
            "scripts",
            "Scripts and inputs",
            scripts::blocks,
            ("No files were added", "diskwright report ... --attach FILE"),
        ),
        (
            "assumptions",
            "Assumptions and doubts",
            sources::assumptions,
            ("Nothing was assumed", "diskwright plan REQUIREMENTS.toml --format json"),
        ),
        ("sources", "Sources", sources::blocks, ("No sources", "diskwright observe FILE... --format json")),
    ];
    let section = |(id, title, fill, (what, command)): (&'static str, &'static str, Fill, (&str, &str))| {
        let mut blocks = fill(&read);
        if blocks.is_empty() {
            blocks.push(Block::Missing(what.into(), command.into()));
        }
        Section { id, title, blocks }
    };
    sections.into_iter().map(section).collect()
}
