//! Copies from and to pages of a file that another process can cut off, or for which its file system has no room.
//!
//! Touching such a page is a SIGBUS, which ends the process with everybody's disks. So a thread notes which pages it is about to
//! touch. A SIGBUS at one of them puts anonymous pages in the place of all of them and leaves a mark; the copy then runs to its end on
//! those, the file's own pages are put back, and the copy has failed. Any other SIGBUS does what it did before.
//!
//! ```text
//!  note ─▶ copy ──────────────────────────▶ unmark ─▶ done
//!           └─ SIGBUS: other pages, mark ─▶ copy ─▶ unmark: marked ─▶ own pages back ─▶ lost
//! ```
//!
//! Source: libwayland goes about the buffers of its clients in the same way (wayland-shm.c).
//!
//! Invariant: whenever no copy is under way, the pages of a mapping are its file's.
#![allow(unsafe_code, reason = "signal handlers and mappings in place have no safe door")]

use std::ffi::{c_int, c_void};
use std::io;
use std::ops::Range;
use std::os::fd::AsRawFd;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst, compiler_fence};

use rustix::fs::fstat;
use vm_memory::{MmapRegion, VolatileMemory, VolatileSlice};

/// Why bytes could not be copied.
#[derive(Debug)]
pub(super) enum Lost {
    /// They are not in the mapping.
    Outside,
    /// They are not in the file any more.
    CutOff,
    /// The file system has no room for them.
    NoRoom,
    /// The file's own pages could not be put back.
    Broken(io::Error),
}

/// The copy that a thread has under way. Its own signal handler looks at it, so it is made of what handlers may look at.
struct UnderWay {
    /// The pages that it touches; none when `end` is 0.
    start: AtomicUsize,
    end: AtomicUsize,
    /// Others were put in their place.
    replaced: AtomicBool,
}

thread_local! {
    // Neither made at its first use nor dropped, so that a handler finds it whenever it comes.
    static UNDER_WAY: UnderWay = const {
        UnderWay { start: AtomicUsize::new(0), end: AtomicUsize::new(0), replaced: AtomicBool::new(false) }
    };
}

/// What a SIGBUS did before.
static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

/// From now on a SIGBUS during a [`copy`] ends the copy alone, in all threads of this process.
pub(super) fn watch() {
    BEFORE.get_or_init(|| {
        let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = on_sigbus;
        // SAFETY: zeroes are a valid `sigaction` of no flags and an empty mask; both pointers are to values that live through the
        // calls; and the handler keeps to what handlers may do: it reads lock-free atomics, and calls mmap, sigaction and raise.
        unsafe {
            let (mut action, mut before): (libc::sigaction, libc::sigaction) = (std::mem::zeroed(), std::mem::zeroed());
            libc::sigemptyset(&raw mut action.sa_mask);
            action.sa_sigaction = handler as usize;
            // On the stack that Rust sets aside for its own handler, which ours passes the rest on to.
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            let set = libc::sigaction(libc::SIGBUS, &raw const action, &raw mut before);
            assert_eq!(set, 0, "the signal exists, and so does the handler");
            before
        }
    });
}

extern "C" fn on_sigbus(_: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
    // SAFETY: with SA_SIGINFO the kernel gives a handler what happened; of a SIGBUS that it sent itself that has an address.
    let fault = unsafe { ((*info).si_code > 0).then(|| (*info).si_addr() as usize) };
    if fault.is_some_and(|address| UNDER_WAY.with(|copy| copy.replace(address))) {
        return;
    }
    // SAFETY: what was in force before is valid, and zeroes are the default action. A fault is met again after the return; a signal
    // that somebody sent ends the process, as it would without a handler: nobody is served without the guard.
    unsafe {
        let default = std::mem::zeroed();
        let next = BEFORE.get().filter(|_| fault.is_some()).unwrap_or(&default);
        libc::sigaction(libc::SIGBUS, &raw const *next, std::ptr::null_mut());
        if fault.is_none() {
            libc::raise(libc::SIGBUS);
        }
    }
}

impl UnderWay {
    fn begin(&self, pages: &Range<usize>) {
        self.start.store(pages.start, Relaxed);
        self.end.store(pages.end, Relaxed);
        // The copy is not begun before this is noted, nor noted as over before it is.
        compiler_fence(SeqCst);
    }

    /// The copy is over; whether it had pages of its own in the end.
    fn end(&self) -> bool {
        compiler_fence(SeqCst);
        self.end.store(0, Relaxed);
        self.replaced.load(Relaxed) && self.replaced.swap(false, Relaxed)
    }

    /// Puts anonymous pages in the place of those that are copied, if `address` is in one of them.
    fn replace(&self, address: usize) -> bool {
        let (start, end) = (self.start.load(Relaxed), self.end.load(Relaxed));
        if !(start..end).contains(&address) {
            return false;
        }
        self.replaced.store(true, Relaxed);
        // SAFETY: these are whole pages of a mapping which the interrupted function of this thread borrows. No reference leads into it:
        // memory that its owner changes at any time is only copied from and to, by one thread.
        let placed = unsafe {
            let (access, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            let flags = flags | libc::MAP_NORESERVE | libc::MAP_FIXED;
            libc::mmap(start as *mut c_void, end - start, access, flags, -1, 0)
        };
        placed != libc::MAP_FAILED
    }
}

/// Does what `work` does with `len` bytes of a mapping from `at` on, which is to copy them and nothing else. [`watch`] comes first.
#[inline]
pub(super) fn copy(
    mapping: &MmapRegion,
    at: usize,
    len: usize,
    work: impl FnOnce(&VolatileSlice<'_>),
) -> Result<(), Lost> {
    let slice = mapping.get_slice(at, len).map_err(|_| Lost::Outside)?;
    let pages = pages(mapping, at, len);
    let lost = UNDER_WAY.with(|copy| {
        copy.begin(&pages);
        work(&slice);
        copy.end()
    });
    if lost { Err(put_back(mapping, &pages)) } else { Ok(()) }
}

/// The addresses of the pages with these bytes. Huge pages cannot be replaced by halves, and not each says how large it is.
#[inline]
fn pages(mapping: &MmapRegion, at: usize, len: usize) -> Range<usize> {
    let (begin, page) = (mapping.as_ptr() as usize, rustix::param::page_size());
    if mapping.is_hugetlbfs() == Some(true) {
        return begin..begin + mapping.size();
    }
    // A mapping begins with a page, and all of its last page is its own. The size of a page is a power of two.
    (begin + at) & !(page - 1)..(begin + at + len + page - 1) & !(page - 1)
}

/// Gives a mapping its file's pages back; why they could not be touched.
#[cold]
fn put_back(mapping: &MmapRegion, pages: &Range<usize>) -> Lost {
    let Some(file) = mapping.file_offset() else { return Lost::Broken(io::ErrorKind::Unsupported.into()) };
    let offset = file.start() + (pages.start - mapping.as_ptr() as usize) as u64;
    let flags = mapping.flags() | libc::MAP_FIXED;
    // SAFETY: whole pages of this mapping, which nothing refers into, become again what they were when it was made.
    let placed = unsafe {
        let (start, len) = (pages.start as *mut c_void, pages.end - pages.start);
        libc::mmap(start, len, mapping.prot(), flags, file.file().as_raw_fd(), offset as libc::off_t)
    };
    if placed == libc::MAP_FAILED {
        return Lost::Broken(io::Error::last_os_error());
    }
    let needed = file.start() + mapping.size() as u64;
    match fstat(file.file()) {
        Ok(stat) if stat.st_size as u64 >= needed => Lost::NoRoom,
        Ok(_) => Lost::CutOff,
        Err(error) => Lost::Broken(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::Command;

    use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
    use vm_memory::FileOffset;

    use super::*;

    /// In a process of its own, which it ends: a SIGBUS beside a copy goes on being the end.
    #[test]
    fn a_bus_error_of_anybody_else_is_still_the_end() {
        const ASKED: &str = "DISKWRIGHT_TEST_SIGBUS";
        if std::env::var_os(ASKED).is_some() {
            watch();
            let file = std::fs::File::from(memfd_create("cut off", MemfdFlags::CLOEXEC).expect("a memfd"));
            ftruncate(&file, 8192).expect("its size");
            let same = file.try_clone().expect("another descriptor");
            let mapping: MmapRegion = MmapRegion::from_file(FileOffset::new(file, 0), 8192).expect("a mapping");
            copy(&mapping, 0, 8192, |piece| piece.copy_from(&[1u8; 8192])).expect("all of it is there");
            ftruncate(&same, 0).expect("it is not sealed");
            assert!(matches!(copy(&mapping, 0, 1, |piece| piece.copy_from(&[1u8])), Err(Lost::CutOff)));
            // SAFETY: it is mapped, though touching it is the end.
            let _ = unsafe { mapping.as_ptr().read_volatile() };
            unreachable!("the page is not there");
        }
        let name = "vhost_user::guarded::tests::a_bus_error_of_anybody_else_is_still_the_end";
        let mut again = Command::new(std::env::current_exe().expect("this program"));
        let ended = again.args(["--exact", name]).env(ASKED, "1").output().expect("it runs");
        assert_eq!(ended.status.signal(), Some(libc::SIGBUS), "{ended:?}");
    }
}
