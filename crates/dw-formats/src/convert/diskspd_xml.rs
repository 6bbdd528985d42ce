//! DiskSpd's profile: one time span a phase, with a target for each stream.

use std::fmt::Write as _;

use super::diskspd::{Limit, Words, all};
use super::loss::Losses;
use super::streams::Stream;
use crate::fio::VolumeMap;

/// The profile.
pub(super) fn write(streams: &[Stream], volumes: &[VolumeMap], losses: &mut Losses) -> String {
    let all = all(streams, volumes, losses);
    let mut out = String::from("<Profile>\n  <ResultFormat>xml</ResultFormat>\n  <TimeSpans>\n");
    let mut at = 0;
    while let Some((first, _)) = all.get(at) {
        // A pool is the whole of its span.
        let alone = first.pool;
        let count = all[at..].iter().take_while(|(w, _)| w.phase == first.phase && w.pool == alone).count();
        let count = if alone { 1 } else { count };
        let span = &all[at..at + count];
        for (words, job) in &span[1..] {
            if (words.warmup, words.duration) != (first.warmup, first.duration) {
                let what = format!(
                    "runs for its own time; a time span has one, and {} s after {} s is written",
                    first.duration, first.warmup
                );
                losses.add(job, &["runtime", "ramp_time"], what);
            }
        }
        if at > 0 && all[at - 1].0.phase == first.phase {
            losses.add(
                all[at].1,
                &["filename", ""],
                "runs next to a pool of threads; it is a time span of its own, after it",
            );
        }
        write_span(&mut out, span.iter().map(|(words, _)| words), first);
        at += count;
    }
    out += "  </TimeSpans>\n</Profile>\n";
    out
}

fn write_span<'w>(out: &mut String, streams: impl Iterator<Item = &'w Words>, first: &Words) {
    let (pool, requests) = if first.pool { (first.threads, first.depth) } else { (0, 0) };
    let _ = write!(
        out,
        "    <TimeSpan>\n      <Duration>{}</Duration>\n      <Warmup>{}</Warmup>\n      <Cooldown>0</Cooldown>\n      \
         <MeasureLatency>true</MeasureLatency>\n",
        first.duration, first.warmup
    );
    if pool > 0 {
        let _ = write!(out, "      <ThreadCount>{pool}</ThreadCount>\n      <RequestCount>{requests}</RequestCount>\n");
    }
    *out += "      <Targets>\n";
    for words in streams {
        for path in &words.targets {
            target(out, words, path);
        }
    }
    *out += "      </Targets>\n    </TimeSpan>\n";
}

fn target(out: &mut String, w: &Words, path: &str) {
    *out += "        <Target>\n";
    let mut set = |name: &str, value: &str| {
        let _ = writeln!(out, "          <{name}>{value}</{name}>");
    };
    set("Path", &escaped(path));
    set("BlockSize", &w.block.to_string());
    if w.base > 0 {
        set("BaseFileOffset", &w.base.to_string());
    }
    if w.end > 0 {
        set("MaxFileSize", &w.end.to_string());
    }
    if let Some(size) = w.create {
        set("FileSize", &size.to_string());
    }
    if w.random > 0 {
        set("Random", &w.step.to_string());
        if w.random < 100 {
            set("RandomRatio", &w.random.to_string());
        }
    } else {
        set("StrideSize", &w.step.to_string());
    }
    set("DisableOSCache", "true");
    if w.write_through {
        set("WriteThrough", "true");
    }
    set("WriteRatio", &w.writes.to_string());
    if !w.pool {
        set("RequestCount", &w.depth.to_string());
        set("ThreadsPerFile", &w.threads.to_string());
    }
    if let Some((burst, ms)) = w.burst {
        set("BurstSize", &burst.to_string());
        set("ThinkTime", &ms.to_string());
    }
    match w.limit {
        Some(Limit::BytesPerMs(rate)) => set("Throughput", &rate.to_string()),
        Some(Limit::Iops(rate)) => {
            let _ = writeln!(out, "          <Throughput unit=\"IOPS\">{rate}</Throughput>");
        }
        None => {}
    }
    if let Some((percent, parts)) = &w.ranges {
        let kind = if *percent { "Percent" } else { "Absolute" };
        let _ = writeln!(out, "          <Distribution>\n            <{kind}>");
        for (share, part) in parts {
            let _ = writeln!(out, "              <Range IO=\"{share}\">{part}</Range>");
        }
        let _ = writeln!(out, "            </{kind}>\n          </Distribution>");
    }
    *out += "        </Target>\n";
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
