//! Direct I/O: whole, aligned 4 KiB units through a buffer that is aligned, too.
//!
//! A request that begins or ends within a unit reads that unit first. 4 KiB satisfies every disk and file system that asks
//! for less.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

const UNIT: usize = 4096;
/// Larger requests go in pieces of this size.
const PIECE: usize = 1 << 20;

/// The aligned buffer.
#[derive(Debug, Default)]
pub(super) struct Direct {
    memory: Vec<u8>,
}

impl Direct {
    fn buffer(&mut self, len: usize) -> &mut [u8] {
        if self.memory.is_empty() {
            // One unit more than is used, so that an aligned part is in it wherever it lies.
            self.memory = vec![0; PIECE + UNIT];
        }
        let skip = self.memory.as_ptr().align_offset(UNIT).min(UNIT);
        &mut self.memory[skip..skip + len]
    }

    pub(super) fn read(&mut self, file: &File, offset: u64, out: &mut [u8]) -> io::Result<()> {
        each_piece(offset, out.len(), |start, len, within, from, bytes| {
            let buffer = self.buffer(len);
            file.read_exact_at(buffer, start)?;
            out[from..from + bytes].copy_from_slice(&buffer[within..within + bytes]);
            Ok(())
        })
    }

    pub(super) fn write(&mut self, file: &File, offset: u64, data: &[u8]) -> io::Result<()> {
        each_piece(offset, data.len(), |start, len, within, from, bytes| {
            let buffer = self.buffer(len);
            if within > 0 {
                file.read_exact_at(&mut buffer[..UNIT], start)?;
            }
            if within + bytes < len && (within == 0 || len > UNIT) {
                file.read_exact_at(&mut buffer[len - UNIT..], start + (len - UNIT) as u64)?;
            }
            buffer[within..within + bytes].copy_from_slice(&data[from..from + bytes]);
            file.write_all_at(buffer, start)
        })
    }
}

/// Calls `visit(first byte, bytes)` of aligned pieces, `(bytes before the request, first byte of the request, its bytes)`.
fn each_piece(
    offset: u64,
    len: usize,
    mut visit: impl FnMut(u64, usize, usize, usize, usize) -> io::Result<()>,
) -> io::Result<()> {
    let mut from = 0;
    while from < len {
        let at = offset + from as u64;
        let within = (at % UNIT as u64) as usize;
        let bytes = (len - from).min(PIECE - within);
        visit(at - within as u64, (within + bytes).next_multiple_of(UNIT), within, from, bytes)?;
        from += bytes;
    }
    Ok(())
}
