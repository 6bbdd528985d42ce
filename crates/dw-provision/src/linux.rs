//! The shell script that builds volumes on Linux: stripe, file system, mount, read-ahead.
//!
//! `linux.sh` is the program, the same for every plan; this writes the block of data before it. Disks are found by LUN, never
//! by letter, because letters change. Read-ahead is as large as a random request, since more is read for nobody, and 4 MiB
//! where requests are larger than 64 KiB.
//!
//! Source: `docs/model/striping.md`; `man mkfs.xfs` (su, sw), `man mkfs.ext4` (stride, stripe_width), `man mdadm`.

use std::fmt::Write as _;

use super::quote::{comment, shell};
use super::setup::{Place, Setup, Volume};

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

/// The script.
pub fn text(setup: &Setup, options: Options) -> String {
    let mut out = String::from("#!/bin/sh\n");
    out += &comment(
        "#",
        &setup.heading("Builds the volumes of a plan on Linux: stripes, file systems, mounts, read-ahead."),
    );
    out += "#\n#   linux.sh                        shows what would be done\n\
            #   linux.sh --apply                does it; existing volumes stay, a disk with data is never touched\n\
            #   linux.sh --undo --apply         unmounts and stops; all data stays, --apply brings it back\n\
            #   linux.sh --undo --delete-data --apply   deletes what it made: file systems with their data, stripes\n";
    let file_system = options.file_system.word();
    let kind = if options.lvm { "lvm" } else { "raid" };
    let striped = setup.data().any(|(_, _, disks, _)| disks.count > 1);
    // Several local NVMe disks are always striped by the kernel: nothing of them lasts.
    let local_nvme = setup.local_nvme && setup.volumes.iter().any(|volume| volume.place == Place::Local);
    let mdadm = if local_nvme || striped && !options.lvm { " mdadm" } else { "" };
    let lvm = if striped && options.lvm { " pvcreate vgcreate lvcreate" } else { "" };
    let _ = write!(out, "\nset -eu\n\n# ---- the plan ----\n\nprograms='mkfs.{file_system}{mdadm}{lvm}'\n\n");
    if setup.is_shared() {
        out += SHARED;
    }
    out += "# volume NAME KIND FIRST-LUN DISKS GIB STRIPE-UNIT-KIB FILE-SYSTEM MOUNT-POINT READ-AHEAD-KIB\nplan() {\n    :\n";
    if local_nvme {
        let _ = writeln!(out, "    local_nvme /mnt {file_system}");
    }
    for (number, volume) in setup.volumes.iter().enumerate() {
        let name = setup.names.get(number).map_or("", String::as_str);
        let mount = shell(&setup.mount(number));
        match &volume.place {
            Place::Data { disks, lun } => {
                let kind = if disks.count > 1 { kind } else { "disk" };
                let made = if disks.shared_by.is_some() { "shared" } else { "volume" };
                let _ = writeln!(
                    out,
                    "    {made} {} {kind} {lun} {} {} {} {file_system} {mount} {}",
                    shell(name),
                    disks.count,
                    disks.gib,
                    disks.stripe_unit.get() >> 10,
                    read_ahead_kib(volume)
                );
            }
            Place::Local => {
                let _ = writeln!(out, "    local_disk {} {mount}", shell(name));
            }
            Place::Os(_) => out += "    # The disk of the operating system comes with the VM.\n",
        }
    }
    out + "}\n" + include_str!("linux.sh")
}

/// Whatever node this is: a volume that a cluster may own is neither made nor mounted.
const SHARED: &str = "# shared ...: a volume on disks that the nodes share\nshared() {\n    if [ \"${SHARED:-}\" = yes ]; then volume \"$@\"; return; fi\n    \
    say \"$1: on disks that the nodes share: left alone (SHARED=yes on one node, before the cluster owns them)\"\n}\n\n";

/// As much as one random request, at least two pages; large requests are read ahead.
fn read_ahead_kib(volume: &Volume) -> u64 {
    let size = volume.demand.read.get().checked_div(volume.demand.read_iops).unwrap_or(0).div_ceil(1_024);
    if size > 64 { 4_096 } else { size.next_multiple_of(4).max(8) }
}
