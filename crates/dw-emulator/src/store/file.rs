//! A disk in a sparse file: `<disk>.img` in a folder, with its header `<disk>.json` next to it.
//!
//! The file is as long as the disk and takes only the room of what was written; discarded ranges become holes again. While
//! a store is open it holds a lock (`flock`) on the file, so that no second server uses it; the lock goes with the process.
//!
//! Whoever syncs is told when the file is no longer where it was: what is deleted or moved away is not found again after the end.
//!
//! Options: `direct` passes this machine's page cache by (in 4 KiB units, through an aligned buffer); `durable` makes
//! `sync` wait until this machine's disk has everything.
//!
//! Ignores: file systems without holes. There, discarding writes zeroes, where the file has data.
//!
//! Invariant: the header is written when the file has its length; data without a header, or of another length, are refused.

use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use dw_demand::volume_name::{self, Refusal};
use dw_units::Bytes;
use rustix::fs::{FallocateFlags, FlockOperation, OFlags, SeekFrom};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::direct::Direct;
use super::header::{Header, VERSION};
use super::{Extent, Store, push_extent};

/// How the bytes of a volume lie on its disks, of which a file is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Disks of the volume.
    pub disks: u16,
    /// Bytes of its stripe unit; 0 of a single disk, where it means nothing.
    pub stripe_unit: u64,
}

impl Member {
    /// One of so many disks.
    pub const fn new(disks: u16, stripe_unit: Bytes) -> Member {
        Member { disks, stripe_unit: if disks > 1 { stripe_unit.get() } else { 0 } }
    }
}

impl std::fmt::Display for Member {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.disks {
            1 => write!(f, "a single disk"),
            disks => write!(f, "a stripe of {disks} x {}", Bytes::new(self.stripe_unit)),
        }
    }
}

/// How a file is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileOptions {
    /// Pass the page cache by.
    pub direct: bool,
    /// A flush waits until this machine's disk has everything.
    pub durable: bool,
    /// How its volume lies on its disks, where there is a volume.
    pub member: Option<Member>,
}

/// Why a disk's file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The host refused.
    #[error("{}: {error}\nhint: {}", path.display(), of_host(error))]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
    /// Another server has it.
    #[error(
        "{} is in use{}\nhint: stop the other server, or give this one its own directory",
        path.display(),
        holder.as_ref().map(|holder| format!(" by {holder}")).unwrap_or_default()
    )]
    Locked {
        /// The file.
        path: PathBuf,
        /// `process 1234 (diskwright)`.
        holder: Option<String>,
    },
    /// The disk in the file is of another size.
    #[error(
        "{} contains a disk of {found} bytes, but the scenario has {wanted}\n\
         hint: write its actual size in the scenario, enlarge it with `diskwright ctl resize`, or use another directory",
        path.display()
    )]
    Size {
        /// The header.
        path: PathBuf,
        /// Bytes in the file.
        found: u64,
        /// Bytes asked for.
        wanted: u64,
    },
    /// The volume's bytes lie on the disks in another order.
    #[error(
        "{} contains `{volume}` as {found}, but the scenario has {wanted}\n\
         hint: describe the volume as it was when the disks were written, or use another directory",
        folder.display()
    )]
    Layout {
        /// Where the disks are.
        folder: PathBuf,
        /// Of which volume.
        volume: String,
        /// By the header.
        found: Member,
        /// By the scenario.
        wanted: Member,
    },
    /// The file holds another disk.
    #[error("{} belongs to disk `{found}`, not `{wanted}`\nhint: restore the files' original names", path.display())]
    OtherDisk {
        /// The header.
        path: PathBuf,
        /// The disk it is for.
        found: String,
        /// The disk asked for.
        wanted: String,
    },
    /// Written by a newer version.
    #[error("{} has version {version}, this program reads up to {VERSION}\nhint: use the newer program", path.display())]
    Newer {
        /// The header.
        path: PathBuf,
        version: u32,
    },
    /// The header or the file is not what it was.
    #[error(
        "{} is damaged: {why}\nhint: restore it from a copy, or move the disk's .img and .json away to start again",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// In what way.
        why: String,
    },
    /// What is there is no file.
    #[error("{} is not a file but a pipe, a device or the like\nhint: move it, or use another directory", .0.display())]
    NoFile(PathBuf),
    /// The header is there, the bytes are not.
    #[error(
        "{} is missing, though {} describes it\n\
         hint: restore it, or move the disk's .json away to start again with an empty disk",
        path.display(), header.display()
    )]
    Missing {
        /// The file.
        path: PathBuf,
        header: PathBuf,
    },
    /// No file can be called that.
    #[error("a disk called `{disk}` cannot have a file: its name {why}\nhint: give its volume another name")]
    Name {
        disk: String,
        /// Why not.
        why: Refusal,
    },
    /// Direct I/O does not go with this size.
    #[error("direct I/O needs a disk size that is a multiple of 4096, not {0}\nhint: omit `direct`, or round the size")]
    DirectSize(u64),
}

/// A disk's file, or its header, is no longer where it was opened.
#[derive(Debug, thiserror::Error)]
#[error("{} was deleted, moved or replaced while it was in use", .0.display())]
pub struct Gone(pub PathBuf);

impl Gone {
    /// Whether that is why a store refused.
    pub fn is(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|why| why.is::<Gone>())
    }
}

/// What to do about a refusal of the host.
fn of_host(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "the user of this program must be able to write there",
        io::ErrorKind::NotFound => "create the directory first",
        io::ErrorKind::StorageFull => "free some space, or use a directory on another disk",
        io::ErrorKind::InvalidInput => "this file system may not support direct I/O: omit `direct`",
        io::ErrorKind::FileTooLarge => "this file system does not support files that large: use another directory",
        _ => "check the directory and its disk",
    }
}

impl From<StoreError> for dw_error::Error {
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::Io { path, error: why } => {
                let what = format!("cannot be used: {}", dw_error::system::reason(why));
                dw_error::Error::input(what).hint(of_host(why)).of_file(path.display().to_string()).caused_by(error)
            }
            _ => dw_error::Error::of(dw_error::Kind::Input, error),
        }
    }
}

impl StoreError {
    pub(super) fn io(path: &Path, error: impl Into<io::Error>) -> StoreError {
        StoreError::Io { path: path.into(), error: error.into() }
    }
}

/// A disk in a file.
#[derive(Debug)]
pub struct FileStore {
    file: File,
    path: PathBuf,
    inode: (u64, u64),
    header_path: PathBuf,
    header: Header,
    options: FileOptions,
    direct: Direct,
    is_new: bool,
}

impl FileStore {
    /// Opens the disk called `disk` in `folder`, or makes it when it is not there. `scenario` is noted for people.
    ///
    /// # Errors
    /// When the file is in use, is not this disk's, has another size, is damaged, or the host refuses.
    pub fn open(
        folder: &Path,
        disk: &str,
        size: u64,
        scenario: &str,
        options: FileOptions,
    ) -> Result<FileStore, StoreError> {
        volume_name::check_disk(disk).map_err(|why| StoreError::Name { disk: disk.into(), why })?;
        if options.direct && !size.is_multiple_of(4096) {
            return Err(StoreError::DirectSize(size));
        }
        let path = folder.join(format!("{disk}.img"));
        let header_path = folder.join(format!("{disk}.json"));
        // A header is written when the file is there: one without the other is a file that was lost.
        let is_made = !header_path.try_exists().map_err(|error| StoreError::io(&header_path, error))?;
        let is_new = is_made && std::fs::symlink_metadata(&path).is_err();
        let mut open = OpenOptions::new();
        open.read(true).write(true).create(is_made).truncate(false).mode(0o600);
        if options.direct {
            open.custom_flags(OFlags::DIRECT.bits() as i32);
        }
        let file = open.open(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound if !is_made => {
                StoreError::Missing { path: path.clone(), header: header_path.clone() }
            }
            _ => StoreError::io(&path, error),
        })?;
        lock(&file, &path)?;
        let metadata = file.metadata().map_err(|error| StoreError::io(&path, error))?;
        if !metadata.is_file() {
            return Err(StoreError::NoFile(path));
        }
        let header = Header::read(&header_path)?;
        let length = metadata.len();
        check(&path, &header_path, header.as_ref(), (&file, length), (disk, size))?;
        let known = header.as_ref().and_then(|header| header.member);
        if let (Some(found), Some(wanted)) = (known, options.member)
            && found != wanted
        {
            let volume = volume_name::volume_of(disk).unwrap_or(disk).into();
            return Err(StoreError::Layout { folder: folder.into(), volume, found, wanted });
        }
        file.set_len(size).map_err(|error| StoreError::io(&path, error))?;
        let wanted = Header::new(disk, size, scenario, options.member.or(known));
        if header.as_ref() != Some(&wanted) {
            wanted.write(&header_path).map_err(|error| StoreError::io(&header_path, error))?;
        }
        let inode = inode(&metadata);
        Ok(FileStore { file, path, inode, header_path, header: wanted, options, direct: Direct::default(), is_new })
    }

    /// Whether the file was made now: it reads as zeroes.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// The files that it consists of.
    pub fn files(&self) -> [&Path; 2] {
        [&self.path, &self.header_path]
    }

    /// Zeroes by hand what is not a hole already.
    fn write_zeroes(&mut self, offset: u64, len: u64) -> io::Result<()> {
        let zeroes = vec![0; 1 << 20];
        let mut at = offset;
        for extent in self.extents(offset, len, usize::MAX) {
            let end = at + extent.len;
            while at < end && !extent.hole {
                let piece = (end - at).min(zeroes.len() as u64);
                self.write(at, &zeroes[..piece as usize])?;
                at += piece;
            }
            at = end;
        }
        Ok(())
    }

    /// Whether the next start would find these bytes. While the file is open nothing else has its inode.
    fn look(&self) -> io::Result<()> {
        let is_ours = |there: Metadata| inode(&there) == self.inode;
        let gone = if !std::fs::metadata(&self.path).is_ok_and(is_ours) {
            &self.path
        } else if std::fs::symlink_metadata(&self.header_path).is_err() {
            &self.header_path
        } else {
            return Ok(());
        };
        Err(io::Error::other(Gone(gone.clone())))
    }

    fn allocate(&mut self, flags: FallocateFlags, offset: u64, len: u64) -> io::Result<()> {
        if len == 0 {
            return Ok(());
        }
        match rustix::fs::fallocate(&self.file, flags | FallocateFlags::KEEP_SIZE, offset, len) {
            Err(Errno::OPNOTSUPP | Errno::NOSYS) => self.write_zeroes(offset, len),
            result => Ok(result?),
        }
    }
}

/// What tells a file from every other that is there: its file system, and its number there.
fn inode(file: &Metadata) -> (u64, u64) {
    (file.dev(), file.ino())
}

/// Refuses files that are not the disk that is wanted.
fn check(
    path: &Path,
    header_path: &Path,
    header: Option<&Header>,
    (file, length): (&File, u64),
    (disk, size): (&str, u64),
) -> Result<(), StoreError> {
    let damaged = |why: String| Err(StoreError::Damaged { path: path.into(), why });
    let data_from = |offset: u64| match rustix::fs::seek(file, SeekFrom::Data(offset)) {
        Ok(_) => true,
        Err(error) => error != Errno::NXIO,
    };
    let Some(header) = header else {
        // An end of the program between the first two steps leaves a file without data.
        let data = length > 0 && data_from(0);
        return if data { damaged(format!("it has data, but no {}", header_path.display())) } else { Ok(()) };
    };
    if header.disk != disk {
        let (found, wanted) = (header.disk.clone(), disk.into());
        return Err(StoreError::OtherDisk { path: header_path.into(), found, wanted });
    }
    if header.size != size {
        return Err(StoreError::Size { path: header_path.into(), found: header.size, wanted: size });
    }
    // An end in the middle of enlarging leaves more length, without data.
    if length < size || length > size && data_from(size) {
        return damaged(format!("it is {length} bytes long, its header says {size}"));
    }
    Ok(())
}

fn lock(file: &File, path: &Path) -> Result<(), StoreError> {
    match rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(()),
        Err(Errno::WOULDBLOCK) => Err(StoreError::Locked { path: path.into(), holder: holder(file) }),
        Err(error) => Err(StoreError::io(path, error)),
    }
}

/// Who has the lock, as far as the kernel tells.
fn holder(file: &File) -> Option<String> {
    let inode = file.metadata().ok()?.ino();
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    // `1: FLOCK  ADVISORY  WRITE 1234 08:01:131 0 EOF`
    let ours = locks.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let here = words.get(1) == Some(&"FLOCK") && words.get(5)?.rsplit(':').next()? == inode.to_string();
        here.then(|| words[4].to_owned())
    })?;
    let name = std::fs::read_to_string(format!("/proc/{ours}/comm")).ok();
    Some(match name {
        Some(name) => format!("process {ours} ({})", name.trim()),
        None => format!("process {ours}"),
    })
}

impl Store for FileStore {
    fn size(&self) -> u64 {
        self.header.size
    }

    #[inline]
    fn read(&mut self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        if self.options.direct {
            return self.direct.read(&self.file, offset, out);
        }
        self.file.read_exact_at(out, offset)
    }

    #[inline]
    fn write(&mut self, offset: u64, data: &[u8]) -> io::Result<()> {
        if self.options.direct {
            return self.direct.write(&self.file, offset, data);
        }
        self.file.write_all_at(data, offset)
    }

    fn discard(&mut self, offset: u64, len: u64) -> io::Result<()> {
        self.allocate(FallocateFlags::PUNCH_HOLE, offset, len)
    }

    fn zero(&mut self, offset: u64, len: u64, punch: bool) -> io::Result<()> {
        self.allocate(if punch { FallocateFlags::PUNCH_HOLE } else { FallocateFlags::ZERO_RANGE }, offset, len)
    }

    fn extents(&self, offset: u64, len: u64, limit: usize) -> Vec<Extent> {
        let (mut extents, mut at, end) = (Vec::new(), offset, offset + len);
        while at < end {
            let data = match rustix::fs::seek(&self.file, SeekFrom::Data(at)) {
                Ok(data) => data.min(end),
                Err(Errno::NXIO) => end,
                // Nothing is known: it may be anything.
                Err(_) => at,
            };
            let stop = match rustix::fs::seek(&self.file, SeekFrom::Hole(data)) {
                Ok(hole) if hole > data => hole.min(end),
                _ => end,
            };
            let more = push_extent(&mut extents, limit, Extent { len: data - at, hole: true, zero: true })
                && push_extent(&mut extents, limit, Extent { len: stop - data, hole: false, zero: false });
            if !more {
                break;
            }
            at = stop;
        }
        extents
    }

    fn sync(&mut self) -> io::Result<()> {
        if self.options.durable {
            self.file.sync_data()?;
        }
        self.look()
    }

    fn resize(&mut self, size: u64) -> io::Result<()> {
        if self.options.direct && !size.is_multiple_of(4096) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, StoreError::DirectSize(size)));
        }
        self.file.set_len(size)?;
        let header = Header::new(&self.header.disk, size, &self.header.scenario, self.header.member);
        header.write(&self.header_path)?;
        self.header = header;
        Ok(())
    }

    fn place(&self) -> Option<String> {
        Some(self.path.display().to_string())
    }
}
