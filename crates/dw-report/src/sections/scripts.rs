//! Files that belong to the decision: scenarios, jobs, scripts that build it.

use crate::content::Block;
use crate::read::Read;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let texts = read.texts.iter().filter(|(_, text)| text.role != "requirements");
    texts.map(|(name, text)| Block::Code(name.clone(), text.text.clone())).collect()
}
