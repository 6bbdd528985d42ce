//! What the host cache did: hits at the end, and how it got there.

use dw_messages::{labels, text};

use super::words::sampled;
use crate::chart::{Series, over_time};
use crate::content::{Block, Table};
use crate::format::{grouped, percent};
use crate::read::Read;

/// Rows of a table under a chart.
const ROWS: usize = 24;

pub(super) fn blocks(read: &Read) -> Vec<Block> {
    let mut blocks = Vec::new();
    let lang = read.lang;
    let head = labels!["volume", "began", "#reads from RAM", "#from the host's SSD", "#from the disk", "#hits"];
    let mut table = Table::new(lang, text!(lang, "Reads of volumes with a host cache in the simulated run"), &head);
    for (_, run) in read.summaries() {
        for volume in &run.volumes {
            let Some(cache) = &volume.cache else { continue };
            let counts = [cache.hits_ram, cache.hits_ssd, cache.misses].map(|n| grouped(n as f64));
            let first = [format!("{} ({})", volume.name, volume.host_cache), lang.word(&run.start.cache).to_string()];
            table.row(first.into_iter().chain(counts).chain([cache.hit_percent.map_or("-".into(), percent)]));
        }
        for track in run.series.iter() {
            let Some(hits) = &track.hit_percent else { continue };
            let points = track.end_s.iter().zip(hits).map(|(t, v)| (*t, Some(*v))).collect();
            let title = text!(lang, "{volume}: reads that the host cache serves (%)", volume = track.volume);
            let series = [Series::new(text!(lang, "hits"), points)];
            let Some(chart) = over_time(lang, &title, &series, &percent) else { continue };
            let mut table = Table::new(lang, &title, &labels!["#second", "#hits"]);
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

/// What the cache served.
pub(super) fn conclusion(read: &Read) -> String {
    let volumes = read.summaries().flat_map(|(_, run)| &run.volumes);
    let served = volumes.filter_map(|volume| Some((volume, volume.cache.as_ref()?.hit_percent?)));
    let said = served.map(|(volume, hits)| {
        let hits = read.lang.figure(&percent(hits));
        text!(read.lang, "{volume}: the cache serves {hits} of reads", volume = volume.name, hits)
    });
    said.collect::<Vec<_>>().join(read.lang.between())
}
