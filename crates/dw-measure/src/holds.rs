//! What a device or file holds already: whatever can be recognised before anything is written to it.
//!
//! Source: the on-disk formats, each by its magic number at its place, as libblkid and the kernel look for them.
//!
//! Ignores: formats that are not in the table. What is not recognised is still not taken for free: see [`first_data`].

use std::io::{Read, Seek, SeekFrom};

/// A magic number: what it is of, where it stands, its bytes.
type Magic = (&'static str, u64, &'static [u8]);

/// From the beginning; the places of LVM's label are its first four sectors.
const MAGICS: [Magic; 26] = [
    ("a GPT partition table", 512, b"EFI PART"),
    ("a GPT partition table", 4096, b"EFI PART"),
    ("an ext2, ext3 or ext4 filesystem", 1080, b"\x53\xef"),
    ("an XFS filesystem", 0, b"XFSB"),
    ("a btrfs filesystem", 65_600, b"_BHRfS_M"),
    ("an NTFS filesystem", 3, b"NTFS    "),
    ("an exFAT filesystem", 3, b"EXFAT   "),
    ("a FAT filesystem", 54, b"FAT1"),
    ("a FAT filesystem", 82, b"FAT32"),
    ("an F2FS filesystem", 1024, b"\x10\x20\xf5\xf2"),
    ("a squashfs filesystem", 0, b"hsqs"),
    ("an EROFS filesystem", 1024, b"\xe2\xe1\xf5\xe0"),
    ("an ISO 9660 filesystem", 32_769, b"CD001"),
    ("a LUKS volume", 0, b"LUKS\xba\xbe"),
    ("a BitLocker volume", 3, b"-FVE-FS-"),
    ("an LVM physical volume", 0, b"LABELONE"),
    ("an LVM physical volume", 512, b"LABELONE"),
    ("an LVM physical volume", 1024, b"LABELONE"),
    ("an LVM physical volume", 1536, b"LABELONE"),
    ("a member of an md array", 0, b"\xfc\x4e\x2b\xa9"),
    ("a member of an md array", 4096, b"\xfc\x4e\x2b\xa9"),
    ("a bcache device", 4120, b"\xc6\x85\x73\xf6\x4e\x1a\x45\xca"),
    ("swap space", 4086, b"SWAPSPACE2"),
    ("swap space", 65_526, b"SWAPSPACE2"),
    ("a Ceph BlueStore device", 0, b"bluestore block device"),
    ("a DRBD or ZFS label", 131_072, b"\x0c\xb1\xba\x00\x00\x00\x00\x00"),
];
/// So much of the beginning is inspected.
const HEAD: u64 = 1 << 20;
/// Pieces between beginning and end, and bytes of each: a second on a slow disk.
const SAMPLES: u64 = 256;
const SAMPLE: u64 = 64 << 10;
/// And of the end: md arrays of version 0.90 and 1.0 and copies of partition tables are there.
const TAIL: u64 = 128 << 10;

/// What it holds, in words; `len` is its size.
pub fn what<T: Read + Seek>(target: &mut T, len: u64) -> std::io::Result<Option<&'static str>> {
    let head = part(target, 0, HEAD.min(len))?;
    let tail_at = len.saturating_sub(TAIL);
    let tail = part(target, tail_at, len - tail_at)?;
    Ok(in_head(&head).or_else(|| in_tail(&tail, tail_at, len)))
}

fn in_head(head: &[u8]) -> Option<&'static str> {
    let holds = |&&(_, at, magic): &&Magic| {
        let at = at as usize;
        head.get(at..at + magic.len()) == Some(magic)
    };
    if let Some((name, ..)) = MAGICS.iter().find(holds) {
        return Some(name);
    }
    (head.get(510..512) == Some(b"\x55\xaa")).then_some("an MBR partition table or boot sector")
}

fn in_tail(tail: &[u8], tail_at: u64, len: u64) -> Option<&'static str> {
    const MD: &[u8] = b"\xfc\x4e\x2b\xa9";
    let at = |place: u64| usize::try_from(place.checked_sub(tail_at)?).ok();
    let is = |place: u64, magic: &[u8]| at(place).is_some_and(|at| tail.get(at..at + magic.len()) == Some(magic));
    // 0.90: the last 64 KiB block that is whole; 1.0: 8 KiB from the end, on a 4 KiB boundary.
    let old = (len & !0xffff).saturating_sub(0x1_0000);
    let new = len.saturating_sub(8_192) & !0xfff;
    if is(old, MD) || is(new, MD) {
        return Some("a member of an md array");
    }
    [512, 4096].into_iter().any(|block| is(len.saturating_sub(block), b"EFI PART")).then_some("a GPT partition table")
}

/// The first byte found that is not zero: data of some kind. Looked at are the beginning, the end, and 255 pieces evenly
/// between them; data that lies between those is not found.
pub fn first_data<T: Read + Seek>(target: &mut T, len: u64) -> std::io::Result<Option<u64>> {
    let tail_at = len.saturating_sub(TAIL);
    let samples = (1..SAMPLES).map(|n| (len / SAMPLES * n, SAMPLE.min(len)));
    for (from, size) in [(0, HEAD.min(len))].into_iter().chain(samples).chain([(tail_at, len - tail_at)]) {
        if let Some(at) = part(target, from, size)?.iter().position(|&byte| byte != 0) {
            return Ok(Some(from + at as u64));
        }
    }
    Ok(None)
}

fn part<T: Read + Seek>(target: &mut T, from: u64, size: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    target.seek(SeekFrom::Start(from))?;
    target.by_ref().take(size).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    const LEN: usize = 4 << 20;

    fn with(at: usize, bytes: &[u8]) -> Cursor<Vec<u8>> {
        let mut image = vec![0; LEN];
        image[at..at + bytes.len()].copy_from_slice(bytes);
        Cursor::new(image)
    }

    #[test]
    fn every_magic_number_is_found_at_its_place_and_only_there() {
        for (name, at, magic) in MAGICS {
            assert_eq!(what(&mut with(at as usize, magic), LEN as u64).unwrap(), Some(name), "{name} at {at}");
            let elsewhere = what(&mut with(LEN / 2 + at as usize, magic), LEN as u64).unwrap();
            assert_eq!(elsewhere, None, "{name} at {at}");
        }
        assert_eq!(
            what(&mut with(510, b"\x55\xaa"), LEN as u64).unwrap(),
            Some("an MBR partition table or boot sector")
        );
        let md = b"\xfc\x4e\x2b\xa9";
        for at in [LEN - 65_536, LEN - 8_192] {
            assert_eq!(what(&mut with(at, md), LEN as u64).unwrap(), Some("a member of an md array"), "{at}");
        }
        assert_eq!(what(&mut with(LEN - 512, b"EFI PART"), LEN as u64).unwrap(), Some("a GPT partition table"));
    }

    #[test]
    fn what_is_not_recognised_is_still_data() {
        assert_eq!(first_data(&mut with(5_000, b"x"), LEN as u64).unwrap(), Some(5_000));
        assert_eq!(first_data(&mut with(LEN / 2 + 5, b"x"), LEN as u64).unwrap(), Some(LEN as u64 / 2 + 5));
        assert_eq!(first_data(&mut with(LEN - 1, b"x"), LEN as u64).unwrap(), Some(LEN as u64 - 1));
        assert_eq!(first_data(&mut Cursor::new(vec![0; LEN]), LEN as u64).unwrap(), None);
        let tiny = 100;
        assert_eq!(what(&mut Cursor::new(vec![0; tiny]), tiny as u64).unwrap(), None);
        assert_eq!(first_data(&mut Cursor::new(Vec::new()), 0).unwrap(), None);
    }
}
