//! What several tests of this crate share.

use dw_formats::fio::VolumeMap;

/// The volumes that the corpus of job files is for.
pub fn volumes() -> Vec<VolumeMap> {
    let volume = |index, name: &str, mount: &str, device: Option<&str>, size: u64| VolumeMap {
        index,
        name: name.into(),
        mount: Some(mount.into()),
        device: device.map(Into::into),
        size,
    };
    vec![
        volume(0, "data", "/mnt/data", Some("/dev/md0"), 1 << 40),
        volume(1, "logs", "/mnt/logs", Some("/dev/sdc"), 256 << 30),
        volume(2, "win", "F:", None, 128 << 30),
    ]
}
