//! Changes that need their volume at rest.
//!
//! A change that empties a cache (another cache mode, detaching, growing a cached disk, a restart) needs its volume at
//! rest. Requests that come meanwhile are held, those under way are finished, dirty data are brought home by a flush that
//! takes its modelled time, then the change is made and the held requests go on. The command is answered at once; an idle
//! volume is changed before the answer. Detaching refuses new requests instead of holding them.
//!
//! Ignores: how long the vendor takes to detach and attach a disk.
//!
//! Invariant: a change never loses an acknowledged byte: when a store refuses dirty data, the volume stays as it is.

use dw_stack::{Busy, CacheMode, DiskSpec, Op, Request};
use dw_units::Instant;

use super::{Engine, ExportId, OWN, Volume};

/// Something that waits for volumes to come to rest.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) kind: Kind,
    /// Flushes of the engine's own that are under way; `None` = not begun.
    flushes: Option<u32>,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Cache { volume: usize, mode: CacheMode },
    Detach { volume: usize },
    Disk { volume: usize, member: u16, spec: Box<DiskSpec> },
    Reboot,
}

/// Why a change was not made.
enum Refusal {
    /// A guest that has crashed left writes behind that reached the cache after the flush: flush again.
    Dirty,
    Final,
}

impl Kind {
    pub(super) fn concerns(&self, volume: usize) -> bool {
        match *self {
            Kind::Cache { volume: v, .. } | Kind::Detach { volume: v } | Kind::Disk { volume: v, .. } => v == volume,
            Kind::Reboot => true,
        }
    }
}

impl Engine {
    /// Other limits or more bytes for one disk.
    pub(super) fn set_disk(&mut self, now: Instant, volume: usize, member: u16, spec: &DiskSpec) -> Result<(), String> {
        let Volume { id, first_disk, first_member, disks, .. } = self.volumes[volume];
        let disk = &mut self.disks[first_disk + usize::from(member)];
        let old = disk.spec.size.get();
        if spec.size.get() > old {
            disk.store.resize(spec.size.get()).map_err(|error| error.to_string())?;
        }
        if let Err(busy) = self.stack.set_disk(now, id, member, spec) {
            if spec.size.get() > old {
                disk.store.resize(old).map_err(|error| error.to_string())?;
            }
            return Err(match busy {
                Busy::NotCacheable => "the host cache does not take a disk of that size".into(),
                busy => format!("the disk is busy: {busy:?}"),
            });
        }
        disk.spec = spec.clone();
        self.exports[usize::from(first_member + member)].size = spec.size.get();
        if disks == 1 {
            self.exports[volume].size = spec.size.get();
        }
        Ok(())
    }

    /// Whether a request must wait until its volume has been changed.
    pub(super) fn holds(&self, export: ExportId) -> bool {
        let Some(target) = self.targets.get(usize::from(export.0)) else { return false };
        let detaching = |change: &Change| matches!(change.kind, Kind::Detach { .. });
        self.changes.iter().any(|change| !detaching(change) && change.kind.concerns(target.volume))
    }

    pub(super) fn begin(&mut self, now: Instant, kind: Kind) {
        self.changes.push_back(Change { kind, flushes: None });
        self.progress(now);
    }

    /// Takes the changes as far as they get at `now`.
    pub(super) fn progress(&mut self, now: Instant) {
        while let Some(change) = self.changes.front() {
            let kind = change.kind.clone();
            let concerned = self.volumes.iter().enumerate().filter(|(index, _)| kind.concerns(*index));
            match change.flushes {
                None if concerned.clone().any(|(_, volume)| volume.under_way > 0) => return,
                None => {
                    let dirty: Vec<_> =
                        concerned.filter(|(_, volume)| volume.write_back).map(|(_, volume)| volume.id).collect();
                    for &volume in &dirty {
                        let flush = Request { volume, op: Op::Flush, fua: false, offset: 0, len: 0, user: OWN };
                        self.stack.submit(now, flush);
                    }
                    if let Some(change) = self.changes.front_mut() {
                        change.flushes = Some(dirty.len() as u32);
                    }
                }
                Some(0) => {
                    let made = self.make(now, &kind);
                    if let (Err(Refusal::Dirty), Some(change)) = (made, self.changes.front_mut()) {
                        change.flushes = None;
                        continue;
                    }
                    // What cannot be changed stays as it is; the status shows it.
                    self.changes.pop_front();
                    self.release_held(now);
                }
                Some(_) => return,
            }
        }
    }

    /// A flush that a change waits for is done.
    pub(super) fn own_flush_done(&mut self, now: Instant) {
        if let Some(Change { flushes: Some(flushes), .. }) = self.changes.front_mut() {
            *flushes -= 1;
        }
        self.progress(now);
    }

    fn make(&mut self, now: Instant, kind: &Kind) -> Result<(), Refusal> {
        for index in (0..self.volumes.len()).filter(|&index| kind.concerns(index)) {
            let Volume { first_disk, disks, .. } = self.volumes[index];
            for disk in &mut self.disks[first_disk..first_disk + disks] {
                disk.commit(|_| true).map_err(|_| Refusal::Final)?;
            }
        }
        let write_back = self.volumes.iter().enumerate().any(|(n, volume)| kind.concerns(n) && volume.write_back);
        let busy = |busy: Busy| match busy {
            Busy::Dirty(_) if write_back => Refusal::Dirty,
            _ => Refusal::Final,
        };
        match kind {
            Kind::Cache { volume, mode } => {
                self.stack.set_host_cache(now, self.volumes[*volume].id, *mode).map_err(busy)?;
                let state = &mut self.volumes[*volume];
                (state.mode, state.write_back) = (*mode, *mode == CacheMode::ReadWrite);
                let volatile = state.write_back;
                self.set_volatile(*volume, volatile);
                Ok(())
            }
            Kind::Detach { volume } => {
                let Volume { id, mode, .. } = self.volumes[*volume];
                self.stack.set_host_cache(now, id, mode).map_err(busy)
            }
            Kind::Disk { volume, member, spec } => {
                self.set_disk(now, *volume, *member, spec).map_err(|_| Refusal::Final)
            }
            Kind::Reboot => self.stack.reboot(now).map_err(busy),
        }
    }

    /// Lets requests go on whose volume is no longer being changed.
    fn release_held(&mut self, now: Instant) {
        for (submitted, request) in std::mem::take(&mut self.held) {
            if self.holds(request.export) {
                self.held.push_back((submitted, request));
            } else {
                self.admit(now, submitted, request);
            }
        }
    }
}
