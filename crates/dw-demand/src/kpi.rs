//! Sets of figures that vendors of software ask of the volumes under it, by name: `kpi = "hana-log"`.
//!
//! Where the requirements of a volume give no load, the larger stream of the set is it; where they give one, that counts. Bounds of latency
//! are of small requests: a kind of disk that takes longer without any waiting is not chosen, and where the requirements give the load and no
//! bound, they are its bounds.
//!
//! Source: `data/kpi.toml`, row by row.
//!
//! Ignores: what a set asks beyond streams and latencies, which each row names as `unchecked`.

use std::sync::LazyLock;

use dw_units::{Bytes, Duration, Throughput};
use serde::Deserialize;

use crate::wishes::{Role, VolumeWishes};
use crate::{Levels, Provenance, VolumeRequirements};

/// A stream that a volume must carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    pub rate: Throughput,
    /// Of one request.
    pub size: Bytes,
    /// Both as the page has them: `250 MB/s in requests of 1 MB`.
    said: String,
}

/// A page with the day, or the version, that it bears.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Page {
    pub page: String,
    pub date: String,
}

/// A set of figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kpi {
    pub name: String,
    /// `the log of SAP HANA`.
    pub of: String,
    role: Role,
    stripe_unit: Option<Bytes>,
    /// Of reads and of writes.
    pub streams: [Option<Stream>; 2],
    /// Of reads and of writes.
    pub latency_max: [Option<Duration>; 2],
    pub sync_latency_p99_max: Option<Duration>,
    /// What it asks that nobody checks here.
    pub unchecked: String,
    /// The product whose vendor has to certify the VM size, which nobody checks here either.
    pub certified_for: Option<String>,
    pub sources: Vec<Page>,
}

/// A set that is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AskedKpi {
    pub set: &'static Kpi,
    /// Its stream is the load of the volume.
    pub gives_load: bool,
}

impl Kpi {
    /// All of them, in the order of the file.
    pub fn all() -> &'static [Kpi] {
        static ALL: LazyLock<Vec<Kpi>> =
            LazyLock::new(|| parse(include_str!("../data/kpi.toml")).expect("data/kpi.toml is part of the crate"));
        &ALL
    }
    /// That of a name.
    pub fn named(name: &str) -> Option<&'static Kpi> {
        Kpi::all().iter().find(|kpi| kpi.name == name)
    }

    /// Whether a kind of disk whose reads and writes take so many nanoseconds without waiting is fast enough.
    pub fn allows(&self, latency_ns: (u64, u64)) -> bool {
        let [reads, writes] = self.latency_max;
        let is_within = |ns: u64, most: Option<Duration>| most.is_none_or(|most| ns <= most.ns());
        is_within(latency_ns.0, reads) && is_within(latency_ns.1, writes)
    }

    /// What it asks, in words: `writes of 250 MB/s in requests of 1 MB; small writes within 1 ms`.
    pub fn asks(&self) -> String {
        let names = ["reads", "writes"];
        let streams = names
            .iter()
            .zip(&self.streams)
            .filter_map(|(of, stream)| Some(format!("{of} of {}", stream.as_ref()?.said)));
        let syncs = self.sync_latency_p99_max.map(|most| format!("the 99th percentile of syncs within {most}"));
        streams.chain(self.latencies()).chain(syncs).collect::<Vec<_>>().join("; ")
    }

    /// What it asks of the kind of disk alone: `small writes within 1 ms`.
    pub fn latencies(&self) -> impl Iterator<Item = String> {
        let latencies = ["reads", "writes"].into_iter().zip(&self.latency_max);
        latencies.filter_map(|(of, most)| Some(format!("small {of} within {}", most.as_ref()?)))
    }

    /// The larger of its streams, with whether it is of writes: both pass the same limits, one after the other.
    fn larger(&self) -> Option<(bool, &Stream)> {
        let [reads, writes] = &self.streams;
        let all = reads.iter().map(|stream| (false, stream)).chain(writes.iter().map(|stream| (true, stream)));
        all.max_by_key(|(_, stream)| stream.rate)
    }
    /// Whether it is a load.
    pub(crate) fn has_load(&self) -> bool {
        self.larger().is_some()
    }

    /// Gives its load to a volume that has none.
    pub(crate) fn give_load(&self, volume: &mut VolumeRequirements) {
        let Some((is_writes, stream)) = self.larger() else { return };
        let (iops, size) = match is_writes {
            false => (&mut volume.read_iops, &mut volume.read_size),
            true => (&mut volume.write_iops, &mut volume.write_size),
        };
        let of_one = *size.get_or_insert(stream.size);
        let rate = stream.rate.get() as f64 / of_one.get() as f64;
        *iops = Some(Levels { p50: rate, p90: rate, p95: None, p99: rate, max: rate, from: Provenance::Asked });
    }
    /// A volume without the load that it gave.
    pub(crate) fn without_load(&self, volume: &VolumeRequirements) -> VolumeRequirements {
        let [reads, writes] = &self.streams;
        let own = |size: Option<Bytes>, stream: &Option<Stream>| {
            size.filter(|size| stream.as_ref().is_none_or(|stream| stream.size != *size))
        };
        VolumeRequirements {
            read_iops: None,
            write_iops: None,
            read_size: own(volume.read_size, reads),
            write_size: own(volume.write_size, writes),
            ..volume.clone()
        }
    }

    /// Its role, where none is written.
    pub(crate) const fn role(&self) -> Role {
        self.role
    }

    /// Wishes of a volume that has said none of these.
    pub(crate) fn give_wishes(&'static self, has_own_load: bool, wishes: &mut VolumeWishes) {
        let gives_load = !has_own_load && self.has_load();
        wishes.stripe_unit = wishes.stripe_unit.or(self.stripe_unit);
        wishes.sync_latency_p99_max = wishes.sync_latency_p99_max.or(self.sync_latency_p99_max);
        if gives_load {
            // What a vendor asks does not grow with the load of anybody.
            wishes.growth_percent_per_year = wishes.growth_percent_per_year.or(Some(0.0));
        } else {
            let bounds = [&mut wishes.read_latency_max, &mut wishes.write_latency_max];
            for (bound, most) in bounds.into_iter().zip(self.latency_max) {
                bound.mean = bound.mean.or(most);
            }
        }
        wishes.kpi = Some(AskedKpi { set: self, gives_load });
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KpiFile {
    kpi: Vec<RowFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RowFile {
    name: String,
    of: String,
    role: String,
    stripe_unit: Option<String>,
    read: Option<StreamFile>,
    write: Option<StreamFile>,
    read_latency_max: Option<String>,
    write_latency_max: Option<String>,
    sync_latency_p99_max: Option<String>,
    unchecked: String,
    certified_for: Option<String>,
    sources: Vec<Page>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StreamFile {
    rate: String,
    size: String,
}

fn parse(text: &str) -> Option<Vec<Kpi>> {
    let file: KpiFile = toml::from_str(text).ok()?;
    let stream = |file: Option<StreamFile>| match file {
        Some(StreamFile { rate, size }) => {
            let said = format!("{rate} in requests of {size}");
            Some(Some(Stream { rate: rate.parse().ok()?, size: size.parse().ok()?, said }))
        }
        None => Some(None),
    };
    let latency = |text: Option<String>| match text {
        Some(text) => text.parse::<Duration>().ok().map(Some),
        None => Some(None),
    };
    let row = |row: RowFile| {
        Some(Kpi {
            name: row.name,
            of: row.of,
            role: Role::ALL.into_iter().find(|role| role.word() == row.role)?,
            stripe_unit: match row.stripe_unit {
                Some(text) => Some(text.parse().ok()?),
                None => None,
            },
            streams: [stream(row.read)?, stream(row.write)?],
            latency_max: [latency(row.read_latency_max)?, latency(row.write_latency_max)?],
            sync_latency_p99_max: latency(row.sync_latency_p99_max)?,
            unchecked: row.unchecked,
            certified_for: row.certified_for,
            sources: row.sources,
        })
    };
    file.kpi.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_asks_something_and_says_where_that_stands() {
        for kpi in Kpi::all() {
            assert!(!kpi.asks().is_empty() && !kpi.unchecked.is_empty(), "{kpi:?}");
            let is_dated = |page: &Page| page.page.contains('/') && page.date.chars().any(|c| c.is_ascii_digit());
            assert!(!kpi.sources.is_empty() && kpi.sources.iter().all(is_dated), "{kpi:?}");
            assert_eq!(Kpi::named(&kpi.name), Some(kpi));
        }
        let asks =
            "reads of 250 MB/s in requests of 1 MB; writes of 250 MB/s in requests of 1 MB; small writes within 1 ms";
        assert_eq!(Kpi::named("hana-log").unwrap().asks(), asks);
    }
}
