//! Which bytes an export has: a range of it as runs on its disks, and what lies there.
//!
//! Ignores: time. What is read here is what is there at the moment of the call.

use std::io;

use dw_stack::Stack;

use super::export::Target;
use super::{Engine, ExportId, IoError, Volume};
use crate::store::{Extent, push_extent};

impl Engine {
    /// The bytes of a range as they are now: what the reply to a read carries.
    ///
    /// # Errors
    /// When the range is not within the export, or the store fails.
    #[inline]
    pub fn read(&mut self, export: ExportId, offset: u64, out: &mut [u8]) -> Result<(), IoError> {
        let size = self.exports.get(usize::from(export.0)).ok_or(IoError::Invalid)?.size;
        if offset.checked_add(out.len() as u64).is_none_or(|end| end > size) {
            return Err(IoError::Invalid);
        }
        let target = self.targets[usize::from(export.0)];
        let (disks, len) = (&mut self.disks, out.len() as u64);
        each_run(&self.stack, &self.volumes, target, offset, len, |disk, at, from, len| {
            let from = (from - offset) as usize;
            disks[disk].read(at, &mut out[from..from + len as usize])
        })
        .map_err(|error| IoError::of(&error))
    }

    /// What lies in a range: at most `limit` extents, which may end before the range does.
    pub fn extents(&self, export: ExportId, offset: u64, len: u64, limit: usize) -> Vec<Extent> {
        let mut extents = Vec::new();
        let Some(size) = self.exports.get(usize::from(export.0)).map(|export| export.size) else { return extents };
        let len = len.min(size.saturating_sub(offset));
        let target = self.targets[usize::from(export.0)];
        // An error only ends the walk: the list is full, or the store's answer was short.
        let enough = || io::Error::from(io::ErrorKind::Other);
        let _ = each_run(&self.stack, &self.volumes, target, offset, len, |disk, at, _, len| {
            let mut left = len;
            for extent in self.disks[disk].extents(at, len, limit) {
                left -= extent.len;
                if !push_extent(&mut extents, limit, extent) {
                    return Err(enough());
                }
            }
            if left > 0 { Err(enough()) } else { Ok(()) }
        });
        extents
    }
}

/// Calls `visit(disk, offset on it, offset in the export, bytes)` for every run of a range that lies on one disk.
#[inline]
pub(super) fn each_run(
    stack: &Stack,
    volumes: &[Volume],
    target: Target,
    offset: u64,
    len: u64,
    mut visit: impl FnMut(usize, u64, u64, u64) -> io::Result<()>,
) -> io::Result<()> {
    let volume = &volumes[target.volume];
    if let Some(member) = target.member {
        return visit(volume.first_disk + usize::from(member), offset, offset, len);
    }
    if volume.disks == 1 {
        return visit(volume.first_disk, offset, offset, len);
    }
    let (mut at, end) = (offset, offset + len);
    while at < end {
        let (disk, on_disk, run) = stack.place(volume.id, at);
        let run = run.min(end - at);
        visit(volume.first_disk + usize::from(disk), on_disk, at, run)?;
        at += run;
    }
    Ok(())
}
