//! Where the bytes of a volume are: its chunks dealt out one at a time, as Linux md does.

use dw_units::Bytes;

/// Some bytes of a request on one disk of its volume.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) disk: usize,
    pub(crate) offset: u64,
    pub(crate) len: u64,
    /// How many disks shared the round of the deal.
    width: usize,
}

/// The chunks of a volume, in order.
pub(crate) struct Deal {
    unit: u64,
    chunks: Vec<Piece>,
}

impl Deal {
    /// In each round every disk gets the next of its chunks, as long as it has one.
    pub(crate) fn new(sizes: &[Bytes], unit: Bytes) -> Deal {
        let (unit, mut chunks) = (unit.get(), Vec::new());
        for offset in (0..).step_by(unit as usize) {
            let round: Vec<usize> = (0..sizes.len()).filter(|&disk| offset + unit <= sizes[disk].get()).collect();
            if round.is_empty() {
                break;
            }
            chunks.extend(round.iter().map(|&disk| Piece { disk, offset, len: unit, width: round.len() }));
        }
        Deal { unit, chunks }
    }

    pub(crate) fn size(&self) -> u64 {
        self.chunks.len() as u64 * self.unit
    }

    /// The disk I/Os of a request: what it wants of each disk, of rounds with as many disks, is one.
    pub(crate) fn split(&self, offset: u64, len: u64) -> Vec<Piece> {
        let (mut pieces, mut at): (Vec<Piece>, u64) = (Vec::new(), offset);
        while at < offset + len {
            let (chunk, skip) = (self.chunks[(at / self.unit) as usize], at % self.unit);
            let piece = Piece { offset: chunk.offset + skip, len: (chunk.len - skip).min(offset + len - at), ..chunk };
            match pieces.iter_mut().find(|before| (before.disk, before.width) == (piece.disk, piece.width)) {
                Some(before) => before.len += piece.len,
                None => pieces.push(piece),
            }
            at += piece.len;
        }
        pieces
    }
}
