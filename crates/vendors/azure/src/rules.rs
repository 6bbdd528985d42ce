//! The figures that no page prints, by rule.

use crate::file::{RulesFile, TempWrites};
use crate::vm::VmLimit;
use dw_units::{Bytes, Iops};
use dw_vendor::printed::{MbUnit, PrintedMb};

impl RulesFile {
    /// Whether local disks are NVMe: those of a VM that has no other controller, and those of a series that is named, where the table
    /// prints limits of them.
    pub fn is_local_nvme(&self, series: Option<&str>, controllers: Option<&str>, printed: bool) -> bool {
        let named = || series.is_some_and(|series| self.local_nvme_series.iter().any(|name| name == series));
        controllers == Some("NVMe") || (printed && named())
    }
    /// The limit of a temp disk that the page gives in its text, and the rule.
    pub fn temp_limit(&self, series: Option<&str>, vcpu: u32) -> Option<(VmLimit, &str)> {
        let rule =
            self.temp_by_vcpu.iter().find(|rule| rule.series.iter().any(|name| Some(name.as_str()) == series))?;
        let times = u64::from(vcpu / rule.vcpu);
        Some((limit(rule.limit[0] * times, rule.limit[1] * times), &rule.reason))
    }
    /// The size of a local disk, whose number the page of the series prints in one unit or the other.
    pub fn local_disk(&self, series: Option<&str>, printed: u64) -> Bytes {
        match series.is_some_and(|series| self.local_disks_in_gb.iter().any(|name| name == series)) {
            true => Bytes::new(printed * 1_000_000_000),
            false => Bytes::gib(printed),
        }
    }
    /// The rule of a temp disk's writes.
    pub fn temp_writes(&self, series: Option<&str>) -> Option<&TempWrites> {
        self.temp_writes.iter().find(|rule| rule.series.iter().any(|name| Some(name.as_str()) == series))
    }
    /// The host cache of a size where no edition prints it.
    pub fn cache(&self, vcpu: u32) -> Bytes {
        Bytes::gib(self.cache_by_vcpu.gib * u64::from(vcpu))
    }
    /// The uncached limit of a size that takes no premium disks.
    pub fn standard_disks(&self, disks: u32) -> VmLimit {
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
