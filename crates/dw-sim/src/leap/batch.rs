//! What was measured in a stretch of a run, of everything that is printed.

use super::backlog::Look;
use crate::clone::Levels;
use crate::meter::{CellPart, Meter, NO_VOLUME};
use crate::recorder::Part;
use crate::series::Stretch;
use dw_stack::{Counted, Stage};
use dw_units::Duration;

/// A stretch of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    pub(crate) lasted: Duration,
    pub(crate) cells: Vec<CellPart>,
    /// Flushes, by entry.
    pub(crate) flushes: Vec<Part>,
    /// Requests outstanding over time, by volume.
    pub(crate) areas: Vec<u128>,
    pub(crate) counted: Counted,
    /// By clone.
    pub(crate) levels: Vec<Levels>,
    /// By disk that is written back.
    pub(crate) backlogs: Vec<Look>,
}

impl Batch {
    /// Adds the stretch that follows.
    pub(crate) fn join(&mut self, more: &Batch) {
        if self.lasted == Duration::ZERO {
            *self = more.clone();
            return;
        }
        self.lasted += more.lasted;
        self.cells.iter_mut().zip(&more.cells).for_each(|(mine, theirs)| mine.join(theirs));
        self.flushes.iter_mut().zip(&more.flushes).for_each(|(mine, theirs)| mine.join(theirs));
        self.areas.iter_mut().zip(&more.areas).for_each(|(mine, theirs)| *mine += theirs);
        self.counted.join(&more.counted);
        self.levels.iter_mut().zip(&more.levels).for_each(|(mine, theirs)| mine.join(theirs));
        self.backlogs.iter_mut().zip(&more.backlogs).for_each(|(mine, theirs)| mine.join(theirs));
    }
    /// All of them as one.
    pub(crate) fn of(batches: &[Batch]) -> Batch {
        let mut all = Batch::default();
        batches.iter().for_each(|batch| all.join(batch));
        all
    }
    /// The longest mean latency of a cell, ns.
    pub(crate) fn longest_mean(&self) -> f64 {
        let means = self.cells.iter().filter(|cell| cell.both.count > 0);
        means.map(|cell| cell.both.sum as f64 / cell.both.count as f64).fold(0.0, f64::max)
    }
    /// The part of the latencies of a volume's reads in which they were served, and did not wait.
    pub(crate) fn served(&self, meter: &Meter, volume: u16) -> f64 {
        let reads = self.cells.iter().enumerate().filter(|(n, _)| n % 3 == 0 && meter.cell_of[n / 3].1 == volume);
        let (waited, all) = reads
            .fold((0, 0), |sum, (_, cell)| (sum.0 + cell.queued.iter().sum::<u128>(), sum.1 + cell.of_volume().sum));
        if all == 0 { 0.0 } else { 1.0 - waited as f64 / all as f64 }
    }
    /// Whether writes to a volume waited for room for dirty data.
    pub(crate) fn waited_for_room(&self, meter: &Meter, volume: u16) -> bool {
        let of_volume = self.cells.iter().enumerate().filter(|(n, _)| meter.cell_of[n / 3].1 == volume);
        of_volume.map(|(_, cell)| cell.queued[Stage::CacheDirty as usize]).any(|waited| waited > 0)
    }
    /// What each volume did in each direction, in the order of a series.
    pub(crate) fn stretches(&self, meter: &Meter) -> Vec<Stretch> {
        let mut stretches = vec![Stretch::default(); meter.volumes.len() * 3];
        for (n, cell) in self.cells.iter().enumerate() {
            let volume = meter.cell_of[n / 3].1;
            if volume == NO_VOLUME || cell.ios() == 0 {
                continue;
            }
            let stretch = &mut stretches[usize::from(volume) * 3 + n % 3];
            stretch.bytes += cell.bytes;
            let [ram, ssd, miss] = cell.tiers();
            if n % 3 == 0 {
                stretch.hits += ram + ssd;
                stretch.tiers.iter_mut().zip([ram, ssd, miss]).for_each(|(sum, count)| *sum += count);
            }
            stretch.latency.join(&cell.of_volume());
            stretch.queued.iter_mut().zip(cell.queued).for_each(|(sum, wait)| *sum += wait);
        }
        stretches
    }
}
