//! What the host cache did: hits at the end, and how it got there.

use super::words::sampled;
use crate::chart::{Series, over_time};
use crate::content::{Block, Table};
use crate::format::{grouped, percent};
use crate::read::Read;

/// Rows of a table under a chart.
const ROWS: usize = 24;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let mut blocks = Vec::new();
    let head = ["volume", "began", "#reads from RAM", "#from the host's SSD", "#from the disk", "#hits"];
    let mut table = Table::new("Reads of cached volumes in the simulated run", &head);
    for (_, run) in read.summaries() {
        for volume in &run.volumes {
            let Some(cache) = &volume.cache else { continue };
            let counts = [cache.hits_ram, cache.hits_ssd, cache.misses].map(|n| grouped(n as f64));
            let first = [format!("{} ({})", volume.name, volume.host_cache), run.start.cache.clone()];
            table.row(first.into_iter().chain(counts).chain([cache.hit_percent.map_or("-".into(), percent)]));
        }
        for track in run.series.iter() {
            let Some(hits) = &track.hit_percent else { continue };
            let points = track.end_s.iter().zip(hits).map(|(t, v)| (*t, Some(*v))).collect();
            let title = format!("{}: reads that the host cache serves (%)", track.volume);
            let series = [Series { name: "hits".into(), points }];
            let Some(chart) = over_time(&title, &series, &percent) else { continue };
            let mut table = Table::new(&title, &["#second", "#hits"]);
            for at in sampled(hits.len(), ROWS) {
                table.row([format!("{:.0}", track.end_s[at]), percent(hits[at])]);
            }
            blocks.push(Block::Chart(chart, table));
        }
    }
    if !table.rows.is_empty() {
        blocks.insert(0, Block::Table(table));
    }
    blocks
}
