//! Reads that are hits by chance: for a driver that knows how likely each is, and leaps over what the index would go through.

use alloc::vec::Vec;

use super::Tier;
use crate::random::Stream;

/// A range of a disk, and what reads find there.
#[derive(Clone, Debug)]
struct Range {
    disk: u16,
    from: u64,
    to: u64,
    /// In 2⁻⁶⁴.
    ram: u64,
    any: u64,
}

/// The ranges whose reads are hits by chance.
#[derive(Clone, Debug)]
pub(crate) struct Chances {
    ranges: Vec<Range>,
    stream: Stream,
}

impl Chances {
    pub(crate) fn new(seed: u64) -> Chances {
        Chances { ranges: Vec::new(), stream: Stream::new(seed, 0) }
    }

    /// The same draws go on with other ranges.
    pub(crate) fn clear(&mut self) {
        self.ranges.clear();
    }

    pub(crate) fn add(&mut self, disk: u16, from: u64, to: u64, ram: f64, any: f64) {
        let of = |share: f64| (share.clamp(0.0, 1.0) * u64::MAX as f64) as u64;
        self.ranges.push(Range { disk, from, to, ram: of(ram), any: of(any) });
    }

    /// What a read at this offset finds; nothing outside of all ranges.
    pub(crate) fn draw(&mut self, disk: u16, offset: u64) -> Option<Tier> {
        let inside = |range: &&Range| range.disk == disk && (range.from..range.to).contains(&offset);
        let range = self.ranges.iter().find(inside)?;
        let draw = self.stream.draw();
        match draw {
            _ if draw < range.ram => Some(Tier::Ram),
            _ if draw < range.any || range.any == u64::MAX => Some(Tier::Ssd),
            _ => None,
        }
    }
}
