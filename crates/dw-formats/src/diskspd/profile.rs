//! XML profiles: elements are DiskSpd's switches by long names, in any order.
//!
//! An element without text counts as not set, as in templates that leave the times to be filled in. `*1`, `*2` stand for the
//! targets of the command line. Numbers are plain: bytes, seconds, milliseconds.

use std::sync::Arc;

use roxmltree::{Document, Node};

use super::distribution::Ranges;
use super::spec::{Cache, Origins, Profile, Span, Target, Throughput};
use crate::assembly::{Assembly, Origin};
use crate::fio::report::Place;

/// Elements of the profile itself that change nothing here.
const OF_PROFILE: [&str; 7] =
    ["Verbose", "VerboseStats", "Progress", "ExperimentFlags", "ResultFormat", "ETW", "PrecreateFiles"];
/// Elements of a time span that change nothing here.
const OF_SPAN: [&str; 4] = ["RandomWriteData", "GroupAffinity", "CalculateIopsStdDev", "IoBucketDuration"];
/// Elements of a target that change nothing here.
const OF_TARGET: [&str; 5] = ["SequentialScan", "RandomAccess", "TemporaryFile", "UseLargePages", "IOPriority"];

/// Whether a text looks like a profile: its first element is `Profile`.
pub fn is_profile(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = if rest.starts_with("<!--") {
            "-->"
        } else if rest.starts_with("<?") {
            "?>"
        } else {
            break;
        };
        let Some(at) = rest.find(end) else { return false };
        rest = rest[at + end.len()..].trim_start();
    }
    let Some(rest) = rest.strip_prefix("<Profile") else { return false };
    rest.starts_with(|c: char| c == '>' || c == '/' || c.is_whitespace())
}

/// Reads a profile; `targets` take the place of its templates.
pub(crate) fn read(name: &str, text: &str, targets: &[Origin], out: &mut Assembly) -> Option<Profile> {
    let file: Arc<str> = Arc::from(name);
    let text = text.trim_start_matches('\u{feff}');
    let document = match Document::parse(text) {
        Ok(document) => document,
        Err(error) => {
            let line = (error.pos().row as usize).clamp(1, text.lines().count().max(1));
            let excerpt = text.lines().nth(line - 1).unwrap_or_default().trim().chars().take(80).collect();
            let origin = Origin { place: Place { file, line }, text: excerpt };
            out.fail(
                &origin,
                format!("is not XML: {error}"),
                "correct it, or write the profile again with diskspd -Rpxml",
            );
            return None;
        }
    };
    let mut reader = Reader { document: &document, file, targets, used: vec![false; targets.len()], out };
    let profile = reader.profile();
    for (origin, used) in targets.iter().zip(reader.used.clone()) {
        if !used {
            reader.out.fail(
                origin,
                "has no template target to stand for",
                "remove it, or write *1, *2 ... as paths into the profile",
            );
        }
    }
    profile
}

struct Reader<'r, 'a> {
    document: &'r Document<'r>,
    file: Arc<str>,
    targets: &'r [Origin],
    used: Vec<bool>,
    out: &'r mut Assembly<'a>,
}

impl Reader<'_, '_> {
    fn origin(&self, node: Node) -> Origin {
        let line = self.document.text_pos_at(node.range().start).row as usize;
        let name = node.tag_name().name();
        let text = match node.text().map(str::trim).filter(|text| !text.is_empty() && text.len() < 100) {
            Some(text) if node.children().all(|c| !c.is_element()) => format!("<{name}>{text}</{name}>"),
            _ => format!("<{name}>"),
        };
        Origin { place: Place { file: self.file.clone(), line }, text }
    }

    fn fail(&mut self, node: Node, what: impl Into<String>, hint: &str) {
        let origin = self.origin(node);
        self.out.fail(&origin, what, hint);
    }

    fn unknown(&mut self, node: Node, within: &str) {
        let what = format!("is not an element of a {within} in DiskSpd's profiles");
        self.fail(node, what, "correct its name, or remove it; case matters");
    }

    fn profile(&mut self) -> Option<Profile> {
        let root = self.document.root_element();
        if root.tag_name().name() != "Profile" {
            self.fail(root, "is not a DiskSpd profile: its first element is not Profile", "name a profile");
            return None;
        }
        let mut spans = Vec::new();
        for node in root.children().filter(Node::is_element) {
            match node.tag_name().name() {
                "TimeSpans" => {
                    for span in node.children().filter(Node::is_element) {
                        if span.tag_name().name() == "TimeSpan" {
                            spans.push(self.span(span));
                        } else {
                            self.unknown(span, "list of time spans");
                        }
                    }
                }
                name if OF_PROFILE.contains(&name) => {}
                _ => self.unknown(node, "profile"),
            }
        }
        if spans.is_empty() {
            self.fail(root, "has no time span", "add TimeSpans with a TimeSpan");
            return None;
        }
        Some(Profile { spans })
    }

    fn span(&mut self, node: Node) -> Span {
        let mut span = Span::default();
        span.origins.0.insert("", self.origin(node));
        for child in node.children().filter(Node::is_element) {
            let name = child.tag_name().name();
            let switch = match name {
                "Duration" => set(&mut span.duration_s, self.number(child), "-d"),
                "Warmup" => set(&mut span.warmup_s, self.number(child), "-W"),
                "Cooldown" => set(&mut span.cooldown_s, self.number(child), "-C"),
                "ThreadCount" => set(&mut span.threads, self.number(child), "-F"),
                "RequestCount" => set(&mut span.requests, self.number(child), "-O"),
                "RandSeed" => set(&mut span.seed, self.number(child), "-z"),
                "MeasureLatency" => set(&mut span.latency, self.truth(child), "-L"),
                "CompletionRoutines" => set(&mut span.completion_routines, self.truth(child), "-x"),
                "DisableAffinity" => set(&mut span.no_affinity, self.truth(child), "-n"),
                "Affinity" => {
                    span.affinity = child.children().any(|c| c.is_element());
                    "-a"
                }
                "Targets" => {
                    for target in child.children().filter(Node::is_element) {
                        if target.tag_name().name() == "Target" {
                            let target = self.target(target);
                            span.targets.push(target);
                        } else {
                            self.unknown(target, "list of targets");
                        }
                    }
                    continue;
                }
                name if OF_SPAN.contains(&name) => continue,
                _ => {
                    self.unknown(child, "time span");
                    continue;
                }
            };
            span.origins.0.insert(switch, self.origin(child));
        }
        if span.targets.is_empty() {
            self.fail(node, "has no target", "add Targets with a Target");
        }
        span
    }

    fn target(&mut self, node: Node) -> Target {
        let mut t = Target::default();
        let mut origins = Origins::default();
        let (mut stride, mut random, mut ratio) = (None, None, None);
        origins.0.insert("", self.origin(node));
        for child in node.children().filter(Node::is_element) {
            let switch = match child.tag_name().name() {
                "Path" => {
                    t.path = self.path(child);
                    ""
                }
                "BlockSize" => set(&mut t.block, self.number(child), "-b"),
                "StrideSize" => set(&mut stride, self.number(child).map(Some), "-s"),
                "Random" => set(&mut random, self.number(child).map(Some), "-r"),
                "RandomRatio" => set(&mut ratio, self.percent(child, 1, 99).map(Some), "-rs"),
                "InterlockedSequential" => set(&mut t.interlocked, self.truth(child), "-si"),
                "ParallelAsyncIO" => set(&mut t.parallel, self.truth(child), "-p"),
                "BaseFileOffset" => set(&mut t.base, self.number(child), "-B"),
                "MaxFileSize" => set(&mut t.end, self.number(child), "-f"),
                "FileSize" => set(&mut t.size, self.number(child).map(Some), "-c"),
                "RequestCount" => set(&mut t.requests, self.number(child), "-o"),
                "ThreadsPerFile" => set(&mut t.threads, self.number(child), "-t"),
                "ThreadStride" => set(&mut t.thread_stride, self.number(child), "-T"),
                "WriteRatio" => set(&mut t.write_percent, self.percent(child, 0, 100), "-w"),
                "BurstSize" => set(&mut t.burst, self.number(child), "-i"),
                "ThinkTime" => set(&mut t.think_ms, self.number(child), "-j"),
                "Throughput" => set(&mut t.throughput, self.throughput(child), "-g"),
                "Distribution" => set(&mut t.distribution, self.distribution(child).map(Some), "-rd"),
                "DisableOSCache" => {
                    self.when(child, || t.cache = Some(Cache::Unbuffered));
                    "-S"
                }
                "DisableLocalCache" => {
                    self.when(child, || t.cache = Some(Cache::Remote));
                    "-S"
                }
                "DisableAllCache" => {
                    self.when(child, || (t.cache, t.write_through) = (Some(Cache::Unbuffered), true));
                    "-S"
                }
                "WriteThrough" => {
                    self.when(child, || t.write_through = true);
                    "-Sw"
                }
                "MemoryMappedIo" => set(&mut t.mapped, self.truth(child), "-S"),
                "FlushType" => {
                    t.flush = true;
                    "-N"
                }
                "WriteBufferContent" => {
                    t.buffer = self.buffer(child);
                    "-Z"
                }
                "Weight" => set(&mut t.weight, self.number(child).map(Some), "Weight"),
                "ThreadTargets" => {
                    t.thread_targets = self.thread_targets(child);
                    "ThreadTargets"
                }
                name if OF_TARGET.contains(&name) => continue,
                _ => {
                    self.unknown(child, "target");
                    continue;
                }
            };
            origins.0.insert(switch, self.origin(child));
        }
        if t.path.is_empty() {
            self.fail(node, "has no path", "add Path");
        }
        if let (Some(_), Some(_)) = (stride, random) {
            self.fail(node, "has StrideSize and Random", "keep Random for random I/O, StrideSize for sequential");
        }
        if random == Some(0) {
            self.fail(node, "has a Random of 0 bytes", "write the alignment in bytes, or remove Random");
        }
        t.align = random.or(stride);
        t.random = ratio.unwrap_or(if random.is_some() { 100 } else { 0 });
        t.origins = origins;
        t
    }

    /// A number of any width; nothing when the element is empty or wrong, which is then said.
    fn number<T: TryFrom<u64>>(&mut self, node: Node) -> Option<T> {
        let text = node.text().map(str::trim).filter(|text| !text.is_empty())?;
        let number = text.parse::<u64>().ok().and_then(|n| T::try_from(n).ok());
        if number.is_none() {
            self.fail(
                node,
                "is not a whole number, or too large a one",
                "write plain digits: profiles know no K, M or G",
            );
        }
        number
    }

    fn percent(&mut self, node: Node, least: u8, most: u8) -> Option<u8> {
        let percent = self.number::<u8>(node)?;
        if (least..=most).contains(&percent) {
            return Some(percent);
        }
        self.fail(node, format!("is not from {least} to {most} %"), "write a percentage in these limits");
        None
    }

    fn truth(&mut self, node: Node) -> Option<bool> {
        match node.text().map(str::trim)? {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            "" => None,
            _ => {
                self.fail(node, "is neither true nor false", "write true or false");
                None
            }
        }
    }

    fn when(&mut self, node: Node, then: impl FnOnce()) {
        if self.truth(node) == Some(true) {
            then();
        }
    }

    /// The path, or the target that its template stands for.
    fn path(&mut self, node: Node) -> String {
        let path = node.text().map(str::trim).unwrap_or_default().to_string();
        let Some(number) = path.strip_prefix('*').and_then(|n| n.parse::<usize>().ok()) else { return path };
        match number.checked_sub(1).and_then(|at| self.targets.get(at).map(|target| (at, target))) {
            Some((at, target)) => {
                self.used[at] = true;
                target.text.clone()
            }
            None => path,
        }
    }

    fn throughput(&mut self, node: Node) -> Option<Option<Throughput>> {
        let rate = self.number::<u32>(node)?;
        match node.attribute("unit").unwrap_or("BPMS") {
            _ if rate == 0 => Some(None),
            "BPMS" => Some(Some(Throughput::BytesPerMs(rate))),
            "IOPS" => Some(Some(Throughput::Iops(rate))),
            _ => {
                self.fail(node, "has an invalid unit", "write unit=\"IOPS\" or unit=\"BPMS\" (bytes a millisecond)");
                None
            }
        }
    }

    fn distribution(&mut self, node: Node) -> Option<Ranges> {
        let kind = node.children().find(Node::is_element)?;
        let mut list = Vec::new();
        for range in kind.children().filter(Node::is_element) {
            let share = range.attribute("IO").and_then(|share| share.trim().parse::<u64>().ok()).filter(|s| *s <= 100);
            let Some(share) = share else {
                self.fail(range, "has no IO percentage", "write for example <Range IO=\"90\">10</Range>");
                return None;
            };
            list.push((share, self.number::<u64>(range)?));
        }
        if list.is_empty() {
            self.fail(node, "has no range", "write for example <Percent><Range IO=\"90\">10</Range></Percent>");
            return None;
        }
        match kind.tag_name().name() {
            "Percent" if list.iter().all(|r| (1..=100).contains(&r.1)) => Some(Ranges::Percent(list)),
            "Percent" => {
                self.fail(kind, "has a part that is not a percentage of the target", "write 1 to 100");
                None
            }
            "Absolute" => Some(Ranges::Absolute(list)),
            _ => {
                self.unknown(kind, "distribution");
                None
            }
        }
    }

    /// Threads that use the target, and their shares.
    fn thread_targets(&mut self, node: Node) -> Vec<(u32, Option<u32>)> {
        let mut list = Vec::new();
        for entry in node.children().filter(Node::is_element) {
            let (mut thread, mut weight) = (None, None);
            for child in entry.children().filter(Node::is_element) {
                match child.tag_name().name() {
                    "Thread" => thread = self.number(child),
                    "Weight" => weight = self.number(child),
                    _ => self.unknown(child, "thread target"),
                }
            }
            match thread {
                Some(thread) => list.push((thread, weight)),
                None => self.fail(entry, "names no thread", "write for example <Thread>0</Thread>"),
            }
        }
        if list.is_empty() {
            self.fail(node, "has no ThreadTarget", "add one, or remove ThreadTargets: all threads use the target");
        }
        list
    }

    fn buffer(&mut self, node: Node) -> u64 {
        let size = node.descendants().find(|n| n.has_tag_name("SizeInBytes"));
        size.and_then(|size| self.number(size)).unwrap_or_default()
    }
}

/// Stores a value that was given.
fn set<T>(field: &mut T, value: Option<T>, switch: &'static str) -> &'static str {
    if let Some(value) = value {
        *field = value;
    }
    switch
}
