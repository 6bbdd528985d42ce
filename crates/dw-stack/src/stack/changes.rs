//! What can happen to a VM while it runs: a restart, a crash, another cache mode, another tier or size of a disk.
//!
//! Time spent on a change is not modelled; what the change does to the cache is: a disk that is detached and attached
//! again comes back cold.

use alloc::collections::VecDeque;

use dw_units::{Bytes, CacheMode, Instant};

use super::{ABANDONED, NO_PARENT, Stack, Volume};
use crate::disk::Disk;
use crate::event_queue::NEVER;
use crate::host_cache::CACHEABLE_MAX;
use crate::request::VolumeId;
use crate::spec::DiskSpec;
use crate::stripe::Layout;

/// Why a setting cannot be changed (now).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Busy {
    /// Requests are under way.
    InFlight(u64),
    /// Dirty data are not home yet: flush first.
    Dirty(Bytes),
    /// The VM has no host cache, or not for disks of this kind or size.
    NotCacheable,
    /// A disk can grow, not shrink; this is its size.
    Smaller(Bytes),
}

/// A range of a disk that the write-back has brought home.
///
/// What had arrived for that range by `started` is on the disk now; what came later may not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Destaged {
    pub volume: VolumeId,
    /// The disk in the volume.
    pub member: u16,
    /// First byte, on that disk.
    pub offset: u64,
    /// Bytes.
    pub len: u64,
    /// When the disk write began.
    pub started: Instant,
}

impl Stack {
    /// Where a byte of a volume lies: the disk in the volume, the offset on it, and how many bytes follow there that
    /// follow in the volume too.
    ///
    /// # Panics
    /// When the offset is not within the volume.
    pub fn place(&self, volume: VolumeId, offset: u64) -> (u16, u64, u64) {
        let volume = &self.volumes[usize::from(volume.0)];
        assert!(offset < volume.size, "beyond the end of the volume");
        match &volume.stripe {
            None => (0, offset, volume.size - offset),
            Some(stripe) => {
                let (disk, at) = stripe.place(offset);
                (disk, at, stripe.left_in_chunk(offset))
            }
        }
    }

    /// Where the bytes of a disk are in its volume, as it is now: the inverse of [`Stack::place`].
    pub fn layout(&self, volume: VolumeId, disk: u16) -> Layout {
        let volume = &self.volumes[usize::from(volume.0)];
        Layout { size: volume.size, stripe: volume.stripe.clone(), disk }
    }

    /// Bytes of one disk of a volume.
    pub fn disk_size(&self, volume: VolumeId, member: u16) -> Bytes {
        Bytes::new(self.disks[usize::from(self.volumes[usize::from(volume.0)].first_disk + member)].size)
    }

    /// Keeps account of what write-backs bring home, for [`Stack::poll_destaged`].
    pub fn watch_destages(&mut self) {
        self.destaged.get_or_insert_with(VecDeque::new);
    }

    /// The next range that is home, in order; nothing unless [`Stack::watch_destages`] was called.
    pub fn poll_destaged(&mut self) -> Option<Destaged> {
        self.destaged.as_mut()?.pop_front()
    }

    /// Requests of a volume that are under way.
    pub fn in_flight_of(&self, volume: VolumeId) -> u64 {
        let guest = |slot: usize| {
            let work = &self.work[slot];
            work.parent == NO_PARENT && self.disks[usize::from(work.disk)].volume == volume.0
        };
        self.live().into_iter().filter(|&slot| guest(slot)).count() as u64
    }

    /// The slots that are in use.
    fn live(&self) -> alloc::vec::Vec<usize> {
        let mut live = alloc::vec![true; self.work.len()];
        for &slot in &self.free {
            live[slot as usize] = false;
        }
        (0..live.len()).filter(|&slot| live[slot]).collect()
    }

    /// The guest dies at `now`: what it had under way is never given back. The disks still finish it, and it still
    /// counts against the limits. With `host` the machine under it dies, too: the host cache is lost, dirty data
    /// included.
    pub fn crash(&mut self, now: Instant, host: bool) {
        self.now = self.now.max(now.ns());
        self.catch_up(now);
        self.abandoned += self.in_flight();
        for slot in self.live() {
            let work = &mut self.work[slot];
            if work.parent == NO_PARENT {
                work.parent = ABANDONED;
            }
        }
        if !host {
            return;
        }
        let Some(cache) = &mut self.cache else { return };
        cache.clear();
        for disk in 0..self.disks.len() {
            // Nothing is left to wait for: neither room nor the end of a flush.
            for slot in cache.lose_dirty(disk as u16).chain(self.room[disk].drain(..).map(|waiting| waiting.0)) {
                self.free.push(slot);
                let parent = self.work[slot as usize].parent;
                if parent != ABANDONED {
                    self.work[parent as usize].ios -= 1;
                    if self.work[parent as usize].ios == 0 {
                        self.free.push(parent);
                    }
                }
            }
            self.destages.set(disk, NEVER);
        }
        self.look_inside();
    }

    /// The VM restarts in good order: the host cache is cold afterwards. Dirty data have been brought home or are still
    /// on their way.
    ///
    /// # Errors
    /// While requests are under way.
    pub fn reboot(&mut self, now: Instant) -> Result<(), Busy> {
        self.now = self.now.max(now.ns());
        if self.in_flight() > 0 {
            return Err(Busy::InFlight(self.in_flight()));
        }
        if let Some(cache) = &mut self.cache {
            cache.clear();
        }
        Ok(())
    }

    /// Changes the host cache of a volume: its disks are detached and attached again, so they come back cold.
    ///
    /// # Errors
    /// While requests of the volume are under way, or dirty data are not home; and for what the host cache cannot serve.
    pub fn set_host_cache(&mut self, now: Instant, volume: VolumeId, mode: CacheMode) -> Result<(), Busy> {
        self.now = self.now.max(now.ns());
        self.catch_up(now);
        self.require_idle(volume)?;
        let disks = self.volumes[usize::from(volume.0)].range();
        if mode != CacheMode::None {
            let Some(cache) = &mut self.cache else { return Err(Busy::NotCacheable) };
            for disk in disks.clone() {
                let Disk { local, front, size, ref untouched, .. } = self.disks[disk];
                if local
                    || untouched.is_some()
                    || front.is_none()
                    || size > CACHEABLE_MAX
                    || !cache.attach(disk as u16, size)
                {
                    return Err(Busy::NotCacheable);
                }
            }
        }
        for disk in disks {
            if let Some(cache) = &mut self.cache {
                cache.drop_disk(disk as u16);
            }
            self.disks[disk].mode = mode;
            self.disks[disk].choose_way();
        }
        self.choose_shortcuts();
        Ok(())
    }

    /// Gives a disk of a volume other limits or more bytes, as a change of tier or a resize does.
    ///
    /// What waits already goes when it would have; later requests meet the new limits behind it. Burst credits stay, up
    /// to what the new bucket holds. The service time stays. A striped volume keeps its lay-out: only the member grows.
    ///
    /// # Errors
    /// When the disk would shrink. When a disk with host caching grows while requests of the volume are under way or its data are
    /// dirty, or beyond what the host cache takes: it comes back cold.
    pub fn set_disk(&mut self, now: Instant, volume: VolumeId, member: u16, spec: &DiskSpec) -> Result<(), Busy> {
        self.now = self.now.max(now.ns());
        self.catch_up(now);
        let number = usize::from(volume.0);
        let index = self.volumes[number].first_disk + member;
        let (old, new) = (self.disks[usize::from(index)].size, spec.size.get());
        if new < old {
            return Err(Busy::Smaller(Bytes::new(old)));
        }
        if new > old {
            if self.disks[usize::from(index)].mode != CacheMode::None {
                self.require_idle(volume)?;
            }
            if let Some(cache) = &mut self.cache
                && self.disks[usize::from(index)].mode != CacheMode::None
                && (new > CACHEABLE_MAX || !cache.grow(index, new))
            {
                return Err(Busy::NotCacheable);
            }
            self.disks[usize::from(index)].size = new;
            if self.volumes[number].stripe.is_none() {
                self.volumes[number].size = new;
            }
        }
        let disk = &mut self.disks[usize::from(index)];
        let kept_order = disk.directions.is_none();
        disk.retune(spec, self.now, self.throttle_interval);
        disk.set_io_unit(spec.io_unit);
        disk.choose_way();
        if kept_order && disk.directions.is_some() {
            self.choose_shortcuts();
        }
        Ok(())
    }

    fn require_idle(&self, volume: VolumeId) -> Result<(), Busy> {
        let in_flight = self.in_flight_of(volume);
        if in_flight > 0 {
            return Err(Busy::InFlight(in_flight));
        }
        let disks = self.volumes[usize::from(volume.0)].range();
        let dirty: u64 = self.cache.as_ref().map_or(0, |cache| disks.map(|disk| cache.dirty_of(disk as u16)).sum());
        if dirty > 0 { Err(Busy::Dirty(Bytes::new(dirty))) } else { Ok(()) }
    }
}

impl Volume {
    /// The indices of its disks.
    pub(super) fn range(&self) -> core::ops::Range<usize> {
        usize::from(self.first_disk)..usize::from(self.first_disk + self.disks)
    }
}
