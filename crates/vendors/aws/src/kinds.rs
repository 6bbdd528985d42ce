//! Kinds of EBS volumes: bounds, rates, credits, as rows.
//!
//! A row is one kind of one edition: gp3 has two, since its limits rose in 2025-09.

use dw_units::Bytes;

use crate::sources::{GP3_2025, HDD_PAGE, VOLUME_TYPES};

/// A kind of volumes as one edition has it.
#[derive(Debug, PartialEq, Eq)]
pub struct VolumeKind {
    pub id: &'static str,
    /// The date of the text that has its bounds.
    pub edition: &'static str,
    /// The smallest and the largest, in GiB.
    pub gib: (u64, u64),
    pub rule: Rule,
    /// As how large an I/O is counted once, and up to which neighbours are merged.
    pub unit: Bytes,
    /// An operating system may be on it.
    pub boot: bool,
    /// So many instances of a zone may share it.
    pub attached_most: u32,
    /// What its service times are taken from, and whether a statement or a measurement of this kind is behind them.
    pub latency_model: &'static str,
    pub source: &'static str,
}

/// How its rates follow from what is bought.
#[derive(Debug, PartialEq, Eq)]
pub enum Rule {
    /// By size, with credits of I/Os below the burst.
    Size(BySize),
    /// IOPS, and perhaps throughput, as bought.
    Bought(Bought),
    /// By size, with credits of bytes.
    Bytes(ByBytes),
    /// Nothing that a model could hold: the reason.
    Unknown(&'static str),
}

/// Rates of I/Os that follow from the size.
#[derive(Debug, PartialEq, Eq)]
pub struct BySize {
    pub iops_per_gib: u64,
    pub iops: (u64, u64),
    /// While credits last, where the base is lower.
    pub burst_iops: u64,
    /// I/Os; full when the volume is made.
    pub credits: u64,
    /// Up to so many GiB the first MiB/s, above the second.
    pub mib: (u64, u64, u64),
}

/// Rates that are bought.
#[derive(Debug, PartialEq, Eq)]
pub struct Bought {
    pub iops: (u64, u64),
    pub iops_per_gib: u64,
    /// At least so many, however small: included in the price.
    pub included: Option<Included>,
    /// At most off Nitro; absent = no source says.
    pub iops_off_nitro: Option<u64>,
    pub mib: Throughput,
}

/// What the GiB of a volume bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Included {
    pub iops: u64,
    pub mib: u64,
}

/// The throughput of a volume whose IOPS are bought.
#[derive(Debug, PartialEq, Eq)]
pub enum Throughput {
    /// Bought as well: least and most MiB/s, and at most one for so many IOPS.
    Bought { mib: (u64, u64), iops_per_mib: u64 },
    /// 256 KiB an I/O up to the first; of IOPS above `knee` 16 KiB each, up to the second.
    Knee { mib: (u64, u64), knee: u64 },
    /// Thousandths of a MiB/s for each IOPS, up to so many MiB/s.
    Each { thousandths: u64, mib_max: u64 },
}

impl Throughput {
    /// The most MiB/s of any volume.
    pub fn most(&self) -> u64 {
        match self {
            Throughput::Bought { mib, .. } | Throughput::Knee { mib, .. } => mib.1,
            Throughput::Each { mib_max, .. } => *mib_max,
        }
    }
}

/// Rates of bytes that follow from the size: MiB/s for each TiB, and at most.
#[derive(Debug, PartialEq, Eq)]
pub struct ByBytes {
    pub base: (u64, u64),
    pub peak: (u64, u64),
    /// I/Os a second of up to a unit each.
    pub iops: u64,
}

const SSD_UNIT: Bytes = Bytes::kib(256);
const HDD_UNIT: Bytes = Bytes::mib(1);

/// All kinds; of one name the oldest edition first.
pub static KINDS: [VolumeKind; 8] = [
    VolumeKind {
        id: "gp2",
        edition: "2023-05",
        gib: (1, 16_384),
        rule: Rule::Size(BySize {
            iops_per_gib: 3,
            iops: (100, 16_000),
            burst_iops: 3_000,
            credits: 5_400_000,
            mib: (170, 128, 250),
        }),
        unit: SSD_UNIT,
        boot: true,
        attached_most: 1,
        latency_model: "gp3",
        source: VOLUME_TYPES,
    },
    VolumeKind {
        id: "gp3",
        edition: "2023-05",
        gib: (1, 16_384),
        rule: Rule::Bought(gp3(16_000, 1_000)),
        unit: SSD_UNIT,
        boot: true,
        attached_most: 1,
        latency_model: "gp3",
        source: VOLUME_TYPES,
    },
    VolumeKind {
        id: "gp3",
        edition: "2025-09",
        gib: (1, 65_536),
        rule: Rule::Bought(gp3(80_000, 2_000)),
        unit: SSD_UNIT,
        boot: true,
        attached_most: 1,
        latency_model: "gp3",
        source: GP3_2025,
    },
    VolumeKind {
        id: "io1",
        edition: "2023-05",
        gib: (4, 16_384),
        rule: Rule::Bought(Bought {
            iops: (100, 64_000),
            iops_per_gib: 50,
            included: None,
            iops_off_nitro: Some(32_000),
            mib: Throughput::Knee { mib: (500, 1_000), knee: 32_000 },
        }),
        unit: SSD_UNIT,
        boot: true,
        attached_most: 16,
        latency_model: "gp3",
        source: VOLUME_TYPES,
    },
    VolumeKind {
        id: "io2",
        edition: "2026-09",
        gib: (4, 65_536),
        rule: Rule::Bought(Bought {
            iops: (100, 256_000),
            iops_per_gib: 1_000,
            included: None,
            iops_off_nitro: Some(32_000),
            mib: Throughput::Each { thousandths: 256, mib_max: 4_000 },
        }),
        unit: SSD_UNIT,
        boot: true,
        attached_most: 16,
        latency_model: "io2-block-express",
        source: VOLUME_TYPES,
    },
    VolumeKind {
        id: "st1",
        edition: "2023-06",
        gib: (125, 16_384),
        rule: Rule::Bytes(ByBytes { base: (40, 500), peak: (250, 500), iops: 500 }),
        unit: HDD_UNIT,
        boot: false,
        attached_most: 1,
        latency_model: "standard-hdd",
        source: HDD_PAGE,
    },
    VolumeKind {
        id: "sc1",
        edition: "2023-06",
        gib: (125, 16_384),
        rule: Rule::Bytes(ByBytes { base: (12, 192), peak: (80, 250), iops: 250 }),
        unit: HDD_UNIT,
        boot: false,
        attached_most: 1,
        latency_model: "standard-hdd",
        source: HDD_PAGE,
    },
    VolumeKind {
        id: "standard",
        edition: "2023-05",
        gib: (1, 1_024),
        rule: Rule::Unknown("about 100 IOPS on average, 40 to 200, 40 to 90 MiB/s is all that its page says"),
        unit: SSD_UNIT,
        boot: true,
        attached_most: 1,
        latency_model: "standard-hdd",
        source: VOLUME_TYPES,
    },
];

const fn gp3(iops_max: u64, mib_max: u64) -> Bought {
    Bought {
        iops: (3_000, iops_max),
        iops_per_gib: 500,
        included: Some(Included { iops: 3_000, mib: 125 }),
        iops_off_nitro: None,
        mib: Throughput::Bought { mib: (125, mib_max), iops_per_mib: 4 },
    }
}

/// The kind of that name: as the newest edition up to the one that is asked for has it.
pub fn kind(id: &str, edition: Option<&str>) -> Option<&'static VolumeKind> {
    let known = |kind: &&VolumeKind| {
        kind.id.eq_ignore_ascii_case(id.trim()) && dw_vendor::edition::not_later(kind.edition, edition)
    };
    KINDS.iter().rev().find(known)
}

/// The editions that have a kind, oldest first.
pub fn editions(id: &str) -> Vec<&'static str> {
    KINDS.iter().filter(|kind| kind.id.eq_ignore_ascii_case(id.trim())).map(|kind| kind.edition).collect()
}
