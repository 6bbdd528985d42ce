//! The shell script that builds volumes on Linux: stripe, file system, mount, read-ahead.
//!
//! `linux.sh` is the program, the same for every plan of every vendor; this writes the block of data before it, and a vendor adds how a
//! disk is found by its number, never by letter, because letters change. Read-ahead is as large as a random request, since more is read for
//! nobody, and 4 MiB where requests are larger than 64 KiB.
//!
//! Source: `docs/model/striping.md`; `man mkfs.xfs` (su, sw), `man mkfs.ext4` (stride, stripe_width), `man mdadm`.

use std::fmt::Write as _;

use dw_units::{Iops, Throughput};

use super::{Build, Place};
use crate::quote::shell;

/// What Linux calls its file systems.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileSystem {
    #[default]
    Xfs,
    Ext4,
}

impl FileSystem {
    pub const ALL: [FileSystem; 2] = [FileSystem::Xfs, FileSystem::Ext4];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            FileSystem::Xfs => "xfs",
            FileSystem::Ext4 => "ext4",
        }
    }

    /// What help says of it.
    pub const fn about(self) -> &'static str {
        match self {
            FileSystem::Xfs => "XFS",
            FileSystem::Ext4 => "ext4",
        }
    }
}

/// How volumes are built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub file_system: FileSystem,
    /// Stripes by LVM instead of mdadm.
    pub lvm: bool,
}

/// How a vendor's machines show their disks.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    /// What the number of a disk is called in the heading of the data: `LUN`.
    pub number: &'static str,
    /// Lines of data that its program needs.
    pub data: String,
    /// The program: `disk_at NUMBER` prints the device; `numbered` is the word for a number, `label` what the label of a file system begins
    /// with, `local_model` what local NVMe disks call themselves.
    pub program: &'a str,
}

/// The script.
pub fn text(build: &Build, options: Options, finding: &Finding) -> String {
    let mut out = String::from("#!/bin/sh\n");
    out += &build.commented("#", "Builds the volumes of a plan on Linux: stripes, file systems, mounts, read-ahead.");
    out += "#\n#   linux.sh                        shows what would be done\n\
            #   linux.sh --apply                does it; existing volumes stay, a disk with data is never touched\n\
            #   linux.sh --undo --apply         unmounts and stops; all data stays, --apply brings it back\n\
            #   linux.sh --undo --delete-data --apply   deletes what it made: file systems with their data, stripes\n";
    let file_system = options.file_system.word();
    let kind = if options.lvm { "lvm" } else { "raid" };
    let striped = build.data().any(|(_, _, disks, _)| disks.count > 1);
    // Several local NVMe disks are always striped by the kernel: nothing of them lasts.
    let local_nvme = build.local_nvme && build.has_local();
    let mdadm = if local_nvme || striped && !options.lvm { " mdadm" } else { "" };
    let lvm = if striped && options.lvm { " pvcreate vgcreate lvcreate" } else { "" };
    let _ = write!(out, "\nset -eu\n\n# ---- the plan ----\n\nprograms='mkfs.{file_system}{mdadm}{lvm}'\n");
    out += &finding.data;
    out.push('\n');
    if build.is_shared() {
        out += SHARED;
    }
    let _ = writeln!(
        out,
        "# volume NAME KIND FIRST-{} DISKS GIB STRIPE-UNIT-KIB FILE-SYSTEM MOUNT-POINT READ-AHEAD-KIB\nplan() {{\n    :",
        finding.number
    );
    if local_nvme {
        let _ = writeln!(out, "    local_nvme /mnt {file_system}");
    }
    let firsts: Vec<(usize, u32)> = build.data().map(|(number, _, _, first)| (number, first)).collect();
    for (number, volume) in build.volumes.iter().enumerate() {
        let (name, mount) = (shell(&volume.safe), shell(&volume.mount));
        match &volume.place {
            Place::Data(disks) => {
                let first = firsts.iter().find(|(own, _)| *own == number).map_or(0, |(_, first)| *first);
                let kind = if disks.count > 1 { kind } else { "disk" };
                let made = if disks.shared_by.is_some() { "shared" } else { "volume" };
                let _ = writeln!(
                    out,
                    "    {made} {name} {kind} {first} {} {} {} {file_system} {mount} {}",
                    disks.count,
                    disks.gib,
                    disks.stripe_unit.get() >> 10,
                    volume.read_ahead_kib
                );
            }
            Place::Local => {
                let _ = writeln!(out, "    local_disk {name} {mount}");
            }
            Place::Os(_) => out += "    # The disk of the operating system comes with the machine.\n",
        }
    }
    out + "}\n" + finding.program + include_str!("linux.sh")
}

/// Whatever node this is: a volume that a cluster may own is neither made nor mounted.
const SHARED: &str = "# shared ...: a volume on disks that the nodes share\nshared() {\n    if [ \"${SHARED:-}\" = yes ]; then volume \"$@\"; return; fi\n    \
    say \"$1: on disks that the nodes share: left alone (SHARED=yes on one node, before the cluster owns them)\"\n}\n\n";

/// KiB: as much as one random request, at least two pages; before large requests, and what is read from front to back, more is read.
pub fn read_ahead_kib(reads: Iops, read: Throughput, in_order: bool) -> u64 {
    let size = read.get().checked_div(reads.get()).unwrap_or(0).div_ceil(1_024);
    if in_order || size > 64 { 4_096 } else { size.next_multiple_of(4).max(8) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_ahead_is_one_random_request_or_4_mib() {
        for (reads, bytes, in_order, kib) in [
            (0, 0, false, 8),
            (100, 409_600, false, 8),
            (10, 10 * 9_000, false, 12),
            (10, 10 * 65_537, false, 4_096),
            // A backup that is written alone is read when it is needed.
            (0, 0, true, 4_096),
            (100, 409_600, true, 4_096),
        ] {
            let found = read_ahead_kib(Iops::new(reads), Throughput::bytes_per_second(bytes), in_order);
            assert_eq!(found, kib, "{reads} {bytes} {in_order}");
        }
    }
}
