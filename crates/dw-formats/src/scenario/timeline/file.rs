//! An entry of the timeline as it is written.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_spanned::Spanned;

use crate::scenario::scalar::{Field, Scalar};
use crate::scenario::words::{ActionName, ErrnoName, FaultName, LevelName, ModeName, OpName, SurvivorsName};

/// Something that happens while the emulator runs. Which keys go with which `do` is said in docs/guide/timeline.md.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "TimelineEntry")]
pub(in crate::scenario) struct TimelineFile {
    /// When, from the start of the run, such as "10 s".
    #[schemars(with = "String")]
    pub at: Spanned<Scalar>,
    /// What.
    #[serde(rename = "do")]
    #[schemars(with = "ActionName")]
    pub action: Spanned<Scalar>,
    /// The volume.
    #[schemars(with = "Option<String>")]
    pub volume: Field,
    /// Which disk of the volume, from 0. Default: each of them.
    #[schemars(with = "Option<u16>")]
    pub disk: Field,
    /// cache: the new host-cache mode.
    #[schemars(with = "Option<ModeName>")]
    pub mode: Field,
    /// resize: the new size of the disk, such as "2 TiB".
    #[schemars(with = "Option<String>")]
    pub size: Field,
    /// tier: a disk of the catalogue whose limits it gets, such as "P50".
    #[schemars(with = "Option<String>")]
    pub tier: Field,
    /// tier: I/Os per second.
    #[schemars(with = "Option<u64>")]
    pub iops: Field,
    /// tier: bytes per second, such as "250 MB/s".
    #[schemars(with = "Option<String>")]
    pub throughput: Field,
    /// crash: what stops.
    #[schemars(with = "Option<LevelName>")]
    pub level: Field,
    /// crash: which writes that were not yet durable survive. Default "none".
    #[schemars(with = "Option<SurvivorsName>")]
    pub survivors: Field,
    /// crash, inject: seed of the draws. Default 1.
    #[schemars(with = "Option<u64>")]
    pub seed: Field,
    /// inject, clear: a volume ("data": requests of its clients) or one of its disks ("data.0": whatever reaches it).
    #[schemars(with = "Option<String>")]
    pub export: Field,
    /// inject: what goes wrong.
    #[schemars(with = "Option<FaultName>")]
    pub fault: Field,
    /// inject: which requests. Default "any".
    #[schemars(with = "Option<OpName>")]
    pub op: Field,
    /// inject: first byte of the range that is struck, such as "10 GiB". Default "0 B".
    #[schemars(with = "Option<String>")]
    pub offset: Field,
    /// inject: length of the range. Default: to the end.
    #[schemars(with = "Option<String>")]
    pub len: Field,
    /// inject: added latency, such as "5 ms", or a range to draw from, such as "2 ms..20 ms".
    #[schemars(with = "Option<String>")]
    pub latency: Field,
    /// inject: the error. Default "EIO".
    #[schemars(with = "Option<ErrnoName>")]
    pub errno: Field,
    /// inject: how many of these requests are struck, such as "1 %". Default "100 %".
    #[schemars(with = "Option<String>")]
    pub share: Field,
}
