//! Disks that several machines attach at once: how many may, what is billed for it, what such a disk lacks.
//!
//! Source: the pages that `sharing.toml` of a vendor names.
//!
//! Ignores: the cluster manager that such disks need; how several machines that write at once divide what a disk gives.

use serde::{Deserialize, Serialize};

use crate::source::SourceRow;

/// The file of these rows.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SharingFile {
    #[serde(default)]
    pub source: Vec<SourceRow>,
    #[serde(default)]
    pub sharing: Vec<SharingRow>,
}

/// How disks of a kind are shared.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SharingRow {
    /// The id of the kind.
    pub kind: String,
    /// Disks of it, by name; all when empty.
    #[serde(default)]
    pub disks: Vec<String>,
    /// Machines at most.
    pub machines_max: u32,
    /// Each machine that a disk is attached to is billed.
    pub per_machine: bool,
    /// IOPS and MB/s that are bought beside the disk's own, for machines that only read.
    #[serde(default)]
    pub read_only: (u64, u64),
    /// Whether it bursts.
    #[serde(default = "yes")]
    pub bursts: bool,
    /// What sharing takes, as a sentence goes on.
    pub takes: String,
    /// The source of how many machines may share it.
    pub source: String,
    /// Of what it lacks.
    pub limits: String,
    /// Of how it is billed.
    pub billing: String,
}

fn yes() -> bool {
    true
}

impl SharingRow {
    /// The ids of its sources.
    pub fn sources(&self) -> [&String; 3] {
        [&self.source, &self.limits, &self.billing]
    }
}
