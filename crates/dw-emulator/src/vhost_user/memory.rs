//! The client's memory, mapped into this process.
//!
//! An address is looked up in the client's regions each time, so that no address leads anywhere else. The bytes may change while
//! they are read: everything is copied once and looked at afterwards.
//!
//! Only memory of the kernel's own is taken (memfd, tmpfs, hugetlbfs): touching a page of a file may wait for a disk, or for a
//! program, and this thread serves everybody. Where the client allows it the file is sealed against becoming shorter: QEMU's memfd is,
//! libblkio's and files in /dev/shm cannot be. What is cut off all the same, and what has no room because a tmpfs is full, is an error of
//! the one copy that meets it (`guarded`).

use std::fs::File;
use std::os::fd::OwnedFd;
use std::sync::atomic::Ordering;

use rustix::fs::{FileType, SealFlags, fcntl_add_seals, fcntl_get_seals, fstat, fstatfs};
use vm_memory::{
    Bytes, FileOffset, GuestAddress, GuestMemoryBackend, GuestMemoryMmap, GuestMemoryRegion, GuestRegionMmap,
    MmapRegion, VolatileSlice, WriteVolatile,
};

use super::fault::Fault;
use super::guarded::{self, Lost};
use super::message::Region;

/// Regions that a client may have.
pub const REGIONS_MAX: usize = 64;
const TMPFS: u64 = 0x0102_1994;
const HUGETLBFS: u64 = 0x9584_58f6;

/// All regions of a client.
#[derive(Debug, Default)]
pub struct Memory {
    map: GuestMemoryMmap<()>,
    regions: Vec<Region>,
}

impl Memory {
    /// These regions and no others.
    ///
    /// # Errors
    /// When they overlap, or their files cannot be mapped.
    pub fn new(regions: Vec<Region>, files: Vec<OwnedFd>) -> Result<Memory, Fault> {
        let mut memory = Memory::default();
        for (region, file) in regions.into_iter().zip(files) {
            memory.add(region, file)?;
        }
        Ok(memory)
    }

    /// One region more.
    ///
    /// # Errors
    /// When it overlaps another one, or its file cannot be mapped.
    pub fn add(&mut self, region: Region, file: OwnedFd) -> Result<(), Fault> {
        let bad = |why: &dyn std::fmt::Display| Fault::Memory(why.to_string());
        if self.regions.len() >= REGIONS_MAX {
            return Err(Fault::Memory(format!("more than {REGIONS_MAX} regions")));
        }
        region.user.checked_add(region.size).ok_or_else(|| bad(&"a region ends beyond the last address"))?;
        let size = usize::try_from(region.size).map_err(|e| bad(&e))?;
        let (file, huge) = usable(file, region.offset, region.size)?;
        guarded::watch();
        let mut mapped = MmapRegion::from_file(FileOffset::new(file, region.offset), size).map_err(|e| bad(&e))?;
        mapped.set_hugetlbfs(huge);
        let mapped = GuestRegionMmap::new(mapped, GuestAddress(region.guest))
            .ok_or_else(|| bad(&"a region ends beyond the last address"))?;
        self.map = self.map.insert_region(mapped.into()).map_err(|e| bad(&e))?;
        self.regions.push(region);
        Ok(())
    }

    /// Without this region.
    ///
    /// # Errors
    /// When there is no such region.
    pub fn remove(&mut self, region: &Region) -> Result<(), Fault> {
        let same = |r: &Region| (r.guest, r.size, r.user) == (region.guest, region.size, region.user);
        let missing = || Fault::Memory("a region is to go that is not there".into());
        let at = self.regions.iter().position(same).ok_or_else(missing)?;
        let (map, _) = self.map.remove_region(GuestAddress(region.guest), region.size).map_err(|_| missing())?;
        self.map = map;
        self.regions.swap_remove(at);
        Ok(())
    }

    /// The guest's address of what the client itself has at `user`.
    ///
    /// # Errors
    /// When that is not its memory.
    pub fn guest_address(&self, user: u64) -> Result<u64, Fault> {
        let inside = |r: &&Region| user.checked_sub(r.user).is_some_and(|offset| offset < r.size);
        let region = self.regions.iter().find(inside).ok_or(Fault::Outside { address: user, len: 1 })?;
        Ok(region.guest + (user - region.user))
    }

    /// Whether all of it is the client's memory.
    ///
    /// # Errors
    /// When not.
    #[inline]
    pub fn check(&self, address: u64, len: u64) -> Result<(), Fault> {
        let inside = usize::try_from(len)
            .is_ok_and(|len| self.is_in_one(address, len) || self.map.check_range(GuestAddress(address), len));
        if len == 0 || inside { Ok(()) } else { Err(Fault::Outside { address, len }) }
    }

    /// Whether it lies in one region, as nearly everything does. The library's own way, by an iterator over all regions that a range
    /// reaches, costs more than copying a few bytes: it was a third of the time of a request.
    #[inline]
    fn is_in_one(&self, address: u64, len: usize) -> bool {
        let found = self.map.to_region_addr(GuestAddress(address));
        found.is_some_and(|(region, at)| region.get_slice(at, len).is_ok())
    }

    /// Copies `len` bytes, those of each region in one piece: `work` is told how many came before.
    #[inline]
    fn each(&self, address: u64, len: usize, mut work: impl FnMut(usize, &VolatileSlice<'_>)) -> Result<(), Fault> {
        let outside = || Fault::Outside { address, len: len as u64 };
        let mut done = 0;
        while done < len {
            let at = address.checked_add(done as u64).ok_or_else(outside)?;
            let (region, within) = self.map.to_region_addr(GuestAddress(at)).ok_or_else(outside)?;
            let within = within.0 as usize;
            let here = (len - done).min(region.size() - within);
            guarded::copy(region, within, here, |piece| work(done, piece)).map_err(|lost| match lost {
                Lost::Outside => outside(),
                Lost::CutOff => Fault::CutOff { address: at, len: here as u64 },
                Lost::NoRoom => Fault::NoRoom { address: at, len: here as u64 },
                Lost::Broken(why) => Fault::System { what: "the client's memory", why },
            })?;
            done += here;
        }
        Ok(())
    }

    /// Appends `len` bytes of it to `out`.
    ///
    /// # Errors
    /// When they are not all there.
    #[inline]
    pub fn append(&self, address: u64, len: usize, out: &mut Vec<u8>) -> Result<(), Fault> {
        out.reserve(len);
        // Into a vector with room everything goes.
        self.each(address, len, |_, piece| {
            let _ = out.write_all_volatile(piece);
        })
    }

    /// Copies bytes out of it.
    ///
    /// # Errors
    /// When they are not all there.
    #[inline]
    pub fn read(&self, address: u64, out: &mut [u8]) -> Result<(), Fault> {
        self.each(address, out.len(), |done, piece| {
            piece.copy_to(&mut out[done..]);
        })
    }

    /// Copies bytes into it.
    ///
    /// # Errors
    /// When there is not room for all of them.
    #[inline]
    pub fn write(&self, address: u64, bytes: &[u8]) -> Result<(), Fault> {
        self.each(address, bytes.len(), |done, piece| piece.copy_from(&bytes[done..]))
    }

    /// A number that the other side changes: everything that it wrote before is seen afterwards.
    ///
    /// # Errors
    /// When it is not there, or not where such a number can be.
    #[inline]
    pub fn load(&self, address: u64) -> Result<u16, Fault> {
        let mut loaded = None;
        self.each(address, 2, |_, piece| loaded = piece.load::<u16>(0, Ordering::Acquire).ok())?;
        loaded.map(u16::from_le).ok_or(Fault::Outside { address, len: 2 })
    }

    /// A number that the other side waits for: it sees everything that was written before.
    ///
    /// # Errors
    /// When there is no room for it, or not where such a number can be.
    #[inline]
    pub fn store(&self, address: u64, value: u16) -> Result<(), Fault> {
        let mut stored = None;
        self.each(address, 2, |_, piece| stored = piece.store(value.to_le(), 0, Ordering::Release).ok())?;
        stored.ok_or(Fault::Outside { address, len: 2 })
    }
}

/// A file that can be mapped without harm, as long as it must be; with whether its pages are huge.
fn usable(file: OwnedFd, offset: u64, size: u64) -> Result<(File, bool), Fault> {
    let bad = |why: &str| Err(Fault::Memory(why.into()));
    let failed = |why: rustix::io::Errno| Fault::System { what: "a file of the client's memory", why: why.into() };
    if FileType::from_raw_mode(fstat(&file).map_err(failed)?.st_mode) != FileType::RegularFile {
        return bad("it is in something that is not a file; share memory-backend-memfd");
    }
    let kind = fstatfs(&file).map_err(failed)?.f_type as u64 & 0xffff_ffff;
    if ![TMPFS, HUGETLBFS].contains(&kind) {
        return bad("it is in a file on a disk; share memory-backend-memfd, or a file in /dev/shm or hugetlbfs");
    }
    let sealed = fcntl_get_seals(&file).is_ok_and(|seals| seals.contains(SealFlags::SHRINK));
    if !sealed {
        let _ = fcntl_add_seals(&file, SealFlags::SHRINK);
    }
    let end = offset.saturating_add(size);
    if size == 0 || end > fstat(&file).map_err(failed)?.st_size as u64 {
        return bad("a region is longer than its file");
    }
    Ok((File::from(file), kind == HUGETLBFS))
}

#[cfg(test)]
pub(crate) mod tests {
    use std::os::unix::fs::FileExt as _;

    use rustix::fs::{MemfdFlags, ftruncate, memfd_create};

    use super::*;

    /// A file of memory, as QEMU makes them, or as nobody can seal them.
    pub fn memfd(size: u64, sealable: bool) -> OwnedFd {
        let flags = if sealable { MemfdFlags::ALLOW_SEALING } else { MemfdFlags::empty() };
        let file = memfd_create("guest", flags | MemfdFlags::CLOEXEC).expect("a memfd");
        ftruncate(&file, size).expect("its size");
        file
    }

    fn region(guest: u64, size: u64, user: u64, offset: u64) -> Region {
        Region { guest, size, user, offset }
    }

    /// Whether these regions of 64 KiB files are taken, or what is said of them.
    fn check(regions: &[Region], expected: Result<(), &str>) {
        let files = regions.iter().map(|_| memfd(1 << 16, true)).collect();
        match (Memory::new(regions.to_vec(), files), expected) {
            (Ok(_), Ok(())) => {}
            (Err(found), Err(expected)) => assert!(found.to_string().contains(expected), "{regions:x?}: {found}"),
            (found, expected) => panic!("{regions:x?}: {found:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn regions_that_cannot_be_are_refused() {
        check(&[region(0, 1 << 16, 0x7000_0000, 0)], Ok(()));
        check(&[region(1 << 20, 1 << 12, 0x8000_0000, 0), region(0, 1 << 16, 0x7000_0000, 0)], Ok(()));
        check(&[region(0, 0, 0, 0)], Err("longer than its file"));
        check(&[region(0, 1 << 17, 0, 0)], Err("longer than its file"));
        check(&[region(0, 1 << 16, 0, 4096)], Err("longer than its file"));
        check(&[region(0, u64::MAX, 0, 1)], Err("longer than its file"));
        check(&[region(0, 4096, 0, 1)], Err(""));
        check(&[region(0, 1 << 16, u64::MAX - 4096, 0)], Err("beyond the last address"));
        check(&[region(u64::MAX - 4096, 1 << 16, 0, 0)], Err(""));
        check(&[region(0, 1 << 16, 0, 0), region(1 << 15, 1 << 16, 1 << 20, 0)], Err("intersect"));
    }

    #[test]
    fn what_is_no_memory_is_refused() {
        let refused = |file: OwnedFd| Memory::new(vec![region(0, 4096, 0, 0)], vec![file]).unwrap_err().to_string();
        let file = tempfile::tempfile_in(env!("CARGO_MANIFEST_DIR")).expect("a file");
        file.set_len(4096).expect("its size");
        assert!(refused(file.into()).contains("a file on a disk"), "its pages may take time");
        let (pipe, _) = rustix::pipe::pipe().expect("a pipe");
        assert!(refused(pipe).contains("not a file"));
        assert!(refused(File::open("/dev/zero").expect("a device").into()).contains("not a file"));
    }

    #[test]
    fn memory_that_is_shared_cannot_be_cut_off_any_more() {
        let file = memfd(1 << 16, true);
        let same = file.try_clone().expect("another descriptor");
        let memory = Memory::new(vec![region(0, 1 << 16, 0, 0)], vec![file]).expect("memory");
        assert!(ftruncate(&same, 0).is_err());
        memory.write(0, &[1; 1 << 16]).expect("all of it is there");
        Memory::new(vec![region(0, 1 << 16, 0, 0)], vec![memfd(1 << 16, false)]).expect("libblkio's cannot be sealed");
    }

    /// A client that does that twice, and another one beside it.
    #[test]
    fn memory_that_is_cut_off_is_an_error_of_whoever_touches_it() {
        const LEN: u64 = 1 << 16;
        let share = || {
            let file = memfd(LEN, false);
            let same = File::from(file.try_clone().expect("another descriptor"));
            (Memory::new(vec![region(0, LEN, 0, 0)], vec![file]).expect("memory"), same)
        };
        let ((memory, file), (other, _)) = (share(), share());
        let cut_off = |result: Result<(), Fault>, what: &str| {
            assert!(matches!(result, Err(Fault::CutOff { .. })), "{what}: {result:?}");
        };
        for _ in 0..2 {
            file.set_len(4096).expect("it is not sealed");
            cut_off(memory.read(4095, &mut [0; 2]), "half of it is there");
            cut_off(memory.write(0, &[1; LEN as usize]), "the first page of it is there");
            cut_off(memory.append(8192, 8192, &mut Vec::new()), "nothing of it is there");
            cut_off(memory.load(4096).map(drop), "a number");
            cut_off(memory.store(LEN - 2, 7), "the last number");
            memory.write(0, &[2; 4096]).expect("this is there");
            other.write(0, &[3; LEN as usize]).expect("nobody has cut this off");
            file.set_len(LEN).expect("longer again");
            memory.write(4096, &[4; 4096]).expect("as long as it was");
            let mut found = vec![9; LEN as usize];
            file.read_exact_at(&mut found, 0).expect("it is a file");
            let expected = [[2; 4096], [4; 4096]].concat();
            assert!(found.starts_with(&expected), "what is written is the client's");
            assert!(found[8192..].iter().all(|&byte| byte == 0), "and nothing of what was lost");
        }
    }

    /// Pages of their own size, of which there are none where nobody has set any aside.
    #[test]
    fn huge_pages_that_are_not_there_are_an_error() {
        let Ok(file) = memfd_create("huge", MemfdFlags::CLOEXEC | MemfdFlags::HUGETLB) else {
            return eprintln!("SKIPPED: this kernel has no huge pages");
        };
        let size = 2 * fstat(&file).expect("a file").st_blksize as u64;
        ftruncate(&file, size).expect("its size");
        let memory = Memory::new(vec![region(0, size, 0, 0)], vec![file]).expect("memory");
        for _ in 0..2 {
            match memory.write(size - 8, &[1; 8]) {
                Ok(()) => return eprintln!("SKIPPED: huge pages are set aside here"),
                written => assert!(matches!(written, Err(Fault::NoRoom { .. })), "{written:?}"),
            }
            assert!(matches!(memory.read(0, &mut [0]), Err(Fault::NoRoom { .. })));
        }
    }

    #[test]
    fn addresses_are_those_of_regions_and_no_others() {
        let regions = vec![region(0x1000, 0x1000, 0x7000_0000, 0), region(0x2000, 0x1000, 0x9000_0000, 0)];
        let memory = Memory::new(regions.clone(), vec![memfd(1 << 16, true), memfd(1 << 16, true)]).expect("memory");
        let inside = [(0x1000, 0x2000), (0x1fff, 2), (0x2fff, 1), (0, 0), (u64::MAX, 0)];
        let outside = [(0xfff, 1), (0x1000, 0x2001), (0x3000, 1), (0x2fff, 2), (0x2000, u64::MAX), (u64::MAX, 1)];
        inside.iter().for_each(|&(at, len)| memory.check(at, len).unwrap_or_else(|e| panic!("{at:#x} {len}: {e}")));
        outside.iter().for_each(|&(at, len)| assert!(memory.check(at, len).is_err(), "{at:#x} {len}"));
        let (mut read, mut appended) = ([0; 2], vec![7]);
        memory.write(0x1fff, &[8, 9]).expect("half of it in each region");
        memory.read(0x1fff, &mut read).expect("as it was written");
        memory.append(0x1fff, 2, &mut appended).expect("as it was written");
        assert_eq!((read, appended), ([8, 9], vec![7, 8, 9]));
        let users = [(0x7000_0000, Some(0x1000)), (0x9000_0fff, Some(0x2fff)), (0x7000_1000, None), (0, None)];
        for (user, expected) in users {
            assert_eq!(memory.guest_address(user).ok(), expected, "{user:#x}");
        }
        let mut memory = memory;
        memory.remove(&regions[0]).expect("it was there");
        assert!(memory.remove(&regions[0]).is_err() && memory.check(0x1000, 1).is_err());
        memory.check(0x2000, 0x1000).expect("the other one is still there");
        assert!(memory.load(0x2001).is_err() && memory.store(0x2001, 0).is_err(), "no number is at an odd address");
    }
}
