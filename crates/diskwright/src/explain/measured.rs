//! A benchmark's result, of any tool that is read, as what was measured on each volume.
//!
//! Tests that ran one after another are not added up: the one with the most I/Os per second is taken, and said. Where a tool
//! reports reads and writes as one, they are parted by the mix that was asked for.
//!
//! Ignores: percentiles except for those of syncs, trims.

use std::collections::BTreeMap;

use dw_error::{Error, Result};
use dw_formats::results::{self, About, Entry, Figures, MeasuredRun};
use dw_messages::{Sentence, say};
use dw_planner::explain::{Measured, Syncs};
use dw_planner::problem::Sample;
use dw_units::Bytes;

use super::Evidence;
use crate::measured::notes;

/// What results say.
#[derive(Clone, Debug, Default)]
struct Results {
    /// Each volume that was measured.
    measured: Vec<Measured>,
    /// What the results call what they measured there.
    entries: BTreeMap<usize, Vec<String>>,
    /// What to know about them.
    notes: Vec<Sentence>,
    /// Of that, what the tools complain of.
    doubts: Vec<Sentence>,
    /// Of each file, which of the names that the user spoke of it has.
    named: Vec<Vec<bool>>,
}

impl Evidence {
    /// With results that were measured on the configuration, by name and bytes: what fio, DiskSpd and Iometer print, or `simulate`.
    /// `about` says which volumes there are and what the user calls them. Rates and mean latencies count, of several tests of a file
    /// those of the one with the most I/Os per second.
    ///
    /// # Errors
    /// Of kind `Input`, with name and line, where a result cannot be read, did nothing, is about a volume that nobody can tell or that
    /// another result has; `Usage` where `about` names what no result has.
    ///
    /// ```
    /// use diskwright::explain::Evidence;
    /// use diskwright::measured::About;
    /// use diskwright::{Catalogue, Session};
    /// let session = Session::new(Catalogue::embedded().clone());
    /// let rig = session.scenario("rig.toml", "[vm]\nsize = 'Standard_DS14'\n[[volume]]\nname = 'data'\ndisks = 'P30'\n")?;
    /// let fio = r#"{ "fio version": "fio-3.33", "jobs": [{ "jobname": "data", "error": 0,
    ///     "job options": { "rw": "randread", "bs": "8k", "iodepth": "64" },
    ///     "read": { "io_bytes": 81920000, "io_kbytes": 80000, "total_ios": 10000, "runtime": 2000, "iops": 5000.0, "bw_bytes": 40960000,
    ///     "clat_ns": { "mean": 12800000.0, "N": 10000 } } }] }"#;
    /// let about = About { volumes: &rig.volume_maps(), map: &[] };
    /// let evidence = Evidence::default().with_results(&[("fio.json", fio.as_bytes())], &about)?;
    /// assert_eq!(session.explain(&rig, evidence)?.measured[0].limit.as_deref(), Some("data disk IOPS"));
    /// # Ok::<(), diskwright::Error>(())
    /// ```
    pub fn with_results(self, results: &[(&str, &[u8])], about: &About) -> Result<Evidence> {
        let mut all = Results {
            measured: self.measured,
            entries: self.entries,
            notes: self.notes,
            doubts: self.doubts,
            named: Vec::new(),
        };
        for (name, bytes) in results {
            all.add(name, bytes, about)?;
        }
        about.unmatched(all.named.iter().map(Vec::as_slice))?;
        Ok(Evidence { measured: all.measured, entries: all.entries, notes: all.notes, doubts: all.doubts, ..self })
    }
}

impl Results {
    /// Adds the result in a file.
    fn add(&mut self, name: &str, bytes: &[u8], about: &About) -> Result<()> {
        crate::text::is_plain(name, bytes)?;
        let run = results::read_measured(name, &dw_counters::decoded(bytes))?;
        self.named.push(about.named(&run));
        let refuse = |line: u64, what: String, hint: &str| Error::input(what).hint(hint).at(name, line);
        let test = self.chosen_test(&run);
        let placed = about.placed_parts(&run, |entry| entry.test == test)?;
        let parts: Vec<&Entry> = placed.iter().map(|(entry, _)| *entry).collect();
        let before = self.measured.len();
        for &(entry, volume) in &placed {
            let shown = &entry.name;
            let one = of_entry(&run, entry, &parts).map_err(|what| {
                refuse(entry.line, format!("`{shown}`: {what}"), "give the tool's unmodified result")
            })?;
            let Some(one) = one else { continue };
            if self.measured[..before].iter().any(|known| known.volume == volume) {
                let shown = &about.volumes[volume].name;
                return Err(refuse(
                    entry.line,
                    format!("volume `{shown}` already has a result from another file"),
                    "give one result per volume: consecutive runs do not add up",
                ));
            }
            self.merge(Measured { volume, ..one });
            self.entries.entry(volume).or_default().push(format!("{name}: {shown}"));
        }
        for names in self.entries.values_mut() {
            names.dedup();
        }
        if self.measured.len() == before {
            let why = run.notes.first().map_or(String::new(), |note| format!(" (line {}: {})", note.line, note.text));
            let what = format!("nothing was read or written{why}");
            if about.map.iter().any(|map| map.volume == "-") {
                return Err(refuse(1, "every job with reads or writes is excluded".into(), "exclude fewer"));
            }
            return Err(refuse(1, what, "measure again: the tool's own errors are in the file"));
        }
        self.notes.extend(notes(&run));
        self.doubts.extend(notes(&run));
        Ok(())
    }

    /// The test with the most I/Os per second, where there are several.
    fn chosen_test(&mut self, run: &MeasuredRun) -> u32 {
        let rate = |test: u32| run.iops(test, Entry::total).unwrap_or(0.0);
        let mut tests: Vec<u32> = run.entries.iter().map(|entry| entry.test).collect();
        tests.sort_unstable();
        tests.dedup();
        // The first of equals.
        let Some(chosen) = tests.iter().copied().rev().max_by(|a, b| rate(*a).total_cmp(&rate(*b))) else { return 0 };
        if tests.len() > 1 {
            let first = run.whole().find(|entry| entry.test == chosen);
            let test = first.map(|entry| say!(ResultChosenTest { name: &entry.name, line: entry.line.to_string() }));
            self.notes.push(say!(ResultChosen { file: &run.file, tests: tests.len(), test }));
        }
        chosen
    }

    fn merge(&mut self, one: Measured) {
        let Some(all) = self.measured.iter_mut().find(|all| all.volume == one.volume) else {
            return self.measured.push(one);
        };
        let mean = |a: Option<u64>, n: u64, b: Option<u64>, m: u64| match (a, b) {
            (Some(a), Some(b)) => {
                let sum = u128::from(a) * u128::from(n) + u128::from(b) * u128::from(m);
                Some((sum / u128::from((n + m).max(1))) as u64)
            }
            (a, b) => a.filter(|_| m == 0).or(b.filter(|_| n == 0)),
        };
        all.read_ns = mean(all.read_ns, all.rates.reads, one.read_ns, one.rates.reads);
        all.write_ns = mean(all.write_ns, all.rates.writes, one.write_ns, one.rates.writes);
        all.rates.reads += one.rates.reads;
        all.rates.writes += one.rates.writes;
        all.rates.read_bytes += one.rates.read_bytes;
        all.rates.write_bytes += one.rates.write_bytes;
        all.queue_depth = all.queue_depth.zip(one.queue_depth).map(|(a, b)| a.saturating_add(b));
        all.span = all.span.max(one.span);
        all.seconds = [all.seconds, one.seconds].into_iter().flatten().reduce(f64::max);
        all.is_paced &= one.is_paced;
        all.syncs = all.syncs.zip(one.syncs).map(|(a, b)| together(a, b));
    }
}

/// The syncs of two jobs in one figure, in which every worker counts alike.
fn together(a: Syncs, b: Syncs) -> Syncs {
    let workers = a.workers + b.workers;
    let mean = |a_has: f64, b_has: f64| (a_has * a.workers as f64 + b_has * b.workers as f64) / workers.max(1) as f64;
    Syncs {
        per_write: mean(a.per_write, b.per_write),
        mean_ns: mean(a.mean_ns, b.mean_ns),
        p99_ns: a.p99_ns.zip(b.p99_ns).map(|(a, b)| a.max(b)),
        workers,
    }
}

/// What an entry measured, on a volume that is not known here; nothing when it neither read nor wrote.
fn of_entry(run: &MeasuredRun, entry: &Entry, all: &[&Entry]) -> Result<Option<Measured>, String> {
    let (read, write) = directions(run, entry)?;
    let rates = Sample {
        reads: rate(&read, |f| f.iops),
        writes: rate(&write, |f| f.iops),
        read_bytes: rate(&read, |f| f.bytes_per_s),
        write_bytes: rate(&write, |f| f.bytes_per_s),
    };
    if rates.reads + rates.writes == 0 {
        return Ok(None);
    }
    let mean = |figures: &Option<Figures>| {
        let ns = figures.as_ref()?.whole_latency()?.mean_ns?;
        (ns > 0.0).then_some(ns as u64)
    };
    let depth = run.said(entry, |e| e.load.queue_depth);
    // Clones that are reported one by one count themselves.
    let alike = all.iter().filter(|other| other.name == entry.name && other.host == entry.host).count();
    let workers = if alike > 1 { 1 } else { entry.load.workers.unwrap_or(1) };
    Ok(Some(Measured {
        volume: 0,
        rates,
        read_ns: mean(&read),
        write_ns: mean(&write),
        queue_depth: depth.map(|depth| depth.saturating_mul(workers)),
        seconds: entry.elapsed_s.filter(|seconds| *seconds > 0.0),
        span: run.said(entry, |e| e.load.target_bytes).map(Bytes::new),
        is_paced: run.said(entry, |e| e.load.is_paced.then_some(())).is_some(),
        syncs: syncs(entry, &write, workers),
    }))
}

/// What is waited for after writes, where the result has both counted.
fn syncs(entry: &Entry, write: &Option<Figures>, workers: u64) -> Option<Syncs> {
    let sync = entry.sync.as_ref()?;
    let (count, writes) = (sync.ios.filter(|ios| *ios > 0)?, write.as_ref()?.ios.filter(|ios| *ios > 0)?);
    let mean_ns = sync.whole_latency()?.mean_ns.filter(|ns| *ns > 0.0)?;
    let p99_ns = sync.percentile(99.0).map(|(_, ns)| ns).filter(|ns| *ns > 0.0);
    Some(Syncs { per_write: count as f64 / writes as f64, mean_ns, p99_ns, workers })
}

/// Reads and writes; those that are reported as one are parted by the mix that was asked for.
fn directions(run: &MeasuredRun, entry: &Entry) -> Result<(Option<Figures>, Option<Figures>), String> {
    let Some(mixed) = entry.mixed.as_ref().filter(|_| entry.read.is_none() && entry.write.is_none()) else {
        return Ok((entry.read.clone(), entry.write.clone()));
    };
    let Some(percent) = run.said(entry, |e| e.load.read_percent) else {
        return Err("reads and writes are reported together, without their mix".into());
    };
    let part = |share: f64| {
        let of = |value: Option<f64>| value.map(|value| value * share);
        (share > 0.0).then(|| Figures { iops: of(mixed.iops), bytes_per_s: of(mixed.bytes_per_s), ..mixed.clone() })
    };
    let reads = (percent / 100.0).clamp(0.0, 1.0);
    Ok((part(reads), part(1.0 - reads)))
}

/// A rate as a whole number; one that was not taken is none.
fn rate(figures: &Option<Figures>, of: impl Fn(&Figures) -> Option<f64>) -> u64 {
    figures.as_ref().and_then(of).map_or(0, |value| value.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_worker_counts_alike_in_the_syncs_of_several_jobs() {
        let syncs = |per_write, mean_ns, p99_ns, workers| Some(Syncs { per_write, mean_ns, p99_ns, workers });
        let cases = [
            (
                [syncs(1.0, 3e6, Some(9e6), 1), syncs(1.0, 6e6, Some(20e6), 1), syncs(0.25, 9e6, Some(12e6), 1)],
                syncs(0.75, 6e6, Some(20e6), 3),
            ),
            (
                [syncs(1.0, 2e6, Some(9e6), 6), syncs(0.5, 8e6, None, 1), syncs(0.5, 8e6, Some(9e6), 1)],
                syncs(0.875, 3.5e6, None, 8),
            ),
            ([syncs(1.0, 3e6, None, 1), None, syncs(1.0, 3e6, None, 1)], None),
        ];
        for (jobs, expected) in cases {
            let mut all = Results::default();
            for syncs in jobs {
                all.merge(Measured { syncs, ..Measured::default() });
            }
            assert_eq!(all.measured[0].syncs, expected, "{jobs:?}");
        }
    }
}
