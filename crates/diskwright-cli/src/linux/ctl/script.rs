//! A scenario's timeline in the words of the control channel.

use dw_emulator::command::{ByteRange, Command, CrashLevel, Survivors};
use dw_emulator::inject::{self, Effect, FaultErrno, FaultOp};
use dw_emulator::timeline::{Planned, Timeline};
use dw_formats::scenario::timeline::{self as file, Action, Event};
use dw_units::{Bytes, Iops, Throughput};

/// What the scenario wants done, when.
pub(crate) fn timeline(events: &[Event]) -> Timeline {
    let planned = |event: &Event| Planned { at: event.at, command: command(&event.action), line: event.line };
    Timeline::new(events.iter().map(planned).collect())
}

fn command(action: &Action) -> Command {
    match action.clone() {
        Action::Attach(volume) => Command::Attach { volume },
        Action::Detach(volume) => Command::Detach { volume },
        Action::Cache(volume, mode) => Command::Cache { volume, mode },
        Action::Resize(volume, disk, size) => Command::Resize { volume, disk, size_bytes: Bytes::get(size) },
        Action::Tier(volume, disk, iops, throughput) => {
            let bytes_per_second = throughput.map(Throughput::get);
            Command::Tier { volume, disk, iops: iops.map(Iops::get), bytes_per_second }
        }
        Action::Reboot => Command::Reboot,
        Action::Crash(at, who, seed) => Command::Crash { level: level(at), survivors: survivors(who), seed },
        Action::Inject(injection) => Command::Inject { fault: fault(injection) },
        Action::Clear(export) => Command::Clear { id: None, export },
        Action::ResetCounters => Command::ResetCounters,
        Action::Shutdown => Command::Shutdown,
    }
}

fn level(level: file::Level) -> CrashLevel {
    match level {
        file::Level::Guest => CrashLevel::Guest,
        file::Level::Host => CrashLevel::Host,
        file::Level::Deallocate => CrashLevel::Deallocate,
    }
}

fn survivors(survivors: file::Survivors) -> Survivors {
    match survivors {
        file::Survivors::None => Survivors::None,
        file::Survivors::All => Survivors::All,
        file::Survivors::Prefix => Survivors::Prefix,
        file::Survivors::Random => Survivors::Random,
        file::Survivors::RandomTorn => Survivors::RandomTorn,
    }
}

fn fault(injection: file::Injection) -> inject::Fault {
    let op = match injection.op {
        file::StruckOp::Any => FaultOp::Any,
        file::StruckOp::Read => FaultOp::Read,
        file::StruckOp::Write => FaultOp::Write,
        file::StruckOp::Trim => FaultOp::Trim,
        file::StruckOp::Flush => FaultOp::Flush,
    };
    let effect = match injection.fault {
        file::Fault::Latency(from, to) => Effect::Latency { min_ns: from.ns(), max_ns: to.ns() },
        file::Fault::InputOutput => Effect::Error { errno: FaultErrno::Io },
        file::Fault::NoSpace => Effect::Error { errno: FaultErrno::NoSpace },
        file::Fault::Stuck => Effect::Stuck,
        file::Fault::TornWrite => Effect::TornWrite,
    };
    let range = injection.range.map(|(offset, len)| ByteRange { offset, len });
    inject::Fault {
        export: injection.export,
        op,
        range,
        per_million: injection.per_million,
        seed: injection.seed,
        effect,
    }
}
