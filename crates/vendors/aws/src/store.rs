//! The instance store: local disks that pass no gate and are empty after a stop.
//!
//! Rule: IOPS of reads and of writes are published for all disks of a type together, at 4 KiB; one disk has an equal part. Bytes per second
//! are published for few types: what was measured of a disk is taken instead, and where nothing was, they are unlimited and a note says so.
//!
//! Source: `sources::STORE_IOPS`, `sources::STORE_MEASURED`.
//!
//! Ignores: that writes slow down as the device fills; first writes of types before Nitro, which are slow.

use dw_stack::{DirectionLimits, DiskSpec, LimitSpec, RateSpec};
use dw_units::Bytes;
use dw_vendor::latency::{self, LatencySetting};

use crate::instances::{EDITION, InstanceType, StoreShape};
pub use crate::measured::Measured;
use crate::measured::measured;
use crate::sources::{STORE_IOPS, STORE_MEASURED};

/// Service times of an instance store.
pub const LATENCY_MODEL: &str = "local-nvme";

/// The disks of an instance store, and what is not known of them.
#[derive(Clone, Debug)]
pub struct LocalDisks {
    pub disks: Vec<DiskSpec>,
    /// Sentences.
    pub notes: Vec<String>,
}

impl InstanceType {
    /// What was measured of one of its disks.
    pub fn store_measured(&self) -> Option<Measured> {
        measured(&self.name, self.family(), self.store?.count)
    }

    /// That the IOPS of its local disks are not known, where a record has disks and the shipped table no figures of them.
    pub(crate) fn store_unknown(&self) -> Option<String> {
        let is_unknown = self.edition != EDITION && self.store.is_some_and(|store| store.read_iops.is_none());
        is_unknown.then(|| format!("no record has the IOPS of the instance store of {}: no plan uses it", self.name))
    }

    /// Its local disks as the model takes them, or why not.
    pub fn local_disks(&self, setting: LatencySetting) -> Result<LocalDisks, String> {
        let Some(store) = self.store else { return Err(format!("{} has no instance store", self.name)) };
        if !store.is_ssd {
            return Err(format!(
                "the instance store of {} is hard disks, of which no source gives the limits",
                self.name
            ));
        }
        let StoreShape { count, gb, read_iops: Some(reads), write_iops: Some(writes), .. } = store else {
            return Err(format!("no source gives the IOPS of the instance store of {} ({STORE_IOPS})", self.name));
        };
        let each = |all: u64| Some(RateSpec::plain((all / u64::from(count)).max(1)));
        let measured = self.store_measured();
        let bytes = |rate: u64| Some(RateSpec::plain(rate));
        let by_direction = DirectionLimits {
            reads: Some(LimitSpec {
                iops: each(reads),
                throughput: measured.and_then(|measured| bytes(measured.read_bytes_s)),
            }),
            writes: Some(LimitSpec {
                iops: each(writes),
                throughput: measured.and_then(|measured| bytes(measured.write_bytes_s)),
            }),
        };
        let model = latency::builtin(LATENCY_MODEL);
        let disk = DiskSpec {
            name: String::new(),
            size: Bytes::new(gb * 1_000_000_000),
            limits: LimitSpec::default(),
            by_direction,
            io_unit: None,
            more: Vec::new(),
            read: model.read(setting).clone(),
            write: model.write(setting).clone(),
            usage_base: None,
            first_touch: None,
        };
        let of = &self.name;
        let note = match measured {
            Some(_) => format!(
                "the bytes per second of the instance store of {of} are measured, not published ({STORE_MEASURED})"
            ),
            None => {
                format!("no source gives the bytes per second of the instance store of {of}: they are unlimited here")
            }
        };
        Ok(LocalDisks { disks: vec![disk; count as usize], notes: vec![note] })
    }
}
