//! What `emulate` says at its beginning and at its end.

use std::fmt::Write as _;

use dw_emulator::Engine;
use dw_emulator::serve::{Listener, Summary};
use dw_emulator::status::{OpStatus, Verdict};
use dw_formats::scenario::LatencyUse;
use dw_units::{Bytes, Duration};

use crate::latency;

/// Who can come in, what they find, and what is known about this machine.
pub fn banner(engine: &Engine, listeners: &[Listener], overhead: Duration, latencies: &[LatencyUse]) -> String {
    let mut out = String::new();
    for listener in listeners {
        let _ = writeln!(out, "listening  {}", listener.address());
    }
    for export in engine.exports() {
        let _ = writeln!(out, "export     {}  {}, {}", export.name, Bytes::new(export.size), export.description);
    }
    let _ = writeln!(
        out,
        "overhead   this machine adds about {} µs per request, which is compensated for; latencies below that cannot be emulated",
        overhead.ns() / 1_000
    );
    for sentence in latency::sentences(latencies) {
        let _ = writeln!(out, "{sentence}");
    }
    out
}

/// What the run came to, and whether to trust it.
pub fn closing(summary: &Summary) -> String {
    let mut out = String::new();
    for volume in &summary.status.volumes {
        let _ = writeln!(out, "{}: reads {}, writes {}", volume.name, kind(&volume.reads), kind(&volume.writes));
    }
    let late = &summary.status.lateness;
    let _ = writeln!(
        out,
        "{} completions for {} clients; late by {} µs at the median, {} µs at the 99th percentile, {} µs at most",
        late.completions,
        summary.clients,
        late.p50_ns / 1_000,
        late.p99_ns / 1_000,
        late.max_ns / 1_000
    );
    if late.verdict() != Verdict::Open {
        let _ = writeln!(
            out,
            "99th percentile of the latency: {} µs as clients see it, {} µs in the model",
            late.seen_p99_ns / 1_000,
            late.modelled_p99_ns / 1_000
        );
    }
    out.push_str(&crate::ctl::refused(&summary.status.host));
    match late.verdict() {
        Verdict::Kept => out.push_str("this machine kept up with the modelled disks\n"),
        Verdict::Open => out.push_str("too few completions to say whether this machine kept up\n"),
        Verdict::Doubted => {}
    }
    for doubt in &late.doubts {
        let _ = writeln!(out, "warning: not to be trusted: {doubt}");
    }
    out
}

fn kind(op: &OpStatus) -> String {
    if op.count == 0 {
        return "none".into();
    }
    format!(
        "{} ({}, median {} µs, 99th percentile {} µs)",
        op.count,
        Bytes::new(op.bytes),
        op.latency.p50_ns / 1_000,
        op.latency.p99_ns / 1_000
    )
}
