//! `ctl inject`: faults as they are typed.

use clap::{Args, Subcommand};
use dw_emulator::command::{ByteRange, Command};
use dw_emulator::inject::{Effect, Fault, FaultErrno, FaultOp};
use dw_units::{Bytes, Duration};

use super::words;
use crate::amounts;

/// What to do about faults.
#[derive(Debug, Subcommand)]
pub enum InjectArgs {
    /// Add latency to requests
    Latency {
        /// A volume, or one of its disks: data.0
        export: String,
        /// Added latency: 5ms, or a random value in 2ms..20ms
        #[arg(value_parser = latency)]
        time: (Duration, Duration),
        /// Requests affected
        #[command(flatten)]
        which: Which,
    },
    /// Fail requests
    Error {
        /// A volume, or one of its disks: data.0
        export: String,
        /// Kind of failure
        #[arg(long, value_parser = words::errnos(), default_value = "EIO", ignore_case = true)]
        errno: FaultErrno,
        /// Requests affected
        #[command(flatten)]
        which: Which,
    },
    /// Hold requests until the fault is cleared
    Stuck {
        /// A volume, or one of its disks: data.0
        export: String,
        /// Requests affected
        #[command(flatten)]
        which: Which,
    },
    /// Let a crash tear outstanding writes
    TornWrite {
        /// A volume, or one of its disks: data.0
        export: String,
        /// Requests affected
        #[command(flatten)]
        which: Which,
    },
    /// List the injected faults
    List,
    /// Clear faults, and release the requests they held
    Clear {
        /// Number of the fault; default: all
        #[arg(value_parser = amounts::whole::<u32>(0, u64::from(u32::MAX)))]
        id: Option<u32>,
        /// Only those of this volume or disk
        #[arg(long, value_name = "EXPORT", conflicts_with = "id")]
        export: Option<String>,
    },
}

/// Which requests a fault strikes.
#[derive(Debug, Args)]
pub struct Which {
    /// Kind of request
    #[arg(long, value_parser = words::ops(), default_value = "any")]
    op: FaultOp,
    /// Start of the affected range: 10GiB
    #[arg(long, value_name = "SIZE")]
    offset: Option<Bytes>,
    /// Length of the affected range
    #[arg(long, value_name = "SIZE")]
    len: Option<Bytes>,
    /// Share of these requests affected: 1%
    #[arg(long, value_name = "PERCENT", default_value = "100%", value_parser = share, allow_hyphen_values = true)]
    share: u32,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = amounts::whole::<u64>(0, u64::MAX))]
    seed: u64,
}

impl InjectArgs {
    /// As the channel says it.
    pub fn command(&self) -> Command {
        let (export, which, effect) = match self {
            InjectArgs::Latency { export, time, which } => {
                (export, which, Effect::Latency { min_ns: time.0.ns(), max_ns: time.1.ns() })
            }
            InjectArgs::Error { export, errno, which } => (export, which, Effect::Error { errno: *errno }),
            InjectArgs::Stuck { export, which } => (export, which, Effect::Stuck),
            InjectArgs::TornWrite { export, which } => (export, which, Effect::TornWrite),
            InjectArgs::List => return Command::Faults,
            InjectArgs::Clear { id, export } => return Command::Clear { id: *id, export: export.clone() },
        };
        Command::Inject { fault: which.fault(export.clone(), effect) }
    }
}

impl Which {
    fn fault(&self, export: String, effect: Effect) -> Fault {
        let range = (self.offset.is_some() || self.len.is_some()).then_some(ByteRange {
            offset: self.offset.map_or(0, Bytes::get),
            len: self.len.map_or(u64::MAX, Bytes::get),
        });
        Fault { export, op: self.op, range, per_million: self.share, seed: self.seed, effect }
    }
}

/// `5ms` or `2ms..20ms`.
fn latency(text: &str) -> Result<(Duration, Duration), String> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let read = |text: &str| text.parse::<Duration>().map_err(|e| e.to_string());
    let (from, to) = (read(from)?, read(to)?);
    if from > to { Err(format!("`{from}` is longer than `{to}`: write the shorter one first")) } else { Ok((from, to)) }
}

/// A percentage as parts of a million.
fn share(text: &str) -> Result<u32, String> {
    match (amounts::percent(text)? * 10_000.0).round() {
        parts if (1.0..=1_000_000.0).contains(&parts) => Ok(parts as u32),
        _ => Err("write a percentage from 0.0001% to 100%, for example 1%".into()),
    }
}
