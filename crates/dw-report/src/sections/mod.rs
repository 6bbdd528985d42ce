//! The sections of a report, in the order in which a team decides. Each is filled by documents; one that nothing fills says which
//! command would.

mod bench;
mod cache;
mod comparison;
mod cost;
mod explain;
mod latency;
mod limits;
mod names;
mod places;
mod plan;
mod quality;
mod requirements;
mod scripts;
mod slowest;
mod sources;
mod summary;
mod timeline;
mod verify;
mod words;

use dw_messages::{Label, Language, label, text};

use crate::content::{Block, Section};
use crate::document::Report;
use crate::read::Read;

/// All sections: the page to decide from, then its evidence. What no document fills is left out, and named at the end.
pub(crate) fn all(report: &Report, lang: &Language) -> Vec<Section> {
    let read = Read::new(report, lang);
    type Fill = fn(&Read) -> Vec<Block>;
    type Conclude = fn(&Read) -> String;
    const PLAN: &str = "diskwright report COUNTERS... --capacity VOLUME=SIZE";
    const OBSERVE: &str = "diskwright observe FILE... --format json";
    const RUN: &str = "diskwright simulate RIG.toml JOB --output-format json";
    const SERIES: &str = "diskwright simulate RIG.toml JOB --output-format json --series 1s";
    const COLD: &str = "diskwright simulate RIG.toml JOB --output-format json --series 1s --start cold";
    const ATTACH: &str = "diskwright report ... --attach FILE";
    const COMPARE: &str = "diskwright plan REQUIREMENTS.toml --compare REGION,REGION --format json";
    const NOTHING: Conclude = |_| String::new();
    // With its title what it lacks and the command that fills it; a page without a decision shows the first seven as they are.
    let of: [(&str, Label, Fill, Conclude, Label, &str); 13] = [
        (
            "limits",
            label!("Limits along the I/O path"),
            limits::blocks,
            limits::conclusion,
            label!("No limits are here"),
            PLAN,
        ),
        (
            "timeline",
            label!("Over time"),
            timeline::blocks,
            timeline::conclusion,
            label!("No series over time is here"),
            SERIES,
        ),
        ("plan", label!("Plan and alternatives"), plan::blocks, plan::conclusion, label!("No plan is here"), PLAN),
        ("cost", label!("Cost"), cost::blocks, cost::conclusion, label!("No prices are here"), PLAN),
        (
            "places",
            label!("Places compared"),
            places::blocks,
            places::conclusion,
            label!("No places were compared"),
            COMPARE,
        ),
        (
            "comparison",
            label!("Required, predicted, measured"),
            comparison::blocks,
            comparison::conclusion,
            label!("There are not two sides to compare"),
            RUN,
        ),
        (
            "requirements",
            label!("Requirements"),
            requirements::blocks,
            requirements::conclusion,
            label!("What the application asks of its disks is not here"),
            OBSERVE,
        ),
        (
            "data-quality",
            label!("Data quality"),
            quality::blocks,
            quality::conclusion,
            label!("No recording was audited"),
            OBSERVE,
        ),
        ("latency", label!("Latency distributions"), latency::blocks, NOTHING, label!("No latencies are here"), RUN),
        (
            "cache",
            label!("Cache warming"),
            cache::blocks,
            cache::conclusion,
            label!("No run on a volume with a host cache is here"),
            COLD,
        ),
        (
            "scripts",
            label!("Scripts and inputs"),
            scripts::blocks,
            scripts::conclusion,
            label!("No files were added"),
            ATTACH,
        ),
        (
            "assumptions",
            label!("Assumptions and doubts"),
            sources::assumptions,
            sources::conclusion,
            label!("Nothing was assumed"),
            PLAN,
        ),
        ("sources", label!("Sources"), sources::blocks, NOTHING, label!("No sources"), OBSERVE),
    ];
    let first = Section {
        id: "summary",
        title: lang.label(label!("Summary")).into(),
        blocks: summary::blocks(&read),
        folded: None,
    };
    let is_decided = read.plans.iter().any(|(_, plan)| plan.decision.is_some());
    let (mut sections, mut missing) = (vec![first], Vec::new());
    for (place, (id, title, fill, conclude, what, command)) in of.into_iter().enumerate() {
        let blocks = fill(&read);
        if blocks.is_empty() {
            missing.push(Block::Missing(lang.label(what).into(), command.into()));
            continue;
        }
        let folded = (is_decided || place >= SHOWN).then(|| conclude(&read));
        sections.push(Section { id, title: lang.label(title).into(), blocks, folded });
    }
    if !missing.is_empty() {
        let line = text!(lang, "what else a report can have, and the commands for it");
        let title = text!(lang, "Not in this report");
        sections.push(Section { id: "missing", title, blocks: missing, folded: Some(line) });
    }
    names::shorten(&mut sections, &read);
    sections
}

/// Sections that a page without a decision shows as they are.
const SHOWN: usize = 7;
