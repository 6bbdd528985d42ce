//! fio's text for people, of versions 2 and 3.
//!
//! Units: each line names its own, and the next line may have another. Rates are rounded to three or four digits; the number
//! of I/Os of `issued rwts` is exact, and bytes follow from it where all I/Os have one size. MiB/s is taken, not the decimal
//! MB/s in brackets. Before version 3, `KB` and `MB` are powers of 1024.
//!
//! What is not read: `Run status group` (sums of the same figures), depths and classes of latency.

use dw_messages::say;

use super::only;
use crate::results::number::{bytes, count, decimal, ns_of_unit, thousands};
use crate::results::text::{Line, Lines};
use crate::results::{
    Cpu, CpuBase, DiskUse, Entry, Figures, Latency, LatencyKind, Load, MeasuredRun, Percentile, PercentileRule,
    ResultFormat, Scope, Spread, Tool, Wrong, shown, wrong,
};

/// Whether a line begins fio's text: a job's announcement or its result.
pub(in crate::results) fn begins(line: &str) -> bool {
    (line.contains(": (g=") && line.contains("rw=")) || line.contains(": (groupid=")
}

/// Where runs begin, in bytes: at what a run says before its first result, once another has had one. Results of `--status-interval`
/// say nothing before them, and count on: those of one process are one run.
pub(in crate::results) fn starts(text: &str) -> Vec<usize> {
    let mut starts = vec![0];
    // Jobs of the run that have a result: their names and groups, and the process of the first.
    let mut seen: Vec<(&str, u32)> = Vec::new();
    let mut process: Option<&str> = None;
    let mut summed = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let here = at;
        at += line.len();
        let said = line.trim_end();
        let is_announced = said.contains(": (g=") && said.contains("rw=");
        let is_version = said.starts_with("fio-") && !said.contains(' ');
        if (is_announced || is_version) && !seen.is_empty() {
            starts.push(here);
            (seen, process, summed) = (Vec::new(), None, false);
            continue;
        }
        if said.starts_with("Run status group") || said.starts_with("Disk stats") {
            summed = true;
        }
        let Some((name, rest)) = said.split_once(": (groupid=") else { continue };
        let group: u32 = rest.split([',', ')']).next().and_then(|n| n.trim().parse().ok()).unwrap_or(0);
        let own = rest.split("pid=").nth(1).and_then(|rest| rest.split(':').next());
        // Clones of a job have its name and its group; a job that reports for all of them does so once.
        let is_whole = rest.split("jobs=").nth(1).is_some_and(|rest| !rest.starts_with("1)"));
        let again = is_whole && seen.contains(&(name, group)) || seen.last().is_some_and(|(_, last)| group < *last);
        if !seen.is_empty() && (summed || again) {
            // The same process says the same again, further on.
            if !(summed && own.is_some() && own == process) {
                starts.push(here);
            }
            (seen, process, summed) = (Vec::new(), None, false);
        }
        process = process.or(own);
        seen.push((name, group));
    }
    starts
}

/// Reads every job of a text.
pub(in crate::results) fn read(text: &str) -> Result<MeasuredRun, Wrong> {
    let mut reader = Reader::new();
    let mut end = 1;
    for line in Lines::new(text) {
        end = line.number;
        reader.line(line)?;
    }
    reader.finish();
    if reader.run.entries.is_empty() {
        return wrong(end, "names its jobs but has no results", "let fio finish: it prints results last");
    }
    Ok(reader.run)
}

/// Which direction the lines belong to.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    None,
    Read,
    Write,
    Trim,
    Mixed,
    Sync,
}

struct Reader {
    run: MeasuredRun,
    announced: Vec<(String, u32, Load)>,
    part: Part,
    /// The percentiles that follow: of which latency, in which unit.
    list: Option<(LatencyKind, f64)>,
    disks: bool,
    /// The sums of all groups came: what follows says the same again, further on (`--status-interval`).
    summed: bool,
    /// Version 2 and older: binary units under decimal names.
    old: bool,
    issued: Option<[u64; 4]>,
}

impl Reader {
    fn new() -> Reader {
        Reader {
            run: MeasuredRun::new(ResultFormat::FioText, Tool::Fio),
            announced: Vec::new(),
            part: Part::None,
            list: None,
            disks: false,
            summed: false,
            old: false,
            issued: None,
        }
    }

    fn line(&mut self, line: Line) -> Result<(), Wrong> {
        let text = line.text.trim();
        if line.text.starts_with("fio-") && !text.contains(' ') {
            self.run.version = Some(text.to_string());
            let major = text[4..].split('.').next().and_then(count);
            self.old = major.is_some_and(|major| major < 3);
            return Ok(());
        }
        if let Some((name, rest)) = line.text.split_once(": (g=") {
            self.announce(name, rest);
            return Ok(());
        }
        if let Some((name, rest)) = line.text.split_once(": (groupid=") {
            return self.begin(name.trim(), rest, line.number);
        }
        if text.starts_with("Run status group") {
            self.finish();
            self.summed = true;
        } else if text.starts_with("Disk stats") {
            self.finish();
            self.disks = true;
        } else if self.disks && text.contains(": ios=") {
            self.disk(text);
        } else if line.text.starts_with("fio: ") {
            self.run.note(line.number, say!(Plain { text: shown(text) }));
        } else if !self.run.entries.is_empty() && line.text.starts_with(' ') {
            self.figure(text, line.number)?;
        }
        Ok(())
    }

    /// `name: (g=0): rw=randrw, bs=(R) 4096B-4096B, ..., ioengine=psync, iodepth=1`
    fn announce(&mut self, name: &str, rest: &str) {
        let group = rest.split(')').next().and_then(|n| n.trim().parse().ok()).unwrap_or(0);
        let value = |key: &str| {
            let at = rest.find(key)? + key.len();
            rest[at..].split([',', ' ']).next().filter(|text| !text.is_empty())
        };
        let pattern = value("rw=");
        let size = rest.find("bs=").map(|at| &rest[at + 3..]).and_then(|list| {
            let size = list.trim_start_matches("(R)").trim();
            let (low, high) = size.split([',', '/', ' ']).next()?.split_once('-')?;
            (low == high).then(|| bytes(low, self.old || !low.contains('i'))).flatten()
        });
        let load = Load {
            pattern: pattern.map(String::from),
            read_percent: pattern.and_then(only),
            random_percent: pattern.map(|p| if p.starts_with("rand") { 100.0 } else { 0.0 }),
            io_bytes: size.map(|bytes| bytes as u64),
            queue_depth: value("iodepth=").and_then(count),
            engine: value("ioengine=").map(String::from),
            ..Load::default()
        };
        self.announced.push((name.trim().to_string(), group, load));
    }

    /// `name: (groupid=0, jobs=2): err= 0: pid=17998: Sat Nov 21 19:12:32 2026`
    fn begin(&mut self, name: &str, rest: &str, line: u64) -> Result<(), Wrong> {
        self.finish();
        if std::mem::take(&mut self.summed) {
            self.run.entries.clear();
        }
        let Some((head, tail)) = rest.split_once("):") else {
            return wrong(line, format!("the line of job `{}` is cut off", shown(name)), "copy the file again");
        };
        let group: u32 = head.split(',').next().and_then(|n| n.trim().parse().ok()).unwrap_or(0).min(u32::MAX - 1);
        let jobs = head.split("jobs=").nth(1).and_then(count).unwrap_or(1);
        let mut entry = Entry::new(name, if jobs > 1 { Scope::Group } else { Scope::Job }, line);
        entry.test = group;
        let announced = self.announced.iter().find(|(n, g, _)| n == name && *g == group);
        entry.load = announced.map(|(.., load)| load.clone()).unwrap_or_default();
        entry.load.workers = Some(jobs);
        if let Some(text) = tail.split("err=").nth(1) {
            let number = text.trim_start().split([' ', ':']).next().and_then(count);
            if let Some(error) = number.filter(|&error| error != 0) {
                let said = text.split_once('(').and_then(|(_, t)| t.rsplit_once("):")).map_or("", |(t, _)| t);
                let said = said.rsplit("error=").next().unwrap_or(said);
                entry.failure = Some(format!("fio's error {error} ({})", shown(said)));
                self.run.note(line, say!(ResultJobError { job: shown(name), error: error.to_string() }));
            }
        }
        if let Some(time) = tail.split("pid=").nth(1).and_then(|t| t.split_once(": ")) {
            self.run.time.get_or_insert_with(|| time.1.trim().to_string());
        }
        self.run.entries.push(entry);
        (self.part, self.list, self.issued, self.disks) = (Part::None, None, None, false);
        Ok(())
    }

    /// What needs the whole entry: exact numbers of I/Os and the bytes that follow from them.
    fn finish(&mut self) {
        let issued = self.issued.take();
        self.part = Part::None;
        let Some(entry) = self.run.entries.last_mut() else { return };
        let size = entry.load.io_bytes;
        for (n, part) in [&mut entry.read, &mut entry.write, &mut entry.trim].into_iter().enumerate() {
            if let (Some(figures), Some(issued)) = (part.as_mut(), issued) {
                figures.ios = Some(issued[n]);
                // Exact where sizes are alike and the rounded figure agrees.
                let exact = size.and_then(|size| issued[n].checked_mul(size));
                if let (Some(exact), Some(shown)) = (exact, figures.bytes)
                    && (exact as f64 - shown as f64).abs() <= 0.01 * exact as f64
                {
                    figures.bytes = Some(exact);
                }
            }
        }
        if let (Some(sync), Some([.., count])) = (&mut entry.sync, issued) {
            sync.ios = Some(count);
        }
        entry.elapsed_s = entry.longest();
    }

    fn figures(&mut self) -> Option<&mut Figures> {
        let entry = self.run.entries.last_mut()?;
        let part = match self.part {
            Part::None => return None,
            Part::Read => &mut entry.read,
            Part::Write => &mut entry.write,
            Part::Trim => &mut entry.trim,
            Part::Mixed => &mut entry.mixed,
            Part::Sync => &mut entry.sync,
        };
        Some(part.get_or_insert_with(Figures::default))
    }

    fn figure(&mut self, text: &str, line: u64) -> Result<(), Wrong> {
        if let Some(list) = text.strip_prefix('|') {
            return self.percentiles(list, line);
        }
        let Some((head, values)) = text.split_once(':') else { return Ok(()) };
        let head = head.trim();
        let direction = match head {
            "read" => Some(Part::Read),
            "write" => Some(Part::Write),
            "trim" => Some(Part::Trim),
            "mixed" => Some(Part::Mixed),
            _ => None,
        };
        if let Some(part) = direction {
            (self.part, self.list) = (part, None);
            return self.rates(values.trim(), line);
        }
        let (word, unit) = head.split_once('(').map_or((head, ""), |(w, u)| (w.trim(), u.trim_end_matches(')').trim()));
        match word {
            "slat" | "clat" | "lat" | "sync" if values.contains("min=") => self.latency(word, unit, values, line)?,
            "slat percentiles" | "clat percentiles" | "lat percentiles" | "sync percentiles" => {
                let kind = kind_of(word.split(' ').next().unwrap_or(word));
                self.list = ns_of_unit(unit).map(|scale| (kind, scale));
            }
            "bw" if values.contains("min=") => {
                let scale =
                    if unit.is_empty() { None } else { bytes(&format!("1{}", unit.trim_end_matches("/s")), self.old) };
                let spread = spread(values, scale.unwrap_or(1024.0), line)?;
                if let Some(figures) = self.figures() {
                    figures.bytes_per_s_samples = Some(spread);
                }
            }
            "iops" if values.contains("min=") => {
                let spread = spread(values, 1.0, line)?;
                if let Some(figures) = self.figures() {
                    figures.iops_samples = Some(spread);
                }
            }
            "fsync/fdatasync/sync_file_range" => self.part = Part::Sync,
            "cpu" => {
                let (user, system) = (named(values, "usr"), named(values, "sys"));
                let percent = |text: Option<&str>| text.and_then(decimal);
                if let Some(entry) = self.run.entries.last_mut() {
                    entry.cpu = Some(Cpu {
                        of: CpuBase::OneCore,
                        busy_percent: percent(user).zip(percent(system)).map(|(a, b)| a + b),
                        user_percent: percent(user),
                        system_percent: percent(system),
                        busiest_percent: None,
                        whole_s: None,
                    });
                }
                self.part = Part::None;
            }
            "issued rwts" | "issued rwt" | "issued" => self.issued(values),
            "errors" => {
                if let Some(entry) = self.run.entries.last_mut() {
                    entry.errors = named(values, "total").and_then(count);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// `IOPS=7350, BW=28.7MiB/s (30.1MB/s)(2852KiB/97msec); 0 zone resets`, or before version 3
    /// `io=1024.0MB, bw=40996KB/s, iops=10248, runt= 25580msec`.
    fn rates(&mut self, values: &str, line: u64) -> Result<(), Wrong> {
        let bad = |what: &str| {
            wrong(line, format!("{what} cannot be read in `{}`", shown(values)), "give fio's unmodified output")
        };
        let mut figures = Figures::default();
        if let Some(rest) = values.strip_prefix("IOPS=") {
            let Some((iops, rest)) = rest.split_once(", BW=") else { return bad("BW") };
            let Some(iops) = thousands(iops) else { return bad("IOPS") };
            let Some((rate, rest)) = rest.split_once("/s") else { return bad("BW") };
            let Some(rate) = bytes(rate, self.old) else { return bad("BW") };
            let sums = rest.rsplit_once('(').and_then(|(_, sums)| sums.split(')').next()?.split_once('/'));
            let Some((moved, time)) = sums else { return bad("the sums in brackets") };
            let Some(moved) = bytes(moved, self.old) else { return bad("the bytes moved") };
            let Some(ms) = time.strip_suffix("msec").and_then(decimal) else { return bad("the time") };
            figures.bytes = Some(moved as u64);
            figures.elapsed_s = Some(ms / 1e3);
            (figures.iops, figures.bytes_per_s) = (Some(iops), Some(rate));
        } else if values.contains("iops=") {
            self.old = true;
            let moved = named(values, "io").and_then(|text| bytes(text, true));
            let rate = named(values, "bw").and_then(|text| bytes(text.trim_end_matches("/s"), true));
            let ms = named(values, "runt").and_then(|text| decimal(text.trim_end_matches("msec")));
            let Some(iops) = named(values, "iops").and_then(thousands) else { return bad("iops") };
            let (Some(moved), Some(rate), Some(ms)) = (moved, rate, ms) else { return bad("io, bw or runt") };
            figures.bytes = Some(moved as u64);
            figures.elapsed_s = Some(ms / 1e3);
            (figures.iops, figures.bytes_per_s) = (Some(iops), Some(rate));
        } else {
            return bad("the rate");
        }
        if figures.elapsed_s == Some(0.0) {
            (figures.iops, figures.bytes_per_s) = (None, None);
        }
        if let Some(place) = self.figures() {
            *place = figures;
        }
        Ok(())
    }

    fn latency(&mut self, word: &str, unit: &str, values: &str, line: u64) -> Result<(), Wrong> {
        let Some(scale) = ns_of_unit(unit) else {
            return wrong(
                line,
                format!("`{}` is not a unit of latency", shown(unit)),
                "fio writes nsec, usec, msec or sec",
            );
        };
        let numbers = spread(values, scale, line)?;
        let kind = kind_of(word);
        let Some(figures) = self.figures() else { return Ok(()) };
        let mut latency = Latency::new(kind);
        (latency.min_ns, latency.max_ns) = (numbers.min, numbers.max);
        (latency.mean_ns, latency.stddev_ns) = (numbers.mean, numbers.stddev);
        figures.latency.retain(|known| known.kind != kind);
        figures.latency.push(latency);
        Ok(())
    }

    /// `  1.00th=[   42],  5.00th=[   45], 10.00th=[>=17113],`
    fn percentiles(&mut self, list: &str, line: u64) -> Result<(), Wrong> {
        let Some((kind, scale)) = self.list else { return Ok(()) };
        let mut found = Vec::new();
        for item in list.split(']').map(|item| item.trim_matches([',', ' '])).filter(|item| !item.is_empty()) {
            let pair = item.split_once("th=[").and_then(|(percent, value)| {
                Some((decimal(percent)?, decimal(value.trim().trim_start_matches(['>', '=']))?))
            });
            match pair {
                Some((percent, value)) => found.push(Percentile { percent, ns: value * scale }),
                None => {
                    let what = format!("`{}` is not a percentile", shown(item));
                    return wrong(line, what, "a percentile reads 99.00th=[ 3982]");
                }
            }
        }
        if let Some(latency) = self.figures().and_then(|f| f.latency.iter_mut().find(|l| l.kind == kind)) {
            latency.percentiles.extend(found);
            latency.percentile_rule = Some(PercentileRule::FioBins);
        }
        Ok(())
    }

    /// `total=713,311,0,0 short=0,0,0,0 dropped=0,0,0,0`; before version 3 `total=r=713/w=311/d=0, short=...`.
    fn issued(&mut self, values: &str) {
        let Some(list) = values.split("total=").nth(1) else { return };
        let list = list.split_whitespace().next().unwrap_or_default().trim_end_matches(',');
        let numbers: Option<Vec<u64>> = if list.starts_with("r=") {
            list.split('/').map(|item| item.split_once('=').and_then(|(_, n)| count(n))).collect()
        } else {
            list.split(',').map(count).collect()
        };
        if let Some([read, write, trim, sync @ ..]) = numbers.as_deref() {
            self.issued = Some([*read, *write, *trim, sync.first().copied().unwrap_or(0)]);
        }
    }

    /// `vda: ios=710/222, merge=0/0, ticks=118/124, in_queue=242, util=18.56%`; 3.37 adds `sectors`.
    fn disk(&mut self, text: &str) {
        let Some((name, values)) = text.split_once(':') else { return };
        let pair = |key: &str| {
            let (read, write) = values.split(", ").find_map(|v| v.trim().strip_prefix(key))?.split_once('/')?;
            Some((count(read)?, count(write.trim_end_matches(','))?))
        };
        let (ios, merges, sectors) = (pair("ios="), pair("merge="), pair("sectors="));
        self.run.disks.push(DiskUse {
            name: name.trim().to_string(),
            read_ios: ios.map(|p| p.0),
            write_ios: ios.map(|p| p.1),
            read_bytes: sectors.map(|p| p.0.saturating_mul(512)),
            write_bytes: sectors.map(|p| p.1.saturating_mul(512)),
            read_merges: merges.map(|p| p.0),
            write_merges: merges.map(|p| p.1),
            busy_percent: named(values, "util").and_then(decimal),
        });
    }
}

fn kind_of(word: &str) -> LatencyKind {
    match word {
        "slat" => LatencyKind::Slat,
        "clat" => LatencyKind::Clat,
        _ => LatencyKind::Lat,
    }
}

/// The value of `key=value` in a list parted by commas.
fn named<'a>(values: &'a str, key: &str) -> Option<&'a str> {
    let value = values.split(',').find_map(|item| item.trim().strip_prefix(key)?.strip_prefix('='))?;
    Some(value.split_whitespace().next().unwrap_or(value).trim())
}

/// `min=37, max=7025, avg=170.83, stdev=672.81, samples=7`, any of them in thousands (`max=21.5k`).
fn spread(values: &str, scale: f64, line: u64) -> Result<Spread, Wrong> {
    let number = |key: &str| match named(values, key) {
        None => Ok(None),
        Some("nan" | "-nan") => Ok(None),
        Some(text) => match thousands(text) {
            Some(value) => Ok(Some(value * scale)),
            None => wrong(line, format!("{key} is `{}`, not a number", shown(text)), "give fio's unmodified output"),
        },
    };
    Ok(Spread {
        min: number("min")?,
        max: number("max")?,
        mean: number("avg")?,
        stddev: number("stdev")?,
        samples: named(values, "samples").and_then(count),
    })
}
