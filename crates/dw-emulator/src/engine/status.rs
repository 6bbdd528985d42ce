//! How things are, as far as the engine knows: the meter's figures, and dirty bytes as they really are at risk.
//!
//! Dirty bytes here are acknowledged bytes that a crash of the host without survivors loses, byte for byte. The stack
//! counts whole sectors of its cache, so that its own figure can be a little higher.

use dw_stack::Op;
use dw_units::Instant;

use super::{Done, Engine, IoOp};
use crate::status::Status;
use crate::status::meter::{Outcome, Throttled, VolumeState};

impl Engine {
    /// How things are at `now`; lateness and connections are for the server to add.
    pub fn status(&mut self, now: Instant) -> Status {
        self.catch_up(now);
        let tally = self.stack.tally(now);
        if now >= self.meter.due() {
            self.meter.close_second(now, &tally);
        }
        let states: Vec<VolumeState> = self
            .volumes
            .iter()
            .zip(&self.exports)
            .map(|(volume, export)| VolumeState {
                size_bytes: export.size,
                host_cache: volume.mode,
                attached: !export.detached,
            })
            .collect();
        let mut status = self.meter.status(now, &tally, &states);
        status.cache.dirty_bytes = self.disks.iter().map(|disk| disk.overlay.bytes()).sum();
        for (row, volume) in status.volumes.iter_mut().zip(&self.volumes) {
            let disks = &self.disks[volume.first_disk..volume.first_disk + volume.disks];
            row.dirty_bytes = disks.iter().map(|disk| disk.overlay.bytes()).sum();
        }
        status.faults = self.rules.list();
        status.host = self.refusals.status();
        status
    }

    /// Keeps throttled seconds from now on, for [`Engine::throttled`].
    pub fn watch_throttling(&mut self) {
        self.meter.watch_throttling();
    }

    /// Throttled seconds that are over at `now`, since the last time it was asked. While requests only wait nothing else ends one.
    pub fn throttled(&mut self, now: Instant) -> Vec<Throttled> {
        self.catch_up(now);
        self.meter.throttled()
    }

    pub(super) fn reset_counters(&mut self, now: Instant) {
        self.stack.reset_tally(now);
        let tally = self.stack.tally(now);
        self.meter.reset(now, &tally);
    }

    /// A second is over.
    #[cold]
    pub(super) fn close_second(&mut self, now: Instant) {
        let tally = self.stack.tally(now);
        self.meter.close_second(now, &tally);
    }

    /// Counts a request that goes back.
    #[inline]
    pub(super) fn count(&mut self, done: &Done) {
        let op = match done.op {
            IoOp::Read | IoOp::Cache => Op::Read,
            IoOp::Write => Op::Write,
            IoOp::Flush => Op::Flush,
            IoOp::Trim | IoOp::Zero { .. } => Op::Trim,
        };
        let outcome = Outcome {
            op,
            bytes: done.len,
            submitted: done.submitted,
            latency: done.due.since(done.submitted),
            ok: done.result.is_ok(),
            spent: done.completion.as_ref().map(|completion| &completion.spent),
        };
        let volume = self.targets[usize::from(done.export.0)].volume;
        self.meter.done(volume, &outcome);
    }
}
