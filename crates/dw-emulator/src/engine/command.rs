//! Commands carried out: what is asked for is looked up and checked, then done at once, or begun where the volume must come to
//! rest first ([`super::change`]).
//!
//! Invariant: a command that is refused has changed nothing, or names the disks that it changed.

use dw_stack::{CacheMode, Limit, Quantity, RateSpec, VolumeSpec};
use dw_units::{Bytes, Instant};

use super::change::{Change, Kind, LOOK};
use super::{Engine, Volume};
use crate::command::{Answer, Command, CommandError, ErrorCode};
use crate::inject::Fault;

/// The host cache takes disks below 4 TiB.
const CACHEABLE_MAX: u64 = 4_095 << 30;

/// As in a scenario, a limit is below this.
const IOPS_END: u64 = 1 << 40;

fn refuse<T>(code: ErrorCode, message: impl Into<String>, hint: impl Into<String>) -> Result<T, CommandError> {
    Err(CommandError::new(code, message).hint(hint))
}

impl Engine {
    /// Does what a command says, at `now`.
    ///
    /// # Errors
    /// When there is no such volume or disk, or it cannot be done (now). Nothing has changed then, unless
    /// the error names disks that have.
    pub fn command(&mut self, now: Instant, command: &Command) -> Result<Answer, CommandError> {
        self.catch_up(now);
        match command {
            Command::Status => return Ok(Answer::Status { status: Box::new(self.status(now)) }),
            Command::Attach { volume } => self.attach(self.volume(volume)?)?,
            Command::Detach { volume } => self.detach(now, self.volume(volume)?)?,
            Command::Cache { volume, mode } => self.cache(now, self.volume(volume)?, *mode)?,
            Command::Resize { volume, disk, size_bytes } => self.resize(now, volume, *disk, *size_bytes)?,
            Command::Tier { volume, disk, iops, bytes_per_second } => {
                self.tier(now, volume, *disk, *iops, *bytes_per_second)?;
            }
            Command::Reboot => self.begin(now, Kind::Reboot)?,
            Command::Crash { level, survivors, seed } => {
                let policy = self.policy(*survivors);
                let report = self.crash(now, *level, policy, *seed).map_err(|error| {
                    CommandError::new(
                        ErrorCode::Io,
                        format!("the disks have stopped, but a store refused surviving writes: {error}"),
                    )
                    .hint("check the free space and health of the directory that holds the disks, then restart")
                })?;
                return Ok(Answer::Crashed { report });
            }
            Command::Inject { fault } => return self.inject(fault),
            Command::Faults => return Ok(Answer::Faults { faults: self.rules.list() }),
            Command::Clear { id, export } => return self.clear(now, *id, export.as_deref()),
            Command::Mark { name } => return self.mark_by_name(name),
            Command::ResetCounters => self.reset_counters(now),
            Command::Pause | Command::Resume | Command::Shutdown => {
                return refuse(ErrorCode::NotPossible, "time and the end are for the server's loop", "");
            }
        }
        Ok(Answer::Done)
    }

    /// The number of the volume of this name.
    fn volume(&self, name: &str) -> Result<usize, CommandError> {
        let names = self.exports[..self.volumes.len()].iter().map(|export| export.name.as_str());
        names.clone().position(|other| other == name).ok_or_else(|| CommandError::unknown(name, names))
    }

    /// The disks that a command means: one of a volume, all of it, or the one whose export is named.
    fn members(&self, name: &str, disk: Option<u16>) -> Result<(usize, Vec<u16>), CommandError> {
        let named = self.exports.iter().position(|export| export.name == name).map(|index| self.targets[index]);
        if let (Some(target), None) = (named, disk)
            && let Some(member) = target.member
        {
            return Ok((target.volume, vec![member]));
        }
        let volume = self.volume(name)?;
        let disks = self.volumes[volume].disks as u16;
        match disk {
            None => Ok((volume, (0..disks).collect())),
            Some(disk) if disk < disks => Ok((volume, vec![disk])),
            Some(disk) => refuse(
                ErrorCode::UnknownVolume,
                format!("volume `{name}` has no disk {disk}"),
                format!("its disks are 0 to {}", disks - 1),
            ),
        }
    }

    fn inject(&mut self, fault: &Fault) -> Result<Answer, CommandError> {
        let names = self.exports.iter().map(|export| export.name.as_str());
        let export = names.clone().position(|name| name == fault.export);
        let export = export.ok_or_else(|| CommandError::unknown(&fault.export, names))?;
        let size = self.exports[export].size;
        if let Some(range) = fault.range.filter(|range| range.offset >= size) {
            let what = format!(
                "the range begins at {}, and `{}` ends at {}",
                Bytes::new(range.offset),
                fault.export,
                Bytes::new(size)
            );
            return refuse(ErrorCode::Invalid, what, "it would affect no request: start it within the disk");
        }
        let id = self.rules.add(fault.clone(), export as u16);
        id.map(|id| Answer::Injected { id }).map_err(|message| CommandError::new(ErrorCode::Invalid, message))
    }

    fn clear(&mut self, now: Instant, id: Option<u32>, export: Option<&str>) -> Result<Answer, CommandError> {
        let count = match export {
            None => self.rules.clear(id),
            Some(name) => {
                let names = self.exports.iter().map(|export| export.name.as_str());
                let export = names.clone().position(|other| other == name);
                let export = export.ok_or_else(|| CommandError::unknown(name, names))? as u16;
                match id {
                    None => self.rules.clear_export(export),
                    Some(id) if self.rules.list().iter().any(|row| row.id == id && row.fault.export == name) => {
                        self.rules.clear(Some(id))
                    }
                    Some(_) => 0,
                }
            }
        };
        if let (0, Some(id)) = (count, id) {
            return refuse(ErrorCode::UnknownFault, format!("unknown fault {id}"), "list the faults for their numbers");
        }
        Ok(Answer::Cleared { count, released: self.release(now) })
    }

    fn policy(&self, survivors: crate::command::Survivors) -> crate::durability::Survivors {
        use crate::command::Survivors as Word;
        use crate::durability::Survivors;
        match survivors {
            Word::None => Survivors::None,
            Word::All => Survivors::All,
            Word::Prefix => Survivors::Prefix,
            Word::Random => Survivors::Random,
            Word::RandomTorn => Survivors::Torn { unit: self.atomic_unit },
        }
    }

    pub(super) fn set_detached(&mut self, volume: usize, detached: bool) {
        for (export, target) in self.exports.iter_mut().zip(&self.targets) {
            if target.volume == volume {
                export.detached = detached;
            }
        }
    }

    fn attach(&mut self, volume: usize) -> Result<(), CommandError> {
        let name = &self.exports[volume].name;
        if !self.exports[volume].detached {
            return refuse(ErrorCode::NotPossible, format!("volume `{name}` is already attached"), "nothing to do");
        }
        if self.changes.iter().any(|change| change.kind.concerns(volume)) {
            return refuse(
                ErrorCode::Busy,
                format!("volume `{name}` is still being detached"),
                "try again in a moment",
            );
        }
        self.set_detached(volume, false);
        Ok(())
    }

    fn detach(&mut self, now: Instant, volume: usize) -> Result<(), CommandError> {
        self.require_attached(volume)?;
        self.set_detached(volume, true);
        self.begin(now, Kind::Detach { volume })
    }

    fn require_attached(&self, volume: usize) -> Result<(), CommandError> {
        let export = &self.exports[volume];
        if export.detached {
            return refuse(ErrorCode::NotPossible, format!("volume `{}` is detached", export.name), "attach it first");
        }
        Ok(())
    }

    fn cache(&mut self, now: Instant, volume: usize, mode: CacheMode) -> Result<(), CommandError> {
        let name = self.exports[volume].name.clone();
        let Engine { volumes, disks, host_cache, .. } = self;
        let state = &volumes[volume];
        if state.mode == mode {
            let message = format!("volume `{name}` already has host cache {}", mode.name());
            return refuse(ErrorCode::NotPossible, message, "nothing to do");
        }
        let no = |message: String, hint: &str| refuse(ErrorCode::NotPossible, message, hint);
        if mode != CacheMode::None {
            if host_cache.is_none() {
                let hint = "give the VM a `cache` in the scenario, or choose a size with a known host cache";
                return no("the scenario gives the VM no host cache".into(), hint);
            }
            if state.path.local || state.path.front.is_none() {
                return no(format!("volume `{name}` cannot have a host cache"), "only ordinary remote disks can");
            }
            let large = disks[state.first_disk..state.first_disk + state.disks].iter();
            if large.map(|disk| disk.spec.size.get()).any(|size| size > CACHEABLE_MAX) {
                return no(
                    format!("a disk of volume `{name}` is too large for the host cache"),
                    "it supports up to 4095 GiB",
                );
            }
        }
        if mode == CacheMode::ReadWrite {
            // Early rather than late: whoever looks between now and the change must not believe that flushes are idle.
            self.show_volatile(volume, true);
        }
        self.begin(now, Kind::Cache { volume, mode })
    }

    /// Says whether acknowledged writes may be lost: when they are cached now, or `soon`, by a change that waits.
    pub(super) fn show_volatile(&mut self, volume: usize, soon: bool) {
        let waits = |change: &Change| matches!(change.kind, Kind::Cache { volume: v, mode: CacheMode::ReadWrite } if v == volume);
        let volatile = soon || self.volumes[volume].write_back || self.changes.iter().any(waits);
        for (export, target) in self.exports.iter_mut().zip(&self.targets) {
            if target.volume == volume {
                export.volatile_cache = volatile;
            }
        }
    }

    fn resize(&mut self, now: Instant, name: &str, disk: Option<u16>, size: u64) -> Result<(), CommandError> {
        let (volume, members) = self.members(name, disk)?;
        if size == 0 || !size.is_multiple_of(512) {
            let message = format!("a disk cannot have {}", Bytes::new(size));
            return refuse(ErrorCode::Invalid, message, "give a multiple of 512 B");
        }
        let Volume { first_disk: first, disks, .. } = self.volumes[volume];
        let sizes = (0..disks).map(|at| match members.contains(&(at as u16)) {
            true => size,
            false => self.disks[first + at].spec.size.get(),
        });
        if sizes.fold(0, u64::saturating_add) > VolumeSpec::SIZE_MAX {
            let message = format!("with disks of {} `{name}` is larger than any volume", Bytes::new(size));
            return refuse(ErrorCode::Invalid, message, "a volume has at most 1 EiB");
        }
        for &member in &members {
            let old = self.disks[first + usize::from(member)].spec.size.get();
            if size < old {
                let (old, size) = (Bytes::new(old), Bytes::new(size));
                let message =
                    format!("disk {member} of `{name}` has {old}, and a disk can grow, not shrink, to {size}");
                return refuse(ErrorCode::NotPossible, message, "give a larger size");
            }
            if self.volumes[volume].mode != CacheMode::None && size > CACHEABLE_MAX {
                let message =
                    format!("with {}, disk {member} of `{name}` is too large for the host cache", Bytes::new(size));
                return refuse(
                    ErrorCode::NotPossible,
                    message,
                    "it supports disks up to 4095 GiB: set its cache to None first",
                );
            }
        }
        let size = Bytes::new(size);
        if self.volumes[volume].mode != CacheMode::None {
            return self.begin(now, Kind::Grow { volume, members, size });
        }
        self.grow(now, volume, &members, size).map_err(|refusal| {
            let what = self.name(&Kind::Grow { volume, members, size });
            CommandError::new(ErrorCode::NotPossible, format!("{what} was not done: {}", refusal.why())).hint(LOOK)
        })
    }

    fn tier(
        &mut self,
        now: Instant,
        name: &str,
        disk: Option<u16>,
        iops: Option<u64>,
        bytes_per_second: Option<u64>,
    ) -> Result<(), CommandError> {
        let (volume, members) = self.members(name, disk)?;
        if iops.is_none() && bytes_per_second.is_none() {
            return refuse(ErrorCode::Invalid, "no limit is given", "give `iops`, `bytes_per_second` or both");
        }
        if iops == Some(0) || bytes_per_second == Some(0) {
            return refuse(ErrorCode::Invalid, "a limit of 0 blocks all I/O", "give at least 1");
        }
        if let Some(iops) = iops.filter(|iops| *iops >= IOPS_END) {
            let message = format!("no disk has {iops} I/Os per second");
            return refuse(ErrorCode::Invalid, message, format!("give at most {}", IOPS_END - 1));
        }
        let retuned = |old: Option<RateSpec>, rate: Option<u64>| match (old, rate) {
            (old, None) => old,
            (None, Some(rate)) => Some(RateSpec::plain(rate)),
            // A burst that is slower than the new rate is none.
            (Some(old), Some(rate)) => {
                Some(RateSpec { rate, depth: old.depth, burst: old.burst.filter(|burst| burst.rate >= rate) })
            }
        };
        for member in members {
            let Volume { id, first_disk, .. } = self.volumes[volume];
            let disk = &mut self.disks[first_disk + usize::from(member)];
            let mut spec = disk.spec.clone();
            for (quantity, rate) in [(Quantity::Iops, iops), (Quantity::Throughput, bytes_per_second)] {
                let accounted = |limit: &&mut Limit| limit.quantity == quantity && limit.accounting.only().is_none();
                match (spec.more.iter_mut().find(accounted), rate) {
                    // It charges as it did.
                    (Some(limit), Some(rate)) => {
                        (limit.rate, limit.credits) = (rate, limit.credits.filter(|credits| credits.peak >= rate));
                    }
                    (Some(_), None) => {}
                    (None, rate) => match quantity {
                        Quantity::Iops => spec.limits.iops = retuned(spec.limits.iops, rate),
                        Quantity::Throughput => spec.limits.throughput = retuned(spec.limits.throughput, rate),
                    },
                }
            }
            // Of the same size it is refused by nobody, so no disk of a stripe is left behind.
            self.stack
                .set_disk(now, id, member, &spec)
                .map_err(|busy| CommandError::new(ErrorCode::NotPossible, format!("the disk is busy: {busy:?}")))?;
            disk.spec = spec;
        }
        Ok(())
    }
}
