//! What the name of a device says it is.
//!
//! Names of the Linux kernel are a closed list: disks, partitions by three schemes (`sda1`, `nvme0n1p1`, `wwn-0x5000-part1`),
//! and devices that lie on others. Names of device-mapper are free: `rhel-root` and `luks-5f3a` have a form, `redo01` has none
//! and stays [`Kind::Unclear`], to be judged by what it does.
//!
//! Source: the kernel's `Documentation/admin-guide/devices.txt`, `Documentation/block`, the rules of udev for persistent
//! names, and the manuals of lvm, multipath, VxVM and PowerPath.
//!
//! Ignores: which device lies on which; names do not say it.

use super::sample::{ALL_LUNS, Role};

/// What a device is, as far as its name or its file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Disk,
    /// A part of one of these, whichever there is.
    PartOf(Vec<String>),
    /// It lies on others; what it is.
    Layer(&'static str),
    /// It lies on others, and serves some requests without them, or stores fewer bytes than it is asked.
    Cache(&'static str),
    Loop,
    /// One path to this device.
    PathTo(String),
    /// A sum of others.
    Total,
    /// A sum of those whose names begin so.
    TotalOf(&'static str),
    Unclear,
}

/// So many disks of two letters make one of three plausible.
const MANY: usize = 26;

const LOGICAL: &str = "logical-volume";
pub(crate) const MAPPED: &str = "mapped-device";
pub(crate) const MULTIPATH: &str = "multipath";
const VOLUME: &str = "volume";

/// Names that end in letters: prefix, most letters, and what a device of this name lies on, if on anything.
const LETTERED: [(&str, usize, Option<&str>); 12] = [
    ("sd", 2, None),
    ("vd", 2, None),
    ("xvd", 2, None),
    ("hd", 2, None),
    ("ubd", 2, None),
    ("dasd", 4, None),
    ("rssd", 3, None),
    ("fio", 2, None),
    ("scini", 3, None),
    ("emcpower", 3, Some(MULTIPATH)),
    ("hdiskpower", 3, Some(MULTIPATH)),
    ("mpath", 4, Some(MULTIPATH)),
];

/// Names that end in a number.
const NUMBERED: [(&str, Option<&str>); 22] = [
    ("mmcblk", None),
    ("nbd", None),
    ("rbd", None),
    ("pmem", None),
    ("skd", None),
    ("rsxx", None),
    ("mtdblock", None),
    ("nullb", None),
    ("md_d", Some("array")),
    ("md", Some("array")),
    ("dm-", Some(MAPPED)),
    ("mpath", Some(MULTIPATH)),
    ("VxVM", Some("vxvm-volume")),
    ("VxDMP", Some(MULTIPATH)),
    ("HarddiskVolume", Some(VOLUME)),
    ("emcpower", Some(MULTIPATH)),
    ("asm", Some(MAPPED)),
    ("dmraid", Some("array")),
    ("vdo", Some(MAPPED)),
    ("zfs", Some(VOLUME)),
    ("lvol", Some(LOGICAL)),
    ("fiod", None),
];

/// Names that end in a number, of devices that keep some I/O from the disks below them.
const CACHES: [(&str, &str); 3] = [("bcache", "cache"), ("zd", "zfs-volume"), ("drbd", "mirror")];

/// What udev and `iostat -j` call disks.
const PERSISTENT: [&str; 9] = ["ata-", "scsi-", "wwn-", "nvme-", "virtio-", "usb-", "mmc-", "google-", "pci-"];

/// Whether two of a kind may move the same bytes and be two: mirrors are made of them. Mapped devices lie on each other.
pub(crate) fn may_mirror(a: &Kind, b: &Kind) -> bool {
    let apart = |what: &str| [VOLUME, "array", "vxvm-volume"].contains(&what);
    match (a, b) {
        (Kind::Cache(_), Kind::Cache(_)) => true,
        (Kind::Layer(one), Kind::Layer(other)) => one == other && apart(one),
        _ => false,
    }
}

/// What a device is by its role and its name.
pub(crate) fn kind(name: &str, role: Role) -> Kind {
    match role {
        Role::Disk if name == ALL_LUNS => return Kind::TotalOf("LUN "),
        Role::Disk => return Kind::Disk,
        Role::Volume => return Kind::Layer(VOLUME),
        Role::Total => return Kind::Total,
        Role::Partition | Role::Unknown => {}
    }
    if name == "_Total" || name == "ALL" {
        return Kind::Total;
    }
    if let Some(kind) = whole(name) {
        return kind;
    }
    let parents: Vec<String> = parents(name).into_iter().filter(|parent| whole(parent).is_some()).collect();
    if !parents.is_empty() {
        return Kind::PartOf(parents);
    }
    free(name).unwrap_or(Kind::Unclear)
}

fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// What a name would be a partition of.
fn parents(name: &str) -> Vec<String> {
    if let Some((disk, _)) = name.rsplit_once("-part").filter(|(_, number)| all_digits(number)) {
        return vec![disk.to_string()];
    }
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    if stem.len() == name.len() {
        return Vec::new();
    }
    // `mpathap1` is a part of `mpatha`, or of `mpathap`.
    stem.strip_suffix('p').into_iter().chain([stem]).filter(|s| !s.is_empty()).map(str::to_string).collect()
}

/// A whole device with a name of the kernel's.
fn whole(name: &str) -> Option<Kind> {
    if let Some(kind) = by_number(name) {
        return Some(kind);
    }
    let lies = |on: Option<&'static str>| on.map_or(Kind::Disk, Kind::Layer);
    let after = |prefix: &str| name.strip_prefix(prefix);
    if after("loop").is_some_and(all_digits) {
        return Some(Kind::Loop);
    }
    if let Some(kind) = after("nvme").and_then(nvme) {
        return Some(kind);
    }
    for (prefix, most, on) in LETTERED {
        let letters = |rest: &str| rest.len() <= most && rest.bytes().all(|b| b.is_ascii_lowercase());
        if after(prefix).is_some_and(|rest| !rest.is_empty() && letters(rest)) {
            return Some(lies(on));
        }
    }
    if let Some((_, what)) = CACHES.into_iter().find(|(prefix, _)| after(prefix).is_some_and(all_digits)) {
        return Some(Kind::Cache(what));
    }
    if let Some((_, on)) = NUMBERED.into_iter().find(|(prefix, _)| after(prefix).is_some_and(all_digits)) {
        return Some(lies(on));
    }
    // Controllers of HP and others: cciss/c0d0, which sysstat may print with an exclamation mark.
    let controller = ["cciss", "ida", "rd", "i2o", "ataraid"].iter().find_map(|c| after(c)?.strip_prefix(['/', '!']));
    if controller
        .and_then(|rest| rest.strip_prefix('c')?.split_once('d'))
        .is_some_and(|(c, d)| all_digits(c) && all_digits(d))
    {
        return Some(Kind::Disk);
    }
    // The identifier of a disk in storage networks: what multipath calls it.
    let hex =
        |text: &str, lengths: &[usize]| lengths.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit());
    // A volume of a cloud by its id, whatever device it is at the moment.
    if after("vol-").is_some_and(|id| hex(id, &[8, 17])) {
        return Some(Kind::Disk);
    }
    let identifier = hex(name, &[17, 33]) && name.starts_with(|c: char| c.is_ascii_digit());
    if identifier || ["eui.", "naa.", "uuid."].iter().any(|p| after(p).is_some_and(|rest| rest.len() >= 16)) {
        return Some(Kind::Layer(MULTIPATH));
    }
    let is_part = name.rsplit_once("-part").is_some_and(|(_, number)| all_digits(number));
    if !is_part && ["dm-name-", "dm-uuid-", "lvm-pv-uuid-", "md-name-", "md-uuid-"].iter().any(|p| after(p).is_some()) {
        return Some(Kind::Layer(MAPPED));
    }
    if !is_part && PERSISTENT.iter().any(|p| after(p).is_some()) {
        return Some(Kind::Disk);
    }
    // Disks of Windows by their number, volumes by their letter.
    let number = name.split(' ').next().unwrap_or_default();
    if all_digits(number) && (number == name || name.ends_with(':')) {
        return Some(Kind::Disk);
    }
    let letter = name.len() == 2 && name.ends_with(':') && name.as_bytes()[0].is_ascii_alphabetic();
    letter.then_some(Kind::Layer(VOLUME))
}

/// `0n1` of nvme0n1, and `0c1n1` of one of its paths.
fn nvme(rest: &str) -> Option<Kind> {
    let (controller, namespace) = rest.split_once('n')?;
    if !all_digits(namespace) {
        return None;
    }
    match controller.split_once('c') {
        Some((subsystem, path)) if all_digits(subsystem) && all_digits(path) => {
            Some(Kind::PathTo(format!("nvme{subsystem}n{namespace}")))
        }
        None if all_digits(controller) => Some(Kind::Disk),
        _ => None,
    }
}

/// Names that people and programs give to mapped devices.
fn free(name: &str) -> Option<Kind> {
    if name.starts_with("luks-") || name.starts_with("crypt") || name.ends_with("_crypt") {
        return Some(Kind::Layer("encrypted"));
    }
    if name.starts_with("docker-") {
        return Some(Kind::Layer("docker"));
    }
    if name.contains("mpath") {
        return Some(Kind::Layer(MULTIPATH));
    }
    if name.starts_with("vx/") || name.starts_with("vxio") || name.starts_with("vxdmp") {
        return Some(Kind::Layer("vxvm-volume"));
    }
    if name.contains('/') {
        return Some(Kind::Layer(VOLUME));
    }
    // lvm joins group and volume with a hyphen, and doubles those of their names.
    let joined = name.replace("--", "");
    let sides = joined.split_once('-')?;
    (!sides.0.is_empty() && !sides.1.is_empty()).then_some(Kind::Layer(LOGICAL))
}

/// Major and minor: sar without `-p` says `dev8-1`, traces `8,1`.
fn numbers(name: &str) -> Option<(u32, u32)> {
    let (major, minor) = match name.strip_prefix("dev") {
        Some(rest) => rest.split_once('-')?,
        None => name.split_once([',', ':'])?,
    };
    if !all_digits(major) || !all_digits(minor) {
        return None;
    }
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// What the number of a device says. Majors from 240 are given out at boot, to virtio disks and to device-mapper alike.
///
/// Source: the kernel's `Documentation/admin-guide/devices.txt`.
fn by_number(name: &str) -> Option<Kind> {
    let (major, minor) = numbers(name)?;
    // How many minors a disk has, itself among them.
    let minors = match major {
        _ if is_scsi(major) => 16,
        3 | 22 | 33 | 34 => 64,
        72..=79 | 104..=111 => 16,
        94 => 4,
        _ => 1,
    };
    let disk = minor - minor % minors;
    Some(match major {
        7 => Kind::Loop,
        9 => Kind::Layer("array"),
        147 => Kind::Cache("mirror"),
        230 => Kind::Cache("zfs-volume"),
        199 => Kind::Layer("vxvm-volume"),
        201 | 232 => Kind::Layer(MULTIPATH),
        // CD-ROMs and floppies say nothing of what lies on what.
        2 | 11 | 240..=254 => Kind::Unclear,
        _ if disk != minor => Kind::PartOf(vec![renumbered(name, disk)]),
        _ => Kind::Disk,
    })
}

/// The same name with another minor.
fn renumbered(name: &str, minor: u32) -> String {
    let at = name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    format!("{}{minor}", &name[..at])
}

fn is_scsi(major: u32) -> bool {
    matches!(major, 8 | 65..=71 | 128..=135 | 202)
}

/// The letters behind `sd`, without the number of a partition.
fn scsi_letters(name: &str) -> Option<&str> {
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit()).strip_prefix("sd")?;
    letters.bytes().all(|b| b.is_ascii_lowercase()).then_some(letters)
}

/// Whether disks may have names of three letters: the kernel goes from `sda` to `sdz`, then from `sdaa` to `sdzz`. On a machine
/// with fewer disks `sdata` and `sdlog` are words.
pub(crate) fn has_long_scsi<'a>(names: impl Iterator<Item = &'a str>) -> bool {
    names.filter(|name| scsi_letters(name).is_some_and(|letters| letters.len() == 2)).nth(MANY - 1).is_some()
}

/// What a name of three letters behind `sd` is where disks have such names.
pub(crate) fn long_scsi(name: &str) -> Option<Kind> {
    let letters = scsi_letters(name).filter(|letters| letters.len() == 3)?;
    let disk = format!("sd{letters}");
    Some(if disk == name { Kind::Disk } else { Kind::PartOf(vec![disk]) })
}

/// Whether it is a SCSI disk by its number.
pub(crate) fn is_scsi_number(name: &str) -> bool {
    numbers(name).is_some_and(|(major, _)| is_scsi(major))
}

/// Major and minor, where the major is one of those that are given out at boot.
pub(crate) fn dynamic(name: &str) -> Option<(u32, u32)> {
    numbers(name).filter(|(major, _)| (240..=254).contains(major))
}

/// Whether two names differ in their number alone: `redo01` and `redo02` move the same bytes by design.
pub(crate) fn are_siblings(a: &str, b: &str) -> bool {
    let stem = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let is_mapped = |name: &str| name.starts_with("dm-") || dynamic(name).is_some();
    a != b && stem(a) < a.len() && a.get(..stem(a)) == b.get(..stem(b)) && !is_mapped(a)
}

/// The majors of virtio disks among those that are given out at boot: a disk has 16 minors, device-mapper counts 0, 1, 2.
pub(crate) fn virtio_majors<'a>(names: impl Iterator<Item = &'a str>, has_scsi: bool) -> Vec<u32> {
    let all: Vec<(u32, u32)> = names.filter_map(dynamic).collect();
    let is_whole = |major: u32| all.iter().filter(|of| of.0 == major).all(|of| of.1.is_multiple_of(16));
    let has_several = |major: u32| all.iter().any(|of| of.0 == major && of.1 > 0);
    let has_mapped = all.iter().any(|of| !is_whole(of.0));
    let mut majors: Vec<u32> = all.iter().map(|of| of.0).collect();
    majors.dedup();
    majors.retain(|&major| is_whole(major) && (has_several(major) || !has_scsi && has_mapped));
    majors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn virtio_disks_are_told_by_their_minors() {
        // (names, whether SCSI disks are there, majors of virtio disks)
        let cases: [(&[&str], bool, &[u32]); 6] = [
            (&["dev252-0", "dev252-16", "dev252-32"], false, &[252]),
            (&["dev252-0", "dev253-0", "dev253-1"], false, &[252]),
            (&["dev252-0", "dev253-0"], false, &[]),
            (&["dev253-0", "dev253-1"], true, &[]),
            (&["dev252-0", "dev252-16", "dev253-0"], true, &[252]),
            (&["dev253-0"], true, &[]),
        ];
        for (names, has_scsi, expected) in cases {
            assert_eq!(virtio_majors(names.iter().copied(), has_scsi), expected, "{names:?}");
        }
    }

    #[test]
    fn three_letters_are_a_disk_behind_many_of_two() {
        let two: Vec<String> = ('a'..='z').map(|c| format!("sdb{c}")).collect();
        let names = |n: usize| two.iter().take(n).map(String::as_str).chain(["sda", "sdaab", "vdaa", "sdata"]);
        assert!(has_long_scsi(names(26)) && !has_long_scsi(names(25)));
        let cases = [
            ("sdaab", Some(Kind::Disk)),
            ("sdaab1", Some(Kind::PartOf(vec!["sdaab".into()]))),
            ("sdaa", None),
            ("sdaaaa", None),
            ("sda_b", None),
            ("vdaab", None),
        ];
        for (name, expected) in cases {
            assert_eq!(long_scsi(name), expected, "{name}");
        }
    }

    #[test]
    fn siblings_differ_in_their_number_alone() {
        let cases = [
            ("redo01", "redo02", true),
            ("hdisk0", "hdisk1", true),
            ("redo01", "undo01", false),
            ("dm-0", "dm-1", false),
            ("dev252-0", "dev252-16", false),
            ("redo", "redo", false),
        ];
        for (a, b, expected) in cases {
            assert_eq!(are_siblings(a, b), expected, "{a} {b}");
        }
    }

    #[test]
    fn names_say_what_devices_are() {
        let said = |name: &str| match kind(name, Role::Unknown) {
            Kind::Disk => "disk".to_string(),
            Kind::PartOf(of) => format!("part of {}", of.join(" or ")),
            Kind::Layer(what) | Kind::Cache(what) => what.to_string(),
            Kind::PathTo(of) => format!("path to {of}"),
            other => format!("{other:?}").to_lowercase(),
        };
        let cases: &[(&str, &str)] = &[
            ("sda vdb xvdc hda dasda nvme0n1 nvme12n3 mmcblk0 nbd0 rbd3 pmem0 sdaa fioa", "disk"),
            ("cciss/c0d0 cciss!c0d1 wwn-0x5000c500a1b2c3d4 ata-ST4000_X1 0 dev8-0 8,16 259,0 dev94-4", "disk"),
            ("md0 md127 md_d0 9,0 dev9-1", "array"),
            ("dm-0 dm-17 dm-name-rhel-root dm-uuid-LVM-abc", "mapped-device"),
            ("mpatha mpathbc mpath0 emcpowera emcpowerab 3600508b400105e210000900000490000", "multipath"),
            ("36001405aabbccdde eui.0025385b71b00a1f VxDMP3 mpath_data", "multipath"),
            ("rhel-root VolGroup00-LogVol00 ubuntu--vg-ubuntu--lv centos_db01-swap vg-pool_tdata", "logical-volume"),
            ("luks-1f2e3d4c-aaaa-bbbb-cccc-1234567890ab sda3_crypt cryptswap1", "encrypted"),
            ("docker-8:1-131074-pool docker-253:0-1-abc", "docker"),
            ("bcache0", "cache"),
            ("drbd0 drbd11 147,0", "mirror"),
            ("zd0 zd16", "zfs-volume"),
            ("VxVM12000 vx/dsk/datadg/vol1", "vxvm-volume"),
            ("C: HarddiskVolume2 mapper/x rhel/root", "volume"),
            ("vol-0a1b2c3d vol-0a1b2c3d4e5f60718", "disk"),
            ("vol-0a1b2c3d-part1", "part of vol-0a1b2c3d"),
            ("sda1 sda15", "part of sda"),
            ("dasda1", "part of dasda"),
            ("xvda1", "part of xvda"),
            ("emcpowera1", "part of emcpowera"),
            ("nvme0n1p1", "part of nvme0n1"),
            ("mmcblk0p2", "part of mmcblk0"),
            ("md127p1", "part of md127"),
            ("loop0p1", "part of loop0"),
            ("zd0p1", "part of zd0"),
            ("cciss/c0d0p1", "part of cciss/c0d0"),
            ("mpathap1", "part of mpatha or mpathap"),
            ("mpatha1", "part of mpatha"),
            ("mpatha-part1", "part of mpatha"),
            ("3600508b400105e210000900000490000p1", "part of 3600508b400105e210000900000490000"),
            ("wwn-0x5000c500a1b2c3d4-part1", "part of wwn-0x5000c500a1b2c3d4"),
            ("dev8-17", "part of dev8-16"),
            ("8,1", "part of 8,0"),
            ("dev94-5", "part of dev94-4"),
            ("nvme0c0n1 nvme0c1n1", "path to nvme0n1"),
            ("loop0 7,1 dev7-0", "loop"),
            ("_Total ALL", "total"),
            ("redo01 data dev253-0 252,16 oracle sdata sdlog sdlog1 sdaab", "unclear"),
        ];
        assert_eq!(said("1 D: E:"), "disk");
        for (names, expected) in cases {
            for name in names.split(' ') {
                assert_eq!(said(name), *expected, "{name}");
            }
        }
    }
}
