//! What became durable, in order, as a file that public crash checkers replay: the format of Linux's dm-log-writes.
//!
//! ```text
//!  sector 0   magic, version 1, number of entries, sector size
//!  then each  sector, sectors, flags, bytes of data │ padding to a sector │ the sectors written
//! ```
//!
//! A discard has no data, a mark has its name behind the header and no sectors, a flush has neither. The number of entries is
//! brought up to date after each of them, so that whatever ends the process leaves a log that can be replayed.
//!
//! Source: Linux, drivers/md/dm-log-writes.c and Documentation/admin-guide/device-mapper/log-writes.rst; `replay-log` of xfstests.
//! Discards and zeroes have at most 128 MiB, since `replay-log` leaves out longer discards where the target is a file; up to that, one
//! that continues the last entry makes it longer, so that a striped volume given back has not an entry a chunk.
//!
//! Invariant: `end` is where the last entry that counts ends; what lies behind it is overwritten.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const MAGIC: u64 = 0x006a_7366_7773_6872;
const VERSION: u64 = 1;
const FLUSH: u64 = 1;
const FUA: u64 = 1 << 1;
const DISCARD: u64 = 1 << 2;
const MARK: u64 = 1 << 3;
/// Bytes of an entry's header.
const HEADER: usize = 32;
/// Where the number of entries is.
const COUNT_AT: u64 = 16;
/// The longest discard that `replay-log` carries out on a file.
const EMPTY_MAX: u64 = 128 << 20;
/// A log holds what the disks hold: for its owner alone.
const MODE: u32 = 0o600;

/// The name of the last mark, as the kernel has it.
pub(crate) const END: &str = "dm-log-writes-end";

/// Why there is no log.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// A log is there already.
    #[error("{} exists\nhint: move it away, or give another path: a log starts with the current state of the disks", .0.display())]
    Exists(PathBuf),
    /// The host refused.
    #[error("{}: {error}\nhint: {}", path.display(), PLACE)]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
    /// Not a unit that logs have.
    #[error("a log with sectors of {0} bytes\nhint: sectors have 512 or 4096 bytes")]
    Sector(u32),
}

/// The hint for a log that cannot be written.
const PLACE: &str = "give a writable path on a disk with free space";

impl From<LogError> for dw_error::Error {
    fn from(error: LogError) -> Self {
        match &error {
            LogError::Io { path, error: why } => {
                let what = format!("cannot be written: {}", dw_error::system::reason(why));
                dw_error::Error::input(what).hint(PLACE).of_file(path.display().to_string()).caused_by(error)
            }
            _ => dw_error::Error::of(dw_error::Kind::Input, error),
        }
    }
}

/// What was done to a range.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change<'a> {
    /// These bytes are there now.
    Data(&'a [u8]),
    /// Zeroes are there now.
    Zeroes,
    /// It was given back.
    Discard,
}

/// A log, open to be written.
#[derive(Debug)]
pub struct WriteLog {
    file: File,
    path: PathBuf,
    sector: u32,
    entries: u64,
    end: u64,
    /// What comes now is durable by itself.
    fua: bool,
    /// The last entry, if what follows it may be joined to it.
    last: Option<Empty>,
    scratch: Vec<u8>,
}

/// An entry without data of its own: a discard, or zeroes.
#[derive(Clone, Copy, Debug)]
struct Empty {
    /// Where its header is in the log.
    at: u64,
    offset: u64,
    len: u64,
    flags: u64,
}

impl WriteLog {
    /// A new log; sectors have 512 or 4096 bytes.
    ///
    /// # Errors
    /// When there is a file at `path`, or there can be none.
    pub fn create(path: &Path, sector: u32) -> Result<WriteLog, LogError> {
        if ![512, 4096].contains(&sector) {
            return Err(LogError::Sector(sector));
        }
        let refused = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => LogError::Exists(path.to_path_buf()),
            _ => LogError::Io { path: path.to_path_buf(), error },
        };
        let file = OpenOptions::new().write(true).create_new(true).mode(MODE).open(path).map_err(refused)?;
        let mut head = vec![0; sector as usize];
        for (word, at) in [MAGIC, VERSION, 0, u64::from(sector)].into_iter().zip((0..).step_by(8)) {
            head[at..at + 8].copy_from_slice(&word.to_le_bytes());
        }
        file.write_all_at(&head, 0).map_err(refused)?;
        let (path, end) = (path.to_path_buf(), u64::from(sector));
        Ok(WriteLog { file, path, sector, entries: 0, end, fua: false, last: None, scratch: Vec::new() })
    }

    /// The longest name that a mark can have, in bytes.
    pub fn mark_max(&self) -> usize {
        // A header before it and a zero behind.
        self.sector as usize - HEADER - 1
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of a sector.
    pub(crate) fn sector(&self) -> u64 {
        u64::from(self.sector)
    }

    /// Whether what follows is durable by itself.
    pub(crate) fn set_fua(&mut self, fua: bool) {
        self.fua = fua;
    }

    /// A range of whole sectors has changed.
    pub(crate) fn changed(&mut self, offset: u64, len: u64, change: Change<'_>) -> io::Result<()> {
        let fua = if self.fua { FUA } else { 0 };
        match change {
            Change::Data(data) => self.append(offset, len, fua, data, len),
            Change::Zeroes => self.empty(offset, len, fua),
            Change::Discard => self.empty(offset, len, fua | DISCARD),
        }
    }

    /// A range was discarded, or is zeroes.
    fn empty(&mut self, offset: u64, len: u64, flags: u64) -> io::Result<()> {
        let end = offset + len;
        let mut at = offset;
        while at < end {
            let last =
                self.last.filter(|last| last.flags == flags && last.offset + last.len == at && last.len < EMPTY_MAX);
            let piece = (end - at).min(EMPTY_MAX - last.map_or(0, |last| last.len));
            match last {
                Some(last) => self.lengthen(last, piece)?,
                None => {
                    let (begin, room) = (self.end, if flags & DISCARD == 0 { piece } else { 0 });
                    self.append(at, piece, flags, &[], room)?;
                    self.last = Some(Empty { at: begin, offset: at, len: piece, flags });
                }
            }
            at += piece;
        }
        Ok(())
    }

    /// Makes the last entry longer.
    fn lengthen(&mut self, last: Empty, by: u64) -> io::Result<()> {
        let len = last.len + by;
        let end = if last.flags & DISCARD == 0 { self.end + by } else { self.end };
        self.file.set_len(end)?;
        self.file.write_all_at(&(len / self.sector()).to_le_bytes(), last.at + 8)?;
        (self.end, self.last) = (end, Some(Empty { len, ..last }));
        Ok(())
    }

    /// Everything before it is durable.
    pub(crate) fn flushed(&mut self) -> io::Result<()> {
        self.append(0, 0, FLUSH, &[], 0)
    }

    /// An instant with a name.
    pub(crate) fn mark(&mut self, name: &str) -> io::Result<()> {
        self.append(0, 0, MARK, name.as_bytes(), 0)
    }

    /// Appends an entry: `room` bytes lie behind its header, `data` and then zeroes. A mark has its name in the header's sector.
    fn append(&mut self, offset: u64, len: u64, flags: u64, data: &[u8], room: u64) -> io::Result<()> {
        let sector = self.sector();
        self.last = None;
        debug_assert!(
            offset.is_multiple_of(sector) && len.is_multiple_of(sector),
            "{offset} + {len} in sectors of {sector}"
        );
        let is_mark = flags & MARK != 0;
        // The kernel says how much room a name has, not how much of it is used.
        let data_len = if is_mark { sector - HEADER as u64 } else { 0 };
        self.scratch.clear();
        for word in [offset / sector, len / sector, flags, data_len] {
            self.scratch.extend_from_slice(&word.to_le_bytes());
        }
        if is_mark {
            self.scratch.extend_from_slice(data);
        }
        self.scratch.resize(sector as usize, 0);
        if !is_mark {
            self.scratch.extend_from_slice(data);
        }
        let end = self.end + sector + room;
        let written = self.file.write_all_at(&self.scratch, self.end).and_then(|()| {
            // Zeroes are a hole.
            if data.len() as u64 == room || is_mark { Ok(()) } else { self.file.set_len(end) }
        });
        let counted = written.and_then(|()| self.file.write_all_at(&(self.entries + 1).to_le_bytes(), COUNT_AT));
        if let Err(error) = counted {
            // Half of an entry may become a hole of the next one.
            let _ = self.file.set_len(self.end);
            return Err(error);
        }
        (self.entries, self.end) = (self.entries + 1, end);
        Ok(())
    }
}

/// A log that several disks write to.
#[derive(Clone, Debug)]
pub(crate) struct SharedLog(Arc<Mutex<WriteLog>>);

impl SharedLog {
    pub(crate) fn new(log: WriteLog) -> SharedLog {
        SharedLog(Arc::new(Mutex::new(log)))
    }

    /// The log; one thread owns the disks, so that nobody waits.
    pub(crate) fn lock(&self) -> MutexGuard<'_, WriteLog> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
