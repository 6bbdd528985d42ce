//! The stacks that benches drive, made from the catalogue where it has what is wanted.

use dw_catalogue::{Attachment, Catalogue, DiskOptions, LatencySetting, latency};
use dw_stack::{
    CacheMode, Credits, DiskSpec, HostCacheSpec, LimitSpec, Path, ServiceTime, StackSpec, VmSpec, VolumeSpec,
};
use dw_units::Bytes;
use dw_workload::FileExtent;

/// The edition whose figures the published benchmark rests on.
const EDITION: &str = "2017-03";

/// A disk without limits, with the service times of premium SSD.
pub fn unlimited(size: Bytes) -> DiskSpec {
    let (read, write) = premium();
    let limits = LimitSpec::default();
    DiskSpec {
        name: "unlimited".into(),
        size,
        limits,
        io_unit: None,
        more: Vec::new(),
        read,
        write,
        usage_base: None,
        first_touch: None,
        by_direction: Default::default(),
    }
}

fn premium() -> (ServiceTime, ServiceTime) {
    let model = latency::model("premium-ssd").expect("the catalogue has a model of premium SSD");
    (model.read(LatencySetting::Typical).clone(), model.write(LatencySetting::Typical).clone())
}

/// A P30 with its limits.
pub fn p30() -> DiskSpec {
    let offer = Catalogue::embedded().disk("P30", Some("2017-02")).expect("the catalogue has P30");
    offer.disk_spec("P30", &DiskOptions::default()).expect("a P30 needs no options")
}

/// The limits of a DS14.
pub fn ds14() -> VmSpec {
    Catalogue::embedded()
        .vm("DS14", Some(EDITION))
        .expect("the catalogue has DS14")
        .limits(LatencySetting::Typical)
        .attach(&[Attachment::Remote])
        .0
}

/// One volume on a VM.
pub fn stack(vm: VmSpec, disks: Vec<DiskSpec>, host_cache: CacheMode) -> StackSpec {
    let stripe_unit = Bytes::kib(64);
    let volume = VolumeSpec { name: "volume".into(), disks, stripe_unit, host_cache, path: Path::default() };
    StackSpec { vm, volumes: vec![volume], credits: Credits::Full, seed: 1 }
}

/// A VM without limits, with the default host cache of that capacity.
pub fn cached(capacity: Bytes) -> VmSpec {
    VmSpec { host_cache: Some(host_cache(capacity)), ..VmSpec::default() }
}

/// The default host cache of that capacity.
pub fn host_cache(capacity: Bytes) -> HostCacheSpec {
    dw_catalogue::default_host_cache(capacity, LatencySetting::Typical)
}

/// A file on the only volume.
pub fn file(start: Bytes, len: Bytes) -> FileExtent {
    FileExtent { name: "file".into(), volume: 0, start: start.get(), offset: 0, len: len.get() }
}
