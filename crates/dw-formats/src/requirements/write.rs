//! Writes requirements as a person would: one line per figure, units where there are any, remarks where something is missing.

use std::fmt::{Display, Write as _};

use dw_observe::requirements::{Levels, Requirements, VolumeRequirements};
use dw_units::Throughput;

/// Numbers in one line of a list.
const IN_A_LINE: usize = 16;

/// The text of a file; `remark` says where it comes from, in lines of comment.
pub fn write(requirements: &Requirements, remark: &str) -> String {
    let mut out = String::new();
    for line in remark.lines() {
        let _ = writeln!(out, "# {line}");
    }
    let _ = writeln!(out, "schema_version = 1");
    if let Some(machine) = &requirements.machine {
        let _ = writeln!(out, "machine = {}", quoted(machine));
    }
    let _ = writeln!(out, "window = {}", quoted(&requirements.window));
    let _ = writeln!(out, "growth = {} # demand is multiplied by this", number(requirements.growth));
    line(&mut out, "transactions_per_s", requirements.transactions, number);
    if requirements.processors.is_some() || requirements.cpu_percent.is_some() {
        let _ = writeln!(out, "\n[cpu]");
        if let Some(processors) = requirements.processors {
            let _ = writeln!(out, "processors = {processors}");
        }
        line(&mut out, "busy_percent", requirements.cpu_percent, number);
    }
    if requirements.memory_total.is_some() || requirements.memory_used.is_some() {
        let _ = writeln!(out, "\n[memory]");
        if let Some(total) = requirements.memory_total {
            let _ = writeln!(out, "total = \"{total}\"");
        }
        line(&mut out, "used", requirements.memory_used, text);
    }
    for each in &requirements.volumes {
        volume(&mut out, each);
    }
    out
}

fn volume(out: &mut String, volume: &VolumeRequirements) {
    let devices = volume.devices.iter().map(|d| quoted(d)).collect::<Vec<_>>().join(", ");
    let _ = writeln!(out, "\n[[volume]]\nname = {}\ndevices = [{devices}]", quoted(&volume.name));
    if !volume.unknown.is_empty() {
        let keys = volume.unknown.iter().map(|key| quoted(key)).collect::<Vec<_>>().join(", ");
        let _ = writeln!(
            out,
            "unknown = [{keys}] # the recording has none: write them, or take them out if there are none"
        );
    }
    match volume.random_percent {
        Some(percent) => {
            let _ = writeln!(out, "random_percent = {}", number(percent));
        }
        None => {
            let _ = writeln!(
                out,
                "# random_percent = 100 # not known: counters cannot tell, `observe --trace` measures it"
            );
        }
    }
    for (key, size) in [("read_size", volume.read_size), ("write_size", volume.write_size)] {
        if let Some(size) = size {
            let _ = writeln!(out, "{key} = \"{size}\"");
        }
    }
    line(out, "read_iops", volume.read_iops, number);
    line(out, "write_iops", volume.write_iops, number);
    line(out, "iops", volume.iops, number);
    line(out, "read_throughput", volume.read_throughput, throughput);
    line(out, "write_throughput", volume.write_throughput, throughput);
    line(out, "throughput", volume.throughput, throughput);
    line(out, "read_latency", volume.read_latency, text);
    line(out, "write_latency", volume.write_latency, text);
    line(out, "queue_depth", volume.queue_depth, number);
    if let Some(series) = &volume.series {
        let _ = writeln!(out, "\n[volume.series]\ninterval = \"{}\"", series.interval);
        list(out, "read_iops", series.read_iops.iter().map(|v| number(*v)));
        list(out, "write_iops", series.write_iops.iter().map(|v| number(*v)));
        list(out, "read_bytes_per_s", series.read_bytes_per_s.iter().map(u64::to_string));
        list(out, "write_bytes_per_s", series.write_bytes_per_s.iter().map(u64::to_string));
    }
}

fn line<T: Copy>(out: &mut String, key: &str, levels: Option<Levels<T>>, show: fn(T) -> String) {
    let Some(l) = levels else { return };
    let (p50, p90, p99, max) = (show(l.p50), show(l.p90), show(l.p99), show(l.max));
    let from = l.from.word();
    let _ = writeln!(out, "{key} = {{ p50 = {p50}, p90 = {p90}, p99 = {p99}, max = {max}, from = \"{from}\" }}");
}

fn list(out: &mut String, key: &str, numbers: impl Iterator<Item = String>) {
    let numbers: Vec<String> = numbers.collect();
    let _ = writeln!(out, "{key} = [");
    for chunk in numbers.chunks(IN_A_LINE) {
        let _ = writeln!(out, "  {},", chunk.join(", "));
    }
    let _ = writeln!(out, "]");
}

/// A decimal with at most three digits after the point, as TOML wants it.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string() + if value.fract() == 0.0 { ".0" } else { "" }
}

fn text<T: Display>(value: T) -> String {
    format!("\"{value}\"")
}

/// MB/s keeps three decimals; what they would lose is written in bytes.
fn throughput(value: Throughput) -> String {
    if value.get().is_multiple_of(1_000) { format!("\"{value}\"") } else { format!("\"{} B/s\"", value.get()) }
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
