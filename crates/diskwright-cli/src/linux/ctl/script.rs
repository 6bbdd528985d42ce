//! A scenario's timeline in the words of the control channel.

use dw_emulator::command::Command;
use dw_emulator::timeline::{Planned, Timeline};
use dw_formats::scenario::timeline::{Action, Event};
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
        Action::Crash(level, survivors, seed) => Command::Crash { level, survivors, seed },
        Action::Inject(fault) => Command::Inject { fault },
        Action::Clear(export) => Command::Clear { id: None, export },
        Action::ResetCounters => Command::ResetCounters,
        Action::Shutdown => Command::Shutdown,
    }
}
