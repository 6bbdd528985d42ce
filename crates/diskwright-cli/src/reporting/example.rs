//! The recording that comes with the program, with what its owner knows next to it.

use dw_demand::wishes::{LatencyMax, Role, VolumeWishes, Wishes};
use dw_observe::volumes::VolumeChoice;
use dw_units::{Bytes, CacheMode, Duration};

/// How its file is called.
pub(crate) const NAME: &str = "iostat.txt";
/// An hour of a database and its log, made up.
pub(crate) const RECORDING: &str = include_str!("../../../diskwright/data/iostat.txt");

pub(crate) fn volumes() -> Vec<VolumeChoice> {
    let volume = |name: &str, device: &str| VolumeChoice { name: name.into(), devices: vec![device.into()] };
    vec![volume("data", "sdc"), volume("log", "sdd")]
}

/// What no recording says: sizes, purposes, how long it must last.
pub(crate) fn wishes() -> Wishes {
    let data = VolumeWishes {
        working_set: Some(Bytes::gib(220)),
        read_latency_max: LatencyMax::mean(Duration::from_ms(2)),
        host_cache: vec![CacheMode::ReadOnly],
        ..VolumeWishes::of(Role::Data, Bytes::gib(900))
    };
    let log = VolumeWishes {
        write_latency_max: LatencyMax::mean(Duration::from_ms(4)),
        ..VolumeWishes::of(Role::Log, Bytes::gib(120))
    };
    Wishes {
        headroom_percent: 10.0,
        memory_min: Bytes::gib(48),
        years: 2,
        growth_percent_per_year: 10.0,
        volumes: vec![data, log],
        ..dw_catalogue::PLAN_KEYS.wishes()
    }
}
