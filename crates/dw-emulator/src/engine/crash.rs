//! The end of a VM without notice: all disks are cut at one instant, and what only a cache had is lost except for survivors.
//!
//! ```text
//!                   acknowledged, volatile     under way, not in a store yet
//!  guest            kept, still volatile       as the survivors say
//!  host             as the survivors say       as the survivors say
//!  deallocate       the same, and temp disks come back empty
//! ```
//!
//! Survivors are chosen among writes in one order: those acknowledged as they were acknowledged, then those under way as
//! they came. A write that went to its store when it arrived is there already: it was under way, so it may survive. A write
//! that a fault may tear is torn in any case: at least one unit of it survives and at least one does not, if it has two.
//!
//! Ignores: what the host's own machine loses when it loses power (the store's `durable` option is for that).
//!
//! Invariant: acknowledged bytes before = bytes lost + bytes that survived or were overwritten by survivors.

use dw_units::Instant;

use super::{Engine, IoError, IoOp, Slot, each_run};
use crate::command::{ByteRange, CrashLevel, CrashReport, Loss};
use crate::durability::{Content, Fate, Piece, Ranges, Survivors, mix};

/// Longer lists help nobody; the total says the rest.
const RANGES_MAX: usize = 1_000;

/// A part of a write on one disk.
struct Part {
    disk: usize,
    offset: u64,
    len: u64,
    /// `None` = discarded.
    content: Option<Content>,
}

/// A write that a crash may take back.
struct Candidate {
    acknowledged: bool,
    torn: bool,
    parts: Vec<Part>,
}

/// What a crash did to one disk.
#[derive(Default)]
struct Damage {
    volatile: u64,
    lost: Ranges,
    writes: u64,
    lost_writes: u64,
    torn_writes: u64,
}

impl Engine {
    /// Volatile writes that a crash at `now` would decide upon, in the order of a [`Survivors::Mask`].
    #[doc(hidden)]
    pub fn candidates(&mut self, now: Instant) -> usize {
        self.catch_up(now);
        let mut writes: Vec<u64> =
            self.disks.iter().flat_map(|disk| disk.overlay.iter().map(|(_, piece)| piece.write)).collect();
        writes.sort_unstable();
        writes.dedup();
        writes.len() + self.slots.iter().flatten().filter(|slot| under_way(slot)).count()
    }

    /// Cuts all disks at `now`. Requests under way never come back from [`Engine::poll`].
    ///
    /// # Errors
    /// When a store refuses what survived; the crash has taken place all the same.
    pub fn crash(
        &mut self,
        now: Instant,
        level: CrashLevel,
        survivors: Survivors,
        seed: u64,
    ) -> Result<CrashReport, IoError> {
        self.catch_up(now);
        let in_flight = (self.slots.len() - self.free.len() + self.held.len()) as u64;
        let host = level != CrashLevel::Guest;
        let mut damage: Vec<Damage> = self.disks.iter().map(|_| Damage::default()).collect();
        for (disk, damage) in self.disks.iter().zip(&mut damage) {
            damage.volatile = if host { disk.overlay.bytes() } else { 0 };
        }
        let mut candidates = if host { self.take_acknowledged() } else { Vec::new() };
        candidates.extend(self.take_under_way());
        let mut result = Ok(());
        let fates = survivors.choose(seed, candidates.len());
        for (number, (candidate, fate)) in candidates.iter().zip(fates).enumerate() {
            let fate = if candidate.torn { self.tear(candidate, mix(seed) ^ number as u64) } else { fate };
            result = result.and(self.judge(candidate, fate, host, &mut damage));
        }
        self.forget_requests(now, host);
        if level == CrashLevel::Deallocate {
            result = result.and(self.empty_local_disks());
        }
        for disk in &mut self.disks {
            result = result.and(disk.store.sync().map_err(|error| IoError::from_io(&error)));
        }
        self.crashes += 1;
        let mark = self.mark(&format!("crash-{}", self.crashes)).map_err(|error| IoError::from_io(&error));
        result.and(mark)?;
        let losses = self.losses(damage);
        Ok(CrashReport { level, survivors: survivors.into(), seed, at_ns: now.ns(), in_flight, losses })
    }

    /// What was acknowledged and is volatile, a write at a time, oldest first.
    fn take_acknowledged(&mut self) -> Vec<Candidate> {
        let mut pieces: Vec<(u64, Part)> = Vec::new();
        for (disk, state) in self.disks.iter_mut().enumerate() {
            for (offset, Piece { len, write, content, .. }) in state.overlay.take() {
                pieces.push((write, Part { disk, offset, len, content: Some(content) }));
            }
        }
        pieces.sort_by_key(|piece| piece.0);
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut last = 0;
        for (write, part) in pieces {
            match candidates.last_mut() {
                Some(candidate) if write == last => candidate.parts.push(part),
                _ => candidates.push(Candidate { acknowledged: true, torn: false, parts: vec![part] }),
            }
            last = write;
        }
        candidates
    }

    /// What was under way and has not touched a store yet, oldest first.
    fn take_under_way(&mut self) -> Vec<Candidate> {
        let mut slots: Vec<Slot> = self.slots.iter_mut().filter_map(Option::take).filter(under_way).collect();
        slots.sort_by_key(|slot| slot.number);
        slots.into_iter().map(|slot| self.candidate(slot)).collect()
    }

    fn candidate(&self, slot: Slot) -> Candidate {
        let target = self.targets[usize::from(slot.export.0)];
        let buffer = std::sync::Arc::new(slot.data);
        let mut parts = Vec::new();
        // The visitor does not fail.
        let _ = each_run(&self.stack, &self.volumes, target, slot.offset, slot.len, |disk, offset, at, len| {
            let content = (slot.op != IoOp::Trim).then(|| super::disk::content(slot.op, &buffer, at - slot.offset));
            parts.push(Part { disk, offset, len, content });
            Ok(())
        });
        Candidate { acknowledged: false, torn: slot.torn, parts }
    }

    /// A fate in which a write is torn for certain, if it has two units.
    fn tear(&self, candidate: &Candidate, draw: u64) -> Fate {
        let unit = self.atomic_unit;
        let torn = |key: u64| {
            let (mut kept, mut lost) = (false, false);
            for part in &candidate.parts {
                Fate::Torn { unit, key }.each_run(part.offset, part.len, |_, _, keep| {
                    kept |= keep;
                    lost |= !keep;
                });
            }
            kept && lost
        };
        // Each key tears two units or more with probability one half at least.
        let key = (0..64).map(|n| mix(draw ^ mix(n))).find(|&key| torn(key));
        key.map_or(Fate::Lost, |key| Fate::Torn { unit, key })
    }

    /// Puts what survives of a write into the stores, and notes what is lost.
    fn judge(&mut self, candidate: &Candidate, fate: Fate, host: bool, damage: &mut [Damage]) -> Result<(), IoError> {
        let (mut kept, mut lost, mut result) = (false, false, Ok(()));
        for part in &candidate.parts {
            let disk = &mut self.disks[part.disk];
            let damage = &mut damage[part.disk];
            fate.each_run(part.offset, part.len, |skip, len, keep| {
                kept |= keep;
                lost |= !keep;
                if !keep {
                    if candidate.acknowledged {
                        damage.lost.insert(part.offset + skip, len);
                    }
                    return;
                }
                let put = match &part.content {
                    Some(content) => content.put(&mut *disk.store, part.offset, skip, len),
                    None => disk.store.discard(part.offset + skip, len),
                };
                result = result.and(put.map_err(|error| IoError::from_io(&error)));
                damage.lost.remove(part.offset + skip, len);
                if !host {
                    disk.overlay.cut(part.offset + skip, len);
                }
            });
        }
        let mut disks: Vec<usize> = candidate.parts.iter().map(|part| part.disk).collect();
        disks.sort_unstable();
        disks.dedup();
        for disk in disks {
            let damage = &mut damage[disk];
            damage.writes += u64::from(candidate.acknowledged);
            damage.lost_writes += u64::from(candidate.acknowledged && !kept);
            damage.torn_writes += u64::from(kept && lost);
        }
        result
    }

    /// Nothing is under way any more, and nothing waits.
    fn forget_requests(&mut self, now: Instant, host: bool) {
        self.stack.crash(now, host);
        self.meter.abandoned();
        self.slots.clear();
        self.free.clear();
        self.ready.clear();
        self.delayed.clear();
        self.stuck.clear();
        self.held.clear();
        self.changes.clear();
        (0..self.volumes.len()).for_each(|volume| self.show_volatile(volume, false));
        self.volumes.iter_mut().for_each(|volume| volume.under_way = 0);
        for disk in &mut self.disks {
            disk.flushing.clear();
            disk.trouble = None;
        }
    }

    fn empty_local_disks(&mut self) -> Result<(), IoError> {
        for volume in self.volumes.iter().filter(|volume| volume.path.local) {
            for disk in &mut self.disks[volume.first_disk..volume.first_disk + volume.disks] {
                disk.store.discard(0, disk.store.size()).map_err(|error| IoError::from_io(&error))?;
            }
        }
        Ok(())
    }

    fn losses(&self, damage: Vec<Damage>) -> Vec<Loss> {
        let rows = self.volumes.iter().flat_map(|volume| {
            (0..volume.disks).map(move |member| {
                // A volume of one disk goes by its own name; its bytes lie at the same offsets.
                let export = if volume.disks == 1 { volume.id.0 } else { volume.first_member + member as u16 };
                (volume.first_disk + member, export)
            })
        });
        let row = |(disk, export): (usize, u16)| {
            let Damage { volatile, lost, writes, lost_writes, torn_writes } = &damage[disk];
            (*volatile > 0 || *torn_writes > 0).then(|| Loss {
                export: self.exports[usize::from(export)].name.clone(),
                volatile_bytes: *volatile,
                volatile_writes: *writes,
                lost_bytes: lost.bytes(),
                lost_writes: *lost_writes,
                torn_writes: *torn_writes,
                ranges: lost.iter().take(RANGES_MAX).map(|(offset, len)| ByteRange { offset, len }).collect(),
                ranges_left_out: lost.len().saturating_sub(RANGES_MAX) as u64,
            })
        };
        rows.filter_map(row).collect()
    }
}

/// Whether a request has an effect that has not taken place.
fn under_way(slot: &Slot) -> bool {
    slot.waits && slot.op.changes() && slot.result.is_ok()
}
