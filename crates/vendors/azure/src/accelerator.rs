//! Write Accelerator: which sizes have it, on how many disks.
//!
//! Source: `MicrosoftDocs/azure-compute-docs`, `articles/virtual-machines/how-to-enable-write-accelerator.md`, 2026-09-21: sizes of the M series
//! alone, premium SSDs alone, host cache None or ReadOnly, and the table of sizes.
//!
//! Ignores: its own limit of IOPS, 1,250 for each disk of most sizes, which all its disks share; how much faster writes are.

use dw_units::CacheMode;
use dw_vendor::facts::NotAccelerated;
use dw_vendor::kind::Kind;

use crate::kinds::DiskFamily;
use crate::vm::VmSize;

/// Sizes with one limit: without `Standard_`, and on how many disks.
const MOST: &[(&[&str], u64)] = &[
    (&["M416ms_v2", "M416s_8_v2", "M416s_v2"], 16),
    (&["M208ms_v2", "M208s_v2"], 8),
    (&["M192ids_v2", "M192idms_v2", "M192is_v2", "M192ims_v2"], 16),
    (&["M128ms", "M128s", "M128ds_v2", "M128dms_v2", "M128s_v2", "M128ms_v2"], 16),
    (&["M64ms", "M64ls", "M64s", "M64ds_v2", "M64dms_v2", "M64s_v2", "M64ms_v2"], 8),
    (&["M32ms", "M32ls", "M32ts", "M32s", "M32dms_v2", "M32ms_v2"], 4),
    (&["M16ms", "M16s"], 2),
    (&["M8ms", "M8s"], 1),
    (&["M12s_v3", "M12ds_v3"], 1),
    (&["M24s_v3", "M24ds_v3"], 2),
    (&["M48s_1_v3", "M48ds_1_v3"], 4),
    (&["M96s_1_v3", "M96ds_1_v3", "M96s_2_v3", "M96ds_2_v3"], 8),
    (&["M176s_3_v3", "M176ds_3_v3", "M176s_4_v3", "M176ds_4_v3"], 16),
];

impl VmSize {
    /// Why writes to a disk are not accelerated, where those of so many others are.
    pub fn not_accelerated(&self, kind: &Kind, cache: CacheMode, others: u64) -> Option<NotAccelerated> {
        match self.accelerated_most() {
            Some(0) => Some(NotAccelerated::Size),
            _ if kind.id != DiskFamily::PremiumSsd.kind().id => Some(NotAccelerated::Kind),
            _ if cache == CacheMode::ReadWrite => Some(NotAccelerated::Cache(cache)),
            Some(most) if others >= most => Some(NotAccelerated::Beyond(most)),
            _ => None,
        }
    }
    /// On how many disks it accelerates writes, none of a size of another series; absent of one of the M series that the page does not list.
    fn accelerated_most(&self) -> Option<u64> {
        let name = self.short_name();
        let letters = name.chars().take_while(char::is_ascii_alphabetic).count();
        if &name[..letters] != "M" {
            return Some(0);
        }
        MOST.iter().find(|(sizes, _)| sizes.iter().any(|one| one.eq_ignore_ascii_case(name))).map(|(_, most)| *most)
    }
}
