//! The words of the command line, for the channel's own.

use clap::ValueEnum;
use clap::builder::TypedValueParser;
use dw_emulator::command::{CrashLevel, Survivors};
use dw_units::CacheMode;

use crate::choice;

/// A host-cache mode.
pub(super) fn cache_modes() -> impl TypedValueParser<Value = CacheMode> {
    let about = |mode| match mode {
        CacheMode::None => "Every request goes to the disk",
        CacheMode::ReadOnly => "Reads are cached, writes go through",
        CacheMode::ReadWrite => "Reads are cached, writes are done when in the cache",
    };
    choice::parser(CacheMode::ALL, CacheMode::name, about)
}

/// What stops in a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LevelWord {
    /// The guest alone: every acknowledged write is there
    Guest,
    /// The host: what was only in its write-back cache is lost
    Host,
    /// The VM, which starts elsewhere: the temp disk is empty too
    Deallocate,
}

impl From<LevelWord> for CrashLevel {
    fn from(word: LevelWord) -> Self {
        match word {
            LevelWord::Guest => CrashLevel::Guest,
            LevelWord::Host => CrashLevel::Host,
            LevelWord::Deallocate => CrashLevel::Deallocate,
        }
    }
}

/// Which writes that were not yet durable survive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SurvivorsWord {
    /// None of them
    None,
    /// All of them
    All,
    /// The oldest ones
    Prefix,
    /// Each by the toss of a coin
    Random,
    /// The same, and some in part
    RandomTorn,
}

impl From<SurvivorsWord> for Survivors {
    fn from(word: SurvivorsWord) -> Self {
        match word {
            SurvivorsWord::None => Survivors::None,
            SurvivorsWord::All => Survivors::All,
            SurvivorsWord::Prefix => Survivors::Prefix,
            SurvivorsWord::Random => Survivors::Random,
            SurvivorsWord::RandomTorn => Survivors::RandomTorn,
        }
    }
}
