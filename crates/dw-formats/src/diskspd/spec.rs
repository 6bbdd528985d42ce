//! What a command line or a profile asks for, and what in it contradicts itself.
//!
//! One [`Target`] holds what DiskSpd holds for one; on a command line all targets are alike. Contradictions are DiskSpd's own;
//! messages name the switch even where an element was written, since the help knows switches.

use std::collections::BTreeMap;

use dw_messages::{Figure, say};

use super::distribution::Ranges;
use crate::assembly::{Assembly, Origin};
use crate::fio::report::WarningKind;

/// `-b` without `-b`.
pub(crate) const BLOCK_DEFAULT: u64 = 64 << 10;

/// Time spans, one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Profile {
    pub spans: Vec<Span>,
}

/// What runs at the same time.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub targets: Vec<Target>,
    /// `-F`; 0 = not given.
    pub threads: u32,
    /// `-O`; 0 = not given.
    pub requests: u32,
    /// `-W`, `-d`, `-C` in seconds.
    pub warmup_s: u32,
    pub duration_s: u32,
    pub cooldown_s: u32,
    /// `-z`.
    pub seed: u64,
    /// `-L`.
    pub latency: bool,
    /// `-x`.
    pub completion_routines: bool,
    /// `-a` with processors, and `-n`.
    pub affinity: bool,
    pub no_affinity: bool,
    pub origins: Origins,
}

/// How a target is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cache {
    /// `-Sb`, the default.
    Cached,
    /// `-Su`.
    Unbuffered,
    /// `-Sr`.
    Remote,
}

/// `-g`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Throughput {
    BytesPerMs(u32),
    Iops(u32),
}

/// A target and what is done to it.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub path: String,
    /// `-b` in bytes.
    pub block: u64,
    /// `-r` or `-s` in bytes; absent = the block size.
    pub align: Option<u64>,
    /// Percentage of random requests: 100 for `-r`, 0 for sequential.
    pub random: u8,
    /// `-si`, `-p`.
    pub interlocked: bool,
    pub parallel: bool,
    /// `-t`, `-o`.
    pub threads: u32,
    pub requests: u32,
    /// `-T` in bytes; 0 = none.
    pub thread_stride: u64,
    /// `-B` and the end of `-f`, in bytes; 0 = the target's end.
    pub base: u64,
    pub end: u64,
    /// `-c` in bytes.
    pub size: Option<u64>,
    /// `-w` in percent.
    pub write_percent: u8,
    pub throughput: Option<Throughput>,
    /// `-i`; 0 = none.
    pub burst: u32,
    /// `-j`; 0 = none.
    pub think_ms: u32,
    pub cache: Option<Cache>,
    pub write_through: bool,
    pub mapped: bool,
    pub flush: bool,
    pub distribution: Option<Ranges>,
    /// `-Z` with a size in bytes; 0 = none.
    pub buffer: u64,
    /// Share among targets, of profiles only.
    pub weight: Option<u32>,
    /// Threads that use it, from 0, each with a share of its own where it has one; none = all threads. Of profiles only.
    pub thread_targets: Vec<(u32, Option<u32>)>,
    pub origins: Origins,
}

/// Where each switch was written; `""` is the target or the span itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origins(pub BTreeMap<&'static str, Origin>);

impl Origins {
    /// The first of these switches that was written, or the thing itself.
    pub fn of_switches(&self, switches: &[&str]) -> Origin {
        let found = switches.iter().find_map(|s| self.0.get(s)).or_else(|| self.0.get(""));
        found.cloned().unwrap_or_else(|| super::word_origin(1, "diskspd"))
    }
}

impl Default for Span {
    fn default() -> Self {
        Span {
            targets: Vec::new(),
            threads: 0,
            requests: 0,
            warmup_s: 5,
            duration_s: 10,
            cooldown_s: 0,
            seed: 0,
            latency: false,
            completion_routines: false,
            affinity: false,
            no_affinity: false,
            origins: Origins::default(),
        }
    }
}

impl Default for Target {
    fn default() -> Self {
        Target {
            path: String::new(),
            block: BLOCK_DEFAULT,
            align: None,
            random: 0,
            interlocked: false,
            parallel: false,
            threads: 1,
            requests: 2,
            thread_stride: 0,
            base: 0,
            end: 0,
            size: None,
            write_percent: 0,
            throughput: None,
            burst: 0,
            think_ms: 0,
            cache: None,
            write_through: false,
            mapped: false,
            flush: false,
            distribution: None,
            buffer: 0,
            weight: None,
            thread_targets: Vec::new(),
            origins: Origins::default(),
        }
    }
}

impl Target {
    /// Its share among the targets of a thread; `None` where the thread does not use it.
    pub fn weight_for(&self, thread: u32) -> Option<u32> {
        let own = self.weight.unwrap_or(1);
        if self.thread_targets.is_empty() {
            return Some(own);
        }
        let (_, weight) = self.thread_targets.iter().find(|(number, _)| *number == thread)?;
        Some(weight.filter(|weight| *weight > 0).unwrap_or(own))
    }
    /// Distance of sequential requests, and what random ones are aligned to.
    pub fn step(&self) -> u64 {
        self.align.unwrap_or(self.block)
    }
    /// Bytes a millisecond of one thread, as DiskSpd computes them in 32 bits; 0 = no limit.
    pub fn bytes_per_ms(&self) -> u32 {
        match self.throughput {
            None => 0,
            Some(Throughput::BytesPerMs(rate)) => rate,
            Some(Throughput::Iops(iops)) => iops.wrapping_mul(self.block as u32) / 1_000,
        }
    }
}

/// Contradictions, and what cannot be modelled.
pub(crate) fn check(profile: &Profile, out: &mut Assembly) {
    for span in &profile.spans {
        if span.no_affinity && span.affinity {
            out.fail(
                &span.origins.of_switches(&["-n", "-a"]),
                "excludes the other: -n and -a contradict",
                "keep one of them",
            );
        }
        if span.duration_s == 0 {
            out.fail(&span.origins.of_switches(&["-d"]), "measures for 0 s", "write seconds, for example -d30");
        }
        if span.completion_routines {
            out.ignore("-x", "how completions are fetched has no effect here", &span.origins.of_switches(&["-x"]));
        }
        if span.cooldown_s > 0 {
            out.ignore("-C", "anything after the measurement is not simulated", &span.origins.of_switches(&["-C"]));
        }
        for target in &span.targets {
            alone(target, span, out);
            order(target, span, out);
            distribution(target, out);
            caching(target, out);
        }
    }
}

/// The smallest request, in bytes.
const SECTOR: u64 = 512;

/// Threads, requests, rates, pauses.
fn alone(t: &Target, span: &Span, out: &mut Assembly) {
    let at = |switches: &[&str]| t.origins.of_switches(switches);
    if t.block == 0 {
        out.fail(&at(&["-b"]), "asks for requests of 0 bytes", "write for example -b8K");
    } else if t.block < SECTOR {
        let what = format!("asks for requests of {} B, less than a sector, which no disk supports", t.block);
        out.fail(&at(&["-b"]), what, format!("write -b{}K, or at least -b512", t.block));
    }
    if t.threads == 0 || t.requests == 0 {
        out.fail(&at(&["-t", "-o"]), "is 0: there must be a thread and a request", "write at least 1");
    }
    if span.threads > 0 && t.threads > 1 {
        out.fail(&at(&["-t"]), "contradicts -F, which is the number of threads of all targets", "keep -t or -F");
    }
    let paced = t.bytes_per_ms() > 0;
    if paced && span.completion_routines {
        out.fail(&at(&["-g"]), "cannot be kept with -x (completion routines)", "remove -x");
    }
    if (t.burst > 0) != (t.think_ms > 0) {
        out.fail(&at(&["-i", "-j"]), "needs the other: -i is the I/Os of a burst, -j the pause after it", "write both");
    }
    if paced && t.burst > 0 {
        out.warn(WarningKind::WithoutEffect, &at(&["-i"]), say!(JobBurstBesideRate), "remove -g, or -i and -j");
    }
    if span.threads > 0 && span.requests > 0 {
        for (wrong, switch, why) in [
            (paced, "-g", "a rate is kept for each target"),
            (t.think_ms > 0, "-j", "a pause is kept for each target"),
            (t.parallel, "-p", "offsets are kept for each target"),
        ] {
            if wrong {
                out.fail(&at(&[switch]), format!("cannot be used with -O: {why}"), "write -o in place of -O");
            }
        }
        if t.weight == Some(0) {
            out.fail(&at(&["Weight"]), "is 0", "write at least 1");
        }
        if let Some((thread, _)) = t.thread_targets.iter().find(|(thread, _)| *thread >= span.threads) {
            let what = format!("names thread {thread}, but there are {}, counted from 0", span.threads);
            out.fail(&at(&["ThreadTargets"]), what, "correct the number, or raise ThreadCount");
        }
    } else if !t.thread_targets.is_empty() {
        out.fail(
            &at(&["ThreadTargets"]),
            "needs ThreadCount and RequestCount of the time span",
            "add both, or remove it",
        );
    }
    if let Some(Throughput::Iops(iops)) = t.throughput {
        iops_limit(t, iops, out);
    }
    if let Some(Throughput::BytesPerMs(rate)) = t.throughput.filter(|_| paced) {
        let per_second = u64::from(rate) * 1_000;
        let iops = per_second as f64 / t.block.max(1) as f64;
        out.warn(
            WarningKind::RateUnit,
            &at(&["-g"]),
            say!(JobRateOfThreads {
                rate: Figure::decimal(per_second as f64, 0, "B/s"),
                iops: Figure::decimal(iops, 1, "IOPS"),
                size: bytes(t.block),
            }),
            "for I/Os per second write -g<n>i",
        );
    }
    if t.end > 0 && t.end <= t.base {
        out.fail(
            &at(&["-f", "-B"]),
            "ends before it begins: the end (-f) must be beyond the base (-B)",
            "write a larger -f",
        );
    }
    if t.buffer > 0 && t.buffer < t.block {
        out.fail(&at(&["-Z"]), format!("is smaller than a request of {} bytes", t.block), "write a larger buffer");
    }
    if t.path.starts_with('*') {
        out.fail(
            &at(&[]),
            "stands for a target that was not given",
            "name the targets after -X, in their order, for example --diskspd \"-Xprofile.xml F:\\test.dat\"",
        );
    }
}

fn bytes(size: u64) -> Figure {
    Figure::new(size as f64, "B", format!("{size} bytes"))
}

fn iops_limit(t: &Target, iops: u32, out: &mut Assembly) {
    let (kept, exact) = (t.bytes_per_ms(), u64::from(iops) * t.block);
    let at = t.origins.of_switches(&["-g"]);
    let of_ms = Figure::decimal(f64::from(kept), 0, "bytes/ms");
    if exact > u64::from(u32::MAX) {
        let what = say!(JobRateOverflows { iops: iops.to_string(), size: bytes(t.block), kept: of_ms });
        out.warn(WarningKind::RateUnit, &at, what, "divide the rate among more threads");
    } else if kept == 0 && iops > 0 {
        let what = say!(JobRateRoundsToZero { rate: Figure::decimal(exact as f64, 0, "B/s") });
        out.warn(WarningKind::RateUnit, &at, what, "write a larger rate, or bytes a millisecond");
    } else if u64::from(kept) * 1_000 * 100 < exact * 99 {
        let real = f64::from(kept) * 1_000.0 / t.block as f64;
        let what = say!(JobRateRounds { kept: of_ms, iops: Figure::decimal(real, 1, "IOPS") });
        out.warn(WarningKind::RateUnit, &at, what, "DiskSpd rounds down to whole bytes a millisecond");
    }
}

/// Random and sequential.
fn order(t: &Target, span: &Span, out: &mut Assembly) {
    let at = |switches: &[&str]| t.origins.of_switches(switches);
    let several = span.threads > 1 || t.threads > 1;
    if t.random > 0 {
        for (wrong, switch) in [(t.thread_stride > 0, "-T"), (t.interlocked, "-si"), (t.parallel, "-p")] {
            if wrong {
                out.fail(
                    &at(&[switch]),
                    format!("{switch} is for sequential I/O and contradicts -r"),
                    "remove one of them",
                );
            }
        }
        return;
    }
    if t.distribution.is_some() {
        out.fail(&at(&["-rd"]), "is for random I/O only", "add -r or -rs");
    }
    if t.interlocked {
        for (wrong, switch) in [(t.thread_stride > 0, "-T"), (t.parallel, "-p")] {
            if wrong {
                out.fail(&at(&[switch]), format!("{switch} contradicts -si"), "remove one of them");
            }
        }
        if t.burst > 0 && several {
            out.fail(
                &at(&["-i"]),
                "is not modelled together with -si and several threads",
                "use one thread with all requests, or -T",
            );
        }
        if !several {
            out.warn(WarningKind::WithoutEffect, &at(&["-si"]), say!(JobOneThread), "write -s");
        }
    } else if several && t.thread_stride == 0 {
        let threads = t.threads.max(span.threads);
        let what = say!(JobSameBlocks { threads });
        out.warn(
            WarningKind::SameBlocks,
            &at(&["-s", "-t", "-F"]),
            what,
            "write -si for one stream, or -T<offset> to part the threads",
        );
    } else if !several && t.thread_stride > 0 {
        out.fail(&at(&["-T"]), "has no effect with one thread", "remove it, or write -t<threads>");
    }
    if t.parallel && t.requests == 1 {
        out.warn(WarningKind::WithoutEffect, &at(&["-p"]), say!(JobOneRequest), "write a larger -o");
    }
    if t.parallel && t.requests > 1 && (t.bytes_per_ms() > 0 || t.burst > 0) {
        out.fail(&at(&["-p"]), "is not modelled together with -g or with -i and -j", "remove one of them");
    }
}

fn distribution(t: &Target, out: &mut Assembly) {
    if let Some(Err((what, hint))) = t.distribution.as_ref().map(|ranges| ranges.check(t.block)) {
        out.fail(&t.origins.of_switches(&["-rd"]), what, hint);
    }
}

fn caching(t: &Target, out: &mut Assembly) {
    let at = |switches: &[&str]| t.origins.of_switches(switches);
    if t.mapped {
        out.fail(
            &at(&["-S"]),
            "-Sm (memory mapped I/O) is not modelled: it goes through the guest's memory",
            "write -Su or -Sh",
        );
    } else if t.flush {
        out.fail(&at(&["-N"]), "is for memory mapped I/O (-Sm) only", "remove it");
    } else if t.cache != Some(Cache::Unbuffered) {
        let what = match t.cache {
            Some(Cache::Remote) => say!(JobRemoteCache),
            _ => say!(JobFileCache),
        };
        out.warn(WarningKind::Buffered, &at(&["-S"]), what, "write -Su, or -Sh for writes that are durable, too");
    }
}
