//! The figures that no page prints, by rule.

use crate::file::{RulesFile, TempWrites};
use crate::printed::{MbUnit, PrintedMb};
use crate::vm::VmLimit;
use dw_units::{Bytes, Iops};

impl RulesFile {
    /// Whether the local disks of a series are NVMe: those that it names, and those of a VM that has no other controller.
    pub(crate) fn is_local_nvme(&self, series: Option<&str>, controllers: Option<&str>) -> bool {
        controllers == Some("NVMe")
            || series.is_some_and(|series| self.local_nvme_series.iter().any(|name| name == series))
    }
    /// The size of a local disk, whose number the page of the series prints in one unit or the other.
    pub(crate) fn local_disk(&self, series: Option<&str>, printed: u64) -> Bytes {
        match series.is_some_and(|series| self.local_disks_in_gb.iter().any(|name| name == series)) {
            true => Bytes::new(printed * 1_000_000_000),
            false => Bytes::gib(printed),
        }
    }
    /// The rule of a temp disk's writes.
    pub(crate) fn temp_writes(&self, series: Option<&str>) -> Option<&TempWrites> {
        self.temp_writes.iter().find(|rule| rule.series.iter().any(|name| Some(name.as_str()) == series))
    }
    /// The host cache of a size where no edition prints it.
    pub(crate) fn cache(&self, vcpu: u32) -> Bytes {
        Bytes::gib(self.cache_by_vcpu.gib * u64::from(vcpu))
    }
    /// The uncached limit of a size that takes no premium disks.
    pub(crate) fn standard_disks(&self, disks: u32) -> VmLimit {
        limit(self.standard_disk.iops * u64::from(disks), self.standard_disk.mb * u64::from(disks))
    }
}

fn limit(iops: u64, mb: u64) -> VmLimit {
    VmLimit {
        iops: Some(Iops::new(iops)),
        printed: Some(PrintedMb { number: mb, unit: MbUnit::Million }),
        ..VmLimit::default()
    }
}
