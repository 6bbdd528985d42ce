//! What a scenario says of the snapshots that the disks of a volume were made from.

use dw_catalogue::rig::SnapshotAsked;
use dw_units::Throughput;
use serde_spanned::Spanned;

use super::file::VolumeFile;
use super::reader::Reader;
use super::scalar::Scalar;

/// `Some(None)` where a volume is from no snapshot, `None` for a fault.
pub(super) fn read(reader: &mut Reader, file: &VolumeFile) -> Option<Option<SnapshotAsked>> {
    let is_from_one = reader.flag("from_snapshot", &file.from_snapshot);
    if file.from_snapshot.is_some() && is_from_one.is_none() {
        return None;
    }
    let initialization_rate: Option<Throughput> = reader.quantity("initialization_rate", &file.initialization_rate);
    let initialized = file.initialized.as_ref().map(|share| percent(reader, share));
    if file.initialization_rate.is_some() && initialization_rate.is_none() || initialized == Some(None) {
        return None;
    }
    if is_from_one == Some(true) {
        let initialized = initialized.flatten().unwrap_or(0.0) / 100.0;
        return Some(Some(SnapshotAsked { initialization_rate, initialized }));
    }
    let written = [("initialization_rate", &file.initialization_rate), ("initialized", &file.initialized)];
    let (key, field) = written.into_iter().find_map(|(key, field)| Some((key, field.as_ref()?))).unzip();
    let (Some(key), Some(field)) = (key, field) else { return Some(None) };
    let what = format!("`{key}` needs `from_snapshot = true`: only volumes from snapshots are initialized");
    reader.error(field.span(), what, format!("write `from_snapshot = true`, or remove `{key}`"));
    None
}

fn percent(reader: &mut Reader, share: &Spanned<Scalar>) -> Option<f64> {
    let hint = "write a percentage of the disk, for example `\"40 %\"`";
    match dw_units::percent(&share.get_ref().0, "\"") {
        Ok(percent) if (0.0..=100.0).contains(&percent) => Some(percent),
        Ok(_) => {
            reader.error(share.span(), format!("{} is not a part of a disk", reader.raw(share)), hint);
            None
        }
        Err(doubt) => {
            reader.error(share.span(), format!("{}: {}", reader.raw(share), doubt.what), doubt.hint);
            None
        }
    }
}
