//! The fio job file that verifies a plan: every volume alone, then all together.
//!
//! Requests come at the rate that the plan promises, so the plan holds when every job reaches its `rate_iops`; latency is then
//! what it is at that load. Volumes that the host cache serves are read once from front to back before.

use std::fmt::Write as _;

use dw_units::Bytes;

use super::quote::comment;
use super::setup::{Demand, Setup, Volume};
use super::streams::{Stream, file_size, streams};

/// Seconds that count.
pub(super) const RUNTIME_S: u64 = 60;
/// Seconds before they count.
pub(super) const RAMP_S: u64 = 10;

/// The job file.
pub fn text(setup: &Setup) -> String {
    let mut lines = setup.heading("Verifies a plan: it holds when every job reaches its rate_iops.");
    lines.extend([
        String::new(),
        "Run it on the VM after its volumes are mounted: `fio verify.fio`. Before, at any time and without a VM:".into(),
        "`diskwright simulate rig.toml verify.fio`. It writes files called diskwright.test and leaves them there; remove them."
            .into(),
    ]);
    let mut out = comment(";", &lines);
    out += "\n[global]\nioengine=libaio\ndirect=1\nnorandommap=1\nrandrepeat=0\n";
    for (number, volume) in setup.volumes.iter().enumerate().filter(|(_, volume)| volume.is_cached()) {
        warm_up(setup, number, volume, &mut out);
    }
    for (number, volume) in setup.volumes.iter().enumerate() {
        out += &phase(setup, "", &[(number, volume, volume.demand)]);
    }
    if setup.volumes.len() > 1 {
        let all: Vec<_> = setup.volumes.iter().enumerate().map(|(n, volume)| (n, volume, volume.together)).collect();
        let together = phase(setup, "all-", &all);
        if !together.is_empty() {
            out += "\n; All volumes together, when they are busiest.";
            out += &together;
        }
    }
    out
}

fn warm_up(setup: &Setup, number: usize, volume: &Volume, out: &mut String) {
    let name = setup.names.get(number).map_or("", String::as_str);
    let _ = write!(
        out,
        "\n; Fills the host cache of {name}.\n[warm-{name}]\nstonewall\nfilename={}\nsize={}\nrw=read\nbs=1m\niodepth=16\n",
        file(setup, number),
        short(file_size(volume)),
    );
}

/// Streams that run at the same time, after everything before them.
fn phase(setup: &Setup, prefix: &str, volumes: &[(usize, &Volume, Demand)]) -> String {
    let mut out = String::new();
    for (number, volume, demand) in volumes {
        let name = setup.names.get(*number).map_or("", String::as_str);
        for stream in streams(volume, *demand) {
            let wall = if out.is_empty() { "stonewall\n" } else { "" };
            let _ = write!(
                out,
                "\n[{prefix}{name}-{}]\n{wall}filename={}\nsize={}\nrw={}\nbs={}\niodepth={}\nrate_iops={}\n\
                 time_based=1\nruntime={RUNTIME_S}\nramp_time={RAMP_S}\n",
                stream.name(),
                file(setup, *number),
                short(file_size(volume)),
                direction(&stream),
                short(stream.size),
                stream.queue_depth,
                stream.iops,
            );
        }
    }
    out
}

fn direction(stream: &Stream) -> &'static str {
    match (stream.sequential, stream.writes) {
        (true, true) => "write",
        (true, false) => "read",
        (false, true) => "randwrite",
        (false, false) => "randread",
    }
}

/// `8k`, `400g`.
fn short(size: Bytes) -> String {
    let units = [("t", 1u64 << 40), ("g", 1 << 30), ("m", 1 << 20), ("k", 1 << 10)];
    let unit = units.into_iter().find(|(_, unit)| size.get().is_multiple_of(*unit) && size.get() > 0);
    unit.map_or(size.get().to_string(), |(letter, unit)| format!("{}{letter}", size.get() / unit))
}

fn file(setup: &Setup, volume: usize) -> String {
    let mount = setup.mount(volume);
    format!("{}/diskwright.test", mount.trim_end_matches('/'))
}
