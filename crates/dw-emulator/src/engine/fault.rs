//! Bad luck on request: what `inject.rs` says about a request, carried out.
//!
//! A request that is to fail changes no byte and fails when it would have been done. One that is to take longer, or that
//! is stuck, keeps its payload and its effect until it is done.

use std::cmp::Reverse;

use dw_stack::Completion;
use dw_units::{Duration, Instant};

use super::{Done, Engine, IoError, IoOp, Slot};
use crate::inject::{FaultErrno, FaultOp, Verdict};

impl Engine {
    /// What becomes of a request that arrives.
    #[cold]
    pub(super) fn verdict(&mut self, slot: &Slot) -> Verdict {
        let op = match slot.op {
            IoOp::Read | IoOp::Cache => FaultOp::Read,
            IoOp::Write | IoOp::Zero { .. } => FaultOp::Write,
            IoOp::Trim => FaultOp::Trim,
            IoOp::Flush => FaultOp::Flush,
        };
        let mut verdict = Verdict::PASS;
        let target = self.targets[usize::from(slot.export.0)];
        let first = self.volumes[target.volume].first_member;
        if self.rules.concerns(slot.export.0) {
            verdict = self.rules.verdict(slot.export.0, op, slot.offset, slot.len);
        }
        if target.member.is_some() || !self.disks_of(target).any(|disk| self.rules.concerns(self.member_export(disk))) {
            return verdict;
        }
        let mut parts = Vec::new();
        let len = if op == FaultOp::Flush { 0 } else { slot.len };
        let _ = super::each_run(&self.stack, &self.volumes, target, slot.offset, len, |disk, at, _, len| {
            parts.push((disk, at, len));
            Ok(())
        });
        if op == FaultOp::Flush {
            parts = self.disks_of(target).map(|disk| (disk, 0, 0)).collect();
        }
        let first_disk = self.volumes[target.volume].first_disk;
        for (disk, at, len) in parts {
            verdict = verdict.and(self.rules.verdict(first + (disk - first_disk) as u16, op, at, len));
        }
        verdict
    }

    /// The export that is a disk and nothing else.
    pub(super) fn member_export(&self, disk: usize) -> u16 {
        (self.volumes.len() + disk) as u16
    }

    /// The stack is done with a request that a fault has struck: done, or not yet.
    #[cold]
    pub(super) fn strike(&mut self, index: u32, completion: Completion) -> Option<Done> {
        let slot = self.slots[index as usize].as_mut()?;
        let delay = std::mem::take(&mut slot.delay);
        slot.completion = Some(Box::new(completion));
        if slot.stuck.is_some() {
            self.stuck.push(index);
            return None;
        }
        if delay > Duration::ZERO {
            self.delayed.push(Reverse((completion.finished + delay, index)));
            return None;
        }
        self.finish(completion.finished, index)
    }

    /// The next request whose added latency ends by `until`.
    pub(super) fn delayed(&mut self, until: Instant) -> Option<Done> {
        let &Reverse((due, index)) = self.delayed.peek().filter(|next| next.0.0 <= until)?;
        self.delayed.pop();
        self.finish(due, index)
    }

    /// Lets requests go whose fault is no longer in force; gives how many.
    pub(super) fn release(&mut self, now: Instant) -> u64 {
        let mut released = 0;
        for index in std::mem::take(&mut self.stuck) {
            let held = self.slots[index as usize].as_ref().and_then(|slot| slot.stuck);
            if held.is_some_and(|id| self.rules.holds(id)) {
                self.stuck.push(index);
            } else if let Some(done) = self.finish(now, index) {
                self.ready.push_back(done);
                released += 1;
            }
        }
        released
    }
}

impl From<FaultErrno> for IoError {
    fn from(errno: FaultErrno) -> IoError {
        match errno {
            FaultErrno::Io => IoError::Io,
            FaultErrno::NoSpace => IoError::NoSpace,
        }
    }
}
