//! Files that belong to the decision: scenarios, jobs, scripts that build it.

use crate::content::Block;
use crate::read::Read;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let texts = read.texts.iter().filter(|(_, text)| text.role != "requirements");
    let mut blocks: Vec<Block> = texts.map(|(name, text)| Block::Code(name.clone(), text.text.clone())).collect();
    for (_, bench) in &read.benches {
        let jobs = bench.scenarios.iter().filter(|s| !s.job.is_empty());
        blocks.extend(jobs.map(|s| Block::Code(format!("{}.fio", s.id), s.job.clone())));
    }
    blocks
}
