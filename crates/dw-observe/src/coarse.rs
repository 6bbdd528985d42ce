//! Devices that were recorded in intervals of different lengths, over the coarsest of them.
//!
//! A sum of devices is taken stamp by stamp. Where one device has a line a minute and another one every five, four of five stamps would lack
//! the second, and the fifth would stand for five minutes of the one and for one of the other. So all of a source are taken over the coarsest
//! interval: what happened in a finer one is part of that which it lies in, of one that lies in two each gets its share. Totals stay what they
//! were; peaks within the coarsest interval are not seen any more, which the audit says.
//!
//! What stands beside finer lines for half of its time is coarse. A line that stands for two because one was lost is not, nor is a recording
//! that goes on with another interval.
//!
//! Of a recording that is folded the first part says which interval that is; of what is folded all intervals are whole, the rest waits.
//!
//! Ignores: a device of a folded recording that is coarser than all of its first part, traces, reports without a time, lines that do not say
//! their length. Of an interval of which less than half was recorded nothing is known.
//!
//! Invariant: the rows of a device that was taken over a grid end on that grid, one to an interval.

use std::collections::BTreeMap;

use dw_units::Duration;

use super::past::Coarsened;
use super::row::{Gathered, Row};
use super::source::{Device, Source};

/// A line this many times as long as another is not of the same interval.
const LONGER: f64 = 1.5;

/// Takes all devices of a source over the coarsest interval of any of them; nothing where they have one length.
pub(crate) fn even_out(source: &mut Source) -> Option<Coarsened> {
    let found = Coarsened::of(source)?;
    found.take_over(source);
    Some(found)
}

impl Coarsened {
    /// The coarsest interval of a source: that by which it was folded, or else that of its lines.
    pub(crate) fn of(source: &mut Source) -> Option<Coarsened> {
        if let Some(past) = &source.past {
            return past.coarsened.clone();
        }
        let is_on_a_clock = source.axis.is_some_and(super::clock::Axis::has_clock);
        if source.trace_width.is_some() || !is_on_a_clock {
            return None;
        }
        let spans = || source.devices.values().flat_map(|device| &device.rows).map(|row| row.span);
        let (finest, longest) = (spans().min().filter(|span| *span > 0)?, spans().max()?);
        if !is_longer(longest, finest) {
            return None;
        }
        let mut ends: Vec<(i64, u64)> = Vec::new();
        for device in source.devices.values_mut() {
            device.rows.sort_by_key(|row| row.at);
            ends.extend(device.rows.iter().map(|row| (row.at, row.span)));
        }
        ends.sort_unstable();
        ends.dedup();
        let coarse = source.devices.iter().filter_map(|(name, device)| Some((usual_of_coarse(device, &ends)?, name)));
        // Of equals the first says where intervals end.
        let ((over, phase), device) = coarse.rev().max_by_key(|((over, _), _)| *over)?;
        let mut finer: Vec<u64> = ends.iter().map(|end| end.1).filter(|span| is_longer(over, *span)).collect();
        finer.sort_unstable();
        let (over, finer) = (Duration::from_ns(over), Duration::from_ns(*finer.get(finer.len() / 2)?));
        Some(Coarsened { over, finer, phase, device: device.clone() })
    }

    /// Takes all devices of a source over it.
    pub(crate) fn take_over(&self, source: &mut Source) {
        for device in source.devices.values_mut() {
            device.rows = on_grid(&device.rows, self.over.ns(), self.phase);
        }
    }

    /// Of what ended before `cut` the whole intervals end before this.
    pub(crate) fn whole_before(&self, cut: i64) -> i64 {
        let length = self.over.ns().cast_signed();
        let known = cut.saturating_sub(1).saturating_sub(self.phase);
        self.phase.saturating_add(known.div_euclid(length) * length).saturating_add(1)
    }
}

fn is_longer(span: u64, other: u64) -> bool {
    span as f64 > other as f64 * LONGER
}

/// The interval of a device that stands beside finer lines for half of its time, and where one of that length ends.
fn usual_of_coarse(device: &Device, ends: &[(i64, u64)]) -> Option<(u64, i64)> {
    let (mut covered, mut before) = (0u64, i64::MIN);
    let mut beside: Vec<&Row> = Vec::new();
    for row in &device.rows {
        covered += row.span.min(row.at.saturating_sub(before).unsigned_abs());
        before = row.at;
        let begins = row.at.saturating_sub_unsigned(row.span);
        let slack = (row.span / 20).cast_signed();
        let from = ends.partition_point(|end| end.0 <= begins + slack);
        let mut within = ends[from..].iter().take_while(|end| end.0 < row.at - slack);
        if within.any(|end| is_longer(row.span, end.1)) {
            beside.push(row);
        }
    }
    let length: u64 = beside.iter().map(|row| row.span).sum();
    if length == 0 || length < covered / 2 {
        return None;
    }
    beside.sort_by_key(|row| row.span);
    let usual = beside[beside.len() / 2];
    Some((usual.span, usual.at))
}

/// Rows as intervals of one length, of which one ends at `phase`.
fn on_grid(rows: &[Row], over: u64, phase: i64) -> Vec<Row> {
    let length = over.cast_signed();
    let is_counted = rows.iter().all(|row| row.counted_span().is_some());
    let mut grid: BTreeMap<i64, Gathered> = BTreeMap::new();
    for row in rows {
        let begins = row.at.saturating_sub_unsigned(row.span);
        let mut index = (begins - phase).div_euclid(length);
        loop {
            let end = phase + (index + 1) * length;
            let overlap = row.at.min(end) - begins.max(end - length);
            if overlap <= 0 {
                break;
            }
            grid.entry(end).or_insert_with(|| Gathered::new(row.origin)).add(row, overlap.unsigned_abs());
            index += 1;
        }
    }
    grid.into_iter().filter_map(|(end, gathered)| gathered.row(end, over, is_counted)).collect()
}
