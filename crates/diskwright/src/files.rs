//! Where named files come from: the caller says, since a page in a browser has no disk.

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::sync::Arc;

/// Opens what a file names: an include of a job file, a latency model of a scenario, a recording.
pub trait Files: Send + Sync {
    /// Opens it, from its beginning each time.
    fn open(&self, name: &str) -> io::Result<Box<dyn BufRead + '_>>;

    /// The value of `${NAME}` in a job file; nothing unless the caller has such values.
    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
}

/// Files in memory; without any, whatever is named is not found.
///
/// ```
/// use diskwright::{Files as _, Memory};
/// let files = Memory::default().with("common.fio", "bs=8k\n");
/// assert!(files.open("common.fio").is_ok() && files.open("other.fio").is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Memory(BTreeMap<String, Arc<[u8]>>);

impl Memory {
    /// With one more file.
    pub fn with(mut self, name: impl Into<String>, bytes: impl AsRef<[u8]>) -> Memory {
        self.0.insert(name.into(), bytes.as_ref().into());
        self
    }
}

impl Files for Memory {
    fn open(&self, name: &str) -> io::Result<Box<dyn BufRead + '_>> {
        match self.0.get(name) {
            Some(bytes) => Ok(Box::new(&bytes[..])),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}
