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

use dw_messages::{Label, Language, label};

use crate::content::{Block, Section};
use crate::document::Report;
use crate::read::Read;

/// All sections.
pub(crate) fn all(report: &Report, lang: &Language) -> Vec<Section> {
    let read = Read::new(report, lang);
    type Fill = fn(&Read) -> Vec<Block>;
    const PLAN: &str = "diskwright plan REQUIREMENTS.toml --format json";
    const OBSERVE: &str = "diskwright observe FILE... --format json";
    const RUN: &str = "diskwright simulate RIG.toml JOB --output-format json";
    const SERIES: &str = "diskwright simulate RIG.toml JOB --output-format json --series 1s";
    const COLD: &str = "diskwright simulate RIG.toml JOB --output-format json --series 1s --start cold";
    // What a decision needs; then what it rests on, to be looked up.
    let shown: [(&str, Label, Fill, Label, &str); 6] = [
        ("summary", label!("Summary"), summary::blocks, label!("Nothing to sum up"), "diskwright report COUNTERS..."),
        ("limits", label!("Limits along the I/O path"), limits::blocks, label!("No limits are here"), PLAN),
        ("timeline", label!("Over time"), timeline::blocks, label!("No series over time is here"), SERIES),
        ("plan", label!("Plan and alternatives"), plan::blocks, label!("No plan is here"), PLAN),
        ("cost", label!("Cost"), cost::blocks, label!("No prices are here"), PLAN),
        (
            "comparison",
            label!("Required, predicted, measured"),
            comparison::blocks,
            label!("There are not two sides to compare"),
            RUN,
        ),
    ];
    let folded: [(&str, Label, Fill, Label, &str); 7] = [
        (
            "requirements",
            label!("Requirements"),
            requirements::blocks,
            label!("What the application asks of its disks is not here"),
            OBSERVE,
        ),
        ("data-quality", label!("Data quality"), quality::blocks, label!("No recording was audited"), OBSERVE),
        ("latency", label!("Latency distributions"), latency::blocks, label!("No latencies are here"), RUN),
        ("cache", label!("Cache warming"), cache::blocks, label!("No run on a volume with a host cache is here"), COLD),
        (
            "scripts",
            label!("Scripts and inputs"),
            scripts::blocks,
            label!("No files were added"),
            "diskwright report ... --attach FILE",
        ),
        ("assumptions", label!("Assumptions and doubts"), sources::assumptions, label!("Nothing was assumed"), PLAN),
        ("sources", label!("Sources"), sources::blocks, label!("No sources"), OBSERVE),
    ];
    let section = |(id, title, fill, what, command): (&'static str, Label, Fill, Label, &str), folded: bool| {
        let mut blocks = fill(&read);
        if blocks.is_empty() {
            blocks.push(Block::Missing(lang.label(what).into(), command.into()));
        }
        Section { id, title: lang.label(title).into(), blocks, folded }
    };
    let shown = shown.into_iter().map(|of| section(of, false));
    shown.chain(folded.into_iter().map(|of| section(of, true))).collect()
}
