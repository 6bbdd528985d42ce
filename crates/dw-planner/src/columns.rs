//! A demand by column, and the highest stamps of what is computed from it, of which few are visited.
//!
//! Stamps stand in blocks. What never falls where a column rises is in no stamp of a block above what it is at the most of each column in
//! the block, so a block whose bound is below enough stamps that are known is passed over: a month of minutes has few that matter.
//!
//! Invariant: what is found is what visiting every stamp finds, among equals too.

use std::ops::Range;

use crate::problem::Sample;

/// Stamps of a block: neighbours in time are alike.
const BLOCK: usize = 16;

/// One number a stamp, or one a block that is at least that of each of its stamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Per {
    Stamp,
    Block,
}

/// What is counted of a demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    Requests,
    Bytes,
}

/// A demand by column: requests, then bytes; reads, then writes.
pub(crate) struct Columns {
    stamps: [[Vec<u64>; 2]; 2],
    blocks: [[Vec<u64>; 2]; 2],
}

impl Columns {
    pub(crate) fn of(samples: &[Sample]) -> Columns {
        let column = |of: fn(&Sample) -> u64| samples.iter().map(of).collect::<Vec<u64>>();
        let stamps =
            [[column(|s| s.reads), column(|s| s.writes)], [column(|s| s.read_bytes), column(|s| s.write_bytes)]];
        let most =
            |column: &Vec<u64>| column.chunks(BLOCK).map(|block| block.iter().copied().fold(0, u64::max)).collect();
        let blocks = stamps.each_ref().map(|columns| columns.each_ref().map(most));
        Columns { stamps, blocks }
    }

    /// Reads and writes, or the bytes of both; nothing beyond the last stamp.
    pub(crate) fn get(&self, counted: Counted, per: Per, range: Range<usize>) -> [&[u64]; 2] {
        let columns = match per {
            Per::Stamp => &self.stamps,
            Per::Block => &self.blocks,
        };
        columns[counted as usize].each_ref().map(|column| {
            let end = range.end.min(column.len());
            &column[range.start.min(end)..end]
        })
    }
}

/// The `count` highest of so many stamps with their places, largest first; `add` adds to zeroes what is there in a range of stamps, and to
/// those of blocks what no stamp of them exceeds. Nothing exceeds a limit where nothing is asked.
pub(crate) fn highest(
    stamps: usize,
    count: usize,
    mut add: impl FnMut(Per, Range<usize>, &mut [u64]),
) -> Vec<(u64, u32)> {
    let mut tops = Tops::new(count, stamps);
    let blocks = stamps.div_ceil(BLOCK);
    // The blocks with the highest bounds come first: after so many there are `count` stamps to be compared with.
    let first = 2 * count.div_ceil(BLOCK);
    let mut order: Vec<(u64, u32)> = Vec::new();
    if blocks > 2 * first {
        let mut bounds = vec![0; blocks];
        add(Per::Block, 0..blocks, &mut bounds);
        order = bounds.into_iter().zip(0u32..).collect();
        order.select_nth_unstable_by(first, |a, b| b.cmp(a));
    }
    let mut visit = |block: usize, tops: &mut Tops| {
        let range = block * BLOCK..((block + 1) * BLOCK).min(stamps);
        let mut values = [0; BLOCK];
        let values = &mut values[..range.len()];
        add(Per::Stamp, range.clone(), values);
        values.iter().zip(range).for_each(|(value, stamp)| tops.take((*value, stamp as u32)));
    };
    if order.is_empty() {
        (0..blocks).for_each(|block| visit(block, &mut tops));
    }
    for (place, &(bound, block)) in order.iter().enumerate() {
        if place == first {
            tops.settle();
        }
        if bound >= tops.least.0 {
            visit(block as usize, &mut tops);
        }
    }
    tops.sorted()
}

/// The stamps in which requests or bytes exceed what is given, with both; `add` as in [`highest`].
pub(crate) fn exceeding(
    stamps: usize,
    given: (u64, u64),
    mut add: impl FnMut(Counted, Per, Range<usize>, &mut [u64]),
) -> Vec<(u64, u64)> {
    let mut both = |per: Per, range: Range<usize>| {
        let (mut requests, mut bytes) = (vec![0; range.len()], vec![0; range.len()]);
        add(Counted::Requests, per, range.clone(), &mut requests);
        add(Counted::Bytes, per, range, &mut bytes);
        requests.into_iter().zip(bytes)
    };
    let exceeds = |stamp: &(u64, u64)| stamp.0 > given.0 || stamp.1 > given.1;
    let bounds = both(Per::Block, 0..stamps.div_ceil(BLOCK)).enumerate();
    let blocks: Vec<usize> = bounds.filter(|(_, bound)| exceeds(bound)).map(|(block, _)| block).collect();
    blocks
        .into_iter()
        .flat_map(|block| both(Per::Stamp, block * BLOCK..((block + 1) * BLOCK).min(stamps)))
        .filter(exceeds)
        .collect()
}

/// The highest stamps so far.
struct Tops {
    count: usize,
    room: usize,
    tops: Vec<(u64, u32)>,
    /// What is no higher is passed over.
    least: (u64, u32),
}

impl Tops {
    fn new(count: usize, stamps: usize) -> Tops {
        let room = (2 * count).min(stamps);
        Tops { count, room, tops: Vec::with_capacity(room), least: (0, u32::MAX) }
    }

    fn take(&mut self, top: (u64, u32)) {
        if top <= self.least {
            return;
        }
        if self.tops.len() == self.room && self.room > self.count {
            self.settle();
            if top <= self.least {
                return;
            }
        }
        self.tops.push(top);
    }

    /// Leaves out all but the highest, and from now on what is not among them.
    fn settle(&mut self) {
        if self.tops.len() > self.count {
            self.tops.select_nth_unstable_by(self.count - 1, |a, b| b.cmp(a));
            self.tops.truncate(self.count);
        }
        if self.tops.len() == self.count {
            self.least = self.tops.iter().copied().min().unwrap_or(self.least).max(self.least);
        }
    }

    fn sorted(mut self) -> Vec<(u64, u32)> {
        self.settle();
        self.tops.sort_unstable_by(|a, b| b.cmp(a));
        self.tops
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_are_those_of_a_sorted_list() {
        // Values repeat, so that places decide; zeroes are nothing. A wave, noise, and a few peaks in much that is low.
        let draw = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58;
        let kinds: [fn(u64, u64) -> u64; 4] = [
            |_, noise| noise,
            |i, noise| i.abs_diff(2_500) + noise,
            |i, noise| if i % 97 == 0 { noise } else { 1 },
            |_, _| 0,
        ];
        for kind in kinds {
            for stamps in [0, 1, 15, 16, 17, 1_000, 5_003] {
                let values: Vec<u64> = (0..stamps).map(|i| kind(i, draw(i))).collect();
                let mut sorted: Vec<(u64, u32)> = values.iter().copied().zip(0u32..).filter(|top| top.0 > 0).collect();
                sorted.sort_unstable_by(|a, b| b.cmp(a));
                for count in [1, 2, 7, 50, 985, 1_000, 2_000] {
                    let found = highest(values.len(), count, |per, range, out| match per {
                        Per::Stamp => out.copy_from_slice(&values[range]),
                        // No bound is too high.
                        Per::Block => out.iter_mut().zip(range).for_each(|(out, block)| {
                            let end = ((block + 1) * BLOCK).min(values.len());
                            *out = values[block * BLOCK..end].iter().max().unwrap() + draw(block as u64) / 8;
                        }),
                    });
                    assert_eq!(found, sorted[..count.min(sorted.len())], "{count} of {stamps}");
                }
            }
        }
    }
}
