//! How near each limit was: used, available, headroom.
//!
//! `available = min(burst, sustained + credits at the start / time)`: a limit that bursts had its credits on top.
//! `headroom = 1 − used / available`, of the busiest disk when a volume has several: a stripe stops there.
//!
//! Ignores: credits earned during the run by idling below the sustained rate; they would only add headroom.

use std::collections::BTreeMap;

use dw_documents::{Direction, LimitId, Names, Quantity};
use dw_formats::scenario::Scenario;
use dw_sim::RunResult;
use dw_stack::{Gate, LimitTally, Stage};
use dw_units::Duration;
use dw_workload::Workload;

use super::summary::LimitLine;

/// Credits that a run spends more slowly than this share of the sustained rate are not being spent.
const SPENDS: f64 = 1e-3;
/// Shorter than this nothing is known.
const NO_TIME: f64 = 1e-9;

/// The order of lines: the VM's gates, then each volume's disks, limits in path order, those of one direction last.
type Place = (Option<u16>, Option<u8>, Stage, Option<Direction>);

/// One line for each limit of the VM that exists, then one for each limit of each volume's disks.
pub(super) fn lines(scenario: &Scenario, result: &RunResult) -> Vec<LimitLine> {
    lines_of(scenario, &result.tally.limits, result.counted_time.ns() as f64 / 1e9)
}

fn lines_of(scenario: &Scenario, limits: &[LimitTally], seconds: f64) -> Vec<LimitLine> {
    let mut groups: BTreeMap<Place, Vec<&LimitTally>> = BTreeMap::new();
    for tally in limits {
        let (volume, gate, only) = match tally.id.gate {
            Gate::Vm(gate) => (None, Some(gate.0), None),
            Gate::Disk { volume, only, .. } => (Some(volume.0), None, only),
        };
        groups.entry((volume, gate, tally.stage, only)).or_default().push(tally);
    }
    let names = Names::from_stack(&scenario.stack);
    groups.into_iter().map(|((volume, ..), rows)| line(scenario, &names, volume, &rows, seconds)).collect()
}

fn line(scenario: &Scenario, names: &Names, volume: Option<u16>, rows: &[&LimitTally], seconds: f64) -> LimitLine {
    let volume = volume.map(|v| &scenario.volumes[usize::from(v)]);
    let id = names.id(rows[0].id);
    let used = |row: &LimitTally| used(row, seconds);
    let waiting = |row: &&LimitTally| {
        if seconds > NO_TIME { (row.binding.ns() as f64 / 1e7 / seconds).clamp(0.0, 100.0) } else { 0.0 }
    };
    let bursts = rows.iter().any(|r| r.burst_rate.is_some());
    let out = rows.iter().filter_map(|r| credits_out(r, seconds)).min_by(|a, b| a.0.total_cmp(&b.0));
    LimitLine {
        limit: id.name(),
        place: volume.map_or("vm".to_string(), |v| v.name.clone()),
        disks: volume.map(|v| v.disks.clone()),
        unit: if id.quantity == Quantity::Iops { "IOPS" } else { "B/s" }.to_string(),
        sustained: rows.iter().map(|r| r.rate).sum(),
        burst: bursts.then(|| rows.iter().map(|r| r.burst_rate.unwrap_or(r.rate)).sum()),
        available: rows.iter().map(|r| available(r, seconds)).sum(),
        used: rows.iter().map(|r| used(r)).sum(),
        headroom_percent: rows.iter().map(|row| headroom_percent(row, seconds)).fold(100.0, f64::min),
        while_ran: None,
        waiting_percent: rows.iter().map(waiting).fold(0.0, f64::max),
        credits_left: bursts.then(|| rows.iter().filter_map(|r| r.credits).sum()),
        credits_max: bursts.then(|| rows.iter().filter_map(|r| r.credits_max).sum()),
        credits_out_s: out.map(|out| out.0),
        credits_out_seen: out.map(|out| out.1),
        holds: Vec::new(),
        id,
    }
}

/// Where jobs ran one after the other: each limit as it was in the phase that left least of it, with the jobs of that phase. A mean over
/// phases is a rate that no limit ever saw.
pub(super) fn in_busiest_phase(scenario: &Scenario, workload: &Workload, result: &RunResult, lines: &mut [LimitLine]) {
    if result.phases.len() < 2 {
        return;
    }
    let phases = result.phases.iter().filter(|phase| phase.time > Duration::ZERO);
    let phases: Vec<(u32, Vec<LimitLine>)> =
        phases.map(|phase| (phase.phase, lines_of(scenario, &phase.limits, phase.time.ns() as f64 / 1e9))).collect();
    for line in lines {
        let own = phases.iter().filter_map(|(phase, of)| Some((*phase, of.iter().find(|own| own.id == line.id)?)));
        let Some((phase, busiest)) = own.min_by(|a, b| a.1.headroom_percent.total_cmp(&b.1.headroom_percent)) else {
            continue;
        };
        (line.used, line.available) = (busiest.used, busiest.available);
        (line.headroom_percent, line.waiting_percent) = (busiest.headroom_percent, busiest.waiting_percent);
        line.while_ran = (busiest.used > 0.0).then(|| jobs_of(workload, phase));
    }
}

/// `one`, `one and 2 more`.
fn jobs_of(workload: &Workload, phase: u32) -> String {
    let mut names: Vec<&str> =
        workload.jobs.iter().filter(|job| job.phase == phase).map(|job| job.name.as_str()).collect();
    names.dedup();
    match names.as_slice() {
        [] => String::new(),
        [one] => one.to_string(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    }
}

/// What was left of a limit over other seconds than those of the run, in percent; of the busiest disk.
pub(super) fn headroom_over(names: &Names, result: &RunResult, id: &LimitId, seconds: f64) -> f64 {
    let rows = result.tally.limits.iter().filter(|row| names.id(row.id) == *id);
    rows.map(|row| headroom_percent(row, seconds)).fold(100.0, f64::min)
}

fn headroom_percent(row: &LimitTally, seconds: f64) -> f64 {
    100.0 * (1.0 - used(row, seconds) / available(row, seconds)).clamp(0.0, 1.0)
}

/// What a limit let pass, a second on average.
fn used(row: &LimitTally, seconds: f64) -> f64 {
    if seconds > NO_TIME { row.granted as f64 / seconds } else { 0.0 }
}

/// What a limit could have let pass, a second on average.
fn available(row: &LimitTally, seconds: f64) -> f64 {
    let sustained = row.rate as f64;
    match (row.burst_rate, row.credits_before) {
        (Some(burst), Some(credits)) if seconds > NO_TIME => (burst as f64).min(sustained + credits as f64 / seconds),
        _ => sustained,
    }
}

/// When the credits ran out, in seconds from the start of the count, and that it was seen; else when they run out if the demand
/// of this run goes on: `credits at the start ÷ (granted − sustained)`. Nothing where there were none or none are spent.
fn credits_out(row: &LimitTally, seconds: f64) -> Option<(f64, bool)> {
    let before = row.credits_before.filter(|&credits| credits > 0)?;
    if let Some(at) = row.credits_out {
        return Some((at.ns() as f64 / 1e9, true));
    }
    let spent = before.saturating_sub(row.credits?) as f64;
    (seconds > NO_TIME && spent > SPENDS * row.rate as f64 * seconds).then(|| (before as f64 / spent * seconds, false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dw_stack::VolumeId;

    fn p10(granted: u64, credits: u64, binding_s: u64) -> LimitTally {
        LimitTally {
            id: dw_stack::LimitId {
                gate: Gate::Disk { volume: VolumeId(0), disk: 0, only: None },
                quantity: dw_stack::Quantity::Iops,
            },
            stage: Stage::DiskIops,
            rate: 500,
            burst_rate: Some(3_500),
            credits_max: Some(5_400_000),
            credits_before: Some(5_400_000),
            credits: Some(credits),
            credits_out: None,
            granted,
            binding: Duration::from_secs(binding_s),
            waited: 0,
            waited_by: Vec::new(),
        }
    }

    /// The credits were gone when counting began, whether the run began so or its ramp spent them.
    fn spent(row: LimitTally) -> LimitTally {
        LimitTally { credits_before: Some(0), ..row }
    }

    #[test]
    fn credits_are_part_of_what_was_available() {
        assert_eq!(available(&p10(0, 0, 0), 60.0), 3_500.0);
        assert_eq!(available(&p10(0, 0, 0), 3_600.0), 500.0 + 1_500.0);
        assert_eq!(available(&spent(p10(0, 0, 0)), 3_600.0), 500.0);
    }

    #[test]
    fn the_moment_credits_run_out_is_the_one_seen_or_follows_from_what_is_spent() {
        let full = |credits| p10(0, credits, 0);
        let seen = |s| LimitTally { credits_out: Some(Duration::from_secs(s)), ..full(0) };
        assert_eq!(credits_out(&seen(1_800), 2_400.0), Some((1_800.0, true)));
        // 2,000 a second for 600 s spend 1,500 a second: an hour in all.
        assert_eq!(credits_out(&full(4_500_000), 600.0), Some((3_600.0, false)));
        assert_eq!(credits_out(&full(5_400_000), 600.0), None, "none are spent");
        assert_eq!(credits_out(&full(5_399_999), 600.0), None, "one request is under way");
        assert_eq!(credits_out(&spent(full(0)), 2_400.0), None, "there were none to begin with");
    }
}
