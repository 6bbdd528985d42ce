//! Which bytes an export has: a range of it as runs on its disks, and what lies there.
//!
//! Ignores: time. What is read here is what is there at the moment of the call.

use std::io;

use dw_stack::{Layout, Stack};

use super::export::Target;
use super::{Disk, Engine, ExportId, IoError, Volume};
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
        .map_err(|error| IoError::from_io(&error))
    }

    /// What lies in a range: at most `limit` extents, which may end before the range does.
    pub fn extents(&self, export: ExportId, offset: u64, len: u64, limit: usize) -> Vec<Extent> {
        let Some(size) = self.exports.get(usize::from(export.0)).map(|export| export.size) else { return Vec::new() };
        let len = len.min(size.saturating_sub(offset));
        if len == 0 {
            return Vec::new();
        }
        let Target { volume, member } = self.targets[usize::from(export.0)];
        let volume = &self.volumes[volume];
        let (disk, on_disk, run) = match member {
            Some(member) => (member, offset, len),
            None => self.stack.place(volume.id, offset),
        };
        if len <= run {
            return self.disks[volume.first_disk + usize::from(disk)].extents(on_disk, len, limit);
        }
        Striped { stack: &self.stack, volume, disks: &self.disks }.extents(offset, offset + len, limit)
    }
}

/// The extents of a stripe, merged from those of its disks: as many questions as they have extents, not as many as the stripe has
/// chunks. 4 TiB are 67 million chunks of 64 KiB.
struct Striped<'a> {
    stack: &'a Stack,
    volume: &'a Volume,
    disks: &'a [Disk],
}

/// One of its disks.
struct Member<'a> {
    disk: &'a Disk,
    layout: Layout,
    /// Its next extents.
    ahead: std::vec::IntoIter<Extent>,
    /// What lies on it up to its byte `until`, which is the byte `change` of the volume.
    kind: Extent,
    until: u64,
    change: u64,
    /// Behind the last of its bytes that is asked about.
    last: u64,
    /// Behind its last byte in the volume.
    end: u64,
}

impl Member<'_> {
    /// On to the next extent; of the disk's own, at most `limit` are asked for at once.
    fn advance(&mut self, limit: usize) -> Option<()> {
        if self.ahead.as_slice().is_empty() {
            self.ahead = self.disk.extents(self.until, self.last.saturating_sub(self.until), limit).into_iter();
        }
        self.kind = self.ahead.next()?;
        self.until += self.kind.len;
        // Behind its last chunk nothing of the volume changes any more.
        self.change = self.layout.find(self.until).map_or(u64::MAX, |(at, _)| at);
        Some(())
    }

    fn is_as(&self, other: Extent) -> bool {
        (self.kind.hole, self.kind.zero) == (other.hole, other.zero)
    }
}

impl Striped<'_> {
    fn extents(&self, offset: u64, end: u64, limit: usize) -> Vec<Extent> {
        let (mut extents, mut at) = (Vec::new(), offset);
        let mut members = self.members(offset, end);
        while at < end {
            let (disk, _, chunk) = self.stack.place(self.volume.id, at);
            let mut takes_part = members.iter_mut().flatten();
            let known = takes_part.try_for_each(|member| {
                while member.change <= at {
                    member.advance(limit)?;
                }
                Some(())
            });
            // The list may end early: it does where a disk has no answer.
            let Some(kind) = known.and(members[usize::from(disk)].as_ref()).map(|member| member.kind) else { break };
            let others = members.iter().flatten().filter(|member| member.end > at);
            let alike = others.clone().all(|member| member.is_as(kind));
            let change = others.map(|member| member.change).min().unwrap_or(end);
            let stop = if alike { change } else { change.min(at + chunk) }.min(end);
            if !push_extent(&mut extents, limit, Extent { len: stop - at, ..kind }) {
                break;
            }
            at = stop;
        }
        extents
    }

    /// Those that have bytes of a range. Each has one of its first chunks, as many as there are disks, and one of its last unless it is full
    /// before.
    fn members(&self, offset: u64, end: u64) -> Vec<Option<Member<'_>>> {
        let Volume { id, first_disk, disks, .. } = *self.volume;
        let unit = self.stack.layout(id, 0).chunk();
        let mut members: Vec<Option<Member>> = (0..disks).map(|_| None).collect();
        let mut at = offset;
        for _ in 0..=disks {
            if at >= end {
                break;
            }
            let (disk, until, chunk) = self.stack.place(id, at);
            members[usize::from(disk)].get_or_insert_with(|| {
                let (disk, layout) = (&self.disks[first_disk + usize::from(disk)], self.stack.layout(id, disk));
                let last = disk.spec.size.get() / unit * unit;
                let end = layout.find(last - 1).map_or(u64::MAX, |(last, _)| last + 1);
                let kind = Extent { len: 0, hole: false, zero: false };
                Member { disk, layout, ahead: Vec::new().into_iter(), kind, until, change: at, last, end }
            });
            at += chunk;
        }
        let mut behind = end;
        let mut found = vec![false; disks];
        for _ in 0..=disks {
            if behind <= offset {
                break;
            }
            let (disk, last, left) = self.stack.place(id, behind - 1);
            let disk = usize::from(disk);
            if let Some(member) = members[disk].as_mut().filter(|_| !std::mem::replace(&mut found[disk], true)) {
                member.last = last + 1;
            }
            behind = (behind - 1).saturating_sub(unit - left);
        }
        members
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
