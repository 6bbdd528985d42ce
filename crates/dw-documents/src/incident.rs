//! Crashes and faults of an emulated disk, as scenarios, the command line and the control channel all have them.
//!
//! Ignores: what becomes of requests, which is the emulator's to say.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What stops in a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CrashLevel {
    /// The guest alone: the host and its cache go on, every acknowledged write is there.
    Guest,
    /// The host: what was only in its write-back cache is lost except for the survivors.
    Host,
    /// The VM is deallocated and starts elsewhere: disks keep what is durable, the temp disk is empty.
    Deallocate,
}

impl CrashLevel {
    /// From the mildest to the worst.
    pub const ALL: [CrashLevel; 3] = [CrashLevel::Guest, CrashLevel::Host, CrashLevel::Deallocate];

    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            CrashLevel::Guest => "guest",
            CrashLevel::Host => "host",
            CrashLevel::Deallocate => "deallocate",
        }
    }
}

/// Which writes that were not yet durable survive a crash of the host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Survivors {
    /// None of them.
    #[default]
    None,
    /// All of them.
    All,
    /// The oldest ones, up to a point that the seed chooses.
    Prefix,
    /// Each by the toss of a coin.
    Random,
    /// The same, and writes may be torn between sectors.
    RandomTorn,
}

impl Survivors {
    /// None first, then all, then those that a seed chooses.
    pub const ALL: [Survivors; 5] =
        [Survivors::None, Survivors::All, Survivors::Prefix, Survivors::Random, Survivors::RandomTorn];

    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Survivors::None => "none",
            Survivors::All => "all",
            Survivors::Prefix => "prefix",
            Survivors::Random => "random",
            Survivors::RandomTorn => "random-torn",
        }
    }
}

/// Something to go wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// The export: a volume (`data`: requests of its clients) or one of its disks (`data.0`: whatever reaches it).
    pub export: String,
    /// Which requests.
    #[serde(default)]
    pub op: FaultOp,
    /// Only requests that touch this range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<ByteRange>,
    /// How many of a million such requests. Default: all.
    #[serde(default = "all", skip_serializing_if = "is_all")]
    pub per_million: u32,
    /// Seed of its draws. Default 1.
    #[serde(default = "one")]
    pub seed: u64,
    /// What happens to them.
    pub effect: Effect,
}

/// A range of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ByteRange {
    /// First byte.
    pub offset: u64,
    /// Bytes.
    pub len: u64,
}

const MILLION: u32 = 1_000_000;

const fn all() -> u32 {
    MILLION
}

const fn is_all(per_million: &u32) -> bool {
    *per_million == MILLION
}

const fn one() -> u64 {
    1
}

/// Which requests a fault is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FaultOp {
    /// All.
    #[default]
    Any,
    /// Reads.
    Read,
    /// Writes, of zeroes too.
    Write,
    /// Trims.
    Trim,
    /// Flushes; ranges do not matter to them.
    Flush,
}

impl FaultOp {
    /// Any first, then each kind.
    pub const ALL: [FaultOp; 5] = [FaultOp::Any, FaultOp::Read, FaultOp::Write, FaultOp::Trim, FaultOp::Flush];

    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            FaultOp::Any => "any",
            FaultOp::Read => "read",
            FaultOp::Write => "write",
            FaultOp::Trim => "trim",
            FaultOp::Flush => "flush",
        }
    }
}

/// What happens to a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Effect {
    /// It takes longer than the model says, by a time drawn evenly between the two.
    Latency {
        /// At least.
        min_ns: u64,
        /// At most.
        max_ns: u64,
    },
    /// It fails when it would have been done.
    Error {
        /// How.
        errno: FaultErrno,
    },
    /// It is held until the fault is cleared.
    Stuck,
    /// If a crash comes while it is under way, a part of its sectors is written.
    TornWrite,
}

/// The error that a client sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum FaultErrno {
    /// EIO.
    #[serde(rename = "EIO")]
    Io,
    /// ENOSPC.
    #[serde(rename = "ENOSPC")]
    NoSpace,
}

impl FaultErrno {
    /// A failing disk, then a full one.
    pub const ALL: [FaultErrno; 2] = [FaultErrno::Io, FaultErrno::NoSpace];

    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            FaultErrno::Io => "EIO",
            FaultErrno::NoSpace => "ENOSPC",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use serde::Serialize;
    use serde::de::DeserializeOwned;

    use super::*;

    #[test]
    fn a_name_is_what_json_has() {
        fn check<T: Copy + Debug + PartialEq + Serialize + DeserializeOwned>(all: &[T], name: fn(T) -> &'static str) {
            for &value in all {
                assert_eq!(serde_json::to_value(value).unwrap(), name(value));
                assert_eq!(serde_json::from_value::<T>(name(value).into()).unwrap(), value);
            }
        }
        check(&CrashLevel::ALL, CrashLevel::name);
        check(&Survivors::ALL, Survivors::name);
        check(&FaultOp::ALL, FaultOp::name);
        check(&FaultErrno::ALL, FaultErrno::name);
    }
}
