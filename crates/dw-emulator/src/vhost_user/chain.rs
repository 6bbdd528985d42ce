//! One request as the driver describes it: buffers that the device reads, then buffers that it writes.
//!
//! ```text
//! descriptor  address:64 len:32 flags:16 next:16      flags: next:1 write:1 indirect:1
//! ```
//!
//! Invariant: what is handed out lies in the client's memory, has at most 2³² bytes, and was read in a bounded number of steps,
//! however the descriptors point at each other.

use super::fault::Fault;
use super::memory::Memory;

/// Bytes of a descriptor.
pub const DESCRIPTOR: u64 = 16;
/// Descriptors of an indirect table: more than a queue may have is no request.
const TABLE_MAX: u64 = 1_024 + 2;
const NEXT: u16 = 1;
const WRITE: u16 = 2;
const INDIRECT: u16 = 4;

/// A piece of the client's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    pub address: u64,
    /// Bytes.
    pub len: u32,
}

/// The buffers of one request.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    /// What the driver has written.
    pub readable: Vec<Buffer>,
    /// What the device is to write.
    pub writable: Vec<Buffer>,
}

/// Bytes of some buffers.
#[inline]
pub fn total(buffers: &[Buffer]) -> u64 {
    buffers.iter().map(|buffer| u64::from(buffer.len)).sum()
}

/// A table of descriptors.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Where it begins.
    pub address: u64,
    pub len: u64,
    /// Whether a descriptor may stand for a table of its own.
    pub indirect: bool,
}

impl Buffers {
    /// Follows the descriptors from `head` on.
    ///
    /// # Errors
    /// When they lead outside of the memory or nowhere, go round in circles, or are not of a form that requests have.
    pub fn follow(&mut self, memory: &Memory, mut table: Table, head: u16) -> Result<(), Malformed> {
        self.readable.clear();
        self.writable.clear();
        let (mut index, mut steps, mut bytes) = (u64::from(head), table.len, 0);
        loop {
            if index >= table.len {
                return Err(Malformed::Form("a descriptor leads to one that does not exist"));
            }
            if steps == 0 {
                return Err(Malformed::Form("descriptors go round in circles"));
            }
            let mut raw = [0; DESCRIPTOR as usize];
            memory.read(table.address + index * DESCRIPTOR, &mut raw)?;
            let (buffer, flags, next) = fields(&raw);
            if flags & INDIRECT != 0 {
                table = inner(memory, table, buffer, flags)?;
                (index, steps) = (0, table.len);
                continue;
            }
            memory.check(buffer.address, buffer.len.into())?;
            bytes += u64::from(buffer.len);
            if bytes > u64::from(u32::MAX) {
                return Err(Malformed::Form("a request has more than 4 GiB"));
            }
            if flags & WRITE != 0 {
                self.writable.push(buffer);
            } else if self.writable.is_empty() {
                self.readable.push(buffer);
            } else {
                return Err(Malformed::Form("a buffer to read stands behind one to write"));
            }
            if flags & NEXT == 0 {
                return Ok(());
            }
            (index, steps) = (u64::from(next), steps - 1);
        }
    }
}

/// Why buffers cannot be had.
#[derive(Debug)]
pub enum Malformed {
    /// They are not in the client's memory.
    Memory(Fault),
    /// The descriptors are not of a form that requests have.
    Form(&'static str),
}

impl From<Fault> for Malformed {
    fn from(fault: Fault) -> Self {
        Malformed::Memory(fault)
    }
}

fn fields(raw: &[u8; DESCRIPTOR as usize]) -> (Buffer, u16, u16) {
    let [a0, a1, a2, a3, a4, a5, a6, a7, l0, l1, l2, l3, f0, f1, n0, n1] = *raw;
    let address = u64::from_le_bytes([a0, a1, a2, a3, a4, a5, a6, a7]);
    let len = u32::from_le_bytes([l0, l1, l2, l3]);
    (Buffer { address, len }, u16::from_le_bytes([f0, f1]), u16::from_le_bytes([n0, n1]))
}

/// The table that a descriptor stands for.
fn inner(memory: &Memory, outer: Table, buffer: Buffer, flags: u16) -> Result<Table, Malformed> {
    if !outer.indirect {
        return Err(Malformed::Form("a table of descriptors where none may be"));
    }
    if flags & NEXT != 0 {
        return Err(Malformed::Form("a table of descriptors that is not the last of its request"));
    }
    let (len, rest) = (u64::from(buffer.len) / DESCRIPTOR, u64::from(buffer.len) % DESCRIPTOR);
    if rest != 0 || len == 0 || len > TABLE_MAX {
        return Err(Malformed::Form("a table of descriptors with a length that none can have"));
    }
    memory.check(buffer.address, buffer.len.into())?;
    Ok(Table { address: buffer.address, len, indirect: false })
}

/// Where the `len` bytes of buffers from the byte at `skip` on are, and how many are there.
fn places(buffers: &[Buffer], mut skip: u64, mut len: usize) -> impl Iterator<Item = (u64, usize)> {
    buffers.iter().filter_map(move |buffer| {
        let here = u64::from(buffer.len);
        let at = skip.min(here);
        let take = ((here - at) as usize).min(len);
        (skip, len) = (skip - at, len - take);
        (take > 0).then_some((buffer.address + at, take))
    })
}

/// Copies out of buffers, from the byte at `skip` on; they must have that many.
///
/// # Errors
/// When they are not in the client's memory any more.
pub fn gather(memory: &Memory, buffers: &[Buffer], skip: u64, out: &mut [u8]) -> Result<(), Fault> {
    let mut rest = out;
    for (address, len) in places(buffers, skip, rest.len()) {
        let (here, more) = std::mem::take(&mut rest).split_at_mut(len);
        memory.read(address, here)?;
        rest = more;
    }
    Ok(())
}

/// The `len` bytes of buffers from the byte at `skip` on; they must have that many.
///
/// # Errors
/// When they are not in the client's memory any more.
pub fn bytes(memory: &Memory, buffers: &[Buffer], skip: u64, len: usize) -> Result<Vec<u8>, Fault> {
    let mut out = Vec::with_capacity(len);
    for (address, len) in places(buffers, skip, len) {
        memory.append(address, len, &mut out)?;
    }
    Ok(out)
}

/// Copies into buffers, as far as they go.
///
/// # Errors
/// When they are not in the client's memory any more.
pub fn scatter(memory: &Memory, buffers: &[Buffer], bytes: &[u8]) -> Result<(), Fault> {
    let mut rest = bytes;
    for buffer in buffers {
        let (here, more) = rest.split_at((buffer.len as usize).min(rest.len()));
        if !here.is_empty() {
            memory.write(buffer.address, here)?;
        }
        rest = more;
    }
    Ok(())
}
