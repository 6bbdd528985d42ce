//! Instance types: what each is, its EBS limits, its instance store.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use dw_units::{Bytes, Iops, Throughput};

use crate::numbers::number;
use crate::packed::Table;
use crate::sources::{EBS_OPTIMIZED, INSTANCE_TYPES};

/// The edition of the shipped table.
pub const EDITION: &str = "2026-08";

/// An instance type.
#[derive(Clone, Debug)]
pub struct InstanceType {
    /// The vendor's name, for example `m5.large`.
    pub name: Cow<'static, str>,
    /// [`EDITION`], or that of an import.
    pub edition: Cow<'static, str>,
    /// The id of the source of its figures.
    pub source: Cow<'static, str>,
    /// Of the current generation, as the vendor counts.
    pub is_current: bool,
    pub vcpu: u32,
    pub memory: Bytes,
    pub arch: Arch,
    pub hypervisor: Hypervisor,
    /// Its CPU runs on credits.
    pub is_burstable: bool,
    pub gpus: u32,
    /// What passes to EBS; absent where nothing is published, with [`InstanceType::why_no_ebs`].
    pub ebs: Option<EbsLimits>,
    /// Own bandwidth to EBS is an option that is paid for.
    pub ebs_is_option: bool,
    /// Its EBS cards, each with an equal part of all.
    pub cards: u32,
    /// Most volumes with one network interface.
    pub volumes_most: u32,
    /// Volumes, network interfaces and NVMe instance stores share one number.
    pub shares_attachments: bool,
    pub store: Option<StoreShape>,
    /// Thousandths of a Gb/s of its network: for good, and at most.
    pub network: (Option<u64>, Option<u64>),
    /// Whether its bandwidth can be weighted, where its record says it.
    pub weighting: Option<bool>,
    /// What its record does not say and a plan needs, or what is beyond plans: a sentence each.
    pub lacks: Vec<String>,
    /// What its record does not say, in the words that a description has for it: of a shipped type the shipped figure counts.
    pub unsaid: Vec<&'static str>,
    /// A second copy of the vendor's page.
    pub checked: Check,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Arch {
    X86,
    Arm,
    Mac,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Hypervisor {
    Nitro,
    Xen,
    /// None: the whole host.
    Metal,
}

/// What a second copy of a type's EBS limits says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    Agrees,
    Differs,
    /// It is newer than the copy.
    NotThere,
    /// There are no figures.
    Nothing,
}

/// What an instance lets pass to EBS: for good, and while its balances last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EbsLimits {
    pub base: EbsLimit,
    pub maximum: EbsLimit,
}

/// I/Os and bytes per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EbsLimit {
    /// Published for I/Os of 16 KiB.
    pub iops: Iops,
    /// Published in Mb/s, for I/Os of 128 KiB.
    pub throughput: Throughput,
}

impl EbsLimits {
    /// Whether the maximum is more than what it has for good.
    pub fn bursts(&self) -> bool {
        self.base != self.maximum
    }
}

/// The local disks of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreShape {
    pub count: u32,
    /// Of one, in 10⁹ bytes.
    pub gb: u64,
    pub is_ssd: bool,
    pub is_nvme: bool,
    /// Of all together at 4 KiB; absent where no source says.
    pub read_iops: Option<u64>,
    pub write_iops: Option<u64>,
    pub grade: Option<StoreGrade>,
}

/// Where the IOPS of an instance store come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreGrade {
    Page,
    /// The guide of 2024-06.
    Guide,
    /// A type with the same disks.
    Sibling,
    /// The page, copied into a program.
    Copied,
}

/// Most volumes of a type of which no source says it.
pub const VOLUMES_UNKNOWN: u32 = u32::MAX >> 1;
/// Bytes per second of one Mb/s.
pub(crate) const MBPS: u64 = 125_000;

static TABLE: Table = Table::named("instances.csv");
static PLACES: Table = Table::named("places.csv");
static ROWS: LazyLock<Vec<InstanceType>> = LazyLock::new(|| TABLE.rows().map(|row| read(&row)).collect());

/// All that are shipped, by family and then size.
pub fn all() -> &'static [InstanceType] {
    &ROWS
}

/// Where each is, by its name: an estate asks for thousands.
static BY_NAME: LazyLock<HashMap<&str, usize>> =
    LazyLock::new(|| all().iter().enumerate().map(|(at, row)| (&*row.name, at)).collect());
/// Regions with their zones, by the names of types that are offered there.
type Places = Vec<(&'static str, &'static str)>;
static OFFERED: LazyLock<(Vec<Places>, HashMap<&str, usize>)> = LazyLock::new(|| {
    let rows: Vec<Vec<&str>> = PLACES.rows().collect();
    let places = |row: &Vec<&'static str>| row[0].split(' ').filter_map(|place| place.split_once(':')).collect();
    let names = rows.iter().enumerate().flat_map(|(at, row)| row[1].split(' ').map(move |name| (name, at)));
    (rows.iter().map(places).collect(), names.collect())
});

/// The shipped type of that name.
pub fn instance(name: &str) -> Option<&'static InstanceType> {
    let exact = BY_NAME.get(name).map(|at| &all()[*at]);
    exact.or_else(|| all().iter().find(|row| row.name.eq_ignore_ascii_case(name.trim())))
}

/// Regions in which any type is offered, sorted.
pub fn regions() -> &'static [&'static str] {
    static REGIONS: LazyLock<Vec<&str>> = LazyLock::new(|| {
        let mut all: Vec<&str> = OFFERED.0.iter().flatten().map(|(region, _)| *region).collect();
        all.sort_unstable();
        all.dedup();
        all
    });
    &REGIONS
}

impl InstanceType {
    /// What stands before the size: `m5` of `m5.large`.
    pub fn family(&self) -> &str {
        self.name.split_once('.').map_or(&*self.name, |(family, _)| family)
    }
    /// Whether its bandwidth can be weighted: as its record says, else as its family is listed for it.
    pub fn takes_weighting(&self) -> bool {
        const FAMILIES: [&str; 20] = [
            "m8a", "m8g", "m8gd", "m8i", "m8id", "m8i-flex", "c8a", "c8g", "c8gd", "c8i", "c8id", "c8i-flex", "r8a",
            "r8g", "r8gd", "r8i", "r8id", "r8i-flex", "x8g", "x8i",
        ];
        self.weighting.unwrap_or_else(|| FAMILIES.contains(&self.family()) || self.family() == "x8aedz")
    }
    /// Whether it is of a family whose CPU is shared unless it is asked for.
    pub fn is_flex(&self) -> bool {
        self.family().ends_with("-flex")
    }
    /// Most volumes with so many network interfaces.
    pub fn volumes_with(&self, interfaces: u32) -> u32 {
        match self.shares_attachments && self.hypervisor != Hypervisor::Xen {
            true => (self.volumes_most + 1).saturating_sub(interfaces.max(1)),
            false => self.volumes_most,
        }
    }
    /// Whether it is part of the shipped table, whatever of it was imported.
    pub fn is_shipped(&self) -> bool {
        BY_NAME.contains_key(&*self.name)
    }
    /// Regions in which it is offered, each with the numbers of its zones: `("us-east-1", "246")`. Absent of a type that is not shipped: its
    /// record does not say where it is offered.
    pub fn places(&self) -> Option<&'static [(&'static str, &'static str)]> {
        let (places, by_name) = &*OFFERED;
        self.is_shipped().then(|| by_name.get(&*self.name).map_or(&[][..], |at| &places[*at]))
    }
    /// Why nothing is known of what passes to EBS, as a sentence ends.
    pub fn why_no_ebs(&self) -> Option<String> {
        (self.ebs.is_none() && self.is_shipped()).then(|| {
            format!("no source gives what {} lets pass to EBS: it shares the network ({EBS_OPTIMIZED})", self.name)
        })
    }
    /// What keeps it out of plans, as sentences.
    pub fn why_unplanned(&self) -> impl Iterator<Item = String> {
        self.why_no_ebs().into_iter().chain(self.lacks.iter().cloned())
    }
}

fn read(row: &[&'static str]) -> InstanceType {
    let cell = |column: usize| row[column];
    let figure = |column: usize| number::<u64>(row[column]);
    let count = |column: usize| number::<u32>(row[column]).unwrap_or(0);
    let limit = |mbps: usize, iops: usize| {
        Some(EbsLimit {
            iops: Iops::new(figure(iops)?),
            throughput: Throughput::bytes_per_second(figure(mbps)? * MBPS),
        })
    };
    let ebs = limit(9, 11).zip(limit(10, 12)).map(|(base, maximum)| EbsLimits { base, maximum });
    let milli = |column: usize| number::<f64>(row[column]).map(|gbps| (gbps * 1e3).round() as u64);
    InstanceType {
        name: cell(0).into(),
        edition: EDITION.into(),
        source: INSTANCE_TYPES.into(),
        is_current: cell(1) == "1",
        vcpu: count(2),
        memory: Bytes::mib(figure(3).unwrap_or(0)),
        arch: match cell(4) {
            "a" => Arch::Arm,
            "am" | "xm" => Arch::Mac,
            _ => Arch::X86,
        },
        hypervisor: match cell(5) {
            "n" => Hypervisor::Nitro,
            "m" => Hypervisor::Metal,
            _ => Hypervisor::Xen,
        },
        is_burstable: cell(6) == "1",
        gpus: count(7),
        ebs,
        ebs_is_option: cell(8) == "o",
        cards: count(13).max(1),
        volumes_most: count(14),
        shares_attachments: cell(15) == "s",
        store: store(row),
        network: (milli(20), milli(21)),
        weighting: None,
        lacks: Vec::new(),
        unsaid: Vec::new(),
        checked: match cell(25) {
            "=" => Check::Agrees,
            "#" => Check::Differs,
            "-" => Check::NotThere,
            _ => Check::Nothing,
        },
    }
}

fn store(row: &[&str]) -> Option<StoreShape> {
    // Stores of two kinds in one type do not occur.
    let (count, gb) = row[17].split_once('x')?;
    Some(StoreShape {
        count: number(count)?,
        gb: number(gb)?,
        is_ssd: row[18] == "ssd",
        is_nvme: row[19] == "r",
        read_iops: number(row[22]),
        write_iops: number(row[23]),
        grade: match row[24] {
            "p" => Some(StoreGrade::Page),
            "g" => Some(StoreGrade::Guide),
            "s" => Some(StoreGrade::Sibling),
            "c" => Some(StoreGrade::Copied),
            _ => None,
        },
    })
}

/// What descriptions call figures that a record may lack.
pub(crate) mod said {
    pub(crate) const ARCHITECTURE: &str = "architecture";
    pub(crate) const HYPERVISOR: &str = "hypervisor";
    pub(crate) const GENERATION: &str = "current generation";
    pub(crate) const CPU: &str = "CPU";
    pub(crate) const GPUS: &str = "GPUs";
    pub(crate) const EBS_BASELINE: &str = "EBS baseline";
    pub(crate) const EBS_MAXIMUM: &str = "EBS maximum";
    pub(crate) const EBS_CARDS: &str = "EBS cards";
    pub(crate) const EBS_VOLUMES: &str = "EBS volumes";
    pub(crate) const INSTANCE_STORE: &str = "instance store";
}
