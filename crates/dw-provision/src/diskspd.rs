//! The DiskSpd profile that verifies a plan: every volume alone, then all together.
//!
//! The same streams as in the fio job file. DiskSpd runs for a time and never "once through", so a host cache is filled for as
//! long as reading the file takes at the rate that disks and VM allow, and a tenth more.
//!
//! Source: DiskSpd's wiki, "Customizing tests with XML profiles".

use std::fmt::Write as _;

use dw_units::Bytes;

use super::fio::{RAMP_S, RUNTIME_S};
use super::quote::{xml, xml_comment};
use super::setup::{Demand, Setup, Volume};
use super::streams::{Stream, file_size, streams, warm_size};

/// Filling a cache is given this long where no rate is known: a working set at 100 MB/s.
const FILL_BYTES_PER_S: u64 = 100_000_000;

/// The profile.
pub fn text(setup: &Setup) -> String {
    let mut out = String::from("<!--\n");
    let mut lines = setup.heading("Verifies a plan: it holds when every target reaches its Throughput.");
    lines.extend([
        String::new(),
        "Run it on the VM after its volumes are there: diskspd -Xverify.xml > verify.txt. Before, without a VM:".into(),
        "diskwright simulate rig-windows.toml verify.xml. It leaves files called diskwright.dat: remove them.".into(),
    ]);
    for line in lines {
        let _ = writeln!(out, "  {}", xml_comment(&line));
    }
    out +=
        "-->\n<Profile>\n  <Progress>0</Progress>\n  <ResultFormat>text</ResultFormat>\n  <Verbose>false</Verbose>\n";
    out += "  <TimeSpans>\n";
    for (number, volume) in setup.volumes.iter().enumerate().filter(|(_, volume)| volume.is_cached()) {
        warm_up(setup, number, volume, &mut out);
    }
    for (number, volume) in setup.volumes.iter().enumerate() {
        span(setup, &[(number, volume, volume.demand)], &mut out);
    }
    if setup.volumes.len() > 1 {
        let all: Vec<_> = setup.volumes.iter().enumerate().map(|(n, volume)| (n, volume, volume.together)).collect();
        span(setup, &all, &mut out);
    }
    out + "  </TimeSpans>\n</Profile>\n"
}

fn open_span(duration_s: u64, warm_up_s: u64) -> String {
    format!(
        "    <TimeSpan>\n      <MeasureLatency>true</MeasureLatency>\n      <Duration>{duration_s}</Duration>\n      \
         <Warmup>{warm_up_s}</Warmup>\n      <Cooldown>0</Cooldown>\n      <RandSeed>1</RandSeed>\n      <Targets>\n"
    )
}
const CLOSE_SPAN: &str = "      </Targets>\n    </TimeSpan>\n";

fn warm_up(setup: &Setup, number: usize, volume: &Volume, out: &mut String) {
    let size = warm_size(volume);
    let rate = setup.fill_rate(volume).map_or(FILL_BYTES_PER_S, |rate| rate.get()).max(1);
    *out += &open_span((size.get() / rate).max(1).saturating_mul(11) / 10 + 1, 0);
    let stream = Stream { writes: false, sequential: true, size: Bytes::mib(1), iops: 0, queue_depth: 16 };
    target(setup, number, volume, &stream, Some(size), out);
    *out += CLOSE_SPAN;
}

fn span(setup: &Setup, volumes: &[(usize, &Volume, Demand)], out: &mut String) {
    let mut targets = String::new();
    for (number, volume, demand) in volumes {
        for stream in streams(volume, *demand) {
            target(setup, *number, volume, &stream, None, &mut targets);
        }
    }
    if !targets.is_empty() {
        *out += &(open_span(RUNTIME_S, RAMP_S) + &targets + CLOSE_SPAN);
    }
}

/// `within`: its requests stay in the first so many bytes of the file.
fn target(setup: &Setup, number: usize, volume: &Volume, stream: &Stream, within: Option<Bytes>, out: &mut String) {
    let size = stream.size.get();
    let pattern = if stream.sequential { "StrideSize" } else { "Random" };
    let rate = match stream.iops {
        0 => String::new(),
        iops => format!("          <Throughput unit=\"IOPS\">{iops}</Throughput>\n"),
    };
    let _ = write!(
        out,
        "        <Target>\n          <Path>{}</Path>\n          <BlockSize>{size}</BlockSize>\n          \
         <{pattern}>{size}</{pattern}>\n          <DisableOSCache>true</DisableOSCache>\n          \
         <WriteThrough>true</WriteThrough>\n          <ThreadsPerFile>1</ThreadsPerFile>\n          \
         <RequestCount>{}</RequestCount>\n          <WriteRatio>{}</WriteRatio>\n{rate}          \
         <FileSize>{}</FileSize>\n{}        </Target>\n",
        xml(&format!("{}\\diskwright.dat", setup.drive(number))),
        stream.queue_depth,
        if stream.writes { 100 } else { 0 },
        file_size(volume).get(),
        within.map_or(String::new(), |within| format!("          <MaxFileSize>{}</MaxFileSize>\n", within.get())),
    );
}
