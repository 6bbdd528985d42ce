//! A result of fio (its JSON, which `diskwright simulate` prints, too) as what was measured on each volume.
//!
//! Groups of jobs that ran one after another are not added up: the one with the most I/Os a second is taken, and said.
//!
//! Ignores: percentiles, trims.

use std::collections::BTreeMap;

use dw_formats::scenario::Scenario;
use dw_planner::explain::Measured;
use dw_planner::problem::Sample;
use dw_units::Bytes;
use serde_json::Value;

use crate::exit::Failure;

/// What results say.
#[derive(Clone, Debug, Default)]
pub(super) struct Results {
    /// Each volume that was measured.
    pub(super) measured: Vec<Measured>,
    /// What the results call what they measured there.
    pub(super) entries: BTreeMap<usize, Vec<String>>,
    /// What to know about them.
    pub(super) notes: Vec<String>,
}

/// Engines that keep one request in flight whatever `iodepth` says.
const ONE_AT_A_TIME: [&str; 5] = ["sync", "psync", "vsync", "pvsync", "pvsync2"];

impl Results {
    /// Adds the result in a file.
    pub(super) fn add(&mut self, name: &str, text: &str, scenario: &Scenario) -> Result<(), Failure> {
        let refuse = |what: String, hint: &str| Failure::input(format!("error: {name}{what}\nhint: {hint}\n"));
        // fio may print lines of text before its JSON.
        let start = text.find('{').unwrap_or(0);
        let lines_before = text[..start].matches('\n').count();
        let document: Value = serde_json::from_str(&text[start..]).map_err(|e| {
            let what = format!(":{}:{}: is no JSON: {e}", e.line() + lines_before, e.column());
            refuse(what, "write the result with `fio --output-format=json --output=result.json`")
        })?;
        let jobs = document["jobs"].as_array().ok_or_else(|| {
            refuse(
                ": has no `jobs`".into(),
                "give a result of fio (`--output-format=json`) or of `diskwright simulate`",
            )
        })?;
        let group = self.chosen_group(name, jobs);
        for (number, job) in
            jobs.iter().enumerate().filter(|(_, job)| group.as_ref().is_none_or(|group| job["groupid"] == *group))
        {
            let job_name = job["jobname"].as_str().unwrap_or("?");
            let options = Options { own: &job["job options"], global: &document["global options"] };
            let volume = options.volume(scenario).map_err(|what| {
                let names: Vec<String> = scenario.volumes.iter().map(|v| format!("`{}`", v.name)).collect();
                let hint = format!(
                    "its volumes are {}; give the one that was measured the job's mount or device",
                    names.join(", ")
                );
                refuse(format!(": job `{job_name}` (number {}): {what}", number + 1), &hint)
            })?;
            let alike =
                jobs.iter().filter(|other| other["jobname"] == job["jobname"] && other["groupid"] == job["groupid"]);
            let one = of_job(job, &options, alike.count() as u64).map_err(|what| {
                refuse(
                    format!(": job `{job_name}`: {what}"),
                    "give a whole result: one that was cut off cannot be judged",
                )
            })?;
            if let Some(one) = one {
                let of_others = |known: &String| !known.starts_with(&format!("{name}: "));
                if self.entries.get(&volume).is_some_and(|known| known.iter().any(of_others)) {
                    let shown = &scenario.volumes[volume].name;
                    return Err(refuse(
                        format!(": volume `{shown}` has a result of another file already"),
                        "give one result a volume: runs one after another do not add up",
                    ));
                }
                self.merge(Measured { volume, ..one });
                self.entries.entry(volume).or_default().push(format!("{name}: {job_name}"));
            }
        }
        for names in self.entries.values_mut() {
            names.dedup();
        }
        if self.measured.is_empty() {
            return Err(refuse(
                ": no job read or wrote anything".into(),
                "measure again: fio's own errors are in the file",
            ));
        }
        Ok(())
    }

    /// The group with the most I/Os a second, where there are several.
    fn chosen_group(&mut self, name: &str, jobs: &[Value]) -> Option<Value> {
        let mut groups: Vec<(Value, f64)> = Vec::new();
        for job in jobs {
            let rate = ["read", "write"].iter().filter_map(|d| job[d]["iops"].as_f64()).sum::<f64>();
            match groups.iter_mut().find(|(group, _)| *group == job["groupid"]) {
                Some((_, sum)) => *sum += rate,
                None => groups.push((job["groupid"].clone(), rate)),
            }
        }
        if groups.len() < 2 {
            return None;
        }
        let count = groups.len();
        let (group, _) = groups.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        self.notes.push(format!(
            "{name}: {count} groups of jobs ran one after another; group {group}, the one with the most I/Os a second, is explained"
        ));
        Some(group)
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
        all.queue_depth = all.queue_depth.zip(one.queue_depth).map(|(a, b)| a + b);
        all.span = all.span.max(one.span);
        all.is_paced &= one.is_paced;
    }
}

/// Options of a job, its own before the global ones.
struct Options<'a> {
    own: &'a Value,
    global: &'a Value,
}

impl Options<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        self.own[name].as_str().or_else(|| self.global[name].as_str())
    }

    /// The volume whose device, mount point or name the job's file is of.
    fn volume(&self, scenario: &Scenario) -> Result<usize, String> {
        if scenario.volumes.len() == 1 {
            return Ok(0);
        }
        let Some(path) = self.get("filename").or_else(|| self.get("directory")) else {
            return Err("it names no file, and the configuration has several volumes".into());
        };
        let path = path.replace("\\:", ":");
        let under =
            |mount: &str| path == mount || path.strip_prefix(mount).is_some_and(|rest| rest.starts_with(['/', '\\']));
        let of = |(place, volume): (usize, &dw_formats::scenario::Volume)| {
            let mount = volume.mount.as_deref().filter(|mount| under(mount)).map(str::len);
            let is_own = volume.device.as_deref() == Some(path.as_str()) || volume.name == path;
            mount.or(is_own.then_some(usize::MAX)).map(|length| (length, place))
        };
        let found = scenario.volumes.iter().enumerate().filter_map(of).max();
        found.map(|(_, place)| place).ok_or_else(|| format!("`{path}` lies on no volume of the configuration"))
    }
}

/// What a job measured; nothing when it neither read nor wrote. `alike` entries have its name.
fn of_job(job: &Value, options: &Options, alike: u64) -> Result<Option<Measured>, String> {
    let figure = |direction: &str, key: &str| -> Result<f64, String> {
        match &job[direction][key] {
            Value::Null => Ok(0.0),
            value => value.as_f64().filter(|n| *n >= 0.0).ok_or(format!("`{direction}.{key}` is {value}, no rate")),
        }
    };
    let rates = Sample {
        reads: figure("read", "iops")?.round() as u64,
        writes: figure("write", "iops")?.round() as u64,
        read_bytes: figure("read", "bw_bytes")?.round() as u64,
        write_bytes: figure("write", "bw_bytes")?.round() as u64,
    };
    if rates.reads + rates.writes == 0 {
        return Ok(None);
    }
    let mean = |direction: &str| job[direction]["lat_ns"]["mean"].as_f64().filter(|ns| *ns > 0.0).map(|ns| ns as u64);
    let number = |name: &str| options.get(name).and_then(|text| text.parse::<u64>().ok());
    let engine = options.get("ioengine").unwrap_or("psync");
    let depth = if ONE_AT_A_TIME.contains(&engine) { 1 } else { number("iodepth").unwrap_or(1) };
    let clones = if alike > 1 { 1 } else { number("numjobs").unwrap_or(1) };
    let paced = ["rate", "rate_iops", "thinktime"].iter().any(|name| options.get(name).is_some());
    let runtime = ["read", "write"].iter().filter_map(|d| job[d]["runtime"].as_f64()).fold(0.0, f64::max);
    Ok(Some(Measured {
        volume: 0,
        rates,
        read_ns: mean("read"),
        write_ns: mean("write"),
        queue_depth: Some(depth * clones),
        seconds: (runtime > 0.0).then_some(runtime / 1e3),
        span: options.get("size").and_then(bytes),
        is_paced: paced,
    }))
}

/// A size as fio writes it: `200G` is 200 GiB.
fn bytes(text: &str) -> Option<Bytes> {
    let text = text.trim().to_ascii_lowercase();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" => 1,
        "k" | "kib" | "kb" => 1 << 10,
        "m" | "mib" | "mb" => 1 << 20,
        "g" | "gib" | "gb" => 1 << 30,
        "t" | "tib" | "tb" => 1u64 << 40,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit).map(Bytes::new)
}
