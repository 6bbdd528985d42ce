//! The block device behind a queue: what a request asks, and what the disk is like.
//!
//! ```text
//! request  type:32 reserved:32 sector:64 | data read or written | status:8, the last byte that the device may write
//! ```
//!
//! A request that makes sense as buffers and none as a request (an unknown type, half a sector, more than is allowed) is
//! answered with an error, as a disk would.

use super::chain::{Buffer, Buffers, Malformed, gather, total};
use super::memory::Memory;

/// Bytes of a sector: the unit of all figures here.
pub const SECTOR: u64 = 512;
/// Buffers of one request, as QEMU has it: a queue of 128 descriptors less header and status.
const SEGMENTS_MAX: u32 = 126;
/// Bytes of each.
const SEGMENT_MAX: u32 = 256 << 10;
/// Bytes of one read or write.
pub const TRANSFER_MAX: u64 = 32 << 20;
const _: () = assert!(SEGMENTS_MAX as u64 * SEGMENT_MAX as u64 <= TRANSFER_MAX, "whoever keeps the rules stays below");
/// Sectors of one discard, or of one request to write zeroes.
const RANGE_MAX: u32 = 1 << 22;
/// Bytes of the name that a guest sees.
pub const ID: usize = 20;
/// Bytes before the data.
pub const HEADER: u64 = 16;

/// Features of the device, by the number of their bit.
pub mod feature {
    /// A segment has a largest size.
    pub const SIZE_MAX: u32 = 1;
    /// A request has a largest number of segments.
    pub const SEG_MAX: u32 = 2;
    /// Read-only.
    pub const RO: u32 = 5;
    /// There is a size of blocks.
    pub const BLK_SIZE: u32 = 6;
    /// Flushes are understood.
    pub const FLUSH: u32 = 9;
    /// There is a size that the disk likes.
    pub const TOPOLOGY: u32 = 10;
    /// Several queues.
    pub const MQ: u32 = 12;
    /// Discards.
    pub const DISCARD: u32 = 13;
    /// Requests to write zeroes.
    pub const WRITE_ZEROES: u32 = 14;
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Fill the buffers.
    Read { offset: u64, len: u64 },
    /// Take what the buffers hold from their 17th byte on.
    Write { offset: u64, len: u64 },
    /// Make everything durable.
    Flush,
    /// Give a range back.
    Discard { offset: u64, len: u64 },
    /// Make a range zero; `unmap` allows to give it back.
    Zero { offset: u64, len: u64, unmap: bool },
    /// The disk's name.
    GetId,
    /// Nothing that can be done.
    Refused(Status),
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// Failed.
    IoError = 1,
    /// Not understood.
    Unsupported = 2,
}

/// A request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// What is asked.
    pub ask: Ask,
    /// Where the answer goes.
    pub status: u64,
}

/// Reads a request; of its buffers to write, the byte of the status is taken off.
///
/// # Errors
/// When it has no header, or no place for an answer: then nobody can be told.
pub fn parse(memory: &Memory, buffers: &mut Buffers) -> Result<Parsed, Malformed> {
    let given = total(&buffers.readable);
    if given < HEADER {
        return Err(Malformed::Form("a request without a header"));
    }
    let status =
        take_status(&mut buffers.writable).ok_or(Malformed::Form("a request without a place for its status"))?;
    let mut header = [0; HEADER as usize];
    gather(memory, &buffers.readable, 0, &mut header)?;
    let [t0, t1, t2, t3, _, _, _, _, s0, s1, s2, s3, s4, s5, s6, s7] = header;
    let sector = u64::from_le_bytes([s0, s1, s2, s3, s4, s5, s6, s7]);
    let ask = match u32::from_le_bytes([t0, t1, t2, t3]) {
        0 => transfer(sector, total(&buffers.writable), |offset, len| Ask::Read { offset, len }),
        1 => transfer(sector, given - HEADER, |offset, len| Ask::Write { offset, len }),
        4 => Ask::Flush,
        8 => Ask::GetId,
        kind @ (11 | 13) => range(memory, buffers, given - HEADER, kind == 13)?,
        _ => Ask::Refused(Status::Unsupported),
    };
    Ok(Parsed { ask, status })
}

/// The last byte of some buffers, taken off.
fn take_status(buffers: &mut Vec<Buffer>) -> Option<u64> {
    while buffers.last()?.len == 0 {
        buffers.pop();
    }
    let last = buffers.last_mut()?;
    last.len -= 1;
    Some(last.address + u64::from(last.len))
}

fn transfer(sector: u64, len: u64, make: impl FnOnce(u64, u64) -> Ask) -> Ask {
    match sector.checked_mul(SECTOR) {
        Some(offset) if len.is_multiple_of(SECTOR) && len <= TRANSFER_MAX => make(offset, len),
        _ => Ask::Refused(Status::IoError),
    }
}

/// A discard or a request to write zeroes: one range, as the configuration says.
fn range(memory: &Memory, buffers: &Buffers, len: u64, zeroes: bool) -> Result<Ask, Malformed> {
    let mut segment = [0; 16];
    if len != segment.len() as u64 {
        return Ok(Ask::Refused(Status::IoError));
    }
    gather(memory, &buffers.readable, HEADER, &mut segment)?;
    let [s0, s1, s2, s3, s4, s5, s6, s7, n0, n1, n2, n3, f0, f1, f2, f3] = segment;
    let sector = u64::from_le_bytes([s0, s1, s2, s3, s4, s5, s6, s7]);
    let (sectors, flags) = (u32::from_le_bytes([n0, n1, n2, n3]), u32::from_le_bytes([f0, f1, f2, f3]));
    if flags & !1 != 0 || (flags == 1 && !zeroes) {
        return Ok(Ask::Refused(Status::Unsupported));
    }
    let len = u64::from(sectors) * SECTOR;
    Ok(match sector.checked_mul(SECTOR) {
        Some(_) if sectors > RANGE_MAX => Ask::Refused(Status::IoError),
        Some(offset) if zeroes => Ask::Zero { offset, len, unmap: flags == 1 },
        Some(offset) => Ask::Discard { offset, len },
        None => Ask::Refused(Status::IoError),
    })
}

/// What the guest is told of the disk.
pub fn config(size: u64, preferred_block: u32, queues: u16) -> [u8; 60] {
    let blocks = u64::from(preferred_block) / SECTOR;
    let mut bytes = [0; 60];
    let mut put = |at: usize, field: &[u8]| bytes[at..at + field.len()].copy_from_slice(field);
    put(0, &(size / SECTOR).to_le_bytes());
    put(8, &SEGMENT_MAX.to_le_bytes());
    put(12, &SEGMENTS_MAX.to_le_bytes());
    put(20, &(SECTOR as u32).to_le_bytes());
    // The exponent of the physical block, then the smallest request that it likes, in logical blocks.
    put(24, &[blocks.ilog2() as u8, 0]);
    put(26, &(blocks as u16).to_le_bytes());
    // A cache that writes back: flushes count.
    put(32, &[1]);
    put(34, &queues.to_le_bytes());
    for (at, most) in [(36, RANGE_MAX), (40, 1), (44, blocks as u32), (48, RANGE_MAX), (52, 1)] {
        put(at, &most.to_le_bytes());
    }
    put(56, &[1]);
    bytes
}

/// The name that a guest sees.
pub fn id(name: &str) -> [u8; ID] {
    let mut bytes = [0; ID];
    let len = (0..=ID.min(name.len())).rev().find(|&len| name.is_char_boundary(len)).unwrap_or(0);
    bytes[..len].copy_from_slice(&name.as_bytes()[..len]);
    bytes
}
