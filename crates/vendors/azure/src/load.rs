//! From the text of the data files to rows, with every reference checked.

use core::fmt;
use std::collections::BTreeMap;

use dw_units::{Bytes, Iops};

use crate::disk::{DiskFamily, DiskLimit, DiskOffer, FreeForm, SizeRange, Tier};
use crate::file::{
    DiskFile, DiskFloorRow, DiskRow, DiskTable, ImportedFile, LifecycleFile, MachineTable, OverridesFile, PriceFile,
    PriceTable, RulesFile, SourceFile, VmRow, VmTable, ZoneTable,
};
use crate::packed::Text;
use crate::region_prices::RegionPrices;
use crate::rows;
use crate::sold::SoldTable;
use crate::vm::{Derived, TempDisk, TempKind, VmLimit, VmSize};
use dw_vendor::edition;
use dw_vendor::free::Follow;
use dw_vendor::moves::{MoveRow, MovesFile};
use dw_vendor::price::{Meter, Money, Price, Term};
use dw_vendor::printed::{MbUnit, PrintedMb};
use dw_vendor::services::{Service, ServicesFile};
use dw_vendor::sharing::{SharingFile, SharingRow};
use dw_vendor::source::Source;
use dw_vendor::speed::{SpeedTable, SpeedsFile};

/// Why the data files are not a catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    pub file: String,
    /// What is wrong, with the line where the reader knows it.
    pub what: String,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.what.trim_end())
    }
}

impl std::error::Error for LoadError {}

impl From<LoadError> for dw_error::Error {
    fn from(error: LoadError) -> Self {
        dw_error::Error::input(error.what.trim_end()).of_file(&error.file).caused_by(error)
    }
}

/// The name of the layer that a person imported.
pub const IMPORTED: &str = "imported.toml";

/// What was imported of other vendors.
#[derive(Clone, Debug, Default)]
pub struct OfOthers {
    pub prices: Vec<PriceTable>,
    pub machines: Vec<MachineTable>,
}

impl OfOthers {
    /// The words of vendors that tables name, and the sources.
    pub fn named(&self) -> impl Iterator<Item = (&str, &str)> {
        let prices = self.prices.iter().filter_map(|table| Some((table.vendor.as_deref()?, &*table.source)));
        prices.chain(self.machines.iter().map(|table| (&*table.vendor, &*table.source)))
    }
}

/// Everything the files say, before anything is derived.
pub struct Loaded {
    pub rules: RulesFile,
    pub sources: Vec<Source>,
    pub vms: Vec<VmSize>,
    pub disks: Vec<DiskOffer>,
    pub prices: Vec<Price>,
    pub zones: Vec<ZoneTable>,
    pub region_prices: Vec<RegionPrices>,
    pub sold: Option<SoldTable>,
    pub lifecycle: LifecycleFile,
    pub moves: Vec<MoveRow>,
    pub services: Vec<Service>,
    pub sharing: Vec<SharingRow>,
    pub speeds: Vec<SpeedTable>,
    pub cached: CachedRecords,
    /// What was imported of other vendors' prices and machines.
    pub of_others: OfOthers,
}

/// Reads the files, given as `(path, text)`.
pub fn load<'a>(files: impl IntoIterator<Item = (&'a str, Text<'a>)>) -> Result<Loaded, LoadError> {
    let mut rules = None;
    let (mut overrides, mut lifecycle) = (OverridesFile::default(), LifecycleFile::default());
    let (mut moves, mut services) = (MovesFile::default(), ServicesFile::default());
    let (mut sharing, mut speeds) = (SharingFile::default(), SpeedsFile::default());
    let (mut sources, mut vm_tables, mut disk_tables) = (Vec::new(), Vec::new(), Vec::new());
    let (mut price_tables, mut of_others) = (Vec::new(), OfOthers::default());
    let (mut zones, mut region_files, mut vm_files) = (Vec::new(), Vec::new(), Vec::new());
    for (path, file) in files {
        if path.starts_with("regions/") {
            region_files.push((path, file));
            continue;
        }
        let text = file.text();
        match path {
            "rules.toml" => rules = Some(parse::<RulesFile>(path, text)?),
            "lifecycle.toml" => lifecycle = parse(path, text)?,
            "moves.toml" => moves = parse(path, text)?,
            "services.toml" => services = parse(path, text)?,
            "sharing.toml" => sharing = parse(path, text)?,
            "speeds.toml" => speeds = parse(path, text)?,
            "overrides.toml" => overrides = parse(path, text)?,
            "sources.toml" => sources.extend(parse::<SourceFile>(path, text)?.source),
            IMPORTED => {
                let file = parse::<ImportedFile>(path, text)?;
                sources.extend(file.source);
                vm_tables.extend(file.vm.into_iter().map(|table| (path, table)));
                disk_tables.extend(file.disk.into_iter().map(|table| (path, table)));
                let (own, others): (Vec<_>, Vec<_>) = file.price.into_iter().partition(|table| table.vendor.is_none());
                price_tables.extend(own.into_iter().map(|table| (path, table)));
                of_others.prices.extend(others);
                of_others.machines.extend(file.machine);
                zones.extend(file.zones);
            }
            "disks.toml" => disk_tables.extend(parse::<DiskFile>(path, text)?.table.into_iter().map(|t| (path, t))),
            "prices.toml" => price_tables.extend(parse::<PriceFile>(path, text)?.table.into_iter().map(|t| (path, t))),
            _ => vm_files.push((path, file)),
        }
    }
    let missing = || LoadError { file: "rules.toml".into(), what: "the file is missing".into() };
    let rules = rules.ok_or_else(missing)?;
    let (mut region_prices, mut sold) = (Vec::new(), None);
    for (path, text) in region_files {
        let failed = |what| LoadError { file: path.into(), what };
        match rules.region_prices.iter().find(|rule| rule.file == path) {
            Some(rule) => region_prices.push(RegionPrices::read(&text, rule.clone()).map_err(failed)?),
            None => sold = Some(SoldTable::read(&text, &rules).map_err(failed)?),
        }
    }
    sources.append(&mut overrides.source);
    sources.append(&mut lifecycle.source);
    sources.append(&mut moves.source);
    sources.append(&mut services.source);
    sources.append(&mut sharing.source);
    sources.append(&mut speeds.source);
    vm_tables.extend(overrides.vm.drain(..).map(|table| ("overrides.toml", table)));
    price_tables.extend(overrides.price.drain(..).map(|table| ("overrides.toml", table)));

    let mut vms = Vec::new();
    // One file after the other: the lines of all of them at once are megabytes, which every start would touch for the first time.
    for (path, file) in vm_files {
        let failed = |what| LoadError { file: path.into(), what };
        for table in rows::read(file.text()).map_err(failed)? {
            vm_table(&rules, table, &mut vms).map_err(failed)?;
        }
    }
    for (path, table) in vm_tables {
        vm_table(&rules, table, &mut vms).map_err(|what| LoadError { file: path.into(), what })?;
    }
    let mut disks = Vec::new();
    for (path, table) in disk_tables {
        disk_table(table, &overrides, &mut disks).map_err(|what| LoadError { file: path.into(), what })?;
    }
    let mut prices = Vec::new();
    for (path, table) in price_tables {
        price_table(table, &mut prices).map_err(|what| LoadError { file: path.into(), what })?;
    }
    let by_hand = |what| LoadError { file: "overrides.toml".into(), what };
    let cached = cached_records(&overrides).map_err(by_hand)?;
    apply_corrections(&overrides, &mut vms).map_err(by_hand)?;
    apply_notes(&overrides, &mut vms, &mut disks).map_err(by_hand)?;
    set_size_ranges(&mut disks);
    set_tiers(&mut disks);
    Ok(Loaded {
        sources: sources
            .into_iter()
            .map(|s| Source { id: s.id, page: s.page, date: s.date, revision: s.revision, note: s.note })
            .collect(),
        rules,
        vms,
        disks,
        prices,
        zones,
        region_prices,
        sold,
        lifecycle,
        moves: moves.moves,
        services: services.service,
        sharing: sharing.sharing,
        speeds: speeds.speed,
        cached,
        of_others,
    })
}

fn parse<T: serde::de::DeserializeOwned>(path: &str, text: &str) -> Result<T, LoadError> {
    toml::from_str(text).map_err(|error| LoadError {
        file: path.into(),
        what: dw_error::shape::line_of_toml(text, error.span(), error.message()),
    })
}

fn vm_table(rules: &RulesFile, table: VmTable, out: &mut Vec<VmSize>) -> Result<(), String> {
    let unit = |bytes: u64| MbUnit::from_bytes(bytes).ok_or_else(|| format!("no MB has {bytes} bytes"));
    let uncached = unit(table.mb_uncached)?;
    let cached = table.mb_cached.map_or(Ok(uncached), unit)?;
    let temp = table.mb_temp.map_or(Ok(cached), unit)?;
    for row in &table.rows {
        let (listed, name) = (&rules.no_host_cache_sizes, &row.name);
        let host_caching = if listed.contains(name) { Some(false) } else { table.host_caching };
        out.push(VmSize {
            name: row.name.clone(),
            series: table.series.clone(),
            edition: table.edition.clone(),
            source: table.source.clone(),
            vcpu: row.vcpu,
            memory_mib: row.memory_mib,
            max_data_disks: row.disks,
            premium: table.premium,
            host_caching,
            ultra: table.ultra,
            controllers: table.controllers.clone(),
            cache: row.cache_gib.filter(|&gib| gib > 0).map(Bytes::gib),
            temp: temp_disk(rules, &table, row, temp)?,
            uncached: vm_limit(&row.uncached, &row.uncached_burst, uncached)?.unwrap_or_default(),
            cached: vm_limit(&row.cached, &row.cached_burst, cached)?,
            premium2: vm_limit(&row.premium2, &row.premium2_burst, uncached)?,
            cached_lower: None,
            notes: row.note.iter().cloned().collect(),
            derived: Vec::new(),
        });
    }
    Ok(())
}

/// What a source has of the cached limit of a size, whose page of today prints none.
#[derive(Clone, Debug)]
pub struct CachedRecord {
    pub edition: String,
    pub source: String,
    pub limit: VmLimit,
    pub cache: Option<Bytes>,
}

/// The cached limits of sources of their own, by the name of the size.
pub type CachedRecords = BTreeMap<String, Vec<CachedRecord>>;

fn cached_records(overrides: &OverridesFile) -> Result<CachedRecords, String> {
    let mut records = CachedRecords::new();
    for table in &overrides.cached {
        let unit = MbUnit::from_bytes(table.mb).ok_or_else(|| format!("no MB has {} bytes", table.mb))?;
        for row in &table.rows {
            let limit = vm_limit(&Some(row.cached.clone()), &row.burst, unit)?.unwrap_or_default();
            if !limit.is_complete() {
                return Err(format!("{}: a cached limit is [IOPS, MB/s]", row.name));
            }
            records.entry(row.name.clone()).or_default().push(CachedRecord {
                edition: table.edition.clone(),
                source: table.source.clone(),
                limit,
                cache: row.cache_gib.map(Bytes::gib),
            });
        }
    }
    Ok(records)
}

fn temp_disk(rules: &RulesFile, table: &VmTable, row: &VmRow, unit: MbUnit) -> Result<Option<TempDisk>, String> {
    let Some(gib) = row.temp_gib.filter(|&gib| gib > 0) else {
        return Ok(None);
    };
    let (series, controllers) = (table.series.as_deref(), table.controllers.as_deref());
    let (kind, size) = match rules.is_local_nvme(series, controllers, row.temp_read.is_some()) {
        true => (TempKind::LocalNvme, rules.local_disk(series, gib)),
        false => (TempKind::Scsi, Bytes::gib(gib)),
    };
    Ok(Some(TempDisk {
        count: row.temp_count.unwrap_or(1),
        size,
        read: vm_limit(&row.temp_read, &None, unit)?,
        write: vm_limit(&row.temp_write, &None, unit)?,
        kind,
    }))
}

/// `[IOPS]` or `[IOPS, MB/s]`.
fn pair(pair: &Option<Vec<u64>>) -> Result<(Option<u64>, Option<u64>), String> {
    match pair.as_deref() {
        None => Ok((None, None)),
        Some([iops]) => Ok((Some(*iops), None)),
        Some([iops, mb]) => Ok((Some(*iops), Some(*mb))),
        Some(other) => Err(format!("{other:?} is not [IOPS, MB/s]")),
    }
}

fn vm_limit(base: &Option<Vec<u64>>, burst: &Option<Vec<u64>>, unit: MbUnit) -> Result<Option<VmLimit>, String> {
    let (base, burst) = (pair(base)?, pair(burst)?);
    if base == (None, None) {
        return Ok(None);
    }
    let printed = |number: Option<u64>| number.map(|number| PrintedMb { number, unit });
    Ok(Some(VmLimit {
        iops: base.0.map(Iops::new),
        printed: printed(base.1),
        burst_iops: burst.0.map(Iops::new),
        burst_printed: printed(burst.1),
        burst_doubted: false,
    }))
}

fn disk_table(table: DiskTable, overrides: &OverridesFile, out: &mut Vec<DiskOffer>) -> Result<(), String> {
    let family = DiskFamily::from_id(&table.family).ok_or_else(|| format!("no disk family `{}`", table.family))?;
    let unit = MbUnit::from_bytes(table.mb).ok_or_else(|| format!("no MB has {} bytes", table.mb))?;
    for row in &table.rows {
        let limit = |values: &Option<Vec<u64>>| match pair(values)? {
            (None, None) => Ok(None),
            (Some(iops), Some(number)) => {
                Ok(Some(DiskLimit { iops: Iops::new(iops), printed: PrintedMb { number, unit } }))
            }
            _ => Err(format!("{}: a limit is [IOPS, MB/s]", row.sku)),
        };
        out.push(DiskOffer {
            sku: row.sku.clone(),
            kind: family.kind(),
            edition: table.edition.clone(),
            source: table.source.clone(),
            size: match row.size_gib.as_slice() {
                [size] => SizeRange { min: Bytes::gib(1), max: Bytes::gib(*size) },
                [min, max] => SizeRange { min: Bytes::gib(*min), max: Bytes::gib(*max) },
                other => return Err(format!("{}: {other:?} is not a size", row.sku)),
            },
            base: limit(&row.base)?,
            credit_burst: limit(&row.credit_burst)?,
            burst_minutes: row.burst_minutes,
            on_demand: limit(&row.on_demand)?,
            performance_plus: limit(&row.performance_plus)?,
            free_form: free_form(row, &table.edition, overrides, unit)?,
            tiers: Vec::new(),
            max_shares: row.max_shares,
            notes: Vec::new(),
            derived: floor_of(overrides, row, &table.edition).into_iter().filter_map(floor_derived).collect(),
        });
    }
    Ok(())
}

fn floor_of<'a>(overrides: &'a OverridesFile, row: &DiskRow, edition: &str) -> Option<&'a DiskFloorRow> {
    overrides.disk_floor.iter().find(|floor| floor.sku == row.sku && floor.edition == edition)
}

/// A floor that another source than the table has.
fn floor_derived(floor: &DiskFloorRow) -> Option<Derived> {
    Some(Derived { field: "floor", rule: floor.reason.clone()?, source: Some(floor.source.clone()) })
}

fn free_form(
    row: &DiskRow,
    edition: &str,
    overrides: &OverridesFile,
    unit: MbUnit,
) -> Result<Option<FreeForm>, String> {
    let (Some(iops_per_gib), Some(bytes_per_iops)) = (row.iops_per_gib, row.bytes_per_iops) else {
        return Ok(None);
    };
    let both = |values: &Option<Vec<u64>>| match values.as_deref() {
        Some([min, max]) => Ok((*min, *max)),
        _ => Err(format!("{}: a range is [least, most]", row.sku)),
    };
    let (iops, mb) = (both(&row.iops)?, both(&row.mb)?);
    let floor = floor_of(overrides, row, edition);
    Ok(Some(FreeForm {
        iops_per_gib,
        bytes_per_iops,
        iops_min: Iops::new(iops.0),
        iops_min_per_gib: floor.map_or(0, |floor| floor.iops_per_gib),
        iops_max: Iops::new(iops.1),
        mb_min: mb.0,
        bytes_min_per_iops: floor.map_or(0, |floor| floor.bytes_per_iops),
        mb_max: mb.1,
        free: row.free.as_ref().map(|_| both(&row.free)).transpose()?.map(|free| (Iops::new(free.0), free.1)),
        unit,
        follow: Follow::Nothing,
        bytes_per_gib: None,
        bands: &[],
        burst: None,
    }))
}

fn price_table(table: PriceTable, out: &mut Vec<Price>) -> Result<(), String> {
    let term = Term::from_id(&table.per).ok_or_else(|| format!("`{}` is not `hour` or `month`", table.per))?;
    let commitment = table.commitment();
    for row in table.rows {
        let refuse = |what: &str| format!("{}: {what}", row.name);
        let meter = row.meter.as_deref().map_or(Some(Meter::Whole), Meter::from_id);
        let amount = match Money::parse(&row.price) {
            Ok(Money::ZERO) => Err(refuse(&format!("`{}` is not a price", row.price))),
            Ok(amount) => Ok(amount),
            Err(e) => Err(refuse(&format!("the price {e}"))),
        };
        let price = Price {
            meter: meter.ok_or_else(|| refuse("no meter has that name"))?,
            amount: amount?,
            term,
            commitment,
            name: row.name,
            currency: table.currency.clone(),
            region: table.region.clone(),
            edition: table.edition.clone(),
            source: table.source.clone(),
            note: row.note,
        };
        out.push(price);
    }
    Ok(())
}

/// A correction that fits no row, or changes nothing, is an error: the page has changed since.
fn apply_corrections(overrides: &OverridesFile, vms: &mut [VmSize]) -> Result<(), String> {
    for fix in &overrides.correction {
        for name in &fix.names {
            let nothing = || format!("a correction is about `{name}` of {}, and changes nothing there", fix.edition);
            let mut rows = vms.iter_mut().filter(|vm| vm.name == *name && vm.edition == fix.edition);
            let vm = rows.next().ok_or_else(nothing)?;
            let before = (vm.memory_mib, vm.temp, vm.uncached, vm.premium2);
            let mut derived = |field: &'static str| {
                vm.derived.push(Derived { field, rule: fix.reason.clone(), source: Some(fix.source.clone()) });
            };
            if let Some(memory) = fix.memory_mib {
                vm.memory_mib = Some(memory);
                derived("memory");
            }
            if let Some((iops, write)) = fix.temp_write_iops.zip(vm.temp.as_mut().and_then(|temp| temp.write.as_mut()))
            {
                write.iops = Some(Iops::new(iops));
                derived("temp_write");
            }
            if let Some((mb, printed)) = fix.uncached_mb.zip(vm.uncached.printed.as_mut()) {
                printed.number = mb;
                derived("uncached");
            }
            if let Some(limit) = fix.premium2.as_ref().filter(|_| vm.premium2.is_some()) {
                vm.premium2 = vm_limit(&Some(limit.clone()), &None, MbUnit::Million)?;
                derived("premium2");
            }
            if before == (vm.memory_mib, vm.temp, vm.uncached, vm.premium2) {
                return Err(nothing());
            }
        }
    }
    Ok(())
}

/// A note that fits no row is an error: it was written about something that has gone.
fn apply_notes(overrides: &OverridesFile, vms: &mut [VmSize], disks: &mut [DiskOffer]) -> Result<(), String> {
    for note in &overrides.note {
        for name in &note.names {
            let fits = |edition: &str| note.edition.as_deref().is_none_or(|wanted| wanted == edition);
            let mut used = false;
            for vm in vms.iter_mut().filter(|vm| vm.name == *name && fits(&vm.edition)) {
                vm.notes.push(note.text.clone());
                for limit in [Some(&mut vm.uncached), vm.cached.as_mut(), vm.premium2.as_mut()].into_iter().flatten() {
                    limit.burst_doubted |= note.burst_doubted && limit.burst_below_base();
                }
                used = true;
            }
            for disk in disks.iter_mut().filter(|disk| disk.sku == *name && fits(&disk.edition)) {
                disk.notes.push(note.text.clone());
                used = true;
            }
            if !used {
                return Err(format!("a note is about `{name}`, which no row is"));
            }
        }
    }
    Ok(())
}

/// A disk is billed as the next larger one offered: each begins where the one before ends.
fn set_size_ranges(disks: &mut [DiskOffer]) {
    let ends: Vec<_> = disks.iter().map(|disk| (disk.kind.id, disk.edition.clone(), disk.fixed_size())).collect();
    for disk in disks.iter_mut() {
        let Some(own) = disk.fixed_size() else { continue };
        let below = ends
            .iter()
            .filter(|(kind, edition, _)| *kind == disk.kind.id && *edition == disk.edition)
            .filter_map(|(_, _, size)| *size)
            .filter(|size| *size < own)
            .max();
        disk.size.min = below.map_or(Bytes::gib(1), |size| size + Bytes::gib(1));
    }
}

/// Performance tiers exist since 2020: up to P50 for disks of at most 4 TiB, up to P80 above.
fn set_tiers(disks: &mut [DiskOffer]) {
    let has_tiers =
        |disk: &DiskOffer| disk.family() == Some(DiskFamily::PremiumSsd) && edition::sort_key(&disk.edition).0 >= 2020;
    let all: Vec<(String, Bytes, Tier)> = disks
        .iter()
        .filter(|disk| has_tiers(disk))
        .filter_map(|disk| {
            let base = disk.base?;
            let tier = Tier { sku: disk.sku.clone(), base, credit_burst: disk.credit_burst };
            Some((disk.edition.clone(), disk.size.max, tier))
        })
        .collect();
    for disk in disks.iter_mut().filter(|disk| has_tiers(disk)) {
        let own = disk.size.max;
        let top = if own <= Bytes::tib(4) { Bytes::tib(4) } else { Bytes::new(u64::MAX) };
        let mut tiers: Vec<_> =
            all.iter().filter(|(edition, size, _)| *edition == disk.edition && *size >= own && *size <= top).collect();
        tiers.sort_by_key(|(_, size, _)| *size);
        disk.tiers = tiers.into_iter().map(|(_, _, tier)| tier.clone()).collect();
    }
}
