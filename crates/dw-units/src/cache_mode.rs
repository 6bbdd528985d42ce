//! How a host cache treats a volume, and the one reader of its words.

use core::fmt;
use core::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A host-cache mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "CacheName")]
pub enum CacheMode {
    /// Every request goes to the disk.
    #[default]
    None,
    /// Reads are cached, writes go through.
    ReadOnly,
    /// Reads are cached, writes are done when in the cache.
    ReadWrite,
}

impl CacheMode {
    /// From the safest to the fastest.
    pub const ALL: [CacheMode; 3] = [CacheMode::None, CacheMode::ReadOnly, CacheMode::ReadWrite];

    /// As files, documents and vendors write it.
    pub const fn name(self) -> &'static str {
        match self {
            CacheMode::None => "None",
            CacheMode::ReadOnly => "ReadOnly",
            CacheMode::ReadWrite => "ReadWrite",
        }
    }
}

impl fmt::Display for CacheMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for CacheMode {
    type Err = ParseCacheModeError;

    /// Capitals do not matter.
    fn from_str(text: &str) -> Result<CacheMode, ParseCacheModeError> {
        let named = |mode: &CacheMode| mode.name().eq_ignore_ascii_case(text);
        CacheMode::ALL.into_iter().find(named).ok_or(ParseCacheModeError)
    }
}

/// The text is no host-cache mode; printed, it says what is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseCacheModeError;

impl fmt::Display for ParseCacheModeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [none, read_only, read_write] = CacheMode::ALL.map(CacheMode::name);
        write!(f, "write `{none}`, `{read_only}` or `{read_write}`")
    }
}

impl core::error::Error for ParseCacheModeError {}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn words_are_read_back_in_any_capitals_and_an_error_lists_them() {
        for mode in CacheMode::ALL {
            assert_eq!(mode.to_string().parse(), Ok(mode));
            assert_eq!(mode.name().to_ascii_lowercase().parse(), Ok(mode));
        }
        for text in ["", "none ", "read-only", "WriteBack"] {
            assert_eq!(text.parse::<CacheMode>(), Err(ParseCacheModeError), "{text}");
        }
        assert_eq!(ParseCacheModeError.to_string(), "write `None`, `ReadOnly` or `ReadWrite`");
    }
}
