//! What spoils a result: each doubt with its cause and the next step.

use diskwright::bench::doubts::{FEW_IOS, OTHERS};
use diskwright::figures;
use dw_emulator::lateness::is_noticed;
use dw_emulator::status::Status;
use dw_measure::machine::Machine;
use dw_measure::target::{Facts, Kind};
use dw_messages::{Figure, Sentence, say};
use dw_units::Duration;

use crate::bench::document::{Procedure, Scenario, Target, Warning, WarningKind};

/// Share of a file in the page cache, in percent.
const CACHED: f64 = 1.0;

fn warning(kind: WarningKind, scenario: Option<&str>, text: Sentence) -> Warning {
    Warning { kind, scenario: scenario.map(str::to_string), text }
}

/// What the machine and the targets say before anything runs.
pub fn before(machine: &Machine, targets: &[Target], procedure: &Procedure) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let slow: Vec<&String> =
        machine.governors.iter().filter(|g| !["performance", "schedutil"].contains(&g.as_str())).collect();
    if let Some(governor) = slow.first() {
        warnings.push(warning(WarningKind::Governor, None, say!(WarnGovernor { governor: *governor })));
    }
    let busy = machine.load_1min / f64::from(machine.processors);
    if busy > OTHERS * 5.0 {
        let load = Figure::decimal(machine.load_1min, 1, "");
        let text = say!(WarnLoad { load, processors: machine.processors });
        warnings.push(warning(WarningKind::OtherLoad, None, text));
    }
    for target in targets {
        let Some(facts) = &target.facts else { continue };
        warnings.extend(of_target(machine, &target.volume, facts, procedure));
    }
    warnings
}

fn of_target(machine: &Machine, volume: &str, facts: &Facts, procedure: &Procedure) -> Option<Warning> {
    if facts.kind == Kind::Emulated || facts.direct_io {
        return None;
    }
    let file_system = match &facts.file_system {
        Some(text) => say!(Plain { text }),
        None => say!(WarnThisFileSystem),
    };
    let size = (procedure.file_bytes < machine.memory_bytes).then(|| {
        let (file, memory) = (procedure.file_bytes as f64, machine.memory_bytes as f64);
        say!(WarnNoDirectSize { file: figures::bytes(file), memory: figures::bytes(memory) })
    });
    let text = say!(WarnNoDirect { volume, path: &facts.path, file_system, size });
    Some(warning(WarningKind::NoDirectIo, None, text))
}

/// What the page cache holds of a file that should be read from a disk.
pub fn page_cache(scenario: &str, target: &Target) -> Option<Warning> {
    let facts = target.facts.as_ref().filter(|f| f.kind == Kind::File)?;
    let percent = dw_measure::target::page_cache_percent(std::path::Path::new(&facts.path)).filter(|p| *p > CACHED)?;
    let share = Figure::decimal(percent, 0, "%");
    let text = say!(WarnPageCache { volume: &target.volume, share, path: &facts.path });
    Some(warning(WarningKind::PageCache, Some(scenario), text))
}

/// What the emulator doubts about a scenario, and where fio saw another latency than the emulator gave.
pub fn lateness(scenario: &Scenario, status: &Status, procedure: &Procedure) -> Vec<Warning> {
    let of = |doubt: Sentence| warning(WarningKind::Lateness, Some(&scenario.id), say!(WarnEmulator { doubt }));
    let mut warnings: Vec<Warning> = status.lateness.doubts.iter().cloned().map(of).collect();
    // What is not counted of a ramp by fio is counted by the emulator.
    for share in scenario.measured.iter().filter(|_| procedure.ramp_s == 0.0) {
        let Some(volume) = status.volumes.iter().find(|volume| volume.name == share.volume) else { continue };
        let given = if share.direction == "read" { &volume.reads } else { &volume.writes };
        let p99 = share.load.latency_ns.as_ref().and_then(|latency| latency.p99);
        let Some(seen) = p99.filter(|_| share.load.ios >= FEW_IOS) else { continue };
        let (given, seen) = (Duration::from_ns(given.latency.p99_ns), Duration::from_ns(seen));
        if given > Duration::ZERO && is_noticed(given, seen) {
            let (seen, given) = (figures::ms(seen.ns() as f64), figures::ms(given.ns() as f64));
            let (direction, volume) = (&share.direction, &share.volume);
            warnings.push(of(say!(WarnClientLate { seen, direction, volume, given })));
        }
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 8.6 ms by fio's clock where the status had 5.7 ms: whoever reads the result must know it.
    #[test]
    fn what_fio_saw_is_held_against_what_the_emulator_gave() {
        let latency = |p99: u64| {
            serde_json::json!({ "mean": 2e6, "p50": 2_000_000, "p90": 3_000_000, "p99": p99,
            "p99_9": 9_000_000, "max": 9_000_000 })
        };
        let check = |p99: u64, ios: u64, ramp_s: f64, doubts: &[&str]| {
            let scenario: Scenario = serde_json::from_value(serde_json::json!({
                "id": "s", "title": "s", "state": "done", "job": "", "predicted": [], "binding": [], "series": [],
                "measured": [{ "volume": "data", "direction": "read", "ios": ios, "bytes": ios * 4096, "iops": 100.0,
                    "bytes_per_s": 409_600.0, "latency_ns": latency(p99) }],
            }))
            .unwrap();
            let mut status = Status::default();
            status.lateness.doubts = doubts.iter().map(|text| say!(Plain { text: *text })).collect();
            let mut volume = crate::linux::top::sample().volumes[0].clone();
            volume.name = "data".into();
            volume.reads.latency.p99_ns = 5_700_000;
            status.volumes = vec![volume];
            let procedure = Procedure { measure_s: 30.0, ramp_s, file_bytes: 0, scaled: None, clients: Vec::new() };
            lateness(&scenario, &status, &procedure).into_iter().map(|w| w.text.text).collect::<Vec<_>>()
        };
        let told = check(8_600_000, 50_000, 0.0, &[]);
        assert!(
            told.len() == 1 && told[0].contains("fio saw a 99th percentile of 8.60 ms for the reads of data"),
            "{told:?}"
        );
        assert_eq!(check(6_200_000, 50_000, 0.0, &[]), Vec::<String>::new(), "within a tenth");
        assert_eq!(check(8_600_000, 500, 0.0, &[]), Vec::<String>::new(), "too few to have a percentile");
        assert_eq!(check(8_600_000, 50_000, 5.0, &[]), Vec::<String>::new(), "the ramp is counted by one of them only");
        assert_eq!(check(5_700_000, 50_000, 0.0, &["late"]), ["the emulator: late"]);
    }
}
