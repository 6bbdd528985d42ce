//! The small file next to a disk's bytes that says what they are: `<disk>.json`.
//!
//! ```text
//!  {"what": "diskwright disk", "version": 2, "disk": "data.0", "size": 1099511627776, "scenario": "rig.toml",
//!   "member": {"disks": 2, "stripe_unit": 65536}, "checksum": "…"}
//! ```
//!
//! Version 1 has no `member`: the next start notes the one of its scenario.
//!
//! The checksum is FNV-1a (64 bits) over the other values; it notices a hand that changed the file, not an attacker.
//! A header is written to a file of its own and renamed over the old one, so that a reader sees the old or the new.
//!
//! Ignores: the bytes of the disk. Nothing is ever written among them.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Member, StoreError};

/// The newest version that this program reads, and writes where it knows of what volume the disk is.
pub(super) const VERSION: u32 = 2;
const WITHOUT_MEMBER: u32 = 1;
const WHAT: &str = "diskwright disk";

/// What a disk's file holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    what: String,
    pub(super) version: u32,
    pub(super) disk: String,
    pub(super) size: u64,
    /// The scenario that used it last; for people.
    pub(super) scenario: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) member: Option<Member>,
    checksum: String,
}

impl Header {
    pub(super) fn new(disk: &str, size: u64, scenario: &str, member: Option<Member>) -> Header {
        let mut header = Header {
            what: WHAT.into(),
            version: if member.is_some() { VERSION } else { WITHOUT_MEMBER },
            disk: disk.into(),
            size,
            scenario: scenario.into(),
            member,
            checksum: String::new(),
        };
        header.checksum = header.sum();
        header
    }

    /// The checksum that these values should have.
    fn sum(&self) -> String {
        let mut text = format!("{}\0{}\0{}\0{}\0{}", self.what, self.version, self.disk, self.size, self.scenario);
        if let Some(member) = self.member {
            text.push_str(&format!("\0{}\0{}", member.disks, member.stripe_unit));
        }
        let fnv = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, fnv))
    }

    /// Reads a header; `None` when there is none.
    pub(super) fn read(path: &Path) -> Result<Option<Header>, StoreError> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Err(StoreError::Damaged { path: path.into(), why: "it is not text".into() });
            }
            Err(error) => return Err(StoreError::io(path, error)),
        };
        // The version first: a newer header may have other fields.
        #[derive(Deserialize)]
        struct Version {
            what: String,
            version: u32,
        }
        let damaged = |why: String| StoreError::Damaged { path: path.into(), why };
        let version: Version = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        if version.what != WHAT {
            return Err(damaged(format!("it describes a `{}`", version.what)));
        }
        if version.version > VERSION {
            return Err(StoreError::Newer { path: path.into(), version: version.version });
        }
        let header: Header = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        if header.checksum != header.sum() {
            return Err(damaged(format!("its checksum is {}, not {}", header.checksum, header.sum())));
        }
        Ok(Some(header))
    }

    /// Puts the header in place, as a whole or not at all.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let beside = PathBuf::from(format!("{}.new", path.display()));
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        let mut file = File::create(&beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    }
}
