//! Changes that need their volume at rest.
//!
//! A change that empties a cache (another cache mode, detaching, growing a cached disk, a restart) needs its volume at
//! rest. Requests that come meanwhile are held, those under way are finished, dirty data are brought home by a flush that
//! takes its modelled time, then the change is made and the held requests released. The command is answered at once; an idle
//! volume is changed before the answer. Detaching refuses new requests instead of holding them.
//!
//! Ignores: how long the vendor takes to detach and attach a disk.
//!
//! Invariant: a change never loses an acknowledged byte: when a store refuses dirty data, the volume stays as it is.

use dw_stack::{Busy, CacheMode, Op, Request};
use dw_units::{Bytes, Instant};

use super::{Disk, Engine, ExportId, OWN, Target, Volume};
use crate::command::{CommandError, ErrorCode};

/// What to do where the disks' bytes are the trouble.
pub(crate) const LOOK: &str =
    "check the free space and health of the directory that holds the disks; for disks in memory, check `--memory-max`";

/// Something that waits for volumes to come to rest.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) kind: Kind,
    /// Flushes of the engine's own that are under way; `None` = not begun.
    flushes: Option<u32>,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Cache {
        volume: usize,
        mode: CacheMode,
    },
    Detach {
        volume: usize,
    },
    /// Other disks of the volume stay as they are. Only the size: whatever else the disks are told until then holds.
    Grow {
        volume: usize,
        members: Vec<u16>,
        size: Bytes,
    },
    Reboot,
}

/// What became of a change that had to wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// For people.
    pub what: String,
    /// Why it was not made. The volume is then as it was before, unless this names disks of it that are not.
    pub result: Result<(), String>,
}

/// Why a change was not made.
pub(super) enum Refusal {
    /// A guest that has crashed left writes behind that reached the cache after the flush: flush again.
    Dirty,
    /// Nothing has changed.
    Final(String),
    /// Something has, and could not be taken back: the text says what.
    Partly(String),
}

impl Refusal {
    /// For people.
    pub(super) fn why(self) -> String {
        match self {
            Refusal::Dirty => "there are dirty data".into(),
            Refusal::Final(why) => format!("{why}; nothing has changed"),
            Refusal::Partly(why) => why,
        }
    }
}

/// `disk 1`, `disks 0, 2`.
fn numbered(members: &[u16]) -> String {
    let numbers: Vec<String> = members.iter().map(u16::to_string).collect();
    format!("{} {}", if members.len() == 1 { "disk" } else { "disks" }, numbers.join(", "))
}

impl Kind {
    pub(super) fn concerns(&self, volume: usize) -> bool {
        match *self {
            Kind::Cache { volume: v, .. } | Kind::Detach { volume: v } | Kind::Grow { volume: v, .. } => v == volume,
            Kind::Reboot => true,
        }
    }
}

impl Engine {
    /// More bytes for disks of a volume: for all of them or, as far as that can be had, for none.
    pub(super) fn grow(&mut self, now: Instant, volume: usize, members: &[u16], size: Bytes) -> Result<(), Refusal> {
        let Volume { id, first_disk, first_member, disks, .. } = self.volumes[volume];
        let at = |member: u16| first_disk + usize::from(member);
        // Another growth may have been made while this one waited.
        if let Some(&member) = members.iter().find(|&&member| self.disks[at(member)].spec.size > size) {
            let old = self.disks[at(member)].spec.size;
            return Err(Refusal::Final(format!("disk {member} has {old}, and a disk can grow, not shrink")));
        }
        // The stores first: they can be taken back, the stack cannot.
        for (done, &member) in members.iter().enumerate() {
            let disk = &mut self.disks[at(member)];
            if size > disk.spec.size
                && let Err(error) = disk.store.resize(size.get())
            {
                let why = format!("disk {member}: {error}");
                return Err(self.stay_small(volume, (&[], &members[..done]), why));
            }
        }
        for (done, &member) in members.iter().enumerate() {
            let mut spec = self.disks[at(member)].spec.clone();
            spec.size = size;
            if let Err(busy) = self.stack.set_disk(now, id, member, &spec) {
                let why = match busy {
                    Busy::NotCacheable => format!("disk {member}: the host cache does not support a disk of that size"),
                    busy => format!("disk {member} is busy: {busy:?}"),
                };
                return Err(self.stay_small(volume, members.split_at(done), why));
            }
            self.disks[at(member)].spec = spec;
            self.exports[usize::from(first_member + member)].size = size.get();
            if disks == 1 {
                self.exports[volume].size = size.get();
            }
        }
        self.lay_out_again(volume);
        Ok(())
    }

    /// Gives the stores of disks that do not grow the size of their disks back, and tells what cannot be taken back.
    fn stay_small(&mut self, volume: usize, (grown, small): (&[u16], &[u16]), mut why: String) -> Refusal {
        let first = self.volumes[volume].first_disk;
        let mut large = small.to_vec();
        large.retain(|&member| {
            let Disk { store, spec, .. } = &mut self.disks[first + usize::from(member)];
            store.size() != spec.size.get() && store.resize(spec.size.get()).is_err()
        });
        if !grown.is_empty() {
            why += &format!("; grown nevertheless: {}", numbered(grown));
        }
        if !large.is_empty() {
            why += &format!("; the store stays larger than the disk: {}", numbered(&large));
        }
        if grown.is_empty() && large.is_empty() { Refusal::Final(why) } else { Refusal::Partly(why) }
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
                Err(CommandError::new(ErrorCode::Io, format!("{what} was not done: {why}")).hint(LOOK))
            }
            _ => Ok(()),
        }
    }

    /// The next change that has been made or given up since the last time it was asked.
    #[inline]
    pub fn poll_change(&mut self) -> Option<Changed> {
        self.changed.pop_front()
    }

    pub(super) fn name(&self, kind: &Kind) -> String {
        let volume = |volume: &usize| &self.exports[*volume].name;
        match kind {
            Kind::Cache { volume: v, mode } => format!("the change of the host cache of `{}` to {mode:?}", volume(v)),
            Kind::Detach { volume: v } => format!("detaching `{}`", volume(v)),
            Kind::Grow { volume: v, members, .. } => format!("the growth of {} of `{}`", numbered(members), volume(v)),
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
                        result => result.map_err(Refusal::why),
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
            Kind::Grow { .. } | Kind::Reboot => {}
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
                disk.bring_home().map_err(|error| Refusal::Final(error.to_string()))?;
            }
            let flushed = self.log_flush(Target { volume: index, member: None });
            flushed.map_err(|error| Refusal::Final(error.to_string()))?;
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
            Kind::Grow { volume, members, size } => self.grow(now, *volume, members, *size),
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
