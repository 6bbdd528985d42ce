//! The recording that comes with the program, with what its owner knows next to it.

use dw_observe::volumes::VolumeChoice;

use super::steps::Known;

/// How its file is called.
pub(super) const NAME: &str = "iostat.txt";
/// How its report is called.
pub(super) const TITLE: &str = "Moving orders-db: an hour of its disks, planned and simulated (example)";
/// An hour of a database and its log, made up.
pub(super) const RECORDING: &str = include_str!("../../../diskwright/data/iostat.txt");

/// Its volumes.
pub(super) fn volumes() -> Vec<VolumeChoice> {
    let volume = |name: &str, device: &str| VolumeChoice { name: name.into(), devices: vec![device.into()] };
    vec![volume("data", "sdc"), volume("log", "sdd")]
}

/// What no recording says: sizes, purposes, how long it must last.
pub(super) fn known() -> Known<'static> {
    Known {
        volumes: vec![
            ("data", "capacity = \"900 GiB\"\nworking_set = \"220 GiB\"\nread_latency_max = \"2 ms\"\n".into()),
            ("log", "role = \"log\"\ncapacity = \"120 GiB\"\nwrite_latency_max = \"4 ms\"\n".into()),
        ],
        plan: "[plan]\nregion = \"eastus\"\npercentile = 99\nheadroom_percent = 10\nmemory_min = \"48 GiB\"\nyears = 2\n\
               growth_percent_per_year = 10\n\n",
    }
}
