//! DiskSpd's XML (`-Rxml`): the system, the profile that was run, and a result a time span.
//!
//! It holds no rate: I/Os and bytes of all threads over `TestTimeSeconds` give it, and the test of it is that it agrees with
//! the text form of the same run. Latencies are milliseconds from the call to the completion; percentiles are the nearest
//! rank over every I/O. Warm-up and cool-down are outside all figures.

use dw_error::line_of;
use dw_messages::say;
use roxmltree::{Document, Node};

use super::{keep_used, latency, rates};
use crate::results::number::decimal;
use crate::results::{
    Cpu, CpuBase, Entry, Figures, LatencyKind, Load, MeasuredRun, Percentile, PercentileRule, ResultFormat, Sample,
    Scope, Spread, Tool, Wrong, shown, wrong,
};

/// Reads the results; text around them (of scripts that print more) is left out.
pub(in crate::results) fn read(text: &str) -> Result<MeasuredRun, Wrong> {
    let start = text.find("<Results").unwrap_or(0);
    let Some(end) = text.rfind("</Results>").map(|at| at + "</Results>".len()).filter(|&end| end > start) else {
        let what = "the XML ends before </Results>";
        return wrong(text.lines().count() as u64, what, "DiskSpd was stopped, or the copy is truncated: run it again");
    };
    let first = line_of(text, start);
    let document = match Document::parse(&text[start..end]) {
        Ok(document) => document,
        Err(error) => {
            let line = first + u64::from(error.pos().row.max(1)) - 1;
            return wrong(line, format!("is not XML: {error}"), "give the unmodified output of diskspd -Rxml");
        }
    };
    let mut reader =
        Reader { document: &document, first, run: MeasuredRun::new(ResultFormat::DiskspdXml, Tool::Diskspd) };
    reader.results()?;
    Ok(reader.run)
}

struct Reader<'a> {
    document: &'a Document<'a>,
    first: u64,
    run: MeasuredRun,
}

fn elements<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

fn element<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> Option<Node<'a, 'i>> {
    elements(node, name).next()
}

fn words<'a>(node: Node<'a, '_>, name: &'static str) -> Option<&'a str> {
    element(node, name)?.text().map(str::trim).filter(|text| !text.is_empty())
}

impl Reader<'_> {
    fn line(&self, node: Node) -> u64 {
        self.first + u64::from(self.document.text_pos_at(node.range().start).row) - 1
    }

    /// The number of an element; absent or empty is unknown.
    fn number(&self, node: Node, name: &'static str) -> Result<Option<f64>, Wrong> {
        let Some(found) = element(node, name) else { return Ok(None) };
        let text = found.text().unwrap_or_default().trim();
        if text.is_empty() {
            return Ok(None);
        }
        match decimal(text).filter(|value| *value >= 0.0) {
            Some(value) => Ok(Some(value)),
            None => {
                let what = format!("<{name}> is `{}`, not a number", shown(text));
                wrong(self.line(found), what, "give the unmodified output of diskspd -Rxml")
            }
        }
    }

    fn count(&self, node: Node, name: &'static str) -> Result<u64, Wrong> {
        match words(node, name).map(str::parse) {
            Some(Ok(count)) => Ok(count),
            found => {
                let what = match found {
                    Some(_) => format!("<{name}> is `{}`, not a count", shown(words(node, name).unwrap_or_default())),
                    None => format!("<{}> has no <{name}>", node.tag_name().name()),
                };
                wrong(self.line(node), what, "give the unmodified output of diskspd -Rxml")
            }
        }
    }

    fn results(&mut self) -> Result<(), Wrong> {
        let root = self.document.root_element();
        if let Some(system) = element(root, "System") {
            self.run.time = words(system, "RunTime").map(String::from);
            self.run.version = element(system, "Tool").and_then(|tool| words(tool, "Version")).map(String::from);
        }
        let host = element(root, "System").and_then(|system| words(system, "ComputerName")).map(String::from);
        let loads: Vec<Load> = match element(root, "Profile").and_then(|profile| element(profile, "TimeSpans")) {
            Some(spans) => elements(spans, "TimeSpan").map(|span| self.load(span)).collect::<Result<_, _>>()?,
            None => Vec::new(),
        };
        for (n, span) in elements(root, "TimeSpan").enumerate() {
            self.span(n, span, loads.get(n).cloned().unwrap_or_default(), host.clone())?;
        }
        if self.run.entries.is_empty() {
            return wrong(self.line(root), "holds no <TimeSpan> of results", "run DiskSpd again: it measured nothing");
        }
        Ok(())
    }

    /// What the profile asks for; a value that differs between targets is left out.
    fn load(&self, span: Node) -> Result<Load, Wrong> {
        let targets: Vec<Node> = element(span, "Targets").map(|t| elements(t, "Target").collect()).unwrap_or_default();
        let same = |name: &'static str| {
            let mut values = Vec::new();
            for target in &targets {
                values.push(self.number(*target, name)?);
            }
            values.dedup();
            Ok::<_, Wrong>(if let [one] = values[..] { one } else { None })
        };
        let writes = same("WriteRatio")?;
        let random = |target: &Node| element(*target, "Random").is_some();
        let all_random = targets.iter().all(random).then_some(100.0);
        let mixed = same("RandomRatio")?;
        let random_percent = mixed.or(all_random).or((!targets.iter().any(random)).then_some(0.0));
        let cached =
            |target: &Node| element(*target, "DisableOSCache").or(element(*target, "DisableAllCache")).is_none();
        let pool = self.number(span, "ThreadCount")?.filter(|&n| n > 0.0);
        let threads = match pool {
            Some(pool) => Some(pool),
            None => same("ThreadsPerFile")?.map(|each| each * targets.len() as f64),
        };
        let depth = self.number(span, "RequestCount")?.filter(|&n| n > 0.0).or(same("RequestCount")?);
        let mut is_paced = false;
        for target in &targets {
            for name in ["Throughput", "ThinkTime"] {
                is_paced |= self.number(*target, name)?.is_some_and(|n| n > 0.0);
            }
        }
        let empty = targets.is_empty();
        let read_percent = writes.map(|percent| 100.0 - percent);
        Ok(Load {
            pattern: pattern(read_percent, random_percent.filter(|_| !empty)),
            read_percent,
            random_percent: random_percent.filter(|_| !empty),
            io_bytes: same("BlockSize")?.map(|n| n as u64),
            queue_depth: depth.map(|n| n as u64),
            workers: threads.map(|n| n as u64),
            target_bytes: same("FileSize")?.filter(|&n| n > 0.0).map(|n| n as u64),
            targets: targets.iter().filter_map(|t| words(*t, "Path")).map(String::from).collect(),
            direct: (!empty).then(|| !targets.iter().any(cached)),
            engine: None,
            runtime_s: self.number(span, "Duration")?,
            ramp_s: self.number(span, "Warmup")?,
            is_paced,
        })
    }

    fn span(&mut self, n: usize, span: Node, load: Load, host: Option<String>) -> Result<(), Wrong> {
        let at = self.run.entries.len();
        let mut whole = Entry::new(format!("time span {}", n + 1), Scope::Total, self.line(span));
        whole.test = n as u32;
        (whole.load, whole.host) = (load, host);
        if let Some(error) = words(span, "Error") {
            whole.failure = Some(error.to_string());
            self.run.note(whole.line, say!(Plain { text: error }));
            self.run.entries.push(whole);
            return Ok(());
        }
        let Some(seconds) = self.number(span, "TestTimeSeconds")? else {
            let what = "this <TimeSpan> has no <TestTimeSeconds>";
            return wrong(self.line(span), what, "give the unmodified output of diskspd -Rxml");
        };
        whole.elapsed_s = Some(seconds);
        whole.cpu = self.cpu(span)?;
        let mut parts = Vec::new();
        let mut sums = [0u64; 4];
        for (id, thread) in elements(span, "Thread").enumerate() {
            let id = words(thread, "Id").map_or_else(|| id.to_string(), String::from);
            for target in elements(thread, "Target") {
                let part = self.target(&id, target, seconds, n as u32, at, &mut sums)?;
                parts.push(part);
            }
        }
        let [reads, read_bytes, writes, write_bytes] = sums;
        let mut read = rates(reads, read_bytes, seconds);
        let mut write = rates(writes, write_bytes, seconds);
        let both = rates(reads.saturating_add(writes), read_bytes.saturating_add(write_bytes), seconds);
        let mut both = (reads > 0 && writes > 0).then_some(both);
        if let Some(node) = element(span, "Latency") {
            let of =
                |mean, stddev, ios| Ok::<_, Wrong>(latency(self.number(node, mean)?, self.number(node, stddev)?, ios));
            read.latency.extend(of("AverageReadMilliseconds", "ReadLatencyStdev", reads)?);
            write.latency.extend(of("AverageWriteMilliseconds", "WriteLatencyStdev", writes)?);
            if let Some(both) = &mut both {
                both.latency.extend(of("AverageTotalMilliseconds", "LatencyStdev", reads.saturating_add(writes))?);
                self.buckets(node, "TotalMilliseconds", both)?;
            }
            self.buckets(node, "ReadMilliseconds", &mut read)?;
            self.buckets(node, "WriteMilliseconds", &mut write)?;
        }
        if let Some(node) = element(span, "Iops") {
            self.iops(node, &mut whole, &mut read, &mut write)?;
        }
        (whole.read, whole.write, whole.mixed) = (Some(read), Some(write), both);
        keep_used(&mut whole);
        self.run.entries.push(whole);
        self.run.entries.append(&mut parts);
        Ok(())
    }

    fn target(
        &self,
        id: &str,
        node: Node,
        seconds: f64,
        test: u32,
        at: usize,
        sums: &mut [u64; 4],
    ) -> Result<Entry, Wrong> {
        let path = words(node, "Path").unwrap_or("(no path)");
        let mut part = Entry::new(format!("thread {id}, {path}"), Scope::Target, self.line(node));
        (part.test, part.included_in, part.elapsed_s) = (test, Some(at), Some(seconds));
        part.load.targets = vec![path.to_string()];
        part.load.target_bytes = element(node, "FileSize").map(|_| self.count(node, "FileSize")).transpose()?;
        let figures = [
            self.count(node, "ReadCount")?,
            self.count(node, "ReadBytes")?,
            self.count(node, "WriteCount")?,
            self.count(node, "WriteBytes")?,
        ];
        for (sum, n) in sums.iter_mut().zip(figures) {
            *sum = sum.saturating_add(n);
        }
        let mut read = rates(figures[0], figures[1], seconds);
        let mut write = rates(figures[2], figures[3], seconds);
        let of = |mean, stddev, ios| Ok::<_, Wrong>(latency(self.number(node, mean)?, self.number(node, stddev)?, ios));
        read.latency.extend(of("AverageReadLatencyMilliseconds", "ReadLatencyStdev", figures[0])?);
        write.latency.extend(of("AverageWriteLatencyMilliseconds", "WriteLatencyStdev", figures[2])?);
        (part.read, part.write) = (Some(read), Some(write));
        keep_used(&mut part);
        Ok(part)
    }

    /// Percentiles: 0 is the minimum and 100 the maximum.
    fn buckets(&self, node: Node, name: &'static str, figures: &mut Figures) -> Result<(), Wrong> {
        let Some(latency) = figures.latency.iter_mut().find(|l| l.kind == LatencyKind::Lat) else { return Ok(()) };
        for bucket in elements(node, "Bucket") {
            let (percent, ms) = (self.number(bucket, "Percentile")?, self.number(bucket, name)?);
            let Some((percent, ns)) = percent.zip(ms.map(|ms| ms * 1e6)) else { continue };
            match percent {
                0.0 => latency.min_ns = Some(ns),
                100.0 => latency.max_ns = Some(ns),
                percent => latency.percentiles.push(Percentile { percent, ns }),
            }
        }
        latency.percentile_rule = (!latency.percentiles.is_empty()).then_some(PercentileRule::NearestRank);
        Ok(())
    }

    fn iops(&self, node: Node, whole: &mut Entry, read: &mut Figures, write: &mut Figures) -> Result<(), Wrong> {
        let deviation = |name| Ok::<_, Wrong>(self.number(node, name)?.map(|stddev| spread(Some(stddev))));
        read.iops_samples = deviation("ReadIopsStdDev")?;
        write.iops_samples = deviation("WriteIopsStdDev")?;
        for bucket in elements(node, "Bucket") {
            let number = |name: &str| match bucket.attribute(name) {
                None => Ok(None),
                Some(text) => match decimal(text) {
                    Some(value) => Ok(Some(value)),
                    None => {
                        let what = format!("{name} is `{}`, not a number", shown(text));
                        wrong(self.line(bucket), what, "give the unmodified output of diskspd -Rxml")
                    }
                },
            };
            let Some(end) = number("SampleMillisecond")? else { continue };
            whole.series.push(Sample {
                end_s: end / 1e3,
                read_iops: number("Read")?,
                write_iops: number("Write")?,
                iops: number("Total")?,
                bytes_per_s: None,
                read_mean_ns: number("ReadAvgLatencyMilliseconds")?.map(|ms| ms * 1e6),
                write_mean_ns: number("WriteAvgLatencyMilliseconds")?.map(|ms| ms * 1e6),
            });
        }
        Ok(())
    }

    fn cpu(&self, span: Node) -> Result<Option<Cpu>, Wrong> {
        let Some(node) = element(span, "CpuUtilization") else { return Ok(None) };
        let mut busiest = None;
        for each in elements(node, "CPU") {
            let usage = self.number(each, "UsagePercent")?;
            busiest = usage.map(|usage| busiest.unwrap_or(0.0f64).max(usage)).or(busiest);
        }
        let Some(average) = element(node, "Average") else { return Ok(None) };
        Ok(Some(Cpu {
            of: CpuBase::AllProcessors,
            busy_percent: self.number(average, "UsagePercent")?,
            user_percent: self.number(average, "UserPercent")?,
            system_percent: self.number(average, "KernelPercent")?,
            busiest_percent: busiest,
            whole_s: None,
        }))
    }
}

fn spread(stddev: Option<f64>) -> Spread {
    Spread { stddev, ..Spread::default() }
}

/// fio's word for it.
fn pattern(read_percent: Option<f64>, random_percent: Option<f64>) -> Option<String> {
    let word = match read_percent? {
        100.0 => "read",
        0.0 => "write",
        _ => "rw",
    };
    Some(if random_percent? > 0.0 { format!("rand{word}") } else { word.to_string() })
}
