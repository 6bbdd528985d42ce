//! What `emulate` says at its beginning and at its end.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::Path;

use dw_emulator::serve::{Listener, Summary};
use dw_emulator::status::OpStatus;
use dw_emulator::{Engine, ExportId};
use dw_formats::scenario::LatencyUse;
use dw_units::{Bytes, Duration};

use crate::latency;
use crate::report::format::{bytes, grouped, milliseconds};

/// Who can come in, what they find, and what is known about this machine.
pub fn banner(
    engine: &Engine,
    listeners: &[Listener],
    guests: &[(Listener, ExportId)],
    overhead: Duration,
    latencies: &[LatencyUse],
) -> String {
    let mut out = String::new();
    for listener in listeners {
        let _ = writeln!(out, "listening  {}", listener.address());
    }
    for (listener, export) in guests {
        let name = engine.exports().get(usize::from(export.0)).map(|export| export.name.as_str());
        let _ = writeln!(out, "vhost-user {}  {}", name.unwrap_or_default(), listener.address());
    }
    for export in engine.exports() {
        let _ = writeln!(out, "export     {}  {}, {}", export.name, Bytes::new(export.size), export.description);
    }
    let _ = writeln!(
        out,
        "overhead   this machine adds about {} ms per request, which is compensated for; latencies below that cannot be emulated",
        milliseconds(overhead.ns() as f64)
    );
    for sentence in latency::sentences(latencies) {
        let _ = writeln!(out, "{sentence}");
    }
    out
}

/// What else there is to know where to find it.
pub fn beside(control: Option<&Path>, metrics: Option<SocketAddr>, data: Option<&str>) -> String {
    let mut out = String::new();
    if let Some(data) = data {
        let _ = writeln!(out, "data       {data}");
    }
    if let Some(path) = control {
        let _ = writeln!(out, "control    diskwright ctl --socket {} status", path.display());
    }
    if let Some(address) = metrics {
        let _ = writeln!(out, "metrics    http://{address}/metrics");
    }
    out
}

/// What the run came to, and whether to trust it.
pub fn closing(summary: &Summary) -> String {
    let mut out = String::new();
    for volume in &summary.status.volumes {
        let _ = writeln!(out, "{}: reads {}, writes {}", volume.name, kind(&volume.reads), kind(&volume.writes));
    }
    let clients = if summary.clients == 1 { "1 client".into() } else { format!("{} clients", summary.clients) };
    let _ = writeln!(out, "{} completions for {clients}", grouped(summary.status.lateness.completions as f64));
    out.push_str(&crate::linux::ctl::refused(&summary.status.host));
    out.push_str(&crate::linux::ctl::lateness(&summary.status.lateness));
    out
}

fn kind(op: &OpStatus) -> String {
    if op.count == 0 {
        return "none".into();
    }
    format!(
        "{} ({}, median {} ms, 99th percentile {} ms)",
        grouped(op.count as f64),
        bytes(op.bytes as f64),
        milliseconds(op.latency.p50_ns as f64),
        milliseconds(op.latency.p99_ns as f64)
    )
}
