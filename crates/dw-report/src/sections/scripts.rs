//! Files that belong to the decision: what builds and verifies the plan, scenarios, jobs.

use dw_messages::text;

use crate::content::Block;
use crate::document::NOT_SIMULATED;
use crate::read::Read;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let of = |role: fn(&str) -> bool| {
        let texts = read.texts.iter().filter(move |(_, text)| role(&text.role));
        texts.map(|(name, text)| Block::Code(name.to_string(), text.text.clone())).collect::<Vec<Block>>()
    };
    let mut blocks = Vec::new();
    let scripts = of(|role| role == "script");
    if !scripts.is_empty() {
        blocks.push(Block::Text(text!(
            read.lang,
            "What diskwright provision writes for the plan. Scripts change nothing until they are told to with their option for it; a click into a text selects all of it."
        )));
        blocks.extend(scripts);
    }
    let mut inputs = of(|role| !matches!(role, "script" | "requirements" | NOT_SIMULATED));
    for (_, bench) in &read.benches {
        let jobs = bench.scenarios.iter().filter(|s| !s.job.is_empty());
        inputs.extend(jobs.map(|s| Block::Code(format!("{}.fio", s.id), s.job.clone())));
    }
    if !blocks.is_empty() && !inputs.is_empty() {
        blocks.push(Block::Heading(text!(read.lang, "Inputs")));
    }
    blocks.extend(inputs);
    blocks
}

/// Their names.
pub(super) fn conclusion(read: &Read) -> String {
    let names: Vec<String> = read.texts.iter().map(|(name, _)| name.to_string()).collect();
    read.lang.list(&names)
}
