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
use crate::command::{CommandError, ErrorCode};

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

/// What became of a change that had to wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// For people.
    pub what: String,
    /// Why it was not made; the volume is then as it was before.
    pub result: Result<(), String>,
}

/// Why a change was not made.
enum Refusal {
    /// A guest that has crashed left writes behind that reached the cache after the flush: flush again.
    Dirty,
    Final(String),
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

    /// Makes a change, at once if its volume is at rest.
    ///
    /// # Errors
    /// When it could be tried at once and was not made.
    pub(super) fn begin(&mut self, now: Instant, kind: Kind) -> Result<(), CommandError> {
        self.changes.push_back(Change { kind, flushes: None });
        self.progress(now);
        if !self.changes.is_empty() {
            return Ok(());
        }
        match self.changed.pop_back_if(|changed| changed.result.is_err()) {
            Some(Changed { what, result: Err(why) }) => {
                Err(CommandError::new(ErrorCode::Io, format!("{what} was not done: {why}"))
                    .hint("nothing has changed; look at the room and health of the folder that holds the disks"))
            }
            _ => Ok(()),
        }
    }

    /// The next change that has been made or given up since the last time it was asked.
    #[inline]
    pub fn poll_change(&mut self) -> Option<Changed> {
        self.changed.pop_front()
    }

    fn name(&self, kind: &Kind) -> String {
        let volume = |volume: &usize| &self.exports[*volume].name;
        match kind {
            Kind::Cache { volume: v, mode } => format!("the change of the host cache of `{}` to {mode:?}", volume(v)),
            Kind::Detach { volume: v } => format!("detaching `{}`", volume(v)),
            Kind::Disk { volume: v, member, .. } => format!("the growth of disk {member} of `{}`", volume(v)),
            Kind::Reboot => "the restart".into(),
        }
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
                    let result = match self.make(now, &kind) {
                        Err(Refusal::Dirty) => {
                            self.changes.iter_mut().take(1).for_each(|change| change.flushes = None);
                            continue;
                        }
                        Err(Refusal::Final(why)) => Err(why),
                        Ok(()) => Ok(()),
                    };
                    let what = self.name(&kind);
                    self.changes.pop_front();
                    self.show(&kind, result.is_ok());
                    self.changed.push_back(Changed { what, result });
                    self.release_held(now);
                }
                Some(_) => return,
            }
        }
    }

    /// A change is over: clients are shown what is so now, not what was going to be.
    fn show(&mut self, kind: &Kind, made: bool) {
        match *kind {
            Kind::Detach { volume } => self.set_detached(volume, made),
            Kind::Cache { volume, .. } => self.show_volatile(volume, false),
            Kind::Disk { .. } | Kind::Reboot => {}
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
                disk.commit(|_| true).map_err(|error| Refusal::Final(error.to_string()))?;
            }
        }
        let write_back = self.volumes.iter().enumerate().any(|(n, volume)| kind.concerns(n) && volume.write_back);
        let busy = |busy: Busy| match busy {
            Busy::Dirty(_) if write_back => Refusal::Dirty,
            busy => Refusal::Final(format!("the disk is busy: {busy:?}")),
        };
        match kind {
            Kind::Cache { volume, mode } => {
                self.stack.set_host_cache(now, self.volumes[*volume].id, *mode).map_err(busy)?;
                let state = &mut self.volumes[*volume];
                (state.mode, state.write_back) = (*mode, *mode == CacheMode::ReadWrite);
                Ok(())
            }
            Kind::Detach { volume } => {
                let Volume { id, mode, .. } = self.volumes[*volume];
                self.stack.set_host_cache(now, id, mode).map_err(busy)
            }
            Kind::Disk { volume, member, spec } => self.set_disk(now, *volume, *member, spec).map_err(Refusal::Final),
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
