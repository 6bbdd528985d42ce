//! What requests do to the bytes, and when.
//!
//! ```text
//!                        at arrival            when done
//!  None, ReadOnly:       into the store        (sync after FUA and FLUSH)
//!    trim, zeroes        by pieces, as the stack is given them
//!  ReadWrite: write                            into the overlay; with FUA into the store
//!             zeroes kept allocated            as a write
//!             trim, zeroes that punch          into the store: they pass the cache by
//!             flush                            what was acknowledged when it came: into the store
//! ```
//!
//! A write under ReadWrite waits with its payload until it is done: until then nobody may rely on it, and reads need not
//! see it. A write that a fault may tear waits in the same way under every mode.

use std::sync::Arc;

use dw_stack::Destaged;

use super::disk::content;
use super::{Engine, IoError, IoOp, Slot, Target, each_run};
use crate::durability::Piece;

impl Engine {
    /// What a request does to the bytes when it arrives; nothing when it is one that waits.
    #[inline]
    pub(super) fn arrive(&mut self, slot: &mut Slot) {
        if slot.op == IoOp::Flush {
            slot.boundary = self.writes;
            let target = self.targets[usize::from(slot.export.0)];
            let disks = self.disks_of(target);
            self.disks[disks].iter_mut().for_each(|disk| disk.flushing.push(slot.boundary));
        } else if !slot.waits && slot.op == IoOp::Write {
            let target = self.targets[usize::from(slot.export.0)];
            slot.result = self.put(target, slot.op, slot.fua, (slot.offset, slot.len), &slot.data);
            slot.data = Vec::new();
        }
    }

    /// Changes a range of the store.
    pub(super) fn put(
        &mut self,
        target: Target,
        op: IoOp,
        fua: bool,
        (base, len): (u64, u64),
        data: &[u8],
    ) -> Result<(), IoError> {
        if fua {
            self.log_fua(true);
        }
        let disks = &mut self.disks;
        let result = each_run(&self.stack, &self.volumes, target, base, len, |disk, at, offset, len| {
            let from = (offset - base) as usize;
            let data = if op == IoOp::Write { &data[from..from + len as usize] } else { &[][..] };
            disks[disk].put(op, at, len, data)
        });
        if fua {
            self.log_fua(false);
        }
        result.map_err(|error| IoError::from_io(&error))
    }

    /// What a request does to the bytes when it is done.
    #[inline]
    pub(super) fn settle(&mut self, slot: &mut Slot) {
        let target = self.targets[usize::from(slot.export.0)];
        if slot.op == IoOp::Flush {
            self.settle_flush(slot, target);
        } else if slot.op.changes() && slot.result.is_ok() {
            let fua = slot.fua && !self.ignores_fua();
            let stays_in_cache = self.volumes[target.volume].write_back
                && matches!(slot.op, IoOp::Write | IoOp::Zero { punch: false })
                && !fua;
            if stays_in_cache {
                self.put_volatile(slot, target);
            } else if slot.waits {
                slot.result = self.put(target, slot.op, fua, (slot.offset, slot.len), &slot.data);
            }
            if fua && slot.result.is_ok() {
                let disks = self.disks_of(target);
                let synced = self.disks[disks].iter_mut().try_for_each(|disk| disk.store.sync());
                slot.result = synced.map_err(|error| IoError::from_io(&error));
            }
        }
    }

    /// The host cache has it, nobody else.
    fn put_volatile(&mut self, slot: &mut Slot, target: Target) {
        self.writes += 1;
        self.note_write(slot.cookie);
        let buffer = Arc::new(std::mem::take(&mut slot.data));
        let (write, arrived, base, op) = (self.writes, slot.submitted, slot.offset, slot.op);
        let disks = &mut self.disks;
        let put = each_run(&self.stack, &self.volumes, target, base, slot.len, |disk, at, offset, len| {
            let content = content(op, &buffer, offset - base);
            disks[disk].put_volatile(at, Piece { len, write, arrived, content });
            Ok(())
        });
        slot.result = put.map_err(|error| IoError::from_io(&error));
        for home in std::mem::take(&mut slot.home) {
            self.bring_home(&home);
        }
    }

    fn settle_flush(&mut self, slot: &mut Slot, target: Target) {
        let boundary = self.flush_boundary(slot.boundary);
        let disks = self.disks_of(target);
        for disk in disks {
            let disk = &mut self.disks[disk];
            if let Some(at) = disk.flushing.iter().position(|&other| other == slot.boundary) {
                disk.flushing.swap_remove(at);
            }
            if slot.result.is_ok() {
                let sabotage = self.sabotage.as_ref();
                slot.result = disk.flush(|piece| {
                    piece.write <= boundary
                        && sabotage.is_none_or(|sabotage| sabotage.flushes(piece.write, slot.cookie))
                });
            }
        }
        if slot.result.is_ok() {
            slot.result = self.log_flush(target);
        }
    }

    /// Takes in what the stack's write-backs brought home.
    #[inline]
    pub(super) fn take_destages(&mut self) {
        while let Some(destaged) = self.stack.poll_destaged() {
            if self.sabotage.is_some() {
                continue;
            }
            self.bring_home(&destaged);
            // What the cache has already sent home before it was acknowledged goes on being home afterwards.
            for slot in self.slots.iter_mut().flatten() {
                let target = self.targets[usize::from(slot.export.0)];
                if slot.waits && target.volume == usize::from(destaged.volume.0) && slot.submitted <= destaged.started {
                    slot.home.push(destaged);
                }
            }
        }
    }

    fn bring_home(&mut self, destaged: &Destaged) {
        let disk = self.volumes[usize::from(destaged.volume.0)].first_disk + usize::from(destaged.member);
        self.disks[disk].destaged(destaged.offset, destaged.len, destaged.started);
    }

    /// The disks behind an export.
    pub(super) fn disks_of(&self, target: Target) -> std::ops::Range<usize> {
        let volume = &self.volumes[target.volume];
        match target.member {
            None => volume.first_disk..volume.first_disk + volume.disks,
            Some(member) => volume.first_disk + usize::from(member)..volume.first_disk + usize::from(member) + 1,
        }
    }
}
