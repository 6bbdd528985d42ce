//! Answers for people.

use std::fmt::Write as _;

use dw_documents::Quantity;
use dw_emulator::command::{Answer, Command, CrashReport, Loss};
use dw_emulator::inject::{Effect, FaultOp, ListedFault};
use dw_emulator::status::{HostStatus, LatenessStatus, LimitStatus, OpStatus, Status};
use dw_units::{Bytes, Duration};

use crate::report::format::{bytes, grouped, mb_s, mega, milliseconds, percent, seconds};
use crate::report::{Table, Text};

/// What was done, or asked for.
pub(super) fn answer(command: &Command, answer: &Answer) -> Text {
    match answer {
        Answer::Done => format!("{}\n", done(command)).into(),
        Answer::Status { status } => self::status(status),
        Answer::Crashed { report } => crashed(report).into(),
        Answer::Injected { id } => format!("fault {id} is active\n").into(),
        Answer::Faults { faults } if faults.is_empty() => "no faults\n".into(),
        Answer::Faults { faults } => self::faults(faults).into(),
        Answer::Cleared { count, released } => {
            let faults = if *count == 1 { "1 fault".to_string() } else { format!("{count} faults") };
            let held = if *released > 0 {
                format!(", {} held requests released", grouped(*released as f64))
            } else {
                String::new()
            };
            format!("{faults} cleared{held}\n").into()
        }
    }
}

fn done(command: &Command) -> String {
    match command {
        Command::Attach { volume } => format!("`{volume}` is attached"),
        Command::Detach { volume } => format!("`{volume}` will be detached once its outstanding requests complete"),
        Command::Cache { volume, mode } => format!("`{volume}` changes to host cache {}", mode.name()),
        Command::Resize { volume, size_bytes, .. } => {
            format!("the disks of `{volume}` grow to {}", Bytes::new(*size_bytes))
        }
        Command::Tier { volume, .. } => format!("the disks of `{volume}` have their new limits"),
        Command::Reboot => "the VM restarts: the host cache will be empty, data is kept".into(),
        Command::Pause => "the model's time is paused".into(),
        Command::Resume => "the model's time has resumed".into(),
        Command::Mark { name } => format!("mark `{name}` added to the logs"),
        Command::ResetCounters => "counters reset".into(),
        Command::Shutdown => "everything is durable; the emulation has stopped".into(),
        _ => "done".into(),
    }
}

/// The figures of a running emulation.
pub(super) fn status(status: &Status) -> Text {
    let mut out = Text::new();
    let at = seconds(status.at_ns as f64 / 1e9);
    let clients =
        if status.connections == 1 { "1 client".to_string() } else { format!("{} clients", status.connections) };
    let paused = if status.paused { ", PAUSED" } else { "" };
    let _ = writeln!(out, "running for {at}, {clients}{paused}\n");
    out += limits(&status.limits);
    if status.cache.capacity_bytes > 0 {
        let cache = &status.cache;
        let (held, capacity) = (bytes(cache.resident_bytes as f64), bytes(cache.capacity_bytes as f64));
        let _ = writeln!(out, "\nhost cache: {held} of {capacity}, {} dirty", bytes(cache.dirty_bytes as f64));
    }
    out += "\n";
    out += volumes(status);
    if !status.faults.is_empty() {
        out += "\n";
        out += faults(&status.faults);
    }
    let _ = write!(out, "\n{}{}", refused(&status.host), lateness(&status.lateness));
    out
}

fn limits(limits: &[LimitStatus]) -> Table {
    let mut rows = vec![["limit", "available", "consumed", "binding", "credits left"].map(String::from).to_vec()];
    for limit in limits {
        let credits = match (limit.credits, limit.credits_max) {
            (Some(left), Some(max)) if max > 0 => percent(left as f64 * 100.0 / max as f64),
            _ => String::new(),
        };
        rows.push(vec![
            limit_name(limit),
            available(limit),
            percent(limit.consumed_percent),
            percent(limit.binding_percent),
            credits,
        ]);
    }
    Table::new(rows, &[0])
}

/// `vm uncached IOPS`, `data.0 throughput`.
pub(crate) fn limit_name(limit: &LimitStatus) -> String {
    match &limit.disk {
        Some(disk) => format!("{disk} {}", limit.limit.trim_start_matches("disk ")),
        None => limit.limit.clone(),
    }
}

/// The sustained rate with its unit.
pub(crate) fn available(limit: &LimitStatus) -> String {
    if limit.id.quantity == Quantity::Iops { grouped(limit.rate as f64) } else { mb_s(limit.rate as f64) }
}

fn volumes(status: &Status) -> Table {
    let heads =
        ["volume", "cache", "depth", "read IOPS", "MB/s", "p50 ms", "p99 ms", "write IOPS", "MB/s", "p50 ms", "p99 ms"];
    let mut rows = vec![[&heads[..], &["dirty", "hits"]].concat().into_iter().map(String::from).collect::<Vec<_>>()];
    for volume in &status.volumes {
        let state = if volume.attached { volume.host_cache.name() } else { "detached" };
        let mut row = vec![volume.name.clone(), state.into(), grouped(volume.queue_depth as f64)];
        row.extend(op(&volume.reads));
        row.extend(op(&volume.writes));
        row.push(bytes(volume.dirty_bytes as f64));
        let hits = volume.hits_ram + volume.hits_ssd;
        let reads = hits + volume.misses;
        row.push(if reads == 0 { "-".into() } else { percent(hits as f64 * 100.0 / reads as f64) });
        rows.push(row);
    }
    Table::new(rows, &[0, 1])
}

fn op(op: &OpStatus) -> [String; 4] {
    let time = |ns: u64| if op.per_second > 0.0 { milliseconds(ns as f64) } else { "-".into() };
    let mb = mega(op.bytes_per_second, 1e6);
    [rate(op.per_second), mb, time(op.recent.p50_ns), time(op.recent.p99_ns)]
}

/// Requests per second, with a decimal where there are few.
pub(crate) fn rate(per_second: f64) -> String {
    if per_second > 0.0 && per_second < 9.95 { format!("{per_second:.1}") } else { grouped(per_second) }
}

fn faults(faults: &[ListedFault]) -> Table {
    let mut rows = vec![["fault", "where", "requests", "what", "struck"].map(String::from).to_vec()];
    for listed in faults {
        let fault = &listed.fault;
        let share = match fault.per_million {
            1_000_000 => String::new(),
            parts => format!("{} % of ", f64::from(parts) / 10_000.0),
        };
        let op = match fault.op {
            FaultOp::Any => "all",
            FaultOp::Read => "reads",
            FaultOp::Write => "writes",
            FaultOp::Trim => "trims",
            FaultOp::Flush => "flushes",
        };
        let range = fault.range.map_or(String::new(), |range| match range.len {
            u64::MAX => format!(" from {}", Bytes::new(range.offset)),
            len => format!(" in {} from {}", Bytes::new(len), Bytes::new(range.offset)),
        });
        rows.push(vec![
            listed.id.to_string(),
            fault.export.clone(),
            format!("{share}{op}{range}"),
            effect(&fault.effect),
            grouped(listed.struck as f64),
        ]);
    }
    Table::new(rows, &[0, 1, 2, 3])
}

fn effect(effect: &Effect) -> String {
    match effect {
        Effect::Latency { min_ns, max_ns } if min_ns == max_ns => format!("+{}", Duration::from_ns(*min_ns)),
        Effect::Latency { min_ns, max_ns } => {
            format!("+{} to {}", Duration::from_ns(*min_ns), Duration::from_ns(*max_ns))
        }
        Effect::Error { errno } => errno.name().into(),
        Effect::Stuck => "held".into(),
        Effect::TornWrite => "torn at a crash".into(),
    }
}

/// Whether the run is to be trusted, with each doubt, and how late completions were.
pub(crate) fn lateness(lateness: &LatenessStatus) -> String {
    let mut out = trust(lateness);
    if lateness.completions > 0 {
        let ms = |ns: u64| format!("{} ms", milliseconds(ns as f64));
        let (p50, p99, max) = (ms(lateness.p50_ns), ms(lateness.p99_ns), ms(lateness.max_ns));
        let _ = writeln!(out, "  completions are late by {p50} (median), {p99} (p99), {max} at most");
    }
    out
}

/// Whether the run is to be trusted, with each doubt.
pub(crate) fn trust(lateness: &LatenessStatus) -> String {
    let mut out = format!("{}\n", lateness.sentence);
    for doubt in &lateness.doubts {
        let _ = writeln!(out, "  {doubt}");
    }
    out
}

/// What this machine refused of the bytes; nothing where it refused nothing.
pub(crate) fn refused(host: &HostStatus) -> String {
    let kinds =
        [(host.no_space, "for lack of space", &host.no_space_first), (host.errors, "otherwise", &host.errors_first)];
    let said = kinds.into_iter().filter_map(|(count, why, first)| {
        let first = first.as_ref()?;
        Some(format!("{} times {why}, first {first}", grouped(count as f64)))
    });
    match said.collect::<Vec<_>>().join("; ") {
        said if said.is_empty() => said,
        said => format!("this machine could not store data {said}\n"),
    }
}

fn crashed(report: &CrashReport) -> String {
    let mut out = format!(
        "stopped at {}, {} requests outstanding\n",
        seconds(report.at_ns as f64 / 1e9),
        grouped(report.in_flight as f64)
    );
    if report.losses.is_empty() {
        out.push_str("nothing lost: every acknowledged write was durable\n");
    }
    for loss in &report.losses {
        out.push_str(&lost(loss));
    }
    let _ = writeln!(out, "{}", terms(report));
    out
}

/// What was asked for, so that it can be asked for again.
fn terms(report: &CrashReport) -> String {
    let (level, survivors) = (report.level.name(), report.survivors.name());
    format!("level {level}, survivors {survivors}, seed {}", report.seed)
}

fn lost(loss: &Loss) -> String {
    /// Ranges that fit a screen.
    const SHOWN: usize = 20;
    let torn = match loss.torn_writes {
        0 => String::new(),
        n => format!(", {} torn", grouped(n as f64)),
    };
    let (lost, volatile) = (bytes(loss.lost_bytes as f64), bytes(loss.volatile_bytes as f64));
    let (gone, at_risk) = (grouped(loss.lost_writes as f64), grouped(loss.volatile_writes as f64));
    let mut out =
        format!("{}: lost {lost} of {volatile} that were not durable, {gone} of {at_risk} writes{torn}\n", loss.export);
    for range in loss.ranges.iter().take(SHOWN) {
        let _ = writeln!(out, "  {} bytes at {}", grouped(range.len as f64), grouped(range.offset as f64));
    }
    let more = loss.ranges.len().saturating_sub(SHOWN) as u64 + loss.ranges_left_out;
    if more > 0 {
        let _ = writeln!(out, "  and {} ranges more", grouped(more as f64));
    }
    out
}

#[cfg(test)]
mod tests;
