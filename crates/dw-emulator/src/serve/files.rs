//! Volumes as plain files: the kernel's side of the front end `file_front`.
//!
//! ```text
//!  kernel (FUSE) ─▶ session thread: names, sizes, opening ─ answered here
//!                        └─ reads, writes, flushes, discards ─▶ queue + eventfd ─▶ the loop, which answers
//! ```
//!
//! The kernel bypasses its page cache for these files (direct I/O), so that every request of whoever opened one reaches the
//! modelled disk. Asynchronous ones do not wait for each other: up to [`REQUESTS_MAX`] are under way at once, beyond which the
//! kernel keeps them back.
//!
//! A file that was opened belongs to one life of its volume: a crash, a restart and detaching begin the next one, and whatever
//! still comes through a handle of an earlier life fails. A file system that a crash has cut off can write back as much as it likes.
//!
//! Source: fuse(4) and the kernel's `fs/fuse/file.c`; through a loop device 128 requests are under way (`loop.hw_queue_depth`).
//!
//! Ignores: owners, times, modes and locks of these files; whoever mounted them may use them.
//!
//! Invariant: every request is answered exactly once; one that nobody answers is answered with EIO when it is dropped.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use fuser::{
    AccessFlags, BsdFileFlags, Config, Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags, Generation,
    INodeNo, InitFlags, KernelConfig, LockOwner, MountOption, OpenAccMode, OpenFlags, ReplyAttr, ReplyData,
    ReplyDirectory, ReplyEmpty, ReplyEntry, ReplyLseek, ReplyOpen, ReplyStatfs, ReplyWrite, Request, Session,
    SessionUnmounter, TimeOrNow, WriteFlags,
};
use rustix::event::{EventfdFlags, eventfd};
use rustix::fs::{Access, FallocateFlags, OFlags};

use crate::engine::{Engine, Export, ExportId, IoError, IoOp};
use crate::pace::HostTime;

/// Requests that the kernel hands over before the first of them is answered.
pub const REQUESTS_MAX: u16 = 1_024;
/// Bytes of writes that may wait; the session looks away while there are more.
const PAYLOAD_MAX: usize = 256 << 20;
/// Between two looks whether there is room again.
const LOOK: Duration = Duration::from_millis(1);
/// Sizes change, so nothing is remembered for long.
const TTL: Duration = Duration::ZERO;
/// How these mounts call themselves in `/proc/self/mountinfo`.
pub const NAME: &str = "diskwright";

/// lseek(2), as the kernel hands it on.
const SEEK_DATA: i32 = 3;
const SEEK_HOLE: i32 = 4;
const DEVICE: &str = "/dev/fuse";
/// Its numbers, major and minor: a container hides a device by laying another one over it.
const NUMBERS: (u32, u32) = (10, 229);

/// Why the volumes cannot be shown as files.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// The kernel has no FUSE, or the container hides it.
    #[error(
        "this system has no {DEVICE}: its kernel has no FUSE, or a container hides it\n\
         hint: load the module with `modprobe fuse`; a container needs `--device /dev/fuse`; NBD clients need neither"
    )]
    NoFuse,
    /// It may not be used.
    #[error(
        "{DEVICE} may not be opened: {}\n\
         hint: `chmod 666 {DEVICE}` (as most systems have it), or run this as root; a container needs `--device /dev/fuse`",
        dw_error::system::reason(.0)
    )]
    Closed(io::Error),
    /// Not allowed, and nobody there who is.
    #[error(
        "{}: this user may not mount, and fusermount3 is not available\n\
         hint: install the package fuse3, or run this as root; a container needs `--cap-add SYS_ADMIN`", .0.display()
    )]
    NoHelper(PathBuf),
    /// A folder of somebody else.
    #[error("{}: this user may not write there, so nothing can be mounted there\nhint: name a directory of yours", .0.display())]
    NotYours(PathBuf),
    /// The kernel or fusermount3 refuses.
    #[error(
        "{}: the volumes cannot be mounted there: {why}\n\
         hint: a container needs `--device /dev/fuse --cap-add SYS_ADMIN`, and a profile that allows mounting", .path.display()
    )]
    Refused { path: PathBuf, why: String },
}

impl From<FilesError> for dw_error::Error {
    fn from(error: FilesError) -> Self {
        let kind = match error {
            FilesError::NotYours(_) => dw_error::Kind::Usage,
            FilesError::NoFuse | FilesError::Closed(_) | FilesError::NoHelper(_) | FilesError::Refused { .. } => {
                dw_error::Kind::Tool
            }
        };
        dw_error::Error::of(kind, error)
    }
}

/// Whom to answer.
#[derive(Debug)]
pub(super) enum Answer {
    Data(ReplyData),
    Written(ReplyWrite),
    Done(ReplyEmpty),
    Offset(ReplyLseek),
}

impl Answer {
    pub(super) fn refuse(self, errno: Errno) {
        match self {
            Answer::Data(reply) => reply.error(errno),
            Answer::Written(reply) => reply.error(errno),
            Answer::Done(reply) => reply.error(errno),
            Answer::Offset(reply) => reply.error(errno),
        }
    }
}

/// What is asked of the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// A request for the modelled disk; `true` = done only when durable.
    Io(IoOp, bool),
    /// Where the next data are, or the next hole: for the store, in no time.
    Seek(Wanted),
}

/// What a seek searches for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Data,
    Hole,
}

/// A request from the kernel.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) export: ExportId,
    /// Of the handle through which it came.
    pub(super) life: u64,
    pub(super) asked: Asked,
    pub(super) offset: u64,
    pub(super) len: u64,
    pub(super) data: Vec<u8>,
    pub(super) came: HostTime,
    pub(super) answer: Answer,
}

/// What is shown of an export.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    name: String,
    pub(super) size: u64,
    read_only: bool,
    pub(super) detached: bool,
    pub(super) life: u64,
}

impl Shown {
    fn new(export: &Export, life: u64) -> Shown {
        let Export { name, size, read_only, detached, .. } = export.clone();
        Shown { name, size, read_only, detached, life }
    }
}

#[derive(Debug, Default)]
struct Queue {
    calls: Vec<Call>,
    /// Nobody takes them any more.
    closed: bool,
}

/// What the session and the loop share.
#[derive(Debug)]
pub(super) struct Shared {
    shown: Mutex<Vec<Shown>>,
    queue: Mutex<Queue>,
    pub(super) wake: OwnedFd,
    /// Bytes of writes that wait or are under way.
    pub(super) payload: AtomicUsize,
    pub(super) open: AtomicUsize,
    pub(super) opened: AtomicU64,
    began: SystemTime,
    owner: (u32, u32),
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn new(engine: &Engine) -> io::Result<Shared> {
        Ok(Shared {
            shown: Mutex::new(engine.exports().iter().map(|export| Shown::new(export, 1)).collect()),
            queue: Mutex::default(),
            wake: eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?,
            payload: AtomicUsize::new(0),
            open: AtomicUsize::new(0),
            opened: AtomicU64::new(0),
            began: SystemTime::now(),
            owner: (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw()),
        })
    }

    /// Everything that waits, into `calls`, which is empty.
    pub(super) fn take(&self, calls: &mut Vec<Call>) {
        std::mem::swap(&mut locked(&self.queue).calls, calls);
    }

    /// Nothing is taken any more; what waits is refused.
    pub(super) fn close(&self) {
        let mut queue = locked(&self.queue);
        queue.closed = true;
        for call in queue.calls.drain(..) {
            self.payload.fetch_sub(call.data.len(), Ordering::Relaxed);
            call.answer.refuse(Errno::EIO);
        }
    }

    /// Sizes and states as they are now; the exports that `ends` says begin a new life.
    pub(super) fn show(&self, engine: &Engine, ends: impl Fn(&Export) -> bool) {
        for (shown, export) in locked(&self.shown).iter_mut().zip(engine.exports()) {
            *shown = Shown::new(export, shown.life + u64::from(ends(export)));
        }
    }

    /// Of an export, if there is one.
    pub(super) fn life(&self, export: ExportId) -> Option<u64> {
        locked(&self.shown).get(usize::from(export.0)).map(|shown| shown.life)
    }

    fn push(&self, call: Call) {
        while self.payload.load(Ordering::Relaxed) > PAYLOAD_MAX {
            std::thread::sleep(LOOK);
        }
        let mut queue = locked(&self.queue);
        if queue.closed {
            return call.answer.refuse(Errno::EIO);
        }
        self.payload.fetch_add(call.data.len(), Ordering::Relaxed);
        queue.calls.push(call);
        if queue.calls.len() == 1 {
            // A full counter would wake the loop all the same.
            let _ = rustix::io::write(&self.wake, &1u64.to_ne_bytes());
        }
    }
}

/// The volumes as files, mounted. Whoever has them unmounts them while the server still serves.
#[derive(Debug)]
pub struct Files {
    dir: PathBuf,
    unmounter: SessionUnmounter,
    session: std::thread::JoinHandle<io::Result<()>>,
}

/// The other end, for the server.
#[derive(Debug)]
pub struct FilesInbox(pub(super) Arc<Shared>);

impl Files {
    /// Shows every export of `engine` as a file in `dir`, an empty folder of ours.
    ///
    /// # Errors
    /// When there is no FUSE, or it is not for us.
    pub fn mount(dir: &Path, engine: &Engine) -> Result<(Files, FilesInbox), FilesError> {
        let number = rustix::fs::makedev(NUMBERS.0, NUMBERS.1);
        if !std::fs::metadata(DEVICE).is_ok_and(|device| device.rdev() == number) {
            return Err(FilesError::NoFuse);
        }
        File::options().read(true).write(true).open(DEVICE).map_err(|why| {
            match rustix::io::Errno::from_io_error(&why) {
                // The name is there, and no driver behind it.
                Some(rustix::io::Errno::NODEV | rustix::io::Errno::NXIO) => FilesError::NoFuse,
                _ => FilesError::Closed(why),
            }
        })?;
        // Of a file system that is read-only, the folder may still be ours.
        if rustix::fs::access(dir, Access::WRITE_OK) == Err(rustix::io::Errno::ACCESS) {
            return Err(FilesError::NotYours(dir.to_path_buf()));
        }
        let refused = |why: io::Error| match why.kind() {
            // Of the helper, which is asked when the kernel has refused.
            io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied if dir.exists() => {
                FilesError::NoHelper(dir.to_path_buf())
            }
            _ => FilesError::Refused { path: dir.to_path_buf(), why: why.to_string().trim().to_owned() },
        };
        let shared = Arc::new(Shared::new(engine).map_err(refused)?);
        let mut config = Config::default();
        config.mount_options = vec![
            MountOption::FSName(NAME.into()),
            MountOption::Subtype(NAME.into()),
            MountOption::NoDev,
            MountOption::NoSuid,
            MountOption::NoExec,
        ];
        let mut session = Session::new(Names(Arc::clone(&shared)), dir, &config).map_err(refused)?;
        let unmounter = session.unmount_callable();
        let run = move || {
            flushes_for_others();
            session.run()
        };
        let session = std::thread::Builder::new().name("files".into()).spawn(run).map_err(refused)?;
        Ok((Files { dir: dir.to_path_buf(), unmounter, session }, FilesInbox(shared)))
    }

    /// Where an export is.
    pub fn path(&self, export: &str) -> PathBuf {
        self.dir.join(export)
    }

    /// Where they all are.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Takes the files away.
    ///
    /// # Errors
    /// When somebody has one open: try again.
    pub fn unmount(&mut self) -> io::Result<()> {
        self.unmounter.unmount()
    }

    /// Whether nothing is mounted any more and the session has ended.
    pub fn is_over(&self) -> bool {
        self.session.is_finished()
    }
}

/// A mount that nobody serves would answer everybody with errors, for ever.
impl Drop for Files {
    fn drop(&mut self) {
        if !self.is_over() {
            let _ = self.unmount();
        }
    }
}

/// Tells the kernel that this thread carries out what others write back: it must not wait for them to free memory, nor be slowed
/// down for the pages that they have dirtied (PR_SET_IO_FLUSHER). Only root may; others do without.
pub(super) fn flushes_for_others() {
    let _ = rustix::process::configure_io_flusher_behavior(true);
}

/// What the kernel asks, answered or handed on.
#[derive(Debug)]
struct Names(Arc<Shared>);

/// The number of the first export's file; the folder is 1.
const FIRST: u64 = 2;

impl Names {
    fn export(&self, ino: INodeNo) -> Option<(ExportId, Shown)> {
        let index = usize::try_from(ino.0.checked_sub(FIRST)?).ok()?;
        let shown = locked(&self.0.shown).get(index)?.clone();
        Some((ExportId(index as u16), shown))
    }

    fn attributes(&self, ino: INodeNo) -> Option<FileAttr> {
        let (kind, perm, size) = if ino == INodeNo::ROOT {
            (FileType::Directory, 0o700, 0)
        } else {
            let (_, shown) = self.export(ino)?;
            (FileType::RegularFile, if shown.read_only { 0o400 } else { 0o600 }, shown.size)
        };
        let (time, (uid, gid)) = (self.0.began, self.0.owner);
        Some(FileAttr {
            ino,
            size,
            blocks: size.div_ceil(512),
            atime: time,
            mtime: time,
            ctime: time,
            crtime: time,
            kind,
            perm,
            nlink: 1,
            uid,
            gid,
            rdev: 0,
            blksize: 4096,
            flags: 0,
        })
    }

    /// Hands a request on. One that begins beyond the end is a matter for whoever asks.
    fn ask(&self, ino: INodeNo, fh: FileHandle, asked: Asked, range: (u64, u64), data: Vec<u8>, answer: Answer) {
        let came = HostTime::now();
        let Some(index) = ino.0.checked_sub(FIRST).and_then(|index| u16::try_from(index).ok()) else {
            return answer.refuse(Errno::EISDIR);
        };
        let (offset, len) = range;
        self.0.push(Call { export: ExportId(index), life: fh.0, asked, offset, len, data, came, answer });
    }
}

impl Filesystem for Names {
    fn init(&mut self, _req: &Request, config: &mut KernelConfig) -> io::Result<()> {
        // Without them a request at a time would be under way; every kernel since 3.13 has it.
        let _ = config.add_capabilities(InitFlags::FUSE_ASYNC_DIO);
        let _ = config.set_max_background(REQUESTS_MAX);
        let _ = config.set_congestion_threshold(REQUESTS_MAX);
        Ok(())
    }

    fn lookup(&self, _req: &Request, _parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        let index = locked(&self.0.shown).iter().position(|shown| name == shown.name.as_str());
        match index.and_then(|index| self.attributes(INodeNo(index as u64 + FIRST))) {
            Some(attributes) => reply.entry(&TTL, &attributes, Generation(0)),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn getattr(&self, _req: &Request, ino: INodeNo, _fh: Option<FileHandle>, reply: ReplyAttr) {
        match self.attributes(ino) {
            Some(attributes) => reply.attr(&TTL, &attributes),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn setattr(
        &self,
        _req: &Request,
        ino: INodeNo,
        _mode: Option<u32>,
        _uid: Option<u32>,
        _gid: Option<u32>,
        size: Option<u64>,
        _atime: Option<TimeOrNow>,
        _mtime: Option<TimeOrNow>,
        _ctime: Option<SystemTime>,
        _fh: Option<FileHandle>,
        _crtime: Option<SystemTime>,
        _chgtime: Option<SystemTime>,
        _bkuptime: Option<SystemTime>,
        _flags: Option<BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        match self.attributes(ino) {
            // A disk has the size that it has.
            Some(attributes) if size.is_some_and(|size| size != attributes.size) => reply.error(Errno::EPERM),
            Some(attributes) => reply.attr(&TTL, &attributes),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn access(&self, _req: &Request, _ino: INodeNo, _mask: AccessFlags, reply: ReplyEmpty) {
        reply.ok();
    }

    fn open(&self, _req: &Request, ino: INodeNo, flags: OpenFlags, reply: ReplyOpen) {
        let Some((_, shown)) = self.export(ino) else { return reply.error(Errno::ENOENT) };
        if shown.detached {
            return reply.error(Errno::ENXIO);
        }
        if shown.read_only && flags.acc_mode() != OpenAccMode::O_RDONLY {
            return reply.error(Errno::EROFS);
        }
        self.0.open.fetch_add(1, Ordering::Relaxed);
        self.0.opened.fetch_add(1, Ordering::Relaxed);
        let how = FopenFlags::FOPEN_DIRECT_IO | FopenFlags::FOPEN_PARALLEL_DIRECT_WRITES;
        reply.opened(FileHandle(shown.life), how);
    }

    fn release(
        &self,
        _req: &Request,
        _ino: INodeNo,
        _fh: FileHandle,
        _flags: OpenFlags,
        _lock_owner: Option<LockOwner>,
        _flush: bool,
        reply: ReplyEmpty,
    ) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
        reply.ok();
    }

    fn read(
        &self,
        _req: &Request,
        ino: INodeNo,
        fh: FileHandle,
        offset: u64,
        size: u32,
        _flags: OpenFlags,
        _lock_owner: Option<LockOwner>,
        reply: ReplyData,
    ) {
        // Short at the end, as of every file.
        let room = self.export(ino).map_or(0, |(_, shown)| shown.size.saturating_sub(offset));
        let len = u64::from(size).min(room);
        self.ask(ino, fh, Asked::Io(IoOp::Read, false), (offset, len), Vec::new(), Answer::Data(reply));
    }

    fn write(
        &self,
        _req: &Request,
        ino: INodeNo,
        fh: FileHandle,
        offset: u64,
        data: &[u8],
        _write_flags: WriteFlags,
        flags: OpenFlags,
        _lock_owner: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        // O_SYNC contains the bit of O_DSYNC.
        let fua = OFlags::from_bits_retain(flags.0 as u32).contains(OFlags::DSYNC);
        let range = (offset, data.len() as u64);
        self.ask(ino, fh, Asked::Io(IoOp::Write, fua), range, data.to_vec(), Answer::Written(reply));
    }

    /// A file is closed, which makes nothing durable.
    fn flush(&self, _req: &Request, _ino: INodeNo, _fh: FileHandle, _lock_owner: LockOwner, reply: ReplyEmpty) {
        reply.ok();
    }

    fn fsync(&self, _req: &Request, ino: INodeNo, fh: FileHandle, _datasync: bool, reply: ReplyEmpty) {
        self.ask(ino, fh, Asked::Io(IoOp::Flush, false), (0, 0), Vec::new(), Answer::Done(reply));
    }

    fn fallocate(
        &self,
        _req: &Request,
        ino: INodeNo,
        fh: FileHandle,
        offset: u64,
        length: u64,
        mode: i32,
        reply: ReplyEmpty,
    ) {
        let mode = FallocateFlags::from_bits_retain(mode as u32);
        let size = self.export(ino).map_or(0, |(_, shown)| shown.size);
        let op = match mode - FallocateFlags::KEEP_SIZE {
            // Room is there for all of a disk.
            none if none.is_empty() && offset.checked_add(length).is_some_and(|end| end <= size) => return reply.ok(),
            none if none.is_empty() => return reply.error(Errno::from_i32(rustix::io::Errno::NOSPC.raw_os_error())),
            FallocateFlags::PUNCH_HOLE => IoOp::Trim,
            FallocateFlags::ZERO_RANGE => IoOp::Zero { punch: false },
            _ => return reply.error(Errno::from_i32(rustix::io::Errno::OPNOTSUPP.raw_os_error())),
        };
        let length = length.min(size.saturating_sub(offset));
        self.ask(ino, fh, Asked::Io(op, false), (offset, length), Vec::new(), Answer::Done(reply));
    }

    fn lseek(&self, _req: &Request, ino: INodeNo, fh: FileHandle, offset: i64, whence: i32, reply: ReplyLseek) {
        let wanted = match whence {
            SEEK_DATA => Wanted::Data,
            SEEK_HOLE => Wanted::Hole,
            _ => return reply.error(Errno::EINVAL),
        };
        let Ok(offset) = u64::try_from(offset) else { return reply.error(Errno::ENXIO) };
        self.ask(ino, fh, Asked::Seek(wanted), (offset, 0), Vec::new(), Answer::Offset(reply));
    }

    fn readdir(&self, _req: &Request, _ino: INodeNo, _fh: FileHandle, offset: u64, mut reply: ReplyDirectory) {
        let dots = [".", ".."].map(|name| (INodeNo::ROOT, FileType::Directory, name.to_string()));
        let names = locked(&self.0.shown).clone();
        let files = (FIRST..).zip(names).map(|(ino, shown)| (INodeNo(ino), FileType::RegularFile, shown.name));
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        for (next, (ino, kind, name)) in (1..).zip(dots.into_iter().chain(files)).skip(from) {
            if reply.add(ino, next, kind, name) {
                break;
            }
        }
        reply.ok();
    }

    fn statfs(&self, _req: &Request, _ino: INodeNo, reply: ReplyStatfs) {
        let (files, bytes) = {
            let shown = locked(&self.0.shown);
            (shown.len() as u64, shown.iter().map(|shown| shown.size).sum::<u64>())
        };
        reply.statfs(bytes / 4096, 0, 0, files, 0, 4096, 255, 4096);
    }
}

/// What whoever asked is told.
pub(super) fn errno(error: IoError) -> Errno {
    match error {
        IoError::Io | IoError::Shutdown => Errno::EIO,
        IoError::NoSpace => Errno::from_i32(rustix::io::Errno::NOSPC.raw_os_error()),
        IoError::Invalid => Errno::EINVAL,
        IoError::NotPermitted => Errno::EROFS,
    }
}
