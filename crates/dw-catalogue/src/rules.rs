//! The figures that no page prints, by rule.

use crate::file::{RulesFile, TempWrites};
use crate::printed::{MbUnit, PrintedMb};
use crate::vm::VmLimit;
use dw_units::{Bytes, Iops};

impl RulesFile {
    /// Whether the temp disks of the series are local NVMe.
    pub(crate) fn is_local_nvme(&self, series: Option<&str>) -> bool {
        series.is_some_and(|series| self.local_nvme_series.iter().any(|name| name == series))
    }
    /// The limit of a temp disk that the page gives in its text, and the rule.
    pub(crate) fn temp_limit(&self, series: Option<&str>, vcpu: u32) -> Option<(VmLimit, &str)> {
        let rule =
            self.temp_by_vcpu.iter().find(|rule| rule.series.iter().any(|name| Some(name.as_str()) == series))?;
        let times = u64::from(vcpu / rule.vcpu);
        Some((limit(rule.limit[0] * times, rule.limit[1] * times), &rule.reason))
    }
    /// The rule of a temp disk's writes.
    pub(crate) fn temp_writes(&self, series: Option<&str>) -> Option<&TempWrites> {
        self.temp_writes.iter().find(|rule| rule.series.iter().any(|name| Some(name.as_str()) == series))
    }
    /// The cached limit of a size with local NVMe, where some size of its series is recorded so.
    pub(crate) fn cached_limit(&self, series: Option<&str>, vcpu: u32) -> Option<VmLimit> {
        let rule = &self.cached_by_vcpu;
        rule.series.iter().find(|name| Some(name.as_str()) == series)?;
        let row = rule.rows.iter().find(|row| u64::from(vcpu) <= row[0])?;
        Some(limit(row[1], row[2]))
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
