//! Queues that come to rest too slowly for a sample to show it. Jobs that keep their rates at a limit that is nearly full leave them: what
//! waits there wanders or grows for a relaxation time, which of a single queue under load `ρ` that serves `μ` requests a second is
//!
//! ```text
//! τ = 1 / (μ (1 − √ρ)²)
//! ```
//!
//! Source: Cohen, "The single server queue", relaxation time of M/M/1.
//!
//! Ignores: that jobs with even gaps come to rest sooner; closed loops beside them, whose requests wait but are never more.

use dw_stack::{NearlyFull, Quantity, VolumeId};
use dw_workload::Direction;

use super::Driver;
use super::leaping::runs;
use crate::clone::CloneRun;
use crate::leap::batch::Batch;
use crate::storage::Storage;

/// A sample lasts so many times as long as a queue needs to come to rest.
const RELAXATIONS: f64 = 4.0;
/// At a limit that gives less of its rate, what waits comes to rest soon.
const NEARLY_FULL: f64 = 0.9;
/// Jobs at a limit that together have this share of their requests outstanding are closed loops, whatever their rates.
const IS_FULL: f64 = 0.9;
/// So is a job that falls behind its rate by this share of the time: a queue that only grows makes it less late.
const FALLS_BEHIND: f64 = 0.05;

/// What an entry of the report did on a volume in one direction.
struct Did {
    entry: usize,
    volume: VolumeId,
    direction: Direction,
    ios: f64,
    bytes: f64,
}

impl<S: Storage> Driver<'_, S> {
    /// A volume, and a direction of it, of which requests wait in a queue that has not come to rest in a sample.
    pub(super) fn wanders(&mut self, sample: &Batch) -> Option<(u16, Direction)> {
        let lasted = sample.lasted.ns() as f64;
        let keeps_rate = |j: &usize| {
            let clone = &self.clones[*j];
            let falls_behind = sample.levels[*j].late_us as f64 * 1e3 > FALLS_BEHIND * lasted;
            runs(clone) && clone.late_us(self.now).is_some() && !falls_behind
        };
        let paced: Vec<usize> = (0..self.clones.len()).filter(keeps_rate).map(|j| self.entry_of[j]).collect();
        if paced.is_empty() {
            return None;
        }
        let cells = sample.cells.iter().enumerate().filter(|(_, cell)| cell.ios() > 0);
        let did = cells.map(|(n, cell)| {
            let (entry, volume) = self.meter.cell_of[n / 3];
            let direction = Direction::ALL[n % 3];
            Did { entry, volume: VolumeId(volume), direction, ios: cell.ios() as f64, bytes: cell.bytes as f64 }
        });
        let did: Vec<Did> = did.collect();
        let full = self.storage.stack().nearly_full(self.now, &sample.counted, sample.lasted, NEARLY_FULL);
        full.iter().find_map(|limit| {
            let there: Vec<&Did> = did.iter().filter(|did| limit.volumes.contains(&did.volume)).collect();
            let most = there.iter().max_by(|a, b| a.ios.total_cmp(&b.ios))?;
            let wanders = !self.is_closed(limit, sample) && lasted < RELAXATIONS * relaxation_ns(limit, &there, &paced);
            wanders.then_some((most.volume.0, most.direction))
        })
    }

    /// Whether nearly all requests of the jobs on the volumes of a limit are outstanding.
    fn is_closed(&self, limit: &NearlyFull, sample: &Batch) -> bool {
        let is_there = |volume: &u16| limit.volumes.contains(&VolumeId(*volume));
        let on = |clone: &&CloneRun| runs(clone) && clone.file_volumes.iter().any(is_there);
        let depth: f64 = self.clones.iter().filter(on).map(|clone| f64::from(clone.depth)).sum();
        let areas = limit.volumes.iter().filter_map(|volume| sample.areas.get(usize::from(volume.0)));
        areas.sum::<u128>() as f64 >= IS_FULL * depth * sample.lasted.ns() as f64
    }
}

/// How long what `paced` entries have waiting at a limit takes to come to rest.
fn relaxation_ns(limit: &NearlyFull, there: &[&Did], paced: &[usize]) -> f64 {
    let weight = |did: &&Did| match limit.quantity {
        Quantity::Iops => did.ios,
        Quantity::Throughput => did.bytes,
    };
    let all: f64 = there.iter().map(weight).sum();
    let of_paced: f64 = there.iter().filter(|did| paced.contains(&did.entry)).map(weight).sum();
    let load = (limit.share * of_paced / all.max(1.0)).min(1.0);
    let ios: f64 = there.iter().map(|did| did.ios).sum();
    let each = if limit.quantity == Quantity::Iops { 1.0 } else { all / ios.max(1.0) };
    let served = limit.rate as f64 / each / 1e9;
    1.0 / (served * (1.0 - load.sqrt()).powi(2))
}
