//! What it takes to get from what is there to something else: of a VM from size to size, of a volume from disks to disks.
//!
//! What changes is told apart here, for any vendor; what each change takes, how often it may be made and which page says so are rows of the
//! vendor's data (`moves.toml`). A change that no row is about is not known, and nothing is said of it.
//!
//! Ignores: the generation of the image and the drivers of the guest, which no table has; clusters that do not have a size at the moment;
//! what an application does while a disk grows or its data are copied.

use dw_units::CacheMode;
use serde::{Deserialize, Serialize};

use crate::source::SourceRow;

/// How much a change takes, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// Nothing stops.
    InPlace,
    /// A disk is detached and attached again.
    Detach,
    /// The VM is stopped and started.
    Restart,
    /// A new VM; its data disks go along.
    Redeploy,
    /// Data are copied to other disks.
    Migrate,
    /// There is no way.
    Refused,
}

/// What of a VM or of a volume's disks changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// The size of a VM, and nothing that keeps it from being resized.
    Size,
    /// What is chosen of a VM that costs nothing, its size being the same.
    Setting,
    /// Between Arm and x64.
    Processors,
    /// Between confidential VMs and others.
    Confidentiality,
    /// The controller of the disks; `to` has the words of the new one.
    Controller,
    /// From a size with a local disk to one without, or back.
    LocalDisk,
    /// No image starts on both sizes.
    Images,
    /// Not every image that starts on the first size starts on the second.
    ImagesUnknown,
    /// The kind of the disks, each as large and as many as before.
    Kind,
    /// Disks become larger.
    Grow,
    /// Disks become smaller.
    Shrink,
    /// What is bought of rates, where that is chosen freely.
    Rates,
    /// The performance tier.
    Tier,
    /// The host-cache setting.
    Cache,
    /// The number of disks in a stripe, or its unit.
    Stripe,
    /// To the local disk, or from it.
    Place,
}

/// What a page says of a change.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MoveRow {
    pub change: What,
    /// Kinds of disks that it is about, by id; all when empty.
    #[serde(default)]
    pub from: Vec<String>,
    /// Kinds of disks, or disk controllers, that it leads to; all when empty.
    #[serde(default)]
    pub to: Vec<String>,
    /// The disk of an operating system alone.
    #[serde(default)]
    pub os: bool,
    /// Disks that several VMs attach alone.
    #[serde(default)]
    pub shared: bool,
    /// Of a disk that grows beyond this alone.
    pub beyond_gib: Option<u64>,
    pub effort: Effort,
    /// The vendor makes the change itself; otherwise the effort is that of the way round.
    #[serde(default = "yes")]
    pub direct: bool,
    /// What it takes, as a sentence begins.
    pub takes: String,
    /// How often it may be made.
    pub limit: Option<String>,
    /// The source id.
    pub source: String,
}

fn yes() -> bool {
    true
}

/// The file of these rows.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MovesFile {
    #[serde(default)]
    pub source: Vec<SourceRow>,
    #[serde(default, rename = "move")]
    pub moves: Vec<MoveRow>,
}

impl MoveRow {
    /// What it takes, with how often it may be made.
    pub fn said(&self) -> String {
        match &self.limit {
            Some(limit) => format!("{} ({limit})", self.takes),
            None => self.takes.clone(),
        }
    }
}

/// The disks of a volume, as far as a change of them asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisksAt {
    /// The id of their kind; absent of disks that are not the catalogue's.
    pub kind: Option<&'static str>,
    /// Size of each, in GiB.
    pub gib: u64,
    pub count: u32,
    /// IOPS and MB/s of each, where they are chosen freely.
    pub rates: Option<(u64, u64)>,
    /// The performance tier of each, where that is another than its own.
    pub tier: Option<String>,
    pub cache: CacheMode,
    pub local: bool,
    /// They hold the operating system.
    pub os: bool,
    /// Several VMs attach them.
    pub shared: bool,
}

impl DisksAt {
    /// What changes from these disks to others.
    pub fn changes(&self, to: &DisksAt) -> Vec<What> {
        if self.local || to.local {
            return if self.local == to.local { Vec::new() } else { vec![What::Place] };
        }
        let stripe = self.count != to.count;
        let changed = [
            (self.kind != to.kind, What::Kind),
            (stripe, What::Stripe),
            // A stripe that is built anew has disks of any size and rates.
            (!stripe && self.gib > to.gib, What::Shrink),
            (!stripe && self.gib < to.gib, What::Grow),
            (!stripe && self.kind == to.kind && self.rates != to.rates, What::Rates),
            (!stripe && self.kind == to.kind && self.tier != to.tier, What::Tier),
            (self.cache != to.cache, What::Cache),
        ];
        changed.into_iter().filter(|(is, _)| *is).map(|(_, what)| what).collect()
    }
}
