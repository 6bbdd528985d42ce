//! The kinds of managed disks that this vendor sells, a row each.
//!
//! Source: the vendor's page on disk types (2026-08): what a VM must take to attach them, where an operating system may be, until when, and
//! which are sold zone-redundant; its page on disk performance for the size of an I/O; `docs/model/latency.md` for the models; its SLA for virtual machines for what is promised.

use dw_units::Bytes;

use dw_vendor::gate::Tags;
use dw_vendor::kind::{Kind, Promise};

const SLA: &str = "azure.microsoft.com/support/legal/sla/virtual-machines/v1_8, March 2018";
/// Later versions name more kinds of disks; their page itself could not be read, only what others repeat of it.
const SLA_LATER: &str = "azure.microsoft.com/support/legal/sla/virtual-machines/v1_9, July 2020, at second hand";

const fn one(hundredths: u32, source: &'static str) -> Option<Promise> {
    Some(Promise { hundredths, place: "", source })
}

/// What two or more machines are promised together, of which one can be reached.
pub static PROMISED_TOGETHER: [Promise; 2] = [
    Promise { hundredths: 9_995, place: "one availability set", source: SLA },
    Promise { hundredths: 9_999, place: "two or more zones", source: SLA },
];

/// The largest disk that the host cache takes.
pub const CACHEABLE_MAX: Bytes = Bytes::gib(4_095);

/// The largest disk of an operating system, in GiB.
///
/// Source: "OS disk" of the managed disks documentation: "This disk has a maximum capacity of 4,095 GiB".
const OS_GIB_MAX: u64 = 4_095;

/// Premium disks, and sizes that take them.
pub const PREMIUM: Tags = Tags::one(0);
/// Ultra disks, likewise.
pub const ULTRA: Tags = Tags::one(1);

/// Both of these where they are needed, or are there.
pub const fn tags(premium: bool, ultra: bool) -> Tags {
    Tags::NONE.and(PREMIUM, premium).and(ULTRA, ultra)
}

/// What kind of disk: the place of its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DiskFamily {
    /// Standard HDD, S sizes.
    StandardHdd,
    /// Standard SSD, E sizes.
    StandardSsd,
    /// Premium SSD, P sizes.
    PremiumSsd,
    /// Premium SSD v2, sized freely.
    PremiumSsdV2,
    /// Ultra disk, sized freely.
    Ultra,
}

static KINDS: [Kind; 5] = [
    Kind {
        id: "standard_hdd",
        name: "standard HDD",
        needs: Tags::NONE,
        second: false,
        os_gib_max: Some(OS_GIB_MAX),
        os_until: Some("2028-09-08"),
        on_request: Some("standard HDD is for backups unless `standard_hdd = true`"),
        zone_redundant: false,
        io_unit: None,
        latency_model: "standard-hdd",
        spins: true,
        sequential: false,
        promise: one(9_500, SLA_LATER),
    },
    Kind {
        id: "standard_ssd",
        name: "standard SSD",
        needs: Tags::NONE,
        second: false,
        os_gib_max: Some(OS_GIB_MAX),
        os_until: None,
        on_request: None,
        zone_redundant: true,
        io_unit: Some(Bytes::kib(256)),
        latency_model: "standard-ssd",
        spins: false,
        sequential: false,
        promise: one(9_950, SLA_LATER),
    },
    Kind {
        id: "premium_ssd",
        name: "premium SSD",
        needs: PREMIUM,
        second: false,
        os_gib_max: Some(OS_GIB_MAX),
        os_until: None,
        on_request: None,
        zone_redundant: true,
        io_unit: Some(Bytes::kib(256)),
        latency_model: "premium-ssd",
        spins: false,
        sequential: false,
        promise: one(9_990, SLA),
    },
    Kind {
        id: "premium_ssd_v2",
        name: "premium SSD v2",
        needs: PREMIUM,
        second: true,
        os_gib_max: None,
        os_until: None,
        on_request: None,
        zone_redundant: false,
        io_unit: None,
        latency_model: "premium-ssd-v2",
        spins: false,
        sequential: false,
        promise: None,
    },
    Kind {
        id: "ultra",
        name: "ultra disk",
        needs: tags(true, true),
        second: true,
        os_gib_max: None,
        os_until: None,
        on_request: None,
        zone_redundant: false,
        io_unit: None,
        latency_model: "ultra",
        spins: false,
        sequential: false,
        promise: one(9_990, SLA_LATER),
    },
];

/// All of them, in the order in which disks are listed.
pub fn kinds() -> &'static [Kind] {
    &KINDS
}

impl DiskFamily {
    pub const ALL: [DiskFamily; 5] = [
        DiskFamily::StandardHdd,
        DiskFamily::StandardSsd,
        DiskFamily::PremiumSsd,
        DiskFamily::PremiumSsdV2,
        DiskFamily::Ultra,
    ];
    /// Its row.
    pub fn kind(self) -> &'static Kind {
        &KINDS[self as usize]
    }
    /// The family of that id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.kind().id == id)
    }
}
