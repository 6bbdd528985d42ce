//! `diskwright ctl`: a word with a running emulation. One command, one answer, in text or as it came (JSON).

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use dw_emulator::command::{Answer, Command, CrashLevel, Survivors};
use dw_emulator::control::client::Client;
use dw_error::{Error, Result};
use dw_units::{Bytes, CacheMode, Duration, Throughput};

use crate::catalogue::Format;
use crate::exit::Exit;
use crate::report::Text;
use crate::slow;
use crate::{amounts, output};

mod fault;
pub(crate) mod script;
mod text;
pub(crate) mod throttled;
mod words;

use fault::InjectArgs;
pub(crate) use text::{available, limit_name, rate, trust};
pub(crate) use text::{lateness, refused};

const EXAMPLES: &str =
    "`diskwright emulate` prints its control socket at its start: the --socket path plus `.control`, or the --control path.

Examples:
  diskwright ctl --socket /tmp/rig.sock.control status
  diskwright ctl --socket /tmp/rig.sock.control crash --level host --survivors random --seed 7
  diskwright ctl --socket /tmp/rig.sock.control inject latency data.0 2ms..20ms --op read
  diskwright ctl --socket /tmp/rig.sock.control status --format json | jq '.volumes[].queue_depth'

Exit codes: 0 done, 2 usage, 3 no such volume or a wrong value, 9 no emulation answers there, 10 refused
(docs/guide/exit-codes.md).";

/// Options of `ctl`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CtlArgs {
    /// Control socket of the emulation
    #[arg(long, global = true, value_name = "CONTROL", env = "DISKWRIGHT_CONTROL")]
    pub socket: Option<PathBuf>,
    /// Output format
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORMAT", conflicts_with = "json")]
    pub format: Format,
    /// Same as `--format json`
    #[arg(long, global = true, hide = true)]
    pub json: bool,
    /// Maximum time to wait for an answer
    #[arg(long, global = true, value_name = "TIME", default_value = "60s", value_parser = amounts::duration)]
    pub wait: Duration,
    /// What to say.
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to say.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Show limits, volumes, faults, and whether this machine keeps up
    Status,
    /// Restart the VM cleanly: flush everything, then empty the host cache
    Reboot,
    /// Stop all disks at the same instant, and report the lost writes
    Crash {
        /// Part that fails
        #[arg(long, value_parser = words::levels(), default_value = "host")]
        level: CrashLevel,
        /// Non-durable writes that survive
        #[arg(long, value_parser = words::survivors(), default_value = "none")]
        survivors: Survivors,
        /// Random seed for that choice
        #[arg(long, default_value_t = 1, value_name = "N", value_parser = amounts::whole::<u64>(0, u64::MAX))]
        seed: u64,
    },
    /// Attach a detached volume
    Attach {
        /// The volume
        volume: String,
    },
    /// Flush and detach a volume
    Detach {
        /// The volume
        volume: String,
    },
    /// Change the host-cache mode of a volume
    Cache {
        /// The volume
        volume: String,
        /// The new mode
        #[arg(value_parser = words::cache_modes(), ignore_case = true)]
        mode: CacheMode,
    },
    /// Enlarge disks
    Resize {
        /// The volume
        volume: String,
        /// New size of the disk, such as 2TiB
        size: Bytes,
        /// Disk of the volume, from 0; default: all
        #[arg(long, value_name = "N", value_parser = amounts::whole::<u16>(0, 65_535))]
        disk: Option<u16>,
    },
    /// Change the limits of disks
    #[command(group = clap::ArgGroup::new("limits").required(true).multiple(true).args(["to", "iops", "throughput"]))]
    Tier {
        /// The volume
        volume: String,
        /// Take the limits of this disk of the catalogue, such as P50
        #[arg(long, value_name = "DISK")]
        to: Option<String>,
        /// I/Os per second
        #[arg(long, value_name = "N", value_parser = amounts::whole::<u64>(1, u64::MAX))]
        iops: Option<u64>,
        /// Bytes per second, such as 250MB/s
        #[arg(long, value_name = "RATE")]
        throughput: Option<Throughput>,
        /// Disk of the volume, from 0; default: all
        #[arg(long, value_name = "N", value_parser = amounts::whole::<u16>(0, 65_535))]
        disk: Option<u16>,
    },
    /// Pause the model's time: nothing completes until `resume`
    Pause,
    /// Resume the model's time
    Resume,
    /// Inject, list or clear faults
    #[command(subcommand)]
    Inject(InjectArgs),
    /// Append a mark to the `--log-writes` logs
    Mark {
        /// Name of the mark
        name: String,
    },
    /// Reset the counters
    Reset,
    /// Make everything durable and stop the emulation
    Shutdown,
}

/// Says it, and prints what comes back.
pub fn run(args: &CtlArgs, out: &mut dyn Write) -> Result<Exit> {
    let command = command(&args.verb)?;
    // clap does not let a global option be required.
    let socket = named(args.socket.as_deref())?;
    let mut client = connect(socket, args.wait)?;
    let waiting = format!("waiting for an answer from {}, {} at most", socket.display(), args.wait);
    let answer = slow::told(&waiting, || client.call(&command))?;
    let text = if args.json || args.format == Format::Json {
        Text::verbatim(json(&answer))
    } else {
        text::answer(&command, &answer)
    };
    output::show(&text, None, out)?;
    Ok(Exit::Ok)
}

/// The control socket that was named; without one those that somebody listens on are shown, and none is taken: a command may crash it.
pub(crate) fn named(socket: Option<&Path>) -> Result<&Path> {
    socket.ok_or_else(|| {
        let hint = match listening(&std::fs::read_to_string("/proc/net/unix").unwrap_or_default()).as_slice() {
            [] => "give `--socket` with the control socket that `diskwright emulate` prints, or set `DISKWRIGHT_CONTROL` to it"
                .to_string(),
            [only] => format!("one is running: give `--socket {only}`, or set `DISKWRIGHT_CONTROL` to it"),
            several => format!("give `--socket` with one of the running ones: {}", several.join(", ")),
        };
        Error::usage("no control socket is given").hint(hint)
    })
}

/// What an emulation appends to the path of its clients' socket for its control socket.
const CONTROL: &str = ".control";

/// The control socket beside the clients' socket.
pub(crate) fn control_beside(socket: &Path) -> PathBuf {
    let mut path = socket.as_os_str().to_owned();
    path.push(CONTROL);
    PathBuf::from(path)
}

/// The control sockets among those of the kernel's table that are listened on, by the name that an emulation gives its own.
fn listening(table: &str) -> Vec<&str> {
    const LISTENS: &str = "00010000";
    let listens = |line: &&str| line.split_ascii_whitespace().nth(3) == Some(LISTENS);
    let paths = table.lines().filter(listens).filter_map(|line| line.find('/').map(|at| line[at..].trim_end()));
    paths.filter(|path| path.ends_with(CONTROL)).collect()
}

/// A connection to the emulation; the path of its clients' socket will do.
pub(crate) fn connect(socket: &Path, patience: Duration) -> Result<Client> {
    let beside = control_beside(socket);
    let path = if beside.exists() { &beside } else { socket };
    Ok(Client::connect(path, std::time::Duration::from_nanos(patience.ns()))?)
}

/// A command and its answer, both as JSON.
type Say = Box<dyn FnMut(&serde_json::Value) -> Result<serde_json::Value> + Send>;

/// Connects the studio, which passes JSON on, as often as it asks; each answer may take the time that it gives. A result, because
/// [`crate::absent::ctl::relay`] refuses it.
pub fn relay(socket: &Path) -> Result<Arc<dyn Fn(std::time::Duration) -> Result<Say> + Send + Sync>> {
    let socket = socket.to_path_buf();
    Ok(Arc::new(move |patience: std::time::Duration| -> Result<Say> {
        let patience = Duration::from_ns(u64::try_from(patience.as_nanos()).unwrap_or(u64::MAX));
        let mut client = connect(&socket, patience)?;
        Ok(Box::new(move |command| {
            let wrong = |e: serde_json::Error| Error::usage(format!("the emulation has no such command: {e}"));
            let command: Command = serde_json::from_value(command.clone()).map_err(wrong)?;
            let answer = client.call(&command)?;
            serde_json::to_value(&answer).map_err(|e| Error::unexpected(e.to_string()))
        }))
    }))
}

/// The answer without its wrapping: for `status` the figures themselves.
fn json(answer: &Answer) -> String {
    let value = match answer {
        Answer::Status { status } => serde_json::to_string_pretty(status),
        other => serde_json::to_string_pretty(other),
    };
    format!("{}\n", value.unwrap_or_default())
}

fn command(verb: &Verb) -> Result<Command> {
    Ok(match verb {
        Verb::Status => Command::Status,
        Verb::Reboot => Command::Reboot,
        Verb::Crash { level, survivors, seed } => Command::Crash { level: *level, survivors: *survivors, seed: *seed },
        Verb::Attach { volume } => Command::Attach { volume: volume.clone() },
        Verb::Detach { volume } => Command::Detach { volume: volume.clone() },
        Verb::Cache { volume, mode } => Command::Cache { volume: volume.clone(), mode: *mode },
        Verb::Resize { volume, size, disk } => {
            Command::Resize { volume: volume.clone(), disk: *disk, size_bytes: size.get() }
        }
        Verb::Tier { volume, to, iops, throughput, disk } => {
            if let (Some(to), true, true) = (to, iops.is_some(), throughput.is_some()) {
                let what = format!("`--to {to}` has no effect: `--iops` and `--throughput` are both given");
                return Err(Error::usage(what).hint("remove it, or one of the other two"));
            }
            let (of_iops, of_throughput) = to.as_deref().map_or(Ok((None, None)), limits)?;
            let bytes_per_second = throughput.map(Throughput::get).or(of_throughput);
            Command::Tier { volume: volume.clone(), disk: *disk, iops: iops.or(of_iops), bytes_per_second }
        }
        Verb::Pause => Command::Pause,
        Verb::Resume => Command::Resume,
        Verb::Inject(inject) => inject.command(),
        Verb::Mark { name } => Command::Mark { name: name.clone() },
        Verb::Reset => Command::ResetCounters,
        Verb::Shutdown => Command::Shutdown,
    })
}

/// The limits of a disk of the catalogue.
fn limits(sku: &str) -> Result<(Option<u64>, Option<u64>)> {
    let refuse = |what: String, hint: String| Error::input(what).hint(hint);
    crate::in_use::read_layer()?;
    let catalogue = crate::in_use::catalogue();
    let offer = catalogue.disk(sku, None).map_err(|e| refuse(e.to_string(), e.hint()))?;
    let spec = offer.disk_spec(&offer.sku, &Default::default());
    let limits = spec.map_err(|e| refuse(e.what, "use `--iops` and `--throughput` instead".into()))?.limits;
    Ok((limits.iops.map(|rate| rate.rate), limits.throughput.map(|rate| rate.rate)))
}

/// The JSON Schema of the control channel: what may be sent as a line, and what comes back.
pub fn schema() -> serde_json::Value {
    /// A conversation: each line to the control socket is a `request`, each line from it a `response`.
    #[derive(schemars::JsonSchema)]
    #[schemars(title = "diskwright control channel", rename = "Control")]
    #[expect(dead_code, reason = "a shape for the schema alone")]
    struct Control {
        /// A line to the emulation.
        request: Command,
        /// The line that answers it.
        response: dw_emulator::control::socket::Response,
    }
    schemars::schema_for!(Control).to_value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn emulations_that_run_are_those_whose_control_sockets_are_listened_on() {
        let table = "Num       RefCount Protocol Flags    Type St Inode Path\n\
            0: 00000002 00000000 00010000 0001 01 1 /tmp/rig.sock.control\n\
            1: 00000002 00000000 00010000 0001 01 2 /tmp/rig.sock\n\
            2: 00000003 00000000 00000000 0001 03 3 /tmp/other.control\n\
            3: 00000002 00000000 00010000 0001 01 4 @abstract.control\n";
        assert_eq!(listening(table), ["/tmp/rig.sock.control"]);
    }
}
