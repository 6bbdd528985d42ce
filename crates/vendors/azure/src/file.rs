//! The form of the data files: TOML twins of the catalogue's types, as they are written and read.
//!
//! `disks.toml`, `prices.toml` and `sources.toml` are generated; `rules.toml` and `overrides.toml` are written by hand; VM sizes
//! are lines of text ([`crate::rows`]), what there is in many regions tables with a cell each. One table is one series (or family) of
//! one edition and source; one row is one line, so that a change is a reviewable diff. Every pair of numbers is `[IOPS, MB/s as printed]`.

use dw_demand::Commitment;
use dw_vendor::fetched::Figures;
pub use dw_vendor::source::SourceRow;
use serde::{Deserialize, Serialize};

/// The sizes of one series in one edition.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct VmTable {
    pub edition: String,
    /// The series, where the source says it.
    pub series: Option<String>,
    /// The source id.
    pub source: String,
    /// Whether the sizes take premium disks, where the source says it.
    pub premium: Option<bool>,
    /// Whether they have a host cache, where the source says it.
    pub host_caching: Option<bool>,
    /// Whether they take ultra disks, where the source says it.
    #[serde(default)]
    pub ultra: Option<bool>,
    /// Their disk controllers, `SCSI`, `NVMe` or both, where the source says it.
    #[serde(default)]
    pub controllers: Option<String>,
    /// Bytes of one printed MB of the uncached limits.
    pub mb_uncached: u64,
    /// The same of the cached limits.
    pub mb_cached: Option<u64>,
    /// The same of the temp disk's figures.
    pub mb_temp: Option<u64>,
    /// The sizes.
    pub rows: Vec<VmRow>,
}

/// One size.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct VmRow {
    /// The vendor's name.
    pub name: String,
    /// Virtual processors.
    pub vcpu: u32,
    pub memory_mib: Option<u64>,
    /// Data disks.
    pub disks: u32,
    /// Size of one temp disk, in GiB; 0 = none.
    pub temp_gib: Option<u64>,
    /// How many temp disks; absent = one.
    pub temp_count: Option<u32>,
    /// Host cache in GiB; 0 = none.
    pub cache_gib: Option<u64>,
    /// Cached limit.
    pub cached: Option<Vec<u64>>,
    /// Burst of the cached limit.
    pub cached_burst: Option<Vec<u64>>,
    /// Uncached limit.
    pub uncached: Option<Vec<u64>>,
    /// Burst of the uncached limit.
    pub uncached_burst: Option<Vec<u64>>,
    /// Second uncached limit, for premium SSD v2 and ultra.
    pub premium2: Option<Vec<u64>>,
    pub premium2_burst: Option<Vec<u64>>,
    /// Reads of the temp disks.
    pub temp_read: Option<Vec<u64>>,
    /// Writes of the temp disks.
    pub temp_write: Option<Vec<u64>>,
    /// What the source's note says.
    pub note: Option<String>,
}

/// The file of disks.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DiskFile {
    /// One table a family, edition and source.
    #[serde(default)]
    pub table: Vec<DiskTable>,
}

/// The disks of one family in one edition.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DiskTable {
    pub edition: String,
    pub family: String,
    /// The source id.
    pub source: String,
    /// Bytes of one printed MB.
    pub mb: u64,
    /// The unit as the page prints it.
    pub mb_printed: String,
    /// The disks.
    pub rows: Vec<DiskRow>,
}

/// One disk.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DiskRow {
    /// The vendor's name.
    pub sku: String,
    /// Its size, or its smallest and largest.
    pub size_gib: Vec<u64>,
    /// Provisioned limits.
    pub base: Option<Vec<u64>>,
    /// Limits while credits last.
    pub credit_burst: Option<Vec<u64>>,
    /// How long full credits last, in minutes.
    pub burst_minutes: Option<u64>,
    /// Limits with on-demand bursting.
    pub on_demand: Option<Vec<u64>>,
    /// Limits with performance plus.
    pub performance_plus: Option<Vec<u64>>,
    /// How many VMs may share it.
    pub max_shares: Option<u32>,
    /// IOPS per GiB.
    pub iops_per_gib: Option<u64>,
    /// Bytes per second per IOPS.
    pub bytes_per_iops: Option<u64>,
    /// Fewest and most IOPS.
    pub iops: Option<Vec<u64>>,
    /// Least and most MB/s.
    pub mb: Option<Vec<u64>>,
    /// Free IOPS and MB/s.
    pub free: Option<Vec<u64>>,
}

/// The file of sources.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    #[serde(default)]
    pub source: Vec<SourceRow>,
}

/// The file of prices.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PriceFile {
    /// One table an edition, region, currency and source.
    #[serde(default)]
    pub table: Vec<PriceTable>,
}

/// Prices of one edition in one region.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PriceTable {
    /// Whose prices they are, by the vendor's word; absent = those of the catalogue that has this file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vendor: Option<String>,
    /// The date of the prices, named as editions of limits are.
    pub edition: String,
    /// The region, or an area that several regions are part of.
    pub region: String,
    pub currency: String,
    /// The source id.
    pub source: String,
    /// `hour` or `month`.
    pub per: String,
    /// For how many years it must be reserved; absent, as the next, where it is pay as you go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reserved_years: Option<u32>,
    /// For how many years it must be in a savings plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub savings_plan_years: Option<u32>,
    /// The prices.
    pub rows: Vec<PriceRow>,
}

impl PriceTable {
    /// What must be committed to for its prices.
    pub fn commitment(&self) -> Option<Commitment> {
        let reserved = self.reserved_years.map(Commitment::reservation);
        reserved.or(self.savings_plan_years.map(Commitment::savings_plan))
    }
}

/// One price.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PriceRow {
    /// A VM size or a disk.
    pub name: String,
    /// What about it, the id of a [`dw_vendor::price::Meter`]; absent = the whole thing.
    pub meter: Option<String>,
    /// The amount, a decimal as text: binary fractions would round it.
    pub price: String,
    /// What to know about it.
    pub note: Option<String>,
}

/// What a person imported from records of the vendor's interfaces: a layer over the other files.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ImportedFile {
    /// What was read, and when.
    #[serde(default)]
    pub source: Vec<SourceRow>,
    /// VM sizes.
    #[serde(default)]
    pub vm: Vec<VmTable>,
    #[serde(default)]
    pub disk: Vec<DiskTable>,
    #[serde(default)]
    pub price: Vec<PriceTable>,
    /// Where VM sizes are offered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub zones: Vec<ZoneTable>,
    /// Machines of other vendors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machine: Vec<MachineTable>,
}

/// Machines of another vendor, as records of one day have them.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MachineTable {
    /// The vendor's word.
    pub vendor: String,
    pub edition: String,
    /// The source id.
    pub source: String,
    pub rows: Vec<MachineRecord>,
}

/// One of them: its figures by the words of its vendor's folder.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct MachineRecord {
    pub name: String,
    #[serde(flatten)]
    pub figures: Figures,
}

/// In which zones of a region VM sizes are offered, as records say it.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ZoneTable {
    pub region: String,
    /// The source id.
    pub source: String,
    /// The sizes; one that is not among them is not offered in the region.
    pub rows: Vec<ZoneRow>,
}

/// The zones of one VM size.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ZoneRow {
    /// The VM size.
    pub name: String,
    /// Its zones, restrictions taken off.
    pub zones: Vec<String>,
}

/// What a person decided about how to read the pages.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RulesFile {
    /// What a printed MB is; the first rule that fits counts.
    pub unit: Vec<UnitRule>,
    /// Series without a host cache.
    pub no_host_cache_series: Vec<String>,
    /// Sizes without a host cache.
    pub no_host_cache_sizes: Vec<String>,
    /// Series whose temp disks are local NVMe with limits of their own, beside those whose only controller is NVMe.
    pub local_nvme_series: Vec<String>,
    /// Series whose pages print the size of local disks in GB.
    #[serde(default)]
    pub local_disks_in_gb: Vec<String>,
    /// Temp disks whose limit the page gives in its text.
    #[serde(default)]
    pub temp_by_vcpu: Vec<TempByVcpu>,
    /// Writes of temp disks whose page prints reads alone.
    #[serde(default)]
    pub temp_writes: Vec<TempWrites>,
    /// The host cache where no edition prints it.
    pub cache_by_vcpu: CacheByVcpu,
    /// A standard disk on a size that takes no premium disks.
    pub standard_disk: StandardDisk,
    /// Which document an edition of prices stands for.
    #[serde(default)]
    pub price_source: Vec<PriceSource>,
    /// Where a premium SSD v2 may be in no zone.
    pub premium_v2_without_zone: Option<Regions>,
    /// Regions that share the prices of an area where they have none of their own.
    #[serde(default)]
    pub price_area: Vec<PriceArea>,
    /// What stands behind the price tables of many regions.
    #[serde(default)]
    pub region_prices: Vec<RegionPriceRule>,
    /// The same of the table of where sizes are sold.
    pub sold: Option<SoldRule>,
    /// Families of which every operation is billed.
    #[serde(default)]
    pub operations: Vec<OperationsRule>,
    /// Disks whose operations cost what those of another disk do.
    #[serde(default)]
    pub operations_as: Vec<OperationsAs>,
}

/// How operations of a family of disks are billed.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct OperationsRule {
    pub family: String,
    /// The disks of it; all that no rule before it has when empty.
    #[serde(default)]
    pub disks: Vec<String>,
    /// A larger operation is billed as several of this size; absent = once.
    pub unit_kib: Option<u64>,
    /// One operation is billed as so many at most.
    pub units_max: Option<u64>,
    /// Disks of which no more than so many an hour are billed.
    #[serde(default)]
    pub hourly_max: Vec<(String, u64)>,
    /// The source id.
    pub source: String,
    pub reason: String,
}

/// Disks whose operations have no price of their own.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct OperationsAs {
    /// The disk whose price counts.
    pub of: String,
    pub disks: Vec<String>,
    pub reason: String,
}

/// What stands behind a table of prices of many regions.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RegionPriceRule {
    /// The file, `regions/….csv`.
    pub file: String,
    /// The date of the prices.
    pub edition: String,
    /// The source id.
    pub source: String,
    pub currency: String,
    /// Its things are VM sizes: no disk is looked for there.
    #[serde(default)]
    pub of_vm_sizes: bool,
    /// What a letter behind a price says.
    #[serde(default)]
    pub marks: Vec<PriceMark>,
}

/// What a letter behind a price says; what is absent is as in the rest of the table.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PriceMark {
    pub letter: String,
    /// The date.
    pub edition: Option<String>,
    /// The source id.
    pub source: Option<String>,
    /// How sure the price is.
    pub note: Option<String>,
}

/// What stands behind the table of where sizes are sold.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SoldRule {
    /// The source id.
    pub source: String,
    /// Its month.
    pub edition: String,
    /// Retirements that a newer page announces.
    #[serde(default)]
    pub retires: Vec<Retirement>,
}

/// The end of some series.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Retirement {
    pub series: Vec<String>,
    /// The day, `2028-05-01`.
    pub date: String,
    /// The source id.
    pub source: String,
}

/// What of its life a series is in, and where kinds of disks are sold.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LifecycleFile {
    #[serde(default)]
    pub source: Vec<SourceRow>,
    #[serde(default)]
    pub stage: Vec<StageRow>,
    #[serde(default)]
    pub ended_reservations: Vec<EndedReservations>,
    /// The generations of image that NVMe disks are for, where no record of the size says them.
    pub nvme_images: Option<NvmeImages>,
    #[serde(default)]
    pub disk_regions: Vec<DiskRegions>,
}

/// A stage of life in which a VM size is not for everybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// It is tried out, on terms of its own.
    Preview,
    /// New subscriptions cannot deploy it.
    Closed,
    /// Its capacity is limited.
    Limited,
}

impl Stage {
    /// The name of the field of a size that has it.
    pub const fn field(self) -> &'static str {
        match self {
            Stage::Preview => "stage_preview",
            Stage::Closed => "stage_closed",
            Stage::Limited => "stage_limited",
        }
    }
    pub const fn said(self) -> &'static str {
        match self {
            Stage::Preview => "in preview",
            Stage::Closed => "closed to new subscriptions",
            Stage::Limited => "capacity limited",
        }
    }
}

/// What a page says of some series.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StageRow {
    pub stage: Stage,
    /// Since when, `2026-07`, where the page says it.
    pub since: Option<String>,
    pub series: Vec<String>,
    /// The source id.
    pub source: String,
    /// In the words of the page.
    pub reason: String,
}

/// Reservations that are neither sold nor renewed any more.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct EndedReservations {
    /// Terms.
    pub years: Vec<u32>,
    /// Since when, `2026-07`.
    pub since: String,
    pub series: Vec<String>,
    /// The source id.
    pub source: String,
}

/// What NVMe disks need of an image.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NvmeImages {
    /// `2`.
    pub generations: String,
    /// The source id.
    pub source: String,
    pub reason: String,
}

/// Where a kind of disk is sold.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DiskRegions {
    /// The id of the kind.
    pub kind: String,
    /// The source id.
    pub source: String,
    /// In how many zones, 0 = without one; and the regions, apart by blanks.
    pub zones: Vec<(u32, String)>,
}

/// Which document an edition of prices stands for.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PriceSource {
    /// The edition as the CSV file calls it.
    pub csv: String,
    /// The edition as the catalogue calls it.
    pub edition: String,
    /// The source id.
    pub source: String,
}

/// Regions of which something is so.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Regions {
    /// Their names.
    pub regions: Vec<String>,
    pub reason: String,
}

/// An area of regions.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PriceArea {
    /// Its name in the data.
    pub area: String,
    pub regions: Vec<String>,
    pub reason: String,
}

/// What a printed MB is.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct UnitRule {
    /// Editions it is for; empty = all.
    #[serde(default)]
    pub editions: Vec<String>,
    /// Series it is for; empty = all.
    #[serde(default)]
    pub series: Vec<String>,
    /// Limits it is for: `uncached`, `cached`, `temp`.
    pub limits: Vec<String>,
    /// Bytes of one MB.
    pub mb: u64,
    pub reason: String,
}

/// The limit of a temp disk by vCPU.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TempByVcpu {
    /// The series it is for.
    pub series: Vec<String>,
    /// For each so many vCPU,
    pub vcpu: u32,
    /// `[IOPS, MB/s of 10⁶ bytes]`.
    pub limit: [u64; 2],
    pub reason: String,
}

/// Writes of a temp disk by vCPU.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TempWrites {
    /// The series it is for.
    pub series: Vec<String>,
    /// IOPS for each vCPU.
    pub iops: u64,
    /// MB/s of 10⁶ bytes for each vCPU, where that is known.
    pub mb: Option<u64>,
    /// The source id it rests on.
    pub source: String,
    pub reason: String,
}

/// The host cache by vCPU.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CacheByVcpu {
    /// GiB a vCPU.
    pub gib: u64,
    pub reason: String,
}

/// A standard disk.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StandardDisk {
    pub iops: u64,
    /// MB/s of each, 10⁶ bytes.
    pub mb: u64,
    /// The source id it rests on.
    pub source: String,
}

impl RulesFile {
    /// Bytes of one printed MB, or nothing when no rule fits.
    pub fn mb(&self, edition: &str, series: &str, limit: &str) -> Option<u64> {
        let fits = |list: &[String], value: &str| list.is_empty() || list.iter().any(|item| item == value);
        let plain = edition.strip_suffix("-nvme").unwrap_or(edition);
        self.unit
            .iter()
            .find(|rule| {
                fits(&rule.editions, plain) && fits(&rule.series, series) && rule.limits.iter().any(|l| l == limit)
            })
            .map(|rule| rule.mb)
    }
}

/// What a person added or corrected by hand.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct OverridesFile {
    /// Sources that no generated row has.
    #[serde(default)]
    pub source: Vec<SourceRow>,
    /// VM sizes that the generated files lack.
    #[serde(default)]
    pub vm: Vec<VmTable>,
    /// Cached limits of sizes whose page of today prints none.
    #[serde(default)]
    pub cached: Vec<CachedTable>,
    /// What to know about a row.
    #[serde(default)]
    pub note: Vec<NoteRow>,
    /// Figures to use instead of printed ones.
    #[serde(default)]
    pub correction: Vec<CorrectionRow>,
    /// Rules of disks sized freely that their table lacks.
    #[serde(default)]
    pub disk_floor: Vec<DiskFloorRow>,
    /// Prices that the generated file lacks.
    #[serde(default)]
    pub price: Vec<PriceTable>,
}

/// Cached limits that one source has: a page in a column that names the cache, or a record of the SKU interface.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CachedTable {
    /// The date of the source, named as editions are.
    pub edition: String,
    /// The source id.
    pub source: String,
    /// Bytes of one printed MB.
    pub mb: u64,
    /// The sizes.
    pub rows: Vec<CachedRow>,
}

/// The cached limit of one size.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CachedRow {
    /// The vendor's name.
    pub name: String,
    /// The limit.
    pub cached: Vec<u64>,
    pub burst: Option<Vec<u64>>,
    /// Host cache in GiB.
    pub cache_gib: Option<u64>,
}

/// What to know about some rows.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NoteRow {
    /// VM sizes or disks.
    pub names: Vec<String>,
    /// The edition; absent = all.
    pub edition: Option<String>,
    /// The note.
    pub text: String,
    /// The bursts are known to be wrong: show them, do not use them.
    #[serde(default)]
    pub burst_doubted: bool,
}

/// Figures of VM sizes to use instead of what their page prints, because another source has a lower one.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CorrectionRow {
    /// The VM sizes.
    pub names: Vec<String>,
    pub edition: String,
    pub memory_mib: Option<u64>,
    /// Uncached limit, in MB/s as printed.
    pub uncached_mb: Option<u64>,
    /// Writes of the temp disks, in IOPS.
    pub temp_write_iops: Option<u64>,
    /// Second uncached limit.
    pub premium2: Option<Vec<u64>>,
    /// The source id of the figure.
    pub source: String,
    /// What the page prints, and why it is not used.
    pub reason: String,
}

/// A floor of a disk sized freely.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DiskFloorRow {
    /// The disk.
    pub sku: String,
    pub edition: String,
    /// Fewest IOPS per GiB.
    pub iops_per_gib: u64,
    /// Least bytes per second per IOPS.
    pub bytes_per_iops: u64,
    /// The source id.
    pub source: String,
    /// Why, where it is not the source of the table.
    pub reason: Option<String>,
}
