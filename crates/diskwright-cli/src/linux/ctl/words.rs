//! The words of the control channel on the command line, with what help says of each.

use clap::builder::TypedValueParser;
use dw_emulator::command::{CrashLevel, Survivors};
use dw_emulator::inject::{FaultErrno, FaultOp};
use dw_units::CacheMode;

use crate::choice;

/// A host-cache mode.
pub(super) fn cache_modes() -> impl TypedValueParser<Value = CacheMode> {
    let about = |mode| match mode {
        CacheMode::None => "Every request goes to the disk",
        CacheMode::ReadOnly => "Reads are cached, writes go to the disk",
        CacheMode::ReadWrite => "Reads are cached, writes complete once they are in the cache",
    };
    choice::parser(CacheMode::ALL, CacheMode::name, about)
}

/// What stops in a crash.
pub(super) fn levels() -> impl TypedValueParser<Value = CrashLevel> {
    let about = |level| match level {
        CrashLevel::Guest => "The guest only: no acknowledged write is lost",
        CrashLevel::Host => "The host: writes that are only in its write-back cache are lost",
        CrashLevel::Deallocate => "The VM moves to another host: the temp disk is lost as well",
    };
    choice::parser(CrashLevel::ALL, CrashLevel::name, about)
}

/// Which writes that were not yet durable survive.
pub(super) fn survivors() -> impl TypedValueParser<Value = Survivors> {
    let about = |survivors| match survivors {
        Survivors::None => "None of them",
        Survivors::All => "All of them",
        Survivors::Prefix => "The oldest ones",
        Survivors::Random => "Each with a probability of one half",
        Survivors::RandomTorn => "As `random`, and some only in part",
    };
    choice::parser(Survivors::ALL, Survivors::name, about)
}

/// Which requests a fault is for.
pub(super) fn ops() -> impl TypedValueParser<Value = FaultOp> {
    let about = |op| match op {
        FaultOp::Any => "All",
        FaultOp::Read => "Reads",
        FaultOp::Write => "Writes",
        FaultOp::Trim => "Trims",
        FaultOp::Flush => "Flushes",
    };
    choice::parser(FaultOp::ALL, FaultOp::name, about)
}

/// The error that a client sees.
pub(super) fn errnos() -> impl TypedValueParser<Value = FaultErrno> {
    let about = |errno| match errno {
        FaultErrno::Io => "Input/output error",
        FaultErrno::NoSpace => "No space left on device",
    };
    choice::parser(FaultErrno::ALL, FaultErrno::name, about)
}
