//! What a row does not print, taken from where it is known; each with its rule, so that nothing is guessed silently.
//!
//! | missing | rule, in this order |
//! |---|---|
//! | uncached limit, size without premium disks | data disks × 500 IOPS and 60 MB/s |
//! | uncached limit | the nearest edition of the same size that prints it, or of the size it is a constrained form of |
//! | uncached limit, where a page since 2023 or the rule of the disks says more than the API record | the lower of each figure |
//! | temp disk's limit | the text of its page, where the table leaves it out |
//! | temp disk's writes | the figure of a twin that prints them, where the page prints random reads alone and they were measured |
//! | cached limit | what was printed last, by a page in a column that names the cache or by a record of the SKU interface; the same of the size that it is a constrained form of |
//! | host cache | the nearest edition; the size that it is a constrained form of; 25 GiB a vCPU; only where a cached limit is known |
//! | bursts and the second uncached limit of an imported record | the nearest document |
//! | an API record's other fields | the nearest document that has them; for a constrained size (`DS14-4_v2`) its parent's |
//! | on-demand bursting and performance plus in an API record | the nearest edition that prints them |
//!
//! Source: `data/rules.toml` gives reasons; `overrides.toml` has the cached limits of pages and records that are no edition.
//!
//! Ignores: that the vendor may have changed a figure between two editions.
//!
//! Invariants: a figure that is printed is never raised; the figure of a local disk never becomes a cached limit. A host cache without
//! a cached limit stays one of unknown limits.

use std::fmt::Write as _;

use dw_units::Iops;

use crate::disk::DiskOffer;
use crate::file::RulesFile;
use crate::load::{CachedRecord, CachedRecords};
use crate::vm::{Derived, TempKind, VmLimit, VmSize};
use dw_vendor::edition;
use dw_vendor::index::Index;
use dw_vendor::printed::{MbUnit, PrintedMb};

/// Fills what a row's own page gives in another place than its table.
pub fn from_its_page(rules: &RulesFile, vms: &mut [VmSize]) {
    for vm in vms {
        standard_disks(rules, vm);
        temp_text(rules, vm);
        temp_writes(rules, vm);
    }
}

fn standard_disks(rules: &RulesFile, vm: &mut VmSize) {
    if vm.premium != Some(false) || vm.uncached.is_complete() || vm.edition.starts_with("api-") {
        return;
    }
    let standard = rules.standard_disks(vm.max_data_disks);
    vm.derived.push(Derived {
        field: "uncached",
        rule: format!(
            "takes no premium disks: {} data disks of {} IOPS and {} MB/s each",
            vm.max_data_disks, rules.standard_disk.iops, rules.standard_disk.mb
        ),
        source: Some(rules.standard_disk.source.clone()),
    });
    vm.uncached.iops = vm.uncached.iops.or(standard.iops);
    vm.uncached.printed = vm.uncached.printed.or(standard.printed);
}

fn temp_text(rules: &RulesFile, vm: &mut VmSize) {
    let Some(temp) = vm.temp.as_mut().filter(|temp| temp.read.is_none()) else { return };
    let Some((limit, reason)) = rules.temp_limit(vm.series.as_deref(), vm.vcpu) else { return };
    temp.read = Some(limit);
    vm.derived.push(Derived { field: "temp_read", rule: reason.to_string(), source: None });
}

/// Writes of a temp disk whose page prints random reads alone.
fn temp_writes(rules: &RulesFile, vm: &mut VmSize) {
    let Some(temp) = vm.temp.as_mut().filter(|temp| temp.write.is_none()) else { return };
    let Some(rule) = rules.temp_writes(vm.series.as_deref()) else { return };
    let times = u64::from(vm.vcpu);
    temp.write = Some(VmLimit {
        iops: Some(Iops::new(rule.iops * times)),
        printed: rule.mb.map(|mb| PrintedMb { number: mb * times, unit: MbUnit::Million }),
        ..VmLimit::default()
    });
    vm.derived.push(Derived { field: "temp_write", rule: rule.reason.clone(), source: Some(rule.source.clone()) });
}

/// What is printed, by name.
pub struct Known<'a> {
    pub rules: &'a RulesFile,
    pub rows: &'a [VmSize],
    pub index: &'a Index,
    pub cached: &'a CachedRecords,
}

impl Known<'_> {
    /// A row with its gaps filled from the others.
    pub fn filled(&self, place: usize) -> VmSize {
        let mut vm = self.rows[place].clone();
        self.api_record(&mut vm);
        self.imported(&mut vm);
        self.uncached(&mut vm);
        self.lower(&mut vm);
        self.cached(&mut vm);
        self.cache(&mut vm);
        vm
    }

    fn of(&self, name: &str) -> impl Iterator<Item = &VmSize> {
        self.index.of(name).iter().map(|&place| &self.rows[place])
    }

    /// The row of `name` nearest to `to` for which `has` gives something.
    fn nearest<T>(&self, name: &str, to: &VmSize, has: impl Fn(&VmSize) -> Option<T>) -> Option<(T, &VmSize)> {
        let others = self.of(name).filter(|row| row.edition != to.edition || row.name != to.name);
        let found = others.filter_map(|row| has(row).map(|value| (value, row)));
        // What a user imported fills no gap of what is shipped.
        let shipped = found.filter(|(_, row)| !edition::is_imported(&row.edition));
        shipped.min_by_key(|(_, row)| edition::distance(&row.edition, &to.edition))
    }

    /// A record of the SKU interface has neither series nor host cache, bursts, second limit and local disks: those of the nearest
    /// document of the same size, or of the size that this one is a constrained form of, which has the same storage.
    fn api_record(&self, vm: &mut VmSize) {
        if vm.series.is_some() || !vm.edition.starts_with("api-") {
            return;
        }
        let document = |name: &str| self.nearest(name, vm, |row| row.series.as_ref().and(row.premium));
        let Some((premium, other)) = document(&vm.name).or_else(|| document(&parent(&vm.name)?)) else { return };
        vm.derived.push(from(other, "series, host caching, cache, bursts, second uncached limit and local disks"));
        vm.series.clone_from(&other.series);
        vm.memory_mib = vm.memory_mib.or(other.memory_mib);
        vm.premium = vm.premium.or(Some(premium));
        vm.host_caching = other.host_caching;
        vm.ultra = other.ultra;
        vm.controllers.clone_from(&other.controllers);
        vm.cache = other.cache;
        vm.temp = other.temp;
        vm.cached = other.cached;
        vm.premium2 = other.premium2;
        if !vm.uncached.is_complete() {
            vm.uncached = other.uncached;
        } else if vm.uncached.iops == other.uncached.iops {
            vm.uncached.burst_iops = other.uncached.burst_iops;
            vm.uncached.burst_printed = other.uncached.burst_printed;
            vm.uncached.burst_doubted = other.uncached.burst_doubted;
        }
    }

    /// An imported record says nothing about bursts, the second uncached limit, series and local NVMe.
    fn imported(&self, vm: &mut VmSize) {
        if !edition::is_imported(&vm.edition) {
            return;
        }
        let document = |row: &VmSize| (row.series.is_some() && !edition::is_imported(&row.edition)).then_some(());
        let Some(((), other)) = self.nearest(&vm.name, vm, document) else { return };
        vm.derived.push(from(other, "bursts, second uncached limit and temp disk"));
        vm.series.clone_from(&other.series);
        vm.controllers = vm.controllers.take().or_else(|| other.controllers.clone());
        vm.host_caching = other.host_caching.or(vm.host_caching);
        vm.memory_mib = vm.memory_mib.or(other.memory_mib);
        vm.temp = match (vm.temp, other.temp) {
            (Some(own), Some(theirs)) if own.kind == theirs.kind => Some(own),
            (_, theirs) => theirs,
        };
        vm.premium2 = vm.premium2.or(other.premium2);
        let burst = |own: &mut VmLimit, theirs: VmLimit| {
            if own.iops == theirs.iops && own.burst_iops.is_none() {
                (own.burst_iops, own.burst_printed) = (theirs.burst_iops, theirs.burst_printed);
                own.burst_doubted = theirs.burst_doubted;
            }
        };
        burst(&mut vm.uncached, other.uncached);
        if let (Some(own), Some(theirs)) = (vm.cached.as_mut(), other.cached) {
            burst(own, theirs);
        }
    }

    /// The vCPU that a size's storage goes by: a constrained one has that of its parent.
    fn vcpu(&self, vm: &VmSize) -> u32 {
        let parent = parent(&vm.name).and_then(|name| self.of(&name).next());
        parent.map_or(vm.vcpu, |parent| parent.vcpu)
    }

    fn uncached(&self, vm: &mut VmSize) {
        if vm.uncached.is_complete() {
            return;
        }
        let complete = |row: &VmSize| Some(row.uncached).filter(VmLimit::is_complete);
        let is_record = |edition: &str| edition.starts_with("api-");
        let record = |row: &VmSize| complete(row).filter(|_| is_record(&vm.edition) && is_record(&row.edition));
        let found = self
            .nearest(&vm.name, vm, record)
            .or_else(|| self.nearest(&vm.name, vm, complete))
            .or_else(|| self.nearest(&parent(&vm.name)?, vm, complete));
        if let Some((limit, other)) = found {
            vm.derived.push(Derived { field: "uncached", ..from(other, "") });
            vm.uncached = limit;
        }
    }

    /// Where the page of today and the record of the SKU interface differ, the lower figure: nobody is promised what one of two
    /// sources denies.
    fn lower(&self, vm: &mut VmSize) {
        let is_today = edition::sort_key(&vm.edition).0 >= 2023 && !edition::is_imported(&vm.edition);
        // The record is of the SCSI edition of a size that has two.
        let is_today = is_today && !vm.edition.ends_with("-nvme") && vm.edition != "api-2025-03";
        let by_disks = vm.premium == Some(false) && vm.derived.iter().any(|derived| derived.field == "uncached");
        if !(is_today || by_disks) {
            return;
        }
        let record =
            |row: &VmSize| row.edition.starts_with("api-").then_some(row.uncached).filter(VmLimit::is_complete);
        let found = self.nearest(&vm.name, vm, record).or_else(|| self.nearest(&parent(&vm.name)?, vm, record));
        let Some((record, other)) = found else { return };
        let own = vm.uncached;
        let (Some(iops), Some(printed)) = (own.iops, own.printed) else { return };
        let (Some(record_iops), Some(record_printed)) = (record.iops, record.printed) else { return };
        let lower_iops = record_iops < iops;
        let lower_mb = record_printed.throughput() < printed.throughput() && !printed.agrees_with(record_printed);
        if !lower_iops && !lower_mb {
            return;
        }
        vm.uncached.iops = Some(iops.min(record_iops));
        if lower_mb {
            vm.uncached.printed = Some(record_printed);
        }
        vm.derived.push(Derived {
            field: "uncached",
            rule: format!(
                "{} here, {} in edition {}: the lower of each is taken",
                figures(own),
                figures(record),
                other.edition
            ),
            source: Some(other.source.clone()),
        });
    }

    /// The cached limit that was printed last when the text of `to` was written, or first after it; under a name.
    fn last_printed(&self, name: &str, to: &VmSize) -> Option<CachedRecord> {
        let of_rows = self.of(name).filter(|row| !edition::is_imported(&row.edition)).filter_map(|row| {
            let limit = row.cached.filter(VmLimit::is_complete)?;
            let (edition, source) = (row.edition.clone(), row.source.clone());
            Some(CachedRecord { edition, source, limit, cache: row.cache })
        });
        let mut all: Vec<CachedRecord> = of_rows.chain(self.cached.get(name).into_iter().flatten().cloned()).collect();
        all.sort_by_key(|record| edition::sort_key(&record.edition));
        let earlier = all.iter().rposition(|record| edition::not_later(&record.edition, Some(&to.edition)));
        (!all.is_empty()).then(|| all.swap_remove(earlier.unwrap_or(0)))
    }

    fn cached(&self, vm: &mut VmSize) {
        if vm.host_caching != Some(true) || vm.cached.is_some_and(|limit| limit.is_complete()) {
            return;
        }
        let parent = parent(&vm.name);
        let of_parent = || Some((parent.as_deref()?, self.last_printed(parent.as_deref()?, vm)?));
        let own = self.last_printed(&vm.name, vm).map(|record| (vm.name.as_str(), record));
        let Some((name, record)) = own.or_else(of_parent) else {
            // What another row left behind is none of this size's.
            vm.cached = None;
            return;
        };
        let of = match name == vm.name {
            true => String::new(),
            false => format!(" of {name}, which this size is cut from,"),
        };
        let mut rule = format!("printed last{of} in {}: {}", record.edition, figures(record.limit));
        let temp = vm.temp.filter(|temp| temp.kind == TempKind::Scsi).and_then(|temp| temp.read);
        vm.cached_lower = temp.and_then(|temp| lower_of(record.limit, temp));
        if let (Some(temp), true) = (temp, vm.cached_lower.is_some()) {
            let _ = write!(
                rule,
                "; the page of this edition gives {} for the temp disk, which shares it: a plan counts on the lower of each",
                figures(temp)
            );
        }
        vm.derived.push(Derived { field: "cached", rule, source: Some(record.source.clone()) });
        vm.cached = Some(record.limit);
        if let (None, Some(cache)) = (vm.cache, record.cache) {
            vm.derived.push(Derived {
                field: "cache",
                rule: format!("not on this page: as {} has it", record.edition),
                source: Some(record.source),
            });
            vm.cache = Some(cache);
        }
    }

    fn cache(&self, vm: &mut VmSize) {
        if vm.host_caching != Some(true) || vm.cache.is_some() || vm.cached.is_none() {
            return;
        }
        let printed = |row: &VmSize| row.cache;
        let found = self.nearest(&vm.name, vm, printed).or_else(|| self.nearest(&parent(&vm.name)?, vm, printed));
        match found {
            Some((cache, other)) => {
                vm.derived.push(Derived { field: "cache", ..from(other, "") });
                vm.cache = Some(cache);
            }
            None => {
                vm.cache = Some(self.rules.cache(self.vcpu(vm)));
                vm.derived.push(Derived {
                    field: "cache",
                    rule: self.rules.cache_by_vcpu.reason.clone(),
                    source: None,
                });
            }
        }
    }
}

/// The lower of each figure of two limits, where the second has a lower one. A burst goes with its base.
fn lower_of(limit: VmLimit, other: VmLimit) -> Option<VmLimit> {
    let iops = limit.iops.zip(other.iops).is_some_and(|(own, other)| other < own);
    let bytes = limit.throughput().zip(other.throughput()).is_some_and(|(own, other)| other < own);
    let mut lower = limit;
    if iops {
        (lower.iops, lower.burst_iops) = (other.iops, None);
    }
    if bytes {
        (lower.printed, lower.burst_printed) = (other.printed, None);
    }
    (iops || bytes).then_some(lower)
}

/// `77,000 IOPS and 485 MB/s`.
fn figures(limit: VmLimit) -> String {
    let iops = crate::field::grouped(limit.iops.map_or(0, Iops::get));
    match limit.throughput() {
        Some(rate) => format!("{iops} IOPS and {rate}"),
        None => format!("{iops} IOPS"),
    }
}

/// `as in Standard_DS14 of edition 2017-01`.
fn from(other: &VmSize, what: &str) -> Derived {
    let what = if what.is_empty() { String::new() } else { format!("{what}: ") };
    Derived {
        field: "other fields",
        rule: format!("{what}not in this edition, taken from {} of edition {}", other.name, other.edition),
        source: Some(other.source.clone()),
    }
}

/// The size that a constrained or promotional one is cut from: `DS14-4_v2` and `DS14_v2_Promo` are a `DS14_v2`.
pub fn parent(name: &str) -> Option<String> {
    if let Some(parent) = name.strip_suffix("_Promo") {
        return Some(parent.to_string());
    }
    let (before, after) = name.split_once('-')?;
    let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
    Some(format!("{before}{rest}"))
}

/// An API record of a disk has no on-demand bursting and no performance plus.
pub fn disks(disks: &mut [DiskOffer]) {
    let printed: Vec<DiskOffer> = disks.iter().filter(|disk| disk.performance_plus.is_some()).cloned().collect();
    let is_record = |edition: &str| edition.starts_with("api-") || edition::is_imported(edition);
    for disk in disks.iter_mut().filter(|disk| is_record(&disk.edition) && disk.performance_plus.is_none()) {
        let same = printed.iter().filter(|other| other.sku == disk.sku);
        let Some(other) = same.min_by_key(|other| edition::distance(&other.edition, &disk.edition)) else { continue };
        disk.on_demand = other.on_demand;
        disk.performance_plus = other.performance_plus;
        disk.derived.push(Derived {
            field: "on-demand bursting and performance plus",
            rule: format!("not in this record, taken from edition {}", other.edition),
            source: Some(other.source.clone()),
        });
    }
}
